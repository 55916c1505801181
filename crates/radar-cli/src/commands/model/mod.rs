//! `radar model`: files of weights.

mod chosen;
mod extend;
mod import;
mod new;
mod show;

use std::path::{Path, PathBuf};

use radar_net::checkpoint::pytorch;
use radar_net::{Checkpoint, NetError, Precision};
use radar_train::state;

use crate::failure::{Exit, Failure};
use crate::{amounts, output};

/// Look at, bring in or make a file of weights
///
/// Weights live in safetensors files with a model card inside: what network it is, what it was trained on, and
/// what it reached (docs/models.md).
///
/// For instance: radar model show atsp.safetensors
#[derive(clap::Args)]
#[command(arg_required_else_help = true)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Show(show::Args),
    Import(import::Args),
    New(new::Args),
    Extend(extend::Args),
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    match args.command {
        Command::Show(args) => show::run(args),
        Command::Import(args) => import::run(args),
        Command::New(args) => new::run(args),
        Command::Extend(args) => extend::run(args),
    }
}

/// Where weights go, and how.
#[derive(clap::Args)]
struct Target {
    /// How many bits of a weight are written
    #[arg(long, value_enum, default_value_t)]
    dtype: Digits,

    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// How many bits of a weight are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Digits {
    /// All
    #[default]
    F32,
    /// Half the bytes: eight bits of mantissa
    Bf16,
}

/// Reads weights with their card; a failure names the file.
pub fn read(path: &Path) -> Result<Checkpoint, Failure> {
    Checkpoint::read(path).map_err(|error| unread(error, path))
}

/// Why a file was not read. The line that converts one of PyTorch can be run as it stands; who gives the state of a
/// run is told where its weights are.
fn unread(error: NetError, path: &Path) -> Failure {
    let error = match error.code {
        _ if path.join("best.safetensors").is_file() => NetError::new(
            error.code,
            "this is the folder of a run",
            "give the weights in it: best.safetensors or last.safetensors",
        ),
        _ if std::fs::read(path).is_ok_and(|bytes| state::is_state(&bytes)) => NetError::new(
            "no-card",
            "this is the state of a run, for `radar train --resume`",
            "give the weights beside it: best.safetensors or last.safetensors",
        ),
        pytorch::CODE => {
            // A wrong ending must not make it write over what it reads.
            let is_named_so = path.extension().is_some_and(|ending| ending == "safetensors");
            let ending = if is_named_so { "converted.safetensors" } else { "safetensors" };
            pytorch::unconverted(&quoted(path), &quoted(&path.with_extension(ending)))
        }
        _ => error,
    };
    refused(error).of(&path.display().to_string())
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

/// What the library says about a network, in the words of the command.
pub fn refused(error: NetError) -> Failure {
    Failure::input(error.code, error.cause, error.action)
}

/// Writes weights and says in one line what they are.
fn write(checkpoint: &Checkpoint, target: &Target, inputs: &[PathBuf]) -> Result<Exit, Failure> {
    let path = &target.output;
    let precision = match target.dtype {
        Digits::F32 => Precision::Full,
        Digits::Bf16 => Precision::Half,
    };
    let bytes = checkpoint.to_bytes(precision).map_err(refused)?;
    output::file(path, &bytes, inputs)?;
    output::line(&format!(
        "{}: `{}`, {}, {} weights, {}",
        path.display(),
        checkpoint.card.name,
        checkpoint.card.config.task,
        amounts::number(checkpoint.weights.count() as f64, 0),
        size(bytes.len())
    ));
    Ok(Exit::Done)
}

/// The name in a file's path.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// A number of bytes.
fn size(bytes: usize) -> String {
    match bytes as f64 {
        bytes if bytes < 1e6 => format!("{} kB", amounts::number(bytes / 1e3, 1)),
        bytes => format!("{} MB", amounts::number(bytes / 1e6, 1)),
    }
}
