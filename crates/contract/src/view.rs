//! What one viewer holds of a match: all that a screen or a bot needs, and nothing that is hidden from it.

use crate::apply::{hand_moves, pile_moves};
use crate::command::Command;
use crate::compiled::SharedRules;
use crate::event::{Event, Notice};
use crate::hand::Hand;
use crate::judge::Judge;
use crate::meld::Law;
use crate::rules::{EarlyAsks, RoundRules};
use crate::sealed::{Call, Own, Passed};
use crate::state::{Board, Flow, Next, Phase, Waiting};
use crate::truth::Match;
use cards::Face;
use game::{Chance, Seat, Viewer};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What one viewer knows of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractView")]
#[serde(remote = "Self")]
pub struct View {
    /// The rules.
    #[serde(rename = "book")] // The name by which clients know them.
    pub compiled: SharedRules,
    /// Whose view it is; none for the table's.
    pub seat: Option<Seat>,
    /// Everything small that is public.
    pub flow: Flow,
    /// Melds, score sheet, log and the like.
    pub board: Board,
    /// The viewer's own hand.
    pub hand: Hand,
    /// The viewer's own answers, standing ones among them.
    pub own: Own,
    /// What the viewer knows of the cards that were passed on in this round.
    #[serde(default, skip_serializing_if = "Passed::is_empty")]
    pub passed: Passed,
    /// The card drawn from the discard pile in this turn, which may not go back at once (A-23).
    pub back: Option<Face>,
    /// The whole discard pile, its top card last, where everybody may look through it; else empty.
    pub pile: Vec<Face>,
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        View::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for View {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<View, D::Error> {
        let mut view = View::deserialize(deserializer)?;
        view.names_what_is_there()?;
        view.compiled.turn(&view.flow);
        Ok(view)
    }
}

impl View {
    /// Whether all seats and rounds that a view names are there: one that a stranger has written may name others, and whoever looks
    /// them up would find none.
    fn names_what_is_there<Error: serde::de::Error>(&self) -> Result<(), Error> {
        let (flow, board) = (&self.flow, &self.board);
        if !(1..=Seat::MOST).contains(&flow.seats) {
            return Err(Error::custom("a table has 1 to 12 seats"));
        }
        let whose = [flow.first_dealer, flow.dealer, flow.turn, flow.discarder];
        let seats = [self.seat, flow.thrower, flow.last_taker, flow.taker, flow.phase.claimer()];
        let seats = seats.into_iter().flatten().chain(whose);
        let seats = seats.chain(board.melds.iter().map(|meld| meld.owner));
        let seats = seats.chain(board.taken.iter().map(|taken| taken.seat));
        let mut seats = seats.chain(board.thrown.iter().filter_map(|thrown| thrown.seat));
        if seats.any(|seat| seat.0 >= flow.seats) {
            return Err(Error::custom("a seat is named that the table has not"));
        }
        let rounds = [Some(flow.round), flow.contract].into_iter().chain(flow.picked).flatten();
        let mut rounds = rounds.chain(board.sheet.iter().map(|line| line.round));
        if rounds.any(|round| usize::from(round) >= self.compiled.rules.rounds.len()) {
            return Err(Error::custom("a round is named that the rules have not"));
        }
        Ok(())
    }

    pub(crate) fn seat_judge(&self) -> Option<Judge<'_>> {
        let seat = self.seat?;
        Some(Judge {
            compiled: &self.compiled,
            flow: &self.flow,
            board: &self.board,
            hand: &self.hand,
            back: self.back,
            seat,
        })
    }

    /// The round being played: its contract, deal and settings.
    #[must_use]
    pub fn round(&self) -> &RoundRules {
        self.compiled.round(self.flow.round)
    }

    /// The round whose contract this viewer (or, for the table, P0) is after, as a place in the rules' list.
    #[must_use]
    pub fn contract(&self) -> u16 {
        self.flow.contract_of(&self.compiled, self.seat.unwrap_or(self.flow.turn))
    }

    /// The contracts from which this viewer (or, for the table, P0) may pick, as places in the rules' list; empty where there is
    /// no choice or it has been made.
    #[must_use]
    pub fn contracts_left(&self) -> Vec<u16> {
        self.flow.contracts_left(&self.compiled, self.seat.unwrap_or(self.flow.turn))
    }

