//! What people do about the table: sit, leave, start, pause, end.

use super::*;

impl<G: Playable> Core<G> {
    pub(crate) fn state(&self) -> TableState {
        let seats = self
            .chairs
            .iter()
            .enumerate()
            .map(|(place, chair)| {
                let seat = Seat(place as u8);
                let who = chair.who.as_ref().map(|who| match who {
                    Who::Person(p) => Occupant::Person { name: p.name.clone(), bot_plays: chair.bot_plays },
                    Who::Bot(kind) => Occupant::Bot { kind: kind.clone() },
                });
                let bot = matches!(chair.who, Some(Who::Bot(_)));
                SeatState { who, ready: bot || chair.ready, connected: bot || self.connected(seat) }
            })
            .collect();
        let watching = self.sockets.iter().flatten().filter(|s| s.hello && s.viewer == Viewer::Table).count();
        TableState {
            stage: self.stage,
            game: self.game,
            seats,
            host: self.settings.host.name.clone(),
            watching: watching as u16,
            paused: self.paused(),
            at: self.at(),
            ending: self.ending,
            without_seed: match &self.play {
                Some(play) if self.stage == Stage::Over && play.without_seed.iter().any(|n| *n > 0) => {
                    play.without_seed.clone()
                }
                _ => Vec::new(),
            },
        }
    }

    /// Why the match stands still, if it does.
    pub(super) fn paused(&self) -> Option<Paused> {
        match &self.trouble {
            Some(Trouble::Storage { text, .. }) => Some(Paused::Storage { text: text.clone() }),
            Some(Trouble::Log { text }) => Some(Paused::Unreadable { text: text.clone() }),
            None if self.stage != Stage::Playing => None,
            None if self.asked => Some(Paused::Asked),
            None if self.watch.since.is_none() && !self.somebody() => Some(Paused::Nobody),
            None => None,
        }
    }

    pub(crate) fn save(&mut self) {
        self.kept = self.standing();
        let Standing { chairs, stage, game, playing, asked } = self.kept.clone();
        let saved = Saved { settings: self.settings.clone(), chairs, stage, game, playing, asked };
        let text = serde_json::to_string(&saved).expect("tables are plain data");
        let mut people = self.people();
        if !people.contains(&self.settings.host.id) {
            people.push(self.settings.host.id.clone());
        }
        self.env.shelf.save(&self.settings.id, people, text);
    }

    pub(super) fn save_played(&self) {
        if let Some(id) = self.playing {
            let seats = self.chairs.iter().map(|c| c.who.clone()).collect();
            self.env.shelf.played(Played { id, table: self.settings.id.clone(), seats });
        }
    }

    pub(crate) fn shut(&mut self, text: &str) {
        for asker in self.askers(|_| true) {
            self.part(asker, text, true);
        }
    }

    pub(super) fn asked_to(&mut self, from: Asker, act: Act) {
        if let Some(hold) = &mut self.hold {
            hold.acts.push((from, act));
            return;
        }
        let Some(socket) = self.socket(from) else { return };
        let person = socket.person.clone();
        let done = match &person {
            Some(person) => self.act(person, &act),
            None => Err("Say who you are first: you have no name yet.".to_owned()),
        };
        if let Err(text) = done {
            self.send(from, &frame(&ToClient::Declined { act, text }));
        }
    }

