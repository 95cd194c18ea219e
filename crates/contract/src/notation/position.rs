//! Positions: `[setup]` in scenario files.

use crate::hand::Hand;
use crate::meld::{DeclaredMeld, Suits};
use crate::state::{Phase, TableMeld, Waiting};
use crate::truth::Match;
use cards::Face;
use game::written::Opening;
use game::{Refusal, Seat};
use serde::Deserialize;
use std::sync::Arc;

/// The `[setup]` table of a scenario file. What is left out is empty, zero, or the rule's default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Position {
    /// P0; by default the player after the dealer.
    pub turn: Option<u8>,
    /// `cut`, `choose` (the cards are dealt, the contract is to be picked), `name` (the dealer is to name what is wild), `pass` (cards are to be passed on), `start` (default), `offer` (P0 has declined), `play`, `shanghai` (P0 has discarded) or `pick`.
    pub phase: Option<String>,
    /// The hand of each seat.
    pub hands: Vec<String>,
    /// The discard pile, top first.
    pub discard: String,
    /// The stock, top first; `...` is every card not named anywhere.
    pub stock: String,
    /// Melds on the table: `SEAT: R[4H 5H JK=6H 7H]`. Their owners are down since an earlier turn.
    pub melds: Vec<String>,
    /// Takes used in this round.
    pub takes: Vec<u8>,
    /// Scores before this round.
    pub scores: Vec<i32>,
    /// Pennies in the kitty.
    pub kitty: i32,
    /// Who claimed the discard, in phase `pick`; by default the player after P0.
    pub claimer: Option<u8>,
    /// How many contracts each seat has laid, where each goes on alone.
    pub progress: Vec<u8>,
    /// Whether Shanghai was called on the top discard.
    pub protected: bool,
    /// The rank that the upcard or the dealer has made wild, where one does.
    pub wild: Option<String>,
}

/// Reads a position; gathers every fault.
struct Reader<'a> {
    game: &'a mut Match,
    faults: Vec<String>,
    /// Cards of the pack not yet placed.
    left: Hand,
}

impl Reader<'_> {
    fn fault(&mut self, text: impl Into<String>) {
        self.faults.push(text.into());
    }

    fn take(&mut self, face: Face, place: &str) {
        if !self.left.remove(face) {
            let text = self.game.compiled.pack.text(face);
            self.fault(format!("{place}: there is no further {text} in the pack"));
        }
    }

    fn cards(&mut self, text: &str, place: &str) -> Vec<Face> {
        match self.game.compiled.pack.parse_all(text) {
            Ok(cards) => {
                cards.iter().for_each(|&card| self.take(card, place));
                cards
            }
            Err(error) => {
                self.fault(format!("{place}: {error}"));
                Vec::new()
            }
        }
    }

    fn meld(&mut self, line: &str) {
        let place = format!("melds: `{line}`");
        let Some((seat, text)) = line.split_once(':') else {
            return self.fault(format!("{place}: write `SEAT: R[4H 5H 6H 7H]`"));
        };
        let Some(owner) = seat.trim().parse().ok().filter(|&s: &u8| s < self.game.flow.seats) else {
            return self.fault(format!("{place}: there is no seat `{}`", seat.trim()));
        };
        let said = match DeclaredMeld::parse(text.trim(), &self.game.compiled.pack) {
            Ok(said) => said,
            Err(error) => return self.fault(format!("{place}: {error}")),
        };
        let law = self.game.flow.law(&self.game.compiled, Seat(owner));
        let mut read = None;
        for suits in [Suits::One, Suits::Colour, Suits::Alternate, Suits::Free] {
            let bound = suits == Suits::One
                || law.contracts.iter().flatten().flatten().any(|want| want.suits == suits);
            match law.place(&said, suits) {
                Ok(meld) if bound => {
                    read = Some(Ok(meld));
                    break;
                }
                Ok(_) => {}
                Err(error) => {
                    read.get_or_insert(Err(error));
                }
            }
        }
        match read {
            Some(Ok(meld)) => {
                let judged = law.judge(&meld);
                if let Err(refusal) = judged {
                    self.fault(format!("{place}: {refusal}"));
                }
                meld.faces().collect::<Vec<_>>().into_iter().for_each(|card| self.take(card, &place));
                self.game.flow.down.add(Seat(owner));
                self.game.board.melds.push(TableMeld { owner: Seat(owner), meld });
            }
            Some(Err(refusal)) => self.fault(format!("{place}: {refusal}")),
            None => self.fault(format!("{place}: this is no meld of the round")),
        }
    }

    fn numbers<T: Copy>(&mut self, list: &[T], name: &str, mut put: impl FnMut(&mut Match, usize, T)) {
        if list.len() > usize::from(self.game.flow.seats) {
            return self.fault(format!("{name}: there are {} seats", self.game.flow.seats));
        }
        for (seat, &value) in list.iter().enumerate() {
            put(self.game, seat, value);
        }
    }
}

