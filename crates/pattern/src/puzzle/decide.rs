//! What an input brings: claims, hints, chance, coming and going.

use super::Puzzle;
use super::event::Event;
use super::judge::Judge;
use super::layout::is_puzzle;
use crate::claim::Claim;
use crate::command::Command;
use crate::finder::{Judged, Open, PointSet, Sought};
use crate::frame::roster::{DealEnd, Happening};
use crate::offers::Judge as _;
use cards::Point;
use game::{Draw, Game, Millis, Presence, Refusal, Seat, Status, say};

impl Puzzle {
    pub(super) fn play(&self, at: Millis, seat: Seat, command: &Command) -> Result<Vec<Event>, Refusal> {
        let judge = Judge { rules: &self.rules, state: &self.state, seat };
        judge.judge(at, command)?;
        Ok(match command {
            Command::Claim { groups, .. } => self.claim(at, groups, &judge.claim(groups)?),
            Command::Hint => {
                vec![Event::Hinted { at, card: judge.hint()?, points: judge.hint_points() }]
            }
            _ => self.ending(at, DealEnd::GaveUp),
        })
    }

    fn claim(&self, at: Millis, claim: &Claim, judged: &Judged) -> Vec<Event> {
        if !judged.finding.right() {
            return vec![Event::Judged { at, claim: claim.clone(), finding: judged.finding }];
        }
        let claim = canonical(Sought::from(&*self.rules), &self.state.open(), &judged.claim);
        if self.state.found.contains(&claim) {
            return vec![Event::Repeated { at, claim }];
        }
        let event = Event::Judged { at, claim, finding: judged.finding };
        let mut events = vec![event.clone()];
        if self.state.found.len() + 1 == usize::from(self.state.total) {
            let mut after = self.clone();
            after.evolve(&event);
            events.extend(after.ending(at, DealEnd::Finished));
        }
        events
    }

    pub(super) fn draw(&self, at: Millis, draw: &Draw) -> Result<Vec<Event>, Refusal> {
        let Status::Chance(need) = self.status() else { return Err(say!("no.chance_now").into()) };
        let Draw::Order(order) = draw else { return Err(say!("no.chance").into()) };
        if !draw.answers(&need) {
            return Err(say!("no.chance").into());
        }
        let deck: Vec<Point> = self.rules.cards().collect();
        let layout: Vec<Point> =
            order.iter().take(usize::from(self.rules.base)).map(|&i| deck[usize::from(i)]).collect();
        if is_puzzle(&self.rules, &layout) {
            Ok(vec![Event::Shown { at, layout, total: self.rules.puzzle_sets.into() }])
        } else {
            Ok(vec![Event::Discarded { nth: self.shuffles }])
        }
    }

    pub(super) fn presence(&self, at: Millis, seat: Seat, presence: Presence) -> Result<Vec<Event>, Refusal> {
        let happening = self.state.roster.presence(&self.rules, at, seat, presence)?;
        let leaves = matches!(happening, Happening::Retired { .. });
        let event = Event::Table(happening);
        if !leaves {
            return Ok(vec![event]);
        }
        let mut after = self.clone();
        after.evolve(&event);
        let mut events = vec![event];
        events.extend(after.ending(at, DealEnd::TooFew));
        Ok(events)
    }
}

/// Groups ascending, and cards ascending in each, pairs found.
fn canonical(sought: Sought, open: &Open, claim: &Claim) -> Claim {
    let named = PointSet::of(claim.cards());
    let sorted = |claim: &Claim| {
        let mut groups: Vec<Vec<Point>> = claim.groups().map(<[Point]>::to_vec).collect();
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort();
        groups
    };
    // The list is in canonical order already; what is looked for is the member with the same groups.
    let wanted = sorted(claim);
    let within = Open::layout(open.all().and(&named).iter().map(|card| (0, card)));
    sought
        .list(&within, usize::MAX)
        .into_iter()
        .find(|c| sorted(c) == wanted)
        .unwrap_or_else(|| claim.clone())
}
