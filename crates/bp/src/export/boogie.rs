//! A program in Boogie 2: Leino, "This is Boogie 2" (2008), defines the language.  The attribute
//! `{:entrypoint}` is that of Boogie's stratified inlining and of Corral.
//!
//! The text is the control-flow graph: a block per node, and one per edge where several leave a
//! node.  Every `*` is a local variable that is havocked before the statement.  Names of our own
//! contain a `.`, which no escaped name does.

use std::fmt::{self, Write};

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::names::{escaped, is_word};
use crate::language::program::{
    Assignment, Call, Edge, Expr, NodeId, Op, Operation, ProcId, Procedure, Program, VarId,
    VariableKind,
};

/// The program in Boogie: an assertion can fail in an execution of the procedure `{:entrypoint}` if
/// and only if an error can be reached.
///
/// Names are as in the program, with `$` and two hexadecimal digits for what an identifier cannot
/// contain, and for the first letter of a keyword.
pub fn boogie(program: &Program) -> String {
    let globals: FxHashSet<&str> =
        program.globals.iter().map(|&g| program.variable(g).name.as_str()).collect();
    let mut names: Vec<String> = vec![];
    for variable in &program.variables {
        let is_own = variable.kind != VariableKind::Global;
        let hides = is_own && globals.contains(variable.name.as_str());
        let suffix = if hides { ".local" } else { "" };
        names.push(format!("{}{suffix}", identifier(&variable.name)));
    }
    for procedure in &program.procedures {
        for (i, v) in procedure.returns.iter().enumerate() {
            names[v.index()] = format!("result.{i}");
        }
    }
    let mut out = String::new();
    let writer = Writer { program, names, modified: modified(program) };
    writer.program(&mut out).expect("writing to a string cannot fail");
    out
}

/// The globals that each procedure, or what it calls, may change; as indices of variables.
fn modified(program: &Program) -> Vec<FixedBitSet> {
    let count = program.procedures.len();
    let mut sets = vec![FixedBitSet::with_capacity(program.variables.len()); count];
    let mut callers: Vec<Vec<ProcId>> = vec![vec![]; count];
    for p in program.procedure_ids() {
        for edge in &program.procedure(p).edges {
            let globals = written(edge).filter(|&v| program.is_global(v)).map(VarId::index);
            sets[p.index()].extend(globals);
            if let Operation::Call(call) = &edge.operation {
                callers[call.callee.index()].push(p);
            }
        }
    }
    let mut changed: Vec<ProcId> = program.procedure_ids().collect();
    while let Some(q) = changed.pop() {
        for &p in &callers[q.index()] {
            let inner = sets[q.index()].clone();
            if !inner.is_subset(&sets[p.index()]) {
                sets[p.index()].union_with(&inner);
                changed.push(p);
            }
        }
    }
    sets
}

/// The variables that an edge assigns.
fn written(edge: &Edge) -> impl Iterator<Item = VarId> {
    let (assigned, returned) = match &edge.operation {
        Operation::Assign(a) => (&a.targets[..], &[][..]),
        Operation::Call(c) => (&[][..], &c.targets[..]),
        Operation::Skip | Operation::Assume(_) => (&[][..], &[][..]),
    };
    assigned.iter().copied().chain(returned.iter().flatten().copied())
}

/// How many variables of our own a procedure needs.
#[derive(Default)]
struct Extra {
    /// Values by choice: `choice.0`, ...
    choices: usize,
    /// Values after an assignment, for its `constrain`: `next.0`, ...
    next: usize,
    /// Returned values that are not used: `drop.0`, ...
    dropped: usize,
}

impl Extra {
    fn of(procedure: &Procedure) -> Self {
        let mut extra = Self::default();
        for edge in &procedure.edges {
            let (choices, next, dropped) = match &edge.operation {
                Operation::Skip => (0, 0, 0),
                Operation::Assume(e) => (e.choices(), 0, 0),
                Operation::Assign(a) => {
                    let next = a.constrain.as_ref().map_or(0, |_| a.targets.len());
                    let all = a.values.iter().filter(|e| !is_any(e)).chain(&a.constrain);
                    (all.map(Expr::choices).sum(), next, 0)
                }
                Operation::Call(c) => {
                    let dropped = c.targets.iter().filter(|t| t.is_none()).count();
                    (c.arguments.iter().map(Expr::choices).sum(), 0, dropped)
                }
            };
            extra.choices = extra.choices.max(choices);
            extra.next = extra.next.max(next);
            extra.dropped = extra.dropped.max(dropped);
        }
        extra
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let some = |prefix, count| (0..count).map(move |i| format!("{prefix}.{i}"));
        let all = some("choice", self.choices).chain(some("next", self.next));
        all.chain(some("drop", self.dropped))
    }
}

