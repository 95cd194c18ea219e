//! Races in notation: positions, commands and statements (docs/notation.md).

use super::decide::Draft;
use super::state::{Call, Event, Finding, Hand, Phase};
use super::{Placed, Race};
use crate::command::Command;
use crate::frame::notation::is_phase;
use crate::offers::{Act, Judge as _};
use crate::rules::{ChainScope, DealStyle, End, Mechanism, Rules, Sources, To};
use crate::written::Position;
use cards::Point;
use game::written::{Mismatch, Opening, Written};
use game::{Game, Millis, Refusal, Seat, SeatSet};
use std::sync::Arc;

impl Phase {
    /// As statements name it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Shuffling | Phase::Dealing => "dealing",
            Phase::Open => "open",
            Phase::Tie => "tie",
            Phase::Called => "called",
            Phase::Scout => "scout",
            Phase::Between => "between",
            Phase::Over => "over",
        }
    }
}

/// Reads a written position, gathering every fault.
struct Reader<'a> {
    rules: &'a Rules,
    named: Vec<Point>,
    faults: Vec<String>,
}

impl Reader<'_> {
    fn fault<T>(&mut self, text: impl Into<String>) -> Option<T> {
        self.faults.push(text.into());
        None
    }

    /// A card that is named here, and nowhere else.
    fn card(&mut self, word: &str, place: &str) -> Option<Point> {
        let card = match self.rules.deck.parse(word) {
            Ok(card) => card,
            Err(why) => return self.fault(format!("{place}: {why}")),
        };
        if !self.rules.holds(card) {
            return self.fault(format!("{place}: {word} is not in the deck of this game"));
        }
        if self.named.contains(&card) {
            return self.fault(format!("{place}: {word} is named twice"));
        }
        self.named.push(card);
        Some(card)
    }

    fn cards(&mut self, text: &str, place: &str) -> Vec<Point> {
        let words = text.split_whitespace().filter(|&word| word != "--" && word != "/");
        words.filter_map(|word| self.card(word, place)).collect()
    }

    /// One entry for each seat, at most.
    fn each<'t, T>(
        &mut self,
        list: &'t [T],
        seats: u8,
        place: &str,
    ) -> impl Iterator<Item = (usize, &'t T)> + use<'t, T> {
        if list.len() > usize::from(seats) {
            self.faults.push(format!("{place}: {} are given for {seats} seats", list.len()));
        }
        list.iter().take(usize::from(seats)).enumerate()
    }
}

impl Race {
    fn position_of(&mut self, setup: &Position, reader: &mut Reader<'_>) {
        let (rules, seats) = (self.rules.clone(), self.seats());
        let state = &mut self.state;
        let zones: Vec<&str> = setup.board.as_deref().unwrap_or("").split('|').collect();
        if setup.board.is_some() && zones.len() != usize::from(rules.zones) {
            reader.faults.push(format!(
                "board: {} zones are given, the game has {}",
                zones.len(),
                rules.zones
            ));
        }
        for (zone, text) in zones.iter().enumerate().take(usize::from(rules.zones)) {
            for (slot, word) in text.split_whitespace().enumerate() {
                if word != "--"
                    && let Some(card) = reader.card(word, "board")
                {
                    state.board.put(zone, slot, card);
                }
            }
        }
        for (seat, text) in reader.each(&setup.hands, seats, "hands") {
            let cards = reader.cards(text, "hands");
            if rules.sources != Sources::Hand && !cards.is_empty() {
                reader.faults.push("hands: this game has no personal cards".into());
            }
            if cards.len() > usize::from(rules.hand_max) {
                reader.faults.push(format!("hands: seat {seat} holds more than {} cards", rules.hand_max));
            }
            state.players[seat].hand = Hand::Seen(cards);
        }
        for (seat, text) in reader.each(&setup.previous, seats, "previous") {
            let cards = reader.cards(text, "previous");
            if cards.is_empty() {
                continue;
            }
            if rules.sources != Sources::Previous {
                reader.faults.push("previous: this game has no chain".into());
            }
            if rules.chain_scope == ChainScope::Table {
                state.last_right = Some(Seat(seat as u8));
            }
            state.players[seat].previous = cards;
        }
        for (seat, &sets) in reader.each(&setup.collected, seats, "collected") {
            if usize::from(sets) > rules.deck.size() {
                reader.faults.push(format!("collected: {sets} Sets are more than the deck has cards"));
                continue;
            }
            (state.players[seat].sets, state.players[seat].sets_held) = (sets, sets);
        }
        for (seat, &score) in reader.each(&setup.scores, seats, "scores") {
            let player = &mut state.players[seat];
            player.score = score;
            let held = u16::try_from(score).unwrap_or(0);
            if rules.mechanism == Mechanism::Scout {
                // SCOUT-12: a point is a card, whichever it may be.
                player.sets_held = player.sets_held.max(held);
            } else if rules.end == End::Goal {
                // the score of a trial is the number of Sets.
                player.sets = player.sets.max(held);
            }
        }
        state.heap = reader.cards(setup.heap.as_deref().unwrap_or(""), "heap");
        state.pile = reader.cards(setup.discard.as_deref().unwrap_or(""), "discard");
        state.pile.reverse();
        if rules.to != To::Discard && !state.pile.is_empty() {
            reader.faults.push("discard: this game has no discard pile".into());
        }
        let stock = setup.stock.as_deref().unwrap_or("");
        let words = stock.split_whitespace().filter(|&word| word != "...").collect::<Vec<_>>().join(" ");
        let mut cards = reader.cards(&words, "stock");
        let unnamed: Vec<Point> = rules.cards().filter(|card| !reader.named.contains(card)).collect();
        let linked = state.players.iter().flat_map(|p| p.previous.iter().copied());
        self.aside = linked.collect();
        if stock.split_whitespace().any(|word| word == "...") {
            cards.extend(unnamed);
        } else {
            self.aside.extend(unnamed);
        }
        cards.reverse();
        state.stock = cards.len() as u16;
        self.stock = cards;
    }

