//! Learning curves of several runs beside each other: the training score over instances, the validation gap over CPU time; as data
//! and as a picture. `bench/run curves --to docs/NAME RUN...`

use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Row;

/// Colours that can be told apart, also by people who see fewer.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d1f"];
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;
/// How many steps of training one point of the score stands for.
const SMOOTH: usize = 5;

/// A run as it was recorded, or several, each begun with the weights of the one before.
pub struct Curve {
    name: String,
    /// What its training score is.
    score: &'static str,
    lines: Vec<Value>,
}

/// One panel: what is drawn over what.
pub struct Panel {
    title: fn(&[Curve]) -> String,
    across: &'static str,
    logarithmic: bool,
    points: fn(&Curve) -> Vec<(f64, f64)>,
    /// How many decimals a number across has.
    decimals: usize,
    shown: fn(f64) -> String,
}

/// What runs beside each other are compared by.
const BESIDE: [Panel; 2] = [
    Panel {
        title: |curves| format!("training score ({}), over instances", scores(curves)),
        across: "instances",
        logarithmic: false,
        points: |curve| curve.means("train", "instances", 1.0, "score"),
        decimals: 0,
        shown: |value| format!("{value:.2}"),
    },
    GAP,
];

/// What tells how long a network has learned, and what for: scores of several kinds of lessons do not compare.
pub const BY_HOURS: [Panel; 1] = [Panel {
    title: |_| "validation gap, greedy from all starts, over CPU hours".to_owned(),
    across: "CPU hours",
    points: |curve| curve.points("validation", "cpu_seconds", 1.0 / 3600.0, "gap"),
    decimals: 1,
    ..GAP
}];

/// How far validation is from its references.
const GAP: Panel = Panel {
    title: |_| "validation gap, greedy from all starts, over CPU minutes".to_owned(),
    across: "CPU minutes",
    logarithmic: true,
    points: |curve| curve.points("validation", "cpu_seconds", 1.0 / 60.0, "gap"),
    decimals: 0,
    shown: |value| format!("{:.2} %", 100.0 * value),
};

/// Draws; the figures are what each run came to.
pub fn run(arguments: &[String]) -> Result<Vec<Row>, String> {
    let usage = "bench/run curves --to docs/NAME RUN...";
    let [option, to, runs @ ..] = arguments else { return Err(usage.to_owned()) };
    if option != "--to" || runs.is_empty() {
        return Err(usage.to_owned());
    }
    let curves: Vec<Curve> = runs.iter().map(|run| Curve::read(&project(run))).collect::<Result<_, _>>()?;
    draw(to, &curves, &BESIDE)
}

