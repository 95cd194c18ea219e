//! What a viewer holds of a race: redaction, offers, and truths that would look the same.

use super::judge::Judge;
use super::reach::Reach;
use super::state::{Event, Hand, Phase, State};
use super::{Finding, Mind, Mine, Race};
use crate::claim::Claim;
use crate::command::Command;
use crate::offers::{Act, Judge as _, Offers};
use crate::rules::Rules;
use cards::Point;
use game::{Chance, Coverage, Millis, Outcome, Refusal, Seat, Viewer};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What a viewer learns: the event without what is hidden from that viewer.
pub type Notice = Event;

/// Most claims that are offered at once.
const MOST_CLAIMS: usize = 24;

/// What a viewer knows of a race.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RaceView")]
pub struct View {
    /// Whose view.
    pub who: Viewer,
    /// The rules of the match.
    pub rules: Arc<Rules>,
    /// What is on the table; hidden hands are counted only.
    pub state: State,
    /// What only this seat knows; empty for the table.
    pub mine: Mine,
}

impl View {
    pub(super) fn of(race: &Race, who: Viewer) -> View {
        let mut state = race.state.clone();
        if race.rules.private_hands() {
            for (seat, player) in (0..).map(Seat).zip(&mut state.players) {
                if !who.is(seat) {
                    player.hand = player.hand.hidden();
                }
            }
        }
        let mine = match who {
            Viewer::Seat(seat) => race.mine[seat.index()].clone(),
            Viewer::Table => Mine::default(),
        };
        View { who, rules: race.rules.clone(), state, mine }
    }

    /// The seat whose view it is.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        match self.who {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Table => None,
        }
    }

    /// Counts every change of the layout: what was meant for an earlier one is to be dropped, never punished.
    #[must_use]
    pub fn layout_number(&self) -> u32 {
        self.state.layout
    }

    /// Every claim open to this seat, or to all if it is the table's view, up to `most`.
    #[must_use]
    pub fn claims(&self, most: usize) -> Vec<Claim> {
        Reach::new(&self.rules, &self.state, self.seat()).at_the_end(&self.state).list(most)
    }

    /// What a claim of this seat would come to, right or wrong; none if it has not the shape of a claim here, or names a card
    /// that is not open to this seat.
    #[must_use]
    pub fn judged(&self, claim: &Claim) -> Option<Finding> {
        let reach = Reach::new(&self.rules, &self.state, self.seat());
        reach.judge(claim).ok().map(|judged| judged.finding)
    }

    /// Seats whose flags count in an agreement at `at`.
    #[must_use]
    pub fn needed(&self, at: Millis) -> game::SeatSet {
        self.state.needed(&self.rules, at)
    }

    /// A truth that looks like this.
    pub(super) fn imagined(&self, chance: &mut impl Chance) -> Race {
        let seats = self.state.players.len() as u8;
        let mut race = Race::new(self.rules.clone(), seats);
        let mut seen = [false; 256];
        let piles = [&self.state.heap, &self.state.pile, &self.state.swept];
        let players = self.state.players.iter();
        let held = players.flat_map(|p| p.taken.iter().chain(p.hand.cards()).chain(&p.previous));
        for card in self.state.board.cards().chain(held.chain(piles.into_iter().flatten()).copied()) {
            seen[usize::from(card.0)] = true;
        }
        let mut hidden: Vec<Point> = self.rules.cards().filter(|c| !seen[usize::from(c.0)]).collect();
        chance.shuffle(&mut hidden);
        race.state = self.state.clone();
        for player in &mut race.state.players {
            if let Hand::Hidden(n) = player.hand {
                player.hand = Hand::Seen(hidden.split_off(hidden.len().saturating_sub(usize::from(n))));
            }
        }
        race.stock = hidden.split_off(hidden.len().saturating_sub(usize::from(self.state.stock)));
        let linked =
            self.state.players.iter().flat_map(|p| p.previous.iter().filter(|c| !p.taken.contains(c)));
        hidden.extend(linked);
        race.aside = hidden;
        race.dealer_known = self.state.phase != Phase::Shuffling || self.state.deal > 1 || seats == 1;
        let clock = self.state.layout_at.max(self.state.open_at);
        race.minds.fill(Mind { acted: clock, refused: None, pressed: None });
        (race.acted, race.flagged, race.called, race.judged, race.lit) = (clock, clock, clock, clock, clock);
        race.clock = clock;
        if let Some(seat) = self.seat() {
            race.mine[seat.index()] = self.mine.clone();
        }
        self.imagine_seal(&mut race, chance);
        race.secrets = true;
        race
    }

    /// Somebody else's sealed Set: most likely a Set with the card pointed at.
    fn imagine_seal(&self, race: &mut Race, chance: &mut impl Chance) {
        let Some(search) = &self.state.search else { return };
        if self.seat() == Some(search.finder) {
            return;
        }
        let mut sets: Vec<[Point; 3]> = self
            .claims(usize::MAX)
            .iter()
            .filter_map(|claim| <[Point; 3]>::try_from(claim.cards()).ok())
            .filter(|cards| cards.contains(&search.points))
            .collect();
        if sets.is_empty() {
            let mut others = self.state.board.cards().filter(|&c| c != search.points);
            if let (Some(a), Some(b)) = (others.next(), others.next()) {
                sets.push([search.points, a, b]);
            }
        }
        if !sets.is_empty() {
            let at = chance.below(sets.len() as u32) as usize;
            race.mine[search.finder.index()].sealed = Some(sets[at]);
        }
    }

    /// What judges the own seat's acts; none for the table.
    fn judge(&self) -> Option<Judge<'_>> {
        Some(Judge { rules: &self.rules, state: &self.state, mine: &self.mine, seat: self.seat()? })
    }

    /// Refuses a command of the own seat for what forbids it besides the end of the match.
    pub(crate) fn forbids(&self, at: Millis, command: &Command) -> Result<(), Refusal> {
        self.judge().map_or(Ok(()), |judge| judge.command(at, command))
    }

    /// Everything that this seat may do at `at`; nothing for the table.
    #[must_use]
    pub fn offers(&self, at: Millis) -> Offers {
        self.judge().map_or_else(Offers::default, |judge| judge.offers(at))
    }
}

