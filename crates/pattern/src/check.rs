//! Which rule sets can be played (4.4, MIX-4, Q-11, Q-17, Q-22 and the ranges of section 3).

use crate::puzzle::layout::comes_up;
use crate::rules::{
    ComplexPick, Deals, End, EndCheck, Entry, Fault, Grouping, Lapse, Lockout, Mechanism, Multiplicity,
    NoClaim, NoClaimAction, Pattern, Penalty, Removed, Rules, Score, Sources, Tie, To,
};
use cards::Deck;
use game::option::{OptionType, Setting};
use game::{Say, Value, say};

type Ids = &'static [&'static str];

impl Rules {
    /// Everything that makes these rules unplayable at a table of `seats`, all at once; empty if nothing does.
    #[must_use]
    pub fn check(&self, seats: u8) -> Vec<Fault> {
        let mut faults = Faults(Vec::new());
        self.seated(seats).check_seated(seats, &mut faults);
        faults.0
    }

    /// What besides is refused at a public table: what lets one player block an agreement or the table for ever.
    #[must_use]
    pub fn check_public(&self) -> Vec<Fault> {
        let mut faults = Faults(Vec::new());
        let lapses: [(Lapse, Ids, Ids); 3] = [
            (self.idle_vote_s, &["idle_vote_s"], &["Q-17", "A-2"]),
            (self.refusal_lapse_s, &["refusal_lapse_s"], &["Q-17", "A-2"]),
            (self.call_timeout_s, &["call_timeout_s"], &["Q-17", "A-3"]),
        ];
        for (lapse, options, rules) in lapses {
            faults.when(lapse == Lapse::OFF, rules, options, || {
                say!("fault.pattern.never_off", option = options[0])
            });
        }
        faults.0
    }

    fn check_seated(&self, seats: u8, faults: &mut Faults) {
        // TWTY-1: with more the cards would not do. Q-10, SCOUT-1: what nobody plays alone, for practice either.
        let together = self.sources == Sources::Hand || self.mechanism == Mechanism::Scout;
        let (fewest, limit) = (1 + u8::from(together), if self.to == To::Discard { 8 } else { 12 });
        let (least, most) = (self.players.min.max(fewest), self.players.max.min(limit));
        let limits: Ids = match (self.solo(), self.mechanism, self.to) {
            (true, ..) => &["SOLO-1", "Q-10"],
            (_, Mechanism::Scout, _) => &["SCOUT-1", "Q-10"],
            (_, Mechanism::Memory, _) => &["MEM-1", "Q-10"],
            (_, Mechanism::Setup, _) => &["SETUP-1", "Q-10"],
            (_, _, To::Discard) => &["TWTY-1", "Q-10"],
            _ if self.sources == Sources::Hand => &["HANDS-1", "Q-10"],
            _ => &["Q-10"],
        };
        faults.when(seats < least || seats > most, limits, &["players"], || {
            let (from, to) = if least > most { (fewest, limit) } else { (least, most) };
            if from == to {
                say!("fault.pattern.seats_only", of = to, n = seats)
            } else {
                say!("fault.pattern.seats", min = from, max = to, n = seats)
            }
        });
        self.check_ranges(faults);
        match self.mechanism {
            Mechanism::Race | Mechanism::Scout => self.check_race(seats, faults),
            Mechanism::Memory => self.check_memory(faults),
            Mechanism::Setup => faults.when(
                usize::from(seats) * usize::from(self.hand) > self.deck.size(),
                &["SETUP-1"],
                &["hand", "deck"],
                || say!("fault.pattern.hands", seats = seats, hand = self.hand, deck = self.deck.size()),
            ),
            Mechanism::Puzzle => {
                faults.when(seats != 1, &["4.4", "DAILY-1"], &["players", "mechanism"], || {
                    say!("fault.pattern.puzzle_alone")
                });
                faults.when(!comes_up(self), &["4.4", "DAILY-1"], &["puzzle_sets", "base", "deck"], || {
                    say!("fault.pattern.puzzle_never", n = self.puzzle_sets, cards = self.base)
                });
            }
            Mechanism::Trial => {
                self.check_race(1, faults);
                self.check_trial(faults);
            }
        }
        if matches!(self.mechanism, Mechanism::Scout | Mechanism::Setup) || self.to == To::Discard {
            faults.when(self.multiplicity != Multiplicity::Single, &["MIX-4"], &["multiplicity"], || {
                say!("fault.pattern.single_sets")
            });
        }
    }

