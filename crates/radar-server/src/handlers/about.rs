//! What this service is, has and does: for people, programs and whoever keeps it running.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use radar_format::{read, write};
use serde_json::{Value, json};

use super::page::EXAMPLES;
use crate::desk::closing;
use crate::openapi;
use crate::refusal::Refusal;
use crate::service::Service;

/// `GET /v1/about`.
pub async fn about(State(service): State<Arc<Service>>) -> Json<Value> {
    let settings = &service.settings;
    let limits = &settings.limits;
    let examples: Vec<Value> = EXAMPLES
        .iter()
        .map(|it| json!({ "id": it.id, "title": it.title, "kind": it.kind, "stops": it.stops }))
        .collect();
    let engines: Vec<Value> = settings
        .engines
        .iter()
        .map(|engine| json!({ "name": engine.name, "kind": engine.kind.as_str() }))
        .collect();
    let tiles = settings.tiles.as_ref().map(|it| json!({ "url": it.url, "attribution": it.attribution }));
    Json(json!({
        "name": "radar",
        "version": env!("CARGO_PKG_VERSION"),
        "limits": {
            "body": limits.body,
            "nodes": limits.nodes,
            "time": limits.job_time.as_secs_f64(),
            "solve_time": limits.solve_time.as_secs_f64(),
            "steps": limits.steps,
            "jobs": limits.jobs,
            "queue": limits.queue,
        },
        "examples": examples,
        "models": settings.networks().iter().map(|model| json!(model.card().name)).collect::<Vec<_>>(),
        "engines": engines,
        "tiles": tiles,
        "formats": {
            "read": read::READERS.iter().map(|reader| reader.name).collect::<Vec<_>>(),
            "write": write::WRITERS.iter().map(|writer| writer.name).collect::<Vec<_>>(),
            "answer": write::ANSWER_WRITERS.iter().map(|writer| writer.name).collect::<Vec<_>>(),
        },
        "keys": !settings.keys.is_empty(),
    }))
}

/// `GET /v1/models`: the cards of the networks.
pub async fn models(State(service): State<Arc<Service>>) -> Json<Value> {
    Json(service.settings.networks().iter().map(|model| json!(model.card())).collect())
}

/// `GET /openapi.json`.
pub async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::document()).into_response()
}

/// `GET /health`: the process answers.
pub async fn health() -> Json<Value> {
    Json(json!({ "status": "up" }))
}

/// `GET /ready`: new work is taken.
pub async fn ready(State(service): State<Arc<Service>>) -> Result<Json<Value>, Refusal> {
    let (waiting, running) = service.desk.counts();
    if service.desk.is_closing() {
        return Err(closing());
    }
    if service.store_fails.load(Ordering::Relaxed) {
        let (cause, action) = ("the store of jobs fails", "look at the log, and at the disk");
        return Err(Refusal::not_now("store-failed", cause, action, 15));
    }
    Ok(Json(json!({ "status": "ready", "waiting": waiting, "running": running })))
}

/// `GET /metrics`, for Prometheus.
pub async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], service.metrics.text(service.desk.counts())).into_response()
}
