//! The rules of a match as plain data: section 4.2 of the rulebook, evaluated for a number of players.
//!
//! Field names are the option names of the rulebook: `settings.take.seconds` is `take.seconds`. A rule file's
//! expressions, its chain of bases and its per-round `set` are resolved by the loader (crate `rulebook`); here every
//! number is a number, and every round carries all of its own settings. The defaults are those of 4.2.

use crate::meld::{Balance, Giving, Kind, Law, Lineage, Reach, Reclaims, Suits, Want};
use cards::{Face, Pack};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A whole rule set, resolved for a number of players. Stands in the header of every record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Slug of the game.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Ids of the games it is based on, nearest first; so refusals cite what it inherits.
    pub bases: Vec<String>,
    /// Number of players these rules were evaluated for.
    pub seats: u8,
    /// Settings of the match as a whole. What a round sets differently is in [`RoundRules::settings`].
    pub settings: Settings,
    /// All rounds of the rule file in order, those that `game.rounds` leaves out too.
    pub rounds: Vec<RoundRules>,
}

/// One round, with everything that holds in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoundRules {
    /// Its place in the rule file, from 1 (Q-12).
    pub number: u16,
    /// What must be laid down: one list of slots, or several of which one is laid (4.1-6).
    pub contracts: Vec<Vec<Choice>>,
    /// Cards dealt to each player.
    pub deal: u8,
    /// What is said about it, such as `no discard`.
    pub label: Option<String>,
    /// Everything that holds in this round: the match's settings with the round's own over them. Those of the groups
    /// `players`, `deck`, `money`, `game` (but for `max_turns`) and `table`, and `deal.first_dealer`, `take.limit_per`,
    /// `score.low_wins` and `score.ties`, are read from [`Rules::settings`].
    pub settings: Settings,
}

impl Default for RoundRules {
    fn default() -> Self {
        RoundRules { number: 1, contracts: Vec::new(), deal: 10, label: None, settings: Settings::default() }
    }
}

/// One thing that a slot of a contract may be: `G3`, `R4`, `P2`, with flags (4.1-6). In JSON it is its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Group, run or pair.
    pub kind: Kind,
    /// Number of cards; the least where `meld.size = at-least`.
    pub size: u8,
    /// The most wilds, where the slot says so: flag `c` is 0, `w1` to `w9` that many.
    pub wilds: Option<u8>,
    /// Whether all suits must differ (flag `s`, groups).
    pub distinct: bool,
    /// How the suits of a run are bound (flags `m`, `k`, `a`).
    pub suits: Suits,
}

impl FromStr for Slot {
    type Err = String;
    /// Reads `R7w1`.
    fn from_str(text: &str) -> Result<Slot, String> {
        let wrong = || {
            format!("`{text}` is no slot: write G, R or P, a size, and flags, such as G3, R4, P2, G3cs, R7w1")
        };
        let mut letters = text.chars();
        let kind = letters.next().and_then(Kind::from_letter).ok_or_else(wrong)?;
        let rest = letters.as_str();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let size: u8 = rest[..digits].parse().map_err(|_| wrong())?;
        let least = if kind == Kind::Run { 2 } else { 1 };
        if size < least || size > 40 || kind == Kind::Pair && size != 2 {
            return Err(format!("`{text}` has an impossible size"));
        }
        let mut slot = Slot { kind, size, wilds: None, distinct: false, suits: Suits::One };
        let mut flags = rest[digits..].chars();
        while let Some(flag) = flags.next() {
            match (flag, kind) {
                ('c', _) if slot.wilds.is_none() => slot.wilds = Some(0),
                ('w', _) if slot.wilds.is_none() => {
                    let most =
                        flags.next().and_then(|c| c.to_digit(10)).filter(|&n| n > 0).ok_or_else(wrong)?;
                    slot.wilds = Some(most as u8);
                }
                ('s', Kind::Group | Kind::Pair) => slot.distinct = true,
                ('m', Kind::Run) if slot.suits == Suits::One => slot.suits = Suits::Free,
                ('k', Kind::Run) if slot.suits == Suits::One => slot.suits = Suits::Colour,
                ('a', Kind::Run) if slot.suits == Suits::One => slot.suits = Suits::Alternate,
                _ => return Err(wrong()),
            }
        }
        Ok(slot)
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.kind.letter(), self.size)?;
        match self.wilds {
            Some(0) => f.write_str("c")?,
            Some(most) => write!(f, "w{most}")?,
            None => {}
        }
        if self.distinct {
            f.write_str("s")?;
        }
        f.write_str(match self.suits {
            Suits::One => "",
            Suits::Free => "m",
            Suits::Colour => "k",
            Suits::Alternate => "a",
        })
    }
}

