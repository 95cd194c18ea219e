//! The tables of this server, and the people who come to them.

mod guests;
mod upkeep;

use crate::about::{About, Made, opened_now, shown};
use crate::address::ClientAddress;
use crate::day::Date;
use crate::day_table::DayTable;
use crate::error::Refused;
use crate::identity::{GuestId, Key, random_text};
use crate::lobby::{Lobby, LobbyNotifier, Place};
use crate::metrics::TableCounts;
use crate::nodes::{Nodes, Whereabouts};
use crate::rooms::Rooms;
use crate::work::Caller;
use axum::http::StatusCode;
use game::say;
use rulebook::{Family, Loaded, Match, Rules};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, RwLock};
use store::{KeptMatch, Store, StoreError};
use table::{Env, Host, MatchId, Person, System, Table, Trial};
use wire::api::{GameChoice, NAME_MOST, PlayedGame, TableSummary};
use wire::{Act, Stage};

/// Random bytes of a table's id, which for a private table is all that keeps strangers out.
const ID_BYTES: usize = 15;

/// Most matches of a guest that are shown.
const MOST_MATCHES: u32 = 300;
/// Entries of a record that are read at a time.
const PAGE: usize = 500;

/// All tables and guests.
pub struct Tables {
    store: Arc<Store>,
    host: Arc<System>,
    pub(crate) rooms: Rooms,
    lobby: Arc<Lobby>,
    nodes: Option<Arc<Nodes>>,
    /// Closed while it is seen where somebody was who is forgotten: then nobody comes in, and no table is opened or woken.
    door: RwLock<()>,
    /// When the database was last written anew, in seconds since 1970.
    scrubbed: AtomicU64,
}

impl Tables {
    /// Opens the tables that there were when the server was closed, or its power cut.
    ///
    /// # Errors
    /// If the tables cannot be read.
    #[cfg(test)]
    pub fn open(store: Store, settings: &crate::Settings) -> Result<Tables, StoreError> {
        Tables::open_on(Arc::new(store), None, settings)
    }

    /// The same for a server that may be one of several.
    ///
    /// # Errors
    /// If the tables cannot be read.
    pub fn open_on(
        store: Arc<Store>,
        nodes: Option<Arc<Nodes>>,
        settings: &crate::Settings,
    ) -> Result<Tables, StoreError> {
        let lobby = Arc::new(Lobby::default());
        let host = Arc::new(System::start(2));
        let percent = settings.bot_pace;
        let env = Env {
            journal: store.clone(),
            tables: Arc::new(LobbyNotifier { tables: store.clone(), lobby: lobby.clone() }),
            host: host.clone(),
            bots: Arc::new(move |kind: &str, rules: &Rules| {
                Some(bots::at_pace(bots::make(kind, rules)?, percent))
            }),
            alike: names::alike,
            rules: {
                let store = Arc::clone(&store);
                Arc::new(move |table: &str, seats| {
                    let kept = store.table(table).ok()??;
                    Made::read(&kept.about)?.rules(seats)
                })
            },
        };
        let rooms = Rooms::open(store.clone(), lobby.clone(), env, nodes.clone(), settings)?;
        let (door, scrubbed) = (RwLock::default(), AtomicU64::new(0));
        Ok(Tables { store, host, rooms, lobby, nodes, door, scrubbed })
    }

    /// What this server is among several machines, if it is one of them.
    pub fn nodes(&self) -> Option<&Arc<Nodes>> {
        self.nodes.as_ref()
    }

    /// Where a table is that there is; while it moves it is waited for.
    pub async fn whereabouts(&self, id: &str) -> Result<Whereabouts, Refused> {
        match &self.nodes {
            None => Ok(Whereabouts::Here),
            Some(nodes) => nodes.whereabouts(id).await,
        }
    }

    /// A random name for something new of which this server is to have the say.
    pub fn new_name<const BYTES: usize>(&self) -> Result<String, Refused> {
        self.nodes.as_ref().map_or_else(|| Ok(random_text::<BYTES>()), |nodes| nodes.name::<BYTES>())
    }

    /// The table with this id, if it is awake.
    pub fn table(&self, id: &str) -> Option<Table<Match>> {
        self.rooms.awake_one(id)
    }

