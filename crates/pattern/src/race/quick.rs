//! The quick way, for simulations, which play thousands of deals: what follows from a claim or a deal is worked out without
//! a copy of the match. It knows the commonest cases only and leaves the others to [`Game::decide`]; tables are judged by
//! that alone. `the_quick_way_says_the_same` compares the two.

use super::board::bit;
use super::decide::Judgement;
use super::settle::extra_places;
use super::state::{DealEnd, Event, Finding, Lock, Phase, Placed, Verdict, Why};
use super::{Board, Race};
use crate::claim::{Claim, Few};
use crate::command::Command;
use crate::finder::{Open, PointSet, Sought, some_set};
use crate::frame::draft::ordered;
use crate::rules::{DealStyle, End, NoClaimAction, Rules, ShowMissed, Sources, To, TrialGoal};
use arrayvec::ArrayVec;
use cards::Point;
use game::{Draw, Game, Input, Millis, Refusal, Seat};

/// What a right claim wins.
struct Won<'a> {
    seat: Seat,
    points: i32,
    sets: u8,
    /// The cards that leave.
    taken: &'a [Point],
}

/// What comes after a right claim.
#[derive(Default)]
struct Follows {
    /// Cards in place of those claimed.
    refill: ArrayVec<Placed, 12>,
    /// Cards because nobody had a claim, each time.
    extras: Vec<ArrayVec<Placed, 12>>,
    /// Whether the deal is over because nobody has one and no card is left; then, whether none lies on the table.
    over: Option<bool>,
}

/// The zone of a card once `laid` is laid.
fn zone_after(board: &Board, laid: &[Placed], card: Point) -> u8 {
    let new = laid.iter().find(|placed| placed.card == card).map(|placed| placed.zone);
    new.unwrap_or_else(|| board.zone_of(card))
}

/// Hands out an event, which is made where it is to stand.
#[inline(always)]
fn hand_out(out: &mut impl Extend<Event>, event: impl FnOnce() -> Event) {
    out.extend(std::iter::once_with(event));
}

impl Race {
    /// Judges as [`Game::decide`] does and says the same, in less time where little follows. For simulations.
    ///
    /// # Errors
    /// The refusal; then `out` holds nothing new.
    #[inline]
    pub fn decide_quickly(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        let done = match input {
            Input::Play(seat, Command::Claim { groups, leaves }, _) => {
                self.claim_quickly(at, *seat, groups, *leaves, out)
            }
            Input::Draw(draw) => self.deal_quickly(at, draw, out),
            Input::Play(..) | Input::Ring(_) | Input::Presence(..) => None,
        };
        match done {
            Some(()) => Ok(()),
            None => self.decide(at, input, out),
        }
    }

    /// Deals, if nothing follows from that: only the layout matters, and it holds a claim.
    fn deal_quickly(&self, at: Millis, draw: &Draw, out: &mut impl Extend<Event>) -> Option<()> {
        let state = &self.state;
        let dealing = state.phase == Phase::Shuffling && state.shuffling.is_none() && self.dealer_known;
        if !dealing
            || !self.plain()
            || self.rules.deal_style != DealStyle::AtOnce
            || !draw.answers(&self.need()?)
        {
            return None;
        }
        let event = self.dealt(at, &ordered(&self.rules.pack(), draw));
        let Event::Dealt { board, .. } = &event else { return None };
        let goes_on = self.rules.claim_among(board.lying(), |card| board.zone_of(card));
        goes_on.then(|| hand_out(out, || event))
    }

