//! What a seat may do now, act by act: what each act needs and costs, or what it would be refused for.

use crate::command::{Command, Standing};
use crate::event::{Claim, Event};
use crate::judge::Judge;
use crate::meld::{DeclaredMeld, End, Kind, Meld, Suits};
use crate::rules::CutMode;
use crate::solver::Solver;
use crate::state::{Phase, TableMeld};
use crate::view::View;
use cards::Face;
use game::{Coverage, Refusal, Seat};

/// An act: what it needs, where it is open, or the refusal that it would meet, whatever it were filled with.
pub type Offer<Needs = ()> = Result<Needs, Refusal>;

/// Everything that a seat may do now. All of it has been judged by what judges the truth.
#[derive(Clone, Debug, PartialEq)]
pub struct Offers {
    /// To cut, with an aim.
    pub cut: Offer<Cutting>,
    /// To pick the contract of the round (HR-PICK-2): the numbers of those left.
    pub choose: Offer<Vec<u16>>,
    /// To name the rank that is wild in the round (HR-WILD-4): the ranks, from 1.
    pub name: Offer<Vec<u8>>,
    /// To choose the cards to pass on (HR-PASS-1).
    pub pass_on: Offer<PassingOn>,
    /// To take the top discard as the draw.
    pub draw_discard: Offer,
    /// To decline the top discard and draw from the stock.
    pub draw_stock: Offer<Declining>,
    /// To push the top discard on and draw.
    pub draw_push: Offer<Declining>,
    /// To take the top discard at the start of the own turn, and still draw.
    pub buy: Offer<Price>,
    /// To ask for the card that is, or will be, offered.
    pub take: Offer<Price>,
    /// To let the offered card, or the discard that could be claimed, lie.
    pub pass: Offer,
    /// To set a standing answer.
    pub stand: Offer,
    /// To lay melds.
    pub meld: Offer<Melding>,
    /// To lay cards off: every card of the hand by itself, with the places where it fits. [`View::ends`] says whether
    /// several fit together.
    pub lay_off: Offer<Vec<(Face, Place)>>,
    /// To take wilds back: the cards of the hand that stand in for one, with the melds that would give it.
    pub reclaim: Offer<Vec<(Face, u16)>>,
    /// To take back the last play of this turn.
    pub undo: Offer,
    /// To discard: every card of the hand.
    pub discard: Offer<Vec<Throw>>,
    /// To end the turn without a discard.
    pub hold: Offer,
    /// To claim the discard onto a meld: where it fits.
    pub shanghai: Offer<Vec<Place>>,
    /// To pick a card of the claimer's hand: the number of places, from 1.
    pub pick: Offer<u16>,
}

/// What a cut needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cutting {
    /// The depth that earns points.
    pub exact: u16,
    /// The deepest that can be aimed at; the least is 1.
    pub most: u16,
    /// Whether the cutter aims; else it is left to chance.
    pub aims: bool,
}

/// What passing cards on needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassingOn {
    /// How many cards.
    pub cards: u16,
    /// To whom.
    pub to: Seat,
}

/// What comes of declining the top discard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declining {
    /// Whether there is no card to draw, so that the round ends here unless somebody takes the discard.
    pub blocks: bool,
}

/// What it costs to get a discard out of turn, or to buy it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Cards from the stock that come with it.
    pub cards: u16,
    /// Pennies to the kitty, those for the cards from the stock among them.
    pub pennies: u16,
    /// Points added to the score.
    pub points: i32,
    /// Takes that are left, this one among them; none if there is no limit.
    pub left: Option<u16>,
}

/// What may be melded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Melding {
    /// The contract: one of these, as places in the rules' list. [`View::staged`] says how far a hand is prepared for it.
    Contract(Vec<u16>),
    /// Further melds. [`View::further`] says whether some cards are one.
    Further,
}

/// A place for a card on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the meld.
    pub on: u16,
    /// Which end is meant; none where it makes no difference.
    pub end: Option<End>,
}

