//! How weights follow gradients. Weights, gradients and memories are flat, in the order of the parameters,
//! in f32; an optimiser is one file behind one interface.

mod adam;
mod adamw;
mod average;
mod brisk;
mod clip;
mod muon;

pub use adam::Adam;
pub use adamw::AdamW;
pub use average::Average;
pub use brisk::Brisk;
pub use clip::{clip, norm};
pub use muon::Muon;

use radar_kernel::isa::Isa;
use radar_net::Parameter;

use crate::config::{self, OptimiserKind};

/// One step of training.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Which one, from 1.
    pub step: u64,
    /// The rate.
    pub rate: f64,
}

/// Changes weights by gradients.
pub trait Optimiser: Send {
    /// Takes one step.
    fn step(&mut self, weights: &mut [f32], gradient: &[f32], turn: Turn);

    /// Everything it remembers between steps, by name.
    fn memory(&self) -> Vec<(&'static str, &[f32])>;

    /// The same, to be filled with what was saved.
    fn memory_mut(&mut self) -> Vec<(&'static str, &mut [f32])>;
}

/// The optimiser of a configuration, without memories.
pub fn build(config: &config::Optimiser, parameters: &[Parameter], isa: Isa) -> Box<dyn Optimiser> {
    let count = parameters.iter().map(Parameter::count).sum();
    let optimiser: Box<dyn Optimiser> = match config.kind {
        OptimiserKind::Adam => Box::new(Adam::new(config, count)),
        OptimiserKind::AdamW => Box::new(AdamW::new(config, count)),
        OptimiserKind::Muon => Box::new(Muon::new(config, parameters, isa)),
    };
    if config.terms == 1.0 { optimiser } else { Box::new(Brisk::new(optimiser, parameters, config.terms)) }
}

/// Entries that one thread takes at a time.
const SHARE: usize = 1 << 16;

/// The running means of Adam's kind, and the step they suggest.
#[derive(Clone, Copy)]
struct Means {
    betas: [f32; 2],
    /// One over the root of what is left of the second mean's beginning.
    unbias: f32,
    eps: f32,
    /// The rate, the first mean's beginning made up for.
    rate: f32,
}

impl Means {
    fn at(config: &config::Optimiser, turn: Turn) -> Self {
        let left = config.betas.map(|beta| 1.0 - beta.powf(turn.step as f64));
        Self {
            betas: config.betas.map(|beta| beta as f32),
            unbias: (1.0 / left[1].sqrt()) as f32,
            eps: config.eps as f32,
            rate: (turn.rate / left[0]) as f32,
        }
    }

    /// Updates both means by a gradient; what is to be taken off the weight.
    #[inline]
    fn suggest(&self, first: &mut f32, second: &mut f32, gradient: f32) -> f32 {
        let [slow, slower] = self.betas;
        *first = slow * *first + (1.0 - slow) * gradient;
        *second = slower * *second + (1.0 - slower) * gradient * gradient;
        self.rate * *first / (second.sqrt() * self.unbias + self.eps)
    }
}
