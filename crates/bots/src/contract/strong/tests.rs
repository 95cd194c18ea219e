//! What strong imagines, and what it makes of it.

use super::super::{Keen, Level, Mind, Strong, faces, watched};
use super::*;
use crate::Bot;
use ::contract::solver::without;
use ::contract::state::Phase;
use ::contract::{Command, Rules, View};
use game::Millis;
use std::sync::Arc;

/// What seats that threw a card saw, in a match of three, with the hands of all.
fn views(rules: &Arc<Rules>, inputs: usize) -> impl Iterator<Item = (View, Vec<Counts>)> + use<> {
    let threw = |(view, command, hands)| matches!(command, Command::Discard { .. }).then_some((view, hands));
    watched::views(rules, 3, 3, inputs).into_iter().filter_map(threw)
}

/// The last round of Contract Rummy alone: three runs, the whole hand at once.
fn whole_hands() -> Rules {
    let mut rules = Rules::contract(3);
    rules.rounds.drain(..6);
    rules
}

#[test]
fn whole_hands_are_played_on_until_somebody_lays_all() {
    let (mut over, mut tried) = (0, 0);
    for (view, ..) in views(&Arc::new(whole_hands()), 150).step_by(2) {
        let mind = Mind::new(&view, Level::Strong).expect("a seat");
        let mut rollouts = Rollouts::new(&mind).expect("such rounds are played on");
        let (unseen, unneeded) = (mind.unseen(), rollouts.unneeded());
        let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
        let start = rollouts.start(&world);
        let (points, _, last) = rollouts.played(&start, Choice::Throw(faces(&mind.hand)[0]));
        tried += 1;
        let Some(last) = last else { continue };
        over += 1;
        for (seat, &points) in points.iter().enumerate() {
            assert_eq!(
                points == 0,
                seat == last,
                "who lays all has no points, the others what they hold: {points}"
            );
        }
    }
    assert!(tried > 10 && over > tried / 2, "{over} of {tried} rounds came to an end");
}

/// Contract Rummy with further melds once down, and runs round the corner.
fn further_melds() -> Rules {
    let mut rules = Rules::contract(3);
    for round in &mut rules.rounds {
        round.settings.meld.extra = MeldExtra::AfterContract;
        round.settings.run.ace = RunAce::Corner;
        round.settings.run.gap = 0;
    }
    rules
}

#[test]
fn whoever_is_down_lays_further_melds_where_the_game_has_them() {
    let check = |hand: &str, lies: usize, left: &str| {
        let rules = Arc::new(further_melds());
        let (view, _) = views(&rules, 60).next().expect("somebody throws");
        let mind = Mind::new(&view, Level::Strong).expect("a seat");
        let mut rollouts = Rollouts::new(&mind).expect("such rounds are played on");
        let pack = &view.compiled.laws[0].pack;
        let mut counts = [0; Face::COUNT];
        pack.parse_all(hand).unwrap().into_iter().for_each(|face| counts[face.index()] += 1);
        let (mut melds, mut hand) = (0, counts);
        while let Some(laid) = rollouts.further(&hand) {
            (melds, hand) = (melds + laid.melds.len(), laid.left);
        }
        assert_eq!((melds, pack.text_all(&::contract::solver::cards_of(&hand)).as_str()), (lies, left));
    };
    check("9C 9D 9H 4S", 1, "4S");
    check("9C 9D 4S", 0, "9C 9D 4S");
    check("QS KS AS 2S 9C 9D 9H 4S", 2, "4S");
}

