//! Bodies of procedures: one statement after another, with what is open on an explicit stack.

use super::super::reader::{MAX_NESTING, shorten};
use super::reader::Reader;
use super::token::{Broken, Kind as TokenKind};
use super::tree::{Call, Expression, Kind, Label, Node, Operator, Statement, Type, Value};
use crate::language::syntax::Name;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// What a statement ends, or belongs to.
enum Frame {
    /// A block, with the place of its `{`.
    Block(Span),
    If,
    Else,
    While(usize),
}

/// A body as read so far.
#[derive(Default)]
struct Body {
    statements: Vec<Statement>,
    frames: Vec<Frame>,
    /// Numbers of the loops around the place.
    loops: Vec<usize>,
    labels: Vec<Label>,
}

impl Body {
    fn push(&mut self, kind: Kind, span: Span) {
        let labels = std::mem::take(&mut self.labels);
        self.statements.push(Statement { labels, kind, span });
    }

    /// A statement of its own for labels that stand at the end of a block.
    fn labels_end(&mut self) {
        if let Some(label) = self.labels.last() {
            let span = label.name.span;
            self.push(Kind::Skip, span);
        }
    }
}

impl Reader<'_> {
    /// The statements of a procedure, whose `{` has been read, and the place of its `}`.
    pub(super) fn body(&mut self, name: &str, open: Span) -> (Vec<Statement>, Span) {
        let mut body = Body { frames: vec![Frame::Block(open)], ..Body::default() };
        loop {
            self.labels(&mut body);
            if self.tokens.at_end() || self.tokens.mistakes.is_full() {
                self.unclosed(name, &body);
                return (body.statements, self.tokens.token().span);
            }
            if self.tokens.next() == "}" && matches!(body.frames.last(), Some(Frame::Block(_))) {
                let end = self.tokens.take().span;
                body.labels_end();
                body.frames.pop();
                if body.frames.is_empty() {
                    return (body.statements, end);
                }
                body.push(Kind::Close, end);
                self.completed(&mut body);
                continue;
            }
            let before = self.tokens.token().span;
            match self.statement(&mut body) {
                Ok(true) => self.completed(&mut body),
                Ok(false) => {}
                Err(Broken) => {
                    let stays = self.tokens.token().span == before;
                    if stays && self.tokens.next() != "}" {
                        self.tokens.take();
                    }
                    self.tokens.skip_statement();
                    self.completed(&mut body);
                }
            }
            if body.frames.len() > MAX_NESTING {
                self.tokens.too_deep();
            }
        }
    }

    /// `L:`, `6:`, and `6` without `:`.
    fn labels(&mut self, body: &mut Body) {
        loop {
            let token = self.tokens.token();
            let colon = self.tokens.second() == ":";
            let is_number = token.kind == TokenKind::Number;
            if !(is_number || colon && self.tokens.is_name(token)) {
                return;
            }
            let text = self.tokens.word(token).to_owned();
            let name = Name { text, span: token.span };
            body.labels.push(Label { name, is_line_number: !colon });
            self.tokens.take();
            if colon {
                self.tokens.take();
            }
        }
    }

    /// Ends what the statement before ends.
    fn completed(&mut self, body: &mut Body) {
        let end = Span { start: self.tokens.before(), end: self.tokens.before() };
        loop {
            match body.frames.last() {
                Some(Frame::If) if self.tokens.next() == "else" => {
                    let word = self.tokens.take().span;
                    body.frames.pop();
                    body.frames.push(Frame::Else);
                    return body.push(Kind::Else, word);
                }
                Some(Frame::If | Frame::Else) => body.push(Kind::EndIf, end),
                Some(&Frame::While(number)) => {
                    body.loops.pop();
                    body.push(Kind::EndWhile(number), end);
                }
                Some(Frame::Block(_)) | None => return,
            }
            body.frames.pop();
        }
    }

    /// A statement, or the head of one; whether it is complete.
    fn statement(&mut self, body: &mut Body) -> Result<bool, Broken> {
        let token = self.tokens.token();
        let start = token.span;
        match self.tokens.next() {
            "{" => {
                self.tokens.take();
                body.push(Kind::Open, start);
                body.frames.push(Frame::Block(start));
                return Ok(false);
            }
            "atomic" => {
                self.tokens.take();
                let open = self.tokens.expect("{")?;
                body.push(Kind::OpenAtomic, start);
                body.frames.push(Frame::Block(open));
                return Ok(false);
            }
            "if" | "while" => {
                let is_if = self.tokens.next() == "if";
                self.tokens.take();
                self.tokens.expect("(")?;
                let condition = self.expression()?;
                let span = start.to(self.tokens.expect(")")?);
                if is_if {
                    body.push(Kind::If(condition), span);
                    body.frames.push(Frame::If);
                } else {
                    self.loops += 1;
                    body.push(Kind::While(self.loops, condition), span);
                    body.frames.push(Frame::While(self.loops));
                    body.loops.push(self.loops);
                }
                return Ok(false);
            }
            ";" => {
                self.tokens.take();
                body.labels_end();
                return Ok(true);
            }
            word @ ("bool" | "int" | "decl") => {
                return self.declaration(word == "int", body).map(|()| true);
            }
            _ => {}
        }
        let kind = self.action(body)?;
        let span = Span { start: start.start, end: self.tokens.before() };
        self.tokens.semicolon()?;
        body.push(kind, span);
        Ok(true)
    }

    /// `bool x = e, y;`
    fn declaration(&mut self, is_int: bool, body: &mut Body) -> Result<(), Broken> {
        let word = self.tokens.take().span;
        if !matches!(body.frames.last(), Some(Frame::Block(_))) {
            let hint = "write it in braces, or before the 'if' or 'while'";
            let message = "a declaration stands alone under an 'if' or 'while'";
            self.tokens.mistakes.syntax(word, message, "not possible here", hint);
        }
        let all = self.declared(if is_int { Type::Int } else { Type::Bool })?;
        for declared in all {
            let end = declared.value.as_ref().map_or(declared.name.span, |value| match value {
                Value::Expression(e) => e.span,
                Value::Call(call) => call.procedure.span,
            });
            body.push(Kind::Declare(declared), word.to(end));
        }
        Ok(())
    }

    /// A statement that ends with `;`, without it.
    fn action(&mut self, body: &Body) -> Result<Kind, Broken> {
        let (next, second) = (self.tokens.next(), self.tokens.second());
        match next {
            "goto" => {
                self.tokens.take();
                let mut labels = vec![self.label()?];
                while self.tokens.accept(",").is_some() {
                    labels.push(self.label()?);
                }
                Ok(Kind::Goto(labels))
            }
            "return" => {
                self.tokens.take();
                let is_plain = matches!(self.tokens.next(), ";" | "}");
                Ok(Kind::Return(if is_plain { None } else { Some(self.value()?) }))
            }
            "break" | "continue" => {
                let Some(&number) = body.loops.last() else {
                    let span = self.tokens.token().span;
                    let message = format!("'{next}' stands in no loop");
                    self.tokens.mistakes.syntax(span, message, "no 'while' is open here", "");
                    return Err(Broken);
                };
                self.tokens.take();
                Ok(if next == "break" { Kind::Break(number) } else { Kind::Continue(number) })
            }
            "assume" | "assert" | "wait" => {
                self.tokens.take();
                let condition = self.expression()?;
                Ok(if next == "assert" { Kind::Assert(condition) } else { Kind::Assume(condition) })
            }
            "create_thread" | "thread_create" if second == "(" => self.start(),
            "acquire" | "lock" | "release" | "unlock" if second == "(" => self.mutex(),
            "skip" | "end_thread" | "atomic_begin" | "begin_atomic" | "atomic_end"
            | "end_atomic"
                if matches!(second, ";" | "}") =>
            {
                self.tokens.take();
                Ok(match next {
                    "skip" => Kind::Skip,
                    "end_thread" => Kind::EndThread,
                    "atomic_begin" | "begin_atomic" => Kind::AtomicBegin,
                    _ => Kind::AtomicEnd,
                })
            }
            "++" | "--" => {
                self.tokens.take();
                let name = self.tokens.name("the name of a variable")?;
                Ok(step(name, next == "++", None))
            }
            _ => self.named(),
        }
    }

    /// A statement that begins with the name of a variable or procedure.
    fn named(&mut self) -> Result<Kind, Broken> {
        let (token, next) = (self.tokens.token(), self.tokens.next());
        let is_call = next == "call" && self.tokens.is_name(self.tokens.ahead(1));
        if is_call || self.tokens.second() == "(" && self.tokens.is_name(token) {
            return Ok(Kind::Call(None, self.call()?));
        }
        if !self.tokens.is_name(token) {
            return Err(self.tokens.expected("a statement", hint(next)));
        }
        let name = self.tokens.name("a statement")?;
        let sign = self.tokens.next();
        match sign {
            "=" | ":=" => {
                self.tokens.take();
                Ok(match self.value()? {
                    Value::Call(call) => Kind::Call(Some(name), call),
                    Value::Expression(e) => Kind::Assign(vec![name], vec![e]),
                })
            }
            "," => {
                let mut names = vec![name];
                while self.tokens.accept(",").is_some() {
                    names.push(self.tokens.name("the name of a variable")?);
                }
                self.tokens.expect(":=")?;
                let mut values = vec![self.expression()?];
                while self.tokens.accept(",").is_some() {
                    values.push(self.expression()?);
                }
                Ok(Kind::Assign(names, values))
            }
            "++" | "--" => {
                self.tokens.take();
                Ok(step(name, sign == "++", None))
            }
            "+=" | "-=" => {
                self.tokens.take();
                let by = self.expression()?;
                Ok(step(name, sign == "+=", Some(by)))
            }
            _ => Err(self.no_statement(&name)),
        }
    }

    /// A word that is no statement.
    fn no_statement(&mut self, name: &Name) -> Broken {
        let text = shorten(&name.text);
        let message = format!("'{text}' is no statement");
        let hint = match self.tokens.next() {
            "{" if text != "atomic" => "is it meant to be 'atomic {'?".to_owned(),
            ";" | "}" => match hint(&text) {
                "" => format!("a call is written '{text}();'"),
                known => known.to_owned(),
            },
            _ => hint(&text).to_owned(),
        };
        self.tokens.mistakes.syntax(name.span, message, "not known", &hint);
        Broken
    }

    fn label(&mut self) -> Result<Name, Broken> {
        let token = self.tokens.token();
        if token.kind == TokenKind::Number {
            self.tokens.take();
            return Ok(Name { text: self.tokens.word(token).to_owned(), span: token.span });
        }
        self.tokens.name("a label")
    }

    /// What is assigned or returned: an expression or a call.
    pub(super) fn value(&mut self) -> Result<Value, Broken> {
        let (token, second) = (self.tokens.token(), self.tokens.second());
        let behind_call = self.tokens.next() == "call" && self.tokens.is_name(self.tokens.ahead(1));
        if !(behind_call || self.tokens.is_name(token) && second == "(") {
            return self.expression().map(Value::Expression);
        }
        let call = self.call()?;
        if !matches!(self.tokens.next(), ";" | "," | "}") {
            let hint = "assign its value to a variable first, and use that";
            return Err(self.tokens.expected("';' behind the call", hint));
        }
        Ok(Value::Call(call))
    }

    /// `f(a, b)`, `call f(a, b)`
    fn call(&mut self) -> Result<Call, Broken> {
        if self.tokens.second() != "(" {
            self.tokens.accept("call");
        }
        let procedure = self.tokens.name("the name of a procedure")?;
        self.tokens.expect("(")?;
        let mut arguments = Vec::new();
        while self.tokens.next() != ")" {
            arguments.push(self.expression()?);
            if self.tokens.accept(",").is_none() {
                break;
            }
        }
        self.tokens.expect(")")?;
        Ok(Call { procedure, arguments })
    }

    /// `create_thread(&f, a)`
    fn start(&mut self) -> Result<Kind, Broken> {
        self.tokens.take();
        self.tokens.expect("(")?;
        self.tokens.accept("&");
        let procedure = self.tokens.name("the name of a procedure")?;
        let mut arguments = Vec::new();
        while self.tokens.accept(",").is_some() {
            arguments.push(self.expression()?);
        }
        self.tokens.expect(")")?;
        Ok(Kind::Start(Call { procedure, arguments }))
    }

    /// `acquire(m)`, or the call of a procedure that is called so.
    fn mutex(&mut self) -> Result<Kind, Broken> {
        let word = self.tokens.token();
        let call = self.call()?;
        let word = Name { text: self.tokens.word(word).to_owned(), span: word.span };
        let acquire = matches!(word.text.as_str(), "acquire" | "lock");
        let mutex = match call.arguments.as_slice() {
            [Expression { nodes, span }] => match nodes.as_slice() {
                [Node { operator: Operator::Variable(text), .. }] => {
                    Name { text: text.clone(), span: *span }
                }
                _ => return Ok(Kind::Call(None, call)),
            },
            _ => return Ok(Kind::Call(None, call)),
        };
        Ok(Kind::Mutex { acquire, word, mutex })
    }

    /// The text ends within a body.
    fn unclosed(&mut self, name: &str, body: &Body) {
        let open = body.frames.iter().rev().find_map(|frame| match frame {
            Frame::Block(open) => Some(*open),
            _ => None,
        });
        let place = self.tokens.token().span;
        let message = format!("missing '}}' of procedure '{}'", shorten(name));
        let mut diagnostic = Diagnostic::new(DiagnosticKind::Syntax, place, message)
            .with_label("expected '}' before this");
        if let Some(open) = open {
            diagnostic = diagnostic.with_related(open, "this '{' is not closed");
        }
        if !self.tokens.mistakes.is_full() {
            self.tokens.mistakes.report(place.start as usize, diagnostic);
        }
    }
}

