//! What is laid: the contract, further melds, and cards on those that lie.

use super::Judge;
use crate::event::Event;
use crate::hand::Hand;
use crate::meld::{DeclaredCard, DeclaredMeld, End, Kind, LayOff, Left, Meld, NoWay, Suits, TRIES};
use crate::rules::{LayoffOnto, LayoffWhen, MeldExtra, ReclaimUse, Settings};
use crate::state::TableMeld;
use cards::Face;
use game::{Objections, Refusal, Seat, say};

/// Tries for melds that may not be laid at all now: enough to say what is wrong with them.
const FEW_TRIES: usize = 200;

impl<'a> Judge<'a> {
    /// Whether a meld or lay-off leaves a card to discard, where one must be (RF-7), by how many it leaves. Before the draw nobody knows.
    pub(super) fn keeps_one(&self, set: &Settings, left: usize) -> Result<(), Refusal> {
        if left > 0 || !self.is_playing() || set.left() != Left::Discard {
            return Ok(());
        }
        Err(self.refuse(&["RF-7", "CR-DISC-1", "A-17"], say!("no_contract.keep_one")))
    }

    /// How the last card may leave where it may not be discarded, for a meld or lay-off by the rules of the contract at `at` that
    /// leaves `after` in hand and the table as `melds`.
    fn leaves(&self, at: u16, after: &Hand, melds: impl FnOnce() -> Vec<Meld>) -> Result<(), Refusal> {
        let (set, law) = (self.compiled.set(at), &self.compiled.laws[usize::from(at)]);
        if after.len() != 1 || set.left() != Left::Playable {
            return Ok(());
        }
        let cards: Vec<Face> = after.cards().collect();
        let open = || self.open(set, melds());
        if self.lays(set) && law.may_leave(Left::Playable, &cards, open().iter().map(|(_, meld)| meld)) {
            return Ok(());
        }
        Err(self.refuse(&["PW-3", "A-18", "RF-7"], say!("no_contract.stuck")))
    }

    /// Whether this seat, once down, may lay off in this turn.
    pub(super) fn lays(&self, set: &Settings) -> bool {
        // Who is asked about is down, or is about to be.
        let mut flow = *self.flow;
        flow.down.add(self.seat);
        (self.is_bound() || !flow.waits_for_all(set))
            && match set.layoff.when {
                LayoffWhen::Never => false,
                LayoffWhen::SameTurn => true,
                LayoffWhen::NextTurn => self.flow.down_before(self.seat),
            }
    }

    /// Whether this seat, which is down, must lay off wilds that it took back.
    fn is_bound(&self) -> bool {
        self.flow.down.has(self.seat) && !self.pending().is_empty()
    }

    /// Judges a contract, or further melds once down.
    pub fn meld(&self, picked: Option<u16>, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        let mut all = Objections::new();
        all.also(self.may_meld());
        let further = self.flow.down.has(self.seat);
        if further && self.set().meld.extra == MeldExtra::None {
            return all.allow(None);
        }
        // What nobody may lay now is not looked at for long.
        let tries = if all.is_empty() { TRIES } else { FEW_TRIES };
        let judged = all.also(if further { self.extra(said) } else { self.within(picked, said, tries) });
        all.allow(judged)
    }

    /// Whether this seat may meld at all now: the contract, or once down a further meld.
    pub fn may_meld(&self) -> Result<(), Refusal> {
        let mut all = Objections::new();
        all.also(self.plays(&["CR-MELD-4"], say!("no_contract.draw_then_meld")));
        if self.flow.down.has(self.seat) && self.set().meld.extra == MeldExtra::None {
            all.add(self.refuse(&["CR-MELD-4", "A-46", "A-55"], say!("no_contract.melded_already")));
        }
        all.settle()
    }

    /// Judges a contract, whoever's turn it is.
    pub fn contract(&self, picked: Option<u16>, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        self.within(picked, said, TRIES)
    }

