//! What an evaluation says: for people, as JSON, as CSV.

use std::collections::BTreeMap;
use std::time::Duration;

use radar_net::decode::Stage;
use serde_json::{Map, Value, json};

use super::measure::{Decoded, Outcome};
use crate::amounts::{self, counted};
use crate::failure::{Exit, Failure};
use crate::table::Table;

/// Everything that was measured.
pub struct Report {
    /// What is the same for all: the set, the model, the options.
    pub about: Map<String, Value>,
    /// The same for people, one line.
    pub headline: String,
    /// Where references come from.
    pub origin: Option<String>,
    /// How many instances the set has.
    pub asked: usize,
    /// Per instance, in the order of the set; fewer when somebody pressed Ctrl-C.
    pub outcomes: Vec<Outcome>,
    /// Wall and CPU time of all, and the threads they were measured on.
    pub wall: Duration,
    /// See above; unknown where the system does not tell.
    pub cpu: Option<Duration>,
    /// See above.
    pub threads: usize,
}

/// Means over some outcomes.
#[derive(Default)]
struct Means {
    instances: usize,
    cost: f64,
    references: usize,
    optimal: usize,
    gaps: usize,
    gap: f64,
    greatest: f64,
}

impl Means {
    fn of<'a>(outcomes: impl Iterator<Item = &'a Decoded>) -> Self {
        let mut means = Self { greatest: f64::NEG_INFINITY, ..Self::default() };
        for decoded in outcomes {
            means.instances += 1;
            means.cost += decoded.best.cost;
            means.references += usize::from(decoded.reference.is_some());
            means.optimal += usize::from(decoded.reference.as_ref().is_some_and(|one| one.optimal));
            if let Some(gap) = decoded.gap() {
                means.gaps += 1;
                means.gap += gap;
                means.greatest = means.greatest.max(gap);
            }
        }
        means.cost /= means.instances.max(1) as f64;
        means.gap /= means.gaps.max(1) as f64;
        means
    }

    fn cost(&self) -> Option<f64> {
        (self.instances > 0).then_some(self.cost)
    }

    fn gap(&self) -> Option<f64> {
        (self.gaps > 0).then_some(self.gap)
    }
}

impl Report {
    fn decoded(&self) -> impl Iterator<Item = &Decoded> {
        self.outcomes.iter().filter_map(|outcome| outcome.result.as_ref().ok())
    }

