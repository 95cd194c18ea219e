//! What this person has picked, and when that becomes a call or a claim.

use super::RaceShared;
use crate::t;
use cards::Point;
use leptos::prelude::*;
use pattern::offers::Shape;
use pattern::{Act, Claim, Command};

/// The cards picked.
#[derive(Clone, Copy)]
pub struct Picker {
    picked: RwSignal<Vec<Point>>,
    /// Sets already put together, where several are claimed one by one.
    groups: RwSignal<Vec<[Point; 3]>>,
    /// Whether a claim is on its way.
    sent: RwSignal<bool>,
}

impl Picker {
    /// Nothing is picked.
    #[must_use]
    pub fn new() -> Picker {
        Picker {
            picked: RwSignal::new(Vec::new()),
            groups: RwSignal::new(Vec::new()),
            sent: RwSignal::new(false),
        }
    }

    /// Keeps what is picked in step with the layout: only cards that have gone are dropped from it.
    pub fn watch(self, race: RaceShared) {
        let open = Memo::new(move |_| {
            let mut cards: Vec<Point> = race.state.with(|s| s.board.cards().collect());
            cards.extend(race.own_cards());
            cards
        });
        Effect::new(move || {
            open.with(|open| {
                if self.picked.with_untracked(|p| p.iter().any(|c| !open.contains(c))) {
                    self.picked.update(|p| p.retain(|c| open.contains(c)));
                }
                if self.groups.with_untracked(|g| g.iter().flatten().any(|c| !open.contains(c))) {
                    self.groups.update(|g| g.retain(|g| g.iter().all(|c| open.contains(c))));
                }
            });
        });
        // A verdict on the own claim, or a refusal, ends it.
        let judged = Memo::new(move |_| race.state.with(|s| s.last.clone()));
        Effect::new(move |first: Option<()>| {
            let verdicts = judged.get();
            let me = race.desk.me.get_untracked();
            if first.is_some() && verdicts.iter().any(|v| Some(v.seat) == me) {
                self.clear();
            }
        });
        Effect::new(move |before: Option<u32>| {
            let n = race.desk.refused.with(|r| r.0);
            if before.is_some_and(|b| b != n) && self.sent.get_untracked() {
                self.clear();
            }
            n
        });
        // A search begins or ends: what was picked for the find is done with.
        let searching = Memo::new(move |_| race.state.with(|s| s.search.is_some()));
        Effect::new(move |before: Option<bool>| {
            let now = searching.get();
            if before.is_some_and(|b| b != now) {
                self.clear();
            }
            now
        });
    }

    /// Picks nothing.
    pub fn clear(self) {
        self.picked.set(Vec::new());
        self.groups.set(Vec::new());
        self.sent.set(false);
    }

    /// Whether a card is picked, and the number printed on it where the order matters.
    pub fn place(self, card: Point) -> Option<Option<usize>> {
        if let Some(group) = self.groups.with(|g| g.iter().position(|g| g.contains(&card))) {
            return Some(Some(group + 1));
        }
        let race: Option<RaceShared> = use_context();
        let at = self.picked.with(|p| p.iter().position(|&c| c == card))?;
        let number = race.and_then(|race| match shape(race) {
            Shape::Pairs(_) => Some(at / 2 + 1),
            Shape::Groups { size, .. } => Some(at / size + 1),
            Shape::Sets => Some(self.groups.with(Vec::len) + 1),
            _ => None,
        });
        Some(number)
    }

    /// What to do next, while the own call stands.
    pub fn hint(self, race: RaceShared) -> String {
        let n = self.picked.with(Vec::len);
        match shape(race) {
            // What was found is sealed: the search begins in a moment.
            Shape::Points if !race.open(Act::Seal) => t!("scout.sealed"),
            Shape::Points if n == 3 => t!("scout.point"),
            Shape::Leaves { .. } if n == 3 => t!("race.leaves"),
            Shape::Sets => t!("race.pick_sets", n = self.groups.with(Vec::len)),
            Shape::Cards(most) => t!("race.pick_more", n = most.saturating_sub(n)),
            Shape::Groups { size, groups } => t!("race.pick_more", n = (size * groups).saturating_sub(n)),
            Shape::Pairs(pairs) => t!("race.pick_pairs", n = (pairs * 2).saturating_sub(n)),
            _ => t!("race.pick_more", n = 3usize.saturating_sub(n)),
        }
    }