    fn compare(&self, expected: String, found: String) -> Result<(), Result<Mismatch, String>> {
        if expected == found { Ok(()) } else { Err(Ok(Mismatch { expected, found })) }
    }

    fn text(&self, cards: &[Point]) -> String {
        if cards.is_empty() { "--".into() } else { self.rules.deck.text_all(cards) }
    }

    /// Cards as a multiset, in canonical order.
    fn sorted(&self, cards: impl IntoIterator<Item = Point>) -> String {
        let mut cards: Vec<Point> = cards.into_iter().collect();
        cards.sort_unstable();
        self.text(&cards)
    }

    fn read_cards(&self, text: &str) -> Result<Vec<Point>, Result<Mismatch, String>> {
        let words = text.split_whitespace().filter(|&word| word != "--" && word != "/");
        words.map(|word| self.rules.deck.parse(word).map_err(Err)).collect()
    }

    /// `CARDS` in any order.
    fn same_cards(&self, what: &str, text: &str, found: &[Point]) -> Result<(), Result<Mismatch, String>> {
        let expected = self.sorted(self.read_cards(text)?);
        self.compare(format!("{what}: {expected}"), format!("{what}: {}", self.sorted(found.iter().copied())))
    }

    fn same_zones(&self, text: &str, exact: bool) -> Result<(), Result<Mismatch, String>> {
        let zones: Vec<&str> = text.split('|').collect();
        let board = &self.state.board;
        let what = if exact { "slots" } else { "board" };
        let found: Vec<String> = board
            .zones()
            .map(|slots| match exact {
                false => self.sorted(slots.iter().flatten().copied()),
                true => {
                    let end = slots.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
                    let slot =
                        |s: &Option<Point>| s.map_or("--".to_owned(), |card| self.rules.deck.text(card));
                    slots[..end].iter().map(slot).collect::<Vec<_>>().join(" ")
                }
            })
            .collect();
        let mut expected = Vec::new();
        for (zone, text) in zones.iter().enumerate() {
            if !exact {
                expected.push(self.sorted(self.read_cards(text)?));
                continue;
            }
            let mut words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            while words.last().is_some_and(|word| word == "--") {
                words.pop();
            }
            for (slot, word) in words.iter_mut().enumerate() {
                let lies = board.zones().nth(zone).and_then(|slots| slots.get(slot).copied().flatten());
                match (word.as_str(), lies) {
                    ("??", Some(card)) => *word = self.rules.deck.text(card),
                    ("??" | "--", _) => {}
                    (card, _) => drop(self.rules.deck.parse(card).map_err(Err)?),
                }
            }
            expected.push(words.join(" "));
        }
        let line = |zones: Vec<String>| format!("{what}: {}", zones.join(" | "));
        self.compare(line(expected), line(found))
    }