/// A slot of a contract with the things it may be, usually one: `G3`, `G3|R3`. In JSON it is its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Choice(pub Vec<Slot>);

impl FromStr for Choice {
    type Err = String;
    fn from_str(text: &str) -> Result<Choice, String> {
        let slots: Vec<Slot> = text.split('|').map(|slot| slot.trim().parse()).collect::<Result<_, _>>()?;
        if slots.len() > 4 {
            Err(format!("`{text}` gives more than four choices"))
        } else {
            Ok(Choice(slots))
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, slot) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("|")?;
            }
            slot.fmt(f)?;
        }
        Ok(())
    }
}

impl TryFrom<String> for Choice {
    type Error = String;
    fn try_from(text: String) -> Result<Choice, String> {
        text.parse()
    }
}

impl From<Choice> for String {
    fn from(choice: Choice) -> String {
        choice.to_string()
    }
}

impl JsonSchema for Choice {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Choice".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": "A slot of a contract: kind, size and flags, or several of them with | between",
            "pattern": "^[GRP][0-9]+[csmka0-9w]*( *\\| *[GRP][0-9]+[csmka0-9w]*)*$"
        })
    }
}

macro_rules! choices {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant,)* }
    };
}

choices! {
    /// `players.direction`.
    Direction {
        /// Clockwise: seat numbers rise.
        #[default]
        Cw = "cw",
        /// Counter-clockwise.
        Ccw = "ccw",
    }
}
choices! {
    /// `deal.upcard_wild` (A-05).
    UpcardWild {
        /// It stays and may be taken like any card.
        #[default]
        Keep = "keep",
        /// It goes to the bottom of the stock and another is turned up.
        Rebury = "rebury",
    }
}
choices! {
    /// `deal.first_dealer`.
    FirstDealer {
        /// Chance decides.
        #[default]
        Random = "random",
        /// Seat 0.
        Seat1 = "seat1",
        /// Everybody is dealt a card; the highest deals.
        HighCard = "high-card",
    }
}
choices! {
    /// `deal.next_dealer` (A-40).
    NextDealer {
        /// The next seat in turn direction.
        #[default]
        Rotate = "rotate",
        /// Who won the round; the next seat if nobody did.
        Winner = "winner",
        /// The same again.
        Same = "same",
    }
}
choices! {
    /// `cut.mode` (A-35).
    CutMode {
        /// The cutter aims; chance adds a little.
        #[default]
        Aim = "aim",
        /// Chance draws the depth.
        Chance = "chance",
        /// No cut.
        Off = "off",
    }
}
choices! {
    /// `wild.balance`.
    WildBalance {
        /// Freely.
        #[default]
        None = "none",
        /// At least as many naturals as wilds.
        AtLeast = "naturals>=wilds",
        /// More naturals than wilds.
        More = "naturals>wilds",
    }
}
choices! {
    /// `wild.cap_scope`.
    CapScope {
        /// The limits on wilds bind lay-offs too.
        #[default]
        Always = "always",
        /// They bind contracts only.
        Contract = "contract",
    }
}
choices! {
    /// `wild.place` (A-07).
    WildPlace {
        /// A wild stands for the same card to the end.
        #[default]
        Fixed = "fixed",
        /// At an end of a run it may be read anew when a natural is laid there.
        EndFree = "end-free",
        /// A natural may take its place and push it to an end of the same run.
        ToEnd = "to-end",
    }
}
choices! {
    /// `wild.reclaim`.
    Reclaim {
        /// No meld gives wilds back.
        None = "none",
        /// Runs do.
        #[default]
        Run = "run",
        /// All melds do.
        All = "all",
    }
}
choices! {
    /// `wild.reclaim_what`.
    ReclaimWhat {
        /// Any wild.
        #[default]
        All = "all",
        /// Jokers only.
        Jokers = "jokers",
    }
}
choices! {
    /// `wild.reclaim_from` (A-50).
    ReclaimFrom {
        /// Anybody's melds.
        #[default]
        Any = "any",
        /// Melds of others only.
        Others = "others",
        /// One's own melds only.
        Own = "own",
    }
}
choices! {
    /// `wild.reclaim_when` (A-21).
    ReclaimWhen {
        /// A player who was down before this turn.
        #[default]
        PriorTurn = "prior-turn",
        /// As soon as one is down.
        AfterContract = "after-contract",
        /// Only while one is not down.
        BeforeContract = "before-contract",
        /// Always in one's own turn.
        Anytime = "anytime",
    }
}
choices! {
    /// `wild.reclaim_use` (A-20).
    ReclaimUse {
        /// It must be laid off in the same turn.
        #[default]
        LayOff = "lay-off",
        /// It must be used in any meld of the same turn.
        AnyMeld = "any-meld",
        /// It may be kept.
        Keep = "keep",
    }
}
choices! {
    /// `run.ace` (A-09).
    RunAce {
        /// Below the two and above the king.
        #[default]
        Both = "both",
        /// Above the king.
        High = "high",
        /// Below the two.
        Low = "low",
        /// In the middle too: the ranks go round.
        Corner = "corner",
    }
}
choices! {
    /// `meld.size`.
    MeldSize {
        /// As the contract says.
        #[default]
        Exact = "exact",
        /// That or more.
        AtLeast = "at-least",
    }
}
choices! {
    /// `meld.extra` (A-46).
    MeldExtra {
        /// No further melds.
        #[default]
        None = "none",
        /// A player who is down may lay new melds.
        AfterContract = "after-contract",
    }
}
choices! {
    /// `layoff.when`.
    LayoffWhen {
        /// From the turn after melding.
        #[default]
        NextTurn = "next-turn",
        /// In the very turn of melding.
        SameTurn = "same-turn",
        /// Never.
        Never = "never",
    }
}
choices! {
    /// `layoff.onto`.
    LayoffOnto {
        /// Anybody's melds.
        #[default]
        All = "all",
        /// One's own.
        Own = "own",
        /// Those of one's team.
        Team = "team",
    }
}
choices! {
    /// `draw.mode`.
    DrawMode {
        /// The stock's top card or the discard.
        #[default]
        StockOrDiscard = "stock-or-discard",
        /// The discard; or it and a stock card are pushed to the next player, and a stock card is drawn.
        Push = "push",
    }
}
choices! {
    /// `take.limit_per`.
    LimitPer {
        /// The limit counts for each round.
        #[default]
        Round = "round",
        /// It counts for the whole match.
        Game = "game",
    }
}
choices! {
    /// `take.current` (A-13).
    TakeCurrent {
        /// P0 who declined is bound to the stock.
        #[default]
        Commit = "commit",
        /// P0 is asked first about every card.
        EachCard = "each-card",
    }
}
choices! {
    /// `take.repeat` (A-14).
    TakeRepeat {
        /// Nobody takes two successive cards.
        #[default]
        NotConsecutive = "not-consecutive",
        /// Nobody takes two cards.
        OncePerTurn = "once-per-turn",
        /// Freely.
        Free = "free",
    }
}
choices! {
    /// `take.repeat_scope` (A-14).
    RepeatScope {
        /// `take.repeat` looks at one turn.
        #[default]
        Turn = "turn",
        /// It looks at the whole round.
        Round = "round",
    }
}
choices! {
    /// `take.who` (A-15).
    TakeWho {
        /// Everybody.
        #[default]
        All = "all",
        /// Players who are not down.
        NotDown = "not-down",
    }
}
choices! {
    /// `take.tie` and `shanghai.tie`: who has it when several ask.
    Tie {
        /// The one next to play soonest.
        #[default]
        TurnOrder = "turn-order",
        /// The one who asked first.
        FirstCall = "first-call",
    }
}
choices! {
    /// `take.close` (A-36, Q-11).
    TakeClose {
        /// Offers are settled before P0 draws.
        #[default]
        BeforeDraw = "before-draw",
        /// P0 draws at once; the offer is settled at P0's discard.
        BeforeDiscard = "before-discard",
    }
}
choices! {
    /// `take.early_asks` (A-39).
    EarlyAsks {
        /// Others may answer before P0 has decided; nobody sees it.
        #[default]
        Private = "private",
        /// Others may ask before P0 has decided, and everybody sees it.
        Shown = "shown",
        /// Not before P0 has decided.
        Off = "off",
    }
}
choices! {
    /// `take.short` (A-27).
    TakeShort {
        /// What the stock cannot pay for is not offered.
        #[default]
        Refuse = "refuse",
        /// The take goes through with fewer penalty cards.
        Partial = "partial",
    }
}
choices! {
    /// `discard.back` (A-23).
    DiscardBack {
        /// A card drawn from the discard pile goes back in that turn only as the last card.
        #[default]
        IfLast = "if-last",
        /// Not even then, unless nothing else is in hand (Q-24).
        Never = "never",
        /// Freely.
        Allowed = "allowed",
    }
}
choices! {
    /// `discard.wild` (A-24).
    DiscardWild {
        /// Freely.
        #[default]
        Allowed = "allowed",
        /// When no natural is held.
        IfLast = "if-last",
    }
}
choices! {
    /// `out.discard` (RF-7).
    OutDiscard {
        /// The last card must be discarded.
        #[default]
        Required = "required",
        /// It may be.
        Optional = "optional",
        /// It must be played to the table.
        Forbidden = "forbidden",
    }
}
choices! {
    /// `out.stuck` (A-18).
    OutStuck {
        /// A last card that may not be discarded is held.
        #[default]
        Hold = "hold",
        /// The play that leads there is refused.
        Reject = "reject",
    }
}
choices! {
    /// `stock.recycle` (A-25).
    Recycle {
        /// The discard pile, but for its top card, is shuffled and becomes the stock.
        #[default]
        KeepTop = "keep-top",
        /// The stock is not remade.
        None = "none",
    }
}
choices! {
    /// `stock.blocked` (A-26).
    Blocked {
        /// Everybody scores the hand.
        #[default]
        ScoreAll = "score-all",
        /// Nobody scores.
        ScoreNone = "score-none",
    }
}
choices! {
    /// `score.ties` (A-33).
    ScoreTies {
        /// Equal totals share the place.
        #[default]
        Share = "share",
        /// More rounds won is better.
        RoundsWon = "rounds-won",
        /// The better last round is better.
        LastRound = "last-round",
    }
}
choices! {
    /// `money.kitty` (PR-SET-3).
    Kitty {
        /// The winner has it.
        #[default]
        Winner = "winner",
        /// Two thirds to the winner, a third to the second.
        TwoThirds = "two-thirds",
    }
}
choices! {
    /// `game.progress`.
    Progress {
        /// Everybody goes to the next contract together.
        #[default]
        Together = "together",
        /// Who missed a contract repeats it.
        PerPlayer = "per-player",
    }
}
choices! {
    /// `game.end`.
    GameEnd {
        /// After all rounds.
        #[default]
        AfterRounds = "after-rounds",
        /// When somebody has laid every contract.
        FirstFinisher = "first-finisher",
    }
}
choices! {
    /// `game.choice`.
    ContractChoice {
        /// Each round has its contract.
        #[default]
        Fixed = "fixed",
        /// The first to meld in a round picks one of those left.
        FirstMelder = "first-melder",
    }
}
choices! {
    /// `table.undo` (A-37).
    Undo {
        /// What is accepted stands.
        #[default]
        None = "none",
        /// P0 may take back the melds, lay-offs and reclaims of this turn, until the discard.
        UntilDiscard = "until-discard",
    }
}

