//! Where the tables are: in memory while somebody is there, and asleep on the disk when nobody has been for a while. A visit
//! wakes one; whoever only looks from outside does not.

use crate::about::{About, Made, shown};
use crate::address::ClientAddress;
use crate::error::Refused;
use crate::lobby::Lobby;
use crate::lock;
use crate::nodes::{Nodes, moves};
use crate::settings::Settings;
use axum::http::StatusCode;
use cluster::{Hosting, Partition};
use game::say;
use rulebook::{Family, Match};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use store::{KeptTable, Store, StoreError};
use table::{Env, Glance, Person, Table, Who};
use wire::Stage;
use wire::api::{SeatSummary, TableSummary};

/// Most matches that are ended at a time because nobody came back to them.
const ENDED_AT_ONCE: usize = 100;
/// Seconds until it is tried again to end a match that could not be ended.
const TRIED_AGAIN: u64 = 24 * 3600;

/// How many tables there may be, and for how long.
#[derive(Clone, Copy, Debug)]
struct Limits {
    awake: usize,
    kept: usize,
    of_guest: usize,
    of_address: usize,
    /// Seconds that nobody is there.
    sleep_after: u64,
    /// The same, where nothing is played.
    close_after: u64,
    /// The same, where something is; none if that is kept for ever.
    end_after: Option<u64>,
}

/// A table and what is kept about it.
#[derive(Clone)]
pub struct Kept {
    /// What the server keeps about it.
    pub about: Arc<About>,
    /// The family of what is played there.
    pub family: Option<Family>,
    /// From where it was opened, if that was since the server started.
    from: Option<ClientAddress>,
    place: Place,
    /// When it was last tried in vain to end its match.
    tried: Option<u64>,
}

#[derive(Clone)]
enum Place {
    Awake(Table<Match>),
    Asleep(Arc<Asleep>),
}

/// What memory has of a table that is asleep. The disk has all else, and the guests' names: this shows those that they have now.
struct Asleep {
    glance: Mutex<Glance>,
    /// Held by whoever wakes it, or sees to it that nobody does.
    waking: Mutex<()>,
}

impl Place {
    fn asleep(glance: Glance) -> Place {
        Place::Asleep(Arc::new(Asleep { glance: Mutex::new(glance), waking: Mutex::default() }))
    }

    fn is(&self, asleep: &Arc<Asleep>) -> bool {
        matches!(self, Place::Asleep(now) if Arc::ptr_eq(now, asleep))
    }
}

fn is_person(who: &Who, guest: &str) -> bool {
    matches!(who, Who::Person(person) if person.id == guest)
}

/// Whether nothing is played at a table. A try whose player never came has not begun.
fn is_unplayed(glance: &Glance) -> bool {
    glance.stage != Stage::Playing || glance.trial && glance.at_start
}

impl Kept {
    /// What is to be seen of it from outside.
    fn glance(&self) -> Glance {
        match &self.place {
            Place::Awake(table) => table.glance(),
            Place::Asleep(asleep) => lock(&asleep.glance).clone(),
        }
    }

    /// For how many seconds nobody has been there, at the time `now`.
    fn left_for(&self, now: u64) -> u64 {
        let left = match &self.place {
            Place::Awake(table) => table.left(),
            Place::Asleep(asleep) => lock(&asleep.glance).left,
        };
        if left > 0 { now.saturating_sub(left) } else { 0 }
    }

    fn is_awake(&self) -> bool {
        matches!(self.place, Place::Awake(_))
    }

    /// The same, for the lobby.
    pub fn summary(&self, id: &str) -> TableSummary {
        let Glance { seats, stage, .. } = self.glance();
        let seat = |who: Who| match who {
            Who::Person(person) => SeatSummary { name: person.name, bot: false },
            Who::Bot(kind) => SeatSummary { name: kind, bot: true },
        };
        TableSummary {
            id: id.to_owned(),
            title: self.about.title.clone(),
            say: self.about.say.clone(),
            preset: self.about.preset.clone(),
            seats: seats.into_iter().map(|who| who.map(seat)).collect(),
            stage,
            public: self.about.public,
            day: self.about.day.clone(),
            players: self.about.players,
        }
    }
}

