//! Rule sheets tell the truth: for each game the facts of its section of the rulebook, as its sheet has them.

mod common;

use common::EIGHT;

/// The sheet of a game for four players (or the nearest number) holds each of these.
fn check(id: &str, facts: &[&str]) {
    let sheet = rulebook::preset(id).unwrap_or_else(|f| panic!("{f}")).sheet(None).unwrap();
    let missing: Vec<&&str> = facts.iter().filter(|fact| !sheet.contains(**fact)).collect();
    assert!(missing.is_empty(), "{id} does not say {missing:#?}:\n{sheet}");
}

/// And none of these.
fn never(id: &str, wrong: &[&str]) {
    let sheet = rulebook::preset(id).unwrap_or_else(|f| panic!("{f}")).sheet(None).unwrap();
    let found: Vec<&&str> = wrong.iter().filter(|text| sheet.contains(**text)).collect();
    assert!(found.is_empty(), "{id} says {found:#?}:\n{sheet}");
}

/// What holds in all eight games of the sources.
const SHARED: &[&str] = &[
    "The deal and the play go clockwise.",               // CR-DEAL-1
    "Chance says who deals first.",                      // CR-DEAL-1
    "The deal passes to the next player every round.",   // CR-DEAL-1
    "one card is turned up and begins the discard pile", // CR-DEAL-3
    "The player after the dealer begins.",               // RF-11
    "laid in one action",                                // RF-2
    "never joined, split or moved",                      // RF-4
    "A player melds once in a round, and never has to.", // CR-MELD-4
    "A group may grow without limit.",                   // CR-MELD-3
    "equal cards may be in it twice",                    // CR-MELD-2
    "on any meld on the table, one's own or another's",  // CR-LAY-2
    "Who has no cards left is out and wins the round, which ends at once.", // RF-6
    "the discard pile but for its top card is shuffled and becomes the stock", // RF-8
    "must take the top discard",                         // RF-9
    "When both piles are empty",                         // RF-9
    "the round is blocked: nobody wins it, and everybody scores the cards in hand",
    "had 100 turns is blocked too",
    "The lowest total after the last round wins.",       // RF-12
    "Equal totals share the place.",
    "may not be discarded again in that turn, unless it is the last card",
    "Of the discard pile only the top card may be seen.",
    "What has been played stays played.",
];

/// What holds where there are takes in every round.
const TAKES: &[&str] = &[
    "The player to play decides first about the top discard.", // CR-DRAW-1
    "Who takes a card keeps it in hand and neither melds nor discards", // CR-MAY-2
    "Who has declined is bound to the stock",                  // CR-DRAW-2
    "After a take the card beneath is offered in the same way", // CR-MAY-3
    "Nobody takes two successive cards in a turn.",            // CR-MAY-3, A-14
    "Among several the one whose turn comes soonest has it.",  // CR-MAY-1
    "Players who are down may take too.",                      // CR-MAY-5
    "The player who has just discarded a card may ask for it too",
    "Where the stock cannot pay the penalty cards, nothing is offered.",
    "nobody sees it, and it is void if that player takes the card",
    "open for 12 seconds; who does not answer passes",
];

/// Jokers as in the base game.
const JOKERS: &[&str] = &[
    "Wild: jokers.",
    "any missing card of a group or a run", // CR-JOK-1
    "What a wild in a run stands for is said when it is laid, and stays.", // CR-JOK-2
    "Who was down before this turn may put the very card that a wild stands for in its place in any run", // CR-JOK-3
    "it must be laid off in the same turn", // CR-JOK-4
    "Wilds in groups stay where they are.", // CR-JOK-5
    "At least one natural card in a meld.", // CR-JOK-6
];

const WHOLE_HAND: &[&str] = &[
    "### Round 7",
    "The contract must use the whole hand, with no discard after it, and ends the round.", // CR-R7-1, CR-R7-3
    "each of this size or larger",                                                         // CR-R7-2
    "nothing is on the table, and nothing is laid off or taken back",                      // CR-R7-4
];

const NO_WHOLE_HAND: &[&str] = &["whole hand", "Rounds with rules of their own"];

