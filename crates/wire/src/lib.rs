//! What goes over the WebSocket between server and client: one frame a message, as JSON (docs/protocol.md).
//!
//! The frames wrap the commands, views and notices of the game, which are defined once, in its family, and never again
//! here. [`client`] is the client's side of the protocol as a state machine without I/O: the browser, the terminal, bots
//! over the network and load tests all use it.
//!
//! Two numbers keep both sides together. The notices of one match are numbered `n` = 1, 2, 3, ... for each viewer
//! without gaps, counting the events that this viewer learns something from; so a viewer knows when something is missing
//! and learns nothing from what is missing. Commands are numbered by the client that gives them; the server answers each
//! number once it is durable, and never applies it twice.
//!
//! ```
//! use rulebook::View;
//! use wire::client::{Change, Client};
//!
//! // A client is told what happens to its socket and what comes over it, and says what to send and to show.
//! let mut client = Client::<View>::new(7, [0; 32]); // both drawn at random, once
//! client.opened();
//! let hello = client.next_frame().expect("a client greets first");
//! assert_eq!(serde_json::to_string(&hello)?, r#"{"hello":{"protocol":1,"client":7}}"#);
//!
//! let welcome = r#"{"welcome":{"protocol":1,"engine":"parlour/0.1.0","you":{"seat":0},"host":true,"game":0,"n":0}}"#;
//! client.receive_text(welcome, 0.0)?;
//! assert!(matches!(client.next_change(), Some(Change::Welcome(_))));
//! client.act(wire::Act::Sit { seat: game::Seat(0) });
//! assert_eq!(serde_json::to_string(&client.next_frame())?, r#"{"act":{"sit":{"seat":0}}}"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod api;
pub mod client;
pub mod json;
pub mod route;

use game::{Millis, Refusal, Say, Seat, SeatSet, Timing, Viewer};
use record::fair::Bytes32;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the protocol. Client and server of different versions do not play together: the server says so in an
/// [`ToClient::Error`], and the browser loads the app anew.
pub const PROTOCOL: u16 = 1;

/// Frames from client to server. `C` is the command of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToServer<C> {
    /// The first frame on every connection.
    Hello(Hello),
    /// The player acts.
    Command {
        /// Number of the command: 1, 2, 3, ... for each client; a resend has the number of the first sending.
        id: u32,
        /// Number `n` of the last notice that the player had when they acted.
        seen: u32,
        /// What they do.
        command: C,
    },
    /// Something is missing (a notice's number was not the next): the server sends a fresh view.
    Resync,
    /// About the table, not about the game on it. Never resent by itself.
    Act(Act),
    /// The client's part in a fair deal (docs/fair-deal.md).
    Seed(SeedGiven),
    /// Answer to [`ToClient::Ping`], at once. The server measures the round trip.
    Pong {
        /// The nonce of the ping.
        nonce: u32,
    },
}

/// Opens a connection, for the first time or again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u16,
    /// A random number that this client drew when it was loaded and keeps through reconnects. Several clients (phone and
    /// desk) may play one seat; each numbers its own commands.
    pub client: u32,
    /// What it has of the match, if anything: then only what is missing is sent, where the server can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Last>,
}

/// How far a client has followed a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LastSeen")]
pub struct Last {
    /// Which match at this table, from 1.
    pub game: u32,
    /// Number of the last notice it had; 0 for none.
    pub n: u32,
    /// Whose eyes it followed it with.
    pub viewer: ViewerKey,
}

/// A viewer as a number: the seat, or 255 for the table. Orders viewers and saves bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ViewerKey(pub u8);

impl From<Viewer> for ViewerKey {
    fn from(viewer: Viewer) -> ViewerKey {
        match viewer {
            Viewer::Seat(seat) => ViewerKey(seat.0),
            Viewer::Table => ViewerKey(u8::MAX),
        }
    }
}

