//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::ids::Topic;
use super::mine::Mine;
use super::reach::{Judged, Reach};
use super::state::{DealEnd, Finding, Phase, Search, State};
use super::{Held, Race};
use crate::claim::{Claim, Few};
use crate::command::Command;
use crate::offers::{self, Act, Needs};
use crate::rules::{ComplexPick, Entry, Hints, Mechanism, NoClaim, Removed, Rules, ScoreFloor, To};
use cards::{Deck, Point};
use game::{Millis, Objections, Refusal, Say, Seat, say};

fn refuse<T>(ids: &[&'static str], say: Say) -> Result<T, Refusal> {
    Err(Refusal::new(ids, say))
}

/// What everything is refused with once the match is over.
#[cold]
pub(super) fn over(rules: &Rules, state: &State) -> Refusal {
    let ended: &[&str] = match state.deal_end {
        Some(DealEnd::Agreed) => &["CORE-22"],
        Some(DealEnd::Stuck) => &["SOLO-2"],
        Some(DealEnd::GaveUp) => &["Q-25", "SOLO-7"],
        Some(DealEnd::TooFew) => &["LEAVE-6", "Q-06"],
        Some(DealEnd::Abandoned) => &["Q-20"],
        // Among those of the game.
        Some(DealEnd::NoClaim | DealEnd::HandEmpty | DealEnd::Goal) | None => &[],
    };
    let ids = [&["CORE-3", "CORE-21"], &rules.ids(Topic::End)[..], ended].concat();
    Refusal::new(&ids, say!("no.over"))
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

    /// Refuses a command as [`game::Game::decide`] does; the seat must be one of the match.
    pub(super) fn allows(&self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        offers::Judge::judge(&self.judge(seat), at, command)
    }

    /// Refuses a command for what forbids it besides the end of the match.
    pub(crate) fn forbids(&self, at: Millis, seat: Seat, command: &Command) -> Result<(), Refusal> {
        self.judge(seat).command(at, command)
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
        let mut no = Objections::new();
        let chance = state.phase == Phase::Shuffling || state.shuffling.is_some() || state.picking.is_some();
        if state.phase == Phase::Over {
            no.also::<()>(Err(over(self.rules, state)));
        } else if chance {
            no.object(&["CORE-1", "CORE-3"], say!("no_pattern.shuffling"));
        } else {
            return Ok(());
        }
        self.must_be_there(&mut no);
        no.settle()
    }

    /// Refuses what only a player at the table may do.
    #[inline(always)]
    fn must_be_there(&self, no: &mut Objections) {
        let player = self.player();
        no.when(player.retired(), &["LEAVE-2", "Q-15"], || say!("no_pattern.left"));
        let away = matches!(player.held, Held::Away { .. });
        no.when(away, &["LEAVE-1", "Q-15"], || say!("no_pattern.away"));
    }

    /// What keeps this seat from calling or claiming, whatever the phase.
    #[inline(always)]
    fn may_act(&self, no: &mut Objections) {
        self.must_be_there(no);
        let out = self.state.sitting_out(self.rules) == Some(self.seat);
        no.when(out, &["SETT-2", "A-15", "Q-15"], || say!("no_pattern.sits_out"));
        no.when(self.player().frozen.is_some(), &["SCOUT-8", "Q-15"], || say!("no_pattern.frozen"));
    }

    /// The same, and the locks that stop calling and claiming alone.
    #[inline(always)]
    fn may_call(&self, no: &mut Objections, at: Millis) {
        self.may_act(no);
        if self.state.locked(self.seat, at) {
            let mut ids = self.rules.ids(Topic::Wrong);
            ids.extend(["CORE-11", "A-11", "Q-03", "Q-15", "Q-18"]);
            if self.player().wasted > 1 {
                ids.push("Q-21");
            }
            no.object(&ids, say!("no_pattern.locked"));
        }
    }

    /// What besides keeps this seat from calling or claiming now.
    #[inline(always)]
    fn may_start(&self, no: &mut Objections, at: Millis) {
        let state = self.state;
        self.may_call(no, at);
        let settling = state.phase == Phase::Open && at < state.open_at;
        no.when(settling, &["CORE-14", "SETT-8", "A-13"], || say!("no_pattern.just_laid"));
        no.when(state.phase == Phase::Between, &["CORE-3", "Q-26"], || say!("no_pattern.deal_over"));
    }

    /// Refuses a call that was made at `adjusted` and may not be made now, which is `at`.
    pub fn call(&self, at: Millis, adjusted: Millis) -> Result<(), Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut no = Objections::new();
        if rules.entry == Entry::Tap {
            let mut ids = rules.ids(Topic::Call);
            ids.extend(["CORE-7", "Q-10"]);
            no.object(&ids, say!("no_pattern.no_calls"));
        }
        let mut standing = rules.ids(Topic::Call);
        standing.extend(["CORE-5", "CORE-4", "CORE-3"]);
        match (state.phase, state.call) {
            (Phase::Tie, Some(call)) => {
                let within = adjusted <= call.since.after(u32::from(rules.tie_window_ms));
                standing.extend(["SETT-7", "A-6", "Q-05"]);
                no.when(call.callers.has(self.seat), &standing, || say!("no_pattern.called"));
                no.when(!within, &standing, || say!("no_pattern.tie_over"));
            }
            (Phase::Called | Phase::Tie, _) => {
                if rules.ties() {
                    standing.extend(["SETT-7", "A-6", "Q-05"]);
                }
                no.object(&standing, say!("no_pattern.call_stands"));
            }
            (Phase::Scout, _) => {
                standing.extend(["SCOUT-3"]);
                no.object(&standing, say!("no_pattern.searching"));
            }
            _ => {}
        }
        self.may_start(&mut no, at);
        no.settle()
    }

    /// Refuses what only a caller who has not answered may do. Whatever else keeps a seat from calling keeps it from that.
    fn must_be_caller(&self, no: &mut Objections, at: Millis) {
        let state = self.state;
        let mut ids = self.rules.ids(Topic::Call);
        let say = match state.call.filter(|_| matches!(state.phase, Phase::Called | Phase::Tie)) {
            None => {
                ids.push("CORE-4");
                if state.phase == Phase::Between {
                    ids.extend(["CORE-3", "Q-26"]);
                }
                if state.phase == Phase::Scout {
                    ids.extend(["CORE-5", "SCOUT-3"]);
                }
                say!("no_pattern.call_first")
            }
            Some(call) if !call.callers.has(self.seat) => {
                ids.extend(["CORE-5", "CORE-4"]);
                say!("no_pattern.other_called")
            }
            Some(_) if self.mine.answer.is_some() => {
                ids.extend(["CORE-5", "Q-05", "SETT-7"]);
                say!("no_pattern.answered")
            }
            Some(_) => return,
        };
        no.object(&ids, say);
        self.may_call(no, at);
    }

    /// Refuses to withdraw a call.
    pub fn cancel(&self, at: Millis) -> Result<(), Refusal> {
        let mut no = Objections::new();
        if self.rules.entry == Entry::Tap {
            let mut ids = self.rules.ids(Topic::Call);
            ids.push("CORE-7");
            no.object(&ids, say!("no_pattern.no_call_to_withdraw"));
            self.may_call(&mut no, at);
        } else {
            self.must_be_caller(&mut no, at);
        }
        no.cite(&["CORE-6"]);
        no.settle()
    }

    /// Refuses a claim that may not be made now, whatever its cards.
    #[inline(always)]
    pub fn may_claim(&self, at: Millis) -> Result<(), Refusal> {
        let mut no = Objections::new();
        if self.rules.mechanism == Mechanism::Scout {
            let mut ids = self.rules.ids(Topic::Claim);
            ids.push("4.1");
            no.object(&ids, say!("no_pattern.seal_it"));
        }
        match self.rules.entry {
            Entry::Call => self.must_be_caller(&mut no, at),
            Entry::Tap => self.may_start(&mut no, at),
        }
        no.settle()
    }

    /// Judges a claim that may be made now, as `free` says; refuses one that has not the shape of a claim.
    #[inline(always)]
    pub fn claim(
        &self,
        claim: &Claim,
        leaves: Option<Point>,
        free: Result<(), Refusal>,
    ) -> Result<Judged, Refusal> {
        let judged = self.judged(claim);
        if free.is_ok() && leaves.is_none() {
            return judged;
        }
        // What is wrong with the cards forbids the claim as well.
        let mut no = Objections::new();
        no.also(free);
        let judged = no.also(judged);
        if let Some(card) = leaves {
            self.may_leave(&mut no, claim, card);
        }
        no.allow(judged)
    }

    /// Refuses that of the cards of a claim this one leaves (CPLX-2).
    fn may_leave(&self, no: &mut Objections, claim: &Claim, card: Point) {
        let (rules, ids) = (self.rules, self.rules.shape_ids());
        no.when(rules.removed == Removed::All, &ids, || say!("no_pattern.all_leave"));
        let chance = rules.complex_pick == ComplexPick::ServerRandom;
        no.when(chance, &ids, || say!("no_pattern.chance_picks"));
        no.when(!claim.cards().contains(&card), &ids, || say!("no_pattern.leaves_of_claim"));
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
        let mut no = Objections::new();
        let up = self.state.flags.has(self.seat);
        no.when(!up, &["CORE-15", "Q-04"], || say!("no_pattern.flag_not_up"));
        self.votes_count(&mut no);
        self.may_act(&mut no);
        no.settle()
    }

    /// Refuses votes where none are given, and between deals.
    fn votes_count(&self, no: &mut Objections) {
        if self.rules.no_claim == NoClaim::Auto {
            let mut ids = self.rules.ids(Topic::NoClaim);
            ids.extend(["CORE-16", "A-1", "CORE-15"]);
            no.object(&ids, say!("no_pattern.seen_by_itself"));
        }
        let between = self.state.phase == Phase::Between;
        no.when(between, &["CORE-3", "Q-26"], || say!("no_pattern.deal_over"));
    }

    /// Refuses to object to an agreement.
    pub fn object(&self) -> Result<(), Refusal> {
        self.vote(false)
    }

    /// Refuses a vote that may not be given now.
    fn vote(&self, raised: bool) -> Result<(), Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut no = Objections::new();
        self.votes_count(&mut no);
        no.when(state.certain(rules), &["CORE-19", "CORE-15", "4.3", "QUICK-3", "SUPH-6"], || {
            say!("no_pattern.certain")
        });
        no.when(
            matches!(state.phase, Phase::Tie | Phase::Called | Phase::Scout),
            &["Q-04", "CORE-5", "CORE-15", "CORE-3"],
            || say!("no_pattern.no_vote_in_call"),
        );
        no.when(state.phase == Phase::Dealing, &["SETW-1", "CORE-3", "CORE-15"], || {
            say!("no_pattern.no_vote_in_deal")
        });
        no.when(raised, &["Q-04", "CORE-15"], || say!("no_pattern.flag_up"));
        self.may_act(&mut no);
        no.settle()
    }

    /// Refuses to ask for a personal card.
    pub fn ask(&self) -> Result<(), Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut no = Objections::new();
        no.when(rules.to != To::Discard, &["TWTY-6", "4.1"], || say!("no_pattern.no_asking"));
        let standing = state.phase != Phase::Open;
        no.when(standing, &["TWTY-6", "CORE-5", "CORE-3"], || say!("no_pattern.ask_when_open"));
        let full = self.player().hand.len() >= usize::from(rules.hand_max);
        no.when(full, &["TWTY-6", "A-43"], || say!("no_pattern.hand_full"));
        let none = state.stock == 0 && state.pile.is_empty();
        no.when(none, &["TWTY-6", "TWTY-5", "TWTY-7", "CORE-20"], || say!("no_pattern.none_to_draw"));
        self.may_act(&mut no);
        no.settle()
    }

    /// The card that a hint shows.
    pub fn hint(&self) -> Result<Point, Refusal> {
        let (rules, state) = (self.rules, self.state);
        let mut no = Objections::new();
        no.when(rules.hints == Hints::Off, &["A-50", "Q-24"], || say!("no_pattern.no_hints"));
        no.when(state.phase != Phase::Open, &["A-50", "CORE-3"], || say!("no_pattern.hint_when_open"));
        self.may_act(&mut no);
        no.settle()?;
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
        let mut no = Objections::new();
        no.when(!self.rules.solo(), &["Q-25", "SOLO-7"], || say!("no_pattern.give_up_alone"));
        let between = self.state.phase == Phase::Between;
        no.when(between, &["Q-25", "CORE-3"], || say!("no_pattern.deal_over"));
        self.must_be_there(&mut no);
        no.settle()
    }

    /// Refuses to be ready for the next deal.
    pub fn ready(&self) -> Result<(), Refusal> {
        let mut no = Objections::new();
        self.between(&mut no, &["Q-26", "CORE-3"], self.state.ready.has(self.seat));
        no.settle()
    }

    /// Refuses to vote for the whole deck.
    pub fn graduate(&self) -> Result<(), Refusal> {
        let mut no = Objections::new();
        no.when(self.rules.deck != Deck::D27, &["QUICK-4"], || say!("no_pattern.no_whole_deck"));
        let voted = self.state.graduating.has(self.seat);
        self.between(&mut no, &["QUICK-4", "Q-26", "CORE-3"], voted);
        no.settle()
    }

    /// Refuses what belongs between deals, or is done already.
    fn between(&self, no: &mut Objections, ids: &[&'static str], done: bool) {
        no.when(self.state.phase != Phase::Between, ids, || say!("no_pattern.deal_on"));
        self.must_be_there(no);
        no.when(done, ids, || say!("no_pattern.said_already"));
    }

    /// Refuses to seal and to search where neither is done.
    fn scouts(&self) -> Result<(), Refusal> {
        match self.rules.mechanism {
            Mechanism::Scout => Ok(()),
            _ => refuse(&["4.1", "SCOUT-2", "CORE-3"], say!("no_pattern.no_scouting")),
        }
    }

    /// Refuses to seal, whatever the cards.
    fn may_seal(&self, at: Millis) -> Result<Objections, Refusal> {
        self.scouts()?;
        let mut no = Objections::new();
        self.must_be_caller(&mut no, at);
        Ok(no)
    }

    /// Refuses to seal these cards.
    pub fn seal(&self, at: Millis, cards: [Point; 3], points: Point) -> Result<(), Refusal> {
        let mut no = self.may_seal(at)?;
        let layout = Reach::new(self.rules, self.state, None).at_the_end(self.state);
        no.also(layout.judge(&Claim::one(&cards)));
        let ids = self.rules.shape_ids();
        no.when(!cards.contains(&points), &ids, || say!("no_pattern.point_at_sealed"));
        no.settle()
    }

    /// The search, if there is one, and what keeps this seat from a part in it.
    fn search(&self) -> Result<(Option<&'a Search>, Objections), Refusal> {
        self.scouts()?;
        let (seat, mut no) = (self.seat, Objections::new());
        let search = self.state.search.as_ref();
        if let Some(search) = search {
            no.when(seat == search.finder, &["SCOUT-3"], || say!("no_pattern.own_set"));
            let frozen = self.player().frozen.is_some();
            no.when(frozen, &["SCOUT-8", "SCOUT-3"], || say!("no_pattern.frozen"));
            no.when(search.failed.has(seat), &["SCOUT-6"], || say!("no_pattern.out_of_search"));
            no.when(self.mine.passed, &["SCOUT-7"], || say!("no_pattern.passed"));
            let others = !search.scouts.has(seat) && seat != search.finder && !frozen;
            self.may_act(&mut no);
            no.when(others, &["SCOUT-3"], || say!("no_pattern.came_later"));
        } else {
            no.object(&["SCOUT-3", "SCOUT-2", "CORE-3"], say!("no_pattern.nothing_sealed"));
            self.may_act(&mut no);
        }
        Ok((search, no))
    }

    /// Whether `search` waits for the third card of this seat.
    fn shows(&self, search: Option<&Search>) -> bool {
        search.and_then(|search| search.showing).is_some_and(|showing| showing.scout == self.seat)
    }

    /// Refuses to name a card of the finder's Set; with none, whichever it were.
    pub fn scout(&self, card: Option<Point>) -> Result<(), Refusal> {
        let (search, mut no) = self.search()?;
        let named = search.is_some_and(|search| search.showing.is_some());
        no.when(named, &["SCOUT-3", "SCOUT-5"], || say!("no_pattern.first_acts"));
        if let Some(card) = card {
            let pointed = search.is_some_and(|search| search.points == card);
            no.when(pointed, &["SCOUT-3"], || say!("no_pattern.another_card"));
            self.must_lie(&mut no, card, "SCOUT-3");
        }
        self.nobody_calls(&mut no);
        no.settle()
    }

    /// Refuses to show the third card of a Set; with none, whichever it were.
    pub fn show(&self, card: Option<Point>) -> Result<(), Refusal> {
        let (search, mut no) = self.search()?;
        no.when(!self.shows(search), &["SCOUT-5"], || say!("no_pattern.nothing_named"));
        if let Some(card) = card {
            self.must_lie(&mut no, card, "SCOUT-5");
        }
        self.nobody_calls(&mut no);
        no.settle()
    }

    fn must_lie(&self, no: &mut Objections, card: Point, rule: &'static str) {
        let lies = self.state.board.has(card);
        no.when(!lies, &[rule, "CORE-7", "Q-01"], || say!("no_pattern.not_in_layout"));
    }

    /// Refuses to touch a card while a call stands.
    fn nobody_calls(&self, no: &mut Objections) {
        let stands = matches!(self.state.phase, Phase::Tie | Phase::Called);
        no.when(stands, &["CORE-5"], || say!("no_pattern.call_stands"));
    }

    /// Refuses to give up a search.
    pub fn pass(&self) -> Result<(), Refusal> {
        let (search, mut no) = self.search()?;
        no.when(self.shows(search), &["SCOUT-5"], || say!("no_pattern.show_third"));
        no.cite(&["SCOUT-7"]);
        no.settle()
    }

    /// Refuses a command while the match goes on and chance is not asked.
    pub fn command(&self, at: Millis, command: &Command) -> Result<(), Refusal> {
        match command {
            Command::Call => self.call(at, at),
            Command::Cancel => self.cancel(at),
            Command::Claim { groups, leaves } => self.claim(groups, *leaves, self.may_claim(at)).map(drop),
            Command::NoSet => self.raise_flag(),
            Command::NoSetOff => self.lower_flag(),
            Command::Looking => self.object(),
            Command::Ask => self.ask(),
            Command::GiveUp => self.give_up(),
            Command::Hint => self.hint().map(drop),
            Command::Ready => self.ready(),
            Command::Graduate => self.graduate(),
            Command::Seal { cards, points } => self.seal(at, *cards, *points),
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
        let mut no = Objections::new();
        // While chance is asked it is open what the command would meet.
        if no.also(self.goes_on()).is_some() || self.state.phase == Phase::Over {
            no.also(self.command(at, command));
        }
        no.settle()
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        self.goes_on()?;
        let of_layout = |may: &dyn Fn(Point) -> bool| {
            Needs::Card(self.state.board.cards().filter(|&card| may(card)).collect())
        };
        let cards = Needs::Cards(self.rules.claim_shape());
        match act {
            Act::Claim => self.may_claim(at).map(|()| cards),
            Act::Seal => self.may_seal(at)?.settle().map(|()| cards),
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
