//! numpy archives: our own sets, tables of cities, the paper's test sets and RRNCO's.
//!
//! The layout is told by the names of the arrays: `dist` is the paper's, `distance_matrix` RRNCO's,
//! `distance` our own, of which a city of RRNCO (`points`, `distance`, `duration`) is a part.

mod npy;
mod numbers;
mod own;
mod paper;
mod rrnco;
mod units;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::Range;

use radar_problem::{Problem, Table};

use self::npy::Array;
pub(crate) use self::npy::{LONGEST_TEXT, cells_of_a_text};
use super::shown::shown;
pub(crate) use paper::capacity as paper_capacity;

use super::{Given, Loaded, MOST_VALUES, Note, Reader, note_once};
use crate::FormatError;

pub(super) static READER: Reader = Reader { name: "npz", recognises, read };

/// What a problem takes besides its matrix, in values of a matrix.
const OVERHEAD: usize = 64;

/// More arrays than any layout has.
const MOST_ARRAYS: usize = 64;

fn recognises(_name: Option<&str>, bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

fn read(bytes: &[u8], given: &Given) -> Result<Loaded, FormatError> {
    let arrays = Arrays::open(bytes, given)?;
    let mut notes = Vec::new();
    let mut problems = if arrays.get("dist").is_some() {
        paper::problems(&arrays, given, &mut notes)?
    } else if arrays.get("distance_matrix").is_some() {
        rrnco::problems(&arrays, given, &mut notes)?
    } else {
        own::problems(&arrays, given, &mut notes)?
    };
    for problem in &mut problems {
        notes.extend(given.complete(problem)?);
        // A layout that declares no kind leaves it open until everything is known.
        if arrays.get("kind").is_none() {
            problem.kind = super::kind_of(given, problem)?;
        }
    }
    notes.dedup();
    Ok(Loaded { format: READER.name, problems, notes })
}

/// The arrays of an archive by name.
struct Arrays(BTreeMap<String, Array>);

impl Arrays {
    fn open(bytes: &[u8], given: &Given) -> Result<Self, FormatError> {
        let damaged = |error: zip::result::ZipError| {
            FormatError::new(
                "npz-damaged",
                format!("the archive cannot be opened: {error}"),
                "write it again",
            )
        };
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
        if archive.len() > MOST_ARRAYS {
            let cause = format!("the archive has {} files", archive.len());
            return Err(FormatError::new("too-large", cause, format!("at most {MOST_ARRAYS} are read")));
        }
        // One allowance for all arrays together, so that many large ones are no way around it.
        let mut room = given.room();
        let mut arrays = BTreeMap::new();
        for index in 0..archive.len() {
            let file = archive.by_index(index).map_err(damaged)?;
            let name = file.name().map_err(damaged)?.into_owned();
            let name = name.strip_suffix(".npy").unwrap_or(&name).to_owned();
            let array = Array::read(&shown(&name, 40), file, &mut room)?;
            arrays.insert(name, array);
        }
        Ok(Self(arrays))
    }

    fn get(&self, name: &str) -> Option<&Array> {
        self.0.get(name)
    }

    /// Refuses arrays that are not in `known`.
    fn refuse_others(&self, known: &[&str]) -> Result<(), FormatError> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => Err(FormatError::unknown_key("array of a problem", name, known)),
            None => Ok(()),
        }
    }

    /// The instances that the matrix `name` spans: (N, N) is one, (B, N, N) are B.
    fn set(&self, name: &'static str) -> Result<Set<'_>, FormatError> {
        let Some(array) = self.get(name) else {
            let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let cause = format!("the archive has the arrays {}", shown(&names.join(", "), 400));
            return Err(FormatError::new(
                "missing-key",
                cause,
                "a problem has `distance`; the paper's sets `dist`",
            ));
        };
        let (many, nodes) = match array.shape[..] {
            [rows, columns] if rows == columns => (None, rows),
            [count, rows, columns] if rows == columns => (Some(count), rows),
            _ => return Err(wrong_shape(name, &array.shape, "(N, N) or (B, N, N)")),
        };
        if nodes == 0 {
            return Err(wrong_shape(name, &array.shape, "of at least one node"));
        }
        // A matrix of nothing, or of one value, is no measure of the problem built around it.
        let each = nodes.checked_mul(nodes).and_then(|values| values.checked_add(OVERHEAD));
        let all = each.and_then(|each| each.checked_mul(many.unwrap_or(1)));
        match all.is_some_and(|all| all <= MOST_VALUES) {
            true => Ok(Set { arrays: self, many, nodes }),
            false => Err(FormatError::new(
                "too-large",
                format!("the array `{name}` of shape {:?} is of too many problems", array.shape),
                "split the set",
            )),
        }
    }
}

