//! Reading a plan: our answers, bare lists of routes, and VRPLIB solutions.

use std::collections::BTreeMap;

use radar_problem::{Kind, Problem, Routes};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::FormatError;

/// Reads routes for `problem` from an answer of ours (its `routes` or `route_ids`), a JSON list of
/// lists, or a `.sol` file. A number is an index, a text is an id.
pub fn plan(bytes: &[u8], problem: &Problem) -> Result<Routes, FormatError> {
    let names = Names::of(problem);
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match bytes.trim_ascii_start().first() {
        Some(b'{' | b'[') => json(bytes, &names),
        _ => solution(bytes, problem, &names),
    }
}

/// How many stops of each route of a plan must stay: its key `freeze`, if it is there.
pub fn frozen(bytes: &[u8]) -> Result<Option<Vec<usize>>, FormatError> {
    #[derive(Deserialize)]
    struct Frozen {
        #[serde(default)]
        freeze: Option<Value>,
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if !bytes.trim_ascii_start().starts_with(b"{") {
        return Ok(None);
    }
    let Frozen { freeze } = serde_json::from_slice(bytes).map_err(unparsed)?;
    let Some(freeze) = freeze else { return Ok(None) };
    let lengths = freeze.as_array().and_then(|lengths| {
        let length = |value: &Value| value.as_u64().and_then(|length| usize::try_from(length).ok());
        lengths.iter().map(length).collect::<Option<Vec<usize>>>()
    });
    let wrong = || {
        FormatError::new(
            "wrong-type",
            "freeze is no list of whole numbers",
            "say how many stops at the beginning of each route stay, such as [2, 0, 1]",
        )
    };
    lengths.ok_or_else(wrong).map(Some)
}

/// The nodes by id.
struct Names {
    nodes: usize,
    by_id: BTreeMap<String, usize>,
}

impl Names {
    fn of(problem: &Problem) -> Self {
        let nodes = problem.nodes();
        Self { nodes, by_id: (0..nodes).map(|node| (problem.id(node), node)).collect() }
    }

    fn index(&self, index: u64, place: &str) -> Result<usize, FormatError> {
        usize::try_from(index).ok().filter(|&index| index < self.nodes).ok_or_else(|| {
            FormatError::new(
                "unknown-node",
                format!("{place} is {index}, but nodes are numbered 0 to {}", self.nodes.saturating_sub(1)),
                "give 0-based indices of the matrix",
            )
        })
    }

    fn id(&self, id: &str, place: &str) -> Result<usize, FormatError> {
        self.by_id.get(id).copied().ok_or_else(|| {
            let id: String = id.chars().take(40).collect();
            let cause = format!("{place} is `{id}`, which is the id of no node");
            FormatError::new("unknown-node", cause, "give ids of this problem, or 0-based indices")
        })
    }
}

/// What is read of an answer; a key that stands there twice is refused by the parser.
#[derive(Deserialize)]
struct Visits {
    #[serde(default, deserialize_with = "stated")]
    routes: Option<Value>,
    #[serde(default, deserialize_with = "stated")]
    route_ids: Option<Value>,
}

/// A value that is there, if only as `null`, which is no list.
fn stated<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

fn unparsed(error: serde_json::Error) -> FormatError {
    match error.is_data() {
        true => FormatError::new("duplicate-key", format!("the plan has a {error}"), "keep one of them"),
        false => FormatError::new(
            "json-syntax",
            format!("the plan is no JSON: {error}"),
            "give one complete JSON value",
        ),
    }
}

fn json(bytes: &[u8], names: &Names) -> Result<Routes, FormatError> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        return lists("routes", &serde_json::from_slice(bytes).map_err(unparsed)?, names);
    }
    let Visits { routes, route_ids } = serde_json::from_slice(bytes).map_err(unparsed)?;
    let by_index = routes.map(|routes| lists("routes", &routes, names)).transpose()?;
    let by_id = route_ids.map(|routes| lists("route_ids", &routes, names)).transpose()?;
    match (by_index, by_id) {
        (Some(routes), Some(other)) if routes != other => Err(FormatError::new(
            "plan-contradicts-itself",
            "routes and route_ids visit different nodes of this problem",
            "if you edited one of the two, delete the other; otherwise give the problem that the plan was made for",
        )),
        (Some(routes), _) | (None, Some(routes)) => Ok(routes),
        (None, None) => Err(FormatError::new(
            "missing-key",
            "the plan has neither routes nor route_ids",
            "give an answer of this program, or a list of lists of nodes",
        )),
    }
}

fn lists(key: &str, value: &Value, names: &Names) -> Result<Routes, FormatError> {
    let wrong = |place: String| {
        FormatError::new("wrong-type", format!("{place} is no list"), "give a list of lists of nodes")
    };
    let routes = value.as_array().ok_or_else(|| wrong(key.to_owned()))?;
    let mut plan = Vec::with_capacity(routes.len());
    for (route, stops) in routes.iter().enumerate() {
        let stops = stops.as_array().ok_or_else(|| wrong(format!("{key}[{route}]")))?;
        let nodes = stops.iter().enumerate().map(|(position, stop)| {
            let place = format!("{key}[{route}][{position}]");
            match stop {
                Value::String(id) => names.id(id, &place),
                Value::Number(number) if number.is_u64() => names.index(number.as_u64().unwrap_or(0), &place),
                _ => Err(FormatError::new(
                    "wrong-type",
                    format!("{place} is {stop}"),
                    "give an index (a whole number) or an id (a text)",
                )),
            }
        });
        plan.push(nodes.collect::<Result<Vec<usize>, FormatError>>()?);
    }
    Ok(Routes(plan))
}

/// `Route #1: 3 1 2`, one line per route; customers are numbered from 1, which is their index.
fn solution(bytes: &[u8], problem: &Problem, names: &Names) -> Result<Routes, FormatError> {
    let malformed = |cause: String| {
        FormatError::new("plan-unknown", cause, "give an answer, a list of lists, or lines `Route #1: 3 1 2`")
    };
    let text = std::str::from_utf8(bytes).map_err(|_| malformed("the plan is no text".to_owned()))?;
    let mut plan = Vec::new();
    for (line, content) in text.lines().enumerate() {
        let lower = content.trim().to_ascii_lowercase();
        if lower.is_empty() || lower.starts_with("cost") {
            continue;
        }
        let stops = content.split_once(':').filter(|_| lower.starts_with("route")).map(|(_, stops)| stops);
        let Some(stops) = stops else {
            let shown: String = content.trim().chars().take(40).collect();
            return Err(malformed(format!("line {} of the plan is `{shown}`", line + 1)));
        };
        let nodes = stops.split_whitespace().enumerate().map(|(position, stop)| {
            let place = format!("stop {position} on line {}", line + 1);
            match stop.parse() {
                Ok(index) => names.index(index, &place),
                Err(_) => names.id(stop, &place),
            }
        });
        plan.push(nodes.collect::<Result<Vec<usize>, FormatError>>()?);
    }
    if plan.is_empty() && !text.to_ascii_lowercase().contains("cost") {
        return Err(malformed("the plan is empty".to_owned()));
    }
    // A tour is a circle from node 0, which the format leaves out like every depot.
    if problem.kind == Kind::Atsp
        && let [tour] = plan.as_mut_slice()
        && !tour.contains(&0)
    {
        tour.insert(0, 0);
    }
    Ok(Routes(plan))
}
