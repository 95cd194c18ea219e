//! Match time: when it goes on and when it stands still, alarms, pings, and when the table is to be woken.

use super::*;

/// Alarms of one moment after which a match is taken to ring for ever.
const AT_ONCE: u32 = 1000;
/// Things done in one wake-up after which they are taken to bring each other about for ever.
const ROUNDS: u32 = 1000;

/// Something that is to be done at a time of the host's clock, in the order in which it is done where several are due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    /// What was held is judged.
    Hold,
    /// The rules' next alarm rings.
    Alarm,
    /// The time of the rest between two rounds is up.
    Rest,
    /// Seeds of a deal are waited for no longer.
    Seeds,
    /// A bot moves, or is asked again.
    Bots,
    /// A socket is asked whether it is there.
    Ping,
    /// It is tried whether moves can be stored.
    Retry,
    /// Everybody is told how things stand.
    State,
    /// Fresh views are sent to those who wait for them.
    Views,
    /// A match that is over, and was read for those who wanted to see it, is let go.
    LetGo,
}

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
        self.end_rest();
        let stands = self.why_it_stands();
        let playing = self.stage == Stage::Playing && self.play.as_ref().is_some_and(|p| p.over.is_none());
        let held = stands.is_some() || self.shut.is_some();
        let run = playing && !held && (self.somebody() || self.on_trial());
        let now = self.now();
        match (run, self.watch.since) {
            (true, None) => {
                self.watch.since = Some(now);
                self.changed = true;
                // From then on it is known when an entry was written ([`Self::stood_still`]).
                self.unsaved = true;
                self.follow();
            }
            (false, Some(_)) => {
                if self.hold.is_some() {
                    self.release();
                }
                self.watch = Watch { base: self.watch.at(now), since: None };
                // Who comes back has their time again.
                self.seeds_until = None;
                if playing {
                    let why = stands.unwrap_or(Pause::Nobody);
                    self.stopped = Some(Stopped { since: now, before: 0, why });
                }
                // How far it was is nowhere else.
                self.unsaved = true;
                self.changed = true;
            }
            _ => {}
        }
    }

    /// Why match time stands still though somebody may be there.
    fn why_it_stands(&self) -> Option<Pause> {
        match () {
            () if self.asked => Some(Pause::Asked),
            () if self.resting.is_some() => Some(Pause::Round),
            () if self.troubled() => Some(Pause::Down),
            () => None,
        }
    }

    /// Reckons for how long the match has stood still that this host has just read. Gives the milliseconds in which no host ran it,
    /// where it would have gone on else; what it stood still for before counts as long as it still does. Only as good as the
    /// clocks of both hosts: nothing rests on it.
    pub(super) fn stood_still(&mut self) -> Option<u64> {
        let saved = self.last_saved.take()?;
        let written = self.play.as_ref().map_or(saved.at, |play| play.at);
        let last = saved.seen.saturating_add(u64::from(written.since(saved.at)));
        let millis = self.env.host.unix_ms().saturating_sub(last);
        let nobody = saved.nobody && !self.on_trial();
        let why = self.why_it_stands().or(nobody.then_some(Pause::Nobody));
        let since = self.now();
        let (before, down) = if why.is_some() { (millis, None) } else { (0, Some(millis)) };
        self.stopped = Some(Stopped { since, before, why: why.unwrap_or(Pause::Nobody) });
        down.filter(|millis| *millis > 0)
    }

    /// Whether this is a trial whose cards lie: its clock waits for nobody.
    pub(super) fn on_trial(&self) -> bool {
        let dealt = |play: &Play<G>| !matches!(play.truth.status(), Status::Chance(_));
        self.settings.trial.is_some() && self.play.as_ref().is_some_and(dealt)
    }

    /// Whether a match is on and its time goes on.
    fn going_on(&self) -> bool {
        self.watch.since.is_some() && !self.troubled() && self.play.as_ref().is_some_and(|p| p.over.is_none())
    }

    /// Lets the alarms ring that are due, in order.
    pub(super) fn ring(&mut self) {
        if self.watch.since.is_some() {
            self.ring_until(self.watch.at(self.now()), None);
        }
    }

    /// Lets the alarms ring that are due by `due`, in order: at the time of the release of what was held or, where that is
    /// none, each when it was due.
    pub(super) fn ring_until(&mut self, due: Millis, release: Option<Millis>) {
        let (mut latest, mut more) = (None, 0);
        while self.going_on() && self.hold.is_none() {
            let Some(play) = &self.play else { return };
            let Some(alarm) = play.truth.alarm().filter(|alarm| alarm.due <= due) else { return };
            let at = release.unwrap_or(alarm.due);
            if latest.is_none_or(|latest| alarm.due > latest) {
                (latest, more) = (Some(alarm.due), 0);
            }
            more += 1;
            if more > AT_ONCE {
                return self.confuse("its alarms ring without an end");
            }
            if let Err(refusal) = self.judge(at, Cause::Host, Input::Ring(alarm.id), Vec::new(), None) {
                return self.confuse(&format!("the alarm {} was refused: {refusal}", alarm.id));
            }
            self.follow();
            if release.is_none() {
                self.sit_in_for_idle();
            }
        }
    }

    /// It is time: all that is due is done. Then nothing is due now or earlier, so that a wake-up brings about no other one at
    /// once.
    pub(crate) fn woken(&mut self) {
        let now = self.now();
        // One that was asked for and came too late, since something sooner came up, does not stand for the next one.
        self.armed = self.armed.filter(|armed| *armed > now);
        for _ in 0..ROUNDS {
            let next = self.agenda().into_iter().find(|(_, at)| at.is_some_and(|at| at <= now));
            let Some((due, _)) = next else { return };
            self.attend(due, now);
        }
        self.confuse("what is to be done at once has no end");
    }

    /// Does what is due by `now`; then it is not on the agenda any more, or at a later time.
    fn attend(&mut self, due: Due, now: u64) {
        match due {
            Due::Hold => self.release(),
            Due::Alarm => self.ring(),
            Due::Rest => self.run_or_stop(),
            Due::Seeds => {
                self.follow();
                // Whoever waits on, waits for a time that is to come.
                self.seeds_until = self.seeds_until.filter(|(_, until)| *until > now);
            }
            Due::Bots => self.move_bots(),
            Due::Ping => self.ping(now),
            Due::Retry => self.reread(),
            Due::State => self.state_all(now),
            Due::Views => self.views(now),
            Due::LetGo => self.let_go(),
        }
    }

    /// What is to be done, and when on the host's clock. Only what can be done as things stand: all else is looked at again
    /// when something has changed.
    fn agenda(&self) -> [(Due, Option<u64>); 10] {
        let when = |due: Millis| self.watch.when(due);
        let going_on = self.going_on();
        let free = going_on && self.hold.is_none();
        let play = self.play.as_ref();
        let alarm = || play?.truth.alarm().and_then(|alarm| when(alarm.due));
        let seeds = || {
            let (deal, until) = self.seeds_until?;
            matches!(play?.truth.status(), Status::Chance(need) if fair::deal(&need) == deal).then_some(until)
        };
        let bots = || {
            let due = self.bots.iter().flatten().filter_map(|bot| match &bot.thought {
                Some((due, _)) => when(*due),
                None if bot.asked.is_none() && bot.bot.is_some() && bot.rest > self.at() => when(bot.rest),
                None => None,
            });
            due.min()
        };
        let ping = self.sockets.iter().flatten().map(|s| s.next_ping).min().filter(|at| *at != u64::MAX);
        let retry = match self.trouble {
            // Where nobody waits it is tried when somebody comes.
            Some(Trouble::Storage { retry, .. }) if !self.sockets.is_empty() || self.on_trial() => retry,
            _ => None,
        };
        [
            (Due::Hold, self.hold.as_ref().map(|hold| hold.until)),
            (Due::Alarm, if free { alarm() } else { None }),
            (Due::Rest, self.resting.and_then(|rest| rest.until)),
            (Due::Seeds, if going_on { seeds() } else { None }),
            (Due::Bots, if free { bots() } else { None }),
            (Due::Ping, ping),
            (Due::Retry, retry),
            (Due::State, self.state_due),
            (Due::Views, self.sockets.iter().flatten().filter_map(|s| s.view_due).min()),
            (Due::LetGo, self.let_go_at),
        ]
    }

    /// When to be woken next, on the host's clock.
    fn next_wake(&self) -> Option<u64> {
        self.agenda().into_iter().filter_map(|(_, at)| at).min()
    }

    /// After every call: bots think, the table is told of and saved if it changed; says when to wake it, if that is sooner
    /// than was last said.
    pub(crate) fn settle(&mut self) -> Option<u64> {
        self.ask_bots();
        self.plan_state();
        if self.unsaved {
            self.save();
        }
        let next = self.next_wake()?.max(self.rests_until);
        if self.armed.is_some_and(|armed| armed <= next) {
            return None;
        }
        self.armed = Some(next);
        Some(next)
    }

    /// Decides when everybody is told how things stand: at once if the match stands still or goes on, else together with
    /// what else changes meanwhile.
    fn plan_state(&mut self) {
        let (changed, watched) = (std::mem::take(&mut self.changed), std::mem::take(&mut self.watched));
        if !changed && !watched {
            return;
        }
        let now = self.now();
        if self.sockets.is_empty() {
            // Whoever comes is told when they are greeted.
            return self.state_all(now);
        }
        let (told, stated) = &self.stated;
        let due = if !changed {
            told.saturating_add(WATCHERS).max(now + JOIN)
        } else if *stated == self.stated_now() {
            told.saturating_add(JOIN)
        } else {
            now
        };
        self.state_due = Some(self.state_due.map_or(due, |earlier| earlier.min(due)));
        if due <= now {
            self.state_all(now);
        }
    }

    fn stated_now(&self) -> Stated {
        Some((self.stage, self.game, self.paused()))
    }

    /// Tells everybody how things stand.
    fn state_all(&mut self, now: u64) {
        self.state_due = None;
        self.stated = (now, self.stated_now());
        if self.sockets.iter().flatten().any(|s| s.greeted) {
            let all = frame(&ToClient::Table(self.state()));
            // Who was removed is told to the host only.
            let of_host = (!self.removed.is_empty()).then(|| frame(&ToClient::Table(self.state_for(true))));
            for socket in self.sockets.iter().flatten().filter(|s| s.greeted) {
                let host = socket.person.as_ref().is_some_and(|p| self.is_host(&p.id));
                socket.send_state(of_host.as_ref().filter(|_| host).unwrap_or(&all));
            }
        }
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
