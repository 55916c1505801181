//! The `radar` command: translation between people, files and the library.

mod amounts;
mod answer;
mod commands;
mod failure;
mod input;
mod machine;
mod output;
mod plan;
mod set;
mod table;
mod watch;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::{Exit, Failure};

/// Tables and tensors are large.
#[global_allocator]
static ALLOCATOR: radar_kernel::allocator::LargePages = radar_kernel::allocator::LargePages;

/// Asymmetric vehicle routing: your travel-time table in, checked routes out.
///
/// Exit codes: 0 done, 1 the plan is refused, 2 bad input or usage, 3 no plan can serve every stop
/// or none was found, 4 internal error.
#[derive(Parser)]
#[command(name = "radar", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Threads to use; results do not depend on it [default: all cores]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

#[derive(Subcommand)]
enum Command {
    Solve(commands::solve::Args),
    Check(commands::check::Args),
    Explain(commands::explain::Args),
    Info(commands::info::Args),
    Generate(commands::generate::Args),
    Convert(commands::convert::Args),
    Train(commands::train::Args),
    Eval(commands::eval::Args),
    Model(commands::model::Args),
    Serve(commands::serve::Args),
    Completions(commands::completions::Args),
}

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        // Of several processes that were started with the same words, the first says what is wrong with them.
        if error.use_stderr() && !commands::train::leads() {
            std::process::exit(Exit::BadInput as i32);
        }
        error.exit()
    });
    // A panic is a defect, but it still gets the documented exit code and a sentence.
    let outcome = std::panic::catch_unwind(|| run(cli));
    let result = outcome.unwrap_or_else(|_| {
        Err(Failure::new(
            Exit::Internal,
            "internal",
            "the program failed at the place above",
            "please report it with the input file",
        ))
    });
    match result {
        Ok(exit) => exit.into(),
        Err(failure) => failure.print(),
    }
}

fn run(cli: Cli) -> Result<Exit, Failure> {
    if let Some(threads) = cli.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
        pool.map_err(|error| {
            Failure::new(Exit::Internal, "threads", error.to_string(), "use fewer threads")
        })?;
    }
    match cli.command {
        Command::Solve(args) => commands::solve::run(args),
        Command::Check(args) => commands::check::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Info(args) => commands::info::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Train(args) => commands::train::run(args),
        Command::Eval(args) => commands::eval::run(args),
        Command::Model(args) => commands::model::run(args),
        Command::Serve(args) => commands::serve::run(args),
        Command::Completions(args) => commands::completions::run::<Cli>(args),
    }
}
