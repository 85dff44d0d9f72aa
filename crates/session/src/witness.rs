//! Witnesses of somebody else: what they say is woven into the program, which is then checked as
//! any other.
//!
//! With its invariants as further errors, the program is safe if and only if it is safe without
//! them and they hold; behind an invariant's check the proof has it as a fact.  With waypoints,
//! only executions count that pass them, and what they find is executed again by the program
//! without them.

use sha2::{Digest, Sha256};

use super::c;
use super::contents::checked;
use hardbop_base::budget::Budget;
use hardbop_base::source::Source;
use hardbop_base::verdict::UnknownReason;
use hardbop_c::execute::{self, Execution, ExecutionOptions, Recording};
use hardbop_c::flow::{Flow, Violation};
use hardbop_c::types::DataModel;
use hardbop_report::document::{COptions, Document, Validation, WitnessResult};
use hardbop_task::{Witness, like};
use hardbop_verify::{self as verify, CProgram, Outcome, Report, Subject, VerifyError, Watcher};

/// A program and a witness.
#[derive(Debug)]
pub struct Claim<'a> {
    pub program: &'a Flow,
    pub witness: &'a Witness,
    /// The text of the witness.
    pub source: &'a Source,
    /// The program with the witness woven in.
    pub woven: &'a Flow,
    /// The woven program with executions ending where they do not pass a waypoint that they could:
    /// these are few, so they are tried first.
    pub strict: Option<&'a Flow>,
}

/// Decides, with the witness: SAFE where the program is safe and the invariants hold, UNSAFE where
/// an execution of the program reaches its error, along the waypoints if it is a violation witness;
/// else UNKNOWN.
///
/// # Errors
/// A solver fails, or hardbop has a mistake.
pub fn validate(
    claim: &Claim,
    options: &COptions,
    budget: &Budget,
    watcher: &mut dyn Watcher,
) -> Result<(Report, Document), VerifyError> {
    let how = &options.verify;
    let mut woven = claim.woven;
    let mut found = None;
    if let Some(strict) = claim.strict {
        let trial = budget.trial(how.route_limits.strict_work);
        let report = verify::check(CProgram::new(strict), how, &trial, watcher)?;
        if matches!(report.outcome, Outcome::Unsafe(_)) || budget.check().is_err() {
            (woven, found) = (strict, Some(report));
        }
    }
    let mut report = match found {
        Some(report) => report,
        None => verify::check(CProgram::new(woven), how, budget, watcher)?,
    };
    let nothing = Outcome::Unknown(UnknownReason::Interrupted);
    let outcome = std::mem::replace(&mut report.outcome, nothing);
    let (outcome, result, reason) = claim.judged(woven, outcome, options, budget);
    report.outcome = outcome;
    if let Outcome::Unsafe(execution) = &report.outcome {
        CProgram::new(claim.program).assume(execution, &mut report.assumptions);
    }
    let shown = if report.by_executions || matches!(report.outcome, Outcome::Unsafe(_)) {
        claim.program
    } else {
        woven
    };
    let mut document = c::documented(shown, &mut report, options, budget);
    document.checked = Some(checked(claim.program, &options.property));
    if !matches!(report.outcome, Outcome::Unsafe(_)) {
        document.warnings = c::warnings(claim.program, &report);
    }
    document.witness = Some(Validation { file: claim.source.name.clone(), result, reason });
    Ok((report, document))
}