/// A card of the hand as a discard.
#[derive(Clone, Debug, PartialEq)]
pub struct Throw {
    /// The card.
    pub card: Face,
    /// Why it may not be discarded.
    pub refused: Option<Refusal>,
    /// Why it may not be discarded with the protecting call.
    pub unprotected: Option<Refusal>,
}

impl Offers {
    /// Acts that are closed, each with the refusal that it meets.
    #[must_use]
    pub fn closed(&self) -> Vec<(Command, Refusal)> {
        fn why<T>(offer: &Offer<T>) -> Option<&Refusal> {
            offer.as_ref().err()
        }
        // Whatever stands here: an act is closed whatever it is filled with.
        let card = Face::JOKER;
        let melds = vec![DeclaredMeld { kind: Kind::Group, cards: vec![card.into(); 3] }];
        let acts = [
            (why(&self.cut), Command::Cut { aim: 1 }),
            (why(&self.choose), Command::Contract { number: 1 }),
            (why(&self.name), Command::Wild { rank: 1 }),
            (why(&self.pass_on), Command::PassOn { cards: vec![card] }),
            (why(&self.draw_discard), Command::DrawDiscard),
            (why(&self.draw_stock), Command::DrawStock),
            (why(&self.draw_push), Command::DrawPush),
            (why(&self.buy), Command::Buy),
            (why(&self.take), Command::Take),
            (why(&self.pass), Command::Pass),
            (why(&self.stand), Command::Stand(Some(Standing::Pass))),
            (why(&self.meld), Command::Meld { contract: None, melds }),
            (why(&self.lay_off), Command::LayOff { cards: vec![card.into()], on: 1, end: None }),
            (why(&self.reclaim), Command::Reclaim { card, from: 1 }),
            (why(&self.undo), Command::Undo),
            (why(&self.discard), Command::Discard { card, shanghai: false }),
            (why(&self.hold), Command::Hold),
            (why(&self.shanghai), Command::Shanghai { on: 1, end: None }),
            (why(&self.pick), Command::Pick { place: 1 }),
        ];
        let mut closed: Vec<(Command, Refusal)> =
            acts.into_iter().filter_map(|(why, command)| Some((command, why?.clone()))).collect();
        for throw in self.discard.iter().flatten() {
            for (why, shanghai) in [(&throw.refused, false), (&throw.unprotected, true)] {
                if let Some(why) = why {
                    closed.push((Command::Discard { card: throw.card, shanghai }, why.clone()));
                }
            }
        }
        closed
    }

    /// The acts that are open and can be listed one by one.
    fn listed(&self) -> Coverage<Command> {
        let mut all = Coverage::default();
        let commands = &mut all.commands;
        if let Ok(cutting) = &self.cut {
            commands.push(Command::Cut { aim: cutting.exact });
            all.complete = false;
        }
        commands.extend(self.choose.iter().flatten().map(|&number| Command::Contract { number }));
        commands.extend(self.name.iter().flatten().map(|&rank| Command::Wild { rank }));
        let alone = [
            (self.draw_discard.is_ok(), Command::DrawDiscard),
            (self.draw_stock.is_ok(), Command::DrawStock),
            (self.draw_push.is_ok(), Command::DrawPush),
            (self.buy.is_ok(), Command::Buy),
            (self.take.is_ok(), Command::Take),
            (self.pass.is_ok(), Command::Pass),
        ];
        commands.extend(alone.into_iter().filter_map(|(open, command)| open.then_some(command)));
        for throw in self.discard.iter().flatten() {
            for (why, shanghai) in [(&throw.refused, false), (&throw.unprotected, true)] {
                if why.is_none() {
                    commands.push(Command::Discard { card: throw.card, shanghai });
                }
            }
        }
        let alone = [(self.hold.is_ok(), Command::Hold), (self.undo.is_ok(), Command::Undo)];
        commands.extend(alone.into_iter().filter_map(|(open, command)| open.then_some(command)));
        for &(card, Place { on, end }) in self.lay_off.iter().flatten() {
            commands.push(Command::LayOff { cards: vec![card.into()], on, end });
        }
        for &(card, from) in self.reclaim.iter().flatten() {
            commands.push(Command::Reclaim { card, from });
        }
        for &Place { on, end } in self.shanghai.iter().flatten() {
            commands.push(Command::Shanghai { on, end });
        }
        commands.extend(self.pick.iter().flat_map(|&of| 1..=of).map(|place| Command::Pick { place }));
        all
    }

