//! `bench/run networks --model FILE`: what a network builds by itself on the test sets, greedily from every start, against the
//! references.

use std::collections::BTreeSet;
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
        let result = measure(&model, set, &book)?;
        rows.push(Row::plain(
            format!("{name}, {}: mean gap of {}", set.name, result["compared"]),
            100.0 * result["gap"].as_f64().unwrap_or(f64::NAN),
            "%",
        ));
        results.insert(set.name.clone(), result);
        let text = json!({ "card": card, "isa": model.isa().to_string(), "sets": results });
        let text = serde_json::to_string_pretty(&text).map_err(|error| error.to_string())?;
        std::fs::write(&path, format!("{text}\n")).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(rows)
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

/// Costs and gaps of a set; an instance at a time on every core.
fn measure(model: &Model, set: &Set, book: &Book) -> Result<Value, String> {
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
    let gaps: Vec<f64> =
        costs.iter().enumerate().filter_map(|(index, &cost)| book.gap(index, cost)).collect();
    let (mean, error) = mean(&gaps);
    let (wall, cpu) = (begun.0.elapsed(), begun.1.elapsed());
    Ok(json!({
        "variant": set.variant.to_string(),
        "instances": set.count,
        "compared": gaps.len(),
        "proved": book.references.iter().filter(|reference| reference.optimal).count(),
        "cost": costs.iter().sum::<f64>() / costs.len() as f64,
        "gap": mean,
        "error": error,
        "others": others(&costs, book),
        "wall_seconds": wall.as_secs_f64(),
        "cpu_seconds": cpu.as_secs_f64(),
        "threads": lanes.count,
        "gigabytes": memory::peak_gigabytes(),
    }))
}

/// Everybody who looked for references, and what they came to, beside the network's mean cost on the same instances.
fn others(costs: &[f64], book: &Book) -> Value {
    let names: BTreeSet<&String> = book.references.iter().flat_map(|known| known.tried.keys()).collect();
    let compared = names.into_iter().map(|name| {
        let both = costs.iter().zip(&book.references);
        let both: Vec<(f64, f64)> = both.filter_map(|(&ours, known)| Some((ours, known.by(name)?))).collect();
        let count = both.len().max(1) as f64;
        let ours = both.iter().map(|pair| pair.0).sum::<f64>() / count;
        let theirs = both.iter().map(|pair| pair.1).sum::<f64>() / count;
        (name.clone(), json!({ "instances": both.len(), "cost": theirs, "network": ours }))
    });
    Value::Object(compared.collect())
}

/// The mean and its standard error.
pub fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let spread = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, (spread / count).sqrt())
}
