//! From text to program.

use std::collections::HashMap;

use super::{Bit, Bits, Expression, Procedure, Program, Statement, set};

/// Words of the language, from the paper and from the scanner of version 2.4.
const RESERVED: &str = "assert assume async axiom bool break call complete const div else ensures exists \
    extends false finite forall free function goto havoc if implementation int invariant lambda mod \
    modifies old par procedure real requires return returns then true type unique var where while yield \
    bv1 bv32";

/// Reads a program.
pub fn read(text: &str) -> Program {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let tokens: Vec<&str> = lines.flat_map(words).collect();
    // Procedures may be called before they are there.
    let names = tokens.iter().enumerate().filter(|(_, t)| **t == "procedure").map(|(i, _)| {
        let attribute = tokens[i + 1] == "{:entrypoint}";
        (tokens[i + 1 + usize::from(attribute)], attribute)
    });
    let names: Vec<(&str, bool)> = names.collect();
    let procedures = names.iter().map(|n| n.0).zip(0..).collect::<HashMap<_, _>>();
    assert_eq!(procedures.len(), names.len(), "two procedures of one name");
    let entries: Vec<usize> = (0..names.len()).filter(|&i| names[i].1).collect();
    let [entry] = entries[..] else { panic!("one entry: {entries:?}") };
    let mut reader = Reader {
        rest: &tokens,
        globals: HashMap::new(),
        locals: HashMap::new(),
        constants: 0,
        procedures,
    };
    while reader.take("var") {
        let name = reader.typed();
        let bit = reader.globals.len() as Bit;
        assert!(reader.globals.insert(name, bit).is_none(), "{name} is there twice");
        reader.expect(";");
    }
    let mut procedures = vec![];
    while !reader.rest.is_empty() {
        procedures.push(reader.procedure());
    }
    let globals = (1 << reader.globals.len()) - 1;
    for procedure in &procedures {
        check_modifies(procedure, globals, &procedures);
    }
    Program { globals, procedures, entry }
}

fn check_modifies(procedure: &Procedure, globals: Bits, all: &[Procedure]) {
    for statement in &procedure.statements {
        let mut changed = statement.writes() & globals;
        if let Statement::Call { procedure: callee, arguments, targets } = statement {
            let callee = &all[*callee];
            changed |= callee.modifies;
            assert_eq!(arguments.len(), callee.parameters.len(), "{statement:?}");
            assert_eq!(targets.len(), callee.results.len(), "{statement:?}");
        }
        assert_eq!(changed & !procedure.modifies, 0, "a modifies clause lacks a variable");
    }
}

/// The tokens of a line.
fn words(line: &str) -> Vec<&str> {
    let is_first = |c: char| c.is_ascii_alphabetic() || "'~#$^_.?`".contains(c);
    let is_inner = |c: char| is_first(c) || c.is_ascii_digit();
    let long = ["{:entrypoint}", "==>", ":=", "==", "!=", "&&", "||"];
    let (mut out, mut rest) = (vec![], line.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = if is_first(first) {
            rest.find(|c| !is_inner(c)).unwrap_or(rest.len())
        } else if let Some(word) = long.iter().find(|w| rest.starts_with(**w)) {
            word.len()
        } else {
            assert!("!(){},:;".contains(first), "{line}");
            1
        };
        out.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    out
}

struct Reader<'t, 'a> {
    rest: &'t [&'a str],
    globals: HashMap<&'a str, Bit>,
    locals: HashMap<&'a str, Bit>,
    /// Parameters of the procedure at hand: nothing is assigned to them.
    constants: Bits,
    procedures: HashMap<&'a str, usize>,
}

