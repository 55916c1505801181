//! What the network sees of an instance.

mod stated;
mod transport;
mod transpose;

pub(crate) use stated::Stated;
pub(crate) use transpose::transposed;

use std::sync::OnceLock;

use radar_kernel::isa::Isa;
use radar_problem::Instance;

use crate::config::{Config, Mix};
use crate::error::NetError;
use crate::features::{self, Facts};
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
    /// What else is mixed into the scores and was made for this instance, (N, N) each.
    mixed: Vec<(Mix, Vec<f32>)>,
    /// How often a plan leaves and reaches each node (N), and how surprising arcs are then (N, N), there and back,
    /// when someone asks.
    shares: Vec<f32>,
    transport: OnceLock<Vec<f32>>,
    transport_back: OnceLock<Vec<f32>>,
    isa: Isa,
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
        features::check(config.task, instance)?;
        let nodes = instance.nodes();
        let cost = cost(instance);
        let distance = scaled(config.scaling, &cost);
        let distance_back = transposed(nodes, &distance);
        let sight = Sight { config, nodes, there: &distance, back: &distance_back, draw, isa };
        let Marks { columns, units } = (config.init.part().marks)(&sight)?;
        let facts = features::facts(config.task, instance, &cost);
        let (features, depot) = joined(nodes, &columns, facts);
        let shares = transport::shares(instance);
        let held = Self { shares, features, depot, units, isa, ..Self::bare(distance, distance_back) };
        Ok(Self { mixed: mix::own(config, instance, &held), ..held })
    }

    /// From a scaled matrix (N, N) and ready features (N, F), for networks that mix nothing but distances.
    pub fn raw(distance: Vec<f32>, features: Vec<f32>) -> Self {
        let distance_back = transposed(distance.len().isqrt(), &distance);
        Self { features, ..Self::bare(distance, distance_back) }
    }

    fn bare(distance: Vec<f32>, distance_back: Vec<f32>) -> Self {
        let nodes = distance.len().isqrt();
        Self {
            nodes,
            distance,
            distance_back,
            mixed: Vec::new(),
            shares: vec![1.0; nodes],
            transport: OnceLock::new(),
            transport_back: OnceLock::new(),
            isa: Isa::best(),
            features: Vec::new(),
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

    /// How often a plan leaves and reaches each node (N).
    pub fn shares(&self) -> &[f32] {
        &self.shares
    }

    /// How surprising each arc is (N, N).
    pub fn transport(&self) -> &[f32] {
        let of = || transport::surprise(self.isa, self.nodes, &self.distance, &self.shares);
        self.transport.get_or_init(of)
    }

    /// How surprising each way back is (N, N).
    pub fn transport_back(&self) -> &[f32] {
        self.transport_back.get_or_init(|| transposed(self.nodes, self.transport()))
    }

    /// The matrices mixed into the scores, in the order of the configuration, (N, N) each.
    pub fn mixed(&self, config: &Config) -> Vec<&[f32]> {
        let of = |mix: &Mix| match self.mixed.iter().find(|(made, _)| made == mix) {
            Some((_, matrix)) => matrix.as_slice(),
            None => (mix.part().held)(self),
        };
        config.mix.iter().map(of).collect()
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

/// The cost. Where no times were stated they are the distances, whatever is minimised: to the bit, though
/// bounds may have put them on another scale.
fn cost(instance: &Instance) -> Stated<'_> {
    match instance.input().duration {
        Some(_) => Stated::new(instance.cost(), instance.cost_scale()),
        None => Stated::new(instance.distance(), instance.scales().distance),
    }
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
