//! Limits of the model of a C program: how finely memory is told apart, and how long the interpreter tries.
//!
//! None decides a verdict: what is told apart less becomes any value, and UNSAFE is an execution all the same.

use crate::base::limits::limits;

limits! {
    /// All of them, by what they are about.
    pub struct Limits {
        /// Objects in memory.
        memory: Memory;
        /// Accesses to memory.
        access: Access;
        /// Executions.
        execution: Execution;
    }
}

limits! {
    /// Objects in memory.
    pub struct Memory {
        /// Scalars of an array whose elements are kept apart; in a larger one, all stand for one.  Not measured
        /// elsewhere.
        unrolled: u64 = 256, 0..=1 << 20, "scalars";
        /// Scalars of an object; one that has more is not looked into.  Not measured elsewhere.
        scalars: u64 = 4_096, 0..=1 << 20, "scalars";
        /// Offsets into one object that a set of addresses keeps apart; with more it has all of the object.  Not
        /// measured elsewhere.
        offsets: usize = 64, 0..=1 << 20, "offsets";
    }
}

limits! {
    /// Accesses to memory, as terms.
    pub struct Access {
        /// Places that one access tells apart; with more it may go anywhere.  Not measured elsewhere.
        targets: usize = 256, 1..=1 << 20, "places";
        /// Variables that one write through an unknown pointer changes by their addresses; with more, each may get any
        /// value.  Not measured elsewhere.
        written: usize = 128, 0..=1 << 20, "variables";
        /// Variables that one read through an unknown pointer finds by their addresses; with more, it may find any
        /// value.  Not measured elsewhere.
        read: usize = 16, 0..=1 << 20, "variables";
    }
}

limits! {
    /// Executions.
    pub struct Execution {
        /// Executions of one trace, each with other pointers from outside taken for objects of their own.  Not measured
        /// elsewhere.
        replays: usize = 256, 0..=1 << 20, "executions";
    }
}
