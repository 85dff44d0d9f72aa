//! Values: expressions of the C-like dialect as expressions of the language, numbers as bits.
//!
//! One pass over the postfix nodes.  What is a truth value is written to one list as it comes, so
//! that neither the depth nor the length of an expression costs more than its size; numbers wait
//! beside it, as bits, until something is asked about them.

use rustc_hash::FxHashSet;

use super::super::reader::shorten;
use super::super::state::Parser;
use super::bits::{Bit, Maker, width};
use super::names::{Names, bit};
use super::tree::{Enumeration, Expression, Node, Operator, Tree, Type};
use crate::language::syntax::{self, ExpressionNode, Name};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span, Suggestions};

/// Most bits of an `int` whose width nobody says.
const MAX_WIDTH: usize = 12;

/// What an operand is.  Truth values, `*`, numbers of the text and what is unknown have their nodes
/// in the list.
pub(super) enum Operand {
    Bool,
    Nondet,
    Number(u64),
    Int(Vec<Bit>),
    Enum(usize, Vec<Bit>),
    /// A name that may be a value of an enumeration.
    Enumerator(String),
    /// After a mistake.
    Unknown,
}

/// An operand, with the index of the first of its nodes.
pub(super) struct Entry {
    pub operand: Operand,
    pub start: usize,
    pub span: Span,
}

/// The values for the bits of a variable.
pub(super) struct Assigned {
    pub values: Vec<syntax::Expression>,
    /// Whether all of them are arbitrary.
    pub any: bool,
}

/// Evaluates expressions.
pub(super) struct Values<'t> {
    pub names: Names,
    pub mistakes: Parser,
    enumerations: &'t [Enumeration],
    /// Bits of an `int`.
    pub width: usize,
    /// Whether the text says how many.  Otherwise an `int` is assigned and compared with numbers of
    /// the text only, and the bits are enough for these and one value more.
    is_wide_enough: bool,
    pub nodes: Vec<ExpressionNode>,
    pub stack: Vec<Entry>,
    /// The undeclared names that have been reported in this procedure.
    pub unknown: FxHashSet<String>,
    suggestions: Suggestions,
}

impl<'t> Values<'t> {
    pub fn new(tree: &'t Tree, mut mistakes: Parser) -> Self {
        let has_ints = tree.has_ints();
        let inferred = if has_ints { width(largest(tree) + 1) } else { 1 };
        if tree.int_bits.is_none() && inferred > MAX_WIDTH {
            let message = "the numbers of this program are too large for an 'int' without width";
            mistakes.syntax(Span::default(), message, "", WIDTH);
        }
        Self {
            names: Names::default(),
            mistakes,
            enumerations: &tree.enumerations,
            width: tree.int_bits.map_or(inferred.min(MAX_WIDTH), |bits| bits as usize),
            is_wide_enough: tree.int_bits.is_some(),
            nodes: Vec::new(),
            stack: Vec::new(),
            unknown: FxHashSet::default(),
            suggestions: Suggestions::default(),
        }
    }

    /// How many bits a variable has; 0 for truth values, which are no numbers.
    pub fn bits(&self, kind: Type) -> usize {
        match kind {
            Type::Bool | Type::Mutex => 0,
            Type::Int => self.width,
            Type::Enum(e) => width(self.values_of(e).len() as u64 - 1),
        }
    }

