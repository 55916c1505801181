//! How good networks are: fixed test sets, references for them, what networks build alone, and what they are worth to a search.

mod arguments;
mod book;
pub mod networks;
pub mod references;
pub mod results;
mod set;
pub mod worth;
