//! What the rule sheet is told from, section by section.

use super::{
    Deals, End, HandVisibility, Mechanism, MemoryLayout, Multiplicity, NoClaim, NoClaimAction, Pattern,
    Tiebreak,
};
use crate::rules::Rules;
use std::ops::Deref;
use std::sync::Arc;

/// Where the rule sheet tells of an option.
pub type Told = game::option::Told<Section, Tell>;

/// A time in milliseconds, in words.
pub(super) fn seconds(ms: u16) -> String {
    if ms.is_multiple_of(1000) {
        game::words::count(ms / 1000, "second", "seconds")
    } else {
        format!("{ms} ms")
    }
}

/// The sections of a rule sheet, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// The deck.
    Cards,
    /// What is looked for.
    Claims,
    /// How it is played.
    Play,
    /// What follows when there is none.
    NoClaim,
    /// What errors cost.
    Errors,
    /// When a deal ends.
    End,
    /// What counts.
    Score,
    /// Manners and clocks.
    Table,
}

impl Section {
    /// All, in order.
    pub const ALL: [Section; 8] = [
        Section::Cards,
        Section::Claims,
        Section::Play,
        Section::NoClaim,
        Section::Errors,
        Section::End,
        Section::Score,
        Section::Table,
    ];

    /// What stands over it.
    #[must_use]
    pub const fn head(self) -> &'static str {
        match self {
            Section::Cards => "Cards",
            Section::Claims => "What is looked for",
            Section::Play => "Play",
            Section::NoClaim => "When there is none",
            Section::Errors => "Errors",
            Section::End => "The end",
            Section::Score => "Score",
            Section::Table => "At the table",
        }
    }

    /// What no option changes: the sentences at its beginning.
    #[must_use]
    pub const fn always(self) -> &'static [&'static str] {
        match self {
            Section::Claims => &[
                "Three cards are a Set if each feature is the same on all three, or different on all three. Where two have it and one has not, it is no Set.",
            ],
            _ => &[],
        }
    }
}

/// What a sentence is made from: the rules.
#[derive(Clone, Debug)]
pub struct Tell(pub Arc<Rules>);

impl Deref for Tell {
    type Target = Rules;
    fn deref(&self) -> &Rules {
        &self.0
    }
}

impl Tell {
    /// Whether claims are made on an open layout, without turns.
    pub(super) fn races(&self) -> bool {
        matches!(self.mechanism, Mechanism::Race | Mechanism::Scout | Mechanism::Trial)
    }
    /// Whether all look at the same layout, without turns.
    pub(super) fn together(&self) -> bool {
        matches!(self.mechanism, Mechanism::Race | Mechanism::Scout)
    }
    /// Whether finds are sealed and searched.
    pub(super) fn scouts(&self) -> bool {
        self.mechanism == Mechanism::Scout
    }
    /// Whether cards are turned up in turn.
    pub(super) fn remembers(&self) -> bool {
        self.mechanism == Mechanism::Memory
    }
    /// Whether cards are placed in turn.
    pub(super) fn sets_up(&self) -> bool {
        self.mechanism == Mechanism::Setup
    }
    /// Whether players say that there is no claim.
    pub(super) fn votes(&self) -> bool {
        self.races() && self.no_claim != NoClaim::Auto && self.end != End::FirstNoClaimLoses
    }
    /// From how many cards a claim is certain, where so many can lie.
    pub(super) fn sure(&self) -> Option<u16> {
        let lie = u16::from(self.base) * u16::from(self.zones);
        self.layout_max().filter(|&sure| self.no_claim_action == NoClaimAction::Extra3 || lie >= sure)
    }
    /// Whether a stuck table is helped: others are there, and that there is a claim is certain or has been seen.
    pub(super) fn lights(&self) -> bool {
        let known = self.no_claim != NoClaim::Agree || self.sure().is_some();
        self.together() && self.players.max > 1 && known
    }
    /// Whether another deal may follow a deal.
    pub(super) fn more_deals(&self) -> bool {
        self.deals != Deals::Count(1) || self.tiebreak == Tiebreak::ExtraDeal
    }
    /// Who sees personal cards.
    pub(super) fn hand_seen(&self) -> &'static str {
        match self.hand_visibility {
            HandVisibility::Public => "open to all",
            HandVisibility::Private => "seen by nobody else",
        }
    }
    /// How many cards a turn turns up.
    pub(super) fn turned_up(&self) -> u8 {
        let one = if self.pattern == Pattern::Super { 4 } else { 3 };
        if self.multiplicity == Multiplicity::Double { 2 * one } else { one }
    }
    /// What follows when no Set lies face down.
    pub(super) fn no_set_down(&self) -> &'static str {
        match self.memory_layout {
            MemoryLayout::Full(_) => "the deal ends",
            MemoryLayout::Slots(_) => "three more cards are laid; without a stock the deal ends",
        }
    }
}
