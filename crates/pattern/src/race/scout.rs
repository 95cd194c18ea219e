//! Scout (M2): a sealed find, then the others search it (2.17).

use super::Race;
use super::decide::Draft;
use super::state::{Event, Finding, Lock, Phase, Verdict};
use crate::claim::{Claim, Few};
use crate::command::Command;
use crate::finder;
use crate::rules::{Mechanism, ScoutRetry, Seal};
use arrayvec::ArrayVec;
use cards::Point;
use game::{Refusal, Seat, SeatSet};

/// Cards that somebody takes.
type Taken = ArrayVec<Point, 3>;

impl Race {
    /// Scouts who have neither failed nor passed.
    fn scouts_left(&self) -> SeatSet {
        let Some(search) = &self.state.search else { return SeatSet::NONE };
        let left = search.scouts.minus(search.failed);
        left.iter().filter(|s| !self.mine[s.index()].passed).collect()
    }

    /// Scouts whose act is missing.
    pub(super) fn searching(&self) -> SeatSet {
        match self.state.search.as_ref().and_then(|search| search.showing) {
            Some(showing) => SeatSet::one(showing.scout),
            None => self.scouts_left(),
        }
    }

    /// The cards that the finder has sealed.
    fn sealed(&self) -> Option<[Point; 3]> {
        let search = self.state.search.as_ref()?;
        self.mine[search.finder.index()].sealed
    }

    /// The card that a seat would lose: the one gained last, if it holds any (SCOUT-10).
    fn last_gained(&self, seat: Seat) -> Option<Point> {
        self.state.players[seat.index()].taken.last().copied()
    }

    pub(super) fn scout_act<X: Extend<Event>>(
        &self,
        draft: &mut Draft<'_, X>,
        seat: Seat,
        command: &Command,
    ) -> Result<(), Refusal> {
        let at = draft.at;
        self.judge(seat).command(at, command)?;
        match *command {
            Command::Seal { cards, points } => self.seal(draft, seat, cards, points),
            Command::Scout(card) => match self.sealed() {
                Some(sealed) if sealed.contains(&card) && is_set(sealed) => {
                    let finder = sealed.iter().copied().filter(|&c| c != card).collect();
                    draft.resolve(finder, Some((seat, [card].into_iter().collect())));
                }
                _ => {
                    let deadline = at.after(u32::from(self.rules.show_timeout_s) * 1000);
                    draft.emit(Event::Named { at, seat, card, deadline });
                }
            },
            Command::Show(card) => draft.shown(Some(card)),
            _ => draft.emit(Event::Passed { at, seat }),
        }
        Ok(())
    }

    fn seal<X: Extend<Event>>(&self, draft: &mut Draft<'_, X>, seat: Seat, cards: [Point; 3], points: Point) {
        let at = draft.at;
        draft.emit(Event::Sealed {
            at,
            seat,
            cards: Some(cards),
            points,
            scouts: self.state.players_in(&self.rules).without(seat),
            deadline: at.after(u32::from(self.rules.scout_window_s) * 1000),
        });
        if self.rules.seal == Seal::CheckAtOnce && !is_set(cards) {
            draft.open_seal(None);
        }
    }
}

