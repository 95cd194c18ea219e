//! Judging and storing: an entry leaves for the journal, and what it says leaves for everybody once it is durable.

use super::*;

impl<G: Playable> Core<G> {
    pub(super) fn judge_now(
        &mut self,
        cause: Cause,
        input: Input<G::Command>,
        notes: Notes<G>,
    ) -> Result<(), Refusal> {
        self.judge(self.at(), cause, input, notes, None)
    }

    /// Judges an input at `at`, or at the time of the last entry if that is later, and, if the rules accept it, hands the
    /// entry over to the journal.
    pub(super) fn judge(
        &mut self,
        at: Millis,
        cause: Cause,
        input: Input<G::Command>,
        notes: Notes<G>,
        verdict: Option<(Asker, u32, u32)>,
    ) -> Result<(), Refusal> {
        let Some(play) = &self.play else { return Err(say!("no_table.no_match").into()) };
        if play.over.is_some() {
            return Err(say!("no.over").into());
        }
        let at = at.max(play.at);
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let judged = play.truth.decide(at, &input, &mut events);
        let entry = Entry { ply: play.ply + 1, at, cause, input: Some(input), events, notes };
        if let Err(refusal) = judged {
            self.events = entry.events;
            return Err(refusal);
        }
        let verdicts = match (&entry.cause, verdict) {
            (Cause::Seat { seat, .. }, Some((to, client, id))) => {
                vec![Verdict { to, seat: *seat, client, id, at, answer: Answer::Done }]
            }
            _ => Vec::new(),
        };
        self.commit(entry, verdicts);
        self.breakdowns = 0;
        Ok(())
    }

    /// Writes an entry that holds only notes.
    pub(super) fn note(&mut self, cause: Cause, notes: Notes<G>, then: Vec<Then>) {
        let Some(play) = &self.play else { return };
        let entry = Entry { ply: play.ply + 1, at: self.at(), cause, input: None, events: Vec::new(), notes };
        self.commit(entry, Vec::new());
        if let Some(last) = self.waiting.back_mut() {
            last.then.extend(then);
        }
    }

    pub(super) fn commit(&mut self, mut entry: EntryOf<G>, verdicts: Vec<Verdict>) {
        if let (Some(stopped), Some(now)) = (self.stopped, self.watch.since) {
            let millis = stopped.before.saturating_add(now.saturating_sub(stopped.since));
            entry.notes.insert(0, Note::Stood { millis, why: stopped.why });
            self.stopped = None;
        }
        let Some(play) = &mut self.play else { return };
        // Most entries fit.
        let mut body = Vec::with_capacity(384);
        serde_json::to_writer(&mut body, &entry).expect("entries are plain data");
        let mut frames = Vec::new();
        let before = play.truth.between_rounds();
        play.apply(&entry, self.wanted, &mut frames);
        let ended = !before && play.over.is_none() && play.truth.between_rounds();
        self.waiting.push_back(Waiting { ply: entry.ply, frames, verdicts, then: Vec::new() });
        let (id, ply) = (play.id, entry.ply);
        self.events = entry.events;
        self.append(id, ply, body);
        if ended {
            self.begin_rest();
        }
    }

    pub(super) fn append(&self, id: MatchId, ply: u32, body: Vec<u8>) {
        if let Some(listener) = self.listener.clone() {
            self.env.journal.append(Append { id, ply, body, listener });
        }
    }

    /// Hears from the journal with what this makes, which tells [`Core::appended`] its age.
    pub(crate) fn listen_with(&mut self, new: NewListener) {
        self.new_listener = Some(new);
        self.listen_anew();
    }

    /// From now on nothing is heard of what was handed over before.
    pub(super) fn listen_anew(&mut self) {
        self.listener_age = self.listener_age.wrapping_add(1);
        let age = self.listener_age;
        self.listener = self.new_listener.as_ref().map(|listener| listener(age));
    }

    /// Does something once all entries that were handed over are durable.
    pub(super) fn then(&mut self, then: Then) {
        match self.waiting.back_mut() {
            Some(last) => last.then.push(then),
            None => self.do_then(then),
        }
    }

    pub(crate) fn appended(&mut self, age: u32, id: MatchId, ply: u32, appended: &Appended) {
        if age != self.listener_age {
            return;
        }
        if self.playing != Some(id) || ply <= self.durable && ply > 0 {
            return;
        }
        match appended {
            Appended::Committed => {
                while self.waiting.front().is_some_and(|w| w.ply <= ply) {
                    let Some(waiting) = self.waiting.pop_front() else { break };
                    self.publish(waiting);
                }
            }
            Appended::Conflict => {
                self.distrust("Another server has gone on with this match: its log is read anew.");
            }
            Appended::Failed(text) | Appended::Unknown(text) => self.distrust(text),
        }
    }

    /// An entry is durable: everybody may know.
    pub(super) fn publish(&mut self, waiting: Waiting) {
        self.durable = waiting.ply;
        // Should this break down, who waits is answered by the log.
        let settled = self.unsettled.len();
        self.unsettled.extend(waiting.verdicts.iter().map(|v| (v.to, v.seat, v.client, v.id)));
        let slots = self.play.as_ref().map_or(0, Play::seats);
        for frame in waiting.frames {
            let viewer = if frame.slot < slots { Viewer::Seat(Seat(frame.slot)) } else { Viewer::Table };
            for socket in self.sockets.iter().flatten() {
                if socket.greeted && socket.viewer == viewer && socket.from < waiting.ply {
                    socket.send(&frame.body);
                }
            }
            if self.recent.len() == RECENT {
                self.recent.pop_front();
            }
            self.recent.push_back(frame);
        }
        for verdict in waiting.verdicts {
            self.verdict(verdict);
        }
        self.unsettled.truncate(settled);
        for then in waiting.then {
            self.do_then(then);
        }
    }

    pub(super) fn do_then(&mut self, then: Then) {
        let game = self.game;
        match then {
            Then::Greet { to, welcome, state, frames } => {
                if let Some(socket) = self.socket(to) {
                    socket.greeted = true;
                    socket.send(&welcome);
                    socket.send_state(&state);
                    for body in frames {
                        socket.send(&body);
                    }
                }
            }
            Then::Committed { deal, hash } => self.all(&seed_frame(SeedCall::Committed { game, deal, hash })),
            Then::Open { deal } => {
                if let Some(deal) = self.play.as_ref().and_then(|play| play.seeds.get(deal)) {
                    self.all(&open_frame(game, deal));
                }
            }
            Then::Revealed { deal, seed } => self.all(&seed_frame(SeedCall::Revealed { game, deal, seed })),
            Then::Rest => self.tell_rest(),
            Then::Trust => {
                if matches!(self.trouble, Some(Trouble::Storage { .. })) {
                    self.trouble = None;
                    self.changed = true;
                    self.run_or_stop();
                    self.tell_presence();
                    self.follow();
                }
            }
            Then::Over => self.over(),
        }
    }
}
