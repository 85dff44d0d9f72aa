//! Statistics of a run: one [`Table`] for every language, from which the text and the JSON are
//! made.

mod boolean;
pub mod progress;
#[cfg(feature = "c")]
mod size;
mod table;
#[cfg(feature = "c")]
mod verification;

pub use table::{Number, Row, Step, Table};
#[cfg(feature = "c")]
pub use verification::Verification;
