//! Whole contracts: which melds fill which slots, and what binds the melds of one contract to each other.

use super::law::{Choice, Faults, ONE_RUN_OF_A_SUIT, Scope, WILD_CAP, Want, Wanted};
use super::{DeclaredMeld, Kind, Law, Meld, Placed, Suits};
use crate::options::RunAce;
use cards::{Face, list};
use game::{Refusal, Say, Value, say};

/// Melds tried in slots for one act, about: a contract of many slots can be read in more ways than there is time for.
/// Melds sent in the order of the contract are found at the first try.
pub(crate) const TRIES: usize = 4000;
/// The same for each alternative of a contract, however many there are.
const LEAST_TRIES: usize = 20;
/// Melds and cards beyond which nothing is looked at: more than a contract can ask for, and a hand hold.
const MOST_MELDS: usize = 32;
const MOST_CARDS: usize = 300;

/// What comes of placing each meld under each rule for suits, as far as it was asked for.
type PlacedMelds = Vec<[Option<Result<Meld, Faults>>; 4]>;

/// A contract that is legal, as it comes to lie on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The melds in the order sent, every card in its place.
    pub melds: Vec<Meld>,
    /// Which alternative of the round's contract they fill.
    pub alternative: usize,
    /// How many of the cards are beyond the minimum-size parts, so are lay-offs in truth. 0 where every meld was
    /// laid as a part of the contract.
    pub laid_off: usize,
}

impl Law {
    /// Judges a whole contract. `hand` is the number of cards the player holds before laying it; that they hold the
    /// cards laid is the engine's to check.
    ///
    /// # Errors
    /// Every rule it breaks.
    pub fn judge_contract(&self, said: &[DeclaredMeld], hand: usize) -> Result<Laid, Refusal> {
        self.judge_within(said, hand, TRIES)
    }

    /// The same with another number of tries.
    pub(crate) fn judge_within(
        &self,
        said: &[DeclaredMeld],
        hand: usize,
        tries: usize,
    ) -> Result<Laid, Refusal> {
        if said.len() > MOST_MELDS || said.iter().map(|s| s.cards.len()).sum::<usize>() > MOST_CARDS {
            let mut faults = Faults::default();
            faults
                .add(&["CR-MELD-5"], || say!("no_contract.too_much", melds = MOST_MELDS, cards = MOST_CARDS));
            return Err(faults.refusal(self.lineage));
        }
        let mut first: Option<Faults> = None;
        let mut placed = vec![[const { None }; 4]; said.len()];
        let tries = (tries / self.contracts.len().max(1)).max(LEAST_TRIES);
        for (alternative, wanted) in self.contracts.iter().enumerate() {
            match self.judge_alternative(wanted, said, hand, &mut placed, tries) {
                Ok((melds, laid_off)) => return Ok(Laid { melds, alternative, laid_off }),
                Err(faults) => match &mut first {
                    Some(first) => first.join(faults),
                    None => first = Some(faults),
                },
            }
        }
        Err(first.unwrap_or_default().refusal(self.lineage))
    }

