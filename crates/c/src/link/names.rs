//! What a file defines for others, and what it needs of them, as a linker sees it.

use std::collections::BTreeSet;

use crate::parse::{ParseOptions, Parsed, Strength, refuse_length, tokens_of, used_words};
use hardbop_base::source::{Diagnostic, Source};

/// The names of files that are linked.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// Definitions of which a program has one.
    pub defined: BTreeSet<String>,
    /// Variables without a value: several such definitions are one.
    pub tentative: BTreeSet<String>,
    /// Words that may name functions and variables of other files; some name other things.
    pub used: BTreeSet<String>,
}

impl Names {
    /// The names of a preprocessed file.
    ///
    /// # Errors
    /// It is no C.
    pub fn of(source: &Source, options: &ParseOptions) -> Result<Self, Vec<Diagnostic>> {
        refuse_length(source.text.len())?;
        let surface = Parsed::read(&source.text, 0, &source.text, options)?.surface(false);
        let mut names = Self::default();
        let shared = surface.names.iter().filter(|(_, facts)| !facts.is_static);
        for (name, facts) in shared {
            match facts.definition.as_ref().map(|definition| definition.strength) {
                Some(Strength::Strong) => names.defined.insert(name.clone()),
                Some(Strength::Tentative) => names.tentative.insert(name.clone()),
                // Another file's counts, where there is one.
                Some(Strength::Inline | Strength::Weak) | None => false,
            };
        }
        let own = |word: &&str| surface.names.get(*word).is_none_or(|facts| !facts.is_static);
        let tokens = tokens_of(&source.text).unwrap_or_default();
        let used = used_words(&source.text, &tokens).into_iter().filter(own);
        names.used = used.map(str::to_owned).collect();
        Ok(names)
    }

    pub fn add(&mut self, other: &Self) {
        self.defined.extend(other.defined.iter().cloned());
        self.tentative.extend(other.tentative.iter().cloned());
        self.used.extend(other.used.iter().cloned());
    }

    pub fn defines(&self, name: &str) -> bool {
        self.defined.contains(name) || self.tentative.contains(name)
    }

    /// A name that another file defines, and these use and do not define.
    pub fn wants<'n>(&self, file: &'n Self) -> Option<&'n String> {
        let given = file.defined.iter().chain(&file.tentative);
        given.into_iter().find(|name| self.used.contains(*name) && !self.defines(name))
    }
}
