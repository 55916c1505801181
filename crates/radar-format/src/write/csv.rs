//! A problem as CSV: the matrix alone, and in parts.
//!
//! A problem that is more than a matrix is split into `matrix`, `stops` and options of the command
//! line. The two are parts by name; only what none of the three can carry, a second matrix, is refused.

use radar_problem::Problem;

use super::express::{cannot, refuse_others, shapely, sound};
use super::number::{Plain, stated};
use crate::FormatError;

/// A problem that is a matrix and nothing else. The kind is for the reader to state.
pub(super) fn whole(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    refuse_others("csv", problem, &["ids"]).map_err(|error| match problem.duration {
        Some(_) => error,
        None => FormatError {
            action: format!(
                "write it as json; or in parts, as matrix and as stops, and state {} when they are read",
                options(problem).join(" ")
            ),
            ..error
        },
    })?;
    matrix(problem)
}

/// The options that state what neither `matrix` nor `stops` holds: they make a whole of the parts.
pub fn options(problem: &Problem) -> Vec<String> {
    let amount = |name: &str, value: Option<f64>| value.map(|value| format!("--{name} {}", Plain(value)));
    let mut options = vec![format!("--kind {}", crate::kind_name(problem.kind))];
    options.extend(amount("capacity", problem.capacity));
    options.extend(amount("limit", problem.limit));
    options.extend(amount("max-duration", problem.max_duration));
    options.extend(problem.vehicles.map(|count| format!("--vehicles {count}")));
    options.extend(problem.open.then(|| "--open".to_owned()));
    options
}

/// The distances of any problem, with a header row and column when there are ids. A second matrix is
/// refused, since without it the distances would be taken for the times.
pub(super) fn matrix(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    if problem.duration.is_some() {
        return Err(cannot("matrix", "duration"));
    }
    sound(problem)?;
    shapely(problem)?;
    // A corner with a word tells headers of numbers from costs.
    let header = problem.ids.iter().map(|ids| {
        let names = ids.iter().map(String::as_str);
        std::iter::once("from").chain(names).map(str::to_owned).collect()
    });
    let rows = (0..problem.nodes()).map(|from| {
        let label = problem.ids.as_ref().map(|ids| ids[from].clone());
        let cells = (0..problem.nodes()).map(|to| {
            let value =
                if from == to { 0.0 } else { stated(&problem.distance, problem.distance.at(from, to)) };
            Plain(value).to_string()
        });
        label.into_iter().chain(cells).collect()
    });
    sheet(header.chain(rows))
}

/// What a problem says about its nodes, as a stops CSV: one row per node, the depot first. It goes
/// with a table of travel costs; what concerns vehicles (capacity, limits, fleet) is in [`options`].
pub fn stops(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    sound(problem)?;
    shapely(problem)?;
    let mut columns: Vec<(&str, Vec<String>)> = Vec::new();
    let plain = |values: &[f64]| values.iter().map(|&value| Plain(value).to_string()).collect();
    let each = |pairs: &[[f64; 2]], at: usize| pairs.iter().map(|pair| Plain(pair[at]).to_string()).collect();
    columns.extend(problem.ids.clone().map(|ids| ("id", ids)));
    if let Some(points) = &problem.points {
        columns.push(("lat", each(points, 0)));
        columns.push(("lon", each(points, 1)));
    }
    if let Some(windows) = &problem.windows {
        columns.push(("open", each(windows, 0)));
        columns.push(("close", each(windows, 1)));
    }
    let lists = [
        ("demand", &problem.demand),
        ("backhaul", &problem.backhaul),
        ("service", &problem.service),
        ("priority", &problem.priority),
    ];
    for (name, list) in lists {
        if let Some(list) = list {
            columns.push((name, plain(list)));
        }
    }
    if columns.is_empty() {
        columns.push(("id", (0..problem.nodes()).map(|node| problem.id(node)).collect()));
    }
    let mut rows = vec![columns.iter().map(|(name, _)| (*name).to_owned()).collect()];
    for node in 0..problem.nodes() {
        rows.push(columns.iter().map(|(_, cells)| cells[node].clone()).collect());
    }
    sheet(rows)
}

/// The bytes of rows of cells, quoted where needed.
pub(super) fn sheet(rows: impl IntoIterator<Item = Vec<String>>) -> Result<Vec<u8>, FormatError> {
    let failed = |error: String| FormatError::new("csv-syntax", error, "report this");
    // Texts are always quoted, so that a delimiter of another dialect inside them is no riddle.
    let mut builder = ::csv::WriterBuilder::new();
    let mut writer = builder.quote_style(::csv::QuoteStyle::NonNumeric).from_writer(Vec::new());
    for row in rows {
        writer.write_record(&row).map_err(|error| failed(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| failed(error.to_string()))
}
