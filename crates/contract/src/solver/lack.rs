//! S6 for every law that a rule file can write: corner aces, freer suits, groups of different suits, where wilds may lie,
//! melds that may grow, the whole hand.
//!
//! A *form* is one meld that a slot could become: which cards may lie in each of its places, and how many wilds. Forms are
//! chosen slot by slot, those that lack least first; for a complete choice the cards are given out, a natural that two melds
//! could use both ways. What then lacks is what the hand lacks.

use super::every::between;
use super::flow::{Taker, most};
use super::{Counts, presence, size};
use crate::meld::{Kind, Law, Suits, Want};
use crate::options::WildBalance;
use arrayvec::ArrayVec;
use cards::{Face, list};
use std::ops::ControlFlow;

/// One meld that a slot could become.
#[derive(Clone, Copy, Debug)]
struct Form {
    run: bool,
    flush: bool,
    /// The suit of a run that is bound to one.
    suit: Option<u8>,
    /// The lowest position of a run, the rank of a group, the suit of a flush.
    low: u8,
    len: u8,
    /// The most wilds it may hold.
    limit: u8,
    /// Whether no suit may come twice.
    distinct: bool,
    /// Places that only a wild can fill, one bit each from the lowest on.
    must: u32,
    /// Where its places begin in [`Forms::places`]; a group or flush has one, which says what fits in any of them.
    at: u32,
}

/// All forms of a contract; made once for each round.
#[derive(Clone, Debug)]
pub(super) struct Forms {
    /// For each slot its forms, and whether it asks for the same as the slot before.
    slots: Vec<(Vec<Form>, bool)>,
    /// For each place the naturals that may lie there, one bit for each [`Face::index`].
    places: Vec<u64>,
    /// Cards that must lie in the melds in all, where the whole hand must go.
    whole: Option<usize>,
    /// Cards that must stay in hand.
    kept: usize,
}

/// Whether a contract may be laid with longer melds where the shortest would not do.
pub(super) fn grows(law: &Law, wants: &[Want]) -> bool {
    let common = wants.iter().filter(|w| w.kind == Kind::Run && w.suits == Suits::One).count();
    !law.exact
        && (law.balance != WildBalance::None
            || !law.wild_ends
            || law.min_naturals > 1
            || law.overlap && law.gap > 0 && common > 1)
}

impl Forms {
    /// The forms of a contract; `cards` is the size of the hand where all of it must go, `left` how many of each face can be
    /// had.
    pub fn new(law: &Law, wants: &[Want], cards: usize, left: &Counts) -> Forms {
        let least: usize = wants.iter().map(|w| usize::from(w.size)).sum();
        let mut forms = Forms {
            slots: Vec::with_capacity(wants.len()),
            places: Vec::new(),
            whole: law.all.then_some(cards.max(least)),
            kept: usize::from(law.keep_one && !law.all),
        };
        let mut ordered = wants.to_vec();
        list::sort_by_key(&mut ordered, |w| (w.kind != Kind::Run, std::cmp::Reverse(w.size), *w));
        let spare = cards.saturating_sub(least).min(60) as u8;
        for (i, want) in ordered.iter().enumerate() {
            let longest = match (law.exact, law.all, grows(law, wants)) {
                (true, ..) => want.size,
                (false, true, _) => want.size.saturating_add(spare),
                (false, false, true) if want.kind == Kind::Run => law.run_max,
                (false, false, true) => want.size.max(law.min_naturals),
                (false, false, false) => want.size,
            };
            let list = match want.kind {
                Kind::Run => forms.runs(law, want, longest.min(law.run_max), left),
                Kind::Group | Kind::Pair => forms.groups(law, want, longest.min(law.group_max), left),
                Kind::Flush => forms.flushes(law, want, longest, left),
            };
            forms.slots.push((list, i > 0 && ordered[i - 1] == *want));
        }
        forms
    }

    /// The most cards that can be missing.
    pub fn most(&self) -> usize {
        let longest = |list: &[Form]| list.iter().map(|form| usize::from(form.len)).max().unwrap_or(0);
        self.slots.iter().map(|(list, _)| longest(list)).sum::<usize>() + self.kept
    }

