//! Small pictures of estimates with their intervals.

use crate::dom;
use crate::pages::figures::percent;
use leptos::prelude::*;
use worker::Estimate;

/// The picture's size, and the room in it that is for what stands beside the axes.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 58.0;
const BELOW: f64 = 34.0;
const TOP: f64 = 10.0;

/// The values that a picture shows, from the lowest to the highest.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    /// One that holds all of these, with some room.
    fn of(values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let room = ((high - low) * 0.08).max(1e-6);
        Scale { low: (low - room).max(0.0), high: high + room }
    }

    /// How far down a value stands.
    fn y(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        TOP + (HEIGHT - TOP - BELOW) * (1.0 - part)
    }

    /// Lines at some values, with their figures.
    fn lines(&self) -> impl IntoView + use<> {
        [0.0, 0.5, 1.0]
            .map(|part| {
                let value = self.low + (self.high - self.low) * part;
                let y = self.y(value);
                view! {
                    <line x1=LEFT.to_string() x2=WIDTH.to_string() y1=at(y) y2=at(y)></line>
                    <text class="up" x=at(LEFT - 5.0) y=at(y + 4.0)>{percent(value)}</text>
                }
            })
            .collect_view()
    }

    /// A line across at what is known of fresh cards.
    fn known(&self, value: Option<f64>) -> impl IntoView + use<> {
        value.map(|value| {
            let y = at(self.y(value));
            view! { <line class="known" x1=LEFT.to_string() x2=WIDTH.to_string() y1=y.clone() y2=y></line> }
        })
    }
}

/// A place in the picture.
fn at(place: f64) -> String {
    format!("{place:.1}")
}

/// How an estimate came to where it is: its interval as a band over the number of deals, which grows by powers.
pub fn course(of: &[(u64, Estimate)], known: Option<f64>, label: String, axis: String) -> AnyView {
    let scale = Scale::of(of.iter().flat_map(|(_, e)| [e.low, e.high]).chain(known));
    let (first, last) = (of.first().map_or(1, |p| p.0).max(1), of.last().map_or(1, |p| p.0).max(2));
    let span = (last as f64 / first as f64).ln().max(1e-6);
    let x = |deals: u64| LEFT + (WIDTH - LEFT - 4.0) * (deals.max(1) as f64 / first as f64).ln() / span;
    let point = |deals: u64, value: f64| format!("{},{}", at(x(deals)), at(scale.y(value)));
    let band: Vec<String> = of
        .iter()
        .map(|(n, e)| point(*n, e.high))
        .chain(of.iter().rev().map(|(n, e)| point(*n, e.low)))
        .collect();
    let line: Vec<String> = of.iter().map(|(n, e)| point(*n, e.value)).collect();
    view! {
        <svg class="plot estimate" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label data-testid="odds-course">
            {scale.lines()}
            <polygon points=band.join(" ")></polygon>
            <polyline points=line.join(" ")></polyline>
            {scale.known(known)}
            <text class="axis first" x=at(LEFT) y=at(HEIGHT - 18.0)>{dom::number(first as f64, 0)}</text>
            <text class="axis last" x=at(WIDTH - 4.0) y=at(HEIGHT - 18.0)>{dom::number(last as f64, 0)}</text>
            <text class="axis" x=at((LEFT + WIDTH) / 2.0) y=at(HEIGHT - 3.0)>{axis}</text>
        </svg>
    }
    .into_any()
}

/// Estimates side by side, a bar with its interval for each.
pub fn bars(of: &[(u64, Estimate)], known: Option<f64>, label: String, axis: String) -> AnyView {
    let scale = Scale::of(of.iter().flat_map(|(_, e)| [e.low, e.high]).chain(known).chain([0.0]));
    let step = (WIDTH - LEFT) / of.len().max(1) as f64;
    let every = of.len().div_ceil(12);
    let foot = scale.y(0.0);
    let marks = of.iter().enumerate().map(|(n, (what, e))| {
        let middle = LEFT + step * (n as f64 + 0.5);
        let top = scale.y(e.value);
        let named = n % every == 0;
        view! {
            <rect x=at(middle - step * 0.36) y=at(top) width=at(step * 0.72) height=at((foot - top).max(0.0))></rect>
            <line class="whisker" x1=at(middle) x2=at(middle) y1=at(scale.y(e.high)) y2=at(scale.y(e.low))></line>
            {named.then(|| view! { <text class="axis" x=at(middle) y=at(HEIGHT - 18.0)>{*what}</text> })}
        }
    });
    view! {
        <svg class="plot estimate" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label>
            {scale.lines()}
            {marks.collect_view()}
            {scale.known(known)}
            <text class="axis" x=at((LEFT + WIDTH) / 2.0) y=at(HEIGHT - 3.0)>{axis}</text>
        </svg>
    }
    .into_any()
}
