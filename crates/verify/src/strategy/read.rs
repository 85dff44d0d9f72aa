//! Reads strategies, and refuses those that cannot be taken.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use thiserror::Error;

use super::list::{Action, Condition, Step, Strategy, WORDS};
use hardbop_base::source::{Suggestions, from_json};

/// The lists that every strategy has, and the level of their steps.
const ROOTS: [(&str, Level); 4] = [
    ("auto", Level::Program),
    ("tree", Level::Program),
    ("bp", Level::Program),
    ("automaton", Level::Automaton),
];

/// The strategy of `hardbop check`.
static BUILT_IN: LazyLock<Strategy> = LazyLock::new(|| {
    let text = include_bytes!("built-in.json");
    let lists = from_json(text).expect("a unit test reads it");
    checked(lists).expect("a unit test reads it")
});

/// Why a text is no strategy.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// The text is no JSON, or has fields and values that are none of a strategy.
    #[error("{0}")]
    Form(String),
    /// A word that is neither an action nor the name of a list.
    #[error("list '{list}', step {number}: there is no step '{word}'{}", hint(.near))]
    Unknown { list: String, number: usize, word: String, near: Option<String> },
    /// A step that has no meaning where it is.
    #[error("list '{list}', step {number}: {what}")]
    Misplaced { list: String, number: usize, what: String },
    /// A list that contains itself.
    #[error("list '{0}' contains itself")]
    Circle(String),
}

fn hint(near: &Option<String>) -> String {
    let all = || "; a step is an action or the name of a list".to_owned();
    near.as_ref().map_or_else(all, |near| format!("; is '{near}' meant?"))
}

/// What the steps of a list work on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Level {
    Program,
    Automaton,
}

impl Default for Strategy {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl Strategy {
    /// The built-in strategy with other lists.
    ///
    /// # Errors
    /// A list has a step that is none, that has no meaning there, or that is the list itself.
    pub fn new(lists: BTreeMap<String, Vec<Step>>) -> Result<Self, StrategyError> {
        let mut all = BTreeMap::clone(&BUILT_IN.lists);
        all.extend(lists);
        checked(all)
    }

    /// The built-in strategy with the lists of a text: a JSON object.
    ///
    /// # Errors
    /// The text is no JSON object of lists, or as for [`new`](Self::new).
    pub fn read(text: &[u8]) -> Result<Self, StrategyError> {
        Self::new(from_json(text).map_err(StrategyError::Form)?)
    }
}

fn checked(lists: BTreeMap<String, Vec<Step>>) -> Result<Strategy, StrategyError> {
    for (root, level) in ROOTS {
        check(&lists, root, level, &mut vec![])?;
    }
    Ok(Strategy { lists: Arc::new(lists) })
}

/// Checks a list and those in it; `open` are the lists that it is in.
fn check<'a>(
    lists: &'a BTreeMap<String, Vec<Step>>,
    list: &'a str,
    level: Level,
    open: &mut Vec<&'a str>,
) -> Result<(), StrategyError> {
    if open.contains(&list) {
        return Err(StrategyError::Circle(list.to_owned()));
    }
    open.push(list);
    for (step, number) in lists.get(list).into_iter().flatten().zip(1..) {
        let misplaced =
            |what: String| Err(StrategyError::Misplaced { list: list.to_owned(), number, what });
        match (&step.action, level) {
            (Action::List(word), _) if !lists.contains_key(word) => {
                let near = near(lists, word);
                let (list, word) = (list.to_owned(), word.clone());
                return Err(StrategyError::Unknown { list, number, word, near });
            }
            (Action::List(name), Level::Program) => check(lists, name, level, open)?,
            (
                Action::Executions
                | Action::SymbolicExecution
                | Action::ConcolicExecution
                | Action::Tree
                | Action::BooleanPrograms,
                Level::Program,
            )
            | (Action::Learned | Action::Search, Level::Automaton)
            | (Action::Intervals | Action::Unrolling | Action::Houdini, _) => {}
            (action, Level::Program) => {
                let word = action.word();
                return misplaced(format!("'{word}' works on an automaton, in list 'automaton'"));
            }
            (action, Level::Automaton) => {
                return misplaced(format!("'{}' does not work on an automaton", action.word()));
            }
        }
        if let Some(field) = stray(step, level) {
            return misplaced(format!("'{field}' has no meaning for '{}'", step.action.word()));
        }
    }
    open.pop();
    Ok(())
}

/// The name of a list, or of an action, that is like this word.
fn near(lists: &BTreeMap<String, Vec<Step>>, word: &str) -> Option<String> {
    let actions = WORDS.iter().map(|(word, _)| *word);
    let names = lists.keys().map(String::as_str).chain(actions);
    Suggestions::default().nearest(word, names).map(str::to_owned)
}

/// A field, or a condition, that has no meaning at a level.
fn stray(step: &Step, level: Level) -> Option<&'static str> {
    let of_program = [
        (step.memory.is_some(), "memory"),
        (step.deeper_edges.is_some(), "deeper-edges"),
        (step.questions.is_some(), "questions"),
        (step.when.contains(&Condition::Recursive), "recursive"),
        (step.when.contains(&Condition::NotRecursive), "not-recursive"),
        (step.when.contains(&Condition::ManyObjects), "many-objects"),
        (step.when.contains(&Condition::ManyErrors), "many-errors"),
        (step.when.contains(&Condition::Arguments), "arguments"),
    ];
    let of_automaton = [
        (step.most_edges.is_some(), "most-edges"),
        (step.when.contains(&Condition::AlgorithmAuto), "algorithm-auto"),
        (step.when.contains(&Condition::NotOneCell), "not-one-cell"),
        (step.when.contains(&Condition::Plain), "plain"),
    ];
    let stray = match level {
        Level::Program if step.action.is_direct() => &[],
        Level::Program => &of_automaton[..],
        Level::Automaton => &of_program[..],
    };
    stray.iter().find(|(is_there, _)| *is_there).map(|(_, field)| *field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_strategy_is_one() {
        let strategy = Strategy::default();
        assert!(ROOTS.iter().all(|(name, _)| !strategy.list(name).is_empty()));
        let text = serde_json::to_vec(&strategy).expect("plain data");
        assert_eq!(Strategy::read(&text), Ok(strategy));
    }

    #[test]
    fn mistakes_have_a_place_and_a_hint() {
        let words = |text: &str| Strategy::read(text.as_bytes()).expect_err(text).to_string();
        for (text, error) in [
            (r#"{"tree": [{"do": "tree"}, {"do": "serach"}]}"#, "is 'search' meant?"),
            (r#"{"tree": [{"do": "tree"}, {"do": "search"}]}"#, "list 'tree', step 2: 'search'"),
            (r#"{"automaton": [{"do": "tree"}]}"#, "'tree' does not work on an automaton"),
            (r#"{"automaton": [{"do": "search", "memory": "havoc"}]}"#, "'memory' has no meaning"),
            (r#"{"auto": [{"do": "x"}], "x": [{"do": "auto"}]}"#, "'auto' contains itself"),
            (r#"{"auto": [{"do": "tree", "wrok": 3}]}"#, "unknown field 'wrok'"),
            ("{", "line 1, column 1"),
        ] {
            assert!(words(text).contains(error), "{text}: {}", words(text));
        }
    }
}
