//! Matrices from numpy and from lists.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use radar::{Precision, Table};

use crate::failure::raised;
use crate::memory;

/// A table of (rows, columns) values: copied once, straight out of the array's memory.
pub fn table(matrix: &Bound<'_, PyAny>) -> PyResult<Table> {
    let py = matrix.py();
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, f64>>() {
        let (rows, columns, values) = parts(&array)?;
        return Ok(Table::from_values(rows, columns, collected(py, values.iter().copied())?));
    }
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, i64>>() {
        let (rows, columns, values) = parts(&array)?;
        // Whole numbers that are small take half the room.
        if values.iter().all(|&value| i32::try_from(value).is_ok()) {
            let small = collected(py, values.iter().map(|&value| value as i32))?;
            return Ok(Table::from_i32(rows, columns, small));
        }
        let large = collected(py, values.iter().map(|&value| value as f64))?;
        return Ok(Table::from_values(rows, columns, large));
    }
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, f32>>() {
        let (rows, columns, values) = parts(&array)?;
        return Ok(Table::from_f32(rows, columns, collected(py, values.iter().copied())?));
    }
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, i32>>() {
        let (rows, columns, values) = parts(&array)?;
        return Ok(Table::from_i32(rows, columns, collected(py, values.iter().copied())?));
    }
    Ok(Table::from_rows(matrix.extract::<Vec<Vec<f64>>>()?))
}

/// Values in memory that is asked for first: a process that was refused some would be ended.
fn collected<T>(py: Python<'_>, values: impl ExactSizeIterator<Item = T>) -> PyResult<Vec<T>> {
    let mut own = Vec::new();
    if own.try_reserve_exact(values.len()).is_err() {
        let cause = format!("there is no room for a matrix of {} entries", values.len());
        let refused = memory::too_little(&cause, "give a smaller problem, or close other programs");
        return Err(raised(py, &refused));
    }
    own.extend(values);
    Ok(own)
}

fn parts<'a, T: numpy::Element>(array: &'a PyReadonlyArray2<'_, T>) -> PyResult<(usize, usize, &'a [T])> {
    let [rows, columns] = array.as_array().shape().try_into().unwrap_or([0, 0]);
    let values = array.as_slice().map_err(|_| PyTypeError::new_err("the matrix is not C-contiguous"))?;
    Ok((rows, columns, values))
}

/// A new array of (rows, columns) values.
pub fn array<'py, T: numpy::Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArray2<T>>> {
    PyArray1::from_vec(py, values).reshape(shape)
}

/// A new array of what a square table holds: float32 if it came in single precision, else float64. Rows of uneven
/// lengths are lists.
pub fn given_back<'py>(py: Python<'py>, table: &Table) -> PyResult<Bound<'py, PyAny>> {
    let shape = [table.rows(); 2];
    match (table.is_square(), table.precision()) {
        (true, Precision::Double) => Ok(array(py, collected(py, table.iter())?, shape)?.into_any()),
        (true, Precision::Single) => {
            let values = collected(py, table.iter().map(|value| value as f32))?;
            Ok(array(py, values, shape)?.into_any())
        }
        (false, _) => {
            let values = table.values();
            let mut rest = &values[..];
            let rows: Vec<Vec<f64>> = table
                .lengths()
                .iter()
                .map(|&length| {
                    let (row, after) = rest.split_at(length);
                    rest = after;
                    row.to_vec()
                })
                .collect();
            Ok(rows.into_pyobject(py)?)
        }
    }
}
