//! How what happened changes what is seen: the one fold that truth and views share.

use super::state::{
    Call, DealEnd, Event, Finding, Hand, Lock, Missed, Phase, Placed, Player, Search, Showing, Shuffle,
    State, Verdict, Why,
};
use super::{Board, Held};
use crate::rules::{ChainBreak, DealStyle, Rules, Sources, To};
use cards::Point;
use game::{Millis, Seat, SeatSet, Viewer};

/// Does something to each player. There are few: this way they are not divided into eights first.
fn each(players: &mut [Player], act: impl Fn(&mut Player)) {
    let mut rest = players;
    while let [player, others @ ..] = rest {
        act(player);
        rest = others;
    }
}

impl State {
    /// Takes in an event, or what a viewer learnt of it.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))] // as for `Race::evolve`
    pub(crate) fn apply(&mut self, event: &Event, rules: &Rules) {
        match event {
            Event::FirstDealer(seat) => self.dealer = *seat,
            Event::Dealt { at, left, board, hands, open_at, .. } => {
                self.dealt(*at, *left, board, hands, *open_at, rules);
            }
            Event::Laid { at, why, cards, open_at } => self.laid(*at, *why, cards, *open_at, rules),
            Event::Drew { seat, cards, .. } => {
                self.stock -= cards.len() as u16;
                self.players[seat.index()].hand.add(cards);
            }
            Event::Called { adjusted, seat, deadline, .. } => self.called(*adjusted, *seat, *deadline, rules),
            Event::WindowClosed => self.phase = Phase::Called,
            Event::Answered { .. } | Event::Passed { .. } => {}
            Event::CallClosed { at, seat } => self.call_closed(*at, *seat, rules),
            Event::Picking { seat, claim, .. } => self.picking = Some((*seat, claim.clone())),
            Event::Judged { at, verdict } => self.judged(*at, verdict, rules),
            Event::TieJudged { at, verdicts, heaped } => self.tie_judged(*at, verdicts, heaped, rules),
            Event::Flag { seat, up, .. } => {
                self.flags = if *up { self.flags.with(*seat) } else { self.flags.without(*seat) };
                self.looking.remove(*seat);
            }
            Event::Looking { seat, .. } => {
                self.flags.remove(*seat);
                self.looking.add(*seat);
            }
            Event::FlagsDropped { .. } => (self.flags, self.told) = (SeatSet::NONE, true),
            Event::Swept { at } => {
                self.swept.extend(self.board.cards());
                self.board = Board::empty(rules);
                self.new_layout(*at);
            }
            Event::Shuffling(what) => self.shuffling = Some(*what),
            Event::Shuffled { what, left, .. } => self.shuffled(*what, *left),
            Event::Regrouped { at, board, open_at } => {
                self.board.clone_from(board);
                (self.open_at, self.regrouped) = (*open_at, true);
                self.new_layout(*at);
            }
            Event::Lit { card, .. } => self.lit.push(*card),
            Event::Hinted { seat, points, .. } => self.players[seat.index()].gain(*points),
            Event::Asked { .. } => {}
            Event::Sealed { seat, points, scouts, deadline, .. } => {
                self.search = Some(Search {
                    finder: *seat,
                    points: *points,
                    scouts: *scouts,
                    failed: SeatSet::NONE,
                    deadline: *deadline,
                    showing: None,
                });
                self.phase = Phase::Scout;
            }
            Event::Named { seat, card, deadline, .. } => {
                if let Some(search) = &mut self.search {
                    search.showing = Some(Showing { scout: *seat, named: *card, deadline: *deadline });
                }
            }
            Event::ScoutFailed { seat, loses, .. } => self.scout_failed(*seat, *loses, rules),
            Event::Resolved { .. } => self.resolved(event, rules),
            Event::Thawed { .. } => self.players.iter_mut().for_each(|p| p.frozen = None),
            Event::Unlocked { .. } => each(&mut self.players, Player::unlock),
            Event::Away { at, seat } => self.players[seat.index()].held = Held::Away { since: *at },
            Event::Back { seat, .. } => self.players[seat.index()].held = Held::Here,
            Event::Retired { seat, .. } => self.retired(*seat),
            Event::Returning { seat, here, .. } => match here {
                true => self.returning.add(*seat),
                false => self.returning.remove(*seat),
            },
            Event::Joined { seat, again, .. } => self.joined(*seat, *again),
            Event::DealOver { why, bonus, also, missed, .. } => {
                self.deal_over(*why, bonus.iter().chain(also), missed);
            }
            Event::Next { deal, dealer, until } => {
                (self.deal, self.dealer, self.next_at) = (*deal, *dealer, Some(*until));
            }
            Event::Ready { seat, .. } => self.ready.add(*seat),
            Event::Graduating { seat, .. } => self.graduating.add(*seat),
            Event::Graduated => self.graduating = SeatSet::NONE,
            Event::Begun => {
                (self.phase, self.next_at) = (Phase::Shuffling, None);
                (self.ready, self.graduating) = (SeatSet::NONE, SeatSet::NONE);
            }
            Event::Ended { at, lost, outcome } => {
                (self.phase, self.ended_at, self.lost) = (Phase::Over, Some(*at), *lost);
                self.outcome = Some(outcome.clone());
                (self.call, self.search, self.next_at) = (None, None, None);
                self.shuffling = None;
            }
        }
    }

