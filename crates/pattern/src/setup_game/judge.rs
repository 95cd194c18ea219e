//! Whether a seat may do something now, and the refusal if not. The truth and the views judge by this.

use super::state::{Played, State};
use crate::command::Command;
use crate::frame::roster::Stage;
use crate::offers::{self, Act, Asked, Needs};
use crate::rules::Rules;
use cards::Point;
use game::{Millis, Refusal, Say, say};

/// What a seat knows, asked for what that seat may do.
pub(super) type Judge<'a> = Asked<'a, State>;

impl Judge<'_> {
    fn deal_goes_on(&self) -> Result<(), Refusal> {
        if self.state.roster.stage != Stage::Playing {
            return Err(Refusal::new(&["SETUP-3", "CORE-3"], say!("no_pattern.no_deal")));
        }
        Ok(())
    }

    /// Refuses to play a card; with none, whichever it were.
    fn play(&self, at: Millis, card: Option<Point>) -> Result<(), Refusal> {
        self.deal_goes_on()?;
        let (state, rules) = (self.state, self.rules);
        let (mut ids, mut why) = (Vec::new(), None::<Say>);
        if self.seat != state.turn {
            ids.push("SETUP-3");
            why.get_or_insert(say!("no.not_your_turn"));
        }
        let held = state.hands[self.seat.index()].cards();
        if let Some(card) = card.filter(|card| !held.contains(card)) {
            ids.extend(["SETUP-3", "SETUP-2"]);
            why.get_or_insert(say!("no_pattern.not_held", card = rules.deck.text(card)));
        }
        if !state.may_play(rules, at) {
            ids.extend(["SETUP-7", "A-37"]);
            why.get_or_insert(say!("no_pattern.may_be_challenged"));
        }
        ids.dedup();
        why.map_or(Ok(()), |why| Err(Refusal::new(&ids, why)))
    }

    /// The card that may be challenged now.
    fn may_challenge(&self) -> Result<Played, Refusal> {
        self.deal_goes_on()?;
        let state = self.state;
        let refuse = |ids: &[&'static str], say: Say| Err(Refusal::new(ids, say));
        let Some(last) = state.last else {
            return refuse(&["SETUP-4", "SETUP-6", "SETUP-7"], say!("no_pattern.none_to_challenge"));
        };
        if self.seat == last.seat {
            return refuse(&["SETUP-4"], say!("no_pattern.own_card"));
        }
        if state.locked.has(self.seat) {
            return refuse(&["SETUP-8", "A-38"], say!("no_pattern.challenged_wrongly"));
        }
        if state.passed.has(self.seat) {
            return refuse(&["SETUP-7", "SETUP-4"], say!("no_pattern.let_stand"));
        }
        Ok(last)
    }

    /// The card that may be challenged with these.
    pub fn challenge(&self, named: [Point; 2]) -> Result<Played, Refusal> {
        let last = self.may_challenge()?;
        if let Some(&card) = named.iter().find(|card| !self.state.table.contains(card)) {
            let card = self.rules.deck.text(card);
            return Err(Refusal::new(&["SETUP-4", "Q-01"], say!("no_pattern.not_on_table", card = card)));
        }
        if named[0] == named[1] || named.contains(&last.card) {
            return Err(Refusal::new(&["SETUP-4", "SETUP-6", "Q-01"], say!("no_pattern.name_two_others")));
        }
        Ok(last)
    }

    /// Refuses to let a card stand.
    fn pass(&self) -> Result<(), Refusal> {
        self.deal_goes_on()?;
        let refuse = |say: Say| Err(Refusal::new(&["SETUP-7", "SETUP-4"], say));
        let Some(last) = self.state.last else { return refuse(say!("no_pattern.none_to_let_stand")) };
        if self.seat == last.seat {
            return refuse(say!("no_pattern.own_card"));
        }
        if self.state.passed.has(self.seat) {
            return refuse(say!("no_pattern.let_stand"));
        }
        Ok(())
    }
}

impl offers::Judge for Judge<'_> {
    fn rules(&self) -> &Rules {
        self.rules
    }

    fn judge(&self, at: Millis, command: &Command) -> Result<(), Refusal> {
        self.state.roster.may_act(self.seat, "SETUP-10")?;
        match *command {
            Command::Ready => self.state.roster.may_be_ready(self.seat),
            Command::Play(card) => self.play(at, Some(card)),
            Command::Challenge(named) => self.challenge(named).map(drop),
            Command::Pass => self.pass(),
            _ => Err(Refusal::new(&["SETUP-3", "SETUP-4", "4.1"], say!("no_pattern.setup_only"))),
        }
    }

    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal> {
        self.state.roster.may_act(self.seat, "SETUP-10")?;
        match act {
            Act::Play => {
                self.play(at, None)?;
                Ok(Needs::Card(self.state.hands[self.seat.index()].cards().to_vec()))
            }
            Act::Challenge => {
                let last = self.may_challenge()?;
                let others = self.state.table.iter().copied().filter(|&card| card != last.card);
                Ok(Needs::Two(others.collect()))
            }
            _ => self.judge(at, &act.any()).map(|()| Needs::Nothing),
        }
    }
}
