//! A function without its calls: each is the claim that the callee's entry formula holds, and then
//! any effect that the callee claims at its exit.

use rustc_hash::{FxHashMap, FxHashSet};

use super::summaries::{IllFormed, Summaries, SummaryError, is_formula, own, variables};
use crate::block::procedure::{Call, Procedure};
use crate::block::scope::Scopes;
use hardbop_base::source::Span;
use hardbop_cfa::{Automaton, Cut, Edge, Goal, Location, Operation, Origin, Place, Program};
use hardbop_smt::{Node, Symbol, Term, Terms};

/// Well-formed summaries, with what is needed to apply them.
pub(super) struct Claims<'a> {
    summaries: &'a Summaries,
    program: &'a Program,
    procedures: &'a [Procedure],
    scopes: Scopes,
    /// The variables that each function has for itself.
    own: Vec<FxHashSet<Symbol>>,
    /// The variables that each function changes itself, besides what its calls change.
    changes: Vec<FxHashSet<Symbol>>,
    /// The globals that a call of each function may change, in order.
    effects: Vec<Vec<Symbol>>,
    /// The claims on each function; the entry value of what it cannot change is the variable
    /// itself.
    at: Vec<Vec<(Location, Term)>>,
}

/// A function as an automaton without calls, and what is claimed of it.
pub(super) struct CallFree {
    pub automaton: Automaton,
    /// The claims in the form of an invariant: `true` at the entry.
    pub at: Vec<(Location, Term)>,
    /// The goal that is reached where executions start without what the function claims at its
    /// entry.
    pub start: Option<Location>,
    /// Goals that are reached where a call lacks what the callee claims at its entry: the callee,
    /// and the place.
    pub obligations: Vec<(Location, usize, Place)>,
}

impl<'a> Claims<'a> {
    /// Looks at the form of summaries.
    ///
    /// # Errors
    /// The mistake in the form.
    pub fn new(
        terms: &mut Terms,
        summaries: &'a Summaries,
        (program, procedures): (&'a Program, &'a [Procedure]),
    ) -> Result<Self, SummaryError> {
        let scopes = Scopes::new(terms, program);
        let own = own(program);
        let changes: Vec<FxHashSet<Symbol>> = procedures.iter().map(Procedure::changes).collect();
        for (f, changes) in changes.iter().enumerate() {
            let is_foreign = |s: &Symbol| scopes.owners.contains_key(s) && !own[f].contains(s);
            if changes.iter().any(is_foreign) {
                return Err(SummaryError::Foreign(program.functions[f].name.clone()));
            }
        }
        let effects = scopes.effects(program, &changes);
        let mut claims =
            Self { summaries, program, procedures, scopes, own, changes, effects, at: Vec::new() };
        let count = program.functions.len();
        if summaries.functions.len() != count || procedures.len() != count {
            return Err(claims.ill(program.main, IllFormed::Count));
        }
        for f in 0..count {
            claims.is_well_formed(terms, f).map_err(|what| claims.ill(f, what))?;
            let at = summaries.functions[f].at.iter();
            let at = at.map(|&(l, formula)| (l, claims.simplified(terms, f, formula))).collect();
            claims.at.push(at);
        }
        Ok(claims)
    }

    fn ill(&self, f: usize, what: IllFormed) -> SummaryError {
        SummaryError::Ill { function: self.program.functions[f].name.clone(), what }
    }

    fn is_well_formed(&self, terms: &Terms, f: usize) -> Result<(), IllFormed> {
        let summary = &self.summaries.functions[f];
        let is_global = |s: Symbol| self.scopes.globals.binary_search(&s).is_ok();
        let formals = &self.program.functions[f].parameters;
        let is_given = |s: Symbol| is_global(s) || formals.contains(&s);
        let is_entry_value = |s: Symbol| self.summaries.entry_values.of(s).is_some_and(is_given);
        if let Some(entry) = summary.entry {
            is_formula(terms, entry, is_given)?;
        }
        for &(_, formula) in &summary.at {
            let may_read =
                |s: Symbol| is_global(s) || self.own[f].contains(&s) || is_entry_value(s);
            is_formula(terms, formula, may_read)?;
        }
        let automaton = &self.procedures[f].automaton;
        let is_in_order = summary.at.windows(2).all(|w| w[0].0 < w[1].0);
        let is_there =
            |&(l, _): &(Location, Term)| l.0 < automaton.locations && automaton.goal(l).is_none();
        match is_in_order && summary.at.iter().all(is_there) {
            true => Ok(()),
            false => Err(IllFormed::Locations),
        }
    }

