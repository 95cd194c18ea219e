//! A wake-up is never asked for again at once: after one nothing is due now or earlier, whatever has happened at the table
//! before (the machine of the tests holds every table to that, see `rig`). Where nobody is there, nothing is asked for.

use super::*;
use game::Seat;
use game::chance::SplitMix;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use record::fair::Bytes32;
use rig::person;
use table::{Appended, Playable, Trial};
use toy::Where;
use wire::{Act, Stage};

/// Something that happens at a table.
#[derive(Clone, Debug)]
enum Step {
    /// Somebody opens a socket.
    Come(usize),
    /// Their socket breaks.
    Go(usize),
    /// Somebody asks for something about the table.
    Ask(usize, Act),
    /// Somebody who may moves.
    Move(usize),
    /// Somebody keeps their seeds to themselves from now on, or no longer.
    Withhold(usize, bool),
    /// Somebody answers pings only after so many milliseconds.
    Slow(usize, u64),
    /// Time passes, and whoever can hear and answer does.
    Pass(u64),
    /// Time passes while nothing becomes durable, no socket is read and nobody thinks.
    Stall(u64),
    /// So many entries become durable.
    Commit(usize),
    /// What is slow is done.
    Work,
    /// From now on appends end like this.
    Storage(Option<Appended>),
    /// The server is killed and started again.
    Restart,
    /// The table falls asleep if it may, and wakes.
    Sleep,
    /// Something breaks down so often.
    Break(Where, u32),
}

/// Who comes: the host, two more, and somebody without a name.
const NAMES: [&str; 4] = ["ann", "bob", "carl", ""];

/// Where it may break down.
const PLACES: [Where; 6] =
    [Where::Judging, Where::Ringing, Where::TakingIn, Where::Showing, Where::Thinking, Where::Sending];

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let who = 0..NAMES.len();
    let millis = prop_oneof![Just(0), 1..50u64, 950..1050u64, 0..20_000u64, 20_000..200_000u64];
    let seat = (0..3u8).prop_map(Seat);
    let act = prop_oneof![
        3 => seat.clone().prop_map(|seat| Act::Sit { seat }),
        1 => Just(Act::Stand),
        2 => any::<bool>().prop_map(|ready| Act::Ready { ready }),
        3 => Just(Act::Start),
        1 => Just(Act::Rematch),
        1 => Just(Act::Pause),
        2 => Just(Act::Resume),
        1 => seat.clone().prop_map(|seat| Act::Remove { seat }),
        2 => seat.clone().prop_map(|seat| Act::Bot { seat, kind: "easy".to_owned() }),
        1 => seat.prop_map(|seat| Act::Person { seat }),
        1 => Just(Act::Back),
        2 => Just(Act::GoOn),
        1 => any::<bool>().prop_map(|agree| Act::End { agree }),
    ];
    let ends = prop_oneof![
        3 => Just(None),
        1 => Just(Some(Appended::Failed("The disk is full.".to_owned()))),
        1 => Just(Some(Appended::Unknown("The disk does not answer.".to_owned()))),
    ];
    let step = prop_oneof![
        3 => who.clone().prop_map(Step::Come),
        3 => who.clone().prop_map(Step::Go),
        4 => (who.clone(), act).prop_map(|(who, act)| Step::Ask(who, act)),
        6 => who.clone().prop_map(Step::Move),
        1 => (who.clone(), any::<bool>()).prop_map(|(who, keeps)| Step::Withhold(who, keeps)),
        1 => (who, 0..400u64).prop_map(|(who, late)| Step::Slow(who, late)),
        8 => millis.clone().prop_map(Step::Pass),
        3 => millis.prop_map(Step::Stall),
        1 => (0..4usize).prop_map(Step::Commit),
        1 => Just(Step::Work),
        2 => ends.prop_map(Step::Storage),
        1 => Just(Step::Restart),
        2 => Just(Step::Sleep),
        1 => (proptest::sample::select(PLACES.to_vec()), 1..8u32).prop_map(|(place, times)| Step::Break(place, times)),
    ];
    proptest::collection::vec(step, 1..60)
}

/// What is played.
struct Setting<G: Playable> {
    rules: G::Rules,
    seats: u8,
    bots: fn() -> Arc<BotMaker<G>>,
    trial: bool,
}