#[test]
fn what_the_eight_games_share() {
    for id in EIGHT {
        check(id, SHARED);
    }
    // In Progressive a take is bought.
    for id in EIGHT.into_iter().filter(|id| *id != "progressive") {
        check(id, TAKES);
    }
    for id in ["contract", "liverpool", "shanghai", "shanghai-powe", "shanghai-kolsov"] {
        check(id, JOKERS);
    }
    for id in ["contract", "contract-nj", "liverpool", "shanghai"] {
        check(id, WHOLE_HAND);
    }
    for id in ["may-i", "shanghai-powe", "shanghai-kolsov", "california", "zioncheck", "12-step"] {
        never(id, NO_WHOLE_HAND);
    }
}

#[test]
fn contract() {
    check(
        "contract",
        &[
            "For 3 to 5 players.",                                      // CR-PLAY-1
            "two packs of 52 cards and three jokers, 107 cards in all", // CR-DECK-1
            "| 1 | 2 groups of 3 | 10 |",                               // CR-DEAL-2
            "| 4 | 3 groups of 3 | 12 |",
            "each of exactly this size. Round 7 differs.", // CR-MELD-5
            "In runs the ace is low (A 2 3) or high (Q K A), but a run never goes round the corner.", // CR-MELD-1
            "A run may grow to 14 cards.",                       // CR-MELD-3
            "must leave a gap of one rank, or overlap",          // CR-GAP-1
            "not for what comes to touch later",                 // CR-GAP-3
            "Two groups of a contract may be of the same rank.", // CR-MELD-6
            "A meld may hold any number of wilds.",              // CR-JOK-6
            "From the turn after melding, any number of cards may be laid off", // CR-LAY-1
            "Every turn ends with a discard",                    // CR-DISC-1
            "It comes with one penalty card from the stock.",    // CR-MAY-2
            "Everybody may take any number of times.",           // CR-MAY-5
            "2 to 9: their number; 10 J Q K: 10; A: 15; joker: 15", // CR-SCO-1
        ],
    );
    check("contract-nj", &["two packs of 52 cards and no jokers, 104 cards", "No card is wild"]); // NJ-1, NJ-2
    never("contract-nj", &["Wilds", "joker:"]);
    check(
        "liverpool",
        &[
            "the player before the dealer, cuts", // LV-2
            "exactly the cards of all hands and the upcard changes the own score by -50, at once and even below zero", // LV-3
            "It misses the aim by twelve cards at most.",
        ],
    );
}

#[test]
fn may_i() {
    check(
        "may-i",
        &[
            "For 2 to 8 players.",
            "two packs of 52 cards and four jokers",             // MI-1
            "no more and no fewer, each of this size or larger", // MI-2
            "From the turn after melding",                       // MI-3
            "Wilds on the table are never taken back.",          // MI-4
            "Two runs of one suit in a contract may touch.",     // MI-5
            "The last card may be melded, laid off or discarded.", // MI-7
            "joker: 25",                                         // MI-8
            "It comes with one penalty card from the stock.",    // MI-9
            "| 7 | 3 runs of 4 or more | 12 |",                  // MI-6
        ],
    );
}

