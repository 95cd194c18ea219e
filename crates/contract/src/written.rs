//! Matches written down: positions, commands, events and statements as text (docs/notation.md).

use crate::command::Command;
use crate::engine::Match;
use crate::event::Event;
use crate::meld::{Meld, Said, SaidCard, Suits};
use crate::table::{Hand, Phase, TableMeld, Waiting};
use cards::{Face, Pack};
use game::written::{Mismatch, Opening, Written};
use game::{Presence, Refusal, Seat, SeatSet};
use serde::Deserialize;
use std::sync::Arc;

/// The `[setup]` table of a scenario file. What is left out is empty, zero, or the rule's default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// P0; by default the player after the dealer.
    pub turn: Option<u8>,
    /// `cut`, `start` (default), `offer` (P0 has declined), `play`, `shanghai` (P0 has discarded) or `pick`.
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
        let said = match Said::parse(text.trim(), &self.game.compiled.pack) {
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
    fn begun(rules: Arc<crate::Rules>, seats: u8, opening: Opening) -> Result<Match, Vec<String>> {
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
                game.flow.progress[..usize::from(seats)].fill(before as u8);
            }
        }
        game.begin(round, opening.round, opening.dealer);
        Ok(game)
    }

    fn placed(&mut self, setup: &Setup) -> Vec<String> {
        let pack: Hand = self.compiled.cards.iter().copied().collect();
        let seats = usize::from(self.flow.seats);
        let mut reader = Reader { left: pack, faults: Vec::new(), game: self };
        if setup.hands.len() > seats {
            reader.fault(format!("hands: there are {} hands for {seats} seats", setup.hands.len()));
            return reader.faults;
        }
        for (seat, text) in setup.hands.iter().enumerate() {
            let hand: Hand = reader.cards(text, &format!("hand {seat}")).into_iter().collect();
            reader.game.flow.sizes[seat] = hand.len() as u16;
            reader.game.hands[seat] = hand;
        }
        for line in &setup.melds {
            reader.meld(line);
        }
        let mut pile = reader.cards(&setup.discard, "discard");
        pile.reverse();
        let (named, rest) = match setup.stock.trim().strip_suffix("...") {
            Some(named) => (named, true),
            None => (setup.stock.as_str(), false),
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
        reader.game.pile = pile;
        reader.game.stock = stock;
        reader.game.aside = reader.left;
        reader.numbers(&setup.takes, "takes", |game, seat, takes| game.flow.takes[seat] = takes);
        reader.numbers(&setup.scores, "scores", |game, seat, score| game.flow.scores[seat] = score);
        reader.numbers(&setup.progress, "progress", |game, seat, laid| game.flow.progress[seat] = laid);
        reader.game.flow.kitty = setup.kitty;
        reader.faults
    }
}

impl Written for Match {
    type Setup = Setup;

    fn open_at(rules: Arc<crate::Rules>, seats: u8, opening: Opening) -> Result<Match, Vec<String>> {
        Match::begun(rules, seats, opening)
    }

