//! Whole matches of the Contract Rummy bots: every built-in game, every number of players, and no bot is ever refused.

use bots::{Bot, BotKind};
use contract::{Match, Rules, View};
use game::chance::SplitMix;
use game::{Chance, Game, Input, Millis, Outcome, Seat, Status, Timing, View as _, Viewer};
use std::sync::Arc;
use std::time::{Duration, Instant};

struct Played {
    outcome: Outcome,
    rounds: usize,
    /// Rounds in which somebody was down.
    met: usize,
    longest: Duration,
}

/// Plays a match; the first refusal is a failure.
fn play(rules: &Arc<Rules>, bots: &mut [Box<dyn Bot<View>>], seed: u64) -> Result<Played, String> {
    let mut game = Match::open(rules.clone(), bots.len() as u8).map_err(|r| r.to_string())?;
    let mut chance = SplitMix(seed);
    let mut views: Vec<View> = (0..bots.len()).map(|i| game.view(Viewer::Seat(Seat(i as u8)))).collect();
    let mut due: Vec<Option<(Millis, contract::Command)>> = vec![None; bots.len()];
    let mut ask = vec![true; bots.len()];
    let (mut now, mut events, mut longest) = (Millis(0), Vec::new(), Duration::ZERO);
    let mut met = 0;
    for _ in 0..60_000 {
        let input = match game.status() {
            Status::Over(outcome) => {
                let rounds = views[0].board.sheet.len();
                return Ok(Played { outcome, rounds, met, longest });
            }
            Status::Chance(need) => Input::Draw(chance.answer(&need)),
            Status::Seats(_) => {
                for (i, bot) in bots.iter_mut().enumerate().filter(|(i, _)| ask[*i]) {
                    let start = Instant::now();
                    let thought = bot.think(&views[i], now, &mut chance);
                    longest = longest.max(start.elapsed());
                    due[i] = thought.map(|t| (now.after(t.after_ms), t.command));
                }
                ask.fill(false);
                let first =
                    (0..bots.len()).filter_map(|i| due[i].as_ref().map(|d| (d.0, i))).min_by_key(|d| *d);
                match (game.alarm(), first) {
                    (Some(alarm), first) if first.is_none_or(|(at, _)| alarm.due <= at) => {
                        now = now.max(alarm.due);
                        Input::Ring(alarm.id)
                    }
                    (_, Some((at, i))) => {
                        now = now.max(at);
                        let (_, command) = due[i].take().expect("it was due");
                        ask[i] = true;
                        Input::Play(Seat(i as u8), command, Timing::at(now))
                    }
                    (_, None) => return Err("nobody wants to act".to_owned()),
                }
            }
        };
        events.clear();
        game.decide(now, &input, &mut events).map_err(|r| {
            let round = views[0].round().number;
            format!("round {round}: {input:?} was refused: {r}")
        })?;
        for event in &events {
            if matches!(event, contract::Event::RoundOver { .. }) && !views[0].flow.down.is_empty() {
                met += 1;
            }
            for (i, view) in views.iter_mut().enumerate() {
                if let Some(notice) = game.notice(event, Viewer::Seat(Seat(i as u8))) {
                    view.observe(&notice);
                    ask[i] = true;
                }
            }
            game.evolve(event);
        }
    }
    Err("the match does not end".to_owned())
}

/// Bots of every kind that people are offered, in turn.
fn table(seats: u8, seed: u64) -> Vec<Box<dyn Bot<View>>> {
    seated(seats, seed, |_| true)
}

/// Bots of these kinds, in turn.
fn seated(seats: u8, seed: u64, sits: impl Fn(&str) -> bool) -> Vec<Box<dyn Bot<View>>> {
    let offered = bots::kinds(rulebook::Family::Contract).filter(|kind| kind.level > 0);
    let kinds: Vec<&BotKind> = offered.filter(|kind| sits(kind.name)).collect();
    let turns = kinds.iter().cycle().skip(seed as usize % kinds.len());
    turns.take(seats.into()).map(|kind| bots::of_contract(kind.name).expect("a kind of bot")).collect()
}

fn contract_games() -> Vec<(String, u8, Arc<Rules>)> {
    let mut games = Vec::new();
    for id in rulebook::presets() {
        let loaded = rulebook::preset(id).unwrap_or_else(|faults| panic!("{id}: {faults:?}"));
        for seats in loaded.info.players_min..=loaded.info.players_max {
            if let Ok(rules) = loaded.rules(seats)
                && let rulebook::Rules::Contract(rules) = &*rules
            {
                games.push((id.to_owned(), seats, rules.clone()));
            }
        }
    }
    assert!(games.iter().any(|(id, ..)| id == "progressive"));
    games
}