/// One or many instances of one size.
struct Set<'a> {
    arrays: &'a Arrays,
    /// How many, or `None` for a single one without a leading axis.
    many: Option<usize>,
    nodes: usize,
}

impl<'a> Set<'a> {
    /// The part of the `count` values of `array` that belongs to one instance: `sides` behind the leading axis.
    fn part(
        &self,
        name: &str,
        array: &Array,
        count: usize,
        sides: &[usize],
        instance: usize,
    ) -> Result<Range<usize>, FormatError> {
        let length: usize = sides.iter().product();
        let shape: Vec<usize> = self.many.into_iter().chain(sides.iter().copied()).collect();
        let (own, wanted): (Vec<usize>, Vec<usize>) =
            (trimmed(&array.shape, shape.len()), trimmed(&shape, shape.len()));
        if own != wanted {
            return Err(wrong_shape(name, &array.shape, &format!("{shape:?}")));
        }
        let start = instance * length;
        match start + length <= count {
            true => Ok(start..start + length),
            false => Err(wrong_shape(name, &array.shape, &format!("{shape:?}"))),
        }
    }

    /// The numbers of one instance as stated decimals; `None` when absent or marked so by NaN.
    fn list(&self, name: &str, sides: &[usize], instance: usize) -> Result<Option<Vec<f64>>, FormatError> {
        let Some(array) = self.arrays.get(name) else { return Ok(None) };
        let numbers = array.numbers(name)?;
        let part = self.part(name, array, numbers.len(), sides, instance)?;
        Ok((!numbers.is_absent(part.clone())).then(|| numbers.stated(part)))
    }

    /// One number of one instance.
    fn number(&self, name: &str, instance: usize) -> Result<Option<f64>, FormatError> {
        Ok(self.list(name, &[], instance)?.and_then(|list| list.first().copied()))
    }

    /// The matrix of one instance.
    fn table(&self, name: &str, instance: usize) -> Result<Option<Table>, FormatError> {
        let Some(array) = self.arrays.get(name) else { return Ok(None) };
        let numbers = array.numbers(name)?;
        let part = self.part(name, array, numbers.len(), &[self.nodes, self.nodes], instance)?;
        Ok((!numbers.is_absent(part.clone())).then(|| numbers.table(self.nodes, part)))
    }

    /// The texts of one instance.
    fn texts(
        &self,
        name: &str,
        sides: &[usize],
        instance: usize,
    ) -> Result<Option<&'a [String]>, FormatError> {
        let Some(array) = self.arrays.get(name) else { return Ok(None) };
        let texts = array.texts(name)?;
        Ok(texts.get(self.part(name, array, texts.len(), sides, instance)?))
    }

    /// Builds the problem of every instance.
    fn each(
        &self,
        mut build: impl FnMut(usize) -> Result<Problem, FormatError>,
    ) -> Result<Vec<Problem>, FormatError> {
        let count = self.many.unwrap_or(1);
        // As many were read already; growing step by step would hold them twice.
        let mut problems = Vec::with_capacity(count);
        for instance in 0..count {
            problems.push(build(instance)?);
        }
        Ok(problems)
    }
}

/// A shape without the trailing axes of length 1 that some writers add to a number per instance.
fn trimmed(shape: &[usize], least: usize) -> Vec<usize> {
    let mut shape = shape.to_vec();
    while shape.len() > least && shape.last() == Some(&1) {
        shape.pop();
    }
    shape
}

fn wrong_shape(name: &str, found: &[usize], wanted: &str) -> FormatError {
    let cause = format!("the array `{name}` has shape {found:?}");
    FormatError::new("wrong-shape", cause, format!("it should be {wanted}"))
}

/// Pairs out of a flat list.
fn paired(flat: Vec<f64>) -> Vec<[f64; 2]> {
    flat.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}