    fn judge_alternative(
        &self,
        wanted: &Wanted,
        said: &[DeclaredMeld],
        hand: usize,
        placed: &mut PlacedMelds,
        tries: usize,
    ) -> Result<(Vec<Meld>, usize), Faults> {
        let mut faults = Faults::default();
        let cards: usize = said.iter().map(|s| s.cards.len()).sum();
        if self.all && cards != hand {
            faults.add(&["SH-CON-2", "CR-R7-1", "A-19"], || {
                say!("no_contract.whole_hand", n = cards, of = hand)
            });
        }
        let points = self.value_of(said.iter().flat_map(DeclaredMeld::faces));
        if let Some(few) = self.opening_fault(points) {
            faults.join(few);
        }
        if !self.shape_fits(wanted, said) {
            faults.join(self.another_shape(wanted));
        }
        // Each meld by itself, for its slot if that is plain, else for any slot it could fill.
        let mut melds = Vec::with_capacity(said.len());
        for (index, one) in said.iter().enumerate() {
            let suits = wanted
                .iter()
                .flatten()
                .filter(|w| w.kind == one.kind)
                .map(|w| w.suits)
                .collect::<std::collections::BTreeSet<Suits>>();
            // A run is first read as a common one; only then as one with freer suits.
            let mut read: Option<Result<Meld, Faults>> = None;
            for suits in suits.into_iter().chain((wanted.is_empty()).then_some(Suits::One)) {
                match self.placed_once(said, index, suits, placed) {
                    Ok(meld) => {
                        read = Some(Ok(meld));
                        break;
                    }
                    Err(faults) => {
                        read.get_or_insert(Err(faults));
                    }
                }
            }
            match read.unwrap_or_else(|| self.placed_once(said, index, Suits::One, placed)) {
                Ok(meld) => melds.push(meld),
                Err(wrong) => {
                    faults.join(wrong);
                    if self.is_over_cap(one) {
                        faults.cite(WILD_CAP);
                    }
                }
            }
        }
        if melds.len() < said.len() || wanted.len() != said.len() {
            faults.join(self.all_faults(wanted, &melds));
            return Err(faults);
        }
        // Match melds with slots, in any order; of all that fails, tell what came nearest.
        let (parts, laid) = (Vec::new(), Vec::new());
        let mut search = Matching { law: self, wanted, said, placed, tries, nearest: None, parts, laid };
        let mut used = vec![false; wanted.len()];
        match search.slot_of(0, &mut used) {
            Some(answer) if faults.none() => Ok(answer),
            Some(_) => Err(faults),
            None => {
                if search.tries == 0 {
                    faults.add(&["CR-MELD-5"], || say!("no_contract.too_many_ways"));
                }
                faults.join(search.nearest.map_or_else(Faults::default, |(_, faults)| faults));
                faults.join(self.all_faults(wanted, &melds));
                Err(faults)
            }
        }
    }

    fn value_of(&self, cards: impl Iterator<Item = Face>) -> i32 {
        cards.map(|card| i32::from(self.values[card.index()])).sum()
    }

    /// What is wrong with a contract that counts so many points (HR-OPEN-1).
    fn opening_fault(&self, points: i32) -> Option<Faults> {
        let mut faults = Faults::default();
        if points < i32::from(self.opening) {
            faults.add(&["HR-OPEN-1"], || say!("no_contract.opening", n = points, of = self.opening));
        }
        (!faults.none()).then_some(faults)
    }

    /// What is wrong with melds that are not those of the contract: with each that fills no slot by itself, and with two of them as parts of
    /// one contract. Where some cards are laid off with it in truth, two that are too near may be none of it.
    fn all_faults(&self, wanted: &Wanted, melds: &[Meld]) -> Faults {
        let mut faults = Faults::default();
        let mut beyond = false;
        for meld in melds {
            let mut alone = Faults::default();
            let mut fills = false;
            let mut asked = false;
            for want in wanted.iter().flatten().filter(|want| want.kind == meld.kind) {
                asked = true;
                match self.parts_of(meld, want) {
                    Ok(parts) => {
                        fills = true;
                        beyond |= parts.iter().any(|part| part.len() < meld.len());
                    }
                    Err(wrong) => alone.join(wrong),
                }
            }
            if !asked {
                faults.join(self.faults(meld, Scope::Table));
            } else if !fills {
                faults.join(alone);
            }
        }
        if !beyond {
            faults.join(self.cross_faults(melds));
        }
        faults
    }

    /// Whether these melds are of the kinds that some alternative of the contract asks for.
    pub(crate) fn takes_shape(&self, said: &[DeclaredMeld]) -> bool {
        self.contracts.iter().any(|wanted| self.shape_fits(wanted, said))
    }

    /// The refusal of melds that are not those of the contract.
    pub(crate) fn another_contract(&self, wanted: &Wanted) -> Refusal {
        self.another_shape(wanted).refusal(self.lineage)
    }

