//! The staging area: melds prepared from the own hand, judged live by the engine's meld checks.

use super::Rummy;
use super::hand::Spot;
use crate::t;
use cards::Face;
use contract::meld::{Choice, Kind, Law, Meld, Said, SaidCard, Suits, Want};
use leptos::prelude::*;

/// What can be said about the cards prepared for a slot.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// No card is there yet.
    Empty,
    /// On the way: so many cards are missing.
    Needs(usize),
    /// It fills the slot.
    Good(Meld),
    /// It will not do, with the reason.
    Wrong(String),
}

/// Judges the cards prepared for one slot, which may be a choice of kinds. `low` is the place where the holder wants the
/// run to begin, where wilds leave a choice.
#[must_use]
pub fn judge(
    law: &Law,
    slot: &[Want],
    cards: &[Face],
    low: Option<u8>,
    at_least: bool,
) -> (Judgement, Option<Said>) {
    if cards.is_empty() {
        return (Judgement::Empty, None);
    }
    let mut wrong = None;
    for want in slot {
        let size = usize::from(want.size);
        if cards.len() < size && on_the_way(law, want, cards) {
            return (Judgement::Needs(size - cards.len()), None);
        }
        let said = said(law, want, cards, low);
        let meld = match law.place(&said, want.suits) {
            Ok(meld) => meld,
            Err(refusal) => {
                wrong.get_or_insert((Judgement::Wrong(refusal.text), None));
                continue;
            }
        };
        if cards.len() < size {
            return (Judgement::Needs(size - cards.len()), None);
        }
        if cards.len() > size && !at_least {
            wrong.get_or_insert((Judgement::Wrong(t!("stage.too_many", n = size)), None));
            continue;
        }
        match law.judge(&meld) {
            Ok(()) => {
                // What each wild stands for is said outright, so that the server reads it as it is shown here.
                let said = meld.said();
                return (Judgement::Good(meld), Some(said));
            }
            Err(refusal) => {
                wrong.get_or_insert((Judgement::Wrong(refusal.text), None));
            }
        }
    }
    wrong.unwrap_or((Judgement::Empty, None))
}

/// Whether these cards can grow into a run of the wanted size: naturals of one suit, no two alike, close enough together.
fn on_the_way(law: &Law, want: &Want, cards: &[Face]) -> bool {
    if want.kind != Kind::Run || want.suits != Suits::One {
        return false;
    }
    let naturals: Vec<Face> = cards.iter().copied().filter(|c| !law.is_wild(*c)).collect();
    (law.first()..=law.last().saturating_sub(want.size - 1)).any(|low| {
        let mut window: Vec<u8> = (low..low + want.size).map(|p| law.rank_at(p)).collect();
        naturals.iter().all(|c| {
            c.suit() == naturals[0].suit()
                && window.iter().position(|&r| r == c.rank()).map(|at| window.swap_remove(at)).is_some()
        })
    })
}

/// The cards as a meld of this kind is said: those of a run ascending, wilds where they are wanted.
fn said(law: &Law, want: &Want, cards: &[Face], low: Option<u8>) -> Said {
    let plain =
        |cards: Vec<Face>| Said { kind: want.kind, cards: cards.into_iter().map(SaidCard::from).collect() };
    if want.kind != Kind::Run {
        return plain(cards.to_vec());
    }
    if let Some(said) = low.and_then(|low| run_from(law, want.suits, cards, low)) {
        return said;
    }
    let (mut naturals, wilds): (Vec<Face>, Vec<Face>) = cards.iter().partition(|c| !law.is_wild(**c));
    cards::list::sort_by_key(&mut naturals, |c| c.rank());
    // A run begins behind the widest gap: an ace goes to whichever end has its neighbours, and a run may go round the corner.
    let gap = |i: usize| {
        let before = naturals[(i + naturals.len() - 1) % naturals.len()].rank();
        (naturals[i].rank() + law.ranks - before) % law.ranks
    };
    let first = (0..naturals.len()).rev().max_by_key(|&i| gap(i)).unwrap_or(0);
    naturals.rotate_left(first);
    plain(naturals.into_iter().chain(wilds).collect())
}