/// `game.rounds` (A-47): which rounds are played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Rounds {
    /// `"all"`.
    #[default]
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

macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident: $type:ty = $default:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct $name { $($(#[$fdoc])* pub $field: $type,)* }
        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $default,)* }
            }
        }
    };
}

group! {
    /// Every parameter of 4.2 but the rounds.
    Settings {
        /// Seats.
        players: PlayerRules = PlayerRules::default(),
        /// What is shuffled together.
        deck: DeckRules = DeckRules::default(),
        /// The deal.
        deal: DealRules = DealRules::default(),
        /// The cut before it (Liverpool).
        cut: CutRules = CutRules::default(),
        /// Wilds.
        wild: WildRules = WildRules::default(),
        /// Runs.
        run: RunRules = RunRules::default(),
        /// Groups.
        group: GroupRules = GroupRules::default(),
        /// Melding.
        meld: MeldRules = MeldRules::default(),
        /// Laying off.
        layoff: LayoffRules = LayoffRules::default(),
        /// Drawing.
        draw: DrawRules = DrawRules::default(),
        /// Taking out of turn.
        take: TakeRules = TakeRules::default(),
        /// Shanghai calls.
        shanghai: ShanghaiRules = ShanghaiRules::default(),
        /// Discarding.
        discard: DiscardRules = DiscardRules::default(),
        /// Going out.
        out: OutRules = OutRules::default(),
        /// The stock.
        stock: StockRules = StockRules::default(),
        /// Points.
        score: ScoreRules = ScoreRules::default(),
        /// Pennies.
        money: MoneyRules = MoneyRules::default(),
        /// The match as a whole.
        game: GameRules = GameRules::default(),
        /// The turn clock.
        turn: TurnRules = TurnRules::default(),
        /// Manners.
        table: TableRules = TableRules::default(),
    }
}
group! {
    /// `players.*`
    PlayerRules {
        /// Fewest (A-01).
        min: u8 = 3,
        /// Most.
        max: u8 = 5,
        /// 0: each alone; 2: two partnerships in alternate seats.
        teams: u8 = 0,
        /// Deal and play.
        direction: Direction = Direction::Cw,
    }
}
group! {
    /// `deck.*`
    DeckRules {
        /// Packs.
        decks: u8 = 2,
        /// Jokers in all.
        jokers: u8 = 0,
        /// Names of the suits.
        suits: Vec<String> = Pack::standard().suits,
        /// The ranks, lowest first.
        ranks: Vec<String> = Pack::standard().ranks,
    }
}
group! {
    /// `deal.*`
    DealRules {
        /// Cards dealt to each, in rounds that do not say otherwise.
        cards: u8 = 10,
        /// Whether a card is turned up.
        upcard: bool = true,
        /// A wild upcard.
        upcard_wild: UpcardWild = UpcardWild::Keep,
        /// Who deals first.
        first_dealer: FirstDealer = FirstDealer::Random,
        /// Who deals next.
        next_dealer: NextDealer = NextDealer::Rotate,
    }
}
group! {
    /// `cut.*`
    CutRules {
        /// Whether the player at the dealer's right cuts.
        on: bool = false,
        /// Added to the cutter's score on an exact cut.
        points: i32 = -50,
        /// How the depth comes about.
        mode: CutMode = CutMode::Aim,
        /// The aim is missed by the difference of two numbers from 0 to this.
        noise: u8 = 12,
    }
}
group! {
    /// `wild.*`
    WildRules {
        /// Ranks that are wild besides the jokers.
        ranks: Vec<String> = Vec::new(),
        /// Faces that are wild besides.
        faces: Vec<String> = Vec::new(),
        /// Kinds of meld that may hold wilds: letters G, R, P.
        kinds: Vec<String> = ["G", "R", "P"].map(String::from).to_vec(),
        /// Most wilds in a meld; 0: no limit.
        max_per_meld: u8 = 0,
        /// Fewest naturals in a meld.
        min_naturals: u8 = 1,
        /// Naturals against wilds.
        balance: WildBalance = WildBalance::None,
        /// Where the three limits above bind.
        cap_scope: CapScope = CapScope::Always,
        /// Whether a wild may stand at a run's end.
        ends: bool = true,
        /// Whether wilds may be neighbours in a run.
        adjacent: bool = true,
        /// Whether a wild that lies stays.
        place: WildPlace = WildPlace::Fixed,
        /// Whether a wild rank in its own place is a natural (A-43).
        natural_in_place: bool = true,
        /// Which melds give wilds back.
        reclaim: Reclaim = Reclaim::Run,
        /// Which wilds.
        reclaim_what: ReclaimWhat = ReclaimWhat::All,
        /// From whose melds.
        reclaim_from: ReclaimFrom = ReclaimFrom::Any,
        /// When.
        reclaim_when: ReclaimWhen = ReclaimWhen::PriorTurn,
        /// What for.
        reclaim_use: ReclaimUse = ReclaimUse::LayOff,
    }
}
group! {
    /// `run.*`
    RunRules {
        /// Where the ace stands.
        ace: RunAce = RunAce::Both,
        /// Longest run; 0: as the ace allows.
        max: u8 = 0,
        /// Smallest extra run.
        min: u8 = 4,
        /// Ranks between contract runs of one suit that do not overlap.
        gap: u8 = 1,
        /// Whether contract runs of one suit may overlap.
        overlap: bool = true,
        /// Contract runs in a suit; 0: no limit.
        per_suit: u8 = 0,
    }
}
group! {
    /// `group.*`
    GroupRules {
        /// Smallest extra group.
        min: u8 = 3,
        /// Largest group; 0: no limit.
        max: u8 = 0,
        /// Whether the contract's groups differ in rank.
        distinct_ranks: bool = false,
        /// Whether no suit comes twice in a group.
        distinct_suits: bool = false,
    }
}
group! {
    /// `meld.*`
    MeldRules {
        /// Sizes of contract melds.
        size: MeldSize = MeldSize::Exact,
        /// Whether the contract uses the whole hand and ends the round.
        all: bool = false,
        /// Further melds once down.
        extra: MeldExtra = MeldExtra::None,
    }
}
group! {
    /// `layoff.*`
    LayoffRules {
        /// From when on.
        when: LayoffWhen = LayoffWhen::NextTurn,
        /// On whose melds.
        onto: LayoffOnto = LayoffOnto::All,
    }
}
group! {
    /// `draw.*`
    DrawRules {
        /// How one draws.
        mode: DrawMode = DrawMode::StockOrDiscard,
        /// Whether a player who is down may draw the discard.
        discard_when_down: bool = true,
        /// Whether the first player of a round has two turns.
        first_double: bool = false,
    }
}
group! {
    /// `take.*`
    TakeRules {
        /// Whether there are takes.
        on: bool = true,
        /// What the button says.
        label: String = "May I".to_owned(),
        /// Takes for each player; 0: no limit.
        limit: u8 = 0,
        /// What the limit counts for.
        limit_per: LimitPer = LimitPer::Round,
        /// Stock cards that come with a take.
        penalty: u8 = 1,
        /// Pennies to the kitty for the card.
        pennies: u8 = 0,
        /// Pennies for each stock card.
        penalty_pennies: u8 = 0,
        /// Added to the taker's score.
        points: i32 = 0,
        /// Whether P0 may take and pay, and then draw.
        own_turn: bool = false,
        /// Whether P0 is asked about every card.
        current: TakeCurrent = TakeCurrent::Commit,
        /// Whether the card beneath is offered next.
        chain: bool = true,
        /// Taking again.
        repeat: TakeRepeat = TakeRepeat::NotConsecutive,
        /// For how long that counts.
        repeat_scope: RepeatScope = RepeatScope::Turn,
        /// Who may.
        who: TakeWho = TakeWho::All,
        /// Whether the discarder may ask for the card.
        own_discard: bool = true,
        /// Whether there are takes in the first turn of a round.
        first_turn: bool = true,
        /// When several ask.
        tie: Tie = Tie::TurnOrder,
        /// When the offer is settled.
        close: TakeClose = TakeClose::BeforeDraw,
        /// Answers before P0 has decided.
        early_asks: EarlyAsks = EarlyAsks::Private,
        /// When the stock cannot pay.
        short: TakeShort = TakeShort::Refuse,
        /// Seconds to answer; 0: wait for all.
        seconds: u16 = 12,
    }
}
group! {
    /// `shanghai.*`
    ShanghaiRules {
        /// Whether both calls exist.
        on: bool = false,
        /// When several claim.
        tie: Tie = Tie::TurnOrder,
        /// Seconds to claim.
        seconds: u16 = 6,
        /// Whether a claim wins against the next player's draw.
        beats_draw: bool = true,
        /// Whether a claimer without cards is out.
        empty_wins: bool = true,
        /// Whether the discard that takes its player out can be claimed.
        last_discard: bool = false,
    }
}
group! {
    /// `discard.*`
    DiscardRules {
        /// The card just drawn from the pile.
        back: DiscardBack = DiscardBack::IfLast,
        /// Wilds.
        wild: DiscardWild = DiscardWild::Allowed,
    }
}
group! {
    /// `out.*`
    OutRules {
        /// How the last card may leave.
        discard: OutDiscard = OutDiscard::Required,
        /// A last card that cannot.
        stuck: OutStuck = OutStuck::Hold,
    }
}
group! {
    /// `stock.*`
    StockRules {
        /// Whether it is remade.
        recycle: Recycle = Recycle::KeepTop,
        /// How often in a round; 0: no limit.
        max_recycles: u8 = 0,
        /// What a blocked round scores.
        blocked: Blocked = Blocked::ScoreAll,
    }
}
group! {
    /// `score.*`
    ScoreRules {
        /// Points of each card.
        values: Values = Values::default(),
        /// Added to the score of who goes out.
        winner: i32 = 0,
        /// Added besides when contract and going out share a turn.
        at_once: i32 = 0,
        /// Whether the lowest total wins.
        low_wins: bool = true,
        /// Equal totals.
        ties: ScoreTies = ScoreTies::Share,
    }
}
group! {
    /// `money.*`
    MoneyRules {
        /// Whether there is a settlement.
        on: bool = false,
        /// Place k pays this times k - 1.
        step: i32 = 2,
        /// For a number of players the amounts of places 2, 3, ... instead.
        schedule: BTreeMap<u8, Vec<i32>> = BTreeMap::new(),
        /// Who has the kitty.
        kitty: Kitty = Kitty::Winner,
    }
}
group! {
    /// `game.*`
    GameRules {
        /// Which rounds are played.
        rounds: Rounds = Rounds::All,
        /// Who goes on to the next contract.
        progress: Progress = Progress::Together,
        /// When the match ends.
        end: GameEnd = GameEnd::AfterRounds,
        /// Who picks the contract.
        choice: ContractChoice = ContractChoice::Fixed,
        /// Turns per seat after which a round is blocked; 0: no limit (Q-15).
        max_turns: u16 = 100,
        /// Rounds at most with `progress = per-player`; 0: three times the number of contracts (Q-15).
        max_rounds: u16 = 0,
    }
}
group! {
    /// `turn.*`
    TurnRules {
        /// The turn clock in seconds; 0: none (Q-16).
        seconds: u16 = 0,
    }
}
group! {
    /// `table.*`
    TableRules {
        /// Taking back.
        undo: Undo = Undo::None,
        /// Whether everybody may look through the discard pile.
        discard_browse: bool = false,
    }
}

