//! Problem files and what the command line adds to them.

use std::io::Read;
use std::path::{Path, PathBuf};

use radar::{Kind, Problem};
use radar_format::{Loaded, Note, Origin};

use crate::failure::Failure;
use crate::output;

/// A problem file and what it leaves open.
#[derive(Clone, Debug, clap::Args)]
pub struct Input {
    /// A problem in any known format; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub stated: Stated,
}

/// Where the help lists them.
const LEFT_OPEN: &str = "What the file leaves open";

/// What a file leaves open and the command line states.
#[derive(Clone, Debug, clap::Args)]
pub struct Stated {
    /// Format of the file, when it is not recognised (see `radar convert --help`)
    #[arg(long, help_heading = LEFT_OPEN, value_name = "FORMAT")]
    pub from: Option<String>,

    /// CSV of the stops that go with a matrix: id, lat, lon, demand, backhaul, open, close, service, priority; depot first
    #[arg(long, help_heading = LEFT_OPEN, value_name = "CSV")]
    pub stops: Option<PathBuf>,

    /// One tour through all nodes, or routes from a depot
    #[arg(long, help_heading = LEFT_OPEN, value_enum)]
    pub kind: Option<KindName>,

    /// What a vehicle holds
    #[arg(long, help_heading = LEFT_OPEN, value_name = "AMOUNT")]
    pub capacity: Option<f64>,

    /// How many vehicles there are [default: as many as needed]
    #[arg(long, help_heading = LEFT_OPEN, value_name = "N")]
    pub vehicles: Option<usize>,

    /// The greatest length of a route, in the unit of the distances
    #[arg(long, help_heading = LEFT_OPEN, value_name = "LENGTH")]
    pub limit: Option<f64>,

    /// The longest a route may take from the depot's opening on, in the unit of the durations
    #[arg(long, help_heading = LEFT_OPEN, value_name = "TIME")]
    pub max_duration: Option<f64>,

    /// Routes end at their last stop
    #[arg(long, help_heading = LEFT_OPEN)]
    pub open: bool,

    /// What travel times are counted in, where the file does not say: s, min or h; times of day need it
    #[arg(long, help_heading = LEFT_OPEN, value_name = "UNIT")]
    pub unit: Option<String>,
}

/// Tour or routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum KindName {
    /// One tour through all nodes
    Atsp,
    /// Routes from a depot (node 0)
    Vrp,
}

impl From<KindName> for Kind {
    fn from(name: KindName) -> Self {
        match name {
            KindName::Atsp => Kind::Atsp,
            KindName::Vrp => Kind::Vrp,
        }
    }
}

/// A problem with the name of where it came from.
pub struct Named {
    /// The file's stem, with the number within a set.
    pub name: String,
    /// The problem.
    pub problem: Problem,
    /// The file.
    pub file: PathBuf,
    /// What was worth saying about the file.
    pub notes: Vec<Note>,
}

impl Stated {
    /// The file itself and those that go with it.
    pub fn inputs(&self, file: &Path) -> Vec<PathBuf> {
        std::iter::once(file.to_owned()).chain(self.stops.clone()).collect()
    }
}

impl Input {
    /// Reads the file: one problem, or all of a set.
    pub fn load(&self) -> Result<Vec<Named>, Failure> {
        self.stated.load(&self.file)
    }

    /// Reads the file, which must hold exactly one problem.
    pub fn load_one(&self) -> Result<Named, Failure> {
        let mut all = self.load()?;
        match (all.pop(), all.len()) {
            (Some(one), 0) => Ok(one),
            (_, rest) => Err(Failure::input(
                "set-of-problems",
                format!("{} holds {} problems", self.file.display(), rest + 1),
                "this command takes one: split the set with `radar convert SET DIR/`",
            )),
        }
    }
}

impl Stated {
    /// Reads a file and adds what the command line states.
    pub fn load(&self, path: &Path) -> Result<Vec<Named>, Failure> {
        let source = path.display().to_string();
        let loaded = self.read(path).map_err(|failure| failure.of(&source))?;
        for note in &loaded.notes {
            output::complain(&format!("note [{}]: {}", note.code, note.text));
        }
        let stem = match path.as_os_str() == "-" {
            true => "stdin".to_owned(),
            false => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let many = loaded.problems.len() > 1;
        let named = loaded.problems.into_iter().enumerate().map(|(at, problem)| {
            let name = if many { format!("{stem}#{at}") } else { stem.clone() };
            Named { name, problem, file: path.to_owned(), notes: loaded.notes.clone() }
        });
        Ok(named.collect())
    }

    fn read(&self, path: &Path) -> Result<Loaded, Failure> {
        let stated = radar_wire::Stated {
            from: self.from.clone(),
            stops: self.stops.as_deref().map(bytes).transpose()?,
            kind: self.kind.map(Kind::from),
            capacity: self.capacity,
            vehicles: self.vehicles,
            limit: self.limit,
            max_duration: self.max_duration,
            open: self.open,
            unit: self.unit.clone(),
            most_nodes: None,
        };
        let name = path.file_name().map(|name| name.to_string_lossy());
        stated.read(name.as_deref(), &bytes(path)?).map_err(|error| match (error.origin, &self.stops) {
            (Origin::Stops, Some(stops)) => Failure::from(error).of(&stops.display().to_string()),
            _ => Failure::from(error),
        })
    }
}

/// The bytes of a file or, for `-`, of standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let read = match path.as_os_str() == "-" {
        true => {
            let mut content = Vec::new();
            std::io::stdin().lock().read_to_end(&mut content).map(|_| content)
        }
        false => std::fs::read(path),
    };
    read.map_err(|error| {
        Failure::input(
            "cannot-read",
            format!("{}: {error}", path.display()),
            "check the path and its permissions",
        )
    })
}
