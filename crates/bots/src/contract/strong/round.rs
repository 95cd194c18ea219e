//! A round that is played on in one world, by players who go by distance and points alone.

use super::super::{BESIDE, FULL, faces, size};
use super::worlds::World;
use super::{Choice, EACH, LAID, Rollouts};
use ::contract::meld::{End, Meld};
use ::contract::rules::{LayoffWhen, LimitPer, NotDownCards, WildPlace};
use ::contract::solver::{Answer, Counts, presence};
use ::contract::state::Phase;
use cards::Face;
use game::Seat;
use std::rc::Rc;

/// Turns of each seat after which a round that goes on is broken off.
const TURNS: usize = 14;
/// The same where the whole hand must go.
const WHOLE: usize = 30;
/// What keeping a card back is worth for each other of its rank, and for each of its suit at most two ranks away, in points.
const GOES_WITH: [i32; 2] = [6, 4];

/// A way to lay the contract.
pub(super) struct Laid {
    pub(super) melds: Vec<(Meld, u64)>,
    pub(super) left: Counts,
}

/// A player of a round that is played on.
#[derive(Clone)]
struct Player {
    hand: Counts,
    cards: usize,
    /// Cards that are missing from the contract, and the faces that bring it nearer.
    distance: u8,
    helps: u64,
    /// Cards that it lays in its next turn, where all must go.
    lays: u8,
    down: bool,
    /// Whether the contract was laid in this turn.
    fresh: bool,
    takes: u16,
    /// Cards drawn and fined with so far.
    drawn: usize,
    fined: usize,
    /// What takes have cost, in points.
    price: i32,
}

/// A round under way.
#[derive(Clone)]
pub(super) struct Round<'a> {
    world: &'a World,
    players: Vec<Player>,
    /// The melds with the faces that fit on each, and all of these faces.
    table: Vec<(Meld, u64)>,
    fits: u64,
    top: Option<Face>,
    thrower: usize,
    turn: usize,
}

impl Round<'_> {
    /// Melds are laid on the table.
    fn lay_down(&mut self, laid: &Laid) {
        for (meld, mask) in &laid.melds {
            self.table.push((meld.clone(), *mask));
            self.fits |= mask;
        }
    }

    /// Whether a card fits on a meld that lies on the table.
    fn has_place_for(&self, card: Face) -> bool {
        self.fits >> card.index() & 1 != 0
    }
}

