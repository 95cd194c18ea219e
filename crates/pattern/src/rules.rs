//! The whole rule set of one match of the family, as plain data (rulebook, sections 3 and 4.1).
//!
//! A preset is these fields in a TOML file; the field names are the option names of the rulebook. Every field has a
//! default, which is `set-classic`'s.

use cards::{Deck, Point};
use game::Refusal;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),+ $(,)? }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
        $(#[$meta])*
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[$doc])* $variant),+ }
    };
}

words! {
    /// How the game is played (4.1).
    Mechanism {
        /// M1: simultaneous claims on an open layout.
        Race,
        /// M2: a race whose claim is sealed, then searched by the others.
        Scout,
        /// M3: in turn, face-down slots.
        Memory,
        /// M4: in turn, cards placed from a hand, avoiding Sets.
        Setup,
        /// M5: a fixed layout in which all Sets are to be found.
        Puzzle,
        /// TRIAL-4: the same race for everybody, each on a board of their own.
        Trial,
    }
}
words! {
    /// What a group of cards must be (1.3).
    #[schemars(rename = "PatternKind")]
    Pattern {
        /// PAT-SET.
        Set,
        /// PAT-SUPER: two pairs with one third card.
        Super,
        /// PAT-ULTRA(1): a Set in one group or in three.
        Ultra1,
        /// PAT-ULTRA(2): a Set in the 3x3 square of groups.
        Ultra2,
    }
}
words! {
    /// How many patterns make a claim.
    Multiplicity {
        /// One.
        Single,
        /// PAT-DOUBLE: two that share no card.
        Double,
        /// PAT-EIGHT: three or four Sets covering at least eight cards.
        Eight,
    }
}
words! {
    /// Where the cards of a claim may lie.
    #[schemars(rename = "ClaimSources")]
    Sources {
        /// In the layout alone.
        Layout,
        /// In the layout and the own hand, in any mix (HANDS-2, TWTY-3).
        Hand,
        /// In the layout, and one in the own previous Set (CHAIN-3).
        Previous,
    }
}
words! {
    /// Which cards of a right claim leave the layout.
    #[schemars(rename = "RemovedCards")]
    Removed {
        /// All of them.
        All,
        /// One, chosen by the caller (CPLX-1).
        One,
    }
}
words! {
    /// Where they go.
    #[schemars(rename = "ClaimedTo")]
    To {
        /// To the player's collected cards.
        Collected,
        /// To a common discard pile (TWTY-4).
        Discard,
    }
}
words! {
    /// what follows when nobody can claim.
    NoClaimAction {
        /// Three more cards (CORE-18).
        Extra3,
        /// The layout is replaced (TWTY-12).
        Replace6,
    }
}
words! {
    /// who decides that there is no claim.
    NoClaim {
        /// All players agree, unchecked (CORE-15).
        Agree,
        /// All players agree, and it is checked (CORE-16).
        AgreeChecked,
        /// The server (CORE-16).
        Auto,
    }
}
words! {
    /// How a claim is made.
    #[schemars(rename = "ClaimEntry")]
    Entry {
        /// With a call before it (CORE-4).
        Call,
        /// The claim is itself the action (CORE-7).
        Tap,
    }
}
words! {
    /// simultaneous calls.
    #[schemars(rename = "CallTie")]
    Tie {
        /// The earliest wins (CORE-9).
        First,
        /// Both show their Sets (SETT-6).
        Shared,
    }
}
words! {
    /// what goes to the heap when tied Sets share a card.
    TieHeap {
        /// The shared cards.
        SharedCards,
        /// All cards of both Sets.
        BothSets,
    }
}
words! {
    /// what a wrong claim costs.
    #[schemars(rename = "ClaimPenalty")]
    Penalty {
        /// Nothing but the lockout.
        None,
        /// One point.
        Point,
        /// One point, paid with a collected Set if one is held (SETT-5).
        HeapSet,
        /// A personal card is drawn (TWTY-5).
        Draw,
        /// `wrong_penalty_s` more on the clock (TRIAL-3).
        Seconds,
        /// A collected card is lost and the finder is frozen (SCOUT-8).
        LoseCard,
    }
}
words! {
    /// how far penalties may go.
    ScoreFloor {
        /// Below zero.
        None,
        /// Not below zero.
        Zero,
    }
}
words! {
    /// What is counted.
    #[schemars(rename = "ScoreUnit")]
    Score {
        /// The Sets of a claim.
        Sets,
        /// One for each claim.
        Claims,
        /// The cards collected.
        Cards,
        /// The Sets, and beside them the time.
        Time,
        /// The personal cards that the others still hold (TWTY-8).
        OthersCards,
    }
}
words! {
    /// When a deal ends.
    #[schemars(rename = "DealEndRule")]
    End {
        /// The stock is empty and nobody has a claim (CORE-21).
        StockAndNoClaim,
        /// The first time the layout holds no claim the player has lost (SOLO-2).
        FirstNoClaimLoses,
        /// Somebody has no personal cards (TWTY-8).
        HandEmpty,
        /// `trial_goal` is reached (TRIAL-2).
        Goal,
    }
}
words! {
    /// whether the dealer takes part.
    #[schemars(rename = "DealerPart")]
    Dealer {
        /// Like everybody (SET-9).
        Plays,
        /// Neither calls nor votes, at three seats or more (SETT-2).
        SitsOut,
    }
}
words! {
    /// how the layout is dealt.
    DealStyle {
        /// All at once.
        AtOnce,
        /// One card at a time; calls are legal meanwhile (SETW-1).
        Progressive,
    }
}
words! {
    /// who finds that the last claim is gone.
    EndCheck {
        /// The server.
        Server,
        /// The players, by agreement.
        Players,
    }
}
words! {
    /// what a solo win is.
    SoloWin {
        /// The stock is empty and no Set is left.
        Exhaust,
        /// All cards are taken.
        Clear,
    }
}
words! {
    /// whose previous Set must be linked to.
    ChainScope {
        /// The player's own.
        Own,
        /// The last Set claimed by anyone.
        Table,
    }
}
words! {
    /// how a player may drop the chain.
    ChainBreak {
        /// Not at all.
        Never,
        /// After an extra deal the next claim may be an ordinary Set.
        AfterExtraDeal,
        /// An ordinary Set may always be claimed, at the cost of one point.
        PenaltyPoint,
    }
}
words! {
    /// whether pairs or Sets must be told apart in a claim.
    Grouping {
        /// The server finds the split.
        Auto,
        /// The claim declares it.
        Declared,
    }
}
words! {
    /// where the extra cards of three groups go.
    UltraExtra {
        /// One to each group (ULTRA-4).
        OneEach,
        /// Each to the group that has fewest.
        ToSmallest,
    }
}
words! {
    /// whether a listed Set may add no card to the others.
    EightPadding {
        /// Yes.
        Allowed,
        /// Each Set must cover a card that the Sets before it do not.
        NewCardNeeded,
    }
}
words! {
    /// who sees a hand.
    HandVisibility {
        /// Its owner (HANDS-4).
        Private,
        /// Everybody (TWTY-11).
        Public,
    }
}
words! {
    /// who picks the card that leaves.
    ComplexPick {
        /// The caller (CPLX-2).
        Caller,
        /// Chance.
        ServerRandom,
    }
}
words! {
    /// when a sealed non-Set is found out.
    #[schemars(rename = "SealCheck")]
    Seal {
        /// When it is resolved (SCOUT-9).
        OpenLate,
        /// At once: SCOUT-8 applies and nobody searches.
        CheckAtOnce,
    }
}
words! {
    /// whether the others go on after a failed scout.
    ScoutRetry {
        /// Yes (SCOUT-6).
        Others,
        /// No: the Set is opened.
        Nobody,
    }
}
words! {
    /// where lost cards go.
    LostCards {
        /// To the heap (SCOUT-10).
        Heap,
        /// Under the stock.
        UnderStock,
    }
}
words! {
    /// what a false challenge costs.
    FalseChallenge {
        /// A lockout for this card (SETUP-8).
        Lockout,
        /// Nothing.
        None,
        /// One penalty card from the stock.
        TakeOne,
    }
}
words! {
    /// how the end of a memory deal is found.
    MemoryEnd {
        /// The server sees it (MEM-8).
        Auto,
        /// The players declare it (MEM-10, Q-19).
        Declare,
    }
}
words! {
    /// what happens when the clock for a card runs out.
    FlipOnTimeout {
        /// The turn ends.
        EndTurn,
        /// What is missing is turned up by chance and judged.
        Random,
    }
}
words! {
    /// equal top scores.
    Tiebreak {
        /// A shared win.
        Shared,
        /// One more deal.
        ExtraDeal,
    }
}
words! {
    /// when missed claims are shown.
    ShowMissed {
        /// In the replay.
        Replay,
        /// After each deal.
        AfterDeal,
        /// Not at all.
        Never,
    }
}
words! {
    /// hints on request.
    Hints {
        /// None.
        Off,
        /// One card of a claim, for one point.
        CostPoint,
        /// One card of a claim, for nothing.
        Free,
    }
}
words! {
    /// how acts that race are ordered (CORE-2). The table sees to it.
    #[schemars(rename = "RaceOrder")]
    Order {
        /// By arrival.
        Arrival,
        /// By arrival less half the round trip.
        PingAdjusted,
    }
}
words! {
    /// A feature of a card, in the order of its code (CARD-1).
    Feature {
        /// First digit.
        Number,
        /// Second digit.
        Colour,
        /// Third digit.
        Shading,
        /// Fourth digit.
        Symbol,
        /// Fifth digit, `d243` only.
        Background,
    }
}

