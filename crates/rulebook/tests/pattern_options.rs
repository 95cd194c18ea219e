//! No option of the Set family is accepted and ignored: in some built-in game the same players, with the same chance, come
//! to something else with each of its values. What is compared is all that is public: what is accepted or refused and in
//! which words, the events, the position and the next alarm.

mod common;

use game::chance::{Chance, SplitMix};
use game::written::Written;
use game::{Game, Input, Millis, Presence, Seat, Status, Timing, View as _, Viewer};
use rulebook::{Command, Match, OptionInfo, OptionType};
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};

/// Inputs of a match, and matches of a game.
const INPUTS: usize = 320;
const SEEDS: [u64; 2] = [7, 40];

/// A match under way, and a digest of all that could be seen of it.
struct Run {
    game: Match,
    now: Millis,
    chance: SplitMix,
    seen: DefaultHasher,
}

impl Run {
    fn input(&mut self, input: &Input<Command>) {
        let mut events = Vec::new();
        let mut text = match game::step(&mut self.game, self.now, input, &mut events) {
            Ok(()) => String::new(),
            Err(refusal) => format!("refused: {refusal}"),
        };
        for event in &events {
            let _ = write!(text, "{};", self.game.write_event(event));
        }
        let _ = write!(text, "{} {:?} {:?}", self.game.position(), self.game.alarm(), self.game.status());
        text.hash(&mut self.seen);
    }

    /// A claim like one that is offered, but with a card of another: mostly a wrong one.
    fn spoilt(&mut self, offered: &[Command]) -> Option<(Seat, Command)> {
        let claims: Vec<String> = offered
            .iter()
            .map(|c| self.game.write_command(c))
            .filter(|text| text.starts_with("claim"))
            .collect();
        let of = |run: &mut Run| claims.get(run.chance.below(claims.len().max(1) as u32) as usize).cloned();
        let (one, other) = (of(self)?, of(self)?);
        let seat = Seat(self.chance.below(self.game.seats().into()) as u8);
        if one.contains('/') && self.chance.below(2) == 0 {
            // Right, but not told apart.
            return Some((seat, self.game.read_command(seat, &one.replace(" /", "")).ok()?));
        }
        let card = other.split([' ', '+', '/', ',']).filter(|word| word.len() > 3).nth(1)?.to_owned();
        let last = one.split([' ', '+', '/', ',']).filter(|word| word.len() > 3).nth(3)?.to_owned();
        let text = one.replace(&last, &card);
        Some((seat, self.game.read_command(seat, &text).ok()?))
    }

    fn turn(&mut self) {
        if let Status::Chance(need) = self.game.status() {
            let draw = self.chance.answer(&need);
            return self.input(&Input::Draw(draw));
        }
        let dawdles = self.chance.below(12) == 0;
        self.now = self.now.after(self.chance.below(400));
        if let Some(alarm) = self.game.alarm().filter(|alarm| dawdles || alarm.due <= self.now) {
            self.now = self.now.max(alarm.due);
            return self.input(&Input::Ring(alarm.id));
        }
        if self.chance.below(60) == 0 {
            let seat = Seat(self.chance.below(self.game.seats().into()) as u8);
            let presence = [Presence::Dropped, Presence::Back, Presence::Left, Presence::Joined];
            let presence = presence[self.chance.below(4) as usize];
            return self.input(&Input::Presence(seat, presence));
        }
        let mut seats: Vec<Seat> = (0..self.game.seats()).map(Seat).collect();
        self.chance.shuffle(&mut seats);
        for seat in seats {
            let view = self.game.view(Viewer::Seat(seat));
            let offers = view.commands(self.now);
            if self.chance.below(6) == 0
                && let Some((_, wrong)) = self.spoilt(&offers.commands)
            {
                return self.input(&Input::Play(seat, wrong, Timing::at(self.now)));
            }
            if let Some(command) = common::choose(&view, offers, &mut self.chance) {
                return self.input(&Input::Play(seat, command, Timing::at(self.now)));
            }
        }
        if let Some(alarm) = self.game.alarm() {
            self.now = self.now.max(alarm.due);
            self.input(&Input::Ring(alarm.id));
        }
    }
}

/// What two matches of some rules come to; none where the file is not accepted.
fn played(text: &str) -> Option<u64> {
    let loaded = rulebook::house::load(text).ok()?;
    let mut seen = DefaultHasher::new();
    (loaded.info.players_min, loaded.info.players_max).hash(&mut seen);
    for (n, seed) in SEEDS.into_iter().enumerate() {
        let seats =
            (loaded.info.players_min + n as u8).clamp(loaded.info.players_min, loaded.info.players_max);
        let rules = loaded.rules(seats).ok()?;
        let game = Match::open(rules, seats).ok()?;
        game.ping_adjusted().hash(&mut seen);
        let mut run = Run { game, now: Millis(0), chance: SplitMix(seed), seen: seen.clone() };
        for _ in 0..INPUTS {
            if matches!(run.game.status(), Status::Over(_)) {
                break;
            }
            run.turn();
        }
        seen = run.seen;
    }
    Some(seen.finish())
}

/// A built-in game in which an option is set; where it has a goal, a near one.
fn file(base: &str, key: &str, value: &str) -> String {
    let goal = if base.contains("trial") && key != "trial_goal" { "trial_goal = 2\n" } else { "" };
    format!("id = \"x\"\nname = \"X\"\nextends = \"{base}\"\n{goal}{key} = {value}")
}

