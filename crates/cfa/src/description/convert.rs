//! Converts descriptions to programs over terms.

use rustc_hash::FxHashMap;

use super::build::Body;
use super::error::{DescriptionError, DescriptionErrors, ErrorKind};
use super::format::{Declaration, Description, FunctionDescription, LocationName, Locations};
use crate::{Function, Location, Place, Program};
use hardbop_base::budget::Budget;
use hardbop_smt::{Sort, Symbol, Terms};

/// The maximal number of mistakes that are reported.
const MISTAKES: usize = 20;

/// The program made from a description, with the names used there.
///
/// [`Place::function`] is the number of the function in the description, and [`Place::instruction`]
/// that of the edge in the function; edges that only initialise locals have [`Place::NOWHERE`].
#[derive(Debug, Clone)]
pub struct Described {
    pub program: Program,
    /// The name of each location, by function and location of the program.  Locations within an
    /// edge of the description, which may become several edges, have none.
    pub locations: Vec<Vec<Option<String>>>,
}

/// The declarations that are visible to all functions.
pub(super) struct Context<'a> {
    pub description: &'a Description,
    pub terms: &'a mut Terms,
    pub budget: &'a Budget,
    pub globals: FxHashMap<&'a str, Symbol>,
    pub functions: FxHashMap<&'a str, usize>,
    /// The heads of functions, indexed by function.
    pub heads: Vec<Head<'a>>,
    pub mistakes: Vec<DescriptionError>,
}

/// The head of a function, as its callers and its own body need it.
#[derive(Default)]
pub(super) struct Head<'a> {
    pub parameters: Vec<Symbol>,
    pub locals: Vec<Symbol>,
    pub result: Option<Symbol>,
    /// Parameters and locals by their names.
    pub names: FxHashMap<&'a str, Symbol>,
}

impl Description {
    /// The program, over new variables in `terms`: `x` for a global, `f::x` for a parameter or
    /// local of `f`. None of these may be in `terms` before.
    ///
    /// # Errors
    /// If the description has mistakes, or the budget is exhausted.
    pub fn program(
        &self,
        terms: &mut Terms,
        budget: &Budget,
    ) -> Result<Described, DescriptionErrors> {
        let mut context = Context {
            description: self,
            terms,
            budget,
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            heads: vec![],
            mistakes: vec![],
        };
        context.declare()?;
        let mut functions = vec![];
        let mut locations = vec![];
        for number in 0..self.functions.len() {
            let (function, names) = context.function(number)?;
            functions.push(function);
            locations.push(names);
        }
        let main = context.functions.get(self.main.as_str()).copied();
        if main.is_none() {
            let kind = ErrorKind::UnknownFunction(self.main.clone());
            context.mistake(None, kind);
        }
        let mut mistakes = context.mistakes;
        match main {
            Some(main) if mistakes.is_empty() => {
                Ok(Described { program: Program { functions, main }, locations })
            }
            _ => {
                mistakes.truncate(MISTAKES);
                Err(DescriptionErrors::Mistakes(mistakes))
            }
        }
    }
}

/// The sort that a text denotes.
fn sort(text: &str) -> Option<Sort> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let width = match words[..] {
        ["Bool"] => return Some(Sort::Bool),
        ["(_", "BitVec", n] => n.strip_suffix(')')?,
        ["(_", "BitVec", n, ")"] | ["(", "_", "BitVec", n, ")"] => n,
        ["(", "_", "BitVec", n] => n.strip_suffix(')')?,
        _ => return None,
    };
    let digits = !width.is_empty() && width.bytes().all(|b| b.is_ascii_digit());
    width.parse().ok().filter(|w| digits && (1..=64).contains(w)).map(Sort::Bits)
}

/// `#` marks copies of variables, `@` instances, and `'` values after an edge; the other excluded
/// characters cannot occur in names of SMT-LIB.
fn is_name(name: &str) -> bool {
    let fits = |c: char| !c.is_control() && !"#@|\\".contains(c);
    !name.is_empty() && name.chars().all(fits) && !name.ends_with('\'')
}

impl<'a> Context<'a> {
    /// Reports a mistake in a function, or outside all functions.
    pub fn mistake(&mut self, function: Option<usize>, kind: ErrorKind) {
        let function = function.map(|f| self.description.functions[f].name.clone());
        self.mistakes.push(DescriptionError { function, edge: None, position: None, kind });
    }

    /// Declares all names except those of locations.
    fn declare(&mut self) -> Result<(), DescriptionErrors> {
        let description = self.description;
        for global in &description.globals {
            if let Some(symbol) = self.variable(None, global, &global.name) {
                self.globals.insert(&global.name, symbol);
            }
        }
        for (number, function) in description.functions.iter().enumerate() {
            self.budget.check()?;
            if !is_name(&function.name) {
                self.mistake(Some(number), ErrorKind::Name(function.name.clone()));
            }
            if self.functions.insert(&function.name, number).is_some() {
                let kind = ErrorKind::DuplicateFunction(function.name.clone());
                self.mistake(Some(number), kind);
            }
            let mut head = Head::default();
            let all = function.parameters.iter().chain(&function.locals);
            for (i, variable) in all.enumerate() {
                let name = format!("{}::{}", function.name, variable.name);
                let Some(symbol) = self.variable(Some(number), variable, &name) else { continue };
                head.names.insert(&variable.name, symbol);
                head.locals.push(symbol);
                if i < function.parameters.len() {
                    head.parameters.push(symbol);
                }
            }
            if let Some(result) = &function.result {
                head.result = head.names.get(result.as_str()).copied();
                if head.result.is_none() {
                    self.mistake(Some(number), ErrorKind::Result(result.clone()));
                }
            }
            self.heads.push(head);
        }
        Ok(())
    }

