//! Commands on their way to be judged: numbered, held while others may be under way, raced.

use super::*;

impl<G: Playable> Core<G> {
    /// A command came; one that could not be read as one of this game is refused as any other that cannot be done.
    pub(super) fn command(&mut self, from: Asker, id: u32, seen: u32, command: Result<G::Command, Refusal>) {
        let Some(socket) = self.socket(from) else { return };
        let (viewer, client) = (socket.viewer, socket.client);
        let half_trip = socket.half_trip();
        let not_now = |core: &mut Self, why: Refusal| {
            core.answer(from, Seat(0), client, id, super::not_now(why));
        };
        let Viewer::Seat(seat) = viewer else {
            return not_now(self, say!("no_table.seat_to_play").into());
        };
        if let Some(Trouble::Storage { text, .. } | Trouble::Log { text }) = &self.trouble {
            let text = text.clone();
            return not_now(self, Refusal::slip(text));
        }
        if self.stage != Stage::Playing || self.play.is_none() {
            return not_now(self, say!("no_table.no_match").into());
        }
        if id == 0 {
            let refusal = Refusal::slip("The commands of a client are numbered from 1.");
            return self.answer(from, seat, client, id, Answer::Refused(refusal));
        }
        match self.answered(seat, client, id) {
            Answered::New => {}
            Answered::Done => return self.answer(from, seat, client, id, Answer::Done),
            Answered::Before => {
                let known = self.refused.iter().find(|(s, c, i, _)| (*s, *c, *i) == (seat, client, id));
                let answer = known.map_or(Answer::Answered, |(.., answer)| answer.clone());
                return self.answer(from, seat, client, id, answer);
            }
        }
        if self.asked {
            return not_now(self, say!("no_table.paused").into());
        }
        if self.resting.is_some() {
            return not_now(self, say!("no_table.between_rounds").into());
        }
        let command = match command {
            Ok(command) => command,
            Err(refusal) => return self.refuse(from, seat, client, id, Answer::Refused(refusal.spoken())),
        };
        if let Some(hold) = &mut self.hold
            && let Some(held) = hold.items.iter_mut().find(|h| (h.seat, h.client, h.id) == (seat, client, id))
        {
            // Sent again over a new socket: the answer goes there.
            held.from = Some(from);
            return;
        }
        self.ring();
        // After what was due before: that may have been the last turn that ran out before a bot sits in.
        self.back_by_acting(seat);
        let arrival = self.at();
        let Some(play) = &self.play else { return };
        let adjusts = play.truth.ping_adjusted()
            && matches!(play.truth.contest(&command), Contest::Call | Contest::Claim);
        let adjustment = if adjusts {
            half_trip.min(Timing::MOST_OFF_IN_DEAL.saturating_sub(play.adjusted[seat.index()]))
        } else {
            0
        };
        let timing = Timing { arrival, adjustment };
        let held = HeldCommand { from: Some(from), seat, client, id, seen, timing, command };
        if let Some(hold) = &mut self.hold {
            hold.items.push(held);
            return;
        }
        let wait = if adjusts { self.longest_way() } else { 0 };
        if wait > 0 {
            let until = self.now() + u64::from(wait);
            self.hold = Some(Hold { until, items: vec![held], acts: Vec::new() });
            return;
        }
        self.play_held(arrival, held, Vec::new());
    }

    /// What is known of a command's number.
    pub(super) fn answered(&self, seat: Seat, client: u32, id: u32) -> Answered {
        if self.refused.iter().any(|(s, c, i, _)| (*s, *c, *i) == (seat, client, id)) {
            return Answered::Before;
        }
        let last = self.play.as_ref().map_or(0, |p| p.last_command(seat, client));
        match id {
            _ if id > last => Answered::New,
            _ if id == last => Answered::Done,
            _ => Answered::Before,
        }
    }

    /// The largest adjustment of a connected player who may act: how long a racing act is held, in milliseconds.
    pub(super) fn longest_way(&self) -> u16 {
        let Some(play) = &self.play else { return 0 };
        let Status::Seats(awaited) = play.truth.status() else { return 0 };
        let ways = self.sockets.iter().flatten().filter(|s| s.hello).filter_map(|s| match s.viewer {
            Viewer::Seat(seat) if awaited.has(seat) => {
                Some(s.half_trip().min(Timing::MOST_OFF_IN_DEAL.saturating_sub(play.adjusted[seat.index()])))
            }
            _ => None,
        });
        ways.max().unwrap_or(0)
    }

