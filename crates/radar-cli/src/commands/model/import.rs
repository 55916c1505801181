//! `radar model import`.

use std::path::{Path, PathBuf};

use radar_net::Checkpoint;

use super::chosen::{self, Chosen};
use super::{Digits, refused, stem, write};
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

    /// How many bits of a weight are written
    #[arg(long, value_enum, default_value_t)]
    dtype: Digits,

    /// Where to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn run(args: Args) -> Result<Exit, Failure> {
    let config = args.chosen.config()?;
    let inputs: Vec<PathBuf> = std::iter::once(args.file.clone()).chain(args.chosen.inputs()).collect();
    output::allowed(&args.output, &inputs)?;
    let of_file = |failure: Failure| failure.of(&args.file.display().to_string());
    let content = input::bytes(&args.file).map_err(of_file)?;
    if is_pytorch(&content) {
        return Err(of_file(unconverted(&args.file)));
    }
    let imported = Checkpoint::import_bytes(&content, &stem(&args.file), config.as_ref());
    let mut checkpoint = imported.map_err(refused).map_err(of_file)?;
    if let Some(name) = args.name {
        checkpoint.card.name = name;
    }
    write(&checkpoint, args.dtype, &args.output, &inputs)
}

/// PyTorch saves zip archives, and saved bare pickles before; safetensors begins with the length of a header,
/// whose upper bytes are zero.
fn is_pytorch(content: &[u8]) -> bool {
    let bare_pickle = content.len() > 2 && content[0] == 0x80 && (2..=5).contains(&content[1]);
    let header = content.get(8) == Some(&b'{');
    content.starts_with(b"PK\x03\x04") || bare_pickle && !header
}

fn unconverted(path: &Path) -> Failure {
    let out = path.with_extension("safetensors");
    let line = format!(
        "python3 -c 'import sys, torch; from safetensors.torch import save_file; \
         c = torch.load(sys.argv[1], map_location=\"cpu\", weights_only=False); \
         c = c.get(\"model_state_dict\", c); \
         save_file({{k: v.clone().contiguous() for k, v in c.items()}}, sys.argv[2])' {} {}",
        quoted(path),
        quoted(&out)
    );
    Failure::input(
        "pytorch-file",
        "this is a PyTorch file, a program of its own that only Python can run",
        format!(
            "if you trust it, convert it once (pip install torch safetensors numpy), then import {}:\n{line}",
            out.display()
        ),
    )
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pytorch_files_are_told_by_their_first_bytes() {
        assert!(is_pytorch(b"PK\x03\x04rest") && is_pytorch(b"\x80\x02}q\x00(X"));
        // A header of 0x280 bytes begins like a pickle.
        assert!(!is_pytorch(b"\x80\x02\0\0\0\0\0\0{\"a\":{}}") && !is_pytorch(b"") && !is_pytorch(b"\x80"));
    }
}
