//! What this person likes: kept in the browser, shown as attributes of the page that the style sheet reads.

use crate::dom;
use leptos::prelude::*;
pub use screen::keys::Letters;
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
        /// As this person wrote them.
        Own = "own",
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
    /// The colours of the house at tables: cloth and backs.
    Look {
        /// Green cloth, red backs.
        Green = "green",
        /// Blue cloth, amber backs.
        Blue = "blue",
        /// Burgundy cloth, blue backs.
        Red = "red",
    }
}
choice! {
    /// The hand that presses: what is pressed most lies on its side.
    Hand {
        /// The right one.
        Right = "right",
        /// The left one.
        Left = "left",
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
    /// The keys of a layout; those of one's own stand beside it.
    #[must_use]
    pub fn letters(self) -> Letters {
        match self {
            Keys::Qwerty | Keys::Own => Letters::qwerty(),
            Keys::Azerty => Letters::azerty(),
            Keys::Qwertz => Letters::qwertz(),
            Keys::Dvorak => Letters::dvorak(),
        }
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
    /// The letters of one's own layout.
    pub own_keys: Letters,
    /// Whether those letters are printed on the cards.
    pub show_keys: bool,
    /// Moving cards.
    pub motion: Motion,
    /// Sounds; they begin with the first press, before which browsers allow none.
    pub sound: bool,
    /// The motor of a phone, where there is one.
    pub vibration: bool,
    /// The colours of the house.
    pub look: Look,
    /// The hand that presses.
    pub hand: Hand,
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
    Prefs { theme palette overlay keys own_keys show_keys motion sound vibration look hand four_colour confirm_discard pass coach } strict = false
}

impl Default for Prefs {
    fn default() -> Self {
        let usual = Letters::usual(&dom::language());
        let keys = Keys::ALL.iter().copied().find(|keys| keys.letters() == usual).unwrap_or_default();
        Prefs {
            theme: Theme::Auto,
            palette: Palette::Classic,
            overlay: Overlay::None,
            keys,
            own_keys: keys.letters(),
            show_keys: true,
            motion: Motion::Auto,
            sound: true,
            vibration: true,
            look: Look::Green,
            hand: Hand::Right,
            four_colour: false,
            confirm_discard: false,
            pass: AutoPass::Down,
            coach: false,
        }
    }
}

impl Prefs {
    /// The keys that pick cards.
    #[must_use]
    pub fn letters(&self) -> Letters {
        if self.keys == Keys::Own { self.own_keys } else { self.keys.letters() }
    }
}

const KEY: &str = "parlour.prefs";

/// Where the browser keeps what of Contract Rummy has been explained: a bit each.
pub const COACHED: &str = "parlour.coach";

/// Where the browser keeps which bot was asked for advice last.
pub const ADVISER: &str = "parlour.adviser";

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
        set("data-look", p.look.id());
        set("data-hand", p.hand.id());
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_keys_are_ten_in_a_row_and_each_once() {
        let qwerty = Keys::Qwerty.letters();
        let check = |row: usize, keys: &str, expected: Option<&str>| {
            let rows = qwerty.with_row(row, keys).map(|letters| letters.rows()[row].clone());
            assert_eq!(rows.as_deref(), expected, "{keys:?}");
        };
        check(0, "qwertzuüop", None);
        check(0, "qwertuüiop", Some("qwertuüiop"));
        check(1, "asdfghjklö", Some("asdfghjklö"));
        check(1, "asdfghjkl", None);
        check(1, "asdfghjklöä", None);
        check(1, "asdfghjkla", None);
        check(1, "asdfghjkl7", None);
        check(1, "asdfghjkl ", None);
        check(3, "asdfghjklö", None);
    }

    #[test]
    fn every_layout_could_be_ones_own() {
        for keys in Keys::ALL {
            let letters = keys.letters();
            for (row, written) in letters.rows().iter().enumerate() {
                assert_eq!(letters.with_row(row, written), Some(letters), "{keys:?}");
            }
        }
    }
}
