//! numpy archives: one problem, or a set with a leading axis.

pub(super) mod paper;
pub(super) mod rrnco;

use std::io::{Cursor, Write};

use radar_problem::{Precision, Problem, Table};
use zip::write::SimpleFileOptions;

use crate::FormatError;
use crate::read::MOST_VALUES;
use crate::read::json::VERSION;
use crate::read::npz::{LONGEST_TEXT, cells_of_a_text};
use crate::write::express::{cannot, shapely, sound};

const FORMAT: &str = "npz";

/// One problem, no leading axis.
pub(super) fn problem(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    archive(std::slice::from_ref(problem), false)
}

/// A set of problems of one size. Where only some have a thing, the others have NaN (texts: empty;
/// vehicles: -1).
pub(super) fn set(problems: &[Problem]) -> Result<Vec<u8>, FormatError> {
    archive(problems, true)
}

fn archive(problems: &[Problem], many: bool) -> Result<Vec<u8>, FormatError> {
    let nodes = of_one_size(FORMAT, problems)?;
    let mut out = Out::new(problems, many);
    out.array("version", "<i8", &[], (VERSION as i64).to_le_bytes().to_vec())?;
    out.texts("kind", &[], |problem| Some(vec![crate::kind_name(problem.kind).to_owned()]))?;
    out.tables("distance", |problem| Some(&problem.distance))?;
    out.tables("duration", |problem| problem.duration.as_ref())?;
    out.numbers("demand", &[nodes], |problem| problem.demand.clone())?;
    out.numbers("backhaul", &[nodes], |problem| problem.backhaul.clone())?;
    out.numbers("capacity", &[], |problem| problem.capacity.map(|value| vec![value]))?;
    out.numbers("windows", &[nodes, 2], |problem| problem.windows.as_ref().map(|list| list.concat()))?;
    out.numbers("service", &[nodes], |problem| problem.service.clone())?;
    out.numbers("limit", &[], |problem| problem.limit.map(|value| vec![value]))?;
    out.numbers("max_duration", &[], |problem| problem.max_duration.map(|value| vec![value]))?;
    out.truths("open", |problem| problem.open)?;
    if problems.iter().any(|problem| problem.vehicles.is_some()) {
        let count =
            |problem: &Problem| problem.vehicles.and_then(|count| i64::try_from(count).ok()).unwrap_or(-1);
        let counts = problems.iter().flat_map(|problem| count(problem).to_le_bytes()).collect();
        out.array("vehicles", "<i8", &out.shape(&[]), counts)?;
    }
    out.numbers("priority", &[nodes], |problem| problem.priority.clone())?;
    out.numbers("points", &[nodes, 2], |problem| problem.points.as_ref().map(|list| list.concat()))?;
    out.texts("ids", &[nodes], |problem| problem.ids.clone())?;
    out.texts("name", &[], |problem| problem.name.clone().map(|name| vec![name]))?;
    // Written even when unknown: a reader would otherwise guess at them.
    out.texts("units", &[2], |problem| {
        let units = [&problem.units.distance, &problem.units.duration];
        Some(units.map(|unit| unit.clone().unwrap_or_default()).to_vec())
    })?;
    out.finish()
}

/// How many nodes the problems of a set have: all the same number.
fn of_one_size(format: &str, problems: &[Problem]) -> Result<usize, FormatError> {
    let Some(first) = problems.first() else { return Err(cannot(format, "an empty set")) };
    let nodes = first.nodes();
    for problem in problems {
        sound(problem)?;
        shapely(problem)?;
        if problem.nodes() != nodes {
            let sizes = format!("problems of {nodes} and of {} nodes in one set", problem.nodes());
            return Err(FormatError { action: "write json-lines".to_owned(), ..cannot(format, &sizes) });
        }
    }
    Ok(nodes)
}

struct Out<'a> {
    zip: zip::ZipWriter<Cursor<Vec<u8>>>,
    problems: &'a [Problem],
    many: bool,
    /// How much more is read back, in values of a matrix.
    room: usize,
}

impl<'a> Out<'a> {
    fn new(problems: &'a [Problem], many: bool) -> Self {
        Self { zip: zip::ZipWriter::new(Cursor::new(Vec::new())), problems, many, room: MOST_VALUES }
    }

    /// Truths, unless all are false.
    fn truths(&mut self, name: &str, is: impl Fn(&Problem) -> bool) -> Result<(), FormatError> {
        let truths: Vec<u8> = self.problems.iter().map(|problem| u8::from(is(problem))).collect();
        match truths.contains(&1) {
            true => self.array(name, "|b1", &self.shape(&[]), truths),
            false => Ok(()),
        }
    }

    /// `sides` behind the leading axis of a set.
    fn shape(&self, sides: &[usize]) -> Vec<usize> {
        self.many.then_some(self.problems.len()).into_iter().chain(sides.iter().copied()).collect()
    }

