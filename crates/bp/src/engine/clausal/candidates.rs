//! The clauses that are tried.
//!
//! Units over all live variables; pairs of variables that one procedure mentions, itself or through
//! a small callee such as a lock operation; and wider disjunctions that occur in the text.  What a
//! procedure tries over globals, its callers try as well, since it has to hold in them too.

use std::hash::BuildHasher;

use fixedbitset::FixedBitSet;
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::engine::limits;
use crate::engine::prepare::Prepared;
use crate::engine::prepare::facts::Clauses;
use crate::engine::symbolic::state::{Valuation, evaluate};
use crate::language::program::{Call, EdgeId, Expr, Op, Operation, ProcId, Program, VarId};
use hardbop_base::budget::{Budget, Exhausted};
use hardbop_logic::aig::Node;
use hardbop_logic::{Aig, Lit};

/// A slot of a frame, or its negation: twice the slot, plus one where negated.
pub type SlotLit = u32;

/// The clauses that are tried in one procedure.
#[derive(Debug, Default)]
pub struct Domain {
    /// The clauses, each sorted, not empty, and without complementary literals.
    clauses: Clauses,
    /// The numbers of the clauses, by their hash.
    index: HashTable<u32>,
    /// The clauses in which each slot occurs.
    pub by_slot: Vec<Vec<u32>>,
    /// The clause that is this literal alone, for each literal.
    units: Vec<Option<u32>>,
}

impl Domain {
    fn new(slots: usize) -> Self {
        Self { by_slot: vec![vec![]; slots], units: vec![None; 2 * slots], ..Self::default() }
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.clauses.len()
    }

    pub fn clause(&self, id: usize) -> &[SlotLit] {
        self.clauses.get(id)
    }

    /// The number of a sorted clause, if it is tried.
    pub fn find(&self, sorted: &[SlotLit]) -> Option<usize> {
        let same = |&id: &u32| self.clause(id as usize) == sorted;
        self.index.find(FxBuildHasher.hash_one(sorted), same).map(|&id| id as usize)
    }

    pub fn clauses(&self) -> impl Iterator<Item = &[SlotLit]> {
        self.clauses.iter()
    }

    /// The clause that is this literal alone, if it is tried.
    pub fn unit(&self, l: SlotLit) -> Option<usize> {
        self.units[l as usize].map(|id| id as usize)
    }

    fn add(&mut self, clause: &[SlotLit]) {
        if self.find(clause).is_some() {
            return;
        }
        let id = self.len() as u32;
        let mut last = None;
        for l in clause {
            if last != Some(l / 2) {
                self.by_slot[(l / 2) as usize].push(id);
            }
            last = Some(l / 2);
        }
        if let [unit] = *clause {
            self.units[unit as usize] = Some(id);
        }
        self.clauses.push(clause.iter().copied());
        let Self { clauses, index, .. } = self;
        let hash = |&id: &u32| FxBuildHasher.hash_one(clauses.get(id as usize));
        index.insert_unique(hash(&id), id, hash);
    }
}

/// A literal over variables: the variable, and whether it is negated.
type VarLit = (VarId, bool);

/// The candidates of one procedure besides units; beyond the limits, the first ones are kept.
struct Wanted<'a> {
    limits: &'a limits::Clausal,
    pairs: FxHashSet<(VarId, VarId)>,
    wide: FxHashSet<Vec<VarLit>>,
}

impl<'a> Wanted<'a> {
    fn new(limits: &'a limits::Clausal) -> Self {
        Self { limits, pairs: FxHashSet::default(), wide: FxHashSet::default() }
    }

    fn add_pair(&mut self, pair: (VarId, VarId)) {
        if self.pairs.len() < self.limits.pairs {
            self.pairs.insert(pair);
        }
    }

    fn add_wide(&mut self, clause: Vec<VarLit>) {
        if self.wide.len() < self.limits.wide_clauses {
            self.wide.insert(clause);
        }
    }

    /// Adds every pair of the variables.
    fn add_all_pairs(&mut self, variables: FxHashSet<VarId>) {
        let variables = sorted(variables);
        for (i, &a) in variables.iter().enumerate() {
            variables[i + 1..].iter().for_each(|&b| self.add_pair((a, b)));
        }
    }

    /// Adds what a callee tries over globals.
    fn inherit(&mut self, program: &Program, callee: &Wanted) {
        let global = |v: &VarId| program.is_global(*v);
        for pair in sorted(callee.pairs.iter().filter(|(a, b)| global(a) && global(b)).copied()) {
            self.add_pair(pair);
        }
        for clause in sorted(callee.wide.iter().filter(|c| c.iter().all(|(v, _)| global(v)))) {
            self.add_wide(clause.clone());
        }
    }
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}

