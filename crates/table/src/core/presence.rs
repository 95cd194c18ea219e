//! Who is here: sockets, the viewers they are, and what the rules hear of coming and going.

use super::*;

type Outlets = Vec<Arc<dyn Outlet>>;

impl<G: Playable> Core<G> {
    pub(super) fn socket(&mut self, asker: Asker) -> Option<&mut Socket> {
        self.sockets.get_mut(asker.place as usize)?.as_mut().filter(|s| s.age == asker.age)
    }

    pub(super) fn send(&mut self, to: Asker, body: &[u8]) {
        if let Some(socket) = self.socket(to) {
            socket.send(body);
        }
    }

    pub(super) fn all(&self, body: &[u8]) {
        for socket in self.sockets.iter().flatten().filter(|s| s.greeted) {
            socket.send(body);
        }
    }

    pub(crate) fn connect(&mut self, person: Option<Person>, outlet: Arc<dyn Outlet>) -> Asker {
        let parted =
            if self.closed { Some((closed(), false)) } else { self.shut.clone().map(|why| (why, true)) };
        if let Some((why, retry)) = parted {
            outlet.send(&frame(&parting(why, retry)));
            outlet.flush();
            outlet.close();
            return Asker::NOBODY;
        }
        if let Some(person) = &person {
            self.make_room(person);
        }
        let viewer = self.viewer_of(person.as_ref());
        if std::mem::take(&mut self.left) > 0 {
            self.unsaved = true;
        }
        self.age = self.age.wrapping_add(1);
        let age = self.age;
        let socket = Socket {
            age,
            outlet,
            person,
            client: 0,
            hello: false,
            greeted: false,
            viewer,
            from: 0,
            ping: None,
            pings: 0,
            next_ping: u64::MAX,
            trips: VecDeque::new(),
            said: 0,
            viewed: 0,
            resynced: 0,
            view_due: None,
            sent: Cell::new(false),
        };
        let place = self.sockets.iter().position(Option::is_none).unwrap_or_else(|| {
            self.sockets.push(None);
            self.sockets.len() - 1
        });
        self.sockets[place] = Some(socket);
        Asker { place: place as u32, age }
    }

    /// Closes the oldest socket of somebody who has many.
    fn make_room(&mut self, person: &Person) {
        let own = self.sockets.iter().enumerate().filter_map(|(place, socket)| {
            let socket = socket.as_ref().filter(|s| s.person.as_ref().is_some_and(|p| p.id == person.id))?;
            Some((self.age.wrapping_sub(socket.age), Asker { place: place as u32, age: socket.age }))
        });
        let own: Vec<_> = own.collect();
        if own.len() >= MOST_OF_ONE
            && let Some((_, oldest)) = own.into_iter().max_by_key(|(ago, _)| *ago)
        {
            self.part(oldest, say!("no_table.elsewhere").into(), false);
        }
    }

    pub(crate) fn disconnect(&mut self, asker: Asker) {
        if let Some(socket) = self.socket(asker) {
            // Who said nothing was nobody yet.
            let (viewer, known) = (socket.viewer, socket.hello);
            self.sockets[asker.place as usize] = None;
            if self.sockets.iter().all(Option::is_none) {
                self.sockets = Vec::new();
                self.left = self.env.host.today();
                self.unsaved = true;
                if self.stage == Stage::Over && !self.troubled() {
                    self.let_go();
                }
            }
            if known {
                self.presence_changed(viewer);
            }
        }
    }

    /// The outlets that were sent something and are to be flushed: those of who plays, and those of who watches.
    pub(crate) fn take_sent(&self) -> (Outlets, Outlets) {
        let of = |watches: bool| {
            let sent = self.sockets.iter().flatten();
            let sent = sent.filter(|s| (s.viewer == Viewer::Table) == watches && s.sent.take());
            sent.map(|s| Arc::clone(&s.outlet)).collect()
        };
        (of(false), of(true))
    }

    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    pub(super) fn viewer_of(&self, person: Option<&Person>) -> Viewer {
        person.and_then(|p| self.seat_of(&p.id)).map_or(Viewer::Table, Viewer::Seat)
    }

    pub(crate) fn seat_of(&self, person: &str) -> Option<Seat> {
        let has = |chair: &Chair| chair.person().is_some_and(|p| p.id == person);
        self.chairs.iter().position(has).map(|place| Seat(place as u8))
    }

    /// Ids of all whom what is kept of the table names, each once: those who sit there, the host, and who was removed.
    pub(crate) fn named(&self) -> Vec<String> {
        let seated = self.chairs.iter().filter_map(Chair::person);
        let left = self.chairs.iter().filter_map(|chair| chair.left.as_ref());
        let others = left.chain(&self.removed).chain([&self.settings.host]);
        let all = seated.chain(others).map(|person| &person.id);
        all.filter(|id| !id.is_empty()).collect::<BTreeSet<_>>().into_iter().cloned().collect()
    }

    /// Whether this person is here, or anything at the table names them.
    pub(crate) fn knows(&self, person: &str) -> bool {
        let here = self.sockets.iter().flatten().filter_map(|s| s.person.as_ref());
        here.into_iter().any(|known| known.id == person) || self.named().iter().any(|id| id == person)
    }

    /// Who keeps the table; nobody where they were forgotten and left nobody behind.
    pub(crate) fn host(&self) -> Option<Person> {
        Some(&self.settings.host).filter(|host| !host.id.is_empty()).cloned()
    }

    pub(crate) fn is_host(&self, person: &str) -> bool {
        self.settings.host.id == person
    }

