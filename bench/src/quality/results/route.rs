//! A real plan of the network for routes, as a picture: the stops of the README in Porto.

use std::fmt::Write;
use std::path::Path;

use radar::{Budget, Method, Options, Silent, Solution, Solver};
use radar_format::write::{About, Answer};
use radar_format::{Given, read};

/// What is solved.
const PROBLEM: &str = "examples/porto.json";
/// Where the picture goes.
const PICTURE: &str = "docs/porto-network.svg";
/// What the plan is compared with.
const STEPS: u64 = 100_000;

/// Draws the plan; returns what is to be said of it.
pub fn draw() -> Result<String, String> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let broken = |why: String| format!("{PROBLEM}: {why}");
    let bytes = std::fs::read(project.join(PROBLEM)).map_err(|error| broken(error.to_string()))?;
    let loaded = read(Some(PROBLEM), &bytes, &Given::default()).map_err(|error| broken(error.to_string()))?;
    let problem = loaded.problems.into_iter().next().ok_or_else(|| broken("no problem".to_owned()))?;
    let solve = |options: Options| -> Result<Solution, String> {
        Solver::new(options).solve(problem.clone(), &Silent).map_err(|error| broken(error.to_string()))
    };
    let network = solve(Options { method: Method::Neural, ..Options::default() })?;
    let searched =
        solve(Options { budget: Budget::steps(STEPS), method: Method::Search, ..Options::default() })?;
    let about = About { method: network.method.clone(), bound: network.bound, ..About::default() };
    let answer = Answer::new(&network.instance, &network.routes, &network.verdict, about);
    let svg = radar_format::write::answer("svg", &problem, &answer).map_err(|error| error.to_string())?;
    let path = project.join(PICTURE);
    std::fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;

    let mut text = "## A real plan\n\n".to_owned();
    let _ = writeln!(
        text,
        "![The network's routes in Porto]({})\n\nThe stops of the README in Porto with time windows, by the network alone (`radar solve {PROBLEM} --method neural -o \
         routes.svg`): {:.0} m on {} routes. {STEPS} steps of search find {:.0} m on {} routes: the network is {:.1} % above. Map data © OpenStreetMap \
         contributors, ODbL 1.0.",
        PICTURE.trim_start_matches("docs/"),
        network.cost,
        network.routes.len(),
        searched.cost,
        searched.routes.len(),
        100.0 * (network.cost / searched.cost - 1.0)
    );
    Ok(text)
}
