//! The keys of a VROOM problem. Every known key is listed, so that an unknown one is refused by name.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::read::engine::Rows;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    pub vehicles: Vec<Vehicle>,
    #[serde(default)]
    pub jobs: Vec<Job>,
    #[serde(default)]
    pub shipments: Vec<IgnoredAny>,
    pub matrices: Option<BTreeMap<String, Tables>>,
    /// The form before profiles: durations for everybody.
    pub matrix: Option<Rows>,
    /// Switches of the service, no part of the problem.
    #[serde(rename = "options")]
    _options: Option<IgnoredAny>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tables {
    pub durations: Option<Rows>,
    pub distances: Option<Rows>,
    pub costs: Option<Rows>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vehicle {
    #[serde(rename = "id")]
    _id: u64,
    #[serde(rename = "description")]
    _description: Option<IgnoredAny>,
    pub profile: Option<String>,
    pub start: Option<[f64; 2]>,
    pub start_index: Option<usize>,
    pub end: Option<[f64; 2]>,
    pub end_index: Option<usize>,
    pub capacity: Option<Vec<u64>>,
    pub costs: Option<Costs>,
    #[serde(default)]
    pub skills: Vec<u64>,
    #[serde(rename = "type")]
    pub kind: Option<String>,
    pub time_window: Option<[u64; 2]>,
    #[serde(default)]
    pub breaks: Vec<IgnoredAny>,
    pub speed_factor: Option<f64>,
    pub max_tasks: Option<u64>,
    pub max_travel_time: Option<u64>,
    pub max_distance: Option<u64>,
    #[serde(default)]
    pub steps: Vec<IgnoredAny>,
}

/// What a vehicle costs; the standard is the cost of the matrix alone.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(super) struct Costs {
    #[serde(default)]
    pub fixed: u64,
    #[serde(default = "hour")]
    pub per_hour: u64,
    #[serde(default)]
    pub per_km: u64,
    #[serde(default)]
    pub per_task_hour: u64,
}

fn hour() -> u64 {
    3600
}

impl Costs {
    pub const STANDARD: Costs = Costs { fixed: 0, per_hour: 3600, per_km: 0, per_task_hour: 0 };
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Job {
    pub id: u64,
    #[serde(rename = "description")]
    _description: Option<IgnoredAny>,
    pub location: Option<[f64; 2]>,
    pub location_index: Option<usize>,
    #[serde(default)]
    pub setup: u64,
    #[serde(default)]
    pub service: u64,
    pub setup_per_type: Option<IgnoredAny>,
    pub service_per_type: Option<IgnoredAny>,
    pub delivery: Option<Vec<u64>>,
    pub pickup: Option<Vec<u64>>,
    /// The old name of `delivery`.
    pub amount: Option<Vec<u64>>,
    #[serde(default)]
    pub skills: Vec<u64>,
    #[serde(default)]
    pub priority: u32,
    #[serde(default)]
    pub time_windows: Vec<[u64; 2]>,
}
