//! Names and checks: from a syntax tree to a [`Program`].
//!
//! All mistakes of a text are reported in one run, in the order of the text; an undeclared name is
//! reported once per procedure.

mod body;
mod broadcast;
mod threads;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

pub use threads::has_threads;

use super::concurrent::{Concurrent, ThreadStep};
use super::lower::lower;
use super::program::{Operation, ProcId, Procedure, Program, VarId, Variable, VariableKind};
use super::syntax::{Expression, Item, Name, ProcedureSyntax, StatementKind, SyntaxTree};
use hardbop_base::source::Suggestions;
use hardbop_base::source::{Diagnostic, DiagnosticKind};
use hardbop_base::source::{Source, Span};

/// The property to be checked.
///
/// ```
/// use hardbop_base::source::Source;
/// use hardbop_bp::language::parser::parse;
/// use hardbop_bp::language::resolve::{ResolveOptions, resolve};
///
/// let mut options = ResolveOptions::default();
/// options.entry = "start".to_owned();
/// options.error_labels = vec!["DEADLOCK".to_owned()];
/// let source = Source::new("lock.bp", "void start() begin if (*) then DEADLOCK: skip; fi end");
/// let tree = parse(&source.text, Default::default()).expect("a program");
/// assert!(resolve(source.clone(), &tree, &options).is_ok());
/// let mistakes = resolve(source, &tree, &ResolveOptions::default()).unwrap_err();
/// assert!(mistakes[0].message.contains("main"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub struct ResolveOptions {
    /// The procedure that the program starts with.
    pub entry: String,
    /// Labels that must not be reached.
    pub error_labels: Vec<String>,
    /// Whether `assert` and `abortif` are checked; otherwise they do nothing.
    pub check_asserts: bool,
}

impl Default for ResolveOptions {
    fn default() -> Self {
        Self {
            entry: "main".to_owned(),
            error_labels: vec!["ERROR".to_owned(), "SLIC_ERROR".to_owned()],
            check_asserts: true,
        }
    }
}

impl ResolveOptions {
    /// The error labels, where they are not the default ones, which programs need not have.
    pub fn asked_labels(&self) -> &[String] {
        if self.error_labels == Self::default().error_labels { &[] } else { &self.error_labels }
    }
}

/// Resolves all names of `tree`, the syntax tree of `source`, and lowers it.
///
/// # Errors
///
/// Everything that is wrong with the text, sorted by position; never empty.  A program with threads
/// is for [`resolve_threads`].
pub fn resolve(
    source: Source,
    tree: &SyntaxTree,
    options: &ResolveOptions,
) -> Result<Program, Vec<Diagnostic>> {
    let construct = threads::construct(tree);
    if construct.is_some() || threads::has_threads(tree, options) {
        let (span, what) = construct.unwrap_or((Span::default(), "'init' before threads".into()));
        let message = format!("{what}: this program has threads");
        let hint = "'hardbop check' decides programs with threads; other commands do not take them";
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message);
        return Err(vec![diagnostic.with_label("not sequential").with_hint(hint)]);
    }
    resolved(source, tree, options, false).map(|concurrent| concurrent.program)
}

/// Resolves all names of `tree`, which may have threads.
///
/// # Errors
///
/// As [`resolve`].
///
/// ```
/// use hardbop_base::source::Source;
/// use hardbop_bp::language::parser::parse;
/// use hardbop_bp::language::resolve::resolve_threads;
///
/// let text = "decl x; void f() begin x := T; end void main() begin start_thread f(); assert(x); end";
/// let tree = parse(text, Default::default()).expect("a program");
/// let program = resolve_threads(Source::new("f.bp", text), &tree, &Default::default()).expect("names");
/// assert_eq!(program.shared().count(), 1);
/// ```
pub fn resolve_threads(
    source: Source,
    tree: &SyntaxTree,
    options: &ResolveOptions,
) -> Result<Concurrent, Vec<Diagnostic>> {
    match threads::written_out(tree, options) {
        Some((tree, entry)) => {
            let options = ResolveOptions { entry: entry.to_owned(), ..options.clone() };
            resolved(source, &tree, &options, true)
        }
        None => resolved(source, tree, options, true),
    }
}

