//! Lower bounds on the cost of any plan, and proofs that a plan is the best.
//!
//! Everything starts from [`Arcs`], the arcs that some plan may use. Their [`Reduced`] form carries the
//! prices of a cheapest assignment: no reduced cost is negative, differences between plans stay what they
//! were, and the prices alone bound every plan from below. Search works on the same form.

mod arcs;
mod ascent;
mod branch;
mod cycles;
mod exact;
mod fewest;
mod patch;
mod prices;
mod reduced;

pub use arcs::{Arcs, Width, width};
pub use ascent::{Ascent, ascend};
pub use branch::{Proof, is_promising, prove};
pub use exact::shortest_tour;
pub use patch::patch;
pub use radar_kernel::assignment::Cost as Weight;
pub use reduced::{Reduced, stated};

/// A question asked often: should the work end here with what there is?
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);