    /// The table with this id for somebody who comes to it; it wakes if it sleeps. Blocks.
    ///
    /// # Errors
    /// If it cannot be woken, or the house is full.
    pub fn visit(&self, id: &str) -> Result<Option<Table<Match>>, Refused> {
        let _door = self.door();
        self.rooms.visit(id)
    }

    /// Whether there is such a table, awake or asleep, here or at another node.
    pub async fn has_table(&self, id: &str) -> bool {
        match &self.nodes {
            None => self.rooms.has(id),
            Some(nodes) => nodes.soon(|| self.rooms.has(id)).await,
        }
    }

    /// The storage and the clock that all tables share.
    pub fn machine(&self) -> (&Store, &System) {
        (&self.store, &self.host)
    }

    /// The family of what is played at a table.
    pub fn family(&self, id: &str) -> Option<Family> {
        self.rooms.look(id)?.family
    }

    /// Whether somebody can join at a table.
    pub fn has_room(&self, id: &str) -> bool {
        self.rooms.look(id).is_some_and(|kept| kept.summary(id).has_room())
    }

    /// What the tables and their clock count.
    pub fn counts(&self) -> TableCounts {
        let (in_memory, asleep) = self.rooms.counts();
        TableCounts { in_memory, asleep, wake_ups: self.host.wake_ups() }
    }

    /// Opens a table for `host`, who asks from an address, and sits down in the first seat, and the bots in the next ones.
    pub fn open_table(
        &self,
        host: Person,
        from: ClientAddress,
        game: &Loaded,
        new: &wire::api::NewTable,
    ) -> Result<String, Refused> {
        let rules = game.rules(new.seats).map_err(|faults| Refused::faults(&faults))?;
        if new.public {
            game.public().map_err(|faults| Refused::faults(&faults))?;
        }
        if new.bots.len() >= usize::from(new.seats) {
            return Err(Refused::bad(say!("no_server.bots")));
        }
        let _admitted = self.admit(&host)?;
        let opening = self.rooms.make_room_for(&host.id, from)?;
        let id = self.new_name::<ID_BYTES>()?;
        let about = About {
            title: game.info.name.clone(),
            // People name their own rules as they like, even as a game of ours.
            say: matches!(new.game, GameChoice::Preset(_)).then(|| game.name_to_say()),
            preset: game.built_in(),
            public: new.public,
            host: host.id.clone(),
            day: None,
            players: Some((game.info.players_min, game.info.players_max)),
            opened: opened_now(),
        };
        let text = about.written(Some(&Made::of(new))).map_err(|error| Refused::ours(&error))?;
        let join_late = matches!(&*rules, Rules::Pattern(rules) if rules.late_join);
        let settings = table::Settings {
            id: id.clone(),
            rules,
            seats: new.seats,
            host: host.clone(),
            sit_in: bots::beginner(game.info.family).name.to_owned(),
            join_late,
            rest_s: new.rest_s.unwrap_or(table::rest_s()),
            trial: None,
        };
        let opened = Table::<Match>::open(settings, self.rooms.env(&id)?)
            .map_err(|refusal| Refused::by_rules(&refusal))?;
        opened.seat(&host, &new.bots).map_err(|why| {
            let _ = self.store.drop_table(&id);
            Refused::by_rules(&why)
        })?;
        self.store.put_about(&id, &text)?;
        self.rooms.add(opening, &id, opened, about, from);
        Ok(id)
    }

    /// The day that it is, UTC.
    pub fn today(&self) -> Date {
        Date::at(self.host.today())
    }

