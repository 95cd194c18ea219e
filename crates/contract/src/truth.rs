//! The truth of a match.

use crate::compiled::{CompiledRules, SharedRules};
use crate::hand::Hand;
use crate::judge::Judge;
use crate::meld::Law;
use crate::rules::{FirstDealer, Rules};
use crate::sealed::{Call, Passed, Sealed};
use crate::state::{Board, Flow, Phase, Waiting};
use cards::Face;
use game::{Chance, Need, Refusal, Seat, SeatSet, say};
use std::sync::Arc;

/// How far a cut by chance may be from the exact depth.
const CUT_SPREAD: u8 = 30;
/// Which shuffle of the first deal finds the dealer, where the highest card deals: one that no reshuffle reaches.
const HIGH_CARD_SHUFFLE: u16 = u16::MAX;

/// The truth of one match.
///
/// What chance is asked: the indices of a deal's shuffle refer to [`Rules::cards`]; those of a reshuffle to the discard
/// pile without its top card, from the card beneath that downwards; entry 0 of an answer is the card that comes to lie on
/// top. A blind pick is asked once the place has been chosen: the claimer's hand in canonical order is turned by what
/// chance says, so that every card is equally likely at every place.
#[derive(Clone, Debug)]
pub struct Match {
    pub(crate) compiled: SharedRules,
    pub(crate) flow: Flow,
    pub(crate) board: Board,
    pub(crate) sealed: Sealed,
    pub(crate) hands: Vec<Hand>,
    /// What each seat knows of the cards that were passed on. Those of [`Flow::passed`] lie on the table.
    pub(crate) passed: Vec<Passed>,
    /// The stock, its top card last.
    pub(crate) stock: Vec<Face>,
    /// The discard pile, its top card last.
    pub(crate) pile: Vec<Face>,
    /// Cards that are not in play: all before the first deal; in a written-down position those not named.
    pub(crate) aside: Hand,
    /// Whether the position was written down, so that cuts of exact depth are understood.
    pub(crate) exact: bool,
}

impl Match {
    /// A match before anything has happened; `exact` says whether it is written down.
    pub(crate) fn new(rules: Arc<Rules>, seats: u8, exact: bool) -> Match {
        let compiled = CompiledRules::new(rules);
        Match {
            flow: Flow::new(seats),
            board: Board::default(),
            sealed: Sealed::default(),
            hands: vec![Hand::default(); usize::from(seats)],
            passed: vec![Passed::default(); usize::from(seats)],
            stock: Vec::with_capacity(compiled.cards.len()),
            pile: Vec::with_capacity(compiled.cards.len()),
            aside: compiled.cards.iter().copied().collect(),
            compiled: SharedRules(Arc::new(compiled)),
            exact,
        }
    }

