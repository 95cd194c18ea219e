//! Tables: the lobby, making one, inviting to it, taking one's seat elsewhere, and what was played there.

use super::{Asker, Body};
use crate::App;
use crate::devices::GOOD_FOR;
use crate::error::Refused;
use crate::identity::GuestId;
use crate::qr;
use axum::Json;
use axum::body::Body as HttpBody;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use futures_util::stream;
use game::say;
use serde::Deserialize;
use table::MatchId;
use wire::api::{DeviceJoined, DeviceLink, DeviceOffer, DeviceToken, NewTable, TableMade, TableSummary};

/// Random bytes of a link that takes a seat to another device.
const LINK_BYTES: usize = 18;

/// Which page of the lobby is asked for.
#[derive(Deserialize)]
pub struct Page {
    after: Option<String>,
}

/// A page of the public tables.
pub async fn lobby(State(app): State<App>, Query(page): Query<Page>) -> Result<impl IntoResponse, Refused> {
    let after = page
        .after
        .as_deref()
        .map(str::parse)
        .transpose()
        .map_err(|why| Refused::in_english(StatusCode::BAD_REQUEST, why))?;
    let text = app.tables.lobby(after).map_err(|error| Refused::ours(&error))?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text))
}

/// Makes a table.
pub async fn make(
    State(app): State<App>,
    asker: Asker,
    Body(new): Body<NewTable>,
) -> Result<(StatusCode, Json<TableMade>), Refused> {
    asker.guest()?;
    let host = app.tables.person(asker.guest)?.ok_or_else(Refused::nameless)?;
    let from = asker.address;
    let open = app.opening(&asker, move |app, _| {
        let game = super::games::load(&new.game, &new.options)?;
        let game = game.map_err(|faults| Refused::faults(&faults))?;
        app.tables.open_table(host, from, &game, &new)
    });
    let id = open.await?;
    app.metrics.tables_made.add(1);
    let path = format!("/table/{id}");
    Ok((StatusCode::CREATED, Json(TableMade { id, path })))
}

/// A table as seen from outside.
pub async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<Json<TableSummary>, Refused> {
    app.tables.has_table(&id).await;
    app.tables.summary(&id).map(Json).ok_or_else(Refused::no_table)
}

/// The invite link as a QR code.
pub async fn invite(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<impl IntoResponse, Refused> {
    app.tables.has_table(&id).await.then_some(()).ok_or_else(Refused::no_table)?;
    let url = format!("{}/table/{id}", origin(&app, &headers));
    let picture = app.slow(&asker, move |_, _| qr_code(&url)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], picture))
}

/// A link that takes one's seat to another device.
pub async fn device(
    State(app): State<App>,
    Path(id): Path<String>,
    asker: Asker,
    headers: HeaderMap,
) -> Result<Json<DeviceLink>, Refused> {
    let guest = asker.guest()?;
    app.tables.has_table(&id).await.then_some(()).ok_or_else(Refused::no_table)?;
    let token = app.tables.new_name::<LINK_BYTES>()?;
    if !app.devices.make(guest, id, token.clone()) {
        return Err(Refused::too_much(say!("no_server.devices")));
    }
    let url = format!("{}/device/{token}", origin(&app, &headers));
    let shown = url.clone();
    let qr = app.slow(&asker, move |_, _| qr_code(&shown)).await?;
    Ok(Json(DeviceLink { url, qr, seconds: GOOD_FOR.as_secs() as u32 }))
}

/// Whom a link is for, and where it leads; it may have been made at another node. Whether it is used up by that is `take`.
async fn link(app: &App, token: &str, take: bool) -> Result<Option<(GuestId, String)>, Refused> {
    match app.tables.nodes().filter(|nodes| !nodes.hosts(token)) {
        Some(nodes) => nodes.link(token, take).await,
        None if take => Ok(app.devices.take(token)),
        None => Ok(app.devices.look(token)),
    }
}

/// Whom a link would make this device. Who follows a link has not agreed to that yet, so nothing happens.
pub async fn offer(
    State(app): State<App>,
    asker: Asker,
    Path(token): Path<String>,
) -> Result<Json<DeviceOffer>, Refused> {
    let (guest, table) = link(&app, &token, false).await?.ok_or_else(used_up)?;
    let name = |guest| app.tables.person(guest).map_err(|error| Refused::ours(&error));
    let offered = name(Some(guest))?.ok_or_else(used_up)?.name;
    let same = asker.guest == Some(guest);
    let present = if same { None } else { name(asker.guest)?.map(|person| person.name) };
    Ok(Json(DeviceOffer { name: offered, present, table: same.then_some(table) }))
}

/// Makes this device the guest of a link.
pub async fn join(
    State(app): State<App>,
    _asker: Asker,
    Body(taken): Body<DeviceToken>,
) -> Result<impl IntoResponse, Refused> {
    let (guest, table) = link(&app, &taken.token, true).await?.ok_or_else(used_up)?;
    app.tables.person(Some(guest))?.ok_or_else(used_up)?;
    Ok(([(header::SET_COOKIE, app.key.cookie(guest, app.is_secure()))], Json(DeviceJoined { table })))
}

/// The record of a match that has ended, read as it is taken, so that it may be long.
pub async fn record(
    State(app): State<App>,
    asker: Asker,
    Path(id): Path<String>,
    uri: axum::http::Uri,
) -> Result<impl IntoResponse, Refused> {
    let none = || Refused::missing(say!("no_server.record"));
    let id: MatchId = id.parse().map_err(|_| none())?;
    let there =
        app.slow(&asker, move |app, _| app.tables.has_record(id).map_err(|error| Refused::ours(&error)));
    if !there.await? {
        return Err(none());
    }
    let pages = stream::try_unfold((app, 0), move |(app, from)| async move {
        let page = app.blocking(move |app| app.tables.record_page(id, from)).await;
        // The answer has begun: it can only be broken off.
        let page = page.map_err(|refused| std::io::Error::other(refused.text.into_owned()))?;
        Ok::<_, std::io::Error>(page.map(|(text, next)| (text, (app, next))))
    });
    let download = uri.query() == Some("download");
    let name =
        download.then(|| [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{id}.jsonl\""))]);
    Ok((name, [(header::CONTENT_TYPE, "application/jsonl; charset=utf-8")], HttpBody::from_stream(pages)))
}

fn qr_code(url: &str) -> Result<String, Refused> {
    qr::svg(url).ok_or_else(|| Refused::ours(&"the link is too long for a QR code"))
}

fn used_up() -> Refused {
    Refused::missing(say!("no_server.device_used"))
}

/// How the one who asks, and so whoever they invite, reaches this server. The guard has checked the host.
fn origin(app: &App, headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    match &app.settings.base_url {
        Some(url) => url.to_string(),
        None => format!("http://{host}"),
    }
}
