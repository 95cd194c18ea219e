//! What a player puts together before laying it: the melds of a contract, or a further one.

use crate::command::Command;
use crate::hand::FaceSet;
use crate::meld::{Choice, Judgement, Kind, Law, Prepared, Suits, Want};
use crate::view::View;
use cards::Face;
use game::{Refusal, say};

/// Alternatives of a contract among which the nearest is looked for; of more, the first so many.
const MOST_ALTERNATIVES: usize = 64;
/// Piles of a preparation that are looked at.
const MOST_PILES: usize = 32;

/// The melds of a contract as a player prepares them. Nothing of it lies on the table, and nobody else knows of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preparation {
    /// The contract prepared for, as a place in the rules' list, where the first to meld picks it; else it is known.
    pub contract: Option<u16>,
    /// The cards of each meld, in any order.
    pub piles: Vec<Prepared>,
}

/// How a preparation stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Staged {
    /// The contract it is for, as a place in the rules' list.
    pub contract: u16,
    /// That of the contract's alternatives to which the cards come nearest.
    pub alternative: usize,
    /// Number of its slots.
    pub slots: usize,
    /// The melds, piles in their order: as many as the alternative of the most slots has, or more where there are too many.
    pub melds: Vec<StagedMeld>,
    /// Fewest cards that are missing.
    pub missing: usize,
    /// Once every slot is filled, the act that lays the contract, or what forbids it, whoever's turn it is.
    pub whole: Option<Result<Command, Refusal>>,
}

/// How one meld of a preparation stands.
#[derive(Clone, Debug, PartialEq)]
pub struct StagedMeld {
    /// What its slot asks for; empty where there is no slot left for it.
    pub slot: Choice,
    /// How its cards stand to that.
    pub judged: Judgement,
    /// The positions where its run could begin, where its wilds leave a choice.
    pub beginnings: Vec<u8>,
    /// Whether a wild would bring it nearer, in a game that has any.
    pub wild: bool,
}

impl Staged {
    /// Number of slots that are filled.
    #[must_use]
    pub fn done(&self) -> usize {
        self.melds.iter().filter(|meld| matches!(meld.judged, Judgement::Good(_))).count()
    }
}

/// Judges the piles of a preparation, each against each sort of slot once.
struct Matcher<'a> {
    law: &'a Law,
    /// Most slots of an alternative.
    most: usize,
    piles: &'a [Prepared],
    known: Vec<(usize, &'a Choice, Judgement)>,
}

/// A preparation against one alternative: which slot each pile is for, and how it stands to it.
struct Matched {
    slots: Vec<Option<usize>>,
    judged: Vec<Judgement>,
    wrong: usize,
    missing: usize,
}

impl<'a> Matcher<'a> {
    fn judge(&mut self, pile: usize, slot: &'a Choice) -> Judgement {
        if let Some((.., judged)) = self.known.iter().find(|(at, to, _)| *at == pile && *to == slot) {
            return judged.clone();
        }
        let judged =
            self.piles.get(pile).map_or(Judgement::Empty, |pile| self.law.judge_prepared(slot, pile));
        self.known.push((pile, slot, judged.clone()));
        judged
    }

    fn fits(&mut self, pile: usize, slot: &'a Choice) -> bool {
        !matches!(self.judge(pile, slot), Judgement::Wrong(_))
    }