    /// Whether the rules can be played by so many.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn playable(rules: &Rules, seats: u8) -> Result<(), Refusal> {
        let players = &rules.settings.players;
        if !(players.min.max(2)..=players.max.min(Seat::MOST)).contains(&seats) {
            let game = rules.name.clone();
            return Err(Refusal::new(
                &["CR-PLAY-1", "A-01"],
                say!("no.players", game = game, min = players.min, max = players.max, n = seats),
            ));
        }
        if rules.seats != seats {
            return Err(say!("no_rules.other_seats", of = rules.seats, n = seats).into());
        }
        let deck = &rules.settings.deck;
        if !(1..=4).contains(&deck.suits.len()) || !(1..=14).contains(&deck.ranks.len()) {
            return Err(say!("no_rules.pack").into());
        }
        if rules.played().is_empty() || rules.rounds.len() > 64 {
            return Err(say!("no_rules.rounds").into());
        }
        let cards = rules.cards().len();
        if let Some(round) =
            rules.rounds.iter().find(|r| usize::from(r.deal) * usize::from(seats) + 2 > cards)
        {
            let (round, deal) = (round.number, round.deal);
            return Err(say!("no_rules.deal", round = round, deal = deal, n = seats, cards = cards).into());
        }
        Ok(())
    }

    /// Everything small that is public.
    #[must_use]
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// What a seat holds.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> &Hand {
        &self.hands[seat.index()]
    }

    /// The same match with its stock in another order: for measurements of what a move leads to, whatever comes.
    #[must_use]
    pub fn restocked(&self, chance: &mut impl Chance) -> Match {
        let mut other = self.clone();
        chance.shuffle(&mut other.stock);
        other
    }

    /// What a seat's contract and melds are judged by.
    #[must_use]
    pub fn law(&self, seat: Seat) -> &Law {
        self.flow.law(&self.compiled, seat)
    }

    /// Melds, score sheet and the like.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    pub(crate) fn seat_judge(&self, seat: Seat) -> Judge<'_> {
        Judge {
            compiled: &self.compiled,
            flow: &self.flow,
            board: &self.board,
            hand: &self.hands[seat.index()],
            back: if seat == self.flow.turn { self.sealed.back } else { None },
            seat,
        }
    }

    pub(crate) fn need(&self) -> Option<Need> {
        let (flow, deal) = (&self.flow, self.flow.deal);
        let cards = self.compiled.cards.len() as u16;
        match flow.waiting {
            Waiting::Nothing => None,
            Waiting::Dealer => Some(match self.compiled.rules.settings.deal.first_dealer {
                FirstDealer::HighCard => Need::Shuffle { deal, nth: HIGH_CARD_SHUFFLE, cards },
                FirstDealer::Random | FirstDealer::Seat1 => Need::Dealer { seats: flow.seats },
            }),
            Waiting::Noise(Some(_)) => {
                Some(Need::Cut { deal, noise: Some(flow.set(&self.compiled).cut.noise), spread: 0 })
            }
            Waiting::Noise(None) => Some(Need::Cut { deal, noise: None, spread: CUT_SPREAD }),
            Waiting::Shuffle => Some(Need::Shuffle { deal, nth: 0, cards }),
            Waiting::Remake => Some(Need::Shuffle { deal, nth: flow.recycles + 1, cards: flow.pile - 1 }),
            Waiting::Place(_) => {
                let claimer = flow.phase.claimer().unwrap_or(flow.turn);
                Some(Need::Pick { deal, nth: flow.picks, of: flow.sizes[claimer.index()] })
            }
        }
    }

    /// The seats whose decision is missing.
    pub(crate) fn missing(&self) -> SeatSet {
        let flow = &self.flow;
        if flow.waiting != Waiting::Nothing {
            return SeatSet::NONE;
        }
        let open = |seat: &Seat| self.sealed.own[seat.index()].answer.is_none();
        match flow.phase {
            Phase::Deal | Phase::Over => SeatSet::NONE,
            Phase::Cut => SeatSet::one(flow.cutter(&self.compiled)),
            Phase::Choose => SeatSet::one(flow.chooser(&self.compiled)),
            Phase::Name => SeatSet::one(flow.dealer),
            Phase::Pass => flow.passing(),
            Phase::Start | Phase::Play => SeatSet::one(flow.turn),
            Phase::Offer { asked } => asked.iter().filter(open).collect(),
            Phase::Shanghai { asked } => {
                asked.iter().filter(|s| self.sealed.own[s.index()].call == Call::Open).collect()
            }
            Phase::Pick { .. } => SeatSet::one(flow.discarder),
        }
    }

    pub(crate) fn count_deadwood(&mut self) {
        let law = &self.compiled.laws[usize::from(self.flow.round)];
        for (seat, hand) in self.hands.iter().enumerate() {
            // What lies face down is whose it comes to.
            let from = self.flow.passed_by(&self.compiled, Seat(seat as u8));
            let lies = self.flow.passed.has(from).then_some(&self.passed[from.index()].given);
            let cards = hand.cards().chain(lies.into_iter().flatten().copied());
            self.sealed.deadwood[seat] = cards.map(|card| i32::from(law.values[card.index()])).sum();
        }
    }

    /// How many cards of each face there are, wherever they lie.
    pub(crate) fn counted(&self) -> Vec<u16> {
        let mut census: Vec<u16> = self.aside.counts().iter().map(|&n| u16::from(n)).collect();
        for hand in &self.hands {
            census.iter_mut().zip(hand.counts()).for_each(|(n, &held)| *n += u16::from(held));
        }
        let melds = self.board.melds.iter().flat_map(|m| m.meld.faces());
        let passed = self.flow.passed.iter().flat_map(|seat| self.passed[seat.index()].given.iter().copied());
        let piles = self.stock.iter().copied().chain(self.pile.iter().copied());
        for face in melds.chain(passed).chain(piles) {
            census[face.index()] += 1;
        }
        census
    }
}
