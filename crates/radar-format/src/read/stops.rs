//! A stops CSV: what a table of travel costs does not say about its nodes.
//!
//! One row per node, the depot first. The header names the columns; every column but none in
//! particular may be missing.

use std::collections::BTreeMap;

use ::csv::StringRecord;
use radar_problem::Problem;

use super::Note;
use super::number::{clock, decimal};
use super::sheet::{Numerals, line, records};
use super::shown::shown;
use super::unit::TimeUnit;
use crate::{FormatError, Origin};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Id,
    Latitude,
    Longitude,
    Demand,
    Backhaul,
    Open,
    Close,
    Service,
    Priority,
}

/// Every name of every column; the first of a column is the one that is written.
const NAMES: &[(&str, Column)] = &[
    ("id", Column::Id),
    ("name", Column::Id),
    ("lat", Column::Latitude),
    ("latitude", Column::Latitude),
    ("lon", Column::Longitude),
    ("lng", Column::Longitude),
    ("longitude", Column::Longitude),
    ("demand", Column::Demand),
    ("delivery", Column::Demand),
    ("backhaul", Column::Backhaul),
    ("pickup", Column::Backhaul),
    ("open", Column::Open),
    ("tw_start", Column::Open),
    ("ready", Column::Open),
    ("close", Column::Close),
    ("tw_end", Column::Close),
    ("due", Column::Close),
    ("service", Column::Service),
    ("service_time", Column::Service),
    ("priority", Column::Priority),
];

impl Column {
    /// The name that is written.
    fn name(self) -> &'static str {
        NAMES.iter().find(|(_, column)| *column == self).map_or("", |(name, _)| name)
    }
}

/// Adds to `problem` what the stops CSV says about its nodes. Where both have ids, rows are matched
/// by id; otherwise row by row. Times of day become the unit of the problem's travel times, which must be stated.
pub fn apply(problem: &mut Problem, bytes: &[u8]) -> Result<Vec<Note>, FormatError> {
    let placed = |error: FormatError| FormatError { origin: Origin::Stops, ..error };
    let mut sheet = Sheet::parse(bytes).map_err(placed)?;
    fill(problem, &mut sheet).map_err(placed)
}