    /// Whether an act is among those that are listed, or is of a sort that is open and cannot be listed.
    fn lists(&self, command: &Command) -> bool {
        let at = |place: &Place, on: u16, end: Option<End>| {
            place.on == on && (end.is_none() || place.end.is_none() || place.end == end)
        };
        match command {
            Command::Cut { .. } => self.cut.is_ok(),
            Command::CutAt { .. } => false,
            Command::Contract { number } => self.choose.iter().flatten().any(|left| left == number),
            Command::Wild { rank } => self.name.iter().flatten().any(|may| may == rank),
            Command::PassOn { .. } => self.pass_on.is_ok(),
            Command::DrawDiscard => self.draw_discard.is_ok(),
            Command::DrawStock => self.draw_stock.is_ok(),
            Command::DrawPush => self.draw_push.is_ok(),
            Command::Buy => self.buy.is_ok(),
            Command::Take => self.take.is_ok(),
            Command::Pass => self.pass.is_ok(),
            Command::Stand(_) => self.stand.is_ok(),
            Command::Meld { .. } => self.meld.is_ok(),
            Command::LayOff { cards, on, end } => match cards.as_slice() {
                [one] => self
                    .lay_off
                    .iter()
                    .flatten()
                    .any(|(card, place)| *card == one.card && at(place, *on, *end)),
                _ => self.lay_off.is_ok(),
            },
            Command::Reclaim { card, from } => self.reclaim.iter().flatten().any(|p| *p == (*card, *from)),
            Command::Undo => self.undo.is_ok(),
            Command::Discard { card, shanghai } => self.discard.iter().flatten().any(|throw| {
                let why = if *shanghai { &throw.unprotected } else { &throw.refused };
                throw.card == *card && why.is_none()
            }),
            Command::Hold => self.hold.is_ok(),
            Command::Shanghai { on, end } => self.shanghai.iter().flatten().any(|place| at(place, *on, *end)),
            Command::Pick { place } => self.pick.as_ref().is_ok_and(|of| (1..=*of).contains(place)),
        }
    }
}

impl View {
    /// What this seat may do now; none for the table's view.
    #[must_use]
    pub fn offers(&self) -> Option<Offers> {
        let judge = self.seat_judge()?;
        let may = |command: Command| judge.judge(&command);
        // Whether an act is open, before it is asked what it could be filled with.
        let open = |may: Result<(), Refusal>| judge.in_time(&Command::Undo).and(may);
        let declining = Declining { blocks: judge.declining_blocks() };
        let ranks = 1..=self.compiled.pack.ranks.len() as u8;
        Some(Offers {
            cut: may(Command::Cut { aim: 1 }).map(|()| self.cutting()),
            choose: open(judge.may_choose()).map(|()| {
                self.contracts_left().into_iter().map(|at| self.compiled.round(at).number).collect()
            }),
            name: open(judge.may_name()).map(|()| ranks.filter(|&rank| judge.name(rank).is_ok()).collect()),
            pass_on: open(judge.may_pass_on()).map(|()| self.passing_on(judge.seat)),
            draw_discard: may(Command::DrawDiscard),
            draw_stock: may(Command::DrawStock).map(|()| declining),
            draw_push: may(Command::DrawPush).map(|()| declining),
            buy: may(Command::Buy).map(|()| self.price(&judge)),
            take: may(Command::Take).map(|()| self.price(&judge)),
            pass: may(Command::Pass),
            stand: may(Command::Stand(Some(Standing::Pass))),
            meld: open(judge.may_meld()).map(|()| self.melding()),
            lay_off: open(judge.may_lay_off()).map(|()| self.single_lay_offs(&judge)),
            reclaim: open(judge.may_reclaim()).map(|()| self.reclaims(&judge)),
            undo: may(Command::Undo),
            discard: open(judge.may_discard()).map(|()| self.throws(&judge)),
            hold: may(Command::Hold),
            shanghai: open(judge.may_claim()).map(|()| self.claims(&judge)),
            pick: may(Command::Pick { place: 1 }).map(|()| judge.places()),
        })
    }