struct Writer<'a> {
    program: &'a Program,
    /// The name of each variable.
    names: Vec<String>,
    modified: Vec<FixedBitSet>,
}

impl Writer<'_> {
    fn program(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "// an assertion can fail: an error can be reached")?;
        for &g in &self.program.globals {
            writeln!(out, "var {}: bool;", self.name(g))?;
        }
        for p in self.program.procedure_ids() {
            self.procedure(out, p)?;
        }
        Ok(())
    }

    fn procedure(&self, out: &mut String, p: ProcId) -> fmt::Result {
        let procedure = self.program.procedure(p);
        let entrypoint = if p == self.program.entry { "{:entrypoint} " } else { "" };
        // Boogie's formals are constants.
        let mut assigned = FixedBitSet::with_capacity(self.program.variables.len());
        assigned.extend(procedure.edges.iter().flat_map(written).map(VarId::index));
        let copied = |v: &&VarId| assigned.contains(v.index());
        let formals = procedure.formals.iter().map(|v| match copied(&v) {
            true => format!("{}.in: bool", self.name(*v)),
            false => format!("{}: bool", self.name(*v)),
        });
        let formals: Vec<String> = formals.collect();
        let name = identifier(&procedure.name);
        write!(out, "\nprocedure {entrypoint}{name}({})", formals.join(", "))?;
        if !procedure.returns.is_empty() {
            let returns = procedure.returns.iter().map(|&v| format!("{}: bool", self.name(v)));
            write!(out, " returns ({})", returns.collect::<Vec<_>>().join(", "))?;
        }
        out.push('\n');
        let modified = &self.modified[p.index()];
        let globals = self.program.globals.iter().filter(|g| modified.contains(g.index()));
        let globals: Vec<&str> = globals.map(|&g| self.name(g)).collect();
        if !globals.is_empty() {
            writeln!(out, "  modifies {};", globals.join(", "))?;
        }
        out.push_str("{\n");
        let locals = procedure.formals.iter().filter(copied).chain(&procedure.locals);
        let locals = locals.map(|&v| self.name(v).to_owned());
        for name in locals.chain(Extra::of(procedure).names()) {
            writeln!(out, "  var {name}: bool;")?;
        }
        let others = procedure
            .node_ids()
            .filter(|&n| n != procedure.entry && n != procedure.exit && n != procedure.error);
        for n in [procedure.entry].into_iter().chain(others) {
            self.label(out, procedure, n)?;
            if n == procedure.entry {
                for &v in procedure.formals.iter().filter(copied) {
                    writeln!(out, "    {0} := {0}.in;", self.name(v))?;
                }
            }
            self.node(out, procedure, n)?;
        }
        out.push_str("}\n");
        Ok(())
    }

    /// The begin of a node's block.
    fn label(&self, out: &mut String, procedure: &Procedure, n: NodeId) -> fmt::Result {
        let line = self.program.source.position(procedure.nodes[n.index()].span.start).line;
        writeln!(out, "  {}: // line {line}", place(procedure, n))
    }

    /// Writes the statements after the label of a node.
    fn node(&self, out: &mut String, procedure: &Procedure, n: NodeId) -> fmt::Result {
        let edges: Vec<&Edge> =
            procedure.outgoing[n.index()].iter().map(|&e| procedure.edge(e)).collect();
        if let [edge] = edges[..] {
            return self.edge(out, procedure, edge);
        }
        if edges.is_empty() {
            return writeln!(out, "    assume false;\n    return;");
        }
        // Edges that do nothing need no blocks.
        let is_plain = |edge: &Edge| {
            let ends = edge.target == procedure.exit || edge.target == procedure.error;
            !ends && does_nothing(&edge.operation)
        };
        let at = place(procedure, n);
        let targets = edges.iter().enumerate().map(|(i, edge)| match is_plain(edge) {
            true => place(procedure, edge.target),
            false => format!("{at}.{i}"),
        });
        writeln!(out, "    goto {};", targets.collect::<Vec<_>>().join(", "))?;
        for (i, edge) in edges.iter().enumerate().filter(|(_, edge)| !is_plain(edge)) {
            writeln!(out, "  {at}.{i}:")?;
            self.edge(out, procedure, edge)?;
        }
        Ok(())
    }

    fn edge(&self, out: &mut String, procedure: &Procedure, edge: &Edge) -> fmt::Result {
        match &edge.operation {
            operation if does_nothing(operation) => {}
            Operation::Skip => {}
            Operation::Assume(e) => {
                havoc(out, e.choices())?;
                writeln!(out, "    assume {};", self.expression(e, &[], 0))?;
            }
            Operation::Assign(a) => self.assignment(out, a)?,
            Operation::Call(call) => self.call(out, call)?,
        }
        if edge.target == procedure.error {
            out.push_str("    assert false;\n    return;\n");
        } else if edge.target == procedure.exit {
            out.push_str("    return;\n");
        } else {
            writeln!(out, "    goto {};", place(procedure, edge.target))?;
        }
        Ok(())
    }

    fn assignment(&self, out: &mut String, a: &Assignment) -> fmt::Result {
        let targets: Vec<String> = match a.constrain {
            Some(_) => (0..a.targets.len()).map(|i| format!("next.{i}")).collect(),
            None => a.targets.iter().map(|&v| self.name(v).to_owned()).collect(),
        };
        let choices = |e: &Expr| if is_any(e) { 0 } else { e.choices() };
        let count: usize = a.values.iter().map(choices).sum();
        let constrained = a.constrain.as_ref().map_or(0, Expr::choices);
        havoc(out, count + constrained)?;
        let (mut left, mut right, mut any) = (vec![], vec![], vec![]);
        let mut used = 0;
        for (target, value) in targets.iter().zip(&a.values) {
            if is_any(value) {
                any.push(target.as_str());
            } else {
                left.push(target.as_str());
                right.push(self.expression(value, &[], used));
                used += value.choices();
            }
        }
        if !left.is_empty() {
            writeln!(out, "    {} := {};", left.join(", "), right.join(", "))?;
        }
        // After the others, which may read the old values.
        if !any.is_empty() {
            writeln!(out, "    havoc {};", any.join(", "))?;
        }
        if let Some(condition) = &a.constrain {
            writeln!(out, "    assume {};", self.expression(condition, &a.targets, used))?;
            let names: Vec<&str> = a.targets.iter().map(|&v| self.name(v)).collect();
            writeln!(out, "    {} := {};", names.join(", "), targets.join(", "))?;
        }
        Ok(())
    }

    fn call(&self, out: &mut String, call: &Call) -> fmt::Result {
        havoc(out, call.arguments.iter().map(Expr::choices).sum())?;
        let (mut used, mut dropped) = (0, 0);
        let arguments = call.arguments.iter().map(|e| {
            let text = self.expression(e, &[], used);
            used += e.choices();
            text
        });
        let arguments: Vec<String> = arguments.collect();
        out.push_str("    call ");
        let targets = call.targets.iter().map(|target| match target {
            Some(v) => self.name(*v).to_owned(),
            None => {
                dropped += 1;
                format!("drop.{}", dropped - 1)
            }
        });
        let targets: Vec<String> = targets.collect();
        if !targets.is_empty() {
            write!(out, "{} := ", targets.join(", "))?;
        }
        let callee = identifier(&self.program.procedure(call.callee).name);
        writeln!(out, "{callee}({});", arguments.join(", "))
    }

    /// An expression; `targets` are those of the assignment that it constrains, and its choices are
    /// numbered from `choice` on.
    fn expression(&self, e: &Expr, targets: &[VarId], choice: usize) -> String {
        enum Part {
            /// The subexpression that ends at this operator.
            Below(usize),
            Text(&'static str),
            Choice(usize),
        }
        // By operator: where its subexpression begins, and how many choices come before it.
        let (mut begins, mut choices, mut seen) = (vec![], vec![], choice);
        for (i, op) in e.ops.iter().enumerate() {
            let begin = (0..op.arity()).fold(i, |begin, _| begins[begin - 1]);
            begins.push(begin);
            choices.push(seen);
            seen += usize::from(matches!(op, Op::Nondet | Op::Choose));
        }
        let mut out = String::new();
        let mut parts = vec![Part::Below(e.ops.len() - 1)];
        while let Some(part) = parts.pop() {
            let i = match part {
                Part::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Part::Choice(number) => {
                    out.push_str(&format!("choice.{number}"));
                    continue;
                }
                Part::Below(i) => i,
            };
            let sign = match e.ops[i] {
                Op::Constant(value) => {
                    out.push_str(if value { "true" } else { "false" });
                    continue;
                }
                Op::Variable(v) => {
                    out.push_str(self.name(v));
                    continue;
                }
                Op::Next(v) => {
                    match targets.iter().position(|&t| t == v) {
                        Some(at) => out.push_str(&format!("next.{at}")),
                        None => out.push_str(self.name(v)),
                    }
                    continue;
                }
                Op::Nondet => {
                    out.push_str(&format!("choice.{}", choices[i]));
                    continue;
                }
                Op::Not => {
                    out.push('!');
                    parts.push(Part::Below(i - 1));
                    continue;
                }
                // p || (!n && choice)
                Op::Choose => {
                    parts.extend([Part::Text("))"), Part::Choice(choices[i]), Part::Text(" && ")]);
                    parts.extend([Part::Below(i - 1), Part::Text(" || (!")]);
                    parts.extend([Part::Below(begins[i - 1] - 1), Part::Text("(")]);
                    continue;
                }
                Op::And => " && ",
                Op::Or => " || ",
                Op::Xor => " != ",
                Op::Equal => " == ",
                Op::Implies => " ==> ",
            };
            parts.extend([Part::Text(")"), Part::Below(i - 1), Part::Text(sign)]);
            parts.extend([Part::Below(begins[i - 1] - 1), Part::Text("(")]);
        }
        out
    }

    fn name(&self, v: VarId) -> &str {
        &self.names[v.index()]
    }
}

