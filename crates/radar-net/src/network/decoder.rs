//! The decoder's tables, made once per instance.
//!
//! No dense layer is left in a step, and on tours no score either. A query is a sum of what the node adds and of what
//! else is known, so its scores are sums too, and the weights of attention are products of tabulated exponentials;
//! only what a route's context adds is computed in every step. The output map is folded into the keys of the last
//! product, because (C o + b) . h = o . (C' h) + b . h.

use radar_kernel::attention::exponentials;
use radar_kernel::product::{Finish, Packed, View, multiply};

use super::{Network, Use};
use crate::input::Input;
use crate::journey::Journeys;
use crate::term::Terms;

/// What a step needs to know of an instance.
pub struct Tables<'a> {
    pub(super) network: &'a Network,
    input: &'a Input,
    pub(super) nodes: usize,
    /// Numbers per row of what has one number per node: N and as many as fill the last vector.
    pub(super) stride: usize,
    /// The encoding (N, d).
    pub(super) h: Vec<f32>,
    /// Queries of where a trajectory stands, and of where it began (N, d).
    pub(super) query: Vec<f32>,
    pub(super) first: Option<Vec<f32>>,
    /// What one unit of each number of the context adds to a query (C, d).
    pub(super) context: Vec<f32>,
    /// Keys, divided by the root of c; values; keys of the choice (N, d).
    pub(super) keys: Vec<f32>,
    pub(super) values: Vec<f32>,
    pub(super) choice: Vec<f32>,
    /// The same as factors: per head keys (c, N) and values (N, c); keys of the choice (d, N).
    pub(super) packed: PackedTables,
    /// What each node has in the choice without a query (N).
    pub(super) bias: Vec<f32>,
    /// Per head, for every node where a trajectory may stand, e^score of every node (H, N, stride); nothing
    /// where it would take too much memory.
    pub(super) near: Option<Vec<f32>>,
    pub(super) rest: Rest,
    pub(super) terms: Terms<'a>,
}

pub(super) struct PackedTables {
    pub keys: Vec<Packed>,
    pub values: Vec<Packed>,
    pub choice: Packed,
}

/// What a score has beside that of the current node.
pub(super) enum Rest {
    /// Where the trajectory began: e^score (H, N, stride), if the node's is tabulated too.
    Home(Vec<f32>),
    /// The score that one unit of each number of the context adds (H, C, stride), and what all begin with: minus
    /// infinity beyond the nodes (stride).
    Context { units: Vec<f32>, base: Vec<f32> },
}

/// Entries of a table of scores beyond which inference does without: 64 MiB.
const TABULATED: usize = 1 << 24;

impl Network {
    /// The tables of an instance from its encoding (N, d).
    pub fn tables<'a>(&'a self, input: &'a Input, h: Vec<f32>) -> Tables<'a> {
        self.tables_with(input, h, self.tabulates(input.nodes()))
    }

    /// Whether scores are tabulated for so many nodes.
    pub(crate) fn tabulates(&self, nodes: usize) -> bool {
        let entries = nodes.saturating_mul(nodes).saturating_mul(self.weights.config().heads);
        self.purpose == Use::Training || entries <= TABULATED
    }

    pub(super) fn tables_with<'a>(&'a self, input: &'a Input, h: Vec<f32>, tabulate: bool) -> Tables<'a> {
        let (config, weights, nodes) = (self.weights.config(), &self.weights, input.nodes());
        let (width, size) = (config.width, config.head_width());
        let query = self.query.apply(weights, &h);
        let mut keys = self.key.apply(weights, &h);
        let scale = 1.0 / (size as f32).sqrt();
        keys.iter_mut().for_each(|key| *key *= scale);
        let values = self.value.apply(weights, &h);
        let (choice, bias) = self.folded(&h);
        let first = self.first.as_ref().map(|first| first.apply(weights, &h));
        let context = self.query.further_columns(weights);
        let of = |values: &[f32], head: usize, transposed: bool| {
            let view = View::with_step(&values[head * size..], nodes, size, width);
            Packed::new(self.isa, if transposed { view.transposed() } else { view })
        };
        let packed = PackedTables {
            keys: (0..config.heads).map(|head| of(&keys, head, true)).collect(),
            values: (0..config.heads).map(|head| of(&values, head, false)).collect(),
            choice: Packed::new(self.isa, View::new(&choice, nodes, width).transposed()),
        };
        let stride = nodes.next_multiple_of(self.isa.lanes());
        let scores = |queries: &[f32]| scores(&packed.keys, queries, size, stride);
        let table = |queries: &[f32]| {
            tabulate.then(|| {
                let mut table = scores(queries);
                exponentials(self.isa, nodes, stride, &mut table);
                table
            })
        };
        let rest = match &first {
            Some(first) => Rest::Home(table(first).unwrap_or_default()),
            None => {
                let mut base = vec![0.0; stride];
                base[nodes..].fill(f32::NEG_INFINITY);
                Rest::Context { units: scores(&context), base }
            }
        };
        Tables {
            network: self,
            input,
            nodes,
            stride,
            near: table(&query),
            rest,
            query,
            first,
            context,
            keys,
            values,
            choice,
            packed,
            bias,
            terms: Terms::new(self.isa, weights, input),
            h,
        }
    }

    /// The keys of the choice with the output map folded in (N, d), and their biases (N); both divided by
    /// the root of d.
    fn folded(&self, h: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let width = self.weights.config().width;
        let scale = 1.0 / (width as f32).sqrt();
        let mut keys = vec![0.0; h.len()];
        super::linear::shared_multiply(h, width, &self.fold, &mut keys, Finish::default());
        keys.iter_mut().for_each(|key| *key *= scale);
        let bias = self.combine.bias().map_or(&[][..], |bias| &self.weights.values()[bias]);
        let dot = |row: &[f32]| row.iter().zip(bias).map(|(h, b)| h * b).sum::<f32>() * scale;
        let biases = h.chunks_exact(width).map(dot).collect();
        (keys, biases)
    }
}

/// The scores of some queries (R, d) under the keys (c, N) of every head: (H, R, stride).
fn scores(keys: &[Packed], queries: &[f32], size: usize, stride: usize) -> Vec<f32> {
    let width = keys.len() * size;
    let rows = queries.len() / width.max(1);
    let mut all = vec![0.0; keys.len() * rows * stride];
    for (head, (keys, of_head)) in keys.iter().zip(all.chunks_exact_mut((rows * stride).max(1))).enumerate() {
        let queries = View::with_step(&queries[head * size..], rows, size, width);
        multiply(queries, keys, of_head, stride, Finish::default());
    }
    all
}

impl<'a> Tables<'a> {
    /// Journeys of trajectories on this instance, none yet.
    pub fn journeys(&self) -> Journeys<'a> {
        Journeys::new(self.input)
    }

    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.network
    }

    /// The encoding (N, d).
    pub fn encoding(&self) -> &[f32] {
        &self.h
    }
}
