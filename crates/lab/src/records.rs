//! Records of matches in the laboratory, which `parlour verify` judges like any other.
//!
//! The deals are fair deals, of seeds that follow from the seed of the match. Who sits where stands in the first entry, not in
//! the header that names the match: so the same deals can be played again with the bots changed about.

use game::chance::{Chance, Draw, Need, SplitMix};
use game::{Game, Input, Millis, Seat};
use record::entry::{SCHEMA, SHUFFLE};
use record::fair::{self, Bytes32, DealKey, commitment};
use record::{Cause, ENGINE, EntryOf, Header, HeaderOf, Note, Sitter, SitterKind};
use std::collections::BTreeSet;

/// The fair deals of a match of the laboratory.
#[derive(Clone, Debug)]
pub struct Deals {
    id: String,
    seed: u64,
    seats: u8,
}

impl Deals {
    /// The deals that follow from `seed` for a table of so many seats under these rules.
    #[must_use]
    pub fn new<G: Game>(rules: &G::Rules, seats: u8, seed: u64) -> Deals {
        Deals { id: header::<G>(rules, seats, seed).id, seed, seats }
    }

    /// The server's seed of a deal, as [`Deals::answer`] uses it.
    fn server(&self, deal: u16) -> Bytes32 {
        let mut chance = SplitMix(self.seed ^ u64::from(deal).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut bytes = [0; 32];
        bytes.fill_with(|| chance.below(256) as u8);
        Bytes32(bytes)
    }

    /// What chance decides.
    #[must_use]
    pub fn answer(&self, need: &Need) -> Draw {
        let deal = fair::deal(need);
        let nobody = vec![None; usize::from(self.seats)];
        DealKey::new(&self.id, deal, &self.server(deal), &nobody).answer(need)
    }
}

/// The first line of a record: the rules, and seats that nobody has taken yet.
fn header<G: Game>(rules: &G::Rules, seats: u8, seed: u64) -> HeaderOf<G> {
    let empty = Sitter { name: String::new(), kind: SitterKind::Empty };
    let header = Header {
        schema: SCHEMA,
        engine: ENGINE.to_owned(),
        id: String::new(),
        opened: None,
        rules: rules.clone(),
        seats: vec![empty; usize::from(seats)],
        shuffle: SHUFFLE.to_owned(),
    };
    header.named(&format!("lab-{seed:016x}"))
}

/// Writes the record of a match while it is played.
pub struct Writer<'a> {
    deals: &'a Deals,
    lines: String,
    ply: u32,
    at: Millis,
    bound: BTreeSet<u16>,
}

impl<'a> Writer<'a> {
    /// A record with these bots, by name and version, in its seats.
    #[must_use]
    pub fn new<G: Game>(rules: &G::Rules, deals: &'a Deals, bots: &[&str]) -> Writer<'a> {
        let mut writer =
            Writer { deals, lines: String::new(), ply: 0, at: Millis(0), bound: BTreeSet::new() };
        writer.line(&header::<G>(rules, deals.seats, deals.seed));
        let sits = |(seat, bot): (u8, &&str)| Note::Sits {
            seat: Seat(seat),
            who: Sitter { name: (*bot).to_owned(), kind: SitterKind::Bot((*bot).to_owned()) },
        };
        writer.entry::<G>(Cause::Host, None, &[], (0..).zip(bots).map(sits).collect());
        writer
    }

    /// Takes in an input that was accepted, with the state before it and what followed.
    pub fn take<G: Game>(&mut self, game: &G, input: &Input<G::Command>, events: &[G::Event]) {
        let mut notes = Vec::new();
        let cause = match input {
            Input::Play(seat, _, timing) => {
                self.at = self.at.max(timing.arrival);
                Cause::Seat { seat: *seat, command: 0, client: 0, bot: true }
            }
            Input::Ring(_) => {
                self.at = game.alarm().map_or(self.at, |alarm| self.at.max(alarm.due));
                Cause::Host
            }
            _ => Cause::Host,
        };
        if let (Input::Draw(_), game::Status::Chance(need)) = (input, game.status()) {
            let deal = fair::deal(&need);
            if self.bound.insert(deal) {
                let hash = commitment(&self.deals.server(deal));
                self.entry::<G>(Cause::Host, None, &[], vec![Note::Commit { deal, hash }]);
            }
            notes.push(Note::Asked { need });
        }
        self.entry::<G>(cause, Some(input.clone()), events, notes);
    }

    /// The whole record, once the match is over.
    #[must_use]
    pub fn finish<G: Game>(mut self) -> String {
        let shown =
            self.bound.iter().map(|&deal| Note::Reveal { deal, seed: self.deals.server(deal) }).collect();
        self.entry::<G>(Cause::Host, None, &[], shown);
        self.lines
    }

    fn entry<G: Game>(
        &mut self,
        cause: Cause,
        input: Option<Input<G::Command>>,
        events: &[G::Event],
        notes: Vec<Note<G::Command>>,
    ) {
        self.ply += 1;
        let entry: EntryOf<G> =
            record::Entry { ply: self.ply, at: self.at, cause, input, events: events.to_vec(), notes };
        self.line(&entry);
    }

    fn line(&mut self, value: &impl serde::Serialize) {
        self.lines.push_str(&serde_json::to_string(value).expect("records are plain data"));
        self.lines.push('\n');
    }
}
