//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::ids::{Ids, Topic};
use super::mine::Mine;
use super::reach::{Judged, Reach};
use super::state::{Finding, Phase, Search, State};
use super::{Held, Race};
use crate::claim::{Claim, Few};
use crate::command::Command;
use crate::offers::{self, Act, Needs};
use crate::rules::{ComplexPick, Entry, Hints, Mechanism, NoClaim, Removed, Rules, ScoreFloor, To};
use cards::{Deck, Point};
use game::{Millis, Refusal, Say, Seat, say};

/// Everything that forbids an act, gathered so that the refusal can cite it all.
struct Objections {
    rules: Ids,
    say: Option<Say>,
}

impl Objections {
    fn new() -> Objections {
        Objections { rules: Ids::new(), say: None }
    }

    #[inline(always)]
    fn when(&mut self, forbidden: bool, ids: &[&'static str], say: impl FnOnce() -> Say) -> bool {
        if forbidden {
            self.object(ids, say());
        }
        forbidden
    }

    #[cold]
    fn object(&mut self, ids: &[&'static str], say: Say) {
        for id in ids {
            if !self.rules.contains(id) {
                self.rules.push(id);
            }
        }
        self.say.get_or_insert(say);
    }

    #[inline(always)]
    fn settle(self) -> Result<(), Refusal> {
        match self.say {
            None => Ok(()),
            Some(say) => Err(Refusal::new(&self.rules, say)),
        }
    }
}

fn refuse<T>(ids: &[&'static str], say: Say) -> Result<T, Refusal> {
    Err(Refusal::new(ids, say))
}

/// What everything is refused with once the match is over.
#[cold]
pub(super) fn over(rules: &Rules) -> Refusal {
    let ids = [&["CORE-3", "CORE-21"], &rules.ids(Topic::End)[..]].concat();
    Refusal::new(&ids, say!("no.over"))
}

/// What seats are refused with while chance is asked.
#[cold]
pub(super) fn shuffling() -> Refusal {
    Refusal::new(&["CORE-1", "CORE-3"], say!("no_pattern.shuffling"))
}

/// What a seat knows, asked for what that seat may do.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub rules: &'a Rules,
    pub state: &'a State,
    pub mine: &'a Mine,
    pub seat: Seat,
}

impl Race {
    /// What `seat` may do; the seat must be one of the match.
    #[inline(always)]
    pub(super) fn judge(&self, seat: Seat) -> Judge<'_> {
        Judge { rules: &self.rules, state: &self.state, mine: &self.mine[seat.index()], seat }
    }
}

impl<'a> Judge<'a> {
    fn player(&self) -> &'a super::Player {
        &self.state.players[self.seat.index()]
    }

