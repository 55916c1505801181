//! From a solution to its written forms.

use std::collections::BTreeMap;

use radar::Solution;
use radar_format::write::{About, Answer, Warning};
use radar_format::{FormatError, Note};

/// The answer of the wire form; `notes` are what was worth saying about the file.
pub fn answer(solution: &Solution, notes: &[Note]) -> Answer {
    let timings = &solution.timings;
    let timings = [
        ("validate", timings.validate),
        ("network", timings.network),
        ("construct", timings.construct),
        ("check", timings.check),
        ("total", timings.total),
    ];
    let notes = notes.iter().map(|note| Warning { code: note.code.to_owned(), text: note.text.clone() });
    let findings = solution.findings.iter().map(|finding| Warning {
        code: finding.code.to_string(),
        text: format!("{}; {}", finding.cause, finding.action),
    });
    let warnings =
        solution.warnings.iter().map(|told| Warning { code: told.code.to_owned(), text: told.text.clone() });
    let about = About {
        method: solution.method.clone(),
        model: solution.model.clone(),
        seed: solution.seed,
        bound: solution.bound,
        optimal: solution.optimal,
        timings: timings.map(|(phase, time)| (phase.to_owned(), time.as_secs_f64())).into(),
        warnings: notes.chain(findings).chain(warnings).collect(),
        reasons: solution
            .unserved
            .iter()
            .map(|stop| (stop.node, stop.sentences()))
            .collect::<BTreeMap<_, _>>(),
    };
    Answer::new(&solution.instance, &solution.routes, &solution.verdict, about)
}

/// The solution in one of the formats of an answer.
pub fn bytes(solution: &Solution, notes: &[Note], format: &str) -> Result<Vec<u8>, FormatError> {
    radar_format::write::answer(format, solution.instance.input(), &answer(solution, notes))
}
