//! `radar info`.

use radar::{Instance, Report};
use radar_sample::statistics;
use radar_wire::Message;
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::input::{Input, Named};
use crate::{amounts, output};

/// Say what an instance is: variant, size, asymmetry, triangle violations, findings
///
/// Exit code 0 when a complete plan is not ruled out, 2 when the problem is malformed, 3 when some
/// stop cannot be served by any plan.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// Print as JSON, one line per problem
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let problems = args.input.load().map_err(|failure| failure.for_programs(args.json))?;
    let mut worst = Exit::Done;
    for Named { name, problem, .. } in problems {
        let report = problem.validate();
        worst = worst.max(match (&report.instance, report.is_blocked()) {
            (None, _) => Exit::BadInput,
            (Some(_), true) => Exit::Blocked,
            (Some(_), false) => Exit::Done,
        });
        match args.json {
            true => output::line(&for_programs(&name, &report).to_string()),
            false => for_people(&name, &report),
        }
    }
    Ok(worst)
}

/// Figures of one matrix.
struct Figures {
    asymmetry: f64,
    violations: f64,
    unreachable: usize,
}

impl Figures {
    fn of(matrix: &radar_problem::Scaled) -> Self {
        Self {
            asymmetry: statistics::asymmetry(matrix),
            violations: statistics::triangle_violations(matrix),
            unreachable: matrix.rows().map(|row| row.missing_arcs()).sum(),
        }
    }
}

fn matrices(instance: &Instance) -> Vec<(&'static str, Figures)> {
    let mut all = vec![("distance", Figures::of(instance.distance()))];
    if instance.input().duration.is_some() {
        all.push(("duration", Figures::of(instance.duration())));
    }
    all
}

fn for_programs(name: &str, report: &Report) -> Value {
    let findings: Vec<Value> = report.findings.iter().map(|finding| json!(Message::from(finding))).collect();
    let Some(instance) = &report.instance else { return json!({ "name": name, "findings": findings }) };
    let matrices: serde_json::Map<String, Value> = matrices(instance)
        .into_iter()
        .map(|(key, figures)| {
            let figures = json!({
                "asymmetry": figures.asymmetry,
                "triangle_violations": figures.violations,
                "unreachable_pairs": figures.unreachable,
            });
            (key.to_owned(), figures)
        })
        .collect();
    let scales = instance.scales();
    let scale = |scale: radar_problem::Scale| json!({ "digits": scale.digits(), "exact": scale.is_exact() });
    json!({
        "name": name,
        "variant": instance.variant().to_string(),
        "stops": instance.stops().len(),
        "nodes": instance.nodes(),
        "vehicles": instance.vehicles(),
        "matrices": matrices,
        "scale": { "distance": scale(scales.distance), "duration": scale(scales.duration), "amount": scale(scales.amount) },
        "findings": findings,
    })
}

fn for_people(name: &str, report: &Report) {
    if let Some(instance) = &report.instance {
        output::line(&format!(
            "{name}: {}, {}",
            instance.variant(),
            amounts::counted(instance.stops().len(), "stop")
        ));
        for (key, figures) in matrices(instance) {
            let mut line = format!(
                "  {key}: asymmetry {:.3}, triangle inequality broken for {:.1} % of the pairs",
                figures.asymmetry,
                100.0 * figures.violations
            );
            if figures.unreachable > 0 {
                line.push_str(&format!(", {} unreachable", amounts::counted(figures.unreachable, "pair")));
            }
            output::line(&line);
        }
        output::line(&format!("  {}", demands(instance)));
        output::line(&format!("  {}", scaling(instance)));
    } else {
        output::line(&format!("{name}: malformed"));
    }
    for finding in &report.findings {
        output::line(&Message::from(finding).lines());
    }
    if report.findings.is_empty() {
        output::line("  nothing to complain about");
    }
}

fn demands(instance: &Instance) -> String {
    if instance.is_tour() {
        return "one tour through all nodes".to_owned();
    }
    let scale = instance.scales().amount;
    let total = |amount: fn(&Instance, usize) -> i64| {
        instance.stops().map(|stop| amount(instance, stop)).sum::<i64>()
    };
    let (deliveries, pickups) = (total(Instance::demand), total(Instance::backhaul));
    let shown = |value: i64| amounts::number(scale.undo(value), 3);
    let mut parts = vec![format!("deliveries {}", shown(deliveries))];
    if pickups > 0 {
        parts.push(format!("pickups {}", shown(pickups)));
    }
    if instance.input().capacity.is_some() {
        parts.push(format!("capacity {}", shown(instance.capacity())));
        if let Some(least) = (deliveries.max(pickups) - 1).checked_div(instance.capacity()) {
            parts.push(format!("at least {} routes by load", (least + 1).max(1)));
        }
    }
    match instance.vehicles() {
        Some(vehicles) => parts.push(format!("{vehicles} vehicles")),
        None => parts.push("any number of vehicles".to_owned()),
    }
    parts.join(", ")
}

fn scaling(instance: &Instance) -> String {
    let scales = instance.scales();
    let parts = [("distance", scales.distance), ("time", scales.duration), ("amount", scales.amount)];
    let parts = parts.map(|(key, scale)| {
        let kept = if scale.is_exact() { "exact" } else { "rounded" };
        format!("{key} {kept} at {} decimals", scale.digits())
    });
    format!("computed in integers: {}", parts.join(", "))
}