    /// The same with so many tries.
    fn within(&self, picked: Option<u16>, said: &[DeclaredMeld], tries: usize) -> Result<Event, Refusal> {
        let compiled = self.compiled;
        let candidates = self.aims(picked);
        if candidates.is_empty() {
            let say = say!("no_contract.not_this_contract", n = picked.unwrap_or_default());
            let refusal = self.refuse(&["CR-MELD-5", "CR-MELD-4"], say);
            return Err(refusal.citing(self.picked_otherwise(picked)));
        }
        let mut all = Objections::new();
        let held = all.also(self.holds(said.iter().flat_map(DeclaredMeld::faces)));
        let (after, pending) = self.without(said.iter().flat_map(DeclaredMeld::faces));
        // Of several contracts it is those that are of this shape that tell what is wrong.
        let shaped = |at: &&u16| compiled.laws[usize::from(**at)].takes_shape(said);
        let any = candidates.iter().any(|at| shaped(&at));
        let tries = tries / candidates.len();
        let mut faults = Objections::new();
        for &at in candidates.iter().filter(|at| !any || shaped(at)) {
            let mut wrong = Objections::new();
            let laid = wrong.also(compiled.laws[usize::from(at)].judge_within(said, self.hand.len(), tries));
            wrong.also(self.keeps_one(compiled.set(at), after.len()));
            match wrong.allow(laid) {
                Ok(laid) if held.is_some() => {
                    let melds = || {
                        let mut melds = self.melds();
                        melds.extend(laid.melds.iter().cloned());
                        melds
                    };
                    self.rest_fits(at, &after, &pending, melds)?;
                    return Ok(Event::Melded { contract: Some(at), melds: laid.melds });
                }
                Ok(_) => return all.allow(None),
                Err(refusal) => faults.add(refusal),
            }
        }
        all.also(faults.settle());
        let before = self.laid_before(said).then_some("HR-PICK-1");
        all.allow(None).map_err(|why| why.citing(before).citing(["A-55"]))
    }

    /// The contracts that this seat may lay, as places in the rules' list: those it may pick from, or its own; of these the one that was named.
    fn aims(&self, picked: Option<u16>) -> Vec<u16> {
        let mut aims = self.flow.contracts_left(self.compiled, self.seat);
        if aims.is_empty() {
            aims.push(self.aim());
        }
        aims.retain(|&at| picked.is_none_or(|number| self.compiled.round(at).number == number));
        aims
    }

    /// The contract that this seat is after, as a place in the rules' list.
    pub(super) fn aim(&self) -> u16 {
        self.flow.contract_of(self.compiled, self.seat)
    }

