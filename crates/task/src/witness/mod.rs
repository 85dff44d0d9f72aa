//! Verification witnesses of somebody else, in the exchange format, version 2.0 (Ayaziová, Beyer,
//! Lingsch-Rosenfeld, Spiessl, Strejček: Software Verification Witnesses 2.0, SPIN 2024), and of
//! version 1.0: what they say, and where in a program they say it.
//!
//! Source: <https://sosy-lab.gitlab.io/benchmarking/sv-witnesses/>.

mod content;
mod files;
mod graphml;
mod read;
mod states;
mod weave;
mod xml;

pub use content::{Content, Expression, Head, Invariant, Place, Segment, Task, Waypoint, Witness};
pub use files::like;
pub use graphml::is_xml;
