//! Every option of the contract family is read: set to each of its values, the same acts in the same positions come to
//! something else. What is compared is all that anybody can see: what is accepted or refused and in which words, the
//! position, the clock, and every seat's view.

use game::written::{Opening, Written};
use game::{Game, Input, Millis, Seat, Status, Timing, Viewer};
use record::fair::{Bytes32, Solo};
use rulebook::{Match, NoFiles, OptionType, Source};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A position and what is done in it, `;` between the acts: `0 draw stock`, or `wait 6000`.
#[derive(Clone, Copy)]
struct At {
    seats: u8,
    round: u16,
    /// The `[setup]` of a scenario; if empty the match is opened and dealt for real.
    setup: &'static str,
    script: &'static str,
}

const fn at(setup: &'static str, script: &'static str) -> At {
    At { seats: 4, round: 1, setup, script }
}

const fn in_round(round: u16, at: At) -> At {
    At { round, ..at }
}

const fn with(seats: u8, at: At) -> At {
    At { seats, ..at }
}

/// An option, its values as they stand in a file, what else the file says, and the positions that tell them apart.
struct Case {
    key: &'static str,
    values: &'static [&'static str],
    file: &'static str,
    at: &'static [At],
}

const fn case(
    key: &'static str,
    values: &'static [&'static str],
    file: &'static str,
    at: &'static [At],
) -> Case {
    Case { key, values, file, at }
}

/// Two groups are on the table, laid by seats 0 and 1 in earlier turns.
const YES_NO: &[&str] = &["true", "false"];
const ONE_GROUP: &str = "round = [{ contract = [\"G3\"] }]";
const MANY_DISCARDS: &str = "hands = ['KS']
discard = '9S 4D 2C 3C 5C 6C 7C 8C 9C TC JC QC 2D 3D 5D 6D 7D 8D 9D TD JD QD'
stock = '2H 3H 5H'";
const PASSING: &str =
    "phase = 'pass'\nhands = ['2C KC', '3C KC', '4C KD', '5C KD', '6C KH', '7C KH']\nstock = '...'";
const PASSED: &str = "0 pass 2C; 1 pass 3C; 2 pass 4C; 3 pass 5C; 4 pass 6C; 5 pass 7C";
const TWO_ROUNDS: &str = "round = [{ contract = [\"G3\"] }, { contract = [\"G3\"] }]";

const PLAYERS_AND_PACK: &[Case] = &[
    case("players.min", &["2", "3"], "", &[with(2, at("", ""))]),
    case("players.max", &["5", "4"], "", &[with(5, at("", ""))]),
    case(
        "players.teams",
        &["0", "2", "3"],
        "players.min = 6\nplayers.max = 6\nround = [{ contract = [\"G3\"] }]",
        &[with(
            6,
            at(
                "phase = 'play'\nhands = ['9C', 'KS', 'KD', 'KH', 'QS', 'QD']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C",
            ),
        )],
    ),
    case(
        "players.direction",
        &["'cw'", "'ccw'"],
        "",
        &[at(
            "turn = 0\nhands = ['2C', '3C', '4C', '5C']\ndiscard = '9S'\nstock = '...'",
            "0 draw discard; 0 discard 2C",
        )],
    ),
    case(
        "deck.decks",
        &["1", "2", "'n+1'", "'ceil(n/2)+3'"],
        "players.min = 2\nplayers.max = 2",
        &[with(2, at("", ""))],
    ),
    case(
        "deck.jokers",
        &["'n-1'", "0", "'2*d'", "[{ upto = 3, is = 2 }, { upto = 12, is = 6 }]"],
        "",
        &[at("", "")],
    ),
    case(
        "deck.suits",
        &[
            "['clubs', 'diamonds', 'hearts', 'spades']",
            "['clubs', 'diamonds', 'hearts']",
            "['red', 'green', 'blue']",
        ],
        "players.max = 3",
        &[with(3, at("", ""))],
    ),
    case(
        "deck.ranks",
        &["'A23456789TJQK'", "'A3456789TJQK'", "['A', '5', '6', '7', '8', '9', '10', '11', '12', '13', 'K']"],
        "players.max = 3\nscore.values = { JK = 15, 'A-K' = 5 }",
        &[with(3, at("", ""))],
    ),
    case("deal.cards", &["10", "7", "'n+2'"], "", &[at("", "")]),
    case("deal.upcard", YES_NO, "", &[at("", "")]),
    case(
        "deal.upcard_wild",
        &["'keep'", "'rebury'"],
        "wild.ranks = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q']",
        &[at("", ""), with(3, at("", "")), with(5, at("", ""))],
    ),
    case(
        "deal.first_dealer",
        &["'random'", "'seat1'", "'high-card'"],
        "",
        &[at("", ""), with(3, at("", "")), with(5, at("", ""))],
    ),
    case(
        "deal.next_dealer",
        &["'rotate'", "'winner'", "'same'"],
        TWO_ROUNDS,
        &[at(
            "phase = 'play'\nturn = 1\nhands = ['KS', '9C', 'KD', 'KH']\nmelds = ['1: G[4C 4D 4H]']",
            "1 discard 9C",
        )],
    ),
    case("cut.on", YES_NO, "", &[at("", "")]),
    case("cut.points", &["-50", "-100", "0", "30"], "cut.on = true", &[at("phase = 'cut'", "2 cut 41")]),
    case(
        "cut.mode",
        &["'aim'", "'chance'", "'off'"],
        "cut.on = true\ndeal.first_dealer = 'seat1'",
        &[at("", "3 cut 90")],
    ),
    case(
        "cut.noise",
        &["0", "12", "20"],
        "cut.on = true\ndeal.first_dealer = 'seat1'",
        &[at("", "3 cut 41"), with(3, at("", "2 cut 31")), with(5, at("", "4 cut 51"))],
    ),
];

