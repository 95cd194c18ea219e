//! The rule sheet a player reads, generated from the rules as data: what it says is what the engine does.

use crate::{Family, Loaded, Rules};
use game::option::{Row, Told};
use game::words;
use game::{Say, say};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// A rule sheet in no language yet: its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RuleSheet")]
pub struct Sheet {
    /// From the top.
    pub lines: Vec<Line>,
}

/// A line of a rule sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "RuleSheetLine")]
pub struct Line {
    /// What stands before it in Markdown: `## `, `- `, empty lines.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub mark: String,
    /// What it says; the key is empty where it says nothing.
    #[serde(default, skip_serializing_if = "Say::is_empty")]
    pub say: Say,
    /// What it shows in cards; nothing in Markdown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shows: Vec<crate::Picture>,
}

impl Loaded {
    /// The rule sheet, as Markdown in English, for a table of `seats` (what depends on the number of players is said for these;
    /// the fewest if none).
    ///
    /// # Errors
    /// Why the game cannot be played by so many.
    pub fn sheet(&self, seats: Option<u8>) -> Result<String, crate::Faults> {
        self.sheet_to_say(seats).map(|sheet| sheet.to_string())
    }

    /// The rule sheet in no language, to be said in any.
    ///
    /// # Errors
    /// Why the game cannot be played by so many.
    pub fn sheet_to_say(&self, seats: Option<u8>) -> Result<Sheet, crate::Faults> {
        let seats = seats.unwrap_or_else(|| 4.clamp(self.info.players_min, self.info.players_max));
        Ok(self.sheet_of(&*self.rules(seats)?, seats))
    }

    /// The rule sheet for `seats`, of the rules that are theirs.
    pub(crate) fn sheet_of(&self, rules: &Rules, seats: u8) -> Sheet {
        let info = &self.info;
        let mut sheet = Sheet::default();
        sheet.line("# ", self.own("name", &info.name));
        if !info.summary.is_empty() {
            sheet.para(self.own("summary", &info.summary));
        }
        let (min, max) = (info.players_min, info.players_max);
        let players = match (min, max) {
            (1, 1) => say!("rule.players.alone"),
            _ if min == max => say!("rule.players.just", n = min),
            _ => say!("rule.players.from_to", min = min, max = max),
        };
        sheet.para(if info.difficulty.is_empty() {
            players
        } else {
            let key = format!("difficulty.{}", info.difficulty);
            let difficulty = Say::apart(key, info.difficulty.clone());
            say!("rule.difficulty", players = players, difficulty = difficulty)
        });
        if !info.note.is_empty() {
            sheet.para(self.own("note", &info.note));
        }
        if !info.reconstruction.is_empty() {
            sheet.para(say!("rule.reconstruction", what = self.own("reconstruction", &info.reconstruction)));
        }
        let (known, differs) = self.differs(rules, seats);
        if !differs.is_empty() {
            sheet.head("## ", say!("rule.differs.head", game = known));
            differs.into_iter().for_each(|line| sheet.say(line));
        }
        match rules {
            Rules::Contract(rules) => contract_sheet(&mut sheet, rules, self.notes(seats)),
            Rules::Pattern(rules) => pattern_sheet(&mut sheet, rules),
        }
        for (chapter, pictures) in crate::pictures::of(rules) {
            sheet.illustrate(chapter, pictures);
        }
        let departures = crate::departures::of(&info.id, rules);
        if !departures.is_empty() {
            sheet.head("## ", say!("rule.departs.head"));
            departures.into_iter().for_each(|line| sheet.say(line));
        }
        sheet.line("", Say::default());
        sheet.para(if info.base.is_empty() {
            say!("rule.id", id = info.id.clone())
        } else {
            say!("rule.id_based", id = info.id.clone(), base = info.base.join(", "))
        });
        sheet
    }

    /// For who knows the game from which its family starts: that game's name, and the few sentences that change play most.
    fn differs(&self, rules: &Rules, seats: u8) -> (Say, Vec<Say>) {
        let Some(known) =
            crate::preset(self.info.family.known()).ok().filter(|known| known.info.id != self.info.id)
        else {
            return Default::default();
        };
        let seats = seats.clamp(known.info.players_min, known.info.players_max);
        let Ok(theirs) = known.rules(seats) else { return Default::default() };
        let mut found: Vec<(Say, Say)> =
            crate::differs::of_rounds(rules, &theirs).into_iter().map(|say| (say.clone(), say)).collect();
        match (rules, &*theirs) {
            (Rules::Contract(ours), Rules::Contract(theirs)) => {
                use contract::options::{Section, Tell};
                let of_match = Tell::of_match(ours);
                let known = contract_sentences(theirs, &Tell::of_match(theirs));
                let new = contract_sentences(ours, &of_match).otherwise_than(&known);
                found.extend(new.into_iter().map(|(bare, plain)| {
                    let plain = crate::differs::of_take(plain, &bare, Section::Takes.head(&of_match));
                    (bare, plain)
                }));
            }
            (Rules::Pattern(ours), Rules::Pattern(theirs)) => {
                found.extend(pattern_sentences(ours).otherwise_than(&pattern_sentences(theirs)));
            }
            _ => {}
        }
        let steps = crate::differs::most(found);
        (known.own("name", &known.info.name), steps)
    }

