//! Prints a syntax tree as text, in canonical form; the inverse of [`parse`](super::parser::parse).
//!
//! Indentation by two blanks per level, one statement per line after its labels, `fi;` and `od;`,
//! conditions in parentheses.  A binary operator below another operator is parenthesised, so that
//! all dialects read the text alike, except in chains of one associative operator (`a & b & c`).
//!
//! Parsing the text gives the same tree up to spans.  Comments and alternative spellings (`&&`,
//! `~`, `1`) are not part of the tree and are lost.

use super::syntax::{
    Expression, Item, Name, Operator, ProcedureSyntax, Start, Statement, StatementKind, SyntaxTree,
    Target,
};

/// Deeper blocks are not indented further, or the size of the text would be quadratic in the depth.
const MAX_INDENTATION: usize = 40;

/// The text of a program.
pub fn print(tree: &SyntaxTree) -> String {
    let mut out = String::new();
    let mut previous = None;
    for item in &tree.items {
        let is_procedure = matches!(item, Item::Procedure(_));
        if previous.is_some_and(|before| before || is_procedure) {
            out.push('\n');
        }
        previous = Some(is_procedure);
        match item {
            Item::Declaration(variables) => {
                out.push_str("decl ");
                names(&mut out, variables);
                out.push_str(";\n");
            }
            Item::ThreadLocal(variables) => {
                out.push_str("decl thread_local ");
                names(&mut out, variables);
                out.push_str(";\n");
            }
            Item::Initial { names, values } => {
                for (i, (name, value)) in names.iter().zip(values).enumerate() {
                    out.push_str(if i > 0 { ", " } else { "decl " });
                    out.push_str(&name.text);
                    out.push_str(" := ");
                    expression(&mut out, value);
                }
                out.push_str(";\n");
            }
            Item::Procedure(p) => procedure(&mut out, p),
        }
    }
    out
}

fn procedure(out: &mut String, p: &ProcedureSyntax) {
    if p.dfs {
        out.push_str("dfs ");
    }
    match p.returns {
        0 => out.push_str("void"),
        1 => out.push_str("bool"),
        n => out.push_str(&format!("bool<{n}>")),
    }
    out.push(' ');
    out.push_str(&p.name.text);
    out.push('(');
    names(out, &p.formals);
    out.push_str(") begin\n");
    let mut depth: usize = 1;
    for s in &p.body {
        use StatementKind::{Else, ElseIf, EndIf, EndWhile, If, While};
        let outdented = matches!(s.kind, Else | ElseIf(_) | EndIf | EndWhile);
        let level = if outdented { depth.saturating_sub(1) } else { depth };
        for _ in 0..level.min(MAX_INDENTATION) {
            out.push_str("  ");
        }
        statement(out, s);
        out.push('\n');
        match s.kind {
            If(_) | While(_) => depth += 1,
            EndIf | EndWhile => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    out.push_str("end\n");
}

/// A statement with its labels and its `;`, without indentation and line break.
fn statement(out: &mut String, s: &Statement) {
    for label in &s.labels {
        out.push_str(&label.text);
        out.push_str(": ");
    }
    let mut word = |word: &str, e: &Expression, behind: &str| {
        out.push_str(word);
        out.push('(');
        expression(out, e);
        out.push(')');
        out.push_str(behind);
    };
    match &s.kind {
        StatementKind::If(e) => return word("if ", e, " then"),
        StatementKind::ElseIf(e) => return word("elsif ", e, " then"),
        StatementKind::While(e) => return word("while ", e, " do"),
        StatementKind::Assume(e) => word("assume", e, ""),
        StatementKind::Assert(e) => word("assert", e, ""),
        StatementKind::AbortIf(e) => word("abortif ", e, ""),
        StatementKind::Enforce(e) => word("enforce ", e, ""),
        StatementKind::Else => return out.push_str("else"),
        StatementKind::EndIf => out.push_str("fi"),
        StatementKind::EndWhile => out.push_str("od"),
        StatementKind::Skip => out.push_str("skip"),
        StatementKind::Assign { targets, values, constrain } => {
            assigned(out, targets);
            expressions(out, values);
            if let Some(e) = constrain {
                out.push_str(" constrain (");
                expression(out, e);
                out.push(')');
            }
        }
        StatementKind::Call { targets, procedure, arguments } => {
            if !targets.is_empty() {
                assigned(out, targets);
            }
            call(out, procedure, arguments);
        }
        StatementKind::StartThread(start) => {
            out.push_str("start_thread ");
            match start {
                Start::At(label) => {
                    out.push_str("goto ");
                    out.push_str(&label.text);
                }
                Start::Call { procedure, arguments } => call(out, procedure, arguments),
            }
        }
        StatementKind::EndThread => out.push_str("end_thread"),
        StatementKind::AtomicBegin => out.push_str("atomic_begin"),
        StatementKind::AtomicEnd => out.push_str("atomic_end"),
        StatementKind::Goto(labels) => {
            out.push_str("goto ");
            names(out, labels);
        }
        StatementKind::Return(values) => {
            out.push_str("return");
            if !values.is_empty() {
                out.push(' ');
                expressions(out, values);
            }
        }
        StatementKind::Declare(variables) => {
            out.push_str("decl ");
            names(out, variables);
        }
        StatementKind::Dead(variables) => {
            out.push_str("dead ");
            names(out, variables);
        }
        StatementKind::Print(values) => {
            out.push_str("print(");
            expressions(out, values);
            out.push(')');
        }
    }
    out.push(';');
}

fn call(out: &mut String, procedure: &Name, arguments: &[Expression]) {
    out.push_str(&procedure.text);
    out.push('(');
    expressions(out, arguments);
    out.push(')');
}

fn names(out: &mut String, names: &[Name]) {
    for (i, name) in names.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(&name.text);
    }
}

/// The left side of an assignment and `:=`.
fn assigned(out: &mut String, targets: &[Target]) {
    for (i, target) in targets.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        out.push_str(match target {
            Target::Variable(name) => &name.text,
            Target::Discard(_) => "_",
        });
    }
    out.push_str(" := ");
}

