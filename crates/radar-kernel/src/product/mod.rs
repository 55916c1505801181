//! Products of matrices: C = A B, with B packed beforehand in the order in which the kernels read it.
//!
//! A weight is packed once per step and multiplies many activations; packing costs about as much as
//! multiplying a few rows. A row of C is summed in an order that the depth alone decides, so the result
//! does not depend on how the rows are shared among threads. Nothing is allocated by a product, apart from
//! a scratch that each thread keeps for what must be rearranged or rounded of A.
#![allow(unsafe_code)] // Kernels read and write by address; the tile unit has no other interface.

mod aligned;
mod block;
#[cfg(any(test, feature = "emulated-tiles"))]
mod emulated;
mod panel;
mod stairs;
#[cfg(test)]
mod tests;
#[cfg_attr(not(all(target_arch = "x86_64", target_os = "linux")), allow(dead_code))]
mod tile;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod tile_unit;
mod view;

use std::cell::RefCell;

use aligned::Aligned;
pub use stairs::Stairs;
pub use view::View;

use crate::isa::Isa;

thread_local! {
    /// Parts of A, rearranged for the kernels.
    static SCRATCH: RefCell<Aligned> = const { RefCell::new(Aligned::empty()) };
}

/// The right factor of products, in the order in which an instruction set reads it.
#[derive(Clone)]
pub struct Packed {
    isa: Isa,
    depth: usize,
    columns: usize,
    values: Aligned,
}

/// What happens to A B before it is written, in this order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Finish<'a> {
    /// Add what the output held.
    pub add: bool,
    /// Add this number to each column.
    pub bias: Option<&'a [f32]>,
    /// Replace negative numbers by 0.
    pub relu: bool,
}

impl Packed {
    /// Packs `matrix` (depth x columns) for `isa`, or for the next poorer set that the machine has.
    pub fn new(isa: Isa, matrix: View) -> Self {
        let mut packed = Self::empty(isa);
        packed.refill(matrix);
        packed
    }

    /// A packed matrix without rows and columns, to be refilled.
    pub fn empty(isa: Isa) -> Self {
        Self { isa: isa.or_available(), depth: 0, columns: 0, values: Aligned::empty() }
    }

    /// Packs another matrix in the same memory, which grows only for a larger one.
    pub fn refill(&mut self, matrix: View) {
        (self.depth, self.columns) = (matrix.rows, matrix.columns);
        match self.isa {
            #[cfg(feature = "emulated-tiles")]
            Isa::Amx if Isa::best() != Isa::Amx => {
                let unit = std::marker::PhantomData::<emulated::Emulated>;
                self.isa.run(tile::Pack { unit, matrix, values: &mut self.values });
            }
            #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
            Isa::Amx => {
                let unit = std::marker::PhantomData::<tile_unit::Hardware>;
                self.isa.run(tile::Pack { unit, matrix, values: &mut self.values });
            }
            isa => isa.run(panel::Pack { matrix, factors: None, values: &mut self.values }),
        }
    }

    /// The same, each row multiplied by its factor.
    pub fn refill_scaled(&mut self, matrix: View, factors: &[f32]) {
        assert_eq!(matrix.rows, factors.len(), "one factor per row");
        if self.isa == Isa::Amx {
            let mut scaled = Vec::with_capacity(matrix.rows * matrix.columns);
            for (row, factor) in factors.iter().enumerate() {
                scaled.extend((0..matrix.columns).map(|column| factor * matrix.at(row, column)));
            }
            return self.refill(View::new(&scaled, matrix.rows, matrix.columns));
        }
        (self.depth, self.columns) = (matrix.rows, matrix.columns);
        self.isa.run(panel::Pack { matrix, factors: Some(factors), values: &mut self.values });
    }

    /// The set whose kernels multiply.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Rows of the matrix, which is the depth of the product.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Columns of the matrix and of the product.
    pub fn columns(&self) -> usize {
        self.columns
    }
}

/// Writes A B to `out`, whose rows begin `out_step` apart: A is rows x depth, B depth x columns.
///
/// A may be a transposed view: `multiply(View::new(x, m, k).transposed(), ..)` is the gradient of a weight.
pub fn multiply(a: View, b: &Packed, out: &mut [f32], out_step: usize, finish: Finish) {
    assert_eq!(a.columns, b.depth, "the factors differ in depth");
    assert!(finish.bias.is_none_or(|bias| bias.len() == b.columns), "one bias per column");
    if a.rows == 0 || b.columns == 0 {
        return;
    }
    assert!(a.rows == 1 || out_step >= b.columns, "rows of the output overlap");
    assert!(view::end(a.rows, b.columns, out_step) <= out.len(), "the output is too short");
    SCRATCH.with_borrow_mut(|scratch| match b.isa {
        #[cfg(feature = "emulated-tiles")]
        Isa::Amx if Isa::best() != Isa::Amx => {
            b.isa.run(tile::Product { unit: emulated::Emulated, a, b, out, out_step, finish, scratch });
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        Isa::Amx => {
            let unit = tile_unit::Hardware::configured();
            b.isa.run(tile::Product { unit, a, b, out, out_step, finish, scratch });
        }
        isa => isa.run(block::Product { a, b, out, out_step, finish, scratch }),
    });
}