    fn check_ranges(&self, faults: &mut Faults) {
        for it in self.outside() {
            faults.when(true, it.rules, it.options, || it.say());
        }
        let deals = match self.deals {
            Deals::Count(n) => Some((n, 20)),
            Deals::ToPoints(n) | Deals::ToPointsEach(n) => Some((n, 1000)),
            Deals::EachDealer => None,
        };
        if let Some((n, most)) = deals {
            faults.when(!(1..=most).contains(&n), &["A-16"], &["deals"], || {
                say!("fault.outside", option = "deals", n = n, min = 1, max = most)
            });
        }
        self.check_penalty_and_score(faults);
        faults.when(self.mini_fixed.value > 2, &["A-51"], &["mini_fixed"], || {
            say!("fault.outside", option = "mini_fixed", n = self.mini_fixed.value, min = 0, max = 2)
        });
    }

    /// Of the words of `penalty` and `score`, those that the game's ruling names.
    fn check_penalty_and_score(&self, faults: &mut Faults) {
        let alone = self.solo() || self.mechanism == Mechanism::Trial;
        // Each goes with what is paid: a card to draw, a time to add to, a find that was sealed.
        let paid = match self.penalty {
            Penalty::None | Penalty::Point | Penalty::HeapSet => true,
            Penalty::Draw => self.to == To::Discard,
            Penalty::Seconds => alone,
            Penalty::LoseCard => self.mechanism == Mechanism::Scout,
        };
        faults.when(!paid, &["A-10"], &["penalty"], || {
            only("penalty", name::<Penalty>(self.penalty as usize), &["none", "point", "heap_set"])
        });
        let (ruling, counted): (Ids, Ids) = match self.multiplicity {
            Multiplicity::Single => return,
            Multiplicity::Double => (&["A-28"], &["sets", "claims"]),
            Multiplicity::Eight => (&["A-29"], &["sets", "claims", "cards"]),
        };
        // Who plays alone is measured by the time whatever is looked for (2.20).
        let timed = self.score == Score::Time && (alone || self.mechanism == Mechanism::Puzzle);
        let score = name::<Score>(self.score as usize);
        faults.when(!timed && !counted.contains(&score), ruling, &["score", "multiplicity"], || {
            only("score", score, counted)
        });
    }

    fn check_trial(&self, faults: &mut Faults) {
        let shared = self.no_claim != NoClaim::Auto || self.entry != Entry::Tap;
        faults.when(shared, &["TRIAL-1", "TRIAL-4"], &["no_claim", "entry"], || {
            say!("fault.pattern.own_board")
        });
        let chance = self.sources != Sources::Layout
            || self.complex_pick == ComplexPick::ServerRandom
            || self.deals != Deals::Count(1);
        faults.when(chance, &["TRIAL-1", "TRIAL-4"], &["sources", "complex_pick", "deals"], || {
            say!("fault.pattern.one_shuffle")
        });
        faults.when(!matches!(self.end, End::Goal | End::StockAndNoClaim), &["TRIAL-2"], &["end"], || {
            say!("fault.pattern.trial_end")
        });
    }

    fn check_memory(&self, faults: &mut Faults) {
        faults.when(self.deck == Deck::D243, &["A-21"], &["deck", "mechanism"], || {
            only("deck", "d243", &["d27", "d81"])
        });
        let odd = self.sources != Sources::Layout
            || self.hand > 0
            || self.multiplicity == Multiplicity::Eight
            || matches!(self.pattern, Pattern::Ultra1 | Pattern::Ultra2);
        faults.when(odd, &["MIX-4"], &["sources", "hand", "multiplicity", "pattern"], || {
            say!("fault.pattern.memory")
        });
    }

