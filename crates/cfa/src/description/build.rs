//! Builds the edges of a described function.
//!
//! A relation over values before and after becomes three steps: copies of the variables that it may
//! change get any values, the relation over them is assumed, and all copies are assigned at once.

use rustc_hash::{FxHashMap, FxHashSet};

use super::convert::{Context, LocationNames, place};
use super::error::{DescriptionError, DescriptionErrors, ErrorKind, TermPosition};
use super::format::{CallDescription, RelationDescription, StepDescription, ValueOrigin};
use crate::{CallEdge, Location, Operation, Origin, Step};
use hardbop_base::source::Source;
use hardbop_smt::reader::{self, Misfit, ReadError};
use hardbop_smt::{Sort, Symbol, Term};

/// A mistake in a term, or elsewhere in an edge.
struct Mistake {
    position: Option<TermPosition>,
    kind: ErrorKind,
}

impl From<ErrorKind> for Mistake {
    fn from(kind: ErrorKind) -> Self {
        Self { position: None, kind }
    }
}

/// Why an edge cannot be built.
enum Stop {
    Mistake(Mistake),
    Exhausted(DescriptionErrors),
}

impl From<Mistake> for Stop {
    fn from(mistake: Mistake) -> Self {
        Self::Mistake(mistake)
    }
}

impl From<ErrorKind> for Stop {
    fn from(kind: ErrorKind) -> Self {
        Self::Mistake(kind.into())
    }
}

/// A function body under construction.
pub(super) struct Body<'c, 'a> {
    context: &'c mut Context<'a>,
    number: usize,
    locations: LocationNames<'a>,
    exit: Location,
    edges: Vec<CallEdge>,
    /// The copies that stand for the values after a relation.
    copies: FxHashMap<Symbol, Symbol>,
}

impl<'c, 'a> Body<'c, 'a> {
    pub fn new(
        context: &'c mut Context<'a>,
        number: usize,
        locations: LocationNames<'a>,
        exit: Location,
    ) -> Self {
        Self { context, number, locations, exit, edges: vec![], copies: FxHashMap::default() }
    }

    /// The edges, the copies, and the names of locations.
    pub fn finish(self) -> (Vec<CallEdge>, Vec<Symbol>, Vec<Option<String>>) {
        let mut copies: Vec<Symbol> = self.copies.into_values().collect();
        copies.sort_unstable();
        (self.edges, copies, self.locations.finish())
    }

    /// Adds an entry from which locals first get any values.
    pub fn begin(&mut self, entry: Location) -> Location {
        let head = &self.context.heads[self.number];
        let count = head.parameters.len();
        let havoc = |&s: &Symbol| Step::Operation(Operation::Havoc(s, Origin::Input));
        let mut steps: Vec<Step> = head.locals[count..].iter().map(havoc).collect();
        steps.push(Step::Operation(Operation::Skip));
        let begin = self.locations.inner();
        self.chain(begin, entry, steps, None);
        begin
    }

    /// Adds several steps as one edge.
    fn chain(&mut self, from: Location, to: Location, steps: Vec<Step>, edge: Option<usize>) {
        let (place, last) = (place(self.number, edge), steps.len().saturating_sub(1));
        let mut source = from;
        for (i, step) in steps.into_iter().enumerate() {
            let target = if i == last { to } else { self.locations.inner() };
            self.edges.push(CallEdge { source, target, step, place });
            source = target;
        }
    }

    /// Adds an edge of the description.
    pub fn edge(&mut self, edge: usize) -> Result<(), DescriptionErrors> {
        self.context.budget.check()?;
        match self.steps(edge) {
            Ok((from, to, steps)) => self.chain(from, to, steps, Some(edge)),
            Err(Stop::Exhausted(e)) => return Err(e),
            Err(Stop::Mistake(Mistake { position, kind })) => {
                let function = Some(self.context.description.functions[self.number].name.clone());
                let edge = Some(edge);
                self.context.mistakes.push(DescriptionError { function, edge, position, kind });
            }
        }
        Ok(())
    }

