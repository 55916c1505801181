//! From a body to a problem and what is wanted of it.

use std::collections::BTreeMap;

use radar::{Freeze, Kind, Problem, Routes};
use radar_format::{Loaded, Note};
use radar_wire::{Stated, Wishes};
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Number, Value};

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
    pub stops: Vec<Named>,
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
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a stop is a number or an id")]
pub enum Named {
    /// Its index.
    Number(usize),
    /// Its id.
    Id(String),
}

impl Named {
    /// The node that is meant.
    pub fn node(&self, problem: &Problem) -> Result<usize, Refusal> {
        match self {
            Self::Id(id) => Ok(radar_wire::node(problem, id)?),
            Self::Number(node) if *node >= problem.nodes() => {
                let most = problem.nodes().saturating_sub(1);
                let action = format!("give a number from 1 to {most}, or an id as a text");
                Err(Refusal::unprocessable("unknown-stop", format!("there is no node {node}"), action))
            }
            Self::Number(0) if problem.kind == Kind::Vrp => {
                Err(Refusal::unprocessable("depot-is-no-stop", "node 0 is the depot", "give a stop"))
            }
            Self::Number(node) => Ok(*node),
        }
    }
}

impl Raw {
    /// Whether a routing engine is to be asked, which takes its time.
    pub fn asks_engine(&self) -> bool {
        Keys::of(&self.body).engine.is_some()
    }

    /// Reads the request. Touches no file; asks a routing engine only if the operator allows it.
    pub fn read(self, settings: &Settings) -> Result<Asked, Refusal> {
        if Keys::of(&self.body).is_envelope() {
            return self.envelope(settings);
        }
        let (given, wishes) = parameters(&self.query)?;
        let given = Stated { most_nodes: Some(settings.limits.nodes), ..given };
        let loaded = given.read(self.name.as_deref(), &self.body)?;
        let problem = limits::one(loaded, settings)?;
        Ok(Asked { problem, wishes, warm: None, freeze: None, plan: None, stops: Vec::new() })
    }

    fn envelope(self, settings: &Settings) -> Result<Asked, Refusal> {
        if let Some(key) = self.query.keys().find(|key| !["to", "name"].contains(&key.as_str())) {
            return Err(Refusal::bad_request(
                "bad-parameter",
                format!("`{}` stands in the address, but the body is an envelope", shown(key)),
                "put options and what the problem leaves open into the envelope: `options`, `given`",
            ));
        }
        let mut envelope: Envelope = serde_json::from_slice(&self.body).map_err(|error| {
            Refusal::bad_request(
                "bad-request",
                error.to_string(),
                "see /openapi.json for the keys of a request",
            )
        })?;
        envelope.given.most_nodes = Some(settings.limits.nodes);
        let is_bare = envelope.given == Stated { most_nodes: envelope.given.most_nodes, ..Stated::default() };
        let problem = match (envelope.problem, envelope.job) {
            (Some(problem), None) => {
                let problem = match &envelope.engine {
                    Some(name) => engine::complete(settings, name, &problem)?,
                    None => problem,
                };
                limits::one(read(&problem, self.name.as_deref(), &envelope.given)?, settings)?
            }
            (None, Some(_)) if !is_bare || envelope.engine.is_some() => {
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
            stops: envelope.stops,
        })
    }
}

/// What tells an envelope from a problem by itself.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Keys {
    problem: Option<IgnoredAny>,
    job: Option<IgnoredAny>,
    engine: Option<IgnoredAny>,
}

impl Keys {
    fn of(body: &[u8]) -> Self {
        if !body.trim_ascii_start().starts_with(b"{") {
            return Self::default();
        }
        let mentions = |key: &[u8]| body.windows(key.len()).any(|part| part == key).then_some(IgnoredAny);
        // What is no JSON is best told about as what it was meant to be.
        serde_json::from_slice(body).unwrap_or_else(|_| Self {
            problem: mentions(b"\"problem\""),
            job: mentions(b"\"job\""),
            engine: None,
        })
    }

    fn is_envelope(&self) -> bool {
        self.problem.is_some() || self.job.is_some()
    }
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

/// What stands in the address: what the file leaves open, and how to solve.
fn parameters(query: &BTreeMap<String, String>) -> Result<(Stated, Wishes), Refusal> {
    const GIVEN: [&str; 8] =
        ["from", "kind", "unit", "capacity", "vehicles", "limit", "max_duration", "open"];
    let (mut given, mut wishes) = (Map::new(), Map::new());
    for (key, text) in query {
        // Numbers and switches are texts in an address.
        let value = match text.as_str() {
            "true" | "" => Value::Bool(true),
            "false" => Value::Bool(false),
            text => match serde_json::from_str::<Number>(text) {
                Ok(number) => Value::Number(number),
                Err(_) => Value::String(text.to_owned()),
            },
        };
        match key.as_str() {
            "to" | "name" => {}
            key if GIVEN.contains(&key) => drop(given.insert(key.to_owned(), value)),
            key => drop(wishes.insert(key.to_owned(), value)),
        }
    }
    Ok((parsed(given)?, parsed(wishes)?))
}

fn parsed<T: DeserializeOwned>(map: Map<String, Value>) -> Result<T, Refusal> {
    serde_json::from_value(Value::Object(map)).map_err(|error| {
        let action = "see /openapi.json for what an address may say";
        Refusal::bad_request("bad-parameter", error.to_string(), action)
    })
}

/// A plan of a request.
pub fn plan(raw: &RawValue, problem: &Problem) -> Result<Routes, Refusal> {
    limits::plan(radar_wire::plan(&text(raw), problem)?, problem.nodes())
}

/// What a plan says: JSON, or as a string the text of a `.sol` file.
fn text(raw: &RawValue) -> Vec<u8> {
    match serde_json::from_str::<String>(raw.get()) {
        Ok(text) => text.into_bytes(),
        Err(_) => raw.get().as_bytes().to_vec(),
    }
}

/// The beginnings that stay.
pub fn freeze(raw: &RawValue, problem: &Problem) -> Result<Freeze, Refusal> {
    let Freeze { routes, lengths } = radar_wire::freeze(&text(raw), problem)?;
    Ok(Freeze { routes: limits::plan(routes, problem.nodes())?, lengths })
}

/// A few letters of somebody's text.
fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
