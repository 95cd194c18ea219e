//! What a game of Contract Rummy asks of a person just now, and what it would cost them.

use crate::{Desk, card, tell};
use cards::Face;
use contract::command::{Command, Standing};
use contract::meld::{Choice, End, Judgement, Kind, Law, Meld, Prepared, Suits};
use contract::offers::{Declining, Price, Throw};
use contract::sealed::{Call, Stand};
use contract::state::{Phase, Waiting};
use contract::{Offer, Offers, Preparation, StagedMeld, View};
use game::{Refusal, SeatSet};
use words::{Tongue, id, said};

/// Whoever is not down may want for later what brings nothing now: so long, in milliseconds, it is theirs to ask for before it is
/// passed by itself.
pub const GLANCE: u16 = 3000;

/// The own standing answer.
#[must_use]
pub fn standing(view: &View) -> Option<Standing> {
    match view.own.stand {
        Stand::Off => None,
        Stand::Pass => Some(Standing::Pass),
        Stand::Take(faces) => Some(Standing::Take(faces.faces().collect())),
    }
}

/// The own answer to the offer, or the claim, that is open: whether it was a yes.
#[must_use]
pub fn answer(view: &View) -> Option<bool> {
    match (view.flow.phase, view.own.call) {
        (Phase::Shanghai { .. }, Call::Open) => None,
        (Phase::Shanghai { .. }, call) => Some(matches!(call, Call::Claim(_))),
        _ => view.own.answer,
    }
}

/// The act that declines the top discard, and what comes of it or why it is closed.
pub fn declines(view: &View, offers: Option<&Offers>) -> (Command, Offer<Declining>) {
    let pushes = view.flow.pushes(&view.compiled);
    let command = if pushes { Command::DrawPush } else { Command::DrawStock };
    let offer = offers.map(|offers| if pushes { &offers.draw_push } else { &offers.draw_stock });
    (command, offer.cloned().unwrap_or_else(|| Err(Refusal::default())))
}

/// The contracts of a round, in words.
#[must_use]
pub fn contract_words(tongue: &dyn Tongue, law: &Law) -> String {
    tell(tongue, &law.all_contract_words()).unwrap_or_default()
}

/// What a round is called, `finished` rounds after the first: by its place in the rules, or by counting where its contract
/// does not go by that.
#[must_use]
pub fn round_number(view: &View, finished: usize, round: u16) -> usize {
    let compiled = &view.compiled;
    if compiled.per_player() || compiled.chosen() || compiled.goes_round() {
        finished + 1
    } else {
        compiled.round(round).number.into()
    }
}

/// Which round is played, in words, as far as anybody knows how many there will be.
#[must_use]
pub fn round_words(tongue: &dyn Tongue, view: &View) -> String {
    let compiled = &view.compiled;
    let round = compiled.round(view.flow.round);
    // Rounds of the rules behind the last one played do not come.
    let of = compiled.played.iter().max().map_or(0, |last| last + 1);
    let n = round_number(view, view.flow.finished.into(), view.flow.round);
    // Where everybody goes on alone, or the contracts begin again, nobody knows how many rounds there will be.
    let mut text = if compiled.per_player() {
        said!(tongue, "rummy.step", n = n, step = compiled.round(view.contract()).number, of = of)
    } else if compiled.goes_round() {
        said!(tongue, "rummy.round_only", n = n)
    } else {
        said!(tongue, "rummy.round", n = n, of = of)
    };
    if let Some(label) = &round.label {
        text += &format!(" ({label})");
    }
    if compiled.rules.settings.players.direction == contract::rules::Direction::Ccw {
        text += &said!(tongue, "rummy.ccw");
    }
    text
}

/// What it costs to get the discard, in words.
#[must_use]
pub fn cost(tongue: &dyn Tongue, price: Price) -> String {
    let mut parts = Vec::new();
    if price.cards > 0 {
        parts.push(said!(tongue, "prompt.cost_cards", n = price.cards));
    }
    if price.pennies > 0 {
        parts.push(said!(tongue, "prompt.cost_pennies", n = price.pennies));
    }
    if price.points != 0 {
        parts.push(said!(tongue, "prompt.cost_points", n = price.points));
    }
    if parts.is_empty() {
        parts.push(said!(tongue, "prompt.cost_none"));
    }
    if let Some(left) = price.left {
        parts.push(said!(tongue, "prompt.cost_left", n = left));
    }
    parts.join(", ")
}