    /// Who would lose a turn if P0 discarded this card now (HR-SKIP-2).
    #[must_use]
    pub fn loses_turn(&self, card: Face) -> Option<Seat> {
        let flow = &self.flow;
        let out = flow.sizes[flow.turn.index()] <= 1;
        let again = flow.set(&self.compiled).draw.first_double && flow.turns == 0;
        flow.loser(&self.compiled).filter(|_| self.law().is_skip(card) && !out && !again)
    }

    /// What this viewer's melds are judged by.
    #[must_use]
    pub fn law(&self) -> &Law {
        &self.compiled.laws[usize::from(self.contract())]
    }

    /// Whether `command` would be accepted now, or else why not. A cut at an exact depth, which only matches that were
    /// written down understand, is taken to be right.
    ///
    /// # Errors
    /// The refusal that the truth would give.
    pub fn judge(&self, command: &Command) -> Result<(), game::Refusal> {
        self.seat_judge().ok_or_else(|| game::say!("no.spectators"))?.judge(command)
    }

    /// Applies an event that this viewer sees whole, or what it sees of it.
    fn apply(&mut self, event: &Event) {
        let flow = self.flow;
        if let Some(seat) = self.seat {
            self.own.apply(&flow, event, seat);
            self.passed.apply(&self.compiled, &flow, event, seat);
            if let Event::Drew { discard: true, card, .. } = event
                && flow.turn == seat
            {
                self.back = flow.bars_back(&self.hand, *card).then_some(*card);
            }
        }
        if matches!(event, Event::Turn { .. } | Event::Discarded { .. } | Event::Held | Event::Round { .. }) {
            self.back = None;
        }
        if matches!(event, Event::Round { .. }) {
            self.hand = Hand::default();
        }
        if self.compiled.rules.settings.table.discard_browse {
            pile_moves(&mut self.pile, event);
        }
        self.board.apply(&self.compiled, &flow, event);
        self.flow.apply(&self.compiled, event);
        self.compiled.turn(&self.flow);
    }

    /// Takes in what this viewer learns.
    pub(crate) fn take_in(&mut self, notice: &Notice) {
        let joker = Face::JOKER;
        match notice {
            Notice::Open(event) => {
                if let Some(own) = self.seat {
                    let hand = &mut self.hand;
                    let before = *hand;
                    hand_moves(&self.flow, event, |seat, card, comes| {
                        if seat == own {
                            if comes {
                                hand.add(card);
                            } else {
                                hand.remove(card);
                            }
                        }
                    });
                    // What was held before is asked when the draw is taken in.
                    let after = std::mem::replace(&mut self.hand, before);
                    self.apply(event);
                    if !matches!(event, Event::Round { .. }) {
                        self.hand = after;
                    }
                } else {
                    self.apply(event);
                }
            }
            Notice::Dealt { hand, top } => {
                self.apply(&Event::Dealt { deck: Vec::new(), top: *top });
                self.hand = hand.iter().copied().collect();
            }
            Notice::Gave { seat, to, until } => {
                self.apply(&Event::Gave { seat: *seat, to: *to, cards: Vec::new(), until: *until });
            }
            Notice::Got { cards, .. } => {
                self.apply(&Event::PassedOn);
                cards.iter().for_each(|&card| self.hand.add(card));
                self.passed.taken.clone_from(cards);
            }
            Notice::Penalty { seat } => self.apply(&Event::Penalty { seat: *seat, card: joker }),
            Notice::Remade => self.apply(&Event::Remade { cards: Vec::new() }),
            Notice::Drew { until } => {
                self.apply(&Event::Drew { discard: false, card: joker, top: self.flow.top, until: *until });
            }
            Notice::Pushed { to, discard, top } => {
                self.apply(&Event::Pushed { to: *to, discard: *discard, card: joker, top: *top });
            }
            Notice::Picked => self.apply(&Event::Picked { card: joker }),
            Notice::RoundOver { winner, points, hands } => {
                self.apply(&Event::RoundOver { winner: *winner, points: points.clone() });
                self.board.shown.clone_from(hands);
            }
        }
    }