    fn set_up(
        rules: Arc<crate::Rules>,
        seats: u8,
        opening: Opening,
        setup: Setup,
    ) -> Result<Match, Vec<String>> {
        let mut game = Match::begun(rules, seats, opening)?;
        let phase = setup.phase.as_deref().unwrap_or("start");
        if phase == "cut" {
            let mut faults = Vec::new();
            if game.flow.phase != Phase::Cut {
                faults.push("phase: there is no cut in this game".to_owned());
            }
            for (seat, &score) in setup.scores.iter().enumerate().take(usize::from(seats)) {
                game.flow.scores[seat] = score;
            }
            game.flow.kitty = setup.kitty;
            return if faults.is_empty() { Ok(game) } else { Err(faults) };
        }
        let mut faults = game.placed(&setup);
        let first = game.flow.step(&game.compiled, opening.dealer, 1);
        let turn = setup.turn.map_or(first, Seat);
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
        flow.protected = setup.protected;
        flow.phase = Phase::Start;
        match phase {
            "start" | "offer" => {}
            "play" => flow.phase = Phase::Play,
            "shanghai" | "pick" => {
                flow.discarder = turn;
                flow.thrower = flow.top.map(|_| turn);
                flow.turns += 1;
                if !flow.set(&game.compiled).shanghai.on {
                    faults.push(format!("phase: there is no `{phase}` without Shanghai calls"));
                }
            }
            other => {
                faults.push(format!("phase: `{other}` is none of cut, start, offer, play, shanghai and pick"))
            }
        }
        if phase == "shanghai" && flow.top.is_none() {
            faults.push("phase: there is no discard to claim".to_owned());
        }
        if phase == "pick" {
            let claimer = setup.claimer.map_or_else(|| flow.step(&game.compiled, turn, 1), Seat);
            if claimer.0 >= seats || claimer == turn || flow.sizes[claimer.index().min(11)] == 0 {
                faults.push("claimer: name another seat than P0, with cards in hand".to_owned());
            }
            flow.phase = Phase::Pick;
            flow.claimer = Some(claimer);
            flow.acted = true;
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        game.count_deadwood();
        match phase {
            "start" | "offer" => game.settle_position(phase == "offer"),
            "shanghai" => game.open_claims(),
            _ => {}
        }
        game.start_clock();
        Ok(game)
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(text, &self.compiled.pack, self.exact).map_err(Refusal::from)
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(&self.compiled.pack, self.exact)
    }

    fn write_event(&self, event: &Event) -> String {
        let (flow, pack) = (&self.flow, &self.compiled.pack);
        let turn = flow.turn;
        let face = |face: &Face| pack.text(*face);
        let melds = |melds: &[Meld]| melds.iter().map(|m| m.text(pack)).collect::<Vec<_>>().join(" ");
        match event {
            Event::Dealer { seat, cards } if cards.is_empty() => format!("seat {seat} deals first"),
            Event::Dealer { seat, cards } => {
                format!("seat {seat} deals first, by the highest of {}", pack.text_all(cards))
            }
            Event::Round { round, dealer, .. } => {
                format!("round {}: seat {dealer} deals", self.compiled.round(*round).number)
            }
            Event::Aimed { aim: Some(aim) } => format!("{} cut aim {aim}", flow.cutter(&self.compiled)),
            Event::Aimed { aim: None } => format!("{} cut by chance", flow.cutter(&self.compiled)),
            Event::Cut { depth, points: 0 } => format!("{} cut {depth}", flow.cutter(&self.compiled)),
            Event::Cut { depth, points } => {
                format!("{} cut {depth}: exact, {points} points", flow.cutter(&self.compiled))
            }
            Event::Dealt { top, .. } => match top {
                Some(top) => format!("the cards are dealt; {} is turned up", face(top)),
                None => "the cards are dealt".to_owned(),
            },
            Event::Turn { seat, protected, .. } => {
                format!("turn of seat {seat}{}", if *protected { ", the pile is closed" } else { "" })
            }
            Event::Declined { .. } => format!("{turn} draw stock"),
            Event::Offer { asked, .. } => format!(
                "{} is offered to {}",
                flow.top.as_ref().map_or_else(|| "--".to_owned(), face),
                seats_text(*asked)
            ),
            Event::Answered { seat, take } => format!("{seat} {}", if *take { "take" } else { "pass" }),
            Event::Stands { seat, standing } => {
                format!("{seat} {}", Command::Stand(standing.clone()).text(pack, self.exact))
            }
            Event::Took { seat, card, .. } if *seat == turn => format!("{seat} buys {}", face(card)),
            Event::Took { seat, card, .. } => format!("{seat} takes {}", face(card)),
            Event::Penalty { seat, card } => format!("{seat} gets {} with it", face(card)),
            Event::Remake { .. } => "the stock is remade from the discard pile".to_owned(),
            Event::Remade { cards } => format!("the new stock has {} cards", cards.len()),
            Event::Back { forced: true, .. } => format!("seat {turn} must take the discard"),
            Event::Back { .. } => format!("seat {turn} is asked again"),
            Event::Drew { discard: true, card, .. } => format!("{turn} draws the discard {}", face(card)),
            Event::Drew { card, .. } => format!("{turn} draws {} from the stock", face(card)),
            Event::Pushed { to, discard, card, .. } => {
                format!("{turn} pushes {} and {} to seat {to}", face(discard), face(card))
            }
            Event::Melded { melds: laid, .. } => format!("{turn} meld {}", melds(laid)),
            Event::LaidOff { on, cards, .. } => format!("{turn} layoff {} on {on}", pack.text_all(cards)),
            Event::Reclaimed { from, card, .. } => format!("{turn} reclaim {} from {from}", face(card)),
            Event::Undone { .. } => format!("{turn} undo"),
            Event::Withheld { .. } => "the card that stayed open is settled first".to_owned(),
            Event::Discarded { card, protect } => {
                format!("{turn} discard {}{}", face(card), if *protect { " shanghai" } else { "" })
            }
            Event::Held => format!("{turn} hold"),
            Event::Claims { asked, .. } => format!("the discard can be claimed by {}", seats_text(*asked)),
            Event::Called { seat, claim: Some(claim) } => {
                let command = Command::Shanghai { on: claim.on, end: claim.end };
                format!("{seat} {}", command.text(pack, self.exact))
            }
            Event::Called { seat, claim: None } => format!("{seat} pass"),
            Event::Unclaimed => "nobody claims the discard".to_owned(),
            Event::Claimed { seat, on, .. } => format!("{seat} has the discard, on meld {on}"),
            Event::PickedPlace { place } => format!("{} pick {place}", flow.discarder),
            Event::Picked { card } => format!("{} picks {}", flow.discarder, face(card)),
            Event::TimedOut { seat } => format!("the time of seat {seat} is up"),
            Event::RoundOver { winner, points } => {
                let points = points.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
                match winner {
                    Some(seat) => format!("seat {seat} is out; points {points}"),
                    None => format!("the round is blocked; points {points}"),
                }
            }
            Event::Over(outcome) => format!("the match is over; won by {}", seats_text(outcome.winners)),
            Event::Presence { seat, presence, .. } => match presence {
                Presence::Dropped => format!("leave {seat}"),
                Presence::Left => format!("quit {seat}"),
                Presence::Back | Presence::Joined => format!("join {seat}"),
            },
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        Statement { game: self, pack: &self.compiled.pack }.check(statement)
    }

    fn undecided(&self) -> SeatSet {
        self.missing()
    }

    fn turn_order(&self) -> Vec<Seat> {
        self.flow.order(&self.compiled, self.flow.turn).collect()
    }

    fn position(&self) -> String {
        let (flow, pack) = (&self.flow, &self.compiled.pack);
        let mut lines = vec![format!(
            "round {} · phase {} · dealer {} · turn {} · await {}",
            self.compiled.round(flow.round).number,
            flow.phase.word(),
            flow.dealer,
            flow.turn,
            seats_text(self.missing())
        )];
        for (seat, hand) in self.hands.iter().enumerate() {
            lines.push(format!("hand {seat}: {}", list(pack, hand.cards())));
        }
        for (number, meld) in (1..).zip(&self.board.melds) {
            lines.push(format!("meld {number} of seat {}: {}", meld.owner, meld.meld.text(pack)));
        }
        lines.push(format!("discard: {}", list(pack, self.pile.iter().rev().copied())));
        lines.push(format!("stock {}: {}", self.stock.len(), list(pack, self.stock.iter().rev().copied())));
        let seats = usize::from(flow.seats);
        lines.push(format!(
            "takes {:?} · scores {:?} · kitty {}",
            &flow.takes[..seats],
            &flow.scores[..seats],
            flow.kitty
        ));
        lines.join("\n")
    }
}

fn list(pack: &Pack, cards: impl Iterator<Item = Face>) -> String {
    let text = cards.map(|card| pack.text(card)).collect::<Vec<_>>().join(" ");
    if text.is_empty() { "--".to_owned() } else { text }
}

fn seats_text(seats: SeatSet) -> String {
    if seats.is_empty() {
        return "nobody".to_owned();
    }
    seats.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" ")
}

/// Statements about a position.
struct Statement<'a> {
    game: &'a Match,
    pack: &'a Pack,
}

