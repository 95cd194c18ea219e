//! The checks V1 to V8 of a contract rule file (contract rulebook, 4.4); what they ask of contracts is beside this.

use super::{Book, Round, STOCK, default, range};
use crate::bounds::shown;
use crate::fault::{Fault, Found, Place};
use crate::layer::Value;
use crate::{card_values, chain};
use contract::options::MELD_KINDS;
use contract::rules::JOKER;
use game::{Say, say};

impl Book {
    pub(super) fn fault(&self, place: &Place, check: &'static str, reason: Say, remedy: Say) -> Fault {
        Fault { place: place.clone(), check, reason, remedy }
    }

    /// Checks V1 (what spans keys) to V8.
    pub fn check(&self, faults: &mut Found, warnings: &mut Found) {
        self.check_file(faults);
        self.check_pack(faults);
        if faults.is_empty() {
            self.check_stock(faults);
            self.check_passing(faults);
            self.check_reach(faults);
            self.check_contracts(faults);
            self.check_values(faults);
            self.check_idle(warnings);
            self.check_idle_passing(warnings);
            self.check_room(warnings);
            self.check_unplayed(warnings);
        }
        for round in &self.rounds {
            // V6
            if self.bool("meld.all", Some(round)) {
                for (key, must) in [("meld.size", "at-least"), ("out.discard", "forbidden")] {
                    let found = self.get(key, Some(round));
                    if found.as_text() != Some(must) {
                        faults.push(self.fault(
                            &round.place,
                            "V6",
                            say!("fault.whole_hand", round = round.number, key = key, value = found.text()),
                            say!("remedy.whole_hand", toml = format!("\"{key}\" = \"{must}\"")),
                        ));
                    }
                }
            }
        }
    }

    /// V1: id, name, players.
    fn check_file(&self, faults: &mut Found) {
        self.chain.check_about(faults);
        let (min, max) = (self.get("players.min", None), self.get("players.max", None));
        if self.players().is_empty() {
            faults.push(self.fault(
                if self.depth(min) > self.depth(max) { &min.place } else { &max.place },
                "V1",
                say!("fault.players", min = min.text(), max = max.text()),
                say!("remedy.fewest"),
            ));
        }
        let rounds = self.get("game.rounds", None);
        if let Value::Array(items) = &rounds.value {
            for item in items {
                if let Value::Int(n) = item.value
                    && !self.rounds.iter().any(|r| r.number as i64 == n)
                {
                    faults.push(self.fault(
                        &item.place,
                        "V1",
                        say!("fault.no_round", n = n),
                        say!("remedy.no_round", n = self.rounds.len()),
                    ));
                }
            }
        }
    }

    /// V1: the pack and what is said in its terms.
    fn check_pack(&self, faults: &mut Found) {
        let (suits, ranks) = (self.texts("deck.suits", None), self.texts("deck.ranks", None));
        self.check_suits(&suits, faults);
        if !self.check_ranks(&ranks, faults) {
            return;
        }
        self.check_wilds(&suits, &ranks, faults);
        if self.get("deck.decks", None).number().is_some_and(|number| number.has_packs()) {
            faults.push(self.fault(
                &self.get("deck.decks", None).place,
                "V1",
                say!("fault.packs_of_packs"),
                say!("remedy.packs_of_packs"),
            ));
            return;
        }
        for n in self.players() {
            self.check_packs_of(n, faults);
            if self.number("deck.decks", None, n).is_some() {
                self.check_deals_of(n, faults);
            }
        }
        let sides = self.int("players.teams", None);
        if sides > 0 && self.players().any(|n| n % sides > 0) {
            let node = self.get("players.teams", None);
            let (reason, remedy) = if sides == 2 {
                (say!("fault.odd_teams"), say!("remedy.odd_teams"))
            } else {
                (say!("fault.odd_threes"), say!("remedy.odd_threes"))
            };
            faults.push(self.fault(&node.place, "V1", reason, remedy));
        }
    }

