//! `radar model new`.

use radar_net::{Card, Checkpoint, Config, Weights};

use super::chosen::{self, Chosen};
use super::{Target, stem, write};
use crate::failure::{Exit, Failure};
use crate::output;

/// Make a network with random weights, as training begins
///
/// It routes badly, but it runs as fast as a trained one: for measurements, tests, and as a beginning for
/// `radar train --init`. The same network and seed give the same file everywhere.
///
/// For instance: radar model new --preset small-atsp --set layers=3 -o fresh.safetensors
#[derive(clap::Args)]
#[command(after_help = chosen::list())]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,

    /// Where randomness comes from
    #[arg(long, default_value_t = 0)]
    seed: u64,

    /// What the weights are called [default: the name of the file]
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    target: Target,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let config = args.chosen.config()?.ok_or_else(|| {
        let names = Config::preset_names().join(", ");
        Failure::input(
            "no-network",
            "no network was chosen",
            format!("give --preset, one of {names}, or --config"),
        )
    })?;
    let inputs = args.chosen.inputs();
    output::allowed(&args.target.output, &inputs)?;
    let mut card = Card::new(args.name.unwrap_or_else(|| stem(&args.target.output)), config);
    card.seed = args.seed;
    card.notes = format!("random weights of seed {}, not trained", args.seed);
    let weights = Weights::random(&card.config, args.seed);
    write(&Checkpoint { card, weights }, &args.target, &inputs)
}
