//! What connects a room with its table: a thread that takes orders and says what it hears.

use std::path::PathBuf;
use std::sync::mpsc::Sender;

/// What a room wants of its table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// This frame is to be sent.
    Frame(String),
    /// The record of the match that has ended is to be kept in a file.
    Record,
}

/// What a room hears of its table.
#[derive(Clone, Debug, PartialEq)]
pub enum Heard {
    /// The line is there; so is what is played, as far as it is known.
    Up(Option<wire::api::TableSummary>),
    /// A frame.
    Frame(String),
    /// The line is lost, and will be there again.
    Down,
    /// The record of the match is kept here.
    Recorded(PathBuf),
    /// The record of the match could not be kept, for this reason.
    Unrecorded(String),
    /// There is no table, for good, for this reason.
    Closed(String),
}

/// Who tells a room what is heard of its table; if it ends without leave, by a fault in the program, that is told, too.
pub(crate) struct Teller(Box<dyn FnMut(Heard) + Send>);

impl Teller {
    pub fn new(tell: impl FnMut(Heard) + Send + 'static) -> Teller {
        Teller(Box::new(tell))
    }

    pub fn tell(&mut self, heard: Heard) {
        (self.0)(heard);
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)(Heard::Closed("The program has a fault, and this table stopped.".to_owned()));
        }
    }
}

/// The way to a table.
#[derive(Debug)]
pub struct Line {
    orders: Way,
}

/// How orders get there.
#[derive(Debug)]
enum Way {
    Near(Sender<Order>),
    Far(tokio::sync::mpsc::UnboundedSender<Order>),
}

impl Line {
    pub(crate) fn near(orders: Sender<Order>) -> Line {
        Line { orders: Way::Near(orders) }
    }

    pub(crate) fn far(orders: tokio::sync::mpsc::UnboundedSender<Order>) -> Line {
        Line { orders: Way::Far(orders) }
    }

    /// Hands over an order. Where the table is gone it is forgotten: that is heard by itself ([`Heard::Closed`]).
    pub fn send(&self, order: Order) {
        match &self.orders {
            Way::Near(orders) => _ = orders.send(order),
            Way::Far(orders) => _ = orders.send(order),
        }
    }
}