    fn another_shape(&self, wanted: &Wanted) -> Faults {
        let mut faults = Faults::default();
        let rules: &[&str] = if self.all {
            &["SH-CON-2", "CR-R7-1", "CR-R7-2", "CR-MELD-5"]
        } else {
            &["PR-CON-1", "DK-1", "PW-2", "SH-CON-1", "MI-2", "CR-MELD-5"]
        };
        faults.add(rules, || say!("no_contract.another", contract = self.contract_words(wanted)));
        faults
    }

    /// [`Law::placed`], once for each rule for suits.
    fn placed_once(
        &self,
        said: &[DeclaredMeld],
        index: usize,
        suits: Suits,
        placed: &mut PlacedMelds,
    ) -> Result<Meld, Faults> {
        placed[index][suits as usize].get_or_insert_with(|| self.placed(&said[index], suits)).clone()
    }

    /// Whether the numbers of melds of each kind can fill the slots: as many melds of some kinds as there are, as many
    /// slots must there be that take one of these kinds (Hall's condition).
    fn shape_fits(&self, wanted: &Wanted, said: &[DeclaredMeld]) -> bool {
        let melds = |kinds: u8| said.iter().filter(|one| kinds >> one.kind as u8 & 1 == 1).count();
        let takes = |slot: &[Want], kinds: u8| slot.iter().any(|want| kinds >> want.kind as u8 & 1 == 1);
        let slots = |kinds: u8| wanted.iter().filter(|slot| takes(slot, kinds)).count();
        wanted.len() == said.len() && (1..16).all(|kinds| melds(kinds) <= slots(kinds))
    }

    /// A contract, to be said: `2 groups of 3 and a run of 4`.
    #[must_use]
    pub fn contract_words(&self, wanted: &Wanted) -> Say {
        let mut parts: Vec<(&Choice, usize)> = Vec::new();
        for slot in wanted {
            match parts.iter_mut().find(|(other, _)| *other == slot) {
                Some((_, count)) => *count += 1,
                None => parts.push((slot, 1)),
            }
        }
        let part = |(slot, count): (&Choice, usize)| match slot.as_slice() {
            [want] => self.so_many(want, count),
            choice => {
                let one = choice.iter().map(|want| self.want_words(want)).collect();
                let one = Say::any(one).unwrap_or(say!("want.nothing"));
                if count == 1 { one } else { say!("want.times", n = count, what = one) }
            }
        };
        Say::all(parts.into_iter().map(part).collect()).unwrap_or(say!("want.nothing"))
    }

    /// The contracts of the round, of which one is to be laid.
    #[must_use]
    pub fn all_contract_words(&self) -> Say {
        let contracts = self.contracts.iter().map(|wanted| self.contract_words(wanted)).collect();
        let contract = Say::any(contracts).unwrap_or(say!("want.nothing"));
        match self.turned {
            0 => contract,
            rank => say!("want.turned", contract = contract, rank = self.rank_text(rank)),
        }
    }

    fn want_words(&self, want: &Want) -> Say {
        self.so_many(want, 1)
    }

    fn so_many(&self, want: &Want, count: usize) -> Say {
        let (size, how) = (want.size, self.how(want));
        match (want.kind, count) {
            (Kind::Group, 1) => say!("want.group.one", size = size, how = how),
            (Kind::Run, 1) => say!("want.run.one", size = size, how = how),
            (Kind::Pair, 1) => say!("want.pair.one", how = how),
            (Kind::Flush, 1) if want.suits == Suits::Colour => {
                say!("want.flush.one_colour", size = size, how = how)
            }
            (Kind::Flush, 1) => say!("want.flush.one", size = size, how = how),
            (Kind::Group, n) => say!("want.group.some", n = n, size = size, how = how),
            (Kind::Run, n) => say!("want.run.some", n = n, size = size, how = how),
            (Kind::Pair, n) => say!("want.pair.some", n = n, how = how),
            (Kind::Flush, n) if want.suits == Suits::Colour => {
                say!("want.flush.some_colour", n = n, size = size, how = how)
            }
            (Kind::Flush, n) => say!("want.flush.some", n = n, size = size, how = how),
        }
    }

