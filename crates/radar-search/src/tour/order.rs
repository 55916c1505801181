//! One cyclic tour in an array, with everything that was done to it since the last decision.

use radar_bound::{Reduced, Weight};

use super::exchange::{Exchange, Layout};

/// One end of an arc of the tour and the reduced cost of the arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link<W> {
    pub node: u32,
    pub cost: W,
}

/// A tour: where each node stands, and the arcs around it. All changes are logged until [`Order::keep`]
/// or [`Order::undo`].
///
/// A change rewrites the smaller part of the array: positions are only meaningful up to rotation.
pub(crate) struct Order<'a, W> {
    reduced: &'a Reduced<W>,
    nodes: Vec<u32>,
    places: Vec<u32>,
    ahead: Vec<Link<W>>,
    behind: Vec<Link<W>>,
    /// Windows of the array that were rewritten, oldest first: first place and length.
    windows: Vec<(u32, u32)>,
    /// What stood in these windows.
    overwritten: Vec<u32>,
    /// Arcs that were removed, oldest first: tail, head, reduced cost.
    unlinked: Vec<(u32, Link<W>)>,
    /// Room to build the new contents of a window.
    draft: Vec<u32>,
}

impl<'a, W: Weight> Order<'a, W> {
    /// The tour that visits `nodes` in this order.
    pub fn new(reduced: &'a Reduced<W>, nodes: Vec<u32>) -> Self {
        let nowhere = Link { node: 0, cost: W::ZERO };
        let mut order = Self {
            reduced,
            places: vec![0; nodes.len()],
            ahead: vec![nowhere; nodes.len()],
            behind: vec![nowhere; nodes.len()],
            windows: Vec::new(),
            overwritten: Vec::new(),
            unlinked: Vec::new(),
            draft: Vec::new(),
            nodes,
        };
        order.link_all();
        order
    }

    /// Forgets the tour and its log for another one of the same nodes.
    pub fn replace(&mut self, nodes: &[u32]) {
        self.keep();
        self.nodes.copy_from_slice(nodes);
        self.link_all();
    }

    fn link_all(&mut self) {
        let Some(&last) = self.nodes.last() else { return };
        let mut tail = last;
        for place in 0..self.nodes.len() {
            let head = self.nodes[place];
            self.places[head as usize] = place as u32;
            self.link(tail, head);
            tail = head;
        }
    }

