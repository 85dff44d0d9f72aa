//! What an execution asks for its inputs, and the simplest answers.

use std::collections::VecDeque;

use crate::execute::execution::{Given, Request};
use crate::execute::ways::Ways;
use crate::trace::InputKind;

/// Decides what the program text leaves open.
pub trait Oracle {
    /// Answers a request; `None` ends the execution.
    fn input(&mut self, request: &Request<'_>) -> Option<Given>;

    /// The ways that are taken where inputs decide and none is given; `None` where that ends the execution.
    fn ways(&mut self) -> Option<&mut Ways> {
        None
    }
}

/// Answers everything with 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Zero;

impl Oracle for Zero {
    fn input(&mut self, _: &Request<'_>) -> Option<Given> {
        Some(Given::Bits(0))
    }
}

/// Takes results of `__VERIFIER_nondet_*` from a list, in order, and answers everything else with 0.
///
/// The execution ends where the list does.
#[derive(Debug, Clone)]
pub struct Script {
    values: VecDeque<u64>,
}

impl Script {
    /// Signed values are given in two's complement.
    pub fn new(values: impl IntoIterator<Item = u64>) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl Oracle for Script {
    fn input(&mut self, request: &Request<'_>) -> Option<Given> {
        match request.kind {
            InputKind::Nondet { .. } => self.values.pop_front().map(Given::Bits),
            _ => Some(Given::Bits(0)),
        }
    }
}
