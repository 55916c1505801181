//! What a file leaves open and the caller states.

use radar::{Kind, Problem};
use radar_format::{FormatError, Given, Loaded};
use serde::{Deserialize, Deserializer};

/// What a file leaves open and the caller states.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stated {
    /// The format, when it is not recognised.
    pub from: Option<String>,
    /// A CSV of the stops that go with a matrix; a text on the wire.
    #[serde(deserialize_with = "text")]
    pub stops: Option<Vec<u8>>,
    /// Tour or routes.
    #[serde(deserialize_with = "kind")]
    pub kind: Option<Kind>,
    /// What a vehicle holds.
    pub capacity: Option<f64>,
    /// How many vehicles there are.
    pub vehicles: Option<usize>,
    /// The greatest length of a route.
    pub limit: Option<f64>,
    /// The longest a route may take from the depot's opening on.
    pub max_duration: Option<f64>,
    /// Routes end at their last stop.
    pub open: bool,
    /// What travel times are counted in (`s`, `min`, `h`), for tables that do not say.
    pub unit: Option<String>,
    /// The most nodes that are read, if the caller is not to be trusted with more.
    #[serde(skip)]
    pub most_nodes: Option<usize>,
}

fn kind<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Kind>, D::Error> {
    let name = Option::<String>::deserialize(from)?;
    name.map(|name| match name.as_str() {
        "atsp" => Ok(Kind::Atsp),
        "vrp" => Ok(Kind::Vrp),
        other => Err(serde::de::Error::custom(format!("`{other}` is no kind: atsp or vrp"))),
    })
    .transpose()
}

fn text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u8>>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(String::into_bytes))
}

/// Distances and durations, and lists beside them.
const MATRICES: usize = 3;

impl Stated {
    /// Reads a file and adds what is stated.
    pub fn read(&self, name: Option<&str>, bytes: &[u8]) -> Result<Loaded, FormatError> {
        // Something that only routes have declares routes; nothing is ever concluded from its absence.
        let routes = self.capacity.is_some()
            || self.vehicles.is_some()
            || self.limit.is_some()
            || self.max_duration.is_some()
            || self.open;
        let kind = self.kind.or(routes.then_some(Kind::Vrp));
        let most_values = self.most_nodes.map(|nodes| MATRICES * nodes.saturating_mul(nodes));
        let (stops, unit) = (self.stops.clone(), self.unit.clone());
        let given = Given { kind, stops, capacity: self.capacity, unit, most_values };
        let mut loaded = match &self.from {
            Some(format) => radar_format::read::read_as(format, bytes, &given),
            None => radar_format::read(name, bytes, &given),
        }?;
        loaded.problems.iter_mut().for_each(|problem| self.add_to(problem));
        Ok(loaded)
    }

    fn add_to(&self, problem: &mut Problem) {
        problem.capacity = self.capacity.or(problem.capacity);
        problem.vehicles = self.vehicles.or(problem.vehicles);
        problem.limit = self.limit.or(problem.limit);
        problem.max_duration = self.max_duration.or(problem.max_duration);
        problem.open |= self.open;
    }
}
