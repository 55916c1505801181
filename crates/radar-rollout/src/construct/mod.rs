//! Plans from classical constructors.
//!
//! Unlike the masks, they judge whole routes: a route may pass through a place from which it could not
//! have returned at once.

mod best;
mod draft;
mod filling;
mod insertion;
mod plan;
mod regret;
mod savings;
mod serve;
mod yard;

use radar_problem::{Instance, Routes};

pub use best::{Best, Effort, Method, construct};
pub use filling::filling;
pub use insertion::{Order, insertion};
pub use regret::regret;
pub use savings::{Weight, savings};

/// A plan, and what it leaves out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Construction {
    /// Legal routes.
    pub routes: Routes,
    /// The stops on none of them, ascending.
    pub unserved: Vec<usize>,
}

impl Construction {
    /// The scaled cost of the routes, in the instance's objective.
    pub fn cost(&self, instance: &Instance) -> i64 {
        let way = |from: usize, to: usize| instance.cost().at(from, to);
        let along = |route: &[usize]| route.windows(2).map(|leg| way(leg[0], leg[1])).sum::<i64>();
        let ends = |route: &[usize]| match (route.first(), route.last()) {
            (Some(&first), Some(&last)) if instance.is_tour() => way(last, first),
            (Some(&first), Some(_)) if instance.is_open() => way(0, first),
            (Some(&first), Some(&last)) => way(0, first) + way(last, 0),
            _ => 0,
        };
        self.routes.iter().map(|route| along(route) + ends(route)).sum()
    }
}
