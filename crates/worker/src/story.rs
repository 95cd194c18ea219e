//! What is told of a match that is over: what is worth looking at again, and what everybody did in it.

use cards::{Face, Point};
use game::{Millis, Seat};
use pattern::{puzzle, race};
use rulebook::{Event, Match};
use serde::{Deserialize, Serialize};

/// Most moments that are told of a match.
const MOST_MOMENTS: usize = 2_000;

/// Most Sets that nobody took which are told, those that lay open longest.
const MOST_MISSED: usize = 6;

/// What is told of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Story {
    /// What is worth looking at again, in order.
    pub moments: Vec<Moment>,
    /// What was found in a race or a puzzle, in order.
    pub finds: Vec<Find>,
    /// What lay open in a race and nobody took: how many in all, and those that lay open longest.
    pub missed: (usize, Vec<Missed>),
    /// By seat, in Contract Rummy: what was taken out of turn.
    pub takes: Vec<Takes>,
}

/// What is worth looking at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// After how many entries of the record it has happened.
    pub after: usize,
    /// Whose it is; none where it is everybody's.
    pub seat: Option<Seat>,
    /// What it is.
    pub what: What,
}

/// What may be worth looking at again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Cards are dealt.
    Deal,
    /// A claim was right.
    Found,
    /// A claim was wrong.
    Wrong,
    /// A contract is laid.
    Down,
    /// A discard is taken out of turn.
    Took,
    /// Somebody is out.
    Out,
    /// A round is over and nobody is out.
    Blocked,
}

impl What {
    /// The key of its sentence.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            What::Deal => "deal",
            What::Found => "found",
            What::Wrong => "wrong",
            What::Down => "down",
            What::Took => "took",
            What::Out => "out",
            What::Blocked => "blocked",
        }
    }
}

/// What was found in a race or a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Find {
    /// By whom.
    pub seat: Seat,
    /// When it was claimed, or called before it was claimed.
    pub at: Millis,
    /// Milliseconds for which the layout had lain open then; in a puzzle, whose layout stays, since the find before.
    pub after: u32,
    /// The cards.
    pub cards: Vec<Point>,
    /// After how many entries of the record it was found.
    pub entry: usize,
}

/// What nobody took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missed {
    /// The cards.
    pub cards: Vec<Point>,
    /// Milliseconds for which they lay open.
    pub open: u32,
}

/// What somebody took out of turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Takes {
    /// How many cards.
    pub taken: u16,
    /// How many of them were laid before the round was over.
    pub laid: u16,
}

/// Takes in what happens, event by event.
#[derive(Default)]
pub struct Teller {
    story: Story,
    /// Since when the layout lies open to be claimed.
    open: Millis,
    /// The call that stands: whose, and since when.
    called: Option<(Seat, Millis)>,
    watch: race::Watch,
    missed: Vec<race::Missed>,
    /// By seat: what was taken in this round and is not laid yet.
    held: Vec<Vec<Face>>,
    /// How it was before each act of this turn that can be taken back.
    before: Vec<Before>,
}

/// What is told again if an act is taken back.
struct Before {
    held: Vec<Vec<Face>>,
    takes: Vec<Takes>,
    moments: usize,
}

impl Teller {
    /// Takes in that `event` happened in entry number `after`, after which the match is as in `now`. Gives what was missed in
    /// a deal of a race that it ended.
    pub fn see(&mut self, now: &Match, event: &Event, after: usize) -> Option<Vec<race::Missed>> {
        match (now, event) {
            (Match::Pattern(pattern::Match::Race(race), _), Event::Pattern(pattern::Event::Race(event))) => {
                self.see_race(race, event, after)
            }
            (_, Event::Pattern(pattern::Event::Puzzle(event))) => {
                self.see_puzzle(event, after);
                None
            }
            (Match::Contract(table, _), Event::Contract(event)) => {
                self.see_rummy(table, event, after);
                None
            }
            _ => None,
        }
    }

    /// What is told, once all was seen.
    pub fn told(mut self) -> Story {
        let count = self.missed.len();
        self.missed.sort_by_key(|missed| std::cmp::Reverse(missed.until.since(missed.from)));
        let told = self.missed.iter().take(MOST_MISSED).map(|missed| Missed {
            cards: missed.claim.cards().to_vec(),
            open: missed.until.since(missed.from),
        });
        self.story.missed = (count, told.collect());
        self.story
    }

    fn moment(&mut self, after: usize, seat: Option<Seat>, what: What) {
        if self.story.moments.len() < MOST_MOMENTS {
            self.story.moments.push(Moment { after, seat, what });
        }
    }

