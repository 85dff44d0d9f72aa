//! The body of a procedure as statements of the syntax tree.

use rustc_hash::{FxHashMap, FxHashSet};

use super::atomic;
use super::bits::Maker;
use super::tree::{
    Call, Declared, Expression, Kind, Node, Operator, Procedure, Statement, Type, Value,
};
use super::write::{IN_BLOCK, Writer, named, targets};
use crate::language::syntax::{self, Name, StatementKind, Target};
use hardbop_base::source::{DiagnosticKind, Span};

/// A body that is being written.
pub(super) struct Body<'w, 't> {
    writer: &'w mut Writer<'t>,
    procedure: &'t Procedure,
    /// For each statement, the outermost `atomic` block around it.
    contexts: Vec<Option<usize>>,
    /// The same for the statements that labels are in front of, and for loops.
    of_labels: FxHashMap<&'t str, Option<usize>>,
    of_loops: FxHashMap<usize, Option<usize>>,
    /// Labels to which there are jumps; loops that are left, and that are gone on with.
    jumps: FxHashSet<&'t str>,
    left: FxHashSet<usize>,
    again: FxHashSet<usize>,
    out: Vec<syntax::Statement>,
    /// Labels for the next statement.
    labels: Vec<Name>,
    /// All variables of the procedure.
    locals: Vec<Name>,
    /// Whether they include those for a value that is about to be returned.
    has_result: bool,
    /// For each open block the `atomic` block that its end ends.
    blocks: Vec<Option<usize>>,
    seen_label: bool,
}

impl<'w, 't> Body<'w, 't> {
    pub fn new(writer: &'w mut Writer<'t>, procedure: &'t Procedure) -> Self {
        let contexts = atomic::contexts(&procedure.body);
        let (mut of_labels, mut jumps) = (FxHashMap::default(), FxHashSet::default());
        for (statement, context) in procedure.body.iter().zip(&contexts) {
            for label in &statement.labels {
                of_labels.entry(label.name.text.as_str()).or_insert(*context);
            }
            if let Kind::Goto(names) = &statement.kind {
                jumps.extend(names.iter().map(|name| name.text.as_str()));
            }
        }
        Self {
            writer,
            procedure,
            contexts,
            of_labels,
            of_loops: FxHashMap::default(),
            jumps,
            left: FxHashSet::default(),
            again: FxHashSet::default(),
            out: Vec::new(),
            labels: Vec::new(),
            locals: Vec::new(),
            has_result: false,
            blocks: Vec::new(),
            seen_label: false,
        }
    }

    /// The statements.
    pub fn written(mut self) -> Vec<syntax::Statement> {
        for (index, statement) in self.procedure.body.iter().enumerate() {
            for label in &statement.labels {
                if !label.is_line_number || self.jumps.contains(label.name.text.as_str()) {
                    self.labels.push(named(&label.name));
                    self.seen_label = true;
                }
            }
            self.statement(index, statement);
            if !self.labels.is_empty() {
                self.push(StatementKind::Skip, statement.span);
            }
        }
        if !self.locals.is_empty() {
            let kind = StatementKind::Declare(self.locals);
            let span = self.procedure.span;
            self.out.insert(0, syntax::Statement { labels: Vec::new(), kind, span });
        }
        self.out
    }

    fn push(&mut self, kind: StatementKind, span: Span) {
        let labels = std::mem::take(&mut self.labels);
        self.out.push(syntax::Statement { labels, kind, span });
    }

    fn statement(&mut self, index: usize, statement: &'t Statement) {
        let (span, context) = (statement.span, self.contexts[index]);
        let kind = match &statement.kind {
            Kind::Skip => StatementKind::Skip,
            Kind::Assign(names, values) => self.writer.assignment(names, values, span),
            Kind::Call(target, call) => {
                let target = target.as_ref().and_then(|name| self.writer.target(name));
                self.writer.call(call, target, span)
            }
            Kind::Mutex { acquire, word, mutex } => self.mutex(*acquire, word, mutex, span),
            Kind::Assume(e) => StatementKind::Assume(self.writer.values.condition(e)),
            Kind::Assert(e) => StatementKind::Assert(self.writer.values.condition(e)),
            Kind::If(e) => StatementKind::If(self.writer.values.condition(e)),
            Kind::While(number, e) => {
                self.of_loops.insert(*number, context);
                StatementKind::While(self.writer.values.condition(e))
            }
            Kind::Else => StatementKind::Else,
            Kind::EndIf => StatementKind::EndIf,
            Kind::EndWhile(number) => return self.end_of_loop(*number, span),
            Kind::Break(number) => return self.leave_round("break", *number, context, span),
            Kind::Continue(number) => return self.leave_round("continue", *number, context, span),
            Kind::Goto(names) => return self.goto(names, context, span),
            Kind::Return(value) => return self.returned(value.as_ref(), context, span),
            Kind::Declare(declared) => return self.declared(declared, span),
            Kind::Start(call) => self.writer.start(call, span),
            Kind::EndThread => {
                if self.writer.blocks_nest {
                    self.in_block(false, span);
                }
                StatementKind::EndThread
            }
            Kind::AtomicBegin => StatementKind::AtomicBegin,
            Kind::AtomicEnd => StatementKind::AtomicEnd,
            Kind::Open => {
                self.writer.values.names.open();
                return self.blocks.push(None);
            }
            Kind::OpenAtomic => {
                self.writer.values.names.open();
                let is_outermost = context.is_none();
                self.blocks.push(is_outermost.then_some(index));
                if is_outermost {
                    self.enter(index, span);
                }
                return;
            }
            Kind::Close => {
                self.writer.values.names.close();
                if let Some(block) = self.blocks.pop().unwrap_or(None) {
                    self.leave(block, span);
                }
                return;
            }
        };
        self.push(kind, span);
    }