#[test]
fn shanghai_and_its_versions() {
    let shared = &[
        "four jokers, 108 cards in all",                              // SH-DECK-1
        "In runs the ace is high only (Q K A).",                      // SH-MELD-1
        "A run may grow to 13 cards.",                                // SH-MELD-1
        "The groups of a contract are of different ranks.",           // SH-MELD-3
        "At most one wild in a meld.",                                // SH-MELD-4
        "These limits hold at all times, also for what is laid off.", // SH-MELD-4
        "From the very turn of melding",                              // SH-LAY-1
        "A meld may be larger where the cards over could be laid off at once",
        "At most twice a round for each player.",                     // SH-MAY-1
        "It comes with two penalty cards from the stock.",            // SH-MAY-2
        "2 3 4 5 6 7: 5; 8 9 10 J Q K: 10; A: 20; joker: 50",         // SH-SCO-1
    ];
    let calls = &[
        "Who discards a card that fits a meld on the table, down or not, may call Shanghai: then the next player may not take it, and nobody may ask for any discard in that turn.", // SH-CALL-1, SH-CALL-6
        "any other player, down or not, may call Shanghai, lay the card off on a meld and offer the own hand face down; the discarder draws one card from it", // SH-CALL-2
        "Either call beats May I.", // SH-CALL-3
        "A claim comes before the next player's right to draw the card.", // SH-CALL-3, A-29
        "Among several callers the one whose turn comes soonest after the discarder has it.", // SH-CALL-4
        "costs nothing and counts as no take", // SH-CALL-7
        "A caller whose last card is drawn so is out and wins the round.", // SH-CALL-7
        "The discard that takes a player out cannot be claimed.", // SH-CALL-8
        "claimed for 6 seconds",
    ];
    for id in ["shanghai", "shanghai-powe", "shanghai-kolsov"] {
        check(id, shared);
    }
    for id in ["shanghai", "shanghai-kolsov"] {
        check(id, calls);
        check(id, &["must leave a gap of one rank, or overlap", "| 1 | 2 groups of 3 | 11 |"]); // SH-MELD-2, SH-DEAL-1
    }
    check("shanghai", &["| 7 | 3 runs of 4 or more | 11 | no discard |"]); // SH-CON-1
    check(
        "shanghai-powe",
        &[
            "| 7 | 4 groups of 3 | 10 |",                                  // PW-1, PW-2
            "| 8 | 3 runs of 4 | 10 |",                                    // PW-7
            "The last card must be played to the table, never discarded.", // PW-3
            "A last card that cannot be played is held, and the turn ends without a discard.",
            "A contract holds at most one run of one suit.",               // PW-4
            "## Out of turn: Buy",                                         // PW-5
            "Round 7: a take (Buy) is needed",                             // PW-8
        ],
    );
    never("shanghai-powe", &["call Shanghai", "must leave a gap"]); // PW-6, PW-4
    check(
        "shanghai-kolsov",
        &[
            "| 5 | a group of 3 and a run of 7 | 11 |", // DK-1
            "| 10 | 3 runs of 5 | 11 |",
            "The last card may be melded, laid off or discarded.", // DK-3
            "Round 10: a take (May I) is needed",
        ],
    );
}

#[test]
fn progressive() {
    check(
        "progressive",
        &[
            "four jokers, 108 cards in all", // PR-DECK-1
            "Wild: jokers and every 2.",
            "| 14 | a group of 5, a run of 5 and a pair | 11 |", // PR-CON-1, PR-DEAL-1
            "In runs the ace is low (A 2 3) or high (Q K A)",    // PR-MELD-1
            "Two runs of one suit in a contract may touch.",     // PR-MELD-2
            "a pair is two cards of one rank",                   // PR-MELD-3
            "Two groups of a contract may be of the same rank.",
            "A meld may hold any number of wilds.", // PR-MELD-4
            "A meld of wilds alone is a meld; whoever lays it says what it is.",
            "counts as natural there",
            "Wilds on the table are never taken back.",                  // PR-MELD-5
            "From the very turn of melding",                             // PR-LAY-1
            "The last card may be melded, laid off or discarded.",       // PR-OUT-1
            "3 4 5 6 7 8 9 10: 5; J Q K: 10; A: 15; 2: 20; joker: 20",   // PR-SCO-1
            "Nobody gets a discard out of turn. Rounds 9 to 14 differ.", // PR-BUY-1
            "### Rounds 9 to 14\n",
            "### Rounds 9 to 11 and 14\n\n- At most once a round for each player.\n- No card of the stock comes with it.\n", // PR-BUY-2, PR-BUY-3
            "### Rounds 12 and 13\n\n- At most twice a round for each player.\n- It comes with one penalty card from the stock.\n- The cards from the stock cost nothing more.\n", // PR-BUY-2, PR-BUY-3
            "It costs one penny, paid to the kitty.", // PR-BUY-3
            "The player to play may buy the top discard too, at the same price and within the same limit, and then take a normal turn, draw included.", // PR-BUY-4
            "Among several the one whose turn comes soonest has it.", // PR-BUY-5
            "the player to play is asked first about the card then on top", // PR-BUY-6
            "Nobody takes two successive cards",                      // PR-BUY-7
            "the take comes with fewer or none",
            "the second pays two pennies, the third pays four pennies and the fourth pays six pennies, all to the winner", // PR-SET-2
            "The winner also takes the kitty.",   // PR-SET-3
            "Round 12: 2 takes (Buy) are needed",
        ],
    );
}