    /// What else is asked of a meld; nothing of most.
    fn how(&self, want: &Want) -> Value {
        let more = (!self.exact && want.kind != Kind::Pair).then_some(say!("want.or_more"));
        let suits = match want.suits {
            _ if want.kind == Kind::Flush => None,
            Suits::One => None,
            Suits::Free => Some(say!("want.any_suits")),
            Suits::Colour => Some(say!("want.one_colour")),
            Suits::Alternate => Some(say!("want.alternating")),
        };
        let rank = (want.rank > 0).then(|| say!("want.of_rank", rank = self.rank_text(want.rank)));
        let distinct = want.distinct.then_some(say!("want.distinct"));
        let wilds = match want.wilds {
            255 => None,
            0 => Some(say!("want.clean")),
            most => Some(say!("want.wilds", n = most)),
        };
        let parts = [more, rank, suits, distinct, wilds].into_iter().flatten();
        let joined = parts.reduce(|a, b| say!("want.how", a = a, b = b));
        joined.map_or(Value::from(""), |how| say!("want.that", how = how).into())
    }

    /// What binds the melds of one contract to each other: contiguity, runs in a suit, ranks of groups.
    pub(super) fn cross_faults(&self, melds: &[Meld]) -> Faults {
        let mut faults = Faults::default();
        for (i, one) in melds.iter().enumerate() {
            for two in &melds[..i] {
                self.pair_faults(two, one, &mut faults);
            }
        }
        for (i, one) in melds.iter().enumerate() {
            let before = melds[..i].iter().filter(|m| same_suit_runs(m, one)).count();
            if before >= usize::from(self.per_suit) && one.is_run() {
                faults.add(&[ONE_RUN_OF_A_SUIT], || say!("no_contract.runs_of_suit", n = self.per_suit));
            }
        }
        faults
    }

    /// What two melds of one contract may not be to each other.
    fn pair_faults(&self, one: &Meld, two: &Meld, faults: &mut Faults) {
        match (one.is_run(), two.is_run()) {
            // Where a suit has one run at most, it is not asked how near two are (PW-4).
            (true, true) if self.per_suit == 1 => {}
            (true, true) if same_suit_runs(one, two) => match self.ranks_between(one, two) {
                None if !self.overlap => faults.add(&["CR-GAP-1"], || say!("no_contract.overlap")),
                Some(between) if between < self.gap => {
                    faults.add(&["SH-MELD-2", "CR-GAP-1", "CR-GAP-2", "A-10"], || {
                        let (one, two) = (one.text(&self.pack), two.text(&self.pack));
                        say!("no_contract.too_near", one = one, two = two, n = self.gap)
                    });
                    if self.all {
                        faults.cite(&["SH-CON-2", "CR-R7-2"]);
                    }
                }
                _ => {}
            },
            (false, false)
                if self.distinct_ranks && !one.is_flush() && !two.is_flush() && one.low == two.low =>
            {
                faults.add(&["SH-MELD-3", "A-11"], || say!("no_contract.same_rank"));
            }
            _ => {}
        }
    }

    /// How many ranks lie between two runs; none if they overlap.
    pub(crate) fn ranks_between(&self, one: &Meld, two: &Meld) -> Option<u8> {
        if self.ace == RunAce::Corner {
            let (a, b) = (one.low, two.low);
            let (la, lb) = (one.len() as u8, two.len() as u8);
            let ahead = (b + self.ranks - a) % self.ranks;
            let behind = (a + self.ranks - b) % self.ranks;
            return if ahead < la || behind < lb { None } else { Some((ahead - la).min(behind - lb)) };
        }
        let (first, second) = if one.low <= two.low { (one, two) } else { (two, one) };
        second.low.checked_sub(first.high() + 1)
    }
}

/// Whether both are runs bound to one suit, and to the same.
fn same_suit_runs(one: &Meld, two: &Meld) -> bool {
    let suit = |m: &Meld| {
        (m.is_run() && m.suits == Suits::One).then(|| m.cards.first().map(|c| c.stands.suit())).flatten()
    };
    suit(one).is_some_and(|s| suit(two) == Some(s))
}