    /// The nodes in the order of the tour.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    pub fn reduced(&self) -> &'a Reduced<W> {
        self.reduced
    }

    /// The index of `node` in [`Order::nodes`].
    #[inline(always)]
    pub fn place(&self, node: u32) -> u32 {
        self.places[node as usize]
    }

    /// The node at a place that may be past the end by less than one round.
    #[inline(always)]
    pub fn at(&self, place: usize) -> u32 {
        let nodes = self.nodes.len();
        self.nodes[if place >= nodes { place - nodes } else { place }]
    }

    /// The arc out of `node`.
    #[inline(always)]
    pub fn ahead(&self, node: u32) -> Link<W> {
        self.ahead[node as usize]
    }

    /// The arc into `node`.
    #[inline(always)]
    pub fn behind(&self, node: u32) -> Link<W> {
        self.behind[node as usize]
    }

    /// How many arcs lead from the place of `from` to the place of `to`.
    #[inline(always)]
    pub fn steps(&self, from: u32, to: u32) -> usize {
        let (from, to) = (self.place(from) as usize, self.place(to) as usize);
        if to >= from { to - from } else { to + self.nodes.len() - from }
    }

    /// The reduced cost of the whole tour.
    pub fn cost(&self) -> i64 {
        self.ahead.iter().map(|link| link.cost.to_i64()).sum()
    }

    #[inline(always)]
    fn link(&mut self, tail: u32, head: u32) {
        // A tour of one node goes nowhere.
        let cost = if tail == head { W::ZERO } else { self.reduced.at(tail as usize, head as usize) };
        self.ahead[tail as usize] = Link { node: head, cost };
        self.behind[head as usize] = Link { node: tail, cost };
    }

    #[inline(always)]
    fn unlink(&mut self, tail: u32) {
        self.unlinked.push((tail, self.ahead[tail as usize]));
    }

    /// Carries out an exchange that yields one cycle. Everything but the longest stretch is rewritten.
    pub fn apply(&mut self, exchange: &Exchange) {
        let layout = Layout::of(self, exchange);
        debug_assert_eq!(layout.cycles(exchange), 1);
        let longest = layout.longest();
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        let mut stretch = layout.after(exchange, longest);
        while stretch != longest {
            let (start, length) = layout.stretch(stretch);
            let (one, other) = self.window(start, length);
            draft.extend_from_slice(&self.nodes[one]);
            draft.extend_from_slice(&self.nodes[other]);
            stretch = layout.after(exchange, stretch);
        }
        self.log(layout.end(longest), draft.len());
        self.write(layout.end(longest), &draft);
        self.draft = draft;

        let tails = exchange.tails();
        let mut heads = [0; Exchange::MOST];
        for (head, &tail) in heads.iter_mut().zip(tails) {
            *head = self.ahead(tail).node;
            self.unlink(tail);
        }
        for (at, &tail) in tails.iter().enumerate() {
            self.link(tail, heads[exchange.to(at)]);
        }
    }

    /// Turns round the `length` nodes that begin at `place`.
    pub fn reverse(&mut self, place: usize, length: usize) {
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        let (one, other) = self.window(place, length);
        draft.extend(self.nodes[other].iter().rev());
        draft.extend(self.nodes[one].iter().rev());
        let (Some(&last), Some(&first)) = (draft.first(), draft.last()) else { return };
        let (before, after) = (self.behind(first).node, self.ahead(last).node);
        self.log(place, length);
        self.write(place, &draft);
        let mut tail = before;
        self.unlink(before);
        for &node in draft.iter() {
            self.unlink(node);
        }
        for &node in draft.iter() {
            self.link(tail, node);
            tail = node;
        }
        self.link(tail, after);
        self.draft = draft;
    }

    /// The places of a window: up to the end of the array, and from its beginning.
    #[inline]
    fn window(&self, start: usize, length: usize) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let nodes = self.nodes.len();
        let end = start + length;
        if end <= nodes { (start..end, 0..0) } else { (start..nodes, 0..end - nodes) }
    }

    fn log(&mut self, start: usize, length: usize) {
        let (one, other) = self.window(start, length);
        self.windows.push((start as u32, length as u32));
        self.overwritten.extend_from_slice(&self.nodes[one]);
        self.overwritten.extend_from_slice(&self.nodes[other]);
    }

    fn write(&mut self, start: usize, contents: &[u32]) {
        let (one, other) = self.window(start, contents.len());
        let (until_end, from_start) = contents.split_at(one.len());
        for (range, part) in [(one, until_end), (other, from_start)] {
            let first = range.start;
            self.nodes[range].copy_from_slice(part);
            for (at, &node) in part.iter().enumerate() {
                self.places[node as usize] = (first + at) as u32;
            }
        }
    }

    /// Makes all changes final.
    pub fn keep(&mut self) {
        self.windows.clear();
        self.overwritten.clear();
        self.unlinked.clear();
    }

    /// Takes back all changes since the last decision.
    pub fn undo(&mut self) {
        let mut overwritten = std::mem::take(&mut self.overwritten);
        while let Some((start, length)) = self.windows.pop() {
            let from = overwritten.len() - length as usize;
            self.write(start as usize, &overwritten[from..]);
            overwritten.truncate(from);
        }
        self.overwritten = overwritten;
        while let Some((tail, Link { node: head, cost })) = self.unlinked.pop() {
            self.ahead[tail as usize] = Link { node: head, cost };
            self.behind[head as usize] = Link { node: tail, cost };
        }
    }
}
