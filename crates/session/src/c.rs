//! C programs: from the report of a check to its document.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::contents::{checked, proved};
use hardbop_base::budget::{Budget, peak_resident_bytes};
use hardbop_base::rejected::Rejected;
use hardbop_base::source::Span;
use hardbop_c::execute::{Execution, Undefined};
use hardbop_c::flow::Flow;
use hardbop_c::lower::words;
use hardbop_cfa::Goal;
use hardbop_refine::proof::invariant::Invariant as Proof;
use hardbop_refine::tree as refine;
use hardbop_report::document::{
    AnsweredBy, COptions, Document, Invariant, Outline, OutlineKind, OutlineNode, Reason, Settings,
    Subject, Verdict,
};
use hardbop_report::formula::c as formula;
use hardbop_report::statistics::{Table, Verification};
use hardbop_report::trace::Trace;
use hardbop_smt::{Node, Term, Terms, Value, forms};
use hardbop_verify::{
    self as verify, CProgram, Outcome, Report, UnknownReason, VerifyError, Watcher,
};

/// Decides, with the answer as a document.
///
/// # Errors
/// A solver fails, or hardbop has a mistake.
pub fn check(
    flow: &Flow,
    options: &COptions,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<(Report, Document), VerifyError> {
    let mut report = verify::check(CProgram::new(flow), &options.verify, budget, watcher)?;
    let mut document = documented(flow, &mut report, options, budget);
    document.checked = Some(checked(flow, &options.property));
    if document.verdict == Verdict::Unknown {
        document.proved = report.open_errors.as_ref().map_or(vec![], |open| proved(flow, open));
    }
    Ok((report, document))
}

/// The document of a report.
pub(super) fn documented(
    flow: &Flow,
    report: &mut Report,
    options: &COptions,
    budget: &Budget,
) -> Document {
    let shown = shown(flow, report, budget);
    let options = COptions { data_model: Some(flow.types.model), ..options.clone() };
    let mut document = answer(flow, report, &options);
    document.invariants = shown;
    document.outline = report.outline.take().map(|outline| outlined(flow, report, outline));
    document
}

fn answer(flow: &Flow, report: &Report, options: &COptions) -> Document {
    let run = Verification {
        tree: &report.statistics,
        boolean: report.boolean.as_ref(),
        phases: report.phases,
        steps: &report.steps,
        reduction: report.reduction,
        peak_memory_bytes: peak_resident_bytes().unwrap_or(0),
    };
    let (verdict, reason) = match &report.outcome {
        Outcome::Safe(_) => (Verdict::Safe, None),
        Outcome::Unsafe(_) => (Verdict::Unsafe, None),
        Outcome::Unknown(reason) => (Verdict::Unknown, Some(placed(flow, reason))),
    };
    let by = match &report.boolean {
        Some(_) => AnsweredBy::Bp,
        None if report.by_executions => AnsweredBy::Executions,
        None => AnsweredBy::Tree,
    };
    let file = flow.source.name.clone();
    let mut document = ended(file, (verdict, reason), by, options, run.into());
    document.assumptions = words(&report.assumptions);
    document.warnings = warnings(flow, report);
    match &report.outcome {
        Outcome::Unsafe(execution) => {
            document.trace = Some(Trace::of_execution(flow, execution));
            document.warnings.extend(undefined(flow, execution));
        }
        Outcome::Safe(_) | Outcome::Unknown(_) => {}
    }
    document
}

/// The reason, with the line of what is not supported.
fn placed(flow: &Flow, reason: &UnknownReason) -> Reason {
    let mut placed = Reason::from(reason);
    if let UnknownReason::Unsupported { span, .. } = reason {
        placed.message = format!("{} {}", placed.message, flow.source.words(span.start));
    }
    placed
}

/// The document of a run without evidence, such as one that was ended.
#[must_use]
pub fn ended(
    file: String,
    verdict: (Verdict, Option<Reason>),
    by: AnsweredBy,
    options: &COptions,
    statistics: Table,
) -> Document {
    let subject = Subject {
        file: Some(file),
        property: options.property.formulas(),
        options: Settings::C(Box::new(options.clone())),
    };
    Document::new(subject, verdict, by, statistics)
}

/// Work for shorter forms of invariants, in units of the budget.
const SHORTENING: u64 = 20_000;

/// The invariant's formulas in the order of the text.  Locations between blocks are loop heads, and
/// joins of paths that come from several of them; where nothing is known nothing is said.
fn shown(flow: &Flow, found: &mut Report, budget: &Budget) -> Vec<Invariant> {
    let Outcome::Safe(Proof { at, .. }) = &found.outcome else { return vec![] };
    if !flow.threads.is_empty() {
        // They are about the scheduler, which the text does not have.
        return vec![];
    }
    let known = at.iter().filter(|(_, f)| found.terms.value(*f).is_none());
    let known: Vec<_> = known.copied().collect();
    let budget = budget.trial(SHORTENING);
    let library: FxHashSet<&str> = flow
        .variables
        .iter()
        .filter(|variable| variable.function.is_none() && flow.is_in_library(variable.span))
        .map(|variable| variable.name.as_str())
        .collect();
    let at = known.into_iter().filter_map(|(location, formula)| {
        let edge = found.automaton.edges.iter().find(|e| e.source == location)?;
        if flow.is_in_library(edge.place.span) {
            return None;
        }
        let formula = of_program(&mut found.terms, formula, &library)?;
        let function = flow.functions.get(edge.place.function as usize)?;
        let position = flow.source.position(edge.place.span.start);
        let line = position.line;
        let is_first = position.file == flow.source.name;
        Some(Invariant {
            function: function.name.clone(),
            place: if is_first {
                format!("line {line}")
            } else {
                format!("{}:{line}", position.file)
            },
            file: (!is_first).then(|| position.file.to_owned()),
            line: Some(line),
            location: None,
            calls: vec![],
            formula: Some(shortest(found, formula, &function.name, &budget)),
        })
    });
    let mut shown: Vec<Invariant> = at.collect();
    shown.sort_by(|a, b| (a.line, &a.formula).cmp(&(b.line, &b.formula)));
    shown
}

/// What a formula says without the variables that the library has in its own code; nothing if that is all.  It follows from the
/// formula.
fn of_program(terms: &mut Terms, formula: Term, library: &FxHashSet<&str>) -> Option<Term> {
    if library.is_empty() {
        return Some(formula);
    }
    match terms.node(formula).clone() {
        Node::And(parts) => {
            let parts = parts.iter().filter_map(|part| of_program(terms, *part, library));
            let parts: Vec<Term> = parts.collect();
            (!parts.is_empty()).then(|| terms.and(&parts))
        }
        Node::Or(parts) => {
            let parts: Option<Vec<Term>> =
                parts.iter().map(|part| of_program(terms, *part, library)).collect();
            parts.map(|parts| terms.or(&parts))
        }
        _ => Some(formula).filter(|f| !is_about(terms, *f, library)),
    }
}

/// Whether all variables of a formula, of which it has some, are among these; an array or a struct is one.
fn is_about(terms: &Terms, formula: Term, these: &FxHashSet<&str>) -> bool {
    let parts = terms.postorder(&[formula], |_| false).into_iter();
    let mut symbols = parts.filter_map(|part| match *terms.node(part) {
        Node::Variable(symbol) | Node::Instance(symbol, _) => Some(terms.name(symbol)),
        _ => None,
    });
    let is_one = |name: &str| these.contains(name.split(['.', '[']).next().unwrap_or(name));
    symbols.next().is_some_and(is_one) && symbols.all(is_one)
}

/// The tree, with its places in the text.
fn outlined(flow: &Flow, report: &Report, outline: refine::Outline) -> Outline {
    let of = |node: refine::Outlined| {
        let edges = &report.automaton.edges;
        let leaving = edges.iter().find(|e| e.source == node.location);
        let edge = leaving.or_else(|| edges.iter().find(|e| e.target == node.location));
        let function = edge.and_then(|e| flow.functions.get(e.place.function as usize));
        let span = edge.map(|e| e.place.span);
        // Executions begin with the initial values of variables, which are of no function.
        let main = flow.functions.get(flow.main.0 as usize).filter(|_| node.parent.is_none());
        let (function, span) = main.map_or((function, span), |f| (Some(f), Some(f.span)));
        let position = span.map(|span| flow.source.position(span.start));
        let goal = report.automaton.goal(node.location);
        let function = function.map(|f| f.name.as_str());
        let mut name = function.unwrap_or("the program").to_owned();
        if let Some(position) = &position {
            let is_first = position.file == flow.source.name;
            let file = if is_first { "line ".to_owned() } else { format!("{}:", position.file) };
            name = format!("{name}, {file}{}", position.line);
        }
        match goal {
            Some(Goal::Error) => name.push_str(": the error"),
            Some(_) => name.push_str(": not followed"),
            None => {}
        }
        let text = match report.terms.value(node.state) {
            Some(Value::Bool(true)) => String::new(),
            _ if length(report, node.state) > LONG => "(a very long formula)".to_owned(),
            _ => formula::text(report, node.state, function),
        };
        let known = (!text.is_empty()).then(|| (String::new(), text));
        OutlineNode {
            parent: node.parent,
            name,
            file: position.as_ref().map(|p| p.file.to_owned()),
            line: position.map(|p| p.line),
            known: known.into_iter().collect(),
            stands_for: node.covered_by,
            is_error: goal == Some(&Goal::Error),
        }
    };
    let refine::Outline { nodes, left_out } = outline;
    let nodes = nodes.into_iter().map(of).collect();
    Outline { kind: OutlineKind::ReachabilityTree, nodes, left_out }
}

/// Parts of a state's formula beyond which a page does not have it.
const LONG: u64 = 1_000;

/// The parts of a term, each as often as its text has it.
fn length(report: &Report, term: Term) -> u64 {
    let mut known: FxHashMap<Term, u64> = FxHashMap::default();
    for part in report.terms.postorder(&[term], |_| false) {
        let inner = report.terms.children(part).into_iter().map(|child| known[&child]);
        known.insert(part, inner.fold(1, u64::saturating_add));
    }
    known[&term]
}

/// The formula in its shortest form, as `function` writes it.
fn shortest(found: &mut Report, formula: Term, function: &str, budget: &Budget) -> String {
    let text = formula::text(found, formula, Some(function));
    let forms = forms(&mut found.terms, formula, budget).into_iter();
    let forms = forms.map(|form| formula::text(found, form, Some(function)));
    std::iter::once(text).chain(forms).min_by_key(String::len).unwrap_or_default()
}

fn place(flow: &Flow, span: Span, words: &str) -> String {
    let at = flow.source.position(span.start);
    format!("{}:{}:{}: {words}", at.file, at.line, at.column)
}

/// The warnings of the parser, and the rejected claims of the run.
pub(super) fn warnings(flow: &Flow, report: &Report) -> Vec<String> {
    let parsed = flow.warnings.iter().map(|w| place(flow, w.span, &w.message));
    parsed.chain(report.rejected.iter().map(Rejected::warning)).collect()
}

/// The operations on the way to an error that C does not define.
fn undefined<'a>(flow: &'a Flow, execution: &'a Execution) -> impl Iterator<Item = String> + 'a {
    execution.undefined.iter().map(|&(span, what)| {
        let meaning = match what {
            Undefined::Overflow => "numbers wrap around here, as with 'gcc -fwrapv'",
            Undefined::ShiftCount => "the count is taken modulo the width here",
        };
        let words = format!("{what} on the way to the error, which C does not define; {meaning}");
        place(flow, span, &words)
    })
}
