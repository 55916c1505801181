//! Arcs as seen from one of their ends, and which places some stops have among themselves.

/// Those of a stop are side by side. S places, the depot first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Legs<Leg> {
    list: Vec<Leg>,
    /// Where those of a stop end (S).
    until: Vec<usize>,
}

impl<Leg: Copy> Legs<Leg> {
    /// From arcs by their near end, which may come in any order: those of a stop stay in theirs.
    pub fn new(count: usize, arcs: impl Iterator<Item = (usize, Leg)>) -> Self {
        let mut arcs: Vec<(usize, Leg)> = arcs.collect();
        arcs.sort_by_key(|arc| arc.0);
        let until = (0..count).map(|near| arcs.partition_point(|arc| arc.0 <= near)).collect();
        Self { list: arcs.into_iter().map(|arc| arc.1).collect(), until }
    }

    /// Those between stops that are kept: `far` finds no leg of a stop, by its place now, where the other end is not.
    pub fn among(&self, kept: &Kept, far: impl Fn(usize, &Leg) -> Option<Leg>) -> Self {
        let (mut list, mut until) =
            (Vec::with_capacity(self.list.len()), Vec::with_capacity(self.until.len()));
        for (now, near) in kept.places().enumerate() {
            list.extend(self.of(near).iter().filter_map(|leg| far(now, leg)));
            until.push(list.len());
        }
        Self { list, until }
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.list[..]) + size_of_val(&self.until[..])
    }

    /// Those of a stop.
    pub fn of(&self, stop: usize) -> &[Leg] {
        let from = if stop == 0 { 0 } else { self.until[stop - 1] };
        &self.list[from..self.until[stop]]
    }
}

/// Some of the stops, and the places that they have now.
pub(super) struct Kept {
    /// The stops, by number.
    pub stops: Vec<usize>,
    /// By the places that all of them had, the depot first: those of stops that are left out are 0 (S).
    now: Vec<usize>,
}

impl Kept {
    /// Those of `stops` that are left (nodes).
    pub fn new(stops: &[usize], is_left: &[bool]) -> Self {
        let (mut kept, mut now) = (Vec::new(), vec![0]);
        for &stop in stops {
            if is_left[stop] {
                kept.push(stop);
            }
            now.push(if is_left[stop] { kept.len() } else { 0 });
        }
        Self { stops: kept, now }
    }

    /// The places that the depot and the stops had.
    pub fn places(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.now.len()).filter(|&place| place == 0 || self.now[place] > 0)
    }

    /// The place of a stop now, if it is kept.
    pub fn now(&self, place: usize) -> Option<usize> {
        Some(self.now[place]).filter(|&place| place > 0)
    }
}
