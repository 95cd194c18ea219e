//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::State;
use crate::command::Command;
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::Rules;
use cards::Point;
use game::{Millis, Objections, Refusal, say};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    /// What keeps this seat from every act.
    fn may_act(&self) -> Result<Objections, Refusal> {
        self.state.roster.may_act(self.rules, self.seat, "SETUP-10")
    }

    /// Refuses, for these rules, what is done while a deal is played; whether it is.
    fn must_play(&self, no: &mut Objections, ids: &[&'static str]) -> bool {
        self.state.roster.must_play(no, ids, say!("no_pattern.no_deal"))
    }

    /// Refuses to play a card; with none, whichever it were.
    fn play(&self, no: &mut Objections, at: Millis, card: Option<Point>) {
        let (state, rules) = (self.state, self.rules);
        if !self.must_play(no, &["SETUP-3"]) {
            return;
        }
        no.when(self.seat != state.turn, &["SETUP-3"], || say!("no.not_your_turn"));
        let held = state.hands[self.seat.index()].cards();
        if let Some(card) = card.filter(|card| !held.contains(card)) {
            let card = rules.deck.text(card);
            no.object(&["SETUP-3", "SETUP-2"], say!("no_pattern.not_held", card = card));
        }
        let early = !state.may_play(rules, at);
        no.when(early, &["SETUP-7", "A-37"], || say!("no_pattern.may_be_challenged"));
    }

    /// Refuses to challenge the last card with these; with none, whichever they were.
    fn challenge(&self, no: &mut Objections, named: Option<[Point; 2]>) {
        let state = self.state;
        if !self.must_play(no, &["SETUP-3", "SETUP-4", "SETUP-7"]) {
            return;
        }
        if let Some(last) = state.last {
            no.when(self.seat == last.seat, &["SETUP-4"], || say!("no_pattern.own_card"));
            let locked = state.locked.has(self.seat);
            no.when(locked, &["SETUP-8", "A-38"], || say!("no_pattern.challenged_wrongly"));
            let passed = state.passed.has(self.seat);
            no.when(passed, &["SETUP-7", "SETUP-4"], || say!("no_pattern.let_stand"));
        } else {
            no.object(&["SETUP-4", "SETUP-6", "SETUP-7"], say!("no_pattern.none_to_challenge"));
        }
        let Some(named) = named else { return };
        if let Some(&card) = named.iter().find(|card| !state.table.contains(card)) {
            let card = self.rules.deck.text(card);
            no.object(&["SETUP-4", "Q-01"], say!("no_pattern.not_on_table", card = card));
        }
        let challenged = state.last.is_some_and(|last| named.contains(&last.card));
        no.when(named[0] == named[1] || challenged, &["SETUP-4", "SETUP-6", "Q-01"], || {
            say!("no_pattern.name_two_others")
        });
    }

    /// Refuses to let a card stand.
    fn pass(&self, no: &mut Objections) {
        if !self.must_play(no, &["SETUP-3", "SETUP-7", "SETUP-4"]) {
            return;
        }
        let ids = ["SETUP-7", "SETUP-4"];
        let Some(last) = self.state.last else {
            return no.object(&ids, say!("no_pattern.none_to_let_stand"));
        };
        no.when(self.seat == last.seat, &ids, || say!("no_pattern.own_card"));
        no.when(self.state.passed.has(self.seat), &ids, || say!("no_pattern.let_stand"));
    }
}

impl offers::Judge for Judge<'_> {
    fn rules(&self) -> &Rules {
        self.rules
    }

    fn judge(&self, at: Millis, command: &Command) -> Result<(), Refusal> {
        let mut no = self.may_act()?;
        match *command {
            Command::Ready => self.state.roster.may_be_ready(&mut no, self.seat),
            Command::Play(card) => self.play(&mut no, at, Some(card)),
            Command::Challenge(named) => self.challenge(&mut no, Some(named)),
            Command::Pass => self.pass(&mut no),
            _ => no.object(&["SETUP-3", "SETUP-4", "4.1"], say!("no_pattern.setup_only")),
        }
        no.settle()
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        let mut no = self.may_act()?;
        match act {
            Act::Play => {
                self.play(&mut no, at, None);
                no.settle()?;
                Ok(Needs::Card(self.state.hands[self.seat.index()].cards().to_vec()))
            }
            Act::Challenge => {
                self.challenge(&mut no, None);
                no.settle()?;
                let challenged = self.state.last.map(|last| last.card);
                let others = self.state.table.iter().copied().filter(|&card| Some(card) != challenged);
                Ok(Needs::Two(others.collect()))
            }
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }
}
