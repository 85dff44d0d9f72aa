//! Lowering: from the resolved statements of one procedure to its control-flow graph.
//!
//! One pass over a flat list, with an explicit stack of open blocks, so nesting depth is unlimited.
//! Edges with targets not yet known are kept in `open` until the next location exists, so joins and
//! ends of blocks need no nodes of their own.

mod graph;
pub(crate) mod prune;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::language::concurrent::ThreadStep;
use crate::language::program::{
    Assignment, Edge, EdgeId, EdgeRole, Expr, Node, NodeId, Op, Operation, VarId,
};
use hardbop_base::source::Span;

pub(crate) use graph::Graph;

/// The action of a resolved statement.  Blocks are balanced, as in the syntax tree.
#[derive(Debug)]
pub(super) enum Step {
    /// A plain operation.
    Do(Operation),
    /// Fails if `fails` can be true, goes on if `holds` can be true.
    Check {
        fails: Expr,
        holds: Expr,
        role: EdgeRole,
    },
    Enforce(Expr),
    /// Indices of the statements that the jump can lead to.
    Goto(Vec<usize>),
    /// Returns one value per return slot.
    Return(Vec<Expr>),
    Declare(Vec<VarId>),
    /// An operation, and what it does to threads.
    Threads(Operation, ThreadStep),
    /// Starts a thread at the statement with this index.
    StartAt(usize),
    EndThread,
    If(Expr),
    ElseIf(Expr),
    Else,
    EndIf,
    While(Expr),
    EndWhile,
}

/// A resolved statement.
#[derive(Debug)]
pub(super) struct Statement {
    pub labels: Vec<String>,
    /// Whether one of its labels is an error label.
    pub error: bool,
    pub span: Span,
    pub step: Step,
}

/// Builds the graph of a procedure with the return slots `returns` whose text ends at `end`.  Where
/// other threads may change variables (`shared`), what is in force is checked at each location.
pub(super) fn lower(
    statements: Vec<Statement>,
    returns: &[VarId],
    end: Span,
    shared: bool,
) -> Graph {
    let mut builder = Builder::new(&statements, returns, shared);
    for (index, statement) in statements.into_iter().enumerate() {
        builder.statement(index, statement);
    }
    builder.finish(end)
}

/// `!e`.
pub(super) fn negated(e: &Expr) -> Expr {
    let mut ops = e.ops.to_vec();
    ops.push(Op::Not);
    Expr { ops: ops.into() }
}

/// Placeholder for a target not yet known.
const UNKNOWN: NodeId = NodeId(u32::MAX);

/// Expressions in force that are checked one by one; more of them are checked together.
const SEPARATE: usize = 8;

/// An open block.
struct Block {
    kind: BlockKind,
    /// The number of `enforce` conditions in force where it began.
    enforced: usize,
}

enum BlockKind {
    /// `otherwise`: the edge taken if no condition so far holds, until `else` uses it.
    /// `done`: ends of the branches so far.
    If { otherwise: Option<EdgeId>, done: Vec<EdgeId> },
    /// `head`: the node to which the body returns.  `leave`: the edge out of the loop.
    While { head: NodeId, leave: EdgeId },
}

struct Builder<'a> {
    returns: &'a [VarId],
    shared: bool,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Edges that lead to the next location.
    open: Vec<EdgeId>,
    to_exit: Vec<EdgeId>,
    to_error: Vec<EdgeId>,
    /// Edges that lead to the statement with the given index.
    jumps: Vec<(EdgeId, usize)>,
    /// First node of each labelled statement.
    places: Vec<Option<NodeId>>,
    blocks: Vec<Block>,
    /// The expressions in force, outermost first.
    enforced: Vec<(Expr, Span)>,
    /// The number of expressions known to hold where each edge starts.
    known: Vec<usize>,
    /// How many of them hold at the current node.
    holding: usize,
    /// Cache of the conjunction of all of them.
    conjunction: Option<Expr>,
    /// Statements that some `goto` leads to.
    targets: FixedBitSet,
    /// Whether no statement except `decl` and `enforce` has been seen yet.
    in_head: bool,
}

