//! What the task says of each node and of the depot, and which instances a task is made for.

mod acvrp;
mod bounds;
mod loads;
mod shares;
mod vrp;

pub(crate) use bounds::Bounds;
pub(crate) use loads::Loads;
pub(crate) use shares::Shares;

use radar_problem::{Feature, Instance};

use crate::config::Task;
use crate::error::NetError;
use crate::input::Stated;

/// The facts of an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Facts {
    /// Columns of the input of `projection`, the same number for every node.
    pub nodes: Vec<f32>,
    /// Columns of the input of `depot_projection`, where the task has one.
    pub depot: Option<Vec<f32>>,
}

/// The facts that the task tells. `cost` is the instance's.
pub(crate) fn facts(task: Task, instance: &Instance, cost: &Stated) -> Facts {
    match task {
        Task::Atsp => Facts::default(),
        Task::Acvrp => acvrp::facts(instance),
        Task::Vrp => vrp::facts(instance, cost),
    }
}

/// Refuses an instance that a network of the task cannot read.
pub(crate) fn check(task: Task, instance: &Instance) -> Result<(), NetError> {
    let refuse = |cause: String, action: &str| Err(NetError::new("wrong-task", cause, action));
    match (task, instance.is_tour()) {
        (Task::Atsp, false) => refuse(
            format!("the network makes one tour (`task` = atsp), and {} asks for routes", instance.variant()),
            "use a network whose `task` is vrp, or acvrp where there is nothing but a capacity",
        ),
        (Task::Acvrp | Task::Vrp, true) => refuse(
            format!("the network makes routes (`task` = {task}), and ATSP asks for one tour"),
            "use a network whose `task` is atsp",
        ),
        (Task::Acvrp, false) => match unknown_to_capacity(instance).as_slice() {
            [] => Ok(()),
            unknown => refuse(
                format!(
                    "the network knows capacities alone (`task` = acvrp), and {} has {}",
                    instance.variant(),
                    unknown.join(", ")
                ),
                "use a network whose `task` is vrp",
            ),
        },
        (Task::Atsp, true) | (Task::Vrp, false) => Ok(()),
    }
}

/// The features that a network for capacities alone knows nothing of. A bound that never binds is none.
fn unknown_to_capacity(instance: &Instance) -> Vec<&'static str> {
    let present: Vec<Feature> = instance.features().iter().collect();
    if present.is_empty() {
        return Vec::new(); // Bounds take a look at the whole matrix.
    }
    let bounds = Bounds::of(instance);
    let has = |&feature: &Feature| match feature {
        Feature::Open => instance.is_open().then_some("open routes"),
        Feature::Backhaul => Some("pickups"),
        Feature::Limit => bounds.limit.map(|_| "a length limit"),
        Feature::Windows => bounds.has_windows(instance).then_some("time windows"),
    };
    present.iter().filter_map(has).collect()
}

/// A part of a whole; nothing of nothing. The public code adds 1e-6 to the whole for that; without it the
/// unit of the amounts cannot be told from their shares.
fn share(part: i64, whole: i64) -> f32 {
    if whole == 0 { 0.0 } else { (part as f64 / whole as f64) as f32 }
}

/// 1 for yes, 0 for no.
pub(crate) fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
