//! The laws of `game::laws`, for every race preset and for options that change what is hidden, timed or counted.

use cards::point::Deck;
use game::chance::{Chance, SplitMix};
use game::laws::{Plan, Played, Run, check};
use game::{Coverage, Game, Input, Millis, Seat, Status, Timing, View as _, Viewer};
use pattern::race::{Race, View};
use pattern::{Act, Command, Match, Rules, trial};
use std::path::Path;
use std::sync::Arc;

/// The rules of a preset file and of those it extends, with further options.
fn rules(id: &str, options: &str) -> Arc<Rules> {
    let mut table = read(id);
    table.extend(options.parse::<toml::Table>().expect("options"));
    Arc::new(table.try_into().unwrap_or_else(|e| panic!("{id}: {e}")))
}

fn read(id: &str) -> toml::Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../rules/pattern/{id}.toml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let own: toml::Table = text.parse().unwrap_or_else(|e| panic!("{id}: {e}"));
    let mut table = own.get("extends").and_then(|e| e.as_str()).map(read).unwrap_or_default();
    let about =
        ["schema", "id", "name", "summary", "note", "extends", "family", "difficulty", "reconstruction"];
    table.extend(own.into_iter().filter(|(key, _)| !about.contains(&key.as_str())));
    table
}

/// Mostly takes what is there, calls when there is something, and agrees when there is nothing.
fn choose(view: &View, offers: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
    let mut offers = offers.commands;
    let keen = chance.below(8) != 0;
    let some = !view.claims(1).is_empty();
    let wanted = |command: &Command| match command {
        Command::Claim { .. } | Command::Seal { .. } | Command::Ready => true,
        Command::Call => some,
        Command::NoSet => !some,
        _ => false,
    };
    if keen && offers.iter().any(wanted) {
        offers.retain(wanted);
    } else {
        let rare = chance.below(20) == 0;
        offers.retain(|c| rare || !matches!(c, Command::GiveUp | Command::NoSetOff | Command::Looking));
    }
    (!offers.is_empty()).then(|| offers.swap_remove(chance.below(offers.len() as u32) as usize))
}

fn play(id: &str, options: &str, seats: u8, seed: u64, presence: u32) -> Played<Race> {
    let rules = rules(id, options);
    let plan = Plan { seed, presence, most_inputs: 40_000, every: 23, ..Plan::default() };
    check::<Race>(&rules, seats, &plan, &mut choose)
        .unwrap_or_else(|broken| panic!("{id} {options:?}, {seats} seats, seed {seed}: {broken}"))
}

/// The two parts of the quick deck are joined, and no law breaks: no card comes from nowhere (QUICK-4).
#[test]
fn laws_hold_when_all_vote_for_the_whole_deck() {
    let rules = rules("quick", "deals = 2");
    let mut joined = false;
    for seed in 0..4 {
        let plan = Plan { seed, presence: 0, most_inputs: 40_000, every: 23, ..Plan::default() };
        let mut eager = |view: &View, offers: Coverage<Command>, chance: &mut SplitMix| {
            let vote = offers.commands.iter().find(|command| **command == Command::Graduate).cloned();
            vote.or_else(|| choose(view, offers, chance))
        };
        let played = check::<Race>(&rules, 2, &plan, &mut eager).unwrap_or_else(|broken| panic!("{broken}"));
        joined |= played.game.rules().deck == Deck::D81;
    }
    assert!(joined, "nobody voted");
}