    /// Whether suits can be told from each other by their initials.
    fn check_suits(&self, suits: &[String], faults: &mut Found) {
        let suits_node = self.get("deck.suits", None);
        if suits.is_empty() || suits.len() > 4 || suits.iter().any(|s| s.is_empty()) {
            faults.push(self.fault(
                &suits_node.place,
                "V1",
                say!("fault.suits", n = suits.len()),
                say!("remedy.suits"),
            ));
        }
        let initials: Vec<Option<char>> =
            suits.iter().map(|s| s.chars().next().map(|c| c.to_ascii_uppercase())).collect();
        for (n, initial) in initials.iter().enumerate() {
            if let Some(twin) = initials[..n].iter().position(|other| other == initial) {
                faults.push(self.fault(
                    &suits_node.place,
                    "V1",
                    say!("fault.same_initial", one = shown(&suits[twin]), two = shown(&suits[n])),
                    say!("remedy.same_initial"),
                ));
            }
        }
    }

    /// Whether these can be the ranks of a pack.
    fn check_ranks(&self, ranks: &[String], faults: &mut Found) -> bool {
        let mut sorted = ranks.to_vec();
        sorted.sort();
        sorted.dedup();
        let odd = |rank: &String| rank.is_empty() || !rank.chars().all(|c| c.is_ascii_alphanumeric());
        if ranks.len() < 3 || ranks.len() > 14 || sorted.len() < ranks.len() || ranks.iter().any(odd) {
            faults.push(self.fault(
                &self.get("deck.ranks", None).place,
                "V1",
                say!("fault.is", key = "deck.ranks", value = self.get("deck.ranks", None).text()),
                say!("remedy.ranks"),
            ));
            return false;
        }
        true
    }

    /// Whether what is wild is there.
    fn check_wilds(&self, suits: &[String], ranks: &[String], faults: &mut Found) {
        let skips = self.texts("skip.cards", None);
        for (key, node) in self.everywhere(&["wild.ranks", "wild.faces", "wild.kinds", "skip.cards"]) {
            let Value::Array(items) = &node.value else { continue };
            for item in items {
                let text = item.as_text().unwrap_or_default();
                let (right, remedy) = match key {
                    "wild.ranks" => {
                        (ranks.iter().any(|r| r == text), say!("remedy.wild_ranks", ranks = ranks.join(" ")))
                    }
                    "wild.kinds" => (MELD_KINDS.contains(&text), say!("remedy.wild_kinds")),
                    "skip.cards" => (
                        text == JOKER || ranks.iter().any(|r| r == text),
                        say!("remedy.skip_cards", ranks = ranks.join(" ")),
                    ),
                    _ => (self.is_face(text, suits, ranks), say!("remedy.wild_faces")),
                };
                if !right {
                    faults.push(self.fault(
                        &item.place,
                        "V1",
                        say!("fault.names_none", key = key, text = shown(text)),
                        remedy,
                    ));
                }
                // The rank of a face is what comes before its suit.
                let suit = text.chars().last().map_or(0, char::len_utf8);
                let rank = if key == "wild.faces" { &text[..text.len() - suit] } else { text };
                let wild = matches!(key, "wild.ranks" | "wild.faces");
                if right && wild && skips.iter().any(|skip| skip == rank) {
                    faults.push(self.fault(
                        &item.place,
                        "V1",
                        say!("fault.wild_and_skip", card = shown(text)),
                        say!("remedy.wild_and_skip"),
                    ));
                }
            }
        }
    }

    /// Whether the numbers of packs and jokers are right for so many players.
    fn check_packs_of(&self, n: i64, faults: &mut Found) {
        for key in ["deck.decks", "deck.jokers"] {
            let ((min, max), node) = (range(key), self.get(key, None));
            match self.number(key, None, n) {
                Some(value) if (min..=max).contains(&value) => {}
                // What is reckoned from the packs fails with them.
                None if key == "deck.jokers" && self.number("deck.decks", None, n).is_none() => {}
                found => {
                    let reason = match found {
                        Some(value) => say!("fault.comes_to", key = key, value = value, n = n),
                        None => say!("fault.comes_to_nothing", key = key, n = n),
                    };
                    let remedy = say!("remedy.comes_to", min = min, max = max);
                    faults.push(self.fault(&node.place, "V1", reason, remedy));
                }
            }
        }
    }

