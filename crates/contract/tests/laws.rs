//! The laws of crate `game`, played over the base game and over rules with every option turned.

use contract::rules::{self, Rules};
use contract::state::Board;
use contract::{Command, Event, Match, View};
use game::chance::{Chance, SplitMix};
use game::laws::{Plan, any_command, check};
use game::{Coverage, Game as _, View as _, Viewer};
use std::sync::Arc;

/// Lays a contract that is held with chance one half, lays off often, and else anything.
fn choose(view: &View, coverage: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
    let meld = coverage.commands.iter().find(|c| matches!(c, Command::Meld { .. }));
    if let Some(meld) = meld
        && chance.below(2) == 0
    {
        return Some(meld.clone());
    }
    // Somebody who may answer early, or while another plays, mostly does not.
    if !view.awaited() && chance.below(8) > 0 {
        return None;
    }
    any_command(view, coverage, chance)
}

fn run(name: &str, rules: &Arc<Rules>, seats: u8, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let plan = Plan { seed, most_inputs: 60_000, every: 23, presence: 200, dawdle: 25 };
        match check::<Match>(rules, seats, &plan, &mut choose) {
            Ok(played) => {
                only_blocked_without_cards(rules, seats, &played.events);
                the_pile_is_remembered(rules, seats, &played.events);
            }
            Err(broken) => panic!("{name}, seats {seats}, seed {seed}: {broken}"),
        }
    }
}

/// P9 of 6.5: where a round is blocked before its turns are used up, the stock is empty and cannot be remade: nothing lies
/// under the top discard, or the reshuffles are used up.
fn only_blocked_without_cards(rules: &Arc<Rules>, seats: u8, events: &[Event]) {
    let mut game = Match::open(rules.clone(), seats).expect("rules that were played");
    let mut turns = 0;
    for event in events {
        let flow = game.view(Viewer::Table).flow;
        match event {
            Event::Round { .. } => turns = 0,
            Event::Turn { .. } => turns += 1,
            Event::RoundOver { winner: None, .. } => {
                let settings = &rules.rounds[usize::from(flow.round)].settings;
                let most = u32::from(settings.game.max_turns) * u32::from(seats);
                let stock = &settings.stock;
                let used_up = stock.max_recycles > 0 && flow.recycles >= u16::from(stock.max_recycles);
                let remade = stock.recycle == rules::Recycle::KeepTop && !used_up;
                let blocked = flow.stock == 0 && (flow.pile <= 1 || !remade);
                assert!(blocked || turns >= most, "blocked in turn {turns} of {most}: {flow:?}");
            }
            _ => {}
        }
        game.evolve(event);
    }
}

/// What was thrown is what lies in the pile, as far back as anybody remembers. That every view has the same log is the law `fold`.
fn the_pile_is_remembered(rules: &Arc<Rules>, seats: u8, events: &[Event]) {
    let mut game = Match::open(rules.clone(), seats).expect("rules that were played");
    for event in events {
        game.evolve(event);
        let view = game.view(Viewer::Table);
        let (thrown, piled) = (&view.board.thrown, view.board.piled().collect::<Vec<_>>());
        assert!(thrown.len() <= Board::THROWN, "after {event:?}: {} lines", thrown.len());
        assert_eq!(piled.last(), view.flow.top.as_ref(), "after {event:?}");
        if thrown.len() < Board::THROWN {
            assert_eq!(piled.len(), usize::from(view.flow.pile), "after {event:?}");
        }
        if rules.settings.table.discard_browse {
            assert!(view.pile.ends_with(&piled), "after {event:?}: {piled:?} of {:?}", view.pile);
        }
        if let Event::Discarded { card, .. } = event {
            let last = thrown.last().expect("a discard was thrown");
            assert_eq!((last.seat, last.card), (Some(view.flow.discarder), *card), "after {event:?}");
        }
    }
}

#[test]
fn the_base_game_keeps_the_laws() {
    for seats in 3..=5 {
        let mut rules = Rules::contract(seats);
        for round in &mut rules.rounds {
            round.settings.game.max_turns = 12;
        }
        run("contract", &Arc::new(rules), seats, 0..3);
    }
}

/// One way to turn some options.
type Turn = fn(&mut rules::Settings);

