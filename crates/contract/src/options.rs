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
use game::option::{Named, apart, row, says, told_by};
use game::options;
use game::words::{number, so_often};
use game::{Say, say};
use std::collections::BTreeMap;
use tell::place_words;
pub use tell::{Section, Tell, Told};

/// How rule files name the kinds of melds, in the order of [`Kind`](crate::meld::Kind).
pub const MELD_KINDS: [&str; 4] = ["G", "R", "P", "F"];

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
            /// 0: everybody plays alone. 2: two partnerships in alternate seats. 3: three, each of every third seat.
            teams: u8 = 0, row("HR-TEAM-1").from(2).to(3).zero("where everybody plays alone").whole_match().file_only(),
            says(Section::Cards, |t| match t.players.teams {
                0 => None,
                2 => Some(say!("rule.contract.teams")),
                _ => Some(say!("rule.contract.sides")),
            });
            /// Direction
            /// Whether the deal and the play go clockwise or anticlockwise.
            direction: Direction = Direction::Cw, row("CR-DEAL-1").whole_match(),
            says(Section::Deal, |t| Some(match t.players.direction {
                Direction::Cw => say!("rule.contract.direction.cw"),
                Direction::Ccw => say!("rule.contract.direction.ccw"),
            }));
        }
        /// What is shuffled together: `deck.*`.
        deck: DeckRules {
            /// Packs
            /// How many packs are shuffled together.
            decks: u8 = 2, row("A-02").from(1).to(12).reckoned().whole_match(),
            says(Section::Cards, |t| Some(say!(
                "rule.contract.decks",
                players = t.rules.seats,
                players_words = number(t.rules.seats),
                packs = t.deck.decks,
                packs_words = number(t.deck.decks),
                cards = t.deck.suits.len() * t.deck.ranks.len(),
                jokers = t.deck.jokers,
                jokers_words = number(t.deck.jokers),
                all = t.rules.cards().len(),
            )));
            /// Jokers
            /// How many jokers there are in all; `n-1` is one fewer than players, `2*d` two in each pack.
            jokers: u8 = 0, row("CR-DECK-1").from(0).to(48).reckoned().written("\"n-1\"").whole_match(),
            told_by("deck.decks");
            /// Suits
            /// Names of the suits, no two with the same initial.
            suits: Vec<String> = cards::Pack::standard().suits, row("4.2").whole_match().file_only(),
            says(Section::Cards, |t| (t.rules.pack() != cards::Pack::standard()).then(|| {
                let suits = t.deck.suits.iter().map(|suit| say!("list.name", name = suit.clone())).collect();
                say!("rule.contract.pack", suits = Say::all(suits).unwrap_or_default(), ranks = t.deck.ranks.join(" "))
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
                say!("rule.contract.upcard.yes")
            } else {
                say!("rule.contract.upcard.no")
            }));
            /// A wild upcard
            /// keep: it stays and may be taken like any card. put back: it goes back into the stock and another is turned up.
            upcard_wild: UpcardWild = UpcardWild::Keep, row("A-05"),
            says(Section::Deal, |t| (t.deal.upcard && t.has_wilds()).then(|| match t.deal.upcard_wild {
                UpcardWild::Keep => say!("rule.contract.upcard_wild.keep"),
                UpcardWild::Rebury => say!("rule.contract.upcard_wild.rebury"),
            }));
            /// First dealer
            /// Who deals the first round.
            first_dealer: FirstDealer = FirstDealer::Random, row("CR-DEAL-1").whole_match(),
            says(Section::Deal, |t| Some(match t.deal.first_dealer {
                FirstDealer::Random => say!("rule.contract.first_dealer.random"),
                FirstDealer::Seat1 => say!("rule.contract.first_dealer.seat"),
                FirstDealer::HighCard => say!("rule.contract.first_dealer.high"),
            }));
            /// Next dealer
            /// Who deals the next round: the next player, the winner of the round, or the same again.
            next_dealer: NextDealer = NextDealer::Rotate, row("A-40"),
            says(Section::Deal, |t| Some(match t.deal.next_dealer {
                NextDealer::Rotate => say!("rule.contract.next_dealer.rotate"),
                NextDealer::Winner => say!("rule.contract.next_dealer.winner"),
                NextDealer::Same => say!("rule.contract.next_dealer.same"),
            }));
        }
        /// The cut before it (Liverpool): `cut.*`.
        cut: CutRules {
            /// Cut before the deal
            /// The player at the dealer's right cuts; an exact cut earns points.
            on: bool = false, row("LV-2"),
            says(Section::Deal, |t| (t.cut.on && t.cut.mode != CutMode::Off).then(|| {
                say!("rule.contract.cut.on")
            }));
            /// Points for an exact cut
            /// Added to the cutter's score when the packet holds exactly the cards of all hands and the upcard.
            points: i32 = -50, row("LV-3").from(-1000).to(1000),
            says(Section::Deal, |t| (t.cut.on && t.cut.mode != CutMode::Off).then(|| if t.deal.upcard {
                say!("rule.contract.cut.points_upcard", n = t.cut.points)
            } else {
                say!("rule.contract.cut.points", n = t.cut.points)
            }));
            /// How the cut is made
            /// The cutter aims and chance adds a little; it falls by chance; or there is no cut.
            mode: CutMode = CutMode::Aim, row("A-35"),
            says(Section::Deal, |t| t.cut.on.then(|| match t.cut.mode {
                CutMode::Aim => Some(say!("rule.contract.cut.aim")),
                CutMode::Chance => Some(say!("rule.contract.cut.chance")),
                CutMode::Off => None,
            }).flatten());
            /// How unsteady the cut is
            /// The aim is missed by the difference of two numbers from 0 to this.
            noise: u8 = 12, row("A-35").from(0).to(20),
            says(Section::Deal, |t| (t.cut.on && t.cut.mode == CutMode::Aim).then(|| match t.cut.noise {
                0 => say!("rule.contract.cut.exact"),
                n => say!("rule.contract.cut.noise", n = n, words = number(n)),
            }));
        }
        /// Cards passed on before the first turn: `pass.*`.
        pass: PassRules {
            /// Cards passed on
            /// How many cards of the hand everybody passes on face down once they are dealt, all at the same time. 0: none.
            cards: u8 = 0, row("HR-PASS-1").from(1).to(10).zero("where no cards are passed on"),
            says(Section::Deal, |t| (t.pass.cards > 0).then(|| {
                let to = match t.pass.to {
                    PassTo::Left => say!("rule.contract.pass.left"),
                    PassTo::Right => say!("rule.contract.pass.right"),
                    PassTo::Across => say!("rule.contract.pass.across"),
                    PassTo::Alternate => say!("rule.contract.pass.alternate"),
                    PassTo::Partner => say!("rule.contract.pass.partner"),
                };
                say!("rule.contract.pass.on", n = t.pass.cards, words = number(t.pass.cards), to = to)
            }));
            /// Passed on to whom
            /// To the player at the left, at the right or across the table, to the left and to the right by turns, or to the next partner.
            to: PassTo = PassTo::Left, row("HR-PASS-1"), told_by("pass.cards");
        }
        /// Wilds: `wild.*`.
        wild: WildRules {
            /// Wild ranks
            /// Ranks that are wild besides the jokers, such as "2".
            ranks: Vec<String> = Vec::new(), row("PR-DECK-1").named(Named::Ranks(&[])),
            says(Section::Wilds, |t| Some(if t.has_wilds() {
                say!("rule.contract.wild.which", wilds = t.wild_cards())
            } else {
                say!("rule.contract.wild.none")
            }));
            /// Wild cards
            /// Single cards that are wild, such as "AH".
            faces: Vec<String> = Vec::new(), row("4.2").named(Named::Faces), told_by("wild.ranks");
            /// Wild by the upcard
            /// Whether the rank of the card that is turned up at the deal is wild in that round.
            upcard: bool = false, row("HR-WILD-3"), told_by("wild.ranks");
            /// Wild by the dealer
            /// Whether the dealer, once the cards are dealt, names a rank that is wild in that round.
            named: bool = false, row("HR-WILD-4"), told_by("wild.ranks");
            /// Melds that may hold wilds
            /// The kinds of melds in which wilds may lie.
            kinds: Vec<String> = MELD_KINDS.map(String::from).to_vec(), row("A-42").named(Named::These(&MELD_KINDS)),
            says(Section::Wilds, |t| t.has_wilds().then(|| {
                let (pairs, flushes) = (t.wants(crate::meld::Kind::Pair), t.wants(crate::meld::Kind::Flush));
                let kinds = [
                    ("G", say!("rule.contract.wild.group")),
                    ("R", say!("rule.contract.wild.run")),
                    ("P", say!("rule.contract.wild.pair")),
                    ("F", say!("rule.contract.wild.flush")),
                ];
                let kinds = kinds
                    .into_iter()
                    .filter(|(kind, _)| t.wild.kinds.iter().any(|k| k == kind) && (*kind != "P" || pairs) && (*kind != "F" || flushes))
                    .map(|(_, word)| word)
                    .collect();
                match Say::any(kinds) {
                    None => say!("rule.contract.wild.no_kinds"),
                    Some(kinds) => say!("rule.contract.wild.kinds", kinds = kinds),
                }
            }));
            /// Most wilds in a meld
            /// 0: any number.
            max_per_meld: u8 = 0, row("A-08").from(0).to(14),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.max_per_meld {
                0 => say!("rule.contract.wild.any_number"),
                n => say!("rule.contract.wild.max", n = n, words = number(n)),
            }));
            /// Fewest naturals in a meld
            /// So many cards of a meld must stand for themselves.
            min_naturals: u8 = 1, row("A-08").from(0).to(14),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.min_naturals {
                0 => say!("rule.contract.wild.alone"),
                n => say!("rule.contract.wild.min", n = n, words = number(n)),
            }));
            /// Wilds against naturals
            /// Whether wilds may outnumber, or equal, the naturals of a meld.
            balance: WildBalance = WildBalance::None, row("A-08"),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.balance {
                WildBalance::None => None,
                WildBalance::AtLeast => Some(say!("rule.contract.wild.at_least")),
                WildBalance::More => Some(say!("rule.contract.wild.more")),
            }).flatten());
            /// When the limits on wilds hold
            /// Always, on the table too; or only when the contract is laid.
            cap_scope: CapScope = CapScope::Always, row("A-08"),
            says(Section::Wilds, |t| {
                let limits = t.wild.max_per_meld > 0 || t.wild.balance != WildBalance::None;
                (t.has_wilds() && limits && t.melds_lie()).then(|| match t.wild.cap_scope {
                    CapScope::Always => say!("rule.contract.wild.always"),
                    CapScope::Contract => say!("rule.contract.wild.at_contract"),
                })
            });
            /// Wilds at the ends of a run
            /// Whether a wild may stand at a run's end.
            ends: bool = true, row("A-06"),
            says(Section::Wilds, |t| (t.has_wilds() && !t.wild.ends).then(|| say!("rule.contract.wild.ends")));
            /// Wilds side by side
            /// Whether wilds may be neighbours in a run.
            adjacent: bool = true, row("4.2"),
            says(Section::Wilds, |t| (t.has_wilds() && !t.wild.adjacent).then(|| say!("rule.contract.wild.adjacent")));
            /// Whether a wild stays
            /// fixed: it stands for the same card to the end. free at the end: at a run's end it may be read anew when a natural is added there. pushed to an end: a natural may take its place and push it to an end of the same run.
            place: WildPlace = WildPlace::Fixed, row("A-07"),
            says(Section::Wilds, |t| t.has_wilds().then(|| match t.wild.place {
                WildPlace::Fixed => say!("rule.contract.wild.fixed"),
                WildPlace::EndFree => say!("rule.contract.wild.end_free"),
                WildPlace::ToEnd => say!("rule.contract.wild.to_end"),
            }));
            /// A wild rank in its own place
            /// Whether such a card counts as natural there.
            natural_in_place: bool = true, row("A-43"),
            says(Section::Wilds, |t| t.wild_ranks().then(|| if t.wild.natural_in_place {
                say!("rule.contract.wild.natural")
            } else {
                say!("rule.contract.wild.never_natural")
            }));
            /// Taking wilds back
            /// From which melds a wild may be taken by putting the card it stands for in its place.
            reclaim: Reclaim = Reclaim::Run, row("CR-JOK-3"),
            says(Section::Wilds, |t| (t.has_wilds() && t.melds_lie()).then(|| {
                let (from, dead) = match t.wild.reclaim {
                    Reclaim::None => return say!("rule.contract.reclaim.none"),
                    Reclaim::Run => ("run", true),
                    Reclaim::All => ("meld", false),
                };
                let what = if t.wild.reclaim_what == ReclaimWhat::Jokers { "joker" } else { "wild" };
                let whose = match (t.wild.reclaim_from, from) {
                    (ReclaimFrom::Any, "run") => say!("rule.contract.reclaim.any_run"),
                    (ReclaimFrom::Any, _) => say!("rule.contract.reclaim.any_meld"),
                    (ReclaimFrom::Others, "run") => say!("rule.contract.reclaim.others_run"),
                    (ReclaimFrom::Others, _) => say!("rule.contract.reclaim.others_meld"),
                    (ReclaimFrom::Own, "run") => say!("rule.contract.reclaim.own_run"),
                    (ReclaimFrom::Own, _) => say!("rule.contract.reclaim.own_meld"),
                };
                let when = match t.wild.reclaim_when {
                    ReclaimWhen::PriorTurn => say!("rule.contract.reclaim.prior_turn"),
                    ReclaimWhen::AfterContract => say!("rule.contract.reclaim.after_contract"),
                    ReclaimWhen::BeforeContract => say!("rule.contract.reclaim.before_contract"),
                    ReclaimWhen::Anytime => say!("rule.contract.reclaim.anytime"),
                };
                let then = match t.wild.reclaim_use {
                    ReclaimUse::LayOff => say!("rule.contract.reclaim.lay_off"),
                    ReclaimUse::AnyMeld => say!("rule.contract.reclaim.any_use"),
                    ReclaimUse::Keep => say!("rule.contract.reclaim.keep"),
                };
                if dead {
                    say!("rule.contract.reclaim.runs_only", when = when, what = what, whose = whose, then = then)
                } else {
                    say!("rule.contract.reclaim.everywhere", when = when, what = what, whose = whose, then = then)
                }
            }));
            /// Which wilds may be taken back
            /// All, or jokers only.
            reclaim_what: ReclaimWhat = ReclaimWhat::All, row("4.2"), told_by("wild.reclaim");
            /// From whose melds
            /// Anybody's, only others', or only one's own.
            reclaim_from: ReclaimFrom = ReclaimFrom::Any, row("A-50"), told_by("wild.reclaim");
            /// When wilds may be taken back
            /// By a player who was down before this turn, as soon as one is down, only by a player who is not down, or always in one's own turn.
            reclaim_when: ReclaimWhen = ReclaimWhen::PriorTurn, row("A-21"), told_by("wild.reclaim");
            /// What a wild taken back is for
            /// It must be laid off in the same turn, or used in any meld that turn; or it may be kept.
            reclaim_use: ReclaimUse = ReclaimUse::LayOff, row("A-20"), told_by("wild.reclaim");
        }
        /// Runs: `run.*`.
        run: RunRules {
            /// The ace in runs
            /// Low and high, high only, low only, or round the corner: a run may go on from king over ace to two.
            ace: RunAce = RunAce::Both, row("A-09"),
            says(Section::Melds, |t| {
                let (first, (low, high)) = (t.rank(0), t.low_and_high());
                Some(match t.run.ace {
                    RunAce::Both => say!("rule.contract.ace.both", first = first, low = low, high = high),
                    RunAce::High => say!("rule.contract.ace.high", first = first, high = high),
                    RunAce::Low => say!("rule.contract.ace.low", first = first, low = low),
                    RunAce::Corner => say!(
                        "rule.contract.ace.corner",
                        first = first,
                        last = t.rank(t.deck.ranks.len() - 1),
                        second = t.rank(1),
                    ),
                })
            });
            /// Longest run
            /// 0: as long as the ace allows.
            max: u8 = 0, row("A-09").from(4).to(14).zero("for no limit but the ace's"),
            says(Section::Melds, |t| Some(match t.run.max {
                0 => {
                    let most = t.deck.ranks.len() as i64 + i64::from(t.run.ace == RunAce::Both);
                    say!("rule.contract.run.longest", n = most, words = number(most))
                },
                n => say!("rule.contract.run.max", n = n),
            }));
            /// Shortest extra run
            /// Of further melds once down.
            min: u8 = 4, row("4.2").from(3).to(14),
            says(Section::Melds, |t| (t.meld.extra != MeldExtra::None && t.melds_lie()).then(|| say!("rule.contract.run.min", n = t.run.min, words = number(t.run.min))));
            /// Gap between runs of one suit
            /// So many ranks must lie between two runs of one suit in a contract, unless they overlap; 0: they may touch.
            gap: u8 = 1, row("CR-GAP-1").from(0).to(3),
            says(Section::Melds, |t| (t.two(crate::meld::Kind::Run) && t.run.per_suit != 1).then(|| match t.run.gap {
                0 => say!("rule.contract.run.touch"),
                n => if t.run.overlap {
                    say!("rule.contract.run.gap_or_overlap", n = n, words = number(n))
                } else {
                    say!("rule.contract.run.gap", n = n, words = number(n))
                },
            }));
            /// Overlapping runs
            /// Whether two runs of one suit in a contract may overlap.
            overlap: bool = true, row("CR-GAP-1"),
            says(Section::Melds, |t| (t.two(crate::meld::Kind::Run) && t.run.per_suit != 1 && !t.run.overlap).then(|| {
                say!("rule.contract.run.no_overlap")
            }));
            /// Runs of one suit in a contract
            /// 0: any number.
            per_suit: u8 = 0, row("PW-4").from(0).to(5),
            says(Section::Melds, |t| (t.run.per_suit > 0).then(|| {
                say!("rule.contract.run.per_suit", n = t.run.per_suit, words = number(t.run.per_suit))
            }));
        }
        /// Groups: `group.*`.
        group: GroupRules {
            /// Smallest extra group
            /// Of further melds once down.
            min: u8 = 3, row("4.2").from(2).to(14),
            says(Section::Melds, |t| (t.meld.extra != MeldExtra::None && t.melds_lie()).then(|| say!("rule.contract.group.min", n = t.group.min, words = number(t.group.min))));
            /// Largest group
            /// 0: it grows without limit.
            max: u8 = 0, row("A-12").from(0).to(60),
            says(Section::Melds, |t| Some(match t.group.max {
                0 => say!("rule.contract.group.no_limit"),
                n => say!("rule.contract.group.max", n = n, words = number(n)),
            }));
            /// Groups of different ranks
            /// Whether the groups of a contract must be of different ranks.
            distinct_ranks: bool = false, row("A-11"),
            says(Section::Melds, |t| t.two(crate::meld::Kind::Group).then(|| if t.group.distinct_ranks {
                say!("rule.contract.group.ranks_differ")
            } else {
                say!("rule.contract.group.ranks_free")
            }));
            /// No suit twice in a group
            /// Whether the cards of a group must be of different suits.
            distinct_suits: bool = false, row("4.2"),
            says(Section::Melds, |t| Some(if t.group.distinct_suits {
                say!("rule.contract.group.suits_differ")
            } else {
                say!("rule.contract.group.suits_free")
            }));
        }
        /// Melding: `meld.*`.
        meld: MeldRules {
            /// Size of the contract's melds
            /// Just as printed; or they may be larger.
            size: MeldSize = MeldSize::Exact, row("CR-MELD-5"),
            says(Section::Contracts, |t| Some(match t.meld.size {
                MeldSize::Exact if t.layoff.when == LayoffWhen::SameTurn => say!("rule.contract.meld.exact_layoff"),
                MeldSize::Exact => say!("rule.contract.meld.exact"),
                MeldSize::AtLeast => say!("rule.contract.meld.larger"),
            }));
            /// The whole hand at once
            /// Whether the contract must use every card; laying it ends the round.
            all: bool = false, row("CR-R7-1"),
            says(Section::Contracts, |t| t.meld.all.then(|| {
                say!("rule.contract.meld.all")
            }));
            /// Points to go down with
            /// So much the cards of the contract must count at least, by their own values; 0: whatever they count.
            points: u16 = 0, row("HR-OPEN-1").from(1).to(300).zero("for no least sum"),
            says(Section::Contracts, |t| (t.meld.points > 0).then(|| say!("rule.contract.meld.points", n = t.meld.points)));
            /// Further melds
            /// Whether a player who is down may lay new melds.
            extra: MeldExtra = MeldExtra::None, row("A-46"),
            says(Section::Melds, |t| t.melds_lie().then(|| match t.meld.extra {
                MeldExtra::None => say!("rule.contract.meld.once"),
                MeldExtra::AfterContract => say!("rule.contract.meld.further"),
            }));
        }
        /// Laying off: `layoff.*`.
        layoff: LayoffRules {
            /// Laying off
            /// From the turn after melding, in the very turn of melding, or never.
            when: LayoffWhen = LayoffWhen::NextTurn, row("CR-LAY-1"),
            says(Section::LayOffs, |t| t.melds_lie().then(|| {
                let onto = match t.layoff.onto {
                    LayoffOnto::All => say!("rule.contract.layoff.all"),
                    LayoffOnto::Own => say!("rule.contract.layoff.own"),
                    LayoffOnto::Team => say!("rule.contract.layoff.team"),
                };
                match t.layoff.when {
                    LayoffWhen::NextTurn => say!("rule.contract.layoff.next", onto = onto),
                    LayoffWhen::SameTurn => say!("rule.contract.layoff.same", onto = onto),
                    LayoffWhen::Never => say!("rule.contract.layoff.never"),
                }
            }));
            /// Lay off on whose melds
            /// Everybody's, one's own, or one's team's.
            onto: LayoffOnto = LayoffOnto::All, row("CR-LAY-2"), told_by("layoff.when");
            /// Lay-offs only once all are down
            /// Whether nobody may lay off before everybody has laid the contract.
            all_down: bool = false, row("HR-LAY-1"),
            says(Section::LayOffs, |t| {
                let lays = t.layoff.when != LayoffWhen::Never && t.melds_lie();
                (lays && t.layoff.all_down).then(|| say!("rule.contract.layoff.all_down"))
            });
        }
        /// Drawing: `draw.*`.
        draw: DrawRules {
            /// Drawing
            /// From the stock or the top discard; or the discard is taken, or pushed with a stock card to the next player, before one draws.
            mode: DrawMode = DrawMode::StockOrDiscard, row("4.2"),
            says(Section::Turn, |t| Some(match t.draw.mode {
                DrawMode::StockOrDiscard => say!("rule.contract.draw.choice"),
                DrawMode::Push => say!("rule.contract.draw.push"),
            }));
            /// Cards drawn from the stock
            /// So many for each draw from the stock.
            cards: u8 = 1, row("HR-DRAW-1").from(1).to(4),
            says(Section::Turn, |t| (t.draw.cards > 1).then(|| if t.draw.pile == 1 {
                say!("rule.contract.draw.cards", n = t.draw.cards, words = number(t.draw.cards))
            } else {
                say!("rule.contract.draw.from_stock", n = t.draw.cards, words = number(t.draw.cards))
            }));
            /// Cards drawn from the discard pile
            /// So many from its top for each draw from it, or as many as lie there; 0: the whole pile.
            pile: u8 = 1, row("HR-DRAW-2").from(1).to(20).zero("for the whole pile"),
            says(Section::Turn, |t| match t.draw.pile {
                0 => Some(say!("rule.contract.draw.whole_pile")),
                1 => None,
                n => Some(say!("rule.contract.draw.pile", n = n, words = number(n))),
            });
            /// Drawing discards when down
            /// Whether a player who is down may draw the discard.
            discard_when_down: bool = true, row("A-15"),
            says(Section::Turn, |t| (!t.draw.discard_when_down).then(|| say!("rule.contract.draw.not_when_down")));
            /// Two turns for the first player
            /// Whether the first player of a round has two turns.
            first_double: bool = false, row("4.2"),
            says(Section::Turn, |t| t.draw.first_double.then(|| say!("rule.contract.draw.first_double")));
        }
        /// Taking out of turn: `take.*`.
        take: TakeRules {
            /// Takes out of turn
            /// Whether players may ask for the discard when it is not their turn.
            on: bool = true, row("CR-MAY-1"),
            says(Section::Takes, |t| Some(if t.take.on {
                say!("rule.contract.take.yes")
            } else {
                say!("rule.contract.take.no")
            }));
            /// Name of the take
            /// What the button says: May I, Buy.
            label: String = "May I".to_owned(), row("PW-5"),
            says(Section::Takes, |t| t.take.on.then(|| say!("rule.contract.take.label", name = t.take.label.clone())));
            /// Takes for each player
            /// 0: any number.
            limit: u8 = 0, row("SH-MAY-1").from(0).to(99),
            says(Section::Takes, |t| t.take.on.then(|| match (t.take.limit, t.take.limit_per) {
                (0, _) => say!("rule.contract.take.any_number"),
                (n, LimitPer::Round) => say!("rule.contract.take.round", times = so_often(n)),
                (n, LimitPer::Game) => say!("rule.contract.take.game", times = so_often(n)),
            }));
            /// The limit counts for
            /// A round, or the whole game.
            limit_per: LimitPer = LimitPer::Round, row("4.2").whole_match(), told_by("take.limit");
            /// Penalty cards
            /// So many stock cards come with each take.
            penalty: u8 = 1, row("CR-MAY-2").from(0).to(5),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.penalty {
                0 => say!("rule.contract.take.no_penalty"),
                n => say!("rule.contract.take.penalty", n = n, words = number(n)),
            }));
            /// Price of a taken card
            /// Pennies to the kitty for the card taken.
            pennies: u8 = 0, row("PR-BUY-3").from(0).to(99),
            says(Section::Takes, |t| (t.take.on && t.take.pennies > 0).then(|| {
                say!("rule.contract.take.pennies", n = t.take.pennies, words = number(t.take.pennies))
            }));
            /// Price of a penalty card
            /// Pennies to the kitty for each stock card that comes with it.
            penalty_pennies: u8 = 0, row("A-28").from(0).to(99),
            says(Section::Takes, |t| (t.take.on && t.take.penalty > 0 && t.take.pennies.max(t.take.penalty_pennies) > 0).then(|| match t.take.penalty_pennies {
                0 => say!("rule.contract.take.stock_free"),
                n => say!("rule.contract.take.penalty_pennies", n = n, words = number(n)),
            }));
            /// Points for a take
            /// Added to the taker's score.
            points: i32 = 0, row("4.2").from(-100).to(100),
            says(Section::Takes, |t| (t.take.on && t.take.points != 0).then(|| say!("rule.contract.take.points", n = t.take.points)));
            /// Buying in one's own turn
            /// Whether the player to play may buy the discard first and then draw as usual.
            own_turn: bool = false, row("PR-BUY-4"),
            says(Section::Takes, |t| (t.take.on && t.take.own_turn).then(|| {
                say!("rule.contract.take.own_turn")
            }));
            /// The player to play, after declining
            /// Whether that player is bound to the stock, or asked first about every card.
            current: TakeCurrent = TakeCurrent::Commit, row("A-13"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.current {
                TakeCurrent::Commit => say!("rule.contract.take.commit"),
                TakeCurrent::EachCard => say!("rule.contract.take.each_card"),
            }));
            /// Offer the card beneath
            /// Whether the next card of the pile is offered after a take.
            chain: bool = true, row("CR-MAY-3"),
            says(Section::Takes, |t| (t.take.on && !t.stays_open()).then(|| if t.take.chain {
                say!("rule.contract.take.chain")
            } else {
                say!("rule.contract.take.no_chain")
            }));
            /// Taking again
            /// Whether a player may take two successive cards, one in a turn, or any.
            repeat: TakeRepeat = TakeRepeat::NotConsecutive, row("A-14"),
            says(Section::Takes, |t| t.take.on.then(|| {
                match (t.take.repeat, t.take.repeat_scope) {
                    (TakeRepeat::NotConsecutive, RepeatScope::Turn) => say!("rule.contract.take.successive_turn"),
                    (TakeRepeat::NotConsecutive, RepeatScope::Round) => say!("rule.contract.take.successive_round"),
                    (TakeRepeat::OncePerTurn, RepeatScope::Turn) => say!("rule.contract.take.two_turn"),
                    (TakeRepeat::OncePerTurn, RepeatScope::Round) => say!("rule.contract.take.two_round"),
                    (TakeRepeat::Free, _) => say!("rule.contract.take.free"),
                }
            }));
            /// For how long that counts
            /// Within a turn, or the whole round.
            repeat_scope: RepeatScope = RepeatScope::Turn, row("A-14"), told_by("take.repeat");
            /// Who may take
            /// Everybody, or only players who are not down.
            who: TakeWho = TakeWho::All, row("A-15"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.who {
                TakeWho::All => say!("rule.contract.take.down_too"),
                TakeWho::NotDown => say!("rule.contract.take.not_down"),
            }));
            /// Asking for one's own discard
            /// Whether the player who just discarded may ask for that card.
            own_discard: bool = true, row("A-16"),
            says(Section::Takes, |t| t.take.on.then(|| if t.take.own_discard {
                say!("rule.contract.take.own_discard")
            } else {
                say!("rule.contract.take.not_own_discard")
            }));
            /// Takes in the first turn
            /// Whether the upcard may be asked for.
            first_turn: bool = true, row("A-49"),
            says(Section::Takes, |t| (t.take.on && !t.take.first_turn).then(|| say!("rule.contract.take.first_turn")));
            /// When several ask
            /// The one to play soonest has it, or the first to ask.
            tie: Tie = Tie::TurnOrder, row("A-36"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.tie {
                Tie::TurnOrder => say!("rule.contract.take.turn_order"),
                Tie::FirstCall => say!("rule.contract.take.first_call"),
            }));
            /// How long others may ask
            /// Until the player to play draws, or until that player discards.
            close: TakeClose = TakeClose::BeforeDraw, row("A-36"),
            says(Section::Takes, |t| t.take.on.then(|| if t.stays_open() {
                say!("rule.contract.take.stays_open")
            } else {
                say!("rule.contract.take.settled")
            }));
            /// Asking early
            /// Whether others may ask before the player to play has decided, and whether that shows.
            early_asks: EarlyAsks = EarlyAsks::Private, row("A-39"),
            says(Section::Takes, |t| t.take.on.then(|| match t.take.early_asks {
                EarlyAsks::Private => say!("rule.contract.take.early_private"),
                EarlyAsks::Shown => say!("rule.contract.take.early_shown"),
                EarlyAsks::Off => say!("rule.contract.take.early_off"),
            }));
            /// Too few penalty cards
            /// When the stock cannot pay them: no take, or the take with fewer.
            short: TakeShort = TakeShort::Refuse, row("A-27"),
            says(Section::Takes, |t| (t.take.on && t.take.penalty > 0).then(|| match t.take.short {
                TakeShort::Refuse => say!("rule.contract.take.short_refuse"),
                TakeShort::Partial => say!("rule.contract.take.short_partial"),
            }));
            /// Seconds to ask
            /// How long an offer stays open; 0: until everybody has answered.
            seconds: u16 = 12, row("A-36").from(3).to(60).zero("to wait for everybody"),
            says(Section::Takes, |t| (t.take.on && !t.stays_open()).then(|| match t.take.seconds {
                0 => say!("rule.contract.take.everybody"),
                n => say!("rule.contract.take.seconds", n = n),
            }));
        }
        /// Shanghai calls: `shanghai.*`.
        shanghai: ShanghaiRules {
            /// Shanghai calls
            /// Whether a discard that fits a meld can be protected or claimed.
            on: bool = false, row("SH-CALL-1"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| match (t.shanghai.penalty, t.take.on) {
                (0, true) => say!("rule.contract.shanghai.on", name = t.take.label.clone()),
                (0, false) => say!("rule.contract.shanghai.alone"),
                (n, _) => say!("rule.contract.shanghai.fined", n = n, words = number(n)),
            }));
            /// What a claimed discard costs
            /// So many cards from the stock for who threw it; 0: they draw one of the claimer's cards instead.
            penalty: u8 = 0, row("HR-CALL-1").from(1).to(5).zero("where a card of the claimer's is drawn"),
            told_by("shanghai.on");
            /// When several claim
            /// The one to play soonest, or the first to call.
            tie: Tie = Tie::TurnOrder, row("A-30"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| match t.shanghai.tie {
                Tie::TurnOrder => say!("rule.contract.shanghai.turn_order"),
                Tie::FirstCall => say!("rule.contract.shanghai.first_call"),
            }));
            /// Seconds to claim
            /// How long a discard can be claimed.
            seconds: u16 = 6, row("A-30").from(2).to(30),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| say!("rule.contract.shanghai.seconds", n = t.shanghai.seconds)));
            /// A claim beats the draw
            /// Whether a claim wins against the next player's wish to draw the card.
            beats_draw: bool = true, row("A-29"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| if t.shanghai.beats_draw {
                say!("rule.contract.shanghai.beats_draw")
            } else {
                say!("rule.contract.shanghai.after_draw")
            }));
            /// A claim can win
            /// Whether a claimer without cards is out and wins the round.
            empty_wins: bool = true, row("A-32"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| if t.shanghai.empty_wins {
                say!("rule.contract.shanghai.wins")
            } else {
                say!("rule.contract.shanghai.wins_not")
            }));
            /// Claiming the last discard
            /// Whether the discard that takes a player out can be claimed.
            last_discard: bool = false, row("A-32"),
            says(Section::Shanghai, |t| t.shanghai.on.then(|| if t.shanghai.last_discard {
                say!("rule.contract.shanghai.last")
            } else {
                say!("rule.contract.shanghai.not_last")
            }));
        }
        /// Discarding: `discard.*`.
        discard: DiscardRules {
            /// Discarding the card just drawn
            /// Whether the card drawn from the discard pile may be discarded again in the same turn.
            back: DiscardBack = DiscardBack::IfLast, row("A-23"),
            says(Section::Turn, |t| Some(match t.discard.back {
                DiscardBack::IfLast | DiscardBack::Never => say!("rule.contract.discard.not_back"),
                DiscardBack::Allowed => say!("rule.contract.discard.back"),
            }));
            /// Discarding wilds
            /// Always, only when no natural is left, or never: who holds nothing else then ends the turn without a discard.
            wild: DiscardWild = DiscardWild::Allowed, row("A-24"),
            says(Section::Turn, |t| t.has_wilds().then(|| match t.discard.wild {
                DiscardWild::Allowed => say!("rule.contract.discard.wild"),
                DiscardWild::IfLast => say!("rule.contract.discard.wild_last"),
                DiscardWild::Never => say!("rule.contract.discard.wild_never"),
            }));
            /// Taking a discarded wild
            /// Whether a wild that lies on top of the discard pile may be drawn, or asked for out of turn.
            wild_taken: bool = true, row("HR-WILD-1"),
            says(Section::Turn, |t| (t.has_wilds() && !t.discard.wild_taken).then(|| {
                say!("rule.contract.discard.wild_not_taken")
            }));
        }
        /// Losing a turn: `skip.*`.
        skip: SkipRules {
            /// Skip cards
            /// Ranks such as "4", or "JK" for the jokers: whoever is next loses a turn when one is discarded. They lie in no meld, are not wild, and nobody takes them from the discard pile.
            cards: Vec<String> = Vec::new(), row("HR-SKIP-1").whole_match().named(Named::Ranks(&[crate::rules::JOKER])),
            says(Section::Turn, |t| (!t.skip.cards.is_empty()).then(|| {
                let skip = say!("rule.contract.skip.cards", cards = t.skip_cards());
                if t.deal.upcard { say!("rule.contract.skip.upcard", skip = skip) } else { skip }
            }));
        }
        /// Going out: `out.*`.
        out: OutRules {
            /// Going out
            /// Whether the last card must be discarded, may be, or must be played to the table; or whether only a discard takes a player out, who goes on without a card until then.
            discard: OutDiscard = OutDiscard::Required, row("RF-7"),
            says(Section::End, |t| Some(match t.out.discard {
                _ if t.meld.all => say!("rule.contract.out.never_discard"),
                OutDiscard::Required => say!("rule.contract.out.required"),
                OutDiscard::Optional => say!("rule.contract.out.optional"),
                OutDiscard::Forbidden => say!("rule.contract.out.forbidden"),
                OutDiscard::Float => say!("rule.contract.out.float"),
            }));
            /// One card that cannot be played
            /// Where the last card may not be discarded: it is held, or the play that leads there is refused.
            stuck: OutStuck = OutStuck::Hold, row("A-18"),
            says(Section::End, |t| (t.out.discard == OutDiscard::Forbidden && t.melds_lie()).then(|| match t.out.stuck {
                OutStuck::Hold => say!("rule.contract.out.hold"),
                OutStuck::Reject => say!("rule.contract.out.reject"),
            }));
        }
        /// The stock: `stock.*`.
        stock: StockRules {
            /// Remaking the stock
            /// Whether the discard pile, but for its top card, becomes the stock when that is empty.
            recycle: Recycle = Recycle::KeepTop, row("A-25"),
            says(Section::End, |t| Some(match t.stock.recycle {
                Recycle::KeepTop => say!("rule.contract.stock.recycle"),
                Recycle::None => say!("rule.contract.stock.no_recycle"),
            }));
            /// Reshuffles in a round
            /// 0: any number.
            max_recycles: u8 = 0, row("A-41").from(0).to(9),
            says(Section::End, |t| (t.stock.recycle == Recycle::KeepTop && t.stock.max_recycles > 0).then(|| say!("rule.contract.stock.times", times = so_often(t.stock.max_recycles))));
            /// A blocked round
            /// Whether everybody scores when nobody can go on, or nobody.
            blocked: Blocked = Blocked::ScoreAll, row("A-26"),
            says(Section::End, |t| Some(match t.stock.blocked {
                Blocked::ScoreAll => say!("rule.contract.stock.all_score"),
                Blocked::ScoreNone => say!("rule.contract.stock.none_score"),
            }));
        }
        /// Points: `score.*`.
        score: ScoreRules {
            /// Card values
            /// Penalty points of each card left in hand.
            values: Values = Values::default(),
            row("A-45").written("{ JK = 15, A = 15, \"J-K\" = 10, \"2-T\" = \"pip\" }").file_only(),
            says(Section::Scores, |t| Some(say!("rule.contract.values", values = t.card_values())));
            /// Points for going out
            /// Added to the score of the winner of a round.
            winner: i32 = 0, row("4.2").from(-1000).to(1000),
            says(Section::Scores, |t| (t.score.winner != 0).then(|| say!("rule.contract.score.winner", n = t.score.winner)));
            /// Points for contract and out in one turn
            /// Added on top of those for going out.
            at_once: i32 = 0, row("4.2").from(-1000).to(1000),
            says(Section::Scores, |t| (t.score.at_once != 0).then(|| {
                say!("rule.contract.score.at_once", n = t.score.at_once)
            }));
            /// Points for never going down
            /// Added to the score of those who have not laid the contract when a round ends.
            not_down: i32 = 0, row("HR-SCO-1").from(-1000).to(1000),
            says(Section::Scores, |t| (t.score.not_down != 0).then(|| {
                say!("rule.contract.score.not_down", n = t.score.not_down)
            }));
            /// Cards of those who never went down
            /// Counted once like all others, twice, or not at all where points for never going down stand for them.
            not_down_cards: NotDownCards = NotDownCards::Once, row("HR-SCO-2"),
            says(Section::Scores, |t| match t.score.not_down_cards {
                NotDownCards::Once => None,
                NotDownCards::Twice => Some(say!("rule.contract.score.not_down_twice")),
                NotDownCards::Not => Some(say!("rule.contract.score.not_down_not")),
            });
            /// The lowest total wins
            /// Else the highest.
            low_wins: bool = true, row("RF-12").whole_match(),
            says(Section::Scores, |t| {
                // Who is ahead in contracts is ahead.
                let equals = t.game.progress == Progress::PerPlayer && t.game.end == GameEnd::FirstFinisher;
                Some(match (t.score.low_wins, equals) {
                    (true, false) => say!("rule.contract.score.low"),
                    (true, true) => say!("rule.contract.score.low_of_equals"),
                    (false, false) => say!("rule.contract.score.high"),
                    (false, true) => say!("rule.contract.score.high_of_equals"),
                })
            });
            /// Equal totals
            /// They share the place, or more rounds won decide, or the last round.
            ties: ScoreTies = ScoreTies::Share, row("A-33").whole_match(),
            says(Section::Scores, |t| Some(match t.score.ties {
                ScoreTies::Share => say!("rule.contract.ties.share"),
                ScoreTies::RoundsWon => say!("rule.contract.ties.rounds"),
                ScoreTies::LastRound => say!("rule.contract.ties.last"),
            }));
        }
        /// Pennies: `money.*`.
        money: MoneyRules {
            /// Pennies at the end
            /// Whether places are paid in pennies when the match ends.
            on: bool = false, row("PR-SET-1").whole_match(),
            says(Section::Scores, |t| t.money.on.then(|| {
                let pays = (2..=12).zip(t.payments()).map(|(place, amount)| {
                    say!("rule.contract.money.pays", place = place_words(place), n = amount, words = number(amount))
                });
                say!("rule.contract.money.end", pays = Say::all(pays.collect()).unwrap_or_default())
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
                Kitty::Winner => say!("rule.contract.kitty.winner"),
                Kitty::TwoThirds => say!("rule.contract.kitty.thirds"),
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
                Progress::Together => say!("rule.contract.progress.together"),
                Progress::PerPlayer => say!("rule.contract.progress.own"),
            }));
            /// End of the match
            /// After all rounds, or when somebody has laid every contract: then whoever has laid more is better, or the total decides.
            end: GameEnd = GameEnd::AfterRounds, row("HR-END-3").whole_match(),
            says(Section::Contracts, |t| (t.game.progress == Progress::PerPlayer).then(|| match t.game.end {
                GameEnd::AfterRounds => say!("rule.contract.end.all"),
                GameEnd::FirstFinisher => say!("rule.contract.end.first"),
                GameEnd::FinisherTotal => say!("rule.contract.end.first_total"),
            }));
            /// Target score
            /// The match ends after the round in which somebody has reached it; 0: whatever the score.
            target: u16 = 0, row("HR-END-1").from(10).to(10_000).zero("where no score ends the match").whole_match(),
            says(Section::Contracts, |t| (t.game.target > 0).then(|| say!("rule.contract.end.target", n = t.game.target)));
            /// The contracts begin again
            /// Whether the first contract follows the last, until somebody has reached the target score.
            again: bool = false, row("HR-END-2").whole_match(),
            says(Section::Contracts, |t| t.goes_round().then(|| say!("rule.contract.end.again")));
            /// Which contract
            /// The one of the round; or one of those left is picked, by the first to meld, or after the deal by the dealer or by who did worst in the round before; or, where everybody goes on alone, each lays them in any order.
            choice: ContractChoice = ContractChoice::Fixed, row("HR-PICK-1").whole_match(),
            says(Section::Contracts, |t| match t.game.choice {
                ContractChoice::Fixed => None,
                ContractChoice::FirstMelder => Some(say!("rule.contract.choice")),
                ContractChoice::Dealer => {
                    (t.game.progress == Progress::Together).then(|| say!("rule.contract.choice_dealer"))
                }
                ContractChoice::LastLoser => {
                    (t.game.progress == Progress::Together).then(|| say!("rule.contract.choice_loser"))
                }
                ContractChoice::AnyOrder => {
                    (t.game.progress == Progress::PerPlayer).then(|| say!("rule.contract.any_order"))
                }
            });
            /// Most turns in a round
            /// So many turns for each seat, and the round is blocked; 0: no limit.
            max_turns: u16 = 100, row("Q-15").from(0).to(1000),
            says(Section::End, |t| (t.game.max_turns > 0).then(|| say!("rule.contract.max_turns", n = t.game.max_turns, words = number(t.game.max_turns))));
            /// Most rounds
            /// Where contracts are repeated; 0: three times the number of contracts.
            max_rounds: u16 = 0, row("Q-15").from(0).to(250).whole_match(),
            says(Section::Contracts, |t| (t.game.progress == Progress::PerPlayer || t.goes_round()).then(|| {
                say!("rule.contract.max_rounds", n = t.most_deals(), words = number(t.most_deals() as i64))
            }));
        }
        /// The turn clock: `turn.*`.
        turn: TurnRules {
            /// Seconds for a turn
            /// 0: no clock. When time runs out a simple move is made for the player.
            seconds: u16 = 0, row("Q-16").from(0).to(600),
            says(Section::Table, |t| (t.turn.seconds > 0).then(|| {
                say!("rule.contract.turn", n = t.turn.seconds, words = number(t.turn.seconds))
            }));
        }
        /// Manners: `table.*`.
        table: TableRules {
            /// Taking back
            /// Whether a meld or lay-off may be taken back until the discard.
            undo: Undo = Undo::None, row("A-37").whole_match(),
            says(Section::Table, |t| Some(match t.table.undo {
                Undo::None => say!("rule.contract.undo.none"),
                Undo::UntilDiscard => say!("rule.contract.undo.until_discard"),
            }));
            /// Looking through the discards
            /// Whether everybody may look at the whole discard pile.
            discard_browse: bool = false, row("A-38").whole_match(),
            says(Section::Table, |t| Some(if t.table.discard_browse {
                say!("rule.contract.browse.yes")
            } else {
                say!("rule.contract.browse.no")
            }));
        }
    }
}
