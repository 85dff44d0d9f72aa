//! The syntax tree of the language, of what was read: variables, procedures, calls.

use rustc_hash::FxHashMap;

use super::super::reader::shorten;
use super::super::state::Parser;
use super::atomic;
use super::bits::Maker;
use super::body::Body;
use super::names::quoted;
use super::tree::{Call, Declared, Expression, Item, Procedure, Tree, Type, Value};
use super::values::{Assigned, Values};
use crate::language::syntax::{self, Name, ProcedureSyntax, SyntaxTree, Target};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span, Suggestions};

/// The variable that tells whether a thread is in an `atomic` block, where one may begin in another.
pub(super) const IN_BLOCK: &str = "atomic#";

/// What is known of a procedure that may be called.
#[derive(Clone)]
struct Signature {
    returns: Option<Type>,
    formals: Vec<Type>,
    span: Span,
}

/// What writing a text keeps in mind.
pub(super) struct Writer<'t> {
    pub values: Values<'t>,
    signatures: FxHashMap<&'t str, Signature>,
    /// Whether an `atomic` block may begin within another one.
    pub blocks_nest: bool,
}

/// The syntax tree.
pub(super) fn written(tree: &Tree, mistakes: Parser) -> Result<SyntaxTree, Vec<Diagnostic>> {
    let mut writer = Writer {
        values: Values::new(tree, mistakes),
        signatures: FxHashMap::default(),
        blocks_nest: atomic::may_nest(tree),
    };
    let mut items = Vec::new();
    if let Some(span) = atomic::mixed(tree) {
        let message = "'atomic_begin' and blocks 'atomic { .. }' in one program are not supported";
        let hint = "write blocks only";
        writer.report(DiagnosticKind::Unsupported, span, message, "which one ends here?", hint);
    }
    if writer.blocks_nest {
        let span = Span::default();
        let names = vec![Name { text: IN_BLOCK.to_owned(), span }];
        let values = vec![syntax::Expression { nodes: Maker(span).constant(false) }];
        items.push(syntax::Item::Initial { names, values });
    }
    let mut places = FxHashMap::default();
    for item in &tree.items {
        match item {
            Item::Global(global) => {
                let name = &global.name;
                if let Some(first) = places.insert(name.text.as_str(), name.span) {
                    writer.twice("global variable", name, first);
                    continue;
                }
                writer.global(global, &mut items);
            }
            Item::Procedure(p) => {
                let formals = p.formals.iter().map(|(_, kind)| *kind).collect();
                let signature = Signature { returns: p.returns, formals, span: p.span };
                writer.signatures.entry(&p.name.text).or_insert(signature);
            }
        }
    }
    for procedure in tree.procedures() {
        items.push(syntax::Item::Procedure(writer.procedure(procedure)));
    }
    writer.values.mistakes.finish(SyntaxTree { items })
}

impl<'t> Writer<'t> {
    /// Reports a mistake.
    pub fn report(
        &mut self,
        kind: DiagnosticKind,
        span: Span,
        message: impl Into<String>,
        label: &str,
        hint: &str,
    ) {
        let mut diagnostic = Diagnostic::new(kind, span, message).with_label(label);
        diagnostic.hint = (!hint.is_empty()).then(|| hint.to_owned());
        self.values.mistakes.report(span.start as usize, diagnostic);
    }

    fn twice(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("{what} '{}' is declared twice", shorten(&name.text));
        let diagnostic = Diagnostic::new(DiagnosticKind::Duplicate, name.span, message)
            .with_label("declared again here")
            .with_related(first, "first declared here");
        self.values.mistakes.report(name.span.start as usize, diagnostic);
    }

