//! C programs.

use crate::base::source::Span;
use crate::present::c_invariant;
use crate::present::c_json::{CDocument, CExpected, CInvariant};
use crate::present::c_trace::CTraceReport;
use crate::present::json::Verdict;
use crate::program::c::ParseOptions;
use crate::program::c::execute::Undefined;
use crate::program::c::flow::Flow;
use crate::refine::cegar::statistics::{BooleanStatistics, RefinementStatistics, TreeStatistics};
use crate::verify::{Options, Outcome, Phases, Reduction, Report, UnknownReason};

/// How a run ended.
#[derive(Debug)]
pub struct Answer {
    pub verdict: Verdict,
    pub reason: Option<UnknownReason>,
    pub statistics: RefinementStatistics<TreeStatistics>,
    /// Of the route through Boolean programs.
    pub boolean: Option<RefinementStatistics<BooleanStatistics>>,
    pub phases: Phases,
    pub reduction: Reduction,
    pub assumptions: Vec<String>,
    pub invariants: Vec<CInvariant>,
    pub trace: Option<CTraceReport>,
    pub warnings: Vec<String>,
}

/// What goes with a document besides the answer.
#[derive(Debug, Clone)]
pub struct Form<'a> {
    pub file: String,
    pub parse: &'a ParseOptions,
    pub options: &'a Options,
    /// What the task definition says of the verdict.
    pub expected: Option<CExpected>,
    pub exit_code: Option<u8>,
    pub wall_seconds: Option<f64>,
    pub peak_memory_bytes: Option<u64>,
    pub statistics: bool,
    pub trace: bool,
}

impl Answer {
    /// What a report says, with all warnings: `others` are those that came up in the run.
    #[must_use]
    pub fn new(flow: &Flow, report: &Report, others: Vec<String>) -> Self {
        let (verdict, reason) = match &report.outcome {
            Outcome::Safe(_) => (Verdict::Safe, None),
            Outcome::Unsafe(_) => (Verdict::Unsafe, None),
            Outcome::Unknown(reason) => (Verdict::Unknown, Some(reason.clone())),
        };
        let invariants = match &report.outcome {
            Outcome::Safe(invariant) => c_invariant::report(flow, report, invariant),
            _ => vec![],
        };
        let trace = match &report.outcome {
            Outcome::Unsafe(execution) => Some(CTraceReport::new(flow, execution)),
            _ => None,
        };
        let place = |span: Span, words: &str| {
            let at = flow.source.position(span.start);
            format!("{}:{}:{}: {words}", at.file, at.line, at.column)
        };
        let mut warnings: Vec<String> =
            flow.warnings.iter().map(|w| place(w.span, &w.message)).collect();
        warnings.extend(others);
        if let Outcome::Unsafe(execution) = &report.outcome {
            let undefined = |&(span, what): &(Span, Undefined)| place(span, &undefined(what));
            warnings.extend(execution.undefined.iter().map(undefined));
        }
        Self {
            verdict,
            reason,
            statistics: report.statistics.clone(),
            boolean: report.boolean.clone(),
            phases: report.phases,
            reduction: report.reduction,
            assumptions: report.assumptions.iter().map(ToString::to_string).collect(),
            invariants,
            trace,
            warnings,
        }
    }

    /// A run that was ended.
    #[must_use]
    pub fn unknown(
        reason: UnknownReason,
        statistics: RefinementStatistics<TreeStatistics>,
    ) -> Self {
        Self {
            verdict: Verdict::Unknown,
            reason: Some(reason),
            statistics,
            boolean: None,
            phases: Phases::default(),
            reduction: Reduction::default(),
            assumptions: vec![],
            invariants: vec![],
            trace: None,
            warnings: vec![],
        }
    }

    /// As the last line of standard output says it.
    #[must_use]
    pub fn verdict_line(&self) -> String {
        let reason = self.reason.as_ref().map(ToString::to_string);
        self.verdict.line(reason.as_deref())
    }

    /// The document.
    #[must_use]
    pub fn document(self, form: Form) -> CDocument {
        let verdict_line = self.verdict_line();
        let reason = self.reason.map(|r| r.to_string());
        CDocument {
            version: env!("CARGO_PKG_VERSION"),
            file: form.file,
            verdict: self.verdict,
            verdict_line,
            reason,
            exit_code: form.exit_code,
            wall_seconds: form.wall_seconds,
            peak_memory_bytes: form.peak_memory_bytes,
            options: form.options.clone(),
            data_model: form.parse.model,
            entry: form.parse.entry.clone().unwrap_or_default(),
            property: form.parse.property.formulas(),
            expected: form.expected,
            statistics: form.statistics.then_some(self.statistics),
            boolean_statistics: self.boolean.filter(|_| form.statistics),
            phases: form.statistics.then_some(self.phases),
            reduction: form.statistics.then_some(self.reduction),
            assumptions: self.assumptions,
            invariants: self.invariants,
            trace: self.trace.filter(|_| form.trace),
            warnings: self.warnings,
        }
    }
}

/// What C does not define on the way to an error.
fn undefined(what: Undefined) -> String {
    let meaning = match what {
        Undefined::Overflow => "numbers wrap around here, as with 'gcc -fwrapv'",
        Undefined::ShiftCount => "the count is taken modulo the width here",
    };
    format!("{what} on the way to the error, which C does not define; {meaning}")
}
