//! The rule sheet a player reads, generated from the rules as data: what it says is what the engine does.

use crate::{Loaded, Rules};
use std::fmt::Write as _;

impl Loaded {
    /// The rule sheet, as Markdown, for a table of `seats` (what depends on the number of players is said for these; the
    /// fewest if none).
    ///
    /// # Errors
    /// Why the game cannot be played by so many.
    pub fn sheet(&self, seats: Option<u8>) -> Result<String, crate::Faults> {
        let seats = seats.unwrap_or_else(|| 4.clamp(self.info.players_min, self.info.players_max));
        Ok(self.sheet_of(&*self.rules(seats)?, seats))
    }

    /// The rule sheet for `seats`, of the rules that are theirs.
    pub(crate) fn sheet_of(&self, rules: &Rules, seats: u8) -> String {
        let info = &self.info;
        let mut sheet = Sheet(String::new());
        sheet.line(&format!("# {}", info.name));
        if !info.summary.is_empty() {
            sheet.para(&info.summary);
        }
        let (min, max) = (info.players_min, info.players_max);
        let players = match (min, max) {
            (1, 1) => "For one player.".to_owned(),
            _ if min == max => format!("For {min} players."),
            _ => format!("For {min} to {max} players."),
        };
        sheet.para(&if info.difficulty.is_empty() {
            players
        } else {
            format!("{players} Difficulty: {}.", info.difficulty)
        });
        if !info.note.is_empty() {
            sheet.para(&info.note);
        }
        if !info.reconstruction.is_empty() {
            sheet.para(&format!(
                "Reconstruction: no source was found for the following, which are ours: {}.",
                info.reconstruction
            ));
        }
        match rules {
            Rules::Contract(rules) => contract_sheet(&mut sheet, rules, &self.notes(seats)),
            Rules::Pattern(rules) => pattern_sheet(&mut sheet, rules),
        }
        sheet.line("");
        sheet.para(&format!(
            "`{}`{}",
            info.id,
            if info.base.is_empty() { String::new() } else { format!(", based on {}", info.base.join(", ")) }
        ));
        sheet.0
    }
}

struct Sheet(String);

impl Sheet {
    fn line(&mut self, text: &str) {
        self.0.push_str(text);
        self.0.push('\n');
    }
    fn para(&mut self, text: &str) {
        if !self.0.ends_with("\n\n") {
            self.0.push('\n');
        }
        self.line(text);
    }
    fn head(&mut self, text: &str) {
        self.para(&format!("## {text}"));
        self.0.push('\n');
    }
    /// A point of a list, as a sentence.
    fn say(&mut self, text: impl AsRef<str>) {
        self.line(&format!("- {}", text.as_ref()));
    }
    fn say_if(&mut self, when: bool, text: &str) {
        if when {
            self.say(text);
        }
    }
}

fn count(n: impl Into<i64>, one: &str, many: &str) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let n = n.into();
    let word =
        usize::try_from(n).ok().and_then(|n| WORDS.get(n)).map_or_else(|| n.to_string(), |w| (*w).to_owned());
    format!("{word} {}", if n == 1 { one } else { many })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

