//! How a match went, told once it is over: read from its record beside the page.

use crate::desk::Who;
use crate::screens::Family;
use crate::worker_client::WorkerClient;
use crate::{api, dom, live, t};
use game::{Millis, Seat};
use leptos::prelude::*;
use screen::people::time_text;
use std::fmt::Write;
use worker::{Ask, Opened, Story};

/// Reads the record of a match that is over.
async fn read(path: String) -> Result<Story, String> {
    let record = match path.strip_prefix(live::HOME) {
        Some(id) => dom::record_at_home(id).await,
        None => api::get_text(&path).await?,
    };
    let worker = WorkerClient::start()?;
    let _: Opened = worker.ask(&Ask::<()>::Record(record)).await?;
    worker.ask(&Ask::<()>::Story).await
}

/// Where the record of a match is had, at a table of a server or of this device.
#[must_use]
pub fn place(id: &str, home: bool) -> String {
    if home { format!("{}{id}", live::HOME) } else { format!("/api/matches/{id}/record") }
}

/// How the match went whose record is there, and whose last view this is; nothing while that is found out, or if it cannot be.
pub fn story<F: Family>(record: String, view: F::View, who: Who) -> AnyView {
    let told = RwSignal::new_local(None::<Story>);
    leptos::task::spawn_local(async move {
        if let Ok(story) = read(record).await {
            let _ = told.try_set(Some(story));
        }
    });
    view! {
        {move || told.with(|story| story.as_ref().filter(|story| !story.moments.is_empty()).map(|story| view! {
            <section class="story" aria-labelledby="story" data-testid="story">
                <h3 id="story">{t!("end.went")}</h3>
                {F::story(story, &view, who)}
            </section>
        }))}
    }
    .into_any()
}

/// Milliseconds as people say them: `2.4 s`, `1:05`.
#[must_use]
pub fn lasted(ms: u32) -> String {
    if ms < 60_000 { t!("end.seconds", n = dom::number(f64::from(ms) / 1000.0, 1)) } else { time_text(ms) }
}

