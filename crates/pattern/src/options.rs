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
use game::option::{Named, apart, row, says, told_by};
use game::options;
use game::words::{number, number_first};
use game::{Say, say};
pub use tell::{Section, Tell, Told, section_of};
use tell::{feature, seconds};

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
            Mechanism::Race => say!("rule.pattern.race"),
            Mechanism::Scout => say!("rule.pattern.scout"),
            Mechanism::Trial => say!("rule.pattern.trial"),
            Mechanism::Memory => say!("rule.pattern.memory", n = t.turned_up(), words = number(t.turned_up())),
            Mechanism::Setup => say!("rule.pattern.setup", n = t.hand, words = number(t.hand), seen = t.hand_seen()),
            Mechanism::Puzzle => say!("rule.pattern.puzzle", n = t.puzzle_sets, words = number(t.puzzle_sets)),
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
        /// The small one has 27 cards and one feature fewer, the whole one 81; 243 have backgrounds as a fifth feature.
        deck: Deck = Deck::D81, row("A-21"),
        says(Section::Cards, |t| Some(match t.deck {
            Deck::D27 => {
                let others = Feature::ALL[..4].iter().filter(|f| **f != t.mini_fixed.feature).map(|f| feature(*f));
                let features = Say::all(others.collect()).unwrap_or_default();
                let (fixed, n) = (feature(t.mini_fixed.feature), t.mini_fixed.value + 1);
                if t.mechanism == Mechanism::Race && t.more_deals() {
                    say!("rule.pattern.deck.small_grows", features = features, fixed = fixed, n = n.to_string())
                } else {
                    say!("rule.pattern.deck.small", features = features, fixed = fixed, n = n.to_string())
                }
            },
            Deck::D81 => say!("rule.pattern.deck.whole"),
            Deck::D243 => say!("rule.pattern.deck.grounds"),
        }));
        /// What the small deck lacks
        /// The feature that is the same on all 27 cards, and its value: `shading`, `colour = 1`.
        mini_fixed: MiniFixed = MiniFixed { feature: Feature::Shading, value: 0 }, row("A-51").named(Named::These(MiniFixed::NAMES)),
        told_by("deck");
        /// Groups
        /// Groups of the layout: 1, 3 or 9.
        zones: u8 = 1, row("ULTRA-1").from(1).to(9).only(&[1, 3, 9]).file_only(),
        says(Section::Play, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match t.zones {
            1 => say!("rule.pattern.open.one", n = t.base, words = number_first(t.base)),
            zones => say!("rule.pattern.open.groups", n = u16::from(zones) * u16::from(t.base), zones = zones, each = t.base),
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
            Pattern::Super => Some(say!("rule.pattern.super")),
            Pattern::Ultra1 => Some(say!("rule.pattern.ultra1")),
            Pattern::Ultra2 => Some(say!("rule.pattern.ultra2")),
        });
        /// How many at once
        /// One pattern, two without a common card, or three or four Sets covering eight cards.
        multiplicity: Multiplicity = Multiplicity::Single, row("MIX-1").file_only(),
        says(Section::Claims, |t| match t.multiplicity {
            Multiplicity::Single => None,
            Multiplicity::Double => Some(say!("rule.pattern.double")),
            Multiplicity::Eight => Some(say!("rule.pattern.eight")),
        });
        /// Pairs of a SuperSET
        /// Whether the two pairs must be named.
        pairing: Grouping = Grouping::Auto, row("A-22"),
        says(Section::Claims, |t| (t.pattern == Pattern::Super && t.mechanism != Mechanism::Memory).then(|| match t.pairing {
            Grouping::Auto => say!("rule.pattern.pairs_free"),
            Grouping::Declared => say!("rule.pattern.pairs_named"),
        }));
        /// Telling Sets apart
        /// Whether the Sets of a claim must be listed one by one.
        grouping: Grouping = Grouping::Auto, row("A-29"),
        says(Section::Claims, |t| (t.multiplicity != Multiplicity::Single && t.mechanism != Mechanism::Memory).then(|| match t.grouping {
            Grouping::Auto => say!("rule.pattern.sets_free"),
            Grouping::Declared => say!("rule.pattern.sets_listed"),
        }));
        /// A fourth Set without a new card
        /// Whether it counts.
        eight_padding: EightPadding = EightPadding::Allowed, row("A-30"),
        says(Section::Claims, |t| (t.multiplicity == Multiplicity::Eight).then(|| match t.eight_padding {
            EightPadding::Allowed => say!("rule.pattern.padding"),
            EightPadding::NewCardNeeded => say!("rule.pattern.no_padding"),
        }));
        /// Where a claim's cards lie
        /// In the layout, also in the own hand, or also in the own previous Set.
        sources: Sources = Sources::Layout, row("4.1").file_only(),
        says(Section::Claims, |t| match (t.sources, t.chain_scope) {
            (Sources::Layout, _) => None,
            (Sources::Hand, _) => Some(say!("rule.pattern.from_hand")),
            (Sources::Previous, ChainScope::Own) => Some(say!("rule.pattern.chain_own")),
            (Sources::Previous, ChainScope::Table) => Some(say!("rule.pattern.chain_table")),
        });
        /// Whose previous Set
        /// The player's own, or the last one claimed by anyone.
        chain_scope: ChainScope = ChainScope::Own, row("A-19"),
        told_by("sources");
        /// Dropping the chain
        /// Whether a player who is stuck may begin anew.
        chain_break: ChainBreak = ChainBreak::Never, row("A-20"),
        says(Section::Claims, |t| (t.sources == Sources::Previous).then(|| match t.chain_break {
            ChainBreak::Never => say!("rule.pattern.chain_never"),
            ChainBreak::AfterExtraDeal => say!("rule.pattern.chain_extra"),
            ChainBreak::PenaltyPoint => say!("rule.pattern.chain_point"),
        }));
        /// Personal cards
        /// Cards dealt to each player.
        hand: u8 = 0, row("HANDS-1").from(0).to(12).file_only(),
        says(Section::Play, |t| (t.hand > 0 && t.mechanism != Mechanism::Setup).then(|| say!("rule.pattern.hand", n = t.hand, words = number(t.hand), seen = t.hand_seen())));
        /// Most personal cards
        /// More than this a player never draws.
        hand_max: u8 = 9, row("TWTY-6").from(0).to(12).file_only(),
        says(Section::Play, |t| (t.to == To::Discard).then(|| say!("rule.pattern.hand_max", n = t.hand_max, words = number(t.hand_max))));
        /// Hand refilled
        /// Whether used personal cards are replaced.
        hand_refill: bool = false, row("HANDS-3").file_only(),
        says(Section::Play, |t| (t.hand > 0 && t.races()).then(|| if t.hand_refill {
            say!("rule.pattern.refilled")
        } else {
            say!("rule.pattern.not_refilled")
        }));
        /// Who sees a hand
        /// Its owner, or everybody.
        hand_visibility: HandVisibility = HandVisibility::Private, row("A-31"),
        told_by("hand");
        /// Own cards in a claim
        /// How many of the claimed cards must be one's own, at least.
        min_personal: u8 = 0, row("A-42").from(0).to(1),
        says(Section::Claims, |t| (t.min_personal > 0 && t.hand > 0).then(|| say!("rule.pattern.min_personal")));
        /// Cards that leave
        /// All cards of a right claim, or one.
        removed: Removed = Removed::All, row("CPLX-1").file_only(),
        says(Section::Play, |t| (t.races() && t.mechanism != Mechanism::Scout).then(|| match (t.removed, t.complex_pick, t.to) {
            (Removed::One, ComplexPick::Caller, _) => say!("rule.pattern.leaves.picked"),
            (Removed::One, ComplexPick::ServerRandom, _) => say!("rule.pattern.leaves.chance"),
            (Removed::All, _, To::Collected) => say!("rule.pattern.leaves.collected"),
            (Removed::All, _, To::Discard) => say!("rule.pattern.leaves.discard"),
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
            (true, _) => say!("rule.pattern.refill.always"),
            (false, 1) => say!("rule.pattern.refill.table", n = t.base),
            (false, _) => say!("rule.pattern.refill.group", n = t.base),
        }));
        /// Who says that there is none
        /// All players agree; all agree and it is checked; or the server sees it.
        no_claim: NoClaim = NoClaim::Agree, row("A-1"),
        says(Section::NoClaim, |t| (t.races() && t.end != End::FirstNoClaimLoses).then(|| {
            let more = match (t.no_claim_action, t.zones) {
                (NoClaimAction::Replace6, _) => say!("rule.pattern.more.replace", n = t.base, words = number(t.base)),
                (_, 9) if t.ultra9_extra == 9 => say!("rule.pattern.more.nine"),
                (_, 9) => say!("rule.pattern.more.rows"),
                (_, 1) => say!("rule.pattern.more.three"),
                _ if t.ultra_extra == UltraExtra::OneEach => say!("rule.pattern.more.each"),
                _ => say!("rule.pattern.more.smallest"),
            };
            let line = match t.no_claim {
                NoClaim::Agree => say!("rule.pattern.none.agree", more = more),
                NoClaim::AgreeChecked => say!("rule.pattern.none.checked", more = more),
                NoClaim::Auto => say!("rule.pattern.none.auto", more = more),
            };
            match t.sure().filter(|_| t.votes()) {
                Some(sure) => say!("rule.pattern.none.sure", line = line, n = sure),
                None => line,
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
            say!("rule.pattern.regroup")
        } else {
            say!("rule.pattern.no_regroup")
        }));
        /// Silence is agreement after
        /// Seconds, or off.
        idle_vote_s: Lapse = Lapse::After(30), row("A-2").from(10).to(120),
        says(Section::NoClaim, |t| (t.votes()).then(|| match t.idle_vote_s.millis() {
            Some(ms) => say!("rule.pattern.idle", n = ms / 1000),
            None => say!("rule.pattern.no_idle"),
        }));
        /// A refusal holds for
        /// Seconds for which "still looking" blocks the others, or off.
        refusal_lapse_s: Lapse = Lapse::After(120), row("A-2").from(30).to(600),
        says(Section::NoClaim, |t| (t.votes()).then(|| match t.refusal_lapse_s.millis() {
            Some(ms) => say!("rule.pattern.looking", n = ms / 1000),
            None => say!("rule.pattern.looking_on"),
        }));
        /// A card is lit after
        /// Seconds without a claim where one is sure to be there.
        stuck_s: u16 = 90, row("CORE-19").from(1).to(3600),
        says(Section::NoClaim, |t| t.lights().then(|| if t.scouts() {
            say!("rule.pattern.stuck_scouts", n = t.stuck_s)
        } else {
            say!("rule.pattern.stuck", n = t.stuck_s)
        }));
        /// How a claim is made
        /// With a call before it, or by tapping the cards.
        entry: Entry = Entry::Call, row("CORE-4"),
        says(Section::Play, |t| t.races().then(|| match (t.entry, t.timeout_is_wrong) {
            (Entry::Call, wrong) => {
                let what = if t.scouts() { "seal" } else { "show" };
                match (t.call_timeout_s, wrong) {
                    (Lapse::After(n), true) => say!("rule.pattern.call.wrong", n = n, what = what),
                    (Lapse::After(n), false) => say!("rule.pattern.call.free", n = n, what = what),
                    (Lapse::Never(_), _) => say!("rule.pattern.call.open", what = what),
                }
            }
            (Entry::Tap, _) => say!("rule.pattern.tap"),
        }));
        /// Seconds for a call
        /// How long a caller has to show the cards, or off.
        call_timeout_s: Lapse = Lapse::After(5), row("A-3").from(2).to(60),
        told_by("entry");
        /// Running out is wrong
        /// Whether a call that runs out costs as much as a wrong claim.
        timeout_is_wrong: bool = true, row("A-4"),
        told_by("entry");
        /// Calls at the same time
        /// The first has it, or both show their Sets.
        tie: Tie = Tie::First, row("A-5"),
        says(Section::Play, |t| (t.races() && t.entry == Entry::Call).then(|| match t.tie {
            Tie::First => say!("rule.pattern.tie.first"),
            Tie::Shared => match t.tie_heap {
                TieHeap::SharedCards => say!("rule.pattern.tie.cards", n = t.tie_window_ms),
                TieHeap::BothSets => say!("rule.pattern.tie.sets", n = t.tie_window_ms),
            },
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
            Order::Arrival => say!("rule.pattern.order.arrival"),
            Order::PingAdjusted => say!("rule.pattern.order.sent"),
        }));
        /// A wrong claim costs
        /// Nothing, a point, or a collected Set; some games draw a card, add time or lose a card.
        penalty: Penalty = Penalty::Point, row("A-10").only_in(&["race"]),
        says(Section::Errors, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match t.penalty {
            _ if t.scouts() => say!("rule.pattern.wrong.scout"),
            _ if t.mechanism == Mechanism::Puzzle => say!("rule.pattern.wrong.counted"),
            Penalty::Seconds if t.solo() => say!("rule.pattern.wrong.seconds", n = t.wrong_penalty_s),
            _ if t.mechanism == Mechanism::Trial => say!("rule.pattern.wrong.seconds", n = t.wrong_penalty_s),
            Penalty::Point => say!("rule.pattern.wrong.point"),
            Penalty::HeapSet => say!("rule.pattern.wrong.heap"),
            Penalty::Draw => say!("rule.pattern.wrong.draw", n = t.hand_max),
            Penalty::None | Penalty::Seconds | Penalty::LoseCard => say!("rule.pattern.wrong.nothing"),
        }));
        /// Below zero
        /// Whether scores may go below zero or stop there.
        score_floor: ScoreFloor = ScoreFloor::None, row("A-9"),
        says(Section::Errors, |t| (t.mechanism == Mechanism::Race && (matches!(t.penalty, Penalty::Point | Penalty::HeapSet) || t.hints == Hints::CostPoint)).then(|| match t.score_floor {
            ScoreFloor::None => say!("rule.pattern.below"),
            ScoreFloor::Zero => say!("rule.pattern.not_below"),
        }));
        /// Locked out after a wrong claim
        /// Seconds, or until the next right claim.
        #[serde(skip_serializing_if = "Option::is_none")]
        lockout_s: Option<Lockout> = None, row("A-11").from(0).to(30).written("2"),
        says(Section::Errors, |t| (t.races() && !t.scouts()).then(|| match t.lockout() {
            Lockout::Seconds(0) => say!("rule.pattern.lockout.none"),
            Lockout::Seconds(n) => say!("rule.pattern.lockout.some", n = n, words = number(n)),
            Lockout::Until(_) => say!("rule.pattern.lockout.until"),
        }));
        /// Seconds for an error
        /// Added to the time of a trial.
        wrong_penalty_s: u16 = 10, row("TRIAL-3").from(0).to(600).only_in(&["trial"]),
        told_by("penalty");
        /// What counts
        /// Sets, claims, cards, the time, or the cards the others still hold.
        score: Score = Score::Sets, row("A-28"),
        says(Section::Score, |t| Some(match t.score {
            _ if t.mechanism == Mechanism::Setup => say!("rule.pattern.score.setup"),
            _ if t.scouts() => say!("rule.pattern.score.card"),
            _ if t.mechanism == Mechanism::Trial => say!("rule.pattern.score.trial"),
            Score::Time if t.penalty == Penalty::Seconds && t.solo() => say!("rule.pattern.score.time_errors"),
            Score::Sets if t.pattern == Pattern::Super => say!("rule.pattern.score.supersets"),
            Score::Sets => say!("rule.pattern.score.sets"),
            Score::Claims => say!("rule.pattern.score.claims"),
            Score::Cards => say!("rule.pattern.score.card"),
            Score::Time => say!("rule.pattern.score.time"),
            Score::OthersCards => say!("rule.pattern.score.others"),
        }));
        /// Single Sets at the end
        /// Whether they may be taken once no Double-Set is left.
        final_single: bool = false, row("A-28"),
        says(Section::End, |t| (t.multiplicity == Multiplicity::Double && t.races()).then(|| if t.final_single {
            say!("rule.pattern.single")
        } else {
            say!("rule.pattern.no_single")
        }));
        /// When a deal ends
        /// When the stock is empty and nobody has a claim, and so on.
        end: End = End::StockAndNoClaim, row("CORE-21").file_only(),
        says(Section::End, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match (t.end, t.trial_goal) {
            _ if t.mechanism == Mechanism::Puzzle => say!("rule.pattern.end.found"),
            (End::StockAndNoClaim, _) => if t.no_claim == NoClaim::Agree {
                say!("rule.pattern.end.stock_agreed")
            } else {
                say!("rule.pattern.end.stock")
            },
            (End::FirstNoClaimLoses, _) => say!("rule.pattern.end.lost"),
            (End::HandEmpty, _) => if t.no_claim_action == NoClaimAction::Extra3 {
                say!("rule.pattern.end.hand_or_stock")
            } else {
                say!("rule.pattern.end.hand")
            },
            (End::Goal, TrialGoal::Sets(n)) => say!("rule.pattern.end.goal", n = n, words = number(n)),
            (End::Goal, TrialGoal::Clear(_)) => say!("rule.pattern.end.clear"),
        }));
        /// Goal of a trial
        /// So many Sets, or until none is left.
        trial_goal: TrialGoal = TrialGoal::Sets(21), row("TRIAL-2").from(1).to(27).only_in(&["trial"]),
        told_by("end");
        /// Who ends a deal
        /// The server, or the players by agreement.
        end_check: EndCheck = EndCheck::Server, row("A-17"),
        says(Section::End, |t| (t.races() && t.end == End::StockAndNoClaim).then(|| match t.end_check {
            EndCheck::Server => say!("rule.pattern.end_seen"),
            EndCheck::Players => say!("rule.pattern.end_agreed"),
        }));
        /// A solitaire is won
        /// When the stock is used up and no Set is left, or when all cards are taken.
        solo_win: SoloWin = SoloWin::Exhaust, row("A-18"),
        says(Section::End, |t| (t.races() && t.players.max == 1 && t.end != End::Goal).then(|| match t.solo_win {
            SoloWin::Exhaust => say!("rule.pattern.won.exhaust"),
            SoloWin::Clear => say!("rule.pattern.won.clear"),
        }));
        /// Deals
        /// So many, from 1 to 20; as many as players; or until somebody has so many points.
        deals: Deals = Deals::EachDealer, row("A-16"),
        says(Section::Score, |t| Some(match t.deals {
            Deals::Count(1) => say!("rule.pattern.deals.one"),
            Deals::Count(n) => say!("rule.pattern.deals.some", n = n, words = number_first(n)),
            Deals::EachDealer => say!("rule.pattern.deals.dealer"),
            Deals::ToPoints(n) => say!("rule.pattern.deals.points", n = n),
            Deals::ToPointsEach(n) => say!("rule.pattern.deals.points_each", n = n),
        }));
        /// Equal top scores
        /// They share the win, or play one more deal.
        tiebreak: Tiebreak = Tiebreak::Shared, row("A-47"),
        says(Section::Score, |t| (t.players.max > 1).then(|| match t.tiebreak {
            Tiebreak::Shared => say!("rule.pattern.equal.shared"),
            Tiebreak::ExtraDeal => say!("rule.pattern.equal.deal"),
        }));
        /// The dealer
        /// Plays like everybody, or sits the deal out.
        dealer: Dealer = Dealer::Plays, row("A-15"),
        says(Section::Play, |t| (t.together() && t.players.max > 2).then(|| match t.dealer {
            Dealer::Plays => say!("rule.pattern.dealer.plays"),
            Dealer::SitsOut => say!("rule.pattern.dealer.sits_out"),
        }));
        /// How the cards are laid
        /// All at once, or one after another, calls allowed.
        deal_style: DealStyle = DealStyle::AtOnce, row("A-13"),
        says(Section::Play, |t| t.races().then(|| match t.deal_style {
            DealStyle::AtOnce => None,
            DealStyle::Progressive => Some(if t.progressive_refill {
                say!("rule.pattern.one_by_one_refill", time = seconds(t.deal_interval_ms))
            } else {
                say!("rule.pattern.one_by_one", time = seconds(t.deal_interval_ms))
            }),
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
        says(Section::Table, |t| t.races().then(|| say!("rule.pattern.settle", time = seconds(t.settle_ms))));
        /// Rows of cards
        /// 3, or 4: how the layout lies on a screen that is wide enough. It changes nothing in play.
        #[serde(skip_serializing_if = "usual_rows")]
        layout_rows: u8 = 3, row("SETT-1").from(3).to(4).only(&[3, 4]).written("3"),
        says(Section::Table, |t| (t.races() && t.zones == 1 && t.layout_rows != 3).then(|| say!("rule.pattern.rows", n = t.layout_rows, words = number(t.layout_rows))));
        /// Pause between deals
        /// Seconds, unless all are ready before.
        between_s: u16 = 30, row("Q-26").from(0).to(600),
        says(Section::Table, |t| t.more_deals().then(|| say!("rule.pattern.between", n = t.between_s)));
        /// Joining between deals
        /// Whether new players may.
        late_join: bool = true, row("LEAVE-7"),
        says(Section::Table, |t| t.more_deals().then(|| if t.late_join {
            say!("rule.pattern.late")
        } else {
            say!("rule.pattern.not_late")
        }));
        /// A dropped player's seat is kept
        /// Seconds.
        grace_s: u16 = 60, row("A-48").from(0).to(300),
        says(Section::Table, |t| (t.players.max > 1).then(|| if t.players.min > 1 {
            say!("rule.pattern.grace_most", s = t.grace_s, n = t.players.min, words = number(t.players.min))
        } else {
            say!("rule.pattern.grace", s = t.grace_s)
        }));
        /// An abandoned match ends after
        /// Seconds in which nobody acts.
        abandon_s: u16 = 300, row("Q-20").from(1).to(3600),
        says(Section::Table, |t| Some(say!("rule.pattern.abandon", n = t.abandon_s)));
        /// What was missed
        /// Shown in the replay, after each deal, or never.
        show_missed: ShowMissed = ShowMissed::Replay, row("A-49"),
        says(Section::Table, |t| t.together().then(|| match t.show_missed {
            ShowMissed::Replay => say!("rule.pattern.missed.replay"),
            ShowMissed::AfterDeal => say!("rule.pattern.missed.deal"),
            ShowMissed::Never => say!("rule.pattern.missed.never"),
        }));
        /// Hints
        /// None, for a point, or free.
        hints: Hints = Hints::Off, row("A-50"),
        says(Section::Table, |t| (t.races() || t.mechanism == Mechanism::Puzzle).then(|| match t.hints {
            Hints::Off => None,
            Hints::CostPoint if t.mechanism != Mechanism::Trial => Some(say!("rule.pattern.hint.point")),
            Hints::CostPoint | Hints::Free => Some(say!("rule.pattern.hint.free")),
        }).flatten());
        /// Seconds to scout
        /// How long the others have.
        scout_window_s: u16 = 20, row("SCOUT-7").from(1).to(600).only_in(&["scout"]),
        says(Section::Play, |t| t.scouts().then(|| say!("rule.pattern.search", n = t.scout_window_s)));
        /// Seconds to show
        /// How long a scout has to show another Set.
        show_timeout_s: u16 = 6, row("SCOUT-5").from(1).to(600).only_in(&["scout"]),
        says(Section::Play, |t| t.scouts().then(|| say!("rule.pattern.show", n = t.show_timeout_s)));
        /// A sealed find that is no Set
        /// Is found out at the end, or at once.
        seal: Seal = Seal::OpenLate, row("A-34").only_in(&["scout"]),
        says(Section::Play, |t| t.scouts().then(|| match t.seal {
            Seal::OpenLate => say!("rule.pattern.seal.late"),
            Seal::CheckAtOnce => say!("rule.pattern.seal.once"),
        }));
        /// After a failed scout
        /// The others go on, or nobody.
        scout_retry: ScoutRetry = ScoutRetry::Others, row("A-35").only_in(&["scout"]),
        says(Section::Play, |t| t.scouts().then(|| match t.scout_retry {
            ScoutRetry::Others => say!("rule.pattern.retry.others"),
            ScoutRetry::Nobody => say!("rule.pattern.retry.nobody"),
        }));
        /// Lost cards go
        /// To the heap, or under the stock.
        lost_cards: LostCards = LostCards::Heap, row("A-36").only_in(&["scout"]),
        says(Section::Errors, |t| t.scouts().then(|| match t.lost_cards {
            LostCards::Heap => say!("rule.pattern.lost.heap"),
            LostCards::UnderStock => say!("rule.pattern.lost.stock"),
        }));
        /// Cards face down
        /// The whole deck, or so many, refilled.
        memory_layout: MemoryLayout = MemoryLayout::Full(Full::Full), row("A-21").from(12).to(12).only_in(&["memory"]),
        says(Section::Play, |t| t.remembers().then(|| match t.memory_layout {
            MemoryLayout::Full(_) => say!("rule.pattern.down.all"),
            MemoryLayout::Slots(n) => say!("rule.pattern.down.some", n = n),
        }));
        /// A Set earns another turn
        /// Whether the player who found one goes on.
        extra_turn: bool = true, row("A-21").only_in(&["memory"]),
        says(Section::Play, |t| t.remembers().then(|| if t.extra_turn {
            say!("rule.pattern.right.again")
        } else {
            say!("rule.pattern.right.next")
        }));
        /// The last Set
        /// The server ends the deal, or the players declare that none is left.
        memory_end: MemoryEnd = MemoryEnd::Auto, row("A-21").only_in(&["memory"]),
        says(Section::End, |t| t.remembers().then(|| match t.memory_end {
            MemoryEnd::Auto => say!("rule.pattern.memory_auto", then = t.no_set_down()),
            MemoryEnd::Declare => say!("rule.pattern.memory_declare", then = t.no_set_down()),
        }));
        /// Cards stay up for
        /// Milliseconds, when they are no Set.
        reveal_ms: u16 = 2000, row("MEM-5").from(0).to(60000).only_in(&["memory"]),
        says(Section::Play, |t| t.remembers().then(|| say!("rule.pattern.reveal", time = seconds(t.reveal_ms))));
        /// Seconds for a card
        /// Running out ends the turn.
        flip_timeout_s: u16 = 15, row("MEM-6").from(1).to(600).only_in(&["memory"]),
        says(Section::Play, |t| t.remembers().then(|| match t.flip_on_timeout {
            FlipOnTimeout::EndTurn => say!("rule.pattern.flip.ends", n = t.flip_timeout_s),
            FlipOnTimeout::Random => say!("rule.pattern.flip.chance", n = t.flip_timeout_s),
        }));
        /// When they run out
        /// The turn ends, or chance turns the rest up.
        flip_on_timeout: FlipOnTimeout = FlipOnTimeout::EndTurn, row("Q-19").only_in(&["memory"]),
        told_by("flip_timeout_s");
        /// Seconds to challenge
        /// The next player may not play before, unless all have passed.
        window_min_s: u16 = 5, row("A-37").from(0).to(30).only_in(&["setup"]),
        says(Section::Play, |t| t.sets_up().then(|| say!("rule.pattern.challenge", n = t.window_min_s)));
        /// Seconds to challenge the last card
        /// After it nobody plays any more.
        window_last_s: u16 = 10, row("SETUP-7").from(0).to(600).only_in(&["setup"]),
        says(Section::Play, |t| t.sets_up().then(|| say!("rule.pattern.challenge_last", n = t.window_last_s)));
        /// Seconds for a turn
        /// Then the card held longest is played.
        turn_timeout_s: u16 = 45, row("A-37").from(10).to(120).only_in(&["setup"]),
        says(Section::Play, |t| t.sets_up().then(|| say!("rule.pattern.turn", n = t.turn_timeout_s)));
        /// A false challenge costs
        /// The right to challenge this card, nothing, or one card from the stock.
        false_challenge: FalseChallenge = FalseChallenge::Lockout, row("A-38").only_in(&["setup"]),
        says(Section::Errors, |t| t.sets_up().then(|| match t.false_challenge {
            FalseChallenge::Lockout => say!("rule.pattern.false.lockout"),
            FalseChallenge::None => say!("rule.pattern.false.none"),
            FalseChallenge::TakeOne => say!("rule.pattern.false.one"),
        }));
        /// Sets in the puzzle
        /// How many its layout holds.
        puzzle_sets: u8 = 6, row("DAILY-1").from(1).to(14).file_only(),
        told_by("mechanism");
    }
}

/// Records of matches that lie as most do are written as before there was a choice.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn usual_rows(rows: &u8) -> bool {
    *rows == Rules::default().layout_rows
}