    /// What a statement about one seat finds.
    fn of_seat(&self, word: &str, seat: &str, rest: &str) -> Result<(), Result<Mismatch, String>> {
        let player = || Ok::<_, Result<Mismatch, String>>(&self.state.players[self.seat(seat)?.index()]);
        let number = |found: i64| {
            let what = format!("{word} {seat}");
            let expected: i64 = rest.trim().parse().map_err(|_| Err(format!("`{rest}` is no number")))?;
            self.compare(format!("{what}: {expected}"), format!("{what}: {found}"))
        };
        let cards = |found: &[Point]| self.same_cards(&format!("{word} {seat}"), rest, found);
        match word {
            "hand" => cards(player()?.hand.cards()),
            "taken" => cards(&player()?.taken),
            "previous" => cards(&player()?.previous),
            "score" => number(player()?.score.into()),
            "errors" => number(player()?.errors.into()),
            _ => Err(Err(format!("`{word}` is no statement of this game"))),
        }
    }

    fn check_now(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        let state = &self.state;
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let (word, rest) = match word.strip_suffix(':') {
            Some(word) => (word, format!(": {rest}")),
            None => (word, rest.trim().to_owned()),
        };
        let rest = rest.as_str();
        let list = rest.strip_prefix(':').map(str::trim);
        let same = |found: String| self.compare(format!("{word} {rest}"), format!("{word} {found}"));
        let seats = |found: SeatSet| {
            let set = rest
                .split_whitespace()
                .filter(|&word| word != "--")
                .map(|word| self.seat(word))
                .collect::<Result<SeatSet, _>>()?;
            self.compare(format!("{word} {}", seats_text(set)), format!("{word} {}", seats_text(found)))
        };
        let numbers = |found: Vec<i32>| {
            let texts: Vec<String> = found.iter().map(i32::to_string).collect();
            let expected: Vec<&str> = rest.trim_start_matches(':').split_whitespace().collect();
            self.compare(format!("{word} {}", expected.join(" ")), format!("{word} {}", texts.join(" ")))
        };
        match word {
            "phase" if is_phase(rest, state.phase.name()) => Ok(()),
            "phase" => same(state.phase.name().into()),
            "turn" => same(match state.call.map(|call| call.callers) {
                Some(callers) if callers.len() == 1 => seats_text(callers),
                _ => "--".into(),
            }),
            "await" => seats(self.undecided()),
            "round" => same(state.deal.to_string()),
            "dealer" => same(state.dealer.to_string()),
            "top" => same(state.pile.last().map_or("--".into(), |&card| self.rules.deck.text(card))),
            "board" => self.same_zones(list.unwrap_or(rest), false),
            "slots" => self.same_zones(list.unwrap_or(rest), true),
            "heap" => self.same_cards("heap", list.unwrap_or(rest), &state.heap),
            "discard" => self.same_cards("discard", list.unwrap_or(rest), &state.pile),
            "stock" => match list {
                None => same(state.stock.to_string()),
                Some(text) => {
                    let expected = self.text(&self.read_cards(text)?);
                    let stock: Vec<Point> = self.stock.iter().rev().copied().collect();
                    self.compare(format!("stock: {expected}"), format!("stock: {}", self.text(&stock)))
                }
            },
            "scores" => numbers(state.players.iter().map(|p| p.score).collect()),
            "points" => numbers(state.players.iter().map(|p| p.points).collect()),
            "flags" => seats(state.flags),
            "locked" | "frozen" | "lost" => {
                if self.holds(at, word, rest)? {
                    Ok(())
                } else {
                    Err(Ok(Mismatch { expected: statement.into(), found: format!("not {statement}") }))
                }
            }
            "not" => {
                let (word, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                if self.holds(at, word, rest)? {
                    Err(Ok(Mismatch {
                        expected: statement.into(),
                        found: format!("{word} {rest}").trim().into(),
                    }))
                } else {
                    Ok(())
                }
            }
            _ => {
                let (seat, value) = rest.split_once(':').unwrap_or((rest, ""));
                self.of_seat(word, seat.trim(), value.trim())
            }
        }
    }

    /// Whether `locked N`, `frozen N` or `lost` is so.
    fn holds(&self, at: Millis, word: &str, rest: &str) -> Result<bool, Result<Mismatch, String>> {
        match word {
            "locked" => Ok(self.state.locked(self.seat(rest)?, at)),
            "frozen" => Ok(self.state.players[self.seat(rest)?.index()].frozen.is_some()),
            "lost" => Ok(self.state.lost),
            "over" => Ok(self.state.phase == Phase::Over),
            _ => Err(Err(format!("`{word}` is no statement of this game"))),
        }
    }

    fn seat(&self, word: &str) -> Result<Seat, Result<Mismatch, String>> {
        let seat = word.trim().parse().ok().filter(|&n: &u8| n < self.seats()).map(Seat);
        seat.ok_or_else(|| Err(format!("`{word}` is no seat of this table")))
    }

    /// A finding as a person would note it.
    fn finding(&self, finding: Finding) -> String {
        match finding {
            Finding::Right { .. } => "right".into(),
            Finding::Clash => "right, but tied".into(),
            Finding::Split { features, .. } => {
                let bits =
                    crate::rules::Feature::ALL.iter().enumerate().filter(|(i, _)| features >> i & 1 == 1);
                let names: Vec<&str> = bits.map(|(_, feature)| feature.name()).collect();
                format!("wrong: {} two and one", names.join(" and "))
            }
            Finding::Places { .. } => "wrong: not so in these groups".into(),
            Finding::NoSuper { .. } => "wrong: no SuperSET".into(),
            Finding::Overlap => "wrong: the patterns share a card".into(),
            Finding::NoSplit => "wrong: the cards cannot be split so".into(),
            Finding::TooFew => "wrong: too few cards are covered".into(),
            Finding::Link => "wrong: not exactly one card of the previous Set".into(),
            Finding::NoPersonal => "wrong: no personal card".into(),
            Finding::Timeout | Finding::Lapsed => "time is up".into(),
            Finding::Cancelled => "cancelled".into(),
        }
    }
}

fn seats_text(seats: SeatSet) -> String {
    if seats.is_empty() {
        return "--".into();
    }
    seats.iter().map(|seat| seat.to_string()).collect::<Vec<_>>().join(" ")
}

impl Written for Race {
    type Position = Position;