/// Plays a history on a table with a match on, and then leaves it alone.
fn live<G: Playable>(setting: &Setting<G>, begun: bool, history: &[Step])
where
    G::Rules: Clone,
{
    let trial = setting.trial.then(|| Trial { name: "law".to_owned(), seed: Bytes32([3; 32]) });
    let mut rig: Rig<G> =
        Rig::resting(setting.rules.clone(), setting.seats, (setting.bots)(), 11, trial, table::rest_s());
    let mut peers = NAMES.map(Peer::<G>::new);
    let mut chance = SplitMix(7);
    let (mut seconds, mut well) = (0, true);
    toy::plant(Where::Opening, 0);
    if begun {
        for (seat, name) in (0..setting.seats).zip(["ann", "bob"]) {
            let _ = rig.table.act(&person(name), &Act::Sit { seat: Seat(seat) });
            let _ = rig.table.act(&person(name), &Act::Ready { ready: true });
        }
        for seat in 2..setting.seats {
            let bot = Act::Bot { seat: Seat(seat), kind: "easy".to_owned() };
            let _ = rig.table.act(&person("ann"), &bot);
        }
        rig.table.act(&person("ann"), &Act::Start).expect("it starts");
    }
    for step in history {
        match step {
            Step::Come(who) => {
                peers[*who].cut();
                peers[*who].open(&rig.table);
            }
            Step::Go(who) => peers[*who].cut(),
            Step::Ask(who, act) => peers[*who].client.act(act.clone()),
            Step::Move(who) => {
                let peer = &mut peers[*who];
                let at = peer.client.clock(rig.host_now() as f64);
                let offered = peer.client.view().map_or(Vec::new(), |view| view.commands(at).commands);
                if let Some(most) = u32::try_from(offered.len()).ok().filter(|most| *most > 0) {
                    peer.client.command(offered[chance.below(most) as usize].clone());
                }
            }
            Step::Withhold(who, keeps) => peers[*who].withholds = *keeps,
            Step::Slow(who, late) => peers[*who].slow = Some(*late),
            Step::Pass(millis) => {
                seconds += millis / 1000;
                rig.pass(*millis, &mut peers.each_mut());
            }
            Step::Stall(millis) => {
                seconds += millis / 1000;
                rig.pass_with(*millis, || {});
            }
            Step::Commit(most) => drop(rig.journal.commit(*most)),
            Step::Work => drop(rig.work()),
            Step::Storage(trouble) => {
                well = trouble.is_none();
                rig.journal.trouble(trouble.clone());
            }
            Step::Sleep if rig.table.may_sleep(&rig.tables.saved()) => {
                let before = rig.table.state();
                // What could not be stored or read is tried anew, and what cannot be stored or read now is told.
                let well = well && toy::planted() == 0;
                rig = rig.restarted();
                if well && before.paused.as_ref().is_none_or(|why| *why == wire::Paused::Nobody) {
                    rig.journal.commit_all();
                    assert_eq!(rig.table.state(), before);
                }
            }
            Step::Sleep => {}
            Step::Break(place, times) => toy::plant(*place, *times),
            Step::Restart => {
                peers.iter_mut().for_each(Peer::cut);
                rig.journal.commit_all();
                rig = rig.restarted();
            }
        }
        for peer in &mut peers {
            peer.pump(rig.host_now());
        }
    }
    toy::plant(Where::Opening, 0);
    // Sockets are asked at first each second, then each quarter of a minute; a bot's move, an alarm, a try to store take a second.
    let most = 100 + 20 * history.len() + 8 * seconds as usize;
    assert!(rig.woken() <= most, "woken {} times in {seconds} s", rig.woken());

    // The house is empty.
    peers.iter_mut().for_each(Peer::cut);
    if setting.trial {
        // Its clock waits for nobody, and it can be stored.
        rig.journal.trouble(None);
    }
    for _ in 0..20 {
        rig.pass(3_600_000, &mut []);
    }
    let before = rig.woken();
    rig.pass(24 * 3_600_000, &mut []);
    assert_eq!(rig.woken() - before, 0, "nobody is there: {:?}", rig.table.state());
    // Whoever comes back is served.
    rig.journal.trouble(None);
    peers[0].open(&rig.table);
    rig.pass(2000, &mut peers.each_mut());
    let state = rig.table.state();
    assert!(!matches!(state.paused, Some(wire::Paused::Storage { .. })), "{state:?}");
    if state.stage == Stage::Playing && state.paused.is_none() {
        rig.truth().status();
    }
}

