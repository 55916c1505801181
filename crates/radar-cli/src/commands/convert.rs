//! `radar convert`.

use std::path::{Path, PathBuf};

use radar_format::ending;

use crate::failure::{Exit, Failure};
use crate::input::{Input, Named};
use crate::output;

/// Turn a problem file into another format
///
/// What the target format cannot say is refused by name, never dropped; `matrix` and `stops` are the two parts
/// of a problem, and the options that go with them are printed. A set of problems becomes one
/// file where the format can hold a set (npz, json-lines), or one file each when OUT is a folder (ends in /).
///
/// For instance: radar convert table.json --stops stops.csv --capacity 40 problem.json
#[derive(clap::Args)]
#[command(after_help = formats())]
pub struct Args {
    #[command(flatten)]
    input: Input,

    /// Where to write; `-` is standard output
    #[arg(value_name = "OUT")]
    out: PathBuf,

    /// The format to write [default: by the ending of OUT]
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
}

fn formats() -> String {
    let read: Vec<&str> = radar_format::read::READERS.iter().map(|reader| reader.name).collect();
    let write: Vec<&str> = radar_format::write::WRITERS.iter().map(|writer| writer.name).collect();
    let sets: Vec<&str> = radar_format::write::SET_WRITERS.iter().map(|writer| writer.name).collect();
    let [read, write, sets] = [read, write, sets].map(|names| names.join(", "));
    format!(
        "Formats read: {read}.\nFormats written: {write}.\nFormats of a set: {sets}.\nSee docs/formats.md."
    )
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let problems = args.input.load()?;
    let to_folder = args.out.as_os_str().to_string_lossy().ends_with('/') || args.out.is_dir();
    if to_folder {
        let format = args.to.as_deref().unwrap_or("json");
        return each(&args, problems, format);
    }
    let format = match &args.to {
        Some(format) => format.as_str(),
        None => ending::problem(&args.out)?,
    };
    let problems: Vec<radar::Problem> = problems.into_iter().map(|named| named.problem).collect();
    let content = radar_format::write::all(format, &problems)?;
    if let ([one], "matrix" | "stops") = (problems.as_slice(), format) {
        let options = radar_format::write::options(one).join(" ");
        output::complain(&format!("note [parts]: matrix and stops go with the options {options}"));
    }
    write(&args, &args.out, &content)
}

/// One file per problem.
fn each(args: &Args, problems: Vec<Named>, format: &str) -> Result<Exit, Failure> {
    let ending = ending::of(format);
    output::folder(&args.out)?;
    for named in problems {
        let content = radar_format::write::problem(format, &named.problem)
            .map_err(|error| Failure::from(error).of(&named.name))?;
        write(args, &args.out.join(format!("{}.{ending}", named.name.replace('#', "-"))), &content)?;
    }
    Ok(Exit::Done)
}

fn write(args: &Args, path: &Path, content: &[u8]) -> Result<Exit, Failure> {
    if path.as_os_str() == "-" {
        output::bytes(content);
    } else {
        output::file(path, content, &args.input.stated.inputs(&args.input.file))?;
    }
    Ok(Exit::Done)
}
