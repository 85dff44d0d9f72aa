//! Bytes to a small well-formed Boolean program with every construct of the language.

use arbitrary::{Result, Unstructured};

/// Statements of a program at most, over all procedures.
const STATEMENTS: usize = 24;
/// Nesting of blocks and of expressions at most.
const DEPTH: usize = 3;
const NAMES: [&str; 3] = ["a", "b", "c"];
const LOCALS: [&str; 3] = ["x", "y", "z"];

/// What callers know of a procedure.
struct Head {
    name: &'static str,
    formals: usize,
    returns: usize,
}

struct Maker<'u, 'a> {
    bytes: &'u mut Unstructured<'a>,
    globals: usize,
    heads: Vec<Head>,
    /// Of the procedure at hand: its variables, its labels, its place in `heads`.
    variables: Vec<&'static str>,
    labels: usize,
    current: usize,
    left: usize,
    out: String,
}

/// A program.
///
/// # Errors
/// Where the bytes do not suffice.
pub fn program(bytes: &mut Unstructured<'_>) -> Result<String> {
    let globals = bytes.int_in_range(0..=NAMES.len())?;
    let mut heads = vec![Head { name: "main", formals: 0, returns: 0 }];
    for name in &["f", "g"][..bytes.int_in_range(0..=2)?] {
        let (formals, returns) = (bytes.int_in_range(0..=2)?, bytes.int_in_range(0..=2)?);
        heads.push(Head { name, formals, returns });
    }
    let mut maker = Maker {
        bytes,
        globals,
        heads,
        variables: vec![],
        labels: 0,
        current: 0,
        left: STATEMENTS,
        out: String::new(),
    };
    if globals > 0 {
        maker.out = format!("decl {};\n", NAMES[..globals].join(", "));
    }
    for procedure in 0..maker.heads.len() {
        maker.procedure(procedure)?;
    }
    Ok(maker.out)
}

impl Maker<'_, '_> {
    fn number(&mut self, most: usize) -> Result<usize> {
        self.bytes.int_in_range(0..=most)
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"  ".repeat(depth + 1));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn procedure(&mut self, index: usize) -> Result<()> {
        let Head { name, formals, returns } = self.heads[index];
        let locals = self.number(LOCALS.len() - formals)?;
        self.variables = NAMES[..self.globals].to_vec();
        self.variables.extend(&LOCALS[..formals + locals]);
        self.labels = self.number(3)?;
        self.current = index;
        let kind = match returns {
            0 => "void".to_owned(),
            n => format!("bool<{n}>"),
        };
        self.out.push_str(&format!("{kind} {name}({}) begin\n", LOCALS[..formals].join(", ")));
        if locals > 0 {
            let names = LOCALS[formals..formals + locals].join(", ");
            self.line(0, &format!("decl {names};"));
        }
        if self.number(15)? == 0 {
            let e = self.expression(DEPTH, false)?;
            self.line(0, &format!("enforce {e};"));
        }
        for label in 0..self.labels {
            self.block(0)?;
            // Labels are where a goto finds them; loops, and ways out of them, come from these.
            self.line(0, &format!("L{label}: skip;"));
        }
        self.block(0)?;
        self.returning(0)?;
        self.out.push_str("end\n");
        Ok(())
    }

    fn returning(&mut self, depth: usize) -> Result<()> {
        match self.heads[self.current].returns {
            0 => self.line(depth, "return;"),
            n => {
                let values = self.expressions(n)?;
                self.line(depth, &format!("return {values};"));
            }
        }
        Ok(())
    }

    fn block(&mut self, depth: usize) -> Result<()> {
        // A block is not empty in the grammar.
        let count = self.number(4)?.min(self.left);
        if count == 0 {
            self.line(depth, "skip;");
        }
        for _ in 0..count {
            self.left = self.left.saturating_sub(1);
            self.statement(depth)?;
        }
        Ok(())
    }

