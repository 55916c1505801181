//! What mix inputs are made of.

/// The scaled matrices (N, N), entry by entry.
pub(crate) struct Ways<'a> {
    pub nodes: usize,
    pub distance: &'a [f64],
    pub duration: &'a [f64],
    pub surprise: &'a [f64],
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
}