fn expressions(out: &mut String, expressions: &[Expression]) {
    for (i, e) in expressions.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        expression(out, e);
    }
}

/// A part of an expression that is still to be written.
enum Part {
    /// The subexpression that ends at this index, below the operator at the other index.
    Below(usize, usize),
    Text(&'static str),
}

/// Writes an expression, in time linear in its size, without recursion.
pub fn expression(out: &mut String, e: &Expression) {
    // `first[i]`: where the subexpression that ends at i begins.
    let mut first = Vec::with_capacity(e.nodes.len());
    for (i, node) in e.nodes.iter().enumerate() {
        let mut begin = i;
        for _ in 0..arity(&node.operator) {
            // A malformed expression may lack operands.
            begin = begin.checked_sub(1).map_or(0, |operand| first[operand]);
        }
        first.push(begin);
    }
    let Some(root) = e.nodes.len().checked_sub(1) else { return };
    let mut parts = vec![Part::Below(root, root)];
    while let Some(part) = parts.pop() {
        let (index, parent) = match part {
            Part::Below(index, parent) => (index, parent),
            Part::Text(text) => {
                out.push_str(text);
                continue;
            }
        };
        let operator = &e.nodes[index].operator;
        let right = index.saturating_sub(1);
        let left = first[right].saturating_sub(1);
        if arity(operator) > index - first[index] {
            continue;
        }
        let sign = match operator {
            Operator::Constant(value) => {
                out.push_str(if *value { "T" } else { "F" });
                continue;
            }
            Operator::Variable(name) => {
                out.push_str(name);
                continue;
            }
            Operator::Next(name) => {
                out.push('\'');
                out.push_str(name);
                continue;
            }
            Operator::Nondet => {
                out.push('*');
                continue;
            }
            Operator::Not => {
                out.push('!');
                parts.push(Part::Below(right, index));
                continue;
            }
            Operator::Choose => {
                out.push_str("schoose[");
                parts.push(Part::Text("]"));
                parts.push(Part::Below(right, index));
                parts.push(Part::Text(", "));
                parts.push(Part::Below(left, index));
                continue;
            }
            Operator::And => " & ",
            Operator::Or => " | ",
            Operator::Xor => " ^ ",
            Operator::Equal => " = ",
            Operator::NotEqual => " != ",
            Operator::Implies => " => ",
        };
        if parenthesised(e, index, parent, &first) {
            out.push('(');
            parts.push(Part::Text(")"));
        }
        parts.push(Part::Below(right, index));
        parts.push(Part::Text(sign));
        parts.push(Part::Below(left, index));
    }
}

/// Whether the binary operator at `index` needs parentheses below the operator at `parent`.
fn parenthesised(e: &Expression, index: usize, parent: usize, first: &[usize]) -> bool {
    let above = &e.nodes[parent].operator;
    if index == parent || matches!(above, Operator::Choose) {
        return false;
    }
    let associative = matches!(above, Operator::And | Operator::Or | Operator::Xor);
    let is_left = index + 1 != parent && index + 1 == first[parent - 1];
    !(associative && is_left && e.nodes[index].operator == *above)
}

/// The number of operands.
pub(super) fn arity(operator: &Operator) -> usize {
    match operator {
        Operator::Constant(_) | Operator::Variable(_) | Operator::Next(_) | Operator::Nondet => 0,
        Operator::Not => 1,
        Operator::And
        | Operator::Or
        | Operator::Xor
        | Operator::Equal
        | Operator::NotEqual
        | Operator::Implies
        | Operator::Choose => 2,
    }
}
