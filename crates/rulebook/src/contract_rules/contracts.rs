//! Whether the contracts of a rule file can be laid: its slots (V4), the melds of one contract beside each other (V5), and room for a whole
//! hand (V7).

use super::{Book, Round};
use crate::bounds::shown;
use crate::fault::Found;
use contract::meld::{Kind, Suits};
use contract::rules::{Choice, Slot};
use game::{Say, say};

/// What is wrong, and what mends it.
type Wrong = (Say, Say);

/// What melds are made from.
struct Pack {
    ranks: Vec<String>,
    suits: i64,
    /// Packs with the number of players that has fewest.
    decks: i64,
    /// Jokers of these packs that are wild.
    jokers: i64,
    /// Ranks that make somebody lose a turn.
    skips: Vec<String>,
}

/// What is wild in a round.
struct Wilds {
    /// How many cards.
    cards: i64,
    /// Ranks that never stand for themselves.
    only: Vec<String>,
    /// Kinds of melds that may hold them.
    kinds: Vec<String>,
}

impl Book {
    /// V4 and V5: each slot, and each contract.
    pub(super) fn check_contracts(&self, faults: &mut Found) {
        let pack = self.melded_pack();
        for round in &self.rounds {
            let wilds = self.wilds_of(round, &pack);
            for slot in round.contracts.iter().flatten().flat_map(|choice| &choice.0) {
                if let Err((reason, remedy)) = self.can_be_filled(slot, round, &pack, &wilds) {
                    let reason = say!("fault.round", round = round.number, reason = reason);
                    faults.push(self.fault(&round.place, "V4", reason, remedy));
                }
            }
            for contract in &round.contracts {
                for (reason, remedy) in self.wrong_together(contract, round, &pack) {
                    faults.push(self.fault(&round.place, "V5", reason, remedy));
                }
            }
        }
    }

    fn melded_pack(&self) -> Pack {
        let fewest = self.players().min_by_key(|&n| self.decks(n)).unwrap_or(2);
        Pack {
            ranks: self.texts("deck.ranks", None),
            suits: self.texts("deck.suits", None).len() as i64,
            decks: self.decks(fewest),
            jokers: if self.skips_jokers() { 0 } else { self.jokers(fewest) },
            skips: self.texts("skip.cards", None),
        }
    }

    fn wilds_of(&self, round: &Round, pack: &Pack) -> Wilds {
        let natural = self.bool("wild.natural_in_place", Some(round));
        Wilds {
            cards: pack.jokers + pack.decks * self.wilds_of_a_pack(round, pack.suits),
            only: if natural { Vec::new() } else { self.texts("wild.ranks", Some(round)) },
            kinds: self.texts("wild.kinds", Some(round)),
        }
    }

    /// V4: some cards of the pack fill the slot.
    fn can_be_filled(&self, slot: &Slot, round: &Round, pack: &Pack, wild: &Wilds) -> Result<(), Wrong> {
        let of = Some(round);
        let (size, suits) = (i64::from(slot.size), pack.suits);
        let longest = self.longest_run(round, pack);
        if slot.kind == Kind::Run && size > longest {
            return Err((say!("fault.long_run", size = size, most = longest), say!("remedy.long_run")));
        }
        let group_max = self.int("group.max", of);
        if slot.kind == Kind::Group && group_max > 0 && size > group_max {
            return Err((
                say!("fault.large_group", size = size, most = group_max),
                say!("remedy.large_group"),
            ));
        }
        if let Some(rank) = &slot.rank
            && !pack.ranks.iter().any(|name| slot.names(name))
        {
            return Err((
                say!("fault.slot_rank", rank = shown(rank)),
                say!("remedy.slot_rank", ranks = pack.ranks.join(" ")),
            ));
        }
        let distinct = of_a_rank(slot) && (slot.distinct || self.bool("group.distinct_suits", of));
        let naturals = self.naturals_for(slot, round, pack, wild, distinct);
        let wilds = self.wilds_for(slot, round, wild);
        if naturals + wilds < size {
            let kind = slot.kind.say();
            return Err((
                say!("fault.few_cards", kind = kind, size = size, naturals = naturals, wilds = wilds),
                say!("remedy.few_cards"),
            ));
        }
        if distinct && size > suits {
            return Err((
                say!("fault.large_group", size = size, most = suits),
                say!("remedy.distinct_suits"),
            ));
        }
        let least = self.int("wild.min_naturals", of);
        let naturals = if slot.kind == Kind::Run { size } else { naturals };
        if self.most_cards(slot, round, pack).is_some_and(|most| most < least) || naturals < least {
            return Err((
                say!("fault.least_naturals", kind = slot.kind.say(), size = size, n = least),
                say!("remedy.least_naturals"),
            ));
        }
        Ok(())
    }

    /// The most naturals that may lie in a meld for this slot, of a run no more than it asks for.
    fn naturals_for(&self, slot: &Slot, round: &Round, pack: &Pack, wild: &Wilds, distinct: bool) -> i64 {
        let Pack { ranks, suits, decks, skips, .. } = pack;
        let named = |names: &[String]| names.iter().any(|name| slot.names(name));
        let melded = ranks.iter().filter(|rank| !skips.contains(rank)).count() as i64;
        match slot.kind {
            Kind::Run => i64::from(slot.size) - self.places_of_skips(slot.size, round, ranks, skips),
            Kind::Flush if slot.suits == Suits::Colour && *suits == 4 => 2 * melded * decks,
            Kind::Flush => melded * decks,
            _ if named(skips) || named(&wild.only) || melded == 0 => 0,
            _ if distinct => *suits,
            _ => suits * decks,
        }
    }