    /// Judges a claim, if it is right and little follows.
    #[inline]
    fn claim_quickly(
        &self,
        at: Millis,
        seat: Seat,
        claim: &Claim,
        leaves: Option<Point>,
        out: &mut impl Extend<Event>,
    ) -> Option<()> {
        if !self.plain() || self.need().is_some() || seat.index() >= self.state.players.len() {
            return None;
        }
        self.judge(seat).may_claim(at).ok()?;
        let once = leaves.is_none() && !self.sealed_answers();
        if let Some(set) = self.state.plain_set(&self.rules, claim).filter(|_| once) {
            let won = Won { seat, points: 1, sets: 1, taken: &set };
            return self.won(at, &won, || Verdict::plain_set(seat, claim, &set), out);
        }
        let Ok(Judgement::Right(judged)) = self.judge_claim(at, seat, claim, leaves, Ok(())) else {
            return None;
        };
        let verdict = self.right(seat, &judged, leaves);
        let Verdict { points, sets, taken, .. } = verdict;
        self.won(at, &Won { seat, points, sets, taken: &taken }, || verdict, out)
    }

    /// Hands out a right claim and what follows, if that is little.
    #[inline(always)]
    fn won(
        &self,
        at: Millis,
        won: &Won<'_>,
        verdict: impl FnOnce() -> Verdict,
        out: &mut impl Extend<Event>,
    ) -> Option<()> {
        let mut follows = Follows::default();
        self.follows(won, &mut follows)?;
        let open_at = at.after(u32::from(self.rules.settle_ms));
        hand_out(out, || Event::Judged { at, verdict: verdict() });
        if !follows.refill.is_empty() {
            hand_out(out, || Event::Laid { at, why: Why::Refill, cards: follows.refill, open_at });
        }
        for cards in follows.extras {
            hand_out(out, || Event::Laid { at, why: Why::Extra, cards, open_at });
        }
        if let Some(cleared) = follows.over {
            self.last_claim(at, won, cleared, out);
        }
        Some(())
    }

    /// The deal is over with a right claim.
    #[inline(never)]
    fn last_claim(&self, at: Millis, won: &Won<'_>, cleared: bool, out: &mut impl Extend<Event>) {
        let why = DealEnd::NoClaim;
        hand_out(out, || Event::DealOver { at, why, bonus: None, also: Vec::new(), missed: Vec::new() });
        let score = |seat: Seat| {
            let won = if seat == won.seat { won.points } else { 0 };
            self.state.players[seat.index()].score + won
        };
        for event in self.after_deal(at, why, cleared, score) {
            hand_out(out, || event);
        }
    }
}

impl Race {
    /// Whether claims are made of the layout alone and cards go to their claimer: then little follows from a claim.
    fn plain(&self) -> bool {
        let rules = &self.rules;
        rules.sources == Sources::Layout
            && rules.to == To::Collected
            && !rules.final_single
            && rules.end != End::HandEmpty
    }

