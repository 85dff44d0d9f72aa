//! Engines, and other programs, on the same files: what `hardbop compare` shows.
//!
//! [`Comparison`] is made from single measurements and knows everything that is shown: the median
//! of the runs of each contestant on each file, the scores, the disagreements, the growth of
//! families.  It is the document of `--json`; the other modules turn it into tables, plots and a
//! page.

mod comparison;
mod csv;
mod growth;
mod html;
mod measurement;
mod plot;
#[cfg(test)]
mod sample;
mod score;
mod table;

pub use comparison::{Comparison, Disagreement, SCHEMA};
pub use csv::csv;
pub use growth::{Crossing, Growth, Member, Point, member};
pub use html::html;
pub use measurement::{CompareOptions, Contestant, Measurement, Row, Run};
pub use plot::{PlotError, cactus, growth_plot, scatter};
pub use score::{Score, geometric_mean, median, par2};
pub use table::table;
