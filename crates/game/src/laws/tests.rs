//! The kit must see each planted fault, and no fault where there is none.
//!
//! The toy: two cards each from ten; everybody plays one in secret, all open when the last has chosen or a second has
//! passed (then for the idle the lowest); the highest takes a point; two such tricks.

use super::*;
use crate::{Alarm, Need, Outcome, Refusal, SeatSet};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Fault {
    None,
    IllegalOffer,
    Unexplained,
    Silent,
    LeakedCard,
    WrongImagination,
    Moody,
    Stuck,
    LostCard,
    AnyDraw,
    Endless,
    Unadmitted,
    WrongReason,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Rules {
    fault: Fault,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Event {
    Dealt([u8; 10]),
    Chosen(Seat, u8),
    Opened,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Notice {
    Hand([u8; 2]),
    Chosen(u8),
    Opened([Option<u8>; 3], u8),
}

#[derive(Clone, Debug)]
struct Toy {
    rules: Arc<Rules>,
    hands: Vec<Vec<u8>>,
    stock: Vec<u8>,
    chosen: [Option<u8>; 3],
    points: [i32; 3],
    opened: Vec<u8>,
    tricks: u32,
    dealt: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ToyView {
    fault: Fault,
    who: Option<Seat>,
    dealt: bool,
    hand: Vec<u8>,
    mine: Option<u8>,
    sizes: usize,
    opened: Vec<u8>,
    points: [i32; 3],
    tricks: u32,
    over: Option<Outcome>,
}

fn outcome(points: [i32; 3]) -> Outcome {
    let best = *points.iter().max().unwrap();
    Outcome {
        winners: (0..3).map(Seat).filter(|s| points[s.index()] == best).collect(),
        scores: points.to_vec(),
        places: points.iter().map(|p| 1 + points.iter().filter(|q| *q > p).count() as u8).collect(),
        ranked: true,
        settlement: Vec::new(),
    }
}

impl ToyView {
    fn open(&mut self, shown: [Option<u8>; 3], winner: u8) {
        self.opened.extend(shown.iter().flatten());
        self.mine = None;
        self.points[usize::from(winner)] += 1;
        self.tricks += 1;
        self.sizes = self.sizes.saturating_sub(1);
        if self.tricks == 2 && self.fault != Fault::Endless {
            self.over = Some(outcome(self.points));
        }
    }
}

impl View for ToyView {
    type Command = u8;
    type Notice = Notice;
    fn observe(&mut self, notice: &Notice) {
        match *notice {
            Notice::Hand(hand) => {
                self.dealt = true;
                self.sizes = 2;
                if self.who.is_some() {
                    self.hand = hand.to_vec();
                }
            }
            Notice::Chosen(card) => {
                self.hand.retain(|c| *c != card);
                self.mine = Some(card);
            }
            Notice::Opened(shown, winner) => self.open(shown, winner),
        }
    }
    fn commands(&self, _: Millis) -> Coverage<u8> {
        let mut commands =
            if self.mine.is_none() && self.over.is_none() { self.hand.clone() } else { Vec::new() };
        if self.fault == Fault::IllegalOffer && !commands.is_empty() {
            commands.push(99);
        }
        Coverage { commands, complete: true }
    }
    fn admits(&self, at: Millis, card: &u8) -> Option<bool> {
        Some(self.dealt && self.fault != Fault::Unadmitted && self.commands(at).commands.contains(card))
    }
    fn closed(&self, _: Millis) -> Vec<(u8, Refusal)> {
        let rule = match self.fault {
            Fault::Silent => return Vec::new(),
            Fault::WrongReason => "TOY-2",
            _ => "TOY-1",
        };
        vec![(42, Refusal::in_words(&[rule], "there is no such card"))]
    }
    fn awaited(&self) -> bool {
        self.dealt && self.mine.is_none()
    }
    fn outcome(&self) -> Option<&Outcome> {
        self.over.as_ref()
    }
}

impl Toy {
    fn winner(&self) -> u8 {
        (0..3).max_by_key(|&i: &u8| self.chosen[usize::from(i)]).unwrap()
    }
}

impl Game for Toy {
    type Rules = Rules;
    type View = ToyView;
    type Command = u8;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, _: u8) -> Result<Self, Refusal> {
        Ok(Toy {
            rules,
            hands: vec![Vec::new(); 3],
            stock: (0..10).collect(),
            chosen: [None; 3],
            points: [0; 3],
            opened: Vec::new(),
            tricks: 0,
            dealt: false,
        })
    }
    fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }
    fn seats(&self) -> u8 {
        3
    }
    fn status(&self) -> Status {
        if !self.dealt {
            return Status::Chance(Need::Shuffle { deal: 1, nth: 0, cards: 10 });
        }
        if self.tricks == 2 && self.rules.fault != Fault::Endless {
            return Status::Over(outcome(self.points));
        }
        if self.rules.fault == Fault::Endless && self.tricks == 2 {
            return Status::Seats(SeatSet::NONE);
        }
        Status::Seats((0..3).map(Seat).filter(|s| self.chosen[s.index()].is_none()).collect())
    }
    fn alarm(&self) -> Option<Alarm> {
        let rings = self.dealt && self.rules.fault != Fault::Stuck;
        rings.then(|| Alarm { id: self.tricks, due: Millis(1000 * (self.tricks + 1)) })
    }
    fn decide(&self, _: Millis, input: &Input<u8>, out: &mut impl Extend<Event>) -> Result<(), Refusal> {
        let refuse = |text: &str| {
            if self.rules.fault == Fault::Unexplained {
                Err(Refusal::slip("no"))
            } else {
                Err(Refusal::in_words(&["TOY-1"], text))
            }
        };
        match input {
            Input::Draw(draw) => {
                let Status::Chance(need) = self.status() else { return refuse("nothing is to be drawn") };
                if !draw.answers(&need) && self.rules.fault != Fault::AnyDraw {
                    return refuse("that is no shuffle");
                }
                let mut order = [0; 10];
                if let Draw::Order(cards) = draw {
                    for (to, from) in order.iter_mut().zip(cards) {
                        *to = *from as u8;
                    }
                }
                out.extend([Event::Dealt(order)]);
            }
            Input::Play(seat, card, _) => {
                if self.rules.fault == Fault::Silent && self.tricks == 1 {
                    return Ok(());
                }
                if !matches!(self.status(), Status::Seats(s) if s.has(*seat))
                    || !self.hands[seat.index()].contains(card)
                {
                    return refuse("that card is not yours to play now");
                }
                out.extend([Event::Chosen(*seat, *card)]);
                if self.chosen.iter().flatten().count() == 2 {
                    out.extend([Event::Opened]);
                }
            }
            Input::Ring(id) => {
                if self.alarm().is_none_or(|a| a.id != *id) {
                    return refuse("no such alarm");
                }
                for seat in (0..3).map(Seat).filter(|s| self.chosen[s.index()].is_none()) {
                    if let Some(low) = self.hands[seat.index()].iter().min() {
                        out.extend([Event::Chosen(seat, *low)]);
                    }
                }
                out.extend([Event::Opened]);
            }
            Input::Presence(..) => return refuse("nobody comes or goes"),
        }
        Ok(())
    }
    fn evolve(&mut self, event: &Event) {
        use std::sync::atomic::{AtomicU32, Ordering};
        static MOOD: AtomicU32 = AtomicU32::new(0);
        match *event {
            Event::Dealt(order) => {
                self.dealt = true;
                for (i, hand) in self.hands.iter_mut().enumerate() {
                    *hand = order[2 * i..2 * i + 2].to_vec();
                }
                self.stock = order[6..].to_vec();
                if self.rules.fault == Fault::LostCard {
                    self.stock.pop();
                }
                if self.rules.fault == Fault::Moody && MOOD.fetch_add(1, Ordering::Relaxed) % 2 == 1 {
                    self.hands.swap(0, 1);
                }
            }
            Event::Chosen(seat, card) => {
                self.hands[seat.index()].retain(|c| *c != card);
                self.chosen[seat.index()] = Some(card);
            }
            Event::Opened => {
                let winner = self.winner();
                self.opened.extend(self.chosen.iter().flatten());
                self.points[usize::from(winner)] += 1;
                self.chosen = [None; 3];
                self.tricks += 1;
            }
        }
    }
    fn view(&self, who: Viewer) -> ToyView {
        let seat = if let Viewer::Seat(s) = who { Some(s) } else { None };
        ToyView {
            fault: self.rules.fault,
            who: seat,
            dealt: self.dealt,
            hand: seat.map_or(Vec::new(), |s| self.hands[s.index()].clone()),
            mine: seat.and_then(|s| self.chosen[s.index()]),
            sizes: if self.dealt { 2usize.saturating_sub(self.tricks as usize) } else { 0 },
            opened: self.opened.clone(),
            points: self.points,
            tricks: self.tricks,
            over: if let Status::Over(o) = self.status() { Some(o) } else { None },
        }
    }
    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        match *event {
            Event::Dealt(order) => Some(Notice::Hand(match who {
                Viewer::Seat(s) => [order[2 * s.index()], order[2 * s.index() + 1]],
                Viewer::Table => [0, 0],
            })),
            Event::Chosen(seat, card) => {
                (who.is(seat) || self.rules.fault == Fault::LeakedCard).then_some(Notice::Chosen(card))
            }
            Event::Opened => Some(Notice::Opened(self.chosen, self.winner())),
        }
    }
    fn imagine(view: &ToyView, chance: &mut impl Chance) -> Toy {
        let known = view.hand.iter().chain(&view.mine).chain(&view.opened).copied().collect::<Vec<_>>();
        let mut rest: Vec<u8> = (0..10).filter(|c| !known.contains(c)).collect();
        for last in (1..rest.len()).rev() {
            rest.swap(last, chance.below(last as u32 + 1) as usize);
        }
        let rules = Arc::new(Rules { fault: view.fault });
        let mut toy = Toy::open(rules, 3).unwrap();
        if !view.dealt {
            return toy;
        }
        toy.dealt = true;
        toy.hands = vec![
            rest.split_off(rest.len() - view.sizes),
            rest.split_off(rest.len() - view.sizes),
            Vec::new(),
        ];
        toy.hands[2] = rest.split_off(rest.len().min(4).max(rest.len() - view.sizes));
        if let Some(seat) = view.who {
            toy.hands[seat.index()] = view.hand.clone();
            toy.chosen[seat.index()] = view.mine;
            if view.fault == Fault::WrongImagination {
                toy.hands[seat.index()].reverse();
            }
        }
        toy.stock = rest;
        toy.points = view.points;
        toy.opened = view.opened.clone();
        toy.tricks = view.tricks;
        toy
    }
    fn census(&self) -> Vec<u16> {
        let mut counts = vec![0; 10];
        let hands = self.hands.iter().flatten();
        for card in hands.chain(&self.stock).chain(&self.opened).chain(self.chosen.iter().flatten()) {
            counts[usize::from(*card)] += 1;
        }
        counts
    }
}

/// Plays some matches with `fault` planted and names the first law that is seen broken.
fn seen(fault: Fault) -> Option<&'static str> {
    (0..20).find_map(|seed| {
        let plan = Plan { seed, every: 1, most_inputs: 50, ..Plan::default() };
        check::<Toy>(&Arc::new(Rules { fault }), 3, &plan, &mut any_command).err().map(|b| b.law)
    })
}

#[test]
fn each_planted_fault_is_seen() {
    assert_eq!(seen(Fault::None), None);
    assert_eq!(seen(Fault::IllegalOffer), Some("offered"));
    assert_eq!(seen(Fault::Unexplained), Some("refused"));
    assert_eq!(seen(Fault::Unadmitted), Some("admitted"));
    assert_eq!(seen(Fault::WrongReason), Some("closed"));
    assert_eq!(seen(Fault::Silent), Some("silent"));
    assert_eq!(seen(Fault::LeakedCard), Some("fold"));
    assert_eq!(seen(Fault::WrongImagination), Some("imagine"));
    assert_eq!(seen(Fault::LostCard), Some("cards"));
    assert_eq!(seen(Fault::AnyDraw), Some("answer"));
    assert!(matches!(seen(Fault::Endless), Some("ends" | "stuck")));
    assert!(matches!(seen(Fault::Moody), Some("fold" | "log" | "again" | "offered" | "imagine")));
}