impl Claim<'_> {
    /// The judgement on the program and on the witness from the outcome for the program with the
    /// witness.
    fn judged(
        &self,
        woven: &Flow,
        outcome: verify::Outcome<Execution>,
        options: &COptions,
        budget: &Budget,
    ) -> (verify::Outcome<Execution>, WitnessResult, Option<String>) {
        use WitnessResult::{Confirmed, Rejected, Undecided};
        let is_of_correctness = self.witness.is_of_correctness();
        let rejected = |why: String| {
            let reason = UnknownReason::Witness(why.clone());
            (Outcome::Unknown(reason), Rejected, Some(why))
        };
        let execution = match outcome {
            Outcome::Safe(proof) if is_of_correctness => {
                return (Outcome::Safe(proof), Confirmed, None);
            }
            Outcome::Safe(_) => {
                let why = "no execution passes its waypoints and reaches the error at its target";
                return rejected(why.to_owned());
            }
            Outcome::Unknown(reason) => {
                let why = reason.to_string();
                return (Outcome::Unknown(reason), Undecided, Some(why));
            }
            Outcome::Unsafe(execution) => execution,
        };
        if let Some(Violation::Witness(number)) = execution.violation(woven) {
            return rejected(self.false_invariant(number as usize));
        }
        let trace = execute::transferred(woven, &execution, self.program);
        let how = ExecutionOptions {
            record: Recording::Values,
            budget: budget.clone(),
            limits: options.verify.c_limits.execution,
            allocations_may_fail: options.verify.malloc_may_fail,
            ..ExecutionOptions::default()
        };
        match execute::replay(self.program, &trace, &how) {
            Ok(execution) => {
                let wrong = is_of_correctness.then(|| "the program reaches the error".to_owned());
                let result = if is_of_correctness { Rejected } else { Confirmed };
                (Outcome::Unsafe(Box::new(execution)), result, wrong)
            }
            Err(e) => {
                let reason = UnknownReason::not_confirmed(e.to_string());
                let why = reason.to_string();
                (Outcome::Unknown(reason), Undecided, Some(why))
            }
        }
    }

    fn false_invariant(&self, number: usize) -> String {
        let (span, expression) = self.witness.said(number);
        let place = self.source.place(span);
        let expression = expression.unwrap_or_default();
        let short: String = expression.chars().take(80).collect();
        let dots = if short.len() < expression.len() { "..." } else { "" };
        format!("{place}: the invariant '{short}{dots}' does not hold")
    }
}

/// Why a witness may be one of something else than what is checked: another version of a file,
/// another property, another data model.
#[must_use]
pub fn doubts(
    witness: &Witness,
    options: &COptions,
    checked: DataModel,
    files: &[(String, Vec<u8>)],
) -> Vec<String> {
    let mut doubts = Vec::new();
    for task in witness.heads.iter().map(|head| &head.task) {
        let other = task.model.filter(|model| *model != checked);
        doubts.extend(other.map(|model| format!("the witness is about the data model {model}")));
        for (name, hash) in &task.hashes {
            let meant = like(&name.text, files.iter().map(|(file, _)| file.as_str()));
            let file = files.iter().find(|(file, _)| meant == [file.as_str()]);
            let other = file.filter(|(_, bytes)| {
                let digest = Sha256::digest(bytes);
                let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
                !hex.eq_ignore_ascii_case(hash.text.trim())
            });
            doubts.extend(other.map(|(file, _)| {
                format!("the witness is of another version of '{file}', by its hash")
            }));
        }
        let Some(text) = &task.specification else { continue };
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        let mut checked: Vec<String> =
            options.property.formulas().iter().map(|f| plain(f)).collect();
        checked.extend(options.property.checks.rows().map(|row| plain(row.sv_comp)));
        // `CHECK( init(main()), LTL(formula) )`
        let formulas = text.text.split("CHECK").filter(|part| !part.trim().is_empty());
        let is_checked = formulas.map(plain).all(|part| {
            let formula = part.split_once("LTL(").and_then(|(_, f)| f.strip_suffix("))"));
            formula.is_some_and(|f| checked.iter().any(|other| other == f))
        });
        if !is_checked {
            let words = text.text.split_whitespace().collect::<Vec<_>>().join(" ");
            doubts.push(format!(
                "the witness is about another property than what is checked: {words}"
            ));
        }
    }
    doubts.extend(witness.notes.iter().cloned());
    doubts.sort();
    doubts.dedup();
    doubts
}
