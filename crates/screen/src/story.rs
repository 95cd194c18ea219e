//! What happened in a game of Contract Rummy, line by line: who took what and why, who melded, who cut well.

use crate::{Desk, card, divided};
use cards::{Face, Pack};
use contract::View;
use contract::event::{Event, Notice};
use contract::state::Phase;
use game::{Seat, SeatSet};
use words::said;

/// A line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The sentence.
    pub text: String,
    /// Whether it is worth being said aloud at once.
    pub loud: bool,
}

/// Who tells a match: what is to be remembered from one notice to the next.
#[derive(Clone, Debug, Default)]
pub struct Teller {
    turn: Option<Seat>,
    claimer: Option<Seat>,
    /// Who is asked whether they want the discard.
    asked: SeatSet,
    /// What this person has answered.
    answered: Option<bool>,
    /// Whether a discard is offered.
    offered: bool,
}

impl Teller {
    /// Who goes on telling a match that is seen from its middle on.
    #[must_use]
    pub fn of(view: &View) -> Teller {
        let (flow, on) = (&view.flow, !matches!(view.flow.phase, Phase::Deal | Phase::Over));
        Teller {
            turn: on.then_some(flow.turn),
            claimer: flow.phase.claimer(),
            asked: flow.phase.asked(),
            answered: view.own.answer,
            offered: matches!(flow.phase, Phase::Offer { .. }),
        }
    }

    /// Tells a notice, where there is something to tell; `pack` is what its cards are of.
    pub fn notice(&mut self, desk: Desk<'_>, pack: &Pack, notice: &Notice) -> Option<Told> {
        let told = Telling { teller: self, desk, pack }.notice(notice);
        told.map(|(text, loud)| Told { text, loud })
    }
}

/// A sentence, and whether it is loud.
type Line = Option<(String, bool)>;

struct Telling<'a> {
    teller: &'a mut Teller,
    desk: Desk<'a>,
    pack: &'a Pack,
}

