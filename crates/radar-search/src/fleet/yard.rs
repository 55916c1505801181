//! What vehicles must respect, in the form that moves ask for it.

use std::borrow::Cow;

use radar_problem::{Instance, NEVER, Scaled, UNREACHABLE};

/// The constraints of an instance.
#[derive(Debug)]
pub(crate) struct Yard<'a> {
    instance: &'a Instance,
    nodes: usize,
    /// Travel times, row-major; the way back of open routes takes none, and an arc that cannot be driven
    /// none either: its cost says that it must not be used.
    duration: Cow<'a, [i64]>,
    /// Lengths, likewise.
    distance: Cow<'a, [i64]>,
    /// When every route must have ended.
    pub end: i64,
}

/// Which records a route needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    /// Nothing but deliveries.
    Load,
    /// No clock.
    Timeless,
    /// Everything.
    All,
}

impl<'a> Yard<'a> {
    pub fn of(instance: &'a Instance) -> Self {
        // 64 bits wherever a constraint asks for them: moves must not look at the form of every entry.
        let as_driven = |matrix: &'a Scaled, needed: bool| -> Cow<'a, [i64]> {
            let nodes = instance.nodes();
            if !needed {
                return Cow::Borrowed(&[]);
            }
            let mut values = matrix.values();
            if instance.is_open() || instance.has_missing_arcs() {
                for (at, value) in values.to_mut().iter_mut().enumerate() {
                    if *value == UNREACHABLE || (instance.is_open() && at % nodes == 0) {
                        *value = 0;
                    }
                }
            }
            values
        };
        let back = if instance.is_open() || instance.is_tour() { NEVER } else { instance.closes(0) };
        let end = back.min(instance.opens(0).saturating_add(instance.max_duration()));
        let mut yard = Self {
            instance,
            nodes: instance.nodes(),
            duration: Cow::Borrowed(&[]),
            distance: Cow::Borrowed(&[]),
            end,
        };
        yard.duration = as_driven(instance.duration(), yard.is_timed());
        yard.distance = as_driven(instance.distance(), instance.limit() < NEVER);
        yard
    }

    pub fn instance(&self) -> &'a Instance {
        self.instance
    }

    /// The records that the constraints ask for.
    pub fn needs(&self) -> Needs {
        let picks_up = self.instance.stops().any(|stop| self.instance.backhaul(stop) > 0);
        if self.is_timed() {
            Needs::All
        } else if picks_up || self.instance.limit() < NEVER {
            Needs::Timeless
        } else {
            Needs::Load
        }
    }

    fn is_timed(&self) -> bool {
        self.end < NEVER || self.instance.stops().any(|stop| self.instance.closes(stop) < NEVER)
    }

    /// Whether lengths matter.
    #[inline(always)]
    pub fn is_limited(&self) -> bool {
        !self.distance.is_empty()
    }

    #[inline(always)]
    pub fn travel(&self, from: usize, to: usize) -> i64 {
        self.duration[from * self.nodes + to]
    }

    #[inline(always)]
    pub fn length(&self, from: usize, to: usize) -> i64 {
        self.distance[from * self.nodes + to]
    }
}