impl Feature {
    /// All, in the order of the code.
    pub const ALL: [Feature; 5] =
        [Feature::Number, Feature::Colour, Feature::Shading, Feature::Symbol, Feature::Background];

    /// Its name in English.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Feature::Number => "number",
            Feature::Colour => "colour",
            Feature::Shading => "shading",
            Feature::Symbol => "symbol",
            Feature::Background => "background",
        }
    }
}

words! {
    /// The word `off`.
    #[schemars(rename = "WordOff")]
    Off {
        /// Off.
        Off,
    }
}

/// A time after which something lapses, in seconds, or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "LapseSeconds")]
#[serde(untagged, expecting = "write a number of seconds, or \"off\"")]
pub enum Lapse {
    /// After so many seconds.
    After(u16),
    /// Never.
    Never(Off),
}

impl Lapse {
    /// Never.
    pub const OFF: Lapse = Lapse::Never(Off::Off);

    /// In milliseconds, unless off.
    #[must_use]
    pub const fn millis(self) -> Option<u32> {
        match self {
            Lapse::After(seconds) => Some(seconds as u32 * 1000),
            Lapse::Never(_) => None,
        }
    }
}

words! {
    /// The words `until_next_claim`.
    #[schemars(rename = "WordUntilNextClaim")]
    UntilNextClaim {
        /// Until somebody's claim is right.
        UntilNextClaim,
    }
}

