//! The values that options may have: words, lists of rounds, card values.

use cards::{Face, Pack};
use game::choices;
use game::option::{OptionType, Setting};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

choices! {
    /// `players.direction`.
    #[schemars(rename = "PlayDirection")]
    Direction {
        /// Clockwise: seat numbers rise.
        Cw = "cw",
        /// Counter-clockwise.
        Ccw = "ccw",
    }

    /// `deal.upcard_wild`.
    UpcardWild {
        /// It stays and may be taken like any card.
        Keep = "keep",
        /// It goes to the bottom of the stock and another is turned up.
        Rebury = "rebury",
    }

    /// `deal.first_dealer`.
    FirstDealer {
        /// Chance decides.
        Random = "random",
        /// Seat 0.
        Seat1 = "seat1",
        /// Everybody is dealt a card; the highest deals.
        HighCard = "high-card",
    }

    /// `deal.next_dealer`.
    NextDealer {
        /// The next seat in turn direction.
        Rotate = "rotate",
        /// Who won the round; the next seat if nobody did.
        Winner = "winner",
        /// The same again.
        Same = "same",
    }

    /// `cut.mode`.
    CutMode {
        /// The cutter aims; chance adds a little.
        Aim = "aim",
        /// Chance draws the depth.
        Chance = "chance",
        /// No cut.
        Off = "off",
    }

    /// `wild.balance`.
    WildBalance {
        /// Freely.
        None = "none",
        /// At least as many naturals as wilds.
        AtLeast = "naturals>=wilds",
        /// More naturals than wilds.
        More = "naturals>wilds",
    }

    /// `wild.cap_scope`.
    CapScope {
        /// The limits on wilds bind lay-offs too.
        Always = "always",
        /// They bind contracts only.
        Contract = "contract",
    }

    /// `wild.place`.
    WildPlace {
        /// A wild stands for the same card to the end.
        Fixed = "fixed",
        /// At an end of a run it may be read anew when a natural is laid there.
        EndFree = "end-free",
        /// A natural may take its place and push it to an end of the same run.
        ToEnd = "to-end",
    }

    /// `wild.reclaim`.
    #[schemars(rename = "WildReclaim")]
    Reclaim {
        /// No meld gives wilds back.
        None = "none",
        /// Runs do.
        Run = "run",
        /// All melds do.
        All = "all",
    }

    /// `wild.reclaim_what`.
    ReclaimWhat {
        /// Any wild.
        All = "all",
        /// Jokers only.
        Jokers = "jokers",
    }

    /// `wild.reclaim_from`.
    ReclaimFrom {
        /// Anybody's melds.
        Any = "any",
        /// Melds of others only.
        Others = "others",
        /// One's own melds only.
        Own = "own",
    }

    /// `wild.reclaim_when`.
    ReclaimWhen {
        /// A player who was down before this turn.
        PriorTurn = "prior-turn",
        /// As soon as one is down.
        AfterContract = "after-contract",
        /// Only while one is not down.
        BeforeContract = "before-contract",
        /// Always in one's own turn.
        Anytime = "anytime",
    }

    /// `wild.reclaim_use`.
    ReclaimUse {
        /// It must be laid off in the same turn.
        LayOff = "lay-off",
        /// It must be used in any meld of the same turn.
        AnyMeld = "any-meld",
        /// It may be kept.
        Keep = "keep",
    }

    /// `run.ace`.
    RunAce {
        /// Below the two and above the king.
        Both = "both",
        /// Above the king.
        High = "high",
        /// Below the two.
        Low = "low",
        /// In the middle too: the ranks go round.
        Corner = "corner",
    }

    /// `meld.size`.
    MeldSize {
        /// As the contract says.
        Exact = "exact",
        /// That or more.
        AtLeast = "at-least",
    }

    /// `meld.extra`.
    MeldExtra {
        /// No further melds.
        None = "none",
        /// A player who is down may lay new melds.
        AfterContract = "after-contract",
    }

    /// `layoff.when`.
    LayoffWhen {
        /// From the turn after melding.
        NextTurn = "next-turn",
        /// In the very turn of melding.
        SameTurn = "same-turn",
        /// Never.
        Never = "never",
    }

    /// `layoff.onto`.
    LayoffOnto {
        /// Anybody's melds.
        All = "all",
        /// One's own.
        Own = "own",
        /// Those of one's team.
        Team = "team",
    }

    /// `draw.mode`.
    DrawMode {
        /// The stock's top card or the discard.
        StockOrDiscard = "stock-or-discard",
        /// The discard; or it and a stock card are pushed to the next player, and a stock card is drawn.
        Push = "push",
    }

    /// `take.limit_per`.
    LimitPer {
        /// The limit counts for each round.
        Round = "round",
        /// It counts for the whole match.
        Game = "game",
    }

    /// `take.current`.
    TakeCurrent {
        /// P0 who declined is bound to the stock.
        Commit = "commit",
        /// P0 is asked first about every card.
        EachCard = "each-card",
    }

    /// `take.repeat`.
    TakeRepeat {
        /// Nobody takes two successive cards.
        NotConsecutive = "not-consecutive",
        /// Nobody takes two cards.
        OncePerTurn = "once-per-turn",
        /// Freely.
        Free = "free",
    }

    /// `take.repeat_scope`.
    RepeatScope {
        /// `take.repeat` looks at one turn.
        Turn = "turn",
        /// It looks at the whole round.
        Round = "round",
    }

    /// `take.who`.
    TakeWho {
        /// Everybody.
        All = "all",
        /// Players who are not down.
        NotDown = "not-down",
    }

    /// `take.tie` and `shanghai.tie`: who has it when several ask.
    #[schemars(rename = "AskTie")]
    Tie {
        /// The one next to play soonest.
        TurnOrder = "turn-order",
        /// The one who asked first.
        FirstCall = "first-call",
    }

    /// `take.close`.
    TakeClose {
        /// Offers are settled before P0 draws.
        BeforeDraw = "before-draw",
        /// P0 draws at once; the offer is settled at P0's discard.
        BeforeDiscard = "before-discard",
    }

    /// `take.early_asks`.
    EarlyAsks {
        /// Others may answer before P0 has decided; nobody sees it.
        Private = "private",
        /// Others may ask before P0 has decided, and everybody sees it.
        Shown = "shown",
        /// Not before P0 has decided.
        Off = "off",
    }

    /// `take.short`.
    TakeShort {
        /// What the stock cannot pay for is not offered.
        Refuse = "refuse",
        /// The take goes through with fewer penalty cards.
        Partial = "partial",
    }

    /// `discard.back`.
    DiscardBack {
        /// A card drawn from the discard pile goes back in that turn only as the last card.
        IfLast = "if-last",
        /// Not even then, unless nothing else is in hand.
        Never = "never",
        /// Freely.
        Allowed = "allowed",
    }

    /// `discard.wild`.
    DiscardWild {
        /// Freely.
        Allowed = "allowed",
        /// When no natural is held.
        IfLast = "if-last",
        /// Not even then: the turn ends without a discard (HR-WILD-2).
        Never = "never",
    }

    /// `out.discard` (RF-7).
    OutDiscard {
        /// The last card must be discarded.
        Required = "required",
        /// It may be.
        Optional = "optional",
        /// It must be played to the table.
        Forbidden = "forbidden",
        /// Only a discard takes a player out; who plays the last card without one goes on (HR-OUT-1).
        Float = "float",
    }

    /// `out.stuck`.
    OutStuck {
        /// A last card that may not be discarded is held.
        Hold = "hold",
        /// The play that leads there is refused.
        Reject = "reject",
    }

    /// `stock.recycle`.
    #[schemars(rename = "StockRecycle")]
    Recycle {
        /// The discard pile, but for its top card, is shuffled and becomes the stock.
        KeepTop = "keep-top",
        /// The stock is not remade.
        None = "none",
    }

    /// `stock.blocked`.
    #[schemars(rename = "StockBlocked")]
    Blocked {
        /// Everybody scores the hand.
        ScoreAll = "score-all",
        /// Nobody scores.
        ScoreNone = "score-none",
    }

    /// `score.ties`.
    ScoreTies {
        /// Equal totals share the place.
        Share = "share",
        /// More rounds won is better.
        RoundsWon = "rounds-won",
        /// The better last round is better.
        LastRound = "last-round",
    }

    /// `score.not_down_cards` (HR-SCO-2): what is left in the hand of who never went down.
    NotDownCards {
        /// It counts like any other hand.
        Once = "once",
        /// It counts twice.
        Twice = "twice",
        /// It does not count.
        Not = "not",
    }

    /// `money.kitty` (PR-SET-3).
    #[schemars(rename = "MoneyKitty")]
    Kitty {
        /// The winner has it.
        Winner = "winner",
        /// Two thirds to the winner, a third to the second.
        TwoThirds = "two-thirds",
    }

    /// `game.progress`.
    #[schemars(rename = "GameProgress")]
    Progress {
        /// Everybody goes to the next contract together.
        Together = "together",
        /// Who missed a contract repeats it.
        PerPlayer = "per-player",
    }

    /// `game.end`.
    GameEnd {
        /// After all rounds.
        AfterRounds = "after-rounds",
        /// When somebody has laid every contract; who has laid more is better.
        FirstFinisher = "first-finisher",
        /// When somebody has laid every contract; the total decides (HR-END-3).
        FinisherTotal = "finisher-total",
    }

    /// `pass.to` (HR-PASS-1).
    PassTo {
        /// To the player at the left.
        Left = "left",
        /// To the player at the right.
        Right = "right",
        /// To the player across the table, at an even number of players.
        Across = "across",
        /// To the left in the first round that is played, to the right in the next, and so on.
        Alternate = "alternate",
        /// To the next partner at the left, where there are partnerships.
        Partner = "partner",
    }

    /// `game.choice`.
    ContractChoice {
        /// Each round has its contract.
        Fixed = "fixed",
        /// The first to meld in a round picks one of those left.
        FirstMelder = "first-melder",
        /// Each player lays them in any order, where everybody goes on alone (HR-PICK-1).
        AnyOrder = "any-order",
        /// The dealer picks one of those left, before the first turn (HR-PICK-2).
        Dealer = "dealer",
        /// Who did worst in the round before picks one of those left, before the first turn (HR-PICK-2).
        LastLoser = "last-loser",
    }

    /// `table.undo`.
    #[schemars(rename = "TableUndo")]
    Undo {
        /// What is accepted stands.
        None = "none",
        /// P0 may take back the melds, lay-offs and reclaims of this turn, until the discard.
        UntilDiscard = "until-discard",
    }
}