/// The candidate clauses of each kept procedure.
///
/// # Errors
/// If the budget is exhausted.
pub fn candidates(
    prepared: &Prepared,
    limits: &limits::Clausal,
    budget: &Budget,
) -> Result<Vec<Domain>, Exhausted> {
    let program = prepared.program;
    let mentioned: Vec<FxHashSet<VarId>> =
        program.procedure_ids().map(|p| mentioned(prepared, p)).collect();
    let mut wanted: Vec<Wanted> = program
        .procedure_ids()
        .map(|p| own(prepared, p, &mentioned, limits, budget))
        .collect::<Result<_, _>>()?;
    // Callees first; one pass over a recursive component is enough for a heuristic.
    for component in &prepared.calls.components {
        for &p in component {
            let callees = sorted(calls(prepared, p).map(|c| c.callee).collect::<FxHashSet<_>>());
            for q in callees.into_iter().filter(|&q| q != p) {
                budget.check()?;
                let callee = std::mem::replace(&mut wanted[q.index()], Wanted::new(limits));
                wanted[p.index()].inherit(program, &callee);
                wanted[q.index()] = callee;
            }
        }
    }
    // Each is given back once it is a domain.
    let all = program.procedure_ids().zip(wanted);
    all.map(|(p, wanted)| {
        budget.check()?;
        Ok(domain(prepared, p, wanted))
    })
    .collect()
}

fn kept_edges<'a>(
    prepared: &'a Prepared,
    p: ProcId,
) -> impl Iterator<Item = &'a Operation> + use<'a> {
    let kept = prepared.slice.procedure(p);
    let edges = prepared.program.procedure(p).edges.iter().enumerate();
    edges
        .filter(move |(i, _)| kept.is_some_and(|k| k.edges[EdgeId(*i as u32).index()]))
        .map(|(_, e)| &e.operation)
}

fn calls<'a>(prepared: &'a Prepared, p: ProcId) -> impl Iterator<Item = &'a Call> + use<'a> {
    kept_edges(prepared, p).filter_map(|o| if let Operation::Call(c) = o { Some(c) } else { None })
}

fn expressions(operation: &Operation) -> Vec<&Expr> {
    match operation {
        Operation::Skip => vec![],
        Operation::Assume(e) => vec![e],
        Operation::Assign(a) => a.values.iter().chain(&a.constrain).collect(),
        Operation::Call(c) => c.arguments.iter().collect(),
    }
}

/// The variables that an operation reads or writes.
fn variables(operation: &Operation) -> FxHashSet<VarId> {
    let mut out = FxHashSet::default();
    for e in expressions(operation) {
        out.extend(e.ops.iter().filter_map(|op| match op {
            Op::Variable(v) | Op::Next(v) => Some(*v),
            _ => None,
        }));
    }
    match operation {
        Operation::Assign(a) => out.extend(&a.targets),
        Operation::Call(c) => out.extend(c.targets.iter().flatten()),
        Operation::Skip | Operation::Assume(_) => {}
    }
    out
}

fn mentioned(prepared: &Prepared, p: ProcId) -> FxHashSet<VarId> {
    kept_edges(prepared, p).flat_map(variables).collect()
}

fn own<'l>(
    prepared: &Prepared,
    p: ProcId,
    mentioned: &[FxHashSet<VarId>],
    limits: &'l limits::Clausal,
    budget: &Budget,
) -> Result<Wanted<'l>, Exhausted> {
    let program = prepared.program;
    let mut wanted = Wanted::new(limits);
    let mut direct = mentioned[p.index()].clone();
    for call in calls(prepared, p) {
        let globals = mentioned[call.callee.index()].iter().filter(|v| program.is_global(**v));
        if globals.clone().count() <= limits.small_callee {
            direct.extend(globals);
        }
    }
    if direct.len() <= limits.direct_variables {
        wanted.add_all_pairs(direct);
    } else {
        for operation in kept_edges(prepared, p) {
            budget.check()?;
            let together = variables(operation);
            if together.len() <= limits.direct_variables {
                wanted.add_all_pairs(together);
            }
        }
    }
    // Shared expressions are visited once.
    let mut seen: FxHashSet<*const [Op]> = FxHashSet::default();
    for expr in kept_edges(prepared, p).flat_map(expressions) {
        budget.check()?;
        if seen.insert(std::sync::Arc::as_ptr(&expr.ops)) {
            disjunctions(expr, limits.width).into_iter().for_each(|c| wanted.add_wide(c));
        }
    }
    with_replacements(&mut wanted, budget)?;
    Ok(wanted)
}

