//! A validated problem in scaled integers.

use std::sync::Arc;

use crate::feature::{Feature, Features, Variant};
use crate::problem::{Kind, Problem};
use crate::scale::{Scales, seven_digits};
use crate::scaled::Scaled;
use crate::table::Precision;

/// What the cost of a plan is summed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The distance matrix.
    #[default]
    Distance,
    /// The duration matrix.
    Duration,
}

/// A problem that passed validation: everything is there, everything fits, everything is integral.
///
/// Absent lists are filled with values that never bind: amounts 0, windows `[0, NEVER]`, capacity
/// and limits [`crate::NEVER`]. An arc that cannot be driven is [`crate::UNREACHABLE`].
#[derive(Clone, Debug)]
pub struct Instance {
    pub(crate) input: Arc<Problem>,
    pub(crate) objective: Objective,
    pub(crate) features: Features,
    pub(crate) missing_arcs: bool,
    pub(crate) distance: Arc<Scaled>,
    pub(crate) duration: Arc<Scaled>,
    pub(crate) demand: Vec<i64>,
    pub(crate) backhaul: Vec<i64>,
    pub(crate) capacity: i64,
    pub(crate) opens: Vec<i64>,
    pub(crate) closes: Vec<i64>,
    pub(crate) service: Vec<i64>,
    pub(crate) limit: i64,
    pub(crate) max_duration: i64,
    pub(crate) vehicles: Option<usize>,
    pub(crate) scales: Scales,
}

impl Instance {
    /// The problem as it was stated.
    pub fn input(&self) -> &Problem {
        &self.input
    }

    /// How many nodes there are, the depot included.
    pub fn nodes(&self) -> usize {
        self.distance.nodes()
    }

    /// The nodes that a plan must visit: all of a tour, all but the depot of routes.
    pub fn stops(&self) -> std::ops::Range<usize> {
        usize::from(!self.is_tour())..self.nodes()
    }

    /// Whether one tour is wanted (ATSP).
    pub fn is_tour(&self) -> bool {
        self.input.kind == Kind::Atsp
    }

    /// The name of what is solved.
    pub fn variant(&self) -> Variant {
        if self.is_tour() { Variant::Atsp } else { Variant::Vrp(self.features) }
    }

    /// The features that are present.
    pub fn features(&self) -> Features {
        self.features
    }

    /// Whether routes end at their last stop.
    pub fn is_open(&self) -> bool {
        self.features.has(Feature::Open)
    }

    /// Lengths; the limit is measured on them.
    pub fn distance(&self) -> &Scaled {
        &self.distance
    }

    /// Travel times; windows are measured on them.
    pub fn duration(&self) -> &Scaled {
        &self.duration
    }

    /// Whether some arc cannot be driven.
    pub fn has_missing_arcs(&self) -> bool {
        self.missing_arcs
    }

    /// What the cost is summed from.
    pub fn objective(&self) -> Objective {
        self.objective
    }

    /// The same instance with another cost; every constraint stays.
    pub fn with_objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// The matrix of the objective.
    pub fn cost(&self) -> &Scaled {
        match self.objective {
            Objective::Distance => &self.distance,
            Objective::Duration => &self.duration,
        }
    }

    /// The cost of an arc as it was stated (as the decimal of seven digits, if it came as f32); the
    /// diagonal is 0, unreachable is infinite.
    pub fn stated_cost(&self, from: usize, to: usize) -> f64 {
        if from == to {
            return 0.0;
        }
        let table = match (self.objective, &self.input.duration) {
            (Objective::Duration, Some(duration)) => duration,
            _ => &self.input.distance,
        };
        match table.precision() {
            Precision::Double => table.at(from, to),
            Precision::Single => seven_digits(table.at(from, to)),
        }
    }

    /// What stop `node` receives.
    #[inline]
    pub fn demand(&self, node: usize) -> i64 {
        self.demand[node]
    }

    /// What stop `node` hands over.
    #[inline]
    pub fn backhaul(&self, node: usize) -> i64 {
        self.backhaul[node]
    }

    /// What a vehicle holds.
    pub fn capacity(&self) -> i64 {
        self.capacity
    }

    /// When service at `node` may first start; for the depot, when vehicles leave.
    #[inline]
    pub fn opens(&self, node: usize) -> i64 {
        self.opens[node]
    }

    /// When service at `node` may last start; for the depot, when vehicles must be back.
    #[inline]
    pub fn closes(&self, node: usize) -> i64 {
        self.closes[node]
    }

    /// How long service at `node` takes.
    #[inline]
    pub fn service(&self, node: usize) -> i64 {
        self.service[node]
    }

    /// The greatest length of a route.
    pub fn limit(&self) -> i64 {
        self.limit
    }

    /// The longest time from the depot's opening to the end of a route.
    pub fn max_duration(&self) -> i64 {
        self.max_duration
    }

    /// How many routes there may be, if that is limited.
    pub fn vehicles(&self) -> Option<usize> {
        self.vehicles
    }

    /// The same instance with another fleet.
    pub fn with_vehicles(mut self, vehicles: Option<usize>) -> Self {
        self.vehicles = vehicles;
        self
    }

    /// The instance of some of the nodes, in the order given (the first becomes the depot), on the
    /// same scales: a plan for it is feasible exactly when it is for the whole.
    pub fn subset(&self, nodes: &[usize]) -> Self {
        let of = |list: &[i64]| nodes.iter().map(|&node| list[node]).collect::<Vec<i64>>();
        let distance = Arc::new(self.distance.subset(nodes));
        let duration = match Arc::ptr_eq(&self.distance, &self.duration) {
            true => Arc::clone(&distance),
            false => Arc::new(self.duration.subset(nodes)),
        };
        let backhaul = of(&self.backhaul);
        let features: Features =
            self.features.iter().filter(|&feature| feature != Feature::Backhaul).collect();
        Self {
            input: Arc::new(self.input.subset(nodes)),
            features: features.with_if(Feature::Backhaul, backhaul.iter().any(|&amount| amount > 0)),
            distance,
            duration,
            demand: of(&self.demand),
            backhaul,
            opens: of(&self.opens),
            closes: of(&self.closes),
            service: of(&self.service),
            ..self.clone()
        }
    }

    /// What no plan can do, proved, and what no direct drive can do: the findings of validation that
    /// are about this instance and not about how it was stated.
    pub fn findings(&self) -> Vec<crate::Finding> {
        crate::validate::reach(self)
    }

    /// How much it matters that `node` is served.
    pub fn priority(&self, node: usize) -> f64 {
        self.input.priority.as_ref().map_or(1.0, |priority| priority[node])
    }

    /// The scales of the integers.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// The scale of the cost.
    pub fn cost_scale(&self) -> crate::Scale {
        match self.objective {
            Objective::Distance => self.scales.distance,
            Objective::Duration => self.scales.duration,
        }
    }

    /// A stop in words: its number, and its id where it has one.
    pub fn label(&self, stop: usize) -> String {
        match self.input.ids {
            Some(_) => format!("stop {stop} (`{}`)", self.id(stop)),
            None => format!("stop {stop}"),
        }
    }

    /// The name of a node: its id, or its index.
    pub fn id(&self, node: usize) -> String {
        self.input.id(node)
    }
}