/// What is to be seen of a table as the disk has it, with the names that `name_of` knows of its people.
fn seen(
    kept: &KeptTable,
    name_of: impl Fn(&str) -> Option<String>,
) -> Result<(About, Glance, Option<Family>), String> {
    let about = About::read(&kept.about)?;
    let (mut glance, rules) =
        table::glance::<HashMap<Family, IgnoredAny>>(&kept.saved).map_err(|why| why.to_string())?;
    for person in glance.seats.iter_mut().flatten() {
        if let Who::Person(person) = person {
            let name = name_of(&person.id);
            person.name = shown(name.as_ref().unwrap_or(&person.name)).into_owned();
        }
    }
    Ok((about, glance, rules.keys().next().copied()))
}

/// A table that somebody kept who is forgotten.
pub struct Left {
    /// Which.
    pub id: String,
    /// What the server keeps about it.
    pub about: Arc<About>,
    /// Who keeps it now; nobody if nobody else sits there.
    pub host: Option<Person>,
}

/// Room that was made for a table. As long as somebody has it nobody else opens one, so that no limit is passed by two at once.
pub struct Opening<'a>(#[expect(dead_code, reason = "it is held")] MutexGuard<'a, ()>);

/// All tables.
pub struct Rooms {
    store: Arc<Store>,
    env: Env<Match>,
    lobby: Arc<Lobby>,
    /// Several machines share the tables; this one has its part of them.
    nodes: Option<Arc<Nodes>>,
    tables: RwLock<HashMap<String, Kept>>,
    /// Held from when it is found that one more table may be opened until it is there.
    opening: Mutex<()>,
    limits: Limits,
}

impl Rooms {
    /// The tables that were there when the house was closed, or when its power was cut. They are asleep, but for those whose
    /// clock waits for nobody. `lobby` is told of all.
    ///
    /// # Errors
    /// If they cannot be read. One that nothing is to be seen of is left out and logged; its data stays.
    pub fn open(
        store: Arc<Store>,
        lobby: Arc<Lobby>,
        env: Env<Match>,
        nodes: Option<Arc<Nodes>>,
        settings: &Settings,
    ) -> Result<Rooms, StoreError> {
        let limits = Limits {
            awake: settings.max_tables,
            kept: settings.max_kept_tables,
            of_guest: settings.max_tables_per_guest,
            of_address: settings.max_tables_per_address,
            sleep_after: settings.sleep_after_seconds,
            close_after: settings.idle_table_hours.saturating_mul(3600),
            end_after: Some(settings.abandoned_match_days)
                .filter(|days| *days > 0)
                .map(|days| days.saturating_mul(24 * 3600)),
        };
        let now = env.host.today();
        let names = store.names_at_tables()?;
        let mut tables = HashMap::new();
        store.each_table(|kept| match seen(&kept, |guest| names.get(guest).cloned()) {
            Ok((mut about, mut glance, family)) => {
                if about.opened == 0 {
                    about.opened = tables.len() as u64;
                }
                if glance.left == 0 {
                    glance.left = now;
                }
                lobby.changed(&kept.id);
                let (about, place) = (Arc::new(about), Place::asleep(glance));
                tables.insert(kept.id, Kept { about, family, from: None, place, tried: None });
            }
            Err(error) => {
                tracing::error!(
                    table = kept.id,
                    error,
                    "a table could not be opened again; its data is kept"
                );
            }
        })?;
        if !tables.is_empty() {
            tracing::info!(tables = tables.len(), "the tables are there again");
        }
        let rooms = Rooms {
            store,
            env,
            lobby,
            nodes,
            tables: RwLock::new(tables),
            opening: Mutex::default(),
            limits,
        };
        if rooms.nodes.is_none() {
            rooms.wake_trials(|_| true);
        }
        Ok(rooms)
    }

