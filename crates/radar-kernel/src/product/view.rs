//! A matrix somewhere in a slice.

/// A matrix read from a slice: entry (i, j) is `values[i * row_step + j * column_step]`.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    values: &'a [f32],
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) row_step: usize,
    pub(super) column_step: usize,
}

impl<'a> View<'a> {
    /// A row-major matrix at the start of `values`.
    pub fn new(values: &'a [f32], rows: usize, columns: usize) -> Self {
        Self::with_step(values, rows, columns, columns)
    }

    /// A matrix whose rows begin `row_step` apart, as a block of columns of a wider one has it.
    pub fn with_step(values: &'a [f32], rows: usize, columns: usize, row_step: usize) -> Self {
        let inside = rows == 0 || columns == 0 || end(rows, columns, row_step) <= values.len();
        assert!(inside, "a view beyond its slice");
        Self { values, rows, columns, row_step, column_step: 1 }
    }

    /// The transposed matrix, by other steps over the same slice.
    pub fn transposed(self) -> Self {
        Self {
            values: self.values,
            rows: self.columns,
            columns: self.rows,
            row_step: self.column_step,
            column_step: self.row_step,
        }
    }

    /// The rows `from..from + count` only.
    pub fn rows_from(self, from: usize, count: usize) -> Self {
        assert!(from + count <= self.rows, "rows beyond the view");
        let start = if count == 0 || self.columns == 0 { 0 } else { from * self.row_step };
        Self { values: &self.values[start..], rows: count, ..self }
    }

    /// How many rows.
    pub fn rows(self) -> usize {
        self.rows
    }

    /// How many columns.
    pub fn columns(self) -> usize {
        self.columns
    }

    /// One entry.
    #[inline(always)]
    pub fn at(self, row: usize, column: usize) -> f32 {
        self.values[row * self.row_step + column * self.column_step]
    }

    /// Whether rows, not columns, have neighbours side by side.
    pub(crate) fn is_transposed(self) -> bool {
        self.row_step < self.column_step
    }

    /// What the view reads, from entry (0, 0) on.
    #[inline(always)]
    pub(super) fn values(self) -> &'a [f32] {
        self.values
    }
}

/// One past the last entry of a matrix with rows and columns; the greatest number if none can count it.
pub(super) fn end(rows: usize, columns: usize, row_step: usize) -> usize {
    (rows - 1).saturating_mul(row_step).saturating_add(columns)
}