    /// Whether each round's deal is right for so many players.
    fn check_deals_of(&self, n: i64, faults: &mut Found) {
        for round in &self.rounds {
            let node = round.deal.as_ref().unwrap_or_else(|| self.get("deal.cards", Some(round)));
            let hand = self.hand(round, n);
            let (least, most) = range("deal.cards");
            if hand < least {
                faults.push(self.fault(
                    &node.place,
                    "V1",
                    say!("fault.deals_nothing", round = round.number, n = n),
                    say!("remedy.deals_nothing"),
                ));
            } else if hand > most {
                faults.push(self.fault(
                    &node.place,
                    "V1",
                    say!("fault.deals_much", round = round.number, cards = hand, n = n),
                    say!("remedy.deals_much", n = most),
                ));
            }
        }
    }

    fn is_face(&self, text: &str, suits: &[String], ranks: &[String]) -> bool {
        let Some(last) = text.chars().last() else { return false };
        let rank = &text[..text.len() - last.len_utf8()];
        let suit = suits.iter().any(|s| s.chars().next().is_some_and(|c| c.eq_ignore_ascii_case(&last)));
        suit && ranks.iter().any(|r| r == rank)
    }

    /// V2: the stock.
    fn check_stock(&self, faults: &mut Found) {
        // What a table's creator sets need not hold for every number of players: the table refuses those it does not.
        if self.widened() && self.players().any(|n| self.leaves_enough(n)) {
            return;
        }
        // One fault is enough.
        faults.extend(self.players().find_map(|n| self.stock_fault(n)));
    }

    /// V2: why too little is left in the stock with `n` players, in the round that deals most.
    pub fn stock_fault(&self, n: i64) -> Option<Fault> {
        if self.leaves_enough(n) {
            return None;
        }
        let round = self.rounds.iter().rev().max_by_key(|round| self.hand(round, n))?;
        let (hand, pack) = (self.hand(round, n), self.pack(n));
        let deal = round.deal.as_ref().unwrap_or_else(|| self.get("deal.cards", Some(round)));
        // Where the nearest file brought it about: by its deal, its players or its packs.
        let causes = ["players.max", "deck.decks", "deck.jokers"].map(|key| self.get(key, None));
        let node = causes.into_iter().fold(deal, |a, b| if self.depth(b) > self.depth(a) { b } else { a });
        let left = pack - n * hand - 1;
        Some(self.fault(
            &node.place,
            "V2",
            say!("fault.stock", n = n, round = round.number, cards = n * hand, pack = pack, left = left),
            if n > *self.players().start() {
                say!("remedy.stock_or_fewer", n = STOCK, most = n - 1)
            } else {
                say!("remedy.stock", n = STOCK)
            },
        ))
    }

    /// V1: what is passed on is there, and so is who gets it. One fault of each sort is enough: that of the first such round.
    fn check_passing(&self, faults: &mut Found) {
        let sides = self.int("players.teams", None);
        let (mut cards_told, mut to_told) = (false, false);
        for round in self.rounds.iter().filter(|round| self.int("pass.cards", Some(round)) > 0) {
            let cards = self.int("pass.cards", Some(round));
            let short = self.players().find(|&n| self.hand(round, n) < cards).filter(|_| !cards_told);
            if let Some(n) = short {
                cards_told = true;
                let (number, of) = (round.number, self.hand(round, n));
                faults.push(self.fault(
                    &self.get("pass.cards", Some(round)).place,
                    "V1",
                    say!("fault.pass_cards", round = number, of = of, n = n, cards = cards),
                    say!("remedy.pass_cards", n = of),
                ));
            }
            let wrong = match self.text("pass.to", Some(round)) {
                "across" if self.players().any(|n| n % 2 > 0) => {
                    Some((say!("fault.pass_across"), say!("remedy.pass_across")))
                }
                "partner" if sides == 0 || self.players().any(|n| n <= sides) => {
                    Some((say!("fault.pass_partner"), say!("remedy.pass_partner")))
                }
                _ => None,
            };
            if let Some((reason, remedy)) = wrong.filter(|_| !to_told) {
                to_told = true;
                faults.push(self.fault(&self.get("pass.to", Some(round)).place, "V1", reason, remedy));
            }
        }
    }

    /// V7: it is said to whom cards are passed on, but none are.
    fn check_idle_passing(&self, warnings: &mut Found) {
        let said = self.get("pass.to", None);
        let passes = self.rounds.iter().any(|round| self.int("pass.cards", Some(round)) > 0);
        if said.as_text() != Some("left") && !passes {
            warnings.push(self.fault(
                &said.place,
                "V7",
                say!("fault.idle_pass"),
                say!("remedy.write_or_leave", what = "pass.cards = 3", key = "pass.to"),
            ));
        }
    }

