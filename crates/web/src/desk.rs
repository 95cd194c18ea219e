//! What every game's screen is given: who sits where, the clock of the match, and a way to act.

use crate::{dom, ui};
use game::{Millis, Refusal, Seat, SeatSet};
use leptos::prelude::*;

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name they chose, or the bot's.
    pub name: String,
    /// Whether a program plays the seat now.
    pub bot: bool,
    /// Whether a person has the seat, even one who is away while a program plays.
    pub person: bool,
    /// Whether they are connected.
    pub here: bool,
    /// Whether anybody holds the seat.
    pub taken: bool,
}

impl Person {
    /// Whether it is a bot's seat.
    #[must_use]
    pub fn is_bot(&self) -> bool {
        self.bot && !self.person
    }
}

/// Those who sit at a table, as they are shown where a match is told of.
#[derive(Clone, Copy)]
pub struct Who {
    /// Who sits in each seat.
    pub people: Signal<Vec<Person>>,
    /// What they are called.
    pub name: Callback<Seat, String>,
}

impl Who {
    /// Name of a seat.
    #[must_use]
    pub fn name(self, seat: Seat) -> String {
        self.name.run(seat)
    }

    /// The picture of a seat.
    pub fn portrait(self, seat: Seat) -> AnyView {
        let bot = self.people.with(|people| people.get(seat.index()).is_some_and(Person::is_bot));
        ui::portrait(seat, &self.name(seat), bot)
    }

    /// Both, one beside the other.
    pub fn shown(self, seat: Seat) -> AnyView {
        view! { <span class="who-is">{self.portrait(seat)}<bdi>{self.name(seat)}</bdi></span> }.into_any()
    }
}

/// Match time as this browser reckons it: what the server last said, and the time since.
#[derive(Clone, Copy)]
pub struct Clock {
    /// When (browser clock, ms), what (match time, ms), and whether it runs.
    set: RwSignal<(f64, u32, bool)>,
    tick: RwSignal<u32>,
}

impl Clock {
    /// A clock that stands at 0, ticking four times a second for what is drawn from it.
    #[must_use]
    pub fn new() -> Clock {
        let clock = Clock { set: RwSignal::new((0.0, 0, false)), tick: RwSignal::new(0) };
        let handle = set_interval_with_handle(
            move || {
                clock.tick.try_update(|t| *t = t.wrapping_add(1));
            },
            std::time::Duration::from_millis(250),
        );
        on_cleanup(move || {
            if let Ok(handle) = handle {
                handle.clear();
            }
        });
        clock
    }

    /// Sets it by what the server says: it is `at` now, and time passes or stands still.
    pub fn set(self, at: Millis, running: bool) {
        self.set.set((dom::now(), at.0, running));
    }

    /// The time now. Read inside a view, it is read again with every tick.
    #[must_use]
    pub fn now(self) -> Millis {
        self.tick.track();
        self.set.track();
        self.read()
    }

    /// The time now, without being read again.
    #[must_use]
    pub fn read(self) -> Millis {
        let (then, at, running) = self.set.get_untracked();
        Millis(if running { at.saturating_add((dom::now() - then).max(0.0) as u32) } else { at })
    }

    /// Whole seconds until a time of the browser's clock, rounded up; 0 if it has come. It passes while the match rests.
    #[must_use]
    pub fn seconds_until(self, time: f64) -> u32 {
        self.tick.track();
        ((time - dom::now()).max(0.0) / 1000.0).ceil() as u32
    }

    /// Whole seconds until `due`, rounded up; 0 if it has come.
    #[must_use]
    pub fn seconds_to(self, due: Millis) -> u32 {
        due.since(self.now()).div_ceil(1000)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Clock::new()
    }
}

/// A pause between two rounds, until all have gone on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rest {
    /// Who has not gone on.
    pub waits_for: SeatSet,
    /// When it is over at the latest, on the browser's clock.
    pub until: f64,
}

