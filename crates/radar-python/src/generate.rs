//! Instances from seeded distributions.

use std::sync::Arc;

use pyo3::prelude::*;
use radar_sample::{Atlas, Distribution, Roads, catalogue};
use radar_wire::Failure;
use serde_json::json;

use crate::failure::raised;
use crate::pool;
use crate::problem::Problem;

/// The values of all matrices that are held at once: 8 GiB.
const MOST_VALUES: u64 = 1 << 30;

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
    let drawn = py.detach(|| {
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
        let last = first.saturating_add(count);
        Ok(pool::shared()?.install(|| distribution.sample_many(seed, first..last)))
    });
    let drawn = drawn.map_err(|failure: Failure| raised(py, &failure))?;
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
