//! Plans that are given: checked, and explained.

use pyo3::prelude::*;
use radar::Routes;
use radar_wire::Failure;

use crate::failure::raised;
use crate::problem::Problem;

#[pyfunction]
pub fn check(py: Python<'_>, problem: &Problem, routes: Vec<Vec<usize>>) -> PyResult<String> {
    let routes = Routes(routes);
    let checked = py.detach(|| {
        let instance = problem.instance()?;
        let verdict = radar_check::check(instance, &routes);
        Ok(radar_wire::verdict(instance, &routes, &verdict).to_string())
    });
    checked.map_err(|failure: Failure| raised(py, &failure))
}

#[pyfunction]
pub fn explain(
    py: Python<'_>,
    problem: &Problem,
    routes: Option<Vec<Vec<usize>>>,
    stops: Vec<usize>,
) -> PyResult<String> {
    let plan = routes.map(Routes);
    let explained = py.detach(|| {
        // Explaining takes nodes for granted.
        for &stop in &stops {
            radar_wire::node(problem.stated(), &stop.to_string())?;
        }
        let explained = radar_wire::explain_report(problem.report(), plan.as_ref(), &stops)?;
        Ok(serde_json::Value::Array(explained.items).to_string())
    });
    explained.map_err(|failure: Failure| raised(py, &failure))
}