/// Pauses between rounds as they come.
#[derive(Clone, Copy)]
pub struct Rests {
    /// The one that is on.
    pub now: Signal<Option<Rest>>,
    /// Says that this person has read how the round ended.
    pub go_on: Callback<()>,
}

impl Rests {
    /// None ever, where nobody else is waited for.
    #[must_use]
    pub fn never() -> Rests {
        Rests { now: Signal::stored(None), go_on: Callback::new(|()| {}) }
    }
}

/// A table with a match on it, as a screen sees it. `C` is what a seat may do.
pub struct Desk<C: 'static> {
    /// The seat of this person; none for spectators and replays.
    pub me: Signal<Option<Seat>>,
    /// Who sits in each seat.
    pub people: Signal<Vec<Person>>,
    /// Match time.
    pub clock: Clock,
    /// Acts for this person's seat.
    pub send: Callback<C>,
    /// Pauses between rounds.
    pub rests: Rests,
    /// The last refusal, and a counter, so that the same one twice is noticed.
    pub refused: Signal<(u32, Refusal)>,
    /// Whether the match goes on (and is not a replay).
    pub live: bool,
    /// Whether it is a try of the day, beside which those of others stand.
    pub of_day: Signal<bool>,
}

impl<C> Clone for Desk<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C> Copy for Desk<C> {}

impl<C> Desk<C> {
    /// Name of a seat.
    #[must_use]
    pub fn name(self, seat: Seat) -> String {
        self.people.with(|people| match people.get(seat.index()) {
            Some(person) if !person.name.is_empty() => person.name.clone(),
            Some(person) if self.live && !person.taken => crate::t!("table.free"),
            _ => crate::t!("table.seat", n = seat.0 + 1),
        })
    }

    /// Name of a seat on its plate, where there may be no room for how well a bot plays.
    pub fn plate(self, seat: Seat) -> AnyView {
        let (name, own) = (self.name(seat), screen::people::bot_name(seat));
        match name.strip_prefix(own).filter(|_| self.is_bot(seat)) {
            Some(level) => view! { {own} <span class="level">{level.to_owned()}</span> }.into_any(),
            None => name.into_any(),
        }
    }

    /// Whether it is a bot's seat.
    #[must_use]
    pub fn is_bot(self, seat: Seat) -> bool {
        self.people.with(|people| people.get(seat.index()).is_some_and(Person::is_bot))
    }

    /// Those who sit here.
    #[must_use]
    pub fn who(self) -> Who {
        Who { people: self.people, name: Callback::new(move |seat| self.name(seat)) }
    }

    /// Name of a seat, or "You".
    #[must_use]
    pub fn name_or_you(self, seat: Seat) -> String {
        if self.me.get_untracked() == Some(seat) { crate::t!("ui.you") } else { self.name(seat) }
    }

    /// Tells something of the table in the language of the page.
    pub fn told<T>(self, tell: impl FnOnce(screen::Desk<'_>) -> T) -> T {
        let name = |seat: Seat| self.name(seat);
        tell(screen::Desk { tongue: crate::lang::PAGE, me: self.me.get(), name: &name })
    }

    /// Whether nobody has a seat of a match that is on.
    #[must_use]
    pub fn free(self, seat: Seat) -> bool {
        self.live && self.people.with(|people| people.get(seat.index()).is_some_and(|p| !p.taken))
    }

    /// Whether this person plays against bots and nobody else, or alone and not for the table of the day: then help is nobody's loss.
    #[must_use]
    pub fn practises(self) -> bool {
        let Some(me) = self.me.get().filter(|_| self.live && !self.of_day.get()) else { return false };
        let sits = |person: &Person| person.taken.then_some(person.person);
        self.people.with(|people| screen::people::practises(me, people.iter().map(sits)))
    }

    /// Whether this person may act.
    #[must_use]
    pub fn playing(self) -> bool {
        self.live && self.me.get().is_some()
    }
}