    /// Notes whether this thread is in an `atomic` block.
    fn in_block(&mut self, value: bool, span: Span) {
        let values = vec![syntax::Expression { nodes: Maker(span).constant(value) }];
        let targets = targets(&[IN_BLOCK.to_owned()], span);
        self.push(StatementKind::Assign { targets, values, constrain: None }, span);
    }

    /// Begins an `atomic` block.  Where it may be within another one, in a caller, it has to be known
    /// in the end whether it was.
    fn enter(&mut self, block: usize, span: Span) {
        self.push(StatementKind::AtomicBegin, span);
        if self.writer.blocks_nest {
            let was = format!("was#{block}");
            self.locals.push(Name { text: was.clone(), span });
            let maker = Maker(span);
            let targets = targets(&[was, IN_BLOCK.to_owned()], span);
            let values = [maker.variable(IN_BLOCK.to_owned()), maker.constant(true)];
            let values = values.into_iter().map(|nodes| syntax::Expression { nodes }).collect();
            self.push(StatementKind::Assign { targets, values, constrain: None }, span);
        }
    }

    /// Ends an `atomic` block, at its end or by a jump out of it.
    fn leave(&mut self, block: usize, span: Span) {
        if !self.writer.blocks_nest {
            return self.push(StatementKind::AtomicEnd, span);
        }
        let maker = Maker(span);
        let was = maker.variable(format!("was#{block}"));
        let values = vec![syntax::Expression { nodes: was.clone() }];
        let targets = targets(&[IN_BLOCK.to_owned()], span);
        self.push(StatementKind::Assign { targets, values, constrain: None }, span);
        let was_not = syntax::Expression { nodes: maker.not(was) };
        self.push(StatementKind::If(was_not), span);
        self.push(StatementKind::AtomicEnd, span);
        self.push(StatementKind::EndIf, span);
    }

    fn goto(&mut self, names: &'t [Name], context: Option<usize>, span: Span) {
        let of = |name: &Name| self.of_labels.get(name.text.as_str()).copied().unwrap_or(context);
        let (stays, leaves): (Vec<&Name>, Vec<&Name>) =
            names.iter().partition(|name| of(name) == context);
        let enters = leaves.iter().any(|name| of(name).is_some());
        if enters || !stays.is_empty() && !leaves.is_empty() {
            let message = "this jump leads into an 'atomic' block, or only sometimes out of one";
            let hint = "jump to the beginning of the block";
            self.writer.report(DiagnosticKind::Unsupported, span, message, "not supported", hint);
        } else if let Some(block) = context.filter(|_| !leaves.is_empty()) {
            self.leave(block, span);
        }
        self.push(StatementKind::Goto(names.iter().map(named).collect()), span);
    }

    /// `break`, `continue`
    fn leave_round(&mut self, word: &str, number: usize, context: Option<usize>, span: Span) {
        let loops = if word == "break" { &mut self.left } else { &mut self.again };
        loops.insert(number);
        let of_loop = self.of_loops.get(&number).copied().unwrap_or(context);
        if let Some(block) = context.filter(|_| of_loop.is_none()) {
            self.leave(block, span);
        }
        let target = Name { text: format!("{word}#{number}"), span };
        self.push(StatementKind::Goto(vec![target]), span);
    }

    fn end_of_loop(&mut self, number: usize, span: Span) {
        let label = |word: &str| Name { text: format!("{word}#{number}"), span };
        if self.again.contains(&number) {
            self.labels.push(label("continue"));
            self.push(StatementKind::Skip, span);
        }
        self.push(StatementKind::EndWhile, span);
        if self.left.contains(&number) {
            self.labels.push(label("break"));
            self.push(StatementKind::Skip, span);
        }
    }

