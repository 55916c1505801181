//! The distributions by name, with their parameters: what a command lists and asks for.

mod request;

pub use request::BadRequest;

use std::sync::Arc;

use radar_problem::{Features, Variant};

use crate::atlas::Atlas;
use crate::city::City;
use crate::distribution::{Distribution, Wanted};
use crate::feature::{CapacityLaw, DemandLaw, Recipe};
use crate::roads::Pick;
use crate::source::Source;
use request::Request;

/// One parameter of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// What it is called.
    pub name: &'static str,
    /// Its value unless given.
    pub default: &'static str,
    /// What it means, in one line.
    pub summary: &'static str,
}

/// One distribution.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// Whether it cuts instances out of a road matrix that must be given.
    pub needs_roads: bool,
    /// Whether instances have travel times beside lengths; those of given matrices, as far as these have some.
    pub has_durations: bool,
    make: fn(&Request<'_>) -> Result<Parts, BadRequest>,
}

/// What a distribution is made of, beside its size.
type Parts = (Source, Wanted, Recipe);

const fn parameter(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    Parameter { name, default, summary }
}

const N: Parameter = parameter("n", "100", "stops: nodes of a tour, or stops beside the depot");
const TOUR: Parameter =
    parameter("variant", "ATSP", "ATSP, ACVRP, A[O]VRP[B][L][TW], or mix of the latter 16");
const MIX: Parameter = parameter("variant", "mix", "mix of all 16, or ACVRP, or A[O]VRP[B][L][TW]");
const PRESET: Parameter = parameter(
    "preset",
    "paper",
    "paper, tight (limits that bind, windows that wait) or day (a dispatcher's: hours, many sizes of vehicles)",
);

/// Every distribution of instances. (Flow shops are no routing problem: see [`crate::FlowShop`].)
pub const ALL: &[Entry] = &[
    Entry {
        name: "tmat",
        summary: "random integers closed under the triangle inequality: the paper's ATSP",
        parameters: &[N, TOUR, PRESET],
        needs_roads: false,
        has_durations: false,
        make: tmat,
    },
    Entry {
        name: "acvrp",
        summary: "tmat, demands 1 to 9, the paper's capacity for the size",
        parameters: &[N],
        needs_roads: false,
        has_durations: false,
        make: acvrp,
    },
    Entry {
        name: "skewed",
        summary: "tmat, mostly small or mostly large demands, capacity 50",
        parameters: &[N, parameter("skew", "small", "small: 80 % are 1 to 3; large: 80 % are 4 to 10")],
        needs_roads: false,
        has_durations: false,
        make: skewed,
    },
    Entry {
        name: "asymmetry",
        summary: "Euclidean distances, each direction times its own normal factor",
        parameters: &[N, parameter("sigma", "0.2", "standard deviation of a factor"), TOUR, PRESET],
        needs_roads: false,
        has_durations: false,
        make: asymmetry,
    },
    Entry {
        name: "multitask",
        summary: "tmat with the 16 variants, each instance another",
        parameters: &[N, MIX, PRESET],
        needs_roads: false,
        has_durations: false,
        make: tmat,
    },
    Entry {
        name: "city",
        summary: "a synthetic street network per instance, distances and durations",
        parameters: &[N, TOUR, PRESET],
        needs_roads: false,
        has_durations: true,
        make: city,
    },
    Entry {
        name: "roads",
        summary: "points of given road matrices",
        parameters: &[
            N,
            parameter("pick", "uniform", "uniform, or cluster: the points nearest to one"),
            TOUR,
            PRESET,
        ],
        needs_roads: true,
        has_durations: true,
        make: roads,
    },
];

/// Capacity and nothing else.
const ROUTES: Wanted = Wanted::One(Variant::Vrp(Features::NONE));

fn tmat(request: &Request<'_>) -> Result<Parts, BadRequest> {
    Ok((Source::Tmat, request.wanted()?, request.recipe()?))
}

fn acvrp(_: &Request<'_>) -> Result<Parts, BadRequest> {
    Ok((Source::Tmat, ROUTES, Recipe { capacity: CapacityLaw::Acvrp, ..Recipe::default() }))
}

