//! Matrices from numpy and from lists.

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use radar::{Precision, Table};

/// A table of (rows, columns) values: copied once, straight out of the array's memory.
pub fn table(matrix: &Bound<'_, PyAny>) -> PyResult<Table> {
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, f64>>() {
        let (rows, columns, values) = parts(&array)?;
        return Ok(Table::from_values(rows, columns, values.to_vec()));
    }
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, i64>>() {
        let (rows, columns, values) = parts(&array)?;
        let whole: Option<Vec<i32>> = values.iter().map(|&value| i32::try_from(value).ok()).collect();
        return Ok(match whole {
            Some(whole) => Table::from_i32(rows, columns, whole),
            None => Table::from_values(rows, columns, values.iter().map(|&value| value as f64).collect()),
        });
    }
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, f32>>() {
        let (rows, columns, values) = parts(&array)?;
        return Ok(Table::from_f32(rows, columns, values.to_vec()));
    }
    if let Ok(array) = matrix.extract::<PyReadonlyArray2<'_, i32>>() {
        let (rows, columns, values) = parts(&array)?;
        return Ok(Table::from_i32(rows, columns, values.to_vec()));
    }
    Ok(Table::from_rows(matrix.extract::<Vec<Vec<f64>>>()?))
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
        (true, Precision::Double) => Ok(array(py, table.values().into_owned(), shape)?.into_any()),
        (true, Precision::Single) => {
            let values = table.iter().map(|value| value as f32).collect();
            Ok(array::<f32>(py, values, shape)?.into_any())
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