/// how long a wrong caller may not call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "write a number of seconds from 0 to 30, or \"until_next_claim\"")]
pub enum Lockout {
    /// So many seconds.
    Seconds(u16),
    /// Until the next right claim (Q-18 says when else it ends).
    Until(UntilNextClaim),
}

impl Lockout {
    /// Until the next right claim.
    pub const UNTIL_NEXT_CLAIM: Lockout = Lockout::Until(UntilNextClaim::UntilNextClaim);
}

words! {
    /// The word `clear`.
    #[schemars(rename = "WordClear")]
    Clear {
        /// Until no claim is left.
        Clear,
    }
}

/// TRIAL-2: what a trial is run for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "write a number of Sets, or \"clear\"")]
pub enum TrialGoal {
    /// So many Sets.
    Sets(u16),
    /// Until none is left.
    Clear(Clear),
}

words! {
    /// The word `full`.
    #[schemars(rename = "WordFull")]
    Full {
        /// The whole deck.
        Full,
    }
}

/// how many cards lie face down at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(untagged, expecting = "write \"full\" or 12")]
pub enum MemoryLayout {
    /// So many, refilled from the stock.
    Slots(u8),
    /// The whole deck.
    Full(Full),
}

/// how many deals a match has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deals {
    /// So many. Written as a number.
    Count(u16),
    /// One for each player as dealer (SET-8). Written `each_dealer`.
    EachDealer,
    /// Until somebody has so many points. Written `to_points(50)`.
    ToPoints(u16),
    /// Until somebody has so many points for each player at the start (TWTY-10). Written `to_points(10 x players)`.
    ToPointsEach(u16),
}

