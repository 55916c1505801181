//! The training curve as a picture: score and validation gap over the instances seen.

use std::fmt::Write;

use crate::metrics::Line;

/// One line of a picture.
struct Trace {
    title: &'static str,
    colour: &'static str,
    points: Vec<(f64, f64)>,
    unit: fn(f64) -> String,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 34.0;
/// More points than this are no better to look at.
const MOST: usize = 1200;

/// The picture of a journal, one panel for each quantity that it has; `of` says what the score is.
pub fn draw(name: &str, of: &'static str, lines: &[Line]) -> String {
    let score = lines.iter().filter_map(|line| match line {
        Line::Train(train) => Some((train.instances as f64, train.score?)),
        Line::Validation(_) => None,
    });
    let examined = |value: fn(&crate::metrics::Examined) -> Option<f64>| {
        let points = lines.iter().filter_map(move |line| match line {
            Line::Validation(examined) => Some((examined.instances as f64, value(examined)?)),
            Line::Train(_) => None,
        });
        points.collect::<Vec<_>>()
    };
    let plain: fn(f64) -> String = |value| short(value);
    let percent: fn(f64) -> String = |value| format!("{} %", short(100.0 * value));
    let gaps = examined(|examined| examined.mark.gap);
    let costs = if gaps.is_empty() { examined(|examined| Some(examined.mark.cost)) } else { Vec::new() };
    let traces = [
        Trace { title: of, colour: "#1f5fa8", points: score.collect(), unit: plain },
        Trace { title: "validation gap, greedy", colour: "#b3431f", points: gaps, unit: percent },
        Trace { title: "validation cost, greedy", colour: "#b3431f", points: costs, unit: plain },
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
    for (at, trace) in panels.iter().enumerate() {
        panel(&mut svg, name, trace, at as f64 * HEIGHT, end);
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, name: &str, trace: &Trace, top: f64, end: f64) {
    let values = trace.points.iter().map(|point| point.1);
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let span = if high > low { high - low } else { high.abs().max(1e-9) };
    let x = |instances: f64| LEFT + (WIDTH - LEFT - RIGHT) * instances / end;
    let y = |value: f64| top + HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / span;
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a text cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{}\" font-weight=\"bold\">{name}: {}</text>",
        top + 18.0,
        trace.title
    );
    for part in 0..=4 {
        let share = f64::from(part) / 4.0;
        let (value, instances) = (low + share * span, share * end);
        let (right, base) = (WIDTH - RIGHT, top + HEIGHT - BOTTOM);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{1}\" y=\"{2:.1}\" text-anchor=\"end\">{3}</text>\
             <text x=\"{4:.1}\" y=\"{5}\" text-anchor=\"middle\">{6}</text>",
            y(value),
            LEFT - 6.0,
            y(value) + 4.0,
            (trace.unit)(value),
            x(instances),
            base + 18.0,
            short(instances),
        );
    }
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
    let (colour, points) = (trace.colour, points.join(" "));
    let _ = writeln!(
        svg,
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\" points=\"{points}\"/>"
    );
}

/// A number in few characters.
fn short(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if size >= 1e6 => format!("{:.3}M", value / 1e6),
        _ if size >= 1e4 => format!("{:.0}k", value / 1e3),
        _ if size >= 100.0 => format!("{value:.0}"),
        _ if size >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Examined, Train};
    use crate::validation::Mark;

    fn train(instances: u64, score: f64) -> Line {
        Line::Train(Train {
            step: 1,
            instances,
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
        let svg = draw("a<b", "tours", &[train(0, 3.0), Line::Validation(examined), train(100, 1.0)]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("a&lt;b"));
        // From the upper left corner to the lower right one.
        assert!(svg.contains("points=\"70.0,30.0 740.0,206.0\""), "{svg}");
        assert!(svg.contains("25.0 %") && svg.contains("a&lt;b: tours"), "{svg}");
    }

    #[test]
    fn an_empty_journal_is_an_empty_picture() {
        let svg = draw("nothing", "tours", &[]);
        assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("polyline"));
    }

    #[test]
    fn many_points_are_thinned() {
        let lines: Vec<Line> = (0..10_000).map(|at| train(at, 1.0)).collect();
        let svg = draw("long", "tours", &lines);
        assert!(svg.len() < 40_000 && !svg.contains("NaN"), "{}", svg.len());
    }
}