impl<'a> Reader<'_, 'a> {
    fn next(&mut self) -> &'a str {
        let (first, rest) = self.rest.split_first().expect("a token");
        self.rest = rest;
        first
    }

    fn take(&mut self, token: &str) -> bool {
        let is_there = self.rest.first() == Some(&token);
        self.rest = &self.rest[usize::from(is_there)..];
        is_there
    }

    fn expect(&mut self, token: &str) {
        assert!(self.take(token), "'{token}' before {:?}", &self.rest[..self.rest.len().min(9)]);
    }

    fn name(&mut self) -> &'a str {
        let name = self.next();
        assert!(!RESERVED.split_whitespace().any(|w| w == name), "'{name}' is no name");
        assert!(!name.starts_with(|c: char| "!(){},:;=&|".contains(c)), "'{name}' is no name");
        name
    }

    /// A name with its type.
    fn typed(&mut self) -> &'a str {
        let name = self.name();
        self.expect(":");
        self.expect("bool");
        name
    }

    /// Items up to `end`, with commas between them.
    fn list<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut out = vec![];
        while !self.take(end) {
            if !out.is_empty() {
                self.expect(",");
            }
            out.push(item(self));
        }
        out
    }

    fn local(&mut self) -> Bit {
        let name = self.typed();
        let bit = (self.globals.len() + self.locals.len()) as Bit;
        // Boogie would allow what hides a global; here nothing does.
        assert!(!self.globals.contains_key(name), "{name} hides a global");
        assert!(self.locals.insert(name, bit).is_none(), "{name} is there twice");
        bit
    }

    fn variable(&mut self) -> Bit {
        let name = self.name();
        *self.locals.get(name).or_else(|| self.globals.get(name)).expect(name)
    }

    fn target(&mut self) -> Bit {
        let bit = self.variable();
        assert_eq!(self.constants >> bit & 1, 0, "a parameter is assigned");
        bit
    }

    fn procedure(&mut self) -> Procedure {
        self.expect("procedure");
        self.take("{:entrypoint}");
        self.name();
        self.locals.clear();
        let mut procedure = Procedure::default();
        self.expect("(");
        procedure.parameters = self.list(")", Self::local);
        self.constants = set(&procedure.parameters);
        if self.take("returns") {
            self.expect("(");
            procedure.results = self.list(")", Self::local);
        }
        if self.take("modifies") {
            procedure.modifies = set(&self.list(";", Self::target));
        }
        self.expect("{");
        while self.take("var") {
            self.local();
            self.expect(";");
        }
        procedure.own = set(&self.locals.values().copied().collect::<Vec<_>>());
        let (mut labels, mut jumps) = (HashMap::new(), vec![]);
        while !self.take("}") {
            if let [name, ":", ..] = *self.rest {
                assert_eq!(self.name(), name);
                self.expect(":");
                let before = labels.insert(name, procedure.statements.len());
                assert!(before.is_none(), "{name} is there twice");
                continue;
            }
            self.statement(&mut procedure.statements, &mut jumps);
        }
        for (at, targets) in jumps {
            let targets = targets.iter().map(|t| *labels.get(t).expect(t)).collect();
            procedure.statements[at] = Statement::Goto(targets);
        }
        procedure.statements.push(Statement::Return);
        procedure
    }

    /// Reads a statement; `jumps` are the places of gotos, with their labels.
    fn statement(&mut self, out: &mut Vec<Statement>, jumps: &mut Vec<(usize, Vec<&'a str>)>) {
        if self.take("havoc") {
            out.extend(self.list(";", Self::target).into_iter().map(Statement::Havoc));
            return;
        }
        if self.take("goto") {
            jumps.push((out.len(), self.list(";", Self::name)));
            out.push(Statement::Return);
            return;
        }
        let statement = if self.take("assume") {
            Statement::Assume(self.expression())
        } else if self.take("assert") {
            Statement::Assert(self.expression())
        } else if self.take("return") {
            Statement::Return
        } else if self.take("call") {
            let targets = match self.rest {
                [_, "(", ..] => vec![],
                _ => self.list(":=", Self::target),
            };
            let name = self.name();
            self.expect("(");
            let arguments = self.list(")", Self::expression);
            Statement::Call { procedure: self.procedures[name], arguments, targets }
        } else {
            let targets = self.list(":=", Self::target);
            let mut values = vec![self.expression()];
            while self.take(",") {
                values.push(self.expression());
            }
            assert_eq!(targets.len(), values.len(), "values and targets");
            Statement::Assign(targets, values)
        };
        if let Statement::Assign(targets, _) | Statement::Call { targets, .. } = &statement {
            assert_eq!(
                set(targets).count_ones() as usize,
                targets.len(),
                "a target is there twice"
            );
        }
        self.expect(";");
        out.push(statement);
    }

    /// An expression; operators have both operands in parentheses of their own.
    fn expression(&mut self) -> Expression {
        if self.take("!") {
            return Expression::Not(Box::new(self.expression()));
        }
        if !self.take("(") {
            return match self.rest[0] {
                "true" | "false" => Expression::Constant(self.next() == "true"),
                _ => Expression::Variable(self.variable()),
            };
        }
        let left = Box::new(self.expression());
        let operator = self.next();
        let right = Box::new(self.expression());
        self.expect(")");
        match operator {
            "&&" => Expression::And(left, right),
            "||" => Expression::Or(left, right),
            "==>" => Expression::Or(Box::new(Expression::Not(left)), right),
            "==" => Expression::Equal(left, right),
            "!=" => Expression::Not(Box::new(Expression::Equal(left, right))),
            _ => panic!("'{operator}' is no operator"),
        }
    }
}
