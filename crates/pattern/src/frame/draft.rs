//! A decision on its way.

use super::roster::{Best, Cause, DealEnd, Happening, Roster, Stage};
use crate::rules::Rules;
use cards::Point;
use game::{Draw, Game, Millis, Need, Presence, Refusal, Seat, Status, say};

/// A game in which nobody races, so that its table is a [`Roster`].
pub(crate) trait Seated: Game<Rules = Rules> {
    /// What wins.
    const BEST: Best;
    /// Who sits there.
    fn roster(&self) -> &Roster;
    /// What happened to the table, as an event of the game.
    fn told(happening: Happening) -> Self::Event;
    /// A seat is retired, with what follows (LEAVE-2 to LEAVE-6).
    fn retire(draft: &mut Draft<Self>, at: Millis, seat: Seat);
}

/// A game as it will be after the events decided so far: what follows is judged on what is so then.
pub(crate) struct Draft<G: Game> {
    pub game: G,
    pub events: Vec<G::Event>,
}

impl<G: Seated> Draft<G> {
    /// Nothing is decided yet.
    pub fn of(game: &G) -> Draft<G> {
        Draft { game: game.clone(), events: Vec::new() }
    }

    /// Something happens.
    pub fn emit(&mut self, event: G::Event) {
        self.game.evolve(&event);
        self.events.push(event);
    }

    /// Something happens to the table.
    pub fn table(&mut self, happening: Happening) {
        self.emit(G::told(happening));
    }

    /// The deal is over.
    pub fn close(&mut self, at: Millis, why: DealEnd) {
        let closing = self.game.roster().close(self.game.rules(), at, why, G::BEST);
        closing.into_iter().for_each(|happening| self.table(happening));
    }

    /// A seat is ready for the next deal.
    pub fn ready(&mut self, at: Millis, seat: Seat) {
        self.table(Happening::Ready { at, seat });
        self.begin();
    }

    /// Begins the next deal if nobody is waited for.
    pub fn begin(&mut self) {
        let roster = self.game.roster();
        let here = roster.here();
        if roster.stage == Stage::Between && !here.is_empty() && roster.ready.contains_all(here) {
            self.table(Happening::Begun);
        }
    }

    /// What chance is asked, if `draw` answers it.
    pub fn asked(&self, draw: &Draw) -> Result<Need, Refusal> {
        match self.game.status() {
            Status::Chance(need) if draw.answers(&need) => Ok(need),
            Status::Chance(_) => Err(say!("no.chance").into()),
            Status::Seats(_) | Status::Over(_) => Err(say!("no.chance_now").into()),
        }
    }

    /// Chance names the first dealer.
    pub fn first_dealer(&mut self, draw: &Draw) -> Result<(), Refusal> {
        let dealer = self.game.roster().first_dealer(draw).ok_or_else(|| say!("no.chance"))?;
        self.table(dealer);
        Ok(())
    }

    /// Somebody comes or goes.
    pub fn presence(&mut self, at: Millis, seat: Seat, presence: Presence) -> Result<(), Refusal> {
        let happening = self.game.roster().presence(self.game.rules(), at, seat, presence)?;
        if let Happening::Retired { .. } = happening {
            G::retire(self, at, seat);
        } else {
            self.table(happening);
            // Who is away is not waited for.
            self.begin();
        }
        Ok(())
    }

    /// An alarm rings that any of these games may set.
    pub fn rung(&mut self, at: Millis, cause: Cause) {
        match cause {
            Cause::Grace(seat) => G::retire(self, at, seat),
            Cause::Next => self.table(Happening::Begun),
            Cause::Abandon => self.close(at, DealEnd::Abandoned),
        }
    }

    /// A seat has left while no deal is played: somebody else deals in its place, and nobody waits for it.
    pub fn go_on_without(&mut self, at: Millis, seat: Seat) {
        let roster = self.game.roster();
        if roster.stage == Stage::Between && roster.dealer == seat {
            let happening = roster.skip_dealer(self.game.rules(), at, G::BEST);
            self.table(happening);
        }
        self.begin();
    }

    /// The match ends between two deals, because too few are left (LEAVE-6).
    pub fn end(&mut self, at: Millis) {
        let outcome = self.game.roster().outcome(G::BEST, false);
        self.table(Happening::Ended { at, outcome });
    }
}

/// The order in which `draw` puts cards: the answer must fit.
pub(crate) fn ordered(cards: &[Point], draw: &Draw) -> Vec<Point> {
    match draw {
        Draw::Order(order) => order.iter().map(|&i| cards[usize::from(i)]).collect(),
        Draw::Pick(_) | Draw::Noise(_) => cards.to_vec(),
    }
}