    /// A deal begins.
    fn dealt(
        &mut self,
        at: Millis,
        left: u16,
        board: &Board,
        hands: &[Hand],
        open_at: Millis,
        rules: &Rules,
    ) {
        for (player, hand) in self.players.iter_mut().zip(hands) {
            player.new_deal(hand.clone());
        }
        self.dealt.add(self.dealer);
        self.board.clone_from(board);
        self.stock = left;
        (self.heap, self.pile, self.swept, self.last) = Default::default();
        (self.extras, self.regrouped, self.last_right, self.deal_end) = (0, false, None, None);
        self.missed.clear();
        self.open_at = open_at;
        if self.deal == 1 {
            self.started_at = at;
        }
        self.phase = Phase::Open;
        if rules.deal_style == DealStyle::Progressive {
            self.lay_on(at, rules);
        }
        self.new_layout(at);
    }

    /// A call, or one more of several at the same time.
    fn called(&mut self, adjusted: Millis, seat: Seat, deadline: Option<Millis>, rules: &Rules) {
        match &mut self.call {
            Some(call) => call.callers.add(seat),
            None => {
                self.call = Some(Call {
                    callers: SeatSet::one(seat),
                    since: adjusted,
                    deadline,
                    while_dealing: self.phase == Phase::Dealing,
                });
                self.next_card_at = None;
                self.phase = if rules.ties() { Phase::Tie } else { Phase::Called };
            }
        }
    }

    /// A call ends because its caller is gone.
    fn call_closed(&mut self, at: Millis, seat: Seat, rules: &Rules) {
        let left = self.call.as_mut().map(|call| {
            call.callers.remove(seat);
            call.callers
        });
        // It costs nothing, but who calls and is gone again and again would hold the table.
        let player = &mut self.players[seat.index()];
        if let seconds @ 1.. = player.wasted_lockout() {
            player.lock = Lock::Until(at.after(seconds * 1000));
        }
        player.wasted = player.wasted.saturating_add(1);
        if left.is_none_or(SeatSet::is_empty) {
            self.search = None;
            self.reopen(at, rules);
        }
    }

