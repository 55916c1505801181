//! `POST /vroom`: a VROOM problem with its matrices in, an answer in VROOM's form out.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use radar::Options;
use radar_wire::Stated;
use serde_json::json;

use super::body::{self, Body};
use super::solve;
use crate::desk::Who;
use crate::limits;
use crate::refusal::Refusal;
use crate::request::Source;
use crate::service::Service;
use crate::work::Work;

/// Solves, and speaks of failures as VROOM does.
pub async fn solve(State(service): State<Arc<Service>>, request: Request) -> Response {
    answer(&service, request).await.unwrap_or_else(complaint)
}

async fn answer(service: &Arc<Service>, request: Request) -> Result<Response, Refusal> {
    let (place, request) = body::admitted(service.desk.stand(Who::Caller), request)?;
    let Body { raw, held } = body::read(service, request).await?;
    if let Some(done) = radar_format::write::vroom_without_jobs(&raw.body) {
        return Ok(body::file("json", done));
    }
    let (work, notes, raw) = body::aside(service, move |service| {
        let most_nodes = Some(service.settings.limits.nodes);
        let stated = Stated { from: Some("vroom".to_owned()), most_nodes, ..Stated::default() };
        let loaded = limits::one(stated.read(None, &raw.body)?, &service.settings)?;
        let Source::Here(problem, notes) = loaded else {
            return Err(Refusal::internal("no problem was read"));
        };
        let options = Options { allow_unserved: true, ..Options::default() };
        let work = Work::fitting(*problem, options, service.settings.limits.memory)?;
        Ok((work, notes, raw))
    })
    .await?;
    let bytes = solve::run(service, place, work, notes, |solution, notes| {
        let answer = radar_wire::answer(solution, notes);
        Ok(radar_format::write::vroom(&raw.body, solution.instance.input(), &answer)?)
    })
    .await?;
    drop(held);
    Ok(body::file("json", bytes))
}

/// The codes of VROOM and of its own service: 1 an internal error, 2 a wrong input, 4 too large.
fn complaint(refusal: Refusal) -> Response {
    let status = match refusal.status() {
        StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
        status => status,
    };
    let code = match status {
        StatusCode::PAYLOAD_TOO_LARGE => 4,
        status if status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS => 1,
        _ => 2,
    };
    let said = format!("{} [{}]; {}", refusal.cause(), refusal.code(), refusal.action());
    let mut response = (status, Json(json!({ "code": code, "error": said }))).into_response();
    refusal.mark(&mut response);
    response
}
