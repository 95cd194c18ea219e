//! What a player may do, judged from what that player sees: the truth and the view use the same code.

use crate::command::{Command, Standing};
use crate::compiled::{CompiledRules, Ways};
use crate::event::{Claim, Event};
use crate::hand::Hand;
use crate::meld::{DeclaredCard, DeclaredMeld, End, Fit, Kind, Law, Meld, Suits, TRIES};
use crate::rules::{
    DiscardBack, DiscardWild, DrawMode, LayoffOnto, LayoffWhen, MeldExtra, OutDiscard, OutStuck, ReclaimFrom,
    ReclaimUse, ReclaimWhen, Settings, TakeRepeat, TakeWho,
};
use crate::state::{Board, Flow, Phase, TableMeld, Waiting};
use cards::Face;
use game::{Refusal, Say, Seat, say};
use std::borrow::Cow;

/// A refusal that cites those of `rules` that are about this game or all games, the game's own first.
pub(crate) fn refuse(compiled: &CompiledRules, rules: &[&'static str], say: Say) -> Refusal {
    let lineage = compiled.laws[0].lineage;
    let of_game: Vec<&'static str> = rules.iter().copied().filter(|r| lineage.holds(r)).collect();
    // What no rule of the game's own line speaks of is cited from the game that has it.
    Refusal::new(if of_game.is_empty() { rules } else { &of_game }, say)
}

/// Adds ids to a refusal.
fn also(mut refusal: Refusal, rules: &[&'static str]) -> Refusal {
    for &rule in rules {
        if !refusal.cites(rule) {
            refusal.rules.push(Cow::Borrowed(rule));
        }
    }
    refusal
}

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
                take.short == crate::rules::TakeShort::Refuse
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

/// Why a seat may not ask, with the rules of every bar. Where there are no takes the other bars are about nothing.
fn barred_by_all(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> Option<Refusal> {
    let mut all: Option<Refusal> = None;
    for bar in bars(compiled, flow, seat) {
        let next = barred(compiled, flow, bar);
        match &mut all {
            None => all = Some(next),
            Some(all) => cite(all, next.rules),
        }
        if bar == Bar::Off {
            break;
        }
    }
    all
}

/// Adds what else forbids an act.
fn cite(refusal: &mut Refusal, rules: Vec<Cow<'static, str>>) {
    for rule in rules {
        if !refusal.rules.contains(&rule) {
            refusal.rules.push(rule);
        }
    }
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

    fn set(&self) -> &'a Settings {
        self.flow.own_set(self.compiled, self.seat)
    }

    fn law(&self) -> &'a Law {
        self.flow.law(self.compiled, self.seat)
    }

    fn text(&self, face: Face) -> String {
        self.compiled.pack.text(face)
    }

    // ANY TIME

    /// Judges a command. What it comes to is not said here; of a cut at an exact depth only whether a cut is due.
    pub fn judge(&self, command: &Command) -> Result<(), Refusal> {
        self.in_time(command)?;
        match command {
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
        }
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

    /// Whether this seat cuts now.
    pub fn cut(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Cut {
            return Err(self.refuse(&["LV-2", "A-35"], say!("no_contract.no_cut")));
        }
        if self.seat != self.flow.cutter(self.compiled) {
            return Err(self.refuse(&["LV-2", "A-35"], say!("no_contract.other_cuts")));
        }
        Ok(())
    }

    /// Whether this seat picks the contract of the round now (HR-PICK-2).
    pub fn may_choose(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Choose {
            return Err(self.refuse(&["HR-PICK-2"], say!("no_contract.no_choice")));
        }
        if self.seat != self.flow.chooser(self.compiled) {
            return Err(self.refuse(&["HR-PICK-2"], say!("no_contract.other_chooses")));
        }
        Ok(())
    }

    /// The contract with this number, as a place in the rules' list, where this seat may pick it now (HR-PICK-2).
    pub fn choose(&self, number: u16) -> Result<u16, Refusal> {
        self.may_choose()?;
        let left = self.flow.contracts_left(self.compiled, self.seat);
        let named = left.into_iter().find(|&at| self.compiled.round(at).number == number);
        named.ok_or_else(|| self.refuse(&["HR-PICK-2"], say!("no_contract.contract_gone", n = number)))
    }

    /// Whether this seat names the rank that is wild in the round now (HR-WILD-4).
    pub fn may_name(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Name {
            return Err(self.refuse(&["HR-WILD-4"], say!("no_contract.no_naming")));
        }
        if self.seat != self.flow.dealer {
            return Err(self.refuse(&["HR-WILD-4"], say!("no_contract.dealer_names")));
        }
        Ok(())
    }

    /// Whether this seat may name this rank, by its place in the pack from 1, as wild in the round (HR-WILD-4).
    pub fn name(&self, rank: u8) -> Result<(), Refusal> {
        self.may_name()?;
        let of = self.compiled.pack.ranks.len();
        if rank == 0 || usize::from(rank) > of {
            return Err(self.refuse(&["HR-WILD-4"], say!("no_contract.no_rank", n = rank, of = of)));
        }
        if self.law().is_skip(Face::new(0, rank)) {
            let rank = self.law().rank_text(rank);
            return Err(self.refuse(&["HR-WILD-4", "HR-SKIP-1"], say!("no_contract.skip_named", rank = rank)));
        }
        Ok(())
    }

    /// Whether this seat chooses cards to pass on now (HR-PASS-1).
    pub fn may_pass_on(&self) -> Result<(), Refusal> {
        if self.flow.phase != Phase::Pass {
            return Err(self.refuse(&["HR-PASS-1"], say!("no_contract.no_passing")));
        }
        if self.flow.passed.has(self.seat) {
            return Err(self.refuse(&["HR-PASS-1"], say!("no_contract.passed_on")));
        }
        Ok(())
    }

    /// Whether this seat may pass these cards on (HR-PASS-1).
    pub fn pass_on(&self, cards: &[Face]) -> Result<(), Refusal> {
        self.may_pass_on()?;
        let n = self.flow.passes(self.compiled);
        if cards.len() != usize::from(n) {
            let say = say!("no_contract.pass_so_many", n = n, m = cards.len());
            return Err(self.refuse(&["HR-PASS-1"], say));
        }
        self.holds(cards.iter().copied()).map(|_| ()).map_err(|why| also(why, &["HR-PASS-1"]))
    }

    /// Whether a window is to be answered with a pass.
    pub fn pass(&self) -> Result<(), Refusal> {
        if matches!(self.flow.phase, Phase::Shanghai { .. }) { self.may_claim() } else { self.answer() }
    }

    // START

    /// Whether it is this seat's START.
    fn starts(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        if flow.phase == Phase::Start && flow.turn == self.seat {
            return Ok(());
        }
        Err(match flow.phase {
            Phase::Offer { .. } if flow.turn == self.seat => {
                self.refuse(&["SH-MAY-3", "CR-DRAW-2", "A-13", "RF-1"], say!("no_contract.declined"))
            }
            Phase::Play if flow.turn == self.seat => {
                self.refuse(&["RF-1", "CR-DRAW-1"], say!("no_contract.drawn"))
            }
            Phase::Shanghai { .. } | Phase::Pick { .. } => {
                self.refuse(&["SH-CALL-3", "A-29", "RF-1"], say!("no_contract.may_be_claimed"))
            }
            Phase::Cut => self.refuse(&["LV-2", "A-35", "RF-1"], say!("no_contract.cut_first")),
            Phase::Choose => self.refuse(&["HR-PICK-2", "RF-1"], say!("no_contract.choice_first")),
            Phase::Name => self.refuse(&["HR-WILD-4", "RF-1"], say!("no_contract.naming_first")),
            Phase::Pass => self.refuse(&["HR-PASS-1", "RF-1"], say!("no_contract.passing_first")),
            _ => self.refuse(&["RF-1", "RF-11", "CR-DRAW-1", "CR-MAY-1"], say!("no.not_your_turn")),
        })
    }

    /// Whether P0 may take the top discard as the draw.
    pub fn draw_discard(&self) -> Result<(), Refusal> {
        self.starts()?;
        let flow = self.flow;
        if flow.pile == 0 {
            return Err(self.refuse(&["CR-DRAW-1", "RF-1", "RF-5"], say!("no_contract.no_discard")));
        }
        if flow.protected {
            return Err(barred(self.compiled, flow, Bar::Protected));
        }
        if flow.wild_lies(self.compiled) {
            return Err(barred(self.compiled, flow, Bar::Wild));
        }
        if flow.skip_lies(self.compiled) {
            return Err(barred(self.compiled, flow, Bar::Skip));
        }
        if !flow.set(self.compiled).draw.discard_when_down && flow.down.has(self.seat) {
            return Err(self.refuse(&["A-15"], say!("no_contract.down_draws_none")));
        }
        Ok(())
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
            return Err(self.refuse(&["RF-9", "A-26", "Q-02"], say));
        }
        Ok(())
    }

    /// Whether declining leaves P0 without a card, so that the round is blocked unless somebody takes.
    pub fn declining_blocks(&self) -> bool {
        !self.flow.can_draw(self.compiled)
    }

    /// Whether P0 may buy the top discard and still draw.
    pub fn buy(&self) -> Result<(), Refusal> {
        self.starts()?;
        let (compiled, flow) = (self.compiled, self.flow);
        let take = &flow.set(compiled).take;
        if !take.on {
            return Err(barred(compiled, flow, Bar::Off));
        }
        if !take.own_turn {
            return Err(self.refuse(&["PR-BUY-4", "CR-MAY-1", "CR-DRAW-1"], say!("no_contract.own_turn")));
        }
        if let Some(refusal) = barred_by_all(compiled, flow, self.seat) {
            return Err(refusal);
        }
        if flow.forced || flow.supply(compiled) == 0 {
            return Err(self.refuse(&["Q-02", "Q-03", "RF-9"], say!("no_contract.only_discard")));
        }
        Ok(())
    }

    // OFFER

    /// Whether this seat may answer an offer now (or early, or while P0 plays).
    pub fn answer(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        match (self.no_offer(), barred_by_all(self.compiled, flow, self.seat)) {
            (None, None) => Ok(()),
            // Who is asked has been found free to answer.
            (None, Some(_)) if flow.phase.asked().has(self.seat) || flow.open.has(self.seat) => Ok(()),
            (None, Some(refusal)) => Err(refusal),
            (Some(mut refusal), barred) => {
                cite(&mut refusal, barred.map(|barred| barred.rules).unwrap_or_default());
                Err(refusal)
            }
        }
    }

    /// Why there is no offer for this seat to answer now, whatever bars the seat itself.
    fn no_offer(&self) -> Option<Refusal> {
        let flow = self.flow;
        let own = flow.turn == self.seat;
        let (rules, say): (&[&'static str], Say) = match flow.phase {
            Phase::Offer { asked } if asked.has(self.seat) => return None,
            Phase::Play if flow.open.has(self.seat) => return None,
            Phase::Start | Phase::Offer { .. } if own => (
                &["SH-MAY-3", "PR-BUY-5", "CR-DRAW-1", "CR-DRAW-2", "CR-MAY-1", "A-13"],
                say!("no_contract.turn_draws"),
            ),
            Phase::Start => {
                if flow.set(self.compiled).take.early_asks == crate::rules::EarlyAsks::Off {
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
            Phase::Cut => (&["LV-2", "A-35", "CR-MAY-1", "RF-1"], say!("no_contract.cut_first")),
            Phase::Choose => (&["HR-PICK-2", "CR-MAY-1", "RF-1"], say!("no_contract.choice_first")),
            Phase::Name => (&["HR-WILD-4", "CR-MAY-1", "RF-1"], say!("no_contract.naming_first")),
            Phase::Pass => (&["HR-PASS-1", "CR-MAY-1", "RF-1"], say!("no_contract.passing_first")),
            Phase::Play | Phase::Deal | Phase::Over => (
                &["SH-MAY-3", "PR-BUY-5", "CR-MAY-4", "CR-MAY-1", "CR-DRAW-1", "A-36", "RF-1"],
                say!("no_contract.no_offer"),
            ),
        };
        Some(self.refuse(rules, say))
    }

    // PLAY

    /// Whether it is this seat's PLAY; `rules` are what else forbids the act now, `undrawn` says that drawing comes first.
    fn plays(&self, rules: &[&'static str], undrawn: Say) -> Result<(), Refusal> {
        let flow = self.flow;
        if flow.phase == Phase::Play && flow.turn == self.seat {
            return Ok(());
        }
        let mut all: Vec<&'static str> = rules.to_vec();
        all.push("RF-1");
        if flow.phase == Phase::Cut {
            all.extend(["LV-2", "A-35"]);
        } else if flow.phase == Phase::Choose {
            all.push("HR-PICK-2");
        } else if flow.phase == Phase::Name {
            all.push("HR-WILD-4");
        } else if flow.phase == Phase::Pass {
            all.push("HR-PASS-1");
        } else if flow.turn != self.seat {
            all.extend(["CR-MAY-2", "SH-MAY-3", "RF-2"]);
        }
        Err(self.refuse(
            &all,
            if flow.phase == Phase::Cut {
                say!("no_contract.cut_first")
            } else if flow.phase == Phase::Choose {
                say!("no_contract.choice_first")
            } else if flow.phase == Phase::Name {
                say!("no_contract.naming_first")
            } else if flow.turn == self.seat {
                undrawn
            } else {
                say!("no.not_your_turn")
            },
        ))
    }

    fn not_held(&self, card: Face) -> Say {
        say!("no_contract.not_held", card = self.text(card))
    }

    /// Whether the cards are all in hand.
    fn holds(&self, cards: impl Iterator<Item = Face>) -> Result<usize, Refusal> {
        let mut hand = *self.hand;
        let mut number = 0;
        for card in cards {
            number += 1;
            if !hand.remove(card) {
                let say = match self.hand.count(card) {
                    0 => self.not_held(card),
                    held => say!("no_contract.held_so_often", card = self.text(card), n = held),
                };
                return Err(self.refuse(&["RF-2", "A-55"], say));
            }
        }
        Ok(number)
    }

    /// How the last cards may leave (RF-7), for a meld or lay-off that leaves `left` cards and the table as `melds`.
    fn leaves(
        &self,
        left: usize,
        melds: &mut dyn FnMut() -> Vec<Meld>,
        last: Option<Face>,
    ) -> Result<(), Refusal> {
        let set = self.set();
        match (set.out.discard, left) {
            (OutDiscard::Required, 0) if !set.meld.all => {
                Err(self.refuse(&["RF-7", "CR-DISC-1", "A-17"], say!("no_contract.keep_one")))
            }
            (OutDiscard::Forbidden, 1) if set.out.stuck == OutStuck::Reject => {
                let lays = self.lays(set.layoff.when == LayoffWhen::SameTurn);
                let law = self.law();
                let fits = last.is_some_and(|card| lays && melds().iter().any(|m| law.fit(m, card).any()));
                if fits {
                    return Ok(());
                }
                Err(self.refuse(&["PW-3", "A-18", "RF-7"], say!("no_contract.stuck")))
            }
            _ => Ok(()),
        }
    }

    /// Whether this seat may lay off in this turn; `fresh` says whether it may in the turn of melding.
    fn lays(&self, fresh: bool) -> bool {
        let set = self.set();
        // Who is asked about is down, or is about to be.
        let mut flow = *self.flow;
        flow.down.add(self.seat);
        !flow.waits_for_all(set)
            && match set.layoff.when {
                LayoffWhen::Never => false,
                LayoffWhen::SameTurn => fresh,
                LayoffWhen::NextTurn => self.flow.down_before(self.seat),
            }
    }

    /// The only card left once `cards` are gone from hand.
    fn last_without(&self, cards: impl Iterator<Item = Face>) -> Option<Face> {
        let mut hand = *self.hand;
        cards.for_each(|card| {
            hand.remove(card);
        });
        (hand.len() == 1).then(|| hand.nth(0)).flatten()
    }

    /// Judges a contract, or further melds once down.
    pub fn meld(&self, picked: Option<u16>, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        self.may_meld()?;
        if self.flow.down.has(self.seat) { self.extra(said) } else { self.contract(picked, said) }
    }

    /// Whether this seat may meld at all now: the contract, or once down a further meld.
    pub fn may_meld(&self) -> Result<(), Refusal> {
        self.plays(&["CR-MELD-4"], say!("no_contract.draw_then_meld"))?;
        if self.flow.down.has(self.seat) && self.set().meld.extra == MeldExtra::None {
            return Err(self.refuse(&["CR-MELD-4", "A-46"], say!("no_contract.melded_already")));
        }
        Ok(())
    }

    /// Judges a contract, whoever's turn it is.
    pub fn contract(&self, picked: Option<u16>, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        let (compiled, flow) = (self.compiled, self.flow);
        let held = self.holds(said.iter().flat_map(DeclaredMeld::faces));
        let left = flow.contracts_left(compiled, self.seat);
        let candidates: Vec<u16> = if !left.is_empty() {
            let named = |at: &u16| picked.is_none_or(|number| compiled.round(*at).number == number);
            left.into_iter().filter(named).collect()
        } else {
            let own = flow.contract_of(compiled, self.seat);
            match picked {
                Some(number) if compiled.round(own).number != number => Vec::new(),
                _ => vec![own],
            }
        };
        if candidates.is_empty() {
            return Err(self.refuse(
                &["CR-MELD-5", "CR-MELD-4"],
                say!("no_contract.not_this_contract", n = picked.unwrap_or_default()),
            ));
        }
        let cards = match held {
            Ok(cards) => cards,
            Err(mut refusal) => {
                // What else is wrong with it is cited, too.
                let law = &compiled.laws[usize::from(candidates[0])];
                if let Err(other) = law.judge_contract(said, self.hand.len()) {
                    refusal.rules.extend(other.rules);
                }
                return Err(refusal);
            }
        };
        let mut first = None;
        let tries = TRIES / candidates.len();
        for at in candidates {
            let law = &compiled.laws[usize::from(at)];
            let judged = law.judge_within(said, self.hand.len(), tries).and_then(|laid| {
                let set = compiled.set(at);
                if cards == self.hand.len() && set.out.discard == OutDiscard::Required && !set.meld.all {
                    return Err(self.refuse(&["RF-7", "CR-DISC-1", "A-17"], say!("no_contract.keep_one")));
                }
                Ok(laid)
            });
            match judged {
                Ok(laid) => {
                    let mut melds = || {
                        let mut melds = self.melds();
                        melds.extend(laid.melds.iter().cloned());
                        melds
                    };
                    let last = self.last_without(said.iter().flat_map(DeclaredMeld::faces));
                    self.leaves(self.hand.len() - cards, &mut melds, last)?;
                    return Ok(Event::Melded { contract: Some(at), melds: laid.melds });
                }
                Err(refusal) => {
                    first.get_or_insert(refusal);
                }
            }
        }
        Err(also(
            first.unwrap_or_else(|| self.refuse(&["CR-MELD-5"], say!("no_contract.not_the_contract"))),
            &["A-55"],
        ))
    }

    fn melds(&self) -> Vec<Meld> {
        self.board.melds.iter().map(|m| m.meld.clone()).collect()
    }

    /// Judges further melds of a player who is down (`meld.extra`).
    pub fn extra(&self, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        let set = self.set();
        let cards = self.holds(said.iter().flat_map(DeclaredMeld::faces))?;
        let law = self.law();
        let mut melds = Vec::with_capacity(said.len());
        for one in said {
            let meld = law.place(one, Suits::One)?;
            let least = match one.kind {
                Kind::Run => set.run.min,
                Kind::Group => set.group.min,
                Kind::Pair | Kind::Flush => u8::MAX,
            };
            if meld.len() < usize::from(least) {
                let rule = if one.kind == Kind::Flush { "HR-SLOT-2" } else { "CR-MELD-2" };
                return Err(self.refuse(
                    &["CR-MELD-1", rule, "A-46"],
                    match one.kind {
                        Kind::Pair => say!("no_contract.further_pair"),
                        Kind::Flush => say!("no_contract.further_flush"),
                        kind => say!("no_contract.further_too_short", kind = kind.say(), n = least),
                    },
                ));
            }
            law.judge(&meld)?;
            melds.push(meld);
        }
        // A wild that must be laid off is not for a new meld.
        if set.wild.reclaim_use == ReclaimUse::LayOff && !self.board.pending.is_empty() {
            let used = |face: Face| said.iter().flat_map(DeclaredMeld::faces).filter(|&f| f == face).count();
            let bound = |face: Face| self.board.pending.iter().filter(|&&f| f == face).count();
            if let Some(&face) = self
                .board
                .pending
                .iter()
                .find(|&&face| used(face) + bound(face) > usize::from(self.hand.count(face)))
            {
                return Err(self.refuse(
                    &["CR-JOK-4", "A-20"],
                    say!("no_contract.lay_wild_off", card = self.text(face)),
                ));
            }
        }
        let table = || {
            let mut table = self.melds();
            table.extend(melds.iter().cloned());
            table
        };
        let last = self.last_without(said.iter().flat_map(DeclaredMeld::faces));
        self.leaves(self.hand.len() - cards, &mut { table }, last)?;
        let mut after = *self.hand;
        let mut pending = self.board.pending.clone();
        for face in said.iter().flat_map(DeclaredMeld::faces) {
            after.remove(face);
            if let Some(at) = pending.iter().position(|&p| p == face) {
                pending.swap_remove(at);
            }
        }
        self.pending_fit(&after, &pending, table)?;
        Ok(Event::Melded { contract: None, melds })
    }

    /// Whether this seat may lay off on a meld as far as its owner goes.
    pub fn onto(&self, owner: Seat) -> bool {
        match self.set().layoff.onto {
            LayoffOnto::All => true,
            LayoffOnto::Own => owner == self.seat,
            LayoffOnto::Team => self.flow.partners(self.compiled, owner, self.seat),
        }
    }

    /// Whether this seat may lay off at all now.
    pub fn may_lay_off(&self) -> Result<(), Refusal> {
        self.plays(&["CR-LAY-1", "CR-LAY-2"], say!("no_contract.draw_then_lay_off"))?;
        let set = self.set();
        match set.layoff.when {
            LayoffWhen::Never => Err(self.refuse(&["CR-LAY-1", "CR-LAY-2"], say!("no_contract.no_lay_offs"))),
            _ if !self.flow.down.has(self.seat) => {
                let rules: &[&'static str] = if set.meld.all {
                    &["SH-CON-2", "CR-R7-4", "CR-LAY-1"]
                } else {
                    &["PR-LAY-1", "SH-LAY-1", "CR-LAY-1"]
                };
                Err(self.refuse(rules, say!("no_contract.contract_first")))
            }
            LayoffWhen::NextTurn if !self.flow.down_before(self.seat) => {
                Err(self.refuse(&["MI-3", "CR-LAY-1"], say!("no_contract.lay_off_next_turn")))
            }
            _ if self.flow.waits_for_all(set) => {
                Err(self.refuse(&["HR-LAY-1"], say!("no_contract.lay_off_all_down")))
            }
            _ => Ok(()),
        }
    }

    fn on_table(&self, number: u16) -> Result<&'a TableMeld, Refusal> {
        self.board.meld(number).ok_or_else(|| {
            let rules: &[&'static str] =
                if self.set().meld.all { &["RF-3", "CR-R7-4"] } else { &["RF-3", "CR-LAY-2"] };
            self.refuse(rules, say!("no_contract.no_meld", n = number))
        })
    }

    /// Judges a lay-off.
    pub fn lay_off(&self, cards: &[DeclaredCard], on: u16, end: Option<End>) -> Result<Event, Refusal> {
        self.may_lay_off()?;
        let target = self.on_table(on)?;
        if !self.onto(target.owner) {
            return Err(self.refuse(&["CR-LAY-2"], say!("no_contract.not_onto")));
        }
        let law = self.law();
        let meld = law.lay_off(&target.meld, cards, end).map_err(|r| also(r, &["A-55"]));
        let number = self.holds(cards.iter().map(|c| c.card)).map_err(|mut refusal| {
            if let Err(other) = &meld {
                refusal.rules.extend(other.rules.iter().cloned());
            }
            refusal
        })?;
        let meld = meld?;
        let table = || {
            let mut table = self.melds();
            table[usize::from(on) - 1] = meld.clone();
            table
        };
        let last = self.last_without(cards.iter().map(|c| c.card));
        self.leaves(self.hand.len() - number, &mut { table }, last)?;
        if !self.board.pending.is_empty() {
            let mut after = *self.hand;
            let mut pending = self.board.pending.clone();
            for card in cards {
                after.remove(card.card);
                if let Some(at) = pending.iter().position(|&p| p == card.card) {
                    pending.swap_remove(at);
                }
            }
            self.pending_fit(&after, &pending, table)?;
        }
        Ok(Event::LaidOff { on, cards: cards.iter().map(|c| c.card).collect(), meld })
    }

    /// Whether all wilds taken back can still be laid off in this turn.
    fn pending_fit(
        &self,
        hand: &Hand,
        pending: &[Face],
        table: impl Fn() -> Vec<Meld>,
    ) -> Result<(), Refusal> {
        if pending.is_empty() {
            return Ok(());
        }
        let set = self.set();
        let keep = usize::from(set.out.discard == OutDiscard::Required && !set.meld.all);
        let cards: Vec<Face> = hand.cards().collect();
        let owners: Vec<bool> =
            (0..table().len()).map(|i| self.board.melds.get(i).is_none_or(|m| self.onto(m.owner))).collect();
        let fits = self.law().pending_fit(&table(), |i| owners[i], &cards, pending, keep);
        if fits {
            return Ok(());
        }
        Err(self.refuse(
            &["SH-MELD-4", "CR-JOK-4", "A-20", "RF-7", "Q-01", "Q-19"],
            say!("no_contract.wild_has_no_place"),
        ))
    }

    /// Whether this seat may play a card in the place of a wild at all now.
    pub fn may_reclaim(&self) -> Result<(), Refusal> {
        self.plays(&["CR-JOK-3"], say!("no_contract.draw_then_reclaim"))
    }

    /// Judges a reclaim.
    pub fn reclaim(&self, card: Face, from: u16) -> Result<Event, Refusal> {
        self.may_reclaim()?;
        let (flow, set, law) = (self.flow, self.set(), self.law());
        let target = self.on_table(from)?;
        let reclaimed = law.reclaim(&target.meld, card);
        let mut refusal = reclaimed.as_ref().err().cloned();
        let mut forbid = |rules: &[&'static str], say: Say| match &mut refusal {
            Some(refusal) => {
                for rule in self.refuse(rules, say).rules {
                    if !refusal.rules.contains(&rule) {
                        refusal.rules.push(rule);
                    }
                }
            }
            none => *none = Some(self.refuse(rules, say)),
        };
        let down = flow.down.has(self.seat);
        let when = match set.wild.reclaim_when {
            ReclaimWhen::PriorTurn => flow.down_before(self.seat),
            ReclaimWhen::AfterContract => down,
            ReclaimWhen::BeforeContract => !down,
            ReclaimWhen::Anytime => true,
        };
        if set.wild.reclaim != crate::rules::Reclaim::None && !when {
            forbid(
                &["SH-JOK-1", "CR-JOK-3", "CR-JOK-4", "A-21"],
                match set.wild.reclaim_when {
                    ReclaimWhen::PriorTurn => say!("no_contract.reclaim_next_turn"),
                    ReclaimWhen::AfterContract => say!("no_contract.reclaim_down"),
                    _ => say!("no_contract.reclaim_not_down"),
                },
            );
        }
        let from_whom = match set.wild.reclaim_from {
            ReclaimFrom::Any => true,
            ReclaimFrom::Others => target.owner != self.seat,
            ReclaimFrom::Own => target.owner == self.seat,
        };
        if !from_whom {
            forbid(&["A-50", "CR-JOK-3"], say!("no_contract.not_from"));
        }
        if let Err(wrong) = self.holds(std::iter::once(card)) {
            let rules = ["RF-2", "CR-JOK-3"];
            forbid(&rules, wrong.say);
        }
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let reclaimed = reclaimed?;
        let pending = set.wild.reclaim_use != ReclaimUse::Keep;
        if pending {
            let mut after = *self.hand;
            after.remove(card);
            after.add(reclaimed.wild);
            let mut all = self.board.pending.clone();
            all.push(reclaimed.wild);
            let table = || {
                let mut table = self.melds();
                table[usize::from(from) - 1] = reclaimed.meld.clone();
                table
            };
            let placeable = self.lays(down) && self.pending_fit(&after, &all, table).is_ok()
                || set.wild.reclaim_use == ReclaimUse::AnyMeld
                    && !down
                    // Where nobody looks for ways, whoever holds the match judges that.
                    && self.compiled.ways.is_none_or(|ways| self.contract_with(ways, &after, &all).is_some());
            if !placeable {
                return Err(self.refuse(
                    &["SH-MELD-4", "CR-JOK-4", "A-20", "RF-7", "Q-01", "Q-19"],
                    say!("no_contract.wild_has_no_place"),
                ));
            }
        }
        Ok(Event::Reclaimed { from, card, wild: reclaimed.wild, meld: reclaimed.meld, pending })
    }

    /// A way to lay the contract from the hand with all of `pending` in it, if there is one.
    pub fn contract_in_hand(&self, pending: &[Face]) -> Option<Vec<DeclaredMeld>> {
        self.contract_with(self.compiled.ways?, self.hand, pending)
    }

    /// A way to lay the contract from a hand with all of `pending` in it (`wild.reclaim_use = any-meld`).
    fn contract_with(&self, ways: Ways, hand: &Hand, pending: &[Face]) -> Option<Vec<DeclaredMeld>> {
        let law = self.law();
        let keep = usize::from(self.set().out.discard == OutDiscard::Required && !law.all);
        let answers = ways(law, hand.counts());
        let fits = |answer: &crate::solver::Answer| {
            let left: usize = answer.left.iter().map(|&n| usize::from(n)).sum();
            let used = |face: Face| {
                answer.melds.iter().flat_map(Meld::faces).filter(|&f| f == face).count()
                    >= pending.iter().filter(|&&f| f == face).count()
            };
            left >= keep && pending.iter().all(|&face| used(face))
        };
        answers.iter().find(|answer| fits(answer)).map(|answer| answer.melds.iter().map(Meld::said).collect())
    }

    /// Whether this seat may discard at all now.
    pub fn may_discard(&self) -> Result<(), Refusal> {
        self.plays(&["CR-DISC-1"], say!("no_contract.draw_then_discard"))
    }

    /// Whether a card may be discarded; with `shanghai`, under the protecting call.
    pub fn discard(&self, card: Face, shanghai: bool) -> Result<(), Refusal> {
        self.may_discard()?;
        let set = self.set();
        if self.hand.count(card) == 0 {
            return Err(self.refuse(&["CR-DISC-1", "RF-2"], self.not_held(card)));
        }
        self.nothing_pending()?;
        let last = self.hand.len() == 1;
        if last && set.out.discard == OutDiscard::Forbidden {
            let rules: &[&'static str] = if set.meld.all {
                &["SH-CON-2", "CR-R7-3", "RF-7", "A-17"]
            } else {
                &["PW-3", "RF-7", "A-18", "A-17"]
            };
            return Err(self.refuse(rules, say!("no_contract.last_is_played")));
        }
        if self.taken_back(card) {
            return Err(
                self.refuse(&["A-23", "RF-1"], say!("no_contract.drawn_from_pile", card = self.text(card)))
            );
        }
        if self.wild_kept(card) {
            return Err(match set.discard.wild {
                DiscardWild::Never => self.refuse(&["HR-WILD-2"], say!("no_contract.never_wilds")),
                _ => self.refuse(&["A-24"], say!("no_contract.keep_wilds")),
            });
        }
        if shanghai {
            self.protects(card, last)?;
        }
        Ok(())
    }

    fn nothing_pending(&self) -> Result<(), Refusal> {
        match self.board.pending.first() {
            Some(&wild) => Err(self.refuse(
                &["CR-JOK-4", "A-20", "Q-01"],
                say!("no_contract.lay_wild_first", card = self.text(wild)),
            )),
            None => Ok(()),
        }
    }

    /// Whether `discard.back` forbids discarding this card.
    fn taken_back(&self, card: Face) -> bool {
        match self.flow.set(self.compiled).discard.back {
            DiscardBack::Allowed => false,
            DiscardBack::IfLast | DiscardBack::Never => {
                self.back == Some(card) && self.hand.count(card) == 1 && self.hand.len() > 1
            }
        }
    }

    /// Whether `discard.wild` forbids discarding this card: as long as a natural may go instead, or always (HR-WILD-2).
    fn wild_kept(&self, card: Face) -> bool {
        self.law().is_wild(card)
            && match self.flow.set(self.compiled).discard.wild {
                DiscardWild::Allowed => false,
                DiscardWild::IfLast => self.natural_may_go(),
                DiscardWild::Never => true,
            }
    }

    fn natural_may_go(&self) -> bool {
        let law = self.law();
        self.hand.faces().any(|face| !law.is_wild(face) && !self.taken_back(face))
    }

    /// Whether the protecting call is right (SH-CALL-1, SH-CALL-5).
    fn protects(&self, card: Face, last: bool) -> Result<(), Refusal> {
        if !self.flow.set(self.compiled).shanghai.on {
            return Err(self.refuse(&["PW-6", "SH-CALL-1"], say!("no_contract.no_shanghai")));
        }
        if last {
            return Err(
                self.refuse(&["Q-10", "SH-CALL-1", "SH-CALL-8"], say!("no_contract.nothing_to_protect_from"))
            );
        }
        if !layable(self.compiled, self.flow, self.board, card) {
            return Err(self.refuse(
                &["SH-CALL-5", "SH-CALL-1", "A-31"],
                say!("no_contract.nothing_to_protect", card = self.text(card)),
            ));
        }
        Ok(())
    }

    /// Whether the turn may end without a discard (RF-7).
    pub fn hold(&self) -> Result<(), Refusal> {
        self.plays(&["RF-7", "A-18"], say!("no_contract.draw_then_hold"))?;
        self.nothing_pending()?;
        // Nothing in hand may be discarded (HR-WILD-2).
        if self.flow.set(self.compiled).discard.wild == DiscardWild::Never && !self.natural_may_go() {
            return Ok(());
        }
        if self.set().out.discard != OutDiscard::Forbidden {
            return Err(self.refuse(&["RF-7", "CR-DISC-1", "A-17", "A-18"], say!("no_contract.discard_ends")));
        }
        if self.hand.len() != 1 {
            return Err(self.refuse(&["PW-3", "RF-7", "A-18"], say!("no_contract.hold_one_card")));
        }
        Ok(())
    }

    /// Whether the last play of this turn may be taken back.
    pub fn undo(&self) -> Result<(), Refusal> {
        if self.compiled.rules.settings.table.undo == crate::rules::Undo::None {
            return Err(self.refuse(&["A-37", "RF-2", "RF-4"], say!("no_contract.no_undo")));
        }
        self.plays(&["A-37", "RF-2"], say!("no_contract.draw_then_undo"))?;
        if self.board.undo.is_empty() {
            return Err(self.refuse(&["A-37", "RF-2"], say!("no_contract.nothing_to_undo")));
        }
        Ok(())
    }

    // SHANGHAI

    /// Judges a claim, and gives the meld with the card on it.
    pub fn claim(&self, claim: Claim) -> Result<Meld, Refusal> {
        self.may_claim()?;
        let Some(card) = self.flow.top else {
            return Err(self.refuse(&["SH-CALL-2"], say!("no_contract.none_to_claim")));
        };
        let target = self.on_table(claim.on)?;
        let law = self.flow.law(self.compiled, self.seat);
        law.lay_off(&target.meld, &[card.into()], claim.end).map_err(|refusal| {
            let mut all = self.refuse(&["SH-CALL-5", "SH-CALL-2", "A-31"], refusal.say);
            all.rules.extend(refusal.rules);
            all
        })
    }

    /// Whether this seat may answer the claim window.
    pub fn may_claim(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        if !flow.set(self.compiled).shanghai.on {
            return Err(self.refuse(&["PW-6", "SH-CALL-2"], say!("no_contract.no_shanghai")));
        }
        if matches!(flow.phase, Phase::Shanghai { asked } if asked.has(self.seat)) {
            return Ok(());
        }
        let rules: &[&'static str] = match flow.phase {
            Phase::Shanghai { .. } => &["SH-CALL-2"],
            _ if flow.protected => &["SH-CALL-1", "SH-CALL-2", "SH-CALL-6"],
            _ => &["SH-CALL-2", "SH-CALL-5", "SH-CALL-8", "A-31"],
        };
        Err(self.refuse(rules, say!("no_contract.no_claim")))
    }

    // PICK

    /// Whether this seat picks a card of the claimer's hand now, and there is such a place, from 1.
    pub fn pick(&self, place: u16) -> Result<(), Refusal> {
        let of = self.places();
        if !matches!(self.flow.phase, Phase::Pick { .. }) || self.seat != self.flow.discarder {
            return Err(self.refuse(&["SH-CALL-2", "A-54"], say!("no_contract.discarder_picks")));
        }
        if !(1..=of).contains(&place) {
            return Err(self.refuse(&["SH-CALL-2", "A-54"], say!("no_contract.pick_place", n = of)));
        }
        Ok(())
    }

    /// Number of places to pick from.
    pub fn places(&self) -> u16 {
        self.flow.phase.claimer().map_or(0, |claimer| self.flow.sizes[claimer.index()])
    }
}

/// Whether a card could be laid off on some meld of the table (SH-CALL-5, S7).
pub(crate) fn layable(compiled: &CompiledRules, flow: &Flow, board: &Board, card: Face) -> bool {
    let set = flow.set(compiled);
    if set.layoff.when == LayoffWhen::Never || flow.waits_for_all(set) {
        return false;
    }
    let law = &compiled.laws[usize::from(flow.round)];
    board.melds.iter().any(|m| law.fit(&m.meld, card) != Fit::default())
}
