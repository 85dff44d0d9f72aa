//! The Boolean program as text, with the meaning of its statements.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{Namer, Naming};
use super::statement;
use crate::block::problem::Problem;
use crate::cegar::error::RefineError;
use crate::cegar::statistics::ProgramSize;
use crate::model::abstraction::abstracter::Abstracter;
use crate::model::abstraction::assignment::{AbstractProcedure, Assignment, Variable};
use crate::model::skeleton::frame::Skeleton;
use crate::model::skeleton::predicates::{Initial, Predicates};
use hardbop_base::source::Source;
use hardbop_bp::language::parser::{Dialect, parse};
use hardbop_bp::language::program::{ProcId, Program, VarId};
use hardbop_bp::language::resolve::{ResolveOptions, resolve};
use hardbop_cfa::{Goal, Location, Place};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// The meaning of a statement of the Boolean program: the number of a function, and the number of a
/// block or call in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    Block(usize, usize),
    Call(usize, usize),
    /// The assignment after a call returns.
    Return(usize, usize),
}

/// A Boolean program that simulates the program, as far as predicates can tell.
#[derive(Debug, Clone)]
pub struct BooleanProgram {
    pub program: Program,
    /// The meanings of statements, by the offset at which a statement begins.
    pub meanings: FxHashMap<u32, Meaning>,
    /// The meaning of each variable in a state of the program: a formula over the variables that
    /// its procedure's function sees (for a global variable, over globals only).  Variables that
    /// carry values to and from calls are not included.
    pub predicates: FxHashMap<VarId, Term>,
    /// The meaning, in the state before the call, of variables that carry a value to a call or past
    /// it.
    pub carried: FxHashMap<VarId, Term>,
    /// The procedure of each function.
    pub procedures: Vec<ProcId>,
    pub size: ProgramSize,
}

impl BooleanProgram {
    /// The text of the program.
    pub fn text(&self) -> &str {
        &self.program.source.text
    }
}

/// The original program, for comments and names.
pub struct Text<'a> {
    pub source: Option<&'a Source>,
    pub naming: &'a dyn Naming,
}

/// The Boolean program of abstracted functions; nothing leads to closed goals.
///
/// # Errors
/// If the text is not a program, which would be a defect of hardbop.
pub fn program(
    terms: &mut Terms,
    abstracter: &Abstracter,
    (predicates, procedures): (&Predicates, &[AbstractProcedure]),
    closed: &FxHashSet<(usize, Location)>,
    text: &Text,
) -> Result<BooleanProgram, RefineError> {
    let namer = Namer::new(terms, abstracter.skeleton, predicates, procedures, text.naming);
    let mut writer = Writer {
        abstracter,
        procedures,
        namer,
        closed,
        text,
        out: String::new(),
        meanings: FxHashMap::default(),
        size: ProgramSize { procedures: procedures.len() as u64, ..ProgramSize::default() },
    };
    writer.globals(predicates.globals.len());
    // A Boolean program starts with its first procedure.
    let main = abstracter.skeleton.program.main;
    let others = (0..procedures.len()).filter(|&f| f != main);
    for function in std::iter::once(main).chain(others) {
        writer.procedure(function);
    }
    let Writer { out, meanings, mut size, namer, .. } = writer;
    size.bytes = out.len() as u64;
    let source = Source::new("abstraction.bp", out);
    let ill_formed = |all: Vec<hardbop_base::source::Diagnostic>| {
        let first = all.first().map_or(String::new(), |d| {
            let (line, column) = source.line_column(d.span.start);
            format!("{line}:{column}: {}", d.message)
        });
        RefineError::IllFormed(first)
    };
    let tree = parse(&source.text, Dialect::Slam).map_err(ill_formed)?;
    let options = ResolveOptions::default();
    let program = resolve(source.clone(), &tree, &options).map_err(ill_formed)?;
    let find = |function: usize| {
        let name = namer.procedure(function);
        let position = program.procedures.iter().position(|p| p.name == name);
        ProcId(position.map_or(0, |i| i as u32))
    };
    let numbers: Vec<ProcId> = (0..procedures.len()).map(find).collect();
    let skeleton = abstracter.skeleton;
    let (said, carried) =
        said(terms, skeleton, &program, &numbers, (predicates, procedures), &namer);
    let predicates = said;
    Ok(BooleanProgram { program, meanings, predicates, carried, procedures: numbers, size })
}

