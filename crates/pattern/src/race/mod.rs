//! The race (M1) and scout (M2): simultaneous claims on an open layout, generic over everything in 4.1.
//!
//! - [`state`](State): what everybody may see, and the one fold (`apply`) that truth and views share;
//! - `judge`: what is refused; `reach`: what lies open, and which claims are wrong or right;
//! - `decide`: what a command brings; `settle`: what then follows by itself (refills, extra deals, the end); `scout`;
//! - `quick`: the same for simulations, in less time;
//! - `votes`: who may act, who is needed, when there is an agreement;
//! - `mine`: what a seat alone knows; `view`: redaction, offers, imagined truths; `notation`: positions, commands and statements as text.

/// Copying, field by field, into the memory that a copy has already; what is derived makes all memory anew.
macro_rules! copied {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                $type { $($field: Clone::clone(&self.$field)),* }
            }
            fn clone_from(&mut self, other: &Self) {
                $(self.$field.clone_from(&other.$field);)*
            }
        }
    };
}

mod apply;
mod board;
mod decide;
mod ids;
mod judge;
mod mine;
mod missed;
mod notation;
mod quick;
mod reach;
mod scout;
mod settle;
mod state;
mod view;
mod votes;

pub use crate::frame::presence::Held;
pub use board::Board;
pub use mine::{Answer, Mine};
pub use missed::Watch;
pub use state::{
    Call, DealEnd, Event, Finding, Hand, Lock, Missed, Phase, Placed, Player, Search, Showing, Shuffle,
    State, Verdict, Why,
};
pub use view::{Notice, View};

use crate::command::Command;
use crate::finder;
use crate::rules::{Entry, LostCards, Order, Rules};
use cards::Point;
use game::{Alarm, Chance, Game, Input, Millis, Need, Outcome, Refusal, Seat, SeatSet, Status, Viewer};
use std::sync::Arc;

/// What the truth remembers of a seat for votes and clocks. No viewer sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Mind {
    /// When the seat acted last.
    pub acted: Millis,
    /// When it first said "still looking" on the present layout.
    pub refused: Option<Millis>,
    /// When all other needed seats were first flagged on the present layout.
    pub pressed: Option<Millis>,
}

/// The truth of a race.
#[derive(Debug)]
pub struct Race {
    rules: Arc<Rules>,
    /// With every hand in it.
    state: State,
    /// The stock, top last.
    stock: Vec<Point>,
    /// Cards that a written position leaves out.
    aside: Vec<Point>,
    /// What each seat alone knows.
    mine: Vec<Mine>,
    /// Whether a seat may know something alone: in most games none ever does, and there is nothing to keep up.
    secrets: bool,
    /// What is remembered of each seat for votes and clocks.
    minds: Vec<Mind>,
    /// Whether any of that ends with the layout.
    minded: bool,
    /// Whether it is known who deals first.
    dealer_known: bool,
    /// Whom a claim has cost hand cards, and what each zone is to be filled to.
    fill: Option<Fill>,
    /// Personal cards that are still to be drawn.
    draws: Vec<(Seat, Why)>,
    /// Shuffles of this deal after the first, and picks.
    shuffles: u16,
    picks: u16,
    /// Events so far: tells alarms apart.
    plies: u32,
    /// The time of the last event.
    clock: Millis,
    /// When anybody acted last, raised a flag last, called last, had a claim judged last; when a card was lit last.
    acted: Millis,
    flagged: Millis,
    called: Millis,
    judged: Millis,
    lit: Millis,
    /// The layouts of this deal, where missed claims are shown after it.
    history: Vec<missed::Layout>,
}

copied!(Race {
    rules,
    state,
    stock,
    aside,
    mine,
    secrets,
    minds,
    minded,
    dealer_known,
    fill,
    draws,
    shuffles,
    picks,
    plies,
    clock,
    acted,
    flagged,
    called,
    judged,
    lit,
    history
});

