//! The rule sheet a player reads, generated from the rules as data: what it says is what the engine does.

use crate::{Loaded, Rules};
use game::option::{Row, Told};
use game::words::{self, capital, count};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Loaded {
    /// The rule sheet, as Markdown, for a table of `seats` (what depends on the number of players is said for these; the
    /// fewest if none).
    ///
    /// # Errors
    /// Why the game cannot be played by so many.
    pub fn sheet(&self, seats: Option<u8>) -> Result<String, crate::Faults> {
        let seats = seats.unwrap_or_else(|| 4.clamp(self.info.players_min, self.info.players_max));
        Ok(self.sheet_of(&*self.rules(seats)?, seats))
    }

    /// The rule sheet for `seats`, of the rules that are theirs.
    pub(crate) fn sheet_of(&self, rules: &Rules, seats: u8) -> String {
        let info = &self.info;
        let mut sheet = Sheet(String::new());
        sheet.line(&format!("# {}", info.name));
        if !info.summary.is_empty() {
            sheet.para(&info.summary);
        }
        let (min, max) = (info.players_min, info.players_max);
        let players = match (min, max) {
            (1, 1) => "For one player.".to_owned(),
            _ if min == max => format!("For {min} players."),
            _ => format!("For {min} to {max} players."),
        };
        sheet.para(&if info.difficulty.is_empty() {
            players
        } else {
            format!("{players} Difficulty: {}.", info.difficulty)
        });
        if !info.note.is_empty() {
            sheet.para(&info.note);
        }
        if !info.reconstruction.is_empty() {
            sheet.para(&format!(
                "Reconstruction: no source was found for the following, which are ours: {}.",
                info.reconstruction
            ));
        }
        match rules {
            Rules::Contract(rules) => contract_sheet(&mut sheet, rules, &self.notes(seats)),
            Rules::Pattern(rules) => pattern_sheet(&mut sheet, rules),
        }
        sheet.line("");
        sheet.para(&format!(
            "`{}`{}",
            info.id,
            if info.base.is_empty() { String::new() } else { format!(", based on {}", info.base.join(", ")) }
        ));
        sheet.0
    }
}

struct Sheet(String);

impl Sheet {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
    fn para(&mut self, text: &str) {
        if !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
        self.line(text);
    }
    fn head(&mut self, text: &str) {
        self.para(&format!("## {text}"));
        self.0.push('\n');
    }
    /// A point of a list, as a sentence.
    fn say(&mut self, text: impl AsRef<str>) {
        self.line(&format!("- {}", text.as_ref()));
    }
    fn say_if(&mut self, when: bool, text: &str) {
        if when {
            self.say(text);
        }
    }
}

/// What the options of some rules come to in sentences.
struct Sentences<S> {
    /// Those of the whole match, each with its section.
    plain: Vec<(S, String)>,
    /// Those that hold in some rounds only.
    of_rounds: Vec<(Vec<u16>, Vec<String>)>,
}