    fn check_race(&self, seats: u8, faults: &mut Faults) {
        self.check_layout(seats, faults);
        self.check_ties_and_penalties(faults);
        self.check_mixtures(faults);
        self.check_endings(seats, faults);
        if self.mechanism == Mechanism::Scout {
            self.check_scout(faults);
        }
    }

    /// Whether single Sets are claimed and all three cards leave.
    fn takes_single_sets(&self) -> bool {
        self.pattern == Pattern::Set
            && self.multiplicity == Multiplicity::Single
            && self.removed == Removed::All
    }

    /// Whether the deck is enough, and lies as the pattern needs it.
    fn check_layout(&self, seats: u8, faults: &mut Faults) {
        let (deck, base) = (self.deck.size(), usize::from(self.base) * usize::from(self.zones));
        faults.when(base + 3 > deck, &["4.4"], &["base", "zones", "deck"], || {
            say!("fault.pattern.layout", base = base, deck = deck)
        });
        let mega = self.deck == Deck::D243
            && self.pattern == Pattern::Set
            && self.multiplicity == Multiplicity::Single
            && self.sources != Sources::Hand
            && self.zones == 1;
        faults.when(mega && !(12..=21).contains(&base), &["A-27"], &["base", "deck"], || {
            say!("fault.outside", option = "base", n = base, min = 12, max = 21)
        });
        let named = self.deck == Deck::D81
            && self.pattern == Pattern::Super
            && self.pairing == Grouping::Declared
            && self.multiplicity == Multiplicity::Single
            && self.sources != Sources::Hand;
        faults.when(named && !matches!(base, 9 | 12), &["A-23"], &["base", "pairing"], || {
            only("base", base, &["9", "12"])
        });
        let hands = usize::from(self.hand) * usize::from(seats);
        faults.when(hands + base > deck, &["4.4", "TWTY-1"], &["hand", "base", "deck"], || {
            let hand = self.hand;
            say!("fault.pattern.hands_and_layout", seats = seats, hand = hand, base = base, deck = deck)
        });
        let zones = match self.pattern {
            Pattern::Set | Pattern::Super => 1,
            Pattern::Ultra1 => 3,
            Pattern::Ultra2 => 9,
        };
        faults.when(self.zones != zones, &["PAT-ULTRA", "4.1"], &["zones", "pattern"], || {
            say!("fault.pattern.zones", zones = zones, n = self.zones)
        });
        faults.when(
            (self.sources == Sources::Hand) != (self.hand > 0),
            &["HANDS-2", "4.1"],
            &["sources", "hand"],
            || say!("fault.pattern.personal_cards"),
        );
    }

    fn check_ties_and_penalties(&self, faults: &mut Faults) {
        let plain = self.takes_single_sets();
        let chain = self.sources == Sources::Previous;
        // Of a chain's Set the link stays.
        faults.when(self.tie == Tie::Shared && (chain || !plain), &["4.4", "Q-11"], &["tie"], || {
            say!("fault.pattern.shared_tie")
        });
        faults.when(
            self.tie == Tie::Shared && self.entry != Entry::Call,
            &["Q-22"],
            &["tie", "entry"],
            || say!("fault.pattern.shared_tie_call"),
        );
        faults.when(self.penalty == Penalty::HeapSet && !plain, &["Q-11"], &["penalty"], || {
            say!("fault.pattern.set_penalty")
        });
        faults.when(
            chain && self.penalty == Penalty::HeapSet,
            &["4.4", "CHAIN-9"],
            &["penalty", "sources"],
            || say!("fault.pattern.chain_penalty"),
        );
    }