const WILDS: &[Case] = &[
    case(
        "wild.ranks",
        &["[]", "['2']", "['2', '3']"],
        "",
        &[
            at("phase = 'play'\nhands = ['9C 9D 2H 4C 4D 4H 5S 6S', '8C']", "0 meld G[9C 9D 2H] G[4C 4D 4H]"),
            at("phase = 'play'\nhands = ['9C 9D 3H 4C 4D 4H 5S 6S', '8C']", "0 meld G[9C 9D 3H] G[4C 4D 4H]"),
        ],
    ),
    case(
        "wild.faces",
        &["[]", "['2H']", "['2H', '2C']"],
        "",
        &[
            at("phase = 'play'\nhands = ['9C 9D 2H 4C 4D 4H 5S 6S', '8C']", "0 meld G[9C 9D 2H] G[4C 4D 4H]"),
            at("phase = 'play'\nhands = ['9C 9D 2C 4C 4D 4H 5S 6S', '8C']", "0 meld G[9C 9D 2C] G[4C 4D 4H]"),
        ],
    ),
    case("wild.upcard", YES_NO, "", &[at("", ""), with(3, at("", "")), with(5, at("", ""))]),
    case(
        "pass.cards",
        &["0", "1", "3", "10"],
        TWO_ROUNDS,
        &[at(
            "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
            "0 discard 9C; 0 pass 2C",
        )],
    ),
    case(
        "pass.to",
        &["'left'", "'right'", "'across'", "'partner'", "'alternate'"],
        "players = { min = 6, max = 6, teams = 2 }\ndeck.decks = 3\npass.cards = 1\nround = [{ contract = [\"G3\"] }, { contract = [\"G3\"] }]",
        &[in_round(2, with(6, at(PASSING, PASSED))), with(6, at(PASSING, PASSED))],
    ),
    case("wild.named", YES_NO, "", &[at("", ""), with(3, at("", ""))]),
    case(
        "wild.kinds",
        &["['G', 'R', 'P', 'F']", "['G', 'R', 'P']", "['G', 'R']", "['G']", "['R']", "['P']", "['F']", "[]"],
        "round = [{ contract = ['G3', 'R4'] }, { contract = ['P2'] }, { contract = ['F4'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['9C 9D JK 4S 5S 6S 7S KD', '8C']",
                "0 meld G[9C 9D JK] R[4S 5S 6S 7S]",
            ),
            at(
                "phase = 'play'\nhands = ['9C 9D 9H 4S 5S 6S JK KD', '8C']",
                "0 meld G[9C 9D 9H] R[4S 5S 6S JK=7S]",
            ),
            in_round(2, at("phase = 'play'\nhands = ['9C JK KD', '8C']", "0 meld P[9C JK]")),
            in_round(3, at("phase = 'play'\nhands = ['9C 2C 7C JK KD', '8C']", "0 meld F[9C 2C 7C JK]")),
        ],
    ),
    case(
        "wild.max_per_meld",
        &["0", "1", "2"],
        "round = [{ contract = ['R4'] }]",
        &[
            at("phase = 'play'\nhands = ['4S JK JK JK KD KC', '8C']", "0 meld R[4S JK=5S JK=6S JK=7S]"),
            at("phase = 'play'\nhands = ['4S JK JK 7S KD KC', '8C']", "0 meld R[4S JK=5S JK=6S 7S]"),
        ],
    ),
    case(
        "wild.min_naturals",
        &["0", "1", "2", "3"],
        "round = [{ contract = ['G3'] }]",
        &[
            at("phase = 'play'\nhands = ['JK JK JK KD', '8C']", "0 meld G[JK=9C JK=9C JK=9C]"),
            at("phase = 'play'\nhands = ['9C JK JK KD', '8C']", "0 meld G[9C JK JK]"),
            at("phase = 'play'\nhands = ['9C 9D JK KD', '8C']", "0 meld G[9C 9D JK]"),
        ],
    ),
    case(
        "wild.balance",
        &["'none'", "'naturals>=wilds'", "'naturals>wilds'"],
        "round = [{ contract = ['R4'] }]",
        &[
            at("phase = 'play'\nhands = ['4S JK JK JK KD KC', '8C']", "0 meld R[4S JK=5S JK=6S JK=7S]"),
            at("phase = 'play'\nhands = ['4S JK JK 7S KD KC', '8C']", "0 meld R[4S JK=5S JK=6S 7S]"),
        ],
    ),
    case(
        "wild.cap_scope",
        &["'always'", "'contract'"],
        "wild.max_per_meld = 1",
        &[at("phase = 'play'\nhands = ['JK 5C', '8C']\nmelds = ['0: G[9C 9D JK]']", "0 layoff JK on 1")],
    ),
    case(
        "wild.ends",
        YES_NO,
        "round = [{ contract = ['R4'] }]",
        &[at("phase = 'play'\nhands = ['4S 5S 6S JK KD', '8C']", "0 meld R[4S 5S 6S JK=7S]")],
    ),
    case(
        "wild.adjacent",
        YES_NO,
        "round = [{ contract = ['R4'] }]",
        &[at("phase = 'play'\nhands = ['4S JK JK 7S KD', '8C']", "0 meld R[4S JK=5S JK=6S 7S]")],
    ),
    case(
        "wild.place",
        &["'fixed'", "'end-free'", "'to-end'"],
        "",
        &[
            at("phase = 'play'\nhands = ['8H KS KC']\nmelds = ['0: R[5H 6H 7H JK=8H]']", "0 layoff 8H on 1"),
            at(
                "phase = 'play'\nhands = ['6H KS KC']\nmelds = ['0: R[4H 5H JK=6H 7H]']",
                "0 layoff 6H on 1 low",
            ),
        ],
    ),
    case(
        "wild.natural_in_place",
        YES_NO,
        "wild.ranks = ['2']\nwild.max_per_meld = 1\nround = [{ contract = ['R4'] }]",
        &[at("phase = 'play'\nhands = ['AH 2H 3H JK KD']", "0 meld R[AH 2H 3H JK=4H]")],
    ),
    case(
        "wild.reclaim",
        &["'none'", "'run'", "'all'"],
        "",
        &[
            at(
                "phase = 'play'\nhands = ['6H KS KC']\nmelds = ['0: R[4H 5H JK=6H 7H]']",
                "0 reclaim 6H from 1",
            ),
            at("phase = 'play'\nhands = ['9S KS KC']\nmelds = ['0: G[9C 9D JK]']", "0 reclaim 9S from 1"),
        ],
    ),
    case(
        "wild.reclaim_what",
        &["'all'", "'jokers'"],
        "wild.ranks = ['2']",
        &[at(
            "phase = 'play'\nhands = ['6H KS KC']\nmelds = ['0: R[4H 5H 2S=6H 7H]']",
            "0 reclaim 6H from 1",
        )],
    ),
    case(
        "wild.reclaim_from",
        &["'any'", "'others'", "'own'"],
        "",
        &[at(
            "phase = 'play'\nhands = ['6H 6S KS KC']\nmelds = ['0: R[4H 5H JK=6H 7H]', '1: R[4S 5S JK=6S 7S]']",
            "0 reclaim 6H from 1; 0 layoff JK on 1 high; 0 reclaim 6S from 2",
        )],
    ),
    case(
        "wild.reclaim_when",
        &["'prior-turn'", "'after-contract'", "'before-contract'", "'anytime'"],
        "wild.reclaim_use = 'keep'\nround = [{ contract = ['G3'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['6H KS KC']\nmelds = ['0: R[4H 5H JK=6H 7H]']",
                "0 reclaim 6H from 1",
            ),
            at(
                "phase = 'play'\nhands = ['6H KS KC']\nmelds = ['1: R[4H 5H JK=6H 7H]']",
                "0 reclaim 6H from 1",
            ),
            at(
                "phase = 'play'\nhands = ['6H 9C 9D 9H KC']\nmelds = ['1: R[4H 5H JK=6H 7H]']",
                "0 meld G[9C 9D 9H]; 0 reclaim 6H from 1",
            ),
        ],
    ),
    case(
        "wild.reclaim_use",
        &["'lay-off'", "'any-meld'", "'keep'"],
        "wild.reclaim_when = 'anytime'\nround = [{ contract = ['G3'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['6H KS KC']\nmelds = ['0: R[4H 5H JK=6H 7H]']",
                "0 reclaim 6H from 1; 0 discard KS",
            ),
            at(
                "phase = 'play'\nhands = ['6H 9C 9D KC']\nmelds = ['1: R[4H 5H JK=6H 7H]']",
                "0 reclaim 6H from 1; 0 meld G[9C 9D JK]",
            ),
        ],
    ),
];