/// Asks every option for its sentence: for the match, and for each round that is played. `sets` says whether a round sets
/// an option otherwise than the match.
fn sentences<S: Copy, T>(
    rows: &[Row],
    told: &[Told<S, T>],
    of_match: &T,
    of_rounds: &[(u16, T)],
    sets: impl Fn(&Row, u16) -> bool,
) -> Sentences<S> {
    let mut all = Sentences { plain: Vec::new(), of_rounds: Vec::new() };
    for (row, told) in rows.iter().zip(told) {
        let Told::Says(section, sentence) = told else { continue };
        let rounds: Vec<(u16, Option<String>)> = of_rounds
            .iter()
            .filter(|_| !row.whole_match)
            .map(|(number, round)| (*number, sentence(round)))
            .collect();
        let plain = match (sentence(of_match), rounds.first()) {
            (_, Some((_, first))) if rounds.iter().all(|(_, text)| text == first) => first.clone(),
            // What holds in no round that is played is not said, whatever the file sets for the match.
            (whole, Some(_)) if rounds.iter().all(|(_, text)| *text != whole) => None,
            (whole, _) => whole,
        };
        let mut others: Vec<u16> = Vec::new();
        let mut own: Vec<(String, Vec<u16>)> = Vec::new();
        for (number, text) in rounds.into_iter().filter(|(_, text)| *text != plain) {
            let text = match text {
                Some(text) => text,
                None if sets(row, number) => format!("{}: not in this round.", row.label),
                // What another option takes away is told there.
                None => continue,
            };
            others.push(number);
            match own.iter_mut().find(|(other, _)| *other == text) {
                Some((_, numbers)) => numbers.push(number),
                None => own.push((text, vec![number])),
            }
        }
        for (text, numbers) in own {
            match all.of_rounds.iter_mut().find(|(other, _)| *other == numbers) {
                Some((_, texts)) => texts.push(text),
                None => all.of_rounds.push((numbers, vec![text])),
            }
        }
        if let Some(plain) = plain {
            let but = match others.len() {
                0 => String::new(),
                1 => format!(" Round {} differs.", others[0]),
                _ => format!(" Rounds {} differ.", words::numbers(&others)),
            };
            all.plain.push((*section, plain + &but));
        }
    }
    all
}

fn contract_sheet(sheet: &mut Sheet, rules: &Arc<contract::Rules>, notes: &[String]) {
    use contract::options::{OPTIONS, Section, TOLD, Tell};
    let of_match = Tell::of_match(rules);
    let values = |settings| serde_json::to_value(settings).expect("settings are plain data");
    let whole = values(&rules.settings);
    let rounds: BTreeMap<u16, serde_json::Value> =
        rules.rounds.iter().map(|round| (round.number, values(&round.settings))).collect();
    let sets = |row: &Row, number: u16| {
        let of = |settings: &serde_json::Value| {
            row.key.split('.').try_fold(settings.clone(), |value, name| value.get(name).cloned())
        };
        of(&rounds[&number]) != of(&whole)
    };
    let mut all = sentences(OPTIONS, TOLD, &of_match, &Tell::of_rounds(rules), sets);
    for section in Section::ALL {
        let lines: Vec<&String> =
            all.plain.iter().filter(|(of, _)| *of == section).map(|(_, text)| text).collect();
        if lines.is_empty() {
            continue;
        }
        sheet.head(&section.head(&of_match));
        if section == Section::Contracts {
            contracts(sheet, rules);
            sheet.0.push('\n');
        }
        section.always(&of_match).iter().for_each(|line| sheet.say(line));
        lines.into_iter().for_each(|line| sheet.say(line));
        if section == Section::Contracts {
            notes.iter().for_each(|note| sheet.say(note));
        }
    }
    if !all.of_rounds.is_empty() {
        sheet.head("Rounds with rules of their own");
    }
    all.of_rounds.sort();
    for (numbers, lines) in &all.of_rounds {
        let word = if numbers.len() == 1 { "Round" } else { "Rounds" };
        sheet.para(&format!("### {word} {}", words::numbers(numbers)));
        sheet.0.push('\n');
        lines.iter().for_each(|line| sheet.say(line));
    }
}

/// The table of contracts.
fn contracts(sheet: &mut Sheet, rules: &contract::Rules) {
    sheet.line("| round | contract | cards dealt | |");
    sheet.line("| --- | --- | --- | --- |");
    for (n, round) in rules.rounds.iter().enumerate() {
        let law = rules.law(n);
        let contracts: Vec<String> = law.contracts.iter().map(|c| law.contract_text(c)).collect();
        let mut more: Vec<String> = round.label.iter().cloned().collect();
        if !rules.settings.game.rounds.has(round.number) {
            more.push("not played unless chosen".to_owned());
        }
        sheet.line(&format!(
            "| {} | {} | {} | {} |",
            round.number,
            contracts.join(", or "),
            round.deal,
            more.join("; ")
        ));
    }
}

