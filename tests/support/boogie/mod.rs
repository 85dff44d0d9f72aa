//! A reader of the part of Boogie that is written here, after "This is Boogie 2", with its rules on
//! names and `modifies`, and a search for failing assertions; they know nothing of the library.

mod read;
mod search;

/// A variable, as a bit of a state: globals come first.
type Bit = u32;

/// A set of variables, or the values of all.
type Bits = u128;

#[derive(Debug, Clone)]
enum Expression {
    Constant(bool),
    Variable(Bit),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Equal(Box<Expression>, Box<Expression>),
}

#[derive(Debug)]
enum Statement {
    Assume(Expression),
    Assert(Expression),
    Havoc(Bit),
    Assign(Vec<Bit>, Vec<Expression>),
    Call { procedure: usize, arguments: Vec<Expression>, targets: Vec<Bit> },
    Goto(Vec<usize>),
    Return,
}

#[derive(Debug, Default)]
struct Procedure {
    parameters: Vec<Bit>,
    results: Vec<Bit>,
    /// All of its own variables.
    own: Bits,
    modifies: Bits,
    /// Labels are places here.
    statements: Vec<Statement>,
}

/// A program.
#[derive(Debug)]
pub struct Program {
    globals: Bits,
    procedures: Vec<Procedure>,
    entry: usize,
}

impl Program {
    /// Reads a program.
    pub fn read(text: &str) -> Self {
        read::read(text)
    }

    /// Whether an assertion can fail; `None` after `limit` steps.
    pub fn can_fail(&self, limit: usize) -> Option<bool> {
        search::Search::new(self).run(limit)
    }
}

impl Expression {
    fn value(&self, state: Bits) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Variable(bit) => state >> bit & 1 == 1,
            Self::Not(e) => !e.value(state),
            Self::And(a, b) => a.value(state) && b.value(state),
            Self::Or(a, b) => a.value(state) || b.value(state),
            Self::Equal(a, b) => a.value(state) == b.value(state),
        }
    }

    fn reads(&self) -> Bits {
        match self {
            Self::Constant(_) => 0,
            Self::Variable(bit) => 1 << bit,
            Self::Not(e) => e.reads(),
            Self::And(a, b) | Self::Or(a, b) | Self::Equal(a, b) => a.reads() | b.reads(),
        }
    }
}

impl Statement {
    /// The variables that it reads.
    fn reads(&self) -> Bits {
        let all = |list: &[Expression]| list.iter().fold(0, |bits, e| bits | e.reads());
        match self {
            Self::Assume(e) | Self::Assert(e) => e.reads(),
            Self::Assign(_, values) => all(values),
            Self::Call { arguments, .. } => all(arguments),
            Self::Havoc(_) | Self::Goto(_) | Self::Return => 0,
        }
    }

    /// The variables that it gives new values.
    fn writes(&self) -> Bits {
        match self {
            Self::Havoc(bit) => 1 << bit,
            Self::Assign(targets, _) | Self::Call { targets, .. } => set(targets),
            Self::Assume(_) | Self::Assert(_) | Self::Goto(_) | Self::Return => 0,
        }
    }

    fn successors(&self, at: usize) -> Vec<usize> {
        match self {
            Self::Goto(targets) => targets.clone(),
            Self::Return => vec![],
            _ => vec![at + 1],
        }
    }
}

fn set(bits: &[Bit]) -> Bits {
    bits.iter().fold(0, |all, bit| all | 1 << bit)
}