fn resolved(
    source: Source,
    tree: &SyntaxTree,
    options: &ResolveOptions,
    with_threads: bool,
) -> Result<Concurrent, Vec<Diagnostic>> {
    let mut resolver = Resolver::new(options, with_threads);
    resolver.declare(tree);
    resolver.entry = resolver.entry();
    let mut procedures = Vec::with_capacity(resolver.heads.len());
    for index in 0..resolver.heads.len() {
        procedures.push(resolver.procedure(index));
    }
    resolver.threads(&procedures);
    resolver.entry_is_free(tree, &procedures);
    resolver.starts_are_free(&procedures);
    let mut diagnostics = resolver.report.diagnostics;
    let Some(entry) = resolver.entry.filter(|_| diagnostics.is_empty()) else {
        diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
        diagnostics.dedup();
        return Err(diagnostics);
    };
    let is_atomic = |&i: &usize| with_threads && procedures[i].name.starts_with(threads::ATOMIC);
    let atomic = (0..procedures.len()).filter(is_atomic).map(|i| ProcId(i as u32)).collect();
    let mut passive: Vec<_> = resolver.passive.into_iter().map(|(x, other)| (other, x)).collect();
    passive.sort_unstable();
    let program = Program {
        source,
        globals: resolver.globals,
        variables: resolver.variables,
        procedures,
        entry,
        states_error: states_error(tree, options),
    };
    Ok(Concurrent { program, thread_locals: resolver.thread_locals, passive, atomic })
}

/// The labels among `labels` that no statement of the text carries, in the given order.
///
/// This is for a warning: a misspelt error label would make any program safe.
pub fn missing_labels(tree: &SyntaxTree, labels: &[String]) -> Vec<String> {
    let present: FxHashSet<&str> = bodies(tree)
        .flat_map(|p| &p.body)
        .flat_map(|s| &s.labels)
        .map(|l| l.text.as_str())
        .collect();
    labels.iter().filter(|l| !present.contains(l.as_str())).cloned().collect()
}

/// Whether a statement of the text is an error by these options.
fn states_error(tree: &SyntaxTree, options: &ResolveOptions) -> bool {
    bodies(tree).flat_map(|p| &p.body).any(|statement| {
        let is_assertion =
            matches!(statement.kind, StatementKind::Assert(_) | StatementKind::AbortIf(_));
        is_assertion && options.check_asserts
            || statement.labels.iter().any(|label| options.error_labels.contains(&label.text))
    })
}

fn bodies(tree: &SyntaxTree) -> impl Iterator<Item = &ProcedureSyntax> {
    tree.items.iter().filter_map(|i| if let Item::Procedure(p) = i { Some(p) } else { None })
}

/// Collects diagnostics.
#[derive(Default)]
struct Report {
    diagnostics: Vec<Diagnostic>,
    suggestions: Suggestions,
}

impl Report {
    /// Adds a diagnostic and returns it, to set `related` and `hint`.
    fn add(
        &mut self,
        kind: DiagnosticKind,
        span: Span,
        message: String,
        label: impl Into<String>,
    ) -> &mut Diagnostic {
        let index = self.diagnostics.len();
        self.diagnostics.push(Diagnostic::new(kind, span, message).with_label(label));
        &mut self.diagnostics[index]
    }

    fn duplicate(&mut self, what: &str, name: &Name, first: Span) {
        let message = format!("{what} '{}' is declared twice", name.text);
        self.add(DiagnosticKind::Duplicate, name.span, message, "declared again here").related =
            Some((first, "first declared here".to_owned()));
    }
}

/// The procedures that declare names which are not visible here; for hints.
#[derive(Default)]
struct Elsewhere<'a> {
    labels: FxHashMap<&'a str, &'a str>,
    variables: FxHashMap<&'a str, &'a str>,
}