/// What somebody at the table, or the host (who opened it), does about the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TableAct")]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// Takes a free seat (in the lobby; in a running match where the rules let people join).
    Sit {
        /// Which.
        seat: Seat,
    },
    /// Gives the seat up. In a running match that is leaving for good (LEAVE-2).
    Stand,
    /// Says whether the match may start.
    Ready {
        /// Whether it may.
        ready: bool,
    },
    /// Host: starts the match.
    Start,
    /// After a match: back to the lobby with the same people and the same rules, for another one.
    Rematch,
    /// Host: stops the clock.
    Pause,
    /// Host: lets it go on.
    Resume,
    /// Host: removes whoever sits there. A person cannot sit down at this table again unless the host lets them; they may
    /// watch.
    Remove {
        /// Where.
        seat: Seat,
    },
    /// Host: lets everybody of this name sit down again who was removed.
    LetBack {
        /// Their name, as `removed` of the table's state says it.
        name: String,
    },
    /// Host: gives the seat to a bot, in the lobby or in a running match.
    Bot {
        /// Which seat.
        seat: Seat,
        /// Which bot, such as `easy`.
        kind: String,
    },
    /// Host: takes the bot away, so that a person may sit there (or plays there again, if one holds the seat).
    Person {
        /// Which seat.
        seat: Seat,
    },
    /// Takes one's own seat back from the bot that sat in. Any command does that, too.
    Back,
    /// Agrees, or no longer agrees, to end the match now; it ends when every person at the table agrees, but for those who
    /// have not been connected for two minutes.
    End {
        /// Whether they agree.
        agree: bool,
    },
    /// Between two rounds: has read how the last one ended. The next one is dealt when all have said so; it is no fault to say
    /// so when it is dealt already.
    GoOn,
    /// Says one of the quick phrases.
    Say(Phrase),
}

/// Quick phrases. There is no free chat at public tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phrase {
    /// Hello!
    Hello,
    /// Good luck!
    GoodLuck,
    /// Well played!
    WellPlayed,
    /// Thank you!
    Thanks,
    /// Oops!
    Oops,
    /// Your turn.
    YourTurn,
    /// One moment, please.
    OneMoment,
    /// I am back.
    Back,
    /// Good game!
    GoodGame,
    /// Another one?
    Another,
}

impl Phrase {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Phrase; 10] = [
        Phrase::Hello,
        Phrase::GoodLuck,
        Phrase::WellPlayed,
        Phrase::Thanks,
        Phrase::Oops,
        Phrase::YourTurn,
        Phrase::OneMoment,
        Phrase::Back,
        Phrase::GoodGame,
        Phrase::Another,
    ];

    /// The words, in English.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Phrase::Hello => "Hello!",
            Phrase::GoodLuck => "Good luck!",
            Phrase::WellPlayed => "Well played!",
            Phrase::Thanks => "Thank you!",
            Phrase::Oops => "Oops!",
            Phrase::YourTurn => "Your turn.",
            Phrase::OneMoment => "One moment, please.",
            Phrase::Back => "I am back.",
            Phrase::GoodGame => "Good game!",
            Phrase::Another => "Another one?",
        }
    }
}

/// A client's part in a fair deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeedGiven {
    /// Binds the client to a seed.
    Commit {
        /// Which match at this table, from 1.
        game: u32,
        /// Which deal of it, from 1.
        deal: u16,
        /// SHA-256 of the seed.
        hash: Bytes32,
    },
    /// Opens the seed.
    Open {
        /// Which match at this table, from 1.
        game: u32,
        /// Which deal of it, from 1.
        deal: u16,
        /// The seed.
        seed: Bytes32,
    },
}

/// What is said (its key in the language files) to who is at a table that goes on at another machine: whoever comes again
/// finds it there, at once.
pub const TABLE_MOVES: &str = "no_server.table_moves";

/// Milliseconds for which a line may be lost before people are told: a table that moves is there again by then.
pub const UNNOTICED_MS: u16 = 1500;