    /// Wakes games of the day, whose clock waits for nobody.
    fn wake_trials(&self, which: impl Fn(&str) -> bool) {
        let on = |kept: &Kept| {
            let glance = kept.glance();
            glance.trial && glance.stage == Stage::Playing
        };
        for id in self.ids(on).into_iter().filter(|id| which(id)) {
            if let Err(refused) = self.wake(&id) {
                tracing::error!(table = id, why = %refused.text, "a game of the day does not go on");
            }
        }
    }

    /// Whether this server may write about a table. If it is not on its own, another node does as a rule.
    fn hosts(&self, id: &str) -> bool {
        self.nodes.as_ref().is_none_or(|nodes| nodes.hosts(id))
    }

    /// What this node writes about a table with, if it is not on its own.
    fn right(&self, id: &str) -> Option<Hosting> {
        self.nodes.as_ref()?.hosting(id)
    }

    /// Whether it has had that right since without a break.
    fn has_still(&self, id: &str, right: Option<&Hosting>) -> bool {
        self.nodes.is_none() || right.zip(self.right(id)).is_some_and(|(then, now)| then.is(&now))
    }

    /// From now on this node hosts the tables of a partition.
    pub fn gained(&self, partition: Partition) {
        self.wake_trials(|id| Partition::of(id) == partition);
    }

    /// This node is about to host the tables of a partition no more: all who are there come again, and are led to the next.
    pub fn lost(&self, partition: Partition) {
        for (id, table) in self.awake().into_iter().filter(|(id, _)| Partition::of(id) == partition) {
            self.give_away(&id, &table);
        }
    }

    fn give_away(&self, id: &str, table: &Table<Match>) {
        table.shut(&moves().into());
        if let Some(kept) = self.write().get_mut(id) {
            kept.place = Place::asleep(table.glance());
        }
    }

