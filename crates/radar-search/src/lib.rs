//! Improvement of given routes, on assignment-reduced costs.
//!
//! [`search()`] takes an instance, plans to start from and a [`Pace`], and answers with the best feasible
//! plan it met, a lower bound, and a proof where one was cheap. Tours and routes have a search of their own,
//! because a tour is one long cycle without records and routes are many short ones with them; candidates,
//! acceptance and the exchange between parallel searches are shared. A few stops are not searched but weighed
//! ([`weigh_all`]). Nothing here reads a clock.

mod anneal;
mod candidates;
mod engine;
mod entering;
mod exact;
mod fleet;
mod forecast;
mod greedy;
mod pace;
mod partial;
mod prior;
mod search;
mod team;
mod tour;

pub use exact::{Exact, MOST_WEIGHED, Weighed, weigh_all};
pub use forecast::affords_search;
pub use pace::{Pace, Steps};
pub use partial::{Partial, Served, serve_most};
pub use prior::EdgePrior;
pub use search::{Better, Outcome, Request, lower_bound, search};
