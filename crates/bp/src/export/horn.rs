//! Constrained Horn clauses over Booleans, in SMT-LIB.
//!
//! Each cut node of a procedure has a relation between the procedure's entry values (globals and
//! formals that are live there) and the values of the live variables: the path edges of Reps,
//! Horwitz and Sagiv ("Precise interprocedural dataflow analysis via graph reachability", 1995).
//! The relation of the exit is the summary.

use std::fmt::{self, Write};

use super::whole::whole;
use crate::engine::prepare::{Prepared, block::CallSite};
use crate::language::program::{NodeId, ProcId, Program};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::{Aig, Input, Lit, Node};

/// The program as Horn clauses: they are satisfiable if and only if no error can be reached.
///
/// # Errors
/// If the budget is exhausted.
pub fn horn_clauses(program: &Program, budget: &Budget) -> Result<String, Exhausted> {
    let mut aig = Aig::new();
    let prepared = whole(&mut aig, program, budget)?;
    let mut text = String::new();
    let horn = Horn { aig: &aig, prepared: &prepared };
    horn.program(&mut text).expect("writing to a string cannot fail");
    Ok(text)
}

struct Horn<'a> {
    aig: &'a Aig,
    prepared: &'a Prepared<'a>,
}

/// The literal of a formula, as text.
struct Shown(Lit);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Lit::FALSE => f.write_str("false"),
            Lit::TRUE => f.write_str("true"),
            lit if lit.is_negated() => write!(f, "(not n{})", lit.node()),
            lit => write!(f, "n{}", lit.node()),
        }
    }
}

/// An argument of a relation.
#[derive(Clone, Copy)]
enum Argument {
    /// The entry value of a slot.
    Entry(usize),
    Formula(Lit),
    /// The value of a slot in a callee, at its entry if it has any value, or at its exit.
    Inner(usize),
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Entry(slot) => write!(f, "e{slot}"),
            Self::Formula(lit) => write!(f, "{}", Shown(lit)),
            Self::Inner(slot) => write!(f, "c{slot}"),
        }
    }
}

/// A relation and its arguments.
struct Atom {
    relation: (ProcId, NodeId),
    arguments: Vec<Argument>,
}

