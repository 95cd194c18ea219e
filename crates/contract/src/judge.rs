//! What a player may do, judged from what that player sees: the truth and the view use the same code.

use crate::command::{Command, Standing};
use crate::compiled::CompiledRules;
use crate::event::{Claim, Event};
use crate::hand::Hand;
use crate::meld::{End, Fit, Kind, Law, Meld, Said, SaidCard, Suits, TRIES};
use crate::rules::{
    DiscardBack, DiscardWild, DrawMode, LayoffOnto, LayoffWhen, MeldExtra, OutDiscard, OutStuck, ReclaimFrom,
    ReclaimUse, ReclaimWhen, Settings, TakeRepeat, TakeWho,
};
use crate::state::{Board, Flow, Phase, TableMeld, Waiting};
use cards::Face;
use game::{Refusal, Seat};
use std::borrow::Cow;

/// A refusal that cites those of `rules` that are about this game or all games, the game's own first.
pub(crate) fn refuse(compiled: &CompiledRules, rules: &[&'static str], text: impl Into<String>) -> Refusal {
    let lineage = compiled.laws[0].lineage;
    let of_game: Vec<Cow<'static, str>> =
        rules.iter().filter(|r| lineage.holds(r)).map(|&r| Cow::Borrowed(r)).collect();
    // What no rule of the game's own line speaks of is cited from the game that has it.
    let rules = if of_game.is_empty() { rules.iter().map(|&r| Cow::Borrowed(r)).collect() } else { of_game };
    Refusal { rules, text: text.into() }
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
    /// The stock cannot pay the penalty cards.
    Short,
}

impl Bar {
    const ALL: [Self; 9] = [
        Self::Off,
        Self::Empty,
        Self::Protected,
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
    let (rules, text): (&[&'static str], String) = match bar {
        Bar::Off => (&["PR-BUY-1", "CR-MAY-1"], "nobody gets a discard out of turn in this round".into()),
        Bar::Empty => (&["CR-MAY-4"], "there is no discard to ask for".into()),
        Bar::Protected => (
            &["SH-CALL-1", "SH-CALL-3", "SH-CALL-6", "A-31"],
            "Shanghai was called on this card: the discard pile is closed for this turn".into(),
        ),
        Bar::FirstTurn => (&["A-49"], "nobody may ask in the first turn of a round".into()),
        Bar::Limit => (
            &["PR-BUY-2", "PW-5", "SH-MAY-1", "A-04"],
            format!("no more takes are left for this player ({label})"),
        ),
        Bar::Repeat => (
            &["PR-BUY-7", "SH-MAY-3", "CR-MAY-3", "A-14"],
            "nobody may take two successive cards of the pile".into(),
        ),
        Bar::Down => (&["A-15", "CR-MAY-5"], "players who are down may not take discards out of turn".into()),
        Bar::Own => (&["A-16"], "a player may not ask for the card they have just discarded".into()),
        Bar::Short => (
            &["SH-MAY-2", "CR-MAY-2", "A-27", "RF-8"],
            "the stock cannot pay the penalty cards, so the card is not offered".into(),
        ),
    };
    refuse(compiled, rules, text)
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
    fn refuse(&self, rules: &[&'static str], text: impl Into<String>) -> Refusal {
        refuse(self.compiled, rules, text)
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
            return Err(self.refuse(&["RF-12"], "the match is over"));
        }
        if self.flow.waiting != Waiting::Nothing && !matches!(command, Command::Stand(_)) {
            return Err(self.refuse(&["RF-2"], "wait: chance decides first"));
        }
        Ok(())
    }

    /// Whether a standing answer may be set.
    pub fn stand(&self, standing: Option<&Standing>) -> Result<(), Refusal> {
        if let Some(Standing::Take(faces)) = standing
            && faces.len() > Face::COUNT
        {
            return Err(self.refuse(&["A-36"], "name each card once that you would take"));
        }
        if matches!(self.flow.phase, Phase::Deal | Phase::Cut) {
            return Err(self.refuse(&["A-36"], "no round is under way"));
        }
        Ok(())
    }

    /// Whether this seat cuts now.
    pub fn cut(&self) -> Result<(), Refusal> {
        let cutter = self.flow.cutter(self.compiled);
        if self.flow.phase == Phase::Cut && self.seat == cutter {
            return Ok(());
        }
        Err(self.refuse(
            &["LV-2", "A-35"],
            if self.flow.phase == Phase::Cut {
                format!("seat {cutter} cuts, at the dealer's right")
            } else {
                "there is nothing to cut now".to_owned()
            },
        ))
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
            Phase::Offer { .. } if flow.turn == self.seat => self.refuse(
                &["SH-MAY-3", "CR-DRAW-2", "A-13", "RF-1"],
                "you have declined the discard; the stock card comes once the others have answered",
            ),
            Phase::Play if flow.turn == self.seat => {
                self.refuse(&["RF-1", "CR-DRAW-1"], "you have drawn already: one card a turn")
            }
            Phase::Shanghai { .. } | Phase::Pick { .. } => self.refuse(
                &["SH-CALL-3", "A-29", "RF-1"],
                "the discard may still be claimed: the next turn has not begun",
            ),
            Phase::Cut => self.refuse(&["LV-2", "A-35", "RF-1"], "the cut comes before the deal"),
            _ => self.refuse(&["RF-1", "RF-11", "CR-DRAW-1", "CR-MAY-1"], "it is not your turn"),
        })
    }

    /// Whether P0 may take the top discard as the draw.
    pub fn draw_discard(&self) -> Result<(), Refusal> {
        self.starts()?;
        let flow = self.flow;
        if flow.pile == 0 {
            return Err(self.refuse(&["CR-DRAW-1", "RF-1", "RF-5"], "there is no discard to take"));
        }
        if flow.protected {
            return Err(barred(self.compiled, flow, Bar::Protected));
        }
        if !flow.set(self.compiled).draw.discard_when_down && flow.down.has(self.seat) {
            return Err(self.refuse(&["A-15"], "a player who is down may not draw the discard"));
        }
        Ok(())
    }

    /// Whether P0 may decline the top discard and so draw from the stock.
    pub fn draw_stock(&self) -> Result<(), Refusal> {
        self.starts()?;
        let flow = self.flow;
        if flow.set(self.compiled).draw.mode == DrawMode::Push && flow.pile > 0 {
            return Err(self.refuse(
                &["RF-1", "CR-DRAW-1"],
                "take the discard, or push it with a stock card to the next player",
            ));
        }
        self.decline()
    }

    /// Whether P0 may push the top discard.
    pub fn draw_push(&self) -> Result<(), Refusal> {
        self.starts()?;
        let flow = self.flow;
        if flow.set(self.compiled).draw.mode != DrawMode::Push {
            return Err(self.refuse(&["RF-1", "CR-DRAW-1"], "discards are not pushed in this game"));
        }
        if flow.pile == 0 {
            return Err(self.refuse(&["RF-1"], "there is no discard to push: draw from the stock"));
        }
        self.decline()
    }

    fn decline(&self) -> Result<(), Refusal> {
        let (compiled, flow) = (self.compiled, self.flow);
        if flow.forced {
            return Err(self.refuse(&["Q-03", "RF-9"], "nothing is left in the stock: take the discard"));
        }
        if !flow.may_decline(compiled) {
            let stock = flow.stock;
            let text = match flow.supply(compiled) {
                0 => "the stock is empty and cannot be remade: take the discard".to_owned(),
                _ => format!("to push takes two cards of the stock, and {stock} is left: take the discard"),
            };
            return Err(self.refuse(&["RF-9", "A-26", "Q-02"], text));
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
            return Err(self.refuse(
                &["PR-BUY-4", "CR-MAY-1", "CR-DRAW-1"],
                "in your own turn the discard is taken as the draw, not asked for",
            ));
        }
        if let Some(refusal) = barred_by_all(compiled, flow, self.seat) {
            return Err(refusal);
        }
        if flow.forced || flow.supply(compiled) == 0 {
            return Err(self.refuse(
                &["Q-02", "Q-03", "RF-9"],
                "the stock is empty: the discard is all there is to draw",
            ));
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
        let (rules, text): (&[&'static str], &str) = match flow.phase {
            Phase::Offer { asked } if asked.has(self.seat) => return None,
            Phase::Play if flow.open.has(self.seat) => return None,
            Phase::Start | Phase::Offer { .. } if own => (
                &["SH-MAY-3", "PR-BUY-5", "CR-DRAW-1", "CR-DRAW-2", "CR-MAY-1", "A-13"],
                "the player whose turn it is takes the discard as the draw, or leaves it to the others",
            ),
            Phase::Start => {
                if flow.set(self.compiled).take.early_asks == crate::rules::EarlyAsks::Off {
                    (
                        &["Q-08", "A-39", "CR-MAY-1", "SH-MAY-3"],
                        "wait until the player whose turn it is has declined the card",
                    )
                } else if flow.forced {
                    (&["Q-03"], "the card is not offered again")
                } else {
                    return None;
                }
            }
            // Who is not asked is barred, and the bar says why.
            Phase::Offer { .. } => return None,
            Phase::Shanghai { .. } | Phase::Pick { .. } => (
                &["SH-CALL-3", "CR-MAY-1", "SH-MAY-3"],
                "a Shanghai comes before any take: the card is not offered yet",
            ),
            Phase::Cut => (&["LV-2", "A-35", "CR-MAY-1", "RF-1"], "the cut comes before the deal"),
            Phase::Play | Phase::Deal | Phase::Over => (
                &["SH-MAY-3", "PR-BUY-5", "CR-MAY-4", "CR-MAY-1", "CR-DRAW-1", "A-36", "RF-1"],
                "no discard is offered now",
            ),
        };
        Some(self.refuse(rules, text))
    }

    // PLAY

    /// Whether it is this seat's PLAY; `rules` are what else forbids the act now.
    fn plays(&self, rules: &[&'static str], what: &str) -> Result<(), Refusal> {
        let flow = self.flow;
        if flow.phase == Phase::Play && flow.turn == self.seat {
            return Ok(());
        }
        let mut all: Vec<&'static str> = rules.to_vec();
        all.push("RF-1");
        if flow.phase == Phase::Cut {
            all.extend(["LV-2", "A-35"]);
        } else if flow.turn != self.seat {
            all.extend(["CR-MAY-2", "SH-MAY-3", "RF-2"]);
        }
        Err(self.refuse(
            &all,
            if flow.phase == Phase::Cut {
                "the cut comes before the deal".to_owned()
            } else if flow.turn == self.seat {
                format!("draw before you {what}")
            } else {
                "it is not your turn".to_owned()
            },
        ))
    }

    /// Whether the cards are all in hand.
    fn holds(&self, cards: impl Iterator<Item = Face>) -> Result<usize, Refusal> {
        let mut hand = *self.hand;
        let mut number = 0;
        for card in cards {
            number += 1;
            if !hand.remove(card) {
                let text = match self.hand.count(card) {
                    0 => format!("you do not hold the {}", self.text(card)),
                    held => format!(
                        "you hold the {} only {held} time{}",
                        self.text(card),
                        if held == 1 { "" } else { "s" }
                    ),
                };
                return Err(self.refuse(&["RF-2", "A-55"], text));
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
            (OutDiscard::Required, 0) if !set.meld.all => Err(self.refuse(
                &["RF-7", "CR-DISC-1", "A-17"],
                "a turn ends with a discard: one card must stay in hand",
            )),
            (OutDiscard::Forbidden, 1) if set.out.stuck == OutStuck::Reject => {
                let lays = set.layoff.when == LayoffWhen::SameTurn
                    || set.layoff.when == LayoffWhen::NextTurn && self.flow.down_before(self.seat);
                let law = self.law();
                let fits = last.is_some_and(|card| lays && melds().iter().any(|m| law.fit(m, card).any()));
                if fits {
                    return Ok(());
                }
                Err(self.refuse(
                    &["PW-3", "A-18", "RF-7"],
                    "this would leave you with one card that you can neither play nor discard",
                ))
            }
            _ => Ok(()),
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
    pub fn meld(&self, picked: Option<u16>, said: &[Said]) -> Result<Event, Refusal> {
        self.may_meld()?;
        if self.flow.down.has(self.seat) { self.extra(said) } else { self.contract(picked, said) }
    }

    /// Whether this seat may meld at all now: the contract, or once down a further meld.
    pub fn may_meld(&self) -> Result<(), Refusal> {
        self.plays(&["CR-MELD-4"], "meld")?;
        if self.flow.down.has(self.seat) && self.set().meld.extra == MeldExtra::None {
            return Err(self.refuse(
                &["CR-MELD-4", "A-46"],
                "you have melded in this round: from now on cards are laid off",
            ));
        }
        Ok(())
    }

    /// Judges a contract, whoever's turn it is.
    pub fn contract(&self, picked: Option<u16>, said: &[Said]) -> Result<Event, Refusal> {
        let (compiled, flow) = (self.compiled, self.flow);
        let held = self.holds(said.iter().flat_map(Said::faces));
        let candidates: Vec<u16> = if compiled.chosen() && flow.contract.is_none() {
            let left = compiled.played.iter().map(|&at| at as u16).filter(|&at| flow.used >> at & 1 == 0);
            match picked {
                Some(number) => left.filter(|&at| compiled.round(at).number == number).collect(),
                None => left.collect(),
            }
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
                format!("contract {} is not to be laid in this round", picked.unwrap_or_default()),
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
                    return Err(self.refuse(
                        &["RF-7", "CR-DISC-1", "A-17"],
                        "a turn ends with a discard: one card must stay in hand",
                    ));
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
                    let last = self.last_without(said.iter().flat_map(Said::faces));
                    self.leaves(self.hand.len() - cards, &mut melds, last)?;
                    return Ok(Event::Melded { contract: Some(at), melds: laid.melds });
                }
                Err(refusal) => {
                    first.get_or_insert(refusal);
                }
            }
        }
        Err(also(first.unwrap_or_else(|| self.refuse(&["CR-MELD-5"], "this is not the contract")), &["A-55"]))
    }

    fn melds(&self) -> Vec<Meld> {
        self.board.melds.iter().map(|m| m.meld.clone()).collect()
    }

    /// Judges further melds of a player who is down (`meld.extra`).
    pub fn extra(&self, said: &[Said]) -> Result<Event, Refusal> {
        let set = self.set();
        let cards = self.holds(said.iter().flat_map(Said::faces))?;
        let law = self.law();
        let mut melds = Vec::with_capacity(said.len());
        for one in said {
            let meld = law.place(one, Suits::One)?;
            let least = match one.kind {
                Kind::Run => set.run.min,
                Kind::Group => set.group.min,
                Kind::Pair => u8::MAX,
            };
            if meld.len() < usize::from(least) {
                return Err(self.refuse(
                    &["CR-MELD-1", "CR-MELD-2", "A-46"],
                    match one.kind {
                        Kind::Pair => "a pair is no further meld".to_owned(),
                        kind => format!("a further {} has at least {least} cards", kind.word()),
                    },
                ));
            }
            law.judge(&meld)?;
            melds.push(meld);
        }
        // A wild that must be laid off is not for a new meld.
        if set.wild.reclaim_use == ReclaimUse::LayOff && !self.board.pending.is_empty() {
            let used = |face: Face| said.iter().flat_map(Said::faces).filter(|&f| f == face).count();
            let bound = |face: Face| self.board.pending.iter().filter(|&&f| f == face).count();
            if let Some(&face) = self
                .board
                .pending
                .iter()
                .find(|&&face| used(face) + bound(face) > usize::from(self.hand.count(face)))
            {
                return Err(self.refuse(
                    &["CR-JOK-4", "A-20"],
                    format!("the {} you took back must be laid off", self.text(face)),
                ));
            }
        }
        let table = || {
            let mut table = self.melds();
            table.extend(melds.iter().cloned());
            table
        };
        let last = self.last_without(said.iter().flat_map(Said::faces));
        self.leaves(self.hand.len() - cards, &mut { table }, last)?;
        let mut after = *self.hand;
        let mut pending = self.board.pending.clone();
        for face in said.iter().flat_map(Said::faces) {
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
        self.plays(&["CR-LAY-1", "CR-LAY-2"], "lay off")?;
        let set = self.set();
        match set.layoff.when {
            LayoffWhen::Never => {
                Err(self.refuse(&["CR-LAY-1", "CR-LAY-2"], "nothing is laid off in this round"))
            }
            _ if !self.flow.down.has(self.seat) => {
                let rules: &[&'static str] = if set.meld.all {
                    &["SH-CON-2", "CR-R7-4", "CR-LAY-1"]
                } else {
                    &["PR-LAY-1", "SH-LAY-1", "CR-LAY-1"]
                };
                Err(self.refuse(rules, "only a player who has laid the contract may lay off"))
            }
            LayoffWhen::NextTurn if !self.flow.down_before(self.seat) => {
                Err(self.refuse(&["MI-3", "CR-LAY-1"], "lay-offs begin with the turn after melding"))
            }
            _ => Ok(()),
        }
    }

    fn on_table(&self, number: u16) -> Result<&'a TableMeld, Refusal> {
        self.board.meld(number).ok_or_else(|| {
            let rules: &[&'static str] =
                if self.set().meld.all { &["RF-3", "CR-R7-4"] } else { &["RF-3", "CR-LAY-2"] };
            self.refuse(rules, format!("there is no meld {number} on the table"))
        })
    }

    /// Judges a lay-off.
    pub fn lay_off(&self, cards: &[SaidCard], on: u16, end: Option<End>) -> Result<Event, Refusal> {
        self.may_lay_off()?;
        let target = self.on_table(on)?;
        if !self.onto(target.owner) {
            return Err(self.refuse(&["CR-LAY-2"], "lay-offs on this player's melds are not allowed"));
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
            "a wild taken back must be laid off in the same turn, and there would be no place for it",
        ))
    }

    /// Whether this seat may play a card in the place of a wild at all now.
    pub fn may_reclaim(&self) -> Result<(), Refusal> {
        self.plays(&["CR-JOK-3"], "take a wild back")
    }

    /// Judges a reclaim.
    pub fn reclaim(&self, card: Face, from: u16) -> Result<Event, Refusal> {
        self.may_reclaim()?;
        let (flow, set, law) = (self.flow, self.set(), self.law());
        let target = self.on_table(from)?;
        let reclaimed = law.reclaim(&target.meld, card);
        let mut refusal = reclaimed.as_ref().err().cloned();
        let mut forbid = |rules: &[&'static str], text: &str| match &mut refusal {
            Some(refusal) => {
                for rule in self.refuse(rules, "").rules {
                    if !refusal.rules.contains(&rule) {
                        refusal.rules.push(rule);
                    }
                }
            }
            none => *none = Some(self.refuse(rules, text)),
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
                    ReclaimWhen::PriorTurn => {
                        "only a player who was down before this turn may take a wild back"
                    }
                    ReclaimWhen::AfterContract => "only a player who is down may take a wild back",
                    _ => "only a player who is not down may take a wild back",
                },
            );
        }
        let from_whom = match set.wild.reclaim_from {
            ReclaimFrom::Any => true,
            ReclaimFrom::Others => target.owner != self.seat,
            ReclaimFrom::Own => target.owner == self.seat,
        };
        if !from_whom {
            forbid(&["A-50", "CR-JOK-3"], "no wild is taken back from this player's melds");
        }
        if let Err(wrong) = self.holds(std::iter::once(card)) {
            let rules = ["RF-2", "CR-JOK-3"];
            forbid(&rules, &wrong.text);
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
            let lays = match set.layoff.when {
                LayoffWhen::Never => false,
                LayoffWhen::SameTurn => down,
                LayoffWhen::NextTurn => flow.down_before(self.seat),
            };
            let placeable = lays && self.pending_fit(&after, &all, table).is_ok()
                || set.wild.reclaim_use == ReclaimUse::AnyMeld
                    && !down
                    && self.contract_with(&after, &all).is_some();
            if !placeable {
                return Err(self.refuse(
                    &["SH-MELD-4", "CR-JOK-4", "A-20", "RF-7", "Q-01", "Q-19"],
                    "a wild taken back must be laid in the same turn, and there would be no place for it",
                ));
            }
        }
        Ok(Event::Reclaimed { from, card, wild: reclaimed.wild, meld: reclaimed.meld, pending })
    }

    /// A way to lay the contract from the hand with all of `pending` in it, if there is one.
    pub fn contract_in_hand(&self, pending: &[Face]) -> Option<Vec<Said>> {
        self.contract_with(self.hand, pending)
    }

    /// A way to lay the contract from a hand with all of `pending` in it (`wild.reclaim_use = any-meld`).
    fn contract_with(&self, hand: &Hand, pending: &[Face]) -> Option<Vec<Said>> {
        let law = self.law();
        let solver = crate::solver::Solver::new(law).with_budget(200_000);
        let keep = usize::from(self.set().out.discard == OutDiscard::Required && !law.all);
        let (answers, _) = solver.all(hand.counts(), 64);
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
        self.plays(&["CR-DISC-1"], "discard")
    }

    /// Whether a card may be discarded; with `shanghai`, under the protecting call.
    pub fn discard(&self, card: Face, shanghai: bool) -> Result<(), Refusal> {
        self.may_discard()?;
        let set = self.set();
        if self.hand.count(card) == 0 {
            return Err(
                self.refuse(&["CR-DISC-1", "RF-2"], format!("you do not hold the {}", self.text(card)))
            );
        }
        self.nothing_pending()?;
        let last = self.hand.len() == 1;
        if last && set.out.discard == OutDiscard::Forbidden {
            let rules: &[&'static str] = if set.meld.all {
                &["SH-CON-2", "CR-R7-3", "RF-7", "A-17"]
            } else {
                &["PW-3", "RF-7", "A-18", "A-17"]
            };
            return Err(self.refuse(rules, "the last card must be played to the table, not discarded"));
        }
        if self.taken_back(card) {
            return Err(self.refuse(
                &["A-23", "RF-1"],
                format!("the {} was drawn from the discard pile in this turn", self.text(card)),
            ));
        }
        if self.wild_kept(card) {
            return Err(self.refuse(&["A-24"], "wilds are not discarded while a natural card is held"));
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
                format!("the {} you took back must be laid first", self.text(wild)),
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

    /// Whether `discard.wild` forbids discarding this card: as long as a natural may go instead.
    fn wild_kept(&self, card: Face) -> bool {
        let law = self.law();
        self.flow.set(self.compiled).discard.wild == DiscardWild::IfLast
            && law.is_wild(card)
            && self.hand.faces().any(|face| !law.is_wild(face) && !self.taken_back(face))
    }

    /// Whether the protecting call is right (SH-CALL-1, SH-CALL-5).
    fn protects(&self, card: Face, last: bool) -> Result<(), Refusal> {
        if !self.flow.set(self.compiled).shanghai.on {
            return Err(self.refuse(&["PW-6", "SH-CALL-1"], "there are no Shanghai calls in this game"));
        }
        if last {
            return Err(self.refuse(
                &["Q-10", "SH-CALL-1", "SH-CALL-8"],
                "this discard ends the round: there is no turn to protect it from",
            ));
        }
        if !layable(self.compiled, self.flow, self.board, card) {
            return Err(self.refuse(
                &["SH-CALL-5", "SH-CALL-1", "A-31"],
                format!("the {} fits on no meld, so there is nothing to protect", self.text(card)),
            ));
        }
        Ok(())
    }

    /// Whether the turn may end without a discard (RF-7).
    pub fn hold(&self) -> Result<(), Refusal> {
        self.plays(&["RF-7", "A-18"], "end your turn")?;
        self.nothing_pending()?;
        if self.set().out.discard != OutDiscard::Forbidden {
            return Err(self.refuse(&["RF-7", "CR-DISC-1", "A-17", "A-18"], "a turn ends with a discard"));
        }
        if self.hand.len() != 1 {
            return Err(self.refuse(
                &["PW-3", "RF-7", "A-18"],
                "only a player with exactly one card may end the turn without a discard",
            ));
        }
        Ok(())
    }

    /// Whether the last play of this turn may be taken back.
    pub fn undo(&self) -> Result<(), Refusal> {
        if self.compiled.rules.settings.table.undo == crate::rules::Undo::None {
            return Err(self.refuse(&["A-37", "RF-2", "RF-4"], "what has been played stands"));
        }
        self.plays(&["A-37", "RF-2"], "take anything back")?;
        if self.board.undo.is_empty() {
            return Err(self.refuse(&["A-37", "RF-2"], "there is nothing to take back in this turn"));
        }
        Ok(())
    }

    // SHANGHAI

    /// Judges a claim, and gives the meld with the card on it.
    pub fn claim(&self, claim: Claim) -> Result<Meld, Refusal> {
        self.may_claim()?;
        let Some(card) = self.flow.top else {
            return Err(self.refuse(&["SH-CALL-2"], "there is no discard to claim"));
        };
        let target = self.on_table(claim.on)?;
        let law = self.flow.law(self.compiled, self.seat);
        law.lay_off(&target.meld, &[card.into()], claim.end).map_err(|refusal| {
            let mut all = self.refuse(&["SH-CALL-5", "SH-CALL-2", "A-31"], refusal.text);
            all.rules.extend(refusal.rules);
            all
        })
    }

    /// Whether this seat may answer the claim window.
    pub fn may_claim(&self) -> Result<(), Refusal> {
        let flow = self.flow;
        if !flow.set(self.compiled).shanghai.on {
            return Err(self.refuse(&["PW-6", "SH-CALL-2"], "there are no Shanghai calls in this game"));
        }
        if matches!(flow.phase, Phase::Shanghai { asked } if asked.has(self.seat)) {
            return Ok(());
        }
        let rules: &[&'static str] = match flow.phase {
            Phase::Shanghai { .. } => &["SH-CALL-2"],
            _ if flow.protected => &["SH-CALL-1", "SH-CALL-2", "SH-CALL-6"],
            _ => &["SH-CALL-2", "SH-CALL-5", "SH-CALL-8", "A-31"],
        };
        Err(self.refuse(rules, "this seat has no discard to claim now"))
    }

    // PICK

    /// Whether this seat picks a card of the claimer's hand now, and there is such a place, from 1.
    pub fn pick(&self, place: u16) -> Result<(), Refusal> {
        let of = self.places();
        if !matches!(self.flow.phase, Phase::Pick { .. }) || self.seat != self.flow.discarder {
            return Err(self.refuse(
                &["SH-CALL-2", "A-54"],
                "only the discarder picks, from the hand of who claimed the discard",
            ));
        }
        if !(1..=of).contains(&place) {
            return Err(self.refuse(&["SH-CALL-2", "A-54"], format!("pick a place from 1 to {of}")));
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
    if flow.set(compiled).layoff.when == LayoffWhen::Never {
        return false;
    }
    let law = &compiled.laws[usize::from(flow.round)];
    board.melds.iter().any(|m| law.fit(&m.meld, card) != Fit::default())
}
