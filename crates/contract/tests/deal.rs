//! Deals, cuts and first dealers from given chance.

use cards::Face;
use contract::rules::{CutMode, FirstDealer, Rules, UpcardWild};
use contract::{Command, Match, View};
use game::chance::{Chance, SplitMix};
use game::laws::{Plan, any_command, check};
use game::{Draw, Game, Input, Millis, Need, Seat, Status, Timing, Viewer};
use std::sync::Arc;

fn step(game: &mut Match, input: &Input<Command>) -> Vec<contract::Event> {
    let mut events = Vec::new();
    game::step(game, Millis(0), input, &mut events).unwrap_or_else(|r| panic!("{r}"));
    events
}

/// A match whose first deal has been asked for, seat 3 dealing.
fn about_to_deal(turn: impl Fn(&mut contract::rules::Settings)) -> Match {
    let mut rules = Rules::contract(4);
    turn(&mut rules.settings);
    rules.rounds.iter_mut().for_each(|round| turn(&mut round.settings));
    let mut game = Match::open(Arc::new(rules), 4).unwrap();
    if matches!(game.status(), Status::Chance(Need::Dealer { seats: 4 })) {
        step(&mut game, &Input::Draw(Draw::Pick(3)));
    }
    game
}

/// The canonical order with these cards brought to the top.
fn with_top(game: &Match, top: &str) -> Draw {
    let cards = game.rules().cards();
    let mut rest: Vec<u16> = (0..cards.len() as u16).collect();
    let mut order = Vec::new();
    for face in top.split_whitespace().map(|t| t.parse::<Face>().unwrap()) {
        let at = rest.iter().position(|&i| cards[usize::from(i)] == face).unwrap();
        order.push(rest.remove(at));
    }
    order.extend(rest);
    Draw::Order(order)
}

/// RF-10: one card at a time from the player after the dealer; then the upcard; the rest is stock.
#[test]
fn cards_are_dealt_one_at_a_time() {
    let mut game = about_to_deal(|_| {});
    let order: Vec<u16> = (0..107).collect();
    step(&mut game, &Input::Draw(Draw::Order(order)));
    let cards = game.rules().cards();
    for seat in 0..4u8 {
        let dealt: contract::hand::Hand = (0..10).map(|n| cards[n * 4 + usize::from(seat)]).collect();
        assert_eq!(*game.hand(Seat(seat)), dealt);
    }
    assert_eq!(game.flow().top, Some(cards[40]));
    assert_eq!((game.flow().stock, game.flow().turn), (66, Seat(0)));
    step(&mut game, &Input::Play(Seat(0), Command::DrawStock, Timing::at(Millis(0))));
    for seat in 1..4 {
        step(&mut game, &Input::Play(Seat(seat), Command::Pass, Timing::at(Millis(0))));
    }
    assert!(game.hand(Seat(0)).count(cards[41]) > 0, "the stock's top card is the one after the upcard");
}

/// a wild upcard stays, or goes to the bottom of the stock.
#[test]
fn a_wild_upcard_is_buried_where_the_rules_say_so() {
    let tops = |rule| {
        let mut game = about_to_deal(|set| {
            set.deal.upcard_wild = rule;
            set.deal.cards = 1;
        });
        let draw = {
            let Draw::Order(order) = with_top(&game, "JK JK 9S") else { unreachable!() };
            // Forty cards are dealt first.
            let (mut dealt, mut rest): (Vec<u16>, Vec<u16>) = (order[3..43].to_vec(), order[..3].to_vec());
            rest.extend(&order[43..]);
            dealt.extend(rest);
            Draw::Order(dealt)
        };
        step(&mut game, &Input::Draw(draw));
        (game.flow().top.unwrap().to_string(), game.flow().stock)
    };
    assert_eq!(tops(UpcardWild::Keep), ("JK".to_owned(), 66));
    assert_eq!(tops(UpcardWild::Rebury), ("9S".to_owned(), 66));
}

/// `deal.first_dealer = high-card`: ace high, then suits; who are level draw again.
#[test]
fn the_highest_card_deals() {
    let dealer = |top: &str| {
        let mut game = about_to_deal(|set| set.deal.first_dealer = FirstDealer::HighCard);
        let draw = with_top(&game, top);
        step(&mut game, &Input::Draw(draw));
        (game.flow().dealer.0, game.board().high_cards.len())
    };
    assert_eq!(dealer("9S KD AC 2H"), (2, 4));
    assert_eq!(dealer("9S JK AC 2H AD"), (3, 4), "jokers are drawn past");
    assert_eq!(dealer("AC 2H AC 3H 4S 5S"), (2, 6), "level: drawn again");
}