fn refusals(refusal: Refusal) -> Vec<String> {
    vec![refusal.to_string()]
}

impl Match {
    /// A match about to begin a round; nothing dealt.
    pub(super) fn begun(rules: Arc<crate::Rules>, seats: u8, opening: Opening) -> Result<Match, Vec<String>> {
        Match::playable(&rules, seats).map_err(refusals)?;
        if opening.dealer.0 >= seats {
            return Err(vec![format!("there is no seat {} to deal", opening.dealer)]);
        }
        let mut game = Match::new(rules, seats, true);
        let Some(round) = game.compiled.rules.round(opening.round) else {
            return Err(vec![format!("{} has no round {}", game.compiled.rules.name, opening.round)]);
        };
        game.flow.first_dealer = opening.dealer;
        game.flow.waiting = Waiting::Nothing;
        if game.compiled.per_player() || game.compiled.chosen() {
            // Who plays the k-th contract has laid those before it.
            let before = game.compiled.played.iter().filter(|&&at| at < round).count();
            game.flow.finished = before as u16;
            if game.compiled.per_player() {
                (0..usize::from(seats)).for_each(|seat| game.progressed(seat, before as u8));
            }
        }
        game.begin(round, opening.round, opening.dealer);
        Ok(game)
    }

    /// A seat has laid so many contracts: the first ones.
    fn progressed(&mut self, seat: usize, laid: u8) {
        self.flow.progress[seat] = laid;
        let first = self.compiled.played.iter().take(usize::from(laid));
        self.flow.laid[seat] = first.fold(0, |bits, &at| bits | 1 << at);
    }

    fn placed(&mut self, position: &Position) -> Vec<String> {
        let pack: Hand = self.compiled.cards.iter().copied().collect();
        let seats = usize::from(self.flow.seats);
        let mut reader = Reader { left: pack, faults: Vec::new(), game: self };
        if position.hands.len() > seats {
            reader.fault(format!("hands: there are {} hands for {seats} seats", position.hands.len()));
            return reader.faults;
        }
        if let Some(rank) = &position.wild {
            let place = reader.game.compiled.pack.ranks.iter().position(|name| name == rank);
            let wild = &reader.game.flow.set(&reader.game.compiled).wild;
            match place.filter(|_| wild.upcard || wild.named) {
                Some(at) => reader.game.flow.wild = Some(at as u8 + 1),
                None => reader.fault(format!(
                    "wild: neither upcard nor dealer can have made `{rank}` wild in this round"
                )),
            }
            let game = &mut *reader.game;
            game.compiled.turn(&game.flow);
        }
        for (seat, text) in position.hands.iter().enumerate() {
            let hand: Hand = reader.cards(text, &format!("hand {seat}")).into_iter().collect();
            reader.game.flow.sizes[seat] = hand.len() as u16;
            reader.game.hands[seat] = hand;
        }
        for line in &position.melds {
            reader.meld(line);
        }
        let mut pile = reader.cards(&position.discard, "discard");
        pile.reverse();
        let (named, rest) = match position.stock.trim().strip_suffix("...") {
            Some(named) => (named, true),
            None => (position.stock.as_str(), false),
        };
        let mut stock = reader.cards(named, "stock");
        if rest {
            stock.extend(reader.left.cards().collect::<Vec<_>>());
            reader.left = Hand::default();
        }
        stock.reverse();
        reader.game.flow.pile = pile.len() as u16;
        reader.game.flow.top = pile.last().copied();
        reader.game.flow.stock = stock.len() as u16;
        pile.iter().for_each(|&card| reader.game.board.throw(None, card));
        reader.game.pile = pile;
        reader.game.stock = stock;
        reader.game.aside = reader.left;
        reader.numbers(&position.takes, "takes", |game, seat, takes| game.flow.takes[seat] = takes);
        reader.numbers(&position.scores, "scores", |game, seat, score| game.flow.scores[seat] = score);
        reader.numbers(&position.progress, "progress", Match::progressed);
        reader.game.flow.kitty = position.kitty;
        reader.faults
    }

