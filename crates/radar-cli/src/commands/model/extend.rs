//! `radar model extend`.

use std::path::PathBuf;

use radar_net::{Mix, Term};

use super::{Target, read, refused, write};
use crate::failure::{Exit, Failure};
use crate::output;

/// Give trained weights more to look at
///
/// Further mix inputs count nothing yet, and further terms begin as in a new network; everything else stays as it was learned. The card
/// keeps what the weights were trained on: go on with `radar train --init`, for what is new has not been trained.
///
/// For instance: radar model extend vrp.safetensors --terms room -o start.safetensors
#[derive(clap::Args)]
pub struct Args {
    /// The weights
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Mix inputs to add, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    mix: Vec<String>,

    /// Terms to add, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required_unless_present = "mix")]
    terms: Vec<String>,

    /// What the weights are called [default: as before]
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    target: Target,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let mix: Result<Vec<Mix>, _> = args.mix.iter().map(|name| name.parse()).collect();
    let terms: Result<Vec<Term>, _> = args.terms.iter().map(|name| name.parse()).collect();
    let inputs = [args.file.clone()];
    output::allowed(&args.target.output, &inputs)?;
    let before = read(&args.file)?;
    let extended = before.extended(&mix.map_err(refused)?, &terms.map_err(refused)?);
    let mut checkpoint = extended.map_err(|error| refused(error).of(&args.file.display().to_string()))?;
    if let Some(name) = args.name {
        checkpoint.card.name = name;
    }
    write(&checkpoint, &args.target, &inputs)
}
