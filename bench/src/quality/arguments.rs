//! What follows the names of these benches on the command line.

use std::path::PathBuf;
use std::time::Duration;

use super::set::Set;
use crate::rivals::arguments::{from_caller, options};

pub const USAGE: &str = "bench/run references|networks|worth [--roads FOLDER] [--only SETS...] [--model FILE] [--minutes N] [--estimate]
  --roads     folder of npz road matrices; without it sets of roads are left out
  --only      sets with one of these in their names, such as \"ATSP 100\" or tight
  --model     the network (networks, worth)
  --minutes   when to stop; what is done is kept, and the next run goes on (references)
  --estimate  only say how long it takes (references)";

/// What is to be done.
pub struct Arguments {
    roads: Option<PathBuf>,
    only: Vec<String>,
    pub model: Option<PathBuf>,
    pub time: Duration,
    pub estimate: bool,
}

impl Arguments {
    pub fn parse(given: &[String]) -> Result<Self, String> {
        let mut parsed =
            Self { roads: None, only: Vec::new(), model: None, time: Duration::MAX, estimate: false };
        for (option, values) in options(given)? {
            match (option, values) {
                ("--help", []) => return Err(USAGE.to_owned()),
                ("--estimate", []) => parsed.estimate = true,
                ("--roads", [folder]) => parsed.roads = Some(from_caller(folder)),
                ("--model", [file]) => parsed.model = Some(from_caller(file)),
                ("--only", [_, ..]) => parsed.only.extend_from_slice(values),
                ("--minutes", [minutes]) => {
                    let minutes =
                        minutes.parse().ok().filter(|&minutes: &f64| minutes > 0.0 && minutes < 1e6);
                    let minutes = minutes.ok_or("--minutes takes a number above 0")?;
                    parsed.time = Duration::from_secs_f64(60.0 * minutes);
                }
                _ => return Err(format!("`{option}` is not understood here\n{USAGE}")),
            }
        }
        Ok(parsed)
    }

    /// Whether some sets are wanted by their names.
    pub fn names_sets(&self) -> bool {
        !self.only.is_empty()
    }

    /// The sets that are wanted.
    pub fn sets(&self) -> Result<Vec<Set>, String> {
        // Whole words, or 100 would be 1000 as well.
        let words = |text: &str| format!(" {} ", text.to_lowercase());
        let mut sets = Set::every(self.roads.as_deref())?;
        sets.retain(|set| {
            let name = words(&set.name);
            self.only.is_empty() || self.only.iter().any(|part| name.contains(&words(part)))
        });
        match sets.is_empty() {
            true => Err(format!("no set is called like that\n{USAGE}")),
            false => Ok(sets),
        }
    }
}