fn pattern_sheet(sheet: &mut Sheet, rules: &pattern::Rules) {
    use cards::Deck;
    use pattern::rules::*;
    sheet.head("Cards");
    sheet.say(match rules.deck {
        Deck::D27 => {
            "27 cards: number, colour and symbol in three forms each; the shading is always the same."
                .to_owned()
        }
        Deck::D81 => "81 cards: number, colour, shading and symbol in three forms each.".to_owned(),
        Deck::D243 => {
            "243 cards: number, colour, shading, symbol and background in three forms each.".to_owned()
        }
    });
    sheet.say("Three cards are a Set if each feature is the same on all three, or different on all three. Where two have it and one has not, it is no Set.");
    match rules.pattern {
        Pattern::Set => {}
        Pattern::Super => sheet.say("Looked for is a SuperSET: four cards in two pairs for which one and the same card would complete a Set."),
        Pattern::Ultra1 => sheet.say("A Set counts if its cards lie all in one group, or one in each group."),
        Pattern::Ultra2 => sheet.say("A Set counts if the rows of its cards are all equal or all different, and the columns too."),
    }
    match rules.multiplicity {
        Multiplicity::Single => {}
        Multiplicity::Double => sheet.say("Two at once are claimed, without a common card."),
        Multiplicity::Eight => sheet
            .say("Three or four Sets at once are claimed; they may share cards, but cover eight or more."),
    }

    sheet.head("Play");
    match rules.mechanism {
        Mechanism::Race | Mechanism::Scout | Mechanism::Trial => {
            if rules.mechanism == Mechanism::Trial {
                sheet.say("Everybody plays the same shuffle on a board of their own, and sees how far the others are.");
                sheet.say(format!(
                    "The quickest wins; each wrong claim adds {} seconds.",
                    rules.wrong_penalty_s
                ));
            }
            let cards = usize::from(rules.base) * usize::from(rules.zones);
            sheet.say(match rules.zones {
                1 => format!("{cards} cards lie open; there are no turns."),
                zones => {
                    format!("{cards} cards lie open in {zones} groups of {}; there are no turns.", rules.base)
                }
            });
            sheet.say_if(
                rules.deal_style == DealStyle::Progressive,
                "The first cards are laid one by one, and calls are allowed meanwhile.",
            );
            if rules.hand > 0 {
                sheet.say(format!(
                    "Everybody has {} too, {}.",
                    count(rules.hand, "personal card", "personal cards"),
                    if rules.hand_visibility == HandVisibility::Public {
                        "open to all"
                    } else {
                        "seen by nobody else"
                    }
                ));
                sheet.say("A claim takes cards from the own hand and the layout in any mix.");
                sheet.say_if(rules.hand_refill, "Used personal cards are replaced first, then the layout.");
            }
            sheet.say_if(
                rules.sources == Sources::Previous,
                "After your first Set, every claim must use exactly one card of your previous one.",
            );
            sheet.say(match rules.entry {
                Entry::Call => format!(
                    "Who sees one calls, and then has {} seconds to show it; nobody else may call meanwhile.",
                    rules.call_timeout_s
                ),
                Entry::Tap => "Tap the cards: the first right claim counts.".to_owned(),
            });
            if rules.mechanism == Mechanism::Scout {
                sheet.say("The finder seals a Set and points at one of its cards. The others race to name a second card of it.");
                sheet.say("Who names one takes it, the finder the other two. Who shows another Set with the card pointed at takes two cards of it, and the finder the sealed three.");
                sheet.say("A wrong scout loses a card and is out of this search. If all pass, the finder takes the Set, if it is one; else the finder loses a card and is frozen until another Set is found.");
            }
            sheet.say_if(rules.tie == Tie::Shared, &format!("Calls within {} ms of the first count as one: each keeps the own Set, but cards named twice go to the rubbish heap.", rules.tie_window_ms));
            sheet.say_if(
                rules.removed == Removed::One,
                "Only one card of the Set leaves, chosen by the caller.",
            );
            sheet.say(match rules.to {
                To::Collected => "The cards of a right claim are collected, and the layout is filled up from the stock.",
                To::Discard => "The cards of a right claim go to a common pile; those from the table are replaced, personal ones are not.",
            });
            sheet.say_if(
                rules.dealer == Dealer::SitsOut,
                "The dealer of a deal sits out, where three or more play.",
            );
            match rules.penalty {
                Penalty::None => sheet.say("A wrong claim costs nothing but a short wait."),
                Penalty::Point => sheet.say("A wrong claim costs a point."),
                Penalty::HeapSet => {
                    sheet.say("A wrong claim costs a point, paid with a collected Set where there is one.")
                }
                Penalty::Draw => sheet
                    .say(format!("A wrong claim costs one more personal card, up to {}.", rules.hand_max)),
                Penalty::Seconds => {
                    sheet.say(format!("A wrong claim adds {} seconds.", rules.wrong_penalty_s))
                }
                Penalty::LoseCard => {}
            }
            sheet.say(match rules.no_claim {
                NoClaim::Agree => "When all agree that there is none, more cards are laid.",
                NoClaim::AgreeChecked => {
                    "When all agree that there is none, and that is so, more cards are laid."
                }
                NoClaim::Auto => "When there is none, more cards are laid by themselves.",
            });
            sheet.say(match rules.end {
                End::StockAndNoClaim => "A deal ends when the stock is used up and nobody has a claim.",
                End::FirstNoClaimLoses => {
                    "The first time the layout holds none while cards are left, the game is lost."
                }
                End::HandEmpty => "A deal ends when somebody has no personal cards left.",
                End::Goal => "The game ends when the goal is reached.",
            });
        }
        Mechanism::Memory => {
            let cards = if rules.multiplicity == Multiplicity::Double { 6 } else { 3 };
            sheet.say(match rules.memory_layout {
                MemoryLayout::Full(_) => "All cards lie face down.".to_owned(),
                MemoryLayout::Slots(n) => {
                    format!("{n} cards lie face down and are filled up from the stock.")
                }
            });
            sheet.say(format!(
                "In turn, turn {} up, one after another; everybody sees them.",
                count(cards, "card", "cards")
            ));
            sheet.say(if rules.extra_turn {
                "Right: they are yours, and you play again."
            } else {
                "Right: they are yours."
            });
            sheet.say("Wrong: they turn down again where they lie.");
        }
        Mechanism::Setup => {
            sheet
                .say(format!("Everybody has {} and the table is empty.", count(rules.hand, "card", "cards")));
            sheet.say("In turn, play a card to the table and draw another.");
            sheet.say("Anybody else may challenge by naming two table cards that make a Set with it: then its player takes the whole table as penalty.");
            sheet.say("Whoever has taken most cards loses.");
        }
        Mechanism::Puzzle => sheet.say(format!(
            "Find all {} in the layout; cards stay, and may be used again.",
            count(rules.puzzle_sets, "Set", "Sets")
        )),
    }

    sheet.head("Score");
    sheet.say(match rules.score {
        _ if rules.mechanism == Mechanism::Setup => "The fewest cards taken win.",
        Score::Sets => "A point for each.",
        Score::Claims => "A point for each claim.",
        Score::Cards => "A point for each card collected.",
        Score::Time => "The time counts, then the errors.",
        Score::OthersCards => "Who is rid of all cards scores one for each personal card of the others.",
    });
    sheet.say(match rules.deals {
        Deals::Count(1) => "One deal.".to_owned(),
        Deals::Count(n) => format!("{} add up.", capital(&count(n, "deal", "deals"))),
        Deals::EachDealer => "One deal for each player as dealer; the scores add up.".to_owned(),
        Deals::ToPoints(n) => format!("Deals follow until somebody has {n} points."),
        Deals::ToPointsEach(n) => format!("Deals follow until somebody has {n} points for each player."),
    });
}
