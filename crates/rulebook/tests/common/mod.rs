//! What the tests of random matches share: their seeds, how much they do, and how their players choose.
#![allow(dead_code, reason = "each test binary uses its part")]

use game::chance::{Chance, SplitMix};
use game::laws::any_command;
use game::{Coverage, View as _};
use rulebook::{Command, View};

/// The games that the sources tell in full.
pub const EIGHT: [&str; 8] = [
    "contract",
    "contract-nj",
    "liverpool",
    "may-i",
    "shanghai",
    "shanghai-powe",
    "shanghai-kolsov",
    "progressive",
];

/// Whether everything is to be tried, not a sample (`PARLOUR_LONG`).
pub fn long() -> bool {
    std::env::var_os("PARLOUR_LONG").is_some()
}

/// The seed of a sample, printed: that of `PARLOUR_SEED`, or another each time.
pub fn seed() -> u64 {
    let given = std::env::var("PARLOUR_SEED").ok();
    let seed = given.map_or_else(
        || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |now| now.as_millis() as u64 % 1_000_000_000)
        },
        |text| text.parse().unwrap_or_else(|_| panic!("PARLOUR_SEED is `{text}`: write a number")),
    );
    println!("PARLOUR_SEED={seed} plays this again");
    seed
}

/// A random player of either family: lays a contract that it holds with chance one half, takes patterns it sees.
pub fn choose(view: &View, offers: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
    match view {
        View::Contract(_) => contract(view, offers, chance),
        View::Pattern(view) => pattern(view, offers, chance),
    }
}

fn contract(view: &View, offers: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
    let meld =
        offers.commands.iter().find(|c| matches!(c, Command::Contract(contract::Command::Meld { .. })));
    if let Some(meld) = meld
        && chance.below(2) == 0
    {
        return Some(meld.clone());
    }
    // What fits is laid off, too: else no hand would ever be played out.
    let lay = |c: &&Command| matches!(c, Command::Contract(contract::Command::LayOff { .. }));
    if let Some(lay) = offers.commands.iter().find(lay)
        && chance.below(2) == 0
    {
        return Some(lay.clone());
    }
    // Somebody who may answer early, or while another plays, mostly does not.
    if !view.awaited() && chance.below(8) > 0 {
        return None;
    }
    any_command(view, offers, chance)
}

fn pattern(view: &pattern::View, offers: Coverage<Command>, chance: &mut SplitMix) -> Option<Command> {
    use pattern::Command as C;
    let mut offers = offers.commands;
    let of = |command: &Command| match command {
        Command::Pattern(command) => command.clone(),
        Command::Contract(_) => unreachable!("a view offers what is of its own game"),
    };
    let some = match view {
        pattern::View::Race(race) => !race.claims(1).is_empty(),
        _ => true,
    };
    let wanted = |command: &Command| match of(command) {
        C::Claim { .. } | C::Seal { .. } | C::Ready => true,
        C::Call => some,
        C::NoSet => !some,
        _ => false,
    };
    if chance.below(8) != 0 && offers.iter().any(wanted) {
        offers.retain(wanted);
    } else {
        let rare = chance.below(20) == 0;
        offers.retain(|c| rare || !matches!(of(c), C::GiveUp | C::NoSetOff | C::Looking));
    }
    (!offers.is_empty()).then(|| offers.swap_remove(chance.below(offers.len() as u32) as usize))
}
