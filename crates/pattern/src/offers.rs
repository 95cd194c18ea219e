//! What a seat may do now, act by act: what each act needs and costs, or what it would be refused for.

use crate::claim::Claim;
use crate::command::Command;
use crate::rules::{
    ComplexPick, Entry, Grouping, Hints, Mechanism, MemoryEnd, Multiplicity, NoClaim, Pattern, Removed,
    Rules, To,
};
use cards::{Deck, Point};
use game::{Millis, Refusal, Seat, Viewer};

/// What a seat may do, whatever it is filled with: a [`Command`] without its cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Act {
    /// [`Command::Call`].
    Call,
    /// [`Command::Claim`].
    Claim,
    /// [`Command::NoSet`].
    NoSet,
    /// [`Command::Looking`].
    Looking,
    /// [`Command::Ask`].
    Ask,
    /// [`Command::Hint`].
    Hint,
    /// [`Command::Seal`].
    Seal,
    /// [`Command::Cancel`].
    Cancel,
    /// [`Command::Flip`].
    Flip,
    /// [`Command::Declare`].
    Declare,
    /// [`Command::Show`].
    Show,
    /// [`Command::Play`].
    Play,
    /// [`Command::Pass`].
    Pass,
    /// [`Command::Scout`].
    Scout,
    /// [`Command::Challenge`].
    Challenge,
    /// [`Command::Ready`].
    Ready,
    /// [`Command::Graduate`].
    Graduate,
    /// [`Command::NoSetOff`].
    NoSetOff,
    /// [`Command::GiveUp`].
    GiveUp,
}

impl Act {
    /// All of them.
    pub const ALL: [Act; 19] = [
        Act::Call,
        Act::Claim,
        Act::NoSet,
        Act::Looking,
        Act::Ask,
        Act::Hint,
        Act::Seal,
        Act::Cancel,
        Act::Flip,
        Act::Declare,
        Act::Show,
        Act::Play,
        Act::Pass,
        Act::Scout,
        Act::Challenge,
        Act::Ready,
        Act::Graduate,
        Act::NoSetOff,
        Act::GiveUp,
    ];

    /// The act as a command, filled with any cards at all where it needs some.
    pub(crate) fn any(self) -> Command {
        let cards = [Point(0), Point(1), Point(2)];
        match self {
            Act::Call => Command::Call,
            Act::Claim => Command::claim(Claim::one(&cards)),
            Act::NoSet => Command::NoSet,
            Act::Looking => Command::Looking,
            Act::Ask => Command::Ask,
            Act::Hint => Command::Hint,
            Act::Seal => Command::Seal { cards, points: cards[0] },
            Act::Cancel => Command::Cancel,
            Act::Flip => Command::Flip(1),
            Act::Declare => Command::Declare,
            Act::Show => Command::Show(cards[0]),
            Act::Play => Command::Play(cards[0]),
            Act::Pass => Command::Pass,
            Act::Scout => Command::Scout(cards[0]),
            Act::Challenge => Command::Challenge([cards[0], cards[1]]),
            Act::Ready => Command::Ready,
            Act::Graduate => Command::Graduate,
            Act::NoSetOff => Command::NoSetOff,
            Act::GiveUp => Command::GiveUp,
        }
    }
}

impl Command {
    /// The act, whatever it is filled with.
    #[must_use]
    pub const fn act(&self) -> Act {
        match self {
            Command::Call => Act::Call,
            Command::Cancel => Act::Cancel,
            Command::Claim { .. } => Act::Claim,
            Command::NoSet => Act::NoSet,
            Command::NoSetOff => Act::NoSetOff,
            Command::Looking => Act::Looking,
            Command::Ask => Act::Ask,
            Command::GiveUp => Act::GiveUp,
            Command::Hint => Act::Hint,
            Command::Ready => Act::Ready,
            Command::Graduate => Act::Graduate,
            Command::Seal { .. } => Act::Seal,
            Command::Scout(_) => Act::Scout,
            Command::Show(_) => Act::Show,
            Command::Pass => Act::Pass,
            Command::Flip(_) => Act::Flip,
            Command::Declare => Act::Declare,
            Command::Play(_) => Act::Play,
            Command::Challenge(_) => Act::Challenge,
        }
    }
}

