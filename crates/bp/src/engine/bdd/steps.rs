//! The steps from a cut node, as relations.

use std::collections::{BTreeMap, BTreeSet};

use super::relation::{Conjunct, Relation, Shape, eliminate};
use super::space::{Space, Translation};
use crate::engine::limits;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::block::CallSite;
use crate::language::program::{NodeId, ProcId};
use hardbop_logic::bdd::{Bdd, Manager, Replacement, Stop};
use hardbop_logic::{Aig, Lit};

/// The ingredients that all relations of a program share.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub aig: &'a Aig,
    pub prepared: &'a Prepared<'a>,
    pub space: &'a Space,
    pub limits: &'a limits::Bdd,
}

/// The steps from a cut node: its block's exits, and its calls.
pub(super) struct Steps {
    /// The exits of the block, by target.
    pub exits: Vec<(NodeId, Relation)>,
    pub calls: Vec<CallStep>,
}

/// A call that matters.
pub(super) struct CallStep {
    pub site: usize,
    pub callee: ProcId,
    pub how: How,
}

pub(super) enum How {
    /// Stepped over.
    Skip { target: NodeId, relation: Relation },
    /// Entered.
    Follow(Box<Follow>),
}

/// A call that enters its callee.
pub(super) struct Follow {
    /// Leads from path edges to entry values of the callee.
    pub enter: Relation,
    /// The conjuncts of the arguments, over current values of the caller and entry values of the
    /// callee's formals.
    pub arguments: Vec<Conjunct>,
    /// Globals: current value in the caller, entry value in the callee.
    pub passed: Vec<(u32, u32)>,
    /// The choices of the arguments.
    pub choices: Bdd,
    pub back: Option<Back>,
}

/// How a call returns.
pub(super) struct Back {
    pub target: NodeId,
    /// The sources of changed values of the caller: slot here, slot in the callee.
    pub results: BTreeMap<usize, usize>,
    /// Current values of the callee that the caller does not use.
    drop: Bdd,
    /// Replaces the callee's entry values by the caller's current values and choices, and the
    /// callee's current values by next values of the caller.
    instantiate: Replacement,
    /// Replaces the callee's entry values only, in the same way.
    pub enter: Replacement,
    choices: Bdd,
    /// Current values that are overwritten, or dead afterwards.
    forget: Bdd,
    rename: Replacement,
    after: Option<Bdd>,
    /// All summary edges so far, instantiated.
    pub summary: Bdd,
}

impl Back {
    /// A summary edge (entry and current values of the callee) as seen from the call.
    pub fn instantiated(&self, m: &mut Manager, summary: &Bdd) -> Result<Bdd, Stop> {
        let summary = m.exists(summary, &self.drop)?;
        let summary = m.replace(&summary, &self.instantiate)?;
        m.exists(&summary, &self.choices)
    }

    /// Path edges after the call, where the callee behaves as `summary` (instantiated) says.
    pub fn image(&self, m: &mut Manager, from: &Bdd, summary: &Bdd) -> Result<Bdd, Stop> {
        let image = m.and_exists(from, summary, &self.forget)?;
        let image = m.replace(&image, &self.rename)?;
        match &self.after {
            Some(known) => m.and(&image, known),
            None => Ok(image),
        }
    }
}

impl<'a> World<'a> {
    fn variable(self, p: ProcId, slot: usize) -> crate::language::program::VarId {
        self.prepared.frame(p).slots[slot]
    }

    pub fn entry(self, p: ProcId, slot: usize) -> u32 {
        self.space.entry(self.variable(p, slot))
    }

    pub fn now(self, p: ProcId, slot: usize) -> u32 {
        self.space.now(self.variable(p, slot))
    }

    pub fn next(self, p: ProcId, slot: usize) -> u32 {
        self.space.next(self.variable(p, slot))
    }

    /// The entry values of a procedure.
    pub fn entries(self, p: ProcId) -> impl Iterator<Item = u32> {
        self.space.entry_slots(p).iter().map(move |&slot| self.entry(p, slot))
    }

