//! Jobs: accepted, shown, cancelled.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use radar_format::write::Warning;
use radar_wire::{Blame, Failure};

use super::body::{self, Body, Name};
use crate::desk::Who;
use crate::jobs::{self, Job};
use crate::refusal::Refusal;
use crate::request::Source;
use crate::service::Service;
use crate::work::Work;

/// `POST /v1/jobs`: accepted once this is answered.
pub async fn accept(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refusal> {
    let key = idempotency(&headers)?;
    let sent_before = match key.clone() {
        Some(key) => body::aside(&service, move |service| Ok(service.store.knows(&key)?)).await?,
        None => false,
    };
    // Who asks again for what was accepted is not turned away.
    let place = if sent_before { Ok(service.desk.stand_again()) } else { service.desk.stand(Who::Job) };
    let (place, request) = body::admitted(place, request)?;
    let Body { raw, held } = body::read(&service, request).await?;
    let job = body::read_aside(&service, raw, move |service, raw| {
        let mut asked = raw.read(&service.settings)?;
        let source = std::mem::replace(&mut asked.problem, Source::Job(String::new()));
        let (problem, notes) = body::problem_of(service, source)?;
        let report = problem.clone().validate();
        if report.instance.is_none() {
            // What is malformed is told now; what no plan can serve, when the job has looked at it.
            return Err(Failure::findings(Blame::Input, &report.findings).into());
        }
        let work = Work::new(&service.settings, problem, &asked, service.settings.limits.job_time)?;
        let notes = notes.iter().map(|note| Warning { code: note.code.to_owned(), text: note.text.clone() });
        let id = jobs::accept(service, place, work, asked.wishes, notes.collect(), key.as_deref())?;
        drop(held);
        jobs::show(service, &id)
    })
    .await?;
    let place = format!("/v1/jobs/{}", job.id());
    Ok((StatusCode::ACCEPTED, [(header::LOCATION, place)], Json(job)).into_response())
}

/// The key under which a caller may send the same job again without getting two.
fn idempotency(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let Some(key) = headers.get("idempotency-key") else { return Ok(None) };
    match key.to_str().ok().filter(|key| (1..=200).contains(&key.len())) {
        // Callers with keys of their own do not meet.
        Some(key) => {
            let mut caller = DefaultHasher::new();
            [headers.get(header::AUTHORIZATION), headers.get("x-api-key")].hash(&mut caller);
            Ok(Some(format!("{:016x} {key}", caller.finish())))
        }
        None => Err(Refusal::bad_request(
            "bad-header",
            "`Idempotency-Key` is no text of 1 to 200 letters",
            "send a shorter one",
        )),
    }
}

/// `GET /v1/jobs/{id}`.
pub async fn show(State(service): State<Arc<Service>>, Name(id): Name) -> Result<Json<Job>, Refusal> {
    body::aside(&service, move |service| jobs::show(service, &id)).await.map(Json)
}

/// `DELETE /v1/jobs/{id}`.
pub async fn cancel(State(service): State<Arc<Service>>, Name(id): Name) -> Result<Json<Job>, Refusal> {
    jobs::cancel(&service, &id).await?;
    body::aside(&service, move |service| jobs::show(service, &id)).await.map(Json)
}

/// `GET /v1/jobs/{id}/problem`.
pub async fn problem(State(service): State<Arc<Service>>, Name(id): Name) -> Result<Response, Refusal> {
    let bytes = body::aside(&service, move |service| {
        Ok(radar_format::write::problem("json", &jobs::problem(service, &id)?)?)
    });
    Ok(body::file("json", bytes.await?))
}

/// `GET /v1/jobs/{id}/answer`.
pub async fn answer(
    State(service): State<Arc<Service>>,
    Name(id): Name,
    Query(query): Query<BTreeMap<String, String>>,
) -> Result<Response, Refusal> {
    let to = query.get("to").cloned().unwrap_or_else(|| "json".to_owned());
    let (to, bytes) = body::aside(&service, move |service| {
        let answer = jobs::answer(service, &id)?;
        let bytes = radar_format::write::answer(&to, &jobs::problem(service, &id)?, &answer)?;
        Ok((to, bytes))
    })
    .await?;
    Ok(body::file(&to, bytes))
}
