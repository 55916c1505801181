//! The page and the problems that come with it, all of them inside the program.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use radar::Kind;
use radar_format::Given;

use super::body::{self, Name};
use crate::refusal::Refusal;
use crate::service::Service;

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const INDEX: &[u8] = include_bytes!("../../page/dist/index.html");

const ASSETS: &[Asset] = &[
    Asset {
        name: "app.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../page/dist/app.js"),
    },
    Asset {
        name: "app.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../../page/dist/app.css"),
    },
    Asset { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../../page/dist/icon.svg") },
];

/// A problem that comes with the page.
pub struct Example {
    /// Its name in addresses.
    pub id: &'static str,
    /// For people.
    pub title: &'static str,
    /// Tour or routes.
    pub kind: &'static str,
    /// How many stops it has.
    pub stops: usize,
    bytes: &'static [u8],
}

/// The problems that come with the page.
pub const EXAMPLES: &[Example] = &[
    Example {
        id: "porto",
        title: "Porto: 60 stops with time windows, on real roads",
        kind: "vrp",
        stops: 60,
        bytes: include_bytes!("../../../../examples/porto.json"),
    },
    Example {
        id: "porto20",
        title: "Porto: one tour through 20 places, as OSRM answered",
        kind: "atsp",
        stops: 20,
        bytes: include_bytes!("../../../../examples/porto20-osrm.json"),
    },
];

/// `GET /`.
pub async fn index(State(service): State<Arc<Service>>) -> Response {
    let tiles = service.settings.tiles.as_ref().and_then(crate::settings::Tiles::origin).unwrap_or_default();
    let policy = format!(
        "default-src 'self'; img-src 'self' data: blob: {tiles}; style-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let mut response = ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], INDEX).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// `GET /assets/{name}`: from a list, never from the disk.
pub async fn asset(Name(name): Name) -> Result<Response, Refusal> {
    let asset = ASSETS.iter().find(|asset| asset.name == name).ok_or_else(|| unknown("file of the page"))?;
    Ok(([(header::CONTENT_TYPE, asset.kind), (header::CACHE_CONTROL, "no-cache")], asset.bytes)
        .into_response())
}

/// `GET /v1/examples/{id}`.
pub async fn example(Name(id): Name) -> Result<Response, Refusal> {
    let example = EXAMPLES.iter().find(|example| example.id == id).ok_or_else(|| unknown("example"))?;
    let kind = if example.kind == "atsp" { Kind::Atsp } else { Kind::Vrp };
    let given = Given { kind: Some(kind), ..Given::default() };
    let loaded = radar_format::read(None, example.bytes, &given)?;
    let problem = loaded.problems.first().ok_or_else(|| Refusal::internal("an example without a problem"))?;
    Ok(body::file("json", radar_format::write::problem("json", problem)?))
}

fn unknown(what: &str) -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "unknown-name", format!("there is no such {what}"), "see /v1/about")
}
