//! The rules of one round as far as melds go, resolved and packed for speed, and what makes one meld legal.

use super::{DeclaredCard, DeclaredMeld, Kind, Meld, Placed, Suits};
use crate::options::{Reclaim, RunAce, WildBalance, WildPlace};
use arrayvec::ArrayVec;
use cards::{Face, Pack, list};
use game::{Refusal, Say, say};

/// One thing a contract slot may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Want {
    /// Group, run, pair or flush.
    pub kind: Kind,
    /// The fewest cards, and in exact contracts the most.
    pub size: u8,
    /// The most wilds (flags `c`, `w1` to `w9`); 255 if the slot sets no limit.
    pub wilds: u8,
    /// Whether all suits must differ (flag `s`).
    pub distinct: bool,
    /// Of a run, how its suits are bound (flags `m`, `k`, `a`); of a flush, whether one suit or one colour (`k`).
    pub suits: Suits,
    /// Of a group or pair, the rank that it must be of, as its place from 1 (HR-SLOT-1); 0 for any.
    pub rank: u8,
}

impl Want {
    /// Whether a group or pair of this rank will do.
    #[must_use]
    pub const fn takes(&self, rank: u8) -> bool {
        self.rank == 0 || self.rank == rank
    }
}

/// A slot of a contract: the things it may be, usually one.
pub type Choice = ArrayVec<Want, 4>;

/// The slots of a contract.
pub type Wanted = Vec<Choice>;

/// The rule of one game that is an option of every game (`run.per_suit`), and that no other says.
pub(super) const ONE_RUN_OF_A_SUIT: &str = "PW-4";

/// Which games stand in the chain of bases of a rule file: bit set, for citing the right rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lineage(pub u8);

impl Lineage {
    const GAMES: [(&'static str, &'static str); 8] = [
        ("CR-", "contract"),
        ("NJ-", "contract-nj"),
        ("LV-", "liverpool"),
        ("MI-", "may-i"),
        ("SH-", "shanghai"),
        ("PW-", "shanghai-powe"),
        ("DK-", "shanghai-kolsov"),
        ("PR-", "progressive"),
    ];

    /// The lineage of a file whose own id and bases are `ids`.
    #[must_use]
    pub fn of<'a>(ids: impl IntoIterator<Item = &'a str>) -> Lineage {
        Lineage(ids.into_iter().fold(0, |set, id| {
            set | Self::GAMES.iter().position(|&(_, game)| game == id).map_or(0, |bit| 1 << bit)
        }))
    }

    /// Whether the rule with this id speaks of a game of this lineage, or of all games.
    #[must_use]
    pub fn holds(self, rule: &str) -> bool {
        rule == "PW-4"
            || Self::GAMES
                .iter()
                .position(|&(prefix, _)| rule.starts_with(prefix))
                .is_none_or(|bit| self.0 & 1 << bit != 0)
    }
}

/// The rules by which a meld holds so many wilds at most.
pub(super) const WILD_CAP: &[&str] = &["SH-MELD-4", "A-08"];

/// What is wrong with an act: every rule that forbids it, and the first reason in words.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    rules: Vec<&'static str>,
    say: Option<Say>,
}