/// What a slot of the contract asks for, in words; a heap that the contract as it is prepared has no slot for is spare.
#[must_use]
pub fn slot_words(tongue: &dyn Tongue, pack: &cards::Pack, slot: &Choice) -> String {
    if slot.is_empty() {
        return said!(tongue, "stage.spare");
    }
    let words = slot.iter().map(|want| {
        let colour = if want.kind == Kind::Flush && want.suits == Suits::Colour { "_colour" } else { "" };
        let kind = said!(tongue, &format!("stage.{}{colour}", want.kind.word()), n = want.size);
        match want.rank.checked_sub(1).and_then(|rank| pack.ranks.get(usize::from(rank))) {
            Some(rank) => format!("{kind} {}", said!(tongue, "want.of_rank", rank = rank)),
            None => kind,
        }
    });
    let words: Vec<String> = words.collect();
    words.join(&format!(" {} ", said!(tongue, "ui.or")))
}

/// "(joker as 7♥)" for each wild of a run: its place tells something.
#[must_use]
pub fn stands_words(tongue: &dyn Tongue, pack: &cards::Pack, meld: &Meld) -> String {
    if !meld.is_run() {
        return String::new();
    }
    let text = |face| card::playing_short(tongue, pack, face);
    let stands = meld.cards.iter().filter(|card| !card.is_itself());
    let list: Vec<String> = stands
        .map(|card| said!(tongue, "meld.stands", wild = text(card.card), card = text(card.stands)))
        .collect();
    if list.is_empty() { String::new() } else { format!("({})", list.join(", ")) }
}

/// Most faces that are named where some of them are missing.
const NAMED: usize = 6;

/// How a prepared meld stands, in words; or why it is none.
///
/// # Errors
/// What is wrong with its cards.
pub fn judged_words(tongue: &dyn Tongue, pack: &cards::Pack, meld: &StagedMeld) -> Result<String, Refusal> {
    Ok(match &meld.judged {
        Judgement::Empty => said!(tongue, "stage.empty"),
        Judgement::Needs { cards, faces } => {
            let faces: Vec<_> = faces.faces().collect();
            if faces.len() > NAMED {
                said!(tongue, "stage.needs", n = cards)
            } else {
                let key = if meld.wild { "stage.needs_of_or_wild" } else { "stage.needs_of" };
                said!(tongue, key, n = cards, cards = card::playing_all(tongue, pack, &faces))
            }
        }
        Judgement::Good(meld) => {
            let kind = match meld.kind {
                Kind::Run => said!(tongue, "stage.is_run"),
                Kind::Group | Kind::Pair => said!(tongue, "stage.is_group"),
                Kind::Flush => said!(tongue, "stage.is_flush"),
            };
            format!("{kind} {}", stands_words(tongue, pack, meld))
        }
        Judgement::Wrong(why) => return Err(why.clone()),
    })
}

/// A card of the hand as a discard, where one may be thrown.
#[must_use]
pub fn throw(offers: &Offers, card: Face) -> Option<&Throw> {
    offers.discard.as_ref().ok()?.iter().find(|throw| throw.card == card)
}

/// The ends of a meld at which these cards can be laid off now.
#[must_use]
pub fn ends(view: &View, offers: &Offers, cards: &[Face], on: u16) -> Vec<Option<End>> {
    match (cards, &offers.lay_off) {
        ([card], Ok(places)) => {
            places.iter().filter(|(face, at)| face == card && at.on == on).map(|(_, at)| at.end).collect()
        }
        (_, Ok(_)) => view.ends(cards, on),
        _ => Vec::new(),
    }
}

