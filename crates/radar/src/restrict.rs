//! The part of a problem that can be served.

use std::collections::BTreeSet;

use radar_problem::{Finding, Instance, Routes, Severity};

/// The instance of the stops that nothing blocks, and where they stand in the original.
pub(crate) struct Restriction {
    /// `None` when nothing is left.
    pub instance: Option<Instance>,
    /// The original node of each node of the restricted instance.
    nodes: Vec<usize>,
}

impl Restriction {
    /// Leaves out blocked stops until no stop is blocked any more: a stop may be servable only by
    /// way of one that had to go.
    pub fn of(whole: &Instance, findings: &[Finding]) -> Self {
        let mut nodes: Vec<usize> = (0..whole.nodes()).collect();
        let mut instance = whole.clone();
        let mut blocked = blocked_nodes(findings);
        while !blocked.is_empty() {
            nodes = nodes
                .into_iter()
                .enumerate()
                .filter(|(at, _)| !blocked.contains(at))
                .map(|(_, node)| node)
                .collect();
            if nodes.len() <= whole.stops().start {
                return Self { instance: None, nodes };
            }
            instance = whole.subset(&nodes);
            blocked = blocked_nodes(&instance.findings());
        }
        Self { instance: Some(instance), nodes }
    }

    /// A plan of the restricted instance in the numbers of the original.
    pub fn restore(&self, routes: Routes) -> Routes {
        Routes(
            routes
                .0
                .into_iter()
                .map(|route| route.into_iter().map(|stop| self.nodes[stop]).collect())
                .collect(),
        )
    }

    /// The stops of the original that are not in the restricted instance.
    pub fn left_out<'a>(&'a self, whole: &'a Instance) -> impl Iterator<Item = usize> + 'a {
        whole.stops().filter(|stop| self.nodes.binary_search(stop).is_err())
    }

    /// A plan of the original in the numbers of the restricted instance, without the stops that are not
    /// in it.
    pub fn restrict(&self, routes: &Routes) -> Routes {
        let local = |stop: &usize| self.nodes.binary_search(stop).ok();
        Routes(routes.iter().map(|route| route.iter().filter_map(local).collect()).collect())
    }

    /// The original number of each node.
    pub fn nodes(&self) -> &[usize] {
        &self.nodes
    }

    /// The original number of a node.
    pub fn original(&self, node: usize) -> usize {
        self.nodes[node]
    }
}

fn blocked_nodes(findings: &[Finding]) -> BTreeSet<usize> {
    let blockers = findings.iter().filter(|finding| finding.severity() == Severity::Blocker);
    blockers.flat_map(|finding| finding.nodes.iter().copied()).collect()
}
