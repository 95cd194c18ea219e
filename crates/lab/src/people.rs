//! How the bots of the Set family look beside what is known of people who look for Sets.

use crate::matches::{Unfinished, play, seed_of};
use bots::pattern::{Level, PatternBot};
use bots::{Bot, Thought};
use game::chance::{Chance, SplitMix};
use game::written::{Opening, Written};
use game::{Game, Input, Millis, Seat, Viewer};
use pattern::finder::{Open, Sought, third};
use pattern::race;
use pattern::rules::{Entry, NoClaim};
use pattern::{Command, Event, Match, Position, Rules};
use std::sync::Arc;

/// Mean seconds of people to find a Set that is alone among twelve cards, by the features that differ, one to four: beginners,
/// then experts. N. A. Taatgen, M. van Oploo, J. Braaksma, J. Niemantsverdriet: How to construct a believable opponent using
/// cognitive modeling in the game of Set, International Conference on Cognitive Modeling (2003).
pub const PUBLISHED: [(Level, [f64; 4]); 2] =
    [(Level::EASY, [29.0, 69.0, 89.0, 86.0]), (Level::HARD, [33.0, 29.0, 61.0, 50.0])];

/// Milliseconds until a bot of this level claims a Set that is alone among twelve cards and differs in `features` features, 1 to 4.
/// Claims of something else are left out.
///
/// # Errors
/// If `rules` cannot be dealt so: they must be those of a race for single Sets over 81 cards.
pub fn alone(
    rules: &Arc<Rules>,
    level: Level,
    features: usize,
    layouts: u64,
    seed: u64,
) -> Result<Vec<u32>, Unfinished> {
    let unfinished = |what: String| Unfinished { what };
    // By tap, and with nobody who gives up.
    let rules = &Arc::new(Rules { entry: Entry::Tap, no_claim: NoClaim::Auto, ..(**rules).clone() });
    let mut times = Vec::new();
    for i in 0..layouts {
        let mut chance = SplitMix(seed_of(seed, i));
        let cards = one_set(rules, features, &mut chance);
        let text: Vec<String> = cards.iter().map(|&card| rules.deck.text(card)).collect();
        let position =
            Position { board: Some(text.join(" ")), stock: Some("...".into()), ..Position::default() };
        let opening = Opening { round: 1, dealer: Seat(1) };
        let game = Match::set_up(rules.clone(), 2, opening, position)
            .map_err(|faults| unfinished(format!("twelve cards cannot be laid: {faults:?}")))?;
        let view = game.view(Viewer::Seat(Seat(0)));
        let thought = PatternBot::new(level).think(&view, Millis(0), &mut chance);
        if let Some(Thought { command: Command::Claim { groups, .. }, after_ms, .. }) = thought
            && groups.cards().iter().all(|card| cards[..3].contains(card))
        {
            times.push(after_ms);
        }
    }
    Ok(times)
}

/// Twelve cards with one Set, which differs in so many features and stands first.
fn one_set(rules: &Rules, features: usize, chance: &mut SplitMix) -> Vec<cards::Point> {
    let deck: Vec<cards::Point> = rules.cards().collect();
    let sought = Sought::from(rules);
    loop {
        let mut cards = deck.clone();
        chance.shuffle(&mut cards);
        let (a, b) = (cards[0], cards[1]);
        let code = |card| rules.deck.code(card);
        if code(a).iter().zip(code(b)).filter(|(a, b)| **a != *b).count() != features {
            continue;
        }
        let c = third(a, b);
        cards.retain(|&card| card != c);
        cards.insert(2, c);
        cards.truncate(12);
        if sought.list(&Open::layout(cards.iter().map(|&card| (0, card))), 2).len() == 1 {
            return cards;
        }
    }
}

/// What came of the claims of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// For each right claim, milliseconds since calls opened on the cards that lie there; ascending.
    pub times: Vec<u32>,
    /// Claims that were wrong.
    pub wrong: u64,
}

impl Claims {
    /// The time that this share of the right claims, 0 to 1, came within, in seconds.
    #[must_use]
    pub fn quantile(&self, share: f64) -> f64 {
        let at = (self.times.len() as f64 * share) as usize;
        self.times.get(at.min(self.times.len().saturating_sub(1))).map_or(0.0, |&ms| f64::from(ms) / 1000.0)
    }

    /// What share of the right claims came before so many milliseconds.
    #[must_use]
    pub fn within(&self, ms: u32) -> f64 {
        self.times.partition_point(|&time| time < ms) as f64 / self.times.len().max(1) as f64
    }
}

/// What bots of this level claim in matches of a race against each other.
///
/// # Errors
/// If a match was not played to its end.
pub fn in_play(
    rules: &Arc<Rules>,
    level: Level,
    seats: u8,
    matches: u64,
    seed: u64,
) -> Result<Claims, Unfinished> {
    let mut claims = Claims::default();
    for i in 0..matches {
        let mut players: Vec<_> = (0..seats).map(|_| Box::new(PatternBot::new(level)) as _).collect();
        // When calls opened on what lies there, when somebody called, and when what is judged was called or claimed.
        let (mut open, mut called, mut claimed) = (Millis(0), None, Millis(0));
        let mut watch = |_: &Match, input: &Input<Command>, events: &[Event]| {
            match input {
                Input::Play(_, Command::Call, timing) => called = Some(timing.arrival),
                Input::Play(_, Command::Claim { .. }, timing) => {
                    claimed = called.take().unwrap_or(timing.arrival);
                }
                _ => {}
            }
            for event in events {
                match event {
                    Event::Race(race::Event::Judged { verdict, .. }) if !verdict.claim.is_empty() => {
                        if verdict.finding.right() {
                            claims.times.push(claimed.since(open));
                            open = claimed;
                        } else {
                            claims.wrong += 1;
                        }
                    }
                    Event::Race(
                        race::Event::Dealt { open_at, .. }
                        | race::Event::Laid { open_at, .. }
                        | race::Event::Regrouped { open_at, .. },
                    ) => open = open.max(*open_at),
                    _ => {}
                }
            }
        };
        play::<Match>(rules, &mut players, seed_of(seed, i), 1_000_000, &mut watch, &mut |_, _| ())?;
    }
    claims.times.sort_unstable();
    Ok(claims)
}
