//! What the network sees of an instance.

mod follow;
mod reach;
mod rides;
mod routes;
mod stated;
mod transpose;

pub(crate) use follow::may_follow;
pub use reach::may_run_out;
pub(crate) use rides::Rides;
pub(crate) use stated::Stated;
pub(crate) use transpose::transposed;

use radar_kernel::isa::Isa;
use radar_problem::Instance;
use radar_rollout::Stop;

use crate::config::{Config, Mix, Task};
use crate::error::NetError;
use crate::features::{self, Facts, Shares};
use crate::init::{Marks, Sight};
use crate::mix;
use crate::scaling::scaled;

/// What an input takes from chance: the sketch of the singular vectors, the random initialisations. Equal
/// draws give equal inputs; the draws of one seed see the same instance differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Draw {
    /// The seed.
    pub seed: u64,
    /// Which of the draws under that seed.
    pub index: u64,
}

/// One instance in the form of tensors. N nodes, F columns of features.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    nodes: usize,
    /// The scaled cost there and back, (N, N).
    distance: Vec<f32>,
    distance_back: Vec<f32>,
    /// What else the network looks at and was made for this instance, (N, N) each.
    made: Vec<(Mix, Vec<f32>)>,
    /// How many routes loads need at least; 1 if it is a tour.
    routes: usize,
    /// Whether the first node is one that all routes begin at.
    has_depot: bool,
    /// What stops get and give, if the network is for all routes.
    shares: Option<Shares>,
    /// What vehicles would do, by their room, if the network is for all routes and asks for it.
    rides: Option<Rides>,
    /// The input of `projection` (N, F).
    features: Vec<f32>,
    /// The input of `depot_projection`, where there is one.
    depot: Option<Vec<f32>>,
    /// The unit vector that each node adds to its embedding, where `init` is `one-hot`.
    units: Vec<usize>,
}

impl Input {
    /// What a network of this configuration sees of an instance. Refuses instances that it is not made for.
    pub fn of(config: &Config, instance: &Instance, draw: Draw, isa: Isa) -> Result<Self, NetError> {
        Self::of_until(config, instance, draw, isa, &|| false)
    }

    /// The same. When it is stopped meanwhile, something stands for what was not made: it must not be used then.
    pub fn of_until(
        config: &Config,
        instance: &Instance,
        draw: Draw,
        isa: Isa,
        stop: Stop<'_>,
    ) -> Result<Self, NetError> {
        features::check(config.task, instance)?;
        let cost = cost(instance);
        let distance = scaled(config.scaling, &cost);
        let routes = routes::least(instance);
        let has_depot = !instance.is_tour();
        let shares = (config.task == Task::Vrp).then(|| Shares::of(instance));
        let mut input = Self { routes, has_depot, shares, ..Self::raw(distance, Vec::new()) };
        input.mark(config, instance, &cost, draw, isa)?;
        if config.has_journeys() {
            input.rides =
                Rides::of(instance, &mix::of_routes(instance), &may_follow(instance), routes, isa, stop);
        }
        input.made = mix::own(config, instance, &input, isa, stop);
        Ok(input)
    }

    /// Sees the same instance differently: only what is taken from chance changes.
    pub fn redraw(
        &mut self,
        config: &Config,
        instance: &Instance,
        draw: Draw,
        isa: Isa,
    ) -> Result<(), NetError> {
        self.mark(config, instance, &cost(instance), draw, isa)
    }

    fn mark(
        &mut self,
        config: &Config,
        instance: &Instance,
        cost: &Stated,
        draw: Draw,
        isa: Isa,
    ) -> Result<(), NetError> {
        let (there, back) = (&self.distance, &self.distance_back);
        let sight = Sight { config, nodes: self.nodes, there, back, draw, isa };
        let Marks { columns, units } = (config.init.part().marks)(&sight)?;
        let facts = features::facts(config.task, instance, cost);
        (self.features, self.depot) = joined(self.nodes, &columns, facts);
        self.units = units;
        Ok(())
    }

    /// From a scaled matrix (N, N) and ready features (N, F), for networks that look at nothing but distances.
    pub fn raw(distance: Vec<f32>, features: Vec<f32>) -> Self {
        let nodes = distance.len().isqrt();
        Self {
            nodes,
            distance_back: transposed(nodes, &distance),
            distance,
            made: Vec::new(),
            routes: 1,
            has_depot: false,
            shares: None,
            rides: None,
            features,
            depot: None,
            units: Vec::new(),
        }
    }

    /// N.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The scaled cost, (N, N).
    pub fn distance(&self) -> &[f32] {
        &self.distance
    }

    /// The scaled cost of the way back: entry (i, j) is that from j to i.
    pub fn distance_back(&self) -> &[f32] {
        &self.distance_back
    }

    /// How many routes loads need at least; 1 if it is a tour.
    pub fn routes(&self) -> usize {
        self.routes
    }

    /// Whether the first node is one that all routes begin at.
    pub fn has_depot(&self) -> bool {
        self.has_depot
    }

    /// What stops get and give, if the network is for all routes.
    pub(crate) fn shares(&self) -> Option<&Shares> {
        self.shares.as_ref()
    }

    /// What vehicles would do, by their room.
    pub(crate) fn rides(&self) -> Option<&Rides> {
        self.rides.as_ref()
    }

    /// The matrix (N, N) of a mix input that the network looks at.
    pub fn matrix(&self, mix: Mix) -> &[f32] {
        match self.made.iter().find(|(made, _)| *made == mix) {
            Some((_, matrix)) => matrix,
            None => (mix.part().held)(self),
        }
    }

    /// The matrices mixed into the scores, in the order of the configuration, (N, N) each.
    pub fn mixed(&self, config: &Config) -> Vec<&[f32]> {
        config.mix.iter().map(|&mix| self.matrix(mix)).collect()
    }

    /// The input of `projection` (N, F).
    pub fn features(&self) -> &[f32] {
        &self.features
    }

    /// The input of `depot_projection`.
    pub fn depot(&self) -> Option<&[f32]> {
        self.depot.as_deref()
    }

    /// The unit vector of each node; none unless `init` is `one-hot`.
    pub fn units(&self) -> &[usize] {
        &self.units
    }
}

/// The cost; of open routes nothing for ways home. Where no times were stated they are the distances, whatever is minimised: to the bit, though
/// bounds may have put them on another scale.
pub(crate) fn cost(instance: &Instance) -> Stated<'_> {
    let cost = match instance.input().duration {
        Some(_) => Stated::new(instance.cost(), instance.cost_scale()),
        None => Stated::new(instance.distance(), instance.scales().distance),
    };
    if instance.is_open() { cost.with_free_ways_home() } else { cost }
}

/// The inputs of the projections: the columns of the initialisation, then the facts of the task.
fn joined(nodes: usize, columns: &[f32], facts: Facts) -> (Vec<f32>, Option<Vec<f32>>) {
    let (marks, own) = (columns.len() / nodes.max(1), facts.nodes.len() / nodes.max(1));
    let mut features = Vec::with_capacity(columns.len() + facts.nodes.len());
    for node in 0..nodes {
        features.extend_from_slice(&columns[node * marks..(node + 1) * marks]);
        features.extend_from_slice(&facts.nodes[node * own..(node + 1) * own]);
    }
    let depot = facts.depot.map(|facts| columns.iter().copied().take(marks).chain(facts).collect());
    (features, depot)
}
