//! What a player may do, judged from what that player sees: the truth and the view use the same code.

mod before;
mod draw;
mod end;
mod lay;
mod reclaim;

pub(crate) use draw::bar;
pub(crate) use end::layable;

use crate::command::{Command, Standing};
use crate::compiled::CompiledRules;
use crate::event::Claim;
use crate::hand::Hand;
use crate::meld::Law;
use crate::rules::Settings;
use crate::state::{Board, Flow, Phase, Waiting};
use cards::Face;
use game::{Refusal, Say, Seat, say};

/// Those of `rules` that are about this game or all games.
fn about<'r>(compiled: &CompiledRules, rules: &'r [&'static str]) -> impl Iterator<Item = &'static str> + 'r {
    let lineage = compiled.laws[0].lineage;
    rules.iter().copied().filter(move |rule| lineage.holds(rule))
}

/// A refusal that cites those of `rules` that are about this game or all games, the game's own first. Where none is, an option of another
/// game was turned on or off: the last one says what it is about.
pub(crate) fn refuse(compiled: &CompiledRules, rules: &[&'static str], say: Say) -> Refusal {
    let of_game: Vec<&'static str> = about(compiled, rules).collect();
    Refusal::new(if of_game.is_empty() { &rules[rules.len().saturating_sub(1)..] } else { &of_game }, say)
}

/// Judges what a seat may do, by what that seat sees.
#[derive(Clone, Copy)]
pub(crate) struct Judge<'a> {
    pub compiled: &'a CompiledRules,
    pub flow: &'a Flow,
    pub board: &'a Board,
    pub hand: &'a Hand,
    /// The card drawn from the discard pile in this turn, if the hand held none of its face before.
    pub back: Option<Face>,
    pub seat: Seat,
}

impl<'a> Judge<'a> {
    fn refuse(&self, rules: &[&'static str], say: Say) -> Refusal {
        refuse(self.compiled, rules, say)
    }

    /// The refusal, which cites those of `rules` that are about this game, too.
    fn cite(&self, mut refusal: Refusal, rules: &[&'static str]) -> Refusal {
        refusal.cite(about(self.compiled, rules));
        refusal
    }

    fn set(&self) -> &'a Settings {
        self.flow.own_set(self.compiled, self.seat)
    }

    fn law(&self) -> &'a Law {
        self.flow.law(self.compiled, self.seat)
    }

    fn text(&self, face: Face) -> String {
        self.compiled.pack.text(face)
    }

    /// Judges a command. What it comes to is not said here; of a cut at an exact depth only whether a cut is due.
    pub fn judge(&self, command: &Command) -> Result<(), Refusal> {
        self.in_time(command)?;
        let judged = match command {
            Command::Cut { .. } | Command::CutAt { .. } => self.cut(),
            Command::Contract { number } => self.choose(*number).map(|_| ()),
            Command::Wild { rank } => self.name(*rank),
            Command::PassOn { cards } => self.pass_on(cards),
            Command::DrawDiscard => self.draw_discard(),
            Command::DrawStock => self.draw_stock(),
            Command::DrawPush => self.draw_push(),
            Command::Buy => self.buy(),
            Command::Take => self.answer(),
            Command::Pass => self.pass(),
            Command::Stand(standing) => self.stand(standing.as_ref()),
            Command::Meld { contract, melds } => self.meld(*contract, melds).map(|_| ()),
            Command::LayOff { cards, on, end } => self.lay_off(cards, *on, *end).map(|_| ()),
            Command::Reclaim { card, from } => self.reclaim(*card, *from).map(|_| ()),
            Command::Undo => self.undo(),
            Command::Discard { card, shanghai } => self.discard(*card, *shanghai),
            Command::Hold => self.hold(),
            Command::Shanghai { on, end } => self.claim(Claim { on: *on, end: *end }).map(|_| ()),
            Command::Pick { place } => self.pick(*place),
        };
        judged.map_err(|why| self.refused(why))
    }

