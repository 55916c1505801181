//! `radar serve`.

use std::io::IsTerminal;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use radar::Model;
use radar_net::decode::Isa;
use radar_server::{Engine, Limits, ServeError, Settings, Tiles};

use crate::failure::{Exit, Failure};
use crate::{amounts, machine, output};

/// Serve over HTTP, with a page for people: your table in, routes on a map out
///
/// Listens on this machine alone unless told otherwise. Open the address in a browser, or send problems to
/// /v1/solve and /v1/jobs; /openapi.json describes everything, docs/service.md tells it. Jobs survive a crash
/// when --store names a folder for them. Ctrl-C and SIGTERM end it: requests at work are answered, running jobs
/// are put back and go on with the next start.
///
/// For instance: radar serve --store jobs
#[derive(clap::Args)]
pub struct Args {
    /// Where to listen; 0.0.0.0:8080 is everywhere
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// The folder of the jobs; without it they are gone when the service ends
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,

    /// For how long an ended job is kept
    #[arg(long, value_parser = amounts::parse_span, value_name = "TIME", default_value = "168h")]
    keep: Duration,

    /// A network to offer, by the name on its card. May be repeated
    #[arg(long, value_name = "FILE")]
    model: Vec<PathBuf>,

    /// A routing engine that requests may name, such as osrm=http://localhost:5000 or
    /// paris:valhalla=http://localhost:8002. May be repeated; nothing else is ever contacted
    #[arg(long, value_name = "NAME=URL")]
    engine: Vec<Engine>,

    /// Tiles behind the map of the page, such as https://tile.example/{z}/{x}/{y}.png; without it nothing
    /// is fetched from anywhere
    #[arg(long, value_name = "URL", requires = "attribution")]
    tiles: Option<String>,

    /// Whom the tiles are owed to; shown on the map
    #[arg(long, value_name = "TEXT", requires = "tiles")]
    attribution: Option<String>,

    #[command(flatten)]
    access: Access,

    #[command(flatten)]
    most: Most,

    /// The form of the log on standard error [default: text on a terminal, else json]
    #[arg(long, value_enum)]
    log: Option<Log>,
}

/// Who may call.
#[derive(clap::Args)]
#[command(next_help_heading = "Who may call")]
struct Access {
    /// A file of keys, one per line: requests must carry one as `Authorization: Bearer KEY`
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,

    /// Another origin whose pages may call, such as https://routes.example. May be repeated
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,

    /// A name under which the service is reached, beside its address; without a port. May be repeated
    #[arg(long, value_name = "NAME", value_parser = host)]
    host: Vec<String>,
}

/// How much may be asked for; past it a request is refused at once.
#[derive(clap::Args)]
#[command(next_help_heading = "How much may be asked for")]
struct Most {
    /// The largest body
    #[arg(long, value_parser = machine::parse_size, value_name = "SIZE", default_value = "64M")]
    max_body: u64,

    /// The most nodes of a problem
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..=20_000))]
    max_nodes: u32,

    /// The longest time of /v1/solve
    #[arg(long, value_parser = amounts::parse_span, value_name = "TIME", default_value = "10s")]
    solve_time: Duration,

    /// The longest time of a job
    #[arg(long, value_parser = amounts::parse_span, value_name = "TIME", default_value = "10m")]
    job_time: Duration,

    /// The most steps
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,

    /// Solves at once, jobs included [default: as many as there are cores]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    solves: Option<u16>,

    /// Jobs at once [default: one fewer than solves]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,

    /// Requests and jobs that may wait for their turn
    #[arg(long, value_name = "K", default_value_t = 64)]
    queue: usize,

    /// How long a request of /v1/solve waits for its turn
    #[arg(long, value_parser = amounts::parse_span, value_name = "TIME", default_value = "30s")]
    patience: Duration,

    /// What ended jobs may take together, the oldest being forgotten first [without --store: 128M at most]
    #[arg(long, value_parser = machine::parse_size, value_name = "SIZE", default_value = "1G")]
    max_kept: u64,

    /// Connections at once
    #[arg(long, value_name = "K", default_value_t = 512)]
    connections: usize,

    /// What all problems at work may take together, by forecast [default: half of what is free]
    #[arg(long, value_parser = machine::parse_size, value_name = "SIZE")]
    memory: Option<u64>,
}

/// Bytes of ended jobs when they are kept in memory.
const KEPT_IN_MEMORY: u64 = 128_000_000;

