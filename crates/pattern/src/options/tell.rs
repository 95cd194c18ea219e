//! What the rule sheet is told from, section by section.

use super::Feature;
use super::{
    Deals, End, HandVisibility, Mechanism, MemoryLayout, Multiplicity, NoClaim, NoClaimAction, Pattern,
    Tiebreak,
};
use super::{OPTIONS, Rules, TOLD};
use game::words::number;
use game::{Say, say};
use std::ops::Deref;
use std::sync::Arc;

/// Where the rule sheet tells of an option.
pub type Told = game::option::Told<Section, Tell>;

/// A time in milliseconds, in words.
pub(super) fn seconds(ms: u16) -> Say {
    if ms.is_multiple_of(1000) {
        say!("rule.pattern.time.seconds", n = ms / 1000, words = number(ms / 1000))
    } else {
        say!("rule.pattern.time.ms", n = ms)
    }
}

/// A feature, in words.
pub(super) fn feature(feature: Feature) -> Say {
    match feature {
        Feature::Number => say!("rule.pattern.feature.number"),
        Feature::Colour => say!("rule.pattern.feature.colour"),
        Feature::Shading => say!("rule.pattern.feature.shading"),
        Feature::Symbol => say!("rule.pattern.feature.symbol"),
        Feature::Background => say!("rule.pattern.feature.background"),
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

/// The section that tells of an option; of an option of which none tells, the first.
#[must_use]
pub fn section_of(key: &str) -> Section {
    let told = OPTIONS.iter().zip(TOLD).find(|(row, _)| row.key == key).map(|(_, told)| told);
    match told {
        Some(Told::Says(section, _)) => *section,
        Some(Told::By(other)) => section_of(other),
        Some(Told::Apart(_)) | None => Section::ALL[0],
    }
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
    pub fn head(self) -> Say {
        match self {
            Section::Cards => say!("rule.pattern.section.cards"),
            Section::Claims => say!("rule.pattern.section.claims"),
            Section::Play => say!("rule.pattern.section.play"),
            Section::NoClaim => say!("rule.pattern.section.none"),
            Section::Errors => say!("rule.pattern.section.errors"),
            Section::End => say!("rule.pattern.section.end"),
            Section::Score => say!("rule.pattern.section.score"),
            Section::Table => say!("rule.pattern.section.table"),
        }
    }

    /// What no option changes: the sentences at its beginning.
    #[must_use]
    pub fn always(self) -> Vec<Say> {
        match self {
            Section::Claims => vec![say!("rule.pattern.always")],
            _ => Vec::new(),
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
    pub(super) fn hand_seen(&self) -> Say {
        match self.hand_visibility {
            HandVisibility::Public => say!("rule.pattern.seen.all"),
            HandVisibility::Private => say!("rule.pattern.seen.nobody"),
        }
    }
    /// How many cards a turn turns up.
    pub(super) fn turned_up(&self) -> u8 {
        let one = if self.pattern == Pattern::Super { 4 } else { 3 };
        if self.multiplicity == Multiplicity::Double { 2 * one } else { one }
    }
    /// What follows when no Set lies face down.
    pub(super) fn no_set_down(&self) -> Say {
        match self.memory_layout {
            MemoryLayout::Full(_) => say!("rule.pattern.no_down.ends"),
            MemoryLayout::Slots(_) => say!("rule.pattern.no_down.more"),
        }
    }
}
