//! One file per group of addresses.

mod about;
mod body;
mod convert;
mod events;
mod jobs;
mod judge;
mod page;
mod solve;
mod vroom;

use std::sync::Arc;

use axum::Router;
use axum::http::StatusCode;
use axum::routing::{get, post};

use crate::refusal::Refusal;
use crate::service::Service;

/// Every address that is answered.
pub fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/", get(page::index))
        .route("/assets/{name}", get(page::asset))
        .route("/openapi.json", get(about::openapi))
        .route("/health", get(about::health))
        .route("/ready", get(about::ready))
        .route("/metrics", get(about::metrics))
        .route("/v1/about", get(about::about))
        .route("/v1/models", get(about::models))
        .route("/v1/examples/{id}", get(page::example))
        .route("/v1/solve", post(solve::solve))
        .route("/v1/convert", post(convert::convert))
        .route("/v1/check", post(judge::check))
        .route("/v1/explain", post(judge::explain))
        .route("/v1/confidence", post(judge::confidence))
        .route("/v1/jobs", post(jobs::accept))
        .route("/v1/jobs/{id}", get(jobs::show).delete(jobs::cancel))
        .route("/v1/jobs/{id}/events", get(events::events))
        .route("/v1/jobs/{id}/problem", get(jobs::problem))
        .route("/v1/jobs/{id}/answer", get(jobs::answer))
        .route("/vroom", post(vroom::solve))
        .route("/vroom/", post(vroom::solve))
        .route("/vroom/health", get(about::health))
        .fallback(nothing_here)
        .method_not_allowed_fallback(not_that_way)
}

async fn nothing_here() -> Refusal {
    Refusal::new(
        StatusCode::NOT_FOUND,
        "unknown-address",
        "there is nothing at this address",
        "see /openapi.json for what there is",
    )
}

async fn not_that_way() -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "unknown-method",
        "this address takes another method",
        "see /openapi.json for which",
    )
}