/// The facts of 4.6, and of the family's own game in 4.5.
#[test]
fn the_games_that_the_sources_name() {
    check(
        "house-jeanne",
        &[
            "Wild: jokers and every 2.",
            "Wilds may not outnumber naturals in a meld.",
            "These limits hold when the contract is laid, not for what is added later.",
            "must leave a gap of two ranks, or overlap",
            "Who is not yet down may put the very card that a joker stands for in its place in any run and take the joker; it may be kept.",
            "A player who is down may not draw the discard.",
            "A player who is down takes no discards.",
            "the card stays open to askers until that player discards",
            "### Round 6\n",
            "whole hand",
        ],
    );
    never("house-jeanne", &["After a take the card beneath", "seconds"]);
    check(
        "zioncheck",
        &["No card is turned up after the deal", "The first player of a round has two turns."],
    );
    check(
        "loba",
        &[
            "counter-clockwise",
            "A player who is down may lay further melds.",
            "A wild at a run's end may be read anew",
            "### Round 6\n",
        ],
    );
    check(
        "carioca",
        &[
            "after the king comes the ace, and then the 2",
            "Wilds are never neighbours in a run.",
            "At most one wild in a meld.",
            "A wild is discarded only when no natural card is held.",
            "A player who is down may not draw the discard.",
            "full run, one colour; not played unless chosen",
        ],
    );
    check(
        "telefunken",
        &[
            "At most seven times in the whole game for each player.",
            "a group of 3 of different suits without wilds",
            "### Round 1\n\n- Nobody gets a discard out of turn.\n",
            "### Round 7\n",
        ],
    );
    check(
        "telefunken-desordenada",
        &["picks one of the contracts not yet used, and all follow", "### Round 8\n"],
    );
    check(
        "push",
        &[
            "Two partnerships play, partners in alternate seats.",
            "add the top stock card to it, push both to the next player, and draw the next stock card",
            "No suit comes twice in a group.",
            "A group has at most four cards.",
            "A further run has at least three cards.",
            "A wild card is not turned up",
        ],
    );
    check("6-7-8-9-10", &["In runs the ace is high only", "push both to the next player"]);
    check(
        "continental-7",
        &["Laying the contract and going out in one turn changes the own score by -10.", "A: 20; joker: 50"],
    );
    check(
        "russian",
        &["In runs the ace is low only (A 2 3).", "2 3 4 5 6 7 8 9: 5; 10 J Q K: 10; A: 15; joker: 25"],
    );
    check(
        "12-step",
        &[
            "who misses one tries it again in the next deal",
            "The match ends when somebody has laid every contract.",
            "Among those who have laid equally many contracts the lowest total wins.",
            "in another player's run",
            "Wilds are never neighbours in a run.",
            "It ends after 36 deals in any case.",
        ],
    );
    check(
        "toonerville-rook",
        &[
            "A pack has the suits red, green, black and yellow and the ranks 1 2 3 4 5 6 7 8 9 10 11 12 13 14.",
            "In runs the 1 is low only (1 2 3).",
            "1 to 14: their number; joker: 20",
            "### Round 11\n",
        ],
    );
    check("california", &["## Out of turn: Buy", "| 5 | a run of 7 | 13 |"]);
}

/// Only money that is played for is spoken of, and what each place pays is that of the number of players.
#[test]
fn payments_are_those_of_the_number_of_players() {
    let text =
        "id = \"x\"\nname = \"X\"\nbase = \"contract\"\nmoney.on = true\nmoney.schedule = { 4 = [1, 5, 9] }";
    let loaded = rulebook::house::load(text).unwrap();
    let says = |seats, fact: &str| {
        let sheet = loaded.sheet(Some(seats)).unwrap();
        assert!(sheet.contains(fact), "{sheet}");
    };
    says(
        4,
        "the second pays one penny, the third pays five pennies and the fourth pays nine pennies, all to the winner",
    );
    says(3, "the second pays two pennies and the third pays four pennies, all to the winner");
    never("contract", &["kitty", "penny", "pennies"]);
}

/// What holds in every race of the Set family.
const RACE: &[&str] = &[
    "Three cards are a Set if each feature is the same on all three, or different on all three.",
    "Where two have it and one has not, it is no Set.",
    "There are no turns",
    "what is taken is not replaced", // CORE-12
];

