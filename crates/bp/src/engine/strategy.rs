//! The strategy of `--engine auto`: lists of steps, as data.
//!
//! [`Strategy::default`] is `strategy.json` of this folder.  [`super::algorithm`] takes the steps.

use std::sync::{Arc, LazyLock};

use hardbop_base::limits::is_default;
use serde::{Deserialize, Serialize};

use hardbop_base::source::from_json;

/// The built-in lists.
static BUILT_IN: LazyLock<Strategy> = LazyLock::new(|| {
    let lists = from_json(include_bytes!("strategy.json")).expect("a unit test reads it");
    Strategy(Arc::new(lists))
});

/// The steps of `--engine auto`.
///
/// ```
/// use hardbop_bp::engine::Strategy;
///
/// let text = r#"{"attempt": [], "search": [{"do": "bdd"}]}"#;
/// assert_eq!(Strategy::read(text.as_bytes()).expect("a strategy").search.len(), 1);
/// let error = Strategy::read(br#"{"search": [{"do": "bbd"}]}"#).expect_err("there is no such step");
/// assert!(error.contains("bbd"), "{error}");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Lists", into = "Lists")]
pub struct Strategy(Arc<Lists>);

/// The lists of a [`Strategy`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Lists {
    /// The steps on the whole program, before anything is left out of it.
    #[serde(default = "attempt")]
    pub attempt: Vec<Step>,
    /// The steps on the program with the variables that count so far.  What none of them decides
    /// is left to QBF summaries.
    #[serde(default = "search")]
    pub search: Vec<Step>,
}

fn attempt() -> Vec<Step> {
    BUILT_IN.attempt.clone()
}

fn search() -> Vec<Step> {
    BUILT_IN.search.clone()
}

/// A step: an algorithm, the sizes of programs that it is for, and its share of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Step {
    #[serde(rename = "do")]
    pub action: Action,
    /// The fewest variables.
    #[serde(default, skip_serializing_if = "is_default")]
    pub least_variables: usize,
    /// The most variables; `None`: any number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_variables: Option<usize>,
    /// The units of work that it may do; `None`: as many as the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
    /// [`Action::Pdr`]: the units of work that it may spend on the question which gates correspond.
    #[serde(default, skip_serializing_if = "is_default")]
    pub correspondence: u64,
    /// [`Action::Pdr`]: follows runs that are long but narrow as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follow: bool,
    /// [`Action::Bdd`]: with the smallest tables of nodes only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub small_tables: bool,
    /// [`Action::Summaries`]: nodes of a path edge beyond which its procedure gets no universal
    /// summary; `None`: as the option says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<usize>,
    /// The reason for the step and its numbers, for those who read the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// Property-directed reachability.
    Pdr,
    /// BDD summaries.
    Bdd,
    /// Universal summaries, as many as the work allows, and QBF summaries for the other procedures,
    /// to the end.
    Summaries,
}

impl Default for Strategy {
    fn default() -> Self {
        BUILT_IN.clone()
    }
}

impl From<Lists> for Strategy {
    fn from(lists: Lists) -> Self {
        Self(Arc::new(lists))
    }
}

impl From<Strategy> for Lists {
    fn from(strategy: Strategy) -> Self {
        Arc::unwrap_or_clone(strategy.0)
    }
}

impl std::ops::Deref for Strategy {
    type Target = Lists;

    fn deref(&self) -> &Lists {
        &self.0
    }
}

impl Strategy {
    /// The built-in strategy with the lists of a text: a JSON object.
    ///
    /// # Errors
    /// The mistake in the text, with its place.
    pub fn read(text: &[u8]) -> Result<Self, String> {
        from_json(text)
    }
}

impl Step {
    /// Whether the step is for programs of so many variables.
    pub(super) fn suits(&self, variables: usize) -> bool {
        let most = self.most_variables.unwrap_or(usize::MAX);
        self.work != Some(0) && (self.least_variables..=most).contains(&variables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_strategy_is_one() {
        let strategy = Strategy::default();
        assert!(!strategy.attempt.is_empty() && !strategy.search.is_empty());
        let text = serde_json::to_vec(&strategy).expect("plain data");
        assert_eq!(Strategy::read(&text), Ok(strategy));
    }
}