    pub(crate) fn act(&mut self, person: &Person, act: &Act) -> Result<(), String> {
        let host = person.id == self.settings.host.id;
        let mine = self.seat_of(&person.id);
        let no = |text: &str| Err(text.to_owned());
        let only_host = || if host { Ok(()) } else { no("Only the host of the table can do that.") };
        match (&self.trouble, act) {
            (Some(Trouble::Storage { text, .. }), _) => return Err(text.clone()),
            (Some(Trouble::Log { .. }), Act::Stand | Act::Rematch) | (None, _) => {}
            (Some(Trouble::Log { text }), _) => return Err(text.clone()),
        }
        if self.settings.trial.is_some() {
            match act {
                Act::Sit { .. } | Act::Stand | Act::Ready { .. } | Act::Start | Act::Say(_) => {}
                Act::Rematch => return no("This is one try. Begin another one where you began this."),
                Act::Pause | Act::Resume | Act::End { .. } => {
                    return no("The clock of this game goes on for everybody: give up if you want to stop.");
                }
                Act::Remove { .. } | Act::Bot { .. } | Act::Person { .. } | Act::Back => {
                    return no("This game is played by its player alone, and by no bot.");
                }
            }
        }
        match act {
            Act::Sit { seat } => self.sit(person, *seat)?,
            Act::Stand => {
                let Some(seat) = mine else { return no("You have no seat.") };
                self.leave(seat, Cause::Seat { seat, command: 0, client: 0, bot: false });
            }
            Act::Ready { ready } => {
                let Some(seat) = mine else { return no("You have no seat.") };
                if self.stage == Stage::Playing {
                    return no("The match is on already.");
                }
                self.chairs[seat.index()].ready = *ready;
            }
            Act::Start => {
                only_host()?;
                self.start()?;
            }
            Act::Rematch => {
                if self.stage != Stage::Over {
                    return no("A match must have ended before there is another one.");
                }
                if mine.is_none() && !host {
                    return no("Only those who have a seat can ask for another match.");
                }
                self.lobby();
            }
            Act::Pause | Act::Resume => {
                only_host()?;
                if self.stage != Stage::Playing {
                    return no("No match is being played.");
                }
                self.asked = *act == Act::Pause;
                self.run_or_stop();
            }
            Act::Remove { seat } => {
                only_host()?;
                match self.chairs.get(seat.index()).map(|c| &c.who) {
                    None => return no("There is no such seat."),
                    Some(None) => return no("Nobody sits there."),
                    Some(Some(_)) => self.leave(*seat, Cause::Keeper),
                }
            }
            Act::Bot { seat, kind } => {
                only_host()?;
                self.give_to_bot(*seat, kind)?;
            }
            Act::Person { seat } => {
                only_host()?;
                match self.chairs.get(seat.index()) {
                    Some(Chair { who: Some(Who::Bot(_)), .. }) => self.leave(*seat, Cause::Keeper),
                    Some(chair) if chair.bot_plays => self.take_back(*seat),
                    _ => return no("No bot plays there."),
                }
            }
            Act::Back => match mine {
                Some(seat) if self.chairs[seat.index()].bot_plays => self.take_back(seat),
                _ => return no("No bot plays for you."),
            },
            Act::End { agree } => {
                let Some(seat) = mine else { return no("You have no seat.") };
                if self.stage != Stage::Playing {
                    return no("No match is being played.");
                }
                self.ending = if *agree { self.ending.with(seat) } else { self.ending.without(seat) };
                self.end_if_agreed();
            }
            Act::Say(phrase) => {
                let Some(seat) = mine else { return no("You have no seat.") };
                let body = frame(&ToClient::Said { seat, phrase: *phrase });
                self.all(&body);
            }
        }
        self.changed = true;
        self.unsaved = true;
        Ok(())
    }

    /// Everybody's place may have changed: those whose did are told who they are now.
    pub(super) fn reseat(&mut self) {
        let mut moved = Vec::new();
        for place in 0..self.sockets.len() {
            let Some(socket) = &self.sockets[place] else { continue };
            let viewer = self.viewer_of(socket.person.as_ref());
            let age = socket.age;
            if viewer != socket.viewer {
                if let Some(socket) = &mut self.sockets[place] {
                    socket.viewer = viewer;
                }
                moved.push(Asker { place: place as u32, age });
            }
        }
        self.rewant();
        for asker in moved {
            self.greet(asker, None);
        }
    }

    pub(super) fn greet_all(&mut self) {
        self.rewant();
        for asker in self.askers(|s| s.hello) {
            self.greet(asker, None);
        }
    }

