//! Attributes between the tokens: those that change nothing are left out, wherever they stand, and standard ones are
//! written as GNU's.

use super::known::{Noted, Treatment, plain, stays, treatment};
use super::lexer::Lexed;
use super::token::{Kind, Sign, Token, Word};
use hardbop_base::source::Span;

/// Something that is refused by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub span: Span,
    pub what: &'static str,
    pub hint: &'static str,
}

/// The messages to the user about attributes.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Those that are refused, or ignored with a warning.
    pub noted: Vec<Noted>,
    pub refusals: Vec<Refusal>,
}

/// Leaves out what does not matter among the tokens.
pub(super) fn filter(lexed: &mut Lexed) -> Found {
    let is_double = |pair: &[Token]| {
        pair[0].kind == Kind::Sign(Sign::OpenSquare) && pair[1].kind == pair[0].kind
    };
    let any = lexed.text.contains("__attribute")
        || lexed.text.contains("_Pragma")
        || lexed.tokens.windows(2).any(is_double);
    if !any {
        return Found::default();
    }
    let old = std::mem::take(&mut lexed.tokens);
    let out = Vec::with_capacity(old.len());
    let partners = partners(&old);
    let (open, found) = (Vec::new(), Found::default());
    let mut filter = Filter { text: &lexed.text, old, partners, out, open, closed: None, found };
    let mut at = 0;
    while at < filter.old.len() {
        at = filter.next(at);
    }
    let Filter { out, found, .. } = filter;
    lexed.tokens = out;
    found
}

/// For each bracket that is closed the index behind the one that does it; brackets of all kinds are alike.
fn partners(tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let Kind::Sign(sign) = token.kind else { continue };
        if sign.opens() {
            open.push(i);
        } else if sign.closes()
            && let Some(other) = open.pop()
        {
            partners[other] = i as u32 + 1;
        }
    }
    partners
}

struct Filter<'t> {
    text: &'t str,
    old: Vec<Token>,
    /// Of each bracket that is closed, the index behind that which closes it; else 0.
    partners: Vec<u32>,
    out: Vec<Token>,
    /// The brackets that are open, with their places among what is left.
    open: Vec<(Sign, usize)>,
    /// The place of the bracket whose partner was taken last.
    closed: Option<usize>,
    found: Found,
}

