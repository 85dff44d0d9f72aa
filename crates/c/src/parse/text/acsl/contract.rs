//! Contracts of functions: `requires`, `ensures` and `assigns`; of other clauses, the kinds.

use super::annotation::{Annotations, Assertion, CLAUSES, DOUBLE, REFUSED, Reader};
use super::lexer::Kind;
use super::{ASSERTION, Meaning};
use hardbop_base::source::{Diagnostic, DiagnosticKind, Span};

impl Reader<'_> {
    /// Reads the clauses of a contract, as far as they can be read, and the kinds of others.
    pub(super) fn contract(&self, out: &mut Annotations) -> Result<(), Diagnostic> {
        self.kinds()?;
        let mut in_behavior = false;
        let mut begin = 0;
        while begin < self.tokens.len() {
            // There are semicolons within quantified predicates, too.
            let ends = |&i: &usize| {
                let is_last = i + 1 == self.tokens.len();
                self.get(i) == ";" && (is_last || CLAUSES.contains(&self.get(i + 1)))
            };
            let end = (begin..self.tokens.len()).find(ends);
            let word = self.get(begin);
            // What follows is said of some calls only.
            in_behavior |= word == "behavior";
            let meaning = match word {
                "requires" => Some(Meaning::Requires),
                "ensures" => Some(Meaning::Ensures),
                "assigns" => Some(Meaning::Assigns),
                _ => None,
            };
            match meaning.filter(|_| !in_behavior) {
                Some(meaning) => {
                    let Some(end) = end else {
                        let message = format!("'{word}' without an end");
                        return Err(self.syntax(begin, &message, "write ';' behind it"));
                    };
                    self.clause(meaning, begin, end, out)?;
                }
                None if in_behavior => {
                    out.unchecked.push(("'behavior'".to_owned(), self.span(begin)))
                }
                None => {
                    let next = self.get(begin + 1);
                    let double = DOUBLE.contains(&word) && self.kind(begin + 1) == Some(Kind::Word);
                    let kind =
                        if double { format!("'{word} {next}'") } else { format!("'{word}'") };
                    out.unchecked.push((kind, self.span(begin)));
                }
            }
            begin = end.map_or(self.tokens.len(), |end| end + 1);
        }
        Ok(())
    }

    /// The clause of the tokens `begin..=end`, of which the last one is its semicolon.
    fn clause(
        &self,
        meaning: Meaning,
        begin: usize,
        end: usize,
        out: &mut Annotations,
    ) -> Result<(), Diagnostic> {
        let mut first = begin + 1;
        // Names of clauses say nothing.
        while self.kind(first) == Some(Kind::Word) && self.get(first + 1) == ":" {
            first += 2;
        }
        let word = self.get(begin);
        let read = match meaning {
            // Of what a preprocessor cannot pass, only the word is left.
            _ if first >= end => {
                let kind =
                    format!("'{word}' that is empty, or has signs that no preprocessor passes on");
                Err((kind, self.span(begin)))
            }
            Meaning::Assigns => self.refusable(word, self.assigns(begin, (first, end)))?,
            _ => self.refusable(word, self.predicate(meaning, begin, (first, end)))?,
        };
        match read {
            Ok(clause) => out.assertions.push(clause),
            Err(kind) if meaning == Meaning::Assigns => {
                out.unchecked.push(kind);
                out.assertions.push(self.list(Meaning::Anything, begin, &[], end));
            }
            Err(kind) => match self.understood_part(meaning, begin, (first, end), out)? {
                Some(clause) => out.assertions.push(clause),
                None => out.unchecked.push(kind),
            },
        }
        Ok(())
    }

    /// What is understood of a predicate that joins others by `&&`, each of which is claimed; says what is not.
    fn understood_part(
        &self,
        meaning: Meaning,
        begin: usize,
        (first, end): (usize, usize),
        out: &mut Annotations,
    ) -> Result<Option<Assertion>, Diagnostic> {
        let (start, semicolon) = (self.tokens[begin].start, self.tokens[end]);
        let (mut edits, mut parts, mut kinds) = (vec![], vec![], vec![]);
        let (before, behind) = meaning.around();
        for (from, to) in self.conjuncts(first, end) {
            let mut own = vec![];
            match self.written(meaning, (from, to), &mut own) {
                Ok(_) if from < to => {
                    let call = format!("{before}{ASSERTION}({}, ", meaning as u8);
                    match parts.is_empty() {
                        true => edits.push((start, self.tokens[from].start, call)),
                        false => {
                            parts.push((self.tokens[from - 1].start, self.tokens[from - 1].end))
                        }
                    }
                    edits.append(&mut own);
                    parts.extend(self.tokens[from..to].iter().map(|t| (t.start, t.end)));
                }
                Ok(_) => return Ok(None),
                Err(refused) if refused.kind == DiagnosticKind::Unsupported => {
                    let what = refused.message.trim_end_matches(REFUSED);
                    kinds.push((format!("'{}' with {what}", self.get(begin)), refused.span));
                }
                Err(wrong) => return Err(wrong),
            }
        }
        if parts.is_empty() {
            return Ok(None);
        }
        edits.push((semicolon.start, semicolon.start, ")".to_owned()));
        edits.push((semicolon.end, semicolon.end, behind.to_owned()));
        parts.push((semicolon.start, semicolon.end));
        out.unchecked.append(&mut kinds);
        Ok(Some(Assertion { span: Span::new(start, semicolon.end), meaning, parts, edits }))
    }

    /// The predicates that the tokens `first..end` join by `&&`: one, if they join them in another way.
    fn conjuncts(&self, first: usize, end: usize) -> Vec<(usize, usize)> {
        const OTHERS: [&str; 9] = ["||", "==>", "<==>", "^^", "?", ":", "-->", "<-->", ","];
        let (mut all, mut from, mut depth) = (vec![], first, 0_usize);
        for i in first..end {
            match self.get(i) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                // What follows belongs to it.
                "\\forall" | "\\exists" | "\\let" if depth == 0 => break,
                word if depth == 0 && OTHERS.contains(&word) => return vec![(first, end)],
                "&&" if depth == 0 => {
                    all.push((from, i));
                    from = i + 1;
                }
                _ => {}
            }
        }
        all.push((from, end));
        all
    }

    /// What was read; or the kind of an annotation that is not supported, with its place.
    fn refusable(
        &self,
        word: &str,
        read: Result<Assertion, Diagnostic>,
    ) -> Result<Result<Assertion, (String, Span)>, Diagnostic> {
        match read {
            Ok(clause) => Ok(Ok(clause)),
            Err(refused) if refused.kind == DiagnosticKind::Unsupported => {
                let what = refused.message.trim_end_matches(REFUSED);
                Ok(Err((format!("'{word}' with {what}"), refused.span)))
            }
            Err(wrong) => Err(wrong),
        }
    }

    /// `assigns \nothing;`, or a list of places.
    fn assigns(&self, begin: usize, (first, end): (usize, usize)) -> Result<Assertion, Diagnostic> {
        // What the new values come from does not matter.
        let last = (first..end).find(|&i| self.get(i) == "\\from").unwrap_or(end);
        let mut places: Vec<(usize, usize)> = vec![];
        let (mut depth, mut start) = (0_usize, first);
        for i in first..=last {
            match self.get(i) {
                "(" | "[" if i < last => depth += 1,
                ")" | "]" if i < last => depth = depth.saturating_sub(1),
                "," if depth > 0 => {}
                _ if i < last && self.get(i) != "," => {}
                _ => {
                    places.push((start, i));
                    start = i + 1;
                }
            }
        }
        let is =
            |&(from, to): &(usize, usize), word: &str| to == from + 1 && self.get(from) == word;
        if let [only] = places.as_slice()
            && is(only, "\\nothing")
        {
            places.clear();
        }
        // The result is any value in any case.
        places.retain(|place| !is(place, "\\result"));
        if let Some(&(at, _)) = places.iter().find(|(from, to)| from >= to) {
            return Err(self.syntax(
                at,
                "a place is missing",
                "write '\\nothing', or a list of places",
            ));
        }
        let mut list = self.list(Meaning::Assigns, begin, &places, end);
        for &place in &places {
            self.written(Meaning::Assigns, place, &mut list.edits)?;
            list.parts.extend(self.tokens[place.0..place.1].iter().map(|t| (t.start, t.end)));
        }
        list.parts.sort_unstable();
        Ok(list)
    }

    /// A clause with a list of places, which are still to be written.
    fn list(
        &self,
        meaning: Meaning,
        begin: usize,
        places: &[(usize, usize)],
        end: usize,
    ) -> Assertion {
        let start = self.tokens[begin].start;
        let semicolon = self.tokens[end];
        let (before, behind) = meaning.around();
        let mut edits = vec![];
        let (mut at, mut words) = (start, format!("{before}{ASSERTION}({}", meaning as u8));
        for &(from, to) in places {
            edits.push((at, self.tokens[from].start, format!("{words}, ")));
            (at, words) = (self.tokens[to - 1].end, String::new());
        }
        edits.push((at, semicolon.start, format!("{words})")));
        edits.push((semicolon.end, semicolon.end, behind.to_owned()));
        let parts = vec![(semicolon.start, semicolon.end)];
        Assertion { span: Span::new(start, semicolon.end), meaning, parts, edits }
    }
}