/// The meld on which these cards are laid off where none is pointed at: the first that takes them; none for wilds that several take, since it
/// matters where those lie.
#[must_use]
pub fn lays_off_on(view: &View, offers: &Offers, cards: &[Face]) -> Option<u16> {
    let melds = 1..=u16::try_from(view.board.melds.len()).unwrap_or_default();
    let mut takes = melds.filter(|&on| !cards.is_empty() && !ends(view, offers, cards, on).is_empty());
    let first = takes.next()?;
    let wild = cards.iter().any(|&card| view.law().is_wild(card));
    (!wild || takes.next().is_none()).then_some(first)
}

/// The ends of a meld at which the discard can be claimed.
#[must_use]
pub fn claims(offers: &Offers, on: u16) -> Vec<Option<End>> {
    offers.shanghai.iter().flatten().filter(|at| at.on == on).map(|at| at.end).collect()
}

/// The act that lays these cards as a further meld, where a player who is down may.
#[must_use]
pub fn further(view: &View, offers: &Offers, cards: Vec<Face>) -> Option<Command> {
    let down = view.seat.is_some_and(|seat| view.flow.down.has(seat));
    if cards.len() < 2 || !down || offers.meld.is_err() {
        return None;
    }
    view.further(&Prepared { cards, low: None }).ok()
}

/// What these cards are as a further meld, in words, if that is what the act lays.
#[must_use]
pub fn further_words(tongue: &dyn Tongue, view: &View, act: &Command) -> Option<String> {
    let Command::Meld { contract: None, melds } = act else { return None };
    let [said] = &melds[..] else { return None };
    let meld = view.law().place(said, Suits::One).ok()?;
    meld_words(tongue, &view.compiled.pack, &meld)
}

/// Several cards of a rank, as a meld is named by them: "queens".
fn ranks_name(tongue: &dyn Tongue, rank: &str) -> String {
    match tongue.find(id(&format!("meld.ranks.{rank}"))) {
        Some(name) => name.to_owned(),
        None => said!(tongue, "meld.ranks.other", rank = rank),
    }
}

/// A meld by its rank, or its suit and ends: "Group of queens". None where it has no such name.
#[must_use]
pub fn meld_words(tongue: &dyn Tongue, pack: &cards::Pack, meld: &Meld) -> Option<String> {
    let first = meld.cards.first()?.stands;
    let rank = usize::from(first.rank()).checked_sub(1).and_then(|rank| pack.ranks.get(rank));
    let ranks = rank.map(|rank| ranks_name(tongue, rank));
    Some(match meld.kind {
        Kind::Group => said!(tongue, "stage.group_of", ranks = ranks?),
        Kind::Pair => said!(tongue, "stage.pair_of", ranks = ranks?),
        Kind::Run if meld.suits == Suits::One => said!(
            tongue,
            "stage.run_of",
            suit = card::suit_of(tongue, pack, first),
            low = card::rank_text(pack, first),
            high = card::rank_text(pack, meld.cards.last()?.stands),
        ),
        _ => return None,
    })
}

/// What chosen cards would be as a whole meld of the contract.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggested {
    /// The slot that they fill.
    slot: Choice,
    meld: Meld,
    /// Whether every slot is filled then, so that the contract can be laid.
    pub whole: bool,
}

impl Suggested {
    /// The same in words: by its name, or what the slot asks for where it has none.
    #[must_use]
    pub fn words(&self, tongue: &dyn Tongue, pack: &cards::Pack) -> String {
        meld_words(tongue, pack, &self.meld).unwrap_or_else(|| slot_words(tongue, pack, &self.slot))
    }
}

/// What these cards would be as a whole meld of the contract, beside what is prepared; none where they fill no slot. A single card is none by
/// itself, but may be what a meld lacks that is begun.
#[must_use]
pub fn suggested(view: &View, mut prepared: Preparation, cards: Vec<Face>) -> Option<Suggested> {
    let at = view.pile_for(&prepared, &cards)?;
    let begun = prepared.piles.get(at).is_some_and(|pile| !pile.cards.is_empty());
    if cards.is_empty() || cards.len() < 2 && !begun {
        return None;
    }
    if prepared.piles.len() <= at {
        prepared.piles.resize_with(at + 1, Prepared::default);
    }
    prepared.piles[at].cards.extend(cards);
    let staged = view.staged(&prepared);
    let whole = matches!(staged.whole, Some(Ok(_)));
    let StagedMeld { slot, judged: Judgement::Good(meld), .. } = staged.melds.into_iter().nth(at)? else {
        return None;
    };
    Some(Suggested { slot, meld, whole })
}