/// Options that meet each other.
const TURNS: &[(&str, Turn)] = &[
    ("shanghai", |s| {
        s.shanghai.on = true;
        s.layoff.when = rules::LayoffWhen::SameTurn;
        s.run.ace = rules::RunAce::High;
        s.take.limit = 2;
        s.take.penalty = 2;
        s.wild.max_per_meld = 1;
    }),
    ("shanghai after the draw", |s| {
        s.shanghai.on = true;
        s.shanghai.beats_draw = false;
        s.shanghai.penalty = 2;
        s.shanghai.last_discard = true;
        s.shanghai.empty_wins = false;
        s.shanghai.tie = rules::Tie::FirstCall;
        s.layoff.when = rules::LayoffWhen::SameTurn;
    }),
    ("progressive", |s| {
        s.take.own_turn = true;
        s.take.current = rules::TakeCurrent::EachCard;
        s.take.short = rules::TakeShort::Partial;
        s.take.pennies = 1;
        s.take.penalty_pennies = 1;
        s.money.on = true;
        s.out.discard = rules::OutDiscard::Optional;
        s.wild.ranks = vec!["2".into()];
        s.wild.min_naturals = 0;
        s.run.gap = 0;
    }),
    ("before discard", |s| {
        s.take.close = rules::TakeClose::BeforeDiscard;
        s.take.early_asks = rules::EarlyAsks::Shown;
        s.take.tie = rules::Tie::FirstCall;
        s.draw.discard_when_down = false;
        s.take.who = rules::TakeWho::NotDown;
        s.discard.wild = rules::DiscardWild::IfLast;
    }),
    ("short stock", |s| {
        s.stock.max_recycles = 1;
        s.stock.blocked = rules::Blocked::ScoreNone;
        s.take.repeat = rules::TakeRepeat::Free;
        s.take.penalty = 3;
        s.draw.pile = 0;
        s.cut.on = true;
        s.deal.next_dealer = rules::NextDealer::Winner;
        s.table.discard_browse = true;
    }),
    ("no new stock", |s| {
        s.stock.recycle = rules::Recycle::None;
        s.take.chain = false;
        s.deal.upcard_wild = rules::UpcardWild::Rebury;
        s.deal.first_dealer = rules::FirstDealer::HighCard;
        s.cut.on = true;
        s.cut.mode = rules::CutMode::Chance;
        s.draw.first_double = true;
    }),
    ("push", |s| {
        s.draw.mode = rules::DrawMode::Push;
        s.take.on = false;
        s.players.direction = rules::Direction::Ccw;
        s.meld.extra = rules::MeldExtra::AfterContract;
        s.out.discard = rules::OutDiscard::Forbidden;
    }),
    ("push and takes", |s| {
        s.draw.mode = rules::DrawMode::Push;
        s.out.discard = rules::OutDiscard::Forbidden;
        s.out.stuck = rules::OutStuck::Reject;
        s.layoff.when = rules::LayoffWhen::SameTurn;
    }),
    ("wilds move", |s| {
        s.wild.place = rules::WildPlace::ToEnd;
        s.wild.reclaim = rules::Reclaim::All;
        s.wild.reclaim_when = rules::ReclaimWhen::Anytime;
        s.wild.reclaim_use = rules::ReclaimUse::AnyMeld;
        s.wild.ranks = vec!["2".into(), "3".into()];
        s.layoff.when = rules::LayoffWhen::SameTurn;
        s.table.undo = rules::Undo::UntilDiscard;
    }),
    ("each for oneself", |s| {
        s.game.progress = rules::Progress::PerPlayer;
        s.game.end = rules::GameEnd::FirstFinisher;
        s.game.max_rounds = 9;
        s.score.winner = -10;
        s.score.at_once = -20;
        s.score.ties = rules::ScoreTies::RoundsWon;
    }),
    ("in any order", |s| {
        s.game.progress = rules::Progress::PerPlayer;
        s.game.choice = rules::ContractChoice::AnyOrder;
        s.game.end = rules::GameEnd::FinisherTotal;
        s.game.max_rounds = 12;
        s.wild.upcard = true;
        s.table.undo = rules::Undo::UntilDiscard;
        s.wild.ranks = vec!["2".into(), "3".into(), "4".into()];
        s.layoff.when = rules::LayoffWhen::SameTurn;
    }),
    ("first melder", |s| {
        s.game.choice = rules::ContractChoice::FirstMelder;
        s.run.ace = rules::RunAce::Corner;
        s.wild.adjacent = false;
        s.take.limit = 3;
        s.take.limit_per = rules::LimitPer::Game;
    }),
    ("the dealer picks", |s| {
        s.game.choice = rules::ContractChoice::Dealer;
        s.wild.named = true;
        s.deal.upcard = false;
    }),
    ("lost turns", |s| {
        s.skip.cards = vec!["JK".into(), "4".into(), "7".into()];
        s.wild.ranks = vec!["K".into()];
        s.wild.upcard = true;
        s.draw.first_double = true;
        s.players.direction = rules::Direction::Ccw;
        s.layoff.when = rules::LayoffWhen::SameTurn;
        s.out.discard = rules::OutDiscard::Optional;
    }),
    ("the last loser picks", |s| {
        s.game.choice = rules::ContractChoice::LastLoser;
        s.game.again = true;
        s.game.target = 60;
        s.score.low_wins = false;
        s.turn.seconds = 20;
    }),
    ("cards are passed on", |s| {
        s.pass.cards = 3;
        s.pass.to = rules::PassTo::Alternate;
        s.wild.named = true;
        s.shanghai.on = true;
        s.layoff.when = rules::LayoffWhen::SameTurn;
        s.table.undo = rules::Undo::UntilDiscard;
        s.take.penalty = 2;
    }),
    ("cards are passed on by the clock", |s| {
        s.pass.cards = 10;
        s.pass.to = rules::PassTo::Right;
        s.players.direction = rules::Direction::Ccw;
        s.turn.seconds = 1;
    }),
    ("cards are passed on while the contract is picked", |s| {
        s.pass.cards = 1;
        s.pass.to = rules::PassTo::Across;
        s.game.choice = rules::ContractChoice::LastLoser;
        s.draw.mode = rules::DrawMode::Push;
    }),
    ("what families play", |s| {
        s.game.target = 60;
        s.meld.points = 25;
        s.wild.upcard = true;
        s.game.again = true;
        s.game.choice = rules::ContractChoice::FirstMelder;
        s.layoff.all_down = true;
        s.layoff.when = rules::LayoffWhen::SameTurn;
        s.shanghai.on = true;
        s.score.not_down = 5;
        s.score.not_down_cards = rules::NotDownCards::Twice;
        s.discard.wild = rules::DiscardWild::Never;
        s.discard.wild_taken = false;
        s.wild.ranks = vec!["2".into(), "3".into(), "4".into()];
        s.out.discard = rules::OutDiscard::Float;
    }),
    ("wilds stay where they are", |s| {
        s.take.close = rules::TakeClose::BeforeDiscard;
        s.take.penalty = 3;
        s.draw.cards = 3;
        s.draw.pile = 4;
        s.discard.wild_taken = false;
        s.discard.wild = rules::DiscardWild::Never;
        s.wild.ranks = ["2", "3", "4", "5", "6"].map(String::from).to_vec();
        s.stock.max_recycles = 1;
        s.out.discard = rules::OutDiscard::Float;
        s.layoff.when = rules::LayoffWhen::SameTurn;
        s.table.undo = rules::Undo::UntilDiscard;
    }),
    ("clocks", |s| {
        s.turn.seconds = 1;
        s.take.seconds = 0;
        s.shanghai.on = true;
        s.layoff.when = rules::LayoffWhen::SameTurn;
    }),
];

#[test]
fn every_option_keeps_the_laws() {
    for (name, turn) in TURNS {
        for seats in [3, 4] {
            let mut rules = Rules::contract(seats);
            turn(&mut rules.settings);
            for round in &mut rules.rounds {
                turn(&mut round.settings);
                round.settings.game.max_turns = 10;
                // Contracts that random players meet now and then.
                if !round.settings.meld.all {
                    round.contracts[0].truncate(1);
                }
            }
            run(name, &Arc::new(rules), seats, 0..3);
        }
    }
}