    /// What is not played together (MIX-4, Q-22).
    fn check_mixtures(&self, faults: &mut Faults) {
        use Multiplicity::{Eight, Single};
        let chain = self.sources == Sources::Previous;
        faults.when(chain && self.pattern == Pattern::Super, &["MIX-4"], &["sources", "pattern"], || {
            say!("fault.pattern.chain_super")
        });
        faults.when(
            chain && (self.multiplicity == Eight || self.removed == Removed::One),
            &["Q-22"],
            &["sources", "multiplicity", "removed"],
            || say!("fault.pattern.chain_mixed"),
        );
        let ultra = matches!(self.pattern, Pattern::Ultra1 | Pattern::Ultra2);
        faults.when(ultra && self.sources != Sources::Layout, &["Q-22"], &["pattern", "sources"], || {
            say!("fault.pattern.ultra_mixed")
        });
        faults.when(
            self.removed == Removed::One && self.multiplicity != Single,
            &["MIX-4"],
            &["removed", "multiplicity"],
            || say!("fault.pattern.complex_mixed"),
        );
        faults.when(
            self.removed == Removed::One && self.pattern == Pattern::Super,
            &["CPLX-1"],
            &["removed", "pattern"],
            || say!("fault.pattern.complex_super"),
        );
        faults.when(
            self.multiplicity == Eight && self.pattern == Pattern::Super,
            &["PAT-EIGHT"],
            &["multiplicity", "pattern"],
            || say!("fault.pattern.eight_super"),
        );
    }

    /// Whether a deal can come to its end.
    fn check_endings(&self, seats: u8, faults: &mut Faults) {
        let leaks: Ids = match self.to {
            To::Discard => &["TWTY-13", "4.4"],
            To::Collected => &["HANDS-5", "4.4"],
        };
        faults.when(
            self.private_hands() && self.no_claim != NoClaim::Agree,
            leaks,
            &["no_claim", "hand_visibility"],
            || say!("fault.pattern.private_hands"),
        );
        faults.when(
            self.end_check == EndCheck::Players && self.no_claim == NoClaim::Auto,
            &["Q-22"],
            &["end_check", "no_claim"],
            || say!("fault.pattern.end_by_players"),
        );
        faults.when(
            seats == 1 && self.lockout() == Lockout::UNTIL_NEXT_CLAIM,
            &["Q-18"],
            &["lockout_s"],
            || say!("fault.pattern.lockout_alone"),
        );
        faults.when(
            self.no_claim_action == NoClaimAction::Replace6 && self.to != To::Discard,
            &["TWTY-12"],
            &["no_claim_action"],
            || say!("fault.pattern.replace_layout"),
        );
        faults.when(
            (self.end == End::HandEmpty) != (self.to == To::Discard)
                || self.to == To::Discard && self.hand == 0,
            &["TWTY-4", "TWTY-8"],
            &["end", "to", "hand"],
            || say!("fault.pattern.discard_goal"),
        );
        faults.when(
            matches!(self.end, End::FirstNoClaimLoses | End::Goal) && seats != 1,
            &["SOLO-1", "4.4"],
            &["end"],
            || say!("fault.pattern.end_alone"),
        );
    }

    fn check_scout(&self, faults: &mut Faults) {
        let plain = self.takes_single_sets();
        faults.when(
            !plain || self.sources != Sources::Layout || self.deck != Deck::D81,
            &["SCOUT-1", "MIX-4"],
            &["mechanism"],
            || say!("fault.pattern.scout_sets"),
        );
        faults.when(
            self.entry != Entry::Call || self.tie != Tie::First,
            &["SCOUT-2"],
            &["entry", "tie"],
            || say!("fault.pattern.scout_call"),
        );
    }
}

/// What the value at this place of a choice is called in rule files.
fn name<T: Setting>(place: usize) -> &'static str {
    match T::KIND {
        OptionType::Choice { of } => of[place],
        _ => "",
    }
}

/// That an option is something else than the values which its ruling names.
fn only(option: &'static str, is: impl Into<Value>, names: &[&'static str]) -> Say {
    let names = names.iter().map(|name| say!("list.name", name = *name)).collect();
    say!("fault.outside_only", option = option, n = is, only = Say::any(names).unwrap_or_default())
}

struct Faults(Vec<Fault>);

impl Faults {
    fn when(&mut self, bad: bool, rules: Ids, options: Ids, say: impl FnOnce() -> Say) {
        if bad {
            self.0.push(Fault { rules, options, say: say() });
        }
    }
}