    /// Calls, if that is how this table begins a claim.
    pub fn call(self, race: RaceShared) {
        if race.open_untracked(Act::Call) {
            race.send(Command::Call);
        }
    }

    /// A card was pressed.
    pub fn press(self, race: RaceShared, card: Point) {
        if !race.desk.live || race.desk.me.get_untracked().is_none() || self.sent.get_untracked() {
            return;
        }
        // A scout names one card, or shows one.
        if race.state.with_untracked(|s| s.search.is_some()) {
            if race.open_untracked(Act::Show) {
                race.send(Command::Show(card));
            } else if race.open_untracked(Act::Scout) {
                race.send(Command::Scout(card));
            }
            return;
        }
        let shape = shape(race);
        let full = self.picked.with_untracked(Vec::len) == 3;
        match shape {
            Shape::Leaves { .. } if full => {
                if self.picked.with_untracked(|p| p.contains(&card)) {
                    let cards = self.picked.get_untracked();
                    self.go(race, Command::Claim { groups: Claim::one(&cards), leaves: Some(card) });
                }
                return;
            }
            Shape::Points if full => {
                let cards: Option<[Point; 3]> = self.picked.get_untracked().try_into().ok();
                if let Some(cards) = cards.filter(|c| c.contains(&card)) {
                    self.go(race, Command::Seal { cards, points: card });
                }
                return;
            }
            _ => {}
        }
        if self.picked.with_untracked(|p| p.contains(&card)) {
            self.picked.update(|p| p.retain(|&c| c != card));
            return;
        }
        let waits = race.offers_untracked(|offers| {
            offers.has(Act::Call)
                && ![Act::Call, Act::Claim, Act::Seal].into_iter().any(|act| offers.open(act))
        });
        let count = self.picked.with_untracked(Vec::len) + 1;
        let complete = match shape {
            Shape::Cards(n) => count >= n,
            Shape::Groups { size, groups } => count >= size * groups,
            Shape::Pairs(pairs) => count >= pairs * 2,
            _ => false,
        };
        // While somebody else's call stands, or one is locked out, cards may be remembered, but nothing is sent.
        if waits && complete {
            return;
        }
        self.picked.update(|p| p.push(card));
        if waits {
            return;
        }
        self.call(race);
        match shape {
            Shape::Sets if count == 3 => {
                let set: Option<[Point; 3]> = self.picked.get_untracked().try_into().ok();
                self.groups.update(|g| g.extend(set));
                self.picked.set(Vec::new());
            }
            Shape::Leaves { chosen: false } if count == 3 => {
                let cards = self.picked.get_untracked();
                self.go(race, Command::claim(Claim::one(&cards)));
            }
            _ if complete => self.claim(race),
            _ => {}
        }
    }

    /// Whether a button sends what is picked.
    pub fn can_claim(self, race: RaceShared) -> bool {
        if self.sent.get() {
            return false;
        }
        match shape(race) {
            Shape::Sets => self.groups.with(Vec::len) >= 3,
            Shape::Loose => self.picked.with(Vec::len) >= 8,
            _ => false,
        }
    }

    /// What that button says.
    pub fn claim_label(self, race: RaceShared) -> String {
        match shape(race) {
            Shape::Sets => t!("race.claim_sets", n = self.groups.with(Vec::len)),
            _ => t!("race.claim"),
        }
    }

    /// Claims what is picked.
    pub fn claim(self, race: RaceShared) {
        let picked = self.picked.get_untracked();
        let claim = match shape(race) {
            Shape::Pairs(_) => Claim::of(picked.chunks(4)).map(|mut claim| {
                claim.set_paired();
                claim
            }),
            Shape::Groups { size, .. } => Claim::of(picked.chunks(size)),
            Shape::Sets => self.groups.with_untracked(|g| Claim::of(g.iter().map(|g| &g[..]))),
            _ => Some(Claim::one(&picked)),
        };
        if let Some(claim) = claim {
            self.go(race, Command::claim(claim));
        }
    }

    fn go(self, race: RaceShared, command: Command) {
        self.sent.set(true);
        race.send(command);
    }
}

impl Default for Picker {
    fn default() -> Self {
        Picker::new()
    }
}

fn shape(race: RaceShared) -> Shape {
    race.rules.with_value(|rules| rules.claim_shape())
}