impl std::fmt::Display for Deals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Deals::Count(n) => write!(f, "{n}"),
            Deals::EachDealer => write!(f, "each_dealer"),
            Deals::ToPoints(n) => write!(f, "to_points({n})"),
            Deals::ToPointsEach(n) => write!(f, "to_points({n} x players)"),
        }
    }
}

impl std::str::FromStr for Deals {
    type Err = String;
    fn from_str(text: &str) -> Result<Deals, String> {
        let fault = || {
            format!(
                "`{text}` is no number of deals: write a number, \"each_dealer\", \"to_points(50)\" or \"to_points(10 x players)\""
            )
        };
        if text == "each_dealer" {
            return Ok(Deals::EachDealer);
        }
        if let Ok(n) = text.parse() {
            return Ok(Deals::Count(n));
        }
        let inner = text
            .strip_prefix("to_points")
            .map(str::trim)
            .and_then(|t| t.strip_prefix('(')?.strip_suffix(')'))
            .ok_or_else(fault)?;
        match inner.split_once('x') {
            None => inner.trim().parse().map(Deals::ToPoints).map_err(|_| fault()),
            Some((n, players)) if players.trim() == "players" => {
                n.trim().parse().map(Deals::ToPointsEach).map_err(|_| fault())
            }
            Some(_) => Err(fault()),
        }
    }
}

impl Serialize for Deals {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Deals::Count(n) => serializer.serialize_u16(*n),
            other => serializer.collect_str(other),
        }
    }
}

/// A number or a text, for fields that are written as either.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
enum NumberOrText {
    Number(u16),
    Text(String),
}

impl<'de> Deserialize<'de> for Deals {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Deals, D::Error> {
        match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Number(n) => Ok(Deals::Count(n)),
            NumberOrText::Text(text) => text.parse().map_err(serde::de::Error::custom),
        }
    }
}

impl schemars::JsonSchema for Deals {
    fn schema_name() -> Cow<'static, str> {
        "Deals".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        NumberOrText::json_schema(generator)
    }
}

/// which feature the small deck has fixed, and at which value. Written `shading`, or `shading = 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MiniFixed {
    /// Which feature.
    pub feature: Feature,
    /// Its value, 0 to 2.
    pub value: u8,
}

impl std::fmt::Display for MiniFixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            0 => write!(f, "{}", self.feature.name()),
            value => write!(f, "{} = {value}", self.feature.name()),
        }
    }
}

impl std::str::FromStr for MiniFixed {
    type Err = String;
    fn from_str(text: &str) -> Result<MiniFixed, String> {
        let word_end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (word, value) = text.split_at(word_end);
        let value = value.trim_matches(|c: char| " =:()".contains(c));
        let feature = Feature::ALL[..4].iter().find(|f| f.name() == word);
        let value = if value.is_empty() { Some(0) } else { value.parse().ok().filter(|v| *v < 3) };
        match (feature, value) {
            (Some(&feature), Some(value)) => Ok(MiniFixed { feature, value }),
            _ => Err(format!(
                "`{text}` is no feature to fix: write number, colour, shading or symbol, with `= 1` or `= 2` for another value than 0"
            )),
        }
    }
}

impl Serialize for MiniFixed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MiniFixed {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<MiniFixed, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl schemars::JsonSchema for MiniFixed {
    fn schema_name() -> Cow<'static, str> {
        "MiniFixed".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        String::json_schema(generator)
    }
}

/// For how many people a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PlayerRange")]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// Fewest seats.
    pub min: u8,
    /// Most seats, at most 12.
    pub max: u8,
}