    fn global(&mut self, global: &Declared, items: &mut Vec<syntax::Item>) {
        let (kind, span) = (global.kind, global.name.span);
        // Only what was declared before is visible.
        let given = match &global.value {
            Some(Value::Expression(e)) => Some(self.values.assigned(e, kind)),
            _ => None,
        };
        let own = self.values.names.global(&global.name, kind);
        let texts = self.values.written(kind, &own);
        let names = texts.iter().map(|text| Name { text: text.clone(), span });
        let any = given.as_ref().is_none_or(|given| given.any);
        items.push(match (given, self.values.greatest(kind)) {
            _ if kind == Type::Mutex => {
                let values = vec![syntax::Expression { nodes: Maker(span).constant(false) }];
                syntax::Item::Initial { names: names.collect(), values }
            }
            (_, Some(greatest)) if any => {
                // The highest bits first; the others depend on them.
                let values = (0..texts.len()).map(|i| one_of_bits(&texts, i, greatest, span));
                let names = names.rev().collect();
                syntax::Item::Initial { names, values: values.rev().collect() }
            }
            (Some(Assigned { values, .. }), _) => {
                syntax::Item::Initial { names: names.collect(), values }
            }
            (None, _) => syntax::Item::Declaration(names.collect()),
        });
    }

    fn procedure(&mut self, procedure: &'t Procedure) -> ProcedureSyntax {
        self.values.names.begin();
        self.values.unknown.clear();
        let mut formals = Vec::new();
        for (name, kind) in &procedure.formals {
            let span = name.span;
            match self.values.names.local(name, *kind, true) {
                Ok(own) => {
                    let texts = self.values.written(*kind, &own).into_iter();
                    formals.extend(texts.map(|text| Name { text, span }));
                }
                Err(first) => self.twice("parameter", name, first),
            }
        }
        let body = Body::new(self, procedure).written();
        self.values.names.close();
        let returns = procedure.returns.map_or(0, |kind| self.values.bits(kind).max(1));
        let name = named(&procedure.name);
        let (span, end) = (procedure.span, procedure.end);
        ProcedureSyntax { name, dfs: false, returns, formals, body, span, end }
    }

    /// The variable as targets, for values of its type; none, with a message, if it cannot be one.
    pub fn target(&mut self, name: &Name) -> Option<(Type, Vec<Target>)> {
        let (kind, own) = self.values.variable(name)?;
        Some((kind, targets(&self.values.written(kind, &own), name.span)))
    }

    /// Declares a variable of the innermost block; its names in the syntax tree.
    pub fn local(&mut self, name: &Name, kind: Type) -> Vec<String> {
        match self.values.names.local(name, kind, false) {
            Ok(own) => self.values.written(kind, &own),
            Err(first) => {
                self.twice("local variable", name, first);
                Vec::new()
            }
        }
    }

    /// An assignment; values of enumerations are some of those of their bits.
    pub fn assignment(
        &mut self,
        names: &[Name],
        values: &[Expression],
        span: Span,
    ) -> syntax::StatementKind {
        if names.len() != values.len() {
            let (n, of) = (values.len(), names.len());
            let message = format!("{n} value{} for {of} variables", if n == 1 { "" } else { "s" });
            self.report(DiagnosticKind::Arity, span, message, "as many are needed", "");
        }
        let (mut all, mut given, mut constrain) = (Vec::new(), Vec::new(), None);
        for (name, value) in names.iter().zip(values) {
            let Some((kind, targets)) = self.target(name) else {
                // For the mistakes in it.
                self.values.condition(value);
                continue;
            };
            let Assigned { values, any } = self.values.assigned(value, kind);
            if let Some(greatest) = self.values.greatest(kind).filter(|_| any) {
                let maker = Maker(value.span);
                let next = targets.iter().filter_map(|target| match target {
                    Target::Variable(name) => Some(maker.next(name.text.clone())),
                    Target::Discard(_) => None,
                });
                let limit = maker.number(greatest + 1, targets.len());
                let is_one = maker.less(next.collect(), limit);
                constrain = Some(match constrain.take() {
                    Some(before) => maker.both(before, is_one, syntax::Operator::And),
                    None => is_one,
                });
            }
            all.extend(targets);
            given.extend(values);
        }
        let constrain = constrain.map(|nodes| syntax::Expression { nodes });
        syntax::StatementKind::Assign { targets: all, values: given, constrain }
    }

