//! Observers of a run.

use super::statistics::Statistics;
use hardbop_logic::Aig;
use hardbop_qbf::ForallExists;

/// Watches a run.  Every method has an empty default.
pub trait Observer {
    /// Called at most a few thousand times per second; must be cheap.
    fn progress(&mut self, _statistics: &Statistics) {}
    /// Sees every ∀∃ query, before it is simplified.
    fn query(&mut self, _aig: &Aig, _query: &ForallExists) {}
}

/// Watches nothing.
#[derive(Debug, Default)]
pub struct Silent;
impl Observer for Silent {}
