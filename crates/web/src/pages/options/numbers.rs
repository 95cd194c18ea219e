//! Numbers, as they are pressed: which may be, and a button for less and one for more.

use crate::t;
use leptos::prelude::*;

/// The numbers that a field may hold.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub(super) least: i64,
    pub(super) most: i64,
    /// The least besides 0, where 0 stands for something else.
    pub(super) besides_zero: Option<i64>,
    /// All of them, where those are not all of the range.
    pub(super) only: Vec<i64>,
}

impl Numbers {
    /// All of a range.
    #[must_use]
    pub fn of(least: i64, most: i64) -> Numbers {
        Numbers { least, most, besides_zero: None, only: Vec::new() }
    }

    /// How far a press goes: where the range is long, over many.
    fn step(&self) -> i64 {
        match self.most - self.least {
            0..=100 => 1,
            101..=2_500 => 5,
            _ => 50,
        }
    }

    /// The number above this one, or below it; none at an end.
    fn next(&self, n: i64, up: bool) -> Option<i64> {
        if !self.only.is_empty() {
            let mut others = self.only.iter().copied();
            return if up { others.find(|other| *other > n) } else { others.rfind(|other| *other < n) };
        }
        let step = self.step();
        // Somebody may have typed any number.
        let next = if up {
            n.div_euclid(step).saturating_add(1).saturating_mul(step)
        } else {
            n.saturating_sub(1).div_euclid(step).saturating_mul(step)
        };
        let next = match self.besides_zero {
            Some(least) if next < least && up => least,
            Some(least) if next < least => 0,
            _ => next,
        };
        let next = next.clamp(self.least, self.most);
        (next != n && (next > n) == up).then_some(next)
    }
}

/// A number with a button for less and one for more.
#[must_use]
pub fn stepper(
    id: String,
    label: String,
    numbers: Numbers,
    get: impl Fn() -> Option<i64> + Copy + Send + Sync + 'static,
    set: impl Fn(i64) + Copy + Send + Sync + 'static,
) -> AnyView {
    let (least, most) = (numbers.least.to_string(), numbers.most.to_string());
    let numbers = StoredValue::new(numbers);
    let next = move |up| get().and_then(|n| numbers.with_value(|numbers| numbers.next(n, up)));
    let press = move |up| {
        if let Some(n) = untrack(|| next(up)) {
            set(n);
        }
    };
    view! {
        <span class="stepper">
            <button type="button" aria-label=t!("new.less", what = label) disabled=move || next(false).is_none() on:click=move |_| press(false)>"−"</button>
            <input
                id=id
                type="number"
                aria-label=label.clone()
                min=least
                max=most
                prop:value=move || get().map(|n| n.to_string()).unwrap_or_default()
                on:change=move |e| {
                    if let Ok(n) = event_target_value(&e).parse::<i64>() {
                        set(n);
                    }
                    // What cannot be is not left standing there.
                    let held = untrack(get).map(|n| n.to_string()).unwrap_or_default();
                    event_target::<web_sys::HtmlInputElement>(&e).set_value(&held);
                }
            />
            <button type="button" aria-label=t!("new.greater", what = label) disabled=move || next(true).is_none() on:click=move |_| press(true)>"+"</button>
        </span>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_goes_to_the_next_number_that_may_be() {
        let check = |numbers: &Numbers, n: i64, below: Option<i64>, above: Option<i64>| {
            assert_eq!((numbers.next(n, false), numbers.next(n, true)), (below, above), "{n} of {numbers:?}");
        };
        check(&Numbers::of(1, 12), 1, None, Some(2));
        check(&Numbers::of(1, 12), 12, Some(11), None);
        // Long ranges by fives, from wherever one is.
        check(&Numbers::of(-1_000, 1_000), -50, Some(-55), Some(-45));
        check(&Numbers::of(0, 600), 12, Some(10), Some(15));
        check(&Numbers::of(0, 602), 601, Some(600), Some(602));
        // 0, or 3 and more.
        let zero = Numbers { besides_zero: Some(3), ..Numbers::of(0, 60) };
        check(&zero, 0, None, Some(3));
        check(&zero, 3, Some(0), Some(4));
        // What stands outside, in a file that somebody wrote, comes back.
        check(&Numbers::of(1, 12), 40, Some(12), None);
        check(&Numbers::of(0, 600), i64::MAX, Some(600), None);
        check(&Numbers::of(0, 600), i64::MIN, None, Some(0));
        let some = Numbers { only: vec![1, 3, 9], ..Numbers::of(1, 9) };
        check(&some, 3, Some(1), Some(9));
        check(&some, 9, Some(3), None);
    }
}