impl Statement<'_> {
    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let statement = statement.trim();
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let rest = rest.trim();
        let (game, flow) = (self.game, &self.game.flow);
        let unknown = || Err(Err(format!("`{statement}` is no statement about a game of Contract Rummy")));
        // `stock: 2S 3C`, `discard: --`: the colon may stand at the word.
        if let Some(word) = word.strip_suffix(':') {
            return match word {
                "discard" => self.cards("discard:", rest, game.pile.iter().rev().copied().collect(), true),
                "stock" => self.cards("stock:", rest, game.stock.iter().rev().copied().collect(), true),
                _ => unknown(),
            };
        }
        match word {
            "phase" => self.same(word, rest.to_owned(), flow.phase.word().to_owned()),
            "turn" => self.number(word, rest, i64::from(flow.turn.0)),
            "dealer" => self.number(word, rest, i64::from(flow.dealer.0)),
            "round" => self.number(word, rest, i64::from(game.compiled.round(flow.round).number)),
            "melds" => self.number(word, rest, game.board.melds.len() as i64),
            "stock" => self.number(word, rest, game.stock.len() as i64),
            "kitty" => self.number(word, rest, i64::from(flow.kitty)),
            "top" => {
                let found = flow.top.map_or_else(|| "--".to_owned(), |card| self.pack.text(card));
                let expected = if rest == "--" { rest.to_owned() } else { self.face(rest)? };
                self.same(word, expected, found)
            }
            "scores" => self.numbers(word, rest, &flow.scores),
            "points" => self.numbers(word, rest, &flow.points),
            "takes" if !rest.contains(':') => self.numbers(word, rest, &flow.takes.map(i32::from)),
            "settle" => {
                let mut settled = [0; crate::table::MOST];
                if let Some(outcome) = &game.board.outcome {
                    settled.iter_mut().zip(&outcome.settlement).for_each(|(s, &v)| *s = v);
                }
                self.numbers(word, rest, &settled)
            }
            "over" if rest.is_empty() => {
                let over = if game.board.outcome.is_some() { "over" } else { "the match is not over" };
                self.same("", "over".to_owned(), over.to_owned())
            }
            "await" => self.seats(word, rest, game.missing()),
            "winner" | "winners" => {
                let winners = game.board.outcome.as_ref().map(|o| o.winners);
                match winners {
                    Some(winners) => self.seats(word, rest, winners),
                    None => Err(Ok(Mismatch {
                        expected: statement.to_owned(),
                        found: "the match is not over".to_owned(),
                    })),
                }
            }
            "hand" | "meld" | "score" | "takes" => {
                let Some((number, rest)) = rest.split_once(':') else { return unknown() };
                let Ok(number) = number.trim().parse::<usize>() else { return unknown() };
                let rest = rest.trim();
                let label = format!("{word} {number}:");
                match word {
                    "meld" => self.meld(&label, number, rest),
                    _ if number >= usize::from(flow.seats) => {
                        Err(Err(format!("there is no seat {number} at this table")))
                    }
                    "hand" => self.cards(&label, rest, game.hands[number].cards().collect(), false),
                    "score" => self.number(&label, rest, i64::from(flow.scores[number])),
                    _ => self.number(&label, rest, i64::from(flow.takes[number])),
                }
            }
            _ => unknown(),
        }
    }

    fn same(&self, label: &str, expected: String, found: String) -> Result<(), Result<Mismatch, String>> {
        if expected == found {
            return Ok(());
        }
        let line = |text: String| format!("{label} {text}").trim().to_owned();
        Err(Ok(Mismatch { expected: line(expected), found: line(found) }))
    }

    fn face(&self, text: &str) -> Result<String, Result<Mismatch, String>> {
        self.pack.parse(text).map(|face| self.pack.text(face)).map_err(Err)
    }

    fn number(&self, label: &str, text: &str, found: i64) -> Result<(), Result<Mismatch, String>> {
        let expected: i64 =
            text.trim_start_matches('+').parse().map_err(|_| Err(format!("`{text}` is no whole number")))?;
        self.same(label, expected.to_string(), found.to_string())
    }

    fn numbers(&self, label: &str, text: &str, found: &[i32]) -> Result<(), Result<Mismatch, String>> {
        let expected = text
            .split_whitespace()
            .map(|n| {
                n.trim_start_matches('+').parse::<i32>().map_err(|_| Err(format!("`{n}` is no whole number")))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let show = |list: &[i32]| list.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        self.same(label, show(&expected), show(&found[..usize::from(self.game.flow.seats)]))
    }

    fn seats(&self, label: &str, text: &str, found: SeatSet) -> Result<(), Result<Mismatch, String>> {
        let expected = text
            .split_whitespace()
            .filter(|&n| n != "--")
            .map(|n| {
                n.parse()
                    .ok()
                    .filter(|&n: &u8| n < Seat::MOST)
                    .map(Seat)
                    .ok_or_else(|| Err(format!("`{n}` is no seat")))
            })
            .collect::<Result<SeatSet, _>>()?;
        self.same(label, seats_text(expected), seats_text(found))
    }

    /// Cards as a list, or as a multiset.
    fn cards(
        &self,
        label: &str,
        text: &str,
        mut found: Vec<Face>,
        ordered: bool,
    ) -> Result<(), Result<Mismatch, String>> {
        let text = if text == "--" { "" } else { text };
        let mut expected = self.pack.parse_all(text).map_err(Err)?;
        if !ordered {
            let hand = |cards: &[Face]| cards.iter().copied().collect::<Hand>().cards().collect::<Vec<_>>();
            (expected, found) = (hand(&expected), hand(&found));
        }
        self.same(label, list(self.pack, expected.into_iter()), list(self.pack, found.into_iter()))
    }

    fn meld(&self, label: &str, number: usize, text: &str) -> Result<(), Result<Mismatch, String>> {
        let mut said = Said::parse(text, self.pack).map_err(Err)?;
        let Some(table) = number.checked_sub(1).and_then(|at| self.game.board.melds.get(at)) else {
            return Err(Ok(Mismatch {
                expected: format!("{label} {text}"),
                found: format!("there are {} melds on the table", self.game.board.melds.len()),
            }));
        };
        let meld = &table.meld;
        let same = said.kind == meld.kind && said.cards.len() == meld.len() && {
            if meld.is_run() {
                // A wild that is not declared means the place it stands in.
                said.cards
                    .iter()
                    .zip(&meld.cards)
                    .all(|(s, c)| s.card == c.card && s.stands.is_none_or(|stands| stands == c.stands))
            } else {
                let mut cards: Vec<SaidCard> = meld.said().cards;
                cards.sort();
                said.cards.sort();
                let rank = |s: &SaidCard| s.stands.is_none_or(|stands| stands.rank() == meld.low);
                said.cards.iter().all(rank)
                    && said.cards.iter().map(|s| s.card).eq(cards.iter().map(|s| s.card))
            }
        };
        if same {
            return Ok(());
        }
        Err(Ok(Mismatch {
            expected: format!("{label} {text}"),
            found: format!("{label} {}", meld.text(self.pack)),
        }))
    }
}