fn does_nothing(operation: &Operation) -> bool {
    match operation {
        Operation::Skip => true,
        Operation::Assume(e) => *e.ops == [Op::Constant(true)],
        Operation::Assign(_) | Operation::Call(_) => false,
    }
}

/// Is it `*`?
fn is_any(e: &Expr) -> bool {
    *e.ops == [Op::Nondet]
}

fn havoc(out: &mut String, choices: usize) -> fmt::Result {
    if choices == 0 {
        return Ok(());
    }
    let names: Vec<String> = (0..choices).map(|i| format!("choice.{i}")).collect();
    writeln!(out, "    havoc {};", names.join(", "))
}

/// The label of a node's block: that of the program, if it has one.
fn place(procedure: &Procedure, n: NodeId) -> String {
    match procedure.nodes[n.index()].labels.first() {
        Some(label) => identifier(label),
        None => format!("at.{}", n.0),
    }
}

/// A name as an identifier that is no word of the language.
fn identifier(name: &str) -> String {
    let plain = escaped(name, '$', is_word);
    let is_free = !is_reserved(&plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    match name.get(1..) {
        Some(rest) if !is_free => {
            format!("{}{}", escaped(&name[..1], '$', |_| false), escaped(rest, '$', is_word))
        }
        _ => plain,
    }
}

/// Is a word one of Boogie's, of any version, or a type like `bv32` and `float24e8`?
fn is_reserved(word: &str) -> bool {
    const WORDS: &str = " action and assert assume async atomic axiom bool break call checked_call \
        complete const creates datatype div else elim ensures exists extends false finite forall free \
        function ghost goto havoc hide hideable if implementation import in int introduction invariant \
        is lambda left link linear linear_in linear_out mod modifies mover old par pop positional \
        preserves procedure pure push real refines requires return returns reveal revealed right rmode \
        roundingmode string regex subset synchronized then true type unfold unique uses using var \
        where while yield yields RNA RNE RTN RTP RTZ both ";
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let is_type = |prefix: &str| word.strip_prefix(prefix).is_some_and(is_number);
    WORDS.split_ascii_whitespace().any(|w| w == word) || is_type("bv") || is_type("float")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        let table = [
            ("x", "x"),
            ("x-1", "x$2d1"),
            ("$x", "$24x"),
            ("{x == 0}", "$7bx$20$3d$3d$200$7d"),
            ("var", "$76ar"),
            ("bv32", "$62v32"),
            ("bvx", "bvx"),
            ("2x", "$32x"),
            ("{ü}", "$7b$c3$bc$7d"),
        ];
        for (name, expected) in table {
            assert_eq!(identifier(name), expected);
        }
    }
}