impl Rules {
    /// Whether the game has such an act at all (4.1).
    #[must_use]
    pub fn knows(&self, act: Act) -> bool {
        match self.mechanism {
            Mechanism::Memory => match act {
                Act::Flip | Act::Ready => true,
                Act::Declare => self.memory_end == MemoryEnd::Declare,
                _ => false,
            },
            Mechanism::Setup => matches!(act, Act::Play | Act::Pass | Act::Challenge | Act::Ready),
            Mechanism::Puzzle => match act {
                Act::Claim | Act::GiveUp => true,
                Act::Hint => self.hints != Hints::Off,
                _ => false,
            },
            Mechanism::Race | Mechanism::Scout | Mechanism::Trial => match act {
                Act::Call | Act::Cancel => self.entry == Entry::Call,
                Act::Claim => self.mechanism != Mechanism::Scout,
                Act::Seal | Act::Scout | Act::Show | Act::Pass => self.mechanism == Mechanism::Scout,
                Act::NoSet | Act::NoSetOff | Act::Looking => self.no_claim != NoClaim::Auto,
                Act::Ask => self.to == To::Discard,
                Act::Hint => self.hints != Hints::Off,
                Act::GiveUp => self.solo() || self.mechanism == Mechanism::Trial,
                Act::Graduate => self.deck == Deck::D27,
                Act::Ready => true,
                Act::Flip | Act::Declare | Act::Play | Act::Challenge => false,
            },
        }
    }
}

/// How the cards of a claim are put together (4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// So many cards in any order.
    Cards(usize),
    /// So many groups of so many cards each, told apart by their order.
    Groups {
        /// Cards of each.
        size: usize,
        /// How many there are.
        groups: usize,
    },
    /// So many pairs, in order.
    Pairs(usize),
    /// Several Sets, each named by itself.
    Sets,
    /// Several Sets in one heap of cards.
    Loose,
    /// Three cards, and which of them leaves; where chance picks that one, three cards.
    Leaves {
        /// Whether it is chosen.
        chosen: bool,
    },
    /// Three cards, and which of them is pointed at (SCOUT-2).
    Points,
}

impl Rules {
    /// How the cards of a claim are put together.
    #[must_use]
    pub fn claim_shape(&self) -> Shape {
        if self.mechanism == Mechanism::Scout {
            return Shape::Points;
        }
        if self.removed == Removed::One {
            return Shape::Leaves { chosen: self.complex_pick != ComplexPick::ServerRandom };
        }
        let size = if self.pattern == Pattern::Super { 4 } else { 3 };
        let groups = match self.multiplicity {
            Multiplicity::Single => 1,
            Multiplicity::Double => 2,
            Multiplicity::Eight if self.grouping == Grouping::Declared => return Shape::Sets,
            Multiplicity::Eight => return Shape::Loose,
        };
        if self.pattern == Pattern::Super && self.pairing == Grouping::Declared {
            Shape::Pairs(groups * 2)
        } else if groups > 1 && self.grouping == Grouping::Declared {
            Shape::Groups { size, groups }
        } else {
            Shape::Cards(size * groups)
        }
    }
}

/// What an act is to be filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Needs {
    /// With nothing.
    Nothing,
    /// With cards of this shape, right or wrong: of the layout, and of the own ones that count as open.
    Cards(Shape),
    /// With one of these cards.
    Card(Vec<Point>),
    /// With two of these cards.
    Two(Vec<Point>),
    /// With one of these slots, numbered from 1.
    Slot(Vec<u8>),
}

/// An act that is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// What it is to be filled with.
    pub needs: Needs,
    /// What it adds to the score by itself: below 0 where it costs something.
    pub points: i32,
}

/// An act: what it needs and costs, or the refusal that it would meet, whatever it were filled with.
pub type Offer = Result<Open, Refusal>;

