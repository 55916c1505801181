//! Plans as callers write them.

use radar::{Freeze, Problem, Routes};

use crate::failure::Failure;

/// A plan: an answer of ours, a list of lists of nodes or ids, or a `.sol` file.
pub fn plan(bytes: &[u8], problem: &Problem) -> Result<Routes, Failure> {
    Ok(radar_format::read::plan(bytes, problem)?)
}

/// Routes under way: a plan, and how many stops of each route stay; all of them unless it says.
pub fn freeze(bytes: &[u8], problem: &Problem) -> Result<Freeze, Failure> {
    let routes = plan(bytes, problem)?;
    let lengths = radar_format::read::frozen(bytes)?;
    let lengths = lengths.unwrap_or_else(|| routes.iter().map(Vec::len).collect());
    match lengths.len() == routes.len() {
        true => Ok(Freeze { routes, lengths }),
        false => Err(Failure::input(
            "wrong-length",
            format!("freeze has {}, but routes has {}", lengths.len(), routes.len()),
            "give one number per route, 0 where nothing stays; without freeze all of them stay",
        )),
    }
}