    /// Looks at a table that another node has written about, unless it is in memory here.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn look_at(&self, id: &str) -> Result<(), StoreError> {
        if self.look(id).is_some_and(|kept| kept.is_awake()) {
            Ok(())
        } else {
            self.look_anew(vec![id.to_owned()])
        }
    }

    /// The same for all tables.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn look_at_all(&self) -> Result<(), StoreError> {
        let mut missing = Vec::new();
        self.store.each_table(|kept| {
            if !self.has(&kept.id) {
                missing.push(kept.id);
            }
        })?;
        self.look_anew(missing)
    }

    /// The partitions that this node hosts of the tables that name a guest.
    ///
    /// # Errors
    /// If it cannot be read where they are.
    pub fn hosted_of(&self, guest: &str) -> Result<Vec<Partition>, StoreError> {
        let played = self.store.matches_of(guest, u32::MAX)?.into_iter().map(|played| played.table);
        let tables = self.store.tables_of(guest)?.into_iter().chain(played);
        let mut all: Vec<Partition> =
            tables.filter(|id| self.hosts(id)).map(|id| Partition::of(&id)).collect();
        all.sort_unstable();
        all.dedup();
        Ok(all)
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<String, Kept>> {
        self.tables.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<String, Kept>> {
        self.tables.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn ids(&self, which: impl Fn(&Kept) -> bool) -> Vec<String> {
        self.read().iter().filter(|(_, kept)| which(kept)).map(|(id, _)| id.clone()).collect()
    }

    /// The time, in seconds since 1970.
    fn now(&self) -> u64 {
        self.env.host.today()
    }

    /// What a table works with.
    ///
    /// # Errors
    /// If another node hosts it.
    pub fn env(&self, id: &str) -> Result<Env<Match>, Refused> {
        match &self.nodes {
            None => Ok(self.env.clone()),
            Some(nodes) => nodes.env(id, &self.env, &self.lobby),
        }
    }

    /// How many tables are awake, and how many asleep.
    pub fn counts(&self) -> (usize, usize) {
        let tables = self.read();
        let awake = tables.values().filter(|kept| kept.is_awake()).count();
        (awake, tables.len() - awake)
    }

    /// A table as it is now, which does not wake it.
    pub fn look(&self, id: &str) -> Option<Kept> {
        self.read().get(id).cloned()
    }

    /// Whether there is such a table.
    pub fn has(&self, id: &str) -> bool {
        self.read().contains_key(id)
    }

    /// A table, if it is awake.
    pub fn awake_one(&self, id: &str) -> Option<Table<Match>> {
        match self.read().get(id)?.place {
            Place::Awake(ref table) => Some(table.clone()),
            Place::Asleep(_) => None,
        }
    }

    /// The tables that are awake. None of them falls asleep as long as somebody has hold of it here.
    pub fn awake(&self) -> Vec<(String, Table<Match>)> {
        let tables = self.read();
        let awake = tables.iter().filter_map(|(id, kept)| match &kept.place {
            Place::Awake(table) => Some((id.clone(), table.clone())),
            Place::Asleep(_) => None,
        });
        awake.collect()
    }

    /// The table with this id for somebody who comes to it; if it sleeps it is woken. Blocks.
    ///
    /// # Errors
    /// If it cannot be woken, or all tables of the house are taken.
    pub fn visit(&self, id: &str) -> Result<Option<Table<Match>>, Refused> {
        if self.look(id).is_some_and(|kept| !kept.is_awake()) {
            self.make_room()?;
        }
        self.wake(id)
    }

    fn wake(&self, id: &str) -> Result<Option<Table<Match>>, Refused> {
        loop {
            let asleep = match self.read().get(id).map(|kept| kept.place.clone()) {
                None => return Ok(None),
                Some(Place::Awake(table)) => return Ok(Some(table)),
                Some(Place::Asleep(asleep)) => asleep,
            };
            // Whoever comes at the same time finds it awake.
            let _waking = lock(&asleep.waking);
            if !self.read().get(id).is_some_and(|kept| kept.place.is(&asleep)) {
                continue;
            }
            let right = self.right(id);
            let env = self.env(id)?;
            let table = self.restore(id, env).map_err(|why| {
                tracing::error!(table = id, why, "a table could not be woken; its data is kept");
                Refused::new(StatusCode::INTERNAL_SERVER_ERROR, say!("no_server.table_broken"))
            })?;
            if let Some(kept) = self.write().get_mut(id) {
                kept.place = Place::Awake(table.clone());
            }
            // Whoever looked meanwhile saw it asleep, with the names of that time.
            self.lobby.changed(id);
            if !self.has_still(id, right.as_ref()) {
                // It was given away while it was woken, and perhaps came back since.
                self.give_away(id, &table);
                return Err(Refused::moves());
            }
            return Ok(Some(table));
        }
    }

    /// A table from the disk, whose people are called what they are called now.
    fn restore(&self, id: &str, env: Env<Match>) -> Result<Table<Match>, String> {
        let kept = self.store.table(id).map_err(|why| why.to_string())?;
        let kept = kept.ok_or_else(|| "the disk has no such table".to_owned())?;
        let table = Table::restore(&kept.saved, env).map_err(|why| why.to_string())?;
        for guest in table.named() {
            match self.store.guest(&guest).map_err(|why| why.to_string())? {
                Some(known) => table.rename(&Person { id: guest, name: known.name }),
                // Here it is not known yet who they are: that is in another part of the log.
                None if self.nodes.is_some()
                    && !self.store.is_gone(&guest).map_err(|why| why.to_string())? => {}
                // They were forgotten, or are just now.
                None => drop(table.forget(&guest)),
            }
        }
        table.revise_names(|name| shown(name).into_owned());
        Ok(table)
    }

    /// Puts a table to sleep, if nothing is lost by that. Whether it sleeps now.
    fn put_to_sleep(&self, id: &str) -> Result<bool, StoreError> {
        let on_disk = self.store.table(id)?.map(|kept| kept.saved).unwrap_or_default();
        let mut tables = self.write();
        // Nobody else can get hold of it as long as the tables are locked.
        let Some(Kept { place, .. }) = tables.get_mut(id) else { return Ok(false) };
        let Place::Awake(table) = place else { return Ok(false) };
        if !table.may_sleep(&on_disk) {
            return Ok(false);
        }
        let asleep = Place::asleep(table.glance());
        let table = std::mem::replace(place, asleep);
        drop(tables);
        drop(table);
        Ok(true)
    }

    /// Sees to it that one more table can be awake: where all are, the one that nobody has been at for longest falls asleep.
    fn make_room(&self) -> Result<(), Refused> {
        if self.counts().0 < self.limits.awake {
            return Ok(());
        }
        let now = self.now() + 1;
        let mut left: Vec<(u64, String)> = {
            let tables = self.read();
            let awake = tables.iter().filter(|(_, kept)| kept.is_awake());
            awake.map(|(id, kept)| (kept.left_for(now), id.clone())).filter(|(left, _)| *left > 0).collect()
        };
        left.sort_unstable_by(|one, other| other.cmp(one));
        for (_, id) in left {
            if self.put_to_sleep(&id)? {
                return Ok(());
            }
        }
        Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, say!("no_server.house_full")))
    }

    /// Lets `guest`, who asks from an address, open one more table, which is then taken in by [`Rooms::add`]. One of their own
    /// where nothing is played and nobody else sits makes room for it; those of others never do. Blocks.
    ///
    /// # Errors
    /// If they have too many, or the house is full: in a sentence.
    pub fn make_room_for(&self, guest: &str, from: ClientAddress) -> Result<Opening<'_>, Refused> {
        let opening = Opening(lock(&self.opening));
        let alone = |glance: &Glance| {
            let others = |who: &Who| matches!(who, Who::Person(person) if person.id != guest);
            glance.left > 0 && is_unplayed(glance) && !glance.seats.iter().flatten().any(others)
        };
        let mut own = Vec::new();
        let mut of_address = 0;
        let all = {
            let tables = self.read();
            for (id, kept) in tables.iter() {
                let (mine, near) = (kept.about.host == guest, kept.from == Some(from));
                if (mine || near) && kept.glance().stage != Stage::Over {
                    of_address += usize::from(near);
                    if mine {
                        own.push((kept.about.opened, id.clone()));
                    }
                }
            }
            tables.len()
        };
        let limits = self.limits;
        let mut given_up = 0;
        if own.len() >= limits.of_guest {
            own.sort_unstable();
            for (_, id) in own.iter().filter(|(_, id)| self.hosts(id)) {
                if self.close_if(id, |kept| alone(&kept.glance()))? {
                    given_up = 1;
                    break;
                }
            }
            if given_up == 0 {
                return Err(Refused::too_much(say!("no_server.tables_of_guest", n = own.len())));
            }
        }
        if of_address.saturating_sub(given_up) >= limits.of_address {
            return Err(Refused::too_much(say!("no_server.tables_of_address", n = of_address)));
        }
        if all.saturating_sub(given_up) >= limits.kept {
            tracing::warn!(tables = all, "the house keeps as many tables as it may, and opens no more");
            return Err(Refused::new(StatusCode::SERVICE_UNAVAILABLE, say!("no_server.tables_kept")));
        }
        self.make_room().map(|()| opening)
    }

    /// Takes in a new table, for which room was made.
    pub fn add(
        &self,
        _opening: Opening<'_>,
        id: &str,
        table: Table<Match>,
        about: About,
        from: ClientAddress,
    ) {
        let (about, family) = (Arc::new(about), Some(table.rules().family()));
        let kept = Kept { about, family, from: Some(from), place: Place::Awake(table), tried: None };
        self.write().insert(id.to_owned(), kept);
        self.lobby.changed(id);
    }

    /// Keeps something else about a table.
    ///
    /// # Errors
    /// If that cannot be written.
    pub fn revise(&self, id: &str, about: About) -> Result<(), StoreError> {
        let made = self.store.table(id)?.and_then(|kept| Made::read(&kept.about));
        // Plain data always is text.
        self.store.put_about(id, &about.written(made.as_ref()).unwrap_or_default())?;
        if let Some(kept) = self.write().get_mut(id) {
            kept.about = Arc::new(about);
        }
        Ok(())
    }

    /// Closes a table for good; the matches that were played there are kept.
    ///
    /// # Errors
    /// If that cannot be written; then it is there again when the server starts next.
    pub fn close(&self, id: &str) -> Result<(), StoreError> {
        self.close_if(id, |_| true).map(|_| ())
    }

    /// The same if `may` holds of it as it is now. Whether it does.
    fn close_if(&self, id: &str, may: impl Fn(&Kept) -> bool) -> Result<bool, StoreError> {
        let closed = loop {
            let asleep = match self.look(id).map(|kept| kept.place) {
                Some(Place::Asleep(asleep)) => Some(asleep),
                _ => None,
            };
            // Whoever wakes it has done so before, or does not find it any more.
            let _waking = asleep.as_ref().map(|asleep| lock(&asleep.waking));
            let mut tables = self.write();
            match tables.get(id) {
                Some(Kept { place: Place::Asleep(now), .. })
                    if !asleep.as_ref().is_some_and(|before| Arc::ptr_eq(before, now)) => {}
                Some(kept) if may(kept) => break tables.remove(id),
                _ => return Ok(false),
            }
        };
        self.lobby.changed(id);
        if let Some(Kept { place: Place::Awake(table), .. }) = closed {
            table.close();
        }
        self.store.drop_table(id)?;
        Ok(true)
    }

    /// What somebody else is called who sits at a table with this person, and whom people would take for them.
    ///
    /// # Errors
    /// If it cannot be read where they sit.
    pub fn namesake(&self, person: &Person) -> Result<Option<String>, StoreError> {
        let awake = self.awake().into_iter().filter(|(_, table)| table.seat_of(&person.id).is_some());
        if let Some(other) = awake.into_iter().find_map(|(_, table)| table.namesake(person)) {
            return Ok(Some(other));
        }
        let asleep = self.store.tables_of(&person.id)?.into_iter().filter_map(|id| self.look(&id));
        Ok(asleep.filter(|kept| !kept.is_awake()).find_map(|kept| {
            let seats = kept.glance().seats;
            let sits = seats.iter().flatten().any(|who| is_person(who, &person.id));
            seats.into_iter().flatten().filter(|_| sits).find_map(|who| match who {
                Who::Person(other)
                    if other.id != person.id && (self.env.alike)(&other.name, &person.name) =>
                {
                    Some(other.name)
                }
                _ => None,
            })
        }))
    }

    /// A guest has another name from now on, under which the store knows them already: that is what tables that wake later
    /// read, so that none is woken for this.
    ///
    /// # Errors
    /// If it cannot be read where they sit.
    pub fn rename(&self, person: &Person) -> Result<(), StoreError> {
        for (_, table) in self.awake() {
            table.rename(person);
        }
        for id in self.store.tables_of(&person.id)? {
            let asleep = match self.look(&id).map(|kept| kept.place) {
                Some(Place::Asleep(asleep)) => Some(asleep),
                _ => None,
            };
            // Whoever is about to wake it may have read the older name.
            let _waking = asleep.as_ref().map(|asleep| lock(&asleep.waking));
            match self.look(&id).map(|kept| kept.place) {
                Some(Place::Awake(table)) => table.rename(person),
                Some(Place::Asleep(asleep)) => {
                    for who in lock(&asleep.glance).seats.iter_mut().flatten() {
                        if let Who::Person(known) = who
                            && known.id == person.id
                        {
                            known.name.clone_from(&person.name);
                        }
                    }
                    self.lobby.changed(&id);
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Wakes the tables that name a guest, as far as that can be done, and keeps hold of them, so that they stay awake. Blocks.
    ///
    /// # Errors
    /// If it cannot be read where they are.
    pub fn wake_those_of(&self, guest: &str) -> Result<Vec<Table<Match>>, StoreError> {
        let ids = self.store.tables_of(guest)?;
        Ok(ids.iter().filter_map(|id| self.wake(id).ok().flatten()).collect())
    }

    /// Takes a guest from all tables that are awake. Gives those that they kept.
    pub fn forget(&self, guest: &str) -> Vec<Left> {
        let left = self.awake().into_iter().filter_map(|(id, table)| {
            table.forget(guest);
            let about = self.look(&id)?.about;
            (about.host == guest).then(|| Left { id, about, host: table.host() })
        });
        left.collect()
    }

    /// Looks anew at tables that could not be woken to take a guest from them, once the store has done that.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn look_anew(&self, ids: Vec<String>) -> Result<(), StoreError> {
        for id in ids {
            let kept = self.store.table(&id)?;
            let names = |guest: &str| Some(self.store.guest(guest).ok()??.name);
            let seen = kept.map(|kept| seen(&kept, names)).transpose();
            let mut tables = self.write();
            match seen {
                Ok(Some((about, glance, family))) => match tables.get_mut(&id) {
                    Some(kept) if kept.is_awake() => {}
                    Some(kept) => (kept.about, kept.place) = (Arc::new(about), Place::asleep(glance)),
                    None => {
                        let (about, place) = (Arc::new(about), Place::asleep(glance));
                        let kept = Kept { about, family, from: None, place, tried: None };
                        tables.insert(id.clone(), kept);
                    }
                },
                // It was closed, or nothing is to be seen of it any more.
                Ok(None) | Err(_) => drop(tables.remove(&id)),
            }
            drop(tables);
            self.lobby.changed(&id);
        }
        Ok(())
    }

    /// The tables that name a guest and are asleep.
    ///
    /// # Errors
    /// If it cannot be read where they are.
    pub fn asleep_of(&self, guest: &str) -> Result<Vec<String>, StoreError> {
        let ids = self.store.tables_of(guest)?.into_iter();
        Ok(ids.filter(|id| self.look(id).is_some_and(|kept| !kept.is_awake())).collect())
    }

    /// Puts to sleep, closes and ends what nobody has come to for long enough. Blocks.
    pub fn sweep(&self) {
        let (now, limits) = (self.now(), self.limits);
        let idle = |kept: &Kept| kept.left_for(now) > limits.close_after && is_unplayed(&kept.glance());
        for id in self.ids(idle).into_iter().filter(|id| self.hosts(id)) {
            if let Err(error) = self.close_if(&id, idle) {
                tracing::warn!(table = id, %error, "a table could not be closed");
            }
        }
        if let Some(end_after) = limits.end_after {
            let due = |tried: Option<u64>| tried.is_none_or(|at| now.saturating_sub(at) >= TRIED_AGAIN);
            let abandoned = |kept: &Kept| {
                due(kept.tried) && kept.left_for(now) > end_after && !is_unplayed(&kept.glance())
            };
            let abandoned = self.ids(abandoned).into_iter().filter(|id| self.hosts(id));
            for id in abandoned.take(ENDED_AT_ONCE) {
                self.end(&id);
            }
        }
        for id in self.ids(|kept| kept.is_awake() && kept.left_for(now) >= limits.sleep_after.max(1)) {
            if let Err(error) = self.put_to_sleep(&id) {
                return tracing::warn!(%error, "tables cannot be put to sleep");
            }
        }
    }

    /// Ends a match that nobody has come back to.
    fn end(&self, id: &str) {
        match self.wake(id) {
            Ok(Some(table)) if table.abandon() => {
                tracing::info!(table = id, "ended a match that nobody has come back to");
            }
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => {
                if let Some(kept) = self.write().get_mut(id) {
                    kept.tried = Some(self.now());
                }
            }
        }
    }
}