const MELDS: &[Case] = &[
    case(
        "run.ace",
        &["'both'", "'high'", "'low'", "'corner'"],
        "round = [{ contract = ['R4'] }]",
        &[
            at("phase = 'play'\nhands = ['AS 2S 3S 4S KD']", "0 meld R[AS 2S 3S 4S]"),
            at("phase = 'play'\nhands = ['JS QS KS AS KD']", "0 meld R[JS QS KS AS]"),
            at("phase = 'play'\nhands = ['QS KS AS 2S KD']", "0 meld R[QS KS AS 2S]"),
        ],
    ),
    case(
        "run.max",
        &["0", "4", "5", "6"],
        "",
        &[at(
            "phase = 'play'\nhands = ['8H 9H TH KD']\nmelds = ['0: R[4H 5H 6H 7H]']",
            "0 layoff 8H on 1; 0 layoff 9H on 1; 0 layoff TH on 1",
        )],
    ),
    case(
        "run.min",
        &["3", "4", "5"],
        "meld.extra = 'after-contract'",
        &[at(
            "phase = 'play'\nhands = ['TD JD QD 5S 6S 7S 8S KC']\nmelds = ['0: G[4C 4D 4H]']",
            "0 meld R[TD JD QD]; 0 meld R[5S 6S 7S 8S]",
        )],
    ),
    case(
        "run.gap",
        &["0", "1", "2", "3"],
        "round = [{ contract = ['R4', 'R4'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['3H 4H 5H 6H 7H 8H 9H TH KC']",
                "0 meld R[3H 4H 5H 6H] R[7H 8H 9H TH]",
            ),
            at(
                "phase = 'play'\nhands = ['3H 4H 5H 6H 8H 9H TH JH KC']",
                "0 meld R[3H 4H 5H 6H] R[8H 9H TH JH]",
            ),
            at(
                "phase = 'play'\nhands = ['3H 4H 5H 6H 9H TH JH QH KC']",
                "0 meld R[3H 4H 5H 6H] R[9H TH JH QH]",
            ),
        ],
    ),
    case(
        "run.overlap",
        YES_NO,
        "round = [{ contract = ['R4', 'R4'] }]",
        &[at(
            "phase = 'play'\nhands = ['3H 4H 5H 6H 5H 6H 7H 8H KC']",
            "0 meld R[3H 4H 5H 6H] R[5H 6H 7H 8H]",
        )],
    ),
    case(
        "run.per_suit",
        &["0", "1", "2"],
        "run.gap = 0\nround = [{ contract = ['R3', 'R3', 'R3'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['3H 4H 5H 6H 7H 8H 9H TH JH KC']",
                "0 meld R[3H 4H 5H] R[6H 7H 8H] R[9H TH JH]",
            ),
            at(
                "phase = 'play'\nhands = ['3H 4H 5H 6H 7H 8H 9S TS JS KC']",
                "0 meld R[3H 4H 5H] R[6H 7H 8H] R[9S TS JS]",
            ),
        ],
    ),
    case(
        "group.min",
        &["2", "3", "4"],
        "meld.extra = 'after-contract'",
        &[at(
            "phase = 'play'\nhands = ['TD TC JD JC JH KC']\nmelds = ['0: G[4C 4D 4H]']",
            "0 meld G[TD TC]; 0 meld G[JD JC JH]",
        )],
    ),
    case(
        "group.max",
        &["0", "3", "4", "5"],
        "",
        &[at(
            "phase = 'play'\nhands = ['9S 9C 9D KD']\nmelds = ['0: G[9C 9D 9H]']",
            "0 layoff 9S on 1; 0 layoff 9C on 1; 0 layoff 9D on 1",
        )],
    ),
    case(
        "group.distinct_ranks",
        YES_NO,
        "",
        &[at("phase = 'play'\nhands = ['8C 8D 8H 8S 8C 8D KD']", "0 meld G[8C 8D 8H] G[8S 8C 8D]")],
    ),
    case(
        "group.distinct_suits",
        YES_NO,
        ONE_GROUP,
        &[at("phase = 'play'\nhands = ['5D 5D 5S KD']", "0 meld G[5D 5D 5S]")],
    ),
    case(
        "meld.size",
        &["'exact'", "'at-least'"],
        ONE_GROUP,
        &[at("phase = 'play'\nhands = ['5C 5D 5H 5S KD']", "0 meld G[5C 5D 5H 5S]")],
    ),
    case(
        "meld.all",
        YES_NO,
        "meld.size = 'at-least'\nout.discard = 'forbidden'\nround = [{ contract = ['G3'] }]",
        &[at("phase = 'play'\nhands = ['5C 5D 5H KD']", "0 meld G[5C 5D 5H]")],
    ),
    case(
        "meld.points",
        &["0", "40", "60"],
        "round = [{ contract = ['G3', 'G3'] }]",
        &[
            at("phase = 'play'\nhands = ['9C 9D 9H 4C 4D 4S KD', '8C']", "0 meld G[9C 9D 9H] G[4C 4D 4S]"),
            at("phase = 'play'\nhands = ['9C 9D 9H 8C 8D 8S KD', '7C']", "0 meld G[9C 9D 9H] G[8C 8D 8S]"),
        ],
    ),
    case(
        "meld.extra",
        &["'none'", "'after-contract'"],
        "",
        &[at("phase = 'play'\nhands = ['TD TC TS KC']\nmelds = ['0: G[4C 4D 4H]']", "0 meld G[TD TC TS]")],
    ),
    case(
        "layoff.when",
        &["'next-turn'", "'same-turn'", "'never'"],
        ONE_GROUP,
        &[
            at("phase = 'play'\nhands = ['TD TC TS TH KC']", "0 meld G[TD TC TS]; 0 layoff TH on 1"),
            at("phase = 'play'\nhands = ['TH KC']\nmelds = ['0: G[TC TD TS]']", "0 layoff TH on 1"),
        ],
    ),
    case(
        "layoff.onto",
        &["'all'", "'own'", "'team'"],
        "players.teams = 2\nplayers.min = 4\nplayers.max = 4",
        &[at(
            "phase = 'play'\nhands = ['TH JH KC KD']\nmelds = ['0: G[4C 4D 4H]', '1: G[TC TD TS]', '2: G[JC JD JS]']",
            "0 layoff TH on 2; 0 layoff JH on 3",
        )],
    ),
    case(
        "layoff.all_down",
        YES_NO,
        "",
        &[at(
            "phase = 'play'\nhands = ['TH KC KD']\nmelds = ['0: G[4C 4D 4H]', '1: G[TC TD TS]', '2: G[JC JD JS]']",
            "0 layoff TH on 2",
        )],
    ),
];

