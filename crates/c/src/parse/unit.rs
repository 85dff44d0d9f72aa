//! A file by itself: a translation unit, which linking joins with others.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::gate::{Gate, Woven};
use super::kept::Start;
use super::options::ParseOptions;
use super::reach::reachable;
use crate::flow::{Expr, Flow, Function, FunctionId, Place, Variable, VariableId};
use crate::property::Property;
use crate::reliance::{Reliance, Unordered};
use crate::rules::{Hooks, is_of_rule};
use crate::types::Types;
use hardbop_base::errors::{Check, Checks};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span, Suggestions};

/// Where the headers of the system, and of its compilers, are.
const SYSTEM: [&str; 2] = ["/usr/include/", "/usr/lib/"];

/// A function that runs outside of `main`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outside {
    pub function: FunctionId,
    pub is_destructor: bool,
    /// Constructors run from the least one on, destructors the other way round; `None` if it is not plain.
    pub priority: Option<u32>,
}

/// The object or function that a name of a file stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Thing {
    Function(FunctionId),
    Variable(VariableId),
}

/// The definitions in other files of the program, of which a unit has to know before it is read.
#[derive(Debug, Clone, Default)]
pub(crate) struct Elsewhere {
    /// The functions that have bodies there: calls of them are not those of the C library.
    pub bodies: HashSet<String>,
    /// All names that have a definition there.
    pub defined: HashSet<String>,
    /// Of functions that have bodies there, the clauses of contracts that are there, too.
    pub contracts: HashMap<String, HashSet<String>>,
    /// Whether functions may be given to `atexit` there.
    pub uses_at_exit: bool,
    /// Whether `errno` may be read there.
    pub sees_errors: bool,
    /// The hooks of functions there, by these functions.
    pub hooks: BTreeMap<String, Hooks>,
}

/// A translation unit, or several that have been linked.
#[derive(Debug)]
pub(crate) struct Unit {
    pub types: Types,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub strings: Vec<Vec<u8>>,
    pub initialisers: Vec<(Place, Expr)>,
    /// The names at file scope with the places of their first declarations.
    pub names: Vec<(String, Thing, Span)>,
    /// Calls of functions without bodies whose effects are unknown: the caller, the callee and the place of its name.
    pub undefined: Vec<(FunctionId, FunctionId, Span)>,
    /// The errors that the text has, reached or not: the function, and the place.
    pub stated: Vec<(FunctionId, Span)>,
    /// The functions that run before `main`, and behind it.
    pub outside: Vec<Outside>,
    /// Library functions whose calls are left undecided.
    pub undecided: BTreeSet<String>,
    /// Labels of the property that the text has.
    pub error_labels: HashSet<String>,
    /// Functions that are defined without a prototype.
    pub old_style: HashSet<String>,
    pub reliances: BTreeSet<(Reliance, Option<Span>)>,
    pub unordered: BTreeSet<Unordered>,
    pub starts: Vec<Start>,
    /// The condition under which an error counts, where a witness says that.
    pub gate: Option<Gate>,
    /// The fate of each saying of the witness.
    pub woven: Woven,
    /// As in [`Flow::statements`].
    pub statements: Vec<Span>,
    pub warnings: Vec<Diagnostic>,
}

/// Whether the text calls `atexit`, or uses it in another way than to declare it, or has destructors.
pub(super) fn uses_at_exit(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.contains("destructor")
        || text.match_indices("atexit").any(|(at, name)| {
            let (before, behind) = (&text[..at], &text[at + name.len()..]);
            let before = before.trim_end_matches(|c: char| c.is_ascii_whitespace());
            let whole = !text[..at].ends_with(is_word) && !behind.starts_with(is_word);
            let declared = before.ends_with(is_word)
                && !["return", "else", "do"].iter().any(|word| before.ends_with(word));
            whole && !declared
        })
}

/// Whether the text has `errno`, or what its macro calls.
pub(super) fn sees_errors(text: &str) -> bool {
    text.contains("errno")
}