    /// Why nobody is asked in a phase before the first turn: nothing is to be chosen, or there is too little to choose from.
    fn unasked(&mut self, phase: &str) -> Vec<String> {
        let passes = self.flow.passes(&self.compiled);
        let (asks, why) = match phase {
            "choose" => {
                self.flow.contract = None;
                (self.compiled.asks(), "nobody picks the contract after the deal in this game")
            }
            "name" => (self.flow.set(&self.compiled).wild.named, "nobody names what is wild in this game"),
            _ => (passes > 0, "no cards are passed on in this game"),
        };
        let mut faults = Vec::new();
        if !asks {
            faults.push(format!("phase: {why}"));
        }
        // Each of these phases leads to that in which cards are passed on.
        for (seat, hand) in self.hands.iter().enumerate().filter(|(_, hand)| hand.len() < passes.into()) {
            faults.push(format!("hand {seat}: of {} cards {passes} cannot be passed on", hand.len()));
        }
        faults
    }

    /// The position that was written down.
    pub(super) fn at_position(
        rules: Arc<crate::Rules>,
        seats: u8,
        opening: Opening,
        position: Position,
    ) -> Result<Match, Vec<String>> {
        game::written::check_points("scores", &position.scores)?;
        game::written::check_points("kitty", &[position.kitty])?;
        let mut game = Match::begun(rules, seats, opening)?;
        let phase = position.phase.as_deref().unwrap_or("start");
        if phase == "cut" {
            let mut faults = Vec::new();
            if game.flow.phase != Phase::Cut {
                faults.push("phase: there is no cut in this game".to_owned());
            }
            for (seat, &score) in position.scores.iter().enumerate().take(usize::from(seats)) {
                game.flow.scores[seat] = score;
            }
            game.flow.kitty = position.kitty;
            return if faults.is_empty() { Ok(game) } else { Err(faults) };
        }
        let mut faults = game.placed(&position);
        let first = game.flow.step(&game.compiled, opening.dealer, 1);
        let turn = position.turn.map_or(first, Seat);
        if turn.0 >= seats {
            faults.push(format!("turn: there is no seat {turn}"));
            return Err(faults);
        }
        let before = game.flow.step(&game.compiled, turn, -1);
        let flow = &mut game.flow;
        flow.turn = turn;
        flow.waiting = Waiting::Nothing;
        flow.until = None;
        // The first turn of the round is P0's only if nobody can have played yet.
        flow.turns = u16::from(turn != first || !game.board.melds.is_empty());
        flow.discarder = before;
        flow.thrower = flow.top.map(|_| before);
        flow.protected = position.protected;
        flow.phase = Phase::Start;
        if game.compiled.asks() {
            // The contracts before that of the round have been played, and its own has been picked.
            let before = game.compiled.played.iter().take(usize::from(flow.finished));
            flow.used = before.fold(0, |bits, &at| bits | 1 << at);
            flow.contract = Some(flow.round);
        }
        match phase {
            "start" | "offer" | "choose" | "name" | "pass" => {}
            "play" => flow.phase = Phase::Play,
            "shanghai" | "pick" => {
                flow.discarder = turn;
                flow.thrower = flow.top.map(|_| turn);
                flow.turns += 1;
                if !flow.set(&game.compiled).shanghai.on {
                    faults.push(format!("phase: there is no `{phase}` without Shanghai calls"));
                }
            }
            other => faults.push(format!(
                "phase: `{other}` is none of cut, choose, name, pass, start, offer, play, shanghai and pick"
            )),
        }
        if phase == "shanghai" && flow.top.is_none() {
            faults.push("phase: there is no discard to claim".to_owned());
        }
        if phase == "pick" {
            let claimer = position.claimer.map_or_else(|| flow.step(&game.compiled, turn, 1), Seat);
            if claimer.0 >= seats || claimer == turn || flow.sizes[claimer.index().min(11)] == 0 {
                faults.push("claimer: name another seat than P0, with cards in hand".to_owned());
            }
            flow.phase = Phase::Pick { claimer };
            flow.acted = true;
        }
        let asks = matches!(phase, "choose" | "name" | "pass");
        if asks {
            faults.extend(game.unasked(phase));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        game.count_deadwood();
        match phase {
            "start" | "offer" => game.settle_position(phase == "offer"),
            "shanghai" => game.open_claims(),
            _ if asks => game.ask(phase),
            _ => {}
        }
        game.start_clock();
        Ok(game)
    }
}
