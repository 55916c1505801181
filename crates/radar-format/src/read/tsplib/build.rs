//! From the lines of a file to a problem.

use radar_problem::{Kind, Problem, Units};
use serde::de::Error;

use super::kind::{Declared, amounts_where_announced, declared};
use super::scan::Sheet;
use super::{lists, sentinel, weights};
use crate::FormatError;
use crate::read::{Given, Note, bounded};

/// The problem of a file, the depot moved to the front.
pub(super) fn problem(
    sheet: &Sheet<'_>,
    given: &Given,
    notes: &mut Vec<Note>,
) -> Result<Problem, FormatError> {
    let Declared { kind, open } = declared(sheet)?;
    sheet.text("DIMENSION")?;
    let nodes = sheet.count("DIMENSION")?.unwrap_or(0);
    // Whatever the layout, a matrix of this size is what the problem will hold.
    bounded(given.room(), nodes, nodes)?;
    let points = sheet.section("NODE_COORD_SECTION").map(|section| lists::rows(section, nodes, false));
    let points = points.transpose()?.map(|rows| rows.into_iter().map(|[x, y]| [y, x]).collect::<Vec<_>>());
    let distance = weights::distance(sheet, nodes, points.as_deref())?;
    let duration =
        sheet.section("DURATION_SECTION").map(|section| weights::full(section, nodes)).transpose()?;
    let mut problem = Problem {
        name: sheet.entry("NAME").map(|entry| String::from_utf8_lossy(entry.value).into_owned()),
        duration: duration.map(|table| sentinel::cleared(table, "DURATION_SECTION", notes)),
        capacity: sheet.number("CAPACITY")?,
        limit: sheet.number("DISTANCE")?,
        max_duration: sheet.number("MAX_DURATION")?,
        vehicles: sheet.count("VEHICLES")?,
        open,
        points,
        ..Problem::new(kind, sentinel::cleared(distance, "EDGE_WEIGHT_SECTION", notes))
    };
    amounts(sheet, &mut problem)?;
    times(sheet, &mut problem)?;
    problem.priority = per_node(sheet, "PRIORITY_SECTION", nodes)?;
    for comment in sheet.comments() {
        described(comment.value, comment.line, &mut problem, notes);
    }
    let depot = depot(sheet, nodes)?;
    if depot != 0 {
        problem = move_depot(problem, depot, notes);
    }
    if problem.limit.is_some() && problem.service.iter().flatten().any(|&time| time != 0.0) {
        notes.push(Note::new(
            "limit-travel-only",
            "there is a DISTANCE and a service time: some programs count service into the length of a route, here the limit counts travel only",
        ));
    }
    Ok(problem)
}

fn per_node(sheet: &Sheet<'_>, section: &'static str, nodes: usize) -> Result<Option<Vec<f64>>, FormatError> {
    let rows = sheet.section(section).map(|section| lists::rows(section, nodes, false)).transpose()?;
    Ok(rows.map(|rows| rows.into_iter().map(|[value]| value).collect()))
}

/// Amounts: the nodes of `BACKHAUL_SECTION` hand theirs over, all others receive it.
fn amounts(sheet: &Sheet<'_>, problem: &mut Problem) -> Result<(), FormatError> {
    if problem.kind == Kind::Vrp {
        amounts_where_announced(sheet)?;
    }
    let nodes = problem.nodes();
    problem.demand = per_node(sheet, "DEMAND_SECTION", nodes)?;
    let Some(section) = sheet.section("BACKHAUL_SECTION") else { return Ok(()) };
    let mut backhaul = vec![0.0; nodes];
    let depot = depot(sheet, nodes)?;
    for node in lists::closed(section, nodes, depot)? {
        if let Some(demand) = &mut problem.demand {
            backhaul[node] += std::mem::take(&mut demand[node]);
        }
    }
    problem.backhaul = Some(backhaul);
    Ok(())
}

/// Windows, and service times: one for each stop, or one for all stops.
fn times(sheet: &Sheet<'_>, problem: &mut Problem) -> Result<(), FormatError> {
    let nodes = problem.nodes();
    problem.windows =
        sheet.section("TIME_WINDOW_SECTION").map(|section| lists::rows(section, nodes, true)).transpose()?;
    problem.service = per_node(sheet, "SERVICE_TIME_SECTION", nodes)?;
    if problem.service.is_none() {
        let depot = depot(sheet, nodes)?;
        let of = |node, time| if node == depot { 0.0 } else { time };
        let one = sheet.number("SERVICE_TIME")?;
        problem.service = one.map(|time| (0..nodes).map(|node| of(node, time)).collect());
    }
    Ok(())
}

fn depot(sheet: &Sheet<'_>, nodes: usize) -> Result<usize, FormatError> {
    let Some(section) = sheet.section("DEPOT_SECTION") else { return Ok(0) };
    match lists::members(section, nodes)?[..] {
        [] => Ok(0),
        [depot] => Ok(depot),
        [..] => Err(FormatError::new(
            "several-depots",
            format!("DEPOT_SECTION (line {}) names more than one depot", section.line),
            "split the problem by depot",
        )),
    }
}

/// Makes `depot` node 0; the others keep their order, and every node the number it has in the file.
fn move_depot(mut problem: Problem, depot: usize, notes: &mut Vec<Note>) -> Problem {
    let nodes = problem.nodes();
    notes.push(Note::new(
        "depot-moved",
        format!(
            "the depot is node {} of the file and becomes node 0; the others keep their order, ids are the file's numbers",
            depot + 1
        ),
    ));
    problem.ids.get_or_insert_with(|| (1..=nodes).map(|number| number.to_string()).collect());
    let others = (0..nodes).filter(|&node| node != depot);
    problem.subset(&std::iter::once(depot).chain(others).collect::<Vec<_>>())
}

/// Units and ids that our own writer puts into comments.
fn described(comment: &[u8], line: usize, problem: &mut Problem, notes: &mut Vec<Note>) {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        distance: Option<String>,
        duration: Option<String>,
    }
    let understood = if let Some(units) = comment.strip_prefix(b"radar units ") {
        serde_json::from_slice(units).map(|Named { distance, duration }| {
            problem.units = Units { distance, duration };
        })
    } else if let Some(ids) = comment.strip_prefix(b"radar ids ") {
        serde_json::from_slice(ids).and_then(|ids: Vec<String>| {
            if ids.len() != problem.nodes() {
                return Err(serde_json::Error::custom(format_args!("it has {} ids", ids.len())));
            }
            problem.ids = Some(ids);
            Ok(())
        })
    } else {
        return;
    };
    if let Err(error) = understood {
        notes.push(Note::new(
            "comment-ignored",
            format!("line {line}: the comment is not understood: {error}"),
        ));
    }
}