    /// Whether this seat is asked about the top discard, or may ask for it, and has not answered.
    #[must_use]
    pub fn on_offer(&self) -> bool {
        let open = matches!(self.flow.phase, Phase::Offer { .. } | Phase::Play);
        open && self.own.answer.is_none() && self.judge(&Command::Take).is_ok()
    }

    /// Whether a take of the top discard can bring this seat anything. Before its contract lies: whether the card is wild, or goes
    /// with one that it holds in a meld that is asked for. Afterwards: whether it fits on the table, and no others come with it.
    /// A quick look, not the solver's: what it calls useless is.
    #[must_use]
    pub fn offer_helps(&self) -> bool {
        let (Some(seat), Some(card)) = (self.seat, self.flow.top) else { return false };
        let law = self.law();
        if self.flow.down.has(seat) {
            let fits = |m: &TableMeld| self.onto(m.owner) && law.fit(&m.meld, card).any();
            let take = &self.flow.set(&self.compiled).take;
            return take.penalty == 0 && self.board.melds.iter().any(fits);
        }
        // Where the whole hand must go, or a contract is picked, any card may be the one that it waits for.
        if law.all || law.is_wild(card) || !self.contracts_left().is_empty() {
            return true;
        }
        let ranks = law.pack.ranks.len() as u8;
        let wanted = || law.contracts.iter().flatten().flatten();
        self.hand.faces().filter(|held| !law.is_wild(*held)).any(|held| {
            let apart = held.rank().abs_diff(card.rank());
            wanted().any(|want| match want.kind {
                // The ace may stand at either end.
                Kind::Run => {
                    let suits = want.suits != Suits::One || held.suit() == card.suit();
                    suits && apart > 0 && apart.min(ranks.saturating_sub(apart)) < want.size
                }
                Kind::Flush => law.suits_agree(want.suits, held.suit(), card.suit()),
                Kind::Group | Kind::Pair => apart == 0 && want.takes(card.rank()),
            })
        })
    }

    fn passing_on(&self, seat: Seat) -> PassingOn {
        let (compiled, flow) = (&self.compiled, &self.flow);
        PassingOn { cards: flow.passes(compiled), to: flow.passes_to(compiled, seat) }
    }

    fn cutting(&self) -> Cutting {
        Cutting {
            exact: self.flow.exact_cut(&self.compiled),
            most: self.compiled.cards.len() as u16 - 1,
            aims: self.flow.set(&self.compiled).cut.mode == CutMode::Aim,
        }
    }

    fn price(&self, judge: &Judge<'_>) -> Price {
        let (compiled, flow) = (&self.compiled, &self.flow);
        let take = &flow.set(compiled).take;
        let cards = u16::from(take.penalty).min(flow.payable(compiled));
        Price {
            cards,
            pennies: u16::from(take.pennies) + cards * u16::from(take.penalty_pennies),
            points: take.points,
            left: flow.takes_left(compiled, judge.seat),
        }
    }

    fn melding(&self) -> Melding {
        if self.seat.is_some_and(|seat| self.flow.down.has(seat)) {
            return Melding::Further;
        }
        let left = self.contracts_left();
        Melding::Contract(if left.is_empty() { vec![self.contract()] } else { left })
    }