fn fill(problem: &mut Problem, sheet: &mut Sheet) -> Result<Vec<Note>, FormatError> {
    let mut notes = Vec::new();
    let nodes = problem.nodes();
    if sheet.rows.len() != nodes {
        return Err(FormatError::new(
            "stops-count",
            format!("there are {} rows for a table of {nodes} nodes", sheet.rows.len()),
            "give one row per node, the depot first",
        ));
    }
    if let (Some(ids), Some(column)) = (&problem.ids, sheet.column(Column::Id)) {
        sheet.reorder(ids, column, &mut notes)?;
    }
    notes.extend(sheet.replaced(problem));
    let unit = TimeUnit::of(problem);
    if let Some(ids) = sheet.ids()? {
        problem.ids = Some(ids);
    }
    let amount = |text: &str| decimal(text);
    match (sheet.list(Column::Latitude, None, amount)?, sheet.list(Column::Longitude, None, amount)?) {
        (None, None) => {}
        (Some(lat), Some(lon)) => {
            let points: Vec<[f64; 2]> = lat.into_iter().zip(lon).map(|(lat, lon)| [lat, lon]).collect();
            notes.extend(off_the_earth(&points));
            problem.points = Some(points);
        }
        (lat, _) => {
            let there = if lat.is_some() { "lat" } else { "lon" };
            let cause = format!("there is a column {there} without the other coordinate");
            return Err(FormatError::new("stops-point", cause, "give both lat and lon"));
        }
    }
    if let Some(demand) = sheet.list(Column::Demand, Some(0.0), amount)? {
        problem.demand = Some(demand);
    }
    if let Some(backhaul) = sheet.list(Column::Backhaul, Some(0.0), amount)? {
        problem.backhaul = Some(backhaul);
    }
    if let Some(priority) = sheet.list(Column::Priority, Some(1.0), amount)? {
        problem.priority = Some(priority);
    }
    let mut clocks = 0;
    let mut time = |text: &str| match clock(text) {
        Some(seconds) => {
            clocks += 1;
            let unit = unit.as_ref().ok().copied().flatten();
            Some(seconds / unit.map_or(1.0, |unit| unit.seconds))
        }
        None => decimal(text),
    };
    let opens = sheet.list(Column::Open, Some(0.0), &mut time)?;
    let closes = sheet.list(Column::Close, Some(f64::INFINITY), &mut time)?;
    if opens.is_some() || closes.is_some() {
        // What the file states of a window stands where the column is not there.
        let stated = problem.windows.take().filter(|windows| windows.len() == nodes);
        let stated = stated.unwrap_or_else(|| vec![[0.0, f64::INFINITY]; nodes]);
        let opens = opens.unwrap_or_else(|| stated.iter().map(|&[open, _]| open).collect());
        let closes = closes.unwrap_or_else(|| stated.iter().map(|&[_, close]| close).collect());
        problem.windows = Some(opens.into_iter().zip(closes).map(|(open, close)| [open, close]).collect());
    }
    if let Some(service) = sheet.list(Column::Service, Some(0.0), &mut time)? {
        problem.service = Some(service);
    }
    notes.extend(sheet.numerals.note()?);
    if clocks > 0 {
        let missing = || {
            let cause = "there are times of day, and nothing says what the table counts in";
            FormatError::new("clock-without-unit", cause, "say it with --unit s, --unit min or --unit h")
        };
        let unit = unit?.ok_or_else(missing)?;
        let text = format!("{clocks} times of day were taken as {} since midnight", unit.name);
        notes.push(Note::new("clock-times", text));
        problem.units.duration.get_or_insert_with(|| unit.short.to_owned());
    }
    Ok(notes)
}

/// What to say of points that are no latitudes and longitudes where nothing else is meant.
pub(super) fn off_the_earth(points: &[[f64; 2]]) -> Option<Note> {
    let is_outside = |&[lat, lon]: &[f64; 2]| lat.abs() > 90.0 || lon.abs() > 180.0;
    let node = points.iter().position(is_outside)?;
    let [lat, lon] = points[node];
    let text = format!(
        "node {node} is at lat {lat}, lon {lon}, which is nowhere on the earth; they may be exchanged"
    );
    Some(Note::new("points-outside", text))
}

struct Sheet {
    columns: Vec<Column>,
    rows: Vec<StringRecord>,
    numerals: Numerals,
}

