//! An allocator for programs that work on large tables: large pages where the system has them.
//!
//! The first touch of every page of fresh memory is a fault, and a table of a thousand nodes has a thousand pages
//! of the usual size: their faults take longer than a pass over the table. On pages of two megabytes there are
//! two. Smaller tables begin at a cache line: a vector that lies across two of them is loaded twice. A program
//! chooses it with `#[global_allocator]`; a library leaves that to its user.

#![allow(unsafe_code)] // An allocator cannot be without.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, except that blocks of some kilobytes begin at a cache line, and blocks of some megabytes
/// at a large page, and ask for such pages.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargePages;

/// A large page, and the least that is worth one.
const PAGE: usize = 2 << 20;
const LEAST: usize = 2 * PAGE;

/// A cache line, and the least that has more to gain by one than to lose by growing less simply.
const LINE: usize = 64;
const SOME: usize = 1 << 10;

/// What is asked of the system for `layout`; a function of it alone, because blocks are given back by it.
fn placed(layout: Layout) -> Layout {
    match layout.size() {
        LEAST.. => layout.align_to(PAGE).unwrap_or(layout),
        SOME.. => layout.align_to(LINE).unwrap_or(layout),
        _ => layout,
    }
}

/// Tells the system that large pages are welcome. It may not have any, and then nothing changes.
#[cfg(target_os = "linux")]
fn welcome(block: *mut u8, size: usize) {
    if size >= LEAST && !block.is_null() {
        // SAFETY: the range is the block that was just allocated, and the advice changes no content.
        unsafe { libc::madvise(block.cast(), size, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn welcome(_: *mut u8, _: usize) {}

// SAFETY: every block comes from the system's allocator with the layout that `placed` makes of the caller's, which
// is no smaller and no less aligned, and goes back to it with the same. Growing is a new
// block, a copy, and the old one back, but for small ones.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as promised by the caller of this function.
        let block = unsafe { System.alloc(placed(layout)) };
        welcome(block, layout.size());
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() < LEAST {
            // SAFETY: as promised by the caller of this function.
            return unsafe { System.alloc_zeroed(placed(layout)) };
        }
        // Zeroed here, the pages are large from their first touch on.
        // SAFETY: as promised by the caller of this function.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block is this large.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller of this function; `alloc` placed it by the same rule.
        unsafe { System.dealloc(block, placed(layout)) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.size() < SOME && size < SOME {
            // SAFETY: as promised by the caller of this function; neither block is placed.
            return unsafe { System.realloc(block, layout, size) };
        }
        // SAFETY: the caller promises that the alignment is valid and that the size does not overflow with it.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the size is not zero, as promised.
        let grown = unsafe { self.alloc(wanted) };
        if !grown.is_null() {
            // SAFETY: both blocks hold as much as the smaller, and they are not the same; the old one goes back.
            unsafe {
                std::ptr::copy_nonoverlapping(block, grown, layout.size().min(size));
                self.dealloc(block, layout);
            }
        }
        grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of sizes on both sides of the thresholds keep their content while they grow and shrink.
    #[test]
    fn content_stays_across_sizes() {
        for align in [1, 8, 64, 1 << 21, 1 << 22] {
            let sizes = [1, 1000, SOME, 5000, LEAST - 1, LEAST, LEAST + 1, 3 * LEAST, LEAST, 5000, 7];
            let layout = |size: usize| Layout::from_size_align(size, align).expect("valid");
            // SAFETY: every access is within the size last asked for, and blocks go back with their layouts.
            unsafe {
                let mut block = LargePages.alloc_zeroed(layout(sizes[0]));
                for pair in sizes.windows(2) {
                    assert!(!block.is_null() && block.addr() % align == 0);
                    assert!(pair[0] < SOME || block.addr() % LINE == 0);
                    *block.add(pair[0] - 1) = 3;
                    *block = 7;
                    block = LargePages.realloc(block, layout(pair[0]), pair[1]);
                    assert_eq!(*block, 7);
                    assert!(pair[1] < pair[0] || pair[0] == 1 || *block.add(pair[0] - 1) == 3);
                }
                LargePages.dealloc(block, layout(sizes[sizes.len() - 1]));
                for size in [SOME - 1, SOME, LEAST - 1, LEAST] {
                    let zeroed = LargePages.alloc_zeroed(layout(size));
                    assert!((0..size).step_by(64).all(|at| *zeroed.add(at) == 0));
                    zeroed.write_bytes(1, size);
                    LargePages.dealloc(zeroed, layout(size));
                }
            }
        }
    }
}