#[test]
fn worlds_hold_every_card_once_and_what_everybody_knows() {
    let (mut tried, mut known, mut given) = (0, 0, 0);
    let mut passes = Rules::contract(3);
    passes.rounds.iter_mut().for_each(|round| round.settings.pass.cards = 2);
    let all = [Rules::contract(3), passes, whole_hands(), further_melds()];
    for (view, ..) in all.into_iter().flat_map(|rules| views(&Arc::new(rules), 400)) {
        let mind = Mind::new(&view, Level::Strong).expect("a seat");
        let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
        let (unseen, unneeded) = (mind.unseen(), rollouts.unneeded());
        let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
        let mut counts = [0u8; Face::COUNT];
        let stocks = world.draws.iter().chain(&world.fines).flatten().copied();
        let public = view.board.melds.iter().flat_map(|m| m.meld.faces()).chain(view.board.piled());
        stocks.chain(public).for_each(|face| counts[face.index()] += 1);
        for (seat, hand) in (0..).zip(&world.hands) {
            assert_eq!(size(hand), usize::from(view.flow.sizes[usize::from(seat)]), "seat {seat}");
            hand.iter().zip(&mut counts).for_each(|(&held, all)| *all += held);
            for face in view.board.known(Seat(seat)).filter(|_| Seat(seat) != mind.seat) {
                assert!(hand[face.index()] > 0, "seat {seat} took {face:?} and holds it");
                known += 1;
            }
            if view.flow.passes_to(&view.compiled, mind.seat) == Seat(seat) {
                for face in &view.passed.given {
                    assert!(
                        hand[face.index()] > 0,
                        "seat {seat} got {face:?} from this one and holds it (HR-PASS-1)"
                    );
                    given += 1;
                }
            }
        }
        let cards = ::contract::solver::counts_of(view.compiled.cards.iter().copied());
        assert_eq!(counts, cards, "every card of the pack lies somewhere");
        tried += 1;
    }
    assert!(tried > 80 && known > 20 && given > 20, "{tried} worlds with {known} and {given} known cards");
}

#[test]
fn open_hands_are_those_of_every_world_and_the_rest_is_drawn() {
    let mut tried = 0;
    for (view, hands) in views(&Arc::new(Rules::contract(3)), 300) {
        let mind = Mind { open: Some(hands.clone()), ..Mind::new(&view, Level::Strong).expect("a seat") };
        let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
        let (unseen, unneeded) = (mind.unseen(), rollouts.unneeded());
        let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
        assert_eq!(world.hands, hands);
        let stocks = world.draws.iter().chain(&world.fines).map(Vec::len).sum::<usize>();
        assert_eq!(stocks, usize::from(view.flow.stock), "the stock is what nobody holds");
        tried += 1;
    }
    assert!(tried > 40, "only {tried} worlds");
}

#[test]
fn a_card_of_the_plan_is_not_thrown_for_one_that_is_of_no_use() {
    let (mut kept, mut asked) = (0, 0);
    for (view, ..) in views(&Arc::new(Rules::contract(3)), 400) {
        let mind = Mind::new(&view, Level::Strong).expect("a seat");
        if mind.down() || mind.here() != 1 {
            continue;
        }
        let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
        let needed = |card: &Face| !mind.within(&without(&mind.hand, &[*card]), 1);
        let (plan, useless): (Vec<Face>, Vec<Face>) = faces(&mind.hand).into_iter().partition(needed);
        let ([plan, ..], [.., useless]) = (&plan[..], &useless[..]) else { continue };
        let best = rollouts.best(&[(0.0, Choice::Throw(*plan)), (0.0, Choice::Throw(*useless))]);
        kept += usize::from(best == Some(Choice::Throw(*useless)));
        asked += 1;
        if asked == 12 {
            break;
        }
    }
    assert!(asked == 12 && kept >= 10, "the plan was kept {kept} of {asked} times");
}

#[test]
fn where_shanghai_is_called_nobody_takes_what_fits_on_a_meld() {
    let mut rules = Rules::contract(3);
    rules.rounds.iter_mut().for_each(|round| round.settings.shanghai.on = true);
    let (mut fitting, mut others) = (0, 0);
    for (view, ..) in views(&Arc::new(rules), 600) {
        let mind = Mind::new(&view, Level::Strong).expect("a seat");
        let Some(mut rollouts) = Rollouts::new(&mind) else { continue };
        let (unseen, unneeded) = (mind.unseen(), rollouts.unneeded());
        let world = rollouts.world(&unseen, &unneeded, &mut SplitMix(1));
        let round = rollouts.start(&world);
        for card in faces(&mind.hand) {
            let fits = view.board.melds.iter().any(|m| rollouts.law.fit(&m.meld, card).any());
            assert_eq!(rollouts.lies(&round, card), (!fits).then_some(card));
            *if fits { &mut fitting } else { &mut others } += 1;
        }
    }
    assert!(fitting > 10 && others > 100, "{fitting} cards fit, {others} do not");
}