/// The form of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Log {
    /// One JSON object per line
    Json,
    /// Lines for people
    Text,
    /// Nothing
    Off,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let settings = settings(&args)?;
    log(args.log);
    let is_kept = settings.store.is_some();
    if !settings.listen.ip().is_loopback() && settings.keys.is_empty() {
        output::complain("warning: anybody who reaches this address may call; --keys FILE asks for a key");
    }
    let ready = |address: SocketAddr| {
        output::line(&format!("http://{address}"));
        if !is_kept {
            output::complain("note: jobs are gone when the service ends; --store DIR keeps them");
        }
    };
    radar_server::serve(settings, ready, radar_server::signalled()).map_err(failed)?;
    Ok(Exit::Done)
}

fn settings(args: &Args) -> Result<Settings, Failure> {
    let usual = Limits::default();
    let solves = args.most.solves.map_or(usual.solves, usize::from);
    let memory = args.most.memory.or_else(|| machine::free_memory().map(|free| free / 2));
    let limits = Limits {
        body: usize::try_from(args.most.max_body).unwrap_or(usize::MAX),
        nodes: args.most.max_nodes as usize,
        solve_time: args.most.solve_time,
        job_time: args.most.job_time,
        steps: args.most.max_steps,
        solves,
        jobs: args.most.jobs.map_or(solves.saturating_sub(1).max(1), usize::from),
        queue: args.most.queue,
        patience: args.most.patience,
        memory: memory.unwrap_or(usual.memory),
        connections: args.most.connections,
        listeners: args.most.connections / 2,
        kept_bytes: if args.store.is_some() {
            args.most.max_kept
        } else {
            args.most.max_kept.min(KEPT_IN_MEMORY)
        },
        ..usual
    };
    let mut names: Vec<&str> = args.engine.iter().map(|engine| engine.name.as_str()).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        let action = "give each a name of its own, such as alps:osrm=http://localhost:5001";
        return Err(Failure::input("bad-engine", "two engines have one name", action));
    }
    let models = args.model.iter().map(|path| {
        let checkpoint = super::model::read(path)?;
        Ok(Arc::new(Model::new(checkpoint, Isa::best())))
    });
    let tiles = args.tiles.clone().zip(args.attribution.clone());
    let tiles = tiles.map(|(url, attribution)| Tiles { url, attribution });
    if tiles.as_ref().is_some_and(|tiles| tiles.origin().is_none()) {
        let action = "give one such as https://tile.example/{z}/{x}/{y}.png";
        return Err(Failure::input("bad-tiles", "--tiles names no host", action));
    }
    Ok(Settings {
        listen: args.listen,
        store: args.store.clone(),
        limits,
        keys: args.access.keys.as_deref().map(keys).transpose()?.unwrap_or_default(),
        origins: args.access.allow_origin.clone(),
        hosts: args.access.host.clone(),
        engines: args.engine.clone(),
        tiles,
        models: models.collect::<Result<_, Failure>>()?,
        keep: args.keep,
    })
}

/// A name without scheme, port and path.
fn host(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => Ok(text.to_owned()),
        false => Err("give a name such as routes.example, without scheme, port and path".to_owned()),
    }
}

/// The keys of a file, one per line.
fn keys(path: &Path) -> Result<Vec<String>, Failure> {
    let text = String::from_utf8(crate::input::bytes(path)?)
        .map_err(|_| Failure::input("bad-keys", "the file of keys is no text", "put one key on each line"))?;
    let keys: Vec<String> =
        text.lines().map(str::trim).filter(|key| !key.is_empty()).map(str::to_owned).collect();
    const LEAST: usize = 16;
    let is_key = |key: &String| key.len() >= LEAST && key.chars().all(|letter| letter.is_ascii_graphic());
    match !keys.is_empty() && keys.iter().all(is_key) {
        true => Ok(keys),
        false => Err(Failure::input(
            "bad-keys",
            format!("{} holds no keys, or one that is too short", path.display()),
            format!("put one key of {LEAST} or more visible letters on each line"),
        )),
    }
}

fn log(form: Option<Log>) {
    let usual = if std::io::stderr().is_terminal() { Log::Text } else { Log::Json };
    let is_terminal = std::io::stderr().is_terminal();
    let builder = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(is_terminal);
    match form.unwrap_or(usual) {
        Log::Json => builder.json().flatten_event(true).init(),
        Log::Text => builder.with_target(false).init(),
        Log::Off => {}
    }
}

fn failed(error: ServeError) -> Failure {
    let (code, action) = match &error {
        ServeError::Listen(..) => ("cannot-listen", "choose another --listen, or end what has the address"),
        ServeError::Store(radar_server::StoreError::Taken) => {
            ("store-taken", "end the other service, or choose another --store")
        }
        ServeError::Store(_) => ("store-failed", "choose another --store, or look after the folder"),
        ServeError::Origin(_) => ("bad-origin", "give scheme and host, without a path"),
        _ => ("internal", "please report it"),
    };
    Failure::input(code, error.to_string(), action)
}