    fn see_race(
        &mut self,
        race: &race::Race,
        event: &race::Event,
        after: usize,
    ) -> Option<Vec<race::Missed>> {
        match event {
            race::Event::Dealt { .. } => self.moment(after, None, What::Deal),
            race::Event::Called { at, seat, .. } => self.called = Some((*seat, *at)),
            race::Event::CallClosed { .. } => self.called = None,
            race::Event::Judged { at, verdict } => self.judged(verdict, *at, after),
            race::Event::TieJudged { at, verdicts, .. } => {
                for verdict in verdicts {
                    self.judged(verdict, *at, after);
                }
            }
            _ => {}
        }
        let state = race.state();
        self.open = state.layout_at.max(state.open_at);
        let missed = self.watch.see(race, event);
        self.missed.extend(missed.iter().flatten().cloned());
        missed
    }

    fn see_puzzle(&mut self, event: &puzzle::Event, after: usize) {
        // It is played by one.
        let seat = Seat(0);
        match event {
            puzzle::Event::Shown { at, .. } => {
                self.open = *at;
                self.moment(after, None, What::Deal);
            }
            puzzle::Event::Judged { at, claim, finding } if finding.right() => {
                let cards = claim.cards().to_vec();
                let find = Find { seat, at: *at, after: at.since(self.open), cards, entry: after };
                self.story.finds.push(find);
                self.open = *at;
                self.moment(after, Some(seat), What::Found);
            }
            puzzle::Event::Judged { .. } => self.moment(after, Some(seat), What::Wrong),
            _ => {}
        }
    }

    fn judged(&mut self, verdict: &race::Verdict, at: Millis, after: usize) {
        let seat = verdict.seat;
        let at = self.called.take_if(|(caller, _)| *caller == seat).map_or(at, |(_, since)| since);
        if verdict.finding.right() {
            let cards = verdict.claim.cards().to_vec();
            let find = Find { seat, at, after: at.since(self.open), cards, entry: after };
            self.story.finds.push(find);
            self.moment(after, Some(seat), What::Found);
        } else if !verdict.claim.is_empty() {
            self.moment(after, Some(seat), What::Wrong);
        }
    }

    fn see_rummy(&mut self, table: &contract::Match, event: &contract::Event, after: usize) {
        use contract::Event as E;
        let seats = usize::from(table.flow().seats);
        self.held.resize(seats, vec![]);
        self.story.takes.resize(seats, Takes::default());
        let turn = table.flow().turn;
        if matches!(event, E::Melded { .. } | E::LaidOff { .. } | E::Reclaimed { .. }) {
            let (held, takes) = (self.held.clone(), self.story.takes.clone());
            self.before.push(Before { held, takes, moments: self.story.moments.len() });
        }
        match event {
            E::Turn { .. } => self.before.clear(),
            E::Undone { .. } => {
                if let Some(before) = self.before.pop() {
                    (self.held, self.story.takes) = (before.held, before.takes);
                    self.story.moments.truncate(before.moments);
                }
            }
            E::Dealt { .. } => {
                self.held.iter_mut().for_each(Vec::clear);
                self.moment(after, None, What::Deal);
            }
            E::Took { seat, card, .. } => {
                self.held[seat.index()].push(*card);
                self.story.takes[seat.index()].taken += 1;
                self.moment(after, Some(*seat), What::Took);
            }
            E::Melded { contract, melds } => {
                let faces: Vec<Face> = melds.iter().flat_map(contract::meld::Meld::faces).collect();
                self.laid(turn, &faces);
                if contract.is_some() {
                    self.moment(after, Some(turn), What::Down);
                }
            }
            E::LaidOff { cards, .. } => self.laid(turn, cards),
            E::Discarded { card, .. } => {
                let held = &mut self.held[turn.index()];
                if let Some(at) = held.iter().position(|held| held == card) {
                    held.swap_remove(at);
                }
            }
            E::RoundOver { winner, .. } => {
                self.moment(after, *winner, if winner.is_some() { What::Out } else { What::Blocked });
            }
            _ => {}
        }
    }

    /// Counts those of the cards that this seat had taken.
    fn laid(&mut self, seat: Seat, cards: &[Face]) {
        for card in cards {
            let held = &mut self.held[seat.index()];
            if let Some(at) = held.iter().position(|held| held == card) {
                held.swap_remove(at);
                self.story.takes[seat.index()].laid += 1;
            }
        }
    }
}
