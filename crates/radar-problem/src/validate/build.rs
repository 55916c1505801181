//! From stated decimals to integers.

use std::sync::Arc;

use super::Surveys;
use crate::NEVER;
use crate::finding::{Code, Finding};
use crate::instance::{Instance, Objective};
use crate::problem::Problem;
use crate::scale::{CEILING, Scale, Scales, Survey};
use crate::scaled::Scaled;
use crate::table::Precision;

/// Builds the instance of a problem whose shapes and values are right; `None`, with findings, when
/// its magnitudes cannot be computed with.
pub(super) fn instance(
    problem: Arc<Problem>,
    surveys: &Surveys,
    findings: &mut Vec<Finding>,
) -> Option<Instance> {
    let nodes = problem.nodes();
    let list = |list: &Option<Vec<f64>>| list.clone().unwrap_or_default();
    let (demand, backhaul, service) =
        (list(&problem.demand), list(&problem.backhaul), list(&problem.service));
    let windows = problem.windows.as_deref().unwrap_or_default();
    let durations = problem.duration.as_ref().unwrap_or(&problem.distance);

    // A bound that nothing can reach, such as a window that closes in a million years, has no say in the
    // scale: it would cost the digits of values that matter.
    let opens = windows.iter().map(|window| window[0]);
    let arcs = nodes as f64 + 1.0;
    let travel = surveys.duration.unwrap_or(surveys.distance);
    let (longest, slowest) = (surveys.distance.largest, travel.largest);
    let farthest = arcs * longest;
    let latest = opens.clone().fold(0.0, f64::max) + arcs * slowest + service.iter().sum::<f64>();
    let total = demand.iter().chain(&backhaul).sum::<f64>();
    let closes = windows.iter().map(|window| window[1]);
    let times = closes.chain(problem.max_duration).filter(|&time| time <= latest);
    let distance_extras: Vec<f64> = problem.limit.into_iter().filter(|&limit| limit <= farthest).collect();
    let duration_extras: Vec<f64> = times.chain(opens).chain(service.iter().copied()).collect();
    let capacity = problem.capacity.filter(|&capacity| capacity <= total);
    let amounts: Vec<f64> = demand.iter().chain(&backhaul).copied().chain(capacity).collect();

    let distance = choose("distance", nodes, surveys.distance, &distance_extras, findings);
    // Where nothing is timed, travel times are the distances once more, to the digit.
    let timed = problem.duration.is_some() || !duration_extras.is_empty();
    let duration =
        if timed { choose("duration", nodes, travel, &duration_extras, findings) } else { distance };
    let amount = choose("amount", nodes, Survey::default(), &amounts, findings);
    let scales = Scales { distance: distance?, duration: duration?, amount: amount? };

    let distance = Arc::new(Scaled::of(&problem.distance, scales.distance, longest));
    let duration = match &problem.duration {
        None if scales.distance == scales.duration => Arc::clone(&distance),
        _ => Arc::new(Scaled::of(durations, scales.duration, slowest)),
    };
    let whole = |scale: Scale, value: f64| scale.apply(value, Precision::Double).min(NEVER);
    let per_node = |list: &[f64], scale: Scale| match list.is_empty() {
        true => vec![0; nodes],
        false => list.iter().map(|&value| whole(scale, value)).collect(),
    };
    let (opens, closes) = match &problem.windows {
        None => (vec![0; nodes], vec![NEVER; nodes]),
        Some(windows) => windows
            .iter()
            .map(|&[open, close]| (whole(scales.duration, open), whole(scales.duration, close)))
            .unzip(),
    };
    let bound = |value: Option<f64>, scale| value.map_or(NEVER, |value| whole(scale, value));
    Some(Instance {
        objective: Objective::Distance,
        features: problem.features(),
        missing_arcs: surveys.distance.infinite || travel.infinite,
        distance,
        duration,
        demand: per_node(&demand, scales.amount),
        backhaul: per_node(&backhaul, scales.amount),
        capacity: bound(problem.capacity, scales.amount),
        opens,
        closes,
        service: per_node(&service, scales.duration),
        limit: bound(problem.limit, scales.distance),
        max_duration: bound(problem.max_duration, scales.duration),
        vehicles: problem.vehicles,
        scales,
        input: problem,
    })
}

/// The scale of one quantity: what was surveyed, and `extras`.
fn choose(
    quantity: &str,
    nodes: usize,
    mut survey: Survey,
    extras: &[f64],
    findings: &mut Vec<Finding>,
) -> Option<Scale> {
    survey.look(extras, Precision::Double);
    let largest = survey.largest;
    if largest > 0.0 && largest < 1e-9 {
        findings.push(Finding::new(
            Code::TooSmall,
            format!("the largest {quantity} is {largest:e}"),
            "use a smaller unit, so that values are above 0.000000001",
        ));
        return None;
    }
    let scale = Scale::of(nodes, &survey);
    match scale {
        None => findings.push(Finding::new(
            Code::TooLarge,
            format!(
                "the largest {quantity} is {largest:e}; with {nodes} nodes sums are exact below {:e}",
                CEILING / (nodes as f64 + 1.0)
            ),
            "use a larger unit; mark unreachable pairs by null instead of a huge number",
        )),
        Some(scale) if !scale.is_exact() => findings.push(Finding::new(
            Code::Rounded,
            format!(
                "{quantity} values have more digits than fit; they are rounded to {} decimals",
                scale.digits()
            ),
            "nothing, unless the last digits matter: feasibility is decided on the rounded values",
        )),
        Some(_) => {}
    }
    scale
}
