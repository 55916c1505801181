//! `radar completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::failure::{Exit, Failure};
use crate::output;

/// Print a completion script for a shell
///
/// For instance: radar completions bash > ~/.local/share/bash-completion/completions/radar
#[derive(clap::Args)]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn run<Cli: CommandFactory>(args: Args) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "radar", &mut script);
    output::bytes(&script);
    Ok(Exit::Done)
}
