//! A single automaton for the whole program, without calls.

use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::operation::Operation;
use super::program::{Location, Place};
use hardbop_smt::{Node, Symbol, Terms, Value};

/// An edge (l, op, l').
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub source: Location,
    pub target: Location,
    pub operation: Operation,
    pub place: Place,
    /// The activation that the edge belongs to, in [`Automaton::frames`].
    pub frame: u32,
}

/// An activation of a function: a node of the tree of calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Index into [`Program::functions`](super::Program::functions).
    pub function: usize,
    /// The caller's activation and the place of the call; `None` for the first activation.
    pub caller: Option<(u32, Place)>,
}

/// A location whose reachability the analysis has to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Goal {
    /// The error location l_E.
    Error,
    /// The program does something that is not modelled.
    Unsupported(String, Place),
    /// A call is too deep: the expansion does not follow more activations of this function.
    Depth(String, usize),
}

/// A program P = (A, l_0, l_E) as one automaton without calls.
#[derive(Debug, Clone, Default)]
pub struct Automaton {
    /// l_0; no edge leads there.
    pub entry: Location,
    /// Locations without outgoing edges (so Rule 0 holds from the start), with their meaning.
    pub goals: Vec<(Location, Goal)>,
    pub locations: u32,
    pub edges: Vec<Edge>,
    pub frames: Vec<Frame>,
    /// The original variable of each copy in a later activation.
    pub copies: FxHashMap<Symbol, Symbol>,
    /// Locations besides the goals at which blocks must end.
    pub cuts: Vec<(Location, Cut)>,
}

/// Why blocks end at a location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cut {
    /// The end of the function.
    Exit,
    /// The point before a call of the function, identified by the number of the call.
    Call(u32),
    /// The point after that call.
    Return(u32),
    /// A claim about this location.
    Claim,
}

impl Automaton {
    /// The program's variable that this one is, or is a copy of.
    #[inline]
    pub fn original(&self, symbol: Symbol) -> Symbol {
        self.copies.get(&symbol).copied().unwrap_or(symbol)
    }

    /// The number of activations of a function on the stack of `frame`, including itself.
    #[inline]
    pub fn activations(&self, frame: u32, function: usize) -> u32 {
        self.stack(frame).filter(|f| f.function == function).count() as u32
    }

    /// The places of the calls that led to an activation, outermost first.
    pub fn calls(&self, frame: u32) -> Vec<Place> {
        let mut places: Vec<Place> =
            self.stack(frame).filter_map(|f| f.caller.map(|(_, place)| place)).collect();
        places.reverse();
        places
    }

    /// An activation, its caller, and so on.
    #[inline]
    pub fn stack(&self, frame: u32) -> impl Iterator<Item = &Frame> + '_ {
        let first = &self.frames[frame as usize];
        std::iter::successors(Some(first), |f| Some(&self.frames[f.caller?.0 as usize]))
    }

    /// The variables that edges read or change, in the order in which they first do.
    pub fn variables(&self, terms: &Terms) -> IndexSet<Symbol> {
        let mut variables = IndexSet::new();
        let mut seen = FxHashSet::default();
        for edge in &self.edges {
            variables.extend(edge.operation.changes().map(|(symbol, _)| symbol));
            for term in edge.operation.terms().filter(|t| seen.insert(*t)) {
                let leaves = terms.support(term).into_iter();
                variables.extend(leaves.filter_map(|leaf| match *terms.node(leaf) {
                    Node::Variable(s) | Node::Instance(s, _) => Some(s),
                    _ => None,
                }));
            }
        }
        variables
    }

    /// The automaton in which these edges cannot be passed.  Everything keeps its number.
    #[must_use]
    pub fn without(&self, terms: &mut Terms, edges: impl IntoIterator<Item = u32>) -> Self {
        let mut rest = self.clone();
        for edge in edges {
            rest.edges[edge as usize].operation = Operation::Assume(terms.bool(false));
        }
        rest
    }

    /// The edges into goals, but for those that are [left out](Self::without).
    pub fn goal_edges(&self, terms: &Terms) -> impl Iterator<Item = u32> {
        let is_left = |operation: &Operation| match operation {
            Operation::Assume(condition) => terms.value(*condition) != Some(Value::Bool(false)),
            _ => true,
        };
        let edges = (0..).zip(&self.edges);
        let into =
            edges.filter(move |(_, e)| self.goal(e.target).is_some() && is_left(&e.operation));
        into.map(|(number, _)| number)
    }

    /// The numbers of the outgoing edges of each location, in order.
    pub fn outgoing(&self) -> Vec<Vec<u32>> {
        let mut out = vec![vec![]; self.locations as usize];
        for (i, edge) in self.edges.iter().enumerate() {
            out[edge.source.index()].push(i as u32);
        }
        out
    }

    /// Why blocks end at a location, if it is a cut.
    #[inline]
    pub fn cut(&self, location: Location) -> Option<Cut> {
        self.cuts.iter().find(|(l, _)| *l == location).map(|(_, c)| *c)
    }

    /// The meaning of a location, if it is a goal.
    #[inline]
    pub fn goal(&self, location: Location) -> Option<&Goal> {
        self.goals.iter().find(|(l, _)| *l == location).map(|(_, g)| g)
    }
}