/// The cards as a run that begins at `low`, wilds in the places that are left; none if that cannot be.
#[must_use]
pub fn run_from(law: &Law, suits: Suits, cards: &[Face], low: u8) -> Option<Said> {
    if suits != Suits::One || low < law.first() {
        return None;
    }
    let high = low + cards.len() as u8 - 1;
    if high > law.last() {
        return None;
    }
    let naturals: Vec<Face> = cards.iter().copied().filter(|c| !law.is_wild(*c)).collect();
    let mut wilds: Vec<Face> = cards.iter().copied().filter(|c| law.is_wild(*c)).collect();
    let suit = naturals.first()?.suit();
    let mut rest = naturals;
    let mut out = Vec::with_capacity(cards.len());
    for position in low..=high {
        let face = Face::new(suit, law.rank_at(position));
        if let Some(at) = rest.iter().position(|c| *c == face) {
            out.push(SaidCard::from(rest.swap_remove(at)));
        } else {
            out.push(SaidCard { card: wilds.pop()?, stands: Some(face) });
        }
    }
    rest.is_empty().then_some(Said { kind: Kind::Run, cards: out })
}

/// The places where a run of these cards could begin: more than one where wilds leave a choice.
#[must_use]
pub fn beginnings(law: &Law, want: &Want, cards: &[Face]) -> Vec<u8> {
    if want.kind != Kind::Run || cards.len() < 2 {
        return Vec::new();
    }
    (law.first()..=law.ranks)
        .filter(|&low| {
            run_from(law, want.suits, cards, low)
                .and_then(|said| law.place(&said, want.suits).ok())
                .is_some_and(|meld| law.judge(&meld).is_ok())
        })
        .collect()
}

/// Whether contract melds may be longer than their slots, or the surplus counts as laid off at once.
fn longer(law: &Law) -> bool {
    !law.exact || law.all || law.same_turn
}

impl Rummy {
    /// The slots of the contract that is prepared for: the first alternative that has as many slots as are in use.
    pub fn slots(self) -> Vec<Choice> {
        self.with_law(|law| law.contracts.first().cloned().unwrap_or_default())
    }

    /// The cards prepared for a slot.
    pub fn staged(self, slot: usize) -> Vec<Face> {
        self.hand.rack.with(|rack| rack.at(Spot::Stage(slot as u8)).iter().map(|c| c.face).collect())
    }

    /// How a slot stands.
    pub fn judged(self, slot: usize) -> (Judgement, Option<Said>) {
        let cards = self.staged(slot);
        let low = self.lows.with(|l| l.get(&slot).copied());
        self.with_law(|law| {
            let wants = law.contracts.first().and_then(|c| c.get(slot)).cloned().unwrap_or_default();
            judge(law, &wants, &cards, low, longer(law))
        })
    }

    /// The whole contract as prepared, if every slot has something that will do.
    pub fn prepared(self) -> Option<Vec<Said>> {
        let slots = self.slots().len();
        let said: Vec<Said> = (0..slots).map_while(|n| self.judged(n).1).collect();
        (slots > 0 && said.len() == slots).then_some(said)
    }

    /// Whether the whole contract would be accepted as prepared, or why not.
    pub fn contract_fault(self) -> Option<String> {
        let said = self.prepared()?;
        let held = self.seen.with(|s| s.hand.len());
        self.with_law(|law| law.judge_contract(&said, held).err().map(|r| r.text))
    }

    /// The first slot that these cards would help, preferring one that they fill.
    pub fn slot_for(self, cards: &[Face]) -> Option<usize> {
        let slots = self.slots().len();
        let mut best: Option<(usize, usize)> = None;
        for slot in 0..slots {
            let mut all = self.staged(slot);
            let had = all.len();
            all.extend_from_slice(cards);
            let verdict = self.with_law(|law| {
                let wants = law.contracts.first().and_then(|c| c.get(slot)).cloned().unwrap_or_default();
                judge(law, &wants, &all, None, longer(law)).0
            });
            let rank = match verdict {
                Judgement::Good(_) => 3 + usize::from(had > 0),
                Judgement::Needs(_) if had > 0 => 2,
                Judgement::Needs(_) => 1,
                _ => 0,
            };
            if rank > 0 && best.is_none_or(|(r, _)| rank > r) {
                best = Some((rank, slot));
            }
        }
        best.map(|(_, slot)| slot)
    }