/// Adds variants of the wide clauses, with one variable replaced by one that it is paired with.
fn with_replacements(wanted: &mut Wanted, budget: &Budget) -> Result<(), Exhausted> {
    let mut partners: FxHashMap<VarId, Vec<VarId>> = FxHashMap::default();
    for (a, b) in sorted(wanted.pairs.iter().copied()) {
        partners.entry(a).or_default().push(b);
        partners.entry(b).or_default().push(a);
    }
    for clause in sorted(wanted.wide.iter().cloned()) {
        budget.check()?;
        for (i, &(v, _)) in clause.iter().enumerate() {
            for &other in partners.get(&v).into_iter().flatten() {
                if wanted.wide.len() >= wanted.limits.wide_clauses {
                    return Ok(());
                }
                if clause.iter().any(|l| l.0 == other) {
                    continue;
                }
                for negated in [false, true] {
                    let mut variant = clause.clone();
                    variant[i] = (other, negated);
                    variant.sort_unstable();
                    wanted.add_wide(variant);
                }
            }
        }
    }
    Ok(())
}

/// Variables as inputs of a scratch graph.
struct Scratch {
    variables: Vec<Option<VarId>>,
    known: FxHashMap<VarId, Lit>,
}

impl Valuation for Scratch {
    fn read(&mut self, aig: &mut Aig, v: VarId) -> Lit {
        if let Some(&l) = self.known.get(&v) {
            return l;
        }
        self.variables.push(Some(v));
        let lit = aig.new_input_lit();
        self.known.insert(v, lit);
        lit
    }

    fn next(&mut self, aig: &mut Aig, v: VarId) -> Lit {
        self.read(aig, v)
    }

    fn choice(&mut self, aig: &mut Aig) -> Lit {
        self.variables.push(None);
        aig.new_input_lit()
    }
}

/// The disjunctions of three to `width` literals in an expression.
fn disjunctions(expr: &Expr, width: usize) -> Vec<Vec<VarLit>> {
    let mut out = vec![];
    if expr.ops.len() < 5 {
        return out;
    }
    let mut aig = Aig::new();
    let mut scratch = Scratch { variables: vec![], known: FxHashMap::default() };
    let root = evaluate(&mut aig, expr, &mut scratch);
    for n in aig.cone([root]) {
        // A negated conjunction is a disjunction.
        let mut stack = vec![Lit::new(n, false)];
        let mut clause: Vec<VarLit> = vec![];
        while let Some(l) = stack.pop() {
            match aig.node(l.node()) {
                Node::And(a, b) if !l.is_negated() => stack.extend([a, b]),
                Node::Input(i) => match scratch.variables[i.0 as usize] {
                    Some(v) => clause.push((v, !l.is_negated())),
                    None => {
                        clause.clear();
                        break;
                    }
                },
                _ => {
                    clause.clear();
                    break;
                }
            }
            if clause.len() > width {
                clause.clear();
                break;
            }
        }
        clause.sort_unstable();
        if clause.len() > 2 {
            out.push(clause);
        }
    }
    out
}

fn domain(prepared: &Prepared, p: ProcId, wanted: Wanted) -> Domain {
    let frame = prepared.frame(p);
    let mut domain = Domain::new(frame.len());
    let live = ever_live(prepared, p);
    for slot in live.ones() {
        let slot = slot as u32;
        domain.add(&[2 * slot]);
        domain.add(&[2 * slot + 1]);
    }
    let slot = |v: VarId| frame.slot(v).filter(|&s| live.contains(s)).map(|s| s as u32);
    let mut wide: Vec<Vec<SlotLit>> = wanted
        .wide
        .into_iter()
        .filter_map(|c| c.iter().map(|&(v, n)| Some(2 * slot(v)? + u32::from(n))).collect())
        .collect();
    wide.iter_mut().for_each(|c| c.sort_unstable());
    wide.sort_unstable();
    wide.iter().for_each(|c| domain.add(c));
    let mut pairs: Vec<(u32, u32)> = wanted
        .pairs
        .iter()
        .filter_map(|&(a, b)| {
            let (a, b) = (slot(a)?, slot(b)?);
            Some((a.min(b), a.max(b)))
        })
        .collect();
    pairs.sort_unstable();
    for (a, b) in pairs {
        for (s, t) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            domain.add(&[2 * a + s, 2 * b + t]);
        }
    }
    domain.clauses.shrink_to_fit();
    domain.by_slot.iter_mut().for_each(Vec::shrink_to_fit);
    domain
}

/// Slots that are live at some cut node.
fn ever_live(prepared: &Prepared, p: ProcId) -> FixedBitSet {
    let mut out = FixedBitSet::with_capacity(prepared.frame(p).len());
    let program: &Program = prepared.program;
    if prepared.slice.procedure(p).is_some() {
        for n in 0..program.procedure(p).nodes.len() as u32 {
            out.union_with(prepared.live(p, crate::language::program::NodeId(n)));
        }
    }
    out
}
