//! Rules as C: hooks, and the state as variables of the file.

use std::fmt::Write as _;

use pest::iterators::Pair;

use super::grammar::{Part, parts};
use super::hooks::{END, Moment, OWN, hook};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Source, Span};

/// How many rules a program may have, and how many events each of them.
const MOST: usize = 100;

/// What each translated rule declares.
const PRELUDE: &str = "extern void __assert_fail(const char *, const char *, unsigned, const char *) \
                       __attribute__((noreturn)); extern int __VERIFIER_nondet_int(void); \
                       extern long long __VERIFIER_nondet_longlong(void); \
                       extern void __VERIFIER_assume(int); \
                       extern void __undecided_a_rule_that_has_seen_too_many_objects(void);";
/// Where a rule has seen more objects than it can tell apart.
const OVERFLOW: &str = "__undecided_a_rule_that_has_seen_too_many_objects";
/// How many objects a rule remembers that it does not follow.
const PASSED: usize = 8;

/// A rule of an interface: what programs owe the functions that they call.  It has a state, and events that change it (Ball and
/// Rajamani, SLIC: a specification language for interface checking of C, MSR-TR-2001-21, Section 2).
#[derive(Debug, Clone)]
pub struct Rule {
    pub name: String,
    /// What programs have to do, in a few words.
    pub words: String,
    /// The weaknesses that breaking it is, by their numbers in the Common Weakness Enumeration.
    pub weaknesses: Vec<u32>,
    /// The functions that it is about.
    pub functions: Vec<String>,
    /// The C file that is linked with programs; places in it are those of the rule.
    pub code: Source,
}

impl Rule {
    /// Reads a rule; those of one program have different numbers.
    ///
    /// # Errors
    /// The text is no rule.  What is in braces is read with the program.
    ///
    /// ```
    /// use hardbop_base::source::Source;
    /// use hardbop_c::Rule;
    ///
    /// let text = "rule gets \"'gets' is not called\" cwe 242;\n\
    ///             before char *gets(char *line) { error \"no length is given\"; }";
    /// let rule = Rule::read(&Source::new("gets.rule", text), 0).expect("a rule");
    /// assert_eq!((rule.name.as_str(), rule.weaknesses), ("gets", vec![242]));
    /// ```
    pub fn read(source: &Source, number: usize) -> Result<Self, Box<Diagnostic>> {
        let file = parts(source)?;
        let passes_over = file.clone().flatten().any(|part| part.as_rule() == Part::TRACK);
        let code = match source.text.contains("pthread_self") {
            true => format!("{PRELUDE} extern unsigned long pthread_self(void);\n"),
            false => format!("{PRELUDE}\n"),
        };
        let out = Self {
            name: String::new(),
            words: String::new(),
            weaknesses: vec![],
            functions: vec![],
            code: Source::new(source.name.clone(), String::new()),
        };
        let mut translation = Translation {
            source,
            number,
            passes_over,
            events: 0,
            code,
            out,
            has_each: false,
            has_end: false,
            mistake: None,
        };
        for part in file.flat_map(Pair::into_inner) {
            translation.part(part);
        }
        if let Some(mistake) = translation.mistake {
            return Err(Box::new(mistake));
        }
        if translation.events > MOST || number >= MOST {
            let message = format!("there are more than {MOST} rules, or events in one");
            let span = Span::new(0, 0);
            return Err(Box::new(Diagnostic::new(DiagnosticKind::Unsupported, span, message)));
        }
        let Translation { code, out, .. } = translation;
        Ok(Self { code: Source::new(source.name.clone(), code), ..out })
    }
}

/// A rule on its way.
struct Translation<'s> {
    source: &'s Source,
    number: usize,
    /// Whether it is told of objects that it may have passed over.
    passes_over: bool,
    /// The number of events so far, one for each of their functions.
    events: usize,
    code: String,
    out: Rule,
    /// Whether it is about each object.
    has_each: bool,
    has_end: bool,
    /// The first mistake that the grammar does not show.
    mistake: Option<Diagnostic>,
}

/// A function that an event is about.
struct Function<'s> {
    /// The type of its result, and its name.
    declarator: (&'s str, &'s str),
    parameters: &'s str,
}

