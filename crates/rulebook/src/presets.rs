//! The built-in games: the files under `rules/`, embedded.

/// A rule file that is part of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Embedded {
    pub id: &'static str,
    pub file: &'static str,
    pub text: &'static str,
}

static ALL: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/presets.rs"));

/// House rules that families, clubs and books have published, by name of the file.
pub(crate) static HOUSE: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/house.rs"));

/// The order in which a player meets the games: that of the rulebooks. What is not named here follows by name.
const ORDER: &[&str] = &[
    "set-classic",
    "set-heap",
    "set-open-deal",
    "quick",
    "solitaire",
    "solitaire-relaxed",
    "chain",
    "memory",
    "superset-h",
    "superset-w",
    "ultra",
    "ultra9",
    "mega",
    "double",
    "eight",
    "double-ultra",
    "double-ultra9",
    "double-mega",
    "double-super",
    "double-chain",
    "double-memory",
    "double-quick",
    "mega-super",
    "mega-ultra",
    "mega-chain",
    "mega-complex",
    "eight-ultra",
    "hands",
    "complex",
    "scout",
    "setup",
    "twenty",
    "daily-puzzle",
    "daily-basic",
    "time-trial",
    "trial-live",
    "contract",
    "contract-nj",
    "liverpool",
    "may-i",
    "shanghai",
    "shanghai-powe",
    "shanghai-kolsov",
    "progressive",
    "house-jeanne",
    "zioncheck",
    "loba",
    "carioca",
    "telefunken",
    "telefunken-desordenada",
    "push",
    "6-7-8-9-10",
    "california",
    "continental-7",
    "russian",
    "12-step",
    "toonerville-rook",
];

/// The file of the game `id`.
pub(crate) fn text(id: &str) -> Option<&'static Embedded> {
    ALL.iter().find(|preset| preset.id == id)
}

/// Ids of all games, in the order of the rulebooks.
pub(crate) fn ids() -> Vec<&'static str> {
    let mut ids: Vec<&'static str> = ALL.iter().map(|preset| preset.id).collect();
    ids.sort_by_key(|id| ORDER.iter().position(|o| o == id).unwrap_or(ORDER.len()));
    ids
}