#[test]
fn set_and_its_nearest() {
    for id in [
        "set-classic",
        "set-heap",
        "set-open-deal",
        "quick",
        "mega",
        "double",
        "eight",
        "superset-h",
        "chain",
    ] {
        check(id, RACE);
        check(id, &["three more cards are laid"]); // CORE-18
        never(id, &["more cards are laid by themselves"]);
    }
    check(
        "set-classic",
        &[
            "Twelve cards lie open.",                                   // SET-1
            "has 5 seconds to show it; nobody else may call meanwhile", // SET-3, CORE-5
            "Running out of time is a wrong claim",                     // CORE-6
            "The cards of a right claim are collected by the caller.",  // SET-4
            "filled up to 12 from the stock, as far as it reaches; while more lie there, what is taken is not replaced", // SET-6
            "When all agree that there is none, three more cards are laid. Whether that is so is not looked at.", // CORE-15
            "From 21 cards on nobody can say so: there must be one.", // CORE-19
            "nobody has a claim, or all agree that nobody has",       // CORE-22
            "as far as it reaches",                                   // CORE-20
            "waits longer each time",
            "Who leaves comes after all who stay; with fewer than two players the match ends.", // LEAVE-2, LEAVE-6
            "A wrong claim costs a point.",                                                     // SET-5
            "Scores may go below zero.",                                                        // SET-5
            "Who was wrong waits for two seconds.",                                             // CORE-11
            "A deal ends when the stock is used up and nobody has a claim",                     // CORE-21
            "A point for each Set.",                                                            // CORE-24
            "One deal for each player as dealer; the scores add up.",                           // SET-8
            "The dealer plays like everybody.",                                                 // SET-9
            "Equal scores share the place.",                                                    // CORE-25
            "Who says nothing for 30 seconds while all others agree agrees too.",               // CORE-17
        ],
    );
    check(
        "set-heap",
        &[
            "The dealer of a deal sits out, where three or more play.", // SETT-2
            "paid with a collected Set where there is one; that goes to the heap", // SETT-5
            "Calls within 150 ms of the first count as one",            // SETT-7
            "cards named twice go to the rubbish heap and score for nobody", // SETT-6
        ],
    );
    check(
        "set-open-deal",
        &[
            "laid one by one, every 700 ms, and calls are allowed meanwhile",
            "A wrong claim costs no points.",
            "waits for three seconds",
            "One deal.",
        ], // SETW-1, SETW-6, SETW-7
    );
    check(
        "quick",
        &[
            "27 cards: number, colour and symbol in three forms each; the shading is the same on all",
            "Nine cards lie open.",
        ],
    ); // QUICK-1, QUICK-2
    check(
        "mega",
        &[
            "background in three forms",
            "15 cards lie open.",
            "When there is none, three more cards are laid, without anybody asking.",
        ],
    ); // MEGA-1, MEGA-2, MEGA-6
}

#[test]
fn alone_against_the_deck() {
    check(
        "solitaire",
        &[
            "For one player.", // SOLO-1
            "The first time the layout holds none while the stock is not used up, the game is lost: no more cards are laid.", // SOLO-2
            "It is won when the stock is used up and no Set is left.", // SOLO-3
            "Tap the cards",
            "A wrong claim costs a point.", // SOLO-4
        ],
    );
    never("solitaire", &["three more cards", "agree", "agrees too", "is lit"]); // SOLO-2, Q-24
    check(
        "solitaire-relaxed",
        &[
            "When there is none, three more cards are laid, without anybody asking.",
            "The time counts, then the errors.",
        ],
    ); // SOLO-5
    never("time-trial", &["is lit", "costs a point"]);
    check("time-trial", &["The game ends with 21 Sets.", "A wrong claim adds 10 seconds."]); // TRIAL-2, TRIAL-3
    check("trial-live", &["everybody plays the same shuffle on a board of their own"]); // TRIAL-4
    check(
        "daily-puzzle",
        &["Find all six Sets in the layout; cards stay, and may be used again.", "Twelve cards lie open."],
    ); // DAILY-1, DAILY-2
    check("daily-basic", &["Find all four Sets", "27 cards"]); // DAILY-5
}

