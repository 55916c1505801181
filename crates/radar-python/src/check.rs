//! Plans that are given: checked, and explained.

use pyo3::prelude::*;
use radar::{Kind, Routes};
use radar_wire::Failure;

use crate::attend::apart;
use crate::problem::Problem;

#[pyfunction]
pub fn check(py: Python<'_>, problem: &Problem, routes: Vec<Vec<usize>>) -> PyResult<String> {
    let routes = Routes(routes);
    apart(py, || {
        let instance = problem.instance()?;
        let verdict = radar_check::check(instance, &routes);
        Ok(radar_wire::verdict(instance, &routes, &verdict).to_string())
    })
}

#[pyfunction]
pub fn explain(
    py: Python<'_>,
    problem: &Problem,
    routes: Option<Vec<Vec<usize>>>,
    stops: Vec<usize>,
) -> PyResult<String> {
    let plan = routes.map(Routes);
    apart(py, || {
        stops.iter().try_for_each(|&stop| is_stop(problem.stated(), stop))?;
        let explained = radar_wire::explain_report(problem.report(), plan.as_ref(), &stops)?;
        Ok(serde_json::Value::Array(explained.items).to_string())
    })
}

/// Refuses what explaining would take for granted.
fn is_stop(problem: &radar::Problem, node: usize) -> Result<(), Failure> {
    match node {
        0 if problem.kind == Kind::Vrp => {
            Err(Failure::input("depot-is-no-stop", "node 0 is the depot", "give a stop"))
        }
        node if node < problem.nodes() => Ok(()),
        _ => Err(Failure::input(
            "unknown-stop",
            format!("there is no stop {node}"),
            format!("give a number up to {}", problem.nodes().saturating_sub(1)),
        )),
    }
}
