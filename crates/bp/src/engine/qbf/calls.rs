//! Calls: entering a callee, and applying its summary and error edges.

use super::Search;
use crate::engine::prepare::Prepared;
use crate::engine::symbolic::edge::{self, EdgeArena, PathEdge, PathEdgeId};
use crate::engine::universal::Universal;
use crate::language::program::{NodeId, ProcId};
use hardbop_base::budget::Exhausted;
use hardbop_logic::Aig;

impl Search<'_> {
    /// A call (Fig. 1, lines 22 to 34): the callee is entered, known summaries are applied, and
    /// the path edge waits in W' for more.
    pub(super) fn call(
        &mut self,
        p: ProcId,
        n: NodeId,
        edge: PathEdgeId,
        site: usize,
    ) -> Result<(), Exhausted> {
        let callee = self.prepared.site(p, n, site).callee;
        if self.prepared.slice.procedure(callee).is_none() {
            return Ok(());
        }
        if self.prepared.is_transparent(callee) {
            let guard = self.edges.get(edge).state.guard;
            return match edge::skip(&mut self.aig, self.prepared, &self.edges, edge, site) {
                Some(next) => {
                    let known = next.state.guard == guard;
                    self.arrive(next, known)
                }
                None => Ok(()),
            };
        }
        if let Some(Universal { exit, error }) = self.universal[callee.index()] {
            if let Some(error) = error {
                self.apply(edge, site, error, edge::fail)?;
            }
            return match exit {
                Some(exit) => self.apply(edge, site, exit, edge::apply),
                None => Ok(()),
            };
        }
        self.procedures[p.index()].calling.push((edge, site));
        self.procedures[callee.index()].waiting.push((edge, site));
        self.enter(edge, site)?;
        for i in 0..self.procedures[callee.index()].errors.len() {
            let error = self.procedures[callee.index()].errors[i];
            self.apply(edge, site, error, edge::fail)?;
        }
        for i in 0..self.procedures[callee.index()].summaries.len() {
            let summary = self.procedures[callee.index()].summaries[i];
            self.apply(edge, site, summary, edge::apply)?;
        }
        Ok(())
    }

    /// Hands new summary edges to the calls that wait for them (Fig. 1, lines 39 to 42), and
    /// errors likewise.
    pub(super) fn deliver(&mut self, p: ProcId) -> Result<(), Exhausted> {
        let record = &mut self.procedures[p.index()];
        let errors = std::mem::take(&mut record.undelivered_errors);
        let summaries = std::mem::take(&mut record.undelivered);
        record.errors.extend(&errors);
        record.summaries.extend(&summaries);
        for i in 0..record.waiting.len() {
            let (edge, site) = self.procedures[p.index()].waiting[i];
            for &error in &errors {
                self.apply(edge, site, error, edge::fail)?;
            }
            for &summary in &summaries {
                self.apply(edge, site, summary, edge::apply)?;
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        edge: PathEdgeId,
        site: usize,
        callee: PathEdgeId,
        how: impl Fn(&mut Aig, &Prepared, &EdgeArena, PathEdgeId, usize, PathEdgeId) -> Option<PathEdge>,
    ) -> Result<(), Exhausted> {
        let guard = self.edges.get(edge).state.guard;
        if let Some(next) = how(&mut self.aig, self.prepared, &self.edges, edge, site, callee) {
            let known = next.state.guard == guard;
            self.arrive(next, known)?;
        }
        Ok(())
    }
}
