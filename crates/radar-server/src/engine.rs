//! A matrix from a routing engine that the operator allows. Nothing else is ever contacted.

use std::io::Read;
use std::time::Duration;

use axum::http::StatusCode;
use radar::{Kind, Problem, Table};
use radar_format::Given;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::refusal::Refusal;
use crate::settings::{Engine, EngineKind, Settings};

/// How long an engine may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes that an engine may answer.
const MOST_BYTES: u64 = 256 << 20;

/// The problem with the matrices of the engine called `name` (or at this base URL) in it.
pub fn complete(settings: &Settings, name: &str, problem: &RawValue) -> Result<Box<RawValue>, Refusal> {
    let asked = name.trim_end_matches('/');
    let known = |engine: &&Engine| engine.name == name || engine.url == asked;
    let Some(engine) = settings.engines.iter().find(known) else {
        let names: Vec<&str> = settings.engines.iter().map(|engine| engine.name.as_str()).collect();
        return Err(Refusal::unprocessable(
            "engine-not-allowed",
            format!("the operator allows no engine `{name}`"),
            match names.is_empty() {
                true => "send a matrix; no engine is allowed here".to_owned(),
                false => format!("take one of {}, or send a matrix", names.join(", ")),
            },
        ));
    };
    let mut problem: Map<String, Value> = serde_json::from_str(problem.get()).map_err(|_| {
        Refusal::bad_request(
            "bad-request",
            "with `engine`, the problem is an object with `points`",
            "send one",
        )
    })?;
    if problem.contains_key("distance") || problem.contains_key("duration") {
        return Err(Refusal::unprocessable(
            "matrix-and-engine",
            "the problem has a matrix, and an engine is to be asked for one",
            "leave out `engine`, or the matrices",
        ));
    }
    let points = points(&problem)?;
    if points.len() > settings.limits.nodes {
        return Err(Refusal::unprocessable(
            "too-many-nodes",
            format!(
                "there are {} points, and this service takes at most {}",
                points.len(),
                settings.limits.nodes
            ),
            "split the problem",
        ));
    }
    let table = ask(engine, &points)?;
    problem.insert("distance".to_owned(), rows(&table.distance));
    if let Some(duration) = &table.duration {
        problem.insert("duration".to_owned(), rows(duration));
    }
    let units = json!({ "distance": table.units.distance, "duration": table.units.duration });
    problem.entry("units").or_insert(units);
    serde_json::value::to_raw_value(&problem).map_err(|error| Refusal::internal(error.to_string()))
}

/// The points of a problem: latitude and longitude.
fn points(problem: &Map<String, Value>) -> Result<Vec<[f64; 2]>, Refusal> {
    let wrong = |cause: &str| {
        Refusal::unprocessable(
            "bad-points",
            cause,
            "give `points` as [[latitude, longitude], ...], depot first",
        )
    };
    let stated = problem.get("points").cloned().ok_or_else(|| wrong("the problem has no `points`"))?;
    let points: Vec<[f64; 2]> = serde_json::from_value(stated).map_err(|error| wrong(&error.to_string()))?;
    let is_on_earth = |&[lat, lon]: &[f64; 2]| lat.abs() <= 90.0 && lon.abs() <= 180.0;
    match points.iter().all(is_on_earth) && points.len() >= 2 {
        true => Ok(points),
        false => Err(wrong("points lie outside of -90..90 and -180..180, or there are fewer than two")),
    }
}

/// What the engine says of the ways between the points.
fn ask(engine: &Engine, points: &[[f64; 2]]) -> Result<Problem, Refusal> {
    let failed = |cause: String| {
        let cause = format!("the engine `{}` did not answer with a table: {cause}", engine.name);
        let action = "check that it is up and takes so many points, or send a matrix";
        Refusal::new(StatusCode::BAD_GATEWAY, "engine-failed", cause, action)
    };
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .max_redirects(0)
        // Nobody is asked but the engine itself, whatever the environment says.
        .proxy(None)
        .http_status_as_error(false)
        .build()
        .into();
    let answer = match engine.kind {
        EngineKind::Osrm => {
            let places: Vec<String> = points.iter().map(|[lat, lon]| format!("{lon},{lat}")).collect();
            let query = "annotations=duration,distance";
            agent.get(format!("{}/table/v1/driving/{}?{query}", engine.url, places.join(";"))).call()
        }
        EngineKind::Valhalla => {
            let places: Vec<Value> =
                points.iter().map(|[lat, lon]| json!({ "lat": lat, "lon": lon })).collect();
            let body = json!({ "sources": places, "targets": places, "costing": "auto", "units": "km" });
            let request = agent.post(format!("{}/sources_to_targets", engine.url));
            request.content_type("application/json").send(body.to_string())
        }
    };
    let mut answer = answer.map_err(|error| failed(error.to_string()))?;
    let mut bytes = Vec::new();
    let read = answer.body_mut().as_reader().take(MOST_BYTES).read_to_end(&mut bytes);
    read.map_err(|error| failed(error.to_string()))?;
    if !answer.status().is_success() {
        let told: String = String::from_utf8_lossy(&bytes).chars().take(200).collect();
        return Err(failed(format!("{} {told}", answer.status())));
    }
    let given = Given { kind: Some(Kind::Vrp), ..Given::default() };
    let loaded = radar_format::read::read_as(engine.kind.as_str(), &bytes, &given);
    let loaded = loaded.map_err(|error| failed(error.to_string()))?;
    let Some(table) = loaded.problems.into_iter().next() else {
        return Err(failed("it is empty".to_owned()));
    };
    if table.nodes() != points.len() {
        return Err(failed(format!("it has {} rows for {} points", table.nodes(), points.len())));
    }
    Ok(table)
}

/// A table as lists; where no way leads stands null.
fn rows(table: &Table) -> Value {
    let number = |value: &f64| if value.is_finite() { json!(value) } else { Value::Null };
    (0..table.rows()).map(|row| table.row(row).iter().map(number).collect::<Value>()).collect()
}
