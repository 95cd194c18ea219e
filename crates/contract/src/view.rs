//! What one viewer holds of a match: all that a screen or a bot needs, and nothing that is hidden from it.

use crate::command::Command;
use crate::event::{Event, Notice};
use crate::judge::Judge;
use crate::meld::Law;
use crate::rules::RoundRules;
use crate::sealed::{Call, Own};
use crate::table::{Board, Flow, Hand, Phase, SharedRules, Waiting, hand_moves, pile_moves};
use cards::Face;
use game::{Coverage, Millis, Outcome, Refusal, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one viewer knows of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ContractView")]
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
    /// The card drawn from the discard pile in this turn, which may not go back at once.
    pub back: Option<Face>,
    /// The whole discard pile, its top card last, where everybody may look through it; else empty.
    pub pile: Vec<Face>,
}

impl View {
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

    /// The contracts from which the first to meld may pick, as places in the rules' list; empty where there is no choice
    /// or it has been made.
    #[must_use]
    pub fn contracts_left(&self) -> Vec<u16> {
        if !self.compiled.chosen() || self.flow.contract.is_some() {
            return Vec::new();
        }
        self.compiled.played.iter().map(|&at| at as u16).filter(|&at| self.flow.used >> at & 1 == 0).collect()
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
        self.seat_judge().ok_or("spectators do not play")?.judge(command)
    }

    /// Applies an event that this viewer sees whole, or what it sees of it.
    fn apply(&mut self, event: &Event) {
        let flow = self.flow;
        if let Some(seat) = self.seat {
            self.own.apply(&flow, event, seat);
            if let Event::Drew { discard: true, card, .. } = event
                && flow.turn == seat
            {
                self.back = (self.hand.count(*card) == 0).then_some(*card);
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
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
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

    fn commands(&self, _: Millis) -> Coverage<Command> {
        self.all_commands()
    }

    fn closed(&self, _: Millis) -> Vec<(Command, Refusal)> {
        self.offers().map_or_else(Vec::new, |offers| offers.closed())
    }

    fn admits(&self, _: Millis, command: &Command) -> Option<bool> {
        Some(self.offered(command))
    }

    fn awaited(&self) -> bool {
        let Some(seat) = self.seat else { return false };
        let flow = &self.flow;
        flow.waiting == Waiting::Nothing
            && match flow.phase {
                Phase::Deal | Phase::Over => false,
                Phase::Cut => flow.cutter(&self.compiled) == seat,
                Phase::Start | Phase::Play => flow.turn == seat,
                Phase::Offer => flow.asked.has(seat) && self.own.answer.is_none(),
                Phase::Shanghai => flow.asked.has(seat) && self.own.call == Call::Open,
                Phase::Pick => flow.discarder == seat,
            }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.board.outcome.as_ref()
    }
}