impl Default for Rules {
    /// `contract` for four players.
    fn default() -> Self {
        Rules::contract(4)
    }
}

impl Rules {
    /// The base game, `contract`, for this many players.
    #[must_use]
    pub fn contract(seats: u8) -> Rules {
        let mut settings = Settings::default();
        settings.deck.jokers = seats.saturating_sub(1);
        let contracts: [&[&str]; 7] = [
            &["G3", "G3"],
            &["G3", "R4"],
            &["R4", "R4"],
            &["G3", "G3", "G3"],
            &["G3", "G3", "R4"],
            &["G3", "R4", "R4"],
            &["R4", "R4", "R4"],
        ];
        let rounds = (1u16..)
            .zip(contracts)
            .map(|(number, slots)| {
                let mut settings = settings.clone();
                let last = number == 7;
                if last {
                    settings.meld.all = true;
                    settings.meld.size = MeldSize::AtLeast;
                    settings.out.discard = OutDiscard::Forbidden;
                }
                let slot = |text: &&str| text.parse().expect("slots of the base game are well written");
                RoundRules {
                    number,
                    contracts: vec![slots.iter().map(slot).collect()],
                    deal: if number <= 3 { 10 } else { 12 },
                    label: last.then(|| "no discard".to_owned()),
                    settings,
                }
            })
            .collect();
        Rules {
            id: "contract".into(),
            name: "Contract Rummy".into(),
            bases: Vec::new(),
            seats,
            settings,
            rounds,
        }
    }