    /// Tied claims are judged.
    fn tie_judged(&mut self, at: Millis, verdicts: &[Verdict], heaped: &[Point], rules: &Rules) {
        self.last.clear();
        for verdict in verdicts {
            self.settle_verdict(verdict, rules);
        }
        for &card in heaped {
            // What lies in no layout is a personal card, which one claim alone can name (A-8 `both_sets`).
            if !self.board.remove(card)
                && let Some(of) = verdicts.iter().find(|verdict| verdict.claim.cards().contains(&card))
            {
                self.players[of.seat.index()].hand.remove(card);
            }
            self.heap.push(card);
        }
        if !heaped.is_empty() || verdicts.iter().any(|v| v.finding.right()) {
            self.new_layout(at);
        }
        self.reopen(at, rules);
    }

    /// Cards were shuffled into the stock.
    fn shuffled(&mut self, what: Shuffle, left: u16) {
        match what {
            Shuffle::Pile => self.pile.clear(),
            Shuffle::Swept { pile } => {
                self.swept.clear();
                if pile {
                    self.pile.clear();
                }
            }
            Shuffle::Hand(seat) => {
                let hand = &mut self.players[seat.index()].hand;
                *hand = match hand {
                    Hand::Hidden(_) => Hand::Hidden(0),
                    Hand::Seen(_) => Hand::Seen(Vec::new()),
                };
            }
        }
        (self.stock, self.shuffling) = (left, None);
    }

    /// A scout is out of the search.
    fn scout_failed(&mut self, seat: Seat, loses: Option<Point>, rules: &Rules) {
        if let Some(search) = &mut self.search {
            search.failed.add(seat);
            search.showing = None;
        }
        match loses {
            Some(card) => self.lose(seat, card, rules),
            None => self.lose_unknown(seat),
        }
    }

    /// A search is over and the seal is opened.
    fn resolved(&mut self, event: &Event, rules: &Rules) {
        let Event::Resolved { at, finder_takes, scout, loses, freezes, thaws, verdict } = event else {
            return;
        };
        let finder = verdict.seat;
        for (seat, cards) in
            [Some((finder, finder_takes)), scout.as_ref().map(|(s, c)| (*s, c))].into_iter().flatten()
        {
            let player = &mut self.players[seat.index()];
            for &card in cards {
                self.board.remove(card);
                player.taken.push(card);
            }
            player.gain(cards.len() as i32);
        }
        self.players[finder.index()].sets += u16::from(verdict.sets);
        match loses {
            Some(card) => self.lose(finder, *card, rules),
            None if verdict.finding.right() => {}
            None => self.lose_unknown(finder),
        }
        for seat in thaws.iter() {
            self.players[seat.index()].frozen = None;
        }
        let player = &mut self.players[finder.index()];
        if !verdict.finding.right() {
            player.errors = player.errors.saturating_add(1);
            let wasted = matches!(verdict.finding, Finding::Timeout | Finding::Cancelled);
            player.wasted = player.wasted.saturating_add(u8::from(wasted));
        }
        if *freezes {
            player.frozen = Some(*at);
        }
        self.last = vec![verdict.clone()];
        self.search = None;
        if !finder_takes.is_empty() || scout.as_ref().is_some_and(|(_, cards)| !cards.is_empty()) {
            each(&mut self.players, Player::unlock);
            self.new_layout(*at);
        }
        self.reopen(*at, rules);
    }

    /// A seat is out of the match.
    fn retired(&mut self, seat: Seat) {
        self.players[seat.index()].held = Held::Retired;
        for set in [&mut self.flags, &mut self.looking, &mut self.ready, &mut self.graduating] {
            set.remove(seat);
        }
        if let Some(search) = &mut self.search {
            search.scouts.remove(seat);
        }
    }

    /// A retired seat is taken.
    fn joined(&mut self, seat: Seat, again: bool) {
        self.returning.remove(seat);
        let player = &mut self.players[seat.index()];
        player.held = Held::Here;
        if !again {
            (player.score, player.points, player.errors) = (0, 0, 0);
            self.dealt.remove(seat);
        }
    }