/// `game.rounds`: which rounds are played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PlayedRounds")]
#[serde(untagged)]
pub enum Rounds {
    /// `"all"`.
    #[serde(with = "all")]
    #[schemars(with = "String")]
    All,
    /// The rounds with these numbers, in the order of the file.
    Some(Vec<u16>),
}

mod all {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    pub fn serialize<S: Serializer>(s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str("all")
    }
    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<(), D::Error> {
        match String::deserialize(d)?.as_str() {
            "all" => Ok(()),
            other => Err(D::Error::custom(format!("`{other}` is neither \"all\" nor a list of rounds"))),
        }
    }
}

impl Rounds {
    /// Whether the round with this number is played.
    #[must_use]
    pub fn has(&self, number: u16) -> bool {
        match self {
            Rounds::All => true,
            Rounds::Some(list) => list.contains(&number),
        }
    }
}

/// `score.values`, looked up: what each card left in hand costs, by [`Face::index`] (64 entries).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CardValues")]
#[serde(transparent)]
pub struct Values(pub Vec<i16>);

impl Default for Values {
    /// CR-SCO-1.
    fn default() -> Self {
        let mut values = vec![0; Face::COUNT];
        for face in Pack::standard().faces() {
            values[face.index()] = match face.rank() {
                1 => 15,
                rank => i16::from(rank.min(10)),
            };
        }
        values[Face::JOKER.index()] = 15;
        Values(values)
    }
}

impl Values {
    /// Penalty points of a card.
    #[must_use]
    pub fn of(&self, face: Face) -> i32 {
        self.0.get(face.index()).copied().unwrap_or(0).into()
    }
}

impl Setting for Rounds {
    const KIND: OptionType = OptionType::Rounds;
}

impl Setting for Values {
    const KIND: OptionType = OptionType::Values;
}