/// The predicates that variables represent, and those that they carry.
fn said(
    terms: &mut Terms,
    skeleton: &Skeleton,
    program: &Program,
    procedures: &[ProcId],
    (predicates, abstracted): (&Predicates, &[AbstractProcedure]),
    namer: &Namer,
) -> (FxHashMap<VarId, Term>, FxHashMap<VarId, Term>) {
    let mut said = FxHashMap::default();
    let mut carried = FxHashMap::default();
    let variable = |v: VarId| program.variable(v).name.as_str();
    let globals: FxHashMap<&str, VarId> =
        program.globals.iter().map(|&v| (variable(v), v)).collect();
    for (i, &predicate) in predicates.globals.iter().enumerate() {
        said.extend(globals.get(namer.global(i)).map(|&v| (v, predicate)));
    }
    for (f, &procedure) in procedures.iter().enumerate() {
        let procedure = program.procedure(procedure);
        let own = procedure.formals.iter().chain(&procedure.locals);
        let own: FxHashMap<&str, VarId> = own.map(|&v| (variable(v), v)).collect();
        for (i, &predicate) in predicates.locals[f].iter().enumerate() {
            let name = namer.variable(f, Variable::Local(i));
            said.extend(own.get(name).map(|&v| (v, predicate)));
        }
        for variable in namer.known(f) {
            let predicate = match variable {
                Variable::Argument(k, j) => {
                    let call = &skeleton.procedures[f].calls[k];
                    let formal = abstracted[call.callee].interface.formals[j];
                    let formals = skeleton.formals(call.callee);
                    let given: FxHashMap<Symbol, Term> =
                        formals.iter().copied().zip(call.arguments.iter().copied()).collect();
                    terms.substitute(formal, |terms, leaf| match *terms.node(leaf) {
                        Node::Variable(s) => given.get(&s).copied(),
                        _ => None,
                    })
                }
                Variable::Saved(_, i) => predicates.globals[i],
                _ => continue,
            };
            let name = namer.variable(f, variable);
            carried.extend(own.get(name).map(|&v| (v, predicate)));
        }
    }
    (said, carried)
}

struct Writer<'a, 's, 'p> {
    abstracter: &'a Abstracter<'s, 'p>,
    procedures: &'a [AbstractProcedure],
    namer: Namer,
    closed: &'a FxHashSet<(usize, Location)>,
    text: &'a Text<'a>,
    out: String,
    meanings: FxHashMap<u32, Meaning>,
    size: ProgramSize,
}

/// The most lines of the program that one comment cites.
const CITED: usize = 4;