#[test]
fn other_patterns() {
    check(
        "superset-h",
        &["four cards in two pairs", "the pairs need not be named", "A point for each claim."],
    ); // SUPH-1, SUPH-3, SUPH-4
    check(
        "superset-w",
        &["The pairs must be named: the right four cards in the wrong pairs are a wrong claim."],
    ); // SUPW-1
    check(
        "eight",
        &[
            "Three or four Sets at once are claimed; they may share cards, but cover eight or more.", // EIGHT-2
            "The Sets of a claim must be listed one by one.", // EIGHT-3
            "has 30 seconds to show it",
            "A fourth Set counts even where it adds no card.",
            "A point for each Set.",                           // EIGHT-4
        ],
    );
    check(
        "double",
        &[
            "Two at once are claimed, without a common card.",
            "which belong together need not be said",
            "Single ones that are left are not taken.",
        ],
    ); // DBL-1, DBL-3, DBL-6
    check(
        "ultra",
        &[
            "18 cards lie open in 3 groups of 6.",    // ULTRA-1
            "all in one group, or one in each group", // ULTRA-2
            "Each group is filled up to 6 from the stock, as far as it reaches; while more lie in it, what is taken is not replaced.", // ULTRA-3, ULTRA-4
            "three more cards are laid, one in each group", // ULTRA-4
            "Cards never change their group.",              // ULTRA-5
        ],
    );
    check(
        "ultra9",
        &[
            "27 cards lie open in 9 groups of 3.",
            "rows of its cards are all equal or all different",
            "three more cards are laid, one in each row and column",
        ],
    ); // ULT9-1, ULT9-2, ULT9-4
    check(
        "chain",
        &[
            "After your first claim of a deal, every Set must use exactly one card of those that you claimed last, whichever", // CHAIN-2 to CHAIN-4
            "lies open before you",       // CHAIN-5
            "Nobody may drop the chain.", // CHAIN-10
            "A point for each claim.",    // CHAIN-8
        ],
    );
}

#[test]
fn hands_and_other_ways_of_cards() {
    check(
        "hands",
        &[
            "Everybody has three personal cards too, seen by nobody else.", // HANDS-1, HANDS-4
            "A claim takes cards from the own hand and the layout in any mix.", // HANDS-2
            "Personal cards that are used are replaced first, then those of the layout.", // HANDS-3
        ],
    );
    check(
        "complex",
        &[
            "Of a right claim only one card leaves: the caller picks and keeps it. The other two stay.", // CPLX-1, CPLX-3
            "A point for each claim.", // CPLX-3
            "When there is none, three more cards are laid, without anybody asking.", // CPLX-6
        ],
    );
    never("complex", &["The cards of a right claim are collected"]);
    check(
        "twenty",
        &[
            "For 2 to 8 players.",                                               // TWTY-1
            "Everybody has six personal cards too, open to all.",                // TWTY-2, TWTY-11
            "A claim takes cards from the own hand and the layout in any mix.",  // TWTY-3
            "go to a common pile, which becomes the stock when that is used up", // TWTY-4, TWTY-7
            "Personal cards that are used are not replaced.",                    // TWTY-4
            "A wrong claim costs one more personal card, up to 9.",              // TWTY-5
            "While the table is open a player may ask for one more personal card; nobody holds more than nine cards.", // TWTY-6
            "A deal ends at once when somebody has no personal cards left.", // TWTY-8
            "scores one for each that the others still hold",                // TWTY-8
            "Deals follow until somebody has 10 points for each player.",    // TWTY-10
            "the six table cards are taken away, new ones laid, and the old ones shuffled into the stock", // TWTY-12
        ],
    );
    never("twenty", &["three more cards", "is lit", "nobody can say so"]); // TWTY-12, 4.3
    check(
        "scout",
        &[
            "seals a Set and points at one of its cards",            // SCOUT-2
            "race to name a second card",                            // SCOUT-3
            "the finder takes the other two",                        // SCOUT-4
            "the finder the sealed three",                           // SCOUT-5
            "A wrong scout loses a card and is out of this search.", // SCOUT-6
            "is frozen until another Set is found",                  // SCOUT-8
            "The others have 20 seconds to search.",                 // SCOUT-7
            "A point for each card collected.",                      // SCOUT-12
            "all three, where what was sealed is no Set",            // SCOUT-9
            "8 seconds to seal it",                                  // SCOUT-2
        ],
    );
    never("scout", &["Who was wrong waits", "below zero"]); // SCOUT-8, SCOUT-10
    check(
        "memory",
        &[
            "All cards lie face down; empty places stay empty.",
            "turn up three cards, one after another; everybody sees them",
            "clockwise from the dealer's left", // MEM-1
            "and you play again",
            "they turn down again where they lie, after two seconds, and the next player goes on",
            "When no Set lies face down, the deal ends.", // MEM-8
        ], // MEM-2 to MEM-7
    );
    check("double-memory", &["turn up six cards"]);
    check(
        "setup",
        &[
            "Everybody has four cards, seen by nobody else, and the table is empty.", // SETUP-2
            "play a card to the table and draw another",                              // SETUP-3
            "naming two table cards that make a Set with it: then its player takes the whole table", // SETUP-4, SETUP-5
            "the hands are played out",                                  // SETUP-10
            "Who challenges wrongly may not challenge this card again.", // SETUP-8
            "The fewest cards taken win.",                               // SETUP-11
            "clockwise from the dealer's left",                          // SETUP-3
            "a Set without the card just played counts for nothing",     // SETUP-6
            "what then lies on the table is nobody's",                   // SETUP-12
            "until the next is played; the next player waits for 5 seconds, unless all have passed", // SETUP-7
        ],
    );
}

