//! The games of Set in letters: layouts, what is picked, and what the keys do.

mod drawn;

use crate::key::{Action, Does as Any, Key};
use cards::Point;
use game::{Millis, Seat};
use pattern::memory::Slot;
use pattern::race::{Phase, Verdict};
use pattern::roster::{Roster, Stage};
use pattern::{Act, Command, Notice, Offers, View, race};
use screen::keys::{Arrangement, Letters};
use screen::pick::{self, Picker};
use screen::race::{Raised, banner, call_words, deal_end_words, locked, locked_words, none_words, own_cards};
use screen::{Desk, board, verdict};
use words::said;

/// What a key does with a layout.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// A place of the layout is pressed.
    Place(usize),
    /// An own card is pressed.
    Own(usize),
    /// The cursor goes so many columns and rows on.
    Move(i32, i32),
    /// What is at the cursor is pressed.
    Press,
    /// Calls.
    Call,
    /// Claims what is picked.
    Claim,
    /// Nothing is picked any more; a call is taken back.
    Clear,
    /// Plays the own card that is chosen.
    Lay,
}

/// What lies at a place of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Card(Point),
    Down,
    Empty,
}

/// A place of a layout: where it is on the screen, in columns and rows of cards, which key picks it, and what lies there.
#[derive(Clone, Copy, Debug)]
struct Place {
    column: u16,
    row: u16,
    /// How many gaps between groups stand before it, across and down.
    gaps: (u16, u16),
    key: Option<char>,
    what: What,
}

/// What is under way with a layout.
#[derive(Debug, Default)]
pub struct PatternTable {
    /// Which match it is of.
    game: u32,
    picker: Picker,
    /// Cards picked where nobody races.
    picked: Vec<Point>,
    /// The own card that is to be played.
    chosen: Option<Point>,
    cursor: Option<usize>,
    raised: Option<Raised>,
    playing: bool,
    /// The verdicts that were seen last, and whether a search was on: when they change, what was picked is done with.
    last: Vec<Verdict>,
    searching: bool,
    /// The verdicts that were told last.
    told: Vec<Verdict>,
}

/// The race in a view: the match itself, or the own board of a live trial; and the seat that one has there.
fn race_in(view: &View, me: Option<Seat>) -> Option<(&race::View, Option<Seat>)> {
    let own = matches!(view, View::Trial(_));
    Some((screen::race::race_in(view)?, if own { me.map(|_| Seat(0)) } else { me }))
}

fn roster(view: &View) -> Option<&Roster> {
    match view {
        View::Memory(view) => Some(&view.state.roster),
        View::Setup(view) => Some(&view.state.roster),
        View::Puzzle(view) => Some(&view.state.roster),
        View::Race(_) | View::Trial(_) => None,
    }
}

impl PatternTable {
    /// Takes in what has changed; `game` tells this match from the one before; nobody plays from here where `me` is none.
    pub fn sync(&mut self, view: &View, game: u32, me: Option<Seat>, at: Millis) {
        if self.game != game {
            *self = PatternTable { game, ..PatternTable::default() };
        }
        self.playing = me.is_some();
        if let Some((race, seat)) = race_in(view, me) {
            let mut open: Vec<Point> = race.state.board.cards().collect();
            open.extend(own_cards(race, seat));
            self.picker.keep(&open);
            self.raised = Some(Raised::after(self.raised.as_ref(), &race.state, at));
            // A verdict on the own claim ends it, and so does the beginning or the end of a search.
            let mine = race.state.last.iter().any(|verdict| Some(verdict.seat) == seat);
            if self.last != race.state.last && mine || self.searching != race.state.search.is_some() {
                self.picker.clear();
            }
            self.last.clone_from(&race.state.last);
            self.searching = race.state.search.is_some();
            return;
        }
        let lies = |card: &Point| match view {
            View::Setup(view) => view.state.table.contains(card),
            View::Puzzle(view) => view.state.layout.contains(card),
            _ => false,
        };
        self.picked.retain(lies);
        let own = self.own(view, me);
        self.chosen = self.chosen.filter(|card| own.contains(card));
    }

