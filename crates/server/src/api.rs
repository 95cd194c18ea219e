//! What is asked over HTTP, as docs/protocol/openapi.json says.

mod ask;
mod days;
mod games;
mod kept;
mod me;
mod tables;

use crate::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum::routing::{get, post};

pub use ask::{Asker, Body};
pub use games::{info, infos, load, page_of};

/// The routes under /api.
pub fn router() -> Router<App> {
    Router::new()
        .route("/me", get(me::show).put(me::name).delete(me::forget))
        .route("/me/games", get(me::games))
        .route("/tables", get(tables::lobby).post(tables::make))
        .route("/tables/{id}", get(tables::show))
        .route("/tables/{id}/qr.svg", get(tables::invite))
        .route("/tables/{id}/device", post(tables::device))
        .route("/device", post(tables::join))
        .route("/device/{token}", get(tables::offer))
        .route("/matches/{id}/record", get(tables::record))
        .route("/days", get(days::today))
        .route("/days/{date}", get(days::show))
        .route("/days/{date}/{game}", post(days::play))
        .route("/games", get(games::list))
        .route("/rules", get(games::published))
        .route("/games/{id}", get(games::sheet))
        .route("/games/{id}/sheet.md", get(games::markdown))
        .route("/rules/check", post(games::check))
        .route("/rules/read", post(games::read))
        .route("/rules/{code}/rules.toml", get(games::file_of))
        .route("/rules/{code}/sheet.md", get(games::markdown_of))
        .fallback(async || {
            let text = "There is nothing by that name to ask for.";
            crate::error::Refused::in_english(axum::http::StatusCode::NOT_FOUND, text)
        })
        .layer(axum::middleware::map_response(fresh))
}

/// Answers are for those who asked, and for now.
async fn fresh(mut response: Response) -> Response {
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
