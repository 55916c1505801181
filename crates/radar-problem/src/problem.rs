//! A problem as stated: the same keys as the wire form, floats, nothing checked.

use crate::feature::{Feature, Features};
use crate::table::Table;

/// What is to be built. Declared, never guessed from what is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One tour through all nodes.
    Atsp,
    /// Routes from and (unless open) back to node 0.
    Vrp,
}

/// Names of units, for people; nothing is converted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Units {
    /// Of `distance` and `limit`, such as `m`.
    pub distance: Option<String>,
    /// Of `duration`, windows and service, such as `s`.
    pub duration: Option<String>,
}

/// A routing problem as somebody stated it. Lists have one entry per node, the depot (node 0)
/// included; an absent list means "nothing of the kind".
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// A name for people.
    pub name: Option<String>,
    /// Tour or routes.
    pub kind: Kind,
    /// Cost and length of every arc.
    pub distance: Table,
    /// Travel times, when they are not the distances.
    pub duration: Option<Table>,
    /// What each stop receives (linehaul).
    pub demand: Option<Vec<f64>>,
    /// What each stop hands over (backhaul).
    pub backhaul: Option<Vec<f64>>,
    /// What a vehicle holds; deliveries and pickups are bounded by it separately.
    pub capacity: Option<f64>,
    /// Opening and closing time of each node; `f64::INFINITY` for one that never closes.
    pub windows: Option<Vec<[f64; 2]>>,
    /// Time spent at each stop.
    pub service: Option<Vec<f64>>,
    /// The greatest length of a route.
    pub limit: Option<f64>,
    /// The longest time from the depot's opening to the end of a route.
    pub max_duration: Option<f64>,
    /// Whether routes end at their last stop.
    pub open: bool,
    /// How many routes there may be.
    pub vehicles: Option<usize>,
    /// How much each stop matters when not all can be served; 1 unless said.
    pub priority: Option<Vec<f64>>,
    /// Latitude and longitude of each node.
    pub points: Option<Vec<[f64; 2]>>,
    /// A name of each node.
    pub ids: Option<Vec<String>>,
    /// Names of units.
    pub units: Units,
}

impl Problem {
    /// A problem with a matrix and nothing else.
    pub fn new(kind: Kind, distance: Table) -> Self {
        Self {
            name: None,
            kind,
            distance,
            duration: None,
            demand: None,
            backhaul: None,
            capacity: None,
            windows: None,
            service: None,
            limit: None,
            max_duration: None,
            open: false,
            vehicles: None,
            priority: None,
            points: None,
            ids: None,
            units: Units::default(),
        }
    }

    /// One tour on `distance`.
    pub fn atsp(distance: Table) -> Self {
        Self::new(Kind::Atsp, distance)
    }

    /// Routes on `distance`.
    pub fn vrp(distance: Table) -> Self {
        Self::new(Kind::Vrp, distance)
    }

    /// The features it has: what is there counts, not what it is called.
    pub fn features(&self) -> Features {
        let picks_up = self.backhaul.iter().flatten().any(|&amount| amount > 0.0);
        Features::NONE
            .with_if(Feature::Open, self.open)
            .with_if(Feature::Backhaul, picks_up)
            .with_if(Feature::Limit, self.limit.is_some())
            .with_if(Feature::Windows, self.windows.is_some())
    }

    /// How many nodes the distance matrix has.
    pub fn nodes(&self) -> usize {
        self.distance.rows()
    }

    /// The key and length of every list of one entry per node that is there.
    pub fn list_lengths(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let lengths = [
            ("demand", self.demand.as_ref().map(Vec::len)),
            ("backhaul", self.backhaul.as_ref().map(Vec::len)),
            ("windows", self.windows.as_ref().map(Vec::len)),
            ("service", self.service.as_ref().map(Vec::len)),
            ("priority", self.priority.as_ref().map(Vec::len)),
            ("points", self.points.as_ref().map(Vec::len)),
            ("ids", self.ids.as_ref().map(Vec::len)),
        ];
        lengths.into_iter().filter_map(|(key, length)| Some((key, length?)))
    }

    /// The problem of some of the nodes, in the order given; the first becomes the depot. The lists
    /// and matrices must be of one size, as after validation.
    pub fn subset(&self, nodes: &[usize]) -> Self {
        fn of<T: Clone>(list: &Option<Vec<T>>, nodes: &[usize]) -> Option<Vec<T>> {
            list.as_ref().map(|list| nodes.iter().map(|&node| list[node].clone()).collect())
        }
        Self {
            name: self.name.clone(),
            kind: self.kind,
            distance: self.distance.subset(nodes),
            duration: self.duration.as_ref().map(|duration| duration.subset(nodes)),
            demand: of(&self.demand, nodes),
            backhaul: of(&self.backhaul, nodes),
            capacity: self.capacity,
            windows: of(&self.windows, nodes),
            service: of(&self.service, nodes),
            limit: self.limit,
            max_duration: self.max_duration,
            open: self.open,
            vehicles: self.vehicles,
            priority: of(&self.priority, nodes),
            points: of(&self.points, nodes),
            ids: Some(nodes.iter().map(|&node| self.id(node)).collect()),
            units: self.units.clone(),
        }
    }

    /// The name of a node: its id, or its index.
    pub fn id(&self, node: usize) -> String {
        match self.ids.as_ref().and_then(|ids| ids.get(node)) {
            Some(id) => id.clone(),
            None => node.to_string(),
        }
    }
}
