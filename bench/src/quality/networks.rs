//! `bench/run networks --model FILE`: what a network builds by itself on the test sets, greedily from every start. Costs are kept, so that
//! gaps follow the references.

use std::path::Path;
use std::time::Instant;

use radar::{Lanes, Model};
use radar_net::decode::{Isa, Starts};
use radar_net::{Checkpoint, Decoding};
use serde_json::{Map, Value, json};

use super::arguments::{Arguments, USAGE};
use super::book::Book;
use super::references;
use super::set::Set;
use crate::{Row, memory};

/// Where results are kept, a file a network.
pub const FOLDER: &str = "quality/networks";

pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    let arguments = Arguments::parse(arguments)?;
    let model = load(&arguments)?;
    std::fs::create_dir_all(FOLDER).map_err(|error| format!("{FOLDER}: {error}"))?;
    let name = model.card().name.clone();
    let path = Path::new(FOLDER).join(format!("{name}.json"));
    // Results of some sets are put beside those of others; of the same network, or they would be mixed.
    let card = serde_json::to_value(model.card()).map_err(|error| error.to_string())?;
    let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let mut results = match kept {
        Some(kept) if kept["card"] == card => kept["sets"].as_object().cloned().unwrap_or_default(),
        _ => Map::new(),
    };
    let mut rows = Vec::new();
    for set in arguments.sets()?.iter().filter(|set| suits(&model, set)) {
        let book = Book::open(Path::new(references::FOLDER), &set.slug(), set.count)?;
        let result = measure(&model, set)?;
        let costs = result["costs"].as_array().into_iter().flatten().filter_map(Value::as_f64);
        let gaps: Vec<f64> = costs.enumerate().filter_map(|(index, cost)| book.gap(index, cost)).collect();
        rows.push(Row::plain(
            format!("{name}, {}: mean gap of {}", set.name, gaps.len()),
            100.0 * mean(&gaps).0,
            "%",
        ));
        results.insert(set.name.clone(), result);
        let lines = results.iter().map(|(set, result)| format!("{}: {result}", json!(set)));
        let (isa, lines) = (json!(model.isa().to_string()), in_lines(lines));
        let text = format!("{{\n\"card\": {card},\n\"isa\": {isa},\n\"sets\": {{\n{lines}\n}}\n}}\n");
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(rows)
}

/// Values of a list or an object in JSON, a line each.
pub fn in_lines(values: impl IntoIterator<Item = impl ToString>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<String>>().join(",\n")
}

/// The network that is measured.
pub fn load(arguments: &Arguments) -> Result<Model, String> {
    let path = arguments.model.as_ref().ok_or(USAGE)?;
    let checkpoint = Checkpoint::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Model::new(checkpoint, Isa::best()))
}

/// Whether a network is for the problems of a set.
pub fn suits(model: &Model, set: &Set) -> bool {
    let instance = set.problem(0).validate().instance;
    instance.is_some_and(|instance| model.network().suits(&instance).is_ok())
}

/// What plans of a set cost, and what that took; an instance at a time on every core.
fn measure(model: &Model, set: &Set) -> Result<Value, String> {
    memory::forget_peak();
    let begun = (Instant::now(), cpu_time::ProcessTime::now());
    let one = |index: usize| {
        let name = format!("{} {index}", set.name);
        let instance = set.problem(index).validate().instance.ok_or(format!("{name}: malformed"))?;
        let decoding = Decoding { starts: Starts::All, ..Decoding::default() };
        let decoded = model.network().decode(&instance, &decoding, &|| false);
        let decoded = decoded.map_err(|error| format!("{name}: {error}"))?;
        let (routes, _) = decoded.plans.into_iter().next().ok_or(format!("{name}: no plan"))?;
        let verdict = radar_check::check(&instance, &routes);
        match verdict.feasible() {
            true => verdict.cost.ok_or(format!("{name}: no cost")),
            false => Err(format!("{name}: an illegal plan")),
        }
    };
    let lanes = Lanes::new(set.count, usize::MAX);
    let costs = lanes.each((0..set.count).collect(), one).map_err(|error| error.to_string())?;
    let costs = costs.into_iter().collect::<Result<Vec<f64>, String>>()?;
    let (wall, cpu) = (begun.0.elapsed(), begun.1.elapsed());
    Ok(json!({
        "variant": set.variant.to_string(),
        "costs": costs,
        "wall_seconds": wall.as_secs_f64(),
        "cpu_seconds": cpu.as_secs_f64(),
        "threads": lanes.count,
        "gigabytes": memory::peak_gigabytes(),
    }))
}

/// The mean and its standard error.
pub fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, (spread / count).sqrt())
}
