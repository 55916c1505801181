//! What mix inputs are made of.

/// The scaled matrices (N, N), entry by entry, and what a plan looks like.
pub(crate) struct Ways<'a> {
    pub nodes: usize,
    pub distance: &'a [f64],
    pub duration: &'a [f64],
    /// How often the first node is left and reached: once, or by so many routes.
    pub routes: f64,
    /// Whether nobody drives home.
    pub is_open: bool,
}

impl Ways<'_> {
    /// The distance from a node to a node.
    pub fn distance(&self, from: usize, to: usize) -> f64 {
        self.distance[from * self.nodes + to]
    }

    /// The duration from a node to a node.
    pub fn duration(&self, from: usize, to: usize) -> f64 {
        self.duration[from * self.nodes + to]
    }

    /// A matrix (N, N) by its entries.
    pub fn matrix(&self, entry: impl Fn(usize, usize) -> f64) -> Vec<f64> {
        (0..self.nodes * self.nodes).map(|at| entry(at / self.nodes, at % self.nodes)).collect()
    }
}