    /// V3: each round can be reached.
    fn check_reach(&self, faults: &mut Found) {
        for round in &self.rounds {
            if let Some(n) = self.players().find(|&n| self.takes_needed(round, n).is_none()) {
                let takes = if self.bool("take.on", Some(round)) {
                    let limit = self.int("take.limit", Some(round));
                    say!("fault.reach.takes", n = limit, cards = 1 + self.int("take.penalty", Some(round)))
                } else {
                    say!("fault.reach.no_takes")
                };
                let discard = self.text("out.discard", Some(round)) == "required"
                    && !self.bool("meld.all", Some(round));
                let need = self.need(round);
                let need = if discard {
                    say!("fault.reach.with_discard", n = need)
                } else {
                    say!("fault.reach.cards", n = need)
                };
                faults.push(self.fault(
                    &round.place,
                    "V3",
                    say!(
                        "fault.reach.never",
                        round = round.number,
                        need = need,
                        hand = self.hand(round, n),
                        takes = takes
                    ),
                    say!("remedy.reach"),
                ));
            }
        }
    }

    /// Whether the jokers make somebody lose a turn, and so are not wild.
    pub(super) fn skips_jokers(&self) -> bool {
        self.texts("skip.cards", None).iter().any(|skip| skip == JOKER)
    }

    /// V7: the upcard cannot make its rank wild.
    fn check_idle_turned(&self, warnings: &mut Found) {
        let turned = self.get("wild.upcard", None);
        if turned.value == Value::Bool(true) && !self.bool("deal.upcard", None) {
            warnings.push(self.fault(
                &turned.place,
                "V7",
                say!("fault.idle_turned"),
                say!("remedy.write", what = "deal.upcard = true"),
            ));
        }
        if turned.value == Value::Bool(true) && self.bool("wild.named", None) {
            warnings.push(self.fault(
                &turned.place,
                "V7",
                say!("fault.idle_turned_named"),
                say!("remedy.write", what = "wild.upcard = false"),
            ));
        }
    }

    /// V7: the jokers make nobody lose a turn where there are none.
    fn check_idle_skip(&self, jokers: bool, warnings: &mut Found) {
        if self.skips_jokers() && !jokers {
            warnings.push(self.fault(
                &self.get("skip.cards", None).place,
                "V7",
                say!("fault.idle_skip"),
                say!("remedy.idle_skip"),
            ));
        }
    }

    /// V7: settings that cannot matter.
    fn check_idle(&self, warnings: &mut Found) {
        let packed = self.players().any(|n| self.jokers(n) > 0);
        self.check_idle_skip(packed, warnings);
        let jokers = packed && !self.skips_jokers();
        let reclaim = self.get("wild.reclaim", None);
        let wild = jokers
            || self
                .everywhere(&["wild.ranks", "wild.faces"])
                .iter()
                .any(|(_, node)| node.value != Value::Array(Vec::new()))
            || self
                .everywhere(&["wild.upcard", "wild.named"])
                .iter()
                .any(|(_, node)| node.value == Value::Bool(true));
        if reclaim.as_text() != Some("none") && !wild {
            warnings.push(self.fault(
                &reclaim.place,
                "V7",
                say!("fault.idle_reclaim"),
                say!("remedy.write", what = "wild.reclaim = \"none\""),
            ));
        }
        self.check_idle_turned(warnings);
        if self.bool("game.again", None) {
            let node = self.get("game.again", None);
            if self.int("game.target", None) == 0 {
                warnings.push(self.fault(
                    &node.place,
                    "V7",
                    say!("fault.idle_again_target"),
                    say!("remedy.write", what = "game.target = 500"),
                ));
            } else if self.text("game.progress", None) == "per-player" {
                warnings.push(self.fault(
                    &node.place,
                    "V7",
                    say!("fault.idle_again_alone"),
                    say!(
                        "remedy.write_or",
                        one = "game.again = false",
                        other = "game.progress = \"together\""
                    ),
                ));
            }
        }
        let choice = self.get("game.choice", None);
        if choice.as_text() == Some("any-order") && self.text("game.progress", None) == "together" {
            warnings.push(self.fault(
                &choice.place,
                "V7",
                say!("fault.idle_choice"),
                say!("remedy.write_or_leave", what = "game.progress = \"per-player\"", key = "game.choice"),
            ));
        }
        if matches!(choice.as_text(), Some("dealer" | "last-loser"))
            && self.text("game.progress", None) == "per-player"
        {
            warnings.push(self.fault(
                &choice.place,
                "V7",
                say!("fault.idle_chooser"),
                say!("remedy.write_or_leave", what = "game.progress = \"together\"", key = "game.choice"),
            ));
        }
        let end = self.get("game.end", None);
        if end.as_text() != Some("after-rounds") && self.text("game.progress", None) == "together" {
            warnings.push(self.fault(
                &end.place,
                "V7",
                say!("fault.idle_end"),
                say!("remedy.write_or_leave", what = "game.progress = \"per-player\"", key = "game.end"),
            ));
        }
        for round in std::iter::once(None).chain(self.rounds.iter().map(Some)) {
            if self.bool("layoff.all_down", round) && self.text("layoff.when", round) == "never" {
                warnings.push(self.fault(
                    &self.get("layoff.all_down", round).place,
                    "V7",
                    say!("fault.idle_all_down"),
                    say!("remedy.idle_all_down"),
                ));
                break;
            }
        }
        for round in std::iter::once(None).chain(self.rounds.iter().map(Some)) {
            if self.bool("shanghai.on", round) && self.text("layoff.when", round) == "never" {
                warnings.push(self.fault(
                    &self.get("shanghai.on", round).place,
                    "V7",
                    say!("fault.idle_shanghai"),
                    say!("remedy.idle_shanghai"),
                ));
                break;
            }
        }
    }

