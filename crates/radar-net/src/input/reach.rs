//! What runs out on the way beside room: how far vehicles may go, or the hours of the day.

mod detours;
mod hours;

use radar_kernel::ensemble::Slack;
use radar_problem::Instance;

use detours::Detours;
use hours::Hours;

/// A limit has a say where routes that do not know of it have such a share of it on the average.
const SHARE: f64 = 0.57;

/// How much each vehicle has left, in ticks of the ensemble.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reach {
    nodes: usize,
    /// The number of the context that tells it, what is left where that is nothing, and how much more for each unit of it.
    number: usize,
    begin: f32,
    per_unit: f32,
    /// What it takes from a node to each: of length, also what is needed on from there straight home (N, N).
    ways: Vec<f32>,
    /// Whether one goes on with nothing over: of the hours, whoever would be too late is not asked.
    is_lenient: bool,
}

/// What arcs take of it.
#[derive(Clone, Debug)]
pub(crate) struct Spent {
    takes: Vec<f32>,
    idle: f32,
    windows: Option<Vec<[f32; 2]>>,
}

/// Whether anything beside room may run out on the routes of an instance, which takes long to heed: a length under a limit, or the hours
/// where windows leave much to decide.
pub fn may_run_out(instance: &Instance) -> bool {
    !instance.is_tour() && Kind::of(instance, 1).is_some()
}

/// What runs out.
enum Kind<'a> {
    Length(Detours<'a>),
    Day(Hours<'a>),
}

impl<'a> Kind<'a> {
    /// The hours where stops have windows that leave much to decide, else the length if that has a limit, else the hours if the day
    /// ends.
    fn of(instance: &'a Instance, routes: usize) -> Option<Self> {
        let hours = Hours::of(instance, routes);
        let length = || Detours::of(instance).map(Kind::Length);
        match hours {
            Some(hours) if hours.has_windows && hours.leave_open() => Some(Kind::Day(hours)),
            Some(hours) if !hours.has_windows => length().or(Some(Kind::Day(hours))),
            _ => length(),
        }
    }
}

impl Reach {
    /// That of an instance of routes, of which at least so many are needed, if anything runs out.
    pub fn of(instance: &Instance, routes: usize) -> Option<(Self, Spent)> {
        Some(match Kind::of(instance, routes)? {
            Kind::Length(detours) => detours.reach(),
            Kind::Day(hours) => hours.reach(),
        })
    }

    /// What a vehicle in such a context has left.
    pub fn left(&self, context: &[f32]) -> f32 {
        self.begin + self.per_unit * context[self.number]
    }

    /// What is over of it at a node, if it goes there from a node.
    pub fn over(&self, left: f32, from: usize, to: usize) -> f32 {
        let over = left - self.ways[from * self.nodes + to];
        if self.is_lenient { over.max(0.0) } else { over }
    }
}

impl Spent {
    /// Whether it is hours that stops have, which always count.
    pub fn is_of_stops(&self) -> bool {
        self.windows.is_some() && self.idle == 0.0
    }

    /// As the kernel sees it.
    pub fn slack(&self) -> Slack<'_> {
        Slack { arcs: &self.takes, idle: self.idle, windows: self.windows.as_deref() }
    }
}