    fn runs(&mut self, law: &Law, want: &Want, longest: u8, left: &Counts) -> Vec<Form> {
        let mut forms = Vec::new();
        let corner = law.last() > law.ranks + 1;
        for low in law.first()..=law.ranks {
            for start in 0..law.suits {
                let Some(places) = suits_of(law, want.suits, start) else { continue };
                let most = if corner { longest } else { longest.min((law.last() + 1).saturating_sub(low)) };
                for len in want.size..=most {
                    let at = self.places.len() as u32;
                    let mut must = 0;
                    for i in 0..len {
                        let rank = law.rank_at(low + i);
                        let suits = (0..law.suits).filter(|s| places[usize::from(i & 1)] >> s & 1 == 1);
                        let may = naturals(law, suits, rank, left);
                        must |= u32::from(may == 0) << i;
                        self.places.push(may);
                    }
                    let limit = limit(law, want, len, left);
                    let suit = (want.suits == Suits::One).then_some(start);
                    let flush = false;
                    let form = Form { run: true, flush, suit, low, len, limit, distinct: false, must, at };
                    if room(law, &form, must).is_some() {
                        forms.push(form);
                    }
                }
            }
        }
        forms
    }

    fn groups(&mut self, law: &Law, want: &Want, longest: u8, left: &Counts) -> Vec<Form> {
        let distinct = want.distinct || law.distinct_suits;
        let longest = if distinct { longest.min(law.suits) } else { longest };
        let mut forms = Vec::new();
        for rank in (1..=law.ranks).filter(|&rank| want.takes(rank)) {
            let may = naturals(law, 0..law.suits, rank, left);
            let at = self.places.len() as u32;
            self.places.push(may);
            for len in want.size..=longest {
                let limit = limit(law, want, len, left);
                let of = |i: &usize| may >> i & 1 == 1;
                let others: u32 = (0..Face::COUNT)
                    .filter(of)
                    .map(|i| u32::from(if distinct { left[i].min(1) } else { left[i] }))
                    .sum();
                if u32::from(limit) + others >= u32::from(len) {
                    let (run, flush, suit) = (false, false, None);
                    forms.push(Form { run, flush, suit, low: rank, len, limit, distinct, must: 0, at });
                }
            }
        }
        forms
    }

    fn flushes(&mut self, law: &Law, want: &Want, longest: u8, left: &Counts) -> Vec<Form> {
        let mut forms = Vec::new();
        for low in (0..law.suits).filter(|&suit| law.flush_of(want.suits, suit) == suit) {
            let suits = || (0..law.suits).filter(|&suit| law.suits_agree(want.suits, suit, low));
            let may = (1..=law.ranks).fold(0, |set, rank| set | naturals(law, suits(), rank, left));
            let at = self.places.len() as u32;
            self.places.push(may);
            let of = |i: &usize| may >> i & 1 == 1;
            let others: u32 = (0..Face::COUNT).filter(of).map(|i| u32::from(left[i])).sum();
            for len in want.size..=longest {
                let limit = limit(law, want, len, left);
                if u32::from(limit) + others >= u32::from(len) {
                    let (run, flush, distinct) = (false, true, false);
                    forms.push(Form { run, flush, suit: None, low, len, limit, distinct, must: 0, at });
                }
            }
        }
        forms
    }
}

/// The suits that may lie at even and at odd places of a run that begins so; none where another beginning says the same.
fn suits_of(law: &Law, suits: Suits, start: u8) -> Option<[u8; 2]> {
    let all = (1u8 << law.suits) - 1;
    let colour = |s: u8| law.colours[usize::from(s)];
    let of = |c: u8| (0..law.suits).filter(|&s| colour(s) == c).fold(0u8, |set, s| set | 1 << s);
    let first = |c: u8| (0..law.suits).find(|&s| colour(s) == c) == Some(start);
    match suits {
        Suits::One => Some([1 << start; 2]),
        Suits::Free => (start == 0).then_some([all; 2]),
        Suits::Colour => first(colour(start)).then(|| [of(colour(start)); 2]),
        Suits::Alternate => first(colour(start)).then(|| [of(colour(start)), all & !of(colour(start))]),
    }
}