/// The whole rule set of one match. Times end in `_ms` (milliseconds) or `_s` (seconds).
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(rename = "PatternRules")]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// How the game is played (4.1).
    pub mechanism: Mechanism,
    /// For how many people.
    pub players: Players,
    /// Which cards (1.2).
    pub deck: Deck,
    /// what `d27` has fixed.
    pub mini_fixed: MiniFixed,
    /// Zones of the layout: 1, 3 (ultra) or 9 (3x3).
    pub zones: u8,
    /// Cards a zone is normally kept at.
    pub base: u8,
    /// What is claimed.
    pub pattern: Pattern,
    /// How many of it at once.
    pub multiplicity: Multiplicity,
    /// whether the pairs of a SuperSET must be named.
    pub pairing: Grouping,
    /// A-29, DBL-3: whether the Sets of a claim must be told apart.
    pub grouping: Grouping,
    ///
    pub eight_padding: EightPadding,
    /// Where claimed cards may lie.
    pub sources: Sources,
    ///
    pub chain_scope: ChainScope,
    ///
    pub chain_break: ChainBreak,
    /// Personal cards dealt to each player.
    pub hand: u8,
    /// Most personal cards a player may come to hold (TWTY-6).
    pub hand_max: u8,
    /// Whether used hand cards are replaced (HANDS-3).
    pub hand_refill: bool,
    ///
    pub hand_visibility: HandVisibility,
    /// personal cards that a claim must hold, 0 or 1.
    pub min_personal: u8,
    /// Which claimed cards leave.
    pub removed: Removed,
    ///
    pub complex_pick: ComplexPick,
    /// Where they go.
    pub to: To,
    ///
    pub refill_above_base: bool,
    ///
    pub no_claim: NoClaim,
    ///
    pub no_claim_action: NoClaimAction,
    ///
    pub ultra_extra: UltraExtra,
    /// 3 or 9.
    pub ultra9_extra: u8,
    ///
    pub regroup_at_end: bool,
    /// silence counts as agreement after this; `off` or 10 to 120.
    pub idle_vote_s: Lapse,
    /// a refusal holds so long; `off` or 30 to 600.
    pub refusal_lapse_s: Lapse,
    /// CORE-19: after this long without a claim a card is lit where flags are refused.
    pub stuck_s: u16,
    /// How a claim is made.
    pub entry: Entry,
    /// 2 to 60.
    pub call_timeout_s: u16,
    ///
    pub timeout_is_wrong: bool,
    ///
    pub tie: Tie,
    /// 0 to 500.
    pub tie_window_ms: u16,
    ///
    pub tie_heap: TieHeap,
    ///
    pub order: Order,
    ///
    pub penalty: Penalty,
    ///
    pub score_floor: ScoreFloor,
    /// 0 to 30; left out, it is 2, or 3 without a penalty ([`Rules::lockout`]).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lockout_s: Option<Lockout>,
    /// TRIAL-3: seconds added for each error.
    pub wrong_penalty_s: u16,
    /// What is counted.
    pub score: Score,
    /// whether single Sets may be taken once no Double-Set is left.
    pub final_single: bool,
    /// When a deal ends.
    pub end: End,
    /// TRIAL-2.
    pub trial_goal: TrialGoal,
    ///
    pub end_check: EndCheck,
    ///
    pub solo_win: SoloWin,
    ///
    pub deals: Deals,
    ///
    pub tiebreak: Tiebreak,
    ///
    pub dealer: Dealer,
    ///
    pub deal_style: DealStyle,
    /// 200 to 3000.
    pub deal_interval_ms: u16,
    ///
    pub progressive_refill: bool,
    /// CORE-14: calls open so long after the last card lies.
    pub settle_ms: u16,
    /// the next deal starts by itself after this.
    pub between_s: u16,
    /// LEAVE-7, Q-26.
    pub late_join: bool,
    /// 0 to 300.
    pub grace_s: u16,
    ///
    pub abandon_s: u16,
    ///
    pub show_missed: ShowMissed,
    ///
    pub hints: Hints,
    /// SCOUT-7.
    pub scout_window_s: u16,
    /// SCOUT-5.
    pub show_timeout_s: u16,
    ///
    pub seal: Seal,
    ///
    pub scout_retry: ScoutRetry,
    ///
    pub lost_cards: LostCards,
    ///
    pub memory_layout: MemoryLayout,
    /// A-21, MEM-4.
    pub extra_turn: bool,
    /// A-21, MEM-10.
    pub memory_end: MemoryEnd,
    /// MEM-5.
    pub reveal_ms: u16,
    /// MEM-6.
    pub flip_timeout_s: u16,
    ///
    pub flip_on_timeout: FlipOnTimeout,
    /// 0 to 30.
    pub window_min_s: u16,
    /// SETUP-7.
    pub window_last_s: u16,
    /// 10 to 120.
    pub turn_timeout_s: u16,
    ///
    pub false_challenge: FalseChallenge,
    /// DAILY-1, DAILY-5: how many Sets a puzzle's layout holds.
    pub puzzle_sets: u8,
}

