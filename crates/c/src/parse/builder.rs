//! The control-flow graph of a function under construction.
//!
//! Evaluation goes from left to right: if a later operand has effects, values read before are kept
//! in temporaries. This is only known afterwards, so the assignments to temporaries are inserted
//! *before* edges that exist already ([`Builder::insert_before`]), at a [`Mark`].

use crate::edit::Edges;
use crate::flow::{Base, Body, Edge, Expr, Instruction, LocationId};
use hardbop_base::source::Span;

/// A point in the construction of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Mark {
    location: LocationId,
    edges: usize,
}

impl Mark {
    /// Whether something was built between the other mark and this one.
    pub fn is_behind(self, other: Self) -> bool {
        self.edges > other.edges
    }
}

/// A body that is extended at `here`, a location without outgoing edges.
#[derive(Debug)]
pub(super) struct Builder {
    code: Edges,
    here: LocationId,
    entry: LocationId,
    exit: LocationId,
    loops: Vec<(LocationId, Span)>,
}

impl Builder {
    pub fn new() -> Self {
        let (entry, exit) = (LocationId(0), LocationId(1));
        let code = Edges { edges: vec![], locations: 2 };
        Self { code, here: entry, entry, exit, loops: Vec::new() }
    }

    pub fn fresh(&mut self) -> LocationId {
        self.code.fresh()
    }

    /// The edges so far.
    pub fn code(&mut self) -> &mut Edges {
        &mut self.code
    }

    pub fn here(&self) -> LocationId {
        self.here
    }

    /// Whether something leads to `here` so far.
    pub fn is_reached(&self) -> bool {
        self.here == self.entry || self.code.edges.iter().any(|edge| edge.target == self.here)
    }

    /// Continues at a location without outgoing edges.
    pub fn set_here(&mut self, location: LocationId) {
        self.here = location;
    }

    pub fn edge(
        &mut self,
        source: LocationId,
        target: LocationId,
        instruction: Instruction,
        span: Span,
    ) {
        self.code.add(source, target, instruction, span);
    }

    /// Appends an instruction.
    pub fn emit(&mut self, instruction: Instruction, span: Span) {
        let target = match instruction {
            Instruction::Return(_) => self.exit,
            _ => self.fresh(),
        };
        self.edge(self.here, target, instruction, span);
        self.here = if target == self.exit { self.fresh() } else { target };
    }

    /// Jumps to `target`; code that follows can only be reached by labels.
    pub fn jump(&mut self, target: LocationId, span: Span) {
        self.edge(self.here, target, Instruction::Skip, span);
        self.here = self.fresh();
    }

    /// Says that `here` is the head of a loop.
    pub fn loop_head(&mut self, span: Span) {
        self.loops.push((self.here, span));
    }

    /// Appends an instruction after which nothing follows.
    pub fn stop(&mut self, instruction: Instruction, span: Span) {
        self.emit(instruction, span);
        self.here = self.fresh();
    }

    /// Goes on at `yes` or at `no`.
    pub fn branch(&mut self, condition: Expr, yes: LocationId, no: LocationId, span: Span) {
        self.code.branch(self.here, condition, (yes, no), span);
    }

    /// Jumps to `target` if the condition holds.
    pub fn jump_if(&mut self, condition: Expr, target: LocationId, span: Span) {
        let next = self.fresh();
        self.branch(condition, target, next, span);
        self.here = next;
    }

    pub fn mark(&self) -> Mark {
        Mark { location: self.here, edges: self.code.edges.len() }
    }

    /// The edges added since a mark.
    pub fn since(&self, mark: Mark) -> &[Edge] {
        &self.code.edges[mark.edges..]
    }

    /// Gives the assignments since a mark to a variable that is declared at `name` the place of the whole
    /// declaration, as text for people.
    pub fn widen(&mut self, mark: Mark, name: Span, declaration: Span) {
        for edge in &mut self.code.edges[mark.edges..] {
            if let Instruction::Assign(to, _) = &edge.instruction
                && matches!(to.base, Base::Variable(_))
                && to.span == name
            {
                edge.span = declaration;
            }
        }
    }

    /// Says that everything added since a mark is at this place in the text.
    pub fn at(&mut self, mark: Mark, span: Span) {
        self.code.edges[mark.edges..].iter_mut().for_each(|edge| edge.span = span);
    }