    /// Whether the decision of this seat is missing.
    pub(crate) fn is_awaited(&self) -> bool {
        let Some(seat) = self.seat else { return false };
        let flow = &self.flow;
        flow.waiting == Waiting::Nothing
            && match flow.phase {
                Phase::Deal | Phase::Over => false,
                Phase::Cut => flow.cutter(&self.compiled) == seat,
                Phase::Choose => flow.chooser(&self.compiled) == seat,
                Phase::Name => flow.dealer == seat,
                Phase::Pass => flow.passing().has(seat),
                Phase::Start | Phase::Play => flow.turn == seat,
                Phase::Offer { asked } => asked.has(seat) && self.own.answer.is_none(),
                Phase::Shanghai { asked } => asked.has(seat) && self.own.call == Call::Open,
                Phase::Pick { .. } => flow.discarder == seat,
            }
    }

    /// A truth that may lie behind this view.
    pub(crate) fn imagined(&self, chance: &mut impl Chance) -> Match {
        let flow = self.flow;
        let mut game = Match::new(self.compiled.0.rules.clone(), flow.seats, false);
        game.compiled = self.compiled.clone();
        game.flow = flow;
        game.board = self.board.clone();
        // Every card that this viewer cannot place, in any order.
        let mut unseen: Hand = game.compiled.cards.iter().copied().collect();
        for face in self.board.melds.iter().flat_map(|m| m.meld.faces()).chain(self.hand.cards()) {
            unseen.remove(face);
        }
        if let Some(seat) = self.seat {
            game.passed[seat.index()] = self.passed.clone();
            // What the viewer passed on lies on the table, or in the hand of whoever got it.
            let taker = flow.passes_to(&self.compiled, seat);
            for &card in &self.passed.given {
                if flow.passed.has(seat) {
                    unseen.remove(card);
                } else if taker != seat && unseen.remove(card) {
                    game.hands[taker.index()].add(card);
                }
            }
        }
        // Of the pile, what everybody may look through, or remembers.
        let piled = if self.pile.is_empty() { self.board.piled().collect() } else { self.pile.clone() };
        piled.iter().for_each(|&card| {
            unseen.remove(card);
        });
        // What others took from the pile and still hold, everybody knows.
        for seat in (0..flow.seats).map(Seat).filter(|&seat| self.seat != Some(seat)) {
            for card in self.board.known(seat) {
                let hand = &mut game.hands[seat.index()];
                if hand.len() < usize::from(flow.sizes[seat.index()]) && unseen.remove(card) {
                    hand.add(card);
                }
            }
        }
        let mut hidden: Vec<Face> = unseen.cards().collect();
        chance.shuffle(&mut hidden);
        let mut next = hidden.into_iter();
        for seat in 0..usize::from(flow.seats) {
            if self.seat == Some(Seat(seat as u8)) {
                game.hands[seat] = self.hand;
                continue;
            }
            let more = usize::from(flow.sizes[seat]).saturating_sub(game.hands[seat].len());
            next.by_ref().take(more).for_each(|card| game.hands[seat].add(card));
            if flow.passed.has(Seat(seat as u8)) {
                game.passed[seat].given = next.by_ref().take(flow.passes(&self.compiled).into()).collect();
            }
        }
        game.stock.extend(next.by_ref().take(usize::from(flow.stock)));
        game.pile.extend(next.by_ref().take(usize::from(flow.pile).saturating_sub(piled.len())));
        game.pile.extend(piled);
        game.aside = next.collect();
        if let Some(seat) = self.seat {
            game.sealed.own[seat.index()] = self.own;
            game.sealed.back = self.back;
        }
        if flow.next == Next::Discard {
            game.sealed.discard = Some((game.hands[flow.turn.index()].nth(0), false));
        }
        game.count_deadwood();
        game
    }
}

impl Match {
    /// What a viewer knows.
    pub(crate) fn view_of(&self, who: Viewer) -> View {
        let seat = match who {
            Viewer::Seat(seat) if seat.0 < self.flow.seats => Some(seat),
            _ => None,
        };
        View {
            compiled: self.compiled.clone(),
            seat,
            flow: self.flow,
            board: self.board.clone(),
            hand: seat.map_or(Hand::default(), |s| self.hands[s.index()]),
            own: seat.map_or(Own::default(), |s| self.sealed.own[s.index()]),
            passed: seat.map_or_else(Passed::default, |s| self.passed[s.index()].clone()),
            back: self.sealed.back.filter(|_| seat == Some(self.flow.turn)),
            pile: if self.compiled.rules.settings.table.discard_browse {
                self.pile.clone()
            } else {
                Vec::new()
            },
        }
    }

