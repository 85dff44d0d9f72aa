//! Described automata: from the report of a check to its document.

use std::fmt::{self, Write as _};

use hardbop_base::budget::{Budget, peak_resident_bytes};
use hardbop_base::rejected::Rejected;
use hardbop_cfa::Place;
use hardbop_cfa::description::{Described, Description};
use hardbop_cfa::execute::Execution;
use hardbop_report::document::{
    AnsweredBy, AutomataOptions, Document, Invariant, OpenCall, Settings, Subject, Verdict,
};
use hardbop_report::statistics::Verification;
use hardbop_report::trace::Trace;
use hardbop_smt::{Term, Terms};
use hardbop_verify::{self as verify, Automata, Outcome, Report, VerifyError, Watcher, subject};

/// Length of a formula beyond which it is not shown: shared parts are written as often as they
/// occur.
const LONGEST: usize = 1 << 20;

/// Decides, with the answer as a document.  `terms` are those of the program.
///
/// # Errors
/// A solver fails, or hardbop has a mistake.
pub fn check(
    terms: Terms,
    program: (&Description, &Described),
    options: &AutomataOptions,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<Document, VerifyError> {
    let subject = Automata::new(terms, &program.1.program);
    let mut report = verify::check(subject, &options.verify, budget, watcher)?;
    Ok(answer(program, options, &mut report))
}

/// The answer as a document.
///
/// Invariants hold between blocks; other locations with these calls are not reached, or lie inside
/// a block.
#[must_use]
pub fn answer(
    (description, described): (&Description, &Described),
    options: &AutomataOptions,
    report: &mut Report<Execution>,
) -> Document {
    let run = Verification {
        tree: &report.statistics,
        boolean: report.boolean.as_ref(),
        phases: report.phases,
        steps: &report.steps,
        reduction: report.reduction,
        peak_memory_bytes: peak_resident_bytes().unwrap_or(0),
    };
    let verdict = match &report.outcome {
        Outcome::Safe(_) => (Verdict::Safe, None),
        Outcome::Unsafe(_) => (Verdict::Unsafe, None),
        Outcome::Unknown(reason) => (Verdict::Unknown, Some(reason.into())),
    };
    let by = if report.boolean.is_some() { AnsweredBy::Bp } else { AnsweredBy::Tree };
    let asked = Subject {
        file: None,
        property: vec!["G ! error".to_owned()],
        options: Settings::Automata(Box::new(options.clone())),
    };
    let mut document = Document::new(asked, verdict, by, run.into());
    document.warnings = report.rejected.iter().map(Rejected::warning).collect();
    let Report { terms, outcome, automaton, predicates, boolean, .. } = report;
    if boolean.is_some() {
        let predicates = predicates.iter();
        document.predicates = predicates.filter_map(|&p| limited(terms, p)).collect();
    }
    match &*outcome {
        Outcome::Safe(invariant) => {
            let found = subject::invariants(&described.program, automaton, invariant);
            let program = (description, described);
            document.invariants =
                found.iter().filter_map(|at| invariant_at(program, terms, at)).collect();
        }
        Outcome::Unsafe(execution) => {
            document.trace = Some(Trace::of_automata((description, described), terms, execution));
        }
        Outcome::Unknown(_) => {}
    }
    document
}

/// The formula at a location that has a name.
fn invariant_at(
    (description, described): (&Description, &Described),
    terms: &Terms,
    found: &subject::LocationInvariant,
) -> Option<Invariant> {
    let location = described.locations[found.function][found.location.index()].clone()?;
    let name = |function: usize| description.functions[function].name.clone();
    let call = |p: &Place| OpenCall { function: name(p.function as usize), edge: p.instruction };
    Some(Invariant {
        function: name(found.function),
        place: format!("location {location}"),
        file: None,
        line: None,
        location: Some(location),
        calls: found.calls.iter().map(call).collect(),
        formula: limited(terms, found.formula),
    })
}

/// The text of a term, unless it is too long.
fn limited(terms: &Terms, term: Term) -> Option<String> {
    struct Limited(String);
    impl fmt::Write for Limited {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            if self.0.len() + text.len() > LONGEST {
                return Err(fmt::Error);
            }
            self.0.push_str(text);
            Ok(())
        }
    }
    let mut out = Limited(String::new());
    write!(out, "{}", terms.display(term)).ok()?;
    Some(out.0)
}
