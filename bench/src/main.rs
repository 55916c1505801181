//! Figures with bars. `bench/run` lists the benches, `bench/run NAME` runs one, `bench/run all` runs all.
//!
//! A bench is one file or folder with a function that returns rows and one line in [`BENCHES`]. What begins with
//! `--`, and all that follows, is for the bench: `bench/run rivals --roads FOLDER`.

mod bounds;
mod city;
mod constructors;
mod curves;
mod deadlines;
mod generators;
mod inference;
mod kernels;
mod masks;
mod memory;
mod peer;
mod products;
mod quality;
mod rivals;
mod service;
mod timing;
mod training;
mod transport;

use std::process::ExitCode;

use serde_json::json;

/// As the `radar` command does.
#[global_allocator]
static ALLOCATOR: radar_kernel::allocator::LargePages = radar_kernel::allocator::LargePages;

/// One figure and what it must reach.
pub struct Row {
    /// What was measured, with sizes and seeds.
    pub name: String,
    /// The figure.
    pub figure: f64,
    /// Its unit.
    pub unit: &'static str,
    /// What it must reach, if there is a bar.
    pub bar: Option<Bar>,
}

/// What a figure must reach.
#[derive(Clone, Copy)]
pub enum Bar {
    /// It must not exceed this.
    AtMost(f64),
    /// It must not fall short of this.
    AtLeast(f64),
}

impl Row {
    /// A figure that must not exceed `bar`.
    pub fn at_most(name: impl Into<String>, figure: f64, unit: &'static str, bar: f64) -> Self {
        Self { name: name.into(), figure, unit, bar: Some(Bar::AtMost(bar)) }
    }

    /// A figure that must reach `bar`.
    pub fn at_least(name: impl Into<String>, figure: f64, unit: &'static str, bar: f64) -> Self {
        Self { name: name.into(), figure, unit, bar: Some(Bar::AtLeast(bar)) }
    }

    /// A figure without a bar.
    pub fn plain(name: impl Into<String>, figure: f64, unit: &'static str) -> Self {
        Self { name: name.into(), figure, unit, bar: None }
    }

    fn met(&self) -> bool {
        match self.bar {
            None => true,
            Some(Bar::AtMost(bar)) => self.figure <= bar,
            Some(Bar::AtLeast(bar)) => self.figure >= bar,
        }
    }
}

/// A bench: its name, what it measures, and how.
struct Bench {
    name: &'static str,
    about: &'static str,
    /// Takes the arguments after the name; fails when they mean nothing or what it needs is not there.
    run: fn(&[String]) -> Result<Vec<Row>, String>,
    /// Too long to be one of `all`.
    long: bool,
}

