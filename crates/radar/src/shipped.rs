//! Networks that come with the program, chosen by the kind of problem.

use std::sync::{Arc, OnceLock};

use radar_net::Checkpoint;
use radar_net::decode::Isa;
use radar_problem::Kind;

use crate::neural::Model;

#[cfg(feature = "weights")]
const TOURS: Option<&[u8]> = Some(include_bytes!("../../../weights/atsp.safetensors"));
#[cfg(feature = "weights")]
const ROUTES: Option<&[u8]> = Some(include_bytes!("../../../weights/vrp.safetensors"));
#[cfg(not(feature = "weights"))]
const TOURS: Option<&[u8]> = None;
#[cfg(not(feature = "weights"))]
const ROUTES: Option<&[u8]> = None;

/// The network that this build brings for tours, or for routes; `None` if it brings none.
pub fn shipped(kind: Kind, isa: Isa) -> Option<Arc<Model>> {
    static PACKED: [OnceLock<Option<Arc<Model>>>; 2] = [OnceLock::new(), OnceLock::new()];
    let (bytes, packed) = match kind {
        Kind::Atsp => (TOURS, &PACKED[0]),
        Kind::Vrp => (ROUTES, &PACKED[1]),
    };
    // Weights that cannot be read are a defect of the build, which a test would have found.
    let pack = || Some(Arc::new(Model::new(Checkpoint::from_bytes(bytes?).ok()?, isa)));
    match isa == Isa::best() {
        true => packed.get_or_init(pack).clone(),
        false => pack(),
    }
}
