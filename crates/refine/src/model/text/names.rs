//! Names in the Boolean program; the name of a predicate is its text, as in `{x > 0}`.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::abstraction::assignment::{AbstractProcedure, Variable};
use crate::model::abstraction::question::saved;
use crate::model::skeleton::frame::Skeleton;
use crate::model::skeleton::predicates::{Interface, Predicates};
use hardbop_smt::{Term, Terms};

/// Renders predicates in the language of the program.
pub trait Naming {
    /// The predicate over the variables that a function sees, or over globals if no function is
    /// given.
    fn name(&self, terms: &Terms, predicate: Term, function: Option<&str>) -> String;
}

/// Renders predicates as SMT-LIB.
#[derive(Debug, Clone, Copy, Default)]
pub struct SmtLib;

impl Naming for SmtLib {
    fn name(&self, terms: &Terms, predicate: Term, _: Option<&str>) -> String {
        terms.display(predicate).to_string()
    }
}

/// Reserved words, which must not be used as names.
const RESERVED: [&str; 39] = [
    "abortif",
    "assert",
    "assume",
    "atomic_begin",
    "atomic_end",
    "begin",
    "bool",
    "constrain",
    "dead",
    "decl",
    "dfs",
    "do",
    "elif",
    "else",
    "elsif",
    "end",
    "end_thread",
    "enforce",
    "fi",
    "goto",
    "if",
    "od",
    "print",
    "return",
    "schoose",
    "skip",
    "start_thread",
    "sync",
    "then",
    "thread_local",
    "void",
    "while",
    "F",
    "T",
    "true",
    "false",
    "main",
    "ERROR",
    "SLIC_ERROR",
];

/// The names of all variables and procedures, distinct where they could be confused.
pub struct Namer {
    globals: Vec<String>,
    procedures: Vec<String>,
    /// Names by function.
    variables: Vec<Own>,
}

/// The names that belong to a procedure.
#[derive(Default)]
struct Own {
    formals: Vec<String>,
    names: FxHashMap<Variable, String>,
    order: Vec<Variable>,
}

/// Names that are taken.
#[derive(Default, Clone)]
struct Used(FxHashSet<String>);

impl Used {
    /// A quoted name with this text, changed if it is taken.
    fn quoted(&mut self, text: &str) -> String {
        let text: String = text
            .chars()
            .map(|c| match c {
                '{' => '(',
                '}' => ')',
                '\n' | '\r' => ' ',
                c => c,
            })
            .collect();
        let text = if text.is_empty() { "?" } else { &text };
        let mut name = format!("{{{text}}}");
        let mut count = 1;
        while !self.0.insert(name.clone()) {
            count += 1;
            name = format!("{{{text} #{count}}}");
        }
        name
    }
}

impl Namer {
    pub fn new(
        terms: &Terms,
        skeleton: &Skeleton,
        predicates: &Predicates,
        procedures: &[AbstractProcedure],
        naming: &dyn Naming,
    ) -> Self {
        let mut used = Used::default();
        let globals: Vec<String> =
            predicates.globals.iter().map(|&p| used.quoted(&naming.name(terms, p, None))).collect();
        let functions = &skeleton.program.functions;
        let names = functions.iter().enumerate().map(|(f, function)| {
            let name = &function.name;
            let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
                && !name.starts_with(|c: char| c.is_ascii_digit());
            match () {
                () if f == skeleton.program.main => "main".to_owned(),
                () if is_plain && !RESERVED.contains(&name.as_str()) => name.clone(),
                () => format!("{{{}}}", name.replace(['{', '}', '\n', '\r'], "_")),
            }
        });
        let names: Vec<String> = names.collect();
        let interfaces: Vec<Interface> = procedures.iter().map(|p| p.interface.clone()).collect();
        let mut variables: Vec<Own> = vec![];
        for (f, function) in functions.iter().enumerate() {
            let mut used = used.clone();
            let mut own = Own::default();
            let text = |p: Term| naming.name(terms, p, Some(&function.name));
            for (i, &p) in predicates.locals[f].iter().enumerate() {
                let name = used.quoted(&text(p));
                own.add(Variable::Local(i), name);
            }
            for &formal in &procedures[f].interface.formals {
                let local = predicates.locals[f].get_index_of(&formal);
                let name = match local {
                    Some(i) => own.names[&Variable::Local(i)].clone(),
                    None => used.quoted(&text(formal)),
                };
                own.formals.push(name);
            }
            for (k, call) in skeleton.procedures[f].calls.iter().enumerate() {
                let callee = &functions[call.callee].name;
                let interface = &procedures[call.callee].interface;
                let text = |p: Term| format!("{callee}: {}", naming.name(terms, p, Some(callee)));
                for (j, &p) in interface.formals.iter().enumerate() {
                    own.add(Variable::Argument(k, j), used.quoted(&text(p)));
                }
                for (r, &i) in interface.returns.iter().enumerate() {
                    let predicate = predicates.locals[call.callee][i];
                    own.add(Variable::Returned(k, r), used.quoted(&text(predicate)));
                }
                for i in saved(terms, skeleton, predicates, &interfaces, (f, k)) {
                    let predicate = naming.name(terms, predicates.globals[i], None);
                    let text = format!("{predicate} before {callee}");
                    own.add(Variable::Saved(k, i), used.quoted(&text));
                }
            }
            variables.push(own);
        }
        Self { globals, procedures: names, variables }
    }

    pub fn global(&self, number: usize) -> &str {
        &self.globals[number]
    }

    pub fn procedure(&self, function: usize) -> &str {
        &self.procedures[function]
    }

    pub fn formal(&self, function: usize, number: usize) -> &str {
        &self.variables[function].formals[number]
    }

    /// The name of a variable that a procedure sees.
    pub fn variable(&self, function: usize, variable: Variable) -> &str {
        match variable {
            Variable::Global(i) => &self.globals[i],
            own => &self.variables[function].names[&own],
        }
    }

    /// The variables that belong to a procedure, in order.
    pub fn known(&self, function: usize) -> impl Iterator<Item = Variable> + '_ {
        self.variables[function].order.iter().copied()
    }

    /// The names of all variables that belong to a procedure, including its formals, in order.
    pub fn variables(&self, function: usize) -> impl Iterator<Item = &str> {
        let own = &self.variables[function];
        own.order.iter().map(|v| own.names[v].as_str())
    }
}

impl Own {
    fn add(&mut self, variable: Variable, name: String) {
        self.names.insert(variable, name);
        self.order.push(variable);
    }
}