    fn single_lay_offs(&self, judge: &Judge<'_>) -> Vec<(Face, Place)> {
        let mut found = Vec::new();
        for (on, _) in (1..).zip(&self.board.melds) {
            for card in self.hand.faces() {
                found.extend(self.places(judge, &[card], on).into_iter().map(|place| (card, place)));
            }
        }
        found
    }

    /// The places on a meld where these cards could be laid off.
    fn places(&self, judge: &Judge<'_>, cards: &[Face], on: u16) -> Vec<Place> {
        let Some(table) = self.board.meld(on).filter(|table| judge.onto(table.owner)) else {
            return Vec::new();
        };
        if let [card] = cards
            && !self.law().fit(&table.meld, *card).any()
        {
            return Vec::new();
        }
        let said: Vec<_> = cards.iter().map(|&card| card.into()).collect();
        ends(on, |end| match judge.lay_off(&said, on, end) {
            Ok(Event::LaidOff { meld, .. }) => Some(meld),
            _ => None,
        })
    }

    /// The next lay-off of a way to lay all wilds that this seat has taken back: it may take a natural, which goes first or lies beyond
    /// them (CR-JOK-4, Q-01). None if it has none, or has to lay its contract first.
    #[must_use]
    pub fn next_pending(&self) -> Option<Command> {
        let next = self.seat_judge()?.next_pending()?;
        Some(Command::LayOff { cards: next.cards, on: next.on, end: next.end })
    }

    /// Whether this seat may ever lay off on a meld of this owner's.
    #[must_use]
    pub fn onto(&self, owner: Seat) -> bool {
        self.seat_judge().is_some_and(|judge| judge.onto(owner))
    }

    /// The ends at which these cards, all together, could be laid off on a meld now.
    #[must_use]
    pub fn ends(&self, cards: &[Face], on: u16) -> Vec<Option<End>> {
        let places =
            self.seat_judge().filter(|_| !cards.is_empty()).map(|judge| self.places(&judge, cards, on));
        places.into_iter().flatten().map(|place| place.end).collect()
    }

    fn reclaims(&self, judge: &Judge<'_>) -> Vec<(Face, u16)> {
        let mut found = Vec::new();
        for (from, table) in (1..).zip(&self.board.melds) {
            let gives = |card: &Face| self.law().taken_back(&table.meld, *card).is_some();
            let may = self.hand.faces().filter(gives).filter(|&card| judge.reclaim(card, from).is_ok());
            found.extend(may.map(|card| (card, from)));
        }
        found
    }

    fn throws(&self, judge: &Judge<'_>) -> Vec<Throw> {
        let throw = |card| Throw {
            card,
            refused: judge.discard(card, false).err(),
            unprotected: judge.discard(card, true).err(),
        };
        self.hand.faces().map(throw).collect()
    }

    fn claims(&self, judge: &Judge<'_>) -> Vec<Place> {
        let Some(card) = self.flow.top else { return Vec::new() };
        let may = (1..).zip(&self.board.melds).filter(|(_, table)| self.law().fit(&table.meld, card).any());
        may.flat_map(|(on, _)| ends(on, |end| judge.claim(Claim { on, end }).ok())).collect()
    }

    /// Ways to lay one contract that are listed at most, and steps to look for them.
    const WAYS: usize = 256;
    const STEPS: u64 = 50_000;