/// Frames from server to client. `V`, `N` and `C` are view, notice and command of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(
    rename_all = "snake_case",
    bound(deserialize = "V: Deserialize<'de>, N: Deserialize<'de>, C: Deserialize<'de>")
)]
pub enum ToClient<V, N, C> {
    /// Answer to [`ToServer::Hello`], and again whenever the person's place changes (they sat down, stood up, a match began).
    Welcome(Welcome),
    /// How things stand at the table; sent on each change of it.
    Table(TableState),
    /// All that this viewer knows of the match. Replaces what the client had.
    View {
        /// Which match at this table, from 1.
        game: u32,
        /// Number of the last notice that is in the view; 0 if none.
        n: u32,
        /// Match time.
        at: Millis,
        /// The view.
        view: V,
    },
    /// What this viewer learns, in order. The events of one accepted input come in one frame.
    Notices {
        /// Number of the first; the others follow it.
        n: u32,
        /// Match time at which it happened.
        at: Millis,
        /// At least one.
        list: Vec<N>,
        /// Claims that came in the same hold (`order = ping_adjusted`) and lost to this one.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lost: Vec<LostClaim<C>>,
    },
    /// Answer to [`ToServer::Command`]; comes after the notices of what the command brought about.
    Verdict {
        /// Number of the command.
        id: u32,
        /// Match time at which it was judged.
        at: Millis,
        /// The answer.
        answer: Answer,
    },
    /// To be answered at once with [`ToServer::Pong`].
    Ping {
        /// To be sent back.
        nonce: u32,
    },
    /// The fair deal goes on.
    Seed(SeedCall),
    /// Somebody said something.
    Said {
        /// Who.
        seat: Seat,
        /// What.
        phrase: Phrase,
    },
    /// An act about the table was not done.
    Declined {
        /// Which.
        act: Act,
        /// Why, in one sentence.
        text: String,
        /// The same, to be said in any language.
        #[serde(default, skip_serializing_if = "Say::is_empty")]
        say: Say,
    },
    /// The server can or will not talk on, and closes the connection.
    Error {
        /// Why, in one sentence.
        text: String,
        /// The same, to be said in any language.
        #[serde(default, skip_serializing_if = "Say::is_empty")]
        say: Say,
        /// Whether to try again by itself later; if not, it would be in vain.
        retry: bool,
    },
}

/// Who the client is at this table, and how far the server's match is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Welcome {
    /// [`PROTOCOL`].
    pub protocol: u16,
    /// Version of the program that judges.
    pub engine: String,
    /// Whose eyes the person sees with.
    pub you: Viewer,
    /// Whether they are the host of the table.
    pub host: bool,
    /// Whether the host has taken them from their seat: they may watch, and sit down again once they are let back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub kept_out: bool,
    /// Which match at this table, from 1; 0 before the first.
    pub game: u32,
    /// Number of this viewer's last notice that is durable. Less than what the client had means that the server lost
    /// something (an old copy of its data was put back): the client says so.
    pub n: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde's shape
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// How things stand at the table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableState {
    /// Where it is between gathering and the end of a match.
    pub stage: Stage,
    /// Which match at this table, from 1; 0 before the first.
    pub game: u32,
    /// Each seat.
    pub seats: Vec<SeatState>,
    /// Name of the host.
    pub host: String,
    /// Number of spectators.
    pub watching: u16,
    /// Why the match stands still, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<Paused>,
    /// Between two rounds: how many milliseconds are left until the next one is dealt at the latest. 0 where nothing is waited
    /// for so.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rest_ms: u32,
    /// Match time now. It goes on by itself while a match is played and is not paused.
    pub at: Millis,
    /// Who agrees to end the match now.
    #[serde(default)]
    pub ending: SeatSet,
    /// Once the match has ended: how many of its deals had no seed of the person in each seat. Empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without_seed: Vec<u16>,
    /// Once the match has ended: the id of its record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// Names of those whom the host has removed. Only the host is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<String>,
}