struct Resolver<'a> {
    options: &'a ResolveOptions,
    report: Report,
    variables: Vec<Variable>,
    globals: Vec<VarId>,
    global_names: FxHashMap<&'a str, VarId>,
    /// All procedures, in the order of the text.
    heads: Vec<&'a ProcedureSyntax>,
    /// The first procedure of each name.
    procedure_names: FxHashMap<&'a str, ProcId>,
    elsewhere: Elsewhere<'a>,
    /// Whether the program may have threads.
    with_threads: bool,
    entry: Option<ProcId>,
    /// The values with which globals start, until the entry procedure is lowered.
    initial: Vec<(&'a Name, &'a Expression)>,
    thread_locals: Vec<VarId>,
    /// The variables x of other threads, with `x$`.
    passive: FxHashMap<VarId, VarId>,
}

impl<'a> Resolver<'a> {
    fn new(options: &'a ResolveOptions, with_threads: bool) -> Self {
        Self {
            with_threads,
            entry: None,
            initial: Vec::new(),
            thread_locals: Vec::new(),
            passive: FxHashMap::default(),
            options,
            report: Report::default(),
            variables: Vec::new(),
            globals: Vec::new(),
            global_names: FxHashMap::default(),
            heads: Vec::new(),
            procedure_names: FxHashMap::default(),
            elsewhere: Elsewhere::default(),
        }
    }

    /// Records all globals and procedures, which are visible in the whole text.
    fn declare(&mut self, tree: &'a SyntaxTree) {
        for item in &tree.items {
            match item {
                Item::Declaration(names) => {
                    for name in names {
                        self.global(name);
                    }
                }
                Item::ThreadLocal(names) => {
                    for name in names {
                        self.global(name);
                        self.thread_locals.extend(self.global_names.get(name.text.as_str()));
                    }
                }
                Item::Initial { names, values } => {
                    for (name, value) in names.iter().zip(values) {
                        self.global(name);
                        self.initial.push((name, value));
                    }
                }
                Item::Procedure(procedure) => {
                    let id = ProcId(self.heads.len() as u32);
                    self.heads.push(procedure);
                    let name = &procedure.name;
                    if let Some(&first) = self.procedure_names.get(name.text.as_str()) {
                        let first = self.heads[first.index()].name.span;
                        self.report.duplicate("procedure", name, first);
                    } else {
                        self.procedure_names.insert(&name.text, id);
                    }
                    self.note_elsewhere(procedure);
                }
            }
        }
    }

    fn note_elsewhere(&mut self, procedure: &'a ProcedureSyntax) {
        let owner = procedure.name.text.as_str();
        for formal in &procedure.formals {
            self.elsewhere.variables.entry(&formal.text).or_insert(owner);
        }
        for statement in &procedure.body {
            for label in &statement.labels {
                self.elsewhere.labels.entry(&label.text).or_insert(owner);
            }
            if let StatementKind::Declare(names) = &statement.kind {
                for name in names {
                    self.elsewhere.variables.entry(&name.text).or_insert(owner);
                }
            }
        }
    }

    fn variable(&mut self, name: &str, span: Span, kind: VariableKind) -> VarId {
        self.variables.push(Variable { name: name.to_owned(), kind, span });
        VarId(self.variables.len() as u32 - 1)
    }

    fn global(&mut self, name: &'a Name) {
        if !self.declarable(name) {
            return;
        }
        if let Some(&first) = self.global_names.get(name.text.as_str()) {
            let first = self.variables[first.index()].span;
            self.report.duplicate("global variable", name, first);
            return;
        }
        let id = self.variable(&name.text, name.span, VariableKind::Global);
        self.globals.push(id);
        self.global_names.insert(&name.text, id);
    }

    fn declarable(&mut self, name: &Name) -> bool {
        if name.text == "_" {
            let message = "'_' cannot be declared".to_owned();
            let label = "'_' drops a value";
            self.report.add(DiagnosticKind::Misplaced, name.span, message, label);
        }
        name.text != "_"
    }

    /// Refuses what Getafix calls threads, `thread0` and so on, where nothing starts them.
    fn threads(&mut self, procedures: &[Procedure]) {
        if self.with_threads || self.options.entry != ResolveOptions::default().entry {
            return;
        }
        let called: FxHashSet<ProcId> = calls(procedures).collect();
        let is_thread = |name: &str| name != "main" && threads::is_thread(name);
        let thread = (self.heads.iter().enumerate())
            .find(|(i, head)| is_thread(&head.name.text) && !called.contains(&ProcId(*i as u32)));
        let Some((_, head)) = thread else { return };
        let name = &head.name;
        let message = format!("nothing starts the thread '{}'", name.text);
        let hint = format!(
            "threads begin where a procedure 'init' that nothing calls has the label 'endinit'; if it is no thread, call \
             it or start with --entry {}",
            name.text
        );
        let kind = DiagnosticKind::Unsupported;
        self.report.add(kind, name.span, message, "nothing calls it").hint = Some(hint);
    }