const BENCHES: &[Bench] = &[
    Bench {
        name: "generators",
        about: "time to draw instances, one core",
        run: |_| Ok(generators::run()),
        long: false,
    },
    Bench {
        name: "inference",
        about: "the network against the same one in PyTorch; memory and time at a thousand nodes",
        run: |_| inference::run(),
        long: true,
    },
    Bench {
        name: "training",
        about: "a step of training against the same in PyTorch; by stage; memory",
        run: |_| training::run(),
        long: true,
    },
    Bench {
        name: "curves",
        about: "learning curves of several runs as data and picture: --to docs/NAME RUN...",
        run: curves::run,
        long: true,
    },
    Bench {
        name: "references",
        about: "the best plans that search and PyVRP find for the test sets: hours, goes on where it stopped (--help)",
        run: quality::references::run,
        long: true,
    },
    Bench {
        name: "networks",
        about: "what a network builds alone on the test sets: --model FILE (--help)",
        run: quality::networks::run,
        long: true,
    },
    Bench {
        name: "worth",
        about: "what a network is worth to the search at several budgets: --model FILE (--help)",
        run: quality::worth::run,
        long: true,
    },
    Bench {
        name: "results",
        about: "docs/results.md from what references, networks and worth have kept",
        run: quality::results::run,
        long: true,
    },
    Bench {
        name: "transport",
        about: "tours along the least surprising arcs, without a network",
        run: |_| Ok(transport::run()),
        long: false,
    },
    Bench {
        name: "service",
        about: "the service under load: answers a second, time to the answer, answers lost, memory (needs a release build of radar-cli)",
        run: |_| service::run(),
        long: true,
    },
    Bench {
        name: "kernels",
        about: "closure and assignment, one core",
        run: |_| Ok(kernels::run()),
        long: false,
    },
    Bench {
        name: "products",
        about: "matrix products against the gemm crate, one core",
        run: |_| Ok(products::run()),
        long: false,
    },
    Bench {
        name: "constructors",
        about: "quality and time of construction",
        run: |_| Ok(constructors::run()),
        long: false,
    },
    Bench {
        name: "city",
        about: "statistics of synthetic cities, and of real windows if RADAR_ROADS names a folder",
        run: |_| Ok(city::run()),
        long: false,
    },
    Bench {
        name: "masks",
        about: "legal plans that the masks lose on road-like tables",
        run: |_| Ok(masks::run()),
        long: false,
    },
    Bench {
        name: "bounds",
        about: "how far plans may be from the best, every variant (--roads FOLDER)",
        run: bounds::run,
        long: false,
    },
    Bench {
        name: "deadlines",
        about: "wall time beyond the limit; ten thousand nodes",
        run: |_| Ok(deadlines::run()),
        long: false,
    },
    Bench {
        name: "rivals",
        about: "quality over time against other solvers, up to 100 minutes (--help)",
        run: rivals::run,
        long: true,
    },
];

fn main() -> ExitCode {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let arguments =
        names.split_off(names.iter().position(|name| name.starts_with("--")).unwrap_or(names.len()));
    if names.is_empty() {
        for bench in BENCHES {
            println!("{:<14} {}", bench.name, bench.about);
        }
        return ExitCode::SUCCESS;
    }
    let all = names == ["all"];
    let mut code = ExitCode::SUCCESS;
    for name in &names {
        if !all && !BENCHES.iter().any(|bench| bench.name == name) {
            eprintln!("no bench is called `{name}`; bench/run lists them");
            return ExitCode::from(2);
        }
    }
    let is_wanted = |bench: &&Bench| (all && !bench.long) || names.iter().any(|name| name == bench.name);
    for bench in BENCHES.iter().filter(is_wanted) {
        let rows = match (bench.run)(&arguments) {
            Ok(rows) => rows,
            Err(why) => {
                eprintln!("{}: {why}", bench.name);
                return ExitCode::from(2);
            }
        };
        for row in &rows {
            let bar = match row.bar {
                None => "-".to_owned(),
                Some(Bar::AtMost(bar)) => format!("<= {bar}"),
                Some(Bar::AtLeast(bar)) => format!(">= {bar}"),
            };
            let met = match (row.bar, row.met()) {
                (None, _) => "",
                (Some(_), true) => "met",
                (Some(_), false) => "MISSED",
            };
            let line = format!("{:<64} {:>12.4} {:<12} {bar:>10}  {met}", row.name, row.figure, row.unit);
            println!("{}", line.trim_end());
            if !row.met() {
                code = ExitCode::FAILURE;
            }
        }
        let table: Vec<_> = rows
            .iter()
            .map(|row| {
                let (bar, most) = match row.bar {
                    None => (None, None),
                    Some(Bar::AtMost(bar)) => (Some(bar), Some(true)),
                    Some(Bar::AtLeast(bar)) => (Some(bar), Some(false)),
                };
                let Row { name, figure, unit, .. } = row;
                json!({ "name": name, "figure": figure, "unit": unit, "bar": bar, "bar_is_most": most, "met": row.met() })
            })
            .collect();
        let path = format!("results/{}.json", bench.name);
        let text = format!("{}\n", serde_json::to_string_pretty(&table).expect("plain values"));
        if let Err(error) = std::fs::create_dir_all("results").and_then(|()| std::fs::write(&path, text)) {
            eprintln!("bench/{path}: {error}");
            code = ExitCode::FAILURE;
        }
    }
    code
}