impl Default for Rules {
    /// `set-classic`, and the other defaults of 4.2.
    fn default() -> Rules {
        Rules {
            mechanism: Mechanism::Race,
            players: Players { min: 2, max: 12 },
            deck: Deck::D81,
            mini_fixed: MiniFixed { feature: Feature::Shading, value: 0 },
            zones: 1,
            base: 12,
            pattern: Pattern::Set,
            multiplicity: Multiplicity::Single,
            pairing: Grouping::Auto,
            grouping: Grouping::Auto,
            eight_padding: EightPadding::Allowed,
            sources: Sources::Layout,
            chain_scope: ChainScope::Own,
            chain_break: ChainBreak::Never,
            hand: 0,
            hand_max: 9,
            hand_refill: false,
            hand_visibility: HandVisibility::Private,
            min_personal: 0,
            removed: Removed::All,
            complex_pick: ComplexPick::Caller,
            to: To::Collected,
            refill_above_base: false,
            no_claim: NoClaim::Agree,
            no_claim_action: NoClaimAction::Extra3,
            ultra_extra: UltraExtra::OneEach,
            ultra9_extra: 3,
            regroup_at_end: false,
            idle_vote_s: Lapse::After(30),
            refusal_lapse_s: Lapse::After(120),
            stuck_s: 90,
            entry: Entry::Call,
            call_timeout_s: 5,
            timeout_is_wrong: true,
            tie: Tie::First,
            tie_window_ms: 150,
            tie_heap: TieHeap::SharedCards,
            order: Order::Arrival,
            penalty: Penalty::Point,
            score_floor: ScoreFloor::None,
            lockout_s: None,
            wrong_penalty_s: 10,
            score: Score::Sets,
            final_single: false,
            end: End::StockAndNoClaim,
            trial_goal: TrialGoal::Sets(21),
            end_check: EndCheck::Server,
            solo_win: SoloWin::Exhaust,
            deals: Deals::EachDealer,
            tiebreak: Tiebreak::Shared,
            dealer: Dealer::Plays,
            deal_style: DealStyle::AtOnce,
            deal_interval_ms: 700,
            progressive_refill: false,
            settle_ms: 400,
            between_s: 30,
            late_join: true,
            grace_s: 60,
            abandon_s: 300,
            show_missed: ShowMissed::Replay,
            hints: Hints::Off,
            scout_window_s: 20,
            show_timeout_s: 6,
            seal: Seal::OpenLate,
            scout_retry: ScoutRetry::Others,
            lost_cards: LostCards::Heap,
            memory_layout: MemoryLayout::Full(Full::Full),
            extra_turn: true,
            memory_end: MemoryEnd::Auto,
            reveal_ms: 2000,
            flip_timeout_s: 15,
            flip_on_timeout: FlipOnTimeout::EndTurn,
            window_min_s: 5,
            window_last_s: 10,
            turn_timeout_s: 45,
            false_challenge: FalseChallenge::Lockout,
            puzzle_sets: 6,
        }
    }
}