/// A moment of a match, as one seat or a spectator sees it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Who is asked, in which language.
    pub desk: Desk<'a>,
    /// What is known of the match.
    pub view: &'a View,
    /// What the own seat may do; none where nobody plays from here, or the match rests.
    pub offers: Option<&'a Offers>,
    /// Whether the match rests between two rounds; and then, whom it waits for.
    pub rests: Option<SeatSet>,
    /// Whether a discard is on offer that is of no use here: a question only for who wants to be asked.
    pub idle: bool,
    /// How many cards of the hand are chosen.
    pub chosen: usize,
}

impl<'a> Moment<'a> {
    /// Whether an act is open.
    #[must_use]
    pub fn may<T>(&self, act: fn(&Offers) -> &Offer<T>) -> bool {
        self.offers.is_some_and(|offers| act(offers).is_ok())
    }

    fn my_turn(&self) -> bool {
        self.desk.me == Some(self.view.flow.turn)
    }

    /// Whether the own seat begins its turn now.
    #[must_use]
    pub fn starting(&self) -> bool {
        let flow = &self.view.flow;
        self.offers.is_some()
            && self.my_turn()
            && flow.phase == Phase::Start
            && flow.waiting == Waiting::Nothing
    }

    /// Whether the own seat is asked about the discard, or may ask for it, and has not answered.
    #[must_use]
    pub fn offered(&self) -> bool {
        self.offers.is_some() && self.view.on_offer()
    }

    /// Whether the own seat may claim the discard onto a meld, and has not answered.
    #[must_use]
    pub fn claiming(&self) -> bool {
        self.may(|offers| &offers.shanghai) && answer(self.view).is_none()
    }

