//! A viewer's bytes do not depend on cards it has not learnt.
//!
//! For random prefixes of random matches: exchange cards whose places the viewer has not learnt by the end of the prefix,
//! play the same inputs through the same draws but for that exchange, and compare every byte that the table sends to that
//! viewer, with its number and order, and the fresh view it would get at the end. A prefix in which an input is then
//! refused is skipped. What a viewer has learnt is worked out here from the events of the rules alone, not from what was
//! sent, so that a leak cannot excuse itself; a planted one is found.

use super::rig::{Hand, Peer, Rig, Shelved, person};
use cards::Point;
use game::chance::SplitMix;
use game::*;
use record::{Cause, Entry, Header, Sitter, SitterKind};
use rulebook::{Command, Event, Match, Notice, Rules, View as Seen};
use std::collections::BTreeSet;
use std::sync::Arc;
use table::{Chair, Env, Journal, MatchId, MemoryJournal, Playable, Saved, Settings, Table, TableStore, Who};
use wire::{Act, Stage};

/// A card as a number, and the place in the shuffle it came from.
type Card = u16;

/// One accepted input with its time.
type Made = (Millis, Input<Command>);

/// Plays at random until the match is over or `most` inputs were accepted. No clock runs out: whose clock does shows cards
/// that depend on hidden ones.
fn random_match(rules: &Arc<Rules>, seats: u8, most: usize, chance: &mut SplitMix) -> Vec<Made> {
    let mut game = Match::open(Arc::clone(rules), seats).unwrap();
    let (mut at, mut made, mut events) = (Millis(0), Vec::new(), Vec::new());
    let mut idle = 0;
    while made.len() < most && idle < 200 {
        at = at.after(chance.below(300));
        idle += 1;
        let input = match game.status() {
            Status::Over(_) => break,
            Status::Chance(need) => Input::Draw(chance.answer(&need)),
            Status::Seats(waiting) => {
                if let Some(alarm) = game.alarm().filter(|a| a.due <= at) {
                    Input::Ring(alarm.id)
                } else {
                    let some: Vec<Seat> = waiting.iter().collect();
                    if some.is_empty() {
                        continue;
                    }
                    let seat = some[chance.below(some.len() as u32) as usize];
                    let mut offered = game.view(Viewer::Seat(seat)).commands(at).commands;
                    if offered.is_empty() {
                        continue;
                    }
                    let any = chance.below(offered.len() as u32) as usize;
                    Input::Play(seat, offered.swap_remove(any), Timing::at(at))
                }
            }
        };
        events.clear();
        if game::step(&mut game, at, &input, &mut events).is_ok() {
            made.push((at, input));
            idle = 0;
        }
    }
    made
}

/// The cards of a whole deal in the order of its shuffle, if the event is one.
fn deal_of(event: &Event, draw: Option<&Draw>, rules: &Rules) -> Option<Vec<Card>> {
    use pattern::Event as P;
    match (event, draw, rules) {
        (Event::Contract(contract::Event::Dealt { deck, .. }), ..) => {
            Some(deck.iter().map(|f| f.index() as Card).collect())
        }
        // The shuffle of the Set games is of the cards in ascending order.
        (
            Event::Pattern(
                P::Race(pattern::race::Event::Dealt { .. })
                | P::Memory(pattern::memory::Event::Dealt { .. })
                | P::Setup(pattern::setup_game::Event::Dealt { .. })
                | P::Puzzle(pattern::puzzle::Event::Shown { .. })
                | P::Trial(pattern::trial::Event::Started { .. }),
            ),
            Some(Draw::Order(order)),
            Rules::Pattern(rules),
        ) => {
            let mut cards: Vec<Card> = rules.cards().map(card).collect();
            if cards.len() < order.len() {
                // From the quick deck to the whole one (QUICK-4).
                cards = rules.graduated().cards().map(card).collect();
            }
            Some(order.iter().map(|&place| cards[usize::from(place)]).collect())
        }
        _ => None,
    }
}

fn card(point: Point) -> Card {
    Card::from(point.0)
}

