//! How sure a network was of every arc: a table per instance, in a folder.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use radar_net::Confidence;

use crate::failure::Failure;
use crate::output;

/// Arcs that are less probable are left out.
const LEAST: f32 = 0.001;

/// Where the tables go.
pub struct Tables(PathBuf);

impl Tables {
    /// Makes the folder. Tables that would take the place of inputs, or be taken for problems of the set, are
    /// refused before the work.
    pub fn prepare(folder: &Path, names: &[String], inputs: &[PathBuf]) -> Result<Self, Failure> {
        output::folder(folder)?;
        let tables = Self(folder.to_owned());
        let inputs: BTreeSet<PathBuf> = inputs.iter().filter_map(|input| input.canonicalize().ok()).collect();
        for place in std::iter::once(folder.to_owned()).chain(names.iter().map(|name| tables.place(name))) {
            if place.canonicalize().is_ok_and(|place| inputs.contains(&place)) {
                let cause = format!("{} is an input of this command", place.display());
                return Err(Failure::input("would-overwrite-input", cause, "give a folder of its own"));
            }
        }
        Ok(tables)
    }

    /// Writes the table of an instance.
    pub fn write(&self, name: &str, confidence: &Confidence, nodes: usize) -> Result<(), Failure> {
        output::file(&self.place(name), table(confidence, nodes).as_bytes(), &[])
    }

    fn place(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.csv"))
    }
}

/// A row per arc, by where it begins; from there the most probable first.
fn table(confidence: &Confidence, nodes: usize) -> String {
    let mut rows = "from,to,probability\n".to_owned();
    for from in 0..nodes {
        let arcs = (0..nodes).map(|to| (to, confidence.at(from, to)));
        let mut arcs: Vec<(usize, f32)> = arcs.filter(|arc| arc.1 >= LEAST).collect();
        // A stable sort: equals stay in the order of their numbers.
        arcs.sort_by(|one, other| other.1.total_cmp(&one.1));
        rows.extend(arcs.into_iter().map(|(to, probability)| format!("{from},{to},{probability:.6}\n")));
    }
    rows
}