    /// Finds a slot for each pile: one that names a rank before others, its own where that will do, else the first that will,
    /// else any.
    fn matched(&mut self, alternative: usize) -> Matched {
        let wanted = &self.law.contracts[alternative];
        let last = self.piles.iter().rposition(|pile| !pile.cards.is_empty()).map_or(0, |at| at + 1);
        let boxes = last.max(self.most);
        let mut slots: Vec<Option<usize>> = vec![None; boxes];
        let mut free = vec![true; wanted.len()];
        let full: Vec<usize> = (0..last).filter(|&at| !self.piles[at].cards.is_empty()).collect();
        let named = |at: usize| wanted[at].iter().all(|want| want.rank > 0);
        for (ranked, own) in [(true, true), (true, false), (false, true), (false, false)] {
            for &pile in &full {
                if slots[pile].is_none() {
                    let fitting = (0..wanted.len()).find(|&at| {
                        let looked_at = free[at] && (at == pile || !own) && (named(at) || !ranked);
                        looked_at && self.fits(pile, &wanted[at])
                    });
                    slots[pile] = fitting.inspect(|&at| free[at] = false);
                }
            }
        }
        // What fits nowhere is told so by its own slot, or the next that is left; the others stay empty.
        for pile in full.iter().copied().chain((0..boxes).filter(|at| !full.contains(at))) {
            if slots[pile].is_none() {
                let left = Some(pile).filter(|&at| free.get(at) == Some(&true));
                slots[pile] =
                    left.or_else(|| free.iter().position(|&free| free)).inspect(|&at| free[at] = false);
            }
        }
        let least = |slot: &Choice| slot.iter().map(|want| usize::from(want.size)).min().unwrap_or(0);
        let (mut judged, mut wrong, mut missing) = (Vec::with_capacity(boxes), 0, 0);
        for (pile, slot) in slots.iter().enumerate() {
            let now = match slot {
                Some(at) => self.judge(pile, &wanted[*at]),
                None if self.piles.get(pile).is_none_or(|pile| pile.cards.is_empty()) => Judgement::Empty,
                None => Judgement::Wrong(self.law.another_contract(wanted)),
            };
            match &now {
                Judgement::Empty => missing += slot.map_or(0, |at| least(&wanted[at])),
                Judgement::Needs { cards, .. } => missing += cards,
                Judgement::Good(_) => {}
                Judgement::Wrong(_) => wrong += 1,
            }
            judged.push(now);
        }
        Matched { slots, judged, wrong, missing }
    }
}

impl View {
    /// The contract that a preparation is for: the one picked where that may be, else the first that is left.
    fn contract_of(&self, preparation: &Preparation) -> u16 {
        let left = self.contracts_left();
        let picked = preparation.contract.filter(|picked| left.contains(picked));
        picked.or(left.first().copied()).unwrap_or_else(|| self.contract())
    }

    /// How a preparation stands: what each of its melds still needs, and whether the whole would be accepted.
    #[must_use]
    pub fn staged(&self, preparation: &Preparation) -> Staged {
        let contract = self.contract_of(preparation);
        let law = &self.compiled.laws[usize::from(contract)];
        let piles = &preparation.piles[..preparation.piles.len().min(MOST_PILES)];
        let alternatives = &law.contracts[..law.contracts.len().min(MOST_ALTERNATIVES)];
        let most = alternatives.iter().map(Vec::len).max().unwrap_or(0);
        let mut matcher = Matcher { law, most, piles, known: Vec::new() };
        let nearest = (0..alternatives.len())
            .map(|at| (at, matcher.matched(at)))
            .min_by_key(|(at, matched)| (matched.wrong, matched.missing, *at));
        let Some((alternative, matched)) = nearest else {
            return Staged { contract, alternative: 0, slots: 0, melds: Vec::new(), missing: 0, whole: None };
        };
        let wanted = &law.contracts[alternative];
        let mut said = vec![None; wanted.len()];
        let mut melds = Vec::with_capacity(matched.slots.len());
        for (pile, (slot, judged)) in matched.slots.into_iter().zip(matched.judged).enumerate() {
            let (mut beginnings, choice) =
                (Vec::new(), slot.map(|at| wanted[at].clone()).unwrap_or_default());
            if let (Judgement::Good(meld), Some(slot)) = (&judged, slot) {
                if meld.is_run() {
                    beginnings = law.beginnings(&choice, &piles[pile].cards);
                }
                // What each wild stands for is said outright, so that it is read as it is shown.
                said[slot] = Some(meld.said());
            }
            let wild = self.wild_helps(law, &choice, piles.get(pile), &judged);
            melds.push(StagedMeld { slot: choice, judged, beginnings, wild });
        }
        let said: Option<Vec<_>> = said.into_iter().collect();
        let fits = matched.wrong == 0 && !wanted.is_empty();
        let whole = said.filter(|_| fits).and_then(|melds| {
            let picked = self.compiled.picks().then(|| self.compiled.round(contract).number);
            let judged = self.seat_judge()?.contract(picked, &melds);
            Some(judged.map(|_| Command::Meld { contract: picked, melds }))
        });
        Staged { contract, alternative, slots: wanted.len(), melds, missing: matched.missing, whole }
    }

