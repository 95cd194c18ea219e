//! A table on this machine: the engine of the server in a thread of its own, with bots.

use crate::kept::Kept;
use crate::line::{Heard, Line, Order, Teller};
use home::{Call, Home, Told, Turn, Wanted};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Which table is opened.
#[derive(Clone, Debug, PartialEq)]
pub enum Opening {
    /// A new one, in the place of what was kept.
    New(Box<Wanted>),
    /// The one that was kept.
    Kept,
}

/// The table of a folder.
pub struct HomeTable {
    home: Home,
    kept: Kept,
    since: Instant,
    tell: Teller,
}

impl HomeTable {
    /// Opens the table of a folder in a thread of its own; `tell` hears of it.
    pub fn open(kept: Kept, opening: Opening, tell: impl FnMut(Heard) + Send + 'static) -> Line {
        let (orders, taken) = channel();
        std::thread::spawn(move || {
            let home = Home::new(Box::new(random));
            HomeTable { home, kept, since: Instant::now(), tell: Teller::new(tell) }.run(opening, &taken);
        });
        Line::near(orders)
    }

    fn run(mut self, opening: Opening, orders: &Receiver<Order>) {
        let call = match opening {
            Opening::New(wanted) => {
                Call::Open(serde_json::to_string(&*wanted).expect("what is wanted is JSON"))
            }
            Opening::Kept => {
                let (table, rows) = self.kept.table();
                Call::Restore { table: table.to_owned(), rows: rows.to_vec() }
            }
        };
        let mut wake = self.call(call);
        loop {
            let order = match wake {
                Some(after) => orders.recv_timeout(Duration::from_millis(after)),
                None => orders.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            wake = match order {
                Ok(Order::Frame(frame)) => self.call(Call::Frame(frame)),
                Ok(Order::Record) => {
                    let heard = match self.kept.record() {
                        Ok(path) => Heard::Recorded(path),
                        Err(why) => Heard::Unrecorded(why.to_string()),
                    };
                    self.tell.tell(heard);
                    self.call(Call::Tick)
                }
                Err(RecvTimeoutError::Timeout) => self.call(Call::Tick),
                // Nobody plays any more. All that anybody was told of is kept.
                Err(RecvTimeoutError::Disconnected) => return,
            };
        }
    }

    /// Calls the table, and keeps what it wants to be kept; in how many milliseconds it wants to be called again.
    fn call(&mut self, mut call: Call) -> Option<u64> {
        loop {
            let wall = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
            let today = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
            let Turn { frames, keep, wake, summary } = self.home.turn(Told { wall, today, call });
            // Where there is no table to open, the frame that follows says why.
            if let Some(summary) = summary {
                self.tell.tell(Heard::Up(Some(summary)));
            }
            frames.into_iter().for_each(|frame| self.tell.tell(Heard::Frame(frame)));
            let Some(keep) = keep else { return wake };
            call = Call::Kept(self.kept.keep(&keep).err().map(|why| why.to_string()));
        }
    }
}

fn random() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}