/// The faces that `who` learns the place of with `event`, by the rules of the games.
fn shown(event: &Event, who: Viewer, playing: Option<Seat>, open_hands: bool) -> Vec<Card> {
    use contract::Event as E;
    let own = |seat: &Seat| who.is(*seat);
    let mine = playing.is_some_and(|seat| who.is(seat));
    let mut cards: Vec<Card> = Vec::new();
    let mut add = |face: &cards::Face| cards.push(face.index() as Card);
    match event {
        Event::Contract(event) => match event {
            E::Dealer { cards, .. } => cards.iter().for_each(add),
            E::Dealt { top, .. } => top.iter().for_each(add),
            E::Took { card, top, .. } => {
                add(card);
                top.iter().for_each(add);
            }
            E::Penalty { seat, card } if own(seat) => add(card),
            E::Drew { discard, card, top, .. } => {
                if *discard || mine {
                    add(card);
                }
                top.iter().for_each(add);
            }
            E::Discarded { card, .. } => add(card),
            // The discarder's; the claimer had it in hand.
            E::Picked { card } if mine => add(card),
            E::Pushed { to, discard, card, top } => {
                add(discard);
                if own(to) {
                    add(card);
                }
                top.iter().for_each(add);
            }
            E::LaidOff { cards, .. } => cards.iter().for_each(add),
            E::Reclaimed { card, wild, .. } => {
                add(card);
                add(wild);
            }
            E::Melded { melds, .. } => melds.iter().flat_map(|m| m.faces()).for_each(|f| add(&f)),
            _ => {}
        },
        Event::Pattern(event) => shown_points(event, who, open_hands, &mut |point| cards.push(card(point))),
    }
    cards
}

/// The same for the Set games; `open` says whether everybody sees every hand.
fn shown_points(event: &pattern::Event, who: Viewer, open: bool, add: &mut dyn FnMut(Point)) {
    use pattern::{Event as P, memory, puzzle, setup_game, trial};
    let sees = |seat: &Seat| open || who.is(*seat);
    match event {
        P::Race(event) => shown_race(event, who, open, add),
        P::Memory(memory::Event::Flipped { card, .. }) => add(*card),
        P::Setup(setup_game::Event::Dealt { hands, .. }) => {
            let seen = (0..).map(Seat).zip(hands).filter(|(seat, _)| sees(seat));
            seen.flat_map(|(_, hand)| hand.cards()).for_each(|&point| add(point));
        }
        P::Setup(setup_game::Event::Drew { seat, card }) if sees(seat) => {
            card.cards().iter().for_each(|&point| add(point));
        }
        P::Setup(setup_game::Event::Played { card, .. }) => add(*card),
        P::Puzzle(puzzle::Event::Shown { layout, .. }) => layout.iter().for_each(|&point| add(point)),
        // Everybody plays on a board of their own, and has seat 0 there.
        P::Trial(trial::Event::Board { seat, event }) if who.is(*seat) => {
            shown_race(event, Viewer::Seat(Seat(0)), open, add);
        }
        _ => {}
    }
}

fn shown_race(event: &pattern::race::Event, who: Viewer, open: bool, add: &mut dyn FnMut(Point)) {
    use pattern::race::Event as P;
    let sees = |seat: &Seat| open || who.is(*seat);
    match event {
        P::Dealt { board, hands, .. } => {
            board.cards().for_each(&mut *add);
            let seen = (0..).map(Seat).zip(hands).filter(|(seat, _)| sees(seat));
            seen.flat_map(|(_, hand)| hand.cards()).for_each(|&point| add(point));
        }
        P::Laid { cards, .. } => cards.iter().for_each(|placed| add(placed.card)),
        P::Drew { seat, cards, .. } if sees(seat) => cards.cards().iter().for_each(|&point| add(point)),
        // Cards of a hand that are claimed lie open with the claim.
        P::Judged { verdict, .. } => verdict.taken.iter().for_each(|&point| add(point)),
        P::TieJudged { verdicts, .. } => {
            verdicts.iter().flat_map(|v| &v.taken).for_each(|&point| add(point));
        }
        _ => {}
    }
}