    /// V7: rounds that a file writes, and that the games it is based on do not play.
    fn check_unplayed(&self, warnings: &mut Found) {
        let played = &self.get("game.rounds", None);
        let Value::Array(numbers) = &played.value else { return };
        let unplayed =
            |round: &&Round| !numbers.iter().any(|number| number.value == Value::Int(round.number as i64));
        let Some(round) =
            self.rounds.iter().find(unplayed).filter(|round| round.place.file != played.place.file)
        else {
            return;
        };
        warnings.push(self.fault(
            &round.place,
            "V7",
            say!("fault.unplayed", round = round.number, file = played.place.file.to_string()),
            say!("remedy.unplayed"),
        ));
    }

    /// V8: every card has a value; and V1 for what the values name.
    fn check_values(&self, faults: &mut Found) {
        let pack = self.pack_faces();
        // What a file under the one that names the pack says of values is about another pack.
        let packed = |layer: &chain::Layer| layer.get("deck.ranks").or(layer.get("deck.suits")).is_some();
        let first = self.chain.layers.iter().rposition(packed).unwrap_or(0);
        let layers = self.chain.layers[first..].iter().filter_map(|layer| layer.get("score.values"));
        for node in layers.chain(self.rounds.iter().filter_map(|round| round.get("score.values"))) {
            let Value::Table(entries) = &node.value else { continue };
            for (key, value) in entries {
                if let Err((reason, remedy)) = card_values::check(key, value, &pack) {
                    faults.push(self.fault(&value.place, "V1", reason, remedy));
                }
            }
        }
        let wild_ranks = self.wild_ranks();
        let values = self.card_values(&pack, None);
        let mut without: Vec<String> = Vec::new();
        for face in pack.faces() {
            let rank = &pack.ranks[usize::from(face.rank()) - 1];
            if values.of(face, wild_ranks.contains(rank)).is_none() && !without.contains(rank) {
                without.push(rank.clone());
            }
        }
        if self.players().any(|n| self.jokers(n) > 0) && values.of(cards::Face::JOKER, false).is_none() {
            without.push("JK".to_owned());
        }
        if !without.is_empty() {
            let place = self
                .chain
                .layers
                .iter()
                .rev()
                .find_map(|layer| layer.get("score.values"))
                .or_else(|| self.chain.get("deck.ranks"))
                .map_or_else(|| default("score.values").place.clone(), |node| node.place.clone());
            faults.push(self.fault(
                &place,
                "V8",
                say!("fault.no_value", cards = without.join(", ")),
                say!("remedy.no_value", toml = format!("{{ \"{}\" = 10 }}", without[0])),
            ));
        }
    }
}
