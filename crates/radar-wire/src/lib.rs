//! What callers outside of Rust say and hear. The command, the service and the Python package speak to the
//! library through these: what a file leaves open ([`Stated`]), how to solve ([`Wishes`]); answers, verdicts,
//! explanations and failures in the words and keys of the wire form.

mod answer;
mod explain;
mod failure;
mod message;
mod plan;
mod roads;
mod stated;
mod verdict;
mod wishes;

pub use answer::{answer, bytes};
pub use explain::{Explained, explain, explain_report, node};
pub use failure::{Blame, Failure};
pub use message::Message;
pub use plan::{freeze, plan};
pub use roads::roads;
pub use stated::Stated;
pub use verdict::{given, verdict};
pub use wishes::{MethodName, Minimise, Wishes};