impl Telling<'_> {
    fn name(&self, seat: Seat) -> String {
        self.desk.name_or_you(seat)
    }

    fn text(&self, face: Face) -> String {
        card::playing_short(self.desk.tongue, self.pack, face)
    }

    fn texts(&self, cards: &[Face]) -> String {
        card::playing_all(self.desk.tongue, self.pack, cards)
    }

    /// Whose turn it is.
    fn who(&self) -> String {
        let tongue = self.desk.tongue;
        self.teller.turn.map_or_else(|| said!(tongue, "story.somebody"), |seat| self.name(seat))
    }

    /// From whose hand a card was picked.
    fn hand(&self) -> String {
        let tongue = self.desk.tongue;
        self.teller.claimer.map_or_else(|| said!(tongue, "story.somebody"), |seat| self.desk.name(seat))
    }

    fn notice(&mut self, notice: &Notice) -> Line {
        let tongue = self.desk.tongue;
        match notice {
            Notice::Open(event) => self.begins(event).or_else(|| self.acts(event)),
            Notice::Gave { seat, .. } => {
                Some((said!(tongue, "story.has_chosen", name = self.name(*seat)), false))
            }
            Notice::Got { from, cards } => Some((
                said!(tongue, "story.came", name = self.desk.name(*from), cards = self.texts(cards)),
                true,
            )),
            Notice::Drew { .. } => {
                let drew = said!(tongue, "story.drew_stock", name = self.who());
                let nobody =
                    std::mem::take(&mut self.teller.offered).then(|| said!(tongue, "story.nobody_asked"));
                Some((nobody.map_or(drew.clone(), |n| format!("{n} {drew}")), false))
            }
            Notice::Picked => {
                Some((said!(tongue, "story.picked_unseen", name = self.who(), from = self.hand()), true))
            }
            Notice::Penalty { seat } => {
                Some((said!(tongue, "story.penalty_other", name = self.name(*seat)), false))
            }
            Notice::Pushed { to, discard, .. } => {
                let (name, card) = (self.who(), self.text(*discard));
                Some((said!(tongue, "story.pushed", name = name, card = card, to = self.name(*to)), true))
            }
            Notice::RoundOver { winner: Some(seat), .. } => {
                Some((said!(tongue, "story.round_won", name = self.name(*seat)), true))
            }
            Notice::RoundOver { winner: None, .. } => Some((said!(tongue, "sheet.blocked"), true)),
            _ => None,
        }
    }

    /// A turn begins, a discard is offered, somebody gets it.
    fn begins(&mut self, event: &Event) -> Line {
        let tongue = self.desk.tongue;
        match event {
            Event::Round { .. } => {
                self.teller.turn = None;
                None
            }
            Event::Cut { depth, points } if *points != 0 => {
                Some((said!(tongue, "story.cut_hit", n = depth, points = points), true))
            }
            Event::Cut { depth, .. } => Some((said!(tongue, "story.cut", n = depth), false)),
            Event::Skipped { seat } => Some((said!(tongue, "story.skipped", name = self.name(*seat)), true)),
            Event::Gave { to, cards, .. } => {
                let (cards, name) = (self.texts(cards), self.desk.name(*to));
                Some((said!(tongue, "story.gave", cards = cards, name = name), false))
            }
            Event::PassedOn => Some((said!(tongue, "story.taken_up"), false)),
            Event::Turn { seat, .. } => {
                self.teller.turn = Some(*seat);
                self.teller.offered = false;
                None
            }
            Event::Offer { asked, .. } => {
                (self.teller.asked, self.teller.offered, self.teller.answered) = (*asked, true, None);
                None
            }
            Event::Answered { take, .. } => {
                self.teller.answered = Some(*take);
                None
            }
            Event::Took { seat, card, .. } => {
                let (name, card) = (self.name(*seat), self.text(*card));
                self.teller.offered = false;
                let wanted = self.teller.answered == Some(true)
                    && self.desk.me.is_some_and(|me| self.teller.asked.has(me));
                let text = if self.teller.turn == Some(*seat) {
                    said!(tongue, "story.bought", name = name, card = card)
                } else if self.desk.me == Some(*seat) {
                    said!(tongue, "story.got", card = card)
                } else if wanted {
                    said!(tongue, "story.sooner", name = name, card = card)
                } else {
                    said!(tongue, "story.took", name = name, card = card)
                };
                Some((text, true))
            }
            Event::Remake { .. } => Some((said!(tongue, "story.remake"), false)),
            _ => None,
        }
    }

    /// What somebody does in a turn.
    fn acts(&mut self, event: &Event) -> Line {
        let tongue = self.desk.tongue;
        match event {
            // Who was pushed to, or sees every card, knows the card from the stock too.
            Event::Pushed { to, discard, card, .. } => {
                let (discard, card) = (self.text(*discard), self.text(*card));
                let key = if self.desk.me == Some(*to) { "story.pushed_to_you" } else { "story.pushed_both" };
                let to = self.desk.name(*to);
                Some((said!(tongue, key, name = self.who(), card = discard, stock = card, to = to), true))
            }
            Event::Drew { discard: true, card, .. } => {
                Some((said!(tongue, "story.drew_discard", name = self.who(), card = self.text(*card)), true))
            }
            Event::Drew { card, .. } => {
                Some((said!(tongue, "story.drew_card", card = self.text(*card)), true))
            }
            Event::Penalty { card, .. } => {
                Some((said!(tongue, "story.penalty", card = self.text(*card)), true))
            }
            Event::Melded { contract, melds } => {
                let cards: Vec<String> =
                    melds.iter().map(|m| self.texts(&m.faces().collect::<Vec<_>>())).collect();
                let key = if contract.is_some() { "story.melded" } else { "story.melded_more" };
                Some((said!(tongue, key, name = self.who(), cards = divided(tongue, &cards)), true))
            }
            Event::LaidOff { on, cards, .. } => {
                let cards = self.texts(cards);
                Some((said!(tongue, "story.laid_off", name = self.who(), cards = cards, on = on), true))
            }
            Event::Reclaimed { from, card, .. } => {
                let card = self.text(*card);
                Some((said!(tongue, "story.reclaimed", name = self.who(), card = card, on = from), true))
            }
            Event::Undone { .. } => Some((said!(tongue, "story.undone", name = self.who()), false)),
            Event::Discarded { card, protect } => {
                let key = if *protect { "story.protected" } else { "story.discarded" };
                Some((said!(tongue, key, name = self.who(), card = self.text(*card)), true))
            }
            Event::Held => Some((said!(tongue, "story.held", name = self.who()), false)),
            Event::Claimed { seat, on, .. } => {
                self.teller.claimer = Some(*seat);
                Some((said!(tongue, "story.claimed", name = self.name(*seat), on = on), true))
            }
            Event::Picked { card } => {
                let (name, card) = (self.who(), self.text(*card));
                Some((said!(tongue, "story.picked", name = name, card = card, from = self.hand()), true))
            }
            Event::TimedOut { seat } => {
                Some((said!(tongue, "story.timed_out", name = self.name(*seat)), true))
            }
            _ => None,
        }
    }
}
