//! Rows and columns normalised in turn; the kind that comes last sums to 1 exactly.

use radar_kernel::attention::{Last, Normalisation as Kernel};

use super::Part;
use crate::config::{Config, Ends};
use crate::reference::logs;

pub(super) const PART: Part = Part { kernel, words, naive };

fn kernel(config: &Config) -> Kernel {
    Kernel::Sinkhorn {
        iterations: config.sinkhorn_iterations,
        last: if config.ends_on == Ends::Rows { Last::Rows } else { Last::Columns },
    }
}

fn words(config: &Config) -> String {
    format!("sinkhorn, {} iterations, ending on {}", config.sinkhorn_iterations, config.ends_on)
}

// Naively: nothing below shares code with what is above.

fn naive(config: &Config, scores: &[f64], nodes: usize) -> Vec<f64> {
    let mut logs = scores.to_vec();
    for _ in 0..config.sinkhorn_iterations {
        match config.ends_on {
            Ends::Columns => {
                logs::rows(&mut logs, nodes);
                logs::columns(&mut logs, nodes);
            }
            Ends::Rows => {
                logs::columns(&mut logs, nodes);
                logs::rows(&mut logs, nodes);
            }
        }
    }
    logs.iter().map(|log| log.exp()).collect()
}
