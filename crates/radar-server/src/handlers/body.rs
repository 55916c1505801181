//! Bodies: read within limits, worked on away from the threads that answer.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Query, Request};
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use radar::Problem;
use radar_format::Note;
use tokio::sync::OwnedSemaphorePermit;

use crate::jobs;
use crate::refusal::Refusal;
use crate::request::{Raw, Source};
use crate::service::Service;

/// A body of so many bytes takes about so many times as much until it is a problem.
const GROWS: u64 = 4;
/// How long a caller may take to send a body.
const PATIENCE: Duration = Duration::from_secs(60);
/// The name of the file in the body, if the caller tells.
const FILE_NAME: HeaderName = HeaderName::from_static("x-file-name");

/// A request with its body, and the memory that was set aside for it.
pub struct Body {
    /// The request.
    pub raw: Raw,
    /// Given back when the work is done.
    pub held: OwnedSemaphorePermit,
}

/// Reads a request whole, or refuses it before it is read.
pub async fn read(service: &Service, request: Request) -> Result<Body, Refusal> {
    let most = service.settings.limits.body;
    let too_large = || {
        Refusal::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "body-too-large",
            format!("a body may have {most} bytes here"),
            "send a smaller problem, or ask the operator for a higher --max-body",
        )
    };
    let (mut parts, body) = request.into_parts();
    let header = |name: &HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let length = header(&header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > most) {
        return Err(too_large());
    }
    let name = header(&FILE_NAME).map(str::to_owned);
    let held = service.desk.portion(length.unwrap_or(most) as u64 * GROWS)?;
    let query = Query::<BTreeMap<String, String>>::from_request_parts(&mut parts, &()).await;
    let query = query.map_err(|error| {
        Refusal::bad_request("bad-parameter", error.to_string(), "give every parameter once, as key=value")
    })?;
    let name = name.or_else(|| query.get("name").cloned());
    let bytes = match tokio::time::timeout(PATIENCE, axum::body::to_bytes(body, most)).await {
        Ok(Ok(bytes)) => bytes.to_vec(),
        Ok(Err(error)) if is_too_long(&error) => return Err(too_large()),
        Ok(Err(error)) => {
            return Err(Refusal::bad_request("body-cut-off", error.to_string(), "send the whole body"));
        }
        Err(_) => {
            let cause = format!("the body did not come within {} s", PATIENCE.as_secs());
            return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "body-too-slow", cause, "send it faster"));
        }
    };
    Ok(Body { raw: Raw { query: query.0, name, body: bytes }, held })
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut source: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = source {
        if error.to_string().contains("length limit exceeded") {
            return true;
        }
        source = error.source();
    }
    false
}

/// Does something that takes its time on a thread of its own; few do so at once.
pub async fn aside<T: Send + 'static>(
    service: &Arc<Service>,
    work: impl FnOnce(&Arc<Service>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let seat = service.desk.seat().await?;
    let service = Arc::clone(service);
    let done = tokio::task::spawn_blocking(move || {
        let result = work(&service);
        drop(seat);
        result
    });
    done.await.unwrap_or_else(|_| Err(Refusal::internal("the work on this request failed")))
}

/// The problem itself, wherever it is.
pub fn problem_of(service: &Service, source: Source) -> Result<(Problem, Vec<Note>), Refusal> {
    match source {
        Source::Here(problem, notes) => Ok((*problem, notes)),
        Source::Job(id) => Ok((jobs::problem(service, &id)?, Vec::new())),
    }
}

/// A file as an answer, by the format it is written in.
pub fn file(format: &str, bytes: Vec<u8>) -> Response {
    let kind = match format {
        "json" => "application/json",
        "json-lines" => "application/x-ndjson",
        "geojson" => "application/geo+json",
        "csv" | "matrix" | "stops" => "text/csv; charset=utf-8",
        "svg" => "image/svg+xml",
        "npz" | "npz-city" | "npz-paper" | "npz-rrnco" => "application/octet-stream",
        _ => "text/plain; charset=utf-8",
    };
    // A picture from a stranger's problem opens by itself, without anything of this origin.
    let alone = (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    ([(header::CONTENT_TYPE, kind), alone], bytes).into_response()
}