fn contract_sheet(sheet: &mut Sheet, rules: &contract::Rules, notes: &[String]) {
    use contract::rules::*;
    let set = &rules.settings;
    let seats = rules.seats;
    sheet.head("Cards");
    let jokers = match set.deck.jokers {
        0 => "no jokers".to_owned(),
        n => count(n, "joker", "jokers"),
    };
    sheet.say(format!(
        "With {seats} players: {} and {jokers}, {} cards in all.",
        count(set.deck.decks, "pack", "packs"),
        rules.cards().len()
    ));
    sheet.say_if(
        set.deck.suits != cards::Pack::standard().suits || set.deck.ranks != cards::Pack::standard().ranks,
        &format!(
            "A pack has the suits {} and the ranks {}.",
            set.deck.suits.join(", "),
            set.deck.ranks.join(" ")
        ),
    );
    let mut wilds: Vec<String> = Vec::new();
    if set.deck.jokers > 0 {
        wilds.push("jokers".to_owned());
    }
    wilds.extend(set.wild.ranks.iter().map(|rank| format!("every {rank}")));
    wilds.extend(set.wild.faces.iter().cloned());
    sheet.say(if wilds.is_empty() {
        "No card is wild.".to_owned()
    } else {
        format!("Wild: {}.", wilds.join(", "))
    });
    if set.players.teams == 2 {
        sheet.say("Two partnerships play, partners in alternate seats.");
    }
    sheet.say_if(set.players.direction == Direction::Ccw, "The deal and the play go counter-clockwise.");
    if set.cut.on && set.cut.mode != CutMode::Off {
        sheet.say(format!(
            "Before each deal the player at the dealer's right cuts. Whoever lifts exactly the cards of all hands and the upcard changes the own score by {}.",
            set.cut.points
        ));
    }
    sheet.say(if set.deal.upcard {
        "After the deal one card is turned up and begins the discard pile; the player after the dealer begins."
    } else {
        "No card is turned up after the deal; the player after the dealer begins."
    });
    sheet.say_if(
        set.deal.upcard && set.deal.upcard_wild == UpcardWild::Rebury,
        "A wild card is not turned up: it goes back into the stock.",
    );
    sheet.say_if(set.draw.first_double, "The first player of a round has two turns.");
    sheet.say(match set.deal.next_dealer {
        NextDealer::Rotate => "The deal passes to the next player every round.",
        NextDealer::Winner => "The winner of a round deals the next.",
        NextDealer::Same => "The same player deals every round.",
    });

    sheet.head("Contracts");
    sheet.line("| round | contract | cards dealt | |");
    sheet.line("| --- | --- | --- | --- |");
    for (n, round) in rules.rounds.iter().enumerate() {
        let law = rules.law(n);
        let words: Vec<String> = law.contracts.iter().map(|c| law.contract_text(c)).collect();
        let mut extra: Vec<String> = round.label.iter().cloned().collect();
        if round.settings.meld.all && !set.meld.all {
            extra.push("the whole hand at once".to_owned());
        }
        if round.settings.take.on && !set.take.on {
            let take = &round.settings.take;
            let limit = if take.limit == 0 { String::new() } else { format!("up to {} ", take.limit) };
            extra.push(format!(
                "{limit}{} with {}",
                take.label,
                count(take.penalty, "stock card", "stock cards")
            ));
        }
        if !set.game.rounds.has(round.number) {
            extra.push("not played unless chosen".to_owned());
        }
        sheet.line(&format!(
            "| {} | {} | {} | {} |",
            round.number,
            words.join(", or "),
            round.deal,
            extra.join("; ")
        ));
    }
    sheet.0.push('\n');
    for note in notes {
        sheet.say(note);
    }
    sheet.say_if(
        set.game.progress == Progress::PerPlayer,
        "Everybody goes through the contracts at an own pace: a missed one is tried again.",
    );
    sheet.say_if(
        set.game.choice == ContractChoice::FirstMelder,
        "The first to meld in a round picks one of the contracts not yet used, and all follow.",
    );
    sheet.say(match (set.meld.all, set.meld.size) {
        (true, _) => "The contract uses the whole hand, in one action, and ends the round.",
        (_, MeldSize::Exact) => "The contract is laid in one action: exactly these melds, each of exactly this size. Whole-hand rounds excepted.",
        (_, MeldSize::AtLeast) => "The contract is laid in one action: exactly these melds, each of this size or larger.",
    });

    sheet.head("Melds");
    sheet.say("A group is cards of one rank; a run is consecutive cards of one suit.");
    sheet.say(match set.run.ace {
        RunAce::Both => "In runs the ace is low or high, but a run never goes round the corner.",
        RunAce::High => "In runs the ace is high only.",
        RunAce::Low => "In runs the ace is low only.",
        RunAce::Corner => "Runs may go round the corner: king, ace, two.",
    });
    let gap = match set.run.gap {
        0 => None,
        n => Some(format!(
            "Two runs of one suit in a contract must leave a gap of {}{}.",
            count(n, "rank", "ranks"),
            if set.run.overlap { ", or overlap" } else { "" }
        )),
    };
    sheet.say_if(gap.is_some(), gap.as_deref().unwrap_or_default());
    sheet.say_if(
        set.run.per_suit > 0,
        &format!("A contract holds at most {} of one suit.", count(set.run.per_suit, "run", "runs")),
    );
    sheet.say_if(set.run.max > 0, &format!("A run has at most {} cards.", set.run.max));
    sheet.say_if(set.group.distinct_ranks, "The groups of a contract are of different ranks.");
    sheet.say_if(set.group.distinct_suits, "No suit comes twice in a group.");
    sheet.say_if(set.group.max > 0, &format!("A group has at most {} cards.", set.group.max));
    if !wilds.is_empty() {
        let kinds: Vec<&str> = [("G", "groups"), ("R", "runs"), ("P", "pairs")]
            .into_iter()
            .filter(|(kind, _)| set.wild.kinds.iter().any(|k| k == kind))
            .map(|(_, word)| word)
            .collect();
        sheet.say(format!("Wilds may stand in {}.", kinds.join(", ")));
        sheet.say_if(
            set.wild.max_per_meld > 0,
            &format!("At most {} in a meld.", count(set.wild.max_per_meld, "wild", "wilds")),
        );
        sheet.say_if(
            set.wild.min_naturals > 0,
            &format!("At least {} in a meld.", count(set.wild.min_naturals, "natural card", "natural cards")),
        );
        match set.wild.balance {
            WildBalance::None => {}
            WildBalance::AtLeast => sheet.say("Wilds may not outnumber naturals in a meld."),
            WildBalance::More => sheet.say("Naturals must outnumber wilds in a meld."),
        }
        sheet.say_if(
            set.wild.cap_scope == CapScope::Contract
                && (set.wild.max_per_meld > 0 || set.wild.balance != WildBalance::None),
            "These limits hold when the contract is laid, not for what is added later.",
        );
        sheet.say_if(!set.wild.ends, "A wild never stands at a run's end.");
        sheet.say_if(!set.wild.adjacent, "Wilds are never neighbours in a run.");
        sheet.say(match set.wild.place {
            WildPlace::Fixed => "What a wild stands for is declared when it is laid, and stays.",
            WildPlace::EndFree => "A wild at a run's end may be read anew when a natural card is laid there.",
            WildPlace::ToEnd => {
                "A natural card may take a wild's place and push it to an end of the same run."
            }
        });
        let from = match set.wild.reclaim {
            Reclaim::None => None,
            Reclaim::Run => Some("run"),
            Reclaim::All => Some("meld"),
        };
        if let Some(from) = from {
            let what = if set.wild.reclaim_what == ReclaimWhat::Jokers { "joker" } else { "wild" };
            let whose = match set.wild.reclaim_from {
                ReclaimFrom::Any => "any",
                ReclaimFrom::Others => "another player's",
                ReclaimFrom::Own => "an own",
            };
            let when = match set.wild.reclaim_when {
                ReclaimWhen::PriorTurn => "Who was down before this turn",
                ReclaimWhen::AfterContract => "Who is down",
                ReclaimWhen::BeforeContract => "Who is not yet down",
                ReclaimWhen::Anytime => "The player to play",
            };
            let use_ = match set.wild.reclaim_use {
                ReclaimUse::LayOff => "it must be laid off in the same turn",
                ReclaimUse::AnyMeld => "it must be used in a meld of the same turn",
                ReclaimUse::Keep => "it may be kept",
            };
            sheet.say(format!("{when} may put the card a {what} stands for in its place in {whose} {from} and take the {what}; {use_}."));
        } else {
            sheet.say("Wilds on the table are never taken back.");
        }
    }
    sheet.say(match set.meld.extra {
        MeldExtra::None => "A player melds once in a round.",
        MeldExtra::AfterContract => "A player who is down may lay further melds.",
    });
    let onto = match set.layoff.onto {
        LayoffOnto::All => "any meld on the table",
        LayoffOnto::Own => "one's own melds",
        LayoffOnto::Team => "the melds of one's team",
    };
    match set.layoff.when {
        LayoffWhen::NextTurn => {
            sheet.say(format!("From the turn after melding, cards may be laid off on {onto}."))
        }
        LayoffWhen::SameTurn => {
            sheet.say(format!("From the very turn of melding, cards may be laid off on {onto}."))
        }
        LayoffWhen::Never => sheet.say("Nothing is laid off."),
    }

    sheet.head("The turn");
    sheet.say(match set.draw.mode {
        DrawMode::StockOrDiscard => "Draw the top discard or the top card of the stock; then meld and lay off; then discard.",
        DrawMode::Push => "Take the discard; or add the top stock card to it, push both to the next player, and draw the next stock card. Then meld and lay off; then discard.",
    });
    sheet.say_if(!set.draw.discard_when_down, "A player who is down may not draw the discard.");
    match set.discard.back {
        DiscardBack::IfLast => {
            sheet.say("The discard just drawn may not be discarded again, unless it is the last card.")
        }
        DiscardBack::Never => sheet.say("The discard just drawn may not be discarded again."),
        DiscardBack::Allowed => {}
    }
    sheet.say_if(
        set.discard.wild == DiscardWild::IfLast,
        "A wild is discarded only when no natural card is held.",
    );
    sheet.say(match set.out.discard {
        OutDiscard::Required => {
            "A turn ends with a discard: the last card must be discarded (not in whole-hand rounds)."
        }
        OutDiscard::Optional => "The last card may be melded, laid off or discarded.",
        OutDiscard::Forbidden => "The last card must be played to the table, never discarded.",
    });
    sheet.say_if(
        set.out.discard == OutDiscard::Forbidden && set.out.stuck == OutStuck::Hold,
        "A last card that cannot be played is held, and the turn ends without a discard.",
    );
    sheet.say(match set.stock.recycle {
        Recycle::KeepTop => "When the stock is used up, the discard pile but for its top card is shuffled and becomes the stock.",
        Recycle::None => "The stock is not remade when it is used up.",
    });
    sheet.say_if(
        set.turn.seconds > 0,
        &format!("A turn has {} seconds; then a simple move is made for the player.", set.turn.seconds),
    );

    if rules.rounds.iter().any(|round| round.settings.take.on) {
        let take = &set.take;
        sheet.head(&format!("{} (taking out of turn)", take.label));
        sheet.say("When the player to play does not want the top discard, the others may ask for it.");
        let mut cost =
            format!("It comes with {} from the stock", count(take.penalty, "penalty card", "penalty cards"));
        if take.pennies > 0 {
            let _ = write!(cost, " and costs {}", count(take.pennies, "penny", "pennies"));
        }
        if take.points != 0 {
            let _ = write!(cost, " and {} points", take.points);
        }
        sheet.say(format!("{cost}, where the table of contracts says nothing else."));
        sheet.say(match (take.limit, take.limit_per) {
            (0, _) => "Any number of times.".to_owned(),
            (n, LimitPer::Round) => format!("At most {} a round for each player.", count(n, "time", "times")),
            (n, LimitPer::Game) => {
                format!("At most {} in the whole game for each player.", count(n, "time", "times"))
            }
        });
        sheet.say(match take.tie {
            Tie::TurnOrder => "Among several the one whose turn comes soonest has it.",
            Tie::FirstCall => "Among several the first to ask has it.",
        });
        match take.repeat {
            TakeRepeat::NotConsecutive => sheet.say("Nobody takes two successive cards."),
            TakeRepeat::OncePerTurn => sheet.say("Nobody takes two cards in a turn."),
            TakeRepeat::Free => {}
        }
        sheet.say_if(take.chain, "After a take the card beneath is offered in the same way.");
        sheet.say_if(
            take.own_turn,
            "The player to play may buy the top discard first and then take a normal turn.",
        );
        sheet.say_if(
            take.current == TakeCurrent::EachCard,
            "The player to play is asked first about every card.",
        );
        sheet.say_if(take.who == TakeWho::NotDown, "A player who is down takes no discards.");
        sheet.say_if(!take.own_discard, "Nobody asks for the card just discarded by the own hand.");
        sheet.say_if(!take.first_turn, "The upcard cannot be asked for in the first turn.");
        sheet.say_if(
            take.close == TakeClose::BeforeDiscard,
            "The card stays open to askers until the player to play discards.",
        );
    }
    if rules.rounds.iter().any(|round| round.settings.shanghai.on) {
        sheet.head("Shanghai");
        sheet.say("Who discards a card that fits a meld on the table may call Shanghai: the next player may not take it, and nobody may ask for it in that turn.");
        sheet.say("Without that call any other player may call Shanghai, lay the card off and offer the own hand face down; the discarder draws one card from it.");
        sheet.say_if(
            set.shanghai.empty_wins,
            "A caller whose last card is drawn so is out and wins the round.",
        );
    }

    sheet.head("Scores");
    let pack = rules.pack();
    let values = &set.score.values;
    let mut groups: Vec<(i32, Vec<String>)> = Vec::new();
    for face in pack.faces().filter(|face| face.suit() == 0) {
        let (value, rank) = (values.of(face), pack.ranks[usize::from(face.rank()) - 1].clone());
        match groups.iter_mut().find(|(v, _)| *v == value) {
            Some((_, ranks)) => ranks.push(rank),
            None => groups.push((value, vec![rank])),
        }
    }
    if set.deck.jokers > 0 {
        groups.push((values.of(cards::Face::JOKER), vec!["joker".to_owned()]));
    }
    groups.sort_by_key(|(value, _)| *value);
    let words: Vec<String> =
        groups.iter().map(|(value, ranks)| format!("{} {value}", ranks.join(" "))).collect();
    sheet.say(format!("Cards left in hand count: {}.", words.join(", ")));
    let odd: Vec<String> = pack
        .faces()
        .filter(|face| values.of(*face) != values.of(cards::Face::new(0, face.rank())))
        .map(|face| format!("{} {}", pack.text(face), values.of(face)))
        .collect();
    sheet.say_if(!odd.is_empty(), &format!("But: {}.", odd.join(", ")));
    sheet.say_if(set.score.winner != 0, &format!("Going out changes the own score by {}.", set.score.winner));
    sheet.say_if(
        set.score.at_once != 0,
        &format!(
            "Laying the contract and going out in one turn changes the own score by {}.",
            set.score.at_once
        ),
    );
    sheet.say(if set.score.low_wins {
        "The winner of a round scores nothing; the lowest total after the last round wins."
    } else {
        "The winner of a round scores nothing; the highest total after the last round wins."
    });
    sheet.say(match set.score.ties {
        ScoreTies::Share => "Equal totals share the place.",
        ScoreTies::RoundsWon => "Of equal totals the one with more rounds won is better.",
        ScoreTies::LastRound => "Of equal totals the one with the better last round is better.",
    });
    sheet.say_if(
        set.game.end == GameEnd::FirstFinisher,
        "The match ends when somebody has laid every contract.",
    );
    if set.money.on {
        sheet.say(format!("At the end place k pays {} times k - 1 pennies to the winner.", set.money.step));
        sheet.say(match set.money.kitty {
            Kitty::Winner => "The winner also takes the kitty.",
            Kitty::TwoThirds => "The winner takes two thirds of the kitty, the second one third.",
        });
    }
    sheet.say_if(
        set.game.max_turns > 0,
        &format!("A round in which everybody has had {} turns ends without a winner.", set.game.max_turns),
    );
}