    /// A deal is over.
    fn deal_over<'a>(
        &mut self,
        why: DealEnd,
        bonuses: impl Iterator<Item = &'a (Seat, i32)>,
        missed: &[Missed],
    ) {
        for (seat, points) in bonuses {
            self.players[seat.index()].gain(*points);
        }
        (self.call, self.search, self.picking, self.next_card_at) = (None, None, None, None);
        (self.flags, self.looking) = (SeatSet::NONE, SeatSet::NONE);
        self.lit.clear();
        self.deal_end = Some(why);
        self.missed = missed.to_vec();
        self.phase = Phase::Between;
    }

    #[inline]
    fn laid(&mut self, at: Millis, why: Why, cards: &[Placed], open_at: Millis, rules: &Rules) {
        for placed in cards {
            self.board.put(usize::from(placed.zone), usize::from(placed.slot), placed.card);
        }
        self.stock -= cards.len() as u16;
        self.open_at = open_at;
        match why {
            Why::Extra => {
                self.extras += 1;
                for player in &mut self.players {
                    player.unlock();
                    player.unlinked |= rules.chain_break == ChainBreak::AfterExtraDeal;
                }
            }
            Why::Dealing if self.full(rules) || self.stock == 0 => {
                (self.phase, self.next_card_at) = (Phase::Open, None);
            }
            Why::Dealing => self.lay_on(at, rules),
            _ => {}
        }
        self.new_layout(at);
    }

    #[inline]
    fn judged(&mut self, at: Millis, verdict: &Verdict, rules: &Rules) {
        self.picking = None;
        self.last.clear();
        self.settle_verdict(verdict, rules);
        if verdict.finding.right() {
            self.new_layout(at);
        }
        if self.call.is_some() || verdict.finding.right() && self.phase == Phase::Open {
            self.reopen(at, rules);
        }
    }

    /// What a verdict does to its seat and the cards.
    #[inline]
    fn settle_verdict(&mut self, verdict: &Verdict, rules: &Rules) {
        self.last.push(verdict.clone());
        let seats = self.players.len();
        let player = &mut self.players[verdict.seat.index()];
        player.gain(verdict.points);
        match verdict.finding {
            Finding::Right { .. } => {
                for &card in &verdict.taken {
                    if !self.board.remove(card) {
                        player.hand.remove(card);
                    }
                }
                match rules.to {
                    To::Collected => {
                        if player.taken.is_empty() {
                            // Once for what is likely to come.
                            player.taken.reserve(usize::from(self.stock) / seats + usize::from(rules.base));
                        }
                        player.taken.extend(&verdict.taken);
                        player.sets_held += u16::from(verdict.sets);
                    }
                    To::Discard => self.pile.extend_from_slice(&verdict.taken),
                }
                player.sets += u16::from(verdict.sets);
                if rules.sources == Sources::Previous {
                    player.previous.clear();
                    player.previous.extend_from_slice(verdict.claim.cards());
                    player.unlinked = false;
                }
                self.last_right = Some(verdict.seat);
                each(&mut self.players, Player::unlock);
            }
            Finding::Clash => {}
            finding => {
                player.errors = player.errors.saturating_add(u16::from(finding != Finding::Lapsed));
                player.lock = verdict.lock;
                if matches!(finding, Finding::Timeout | Finding::Lapsed | Finding::Cancelled) {
                    player.wasted = player.wasted.saturating_add(1);
                }
                if let Some(set) = &verdict.pays {
                    player.sets_held -= 1;
                    player.taken.retain(|card| !set.contains(card));
                    self.heap.extend_from_slice(set);
                }
            }
        }
    }

    /// `seat` loses a collected card (SCOUT-10, A-36).
    fn lose(&mut self, seat: Seat, card: Point, rules: &Rules) {
        let player = &mut self.players[seat.index()];
        player.taken.retain(|&c| c != card);
        player.gain(-1);
        match rules.lost_cards {
            crate::rules::LostCards::Heap => self.heap.push(card),
            crate::rules::LostCards::UnderStock => self.stock += 1,
        }
    }

    /// The same where a written position says how many cards are held, not which.
    fn lose_unknown(&mut self, seat: Seat) {
        let player = &mut self.players[seat.index()];
        if player.here() && player.sets_held > 0 {
            player.sets_held -= 1;
            player.gain(-1);
        }
    }

    /// The layout has changed: what was about the old one is over.
    #[inline]
    fn new_layout(&mut self, at: Millis) {
        self.layout += 1;
        self.layout_at = at;
        (self.flags, self.looking, self.told) = (SeatSet::NONE, SeatSet::NONE, false);
        self.lit.clear();
        each(&mut self.players, |p| p.wasted = 0);
    }

    /// No call stands any more.
    #[inline]
    fn reopen(&mut self, at: Millis, rules: &Rules) {
        let dealing = self.call.take().is_some_and(|call| call.while_dealing);
        self.phase = Phase::Open;
        if dealing || rules.deal_style == DealStyle::Progressive && rules.progressive_refill {
            self.lay_on(at, rules);
        }
    }

    /// Goes on laying cards one by one, if there are any and there is room.
    fn lay_on(&mut self, at: Millis, rules: &Rules) {
        if self.stock > 0 && !self.full(rules) {
            self.phase = Phase::Dealing;
            self.next_card_at = Some(at.after(u32::from(rules.deal_interval_ms)));
        }
    }

    /// Whether every zone holds its base.
    pub(crate) fn full(&self, rules: &Rules) -> bool {
        (0..self.board.zone_count()).all(|zone| self.board.count(zone) >= usize::from(rules.base))
    }
}

