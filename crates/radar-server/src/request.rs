//! From a body to a problem and what is wanted of it.

use std::collections::BTreeMap;

use radar::{Freeze, Problem, Routes};
use radar_format::{Loaded, Note};
use radar_wire::{Stated, Wishes};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::refusal::Refusal;
use crate::settings::Settings;
use crate::{engine, limits};

/// A request as it arrives: a body, and what stands in the address.
#[derive(Debug)]
pub struct Raw {
    /// The parameters of the address.
    pub query: BTreeMap<String, String>,
    /// The name of the file, if the caller tells.
    pub name: Option<String>,
    /// The content.
    pub body: Vec<u8>,
}

/// What is asked for, with the problem read.
#[derive(Debug)]
pub struct Asked {
    /// The problem, or the job that has it.
    pub problem: Source,
    /// How to solve it.
    pub wishes: Wishes,
    /// A plan: to start from, to judge, to explain.
    pub warm: Option<Box<RawValue>>,
    /// Beginnings that stay.
    pub freeze: Option<Box<RawValue>>,
    /// A plan to judge or to explain.
    pub plan: Option<Box<RawValue>>,
    /// Stops to explain.
    pub stops: Vec<String>,
}

/// Where the problem is.
#[derive(Debug)]
pub enum Source {
    /// In the request.
    Here(Box<Problem>, Vec<Note>),
    /// With an earlier job.
    Job(String),
}

/// The envelope: a problem with what goes with it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    problem: Option<Box<RawValue>>,
    job: Option<String>,
    #[serde(default)]
    given: Stated,
    #[serde(default)]
    options: Wishes,
    warm: Option<Box<RawValue>>,
    freeze: Option<Box<RawValue>>,
    plan: Option<Box<RawValue>>,
    #[serde(default)]
    stops: Vec<Named>,
    engine: Option<String>,
}

/// A stop by number or by id.
#[derive(Deserialize)]
#[serde(untagged)]
enum Named {
    Number(u64),
    Id(String),
}

impl Raw {
    /// Reads the request. Touches no file; asks a routing engine only if the operator allows it.
    pub fn read(self, settings: &Settings) -> Result<Asked, Refusal> {
        if is_envelope(&self.body) {
            return self.envelope(settings);
        }
        let (given, wishes): (Stated, Wishes) = (parameters(&self.query)?).split()?;
        let loaded = given.read(self.name.as_deref(), &self.body)?;
        let problem = limits::one(loaded, settings)?;
        Ok(Asked { problem, wishes, warm: None, freeze: None, plan: None, stops: Vec::new() })
    }

    fn envelope(self, settings: &Settings) -> Result<Asked, Refusal> {
        let envelope: Envelope = serde_json::from_slice(&self.body).map_err(|error| {
            Refusal::bad_request(
                "bad-request",
                error.to_string(),
                "see /openapi.json for the keys of a request",
            )
        })?;
        let problem = match (envelope.problem, envelope.job) {
            (Some(problem), None) => {
                let problem = match &envelope.engine {
                    Some(name) => engine::complete(settings, name, &problem)?,
                    None => problem,
                };
                limits::one(read(&problem, self.name.as_deref(), &envelope.given)?, settings)?
            }
            (None, Some(_)) if envelope.given != Stated::default() || envelope.engine.is_some() => {
                return Err(Refusal::unprocessable(
                    "job-has-a-problem",
                    "the problem of a job is taken as it is",
                    "leave out `given` and `engine`, or send the problem itself",
                ));
            }
            (None, Some(job)) => Source::Job(job),
            _ => {
                return Err(Refusal::bad_request(
                    "bad-request",
                    "a request has either a `problem` or the `job` that has it",
                    "give one of them",
                ));
            }
        };
        Ok(Asked {
            problem,
            wishes: envelope.options,
            warm: envelope.warm,
            freeze: envelope.freeze,
            plan: envelope.plan,
            stops: (envelope.stops.into_iter())
                .map(|stop| match stop {
                    Named::Number(number) => number.to_string(),
                    Named::Id(id) => id,
                })
                .collect(),
        })
    }
}

/// Whether a body is a problem with what goes with it, and not a problem by itself.
fn is_envelope(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Keys {
        #[serde(default)]
        problem: Option<serde::de::IgnoredAny>,
        #[serde(default)]
        job: Option<serde::de::IgnoredAny>,
    }
    if !body.trim_ascii_start().starts_with(b"{") {
        return false;
    }
    serde_json::from_slice::<Keys>(body).is_ok_and(|keys| keys.problem.is_some() || keys.job.is_some())
}

/// Reads a problem: an object of any JSON format, or the text of a file as a string.
fn read(problem: &RawValue, name: Option<&str>, given: &Stated) -> Result<Loaded, Refusal> {
    let text = problem.get();
    if !text.starts_with('"') {
        return Ok(given.read(name, text.as_bytes())?);
    }
    let content: String = serde_json::from_str(text)
        .map_err(|error| Refusal::bad_request("bad-request", error.to_string(), "send valid JSON"))?;
    Ok(given.read(name, content.as_bytes())?)
}

/// The parameters of an address as the two structures that they fill.
struct Parameters(serde_json::Map<String, serde_json::Value>);

/// Numbers and switches are texts in an address.
fn parameters(query: &BTreeMap<String, String>) -> Result<Parameters, Refusal> {
    let value = |text: &str| match text {
        "true" | "" => serde_json::Value::Bool(true),
        "false" => serde_json::Value::Bool(false),
        text => match serde_json::from_str::<serde_json::Number>(text) {
            Ok(number) => serde_json::Value::Number(number),
            Err(_) => serde_json::Value::String(text.to_owned()),
        },
    };
    Ok(Parameters(query.iter().map(|(key, text)| (key.clone(), value(text))).collect()))
}

impl Parameters {
    fn split(mut self) -> Result<(Stated, Wishes), Refusal> {
        const GIVEN: [&str; 7] = ["from", "kind", "capacity", "vehicles", "limit", "max_duration", "open"];
        let mut given = serde_json::Map::new();
        for key in GIVEN {
            if let Some(value) = self.0.remove(key) {
                given.insert(key.to_owned(), value);
            }
        }
        self.0.remove("name");
        self.0.remove("to");
        Ok((parsed(given)?, parsed(self.0)?))
    }
}

fn parsed<T: DeserializeOwned>(map: serde_json::Map<String, serde_json::Value>) -> Result<T, Refusal> {
    serde_json::from_value(serde_json::Value::Object(map)).map_err(|error| {
        Refusal::bad_request(
            "bad-parameter",
            error.to_string(),
            "see /openapi.json for what an address may say",
        )
    })
}

/// The plan of a request.
pub fn plan(raw: &RawValue, problem: &Problem) -> Result<Routes, Refusal> {
    Ok(radar_format::read::plan(raw.get().as_bytes(), problem)?)
}

/// The beginnings that stay: a plan, and how many stops of each route; all of them unless it says.
pub fn freeze(raw: &RawValue, problem: &Problem) -> Result<Freeze, Refusal> {
    let routes = plan(raw, problem)?;
    let lengths = radar_format::read::frozen(raw.get().as_bytes())?;
    let lengths = lengths.unwrap_or_else(|| routes.iter().map(Vec::len).collect());
    match lengths.len() == routes.len() {
        true => Ok(Freeze { routes, lengths }),
        false => Err(Refusal::unprocessable(
            "wrong-length",
            format!("freeze has {}, but routes has {}", lengths.len(), routes.len()),
            "give one number per route, 0 where nothing stays; without freeze all of them stay",
        )),
    }
}