    /// Whether an activation of the function may see the variable change.
    fn is_changed(&self, f: usize, symbol: Symbol) -> bool {
        self.changes[f].contains(&symbol) || self.effects[f].binary_search(&symbol).is_ok()
    }

    fn simplified(&self, terms: &mut Terms, f: usize, formula: Term) -> Term {
        terms.substitute(formula, |terms, leaf| {
            let &Node::Variable(s) = terms.node(leaf) else { return None };
            let of = self.summaries.entry_values.of(s)?;
            (!self.is_changed(f, of)).then(|| terms.variable(of))
        })
    }

    /// The function without calls; `None` if it is claimed to be never called.
    pub fn call_free(&self, terms: &mut Terms, f: usize) -> Option<CallFree> {
        let summary = &self.summaries.functions[f];
        let is_start = f == self.program.main;
        let always = terms.bool(true);
        let requires = match summary.entry {
            Some(requires) => requires,
            // Executions do start there.
            None if is_start => terms.bool(false),
            None => return None,
        };
        let base = &self.procedures[f].automaton;
        let mut cuts: Vec<(Location, Cut)> =
            self.at[f].iter().map(|&(l, _)| (l, Cut::Claim)).collect();
        let exit = self.procedures[f].exit.filter(|e| cuts.iter().all(|(l, _)| l != e));
        cuts.extend(exit.map(|e| (e, Cut::Exit)));
        let mut draft = Draft {
            claims: self,
            function: f,
            automaton: Automaton { edges: vec![], cuts, ..(**base).clone() },
            obligations: vec![],
        };
        // The entry, before which nothing is known, and the values of then.
        let entry = draft.location();
        draft.automaton.entry = entry;
        let nowhere =
            Place { function: f as u32, instruction: Place::NOWHERE, span: Span::default() };
        let first = base.edges.first().map_or(nowhere, |e| e.place);
        let place = Place { instruction: Place::NOWHERE, ..first };
        let mut start = None;
        if is_start && requires != always {
            let (goal, wrong) = (draft.goal(), terms.not(requires));
            draft.edge(entry, goal, Operation::Assume(wrong), place);
            start = Some(goal);
        }
        let mut saved: Vec<(Symbol, Term)> = vec![];
        for &(_, formula) in &self.at[f] {
            for s in variables(terms, formula).collect::<Vec<_>>() {
                if let Some(of) = self.summaries.entry_values.of(s) {
                    saved.push((s, terms.variable(of)));
                }
            }
        }
        saved.sort_unstable();
        saved.dedup();
        let steps = vec![Operation::Assume(requires), Operation::Parallel(saved)];
        draft.chain(entry, base.entry, steps, place);
        for edge in &base.edges {
            match self.procedures[f].call_at(edge.source) {
                Some(number) => draft.call(terms, &self.procedures[f].calls[number]),
                None => {
                    let read: Vec<Term> = edge.operation.terms().collect();
                    let mut steps = draft.forgotten(terms, &read);
                    steps.push(edge.operation.clone());
                    draft.chain(edge.source, edge.target, steps, edge.place);
                }
            }
        }
        let mut at = self.at[f].clone();
        at.push((entry, always));
        let Draft { automaton, obligations, .. } = draft;
        Some(CallFree { automaton, at, start, obligations })
    }
}

/// An automaton under construction.
struct Draft<'a> {
    claims: &'a Claims<'a>,
    function: usize,
    automaton: Automaton,
    obligations: Vec<(Location, usize, Place)>,
}

