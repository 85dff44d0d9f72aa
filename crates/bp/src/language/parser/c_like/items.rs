//! The top level of a text in the C-like dialect: variables, procedures, lines of the preprocessor.

use super::super::reader::shorten;
use super::reader::Reader;
use super::token::{Broken, Kind, Token};
use super::tree::{Declared, Enumeration, Item, Operator, Procedure, Type, Value};
use crate::language::syntax::Name;
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

/// Most bits of an `int`.
const MAX_BITS: u64 = 16;

/// Procedures that the language has.
const BUILT_IN: [&str; 5] = ["assert", "assume", "create_thread", "thread_create", "wait"];

impl Reader<'_> {
    /// The whole file.
    pub(super) fn program(&mut self) {
        while !self.tokens.at_end() && !self.tokens.mistakes.is_full() {
            let start = self.tokens.token().span;
            if self.item().is_err() {
                self.skip_item(start);
            }
        }
    }

    fn item(&mut self) -> Result<(), Broken> {
        // Numbers of lines.
        while self.tokens.token().kind == Kind::Number {
            self.tokens.take();
            self.tokens.accept(":");
        }
        match self.tokens.next() {
            ";" => {
                self.tokens.take();
                Ok(())
            }
            "#" | "define" => self.directive(),
            "var" => self.enumerated(),
            "decl" => self.globals(Type::Bool),
            "mutex" if self.tokens.is_name(self.tokens.ahead(1)) => self.globals(Type::Mutex),
            "bool" | "int" | "void" | "module" => self.typed(),
            "init" if self.tokens.is_name(self.tokens.ahead(1)) => Err(self.init()),
            _ => Err(self.stray()),
        }
    }

    /// `define DEFAULT_INT_BITS 1`, `#define mutex`, `#define N 3`.
    fn directive(&mut self) -> Result<(), Broken> {
        let start = self.tokens.token().span;
        let sign = self.tokens.accept("#").is_some();
        if self.tokens.next() != "define" {
            return Err(self.tokens.expected("'define'", "the text is not preprocessed"));
        }
        let word = self.tokens.take();
        let name = self.tokens.name("a name")?;
        let mut value: Vec<Token> = Vec::new();
        while !self.tokens.at_end() && !self.tokens.token().on_new_line {
            let token = self.tokens.take();
            if self.tokens.word(token) != ";" || sign {
                value.push(token);
            }
        }
        let span = start.to(word.span).to(name.span);
        if name.text == "DEFAULT_INT_BITS" {
            let bits = value.first().filter(|t| value.len() == 1 && t.kind == Kind::Number);
            let bits = bits.map(|t| self.tokens.number(*t)).filter(|n| (1..=MAX_BITS).contains(n));
            let Some(bits) = bits else {
                let message = "the number of bits of an 'int' is missing or too large";
                let label = format!("a number from 1 to {MAX_BITS} is needed");
                self.tokens.mistakes.syntax(span, message, &label, "");
                return Ok(());
            };
            self.tree.int_bits = Some(bits as u32);
            return Ok(());
        }
        let meaning = match value.as_slice() {
            [] => return Ok(()),
            [token] if token.kind == Kind::Number => Operator::Number(self.tokens.number(*token)),
            [token] if matches!(self.tokens.word(*token), "true" | "false") => {
                Operator::Constant(self.tokens.word(*token) == "true")
            }
            _ => {
                let message =
                    format!("this definition of '{}' is not supported", shorten(&name.text));
                let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, span, message)
                    .with_label("only a number or a truth value can be defined")
                    .with_hint("preprocess the text first, as by 'cpp -P'");
                self.tokens.mistakes.report(span.start as usize, diagnostic);
                return Ok(());
            }
        };
        self.macros.insert(name.text, meaning);
        Ok(())
    }

    /// `var x, y: enum {0, 1}`
    fn enumerated(&mut self) -> Result<(), Broken> {
        self.tokens.take();
        let mut names = vec![self.tokens.name("the name of a variable")?];
        while self.tokens.accept(",").is_some() {
            names.push(self.tokens.name("the name of a variable")?);
        }
        self.tokens.expect(":")?;
        let kind = match self.tokens.next() {
            "bool" => Type::Bool,
            "int" => Type::Int,
            "enum" => {
                self.tokens.take();
                self.enumeration()?
            }
            _ => return Err(self.tokens.expected("'bool', 'int' or 'enum'", "")),
        };
        if !matches!(kind, Type::Enum(_)) {
            self.tokens.take();
        }
        for name in names {
            self.tree.items.push(Item::Global(Declared { name, kind, value: None }));
        }
        self.tokens.end_of_declaration()
    }

    /// `{A, B}`
    fn enumeration(&mut self) -> Result<Type, Broken> {
        self.tokens.expect("{")?;
        let mut values: Vec<String> = Vec::new();
        loop {
            let token = self.tokens.token();
            if token.kind != Kind::Number && !self.tokens.is_name(token) {
                return Err(self.tokens.expected("a value of the enumeration", ""));
            }
            let text = match token.kind {
                Kind::Number => self.tokens.number(token).to_string(),
                _ => self.tokens.next().to_owned(),
            };
            if values.contains(&text) || values.len() >= 1 << MAX_BITS {
                let message = format!("'{text}' is in this enumeration already");
                self.tokens.mistakes.syntax(token.span, message, "listed again here", "");
                return Err(Broken);
            }
            values.push(text);
            self.tokens.take();
            if self.tokens.accept(",").is_none() {
                break;
            }
        }
        self.tokens.expect("}")?;
        self.tree.enumerations.push(Enumeration { values });
        Ok(Type::Enum(self.tree.enumerations.len() - 1))
    }

    /// `decl x, y := e;`, `mutex m;`
    fn globals(&mut self, kind: Type) -> Result<(), Broken> {
        self.tokens.take();
        let globals = self.declared(kind)?;
        for global in globals {
            if let Some(Value::Call(call)) = &global.value {
                let span = call.procedure.span;
                let message = "a global variable begins with the value of an expression";
                self.tokens.mistakes.syntax(span, message, "a call", "");
            }
            self.tree.items.push(Item::Global(global));
        }
        Ok(())
    }

    /// `x = e, y;`
    pub(super) fn declared(&mut self, kind: Type) -> Result<Vec<Declared>, Broken> {
        let mut all = Vec::new();
        loop {
            let name = self.tokens.name("the name of a variable")?;
            let given = matches!(self.tokens.next(), "=" | ":=");
            let value = if given {
                self.tokens.take();
                Some(self.value()?)
            } else {
                None
            };
            if let (Type::Mutex, Some(_)) = (kind, &value) {
                let message = format!("the mutex '{}' is free at the beginning", name.text);
                self.tokens.mistakes.syntax(name.span, message, "it has no other value", "");
            }
            all.push(Declared { name, kind, value });
            if self.tokens.accept(",").is_none() {
                self.tokens.end_of_declaration()?;
                return Ok(all);
            }
        }
    }

    /// `bool x;`, `bool f() {..}`
    fn typed(&mut self) -> Result<(), Broken> {
        let start = self.tokens.token().span;
        let is_module = self.tokens.accept("module").is_some();
        let kind = match self.tokens.next() {
            "bool" => Some(Type::Bool),
            "int" => Some(Type::Int),
            "void" => None,
            _ => return Err(self.tokens.expected("'void', 'bool' or 'int'", "")),
        };
        if self.tokens.word(self.tokens.ahead(2)) != "(" {
            return match kind {
                Some(kind) if !is_module => self.globals(kind),
                _ => {
                    self.tokens.take();
                    self.tokens.name("the name of a procedure")?;
                    Err(self.tokens.expected("'('", ""))
                }
            };
        }
        self.tokens.take();
        let name = self.tokens.name("the name of a procedure")?;
        if BUILT_IN.contains(&name.text.as_str()) {
            let message = format!("'{}' cannot be the name of a procedure", name.text);
            let hint = "it is a statement of the language";
            self.tokens.mistakes.syntax(name.span, message, "not a name here", hint);
        }
        let formals = self.formals()?;
        let span = Span { start: start.start, end: self.tokens.before() };
        if self.tokens.accept(";").is_some() {
            // It is only announced.
            return Ok(());
        }
        if self.tokens.next() != "{" {
            return Err(self.tokens.expected("'{'", "the body of a procedure stands in braces"));
        }
        let open = self.tokens.take().span;
        let (body, end) = self.body(&name.text, open);
        let procedure = Procedure { name, returns: kind, formals, body, span, end };
        self.tree.items.push(Item::Procedure(procedure));
        Ok(())
    }

    /// `(bool x, int y)`
    fn formals(&mut self) -> Result<Vec<(Name, Type)>, Broken> {
        self.tokens.expect("(")?;
        let mut formals = Vec::new();
        if self.tokens.next() == "void" && self.tokens.second() == ")" {
            self.tokens.take();
        }
        while self.tokens.next() != ")" {
            let kind = match self.tokens.next() {
                "bool" => Type::Bool,
                "int" => Type::Int,
                _ => {
                    let hint = "a parameter begins with its type";
                    return Err(self.tokens.expected("'bool' or 'int'", hint));
                }
            };
            self.tokens.take();
            formals.push((self.tokens.name("the name of a parameter")?, kind));
            if self.tokens.accept(",").is_none() {
                break;
            }
        }
        self.tokens.expect(")")?;
        Ok(formals)
    }

    /// `init f;`
    fn init(&mut self) -> Broken {
        let word = self.tokens.take().span;
        let name = shorten(self.tokens.next());
        let message = format!("'init {name}' is not supported");
        let diagnostic = Diagnostic::new(DiagnosticKind::Unsupported, word, message)
            .with_label("it names where the program begins")
            .with_hint(format!("leave it out, and begin there by '--entry {name}'"));
        self.tokens.mistakes.report(word.start as usize, diagnostic);
        Broken
    }

    /// What is neither a variable nor a procedure.
    fn stray(&mut self) -> Broken {
        let (token, next) = (self.tokens.token(), self.tokens.next());
        let hint = match next {
            "}" => "the procedure is already closed: is there an extra '}'?",
            _ if self.tokens.second() == "(" && token.kind == Kind::Word => {
                "a procedure begins with its type: 'void', 'bool' or 'int'"
            }
            _ if token.kind == Kind::Word => {
                "statements stand in procedures, as in 'void main() { .. }'"
            }
            _ => "",
        };
        self.tokens.expected("a variable or a procedure", hint)
    }

    /// Goes on at the next line that begins as an item does.
    fn skip_item(&mut self, start: Span) {
        let mut depth = 0_usize;
        while !self.tokens.at_end() {
            let token = self.tokens.token();
            let begins = matches!(self.tokens.next(), "bool" | "int" | "void" | "module" | "var");
            if depth == 0 && begins && token.span.start > start.start {
                return;
            }
            match self.tokens.next() {
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        self.tokens.take();
                        return;
                    }
                }
                ";" if depth == 0 => {
                    self.tokens.take();
                    return;
                }
                _ => {}
            }
            self.tokens.take();
        }
    }
}
