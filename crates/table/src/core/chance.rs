//! Chance and fair deals: seeds are bound, shown and drawn from; and the end of a match.

use super::*;

/// Draws one after another, with nobody acting, after which rules want chance for ever: the table stops. (What is played wants one
/// or two; a puzzle whose layout is rare some thousands.)
const MOST_DRAWS: usize = 20_000;

impl<G: Playable> Core<G> {
    /// After each input: chance falls as soon as its seeds are there, and the match ends when it is over.
    pub(super) fn follow(&mut self) {
        let mut drawn = 0;
        while !self.troubled() {
            if self.resting.is_some() {
                self.run_or_stop();
                if self.resting.is_some() {
                    return;
                }
            }
            let Some(play) = &self.play else { return };
            if play.over.is_some() {
                return self.finish();
            }
            if self.watch.since.is_none() {
                return;
            }
            let Status::Chance(need) = play.truth.status() else { return };
            if !self.draw(&need) {
                return;
            }
            drawn += 1;
            if drawn == MOST_DRAWS {
                return self.confuse("its rules ask for chance for ever");
            }
        }
    }

    /// Binds the server to a new seed for `deal`.
    pub(super) fn bind(&self, deal: u16) -> (Notes<G>, Then) {
        let seed = Bytes32(self.env.host.random());
        let hash = commitment(&seed);
        (vec![Note::Commit { deal, hash }, Note::Secret { deal, seed }], Then::Committed { deal, hash })
    }

    /// The seeds of the deals before `before`, which have ended, to be shown.
    pub(super) fn reveal(&self, before: u16) -> (Notes<G>, Vec<Then>) {
        let ended = self.play.as_ref().map_or(Vec::new(), |p| p.seeds.unrevealed(before));
        let notes = ended.iter().map(|&(deal, seed)| Note::Reveal { deal, seed }).collect();
        (notes, ended.into_iter().map(|(deal, seed)| Then::Revealed { deal, seed }).collect())
    }

    /// Draws what the rules need, if the seeds of the deal are settled or need not be waited for. False while they are.
    pub(super) fn draw(&mut self, need: &game::Need) -> bool {
        if let Some(trial) = &self.settings.trial {
            let draw = trial.answer(need, self.chairs.len() as u8);
            let notes = vec![Note::Asked { need: need.clone() }];
            if let Err(refusal) = self.judge_now(Cause::Host, Input::Draw(draw), notes) {
                self.confuse(&format!("what was drawn was refused: {refusal}"));
                return false;
            }
            return true;
        }
        let deal = fair::deal(need);
        let now = self.now();
        if self.play.as_ref().is_some_and(|p| p.seeds.get(deal).is_none()) {
            let (mut notes, mut then) = self.reveal(deal);
            let (bound, committed) = self.bind(deal);
            notes.extend(bound);
            then.push(committed);
            self.note(Cause::Host, notes, then);
        }
        let waits: Vec<bool> = (0..self.chairs.len())
            .map(|i| self.chairs[i].person().is_some() && self.connected(Seat(i as u8)))
            .collect();
        let Some(seeds) = self.play.as_mut().and_then(|p| p.seeds.get_mut(deal)) else { return false };
        let mut notes = Vec::new();
        if !seeds.settled {
            let until = self.seeds_until.filter(|(d, _)| *d == deal).map(|(_, until)| until);
            if !seeds.closed {
                let missing =
                    waits.iter().zip(&seeds.offered).any(|(waits, offer)| *waits && offer.is_none());
                let until = until.unwrap_or(now + SEEDS);
                if missing && now < until {
                    self.seeds_until = Some((deal, until));
                    return false;
                }
                seeds.closed = true;
                self.seeds_until = Some((deal, now + SEEDS));
                // Whoever could have had a part and has none is written down: else nobody could tell that they were left out.
                let bound: Notes<G> = (0..)
                    .zip(waits.iter().zip(&seeds.offered))
                    .filter_map(|(i, (waits, offered))| match offered {
                        Some(hash) => Some(Note::ClientCommit { deal, seat: Seat(i), hash: *hash }),
                        None => waits.then_some(Note::Unbound { deal, seat: Seat(i) }),
                    })
                    .collect();
                let (mut all, mut then) = self.reveal(deal);
                if !bound.is_empty() {
                    all.extend(bound);
                    then.push(Then::Open { deal });
                }
                if !all.is_empty() {
                    self.note(Cause::Host, all, then);
                }
                return self.draw(need);
            }
            let until = until.unwrap_or(now + SEEDS);
            if !seeds.all_shown() && now < until {
                self.seeds_until = Some((deal, until));
                return false;
            }
            self.seeds_until = None;
            seeds.opened.clone_from(&seeds.shown);
            for (i, bound) in (0..).zip(&seeds.commits) {
                if bound.is_some() {
                    let seat = Seat(i);
                    notes.push(match seeds.shown[usize::from(i)] {
                        Some(seed) => Note::Open { deal, seat, seed },
                        None => Note::Missing { deal, seat },
                    });
                }
            }
        }
        let first = !seeds.settled;
        let Some(play) = &mut self.play else { return false };
        let name = &play.name;
        let Some(draw) = play.seeds.get_mut(deal).and_then(|s| s.key(name)).map(|key| key.answer(need))
        else {
            self.confuse("the server's seed of this deal is not in the log");
            return false;
        };
        notes.push(Note::Asked { need: need.clone() });
        let mut committed = None;
        if first && play.seeds.get(deal + 1).is_none() {
            let (bound, then) = self.bind(deal + 1);
            notes.extend(bound);
            committed = Some(then);
        }
        if let Err(refusal) = self.judge_now(Cause::Host, Input::Draw(draw), notes) {
            self.confuse(&format!("what was drawn was refused: {refusal}"));
            return false;
        }
        if let (Some(last), Some(committed)) = (self.waiting.back_mut(), committed) {
            last.then.push(committed);
        }
        true
    }

