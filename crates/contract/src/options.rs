//! What can be set: one row for each option of the rulebook's 4.2.
//!
//! A row holds all that is known of an option: its name in plain words and what it means (the lines over it), its name in
//! rule files, its type and default, the rule behind it and what it may be, and its sentence on the rule sheet. The types
//! of the settings are made from the rows; so are the loader's checks, the JSON Schema, the option screens and the sheet
//! (crate `rulebook`), and a test holds the rulebook's table to them. The defaults are the rules of the base game,
//! `contract`.

mod choices;
mod tell;

pub use choices::*;
use game::option::{apart, row, says, told_by};
use game::options;
use game::words::{count, listed, times};
use std::collections::BTreeMap;
pub use tell::{Section, Tell, Told};

const TITLE: &str = "the line under the title";
const ROUNDS: &str = "the table of contracts";

options! {
    /// Every option of 4.2 but the rounds.
    #[schemars(rename = "ContractSettings")]
    Settings {
        /// Seats: `players.*`.
        players: PlayerRules {
            /// Fewest players
            /// With fewer than this the game cannot begin.
            min: u8 = 3, row("A-01").from(2).to(12).whole_match(), apart(TITLE);
            /// Most players
            /// More than this cannot sit down. The table refuses a number at which fewer than 20 cards would be left in the stock.
            max: u8 = 5, row("A-01").from(2).to(12).whole_match(), apart(TITLE);
            /// Partnerships
            /// 0: everybody plays alone. 2: two partnerships in alternate seats.
            teams: u8 = 0, row("4.2").from(2).to(2).zero("where everybody plays alone").whole_match().file_only(),
            says(Section::Cards, |t| (t.players.teams == 2).then(|| {
                "Two partnerships play, partners in alternate seats. Partners add up their points; where one of them goes out, neither counts cards.".into()
            }));
            /// Direction
            /// Whether the deal and the play go clockwise (cw) or counter-clockwise (ccw).
            direction: Direction = Direction::Cw, row("CR-DEAL-1").whole_match(),
            says(Section::Deal, |t| Some(match t.players.direction {
                Direction::Cw => "The deal and the play go clockwise.".into(),
                Direction::Ccw => "The deal and the play go counter-clockwise.".into(),
            }));
        }
        /// What is shuffled together: `deck.*`.
        deck: DeckRules {
            /// Packs
            /// How many packs are shuffled together; `ceil(n/2)` is one for each two players, rounded up.
            decks: u8 = 2, row("A-02").from(1).to(12).reckoned().whole_match(),
            says(Section::Cards, |t| Some(format!(
                "With {}: {} of {} cards and {}, {} cards in all.",
                count(t.rules.seats, "player", "players"),
                count(t.deck.decks, "pack", "packs"),
                t.deck.suits.len() * t.deck.ranks.len(),
                count(t.deck.jokers, "joker", "jokers"),
                t.rules.cards().len(),
            )));
            /// Jokers
            /// How many jokers there are in all; `n-1` is one fewer than players, `2*d` two in each pack.
            jokers: u8 = 0, row("CR-DECK-1").from(0).to(48).reckoned().written("\"n-1\"").whole_match(),
            told_by("deck.decks");
            /// Suits
            /// Names of the suits, no two with the same initial.
            suits: Vec<String> = cards::Pack::standard().suits, row("4.2").whole_match().file_only(),
            says(Section::Cards, |t| (t.rules.pack() != cards::Pack::standard()).then(|| {
                format!("A pack has the suits {} and the ranks {}.", listed(&t.deck.suits, "and"), t.deck.ranks.join(" "))
            }));
            /// Ranks
            /// The ranks, lowest first.
            ranks: Vec<String> = cards::Pack::standard().ranks, row("4.2").letters().whole_match().file_only(),
            told_by("deck.suits");
        }
        /// The deal: `deal.*`.
        deal: DealRules {
            /// Cards dealt
            /// How many cards each player is dealt, in rounds that do not say otherwise.
            cards: u8 = 10, row("A-03").from(1).to(99).creator(5, 16).reckoned(), apart(ROUNDS);
            /// Upcard
            /// Whether a card is turned up after the deal to begin the discard pile.
            upcard: bool = true, row("CR-DEAL-3"),
            says(Section::Deal, |t| Some(if t.deal.upcard {
                "After the deal one card is turned up and begins the discard pile; the rest is the stock. The player after the dealer begins.".into()
            } else {
                "No card is turned up after the deal: all that is left is the stock. The player after the dealer begins.".into()
            }));
            /// A wild upcard
            /// keep: it stays and may be taken like any card. rebury: it goes back into the stock and another is turned up.
            upcard_wild: UpcardWild = UpcardWild::Keep, row("A-05"),
            says(Section::Deal, |t| (t.deal.upcard && t.has_wilds()).then(|| match t.deal.upcard_wild {
                UpcardWild::Keep => "A wild card that is turned up stays and may be taken like any other.".into(),
                UpcardWild::Rebury => "A wild card is not turned up: it goes back into the stock, and another is turned up.".into(),
            }));
            /// First dealer
            /// Who deals the first round.
            first_dealer: FirstDealer = FirstDealer::Random, row("CR-DEAL-1").whole_match(),
            says(Section::Deal, |t| Some(match t.deal.first_dealer {
                FirstDealer::Random => "Chance says who deals first.".into(),
                FirstDealer::Seat1 => "The first seat deals first.".into(),
                FirstDealer::HighCard => "Everybody is dealt a card, and the highest deals first.".into(),
            }));
            /// Next dealer
            /// Who deals the next round: the next player, the winner of the round, or the same again.
            next_dealer: NextDealer = NextDealer::Rotate, row("A-40"),
            says(Section::Deal, |t| Some(match t.deal.next_dealer {
                NextDealer::Rotate => "The deal passes to the next player every round.".into(),
                NextDealer::Winner => "The winner of a round deals the next; where nobody won, the next player does.".into(),
                NextDealer::Same => "The same player deals every round.".into(),
            }));
        }
        /// The cut before it (Liverpool): `cut.*`.
        cut: CutRules {
            /// Cut before the deal
            /// The player at the dealer's right cuts; an exact cut earns points.
            on: bool = false, row("LV-2"),
            says(Section::Deal, |t| (t.cut.on && t.cut.mode != CutMode::Off).then(|| {
                "Before each deal the last to play, the player before the dealer, cuts.".into()
            }));
            /// Points for an exact cut
            /// Added to the cutter's score when the packet holds exactly the cards of all hands and the upcard.
            points: i32 = -50, row("LV-3").from(-1000).to(1000),
            says(Section::Deal, |t| (t.cut.on && t.cut.mode != CutMode::Off).then(|| format!(
                "Whoever lifts exactly the cards of all hands{} changes the own score by {}, at once and even below zero.",
                if t.deal.upcard { " and the upcard" } else { "" },
                t.cut.points,
            )));
            /// How the cut is made
            /// aim: the cutter aims and chance adds a little. chance: it falls by itself. off: no cut.
            mode: CutMode = CutMode::Aim, row("A-35"),
            says(Section::Deal, |t| t.cut.on.then(|| match t.cut.mode {
                CutMode::Aim => Some("The cutter aims at a depth, and chance moves the knife.".into()),
                CutMode::Chance => Some("How deep the cut goes is left to chance.".into()),
                CutMode::Off => None,
            }).flatten());
            /// How unsteady the cut is
            /// The aim is missed by the difference of two numbers from 0 to this.
            noise: u8 = 12, row("A-35").from(0).to(20),
            says(Section::Deal, |t| (t.cut.on && t.cut.mode == CutMode::Aim).then(|| match t.cut.noise {
                0 => "The cut goes just as deep as aimed.".into(),
                n => format!("It misses the aim by {} at most.", count(n, "card", "cards")),
            }));
        }
        /// Wilds: `wild.*`.
        wild: WildRules {
            /// Wild ranks
            /// Ranks that are wild besides the jokers, such as "2".
            ranks: Vec<String> = Vec::new(), row("PR-DECK-1"),
            says(Section::Wilds, |t| Some(if t.has_wilds() {
                format!("Wild: {}.", t.wild_cards())
            } else {
                "No card is wild: each stands for itself.".into()
            }));
            /// Wild cards
            /// Single cards that are wild, such as "AH".
            faces: Vec<String> = Vec::new(), row("4.2"), told_by("wild.ranks");
            /// Melds that may hold wilds
            /// G groups, R runs, P pairs.
            kinds: Vec<String> = ["G", "R", "P"].map(String::from).to_vec(), row("A-42"),
            says(Section::Wilds, |t| t.has_wilds().then(|| {
                let pairs = t.some_slot(|slots| slots.iter().any(|s| s.0.iter().any(|s| s.kind == crate::meld::Kind::Pair)));
                let kinds: Vec<&str> = [("G", "a group"), ("R", "a run"), ("P", "a pair")]
                    .into_iter()
                    .filter(|(kind, _)| t.wild.kinds.iter().any(|k| k == kind) && (*kind != "P" || pairs))
                    .map(|(_, word)| word)
                    .collect();
                if kinds.is_empty() {
                    "No meld may hold a wild.".into()
                } else {
                    format!("A wild may stand for any missing card of {}.", listed(&kinds, "or"))
                }
            }));
            /// Most wilds in a meld
            /// 0: any number.
            max_per_meld: u8 = 0, row("A-08").from(0).to(14),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.max_per_meld {
                0 => "A meld may hold any number of wilds.".into(),
                n => format!("At most {} in a meld.", count(n, "wild", "wilds")),
            }));
            /// Fewest naturals in a meld
            /// So many cards of a meld must stand for themselves.
            min_naturals: u8 = 1, row("A-08").from(0).to(14),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.min_naturals {
                0 => "A meld of wilds alone is a meld; whoever lays it says what it is.".into(),
                n => format!("At least {} in a meld.", count(n, "natural card", "natural cards")),
            }));
            /// Wilds against naturals
            /// Whether wilds may outnumber, or equal, the naturals of a meld.
            balance: WildBalance = WildBalance::None, row("A-08"),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.balance {
                WildBalance::None => None,
                WildBalance::AtLeast => Some("Wilds may not outnumber naturals in a meld.".into()),
                WildBalance::More => Some("Naturals must outnumber wilds in a meld.".into()),
            }).flatten());
            /// When the limits on wilds hold
            /// always: on the table too. contract: only when the contract is laid.
            cap_scope: CapScope = CapScope::Always, row("A-08"),
            says(Section::Wilds, |t| {
                let limits = t.wild.max_per_meld > 0 || t.wild.balance != WildBalance::None;
                (t.has_wilds() && limits && t.melds_lie()).then(|| match t.wild.cap_scope {
                    CapScope::Always => "These limits hold at all times, also for what is laid off.".into(),
                    CapScope::Contract => "These limits hold when the contract is laid, not for what is added later.".into(),
                })
            });
            /// Wilds at the ends of a run
            /// Whether a wild may stand at a run's end.
            ends: bool = true, row("A-06"),
            says(Section::Wilds, |t| (t.has_wilds() && !t.wild.ends).then(|| "A wild never stands at a run's end.".into()));
            /// Wilds side by side
            /// Whether wilds may be neighbours in a run.
            adjacent: bool = true, row("4.2"),
            says(Section::Wilds, |t| (t.has_wilds() && !t.wild.adjacent).then(|| "Wilds are never neighbours in a run.".into()));
            /// Whether a wild stays
            /// fixed: it stands for the same card to the end. end-free: at a run's end it may be read anew when a natural is added there. to-end: a natural may take its place and push it to an end of the same run.
            place: WildPlace = WildPlace::Fixed, row("A-07"),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.place {
                WildPlace::Fixed => "What a wild in a run stands for is said when it is laid, and stays.".into(),
                WildPlace::EndFree => "A wild at a run's end may be read anew when a natural card is laid there; others stay what they stand for.".into(),
                WildPlace::ToEnd => "A natural card may take the place of a wild in a run and push it to an end of the same run.".into(),
            }));
            /// A wild rank in its own place
            /// Whether such a card counts as natural there.
            natural_in_place: bool = true, row("A-43"),
            says(Section::Wilds, |t| (!t.wild.ranks.is_empty() || !t.wild.faces.is_empty()).then(|| if t.wild.natural_in_place {
                "A wild card that stands for itself in a meld counts as natural there.".into()
            } else {
                "A wild card counts as wild even where it stands for itself.".into()
            }));
            /// Taking wilds back
            /// From which melds a wild may be taken by putting the card it stands for in its place.
            reclaim: Reclaim = Reclaim::Run, row("CR-JOK-3"),
            says(Section::Wilds, |t| (t.has_wilds() && t.melds_lie()).then(|| {
                let (from, dead) = match t.wild.reclaim {
                    Reclaim::None => return "Wilds on the table are never taken back.".into(),
                    Reclaim::Run => ("run", " Wilds in groups stay where they are."),
                    Reclaim::All => ("meld", ""),
                };
                let what = if t.wild.reclaim_what == ReclaimWhat::Jokers { "joker" } else { "wild" };
                let whose = match t.wild.reclaim_from {
                    ReclaimFrom::Any => "any",
                    ReclaimFrom::Others => "another player's",
                    ReclaimFrom::Own => "an own",
                };
                let when = match t.wild.reclaim_when {
                    ReclaimWhen::PriorTurn => "Who was down before this turn",
                    ReclaimWhen::AfterContract => "Who is down",
                    ReclaimWhen::BeforeContract => "Who is not yet down",
                    ReclaimWhen::Anytime => "The player to play, down or not,",
                };
                let then = match t.wild.reclaim_use {
                    ReclaimUse::LayOff => "it must be laid off in the same turn",
                    ReclaimUse::AnyMeld => "it must be used in a meld of the same turn",
                    ReclaimUse::Keep => "it may be kept",
                };
                format!("{when} may put the very card that a {what} stands for in its place in {whose} {from} and take the {what}; {then}.{dead}")
            }));
            /// Which wilds may be taken back
            /// All, or jokers only.
            reclaim_what: ReclaimWhat = ReclaimWhat::All, row("4.2"), told_by("wild.reclaim");
            /// From whose melds
            /// Anybody's, only others', or only one's own.
            reclaim_from: ReclaimFrom = ReclaimFrom::Any, row("A-50"), told_by("wild.reclaim");
            /// When wilds may be taken back
            /// prior-turn: by a player who was down before this turn. after-contract: as soon as one is down. before-contract: only by a player who is not down. anytime: always in one's own turn.
            reclaim_when: ReclaimWhen = ReclaimWhen::PriorTurn, row("A-21"), told_by("wild.reclaim");
            /// What a wild taken back is for
            /// lay-off: it must be laid off in the same turn. any-meld: it must be used in any meld that turn. keep: it may be kept.
            reclaim_use: ReclaimUse = ReclaimUse::LayOff, row("A-20"), told_by("wild.reclaim");
        }
        /// Runs: `run.*`.
        run: RunRules {
            /// The ace in runs
            /// Low and high, high only, low only, or corner: a run may go on from king over ace to two.
            ace: RunAce = RunAce::Both, row("A-09"),
            says(Section::Melds, |t| {
                let (first, (low, high)) = (t.rank(0), t.low_and_high());
                Some(match t.run.ace {
                    RunAce::Both => format!("In runs the {first} is low ({low}) or high ({high}), but a run never goes round the corner."),
                    RunAce::High => format!("In runs the {first} is high only ({high})."),
                    RunAce::Low => format!("In runs the {first} is low only ({low})."),
                    RunAce::Corner => format!(
                        "Runs may go round the corner: after the {} comes the {first}, and then the {}.",
                        t.rank(t.deck.ranks.len() - 1),
                        t.rank(1),
                    ),
                })
            });
            /// Longest run
            /// 0: as long as the ace allows.
            max: u8 = 0, row("A-09").from(4).to(14).zero("for no limit but the ace's"),
            says(Section::Melds, |t| Some(match t.run.max {
                0 => format!("A run may grow to {}.", count(t.deck.ranks.len() as i64 + i64::from(t.run.ace == RunAce::Both), "card", "cards")),
                n => format!("A run has at most {} cards.", n),
            }));
            /// Shortest extra run
            /// Of further melds once down.
            min: u8 = 4, row("4.2").from(3).to(14),
            says(Section::Melds, |t| (t.meld.extra != MeldExtra::None && t.melds_lie()).then(|| format!("A further run has at least {}.", count(t.run.min, "card", "cards"))));
            /// Gap between runs of one suit
            /// So many ranks must lie between two runs of one suit in a contract, unless they overlap; 0: they may touch.
            gap: u8 = 1, row("CR-GAP-1").from(0).to(3),
            says(Section::Melds, |t| (t.two(crate::meld::Kind::Run) && t.run.per_suit != 1).then(|| match t.run.gap {
                0 => "Two runs of one suit in a contract may touch.".into(),
                n => format!(
                    "Two runs of one suit in a contract must leave a gap of {}{}. That holds for the runs of one player when they are laid, not for what comes to touch later.",
                    count(n, "rank", "ranks"),
                    if t.run.overlap { ", or overlap" } else { "" }
                ),
            }));
            /// Overlapping runs
            /// Whether two runs of one suit in a contract may overlap.
            overlap: bool = true, row("CR-GAP-1"),
            says(Section::Melds, |t| (t.two(crate::meld::Kind::Run) && t.run.per_suit != 1 && !t.run.overlap).then(|| {
                "Two runs of one suit in a contract may not overlap.".into()
            }));
            /// Runs of one suit in a contract
            /// 0: any number.
            per_suit: u8 = 0, row("PW-4").from(0).to(5),
            says(Section::Melds, |t| (t.run.per_suit > 0).then(|| {
                format!("A contract holds at most {} of one suit.", count(t.run.per_suit, "run", "runs"))
            }));
        }
        /// Groups: `group.*`.
        group: GroupRules {
            /// Smallest extra group
            /// Of further melds once down.
            min: u8 = 3, row("4.2").from(2).to(14),
            says(Section::Melds, |t| (t.meld.extra != MeldExtra::None && t.melds_lie()).then(|| format!("A further group has at least {}.", count(t.group.min, "card", "cards"))));
            /// Largest group
            /// 0: it grows without limit.
            max: u8 = 0, row("A-12").from(0).to(60),
            says(Section::Melds, |t| Some(match t.group.max {
                0 => "A group may grow without limit.".into(),
                n => format!("A group has at most {}.", count(n, "card", "cards")),
            }));
            /// Groups of different ranks
            /// Whether the groups of a contract must be of different ranks.
            distinct_ranks: bool = false, row("A-11"),
            says(Section::Melds, |t| t.two(crate::meld::Kind::Group).then(|| if t.group.distinct_ranks {
                "The groups of a contract are of different ranks.".into()
            } else {
                "Two groups of a contract may be of the same rank.".into()
            }));
            /// No suit twice in a group
            /// Whether the cards of a group must be of different suits.
            distinct_suits: bool = false, row("4.2"),
            says(Section::Melds, |t| Some(if t.group.distinct_suits {
                "No suit comes twice in a group.".into()
            } else {
                "The suits of a group are free, and equal cards may be in it twice.".into()
            }));
        }
        /// Melding: `meld.*`.
        meld: MeldRules {
            /// Size of the contract's melds
            /// exact: just as printed. at-least: they may be larger.
            size: MeldSize = MeldSize::Exact, row("CR-MELD-5"),
            says(Section::Contracts, |t| Some(match t.meld.size {
                MeldSize::Exact if t.layoff.when == LayoffWhen::SameTurn => "The contract is laid in one action, in one's own turn: exactly these melds, no more and no fewer. A meld may be larger where the cards over could be laid off at once.".into(),
                MeldSize::Exact => "The contract is laid in one action, in one's own turn: exactly these melds, no more and no fewer, each of exactly this size.".into(),
                MeldSize::AtLeast => "The contract is laid in one action, in one's own turn: exactly these melds, no more and no fewer, each of this size or larger.".into(),
            }));
            /// The whole hand at once
            /// Whether the contract must use every card; laying it ends the round.
            all: bool = false, row("CR-R7-1"),
            says(Section::Contracts, |t| t.meld.all.then(|| {
                "The contract must use the whole hand, with no discard after it, and ends the round. So until then nothing is on the table, and nothing is laid off or taken back.".into()
            }));
            /// Further melds
            /// Whether a player who is down may lay new melds.
            extra: MeldExtra = MeldExtra::None, row("A-46"),
            says(Section::Melds, |t| t.melds_lie().then(|| match t.meld.extra {
                MeldExtra::None => "A player melds once in a round, and never has to.".into(),
                MeldExtra::AfterContract => "A player who is down may lay further melds.".into(),
            }));
        }
        /// Laying off: `layoff.*`.
        layoff: LayoffRules {
            /// Laying off
            /// From the turn after melding, in the very turn of melding, or never.
            when: LayoffWhen = LayoffWhen::NextTurn, row("CR-LAY-1"),
            says(Section::LayOffs, |t| t.melds_lie().then(|| {
                let onto = match t.layoff.onto {
                    LayoffOnto::All => "any meld on the table, one's own or another's",
                    LayoffOnto::Own => "one's own melds",
                    LayoffOnto::Team => "the melds of one's team",
                };
                match t.layoff.when {
                    LayoffWhen::NextTurn => format!("From the turn after melding, any number of cards may be laid off on {onto}."),
                    LayoffWhen::SameTurn => format!("From the very turn of melding, any number of cards may be laid off on {onto}."),
                    LayoffWhen::Never => "Nothing is laid off.".into(),
                }
            }));
            /// Lay off on whose melds
            /// Everybody's, one's own, or one's team's.
            onto: LayoffOnto = LayoffOnto::All, row("CR-LAY-2"), told_by("layoff.when");
        }
        /// Drawing: `draw.*`.
        draw: DrawRules {
            /// Drawing
            /// push: take the discard, or push it with a stock card to the next player and draw.
            mode: DrawMode = DrawMode::StockOrDiscard, row("4.2"),
            says(Section::Turn, |t| Some(match t.draw.mode {
                DrawMode::StockOrDiscard => "Draw the top discard or the top card of the stock; then meld and lay off; then discard.".into(),
                DrawMode::Push => "Take the discard; or add the top stock card to it, push both to the next player, and draw the next stock card. Then meld and lay off; then discard.".into(),
            }));
            /// Drawing discards when down
            /// Whether a player who is down may draw the discard.
            discard_when_down: bool = true, row("A-15"),
            says(Section::Turn, |t| (!t.draw.discard_when_down).then(|| "A player who is down may not draw the discard.".into()));
            /// Two turns for the first player
            /// Whether the first player of a round has two turns.
            first_double: bool = false, row("4.2"),
            says(Section::Turn, |t| t.draw.first_double.then(|| "The first player of a round has two turns.".into()));
        }
        /// Taking out of turn: `take.*`.
        take: TakeRules {
            /// Takes out of turn
            /// Whether players may ask for the discard when it is not their turn.
            on: bool = true, row("CR-MAY-1"),
            says(Section::Takes, |t| Some(if t.take.on {
                "The player to play decides first about the top discard. Where that player declines it, the others may ask for it. Who takes a card keeps it in hand and neither melds nor discards: the turn stays where it was.".into()
            } else {
                "Nobody gets a discard out of turn.".into()
            }));
            /// Name of the take
            /// What the button says: May I, Buy.
            label: String = "May I".to_owned(), row("PW-5"),
            says(Section::Takes, |t| t.take.on.then(|| format!("Whoever asks says \"{}\".", t.take.label)));
            /// Takes for each player
            /// 0: any number.
            limit: u8 = 0, row("SH-MAY-1").from(0).to(99),
            says(Section::Takes, |t| t.take.on.then(|| match (t.take.limit, t.take.limit_per) {
                (0, _) => "Everybody may take any number of times.".into(),
                (n, LimitPer::Round) => format!("At most {} a round for each player.", times(n)),
                (n, LimitPer::Game) => format!("At most {} in the whole game for each player.", times(n)),
            }));
            /// The limit counts for
            /// A round, or the whole game.
            limit_per: LimitPer = LimitPer::Round, row("4.2").whole_match(), told_by("take.limit");
            /// Penalty cards
            /// So many stock cards come with each take.
            penalty: u8 = 1, row("CR-MAY-2").from(0).to(5),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.penalty {
                0 => "No card of the stock comes with it.".into(),
                n => format!("It comes with {} from the stock.", count(n, "penalty card", "penalty cards")),
            }));
            /// Price of a taken card
            /// Pennies to the kitty for the card taken.
            pennies: u8 = 0, row("PR-BUY-3").from(0).to(99),
            says(Section::Takes, |t| (t.take.on && t.take.pennies > 0).then(|| {
                format!("It costs {}, paid to the kitty.", count(t.take.pennies, "penny", "pennies"))
            }));
            /// Price of a penalty card
            /// Pennies to the kitty for each stock card that comes with it.
            penalty_pennies: u8 = 0, row("A-28").from(0).to(99),
            says(Section::Takes, |t| (t.take.on && t.take.penalty > 0 && t.take.pennies.max(t.take.penalty_pennies) > 0).then(|| match t.take.penalty_pennies {
                0 => "The cards from the stock cost nothing more.".into(),
                n => format!("Each card from the stock costs {}, paid to the kitty.", count(n, "penny", "pennies")),
            }));
            /// Points for a take
            /// Added to the taker's score.
            points: i32 = 0, row("4.2").from(-100).to(100),
            says(Section::Takes, |t| (t.take.on && t.take.points != 0).then(|| format!("Each take changes the own score by {}.", t.take.points)));
            /// Buying in one's own turn
            /// Whether the player to play may buy the discard first and then draw as usual.
            own_turn: bool = false, row("PR-BUY-4"),
            says(Section::Takes, |t| (t.take.on && t.take.own_turn).then(|| {
                "The player to play may buy the top discard too, at the same price and within the same limit, and then take a normal turn, draw included.".into()
            }));
            /// The player to play, after declining
            /// commit: is bound to the stock. each-card: is asked first about every card.
            current: TakeCurrent = TakeCurrent::Commit, row("A-13"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.current {
                TakeCurrent::Commit => "Who has declined is bound to the stock, whatever card is on top by then.".into(),
                TakeCurrent::EachCard => "After each take the player to play is asked first about the card then on top.".into(),
            }));
            /// Offer the card beneath
            /// Whether the next card of the pile is offered after a take.
            chain: bool = true, row("CR-MAY-3"),
            says(Section::Takes, |t| (t.take.on && !t.stays_open()).then(|| if t.take.chain {
                "After a take the card beneath is offered in the same way, and so on, until a card finds no taker.".into()
            } else {
                "After a take the card beneath is not offered.".into()
            }));
            /// Taking again
            /// Whether a player may take two successive cards, one in a turn, or any.
            repeat: TakeRepeat = TakeRepeat::NotConsecutive, row("A-14"),
            says(Section::Takes, |t| t.take.on.then(|| {
                let scope = match t.take.repeat_scope {
                    RepeatScope::Turn => "in a turn",
                    RepeatScope::Round => "in a round",
                };
                match t.take.repeat {
                    TakeRepeat::NotConsecutive => format!("Nobody takes two successive cards {scope}."),
                    TakeRepeat::OncePerTurn => format!("Nobody takes two cards {scope}."),
                    TakeRepeat::Free => "Anybody may take successive cards.".into(),
                }
            }));
            /// For how long that counts
            /// Within a turn, or the whole round.
            repeat_scope: RepeatScope = RepeatScope::Turn, row("A-14"), told_by("take.repeat");
            /// Who may take
            /// Everybody, or only players who are not down.
            who: TakeWho = TakeWho::All, row("A-15"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.who {
                TakeWho::All => "Players who are down may take too.".into(),
                TakeWho::NotDown => "A player who is down takes no discards.".into(),
            }));
            /// Asking for one's own discard
            /// Whether the player who just discarded may ask for that card.
            own_discard: bool = true, row("A-16"),
            says(Section::Takes, |t| t.take.on.then(|| if t.take.own_discard {
                "The player who has just discarded a card may ask for it too, as the last in order.".into()
            } else {
                "Nobody asks for a card that they have just discarded.".into()
            }));
            /// Takes in the first turn
            /// Whether the upcard may be asked for.
            first_turn: bool = true, row("A-49"),
            says(Section::Takes, |t| (t.take.on && !t.take.first_turn).then(|| "The upcard cannot be asked for in the first turn.".into()));
            /// When several ask
            /// The one to play soonest has it, or the first to ask.
            tie: Tie = Tie::TurnOrder, row("A-36"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.tie {
                Tie::TurnOrder => "Among several the one whose turn comes soonest has it.".into(),
                Tie::FirstCall => "Among several the first to ask has it.".into(),
            }));
            /// How long others may ask
            /// Until the player to play draws, or until that player discards.
            close: TakeClose = TakeClose::BeforeDraw, row("A-36"),
            says(Section::Takes, |t| t.take.on.then(|| if t.stays_open() {
                "The player to play draws at once; the card stays open to askers until that player discards.".into()
            } else {
                "The player to play draws when all that is settled.".into()
            }));
            /// Asking early
            /// Whether others may ask before the player to play has decided, and whether that shows.
            early_asks: EarlyAsks = EarlyAsks::Private, row("A-39"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.early_asks {
                EarlyAsks::Private => "Others may ask before the player to play has decided; nobody sees it, and it is void if that player takes the card.".into(),
                EarlyAsks::Shown => "Others may ask before the player to play has decided, and everybody sees it; it is void if that player takes the card.".into(),
                EarlyAsks::Off => "Nobody asks before the player to play has decided.".into(),
            }));
            /// Too few penalty cards
            /// When the stock cannot pay them: no take, or the take with fewer.
            short: TakeShort = TakeShort::Refuse, row("A-27"),
            says(Section::Takes, |t| (t.take.on && t.take.penalty > 0).then(|| match t.take.short {
                TakeShort::Refuse => "Where the stock cannot pay the penalty cards, nothing is offered.".into(),
                TakeShort::Partial => "Where the stock cannot pay the penalty cards, the take comes with fewer or none.".into(),
            }));
            /// Seconds to ask
            /// How long an offer stays open; 0: until everybody has answered.
            seconds: u16 = 12, row("A-36").from(3).to(60).zero("to wait for everybody"),
            says(Section::Takes, |t| (t.take.on && !t.stays_open()).then(|| match t.take.seconds {
                0 => "An offer stays open until everybody has answered.".into(),
                n => format!("An offer stays open for {n} seconds; who does not answer passes."),
            }));
        }
        /// Shanghai calls: `shanghai.*`.
        shanghai: ShanghaiRules {
            /// Shanghai calls
            /// Whether a discard that fits a meld can be protected or claimed.
            on: bool = false, row("SH-CALL-1"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| format!(
                "Who discards a card that fits a meld on the table, down or not, may call Shanghai: then the next player may not take it, and nobody may ask for any discard in that turn. Without that call any other player, down or not, may call Shanghai, lay the card off on a meld and offer the own hand face down; the discarder draws one card from it, and play goes on with the next player. Either call beats {}. A claimed card costs nothing and counts as no take.",
                if t.take.on { t.take.label.as_str() } else { "all other wishes" },
            )));
            /// When several claim
            /// The one to play soonest, or the first to call.
            tie: Tie = Tie::TurnOrder, row("A-30"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| match t.shanghai.tie {
                Tie::TurnOrder => "Among several callers the one whose turn comes soonest after the discarder has it.".into(),
                Tie::FirstCall => "Among several callers the first has it.".into(),
            }));
            /// Seconds to claim
            /// How long a discard can be claimed.
            seconds: u16 = 6, row("A-30").from(2).to(30),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| format!("A discard can be claimed for {} seconds.", t.shanghai.seconds)));
            /// A claim beats the draw
            /// Whether a claim wins against the next player's wish to draw the card.
            beats_draw: bool = true, row("A-29"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| if t.shanghai.beats_draw {
                "A claim comes before the next player's right to draw the card.".into()
            } else {
                "A card can be claimed only when the next player has declined to draw it.".into()
            }));
            /// A claim can win
            /// Whether a claimer without cards is out and wins the round.
            empty_wins: bool = true, row("A-32"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| if t.shanghai.empty_wins {
                "A caller whose last card is drawn so is out and wins the round.".into()
            } else {
                "A caller whose last card is drawn so is not out, and plays on.".into()
            }));
            /// Claiming the last discard
            /// Whether the discard that takes a player out can be claimed.
            last_discard: bool = false, row("A-32"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| if t.shanghai.last_discard {
                "The discard that takes a player out can be claimed too.".into()
            } else {
                "The discard that takes a player out cannot be claimed.".into()
            }));
        }
        /// Discarding: `discard.*`.
        discard: DiscardRules {
            /// Discarding the card just drawn
            /// Whether the card drawn from the discard pile may be discarded again in the same turn.
            back: DiscardBack = DiscardBack::IfLast, row("A-23"),
            says(Section::Turn, |t| Some(match t.discard.back {
                DiscardBack::IfLast | DiscardBack::Never => "The discard just drawn may not be discarded again in that turn, unless it is the last card.".into(),
                DiscardBack::Allowed => "The discard just drawn may be discarded again.".into(),
            }));
            /// Discarding wilds
            /// Always, or only when no natural is left.
            wild: DiscardWild = DiscardWild::Allowed, row("A-24"),
            says(Section::Turn, |t| t.has_wilds().then(|| match t.discard.wild {
                DiscardWild::Allowed => "Wilds may be discarded.".into(),
                DiscardWild::IfLast => "A wild is discarded only when no natural card is held.".into(),
            }));
        }
        /// Going out: `out.*`.
        out: OutRules {
            /// Going out
            /// Whether the last card must be discarded, may be, or must be played to the table.
            discard: OutDiscard = OutDiscard::Required, row("RF-7"),
            says(Section::End, |t| Some(match t.out.discard {
                _ if t.meld.all => "Nobody goes out with a discard.".into(),
                OutDiscard::Required => "Every turn ends with a discard, so the last card must be discarded: of what could be laid, one card is kept back for it.".into(),
                OutDiscard::Optional => "The last card may be melded, laid off or discarded.".into(),
                OutDiscard::Forbidden => "The last card must be played to the table, never discarded.".into(),
            }));
            /// One card that cannot be played
            /// Where the last card may not be discarded: it is held, or the play that leads there is refused.
            stuck: OutStuck = OutStuck::Hold, row("A-18"),
            says(Section::End, |t| (t.out.discard == OutDiscard::Forbidden && t.melds_lie()).then(|| match t.out.stuck {
                OutStuck::Hold => "A last card that cannot be played is held, and the turn ends without a discard.".into(),
                OutStuck::Reject => "A play that would leave one card that cannot be played is not allowed.".into(),
            }));
        }
        /// The stock: `stock.*`.
        stock: StockRules {
            /// Remaking the stock
            /// Whether the discard pile, but for its top card, becomes the stock when that is empty.
            recycle: Recycle = Recycle::KeepTop, row("A-25"),
            says(Section::End, |t| Some(match t.stock.recycle {
                Recycle::KeepTop => "When the stock is used up, the discard pile but for its top card is shuffled and becomes the stock.".into(),
                Recycle::None => "The stock is not remade when it is used up.".into(),
            }));
            /// Reshuffles in a round
            /// 0: any number.
            max_recycles: u8 = 0, row("A-41").from(0).to(9),
            says(Section::End, |t| (t.stock.recycle == Recycle::KeepTop && t.stock.max_recycles > 0).then(|| format!(
                "That happens at most {} in a round; then the round is blocked when a player declines the last discard.",
                times(t.stock.max_recycles),
            )));
            /// A blocked round
            /// Whether everybody scores when nobody can go on, or nobody.
            blocked: Blocked = Blocked::ScoreAll, row("A-26"),
            says(Section::End, |t| Some(format!(
                "Where the stock is used up and cannot be remade, the player to play must take the top discard. When both piles are empty, or everybody has had a turn since and nothing was played, the round is blocked: nobody wins it, and {}.",
                match t.stock.blocked {
                    Blocked::ScoreAll => "everybody scores the cards in hand",
                    Blocked::ScoreNone => "nobody scores",
                },
            )));
        }
        /// Points: `score.*`.
        score: ScoreRules {
            /// Card values
            /// Penalty points of each card left in hand.
            values: Values = Values::default(),
            row("A-45").written("{ JK = 15, A = 15, \"J-K\" = 10, \"2-T\" = \"pip\" }").file_only(),
            says(Section::Scores, |t| Some(format!("Cards left in hand count: {}.", t.card_values())));
            /// Points for going out
            /// Added to the score of the winner of a round.
            winner: i32 = 0, row("4.2").from(-1000).to(1000),
            says(Section::Scores, |t| (t.score.winner != 0).then(|| format!("Going out changes the own score by {}.", t.score.winner)));
            /// Points for contract and out in one turn
            /// Added on top of those for going out.
            at_once: i32 = 0, row("4.2").from(-1000).to(1000),
            says(Section::Scores, |t| (t.score.at_once != 0).then(|| {
                format!("Laying the contract and going out in one turn changes the own score by {}.", t.score.at_once)
            }));
            /// The lowest total wins
            /// Else the highest.
            low_wins: bool = true, row("RF-12").whole_match(),
            says(Section::Scores, |t| Some(format!(
                "Who goes out counts no cards in that round, the others count those left in hand, also what could be melded. The {} total after the last round wins.",
                if t.score.low_wins { "lowest" } else { "highest" },
            )));
            /// Equal totals
            /// They share the place, or more rounds won decide, or the last round.
            ties: ScoreTies = ScoreTies::Share, row("A-33").whole_match(),
            says(Section::Scores, |t| Some(match t.score.ties {
                ScoreTies::Share => "Equal totals share the place.".into(),
                ScoreTies::RoundsWon => "Of equal totals the one with more rounds won is better.".into(),
                ScoreTies::LastRound => "Of equal totals the one with the better last round is better.".into(),
            }));
        }
        /// Pennies: `money.*`.
        money: MoneyRules {
            /// Pennies at the end
            /// Whether places are paid in pennies when the match ends.
            on: bool = false, row("PR-SET-1").whole_match(),
            says(Section::Scores, |t| t.money.on.then(|| {
                let places = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"];
                let pays: Vec<String> =
                    places.iter().zip(t.payments()).map(|(place, amount)| format!("the {place} pays {}", count(amount, "penny", "pennies"))).collect();
                format!("At the end {}, all to the winner. Equal places share what is theirs.", listed(&pays, "and"))
            }));
            /// Pennies a place
            /// Place k pays this times k - 1.
            step: i32 = 2, row("A-34").from(0).to(99).whole_match(), told_by("money.on");
            /// Payments by number of players
            /// The amounts of places 2, 3, ... for a number of players, instead of the step.
            schedule: BTreeMap<u8, Vec<i32>> = BTreeMap::new(), row("A-34").whole_match().file_only(), told_by("money.on");
            /// The kitty
            /// To the winner, or two thirds to the winner and one to the second.
            kitty: Kitty = Kitty::Winner, row("PR-SET-3").whole_match(),
            says(Section::Scores, |t| t.money.on.then(|| match t.money.kitty {
                Kitty::Winner => "The winner also takes the kitty.".into(),
                Kitty::TwoThirds => "The winner takes two thirds of the kitty, the second one third.".into(),
            }));
        }
        /// The match as a whole: `game.*`.
        game: GameRules {
            /// Rounds played
            /// All of them, or some, in their order.
            rounds: Rounds = Rounds::All, row("A-47").whole_match(), apart(ROUNDS);
            /// Progress
            /// Everybody goes to the next contract together, or each repeats a missed one.
            progress: Progress = Progress::Together, row("4.2").whole_match().file_only(),
            says(Section::Contracts, |t| Some(match t.game.progress {
                Progress::Together => "All go on to the next round together, whether they have laid its contract or not.".into(),
                Progress::PerPlayer => "Everybody goes through the contracts at an own pace: who misses one tries it again in the next deal.".into(),
            }));
            /// End of the match
            /// After all rounds, or when somebody has laid every contract.
            end: GameEnd = GameEnd::AfterRounds, row("4.2").whole_match(),
            says(Section::Contracts, |t| (t.game.progress == Progress::PerPlayer).then(|| match t.game.end {
                GameEnd::AfterRounds => "The match ends when everybody has laid every contract.".into(),
                GameEnd::FirstFinisher => "The match ends when somebody has laid every contract. Who has laid more contracts is better; among equals the total decides.".into(),
            }));
            /// Which contract
            /// The one of the round, or the first to meld picks one of those left.
            choice: ContractChoice = ContractChoice::Fixed, row("4.2").whole_match(),
            says(Section::Contracts, |t| (t.game.choice == ContractChoice::FirstMelder).then(|| {
                "The first to meld in a round picks one of the contracts not yet used, and all follow.".into()
            }));
            /// Most turns in a round
            /// So many turns for each seat, and the round is blocked; 0: no limit.
            max_turns: u16 = 100, row("Q-15").from(0).to(1000),
            says(Section::End, |t| (t.game.max_turns > 0).then(|| format!(
                "A round in which everybody has had {} is blocked too.",
                count(t.game.max_turns, "turn", "turns"),
            )));
            /// Most rounds
            /// Where missed contracts are repeated; 0: three times the number of contracts.
            max_rounds: u16 = 0, row("Q-15").from(0).to(250).whole_match(),
            says(Section::Contracts, |t| (t.game.progress == Progress::PerPlayer).then(|| {
                format!("It ends after {} in any case.", count(t.most_deals() as i64, "deal", "deals"))
            }));
        }
        /// The turn clock: `turn.*`.
        turn: TurnRules {
            /// Seconds for a turn
            /// 0: no clock. When time runs out a simple move is made for the player.
            seconds: u16 = 0, row("Q-16").from(0).to(600),
            says(Section::Table, |t| (t.turn.seconds > 0).then(|| {
                format!("A turn has {}; then a simple move is made for the player.", count(t.turn.seconds, "second", "seconds"))
            }));
        }
        /// Manners: `table.*`.
        table: TableRules {
            /// Taking back
            /// Whether a meld or lay-off may be taken back until the discard.
            undo: Undo = Undo::None, row("A-37").whole_match(),
            says(Section::Table, |t| Some(match t.table.undo {
                Undo::None => "What has been played stays played.".into(),
                Undo::UntilDiscard => "A meld, a lay-off or a wild taken back may be undone until the discard.".into(),
            }));
            /// Looking through the discards
            /// Whether everybody may look at the whole discard pile.
            discard_browse: bool = false, row("A-38").whole_match(),
            says(Section::Table, |t| Some(if t.table.discard_browse {
                "Everybody may look through the whole discard pile.".into()
            } else {
                "Of the discard pile only the top card may be seen.".into()
            }));
        }
    }
}
