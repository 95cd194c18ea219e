//! Contract Rummy in letters: the hand as a fan, the melds, and what the keys do.

mod drawn;

pub use drawn::score_sheet;

use crate::key::{Action, Does as Any, Key};
use cards::Face;
use contract::command::{Command, Standing};
use contract::meld::{End, Law, Prepared};
use contract::offers::{Declining, Throw};
use contract::state::Phase;
use contract::{Offers, Preparation, Staged, View};
use game::{Refusal, Seat, SeatSet};
use screen::contract::{GLANCE, Moment, answer, contract_words, declines};
use screen::contract::{Suggested, standing};
use screen::pick::toggle;
use screen::rack::{Held, Order, Rack, Spot};
use screen::{Desk, card};
use words::said;

/// How the hand is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sorted {
    #[default]
    Rank,
    Suit,
    Melds,
}

/// What a key does with the hand.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    /// Cards leave the hand with a command.
    Give(Vec<u32>, Command),
    /// Picks the card at the cursor, or no longer.
    Pick,
    /// The cursor goes so many cards to the right.
    Move(isize),
    /// The card at the cursor goes so many places to the right.
    Shift(i32),
    /// Puts the chosen cards where they help the contract.
    Prepare,
    /// Puts all that is prepared back.
    Back,
    /// Sorts the hand in the next way.
    Sort,
    /// Discards a card, asking again where that was not clearly meant.
    Discard(u32),
    /// Lays the chosen cards off on a meld, or claims the discard for it.
    On(u16),
    /// Says at which end.
    At(End),
    /// Takes the wild of a meld that the chosen card stands in for.
    Reclaim,
    /// Prepares for the next of the contracts that may be picked.
    Contract,
    /// The run of the heap at the cursor begins elsewhere.
    Begins,
    /// The next digit counts from ten on.
    Tens,
    /// A digit of a number that is asked for.
    Digit(char),
    /// Takes the last digit back.
    Rubout,
    /// Nothing is chosen any more.
    Clear,
}

/// An offer, told from every other.
type OfferOf = (u16, u16, Seat, Option<Face>, u16);

/// The own hand, and what is under way with it.
#[derive(Debug, Default)]
pub struct Rummy {
    rack: Rack,
    /// Of which match, and which deal of it, the hand is.
    deal: Option<(u32, u16, u16)>,
    selected: Vec<u32>,
    cursor: usize,
    leaving: Vec<u32>,
    /// The card whose discard was asked for once.
    armed: Option<u32>,
    /// A lay-off or claim that fits at both ends, until the end is said.
    ends: Option<(u16, Vec<u32>)>,
    /// Where the runs of heaps are to begin.
    lows: Vec<Option<u8>>,
    /// The contract prepared for, where the first melder of a round picks one.
    contract: Option<u16>,
    sorted: Sorted,
    /// The digits typed of a number that is asked for.
    number: String,
    /// Whether the next digit counts from ten on.
    tens: bool,
    down: bool,
    /// Whose turn it was, and the how many-th of the round.
    turn: Option<(u16, Seat)>,
    offers: Option<Offers>,
    staged: Option<Staged>,
    /// The offer that is passed by itself, and when.
    passes: Option<(OfferOf, f64)>,
    passed: Option<OfferOf>,
}

impl Rummy {
    /// Takes in what has changed. `game` tells this match from the one before; nobody plays from here where `me` is none.
    pub fn sync(&mut self, view: &View, game: u32, me: Option<Seat>, rests: bool, now: f64) {
        let deal = (game, view.flow.finished, view.flow.deal);
        let fresh = self.deal != Some(deal);
        if fresh {
            let sorted = self.sorted;
            *self = Rummy { deal: Some(deal), sorted, ..Rummy::default() };
        }
        self.offers = (me.is_some() && !rests).then(|| view.offers()).flatten();
        let down = me.is_some_and(|me| view.flow.down.has(me));
        let hand: Vec<Face> = view.hand.cards().collect();
        let empty = self.rack.cards().is_empty();
        let before = self.rack.clone();
        self.rack.sync(&hand, &self.leaving, down);
        if self.rack != before {
            self.leaving.clear();
        }
        // What was half done is not gone on with in another turn.
        let turn = Some((view.flow.turns, view.flow.turn));
        if self.turn != turn {
            (self.turn, self.armed, self.ends, self.tens) = (turn, None, None, false);
        }
        if !self.offers.as_ref().is_some_and(|offers| offers.cut.is_ok() || offers.pick.is_ok()) {
            self.number.clear();
        }
        // What was prepared is taken back once the contract lies.
        if down && !self.down {
            self.rack.unstage();
            self.lows.clear();
        }
        self.down = down;
        if empty && !hand.is_empty() {
            self.sort(view);
        }
        let rack = &self.rack;
        self.selected.retain(|key| rack.find(*key).is_some());
        self.cursor = self.cursor.min(self.all().len().saturating_sub(1));
        self.staged = me.map(|_| view.staged(&self.preparation()));
        self.watch_offer(view, me, now);
    }