/// The hand that a seat was dealt; those of the Set games are told with the deal.
fn hand(game: &Match, who: Viewer) -> Vec<Card> {
    match game.view(who) {
        Seen::Contract(view) => view.hand.faces().map(|f| f.index() as Card).collect(),
        Seen::Pattern(_) => Vec::new(),
    }
}

/// Whose turn it is, in the games with turns.
fn turn(event: &Event, before: Option<Seat>) -> Option<Seat> {
    match event {
        Event::Contract(contract::Event::Turn { seat, .. }) => Some(*seat),
        _ => before,
    }
}

/// Whether the seed of the deal is shown with this event, or a clock moved for somebody.
fn ends(event: &Event) -> bool {
    use pattern::roster::Happening;
    use pattern::{Event as P, memory, puzzle, race, setup_game, trial};
    match event {
        Event::Contract(e) => {
            matches!(
                e,
                contract::Event::RoundOver { .. }
                    | contract::Event::Over(_)
                    | contract::Event::TimedOut { .. }
            )
        }
        Event::Pattern(P::Race(e)) => matches!(e, race::Event::DealOver { .. } | race::Event::Ended { .. }),
        Event::Pattern(
            P::Memory(memory::Event::Table(e))
            | P::Setup(setup_game::Event::Table(e))
            | P::Puzzle(puzzle::Event::Table(e)),
        ) => matches!(e, Happening::DealOver { .. } | Happening::Ended { .. }),
        Event::Pattern(P::Trial(e)) => matches!(e, trial::Event::Ended { .. }),
        Event::Pattern(_) => false,
    }
}

/// What the rules tell everybody of cards that nobody sees: that a deal is over, or that no Set lies face down (MEM-8, Q-19).
fn ruling(event: &Event) -> bool {
    use pattern::{Event as P, memory};
    ends(event)
        || matches!(
            event,
            Event::Pattern(P::Memory(
                memory::Event::Laid { extra: true, .. } | memory::Event::DeclaredFalsely { .. }
            ))
        )
}

/// Plays inputs; none if one is refused.
fn play<G: Playable<Rules = Rules, Command = Command, Event = Event>>(
    rules: &Arc<Rules>,
    seats: u8,
    made: &[Made],
) -> Option<Vec<Entry<Command, Event>>> {
    let mut game = G::open(Arc::clone(rules), seats).ok()?;
    let mut entries = Vec::new();
    // The first entry is the server's own, that it took over.
    for (ply, (at, input)) in (2..).zip(made) {
        let mut events = Vec::new();
        game::step(&mut game, *at, input, &mut events).ok()?;
        let cause = match input {
            Input::Play(seat, ..) => {
                Cause::Seat { seat: *seat, command: u64::from(ply), client: 1, bot: false }
            }
            _ => Cause::Host,
        };
        entries.push(Entry { ply, at: *at, cause, input: Some(input.clone()), events, notes: Vec::new() });
    }
    Some(entries)
}