    fn open_at(rules: Arc<Rules>, seats: u8, opening: Opening) -> Result<Self, Vec<String>> {
        let mut race = Race::open(rules, seats).map_err(|refusal| vec![refusal.to_string()])?;
        race.begin_at(opening);
        Ok(race)
    }

    fn set_up(rules: Arc<Rules>, seats: u8, opening: Opening, setup: Position) -> Result<Self, Vec<String>> {
        let mut race = Race::open_at(rules, seats, opening)?;
        let rules = race.rules.clone();
        let mut reader = Reader { rules: &rules, named: Vec::new(), faults: Vec::new() };
        race.position_of(&setup, &mut reader);
        let state = &mut race.state;
        state.phase = Phase::Open;
        state.dealt.add(opening.dealer);
        let dealing = rules.deal_style == DealStyle::Progressive && !state.full(&rules) && state.stock > 0;
        match setup.phase.as_deref() {
            None | Some("open" | "dealing") => {
                if dealing {
                    state.phase = Phase::Dealing;
                    state.next_card_at = Some(Millis(u32::from(rules.deal_interval_ms)));
                }
            }
            Some("called") => {
                let caller = setup.turn.map(Seat).filter(|s| s.index() < state.players.len());
                match caller {
                    Some(caller) => {
                        state.phase = Phase::Called;
                        state.call = Some(Call {
                            callers: SeatSet::one(caller),
                            since: Millis(0),
                            deadline: rules.call_timeout_s.millis().map(Millis),
                            while_dealing: dealing,
                        });
                    }
                    None => reader.faults.push("phase: `turn` says who has called".into()),
                }
            }
            Some(other) => {
                reader.faults.push(format!("phase: `{other}` cannot be set up: write `open` or `called`"));
            }
        }
        if !reader.faults.is_empty() {
            return Err(reader.faults);
        }
        // What follows by itself from such a position has happened.
        let mut events = Vec::new();
        Draft::new(&race, Millis(0), &mut events).settle();
        for event in &events {
            race.evolve(event);
        }
        Ok(race)
    }

