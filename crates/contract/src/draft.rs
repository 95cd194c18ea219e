//! A decision on its way.

use crate::compiled::CompiledRules;
use crate::event::Event;
use crate::sealed::Sealed;
use crate::state::Flow;
use crate::truth::Match;
use cards::Face;
use game::Millis;

/// A decision on its way: events are handed out, and their effect on what is small is applied.
pub(crate) struct Draft<'a, O: Extend<Event>> {
    pub game: &'a Match,
    pub compiled: &'a CompiledRules,
    pub flow: Flow,
    pub sealed: Sealed,
    /// The stock that has just been remade, its top card last.
    pub remade: Option<Vec<Face>>,
    pub out: &'a mut O,
    pub at: Millis,
}

impl<O: Extend<Event>> Draft<'_, O> {
    pub(crate) fn emit(&mut self, event: Event) {
        self.sealed.apply(self.compiled, &self.flow, &event);
        self.flow.apply(self.compiled, &event);
        self.out.extend(Some(event));
    }

    /// The card at the top of the pile once `gone` cards have gone from it.
    pub(crate) fn top_after(&self, gone: u16) -> Option<Face> {
        let left = self.flow.pile.checked_sub(gone)?;
        // Ahead of the truth cards only leave the pile, or it has been remade and holds one.
        usize::from(left).checked_sub(1).and_then(|i| self.game.pile.get(i)).copied()
    }

    pub(crate) fn stock_top(&self) -> Option<Face> {
        let stock = self.remade.as_ref().unwrap_or(&self.game.stock);
        usize::from(self.flow.stock).checked_sub(1).and_then(|i| stock.get(i)).copied()
    }
}

impl Match {
    /// A decision that begins.
    pub(crate) fn draft<'a, O: Extend<Event>>(&'a self, at: Millis, out: &'a mut O) -> Draft<'a, O> {
        Draft {
            game: self,
            compiled: &self.compiled,
            flow: self.flow,
            sealed: self.sealed,
            remade: None,
            out,
            at,
        }
    }
}