    /// Begins a try at a game of a day, or goes back to the ranked one that is on. Its cards are dealt, and its clock
    /// begins, when the player comes to the table.
    pub fn open_try(
        &self,
        player: Person,
        from: ClientAddress,
        date: Date,
        game: &str,
        trial: Trial,
        ranked: bool,
    ) -> Result<String, Refused> {
        let ours = |error: &dyn std::fmt::Display| Refused::ours(error);
        let day = date.to_string();
        let over =
            || Refused::new(StatusCode::CONFLICT, say!("no_server.day_tried", date = date.to_string()));
        if ranked && let Some(kept) = self.store.try_of(&day, game, &player.id).map_err(|e| ours(&e))? {
            if kept.result.is_some() || kept.played.is_some_and(|played| played.ended.is_some()) {
                return Err(over());
            }
            if self.begin_try_at(&kept.table, &player)? {
                return Ok(kept.table);
            }
        }
        let admitted = self.admit(&player)?;
        let opening = self.rooms.make_room_for(&player.id, from)?;
        let options = toml::Table::from_iter([("abandon_s".to_owned(), i64::from(Trial::ABANDON_S).into())]);
        let loaded = rulebook::load(rulebook::Source::Preset(game), Some(&options), &rulebook::NoFiles)
            .map_err(|faults| ours(&faults))?;
        let id = self.new_name::<ID_BYTES>()?;
        let settings = table::Settings {
            id: id.clone(),
            rules: loaded.rules(1).map_err(|faults| ours(&faults))?,
            seats: 1,
            host: player.clone(),
            sit_in: bots::beginner(loaded.info.family).name.to_owned(),
            join_late: false,
            rest_s: 0,
            trial: Some(trial),
        };
        let title = |game: game::Value| match ranked {
            true => say!("title.day", game = game, date = date.to_string()),
            false => say!("title.day_unranked", game = game, date = date.to_string()),
        };
        let about = About {
            title: title(loaded.info.name.clone().into()).to_string(),
            say: Some(title(loaded.name_to_say().into())),
            preset: loaded.built_in(),
            public: false,
            host: player.id.clone(),
            day: Some(day.clone()),
            players: None,
            opened: opened_now(),
        };
        let text = about.written(None).map_err(|error| ours(&error))?;
        let opened =
            Table::<Match>::open(settings, self.rooms.env(&id)?).map_err(|refusal| ours(&refusal))?;
        self.store.put_about(&id, &text).map_err(|error| ours(&error))?;
        self.rooms.add(opening, &id, opened.clone(), about, from);
        let claimed = match ranked {
            true => self.store.claim_try(&day, game, &player.id, &id).map_err(|error| ours(&error))?,
            false => id.clone(),
        };
        // Nobody waits at the door for what another node answers.
        drop(admitted);
        if claimed != id {
            // Asked for twice at once: the other one was first.
            self.rooms.close(&id).map_err(|error| ours(&error))?;
            return if self.begin_try_at(&claimed, &player)? { Ok(claimed) } else { Err(over()) };
        }
        self.begin_try(&opened, &player).map(|()| id)
    }

    /// Begins a try at a table that is kept, wherever that is. Whether it is kept.
    fn begin_try_at(&self, id: &str, player: &Person) -> Result<bool, Refused> {
        // Here it may not be known yet: it may have been opened elsewhere a moment ago.
        if let Some(nodes) = self.nodes.as_ref().filter(|nodes| !nodes.hosts(id)) {
            return nodes.begin_try_there(id, &player.id);
        }
        match self.rooms.visit(id)? {
            Some(table) => self.begin_try(&table, player).map(|()| true),
            None => Ok(false),
        }
    }

    /// Seats the player and starts the match, unless that is done.
    pub(crate) fn begin_try(&self, table: &Table<Match>, player: &Person) -> Result<(), Refused> {
        let _admitted = self.admit(player)?;
        if table.state().stage != Stage::Lobby {
            return Ok(());
        }
        let seated = match table.seat_of(&player.id) {
            Some(_) => Ok(()),
            None => table.act(player, &Act::Sit { seat: game::Seat(0) }),
        };
        let begun = seated.and_then(|()| table.act(player, &Act::Start));
        // Two requests at once: the other may have started it.
        begun.or_else(
            |why| {
                if table.state().stage == Stage::Lobby { Err(Refused::by_rules(&why)) } else { Ok(()) }
            },
        )
    }

    /// The games of a day, as `guest` sees them, for as long as somebody waits to hear of them.
    pub fn day(
        &self,
        key: &Key,
        date: Date,
        guest: Option<GuestId>,
        caller: &Caller,
    ) -> Result<wire::api::Day, StoreError> {
        let guest = guest.map(|guest| guest.to_string());
        DayTable { store: &self.store, date, guest: guest.as_deref(), key, caller }.day(self.host.today())
    }

    /// A page of the public tables as JSON ([`wire::api::Lobby`]): the first, or what comes after a place.
    pub fn lobby(&self, after: Option<Place>) -> Result<String, serde_json::Error> {
        self.lobby.page(after, |id| {
            let kept = self.rooms.look(id).filter(|kept| kept.about.public)?;
            Some((kept.summary(id), kept.about.opened))
        })
    }

