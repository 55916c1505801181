//! Matrices: explicit ones in every layout, and plane distances.

use radar_problem::{Matrix, Table};

use super::scan::{Section, Sheet, number_or_infinite};
use crate::FormatError;
use crate::read::shown::shown;

/// The distance matrix that the head announces. `points` are `[y, x]`.
pub(super) fn distance(
    sheet: &Sheet<'_>,
    nodes: usize,
    points: Option<&[[f64; 2]]>,
) -> Result<Table, FormatError> {
    let (line, kind) = sheet.text("EDGE_WEIGHT_TYPE")?;
    match kind.to_ascii_uppercase().as_str() {
        "EXPLICIT" => explicit(sheet, nodes),
        "EUC_2D" => plane(line, nodes, points, |length| (length + 0.5).floor()),
        "CEIL_2D" => plane(line, nodes, points, f64::ceil),
        _ => Err(FormatError::new(
            "weights-unsupported",
            format!("line {line}: EDGE_WEIGHT_TYPE is `{}`", shown(&kind, 40)),
            "give EXPLICIT with a matrix, or EUC_2D or CEIL_2D with coordinates",
        )),
    }
}

/// Where entry (from, to) stands in the section.
type Layout = fn(nodes: usize, from: usize, to: usize) -> Option<usize>;

fn explicit(sheet: &Sheet<'_>, nodes: usize) -> Result<Table, FormatError> {
    let (line, format) = sheet.text("EDGE_WEIGHT_FORMAT")?;
    // A symmetric matrix by columns is the other triangle by rows.
    let (layout, values): (Layout, usize) = match format.to_ascii_uppercase().as_str() {
        "FULL_MATRIX" => return full(required(sheet, "EDGE_WEIGHT_SECTION")?, nodes),
        "LOWER_ROW" | "UPPER_COL" => (lower, triangle(nodes.saturating_sub(1))),
        "UPPER_ROW" | "LOWER_COL" => (upper, triangle(nodes.saturating_sub(1))),
        "LOWER_DIAG_ROW" | "UPPER_DIAG_COL" => (lower_with_diagonal, triangle(nodes)),
        "UPPER_DIAG_ROW" | "LOWER_DIAG_COL" => (upper_with_diagonal, triangle(nodes)),
        _ => {
            return Err(FormatError::new(
                "weights-unsupported",
                format!("line {line}: EDGE_WEIGHT_FORMAT is `{}`", shown(&format, 40)),
                "give FULL_MATRIX, or LOWER or UPPER with ROW, COL, DIAG_ROW or DIAG_COL",
            ));
        }
    };
    let stated = numbers(required(sheet, "EDGE_WEIGHT_SECTION")?, values, &format)?;
    let entry = |from, to| layout(nodes, from, to).and_then(|at| stated.get(at)).copied().unwrap_or(0.0);
    Ok(Matrix::from_fn(nodes, entry).into())
}

/// A full matrix, row = from.
pub(super) fn full(section: Section<'_>, nodes: usize) -> Result<Table, FormatError> {
    Ok(Table::from_values(nodes, nodes, numbers(section, nodes * nodes, "FULL_MATRIX")?))
}

fn required<'a>(sheet: &Sheet<'a>, name: &'static str) -> Result<Section<'a>, FormatError> {
    sheet.section(name).ok_or_else(|| {
        FormatError::new(
            "missing-key",
            format!("there is no `{name}`"),
            "add the section; the file may be cut off",
        )
    })
}

/// Exactly `wanted` numbers. The list grows with what is there, not with what is announced.
fn numbers(section: Section<'_>, wanted: usize, format: &str) -> Result<Vec<f64>, FormatError> {
    let mut values = Vec::new();
    let mut last = section.line;
    for (line, token) in section.tokens() {
        if values.len() == wanted {
            return Err(count(section, wanted, format, &format!("more than that, from line {line} on")));
        }
        values.push(number_or_infinite(token, line, section.name)?);
        last = line;
    }
    match values.len() == wanted {
        true => Ok(values),
        false => Err(count(section, wanted, format, &format!("{}, the last on line {last}", values.len()))),
    }
}

fn count(section: Section<'_>, wanted: usize, format: &str, found: &str) -> FormatError {
    FormatError::new(
        "wrong-count",
        format!(
            "{} (line {}) needs {wanted} numbers as {format} and has {found}",
            section.name, section.line
        ),
        "check DIMENSION and EDGE_WEIGHT_FORMAT; the file may be cut off",
    )
}

fn plane(
    line: usize,
    nodes: usize,
    points: Option<&[[f64; 2]]>,
    round: fn(f64) -> f64,
) -> Result<Table, FormatError> {
    let points = points.ok_or_else(|| {
        FormatError::new(
            "missing-key",
            format!("line {line}: distances are computed, but there is no `NODE_COORD_SECTION`"),
            "add the coordinates; the file may be cut off",
        )
    })?;
    let length = |a: [f64; 2], b: [f64; 2]| round((a[0] - b[0]).hypot(a[1] - b[1]));
    let table = Matrix::from_fn(nodes, |from, to| length(points[from], points[to]));
    match table.values().iter().all(|value| value.is_finite()) {
        true => Ok(table.into()),
        false => Err(FormatError::new(
            "bad-number",
            "NODE_COORD_SECTION: two nodes are too far apart for a distance to be computed",
            "correct the coordinates",
        )),
    }
}

/// How many entries a triangle with `side` on its diagonal has.
fn triangle(side: usize) -> usize {
    side * (side + 1) / 2
}

fn lower(_: usize, from: usize, to: usize) -> Option<usize> {
    let (row, column) = (from.max(to), from.min(to));
    (row != column).then(|| triangle(row - 1) + column)
}

fn lower_with_diagonal(_: usize, from: usize, to: usize) -> Option<usize> {
    Some(triangle(from.max(to)) + from.min(to))
}

fn upper(nodes: usize, from: usize, to: usize) -> Option<usize> {
    let (row, column) = (from.min(to), from.max(to));
    // The rows above hold nodes - 1, nodes - 2, ... entries.
    (row != column).then(|| row * (2 * nodes - row - 1) / 2 + column - row - 1)
}

fn upper_with_diagonal(nodes: usize, from: usize, to: usize) -> Option<usize> {
    let (row, column) = (from.min(to), from.max(to));
    Some(row * (2 * nodes - row + 1) / 2 + column - row)
}