    pub(crate) fn rename(&mut self, person: &Person) {
        // Whoever is here and sits down later does so under the new name.
        for known in self.sockets.iter_mut().flatten().filter_map(|s| s.person.as_mut()) {
            if known.id == person.id {
                known.name.clone_from(&person.name);
            }
        }
        self.revise(|known| if known.id == person.id { person.name.clone() } else { known.name.clone() });
    }

    /// Puts each name here, the host's too, in the form that `revise` gives it.
    pub(crate) fn revise_names(&mut self, revise: impl Fn(&str) -> String) {
        self.revise(|known| revise(&known.name));
    }

    fn revise(&mut self, name: impl Fn(&Person) -> String) {
        let seated = self.chairs.iter_mut().filter_map(|chair| match &mut chair.who {
            Some(Who::Person(person)) => Some(person),
            _ => chair.left.as_mut(),
        });
        for person in seated.chain(&mut self.removed).chain([&mut self.settings.host]) {
            let name = name(person);
            if name != person.name {
                person.name = name;
                (self.changed, self.unsaved) = (true, true);
            }
        }
    }

    pub(crate) fn rules(&self) -> Arc<G::Rules> {
        Arc::clone(&self.settings.rules)
    }

    /// Somebody is not to be known any more: their sockets are closed, their seat is free, and if they kept the table,
    /// whoever sits first keeps it. Whether they were here at all.
    pub(crate) fn forget(&mut self, person: &str) -> bool {
        let mut was_here = false;
        for asker in self.askers(|s| s.person.as_ref().is_some_and(|p| p.id == person)) {
            self.part(asker, say!("no_table.forgotten").into(), false);
        }
        if let Some(seat) = self.seat_of(person) {
            was_here = true;
            if self.stage == Stage::Playing && self.troubled() {
                // Nothing can be judged now: a bot plays on when it can.
                let kind = self.settings.sit_in.clone();
                self.chairs[seat.index()] =
                    Chair { who: Some(Who::Bot(kind)), ready: true, ..Chair::default() };
                self.reseat();
            } else {
                self.leave(seat, Cause::Seat { seat, command: 0, client: 0, bot: false });
            }
        }
        for chair in &mut self.chairs {
            was_here |= chair.left.take_if(|left| left.id == person).is_some();
        }
        let before = self.removed.len();
        self.removed.retain(|removed| removed.id != person);
        was_here |= self.removed.len() < before;
        if self.is_host(person) {
            was_here = true;
            let heir = self.chairs.iter().find_map(Chair::person).cloned();
            self.settings.host = heir.unwrap_or_else(|| Person { id: String::new(), name: String::new() });
            // Whoever keeps it now hears of that.
            let host = self.settings.host.id.clone();
            for asker in self.askers(|s| s.hello && s.person.as_ref().is_some_and(|p| p.id == host)) {
                self.greet(asker, None);
            }
        }
        self.changed |= was_here;
        self.unsaved |= was_here;
        was_here
    }

    pub(crate) fn playing(&self) -> Option<MatchId> {
        self.playing
    }

    /// Whether a socket of the person in this seat is open.
    pub(super) fn connected(&self, seat: Seat) -> bool {
        self.sockets.iter().flatten().any(|s| s.hello && s.viewer.is(seat))
    }

    /// Whether somebody is there for whom time goes on: a person who has a seat or, where none has, anybody.
    pub(super) fn somebody(&self) -> bool {
        let seated = self.chairs.iter().any(|c| c.person().is_some());
        self.sockets.iter().flatten().any(|s| s.hello && (!seated || s.viewer != Viewer::Table))
    }

    /// Marks since when each person has been away. It is kept with whatever is saved next: when the last one goes, at the latest.
    pub(super) fn note_who_is_gone(&mut self) {
        let now = self.env.host.today();
        for place in 0..self.chairs.len() {
            let here = self.chairs[place].person().is_none() || self.connected(Seat(place as u8));
            let gone = &mut self.chairs[place].gone;
            *gone = match *gone {
                _ if here => 0,
                0 => now,
                since => since,
            };
        }
    }

    /// Somebody with these eyes came or went.
    pub(super) fn presence_changed(&mut self, viewer: Viewer) {
        if viewer == Viewer::Table {
            self.watched = true;
        } else {
            self.changed = true;
        }
        self.note_who_is_gone();
        self.rewant();
        self.run_or_stop();
        self.tell_presence();
    }

    /// Whose notices are worth putting into frames: those who are there, and people who may come back.
    pub(super) fn rewant(&mut self) {
        self.wanted = 0;
        if let Some(play) = &self.play {
            for socket in self.sockets.iter().flatten().filter(|s| s.hello) {
                self.wanted |= 1 << play.slot(socket.viewer);
            }
            for (seat, chair) in self.chairs.iter().enumerate() {
                if chair.person().is_some() {
                    self.wanted |= 1 << seat;
                }
            }
        }
    }

    /// Tells the rules who came and went, once somebody is there for whom time goes on.
    pub(super) fn tell_presence(&mut self) {
        if self.stage != Stage::Playing || self.hold.is_some() || self.troubled() || !self.somebody() {
            return;
        }
        // In a trial only the clock counts.
        if self.settings.trial.is_some() {
            return;
        }
        for place in 0..self.chairs.len() {
            let seat = Seat(place as u8);
            let Some(play) = &mut self.play else { return };
            if play.over.is_some() || self.chairs[place].person().is_none() {
                continue;
            }
            let here = self.chairs[place].bot_plays
                || self.sockets.iter().flatten().any(|s| s.hello && s.viewer.is(seat));
            if here != play.present[place] {
                play.present[place] = here;
                let presence = if here { Presence::Back } else { Presence::Dropped };
                // Rules that know no coming and going refuse; then it is nothing to them.
                if self.judge_now(Cause::Host, Input::Presence(seat, presence), Vec::new()).is_ok() {
                    self.follow();
                }
            }
        }
    }
}