    fn support(self, lit: Lit) -> BTreeSet<u32> {
        self.aig.support([lit]).into_iter().map(|i| self.space.input(i)).collect()
    }

    /// A formula over current values; `None` if it is true.
    fn known(self, m: &mut Manager, formula: Lit) -> Result<Option<Bdd>, Stop> {
        if formula == Lit::TRUE {
            return Ok(None);
        }
        Translation::default().lit(m, self.aig, self.space, formula).map(Some)
    }

    /// `variable` has the value of `lit`.
    fn equal(
        self,
        m: &mut Manager,
        translation: &mut Translation,
        variable: u32,
        lit: Lit,
    ) -> Result<Conjunct, Stop> {
        let value = translation.lit(m, self.aig, self.space, lit)?;
        let function = m.iff(&m.variable(variable), &value)?;
        let mut support = self.support(lit);
        support.insert(variable);
        Ok(Conjunct { function, support })
    }

    /// The steps from a cut node.
    pub fn steps(self, m: &mut Manager, p: ProcId, n: NodeId) -> Result<Steps, Stop> {
        let mut exits = vec![];
        let blocks = self.prepared.blocks(p);
        let mut translation = Translation::default();
        if let Some(block) = &blocks.blocks[n.index()] {
            for exit in &block.exits {
                let mut choices: BTreeSet<u32> = BTreeSet::new();
                let mut conjuncts = vec![];
                if exit.state.guard != Lit::TRUE {
                    let guard = exit.state.guard;
                    let function = translation.lit(m, self.aig, self.space, guard)?;
                    conjuncts.push(Conjunct { function, support: self.support(guard) });
                }
                let after = self.prepared.live(p, exit.target);
                let mut forget = self.dead(p, n, exit.target);
                let mut rename = vec![];
                for slot in after.ones() {
                    let value = exit.state.omega[slot];
                    if value == self.aig.input(blocks.inputs[slot]) {
                        continue;
                    }
                    let next = self.next(p, slot);
                    conjuncts.push(self.equal(m, &mut translation, next, value)?);
                    forget.insert(self.now(p, slot));
                    rename.push((next, self.now(p, slot)));
                }
                let roots = exit.state.roots();
                let used: BTreeSet<u32> =
                    self.aig.support(roots).into_iter().map(|i| self.space.input(i)).collect();
                choices.extend(
                    block.choices.iter().map(|&c| self.space.input(c)).filter(|x| used.contains(x)),
                );
                let shape = Shape { conjuncts, choices, forget, rename, after: None };
                exits.push((exit.target, Relation::new(m, shape, self.limits)?));
            }
        }
        let mut calls = vec![];
        for (index, site) in blocks.calls[n.index()].iter().enumerate() {
            let how = if self.prepared.slice.procedure(site.callee).is_none() {
                continue;
            } else if self.prepared.is_transparent(site.callee) {
                let Some(target) = site.target else { continue };
                let forget = self.dead(p, n, target);
                let after = self.known(m, site.promise)?;
                let (conjuncts, choices, rename) = Default::default();
                let shape = Shape { conjuncts, choices, forget, rename, after };
                How::Skip { target, relation: Relation::new(m, shape, self.limits)? }
            } else {
                How::Follow(Box::new(self.follow(m, p, n, site)?))
            };
            calls.push(CallStep { site: index, callee: site.callee, how });
        }
        Ok(Steps { exits, calls })
    }

    /// The current values that are live at `n` but not at `target`.
    fn dead(self, p: ProcId, n: NodeId, target: NodeId) -> BTreeSet<u32> {
        let after = self.prepared.live(p, target);
        let live = self.prepared.live(p, n).ones();
        live.filter(|&slot| !after.contains(slot)).map(|slot| self.now(p, slot)).collect()
    }