impl<X: Extend<Event>> Draft<'_, X> {
    /// Opens the seal when nobody is left to search (SCOUT-7, Q-07, A-35).
    pub fn search_over(&mut self) -> bool {
        let race = self.race();
        let Some(search) = &race.state.search else { return false };
        let failed = race.rules.scout_retry == ScoutRetry::Nobody && !search.failed.is_empty();
        let over = search.showing.is_none() && (failed || race.scouts_left().is_empty());
        if over {
            self.open_seal(None);
        }
        over
    }

    /// The clock of a scout who should show a card has run out.
    pub fn show_over(&mut self) {
        self.shown(None);
    }

    /// The scout who named a card shows another, or none in time (SCOUT-5, SCOUT-6, SCOUT-9).
    fn shown(&mut self, shown: Option<Point>) {
        let (race, at) = (self.race(), self.at);
        let (Some(search), Some(sealed)) = (&race.state.search, race.sealed()) else { return };
        let Some(showing) = search.showing else { return };
        let (scout, set) = (showing.scout, is_set(sealed));
        let third = finder::third(search.points, showing.named);
        if shown == Some(third) && race.state.board.has(third) {
            let real = [search.points, showing.named, third].into_iter();
            if set {
                let takes: Taken = real.filter(|&c| c != search.points).collect();
                self.resolve(sealed.into_iter().collect(), Some((scout, takes)));
            } else {
                self.open_seal(Some((scout, real.collect())));
            }
        } else if sealed.contains(&showing.named) {
            self.open_seal(None);
        } else {
            let loses = race.last_gained(scout);
            self.emit(Event::ScoutFailed { at, seat: scout, shown, loses });
        }
    }

    /// The seal is opened without a scout having found the Set: right, the finder takes it; wrong, SCOUT-8.
    pub fn open_seal(&mut self, scout: Option<(Seat, Taken)>) {
        let Some(sealed) = self.race().sealed() else { return };
        if is_set(sealed) {
            self.resolve(sealed.into_iter().collect(), scout);
        } else {
            let features = finder::split_features(self.race().rules.deck.digits(), sealed);
            self.find_failed(Finding::Split { group: 0, features }, Claim::one(&sealed), scout);
        }
    }

    /// A Set was sealed: `finder` goes to its finder.
    fn resolve(&mut self, finder: Taken, scout: Option<(Seat, Taken)>) {
        let race = self.race();
        let (Some(search), Some(sealed)) = (&race.state.search, race.sealed()) else { return };
        let verdict = Verdict {
            seat: search.finder,
            finding: Finding::Right { joint: None },
            claim: Claim::one(&sealed),
            points: finder.len() as i32,
            sets: 1,
            taken: Few::of(&finder),
            lock: Lock::NONE,
            pays: None,
            draws: false,
        };
        let thaws = race.frozen();
        self.emit(Event::Resolved {
            at: self.at,
            verdict,
            finder_takes: finder,
            scout,
            loses: None,
            freezes: false,
            thaws,
        });
    }

    /// SCOUT-8: the finder found none, or sealed nothing in time.
    pub fn find_failed(&mut self, finding: Finding, claim: Claim, scout: Option<(Seat, Taken)>) {
        let race = self.race();
        let Some(call) = race.state.call else { return };
        let Some(seat) = call.callers.iter().next() else { return };
        let loses = race.last_gained(seat);
        let verdict = Verdict {
            seat,
            finding,
            claim,
            points: -i32::from(loses.is_some() || race.state.players[seat.index()].sets_held > 0),
            sets: 0,
            taken: Few::new(),
            lock: Lock::NONE,
            pays: None,
            draws: false,
        };
        let frozen = race.frozen();
        let removes = scout.is_some();
        let stay = if removes { SeatSet::NONE } else { frozen };
        // If all would be frozen, all thaw.
        let all = stay.with(seat).contains_all(race.state.active());
        self.emit(Event::Resolved {
            at: self.at,
            verdict,
            finder_takes: Taken::new(),
            scout,
            loses,
            freezes: !all,
            thaws: if removes || all { frozen } else { SeatSet::NONE },
        });
    }

    /// A player who leaves searches no more; a finder takes the search along (LEAVE-3).
    pub fn leave_search(&mut self, seat: Seat) {
        let (race, at) = (self.race(), self.at);
        let Some(search) = race.state.search.as_ref().filter(|_| race.state.phase == Phase::Scout) else {
            return;
        };
        if search.finder == seat {
            self.emit(Event::CallClosed { at, seat });
        } else if search.showing.is_some_and(|showing| showing.scout == seat) {
            self.emit(Event::ScoutFailed { at, seat, shown: None, loses: None });
        }
    }
}

impl Race {
    fn frozen(&self) -> SeatSet {
        self.state.seats().iter().filter(|s| self.state.players[s.index()].frozen.is_some()).collect()
    }

    /// For a call in scout, which ends otherwise than in a race.
    pub(super) fn scouts(&self) -> bool {
        self.rules.mechanism == Mechanism::Scout
    }
}

fn is_set([a, b, c]: [Point; 3]) -> bool {
    finder::is_set(a, b, c)
}
