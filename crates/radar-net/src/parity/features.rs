//! Recomputed singular features against recorded ones.
//!
//! A pair (u_k, v_k) is determined up to a joint sign as long as s_k stands apart from its neighbours. The
//! record is f32: its rounding, some 1e-7 s_1, turns two vectors into each other by about that over the
//! distance of their singular values. Two measures stay sharp:
//! - pairs whose s_k is at least [`APART`] s_1 from both neighbours are compared entry by entry, up to the
//!   joint sign;
//! - runs of nearer ones also pass when their products X X^T, X the stacked [U sqrt(S); V sqrt(S)] of the
//!   run, and each s_k agree: a turn within the run by an angle changes those by the angle times the
//!   difference of the singular values, which cancels the division above.
//!
//! Only the cut after the last pair escapes both: where s_k and s_(k+1) nearly agree, what is kept of the
//! two is arbitrary, and the tolerance of the last run grows as [`APART`] s_1 / (s_k - s_(k+1)).

use super::compare::{distance, fault_line};
use super::{Case, Line, Question, Subject, TOLERANCE};
use crate::config::Config;
use crate::reference::{scale, svd};

/// Singular values nearer than this part of the largest may turn into each other.
const APART: f64 = 0.02;

const PAIRS: &str = "act.features (recomputed)";
const SHARES: &str = "act.features (node features)";

/// The lines about features: the singular pairs, and the columns after them where there are any.
pub(super) fn compare(case: &Case, subject: &dyn Subject) -> Vec<Line> {
    let config = case.weights.config();
    let columns = config.columns();
    let mut worst =
        Line { name: PAIRS.to_owned(), error: 0.0, tolerance: TOLERANCE, fault: None, note: None };
    let mut shares = Line { name: SHARES.to_owned(), ..worst.clone() };
    for question in &case.questions() {
        let own = match subject.features(config, question) {
            Err(fault) => return vec![fault_line(PAIRS, fault)],
            Ok(own) if own.len() != question.features.len() => {
                let fault = format!("{} entries where the case has {}", own.len(), question.features.len());
                return vec![fault_line(PAIRS, fault)];
            }
            Ok(own) => own,
        };
        let recorded: Vec<f64> = question.features.iter().map(|&value| f64::from(value)).collect();
        for (error, tolerance) in runs(config, question, &own, &recorded) {
            // The run nearest to its own tolerance, or furthest beyond it.
            if error / tolerance > worst.error / worst.tolerance {
                (worst.error, worst.tolerance) = (error, tolerance);
            }
        }
        for (own, recorded) in own.chunks(columns).zip(recorded.chunks(columns)) {
            let rest = own.iter().zip(recorded).skip(2 * config.rank);
            shares.error = rest.map(|(&a, &b)| distance(a, b)).fold(shares.error, f64::max);
        }
    }
    if columns > 2 * config.rank { vec![worst, shares] } else { vec![worst] }
}

/// The error and the tolerance of every run of neighbouring singular values.
fn runs(config: &Config, question: &Question<'_>, own: &[f64], recorded: &[f64]) -> Vec<(f64, f64)> {
    let raw: Vec<f64> = question.distance.iter().map(|&entry| f64::from(entry)).collect();
    let s = svd::svd(&scale(config.scaling, &raw), question.nodes).s;
    let near = s.first().map_or(0.0, |largest| APART * largest);
    let value = |k: usize| s.get(k).copied().unwrap_or(0.0);

    let mut runs = Vec::new();
    let mut start = 0;
    for end in 1..=config.rank {
        let gap = value(end - 1) - value(end);
        let last = end == config.rank;
        if gap < near && !last {
            continue;
        }
        let (a, b) = (stacked(config, own, start..end), stacked(config, recorded, start..end));
        let mut error = up_to_signs(&a, &b);
        // What the cut leaves undetermined shows in a lone last pair as well.
        if end - start > 1 {
            error = error.min(products(&a, &b));
        }
        let looser = if last && end < s.len() && gap < near { near / gap } else { 1.0 };
        runs.push((error, TOLERANCE * looser));
        start = end;
    }
    runs
}

/// Columns k of both halves, one above the other: each of length 2 N.
fn stacked(config: &Config, features: &[f64], run: std::ops::Range<usize>) -> Vec<Vec<f64>> {
    let half = |at: usize| features.chunks(config.columns()).map(move |row| row[at]);
    run.map(|k| half(k).chain(half(config.rank + k)).collect()).collect()
}

fn up_to_signs(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let mut worst = 0.0_f64;
    for (a, b) in a.iter().zip(b) {
        let sign = if dot(a, b) < 0.0 { -1.0 } else { 1.0 };
        worst = a.iter().zip(b).map(|(&a, &b)| distance(a, sign * b)).fold(worst, f64::max);
    }
    worst
}

fn products(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let entry =
        |x: &[Vec<f64>], i: usize, j: usize| x.iter().map(|column| column[i] * column[j]).sum::<f64>();
    let length = a.first().map_or(0, Vec::len);
    let mut worst = 0.0_f64;
    for i in 0..length {
        for j in 0..=i {
            worst = worst.max(distance(entry(a, i, j), entry(b, i, j)));
        }
    }
    // Each column holds u and v, so its square length is twice the singular value.
    let values = a.iter().zip(b).map(|(a, b)| distance(dot(a, a), dot(b, b)) / 2.0);
    values.fold(worst, f64::max)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
