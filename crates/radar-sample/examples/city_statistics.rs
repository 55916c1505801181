//! Compares the statistics of synthetic cities with those of real windows.
//!
//! ```text
//! cargo run --release -p radar-sample --example city_statistics -- porto.duration.csv columbus.duration.csv
//! ```
//!
//! Each file `NAME.duration.csv` holds a square matrix in seconds, one row per line, separated by
//! commas; `NAME.distance.csv` beside it holds the metres. For every statistic the 5, 50 and 95 %
//! quantiles of 200 cities of 100 points are printed, then the value of each window (the mean over
//! random subsets of 100 points when it has more) and whether it lies between the outer two. From an
//! npz file, in Python:
//!
//! ```text
//! window = numpy.load("porto.npz")
//! for key in "duration", "distance":
//!     numpy.savetxt(f"porto.{key}.csv", window[key], fmt="%.1f", delimiter=",")
//! ```

use radar_kernel::random::Stream;
use radar_problem::Table;
use radar_sample::city::City;
use radar_sample::statistics::{Statistics, correlation};
use std::error::Error;
use std::time::Instant;

const CITIES: u64 = 200;
const NODES: usize = 100;
const SUBSETS: u64 = 40;
const NAMES: [&str; 15] = [
    "asymmetry, duration",
    "asymmetry, distance",
    "triangles, duration",
    "triangles, distance",
    "top 1, duration",
    "top 5, duration",
    "top 10, duration",
    "top 20, duration",
    "top 1, distance",
    "top 10, distance",
    "variation, duration",
    "variation, distance",
    "correlation",
    "mean duration (s)",
    "mean distance (m)",
];

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let city = City::default();
    let mut cities = Vec::new();
    for index in 0..CITIES {
        let matrix = city.matrix(NODES, 1, index);
        cities.push(figures(&matrix.duration, &matrix.distance).ok_or("a city without statistics")?);
    }
    println!("{CITIES} cities of {NODES} points, {:.1} s\n", start.elapsed().as_secs_f64());
    println!("{:<22}{:>10}{:>10}{:>10}", "statistic", "5 %", "50 %", "95 %");
    let ranges: Vec<[f64; 3]> = (0..NAMES.len()).map(|which| quantiles(&cities, which)).collect();
    for (name, [low, middle, high]) in NAMES.iter().zip(&ranges) {
        println!("{name:<22}{low:>10.4}{middle:>10.4}{high:>10.4}");
    }
    for file in std::env::args().skip(1) {
        let duration = read(&file)?;
        let distance = read(&file.replace("duration", "distance"))?;
        let window = window(&duration, &distance).ok_or_else(|| format!("{file}: no statistics"))?;
        println!("\n{file}");
        for ((name, value), [low, _, high]) in NAMES.iter().zip(window).zip(&ranges) {
            let verdict = if (*low..=*high).contains(&value) { "contained" } else { "OUTSIDE" };
            println!("{name:<22}{value:>10.4}  {verdict}");
        }
    }
    Ok(())
}

type Figures = [f64; NAMES.len()];

fn figures(duration: &Table, distance: &Table) -> Option<Figures> {
    let (time, length) = (Statistics::of(duration)?, Statistics::of(distance)?);
    let mean = |table: &Table| {
        let pairs = table.rows() * table.rows() - table.rows();
        table.values().iter().sum::<f64>() / pairs as f64
    };
    Some([
        time.asymmetry,
        length.asymmetry,
        time.triangle_violations,
        length.triangle_violations,
        time.energy[0],
        time.energy[1],
        time.energy[2],
        time.energy[3],
        length.energy[0],
        length.energy[2],
        time.variation,
        length.variation,
        correlation(duration, distance)?,
        mean(duration),
        mean(distance),
    ])
}

/// The figures of a window at 100 points: the mean over random subsets.
fn window(duration: &Table, distance: &Table) -> Option<Figures> {
    let mut mean = [0.0; NAMES.len()];
    for index in 0..SUBSETS {
        let nodes = duration.rows();
        let subset = Stream::new(1, "window", index).sample(nodes, NODES.min(nodes));
        let drawn = figures(&duration.subset(&subset), &distance.subset(&subset))?;
        mean.iter_mut().zip(drawn).for_each(|(mean, value)| *mean += value / SUBSETS as f64);
    }
    Some(mean)
}

fn quantiles(cities: &[Figures], which: usize) -> [f64; 3] {
    let mut values: Vec<f64> = cities.iter().map(|figures| figures[which]).collect();
    values.sort_by(f64::total_cmp);
    [0.05, 0.5, 0.95].map(|share| values[(share * (values.len() - 1) as f64).round() as usize])
}

fn read(path: &str) -> Result<Table, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let row = |line: &str| line.split(',').map(|cell| cell.trim().parse()).collect();
    let rows = text.lines().map(row).collect::<Result<_, std::num::ParseFloatError>>()?;
    // Road services answer -0.1 m now and then, between points of one street.
    Ok(Table::from_rows(rows).map(|value: f64| value.max(0.0)))
}
