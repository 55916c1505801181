//! What each vehicle would do from where it stands: how surprising every candidate is to it, at prices that are found anew for what
//! is left whenever it leaves the depot.
//!
//! Of all routes that a vehicle with so much room, and so far or so long to go, could go on with, each as likely as it is cheap ([`radar_kernel::ensemble`]), it
//! counts how few go to a candidate, among the stops from which that one can still be reached. Prices at which every stop is
//! on one route on the average are those of all stops together; once some are served they mislead, so the rest get their own.

use std::f32::consts::LN_2;

use radar_kernel::ensemble::{Outlook, Scratch, TICKS};

use crate::context::ROOM;
use crate::input::{Input, Rides};
use crate::logs::straight_log;

/// What is left of the ways to a candidate counts as no less.
const LEAST: f32 = 1e-9;

/// About how many bytes the journey of one trajectory takes on so many nodes at most: where length has a limit or stops have hours, rows of ticks per
/// stop and level, and for each of two stops that are a pair; as many as roads have.
pub fn bytes(nodes: usize) -> u64 {
    const LEVELS: usize = 129;
    const ARCS: usize = 2000;
    const ROWS: usize = 3;
    ((size_of::<f32>() * TICKS * LEVELS * ROWS + ARCS) * nodes) as u64
}

/// The journeys of the trajectories of one instance.
pub struct Journeys<'a> {
    nodes: usize,
    rides: Option<&'a Rides>,
    list: Vec<Journey>,
    scratch: Scratch,
}

/// One trajectory so far.
#[derive(Clone, Debug)]
struct Journey {
    /// Where it stands.
    at: usize,
    /// The stops that it has not served (N).
    unserved: Vec<bool>,
    /// What the routes of the stops came to that were left when it left the depot; that of all stops if nothing is said.
    own: Option<Outlook>,
    /// Of each stop, how often it is reached from where it still can be (N).
    left: Vec<f32>,
}

impl<'a> Journeys<'a> {
    /// None yet. Of tours, and for networks that do not ask for it, there is nothing to say.
    pub fn new(input: &'a Input) -> Self {
        Self { nodes: input.nodes(), rides: input.rides(), list: Vec::new(), scratch: Scratch::default() }
    }

    /// About how many bytes one of them takes at most.
    pub fn bytes_each(&self) -> u64 {
        self.rides.map_or(0, |rides| rides.first.bytes() as u64)
    }

    /// How many numbers a row has: N, or none.
    pub fn numbers(&self) -> usize {
        self.rides.map_or(0, |_| self.nodes)
    }

    /// Notes where a trajectory stands: told of each of its steps.
    pub fn see(&mut self, trajectory: usize, node: usize) {
        let Some(rides) = self.rides else { return };
        let first = || Journey {
            at: 0,
            unserved: vec![true; self.nodes],
            own: None,
            left: left(self.nodes, &rides.first),
        };
        if self.list.len() <= trajectory {
            self.list.resize_with(trajectory + 1, first);
        }
        self.list[trajectory].go(rides, node, &mut self.scratch);
    }

    /// Writes how surprising every candidate is to a trajectory in such a context (N): what it is above the least surprising of those
    /// that are open, a bit each.
    pub fn fill(&self, trajectory: usize, context: &[f32], open: &[u64], out: &mut [f32]) {
        let Some(rides) = self.rides else { return };
        let rooms = [context[ROOM], context[ROOM + 1]];
        let left = rides.reach.as_ref().map_or(0.0, |reach| reach.left(context));
        self.list[trajectory].surprise(rides, rooms, left, open, out);
    }
}

impl Journey {
    fn go(&mut self, rides: &Rides, node: usize, scratch: &mut Scratch) {
        let before = std::mem::replace(&mut self.at, node);
        self.unserved[node] = false;
        if before == 0 || before == node {
            return;
        }
        let outlook = self.own.as_ref().unwrap_or(&rides.first);
        if node > 0 {
            // Nobody comes from there any more.
            let left = &mut self.left;
            outlook.used_from(before, &mut |to, used| left[to] -= used);
        } else if self.unserved.contains(&true) {
            let outlook = outlook.rest(&self.unserved, scratch);
            self.left = left(self.unserved.len(), &outlook);
            self.own = Some(outlook);
        }
    }

    fn surprise(&self, rides: &Rides, rooms: [f32; 2], left: f32, open: &[u64], out: &mut [f32]) {
        let (fleet, outlook) = (&rides.fleet, self.own.as_ref().unwrap_or(&rides.first));
        // Nearly a level is one.
        let level = |room: f32| ((room * fleet.top() as f32 + 1e-3).max(0.0) as usize).min(fleet.top());
        let levels = rooms.map(level);
        out.copy_from_slice(fleet.steps(self.at));
        let mut least = if open[0] & 1 == 1 { out[0] } else { f32::MAX };
        let is_open = |node: usize| open[node / 64] >> (node % 64) & 1 == 1;
        for node in (1..out.len()).filter(|&node| is_open(node)) {
            let room = levels[usize::from(fleet.gives(node))];
            let reached = LN_2 * straight_log(self.left[node].clamp(LEAST, 1.0));
            let slack = rides.reach.as_ref().map_or(0.0, |reach| reach.over(left, self.at, node));
            out[node] += reached - outlook.ahead(self.at, node, room, slack).ln() as f32;
            least = least.min(out[node]);
        }
        out[0] = straight_log(1.0 + (out[0] - least).max(0.0));
        for (node, amount) in out.iter_mut().enumerate().skip(1) {
            *amount = if is_open(node) { straight_log(1.0 + (*amount - least).max(0.0)) } else { 0.0 };
        }
    }
}

/// Of each stop, how often it is reached at all (N).
fn left(nodes: usize, outlook: &Outlook) -> Vec<f32> {
    let mut left = vec![0.0; nodes];
    outlook.visits().for_each(|(stop, visits)| left[stop] = visits);
    left
}