/// Something that makes a rule set unplayable (4.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Rule ids that forbid it.
    pub rules: &'static [&'static str],
    /// The options that clash.
    pub options: &'static [&'static str],
    /// Why, and what would be right.
    pub text: String,
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Refusal {
        Refusal::new(fault.rules, fault.text)
    }
}

impl Rules {
    /// Whether the deck of these rules holds `card`.
    #[must_use]
    pub fn holds(&self, card: Point) -> bool {
        match self.deck {
            Deck::D27 => self.digit(card, self.mini_fixed.feature) == self.mini_fixed.value,
            deck => usize::from(card.0) < deck.size(),
        }
    }

    /// The deck, codes ascending.
    pub fn cards(&self) -> impl Iterator<Item = Point> + '_ {
        (0..self.deck.points()).map(|i| Point(i as u8)).filter(|&c| self.holds(c))
    }

    /// The same as a list.
    #[must_use]
    pub fn pack(&self) -> Vec<Point> {
        match self.deck {
            Deck::D27 => self.cards().collect(),
            // Every number is a card: none is asked for.
            deck => (0..deck.size()).map(|i| Point(i as u8)).collect(),
        }
    }

    /// The digit of a card's code for a feature, 0 to 2.
    ///
    /// # Panics
    /// If the deck has no such feature.
    #[must_use]
    pub fn digit(&self, card: Point, feature: Feature) -> u8 {
        let place = self.deck.digits() - 1 - feature as usize;
        card.0 / [1, 3, 9, 27, 81][place] % 3
    }

    /// Whether the game is for one (SOLO-1, TRIAL-1).
    #[must_use]
    pub const fn solo(&self) -> bool {
        self.players.max == 1
    }

    /// how long a wrong caller may not call.
    #[must_use]
    pub fn lockout(&self) -> Lockout {
        self.lockout_s.unwrap_or(Lockout::Seconds(if self.penalty == Penalty::None { 3 } else { 2 }))
    }

    /// Whether hands are there and hidden from the others.
    #[must_use]
    pub fn private_hands(&self) -> bool {
        self.hand > 0 && self.hand_visibility == HandVisibility::Private
    }

    /// The rules as `seats` play them: a race alone is practice, where the server watches and no call is made.
    #[must_use]
    pub fn seated(&self, seats: u8) -> Cow<'_, Rules> {
        let race = self.mechanism == Mechanism::Race && self.sources != Sources::Hand;
        if seats == 1 && self.players.min > 1 && race {
            let players = Players { min: 1, ..self.players };
            let alone = Rules {
                players,
                no_claim: NoClaim::Auto,
                entry: Entry::Tap,
                tie: Tie::First,
                ..self.clone()
            };
            Cow::Owned(alone)
        } else {
            Cow::Borrowed(self)
        }
    }

    /// The rules after the two parts of the quick deck are joined: `set-classic`'s deck and layout (QUICK-4).
    #[must_use]
    pub fn graduated(&self) -> Rules {
        Rules { deck: Deck::D81, base: Rules::default().base, ..self.clone() }
    }

    /// From how many cards of the layout a claim is certain, so that flags are refused (4.3); none if from no number.
    #[must_use]
    pub fn layout_max(&self) -> Option<u16> {
        use Multiplicity::{Double, Eight, Single};
        match (self.pattern, self.multiplicity, self.deck, self.sources) {
            (Pattern::Set, Single, Deck::D81, Sources::Previous) => Some(41),
            (Pattern::Set, Single, Deck::D81, Sources::Hand) if self.min_personal > 0 => None,
            (Pattern::Set, Single, Deck::D81, _) => Some(21),
            (_, _, _, Sources::Previous | Sources::Hand) => None,
            (Pattern::Set, Single, Deck::D27, _) => Some(10),
            (Pattern::Set, Single, Deck::D243, _) => Some(46),
            (Pattern::Super, Single, Deck::D81, _) => Some(10),
            (Pattern::Set, Double | Eight, Deck::D81, _) => Some(22),
            (Pattern::Set, Double, Deck::D27, _) => Some(11),
            (Pattern::Ultra1, Single, Deck::D81, _) => Some(46),
            _ => None,
        }
    }
}
