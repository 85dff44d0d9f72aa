//! Programs like those that SLAM's abstraction makes from device drivers: many global predicates,
//! each procedure touching a few, a layered call graph, shallow loops, and a typestate protocol.
//!
//! The verdict is certain by construction.
//!
//! *Safe.*  Each lock and each request (IRP) is an automaton that only its hooks change.  A
//! procedure may be called only while no resource that it uses, directly or through its callees, is
//! in use (`body` keeps track), and it leaves all resources as it found them: every critical
//! section releases under the condition under which it acquired, and nothing in between writes a
//! variable of that condition.  At most one predicate of an exclusive group is ever true, since
//! every assignment to the group preserves that.
//!
//! *Unsafe.*  One section of lock 0, in the last procedure of a chain of calls from `main` (the
//! *spine*), does not release the lock on one of its two branches.  Control can pass every
//! statement from every reachable state (loops can be left, constraints and enforced conditions can
//! be met, early exits on the spine depend on `*` alone), and the calls of the spine are outside
//! all branches.  So that section is reached, the bad branch can be taken, and the run can go on
//! until the next acquisition of the lock or the final check in `main` finds it held.

mod body;
mod call;
mod expression;
mod hooks;
mod model;
mod options;
mod plan;
mod section;
mod update;
mod write;

pub use options::{DriverOptions, MINIMUM_VARIABLES};
pub use write::driver;