impl Horn<'_> {
    fn program(&self, out: &mut String) -> fmt::Result {
        let prepared = self.prepared;
        writeln!(out, "; sat: no error can be reached; unsat: one can")?;
        writeln!(out, "(set-logic HORN)")?;
        if prepared.is_trivial() {
            return writeln!(out, "(check-sat)");
        }
        let kept: Vec<ProcId> = prepared
            .program
            .procedure_ids()
            .filter(|&p| prepared.slice.procedure(p).is_some())
            .collect();
        for &p in &kept {
            self.relations(out, p)?;
        }
        let main = prepared.program.entry;
        let entry = prepared.procedure(main).entry;
        let start = self.entered(main, |slot| self.value(main, slot));
        self.clause(out, &[], &[], &start)?;
        debug_assert_eq!(start.relation, (main, entry));
        for &p in &kept {
            self.procedure(out, p)?;
        }
        writeln!(out, "(check-sat)")
    }

    /// Declares the relations of a procedure.
    fn relations(&self, out: &mut String, p: ProcId) -> fmt::Result {
        let prepared = self.prepared;
        let procedure = prepared.procedure(p);
        let frame = prepared.frame(p);
        let name = |slot: usize| {
            let variable = prepared.program.variable(frame.slots[slot]);
            variable.name.replace(['\n', '\r'], " ")
        };
        let entries: Vec<usize> = self.entries(p).collect();
        let title = procedure.name.replace(['\n', '\r'], " ");
        let names: Vec<String> = entries.iter().map(|&slot| name(slot)).collect();
        writeln!(out, "\n; procedure {title}, entry values: {}", names.join(" "))?;
        for n in prepared.cut_nodes(p) {
            let live = prepared.live(p, n);
            let names: Vec<String> = live.ones().map(name).collect();
            let line = prepared.program.source.position(procedure.nodes[n.index()].span.start).line;
            let count = entries.len() + names.len();
            let sorts = vec!["Bool"; count].join(" ");
            write!(out, "(declare-fun {} ({sorts}) Bool)", relation((p, n)))?;
            writeln!(out, " ; line {line}: {}", names.join(" "))?;
        }
        Ok(())
    }

    /// The clauses of a procedure's blocks and calls, and that its error is not reached.
    fn procedure(&self, out: &mut String, p: ProcId) -> fmt::Result {
        let prepared = self.prepared;
        let blocks = prepared.blocks(p);
        let error = prepared.procedure(p).error;
        for n in prepared.cut_nodes(p) {
            let here = self.at(p, n, |slot| Argument::Formula(self.value(p, slot)));
            if n == error {
                out.push_str("(assert ");
                self.implication(out, &[&here], 1, &[], "false")?;
                out.push_str(")\n");
            }
            for exit in blocks.blocks[n.index()].iter().flat_map(|block| &block.exits) {
                let there =
                    self.at(p, exit.target, |slot| Argument::Formula(exit.state.omega[slot]));
                self.clause(out, &[&here], &[exit.state.guard], &there)?;
            }
            for site in &blocks.calls[n.index()] {
                if prepared.slice.procedure(site.callee).is_some() {
                    self.call(out, p, &here, site)?;
                }
            }
        }
        Ok(())
    }

    fn call(&self, out: &mut String, p: ProcId, here: &Atom, site: &CallSite) -> fmt::Result {
        let prepared = self.prepared;
        let q = site.callee;
        let exit = prepared.procedure(q).exit;
        let given = |slot: usize| {
            let argument = site.arguments.iter().find(|a| a.0 == slot).map(|a| a.1);
            let global = || site.globals.iter().find(|g| g.1 == slot);
            argument.or_else(|| global().map(|g| self.value(p, g.0))).unwrap_or(Lit::FALSE)
        };
        let enter = self.entered(q, given);
        self.clause(out, &[here], &[], &enter)?;
        let Some(target) = site.target else { return Ok(()) };
        if !prepared.slice.procedure(q).is_some_and(|kept| kept.nodes[exit.index()]) {
            return Ok(());
        }
        let at_exit = prepared.live(q, exit);
        let arguments = self.entries(q).map(|slot| Argument::Formula(given(slot)));
        let arguments = arguments.chain(at_exit.ones().map(Argument::Inner)).collect();
        let summary = Atom { relation: (q, exit), arguments };
        let returned = site.globals.iter().chain(&site.results);
        let returned: Vec<(usize, usize)> =
            returned.copied().filter(|&(_, inner)| at_exit.contains(inner)).collect();
        let there = self.at(p, target, |slot| {
            let inner = returned.iter().rev().find(|r| r.0 == slot).map(|r| r.1);
            inner.map_or(Argument::Formula(self.value(p, slot)), Argument::Inner)
        });
        self.clause(out, &[here, &summary], &[], &there)
    }

    /// The value of a slot before a block, as a formula.
    fn value(&self, p: ProcId, slot: usize) -> Lit {
        self.aig.input(self.prepared.blocks(p).inputs[slot])
    }

    /// The slots whose entry values the relations of a procedure have.
    fn entries(&self, p: ProcId) -> impl Iterator<Item = usize> {
        let procedure = self.prepared.procedure(p);
        let slots = &self.prepared.frame(p).slots;
        let program = self.prepared.program;
        let live = self.prepared.live(p, procedure.entry).ones();
        live.filter(|&s| program.is_global(slots[s]) || procedure.formals.contains(&slots[s]))
    }

    /// The relation of a node, with these values of the live slots.
    fn at(&self, p: ProcId, n: NodeId, value: impl Fn(usize) -> Argument) -> Atom {
        let entries = self.entries(p).map(Argument::Entry);
        let live = self.prepared.live(p, n).ones().map(value);
        Atom { relation: (p, n), arguments: entries.chain(live).collect() }
    }

    /// The relation of the entry node, whose entry values are the current ones.
    fn entered(&self, p: ProcId, value: impl Fn(usize) -> Lit) -> Atom {
        let entry = self.prepared.procedure(p).entry;
        let entries: Vec<usize> = self.entries(p).collect();
        let given = entries.iter().map(|&slot| Argument::Formula(value(slot)));
        // Locals start with any value.
        let live = self.prepared.live(p, entry).ones().map(|slot| match entries.contains(&slot) {
            true => Argument::Formula(value(slot)),
            false => Argument::Inner(slot),
        });
        Atom { relation: (p, entry), arguments: given.chain(live).collect() }
    }

    /// Writes a clause: the body and the conditions imply the head.
    fn clause(
        &self,
        out: &mut String,
        body: &[&Atom],
        conditions: &[Lit],
        head: &Atom,
    ) -> fmt::Result {
        let mut all: Vec<&Atom> = body.to_vec();
        all.push(head);
        out.push_str("(assert ");
        let text = atom(head);
        let count = body.len();
        self.implication(out, &all, count, conditions, &text)?;
        out.push_str(")\n");
        Ok(())
    }

    /// The first `count` atoms and the conditions imply the head; all variables are universal,
    /// gates of the graph are variables with definitions.
    fn implication(
        &self,
        out: &mut String,
        atoms: &[&Atom],
        count: usize,
        conditions: &[Lit],
        head: &str,
    ) -> fmt::Result {
        let arguments = || atoms.iter().flat_map(|a| &a.arguments);
        let formulas = arguments().filter_map(|a| match *a {
            Argument::Formula(lit) => Some(lit),
            _ => None,
        });
        let cone = self.aig.cone(formulas.chain(conditions.iter().copied()));
        let mut names: Vec<String> = arguments()
            .filter(|a| !matches!(a, Argument::Formula(_)))
            .map(ToString::to_string)
            .collect();
        names.sort_unstable();
        names.dedup();
        let mut premises: Vec<String> = atoms[..count].iter().map(|a| atom(a)).collect();
        for n in cone {
            match self.aig.node(n) {
                Node::False => continue,
                Node::Input(Input(_)) => {}
                Node::And(a, b) => {
                    premises.push(format!("(= n{n} (and {} {}))", Shown(a), Shown(b)))
                }
            }
            names.push(format!("n{n}"));
        }
        let conditions = conditions.iter().filter(|&&c| c != Lit::TRUE);
        premises.extend(conditions.map(|&c| Shown(c).to_string()));
        if !names.is_empty() {
            out.push_str("(forall (");
            for name in &names {
                write!(out, "({name} Bool)")?;
            }
            out.push_str(") ");
        }
        match &premises[..] {
            [] => write!(out, "(=> true {head})")?,
            [one] => write!(out, "(=> {one} {head})")?,
            all => write!(out, "(=> (and {}) {head})", all.join(" "))?,
        }
        if !names.is_empty() {
            out.push(')');
        }
        Ok(())
    }
}

fn relation((p, n): (ProcId, NodeId)) -> String {
    format!("p{}_{}", p.0, n.0)
}

fn atom(atom: &Atom) -> String {
    let name = relation(atom.relation);
    if atom.arguments.is_empty() {
        return name;
    }
    let arguments: Vec<String> = atom.arguments.iter().map(ToString::to_string).collect();
    format!("({name} {})", arguments.join(" "))
}