/// Depth-first assignment of melds to slots, and of oversize melds to their minimum-size parts.
struct Matching<'a> {
    law: &'a Law,
    wanted: &'a Wanted,
    said: &'a [DeclaredMeld],
    placed: &'a mut PlacedMelds,
    /// Tries that are left.
    tries: usize,
    /// How many melds had found a slot where the search got furthest, and what stopped it there.
    nearest: Option<(usize, Faults)>,
    /// The parts chosen so far.
    parts: Vec<Meld>,
    /// The melds as laid, so far.
    laid: Vec<Meld>,
}

impl Matching<'_> {
    /// Finds slots for the melds from `index` on.
    fn slot_of(&mut self, index: usize, used: &mut [bool]) -> Option<(Vec<Meld>, usize)> {
        let Some(said) = self.said.get(index) else {
            let laid: usize = self.laid.iter().map(Meld::len).sum();
            let parts: usize = self.parts.iter().map(Meld::len).sum();
            // What is laid off in truth counts for nothing here.
            let points = self.law.value_of(self.parts.iter().flat_map(|part| &part.cards).map(|c| c.card));
            if let Some(faults) = self.law.opening_fault(points) {
                self.note(index, faults);
                return None;
            }
            return Some((self.laid.clone(), laid - parts));
        };
        let (law, wanted) = (self.law, self.wanted);
        for slot in 0..wanted.len() {
            if used[slot] || wanted[..slot].iter().zip(&*used).any(|(w, &u)| !u && *w == wanted[slot]) {
                continue;
            }
            for want in wanted[slot].iter().filter(|w| w.kind == said.kind) {
                if self.tries == 0 {
                    return None;
                }
                self.tries -= 1;
                let meld = match law.placed_once(self.said, index, want.suits, self.placed) {
                    Ok(meld) => meld,
                    Err(faults) => {
                        self.note(index, faults);
                        continue;
                    }
                };
                let parts = match law.parts_of(&meld, want) {
                    Ok(parts) => parts,
                    Err(faults) => {
                        self.note(index, faults);
                        continue;
                    }
                };
                for part in parts {
                    self.parts.push(part);
                    let cross = law.cross_faults(&self.parts);
                    if cross.none() {
                        used[slot] = true;
                        self.laid.push(meld.clone());
                        if let Some(answer) = self.slot_of(index + 1, used) {
                            return Some(answer);
                        }
                        self.laid.pop();
                        used[slot] = false;
                    } else {
                        self.note(index, cross);
                    }
                    self.parts.pop();
                }
            }
        }
        None
    }

    /// Remembers why a meld found no slot. What is wrong at the same depth is all cited.
    fn note(&mut self, index: usize, faults: Faults) {
        match &mut self.nearest {
            Some((depth, nearest)) if *depth == index => nearest.join(faults),
            Some((depth, _)) if *depth > index => {}
            _ => self.nearest = Some((index, faults)),
        }
    }
}

