//! GeoJSON (RFC 7946): a line per route, a point per node. Lines are straight between stops: the
//! streets are not known here.

use radar_problem::Problem;
use serde_json::{Value, json};

use super::Answer;
use super::express::{cannot, shapely};
use super::svg::palette::colour;
use crate::FormatError;

pub(super) const FORMAT: &str = "geojson";

/// Where the nodes are on the earth.
pub(super) fn places(problem: &Problem) -> Result<&[[f64; 2]], FormatError> {
    let Some(points) = &problem.points else {
        let action = "give points (lat, lon), or write svg, json, csv or sol, which need none".to_owned();
        return Err(FormatError { action, ..cannot(FORMAT, "an answer without points") });
    };
    let outside = |&[lat, lon]: &[f64; 2]| !(lat.abs() <= 90.0 && lon.abs() <= 180.0);
    if let Some(node) = points.iter().position(outside) {
        let what = format!("the point of node {node}, which is no latitude and longitude");
        return Err(FormatError {
            action: "write svg, which takes any plane".to_owned(),
            ..cannot(FORMAT, &what)
        });
    }
    Ok(points)
}

pub(super) fn write(problem: &Problem, answer: &Answer) -> Result<Vec<u8>, FormatError> {
    shapely(problem)?;
    let points = places(problem)?;
    let at = |node: usize| points.get(node).map_or(Value::Null, |&[lat, lon]| json!([lon, lat]));
    let mut features = Vec::new();
    for (index, route) in answer.schedule.iter().enumerate() {
        let Some(first) = route.stops.first() else { continue };
        let start = if first.node == 0 { None } else { Some(0) };
        let back = route.returns.map(|_| 0);
        let way: Vec<Value> =
            start.into_iter().chain(route.stops.iter().map(|stop| stop.node)).chain(back).map(at).collect();
        if way.len() < 2 {
            continue;
        }
        features.push(json!({
            "type": "Feature",
            "geometry": { "type": "LineString", "coordinates": way },
            "properties": {
                "kind": "route",
                "route": index + 1,
                "cost": route.cost,
                "distance": route.distance,
                "duration": route.duration,
                "departure": route.departure,
                "end": route.end,
                "delivered": route.delivered,
                "picked_up": route.picked_up,
                "stops": route.stops.len(),
                "stroke": colour(index),
            },
        }));
    }
    let point = |node: usize, properties: Value| {
        json!({
            "type": "Feature",
            "geometry": { "type": "Point", "coordinates": at(node) },
            "properties": properties,
        })
    };
    features.push(point(0, json!({ "kind": "depot", "node": 0, "id": problem.id(0) })));
    for (index, route) in answer.schedule.iter().enumerate() {
        for (position, stop) in route.stops.iter().enumerate().filter(|(_, stop)| stop.node != 0) {
            features.push(point(
                stop.node,
                json!({
                    "kind": "stop",
                    "node": stop.node,
                    "id": stop.id,
                    "route": index + 1,
                    "position": position + 1,
                    "arrival": stop.arrival,
                    "wait": stop.wait,
                    "start": stop.start,
                    "leave": stop.leave,
                    "load": stop.load,
                    "marker-color": colour(index),
                }),
            ));
        }
    }
    for stop in &answer.unserved {
        let properties =
            json!({ "kind": "unserved", "node": stop.node, "id": stop.id, "reasons": stop.reasons });
        features.push(point(stop.node, properties));
    }
    let mut text = json!({ "type": "FeatureCollection", "features": features }).to_string();
    text.push('\n');
    Ok(text.into_bytes())
}