    /// Refuses threads that begin where no other one may step.
    fn starts_are_free(&mut self, procedures: &[Procedure]) {
        let edges = procedures.iter().flat_map(|p| p.edges.iter().map(move |e| (p, e)));
        for (procedure, edge) in edges {
            let name = match edge.thread.as_deref() {
                Some(ThreadStep::Call(call)) => &self.heads[call.callee.index()].name.text,
                Some(ThreadStep::Start) => &procedure.name,
                _ => continue,
            };
            if name.starts_with(threads::ATOMIC) {
                let message = format!("a thread cannot begin in '{name}'");
                let label = "no other thread steps during this procedure";
                self.report.add(DiagnosticKind::Unsupported, edge.span, message, label);
            }
        }
    }

    /// Refuses calls of the entry procedure where it matters that it is executed once.
    fn entry_is_free(&mut self, tree: &SyntaxTree, procedures: &[Procedure]) {
        let is_initial = |item: &Item| matches!(item, Item::Initial { .. });
        let why = if tree.items.iter().any(is_initial) {
            "there 'decl x := e' is executed"
        } else if !self.passive.is_empty() {
            "its variables are assigned by 'x$ := e'"
        } else {
            return;
        };
        if let Some(entry) = self.entry.filter(|&entry| calls(procedures).any(|p| p == entry)) {
            let head = self.heads[entry.index()];
            let message = format!("'{}' is called, but {why}", head.name.text);
            let kind = DiagnosticKind::Unsupported;
            self.report.add(
                kind,
                head.name.span,
                message,
                "the program begins here, and only once",
            );
        }
    }

    /// The entry procedure, or what is wrong with it.
    fn entry(&mut self) -> Option<ProcId> {
        let wanted = self.options.entry.as_str();
        if let Some(&entry) = self.procedure_names.get(wanted) {
            return Some(entry);
        }
        let kind = DiagnosticKind::Undeclared;
        if self.heads.is_empty() {
            let message = "the program has no procedures".to_owned();
            self.report.add(kind, Span::default(), message, "");
            return None;
        }
        let near = self
            .report
            .suggestions
            .nearest(wanted, self.heads.iter().map(|h| h.name.text.as_str()));
        let hint = if let Some(name) = near {
            format!("start elsewhere with --entry {name}")
        } else {
            let mut names: Vec<&str> = Vec::new();
            for head in &self.heads {
                if !names.contains(&head.name.text.as_str()) && names.len() < 6 {
                    names.push(&head.name.text);
                }
            }
            let more = if names.len() > 5 { ", ..." } else { "" };
            names.truncate(5);
            format!("start elsewhere with --entry NAME; NAME can be {}{more}", names.join(", "))
        };
        let message = format!("there is no entry procedure '{wanted}'");
        self.report.add(kind, Span::default(), message, "").hint = Some(hint);
        None
    }

    /// Checks and lowers a procedure; after a mistake, the graph means nothing.
    fn procedure(&mut self, index: usize) -> Procedure {
        let head = self.heads[index];
        let id = ProcId(index as u32);
        let resolved = body::resolve(self, id, head);
        let graph = lower(resolved.statements, &resolved.returns, head.end, self.with_threads);
        let variables = [resolved.formals, resolved.locals, resolved.returns];
        graph.procedure(head.name.text.clone(), variables, head.span)
    }
}

/// The procedures that are called or started.
fn calls(procedures: &[Procedure]) -> impl Iterator<Item = ProcId> + '_ {
    procedures.iter().flat_map(|p| &p.edges).filter_map(|edge| {
        match (&edge.operation, edge.thread.as_deref()) {
            (Operation::Call(call), _) | (_, Some(ThreadStep::Call(call))) => Some(call.callee),
            _ => None,
        }
    })
}

/// `1 value`, `2 values`.
fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}
