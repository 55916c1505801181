//! What a caller may ask for.

use std::fmt;
use std::sync::Arc;

use radar_problem::{Objective, Routes};
use radar_search::EdgePrior;

use crate::budget::Budget;
use crate::neural::Model;

/// A belief per arc that options can hold.
pub trait Prior: EdgePrior + fmt::Debug + Send {}

impl<T: EdgePrior + fmt::Debug + Send> Prior for T {}

/// How plans are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// What measured best for the problem and the budget: search, and before it a network where one is worth its time
    /// ([`crate::companion`]).
    #[default]
    Auto,
    /// Search, with a lower bound, and a proof where one is cheap.
    Search,
    /// Classical construction from many starts.
    Construct,
    /// A network, from many starts.
    Neural,
}

/// What a search takes from the network that goes before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guide {
    /// Its best plan to start from, and how sure it is of every arc.
    #[default]
    Both,
    /// Its best plan to start from.
    Start,
    /// How sure it is of every arc.
    Arcs,
}

/// The beginnings of routes that are under way and must stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freeze {
    /// A plan, one list per vehicle; a tour is one list that starts at its first node. Stops behind the
    /// frozen ones are where the search begins; stops on no route are put in.
    pub routes: Routes,
    /// How many stops at the beginning of each route stay, one number per route.
    pub lengths: Vec<usize>,
}

/// Options of a solve; the defaults suit most.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How plans are made.
    pub method: Method,
    /// Where randomness comes from.
    pub seed: u64,
    /// When to stop.
    pub budget: Budget,
    /// What is minimised.
    pub objective: Objective,
    /// How many start nodes constructions, and the network, try; unless said, all up to 512 nodes, and above as many as
    /// take about as long; up to 4 of a network before a search. They are spread evenly, or the likeliest of a network's routes.
    pub starts: Option<usize>,
    /// Serve what can be served when not all can.
    pub allow_unserved: bool,
    /// A plan to start from; the answer is never worse, and else the plan itself. Stops that it leaves out are put in,
    /// and a tour may begin at any of its nodes.
    pub warm: Option<Routes>,
    /// Beginnings of routes that stay as they are.
    pub freeze: Option<Freeze>,
    /// The network: of [`Method::Neural`], which else takes the one that comes with the program ([`crate::shipped`]),
    /// and before the search of [`Method::Auto`], which else may take it, too.
    pub model: Option<Arc<Model>>,
    /// What the search of [`Method::Auto`] takes from it.
    pub guide: Guide,
    /// How many sketches of the matrix the network decodes from; 0 is 1.
    pub augment: usize,
    /// What somebody believes about the arcs of good plans, for the search: it steers, and decides nothing. Nodes
    /// are those of the problem.
    pub prior: Option<Arc<dyn Prior>>,
    /// How many searches run side by side and exchange their best; 0 is 1. Threads only schedule them.
    pub searches: usize,
}