impl Unit {
    /// The function with a body that has this name at file scope.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let found = self.names.iter().find(|(other, ..)| other == name);
        match found {
            Some((_, Thing::Function(id), _)) if self.functions[id.0 as usize].body.is_some() => {
                Some(*id)
            }
            _ => None,
        }
    }

    /// The program that starts in a function of the unit.
    ///
    /// # Errors
    /// There is no such function.
    pub fn program(
        mut self,
        main: Option<FunctionId>,
        source: Source,
        options: &ParseOptions,
    ) -> Result<Flow, Vec<Diagnostic>> {
        let assumed = match options.entry {
            None if self.near("main").is_none() => self.only_root(),
            _ => None,
        };
        let Some(main) = main.or(assumed) else {
            return Err(vec![self.no_entry(&source, options)]);
        };
        // What headers of the system say is not the user's to change; what executions enter there counts.
        let is_of_system = |span: Span| {
            let file = source.position(span.start).file;
            SYSTEM.iter().any(|folder| file.starts_with(folder))
        };
        self.warnings.retain(|warning| !is_of_system(warning.span));
        // Their prototypes have pointers to atomic types.
        self.reliances.retain(|(reliance, span)| {
            *reliance != Reliance::OneThread || !span.is_some_and(is_of_system)
        });
        for label in &options.property.error_labels {
            // The default need not be there.
            if label != Property::DEFAULT_LABEL && !self.error_labels.contains(label) {
                let message = format!("no statement has the label '{label}'");
                let span = Span::new(0, 0);
                self.warnings.push(Diagnostic::new(DiagnosticKind::Undeclared, span, message));
            }
        }
        if self.functions[main.0 as usize].name == "main" {
            let lives = options.property.checks.has(Check::Lifetime);
            self.run_handlers(main, lives);
        } else if options.entry.is_none() {
            self.warn_assumed(main);
        }
        self.start_as_required(main);
        self.warn_endless(main);
        self.run_outside(main);
        self.warn_undefined(main);
        self.warn_unchecked(options);
        self.warnings.sort_by_key(|w| w.span.start);
        Ok(Flow {
            types: self.types,
            variables: self.variables,
            functions: self.functions,
            strings: self.strings,
            initialisers: self.initialisers,
            main,
            beyond: BTreeMap::new(),
            checked: Checks::default(),
            reliances: self.reliances,
            unordered: self.unordered,
            stated: self.stated,
            threads: vec![],
            error_labels: self.error_labels.into_iter().collect(),
            source,
            statements: self.statements,
            warnings: self.warnings,
        })
    }

    /// A function with a body that has a name much like this one.
    fn near(&self, name: &str) -> Option<&str> {
        let defined = self.functions.iter().filter(|f| f.body.is_some());
        Suggestions::default().nearest(name, defined.map(|f| f.name.as_str()))
    }

    /// The function with a body that no other function calls or mentions, if there is just one.
    fn only_root(&self) -> Option<FunctionId> {
        let all = (0..self.functions.len() as u32).map(FunctionId);
        let mut roots: Vec<FunctionId> =
            all.filter(|f| self.functions[f.0 as usize].body.is_some()).collect();
        for root in roots.clone() {
            let from = reachable(&self.functions, &self.initialisers, root);
            roots.retain(|f| *f == root || !from.contains(f));
        }
        match roots.as_slice() {
            &[root] => Some(root),
            _ => None,
        }
    }

    /// Says that executions start elsewhere than in `main`, for want of one.
    fn warn_assumed(&mut self, entry: FunctionId) {
        let Function { name, span, .. } = &self.functions[entry.0 as usize];
        let message = format!("there is no 'main': executions start in '{name}'");
        let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, *span, message);
        let label = "the only function that no other calls; its parameters have any values";
        self.warnings.push(diagnostic.with_label(label));
    }

    fn no_entry(&self, source: &Source, options: &ParseOptions) -> Diagnostic {
        let entry = options.entry.as_deref().unwrap_or("main");
        let end = source.text.trim_end().len();
        let start = end.saturating_sub(1);
        let hint = match self.near(entry) {
            Some(name) => format!("did you mean '{name}' to be it?"),
            None => "'--entry NAME' says where executions start".to_owned(),
        };
        let diagnostic = Diagnostic::new(
            DiagnosticKind::NoEntry,
            Span::new(start, end),
            format!("the program has no function '{entry}'"),
        );
        diagnostic.with_label("the text ends here").with_hint(hint)
    }

    /// Says which functions that executions may enter have no bodies.
    fn warn_undefined(&mut self, entry: FunctionId) {
        let reached = reachable(&self.functions, &self.initialisers, entry);
        let mut said = HashSet::new();
        for (caller, callee, span) in std::mem::take(&mut self.undefined) {
            if reached.contains(&caller) && said.insert(callee) {
                let message = format!("'{}' has no body", self.functions[callee.0 as usize].name);
                let diagnostic = Diagnostic::new(DiagnosticKind::Undeclared, span, message);
                let label = "assumed to return any value and to call nothing back";
                self.warnings.push(diagnostic.with_label(label));
            }
        }
    }

    /// Says where the end that rules ask about is not reached, since executions start elsewhere than in `main`.
    fn warn_endless(&mut self, entry: FunctionId) {
        let mut outside = self.outside.iter().map(|o| &self.functions[o.function.0 as usize]);
        let end = outside.find(|function| is_of_rule(function));
        if let Some(end) = end.filter(|_| self.functions[entry.0 as usize].name != "main") {
            let message =
                "executions do not start in 'main', so the 'end' of this rule is not reached";
            self.warnings.push(Diagnostic::new(DiagnosticKind::Undeclared, end.span, message));
        }
    }

    /// Says where the answer is SAFE for want of anything to check.
    fn warn_unchecked(&mut self, options: &ParseOptions) {
        let is_asked = !options.property.checks.is_empty() || self.functions.iter().any(is_of_rule);
        if self.stated.is_empty() && !is_asked {
            let message = "nothing in this program counts as an error, so nothing is checked: it calls no error \
                 function, and has no assertion and no error label; '--check' looks for errors of other kinds";
            let span = Span::new(0, 0);
            self.warnings.push(Diagnostic::new(DiagnosticKind::Undeclared, span, message));
        }
    }
}
