//! Claims that lay open and were not taken.

use super::reach::Reach;
use super::{Event, Missed, Race, State};
use crate::claim::Claim;
use crate::rules::{Multiplicity, Rules};
use cards::Point;
use game::Millis;
use std::collections::HashSet;

/// Most that are listed, those that lay open longest.
const MOST: usize = 60;

/// A layout of a deal, and the claims whose cards had just left it.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    state: State,
    taken: Vec<Claim>,
}

impl Layout {
    pub fn of(state: &State) -> Layout {
        let right = state.last.iter().filter(|v| v.finding.right());
        Layout { taken: right.map(|v| v.claim.clone()).collect(), state: state.clone() }
    }
}

/// Watches a match that is replayed, and tells after each deal what was missed in it.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    layouts: Vec<Layout>,
}

impl Watch {
    /// Takes in that `event` happened, after which the match is as in `race`. When it ended a deal: what was missed, those
    /// that lay open longest first.
    pub fn see(&mut self, race: &Race, event: &Event) -> Option<Vec<Missed>> {
        let state = race.state();
        if let Event::Dealt { .. } = event {
            self.layouts.clear();
        }
        if self.layouts.last().is_none_or(|last| last.state.layout != state.layout) {
            self.layouts.push(Layout::of(state));
        }
        match event {
            Event::DealOver { at, .. } => Some(missed(&race.rules, &self.layouts, *at)),
            _ => None,
        }
    }
}

/// What was missed in a deal: single patterns of the layout alone, for as long as they lay open. In games where several
/// patterns make a claim the patterns are listed one by one.
pub(super) fn missed(rules: &Rules, layouts: &[Layout], end: Millis) -> Vec<Missed> {
    let rules = &Rules { multiplicity: Multiplicity::Single, ..rules.clone() };
    let mut open: Vec<(Vec<Point>, Missed)> = Vec::new();
    let mut missed: Vec<Missed> = Vec::new();
    for layout in layouts {
        let at = layout.state.layout_at;
        let claims = Reach::new(rules, &layout.state, None).list(usize::MAX);
        let now: Vec<(Vec<Point>, Claim)> = claims.into_iter().map(|c| (sorted(c.cards()), c)).collect();
        let taken: Vec<Vec<Point>> = layout.taken.iter().flat_map(Claim::groups).map(sorted).collect();
        // A large layout has tens of thousands of them.
        let still: HashSet<&Vec<Point>> = now.iter().map(|(cards, _)| cards).collect();
        open.retain(|(cards, old)| {
            let stays = still.contains(cards);
            if !stays && !taken.contains(cards) {
                missed.push(Missed { until: at, ..old.clone() });
            }
            stays
        });
        let before: HashSet<&Vec<Point>> = open.iter().map(|(cards, _)| cards).collect();
        let new = now.into_iter().filter(|(cards, _)| !before.contains(cards));
        let new: Vec<_> = new.map(|(cards, claim)| (cards, Missed { claim, from: at, until: end })).collect();
        open.extend(new);
    }
    missed.extend(open.into_iter().map(|(_, missed)| missed));
    missed.sort_by_key(|m| std::cmp::Reverse(m.until.since(m.from)));
    missed.truncate(MOST);
    missed
}

fn sorted(cards: &[Point]) -> Vec<Point> {
    let mut cards = cards.to_vec();
    cards.sort_unstable();
    cards
}