/// All that a table sends to one viewer while these entries become durable, and then to the same viewer anew.
fn sent<G: Playable<Rules = Rules, Command = Command, Event = Event>>(
    rules: &Arc<Rules>,
    seats: u8,
    entries: &[Entry<Command, Event>],
    who: Viewer,
) -> Vec<String> {
    const NAMES: [&str; 6] = ["p0", "p1", "p2", "p3", "p4", "p5"];
    let id = MatchId::new(42);
    let journal = Arc::new(MemoryJournal::default());
    let (host, tables) = (Hand::new(5), Arc::new(Shelved::default()));
    let env: Env<G> = Env {
        journal: Arc::clone(&journal) as Arc<dyn Journal>,
        tables: Arc::clone(&tables) as Arc<dyn TableStore>,
        host: Arc::clone(&host) as Arc<dyn Host>,
        bots: Arc::new(|_, _| Some(Box::new(Mute) as Box<dyn bots::Bot<G::View>>)),
        alike: |one, other| one == other,
        rules: Arc::new(|_, _| None),
    };
    let people = &NAMES[..usize::from(seats)];
    let header = Header {
        schema: record::entry::SCHEMA,
        engine: record::ENGINE.to_owned(),
        id: id.to_string(),
        opened: Some(0),
        rules: (**rules).clone(),
        seats: people.iter().map(|n| Sitter { name: (*n).to_owned(), kind: SitterKind::Person }).collect(),
        shuffle: "test".to_owned(),
    };
    // Nobody else comes or goes: the others are bots that wait for ever.
    let chair = |(seat, name): (usize, &&str)| {
        let own = who.is(Seat(seat as u8));
        let sits = if own { Who::Person(person(name)) } else { Who::Bot("mute".to_owned()) };
        Chair { who: Some(sits), ready: true, ..Chair::default() }
    };
    let saved = Saved {
        settings: Settings {
            id: "t".to_owned(),
            rules: Arc::clone(rules),
            seats,
            host: person("p0"),
            sit_in: "mute".to_owned(),
            join_late: false,
            rest_s: 20,
            trial: None,
        },
        chairs: people.iter().enumerate().map(chair).collect(),
        stage: Stage::Playing,
        game: 1,
        playing: Some(id),
        // The clock stands still: nothing happens by itself.
        asked: true,
        rests: false,
        at: Millis(0),
        seen: 0,
        left: 0,
        removed: Vec::new(),
        ending: SeatSet::NONE,
        without_seed: Vec::new(),
    };
    journal.intrude(id, serde_json::to_vec(&header).unwrap());
    let table = Table::<G>::restore(&serde_json::to_string(&saved).unwrap(), env.clone()).unwrap();
    let rig = Rig { host, journal, tables, env, table };
    let name = match who {
        Viewer::Seat(seat) => NAMES[seat.index()],
        Viewer::Table => "",
    };
    let mut peer: Peer<G> = Peer::new(name);
    peer.open(&rig.table);
    rig.quiet(&mut [&mut peer]);
    assert_eq!(rig.journal.read(id, 0).unwrap().len(), 2, "the header, and that the server took over");
    for entry in entries {
        rig.journal.intrude(id, serde_json::to_vec(entry).unwrap());
    }
    // An entry of the table's own meets them: it reads the log anew and tells what it had not told.
    let other = Seat(u8::from(who.is(Seat(0))));
    rig.table.act(&person("p0"), &Act::Bot { seat: other, kind: "mute".to_owned() }).unwrap();
    rig.quiet(&mut [&mut peer]);
    let mut again: Peer<G> = Peer::new(name);
    again.open(&rig.table);
    rig.quiet(&mut [&mut peer, &mut again]);
    assert_eq!(rig.table.state().paused, Some(wire::Paused::Asked));
    assert_eq!(peer.client.seen(), again.client.seen());
    peer.heard.extend(again.heard);
    peer.heard
}

/// Waits for the others for ever.
struct Mute;

impl<V: View> bots::Bot<V> for Mute {
    fn name(&self) -> &str {
        "mute/1"
    }
    fn think(&mut self, _: &V, _: Millis, _: &mut dyn Chance) -> Option<bots::Thought<V::Command>> {
        None
    }
}

use table::Host;

