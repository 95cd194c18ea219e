//! What this person likes: kept in the browser, shown as attributes of the page that the style sheet reads.

use crate::dom;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { #[default] $($(#[$vdoc])* $variant),+ }
        impl $name {
            /// Every value, in the order offered.
            pub const ALL: &[$name] = &[$($name::$variant),+];
            /// As written in attributes and language keys.
            #[must_use]
            pub const fn id(self) -> &'static str { match self { $($name::$variant => $text),+ } }
            /// The value with this id.
            #[must_use]
            pub fn from_id(id: &str) -> Option<Self> { Self::ALL.iter().copied().find(|v| v.id() == id) }
        }
    };
}
// `#[default]` has to stand on the first variant, which the macro does by its place.

choice! {
    /// Light or dark.
    Theme {
        /// As the device says.
        Auto = "auto",
        /// Light.
        Light = "light",
        /// Dark.
        Dark = "dark",
    }
}
choice! {
    /// Colours of pattern cards.
    Palette {
        /// Red, green, purple.
        Classic = "classic",
        /// Three colours of Okabe and Ito, told apart by nearly everybody.
        Okabe = "okabe",
    }
}
choice! {
    /// What is printed on the symbols so that colour is not needed.
    Overlay {
        /// Nothing.
        None = "none",
        /// The colour's initial.
        Letters = "letters",
        /// A dot, a bar or a cross.
        Marks = "marks",
    }
}
choice! {
    /// Keyboard layout: which letters are printed on the cards.
    Keys {
        /// English.
        Qwerty = "qwerty",
        /// French.
        Azerty = "azerty",
        /// German.
        Qwertz = "qwertz",
        /// Dvorak.
        Dvorak = "dvorak",
    }
}
choice! {
    /// Moving cards.
    Motion {
        /// As the device says.
        Auto = "auto",
        /// Cards move.
        Full = "full",
        /// Cards jump.
        Reduced = "reduced",
    }
}

choice! {
    /// Which discards on offer are passed without asking.
    AutoPass {
        /// Those that bring nothing, once one is down.
        Down = "down",
        /// Those that bring nothing.
        Useless = "useless",
        /// None.
        Never = "never",
    }
}

impl Keys {
    /// The three rows of keys, ten each, from the left.
    #[must_use]
    pub const fn rows(self) -> [&'static str; 3] {
        match self {
            Keys::Qwerty => ["qwertyuiop", "asdfghjkl;", "zxcvbnm,./"],
            Keys::Azerty => ["azertyuiop", "qsdfghjklm", "wxcvbn,;:!"],
            Keys::Qwertz => ["qwertzuiop", "asdfghjklö", "yxcvbnm,.-"],
            Keys::Dvorak => ["',.pyfgcrl", "aoeuidhtns", ";qjkxbmwvz"],
        }
    }

    /// The key at a place of the board, if there are so many.
    #[must_use]
    pub fn at(self, row: usize, column: usize) -> Option<char> {
        self.rows().get(row)?.chars().nth(column)
    }
}

/// All preferences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Prefs {
    /// Light or dark.
    pub theme: Theme,
    /// Colours of pattern cards.
    pub palette: Palette,
    /// Letters or marks on pattern cards.
    pub overlay: Overlay,
    /// Letters for the keyboard.
    pub keys: Keys,
    /// Whether those letters are printed on the cards.
    pub show_keys: bool,
    /// Moving cards.
    pub motion: Motion,
    /// Sounds; off until somebody switches them on.
    pub sound: bool,
    /// Clubs green, diamonds blue.
    pub four_colour: bool,
    /// Ask before each discard, not only before the one that ends the round.
    pub confirm_discard: bool,
    /// Which discards on offer are passed without asking.
    pub pass: AutoPass,
    /// Contract Rummy is explained at the table.
    pub coach: bool,
}

game::option::fields! {
    Prefs { theme palette overlay keys show_keys motion sound four_colour confirm_discard pass coach } strict = false
}

impl Default for Prefs {
    fn default() -> Self {
        let language = dom::language();
        let keys = match language.get(..2) {
            Some("fr") => Keys::Azerty,
            Some("de") => Keys::Qwertz,
            _ => Keys::Qwerty,
        };
        Prefs {
            theme: Theme::Auto,
            palette: Palette::Classic,
            overlay: Overlay::None,
            keys,
            show_keys: true,
            motion: Motion::Auto,
            sound: false,
            four_colour: false,
            confirm_discard: true,
            pass: AutoPass::Down,
            coach: false,
        }
    }
}

const KEY: &str = "parlour.prefs";

/// Where the browser keeps what of Contract Rummy has been explained: a bit each.
pub const COACHED: &str = "parlour.coach";

/// Reads the preferences, gives them to every part, and keeps page and storage in step with them.
pub fn provide() -> RwSignal<Prefs> {
    let prefs = RwSignal::new(dom::load::<Prefs>(KEY).unwrap_or_default());
    provide_context(prefs);
    Effect::new(move || {
        let p = prefs.get();
        dom::store(KEY, &p);
        let set = |name: &str, value: &str| dom::root_attribute(name, value);
        set("data-theme", p.theme.id());
        set("data-palette", p.palette.id());
        set("data-overlay", p.overlay.id());
        set("data-motion", p.motion.id());
        set("data-four", if p.four_colour { "on" } else { "off" });
        set("data-keys", if p.show_keys { "on" } else { "off" });
    });
    prefs
}

/// The preferences.
#[must_use]
pub fn prefs() -> RwSignal<Prefs> {
    expect_context()
}