    /// The make-up of one pack.
    #[must_use]
    pub fn pack(&self) -> Pack {
        Pack { suits: self.settings.deck.suits.clone(), ranks: self.settings.deck.ranks.clone() }
    }

    /// Every card that is shuffled, in canonical order: the packs' faces suit by suit with ranks ascending, all copies
    /// of a face together, and the jokers last. The indices of a deal's shuffle refer to this list.
    #[must_use]
    pub fn cards(&self) -> Vec<Face> {
        let deck = &self.settings.deck;
        self.pack()
            .faces()
            .flat_map(|face| std::iter::repeat_n(face, usize::from(deck.decks)))
            .chain(std::iter::repeat_n(Face::JOKER, usize::from(deck.jokers)))
            .collect()
    }

    /// The rounds that are played (A-47), as places in [`Rules::rounds`].
    #[must_use]
    pub fn played(&self) -> Vec<usize> {
        let rounds = &self.settings.game.rounds;
        (0..self.rounds.len()).filter(|&i| rounds.has(self.rounds[i].number)).collect()
    }

    /// The rules of a round as far as melds go, packed for judging; `round` is a place in [`Rules::rounds`].
    ///
    /// # Panics
    /// If there is no such round.
    #[must_use]
    pub fn law(&self, round: usize) -> Law {
        let round = &self.rounds[round];
        let set = &round.settings;
        let pack = self.pack();
        // Each text is read once: laws are made often, and a rule file may name every card.
        let bit = |face: Face| 1u64 << face.index();
        let named =
            set.wild.faces.iter().filter_map(|text| pack.parse(text).ok()).fold(1, |all, f| all | bit(f));
        let of_rank = |face: &Face| set.wild.ranks.contains(&pack.ranks[usize::from(face.rank()) - 1]);
        let wild = pack.faces().filter(of_rank).fold(named, |all, face| all | bit(face));
        let (ranks, suits) = (pack.ranks.len() as u8, pack.suits.len() as u8);
        let longest = ranks + u8::from(set.run.ace == RunAce::Both);
        let or = |limit: u8, none: u8| if limit == 0 { none } else { limit };
        let kind = |letter: &str| set.wild.kinds.iter().any(|k| k.eq_ignore_ascii_case(letter));
        let want = |slot: &Slot| Want {
            kind: slot.kind,
            size: slot.size,
            wilds: slot.wilds.unwrap_or(255),
            distinct: slot.distinct,
            suits: slot.suits,
        };
        Law {
            ranks,
            suits,
            // Clubs and spades are black, diamonds and hearts red; every other suit is a colour of its own.
            colours: [0, 1, 2, 3]
                .map(|suit| pack.ordinary(suit).map_or(2 + suit, |suit| u8::from(suit == 1 || suit == 2))),
            wild,
            wild_kinds: [kind("G"), kind("R"), kind("P")],
            wild_cap: or(set.wild.max_per_meld, 255),
            min_naturals: set.wild.min_naturals,
            balance: match set.wild.balance {
                WildBalance::None => Balance::None,
                WildBalance::AtLeast => Balance::AtLeast,
                WildBalance::More => Balance::More,
            },
            caps_always: set.wild.cap_scope == CapScope::Always,
            wild_ends: set.wild.ends,
            wild_adjacent: set.wild.adjacent,
            natural_in_place: set.wild.natural_in_place,
            giving: match set.wild.place {
                WildPlace::Fixed => Giving::Fixed,
                WildPlace::EndFree => Giving::EndFree,
                WildPlace::ToEnd => Giving::ToEnd,
            },
            reclaims: match set.wild.reclaim {
                Reclaim::None => Reclaims::None,
                Reclaim::Run => Reclaims::Run,
                Reclaim::All => Reclaims::All,
            },
            reclaims_jokers_only: set.wild.reclaim_what == ReclaimWhat::Jokers,
            reach: match set.run.ace {
                RunAce::Both => Reach::Both,
                RunAce::High => Reach::High,
                RunAce::Low => Reach::Low,
                RunAce::Corner => Reach::Corner,
            },
            run_max: or(set.run.max, longest).min(longest),
            gap: set.run.gap,
            overlap: set.run.overlap,
            per_suit: or(set.run.per_suit, 255),
            group_max: or(set.group.max, 255),
            distinct_ranks: set.group.distinct_ranks,
            distinct_suits: set.group.distinct_suits,
            exact: set.meld.size == MeldSize::Exact,
            all: set.meld.all,
            same_turn: set.layoff.when == LayoffWhen::SameTurn,
            keep_one: set.out.discard == OutDiscard::Required && !set.meld.all,
            contracts: round
                .contracts
                .iter()
                .map(|slots| slots.iter().map(|choice| choice.0.iter().map(want).collect()).collect())
                .collect(),
            values: std::array::from_fn(|i| set.score.values.0.get(i).copied().unwrap_or(0)),
            lineage: Lineage::of(
                std::iter::once(self.id.as_str()).chain(self.bases.iter().map(String::as_str)),
            ),
            pack,
        }
    }

