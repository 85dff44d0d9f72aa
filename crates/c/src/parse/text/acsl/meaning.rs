//! The annotations of which something is checked or assumed.

/// What an annotation says with its predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Meaning {
    /// It holds where it stands.
    Place = 1,
    /// It holds wherever the loop behind it decides whether to go on.
    Loop = 2,
    /// It holds where the function behind it begins.
    Requires = 3,
    /// It holds where that returns.
    Ensures = 4,
    /// The function changes only these places.
    Assigns = 5,
    /// It changes places that are not understood.
    Anything = 6,
}

impl Meaning {
    /// What is written around the call.
    pub fn around(self) -> (&'static str, &'static str) {
        match self {
            Self::Place | Self::Loop => ("", ""),
            _ => ("void __hardbop_contract(void) { ", " }"),
        }
    }

    /// The meaning of this number.
    pub fn of(number: i128) -> Option<Self> {
        use Meaning::{Anything, Assigns, Ensures, Loop, Place, Requires};
        let all = [Place, Loop, Requires, Ensures, Assigns, Anything];
        all.into_iter().find(|meaning| *meaning as i128 == number)
    }
}