    /// Inserts instructions between a mark and everything added since.
    pub fn insert_before(&mut self, mark: Mark, instructions: Vec<(Instruction, Span)>) {
        if instructions.is_empty() {
            return;
        }
        let mut last = mark.location;
        let mut new = Vec::with_capacity(instructions.len());
        for (instruction, span) in instructions {
            let target = self.fresh();
            new.push(Edge { source: last, target, instruction, span });
            last = target;
        }
        for edge in &mut self.code.edges[mark.edges..] {
            if edge.source == mark.location {
                edge.source = last;
            }
        }
        if self.here == mark.location {
            self.here = last;
        }
        self.code.edges.splice(mark.edges..mark.edges, new);
    }

    /// Removes all edges added since a mark.
    pub fn rewind(&mut self, mark: Mark) {
        self.code.edges.truncate(mark.edges);
        self.here = mark.location;
    }

    /// The finished body, without plain jumps and unreachable parts.
    pub fn finish(mut self) -> Body {
        let count = self.code.locations as usize;
        // A location whose only outgoing edge is a jump is replaced by the jump's target.
        let mut outgoing = vec![0_u32; count];
        for edge in &self.code.edges {
            outgoing[edge.source.0 as usize] += 1;
        }
        let mut alias: Vec<u32> = (0..self.code.locations).collect();
        for edge in &self.code.edges {
            let source = edge.source.0;
            let jump = matches!(edge.instruction, Instruction::Skip);
            if jump && outgoing[source as usize] == 1 && find(&mut alias, edge.target.0) != source {
                alias[source as usize] = edge.target.0;
            }
        }
        for edge in &mut self.code.edges {
            let jump = matches!(edge.instruction, Instruction::Skip);
            let keep = !(jump && alias[edge.source.0 as usize] != edge.source.0);
            if keep {
                edge.source = LocationId(find(&mut alias, edge.source.0));
            }
            edge.target = LocationId(find(&mut alias, edge.target.0));
            if !keep {
                edge.source = LocationId(u32::MAX);
            }
        }
        self.code.edges.retain(|e| e.source.0 != u32::MAX);
        for (head, _) in &mut self.loops {
            *head = LocationId(find(&mut alias, head.0));
        }
        let entry = LocationId(find(&mut alias, self.entry.0));
        self.reachable(entry)
    }

    fn reachable(mut self, entry: LocationId) -> Body {
        let count = self.code.locations as usize;
        let mut first = vec![0_usize; count + 1];
        for edge in &self.code.edges {
            first[edge.source.0 as usize + 1] += 1;
        }
        for i in 0..count {
            first[i + 1] += first[i];
        }
        let mut sorted = vec![0_u32; self.code.edges.len()];
        let mut next = first.clone();
        for (i, edge) in self.code.edges.iter().enumerate() {
            let slot = &mut next[edge.source.0 as usize];
            sorted[*slot] = i as u32;
            *slot += 1;
        }
        let mut seen = vec![false; count];
        let mut stack = vec![entry.0];
        seen[entry.0 as usize] = true;
        while let Some(location) = stack.pop() {
            for &i in &sorted[first[location as usize]..first[location as usize + 1]] {
                let target = self.code.edges[i as usize].target.0;
                if !std::mem::replace(&mut seen[target as usize], true) {
                    stack.push(target);
                }
            }
        }
        seen[self.exit.0 as usize] = true;
        let mut number = vec![0_u32; count];
        let mut locations = 0;
        for location in 0..count {
            if seen[location] {
                number[location] = locations;
                locations += 1;
            }
        }
        self.code.edges.retain(|e| seen[e.source.0 as usize]);
        for edge in &mut self.code.edges {
            edge.source = LocationId(number[edge.source.0 as usize]);
            edge.target = LocationId(number[edge.target.0 as usize]);
        }
        self.loops.retain(|(head, _)| seen[head.0 as usize]);
        for (head, _) in &mut self.loops {
            *head = LocationId(number[head.0 as usize]);
        }
        Body {
            entry: LocationId(number[entry.0 as usize]),
            exit: LocationId(number[self.exit.0 as usize]),
            locations,
            edges: self.code.edges,
            loops: self.loops,
        }
    }
}

/// The end of a chain of aliases; shortens the chain.
fn find(alias: &mut [u32], of: u32) -> u32 {
    let mut end = of;
    while alias[end as usize] != end {
        end = alias[end as usize];
    }
    let mut at = of;
    while alias[at as usize] != end {
        at = std::mem::replace(&mut alias[at as usize], end);
    }
    end
}