    fn steps(&mut self, edge: usize) -> Result<(Location, Location, Vec<Step>), Stop> {
        let given = &self.context.description.functions[self.number].edges[edge];
        let from = self.locations.location(&given.from)?;
        if from == self.exit {
            return Err(ErrorKind::FromExit.into());
        }
        let to = match (&given.to, &given.step) {
            (Some(to), _) => self.locations.location(to)?,
            (None, StepDescription::Error) => from,
            (None, _) => return Err(ErrorKind::NoTarget.into()),
        };
        let steps = match &given.step {
            StepDescription::Skip => vec![Step::Operation(Operation::Skip)],
            StepDescription::Error => vec![Step::Error],
            StepDescription::Assume(text) => {
                let condition = self.term("condition", text, Sort::Bool)?;
                vec![Step::Operation(Operation::Assume(condition))]
            }
            StepDescription::Assign(pairs) => {
                let names: Vec<&String> = pairs.iter().map(|(name, _)| name).collect();
                let symbols = self.variables(&names)?;
                let mut all = vec![];
                for (symbol, (name, text)) in symbols.into_iter().zip(pairs) {
                    let sort = self.context.terms.symbol_sort(symbol);
                    all.push((symbol, self.term(&format!("value of '{name}'"), text, sort)?));
                }
                vec![Step::Operation(parallel(all))]
            }
            StepDescription::Havoc(havoc) => {
                let names: Vec<&String> = havoc.variables.iter().collect();
                let origin = match havoc.origin {
                    ValueOrigin::Input => Origin::Input,
                    ValueOrigin::Approximation => Origin::Approximation,
                };
                let any = |s| Step::Operation(Operation::Havoc(s, origin));
                let mut steps: Vec<Step> = self.variables(&names)?.into_iter().map(any).collect();
                if steps.is_empty() {
                    steps.push(Step::Operation(Operation::Skip));
                }
                steps
            }
            StepDescription::Relation(relation) => self.relation(relation)?,
            StepDescription::Call(call) => vec![self.call(call)?],
        };
        Ok((from, to, steps))
    }

    fn relation(&mut self, relation: &RelationDescription) -> Result<Vec<Step>, Stop> {
        let names: Vec<&String> = relation.changes.iter().collect();
        let symbols = self.variables(&names)?;
        let mut after: FxHashMap<Symbol, Symbol> = FxHashMap::default();
        let mut steps = vec![];
        let mut all = vec![];
        for (symbol, name) in symbols.into_iter().zip(names) {
            let function = &self.context.description.functions[self.number].name;
            let terms = &mut *self.context.terms;
            let copy = *self.copies.entry(symbol).or_insert_with(|| {
                let sort = terms.symbol_sort(symbol);
                terms.fresh(&format!("{function}::{name}'"), sort)
            });
            after.insert(symbol, copy);
            steps.push(Step::Operation(Operation::Havoc(copy, Origin::Input)));
            all.push((symbol, terms.variable(copy)));
        }
        let formula = self.read("formula", &relation.formula, Sort::Bool, Some(&after))?;
        steps.push(Step::Operation(Operation::Assume(formula)));
        steps.push(Step::Operation(parallel(all)));
        Ok(steps)
    }

