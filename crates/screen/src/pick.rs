//! What somebody has picked of a layout, and when that becomes a call or a claim.

use cards::Point;
use pattern::offers::Shape;
use pattern::race::State;
use pattern::{Act, Claim, Command, Offers};
use words::{Tongue, said};

/// The cards picked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picker {
    picked: Vec<Point>,
    /// Sets already put together, where several are claimed one by one.
    groups: Vec<[Point; 3]>,
    /// Whether a claim is on its way.
    sent: bool,
}

impl Picker {
    /// Whether a claim is on its way, so that nothing more is picked.
    #[must_use]
    pub fn is_sent(&self) -> bool {
        self.sent
    }

    /// Whether nothing is picked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.picked.is_empty() && self.groups.is_empty()
    }

    /// Keeps what is picked in step with what lies open: only cards that have gone are dropped. Whether any were.
    pub fn keep(&mut self, open: &[Point]) -> bool {
        let before = (self.picked.len(), self.groups.len());
        self.picked.retain(|card| open.contains(card));
        self.groups.retain(|set| set.iter().all(|card| open.contains(card)));
        before != (self.picked.len(), self.groups.len())
    }

    /// Picks nothing: a verdict, or a refusal, has ended the claim.
    pub fn clear(&mut self) {
        *self = Picker::default();
    }

    /// Whether a card is picked, and the number printed on it where the order matters.
    #[must_use]
    pub fn place(&self, shape: Shape, card: Point) -> Option<Option<usize>> {
        if let Some(group) = self.groups.iter().position(|set| set.contains(&card)) {
            return Some(Some(group + 1));
        }
        let at = self.picked.iter().position(|&one| one == card)?;
        Some(match shape {
            Shape::Pairs(_) => Some(at / 2 + 1),
            Shape::Groups { size, .. } => Some(at / size + 1),
            Shape::Sets => Some(self.groups.len() + 1),
            _ => None,
        })
    }

    /// What to do next, while the own call stands.
    #[must_use]
    pub fn hint(&self, tongue: &dyn Tongue, shape: Shape, offers: &Offers) -> String {
        let n = self.picked.len();
        let more = |of: usize| said!(tongue, "race.pick_more", n = of.saturating_sub(n));
        match shape {
            // What was found is sealed: the search begins in a moment.
            Shape::Points if !offers.open(Act::Seal) => said!(tongue, "scout.sealed"),
            Shape::Points if n == 3 => said!(tongue, "scout.point"),
            Shape::Leaves { .. } if n == 3 => said!(tongue, "race.leaves"),
            Shape::Sets => said!(tongue, "race.pick_sets", n = self.groups.len()),
            Shape::Cards(most) => more(most),
            Shape::Groups { size, groups } => more(size * groups),
            Shape::Pairs(pairs) => said!(tongue, "race.pick_pairs", n = (pairs * 2).saturating_sub(n)),
            _ => more(3),
        }
    }

    /// A card was pressed: the commands that come of it, in order.
    pub fn press(&mut self, shape: Shape, state: &State, offers: &Offers, card: Point) -> Vec<Command> {
        if self.sent {
            return Vec::new();
        }
        // A scout names one card, or shows one.
        if state.search.is_some() {
            let named = [(Act::Show, Command::Show(card)), (Act::Scout, Command::Scout(card))];
            return named
                .into_iter()
                .find(|(act, _)| offers.open(*act))
                .map(|(_, command)| command)
                .into_iter()
                .collect();
        }
        let three: Option<[Point; 3]> = self.picked.clone().try_into().ok();
        match (shape, three) {
            (Shape::Leaves { .. }, Some(cards)) if cards.contains(&card) => {
                return self.go(Command::Claim { groups: Claim::one(&cards), leaves: Some(card) });
            }
            (Shape::Points, Some(cards)) if cards.contains(&card) => {
                return self.go(Command::Seal { cards, points: card });
            }
            (Shape::Leaves { .. } | Shape::Points, Some(_)) => return Vec::new(),
            _ => {}
        }
        if self.picked.contains(&card) {
            self.picked.retain(|&one| one != card);
            return Vec::new();
        }
        let waits = offers.has(Act::Call)
            && ![Act::Call, Act::Claim, Act::Seal].into_iter().any(|act| offers.open(act));
        let count = self.picked.len() + 1;
        let complete = match shape {
            Shape::Cards(n) => count >= n,
            Shape::Groups { size, groups } => count >= size * groups,
            Shape::Pairs(pairs) => count >= pairs * 2,
            _ => false,
        };
        // While somebody else's call stands, or one is locked out, cards may be remembered, but nothing is sent.
        if waits && complete {
            return Vec::new();
        }
        self.picked.push(card);
        if waits {
            return Vec::new();
        }
        let mut commands: Vec<Command> = call(offers).into_iter().collect();
        match shape {
            Shape::Sets if count == 3 => {
                self.groups.extend(<[Point; 3]>::try_from(std::mem::take(&mut self.picked)))
            }
            Shape::Leaves { chosen: false } if count == 3 => {
                commands.extend(self.go(Command::claim(Claim::one(&self.picked))));
            }
            _ if complete => commands.extend(self.claim(shape)),
            _ => {}
        }
        commands
    }

    /// Whether a button sends what is picked.
    #[must_use]
    pub fn can_claim(&self, shape: Shape) -> bool {
        !self.sent
            && match shape {
                Shape::Sets => self.groups.len() >= 3,
                Shape::Loose => self.picked.len() >= 8,
                _ => false,
            }
    }

    /// What that button says.
    #[must_use]
    pub fn claim_label(&self, tongue: &dyn Tongue, shape: Shape) -> String {
        match shape {
            Shape::Sets => said!(tongue, "race.claim_sets", n = self.groups.len()),
            _ => said!(tongue, "race.claim"),
        }
    }

    /// Claims what is picked.
    pub fn claim(&mut self, shape: Shape) -> Vec<Command> {
        let claim = match shape {
            Shape::Pairs(_) => Claim::of(self.picked.chunks(4)).map(|mut claim| {
                claim.set_paired();
                claim
            }),
            Shape::Groups { size, .. } => Claim::of(self.picked.chunks(size)),
            Shape::Sets => Claim::of(self.groups.iter().map(|set| &set[..])),
            _ => Some(Claim::one(&self.picked)),
        };
        claim.map(|claim| self.go(Command::claim(claim))).unwrap_or_default()
    }

    fn go(&mut self, command: Command) -> Vec<Command> {
        self.sent = true;
        vec![command]
    }
}