    /// A refusal, which cites also that something else must be done first, before a round's first turn: the cut, or that the contract is
    /// picked, a rank named, cards passed on.
    pub fn refused(&self, why: Refusal) -> Refusal {
        match self.comes_first() {
            Some((rules, _)) => self.cite(why, rules),
            None => why,
        }
    }

    /// What must be done before a round's first turn, by which rules; none once there are turns.
    fn comes_first(&self) -> Option<(&'static [&'static str], Say)> {
        Some(match self.flow.phase {
            Phase::Cut => (&["LV-2", "A-35"], say!("no_contract.cut_first")),
            Phase::Choose => (&["HR-PICK-2"], say!("no_contract.choice_first")),
            Phase::Name => (&["HR-WILD-4"], say!("no_contract.naming_first")),
            Phase::Pass => (&["HR-PASS-1"], say!("no_contract.passing_first")),
            _ => return None,
        })
    }

    /// Whether anything can be done now: the match goes on, and chance has fallen; a standing answer does not wait for it.
    pub fn in_time(&self, command: &Command) -> Result<(), Refusal> {
        if self.flow.phase == Phase::Over {
            return Err(self.refuse(&["RF-12"], say!("no.over")));
        }
        if self.flow.waiting != Waiting::Nothing && !matches!(command, Command::Stand(_)) {
            return Err(self.refuse(&["RF-2"], say!("no_contract.chance_first")));
        }
        Ok(())
    }

    /// Whether a standing answer may be set.
    pub fn stand(&self, standing: Option<&Standing>) -> Result<(), Refusal> {
        if let Some(Standing::Take(faces)) = standing
            && faces.len() > Face::COUNT
        {
            return Err(self.refuse(&["A-36"], say!("no_contract.name_once")));
        }
        if matches!(self.flow.phase, Phase::Deal | Phase::Cut) {
            return Err(self.refuse(&["A-36"], say!("no_contract.no_round")));
        }
        Ok(())
    }

    /// Whether it is this seat's PLAY: it has drawn, and what it holds now is what it ends the turn with.
    fn is_playing(&self) -> bool {
        self.flow.phase == Phase::Play && self.flow.turn == self.seat
    }

    /// That it is this seat's PLAY; `rules` are what else forbids the act now, `undrawn` says that drawing comes first.
    fn plays(&self, rules: &[&'static str], undrawn: Say) -> Result<(), Refusal> {
        let flow = self.flow;
        if self.is_playing() {
            return Ok(());
        }
        if let Some((first, say)) = self.comes_first() {
            return Err(self.refuse(&[rules, &["RF-1"], first].concat(), say));
        }
        let (more, say): (&[&'static str], Say) = match flow.phase {
            _ if flow.turn != self.seat => (&["CR-MAY-2", "SH-MAY-3", "RF-2"], say!("no.not_your_turn")),
            Phase::Shanghai { .. } => (&["SH-CALL-3", "A-29"], say!("no_contract.may_be_claimed")),
            Phase::Pick { .. } => (&["SH-CALL-3", "A-29"], say!("no_contract.discarder_picks")),
            _ => (&[], undrawn),
        };
        Err(self.refuse(&[rules, &["RF-1"], more].concat(), say))
    }

    fn not_held(&self, card: Face) -> Say {
        say!("no_contract.not_held", card = self.text(card))
    }

    /// Whether the cards are all in hand.
    fn holds(&self, cards: impl Iterator<Item = Face>) -> Result<(), Refusal> {
        let mut hand = *self.hand;
        for card in cards {
            if !hand.remove(card) {
                let say = match self.hand.count(card) {
                    0 => self.not_held(card),
                    held => say!("no_contract.held_so_often", card = self.text(card), n = held),
                };
                return Err(self.refuse(&["RF-2", "A-55"], say));
            }
        }
        Ok(())
    }
}