/// Draws; `to` is a path of the project without its ending.
pub fn draw(to: &str, curves: &[Curve], panels: &[Panel]) -> Result<Vec<Row>, String> {
    let write = |ending: &str, text: String| {
        let path = project(&format!("{to}.{ending}"));
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write("csv", table(curves))?;
    write("svg", picture(curves, panels))?;
    let mut rows = Vec::new();
    for curve in curves {
        let last = |kind: &str, key: &str| curve.points(kind, "instances", 1.0, key).last().copied();
        if let Some((instances, gap)) = last("validation", "gap") {
            rows.push(Row::plain(
                format!("{}: gap after {instances} instances", curve.name),
                100.0 * gap,
                "%",
            ));
        }
        if let Some((_, score)) = curve.means("train", "instances", 1.0, "score").last() {
            rows.push(Row::plain(format!("{}: {} at the end", curve.name, curve.score), *score, ""));
        }
    }
    Ok(rows)
}

/// A path of the project's folder.
fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

impl Curve {
    fn read(run: &Path) -> Result<Self, String> {
        let path = run.join("metrics.jsonl");
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let lines = text.lines().map(|line| serde_json::from_str(line).map_err(|error| error.to_string()));
        let name = run.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let config = radar_train::configuration(run).map_err(|error| error.to_string())?;
        Ok(Self { name, score: config.loss.kind.score(), lines: lines.collect::<Result<_, _>>()? })
    }

    /// Several runs as one, by their folders in their order. Instances and time count on; what was spent before the first of them,
    /// or between them, is what they lack to `spent` (instances, CPU seconds) at the end, and comes before the first.
    pub fn chain(name: String, runs: &[PathBuf], spent: (f64, f64)) -> Result<Self, String> {
        let runs: Vec<Self> = runs.iter().map(|run| Self::read(run)).collect::<Result<_, _>>()?;
        let keys = ["instances", "cpu_seconds"];
        let end = |run: &Self, key: &str| run.lines.last().and_then(|line| line[key].as_f64()).unwrap_or(0.0);
        let lengths = keys.map(|key| runs.iter().map(|run| end(run, key)).sum::<f64>());
        let mut begun = [(spent.0 - lengths[0]).max(0.0), (spent.1 - lengths[1]).max(0.0)];
        let score = runs.last().map_or("score", |run| run.score);
        let mut lines = Vec::new();
        for mut run in runs {
            let ends = keys.map(|key| end(&run, key));
            for line in &mut run.lines {
                for (key, begun) in keys.iter().zip(begun) {
                    if let Some(value) = line[*key].as_f64() {
                        line[*key] = (begun + value).into();
                    }
                }
            }
            lines.append(&mut run.lines);
            begun = [begun[0] + ends[0], begun[1] + ends[1]];
        }
        Ok(Self { name, score, lines })
    }

    /// The lines of a kind that have both quantities.
    fn points(&self, kind: &str, across: &str, scale: f64, value: &str) -> Vec<(f64, f64)> {
        let lines = self.lines.iter().filter(|line| line["kind"] == kind);
        lines.filter_map(|line| Some((scale * line[across].as_f64()?, line[value].as_f64()?))).collect()
    }

    /// The same, each point the mean of a few.
    fn means(&self, kind: &str, across: &str, scale: f64, value: &str) -> Vec<(f64, f64)> {
        let mean = |chunk: &[(f64, f64)]| {
            let count = chunk.len() as f64;
            (chunk[chunk.len() - 1].0, chunk.iter().map(|point| point.1).sum::<f64>() / count)
        };
        self.points(kind, across, scale, value).chunks(SMOOTH).map(mean).collect()
    }
}

/// What the scores of some runs are, each said once: one network samples, another is told what to imitate.
fn scores(curves: &[Curve]) -> String {
    let mut names: Vec<&str> = curves.iter().map(|curve| curve.score).collect();
    names.sort_unstable();
    names.dedup();
    names.join("; ")
}

fn table(curves: &[Curve]) -> String {
    let keys = ["kind", "instances", "cpu_seconds", "score", "cost", "gap"];
    let mut text = format!("run,{}\n", keys.join(","));
    for curve in curves {
        for line in &curve.lines {
            let fields = keys.map(|key| match &line[key] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                number => number.to_string(),
            });
            // Writing to a text cannot fail.
            let _ = writeln!(text, "{},{}", curve.name, fields.join(","));
        }
    }
    text
}

fn picture(curves: &[Curve], panels: &[Panel]) -> String {
    let legend = 18.0 * curves.len() as f64 + 10.0;
    let height = HEIGHT * panels.len() as f64 + legend;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (at, panel) in panels.iter().enumerate() {
        panel.draw(&mut svg, curves, at as f64 * HEIGHT);
    }
    for (at, curve) in curves.iter().enumerate() {
        let y = HEIGHT * panels.len() as f64 + 18.0 * at as f64 + 8.0;
        let colour = COLOURS[at % COLOURS.len()];
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"3\"/>\
             <text x=\"{}\" y=\"{}\">{}</text>",
            LEFT + 24.0,
            LEFT + 32.0,
            y + 4.0,
            curve.name,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel {
    fn draw(&self, svg: &mut String, curves: &[Curve], top: f64) {
        let all: Vec<Vec<(f64, f64)>> = curves.iter().map(self.points).collect();
        let place = |value: f64| if self.logarithmic { value.max(1e-6).ln() } else { value };
        let values = || all.iter().flatten().map(|point| place(point.1));
        let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max));
        let end = all.iter().flatten().fold(0.0, |end: f64, point| end.max(point.0)).max(1e-9);
        let span = (high - low).max(1e-9);
        let x = |across: f64| LEFT + (WIDTH - LEFT - RIGHT) * across / end;
        let y = |placed: f64| top + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (placed - low) / span;
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{}</text>",
            top + 20.0,
            (self.title)(curves)
        );
        for part in 0..=4 {
            let share = f64::from(part) / 4.0;
            let (placed, across) = (low + share * span, share * end);
            let value = if self.logarithmic { placed.exp() } else { placed };
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>\
                 <text x=\"{5:.1}\" y=\"{6}\" text-anchor=\"middle\">{7:.8$}</text>",
                WIDTH - RIGHT,
                y(placed),
                LEFT - 6.0,
                y(placed) + 4.0,
                (self.shown)(value),
                x(across),
                top + HEIGHT - BOTTOM + 16.0,
                across,
                self.decimals,
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{}</text>",
            WIDTH - RIGHT,
            top + HEIGHT - BOTTOM + 32.0,
            self.across
        );
        for (at, points) in all.iter().enumerate() {
            let line: Vec<String> = points
                .iter()
                .map(|&(across, value)| format!("{:.1},{:.1}", x(across), y(place(value))))
                .collect();
            let colour = COLOURS[at % COLOURS.len()];
            let _ = writeln!(
                svg,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>",
                line.join(" ")
            );
        }
    }
}