impl<'a> Builder<'a> {
    fn new(statements: &[Statement], returns: &'a [VarId], shared: bool) -> Self {
        let mut targets = FixedBitSet::with_capacity(statements.len());
        for statement in statements {
            match &statement.step {
                Step::Goto(to) => targets.extend(to.iter().copied()),
                Step::StartAt(to) => targets.insert(*to),
                _ => {}
            }
        }
        Self {
            returns,
            shared,
            nodes: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            to_exit: Vec::new(),
            to_error: Vec::new(),
            jumps: Vec::new(),
            places: vec![None; statements.len()],
            blocks: Vec::new(),
            enforced: Vec::new(),
            known: Vec::new(),
            holding: 0,
            conjunction: None,
            targets,
            in_head: true,
        }
    }

    fn node(&mut self, span: Span, labels: Vec<String>) -> NodeId {
        self.nodes.push(Node { span, labels });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// A new edge without a target.
    fn edge(&mut self, source: NodeId, operation: Operation, role: EdgeRole, span: Span) -> EdgeId {
        self.edges.push(Edge { source, target: UNKNOWN, operation, role, span, thread: None });
        self.known.push(self.holding);
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// Directs all open edges to `node`.
    fn close(&mut self, node: NodeId) {
        for edge in self.open.drain(..) {
            self.edges[edge.index()].target = node;
        }
    }

    /// Whether control can get to the next location other than by a jump to its label.  (The first
    /// location is entered from outside.)
    fn live(&self) -> bool {
        !self.open.is_empty() || self.nodes.is_empty()
    }

    /// Checks some of the expressions in force at `node`; returns the node after the checks.
    fn enforce(
        &mut self,
        which: impl IntoIterator<Item = usize>,
        mut node: NodeId,
        at: Span,
    ) -> NodeId {
        let due: Vec<usize> = which.into_iter().collect();
        let conditions = if due.len() <= SEPARATE {
            due.iter().map(|&i| self.enforced[i].clone()).collect()
        } else {
            // This avoids many edges at every location, and all of them share one expression.
            vec![(self.conjunction(), self.enforced[due[0]].1)]
        };
        for (condition, span) in conditions {
            let edge = self.edge(node, Operation::Assume(condition), EdgeRole::Enforce, span);
            node = self.node(at, Vec::new());
            self.edges[edge.index()].target = node;
        }
        node
    }

    /// The conjunction of all expressions in force; there must be one.
    fn conjunction(&mut self) -> Expr {
        let enforced = &self.enforced;
        let all = self.conjunction.get_or_insert_with(|| {
            let mut ops = Vec::new();
            for (i, (condition, _)) in enforced.iter().enumerate() {
                ops.extend_from_slice(&condition.ops);
                if i > 0 {
                    ops.push(Op::And);
                }
            }
            Expr { ops: ops.into() }
        });
        all.clone()
    }

    /// Puts another expression in force.
    fn push_enforced(&mut self, condition: Expr, span: Span) {
        self.enforced.push((condition, span));
        self.conjunction = None;
    }

    /// A new location: its first node, and the node after the checks of all that is in force there.
    /// What is known to hold is not checked again, unless control may also jump here (`returns`).
    fn location(&mut self, span: Span, labels: Vec<String>, returns: bool) -> (NodeId, NodeId) {
        let all = returns || self.shared || self.nodes.is_empty();
        let due: Vec<usize> = (0..self.enforced.len()).collect();
        let due = if all { due } else { self.due(due) };
        let first = self.node(span, labels);
        self.close(first);
        let node = self.enforce(due, first, span);
        self.holding = self.enforced.len();
        (first, node)
    }

    /// The expressions in force that may be false after the open edges: because one was not known
    /// to hold where an edge starts, or because the edge may change it.
    fn due(&self, mut which: Vec<usize>) -> Vec<usize> {
        let mut known = self.enforced.len();
        let mut written: FxHashSet<VarId> = FxHashSet::default();
        for edge in &self.open {
            known = known.min(self.known[edge.index()]);
            match &self.edges[edge.index()].operation {
                Operation::Skip | Operation::Assume(_) => {}
                Operation::Assign(a) => written.extend(&a.targets),
                // The callee may write any global.
                Operation::Call(_) => return which,
            }
        }
        which.retain(|&i| {
            let condition = &self.enforced[i].0;
            i >= known || condition.choices() > 0 || condition.reads().any(|v| written.contains(&v))
        });
        which
    }

    fn statement(&mut self, index: usize, statement: Statement) {
        let Statement { labels, error, span, step } = statement;
        let block_word =
            matches!(step, Step::ElseIf(_) | Step::Else | Step::EndIf | Step::EndWhile);
        if labels.is_empty() {
            match step {
                Step::Enforce(condition) => return self.push_enforced(condition, span),
                Step::Declare(_) if self.in_head => return,
                _ => {}
            }
        }
        self.in_head = false;
        if block_word && labels.is_empty() {
            return self.block_word(step, span);
        }
        let loops = matches!(step, Step::While(_)) || self.targets.contains(index);
        let (first, node) = self.location(span, labels, loops);
        self.places[index] = Some(first);
        if error {
            let edge = self.edge(node, Operation::Skip, EdgeRole::ErrorLabel, span);
            self.to_error.push(edge);
        }
        if block_word {
            // A label in front of a closing word marks the end of the open block.
            let edge = self.edge(node, Operation::Skip, EdgeRole::Glue, span);
            self.open.push(edge);
            return self.block_word(step, span);
        }
        match step {
            Step::If(condition) => {
                let (yes, no) = self.branch(node, condition, span);
                self.open.push(yes);
                let kind = BlockKind::If { otherwise: Some(no), done: Vec::new() };
                self.blocks.push(Block { kind, enforced: self.enforced.len() });
            }
            Step::While(condition) => {
                let (yes, no) = self.branch(node, condition, span);
                self.open.push(yes);
                let kind = BlockKind::While { head: first, leave: no };
                self.blocks.push(Block { kind, enforced: self.enforced.len() });
            }
            other => self.simple(node, other, span),
        }
    }

    /// A statement other than those of blocks, at `node`.
    fn simple(&mut self, node: NodeId, step: Step, span: Span) {
        let role = EdgeRole::Statement;
        match step {
            Step::Do(operation) => {
                let edge = self.edge(node, operation, role, span);
                self.open.push(edge);
            }
            Step::Check { fails, holds, role } => {
                let edge = self.edge(node, Operation::Assume(fails), role, span);
                self.to_error.push(edge);
                let edge = self.edge(node, Operation::Assume(holds), EdgeRole::AssertHolds, span);
                self.open.push(edge);
            }
            Step::Enforce(condition) => {
                let edge = self.edge(node, Operation::Skip, role, span);
                self.open.push(edge);
                self.push_enforced(condition, span);
            }
            Step::Goto(targets) => {
                for target in targets {
                    let edge = self.edge(node, Operation::Skip, role, span);
                    self.jumps.push((edge, target));
                }
            }
            Step::Return(values) => {
                let edge = self.edge(node, assign(self.returns, values), role, span);
                self.to_exit.push(edge);
            }
            Step::Declare(variables) => self.simple(node, Step::Do(havoc(&variables)), span),
            Step::Threads(operation, thread) => {
                let edge = self.thread_edge(node, operation, thread, span);
                self.open.push(edge);
            }
            Step::StartAt(target) => {
                let edge = self.thread_edge(node, Operation::Skip, ThreadStep::Start, span);
                self.open.push(edge);
                let edge = self.thread_edge(node, Operation::Skip, ThreadStep::Born, span);
                self.jumps.push((edge, target));
            }
            Step::EndThread => {
                let edge = self.thread_edge(node, havoc(self.returns), ThreadStep::End, span);
                self.to_exit.push(edge);
            }
            Step::If(_) | Step::ElseIf(_) | Step::Else | Step::EndIf => {}
            Step::While(_) | Step::EndWhile => {}
        }
    }

    /// A new edge without a target, which does something to threads.
    fn thread_edge(
        &mut self,
        source: NodeId,
        operation: Operation,
        thread: ThreadStep,
        span: Span,
    ) -> EdgeId {
        let edge = self.edge(source, operation, EdgeRole::Statement, span);
        self.edges[edge.index()].thread = Some(Box::new(thread));
        edge
    }

    /// The two edges of a condition, true and false.
    fn branch(&mut self, node: NodeId, condition: Expr, span: Span) -> (EdgeId, EdgeId) {
        let (yes, no) = if *condition.ops == [Op::Nondet] {
            (Expr::constant(true), Expr::constant(true))
        } else {
            let no = negated(&condition);
            (condition, no)
        };
        let yes = self.edge(node, Operation::Assume(yes), EdgeRole::Branch(true), span);
        let no = self.edge(node, Operation::Assume(no), EdgeRole::Branch(false), span);
        (yes, no)
    }

    /// `elsif`, `else`, `fi`, `od`: ends a block, and may begin another.
    fn block_word(&mut self, step: Step, span: Span) {
        let Some(Block { kind, enforced }) = self.blocks.pop() else { return };
        if self.enforced.len() > enforced {
            if self.live() {
                // What the block enforces still holds at its end.
                let first = self.node(span, Vec::new());
                self.close(first);
                self.holding = 0;
                let node = self.enforce(enforced..self.enforced.len(), first, span);
                // The last check leads out of the block itself.
                self.nodes.pop();
                let last = self.edges.len() - 1;
                debug_assert_eq!(self.edges[last].target, node);
                self.edges[last].target = UNKNOWN;
                self.open.push(EdgeId(last as u32));
            }
            self.enforced.truncate(enforced);
            self.conjunction = None;
            for edge in &self.open {
                let known = &mut self.known[edge.index()];
                *known = enforced.min(*known);
            }
        }
        match (kind, step) {
            (BlockKind::If { mut otherwise, mut done }, step) => {
                join(&mut done, &mut self.open);
                match step {
                    Step::ElseIf(condition) => {
                        // The state is that at the `if`: nothing needs to be enforced again.
                        let node = self.node(span, Vec::new());
                        self.holding = otherwise.map_or(0, |e| self.known[e.index()]);
                        self.open.extend(otherwise.take());
                        self.close(node);
                        let (yes, no) = self.branch(node, condition, span);
                        self.open.push(yes);
                        let kind = BlockKind::If { otherwise: Some(no), done };
                        self.blocks.push(Block { kind, enforced });
                    }
                    Step::Else => {
                        self.open.extend(otherwise.take());
                        let kind = BlockKind::If { otherwise: None, done };
                        self.blocks.push(Block { kind, enforced });
                    }
                    _ => {
                        self.open = done;
                        self.open.extend(otherwise);
                    }
                }
            }
            (BlockKind::While { head, leave }, _) => {
                self.close(head);
                self.open.push(leave);
            }
        }
    }

    fn finish(mut self, end: Span) -> Graph {
        if self.live() {
            let (_, node) = self.location(end, Vec::new(), false);
            let edge = self.edge(node, havoc(self.returns), EdgeRole::FallOff, end);
            self.to_exit.push(edge);
        }
        let exit = self.node(end, Vec::new());
        let error = self.node(Span::default(), Vec::new());
        for edge in &self.to_exit {
            self.edges[edge.index()].target = exit;
        }
        for edge in &self.to_error {
            self.edges[edge.index()].target = error;
        }
        for &(edge, statement) in &self.jumps {
            // Every target is a labelled statement, because names are resolved.
            self.edges[edge.index()].target = self.places[statement].unwrap_or(exit);
        }
        let mut entry = NodeId(0);
        if self.edges.iter().any(|e| e.target == entry) {
            let first = self.nodes[0].span;
            entry = self.node(Span { start: first.start, end: first.start }, Vec::new());
            let edge = self.edge(entry, Operation::Skip, EdgeRole::Glue, first);
            self.edges[edge.index()].target = NodeId(0);
        }
        prune::prune(self.nodes, self.edges, entry, exit, error)
    }
}

/// Moves `b` to `a`, in time proportional to the shorter one.
fn join(a: &mut Vec<EdgeId>, b: &mut Vec<EdgeId>) {
    if a.len() < b.len() {
        std::mem::swap(a, b);
    }
    a.append(b);
}

/// `targets := values`.
fn assign(targets: &[VarId], values: Vec<Expr>) -> Operation {
    if targets.is_empty() {
        return Operation::Skip;
    }
    Operation::Assign(Assignment { targets: targets.to_vec(), values, constrain: None })
}

/// Gives all `variables` fresh values.
pub(super) fn havoc(variables: &[VarId]) -> Operation {
    assign(variables, vec![Expr::nondet(); variables.len()])
}
