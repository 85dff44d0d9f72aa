//! Lowering: the resolved statements of one procedure to its control-flow graph.
//!
//! One pass over a flat list, with a stack of open blocks of its own, so that no nesting is too
//! deep.  Edges whose target is not known yet stand in `open` until the next location exists, so
//! joins and ends of blocks need no nodes of their own.

use super::program::{
    Assignment, Edge, EdgeId, EdgeRole, Expr, Node, NodeId, Op, Operation, VarId,
};
use super::span::Span;

/// What a resolved statement does.  Blocks are balanced, as in the syntax tree.
#[derive(Debug)]
pub(super) enum Step {
    /// A plain operation.
    Do(Operation),
    /// Fails where `fails` can be true, goes on where `holds` can be true.
    Check {
        fails: Expr,
        holds: Expr,
        role: EdgeRole,
    },
    Enforce(Expr),
    /// Indices of the statements that the jump can lead to.
    Goto(Vec<usize>),
    /// One value per return slot.
    Return(Vec<Expr>),
    Declare(Vec<VarId>),
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
    /// One of its labels is an error label.
    pub error: bool,
    pub span: Span,
    pub step: Step,
}

/// A control-flow graph; the fields are those of [`super::program::Procedure`].
#[derive(Debug)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub outgoing: Vec<Vec<EdgeId>>,
    pub entry: NodeId,
    pub exit: NodeId,
    pub error: NodeId,
}

/// Builds the graph of a procedure with the return slots `returns` whose text ends at `end`.
pub(super) fn lower(statements: Vec<Statement>, returns: &[VarId], end: Span) -> Graph {
    let mut builder = Builder::new(statements.len(), returns);
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

/// Target of an edge that is not known yet.
const UNKNOWN: NodeId = NodeId(u32::MAX);

/// A block that is not closed yet.
struct Block {
    kind: BlockKind,
    /// How many `enforce` were in force where it began.
    enforced: usize,
}

enum BlockKind {
    /// `otherwise`: the edge taken if no condition so far holds, until `else` uses it.
    /// `done`: ends of the branches so far.
    If { otherwise: Option<EdgeId>, done: Vec<EdgeId> },
    /// `head`: where the body goes back to.  `leave`: the edge out of the loop.
    While { head: NodeId, leave: EdgeId },
}

struct Builder<'a> {
    returns: &'a [VarId],
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// Edges that lead to the next location.
    open: Vec<EdgeId>,
    to_exit: Vec<EdgeId>,
    to_error: Vec<EdgeId>,
    /// Edges that lead to the statement with that index.
    jumps: Vec<(EdgeId, usize)>,
    /// First node of each labelled statement.
    places: Vec<Option<NodeId>>,
    blocks: Vec<Block>,
    /// The expressions in force, outermost first.
    enforced: Vec<(Expr, Span)>,
    /// Still before the first statement that is neither `decl` nor `enforce`.
    in_head: bool,
}

impl<'a> Builder<'a> {
    fn new(statements: usize, returns: &'a [VarId]) -> Self {
        Self {
            returns,
            nodes: Vec::new(),
            edges: Vec::new(),
            open: Vec::new(),
            to_exit: Vec::new(),
            to_error: Vec::new(),
            jumps: Vec::new(),
            places: vec![None; statements],
            blocks: Vec::new(),
            enforced: Vec::new(),
            in_head: true,
        }
    }

