//! The paper's test sets: `dist` and, for routes, `demand` with the depot first.

use radar_problem::{Kind, Problem};

use super::{Out, of_one_size};
use crate::FormatError;
use crate::read::npz::paper_capacity;
use crate::write::express::{cannot, refuse_others};

const FORMAT: &str = "npz-paper";

/// A set of tours, or of routes with the paper's capacity for their size: the layout has no place for another.
pub(in crate::write) fn set(problems: &[Problem]) -> Result<Vec<u8>, FormatError> {
    let nodes = of_one_size(FORMAT, problems)?;
    let routes = problems.iter().filter(|problem| problem.kind == Kind::Vrp).count();
    if routes > 0 && routes < problems.len() {
        return Err(cannot(FORMAT, "tours and routes in one set"));
    }
    for problem in problems {
        refuse_others(FORMAT, problem, &["demand", "capacity"])?;
        let paper = paper_capacity(nodes.saturating_sub(1));
        if problem.kind == Kind::Vrp && (problem.capacity != paper || problem.demand.is_none()) {
            let found = problem.capacity.map_or("none".to_owned(), |capacity| capacity.to_string());
            let cause = format!("a capacity of {found} for {} stops", nodes.saturating_sub(1));
            return Err(cannot(FORMAT, &cause));
        }
    }
    let mut out = Out::new(problems, true);
    out.tables("dist", |problem| Some(&problem.distance))?;
    out.numbers("demand", &[nodes], |problem| problem.demand.clone())?;
    out.finish()
}
