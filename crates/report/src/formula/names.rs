//! Variables of the automata as a C programmer would call them.

use std::collections::HashMap;

use hardbop_smt::{Node, Symbol, Term, Terms};

/// A variable's name, taken apart.
struct Name<'a> {
    /// The function; none for a global variable.
    function: Option<&'a str>,
    /// Variable and field.
    own: String,
    /// The activation of its function that it belongs to, from 1, where each has its own.
    activation: u32,
}

impl<'a> Name<'a> {
    fn of(text: &'a str) -> Self {
        Self::of_cell(text).unwrap_or_else(|| Self::of_variable(text))
    }

    /// The name of a variable that tells which one of many is tracked (`c::lower::Model::OneCell`).
    fn of_cell(text: &'a str) -> Option<Self> {
        let (object, kind) = text.rsplit_once('/')?;
        let end = kind.find(['@', '.', '[']).unwrap_or(kind.len());
        let what = match &kind[..end] {
            "index" => "index in",
            "end" => "end of text in",
            "seen" => "tracked cell was read last of",
            "picked" => "allocated:",
            "recent" => "read last of",
            _ => return None,
        };
        let field = if kind[end..].starts_with('@') { "" } else { &kind[end..] };
        let own = format!("({what} {}){field}", Self::of_variable(object).with_function());
        Some(Self { function: None, own, activation: 1 })
    }

    fn of_variable(text: &'a str) -> Self {
        let copy = text.rsplit_once('#').and_then(|(rest, n)| Some((rest, n.parse::<u32>().ok()?)));
        let (rest, activation) = copy.map_or((text, 1), |(rest, n)| (rest, n + 1));
        let (function, own) = match rest.split_once("::") {
            Some((function, own)) => (Some(function), own),
            None => (None, rest),
        };
        match own.strip_prefix("new@") {
            Some(block) => {
                let digits =
                    block.len() - block.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                let (line, rest) = block.split_at(digits);
                let (round, field) = match rest.strip_prefix('/') {
                    Some(rest) => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
                    None => ("", rest),
                };
                let own = match round {
                    "" => format!("(*allocated in line {line}){field}"),
                    "count" => format!("(number allocated in line {line})"),
                    _ => format!("(*allocated in line {line}, number {round}){field}"),
                };
                Self { function: None, own, activation }
            }
            None => Self { function, own: own.to_owned(), activation },
        }
    }

    fn with_function(&self) -> String {
        match self.function {
            Some(function) => format!("{function}::{}", self.own),
            None => self.own.clone(),
        }
    }
}

/// An object's name, as the names of its variables begin.
pub fn object_name(name: &str) -> String {
    Name::of(name).with_function()
}

/// Names for the variables of a formula, different for different variables.  Locals of `function`,
/// to which the formula belongs, go by their own name where nothing else has it.
pub fn names(terms: &Terms, formula: Term, function: Option<&str>) -> HashMap<Symbol, String> {
    let symbols = terms.support(formula).into_iter().filter_map(|leaf| match *terms.node(leaf) {
        Node::Variable(s) | Node::Instance(s, _) => Some(s),
        _ => None,
    });
    let parsed: Vec<(Symbol, Name)> = symbols.map(|s| (s, Name::of(terms.name(s)))).collect();
    let short = |name: &Name| {
        let hides = terms.find_symbol(&name.own).is_some();
        if name.function == function && !hides { name.own.clone() } else { name.with_function() }
    };
    let mut uses: HashMap<String, u32> = HashMap::new();
    parsed.iter().for_each(|(_, name)| *uses.entry(short(name)).or_default() += 1);
    parsed
        .iter()
        .map(|(symbol, name)| {
            let text = short(name);
            let text = match uses[&text] {
                1 => text,
                _ => format!("{} (activation {})", name.with_function(), name.activation),
            };
            (*symbol, text)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardbop_smt::Sort;

    fn shown(all: &[&str], function: Option<&str>) -> Vec<String> {
        let mut terms = Terms::new();
        let symbols: Vec<Symbol> = all.iter().map(|n| terms.symbol(n, Sort::Bool)).collect();
        let leaves: Vec<Term> = symbols.iter().map(|&s| terms.variable(s)).collect();
        let formula = terms.and(&leaves);
        let names = names(&terms, formula, function);
        symbols.iter().map(|s| names[s].clone()).collect()
    }

    #[test]
    fn names_are_short_and_different() {
        let all = ["f::i", "g::i", "x.a", "main::new@12.state"];
        let found = shown(&all, Some("f"));
        assert_eq!(found, ["i", "g::i", "x.a", "(*allocated in line 12).state"]);
        let all = ["main::new@12/3.state", "main::new@12/count", "main::new@12/2[0].x"];
        let numbered =
            ["number 3).state", "number 2)[0].x"].map(|n| format!("(*allocated in line 12, {n}"));
        let [third, second] = numbered;
        assert_eq!(shown(&all, None), [&third, "(number allocated in line 12)", &second]);
        let all = ["f::a/index@0", "f::a/seen", "main::new@12/1/picked", "a/recent[].x"];
        let names = [
            "(index in f::a)",
            "(tracked cell was read last of f::a)",
            "(allocated: (*allocated in line 12, number 1))",
            "(read last of a)[].x",
        ];
        assert_eq!(shown(&all, Some("f")), names);
        assert_eq!(shown(&["f::i#1"], Some("f")), ["i"]);
        let found = shown(&["f::i", "f::i#1"], Some("f"));
        assert_eq!(found, ["f::i (activation 1)", "f::i (activation 2)"]);
        assert_eq!(shown(&["x", "f::x"], Some("f")), ["x", "f::x"]);
        assert_eq!(shown(&["f::x"], None), ["f::x"]);
    }
}