    /// Why instances were refused.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        self.outcomes.iter().filter_map(|outcome| outcome.result.as_ref().err())
    }

    /// How many instances were not reached.
    pub fn missed(&self) -> usize {
        self.asked - self.outcomes.len()
    }

    /// The worst of all.
    pub fn exit(&self) -> Exit {
        self.failures().map(Failure::exit).max().unwrap_or_default()
    }

    /// The unit of the costs, if it is one.
    fn unit(&self) -> Option<&str> {
        let mut units = self.outcomes.iter().filter(|one| one.result.is_ok()).map(|one| one.unit.as_str());
        let first = units.next()?;
        units.all(|unit| unit == first).then_some(first)
    }

    /// Seconds of each stage, summed over instances.
    fn stages(&self) -> [f64; 4] {
        let mut sums = [0.0; 4];
        for decoded in self.decoded() {
            sums.iter_mut().zip(decoded.stages).for_each(|(sum, stage)| *sum += stage.as_secs_f64());
        }
        sums
    }

    /// CPU time per instance that was decoded.
    fn cpu_per_instance(&self) -> Option<Duration> {
        let decoded = self.decoded().count() as u32;
        self.cpu.filter(|_| decoded > 0).map(|cpu| cpu / decoded)
    }

    /// Warnings that differ in their numbers alone, counted: how often, the first instance, its words.
    pub fn warnings(&self) -> Vec<(usize, &str, &str)> {
        let mut kinds: BTreeMap<String, (usize, &str, &str)> = BTreeMap::new();
        for outcome in &self.outcomes {
            for warning in &outcome.warnings {
                let kind = warning.replace(|c: char| c.is_ascii_digit() || c == '.', "");
                kinds.entry(kind).or_insert((0, &outcome.name, warning)).0 += 1;
            }
        }
        kinds.into_values().collect()
    }

    /// For people.
    pub fn lines(&self) -> Vec<String> {
        let means = Means::of(self.decoded());
        let mut lines = vec![self.headline.clone()];
        if let Some(table) = self.by_variant() {
            lines.extend(table.to_string().lines().map(str::to_owned));
        }
        let count = self.outcomes.len();
        let unit = self.unit().unwrap_or(" (units differ)");
        match means.cost() {
            None => lines.push(format!("no plan for any of {}", counted(count, "instance"))),
            Some(cost) => lines.push(format!(
                "mean cost {}{unit} of {}{}",
                amounts::cost(cost),
                counted(means.instances, "instance"),
                if means.instances < count {
                    format!(", {} refused", count - means.instances)
                } else {
                    String::new()
                }
            )),
        }
        let origin = self.origin.as_ref().map(|origin| format!(", from {origin}")).unwrap_or_default();
        match means.gap() {
            None if means.references == 0 && self.origin.is_some() => {
                lines.push("no reference could be used, so no gap".to_owned())
            }
            None if means.references == 0 => {
                lines.push("no references, so no gap (see --references)".to_owned())
            }
            None => lines.push("no gap: every reference costs 0".to_owned()),
            Some(gap) => lines.push(format!(
                "mean gap {} %, greatest {} %, against {} ({} proved optimal){origin}",
                amounts::number(100.0 * gap, 3),
                amounts::number(100.0 * means.greatest, 3),
                counted(means.references, "reference"),
                means.optimal
            )),
        }
        let cpu = self.cpu_per_instance();
        let cpu = cpu.map(|cpu| format!(", {} CPU per instance", amounts::span(cpu))).unwrap_or_default();
        lines.push(format!(
            "{} wall on {}{cpu}; every plan checked",
            amounts::span(self.wall),
            counted(self.threads, "thread")
        ));
        let stages = self.stages();
        let all: f64 = stages.iter().sum();
        if all > 0.0 {
            let share =
                |(stage, time): (&Stage, f64)| format!("{} {:.1} %", words(*stage), 100.0 * time / all);
            let shares: Vec<String> = Stage::ALL.iter().zip(stages).map(share).collect();
            lines.push(shares.join(", "));
        }
        lines
    }

    /// A row per variant, when there are several.
    fn by_variant(&self) -> Option<Table> {
        let mut variants: BTreeMap<&str, Vec<&Decoded>> = BTreeMap::new();
        for outcome in &self.outcomes {
            if let Ok(decoded) = &outcome.result {
                variants.entry(&outcome.variant).or_default().push(decoded);
            }
        }
        let mut table = Table::new(&["variant<", "instances", "mean cost", "mean gap", "greatest"]);
        let percent = |gap: f64| format!("{} %", amounts::number(100.0 * gap, 3));
        for (variant, decoded) in &variants {
            let means = Means::of(decoded.iter().copied());
            table.row(vec![
                (*variant).to_owned(),
                means.instances.to_string(),
                amounts::cost(means.cost),
                means.gap().map(percent).unwrap_or_default(),
                means.gap().map(|_| percent(means.greatest)).unwrap_or_default(),
            ]);
        }
        (variants.len() > 1).then_some(table)
    }

    /// For programs. Whatever depends on the machine stands under `timings`.
    pub fn to_json(&self) -> Value {
        let means = Means::of(self.decoded());
        let stages = self.stages();
        let all: f64 = stages.iter().sum();
        let shares: Vec<f64> = stages.iter().map(|time| if all > 0.0 { time / all } else { 0.0 }).collect();
        let warnings = self.warnings().into_iter();
        let warnings =
            warnings.map(|(count, name, text)| json!({ "count": count, "first": name, "text": text }));
        let mut report = self.about.clone();
        let own = json!({
            "instances": self.asked,
            "decoded": means.instances,
            "mean_cost": means.cost(),
            "unit": self.unit().map(str::trim).filter(|unit| !unit.is_empty()),
            "mean_gap": means.gap(),
            "greatest_gap": means.gap().map(|_| means.greatest),
            "references": { "count": means.references, "optimal": means.optimal, "origin": self.origin },
            "warnings": warnings.collect::<Vec<Value>>(),
            "timings": {
                "wall": self.wall.as_secs_f64(),
                "cpu": self.cpu.map(|cpu| cpu.as_secs_f64()),
                "cpu_per_instance": self.cpu_per_instance().map(|cpu| cpu.as_secs_f64()),
                "threads": self.threads,
                "stages": named(&stages),
                "shares": named(&shares),
            },
            "results": self.outcomes.iter().map(Outcome::to_json).collect::<Vec<Value>>(),
        });
        if let Value::Object(own) = own {
            report.extend(own);
        }
        Value::Object(report)
    }

    /// A row per instance.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let mut header: Vec<String> = [
            "name",
            "variant",
            "nodes",
            "cost",
            "reference",
            "optimal",
            "gap",
            "routes",
            "trajectories",
            "complete",
        ]
        .map(str::to_owned)
        .into();
        header.extend(Stage::ALL.iter().map(|stage| format!("{}_seconds", stage.as_str())));
        header.push("error".to_owned());
        writer.write_record(&header)?;
        for outcome in &self.outcomes {
            writer.write_record(outcome.cells())?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }
}