impl Faults {
    /// Adds rules that forbid the act too.
    pub fn cite(&mut self, rules: &[&'static str]) {
        for &rule in rules {
            if !self.rules.contains(&rule) {
                self.rules.push(rule);
            }
        }
    }

    /// Adds a fault.
    pub fn add(&mut self, rules: &[&'static str], say: impl FnOnce() -> Say) {
        self.cite(rules);
        if self.say.is_none() {
            self.say = Some(say());
        }
    }

    /// Whether nothing is wrong.
    pub fn none(&self) -> bool {
        self.say.is_none()
    }

    /// Takes in what is wrong elsewhere.
    pub fn join(&mut self, other: Faults) {
        if let Some(say) = other.say {
            self.add(&other.rules, || say);
        }
    }

    /// The refusal, citing what holds in `lineage`, the game's own rules first.
    pub fn refusal(self, lineage: Lineage) -> Refusal {
        let own: Vec<&'static str> = self.rules.iter().copied().filter(|r| lineage.holds(r)).collect();
        // What an option of another game forbids is told by the rule of the game that has it.
        let mut rules = if own.is_empty() { self.rules } else { own };
        list::sort_by_key(&mut rules, |r| {
            match Lineage::GAMES.iter().position(|(prefix, _)| r.starts_with(prefix)) {
                Some(0) => 8,
                Some(game) => 8 - game,
                None => 9,
            }
        });
        Refusal::new(&rules, self.say.unwrap_or_default())
    }

    /// `Ok` if nothing is wrong.
    pub fn result(self, lineage: Lineage) -> Result<(), Refusal> {
        if self.none() { Ok(()) } else { Err(self.refusal(lineage)) }
    }
}

/// Where a meld is judged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope<'a> {
    /// As a part of a contract, for this slot.
    Contract(&'a Want),
    /// On the table, after a lay-off.
    Table,
}

/// The rules of a round as far as melds go.
#[derive(Clone, Debug, PartialEq)]
pub struct Law {
    /// How cards are written, for sentences.
    pub pack: Pack,
    /// Number of ranks of the pack.
    pub ranks: u8,
    /// Number of suits of the pack.
    pub suits: u8,
    /// The colour of each suit, for the flags `k` and `a`.
    pub colours: [u8; 4],
    /// The wild faces, one bit for each [`Face::index`]; bit 0 is the joker.
    pub wild: u64,
    /// The faces that make somebody lose a turn and lie in no meld (HR-SKIP-1), as those that are wild.
    pub skips: u64,
    /// The rank that the upcard or the dealer has made wild, as its place from 1 (HR-WILD-3, HR-WILD-4); 0 for none.
    pub turned: u8,
    /// Kinds that may hold wilds: group, run, pair, flush.
    pub wild_kinds: [bool; 4],
    /// The most wilds in a meld; 255 for no limit.
    pub wild_cap: u8,
    /// The fewest naturals in a meld.
    pub min_naturals: u8,
    /// Naturals against wilds in a meld.
    pub balance: WildBalance,
    /// Whether the three limits above bind lay-offs too.
    pub caps_always: bool,
    /// Whether a wild may stand at an end of a run.
    pub wild_ends: bool,
    /// Whether wilds may be neighbours in a run.
    pub wild_adjacent: bool,
    /// Whether a wild in its own place is a natural.
    pub natural_in_place: bool,
    /// How a wild in a run gives way to a natural.
    pub place: WildPlace,
    /// Which melds give wilds back.
    pub reclaim: Reclaim,
    /// Whether only jokers are given back.
    pub reclaims_jokers_only: bool,
    /// Where the first rank stands in runs.
    pub ace: RunAce,
    /// The most cards in a run; never more than the positions there are.
    pub run_max: u8,
    /// Ranks that must lie between two contract runs of one suit that do not overlap.
    pub gap: u8,
    /// Whether two contract runs of one suit may overlap.
    pub overlap: bool,
    /// Contract runs in one suit at most; 255 for no limit.
    pub per_suit: u8,
    /// The most cards in a group; 255 for no limit.
    pub group_max: u8,
    /// Whether the contract's groups must be of different ranks.
    pub distinct_ranks: bool,
    /// Whether no suit may come twice in a group.
    pub distinct_suits: bool,
    /// Whether contract slots have exactly their size; else at least.
    pub exact: bool,
    /// Whether the contract must use the whole hand.
    pub all: bool,
    /// What the cards of the contract must count at least (HR-OPEN-1).
    pub opening: u16,
    /// Whether a player may lay off in the turn of melding.
    pub same_turn: bool,
    /// Whether nobody lays off before all have laid the contract (HR-LAY-1).
    pub all_down: bool,
    /// Whether one card must stay in hand to be discarded (RF-7).
    pub keep_one: bool,
    /// The contracts of this round: one, or alternatives of which one is to be laid.
    pub contracts: Vec<Wanted>,
    /// What each card left in hand costs, by [`Face::index`].
    pub values: [i16; Face::COUNT],
    /// Whose rules are cited.
    pub lineage: Lineage,
}

impl Law {
    /// Whether a card may stand for others.
    #[must_use]
    pub const fn is_wild(&self, card: Face) -> bool {
        self.wild >> card.index() & 1 != 0
    }

    /// Whether a card is for losing a turn, and lies in no meld (HR-SKIP-1).
    #[must_use]
    pub const fn is_skip(&self, card: Face) -> bool {
        self.skips >> card.index() & 1 != 0
    }

    /// Whether a card is of what a group, pair or flush is of: its rank, suit or colour.
    #[must_use]
    pub fn belongs(&self, meld: &Meld, card: Face) -> bool {
        !card.is_joker()
            && if meld.is_flush() {
                self.suits_agree(meld.suits, card.suit(), meld.low)
            } else {
                card.rank() == meld.low
            }
    }

    /// The suit that a flush with cards of `suit` is told by: that, or the first of its colour.
    pub(crate) fn flush_of(&self, suits: Suits, suit: u8) -> u8 {
        (0..self.suits).find(|&first| self.suits_agree(suits, first, suit)).unwrap_or(suit)
    }

    /// Whether a card in a meld counts as a wild there.
    #[must_use]
    pub fn counts_as_wild(&self, card: Placed) -> bool {
        self.is_wild(card.card) && !(self.natural_in_place && card.is_itself())
    }

    /// Number of wilds in a meld.
    #[must_use]
    pub fn wilds_in(&self, meld: &Meld) -> usize {
        meld.cards.iter().filter(|&&c| self.counts_as_wild(c)).count()
    }

    /// The lowest position of a run.
    #[must_use]
    pub const fn first(&self) -> u8 {
        match self.ace {
            RunAce::High => 2,
            RunAce::Both | RunAce::Low | RunAce::Corner => 1,
        }
    }

    /// The highest position of a run. Corner runs are told from their lowest card on, so they may count past the last
    /// rank, once round at most.
    #[must_use]
    pub const fn last(&self) -> u8 {
        match self.ace {
            RunAce::Both | RunAce::High => self.ranks + 1,
            RunAce::Low => self.ranks,
            RunAce::Corner => 2 * self.ranks - 1,
        }
    }

    /// The rank that stands at a position.
    #[must_use]
    pub const fn rank_at(&self, position: u8) -> u8 {
        (position - 1) % self.ranks + 1
    }

    /// Whether a card of `suit` may be next to one of `neighbour` in a run of this sort.
    pub(crate) fn suits_agree(&self, suits: Suits, suit: u8, neighbour: u8) -> bool {
        let colour = |suit: u8| self.colours[suit as usize & 3];
        match suits {
            Suits::One => suit == neighbour,
            Suits::Free => true,
            Suits::Colour => colour(suit) == colour(neighbour),
            Suits::Alternate => colour(suit) != colour(neighbour),
        }
    }

    /// A suit that may stand next to `neighbour`: the neighbour's own where that will do.
    pub(super) fn suit_beside(&self, suits: Suits, neighbour: u8) -> u8 {
        if self.suits_agree(suits, neighbour, neighbour) {
            return neighbour;
        }
        (0..self.suits).find(|&s| self.suits_agree(suits, s, neighbour)).unwrap_or(neighbour)
    }

    /// Puts every card of a meld in its place. Wilds that are not declared are placed as A-07 says: naturals keep their
    /// order, inner gaps are filled first, spare wilds go to the high end and what remains to the low end.
    ///
    /// The meld is then a run or a group in shape; whether it is legal in a contract or on the table is judged apart.
    ///
    /// # Errors
    /// Where nothing fits, the rules it breaks.
    pub fn place(&self, said: &DeclaredMeld, suits: Suits) -> Result<Meld, Refusal> {
        self.placed(said, suits).map_err(|faults| faults.refusal(self.lineage))
    }

    pub(super) fn placed(&self, said: &DeclaredMeld, suits: Suits) -> Result<Meld, Faults> {
        let mut faults = Faults::default();
        for card in &said.cards {
            if self.is_skip(card.card) {
                faults.add(&["HR-SKIP-1"], || self.no_meld_for(card.card));
                continue;
            }
            if let Some(stands) = card.stands
                && !self.is_wild(card.card)
            {
                faults.add(
                    match said.kind {
                        Kind::Run => &["PR-DECK-1", "CR-JOK-1", "CR-MELD-1"],
                        Kind::Group | Kind::Pair => &["PR-DECK-1", "CR-JOK-1", "CR-MELD-2"],
                        Kind::Flush => &["PR-DECK-1", "CR-JOK-1", "HR-SLOT-2"],
                    },
                    || self.not_wild(card.card, stands),
                );
            }
        }
        if !faults.none() {
            return Err(faults);
        }
        match said.kind {
            Kind::Run => self.place_run(&said.cards, suits),
            Kind::Group | Kind::Pair => self.place_group(said.kind, &said.cards),
            Kind::Flush => self.place_flush(&said.cards, suits),
        }
    }

    /// Whether a meld of the contract that cannot be placed holds too many wilds, too; of those that can be naturals nobody knows.
    pub(super) fn is_over_cap(&self, said: &DeclaredMeld) -> bool {
        let wild = |face: Face| self.is_wild(face) && (face.is_joker() || !self.natural_in_place);
        let wilds = said.cards.iter().filter(|c| wild(c.card)).count();
        self.wild_cap < 255 && wilds > usize::from(self.wild_cap)
    }

    /// That a card which makes somebody lose a turn lies in no meld.
    pub(super) fn no_meld_for(&self, card: Face) -> Say {
        say!("no_contract.skip_in_meld", card = self.pack.text(card))
    }

    /// That a card which is no wild cannot stand for another.
    pub(super) fn not_wild(&self, card: Face, stands: Face) -> Say {
        say!("no_contract.not_wild", card = self.pack.text(card), stands = self.pack.text(stands))
    }

    fn place_group(&self, kind: Kind, cards: &[DeclaredCard]) -> Result<Meld, Faults> {
        const SHAPE: &[&str] = &["CR-MELD-2", "PR-MELD-3"];
        let mut faults = Faults::default();
        let said = |c: &DeclaredCard| match c.stands {
            Some(stands) => Some(stands.rank()),
            None => (!self.is_wild(c.card)).then(|| c.card.rank()),
        };
        let own = |c: &DeclaredCard| (self.natural_in_place && !c.card.is_joker()).then(|| c.card.rank());
        // Rank by naturals and declarations; else by twos and the like that can only mean themselves.
        let Some(rank) = cards.iter().find_map(said).or_else(|| one_value(cards.iter().filter_map(own)))
        else {
            faults.add(&["PR-MELD-4", "CR-JOK-6", "A-07", "A-08"], || {
                say!("no_contract.group_of_wilds", kind = kind.say())
            });
            return Err(faults);
        };
        if cards.iter().any(|c| said(c).is_some_and(|r| r != rank)) {
            faults.add(SHAPE, || say!("no_contract.one_rank", kind = kind.say()));
            return Err(faults);
        }
        let cards = cards.iter().map(|c| self.in_group(c.card, rank)).collect();
        let mut meld = Meld { kind, suits: Suits::One, low: rank, cards };
        self.sort_group(&mut meld);
        Ok(meld)
    }

    fn place_flush(&self, cards: &[DeclaredCard], suits: Suits) -> Result<Meld, Faults> {
        let mut faults = Faults::default();
        let said = |c: &DeclaredCard| match c.stands {
            Some(stands) => Some(stands.suit()),
            None => (!self.is_wild(c.card)).then(|| c.card.suit()),
        };
        let own = |c: &DeclaredCard| {
            let own = self.natural_in_place && !c.card.is_joker();
            own.then(|| self.flush_of(suits, c.card.suit()))
        };
        // Suit by naturals and declarations; else by twos and the like that can only mean themselves.
        let suit = cards.iter().find_map(said).or_else(|| one_value(cards.iter().filter_map(own)));
        let Some(suit) = suit else {
            faults.add(&["HR-SLOT-2", "CR-JOK-6", "A-07", "A-08"], || say!("no_contract.flush_of_wilds"));
            return Err(faults);
        };
        if cards.iter().any(|c| said(c).is_some_and(|other| !self.suits_agree(suits, other, suit))) {
            faults.add(&["HR-SLOT-2"], || match suits {
                Suits::Colour => say!("no_contract.flush_colour"),
                _ => say!("no_contract.flush_suit"),
            });
            return Err(faults);
        }
        let low = self.flush_of(suits, suit);
        let mut meld = Meld { kind: Kind::Flush, suits, low, cards: Vec::with_capacity(cards.len()) };
        let placed: Vec<Placed> = cards.iter().map(|c| self.inside(&meld, c.card)).collect();
        meld.cards = placed;
        self.sort_group(&mut meld);
        Ok(meld)
    }

    /// The card as a member of a group, pair or flush.
    pub(crate) fn inside(&self, meld: &Meld, card: Face) -> Placed {
        if !meld.is_flush() {
            return self.in_group(card, meld.low);
        }
        Placed { card, stands: if self.belongs(meld, card) { card } else { Face::new(meld.low, 1) } }
    }

    /// The card as a member of a group of this rank.
    pub(crate) fn in_group(&self, card: Face, rank: u8) -> Placed {
        Placed { card, stands: if card.rank() == rank { card } else { Face::new(0, rank) } }
    }

    pub(super) fn sort_group(&self, meld: &mut Meld) {
        list::sort_by_key(&mut meld.cards, |&c| (self.counts_as_wild(c), c.card));
    }

    fn place_run(&self, cards: &[DeclaredCard], suits: Suits) -> Result<Meld, Faults> {
        // A card shows what it stands for: a two of the run's own suit that is not declared means itself, a second
        // one of the same face cannot. Where suits are free, as many as possible stand in their own place.
        let mut last_faults = None;
        let own_place = |c: &DeclaredCard| {
            c.stands.is_none() && self.is_wild(c.card) && !c.card.is_joker() && self.natural_in_place
        };
        let suit = cards
            .iter()
            .find_map(|c| c.stands.or((!self.is_wild(c.card)).then_some(c.card)))
            .or_else(|| cards.iter().find(|c| own_place(c)).map(|c| c.card))
            .map(Face::suit);
        let in_place: Vec<usize> = (0..cards.len())
            .filter(|&i| {
                own_place(&cards[i])
                    && !cards[..i].contains(&cards[i])
                    && (suits != Suits::One || Some(cards[i].card.suit()) == suit)
            })
            .collect();
        let subsets = if suits == Suits::One { 1 } else { 1u32 << in_place.len().min(8) };
        let mut choices: Vec<u32> = (0..subsets).collect();
        list::sort_by_key(&mut choices, |set| set.count_ones());
        for leave_out in choices {
            let fixed: Vec<Option<Face>> = cards
                .iter()
                .enumerate()
                .map(|(i, c)| match c.stands {
                    Some(stands) => Some(stands),
                    None if !self.is_wild(c.card) => Some(c.card),
                    None => in_place
                        .iter()
                        .position(|&at| at == i)
                        .filter(|bit| *bit < 8 && leave_out & 1 << bit == 0)
                        .map(|_| c.card),
                })
                .collect();
            match self.fill_run(cards, &fixed, suits) {
                Ok(meld) => return Ok(meld),
                Err(faults) => last_faults = Some(faults),
            }
        }
        Err(last_faults.unwrap_or_default())
    }

    /// Lays a run out: `fixed` says what each card stands for, none for the wilds that are still free.
    fn fill_run(&self, cards: &[DeclaredCard], fixed: &[Option<Face>], suits: Suits) -> Result<Meld, Faults> {
        const SHAPE: &[&str] = &["SH-MELD-1", "PR-MELD-1", "CR-MELD-1"];
        let mut faults = Faults::default();
        let mut known: Vec<usize> = (0..cards.len()).filter(|&i| fixed[i].is_some()).collect();
        let Some(&one) = known.first() else {
            faults.add(&["PR-MELD-4", "CR-JOK-6", "A-07", "A-08"], || say!("no_contract.run_of_wilds"));
            return Err(faults);
        };
        let face = |i: usize| fixed[i].unwrap_or(Face::JOKER);
        if suits == Suits::One && known.iter().any(|&i| face(i).suit() != face(one).suit()) {
            faults.add(SHAPE, || say!("no_contract.one_suit"));
            return Err(faults);
        }
        let Some(at) = self.in_order(&mut known, face, cards.len()) else {
            let ranks = || known.iter().map(|&i| self.pack.text(face(i))).collect::<Vec<_>>().join(" ");
            let low_ace = self.ace == RunAce::High && known.iter().any(|&i| face(i).rank() == 1);
            if low_ace {
                faults.add(&["SH-MELD-1", "A-09", "PR-MELD-1", "CR-MELD-1"], || {
                    say!("no_contract.ace_high", cards = ranks())
                });
            } else {
                faults.add(&["SH-MELD-1", "PR-MELD-1", "CR-MELD-1", "A-09"], || {
                    say!("no_contract.no_sequence", cards = ranks())
                });
            }
            return Err(faults);
        };
        let (mut gaps, spare) = fill_gaps(&known, &at, (0..cards.len()).filter(|&i| fixed[i].is_none()));
        if gaps.iter().any(|(_, card)| card.is_none()) {
            faults.add(SHAPE, || say!("no_contract.gaps"));
            return Err(faults);
        }
        let (mut low, mut high) = (at[0], at[at.len() - 1]);
        let corner = self.ace == RunAce::Corner;
        for card in spare {
            if (!corner || high - low + 1 < self.ranks) && high < self.last() {
                high += 1;
                gaps.push((high, Some(card)));
            } else if !corner && low > self.first() {
                low -= 1;
                gaps.insert(0, (low, Some(card)));
            } else {
                faults.add(&["CR-JOK-2", "SH-MELD-1", "A-06", "A-07", "CR-MELD-3"], || {
                    say!("no_contract.no_room_for_wild")
                });
                return Err(faults);
            }
        }
        // Suits: of one suit, or each free wild beside its neighbour.
        let mut placed: Vec<Placed> = Vec::with_capacity(gaps.len());
        for &(position, card) in &gaps {
            let i = card.unwrap_or_default();
            let stands = fixed[i].unwrap_or_else(|| {
                let steps = at[0].saturating_sub(position);
                let suit = self.free_suit(suits, face(one).suit(), placed.last(), steps);
                Face::new(suit, self.rank_at(position))
            });
            placed.push(Placed { card: cards[i].card, stands });
        }
        if placed.windows(2).any(|w| !self.suits_agree(suits, w[1].stands.suit(), w[0].stands.suit())) {
            faults.add(SHAPE, || match suits {
                Suits::Colour => say!("no_contract.one_colour"),
                _ => say!("no_contract.alternate"),
            });
            return Err(faults);
        }
        let low = if corner { self.rank_at(low) } else { low };
        Ok(Meld { kind: Kind::Run, suits, low, cards: placed })
    }

    /// The suit of a free wild in a run: the run's own, or one that goes beside its left neighbour's. `first` is the suit
    /// of the first known card, which lies `steps` above a wild at the low end.
    fn free_suit(&self, suits: Suits, first: u8, left: Option<&Placed>, steps: u8) -> u8 {
        match (suits, left) {
            (Suits::One, _) => first,
            (_, Some(left)) => self.suit_beside(suits, left.stands.suit()),
            // As far from the first known card as its parity says.
            (_, None) if steps % 2 == 1 => self.suit_beside(suits, first),
            (_, None) => first,
        }
    }

    /// Ascending positions of the known cards, as sent, or else in order of rank: `known` is brought into their order.
    fn in_order(&self, known: &mut [usize], face: impl Fn(usize) -> Face, room: usize) -> Option<Vec<u8>> {
        self.positions(known, &face, room).or_else(|| {
            list::sort_by_key(known, |&i| face(i).rank());
            self.positions(known, &face, room).or_else(|| {
                // An ace that belongs above the last rank.
                let aces = known.iter().filter(|&&i| face(i).rank() == 1).count();
                known.rotate_left(aces.min(1));
                self.positions(known, &face, room)
            })
        })
    }

    /// Ascending positions of cards in the order given, at most `room` apart in all, if there are any.
    fn positions(&self, order: &[usize], face: impl Fn(usize) -> Face, room: usize) -> Option<Vec<u8>> {
        let mut at: Vec<u8> = Vec::with_capacity(order.len());
        for (n, &i) in order.iter().enumerate() {
            let rank = face(i).rank();
            if rank == 0 || rank > self.ranks {
                return None;
            }
            let position = match (at.last(), self.ace) {
                (None, RunAce::Corner) => rank,
                (Some(&before), RunAce::Corner) => {
                    let step = (rank + self.ranks - self.rank_at(before)) % self.ranks;
                    if step == 0 {
                        return None;
                    }
                    before + step
                }
                (before, reach) => {
                    let last_and_not_alone = n + 1 == order.len() && (n > 0 || i > 0);
                    let high = rank == 1
                        && match reach {
                            RunAce::High => true,
                            RunAce::Both => before.is_some() || last_and_not_alone,
                            RunAce::Low | RunAce::Corner => false,
                        };
                    if high { self.ranks + 1 } else { rank }
                }
            };
            if at.last().is_some_and(|&before| before >= position) {
                return None;
            }
            at.push(position);
        }
        let span = at.last()? - at.first()? + 1;
        let fits = usize::from(span) <= room && (self.ace != RunAce::Corner || span <= self.ranks);
        fits.then_some(at)
    }

    /// Judges a meld that is a run or a group in shape.
    pub(super) fn faults(&self, meld: &Meld, scope: Scope<'_>) -> Faults {
        let mut faults = Faults::default();
        let wilds = self.wilds_in(meld);
        let naturals = meld.len() - wilds;
        let kind = || meld.kind.say();
        let contract = matches!(scope, Scope::Contract(_));
        if wilds > 0 && !self.wild_kinds[meld.kind as usize] {
            faults.add(&["A-42"], || say!("no_contract.no_wild", kind = kind()));
        }
        if contract || self.caps_always {
            if wilds > usize::from(self.wild_cap) {
                faults.add(WILD_CAP, || say!("no_contract.most_wilds", kind = kind(), n = self.wild_cap));
            }
            if naturals < usize::from(self.min_naturals) {
                faults.add(&["CR-JOK-6", "A-08"], || {
                    say!("no_contract.least_naturals", kind = kind(), n = self.min_naturals)
                });
            }
            let balanced = match self.balance {
                WildBalance::None => true,
                WildBalance::AtLeast => naturals >= wilds,
                WildBalance::More => naturals > wilds,
            };
            if !balanced {
                faults.add(&["A-08"], || match self.balance {
                    WildBalance::More => say!("no_contract.more_naturals", kind = kind()),
                    _ => say!("no_contract.as_many_naturals", kind = kind()),
                });
            }
        }
        if let Scope::Contract(want) = scope
            && wilds > usize::from(want.wilds)
        {
            faults.add(&["CR-MELD-5", "A-08"], || match want.wilds {
                0 => say!("no_contract.clean", kind = kind()),
                most => say!("no_contract.most_wilds_here", kind = kind(), n = most),
            });
        }
        if meld.is_run() {
            if meld.len() > usize::from(self.run_max) {
                faults.add(&["SH-MELD-1", "CR-MELD-3", "A-09"], || {
                    say!("no_contract.longest_run", n = self.run_max)
                });
            }
            let wild = |c: Option<&Placed>| c.is_some_and(|&c| self.counts_as_wild(c));
            if !self.wild_ends && (wild(meld.cards.first()) || wild(meld.cards.last())) {
                faults.add(&["A-06"], || say!("no_contract.wild_at_end"));
            }
            if !self.wild_adjacent && meld.cards.windows(2).any(|w| wild(w.first()) && wild(w.last())) {
                faults.add(&["A-06"], || say!("no_contract.wilds_side_by_side"));
            }
        } else if !meld.is_flush() {
            if meld.len() > usize::from(self.group_max) {
                faults.add(&["A-12", "A-51"], || {
                    say!("no_contract.largest_group", kind = kind(), n = self.group_max)
                });
            }
            let asked = matches!(scope, Scope::Contract(want) if want.distinct);
            let distinct = self.distinct_suits || asked;
            let mut seen = [false; 4];
            let repeated = meld
                .cards
                .iter()
                .filter(|&&c| !self.counts_as_wild(c))
                .any(|c| std::mem::replace(&mut seen[c.card.suit() as usize], true));
            if distinct && (repeated || meld.len() > usize::from(self.suits)) {
                faults.add(&["CR-MELD-2"], || match repeated {
                    true => say!("no_contract.suit_twice", kind = kind()),
                    false => say!("no_contract.largest_group", kind = kind(), n = self.suits),
                });
                if asked {
                    faults.cite(&["CR-MELD-5"]);
                }
            }
            if let Scope::Contract(want) = scope
                && !want.takes(meld.low)
            {
                faults.add(&["HR-SLOT-1", "CR-MELD-5"], || {
                    say!("no_contract.other_rank", kind = kind(), rank = self.rank_text(want.rank))
                });
            }
        }
        faults
    }

    /// A rank by its place from 1, as people write it.
    #[must_use]
    pub fn rank_text(&self, rank: u8) -> String {
        match self.pack.ranks.get(usize::from(rank).wrapping_sub(1)).map(String::as_str) {
            Some("T") => "10".to_owned(),
            name => name.unwrap_or("?").to_owned(),
        }
    }

    /// Judges a meld as it lies on the table, after a lay-off.
    ///
    /// # Errors
    /// The rules it breaks.
    pub fn judge(&self, meld: &Meld) -> Result<(), Refusal> {
        self.faults(meld, Scope::Table).result(self.lineage)
    }
}

/// The positions from the first to the last of the known cards (at `at`), each with its card where there is one: inner gaps
/// take the wilds sent between their neighbours, then any. Also the wilds that are left.
fn fill_gaps(
    known: &[usize],
    at: &[u8],
    wilds: impl Iterator<Item = usize>,
) -> (Vec<(u8, Option<usize>)>, std::vec::IntoIter<usize>) {
    let mut spare: Vec<usize> = Vec::new();
    let mut gaps: Vec<(u8, Option<usize>)> = Vec::new();
    let mut sent_between = vec![Vec::new(); known.len() + 1];
    for i in wilds {
        let after = known.iter().filter(|&&k| k < i).count();
        sent_between[after].push(i);
    }
    for pair in 0..known.len() {
        gaps.push((at[pair], Some(known[pair])));
        let Some(&next) = at.get(pair + 1) else { break };
        let mut here = std::mem::take(&mut sent_between[pair + 1]).into_iter();
        for position in at[pair] + 1..next {
            gaps.push((position, here.next()));
        }
        spare.extend(here);
    }
    spare.extend(sent_between.into_iter().flatten());
    list::sort(&mut spare);
    let mut spare = spare.into_iter();
    for (_, card) in gaps.iter_mut().filter(|(_, card)| card.is_none()) {
        *card = spare.next();
    }
    (gaps, spare)
}

/// The value that all items have, if there are any and they agree.
fn one_value<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

impl Default for Law {
    /// The rules of `contract` in its ordinary rounds, with no contract asked for and nothing scored.
    fn default() -> Self {
        Law {
            pack: Pack::standard(),
            ranks: 13,
            suits: 4,
            colours: [0, 1, 1, 0],
            wild: 1,
            skips: 0,
            turned: 0,
            wild_kinds: [true; 4],
            wild_cap: 255,
            min_naturals: 1,
            balance: WildBalance::None,
            caps_always: true,
            wild_ends: true,
            wild_adjacent: true,
            natural_in_place: true,
            place: WildPlace::Fixed,
            reclaim: Reclaim::Run,
            reclaims_jokers_only: false,
            ace: RunAce::Both,
            run_max: 14,
            gap: 1,
            overlap: true,
            per_suit: 255,
            group_max: 255,
            distinct_ranks: false,
            distinct_suits: false,
            exact: true,
            all: false,
            opening: 0,
            same_turn: false,
            all_down: false,
            keep_one: true,
            contracts: Vec::new(),
            values: [0; Face::COUNT],
            lineage: Lineage::of(["contract"]),
        }
    }
}