    fn statement(&mut self, depth: usize) -> Result<()> {
        let kind = self.number(17)?;
        match kind {
            0..=3 => self.assignment(depth),
            4 | 5 if depth < DEPTH => {
                let condition = self.decision()?;
                self.line(depth, &format!("if ({condition}) then"));
                self.block(depth + 1)?;
                match self.number(3)? {
                    0 | 1 => {}
                    2 => {
                        self.line(depth, "else");
                        self.block(depth + 1)?;
                    }
                    _ => {
                        let condition = self.decision()?;
                        self.line(depth, &format!("elsif ({condition}) then"));
                        self.block(depth + 1)?;
                        self.line(depth, "else");
                        self.block(depth + 1)?;
                    }
                }
                self.line(depth, "fi;");
                Ok(())
            }
            6 | 7 if depth < DEPTH => {
                let condition = self.decision()?;
                self.line(depth, &format!("while ({condition}) do"));
                self.block(depth + 1)?;
                self.line(depth, "od;");
                Ok(())
            }
            8..=10 if self.heads.len() > 1 => self.call(depth),
            11 if self.labels > 0 => {
                let first = self.number(self.labels - 1)?;
                let second = self.number(self.labels - 1)?;
                let targets = if first == second {
                    format!("L{first}")
                } else {
                    format!("L{first}, L{second}")
                };
                self.line(depth, &format!("goto {targets};"));
                Ok(())
            }
            12 => {
                let e = self.decision()?;
                self.line(depth, &format!("assume({e});"));
                Ok(())
            }
            13 | 14 => {
                let e = self.expression(DEPTH, false)?;
                self.line(depth, &format!("assert({e});"));
                Ok(())
            }
            15 if !self.variables.is_empty() => {
                let v = self.variable()?;
                self.line(depth, &format!("dead {v};"));
                Ok(())
            }
            16 => {
                let e = self.expression(DEPTH, false)?;
                let word = ["enforce", "abortif", "print"][self.number(2)?];
                self.line(depth, &format!("{word}({e});"));
                Ok(())
            }
            17 => self.returning(depth),
            _ => {
                self.line(depth, "skip;");
                Ok(())
            }
        }
    }

    /// Distinct variables, at most so many.
    fn targets(&mut self, most: usize) -> Result<Vec<&'static str>> {
        let mut all = self.variables.clone();
        let count = most.min(all.len());
        let mut chosen = vec![];
        for _ in 0..count {
            let i = self.number(all.len() - 1)?;
            chosen.push(all.remove(i));
        }
        Ok(chosen)
    }

    fn assignment(&mut self, depth: usize) -> Result<()> {
        let most = 1 + self.number(2)?;
        let targets = self.targets(most)?;
        if targets.is_empty() {
            self.line(depth, "skip;");
            return Ok(());
        }
        let values = self.expressions(targets.len())?;
        let constrain = match self.number(4)? {
            0 => format!(" constrain ({})", self.expression(DEPTH, true)?),
            _ => String::new(),
        };
        self.line(depth, &format!("{} := {values}{constrain};", targets.join(", ")));
        Ok(())
    }

    fn call(&mut self, depth: usize) -> Result<()> {
        let callee = self.number(self.heads.len() - 1)?;
        let Head { name, formals, returns } = self.heads[callee];
        let arguments = self.expressions(formals)?;
        let mut targets = self.targets(returns)?;
        // A value may be dropped, by `_`.
        targets.resize(returns, "_");
        let targets = match returns {
            0 => String::new(),
            _ => format!("{} := ", targets.join(", ")),
        };
        self.line(depth, &format!("{targets}{name}({arguments});"));
        Ok(())
    }

    fn variable(&mut self) -> Result<&'static str> {
        let i = self.number(self.variables.len() - 1)?;
        Ok(self.variables[i])
    }

    fn expressions(&mut self, count: usize) -> Result<String> {
        let mut all = vec![];
        for _ in 0..count {
            all.push(self.expression(DEPTH, false)?);
        }
        Ok(all.join(", "))
    }

    /// `*` or an expression.
    fn decision(&mut self) -> Result<String> {
        if self.number(2)? == 0 { Ok("*".to_owned()) } else { self.expression(DEPTH, false) }
    }

    /// With values after the assignment, if `next`.
    fn expression(&mut self, depth: usize, next: bool) -> Result<String> {
        let kind = if depth == 0 { self.number(5)? } else { self.number(13)? };
        Ok(match kind {
            0..=3 if !self.variables.is_empty() => {
                let quote = if next && self.number(1)? == 1 { "'" } else { "" };
                format!("{quote}{}", self.variable()?)
            }
            4 => "*".to_owned(),
            0..=5 => ["T", "F"][self.number(1)?].to_owned(),
            6 | 7 => format!("!{}", self.expression(depth - 1, next)?),
            13 => {
                let (p, n) = (self.expression(depth - 1, next)?, self.expression(depth - 1, next)?);
                format!("schoose[{p}, {n}]")
            }
            kind => {
                let operator = ["&", "|", "=", "!=", "=>"][(kind - 8) % 5];
                let left = self.expression(depth - 1, next)?;
                let right = self.expression(depth - 1, next)?;
                format!("({left} {operator} {right})")
            }
        })
    }
}