/// The values an option may be tried with.
fn values(option: &rulebook::OptionInfo) -> Vec<String> {
    use rulebook::OptionType;
    match option.kind {
        OptionType::Bool => ["true", "false"].map(String::from).to_vec(),
        OptionType::Choice { of } => of.iter().map(|name| format!("\"{name}\"")).collect(),
        OptionType::Int { min, max } => [min, max, 2, 3, 9, 12]
            .into_iter()
            .filter(|n| (min..=max).contains(n))
            .map(|n| n.to_string())
            .collect(),
        OptionType::ChoiceOrInt { of, min, max } => {
            of.iter().map(|name| format!("\"{name}\"")).chain([min, max].map(|n| n.to_string())).collect()
        }
        OptionType::Text => vec!["\"shading\"".into(), "\"colour = 1\"".into()],
        OptionType::Deals => {
            vec!["1".into(), "3".into(), "\"each_dealer\"".into(), "\"to_points(50)\"".into()]
        }
        kind => panic!("`{}` is of a kind that no pattern option had: {kind:?}", option.key),
    }
}

/// Each option of the Set family, set otherwise, is told otherwise by the sheet of some built-in game that it is for; and of
/// the names that it may have no two are told alike there.
#[test]
fn every_pattern_option_is_told() {
    let games: Vec<&str> = rulebook::presets()
        .into_iter()
        .filter(|id| rulebook::preset(id).is_ok_and(|l| l.info.family == rulebook::Family::Pattern))
        .collect();
    let mut silent = Vec::new();
    for option in rulebook::preset("set-classic").unwrap().options() {
        let best = games
            .iter()
            .map(|base| {
                let sheets: std::collections::BTreeSet<String> = values(&option)
                    .iter()
                    .filter_map(|value| {
                        let text = format!(
                            "id = \"x\"\nname = \"X\"\nextends = \"{base}\"\n{} = {value}",
                            option.key
                        );
                        rulebook::house::load(&text).ok()?.sheet(None).ok()
                    })
                    .collect();
                sheets.len()
            })
            .max()
            .unwrap_or(0);
        let names = match option.kind {
            // Some names only go with certain games: that is for the family's own checks.
            rulebook::OptionType::Choice { of } => of.len().min(2),
            _ => 2,
        };
        if best < names {
            silent.push(option.key);
        }
    }
    assert_eq!(silent, [] as [&str; 0]);
}

/// The first game of a family is what its players know: the sheets of the others say in three sentences at most what differs.
#[test]
fn each_variant_says_what_differs() {
    for id in rulebook::presets() {
        let sheet = rulebook::preset(id).unwrap().sheet(None).unwrap();
        let parts = sheet.split("\n## ");
        let found = parts.clone().find(|part| part.starts_with("You know "));
        if ["set-classic", "contract"].contains(&id) {
            assert_eq!(found, None, "{id}");
            continue;
        }
        let steps: Vec<&str> =
            found.unwrap_or_else(|| panic!("{id}: nothing\n{sheet}")).lines().skip(2).collect();
        let steps: Vec<&str> = steps.into_iter().filter(|line| !line.is_empty()).collect();
        assert!((1..=3).contains(&steps.len()), "{id}: {steps:?}");
        let base = if sheet.contains("You know Set") { "set-classic" } else { "contract" };
        let known = rulebook::preset(base).unwrap().sheet(None).unwrap();
        // What holds in its last round only is new everywhere else.
        let known = known.split("## Rounds with rules of their own").next().unwrap_or_default();
        let rest: String = parts.filter(|part| !part.starts_with("You know ")).collect();
        for step in steps {
            // Contracts and the deal stand in a table; what is said of takes stands under its head.
            let of_table = ["- New contract", " new contracts, ", " cards each are dealt"];
            if of_table.iter().any(|part| step.contains(part)) {
                continue;
            }
            let step = match step.strip_prefix("- Out of turn: ").and_then(|line| line.split_once(". ")) {
                Some((_, line)) => &format!("- {line}"),
                None => step,
            };
            assert!(rest.lines().any(|line| line == step), "{id}: {step} is not in its sheet");
            assert!(!known.lines().any(|line| line == step), "{id}: {step} holds in {base}, too");
        }
    }
}

