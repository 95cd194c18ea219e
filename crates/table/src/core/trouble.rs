//! What is done when the journal is not to be trusted: memory is dropped and the log read anew.

use super::*;

impl<G: Playable> Core<G> {
    /// Drops what memory holds beyond the durable entries; the log is read anew, and who waits is answered by it.
    pub(crate) fn distrust(&mut self, text: &str) {
        tracing::warn!(table = self.settings.id, "{text}");
        // What is still on its way to the log is met there.
        self.listen_anew();
        for waiting in self.waiting.drain(..) {
            for v in waiting.verdicts {
                self.unsettled.push((v.to, v.seat, v.client, v.id));
            }
            for then in waiting.then {
                if let Then::Greet { to, .. } = then
                    && let Some(Some(socket)) = self.sockets.get_mut(to.place as usize)
                    && socket.age == to.age
                {
                    socket.greeted = false;
                }
            }
        }
        if let Some(hold) = self.hold.take() {
            for held in hold.items {
                if let Some(from) = held.from {
                    self.unsettled.push((from, held.seat, held.client, held.id));
                }
            }
        }
        self.seeds_until = None;
        let again = matches!(self.trouble, Some(Trouble::Storage { .. }));
        let retry = again.then(|| self.now() + RETRY);
        self.trouble = Some(Trouble::Storage { text: text.to_owned(), retry });
        self.changed = true;
        self.run_or_stop();
        if !again {
            self.reread();
        }
    }

    /// Somebody broke down in the midst of a change: what memory holds is as it was saved last, and the match as its log has it.
    pub(crate) fn broke_down(&mut self) {
        self.breakdowns = self.breakdowns.saturating_add(1);
        self.rests_until = self.now() + RETRY;
        tracing::error!(table = self.settings.id, times = self.breakdowns, "the table broke down");
        let Standing { chairs, stage, game, playing, asked, removed } = self.kept.clone();
        self.removed = removed;
        self.looking_up = false;
        self.let_go_at = None;
        self.bots = (0..chairs.len()).map(|_| None).collect();
        (self.chairs, self.stage, self.game) = (chairs, stage, game);
        (self.playing, self.asked, self.ending) = (playing, asked, SeatSet::NONE);
        self.jobs.clear();
        self.events = Vec::new();
        self.stopped = None;
        self.distrust("The table broke down, and reads its match anew.");
        self.play = None;
        self.recent.clear();
        for place in 0..self.sockets.len() {
            let viewer = self.sockets[place].as_ref().map(|socket| self.viewer_of(socket.person.as_ref()));
            if let (Some(socket), Some(viewer)) = (&mut self.sockets[place], viewer) {
                socket.viewer = viewer;
            }
        }
        if self.playing.is_none() {
            // There is no match to be read.
            self.trouble = None;
            self.settle_unsettled();
            self.greet_all();
        } else if self.breakdowns > BREAKDOWNS {
            self.jobs.clear();
            self.confuse("it breaks down each time; the server's log says where");
            self.settle_unsettled();
        }
    }

    /// Answers what the table broke down over, unless it is a command that was handed over before: then the log answers it.
    pub(crate) fn broke_down_over(&mut self, from: Asker, asked: Asked) {
        match asked {
            Asked::Act(act) => self.decline(from, act, broke_down()),
            Asked::Command(id) => {
                if !self.unsettled.iter().any(|(to, _, _, other)| (*to, *other) == (from, id)) {
                    let answer = not_now(broke_down());
                    let at = self.at();
                    self.verdict(Verdict { to: from, seat: Seat(0), client: 0, id, at, answer });
                }
            }
        }
    }

    pub(super) fn reread(&mut self) {
        if let Some(Trouble::Storage { retry, .. }) = &mut self.trouble {
            *retry = None;
        }
        if let Some(id) = self.playing {
            self.jobs.push(Job::Read(id));
        }
    }

    /// Reads the log of a match that is over, for those who have come since.
    pub(super) fn look_up(&mut self) {
        if let Some(id) = self.playing
            && self.trouble.is_none()
            && !std::mem::replace(&mut self.looking_up, true)
        {
            self.jobs.push(Job::Read(id));
        }
    }

    /// The log of a match that is over was read: those who have come since see how it ended.
    fn show_again(&mut self, rows: Result<Vec<Vec<u8>>, Unreadable>) {
        let come = self.askers(|s| s.hello && !s.greeted);
        match rows {
            Ok(rows) => {
                match self.fold(&rows) {
                    Ok(play) => {
                        self.durable = play.ply;
                        self.play = Some(play);
                        // What an older server kept of the table does not say it.
                        self.note_without_seed();
                        // Others may want to see it, too, and it is work to read.
                        self.let_go_at = Some(self.now() + SHOWN);
                    }
                    Err(e) => self.trouble = Some(Trouble::Log { text: e.to_string() }),
                }
                for asker in come {
                    self.greet(asker, None);
                }
            }
            Err(e) => {
                for asker in come {
                    self.part(asker, say!("no_table.not_shown", why = e.to_string()).into(), true);
                }
            }
        }
    }