    /// What a viewer learns of an event, asked before it is applied.
    pub(crate) fn notice_of(&self, event: &Event, who: Viewer) -> Option<Notice> {
        let flow = &self.flow;
        let open = || Some(Notice::Open(event.clone()));
        match event {
            Event::Dealt { deck, top } => {
                let mut own = Hand::default();
                self.deal(deck, |seat, card| {
                    if who.is(seat) {
                        own.add(card);
                    }
                });
                Some(Notice::Dealt { hand: own.cards().collect(), top: *top })
            }
            Event::Answered { seat, take } => {
                let shown = flow.set(&self.compiled).take.early_asks == EarlyAsks::Shown
                    && flow.phase == Phase::Start
                    && (*take || flow.shown.has(*seat));
                if who.is(*seat) || shown { open() } else { None }
            }
            Event::Stands { seat, .. } | Event::Called { seat, .. } => {
                if who.is(*seat) {
                    open()
                } else {
                    None
                }
            }
            Event::Withheld { .. } => None,
            Event::Gave { seat, to, until, .. } if !who.is(*seat) => {
                Some(Notice::Gave { seat: *seat, to: *to, until: *until })
            }
            Event::PassedOn => match who {
                Viewer::Seat(seat) if seat.0 < flow.seats => {
                    let from = flow.passed_by(&self.compiled, seat);
                    Some(Notice::Got { from, cards: self.passed[from.index()].given.clone() })
                }
                _ => open(),
            },
            Event::Penalty { seat, .. } if !who.is(*seat) => Some(Notice::Penalty { seat: *seat }),
            Event::Remade { .. } => Some(Notice::Remade),
            Event::Drew { discard: false, until, .. } if !who.is(flow.turn) => {
                Some(Notice::Drew { until: *until })
            }
            Event::Pushed { to, discard, top, .. } if !who.is(*to) => {
                Some(Notice::Pushed { to: *to, discard: *discard, top: *top })
            }
            Event::Picked { .. }
                if !who.is(flow.discarder) && !flow.phase.claimer().is_some_and(|c| who.is(c)) =>
            {
                Some(Notice::Picked)
            }
            Event::RoundOver { winner, points } => Some(Notice::RoundOver {
                winner: *winner,
                points: points.clone(),
                hands: self.hands.iter().map(|hand| hand.cards().collect()).collect(),
            }),
            _ => open(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::command::Command;
    use crate::rules::Rules;
    use crate::truth::Match;
    use cards::Face;
    use game::chance::SplitMix;
    use game::written::{Opening, Written};
    use game::{Game, Input, Millis, Seat, Timing, Viewer};
    use std::sync::Arc;

    /// The rank that the dealer names is told with the contract that was picked, not with that of the round's place (HR-WILD-4).
    #[test]
    fn what_is_wild_is_told_with_the_contract_that_was_picked() {
        let mut rules = Rules::contract(3);
        rules.settings.game.choice = crate::rules::ContractChoice::Dealer;
        rules.rounds.iter_mut().for_each(|round| round.settings.wild.named = true);
        let text = "phase = \"choose\"\nhands = [\"KC\", \"KD\", \"KH\"]\nstock = \"...\"";
        let opening = Opening { round: 1, dealer: Seat(2) };
        let position = toml::from_str(text).expect("a position");
        let mut game = Match::set_up(Arc::new(rules), 3, opening, position).expect("cards of the pack");
        let mut events = Vec::new();
        for command in [Command::Contract { number: 3 }, Command::Wild { rank: 7 }] {
            let input = Input::Play(Seat(2), command, Timing::at(Millis(0)));
            game::step(&mut game, Millis(0), &input, &mut events).unwrap_or_else(|why| panic!("{why}"));
        }
        let view = game.view(Viewer::Seat(Seat(0)));
        assert_eq!((view.contract(), view.law().turned), (2, 7));
        assert_eq!(view.compiled.laws[0].turned, 0);
    }

    /// Three players with three cards each, and what else the position says.
    fn three_hands(rules: Rules, more: &str) -> Match {
        let text = format!(
            r#"
            hands = ["KC 2C 3C", "KD 2D 3D", "KH 2H 3H"]
            discard = "AS"
            stock = "4C 4D 4H 5C ..."
            {more}
        "#
        );
        let position = toml::from_str(&text).expect("a position");
        let opening = Opening { round: 1, dealer: Seat(2) };
        Match::set_up(Arc::new(rules), 3, opening, position).expect("cards of the pack")
    }

    /// What a player passed on lies in every truth that this player can imagine with whoever got it, until that player parts with
    /// one like it; nobody else knows of it (HR-PASS-1).
    #[test]
    fn who_passed_cards_on_knows_where_they_are() {
        let mut rules = Rules::contract(3);
        rules.rounds.iter_mut().for_each(|round| {
            round.settings.take.on = false;
            round.settings.pass.cards = 2;
        });
        let pack = rules.pack();
        let cards = |text: &str| pack.parse_all(text).expect("cards");
        let mut game = three_hands(rules, "phase = \"pass\"");
        let mut chance = SplitMix(1);
        let play = |game: &mut Match, seat: u8, command: Command| {
            let input = Input::Play(Seat(seat), command, Timing::at(Millis(0)));
            game::step(game, Millis(0), &input, &mut Vec::new()).unwrap_or_else(|why| panic!("{why}"));
        };
        play(&mut game, 0, Command::PassOn { cards: cards("KC 2C") });
        for who in [Viewer::Seat(Seat(0)), Viewer::Seat(Seat(1)), Viewer::Table] {
            let view = game.view(who);
            assert_eq!((view.flow.sizes[0], view.flow.passed.len()), (1, 1), "{who:?}");
            let given = if who.is(Seat(0)) { cards("KC 2C") } else { Vec::new() };
            assert_eq!((view.passed.given.clone(), view.passed.taken.len()), (given, 0), "{who:?}");
            let lies = Match::imagine(&view, &mut chance).passed[0].given.len();
            assert_eq!(lies, 2, "{who:?} knows that two cards lie there");
        }
        play(&mut game, 1, Command::PassOn { cards: cards("KD 2D") });
        play(&mut game, 2, Command::PassOn { cards: cards("KH 2H") });
        assert_eq!(game.view(Viewer::Seat(Seat(1))).passed.taken, cards("KC 2C"));
        play(&mut game, 0, Command::DrawStock);
        play(&mut game, 0, Command::Discard { card: cards("KH")[0], shanghai: false });
        play(&mut game, 1, Command::DrawStock);
        let mut held = |game: &Match, known: &str| {
            let view = game.view(Viewer::Seat(Seat(0)));
            assert_eq!(view.passed.given, cards(known));
            for _ in 0..20 {
                let hand = Match::imagine(&view, &mut chance).hands[1];
                assert!(cards(known).into_iter().all(|card| hand.count(card) > 0), "{known} in {hand:?}");
            }
        };
        held(&game, "KC 2C");
        play(&mut game, 1, Command::Discard { card: cards("KC")[0], shanghai: false });
        held(&game, "2C");
        let other = game.view(Viewer::Seat(Seat(2)));
        assert_eq!(other.passed.given, cards("2H"), "what seat 0 holds of it");
    }

    /// What everybody saw thrown lies in the pile of every truth that a player can imagine, and in nobody's hand.
    #[test]
    fn who_imagines_a_match_remembers_what_was_thrown() {
        let mut rules = Rules::contract(3);
        rules.rounds.iter_mut().for_each(|round| round.settings.take.on = false);
        let pack = rules.pack();
        let mut game = three_hands(rules, "");
        let mut events = Vec::new();
        for (seat, card) in [(0, "KC"), (1, "KD"), (2, "KH")] {
            let card = pack.parse(card).expect("a card");
            for command in [Command::DrawStock, Command::Discard { card, shanghai: false }] {
                let input = Input::Play(Seat(seat), command, Timing::at(Millis(0)));
                game::step(&mut game, Millis(0), &input, &mut events).unwrap_or_else(|why| panic!("{why}"));
            }
        }
        let view = game.view(Viewer::Seat(Seat(0)));
        let thrown: Vec<Option<Seat>> = view.board.thrown.iter().map(|thrown| thrown.seat).collect();
        assert_eq!(thrown, [None, Some(Seat(0)), Some(Seat(1)), Some(Seat(2))]);
        let pile: Vec<Face> = pack.parse_all("AS KC KD KH").expect("cards");
        let mut chance = SplitMix(1);
        for _ in 0..20 {
            assert_eq!(Match::imagine(&view, &mut chance).pile, pile);
        }
    }
}
