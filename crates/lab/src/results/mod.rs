//! The results of a campaign: a table of programs by properties and options, and its other forms.

mod benchexec;
mod csv;
mod diff;
mod page;
mod plots;
mod rows;
#[cfg(test)]
mod sample;
mod table;

pub use benchexec::benchexec;
pub use csv::csv;
pub use diff::{Change, changes};
pub use page::page;
pub use rows::{Campaign, Finished, Row};
pub use table::{changes_text, counts_line, table};