    /// Refuses what would not be read back, before it is laid out.
    fn claim(&mut self, name: &str, count: usize, cells: usize) -> Result<(), FormatError> {
        let left = count.checked_mul(cells).and_then(|cells| self.room.checked_sub(cells));
        self.room = left.ok_or_else(|| FormatError {
            action: "write json or json-lines, or shorter texts".to_owned(),
            ..cannot(FORMAT, &format!("so much as {name}: at most {MOST_VALUES} values are read"))
        })?;
        Ok(())
    }

    fn numbers(
        &mut self,
        name: &str,
        sides: &[usize],
        list: impl Fn(&Problem) -> Option<Vec<f64>>,
    ) -> Result<(), FormatError> {
        let lists: Vec<Option<Vec<f64>>> = self.problems.iter().map(list).collect();
        if lists.iter().all(Option::is_none) {
            return Ok(());
        }
        let length = sides.iter().product();
        self.claim(name, lists.len(), length)?;
        let absent = || vec![f64::NAN; length];
        let bytes = lists.into_iter().flat_map(|list| list.unwrap_or_else(absent)).flat_map(f64::to_le_bytes);
        let bytes = bytes.collect();
        self.array(name, "<f8", &self.shape(sides), bytes)
    }

    fn tables(
        &mut self,
        name: &str,
        table: impl Fn(&'a Problem) -> Option<&'a Table>,
    ) -> Result<(), FormatError> {
        let tables: Vec<Option<&Table>> = self.problems.iter().map(table).collect();
        let Some(precision) = tables.iter().flatten().map(|table| table.precision()).next() else {
            return Ok(());
        };
        if tables.iter().flatten().any(|table| table.precision() != precision) {
            return Err(cannot(FORMAT, &format!("{name} of single and of double precision in one set")));
        }
        let nodes = self.problems.first().map_or(0, Problem::nodes);
        self.claim(name, tables.len(), nodes * nodes)?;
        let mut bytes = Vec::new();
        for table in tables {
            let mut push = |value: f64| match precision {
                Precision::Single => bytes.extend((value as f32).to_le_bytes()),
                Precision::Double => bytes.extend(value.to_le_bytes()),
            };
            match table {
                Some(table) => table.iter().for_each(push),
                None => (0..nodes * nodes).for_each(|_| push(f64::NAN)),
            }
        }
        let descr = if precision == Precision::Single { "<f4" } else { "<f8" };
        self.array(name, descr, &self.shape(&[nodes, nodes]), bytes)
    }

    fn texts(
        &mut self,
        name: &str,
        sides: &[usize],
        list: impl Fn(&Problem) -> Option<Vec<String>>,
    ) -> Result<(), FormatError> {
        let lists: Vec<Option<Vec<String>>> = self.problems.iter().map(list).collect();
        if lists.iter().all(Option::is_none) {
            return Ok(());
        }
        let length = sides.iter().product();
        let texts: Vec<String> =
            lists.into_iter().flat_map(|list| list.unwrap_or_else(|| vec![String::new(); length])).collect();
        if let Some(text) = texts.iter().find(|text| text.contains('\0')) {
            return Err(cannot(FORMAT, &format!("the text {text:?}, which holds a zero")));
        }
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        if width > LONGEST_TEXT {
            let cause = format!("a text of {width} characters in {name}, only of up to {LONGEST_TEXT}");
            return Err(FormatError { action: "write json".to_owned(), ..cannot(FORMAT, &cause) });
        }
        self.claim(name, texts.len(), cells_of_a_text(width))?;
        let mut bytes = Vec::with_capacity(texts.len() * width * 4);
        for text in &texts {
            let padded = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
            bytes.extend(padded.flat_map(u32::to_le_bytes));
        }
        self.array(name, &format!("<U{width}"), &self.shape(sides), bytes)
    }

    fn array(&mut self, name: &str, descr: &str, shape: &[usize], data: Vec<u8>) -> Result<(), FormatError> {
        let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        let mut header = format!(
            "{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}",
            sides.join(", ")
        );
        // The data begin at a multiple of 64 bytes, as numpy has it.
        let unpadded = 10 + header.len() + 1;
        header.push_str(&" ".repeat(unpadded.next_multiple_of(64) - unpadded));
        header.push('\n');
        let options = SimpleFileOptions::default().large_file(data.len() > u32::MAX as usize / 2);
        let failed = |error: String| FormatError::new("npz-damaged", error, "report this");
        self.zip.start_file(format!("{name}.npy"), options).map_err(|error| failed(error.to_string()))?;
        let length = (header.len() as u16).to_le_bytes();
        for part in [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), &data] {
            self.zip.write_all(part).map_err(|error| failed(error.to_string()))?;
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<u8>, FormatError> {
        let done = self.zip.finish().map(Cursor::into_inner);
        done.map_err(|error| FormatError::new("npz-damaged", error.to_string(), "report this"))
    }
}