impl Translation<'_> {
    fn part(&mut self, part: Pair<'_, Part>) {
        match part.as_rule() {
            Part::heading => {
                for part in part.into_inner() {
                    match part.as_rule() {
                        Part::name => part.as_str().clone_into(&mut self.out.name),
                        Part::words => self.out.words = text_of(part.as_str()),
                        _ => {
                            let numbers = part.into_inner().map(|number| number.as_str().parse());
                            self.out.weaknesses.extend(numbers.filter_map(Result::<u32, _>::ok));
                        }
                    }
                }
            }
            Part::state => self.state(part),
            Part::event => self.event(part),
            _ => {}
        }
    }

    fn mark(&mut self, part: &Pair<'_, Part>) {
        let (line, _) = part.line_col();
        let name = self.source.name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(self.code, "\n# {line} \"{name}\"");
    }

    fn state(&mut self, part: Pair<'_, Part>) {
        for part in part.into_inner() {
            self.mark(&part);
            if part.as_rule() == Part::STATE {
                continue;
            }
            if part.as_rule() == Part::each {
                if std::mem::replace(&mut self.has_each, true) {
                    self.wrong(&part, "a rule is about objects of one kind");
                }
                let ty = inner(part, Part::type_name).unwrap_or_default();
                let followed = match ty.contains('*') {
                    false => number(ty),
                    true => pointer(ty, self.passes_over),
                };
                self.code.push_str(&followed);
            } else {
                let _ = write!(self.code, "static {}", part.as_str());
            }
        }
    }

    fn event(&mut self, part: Pair<'_, Part>) {
        let (mut is_before, mut functions) = (None, vec![]);
        let (mut guard, mut block) = (None, None);
        for part in part.into_inner() {
            match part.as_rule() {
                Part::moment => is_before = Some(part.as_str().starts_with("before")),
                Part::function => functions.push(function(part)),
                Part::guard => guard = Some(part),
                Part::block => block = Some(part),
                _ => {}
            }
        }
        let Some(block) = block else { return };
        let Some(is_before) = is_before else {
            if std::mem::replace(&mut self.has_end, true) {
                self.wrong(&block, "a rule has one 'end'");
            }
            self.mark(&block);
            let name = format!("{END}{}", self.events);
            let priority = self.number;
            let _ = write!(
                self.code,
                "static void {name}(void) __attribute__((destructor({priority}))); \
                 static void {name}(void) {{"
            );
            self.body(guard.as_ref(), &block);
            self.events += 1;
            return;
        };
        for Function { declarator: (result, name), parameters } in functions {
            let moment = if is_before {
                Moment::Before
            } else if result == "void" {
                Moment::Done
            } else {
                Moment::After
            };
            let own = hook(moment, name, self.number * MOST + self.events);
            let result = format!("{result} result");
            let parameters = match (moment, parameters) {
                (Moment::Before | Moment::Done, _) => vec![parameters],
                (Moment::After, "void") => vec![result.as_str()],
                (Moment::After, _) => vec![result.as_str(), parameters],
            };
            let parameters: Vec<String> =
                parameters.iter().flat_map(|all| all.split(',')).map(promoted).collect();
            let parameters = parameters.join(", ");
            self.mark(&block);
            let _ = write!(self.code, "void {own}({parameters}) {{");
            self.body(guard.as_ref(), &block);
            if !self.out.functions.iter().any(|known| known == name) {
                self.out.functions.push(name.to_owned());
            }
            self.events += 1;
        }
    }

    /// The condition and the code of an event, at their places, behind the head of the function that they become.
    fn body(&mut self, guard: Option<&Pair<'_, Part>>, block: &Pair<'_, Part>) {
        if let Some(guard) = guard {
            self.place(guard);
            let text = self.code_of(guard.clone());
            let _ = write!(self.code, "if (!({})) return;", &text[1..text.len() - 1]);
        }
        self.place(block);
        let code = self.code_of(block.clone());
        self.code.push_str(&code);
        self.code.push_str(" }");
    }

    /// Goes on in the line and column of a part.
    fn place(&mut self, part: &Pair<'_, Part>) {
        self.mark(part);
        let (_, column) = part.line_col();
        self.code.push_str(&" ".repeat(column - 1));
    }

    fn wrong(&mut self, part: &Pair<'_, Part>, message: &str) {
        let (start, end) = (part.as_span().start(), part.as_span().end());
        let mistake = Diagnostic::new(DiagnosticKind::Syntax, Span::new(start, end), message);
        self.mistake.get_or_insert(mistake);
    }

    /// The C of a block or condition, in as many lines.
    fn code_of(&mut self, part: Pair<'_, Part>) -> String {
        let (text, start) = (part.as_str(), part.as_span().start());
        let mut code = String::new();
        let mut end = 0;
        for inner in part.into_inner() {
            let span = inner.as_span();
            code.push_str(&text[end..span.start() - start]);
            end = span.end() - start;
            let (line, _) = inner.line_col();
            let lines = "\n".repeat(inner.as_str().matches('\n').count());
            if matches!(inner.as_rule(), Part::track | Part::is_tracked) && !self.has_each {
                self.wrong(&inner, "this needs a 'state of each TYPE { .. }' in front of it");
            }
            if inner.as_rule() == Part::word && inner.as_str() == "error" {
                self.wrong(&inner, "expected 'error \"WORDS\";'");
            }
            let written = match inner.as_rule() {
                Part::block | Part::parentheses => self.code_of(inner),
                Part::error => {
                    let words = self::inner(inner, Part::words).unwrap_or_default();
                    let (file, rule) = (&self.source.name, &self.out.name);
                    format!("__assert_fail({words}, {file:?}, {line}, \"{rule}\");{lines}")
                }
                Part::track => {
                    let word = if inner.as_str().starts_with("new") { "new" } else { "track" };
                    let object = self.argument(inner);
                    format!("do {{ if (!{OWN}{word}{object}) return; }} while (0);")
                }
                Part::assume => format!("__VERIFIER_assume{};", self.argument(inner)),
                Part::is_tracked => format!("{OWN}is_tracked{}", self.argument(inner)),
                _ => inner.as_str().to_owned(),
            };
            code.push_str(&written);
        }
        code.push_str(&text[end..]);
        code
    }

    /// The value in parentheses behind a word.
    fn argument(&mut self, part: Pair<'_, Part>) -> String {
        let found = part.into_inner().find(|part| part.as_rule() == Part::argument);
        found.map_or_else(String::new, |part| self.code_of(part))
    }
}