    /// What [`game::View::commands`] gives: what is open and can be listed, and every way to lay the contract, up to the order
    /// of melds and cards, the best first. Where there are more than [`View::WAYS`], or it takes more than [`View::STEPS`]
    /// steps to find them, the best of those found; and of further melds none.
    pub(crate) fn all_commands(&self) -> Coverage<Command> {
        let Some(offers) = self.offers() else { return Coverage::default() };
        let mut all = offers.listed();
        // Single cards stand in the list; wilds may have a place only together with others.
        let together = |next: &Command| matches!(next, Command::LayOff { cards, .. } if cards.len() > 1);
        all.commands.extend(self.next_pending().filter(together));
        if let Ok(passing) = &offers.pass_on {
            // Of all the choices there are those of neighbours in the hand.
            let hand: Vec<Face> = self.hand.cards().collect();
            let choices = hand.windows(usize::from(passing.cards.max(1)));
            all.commands.extend(choices.map(|cards| Command::PassOn { cards: cards.to_vec() }));
            all.complete = false;
        }
        let Ok(melding) = offers.meld else { return all };
        let Melding::Contract(contracts) = melding else {
            all.complete = false;
            return all;
        };
        for at in contracts {
            let solver = Solver::new(&self.compiled.laws[usize::from(at)]).with_budget(Self::STEPS);
            // Most hands are hopeless, and that is seen at once.
            if solver.feasible(self.hand.counts()) == Some(false) {
                continue;
            }
            let (mut answers, cut_short) = solver.all(self.hand.counts(), Self::WAYS);
            if cut_short {
                all.complete = false;
                // A walk that was cut short may have missed the best.
                if let Some(best) =
                    solver.best(self.hand.counts()).answer.filter(|best| !answers.contains(best))
                {
                    answers.insert(0, best);
                }
            }
            for answer in answers {
                let melds = answer.melds.iter().map(Meld::said).collect();
                let contract = self.compiled.picks().then(|| self.compiled.round(at).number);
                let command = Command::Meld { contract, melds };
                if self.judge(&command).is_ok() {
                    all.commands.push(command);
                }
            }
        }
        all
    }

    /// Whether an act is among the offers.
    pub(crate) fn offered(&self, command: &Command) -> bool {
        self.offers().is_some_and(|offers| offers.lists(command)) && self.judge(command).is_ok()
    }
}

/// The ends of a meld that must be told apart: what comes of each is asked.
fn ends(on: u16, made: impl Fn(Option<End>) -> Option<Meld>) -> Vec<Place> {
    let at = |end| Place { on, end };
    match (made(Some(End::Low)), made(Some(End::High))) {
        (Some(low), Some(high)) if low == high => vec![at(None)],
        (Some(_), Some(_)) => vec![at(Some(End::Low)), at(Some(End::High))],
        (Some(_), None) => vec![at(Some(End::Low))],
        (None, Some(_)) => vec![at(Some(End::High))],
        (None, None) => made(None).map(|_| at(None)).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::truth::Match;
    use crate::{Position, Rules};
    use game::written::{Opening, Written};
    use game::{Game, Seat, Viewer};
    use std::sync::Arc;

    /// Whether the top discard helps seat 1 of three in round 1 (two groups of three), by a position.
    fn helps(position: &str) -> bool {
        let position: Position = toml::from_str(position).expect("a position");
        let opening = Opening { round: 1, dealer: Seat(2) };
        let game = Match::set_up(Arc::new(Rules::contract(3)), 3, opening, position);
        game.unwrap_or_else(|faults| panic!("{faults:?}")).view(Viewer::Seat(Seat(1))).offer_helps()
    }

    #[test]
    fn a_discard_helps_where_it_goes_with_a_card_of_the_hand() {
        let with = |top: &str| {
            let hands = r#"hands = ["2C", "7H 7C KD KS 4C 9D", "3C"]"#;
            helps(&format!("{hands}\ndiscard = \"{top}\"\nstock = \"2H 3H 5H\""))
        };
        assert!(with("7S") && with("KH") && with("4D") && with("JK"));
        assert!(!with("8H") && !with("TS"), "no run is asked for");
    }

    #[test]
    fn whoever_is_down_is_not_helped_by_a_card_that_comes_with_another() {
        let laid = r#"hands = ["2C", "9D 4C", "3C"]
melds = ["1: G[7H 7C 7D]", "1: G[KD KS KC]"]
discard = "7S"
stock = "2H 3H 5H""#;
        assert!(!helps(laid));
    }
}
