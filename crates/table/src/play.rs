//! One match in memory: the truth, and everything else that is folded from its log.
//!
//! Whatever is here is a function of the log alone. [`Play::apply`] takes in an entry, the same way for an entry that was
//! just decided and for one that is read back.

use crate::fair::Seeds;
use crate::{MatchId, Playable};
use bytes::Bytes;
use game::{Millis, Outcome, Presence, Seat, Status, Viewer};
use record::{Cause, EntryOf, Note, Sitter, SitterKind, fair};
use serde::Serialize;
use std::cell::RefCell;
use std::io::Write as _;
use std::sync::Arc;

/// Most clients of which a match remembers the number of the last command, per seat.
const CLIENTS: usize = 16;

/// What one viewer learns of one entry, as a frame.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Place of the viewer: its seat, or the number of seats for the table.
    pub slot: u8,
    /// Numbers of the first and the last notice in it.
    pub first: u32,
    /// See there.
    pub last: u32,
    /// The frame.
    pub body: Bytes,
}

/// How a match came to its end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Over {
    /// By its rules.
    Played(Outcome),
    /// By agreement, without a result.
    Agreed,
}

pub(crate) struct Play<G: Playable> {
    pub id: MatchId,
    /// What fair deals call the match: the name in the header of its log.
    pub name: String,
    /// The truth, all entries that were handed over taken in.
    pub truth: G,
    /// Number of the last entry.
    pub ply: u32,
    /// Its time.
    pub at: Millis,
    /// Number of the last notice of each viewer; the table is last.
    pub n: Vec<u32>,
    /// That number when the layout last changed.
    pub layout: Vec<u32>,
    /// Last command of each client.
    commands: Vec<(Seat, u32, u32)>,
    /// Turns that ran out in a row.
    pub ran_out: Vec<u8>,
    /// Whether the rules take the seat to be connected.
    pub present: Vec<bool>,
    /// What was taken off for the way in this deal, in milliseconds.
    pub adjusted: Vec<u16>,
    /// Deal that is being played, from 1; 0 before the first.
    pub deal: u16,
    pub seeds: Seeds,
    /// What sits in each seat, as the log has it.
    pub sitters: Vec<SitterKind>,
    /// How many deals had no part of the person in each seat.
    pub without_seed: Vec<u16>,
    pub over: Option<Over>,
    /// What those who watch see since the last entry, once somebody has asked.
    watched: Option<Arc<str>>,
}

fn json_of(view: &impl Serialize) -> Arc<str> {
    serde_json::to_string(view).expect("views are plain data").into()
}