const TAKES: &[Case] = &[
    case(
        "draw.mode",
        &["'stock-or-discard'", "'push'"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S 4D'\nstock = '2H 3H 5H'", "0 draw stock; 0 draw push")],
    ),
    case(
        "draw.cards",
        &["1", "2", "4"],
        "take.on = false",
        &[at("hands = ['KS']\ndiscard = '9S 4D'\nstock = '2H 3H 5H'", "0 draw stock")],
    ),
    case(
        "draw.pile",
        &["1", "2", "20", "0"],
        "take.on = false",
        &[
            at("hands = ['KS']\ndiscard = '9S 4D'\nstock = '2H 3H 5H'", "0 draw discard"),
            at(MANY_DISCARDS, "0 draw discard"),
        ],
    ),
    case(
        "draw.discard_when_down",
        YES_NO,
        "",
        &[at(
            "hands = ['KS']\ndiscard = '9S 4D'\nstock = '...'\nmelds = ['0: G[4C 4D 4H]']",
            "0 draw discard",
        )],
    ),
    case(
        "draw.first_double",
        YES_NO,
        "",
        &[at(
            "hands = ['2C', '3C', '4C', '5C']\ndiscard = '9S'\nstock = '...'",
            "0 draw discard; 0 discard 2C",
        )],
    ),
    case("take.on", YES_NO, "", &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock")]),
    case(
        "take.label",
        &["'May I'", "'Buy'"],
        "take.limit = 1",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'\ntakes = [0, 1, 0, 0]", "0 draw stock; 1 take")],
    ),
    case(
        "take.limit",
        &["0", "1", "2"],
        "",
        &[
            at("hands = ['KS']\ndiscard = '9S'\nstock = '...'\ntakes = [0, 1, 0, 0]", "0 draw stock; 1 take"),
            at("hands = ['KS']\ndiscard = '9S'\nstock = '...'\ntakes = [0, 2, 0, 0]", "0 draw stock; 1 take"),
        ],
    ),
    case(
        "take.limit_per",
        &["'round'", "'game'"],
        "take.limit = 1\nround = [{ contract = ['G3'] }, { contract = ['G3'] }]",
        &[at(
            "hands = ['9C', 'KD KC', '3S 3D', '5H']\nmelds = ['0: G[4C 4D 4H]']\ndiscard = '9S'\nstock = '2H 4S ...'",
            "0 draw stock; 1 pass; 2 take; 0 layoff 4S on 1; 0 discard 9C; 1 draw stock; 2 take",
        )],
    ),
    case(
        "take.penalty",
        &["0", "1", "2", "5"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case(
        "take.pennies",
        &["0", "1", "3"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case(
        "take.penalty_pennies",
        &["0", "1", "3"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case(
        "take.points",
        &["0", "2", "-5"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case("take.own_turn", YES_NO, "", &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 buy")]),
    case(
        "take.current",
        &["'commit'", "'each-card'"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S 4D'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case(
        "take.chain",
        YES_NO,
        "",
        &[at("hands = ['KS']\ndiscard = '9S 4D'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case(
        "take.repeat",
        &["'not-consecutive'", "'once-per-turn'", "'free'"],
        "",
        &[
            at("hands = ['KS']\ndiscard = '9S 4D KC'\nstock = '...'", "0 draw stock; 1 take; 1 take"),
            at("hands = ['KS']\ndiscard = '9S 4D KC'\nstock = '...'", "0 draw stock; 1 take; 2 take; 1 take"),
        ],
    ),
    case(
        "take.repeat_scope",
        &["'turn'", "'round'"],
        "take.chain = false",
        &[at(
            "hands = ['KS QS']\ndiscard = '9S 4D KC'\nstock = '...'",
            "0 draw stock; 1 pass; 2 take; 0 discard KS; 1 draw stock; 2 take",
        )],
    ),
    case(
        "take.who",
        &["'all'", "'not-down'"],
        "",
        &[at(
            "hands = ['KS']\ndiscard = '9S'\nstock = '...'\nmelds = ['1: G[4C 4D 4H]']",
            "0 draw stock; 1 take",
        )],
    ),
    case(
        "take.own_discard",
        YES_NO,
        "",
        &[at("turn = 1\nhands = ['KS']\ndiscard = '9S'\nstock = '...'", "1 draw stock; 0 take")],
    ),
    case(
        "take.first_turn",
        YES_NO,
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 1 take")],
    ),
    case(
        "take.tie",
        &["'turn-order'", "'first-call'"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 2 take; 1 take; 3 pass")],
    ),
    case(
        "take.close",
        &["'before-draw'", "'before-discard'"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; 1 take; 0 discard KS")],
    ),
    case(
        "take.early_asks",
        &["'private'", "'shown'", "'off'"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "1 take")],
    ),
    case(
        "take.short",
        &["'refuse'", "'partial'"],
        "take.penalty = 2",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '2H'", "0 draw stock; 1 take")],
    ),
    case(
        "take.seconds",
        &["12", "3", "0"],
        "",
        &[at("hands = ['KS']\ndiscard = '9S'\nstock = '...'", "0 draw stock; wait 5000")],
    ),
    case(
        "shanghai.on",
        YES_NO,
        "",
        &[at(
            "phase = 'play'\nhands = ['8C KD QS', '3S 3D', '9H 9S', 'TH TH']\nstock = '...'\nmelds = ['2: R[4C 5C 6C 7C]']",
            "0 discard 8C",
        )],
    ),
    case(
        "shanghai.penalty",
        &["0", "1", "2", "5"],
        "shanghai.on = true",
        &[at(
            "phase = 'play'\nhands = ['8C KD QS', '3S 3D', '9H 9S', 'TH TH']\nstock = '...'\nmelds = ['2: R[4C 5C 6C 7C]']",
            "0 discard 8C; 1 shanghai on 1",
        )],
    ),
    case(
        "shanghai.tie",
        &["'turn-order'", "'first-call'"],
        "shanghai.on = true",
        &[at(
            "phase = 'play'\nhands = ['8C KD QS', '3S 3D', '9H 9S', 'TH TH']\nstock = '...'\nmelds = ['2: R[4C 5C 6C 7C]']",
            "0 discard 8C; 3 shanghai on 1; 2 shanghai on 1; 1 pass",
        )],
    ),
    case(
        "shanghai.seconds",
        &["6", "2", "30"],
        "shanghai.on = true",
        &[at(
            "phase = 'play'\nhands = ['8C KD QS', '3S 3D', '9H 9S', 'TH TH']\nstock = '...'\nmelds = ['2: R[4C 5C 6C 7C]']",
            "0 discard 8C; wait 3000; wait 4000",
        )],
    ),
    case(
        "shanghai.beats_draw",
        YES_NO,
        "shanghai.on = true",
        &[at(
            "phase = 'play'\nhands = ['8C KD QS', '3S 3D', '9H 9S', 'TH TH']\nstock = '...'\nmelds = ['2: R[4C 5C 6C 7C]']",
            "0 discard 8C; 1 draw discard",
        )],
    ),
    case(
        "shanghai.empty_wins",
        YES_NO,
        "shanghai.on = true",
        &[at(
            "phase = 'play'\nhands = ['8C KD QS', '3S 3D', '9H', 'TH TH']\nstock = '...'\nmelds = ['2: R[4C 5C 6C 7C]']",
            "0 discard 8C; 1 pass; 2 shanghai on 1; 0 pick 1",
        )],
    ),
    case(
        "shanghai.last_discard",
        YES_NO,
        "shanghai.on = true",
        &[at(
            "phase = 'play'\nhands = ['8C', '3S 3D', '9H', 'TH TH']\nstock = '...'\nmelds = ['0: R[4C 5C 6C 7C]']",
            "0 discard 8C",
        )],
    ),
];

const ENDS: &[Case] = &[
    // By Q-24 `never` lets the last card go all the same, and `if-last` forbids all others: the two are one rule.
    case(
        "discard.back",
        &["'if-last'", "'allowed'"],
        "",
        &[at("hands = ['KS 2C']\ndiscard = '9S'\nstock = '...'", "0 draw discard; 0 discard 9S")],
    ),
    case(
        "discard.back",
        &["'never'", "'allowed'"],
        "",
        &[at("hands = ['KS 2C']\ndiscard = '9S'\nstock = '...'", "0 draw discard; 0 discard 9S")],
    ),
    case(
        "discard.wild",
        &["'allowed'", "'if-last'", "'never'"],
        "",
        &[
            at("phase = 'play'\nhands = ['JK KS']", "0 discard JK"),
            at("phase = 'play'\nhands = ['JK JK', '2C']\nstock = '...'", "0 discard JK; 0 hold"),
        ],
    ),
    case(
        "discard.wild_taken",
        YES_NO,
        "",
        &[at("hands = ['KS 2C']\ndiscard = 'JK'\nstock = '...'", "0 draw discard")],
    ),
    case(
        "skip.cards",
        &["[]", "['JK']", "['4']", "['4', 'JK']"],
        "",
        &[
            at("phase = 'play'\nhands = ['4C KS', '8C', '9C', 'TC']\nstock = '...'", "0 discard 4C"),
            at("phase = 'play'\nhands = ['JK KS', '8C', '9C', 'TC']\nstock = '...'", "0 discard JK"),
        ],
    ),
    case(
        "out.discard",
        &["'required'", "'optional'", "'forbidden'", "'float'"],
        TWO_ROUNDS,
        &[
            at("phase = 'play'\nhands = ['7H', 'KC']\nmelds = ['0: R[3H 4H 5H 6H]']", "0 layoff 7H on 1"),
            at("phase = 'play'\nhands = ['7H', 'KC']\nmelds = ['0: R[3H 4H 5H 6H]']", "0 discard 7H"),
        ],
    ),
    case(
        "out.stuck",
        &["'hold'", "'reject'"],
        "out.discard = 'forbidden'\nround = [{ contract = ['G3'] }]",
        &[at(
            "phase = 'play'\nhands = ['7H KD', 'KC']\nmelds = ['0: R[3H 4H 5H 6H]']",
            "0 layoff 7H on 1; 0 hold",
        )],
    ),
    case(
        "stock.recycle",
        &["'keep-top'", "'none'"],
        "take.on = false",
        &[at("hands = ['KS 2C']\ndiscard = '9S 4D KC'", "0 draw stock")],
    ),
    case(
        "stock.max_recycles",
        &["0", "1", "2"],
        "take.on = false",
        &[at(
            "hands = ['KS', 'QS', 'JS', 'TS']\ndiscard = '9S 4D'",
            "0 draw stock; 0 discard KS; 1 draw stock; 1 discard QS; 2 draw stock; 2 discard JS; 3 draw stock",
        )],
    ),
    case(
        "stock.blocked",
        &["'score-all'", "'score-none'"],
        TWO_ROUNDS,
        &[at("hands = ['KS', 'QS', 'JS', 'TS']", "")],
    ),
    case(
        "score.values",
        &[
            "{ JK = 15, A = 15, 'J-K' = 10, '2-T' = 'pip' }",
            "{ '9' = 1, 'KS' = 40, JK = 50 }",
            "{ 'A-K' = 5 }",
        ],
        TWO_ROUNDS,
        &[at(
            "phase = 'play'\nhands = ['9C', 'KS', 'KD JK', '7H']\nmelds = ['0: G[4C 4D 4H]']",
            "0 discard 9C",
        )],
    ),
    case(
        "score.winner",
        &["0", "-10", "25"],
        TWO_ROUNDS,
        &[at("phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']", "0 discard 9C")],
    ),
    case(
        "score.at_once",
        &["0", "-20", "7"],
        TWO_ROUNDS,
        &[at(
            "phase = 'play'\nhands = ['4C 4D 4H 9C', 'KS', 'KD', '7H']",
            "0 meld G[4C 4D 4H]; 0 discard 9C",
        )],
    ),
    case(
        "score.not_down",
        &["0", "50", "-5"],
        TWO_ROUNDS,
        &[at(
            "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]', '1: G[5C 5D 5H]']",
            "0 discard 9C",
        )],
    ),
    case(
        "score.not_down_cards",
        &["'once'", "'twice'", "'not'"],
        TWO_ROUNDS,
        &[at(
            "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]', '1: G[5C 5D 5H]']",
            "0 discard 9C",
        )],
    ),
    case(
        "score.low_wins",
        YES_NO,
        ONE_GROUP,
        &[at("phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']", "0 discard 9C")],
    ),
    case(
        "score.ties",
        &["'share'", "'rounds-won'", "'last-round'"],
        ONE_GROUP,
        &[
            at(
                "phase = 'play'\nhands = ['9C', '2S', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']\nscores = [12, 10, 90, 90]",
                "0 discard 9C",
            ),
            at(
                "phase = 'play'\nhands = ['9C', '2S', '3D', '7H']\nmelds = ['0: G[4C 4D 4H]']\nscores = [90, 11, 10, 90]",
                "0 discard 9C",
            ),
        ],
    ),
    case(
        "money.on",
        YES_NO,
        ONE_GROUP,
        &[at("phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']", "0 discard 9C")],
    ),
    case(
        "money.step",
        &["0", "1", "2"],
        "money.on = true\nround = [{ contract = [\"G3\"] }]",
        &[at("phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']", "0 discard 9C")],
    ),
    case(
        "money.schedule",
        &["{}", "{ 4 = [1, 5, 9] }"],
        "money.on = true\nround = [{ contract = [\"G3\"] }]",
        &[at("phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']", "0 discard 9C")],
    ),
    case(
        "money.kitty",
        &["'winner'", "'two-thirds'"],
        "money.on = true\nround = [{ contract = [\"G3\"] }]",
        &[at(
            "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']\nkitty = 7",
            "0 discard 9C",
        )],
    ),
    case(
        "game.rounds",
        &["'all'", "[1, 3]", "[1, 2]", "[1]"],
        "round = [{ contract = ['G3'] }, { contract = ['R4'] }, { contract = ['G4'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C",
            ),
            in_round(
                2,
                at(
                    "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: R[3C 4C 5C 6C]']",
                    "0 discard 9C",
                ),
            ),
        ],
    ),
    case(
        "game.progress",
        &["'together'", "'per-player'"],
        "",
        &[in_round(
            2,
            at(
                "phase = 'play'\nturn = 1\nprogress = [1, 0, 1, 1]\nhands = ['KS', '9C 9D 9H 4C 4D 4H KD', 'KH']",
                "1 meld G[9C 9D 9H] G[4C 4D 4H]",
            ),
        )],
    ),
    case(
        "game.end",
        &["'after-rounds'", "'first-finisher'", "'finisher-total'"],
        "game.progress = 'per-player'\nround = [{ contract = ['G3'] }, { contract = ['G3'] }]",
        &[in_round(
            2,
            at(
                "phase = 'play'\nprogress = [1, 0, 1, 1]\nscores = [90, 0, 0, 0]\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C",
            ),
        )],
    ),
    case(
        "game.target",
        &["0", "100", "200"],
        TWO_ROUNDS,
        &[
            at(
                "phase = 'play'\nscores = [0, 95, 0, 0]\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C",
            ),
            at(
                "phase = 'play'\nscores = [0, 195, 0, 0]\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C",
            ),
        ],
    ),
    case(
        "game.again",
        YES_NO,
        "game.target = 100\nround = [{ contract = ['G3'] }]",
        &[at("phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']", "0 discard 9C")],
    ),
    case(
        "game.choice",
        &["'fixed'", "'first-melder'", "'any-order'"],
        "game.progress = 'per-player'\nround = [{ contract = ['G3', 'G3'] }, { contract = ['G3', 'R4'] }]",
        &[at(
            "phase = 'play'\nhands = ['9C 9D 9H 3C 4C 5C 6C KD', '7C 7D 7H 8C 8D 8H KS']\nstock = '...'",
            "0 meld c2 G[9C 9D 9H] R[3C 4C 5C 6C]; 0 discard KD; 1 draw stock; 2 pass; 3 pass; 1 meld c1 G[7C 7D 7H] G[8C 8D 8H]",
        )],
    ),
    case(
        "game.choice",
        &["'fixed'", "'dealer'", "'last-loser'"],
        "round = [{ contract = ['G3'] }, { contract = ['R4'] }, { contract = ['G4'] }]",
        &[at(
            "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
            "0 discard 9C; 1 contract 2; 0 contract 3",
        )],
    ),
    case(
        "game.max_turns",
        &["0", "1", "2"],
        "take.on = false",
        &[at(
            "hands = ['2C', '3C', '4C', '5C']\ndiscard = '9S'\nstock = '...'",
            "0 draw discard; 0 discard 2C; 1 draw discard; 1 discard 3C; 2 draw discard; 2 discard 4C; \
             3 draw discard; 3 discard 5C; 0 draw discard; 0 discard 9S; 1 draw discard; 1 discard 2C; \
             2 draw discard; 2 discard 3C; 3 draw discard; 3 discard 4C",
        )],
    ),
    case(
        "game.max_rounds",
        &["0", "1", "2"],
        "game.progress = 'per-player'\ngame.max_turns = 1\nround = [{ contract = ['G3'] }]",
        &[
            at(
                "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C",
            ),
            at(
                "phase = 'play'\nhands = ['9C', 'KS', 'KD', '7H']\nmelds = ['0: G[4C 4D 4H]']",
                "0 discard 9C; quit 0; quit 1; quit 2; quit 3; wait 4000000",
            ),
        ],
    ),
    case(
        "turn.seconds",
        &["0", "10", "60"],
        "",
        &[at("hands = ['2C', '3C', '4C', '5C']\ndiscard = '9S'\nstock = '...'", "wait 11000")],
    ),
    case(
        "table.undo",
        &["'none'", "'until-discard'"],
        "",
        &[at(
            "phase = 'play'\nhands = ['7H KD', 'KC']\nmelds = ['0: R[3H 4H 5H 6H]']",
            "0 layoff 7H on 1; 0 undo",
        )],
    ),
    case(
        "table.discard_browse",
        YES_NO,
        "",
        &[at("hands = ['KS']\ndiscard = '9S 4D KC'\nstock = '...'", "")],
    ),
];

const CASES: &[&[Case]] = &[PLAYERS_AND_PACK, WILDS, MELDS, TAKES, ENDS];

/// A match on a clock, and all that could be seen of it.
struct Host {
    game: Match,
    now: Millis,
    chance: Solo,
    seen: String,
}

impl Host {
    fn input(&mut self, input: &Input<rulebook::Command>) {
        match game::step(&mut self.game, self.now, input, &mut Vec::new()) {
            Ok(()) => self.seen.push_str("accepted\n"),
            Err(refusal) => {
                let _ = writeln!(self.seen, "refused: {refusal}");
            }
        }
        self.chance();
    }

    fn chance(&mut self) {
        while let Status::Chance(need) = self.game.status() {
            let draw = self.chance.answer(&need);
            game::step(&mut self.game, self.now, &Input::Draw(draw), &mut Vec::new()).expect("a proper draw");
        }
    }

    fn act(&mut self, act: &str) {
        let (word, rest) = act.split_once(' ').unwrap_or((act, ""));
        match word {
            "wait" => {
                let end = self.now.after(rest.parse().expect("milliseconds"));
                while let Some(alarm) = self.game.alarm().filter(|alarm| alarm.due <= end) {
                    self.now = alarm.due;
                    self.input(&Input::Ring(alarm.id));
                }
                self.now = end;
            }
            "quit" => self.input(&Input::Presence(Seat(rest.parse().expect("a seat")), game::Presence::Left)),
            _ => {
                let seat = Seat(word.parse().unwrap_or_else(|_| panic!("`{act}` is no act")));
                match self.game.read_command(seat, rest) {
                    Ok(command) => self.input(&Input::Play(seat, command, Timing::at(self.now))),
                    Err(refusal) => panic!("`{act}` cannot be read: {refusal}"),
                }
            }
        }
        self.look();
    }

    /// Writes down everything that anybody can see.
    fn look(&mut self) {
        let _ =
            writeln!(self.seen, "{}\n{:?} {:?}", self.game.position(), self.game.alarm(), self.game.status());
        for seat in (0..self.game.seats()).map(|s| Viewer::Seat(Seat(s))).chain([Viewer::Table]) {
            let mut view = serde_json::to_value(self.game.view(seat)).expect("views are JSON");
            // The rules themselves are seen, too, and would tell the values apart without a move being made.
            view["contract"].as_object_mut().expect("a view").remove("book");
            let _ = writeln!(self.seen, "{view}");
        }
    }
}

/// The rules in which the option has this value.
fn load(case: &Case, value: &str) -> rulebook::Loaded {
    let text =
        format!("id = \"x\"\nname = \"X\"\nbase = \"contract\"\n{} = {value}\n{}\n", case.key, case.file);
    rulebook::load(Source::Text { name: "x.toml", text: &text }, None, &NoFiles)
        .unwrap_or_else(|f| panic!("{} = {value}: {f}", case.key))
}

/// What the rule sheet says when the option has this value, for as many players as the acts are made by.
fn told(case: &Case, value: &str) -> String {
    let loaded = load(case, value);
    let sheet = |at: &At| loaded.sheet(Some(at.seats)).unwrap_or_else(|faults| faults.to_string());
    case.at.iter().map(sheet).collect()
}

/// All that is seen when the acts are made under rules in which the option has this value.
fn seen(case: &Case, value: &str) -> String {
    let loaded = load(case, value);
    let mut all = String::new();
    for at in case.at {
        let rules = match loaded.rules(at.seats) {
            Ok(rules) => rules,
            Err(faults) => {
                let _ = writeln!(all, "not for {}: {faults}", at.seats);
                continue;
            }
        };
        let opened = if at.setup.is_empty() {
            Match::open(rules, at.seats).map_err(|r| vec![r.to_string()])
        } else {
            let setup = at.setup.parse().unwrap_or_else(|e| panic!("{}: {e}", case.key));
            let opening = Opening { round: at.round, dealer: Seat(at.seats - 1) };
            Match::set_up(rules, at.seats, opening, setup)
        };
        let game = opened.unwrap_or_else(|faults| panic!("{} = {value}: {}", case.key, faults.join("\n")));
        let chance = Solo::new("parameters", Bytes32::default(), at.seats);
        let mut host = Host { game, now: Millis(0), chance, seen: String::new() };
        host.chance();
        host.look();
        for act in at.script.split(';').map(str::trim).filter(|act| !act.is_empty()) {
            host.act(act);
        }
        all.push_str(&host.seen);
    }
    all
}

/// No two values of an option come to the same thing, where each is tried.
fn all_differ(which: impl Fn(&Case) -> bool, what: fn(&Case, &str) -> String) {
    let mut same = Vec::new();
    for case in CASES.iter().copied().flatten().filter(|case| which(case)) {
        let mut found: BTreeMap<String, &str> = BTreeMap::new();
        for &value in case.values {
            if let Some(other) = found.insert(what(case, value), value) {
                same.push(format!("{}: {other} and {value} are alike", case.key));
            }
        }
    }
    assert_eq!(same, [] as [String; 0]);
}

#[test]
fn every_value_of_every_option_plays_otherwise() {
    all_differ(|_| true, seen);
}

/// What plays otherwise is told otherwise: the same values, in the same rules, by the rule sheet.
#[test]
fn every_value_of_every_option_is_told() {
    all_differ(|_| true, told);
}

/// What the rule sheet says when two of three rounds set the option to this value.
fn told_of_rounds(case: &Case, value: &str) -> String {
    let set = format!("set = {{ \"{}\" = {value} }}", case.key);
    let file: Vec<&str> = case.file.lines().filter(|line| !line.starts_with("round")).collect();
    // No pair has three naturals.
    let pair = if case.key == "wild.min_naturals" { "G4" } else { "P2" };
    let text = format!(
        "id = \"x\"\nname = \"X\"\nbase = \"contract\"\n{}\nround = [{{ contract = [\"G3\", \"G3\", \"{pair}\"], {set} }}, {{ contract = [\"R4\", \"R4\"], {set} }}, {{ contract = [\"G3\", \"F3\"] }}]\n",
        file.join("\n"),
    );
    let loaded = rulebook::load(Source::Text { name: "x.toml", text: &text }, None, &NoFiles)
        .unwrap_or_else(|f| panic!("{} = {value}: {f}", case.key));
    loaded.sheet(Some(case.at[0].seats)).unwrap_or_else(|faults| panic!("{} = {value}: {faults}", case.key))
}

/// What some rounds have for themselves is told, too.
#[test]
fn every_value_that_a_round_may_set_is_told() {
    let whole_match = |key: &str| {
        contract::options::OPTIONS.iter().find(|row| row.key == key).is_some_and(|row| row.whole_match)
    };
    all_differ(|case| !whole_match(case.key), told_of_rounds);
}

#[test]
fn every_option_is_tried_with_each_of_its_values() {
    let mut missing = Vec::new();
    for option in rulebook::preset("contract").expect("the base game").options() {
        let values: Vec<&str> = CASES
            .iter()
            .copied()
            .flatten()
            .filter(|case| case.key == option.key)
            .flat_map(|case| case.values)
            .copied()
            .collect();
        match option.kind {
            OptionType::Bool => missing.extend(
                YES_NO.iter().filter(|v| !values.contains(v)).map(|v| format!("{} = {v}", option.key)),
            ),
            OptionType::Choice { of } => missing.extend(
                of.iter()
                    .filter(|v| !values.contains(&format!("'{v}'").as_str()))
                    .map(|v| format!("{} = {v}", option.key)),
            ),
            _ if values.len() < 2 => missing.push(option.key.to_owned()),
            _ => {}
        }
    }
    assert_eq!(missing, [] as [String; 0]);
}