    /// What follows from a right claim, without working it out on a copy of the match: where only the layout matters,
    /// cards are replaced, extra cards laid while nobody has a claim until none is left and the deal is over, and nothing
    /// else follows. None if more may follow; then `follows` means nothing.
    #[inline]
    fn follows(&self, won: &Won<'_>, follows: &mut Follows) -> Option<()> {
        let (rules, state) = (&self.rules, &self.state);
        let Follows { refill, extras, over } = follows;
        let plain = !rules.progressive_refill
            && (state.phase == Phase::Open || state.call.is_some_and(|call| !call.while_dealing))
            && state.swept.is_empty()
            && state.returning.is_empty()
            && self.draws.is_empty();
        let goal = match (rules.end, rules.trial_goal) {
            (End::Goal, TrialGoal::Sets(n)) => {
                state.players[won.seat.index()].sets + u16::from(won.sets) >= n
            }
            _ => false,
        };
        if !plain || goal {
            return None;
        }
        let board = &state.board;
        let mut lying = *board.lying();
        // As bits, because nobody could foresee the branches: the slots of all that will be empty.
        let mut vacant = board.empty_places();
        for &card in won.taken {
            lying.remove(card);
            vacant |= board.place(card).map_or(0, bit);
        }
        let mut top = self.stock.iter().rev();
        for zone in 0..board.zone_count() {
            let slots = board.range(zone);
            if slots.end >= 64 {
                return None;
            }
            let mut vacant = vacant >> slots.start & !(u64::MAX << slots.len());
            let left = slots.len() - vacant.count_ones() as usize;
            let before = if rules.refill_above_base { board.count(zone) } else { 0 };
            let mut after = slots.len() as u8;
            for _ in left..usize::from(rules.base).max(before) {
                let Some(&card) = top.next() else { break };
                let slot = if vacant == 0 { after } else { vacant.trailing_zeros() as u8 };
                after += u8::from(vacant == 0);
                vacant &= vacant.wrapping_sub(1);
                lying.add(card);
                refill.try_push(Placed { zone: zone as u8, slot, card }).ok()?;
            }
        }
        if rules.claim_among(&lying, |card| zone_after(board, refill, card)) {
            return Some(());
        }
        let by_itself = rules.no_claim_action == NoClaimAction::Extra3
            && matches!(rules.end, End::StockAndNoClaim | End::Goal)
            && self.watched(top.len());
        if !by_itself {
            return None;
        }
        if top.len() > 0 {
            // Cards lie where they will lie then.
            let mut board = board.clone();
            won.taken.iter().for_each(|&card| _ = board.remove(card));
            let lay = |board: &mut Board, placed: &Placed| {
                board.put(usize::from(placed.zone), usize::from(placed.slot), placed.card);
            };
            refill.iter().for_each(|placed| lay(&mut board, placed));
            while top.len() > 0 {
                let places = extra_places(&board, state.extras + extras.len() as u16, rules);
                let more: ArrayVec<Placed, 12> = places
                    .iter()
                    .zip(&mut top)
                    .map(|(&(zone, slot), &card)| Placed { zone, slot, card })
                    .collect();
                more.iter().for_each(|placed| lay(&mut board, placed));
                extras.push(more);
                if rules.claim_among(board.lying(), |card| board.zone_of(card)) {
                    return Some(());
                }
            }
            lying = *board.lying();
        }
        if rules.regroup_at_end && rules.zones > 1 || rules.show_missed == ShowMissed::AfterDeal {
            return None;
        }
        *over = Some(lying.is_empty());
        Some(())
    }
}

impl Rules {
    /// Whether these cards, lying alone, hold a claim; `zone` says in which zone each lies.
    fn claim_among(&self, lying: &PointSet, zone: impl Fn(Point) -> u8) -> bool {
        if self.plain_sets() {
            return some_set(lying);
        }
        let sought = Sought::from(self);
        sought.exists_among(lying).unwrap_or_else(|| {
            let mut open = Open::new();
            lying.iter().for_each(|card| open.lay(card, zone(card)));
            sought.exists(&open)
        })
    }
}

