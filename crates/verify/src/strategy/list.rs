//! Lists of steps.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::read::StrategyError;
use hardbop_c::lower::Model;
use hardbop_refine::cegar::Algorithm;

/// Lists of steps under their names.
///
/// [Routes](crate::Route) have lists of their own: `auto`, `tree` and `bp`.  The steps on an automaton are
/// those of the list `automaton`.  All lists are there, no list refers to itself, and each is about
/// one thing: the whole program, or an automaton.  Steps that [need no search](Action::is_direct) may be in both.
///
/// ```
/// use hardbop_verify::Strategy;
///
/// let text = r#"{"auto": [{"do": "executions"}, {"do": "boolean-programs", "work": 9000}]}"#;
/// let strategy = Strategy::read(text.as_bytes()).expect("a strategy");
/// assert_eq!(strategy.list("auto").len(), 2);
/// assert_eq!(strategy.list("tree"), Strategy::default().list("tree"));
/// let error = Strategy::read(br#"{"auto": [{"do": "wait"}]}"#).expect_err("there is no such step");
/// assert!(error.to_string().contains("'wait'"), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, Vec<Step>>", into = "BTreeMap<String, Vec<Step>>")]
pub struct Strategy {
    pub(super) lists: Arc<BTreeMap<String, Vec<Step>>>,
}

/// A step: an action, the conditions under which it is taken, its share of the run, and the options
/// that are not those of the run.  A number is the most: where the run has a smaller one, that
/// counts.  A step that has used up its share ends, and the next one begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Step {
    #[serde(rename = "do")]
    pub action: Action,
    /// The conditions, all of which have to hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub when: Vec<Condition>,
    /// The size of automata on which it is taken, in edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_edges: Option<usize>,
    /// The units of work that it may do; `None`: as many as the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
    /// How much of memory the automata have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<Model>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<Algorithm>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refinements: Option<u64>,
    /// States that are enumerated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explicit_states: Option<u64>,
    /// Edges that the exploration of values passes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_steps: Option<u64>,
    /// Work of Z3 after which Spacer gives up, in its resource units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spacer_work: Option<u32>,
    /// Questions of symbolic execution to the solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub questions: Option<u32>,
    /// Edges of an automaton that follows recursion deeper than the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deeper_edges: Option<usize>,
    /// The reason for the step and its numbers, for those who read the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What a step does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Action {
    /// Executes the program on zeros and random inputs.
    Executions,
    /// Executes the program on terms for inputs, along every way that these may lead.
    SymbolicExecution,
    /// Executes the program on numbers, and leads each execution another way than those before, for errors.
    ConcolicExecution,
    /// Expands the calls of the program into one automaton, takes the steps of the list `automaton`
    /// there, and follows recursion deeper as long as that decides nothing.
    Tree,
    /// Abstracts the program to Boolean programs.
    BooleanPrograms,
    /// Explores an automaton with the predicates that an earlier run has learned, for as much work
    /// as that took; nothing, where there are none.
    Learned,
    /// Explores an automaton: values, states, and the abstract reachability tree.
    Search,
    /// Proves an automaton safe by the intervals of its variables, or some of its ways into errors infeasible.
    Intervals,
    /// Unrolls all paths of an automaton at once.
    Unrolling,
    /// Proves an automaton safe by an invariant from candidates, if there is one.
    Houdini,
    /// Takes the steps of a list.
    List(String),
}

/// The actions that have words of their own; other words are names of lists.
pub(super) const WORDS: [(&str, Action); 10] = [
    ("executions", Action::Executions),
    ("symbolic-execution", Action::SymbolicExecution),
    ("concolic-execution", Action::ConcolicExecution),
    ("tree", Action::Tree),
    ("boolean-programs", Action::BooleanPrograms),
    ("learned", Action::Learned),
    ("search", Action::Search),
    ("intervals", Action::Intervals),
    ("unrolling", Action::Unrolling),
    ("houdini", Action::Houdini),
];

impl From<String> for Action {
    fn from(word: String) -> Self {
        let known = WORDS.into_iter().find(|(name, _)| *name == word);
        known.map_or_else(|| Self::List(word), |(_, action)| action)
    }
}

impl From<Action> for String {
    fn from(action: Action) -> Self {
        action.word().to_owned()
    }
}

impl Action {
    /// Whether it is a step on an automaton that a list of the whole program may have, too: then on the one into which `tree`
    /// expands the calls.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        matches!(self, Self::Intervals | Self::Unrolling | Self::Houdini)
    }

    /// The word for it in a list.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Executions => "executions",
            Self::SymbolicExecution => "symbolic-execution",
            Self::ConcolicExecution => "concolic-execution",
            Self::Tree => "tree",
            Self::BooleanPrograms => "boolean-programs",
            Self::Learned => "learned",
            Self::Search => "search",
            Self::Intervals => "intervals",
            Self::Unrolling => "unrolling",
            Self::Houdini => "houdini",
            Self::List(name) => name,
        }
    }
}

/// A condition for a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Condition {
    /// A function may be active more than once.
    Recursive,
    /// No function may be active more than once.
    NotRecursive,
    /// Objects stand for many, of which [`Model::OneCell`] tracks one cell, and the user has not
    /// said how much of memory the automata have.
    ManyObjects,
    /// There are many errors to be found, or to be excluded.
    ManyErrors,
    /// The program reads arguments of `main`, and the user has not said how much of memory the
    /// automata have.
    Arguments,
    /// `--algorithm auto`, and refinements are allowed.
    AlgorithmAuto,
    /// The automata do not track one cell of many ([`Model::OneCell`]).
    NotOneCell,
    /// Nothing was asked for that only a search can give: no predicates to begin with, a tree in
    /// the report, linear arithmetic, or a run without enumeration of states.
    Plain,
}

impl Strategy {
    /// The steps under a name; none where there is no such list.
    #[must_use]
    pub fn list(&self, name: &str) -> &[Step] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }
}

impl TryFrom<BTreeMap<String, Vec<Step>>> for Strategy {
    type Error = StrategyError;

    fn try_from(lists: BTreeMap<String, Vec<Step>>) -> Result<Self, StrategyError> {
        Self::new(lists)
    }
}

impl From<Strategy> for BTreeMap<String, Vec<Step>> {
    fn from(strategy: Strategy) -> Self {
        Arc::unwrap_or_clone(strategy.lists)
    }
}
