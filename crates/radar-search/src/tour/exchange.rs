//! Exchanges of arcs that keep every stretch of the tour in its direction.

use radar_bound::Weight;

use super::order::Order;

/// Some arcs leave the tour, given by their tails; each tail then goes to the head of another of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exchange {
    tails: [u32; Self::MOST],
    to: [u8; Self::MOST],
    length: u8,
}

impl Exchange {
    /// The most arcs that can be exchanged at once.
    pub const MOST: usize = 8;

    /// No arc yet.
    pub fn new() -> Self {
        Self { tails: [0; Self::MOST], to: [0; Self::MOST], length: 0 }
    }

    /// Tail `i` goes to the head of tail `to[i]`.
    pub fn between(tails: &[u32], to: &[u8]) -> Self {
        let mut exchange = Self::new();
        exchange.tails[..tails.len()].copy_from_slice(tails);
        exchange.to[..to.len()].copy_from_slice(to);
        exchange.length = tails.len() as u8;
        exchange
    }

    /// Each tail goes to the head of the next one, the last to the head of the first.
    #[inline]
    pub fn sequential(tails: &[u32]) -> Self {
        let mut exchange = Self::new();
        exchange.tails[..tails.len()].copy_from_slice(tails);
        exchange.length = tails.len() as u8;
        for at in 0..tails.len() {
            exchange.to[at] = if at + 1 == tails.len() { 0 } else { at as u8 + 1 };
        }
        exchange
    }

    /// The same exchange, and two more tails that swap heads.
    pub fn with_swap(mut self, one: u32, other: u32) -> Self {
        let length = self.length as usize;
        self.tails[length] = one;
        self.tails[length + 1] = other;
        self.to[length] = length as u8 + 1;
        self.to[length + 1] = length as u8;
        self.length += 2;
        self
    }

    /// The tails of the arcs that leave.
    #[inline(always)]
    pub fn tails(&self) -> &[u32] {
        &self.tails[..self.length as usize]
    }

    /// Whose head tail number `at` goes to.
    #[inline(always)]
    pub fn to(&self, at: usize) -> usize {
        self.to[at] as usize
    }

    /// What the tour saves.
    pub fn gain<W: Weight>(&self, order: &Order<W>) -> i64 {
        let saved = |(at, &tail): (usize, &u32)| {
            let head = order.ahead(self.tails[self.to(at)]).node;
            let new = order.reduced().at(tail as usize, head as usize);
            order.ahead(tail).cost.to_i64() - new.to_i64()
        };
        self.tails().iter().enumerate().map(saved).sum()
    }
}

/// The stretches between the arcs of an exchange, numbered along the array: stretch `r` ends in the tail
/// of rank `r`; stretch 0 runs over the end of the array.
pub(crate) struct Layout {
    /// The number in the exchange of the tail of each rank.
    by_rank: [u8; Exchange::MOST],
    ranks: [u8; Exchange::MOST],
    /// The place of the tail of each rank.
    places: [u32; Exchange::MOST],
    length: usize,
    nodes: usize,
}

impl Layout {
    #[inline]
    pub fn of<W: Weight>(order: &Order<W>, exchange: &Exchange) -> Self {
        let mut layout = Self {
            by_rank: [0; Exchange::MOST],
            ranks: [0; Exchange::MOST],
            places: [0; Exchange::MOST],
            length: exchange.tails().len(),
            nodes: order.nodes().len(),
        };
        for (number, &tail) in exchange.tails().iter().enumerate() {
            let place = order.place(tail);
            let mut rank = number;
            while rank > 0 && layout.places[rank - 1] > place {
                layout.places[rank] = layout.places[rank - 1];
                layout.by_rank[rank] = layout.by_rank[rank - 1];
                rank -= 1;
            }
            layout.places[rank] = place;
            layout.by_rank[rank] = number as u8;
        }
        for rank in 0..layout.length {
            layout.ranks[layout.by_rank[rank] as usize] = rank as u8;
        }
        layout
    }

    /// The stretch that follows `stretch` once the arcs are exchanged.
    #[inline(always)]
    pub fn after(&self, exchange: &Exchange, stretch: usize) -> usize {
        let next = self.ranks[exchange.to(self.by_rank[stretch] as usize)] as usize + 1;
        if next == self.length { 0 } else { next }
    }

    /// How many cycles there will be.
    #[inline]
    pub fn cycles(&self, exchange: &Exchange) -> usize {
        let mut seen = 0_u32;
        let mut cycles = 0;
        for start in 0..self.length {
            if seen >> start & 1 == 0 {
                cycles += 1;
                seen |= self.cycle(exchange, start);
            }
        }
        cycles
    }

    /// The set of stretches on the cycle of `start`, one bit each.
    #[inline]
    pub fn cycle(&self, exchange: &Exchange, start: usize) -> u32 {
        let mut cycle = 0;
        let mut stretch = start;
        while cycle >> stretch & 1 == 0 {
            cycle |= 1 << stretch;
            stretch = self.after(exchange, stretch);
        }
        cycle
    }

    /// First place and length of every stretch on a cycle.
    pub fn on(&self, cycle: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.length).filter(move |stretch| cycle >> stretch & 1 == 1).map(|stretch| self.stretch(stretch))
    }

    /// The place after the last of a stretch.
    #[inline(always)]
    pub fn end(&self, stretch: usize) -> usize {
        let end = self.places[stretch] as usize + 1;
        if end == self.nodes { 0 } else { end }
    }

    /// The first place and the length of a stretch.
    #[inline(always)]
    pub fn stretch(&self, stretch: usize) -> (usize, usize) {
        let last = self.places[stretch] as usize;
        if stretch == 0 {
            let start = self.end(self.length - 1);
            return (start, last + self.nodes - self.places[self.length - 1] as usize);
        }
        let before = self.places[stretch - 1] as usize;
        (before + 1, last - before)
    }

    /// The stretch with most nodes.
    #[inline]
    pub fn longest(&self) -> usize {
        let mut longest = 0;
        for stretch in 1..self.length {
            if self.stretch(stretch).1 > self.stretch(longest).1 {
                longest = stretch;
            }
        }
        longest
    }
}
