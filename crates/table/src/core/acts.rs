//! What people do about the table: sit, leave, start, pause, end.

use super::*;
use game::Say;

/// Whether that can be done about a table where one game is tried against the clock.
fn may_in_trial(act: &Act) -> Result<(), Refusal> {
    let say = match act {
        Act::Sit { .. } | Act::Stand | Act::Ready { .. } | Act::Start | Act::GoOn | Act::Say(_) => {
            return Ok(());
        }
        Act::Rematch => say!("no_table.one_try"),
        Act::Pause | Act::Resume | Act::End { .. } => say!("no_table.clock_goes_on"),
        Act::Remove { .. } | Act::LetBack { .. } | Act::Bot { .. } | Act::Person { .. } | Act::Back => {
            say!("no_table.alone")
        }
    };
    Err(say.into())
}

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
                let (ready, connected) = (bot || chair.ready, bot || self.connected(seat));
                SeatState {
                    who,
                    left: chair.left.as_ref().map(|person| person.name.clone()).unwrap_or_default(),
                    ready,
                    connected,
                }
            })
            .collect();
        let watching = self.sockets.iter().flatten().filter(|s| s.hello && s.viewer == Viewer::Table).count();
        TableState {
            removed: Vec::new(),
            stage: self.stage,
            game: self.game,
            seats,
            host: self.settings.host.name.clone(),
            watching: watching as u16,
            paused: self.paused(),
            rest_ms: self.rest_left(),
            at: self.at(),
            ending: self.ending,
            without_seed: self.without_seed.clone(),
            record: self.playing.filter(|_| self.stage == Stage::Over).map(String::from),
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
            None if self.resting.is_some_and(|rest| rest.told) => {
                Some(Paused::Round { waits_for: self.waits_for() })
            }
            None => None,
        }
    }

    /// The same, as the host is told, or everybody else.
    pub(super) fn state_for(&self, host: bool) -> TableState {
        let names = self.removed.iter().filter(|_| host).map(|removed| removed.name.clone());
        TableState { removed: names.collect(), ..self.state() }
    }

    pub(crate) fn save(&mut self) {
        self.unsaved = false;
        if self.closed {
            return;
        }
        self.kept = self.standing();
        let Standing { chairs, stage, game, playing, asked, removed } = self.kept.clone();
        let (settings, at, left) = (self.settings.clone(), self.watch.at(self.now()), self.left);
        let (ending, without_seed) = (self.ending, self.without_seed.clone());
        let rests = self.resting.is_some();
        let saved = Saved {
            settings,
            chairs,
            stage,
            game,
            playing,
            asked,
            rests,
            at,
            seen: self.env.host.unix_ms(),
            left,
            removed,
            ending,
            without_seed,
        };
        let text = serde_json::to_string(&saved).expect("tables are plain data");
        self.saved = fingerprint(&text);
        self.env.tables.save(&self.settings.id, self.named(), text);
    }

    pub(crate) fn glance(&self) -> Glance {
        Glance {
            seats: self.chairs.iter().map(|chair| chair.who.clone()).collect(),
            stage: self.stage,
            left: self.left,
            at_start: self.at() == Millis(0),
            trial: self.settings.trial.is_some(),
        }
    }

    /// Whether nothing is lost with what memory holds, and nothing happens meanwhile: what is on the disk says all of it.
    /// Where that says less, it is saved once more.
    pub(crate) fn may_sleep(&mut self, on_disk: &str) -> bool {
        // What waits for a socket (a view, the `table` frame, an answer) went with the last one.
        let alone = self.sockets.is_empty() && self.hold.is_none() && self.waiting.is_empty();
        let still = self.watch.since.is_none() && self.jobs.is_empty() && !self.looking_up;
        // A trial that stands still because it cannot be stored goes on as soon as it can.
        let troubled = matches!(self.trouble, Some(Trouble::Storage { .. }));
        let waits = self.settings.trial.is_some() && self.stage == Stage::Playing && troubled;
        if !alone || !still || waits {
            return false;
        }
        let kept = !self.unsaved && self.saved == fingerprint(on_disk);
        self.unsaved |= !kept;
        kept
    }

    pub(super) fn save_played(&self) {
        if let Some(id) = self.playing {
            let seats = self.chairs.iter().map(|c| c.who.clone()).collect();
            self.env.tables.played(Played { id, table: self.settings.id.clone(), seats });
        }
    }

    /// The table is no more: nothing is kept of it from now on, and nobody comes in.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        self.shut(&closed());
    }

    /// Whoever comes from now on comes too late, and is told the same.
    pub(crate) fn shut(&mut self, why: &Refusal) {
        self.shut = Some(why.clone());
        for asker in self.askers(|_| true) {
            self.part(asker, why.clone(), true);
        }
        // The clock of a trial waits for nobody.
        self.run_or_stop();
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
            None => Err(say!("no_table.nameless").into()),
        };
        if let Err(refusal) = done {
            self.decline(from, act, refusal);
        }
    }

    pub(super) fn decline(&mut self, to: Asker, act: Act, why: Refusal) {
        let Refusal { text, say, .. } = why.spoken();
        self.send(to, &frame(&ToClient::Declined { act, text, say }));
    }

    pub(crate) fn act(&mut self, person: &Person, act: &Act) -> Result<(), Refusal> {
        let host = self.is_host(&person.id);
        let mine = self.seat_of(&person.id);
        let no = |say: Say| Err(Refusal::from(say));
        let seated = || mine.ok_or_else(|| Refusal::from(say!("no_table.no_seat")));
        let only_host = || if host { Ok(()) } else { no(say!("no_table.host_only")) };
        match (&self.trouble, act) {
            (Some(Trouble::Storage { text, .. }), _) => return Err(Refusal::slip(text.clone())),
            (Some(Trouble::Log { .. }), Act::Stand | Act::Rematch) | (None, _) => {}
            (Some(Trouble::Log { text }), _) => return Err(Refusal::slip(text.clone())),
        }
        if self.settings.trial.is_some() {
            may_in_trial(act)?;
        }
        match act {
            Act::Sit { seat } => self.sit(person, *seat)?,
            Act::Stand => {
                let seat = seated()?;
                self.leave(seat, Cause::Seat { seat, command: 0, client: 0, bot: false });
            }
            Act::Ready { ready } => {
                let seat = seated()?;
                if self.stage == Stage::Playing {
                    return no(say!("no_table.match_on"));
                }
                self.chairs[seat.index()].ready = *ready;
            }
            Act::Start => {
                only_host()?;
                self.start()?;
            }
            Act::Rematch => {
                if self.stage != Stage::Over {
                    return no(say!("no_table.not_over"));
                }
                if mine.is_none() && !host {
                    return no(say!("no_table.seat_for_another"));
                }
                self.lobby();
            }
            Act::Pause | Act::Resume => {
                only_host()?;
                if self.stage != Stage::Playing {
                    return no(say!("no_table.no_match"));
                }
                self.asked = *act == Act::Pause;
                self.run_or_stop();
            }
            Act::Remove { seat } => {
                only_host()?;
                self.remove(person, *seat)?;
            }
            Act::LetBack { name } => {
                only_host()?;
                self.let_back(name)?;
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
                    _ => return no(say!("no_table.no_bot_there")),
                }
            }
            Act::Back => match mine {
                Some(seat) if self.chairs[seat.index()].bot_plays => self.take_back(seat),
                _ => return no(say!("no_table.no_bot_for_you")),
            },
            Act::GoOn => self.go_on(seated()?),
            Act::End { agree } => self.agree_to_end(seated()?, *agree)?,
            Act::Say(phrase) => {
                let seat = seated()?;
                let body = frame(&ToClient::Said { seat, phrase: *phrase });
                self.all(&body);
            }
        }
        if self.resting.is_some() {
            // Whoever is waited for may be others now.
            self.run_or_stop();
        }
        self.changed = true;
        self.unsaved = true;
        Ok(())
    }

    /// The host frees a seat: who sat there is kept out until let back in.
    fn remove(&mut self, host: &Person, seat: Seat) -> Result<(), Refusal> {
        match self.chairs.get(seat.index()).map(|c| &c.who) {
            None => return Err(say!("no_table.no_such_seat").into()),
            Some(None) => return Err(say!("no_table.nobody_there").into()),
            Some(Some(Who::Person(removed))) if removed.id != host.id => {
                let removed = removed.clone();
                self.keep_out(removed);
            }
            Some(Some(_)) => {}
        }
        self.leave(seat, Cause::Keeper);
        Ok(())
    }

    /// The host lets somebody sit down again whom they removed, who is told.
    fn let_back(&mut self, name: &str) -> Result<(), Refusal> {
        let (back, out): (Vec<_>, _) =
            std::mem::take(&mut self.removed).into_iter().partition(|removed| removed.name == name);
        self.removed = out;
        if back.is_empty() {
            return Err(say!("no_table.nobody_removed").into());
        }
        let is_back = |person: &Person| back.iter().any(|back| back.id == person.id);
        for asker in self.askers(|socket| socket.hello && socket.person.as_ref().is_some_and(is_back)) {
            self.greet(asker, None);
        }
        Ok(())
    }

    /// Whether the host has removed this person from the table.
    pub(super) fn keeps_out(&self, id: &str) -> bool {
        self.removed.iter().any(|removed| removed.id == id)
    }

    /// A seat agrees to end the match, or no longer does.
    fn agree_to_end(&mut self, seat: Seat, agree: bool) -> Result<(), Refusal> {
        if self.stage != Stage::Playing {
            return Err(say!("no_table.no_match").into());
        }
        let ending = if agree { self.ending.with(seat) } else { self.ending.without(seat) };
        if agree {
            self.agreed(ending)?;
        }
        self.ending = ending;
        self.end_if_agreed();
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

    pub(super) fn sit(&mut self, person: &Person, seat: Seat) -> Result<(), Refusal> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Err(say!("no_table.no_such_seat").into());
        };
        if chair.who.is_some() {
            return Err(say!("no_table.taken").into());
        }
        if let Some(other) = self.namesake(person) {
            return Err(say!("no_table.namesake", name = other).into());
        }
        if self.keeps_out(&person.id) {
            return Err(say!("no_table.removed").into());
        }
        if let Some(old) = self.seat_of(&person.id) {
            if self.stage == Stage::Playing {
                return Err(say!("no_table.seated").into());
            }
            self.chairs[old.index()] = Chair::default();
        }
        let taken = Chair { who: Some(Who::Person(person.clone())), ..Chair::default() };
        if self.stage == Stage::Playing {
            let who = sitter(&taken);
            self.judge_now(
                Cause::Host,
                Input::Presence(seat, Presence::Joined),
                vec![Note::Sits { seat, who }],
            )?;
        }
        self.chairs[seat.index()] = taken;
        self.note_who_is_gone();
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
        let left = self.chairs[seat.index()].person().filter(|_| self.stage != Stage::Lobby).cloned();
        self.chairs[seat.index()] = Chair { left, ..Chair::default() };
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
                    self.chairs[seat.index()] = Chair { who: Some(Who::Bot(kind)), ..Chair::default() };
                    self.bots[seat.index()] = Some(bot);
                    self.note(cause, vec![Note::Sits { seat, who }], Vec::new());
                }
            }
        }
        self.reseat();
        self.run_or_stop();
        self.end_if_agreed();
    }

    pub(super) fn give_to_bot(&mut self, seat: Seat, kind: &str) -> Result<(), Refusal> {
        let Some(chair) = self.chairs.get(seat.index()) else {
            return Err(say!("no_table.no_such_seat").into());
        };
        let Some(bot) = self.make_bot(kind) else {
            return Err(say!("no_table.no_such_bot", kind = kind.to_owned()).into());
        };
        let playing = self.stage == Stage::Playing;
        match &chair.who {
            Some(Who::Person(_)) if playing => {
                if chair.bot_plays {
                    return Err(say!("no_table.bot_there").into());
                }
                self.sit_in(seat, Cause::Keeper);
            }
            Some(Who::Person(_)) => return Err(say!("no_table.somebody_there").into()),
            Some(Who::Bot(_)) | None => {
                let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
                let sits = vec![Note::Sits { seat, who }];
                if playing && chair.who.is_none() {
                    self.judge_now(Cause::Keeper, Input::Presence(seat, Presence::Joined), sits)?;
                } else if playing {
                    self.note(Cause::Keeper, sits, Vec::new());
                }
                self.chairs[seat.index()] =
                    Chair { who: Some(Who::Bot(kind.to_owned())), ready: true, ..Chair::default() };
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
        if self.agreed(self.ending) == Ok(true) && self.play.as_ref().is_some_and(|p| p.over.is_none()) {
            self.note(Cause::Keeper, vec![Note::Ended], Vec::new());
            self.finish();
        }
    }

    /// Whether all agree to end the match who are there or have been a short while ago. An error where those who are there do,
    /// and others have not been away for long enough: how long it takes, in a sentence.
    fn agreed(&self, ending: SeatSet) -> Result<bool, Refusal> {
        let now = self.env.host.today();
        let mut waits: Vec<(u64, &str)> = Vec::new();
        for (chair, seat) in self.chairs.iter().zip((0..).map(Seat)) {
            let Some(person) = chair.person().filter(|_| !ending.has(seat)) else { continue };
            if self.connected(seat) {
                return Ok(false);
            }
            let since = if chair.gone > 0 { chair.gone } else { now };
            let left = AWAY.saturating_sub(now.saturating_sub(since));
            if left > 0 {
                waits.push((left, &person.name));
            }
        }
        let Some((left, _)) = waits.iter().max() else { return Ok(true) };
        let name = |name: &str| say!("list.name", name = name.to_owned());
        let names = waits.iter().map(|(_, who)| name(who)).collect();
        let names = Say::all(names).unwrap_or_default();
        let time = match (left / 60, left % 60) {
            (0, seconds) => say!("list.seconds", n = seconds),
            (minutes, 0) => say!("list.minutes", n = minutes),
            (minutes, seconds) => say!("list.minutes_seconds", n = minutes, seconds = seconds),
        };
        Err(say!("no_table.may_come_back", names = names, n = waits.len(), time = time).into())
    }

    /// From now on this person has no seat here.
    fn keep_out(&mut self, person: Person) {
        self.removed.retain(|removed| removed.id != person.id);
        if self.removed.len() >= REMOVED {
            self.removed.remove(0);
        }
        self.removed.push(person);
    }

    /// Back to where people gather, with the same people.
    pub(super) fn lobby(&mut self) {
        self.stage = Stage::Lobby;
        self.trouble = None;
        self.play = None;
        self.playing = None;
        self.without_seed = Vec::new();
        (self.let_go_at, self.looking_up) = (None, false);
        self.asked = false;
        self.resting = None;
        self.recent.clear();
        self.refused.clear();
        self.waiting.clear();
        self.chairs.resize(usize::from(self.settings.seats), Chair::default());
        self.chairs.iter_mut().for_each(|chair| chair.left = None);
        self.bots = (0..self.chairs.len()).map(|_| None).collect();
        self.watch = Watch { base: Millis(0), since: None };
        self.greet_all();
    }

    /// A match for so many, and its rules: those of the table, unless they were worked out for all its seats and others are
    /// needed. An error where the game is not for so many.
    fn truth_for(&self, seats: u8) -> Result<(Arc<G::Rules>, G), Refusal> {
        let open = |rules: Arc<G::Rules>| G::open(Arc::clone(&rules), seats).map(|truth| (rules, truth));
        open(Arc::clone(&self.settings.rules)).or_else(|refusal| {
            match (self.env.rules)(&self.settings.id, seats) {
                Some(rules) => open(rules),
                None => Err(refusal),
            }
        })
    }

    pub(super) fn start(&mut self) -> Result<(), Refusal> {
        if self.stage != Stage::Lobby {
            return Err(say!("no_table.match_here").into());
        }
        if self.chairs.iter().all(|c| c.who.is_none()) {
            return Err(say!("no_table.nobody_sits").into());
        }
        let unready = self.chairs.iter().filter_map(Chair::person);
        let unready = unready.filter(|p| !self.is_host(&p.id));
        let unready: Vec<_> = unready
            .filter(|p| self.chairs.iter().any(|c| c.person() == Some(p) && !c.ready))
            .map(|p| p.name.as_str())
            .collect();
        if !unready.is_empty() {
            return Err(say!("no_table.not_ready", names = unready.join(", ")).into());
        }
        let chairs: Vec<Chair> = if self.settings.join_late {
            self.chairs.clone()
        } else {
            self.chairs.iter().filter(|c| c.who.is_some()).cloned().collect()
        };
        let (rules, truth) = self.truth_for(chairs.len() as u8)?;
        let mut number = [0; 8];
        number.copy_from_slice(&self.env.host.random()[..8]);
        let id = MatchId::new(u64::from_le_bytes(number));
        self.chairs = chairs;
        self.bots = (0..self.chairs.len()).map(|_| None).collect();
        self.game += 1;
        self.playing = Some(id);
        self.stage = Stage::Playing;
        self.asked = false;
        self.resting = None;
        self.ending = SeatSet::NONE;
        self.durable = 0;
        self.finishing = false;
        self.recent.clear();
        self.refused.clear();
        self.waiting.clear();
        self.stopped = None;
        self.seeds_until = None;
        self.watch = Watch { base: Millis(0), since: None };
        self.seat_bots_under(&rules);
        let header = Header {
            schema: record::entry::SCHEMA,
            engine: record::ENGINE.to_owned(),
            id: String::new(),
            opened: Some(self.env.host.today()),
            rules: (*rules).clone(),
            seats: (0..self.chairs.len()).map(|place| self.sits(place)).collect(),
            shuffle: match &self.settings.trial {
                Some(_) => Trial::SHUFFLE.to_owned(),
                None => record::entry::SHUFFLE.to_owned(),
            },
        }
        .named(&id.to_string());
        // What is kept of the table knows of the match before the journal does: one without rows never began.
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
