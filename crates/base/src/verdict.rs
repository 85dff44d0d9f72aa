//! The answer to "can the error be reached?", whatever the language: [`Outcome`], and the reason
//! where there is none: [`UnknownReason`].

use serde::ser::{Serialize, SerializeStruct, Serializer};
use thiserror::Error;

use super::budget::{Budget, Exhausted};
use super::rejected::Rejected;
use super::source::Span;

/// An answer: SAFE with a proof `P`, UNSAFE with a counterexample `C`, or UNKNOWN.
#[derive(Debug, Clone)]
pub enum Outcome<P, C> {
    /// The error cannot be reached; the evidence shows it.
    Safe(P),
    /// The error can be reached in this way.
    Unsafe(C),
    /// It is unknown whether the error can be reached, for this reason.
    Unknown(UnknownReason),
}

impl<P, C> Outcome<P, C> {
    /// Is it SAFE or UNSAFE?
    pub fn is_decided(&self) -> bool {
        !matches!(self, Self::Unknown(_))
    }

    /// The outcome of a whole run with this budget.  A part that has used up its share of the budget
    /// ends as `Interrupted`; where a limit of the whole run has been reached meanwhile, that is the
    /// reason.
    #[must_use]
    pub fn of_run(self, budget: &Budget) -> Self {
        match (self, budget.poll()) {
            (Self::Unknown(UnknownReason::Interrupted), Err(spent)) => Self::Unknown(spent.into()),
            (Self::Unknown(UnknownReason::Interrupted), Ok(())) => {
                Self::Unknown(UnknownReason::Undecided)
            }
            (outcome, _) => outcome,
        }
    }

    /// Why it is UNKNOWN; `None` where it is not.
    pub fn reason(&self) -> Option<&UnknownReason> {
        match self {
            Self::Unknown(reason) => Some(reason),
            Self::Safe(_) | Self::Unsafe(_) => None,
        }
    }
}

/// The reason for which there is no answer.  Its words are the `<reason>` of `VERDICT: UNKNOWN
/// (<reason>)`.  As data it is a code and a message.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum UnknownReason {
    #[error("time limit reached")]
    Time,
    #[error("memory limit reached")]
    Memory,
    #[error("interrupted")]
    Interrupted,
    /// Each step of the run has used up its share.
    #[error("no step of the strategy decides")]
    Undecided,
    /// The run has made as many refinements as the options allow.
    #[error("refinement limit reached")]
    RefinementLimit,
    /// No error was found where `main` has few arguments, and short ones.
    #[error("there is no error with few and short arguments of 'main'; others were not looked at")]
    FewArguments,
    /// A SAT or 2QBF solver gave up for a reason of its own.
    #[error("solver gave up: {0}")]
    Solver(String),
    /// An SMT solver gave up for a reason of its own.
    #[error("the SMT solver gave up: {0}")]
    SmtSolver(String),
    /// Binary decision diagrams need more nodes than there may be.
    #[error("the table of BDD nodes is full")]
    BddTable,
    /// The expansion of calls has passed its limit: edges.
    #[error("with its calls expanded the program has more than {0} edges")]
    TooLarge(usize),
    #[error("the program's variables do not fit into the address space")]
    AddressSpace,
    /// The error could be reached by way of something that is not modelled.  `span` is its place in
    /// the program's text.
    #[error("{construct}")]
    Unsupported { construct: String, span: Span },
    /// An undefined function was given a function of the program: the names of both.
    #[error(
        "'{0}' is not defined and may call '{1}' back; '--externals pure' assumes that it does not"
    )]
    Callback(String, String),
    /// The program is SAFE only if this undefined function leaves alone what other files can name.
    #[error(
        "'{0}' is not defined and may change globals; '--externals pure' assumes that it does not"
    )]
    Undefined(String),
    /// Calls go deeper than they are followed.
    #[error("{0}")]
    RecursionDepth(String),
    #[error("no interpolants: {0}")]
    NoInterpolants(String),
    /// The predicates that were found do not exclude a path that is infeasible.
    #[error("the abstraction cannot tell an infeasible path from a feasible one")]
    NoProgress,
    #[error("solvers disagree about a path")]
    Disagreement,
    /// The path exists only where arithmetic is that of unbounded integers.
    #[error("a path is infeasible over unbounded integers, but not in the program's arithmetic")]
    UnboundedPath,
    /// A solver's model of a path does not execute it.
    #[error("a model does not fit its path")]
    Model,
    /// The program, executed along a path that the analysis found, does not reach the error: which one, with its place, and what
    /// happens instead.
    #[error("{error} that could not be confirmed: {why}")]
    NotConfirmed { error: String, why: String },
    #[error("an error path was not replayed")]
    NotReplayed,
    /// The solver that is to check a proof gave up: what it was asked, and why it did.
    #[error("{what}: {why}")]
    UncheckedProof { what: &'static str, why: String },
    /// The proof holds only where arithmetic is that of unbounded integers.
    #[error("the proof holds for unbounded integers only: {0}")]
    UnboundedProof(String),
    /// A solver provided by the user of the library led to a proof that another solver rejects.
    #[error("the proof by '{solver}' is wrong: {why}")]
    WrongProof { solver: String, why: String },
    /// A proof or an execution that hardbop has found is none, and nothing else has decided.
    #[error("a mistake in hardbop: {0}")]
    Rejected(Rejected),
    /// Nothing decides a program with threads; what is known of it.
    #[error("{0}")]
    Threads(String),
    /// A witness that was to be validated says something wrong.
    #[error("the witness is rejected: {0}")]
    Witness(String),
}

