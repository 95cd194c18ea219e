//! What can be set: one row for each option of the rulebook's sections 3, 4 and 7.
//!
//! A row holds all that is known of an option: its name in plain words and what it means (the lines over it), its name in
//! rule files, its type and default, the rule behind it and what it may be, and its sentence on the rule sheet. [`Rules`]
//! is made from the rows; so are the loader's checks, the JSON Schema, the option screens and the sheet (crate `rulebook`).
//! The defaults are the rules of `set-classic`.

mod choices;
mod tell;

use cards::Deck;
pub use choices::*;
use game::option::{apart, row, says, told_by};
use game::options;
use game::words::{capital, count};
use tell::seconds;
pub use tell::{Section, Tell, Told};

const TITLE: &str = "the line under the title";

options! {
    /// The whole rule set of one match. Times end in `_ms` (milliseconds) or `_s` (seconds). The defaults are those of `set-classic`.
    #[derive(Eq, Hash)]
    #[schemars(rename = "PatternRules")]
    flat Rules {
        /// Mechanism
        /// How the game is played.
        mechanism: Mechanism = Mechanism::Race, row("4.1").file_only(),
        says(Section::Play, |t| Some(match t.mechanism {
            Mechanism::Race => "There are no turns: all look at the same cards.".into(),
            Mechanism::Scout => "There are no turns. The finder calls, seals a Set and points at one of its cards. The others race to name a second card of it: who does takes that card, and the finder takes the other two. Who shows another Set with the card pointed at takes two cards of it, and the finder the sealed three; all three, where what was sealed is no Set. A wrong scout loses a card and is out of this search. When all pass, the finder takes the Set, if it is one; else the finder loses a card and is frozen until another Set is found.".into(),
            Mechanism::Trial => "There are no turns: everybody plays the same shuffle on a board of their own, and sees how far the others are.".into(),
            Mechanism::Memory => format!("In turn, clockwise from the dealer's left, turn up {}, one after another; everybody sees them.", count(t.turned_up(), "card", "cards")),
            Mechanism::Setup => format!("Everybody has {}, {}, and the table is empty. In turn, clockwise from the dealer's left, play a card to the table and draw another. Anybody else may challenge by naming two table cards that make a Set with it: then its player takes the whole table as penalty cards, that card too, and the next player goes on. The challenger gains nothing, and a Set without the card just played counts for nothing. Without a stock the hands are played out; what then lies on the table is nobody's.", count(t.hand, "card", "cards"), t.hand_seen()),
            Mechanism::Puzzle => format!("Find all {} in the layout; cards stay, and may be used again. A Set found twice counts once.", count(t.puzzle_sets, "Set", "Sets")),
        }));
        [
        /// For how many people.
        #[schemars(rename = "PlayerRange")]
        players: Players {
            /// Fewest players
            /// With fewer than this the game cannot begin.
            min: u8 = 2, row("Q-10").from(1).to(12),
            apart(TITLE);
            /// Most players
            /// More than this cannot sit down.
            max: u8 = 12, row("Q-10").from(1).to(12),
            apart(TITLE);
        }
        ]
        /// Deck
        /// d27: small, one feature fewer. d81: the whole deck. d243: with backgrounds as a fifth feature.
        deck: Deck = Deck::D81, row("A-21"),
        says(Section::Cards, |t| Some(match t.deck {
            Deck::D27 => format!(
                "27 cards: {} in three forms each; the {} is the same on all ({} of three).{}",
                game::words::listed(&Feature::ALL[..4].iter().filter(|f| **f != t.mini_fixed.feature).map(|f| f.name()).collect::<Vec<_>>(), "and"),
                t.mini_fixed.feature.name(),
                ["the first", "the second", "the third"].get(usize::from(t.mini_fixed.value)).unwrap_or(&"one"),
                if t.mechanism == Mechanism::Race && t.more_deals() { " Between deals all together may join the rest of the deck: from then on 81 cards are played, twelve of them open." } else { "" },
            ),
            Deck::D81 => "81 cards: number, colour, shading and symbol in three forms each.".into(),
            Deck::D243 => "243 cards: number, colour, shading, symbol and background in three forms each.".into(),
        }));
        /// What the small deck lacks
        /// The feature that is the same on all 27 cards, and its value: `shading`, `colour = 1`.
        mini_fixed: MiniFixed = MiniFixed { feature: Feature::Shading, value: 0 }, row("A-51"),
        told_by("deck");
        /// Groups
        /// Groups of the layout: 1, 3 or 9.
        zones: u8 = 1, row("ULTRA-1").from(1).to(9).only(&[1, 3, 9]).file_only(),
        says(Section::Play, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match t.zones {
            1 => format!("{} lie open.", capital(&count(t.base, "card", "cards"))),
            zones => format!("{} cards lie open in {zones} groups of {}.", u16::from(zones) * u16::from(t.base), t.base),
        }));
        /// Cards on the table
        /// Cards each group is kept at.
        base: u8 = 12, row("CORE-12").from(1).to(81),
        told_by("zones");
        /// Pattern
        /// What is looked for.
        pattern: Pattern = Pattern::Set, row("PAT-SET").file_only(),
        says(Section::Claims, |t| match t.pattern {
            Pattern::Set => None,
            Pattern::Super => Some("Looked for is a SuperSET: four cards in two pairs for which one and the same card would complete a Set; where that card is does not matter.".into()),
            Pattern::Ultra1 => Some("A Set counts if its cards lie all in one group, or one in each group.".into()),
            Pattern::Ultra2 => Some("A Set counts if the rows of its cards are all equal or all different, and the columns too.".into()),
        });
        /// How many at once
        /// One pattern, two without a common card, or three or four Sets covering eight cards.
        multiplicity: Multiplicity = Multiplicity::Single, row("MIX-1").file_only(),
        says(Section::Claims, |t| match t.multiplicity {
            Multiplicity::Single => None,
            Multiplicity::Double => Some("Two at once are claimed, without a common card.".into()),
            Multiplicity::Eight => Some("Three or four Sets at once are claimed; they may share cards, but cover eight or more.".into()),
        });
        /// Pairs of a SuperSET
        /// Whether the two pairs must be named.
        pairing: Grouping = Grouping::Auto, row("A-22"),
        says(Section::Claims, |t| (t.pattern == Pattern::Super && t.mechanism != Mechanism::Memory).then(|| match t.pairing {
            Grouping::Auto => "It is enough to show the four cards: the pairs need not be named.".into(),
            Grouping::Declared => "The pairs must be named: the right four cards in the wrong pairs are a wrong claim.".into(),
        }));
        /// Telling Sets apart
        /// Whether the Sets of a claim must be listed one by one.
        grouping: Grouping = Grouping::Auto, row("A-29"),
        says(Section::Claims, |t| (t.multiplicity != Multiplicity::Single && t.mechanism != Mechanism::Memory).then(|| match t.grouping {
            Grouping::Auto => "It is enough to show the cards: which belong together need not be said.".into(),
            Grouping::Declared => "The Sets of a claim must be listed one by one.".into(),
        }));
        /// A fourth Set without a new card
        /// Whether it counts.
        eight_padding: EightPadding = EightPadding::Allowed, row("A-30"),
        says(Section::Claims, |t| (t.multiplicity == Multiplicity::Eight).then(|| match t.eight_padding {
            EightPadding::Allowed => "A fourth Set counts even where it adds no card.".into(),
            EightPadding::NewCardNeeded => "Each Set listed must hold a card that those before it do not.".into(),
        }));
        /// Where a claim's cards lie
        /// In the layout, also in the own hand, or also in the own previous Set.
        sources: Sources = Sources::Layout, row("4.1").file_only(),
        says(Section::Claims, |t| match (t.sources, t.chain_scope) {
            (Sources::Layout, _) => None,
            (Sources::Hand, _) => Some("A claim takes cards from the own hand and the layout in any mix.".into()),
            (Sources::Previous, ChainScope::Own) => Some("After your first claim of a deal, every Set must use exactly one card of those that you claimed last, whichever; the others lie in the layout. What you claimed last lies open before you.".into()),
            (Sources::Previous, ChainScope::Table) => Some("After the first claim of a deal, every Set must use exactly one card of those that anybody claimed last; the others lie in the layout.".into()),
        });
        /// Whose previous Set
        /// The player's own, or the last one claimed by anyone.
        chain_scope: ChainScope = ChainScope::Own, row("A-19"),
        told_by("sources");
        /// Dropping the chain
        /// Whether a player who is stuck may begin anew.
        chain_break: ChainBreak = ChainBreak::Never, row("A-20"),
        says(Section::Claims, |t| (t.sources == Sources::Previous).then(|| match t.chain_break {
            ChainBreak::Never => "Nobody may drop the chain.".into(),
            ChainBreak::AfterExtraDeal => "After more cards have been laid, the next claim may be an ordinary one.".into(),
            ChainBreak::PenaltyPoint => "An ordinary Set may always be claimed instead, at the cost of one point.".into(),
        }));
        /// Personal cards
        /// Cards dealt to each player.
        hand: u8 = 0, row("HANDS-1").from(0).to(12).file_only(),
        says(Section::Play, |t| (t.hand > 0 && t.mechanism != Mechanism::Setup).then(|| format!(
            "Everybody has {} too, {}.",
            count(t.hand, "personal card", "personal cards"),
            t.hand_seen(),
        )));
        /// Most personal cards
        /// More than this a player never draws.
        hand_max: u8 = 9, row("TWTY-6").from(0).to(12).file_only(),
        says(Section::Play, |t| (t.to == To::Discard).then(|| format!(
            "While the table is open a player may ask for one more personal card; nobody holds more than {}.",
            count(t.hand_max, "card", "cards"),
        )));
        /// Hand refilled
        /// Whether used personal cards are replaced.
        hand_refill: bool = false, row("HANDS-3").file_only(),
        says(Section::Play, |t| (t.hand > 0 && t.races()).then(|| if t.hand_refill {
            "Personal cards that are used are replaced first, then those of the layout.".into()
        } else {
            "Personal cards that are used are not replaced.".into()
        }));
        /// Who sees a hand
        /// Its owner, or everybody.
        hand_visibility: HandVisibility = HandVisibility::Private, row("A-31"),
        told_by("hand");
        /// Own cards in a claim
        /// How many of the claimed cards must be one's own, at least.
        min_personal: u8 = 0, row("A-42").from(0).to(1),
        says(Section::Claims, |t| (t.min_personal > 0 && t.hand > 0).then(|| "At least one card of a claim must be a personal one.".into()));
        /// Cards that leave
        /// All cards of a right claim, or one.
        removed: Removed = Removed::All, row("CPLX-1").file_only(),
        says(Section::Play, |t| (t.races() && t.mechanism != Mechanism::Scout).then(|| match (t.removed, t.complex_pick, t.to) {
            (Removed::One, ComplexPick::Caller, _) => "Of a right claim only one card leaves: the caller picks and keeps it. The other two stay.".into(),
            (Removed::One, ComplexPick::ServerRandom, _) => "Of a right claim only one card leaves, picked by chance, and the caller keeps it. The other two stay.".into(),
            (Removed::All, _, To::Collected) => "The cards of a right claim are collected by the caller.".into(),
            (Removed::All, _, To::Discard) => "The cards of a right claim go to a common pile, which becomes the stock when that is used up.".into(),
        }));
        /// Who picks the card that leaves
        /// The caller, or chance.
        complex_pick: ComplexPick = ComplexPick::Caller, row("A-32"),
        told_by("removed");
        /// Where claimed cards go
        /// To the player, or to a common pile.
        to: To = To::Collected, row("TWTY-4").file_only(),
        told_by("removed");
        /// Replace above the usual number
        /// Whether cards are replaced although more than usual lie on the table.
        refill_above_base: bool = false, row("A-12"),
        says(Section::Play, |t| t.races().then(|| match (t.refill_above_base, t.zones) {
            (true, _) => "Cards taken from the table are always replaced from the stock, as far as it reaches.".into(),
            (false, 1) => format!("The table is filled up to {} from the stock, as far as it reaches; while more lie there, what is taken is not replaced.", t.base),
            (false, _) => format!("Each group is filled up to {} from the stock, as far as it reaches; while more lie in it, what is taken is not replaced.", t.base),
        }));
        /// Who says that there is none
        /// All players agree; all agree and it is checked; or the server sees it.
        no_claim: NoClaim = NoClaim::Agree, row("A-1"),
        says(Section::NoClaim, |t| (t.races() && t.end != End::FirstNoClaimLoses).then(|| {
            let more = match (t.no_claim_action, t.zones) {
                (NoClaimAction::Replace6, _) => format!("the {} are taken away, new ones laid, and the old ones shuffled into the stock", count(t.base, "table card", "table cards")),
                (_, 9) if t.ultra9_extra == 9 => "one more card is laid in each of the nine groups".into(),
                (_, 9) => "three more cards are laid, one in each row and column".into(),
                (_, 1) => "three more cards are laid".into(),
                _ if t.ultra_extra == UltraExtra::OneEach => "three more cards are laid, one in each group".into(),
                _ => "three more cards are laid, each in the smallest group".into(),
            };
            let sure = t.sure().filter(|_| t.votes()).map_or_else(String::new, |sure| format!(" From {sure} cards on nobody can say so: there must be one."));
            match t.no_claim {
                NoClaim::Agree => format!("When all agree that there is none, {more}. Whether that is so is not looked at.{sure}"),
                NoClaim::AgreeChecked => format!("When all agree that there is none, and that is so, {more}; where there is one after all, they are told.{sure}"),
                NoClaim::Auto => format!("When there is none, {more}, without anybody asking."),
            }
        }));
        /// When there is none
        /// Three more cards, or six new ones for the six on the table.
        no_claim_action: NoClaimAction = NoClaimAction::Extra3, row("A-41"),
        told_by("no_claim");
        /// Extra cards of three groups
        /// One to each group, or each to the smallest.
        ultra_extra: UltraExtra = UltraExtra::OneEach, row("A-24"),
        told_by("no_claim");
        /// Extra cards of nine groups
        /// Three or nine.
        ultra9_extra: u8 = 3, row("A-25").from(3).to(9).only(&[3, 9]),
        told_by("no_claim");
        /// Lay the groups anew at the end
        /// Once, when the stock is empty and nobody can claim.
        regroup_at_end: bool = false, row("A-26"),
        says(Section::NoClaim, |t| (t.races() && t.zones > 1).then(|| if t.regroup_at_end {
            "When the stock is used up and nobody has a claim, the cards are laid anew over the groups, once.".into()
        } else {
            "Cards never change their group.".into()
        }));
        /// Silence is agreement after
        /// Seconds, or off.
        idle_vote_s: Lapse = Lapse::After(30), row("A-2").from(10).to(120),
        says(Section::NoClaim, |t| (t.votes()).then(|| match t.idle_vote_s.millis() {
            Some(ms) => format!("Who says nothing for {} seconds while all others agree agrees too.", ms / 1000),
            None => "Who says nothing does not agree.".into(),
        }));
        /// A refusal holds for
        /// Seconds for which "still looking" blocks the others, or off.
        refusal_lapse_s: Lapse = Lapse::After(120), row("A-2").from(30).to(600),
        says(Section::NoClaim, |t| (t.votes()).then(|| match t.refusal_lapse_s.millis() {
            Some(ms) => format!("Who is still looking can hold the others up for {} seconds in a layout.", ms / 1000),
            None => "Who is still looking can hold the others up for as long as it takes.".into(),
        }));
        /// A card is lit after
        /// Seconds without a claim where one is sure to be there.
        stuck_s: u16 = 90, row("CORE-19").from(1).to(3600),
        says(Section::NoClaim, |t| t.lights().then(|| format!(
            "Where there must be one and nobody claims it for {} seconds, one of its cards is lit, and more follow.{}",
            t.stuck_s,
            if t.scouts() { " After so long without a call nobody stays frozen." } else { "" },
        )));
        /// How a claim is made
        /// With a call before it, or by tapping the cards.
        entry: Entry = Entry::Call, row("CORE-4"),
        says(Section::Play, |t| t.races().then(|| match (t.entry, t.timeout_is_wrong) {
            (Entry::Call, wrong) => format!(
                "Who sees one calls, and then has {} seconds to {} it; nobody else may call meanwhile. Running out of time {}. Who calls in vain again before the table changes waits longer each time.",
                t.call_timeout_s,
                if t.scouts() { "seal" } else { "show" },
                if wrong { "is a wrong claim" } else { "costs nothing, but to take a call back is a wrong claim" },
            ),
            (Entry::Tap, _) => "Tap the cards: the first right claim counts.".into(),
        }));
        /// Seconds for a call
        /// How long a caller has to show the cards.
        call_timeout_s: u16 = 5, row("A-3").from(2).to(60),
        told_by("entry");
        /// Running out is wrong
        /// Whether a call that runs out costs as much as a wrong claim.
        timeout_is_wrong: bool = true, row("A-4"),
        told_by("entry");
        /// Calls at the same time
        /// The first has it, or both show their Sets.
        tie: Tie = Tie::First, row("A-5"),
        says(Section::Play, |t| (t.races() && t.entry == Entry::Call).then(|| match t.tie {
            Tie::First => "Of several calls the first counts.".into(),
            Tie::Shared => format!(
                "Calls within {} ms of the first count as one: each shows a Set and keeps it, but {} go to the rubbish heap and score for nobody.",
                t.tie_window_ms,
                match t.tie_heap {
                    TieHeap::SharedCards => "cards named twice",
                    TieHeap::BothSets => "Sets with a common card",
                },
            ),
        }));
        /// The same time is within
        /// Milliseconds.
        tie_window_ms: u16 = 150, row("A-6").from(0).to(500),
        told_by("tie");
        /// Tied Sets with a common card
        /// Only the common cards go to the heap, or both Sets.
        tie_heap: TieHeap = TieHeap::SharedCards, row("A-8"),
        told_by("tie");
        /// Who was first
        /// By arrival, or with the way to the server taken off.
        order: Order = Order::Arrival, row("Q-28"),
        says(Section::Play, |t| ((t.together() || t.sets_up()) && t.players.max > 1).then(|| match t.order {
            Order::Arrival => "First is what reaches the table first.".into(),
            Order::PingAdjusted => "First is what was sent first: the way to the table is taken off.".into(),
        }));
        /// A wrong claim costs
        /// Nothing, a point, or a collected Set; some games draw a card, add time or lose a card.
        penalty: Penalty = Penalty::Point, row("A-10"),
        says(Section::Errors, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match t.penalty {
            _ if t.scouts() => "A wrong find or search costs a collected card; who has none is only told off.".into(),
            _ if t.mechanism == Mechanism::Puzzle => "Wrong claims are counted, and cost nothing else.".into(),
            Penalty::Seconds if t.solo() => format!("A wrong claim adds {} seconds.", t.wrong_penalty_s),
            _ if t.mechanism == Mechanism::Trial => format!("A wrong claim adds {} seconds.", t.wrong_penalty_s),
            Penalty::Point => "A wrong claim costs a point.".into(),
            Penalty::HeapSet => "A wrong claim costs a point, paid with a collected Set where there is one; that goes to the heap.".into(),
            Penalty::Draw => format!("A wrong claim costs one more personal card, up to {}.", t.hand_max),
            Penalty::None | Penalty::Seconds | Penalty::LoseCard => "A wrong claim costs no points.".into(),
        }));
        /// Below zero
        /// none: scores may go below zero. zero: they stop there.
        score_floor: ScoreFloor = ScoreFloor::None, row("A-9"),
        says(Section::Errors, |t| (t.mechanism == Mechanism::Race && (matches!(t.penalty, Penalty::Point | Penalty::HeapSet) || t.hints == Hints::CostPoint)).then(|| match t.score_floor {
            ScoreFloor::None => "Scores may go below zero.".into(),
            ScoreFloor::Zero => "Scores never go below zero.".into(),
        }));
        /// Locked out after a wrong claim
        /// Seconds, or until the next right claim.
        #[serde(skip_serializing_if = "Option::is_none")]
        lockout_s: Option<Lockout> = None, row("A-11").from(0).to(30).written("2"),
        says(Section::Errors, |t| (t.races() && !t.scouts()).then(|| match t.lockout() {
            Lockout::Seconds(0) => "Who was wrong may go on at once.".into(),
            Lockout::Seconds(n) => format!("Who was wrong waits for {}.", count(n, "second", "seconds")),
            Lockout::Until(_) => "Who was wrong waits until somebody else is right.".into(),
        }));
        /// Seconds for an error
        /// Added to the time of a trial.
        wrong_penalty_s: u16 = 10, row("TRIAL-3").from(0).to(600),
        told_by("penalty");
        /// What counts
        /// Sets, claims, cards, the time, or the cards the others still hold.
        score: Score = Score::Sets, row("A-28"),
        says(Section::Score, |t| Some(match t.score {
            _ if t.mechanism == Mechanism::Setup => "The fewest cards taken win.".into(),
            _ if t.scouts() => "A point for each card collected.".into(),
            _ if t.mechanism == Mechanism::Trial => "The time counts, with what errors add to it; who does not get to the end comes after those who do, by Sets.".into(),
            Score::Time if t.penalty == Penalty::Seconds && t.solo() => "The time counts, with what errors add to it.".into(),
            Score::Sets if t.pattern == Pattern::Super => "A point for each SuperSET.".into(),
            Score::Sets => "A point for each Set.".into(),
            Score::Claims => "A point for each claim.".into(),
            Score::Cards => "A point for each card collected.".into(),
            Score::Time => "The time counts, then the errors.".into(),
            Score::OthersCards => "Sets score nothing. Who is rid of all personal cards scores one for each that the others still hold.".into(),
        }));
        /// Single Sets at the end
        /// Whether they may be taken once no Double-Set is left.
        final_single: bool = false, row("A-28"),
        says(Section::End, |t| (t.multiplicity == Multiplicity::Double && t.races()).then(|| if t.final_single {
            "When no two are left, single ones may be taken.".into()
        } else {
            "Single ones that are left are not taken.".into()
        }));
        /// When a deal ends
        /// When the stock is empty and nobody has a claim, and so on.
        end: End = End::StockAndNoClaim, row("CORE-21").file_only(),
        says(Section::End, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match (t.end, t.trial_goal) {
            _ if t.mechanism == Mechanism::Puzzle => "It ends when all are found.".into(),
            (End::StockAndNoClaim, _) => format!(
                "A deal ends when the stock is used up and nobody has a claim{}; cards left over count for nobody.",
                if t.no_claim == NoClaim::Agree { ", or all agree that nobody has" } else { "" },
            ),
            (End::FirstNoClaimLoses, _) => "The first time the layout holds none while the stock is not used up, the game is lost: no more cards are laid.".into(),
            (End::HandEmpty, _) => format!(
                "A deal ends at once when somebody has no personal cards left.{}",
                if t.no_claim_action == NoClaimAction::Extra3 { " Where no more cards can be laid it ends too, and nobody scores." } else { "" },
            ),
            (End::Goal, TrialGoal::Sets(n)) => format!("The game ends with {}.", count(n, "Set", "Sets")),
            (End::Goal, TrialGoal::Clear(_)) => "The game ends when no Set is left.".into(),
        }));
        /// Goal of a trial
        /// So many Sets, or until none is left.
        trial_goal: TrialGoal = TrialGoal::Sets(21), row("TRIAL-2").from(1).to(27),
        told_by("end");
        /// Who ends a deal
        /// The server, or the players by agreement.
        end_check: EndCheck = EndCheck::Server, row("A-17"),
        says(Section::End, |t| (t.races() && t.end == End::StockAndNoClaim).then(|| match t.end_check {
            EndCheck::Server => "That nobody has a claim any more is seen by the table.".into(),
            EndCheck::Players => "That nobody has a claim any more is for the players to agree on.".into(),
        }));
        /// A solitaire is won
        /// When the stock is used up and no Set is left, or when all cards are taken.
        solo_win: SoloWin = SoloWin::Exhaust, row("A-18"),
        says(Section::End, |t| (t.races() && t.players.max == 1 && t.end != End::Goal).then(|| match t.solo_win {
            SoloWin::Exhaust => "It is won when the stock is used up and no Set is left. Who gives up loses.".into(),
            SoloWin::Clear => "It is won only when all cards are taken. Who gives up loses.".into(),
        }));
        /// Deals
        /// A number from 1 to 20, each_dealer, or to_points(n).
        deals: Deals = Deals::EachDealer, row("A-16"),
        says(Section::Score, |t| Some(match t.deals {
            Deals::Count(1) => "One deal.".into(),
            Deals::Count(n) => format!("{} add up.", capital(&count(n, "deal", "deals"))),
            Deals::EachDealer => "One deal for each player as dealer; the scores add up.".into(),
            Deals::ToPoints(n) => format!("Deals follow until somebody has {n} points."),
            Deals::ToPointsEach(n) => format!("Deals follow until somebody has {n} points for each player."),
        }));
        /// Equal top scores
        /// They share the win, or play one more deal.
        tiebreak: Tiebreak = Tiebreak::Shared, row("A-47"),
        says(Section::Score, |t| (t.players.max > 1).then(|| match t.tiebreak {
            Tiebreak::Shared => "Equal scores share the place.".into(),
            Tiebreak::ExtraDeal => "Where the best scores are equal, one more deal is played.".into(),
        }));
        /// The dealer
        /// Plays like everybody, or sits the deal out.
        dealer: Dealer = Dealer::Plays, row("A-15"),
        says(Section::Play, |t| (t.together() && t.players.max > 2).then(|| match t.dealer {
            Dealer::Plays => "The dealer plays like everybody.".into(),
            Dealer::SitsOut => "The dealer of a deal sits out, where three or more play. The first is drawn by chance; the next is the player to the left.".into(),
        }));
        /// How the cards are laid
        /// All at once, or one after another, calls allowed.
        deal_style: DealStyle = DealStyle::AtOnce, row("A-13"),
        says(Section::Play, |t| t.races().then(|| match t.deal_style {
            DealStyle::AtOnce => None,
            DealStyle::Progressive => Some(format!(
                "The first cards are laid one by one, every {}, and calls are allowed meanwhile.{}",
                seconds(t.deal_interval_ms),
                if t.progressive_refill { " So are those that replace others." } else { "" },
            )),
        }).flatten());
        /// Pace of the dealing
        /// Milliseconds from card to card.
        deal_interval_ms: u16 = 700, row("A-13").from(200).to(3000),
        told_by("deal_style");
        /// New cards one by one too
        /// Whether replacements are laid one after another.
        progressive_refill: bool = false, row("A-14"),
        told_by("deal_style");
        /// Pause after new cards
        /// Milliseconds before the next call.
        settle_ms: u16 = 400, row("CORE-14").from(0).to(5000),
        says(Section::Table, |t| t.races().then(|| format!("After new cards nothing is taken for {}.", seconds(t.settle_ms))));
        /// Pause between deals
        /// Seconds, unless all are ready before.
        between_s: u16 = 30, row("Q-26").from(0).to(600),
        says(Section::Table, |t| t.more_deals().then(|| format!("Between deals there is a pause of {} seconds, unless all are ready.", t.between_s)));
        /// Joining between deals
        /// Whether new players may.
        late_join: bool = true, row("LEAVE-7"),
        says(Section::Table, |t| t.more_deals().then(|| if t.late_join {
            "Others may join between deals.".into()
        } else {
            "Nobody joins between deals.".into()
        }));
        /// A dropped player's seat is kept
        /// Seconds.
        grace_s: u16 = 60, row("A-48").from(0).to(300),
        says(Section::Table, |t| (t.players.max > 1).then(|| format!(
            "A player whose line breaks keeps the seat for {} seconds. Who leaves comes after all who stay{}.",
            t.grace_s,
            if t.players.min > 1 { format!("; with fewer than {} the match ends", count(t.players.min, "player", "players")) } else { String::new() },
        )));
        /// An abandoned match ends after
        /// Seconds in which nobody acts.
        abandon_s: u16 = 300, row("Q-20").from(1).to(3600),
        says(Section::Table, |t| Some(format!("A match in which nobody acts for {} seconds ends, with the scores as they stand.", t.abandon_s)));
        /// What was missed
        /// Shown in the replay, after each deal, or never.
        show_missed: ShowMissed = ShowMissed::Replay, row("A-49"),
        says(Section::Table, |t| t.together().then(|| match t.show_missed {
            ShowMissed::Replay => "What was missed is shown in the replay.".into(),
            ShowMissed::AfterDeal => "What was missed is shown after each deal.".into(),
            ShowMissed::Never => "What was missed is not shown.".into(),
        }));
        /// Hints
        /// None, for a point, or free.
        hints: Hints = Hints::Off, row("A-50"),
        says(Section::Table, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match t.hints {
            Hints::Off => None,
            Hints::CostPoint if t.mechanism != Mechanism::Trial => Some("A hint shows one card of a claim, for one point.".into()),
            Hints::CostPoint | Hints::Free => Some("A hint shows one card of a claim, for nothing.".into()),
        }).flatten());
        /// Seconds to scout
        /// How long the others have.
        scout_window_s: u16 = 20, row("SCOUT-7").from(1).to(600),
        says(Section::Play, |t| t.scouts().then(|| format!("The others have {} seconds to search.", t.scout_window_s)));
        /// Seconds to show
        /// How long a scout has to show another Set.
        show_timeout_s: u16 = 6, row("SCOUT-5").from(1).to(600),
        says(Section::Play, |t| t.scouts().then(|| format!("Who has named a card that is not in the sealed Set has {} seconds to show another.", t.show_timeout_s)));
        /// A sealed find that is no Set
        /// Is found out at the end, or at once.
        seal: Seal = Seal::OpenLate, row("A-34"),
        says(Section::Play, |t| t.scouts().then(|| match t.seal {
            Seal::OpenLate => "What was sealed is opened only when the search is over.".into(),
            Seal::CheckAtOnce => "A sealed find that is no Set is found out at once, and nobody searches.".into(),
        }));
        /// After a failed scout
        /// The others go on, or nobody.
        scout_retry: ScoutRetry = ScoutRetry::Others, row("A-35"),
        says(Section::Play, |t| t.scouts().then(|| match t.scout_retry {
            ScoutRetry::Others => "After a wrong scout the others go on.".into(),
            ScoutRetry::Nobody => "After a wrong scout nobody goes on: the Set is opened.".into(),
        }));
        /// Lost cards go
        /// To the heap, or under the stock.
        lost_cards: LostCards = LostCards::Heap, row("A-36"),
        says(Section::Errors, |t| t.scouts().then(|| match t.lost_cards {
            LostCards::Heap => "Lost cards are out of play.".into(),
            LostCards::UnderStock => "Lost cards go under the stock.".into(),
        }));
        /// Cards face down
        /// full: the whole deck. 12: twelve, refilled.
        memory_layout: MemoryLayout = MemoryLayout::Full(Full::Full), row("A-21").from(12).to(12),
        says(Section::Play, |t| t.remembers().then(|| match t.memory_layout {
            MemoryLayout::Full(_) => "All cards lie face down; empty places stay empty.".into(),
            MemoryLayout::Slots(n) => format!("{n} cards lie face down and are filled up from the stock."),
        }));
        /// A Set earns another turn
        /// Whether the player who found one goes on.
        extra_turn: bool = true, row("A-21"),
        says(Section::Play, |t| t.remembers().then(|| if t.extra_turn {
            "Right: they are yours, and you play again.".into()
        } else {
            "Right: they are yours, and the next player goes on.".into()
        }));
        /// The last Set
        /// The server ends the deal, or the players declare that none is left.
        memory_end: MemoryEnd = MemoryEnd::Auto, row("A-21"),
        says(Section::End, |t| t.remembers().then(|| match t.memory_end {
            MemoryEnd::Auto => format!("When no Set lies face down, {}.", t.no_set_down()),
            MemoryEnd::Declare => format!(
                "When all declare that no Set lies face down, and that is so, {}; to be wrong costs nothing, and all are told.",
                t.no_set_down(),
            ),
        }));
        /// Cards stay up for
        /// Milliseconds, when they are no Set.
        reveal_ms: u16 = 2000, row("MEM-5").from(0).to(60000),
        says(Section::Play, |t| t.remembers().then(|| format!("Wrong: they turn down again where they lie, after {}, and the next player goes on.", seconds(t.reveal_ms))));
        /// Seconds for a card
        /// Running out ends the turn.
        flip_timeout_s: u16 = 15, row("MEM-6").from(1).to(600),
        says(Section::Play, |t| t.remembers().then(|| format!(
            "Each card is turned within {} seconds; else {}. When as many turns run out one after another as two for each player, the deal ends.",
            t.flip_timeout_s,
            match t.flip_on_timeout {
                FlipOnTimeout::EndTurn => "the turn ends",
                FlipOnTimeout::Random => "chance turns up what is missing",
            },
        )));
        /// When they run out
        /// The turn ends, or chance turns the rest up.
        flip_on_timeout: FlipOnTimeout = FlipOnTimeout::EndTurn, row("Q-19"),
        told_by("flip_timeout_s");
        /// Seconds to challenge
        /// The next player may not play before, unless all have passed.
        window_min_s: u16 = 5, row("A-37").from(0).to(30),
        says(Section::Play, |t| t.sets_up().then(|| format!("A card may be challenged until the next is played; the next player waits for {} seconds, unless all have passed.", t.window_min_s)));
        /// Seconds to challenge the last card
        /// After it nobody plays any more.
        window_last_s: u16 = 10, row("SETUP-7").from(0).to(600),
        says(Section::Play, |t| t.sets_up().then(|| format!("The very last card can be challenged for {} seconds.", t.window_last_s)));
        /// Seconds for a turn
        /// Then the card held longest is played.
        turn_timeout_s: u16 = 45, row("A-37").from(10).to(120),
        says(Section::Play, |t| t.sets_up().then(|| format!("A turn has {} seconds; then the card held longest is played.", t.turn_timeout_s)));
        /// A false challenge costs
        /// The right to challenge this card, nothing, or one card from the stock.
        false_challenge: FalseChallenge = FalseChallenge::Lockout, row("A-38"),
        says(Section::Errors, |t| t.sets_up().then(|| match t.false_challenge {
            FalseChallenge::Lockout => "Who challenges wrongly may not challenge this card again.".into(),
            FalseChallenge::None => "A wrong challenge costs nothing.".into(),
            FalseChallenge::TakeOne => "A wrong challenge costs one penalty card from the stock.".into(),
        }));
        /// Sets in the puzzle
        /// How many its layout holds.
        puzzle_sets: u8 = 6, row("DAILY-1").from(1).to(14).file_only(),
        told_by("mechanism");
    }
}