impl Draft<'_> {
    fn location(&mut self) -> Location {
        self.automaton.locations += 1;
        Location(self.automaton.locations - 1)
    }

    fn goal(&mut self) -> Location {
        let goal = self.location();
        self.automaton.goals.push((goal, Goal::Error));
        goal
    }

    fn edge(&mut self, source: Location, target: Location, operation: Operation, place: Place) {
        self.automaton.edges.push(Edge { source, target, operation, place, frame: 0 });
    }

    /// Consecutive edges.
    fn chain(&mut self, source: Location, target: Location, steps: Vec<Operation>, place: Place) {
        let mut from = source;
        let last = steps.len().saturating_sub(1);
        for (i, step) in steps.into_iter().enumerate() {
            let to = if i == last { target } else { self.location() };
            self.edge(from, to, step, place);
            from = to;
        }
    }

    /// Havocs what belongs to other functions in these terms: nothing is known of it.
    fn forgotten(&self, terms: &Terms, read: &[Term]) -> Vec<Operation> {
        let claims = self.claims;
        let is_foreign = |s: &Symbol| {
            claims.scopes.owners.contains_key(s) && !claims.own[self.function].contains(s)
        };
        let mut found: Vec<Symbol> =
            read.iter().flat_map(|&t| variables(terms, t)).filter(is_foreign).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|s| Operation::Havoc(s, Origin::Approximation)).collect()
    }

    /// The call as its obligation, and as any effect that the callee's claims allow.
    fn call(&mut self, terms: &mut Terms, call: &Call) {
        let (claims, callee, place) = (self.claims, call.callee, call.place);
        let function = &claims.program.functions[callee];
        let mut site = call.site;
        let mut forgotten = self.forgotten(terms, &call.arguments);
        let mut arguments: FxHashMap<Symbol, Term> = FxHashMap::default();
        for (i, &formal) in function.parameters.iter().enumerate() {
            // What is not passed has any value.
            let argument = call.arguments.get(i).copied().unwrap_or_else(|| {
                let name = format!("{} (call)", terms.name(formal));
                let any = terms.fresh(&name, terms.symbol_sort(formal));
                forgotten.push(Operation::Havoc(any, Origin::Approximation));
                terms.variable(any)
            });
            arguments.insert(formal, argument);
        }
        if !forgotten.is_empty() {
            let next = self.location();
            self.chain(site, next, forgotten, place);
            site = next;
        }
        let requires = match claims.summaries.functions[callee].entry {
            None => terms.bool(false),
            Some(requires) => terms.substitute(requires, |terms, leaf| match *terms.node(leaf) {
                Node::Variable(s) => arguments.get(&s).copied(),
                _ => None,
            }),
        };
        if requires != terms.bool(true) {
            let (goal, wrong) = (self.goal(), terms.not(requires));
            self.edge(site, goal, Operation::Assume(wrong), place);
            self.obligations.push((goal, callee, place));
        }
        let exit = claims.procedures[callee].exit;
        let left = exit.and_then(|exit| {
            let at = &claims.at[callee];
            at.binary_search_by_key(&exit, |&(l, _)| l).ok().map(|i| at[i].1)
        });
        let left = match (left, claims.summaries.functions[callee].entry) {
            (Some(left), Some(_)) => left,
            // It never returns, or is never called.
            _ => terms.bool(false),
        };
        let steps = self.effect(terms, call, left, &arguments);
        self.chain(site, call.back, steps, place);
    }

    /// The operations of a call whose callee claims `left` at its exit.
    fn effect(
        &self,
        terms: &mut Terms,
        call: &Call,
        left: Term,
        arguments: &FxHashMap<Symbol, Term>,
    ) -> Vec<Operation> {
        let (claims, callee) = (self.claims, call.callee);
        let result = claims.program.functions[callee].result;
        // What the claim reads, besides globals as they are afterwards, gets variables of this
        // call.
        let mut names: FxHashMap<Symbol, Symbol> = FxHashMap::default();
        let (mut before, mut any): (Vec<(Symbol, Term)>, Vec<Symbol>) = (vec![], vec![]);
        let read: Vec<Symbol> = variables(terms, left).chain(result).collect();
        for s in read {
            let of = claims.summaries.entry_values.of(s);
            let is_own = claims.own[callee].contains(&s);
            if names.contains_key(&s) || of.is_none() && !is_own {
                continue;
            }
            let name = format!("{} (call)", terms.name(s));
            let new = terms.fresh(&name, terms.symbol_sort(s));
            names.insert(s, new);
            let is_kept = !claims.is_changed(callee, s);
            match (of, arguments.get(&of.unwrap_or(s))) {
                (Some(_), Some(&argument)) => before.push((new, argument)),
                (Some(of), None) => before.push((new, terms.variable(of))),
                (None, Some(&argument)) if is_kept => before.push((new, argument)),
                (None, _) => any.push(new),
            }
        }
        any.extend(&claims.effects[callee]);
        let left = terms.substitute(left, |terms, leaf| match *terms.node(leaf) {
            Node::Variable(s) => names.get(&s).map(|&new| terms.variable(new)),
            _ => None,
        });
        let mut steps = vec![Operation::Parallel(before)];
        steps.extend(any.into_iter().map(|s| Operation::Havoc(s, Origin::Approximation)));
        steps.push(Operation::Assume(left));
        steps.extend(call.result.map(|to| match result {
            Some(from) => Operation::Assign(to, terms.variable(names[&from])),
            None => Operation::Havoc(to, Origin::Approximation),
        }));
        steps
    }
}