/// What a view offers agrees with what it says of single commands: an act that is closed is refused for those rules at least,
/// and a game has no act that its rules do not know.
#[test]
fn offers_agree_with_the_judge() {
    for (id, options, seats) in [
        ("set-classic", "hints = \"cost_point\"", 3),
        ("twenty", "", 3),
        ("scout", "", 4),
        ("quick", "deals = 2", 2),
        ("solitaire", "hints = \"free\"", 1),
        ("memory", "memory_end = \"declare\"", 3),
        ("setup", "", 3),
        ("daily-puzzle", "hints = \"cost_point\"", 1),
        ("trial-live", "", 2),
    ] {
        let game = Match::open(rules(id, options), seats).unwrap_or_else(|fault| panic!("{id}: {fault}"));
        let (mut run, mut chance, mut at) = (Run::new(game, 5), SplitMix(6), Millis(0));
        let (mut opened, mut closed) = (0, 0);
        for _ in 0..300 {
            at = at.after(700);
            for seat in (0..seats).map(Seat) {
                run.settle().unwrap_or_else(|broken| panic!("{id}: {broken}"));
                let view = run.game().view(Viewer::Seat(seat));
                let offers = view.offers(at);
                for act in Act::ALL {
                    let over = matches!(run.game().status(), Status::Over(_));
                    assert!(over || offers.has(act) == run.game().rules().knows(act), "{id}: {act:?}");
                }
                for (command, refusal) in view.closed(at) {
                    assert!(!offers.open(command.act()), "{id}: {command:?} is open");
                    let why = offers.why(command.act()).map_or(&[][..], |why| &why.rules);
                    assert!(why.iter().all(|rule| refusal.cites(rule)), "{id}: {command:?}: {refusal}");
                    closed += 1;
                }
                opened += offers.iter().filter(|(_, offer)| offer.is_ok()).count();
                let mut commands = view.commands(at).commands;
                commands.retain(|command| *command != Command::GiveUp);
                if !commands.is_empty() && chance.below(3) == 0 {
                    let command = commands.swap_remove(chance.below(commands.len() as u32) as usize);
                    let input = Input::Play(seat, command, Timing::at(at));
                    run.attempt(at, input).unwrap_or_else(|broken| panic!("{id}: {broken}")).ok();
                }
            }
        }
        assert!(opened > 15 && closed > 100, "{id}: {opened} open, {closed} closed");
    }
}

#[test]
fn laws_hold_for_every_race_preset() {
    for (id, seats) in [
        ("set-classic", 3),
        ("set-heap", 4),
        ("set-open-deal", 2),
        ("quick", 3),
        ("solitaire", 1),
        ("solitaire-relaxed", 1),
        ("chain", 3),
        ("superset-h", 2),
        ("superset-w", 2),
        ("ultra", 3),
        ("ultra9", 2),
        ("mega", 2),
        ("double", 2),
        ("eight", 2),
        ("hands", 3),
        ("complex", 2),
        ("twenty", 3),
        ("time-trial", 1),
        ("scout", 4),
        ("double-ultra", 2),
        ("double-ultra9", 2),
        ("double-mega", 2),
        ("double-super", 2),
        ("double-chain", 2),
        ("double-quick", 3),
        ("mega-super", 2),
        ("mega-ultra", 2),
        ("mega-chain", 2),
        ("mega-complex", 2),
        ("eight-ultra", 2),
    ] {
        let played = play(id, "deals = 1", seats, 7, 0);
        assert!(matches!(played.game.status(), Status::Over(_)), "{id}");
    }
}

#[test]
fn laws_hold_while_people_come_and_go() {
    for (id, options, seats) in [
        ("set-classic", "", 4),
        ("set-classic", "lockout_s = 'until_next_claim'\ndeals = 'each_dealer'", 4),
        ("set-heap", "", 5),
        ("set-open-deal", "lockout_s = 'until_next_claim'", 3),
        ("quick", "deals = 4", 3),
        ("hands", "", 4),
        ("twenty", "", 4),
        ("scout", "", 5),
        ("scout", "stuck_s = 600\ngrace_s = 300\ndeals = 3", 4),
        ("chain", "", 3),
        ("chain", "no_claim = 'auto'\ngrace_s = 300", 3),
    ] {
        for seed in 0..3 {
            play(id, options, seats, seed, 40);
        }
    }
}