    /// The rule by which this contract, which there is, is not to be laid now: each lays it once, or another one was picked.
    fn picked_otherwise(&self, picked: Option<u16>) -> Option<&'static str> {
        let there =
            self.compiled.played.iter().any(|&at| Some(self.compiled.round(at as u16).number) == picked);
        let each_once = self.compiled.any_order().then_some("HR-PICK-1");
        each_once.or(self.compiled.asks().then_some("HR-PICK-2")).filter(|_| there)
    }

    /// Whether these are melds of a contract that this seat has laid in an earlier round, where each is laid once (HR-PICK-1).
    fn laid_before(&self, said: &[DeclaredMeld]) -> bool {
        let done = self.flow.laid[self.seat.index()];
        let judged = |at: &&usize| {
            let law = &self.compiled.laws[**at];
            done >> **at & 1 == 1 && law.judge_within(said, self.hand.len(), 1).is_ok()
        };
        self.compiled.any_order() && self.compiled.played.iter().any(|at| judged(&at))
    }

    pub(super) fn melds(&self) -> Vec<Meld> {
        self.board.melds.iter().map(|m| m.meld.clone()).collect()
    }

    /// Judges further melds of a player who is down (`meld.extra`).
    pub fn extra(&self, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        let set = self.set();
        let faces = || said.iter().flat_map(DeclaredMeld::faces);
        let mut all = Objections::new();
        all.also(self.holds(faces()));
        let melds: Vec<Meld> = said.iter().filter_map(|one| all.also(self.further(one))).collect();
        // A wild that must be laid off is not for a new meld.
        if set.wild.reclaim_use == ReclaimUse::LayOff {
            let used = |face: Face| faces().filter(|&f| f == face).count();
            let bound = |face: Face| self.pending().iter().filter(|&&f| f == face).count();
            let missed = |face: &&Face| used(**face) + bound(**face) > usize::from(self.hand.count(**face));
            if let Some(&face) = self.pending().iter().find(missed) {
                let say = say!("no_contract.lay_wild_off", card = self.text(face));
                all.add(self.refuse(&["CR-JOK-4", "A-20"], say));
            }
        }
        let (after, pending) = self.without(faces());
        all.also(self.keeps_one(set, after.len()));
        all.settle().map_err(|why| why.citing(["A-55"]))?;
        let table = || {
            let mut table = self.melds();
            table.extend(melds.iter().cloned());
            table
        };
        self.rest_fits(self.aim(), &after, &pending, table)?;
        Ok(Event::Melded { contract: None, melds })
    }

    /// Judges one further meld by itself.
    fn further(&self, one: &DeclaredMeld) -> Result<Meld, Refusal> {
        let (set, law) = (self.set(), self.law());
        let meld = law.place(one, Suits::One)?;
        let least = match one.kind {
            Kind::Run => set.run.min,
            Kind::Group => set.group.min,
            Kind::Pair | Kind::Flush => u8::MAX,
        };
        let mut all = Objections::new();
        if meld.len() < usize::from(least) {
            let rule = if one.kind == Kind::Flush { "HR-SLOT-2" } else { "CR-MELD-2" };
            all.add(self.refuse(
                &["CR-MELD-1", rule, "A-46"],
                match one.kind {
                    Kind::Pair => say!("no_contract.further_pair"),
                    Kind::Flush => say!("no_contract.further_flush"),
                    kind => say!("no_contract.further_too_short", kind = kind.say(), n = least),
                },
            ));
        }
        all.also(law.judge(&meld));
        all.settle().map(|()| meld)
    }

    /// The hand without these cards, and the wilds taken back that are still to be laid off then.
    fn without(&self, cards: impl Iterator<Item = Face>) -> (Hand, Vec<Face>) {
        without(self.hand, self.pending(), cards)
    }

    /// Whether this seat may lay off on a meld as far as its owner goes.
    pub fn onto(&self, owner: Seat) -> bool {
        self.onto_by(self.set(), owner)
    }

    fn onto_by(&self, set: &Settings, owner: Seat) -> bool {
        match set.layoff.onto {
            LayoffOnto::All => true,
            LayoffOnto::Own => owner == self.seat,
            LayoffOnto::Team => self.flow.partners(self.compiled, owner, self.seat),
        }
    }

    /// Those of the melds on the table, with further ones of this seat behind them, that it may lay off on, and their numbers.
    fn open(&self, set: &Settings, melds: Vec<Meld>) -> Vec<(u16, Meld)> {
        let owners = self.board.melds.iter().map(|meld| meld.owner).chain(std::iter::repeat(self.seat));
        let open = (1..).zip(melds).zip(owners).filter(|(_, owner)| self.onto_by(set, *owner));
        open.map(|(numbered, _)| numbered).collect()
    }

    /// Whether this seat may lay off at all now.
    pub fn may_lay_off(&self) -> Result<(), Refusal> {
        let (flow, set) = (self.flow, self.set());
        let mut all = Objections::new();
        all.also(self.plays(&["CR-LAY-1", "CR-LAY-2"], say!("no_contract.draw_then_lay_off")));
        match set.layoff.when {
            LayoffWhen::Never => {
                all.add(self.refuse(&["CR-LAY-1", "CR-LAY-2"], say!("no_contract.no_lay_offs")));
            }
            _ if !flow.down.has(self.seat) => {
                let rules: &[&'static str] = if set.meld.all {
                    &["SH-CON-2", "CR-R7-4", "CR-LAY-1"]
                } else {
                    &["PR-LAY-1", "SH-LAY-1", "CR-LAY-1"]
                };
                all.add(self.refuse(rules, say!("no_contract.contract_first")));
            }
            LayoffWhen::NextTurn if !flow.down_before(self.seat) => {
                all.add(self.refuse(&["MI-3", "CR-LAY-1"], say!("no_contract.lay_off_next_turn")));
            }
            _ => {}
        }
        all.also(self.all_are_down());
        all.settle()
    }

    /// Whether nobody is waited for before something is laid off (HR-LAY-1).
    pub(super) fn all_are_down(&self) -> Result<(), Refusal> {
        // Whoever comes back does not bar what must be laid.
        if self.is_bound() || !self.flow.waits_for_all(self.set()) {
            return Ok(());
        }
        Err(self.refuse(&["HR-LAY-1"], say!("no_contract.lay_off_all_down")))
    }

    pub(super) fn on_table(&self, number: u16) -> Result<&'a TableMeld, Refusal> {
        self.board.meld(number).ok_or_else(|| {
            let rules: &[&'static str] =
                if self.set().meld.all { &["RF-3", "CR-R7-4"] } else { &["RF-3", "CR-LAY-2"] };
            self.refuse(rules, say!("no_contract.no_meld", n = number))
        })
    }

    /// Judges a lay-off.
    pub fn lay_off(&self, cards: &[DeclaredCard], on: u16, end: Option<End>) -> Result<Event, Refusal> {
        let faces = || cards.iter().map(|c| c.card);
        let mut all = Objections::new();
        all.also(self.may_lay_off());
        let target = all.also(self.on_table(on));
        if target.is_some_and(|target| !self.onto(target.owner)) {
            all.add(self.refuse(&["CR-LAY-2"], say!("no_contract.not_onto")));
        }
        all.also(self.holds(faces()));
        let law = self.law();
        let judged =
            target.map(|target| law.lay_off(&target.meld, cards, end).map_err(|r| r.citing(["A-55"])));
        let meld = judged.and_then(|judged| all.also(judged));
        let (after, pending) = self.without(faces());
        all.also(self.keeps_one(self.set(), after.len()));
        let meld = all.allow(meld)?;
        let table = || {
            let mut table = self.melds();
            table[usize::from(on) - 1] = meld.clone();
            table
        };
        self.rest_fits(self.aim(), &after, &pending, table)?;
        Ok(Event::LaidOff { on, cards: faces().collect(), meld })
    }

    /// Whether the turn can go on to its end from such a hand and table, by the rules of the contract at `at`: the last card may leave
    /// and all wilds taken back can be laid off.
    pub(super) fn rest_fits(
        &self,
        at: u16,
        hand: &Hand,
        pending: &[Face],
        melds: impl Fn() -> Vec<Meld>,
    ) -> Result<(), Refusal> {
        let mut all = Objections::new();
        all.also(self.leaves(at, hand, &melds));
        if !pending.is_empty()
            && let Err(no_way) = self.pending_way(at, hand, pending, &melds)
        {
            all.add(self.wild_has_no_place(at, no_way));
            if !self.lays(self.compiled.set(at)) {
                all.also(self.all_are_down());
            }
        }
        all.settle()
    }

    /// How all wilds taken back can be laid off in this turn by the rules of the contract at `at`, from such a hand and table.
    pub(super) fn pending_way(
        &self,
        at: u16,
        hand: &Hand,
        pending: &[Face],
        melds: impl Fn() -> Vec<Meld>,
    ) -> Result<Vec<LayOff>, NoWay> {
        let (set, law) = (self.compiled.set(at), &self.compiled.laws[usize::from(at)]);
        if !self.lays(set) {
            return Err(NoWay::Place);
        }
        let cards: Vec<Face> = hand.cards().collect();
        law.pending_way(self.open(set, melds()), &cards, pending, set.left())
    }

    /// The next lay-off of a way to lay all wilds that this seat has taken back; none if it has none, or has to lay a contract first.
    pub fn next_pending(&self) -> Option<LayOff> {
        if !self.is_bound() {
            return None;
        }
        let way = self.pending_way(self.aim(), self.hand, self.pending(), || self.melds());
        way.ok()?.into_iter().next()
    }

    pub(super) fn wild_has_no_place(&self, at: u16, no_way: NoWay) -> Refusal {
        let rules = ["SH-MELD-4", "CR-JOK-4", "A-20", "RF-7", "Q-01", "Q-19"];
        match (no_way, self.compiled.set(at).left()) {
            (NoWay::Left, Left::Playable) => {
                self.refuse(&rules, say!("no_contract.wild_leaves_stuck")).citing(["A-18"])
            }
            (NoWay::Left, _) => self.refuse(&rules, say!("no_contract.wild_leaves_none")),
            (NoWay::Place, _) => self.refuse(&rules, say!("no_contract.wild_has_no_place")),
        }
    }
}

/// A hand without these cards, and those of its wilds taken back that are still to be laid off then.
pub(super) fn without(hand: &Hand, pending: &[Face], cards: impl Iterator<Item = Face>) -> (Hand, Vec<Face>) {
    let (mut after, mut left) = (*hand, pending.to_vec());
    for face in cards {
        after.remove(face);
        if let Some(at) = left.iter().position(|&wild| wild == face) {
            left.remove(at);
        }
    }
    (after, left)
}
