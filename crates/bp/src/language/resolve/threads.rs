//! What makes a text one with threads: statements, labels, and the conventions of some tools.
//!
//! - Boppo: a call behind a label `ASYNC..` starts a thread.
//! - Getafix: procedure `init` runs alone up to its label `endinit`; then begin the threads `main`
//!   and `thread0`, `thread1`, ..., which nothing calls.  While the global `atomic` is T, no other
//!   thread runs.
//! - duet: without the label, `init` runs alone to its end; then begins any number of these.

use rustc_hash::FxHashSet;

use super::super::build::{constant, nondet};
use super::super::syntax::{
    Item, Name, ProcedureSyntax, Start, Statement, StatementKind, SyntaxTree, Target,
};
use super::{ResolveOptions, bodies};
use hardbop_base::source::Span;

/// How procedures are called that other threads do not interrupt.
pub(super) const ATOMIC: &str = "__VERIFIER_atomic_";

/// The first construct of a text that only programs with threads have, in words.
pub(super) fn construct(tree: &SyntaxTree) -> Option<(Span, String)> {
    let of_tree = tree.items.iter().find_map(|item| match item {
        Item::ThreadLocal(names) => Some((names.first()?.span, "'thread_local'".to_owned())),
        _ => None,
    });
    of_tree.or_else(|| bodies(tree).flat_map(|p| &p.body).find_map(of_statement))
}

fn of_statement(statement: &Statement) -> Option<(Span, String)> {
    let word = match &statement.kind {
        StatementKind::StartThread(_) => "'start_thread'",
        StatementKind::EndThread => "'end_thread'",
        StatementKind::AtomicBegin => "'atomic_begin'",
        StatementKind::AtomicEnd => "'atomic_end'",
        StatementKind::Call { .. } => {
            let label = statement.labels.iter().find(|l| is_async(l))?;
            return Some((label.span, format!("the label '{}'", label.text)));
        }
        _ => return None,
    };
    Some((statement.span, word.to_owned()))
}

/// Whether a call behind this label starts a thread.
pub(super) fn is_async(label: &Name) -> bool {
    label.text.starts_with("ASYNC")
}

/// Whether a program of this text has threads.
///
/// ```
/// use hardbop_bp::language::parser::parse;
/// use hardbop_bp::language::resolve::has_threads;
///
/// let tree = parse("void main() begin L: start_thread goto L; end", Default::default()).expect("a program");
/// assert!(has_threads(&tree, &Default::default()));
/// ```
pub fn has_threads(tree: &SyntaxTree, options: &ResolveOptions) -> bool {
    construct(tree).is_some() || threads(tree, options).is_some()
}

/// The threads that begin after `init`, if the text has that convention.
fn threads<'t>(tree: &'t SyntaxTree, options: &ResolveOptions) -> Option<Vec<&'t ProcedureSyntax>> {
    if options.entry != ResolveOptions::default().entry {
        return None;
    }
    let called: FxHashSet<&str> = (bodies(tree).flat_map(|p| &p.body))
        .filter_map(|s| match &s.kind {
            StatementKind::Call { procedure, .. }
            | StatementKind::StartThread(Start::Call { procedure, .. }) => {
                Some(procedure.text.as_str())
            }
            _ => None,
        })
        .collect();
    let free = |p: &&ProcedureSyntax| !called.contains(p.name.text.as_str());
    bodies(tree).filter(free).find(|p| p.name.text == "init" && p.formals.is_empty())?;
    let found: Vec<_> = bodies(tree).filter(free).filter(|p| is_thread(&p.name.text)).collect();
    (!found.is_empty()).then_some(found)
}

/// `main`, `thread0`, `thread1`, ...
pub(super) fn is_thread(name: &str) -> bool {
    let number = name.strip_prefix("thread");
    name == "main" || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// The text with its convention written out, and the procedure where it begins.
pub(super) fn written_out(
    tree: &SyntaxTree,
    options: &ResolveOptions,
) -> Option<(SyntaxTree, &'static str)> {
    let starts: Vec<StatementKind> = (threads(tree, options)?.into_iter())
        .map(|thread| {
            let arguments = thread.formals.iter().map(|_| nondet()).collect();
            StatementKind::StartThread(Start::Call { procedure: thread.name.clone(), arguments })
        })
        .collect();
    let mut tree = tree.clone();
    for item in &mut tree.items {
        let Item::Procedure(procedure) = item else { continue };
        atomic(procedure);
        if procedure.name.text == "init" {
            start(procedure, &starts);
        }
    }
    Some((tree, "init"))
}

/// Lets `init` start the threads: once at its label `endinit`, or any number of them at its end.
fn start(init: &mut ProcedureSyntax, starts: &[StatementKind]) {
    let plain = |kind: StatementKind, span| Statement { labels: Vec::new(), kind, span };
    let is_end = |s: &Statement| s.labels.iter().any(|l| l.text == "endinit");
    if let Some(position) = init.body.iter().position(is_end) {
        let labels = std::mem::take(&mut init.body[position].labels);
        let span = init.body[position].span;
        let kinds = starts.iter().cloned().chain([StatementKind::EndThread]);
        let mut new: Vec<Statement> = kinds.map(|kind| plain(kind, span)).collect();
        new[0].labels = labels;
        init.body.splice(position..position, new);
        return;
    }
    let span = init.end;
    // Names that no text can have.
    let name = |i: usize| Name { text: format!("start@{i}"), span };
    let again = || StatementKind::Goto((0..=starts.len()).map(name).collect());
    for statement in &mut init.body {
        if matches!(statement.kind, StatementKind::Return(_)) {
            statement.kind = again();
        }
    }
    init.body.push(plain(again(), span));
    for (i, kind) in starts.iter().enumerate() {
        init.body.push(Statement { labels: vec![name(i)], kind: kind.clone(), span });
        init.body.push(plain(again(), span));
    }
    let kind = StatementKind::EndThread;
    init.body.push(Statement { labels: vec![name(starts.len())], kind, span });
}

/// Writes `atomic := T` and `atomic := F` out: no other thread runs in between.
fn atomic(procedure: &mut ProcedureSyntax) {
    let body = std::mem::take(&mut procedure.body);
    for mut statement in body {
        let span = statement.span;
        let extra = |labels, kind| Statement { labels, kind, span };
        match given(&statement.kind) {
            Some(true) => {
                let labels = std::mem::take(&mut statement.labels);
                procedure.body.push(extra(labels, StatementKind::AtomicBegin));
                procedure.body.push(statement);
            }
            Some(false) => {
                procedure.body.push(statement);
                procedure.body.push(extra(Vec::new(), StatementKind::AtomicEnd));
            }
            None => procedure.body.push(statement),
        }
    }
}

/// The constant that a statement assigns to `atomic`.
fn given(kind: &StatementKind) -> Option<bool> {
    let StatementKind::Assign { targets, values, .. } = kind else { return None };
    let is_flag = |t: &Target| matches!(t, Target::Variable(n) if matches!(n.text.as_str(), "atomic" | "super_atomic"));
    let position = targets.iter().position(is_flag)?;
    let operators: Vec<_> = values.get(position)?.nodes.iter().map(|n| &n.operator).collect();
    let is = |value: bool| operators == [&constant(value).nodes[0].operator];
    if is(true) { Some(true) } else { is(false).then_some(false) }
}
