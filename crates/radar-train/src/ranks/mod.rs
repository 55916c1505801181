//! Several processes that train one network. All of them learn the same; rank 0 also leads: it alone looks at
//! the clock, writes files, validates, and decides when to end.
//!
//! Every exchange carries results: an error of any rank becomes everybody's error at the same exchange, so that
//! no rank waits for one that has given up.

mod message;

pub(crate) use message::{pack, read, unpack, write};

use std::ops::Range;

use crate::error::TrainError;

/// What joins the processes. Every rank must call the same methods in the same order.
pub trait Ranks {
    /// Which one this is, from 0.
    fn rank(&self) -> usize;

    /// How many there are.
    fn size(&self) -> usize;

    /// On rank 0 sends the bytes to all others; elsewhere replaces them by what rank 0 sent.
    fn broadcast(&self, bytes: &mut Vec<u8>);

    /// On rank 0 the bytes of every rank, in order; nothing elsewhere.
    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>>;
}

/// One process by itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Alone;

impl Ranks for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn broadcast(&self, _: &mut Vec<u8>) {}

    fn gather(&self, bytes: Vec<u8>) -> Vec<Vec<u8>> {
        vec![bytes]
    }
}

/// The share of this rank in so many things: a range that differs in length from other ranks' by one at most.
pub(crate) fn share(ranks: &dyn Ranks, count: usize) -> Range<usize> {
    let until = |rank: usize| (count as u128 * rank as u128 / ranks.size().max(1) as u128) as usize;
    until(ranks.rank())..until(ranks.rank() + 1)
}

/// On rank 0 says something to all others, or that it has failed; gives it back.
pub(crate) fn tell(ranks: &dyn Ranks, said: Result<Vec<u8>, TrainError>) -> Result<Vec<u8>, TrainError> {
    if ranks.size() == 1 {
        return said;
    }
    let mut bytes = message::seal(said);
    ranks.broadcast(&mut bytes);
    message::open(bytes)
}

/// What rank 0 says, on any other rank.
pub(crate) fn hear(ranks: &dyn Ranks) -> Result<Vec<u8>, TrainError> {
    let mut bytes = Vec::new();
    ranks.broadcast(&mut bytes);
    message::open(bytes)
}

/// What rank 0 makes of everybody's words, in order of ranks, on all ranks. The error of the first rank that has
/// one is the error of all.
pub(crate) fn confer(
    ranks: &dyn Ranks,
    own: Result<Vec<u8>, TrainError>,
    merge: impl FnOnce(Vec<Vec<u8>>) -> Result<Vec<u8>, TrainError>,
) -> Result<Vec<u8>, TrainError> {
    if ranks.size() == 1 {
        return merge(vec![own?]);
    }
    let all = ranks.gather(message::seal(own));
    if ranks.rank() > 0 {
        return hear(ranks);
    }
    let open = |(rank, bytes)| {
        message::open(bytes).map_err(|error| match rank {
            0 => error,
            _ => TrainError { cause: format!("rank {rank}: {}", error.cause), ..error },
        })
    };
    tell(ranks, all.into_iter().enumerate().map(open).collect::<Result<_, _>>().and_then(merge))
}

/// What this rank has made, once all ranks have made theirs.
pub(crate) fn agree<T>(ranks: &dyn Ranks, own: Result<T, TrainError>) -> Result<T, TrainError> {
    let (own, word) = match own {
        Ok(own) => (Ok(own), Ok(Vec::new())),
        Err(error) => (Err(error.clone()), Err(error)),
    };
    confer(ranks, word, |_| Ok(Vec::new()))?;
    own
}

/// Sends the other ranks home before anything has begun.
pub fn dismiss(ranks: &dyn Ranks, error: &TrainError) {
    // The error is the caller's own.
    let _ = tell(ranks, Err(error.clone()));
}