/// The same view is thought about alike, and where the rules are not played on in mind it is keen who plays.
#[test]
fn the_same_view_gives_the_same_move_and_other_rules_those_of_keen() {
    let think = |bot: &mut dyn Bot<View>, view: &View| {
        bot.think(view, Millis(0), &mut SplitMix(5)).map(|thought| thought.command)
    };
    for (view, ..) in views(&Arc::new(Rules::contract(3)), 30) {
        assert_eq!(think(&mut Strong, &view), think(&mut Strong, &view));
    }
    let mut rules = Rules::contract(3);
    rules.rounds.iter_mut().for_each(|round| round.settings.group.distinct_suits = true);
    for (view, ..) in views(&Arc::new(rules), 100) {
        assert!(Rollouts::new(&Mind::new(&view, Level::Strong).expect("a seat")).is_none());
        assert_eq!(think(&mut Strong, &view), think(&mut Keen, &view));
    }
}

/// A measurement: by how many points the discard and the take that are chosen are better than those of keen, where each is played on among the
/// true hands in many orders of the stock; and by how many the one is that whoever sees all hands would choose.
///
///     cargo test --release -p parlour-bots --lib -- --ignored --nocapture what_a_choice_gains
#[test]
#[ignore = "takes minutes"]
fn what_a_choice_gains() {
    const ORDERS: usize = 100;
    const DISCARDS: usize = 2_000;
    let rules = Arc::new(Rules::contract(3));
    // The first choice is that of keen.
    let choices = |view: &View, command: &Command| -> Vec<(f32, Choice)> {
        let mind = Mind::new(view, Level::Strong).expect("a seat");
        if mind.down() {
            return Vec::new();
        }
        if let Command::Discard { .. } = command {
            let counting = Mind::new(view, Level::Counting).expect("a seat");
            counting.discard(&mut SplitMix(1));
            let valued = mind.valued(&counting.notes.borrow().ranked).unwrap_or_default();
            return valued
                .into_iter()
                .take(TRIED)
                .map(|(points, card)| (points, Choice::Throw(card)))
                .collect();
        }
        let asked = matches!(view.flow.phase, Phase::Offer { .. }) && view.judge(&Command::Take).is_ok();
        let Some(top) = view.flow.top.filter(|_| asked && mind.here() > 1 && mind.worth_its_price()) else {
            return Vec::new();
        };
        let Some(more) = mind.valued_take(top) else { return Vec::new() };
        let mut both = vec![(0.0, Choice::Take(false)), (more, Choice::Take(true))];
        both.sort_by(|a, b| b.0.total_cmp(&a.0));
        both
    };
    let mut gained = [(); 2].map(|()| (Vec::new(), Vec::new()));
    let views = (1_000..).flat_map(|seed| watched::views(&rules, 3, seed, 100_000)).step_by(3);
    for (view, command, hands) in views {
        let choices = choices(&view, &command);
        let mind = Mind::new(&view, Level::Strong).expect("a seat");
        let open = Mind { open: Some(hands), ..Mind::new(&view, Level::Strong).expect("a seat") };
        let (Some(mut judge), Some(mut rollouts)) = (Rollouts::new(&open), Rollouts::new(&mind)) else {
            continue;
        };
        if choices.len() < 2 {
            continue;
        }
        let tried: Vec<Choice> = choices.iter().map(|&(_, choice)| choice).collect();
        let chosen = rollouts.best(&choices);
        let at = tried.iter().position(|&choice| Some(choice) == chosen).expect("one of them");
        // Whoever sees the hands chooses by other orders than those that judge.
        let [seen, came] = [1, 2].map(|seed| judge.means(&tried, ORDERS, &mut SplitMix(seed)));
        let best = (0..tried.len()).max_by(|&a, &b| seen[a].total_cmp(&seen[b])).expect("two or more");
        let (strong, all) = &mut gained[usize::from(matches!(tried[0], Choice::Take(_)))];
        strong.push(came[at] - came[0]);
        all.push(came[best] - came[0]);
        if gained[0].0.len() == DISCARDS {
            break;
        }
    }
    for (what, (strong, all)) in ["discards", "takes"].iter().zip(&gained) {
        let n = strong.len() as f32;
        let mean = |of: &[f32]| of.iter().sum::<f32>() / n;
        let error = (strong.iter().map(|by| (by - mean(strong)).powi(2)).sum::<f32>() / n / n).sqrt();
        println!(
            "{n} {what}: strong gains {:.2} points ({error:.2} to and fro), and {:.2} who sees all hands",
            mean(strong),
            mean(all)
        );
    }
}