/// Everything that a seat may do now, and why not what it may not. All of it is judged by what judges the truth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offers(Vec<(Act, Offer)>);

impl Offers {
    /// An act; none if the game has no such act, or this is not a seat's view.
    #[must_use]
    pub fn get(&self, act: Act) -> Option<&Offer> {
        self.0.iter().find(|(of, _)| *of == act).map(|(_, offer)| offer)
    }

    /// Whether the game has such an act.
    #[must_use]
    pub fn has(&self, act: Act) -> bool {
        self.get(act).is_some()
    }

    /// Whether an act is open.
    #[must_use]
    pub fn open(&self, act: Act) -> bool {
        self.get(act).is_some_and(Result::is_ok)
    }

    /// Why an act that the game has is closed.
    #[must_use]
    pub fn why(&self, act: Act) -> Option<&Refusal> {
        self.get(act)?.as_ref().err()
    }

    /// Closes every act for the same reason.
    pub(crate) fn close(&mut self, why: &Refusal) {
        self.0.iter_mut().for_each(|(_, offer)| *offer = Err(why.clone()));
    }

    /// All acts of the game.
    pub fn iter(&self) -> impl Iterator<Item = (Act, &Offer)> {
        self.0.iter().map(|(act, offer)| (*act, offer))
    }
}

/// What a seat knows of a game where all that is hidden lies in the cards, asked for what that seat may do.
pub(crate) struct Asked<'a, S> {
    pub rules: &'a Rules,
    pub state: &'a S,
    pub seat: Seat,
}

impl<'a, S> Asked<'a, S> {
    /// For the viewer's own seat; none for the table.
    pub fn by(who: Viewer, rules: &'a Rules, state: &'a S) -> Option<Asked<'a, S>> {
        match who {
            Viewer::Seat(seat) => Some(Asked { rules, state, seat }),
            Viewer::Table => None,
        }
    }
}

/// What judges the acts of a seat, in the truth and in a view.
pub(crate) trait Judge {
    fn rules(&self) -> &Rules;

    /// Refuses a command that the truth would refuse.
    fn judge(&self, at: Millis, command: &Command) -> Result<(), Refusal>;

    /// What an act needs; refuses one that would be refused whatever it were filled with.
    fn needs(&self, at: Millis, act: Act) -> Result<Needs, Refusal>;

    /// What an act adds to the score by itself.
    fn points(&self, act: Act) -> i32 {
        let _ = act;
        0
    }

    /// Every act of the game.
    fn offers(&self, at: Millis) -> Offers {
        let open = |act| Ok(Open { needs: self.needs(at, act)?, points: self.points(act) });
        let known = Act::ALL.into_iter().filter(|&act| self.rules().knows(act));
        Offers(known.map(|act| (act, open(act))).collect())
    }

    /// The acts that are open, filled with one thing after another where these can be listed.
    fn listed(&self, at: Millis) -> Vec<(Act, Vec<Command>)> {
        let open = self.offers(at).0.into_iter().filter_map(|(act, offer)| Some((act, offer.ok()?.needs)));
        let one = |act, card| match act {
            Act::Show => Command::Show(card),
            Act::Scout => Command::Scout(card),
            _ => Command::Play(card),
        };
        let filled = |(act, needs): (Act, Needs)| match needs {
            Needs::Nothing => (act, vec![act.any()]),
            Needs::Card(cards) => (act, cards.into_iter().map(|card| one(act, card)).collect()),
            Needs::Slot(slots) => (act, slots.into_iter().map(Command::Flip).collect()),
            Needs::Cards(_) | Needs::Two(_) => (act, Vec::new()),
        };
        open.map(filled).collect()
    }

    /// A command for each act that is closed or that the game does not have, with what it would be refused for.
    fn closed(&self, at: Millis) -> Vec<(Command, Refusal)> {
        let refused = |act: Act| {
            let why = self.needs(at, act).err()?;
            // What is wrong with the cards comes to it.
            Some((act.any(), self.judge(at, &act.any()).err().unwrap_or(why)))
        };
        Act::ALL.into_iter().filter_map(refused).collect()
    }
}
