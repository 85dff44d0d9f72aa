//! A reader of the part of SMV that is written here, after the manual of NuSMV, into a circuit that
//! can be searched.  It knows nothing of the library.

use std::collections::HashMap;

use super::circuit::Circuit;

/// Words that no variable may be called, from the manual.
const RESERVED: &str = "MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC CTLSPEC \
    LTLSPEC PSLSPEC COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN CONSTRAINT SIMPWFF \
    CTLWFF LTLWFF PSLWFF COMPWFF IN MIN MAX MIRROR PRED PREDICATES process array of boolean integer real \
    word word1 bool signed unsigned extend resize sizeof uwconst swconst EX AX EF AF EG AG E F O G H X Y \
    Z A U S V T BU EBF ABF EBG ABG case esac mod next init union in xor xnor self TRUE FALSE count";

/// A model: variables, and expressions that have not been read yet.
#[derive(Default)]
struct Model<'a> {
    variables: Vec<&'a str>,
    definitions: HashMap<&'a str, Vec<&'a str>>,
    init: HashMap<&'a str, Vec<&'a str>>,
    next: HashMap<&'a str, Vec<&'a str>>,
    invariants: Vec<Vec<&'a str>>,
}

/// The circuit whose bad states are those that break the invariant.
pub fn read(text: &str) -> Circuit {
    let tokens: Vec<&str> =
        text.lines().flat_map(|line| words(line.split("--").next().unwrap_or_default())).collect();
    let model = model(&tokens);
    let mut reader = Reader { circuit: Circuit::default(), values: HashMap::new(), model: &model };
    for &name in &model.variables {
        let literal = match model.next.contains_key(name) {
            true => reader.circuit.latch(),
            false => reader.circuit.input(),
        };
        assert!(reader.values.insert(name, literal).is_none(), "{name} is there twice");
    }
    for (name, next) in &model.next {
        assert_eq!(model.init[name], ["FALSE"], "circuits start with 0");
        let next = reader.expression(next);
        let state = reader.values[name];
        reader.circuit.next(state, next);
    }
    let [invariant] = &model.invariants[..] else { panic!("one invariant: {text}") };
    let holds = reader.expression(invariant);
    reader.circuit.bad(holds ^ 1);
    reader.circuit
}

/// The tokens of a line.
fn words(line: &str) -> Vec<&str> {
    let is_inner = |c: char| c.is_ascii_alphanumeric() || "_$#-".contains(c);
    let (mut out, mut rest) = (vec![], line.trim_start());
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphabetic() || first == '_' {
            rest.find(|c| !is_inner(c)).unwrap_or(rest.len())
        } else if rest.starts_with(":=") {
            2
        } else {
            assert!("!&|:;()".contains(first), "{line}");
            1
        };
        out.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    out
}

fn model<'a>(tokens: &[&'a str]) -> Model<'a> {
    let mut model = Model::default();
    let ["MODULE", "main", rest @ ..] = tokens else { panic!("{tokens:?}") };
    let (mut rest, mut section) = (rest, "");
    while let [first, behind @ ..] = rest {
        if ["VAR", "DEFINE", "ASSIGN"].contains(first) {
            (section, rest) = (first, behind);
            continue;
        }
        let end = rest.iter().position(|&t| t == ";").expect("a semicolon");
        let (line, behind) = (&rest[..end], &rest[end + 1..]);
        rest = behind;
        let place = match (section, line) {
            (_, ["INVARSPEC", invariant @ ..]) => {
                section = "";
                model.invariants.push(invariant.to_vec());
                continue;
            }
            ("VAR", [name, ":", "boolean"]) => {
                assert!(!RESERVED.split_whitespace().any(|w| w == *name), "{name}");
                model.variables.push(name);
                continue;
            }
            ("DEFINE", [name, ":=", value @ ..]) => (&mut model.definitions, name, value),
            ("ASSIGN", ["init", "(", name, ")", ":=", value @ ..]) => {
                (&mut model.init, name, value)
            }
            ("ASSIGN", ["next", "(", name, ")", ":=", value @ ..]) => {
                (&mut model.next, name, value)
            }
            _ => panic!("{section}: {line:?}"),
        };
        let (map, name, value) = place;
        assert!(map.insert(name, value.to_vec()).is_none(), "{name} is there twice");
    }
    model
}

struct Reader<'m, 'a> {
    circuit: Circuit,
    /// Literals of variables, and of the definitions so far.
    values: HashMap<&'a str, usize>,
    model: &'m Model<'a>,
}

impl<'a> Reader<'_, 'a> {
    fn expression(&mut self, tokens: &[&'a str]) -> usize {
        let (mut value, mut rest) = self.conjunction(tokens);
        while let ["|", behind @ ..] = rest {
            let (right, after) = self.conjunction(behind);
            value = self.circuit.and(value ^ 1, right ^ 1) ^ 1;
            rest = after;
        }
        assert!(rest.is_empty(), "{rest:?}");
        value
    }

    fn conjunction<'t>(&mut self, tokens: &'t [&'a str]) -> (usize, &'t [&'a str]) {
        let (mut value, mut rest) = self.operand(tokens);
        while let ["&", behind @ ..] = rest {
            let (right, after) = self.operand(behind);
            value = self.circuit.and(value, right);
            rest = after;
        }
        (value, rest)
    }

    fn operand<'t>(&mut self, tokens: &'t [&'a str]) -> (usize, &'t [&'a str]) {
        match tokens {
            ["!", rest @ ..] => {
                let (value, rest) = self.operand(rest);
                (value ^ 1, rest)
            }
            ["FALSE", rest @ ..] => (0, rest),
            ["TRUE", rest @ ..] => (1, rest),
            [name, rest @ ..] => (self.value(name), rest),
            [] => panic!("an operand is missing"),
        }
    }

    fn value(&mut self, name: &'a str) -> usize {
        if let Some(&value) = self.values.get(name) {
            return value;
        }
        let model = self.model;
        let value = self.expression(model.definitions.get(name).expect(name));
        self.values.insert(name, value);
        value
    }
}