game::option::fields! {
    TableState { stage game seats host watching paused rest_ms at ending without_seed record removed } strict = false
}

/// Where a table is between gathering and the end of a match.
#[derive(Default, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "TableStage")]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// People gather.
    #[default]
    Lobby,
    /// A match is played.
    Playing,
    /// The match has ended; a rematch may follow.
    Over,
}

/// One seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SeatState {
    /// Who has the seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub who: Option<Occupant>,
    /// Who left this match for good, while nobody else has the seat: their score stays (LEAVE-2). Else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub left: String,
    /// Whether they are ready to start; bots always are.
    pub ready: bool,
    /// Whether they are connected; bots always are.
    pub connected: bool,
}

/// Who has a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Occupant {
    /// A person.
    Person {
        /// Name shown.
        name: String,
        /// Whether a bot plays for them until they are back.
        #[serde(default)]
        bot_plays: bool,
    },
    /// A bot.
    Bot {
        /// Which bot, with its version, such as `easy/1`.
        kind: String,
    },
}

/// Why a match stands still.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Paused {
    /// The host of the table asked for it.
    Asked,
    /// Nobody is connected.
    Nobody,
    /// A round is over, and the next one is dealt when all have gone on ([`Act::GoOn`]), or the time of the pause is up
    /// ([`TableState::rest_ms`]).
    Round {
        /// Who is waited for: people who are connected and have not gone on.
        waits_for: SeatSet,
    },
    /// Moves cannot be stored; it goes on by itself as soon as they can.
    Storage {
        /// What is wrong, in one sentence.
        text: String,
    },
    /// The log of the match cannot be read by this version; it is kept and can be downloaded.
    Unreadable {
        /// What is wrong, in one sentence.
        text: String,
    },
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "CommandAnswer")]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// It was accepted and is durable. Whether a claim was right is in the notices.
    Done,
    /// The rules refuse it; nothing has changed. A claim that came too late is such.
    Refused(Refusal),
    /// It was about a layout that had changed on its way, and counts for nothing.
    Dropped {
        /// One sentence for the player.
        text: String,
        /// The same, to be said in any language.
        #[serde(default, skip_serializing_if = "Say::is_empty")]
        say: Say,
    },
    /// It was not judged (the match is paused, the seat is not yours, the moves cannot be stored).
    NotNow {
        /// One sentence for the player.
        text: String,
        /// The same, to be said in any language.
        #[serde(default, skip_serializing_if = "Say::is_empty")]
        say: Say,
    },
    /// It was answered before, and what the answer was is no longer known; the view tells.
    Answered,
}

/// A claim that came in the same hold as the accepted one, and lost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LostClaim<C> {
    /// Whose.
    pub seat: Seat,
    /// What was claimed.
    pub command: C,
    /// When it came, and what was taken off for its way.
    pub timing: Timing,
}

/// How a fair deal goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeedCall {
    /// The server has bound itself to its seed for this deal. A seated client now commits its own.
    Committed {
        /// Which match at this table, from 1.
        game: u32,
        /// Which deal of it, from 1.
        deal: u16,
        /// SHA-256 of the server's seed.
        hash: Bytes32,
    },
    /// All have committed who will, and this is written down. A client whose own commitment is among them opens its seed now,
    /// within a second; one that misses it opens nothing and says so.
    Open {
        /// Which match at this table, from 1.
        game: u32,
        /// Which deal of it, from 1.
        deal: u16,
        /// What each seat is bound to: SHA-256 of its seed; none for a seat without.
        bound: Vec<Option<Bytes32>>,
        /// Seats whose people are connected and not bound.
        without: SeatSet,
    },
    /// The deal has ended: this was the server's seed.
    Revealed {
        /// Which match at this table, from 1.
        game: u32,
        /// Which deal of it, from 1.
        deal: u16,
        /// The seed.
        seed: Bytes32,
    },
}
