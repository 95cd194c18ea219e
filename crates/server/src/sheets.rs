//! Pattern cards to print and cut out, and work sheets: the same files as `parlour print` writes.

use crate::App;
use crate::api::Asker;
use crate::error::Refused;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use cards::Deck;
use print::Options;
use print::worksheet::{Kind, Worksheet};
use serde::Deserialize;
use std::sync::OnceLock;

/// What may be asked for besides the deck.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Wishes {
    /// 1: a sheet of backs after each sheet of faces.
    backs: u8,
    /// 1: a letter for the colour on each symbol.
    letters: u8,
}

/// Sends the sheets of a deck. Each file is made once.
pub async fn pdf(
    State(app): State<App>,
    asker: Asker,
    Path(file): Path<String>,
    wishes: Result<Query<Wishes>, axum::extract::rejection::QueryRejection>,
) -> Result<impl IntoResponse, Refused> {
    static MADE: [OnceLock<Vec<u8>>; 12] = [const { OnceLock::new() }; 12];
    let (n, deck) = match file.as_str() {
        "d27.pdf" => (0, Deck::D27),
        "d81.pdf" => (1, Deck::D81),
        "d243.pdf" => (2, Deck::D243),
        _ => {
            return Err(Refused::in_english(
                StatusCode::NOT_FOUND,
                "There are sheets of d27.pdf, d81.pdf and d243.pdf.",
            ));
        }
    };
    let Query(wishes) = wishes.map_err(|_| {
        let text = "Besides the deck one may ask for backs=1 and letters=1, and nothing else.";
        Refused::in_english(StatusCode::BAD_REQUEST, text)
    })?;
    let (backs, letters) = (wishes.backs > 0, wishes.letters > 0);
    let made = &MADE[n * 4 + usize::from(backs) * 2 + usize::from(letters)];
    let sheets = match made.get() {
        Some(sheets) => sheets.as_slice(),
        None => {
            let make = move || print::pdf(deck, Options { crop_marks: true, backs, letters });
            app.slow(&asker, move |_, _| Ok(made.get_or_init(make).as_slice())).await?
        }
    };
    Ok(shown(&file, sheets))
}

/// A file to be looked at, and kept under a name of its own.
fn shown<T: IntoResponse>(file: &str, pdf: T) -> impl IntoResponse + use<T> {
    let name = format!("inline; filename=\"parlour-{file}\"");
    ([(header::CONTENT_TYPE, "application/pdf".to_owned()), (header::CONTENT_DISPOSITION, name)], pdf)
}

/// What may be asked for besides the kind of a work sheet.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tasks {
    /// How hard, 1 to 3.
    level: u8,
    /// Which tasks; by chance if nothing is said.
    seed: Option<u64>,
    /// How many pages of them, 1 to 10.
    pages: u8,
    /// In which language, by its code; in English if nothing is said, or there is no such language.
    language: String,
}

/// Sends a work sheet, made for whoever asks.
pub async fn worksheet(
    State(app): State<App>,
    asker: Asker,
    Path(file): Path<String>,
    tasks: Result<Query<Tasks>, axum::extract::rejection::QueryRejection>,
) -> Result<impl IntoResponse, Refused> {
    let name = file.strip_suffix(".pdf").unwrap_or_default();
    let Some((name, kind)) = Kind::named(name) else {
        let kinds = Kind::ALL.map(|(name, _)| format!("{name}.pdf")).join(", ");
        return Err(Refused::in_english(StatusCode::NOT_FOUND, format!("There are work sheets {kinds}.")));
    };
    let Query(Tasks { level, seed, pages, language }) = tasks.map_err(|_| {
        let text =
            "Besides the kind one may ask for a level (1 to 3), a seed, a number of pages (1 to 10) and a language.";
        Refused::in_english(StatusCode::BAD_REQUEST, text)
    })?;
    let seed = seed.unwrap_or_else(Worksheet::any_seed);
    let sheet = Worksheet { kind, level, seed, pages: pages.into() };
    let made = app.slow(&asker, move |_, _| Ok(sheet.pdf(&language))).await?;
    Ok(shown(&format!("{name}-{seed}.pdf"), made))
}