thread_local! {
    /// Where frames are written before they are cut to size: one for each viewer, kept by the thread instead of by each match.
    static TEXTS: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

impl<G: Playable> Play<G> {
    pub fn new(id: MatchId, name: String, sitters: Vec<Sitter>, truth: G) -> Play<G> {
        let seats = usize::from(truth.seats());
        Play {
            id,
            name,
            truth,
            ply: 0,
            at: Millis(0),
            n: vec![0; seats + 1],
            layout: vec![0; seats + 1],
            commands: Vec::new(),
            ran_out: vec![0; seats],
            present: vec![true; seats],
            adjusted: vec![0; seats],
            deal: 0,
            seeds: Seeds::new(seats),
            sitters: sitters.into_iter().map(|sitter| sitter.kind).collect(),
            without_seed: vec![0; seats],
            over: None,
            watched: None,
        }
    }

    /// Number of seats.
    pub fn seats(&self) -> u8 {
        self.truth.seats()
    }

    /// Whose eyes belong to a place.
    pub fn viewer(&self, slot: u8) -> Viewer {
        if slot < self.seats() { Viewer::Seat(Seat(slot)) } else { Viewer::Table }
    }

    /// The place of a viewer.
    pub fn slot(&self, viewer: Viewer) -> u8 {
        match viewer {
            Viewer::Seat(seat) => seat.0,
            Viewer::Table => self.seats(),
        }
    }

    /// Number of the last command of `client` for `seat` that was accepted; 0 if none.
    pub fn last_command(&self, seat: Seat, client: u32) -> u32 {
        self.commands.iter().find(|(s, c, _)| (*s, *c) == (seat, client)).map_or(0, |(_, _, last)| *last)
    }

    /// What a viewer sees, as JSON. It is made once for all who come to watch between two entries: there may be many.
    pub fn view(&mut self, viewer: Viewer) -> Arc<str> {
        if viewer != Viewer::Table {
            return json_of(&self.truth.view(viewer));
        }
        let truth = &self.truth;
        self.watched.get_or_insert_with(|| json_of(&truth.view(viewer))).clone()
    }

    /// Takes in the next entry. The notices of the viewers whose bits are set in `wanted` are put into frames, one body for
    /// all who learn the same.
    pub fn apply(&mut self, entry: &EntryOf<G>, wanted: u32, frames: &mut Vec<Frame>) {
        self.watched = None;
        self.ply = entry.ply;
        self.at = entry.at;
        if let Cause::Seat { seat, command, client, bot: false } = entry.cause {
            self.acted(seat, client, command as u32);
        }
        for note in &entry.notes {
            self.noted(note);
        }
        match &entry.input {
            Some(game::Input::Draw(_)) => {
                if let Status::Chance(need) = self.truth.status() {
                    let deal = fair::deal(&need);
                    if deal != self.deal {
                        self.deal = deal;
                        self.adjusted.fill(0);
                    }
                    if let Some(seeds) = self.seeds.get_mut(deal) {
                        let counts = self.without_seed.iter_mut().zip(&self.sitters).enumerate();
                        for (seat, (count, sitter)) in counts.filter(|_| !seeds.settled) {
                            let absence = seeds.absence(seat, *sitter == SitterKind::Person);
                            *count += u16::from(absence.is_some());
                        }
                        seeds.closed = true;
                        seeds.settled = true;
                    }
                }
            }
            Some(game::Input::Play(seat, _, timing)) => self.adjust(*seat, timing.adjustment),
            Some(game::Input::Presence(seat, presence)) => {
                if let Some(present) = self.present.get_mut(seat.index()) {
                    *present = matches!(presence, Presence::Back | Presence::Joined);
                }
            }
            Some(game::Input::Ring(_)) | None => {}
        }
        TEXTS.with_borrow_mut(|texts| self.happened(entry, wanted, texts, frames));
        if self.over.is_none()
            && !entry.events.is_empty()
            && let Status::Over(outcome) = self.truth.status()
        {
            self.over = Some(Over::Played(outcome));
        }
    }

    fn acted(&mut self, seat: Seat, client: u32, command: u32) {
        if let Some(ran_out) = self.ran_out.get_mut(seat.index()) {
            *ran_out = 0;
        }
        if let Some(place) = self.commands.iter().position(|(s, c, _)| (*s, *c) == (seat, client)) {
            self.commands[place].2 = command;
            return;
        }
        if self.commands.iter().filter(|(s, ..)| *s == seat).count() >= CLIENTS {
            let oldest = self.commands.iter().position(|(s, ..)| *s == seat).unwrap_or(0);
            self.commands.remove(oldest);
        }
        self.commands.push((seat, client, command));
    }

    fn adjust(&mut self, seat: Seat, adjustment: u16) {
        if let Some(sum) = self.adjusted.get_mut(seat.index()) {
            *sum = sum.saturating_add(adjustment);
        }
    }

    fn noted(&mut self, note: &Note<G::Command>) {
        match note {
            Note::Lost { seat, timing, .. } => self.adjust(*seat, timing.adjustment),
            Note::Ended => self.over = Some(Over::Agreed),
            Note::Commit { .. }
            | Note::Secret { .. }
            | Note::ClientCommit { .. }
            | Note::Open { .. }
            | Note::Unbound { .. }
            | Note::Missing { .. }
            | Note::Reveal { .. } => self.seeds.take_in(note),
            Note::Sits { seat, who } => {
                if let Some(sitter) = self.sitters.get_mut(seat.index()) {
                    sitter.clone_from(&who.kind);
                }
                if let Some(ran_out) = self.ran_out.get_mut(seat.index()) {
                    *ran_out = 0;
                }
            }
            Note::Stood { .. } | Note::Asked { .. } | Note::Took { .. } => {}
        }
    }

    /// Takes in the events of an entry, and writes what the viewers wanted learn of them.
    fn happened(
        &mut self,
        entry: &EntryOf<G>,
        wanted: u32,
        texts: &mut Vec<Vec<u8>>,
        frames: &mut Vec<Frame>,
    ) {
        let slots = self.n.len();
        texts.resize_with(texts.len().max(slots), Vec::new);
        texts.iter_mut().for_each(Vec::clear);
        // Notices of this entry for each viewer.
        let mut counts = [0; 32];
        for event in &entry.events {
            if let Some(ran_out) = self.truth.ran_out(event).and_then(|s| self.ran_out.get_mut(s.index())) {
                *ran_out = ran_out.saturating_add(1);
            }
            let layout = self.truth.changes_layout(event);
            // What was written last for this event, and where: most viewers learn the same.
            let mut written: Option<(G::Notice, usize, usize)> = None;
            for slot in 0..slots {
                if let Some(notice) = self.truth.notice(event, self.viewer(slot as u8)) {
                    self.n[slot] += 1;
                    counts[slot] += 1;
                    if wanted >> slot & 1 == 1 {
                        if !texts[slot].is_empty() {
                            texts[slot].push(b',');
                        }
                        match &written {
                            Some((same, twin, from)) if *same == notice => {
                                let (low, high) = texts.split_at_mut(slot);
                                high[0].extend_from_slice(&low[*twin][*from..]);
                            }
                            _ => {
                                let from = texts[slot].len();
                                serde_json::to_writer(&mut texts[slot], &notice)
                                    .expect("notices are plain data");
                                written = Some((notice, slot, from));
                            }
                        }
                    }
                }
                if layout {
                    self.layout[slot] = self.n[slot];
                }
            }
            self.truth.evolve(event);
        }
        let first = frames.len();
        for slot in 0..slots {
            if texts[slot].is_empty() {
                continue;
            }
            let last = self.n[slot];
            let from = last + 1 - counts[slot];
            let twin = frames[first..]
                .iter()
                .find(|f| (f.first, f.last) == (from, last) && texts[usize::from(f.slot)] == texts[slot]);
            let body = match twin {
                Some(twin) => twin.body.clone(),
                None => notices(entry, from, &texts[slot]),
            };
            frames.push(Frame { slot: slot as u8, first: from, last, body });
        }
    }
}

/// A frame of notices, the list of which is written already.
fn notices<C: Clone + serde::Serialize, E>(entry: &record::Entry<C, E>, from: u32, list: &[u8]) -> Bytes {
    let mut text = Vec::with_capacity(list.len() + 64);
    write!(text, r#"{{"notices":{{"n":{from},"at":{},"list":["#, entry.at.0).expect("memory takes bytes");
    text.extend_from_slice(list);
    text.push(b']');
    lost(entry, &mut text);
    text.extend_from_slice(b"}}");
    text.shrink_to_fit();
    text.into()
}

/// The claims that lost to this entry, as the last field of a frame.
fn lost<C: Clone + serde::Serialize, E>(entry: &record::Entry<C, E>, text: &mut Vec<u8>) {
    let mut lost = entry.notes.iter().filter_map(|note| match note {
        Note::Lost { seat, command, timing } => {
            Some(wire::LostClaim { seat: *seat, command: command.clone(), timing: *timing })
        }
        _ => None,
    });
    if let Some(first) = lost.next() {
        let all: Vec<_> = std::iter::once(first).chain(lost).collect();
        text.extend_from_slice(br#","lost":"#);
        serde_json::to_writer(text, &all).expect("claims are plain data");
    }
}
