//! How a card is had: the draw, in turn, and the takes, out of it.

use super::{Judge, refuse};
use crate::compiled::CompiledRules;
use crate::rules::{DrawMode, EarlyAsks, Recycle, TakeRepeat, TakeShort, TakeWho};
use crate::state::{Flow, Phase};
use game::{Objections, Refusal, Say, Seat, say};

/// Why a seat may not ask for the top discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// There are no takes in this round.
    Off,
    /// There is no discard.
    Empty,
    /// The pile is closed for this turn.
    Protected,
    /// No takes in the first turn of a round.
    FirstTurn,
    /// No takes left.
    Limit,
    /// Took the card before, or another one.
    Repeat,
    /// Is down.
    Down,
    /// Threw it.
    Own,
    /// It is a wild, which nobody takes.
    Wild,
    /// It makes somebody lose a turn, and nobody takes it.
    Skip,
    /// The stock cannot pay the penalty cards.
    Short,
}

impl Bar {
    const ALL: [Self; 11] = [
        Self::Off,
        Self::Empty,
        Self::Protected,
        Self::Wild,
        Self::Skip,
        Self::FirstTurn,
        Self::Limit,
        Self::Repeat,
        Self::Own,
        Self::Down,
        Self::Short,
    ];

    fn holds(self, compiled: &CompiledRules, flow: &Flow, seat: Seat) -> bool {
        let take = &flow.set(compiled).take;
        // what bars from successive cards binds takes out of turn only.
        let other = seat != flow.turn;
        match self {
            Self::Off => !take.on,
            Self::Empty => flow.pile == 0,
            Self::Protected => flow.protected,
            Self::Wild => flow.wild_lies(compiled),
            Self::Skip => flow.skip_lies(compiled),
            Self::FirstTurn => flow.turns == 0 && !take.first_turn,
            Self::Limit => flow.takes_left(compiled, seat) == Some(0),
            Self::Repeat => match take.repeat {
                TakeRepeat::Free => false,
                TakeRepeat::NotConsecutive => other && flow.last_taker == Some(seat),
                TakeRepeat::OncePerTurn => other && flow.takers.has(seat),
            },
            Self::Own => other && !take.own_discard && flow.thrower == Some(seat),
            Self::Down => take.who == TakeWho::NotDown && flow.down.has(seat),
            Self::Short => {
                is_dealt(flow)
                    && take.short == TakeShort::Refuse
                    && flow.payable(compiled) < u16::from(take.penalty)
            }
        }
    }
}

