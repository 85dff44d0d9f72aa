//! What is noted of accesses and of waiting, until all threads are known.

use crate::flow::{Base, Expr, LocationId, Place};
use hardbop_base::source::Span;

/// An access to what several threads may access.
#[derive(Clone)]
pub(super) struct Access {
    pub place: Place,
    /// How many bytes from there on, if not those of its type.
    pub bytes: Option<Expr>,
    pub writes: bool,
}

impl Access {
    pub fn read(place: &Place) -> Self {
        Self { place: place.clone(), bytes: None, writes: false }
    }

    pub fn write(place: &Place) -> Self {
        Self { place: place.clone(), bytes: None, writes: true }
    }

    /// An access to as many bytes from an address on as a number says.
    pub fn bytes(pointer: Expr, bytes: Expr, writes: bool) -> Self {
        let (ty, span) = (pointer.ty, pointer.span);
        let place = Place { base: Base::Pointer(Box::new(pointer)), path: vec![], ty, span };
        Self { place, bytes: Some(bytes), writes }
    }
}

/// An access that a thread makes next where it is at a point: one that is not atomic.
pub(super) struct Pending {
    pub thread: usize,
    pub point: u64,
    pub access: Access,
}

/// Accesses between two locations, where others may be at points before theirs.
pub(super) struct Made {
    pub thread: usize,
    pub from: LocationId,
    pub to: LocationId,
    pub accesses: Vec<Access>,
}

/// The accesses of all threads, until all threads are known.
#[derive(Default)]
pub(super) struct Races {
    pub pending: Vec<Pending>,
    pub made: Vec<Made>,
}

/// Where a thread may wait.
pub(super) struct Wait {
    pub thread: usize,
    pub point: u64,
    pub until: Until,
    pub span: Span,
}

/// What a thread waits for.
pub(super) enum Until {
    /// A condition.
    Holds(Expr),
    /// The end of the thread of this number.
    Ends(Expr),
}

/// Where threads may wait, until all are known.
pub(super) struct Deadlocks {
    pub waits: Vec<Wait>,
    /// Where threads come that may wait now.
    pub arrival: LocationId,
}

impl Deadlocks {
    pub fn new(arrival: LocationId) -> Self {
        Self { waits: vec![], arrival }
    }
}