    /// Judges a command at `at`, the time at which it came or was let go; `lost` are the claims that lost to it.
    pub(super) fn play_held(&mut self, at: Millis, held: HeldCommand<G::Command>, lost: Notes<G>) {
        let HeldCommand { from, seat, client, id, seen, timing, command } = held;
        match from {
            Some(_) => self.back_by_acting(seat),
            // The bot was asked before the person came back.
            None if self.bots[seat.index()].is_none() => return,
            None => {}
        }
        let Some(play) = &self.play else { return };
        let slot = usize::from(play.slot(Viewer::Seat(seat)));
        if matches!(play.truth.contest(&command), Contest::Layout | Contest::Call) && seen < play.layout[slot]
        {
            if let Some(from) = from {
                let Refusal { text, say, .. } = Refusal::from(say!("no_table.layout_changed")).spoken();
                self.refuse(from, seat, client, id, Answer::Dropped { text, say });
            }
            return;
        }
        let cause = Cause::Seat { seat, command: u64::from(id), client, bot: from.is_none() };
        let verdict = from.map(|to| (to, client, id));
        match self.judge(at, cause, Input::Play(seat, command, timing), lost, verdict) {
            Ok(()) => self.follow(),
            Err(refusal) => match from {
                Some(from) => self.refuse(from, seat, client, id, Answer::Refused(refusal.spoken())),
                None => {
                    let rest = at.after(REST);
                    if let Some(Some(bot)) = self.bots.get_mut(seat.index()) {
                        bot.asked = None;
                        bot.rest = rest;
                    }
                }
            },
        }
    }

    /// Whoever acts plays the seat again that a bot has had meanwhile, so that the record says whose act it was.
    fn back_by_acting(&mut self, seat: Seat) {
        if self.chairs[seat.index()].bot_plays {
            self.take_back(seat);
        }
    }

    pub(super) fn refuse(&mut self, to: Asker, seat: Seat, client: u32, id: u32, answer: Answer) {
        if self.refused.len() == 16 {
            self.refused.pop_front();
        }
        self.refused.push_back((seat, client, id, answer.clone()));
        self.answer(to, seat, client, id, answer);
    }

    /// Answers a command once all that the answer rests on is durable.
    pub(super) fn answer(&mut self, to: Asker, seat: Seat, client: u32, id: u32, answer: Answer) {
        let verdict = Verdict { to, seat, client, id, at: self.at(), answer };
        match self.waiting.back_mut() {
            Some(last) => last.verdicts.push(verdict),
            None => self.verdict(verdict),
        }
    }

    pub(super) fn verdict(&mut self, verdict: Verdict) {
        let Verdict { to, id, at, answer, .. } = verdict;
        self.send(to, &frame(&ToClient::Verdict { id, at, answer }));
    }

    /// The hold is over: all that waited is judged in adjusted order, at the present time.
    pub(super) fn release(&mut self) {
        let Some(Hold { mut items, acts, .. }) = self.hold.take() else { return };
        items.sort_by_key(|held| held.timing.adjusted());
        let at = self.at();
        let mut lost = self.rehearse(&items, at);
        for (place, held) in items.into_iter().enumerate() {
            // What was due before the act was made rings before it, at the time of the release.
            self.ring_until(held.timing.adjusted(), Some(at));
            self.play_held(at, held, std::mem::take(&mut lost[place]));
        }
        for (from, act) in acts {
            self.asked_to(from, act);
        }
        self.ring();
        self.tell_presence();
    }

    /// Plays what was held on a copy, to see which claims lose to which: those that are refused and would have been
    /// accepted had the winner not been before them. They belong into the winner's entry.
    pub(super) fn rehearse(&mut self, items: &[HeldCommand<G::Command>], at: Millis) -> Vec<Notes<G>> {
        let mut lost: Vec<Notes<G>> = items.iter().map(|_| Vec::new()).collect();
        if items.len() < 2 {
            return lost;
        }
        let Some(play) = &self.play else { return lost };
        let mut trial = play.truth.clone();
        let mut winner: Option<(usize, G)> = None;
        let mut events = Vec::new();
        for (place, held) in items.iter().enumerate() {
            while let Some(alarm) = trial.alarm().filter(|a| a.due <= held.timing.adjusted()) {
                if game::step(&mut trial, at, &Input::Ring(alarm.id), &mut events).is_err() {
                    break;
                }
            }
            let racing = matches!(trial.contest(&held.command), Contest::Call | Contest::Claim);
            let input = Input::Play(held.seat, held.command.clone(), held.timing);
            events.clear();
            if trial.decide(at, &input, &mut events).is_ok() {
                if racing {
                    winner = Some((place, trial.clone()));
                }
                for event in &events {
                    trial.evolve(event);
                }
            } else if racing && let Some((first, before)) = &winner {
                let mut sink = Vec::new();
                if before.decide(at, &input, &mut sink).is_ok() {
                    let command = held.command.clone();
                    lost[*first].push(Note::Lost { seat: held.seat, command, timing: held.timing });
                }
            }
            if matches!(trial.status(), Status::Chance(_) | Status::Over(_)) {
                break;
            }
        }
        lost
    }
}