/// The sheet of a game says in three sentences that begin so what differs.
fn differs(id: &str, expected: [&str; 3]) {
    let sheet = rulebook::preset(id).unwrap().sheet(None).unwrap();
    let found = sheet.split("\n## ").find(|part| part.starts_with("You know ")).unwrap_or_default();
    let steps: Vec<&str> = found.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(steps.len(), 3, "{id}: {steps:#?}");
    for (step, begins) in steps.iter().zip(expected) {
        assert!(step.starts_with(begins), "{id}: {steps:#?}");
    }
}

/// What one may do comes before what it counts, that before the deal and the packs, and these before what comes to bear now and then.
#[test]
fn what_changes_contract_rummy_most_is_said_to_differ() {
    differs(
        "may-i",
        [
            "The contract is laid in one action, in one's own turn: exactly these melds, no more and no fewer, each of this size or larger.",
            "The last card may be melded, laid off or discarded.",
            "Cards left in hand count: 2 to 9: their number; 10 J Q K: 10; A: 15; joker: 25.",
        ],
    );
    differs(
        "shanghai",
        [
            "Who discards a card that fits a meld on the table, down or not, may call Shanghai",
            "Out of turn: May I. At most twice a round for each player.",
            "From the very turn of melding, any number of cards may be laid off",
        ],
    );
    differs(
        "liverpool",
        [
            "Before each deal the last to play, the player before the dealer, cuts.",
            "Whoever lifts exactly the cards of all hands and the upcard changes the own score by -50",
            "The cutter aims at a depth",
        ],
    );
    differs(
        "carioca",
        [
            "New contracts: 4 groups of 3; a run of 13.",
            "Nobody gets a discard out of turn.",
            "Runs may go round the corner",
        ],
    );
    differs(
        "push",
        [
            "Two partnerships play",
            "Take the discard; or add the top stock card to it, push both",
            "Wild: jokers and every 2.",
        ],
    );
    differs(
        "loba",
        [
            "Nobody gets a discard out of turn.",
            "A player who is down may lay further melds.",
            "Eleven cards each are dealt in every round.",
        ],
    );
    differs(
        "california",
        [
            "New contracts: a run of 7; a run of 5 and a group of 4; 2 groups of 4.",
            "Cards left in hand count: 2 to 9: their number; 10 J Q K: 10; A: 15; joker: 25.",
            "13 cards each are dealt in every round.",
        ],
    );
    differs(
        "12-step",
        [
            "Everybody goes through the contracts at an own pace",
            "Wild: jokers and every 2.",
            "Five new contracts, among them: 2 runs of 5; 4 groups of 3; a run of 7 and a group of 5.",
        ],
    );
    differs(
        "zioncheck",
        [
            "The first player of a round has two turns.",
            "From 10 to 14 cards each are dealt, by the round.",
            "No card is turned up after the deal",
        ],
    );
}

/// The same of the Set family.
#[test]
fn what_changes_set_most_is_said_to_differ() {
    differs(
        "memory",
        [
            "In turn, clockwise from the dealer's left, turn up three cards",
            "All cards lie face down",
            "Right: they are yours, and you play again.",
        ],
    );
    differs(
        "chain",
        [
            "After your first claim of a deal, every Set must use exactly one card",
            "Nobody may drop the chain.",
            "A point for each claim.",
        ],
    );
    differs(
        "scout",
        [
            "There are no turns. The finder calls, seals a Set",
            "A wrong find or search costs a collected card",
            "A point for each card collected.",
        ],
    );
    differs(
        "setup",
        [
            "Everybody has four cards, seen by nobody else",
            "The fewest cards taken win.",
            "Who challenges wrongly may not challenge this card again.",
        ],
    );
    differs("mega", ["243 cards: ", "15 cards lie open.", "When there is none, three more cards are laid"]);
    differs(
        "twenty",
        [
            "Everybody has six personal cards too, open to all.",
            "A claim takes cards from the own hand and the layout in any mix.",
            "A deal ends at once when somebody has no personal cards left.",
        ],
    );
}
