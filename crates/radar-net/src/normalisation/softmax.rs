//! Each row to positive numbers that sum to 1.

use radar_kernel::attention::Normalisation as Kernel;

use super::Part;
use crate::config::Config;
use crate::reference::logs;

pub(super) const PART: Part = Part { kernel: |_| Kernel::Softmax, words: |_| "softmax".to_owned(), naive };

// Naively: nothing below shares code with what is above.

fn naive(_: &Config, scores: &[f64], nodes: usize) -> Vec<f64> {
    let mut logs = scores.to_vec();
    logs::rows(&mut logs, nodes);
    logs.iter().map(|log| log.exp()).collect()
}
