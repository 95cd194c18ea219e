//! The bot that knows nothing: the first rung of every ladder.

use crate::{Bot, Thought};
use game::{Chance, Millis, View as _};

/// Any command that is offered, at random. In contract games a contract that it holds is laid with chance one half, and
/// offers out of turn are mostly passed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Bot<contract::View> for Random {
    fn name(&self) -> &str {
        "random/1"
    }

    fn think(
        &mut self,
        view: &contract::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<contract::Command>> {
        if !view.awaited() {
            return None;
        }
        let mut commands = view.commands(at).commands;
        let meld = commands.iter().position(|c| matches!(c, contract::Command::Meld { .. }));
        let place = match meld {
            Some(meld) if chance.below(2) == 0 => meld,
            _ if commands.is_empty() => return None,
            _ => chance.below(commands.len() as u32) as usize,
        };
        Some(Thought::after(commands.swap_remove(place), 400 + chance.below(1200)))
    }
}

impl Bot<pattern::View> for Random {
    fn name(&self) -> &str {
        "random/1"
    }

    fn think(
        &mut self,
        view: &pattern::View,
        at: Millis,
        chance: &mut dyn Chance,
    ) -> Option<Thought<pattern::Command>> {
        let mut commands = view.commands(at).commands;
        // A race offers much that leads nowhere (flags up and down): claims and calls come first.
        let pressing = |c: &pattern::Command| {
            use pattern::Command as C;
            matches!(
                c,
                C::Call | C::Claim { .. } | C::Seal { .. } | C::Scout(_) | C::Flip(_) | C::Play(_) | C::Ready
            )
        };
        if commands.iter().any(pressing) && chance.below(4) > 0 {
            commands.retain(pressing);
        }
        if commands.is_empty() {
            return None;
        }
        let place = chance.below(commands.len() as u32) as usize;
        // Somewhere within the next minute: whoever comes first acts.
        Some(Thought::after(commands.swap_remove(place), 500 + chance.below(60_000)))
    }
}