/// The faces of these suits and this rank that can be had and stand for themselves in a meld.
fn naturals(law: &Law, suits: impl IntoIterator<Item = u8>, rank: u8, left: &Counts) -> u64 {
    let faces = suits.into_iter().map(|s| Face::new(s, rank)).filter(|f| left[f.index()] > 0);
    faces
        .filter(|&f| (law.natural_in_place || !law.is_wild(f)) && !law.is_skip(f))
        .fold(0, |set, f| set | 1 << f.index())
}

/// The most wilds in a meld of this length for a slot.
fn limit(law: &Law, want: &Want, len: u8, left: &Counts) -> u8 {
    let most = law.most_wilds(want, usize::from(len)).min(200) as u8;
    let wilds =
        (0..Face::COUNT).filter(|i| law.wild >> i & 1 == 1).map(|i| usize::from(left[i])).sum::<usize>();
    most.min(len.saturating_sub(law.min_naturals)).min(wilds.min(200) as u8)
}

/// How many of the places that lack a card wilds may fill in a run, those that must be wild among them; none if these may
/// not be.
fn room(law: &Law, form: &Form, lacking: u32) -> Option<u8> {
    let ends = 1 | 1 << (form.len - 1);
    let mut open = lacking;
    if !law.wild_ends {
        if form.must & ends != 0 {
            return None;
        }
        open &= !ends;
    }
    if !law.wild_adjacent {
        if form.must & form.must << 1 != 0 {
            return None;
        }
        open &= !(form.must << 1 | form.must >> 1);
        // From the lowest place on, each that may be filled is.
        let mut filled = 0u32;
        for at in 0..form.len {
            let bit = 1u32 << at;
            let free = filled & bit >> 1 == 0 && form.must & bit << 1 == 0;
            if open & bit != 0 && (form.must & bit != 0 || free) {
                filled |= bit;
            }
        }
        open = filled;
    }
    let must = form.must.count_ones() as u8;
    (must <= form.limit).then(|| form.limit.min(open.count_ones() as u8))
}

/// The search over the forms of one hand.
pub(super) struct Lacks<'a> {
    law: &'a Law,
    forms: &'a Forms,
    hand: &'a Counts,
    present: u64,
    /// Wild cards in hand.
    wilds: u8,
    /// Cards that may be missing.
    spare: u8,
    /// The forms of each slot by what they lack at least, least first.
    sorted: Vec<Vec<(u8, Form)>>,
    /// Fewest places that lack a natural, from this slot on.
    least: Vec<u16>,
    /// Fewest and most cards from this slot on.
    lengths: Vec<(usize, usize)>,
    chosen: Vec<Form>,
    /// Steps left.
    budget: u64,
    /// The faces that would help, while they are gathered.
    helpful: Option<u64>,
}

impl<'a> Lacks<'a> {
    /// The search for this hand, with at most `spare` cards missing.
    pub fn new(law: &'a Law, forms: &'a Forms, hand: &'a Counts, spare: u8, budget: u64) -> Self {
        let present = presence(hand);
        let wilds = (0..Face::COUNT)
            .filter(|&i| law.wild >> i & 1 != 0)
            .fold(0u8, |sum, i| sum.saturating_add(hand[i]));
        let mut lacks = Lacks {
            law,
            forms,
            hand,
            present,
            wilds,
            spare,
            sorted: Vec::with_capacity(forms.slots.len()),
            least: vec![0; forms.slots.len() + 1],
            lengths: vec![(0, 0); forms.slots.len() + 1],
            chosen: Vec::with_capacity(forms.slots.len()),
            budget,
            helpful: None,
        };
        for (list, _) in &forms.slots {
            let mut sorted: Vec<(u8, Form)> = list.iter().map(|form| (lacks.at_least(form), *form)).collect();
            list::sort_by_key(&mut sorted, |(lacking, form)| (*lacking, form.len));
            lacks.sorted.push(sorted);
        }
        for i in (0..forms.slots.len()).rev() {
            let list = &lacks.sorted[i];
            let (least, most) = lacks.lengths[i + 1];
            let short = list.iter().map(|(_, f)| usize::from(f.len)).min().unwrap_or(0);
            let long = list.iter().map(|(_, f)| usize::from(f.len)).max().unwrap_or(0);
            lacks.lengths[i] = (least + short, most + long);
            lacks.least[i] = lacks.least[i + 1] + list.first().map_or(0, |(lacking, _)| u16::from(*lacking));
        }
        lacks
    }