    fn read_command(&self, seat: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(self.rules.deck, text).map_err(|why| {
            let claims: [(_, _, &[&str]); 4] = [
                ("claim", Act::Claim, &[]),
                ("seal", Act::Seal, &[]),
                ("scout", Act::Scout, &["SCOUT-3"]),
                ("show", Act::Show, &["SCOUT-5"]),
            ];
            let meant = claims.into_iter().find(|(word, ..)| text.trim().starts_with(word));
            let Some((_, act, own)) = meant else { return Refusal::in_words(&[], why) };
            // A claim that cannot even be written down has not the shape of one.
            let refusal = Refusal::in_words(own, why).citing(self.rules.shape_ids());
            // When it is made is not known here: a lock or a clock may have ended by then.
            let seated = seat.index() < self.state.players.len();
            let barred = seated.then(|| self.judge(seat).needs(Millis(u32::MAX), act).err()).flatten();
            refusal.citing(barred.map(|barred| barred.rules).unwrap_or_default())
        })
    }

    fn write_command(&self, command: &Command) -> String {
        command.text(self.rules.deck)
    }

    fn write_event(&self, event: &Event) -> String {
        let deck = self.rules.deck;
        let laid = |cards: &[Placed]| self.text(&cards.iter().map(|p| p.card).collect::<Vec<_>>());
        let drawn = |hand: &Hand| match hand {
            Hand::Seen(cards) => self.text(cards),
            Hand::Hidden(n) => format!("{n} cards"),
        };
        match event {
            Event::FirstDealer(seat) => format!("{seat} deals first"),
            Event::Dealt { board, left, .. } => format!("dealt: {}; stock {left}", board.text(deck)),
            Event::Laid { cards, why, .. } => {
                let why = if *why == super::Why::Extra { "extra" } else { "laid" };
                format!("{why}: {}", laid(cards))
            }
            Event::Drew { seat, cards, .. } => format!("{seat} draws {}", drawn(cards)),
            Event::Called { seat, .. } => format!("{seat} calls"),
            Event::WindowClosed => "nobody else may call".into(),
            Event::Answered { seat, claim, .. } => {
                format!("{seat} seals {}", claim.as_ref().map_or("nothing".into(), |c| c.text(deck)))
            }
            Event::CallClosed { seat, .. } => format!("the call of {seat} is closed"),
            Event::Picking { seat, claim, .. } => {
                format!("{seat} claims {}: right; one card leaves", claim.text(deck))
            }
            Event::Judged { verdict, .. } => self.verdict(verdict),
            Event::TieJudged { verdicts, heaped, .. } => {
                let all: Vec<String> = verdicts.iter().map(|v| self.verdict(v)).collect();
                format!("{}; heap {}", all.join("; "), self.text(heaped))
            }
            Event::Flag { seat, up: true, .. } => format!("{seat} raises a flag"),
            Event::Flag { seat, up: false, .. } => format!("{seat} lowers the flag"),
            Event::Looking { seat, .. } => format!("{seat} is still looking"),
            Event::FlagsDropped { .. } => "all flags drop: there is a claim".into(),
            Event::Swept { .. } => "the layout is removed".into(),
            Event::Shuffling(_) => "cards are shuffled into the stock".into(),
            Event::Shuffled { left, .. } => format!("stock {left}"),
            Event::Regrouped { board, .. } => format!("regrouped: {}", board.text(deck)),
            Event::Lit { card, .. } => format!("lit: {}", deck.text(*card)),
            Event::Hinted { seat, .. } => format!("{seat} has a hint"),
            Event::Asked { seat, .. } => format!("{seat} asks for a card"),
            Event::Sealed { seat, points, .. } => {
                format!("{seat} seals a Set and points at {}", deck.text(*points))
            }
            Event::Named { seat, card, .. } => format!("{seat} names {}", deck.text(*card)),
            Event::Passed { seat, .. } => format!("{seat} passes"),
            Event::ScoutFailed { seat, loses, .. } => {
                format!("{seat} fails, and loses {}", self.text(loses.as_slice()))
            }
            Event::Resolved { verdict, finder_takes, scout, .. } => {
                let scout =
                    scout.as_ref().map(|(seat, cards)| format!("; {seat} takes {}", self.text(cards)));
                format!(
                    "{}; {} takes {}{}",
                    self.verdict(verdict),
                    verdict.seat,
                    self.text(finder_takes),
                    scout.unwrap_or_default()
                )
            }
            Event::Thawed { .. } => "all thaw".into(),
            Event::Unlocked { .. } => "all locks end".into(),
            Event::Away { seat, .. } => format!("{seat} has lost the connection"),
            Event::Back { seat, .. } => format!("{seat} is back"),
            Event::Retired { seat, .. } => format!("{seat} has left"),
            Event::Joined { seat, .. } => format!("{seat} has joined"),
            Event::Returning { seat, here: true, .. } => {
                format!("{seat} is there again and comes in with the next deal")
            }
            Event::Returning { seat, here: false, .. } => format!("{seat} is gone again"),
            Event::DealOver { bonus, also, .. } => {
                let scores: Vec<_> = bonus
                    .iter()
                    .chain(also)
                    .map(|(seat, points)| format!("{seat} scores {points}"))
                    .collect();
                let colon = if scores.is_empty() { "" } else { ": " };
                format!("the deal is over{colon}{}", scores.join(", "))
            }
            Event::Next { deal, dealer, .. } => format!("deal {deal}, {dealer} deals"),
            Event::Ready { seat, .. } => format!("{seat} is ready"),
            Event::Graduating { seat, .. } => format!("{seat} votes for the whole deck"),
            Event::Graduated => "from now on with the whole deck".into(),
            Event::Begun => "the deck is shuffled".into(),
            Event::Ended { outcome, lost, .. } => match lost {
                true => "lost".into(),
                false => format!("the match is over: {} won", seats_text(outcome.winners)),
            },
        }
    }

