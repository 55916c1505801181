//! Answers as Python holds them.

use std::sync::OnceLock;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use radar_format::write::Answer;
use radar_wire::{Blame, Failure};

use crate::attend::apart;
use crate::problem::Problem;

/// A checked answer.
#[pyclass(frozen, module = "radar._radar")]
pub struct Solution {
    problem: Py<Problem>,
    solution: radar::Solution,
    answer: OnceLock<Answer>,
}

impl Solution {
    /// The answer to a problem.
    pub fn new(problem: Py<Problem>, solution: radar::Solution) -> Self {
        Self { problem, solution, answer: OnceLock::new() }
    }

    /// The wire form, made when it is first asked for.
    fn answer(&self) -> &Answer {
        self.answer.get_or_init(|| {
            let mut answer = radar_wire::answer(&self.solution, &[]);
            answer.warnings.splice(0..0, self.problem.get().notes());
            answer
        })
    }
}

#[pymethods]
impl Solution {
    #[getter]
    fn problem(&self, py: Python<'_>) -> Py<Problem> {
        self.problem.clone_ref(py)
    }

    #[getter]
    fn routes(&self) -> Vec<Vec<usize>> {
        self.solution.routes.0.clone()
    }

    #[getter]
    fn cost(&self) -> f64 {
        self.solution.cost
    }

    #[getter]
    fn bound(&self) -> Option<f64> {
        self.solution.bound
    }

    #[getter]
    fn gap(&self) -> Option<f64> {
        self.solution.gap()
    }

    #[getter]
    fn optimal(&self) -> bool {
        self.solution.optimal
    }

    #[getter]
    fn method(&self) -> &str {
        &self.solution.method
    }

    #[getter]
    fn model(&self) -> Option<&str> {
        self.solution.model.as_deref()
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.solution.seed
    }

    #[getter]
    fn interrupted(&self) -> bool {
        self.solution.interrupted
    }

    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let internal = |error: serde_json::Error| {
            Failure::new(Blame::Program, "internal", error.to_string(), "please report it")
        };
        apart(py, || serde_json::to_string(self.answer()).map_err(internal))
    }

    fn to_bytes<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let stated = self.problem.get().stated();
        let written = apart(py, || Ok(radar_format::write::answer(format, stated, self.answer())?))?;
        Ok(PyBytes::new(py, &written))
    }
}

/// An answer that was written down before, in another format.
#[pyfunction]
pub fn render<'py>(
    py: Python<'py>,
    problem: &Problem,
    answer: &str,
    format: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let written = apart(py, || {
        let answer: Answer = serde_json::from_str(answer).map_err(|error| {
            Failure::input("bad-answer", error.to_string(), "give what Solution.to_json wrote")
        })?;
        Ok(radar_format::write::answer(format, problem.stated(), &answer)?)
    })?;
    Ok(PyBytes::new(py, &written))
}