/// The call, if that is how this table begins a claim, and one may be made now.
#[must_use]
pub fn call(offers: &Offers) -> Option<Command> {
    offers.open(Act::Call).then_some(Command::Call)
}

/// Picks a thing, or picks it no longer.
pub fn toggle<T: PartialEq>(picked: &mut Vec<T>, one: T) {
    match picked.iter().position(|other| *other == one) {
        Some(at) => _ = picked.remove(at),
        None => picked.push(one),
    }
}

/// A card on the table of SETup was pressed: with the second one whoever played last is challenged (SETUP-4). Their card
/// completes the Set, and is not picked.
pub fn challenge(
    state: &pattern::setup_game::State,
    offers: &Offers,
    picked: &mut Vec<Point>,
    card: Point,
) -> Option<Command> {
    if !offers.open(Act::Challenge) || state.last.is_some_and(|last| last.card == card) {
        return None;
    }
    toggle(picked, card);
    let [one, other] = picked[..] else { return None };
    picked.clear();
    Some(Command::Challenge([one, other]))
}

/// A card of a puzzle was pressed: the claim, once as many are picked as a pattern has (DAILY-1).
///
/// # Errors
/// The words for why nothing is claimed: it has been found already, and would change nothing.
pub fn puzzle(
    view: &pattern::puzzle::View,
    picked: &mut Vec<Point>,
    card: Point,
) -> Result<Option<Command>, &'static str> {
    toggle(picked, card);
    let size = if let Shape::Cards(size) = view.rules.claim_shape() { size } else { 3 };
    if picked.len() < size {
        return Ok(None);
    }
    let cards = std::mem::take(picked);
    let found = |claim: &Claim| cards.iter().all(|card| claim.cards().contains(card));
    if view.state.found.iter().any(found) {
        return Err("puzzle.again");
    }
    Ok(Some(Command::claim(Claim::one(&cards))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::laws::Run;
    use game::{Game, Millis, Seat, Viewer};
    use pattern::rules::Entry;
    use pattern::{Match, View};
    use rulebook::Rules;
    use std::sync::Arc;

    /// Presses cards of the first layout of a game, `a` the first of them, and writes down what comes of each press, with the cards
    /// as these letters.
    #[track_caller]
    fn check(game: &str, entry: Entry, presses: &str, expected: &str) {
        let loaded = rulebook::preset(game).unwrap();
        let seats = loaded.info.players_min.max(2);
        let Rules::Pattern(rules) = (*loaded.rules(seats).unwrap()).clone() else {
            panic!("{game} is no game of Set")
        };
        let rules = Arc::new(pattern::Rules { entry, ..(*rules).clone() });
        let (shape, deck) = (rules.claim_shape(), rules.deck);
        let mut run = Run::new(Match::open(rules, seats).unwrap(), 1);
        run.settle().unwrap();
        let View::Race(view) = run.game().view(Viewer::Seat(Seat(0))) else { panic!("{game} is no race") };
        let View::Race(of) = run.game().view(Viewer::Seat(Seat(0))) else { unreachable!() };
        let offers = of.offers(Millis(60_000));
        let cards: Vec<Point> = view.state.board.cards().collect();
        let mut picker = Picker::default();
        let mut told = Vec::new();
        for letter in presses.bytes() {
            let commands = picker.press(shape, &view.state, &offers, cards[usize::from(letter - b'a')]);
            let mut said = commands.iter().map(|command| command.text(deck)).collect::<Vec<_>>().join(", ");
            for (letter, &card) in ('a'..).zip(&cards) {
                said = said.replace(&deck.text(card), &letter.to_string());
            }
            told.push(said);
        }
        assert_eq!(told.join("; "), expected, "{game}");
    }

    #[test]
    fn the_last_card_sends_the_claim() {
        check("quick", Entry::Tap, "abc", "; ; claim a b c");
        // What is pressed twice is not meant.
        check("quick", Entry::Tap, "abbc", "; ; ; ");
        check("quick", Entry::Tap, "abbcd", "; ; ; ; claim a c d");
        // It is on its way: nothing more is picked.
        check("quick", Entry::Tap, "abcd", "; ; claim a b c; ");
        check("superset-h", Entry::Tap, "abcd", "; ; ; claim a b c d");
    }

    #[test]
    fn where_one_calls_first_the_first_card_does() {
        check("set-classic", Entry::Call, "abc", "call; call; call, claim a b c");
    }

    #[test]
    fn a_claim_of_several_is_put_together_in_order() {
        check("double", Entry::Tap, "abcdef", "; ; ; ; ; claim a b c d e f");
        check("superset-w", Entry::Tap, "abcd", "; ; ; claim a b + c d");
        check("complex", Entry::Tap, "abcdb", "; ; ; ; claim a b c leaves b");
    }
}