/// The values an option is tried with.
fn values(option: &OptionInfo) -> Vec<String> {
    let quoted = |of: &[&str]| of.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>();
    match option.kind {
        OptionType::Bool => ["true", "false"].map(String::from).to_vec(),
        OptionType::Choice { of } => quoted(of),
        OptionType::Int { min, max } => [min, (min + 2).min(max), max].map(|n| n.to_string()).to_vec(),
        OptionType::ChoiceOrInt { of, min, .. } => {
            let mut all = quoted(of);
            all.push(min.to_string());
            all
        }
        OptionType::Text => quoted(&["shading", "colour = 1"]),
        OptionType::Deals => vec!["1".into(), "\"each_dealer\"".into(), "\"to_points(2)\"".into()],
        kind => panic!("`{}` is of a kind that no pattern option had: {kind:?}", option.key),
    }
}

/// The scenario files of the family, as one text.
fn scenarios() -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/pattern");
    let files = std::fs::read_dir(folder).expect("there are scenarios");
    files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
}

/// Options that nothing in the rules reads, and where they are read.
const ELSEWHERE: &[(&str, &str)] =
    &[("show_missed", "../worker/src/film.rs"), ("layout_rows", "../screen/src/keys.rs")];

/// What a row names as its games is what `mechanism` may be.
#[test]
fn the_mechanisms_of_an_option_are_there() {
    let rows = pattern::options::OPTIONS;
    let mechanism = rows.iter().find(|row| row.key == "mechanism").unwrap();
    let OptionType::Choice { of } = mechanism.kind else { panic!("{:?}", mechanism.kind) };
    let named: Vec<&str> = rows.iter().flat_map(|row| row.mechanisms).copied().collect();
    assert!(named.len() > 10 && named.iter().all(|name| of.contains(name)), "{named:?}");
}

/// Random matches tell most values apart; what matters seldom has a scenario that is about it.
#[test]
fn every_value_of_every_pattern_option_plays_otherwise() {
    let games: Vec<&str> = rulebook::presets()
        .into_iter()
        .filter(|id| rulebook::preset(id).is_ok_and(|l| l.info.family == rulebook::Family::Pattern))
        .collect();
    let scenarios = scenarios();
    let (mut ignored, mut by_chance) = (Vec::new(), 0);
    // What only a rule file says makes a game the game it is: no other value goes with the rest of it.
    let by_creators =
        |key: &str| pattern::options::OPTIONS.iter().any(|row| row.key == key && !row.file_only);
    for option in
        rulebook::preset("set-classic").unwrap().options().into_iter().filter(|o| by_creators(o.key))
    {
        let values = values(&option);
        let named = matches!(
            option.kind,
            OptionType::Bool | OptionType::Choice { .. } | OptionType::ChoiceOrInt { .. }
        );
        // Whether a value came to something else than another did in the same game.
        let mut differs = vec![false; values.len()];
        for base in &games {
            let found: Vec<Option<u64>> =
                values.iter().map(|value| played(&file(base, option.key, value))).collect();
            for (n, own) in found.iter().enumerate().filter(|(_, own)| own.is_some()) {
                differs[n] |= found.iter().any(|other| other.is_some() && other != own);
            }
            if differs.iter().all(|differs| *differs) || !named && differs.contains(&true) {
                break;
            }
        }
        by_chance += usize::from(differs.contains(&true));
        let shown =
            |value: &str| scenarios.lines().any(|line| line.trim() == format!("{} = {value}", option.key));
        let elsewhere = ELSEWHERE.iter().any(|(key, path)| {
            let text = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")));
            *key == option.key && text.is_ok_and(|text| text.contains(key))
        });
        let default = option.default.to_string();
        for (value, differs) in values.iter().zip(&differs) {
            // The default is what all other scenarios show.
            if named && !elsewhere && !differs && *value != default && !shown(value) {
                ignored.push(format!("{} = {value}", option.key));
            }
        }
        if !named
            && !elsewhere
            && !differs.contains(&true)
            && !scenarios.contains(&format!("\n{} = ", option.key))
        {
            ignored.push(option.key.to_owned());
        }
    }
    assert!(by_chance > 50, "random matches tell only {by_chance} options apart");
    ignored.sort();
    assert_eq!(ignored, [] as [String; 0]);
}

/// Rules that come in a record have not passed the loader: the engine looks at the numbers itself, by the rows.
#[test]
fn rules_outside_their_rows_are_refused() {
    let rules = serde_json::to_value(pattern::Rules::default()).unwrap();
    let mut tried = 0;
    for row in pattern::options::OPTIONS {
        let Some((min, max)) = row.range() else { continue };
        let hole = (min..=max).find(|n| !row.only.is_empty() && !row.only.contains(n));
        for number in [Some(min - 1), Some(max + 1), hole].into_iter().flatten() {
            let mut rules = rules.clone();
            let pointer = format!("/{}", row.key.replace('.', "/"));
            match rules.pointer_mut(&pointer) {
                Some(value) => *value = number.into(),
                None => rules[row.key] = number.into(),
            }
            // A number below zero, or too great for its type, is no rule set at all.
            let Ok(rules) = serde_json::from_value::<pattern::Rules>(rules) else { continue };
            tried += 1;
            let group = row.key.split('.').next().unwrap();
            let refused = rules.check(2).iter().any(|fault| {
                fault.rules == [row.rule]
                    && fault.options == [group]
                    && fault.say.to_string().contains(" and may be ")
            });
            assert!(refused, "{} = {number}", row.key);
        }
    }
    assert!(tried > 40, "only {tried} were tried");
}