    pub(super) fn sit(&mut self, person: &Person, seat: Seat) -> Result<(), String> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Err("There is no such seat.".to_owned());
        };
        if chair.who.is_some() {
            return Err("That seat is taken.".to_owned());
        }
        if let Some(other) = self.namesake(person) {
            return Err(format!(
                "{other} sits here already: take another name first, so that the two of you can be told apart."
            ));
        }
        if let Some(old) = self.seat_of(&person.id) {
            if self.stage == Stage::Playing {
                return Err("You have a seat already.".to_owned());
            }
            self.chairs[old.index()] = Chair::default();
        }
        let taken = Chair { who: Some(Who::Person(person.clone())), ready: false, bot_plays: false };
        if self.stage == Stage::Playing {
            let who = sitter(&taken);
            self.judge_now(
                Cause::Host,
                Input::Presence(seat, Presence::Joined),
                vec![Note::Sits { seat, who }],
            )
            .map_err(|refusal| refusal.to_string())?;
        }
        self.chairs[seat.index()] = taken;
        if self.stage == Stage::Playing {
            self.save_played();
        }
        self.reseat();
        self.run_or_stop();
        self.follow();
        Ok(())
    }

    /// The name of somebody else who sits here and could be taken for this person.
    pub(crate) fn namesake(&self, person: &Person) -> Option<String> {
        let others = self.chairs.iter().filter_map(Chair::person).filter(|other| other.id != person.id);
        others.map(|other| &other.name).find(|name| (self.env.alike)(name, &person.name)).cloned()
    }

    /// Whoever has this seat is gone for good.
    pub(super) fn leave(&mut self, seat: Seat, cause: Cause) {
        self.chairs[seat.index()] = Chair::default();
        self.bots[seat.index()] = None;
        self.ending = self.ending.without(seat);
        if let Some(play) = &mut self.play {
            play.seeds.forget(seat.index());
        }
        if self.stage == Stage::Playing {
            let who = Sitter { name: String::new(), kind: SitterKind::Empty };
            let left = Input::Presence(seat, Presence::Left);
            if self.judge_now(cause.clone(), left, vec![Note::Sits { seat, who }]).is_ok() {
                self.follow();
            } else if self.play.as_ref().is_some_and(|p| p.over.is_none()) {
                // Rules that know no leaving: somebody must play on.
                let kind = self.settings.sit_in.clone();
                if let Some(bot) = self.make_bot(&kind) {
                    let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
                    self.chairs[seat.index()].who = Some(Who::Bot(kind));
                    self.bots[seat.index()] = Some(bot);
                    self.note(cause, vec![Note::Sits { seat, who }], Vec::new());
                }
            }
        }
        self.reseat();
        self.run_or_stop();
        self.end_if_agreed();
    }

    pub(super) fn give_to_bot(&mut self, seat: Seat, kind: &str) -> Result<(), String> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Err("There is no such seat.".to_owned());
        };
        let Some(bot) = self.make_bot(kind) else {
            return Err(format!("There is no bot `{kind}` for this game."));
        };
        let playing = self.stage == Stage::Playing;
        match &chair.who {
            Some(Who::Person(_)) if playing => {
                if chair.bot_plays {
                    return Err("A bot plays there already.".to_owned());
                }
                self.sit_in(seat, Cause::Keeper);
            }
            Some(Who::Person(_)) => return Err("Somebody sits there: remove them first.".to_owned()),
            Some(Who::Bot(_)) | None => {
                let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
                let sits = vec![Note::Sits { seat, who }];
                if playing && chair.who.is_none() {
                    self.judge_now(Cause::Keeper, Input::Presence(seat, Presence::Joined), sits)
                        .map_err(|refusal| refusal.to_string())?;
                } else if playing {
                    self.note(Cause::Keeper, sits, Vec::new());
                }
                self.chairs[seat.index()] =
                    Chair { who: Some(Who::Bot(kind.to_owned())), ready: true, bot_plays: false };
                self.bots[seat.index()] = playing.then_some(bot);
                self.follow();
            }
        }
        Ok(())
    }

    pub(super) fn end_if_agreed(&mut self) {
        if self.stage != Stage::Playing || self.ending.is_empty() || self.hold.is_some() {
            return;
        }
        let agreed = (0..self.chairs.len()).map(|i| Seat(i as u8)).all(|seat| {
            self.chairs[seat.index()].person().is_none() || !self.connected(seat) || self.ending.has(seat)
        });
        if agreed && self.play.as_ref().is_some_and(|p| p.over.is_none()) {
            self.note(Cause::Keeper, vec![Note::Ended], Vec::new());
            self.finish();
        }
    }

    /// Back to where people gather, with the same people.
    pub(super) fn lobby(&mut self) {
        self.stage = Stage::Lobby;
        self.trouble = None;
        self.play = None;
        self.playing = None;
        self.asked = false;
        self.recent.clear();
        self.refused.clear();
        self.waiting.clear();
        self.chairs.resize(usize::from(self.settings.seats), Chair::default());
        self.bots = (0..self.chairs.len()).map(|_| None).collect();
        self.watch = Watch { base: Millis(0), since: None };
        self.greet_all();
    }

    pub(super) fn start(&mut self) -> Result<(), String> {
        if self.stage != Stage::Lobby {
            return Err("There is a match at this table already.".to_owned());
        }
        if self.chairs.iter().all(|c| c.who.is_none()) {
            return Err("Nobody sits at the table.".to_owned());
        }
        let unready = self.chairs.iter().filter_map(Chair::person);
        let unready = unready.filter(|p| p.id != self.settings.host.id);
        let unready: Vec<_> = unready
            .filter(|p| self.chairs.iter().any(|c| c.person() == Some(p) && !c.ready))
            .map(|p| p.name.as_str())
            .collect();
        if !unready.is_empty() {
            return Err(format!("Not ready yet: {}.", unready.join(", ")));
        }
        let chairs: Vec<Chair> = if self.settings.join_late {
            self.chairs.clone()
        } else {
            self.chairs.iter().filter(|c| c.who.is_some()).cloned().collect()
        };
        let seats = chairs.len() as u8;
        let truth =
            G::open(Arc::clone(&self.settings.rules), seats).map_err(|refusal| refusal.to_string())?;
        let mut number = [0; 8];
        number.copy_from_slice(&self.env.host.random()[..8]);
        let id = MatchId::new(u64::from_le_bytes(number));
        self.chairs = chairs;
        self.bots = (0..self.chairs.len()).map(|_| None).collect();
        self.game += 1;
        self.playing = Some(id);
        self.stage = Stage::Playing;
        self.asked = false;
        self.ending = SeatSet::NONE;
        self.durable = 0;
        self.finishing = false;
        self.recent.clear();
        self.refused.clear();
        self.waiting.clear();
        self.stopped = None;
        self.seeds_until = None;
        self.watch = Watch { base: Millis(0), since: None };
        self.seat_bots();
        let header = Header {
            schema: record::entry::SCHEMA,
            engine: record::ENGINE.to_owned(),
            id: String::new(),
            opened: Some(self.env.host.today()),
            rules: (*self.settings.rules).clone(),
            seats: (0..self.chairs.len()).map(|place| self.sits(place)).collect(),
            shuffle: match &self.settings.trial {
                Some(_) => Trial::SHUFFLE.to_owned(),
                None => record::entry::SHUFFLE.to_owned(),
            },
        }
        .named(&id.to_string());
        // The shelf knows of the match before the journal does: one without rows never began.
        self.save();
        self.save_played();
        let body = serde_json::to_vec(&header).expect("headers are plain data");
        self.play = Some(Play::new(id, header.id, header.seats, truth));
        self.waiting.push_back(Waiting {
            ply: 0,
            frames: Vec::new(),
            verdicts: Vec::new(),
            then: Vec::new(),
        });
        self.append(id, 0, body);
        for place in 0..self.sockets.len() {
            let Some(socket) = &self.sockets[place] else { continue };
            let viewer = self.viewer_of(socket.person.as_ref());
            if let Some(socket) = &mut self.sockets[place] {
                socket.viewer = viewer;
            }
        }
        self.greet_all();
        for place in 0..self.chairs.len() {
            if self.chairs[place].who.is_none() {
                let left = Input::Presence(Seat(place as u8), Presence::Left);
                if let Err(refusal) = self.judge_now(Cause::Host, left, Vec::new()) {
                    tracing::warn!(table = self.settings.id, "an empty seat stays in the match: {refusal}");
                }
            }
        }
        self.run_or_stop();
        self.tell_presence();
        Ok(())
    }
}