    /// The place in [`Rules::rounds`] of the round with this number.
    #[must_use]
    pub fn round(&self, number: u16) -> Option<usize> {
        self.rounds.iter().position(|r| r.number == number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_round_trip() {
        for text in ["G3", "R4", "P2", "G3cs", "R7w1", "R13m", "R13k", "R4a", "G3|R3"] {
            assert_eq!(text.parse::<Choice>().map(|c| c.to_string()), Ok(text.to_owned()));
        }
        for text in ["", "X3", "G", "P3", "R4s", "G3m", "G3w0", "R1", "G99", "G3|"] {
            assert!(text.parse::<Choice>().is_err(), "{text}");
        }
    }

    #[test]
    fn rules_round_trip_through_json() {
        for seats in 3..=5 {
            let rules = Rules::contract(seats);
            let text = serde_json::to_string(&rules).unwrap();
            assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), rules);
            assert_eq!(rules.cards().len(), 104 + usize::from(seats) - 1); // CR-DECK-1
        }
        let list: GameRules = serde_json::from_str(r#"{"rounds": [1, 3]}"#).unwrap();
        assert!(list.rounds.has(3) && !list.rounds.has(2));
        assert!(serde_json::from_str::<GameRules>(r#"{"rounds": "some"}"#).is_err());
        assert!(serde_json::from_str::<TakeRules>(r#"{"second": 3}"#).is_err());
    }
}