fn pattern_sheet(sheet: &mut Sheet, rules: &pattern::Rules) {
    use cards::Deck;
    use pattern::rules::*;
    sheet.head("Cards");
    sheet.say(match rules.deck {
        Deck::D27 => {
            "27 cards: number, colour and symbol in three forms each; the shading is always the same."
                .to_owned()
        }
        Deck::D81 => "81 cards: number, colour, shading and symbol in three forms each.".to_owned(),
        Deck::D243 => {
            "243 cards: number, colour, shading, symbol and background in three forms each.".to_owned()
        }
    });
    sheet.say("Three cards are a Set if each feature is the same on all three, or different on all three. Where two have it and one has not, it is no Set.");
    match rules.pattern {
        Pattern::Set => {}
        Pattern::Super => sheet.say("Looked for is a SuperSET: four cards in two pairs for which one and the same card would complete a Set."),
        Pattern::Ultra1 => sheet.say("A Set counts if its cards lie all in one group, or one in each group."),
        Pattern::Ultra2 => sheet.say("A Set counts if the rows of its cards are all equal or all different, and the columns too."),
    }
    match rules.multiplicity {
        Multiplicity::Single => {}
        Multiplicity::Double => sheet.say("Two at once are claimed, without a common card."),
        Multiplicity::Eight => sheet
            .say("Three or four Sets at once are claimed; they may share cards, but cover eight or more."),
    }

    sheet.head("Play");
    match rules.mechanism {
        Mechanism::Race | Mechanism::Scout | Mechanism::Trial => {
            if rules.mechanism == Mechanism::Trial {
                sheet.say("Everybody plays the same shuffle on a board of their own, and sees how far the others are.");
                sheet.say(format!(
                    "The quickest wins; each wrong claim adds {} seconds.",
                    rules.wrong_penalty_s
                ));
            }
            let cards = usize::from(rules.base) * usize::from(rules.zones);
            sheet.say(match rules.zones {
                1 => format!("{cards} cards lie open; there are no turns."),
                zones => {
                    format!("{cards} cards lie open in {zones} groups of {}; there are no turns.", rules.base)
                }
            });
            sheet.say_if(
                rules.deal_style == DealStyle::Progressive,
                "The first cards are laid one by one, and calls are allowed meanwhile.",
            );
            if rules.hand > 0 {
                sheet.say(format!(
                    "Everybody has {} too, {}.",
                    count(rules.hand, "personal card", "personal cards"),
                    if rules.hand_visibility == HandVisibility::Public {
                        "open to all"
                    } else {
                        "seen by nobody else"
                    }
                ));
                sheet.say("A claim takes cards from the own hand and the layout in any mix.");
                sheet.say_if(rules.hand_refill, "Used personal cards are replaced first, then the layout.");
            }
            sheet.say_if(
                rules.sources == Sources::Previous,
                "After your first Set, every claim must use exactly one card of your previous one.",
            );
            sheet.say(match rules.entry {
                Entry::Call => format!(
                    "Who sees one calls, and then has {} seconds to show it; nobody else may call meanwhile.",
                    rules.call_timeout_s
                ),
                Entry::Tap => "Tap the cards: the first right claim counts.".to_owned(),
            });
            if rules.mechanism == Mechanism::Scout {
                sheet.say("The finder seals a Set and points at one of its cards. The others race to name a second card of it.");
                sheet.say("Who names one takes it, the finder the other two. Who shows another Set with the card pointed at takes two cards of it, and the finder the sealed three.");
                sheet.say("A wrong scout loses a card and is out of this search. If all pass, the finder takes the Set, if it is one; else the finder loses a card and is frozen until another Set is found.");
            }
            sheet.say_if(rules.tie == Tie::Shared, &format!("Calls within {} ms of the first count as one: each keeps the own Set, but cards named twice go to the rubbish heap.", rules.tie_window_ms));
            sheet.say_if(
                rules.removed == Removed::One,
                "Only one card of the Set leaves, chosen by the caller.",
            );
            sheet.say(match rules.to {
                To::Collected => "The cards of a right claim are collected, and the layout is filled up from the stock.",
                To::Discard => "The cards of a right claim go to a common pile; those from the table are replaced, personal ones are not.",
            });
            sheet.say_if(
                rules.dealer == Dealer::SitsOut,
                "The dealer of a deal sits out, where three or more play.",
            );
            match rules.penalty {
                Penalty::None => sheet.say("A wrong claim costs nothing but a short wait."),
                Penalty::Point => sheet.say("A wrong claim costs a point."),
                Penalty::HeapSet => {
                    sheet.say("A wrong claim costs a point, paid with a collected Set where there is one.")
                }
                Penalty::Draw => sheet
                    .say(format!("A wrong claim costs one more personal card, up to {}.", rules.hand_max)),
                Penalty::Seconds => {
                    sheet.say(format!("A wrong claim adds {} seconds.", rules.wrong_penalty_s))
                }
                Penalty::LoseCard => {}
            }
            sheet.say(match rules.no_claim {
                NoClaim::Agree => "When all agree that there is none, more cards are laid.",
                NoClaim::AgreeChecked => {
                    "When all agree that there is none, and that is so, more cards are laid."
                }
                NoClaim::Auto => "When there is none, more cards are laid by themselves.",
            });
            sheet.say(match rules.end {
                End::StockAndNoClaim => "A deal ends when the stock is used up and nobody has a claim.",
                End::FirstNoClaimLoses => {
                    "The first time the layout holds none while cards are left, the game is lost."
                }
                End::HandEmpty => "A deal ends when somebody has no personal cards left.",
                End::Goal => "The game ends when the goal is reached.",
            });
        }
        Mechanism::Memory => {
            let cards = if rules.multiplicity == Multiplicity::Double { 6 } else { 3 };
            sheet.say(match rules.memory_layout {
                MemoryLayout::Full(_) => "All cards lie face down.".to_owned(),
                MemoryLayout::Slots(n) => {
                    format!("{n} cards lie face down and are filled up from the stock.")
                }
            });
            sheet.say(format!(
                "In turn, turn {} up, one after another; everybody sees them.",
                count(cards, "card", "cards")
            ));
            sheet.say(if rules.extra_turn {
                "Right: they are yours, and you play again."
            } else {
                "Right: they are yours."
            });
            sheet.say("Wrong: they turn down again where they lie.");
        }
        Mechanism::Setup => {
            sheet
                .say(format!("Everybody has {} and the table is empty.", count(rules.hand, "card", "cards")));
            sheet.say("In turn, play a card to the table and draw another.");
            sheet.say("Anybody else may challenge by naming two table cards that make a Set with it: then its player takes the whole table as penalty.");
            sheet.say("Whoever has taken most cards loses.");
        }
        Mechanism::Puzzle => sheet.say(format!(
            "Find all {} in the layout; cards stay, and may be used again.",
            count(rules.puzzle_sets, "Set", "Sets")
        )),
    }

    sheet.head("Score");
    sheet.say(match rules.score {
        _ if rules.mechanism == Mechanism::Setup => "The fewest cards taken win.",
        Score::Sets => "A point for each.",
        Score::Claims => "A point for each claim.",
        Score::Cards => "A point for each card collected.",
        Score::Time => "The time counts, then the errors.",
        Score::OthersCards => "Who is rid of all cards scores one for each personal card of the others.",
    });
    sheet.say(match rules.deals {
        Deals::Count(1) => "One deal.".to_owned(),
        Deals::Count(n) => format!("{} add up.", capital(&count(n, "deal", "deals"))),
        Deals::EachDealer => "One deal for each player as dealer; the scores add up.".to_owned(),
        Deals::ToPoints(n) => format!("Deals follow until somebody has {n} points."),
        Deals::ToPointsEach(n) => format!("Deals follow until somebody has {n} points for each player."),
    });
}
