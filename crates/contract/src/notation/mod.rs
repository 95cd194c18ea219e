//! Matches written down: positions, commands, events and statements as text (docs/notation.md).

mod position;
mod statement;

pub use position::Position;

use crate::command::Command;
use crate::event::Event;
use crate::meld::Meld;
use crate::truth::Match;
use cards::Face;
use game::written::{Mismatch, Opening, Written};
use game::{Presence, Refusal, Seat, SeatSet};
use statement::{Statement, list, seats_text};
use std::sync::Arc;

impl Match {
    /// Who passes cards on to whom (HR-PASS-1).
    fn passing_text(&self) -> String {
        let (flow, compiled) = (&self.flow, &self.compiled);
        let to = flow
            .order(compiled, flow.turn)
            .map(|seat| format!("{seat} to {}", flow.passes_to(compiled, seat)));
        to.collect::<Vec<_>>().join(", ")
    }
}

impl Written for Match {
    type Position = Position;

    fn open_at(rules: Arc<crate::Rules>, seats: u8, opening: Opening) -> Result<Match, Vec<String>> {
        Match::begun(rules, seats, opening)
    }

    fn set_up(
        rules: Arc<crate::Rules>,
        seats: u8,
        opening: Opening,
        position: Position,
    ) -> Result<Match, Vec<String>> {
        Match::at_position(rules, seats, opening, position)
    }

    fn read_command(&self, _: Seat, text: &str) -> Result<Command, Refusal> {
        Command::parse(text, &self.compiled.pack, self.exact).map_err(Refusal::slip)
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
            Event::Choose { seat, .. } => format!("seat {seat} picks the contract"),
            Event::Chose { contract } => {
                let number = self.compiled.round(*contract).number;
                let command = Command::Contract { number };
                format!("{} {}", flow.chooser(&self.compiled), command.text(pack, self.exact))
            }
            Event::Naming { seat, .. } => format!("seat {seat} names the rank that is wild"),
            Event::Named { rank } => {
                let command = Command::Wild { rank: *rank };
                format!("{} {}", self.flow.dealer, command.text(pack, self.exact))
            }
            Event::Skipped { seat } => format!("seat {seat} loses a turn"),
            Event::Passing { .. } => format!("cards are passed on: {}", self.passing_text()),
            Event::Gave { seat, cards, .. } => {
                format!("{seat} {}", Command::PassOn { cards: cards.clone() }.text(pack, self.exact))
            }
            Event::PassedOn => "the cards that were passed on are taken up".to_owned(),
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
        for seat in flow.passed.iter() {
            lines.push(format!(
                "passed on by seat {seat}: {}",
                pack.text_all(&self.passed[seat.index()].given)
            ));
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
