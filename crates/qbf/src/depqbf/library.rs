//! DepQBF's C library behind a safe interface.
//!
//! The functions of `qdpll/qdpll.h` are declared by hand.  Since the library calls `abort` when it is used in the wrong
//! order, the methods here ensure that:
//!
//! - it is configured once, before anything is added; frames and a second call need an incremental solver;
//! - literals of clauses belong to declared variables, and none is 0;
//! - variables, clauses and frames are added and removed only in its reset state, which [`Library::solve`] and
//!   [`Library::reset`] restore ([`Library::solve`] leaves that state only after an answer, and then only values can be
//!   read: [`Answered`] borrows the library, and resets it when dropped);
//! - the table of variables does not grow once there have been frames: version 5.01 then counts the variables of frames
//!   wrongly, and aborts at a later one.  So an incremental solver is made for a fixed number of variables.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_uint};
use std::ptr::NonNull;

#[repr(C)]
struct Qdpll {
    _opaque: [u8; 0],
}

// SAFETY: the signatures are those of qdpll.h, version 5.01; its enums have the size of `int`
// wherever the library is built with the C ABI of the platform.
unsafe extern "C" {
    fn qdpll_create() -> *mut Qdpll;
    fn qdpll_delete(solver: *mut Qdpll);
    fn qdpll_configure(solver: *mut Qdpll, option: *mut c_char) -> *mut c_char;
    fn qdpll_adjust_vars(solver: *mut Qdpll, count: c_uint);
    fn qdpll_new_scope_at_nesting(solver: *mut Qdpll, kind: c_int, nesting: c_uint) -> c_uint;
    fn qdpll_add_var_to_scope(solver: *mut Qdpll, variable: c_uint, nesting: c_uint);
    fn qdpll_add(solver: *mut Qdpll, literal: c_int);
    fn qdpll_push(solver: *mut Qdpll) -> c_uint;
    fn qdpll_pop(solver: *mut Qdpll) -> c_uint;
    fn qdpll_sat(solver: *mut Qdpll) -> c_int;
    fn qdpll_get_value(solver: *mut Qdpll, variable: c_uint) -> c_int;
    fn qdpll_reset(solver: *mut Qdpll);
    fn qdpll_reset_stats(solver: *mut Qdpll);
}

const EXISTS: c_int = -1;
const FORALL: c_int = 1;
const SAT: c_int = 10;
const UNSAT: c_int = 20;

/// The blocks of the prefix ∀ ∃.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Outer = 1,
    Inner = 2,
}

/// A solver for a prefix of two blocks.
pub(super) struct Library {
    /// Owned: created in `new`, deleted in `drop`, handed to nobody.
    solver: NonNull<Qdpll>,
    /// The variables from 1 to this one are declared.
    variables: i32,
    frames: u32,
    /// The most variables of an incremental solver.
    capacity: Option<i32>,
    called: bool,
}

/// The outcome of a call.
pub(super) enum Called<'a> {
    True,
    False(Answered<'a>),
    /// The limit was reached; learned clauses are kept.
    Open,
}

/// An answer from which values can be read.
pub(super) struct Answered<'a>(&'a mut Library);

impl Library {
    /// A solver for one call, with the library's strongest techniques: elimination of blocked clauses, and dependency
    /// schemes.  `None` if the library fails.
    pub fn once() -> Option<Self> {
        Self::new(&[], None)
    }

    /// A solver for many calls and at most `capacity` variables; `None` if the library lacks a necessary option.
    pub fn incremental(capacity: i32) -> Option<Self> {
        // Incremental use requires the plain order of the prefix, and excludes elimination of blocked clauses.
        let options = [c"--dep-man=simple", c"--incremental-use", c"--no-qbce-dynamic"];
        Self::new(&options, Some(capacity))
    }

    fn new(options: &[&CStr], capacity: Option<i32>) -> Option<Self> {
        // SAFETY: the function has no preconditions.
        let solver = NonNull::new(unsafe { qdpll_create() })?;
        let mut library = Self { solver, variables: 0, frames: 0, capacity, called: false };
        for option in options {
            library.configure(option)?;
        }
        for (kind, block) in [(FORALL, Block::Outer), (EXISTS, Block::Inner)] {
            // SAFETY: the solver is live and nothing was added; blocks are opened in order, and 0
            // closes the one that is open.
            unsafe {
                qdpll_new_scope_at_nesting(solver.as_ptr(), kind, block as c_uint);
                qdpll_add(solver.as_ptr(), 0);
            }
        }
        if let Some(most) = capacity {
            // SAFETY: the solver is live, and there is no frame.
            unsafe { qdpll_adjust_vars(solver.as_ptr(), most.unsigned_abs()) };
        }
        Some(library)
    }

