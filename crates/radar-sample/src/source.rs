//! Where a matrix comes from.

use std::sync::Arc;

use radar_problem::Units;

use crate::atlas::Atlas;
use crate::city::City;
use crate::ground::{Ground, Measure};
use crate::roads::Pick;
use crate::{asymmetry, tmat};

/// A family of matrices.
#[derive(Clone, Debug)]
pub enum Source {
    /// Random integers under the triangle inequality.
    Tmat,
    /// Euclidean distances times normal factors of standard deviation `sigma`.
    Asymmetry {
        /// The standard deviation of a factor.
        sigma: f64,
    },
    /// A synthetic city per instance.
    City(Arc<City>),
    /// Points of given road matrices.
    Roads(Arc<Atlas>, Pick),
}

impl Source {
    /// Matrix number `index` under `seed`.
    pub(crate) fn ground(&self, nodes: usize, seed: u64, index: u64) -> Ground {
        match self {
            Self::Tmat => tmat::ground(nodes, seed, index),
            Self::Asymmetry { sigma } => asymmetry::ground(nodes, *sigma, seed, index),
            Self::City(city) => {
                let city = city.matrix(nodes, seed, index);
                let units = Units { distance: Some("m".to_owned()), duration: Some("s".to_owned()) };
                Ground {
                    duration: Some(city.duration),
                    points: Some(city.points),
                    units,
                    ..Ground::new(city.distance, Measure::Largest)
                }
            }
            Self::Roads(atlas, pick) => atlas.ground(*pick, nodes, seed, index),
        }
    }

    /// How many matrices an instance has.
    pub(crate) fn tables(&self) -> u64 {
        match self {
            Self::Tmat | Self::Asymmetry { .. } => 1,
            Self::City(_) | Self::Roads(..) => 2,
        }
    }

    /// How many nodes a matrix can have at most, if that is limited.
    pub(crate) fn most_nodes(&self) -> Option<usize> {
        match self {
            Self::Roads(atlas, _) => Some(atlas.nodes()),
            Self::Tmat | Self::Asymmetry { .. } | Self::City(_) => None,
        }
    }
}