    fn call(&mut self, call: &CallDescription) -> Result<Step, Stop> {
        let Some(&callee) = self.context.functions.get(call.function.as_str()) else {
            return Err(ErrorKind::UnknownFunction(call.function.clone()).into());
        };
        // An invalid parameter has no symbol.
        let wanted = self.context.description.functions[callee].parameters.len();
        let given = call.arguments.len();
        if given != wanted {
            let function = call.function.clone();
            return Err(ErrorKind::Arity { function, wanted, given }.into());
        }
        let mut arguments = vec![];
        let parameters = self.context.heads[callee].parameters.clone();
        for (i, (text, parameter)) in call.arguments.iter().zip(parameters).enumerate() {
            let sort = self.context.terms.symbol_sort(parameter);
            arguments.push(self.term(&format!("argument {}", i + 1), text, sort)?);
        }
        let result = match &call.result {
            None => None,
            Some(name) => {
                let to = self.variables(&[name])?[0];
                let Some(from) = self.context.heads[callee].result else {
                    return Err(ErrorKind::NoResult(call.function.clone()).into());
                };
                let [wanted, given] = [to, from].map(|s| self.context.terms.symbol_sort(s));
                if wanted != given {
                    return Err(ErrorKind::Mismatch { wanted, given }.into());
                }
                Some(to)
            }
        };
        Ok(Step::Call { callee, arguments, result })
    }

    /// The symbols of variables, which must all be different.
    fn variables(&self, names: &[&String]) -> Result<Vec<Symbol>, ErrorKind> {
        let mut seen = FxHashSet::default();
        let one = |name: &&String| {
            let symbol = self.context.symbol(self.number, name);
            let symbol = symbol.ok_or_else(|| ErrorKind::UnknownVariable((*name).clone()))?;
            if seen.insert(symbol) { Ok(symbol) } else { Err(ErrorKind::Twice((*name).clone())) }
        };
        names.iter().map(one).collect()
    }

    /// Parses a term of some sort over the values before the edge.
    fn term(&mut self, what: &str, text: &str, sort: Sort) -> Result<Term, Stop> {
        self.read(what, text, sort, None)
    }

    /// Reads a term as [`Self::term`] does, but also over the values after the edge, if there are
    /// any.
    fn read(
        &mut self,
        what: &str,
        text: &str,
        wanted: Sort,
        after: Option<&FxHashMap<Symbol, Symbol>>,
    ) -> Result<Term, Stop> {
        let at = |offset: usize, kind| {
            let (line, column) = Source::new("", text).line_column(offset as u32);
            Mistake { position: Some(TermPosition { term: what.to_owned(), line, column }), kind }
        };
        let script = reader::parse(text)
            .map_err(|ReadError { place, kind }| at(place.start, ErrorKind::Syntax(kind)))?;
        if script.len() != 1 {
            return Err(at(0, ErrorKind::Terms(script.len())).into());
        }
        let (globals, locals) = (&self.context.globals, &self.context.heads[self.number].names);
        let symbol = |name: &str| locals.get(name).or_else(|| globals.get(name)).copied();
        let named = |name: &str| match (name.strip_suffix('\''), after) {
            (Some(name), Some(after)) => {
                let before = symbol(name)?;
                Some(after.get(&before).copied().unwrap_or(before))
            }
            _ => symbol(name),
        };
        let read = script.read(
            self.context.terms,
            |terms, name| named(name).map(|s| terms.variable(s)),
            self.context.budget,
        );
        let read = read.map_err(|e| Stop::Exhausted(e.into()))?;
        let (place, meaning) = read.into_iter().next().expect("there is one term");
        let term = meaning.map_err(|(place, misfit)| {
            let kind = match misfit {
                Misfit::Variable(name) => ErrorKind::UnknownVariable(name),
                other => ErrorKind::Misfit(other),
            };
            at(place.start, kind)
        })?;
        match self.context.terms.sort(term) {
            given if given == wanted => Ok(term),
            given => Err(at(place.start, ErrorKind::Mismatch { wanted, given }).into()),
        }
    }
}

impl Context<'_> {
    /// The variable with this name in a function.
    fn symbol(&self, function: usize, name: &str) -> Option<Symbol> {
        let local = self.heads[function].names.get(name);
        local.or_else(|| self.globals.get(name)).copied()
    }
}

/// Simultaneous assignments.
fn parallel(mut all: Vec<(Symbol, Term)>) -> Operation {
    match all.len() {
        0 => Operation::Skip,
        1 => {
            let (symbol, value) = all.remove(0);
            Operation::Assign(symbol, value)
        }
        _ => Operation::Parallel(all),
    }
}