impl<'t> Filter<'t> {
    fn get(&self, i: usize) -> &'t str {
        let token = self.old.get(i);
        token.and_then(|t| self.text.get(t.from as usize..t.to as usize)).unwrap_or("")
    }

    fn is(&self, i: usize, sign: Sign) -> bool {
        self.old.get(i).is_some_and(|t| t.kind == Kind::Sign(sign))
    }

    /// The index behind the bracket that closes the one at `i`.
    fn closing(&self, i: usize) -> Option<usize> {
        self.partners.get(i).copied().filter(|&end| end > 0).map(|end| end as usize)
    }

    /// Takes the token at `at`, or an attribute; returns what follows.
    fn next(&mut self, at: usize) -> usize {
        let token = self.old[at];
        match token.kind {
            Kind::Word(Word::Attribute) if self.is(at + 1, Sign::OpenRound) => {
                if let Some(end) = self.closing(at + 1) {
                    let names = self.attribute_names(at, end);
                    if self.attributes(&names) {
                        self.out.extend_from_slice(&self.old[at..end]);
                    }
                    return end;
                }
            }
            Kind::Sign(Sign::OpenSquare) if self.is(at + 1, Sign::OpenSquare) => {
                if let Some(end) = self.closing(at) {
                    self.standard(at, end);
                    return end;
                }
            }
            Kind::Word(Word::Pragma) if self.is(at + 1, Sign::OpenRound) => {
                if let Some(end) = self.closing(at + 1) {
                    self.pragma(at, end);
                    return end;
                }
            }
            Kind::Sign(sign) if sign.opens() => self.open.push((sign, self.out.len())),
            Kind::Sign(sign) if sign.closes() => {
                self.closed = self.open.pop().map(|(_, place)| place);
            }
            _ => {}
        }
        self.out.push(token);
        at + 1
    }

    /// The tokens that name the attributes in `__attribute__((a, b(c)))`.
    fn attribute_names(&self, at: usize, end: usize) -> Vec<usize> {
        let mut depth = 0_usize;
        let mut names = Vec::new();
        for j in at + 1..end {
            if self.is(j, Sign::OpenRound) {
                depth += 1;
            } else if self.is(j, Sign::CloseRound) {
                depth = depth.saturating_sub(1);
            } else if depth == 2
                && (self.is(j - 1, Sign::OpenRound) || self.is(j - 1, Sign::Comma))
                && !self.is(j, Sign::Comma)
            {
                names.push(j);
            }
        }
        names
    }

    /// Notes attributes; whether they may matter to the declaration that they belong to.
    fn attributes(&mut self, names: &[usize]) -> bool {
        let is_nested = matches!(self.open.last(), Some((Sign::OpenRound | Sign::OpenSquare, _)));
        let kept = |j: &&usize| stays(plain(self.get(**j)));
        let promises = names.iter().filter(kept).all(|&j| is_promise(plain(self.get(j))));
        let matters = names.iter().any(|&j| stays(plain(self.get(j)))) && !(promises && is_nested);
        for &j in names {
            let name = plain(self.get(j));
            let treatment = if name == "weakref" { Treatment::Weak } else { treatment(name) };
            // What lies in these is called at the start or at the end.
            let argument = self.get(j + 2);
            let runs = ["init_array", "fini_array", ".ctors", ".dtors", "\".init\"", "\".fini\""];
            let at = self.old[j].span.start as usize;
            if name == "section" && runs.iter().any(|part| argument.contains(part)) {
                let name = format!("section({argument})");
                self.found.noted.push(Noted { at, name, treatment: Treatment::Refused });
                continue;
            }
            // The order of bytes that all machines have that hardbop knows.
            let is_usual = name == "scalar_storage_order" && argument.contains("little");
            if !is_usual && !matches!(treatment, Treatment::Harmless | Treatment::Read) {
                let name = name.to_owned();
                self.found.noted.push(Noted { at, name, treatment });
            }
        }
        matters
    }

    /// `[[..]]`, with the names of gcc's attributes and those of the standard.
    fn standard(&mut self, at: usize, end: usize) {
        let mut names = Vec::new();
        let mut ranges = Vec::new();
        let last = end.saturating_sub(2);
        let mut j = at + 2;
        while j < last {
            let scope = self.is(j + 1, Sign::DoubleColon).then(|| plain(self.get(j)) == "gnu");
            let name = if scope.is_some() { j + 2 } else { j };
            let arguments = self.is(name + 1, Sign::OpenRound).then(|| self.closing(name + 1));
            let behind = arguments.flatten().unwrap_or(name + 1).min(last);
            // What the standard alone has changes nothing; other compilers' attributes are not for gcc.
            let of_standard = matches!(
                plain(self.get(name)),
                "nodiscard" | "maybe_unused" | "likely" | "unlikely"
            );
            if scope.unwrap_or(!of_standard) && name < behind {
                names.push(name);
                ranges.push(name..behind);
            }
            j = behind + 1;
        }
        // Behind a type, or behind the parameters of a function, gcc drops it.
        let is_behind = match self.out.last().map(|t| t.kind) {
            Some(Kind::Sign(Sign::CloseRound)) => true,
            Some(Kind::Sign(Sign::CloseBrace)) => self.is_behind_type(),
            _ => false,
        };
        if is_behind || names.is_empty() || !self.attributes(&names) {
            return;
        }
        let span = self.old[at].span;
        let sign = |sign| Token { kind: Kind::Sign(sign), span, from: 0, to: 0 };
        let word = Token { kind: Kind::Word(Word::Attribute), span, from: 0, to: 0 };
        self.out.extend([word, sign(Sign::OpenRound), sign(Sign::OpenRound)]);
        for (i, range) in ranges.into_iter().enumerate() {
            self.out.extend((i > 0).then(|| sign(Sign::Comma)));
            self.out.extend_from_slice(&self.old[range]);
        }
        self.out.extend([sign(Sign::CloseRound), sign(Sign::CloseRound)]);
    }

    /// Whether the brace that was taken last ends a list of members or enumerators.
    fn is_behind_type(&self) -> bool {
        let Some(at) = self.closed else { return false };
        let mut depth = 0_usize;
        for token in self.out[..at].iter().rev() {
            match token.kind {
                Kind::Word(Word::Struct | Word::Union | Word::Enum) => return true,
                Kind::Name | Kind::Word(Word::Attribute) => {}
                Kind::Sign(Sign::OpenRound) if depth > 0 => depth -= 1,
                Kind::Sign(Sign::CloseRound) => depth += 1,
                _ if depth > 0 => {}
                _ => return false,
            }
        }
        false
    }

    /// `_Pragma("..")` is dropped, unless it is about layout or names.
    fn pragma(&mut self, at: usize, end: usize) {
        const MATTERS: &[&str] =
            &["pack", "scalar_storage_order", "weak", "redefine_extname", "ms_struct"];
        let matters = (at..end).any(|j| {
            self.old[j].kind == Kind::Text && MATTERS.iter().any(|word| self.get(j).contains(word))
        });
        if matters {
            let hint = "write it as a line '#pragma ..'";
            let span = self.old[at].span;
            self.found.refusals.push(Refusal { span, what: "this '_Pragma'", hint });
        }
    }
}

/// Whether an attribute only says what calls do.
pub(super) fn is_promise(name: &str) -> bool {
    matches!(name, "noreturn" | "pure" | "const" | "weak")
}