    fn node(&mut self, span: Span, labels: Vec<String>) -> NodeId {
        self.nodes.push(Node { span, labels });
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// A new edge without a target.
    fn edge(&mut self, source: NodeId, operation: Operation, role: EdgeRole, span: Span) -> EdgeId {
        self.edges.push(Edge { source, target: UNKNOWN, operation, role, span });
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// Lets all open edges lead to `node`.
    fn close(&mut self, node: NodeId) {
        for edge in self.open.drain(..) {
            self.edges[edge.index()].target = node;
        }
    }

    /// Can control get to the next location other than by a jump to its label?  (The first
    /// location is entered from outside.)
    fn live(&self) -> bool {
        !self.open.is_empty() || self.nodes.is_empty()
    }

    /// Checks the expressions in force, from the `from`-th on, at `node`; the node after them.
    fn enforce(&mut self, from: usize, mut node: NodeId, at: Span) -> NodeId {
        for i in from..self.enforced.len() {
            let (condition, span) = self.enforced[i].clone();
            let edge = self.edge(node, Operation::Assume(condition), EdgeRole::Enforce, span);
            node = self.node(at, Vec::new());
            self.edges[edge.index()].target = node;
        }
        node
    }

    /// A new location: its first node, and the node after all that is in force there.
    fn location(&mut self, span: Span, labels: Vec<String>) -> (NodeId, NodeId) {
        let first = self.node(span, labels);
        self.close(first);
        (first, self.enforce(0, first, span))
    }

    fn statement(&mut self, index: usize, statement: Statement) {
        let Statement { labels, error, span, step } = statement;
        let block_word =
            matches!(step, Step::ElseIf(_) | Step::Else | Step::EndIf | Step::EndWhile);
        if labels.is_empty() {
            match step {
                Step::Enforce(condition) => return self.enforced.push((condition, span)),
                Step::Declare(_) if self.in_head => return,
                _ => {}
            }
        }
        self.in_head = false;
        if block_word && labels.is_empty() {
            return self.block_word(step, span);
        }
        let (first, node) = self.location(span, labels);
        self.places[index] = Some(first);
        if error {
            let edge = self.edge(node, Operation::Skip, EdgeRole::ErrorLabel, span);
            self.to_error.push(edge);
        }
        if block_word {
            // A label in front of a closing word: the end of the block that is open.
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
                self.enforced.push((condition, span));
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
            Step::Declare(variables) => {
                let edge = self.edge(node, havoc(&variables), role, span);
                self.open.push(edge);
            }
            Step::If(_) | Step::ElseIf(_) | Step::Else | Step::EndIf => {}
            Step::While(_) | Step::EndWhile => {}
        }
    }

    /// The two edges of a condition: taken, not taken.
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

    /// `elsif`, `else`, `fi`, `od`: ends a block, and may begin one.
    fn block_word(&mut self, step: Step, span: Span) {
        let Some(Block { kind, enforced }) = self.blocks.pop() else { return };
        if self.enforced.len() > enforced {
            if self.live() {
                // The end of the block is in the scope of what it enforces.
                let first = self.node(span, Vec::new());
                self.close(first);
                let node = self.enforce(enforced, first, span);
                // The last check leads out of the block itself.
                self.nodes.pop();
                let last = self.edges.len() - 1;
                debug_assert_eq!(self.edges[last].target, node);
                self.edges[last].target = UNKNOWN;
                self.open.push(EdgeId(last as u32));
            }
            self.enforced.truncate(enforced);
        }
        match (kind, step) {
            (BlockKind::If { mut otherwise, mut done }, step) => {
                join(&mut done, &mut self.open);
                match step {
                    Step::ElseIf(condition) => {
                        // The same state as at the `if`: nothing needs to be enforced again.
                        let node = self.node(span, Vec::new());
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
            let (_, node) = self.location(end, Vec::new());
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
            // A target that is no labelled statement cannot be: names are resolved.
            self.edges[edge.index()].target = self.places[statement].unwrap_or(exit);
        }
        let mut entry = NodeId(0);
        if self.edges.iter().any(|e| e.target == entry) {
            let first = self.nodes[0].span;
            entry = self.node(Span { start: first.start, end: first.start }, Vec::new());
            let edge = self.edge(entry, Operation::Skip, EdgeRole::Glue, first);
            self.edges[edge.index()].target = NodeId(0);
        }
        prune(self.nodes, self.edges, entry, exit, error)
    }
}

/// Appends `b` to `a` and empties `b`; costs as much as the shorter one.
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

/// All of `variables` get fresh values.
pub(super) fn havoc(variables: &[VarId]) -> Operation {
    assign(variables, vec![Expr::nondet(); variables.len()])
}

/// Leaves out what no path from the entry leads to (but keeps the exit and the error node), and
/// numbers the entry first, exit and error last, all else in the order of the text.
fn prune(
    mut nodes: Vec<Node>,
    edges: Vec<Edge>,
    entry: NodeId,
    exit: NodeId,
    error: NodeId,
) -> Graph {
    let mut successors: Vec<Vec<NodeId>> = vec![Vec::new(); nodes.len()];
    for edge in &edges {
        successors[edge.source.index()].push(edge.target);
    }
    let mut reached = vec![false; nodes.len()];
    reached[entry.index()] = true;
    let mut work = vec![entry];
    while let Some(node) = work.pop() {
        for &next in &successors[node.index()] {
            if !std::mem::replace(&mut reached[next.index()], true) {
                work.push(next);
            }
        }
    }
    let inner = (0..nodes.len() as u32)
        .map(NodeId)
        .filter(|&n| reached[n.index()] && ![entry, exit, error].contains(&n));
    let order: Vec<NodeId> = std::iter::once(entry).chain(inner).chain([exit, error]).collect();
    let mut number = vec![UNKNOWN; nodes.len()];
    for (new, old) in order.iter().enumerate() {
        number[old.index()] = NodeId(new as u32);
    }
    let nodes: Vec<Node> = order.iter().map(|n| std::mem::take(&mut nodes[n.index()])).collect();
    let edges: Vec<Edge> = edges
        .into_iter()
        .filter(|e| reached[e.source.index()])
        .map(|mut e| {
            e.source = number[e.source.index()];
            e.target = number[e.target.index()];
            e
        })
        .collect();
    let mut outgoing = vec![Vec::new(); nodes.len()];
    for (i, edge) in edges.iter().enumerate() {
        outgoing[edge.source.index()].push(EdgeId(i as u32));
    }
    let at = |n: NodeId| number[n.index()];
    Graph { outgoing, entry: at(entry), exit: at(exit), error: at(error), nodes, edges }
}
