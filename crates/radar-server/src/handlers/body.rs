//! Bodies: read within limits, worked on away from the threads that answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::body::BodyDataStream;
use axum::extract::{FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use radar::Problem;
use radar_format::Note;
use tokio_stream::StreamExt;

use crate::desk::Seat;
use crate::jobs;
use crate::memory::Hold;
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
    pub held: Hold,
}

/// The request, if it was let in. Otherwise its body is thrown away while it hears why: a caller that is still
/// sending would find a broken connection instead.
pub fn admitted<T>(granted: Result<T, Refusal>, request: Request) -> Result<(T, Request), Refusal> {
    match granted {
        Ok(granted) => Ok((granted, request)),
        Err(refusal) => {
            throw_away(request.into_body().into_data_stream());
            Err(refusal)
        }
    }
}

/// Reads on for a while without keeping anything.
fn throw_away(mut stream: BodyDataStream) {
    const MOST: usize = 256 << 20;
    const PATIENCE: Duration = Duration::from_secs(5);
    tokio::spawn(tokio::time::timeout(PATIENCE, async move {
        let mut read = 0;
        while let Some(Ok(part)) = stream.next().await {
            read += part.len();
            if read > MOST {
                break;
            }
        }
    }));
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
    let name = header(&FILE_NAME).map(str::to_owned);
    // Memory is held for what has come, not for what is announced: who sends nothing holds nothing.
    let announced = length.unwrap_or(0) as u64 * GROWS;
    let granted = match length.is_some_and(|length| length > most) {
        true => Err(too_large()),
        false => service.desk.portion(announced).and_then(|_| service.desk.portion(0)),
    };
    let mut stream = body.into_data_stream();
    let mut held = match granted {
        Ok(held) => held,
        Err(refusal) => {
            throw_away(stream);
            return Err(refusal);
        }
    };
    let query = Query::<BTreeMap<String, String>>::from_request_parts(&mut parts, &()).await;
    let query = query.map_err(|error| {
        Refusal::bad_request("bad-parameter", error.to_string(), "give every parameter once, as key=value")
    })?;
    let name = name.or_else(|| query.get("name").cloned());
    let mut bytes = Vec::new();
    let reading = async {
        while let Some(part) = stream.next().await {
            let part = part.map_err(|error| {
                Refusal::bad_request("body-cut-off", error.to_string(), "send the whole body")
            })?;
            if bytes.len() + part.len() > most {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
            service.desk.grow(&mut held, part.len() as u64 * GROWS)?;
        }
        Ok(())
    };
    match tokio::time::timeout(PATIENCE, reading).await {
        Ok(Ok(())) => {}
        Ok(Err(refusal)) => {
            throw_away(stream);
            return Err(refusal);
        }
        Err(_) => {
            let cause = format!("the body did not come within {} s", PATIENCE.as_secs());
            return Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "body-too-slow", cause, "send it faster"));
        }
    }
    Ok(Body { raw: Raw { query: query.0, name, body: bytes }, held })
}

/// Does something that takes its time on a thread of its own; few do so at once.
pub async fn aside<T: Send + 'static>(
    service: &Arc<Service>,
    work: impl FnOnce(&Arc<Service>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    on(service, Seat::Near, work).await
}

/// The same with a request that is still to be read, which may mean asking somebody else.
pub async fn read_aside<T: Send + 'static>(
    service: &Arc<Service>,
    raw: Raw,
    work: impl FnOnce(&Arc<Service>, Raw) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let seat = if raw.asks_engine() { Seat::Far } else { Seat::Near };
    on(service, seat, move |service| work(service, raw)).await
}

async fn on<T: Send + 'static>(
    service: &Arc<Service>,
    seat: Seat,
    work: impl FnOnce(&Arc<Service>) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let seat = service.desk.seat(seat).await?;
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

/// A name in an address; one that is no text is the name of nothing.
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(name)| Self(name)).map_err(|_| {
            let (cause, action) = ("there is nothing of that name", "see /openapi.json for what there is");
            Refusal::new(StatusCode::NOT_FOUND, "unknown-name", cause, action)
        })
    }
}
