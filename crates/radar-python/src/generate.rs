//! Instances from seeded distributions.

use std::sync::Arc;

use pyo3::prelude::*;
use radar_sample::{Atlas, Distribution, Roads, catalogue};
use radar_wire::Failure;
use serde_json::json;

use crate::attend::{Attended, Line, attend};
use crate::failure::cut_short;
use crate::memory;
use crate::pool;
use crate::problem::Problem;

/// The values of all matrices that are held at once: 8 GiB.
const MOST_VALUES: u64 = 1 << 30;
/// The values of all matrices that are drawn at a time.
const PIECE_VALUES: u64 = 1 << 22;
/// Bytes that an entry of a matrix takes, and those more while it is drawn.
const KEPT: u64 = 8;
const WORKING: u64 = 8;

#[pyfunction]
pub fn generate(
    py: Python<'_>,
    name: &str,
    parameters: Vec<(String, String)>,
    seed: u64,
    first: u64,
    count: u64,
    roads: Vec<(String, Vec<u8>)>,
) -> PyResult<(Vec<Problem>, usize)> {
    let work = |line: Line<'_, ()>| {
        let needs_roads = catalogue::ALL.iter().any(|entry| entry.name == name && entry.needs_roads);
        if !roads.is_empty() && !needs_roads {
            let cause = format!("`{name}` takes no road matrix");
            return Err(Failure::input("bad-distribution", cause, "leave out roads, or draw from `roads`"));
        }
        let matrices = roads.iter().map(|(name, bytes)| radar_wire::roads(name, bytes));
        let matrices = matrices.collect::<Result<Vec<Roads>, Failure>>()?;
        let parameters: Vec<(&str, &str)> =
            parameters.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let distribution = Distribution::named(name, &parameters, Atlas::new(matrices).map(Arc::new))
            .map_err(|error| {
                Failure::input("bad-distribution", error.to_string(), "see radar.distributions()")
            })?;
        if distribution.values().saturating_mul(count) > MOST_VALUES {
            let cause =
                format!("{count} instances of {} matrix entries do not fit memory", distribution.values());
            return Err(Failure::input(
                "set-too-large",
                cause,
                "draw fewer at a time: `first` says where to go on",
            ));
        }
        let piece = (PIECE_VALUES / distribution.values().max(1)).clamp(1, 16);
        memory::refuse_beyond(
            distribution.values() * (count * KEPT + piece.min(count) * WORKING),
            &format!("{count} instances of {} matrix entries", distribution.values()),
            "draw fewer at a time: `first` says where to go on",
        )?;
        let last = first.saturating_add(count);
        let pool = pool::lent()?;
        let mut drawn = Vec::new();
        // In pieces, so that Ctrl-C is heard between them.
        for from in (first..last).step_by(piece as usize) {
            if line.stopped() {
                break;
            }
            let to = last.min(from.saturating_add(piece));
            drawn.extend(pool.install(|| distribution.sample_many(seed, from..to)));
        }
        Ok(drawn)
    };
    let Attended { result: drawn, ended } = attend(py, work, |_, ()| Ok(true))?;
    if let Some(ended) = ended {
        return Err(cut_short(py, ended));
    }
    let clamped = drawn.iter().map(|sample| sample.clamped).sum();
    let problems = drawn.into_iter().map(|sample| Problem::new(sample.problem, Vec::new()));
    Ok((problems.collect(), clamped))
}

#[pyfunction]
pub fn distributions() -> String {
    let entry = |entry: &catalogue::Entry| {
        let parameters: Vec<_> = entry
            .parameters
            .iter()
            .map(|one| json!({ "name": one.name, "default": one.default, "summary": one.summary }))
            .collect();
        json!({
            "name": entry.name, "summary": entry.summary, "needs_roads": entry.needs_roads,
            "parameters": parameters,
        })
    };
    serde_json::Value::from_iter(catalogue::ALL.iter().map(entry)).to_string()
}
