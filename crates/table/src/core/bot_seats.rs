//! Bots in their seats: when they are asked, and when they move.

use super::*;

impl<G: Playable> Core<G> {
    /// The rules of the match that is on, which may be for fewer players than the table has seats; else those of the table.
    fn match_rules(&self) -> &Arc<G::Rules> {
        self.play.as_ref().map_or(&self.settings.rules, |play| play.truth.rules())
    }

    pub(super) fn make_bot(&self, kind: &str) -> Option<BotSeat<G>> {
        self.make_bot_under(kind, self.match_rules())
    }

    fn make_bot_under(&self, kind: &str, rules: &G::Rules) -> Option<BotSeat<G>> {
        let bot = (self.env.bots)(kind, rules)?;
        let seed = self.env.host.random();
        let mut number = [0; 8];
        number.copy_from_slice(&seed[..8]);
        Some(BotSeat {
            kind: kind.to_owned(),
            name: bot.name().to_owned(),
            bot: Some(bot),
            chance: SplitMix(u64::from_le_bytes(number)),
            asked: None,
            thought: None,
            rest: Millis(0),
        })
    }

    /// Gives each seat that a bot plays its bot, and takes it from the others.
    pub(super) fn seat_bots(&mut self) {
        let rules = Arc::clone(self.match_rules());
        self.seat_bots_under(&rules);
    }

    /// The same for a match under these rules.
    pub(super) fn seat_bots_under(&mut self, rules: &G::Rules) {
        for place in 0..self.chairs.len() {
            let kind = self.chairs[place].bot(&self.settings.sit_in).map(str::to_owned);
            if self.bots[place].as_ref().map(|b| &b.kind) != kind.as_ref() {
                self.bots[place] = kind.and_then(|kind| self.make_bot_under(&kind, rules));
            }
            if let Some(bot) = &mut self.bots[place] {
                bot.asked = None;
                bot.thought = None;
                bot.rest = Millis(0);
            }
        }
    }

    /// Lets the bots think whose view has changed. Only on what is durable: what they learn cannot be taken back.
    pub(super) fn ask_bots(&mut self) {
        if self.watch.since.is_none() || self.troubled() || self.hold.is_some() || !self.waiting.is_empty() {
            return;
        }
        let at = self.at();
        let Some(play) = &self.play else { return };
        if play.over.is_some() {
            return;
        }
        for (place, seat) in self.bots.iter_mut().enumerate() {
            let Some(seat) = seat else { continue };
            let n = play.n[place];
            if seat.asked == Some(n) || seat.rest > at {
                continue;
            }
            seat.thought = None;
            let Some(bot) = seat.bot.take() else { continue };
            seat.asked = Some(n);
            let view = play.truth.view(Viewer::Seat(Seat(place as u8)));
            self.jobs.push(Job::Think(Thinking {
                game: self.game,
                seat: Seat(place as u8),
                n,
                at,
                view,
                bot,
                chance: seat.chance.clone(),
            }));
        }
    }

    /// A bot comes back from thinking.
    pub(crate) fn thought(&mut self, thinking: Thinking<G>, thought: Option<Thought<G::Command>>) {
        let Thinking { game, seat, n, at, bot, chance, .. } = thinking;
        if game != self.game {
            return;
        }
        let Some(Some(place)) = self.bots.get_mut(seat.index()) else { return };
        if place.bot.is_some() || place.name != bot.name() {
            return;
        }
        place.bot = Some(bot);
        place.chance = chance;
        if place.asked == Some(n) {
            place.thought = thought.map(|t| (at.after(t.after_ms), t.command));
            self.move_bots();
        }
    }

    /// A bot broke down over thinking and is lost: another one of its kind takes its place, in a while.
    pub(crate) fn bot_broke_down(&mut self, game: u32, seat: Seat) {
        let kind = match self.bots.get(seat.index()) {
            Some(Some(lost)) if game == self.game && lost.bot.is_none() => lost.kind.clone(),
            _ => return,
        };
        tracing::error!(table = self.settings.id, kind, "a bot broke down over thinking");
        let rest = self.at().after(LONG_REST);
        self.bots[seat.index()] = self.make_bot(&kind).map(|bot| BotSeat { rest, ..bot });
    }

    /// Bots whose time has come do what they meant to, if their view is still the one they thought about.
    pub(super) fn move_bots(&mut self) {
        for place in 0..self.bots.len() {
            if self.watch.since.is_none() || self.troubled() || self.hold.is_some() {
                return;
            }
            let at = self.at();
            let Some(play) = self.play.as_ref().filter(|p| p.over.is_none()) else { return };
            let n = play.n[place];
            let Some(bot) = &mut self.bots[place] else { continue };
            if bot.thought.as_ref().is_none_or(|(due, _)| *due > at) {
                continue;
            }
            let Some((_, command)) = bot.thought.take() else { continue };
            if bot.asked != Some(n) {
                continue;
            }
            // Asked again when it was answered, whether or not it learns anything from that.
            bot.asked = None;
            let seat = Seat(place as u8);
            let timing = Timing::at(at);
            let held = HeldCommand { from: None, seat, client: 0, id: 0, seen: n, timing, command };
            let races = self.play.as_ref().is_some_and(|p| {
                p.truth.ping_adjusted()
                    && matches!(p.truth.contest(&held.command), Contest::Call | Contest::Claim)
            });
            let wait = if races { self.longest_way() } else { 0 };
            if wait > 0 {
                let until = self.now() + u64::from(wait);
                self.hold = Some(Hold { until, items: vec![held], acts: Vec::new() });
            } else {
                self.play_held(at, held, Vec::new());
            }
        }
    }

    /// A bot sits in for a person whose turns ran out, but for the player of a trial, who plays it alone.
    pub(super) fn sit_in_for_idle(&mut self) {
        let Some(play) = self.play.as_ref().filter(|_| self.settings.trial.is_none()) else { return };
        let idle: Vec<usize> = (0..self.chairs.len())
            .filter(|&i| {
                self.chairs[i].person().is_some()
                    && !self.chairs[i].bot_plays
                    && play.ran_out[i] >= IDLE_TURNS
            })
            .collect();
        for place in idle {
            self.sit_in(Seat(place as u8), Cause::Host);
        }
    }

    /// A bot plays for the person in this seat until they are back.
    pub(super) fn sit_in(&mut self, seat: Seat, cause: Cause) -> bool {
        let kind = self.settings.sit_in.clone();
        let Some(bot) = self.make_bot(&kind) else { return false };
        let who = Sitter { name: bot.name.clone(), kind: SitterKind::Bot(bot.name.clone()) };
        self.chairs[seat.index()].bot_plays = true;
        self.bots[seat.index()] = Some(bot);
        self.note(cause, vec![Note::Sits { seat, who }], Vec::new());
        self.changed = true;
        self.unsaved = true;
        self.tell_presence();
        true
    }

    /// The person plays their seat themselves again.
    pub(super) fn take_back(&mut self, seat: Seat) {
        let chair = &mut self.chairs[seat.index()];
        chair.bot_plays = false;
        self.bots[seat.index()] = None;
        let who = sitter(chair);
        self.note(
            Cause::Seat { seat, command: 0, client: 0, bot: true },
            vec![Note::Sits { seat, who }],
            Vec::new(),
        );
        self.changed = true;
        self.unsaved = true;
        self.tell_presence();
    }
}