impl Outcome {
    fn to_json(&self) -> Value {
        let Self { name, nodes, variant, .. } = self;
        match &self.result {
            Err(failure) => {
                json!({ "name": name, "nodes": nodes, "variant": variant, "failure": failure.to_json() })
            }
            Ok(decoded) => {
                let stages = decoded.stages.map(|stage| stage.as_secs_f64());
                let mut result = json!({
                    "name": name,
                    "nodes": nodes,
                    "variant": variant,
                    "cost": decoded.best.cost,
                    "reference": decoded.reference.as_ref().map(|one| one.cost),
                    "bound": decoded.reference.as_ref().and_then(|one| one.bound),
                    "optimal": decoded.reference.as_ref().map(|one| one.optimal),
                    "gap": decoded.gap(),
                    "trajectories": decoded.trajectories,
                    "complete": decoded.complete,
                    "routes": decoded.best.routes.0,
                    "warnings": self.warnings,
                    "timings": named(&stages),
                });
                if let Some(plans) = &decoded.plans {
                    let plans =
                        plans.iter().map(|plan| json!({ "cost": plan.cost, "routes": plan.routes.0 }));
                    result["plans"] = plans.collect();
                }
                result
            }
        }
    }

    fn cells(&self) -> Vec<String> {
        let text = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
        let mut cells = vec![self.name.clone(), self.variant.clone(), self.nodes.to_string()];
        match &self.result {
            Ok(decoded) => {
                let reference = decoded.reference.as_ref();
                cells.extend([
                    decoded.best.cost.to_string(),
                    text(reference.map(|one| one.cost)),
                    reference.map(|one| one.optimal.to_string()).unwrap_or_default(),
                    text(decoded.gap()),
                    decoded.best.routes.len().to_string(),
                    decoded.trajectories.to_string(),
                    decoded.complete.to_string(),
                ]);
                cells.extend(decoded.stages.map(|stage| stage.as_secs_f64().to_string()));
                cells.push(String::new());
            }
            Err(failure) => {
                cells.extend(std::iter::repeat_n(String::new(), 11));
                cells.push(code(failure));
            }
        }
        cells
    }
}

/// The code of a failure's first error.
pub fn code(failure: &Failure) -> String {
    failure.to_json()["findings"][0]["code"].as_str().unwrap_or("unknown").to_owned()
}

/// The stages by name.
fn named(values: &[f64]) -> Value {
    let pairs = Stage::ALL.iter().zip(values);
    pairs.map(|(stage, value)| (stage.as_str().to_owned(), Value::from(*value))).collect::<Map<_, _>>().into()
}

/// A stage for people.
fn words(stage: Stage) -> &'static str {
    match stage {
        Stage::Input => "scaling and features",
        Stage::Encoder => "encoder",
        Stage::Tables => "decoder tables",
        Stage::Rollout => "rollout",
    }
}
