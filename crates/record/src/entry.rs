//! What a match record is made of: a header, then one entry for each accepted input (docs/record.md).
//!
//! The journal of a running match and the file a player downloads hold the same two types, so that nothing converts
//! between twins. In a file each stands on a line of its own, as JSON, the header first.

use crate::fair::Bytes32;
use game::{Input, Millis, Need, Seat, Timing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the record format that this program writes.
pub const SCHEMA: u32 = 2;

/// Name and version of this program, as headers, notes and welcomes name the one that judges.
pub const ENGINE: &str = concat!("parlour ", env!("CARGO_PKG_VERSION"));

/// The shuffle that this program deals with: docs/fair-deal.md.
pub const SHUFFLE: &str = "fair-deal-1";

/// The first line of a record: everything that must be known before the first input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Header<R> {
    /// Version of the record format, [`SCHEMA`].
    pub schema: u32,
    /// Name and version of the program that opened the match: its [`ENGINE`].
    pub engine: String,
    /// The match, as fair deals name it: what the server knows it by, and then what binds this header ([`Header::named`]).
    #[serde(rename = "match")]
    pub id: String,
    /// When the match was opened, as the server's clock had it: seconds since 1970, UTC. Match time counts from here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened: Option<u64>,
    /// The whole rule set, options of the table included.
    pub rules: R,
    /// Who sits where at the start, one for each seat of the table.
    pub seats: Vec<Sitter>,
    /// Which shuffle: [`SHUFFLE`], or another name where the cards were not dealt fairly and nothing is proved.
    pub shuffle: String,
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sitter {
    /// The name shown.
    pub name: String,
    /// A person, a bot or nobody.
    pub kind: SitterKind,
}

/// What sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SitterKind {
    /// A person.
    Person,
    /// A bot: its kind and version, such as `steady/1`.
    Bot(String),
    /// Nobody yet.
    Empty,
}

/// One accepted input and all that followed from it, or a note for the record that is no input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(bound(deserialize = "C: Deserialize<'de>, E: Deserialize<'de>"))]
pub struct Entry<C, E> {
    /// Number of this entry in its match, from 1, without gaps.
    pub ply: u32,
    /// Match time at which it counts; never before that of the entry before.
    pub at: Millis,
    /// Who or what brought it about.
    pub cause: Cause,
    /// The input that the rules accepted; none in an entry that only holds notes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Input<C>>,
    /// What the rules decided, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<E>,
    /// What else belongs into the record here; read before the input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note<C>>,
}

/// Who or what brought an entry about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A seat acted.
    Seat {
        /// Which seat.
        seat: Seat,
        /// The number the client gave the command; rising for each client, so that a resend is known. 0 for a bot.
        #[serde(default, skip_serializing_if = "is_zero")]
        command: u64,
        /// Which client numbered it: several (phone and desk) may play one seat. 0 for a bot.
        #[serde(default, skip_serializing_if = "is_no_client")]
        client: u32,
        /// Whether a bot acted for the seat.
        #[serde(default, skip_serializing_if = "is_false")]
        bot: bool,
    },
    /// The host of the rules: chance fell, an alarm rang, a connection came or went.
    Host,
    /// The person who keeps the table: somebody removed, a seat given to a bot.
    Keeper,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's shape