/// Whoever goes while the first dealer is drawn or the deck is shuffled is not dealt in.
#[test]
fn people_come_and_go_while_cards_are_shuffled() {
    for id in ["set-classic", "memory", "setup"] {
        let mut game = pattern::Match::open(rules(id, ""), 4).expect("for four");
        let mut chance = SplitMix(5);
        let input = |game: &mut pattern::Match, input| {
            game::step(game, game::Millis(0), &input, &mut Vec::new()).map_err(|refusal| refusal.to_string())
        };
        let go = |seat, presence| game::Input::Presence(game::Seat(seat), presence);
        input(&mut game, go(3, game::Presence::Left)).unwrap_or_else(|why| panic!("{id}: {why}"));
        input(&mut game, go(2, game::Presence::Dropped)).unwrap_or_else(|why| panic!("{id}: {why}"));
        input(&mut game, go(2, game::Presence::Back)).unwrap_or_else(|why| panic!("{id}: {why}"));
        while let Status::Chance(need) = game.status() {
            let draw = chance.answer(&need);
            input(&mut game, game::Input::Draw(draw)).unwrap_or_else(|why| panic!("{id}: {why}"));
        }
        assert!(!game::written::Written::undecided(&game).has(game::Seat(3)), "{id}: seat 3 has left");
    }
}

/// LEAVE-6, in whatever stage.
#[test]
fn too_few_are_too_few_while_cards_are_shuffled() {
    for id in ["set-classic", "memory", "setup", "trial-live"] {
        let rules = rules(id, "");
        let seats = rules.players.min;
        let mut game = pattern::Match::open(rules, seats).expect("for the fewest");
        let leave = game::Input::Presence(game::Seat(seats - 1), game::Presence::Left);
        assert!(matches!(game.status(), Status::Chance(_)), "{id}: cards are to be shuffled");
        game::step(&mut game, game::Millis(0), &leave, &mut Vec::new()).expect("anybody may leave");
        assert!(matches!(game.status(), Status::Over(_)), "{id}: {:?}", game.status());
    }
}

#[test]
fn laws_hold_for_live_trials() {
    let mut choose = |view: &trial::View, offers: Coverage<Command>, chance: &mut SplitMix| {
        view.board.as_ref().and_then(|board| choose(board, offers, chance))
    };
    for (options, presence) in
        [("", 0), ("", 30), ("trial_goal = 'clear'\nend = 'stock_and_no_claim'", 0), ("hints = 'free'", 60)]
    {
        for seed in 0..2 {
            let plan = Plan { seed, presence, most_inputs: 40_000, every: 11, ..Plan::default() };
            let played = check::<trial::Trial>(&rules("trial-live", options), 3, &plan, &mut choose)
                .unwrap_or_else(|broken| panic!("{options:?}, seed {seed}: {broken}"));
            let Status::Over(outcome) = played.game.status() else { panic!("over") };
            let state = played.game.view(game::Viewer::Table).state;
            let all_done = state.racers.iter().all(|racer| racer.done.is_some());
            assert!(
                all_done || presence > 0 && !outcome.ranked,
                "only where players left, boards are left undone"
            );
            for seat in outcome.winners.iter().filter(|_| all_done) {
                assert!(state.result(played.game.rules(), seat).is_some(), "who wins has reached the goal");
            }
        }
    }
}

#[test]
fn nobody_sees_another_board() {
    let rules = rules("trial-live", "settle_ms = 0");
    let mut game = trial::Trial::open(rules, 2).expect("for two");
    let mut chance = SplitMix(3);
    let mut seen = Vec::new();
    while seen.len() < 30 {
        let input = match game.status() {
            Status::Chance(need) => game::Input::Draw(chance.answer(&need)),
            _ => {
                let claim = game.view(game::Viewer::Seat(game::Seat(0))).board.expect("a board").claims(1);
                let at = game::Timing::at(game::Millis(60_000));
                game::Input::Play(game::Seat(0), Command::claim(claim.first().cloned().expect("a Set")), at)
            }
        };
        let mut events = Vec::new();
        game.decide(game::Millis(60_000), &input, &mut events).expect("accepted");
        for event in &events {
            let own = matches!(event, trial::Event::Board { seat, .. } if seat.0 == 1);
            if let Some(notice) = game.notice(event, game::Viewer::Seat(game::Seat(1))).filter(|_| !own) {
                assert!(!matches!(notice, trial::Notice::Own(_)), "{notice:?}");
                seen.push(notice);
            }
            assert!(!matches!(game.notice(event, game::Viewer::Table), Some(trial::Notice::Own(_))));
            game.evolve(event);
        }
        if matches!(game.status(), Status::Seats(seats) if !seats.has(game::Seat(0))) {
            break;
        }
    }
    let view = game.view(game::Viewer::Seat(game::Seat(1)));
    assert_eq!(view.state.racers[0].sets, 21, "how far the other is, one sees");
    assert_eq!(view.board.expect("a board").state.players[0].sets, 0);
    assert!(game.view(game::Viewer::Table).board.is_none());
}