fn skewed(request: &Request<'_>) -> Result<Parts, BadRequest> {
    let skews = [("small", DemandLaw::SkewedSmall), ("large", DemandLaw::SkewedLarge)];
    let demand = request.choice("skew", &skews, "small or large")?;
    Ok((Source::Tmat, ROUTES, Recipe { demand, capacity: CapacityLaw::Fixed(50), ..Recipe::default() }))
}

fn asymmetry(request: &Request<'_>) -> Result<Parts, BadRequest> {
    let sigma = request.number("sigma", "a number from 0 to 10")?;
    Ok((Source::Asymmetry { sigma }, request.wanted()?, request.recipe()?))
}

fn city(request: &Request<'_>) -> Result<Parts, BadRequest> {
    Ok((Source::City(Arc::new(City::default())), request.wanted()?, request.recipe()?))
}

fn roads(request: &Request<'_>) -> Result<Parts, BadRequest> {
    let picks = [("uniform", Pick::Uniform), ("cluster", Pick::Cluster)];
    let pick = request.choice("pick", &picks, "uniform or cluster")?;
    Ok((Source::Roads(request.roads()?, pick), request.wanted()?, request.recipe()?))
}

impl Distribution {
    /// The distribution called `name` with the parameters given, each a key and a value; `roads` are the
    /// matrices for the distribution that needs some.
    pub fn named(
        name: &str,
        parameters: &[(&str, &str)],
        roads: Option<Arc<Atlas>>,
    ) -> Result<Self, BadRequest> {
        let request = Request::new(name, parameters, roads)?;
        let (source, wanted, recipe) = (request.entry().make)(&request)?;
        Self::new(name, source, request.stops()?, wanted, recipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(name: &str, parameters: &[(&str, &str)]) -> BadRequest {
        Distribution::named(name, parameters, None).map(|_| ()).expect_err("refused")
    }

    #[test]
    fn every_entry_can_be_made_from_its_defaults() {
        for entry in ALL.iter().filter(|entry| !entry.needs_roads) {
            let defaults: Vec<(&str, &str)> =
                entry.parameters.iter().map(|parameter| (parameter.name, parameter.default)).collect();
            let (bare, full) = (
                Distribution::named(entry.name, &[], None),
                Distribution::named(entry.name, &defaults, None),
            );
            let (bare, full) = (bare.expect("sound"), full.expect("sound"));
            assert_eq!(bare.sample(1, 2), full.sample(1, 2), "{}", entry.name);
            let problem = bare.sample(1, 2).problem;
            assert!(problem.nodes() >= 100);
            assert_eq!(problem.duration.is_some(), entry.has_durations, "{}", entry.name);
        }
    }

    #[test]
    fn nonsense_is_refused_with_a_reason() {
        assert_eq!(refusal("tamt", &[]), BadRequest::Name("tamt".to_owned()));
        assert!(matches!(
            refusal("acvrp", &[("variant", "ATSP")]),
            BadRequest::Parameter { name: "acvrp", .. }
        ));
        assert!(matches!(refusal("tmat", &[("n", "many")]), BadRequest::Value { parameter: "n", .. }));
        assert!(matches!(refusal("tmat", &[("n", "0")]), BadRequest::Size { stops: 0, .. }));
        assert!(matches!(
            refusal("tmat", &[("variant", "VRP")]),
            BadRequest::Value { parameter: "variant", .. }
        ));
        assert!(matches!(
            refusal("tmat", &[("preset", "hard")]),
            BadRequest::Value { parameter: "preset", .. }
        ));
        for sigma in ["-1", "NaN", "inf", "much"] {
            assert!(matches!(
                refusal("asymmetry", &[("sigma", sigma)]),
                BadRequest::Value { parameter: "sigma", .. }
            ));
        }
        assert_eq!(refusal("roads", &[]), BadRequest::NoRoads);
        assert!(refusal("tamt", &[]).to_string().contains("multitask"));
    }
}