    /// The most wilds that may lie in a meld for this slot.
    fn wilds_for(&self, slot: &Slot, round: &Round, wild: &Wilds) -> i64 {
        let cap = self.int("wild.max_per_meld", Some(round));
        let wilds =
            if wild.kinds.iter().any(|kind| kind.starts_with(slot.kind.letter())) { wild.cards } else { 0 };
        let wilds = if cap > 0 { wilds.min(cap) } else { wilds };
        slot.wilds.map_or(wilds, |most| wilds.min(i64::from(most)))
    }

    /// V5: the melds of a contract can lie beside each other.
    fn wrong_together(&self, contract: &[Choice], round: &Round, pack: &Pack) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        let number = round.number;
        let all = |which: &dyn Fn(&Slot) -> bool| {
            contract.iter().filter(|choice| choice.0.iter().all(which)).count() as i64
        };
        let runs = all(&|slot| slot.kind == Kind::Run && slot.suits == Suits::One);
        let each = self.int("run.per_suit", Some(round));
        if each > 0 && each * pack.suits < runs {
            let most = each * pack.suits;
            wrong.push((
                say!("fault.many_runs", round = number, n = runs, each = each, most = most),
                say!("remedy.many_runs"),
            ));
        }
        if !self.bool("group.distinct_ranks", Some(round)) {
            return wrong;
        }
        let (groups, ranks) = (all(&of_a_rank), pack.ranks.len() as i64);
        if groups > ranks {
            wrong.push((
                say!("fault.many_groups", round = number, n = groups, ranks = ranks),
                say!("remedy.many_groups"),
            ));
        }
        let twice = |name: &&String| all(&|slot| of_a_rank(slot) && slot.names(name)) > 1;
        if let Some(rank) = pack.ranks.iter().find(twice) {
            wrong.push((
                say!("fault.rank_twice", round = number, rank = shown(rank)),
                say!("remedy.many_groups"),
            ));
        }
        wrong
    }

    /// V7: where the whole hand must go, no contract's melds have room for it, so nobody is ever down.
    pub(super) fn check_room(&self, warnings: &mut Found) {
        let whole = |round: &&Round| {
            self.bool("meld.all", Some(round)) && self.text("meld.size", Some(round)) == "at-least"
        };
        let pack = self.melded_pack();
        for round in self.rounds.iter().filter(whole) {
            let room = |contract: &Vec<Choice>| -> Option<i64> {
                let of_choice = |choice: &Choice| {
                    let slots = choice.0.iter().map(|slot| self.most_cards(slot, round, &pack));
                    slots.collect::<Option<Vec<i64>>>().and_then(|most| most.into_iter().max())
                };
                contract.iter().map(of_choice).sum()
            };
            let Some(most) = round.contracts.iter().map(room).collect::<Option<Vec<i64>>>() else { continue };
            let most = most.into_iter().max().unwrap_or(0);
            let drawn = self.int("draw.cards", Some(round));
            let hands = self.players().map(|n| self.hand(round, n) + drawn);
            if let Some(hand) = hands.filter(|&hand| hand > most).max() {
                warnings.push(self.fault(
                    &round.place,
                    "V7",
                    say!("fault.no_room", round = round.number, hand = hand, most = most),
                    say!("remedy.no_room"),
                ));
            }
        }
    }

    /// The most cards of a meld that is laid for this slot; none where only the pack is its limit.
    fn most_cards(&self, slot: &Slot, round: &Round, pack: &Pack) -> Option<i64> {
        let of = Some(round);
        match slot.kind {
            Kind::Pair => Some(2),
            _ if self.text("meld.size", of) == "exact" => Some(slot.size.into()),
            Kind::Run => Some(self.longest_run(round, pack)),
            Kind::Group => Some(self.int("group.max", of)).filter(|&most| most > 0),
            Kind::Flush => None,
        }
    }

    /// How many places of a run only wilds fill, as their ranks make somebody lose a turn: the fewest, wherever it begins.
    fn places_of_skips(&self, size: u8, round: &Round, ranks: &[String], skips: &[String]) -> i64 {
        let of = ranks.len();
        let (first, places) = match self.text("run.ace", Some(round)) {
            "both" => (0, of + 1),
            "high" => (1, of),
            "low" => (0, of),
            _ => (0, 2 * of - 1),
        };
        let skip: Vec<bool> = (first..first + places).map(|at| skips.contains(&ranks[at % of])).collect();
        let windows = skip.windows(size.into()).map(|run| run.iter().filter(|&&skip| skip).count());
        windows.min().unwrap_or(0) as i64
    }

    /// How many cards of a pack are wild in a round, with those that the upcard or the dealer makes so.
    fn wilds_of_a_pack(&self, round: &Round, suits: i64) -> i64 {
        let of = Some(round);
        let upcard = self.bool("wild.upcard", of) && self.bool("deal.upcard", of);
        let turned = usize::from(upcard || self.bool("wild.named", of));
        let ranks = self.texts("wild.ranks", of).len() + turned;
        ranks as i64 * suits + self.texts("wild.faces", of).len() as i64
    }

    /// The most cards of a run.
    fn longest_run(&self, round: &Round, pack: &Pack) -> i64 {
        let (of, ranks) = (Some(round), pack.ranks.len() as i64);
        match (self.text("run.ace", of), self.int("run.max", of)) {
            ("both", 0) => ranks + 1,
            ("both", max) => max.min(ranks + 1),
            (_, 0) => ranks,
            (_, max) => max.min(ranks),
        }
    }
}

/// Whether the cards of a meld for this slot are all of one rank.
fn of_a_rank(slot: &Slot) -> bool {
    matches!(slot.kind, Kind::Group | Kind::Pair)
}
