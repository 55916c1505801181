//! Instances cut out of one large road matrix, as RRNCO does.

use std::cmp::Ordering;

use radar_kernel::random::Stream;
use radar_problem::{Problem, Scale, Table, Units};

use crate::ground::{Ground, Measure};

/// How the points of an instance are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Any points, without replacement; the first is node 0.
    Uniform,
    /// A random centre, which is node 0, and the points nearest to it in latitude and longitude.
    Cluster,
}

/// A road matrix without unreachable pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Roads {
    distance: Table,
    duration: Option<Table>,
    points: Option<Vec<[f64; 2]>>,
    units: Units,
    dropped: Vec<usize>,
}

/// Why a road matrix cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRoads {
    /// A table is not square, or tables and points differ in size.
    Sizes,
    /// A value is negative, no number, or too large to be computed with.
    Values,
    /// No point is left after those that cannot be reached are dropped.
    Empty,
}

impl std::fmt::Display for BadRoads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Sizes => "the tables must be square, and tables and points of one size",
            Self::Values => "the tables hold values that are negative, no numbers, or too large",
            Self::Empty => "no point of the matrix can be reached",
        })
    }
}

impl std::error::Error for BadRoads {}

impl Roads {
    /// The tables, points and units of a problem; what else it has is not looked at.
    pub fn of(problem: Problem) -> Result<Self, BadRoads> {
        let farthest = Self::farthest(&problem.units);
        let roads = Self::new(problem.distance, problem.duration, problem.points, farthest)?;
        Ok(roads.with_units(problem.units))
    }

    /// What is longer than this is no way, in a unit of distance: metres unless it says kilometres.
    pub fn farthest(units: &Units) -> f64 {
        const KILOMETRES: f64 = 1e5;
        match units.distance.as_deref() {
            Some("km") => KILOMETRES,
            _ => KILOMETRES * 1000.0,
        }
    }

    /// Takes tables and points. Pairs that are infinite or longer than `farthest` (RRNCO: 100,000 km)
    /// are unreachable; the points with most of them are dropped, one by one, until none is left.
    /// Values are kept if they have at most six decimals, and rounded to six otherwise.
    pub fn new(
        distance: Table,
        duration: Option<Table>,
        points: Option<Vec<[f64; 2]>>,
        farthest: f64,
    ) -> Result<Self, BadRoads> {
        let nodes = distance.rows();
        let fits = |table: &Table| table.is_square() && table.rows() == nodes;
        let count = points.as_ref().map_or(nodes, Vec::len);
        if !fits(&distance) || !duration.iter().all(fits) || count != nodes {
            return Err(BadRoads::Sizes);
        }
        let off_diagonal = |table: &Table, sound: fn(f64) -> bool| table.off_diagonal().all(sound);
        let sound = |table: &Table| off_diagonal(table, |value| value >= 0.0);
        let places = points.iter().flatten().flatten().all(|coordinate| coordinate.is_finite());
        if !sound(&distance) || !duration.iter().all(sound) || !places {
            return Err(BadRoads::Values);
        }
        let is_gap = |from: usize, to: usize| {
            let far = distance.at(from, to) > farthest || !distance.at(from, to).is_finite();
            far || duration.as_ref().is_some_and(|table| !table.at(from, to).is_finite())
        };
        let kept = connected(nodes, is_gap);
        if kept.is_empty() {
            return Err(BadRoads::Empty);
        }
        let subset = |table: &Table| decimal(table.subset(&kept)).ok_or(BadRoads::Values);
        Ok(Self {
            distance: subset(&distance)?,
            duration: duration.as_ref().map(subset).transpose()?,
            points: points.map(|points| kept.iter().map(|&node| points[node]).collect()),
            units: Units::default(),
            dropped: (0..nodes).filter(|node| kept.binary_search(node).is_err()).collect(),
        })
    }

    /// The same matrix with names of units.
    pub fn with_units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// How many points can be chosen.
    pub fn nodes(&self) -> usize {
        self.distance.rows()
    }

    /// Whether it is known where the points are, as clusters need.
    pub fn has_points(&self) -> bool {
        self.points.is_some()
    }

    /// The points of the given matrix that were dropped, in order.
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// The part of the matrix for instance `index` under `seed`. Without points a cluster is a uniform
    /// choice; there must be `count` nodes.
    pub(crate) fn ground(&self, pick: Pick, count: usize, seed: u64, index: u64) -> Ground {
        let mut stream = Stream::new(seed, "roads", index);
        let nodes = match (pick, &self.points) {
            (Pick::Cluster, Some(points)) => nearest(points, stream.index(points.len()), count),
            _ => stream.sample(self.nodes(), count),
        };
        Ground {
            duration: self.duration.as_ref().map(|table| table.subset(&nodes)),
            points: self.points.as_ref().map(|points| nodes.iter().map(|&node| points[node]).collect()),
            units: self.units.clone(),
            ..Ground::new(self.distance.subset(&nodes), Measure::Largest)
        }
    }
}

/// The `count` points nearest to `centre`, itself first.
fn nearest(points: &[[f64; 2]], centre: usize, count: usize) -> Vec<usize> {
    let away = |node: usize| {
        let [north, east] = [0, 1].map(|axis| points[node][axis] - points[centre][axis]);
        north * north + east * east
    };
    let mut nodes: Vec<usize> = (0..points.len()).collect();
    nodes.sort_by(|&a, &b| match (a == centre, b == centre) {
        (false, false) => away(a).total_cmp(&away(b)).then(a.cmp(&b)),
        (true, _) => Ordering::Less,
        (_, true) => Ordering::Greater,
    });
    nodes.truncate(count);
    nodes
}

/// The nodes that are left when the one with most gaps (the last of equals) goes until there are none.
fn connected(nodes: usize, is_gap: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let gaps_between = |a: usize, b: usize| match a == b {
        true => 0,
        false => usize::from(is_gap(a, b)) + usize::from(is_gap(b, a)),
    };
    let mut gaps: Vec<usize> = (0..nodes).map(|a| (0..nodes).map(|b| gaps_between(a, b)).sum()).collect();
    let mut kept: Vec<usize> = (0..nodes).collect();
    while let Some(&worst) = kept.iter().max_by_key(|&&node| gaps[node]).filter(|&&node| gaps[node] > 0) {
        kept.retain(|&node| node != worst);
        for &node in &kept {
            gaps[node] -= gaps_between(node, worst);
        }
    }
    kept
}

/// The table in double precision with at most six decimals, its diagonal 0.
fn decimal(table: Table) -> Option<Table> {
    const DIGITS: u32 = 6;
    let (nodes, precision) = (table.rows(), table.precision());
    let values = table.values();
    let entries = values.iter().enumerate().filter(|(at, _)| at / nodes != at % nodes);
    let scale = Scale::choose(nodes, entries.map(|(_, value)| (value, precision)))?;
    let rounded = |value: f64| match scale.is_exact() && scale.digits() <= DIGITS {
        true => scale.undo(scale.apply(value, precision)),
        false => (value * 1e6).round() / 1e6,
    };
    let values = values.iter().enumerate();
    let values = values.map(|(at, &value)| if at / nodes == at % nodes { 0.0 } else { rounded(value) });
    Some(Table::from_values(nodes, nodes, values.collect()))
}

#[cfg(test)]
mod tests;