impl Sheet {
    fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let (delimiter, mut rows) = records(bytes)?;
        if rows.is_empty() {
            return Err(FormatError::new(
                "stops-empty",
                "it is empty",
                "give a header and one row per node, the depot first",
            ));
        }
        let header = rows.remove(0);
        let mut columns: Vec<Column> = Vec::new();
        for name in &header {
            let lower = name.trim().to_lowercase();
            let Some(&(_, column)) = NAMES.iter().find(|(known, _)| *known == lower) else {
                let known: Vec<&str> = NAMES.iter().map(|(known, _)| *known).collect();
                return Err(FormatError::unknown_key("column of a stops CSV", name, &known));
            };
            if columns.contains(&column) {
                let cause = format!("the column `{name}` stands for something another column says already");
                return Err(FormatError::new("duplicate-key", cause, "keep one of them"));
            }
            columns.push(column);
        }
        for cells in &rows {
            if cells.len() != columns.len() {
                return Err(FormatError::new(
                    "csv-ragged",
                    format!("line {} has {} cells, the header {}", line(cells), cells.len(), columns.len()),
                    "give every row all cells; an empty cell is fine",
                ));
            }
        }
        Ok(Self { columns, rows, numerals: Numerals::of(delimiter) })
    }

    fn column(&self, column: Column) -> Option<usize> {
        self.columns.iter().position(|&other| other == column)
    }

    fn ids(&self) -> Result<Option<Vec<String>>, FormatError> {
        let Some(column) = self.column(Column::Id) else { return Ok(None) };
        let ids: Vec<String> =
            self.rows.iter().map(|row| row.get(column).unwrap_or_default().to_owned()).collect();
        match ids.iter().position(|id| id.trim().is_empty()) {
            None => Ok(Some(ids)),
            Some(row) => {
                let cause = format!("line {} has no id", line(&self.rows[row]));
                Err(FormatError::new("stops-id", cause, "give every node an id, or leave the column out"))
            }
        }
    }

    /// Brings the rows into the order of the table's ids.
    fn reorder(&mut self, ids: &[String], column: usize, notes: &mut Vec<Note>) -> Result<(), FormatError> {
        let place: BTreeMap<&str, usize> =
            ids.iter().enumerate().map(|(node, id)| (id.as_str(), node)).collect();
        let mut order = vec![None; ids.len()];
        for (row, cells) in self.rows.iter().enumerate() {
            let id = cells.get(column).unwrap_or_default();
            let slot = place.get(id).and_then(|&node| order.get_mut(node)).filter(|slot| slot.is_none());
            let Some(slot) = slot else {
                return Err(FormatError::new(
                    "stops-id",
                    format!(
                        "id `{}` on line {} is not in the table, or comes twice",
                        shown(id, 40),
                        line(cells)
                    ),
                    "give each id of the table once, or leave the id column out to match by order",
                ));
            };
            *slot = Some(row);
        }
        let order: Vec<usize> = order.into_iter().flatten().collect();
        if order.iter().enumerate().any(|(node, &row)| node != row) {
            let text = "the rows of the stops were matched to the table by id, not by order";
            notes.push(Note::new("stops-reordered", text));
            self.rows = order.into_iter().map(|row| self.rows[row].clone()).collect();
        }
        Ok(())
    }

    /// The columns that say anew what the file of the table says otherwise. Ids are matched, and
    /// points are for pictures: an engine states where it found a street, the stops where the door is.
    fn replaced(&self, problem: &Problem) -> Option<Note> {
        let stated = [
            (Column::Demand, problem.demand.is_some()),
            (Column::Backhaul, problem.backhaul.is_some()),
            (Column::Open, problem.windows.is_some()),
            (Column::Close, problem.windows.is_some()),
            (Column::Service, problem.service.is_some()),
            (Column::Priority, problem.priority.is_some()),
        ];
        let twice = stated.into_iter().filter(|&(column, stated)| stated && self.column(column).is_some());
        let names: Vec<&str> = twice.map(|(column, _)| column.name()).collect();
        (!names.is_empty()).then(|| {
            let text = format!("the stops CSV replaced what the file itself states: {}", names.join(", "));
            Note::new("stops-replaced", text)
        })
    }

    /// The values of a column, if it is there; `empty` is what an empty cell means, if it may be.
    fn list(
        &mut self,
        column: Column,
        empty: Option<f64>,
        mut value: impl FnMut(&str) -> Option<f64>,
    ) -> Result<Option<Vec<f64>>, FormatError> {
        let Some(at) = self.column(column) else { return Ok(None) };
        let mut list = Vec::with_capacity(self.rows.len());
        for cells in &self.rows {
            let cell = cells.get(at).unwrap_or_default();
            let read = match (cell.trim().is_empty(), empty) {
                (true, Some(meaning)) => Some(meaning),
                (true, None) => None,
                (false, _) => self.numerals.value(cell, &mut value),
            };
            let Some(read) = read else {
                return Err(FormatError::new(
                    "not-a-number",
                    format!("line {} has `{}` as {}", line(cells), shown(cell, 40), column.name()),
                    "give a number; times may also be written 08:30 or 08:30:15",
                ));
            };
            list.push(read);
        }
        Ok(Some(list))
    }
}