/// What a claim has emptied.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fill {
    seats: SeatSet,
    /// Cards of each zone (at most 9).
    target: [u8; 9],
}

impl Race {
    fn new(rules: Arc<Rules>, seats: u8) -> Race {
        let rules = match rules.seated(seats) {
            std::borrow::Cow::Borrowed(_) => rules,
            std::borrow::Cow::Owned(alone) => Arc::new(alone),
        };
        let state = State::new(&rules, seats);
        Race {
            stock: rules.pack(),
            aside: Vec::new(),
            mine: vec![Mine::default(); usize::from(seats)],
            secrets: false,
            minds: vec![Mind::default(); usize::from(seats)],
            minded: false,
            dealer_known: seats == 1,
            fill: None,
            draws: Vec::new(),
            shuffles: 0,
            picks: 0,
            plies: 0,
            clock: Millis(0),
            acted: Millis(0),
            flagged: Millis(0),
            called: Millis(0),
            judged: Millis(0),
            lit: Millis(0),
            history: Vec::new(),
            state,
            rules,
        }
    }

    /// What everybody sees, with every hand in it.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A claim drawn uniformly from those open to `seat`; none if there is none. For simulations.
    #[must_use]
    pub fn random_claim(&self, seat: Seat, chance: &mut impl Chance) -> Option<crate::Claim> {
        if self.rules.plain_sets() {
            let set = finder::random_set(self.state.board.lying(), chance);
            return set.map(|set| crate::Claim::one(&set));
        }
        reach::Reach::new(&self.rules, &self.state, Some(seat)).random(chance)
    }

    /// All claims open to `seat`. For simulations.
    #[must_use]
    pub fn claims(&self, seat: Seat) -> Vec<crate::Claim> {
        reach::Reach::new(&self.rules, &self.state, Some(seat)).list(usize::MAX)
    }

    /// The stock, top last.
    #[must_use]
    pub fn stock(&self) -> &[Point] {
        &self.stock
    }

    /// What chance is to decide next, if anything.
    #[inline]
    fn need(&self) -> Option<Need> {
        let state = &self.state;
        if state.phase == Phase::Over {
            return None;
        }
        if let Some(what) = state.shuffling {
            let cards = self.to_shuffle(what).len() as u16;
            return Some(Need::Shuffle { deal: state.deal, nth: self.shuffles + 1, cards });
        }
        if state.picking.is_some() {
            return Some(Need::Pick { deal: state.deal, nth: self.picks, of: 3 });
        }
        match (state.phase, self.dealer_known) {
            (Phase::Shuffling, false) => Some(Need::Dealer { seats: self.seats() }),
            (Phase::Shuffling, true) => {
                Some(Need::Shuffle { deal: state.deal, nth: 0, cards: self.rules.deck.size() as u16 })
            }
            _ => None,
        }
    }

    /// The cards that a shuffle in mid-deal is about, in the order that its indices refer to: the pile from its oldest
    /// card, the removed layout slot by slot or a hand, and after them the stock from its top. The pile alone goes under
    /// what stock there is.
    fn to_shuffle(&self, what: Shuffle) -> Vec<Point> {
        let stock = self.stock.iter().rev().copied();
        match what {
            Shuffle::Pile => self.state.pile.clone(),
            Shuffle::Swept { pile } => {
                let pile = if pile { &self.state.pile[..] } else { &[] };
                self.state.swept.iter().chain(pile).copied().chain(stock).collect()
            }
            Shuffle::Hand(seat) => {
                let hand = self.state.players[seat.index()].hand.cards();
                hand.iter().copied().chain(stock).collect()
            }
        }
    }