    /// Creates a symbol for a variable.
    fn variable(&mut self, at: Option<usize>, given: &Declaration, name: &str) -> Option<Symbol> {
        let kind = match sort(&given.sort) {
            _ if !is_name(&given.name) => ErrorKind::Name(given.name.clone()),
            None => ErrorKind::Sort(given.sort.clone()),
            Some(_) if self.terms.find_symbol(name).is_some() => {
                ErrorKind::DuplicateVariable(given.name.clone())
            }
            Some(sort) => return Some(self.terms.symbol(name, sort)),
        };
        self.mistake(at, kind);
        None
    }

    /// Converts a function, and returns it with the names of its locations.
    fn function(
        &mut self,
        number: usize,
    ) -> Result<(Function, Vec<Option<String>>), DescriptionErrors> {
        let given = &self.description.functions[number];
        let Some(mut names) = LocationNames::new(given) else {
            let kind = ErrorKind::DuplicateLocation(duplicate(given).unwrap_or_default());
            self.mistake(Some(number), kind);
            return Ok((empty(given), vec![]));
        };
        let ends = [&given.entry, &given.exit].map(|end| names.location(end));
        let mut found = [Location(0); 2];
        for (place, end) in found.iter_mut().zip(ends) {
            match end {
                Ok(location) => *place = location,
                Err(kind) => self.mistake(Some(number), kind),
            }
        }
        let [entry, exit] = found;
        let mut body = Body::new(self, number, names, exit);
        let entry = body.begin(entry);
        for edge in 0..given.edges.len() {
            body.edge(edge)?;
        }
        let (edges, copies, locations) = body.finish();
        let head = &self.heads[number];
        let function = Function {
            name: given.name.clone(),
            entry,
            exit,
            locations: locations.len() as u32,
            edges,
            parameters: head.parameters.clone(),
            result: head.result,
            locals: head.locals.iter().copied().chain(copies).collect(),
            temporaries: vec![],
        };
        Ok((function, locations))
    }
}

/// A placeholder for a function with mistakes; it is never returned to the user.
fn empty(given: &FunctionDescription) -> Function {
    Function { name: given.name.clone(), exit: Location(1), locations: 2, ..Function::default() }
}

fn duplicate(given: &FunctionDescription) -> Option<String> {
    let Locations::Names(names) = &given.locations else { return None };
    let mut seen = FxHashMap::default();
    names.iter().find(|n| seen.insert(n.as_str(), ()).is_some()).cloned()
}

/// The locations of a function that are used, numbered in order of their first use, because the
/// description may declare four billion.
pub(super) struct LocationNames<'a> {
    given: &'a FunctionDescription,
    numbers: FxHashMap<&'a str, u32>,
    used: FxHashMap<u32, Location>,
    /// The names, indexed by location of the program.
    names: Vec<Option<String>>,
}

impl<'a> LocationNames<'a> {
    /// The names of a function's locations, none of them used yet; `None` if two have the same
    /// name.
    fn new(given: &'a FunctionDescription) -> Option<Self> {
        let mut numbers = FxHashMap::default();
        if let Locations::Names(names) = &given.locations {
            for (i, name) in names.iter().enumerate() {
                if numbers.insert(name.as_str(), i as u32).is_some() {
                    return None;
                }
            }
        }
        Some(Self { given, numbers, used: FxHashMap::default(), names: vec![] })
    }

    /// The location with this name.
    pub fn location(&mut self, name: &LocationName) -> Result<Location, ErrorKind> {
        let count = match &self.given.locations {
            Locations::Count(count) => *count,
            Locations::Names(names) => names.len() as u32,
        };
        let number = match name {
            LocationName::Number(n) if *n < count => *n,
            LocationName::Number(n) => return Err(ErrorKind::UnknownLocation(n.to_string())),
            LocationName::Name(name) => match self.numbers.get(name.as_str()) {
                Some(&n) => n,
                None => return Err(ErrorKind::UnknownLocation(format!("'{name}'"))),
            },
        };
        if let Some(&known) = self.used.get(&number) {
            return Ok(known);
        }
        let shown = match &self.given.locations {
            Locations::Count(_) => number.to_string(),
            Locations::Names(names) => names[number as usize].clone(),
        };
        self.names.push(Some(shown));
        let location = Location(self.names.len() as u32 - 1);
        self.used.insert(number, location);
        Ok(location)
    }

    /// A new location without a name.
    pub fn inner(&mut self) -> Location {
        self.names.push(None);
        Location(self.names.len() as u32 - 1)
    }

    pub fn finish(self) -> Vec<Option<String>> {
        self.names
    }
}

/// The place of an edge.
pub(super) fn place(function: usize, edge: Option<usize>) -> Place {
    Place {
        function: function as u32,
        instruction: edge.map_or(Place::NOWHERE, |e| e as u32),
        span: hardbop_base::source::Span::default(),
    }
}
