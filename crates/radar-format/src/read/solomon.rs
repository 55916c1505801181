//! Solomon's text format, also that of Gehring and Homberger: a fleet and a table of customers in
//! the plane.
//!
//! Distances are Euclidean, rounded to four decimals, and are the durations too. Benchmarks round
//! differently (to integers, or cut to one decimal): convert to an explicit matrix for those.

use radar_problem::{Kind, Matrix, Problem};

use super::shown::shown;
use super::{Given, Loaded, Reader, bounded, declared};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "solomon", recognises, read };

/// The numbers of a customer: its own, x, y, demand, ready time, due date, service time.
const COLUMNS: usize = 7;

fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1 << 12)];
    let mut lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| line.eq_ignore_ascii_case(b"VEHICLE"))
        && lines.any(|line| line.eq_ignore_ascii_case(b"CUSTOMER"))
}

/// The length of the way from `a` to `b`.
pub(crate) fn length(a: [f64; 2], b: [f64; 2]) -> f64 {
    ((a[0] - b[0]).hypot(a[1] - b[1]) * 1e4).round() / 1e4
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty()).peekable();
    let name =
        lines.next_if(|(_, line)| !line.eq_ignore_ascii_case("VEHICLE")).map(|(_, line)| line.to_owned());
    let (line, fleet) = first_numbers(&mut lines, "VEHICLE")?;
    let [vehicles, capacity] = fleet[..] else { return Err(columns(line, "VEHICLE", 2, fleet.len())) };
    let mut customers: Vec<[f64; COLUMNS]> = Vec::new();
    let (line, depot) = first_numbers(&mut lines, "CUSTOMER")?;
    customers.push(customer(line, &depot)?);
    for (line, text) in lines {
        customers.push(customer(line, &numbers(line, text)?)?);
    }
    bounded(given.room(), customers.len(), customers.len())?;
    let points: Vec<[f64; 2]> = customers.iter().map(|row| [row[2], row[1]]).collect();
    let distance = Matrix::from_fn(points.len(), |from, to| length(points[from], points[to]));
    if !distance.values().iter().all(|value| value.is_finite()) {
        return Err(bad_number(line, "coordinates that far apart"));
    }
    // Numbers that are not the indices are names.
    let counted = customers.iter().enumerate().all(|(node, row)| row[0] == node as f64);
    let problem = Problem {
        name,
        demand: Some(customers.iter().map(|row| row[3]).collect()),
        capacity: Some(capacity),
        windows: Some(customers.iter().map(|row| [row[4], row[5]]).collect()),
        service: Some(customers.iter().map(|row| row[6]).collect()),
        vehicles: Some(whole(vehicles).ok_or_else(|| bad_number(line, &vehicles.to_string()))?),
        points: Some(points),
        ids: (!counted).then(|| customers.iter().map(|row| row[0].to_string()).collect()),
        ..Problem::new(Kind::Vrp, distance.into())
    };
    declared::loaded(READER.name, problem, Vec::new(), given)
}

/// The first line of numbers below the line that says `title`; column titles between are skipped.
fn first_numbers<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    title: &str,
) -> Result<(usize, Vec<f64>), FormatError> {
    let mut below = false;
    for (line, text) in lines {
        if below && text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
            return Ok((line, numbers(line, text)?));
        }
        below |= text.eq_ignore_ascii_case(title);
    }
    Err(FormatError::new(
        "missing-key",
        format!("there is no line `{title}` with numbers below it"),
        "give the parts VEHICLE and CUSTOMER; the file may be cut off",
    ))
}

fn numbers(line: usize, text: &str) -> Result<Vec<f64>, FormatError> {
    let number = |token: &str| {
        let decimal = token.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
        let value = token.parse::<f64>().ok().filter(|value| decimal && value.is_finite());
        value.ok_or_else(|| bad_number(line, token))
    };
    text.split_whitespace().map(number).collect()
}

fn customer(line: usize, numbers: &[f64]) -> Result<[f64; COLUMNS], FormatError> {
    numbers.try_into().map_err(|_| columns(line, "CUSTOMER", COLUMNS, numbers.len()))
}

fn whole(value: f64) -> Option<usize> {
    (value >= 0.0 && value.fract() == 0.0 && value < 1e9).then_some(value as usize)
}

fn columns(line: usize, title: &str, wanted: usize, found: usize) -> FormatError {
    FormatError::new(
        "wrong-count",
        format!("line {line}: a row of {title} has {wanted} numbers, this one has {found}"),
        "give the columns of Solomon's format; the file may be cut off",
    )
}

fn bad_number(line: usize, token: &str) -> FormatError {
    let token = shown(token, 40);
    FormatError::new(
        "bad-number",
        format!("line {line}: `{token}` is not a number that fits there"),
        "correct it",
    )
}
