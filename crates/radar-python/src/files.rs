//! Every file and wire form: bytes in, bytes out. Python opens the files.

use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use radar_format::write::{ANSWER_WRITERS, SET_WRITERS, WRITERS};
use radar_wire::Stated;

use crate::attend::apart;
use crate::failure::{bad_option, raised};
use crate::problem::Problem;

#[pyfunction]
pub fn read(py: Python<'_>, data: &[u8], name: Option<&str>, stated: &str) -> PyResult<Vec<Problem>> {
    let loaded = apart(py, || {
        let stated: Stated = serde_json::from_str(stated).map_err(|error| bad_option(error.to_string()))?;
        Ok(stated.read(name, data)?)
    })?;
    let notes: Vec<(String, String)> =
        loaded.notes.into_iter().map(|note| (note.code.to_owned(), note.text)).collect();
    Ok(loaded.problems.into_iter().map(|problem| Problem::new(problem, notes.clone())).collect())
}

#[pyfunction]
pub fn write<'py>(
    py: Python<'py>,
    format: &str,
    problems: Vec<Py<Problem>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let written = apart(py, || match &problems[..] {
        // The usual case needs no copy.
        [one] => Ok(radar_format::write::one(format, one.get().stated())?),
        _ => {
            let all: Vec<radar::Problem> = problems.iter().map(|one| one.get().stated().clone()).collect();
            Ok(radar_format::write::all(format, &all)?)
        }
    })?;
    Ok(PyBytes::new(py, &written))
}

#[pyfunction]
pub fn plan(py: Python<'_>, data: &[u8], problem: &Problem) -> PyResult<Vec<Vec<usize>>> {
    Ok(apart(py, || radar_wire::plan(data, problem.stated()))?.0)
}

#[pyfunction]
pub fn ending(py: Python<'_>, path: &str, what: &str) -> PyResult<&'static str> {
    let found = match what {
        "answer" => radar_format::ending::answer(Path::new(path)),
        _ => radar_format::ending::problem(Path::new(path)),
    };
    found.map_err(|error| raised(py, &error.into()))
}

#[pyfunction]
pub fn formats(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let mut written: Vec<&str> = WRITERS.iter().map(|writer| writer.name).collect();
    written.extend(SET_WRITERS.iter().map(|writer| writer.name));
    written.sort_unstable();
    written.dedup();
    let formats = PyDict::new(py);
    let read: Vec<&str> = radar_format::read::READERS.iter().map(|reader| reader.name).collect();
    formats.set_item("read", read)?;
    formats.set_item("write", written)?;
    formats.set_item("answer", ANSWER_WRITERS.iter().map(|writer| writer.name).collect::<Vec<_>>())?;
    Ok(formats)
}