/// LV-3, A-35, Q-23: chance adds to the aim; the exact depth earns the points.
#[test]
fn a_cut_is_the_aim_and_what_chance_adds() {
    let cut = |mode, aim, noise| {
        let mut game = about_to_deal(|set| {
            set.cut.on = true;
            set.cut.mode = mode;
        });
        let cutter = Seat(2);
        assert!(
            game.decide(
                Millis(0),
                &Input::Play(cutter, Command::CutAt { depth: 41 }, Timing::at(Millis(0))),
                &mut Vec::new()
            )
            .is_err_and(|r| r.cites("Q-23"))
        );
        step(&mut game, &Input::Play(cutter, Command::Cut { aim }, Timing::at(Millis(0))));
        let Status::Chance(need @ Need::Cut { .. }) = game.status() else { panic!("no cut") };
        assert!(Draw::Noise(noise).answers(&need));
        step(&mut game, &Input::Draw(Draw::Noise(noise)));
        (game.board().cut, game.flow().scores[2])
    };
    assert_eq!(cut(CutMode::Aim, 40, 1), (Some(41), -50));
    assert_eq!(cut(CutMode::Aim, 41, 3), (Some(44), 0));
    assert_eq!(cut(CutMode::Aim, 2, -12), (Some(1), 0), "kept within the pack");
    assert_eq!(cut(CutMode::Chance, 90, 0), (Some(41), -50), "the aim does not matter");
}

/// Nothing that is hidden from a viewer is told to it: stock cards of others, answers in sealed windows, the deal.
#[test]
fn notices_tell_no_secrets() {
    use contract::{Event, Notice};
    let mut rules = Rules::contract(4);
    for round in &mut rules.rounds {
        round.settings.game.max_turns = 6;
        round.settings.shanghai.on = true;
        round.settings.layoff.when = contract::rules::LayoffWhen::SameTurn;
        round.contracts[0].truncate(1);
    }
    let rules = Arc::new(rules);
    let mut choose = |view: &View, coverage, chance: &mut SplitMix| {
        if game::View::awaited(view) || chance.below(9) == 0 {
            any_command(view, coverage, chance)
        } else {
            None
        }
    };
    let plan = Plan { seed: 5, every: 1000, ..Plan::default() };
    let played = check::<Match>(&rules, 4, &plan, &mut choose).unwrap_or_else(|b| panic!("{b}"));
    let mut game = Match::open(rules, 4).unwrap();
    let (mut hidden, mut own) = (0, 0);
    for event in &played.events {
        let turn = game.flow().turn;
        let (claimer, discarder) = (game.flow().phase.claimer(), game.flow().discarder);
        let knows: Option<Vec<Seat>> = match event {
            Event::Drew { discard: false, .. } => Some(vec![turn]),
            Event::Penalty { seat, .. }
            | Event::Answered { seat, .. }
            | Event::Stands { seat, .. }
            | Event::Called { seat, .. } => Some(vec![*seat]),
            Event::Picked { .. } => Some(claimer.into_iter().chain([discarder]).collect()),
            Event::Dealt { .. } | Event::Remade { .. } | Event::Withheld { .. } => Some(Vec::new()),
            _ => None,
        };
        if let Some(knows) = knows {
            let viewers = (0..4).map(|s| Viewer::Seat(Seat(s))).chain([Viewer::Table]);
            for who in viewers {
                let open = matches!(game.notice(event, who), Some(Notice::Open(_)));
                assert_eq!(open, knows.iter().any(|&seat| who.is(seat)), "{who:?} of {event:?}");
                if open {
                    own += 1;
                } else {
                    hidden += 1;
                }
            }
        }
        game.evolve(event);
    }
    assert!(hidden > 100 && own > 30, "the match shows little: {hidden} hidden, {own} own");
}

/// A discard that somebody took is known to be in that hand until it is thrown; whoever makes up the hidden cards deals it there.
#[test]
fn what_others_took_and_hold_is_known() {
    let mut game = about_to_deal(|s| s.take.on = false);
    let cards = game.rules().cards().len() as u16;
    step(&mut game, &Input::Draw(Draw::Order((0..cards).rev().collect())));
    let play = |game: &mut Match, seat: u8, command: Command| {
        step(game, &Input::Play(Seat(seat), command, Timing::at(Millis(0))));
    };
    let view = |game: &Match, seat: u8| game.view(Viewer::Seat(Seat(seat)));
    let known = |game: &Match| view(game, 1).board.known(Seat(0)).collect::<Vec<Face>>();
    let taken = view(&game, 0).flow.top.expect("an upcard");
    play(&mut game, 0, Command::DrawDiscard);
    assert_eq!(known(&game), [taken]);
    for seed in 0..20 {
        let made_up = Match::imagine(&view(&game, 1), &mut SplitMix(seed));
        assert!(view(&made_up, 0).hand.count(taken) > 0, "the {taken} is not in the hand that took it");
    }
    // Round the table: others throw what they like, and seat 0 what it took.
    for seat in [0, 1, 2, 3, 0] {
        if view(&game, seat).flow.phase == contract::state::Phase::Start {
            play(&mut game, seat, Command::DrawStock);
        }
        let other = view(&game, seat).hand.faces().find(|&card| card != taken).expect("another card");
        let last = seat == 0 && known(&game) == [taken] && view(&game, seat).flow.turns > 1;
        play(&mut game, seat, Command::Discard { card: if last { taken } else { other }, shanghai: false });
        assert_eq!(known(&game).is_empty(), last);
    }
    assert_eq!(known(&game), []);
}