    /// Whether a wild, if the pack has any, brings cards nearer to what a slot asks for.
    fn wild_helps(&self, law: &Law, slot: &Choice, pile: Option<&Prepared>, judged: &Judgement) -> bool {
        let (Judgement::Needs { cards: missing, .. }, Some(pile)) = (judged, pile) else { return false };
        let jokers = self.compiled.rules.settings.deck.jokers > 0;
        let Some(wild) = FaceSet(law.wild).faces().find(|face| jokers || !face.is_joker()) else {
            return false;
        };
        let mut with = pile.clone();
        with.cards.push(wild);
        match law.judge_prepared(slot, &with) {
            Judgement::Good(_) => true,
            Judgement::Needs { cards, .. } => cards < *missing,
            Judgement::Empty | Judgement::Wrong(_) => false,
        }
    }

    /// The pile of a preparation to which these cards are best added: one that they fill, before one that they bring on.
    #[must_use]
    pub fn pile_for(&self, preparation: &Preparation, cards: &[Face]) -> Option<usize> {
        let law = &self.compiled.laws[usize::from(self.contract_of(preparation))];
        let now = self.staged(preparation).alternative;
        let mut best: Option<(usize, usize)> = None;
        let mut with = preparation.clone();
        let others = (0..law.contracts.len().min(MOST_ALTERNATIVES)).filter(|&at| at != now);
        for alternative in std::iter::once(now).chain(others) {
            for (at, slot) in law.contracts.get(alternative)?.iter().enumerate().take(MOST_PILES) {
                if with.piles.len() <= at {
                    with.piles.resize(at + 1, Prepared::default());
                }
                let had = with.piles[at].cards.len();
                with.piles[at].cards.extend_from_slice(cards);
                let rank = match law.judge_prepared(slot, &with.piles[at]) {
                    Judgement::Good(_) => 3 + usize::from(had > 0),
                    Judgement::Needs { .. } => 1 + usize::from(had > 0),
                    Judgement::Empty | Judgement::Wrong(_) => 0,
                };
                with.piles[at].cards.truncate(had);
                if rank > 0 && best.is_none_or(|(most, _)| rank > most) {
                    best = Some((rank, at));
                }
            }
            if best.is_some() {
                break;
            }
        }
        best.map(|(_, at)| at)
    }