    /// `return e`: its value is computed within the `atomic` block that it leaves.
    fn returned(&mut self, value: Option<&'t Value>, context: Option<usize>, span: Span) {
        let (name, returns) = (&self.procedure.name.text, self.procedure.returns);
        if returns.is_some() != value.is_some() {
            let what = if returns.is_some() { "a" } else { "no" };
            let message = format!("procedure '{name}' returns {what} value");
            let label = if value.is_some() { "one is given" } else { "none is given" };
            self.writer.report(DiagnosticKind::Arity, span, message, label, "");
        }
        let kind = returns.unwrap_or(Type::Bool);
        let mut values = match value {
            None => Vec::new(),
            Some(Value::Expression(e)) => self.writer.values.assigned(e, kind).values,
            Some(Value::Call(call)) => self.result_of(call, kind, span),
        };
        if let Some(block) = context {
            if matches!(value, Some(Value::Expression(_))) {
                let results = self.results(kind, span);
                let targets = targets(&results, span);
                self.push(StatementKind::Assign { targets, values, constrain: None }, span);
                values = read(&results, span);
            }
            self.leave(block, span);
        }
        self.push(StatementKind::Return(values), span);
    }

    /// Variables for a value that is about to be returned.
    fn results(&mut self, kind: Type, span: Span) -> Vec<String> {
        let results = self.writer.values.written(kind, "result#");
        if !std::mem::replace(&mut self.has_result, true) {
            self.locals.extend(results.iter().map(|text| Name { text: text.clone(), span }));
        }
        results
    }

    fn result_of(&mut self, call: &'t Call, kind: Type, span: Span) -> Vec<syntax::Expression> {
        let results = self.results(kind, span);
        let called = self.writer.call(call, Some((kind, targets(&results, span))), span);
        self.push(called, span);
        read(&results, span)
    }

    fn declared(&mut self, declared: &'t Declared, span: Span) {
        let name = &declared.name;
        let texts = self.writer.local(name, declared.kind);
        let names: Vec<Name> =
            texts.iter().map(|text| Name { text: text.clone(), span: name.span }).collect();
        self.locals.extend(names.iter().cloned());
        match &declared.value {
            Some(Value::Expression(e)) => {
                let reads = |node: &Node| node.operator == Operator::Variable(name.text.clone());
                if e.nodes.iter().any(reads) {
                    let message = format!("'{}' has no value yet", name.text);
                    self.writer.report(DiagnosticKind::Misplaced, e.span, message, "", "");
                }
                let values = self.writer.values.assigned(e, declared.kind).values;
                let targets = targets(&texts, name.span);
                self.push(StatementKind::Assign { targets, values, constrain: None }, span);
            }
            Some(Value::Call(call)) => {
                let target = (declared.kind, targets(&texts, name.span));
                let called = self.writer.call(call, Some(target), span);
                self.push(called, span);
            }
            // At the beginning of a procedure it has any value, as it is.
            None if self.blocks.is_empty() && !self.seen_label => {}
            None => self.push(StatementKind::Dead(names), span),
        }
    }

    /// `acquire(m)`, `release(m)`: one step each.
    fn mutex(&mut self, acquire: bool, word: &Name, mutex: &Name, span: Span) -> StatementKind {
        let found = self.writer.values.names.find(&mutex.text).cloned();
        match found {
            Some(found) if found.kind == Type::Mutex => {
                let maker = Maker(span);
                let is_free = maker.not(maker.variable(found.written.clone()));
                let targets =
                    vec![Target::Variable(Name { text: found.written, span: mutex.span })];
                let values = vec![syntax::Expression { nodes: maker.constant(acquire) }];
                let constrain = acquire.then_some(syntax::Expression { nodes: is_free });
                StatementKind::Assign { targets, values, constrain }
            }
            _ if self.writer.has_procedure(&word.text) => {
                let operator = Operator::Variable(mutex.text.clone());
                let nodes = vec![Node { operator, span: mutex.span }];
                let arguments = vec![Expression { nodes, span: mutex.span }];
                self.writer.call(&Call { procedure: word.clone(), arguments }, None, span)
            }
            Some(_) => {
                let message =
                    format!("'{}' needs a mutex, and '{}' is none", word.text, mutex.text);
                let hint = "a mutex is declared by 'mutex m;', and has no value";
                self.writer.report(DiagnosticKind::Type, mutex.span, message, "no mutex", hint);
                StatementKind::Skip
            }
            None => {
                self.writer.values.undeclared(&mutex.text, mutex.span);
                StatementKind::Skip
            }
        }
    }
}

/// The values of variables.
fn read(names: &[String], span: Span) -> Vec<syntax::Expression> {
    let nodes = names.iter().map(|text| Maker(span).variable(text.clone()));
    nodes.map(|nodes| syntax::Expression { nodes }).collect()
}
