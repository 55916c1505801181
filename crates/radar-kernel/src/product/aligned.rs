//! Memory that begins at a cache line and is kept between uses.

/// One cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// A buffer of whole cache lines. Fresh lines are zero, used ones hold what was last written.
#[derive(Clone, Default)]
pub(super) struct Aligned {
    lines: Vec<Line>,
}

impl Aligned {
    pub(super) const fn empty() -> Self {
        Self { lines: Vec::new() }
    }

    /// Room for `count` floats; allocates only when it was never as large.
    pub(super) fn floats_mut(&mut self, count: usize) -> &mut [f32] {
        self.grow(count.div_ceil(16));
        // SAFETY: the lines hold that many initialised words, and any word is a float.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), count) }
    }

    pub(super) fn floats(&self) -> &[f32] {
        // SAFETY: as for `floats_mut`.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * 16) }
    }

    fn grow(&mut self, lines: usize) {
        if self.lines.len() < lines {
            self.lines.resize(lines, Line([0.0; 16]));
        }
    }
}