    /// Which question stands, by the name that tests and styles know it by.
    #[must_use]
    pub fn question(&self) -> &'static str {
        if let Some(waits_for) = self.rests {
            return if self.desk.me.is_some_and(|me| waits_for.has(me)) { "rest" } else { "rest-wait" };
        }
        let threw = self.desk.me.is_some() && self.view.flow.thrower == self.desk.me;
        match self.view.flow.phase {
            Phase::Cut if self.may(|offers| &offers.cut) => "cut",
            Phase::Cut => "cut-wait",
            Phase::Choose if self.may(|offers| &offers.choose) => "choose",
            Phase::Choose => "choose-wait",
            Phase::Name if self.may(|offers| &offers.name) => "name",
            Phase::Name => "name-wait",
            Phase::Pass if self.may(|offers| &offers.pass_on) => "pass",
            Phase::Pass => "pass-wait",
            Phase::Deal => "deal",
            Phase::Start if self.starting() => "start",
            // Nobody wants back at once what they have just thrown, though it may be theirs to ask for.
            Phase::Start if !threw && self.may(|offers| &offers.take) => "early",
            Phase::Offer { .. } if self.may(|offers| &offers.take) => match (answer(self.view), self.idle) {
                (Some(_), _) => "answered",
                // What helps nobody here is no question for the whole screen: the pile says that it can be had.
                (None, true) => "quiet",
                (None, false) => "offer",
            },
            Phase::Offer { .. } => "offer-wait",
            Phase::Play if self.may(|offers| &offers.discard) => "play",
            Phase::Play if self.offered() && self.idle => "quiet",
            Phase::Play if self.offered() => "open",
            Phase::Start | Phase::Play => "wait",
            Phase::Shanghai { .. } if self.claiming() => "claim",
            Phase::Shanghai { .. } => "claim-wait",
            Phase::Pick { .. } if self.may(|offers| &offers.pick) => "pick",
            Phase::Pick { .. } => "pick-wait",
            Phase::Over => "over",
        }
    }

    /// What it would cost to ask for the discard, in words.
    #[must_use]
    pub fn cost(&self, act: fn(&Offers) -> &Offer<Price>) -> String {
        let price = self.offers.and_then(|offers| act(offers).as_ref().ok().copied());
        price.map_or_else(String::new, |price| cost(self.desk.tongue, price))
    }

    /// A question ([`Moment::question`]) in words.
    #[must_use]
    pub fn words(&self, question: &str) -> String {
        let (desk, view, tongue) = (self.desk, self.view, self.desk.tongue);
        let flow = &view.flow;
        let pack = &view.compiled.pack;
        let top = || flow.top.map(|face| card::playing_short(tongue, pack, face)).unwrap_or_default();
        match question {
            "rest" => said!(tongue, "prompt.rest"),
            "rest-wait" => {
                let names = self.rests.unwrap_or(SeatSet::NONE).iter().map(|seat| desk.name(seat));
                said!(tongue, "prompt.rest_wait", names = names.collect::<Vec<_>>().join(", "))
            }
            "cut" => said!(tongue, "prompt.cut"),
            "cut-wait" => said!(tongue, "prompt.cut_wait", name = desk.name(flow.cutter(&view.compiled))),
            "choose" => said!(tongue, "prompt.choose"),
            "choose-wait" => {
                said!(tongue, "prompt.choose_wait", name = desk.name(flow.chooser(&view.compiled)))
            }
            "name" => said!(tongue, "prompt.wild"),
            "name-wait" => said!(tongue, "prompt.wild_wait", name = desk.name(flow.dealer)),
            "pass" => self.passing(),
            "pass-wait" => {
                let names = flow.passing().iter().map(|seat| desk.name(seat)).collect::<Vec<_>>().join(", ");
                if desk.me.is_some_and(|me| flow.passed.has(me)) {
                    said!(tongue, "prompt.pass_wait", names = names)
                } else {
                    said!(tongue, "prompt.pass_others", n = flow.passes(&view.compiled), names = names)
                }
            }
            "deal" => said!(tongue, "prompt.deal"),
            "start" if !self.may(|offers| &offers.draw_discard) => said!(tongue, "prompt.start_none"),
            "start" => match declines(view, self.offers) {
                (_, Err(_)) => said!(tongue, "prompt.forced", card = top()),
                (_, Ok(Declining { blocks: true })) => said!(tongue, "prompt.start_last", card = top()),
                (Command::DrawPush, _) => said!(tongue, "prompt.start_push", card = top()),
                _ => said!(tongue, "prompt.start", card = top()),
            },
            "offer" | "open" => {
                said!(tongue, "prompt.offer", card = top(), cost = self.cost(|offers| &offers.take))
            }
            "quiet" => said!(tongue, "prompt.quiet", card = top(), cost = self.cost(|offers| &offers.take)),
            "answered" => said!(tongue, "prompt.answered"),
            "offer-wait" => said!(tongue, "prompt.offer_wait", card = top()),
            "play" if !view.board.pending.is_empty() => {
                let cards = card::playing_all(tongue, pack, &view.board.pending);
                said!(tongue, "prompt.pending", cards = cards)
            }
            "play" if self.may(|offers| &offers.meld) || self.may(|offers| &offers.lay_off) => {
                said!(tongue, "prompt.play")
            }
            "play" => said!(tongue, "prompt.discard"),
            "claim" => said!(tongue, "prompt.claim", card = top()),
            "claim-wait" => said!(tongue, "prompt.claim_wait", card = top()),
            "pick" => {
                let claimer = flow.phase.claimer().map(|seat| desk.name(seat)).unwrap_or_default();
                said!(tongue, "prompt.pick", name = claimer)
            }
            "pick-wait" => said!(tongue, "prompt.pick_wait", name = desk.name(flow.discarder)),
            "over" => said!(tongue, "table.match_over"),
            _ => said!(tongue, "table.wait", name = desk.name_or_you(flow.turn)),
        }
    }

    /// What is to be chosen and passed on, and how much of it is.
    fn passing(&self) -> String {
        let passing = self.offers.and_then(|offers| offers.pass_on.as_ref().ok().copied());
        let Some(passing) = passing else { return String::new() };
        let (tongue, name) = (self.desk.tongue, self.desk.name(passing.to));
        said!(tongue, "prompt.pass_on", n = passing.cards, m = self.chosen, name = name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::written::{Opening, Written};
    use game::{Game, Seat, Viewer};

    /// What stands for a player of Contract Rummy with this hand, in the turn, these melds on the table.
    fn view(hand: &str, melds: &[&str]) -> View {
        let rules = std::sync::Arc::new(::contract::Rules::contract(3));
        let position = ::contract::Position {
            phase: Some("play".to_owned()),
            turn: Some(1),
            hands: ["KC QD".to_owned(), hand.to_owned(), "KS QH".to_owned()].to_vec(),
            melds: melds.iter().map(|meld| (*meld).to_owned()).collect(),
            discard: "3C".to_owned(),
            stock: "...".to_owned(),
            ..::contract::Position::default()
        };
        let opening = Opening { round: 2, dealer: Seat(0) };
        let game = ::contract::Match::set_up(rules, 3, opening, position).expect("cards of the pack");
        game.view(Viewer::Seat(Seat(1)))
    }

    /// On which meld these cards of the hand are laid off at a press.
    #[track_caller]
    fn check_lay_off(hand: &str, melds: &[&str], chosen: &str, expected: Option<u16>) {
        let view = view(hand, melds);
        let offers = view.offers().expect("it is their turn");
        let cards = view.compiled.pack.parse_all(chosen).expect("cards");
        assert_eq!(lays_off_on(&view, &offers, &cards), expected, "{chosen}");
    }

    #[test]
    fn a_card_is_laid_off_where_it_fits() {
        let melds = ["1: G[7C 7D 7H]", "1: R[4S 5S 6S 7S]", "0: R[9H TH JH QH]"];
        let hand = "7S 8S 2D KH JK";
        check_lay_off(hand, &melds, "8S", Some(2));
        check_lay_off(hand, &melds, "KH", Some(3));
        check_lay_off(hand, &melds, "7S", Some(1));
        check_lay_off(hand, &melds, "2D", None);
        check_lay_off(hand, &melds, "", None);
        // A joker fits on all of them: where it lies is for whoever lays it to say.
        check_lay_off(hand, &melds, "JK", None);
        check_lay_off(hand, &["1: G[7C 7D 7H]"], "JK", Some(1));
    }

    /// What chosen cards are suggested as, beside these that are prepared for the first meld; nothing where they are no meld.
    #[track_caller]
    fn check_suggested(prepared: &str, chosen: &str, expected: &str) {
        let view = view("9C 9D 9H JK 2S 4S 5S KH", &[]);
        let cards = |text: &str| view.compiled.pack.parse_all(text).expect("cards");
        let begun = Prepared { cards: cards(prepared), low: None };
        let preparation = Preparation { contract: None, piles: vec![begun] };
        let suggested = suggested(&view, preparation, cards(chosen));
        let words = suggested.map_or_else(String::new, |suggested| {
            let lays = if suggested.whole { ", whole" } else { "" };
            suggested.words(words::spoken("en"), &view.compiled.pack) + lays
        });
        assert_eq!(words, expected, "{chosen} beside {prepared}");
    }

    #[test]
    fn a_card_is_suggested_for_the_meld_that_lacks_it() {
        check_suggested("", "9C 9D 9H", "Group of nines");
        check_suggested("", "9C JK 9H", "Group of nines");
        check_suggested("9C 9D", "JK", "Group of nines");
        check_suggested("9C 9D", "9H", "Group of nines");
        check_suggested("9C 9D 9H", "2S JK 4S 5S", "Run of spades 2 to 5, whole");
        check_suggested("9C 9D", "2S", "");
        check_suggested("", "JK", "");
        check_suggested("", "", "");
    }
}