    /// A table as seen from outside.
    pub fn summary(&self, id: &str) -> Option<TableSummary> {
        self.rooms.look(id).map(|kept| kept.summary(id))
    }

    /// The matches of a guest, newest first.
    pub fn games_of(&self, guest: GuestId) -> Result<Vec<PlayedGame>, StoreError> {
        let guest = guest.to_string();
        let matches = self.store.matches_of(&guest, MOST_MATCHES)?;
        Ok(matches.into_iter().map(|played| played_game(played, &guest)).collect())
    }

    /// Whether a match has ended, so that its record can be had: that of a running one has the cards in it that its
    /// players may not see.
    pub fn has_record(&self, id: MatchId) -> Result<bool, StoreError> {
        Ok(self.store.match_of(id)?.is_some_and(|kept| kept.ended))
    }

    /// The lines of a record from number `from` on, and the number of the first that is missing; none if there are no more.
    pub fn record_page(&self, id: MatchId, from: u32) -> Result<Option<(Vec<u8>, u32)>, StoreError> {
        let lines = self.store.entries(id, from, PAGE)?;
        let next = from + lines.len() as u32;
        let mut text = Vec::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
        for line in lines {
            text.extend(names_shown(line));
            text.push(b'\n');
        }
        Ok((next > from).then_some((text, next)))
    }

    /// The family of a match that has ended.
    pub fn family_of_record(&self, id: MatchId) -> Result<Option<Family>, StoreError> {
        /// What of a record's first line says it.
        #[derive(Deserialize)]
        struct Head {
            rules: HashMap<Family, IgnoredAny>,
        }
        if !self.has_record(id)? {
            return Ok(None);
        }
        let head = self.store.entries(id, 0, 1)?.into_iter().next().unwrap_or_default();
        Ok(serde_json::from_slice::<Head>(&head).ok().and_then(|head| head.rules.into_keys().next()))
    }

    /// Tells all tables that the server goes down, and waits until all is written.
    pub fn shut(&self) {
        for (_, table) in self.rooms.awake() {
            table.shut(&game::say!("no_server.house_closes").into());
        }
        if let Err(error) = self.store.flush() {
            tracing::error!(%error, "the last moves could not be written");
        }
    }
}

/// A row of a record with its names as they may be shown.
fn names_shown(row: Vec<u8>) -> Vec<u8> {
    // Only these entries name anybody.
    if !contains(&row, b"\"seats\"") && !contains(&row, b"\"sits\"") {
        return row;
    }
    let Ok(mut json) = serde_json::from_slice::<serde_json::Value>(&row) else { return row };
    let mut changed = false;
    let mut revise = |sitter: &mut serde_json::Value| {
        if sitter["kind"] == "person"
            && let Some(name) = sitter["name"].as_str()
            && let revised = shown(name)
            && revised != name
        {
            sitter["name"] = revised.into_owned().into();
            changed = true;
        }
    };
    json.get_mut("seats").and_then(|seats| seats.as_array_mut()).into_iter().flatten().for_each(&mut revise);
    let notes = json.get_mut("notes").and_then(|notes| notes.as_array_mut());
    notes.into_iter().flatten().filter_map(|note| note.get_mut("sits")?.get_mut("who")).for_each(&mut revise);
    if changed { serde_json::to_vec(&json).unwrap_or(row) } else { row }
}

fn contains(row: &[u8], part: &[u8]) -> bool {
    row.windows(part.len()).any(|window| window == part)
}

fn played_game(played: KeptMatch, guest: &str) -> PlayedGame {
    let (title, say) = About::read(&played.about).map(|about| (about.title, about.say)).unwrap_or_default();
    let is_bot =
        |(name, guest): (&String, &String)| guest.is_empty() && !name.is_empty() && name != names::NOBODY;
    let seats = (0..).map(game::Seat).zip(played.names.iter().zip(&played.guests));
    let bots =
        seats.filter(|(_, who)| is_bot(*who)).fold(game::SeatSet::NONE, |bots, (seat, _)| bots.with(seat));
    PlayedGame {
        bots,
        id: played.id.to_string(),
        table: played.table,
        title,
        say,
        began: played.began,
        seat: played.guests.iter().position(|id| id == guest).unwrap_or(0) as u8,
        players: played.names.iter().map(|name| names::shown(name, NAME_MOST).into_owned()).collect(),
        ended: played.ended,
        outcome: played.outcome,
    }
}