    /// What the contract still lacks, in words.
    pub fn lacking(self) -> String {
        let slots = self.slots().len();
        let done = (0..slots).filter(|&n| matches!(self.judged(n).0, Judgement::Good(_))).count();
        if done == slots && slots > 0 {
            return match self.contract_fault() {
                None => t!("stage.complete"),
                Some(why) => why,
            };
        }
        t!("stage.done", done = done, n = slots)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::rules::RunAce;

    fn law() -> Law {
        let rules = rulebook::preset("contract").unwrap().rules(4).unwrap();
        match &*rules {
            rulebook::Rules::Contract(rules) => rules.law(1),
            rulebook::Rules::Pattern(_) => unreachable!("contract is no pattern game"),
        }
    }

    fn faces(text: &str) -> Vec<Face> {
        text.split_whitespace().map(|t| t.parse().unwrap()).collect()
    }

    /// Round two of the base game: a group of three and a run of four.
    fn check(slot: usize, cards: &str) -> Judgement {
        let law = law();
        assert_eq!(law.ace, RunAce::Both);
        judge(&law, &law.contracts[0][slot], &faces(cards), None, false).0
    }

    #[test]
    fn prepared_cards_are_judged_as_they_come() {
        let (group, run) = (0, 1);
        assert_eq!(check(group, ""), Judgement::Empty);
        assert_eq!(check(group, "5H 5D"), Judgement::Needs(1));
        assert!(matches!(check(group, "5H JK 5D"), Judgement::Good(_)));
        assert!(matches!(check(group, "5H 6D"), Judgement::Wrong(_)));
        assert!(matches!(check(group, "5H 5D 5S 5C"), Judgement::Wrong(_)));
        assert_eq!(check(run, "6H 4H"), Judgement::Needs(2));
        assert_eq!(check(run, "AH JH JK"), Judgement::Needs(1));
        assert!(matches!(check(run, "9H 4H"), Judgement::Wrong(_)));
        assert!(matches!(check(run, "7H 4H 6H 5H"), Judgement::Good(_)));
        assert!(matches!(check(run, "QH AH KH JH"), Judgement::Good(_)));
        assert!(matches!(check(run, "2H AH 3H 4H"), Judgement::Good(_)));
        assert!(matches!(check(run, "7H 4H 6S 5H"), Judgement::Wrong(_)));
    }

    /// The nine rounds of the game whose runs go round the corner begin with a group; the third asks for two runs.
    #[test]
    fn runs_go_round_the_corner_where_they_may() {
        let rules = rulebook::preset("carioca").unwrap().rules(4).unwrap();
        let rulebook::Rules::Contract(rules) = &*rules else { panic!("carioca is no pattern game") };
        let law = rules.law(2);
        let want = law.contracts[0][0][0];
        let text = |cards: &str, low| match judge(&law, &[want], &faces(cards), low, false).0 {
            Judgement::Good(meld) => meld.text(&law.pack),
            other => format!("{other:?}"),
        };
        assert_eq!(text("2H KH AH QH", None), "R[QH KH AH 2H]");
        assert_eq!(text("3H AH 2H KH", None), "R[KH AH 2H 3H]");
        assert_eq!(text("AH JH QH KH", None), "R[JH QH KH AH]");
        assert_eq!(text("4H 3H 2H AH", None), "R[AH 2H 3H 4H]");
        assert_eq!(text("2H JK KH AH", Some(12)), "R[JK=QH KH AH 2H]");
        assert_eq!(beginnings(&law, &want, &faces("2H JK KH AH")), [12, 13]);
        assert_eq!(text("2H KH", None), "Needs(2)");
    }

    #[test]
    fn a_wild_at_the_end_of_a_run_leaves_a_choice() {
        let law = law();
        let want = law.contracts[0][1][0];
        assert_eq!(beginnings(&law, &want, &faces("5H 6H 7H JK")), [4, 5]);
        assert_eq!(beginnings(&law, &want, &faces("5H 6H 8H JK")), [5]);
        let low = judge(&law, &[want], &faces("5H 6H 7H JK"), Some(4), false).0;
        let Judgement::Good(meld) = low else { panic!("{low:?}") };
        assert_eq!(meld.text(&law.pack), "R[JK=4H 5H 6H 7H]");
    }
}