    /// A call, with the targets for its value and their type.
    pub fn call(
        &mut self,
        call: &Call,
        target: Option<(Type, Vec<Target>)>,
        span: Span,
    ) -> syntax::StatementKind {
        let name = &call.procedure;
        let signature = self.signature(name);
        let mut arguments = Vec::new();
        for (i, argument) in call.arguments.iter().enumerate() {
            let kind = signature.as_ref().and_then(|s| s.formals.get(i));
            let kind = kind.copied().unwrap_or(Type::Bool);
            arguments.extend(self.values.assigned(argument, kind).values);
        }
        let Some(Signature { returns, formals, span: head }) = signature else {
            return syntax::StatementKind::Skip;
        };
        if formals.len() != call.arguments.len() {
            let counted = |n: usize| format!("{n} argument{}", if n == 1 { "" } else { "s" });
            let message = format!("procedure '{}' takes {}", name.text, counted(formals.len()));
            let diagnostic = Diagnostic::new(DiagnosticKind::Arity, span, message)
                .with_label(format!("{} given", call.arguments.len()))
                .with_related(head, "declared here");
            self.values.mistakes.report(span.start as usize, diagnostic);
        }
        let targets = target.map_or(Vec::new(), |(kind, targets)| {
            if returns != Some(kind) {
                let message = match returns {
                    None => format!("procedure '{}' returns no value", name.text),
                    _ => format!("the value of '{}' is of another type", name.text),
                };
                let diagnostic = Diagnostic::new(DiagnosticKind::Type, span, message)
                    .with_label("assigned here")
                    .with_related(head, "declared here");
                self.values.mistakes.report(span.start as usize, diagnostic);
            }
            targets
        });
        syntax::StatementKind::Call { targets, procedure: named(name), arguments }
    }

    /// Whether the text has a procedure of this name.
    pub fn has_procedure(&self, name: &str) -> bool {
        self.signatures.contains_key(name)
    }

    fn signature(&mut self, name: &Name) -> Option<Signature> {
        let found = self.signatures.get(name.text.as_str()).cloned();
        if found.is_none() {
            let near = Suggestions::default()
                .nearest(&name.text, self.signatures.keys().copied())
                .map_or(String::new(), |near| format!("did you mean '{near}'?"));
            let message = format!("undeclared procedure '{}'", shorten(&name.text));
            self.report(DiagnosticKind::Undeclared, name.span, message, "not declared", &near);
        }
        found
    }

    /// The start of a thread.
    pub fn start(&mut self, call: &Call, span: Span) -> syntax::StatementKind {
        match self.call(call, None, span) {
            syntax::StatementKind::Call { procedure, arguments, .. } => {
                let start = syntax::Start::Call { procedure, arguments };
                syntax::StatementKind::StartThread(start)
            }
            other => other,
        }
    }
}

/// Variables as targets.
pub(super) fn targets(names: &[String], span: Span) -> Vec<Target> {
    names.iter().map(|text| Target::Variable(Name { text: text.clone(), span })).collect()
}

/// A name of the text as one of the syntax tree.
pub(super) fn named(name: &Name) -> Name {
    let is_number = name.text.bytes().all(|b| b.is_ascii_digit());
    let text = if is_number { name.text.clone() } else { quoted(&name.text) };
    Name { text, span: name.span }
}

/// Any value for a bit, such that the number is at most `greatest`; higher bits have theirs already.
fn one_of_bits(texts: &[String], index: usize, greatest: u64, span: Span) -> syntax::Expression {
    let maker = Maker(span);
    let nodes = if greatest >> index & 1 == 1 {
        maker.any()
    } else {
        let above = texts[index + 1..].iter().map(|text| maker.variable(text.clone())).collect();
        let is_tight = maker.is(above, greatest >> (index + 1));
        maker.both(maker.any(), maker.not(is_tight), syntax::Operator::And)
    };
    syntax::Expression { nodes }
}
