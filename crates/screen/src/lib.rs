//! What the screen of a table needs, whatever draws it: the app in a browser, or a terminal. It says things in the language of whoever
//! looks on ([`Tongue`]), knows which key is which card, keeps what is picked and how a hand is arranged, and makes commands of that. It
//! judges nothing: what may be done, the view says.
//!
//! ```
//! use contract::event::{Event, Notice};
//! use game::Seat;
//! use screen::{Desk, story};
//!
//! let pack = cards::Pack::standard();
//! let names = |seat: Seat| ["Ann", "Bob"][seat.index()].to_owned();
//! let desk = Desk { tongue: words::spoken("en"), me: Some(Seat(0)), name: &names };
//! let mut teller = story::Teller::default();
//! let turn = Event::Turn { seat: Seat(1), protected: false, claimable: false, idle: 0, until: None };
//! assert_eq!(teller.notice(desk, &pack, &Notice::Open(turn)), None);
//! let discard = Event::Discarded { card: "7H".parse().unwrap(), protect: false };
//! assert_eq!(teller.notice(desk, &pack, &Notice::Open(discard)).unwrap().text, "Bob discarded 7♥.");
//! ```

pub mod board;
pub mod card;
pub mod contract;
pub mod keys;
pub mod people;
pub mod pick;
pub mod race;
pub mod rack;
pub mod story;
pub mod verdict;

use game::{Refusal, Say, Seat, Value};
use words::{Tongue, id, said};

/// Who shows a table, and to whom.
#[derive(Clone, Copy)]
pub struct Desk<'a> {
    /// In which language.
    pub tongue: &'a dyn Tongue,
    /// The seat of whoever looks on; none of theirs who only watch.
    pub me: Option<Seat>,
    /// What a seat is called.
    pub name: &'a dyn Fn(Seat) -> String,
}

impl Desk<'_> {
    /// The name of a seat.
    #[must_use]
    pub fn name(&self, seat: Seat) -> String {
        (self.name)(seat)
    }

    /// The name of a seat, or "You".
    #[must_use]
    pub fn name_or_you(&self, seat: Seat) -> String {
        if self.me == Some(seat) { said!(self.tongue, "ui.you") } else { self.name(seat) }
    }

    /// Several names, beside one another.
    #[must_use]
    pub fn names(&self, seats: impl IntoIterator<Item = Seat>) -> String {
        seats.into_iter().map(|seat| self.name_or_you(seat)).collect::<Vec<_>>().join(", ")
    }
}

/// What the rules say; none if its words are not there, nor English ones with it.
#[must_use]
pub fn tell(tongue: &(impl Tongue + ?Sized), say: &Say) -> Option<String> {
    let Some(sentence) = tongue.find(id(&say.key)) else {
        return match say.english()? {
            Value::Say(english) => tell(tongue, english),
            english => Some(english.to_string()),
        };
    };
    let value = |value: &Value| match value {
        Value::Number(n) => Some(n.to_string()),
        Value::Text(text) => Some(text.to_string()),
        Value::Say(say) if say.is_empty() => Some(String::new()),
        Value::Say(say) => tell(tongue, say),
    };
    let values = say.values.0.iter().map(|(name, of)| Some((&**name, value(of)?)));
    let values: Vec<(&str, String)> = values.collect::<Option<_>>()?;
    Some(words::fill(sentence, &values, |number| tongue.plural(number)))
}

/// Why something is refused: in this language, or as whoever refused it said it.
#[must_use]
pub fn refusal(tongue: &(impl Tongue + ?Sized), why: &Refusal) -> String {
    tell(tongue, &why.say).unwrap_or_else(|| why.text.clone())
}

/// Clauses side by side, as this language divides them.
#[must_use]
pub fn divided(tongue: &(impl Tongue + ?Sized), clauses: &[String]) -> String {
    clauses.join(&said!(tongue, "ui.divider"))
}