    /// Fewest places of a form without a natural, looking at it by itself.
    fn at_least(&self, form: &Form) -> u8 {
        let place = |i: u8| self.forms.places[form.at as usize + usize::from(i)];
        if form.run {
            return (0..form.len).filter(|&i| place(i) & self.present == 0).count() as u8;
        }
        if form.flush {
            let of = |i: &usize| place(0) >> i & 1 == 1;
            let held: usize = (0..Face::COUNT).filter(of).map(|i| usize::from(self.hand[i])).sum();
            return form.len.saturating_sub(held.min(200) as u8);
        }
        let held = (0..self.law.suits)
            .map(|s| self.held(self.hand, place(0), Face::new(s, form.low)))
            .fold(0u8, |sum, held| sum.saturating_add(if form.distinct { held.min(1) } else { held }));
        form.len.saturating_sub(held)
    }

    /// How many of a face are held, where it is one of the set.
    fn held(&self, held: &Counts, set: u64, face: Face) -> u8 {
        if set >> face.index() & 1 == 1 { held[face.index()] } else { 0 }
    }

    /// Whether the hand makes the contract with at most `spare` cards more.
    pub fn exists(&mut self) -> bool {
        let cards = size(self.hand);
        if self.forms.whole.is_some_and(|whole| cards + usize::from(self.spare) < whole) {
            return false;
        }
        self.slot(0, 0, 0, 0, cards)
    }

    /// The faces of which one more brings a hand nearer that is `spare` cards away.
    pub fn helpful(&mut self) -> u64 {
        self.helpful = Some(0);
        self.exists();
        self.helpful.take().unwrap_or(0)
    }

    /// Chooses forms for the slots from `index` on. So far `lacking` places have no natural, and `beyond` of them no wild may
    /// fill; the forms have `len` cards. `from` is where the list of the slot before was.
    fn slot(&mut self, index: usize, from: usize, lacking: u16, len: usize, cards: usize) -> bool {
        if index == self.sorted.len() {
            let whole = self.forms.whole.is_none_or(|whole| whole == len);
            // Missing cards count as held: the hand must be large enough with them.
            let enough = cards + usize::from(self.spare) >= len + self.forms.kept;
            return whole && enough && self.give_out(len, cards);
        }
        let room = u16::from(self.wilds) + u16::from(self.spare);
        let first = if self.forms.slots[index].1 { from } else { 0 };
        for at in first..self.sorted[index].len() {
            let (lacks, form) = self.sorted[index][at];
            if lacking + u16::from(lacks) + self.least[index + 1] > room {
                break;
            }
            let length = len + usize::from(form.len);
            let (short, long) = self.lengths[index + 1];
            if self.forms.whole.is_some_and(|whole| length + short > whole || length + long < whole)
                || !self.compatible(&form)
                || lacks > form.limit && u16::from(lacks - form.limit) > u16::from(self.spare)
            {
                continue;
            }
            if self.budget == 0 {
                return false;
            }
            self.budget -= 1;
            self.chosen.push(form);
            let found = self.slot(index + 1, at, lacking + u16::from(lacks), length, cards);
            self.chosen.pop();
            if found {
                return true;
            }
        }
        false
    }

    /// Whether a form may stand beside those chosen.
    fn compatible(&self, one: &Form) -> bool {
        let law = self.law;
        if one.flush {
            return true;
        }
        if !one.run {
            let differs = |other: &Form| other.run || other.flush || other.low != one.low;
            return !law.distinct_ranks || self.chosen.iter().all(differs);
        }
        let Some(suit) = one.suit else { return true };
        let mut same = 0;
        for other in self.chosen.iter().filter(|other| other.suit == Some(suit)) {
            same += 1;
            let apart = between(law, (one.low, usize::from(one.len)), (other.low, usize::from(other.len)));
            let fine = match apart {
                None => law.overlap,
                Some(ranks) => ranks >= law.gap,
            };
            if !fine || same >= law.per_suit {
                return false;
            }
        }
        true
    }

