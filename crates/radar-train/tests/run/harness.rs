//! What tests of whole runs share.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use radar_train::folder::Folder;
use radar_train::metrics::{self, Line};
use radar_train::ranks::Alone;
use radar_train::{Clock, Config, Event, Outside, Summary, TrainError, resume, start};

/// A folder of its own for each test, removed afterwards.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("radar-train-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn lines(&self) -> Vec<Line> {
        metrics::read(&String::from_utf8(self.read(Folder::METRICS)).expect("text"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Time stands still, so that what is written does not depend on it.
pub struct Still;

impl Clock for Still {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

/// Time goes on by a second whenever it is looked at.
#[derive(Default)]
pub struct Ticking(pub AtomicU64);

impl Clock for Ticking {
    fn wall(&self) -> Duration {
        Duration::from_secs(self.0.fetch_add(1, Ordering::Relaxed))
    }
    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

pub const SMALL: &str = "
name = \"small\"
batch = 4
chunk = 2
log_every = 2
save_every = 3
compute = \"precise\"
[model]
width = 16
heads = 2
hidden = 16
layers = 1
mix_hidden = 4
rank = 3
[data]
nodes = 7
[validation]
count = 3
every = 4
search_steps = 100
[schedule]
kind = \"cosine\"
warmup = 2
[budget]
steps = 8
";

pub fn config(set: &[&str]) -> Config {
    let set: Vec<String> = set.iter().map(|&text| text.to_owned()).collect();
    Config::from_toml(SMALL, &set).expect("sound")
}

/// Runs until so many steps are taken in this session.
pub fn run(
    work: impl FnOnce(&Outside<'_>) -> Result<Summary, TrainError>,
    most_steps: u64,
    clock: &dyn Clock,
) -> Result<Summary, TrainError> {
    let taken = AtomicU64::new(0);
    let stop = || taken.load(Ordering::Relaxed) >= most_steps;
    let hear = |event: &Event| {
        if matches!(event, Event::Step(_)) {
            taken.fetch_add(1, Ordering::Relaxed);
        }
    };
    work(&Outside { clock, memory: None, ranks: &Alone, stop: &stop, hear: &hear })
}

pub fn begin(config: Config, place: &Place, steps: u64) -> Summary {
    run(|outside| start(config, &place.0, None, outside), steps, &Still).expect("a run")
}

pub fn go_on(place: &Place, steps: u64) -> Summary {
    run(|outside| resume(&place.0, None, outside), steps, &Still).expect("a run")
}

pub const FILES: [&str; 6] =
    [Folder::STATE, Folder::LAST, Folder::BEST, Folder::METRICS, Folder::CURVE, Folder::CONFIG];

pub fn assert_same(one: &Place, other: &Place, names: &[&str]) {
    for name in names {
        assert!(one.read(name) == other.read(name), "{name} differs");
    }
}
