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

/// Everything that forbids an act: the first reason in words, and the rules of all.
#[derive(Default)]
struct Objections(Option<Refusal>);

impl Objections {
    fn add(&mut self, refusal: Refusal) {
        match &mut self.0 {
            Some(all) => all.cite(refusal.rules),
            none => *none = Some(refusal),
        }
    }

    /// What was judged to be right, if it was.
    fn of<T>(&mut self, judged: Result<T, Refusal>) -> Option<T> {
        judged.map_err(|refusal| self.add(refusal)).ok()
    }

    fn result(self) -> Result<(), Refusal> {
        self.allow(Some(()))
    }

    /// What was judged, where nothing forbids it.
    fn allow<T>(self, judged: Option<T>) -> Result<T, Refusal> {
        match (self.0, judged) {
            (None, Some(judged)) => Ok(judged),
            (refusal, _) => Err(refusal.unwrap_or_default()),
        }
    }
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

/// Whether a seat may ask; if not, the rules of every bar are cited. Where there are no takes the other bars are about nothing.
fn barred_by_all(compiled: &CompiledRules, flow: &Flow, seat: Seat) -> Result<(), Refusal> {
    let mut all = Objections::default();
    for bar in bars(compiled, flow, seat) {
        all.add(barred(compiled, flow, bar));
        if bar == Bar::Off {
            break;
        }
    }
    all.result()
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

    // ANY TIME

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
        let first: &[&'static str] = match self.flow.phase {
            Phase::Cut => &["LV-2", "A-35"],
            Phase::Choose => &["HR-PICK-2"],
            Phase::Name => &["HR-WILD-4"],
            Phase::Pass => &["HR-PASS-1"],
            _ => return why,
        };
        self.cite(why, first)
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
        self.holds(cards.iter().copied()).map(|_| ()).map_err(|why| why.citing(["HR-PASS-1"]))
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
        let (compiled, flow) = (self.compiled, self.flow);
        let mut all = Objections::default();
        all.of(self.starts());
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
        all.result()
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
            if flow.set(compiled).stock.recycle == crate::rules::Recycle::None {
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
        let mut all = Objections::default();
        all.of(self.starts().map_err(|why| self.cite(why, &["PR-BUY-4"])));
        if take.on && !take.own_turn {
            all.add(self.refuse(&["PR-BUY-4", "CR-MAY-1", "CR-DRAW-1"], say!("no_contract.own_turn")));
        }
        all.of(barred_by_all(compiled, flow, self.seat));
        if take.on && flow.turn == self.seat && (flow.forced || flow.supply(compiled) == 0) {
            all.add(self.refuse(&["Q-02", "Q-03", "RF-9"], say!("no_contract.only_discard")));
        }
        all.result()
    }

    // OFFER

    /// Whether this seat may answer an offer now (or early, or while P0 plays).
    pub fn answer(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        match (self.no_offer(), barred_by_all(self.compiled, flow, self.seat)) {
            // Who is asked has been found free to answer.
            (None, _) if flow.phase.asked().has(self.seat) || flow.open.has(self.seat) => Ok(()),
            (None, barred) => barred,
            (Some(refusal), Ok(())) => Err(refusal),
            (Some(refusal), Err(barred)) => Err(refusal.citing(barred.rules)),
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
        let (more, say): (&[&'static str], Say) = match flow.phase {
            Phase::Cut => (&["LV-2", "A-35"], say!("no_contract.cut_first")),
            Phase::Choose => (&["HR-PICK-2"], say!("no_contract.choice_first")),
            Phase::Name => (&["HR-WILD-4"], say!("no_contract.naming_first")),
            Phase::Pass => (&["HR-PASS-1"], say!("no_contract.passing_first")),
            _ if flow.turn != self.seat => (&["CR-MAY-2", "SH-MAY-3", "RF-2"], say!("no.not_your_turn")),
            Phase::Shanghai { .. } | Phase::Pick { .. } => {
                (&["SH-CALL-3", "A-29"], say!("no_contract.may_be_claimed"))
            }
            _ => (&[], undrawn),
        };
        Err(self.refuse(&[rules, &["RF-1"], more].concat(), say))
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

    /// Whether a meld or lay-off leaves a card to discard, where one must be (RF-7), by how many it leaves.
    fn keeps_one(&self, set: &Settings, left: usize) -> Result<(), Refusal> {
        if left > 0 || set.meld.all || set.out.discard != OutDiscard::Required {
            return Ok(());
        }
        Err(self.refuse(&["RF-7", "CR-DISC-1", "A-17"], say!("no_contract.keep_one")))
    }

    /// How the last card may leave where it may not be discarded, for a meld or lay-off that leaves `left` cards and the table as
    /// `melds`.
    fn leaves(
        &self,
        left: usize,
        melds: &mut dyn FnMut() -> Vec<Meld>,
        last: Option<Face>,
    ) -> Result<(), Refusal> {
        let set = self.set();
        if left != 1 || set.out.discard != OutDiscard::Forbidden || set.out.stuck != OutStuck::Reject {
            return Ok(());
        }
        let lays = self.lays(set.layoff.when == LayoffWhen::SameTurn);
        let law = self.law();
        if last.is_some_and(|card| lays && melds().iter().any(|m| law.fit(m, card).any())) {
            return Ok(());
        }
        Err(self.refuse(&["PW-3", "A-18", "RF-7"], say!("no_contract.stuck")))
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
        let mut all = Objections::default();
        all.of(self.may_meld());
        let further = self.flow.down.has(self.seat);
        if further && self.set().meld.extra == MeldExtra::None {
            return all.allow(None);
        }
        let judged = all.of(if further { self.extra(said) } else { self.contract(picked, said) });
        all.allow(judged)
    }

    /// Whether this seat may meld at all now: the contract, or once down a further meld.
    pub fn may_meld(&self) -> Result<(), Refusal> {
        let mut all = Objections::default();
        all.of(self.plays(&["CR-MELD-4"], say!("no_contract.draw_then_meld")));
        if self.flow.down.has(self.seat) && self.set().meld.extra == MeldExtra::None {
            all.add(self.refuse(&["CR-MELD-4", "A-46", "A-55"], say!("no_contract.melded_already")));
        }
        all.result()
    }

    /// Judges a contract, whoever's turn it is.
    pub fn contract(&self, picked: Option<u16>, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        let compiled = self.compiled;
        let candidates = self.aims(picked);
        if candidates.is_empty() {
            let say = say!("no_contract.not_this_contract", n = picked.unwrap_or_default());
            let refusal = self.refuse(&["CR-MELD-5", "CR-MELD-4"], say);
            return Err(refusal.citing(self.picked_otherwise().iter().copied()));
        }
        let mut all = Objections::default();
        let held = all.of(self.holds(said.iter().flat_map(DeclaredMeld::faces)));
        let cards: usize = said.iter().map(|meld| meld.cards.len()).sum();
        let left = self.hand.len().saturating_sub(cards);
        // Of several contracts it is those that are of this shape that tell what is wrong.
        let shaped = |at: &&u16| compiled.laws[usize::from(**at)].takes_shape(said);
        let any = candidates.iter().any(|at| shaped(&at));
        let tries = TRIES / candidates.len();
        let mut faults = Objections::default();
        for &at in candidates.iter().filter(|at| !any || shaped(at)) {
            let mut wrong = Objections::default();
            let laid = wrong.of(compiled.laws[usize::from(at)].judge_within(said, self.hand.len(), tries));
            wrong.of(self.keeps_one(compiled.set(at), left));
            match wrong.allow(laid) {
                Ok(laid) if held.is_some() => {
                    let mut melds = || {
                        let mut melds = self.melds();
                        melds.extend(laid.melds.iter().cloned());
                        melds
                    };
                    let last = self.last_without(said.iter().flat_map(DeclaredMeld::faces));
                    self.leaves(left, &mut melds, last)?;
                    return Ok(Event::Melded { contract: Some(at), melds: laid.melds });
                }
                Ok(_) => return all.allow(None),
                Err(refusal) => faults.add(refusal),
            }
        }
        all.of(faults.result());
        if self.laid_before(said) {
            all.add(self.refuse(&["HR-PICK-1"], say!("no_contract.not_the_contract")));
        }
        all.add(self.refuse(&["A-55"], say!("no_contract.not_the_contract")));
        all.allow(None)
    }

    /// The contracts that this seat may lay, as places in the rules' list: those it may pick from, or its own; of these the one that was named.
    fn aims(&self, picked: Option<u16>) -> Vec<u16> {
        let mut aims = self.flow.contracts_left(self.compiled, self.seat);
        if aims.is_empty() {
            aims.push(self.flow.contract_of(self.compiled, self.seat));
        }
        aims.retain(|&at| picked.is_none_or(|number| self.compiled.round(at).number == number));
        aims
    }

    /// The rules by which it was picked what contract is laid, where one was.
    fn picked_otherwise(&self) -> &'static [&'static str] {
        match () {
            () if self.compiled.any_order() => &["HR-PICK-1"],
            () if self.compiled.chosen() => &["HR-PICK-2"],
            () => &[],
        }
    }

    /// Whether these are melds of a contract that this seat has laid in an earlier round, where each is laid once (HR-PICK-1).
    fn laid_before(&self, said: &[DeclaredMeld]) -> bool {
        let done = self.flow.laid[self.seat.index()];
        let judged = |at: &&usize| {
            let law = &self.compiled.laws[**at];
            done >> **at & 1 == 1 && law.judge_within(said, self.hand.len(), 1).is_ok()
        };
        self.compiled.any_order() && self.compiled.played.iter().any(|at| judged(&at))
    }

    fn melds(&self) -> Vec<Meld> {
        self.board.melds.iter().map(|m| m.meld.clone()).collect()
    }

    /// Judges further melds of a player who is down (`meld.extra`).
    pub fn extra(&self, said: &[DeclaredMeld]) -> Result<Event, Refusal> {
        let set = self.set();
        let faces = || said.iter().flat_map(DeclaredMeld::faces);
        let mut all = Objections::default();
        all.of(self.holds(faces()));
        let melds: Vec<Meld> = said.iter().filter_map(|one| all.of(self.further(one))).collect();
        // A wild that must be laid off is not for a new meld.
        if set.wild.reclaim_use == ReclaimUse::LayOff {
            let used = |face: Face| faces().filter(|&f| f == face).count();
            let bound = |face: Face| self.pending().iter().filter(|&&f| f == face).count();
            let missed = |face: &&Face| used(**face) + bound(**face) > usize::from(self.hand.count(**face));
            if let Some(&face) = self.pending().iter().find(missed) {
                let say = say!("no_contract.lay_wild_off", card = self.text(face));
                all.add(self.refuse(&["CR-JOK-4", "A-20"], say));
            }
        }
        let left = self.hand.len().saturating_sub(faces().count());
        all.of(self.keeps_one(set, left));
        if all.0.is_some() {
            all.add(self.refuse(&["A-55"], Say::default()));
        }
        all.result()?;
        let table = || {
            let mut table = self.melds();
            table.extend(melds.iter().cloned());
            table
        };
        self.leaves(left, &mut { table }, self.last_without(faces()))?;
        let (after, pending) = self.without(faces());
        self.pending_fit(&after, &pending, table)?;
        Ok(Event::Melded { contract: None, melds })
    }

    /// Judges one further meld by itself.
    fn further(&self, one: &DeclaredMeld) -> Result<Meld, Refusal> {
        let (set, law) = (self.set(), self.law());
        let meld = law.place(one, Suits::One)?;
        let least = match one.kind {
            Kind::Run => set.run.min,
            Kind::Group => set.group.min,
            Kind::Pair | Kind::Flush => u8::MAX,
        };
        let mut all = Objections::default();
        if meld.len() < usize::from(least) {
            let rule = if one.kind == Kind::Flush { "HR-SLOT-2" } else { "CR-MELD-2" };
            all.add(self.refuse(
                &["CR-MELD-1", rule, "A-46"],
                match one.kind {
                    Kind::Pair => say!("no_contract.further_pair"),
                    Kind::Flush => say!("no_contract.further_flush"),
                    kind => say!("no_contract.further_too_short", kind = kind.say(), n = least),
                },
            ));
        }
        all.of(law.judge(&meld));
        all.result().map(|()| meld)
    }

    /// The hand without these cards, and the wilds taken back that are still to be laid off then.
    fn without(&self, cards: impl Iterator<Item = Face>) -> (Hand, Vec<Face>) {
        let (mut after, mut pending) = (*self.hand, self.board.pending.clone());
        for face in cards {
            after.remove(face);
            if let Some(at) = pending.iter().position(|&p| p == face) {
                pending.swap_remove(at);
            }
        }
        (after, pending)
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
        let (flow, set) = (self.flow, self.set());
        let mut all = Objections::default();
        all.of(self.plays(&["CR-LAY-1", "CR-LAY-2"], say!("no_contract.draw_then_lay_off")));
        match set.layoff.when {
            LayoffWhen::Never => {
                all.add(self.refuse(&["CR-LAY-1", "CR-LAY-2"], say!("no_contract.no_lay_offs")));
            }
            _ if !flow.down.has(self.seat) => {
                let rules: &[&'static str] = if set.meld.all {
                    &["SH-CON-2", "CR-R7-4", "CR-LAY-1"]
                } else {
                    &["PR-LAY-1", "SH-LAY-1", "CR-LAY-1"]
                };
                all.add(self.refuse(rules, say!("no_contract.contract_first")));
            }
            LayoffWhen::NextTurn if !flow.down_before(self.seat) => {
                all.add(self.refuse(&["MI-3", "CR-LAY-1"], say!("no_contract.lay_off_next_turn")));
            }
            _ => {}
        }
        all.of(self.all_are_down());
        all.result()
    }

    /// Whether nobody is waited for before something is laid off (HR-LAY-1).
    fn all_are_down(&self) -> Result<(), Refusal> {
        if !self.flow.waits_for_all(self.set()) {
            return Ok(());
        }
        Err(self.refuse(&["HR-LAY-1"], say!("no_contract.lay_off_all_down")))
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
        let faces = || cards.iter().map(|c| c.card);
        let mut all = Objections::default();
        all.of(self.may_lay_off());
        all.of(self.holds(faces()));
        let target = all.of(self.on_table(on));
        if target.is_some_and(|target| !self.onto(target.owner)) {
            all.add(self.refuse(&["CR-LAY-2"], say!("no_contract.not_onto")));
        }
        let law = self.law();
        let judged =
            target.map(|target| law.lay_off(&target.meld, cards, end).map_err(|r| r.citing(["A-55"])));
        let meld = judged.and_then(|judged| all.of(judged));
        let left = self.hand.len().saturating_sub(cards.len());
        all.of(self.keeps_one(self.set(), left));
        let meld = all.allow(meld)?;
        let table = || {
            let mut table = self.melds();
            table[usize::from(on) - 1] = meld.clone();
            table
        };
        self.leaves(left, &mut { table }, self.last_without(faces()))?;
        if !self.board.pending.is_empty() {
            let (after, pending) = self.without(faces());
            self.pending_fit(&after, &pending, table)?;
        }
        Ok(Event::LaidOff { on, cards: faces().collect(), meld })
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
        let rules: &[&'static str] = match self.set().wild.reclaim {
            crate::rules::Reclaim::None => self.law().never_reclaimed(),
            _ => &["SH-JOK-1", "CR-JOK-3"],
        };
        self.plays(rules, say!("no_contract.draw_then_reclaim"))
    }

    /// Judges a reclaim.
    pub fn reclaim(&self, card: Face, from: u16) -> Result<Event, Refusal> {
        let (flow, set, law) = (self.flow, self.set(), self.law());
        let mut all = Objections::default();
        all.of(self.may_reclaim());
        let target = all.of(self.on_table(from));
        let reclaimed = target.and_then(|target| all.of(law.reclaim(&target.meld, card)));
        let down = flow.down.has(self.seat);
        let when = match set.wild.reclaim_when {
            ReclaimWhen::PriorTurn => flow.down_before(self.seat),
            ReclaimWhen::AfterContract => down,
            ReclaimWhen::BeforeContract => !down,
            ReclaimWhen::Anytime => true,
        };
        let ever = set.wild.reclaim != crate::rules::Reclaim::None;
        if ever && !when {
            all.add(self.refuse(
                &["SH-JOK-1", "CR-JOK-3", "CR-JOK-4", "A-21"],
                match set.wild.reclaim_when {
                    ReclaimWhen::PriorTurn => say!("no_contract.reclaim_next_turn"),
                    ReclaimWhen::AfterContract => say!("no_contract.reclaim_down"),
                    _ => say!("no_contract.reclaim_not_down"),
                },
            ));
        }
        let from_whom = target.is_none_or(|target| match set.wild.reclaim_from {
            ReclaimFrom::Any => true,
            ReclaimFrom::Others => target.owner != self.seat,
            ReclaimFrom::Own => target.owner == self.seat,
        });
        if !from_whom {
            all.add(self.refuse(&["A-50", "CR-JOK-3"], say!("no_contract.not_from")));
        }
        if let Err(wrong) = self.holds(std::iter::once(card)) {
            let rules: &[&'static str] = if ever { &["RF-2", "CR-JOK-3"] } else { &["RF-2"] };
            all.add(self.refuse(rules, wrong.say));
        }
        let pending = set.wild.reclaim_use != ReclaimUse::Keep;
        if let Some(reclaimed) = reclaimed.as_ref().filter(|_| pending && flow.turn == self.seat)
            && !self.is_placeable(from, card, reclaimed)
        {
            let rules = ["SH-MELD-4", "CR-JOK-4", "A-20", "RF-7", "Q-01", "Q-19"];
            all.add(self.refuse(&rules, say!("no_contract.wild_has_no_place")));
            all.of(self.all_are_down());
        }
        let crate::meld::Reclaimed { wild, meld } = all.allow(reclaimed)?;
        Ok(Event::Reclaimed { from, card, wild, meld, pending })
    }

    /// Whether a wild that `card` takes back can be laid in this turn, with those that were taken back before.
    fn is_placeable(&self, from: u16, card: Face, reclaimed: &crate::meld::Reclaimed) -> bool {
        let down = self.flow.down.has(self.seat);
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
        self.lays(down) && self.pending_fit(&after, &all, table).is_ok()
            || self.set().wild.reclaim_use == ReclaimUse::AnyMeld
                && !down
                // Where nobody looks for ways, whoever holds the match judges that.
                && self.compiled.ways.is_none_or(|ways| self.contract_with(ways, &after, &all).is_some())
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
        let set = self.set();
        let mut all = Objections::default();
        all.of(self.may_discard());
        let held = self.hand.count(card) > 0;
        if !held {
            all.add(self.refuse(&["CR-DISC-1", "RF-2"], self.not_held(card)));
        }
        all.of(self.nothing_pending());
        let last = self.hand.len() == 1;
        if last && set.out.discard == OutDiscard::Forbidden {
            let rules: &[&'static str] = if set.meld.all {
                &["SH-CON-2", "CR-R7-3", "RF-7", "A-17"]
            } else {
                &["PW-3", "RF-7", "A-18", "A-17"]
            };
            all.add(self.refuse(rules, say!("no_contract.last_is_played")));
        }
        if held && self.taken_back(card) {
            let say = say!("no_contract.drawn_from_pile", card = self.text(card));
            all.add(self.refuse(&["A-23", "RF-1"], say));
        }
        if self.wild_kept(card) {
            all.add(match set.discard.wild {
                DiscardWild::Never => self.refuse(&["HR-WILD-2", "A-24"], say!("no_contract.never_wilds")),
                _ => self.refuse(&["A-24"], say!("no_contract.keep_wilds")),
            });
        }
        if shanghai {
            all.of(self.protects(card, last));
        }
        all.result()
    }

    /// The wilds that this seat has taken back and not laid yet.
    fn pending(&self) -> &'a [Face] {
        if self.flow.turn == self.seat { &self.board.pending } else { &[] }
    }

    fn nothing_pending(&self) -> Result<(), Refusal> {
        match self.pending().first() {
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
        let mut all = Objections::default();
        if last {
            let say = say!("no_contract.nothing_to_protect_from");
            all.add(self.refuse(&["Q-10", "SH-CALL-1", "SH-CALL-8"], say));
        }
        if !layable(self.compiled, self.flow, self.board, card) {
            let say = say!("no_contract.nothing_to_protect", card = self.text(card));
            all.add(self.refuse(&["SH-CALL-5", "SH-CALL-1", "A-31"], say));
            all.of(self.all_are_down());
        }
        all.result()
    }

    /// Whether the turn may end without a discard (RF-7).
    pub fn hold(&self) -> Result<(), Refusal> {
        let set = self.set();
        let mut all = Objections::default();
        all.of(self.plays(&["RF-7", "A-18"], say!("no_contract.draw_then_hold")));
        all.of(self.nothing_pending());
        // But where nothing in hand may be discarded (HR-WILD-2).
        let none = self.flow.set(self.compiled).discard.wild == DiscardWild::Never && !self.natural_may_go();
        if !none && set.out.discard != OutDiscard::Forbidden {
            all.add(self.refuse(&["RF-7", "CR-DISC-1", "A-17", "A-18"], say!("no_contract.discard_ends")));
        } else if !none && self.hand.len() != 1 {
            let rules: &[&'static str] = match set.meld.all {
                true => &["SH-CON-2", "CR-R7-3", "RF-7", "CR-DISC-1", "A-17", "A-18"],
                false => &["PW-3", "RF-7", "CR-DISC-1", "A-17", "A-18"],
            };
            all.add(self.refuse(rules, say!("no_contract.hold_one_card")));
        }
        all.result()
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
        let target = self.on_table(claim.on).map_err(|why| self.cite(why, &["SH-CALL-2", "SH-CALL-5"]))?;
        let law = self.flow.law(self.compiled, self.seat);
        let mut all = Objections::default();
        let meld = all.of(law.lay_off(&target.meld, &[card.into()], claim.end).map_err(|why| {
            let of_calls = self.refuse(&["SH-CALL-5", "SH-CALL-2", "A-31"], why.say);
            of_calls.citing(why.rules)
        }));
        if self.flow.waits_for_all(self.set()) {
            all.of(self.all_are_down().map_err(|why| self.cite(why, &["SH-CALL-5"])));
        }
        all.allow(meld)
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
