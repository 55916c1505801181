//! `radar model import`.

use std::path::PathBuf;

use radar_net::Checkpoint;

use super::chosen::{self, Chosen};
use super::{Target, stem, unread, write};
use crate::failure::{Exit, Failure};
use crate::{input, output};

/// Bring in weights of the public code's layout
///
/// FILE is safetensors with the names of the public checkpoint; a common prefix (`model.`, `module.`, ...) and
/// layers that the public code never uses are dropped. The network is the one given; else the file's own card, the
/// sizes in its metadata, or what the shapes show (then clip and iterations are the paper's). A PyTorch file is
/// converted first, with one line that the error prints.
///
/// For instance: radar model import public.safetensors --name radar-atsp100 -o atsp.safetensors
#[derive(clap::Args)]
#[command(after_help = chosen::list())]
pub struct Args {
    /// Weights in safetensors
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    chosen: Chosen,

    /// What the weights are called [default: as their card says, or the name of the file]
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    target: Target,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let config = args.chosen.config()?;
    let inputs: Vec<PathBuf> = std::iter::once(args.file.clone()).chain(args.chosen.inputs()).collect();
    output::allowed(&args.target.output, &inputs)?;
    let content = input::bytes(&args.file).map_err(|failure| failure.of(&args.file.display().to_string()))?;
    let imported = Checkpoint::import_bytes(&content, &stem(&args.file), config.as_ref());
    let mut checkpoint = imported.map_err(|error| unread(error, &args.file))?;
    if let Some(name) = args.name {
        checkpoint.card.name = name;
    }
    write(&checkpoint, &args.target, &inputs)
}