    /// Whether a contract is prepared for.
    fn prepares(&self, view: &View) -> bool {
        self.staged.is_some() && !self.down && view.flow.phase != Phase::Pass && !self.rack.cards().is_empty()
    }

    fn preparation(&self) -> Preparation {
        Preparation { contract: self.contract, piles: self.rack.piles(&self.lows) }
    }

    /// What brings nothing is passed by itself, after a glance where the own contract does not lie yet: the others need not wait.
    fn watch_offer(&mut self, view: &View, me: Option<Seat>, now: f64) {
        let flow = &view.flow;
        let of: OfferOf = (flow.finished, flow.deal, flow.turn, flow.top, flow.pile);
        let offered = self.offers.is_some() && view.on_offer();
        let threw = me.is_some() && flow.thrower == me;
        let after = match (offered, threw, self.down) {
            (false, ..) => None,
            // Nobody wants back what they have just thrown.
            (_, true, _) => Some(0.0),
            _ if view.offer_helps() => None,
            (.., down) => Some(if down { 0.0 } else { f64::from(GLANCE) }),
        };
        self.passes = match (after, self.passes) {
            _ if self.passed == Some(of) => None,
            (None, _) => None,
            (Some(_), Some((before, due))) if before == of => Some((of, due)),
            (Some(after), _) => Some((of, now + after)),
        };
    }

    /// What is to be done by itself now.
    pub fn due(&mut self, now: f64) -> Option<Command> {
        let (of, _) = self.passes.take_if(|(_, due)| *due <= now)?;
        self.passed = Some(of);
        Some(Command::Pass)
    }

    /// When something is to be done by itself.
    pub fn wakes(&self) -> Option<f64> {
        self.passes.map(|(_, due)| due)
    }