    /// A complete choice: gives the cards out.
    fn give_out(&mut self, len: usize, cards: usize) -> bool {
        let mut deal = Deal {
            held: *self.hand,
            wanted: [0; Face::COUNT],
            naturals: vec![0; self.chosen.len()],
            plain: 0,
            in_place: 0,
            len,
            cards,
        };
        for form in &self.chosen {
            let places = if form.run { form.len } else { 1 };
            for i in 0..places {
                let mut set = self.forms.places[form.at as usize + usize::from(i)] & self.present;
                while set != 0 {
                    let face = set.trailing_zeros() as usize;
                    // A group or flush takes what it can get.
                    let more = if form.run { 1 } else { form.len };
                    deal.wanted[face] = deal.wanted[face].saturating_add(more);
                    set &= set - 1;
                }
            }
        }
        self.place(&mut deal, 0, 0)
    }

    /// Gives a natural to a place of a run, or leaves it open; then goes on to the next.
    fn place(&mut self, deal: &mut Deal, run: usize, at: u8) -> bool {
        let Some(&form) = self.chosen.get(run) else { return self.count(deal) };
        if !form.run || at == form.len {
            return self.place(deal, run + 1, 0);
        }
        if self.budget == 0 {
            return false;
        }
        self.budget -= 1;
        let mut set = self.forms.places[form.at as usize + usize::from(at)] & self.present;
        let wild = |face: usize| self.law.wild >> face & 1 == 1;
        let (mut choices, mut plain, mut enough) = (ArrayVec::<usize, 4>::new(), 0, 0);
        while set != 0 {
            let face = set.trailing_zeros() as usize;
            set &= set - 1;
            if deal.held[face] == 0 {
                continue;
            }
            if deal.wanted[face] <= self.hand[face] {
                enough += 1;
                if !wild(face) {
                    // There is enough of it for all: whoever can takes it.
                    choices = ArrayVec::from_iter([face]);
                    (plain, enough) = (0, 1);
                    break;
                }
            }
            plain += usize::from(!wild(face));
            choices.push(face);
        }
        // So with a wild in its own place, unless a natural could lie there.
        let contested = plain > 0 || enough < choices.len();
        let known = choices.len();
        for &face in &choices {
            let wild = wild(face);
            deal.held[face] -= 1;
            deal.naturals[run] |= 1 << at;
            *deal.used(wild) += 1;
            let found = self.place(deal, run, at + 1);
            *deal.used(wild) -= 1;
            deal.naturals[run] &= !(1 << at);
            deal.held[face] += 1;
            if found {
                return true;
            }
        }
        (known == 0 || contested) && self.place(deal, run, at + 1)
    }

    /// Counts what is missing once the runs have their naturals.
    fn count(&mut self, deal: &Deal) -> bool {
        let (mut plain, mut in_place, mut room) = (deal.plain, deal.in_place, 0u16);
        for (form, &naturals) in self.chosen.iter().zip(&deal.naturals).filter(|(form, _)| form.run) {
            match self.room(form, naturals) {
                Some(more) => room += u16::from(more),
                None => return false,
            }
        }
        if self.chosen.iter().any(|form| form.flush) {
            return self.count_shared(deal, room);
        }
        for (i, form) in self.chosen.iter().enumerate() {
            if form.run || self.chosen[..i].iter().any(|f| !f.run && f.low == form.low) {
                continue;
            }
            let [some, all, full] = self.of_rank(form, &deal.held, 0);
            plain += some;
            in_place += all - some;
            room += full - all;
        }
        let free = u16::from(self.wilds).saturating_sub(in_place);
        let known = match self.settle(deal, plain + in_place + free.min(room)) {
            ControlFlow::Break(settled) => return settled,
            ControlFlow::Continue(known) => known,
        };
        self.helpful = Some(known | self.helps(deal, free, room));
        false
    }