    /// The act that lays these cards as a further meld, once down, where the game has them.
    ///
    /// # Errors
    /// What forbids it.
    pub fn further(&self, prepared: &Prepared) -> Result<Command, Refusal> {
        let Some(judge) = self.seat_judge() else { return Err(say!("no.spectators").into()) };
        judge.may_meld()?;
        let (law, set) = (self.law(), self.compiled.set(self.contract()));
        let mut first = None;
        for (kind, size) in [(Kind::Group, set.group.min), (Kind::Run, set.run.min)] {
            let want = Want { kind, size, wilds: u8::MAX, distinct: false, suits: Suits::One, rank: 0 };
            let said = law.as_said(&want, prepared);
            // What each wild stands for is said outright.
            let melds = law.place(&said, Suits::One).map_or_else(|_| vec![said], |meld| vec![meld.said()]);
            match judge.extra(&melds) {
                Ok(_) => return Ok(Command::Meld { contract: None, melds }),
                Err(why) => first.get_or_insert(why),
            };
        }
        Err(first.unwrap_or_else(|| say!("no_contract.no_further_meld").into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Hand;
    use crate::meld::Suits;
    use crate::rules::Rules;
    use crate::truth::Match;
    use game::{Game, Seat, Viewer};
    use std::sync::Arc;

    fn faces(text: &str) -> Vec<Face> {
        text.split_whitespace().map(|t| t.parse().unwrap()).collect()
    }

    fn want(kind: Kind, size: u8) -> Want {
        Want { kind, size, wilds: u8::MAX, distinct: false, suits: Suits::One, rank: 0 }
    }

    /// A view of the first seat, of a round with these contracts to choose among, who holds these cards.
    fn view(contracts: &[&[Want]], hand: &str) -> View {
        let rules = Arc::new(Rules::contract(3));
        let mut view = Match::open(rules.clone(), 3).unwrap().view(Viewer::Seat(Seat(0)));
        let mut compiled = crate::compiled::CompiledRules::new(rules);
        compiled.laws[0].contracts = contracts
            .iter()
            .map(|slots| slots.iter().map(|&want| std::iter::once(want).collect()).collect())
            .collect();
        view.compiled.0 = Arc::new(compiled);
        view.hand = faces(hand).into_iter().collect::<Hand>();
        view
    }

    /// Piles as `5H 5D | 4H`.
    fn preparation(text: &str) -> Preparation {
        let pile = |text| Prepared { cards: faces(text), low: None };
        Preparation { piles: text.split('|').map(pile).collect(), ..Preparation::default() }
    }

    /// Each meld of a preparation, what is missing, and what becomes of the whole.
    fn told(view: &View, preparation: &Preparation) -> String {
        let staged = view.staged(preparation);
        let pack = &view.compiled.pack;
        let melds = staged.melds.iter().map(|meld| match &meld.judged {
            Judgement::Empty => "-".to_owned(),
            Judgement::Needs { cards, .. } => format!("+{cards}"),
            Judgement::Good(meld) => meld.text(pack),
            Judgement::Wrong(_) => "x".to_owned(),
        });
        let melds = melds.collect::<Vec<_>>().join(" ");
        let whole = match &staged.whole {
            None => format!("{} missing", staged.missing),
            Some(Ok(command)) => command.text(pack, false),
            Some(Err(why)) => why.rules.join(" "),
        };
        format!("{} {melds}: {whole}", staged.alternative + 1)
    }

    #[test]
    fn a_wild_is_spoken_of_where_there_is_one_and_it_helps() {
        let (group, run) = (want(Kind::Group, 3), want(Kind::Run, 4));
        let check = |jokers, slot, pile: &str, expected| {
            let mut view = view(&[&[slot]], "5H 5D 5S JK JK 4H 6H 9C");
            let compiled = Arc::get_mut(&mut view.compiled.0).unwrap();
            Arc::make_mut(&mut compiled.rules).settings.deck.jokers = jokers;
            assert_eq!(view.staged(&preparation(pile)).melds[0].wild, expected, "{pile}");
        };
        check(4, group, "5H 5D", true);
        check(0, group, "5H 5D", false);
        check(4, Want { wilds: 0, ..group }, "5H 5D", false);
        check(4, Want { wilds: 1, ..group }, "5H", true);
        check(4, Want { wilds: 1, ..run }, "5H JK", false);
        check(4, run, "4H 6H", true);
        // Neither what lies there already nor what cannot become a meld asks for one.
        check(4, group, "", false);
        check(4, group, "5H 5D 5S", false);
        check(4, group, "5H 9C", false);
    }

    #[test]
    fn a_preparation_is_for_the_alternative_to_which_it_comes_nearest() {
        let (group, run) = (want(Kind::Group, 3), want(Kind::Run, 4));
        let view = view(&[&[group, group], &[group, run]], "5H 5D 5S 9C 9D 9H 4H 6H 7H 2C");
        let check =
            |piles: &str, expected: &str| assert_eq!(told(&view, &preparation(piles)), expected, "{piles}");
        check("", "1 - -: 6 missing");
        check("5H 5D|", "1 +1 -: 4 missing");
        check("5H 5D 5S|9C 9D 9H", "1 G[5D 5H 5S] G[9C 9D 9H]: meld G[5D 5H 5S] G[9C 9D 9H]");
        check("9C 9D 9H|4H 5H", "2 G[9C 9D 9H] +2: 2 missing");
        // Piles may lie in any order; the melds are sent in the order of the contract.
        check("4H 5H 6H 7H|9C 9D 9H", "2 R[4H 5H 6H 7H] G[9C 9D 9H]: meld G[9C 9D 9H] R[4H 5H 6H 7H]");
        check("4H 5H 6H|9C 9D|2C", "2 +1 +1 x: 2 missing");
        check("4H 9C|", "1 x -: 3 missing");
        // A pile goes to the slot of its rank, wherever it lies.
        let kings = Want { rank: 13, ..group };
        let hand = "5H 5D 5S KC KD KH 9C";
        let view = super::tests::view(&[&[group, kings]], hand);
        assert_eq!(
            told(&view, &preparation("KC KD KH|5H 5D 5S")),
            "1 G[KC KD KH] G[5D 5H 5S]: meld G[5D 5H 5S] G[KC KD KH]"
        );
        assert_eq!(told(&view, &preparation("KC|5H 5D 5S")), "1 +2 G[5D 5H 5S]: 2 missing");
        assert_eq!(told(&view, &preparation("5H 5D 5S|9C")), "1 G[5D 5H 5S] x: 0 missing");
        // Where alternatives are of different lengths there is room for the longest.
        let view = super::tests::view(&[&[run], &[group, group]], "5H 5D 5S 9C 9D 9H 4H 6H 7H");
        assert_eq!(told(&view, &preparation("4H 5H 6H")), "1 +1 -: 1 missing");
        assert_eq!(told(&view, &preparation("4H 5H 6H 7H")), "1 R[4H 5H 6H 7H] -: meld R[4H 5H 6H 7H]");
        assert_eq!(told(&view, &preparation("5H 5D 5S|9C")), "2 G[5D 5H 5S] +2: 2 missing");
    }

    #[test]
    fn what_forbids_the_whole_is_told_whoever_is_to_play() {
        let run = want(Kind::Run, 4);
        let view = view(&[&[run, run]], "4H 5H 6H 7H 8H 9H TH JH 2C");
        assert_eq!(
            told(&view, &preparation("4H 5H 6H 7H|8H 9H TH JH")),
            "1 R[4H 5H 6H 7H] R[8H 9H TH JH]: CR-GAP-1 CR-GAP-2 A-10 A-55"
        );
        // Cards that are not held are not laid.
        assert_eq!(
            told(&view, &preparation("4H 5H 6H 7H|9C TC JC QC")),
            "1 R[4H 5H 6H 7H] R[9C TC JC QC]: RF-2 A-55"
        );
    }

    #[test]
    fn cards_go_to_the_pile_that_they_bring_on_most() {
        let (group, run) = (want(Kind::Group, 3), want(Kind::Run, 4));
        let view = view(&[&[group, run], &[run, run]], "5H 5D 5S 4H 6H 7H");
        let check = |piles: &str, cards: &str, expected: Option<usize>| {
            assert_eq!(view.pile_for(&preparation(piles), &faces(cards)), expected, "{piles} and {cards}");
        };
        check("", "5H 5D", Some(0));
        check("", "4H 6H", Some(1));
        check("5H 5D|", "5S", Some(0));
        check("|4H 5H 6H", "7H", Some(1));
        // The first pile takes a run only in the other alternative.
        check("|4H 5H 6H 7H", "9C TC", Some(0));
        check("5H 5D 5S|4H 5H 6H 7H", "2C", None);
    }
}