impl Rollouts<'_> {
    pub(super) fn start<'w>(&mut self, world: &'w World) -> Round<'w> {
        let view = self.mind.view;
        let flow = &view.flow;
        let mut players = Vec::new();
        for seat in 0..self.seats {
            let hand = world.hands[seat];
            let down = flow.down.has(Seat(seat as u8));
            let cards = size(&hand);
            let drew = flow.phase == Phase::Play && flow.turn.index() == seat;
            let lays = (cards + usize::from(!drew)) as u8;
            let distance = if down { 0 } else { self.distance(&hand, lays) };
            let helps = self.helps(&hand, distance, lays);
            players.push(Player {
                hand,
                lays,
                cards,
                distance,
                helps,
                down,
                fresh: false,
                takes: flow.takes[seat].into(),
                drawn: 0,
                fined: 0,
                price: 0,
            });
        }
        let table: Vec<(Meld, u64)> =
            view.board.melds.iter().map(|m| (m.meld.clone(), self.mask(&m.meld))).collect();
        let fits = table.iter().fold(0, |set, (_, mask)| set | mask);
        Round {
            world,
            players,
            table,
            fits,
            top: flow.top,
            thrower: flow.discarder.index(),
            turn: flow.turn.index(),
        }
    }

    /// The faces that fit on a meld.
    fn mask(&self, meld: &Meld) -> u64 {
        let law = self.law;
        let of_rank = |rank: u8| (0..law.suits).fold(0, |set, suit| set | 1 << Face::new(suit, rank).index());
        let mut asked = if law.place == WildPlace::Fixed {
            law.wild
                | if meld.is_run() {
                    let ends = [End::Low, End::High].into_iter().filter_map(|end| law.beyond(meld, end));
                    ends.fold(0, |set, face| set | of_rank(face.rank()))
                } else {
                    of_rank(meld.low)
                }
        } else {
            law.pack.faces().fold(law.wild, |set, face| set | 1 << face.index())
        };
        let mut fits = 0;
        while asked != 0 {
            let i = asked.trailing_zeros() as usize;
            asked &= asked - 1;
            if let Some(face) = Face::from_index(i)
                && law.fit(meld, face).any()
            {
                fits |= 1 << i;
            }
        }
        fits
    }

    fn gain(&mut self, player: &mut Player, card: Face) {
        player.hand[card.index()] += 1;
        player.cards += 1;
        if !player.down && player.helps >> card.index() & 1 != 0 {
            player.distance -= 1;
            player.helps = self.helps(&player.hand, player.distance, player.lays);
        }
    }

    fn lose(&mut self, player: &mut Player, card: Face) {
        player.hand[card.index()] -= 1;
        player.cards -= 1;
    }

    /// What a player who is not down throws: the dearest card that the contract can do without, and that goes least with others. With it whether the
    /// contract can.
    pub(super) fn throw_of(&mut self, hand: &Counts, distance: u8, lays: u8, urgent: bool) -> (Face, bool) {
        if let Some(&thrown) = self.thrown.get(&(*hand, lays, urgent)) {
            return thrown;
        }
        self.worked += self.each;
        let law = self.law;
        let present = presence(hand);
        let worth = |card: Face| {
            let value = i32::from(law.values[card.index()]);
            let kept = self.goes_with(hand, present, card);
            let wild = if law.is_wild(card) { 120 } else { 0 };
            (if urgent { 2 * value } else { value }) - kept - wild
        };
        let mut ranked: Vec<(i32, Face)> = faces(hand).into_iter().map(|card| (worth(card), card)).collect();
        ranked.sort_by_key(|&(worth, card)| (std::cmp::Reverse(worth), card));
        let spare = self.measure.spare(hand, distance, lays);
        let spared = ranked.iter().find(|(_, card)| spare >> card.index() & 1 != 0);
        let face = spared.or(ranked.first()).map_or(Face::JOKER, |&(_, card)| card);
        let thrown = (face, spared.is_some());
        self.thrown.insert((*hand, lays, urgent), thrown);
        thrown
    }

    /// What keeping a card back is worth for the others of a hand that go with it, in points.
    fn goes_with(&self, hand: &Counts, present: u64, card: Face) -> i32 {
        let further = self.further.is_some();
        let mut kept = 0;
        if (self.groups || further) && !card.is_joker() {
            let suits = 0..self.law.suits;
            let alike: u8 = suits.map(|suit| hand[Face::new(suit, card.rank()).index()]).sum();
            kept += GOES_WITH[0] * i32::from(alike - 1);
        }
        if self.runs || further {
            kept += GOES_WITH[1] * (present & self.near[card.index()]).count_ones() as i32;
        }
        kept
    }

    fn lay(&mut self, hand: &Counts) -> Option<Rc<Laid>> {
        if let Some(laid) = self.laid.get(hand) {
            return laid.clone();
        }
        self.worked += LAID * self.each;
        let laid = self.solver.best(hand).answer.map(|answer| self.masked(answer));
        self.laid.insert(*hand, laid.clone());
        laid
    }

    fn masked(&self, answer: Answer) -> Rc<Laid> {
        let melds = answer.melds.into_iter().map(|meld| {
            let mask = self.mask(&meld);
            (meld, mask)
        });
        Rc::new(Laid { melds: melds.collect(), left: answer.left })
    }

    /// A further meld of a hand that is down, where the game has them.
    pub(super) fn further(&mut self, hand: &Counts) -> Option<Rc<Laid>> {
        let solver = self.further.as_ref()?;
        if let Some(laid) = self.melded.get(hand) {
            return laid.clone();
        }
        self.worked += LAID * EACH[0];
        let laid = solver.best(hand).answer.map(|answer| self.masked(answer));
        self.melded.insert(*hand, laid.clone());
        laid
    }

    /// Whether somebody takes the top discard out of turn.
    fn takes(&mut self, round: &Round<'_>, seat: usize) -> bool {
        let player = &round.players[seat];
        let mind = self.mind;
        let take = &mind.view.round().settings.take;
        let Some(top) = round.top else { return false };
        if player.down || player.helps >> top.index() & 1 == 0 || player.cards > FULL {
            return false;
        }
        let more = 2 + usize::from(take.penalty);
        let crowded = player.cards + more > self.need + BESIDE;
        if self.law.all {
            // Each card that comes with it needs a place, too.
            let mut with = player.hand;
            with[top.index()] += 1;
            if crowded || self.distance(&with, player.lays + 1 + take.penalty) >= player.distance {
                return false;
            }
        }
        if player.distance == 1 {
            // To lay the contract saves half of the hand.
            let dear = take.points > 0 && 2 * take.points > self.law.points_of(&player.hand);
            return !dear && self.may_take(player);
        }
        let late = round.players.iter().any(|other| other.down && other.cards <= 3);
        !late && take.points == 0 && !crowded && self.may_take(player)
    }

    fn may_take(&self, player: &Player) -> bool {
        let take = &self.mind.view.round().settings.take;
        take.on && (take.limit == 0 || take.limit_per == LimitPer::Game || player.takes < take.limit.into())
    }

    /// Gives the top discard to who takes it out of turn.
    fn take(&mut self, round: &mut Round<'_>, seat: usize) {
        let take = &self.mind.view.round().settings.take;
        let Some(top) = round.top.take() else { return };
        let mut player = round.players[seat].clone();
        self.gain(&mut player, top);
        for _ in 0..take.penalty {
            let fines = &round.world.fines[seat];
            if let Some(&card) = fines.get(player.fined) {
                player.fined += 1;
                self.gain(&mut player, card);
            }
        }
        player.takes += 1;
        player.price += take.points;
        if self.law.all {
            player.lays += 1 + take.penalty;
            player.distance = self.distance(&player.hand, player.lays);
            player.helps = self.helps(&player.hand, player.distance, player.lays);
        }
        round.players[seat] = player;
    }

    /// The top discard goes to the first who takes it; `mine` is what this seat does if it is asked.
    fn offer(&mut self, round: &mut Round<'_>, mine: Option<bool>) {
        let mut seat = self.next(round.turn);
        while seat != round.turn {
            let asks = match mine {
                Some(mine) if seat == self.me => mine,
                _ => seat != round.thrower && self.takes(round, seat),
            };
            if asks {
                self.take(round, seat);
                return;
            }
            seat = self.next(seat);
        }
    }

    fn stock(&mut self, round: &mut Round<'_>) {
        let seat = round.turn;
        let draws = &round.world.draws[seat];
        let mut player = round.players[seat].clone();
        if !draws.is_empty() {
            let card = draws[player.drawn % draws.len()];
            player.drawn += 1;
            self.gain(&mut player, card);
        }
        round.players[seat] = player;
    }

    fn wants(&mut self, round: &Round<'_>) -> bool {
        let Some(top) = round.top else { return false };
        let player = &round.players[round.turn];
        if player.down {
            let set = &self.mind.view.round().settings;
            let fits = set.layoff.when != LayoffWhen::Never && round.has_place_for(top);
            return set.draw.discard_when_down && (fits || self.completes_a_meld(&player.hand, top));
        }
        player.helps >> top.index() & 1 != 0
    }

    /// Whether a card makes a further meld of what is left of a hand that is down.
    fn completes_a_meld(&mut self, hand: &Counts, card: Face) -> bool {
        let mut with = *hand;
        with[card.index()] += 1;
        self.further(&with).is_some()
    }

    /// From the draw on. True once somebody is out.
    fn turn(&mut self, round: &mut Round<'_>) -> bool {
        if self.wants(round) {
            if let Some(top) = round.top.take() {
                let mut player = round.players[round.turn].clone();
                self.gain(&mut player, top);
                round.players[round.turn] = player;
            }
        } else {
            self.offer(round, None);
            if round.world.draws[round.turn].is_empty() {
                // Nothing is left to draw, and nothing is thrown.
                round.turn = self.next(round.turn);
                return false;
            }
            self.stock(round);
        }
        self.play(round)
    }

    /// From the play on. True once somebody is out.
    fn play(&mut self, round: &mut Round<'_>) -> bool {
        let set = &self.mind.view.round().settings;
        let seat = round.turn;
        let mut player = round.players[seat].clone();
        player.fresh = false;
        if self.law.all && player.cards != usize::from(player.lays) {
            // Fewer cards came than there should have.
            player.lays = player.cards as u8;
            player.distance = self.distance(&player.hand, player.lays);
        }
        if self.law.all && player.distance == 0 {
            player.hand = [0; Face::COUNT];
            player.cards = 0;
        }
        if !player.down
            && player.cards > 0
            && player.distance == 0
            && let Some(laid) = self.lay(&player.hand)
        {
            player.hand = laid.left;
            player.cards = size(&laid.left);
            player.down = true;
            player.fresh = true;
            player.helps = 0;
            round.lay_down(&laid);
        }
        while player.down
            && player.cards > 0
            && let Some(laid) = self.further(&player.hand)
        {
            player.hand = laid.left;
            player.cards = size(&laid.left);
            round.lay_down(&laid);
        }
        let may = set.layoff.when == LayoffWhen::SameTurn
            || set.layoff.when == LayoffWhen::NextTurn && !player.fresh;
        if player.down && may {
            self.shed(round, &mut player);
        }
        if player.cards > 0 {
            let (card, spared) = self.throws(round, &player);
            self.lose(&mut player, card);
            player.distance += u8::from(!spared);
            round.top = self.lies(round, card);
            round.thrower = seat;
            if !player.down {
                player.helps = self.helps(&player.hand, player.distance, player.lays);
            }
        }
        let out = player.cards == 0;
        round.players[seat] = player;
        round.turn = self.next(seat);
        out
    }

    /// What the others may take of a card that was thrown. Where Shanghai can be called, whoever throws what fits on a meld calls it:
    /// then nobody takes the card (SH-CALL-1).
    pub(super) fn lies(&self, round: &Round<'_>, card: Face) -> Option<Face> {
        let protected = self.mind.view.round().settings.shanghai.on && round.has_place_for(card);
        (!protected).then_some(card)
    }

    /// What is thrown, and whether the hand is no further from the contract then.
    fn throws(&mut self, round: &Round<'_>, player: &Player) -> (Face, bool) {
        if !player.down {
            let urgent = round.players.iter().any(|other| other.down);
            return self.throw_of(&player.hand, player.distance, player.lays, urgent);
        }
        let present = presence(&player.hand);
        let worth = |card: &Face| {
            let kept = if round.has_place_for(*card) { 30 } else { 0 };
            let melds = if self.further.is_some() { self.goes_with(&player.hand, present, *card) } else { 0 };
            i32::from(self.law.values[card.index()]) - kept - melds
        };
        (faces(&player.hand).into_iter().max_by_key(worth).unwrap_or(Face::JOKER), true)
    }

    /// Lays off whatever fits.
    fn shed(&mut self, round: &mut Round<'_>, player: &mut Player) {
        let least = usize::from(self.law.keep_one);
        while player.cards > least {
            let fitting = faces(&player.hand).into_iter().filter(|&card| round.has_place_for(card));
            let Some(card) = fitting.max_by_key(|card| self.law.values[card.index()]) else { return };
            let Some(at) = round.table.iter().position(|(_, mask)| mask >> card.index() & 1 != 0) else {
                return;
            };
            let fit = self.law.fit(&round.table[at].0, card);
            let end = fit.both_ends().then_some(End::High);
            match self.law.lay_off(&round.table[at].0, &[card.into()], end) {
                Ok(meld) => {
                    let mask = self.mask(&meld);
                    round.table[at] = (meld, mask);
                    self.lose(player, card);
                }
                Err(_) => round.table[at].1 &= !(1 << card.index()),
            }
            round.fits = round.table.iter().fold(0, |set, (_, mask)| set | mask);
        }
    }

    /// What each seat has in points once a round is over.
    pub(super) fn points(&self, round: &Round<'_>, winner: Option<usize>) -> Vec<i32> {
        let score = &self.mind.view.round().settings.score;
        (0..self.seats)
            .map(|seat| {
                let player = &round.players[seat];
                let held = self.law.points_of(&player.hand);
                if winner == Some(seat) {
                    return score.winner + player.price;
                }
                let not_down = match score.not_down_cards {
                    NotDownCards::Once => held,
                    NotDownCards::Twice => 2 * held,
                    NotDownCards::Not => 0,
                };
                player.price + if player.down { held } else { not_down + score.not_down }
            })
            .collect()
    }

    /// One round from a choice on.
    pub(super) fn played(&mut self, start: &Round<'_>, choice: Choice) -> (Vec<i32>, usize, Option<usize>) {
        let mut round = start.clone();
        let me = self.me;
        let out;
        match choice {
            Choice::Throw(card) => {
                let mut player = round.players[me].clone();
                let spare = self.measure.spare(&player.hand, player.distance, player.lays);
                let spared = spare >> card.index() & 1 != 0;
                self.lose(&mut player, card);
                player.distance += u8::from(!spared);
                player.helps = self.helps(&player.hand, player.distance, player.lays);
                out = player.cards == 0;
                round.players[me] = player;
                round.top = self.lies(&round, card);
                round.thrower = me;
                round.turn = self.next(me);
            }
            Choice::Take(mine) => {
                self.offer(&mut round, Some(mine));
                self.stock(&mut round);
                out = self.play(&mut round);
            }
        }
        let mut last = None;
        if out {
            last =
                Some(if matches!(choice, Choice::Throw(_)) { me } else { self.mind.view.flow.turn.index() });
        }
        let mut turns = 0;
        let most = if self.law.all { WHOLE } else { TURNS };
        while last.is_none() && turns < most * self.seats {
            let seat = round.turn;
            if self.turn(&mut round) {
                last = Some(seat);
            }
            turns += 1;
        }
        (self.points(&round, last), turns, last)
    }
}
