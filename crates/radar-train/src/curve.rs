//! The training curve as a picture: score (or loss) and validation gap over the instances seen.

use std::fmt::Write;

use radar_net::card::grouped;

use crate::metrics::{Examined, Line, Train};

/// One line of a picture.
struct Trace {
    title: &'static str,
    colour: &'static str,
    points: Vec<(f64, f64)>,
    /// What stands behind its numbers.
    unit: &'static str,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 30.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;
/// More points than this are no better to look at.
const MOST: usize = 1200;
/// About how many lines help the eye.
const TICKS: f64 = 4.0;

/// What training is judged by on the way: the title, and where a line of the journal has it.
pub type Judged = (&'static str, fn(&Train) -> Option<f64>);

/// The picture of a journal, one panel for each quantity that it has.
pub fn draw(name: &str, (title, judged): Judged, lines: &[Line]) -> String {
    let examined = |value: fn(&Examined) -> Option<f64>| {
        let points = lines.iter().filter_map(move |line| match line {
            Line::Validation(examined) => Some((examined.instances as f64, value(examined)?)),
            Line::Train(_) => None,
        });
        points.collect::<Vec<_>>()
    };
    let gaps = examined(|examined| examined.mark.gap.map(|gap| 100.0 * gap));
    let costs = if gaps.is_empty() { examined(|examined| Some(examined.mark.cost)) } else { Vec::new() };
    let traces = [
        Trace { title, colour: "#1f5fa8", points: trained(lines, judged), unit: "" },
        Trace { title: "validation gap, greedy", colour: "#b3431f", points: gaps, unit: " %" },
        Trace { title: "validation cost, greedy", colour: "#b3431f", points: costs, unit: "" },
    ];
    let panels: Vec<&Trace> = traces.iter().filter(|trace| !trace.points.is_empty()).collect();
    let end =
        panels.iter().flat_map(|trace| trace.points.last()).fold(1.0, |end: f64, point| end.max(point.0));
    let height = HEIGHT * panels.len().max(1) as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let name = name.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if panels.is_empty() {
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"18\" font-weight=\"bold\">{name}: nothing yet</text>");
    }
    for (at, trace) in panels.iter().enumerate() {
        panel(&mut svg, &name, trace, at as f64 * HEIGHT, end);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The points of training. A last line of a few steps says little beside those before it, and is left out.
fn trained(lines: &[Line], judged: fn(&Train) -> Option<f64>) -> Vec<(f64, f64)> {
    let trains = lines.iter().filter_map(|line| match line {
        Line::Train(train) => Some(train),
        Line::Validation(_) => None,
    });
    let mut trains: Vec<&Train> = trains.collect();
    if let [.., one, other, last] = &trains[..]
        && 2 * (last.step.saturating_sub(other.step)) < other.step.saturating_sub(one.step)
    {
        trains.pop();
    }
    trains.iter().filter_map(|train| Some((train.instances as f64, judged(train)?))).collect()
}

fn panel(svg: &mut String, name: &str, trace: &Trace, top: f64, end: f64) {
    let values = trace.points.iter().map(|point| point.1);
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    // One value has a little room around it.
    let room = if high > low { 0.0 } else { (0.1 * high.abs()).max(1e-9) };
    let marks = Marks::of(low - room, high + room);
    let (low, high) = (marks.first, marks.last());
    let (right, base) = (WIDTH - RIGHT, top + HEIGHT - BOTTOM);
    let x = |instances: f64| LEFT + (right - LEFT) * instances / end;
    let y = |value: f64| base - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low);
    // Writing to a text cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{name}: {}</text>",
        top + 18.0,
        trace.title
    );
    for value in marks.all() {
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}{4}</text>",
            y(value),
            LEFT - 6.0,
            y(value) + 4.0,
            marks.shown(value),
            trace.unit,
        );
    }
    let along = Marks::of(0.0, end);
    for instances in along.all().filter(|&instances| instances <= end) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(instances),
            base + 16.0,
            along.shown(instances),
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{right}\" y=\"{}\" text-anchor=\"end\" fill=\"#666\">instances</text>",
        base + 32.0
    );
    let stride = trace.points.len().div_ceil(MOST).max(1);
    let points: Vec<String> = trace
        .points
        .chunks(stride)
        .map(|chunk| {
            let mean =
                |value: fn(&(f64, f64)) -> f64| chunk.iter().map(value).sum::<f64>() / chunk.len() as f64;
            format!("{:.1},{:.1}", x(mean(|point| point.0)), y(mean(|point| point.1)))
        })
        .collect();
    let colour = trace.colour;
    let _ = match trace.points[..] {
        [(at, value)] => {
            writeln!(svg, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", x(at), y(value))
        }
        _ => writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{}\"/>",
            points.join(" ")
        ),
    };
}