    /// What it settles that so many cards of the contract are there; where nothing, which faces are known to help.
    fn settle(&mut self, deal: &Deal, covered: u16) -> ControlFlow<bool, u64> {
        let missing = deal.len as u16 - covered;
        if missing > u16::from(self.spare) {
            return ControlFlow::Break(false);
        }
        let Some(known) = self.helpful else { return ControlFlow::Break(true) };
        let short = (deal.len + self.forms.kept).saturating_sub(deal.cards);
        if missing < u16::from(self.spare) && usize::from(self.spare) >= short {
            // More cards are missing from the hand than from the contract: any will do.
            self.helpful = Some(u64::MAX);
            return ControlFlow::Break(true);
        }
        ControlFlow::Continue(known)
    }

    /// The same where flushes want what groups want; `room` is for wilds in runs.
    fn count_shared(&mut self, deal: &Deal, room: u16) -> bool {
        let covered = deal.plain + deal.in_place + self.shared(&deal.held, room);
        let known = match self.settle(deal, covered) {
            ControlFlow::Break(settled) => return settled,
            ControlFlow::Continue(known) => known,
        };
        let mut faces = 0;
        for face in (0..Face::COUNT).filter(|face| known >> face & 1 == 0) {
            let mut held = deal.held;
            held[face] += 1;
            let more = deal.plain + deal.in_place + self.shared(&held, room);
            faces |= u64::from(more > covered || self.in_a_run(deal, face, room, covered)) << face;
        }
        self.helpful = Some(known | faces);
        false
    }

    /// Whether a card of this face in an open place of a run covers a place more.
    fn in_a_run(&self, deal: &Deal, face: usize, room: u16, covered: u16) -> bool {
        let mut runs = self.chosen.iter().zip(&deal.naturals).filter(|(form, _)| form.run);
        runs.any(|(form, &naturals)| {
            (0..form.len).filter(|at| naturals >> at & 1 == 0).any(|at| {
                let fits = self.forms.places[form.at as usize + usize::from(at)] >> face & 1 == 1;
                let before = self.room(form, naturals).map_or(0, u16::from);
                let after = self.room(form, naturals | 1 << at).map(u16::from);
                fits && after.is_some_and(|after| {
                    let others = self.shared(&deal.held, room - before + after);
                    deal.plain + deal.in_place + 1 + others > covered
                })
            })
        })
    }

    /// The most of these cards that groups and flushes hold together, and wilds the `room` in runs.
    fn shared(&self, held: &Counts, room: u16) -> u16 {
        let law = self.law;
        let takers = self.chosen.iter().filter(|form| !form.run).map(|form| {
            let naturals = self.forms.places[form.at as usize];
            Taker {
                naturals,
                once: form.distinct,
                // A wild that could lie there as itself does so.
                never_wild: naturals & law.wild,
                cards: form.len.into(),
                wilds: form.limit.into(),
            }
        });
        let runs = Taker { naturals: 0, once: false, never_wild: 0, cards: room, wilds: room };
        most(held, law.wild, &takers.chain([runs]).collect::<Vec<_>>())
    }

    /// The most wilds in a run that has these naturals.
    fn room(&self, form: &Form, naturals: u32) -> Option<u8> {
        room(self.law, form, !naturals & ((1u32 << form.len) - 1))
    }

    /// What the groups of one rank hold of these cards: naturals that are not wild, naturals, and all with as many wilds as
    /// they may, `more` of them than the hand has.
    fn of_rank(&self, one: &Form, held: &Counts, more: u16) -> [u16; 3] {
        let set = self.forms.places[one.at as usize];
        let count = |wild: bool| -> [u8; 4] {
            std::array::from_fn(|s| {
                if s >= usize::from(self.law.suits) {
                    return 0;
                }
                let face = Face::new(s as u8, one.low);
                if wild || !self.law.is_wild(face) { self.held(held, set, face) } else { 0 }
            })
        };
        let (some, all) = (self.most(one.low, &count(false), false), self.most(one.low, &count(true), false));
        // A wild of this very rank would stand for itself here, and where suits must differ not twice.
        let ours = (0..self.law.suits).map(|s| Face::new(s, one.low)).filter(|&face| self.law.is_wild(face));
        let same: u16 = ours.map(|face| u16::from(self.held(self.hand, set, face))).sum();
        let others =
            if same > 0 { u16::from(self.wilds).saturating_sub(same) + more } else { u16::MAX - all };
        [some, all, self.most(one.low, &count(true), true).min(all + others)]
    }