    /// What is open to this seat, single patterns at the very end where these may be taken.
    fn reach(&self) -> Reach<'a> {
        Reach::new(self.rules, self.state, Some(self.seat)).at_the_end(self.state)
    }

    /// Refuses everything while chance is asked, and once the match is over.
    fn goes_on(&self) -> Result<(), Refusal> {
        let state = self.state;
        if state.phase == Phase::Over {
            return Err(over(self.rules));
        }
        if state.phase == Phase::Shuffling || state.shuffling.is_some() || state.picking.is_some() {
            return Err(shuffling());
        }
        Ok(())
    }

    /// What keeps this seat from calling or claiming, whatever the phase.
    #[inline(always)]
    fn may_act(&self, objections: &mut Objections) {
        let player = self.player();
        objections.when(player.retired(), &["LEAVE-2", "Q-15"], || say!("no_pattern.left"));
        let away = matches!(player.held, Held::Away { .. });
        objections.when(away, &["LEAVE-1", "Q-15"], || say!("no_pattern.away"));
        let out = self.state.sitting_out(self.rules) == Some(self.seat);
        objections.when(out, &["SETT-2", "A-15", "Q-15"], || say!("no_pattern.sits_out"));
        objections.when(player.frozen.is_some(), &["SCOUT-8", "Q-15"], || say!("no_pattern.frozen"));
    }

    /// What besides keeps this seat from calling or claiming now.
    #[inline(always)]
    fn may_start(&self, objections: &mut Objections, at: Millis) {
        let state = self.state;
        self.may_act(objections);
        if state.locked(self.seat, at) {
            let mut ids = self.rules.ids(Topic::Wrong);
            ids.extend(["CORE-11", "A-11", "Q-03", "Q-15", "Q-18"]);
            if self.player().wasted > 1 {
                ids.push("Q-21");
            }
            objections.object(&ids, say!("no_pattern.locked"));
        }
        let settling = state.phase == Phase::Open && at < state.open_at;
        objections.when(settling, &["CORE-14", "SETT-8", "A-13"], || say!("no_pattern.just_laid"));
        objections.when(state.phase == Phase::Between, &["CORE-3", "Q-26"], || say!("no_pattern.deal_over"));
    }

    /// Refuses a call that was made at `adjusted` and may not be made now, which is `at`.
    pub fn call(&self, at: Millis, adjusted: Millis) -> Result<(), Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut objections = Objections::new();
        if rules.entry == Entry::Tap {
            let mut ids = rules.ids(Topic::Call);
            ids.extend(["CORE-7", "Q-10"]);
            objections.object(&ids, say!("no_pattern.no_calls"));
        }
        let mut standing = rules.ids(Topic::Call);
        standing.extend(["CORE-5", "CORE-4", "CORE-3"]);
        match (state.phase, state.call) {
            (Phase::Tie, Some(call)) => {
                let within = adjusted <= call.since.after(u32::from(rules.tie_window_ms));
                standing.extend(["SETT-7", "A-6", "Q-05"]);
                objections.when(call.callers.has(self.seat), &standing, || say!("no_pattern.called"));
                objections.when(!within, &standing, || say!("no_pattern.tie_over"));
            }
            (Phase::Called | Phase::Tie, _) => {
                if rules.ties() {
                    standing.extend(["SETT-7", "A-6", "Q-05"]);
                }
                objections.object(&standing, say!("no_pattern.call_stands"));
            }
            (Phase::Scout, _) => {
                standing.extend(["SCOUT-3"]);
                objections.object(&standing, say!("no_pattern.searching"));
            }
            _ => {}
        }
        self.may_start(&mut objections, at);
        objections.settle()
    }

    /// Refuses what only a caller who has not answered may do.
    fn must_be_caller(&self) -> Result<(), Refusal> {
        let state = self.state;
        let mut ids = self.rules.ids(Topic::Call);
        let Some(call) = state.call.filter(|_| matches!(state.phase, Phase::Called | Phase::Tie)) else {
            ids.extend(["CORE-4"]);
            if state.phase == Phase::Between {
                ids.extend(["CORE-3", "Q-26"]);
            }
            if state.phase == Phase::Scout {
                ids.extend(["CORE-5", "SCOUT-3"]);
            }
            return refuse(&ids, say!("no_pattern.call_first"));
        };
        if !call.callers.has(self.seat) {
            ids.extend(["CORE-5", "CORE-4"]);
            return refuse(&ids, say!("no_pattern.other_called"));
        }
        if self.mine.answer.is_some() {
            ids.extend(["CORE-5", "Q-05", "SETT-7"]);
            return refuse(&ids, say!("no_pattern.answered"));
        }
        Ok(())
    }

    /// Refuses to withdraw a call.
    pub fn cancel(&self) -> Result<(), Refusal> {
        if self.rules.entry == Entry::Tap {
            let mut ids = self.rules.ids(Topic::Call);
            ids.extend(["CORE-7", "CORE-6"]);
            return refuse(&ids, say!("no_pattern.no_call_to_withdraw"));
        }
        self.must_be_caller()
    }

    /// Refuses a claim that may not be made now, whatever its cards.
    #[inline(always)]
    pub fn may_claim(&self, at: Millis) -> Result<(), Refusal> {
        if self.rules.entry == Entry::Call {
            return self.must_be_caller();
        }
        let mut objections = Objections::new();
        self.may_start(&mut objections, at);
        objections.settle()
    }

    /// Refuses that a Set is claimed where it is sealed.
    fn claims(&self) -> Result<(), Refusal> {
        if self.rules.mechanism == Mechanism::Scout {
            let mut ids = self.rules.ids(Topic::Claim);
            ids.push("4.1");
            return refuse(&ids, say!("no_pattern.seal_it"));
        }
        Ok(())
    }

    /// Judges a claim that may be made now, as `free` says; refuses one that has not the shape of a claim.
    #[inline(always)]
    pub fn claim(
        &self,
        claim: &Claim,
        leaves: Option<Point>,
        free: Result<(), Refusal>,
    ) -> Result<Judged, Refusal> {
        let rules = self.rules;
        self.claims()?;
        if let Err(mut refusal) = free {
            // What is wrong with the cards forbids the claim as well.
            if let Err(shape) = self.reach().judge(claim) {
                let more: Vec<_> = shape.rules.into_iter().filter(|rule| !refusal.cites(rule)).collect();
                refusal.rules.extend(more);
            }
            return Err(refusal);
        }
        let judged = self.judged(claim)?;
        if let Some(card) = leaves {
            let ids = rules.shape_ids();
            if rules.removed == Removed::All {
                return refuse(&ids, say!("no_pattern.all_leave"));
            }
            if rules.complex_pick == ComplexPick::ServerRandom {
                return refuse(&ids, say!("no_pattern.chance_picks"));
            }
            if !claim.cards().contains(&card) {
                return refuse(&ids, say!("no_pattern.leaves_of_claim"));
            }
        }
        Ok(judged)
    }

    /// What a claim comes to, of the right shape.
    fn judged(&self, claim: &Claim) -> Result<Judged, Refusal> {
        let Some(set) = self.state.plain_set(self.rules, claim) else { return self.reach().judge(claim) };
        let finding = Finding::Right { joint: None };
        Ok(Judged { finding, claim: claim.clone(), cards: Few::of(&set), sets: 1, unlinked: false })
    }

    /// Refuses to raise a flag.
    pub fn raise_flag(&self) -> Result<(), Refusal> {
        self.vote(self.state.flags.has(self.seat))
    }

    /// Refuses to lower a flag.
    pub fn lower_flag(&self) -> Result<(), Refusal> {
        if !self.state.flags.has(self.seat) {
            return refuse(&["CORE-15", "Q-04"], say!("no_pattern.flag_not_up"));
        }
        Ok(())
    }

    /// Refuses to object to an agreement.
    pub fn object(&self) -> Result<(), Refusal> {
        self.vote(false)
    }

    /// Refuses a vote that may not be given now.
    fn vote(&self, raised: bool) -> Result<(), Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut objections = Objections::new();
        if rules.no_claim == NoClaim::Auto {
            let mut ids = rules.ids(Topic::NoClaim);
            ids.extend(["CORE-16", "A-1", "CORE-15"]);
            objections.object(&ids, say!("no_pattern.seen_by_itself"));
        }
        objections.when(state.certain(rules), &["CORE-19", "CORE-15", "4.3", "QUICK-3", "SUPH-6"], || {
            say!("no_pattern.certain")
        });
        objections.when(
            matches!(state.phase, Phase::Tie | Phase::Called | Phase::Scout),
            &["Q-04", "CORE-5", "CORE-15", "CORE-3"],
            || say!("no_pattern.no_vote_in_call"),
        );
        objections.when(state.phase == Phase::Dealing, &["SETW-1", "CORE-3", "CORE-15"], || {
            say!("no_pattern.no_vote_in_deal")
        });
        objections.when(state.phase == Phase::Between, &["CORE-3", "Q-26"], || say!("no_pattern.deal_over"));
        objections.when(raised, &["Q-04", "CORE-15"], || say!("no_pattern.flag_up"));
        self.may_act(&mut objections);
        objections.settle()
    }

    /// Refuses to ask for a personal card.
    pub fn ask(&self) -> Result<(), Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut objections = Objections::new();
        objections.when(rules.to != To::Discard, &["TWTY-6", "4.1"], || say!("no_pattern.no_asking"));
        let standing = state.phase != Phase::Open;
        objections.when(standing, &["TWTY-6", "CORE-5", "CORE-3"], || say!("no_pattern.ask_when_open"));
        let full = self.player().hand.len() >= usize::from(rules.hand_max);
        objections.when(full, &["TWTY-6", "A-43"], || say!("no_pattern.hand_full"));
        let none = state.stock == 0 && state.pile.is_empty();
        objections.when(none, &["TWTY-6", "TWTY-5", "TWTY-7", "CORE-20"], || say!("no_pattern.none_to_draw"));
        self.may_act(&mut objections);
        objections.settle()
    }

    /// The card that a hint shows.
    pub fn hint(&self) -> Result<Point, Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut objections = Objections::new();
        objections.when(rules.hints == Hints::Off, &["A-50", "Q-24"], || say!("no_pattern.no_hints"));
        objections
            .when(state.phase != Phase::Open, &["A-50", "CORE-3"], || say!("no_pattern.hint_when_open"));
        self.may_act(&mut objections);
        objections.settle()?;
        let shown = |card: &Point| self.mine.hints.contains(card) || state.lit.contains(card);
        let next = self.reach().first().and_then(|c| c.cards().iter().copied().find(|card| !shown(card)));
        next.map_or_else(|| refuse(&["A-50"], say!("no_pattern.nothing_to_show")), Ok)
    }

    /// Points that a hint adds to the score.
    pub fn hint_points(&self) -> i32 {
        let free = self.rules.hints == Hints::Free
            || self.rules.score_floor == ScoreFloor::Zero && self.player().score <= 0;
        -i32::from(!free)
    }

    /// Refuses to give up.
    pub fn give_up(&self) -> Result<(), Refusal> {
        if !self.rules.solo() {
            return refuse(&["Q-25", "SOLO-7"], say!("no_pattern.give_up_alone"));
        }
        if self.state.phase == Phase::Between {
            return refuse(&["Q-25", "CORE-3"], say!("no_pattern.deal_over"));
        }
        Ok(())
    }

    /// Refuses to be ready for the next deal.
    pub fn ready(&self) -> Result<(), Refusal> {
        self.between(&["Q-26", "CORE-3"], self.state.ready.has(self.seat))
    }

    /// Refuses to vote for the whole deck.
    pub fn graduate(&self) -> Result<(), Refusal> {
        if self.rules.deck != Deck::D27 {
            return refuse(&["QUICK-4"], say!("no_pattern.no_whole_deck"));
        }
        self.between(&["QUICK-4", "Q-26", "CORE-3"], self.state.graduating.has(self.seat))
    }

    /// Refuses what belongs between deals, or is done already.
    fn between(&self, ids: &[&'static str], done: bool) -> Result<(), Refusal> {
        let mut objections = Objections::new();
        objections.when(self.state.phase != Phase::Between, ids, || say!("no_pattern.deal_on"));
        objections.when(!self.player().here(), &["LEAVE-2", "Q-15"], || say!("no_pattern.not_here"));
        objections.when(done, ids, || say!("no_pattern.said_already"));
        objections.settle()
    }

    /// Refuses to seal and to search where neither is done.
    fn scouts(&self) -> Result<(), Refusal> {
        match self.rules.mechanism {
            Mechanism::Scout => Ok(()),
            _ => refuse(&["4.1", "SCOUT-2", "CORE-3"], say!("no_pattern.no_scouting")),
        }
    }

    /// Refuses to seal, whatever the cards.
    fn may_seal(&self) -> Result<(), Refusal> {
        self.scouts()?;
        self.must_be_caller()
    }

    /// Refuses to seal these cards.
    pub fn seal(&self, cards: [Point; 3], points: Point) -> Result<(), Refusal> {
        self.may_seal()?;
        Reach::new(self.rules, self.state, None).at_the_end(self.state).judge(&Claim::one(&cards))?;
        if !cards.contains(&points) {
            let ids = self.rules.shape_ids();
            return refuse(&ids, say!("no_pattern.point_at_sealed"));
        }
        Ok(())
    }

    /// The search, and what keeps this seat from a part in it.
    fn search(&self) -> Result<(&'a Search, Objections), Refusal> {
        self.scouts()?;
        let Some(search) = self.state.search.as_ref() else {
            return refuse(&["SCOUT-3", "SCOUT-2", "CORE-3"], say!("no_pattern.nothing_sealed"));
        };
        let seat = self.seat;
        let mut no = Objections::new();
        no.when(seat == search.finder, &["SCOUT-3"], || say!("no_pattern.own_set"));
        let frozen = self.player().frozen.is_some();
        no.when(frozen, &["SCOUT-8", "SCOUT-3"], || say!("no_pattern.frozen"));
        no.when(search.failed.has(seat), &["SCOUT-6"], || say!("no_pattern.out_of_search"));
        no.when(self.mine.passed, &["SCOUT-7"], || say!("no_pattern.passed"));
        self.may_act(&mut no);
        let others = !search.scouts.has(seat) && seat != search.finder && !frozen;
        no.when(others, &["SCOUT-3"], || say!("no_pattern.came_later"));
        Ok((search, no))
    }

    /// Refuses to name a card of the finder's Set; with none, whichever it were.
    pub fn scout(&self, card: Option<Point>) -> Result<(), Refusal> {
        let (search, mut no) = self.search()?;
        no.when(search.showing.is_some(), &["SCOUT-3", "SCOUT-5"], || say!("no_pattern.first_acts"));
        if let Some(card) = card {
            no.when(card == search.points, &["SCOUT-3"], || say!("no_pattern.another_card"));
            self.must_lie(&mut no, card, "SCOUT-3");
        }
        no.settle()
    }

    /// Refuses to show the third card of a Set; with none, whichever it were.
    pub fn show(&self, card: Option<Point>) -> Result<(), Refusal> {
        let (search, mut no) = self.search()?;
        let showing = search.showing.is_some_and(|showing| showing.scout == self.seat);
        no.when(!showing, &["SCOUT-5"], || say!("no_pattern.nothing_named"));
        if let Some(card) = card {
            self.must_lie(&mut no, card, "SCOUT-5");
        }
        no.settle()
    }

    fn must_lie(&self, no: &mut Objections, card: Point, rule: &'static str) {
        let lies = self.state.board.has(card);
        no.when(!lies, &[rule, "CORE-7", "Q-01"], || say!("no_pattern.not_in_layout"));
    }

    /// Refuses to give up a search.
    pub fn pass(&self) -> Result<(), Refusal> {
        let (search, mut no) = self.search()?;
        let showing = search.showing.is_some_and(|showing| showing.scout == self.seat);
        no.when(showing, &["SCOUT-5"], || say!("no_pattern.show_third"));
        no.settle()
    }

    /// Refuses a command while the match goes on and chance is not asked.
    pub fn command(&self, at: Millis, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Call => self.call(at, at),
            Command::Cancel => self.cancel(),
            Command::Claim { groups, leaves } => self.claim(groups, *leaves, self.may_claim(at)).map(drop),
            Command::NoSet => self.raise_flag(),
            Command::NoSetOff => self.lower_flag(),
            Command::Looking => self.object(),
            Command::Ask => self.ask(),
            Command::GiveUp => self.give_up(),
            Command::Hint => self.hint().map(drop),
            Command::Ready => self.ready(),
            Command::Graduate => self.graduate(),
            Command::Seal { cards, points } => self.seal(*cards, *points),
            Command::Scout(card) => self.scout(Some(*card)),
            Command::Show(card) => self.show(Some(*card)),
            Command::Pass => self.pass(),
            Command::Flip(_) | Command::Declare => {
                refuse(&["MEM-3", "4.1"], say!("no_pattern.none_face_down"))
            }
            Command::Play(_) | Command::Challenge(_) => {
                refuse(&["SETUP-3", "4.1"], say!("no_pattern.none_placed"))
            }
        }
    }
}

impl offers::Judge for Judge<'_> {
    fn rules(&self) -> &Rules {
        self.rules
    }

    fn judge(&self, at: Millis, command: &Command) -> Result<(), Refusal> {
        self.goes_on().and_then(|()| self.command(at, command))
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        self.goes_on()?;
        let of_layout = |may: &dyn Fn(Point) -> bool| {
            Needs::Card(self.state.board.cards().filter(|&card| may(card)).collect())
        };
        let cards = Needs::Cards(self.rules.claim_shape());
        match act {
            Act::Claim => self.claims().and(self.may_claim(at)).map(|()| cards),
            Act::Seal => self.may_seal().map(|()| cards),
            Act::Scout => {
                self.scout(None)?;
                Ok(of_layout(&|card| self.scout(Some(card)).is_ok()))
            }
            Act::Show => {
                self.show(None)?;
                Ok(of_layout(&|_| true))
            }
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }

    fn points(&self, act: Act) -> i32 {
        if act == Act::Hint { self.hint_points() } else { 0 }
    }
}