    fn follow(
        self,
        m: &mut Manager,
        p: ProcId,
        n: NodeId,
        site: &CallSite,
    ) -> Result<Follow, Stop> {
        let callee = site.callee;
        let mut translation = Translation::default();
        let mut conjuncts = vec![];
        let mut values = vec![];
        for &(slot, value) in &site.arguments {
            if self.space.entry_slots(callee).contains(&slot) {
                let entry = self.entry(callee, slot);
                conjuncts.push(self.equal(m, &mut translation, entry, value)?);
                values.push((entry, translation.lit(m, self.aig, self.space, value)?));
            }
        }
        let choices: BTreeSet<u32> = site.choices.iter().map(|&c| self.space.input(c)).collect();
        let arguments = eliminate(m, conjuncts.clone(), &mut choices.clone(), self.limits)?;

        // Globals keep their values.
        let passed: Vec<(u32, u32)> = site
            .globals
            .iter()
            .filter(|(_, inner)| self.space.entry_slots(callee).contains(inner))
            .map(|&(outer, inner)| (self.now(p, outer), self.entry(callee, inner)))
            .collect();
        // Drops the caller's values first: a recursive call uses the same variables for the
        // callee's.
        let forget = self
            .prepared
            .live(p, n)
            .ones()
            .map(|slot| self.now(p, slot))
            .filter(|v| !passed.iter().any(|pair| pair.0 == *v))
            .collect();
        let rename = passed.clone();
        let shape = Shape { conjuncts, choices: choices.clone(), forget, rename, after: None };
        let enter = Relation::new(m, shape, self.limits)?;
        let choices = m.cube(choices)?;
        let mut follow = Follow { enter, arguments, passed, choices, back: None };
        let Some(target) = site.target else { return Ok(follow) };

        let live = self.prepared.live(p, target);
        let modified = self.prepared.slice.procedure(callee).map(|s| &s.modified);
        let mut results: BTreeMap<usize, usize> = BTreeMap::new();
        for &(outer, inner) in site.globals.iter().filter(|(outer, _)| live.contains(*outer)) {
            let v = self.variable(callee, inner);
            if modified.is_some_and(|m| m.contains(v.index())) {
                results.insert(outer, inner);
            }
        }
        results.extend(site.results.iter().copied());
        let exit = self.prepared.live(callee, self.prepared.procedure(callee).exit);
        let seen: BTreeSet<usize> = results.values().copied().collect();
        let drop = exit.ones().filter(|slot| !seen.contains(slot));
        let drop = m.cube(drop.map(|slot| self.now(callee, slot)))?;
        values.extend(follow.passed.iter().map(|&(now, entry)| (entry, m.variable(now))));
        let enter_values = m.replacement(values.iter().cloned());
        let came = results
            .iter()
            .map(|(&outer, &inner)| (self.now(callee, inner), m.variable(self.next(p, outer))));
        let instantiate = m.replacement(values.into_iter().chain(came));
        let mut forget = self.dead(p, n, target);
        forget.extend(results.keys().map(|&outer| self.now(p, outer)));
        let rename = m.replacement(
            results.keys().map(|&outer| (self.next(p, outer), m.variable(self.now(p, outer)))),
        );
        follow.back = Some(Back {
            target,
            drop,
            instantiate,
            enter: enter_values,
            choices: follow.choices.clone(),
            forget: m.cube(forget)?,
            rename,
            after: self.known(m, site.promise)?,
            summary: m.constant(false),
            results,
        });
        Ok(follow)
    }

    /// The path edges at the entry node of a procedure in the given contexts.
    pub fn entered(self, m: &mut Manager, p: ProcId, contexts: &Bdd) -> Result<Bdd, Stop> {
        let mut edges = contexts.clone();
        let facts = self.prepared.blocks(p).entry_facts;
        if let Some(known) = self.known(m, facts)? {
            edges = m.and(&edges, &known)?;
        }
        for &slot in self.space.entry_slots(p).iter().rev() {
            let (entry, now) = (m.variable(self.entry(p, slot)), m.variable(self.now(p, slot)));
            let same = m.iff(&entry, &now)?;
            edges = m.and(&edges, &same)?;
        }
        Ok(edges)
    }
}