/// The text of the first part of this kind in another one.
fn inner(part: Pair<'_, Part>, kind: Part) -> Option<&str> {
    part.into_inner().find(|part| part.as_rule() == kind).map(|part| part.as_str().trim())
}

/// How a rule follows a number that stands for an object: one of any value, which it is from the start.  What holds of it
/// holds of each.
fn number(ty: &str) -> String {
    let is_it = |name: &str| {
        format!(
            "static int {OWN}{name}({ty} object) {{ if (!{OWN}has_object) {{ {OWN}has_object = 1; \
             {OWN}object = ({ty})__VERIFIER_nondet_longlong(); }} return object == {OWN}object; }} "
        )
    };
    let functions = ["is_tracked", "new", "track"].map(is_it).concat();
    format!("static {ty} {OWN}object; static int {OWN}has_object; {functions}")
}

/// How a rule follows an object by its address: one of those that it is told of, so that what holds of it holds of each.  An
/// object that it passes over is not followed later, but where it is made anew.
fn pointer(ty: &str, passes_over: bool) -> String {
    let mut code = format!(
        "static {ty} {OWN}object; static int {OWN}has_object; \
         static int {OWN}is_tracked({ty} object) \
         {{ return {OWN}has_object && object == {OWN}object; }} \
         static int {OWN}choose({ty} object) {{ if (!__VERIFIER_nondet_int()) return 0; \
         {OWN}has_object = 1; {OWN}object = object; return 1; }} "
    );
    let mut choice = format!("{OWN}choose(object)");
    if passes_over {
        let each = format!("for (i = 0; i < {OWN}count; i++) if ({OWN}passed[i] == object)");
        choice.push_str(&format!(" || {OWN}pass(object)"));
        code.push_str(&format!(
            "static {ty} {OWN}passed[{PASSED}]; static int {OWN}count; \
             static int {OWN}was_passed({ty} object) {{ int i; {each} return 1; \
             if ({OWN}count == {PASSED}) {OVERFLOW}(); return 0; }} \
             static int {OWN}pass({ty} object) {{ int i; {each} return 0; \
             if ({OWN}count < {PASSED}) {OWN}passed[{OWN}count++] = object; return 0; }} \
             static int {OWN}track({ty} object) {{ \
             if ({OWN}has_object) return object == {OWN}object; \
             return !{OWN}was_passed(object) && ({choice}); }} "
        ));
    }
    code.push_str(&format!(
        "static int {OWN}new({ty} object) {{ \
         if ({OWN}has_object) return object == {OWN}object; return {choice}; }}"
    ));
    code
}

fn function(part: Pair<'_, Part>) -> Function<'_> {
    let mut inner = part.into_inner().map(|part| part.as_str().trim());
    let declarator = inner.next().unwrap_or_default();
    let parameters = inner.next().unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name = declarator.trim_end_matches(is_word).len();
    let (result, name) = declarator.split_at(name);
    let parameters = if parameters.is_empty() { "void" } else { parameters };
    // What is passed behind those that are named is not the rule's.
    let parameters = parameters.strip_suffix("...").unwrap_or(parameters).trim_end();
    let parameters = parameters.strip_suffix(',').unwrap_or(parameters);
    Function { declarator: (result.trim(), name), parameters }
}

/// A parameter with the type that its values have in calls without a prototype (C11, 6.5.2.2, 6).
fn promoted(parameter: &str) -> String {
    let parameter = parameter.trim();
    if parameter.contains(['*', '[', '(']) {
        return parameter.to_owned();
    }
    let words: Vec<&str> = parameter.split_whitespace().collect();
    let is_narrow = |word: &&str| matches!(*word, "char" | "short" | "_Bool");
    let is_of_type = |word: &str| matches!(word, "const" | "signed" | "unsigned" | "int");
    let name = words.last().filter(|word| !is_narrow(word) && !is_of_type(word));
    let ty = &words[..words.len() - usize::from(name.is_some())];
    let all = |known: &dyn Fn(&str) -> bool| ty.iter().all(|word| known(word));
    let promoted = if ty.iter().any(is_narrow) && all(&|w| is_narrow(&w) || is_of_type(w)) {
        "int"
    } else if ty.contains(&"float") && all(&|w| w == "float" || w == "const") {
        "double"
    } else {
        return parameter.to_owned();
    };
    format!("{promoted} {}", name.unwrap_or(&""))
}

/// A text in quotes.
fn text_of(words: &str) -> String {
    words[1..words.len() - 1].replace("\\\"", "\"").replace("\\\\", "\\")
}