/// What is worth saying before all else, each with what it is.
pub fn facts(facts: impl Iterator<Item = (&'static str, String, AnyView)>) -> AnyView {
    let one = |(id, what, value): (&'static str, String, AnyView)| {
        view! { <div data-testid=id><dt>{what}</dt><dd>{value}</dd></div> }
    };
    view! { <dl class="facts">{facts.map(one).collect_view()}</dl> }.into_any()
}

/// A table with a row for each of these seats, and in each column what they did.
pub fn rows(columns: Vec<String>, seats: impl Iterator<Item = (Seat, Vec<String>)>, who: Who) -> AnyView {
    view! {
        <div class="scroll" tabindex="0">
            <table class="places">
                <thead>
                    <tr>
                        <th scope="col">{t!("end.player")}</th>
                        {columns.into_iter().map(|column| view! { <th scope="col" class="number">{column}</th> }).collect_view()}
                    </tr>
                </thead>
                <tbody>
                    {seats
                        .map(|(seat, cells)| view! {
                            <tr>
                                <th scope="row">{who.shown(seat)}</th>
                                {cells.into_iter().map(|cell| view! { <td class="number">{cell}</td> }).collect_view()}
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

/// The width of a picture: so that its words can be read on a phone.
const WIDTH: f64 = 360.0;
const ROW: f64 = 22.0;
/// Room for names beside the lines, and letters that it has.
const NAMES: f64 = 104.0;
const LETTERS: usize = 15;
/// Where the lines of a curve lie: from left to right, from above to below; and how far apart the names at their ends are.
const PLOT: [f64; 4] = [34.0, 236.0, 22.0, 176.0];
const APART: f64 = 15.0;
/// Most rounds that are numbered below a curve.
const NUMBERED: usize = 12;

/// When each seat did something: a line for each, with its name and a mark at each of these times; below them the time, from the beginning
/// to the last mark.
pub fn timeline(seats: &[Seat], marks: &[(Seat, Millis)], who: Who, label: String) -> AnyView {
    let end = marks.iter().map(|(_, at)| at.0).max().unwrap_or(1).max(1);
    let rows = seats.iter().enumerate().map(|(row, seat)| {
        let y = ROW * (row as f64 + 0.5);
        let mut marked = String::new();
        let _ = write!(marked, r#"<path class="axis" d="M{NAMES} {y}H{}"/>"#, WIDTH - 8.0);
        for (_, at) in marks.iter().filter(|(of, _)| of == seat) {
            let x = NAMES + (WIDTH - 8.0 - NAMES) * f64::from(at.0) / f64::from(end);
            let _ = write!(marked, r#"<circle class="s{}" cx="{x:.1}" cy="{y}" r="6"/>"#, seat.0);
        }
        view! {
            {named(*seat, who, 0.0, y)}
            <g inner_html=marked></g>
        }
    });
    let rows = rows.collect_view();
    let (below, height) = (ROW * seats.len() as f64 + 14.0, ROW * (seats.len() as f64 + 1.0));
    view! {
        <svg class="timeline" viewBox=format!("0 0 {WIDTH} {height}") role="img" aria-label=label>
            {rows}
            <text x=NAMES.to_string() y=below.to_string()>{time_text(0)}</text>
            <text x=(WIDTH - 8.0).to_string() y=below.to_string() text-anchor="end">{time_text(end)}</text>
        </svg>
    }
    .into_any()
}

/// The name of a seat in its colour, beside a line at this height. It is a stranger's text, so it stands in an element of its own.
fn named(seat: Seat, who: Who, x: f64, y: f64) -> impl IntoView {
    let class = format!("named s{}", seat.0);
    view! { <text class=class x=x.to_string() y=format!("{:.1}", y + 4.5)>{shortened(&who.name(seat))}</text> }
}

/// As much of a name as has room.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        name.to_owned()
    } else {
        name.chars().take(LETTERS - 1).chain(['…']).collect()
    }
}

/// The mark of a seat, drawn about a place: each its own, for whom colours do not tell them apart.
fn mark(seat: Seat, x: f64, y: f64) -> String {
    const MARKS: [&str; 8] = [
        "M-4.500 0a4.500 4.500 0 1 0 9 0 4.500 4.500 0 1 0-9 0Z",
        "M-4-4H4V4H-4Z",
        "M0-5.500 5.500 4.500H-5.500Z",
        "M0-6 5 0 0 6-5 0Z",
        "M0 5.500 5.500-4.500H-5.500Z",
        "M-1.700-5.500H1.700V-1.700H5.500V1.700H1.700V5.500H-1.700V1.700H-5.500V-1.700H-1.700Z",
        "M0-6 1.700-2 6-1.900 2.700.9 3.700 5 0 2.700-3.700 5-2.700.9-6-1.900-1.700-2Z",
        "M-5-3-3-5 0-2 3-5 5-3 2 0 5 3 3 5 0 2-3 5-5 3-2 0Z",
    ];
    let shape = MARKS[seat.index() % MARKS.len()];
    format!(r#"<path class="mark s{}" transform="translate({x:.1} {y:.1})" d="{shape}"/>"#, seat.0)
}

/// Round numbers from the lowest value to the highest, some four of them.
fn steps(low: i32, high: i32) -> impl Iterator<Item = i32> {
    let least = (high - low).max(1) / 4;
    let tens = (0..9).map(|power| 10i32.pow(power));
    let step = tens.flat_map(|ten| [ten, 2 * ten, 5 * ten]).find(|step| *step > least).unwrap_or(i32::MAX);
    let first = low.div_euclid(step) + i32::from(low.rem_euclid(step) != 0);
    (first..=high.div_euclid(step)).map(move |n| n * step)
}

/// Heights near these, which come from above to below, and so far from one another that a name has room at each.
fn spread(wanted: &[f64]) -> Vec<f64> {
    let [.., top, bottom] = PLOT;
    let apart = APART.min((bottom - top) / (wanted.len().max(2) - 1) as f64);
    let mut free = top;
    let mut heights = wanted
        .iter()
        .map(|y| {
            let here = y.max(free);
            free = here + apart;
            here
        })
        .collect::<Vec<_>>();
    let mut free = bottom;
    for y in heights.iter_mut().rev() {
        *y = y.min(free);
        free = *y - apart;
    }
    heights
}

/// How scores went from round to round, from zero: for each seat a line with a mark of its own, and its name at the end.
pub fn curve(lines: &[(Seat, Vec<i32>)], who: Who, label: String) -> AnyView {
    let [left, right, top, bottom] = PLOT;
    let all = || lines.iter().flat_map(|(_, line)| line.iter().copied()).chain([0]);
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let rounds = lines.iter().map(|(_, line)| line.len()).max().unwrap_or(1).max(1);
    let x = |round: usize| left + (right - left) * round as f64 / rounds as f64;
    let y = |value: i32| bottom - (bottom - top) * f64::from(value - low) / f64::from((high - low).max(1));
    let mut svg = String::new();
    for value in steps(low, high) {
        let y = y(value);
        let _ = write!(svg, r#"<path class="axis" d="M{left} {y:.1}H{right}"/>"#);
        let _ =
            write!(svg, r#"<text x="{}" y="{:.1}" text-anchor="end">{value}</text>"#, left - 6.0, y + 4.0);
    }
    for round in (1..=rounds).step_by(rounds.div_ceil(NUMBERED)) {
        let (x, y) = (x(round), bottom + 18.0);
        let _ = write!(svg, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{round}</text>"#);
    }
    let mut ends: Vec<(Seat, f64)> =
        lines.iter().map(|(seat, line)| (*seat, y(line.last().copied().unwrap_or(0)))).collect();
    ends.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let heights = spread(&ends.iter().map(|(_, y)| *y).collect::<Vec<_>>());
    for (seat, line) in lines {
        let mut path = format!("M{left} {:.1}", y(0));
        for (round, value) in (1..).zip(line) {
            let _ = write!(path, "L{:.1} {:.1}", x(round), y(*value));
        }
        let _ = write!(svg, r#"<path class="line s{}" d="{path}"/>"#, seat.0);
        svg.extend((1..).zip(line).map(|(round, value)| mark(*seat, x(round), y(*value))));
    }
    let names = ends.iter().zip(&heights).map(|((seat, from), to)| {
        let _ = write!(
            svg,
            r#"<path class="leads s{}" d="M{} {from:.1}L{} {to:.1}"/>"#,
            seat.0,
            right + 6.0,
            right + 14.0
        );
        svg.push_str(&mark(*seat, right + 20.0, *to));
        named(*seat, who, right + 29.0, *to)
    });
    let names = names.collect_view();
    view! {
        <svg class="curve" viewBox=format!("0 0 {WIDTH} {}", bottom + 42.0) role="img" aria-label=label>
            <g inner_html=svg></g>
            {names}
            <text x="0" y="10">{t!("end.score")}</text>
            <text x=f64::midpoint(left, right).to_string() y=(bottom + 36.0).to_string() text-anchor="middle">{t!("end.round")}</text>
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::{PLOT, spread, steps};

    #[test]
    fn a_curve_has_some_round_numbers_beside_it() {
        let check = |low, high, numbers: &[i32]| assert_eq!(steps(low, high).collect::<Vec<_>>(), numbers);
        check(0, 1, &[0, 1]);
        check(0, 47, &[0, 20, 40]);
        check(0, 235, &[0, 100, 200]);
        check(-130, 390, &[0, 200]);
    }

    #[test]
    fn names_at_the_ends_of_lines_have_room() {
        let [.., top, bottom] = PLOT;
        let check = |wanted: &[f64]| {
            let heights = spread(wanted);
            let fits = heights.iter().all(|y| (top - 0.1..=bottom + 0.1).contains(y));
            let apart = heights.windows(2).all(|two| two[1] - two[0] > 12.0);
            assert!(fits && apart, "{wanted:?} gave {heights:?}");
        };
        check(&[top, bottom]);
        check(&[top, top, top]);
        check(&[bottom; 4]);
        check(&[top, 100.0, 101.0, 102.0, 170.0, 175.0, bottom, bottom]);
    }
}