    /// What a notice is worth telling, once the view has taken it in.
    pub fn tell(&mut self, desk: Desk<'_>, view: &View, notice: &Notice) -> Option<String> {
        use pattern::{memory, puzzle, setup_game};
        let tongue = desk.tongue;
        match (notice, view) {
            (
                Notice::Setup(setup_game::Event::Played { .. } | setup_game::Event::Challenged { .. }),
                View::Setup(view),
            ) => board::setup_last(desk, view),
            (Notice::Puzzle(puzzle::Event::Judged { .. }), View::Puzzle(view)) => {
                Some(board::puzzle(desk, view))
            }
            (Notice::Memory(memory::Event::Taken { .. }), View::Memory(view)) => {
                let last = view.state.last.as_ref()?;
                Some(said!(tongue, "verdict.right", name = desk.name_or_you(last.seat)))
            }
            _ => {
                let (race, _) = race_in(view, desk.me)?;
                if self.told == race.state.last {
                    return None;
                }
                self.told.clone_from(&race.state.last);
                let own = matches!(view, View::Trial(_));
                let name =
                    |verdict: &Verdict| desk.name_or_you(desk.me.filter(|_| own).unwrap_or(verdict.seat));
                let told =
                    race.state.last.iter().map(|verdict| {
                        verdict::verdict_text(tongue, verdict, race.rules.deck, &name(verdict))
                    });
                let told: Vec<String> = told.collect();
                (!told.is_empty()).then(|| told.join(" "))
            }
        }
    }

    /// Nothing was done of what was asked for.
    pub fn refused(&mut self) {
        if self.picker.is_sent() {
            self.picker.clear();
        }
    }

    /// What the own seat may do: of cards that were just laid, what it may as soon as they count, for whoever is quick is told so by
    /// the table.
    fn offers(&self, view: &View, at: Millis) -> Offers {
        if !self.playing {
            return Offers::default();
        }
        let settled = race_in(view, None).map_or(at, |(race, _)| at.max(race.state.open_at));
        view.offers(settled)
    }

    /// The cards in the own hand that can be played or claimed with.
    fn own(&self, view: &View, me: Option<Seat>) -> Vec<Point> {
        match view {
            View::Setup(view) => me
                .and_then(|me| view.state.hands.get(me.index()))
                .map(|hand| hand.cards().to_vec())
                .unwrap_or_default(),
            _ => race_in(view, me).map(|(race, seat)| own_cards(race, seat)).unwrap_or_default(),
        }
    }

    /// The places of the layout.
    fn places(&self, view: &View, letters: Letters) -> Vec<Place> {
        let flow = |cells: Vec<What>, keys: bool| {
            let wide = board::columns(cells.len().max(if keys { 12 } else { 0 })).0;
            let place = |(n, what)| Place {
                column: (n % wide) as u16,
                row: (n / wide) as u16,
                gaps: (0, 0),
                key: keys.then(|| letters.at(n / wide, n % wide)).flatten(),
                what,
            };
            cells.into_iter().enumerate().map(place).collect()
        };
        match view {
            View::Memory(view) => {
                // In reading order: the rows of the keyboard are not enough for those of the cards.
                let key = |n: usize| letters.at(n / 10, n % 10);
                let what = |slot: &Slot| match slot {
                    Slot::Empty => What::Empty,
                    Slot::Down => What::Down,
                    Slot::Up(card) => What::Card(*card),
                };
                let mut places: Vec<Place> = flow(view.state.slots.iter().map(what).collect(), false);
                places.iter_mut().enumerate().for_each(|(n, place)| place.key = key(n));
                places
            }
            View::Setup(view) => flow(view.state.table.iter().map(|&card| What::Card(card)).collect(), true),
            View::Puzzle(view) => {
                flow(view.state.layout.iter().map(|&card| What::Card(card)).collect(), true)
            }
            View::Race(_) | View::Trial(_) => {
                let Some((race, _)) = race_in(view, None) else { return Vec::new() };
                let around = Arrangement::of(&race.rules, &race.state.board);
                let mut places = Vec::new();
                for (zone, slots) in race.state.board.zones().enumerate() {
                    let gaps = (zone % around.zone_columns.0, zone / around.zone_columns.0);
                    for (slot, card) in slots.iter().enumerate() {
                        let Some(card) = *card else { continue };
                        let (row, column) = around.wide(slot);
                        places.push(Place {
                            column: (gaps.0 * around.columns.0 + column) as u16,
                            row: (gaps.1 * around.rows.0 + row) as u16,
                            gaps: (gaps.0 as u16, gaps.1 as u16),
                            key: around.key(letters, zone, slot),
                            what: What::Card(card),
                        });
                    }
                }
                places
            }
        }
    }

    /// What a key without a word of its own does: those of cards, and those that move.
    pub fn key(&self, view: &View, letters: Letters, key: Key) -> Option<Does> {
        let places = self.places(view, letters);
        match key {
            Key::Char(c) if c.is_ascii_digit() => {
                let n = (c.to_digit(10)? as usize + 9) % 10;
                Some(Does::Own(n))
            }
            Key::Char(c) => places.iter().position(|place| place.key == Some(c)).map(Does::Place),
            Key::Left => Some(Does::Move(-1, 0)),
            Key::Right => Some(Does::Move(1, 0)),
            Key::Up => Some(Does::Move(0, -1)),
            Key::Down => Some(Does::Move(0, 1)),
            Key::Space | Key::Enter if self.cursor.is_some() => Some(Does::Press),
            Key::Escape if self.is_busy() => Some(Does::Clear),
            _ => None,
        }
    }