impl Writer<'_, '_, '_> {
    fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn globals(&mut self, count: usize) {
        self.size.globals = count as u64;
        for i in 0..count {
            let name = self.namer.global(i).to_owned();
            self.line(&format!("decl {name};"));
        }
    }

    fn procedure(&mut self, function: usize) {
        let procedures = self.procedures;
        let procedure = &procedures[function];
        let abstracter = self.abstracter;
        let name = self.namer.procedure(function).to_owned();
        let kind = match procedure.interface.returns.len() {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        let formals: Vec<String> = (0..procedure.interface.formals.len())
            .map(|j| self.namer.formal(function, j).to_owned())
            .collect();
        self.line("");
        self.line(&format!("{kind} {name}({})", formals.join(", ")));
        self.line("begin");
        self.size.locals += formals.len() as u64;
        let formals: FxHashSet<&str> = formals.iter().map(String::as_str).collect();
        let mut locals: Vec<String> = self.namer.variables(function).map(str::to_owned).collect();
        locals.retain(|n| !formals.contains(n.as_str()));
        self.size.locals += locals.len() as u64;
        for local in locals {
            self.line(&format!("  decl {local};"));
        }
        self.initial(function);
        if !statement::is_skip(&procedure.start) {
            let text = self.assignment(function, &procedure.start);
            self.statement("", &text, None);
        }
        let problem = &abstracter.problems[function];
        let entry = problem.automaton.entry;
        let others = problem.summary.locations.iter().copied().filter(|&l| l != entry);
        for location in std::iter::once(entry).chain(others) {
            self.location(function, problem, location);
        }
        let reaches = |goal: &Goal| *goal == Goal::Error;
        if problem.automaton.goals.iter().any(|(_, g)| reaches(g)) {
            self.statement("ERROR: ", "skip", None);
            self.statement("", "assume F", None);
        }
        self.line("end");
    }

    /// Initialises local predicates with their values at the entry.
    fn initial(&mut self, function: usize) {
        let procedure = &self.procedures[function];
        let (mut targets, mut values) = (vec![], vec![]);
        for (i, initial) in procedure.interface.initial.iter().enumerate() {
            let name = self.namer.variable(function, Variable::Local(i));
            let (value, sign) = match *initial {
                Initial::Constant(b) => (if b { "T" } else { "F" }, true),
                Initial::Global(k, sign) => (self.namer.global(k), sign),
                Initial::Formal(j, sign) => (self.namer.formal(function, j), sign),
                Initial::Unknown => continue,
            };
            if value != name {
                targets.push(name.to_owned());
                values.push(format!("{}{value}", if sign { "" } else { "!" }));
            }
        }
        if !targets.is_empty() {
            let text = format!("{} := {}", targets.join(", "), values.join(", "));
            self.statement("", &text, None);
        }
    }

    fn statement(&mut self, labels: &str, text: &str, meaning: Option<Meaning>) {
        self.out.push_str("  ");
        self.out.push_str(labels);
        if let Some(meaning) = meaning {
            self.meanings.insert(self.out.len() as u32, meaning);
        }
        self.size.statements += 1;
        self.out.push_str(text);
        self.out.push_str(";\n");
    }

    /// Writes the statements of a location, and where they lead.
    fn location(&mut self, function: usize, problem: &Problem, location: Location) {
        if problem.automaton.goal(location).is_some() {
            return;
        }
        let procedure = &self.abstracter.skeleton.procedures[function];
        let label = format!("L{}: ", location.0);
        if let Some(call) = procedure.call_at(location) {
            return self.call(function, call, &label);
        }
        if procedure.exit == Some(location) {
            let interface = &self.procedures[function].interface;
            let values: Vec<&str> = interface
                .returns
                .iter()
                .map(|&i| self.namer.variable(function, Variable::Local(i)))
                .collect();
            let text = format!("return {}", values.join(", "));
            return self.statement(&label, text.trim_end(), None);
        }
        let blocks: Vec<usize> = problem
            .summary
            .outgoing(location)
            .filter(|&b| !self.procedures[function].blocks[b].update.is_blocked())
            .filter(|&b| !self.closed.contains(&(function, problem.target(b))))
            .collect();
        match blocks[..] {
            [] => self.statement(&label, "assume F", None),
            [block] => self.block(function, problem, block, &label),
            _ => {
                let labels: Vec<String> = blocks.iter().map(|b| format!("B{b}")).collect();
                self.statement(&label, &format!("goto {}", labels.join(", ")), None);
                for block in blocks {
                    self.block(function, problem, block, &format!("B{block}: "));
                }
            }
        }
    }

    fn block(&mut self, function: usize, problem: &Problem, block: usize, label: &str) {
        let edges = &problem.summary.blocks[block].edges;
        self.comment(edges.iter().map(|&e| problem.automaton.edges[e as usize].place));
        let procedures = self.procedures;
        let text = self.assignment(function, &procedures[function].blocks[block]);
        self.statement(label, &text, Some(Meaning::Block(function, block)));
        let target = problem.target(block);
        match problem.automaton.goal(target) {
            None => self.statement("", &format!("goto L{}", target.0), None),
            Some(Goal::Error) => self.statement("", "goto ERROR", None),
            Some(Goal::Unsupported(reason, _) | Goal::Depth(reason, _)) => {
                let reason = reason.replace('\n', " ");
                self.line(&format!("  // not modelled: {reason}"));
                self.statement("", "assert F", None);
            }
        }
    }

    fn call(&mut self, function: usize, number: usize, label: &str) {
        let skeleton = self.abstracter.skeleton;
        let call = &skeleton.procedures[function].calls[number];
        self.comment(std::iter::once(call.place));
        let interface = &self.procedures[call.callee].interface;
        let name = |v: Variable| self.namer.variable(function, v).to_owned();
        let returned: Vec<String> =
            (0..interface.returns.len()).map(|r| name(Variable::Returned(number, r))).collect();
        let arguments: Vec<String> =
            (0..interface.formals.len()).map(|j| name(Variable::Argument(number, j))).collect();
        let callee = self.namer.procedure(call.callee);
        let mut text = format!("{callee}({})", arguments.join(", "));
        if !returned.is_empty() {
            text = format!("{} := {text}", returned.join(", "));
        }
        self.statement(label, &text, Some(Meaning::Call(function, number)));
        let procedures = self.procedures;
        let text = self.assignment(function, &procedures[function].returns[number]);
        self.statement("", &text, Some(Meaning::Return(function, number)));
        self.statement("", &format!("goto L{}", call.back.0), None);
    }

    fn assignment(&self, function: usize, assignment: &Assignment) -> String {
        statement::text(assignment, |v| self.namer.variable(function, v))
    }

    /// Cites the original lines in a comment.
    fn comment(&mut self, places: impl Iterator<Item = Place>) {
        let Some(source) = self.text.source else { return };
        let mut lines: Vec<(usize, String)> = vec![];
        let mut more = false;
        for place in places.filter(|p| p.instruction != Place::NOWHERE) {
            let line = source.position(place.span.start).line;
            if lines.iter().any(|(l, _)| *l == line) {
                continue;
            }
            more |= lines.len() == CITED;
            if lines.len() < CITED {
                lines.push((line, source.snippet(place.span, 60)));
            }
        }
        for (line, snippet) in lines {
            // A comment ends at the end of its line.
            let snippet = snippet.replace(['\n', '\r'], " ");
            let _ = writeln!(self.out, "  // {line}: {snippet}");
        }
        if more {
            self.line("  // ...");
        }
    }
}
