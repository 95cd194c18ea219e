//! A position of a record as a question for the solver: the address of its page with the board, or the hand, written into it.

use game::{Seat, Viewer};
use pattern::finder::Sought;
use pattern::race;
use pattern::rules::{Multiplicity, Sources};
use rulebook::{Rules, View};

/// The built-in game whose questions are answered as those of a match with these rules are: the very game, else the first
/// in which claims, or contracts and melds, are the same, whatever its clocks and scores. None for rules that somebody made up.
pub(crate) fn game_of(rules: &Rules, seats: u8) -> Option<&'static str> {
    let played = |id: &&'static str| {
        let loaded = rulebook::preset(id).ok()?;
        let seats = seats.clamp(loaded.info.players_min, loaded.info.players_max);
        loaded.rules(seats).ok()
    };
    let presets = rulebook::presets();
    let like = |alike: &dyn Fn(&Rules) -> bool| {
        presets.iter().copied().find(|id| played(id).is_some_and(|preset| alike(&preset)))
    };
    like(&|preset| preset == rules).or_else(|| like(&|preset| asks_the_same(preset, rules)))
}

fn asks_the_same(one: &Rules, other: &Rules) -> bool {
    match (one, other) {
        (Rules::Pattern(one), Rules::Pattern(other)) => {
            let asked = |rules: &pattern::Rules| {
                (Sought::from(rules), rules.sources, rules.zones, pattern::solve::zones(rules))
            };
            asked(one) == asked(other) && one.cards().eq(other.cards())
        }
        (Rules::Contract(one), Rules::Contract(other)) => {
            let rounds = one.rounds.len();
            rounds == other.rounds.len() && (0..rounds).all(|round| one.law(round) == other.law(round))
        }
        _ => false,
    }
}

/// The solver's page for what `who` sees; none where there is nothing to ask about.
pub(crate) fn path(game: &str, view: &View, who: Viewer) -> Option<String> {
    let fields: Vec<(&str, String)> = match view {
        View::Pattern(pattern::View::Race(view)) => layout(view, who)?,
        View::Pattern(pattern::View::Trial(view)) => layout(view.board.as_ref()?, who)?,
        View::Pattern(pattern::View::Puzzle(view)) => {
            let deck = view.rules.deck;
            vec![("cards", deck.text_all(&view.state.layout))]
        }
        View::Pattern(_) => return None,
        View::Contract(view) => {
            let pack = &view.compiled.pack;
            let hand: Vec<_> = view.hand.cards().collect();
            if hand.is_empty() {
                return None;
            }
            let melds: Vec<String> = view.board.melds.iter().map(|laid| laid.meld.text(pack)).collect();
            let round = u32::from(view.contract()) + 1;
            vec![("round", round.to_string()), ("hand", pack.text_all(&hand)), ("melds", melds.join("; "))]
        }
    };
    let said: Vec<String> = fields
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("{name}={}", in_address(text)))
        .collect();
    Some(format!("/solve/{game}?{}", said.join("&")))
}

/// What lies open in a race, and what this player alone may use.
fn layout(view: &race::View, who: Viewer) -> Option<Vec<(&'static str, String)>> {
    let (rules, state) = (&view.rules, &view.state);
    if state.board.is_empty() {
        return None;
    }
    let deck = rules.deck;
    // Zones stand apart only where it matters which one a card lies in.
    let text = state.board.text(deck);
    let words =
        |text: &str| text.split_whitespace().filter(|word| *word != "--").collect::<Vec<_>>().join(" ");
    let cards = if pattern::solve::zones(rules) > 1 { words(&text) } else { words(&text.replace('|', " ")) };
    let mut fields = vec![("cards", cards)];
    let player = match who {
        Viewer::Seat(Seat(n)) => state.players.get(usize::from(n)),
        Viewer::Table => None,
    };
    if let Some(player) = player {
        match rules.sources {
            Sources::Hand => fields.push(("hand", deck.text_all(player.hand.cards()))),
            Sources::Previous => {
                let each =
                    if rules.multiplicity == Multiplicity::Double { 3 } else { player.previous.len().max(1) };
                let sets: Vec<String> = player.previous.chunks(each).map(|set| deck.text_all(set)).collect();
                fields.push(("previous", sets.join(" / ")));
            }
            Sources::Layout => {}
        }
    }
    Some(fields)
}

/// A text as an address holds it.
fn in_address(text: &str) -> String {
    text.bytes().fold(String::new(), |mut out, byte| {
        match byte {
            b' ' => out.push('+'),
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
        out
    })
}