impl Player {
    fn new_deal(&mut self, hand: Hand) {
        self.points = 0;
        (self.sets, self.sets_held, self.wasted) = (0, 0, 0);
        self.taken.clear();
        self.previous.clear();
        self.hand = hand;
        (self.unlinked, self.frozen, self.lock) = (false, None, Lock::NONE);
    }

    fn gain(&mut self, points: i32) {
        self.score += points;
        self.points += points;
    }

    /// Ends a lock that waits for the next claim.
    fn unlock(&mut self) {
        if self.lock == Lock::NextClaim {
            self.lock = Lock::NONE;
        }
    }
}

impl Event {
    /// What `who` learns from it; none if nothing. `private` says whether hands are hidden.
    pub(crate) fn seen_by(&self, who: Viewer, private: bool) -> Option<Event> {
        let hidden = |seat: Seat| private && !who.is(seat);
        Some(match self {
            Event::Dealt { at, left, board, hands, open_at, .. } => Event::Dealt {
                at: *at,
                stock: Vec::new(),
                left: *left,
                board: board.clone(),
                hands: (0..)
                    .zip(hands)
                    .map(|(seat, hand)| if hidden(Seat(seat)) { hand.hidden() } else { hand.clone() })
                    .collect(),
                open_at: *open_at,
            },
            Event::Shuffled { what, left, .. } => {
                Event::Shuffled { what: *what, stock: Vec::new(), left: *left }
            }
            Event::Drew { at, seat, why, cards } if hidden(*seat) => {
                Event::Drew { at: *at, seat: *seat, why: *why, cards: cards.hidden() }
            }
            Event::Answered { seat, .. } | Event::Passed { seat, .. } if !who.is(*seat) => return None,
            Event::Sealed { at, seat, points, scouts, deadline, .. } if !who.is(*seat) => Event::Sealed {
                at: *at,
                seat: *seat,
                cards: None,
                points: *points,
                scouts: *scouts,
                deadline: *deadline,
            },
            Event::Hinted { at, seat, points, .. } if !who.is(*seat) => {
                Event::Hinted { at: *at, seat: *seat, card: None, points: *points }
            }
            event => event.clone(),
        })
    }
}