    /// A moment of the match, for this hand.
    fn moment<'a>(&'a self, desk: Desk<'a>, view: &'a View, rests: Option<SeatSet>) -> Moment<'a> {
        let idle = self.offers.is_some() && view.on_offer() && !view.offer_helps();
        Moment { desk, view, offers: self.offers.as_ref(), rests, idle, chosen: self.selected.len() }
    }

    /// The cards in the order in which they are shown: the hand, then what is prepared.
    fn all(&self) -> Vec<Held> {
        let mut all = self.rack.at(Spot::Hand);
        let heaps = self
            .rack
            .cards()
            .iter()
            .filter_map(|card| if let Spot::Stage(n) = card.spot { Some(n) } else { None });
        let most = heaps.max().map_or(0, |most| most + 1);
        all.extend((0..most).flat_map(|n| self.rack.at(Spot::Stage(n))));
        all
    }

    /// What a command is about: the cards that are picked, else the one at the cursor.
    fn chosen(&self) -> Vec<Held> {
        if self.selected.is_empty() {
            return self.all().get(self.cursor).copied().into_iter().collect();
        }
        self.selected.iter().filter_map(|&key| self.rack.find(key)).collect()
    }

    fn faces(&self) -> Vec<Face> {
        self.chosen().iter().map(|card| card.face).collect()
    }

    fn keys(&self) -> Vec<u32> {
        self.chosen().iter().map(|card| card.key).collect()
    }

    fn law<'a>(&self, view: &'a View) -> &'a Law {
        let contract = self.staged.as_ref().map_or_else(|| view.contract(), |staged| staged.contract);
        &view.compiled.laws[usize::from(contract)]
    }

    fn sort(&mut self, view: &View) {
        let law = self.law(view);
        let wild = |face| law.is_wild(face);
        match self.sorted {
            Sorted::Rank => self.rack.sort(Order::Rank, wild),
            Sorted::Suit => self.rack.sort(Order::Suit, wild),
            Sorted::Melds => self.rack.sort_by_melds(law),
        }
    }

    fn throw(&self) -> Option<Throw> {
        let [card] = self.faces()[..] else { return None };
        screen::contract::throw(self.offers.as_ref()?, card).cloned()
    }

    /// The ends of a meld at which the chosen cards can be laid off now, or the discard be claimed.
    fn ends(&self, view: &View, cards: &[Face], on: u16) -> Vec<Option<End>> {
        let Some(offers) = &self.offers else { return Vec::new() };
        if offers.shanghai.is_ok() {
            return screen::contract::claims(offers, on);
        }
        screen::contract::ends(view, offers, cards, on)
    }

    /// The melds whose wild the chosen card stands in for.
    fn reclaims(&self) -> Vec<u16> {
        let [card] = self.faces()[..] else { return Vec::new() };
        let open = self.offers.iter().filter_map(|offers| offers.reclaim.as_ref().ok()).flatten();
        open.filter(|(face, _)| *face == card).map(|(_, from)| *from).collect()
    }

    /// The act that lays the picked cards as a further meld.
    fn further(&self, view: &View) -> Option<Command> {
        screen::contract::further(view, self.offers.as_ref()?, self.faces())
    }

    /// What can be done now, each with its key: what is asked first.
    pub fn actions(&self, desk: Desk<'_>, view: &View, rests: Option<SeatSet>) -> Vec<Action> {
        let tongue = desk.tongue;
        let moment = self.moment(desk, view, rests);
        let Some(offers) = &self.offers else {
            let goes_on = (moment.question() == "rest").then(|| {
                Action::new(Key::Char('g'), said!(tongue, "sheet.go_on"), Any::Act(wire::Act::GoOn)).main()
            });
            return goes_on.into_iter().collect();
        };
        let send = |command: Command| Any::Send(rulebook::Command::Contract(command));
        let pack = &view.compiled.pack;
        let text = |face: Face| card::playing_short(tongue, pack, face);
        let top = view.flow.top.map(text).unwrap_or_default();
        let key = |key: char, label: String, does: Any| Action::new(Key::Char(key), label, does);
        let mut all = Vec::new();
        match moment.question() {
            "start" => {
                if offers.draw_discard.is_ok() {
                    let take = said!(tongue, "prompt.take", card = top);
                    all.push(key('t', take, send(Command::DrawDiscard)).main());
                }
                if let (command, Ok(Declining { .. })) = declines(view, Some(offers)) {
                    let words = if command == Command::DrawPush { "prompt.push" } else { "prompt.stock" };
                    all.push(key('p', said!(tongue, words), send(command)).main());
                }
                if offers.buy.is_ok() {
                    let buy = said!(tongue, "prompt.buy", cost = moment.cost(|offers| &offers.buy));
                    all.push(key('b', buy, send(Command::Buy)));
                }
            }
            "offer" | "open" | "quiet" => {
                let label = view.flow.set(&view.compiled).take.label.clone();
                all.push(key('t', label, send(Command::Take)).main());
                all.push(key('p', said!(tongue, "prompt.pass"), send(Command::Pass)).main());
            }
            "early" => {
                let asked = answer(view) == Some(true);
                let cost = moment.cost(|offers| &offers.take);
                let (label, command) = if asked {
                    (said!(tongue, "prompt.asked_early"), Command::Pass)
                } else {
                    (said!(tongue, "prompt.ask_early", card = top, cost = cost), Command::Take)
                };
                all.push(key('t', label, send(command)));
            }
            "claim" => all.push(key('p', said!(tongue, "prompt.let_lie"), send(Command::Pass)).main()),
            "pass" => {
                let cards = self.faces();
                if let Ok(passing) = &offers.pass_on
                    && cards.len() == usize::from(passing.cards)
                    && (!self.selected.is_empty() || passing.cards == 1)
                {
                    let label = said!(tongue, "prompt.pass_now", name = desk.name(passing.to));
                    let give = Does::Give(self.keys(), Command::PassOn { cards });
                    all.push(key('p', label, Any::Rummy(give)).main());
                }
            }
            "cut" | "pick" => {
                let most = match (&offers.cut, &offers.pick) {
                    (Ok(cutting), _) => cutting.aims.then_some(cutting.most),
                    (_, Ok(places)) => Some(*places),
                    _ => None,
                };
                all.extend(most.map(|most| {
                    Action::new(Key::Digits, said!(tongue, "terminal.number", most = most), Any::Nothing)
                }));
                if let Some(command) = self.numbered(offers) {
                    let label = match command {
                        Command::Cut { aim } if most.is_some() => {
                            format!("{} ({aim})", said!(tongue, "prompt.cut_now"))
                        }
                        Command::Cut { .. } => said!(tongue, "prompt.cut_now"),
                        _ => said!(tongue, "prompt.choose_now"),
                    };
                    all.push(Action::new(Key::Enter, label, send(command)).main());
                }
            }
            "choose" | "name" => {
                let choices = self.choices(desk, view);
                all.extend(('1'..='9').chain('a'..='z').zip(choices).map(|(digit, (command, label))| {
                    Action::new(Key::Char(digit), label, send(command)).main()
                }));
            }
            _ => {}
        }
        if let Some((on, _)) = &self.ends {
            for (end, sign, words) in [(End::Low, '<', "meld.low"), (End::High, '>', "meld.high")] {
                let beyond = view.board.meld(*on).and_then(|laid| view.law().beyond(&laid.meld, end));
                let label = said!(tongue, words, card = beyond.map(text).unwrap_or_default());
                all.push(key(sign, label, Any::Rummy(Does::At(end))).main());
            }
        }
        all.extend(self.plays(desk, view, offers));
        all
    }

    /// What can be done with the hand.
    fn plays(&self, desk: Desk<'_>, view: &View, offers: &Offers) -> Vec<Action> {
        let (tongue, pack) = (desk.tongue, &view.compiled.pack);
        let send = |command: Command| Any::Send(rulebook::Command::Contract(command));
        let key = |key: char, label: String, does: Any| Action::new(Key::Char(key), label, does);
        let rummy = |sign: char, label: String, does: Does| key(sign, label, Any::Rummy(does));
        let mut all = Vec::new();
        let whole = self.staged.as_ref().and_then(|staged| staged.whole.clone()).and_then(Result::ok);
        if let (Some(command), true) = (whole, offers.meld.is_ok() && !self.down) {
            all.push(key('m', said!(tongue, "rummy.meld"), send(command)).main());
        }
        if let Some(command) = self.further(view) {
            let label = match screen::contract::further_words(tongue, view, &command) {
                Some(meld) => said!(tongue, "rummy.lay_as", meld = meld),
                None => said!(tongue, "rummy.extra"),
            };
            all.push(rummy('m', label, Does::Give(self.keys(), command)).main());
        }
        if self.prepares(view) && !self.selected.is_empty() {
            let label = match self.suggested(view) {
                Some(meld) => said!(tongue, "rummy.prepare_as", meld = meld.words(tongue, pack)),
                None => said!(tongue, "rummy.prepare"),
            };
            all.push(rummy('s', label, Does::Prepare));
        }
        if !self.rack.piles(&[]).is_empty() {
            all.push(rummy('x', said!(tongue, "stage.back"), Does::Back));
        }
        if let Some(throw) = self.throw() {
            let [card] = self.chosen()[..] else { return all };
            if throw.refused.is_none() {
                let words = if self.armed == Some(card.key) { "rummy.discard_sure" } else { "rummy.discard" };
                let label = said!(tongue, words, card = card::playing_short(tongue, pack, card.face));
                all.push(rummy('d', label, Does::Discard(card.key)).main());
            }
            if throw.unprotected.is_none() {
                let protect = Command::Discard { card: card.face, shanghai: true };
                all.push(rummy('k', said!(tongue, "rummy.protect"), Does::Give(vec![card.key], protect)));
            }
        }
        let goes = view.board.melds.len() as u16;
        if (1..=goes).any(|on| !self.ends(view, &self.faces(), on).is_empty()) {
            let words = if offers.shanghai.is_ok() { "terminal.claim" } else { "terminal.lay_off" };
            all.push(Action::new(Key::Digits, said!(tongue, words), Any::Nothing));
        }
        if !self.reclaims().is_empty() {
            all.push(rummy('w', said!(tongue, "meld.reclaim"), Does::Reclaim));
        }
        if offers.hold.is_ok() {
            all.push(key('o', said!(tongue, "rummy.hold"), send(Command::Hold)).main());
        }
        if offers.undo.is_ok() {
            all.push(key('u', said!(tongue, "rummy.undo"), send(Command::Undo)));
        }
        if view.contracts_left().len() > 1 && !view.compiled.asks() && !self.down {
            let words = contract_words(tongue, self.law(view));
            all.push(rummy('c', format!("{} {words}", said!(tongue, "rummy.pick")), Does::Contract));
        }
        if view.flow.phase != Phase::Pass
            && offers.stand.is_ok()
            && view.flow.set(&view.compiled).take.on
            && !self.rack.cards().is_empty()
        {
            let passes = standing(view) == Some(Standing::Pass);
            let words = if passes { "standing.off" } else { "standing.pass" };
            let stand = Command::Stand((!passes).then_some(Standing::Pass));
            all.push(key('a', said!(tongue, words), send(stand)));
        }
        if self.heap_at_cursor().is_some_and(|heap| self.beginnings(heap).len() > 1) {
            all.push(rummy('f', said!(tongue, "stage.begins"), Does::Begins));
        }
        all
    }

    /// The heap at the cursor.
    fn heap_at_cursor(&self) -> Option<usize> {
        match self.all().get(self.cursor)?.spot {
            Spot::Stage(heap) => Some(usize::from(heap)),
            Spot::Hand => None,
        }
    }

    fn beginnings(&self, heap: usize) -> &[u8] {
        let staged = self.staged.as_ref().and_then(|staged| staged.melds.get(heap));
        staged.map_or(&[], |meld| &meld.beginnings)
    }

    /// What may be chosen before the first turn: the contracts that are left, or the ranks.
    fn choices(&self, desk: Desk<'_>, view: &View) -> Vec<(Command, String)> {
        let Some(offers) = &self.offers else { return Vec::new() };
        if let Ok(ranks) = &offers.name {
            return ranks.iter().map(|&rank| (Command::Wild { rank }, view.law().rank_text(rank))).collect();
        }
        let contract = |at: u16| {
            let number = view.compiled.round(at).number;
            let words = contract_words(desk.tongue, &view.compiled.laws[usize::from(at)]);
            (Command::Contract { number }, words)
        };
        view.contracts_left().into_iter().map(contract).collect()
    }

    /// What the number that was typed makes.
    fn numbered(&self, offers: &Offers) -> Option<Command> {
        let number = self.number.parse::<u16>().ok();
        if let Ok(cutting) = &offers.cut {
            let aim = number.filter(|_| cutting.aims).unwrap_or(cutting.most / 2);
            return Some(Command::Cut { aim: aim.clamp(1, cutting.most.max(1)) });
        }
        let most = *offers.pick.as_ref().ok()?;
        Some(Command::Pick { place: number.filter(|place| (1..=most).contains(place))? })
    }

    /// What the picked cards would be as a whole meld of the contract.
    fn suggested(&self, view: &View) -> Option<Suggested> {
        screen::contract::suggested(view, self.preparation(), self.faces())
    }

    /// Does something with the hand: a command that comes of it.
    ///
    /// # Errors
    /// Why it cannot be done: the key of a sentence.
    pub fn act(&mut self, view: &View, does: Does) -> Result<Option<Command>, &'static str> {
        if !matches!(does, Does::Discard(_)) {
            self.armed = None;
        }
        if !matches!(does, Does::At(_)) {
            self.ends = None;
        }
        match does {
            Does::Give(keys, command) => return Ok(Some(self.give(keys, command))),
            Does::Pick => {
                if let Some(card) = self.all().get(self.cursor) {
                    toggle(&mut self.selected, card.key);
                }
            }
            Does::Move(by) => {
                let count = self.all().len();
                self.cursor = self.cursor.saturating_add_signed(by).min(count.saturating_sub(1));
            }
            Does::Shift(by) => {
                if let Some(card) = self.all().get(self.cursor).filter(|card| card.spot == Spot::Hand) {
                    self.rack.shift(card.key, by);
                    self.find(card.key);
                }
            }
            Does::Prepare => {
                let Some(heap) = view.pile_for(&self.preparation(), &self.faces()) else {
                    return Err("stage.nowhere");
                };
                let keys = self.keys();
                self.rack.put(&keys, Spot::Stage(heap as u8), None);
                self.selected.clear();
                // The arrow stays with the hand.
                self.cursor = self.cursor.min(self.rack.at(Spot::Hand).len().saturating_sub(1));
            }
            Does::Back => {
                self.rack.unstage();
                self.lows.clear();
                self.sort(view);
            }
            Does::Sort => {
                self.sorted = match self.sorted {
                    Sorted::Rank => Sorted::Suit,
                    Sorted::Suit => Sorted::Melds,
                    Sorted::Melds => Sorted::Rank,
                };
                self.sort(view);
            }
            Does::Discard(key) => {
                let Some(card) = self.rack.find(key) else { return Ok(None) };
                // Only what was picked was meant for certain; and the last card ends the round.
                let sure = self.selected == [key] && view.hand.len() > 1;
                if !sure && self.armed != Some(key) {
                    self.armed = Some(key);
                    return Ok(None);
                }
                return Ok(Some(self.give(vec![key], Command::Discard { card: card.face, shanghai: false })));
            }
            Does::Tens => self.tens = true,
            Does::On(on) => {
                let on = if std::mem::take(&mut self.tens) { on + 10 } else { on };
                return self.on(view, on);
            }
            Does::At(end) => {
                let Some((on, keys)) = self.ends.take() else { return Ok(None) };
                return Ok(self.lay_off(keys, on, Some(end)));
            }
            Does::Reclaim => {
                let [card] = self.chosen()[..] else { return Ok(None) };
                let from = self.reclaims();
                let [from] = from[..] else { return Err("terminal.which_meld") };
                return Ok(Some(self.give(vec![card.key], Command::Reclaim { card: card.face, from })));
            }
            Does::Contract => {
                let left = view.contracts_left();
                let now =
                    self.staged.as_ref().and_then(|staged| left.iter().position(|at| *at == staged.contract));
                self.contract = left.get(now.map_or(0, |now| (now + 1) % left.len().max(1))).copied();
            }
            Does::Begins => {
                if let Some(heap) = self.heap_at_cursor() {
                    let all = self.beginnings(heap).to_vec();
                    let now = self.lows.get(heap).copied().flatten();
                    let at = now.and_then(|low| all.iter().position(|&other| other == low));
                    if self.lows.len() <= heap {
                        self.lows.resize(heap + 1, None);
                    }
                    self.lows[heap] = all.get(at.map_or(0, |at| (at + 1) % all.len())).copied();
                }
            }
            Does::Digit(digit) => {
                if self.number.len() < 4 {
                    self.number.push(digit);
                }
            }
            Does::Rubout => _ = self.number.pop(),
            Does::Clear => {
                self.selected.clear();
                self.number.clear();
            }
        }
        self.staged = Some(view.staged(&self.preparation()));
        Ok(None)
    }

    /// Lays the chosen cards off on a meld, claims the discard for it, or takes back its wild.
    fn on(&mut self, view: &View, on: u16) -> Result<Option<Command>, &'static str> {
        let (cards, keys) = (self.faces(), self.keys());
        let ends = self.ends(view, &cards, on);
        match ends[..] {
            [] if self.reclaims().contains(&on) => match cards[..] {
                [card] => Ok(Some(self.give(keys, Command::Reclaim { card, from: on }))),
                _ => Ok(None),
            },
            // Where it cannot go there, the judge says why.
            [] if self.offers.as_ref().is_some_and(|offers| offers.lay_off.is_ok()) && !cards.is_empty() => {
                Ok(self.lay_off(keys, on, None))
            }
            [] => Ok(None),
            [end] => Ok(self.lay_off(keys, on, end)),
            _ => {
                self.ends = Some((on, keys));
                Ok(None)
            }
        }
    }

    fn lay_off(&mut self, keys: Vec<u32>, on: u16, end: Option<End>) -> Option<Command> {
        if self.offers.as_ref().is_some_and(|offers| offers.shanghai.is_ok()) {
            return Some(Command::Shanghai { on, end });
        }
        let cards = keys.iter().filter_map(|&key| Some(self.rack.find(key)?.face.into())).collect();
        Some(self.give(keys, Command::LayOff { cards, on, end }))
    }

    fn give(&mut self, keys: Vec<u32>, command: Command) -> Command {
        self.leaving = keys;
        self.selected.clear();
        command
    }

    fn find(&mut self, key: u32) {
        self.cursor = self.all().iter().position(|card| card.key == key).unwrap_or(self.cursor);
    }

    /// A card was pressed with the mouse.
    pub fn press(&mut self, key: u32) {
        self.armed = None;
        self.find(key);
        toggle(&mut self.selected, key);
    }

    /// Nothing was done of what was asked for: the cards stay.
    pub fn refused(&mut self) {
        self.leaving.clear();
        self.armed = None;
    }

    /// What a key without a word of its own does.
    pub fn silent(&self, view: &View, key: Key) -> Option<Does> {
        let numbers = self.offers.as_ref().is_some_and(|offers| offers.cut.is_ok() || offers.pick.is_ok());
        Some(match key {
            Key::Left => Does::Move(-1),
            Key::Right => Does::Move(1),
            Key::FarLeft => Does::Shift(-1),
            Key::FarRight => Does::Shift(1),
            Key::Home => Does::Move(isize::MIN),
            Key::End => Does::Move(isize::MAX),
            Key::Space | Key::Enter => Does::Pick,
            Key::Tab => Does::Sort,
            Key::Escape => Does::Clear,
            Key::Backspace => Does::Rubout,
            Key::Char(digit @ '0'..='9') if numbers => Does::Digit(digit),
            Key::Char('s' | 'S') if self.prepares(view) => Does::Prepare,
            Key::Char('0') if !self.tens => Does::Tens,
            Key::Char(digit @ '0'..='9') => Does::On(u16::from(digit as u8 - b'0')),
            _ => return None,
        })
    }

    /// Whether the end of a run, or the second digit of a meld, is waited for.
    pub fn is_half_done(&self) -> bool {
        self.ends.is_some() || self.tens
    }

    /// Why nothing can be laid off, where nothing can.
    pub fn no_lay_off(&self) -> Option<Refusal> {
        self.offers.as_ref()?.lay_off.as_ref().err().cloned()
    }

    /// Why a key of the game does nothing now.
    pub fn why(&self, view: &View, key: Key) -> Option<Refusal> {
        let offers = self.offers.as_ref()?;
        let Key::Char(key) = key else { return None };
        match key.to_ascii_lowercase() {
            'm' => {
                let whole = self.staged.as_ref().and_then(|staged| staged.whole.clone());
                offers.meld.as_ref().err().cloned().or_else(|| whole?.err()).or_else(|| {
                    let cards: Vec<Face> = self.faces();
                    let further = view.further(&Prepared { cards, low: None });
                    further.err().filter(|_| self.down)
                })
            }
            'd' => match self.throw() {
                Some(throw) => throw.refused,
                None => offers.discard.as_ref().err().cloned(),
            },
            't' => offers.draw_discard.as_ref().err().cloned(),
            'p' => declines(view, Some(offers)).1.err(),
            'u' => offers.undo.as_ref().err().cloned(),
            'w' => offers.reclaim.as_ref().err().cloned(),
            'o' => offers.hold.as_ref().err().cloned(),
            'b' => offers.buy.as_ref().err().cloned(),
            _ => None,
        }
    }

    /// Whether something is picked, or half done, which Escape drops.
    pub fn is_busy(&self) -> bool {
        !self.selected.is_empty() || self.ends.is_some() || self.armed.is_some() || !self.number.is_empty()
    }

    /// Why a draw, or the discard of the chosen card, is closed.
    fn closed(&self, view: &View, question: &str) -> Option<Refusal> {
        let offers = self.offers.as_ref()?;
        if question == "start" {
            let take = offers.draw_discard.as_ref().err().filter(|_| view.flow.top.is_some()).cloned();
            return take.or_else(|| declines(view, Some(offers)).1.err());
        }
        self.throw()?.refused
    }

    /// What is asked, in words: with what stands in the way, and who would lose a turn.
    pub fn prompt(&self, desk: Desk<'_>, view: &View, rests: Option<SeatSet>) -> (String, Option<Refusal>) {
        let moment = self.moment(desk, view, rests);
        let question = moment.question();
        let mut words = moment.words(question);
        if !self.number.is_empty() {
            words += &format!(" {}", self.number);
        }
        let closed = self.closed(view, question);
        let loser = self.throw().filter(|throw| throw.refused.is_none());
        if let Some(seat) = loser.and_then(|throw| view.loses_turn(throw.card)) {
            words += &format!(" {}", said!(desk.tongue, "prompt.skips", name = desk.name(seat)));
        }
        (words, closed)
    }
}
