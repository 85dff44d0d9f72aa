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
    /// Definitions that give way to another one.
    pub weak: BTreeSet<String>,
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
                Some(Strength::Weak) => names.weak.insert(name.clone()),
                Some(Strength::Inline) | None => false,
            };
        }
        let own = |word: &&str| surface.names.get(*word).is_none_or(|facts| !facts.is_static);
        let tokens = tokens_of(&source.text).unwrap_or_default();
        let used = used_words(&source.text, &tokens).into_iter().filter(own);
        names.used = used.map(str::to_owned).collect();
        Ok(names)
    }

    pub fn add(&mut self, other: &Self) {
        for (own, more) in [
            (&mut self.defined, &other.defined),
            (&mut self.tentative, &other.tentative),
            (&mut self.weak, &other.weak),
            (&mut self.used, &other.used),
        ] {
            own.extend(more.iter().cloned());
        }
    }

    pub fn defines(&self, name: &str) -> bool {
        [&self.defined, &self.tentative, &self.weak].into_iter().any(|names| names.contains(name))
    }

    /// A name that another file defines, and these use and do not define.
    pub fn wants<'n>(&self, file: &'n Self) -> Option<&'n String> {
        let mut given = file.defined.iter().chain(&file.tentative).chain(&file.weak);
        given.find(|name| self.used.contains(*name) && !self.defines(name))
    }

    /// A name that these use and define weakly, where the other file's definition would take its place.
    pub fn gives_way<'n>(&self, file: &'n Self) -> Option<&'n String> {
        let mut given = file.defined.iter().chain(&file.tentative);
        let is_strong = |name| self.defined.contains(name) || self.tentative.contains(name);
        given.find(|&name| self.used.contains(name) && self.weak.contains(name) && !is_strong(name))
    }
}
