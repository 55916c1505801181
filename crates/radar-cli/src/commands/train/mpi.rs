//! Ranks that are processes of MPI, on one machine or on several.

use std::time::Duration;

use mpi::point_to_point::MatchedReceiveVec;
use mpi::topology::{Process, SimpleCommunicator};
use mpi::traits::{Communicator, Destination, Source};
use mpi::{Threading, environment::Universe};
use radar_train::ranks::Ranks;

use crate::failure::Exit;

/// All processes that a launcher has started. They leave together: who is done waits for the others.
pub struct Mpi {
    world: SimpleCommunicator,
    _universe: Universe,
}

/// What launchers set: Open MPI's, any by PMIx (Slurm's, PRRTE), any by PMI (MPICH's, Intel's).
const LAUNCHED: [&str; 3] = ["OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"];

impl Mpi {
    /// Joins the others if a launcher has started this process. By itself it would be a world of one, for
    /// which a daemon is started.
    pub fn join() -> Option<Self> {
        LAUNCHED.iter().find_map(std::env::var_os)?;
        // Other threads compute, but only this one sends and receives.
        let (universe, _) = mpi::initialize_with_threading(Threading::Funneled)?;
        Some(Self { world: universe.world(), _universe: universe })
    }

    fn process(&self, rank: usize) -> Process<'_> {
        self.world.process_at_rank(rank as i32)
    }

    fn receive(&self, rank: usize) -> Vec<u8> {
        let process = self.process(rank);
        wait(|| process.immediate_matched_probe()).matched_receive_vec().0
    }

    fn send(&self, bytes: &[u8], ranks: impl Iterator<Item = usize>) {
        mpi::request::scope(|scope| {
            let requests: Vec<_> =
                ranks.map(|rank| self.process(rank).immediate_send(scope, bytes)).collect();
            for request in requests {
                let mut request = Some(request);
                wait(|| match request.take()?.test() {
                    Ok(status) => Some(status),
                    Err(unfinished) => {
                        request = Some(unfinished);
                        None
                    }
                });
            }
        });
    }
}

impl Ranks for Mpi {
    fn rank(&self) -> usize {
        self.world.rank() as usize
    }

    fn size(&self) -> usize {
        self.world.size() as usize
    }

    fn broadcast(&self, bytes: &mut Vec<u8>) {
        match self.rank() {
            0 => self.send(bytes, 1..self.size()),
            _ => *bytes = self.receive(0),
        }
    }

    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        if self.rank() > 0 {
            self.send(&bytes, std::iter::once(0));
            return Vec::new();
        }
        let others = (1..self.size()).map(|rank| self.receive(rank));
        std::iter::once(bytes).chain(others).collect()
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        // The others would wait for ever.
        if std::thread::panicking() {
            self.world.abort(Exit::Internal as i32);
        }
    }
}

/// Waits without burning time that somebody on this machine may need, as MPI's own waiting does: validation
/// by rank 0 can take minutes.
fn wait<T>(mut ready: impl FnMut() -> Option<T>) -> T {
    const SHORT: Duration = Duration::from_micros(20);
    const LONG: Duration = Duration::from_millis(1);
    let mut pause = SHORT;
    loop {
        if let Some(ready) = ready() {
            return ready;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONG);
    }
}