/// Round numbers along an axis, from at most the least value to at least the greatest.
struct Marks {
    first: f64,
    step: f64,
    count: usize,
}

impl Marks {
    fn of(low: f64, high: f64) -> Self {
        let rough = ((high - low) / TICKS).max(1e-12);
        let size = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0].map(|times| times * size).into_iter().find(|&step| step >= rough);
        let step = step.unwrap_or(10.0 * size);
        let first = (low / step).floor() * step;
        let count = ((high - first) / step - 1e-9).ceil().max(1.0) as usize;
        Self { first, step, count }
    }

    fn last(&self) -> f64 {
        self.first + self.step * self.count as f64
    }

    fn all(&self) -> impl Iterator<Item = f64> {
        (0..=self.count).map(|at| self.first + self.step * at as f64)
    }

    /// A number with as many digits as tell it from its neighbours, in groups of three.
    fn shown(&self, value: f64) -> String {
        let digits = (-self.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let text = format!("{:.digits$}", if value.abs() < self.step / 2.0 { 0.0 } else { value });
        let (whole, fraction) = text.split_once('.').map_or((&text[..], ""), |parts| parts);
        let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
        let grouped = whole.parse().map_or_else(|_| whole.to_owned(), grouped);
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{grouped}{point}{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::Mark;

    const TOURS: Judged = ("tours", |train| train.score);

    fn train(instances: u64, score: f64) -> Line {
        Line::Train(Train {
            step: instances,
            instances,
            nodes: None,
            loss: 0.0,
            score: Some(score),
            cost: None,
            complete: 1.0,
            gradient: 0.0,
            log_prob_gap: 0.0,
            rate: 0.0,
            seconds: 0.0,
            cpu_seconds: 0.0,
        })
    }

    #[test]
    fn a_falling_score_goes_down_the_picture() {
        let mark = Mark { cost: 2.0, gap: Some(0.25), unsolved: 0 };
        let examined = Examined { step: 1, instances: 50, mark, seconds: 0.0, cpu_seconds: 0.0 };
        let svg = draw("a<b", TOURS, &[train(0, 3.0), Line::Validation(examined), train(100, 1.0)]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("a&lt;b"));
        // From the upper left corner to the lower right one.
        assert!(svg.contains("points=\"80.0,30.0 730.0,200.0\""), "{svg}");
        assert!(svg.contains(">24 %<") && svg.contains("a&lt;b: tours") && svg.contains("<circle"), "{svg}");
        assert!(svg.contains(">2.5<") && svg.contains(">100<") && svg.contains(">instances<"), "{svg}");
    }

    #[test]
    fn marks_are_round_and_tell_apart() {
        let shown = |low: f64, high: f64| {
            let marks = Marks::of(low, high);
            marks.all().map(|value| marks.shown(value)).collect::<Vec<_>>()
        };
        assert_eq!(shown(16_910.0, 17_240.0), ["16,900", "17,000", "17,100", "17,200", "17,300"]);
        assert_eq!(shown(1.5031, 1.5688), ["1.50", "1.52", "1.54", "1.56", "1.58"]);
        assert_eq!(shown(-0.3, 0.4), ["-0.4", "-0.2", "0.0", "0.2", "0.4"]);
        assert_eq!(shown(0.0, 2_000_000.0).last().map(String::as_str), Some("2,000,000"));
    }

    #[test]
    fn a_short_last_line_is_left_out() {
        let lines = [train(50, 3.0), train(100, 2.0), train(103, 0.5)];
        assert_eq!(trained(&lines, TOURS.1).len(), 2);
        let lines = [train(50, 3.0), train(100, 2.0), train(140, 0.5)];
        assert_eq!(trained(&lines, TOURS.1).len(), 3);
    }

    #[test]
    fn an_empty_journal_is_an_empty_picture() {
        let svg = draw("nothing", TOURS, &[]);
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("polyline"));
    }

    #[test]
    fn many_points_are_thinned() {
        let lines: Vec<Line> = (0..10_000).map(|at| train(at, 1.0)).collect();
        let svg = draw("long", TOURS, &lines);
        assert!(svg.len() < 40_000 && !svg.contains("NaN"), "{}", svg.len());
    }
}