/// Tries random prefixes of one game until `wanted` remain, or many matches were tried in vain. Gives how many remained, and the first
/// difference.
fn search<G: Playable<Rules = Rules, Command = Command, Event = Event>>(
    rules: &Arc<Rules>,
    seats: u8,
    wanted: usize,
    seed: u64,
) -> (usize, Option<String>) {
    let mut chance = SplitMix(seed);
    let mut remained = 0;
    for _ in 0..wanted * 20 {
        if remained >= wanted {
            break;
        }
        let whole = random_match(rules, seats, 400, &mut chance);
        for _ in 0..8 {
            let made = &whole[..1 + chance.below(whole.len() as u32) as usize];
            let who = match chance.below(u32::from(seats) + 1) {
                n if n < u32::from(seats) => Viewer::Seat(Seat(n as u8)),
                _ => Viewer::Table,
            };
            let Some(changed) = exchange(rules, seats, made, who, &mut chance) else { continue };
            let Some(theirs) = play::<G>(rules, seats, &changed) else { continue };
            let ours = play::<G>(rules, seats, made).unwrap();
            if rulings(&ours) != rulings(&theirs) || told(rules, &ours, who) != told(rules, &theirs, who) {
                continue;
            }
            remained += 1;
            let (a, b) = (sent::<G>(rules, seats, &ours, who), sent::<G>(rules, seats, &theirs, who));
            if a != b {
                let place = a.iter().zip(&b).position(|(a, b)| a != b).unwrap_or(0);
                return (remained, Some(format!("{who:?}:\n{}\n{}", a[place], b[place])));
            }
        }
    }
    (remained, None)
}

/// With which entries the rules tell of cards that nobody sees. Where an exchange changes that, the viewer may know.
fn rulings(entries: &[Entry<Command, Event>]) -> Vec<u32> {
    let told = |entry: &&Entry<Command, Event>| entry.events.iter().any(ruling);
    entries.iter().filter(told).map(|entry| entry.ply).collect()
}

/// Whether everybody sees every hand.
fn open_hands(rules: &Rules) -> bool {
    matches!(rules, Rules::Pattern(own) if !own.private_hands())
}

/// The cards that the rules tell the viewer, in order. An exchange may change them: the card that a discarder picks blindly is
/// that at a place of the shuffled hand.
fn told(rules: &Rules, entries: &[Entry<Command, Event>], who: Viewer) -> Vec<Card> {
    let open_hands = open_hands(rules);
    let mut playing = None;
    let mut cards = Vec::new();
    for event in entries.iter().flat_map(|entry| &entry.events) {
        playing = turn(event, playing);
        cards.extend(shown(event, who, playing, open_hands));
    }
    cards
}

/// The same inputs with some cards exchanged whose places `who` has not learnt; none if there are no such cards.
fn exchange(
    rules: &Arc<Rules>,
    seats: u8,
    made: &[Made],
    who: Viewer,
    chance: &mut SplitMix,
) -> Option<Vec<Made>> {
    let open_hands = open_hands(rules);
    let mut game = Match::open(Arc::clone(rules), seats).unwrap();
    let mut deal: Option<(usize, Vec<Card>)> = None;
    let mut learnt = BTreeSet::new();
    let mut playing = None;
    for (place, (at, input)) in made.iter().enumerate() {
        let mut events = Vec::new();
        game.decide(*at, input, &mut events).unwrap();
        for event in &events {
            playing = turn(event, playing);
            game.evolve(event);
            let draw = if let Input::Draw(draw) = input { Some(draw) } else { None };
            if let Some(cards) = deal_of(event, draw, rules) {
                deal = Some((place, cards));
                learnt.clear();
                learnt.extend(hand(&game, who));
            } else if ends(event) {
                deal = None;
            } else if matches!(event, Event::Contract(contract::Event::PassedOn)) {
                learnt.extend(hand(&game, who));
            }
            learnt.extend(shown(event, who, playing, open_hands));
        }
    }
    let (place, cards) = deal?;
    let hidden: Vec<usize> = (0..cards.len()).filter(|&i| !learnt.contains(&cards[i])).collect();
    if hidden.len() < 2 {
        return None;
    }
    let mut changed = made.to_vec();
    let (_, Input::Draw(Draw::Order(order))) = &mut changed[place] else { return None };
    for _ in 0..=chance.below(4) {
        let mut any = || hidden[chance.below(hidden.len() as u32) as usize];
        order.swap(any(), any());
    }
    (changed != made).then_some(changed)
}

/// How many prefixes must remain: a sample, or with `PARLOUR_LONG` the thousand.
fn wanted() -> usize {
    if std::env::var_os("PARLOUR_LONG").is_some() { 1000 } else { 60 }
}