    /// The most cards that the groups of a rank hold: the least that any cut between cards and groups lets through.
    fn most(&self, rank: u8, suits: &[u8; 4], wilds: bool) -> u16 {
        let groups: Vec<&Form> = self.chosen.iter().filter(|f| !f.run && f.low == rank).collect();
        let groups = &groups[..groups.len().min(12)];
        (0..1u32 << groups.len())
            .map(|cut| {
                let (mut through, mut each, mut free) = (0u16, 0u16, false);
                for (i, group) in groups.iter().enumerate() {
                    if cut >> i & 1 == 1 {
                        through += u16::from(group.len);
                    } else {
                        through += if wilds { u16::from(group.limit) } else { 0 };
                        each += 1;
                        free |= !group.distinct;
                    }
                }
                let of_suit = |&held: &u8| if free { u16::from(held) } else { u16::from(held).min(each) };
                through + suits.iter().map(of_suit).sum::<u16>()
            })
            .min()
            .unwrap_or(0)
    }

    /// The faces of which one more would cover a place more, with `free` wilds for `room` places.
    fn helps(&self, deal: &Deal, free: u16, room: u16) -> u64 {
        let (mut faces, mut with_wild, mut own) = (0, room, 0);
        for (form, &naturals) in self.chosen.iter().zip(&deal.naturals).filter(|(form, _)| form.run) {
            let before = self.room(form, naturals).unwrap_or(0);
            for at in (0..form.len).filter(|at| naturals >> at & 1 == 0) {
                let after = self.room(form, naturals | 1 << at).unwrap_or(0);
                let less = u16::from(before.saturating_sub(after));
                if free <= room - less || after > before || less == 0 {
                    faces |= self.forms.places[form.at as usize + usize::from(at)];
                }
            }
        }
        for (i, form) in self.chosen.iter().enumerate() {
            if form.run || self.chosen[..i].iter().any(|f| !f.run && f.low == form.low) {
                continue;
            }
            let [some, all, full] = self.of_rank(form, &deal.held, 0);
            let [_, _, fuller] = self.of_rank(form, &deal.held, 1);
            let mut set = self.forms.places[form.at as usize];
            with_wild += fuller - full;
            own |= set;
            while set != 0 {
                let face = set.trailing_zeros() as usize;
                set &= set - 1;
                let mut held = deal.held;
                held[face] += 1;
                let [plain, more, fuller] = self.of_rank(form, &held, 0);
                let others = room - (full - all);
                // A wild that stood for itself here is free for another place, or this one is.
                let wild = u16::from(self.law.wild >> face & 1 == 1);
                let free_then = (free + wild + (all - some)).saturating_sub(more - plain);
                if more + free_then.min(others + fuller - more) > all + free.min(room) {
                    faces |= 1 << face;
                }
            }
        }
        // A wild of a rank that stands for itself in a group has been looked at there.
        if (free + 1).min(with_wild) > free.min(room) {
            faces |= if with_wild > room { self.law.wild & !own } else { self.law.wild };
        }
        faces
    }
}

/// Cards being given out to a choice of forms.
struct Deal {
    /// Naturals not yet given.
    held: Counts,
    /// How many places could use each face.
    wanted: [u8; Face::COUNT],
    /// The places of each run that have a natural, one bit each.
    naturals: Vec<u32>,
    /// Places of runs filled by naturals that are not wild.
    plain: u16,
    /// Places of runs filled by wilds that stand for themselves.
    in_place: u16,
    /// Cards of the contract and of the hand.
    len: usize,
    cards: usize,
}

impl Deal {
    const fn used(&mut self, wild: bool) -> &mut u16 {
        if wild { &mut self.in_place } else { &mut self.plain }
    }
}
