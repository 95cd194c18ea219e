//! Match time: when it goes on and when it stands still, alarms, pings, and when the table is to be woken.

use super::*;

impl<G: Playable> Core<G> {
    pub(super) fn troubled(&self) -> bool {
        self.trouble.is_some()
    }

    /// Match time now, never before that of the last entry.
    pub(super) fn at(&self) -> Millis {
        let at = self.watch.at(self.now());
        self.play.as_ref().map_or(at, |play| at.max(play.at))
    }

    pub(super) fn run_or_stop(&mut self) {
        let why = if self.asked { Pause::Asked } else { Pause::Nobody };
        let playing = self.stage == Stage::Playing && self.play.as_ref().is_some_and(|p| p.over.is_none());
        let run = playing && !self.asked && !self.troubled() && (self.somebody() || self.on_trial());
        let now = self.now();
        match (run, self.watch.since) {
            (true, None) => {
                self.watch.since = Some(now);
                self.changed = true;
                self.follow();
            }
            (false, Some(_)) => {
                if self.hold.is_some() {
                    self.release();
                }
                self.watch = Watch { base: self.watch.at(now), since: None };
                if playing {
                    self.stopped = Some((now, why));
                }
                self.changed = true;
            }
            _ => {}
        }
    }

    /// Whether this is a trial whose cards lie: its clock waits for nobody.
    pub(super) fn on_trial(&self) -> bool {
        let dealt = |play: &Play<G>| !matches!(play.truth.status(), Status::Chance(_));
        self.settings.trial.is_some() && self.play.as_ref().is_some_and(dealt)
    }

    /// Lets the alarms ring that are due, in order.
    pub(super) fn ring(&mut self) {
        while self.watch.since.is_some() && self.hold.is_none() && !self.troubled() {
            let now = self.watch.at(self.now());
            let Some(play) = self.play.as_ref().filter(|p| p.over.is_none()) else { return };
            let Some(alarm) = play.truth.alarm().filter(|a| a.due <= now) else { return };
            let at = alarm.due.max(play.at);
            if let Err(refusal) = self.judge(at, Cause::Host, Input::Ring(alarm.id), Vec::new(), None) {
                return self.confuse(&format!("the alarm {} was refused: {refusal}", alarm.id));
            }
            self.follow();
            self.sit_in_for_idle();
        }
    }

    pub(crate) fn woken(&mut self) {
        self.armed = None;
        let now = self.now();
        if self.hold.as_ref().is_some_and(|hold| hold.until <= now) {
            self.release();
        }
        self.ring();
        if self.seeds_until.is_some_and(|(_, until)| until <= now) {
            self.follow();
        }
        self.move_bots();
        self.ping(now);
        if let Some(Trouble::Storage { retry: Some(retry), .. }) = &self.trouble
            && *retry <= now
        {
            self.reread();
        }
    }

    /// When to be woken next, on the host's clock.
    pub(super) fn next_wake(&self) -> Option<u64> {
        let mut next = u64::MAX;
        if let Some(hold) = &self.hold {
            next = next.min(hold.until);
        }
        if let Some((_, until)) = self.seeds_until {
            next = next.min(until);
        }
        if self.watch.since.is_some() && self.hold.is_none() && !self.troubled() {
            if let Some(alarm) = self.play.as_ref().filter(|p| p.over.is_none()).and_then(|p| p.truth.alarm())
            {
                next = next.min(self.watch.when(alarm.due).unwrap_or(u64::MAX));
            }
            for bot in self.bots.iter().flatten() {
                let due = match &bot.thought {
                    Some((due, _)) => *due,
                    None if bot.asked.is_none() && bot.bot.is_some() && bot.rest > self.at() => bot.rest,
                    None => continue,
                };
                next = next.min(self.watch.when(due).unwrap_or(u64::MAX));
            }
        }
        for socket in self.sockets.iter().flatten() {
            next = next.min(socket.next_ping);
        }
        if let Some(Trouble::Storage { retry: Some(retry), .. }) = &self.trouble {
            next = next.min(*retry);
        }
        (next != u64::MAX).then_some(next)
    }

    /// After every call: bots think, the table is told of and saved if it changed; says when to wake it, if that is sooner
    /// than was last said.
    pub(crate) fn settle(&mut self) -> Option<u64> {
        self.ask_bots();
        if std::mem::take(&mut self.changed) && self.sockets.iter().flatten().any(|s| s.greeted) {
            let body = frame(&ToClient::Table(self.state()));
            self.all(&body);
        }
        if std::mem::take(&mut self.unsaved) {
            self.save();
        }
        let next = self.next_wake()?;
        if self.armed.is_some_and(|armed| armed <= next) {
            return None;
        }
        self.armed = Some(next);
        Some(next)
    }

    pub(crate) fn take_jobs(&mut self) -> Vec<Job<G>> {
        std::mem::take(&mut self.jobs)
    }

    pub(super) fn ping(&mut self, now: u64) {
        let mut dead = Vec::new();
        for (place, socket) in self.sockets.iter_mut().enumerate() {
            let Some(socket) = socket.as_mut().filter(|s| s.next_ping <= now) else { continue };
            if socket.ping.is_some_and(|(_, sent)| now.saturating_sub(sent) >= DEAD) {
                dead.push(Asker { place: place as u32, age: socket.age });
                continue;
            }
            if socket.ping.is_none() {
                socket.pings = socket.pings.wrapping_add(1);
                socket.ping = Some((socket.pings, now));
                socket.send(&frame(&ToClient::Ping { nonce: socket.pings }));
            }
            socket.next_ping = now + if socket.pings < 4 { PING.0 } else { PING.1 };
        }
        for asker in dead {
            if let Some(socket) = self.socket(asker) {
                socket.outlet.close();
            }
            self.disconnect(asker);
        }
    }
}
