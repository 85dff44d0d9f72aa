//! The families, and which member to generate.

use std::fmt;

/// The families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    Counter,
    ShiftRegister,
    LockDiscipline,
    RecursiveDescent,
    WideSummary,
    Terminator,
    SlamRegression,
    Saturating,
    Twins,
    Complement,
    Stride,
    Parity,
    Multiply,
    Ring,
    Depth,
    Modules,
    Feedback,
    Queue,
}

/// The member of a family to generate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyOptions {
    pub family: Family,
    /// The size, whose meaning depends on the family.
    pub size: usize,
    /// The seed; the same seed (and options) gives the same program.
    pub seed: u64,
    /// Whether the error is reachable.
    pub bug: bool,
}

impl Family {
    pub const ALL: [Self; 18] = [
        Self::Counter,
        Self::ShiftRegister,
        Self::LockDiscipline,
        Self::RecursiveDescent,
        Self::WideSummary,
        Self::Terminator,
        Self::SlamRegression,
        Self::Saturating,
        Self::Twins,
        Self::Complement,
        Self::Stride,
        Self::Parity,
        Self::Multiply,
        Self::Ring,
        Self::Depth,
        Self::Modules,
        Self::Feedback,
        Self::Queue,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::ShiftRegister => "shift-register",
            Self::LockDiscipline => "lock-discipline",
            Self::RecursiveDescent => "recursive-descent",
            Self::WideSummary => "wide-summary",
            Self::Terminator => "terminator",
            Self::SlamRegression => "slam-regression",
            Self::Saturating => "saturating",
            Self::Twins => "twins",
            Self::Complement => "complement",
            Self::Stride => "stride",
            Self::Parity => "parity",
            Self::Multiply => "multiply",
            Self::Ring => "ring",
            Self::Depth => "depth",
            Self::Modules => "modules",
            Self::Feedback => "feedback",
            Self::Queue => "queue",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