/// The rules of a built-in game.
fn of_preset(preset: &str, seats: u8) -> Arc<Rules> {
    rulebook::preset(preset).unwrap().rules(seats).unwrap()
}

#[test]
fn hidden_cards_change_no_byte() {
    for (preset, seats) in [("contract", 4), ("set-classic", 3)] {
        let (remained, leak) = search::<Match>(&of_preset(preset, seats), seats, wanted(), 1);
        assert_eq!(leak, None, "{preset}");
        assert!(remained >= wanted());
    }
}

/// The same for every other game that two or more can play.
#[test]
fn hidden_cards_change_no_byte_in_any_game() {
    let mut judged = 0;
    for preset in rulebook::presets() {
        let info = rulebook::preset(preset).unwrap().info;
        if info.players_max < 2 || matches!(preset, "contract" | "set-classic") {
            continue;
        }
        let seats = 4.clamp(info.players_min, info.players_max);
        let wanted = wanted() / 10;
        let (remained, leak) = search::<Match>(&of_preset(preset, seats), seats, wanted, 3);
        assert_eq!(leak, None, "{preset}");
        assert!(remained >= wanted, "{preset}: {remained} of {wanted}");
        judged += 1;
    }
    assert!(judged > 40, "{judged} games were judged");
}

/// The same where cards are passed on face down, and the wild is named before (HR-PASS-1, HR-WILD-4).
#[test]
fn hidden_cards_change_no_byte_where_cards_are_passed_on() {
    let text = "id = \"mine\"\nname = \"Mine\"\nbase = \"contract\"\npass.cards = 3\nwild.named = true\n";
    let source = rulebook::Source::Text { name: "mine.toml", text };
    let rules = rulebook::load(source, None, &rulebook::NoFiles).unwrap().rules(4).unwrap();
    let (remained, leak) = search::<Match>(&rules, 4, wanted() / 2, 5);
    assert_eq!(leak, None);
    assert!(remained >= wanted() / 2, "{remained} of {}", wanted() / 2);
}

#[test]
fn planted_leak_is_found() {
    let (_, leak) = search::<Leaky>(&of_preset("contract", 4), 4, 200, 2);
    assert!(leak.is_some(), "everybody was told what others drew, and nobody noticed");
}

/// Contract Rummy, but everybody is told what the others draw from the stock.
#[derive(Clone, Debug)]
struct Leaky(Match);

impl Game for Leaky {
    type Rules = Rules;
    type View = Seen;
    type Command = Command;
    type Event = Event;
    type Notice = Notice;

    fn open(rules: Arc<Rules>, seats: u8) -> Result<Self, Refusal> {
        Match::open(rules, seats).map(Leaky)
    }
    fn rules(&self) -> &Arc<Rules> {
        self.0.rules()
    }
    fn seats(&self) -> u8 {
        self.0.seats()
    }
    fn status(&self) -> Status {
        self.0.status()
    }
    fn alarm(&self) -> Option<Alarm> {
        self.0.alarm()
    }
    fn decide(
        &self,
        at: Millis,
        input: &Input<Command>,
        out: &mut impl Extend<Event>,
    ) -> Result<(), Refusal> {
        self.0.decide(at, input, out)
    }
    fn evolve(&mut self, event: &Event) {
        self.0.evolve(event);
    }
    fn view(&self, who: Viewer) -> Seen {
        self.0.view(who)
    }
    fn notice(&self, event: &Event, who: Viewer) -> Option<Notice> {
        let told = self.0.notice(event, who);
        if !matches!(event, Event::Contract(contract::Event::Drew { discard: false, .. })) {
            return told;
        }
        // What the one who drew is told.
        let open = self.0.notice(event, Viewer::Table);
        let mut seats = (0..self.seats()).map(|s| self.0.notice(event, Viewer::Seat(Seat(s))));
        seats.find(|n| *n != open).unwrap_or(told)
    }
    fn imagine(view: &Seen, chance: &mut impl Chance) -> Self {
        Leaky(Match::imagine(view, chance))
    }
    fn census(&self) -> Vec<u16> {
        self.0.census()
    }
}