impl Verdict {
    /// That on a claim of what [`Race::plain_set`] has found.
    #[inline(always)]
    fn plain_set(seat: Seat, claim: &Claim, set: &[Point; 3]) -> Verdict {
        Verdict {
            seat,
            finding: Finding::Right { joint: None },
            claim: claim.clone(),
            points: 1,
            sets: 1,
            taken: Few::of(set),
            lock: Lock::NONE,
            pays: None,
            draws: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{
        Dealer, Deals, Entry, Grouping, Hints, Lockout, Multiplicity, NoClaim, Off, Pattern, Penalty,
        Players, Removed, ScoreFloor, SoloWin, Tie, UntilNextClaim,
    };
    use game::chance::{Chance, SplitMix};
    use game::{Presence, Status, Timing};
    use std::collections::BTreeMap;
    use std::sync::Arc;

    /// A match in which everybody does now what is wise and now what is not, every input being judged both ways.
    struct Table {
        race: Race,
        now: Millis,
        chance: SplitMix,
        /// How often something happened.
        seen: BTreeMap<&'static str, u32>,
    }

    impl Table {
        fn below(&mut self, n: usize) -> usize {
            self.chance.below(n as u32) as usize
        }

        fn saw(&mut self, what: &'static str) {
            *self.seen.entry(what).or_default() += 1;
        }

        /// Judges an input both ways and, if it is accepted, takes in what it brings; whether it was.
        fn input(&mut self, input: &Input<Command>) -> bool {
            let (mut events, mut quickly) = (Vec::new(), Vec::new());
            let judged = self.race.decide(self.now, input, &mut events);
            let judged_quickly = self.race.decide_quickly(self.now, input, &mut quickly);
            assert_eq!((&judged_quickly, &quickly), (&judged, &events), "{input:?} in {:?}", self.race.state);
            let mut out = Vec::new();
            let quick = match input {
                Input::Play(seat, Command::Claim { groups, leaves }, _) => self
                    .race
                    .claim_quickly(self.now, *seat, groups, *leaves, &mut out)
                    .map(|()| "quick claims"),
                Input::Draw(draw) => self.race.deal_quickly(self.now, draw, &mut out).map(|()| "quick deals"),
                _ => None,
            };
            let right =
                events.iter().any(|e| matches!(e, Event::Judged { verdict, .. } if verdict.finding.right()));
            match quick {
                Some(what) => self.saw(what),
                None if right => self.saw("slow claims"),
                None => {}
            }
            if judged.is_err() {
                self.saw("refusals");
            }
            for event in &events {
                let what = match event {
                    Event::Called { .. } => Some("calls"),
                    Event::Flag { up: true, .. } => Some("flags"),
                    Event::Looking { .. } => Some("refusals to agree"),
                    Event::TieJudged { .. } => Some("ties"),
                    Event::Laid { why: Why::Extra, .. } => Some("extra deals"),
                    Event::Judged { verdict, .. } if verdict.pays.is_some() => Some("Sets paid"),
                    Event::Judged { verdict, .. } if verdict.lock != Lock::NONE => Some("locks"),
                    Event::Judged { verdict, .. } if verdict.points < 0 => Some("penalties"),
                    Event::Retired { .. } => Some("retired"),
                    Event::Back { .. } | Event::Joined { .. } => Some("back"),
                    Event::DealOver { .. } if quick.is_some() => Some("quick ends"),
                    _ => None,
                };
                if let Event::Judged { verdict, .. } = event
                    && verdict.points < 0
                {
                    self.saw("penalties");
                }
                if let Some(what) = what {
                    self.saw(what);
                }
                self.race.evolve(event);
            }
            judged.is_ok()
        }

        fn seat(&mut self) -> Seat {
            let seats = usize::from(self.race.seats());
            Seat(self.below(seats) as u8)
        }

        fn play(&mut self, seat: Seat, command: Command) -> bool {
            self.input(&Input::Play(seat, command, Timing::at(self.now)))
        }

        /// A claim that is right, mostly; now and then of any cards.
        fn claim(&mut self, seat: Seat) -> Option<Command> {
            let wrong = self.below(10) == 0;
            let lying: Vec<Point> = self.race.state.board.cards().collect();
            let groups = if wrong && !lying.is_empty() {
                let cards: Vec<Point> =
                    (0..2 + self.below(3)).map(|_| lying[self.below(lying.len())]).collect();
                Claim::one(&cards)
            } else {
                self.race.reach(Some(seat)).random(&mut self.chance)?
            };
            let one = self.race.rules.removed == Removed::One && self.below(3) > 0;
            let leaves = (one || self.below(40) == 0).then(|| groups.cards()[0]);
            Some(Command::Claim { groups, leaves })
        }

        /// What everybody does who sees that there is none.
        fn agree(&mut self) -> bool {
            let none = !self.race.has_claim(self.now);
            none && (0..self.race.seats()).any(|seat| self.play(Seat(seat), Command::NoSet))
        }

        fn turn(&mut self) {
            if let Status::Chance(need) = self.race.status() {
                let draw = self.chance.answer(&need);
                assert!(self.input(&Input::Draw(draw)), "{need:?}");
                return;
            }
            self.now = self.now.after(self.chance.below(300));
            // Now and then they wait, but not until the table is given up.
            let patience = if self.below(20) == 0 { 60_000 } else { 0 };
            if let Some(alarm) = self.race.alarm().filter(|alarm| alarm.due <= self.now.after(patience)) {
                self.now = self.now.max(alarm.due);
                assert!(self.input(&Input::Ring(alarm.id)));
                return;
            }
            let seat = self.seat();
            let (away, rare) = (!self.race.state.players[seat.index()].here(), self.below(8) == 0);
            let often = if away { 4 } else { 150 };
            if self.below(often) == 0 {
                let presence = [Presence::Back, Presence::Joined, Presence::Dropped, Presence::Left];
                let which = if rare {
                    self.below(4)
                } else if away {
                    self.below(2)
                } else {
                    2
                };
                let presence = presence[which];
                self.input(&Input::Presence(seat, presence));
                return;
            }
            let odd = [
                Command::NoSet,
                Command::NoSetOff,
                Command::Looking,
                Command::Hint,
                Command::Call,
                Command::Cancel,
                Command::Graduate,
            ];
            if self.below(12) == 0 {
                let command = odd[self.below(odd.len())].clone();
                self.play(seat, command);
                return;
            }
            if self.race.state.phase == Phase::Between {
                self.play(seat, Command::Ready);
                return;
            }
            if self.agree() {
                return;
            }
            let claimant = self.race.state.call.and_then(|call| call.callers.iter().next()).unwrap_or(seat);
            match self.claim(claimant) {
                Some(claim) if self.race.rules.entry == Entry::Tap || self.race.state.call.is_some() => {
                    self.play(claimant, claim);
                    // The others of a tie.
                    let others = self.race.state.call.map(|call| call.callers.without(claimant));
                    for other in others.into_iter().flat_map(|others| others.iter()) {
                        if let Some(claim) = self.claim(other) {
                            self.play(other, claim);
                        }
                    }
                }
                Some(_) => drop(self.play(seat, Command::Call)),
                None => {}
            }
        }
    }

    /// Plays some matches with two to four at the table, or one where the game is for one; what was seen in them.
    fn played(rules: &Rules, matches: u64) -> BTreeMap<&'static str, u32> {
        let mut seen = BTreeMap::new();
        for seed in 0..matches {
            let seats = if rules.solo() { 1 } else { 2 + (seed % 3) as u8 };
            let race = Race::open(Arc::new(rules.clone()), seats).expect("rules that can be played");
            let mut table = Table { race, now: Millis(0), chance: SplitMix(seed + 1), seen };
            for _ in 0..4000 {
                if let Status::Over(_) = table.race.status() {
                    break;
                }
                table.turn();
            }
            seen = table.seen;
        }
        seen
    }

    #[track_caller]
    fn check(rules: &Rules, expected: &[&'static str]) {
        let seen = played(rules, 12);
        for what in expected {
            assert!(seen.contains_key(what), "no {what}: {seen:?}");
        }
    }

    /// Right claims, wrong ones, calls, ties, flags, locks, penalties, coming and going: the same events, and the same
    /// refusals.
    #[test]
    fn the_quick_way_says_the_same() {
        let all = ["quick claims", "quick deals", "refusals", "penalties", "retired", "back", "extra deals"];
        let with = |more: &[&'static str]| [&all[..], more].concat();
        let table = Rules { deals: Deals::Count(2), ..Rules::default() };
        check(&table, &with(&["calls", "flags", "refusals to agree", "locks"]));
        let tap = Rules { entry: Entry::Tap, settle_ms: 0, no_claim: NoClaim::Auto, ..table.clone() };
        check(&tap, &with(&["locks", "quick ends"]));
        let until = Some(Lockout::Until(UntilNextClaim::UntilNextClaim));
        check(&Rules { lockout_s: until, ..tap.clone() }, &with(&["locks", "quick ends"]));
        let heap = Rules {
            tie: Tie::Shared,
            tie_window_ms: 500,
            penalty: Penalty::HeapSet,
            dealer: Dealer::SitsOut,
            ..table.clone()
        };
        check(&heap, &with(&["calls", "ties", "flags", "Sets paid"]));
        let shown = Rules { show_missed: ShowMissed::AfterDeal, hints: Hints::CostPoint, ..tap.clone() };
        check(&shown, &with(&["slow claims"]));
        let floor = Rules {
            score_floor: ScoreFloor::Zero,
            no_claim: NoClaim::AgreeChecked,
            refill_above_base: true,
            timeout_is_wrong: false,
            idle_vote_s: crate::rules::Lapse::Never(Off::Off),
            between_s: 0,
            ..table.clone()
        };
        check(&floor, &with(&["calls", "flags"]));
        let checks = ["quick claims", "quick deals", "refusals", "penalties"];
        let ultra = Rules { zones: 3, base: 6, pattern: Pattern::Ultra1, ..tap.clone() };
        check(&ultra, &checks);
        check(&Rules { regroup_at_end: true, ..ultra }, &[&checks[..], &["slow claims"]].concat());
        check(
            &Rules { base: 9, pattern: Pattern::Super, grouping: Grouping::Declared, ..table.clone() },
            &checks,
        );
        check(&Rules { multiplicity: Multiplicity::Double, ..table.clone() }, &checks);
        check(&Rules { removed: Removed::One, ..tap.clone() }, &checks);
        check(&Rules { deck: cards::Deck::D27, base: 9, ..table }, &checks);
        let alone = Rules { players: Players { min: 1, max: 1 }, solo_win: SoloWin::Clear, ..tap };
        check(&alone, &["quick claims", "quick deals", "quick ends"]);
    }

    fn alone(rules: Rules) -> Race {
        let rules = Rules { deals: Deals::Count(2), between_s: 0, settle_ms: 0, ..rules };
        Race::open(Arc::new(rules), 1).expect("a race alone")
    }

    #[test]
    fn a_plain_set_is_judged_alike() {
        let (mut right, mut chance) = (0, SplitMix(7));
        for _ in 0..300 {
            let mut race = alone(Rules::default());
            let mut events = Vec::new();
            let need = race.need().expect("a shuffle");
            race.decide(Millis(0), &Input::Draw(chance.answer(&need)), &mut events).expect("a deal");
            events.iter().for_each(|event| race.evolve(event));
            let mut claims = race.reach(None).list(200);
            let lying: Vec<Point> = race.state.board.cards().collect();
            for _ in 0..50 {
                // Cards of the layout and others, some of them twice, in numbers that fit and others.
                let any = |chance: &mut SplitMix| match chance.below(4) {
                    0 => Point(chance.below(81) as u8),
                    _ => lying[chance.below(lying.len() as u32) as usize],
                };
                let count = 2 + chance.below(3) as usize;
                let cards: Vec<Point> = (0..count).map(|_| any(&mut chance)).collect();
                claims.push(Claim::one(&cards));
            }
            for claim in claims {
                let seat = Seat(0);
                let judged = race.reach(Some(seat)).judge(&claim).ok().filter(|j| j.finding.right());
                let slow = judged.map(|judged| race.right(seat, &judged, None));
                right += usize::from(slow.is_some());
                let quick = race
                    .state
                    .plain_set(&race.rules, &claim)
                    .map(|set| Verdict::plain_set(seat, &claim, &set));
                assert_eq!(quick, slow, "{claim:?}");
            }
        }
        assert!(right > 500, "{right} were right");
    }
}