/// Plays all of these games, `strong` sitting at one table of so many.
fn play_all(games: &[(String, u8, Arc<Rules>)], seeds: std::ops::Range<u64>, strong: usize) {
    for (number, (id, seats, rules)) in games.iter().enumerate() {
        for seed in seeds.clone() {
            let thinks = (number + seed as usize).is_multiple_of(strong);
            let mut bots = seated(*seats, seed, |name| thinks || name != "strong");
            let played = play(rules, &mut bots, seed)
                .unwrap_or_else(|why| panic!("{id} with {seats}, seed {seed}: {why}"));
            assert_eq!(played.outcome.scores.len(), usize::from(*seats));
            println!(
                "{id} {seats}: {} of {} rounds met, {:?}, slowest {:?}",
                played.met, played.rounds, played.outcome.scores, played.longest
            );
        }
    }
}

/// Every game, at one number of players by a printed seed, a quarter of them with `strong`, which thinks long; at every number and with
/// all bots with `PARLOUR_LONG`.
#[test]
fn every_game_at_every_number_of_players() {
    let games = contract_games();
    if std::env::var_os("PARLOUR_LONG").is_some() {
        return play_all(&games, 1..3, 1);
    }
    let seed: u64 = match std::env::var("PARLOUR_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("PARLOUR_SEED is `{text}`: write a number")),
        Err(_) => {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |now| now.as_millis() as u64 % 1_000_000_000)
        }
    };
    println!("PARLOUR_SEED={seed} plays this again");
    let mut chance = SplitMix(seed);
    let sample: Vec<_> = games
        .chunk_by(|one, other| one.0 == other.0)
        .map(|same| same[chance.below(same.len() as u32) as usize].clone())
        .collect();
    play_all(&sample, seed..seed + 1, 4);
}

#[test]
fn the_same_chance_gives_the_same_match() {
    let rules = Arc::new(Rules::contract(4));
    let scores = |seed| play(&rules, &mut table(4, 0), seed).map(|p| p.outcome.scores);
    assert_eq!(scores(7), scores(7));
    assert_ne!(scores(7), scores(8));
}

#[test]
fn contracts_are_laid() {
    let rules = Arc::new(Rules::contract(4));
    let (mut met, mut rounds) = (0, 0);
    for seed in 0..3 {
        let played = play(&rules, &mut table(4, seed), seed).unwrap_or_else(|why| panic!("{why}"));
        met += played.met;
        rounds += played.rounds;
    }
    assert!(met * 4 >= rounds * 3, "only in {met} of {rounds} rounds somebody was down");
}

/// Bots of every level pass on what their contract does not need, and no wild while there is something else (HR-PASS-1).
#[test]
fn bots_pass_on_what_they_do_not_need() {
    use game::written::{Opening, Written};
    let mut rules = Rules::contract(3);
    rules.rounds.iter_mut().for_each(|round| round.settings.pass.cards = 3);
    let rules = Arc::new(rules);
    for (hand, spare) in [
        ("9C 9D KC KD KS 2C 4D JK 7S 8H", "2C 4D 7S 8H"),
        ("AC AD AH 5C 5D QS JK 7D 3H 2S", "QS 7D 3H 2S"),
        ("JK JK 6C 6D 7S", "6C 6D 7S"),
    ] {
        let position = contract::Position {
            phase: Some("pass".to_owned()),
            hands: [hand, "3C 3D 3S", "4C 4S 4H"].map(String::from).to_vec(),
            stock: "...".to_owned(),
            ..contract::Position::default()
        };
        let opening = Opening { round: 1, dealer: Seat(2) };
        let game = Match::set_up(rules.clone(), 3, opening, position).expect("cards of the pack");
        let view = game.view(Viewer::Seat(Seat(0)));
        let spare = rules.pack().parse_all(spare).expect("cards");
        for kind in bots::kinds(rulebook::Family::Contract).filter(|kind| kind.level > 0) {
            let mut bot = bots::of_contract(kind.name).expect("a kind of bot");
            let thought = bot.think(&view, Millis(0), &mut SplitMix(1)).expect("it is asked");
            let contract::Command::PassOn { cards } = thought.command else {
                panic!("{:?}", thought.command)
            };
            assert_eq!(cards.len(), 3, "{}: {cards:?}", kind.name);
            let needless = cards.iter().all(|card| spare.contains(card));
            assert!(needless, "{} passes {cards:?} on of {hand}", kind.name);
        }
    }
}

/// No bot of any level is refused where the contract is picked, the wild named and cards are passed on.
#[test]
fn whole_matches_with_cards_passed_on_are_played_by_every_level() {
    let mut rules = Rules::contract(3);
    rules.settings.game.choice = contract::rules::ContractChoice::Dealer;
    for round in &mut rules.rounds {
        round.settings.pass.cards = 3;
        round.settings.pass.to = contract::rules::PassTo::Alternate;
        round.settings.wild.named = true;
    }
    let rules = Arc::new(rules);
    for seed in 0..2 {
        play(&rules, &mut table(3, seed), seed).unwrap_or_else(|why| panic!("{why}"));
    }
}