fn check<G: Playable>(name: &str, setting: &Setting<G>, cases: u32)
where
    G::Rules: Clone,
{
    let cases = if std::env::var_os("PARLOUR_LONG").is_some() { cases * 20 } else { cases };
    let config = Config { cases, failure_persistence: None, max_shrink_time: 20_000, ..Config::default() };
    let history = (any::<bool>(), steps());
    let checked = TestRunner::new(config).run(&history, |(begun, history)| {
        live(setting, begun || setting.trial, &history);
        Ok::<(), TestCaseError>(())
    });
    if let Err(why) = checked {
        panic!("{name}: {why}");
    }
}

#[test]
fn no_history_makes_a_table_ask_for_a_wake_up_again_at_once() {
    for (adjusted, seats, trial) in [(false, 3, false), (true, 2, false), (false, 1, true)] {
        let rules = Rules { adjusted, ..Rules::default() };
        check("toy", &Setting::<Toy> { rules, seats, bots, trial }, 150);
    }
}

/// The games of both families, each with what it has of clocks, votes and grace.
#[test]
fn nor_does_one_at_a_table_of_any_family() {
    let bots = || -> Arc<BotMaker<rulebook::Match>> { Arc::new(bots::make) };
    let mut played = 0;
    for preset in rulebook::presets() {
        let loaded = rulebook::preset(preset).unwrap();
        let seats = 3.clamp(loaded.info.players_min, loaded.info.players_max);
        let rules = (*loaded.rules(seats).unwrap()).clone();
        check(preset, &Setting::<rulebook::Match> { rules, seats, bots, trial: false }, 3);
        played += 1;
    }
    assert!(played > 40, "{played} games");
    for daily in ["daily-puzzle", "daily-basic", "time-trial"] {
        let options = toml::Table::from_iter([("abandon_s".to_owned(), 1800.into())]);
        let loaded = rulebook::load(rulebook::Source::Preset(daily), Some(&options), &rulebook::NoFiles);
        let rules = (*loaded.unwrap().rules(1).unwrap()).clone();
        check(daily, &Setting::<rulebook::Match> { rules, seats: 1, bots, trial: true }, 10);
    }
}

/// Flags for ever, 700 ms after anything has happened, whether it may or not.
struct Restless;

impl Bot<ToyView> for Restless {
    fn name(&self) -> &str {
        "restless/1"
    }
    fn think(&mut self, _: &ToyView, _: Millis, _: &mut dyn Chance) -> Option<Thought<Command>> {
        Some(Thought::after(Command::Flag, 700))
    }
}

/// Something sooner comes up all the time: the wake-up for what is later is not asked for once more each time.
#[test]
fn wake_ups_do_not_multiply() {
    let restless = || -> Arc<BotMaker<Toy>> { Arc::new(|_, _| Some(Box::new(Restless) as _)) };
    let rig = Rig::<Toy>::new(Rules::default(), 2, restless(), 11);
    let mut ann = with_a_bot(&rig);
    let mut minute = || {
        let before = rig.woken();
        rig.pass(60_000, &mut [&mut ann]);
        rig.woken() - before
    };
    // The deal is played by the clocks, and then the bots ask in vain.
    let counts: Vec<usize> = (0..30).map(|_| minute()).collect();
    assert!((50..200).contains(&counts[2]) && counts[29] <= counts[2] + 2, "wake-ups a minute: {counts:?}");
}

/// Whoever acts in the moment in which a bot sits in for them plays themselves again, and the record says so.
#[test]
fn an_act_that_comes_when_a_bot_sits_in_is_of_the_person() {
    let setting = Setting::<Toy> { rules: Rules::default(), seats: 3, bots, trial: false };
    for turns in [
        vec![Step::Stall(19_039), Step::Break(Where::Ringing, 1), Step::Pass(961)],
        vec![Step::Pass(10_000), Step::Break(Where::Ringing, 1), Step::Stall(38_000)],
    ] {
        let history = [vec![Step::Come(0)], turns, vec![Step::Come(0), Step::Move(0)]].concat();
        live(&setting, true, &history);
    }
}

/// Whoever comes while the storage fails sees nothing that it does not hold: it may never have been.
#[test]
fn who_comes_while_nothing_can_be_stored_sees_what_was_stored() {
    let setting = Setting::<Toy> { rules: Rules::default(), seats: 3, bots, trial: false };
    let full = Some(Appended::Failed("The disk is full.".to_owned()));
    let history = [
        vec![Step::Commit(1), Step::Storage(full), Step::Come(0), Step::Commit(1), Step::Come(1)],
        vec![Step::Storage(None), Step::Pass(5000)],
    ];
    live(&setting, true, &history.concat());
}
