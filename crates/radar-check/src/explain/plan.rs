//! Why a plan is refused.

use radar_problem::{Instance, Routes};

use super::describe::{advice, describe_all};
use super::need::Tolerance;
use super::{Explanation, Place, Remedy, Subject};
use crate::clause::Violation;
use crate::verdict::{check, examine};

/// Says which clauses refuse a plan, where, and the smallest relaxation that would admit it exactly
/// as it stands. When something is wrong that no bound could be loosened for (a stop is missing, an
/// arc cannot be driven, a delivery follows a pickup), there is no remedy but advice.
pub fn explain_plan(instance: &Instance, routes: &Routes) -> Explanation {
    let (_, breaches) = examine(instance, routes);
    let need = Tolerance::default().need(&breaches);
    let place = Place::AsItStands;
    let (headline, remedies) = if breaches.is_empty() {
        let sentence = "nothing has to change".to_owned();
        ("the plan is valid".to_owned(), vec![Remedy { place, relaxations: vec![], sentence }])
    } else if need.unmendable > 0 {
        ("the plan is refused, and loosening bounds cannot admit it".to_owned(), vec![])
    } else {
        let sentence = describe_all(instance, &need.relaxations);
        let headline = format!("the plan is refused; with {sentence} it would be valid as it stands");
        (headline, vec![Remedy { place, relaxations: need.relaxations, sentence }])
    };
    let confirmed = |remedy: &Remedy| check(&instance.relaxed(&remedy.relaxations), routes).feasible();
    Explanation {
        subject: Subject::Plan,
        headline,
        advice: breaches.iter().filter_map(|breach| advice(instance, breach)).collect(),
        remedies: remedies.into_iter().filter(confirmed).collect(),
        blocks: breaches.into_iter().map(|breach| Violation::new(instance, breach)).collect(),
    }
}