    pub(super) fn seed(&mut self, from: Asker, given: SeedGiven) {
        let now_game = self.game;
        let Some(Viewer::Seat(seat)) = self.socket(from).map(|s| s.viewer) else { return };
        let Some(play) = &mut self.play else { return };
        let taken = match given {
            SeedGiven::Commit { game, deal, hash } => {
                game == now_game && play.seeds.offer(deal, seat.index(), hash)
            }
            SeedGiven::Open { game, deal, seed } => {
                game == now_game && play.seeds.show(deal, seat.index(), seed)
            }
        };
        if taken && self.seeds_until.is_some() {
            self.follow();
        }
    }

    /// The match is over: the last seeds are shown, and then everybody hears of it.
    pub(super) fn finish(&mut self) {
        if std::mem::replace(&mut self.finishing, true) {
            return;
        }
        let deal = self.play.as_ref().map_or(0, |p| p.deal);
        let (notes, mut then) = self.reveal(deal + 1);
        then.push(Then::Over);
        if notes.is_empty() {
            for then in then {
                self.then(then);
            }
        } else {
            self.note(Cause::Host, notes, then);
        }
    }

    /// Ends a match that nobody comes back to, without a result. Whether there was one to be ended.
    pub(crate) fn abandon(&mut self) -> bool {
        let on = self.stage == Stage::Playing && self.play.as_ref().is_some_and(|p| p.over.is_none());
        if !on || self.troubled() || !self.sockets.is_empty() {
            return false;
        }
        self.note(Cause::Keeper, vec![Note::Ended], Vec::new());
        self.finish();
        true
    }

    pub(super) fn over(&mut self) {
        self.stage = Stage::Over;
        self.resting = None;
        self.run_or_stop();
        self.ending = SeatSet::NONE;
        for (chair, bot) in self.chairs.iter_mut().zip(&mut self.bots) {
            chair.ready = false;
            chair.bot_plays = false;
            *bot = None;
        }
        self.changed = true;
        self.unsaved = true;
        if let Some(play) = &self.play {
            let outcome = match &play.over {
                Some(Over::Played(outcome)) => Some(outcome.clone()),
                _ => None,
            };
            self.jobs.push(Job::Finished(Finished {
                id: play.id,
                table: self.settings.id.clone(),
                seats: self.chairs.iter().map(|c| c.who.clone()).collect(),
                outcome,
                entries: play.ply,
            }));
        }
        self.note_without_seed();
        self.let_go();
    }

    /// Keeps how many deals had no part of somebody: it is told as long as nobody begins another match.
    pub(super) fn note_without_seed(&mut self) {
        let counts = self.play.as_ref().map(|play| &play.without_seed);
        self.without_seed = counts.filter(|n| n.iter().any(|n| *n > 0)).cloned().unwrap_or_default();
    }

    /// Nothing happens any more in a match that is over: whoever wants to see it finds it in its log.
    pub(super) fn let_go(&mut self) {
        self.let_go_at = None;
        self.play = None;
        self.recent = VecDeque::new();
        self.refused = VecDeque::new();
        self.events = Vec::new();
        self.rewant();
    }
}
