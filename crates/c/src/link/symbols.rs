//! Which definition of a name is that of the program.

use std::collections::{HashMap, HashSet};

use indexmap::IndexMap;

use crate::parse::{Elsewhere, Facts, Strength, Surface};
use crate::rules::moment_of;
use hardbop_base::source::{Diagnostic, DiagnosticKind};

/// What the names of all files stand for.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    /// The file whose definition counts.
    pub winners: HashMap<String, usize>,
    /// Inline functions without a definition for other files: each file has its own.
    pub private: HashSet<(usize, String)>,
}

/// Decides for each name that several files may share.  `is_model` says which files are the library's own.
///
/// # Errors
/// Definitions that contradict each other.
pub(super) fn resolve(
    surfaces: &[Surface],
    is_model: impl Fn(usize) -> bool,
) -> Result<Symbols, Vec<Diagnostic>> {
    let mut names: IndexMap<&str, Vec<(usize, &Facts)>> = IndexMap::new();
    for (file, surface) in surfaces.iter().enumerate() {
        for (name, facts) in surface.names.iter().filter(|(_, facts)| !facts.is_static) {
            names.entry(name).or_default().push((file, facts));
        }
    }
    let (mut symbols, mut mistakes) = (Symbols::default(), vec![]);
    for (name, facts) in names {
        let definitions =
            facts.iter().filter_map(|(f, facts)| Some((*f, facts.definition.as_ref()?)));
        let (inline, others): (Vec<_>, Vec<_>) =
            definitions.partition(|(_, d)| d.strength == Strength::Inline);
        let mut strong = others.iter().filter(|(_, d)| d.strength == Strength::Strong);
        if let Some((_, first)) = strong.next() {
            for (_, again) in strong {
                let message = format!("'{name}' is defined twice");
                let mistake = Diagnostic::new(DiagnosticKind::Duplicate, again.span, message)
                    .with_label("defined again")
                    .with_related(first.span, "first defined here");
                mistakes.push(match name {
                    "main" => {
                        mistake.with_hint("these are several programs: name the files of one, or the program ('--program')")
                    }
                    _ => mistake,
                });
            }
        }
        if let [(_, a), (_, b), ..] = others.as_slice()
            && others.iter().any(|(_, d)| d.is_alias)
            && mistakes.is_empty()
        {
            let message =
                format!("'{name}', an alias that another definition may replace, is not supported");
            let mistake = Diagnostic::new(DiagnosticKind::Unsupported, b.span, message);
            mistakes.push(
                mistake.with_label("not supported").with_related(a.span, "also defined here"),
            );
        }
        // Of equal definitions, the first counts; a body makes the others declarations of a function, whose type has a
        // name.
        let winner = others.iter().rev().max_by_key(|(_, d)| (d.is_body, d.strength));
        if let Some((file, _)) = winner {
            symbols.winners.insert(name.to_owned(), *file);
        }
        for (file, own) in inline {
            match winner {
                None if own.is_for_inlining => {}
                // glibc's headers have it around the function of the library, which does the same.
                Some((file, _)) if own.is_for_inlining && is_model(*file) => {}
                None => {
                    symbols.private.insert((file, name.to_owned()));
                }
                Some((_, other)) if other.tokens == own.tokens => {}
                Some((_, other)) => {
                    let message = format!(
                        "the inline definition of '{name}' is not that of the other file: C leaves open which one is called"
                    );
                    let mistake = Diagnostic::new(DiagnosticKind::Duplicate, own.span, message)
                        .with_label("one definition")
                        .with_related(other.span, "another one");
                    mistakes.push(mistake);
                }
            }
        }
    }
    if mistakes.is_empty() { Ok(symbols) } else { Err(mistakes) }
}

/// What a file has to know of the others; `is_model` says whether it is one of the library's own.
pub(super) fn elsewhere(surfaces: &[Surface], file: usize, is_model: bool) -> Elsewhere {
    let mut out = Elsewhere::default();
    let own = &surfaces[file];
    for (_, surface) in surfaces.iter().enumerate().filter(|(i, _)| *i != file) {
        out.uses_at_exit |= surface.uses_at_exit;
        out.sees_errors |= surface.sees_errors;
        for (name, facts) in &surface.names {
            let is_own = own.names.get(name).is_some_and(|facts| facts.is_static);
            let Some(definition) = &facts.definition else { continue };
            if facts.is_static || is_own || definition.strength == Strength::Inline {
                continue;
            }
            out.defined.insert(name.clone());
            if definition.is_body || definition.is_alias {
                out.bodies.insert(name.clone());
                if let Some((moment, function)) = moment_of(name) {
                    out.hooks.entry(function.to_owned()).or_default().add(moment, name.clone());
                }
                if let Some(clauses) = surface.contracts.get(name) {
                    out.contracts.entry(name.clone()).or_default().extend(clauses.iter().cloned());
                }
            }
        }
    }
    // What rules and models call is not the program's call.
    if is_model || own.names.keys().any(|name| moment_of(name).is_some()) {
        out.hooks.clear();
    }
    out
}
