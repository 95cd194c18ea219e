//! The bot that knows nothing: the first rung of every ladder.

use crate::{Bot, Thought};
use game::{Chance, Millis, View};

/// Does anything that it may, all being alike to it, once it is waited for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<V: View> Bot<V> for Random
where
    V::Command: Clone,
{
    fn name(&self) -> &str {
        "random/1"
    }

    fn think(&mut self, view: &V, at: Millis, chance: &mut dyn Chance) -> Option<Thought<V::Command>> {
        if !view.awaited() {
            return None;
        }
        let commands = view.commands(at).commands;
        let count = u32::try_from(commands.len()).ok().filter(|&count| count > 0)?;
        let command = commands[chance.below(count) as usize].clone();
        Some(Thought { command, after_ms: 400 + chance.below(1200) })
    }
}