fn is_no_client(n: &u32) -> bool {
    *n == 0
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's shape
fn is_false(b: &bool) -> bool {
    !*b
}

/// What belongs into the record without being an input to the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Note<C> {
    /// The server bound itself to a seed for a deal, before any client seed of that deal.
    Commit {
        /// Deal of the match, from 1.
        deal: u16,
        /// SHA-256 of the server's seed.
        hash: Bytes32,
    },
    /// The seed that the server bound itself to, so that a server that starts anew can go on with the deal. Like the cards
    /// in the log, nobody but the server reads it before the deal has ended.
    Secret {
        /// Deal of the match, from 1.
        deal: u16,
        /// The server's seed.
        seed: Bytes32,
    },
    /// A client bound itself to a seed for a deal.
    ClientCommit {
        /// Deal of the match, from 1.
        deal: u16,
        /// Whose client.
        seat: Seat,
        /// SHA-256 of the client's seed.
        hash: Bytes32,
    },
    /// A client opened its seed for a deal.
    Open {
        /// Deal of the match, from 1.
        deal: u16,
        /// Whose client.
        seat: Seat,
        /// The seed.
        seed: Bytes32,
    },
    /// When the commitments of a deal were closed, a person with an open connection had made none; the stand-in takes the
    /// place of their seed.
    Unbound {
        /// Deal of the match, from 1.
        deal: u16,
        /// Whose client.
        seat: Seat,
    },
    /// A committed seed was not opened in time; the stand-in took its place.
    Missing {
        /// Deal of the match, from 1.
        deal: u16,
        /// Whose client.
        seat: Seat,
    },
    /// The deal has ended, and the server shows its seed.
    Reveal {
        /// Deal of the match, from 1.
        deal: u16,
        /// The server's seed.
        seed: Bytes32,
    },
    /// What chance was asked; the entry's input is the draw that answers it. So a script without the rules can check it.
    Asked {
        /// The question.
        need: Need,
    },
    /// Another person or a bot has this seat from now on.
    Sits {
        /// Which seat.
        seat: Seat,
        /// Who.
        who: Sitter,
    },
    /// The clock stood still before this entry for so long; match time does not count it.
    Stood {
        /// Milliseconds on the server's clock.
        millis: u64,
        /// Why.
        why: Pause,
    },
    /// The match was ended here, without a result, because everybody at the table agreed to.
    Ended,
    /// A host took over, which also proves that what it read is current.
    Took {
        /// Name and version of the program that judges from here on.
        engine: String,
    },
    /// A claim that came in the same hold or tie window as the accepted one, and lost.
    Lost {
        /// Who claimed.
        seat: Seat,
        /// What was claimed.
        command: C,
        /// When it came, and what was taken off for its way.
        timing: Timing,
    },
}

/// Why match time stood still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pause {
    /// No server ran the match, or what happened in it could not be kept.
    Down,
    /// Nobody was connected.
    Nobody,
    /// The person who keeps the table had paused it.
    Asked,
    /// Between two rounds people read how the last one ended.
    Round,
}

/// The header of a match of `G`.
pub type HeaderOf<G> = Header<<G as game::Game>::Rules>;

/// An entry of a match of `G`.
pub type EntryOf<G> = Entry<<G as game::Game>::Command, <G as game::Game>::Event>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_one_line_of_json_and_read_back() {
        let entry: Entry<String, u8> = Entry {
            ply: 7,
            at: Millis(1500),
            cause: Cause::Seat { seat: Seat(2), command: 9, client: 0, bot: false },
            input: Some(Input::Play(Seat(2), "pass".to_owned(), Timing::at(Millis(1490)))),
            events: vec![1, 2],
            notes: vec![Note::Commit { deal: 2, hash: Bytes32([0xab; 32]) }],
        };
        let line = serde_json::to_string(&entry).unwrap();
        let hash = "ab".repeat(32);
        assert_eq!(
            line,
            format!(
                r#"{{"ply":7,"at":1500,"cause":{{"seat":{{"seat":2,"command":9}}}},"input":{{"play":[2,"pass",{{"arrival":1490}}]}},"events":[1,2],"notes":[{{"commit":{{"deal":2,"hash":"{hash}"}}}}]}}"#
            )
        );
        assert_eq!(serde_json::from_str::<Entry<String, u8>>(&line).unwrap(), entry);
        let bare: Entry<String, u8> = serde_json::from_str(r#"{"ply":1,"at":0,"cause":"host"}"#).unwrap();
        assert_eq!((bare.input, bare.events, bare.notes), (None, vec![], vec![]));
    }
}