/// What bars a seat from asking for the top discard (P0: from buying it), the first bar first.
fn bars(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> impl Iterator<Item = Bar> {
    Bar::ALL.into_iter().filter(move |bar| bar.holds(compiled, flow, seat))
}

/// Whether something bars a seat from asking for the top discard (P0: from buying it).
pub(crate) fn bar(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> Option<Bar> {
    bars(compiled, flow, seat).next()
}

/// Whether a seat may ask; if not, the rules of every bar are cited. Where there are no takes the other bars are about nothing.
fn barred_by_all(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> Result<(), Refusal> {
    let mut all = Objections::new();
    for bar in bars(compiled, flow, seat) {
        all.add(barred(compiled, flow, bar));
        if bar == Bar::Off {
            break;
        }
    }
    all.settle()
}

/// A bar in words, with the rules behind it.
pub(crate) fn barred(compiled: &CompiledRules, flow: &Flow, bar: Bar) -> Refusal {
    let label = &flow.set(compiled).take.label;
    let (rules, say): (&[&'static str], Say) = match bar {
        Bar::Off => (&["PR-BUY-1", "CR-MAY-1"], say!("no_contract.no_takes")),
        Bar::Empty => (&["CR-MAY-4"], say!("no_contract.none_to_ask_for")),
        Bar::Protected => (&["SH-CALL-1", "SH-CALL-3", "SH-CALL-6", "A-31"], say!("no_contract.protected")),
        Bar::Wild => (&["HR-WILD-1"], say!("no_contract.wild_lies")),
        Bar::Skip => (&["HR-SKIP-3"], say!("no_contract.skip_lies")),
        Bar::FirstTurn => (&["A-49"], say!("no_contract.first_turn")),
        Bar::Limit => (
            &["PR-BUY-2", "PW-5", "SH-MAY-1", "A-04"],
            say!("no_contract.no_takes_left", label = label.clone()),
        ),
        Bar::Repeat => (&["PR-BUY-7", "SH-MAY-3", "CR-MAY-3", "A-14"], say!("no_contract.takes_in_a_row")),
        Bar::Down => (&["A-15", "CR-MAY-5"], say!("no_contract.down_takes_none")),
        Bar::Own => (&["A-16"], say!("no_contract.own_discard")),
        Bar::Short => (&["SH-MAY-2", "CR-MAY-2", "A-27", "RF-8"], say!("no_contract.stock_cannot_pay")),
    };
    refuse(compiled, rules, say)
}

/// Whether there are cards of this round.
fn is_dealt(flow: &Flow) -> bool {
    !matches!(flow.phase, Phase::Deal | Phase::Cut)
}

impl Judge<'_> {
    /// Whether a window is to be answered with a pass.
    pub fn pass(&self) -> Result<(), Refusal> {
        if matches!(self.flow.phase, Phase::Shanghai { .. }) { self.may_claim() } else { self.answer() }
    }

    /// Whether it is this seat's START.
    fn starts(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        if flow.phase == Phase::Start && flow.turn == self.seat {
            return Ok(());
        }
        if let Some((first, say)) = self.comes_first() {
            return Err(self.refuse(&[first, &["RF-1"]].concat(), say));
        }
        Err(match flow.phase {
            Phase::Offer { .. } if flow.turn == self.seat => {
                self.refuse(&["SH-MAY-3", "CR-DRAW-2", "A-13", "RF-1"], say!("no_contract.declined"))
            }
            Phase::Play if flow.turn == self.seat => {
                self.refuse(&["RF-1", "CR-DRAW-1"], say!("no_contract.drawn"))
            }
            Phase::Shanghai { .. } => {
                self.refuse(&["SH-CALL-3", "A-29", "RF-1"], say!("no_contract.may_be_claimed"))
            }
            Phase::Pick { .. } => {
                self.refuse(&["SH-CALL-3", "A-29", "RF-1"], say!("no_contract.discarder_picks"))
            }
            _ => self.refuse(&["RF-1", "RF-11", "CR-DRAW-1", "CR-MAY-1"], say!("no.not_your_turn")),
        })
    }

    /// Whether P0 may take the top discard as the draw.
    pub fn draw_discard(&self) -> Result<(), Refusal> {
        let (compiled, flow) = (self.compiled, self.flow);
        let mut all = Objections::new();
        all.also(self.starts());
        if !is_dealt(self.flow) {
            return all.settle();
        }
        if flow.pile == 0 {
            all.add(self.refuse(&["CR-DRAW-1", "RF-1", "RF-5"], say!("no_contract.no_discard")));
        }
        for bar in [Bar::Protected, Bar::Wild, Bar::Skip] {
            if bar.holds(compiled, flow, self.seat) {
                all.add(barred(compiled, flow, bar));
            }
        }
        if !flow.set(compiled).draw.discard_when_down && flow.down.has(self.seat) {
            all.add(self.refuse(&["A-15"], say!("no_contract.down_draws_none")));
        }
        all.settle()
    }

    /// Whether P0 may decline the top discard and so draw from the stock.
    pub fn draw_stock(&self) -> Result<(), Refusal> {
        self.starts()?;
        let flow = self.flow;
        if flow.set(self.compiled).draw.mode == DrawMode::Push && flow.pile > 0 {
            return Err(self.refuse(&["RF-1", "CR-DRAW-1"], say!("no_contract.take_or_push")));
        }
        self.decline()
    }

    /// Whether P0 may push the top discard.
    pub fn draw_push(&self) -> Result<(), Refusal> {
        self.starts()?;
        let flow = self.flow;
        if flow.set(self.compiled).draw.mode != DrawMode::Push {
            return Err(self.refuse(&["RF-1", "CR-DRAW-1"], say!("no_contract.no_push")));
        }
        if flow.pile == 0 {
            return Err(self.refuse(&["RF-1"], say!("no_contract.none_to_push")));
        }
        self.decline()
    }

    fn decline(&self) -> Result<(), Refusal> {
        let (compiled, flow) = (self.compiled, self.flow);
        if flow.forced {
            return Err(self.refuse(&["Q-03", "RF-9"], say!("no_contract.forced")));
        }
        if !flow.may_decline(compiled) {
            let say = match flow.supply(compiled) {
                0 => say!("no_contract.stock_gone"),
                _ => say!("no_contract.push_takes_two", n = flow.stock),
            };
            let mut rules = vec!["RF-9", "A-26", "Q-02"];
            if flow.set(compiled).stock.recycle == Recycle::None {
                rules.push("A-25");
            }
            return Err(self.refuse(&rules, say));
        }
        Ok(())
    }

    /// Whether declining leaves P0 without a card, so that the round is blocked unless somebody takes.
    pub fn declining_blocks(&self) -> bool {
        !self.flow.can_draw(self.compiled)
    }

    /// Whether P0 may buy the top discard and still draw.
    pub fn buy(&self) -> Result<(), Refusal> {
        let (compiled, flow) = (self.compiled, self.flow);
        let take = &flow.set(compiled).take;
        let mut all = Objections::new();
        all.also(self.starts().map_err(|why| self.cite(why, &["PR-BUY-4"])));
        if !is_dealt(self.flow) {
            return all.settle();
        }
        if take.on && !take.own_turn {
            all.add(self.refuse(&["PR-BUY-4", "CR-MAY-1", "CR-DRAW-1"], say!("no_contract.own_turn")));
        }
        all.also(barred_by_all(compiled, flow, self.seat));
        let starts = flow.phase == Phase::Start && flow.turn == self.seat;
        if take.on && starts && (flow.forced || flow.supply(compiled) == 0) {
            all.add(self.refuse(&["Q-02", "Q-03", "RF-9"], say!("no_contract.only_discard")));
        }
        all.settle()
    }

    /// Whether this seat may answer an offer now (or early, or while P0 plays).
    pub fn answer(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        match (self.no_offer(), barred_by_all(self.compiled, flow, self.seat)) {
            // Who is asked has been found free to answer.
            (None, _) if flow.phase.asked().has(self.seat) => Ok(()),
            // What P0 has drawn since may have been the penalty card.
            (None, _) if flow.open.has(self.seat) && !Bar::Short.holds(self.compiled, flow, self.seat) => {
                Ok(())
            }
            (None, barred) => barred,
            (Some(refusal), Ok(())) => Err(refusal),
            (Some(refusal), Err(barred)) => Err(refusal.citing(barred.rules)),
        }
    }

    /// Why there is no offer for this seat to answer now, whatever bars the seat itself.
    fn no_offer(&self) -> Option<Refusal> {
        let flow = self.flow;
        if let Some((first, say)) = self.comes_first() {
            return Some(self.refuse(&[first, &["CR-MAY-1", "RF-1"]].concat(), say));
        }
        let own = flow.turn == self.seat;
        let (rules, say): (&[&'static str], Say) = match flow.phase {
            Phase::Offer { asked } if asked.has(self.seat) => return None,
            Phase::Play if flow.open.has(self.seat) => return None,
            // The card is open to others: what bars this seat says why.
            Phase::Play if !own && !flow.open.is_empty() && bar(self.compiled, flow, self.seat).is_some() => {
                return None;
            }
            Phase::Start | Phase::Offer { .. } if own => (
                &["SH-MAY-3", "PR-BUY-5", "CR-DRAW-1", "CR-DRAW-2", "CR-MAY-1", "A-13"],
                say!("no_contract.turn_draws"),
            ),
            Phase::Start => {
                if flow.set(self.compiled).take.early_asks == EarlyAsks::Off {
                    (&["Q-08", "A-39", "CR-MAY-1", "SH-MAY-3"], say!("no_contract.not_declined_yet"))
                } else if flow.forced {
                    (&["Q-03"], say!("no_contract.not_offered_again"))
                } else {
                    return None;
                }
            }
            // Who is not asked is barred, and the bar says why.
            Phase::Offer { .. } => return None,
            Phase::Shanghai { .. } | Phase::Pick { .. } => {
                (&["SH-CALL-3", "CR-MAY-1", "SH-MAY-3"], say!("no_contract.shanghai_first"))
            }
            _ => (
                &["SH-MAY-3", "PR-BUY-5", "CR-MAY-4", "CR-MAY-1", "CR-DRAW-1", "A-36", "RF-1"],
                say!("no_contract.no_offer"),
            ),
        };
        Some(self.refuse(rules, say))
    }
}