    /// The seats whose act is missing.
    #[inline]
    fn waiting(&self) -> SeatSet {
        let state = &self.state;
        match state.phase {
            Phase::Shuffling | Phase::Over => SeatSet::NONE,
            Phase::Dealing | Phase::Open => state.players_in(&self.rules),
            Phase::Between => state.here().minus(state.ready),
            Phase::Tie | Phase::Called => {
                let callers = state.call.map_or(SeatSet::NONE, |call| call.callers);
                callers.iter().filter(|s| self.mine[s.index()].answer.is_none()).collect()
            }
            Phase::Scout => self.searching(),
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }
}

impl Game for Race {
    type Rules = Rules;
    type View = View;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        match rules.check(seats).into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(Race::new(rules, seats)),
        }
    }

    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn seats(&self) -> u8 {
        self.state.players.len() as u8
    }

    #[inline]
    fn status(&self) -> Status {
        match (self.outcome(), self.need()) {
            (Some(outcome), _) => Status::Over(outcome.clone()),
            (None, Some(need)) => Status::Chance(need),
            (None, None) => Status::Seats(self.waiting()),
        }
    }

    fn alarm(&self) -> Option<Alarm> {
        self.next_bell().map(|(due, _)| Alarm { id: self.plies, due })
    }

    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        self.decide_input(at, input, out)
    }

    fn evolve(&mut self, event: &Event) {
        // Nearly all events are of two kinds. For each of them there is a copy of the fold in which the compiler need not
        // ask again and again which it is; not in a browser, which loads each copy.
        match event {
            _ if cfg!(target_arch = "wasm32") => self.fold_other(event),
            Event::Judged { .. } => self.fold::<1>(event),
            Event::Laid { .. } => self.fold::<2>(event),
            _ => self.fold_other(event),
        }
    }

    fn view(&self, who: Viewer) -> View {
        View::of(self, who)
    }

    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        event.seen_by(who, self.rules.private_hands())
    }

    fn contest(&self, command: &Command) -> game::Contest {
        match command {
            Command::NoSet | Command::NoSetOff | Command::Looking => game::Contest::Layout,
            Command::Call => game::Contest::Call,
            Command::Claim { .. } if self.rules.entry == Entry::Tap => game::Contest::Claim,
            Command::Scout(_) => game::Contest::Claim,
            _ => game::Contest::None,
        }
    }

    fn changes_layout(&self, event: &Event) -> bool {
        match event {
            Event::Dealt { .. } | Event::Laid { .. } | Event::Swept { .. } | Event::Regrouped { .. } => true,
            Event::Judged { verdict, .. } => verdict.finding.right(),
            Event::TieJudged { verdicts, heaped, .. } => {
                !heaped.is_empty() || verdicts.iter().any(|v| v.finding.right())
            }
            Event::Resolved { finder_takes, scout, .. } => {
                !finder_takes.is_empty() || scout.as_ref().is_some_and(|(_, cards)| !cards.is_empty())
            }
            _ => false,
        }
    }

    fn ping_adjusted(&self) -> bool {
        self.rules.order == Order::PingAdjusted
    }

    fn imagine(view: &View, chance: &mut impl Chance) -> Self {
        view.imagined(chance)
    }

    fn census(&self) -> Vec<u16> {
        let mut census = vec![0; self.rules.deck.points()];
        let state = &self.state;
        let held = state.players.iter().flat_map(|p| p.taken.iter().chain(p.hand.cards()));
        let piles = [&self.stock, &self.aside, &state.heap, &state.pile, &state.swept];
        let there = state.board.cards().chain(held.chain(piles.into_iter().flatten()).copied());
        for card in there.chain(self.rules.boxed()) {
            census[usize::from(card.0)] += 1;
        }
        census
    }
}

impl Race {
    /// Takes in an event; `COPY` does nothing but tell copies apart.
    #[inline(always)]
    fn fold<const COPY: u8>(&mut self, event: &Event) {
        let layout = self.state.layout;
        self.before(event);
        self.state.apply(event, &self.rules);
        let changed = self.state.layout != layout;
        self.secrets |= event.is_private();
        if self.secrets {
            for (seat, mine) in (0..).map(Seat).zip(&mut self.mine) {
                mine.apply(event, seat, changed);
            }
        }
        self.remember(event, changed);
        self.plies += 1;
        if let Some(at) = event.at() {
            self.clock = at;
        }
        if let Event::Graduated = event {
            self.rules = Arc::new(self.rules.graduated());
        }
        if changed && self.rules.show_missed == crate::rules::ShowMissed::AfterDeal {
            self.history.push(missed::Layout::of(&self.state));
        }
    }