impl Law {
    /// The parts of a meld that could fill the slot: itself, or where it is oversize and lay-offs are legal in this
    /// turn, its parts of the slot's size.
    pub(super) fn parts_of(&self, meld: &Meld, want: &Want) -> Result<Vec<Meld>, Faults> {
        let size = usize::from(want.size);
        let mut faults = Faults::default();
        if meld.len() < size {
            let rules: &[&str] = match meld.kind {
                Kind::Run => {
                    &["PR-CON-1", "DK-1", "PW-2", "SH-CON-1", "MI-2", "CR-MELD-1", "CR-MELD-5", "A-12"]
                }
                Kind::Flush => &["PR-CON-1", "DK-1", "PW-2", "SH-CON-1", "MI-2", "HR-SLOT-2", "CR-MELD-5"],
                _ => &["PR-CON-1", "DK-1", "PW-2", "SH-CON-1", "MI-2", "CR-MELD-2", "CR-MELD-5", "A-12"],
            };
            faults.add(rules, || {
                let on = meld.text(&self.pack);
                say!("no_contract.too_short", on = on, want = self.want_words(want))
            });
            if self.all {
                faults.cite(&["SH-CON-2", "CR-R7-2"]);
            }
        }
        if meld.len() > size && self.exact && !self.same_turn {
            let rules: &[&str] = match meld.kind {
                Kind::Flush => &["CR-MELD-5", "HR-SLOT-2"],
                Kind::Run => &["CR-MELD-5", "CR-MELD-1", "A-12"],
                _ => &["CR-MELD-5", "CR-MELD-2", "A-12"],
            };
            if self.all_down {
                faults.cite(&["HR-LAY-1"]);
            }
            faults.add(rules, || {
                let on = meld.text(&self.pack);
                say!("no_contract.too_long", on = on, want = self.want_words(want))
            });
        }
        if !faults.none() {
            faults.join(self.faults(meld, Scope::Contract(want)));
            return Err(faults);
        }
        if meld.len() == size || !self.exact {
            let faults = self.faults(meld, Scope::Contract(want));
            return if faults.none() { Ok(vec![meld.clone()]) } else { Err(faults) };
        }
        let whole = self.faults(meld, Scope::Table);
        if !whole.none() {
            return Err(whole);
        }
        let candidates: Vec<Meld> = if meld.is_run() {
            meld.cards
                .windows(size)
                .zip(meld.low..)
                .map(|(cards, low)| Meld { low: self.normal(low), cards: cards.to_vec(), ..*meld })
                .collect()
        } else {
            let mut parts = vec![self.part_of_group(meld, want)];
            if self.opening > 0 {
                parts.extend(self.parts_by_points(meld, want));
            }
            parts
        };
        let mut parts = Vec::new();
        for part in candidates {
            let wrong = self.faults(&part, Scope::Contract(want));
            if wrong.none() {
                parts.push(part);
            } else {
                faults.join(wrong);
            }
        }
        if parts.is_empty() { Err(faults) } else { Ok(parts) }
    }

    fn normal(&self, low: u8) -> u8 {
        if self.ace == RunAce::Corner { self.rank_at(low) } else { low }
    }

    /// The cards of an oversize group or flush that make the best part of the slot's size: naturals of different suits, then
    /// other naturals, then wilds.
    fn part_of_group(&self, meld: &Meld, want: &Want) -> Meld {
        let mut seen = [false; 4];
        let mut order: Vec<(u8, usize)> = meld
            .cards
            .iter()
            .enumerate()
            .map(|(i, &c)| {
                let class = if self.counts_as_wild(c) {
                    2
                } else {
                    u8::from(std::mem::replace(&mut seen[c.card.suit() as usize], true))
                };
                (class, i)
            })
            .collect();
        // Where suits must differ a wild is better than a suit twice.
        if (want.distinct || self.distinct_suits) && !meld.is_flush() {
            order.iter_mut().for_each(|(class, _)| *class = [0, 2, 1][usize::from(*class)]);
        }
        list::sort(&mut order);
        order.truncate(usize::from(want.size));
        self.part(meld, order.into_iter().map(|(_, i)| meld.cards[i]).collect())
    }

    /// The parts of an oversize group or flush that count most, with each number of wilds (HR-OPEN-1 with A-53).
    fn parts_by_points(&self, meld: &Meld, want: &Want) -> Vec<Meld> {
        let size = usize::from(want.size);
        let value = |card: &Placed| std::cmp::Reverse(self.values[card.card.index()]);
        let (mut wilds, mut naturals): (Vec<Placed>, Vec<Placed>) =
            meld.cards.iter().partition(|&&card| self.counts_as_wild(card));
        wilds.sort_by_key(value);
        naturals.sort_by_key(value);
        if (want.distinct || self.distinct_suits) && !meld.is_flush() {
            let mut seen = [false; 4];
            naturals.retain(|card| !std::mem::replace(&mut seen[card.card.suit() as usize], true));
        }
        (0..=wilds.len().min(size))
            .filter(|n| naturals.len() >= size - n)
            .map(|n| self.part(meld, [&wilds[..n], &naturals[..size - n]].concat()))
            .collect()
    }

    fn part(&self, meld: &Meld, cards: Vec<Placed>) -> Meld {
        let mut part = Meld { kind: meld.kind, suits: meld.suits, low: meld.low, cards };
        self.sort_group(&mut part);
        part
    }
}
