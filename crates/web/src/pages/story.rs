//! How a match went, told once it is over: read from its record beside the page.

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
pub fn story<F: Family>(record: String, view: F::View, name: Callback<Seat, String>) -> AnyView {
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
                {F::story(story, &view, &|seat| name.run(seat))}
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

/// A table with a row for each of these seats, and in each column what they did.
pub fn rows(
    columns: Vec<String>,
    seats: impl Iterator<Item = (Seat, Vec<String>)>,
    name: &dyn Fn(Seat) -> String,
) -> AnyView {
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
                                <th scope="row"><span class=format!("dot s{}", seat.0) aria-hidden="true"></span>{name(seat)}</th>
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

/// The size of a picture.
const WIDTH: f64 = 600.0;
const ROW: f64 = 22.0;
/// The width of a timeline: less, so that its words can be read on a phone. Room for names before the lines, and letters that it has.
const TIMES: f64 = 360.0;
const NAMES: f64 = 104.0;
const LETTERS: usize = 15;
const HEIGHT: f64 = 180.0;

/// When each seat did something: a line for each, with its name and a mark at each of these times; below them the time, from the beginning
/// to the last mark.
pub fn timeline(seats: &[(Seat, String)], marks: &[(Seat, Millis)], label: String) -> AnyView {
    let end = marks.iter().map(|(_, at)| at.0).max().unwrap_or(1).max(1);
    let rows = seats.iter().enumerate().map(|(row, (seat, name))| {
        let y = ROW * (row as f64 + 0.5);
        let mut marked = String::new();
        let _ = write!(marked, r#"<path class="axis" d="M{NAMES} {y}H{}"/>"#, TIMES - 8.0);
        for (_, at) in marks.iter().filter(|(of, _)| of == seat) {
            let x = NAMES + (TIMES - 8.0 - NAMES) * f64::from(at.0) / f64::from(end);
            let _ = write!(marked, r#"<circle class="s{}" cx="{x:.1}" cy="{y}" r="6"/>"#, seat.0);
        }
        // A name is a stranger's text: it stands in an element of its own.
        view! {
            <text x="0" y=(y + 4.5).to_string()>{shortened(name)}</text>
            <g inner_html=marked></g>
        }
    });
    let rows = rows.collect_view();
    let (below, height) = (ROW * seats.len() as f64 + 14.0, ROW * (seats.len() as f64 + 1.0));
    view! {
        <svg class="timeline" viewBox=format!("0 0 {TIMES} {height}") role="img" aria-label=label>
            {rows}
            <text x=NAMES.to_string() y=below.to_string()>{time_text(0)}</text>
            <text x=(TIMES - 8.0).to_string() y=below.to_string() text-anchor="end">{time_text(end)}</text>
        </svg>
    }
    .into_any()
}

/// As much of a name as has room.
fn shortened(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        name.to_owned()
    } else {
        name.chars().take(LETTERS - 1).chain(['…']).collect()
    }
}

/// How numbers went, from zero: a line for each seat.
pub fn curve(lines: &[(Seat, Vec<i32>)], label: String) -> AnyView {
    let all = || lines.iter().flat_map(|(_, line)| line.iter().copied()).chain([0]);
    let (low, high) = (all().min().unwrap_or(0), all().max().unwrap_or(0));
    let steps = lines.iter().map(|(_, line)| line.len()).max().unwrap_or(1).max(1);
    let x = |step: usize| 40.0 + (WIDTH - 52.0) * step as f64 / steps as f64;
    let y = |value: i32| {
        let part = f64::from(value - low) / f64::from((high - low).max(1));
        HEIGHT - 12.0 - (HEIGHT - 24.0) * part
    };
    let mut svg = String::new();
    for value in [low, high].into_iter().chain((low < 0 && high > 0).then_some(0)) {
        let (x, y) = (x(0), y(value));
        let _ = write!(svg, r#"<path class="axis" d="M{x} {y:.1}H{}"/>"#, WIDTH - 12.0);
        let _ = write!(svg, r#"<text x="{}" y="{:.1}" text-anchor="end">{value}</text>"#, x - 6.0, y + 4.0);
    }
    for (seat, line) in lines {
        let mut path = format!("M{} {:.1}", x(0), y(0));
        for (step, value) in line.iter().enumerate() {
            let _ = write!(path, "L{:.1} {:.1}", x(step + 1), y(*value));
        }
        let _ = write!(svg, r#"<path class="line s{}" d="{path}"/>"#, seat.0);
        if let Some(last) = line.last() {
            let _ = write!(
                svg,
                r#"<circle class="s{}" cx="{:.1}" cy="{:.1}" r="5"/>"#,
                seat.0,
                x(line.len()),
                y(*last)
            );
        }
    }
    view! { <svg class="curve" viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=label inner_html=svg></svg> }
        .into_any()
}