    /// The log was read anew.
    pub(crate) fn read_again(&mut self, id: MatchId, rows: Result<Vec<Vec<u8>>, Unreadable>) {
        if self.playing != Some(id) {
            return;
        }
        match self.trouble {
            Some(Trouble::Storage { .. }) => {}
            None if std::mem::take(&mut self.looking_up) && self.stage == Stage::Over => {
                return self.show_again(rows);
            }
            _ => return,
        }
        let later = self.now() + RETRY;
        let rows = match rows {
            Ok(rows) => rows,
            Err(e) => {
                self.trouble = Some(Trouble::Storage { text: e.to_string(), retry: Some(later) });
                self.changed = true;
                return;
            }
        };
        if rows.is_empty() {
            // Not even the header was written: the match never began.
            self.play = None;
            self.playing = None;
            self.stage = Stage::Lobby;
            self.game -= 1;
            self.trouble = None;
            self.changed = true;
            self.unsaved = true;
            self.settle_unsettled();
            self.greet_all();
            return;
        }
        match self.fold(&rows) {
            Ok(play) => {
                let before = self.durable;
                let anew = self.play.is_none();
                self.adopt(play);
                self.publish_from(&rows, before);
                self.settle_unsettled();
                let unfinished: Vec<Asker> = self.askers(|s| s.hello && (anew || !s.greeted));
                for asker in unfinished {
                    self.greet(asker, None);
                }
                self.seat_bots();
                // Only an entry of our own proves that the storage takes entries, and that nobody else goes on.
                self.take_over(None);
                if self.stage == Stage::Over {
                    self.note_without_seed();
                    self.let_go();
                }
            }
            Err(e) => {
                self.trouble = Some(Trouble::Log { text: e.to_string() });
                self.changed = true;
                self.settle_unsettled();
                for asker in self.askers(|s| s.hello && !s.greeted) {
                    self.greet(asker, None);
                }
            }
        }
    }

    pub(super) fn askers(&self, which: impl Fn(&Socket) -> bool) -> Vec<Asker> {
        let sockets = self.sockets.iter().enumerate();
        sockets
            .filter_map(|(place, s)| {
                s.as_ref().filter(|s| which(s)).map(|s| Asker { place: place as u32, age: s.age })
            })
            .collect()
    }

    pub(super) fn settle_unsettled(&mut self) {
        for (to, seat, client, id) in std::mem::take(&mut self.unsettled) {
            let answer = match self.answered(seat, client, id) {
                Answered::Done => Answer::Done,
                Answered::Before => Answer::Answered,
                Answered::New => not_now(say!("no_table.not_stored").into()),
            };
            let at = self.at();
            self.verdict(Verdict { to, seat, client, id, at, answer });
        }
    }

    /// The match that a log tells of.
    pub(super) fn fold(&self, rows: &[Vec<u8>]) -> Result<Play<G>, Unreadable> {
        let id = self.playing.ok_or_else(|| Unreadable("no match is on".to_owned()))?;
        let (header, entries) = read_log::<G>(rows)?;
        let truth = G::open(Arc::new(header.rules), header.seats.len() as u8)
            .map_err(|e| Unreadable(format!("the rules of the match cannot be played any more: {e}")))?;
        let mut play = Play::new(id, header.id, header.seats, truth);
        let folded = unless_broken(|| {
            let mut frames = Vec::new();
            for entry in &entries {
                play.apply(entry, 0, &mut frames);
            }
            play
        });
        folded.ok_or_else(|| Unreadable("the rules break down over the log of the match".to_owned()))
    }

    /// Goes on with a match that was folded from its log.
    pub(super) fn adopt(&mut self, play: Play<G>) {
        self.durable = play.ply;
        self.watch = Watch { base: play.at.max(self.watch.base), since: None };
        self.finishing = false;
        self.recent.clear();
        // What is told of it stands in the log.
        let rests = play.over.is_none() && play.truth.between_rounds();
        self.resting = self.resting.filter(|_| rests).map(|_| Rest::told());
        self.play = Some(play);
        self.rewant();
        if self.play.as_ref().is_some_and(|p| p.over.is_some()) && self.stage == Stage::Playing {
            self.finish();
        }
    }

    /// Tells what had become durable without this table hearing of it: entries after `before`.
    pub(super) fn publish_from(&mut self, rows: &[Vec<u8>], before: u32) {
        let Ok((header, entries)) = read_log::<G>(rows) else { return };
        let (Some(id), seats) = (self.playing, header.seats.len() as u8) else { return };
        let Ok(truth) = G::open(Arc::new(header.rules), seats) else { return };
        let mut play = Play::new(id, header.id, header.seats, truth);
        for entry in &entries {
            let wanted = if entry.ply > before { self.wanted } else { 0 };
            let mut frames = Vec::new();
            play.apply(entry, wanted, &mut frames);
            if entry.ply > before {
                let then = Vec::new();
                self.publish(Waiting { ply: entry.ply, frames, verdicts: Vec::new(), then });
            }
        }
    }

    /// Writes that this host goes on, and for how many milliseconds no host did, as far as that is known.
    pub(super) fn take_over(&mut self, down: Option<u64>) {
        if self.stage == Stage::Playing && self.play.as_ref().is_some_and(|p| p.over.is_none()) {
            let mut notes = vec![Note::Took { engine: record::ENGINE.to_owned() }];
            notes.extend(down.map(|millis| Note::Stood { millis, why: Pause::Down }));
            // A note of who sits where may be among what was lost, or a bot may be another one now.
            for place in 0..self.chairs.len() {
                let (seat, who) = (Seat(place as u8), self.sits(place));
                if self.play.as_ref().and_then(|p| p.sitters.get(place)) != Some(&who.kind) {
                    notes.push(Note::Sits { seat, who });
                }
            }
            self.note(Cause::Host, notes, vec![Then::Trust]);
        } else {
            self.trouble = None;
        }
    }

    /// The rules refused what they asked for: a fault of the program. The match stands still and is kept.
    pub(super) fn confuse(&mut self, text: &str) {
        tracing::error!(table = self.settings.id, "{text}");
        self.trouble = Some(Trouble::Log { text: format!("The match cannot go on: {text}.") });
        self.run_or_stop();
    }
}
