//! `radar model show`.

use std::path::PathBuf;

use radar_net::Checkpoint;
use safetensors::SafeTensors;
use serde_json::json;

use super::{size, unread};
use crate::failure::{Exit, Failure};
use crate::table::Table;
use crate::{amounts, input, output};

/// Print the card of a file of weights: the network, what it has seen, what it reached
///
/// For instance: radar model show atsp.safetensors --tensors
#[derive(clap::Args)]
pub struct Args {
    /// Weights in safetensors, with a card
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// List every tensor too
    #[arg(long)]
    tensors: bool,

    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// One tensor of a file.
struct Tensor<'a> {
    name: &'a str,
    shape: &'a [usize],
    dtype: String,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let shown = show(&args);
    shown.map_err(|failure| failure.of(&args.file.display().to_string()).for_programs(args.json))
}

fn show(args: &Args) -> Result<Exit, Failure> {
    let content = input::bytes(&args.file)?;
    let checkpoint = Checkpoint::from_bytes(&content).map_err(|error| unread(error, &args.file))?;
    let tensors = tensors(&checkpoint, &content);
    let mut dtypes: Vec<&str> = tensors.iter().map(|tensor| tensor.dtype.as_str()).collect();
    dtypes.sort_unstable();
    dtypes.dedup();
    if args.json {
        let listed = tensors
            .iter()
            .map(|tensor| json!({ "name": tensor.name, "shape": tensor.shape, "dtype": tensor.dtype }));
        let mut shown = json!({
            "card": checkpoint.card,
            "parameters": checkpoint.weights.count(),
            "bytes": content.len(),
            "dtypes": dtypes,
        });
        if args.tensors {
            shown["tensors"] = listed.collect();
        }
        output::line(&shown.to_string());
        return Ok(Exit::Done);
    }
    output::bytes(checkpoint.card.to_string().as_bytes());
    output::line(&format!(
        "{}: {} weights in {} tensors, {}, {}",
        args.file.display(),
        amounts::number(checkpoint.weights.count() as f64, 0),
        tensors.len(),
        dtypes.join(" and "),
        size(content.len())
    ));
    if args.tensors {
        let mut table = Table::new(&["tensor<", "shape<", "type<", "weights"]);
        for tensor in &tensors {
            let extents: Vec<String> = tensor.shape.iter().map(usize::to_string).collect();
            let count = amounts::number(tensor.shape.iter().product::<usize>() as f64, 0);
            table.row(vec![tensor.name.to_owned(), extents.join(" x "), tensor.dtype.clone(), count]);
        }
        output::bytes(table.to_string().as_bytes());
    }
    Ok(Exit::Done)
}

/// What is in the file, in the order of the network.
fn tensors<'a>(checkpoint: &'a Checkpoint, content: &[u8]) -> Vec<Tensor<'a>> {
    let header = SafeTensors::read_metadata(content).ok().map(|(_, header)| header);
    let dtype = |name: &str| {
        let info = header.as_ref().and_then(|header| header.info(name));
        info.map_or_else(String::new, |info| format!("{:?}", info.dtype))
    };
    let parameters = checkpoint.weights.parameters().iter();
    parameters
        .map(|parameter| Tensor {
            name: &parameter.name,
            shape: &parameter.shape,
            dtype: dtype(&parameter.name),
        })
        .collect()
}
