//! The document of a trace: the same for Boolean programs, C and described automata.

use hardbop_base::errors::ErrorKind;
use serde::{Deserialize, Deserializer, Serialize};

/// The way into an error.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_session::check::check_bp;
///
/// let text = "decl held; void main() begin held := F;\nwhile (*) do assert(!held); held := *; od end";
/// let answer = check_bp(&Source::new("lock.bp", text), &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// let trace = answer.trace.expect("it is UNSAFE");
/// assert!(trace.steps.last().is_some_and(|step| step.kind.is_error()));
/// print!("{}", trace.text()); // one line per step, with the values that change
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Trace {
    /// The program; described automata have none.
    pub file: Option<String>,
    /// The error, where it is no call, label or assertion: `a signed overflow in line 12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation: Option<String>,
    /// The kind of [`Self::violation`], for reports: `signed-overflow`.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "code")]
    pub violation_code: Option<Code>,
    /// Values of variables at the start of the program, where it does not say them itself.
    pub initial: Vec<Value>,
    /// What a shell is told to run a C program that reads its arguments: `./a.out -v 'a b'`; the program is `a.out` in the
    /// current directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The values that the program read from outside, in order of time; without the texts of `command`.
    pub inputs: Vec<Input>,
    /// The steps in order of time; without what stands for no statement.
    pub steps: Vec<Step>,
    /// Positions in `initial` of values that nothing reads: the text leaves them out.
    #[serde(skip)]
    pub unread: Vec<usize>,
}

/// The code of a kind of error: a name, so that the derived reader does not take it for a borrowed text.
type Code = &'static str;

/// The code of a kind of error, by its name.
fn code<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Code>, D::Error> {
    let name = Option::<String>::deserialize(from)?;
    Ok(name.and_then(|name| ErrorKind::of_code(&name)).map(|kind| kind.row().code))
}

/// The value of a variable, both as the program writes them: `T`, `-1`, `&x`, `#x0f`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Value {
    pub name: String,
    pub value: String,
    /// Does the name mean the same in every function?  Else it is one of the activation that the
    /// step is in, or calls.
    #[serde(skip)]
    pub is_global: bool,
}

/// The value of an [`Input`] that is the failure of a call, such as `malloc(4)`.
pub(super) const FAILED: &str = "null";

/// A value from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Input {
    /// The source of the value, or what it goes to: `__VERIFIER_nondet_int()`, `x (uninitialised)`,
    /// `x`; of an allocation that fails, the call.
    pub name: String,
    pub value: String,
    /// The file, where it is another one than that of the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Position in [`Trace::steps`] of the step that reads it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
}

/// The kind of a step.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_report::trace::StepKind;
/// use hardbop_session::check::check_bp;
///
/// let source = Source::new("label.bp", "void main() begin if (*) then ERROR: skip; fi end");
/// let answer = check_bp(&source, &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// let kinds: Vec<StepKind> = answer.trace.expect("UNSAFE").steps.iter().map(|step| step.kind).collect();
/// assert_eq!(kinds, [StepKind::BranchTaken, StepKind::ErrorLabel]);
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StepKind {
    /// Locals get their first values: no statement of the program.
    Begin,
    Statement,
    /// A condition that holds.
    BranchTaken,
    /// A condition that does not hold.
    BranchNotTaken,
    Call,
    /// Back in the caller.
    Return,
    /// The end of a body is reached.
    End,
    /// Rounds of a loop, like the one before, that are not listed one by one.
    Rounds,
    AssertionHolds,
    /// The last step: `assert` fails.
    AssertionFails,
    /// The last step: the condition of `abortif` holds.
    Abort,
    /// The last step: an error label.
    ErrorLabel,
    /// The last step of a C program or an automaton: what is there is the error.
    Error,
}

impl StepKind {
    /// Is this the error?
    #[must_use]
    pub fn is_error(self) -> bool {
        matches!(self, Self::AssertionFails | Self::Abort | Self::ErrorLabel | Self::Error)
    }
}

/// A step of a trace.
///
/// ```
/// use hardbop_base::{budget::Budget, source::Source};
/// use hardbop_report::document::RunOptions;
/// use hardbop_report::trace::Step;
/// use hardbop_session::check::check_bp;
///
/// let text = "decl held; void main() begin\nlock();\nlock(); end\nvoid lock() begin assert(!held); held := T; end";
/// let answer = check_bp(&Source::new("lock.bp", text), &RunOptions::default(), &Budget::unlimited(), &mut ())?;
/// let steps: Vec<Step> = answer.trace.expect("UNSAFE").steps;
/// let last = steps.last().expect("the error");
/// assert_eq!((&*last.function, last.depth, last.line), ("lock", 1, Some(4)));
/// assert_eq!(last.text, "assert(!held)");
/// # Ok::<(), hardbop_session::check::CheckError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Step {
    pub kind: StepKind,
    /// The function, or procedure, that the step is in.
    pub function: String,
    /// Number of open calls: 0 in the function that executions start with.
    pub depth: usize,
    /// The file, where it is another one than that of the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, from 1, as the column, which counts characters; of an automaton, what its
    /// description says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// The number of the edge in its function, for an automaton; on return, of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<u32>,
    /// The number of times that this activation of the function has come to the head of a loop,
    /// from 1, where the step is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u64>,
    /// The number of the thread, from 0 in the order in which they begin, where a program has several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// The function that is called, for a call and a return.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callee: Option<String>,
    /// The statement or condition, on one line; of an error label, its name.
    pub text: String,
    /// New values: of a call those of the callee's parameters (and locals, in a Boolean program),
    /// of a `return` the returned values, else the variables that change.
    pub changed: Vec<Value>,
}