    fn check(&self, statement: &str) -> Result<(), Result<Mismatch, String>> {
        self.check_now(self.clock, statement)
    }

    fn check_at(&self, at: Millis, statement: &str) -> Result<(), Result<Mismatch, String>> {
        self.check_now(at.max(self.clock), statement)
    }

    fn undecided(&self) -> SeatSet {
        match self.state.phase {
            // Agreement is what all are asked for while nobody has called.
            Phase::Open => self.state.needed(&self.rules, self.clock).minus(self.state.flags),
            _ => self.waiting(),
        }
    }

    fn turn_order(&self) -> Vec<Seat> {
        let seats = self.seats();
        self.state.dealer.step(1, seats).around(seats).collect()
    }

    fn position(&self) -> String {
        let (state, deck) = (&self.state, self.rules.deck);
        let each = |text: &dyn Fn(&super::Player) -> String| {
            state.players.iter().map(text).collect::<Vec<_>>().join(" ; ")
        };
        let mut lines = vec![
            format!("phase {} round {} dealer {}", state.phase.name(), state.deal, state.dealer),
            format!("slots: {}", state.board.text(deck)),
            format!("stock {}", state.stock),
            format!(
                "scores {}",
                state.players.iter().map(|p| p.score.to_string()).collect::<Vec<_>>().join(" ")
            ),
        ];
        let mut line = |name: &str, shown: bool, text: String| {
            if shown {
                lines.push(format!("{name}: {text}"));
            }
        };
        line("hands", self.rules.hand > 0, each(&|p| self.text(p.hand.cards())));
        line("previous", self.rules.sources == Sources::Previous, each(&|p| self.text(&p.previous)));
        line("taken", state.players.iter().any(|p| !p.taken.is_empty()), each(&|p| self.text(&p.taken)));
        line("heap", !state.heap.is_empty(), self.text(&state.heap));
        line("discard", !state.pile.is_empty(), self.text(&state.pile));
        line("flags", !state.flags.is_empty(), seats_text(state.flags));
        if let Some(call) = state.call {
            let until = call.deadline.map_or(String::new(), |deadline| format!(" until {} ms", deadline.0));
            line("called", true, format!("{}{until}", seats_text(call.callers)));
        }
        if let Some(search) = self.state.search.as_ref().filter(|_| self.rules.mechanism == Mechanism::Scout)
        {
            line("search", true, format!("{} points at {}", search.finder, deck.text(search.points)));
        }
        lines.join("\n")
    }
}

impl Race {
    /// Round and dealer of a written beginning: whoever dealt before has dealt (SET-8).
    fn begin_at(&mut self, opening: Opening) {
        let (seats, dealer) = (self.seats(), Seat(opening.dealer.0 % self.seats()));
        self.dealer_known = true;
        (self.state.deal, self.state.dealer) = (opening.round, dealer);
        let before = i32::from(opening.round.min(u16::from(seats))) - 1;
        self.state.dealt = (1..=before).map(|back| dealer.step(-back, seats)).collect();
    }

    fn verdict(&self, verdict: &super::Verdict) -> String {
        let claim = verdict.claim.text(self.rules.deck);
        let what = if claim.is_empty() { String::new() } else { format!(" claims {claim}") };
        format!("{}{what}: {} ({:+})", verdict.seat, self.finding(verdict.finding), verdict.points)
    }
}