    fn is_busy(&self) -> bool {
        !self.picker.is_empty() || !self.picked.is_empty() || self.chosen.is_some() || self.cursor.is_some()
    }

    /// Does something with the layout: commands that come of it.
    ///
    /// # Errors
    /// Why it cannot be done: the key of a sentence.
    pub fn act(
        &mut self,
        view: &View,
        me: Option<Seat>,
        at: Millis,
        does: Does,
    ) -> Result<Vec<Command>, &'static str> {
        // Who watches picks nothing.
        if !self.playing {
            return Ok(Vec::new());
        }
        let offers = self.offers(view, at);
        // Where things stand on the screen does not depend on the keyboard.
        let places = self.places(view, Letters::qwerty());
        match does {
            Does::Move(right, down) => {
                self.cursor = Some(moved(&places, self.cursor, right, down));
                Ok(Vec::new())
            }
            Does::Press => match self.cursor {
                Some(cursor) => self.place(view, &offers, &places, cursor),
                None => Ok(Vec::new()),
            },
            Does::Place(n) => {
                self.cursor = None;
                self.place(view, &offers, &places, n)
            }
            Does::Own(n) => {
                let Some(&card) = self.own(view, me).get(n) else { return Ok(Vec::new()) };
                if let Some((race, _)) = race_in(view, me) {
                    return Ok(self.picker.press(race.rules.claim_shape(), &race.state, &offers, card));
                }
                self.chosen = if self.chosen == Some(card) { None } else { Some(card) };
                Ok(Vec::new())
            }
            Does::Call => Ok(pick::call(&offers).into_iter().collect()),
            Does::Claim => Ok(race_in(view, me)
                .map(|(race, _)| self.picker.claim(race.rules.claim_shape()))
                .unwrap_or_default()),
            // First the arrow goes, and what was picked stays.
            Does::Clear if self.cursor.take().is_some() => Ok(Vec::new()),
            Does::Clear => {
                self.picker.clear();
                self.picked.clear();
                self.chosen = None;
                Ok(offers.open(Act::Cancel).then_some(Command::Cancel).into_iter().collect())
            }
            Does::Lay => Ok(self.chosen.map(Command::Play).into_iter().collect()),
        }
    }

    /// A place of the layout was pressed.
    fn place(
        &mut self,
        view: &View,
        offers: &Offers,
        places: &[Place],
        n: usize,
    ) -> Result<Vec<Command>, &'static str> {
        let Some(place) = places.get(n) else { return Ok(Vec::new()) };
        if let View::Memory(_) = view {
            return Ok(vec![Command::Flip(n as u8 + 1)]);
        }
        let What::Card(card) = place.what else { return Ok(Vec::new()) };
        match view {
            View::Race(_) | View::Trial(_) => {
                let Some((race, _)) = race_in(view, None) else { return Ok(Vec::new()) };
                Ok(self.picker.press(race.rules.claim_shape(), &race.state, offers, card))
            }
            View::Setup(view) => {
                let challenge = pick::challenge(&view.state, offers, &mut self.picked, card);
                Ok(challenge.into_iter().collect())
            }
            View::Puzzle(view) => Ok(pick::puzzle(view, &mut self.picked, card)?.into_iter().collect()),
            View::Memory(_) => Ok(Vec::new()),
        }
    }

    /// What can be done now, each with its key.
    pub fn actions(&self, desk: Desk<'_>, view: &View, at: Millis) -> Vec<Action> {
        let tongue = desk.tongue;
        let offers = self.offers(view, at);
        let send = |command: Command| Any::Send(rulebook::Command::Pattern(command));
        let mut all = Vec::new();
        let mut add = |key: Key, label: String, does: Any, main: bool| {
            let action = Action::new(key, label, does);
            all.push(if main { action.main() } else { action });
        };
        if let Some((race, seat)) = race_in(view, desk.me) {
            let (rules, state) = (&race.rules, &race.state);
            let shape = rules.claim_shape();
            if offers.open(Act::Cancel) {
                add(Key::Escape, said!(tongue, "race.cancel"), Any::Pattern(Does::Clear), false);
            } else if offers.open(Act::Call) && self.cursor.is_none() {
                // With the arrows, the first card that is picked calls.
                add(Key::Space, call_words(tongue, rules), Any::Pattern(Does::Call), true);
            }
            if self.picker.can_claim(shape) {
                add(Key::Enter, self.picker.claim_label(tongue, shape), Any::Pattern(Does::Claim), true);
            }
            if offers.open(Act::NoSetOff) {
                add(Key::Char('-'), said!(tongue, "race.no_set_off"), send(Command::NoSetOff), false);
            } else if offers.open(Act::NoSet) {
                add(Key::Char('-'), none_words(tongue, rules), send(Command::NoSet), false);
            }
            let flagged = seat.is_some_and(|me| !state.flags.without(me).is_empty() && !state.flags.has(me));
            if flagged && offers.open(Act::Looking) {
                add(Key::Char('L'), said!(tongue, "race.looking"), send(Command::Looking), true);
            }
            if state.phase == Phase::Between {
                if offers.open(Act::Ready) {
                    add(Key::Enter, said!(tongue, "race.next"), send(Command::Ready), true);
                }
                if offers.open(Act::Graduate) {
                    add(Key::Char('W'), said!(tongue, "race.graduate"), send(Command::Graduate), false);
                }
            }
        }
        if let View::Setup(_) = view {
            if self.chosen.is_some() && offers.open(Act::Play) {
                add(Key::Enter, said!(tongue, "setup.place_this"), Any::Pattern(Does::Lay), true);
            }
            if offers.open(Act::Challenge) {
                add(Key::Char('P'), said!(tongue, "setup.let_stand"), send(Command::Pass), true);
            }
        } else if offers.open(Act::Pass) {
            add(Key::Char('P'), said!(tongue, "scout.pass"), send(Command::Pass), false);
        }
        if roster(view).is_some_and(|roster| roster.stage == Stage::Between) && offers.open(Act::Ready) {
            add(Key::Enter, said!(tongue, "race.next"), send(Command::Ready), true);
        }
        if offers.open(Act::Ask) {
            add(Key::Char('A'), said!(tongue, "race.ask"), send(Command::Ask), false);
        }
        if offers.open(Act::Hint) {
            add(Key::Char('H'), board::hint_words(tongue, &offers), send(Command::Hint), false);
        }
        if offers.open(Act::Declare) {
            add(Key::Char('D'), said!(tongue, "memory.declare"), send(Command::Declare), false);
        }
        if offers.open(Act::GiveUp) {
            add(Key::Char('G'), said!(tongue, "race.give_up"), send(Command::GiveUp), false);
        }
        all
    }

    /// What is going on, and until when.
    pub fn prompt(&self, desk: Desk<'_>, view: &View, at: Millis) -> (String, Option<Millis>) {
        let tongue = desk.tongue;
        match view {
            View::Race(_) | View::Trial(_) => {
                let Some((race, seat)) = race_in(view, desk.me) else {
                    return (said!(tongue, "trial.watch"), None);
                };
                let name = |of: Seat| {
                    if matches!(view, View::Trial(_)) {
                        desk.me.map_or_else(|| desk.name(of), |me| desk.name(me))
                    } else {
                        desk.name(of)
                    }
                };
                let own = Desk { me: seat, name: &name, ..desk };
                if race.state.phase == Phase::Between {
                    let text = race.state.deal_end.map(|end| deal_end_words(tongue, end)).unwrap_or_default();
                    return (text, race.state.next_at);
                }
                let raised = self.raised.unwrap_or_else(|| Raised::after(None, &race.state, at));
                let told = banner(own, race, &self.picker, &self.offers(view, at), &raised, at);
                let lock =
                    locked(race, seat, at).map(|seconds| format!(" {}", locked_words(tongue, seconds)));
                (told.text + &lock.unwrap_or_default(), told.due)
            }
            View::Memory(view) => (board::memory(desk, &view.state), view.state.deadline),
            View::Setup(view) => (board::setup(desk, view), None),
            View::Puzzle(view) => (board::puzzle(desk, view), None),
        }
    }
}

/// The place to which a cursor goes: the nearest in that direction, or the first where there was none.
fn moved(places: &[Place], from: Option<usize>, right: i32, down: i32) -> usize {
    let Some(at) = from.and_then(|n| places.get(n)) else { return 0 };
    let along = |place: &Place| {
        let (columns, rows) =
            (i32::from(place.column) - i32::from(at.column), i32::from(place.row) - i32::from(at.row));
        (columns * right + rows * down, (columns * down).abs() + (rows * right).abs())
    };
    let ahead =
        places.iter().enumerate().map(|(n, place)| (along(place), n)).filter(|((ahead, _), _)| *ahead > 0);
    let straight = ahead.min_by_key(|((ahead, aside), _)| (*aside, *ahead));
    straight.map_or(from.unwrap_or(0), |(_, n)| n)
}