    #[inline(never)]
    fn fold_other(&mut self, event: &Event) {
        self.fold::<0>(event);
    }

    /// What an event does to what only the truth knows; before the shared fold.
    #[inline(always)]
    fn before(&mut self, event: &Event) {
        if !self.state.flags.is_empty()
            && let Some(at) = event.at()
        {
            self.press_until(at);
        }
        match event {
            // They are joined to the others at the next deal (QUICK-4).
            Event::Graduated => self.aside.extend(self.rules.boxed()),
            Event::FirstDealer(_) => self.dealer_known = true,
            Event::Dealt { stock, .. } => {
                self.stock.clear();
                self.stock.extend(stock.iter().rev());
                self.aside.clear();
                self.draws.clear();
                self.history.clear();
                (self.fill, self.shuffles, self.picks) = (None, 0, 0);
            }
            Event::Laid { cards, .. } => self.stock.truncate(self.stock.len() - cards.len()),
            Event::Drew { cards, why, .. } => {
                self.stock.truncate(self.stock.len() - cards.len());
                if matches!(why, Why::Penalty | Why::Asked) {
                    self.draws.remove(0);
                }
            }
            Event::Called { at, .. } => self.called = *at,
            Event::Judged { at, verdict } => {
                self.judged = *at;
                self.picks += u16::from(self.state.picking.is_some());
                if verdict.finding.right() {
                    self.fill = self.emptied(SeatSet::NONE.with(verdict.seat));
                }
                if verdict.draws {
                    self.draws.push((verdict.seat, Why::Penalty));
                }
            }
            Event::TieJudged { at, verdicts, .. } => {
                self.judged = *at;
                self.fill = self.emptied(verdicts.iter().map(|verdict| verdict.seat).collect());
                let drawing = verdicts.iter().filter(|verdict| verdict.draws);
                self.draws.extend(drawing.map(|verdict| (verdict.seat, Why::Penalty)));
            }
            Event::Swept { .. } => self.fill = self.emptied(SeatSet::NONE),
            Event::Asked { seat, .. } => self.draws.push((*seat, Why::Asked)),
            Event::Shuffled { stock, .. } => {
                self.stock.clear();
                self.stock.extend(stock.iter().rev());
                self.shuffles += 1;
            }
            Event::Lit { at, .. } => self.lit = *at,
            Event::ScoutFailed { loses, .. } => self.put_under(*loses),
            Event::Resolved { at, loses, finder_takes, scout, .. } => {
                self.judged = *at;
                if !finder_takes.is_empty() || scout.as_ref().is_some_and(|(_, cards)| !cards.is_empty()) {
                    self.fill = self.emptied(SeatSet::NONE);
                }
                self.put_under(*loses);
            }
            Event::DealOver { .. } => {
                self.fill = None;
                self.draws.clear();
            }
            _ => {}
        }
    }

    /// What is to be filled again, now that cards leave.
    #[inline(always)]
    fn emptied(&self, seats: SeatSet) -> Option<Fill> {
        let mut target = [self.rules.base; 9];
        if self.rules.refill_above_base {
            let board = &self.state.board;
            for (zone, target) in target.iter_mut().enumerate().take(board.zone_count()) {
                *target = (*target).max(board.count(zone) as u8);
            }
        }
        Some(Fill { seats, target })
    }

    /// A lost card goes under the stock, where the rules say so.
    fn put_under(&mut self, loses: Option<Point>) {
        if let (Some(card), LostCards::UnderStock) = (loses, self.rules.lost_cards) {
            self.stock.insert(0, card);
        }
    }
}