    /// What a rule file says of the game itself: what one of ours says is said in other languages, too; people keep their own
    /// words.
    fn own(&self, what: &str, english: &str) -> Say {
        let text = |info: &crate::Info| match what {
            "name" => info.name.clone(),
            "summary" => info.summary.clone(),
            "note" => info.note.clone(),
            _ => info.reconstruction.clone(),
        };
        let ours = |id: &&String| PRESETS.get(id.as_str()).is_some_and(|info| text(info) == english);
        let played = || crate::house::known(&self.info.id).is_some_and(|info| text(&info) == english);
        match std::iter::once(&self.info.id).chain(&self.info.base).find(ours) {
            Some(id) => Say::apart(format!("preset.{id}.{what}"), english.to_owned()),
            None if played() => Say::apart(format!("played.{}.{what}", self.info.id), english.to_owned()),
            None => say!("list.name", name = english.to_owned()),
        }
    }
}

/// What is said of the built-in games.
static PRESETS: LazyLock<BTreeMap<String, crate::Info>> = LazyLock::new(|| {
    let games = crate::presets().into_iter().filter_map(|id| crate::preset(id).ok());
    games.map(|game| (game.info.id.clone(), game.info)).collect()
});

/// As Markdown, in English.
impl std::fmt::Display for Sheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for Line { mark, say, .. } in &self.lines {
            f.write_str(mark)?;
            if !say.is_empty() {
                say.fmt(f)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl Sheet {
    fn line(&mut self, mark: &str, say: Say) {
        self.lines.push(Line { mark: mark.to_owned(), say, shows: Vec::new() });
    }
    /// Puts pictures beside the first point of a chapter, if there is one.
    fn illustrate(&mut self, chapter: &str, pictures: Vec<crate::Picture>) {
        let heads = |line: &Line| {
            line.mark == "## " && line.say.key.rsplit_once('.').is_some_and(|(_, last)| last == chapter)
        };
        let chapter = self.lines.iter_mut().skip_while(|line| !heads(line));
        if let Some(first) =
            chapter.skip(1).take_while(|line| line.mark != "## ").find(|line| line.mark == "- ")
        {
            first.shows = pictures;
        }
    }
    /// Nothing, where there is not an empty line already.
    fn gap(&mut self) {
        if !self.lines.last().is_some_and(|line| line.mark.is_empty() && line.say.is_empty()) {
            self.line("", Say::default());
        }
    }
    fn para(&mut self, say: Say) {
        self.gap();
        self.line("", say);
    }
    fn head(&mut self, mark: &str, say: Say) {
        self.gap();
        self.line(mark, say);
        self.line("", Say::default());
    }
    /// A point of a list, as a sentence.
    fn say(&mut self, say: Say) {
        self.line("- ", say);
    }
}

/// What the options of some rules come to in sentences.
struct Sentences<S> {
    /// Those of the whole match, each with its section.
    plain: Vec<(S, Say)>,
    /// Of each of those the option, and the sentence without a word on the rounds that differ.
    bare: Vec<(&'static str, Say)>,
    /// Those that hold in some rounds only.
    of_rounds: Vec<(Vec<u16>, Vec<Say>)>,
}

impl<S: Copy> Sentences<S> {
    /// Sentences that the other rules do not have, in the order of the options: each without a word on the rounds that differ,
    /// and with it.
    fn otherwise_than(self, other: &Self) -> Vec<(Say, Say)> {
        let new = |bare: &(&'static str, Say)| !other.bare.contains(bare);
        let all = self.bare.into_iter().zip(self.plain).filter(|(bare, _)| new(bare));
        all.map(|((_, bare), (_, plain))| (bare, plain)).collect()
    }
}

/// Asks every option for its sentence: for the match, and for each round that is played. `sets` says whether a round sets
/// an option otherwise than the match.
fn sentences<S: Copy, T>(
    family: Family,
    rows: &[Row],
    told: &[Told<S, T>],
    of_match: &T,
    of_rounds: &[(u16, T)],
    sets: impl Fn(&Row, u16) -> bool,
) -> Sentences<S> {
    let mut all = Sentences { plain: Vec::new(), bare: Vec::new(), of_rounds: Vec::new() };
    for (row, told) in rows.iter().zip(told) {
        let Told::Says(section, sentence) = told else { continue };
        let rounds: Vec<(u16, Option<Say>)> = of_rounds
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
        let mut own: Vec<(Say, Vec<u16>)> = Vec::new();
        for (number, text) in rounds.into_iter().filter(|(_, text)| *text != plain) {
            let text = match text {
                Some(text) => text,
                None if sets(row, number) => {
                    let key = format!("option.{}.{}.label", family.name(), row.key);
                    say!("rule.not_in_round", option = Say::apart(key, row.label))
                }
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
            all.bare.push((row.key, plain.clone()));
            let plain = match others[..] {
                [] => plain,
                [round] => say!("rule.one_differs", line = plain, n = round),
                _ => say!("rule.some_differ", line = plain, numbers = words::numbers_to_say(&others)),
            };
            all.plain.push((*section, plain));
        }
    }
    all
}

fn contract_sentences(
    rules: &Arc<contract::Rules>,
    of_match: &contract::options::Tell,
) -> Sentences<contract::options::Section> {
    use contract::options::{OPTIONS, TOLD, Tell};
    let values = |settings| serde_json::to_value(settings).expect("settings are plain data");
    let whole = values(&rules.settings);
    let rounds: BTreeMap<u16, serde_json::Value> =
        rules.rounds.iter().map(|round| (round.number, values(&round.settings))).collect();
    let sets = |row: &Row, number: u16| {
        let place = format!("/{}", row.key.replace('.', "/"));
        rounds[&number].pointer(&place) != whole.pointer(&place)
    };
    sentences(Family::Contract, OPTIONS, TOLD, of_match, &Tell::of_rounds(rules), sets)
}

fn contract_sheet(sheet: &mut Sheet, rules: &Arc<contract::Rules>, notes: Vec<Say>) {
    use contract::options::{Section, Tell};
    let of_match = Tell::of_match(rules);
    let mut all = contract_sentences(rules, &of_match);
    for section in Section::ALL {
        let lines: Vec<Say> =
            all.plain.iter().filter(|(of, _)| *of == section).map(|(_, say)| say.clone()).collect();
        if lines.is_empty() {
            continue;
        }
        sheet.head("## ", section.head(&of_match));
        if section == Section::Contracts {
            contracts(sheet, rules);
            sheet.line("", Say::default());
        }
        section.always(&of_match).into_iter().for_each(|line| sheet.say(line));
        lines.into_iter().for_each(|line| sheet.say(line));
        if section == Section::Contracts {
            notes.iter().for_each(|note| sheet.say(note.clone()));
        }
    }
    if !all.of_rounds.is_empty() {
        sheet.head("## ", say!("rule.contract.rounds.head"));
    }
    // No two have the same rounds.
    all.of_rounds.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (numbers, lines) in all.of_rounds {
        let head = match numbers[..] {
            [round] => say!("rule.contract.rounds.one", n = round),
            _ => say!("rule.contract.rounds.some", numbers = words::numbers_to_say(&numbers)),
        };
        sheet.head("### ", head);
        lines.into_iter().for_each(|line| sheet.say(line));
    }
}

/// The table of contracts.
fn contracts(sheet: &mut Sheet, rules: &contract::Rules) {
    // What there is to note of a round: a column that is empty everywhere would say nothing.
    let note = |round: &contract::RoundRules| {
        let label =
            round.label.as_ref().map(|label| Say::apart(format!("rule.label.{label}"), label.clone()));
        let unplayed = !rules.settings.game.rounds.has(round.number);
        label
            .into_iter()
            .chain(unplayed.then(|| say!("rule.contract.table.unplayed")))
            .reduce(|a, b| say!("rule.contract.table.also", a = a, b = b))
    };
    if rules.rounds.iter().any(|round| note(round).is_some()) {
        sheet.line("", say!("rule.contract.table.head_more"));
        sheet.line("| --- | --- | --- | --- |", Say::default());
    } else {
        sheet.line("", say!("rule.contract.table.head"));
        sheet.line("| --- | --- | --- |", Say::default());
    }
    for (n, round) in rules.rounds.iter().enumerate() {
        let (number, contract, cards) = (round.number, rules.law(n).all_contract_words(), round.deal);
        let row = match note(round) {
            Some(more) => {
                say!(
                    "rule.contract.table.row_more",
                    n = number,
                    contract = contract,
                    cards = cards,
                    more = more
                )
            }
            None => say!("rule.contract.table.row", n = number, contract = contract, cards = cards),
        };
        sheet.line("", row);
    }
}

fn pattern_sentences(rules: &Arc<pattern::Rules>) -> Sentences<pattern::options::Section> {
    use pattern::options::{OPTIONS, TOLD, Tell};
    sentences(Family::Pattern, OPTIONS, TOLD, &Tell(rules.clone()), &[], |_, _| false)
}

fn pattern_sheet(sheet: &mut Sheet, rules: &Arc<pattern::Rules>) {
    use pattern::options::Section;
    let all = pattern_sentences(rules);
    for section in Section::ALL {
        let lines: Vec<Say> =
            all.plain.iter().filter(|(of, _)| *of == section).map(|(_, say)| say.clone()).collect();
        if lines.is_empty() && section.always().is_empty() {
            continue;
        }
        sheet.head("## ", section.head());
        section.always().into_iter().for_each(|line| sheet.say(line));
        lines.into_iter().for_each(|line| sheet.say(line));
    }
}
