//! The interface of a family.

use std::ops::RangeInclusive;

use super::options::FamilyOptions;
use hardbop_base::random::Random;

/// The sizes of a family, and its writer.  The writer's text need not be canonical.
pub(super) struct Writer {
    pub sizes: RangeInclusive<usize>,
    pub write: fn(&FamilyOptions, &mut Random) -> String,
}
