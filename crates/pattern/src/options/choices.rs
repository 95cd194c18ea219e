//! The values that options may have.

use game::choices;
use game::option::{OptionType, Setting};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

choices! {
    /// How the game is played (4.1).
    Mechanism {
        /// M1: simultaneous claims on an open layout.
        Race = "race",
        /// M2: a race whose claim is sealed, then searched by the others.
        Scout = "scout",
        /// M3: in turn, face-down slots.
        Memory = "memory",
        /// M4: in turn, cards placed from a hand, avoiding Sets.
        Setup = "setup",
        /// M5: a fixed layout in which all Sets are to be found.
        Puzzle = "puzzle",
        /// TRIAL-4: the same race for everybody, each on a board of their own.
        Trial = "trial",
    }
}
choices! {
    /// What a group of cards must be (1.3).
    #[schemars(rename = "PatternKind")]
    Pattern {
        /// PAT-SET.
        Set = "set",
        /// PAT-SUPER: two pairs with one third card.
        Super = "super",
        /// PAT-ULTRA(1): a Set in one group or in three.
        Ultra1 = "ultra1",
        /// PAT-ULTRA(2): a Set in the 3x3 square of groups.
        Ultra2 = "ultra2",
    }
}
choices! {
    /// How many patterns make a claim.
    Multiplicity {
        /// One.
        Single = "single",
        /// PAT-DOUBLE: two that share no card.
        Double = "double",
        /// PAT-EIGHT: three or four Sets covering at least eight cards.
        Eight = "eight",
    }
}
choices! {
    /// Where the cards of a claim may lie.
    #[schemars(rename = "ClaimSources")]
    Sources {
        /// In the layout alone.
        Layout = "layout",
        /// In the layout and the own hand, in any mix (HANDS-2, TWTY-3).
        Hand = "hand",
        /// In the layout, and one in the own previous Set (CHAIN-3).
        Previous = "previous",
    }
}
choices! {
    /// Which cards of a right claim leave the layout.
    #[schemars(rename = "RemovedCards")]
    Removed {
        /// All of them.
        All = "all",
        /// One, chosen by the caller (CPLX-1).
        One = "one",
    }
}
choices! {
    /// Where they go.
    #[schemars(rename = "ClaimedTo")]
    To {
        /// To the player's collected cards.
        Collected = "collected",
        /// To a common discard pile (TWTY-4).
        Discard = "discard",
    }
}
choices! {
    /// what follows when nobody can claim.
    NoClaimAction {
        /// Three more cards (CORE-18).
        Extra3 = "extra3",
        /// The layout is replaced (TWTY-12).
        Replace6 = "replace6",
    }
}
choices! {
    /// who decides that there is no claim.
    NoClaim {
        /// All players agree, unchecked (CORE-15).
        Agree = "agree",
        /// All players agree, and it is checked (CORE-16).
        AgreeChecked = "agree_checked",
        /// The server (CORE-16).
        Auto = "auto",
    }
}
choices! {
    /// How a claim is made.
    #[schemars(rename = "ClaimEntry")]
    Entry {
        /// With a call before it (CORE-4).
        Call = "call",
        /// The claim is itself the action (CORE-7).
        Tap = "tap",
    }
}
choices! {
    /// simultaneous calls.
    #[schemars(rename = "CallTie")]
    Tie {
        /// The earliest wins (CORE-9).
        First = "first",
        /// Both show their Sets (SETT-6).
        Shared = "shared",
    }
}
choices! {
    /// what goes to the heap when tied Sets share a card.
    TieHeap {
        /// The shared cards.
        SharedCards = "shared_cards",
        /// All cards of both Sets.
        BothSets = "both_sets",
    }
}
choices! {
    /// what a wrong claim costs.
    #[schemars(rename = "ClaimPenalty")]
    Penalty {
        /// Nothing but the lockout.
        None = "none",
        /// One point.
        Point = "point",
        /// One point, paid with a collected Set if one is held (SETT-5).
        HeapSet = "heap_set",
        /// A personal card is drawn (TWTY-5).
        Draw = "draw",
        /// `wrong_penalty_s` more on the clock (TRIAL-3).
        Seconds = "seconds",
        /// A collected card is lost and the finder is frozen (SCOUT-8).
        LoseCard = "lose_card",
    }
}
choices! {
    /// how far penalties may go.
    ScoreFloor {
        /// Below zero.
        None = "none",
        /// Not below zero.
        Zero = "zero",
    }
}
choices! {
    /// What is counted.
    #[schemars(rename = "ScoreUnit")]
    Score {
        /// The Sets of a claim.
        Sets = "sets",
        /// One for each claim.
        Claims = "claims",
        /// The cards collected.
        Cards = "cards",
        /// The Sets, and beside them the time.
        Time = "time",
        /// The personal cards that the others still hold (TWTY-8).
        OthersCards = "others_cards",
    }
}
choices! {
    /// When a deal ends.
    #[schemars(rename = "DealEndRule")]
    End {
        /// The stock is empty and nobody has a claim (CORE-21).
        StockAndNoClaim = "stock_and_no_claim",
        /// The first time the layout holds no claim the player has lost (SOLO-2).
        FirstNoClaimLoses = "first_no_claim_loses",
        /// Somebody has no personal cards (TWTY-8).
        HandEmpty = "hand_empty",
        /// `trial_goal` is reached (TRIAL-2).
        Goal = "goal",
    }
}
choices! {
    /// whether the dealer takes part.
    #[schemars(rename = "DealerPart")]
    Dealer {
        /// Like everybody (SET-9).
        Plays = "plays",
        /// Neither calls nor votes, at three seats or more (SETT-2).
        SitsOut = "sits_out",
    }
}
choices! {
    /// how the layout is dealt.
    DealStyle {
        /// All at once.
        AtOnce = "at_once",
        /// One card at a time; calls are legal meanwhile (SETW-1).
        Progressive = "progressive",
    }
}
choices! {
    /// who finds that the last claim is gone.
    EndCheck {
        /// The server.
        Server = "server",
        /// The players, by agreement.
        Players = "players",
    }
}
choices! {
    /// what a solo win is.
    SoloWin {
        /// The stock is empty and no Set is left.
        Exhaust = "exhaust",
        /// All cards are taken.
        Clear = "clear",
    }
}
choices! {
    /// whose previous Set must be linked to.
    ChainScope {
        /// The player's own.
        Own = "own",
        /// The last Set claimed by anyone.
        Table = "table",
    }
}
choices! {
    /// how a player may drop the chain.
    ChainBreak {
        /// Not at all.
        Never = "never",
        /// After an extra deal the next claim may be an ordinary Set.
        AfterExtraDeal = "after_extra_deal",
        /// An ordinary Set may always be claimed, at the cost of one point.
        PenaltyPoint = "penalty_point",
    }
}
choices! {
    /// whether pairs or Sets must be told apart in a claim.
    Grouping {
        /// The server finds the split.
        Auto = "auto",
        /// The claim declares it.
        Declared = "declared",
    }
}
choices! {
    /// where the extra cards of three groups go.
    UltraExtra {
        /// One to each group (ULTRA-4).
        OneEach = "one_each",
        /// Each to the group that has fewest.
        ToSmallest = "to_smallest",
    }
}
choices! {
    /// whether a listed Set may add no card to the others.
    EightPadding {
        /// Yes.
        Allowed = "allowed",
        /// Each Set must cover a card that the Sets before it do not.
        NewCardNeeded = "new_card_needed",
    }
}
choices! {
    /// who sees a hand.
    HandVisibility {
        /// Its owner (HANDS-4).
        Private = "private",
        /// Everybody (TWTY-11).
        Public = "public",
    }
}
choices! {
    /// who picks the card that leaves.
    ComplexPick {
        /// The caller (CPLX-2).
        Caller = "caller",
        /// Chance.
        ServerRandom = "server_random",
    }
}
choices! {
    /// when a sealed non-Set is found out.
    #[schemars(rename = "SealCheck")]
    Seal {
        /// When it is resolved (SCOUT-9).
        OpenLate = "open_late",
        /// At once: SCOUT-8 applies and nobody searches.
        CheckAtOnce = "check_at_once",
    }
}
choices! {
    /// whether the others go on after a failed scout.
    ScoutRetry {
        /// Yes (SCOUT-6).
        Others = "others",
        /// No: the Set is opened.
        Nobody = "nobody",
    }
}
choices! {
    /// where lost cards go.
    LostCards {
        /// To the heap (SCOUT-10).
        Heap = "heap",
        /// Under the stock.
        UnderStock = "under_stock",
    }
}
choices! {
    /// what a false challenge costs.
    FalseChallenge {
        /// A lockout for this card (SETUP-8).
        Lockout = "lockout",
        /// Nothing.
        None = "none",
        /// One penalty card from the stock.
        TakeOne = "take_one",
    }
}
choices! {
    /// how the end of a memory deal is found.
    MemoryEnd {
        /// The server sees it (MEM-8).
        Auto = "auto",
        /// The players declare it (MEM-10, Q-19).
        Declare = "declare",
    }
}
choices! {
    /// what happens when the clock for a card runs out.
    FlipOnTimeout {
        /// The turn ends.
        EndTurn = "end_turn",
        /// What is missing is turned up by chance and judged.
        Random = "random",
    }
}
choices! {
    /// equal top scores.
    Tiebreak {
        /// A shared win.
        Shared = "shared",
        /// One more deal.
        ExtraDeal = "extra_deal",
    }
}
choices! {
    /// when missed claims are shown.
    ShowMissed {
        /// In the replay.
        Replay = "replay",
        /// After each deal.
        AfterDeal = "after_deal",
        /// Not at all.
        Never = "never",
    }
}
choices! {
    /// hints on request.
    Hints {
        /// None.
        Off = "off",
        /// One card of a claim, for one point.
        CostPoint = "cost_point",
        /// One card of a claim, for nothing.
        Free = "free",
    }
}
choices! {
    /// how acts that race are ordered (CORE-2). The table sees to it.
    #[schemars(rename = "RaceOrder")]
    Order {
        /// By arrival.
        Arrival = "arrival",
        /// By arrival less half the round trip.
        PingAdjusted = "ping_adjusted",
    }
}
choices! {
    /// A feature of a card, in the order of its code (CARD-1).
    Feature {
        /// First digit.
        Number = "number",
        /// Second digit.
        Colour = "colour",
        /// Third digit.
        Shading = "shading",
        /// Fourth digit.
        Symbol = "symbol",
        /// Fifth digit, `d243` only.
        Background = "background",
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

choices! {
    /// The word `off`.
    #[schemars(rename = "WordOff")]
    Off {
        /// Off.
        Off = "off",
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

choices! {
    /// The words `until_next_claim`.
    #[schemars(rename = "WordUntilNextClaim")]
    UntilNextClaim {
        /// Until somebody's claim is right.
        UntilNextClaim = "until_next_claim",
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

choices! {
    /// The word `clear`.
    #[schemars(rename = "WordClear")]
    Clear {
        /// Until no claim is left.
        Clear = "clear",
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

choices! {
    /// The word `full`.
    #[schemars(rename = "WordFull")]
    Full {
        /// The whole deck.
        Full = "full",
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

impl MiniFixed {
    /// How each of them is written.
    pub const NAMES: &[&str] = &[
        "number",
        "number = 1",
        "number = 2",
        "colour",
        "colour = 1",
        "colour = 2",
        "shading",
        "shading = 1",
        "shading = 2",
        "symbol",
        "symbol = 1",
        "symbol = 2",
    ];
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

/// One of some words, or a number.
const fn or_number(of: &'static [&'static str]) -> OptionType {
    OptionType::ChoiceOrInt { of, min: 0, max: u16::MAX as i64 }
}

impl Setting for Lapse {
    const KIND: OptionType = or_number(&["off"]);
    fn number(&self) -> Option<i64> {
        if let Lapse::After(n) = *self { Some(n.into()) } else { None }
    }
}
impl Setting for Lockout {
    const KIND: OptionType = or_number(&["until_next_claim"]);
    fn number(&self) -> Option<i64> {
        if let Lockout::Seconds(n) = *self { Some(n.into()) } else { None }
    }
}
impl Setting for TrialGoal {
    const KIND: OptionType = or_number(&["clear"]);
    fn number(&self) -> Option<i64> {
        if let TrialGoal::Sets(n) = *self { Some(n.into()) } else { None }
    }
}
impl Setting for MemoryLayout {
    const KIND: OptionType = or_number(&["full"]);
    fn number(&self) -> Option<i64> {
        if let MemoryLayout::Slots(n) = *self { Some(n.into()) } else { None }
    }
}
impl Setting for Deals {
    const KIND: OptionType = OptionType::Deals;
}
impl Setting for MiniFixed {
    const KIND: OptionType = OptionType::Text;
}