/// `x++`, `x--`, `x += e`, `x -= e`
fn step(name: Name, up: bool, by: Option<Expression>) -> Kind {
    let span = name.span;
    let variable = Node { operator: Operator::Variable(name.text.clone()), span };
    let one = || vec![Node { operator: Operator::Number(1), span }];
    let (by, end) = by.map_or_else(|| (one(), span), |e| (e.nodes, e.span));
    let span = span.to(end);
    let operator = if up { Operator::Add } else { Operator::Subtract };
    let mut nodes = vec![variable];
    nodes.extend(by);
    nodes.push(Node { operator, span });
    Kind::Assign(vec![name], vec![Expression { nodes, span }])
}

/// Advice where a word stands where a statement is expected.
fn hint(found: &str) -> &'static str {
    match found {
        "fi" | "od" | "then" | "begin" | "end" | "elsif" | "elif" => {
            "blocks are written in braces, where the body of a procedure is"
        }
        "for" | "do" | "switch" => "loops are written 'while (e) { .. }', branches 'if (e) { .. }'",
        "else" => "no 'if' is open here",
        "error" => "an error is written 'assert(false);', or has the label 'ERROR'",
        "void" => "is the '}' of the procedure before missing?",
        "enum" | "var" => "'var x: enum {..}' stands outside of procedures",
        _ => "",
    }
}
