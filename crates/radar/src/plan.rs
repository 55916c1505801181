//! A plan on its way to becoming an answer.

use radar_check::{Clause, Verdict};
use radar_problem::{Instance, Merit, Routes};

use crate::error::SolveError;

/// Routes, what they leave out, and what made them.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub routes: Routes,
    /// Sorted.
    pub unserved: Vec<usize>,
    pub method: String,
    /// The network that made it, or that went before its search.
    pub model: Option<String>,
}

impl Plan {
    /// The same with other routes, if they break nothing and leave out fewer stops.
    pub fn with(&self, instance: &Instance, routes: Routes) -> Option<Plan> {
        let routes = Routes(routes.0.into_iter().filter(|route| !route.is_empty()).collect());
        let verdict = radar_check::check(instance, &routes);
        let unserved: Vec<usize> = verdict.violations.iter().filter_map(|violation| violation.node).collect();
        let (method, model) = (self.method.clone(), self.model.clone());
        let plan = Plan { routes, unserved, method, model };
        (plan.unserved.len() < self.unserved.len() && plan.approve(&verdict).is_ok()).then_some(plan)
    }

    /// What it is compared by.
    pub fn merit(&self, instance: &Instance) -> Merit {
        let cost = radar_check::check(instance, &self.routes).scaled_cost;
        Merit::new(instance, &self.unserved, cost.unwrap_or(i64::MAX))
    }

    /// The cost, if the only fault of the plan are the stops it declares left out.
    pub fn approve(&self, verdict: &Verdict) -> Result<f64, SolveError> {
        let declared =
            |node: Option<usize>| node.is_some_and(|node| self.unserved.binary_search(&node).is_ok());
        let fault = verdict
            .violations
            .iter()
            .find(|violation| !(violation.clause == Clause::MissingStop && declared(violation.node)));
        match (fault, verdict.cost) {
            (None, Some(cost)) => Ok(cost),
            (Some(fault), _) => Err(SolveError::Internal(fault.to_string())),
            (None, None) => Err(SolveError::Internal("the cost is not finite".to_owned())),
        }
    }
}