impl game::View for View {
    type Command = Command;
    type Notice = Notice;

    fn observe(&mut self, notice: &Notice) {
        let layout = self.state.layout;
        self.state.apply(notice, &self.rules);
        if let Viewer::Seat(seat) = self.who {
            self.mine.apply(notice, seat, self.state.layout != layout);
        }
        if let Event::Graduated = notice {
            self.rules = Arc::new(self.rules.graduated());
        }
    }

    fn commands(&self, at: Millis) -> Coverage<Command> {
        let mut all = Coverage::default();
        let Some(judge) = self.judge() else { return all };
        for (act, commands) in judge.listed(at) {
            all.commands.extend(commands);
            if let Act::Claim | Act::Seal = act {
                all.complete = false;
                let sealed = |cards: [Point; 3]| Command::Seal { cards, points: cards[0] };
                all.commands.extend(self.claims(MOST_CLAIMS).into_iter().filter_map(|claim| match act {
                    Act::Claim => Some(Command::claim(claim)),
                    _ => claim.cards().try_into().ok().map(sealed),
                }));
            }
        }
        all
    }

    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        self.judge().map_or_else(Vec::new, |judge| judge.closed(at))
    }

    fn admits(&self, at: Millis, command: &Command) -> Option<bool> {
        Some(self.judge().is_some_and(|judge| judge.judge(at, command).is_ok()))
    }

    fn awaited(&self) -> bool {
        let (rules, state) = (&self.rules, &self.state);
        let Some(seat) = self.seat() else { return false };
        if state.shuffling.is_some() || state.picking.is_some() {
            return false;
        }
        match state.phase {
            Phase::Shuffling | Phase::Over => false,
            Phase::Dealing | Phase::Open => state.players_in(rules).has(seat),
            Phase::Between => state.players[seat.index()].here() && !state.ready.has(seat),
            Phase::Tie | Phase::Called => {
                state.call.is_some_and(|call| call.callers.has(seat)) && self.mine.answer.is_none()
            }
            Phase::Scout => state.search.as_ref().is_some_and(|search| match search.showing {
                Some(showing) => showing.scout == seat,
                None => search.scouts.has(seat) && !search.failed.has(seat) && !self.mine.passed,
            }),
        }
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.state.outcome.as_ref()
    }
}