    fn configure(&mut self, option: &CStr) -> Option<()> {
        // SAFETY: the solver is live; the string is read, not kept and not written to.
        let complaint =
            unsafe { qdpll_configure(self.solver.as_ptr(), option.as_ptr().cast_mut()) };
        complaint.is_null().then_some(())
    }

    /// Declares the next variables; `block` gives the block of each.
    ///
    /// # Panics
    /// If an incremental solver has no room for them.
    pub fn declare(&mut self, count: i32, mut block: impl FnMut(i32) -> Block) {
        let last = self.variables + count;
        assert!(self.capacity.is_none_or(|most| last <= most), "room for the variables");
        // SAFETY: the solver is live and in its reset state; both blocks exist; the variables are
        // new, for they are numbered one after the other, and the table has room for them or there
        // was no frame.
        unsafe {
            qdpll_adjust_vars(self.solver.as_ptr(), last as c_uint);
            for v in self.variables + 1..=last {
                qdpll_add_var_to_scope(self.solver.as_ptr(), v as c_uint, block(v) as c_uint);
            }
        }
        self.variables = last;
    }

    /// Adds a clause to the innermost frame, or permanently if there is no frame.
    ///
    /// # Panics
    /// If a literal's variable is not declared.
    pub fn add(&mut self, clause: &[i32]) {
        let declared = 1..=self.variables.unsigned_abs();
        assert!(clause.iter().all(|l| declared.contains(&l.unsigned_abs())), "declared variables");
        // SAFETY: the solver is live and in its reset state, no block is open, the literals are
        // those of declared variables, and 0 ends the clause.
        unsafe {
            for &l in clause {
                qdpll_add(self.solver.as_ptr(), l);
            }
            qdpll_add(self.solver.as_ptr(), 0);
        }
    }

    /// Opens a frame of clauses.
    ///
    /// # Panics
    /// If the solver is not incremental.
    pub fn push(&mut self) {
        assert!(self.capacity.is_some(), "frames are for incremental solvers");
        // SAFETY: the solver is live, in its reset state, and configured for incremental use.
        unsafe { qdpll_push(self.solver.as_ptr()) };
        self.frames += 1;
    }

    /// Removes the innermost frame with its clauses, if there is one.
    pub fn pop(&mut self) {
        if self.frames > 0 {
            // SAFETY: as in `push`; there is a frame.
            unsafe { qdpll_pop(self.solver.as_ptr()) };
            self.frames -= 1;
        }
    }

    /// Decides the formula within so many decisions.
    ///
    /// # Panics
    /// At the second call, if the solver is not incremental.
    pub fn solve(&mut self, decisions: u32) -> Called<'_> {
        assert!(self.capacity.is_some() || !self.called, "one call");
        self.called = true;
        let limit = format!("--max-dec={decisions}\0");
        // The counter of decisions carries over between calls, so it is reset.
        // SAFETY: the solver is live.
        unsafe { qdpll_reset_stats(self.solver.as_ptr()) };
        let known =
            CStr::from_bytes_with_nul(limit.as_bytes()).ok().and_then(|l| self.configure(l));
        debug_assert!(known.is_some(), "DepQBF documents this limit");
        // SAFETY: the solver is live and in its reset state, and no clause or block is open.
        match unsafe { qdpll_sat(self.solver.as_ptr()) } {
            SAT => {
                self.reset();
                Called::True
            }
            UNSAT => Called::False(Answered(self)),
            _ => {
                self.reset();
                Called::Open
            }
        }
    }

    /// Returns to the state in which clauses may be added; learned clauses are kept.
    fn reset(&mut self) {
        // SAFETY: the solver is live, and no clause or block is open.
        unsafe { qdpll_reset(self.solver.as_ptr()) };
    }
}

impl Answered<'_> {
    /// The value of an outer variable for which the formula is false; `None` if it does not matter.
    pub fn value(&self, variable: i32) -> Option<bool> {
        if !(1..=self.0.variables).contains(&variable) {
            return None;
        }
        // SAFETY: the solver is live and has answered, and the variable is declared.
        match unsafe { qdpll_get_value(self.0.solver.as_ptr(), variable as c_uint) } {
            0 => None,
            value => Some(value > 0),
        }
    }
}

impl Drop for Answered<'_> {
    fn drop(&mut self) {
        self.0.reset();
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // SAFETY: the solver is live, and never used again.
        unsafe { qdpll_delete(self.solver.as_ptr()) };
    }
}