    fn values_of(&self, e: usize) -> &'t [String] {
        self.enumerations.get(e).map_or(&[], |e| &e.values)
    }

    /// The greatest value of a type, if not all values of its bits are values of the type.
    pub fn greatest(&self, kind: Type) -> Option<u64> {
        let Type::Enum(e) = kind else { return None };
        let greatest = self.values_of(e).len() as u64 - 1;
        (!(greatest + 1).is_power_of_two() || greatest == 0).then_some(greatest)
    }

    /// The names of the bits of a variable, or its own if it is a truth value.
    pub fn written(&self, kind: Type, written: &str) -> Vec<String> {
        match self.bits(kind) {
            0 => vec![written.to_owned()],
            bits => (0..bits).map(|i| bit(written, i)).collect(),
        }
    }

    /// A truth value.
    pub fn condition(&mut self, e: &Expression) -> syntax::Expression {
        self.evaluate(e);
        self.truth(false);
        self.stack.clear();
        self.taken(e.span)
    }

    /// The values for the bits of a variable of this type.
    pub fn assigned(&mut self, e: &Expression, kind: Type) -> Assigned {
        let bits = self.bits(kind);
        if bits == 0 {
            let value = self.condition(e);
            let any = matches!(e.nodes.as_slice(), [Node { operator: Operator::Nondet, .. }]);
            return Assigned { values: vec![value], any };
        }
        self.evaluate(e);
        let Some(Entry { operand, .. }) = self.stack.pop() else {
            return Assigned { values: Vec::new(), any: false };
        };
        let maker = Maker(e.span);
        let any = matches!(operand, Operand::Nondet);
        let numbers = match (operand, kind) {
            (Operand::Nondet, _) => (0..bits).map(|_| maker.any()).collect(),
            (Operand::Int(all), Type::Int) => all,
            (Operand::Enum(own, all), Type::Enum(e)) if own == e => all,
            (Operand::Number(n), Type::Int) => {
                self.fits(n, e.span);
                maker.number(n, bits)
            }
            (Operand::Number(n), Type::Enum(of)) => {
                maker.number(self.value_of(&n.to_string(), of, e.span), bits)
            }
            (Operand::Enumerator(name), Type::Enum(of)) => {
                maker.number(self.value_of(&name, of, e.span), bits)
            }
            (Operand::Enumerator(name), _) => {
                self.undeclared(&name, e.span);
                maker.number(0, bits)
            }
            (Operand::Bool, Type::Int) => {
                let lowest = std::mem::take(&mut self.nodes);
                let mut all = vec![lowest];
                all.resize(bits, maker.constant(false));
                all
            }
            (Operand::Unknown, _) => maker.number(0, bits),
            _ => {
                let message = "this is no value of the enumeration that is assigned";
                self.wrong(e.span, message, "of another type", "");
                maker.number(0, bits)
            }
        };
        self.nodes.clear();
        self.stack.clear();
        let values = numbers.into_iter().map(|nodes| syntax::Expression { nodes }).collect();
        Assigned { values, any }
    }

    /// Reports an undeclared variable, once per procedure.
    pub fn undeclared(&mut self, name: &str, span: Span) {
        if !self.unknown.insert(name.to_owned()) {
            return;
        }
        let message = format!("undeclared variable '{}'", shorten(name));
        let mut diagnostic =
            Diagnostic::new(DiagnosticKind::Undeclared, span, message).with_label("not declared");
        if let Some(place) = self.names.declared(name) {
            diagnostic = diagnostic.with_related(place, "this one is visible in its block only");
        } else {
            let near = self.suggestions.nearest(name, self.names.all());
            diagnostic.hint = near.map(|near| format!("did you mean '{near}'?"));
        }
        self.mistakes.report(span.start as usize, diagnostic);
    }

    /// Reports a value of a wrong type.
    pub fn wrong(&mut self, span: Span, message: impl Into<String>, label: &str, hint: &str) {
        let mut diagnostic = Diagnostic::new(DiagnosticKind::Type, span, message).with_label(label);
        diagnostic.hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.mistakes.report(span.start as usize, diagnostic);
    }

    /// The variable with this name; `None`, with a message, if it has no value.
    pub fn variable(&mut self, name: &Name) -> Option<(Type, String)> {
        let Some(variable) = self.names.find(&name.text) else {
            self.undeclared(&name.text, name.span);
            return None;
        };
        let found = (variable.kind, variable.written.clone());
        if found.0 == Type::Mutex {
            self.mutex(&name.text, name.span);
            return None;
        }
        Some(found)
    }

    fn mutex(&mut self, name: &str, span: Span) {
        let hint = format!("it is taken by 'acquire({name})', and given back by 'release({name})'");
        self.wrong(span, format!("'{name}' is a mutex"), "it has no value", &hint);
    }

    fn taken(&mut self, span: Span) -> syntax::Expression {
        let mut nodes = std::mem::take(&mut self.nodes);
        if nodes.is_empty() {
            nodes = Maker(span).constant(false);
        }
        syntax::Expression { nodes }
    }

    fn evaluate(&mut self, e: &Expression) {
        self.nodes.clear();
        self.stack.clear();
        for node in &e.nodes {
            self.node(node);
        }
    }

    pub fn push(&mut self, operand: Operand, start: usize, span: Span) {
        self.stack.push(Entry { operand, start, span });
    }

    /// An operand with nodes of its own.
    pub fn leaf(&mut self, operand: Operand, nodes: Bit, span: Span) {
        let start = self.nodes.len();
        self.nodes.extend(nodes);
        self.push(operand, start, span);
    }

    fn node(&mut self, node: &Node) {
        let (span, maker) = (node.span, Maker(node.span));
        match &node.operator {
            Operator::Constant(value) => self.leaf(Operand::Bool, maker.constant(*value), span),
            Operator::Number(n) => self.leaf(Operand::Number(*n), maker.constant(*n != 0), span),
            Operator::Nondet => self.leaf(Operand::Nondet, maker.any(), span),
            Operator::Variable(name) => self.named(name, span),
            Operator::Truth { bitwise } => self.truth(*bitwise),
            Operator::Not => self.not(span),
            Operator::And => self.logical(syntax::Operator::And, span),
            Operator::Or => self.logical(syntax::Operator::Or, span),
            Operator::Xor => self.logical(syntax::Operator::Xor, span),
            Operator::Equal => self.compared(span, false),
            Operator::NotEqual => self.compared(span, true),
            Operator::Less => self.ordered(span, false, false),
            Operator::Greater => self.ordered(span, true, false),
            Operator::LessEqual => self.ordered(span, true, true),
            Operator::GreaterEqual => self.ordered(span, false, true),
            Operator::Add => self.sum(span, false),
            Operator::Subtract => self.sum(span, true),
        }
    }

    fn named(&mut self, name: &str, span: Span) {
        let maker = Maker(span);
        let Some(variable) = self.names.find(name) else {
            let is_value = self.enumerations.iter().any(|e| e.values.iter().any(|v| v == name));
            if is_value {
                let operand = Operand::Enumerator(name.to_owned());
                return self.push(operand, self.nodes.len(), span);
            }
            self.undeclared(name, span);
            return self.leaf(Operand::Unknown, maker.constant(false), span);
        };
        let (kind, written) = (variable.kind, variable.written.clone());
        let bits = || self.written(kind, &written).into_iter().map(|b| maker.variable(b)).collect();
        let operand = match kind {
            Type::Bool => return self.leaf(Operand::Bool, maker.variable(written), span),
            Type::Int => Operand::Int(bits()),
            Type::Enum(e) => Operand::Enum(e, bits()),
            Type::Mutex => {
                self.mutex(name, span);
                return self.leaf(Operand::Unknown, maker.constant(false), span);
            }
        };
        self.push(operand, self.nodes.len(), span);
    }

    /// Reports a number that an `int` cannot be.
    pub fn fits(&mut self, n: u64, span: Span) {
        if n >> self.width != 0 {
            let most = (1_u64 << self.width) - 1;
            self.wrong(span, format!("'{n}' is no 'int'"), &format!("more than {most}"), "");
        }
    }

    /// Reports what has a meaning only if the text says how wide an `int` is.
    pub fn needs_width(&mut self, what: &str, span: Span) {
        if !self.is_wide_enough {
            // Once is enough.
            self.is_wide_enough = true;
            let message = format!("{what}, but the text does not say how wide an 'int' is");
            let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message)
                .with_label("its meaning depends on that")
                .with_hint(WIDTH);
            self.mistakes.report(span.start as usize, diagnostic);
        }
    }

    /// The index of a value of an enumeration.
    pub fn value_of(&mut self, value: &str, e: usize, span: Span) -> u64 {
        let all = self.values_of(e);
        if let Some(index) = all.iter().position(|known| known == value) {
            return index as u64;
        }
        let mut listed = all.iter().take(6).map(String::as_str).collect::<Vec<_>>();
        if all.len() > listed.len() {
            listed.push("...");
        }
        let label = format!("the values are {}", listed.join(", "));
        let message = format!("'{}' is no value of this enumeration", shorten(value));
        self.wrong(span, message, &label, "");
        0
    }
}

const WIDTH: &str = "write 'define DEFAULT_INT_BITS 4' at the beginning: then an 'int' is a number \
                     from 0 to 15, and computing goes round";

/// The largest number that a text has in its expressions.
fn largest(tree: &Tree) -> u64 {
    let statements = tree.procedures().flat_map(|p| &p.body);
    let in_bodies = statements.flat_map(|s| s.kind.expressions());
    let expressions = in_bodies.chain(tree.values());
    let numbers = expressions.flat_map(|e| &e.nodes).filter_map(|node| match node.operator {
        Operator::Number(n) => Some(n.min(u64::from(u32::MAX))),
        _ => None,
    });
    // A truth value can become 0 or 1.
    numbers.max().unwrap_or(1).max(1)
}