#[test]
fn laws_hold_for_options() {
    for (id, options) in [
        ("set-classic", "no_claim = 'agree_checked'\nshow_missed = 'after_deal'\ntiebreak = 'extra_deal'"),
        ("set-classic", "lockout_s = 'until_next_claim'\nhints = 'cost_point'\nscore_floor = 'zero'"),
        ("set-classic", "refill_above_base = true\ntimeout_is_wrong = false\nbetween_s = 0\ndeals = 3"),
        ("set-classic", "idle_vote_s = 'off'\nrefusal_lapse_s = 'off'\ndeals = 'to_points(15)'"),
        ("set-classic", "end_check = 'players'\ndeals = 1"),
        ("set-heap", "tie_heap = 'both_sets'\ntie_window_ms = 500"),
        ("set-open-deal", "progressive_refill = true"),
        ("chain", "chain_scope = 'table'"),
        ("chain", "chain_break = 'after_extra_deal'\nno_claim = 'auto'"),
        ("chain", "chain_break = 'penalty_point'"),
        ("ultra", "regroup_at_end = true\nultra_extra = 'to_smallest'"),
        ("ultra9", "regroup_at_end = true\nultra9_extra = 9"),
        ("double", "final_single = true"),
        ("eight", "grouping = 'auto'\neight_padding = 'new_card_needed'\nscore = 'cards'"),
        ("hands", "hand_visibility = 'public'\nno_claim = 'auto'"),
        ("complex", "complex_pick = 'server_random'"),
        ("twenty", "hand_visibility = 'private'\ndeals = 1"),
        ("twenty", "no_claim_action = 'extra3'\nmin_personal = 1\ndeals = 1"),
        ("scout", "seal = 'check_at_once'\nscout_retry = 'nobody'\nlost_cards = 'under_stock'"),
        ("quick", "mini_fixed = 'colour = 2'"),
    ] {
        for seed in 0..2 {
            play(id, options, 3, seed, 0);
        }
    }
}

#[test]
fn a_race_alone_is_practice() {
    for id in ["set-classic", "chain", "ultra", "double"] {
        let played = play(id, "deals = 1", 1, 3, 0);
        let Status::Over(outcome) = played.game.status() else { panic!("{id} is not over") };
        assert!(!outcome.ranked, "{id}: practice is not ranked (Q-10)");
    }
}

#[test]
fn a_replay_tells_what_was_missed() {
    // Where the players see it after the deal the log has it, and whoever watches the replay comes to the same.
    let played = play("set-classic", "show_missed = 'after_deal'\ndeals = 2", 3, 5, 0);
    let mut again = Race::open(played.game.rules().clone(), 3).expect("for three");
    let (mut watch, mut deals) = (pattern::race::Watch::default(), 0);
    for event in &played.events {
        again.evolve(event);
        let seen = watch.see(&again, event);
        if let pattern::race::Event::DealOver { missed, .. } = event {
            assert_eq!(seen.as_ref(), Some(missed));
            assert!(
                !missed.is_empty()
                    && missed
                        .windows(2)
                        .all(|two| { two[0].until.since(two[0].from) >= two[1].until.since(two[1].from) })
            );
            deals += 1;
        } else {
            assert_eq!(seen, None);
        }
    }
    assert_eq!(deals, 2);
}
