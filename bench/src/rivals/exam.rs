//! An instance as everybody gets it, and the judgement on what comes back.

use std::path::{Path, PathBuf};

use radar_check::check;
use radar_problem::{Feature, Instance, NEVER, Problem, Routes};
use serde_json::json;

/// One instance: as stated, in integers, and as a file for the rivals.
pub struct Exam {
    pub name: String,
    /// Of the file's bytes: another generator gives another.
    pub digest: String,
    pub problem: Problem,
    instance: Instance,
    pub file: PathBuf,
}

impl Exam {
    /// Validates a problem and writes it for the rivals.
    pub fn set(problem: Problem, folder: &Path) -> Result<Self, String> {
        let name = problem.name.clone().unwrap_or_default();
        let instance = problem.clone().validate().instance.ok_or(format!("{name}: malformed"))?;
        let text = wire(&instance).to_string();
        let file = folder.join(format!("{}.json", name.replace(' ', "-")));
        std::fs::write(&file, &text).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Self { digest: format!("{:016x}", fingerprint(text.as_bytes())), name, problem, instance, file })
    }

    /// What references are kept under.
    pub fn key(&self) -> String {
        format!("{} #{}", self.name, self.digest)
    }

    /// The cost of a plan in stated units, or what is wrong with it.
    pub fn judge(&self, routes: &[Vec<usize>]) -> Result<f64, String> {
        let verdict = check(&self.instance, &Routes(routes.to_vec()));
        match (verdict.violations.first(), verdict.cost) {
            (None, Some(cost)) => Ok(cost),
            (Some(violation), _) => Err(format!("refused: {violation}")),
            (None, None) => Err("refused: a way that cannot be driven".to_owned()),
        }
    }
}

/// The integers of an instance; what it does not have is null.
fn wire(instance: &Instance) -> serde_json::Value {
    let nodes = instance.nodes();
    let of = |entry: &dyn Fn(usize) -> i64| (0..nodes).map(entry).collect::<Vec<i64>>();
    let bound = |value: i64| (value < NEVER).then_some(value);
    let (distance, duration) = (instance.distance(), instance.duration());
    let windows = instance.features().has(Feature::Windows);
    let hours = || (0..nodes).map(|node| [instance.opens(node), instance.closes(node)]).collect::<Vec<_>>();
    json!({
        "nodes": nodes,
        "tour": instance.is_tour(),
        "open": instance.is_open(),
        "distance": distance.values(),
        "duration": (distance != duration).then(|| duration.values()),
        "demand": of(&|node| instance.demand(node)),
        "backhaul": of(&|node| instance.backhaul(node)),
        "capacity": bound(instance.capacity()),
        "windows": windows.then(hours),
        "service": of(&|node| instance.service(node)),
        "limit": bound(instance.limit()),
    })
}

/// FNV-1a: the same on every machine, and good enough to notice a change.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
