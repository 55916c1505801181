//! Statistics of synthetic cities beside those of real windows.
//!
//! For every statistic the 5, 50 and 95 % quantiles of 200 cities of 100 points (seed 1). With `RADAR_ROADS` naming a
//! folder of npz files (`points`, `distance`, `duration`), the real windows' values follow, each the mean over 40 random
//! subsets of 100 points; a window outside the 5-95 % range misses its bar.

use std::path::PathBuf;

use radar_format::{Given, read};
use radar_kernel::random::Stream;
use radar_problem::{Kind, Table};
use radar_sample::city::City;
use radar_sample::statistics::Statistics;
use rayon::prelude::*;

use crate::Row;

const CITIES: u64 = 200;
const NODES: usize = 100;
const SUBSETS: u64 = 40;
const NAMES: [&str; 8] = [
    "asymmetry of durations",
    "asymmetry of distances",
    "triangle violations of durations",
    "triangle violations of distances",
    "energy of 1 singular value, durations",
    "energy of 5 singular values, durations",
    "energy of 10 singular values, durations",
    "energy of 20 singular values, durations",
];

type Figures = [f64; NAMES.len()];

pub fn run() -> Vec<Row> {
    let cities: Vec<Figures> = (0..CITIES)
        .into_par_iter()
        .map(|index| {
            let city = City::default().matrix(NODES, 1, index);
            figures(&city.duration, &city.distance)
        })
        .collect();
    let windows: Vec<(String, Figures)> = files().par_iter().map(window).collect();
    let mut rows = Vec::new();
    for (which, name) in NAMES.iter().enumerate() {
        let mut values: Vec<f64> = cities.iter().map(|figures| figures[which]).collect();
        values.sort_by(f64::total_cmp);
        let quantile = |share: f64| values[(share * (values.len() - 1) as f64).round() as usize];
        for share in [0.05, 0.5, 0.95] {
            rows.push(Row::plain(format!("{name}, {:.0} % of cities", 100.0 * share), quantile(share), ""));
        }
        let is_outside = |value: f64| !(quantile(0.05)..=quantile(0.95)).contains(&value);
        for (window, figures) in &windows {
            if is_outside(figures[which]) {
                rows.push(Row::plain(format!("{name}, {window}, outside"), figures[which], ""));
            }
        }
        if !windows.is_empty() {
            let outside = windows.iter().filter(|(_, figures)| is_outside(figures[which])).count();
            rows.push(Row::at_most(
                format!("{name}: windows outside of {}", windows.len()),
                outside as f64,
                "",
                0.0,
            ));
        }
    }
    rows
}

fn figures(duration: &Table, distance: &Table) -> Figures {
    let (time, length) = (Statistics::of(duration), Statistics::of(distance));
    let (time, length) = (time.expect("a sound table"), length.expect("a sound table"));
    let [one, five, ten, twenty] = time.energy;
    let (asymmetry, triangles) = (time.asymmetry, time.triangle_violations);
    [asymmetry, length.asymmetry, triangles, length.triangle_violations, one, five, ten, twenty]
}

/// The npz files of the folder that `RADAR_ROADS` names.
fn files() -> Vec<PathBuf> {
    let Some(folder) = std::env::var_os("RADAR_ROADS") else { return Vec::new() };
    let entries = std::fs::read_dir(&folder).expect("RADAR_ROADS names a folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "npz"));
    files.sort();
    files
}

fn window(path: &PathBuf) -> (String, Figures) {
    let bytes = std::fs::read(path).expect("a readable file");
    let given = Given { kind: Some(Kind::Atsp), ..Given::default() };
    let problem = read(Some("window.npz"), &bytes, &given).expect("a road matrix").problems.remove(0);
    let duration = problem.duration.expect("durations");
    let mut mean = [0.0; NAMES.len()];
    for index in 0..SUBSETS {
        let subset = Stream::new(1, "window", index).sample(duration.rows(), NODES);
        let drawn = figures(&duration.subset(&subset), &problem.distance.subset(&subset));
        mean.iter_mut().zip(drawn).for_each(|(mean, value)| *mean += value / SUBSETS as f64);
    }
    (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), mean)
}
