//! The rule sheet a player reads, generated from the rules as data: what it says is what the engine does.

use crate::{Loaded, Rules};
use game::option::{Row, Told};
use game::words;
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
        let place = format!("/{}", row.key.replace('.', "/"));
        rounds[&number].pointer(&place) != whole.pointer(&place)
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
        let mut more: Vec<String> = round.label.iter().cloned().collect();
        if !rules.settings.game.rounds.has(round.number) {
            more.push("not played unless chosen".to_owned());
        }
        sheet.line(&format!(
            "| {} | {} | {} | {} |",
            round.number,
            law.all_contract_words(),
            round.deal,
            more.join("; ")
        ));
    }
}

fn pattern_sheet(sheet: &mut Sheet, rules: &Arc<pattern::Rules>) {
    use pattern::options::{OPTIONS, Section, TOLD, Tell};
    let all = sentences(OPTIONS, TOLD, &Tell(rules.clone()), &[], |_, _| false);
    for section in Section::ALL {
        let lines: Vec<&String> =
            all.plain.iter().filter(|(of, _)| *of == section).map(|(_, text)| text).collect();
        if lines.is_empty() && section.always().is_empty() {
            continue;
        }
        sheet.head(section.head());
        section.always().iter().for_each(|line| sheet.say(line));
        lines.into_iter().for_each(|line| sheet.say(line));
    }
}
