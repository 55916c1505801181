//! VRPLIB with a full matrix, LKH-3's extensions, and ours where it has none.

use std::fmt::{Display, Write};

use radar_problem::{Feature, Features, Kind, Problem, Variant};

use super::express::{cannot, only, shapely, sound};
use super::number::Plain;
use super::tsplib::{coordinates, explicit, header, matrix};
use crate::FormatError;

/// Writes routes with every feature.
pub(super) fn problem(problem: &Problem) -> Result<Vec<u8>, FormatError> {
    only("vrplib", problem, Kind::Vrp, "tsplib")?;
    sound(problem)?;
    shapely(problem)?;
    let mut text = header(problem, &type_name(problem));
    key(&mut text, "CAPACITY", problem.capacity.map(Plain));
    key(&mut text, "DISTANCE", problem.limit.map(Plain));
    key(&mut text, "MAX_DURATION", problem.max_duration.map(Plain));
    key(&mut text, "VEHICLES", problem.vehicles);
    explicit(&mut text);
    coordinates(&mut text, problem);
    matrix(&mut text, "EDGE_WEIGHT_SECTION", &problem.distance);
    if let Some(duration) = &problem.duration {
        matrix(&mut text, "DURATION_SECTION", duration);
    }
    amounts(&mut text, problem)?;
    let windows = problem.windows.as_ref().map(|windows| {
        windows.iter().map(|&[open, close]| format!("{} {}", Plain(open), Plain(close))).collect()
    });
    section(&mut text, "TIME_WINDOW_SECTION", windows);
    section(&mut text, "SERVICE_TIME_SECTION", problem.service.as_deref().map(plain));
    section(&mut text, "PRIORITY_SECTION", problem.priority.as_deref().map(plain));
    text.push_str("DEPOT_SECTION\n1\n-1\nEOF\n");
    Ok(text.into_bytes())
}

/// LKH-3's name of the variant where it has one, else ours.
fn type_name(problem: &Problem) -> String {
    let features = problem.features();
    let both = Features::NONE.with(Feature::Backhaul).with(Feature::Windows);
    let theirs = [
        (Features::NONE.with(Feature::Windows), "CVRPTW"),
        (Features::NONE.with(Feature::Open), "OVRP"),
        (Features::NONE.with(Feature::Backhaul), "VRPB"),
        (both, "VRPBTW"),
    ];
    let theirs = theirs.into_iter().find(|(set, _)| *set == features).map(|(_, name)| name.to_owned());
    theirs.unwrap_or_else(|| Variant::Vrp(features).to_string())
}

/// One section for both amounts, and the list of those that hand over.
fn amounts(text: &mut String, problem: &Problem) -> Result<(), FormatError> {
    // A capacity announces amounts: without them a file looks cut off.
    if problem.demand.is_none() && problem.backhaul.is_none() && problem.capacity.is_none() {
        return Ok(());
    }
    let at = |list: &Option<Vec<f64>>, node: usize| list.as_ref().map_or(0.0, |list| list[node]);
    let mut rows = Vec::with_capacity(problem.nodes());
    let mut handing = Vec::new();
    for node in 0..problem.nodes() {
        let (delivery, pickup) = (at(&problem.demand, node), at(&problem.backhaul, node));
        if delivery != 0.0 && pickup != 0.0 {
            return Err(cannot("vrplib", &format!("both a delivery and a pickup at node {node}")));
        }
        if pickup != 0.0 {
            handing.push(node + 1);
        }
        rows.push(Plain(delivery + pickup).to_string());
    }
    section(text, "DEMAND_SECTION", Some(rows));
    if problem.backhaul.is_some() {
        text.push_str("BACKHAUL_SECTION\n");
        for node in handing {
            let _ = writeln!(text, "{node}");
        }
        text.push_str("-1\n");
    }
    Ok(())
}

fn key(text: &mut String, key: &str, value: Option<impl Display>) {
    if let Some(value) = value {
        let _ = writeln!(text, "{key} : {value}");
    }
}

fn section(text: &mut String, name: &str, rows: Option<Vec<String>>) {
    let Some(rows) = rows else { return };
    let _ = writeln!(text, "{name}");
    for (node, row) in rows.iter().enumerate() {
        let _ = writeln!(text, "{} {row}", node + 1);
    }
}

fn plain(values: &[f64]) -> Vec<String> {
    values.iter().map(|&value| Plain(value).to_string()).collect()
}