impl UnknownReason {
    /// Some error was not reached; what happened instead.
    pub fn not_confirmed(why: String) -> Self {
        Self::NotConfirmed { error: "an error".into(), why }
    }

    /// A stable name of the kind of reason.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Interrupted => "interrupted",
            Self::Undecided => "undecided",
            Self::RefinementLimit => "refinement-limit",
            Self::FewArguments => "few-arguments",
            Self::Solver(_) => "solver",
            Self::SmtSolver(_) => "smt-solver",
            Self::BddTable => "bdd-table",
            Self::TooLarge(_) => "too-large",
            Self::AddressSpace => "address-space",
            Self::Unsupported { .. } => "unsupported",
            Self::Callback(..) => "callback",
            Self::Undefined(_) => "undefined-function",
            Self::RecursionDepth(_) => "recursion-depth",
            Self::NoInterpolants(_) => "no-interpolants",
            Self::NoProgress => "no-progress",
            Self::Disagreement => "disagreement",
            Self::UnboundedPath => "unbounded-path",
            Self::Model => "model",
            Self::NotConfirmed { .. } => "not-confirmed",
            Self::NotReplayed => "not-replayed",
            Self::UncheckedProof { .. } => "unchecked-proof",
            Self::UnboundedProof(_) => "unbounded-proof",
            Self::WrongProof { .. } => "wrong-proof",
            Self::Rejected(_) => "rejected-evidence",
            Self::Threads(_) => "threads",
            Self::Witness(_) => "witness",
        }
    }
}

impl Serialize for UnknownReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("UnknownReason", 2)?;
        fields.serialize_field("code", self.code())?;
        fields.serialize_field("message", &self.to_string())?;
        fields.end()
    }
}

impl From<Exhausted> for UnknownReason {
    fn from(e: Exhausted) -> Self {
        match e {
            Exhausted::Time => Self::Time,
            Exhausted::Memory => Self::Memory,
            Exhausted::Cancelled => Self::Interrupted,
            Exhausted::Solver(failure) => Self::Solver(failure.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    use super::*;
    use crate::budget::SolverFailure;

    #[test]
    fn a_limit_has_the_words_of_the_budget() {
        let failure = Exhausted::Solver(SolverFailure::NoAnswer);
        for e in [Exhausted::Time, Exhausted::Memory, Exhausted::Cancelled, failure] {
            assert_eq!(UnknownReason::from(e).to_string(), e.to_string());
        }
    }

    #[test]
    fn a_share_that_is_used_up_is_no_interruption() {
        let given_up = || Outcome::<(), ()>::Unknown(UnknownReason::Interrupted);
        let late = Budget::unlimited().with_time_limit(Duration::ZERO);
        assert_eq!(given_up().of_run(&late).reason(), Some(&UnknownReason::Time));
        let spent = given_up().of_run(&Budget::unlimited());
        assert_eq!(spent.reason(), Some(&UnknownReason::Undecided));
        let interrupted = Budget::unlimited();
        interrupted.cancel_flag().store(true, Ordering::Relaxed);
        let outcome = given_up().of_run(&interrupted);
        assert_eq!(outcome.reason(), Some(&UnknownReason::Interrupted));
        assert!(Outcome::<(), ()>::Safe(()).of_run(&late).is_decided());
    }

    #[test]
    fn as_data_a_reason_is_a_code_and_a_message() {
        let reason = UnknownReason::NoInterpolants("too hard".into());
        let json = serde_json::to_value(&reason).expect("it can be written");
        let expected =
            serde_json::json!({"code": "no-interpolants", "message": "no interpolants: too hard"});
        assert_eq!(json, expected);
    }
}
