//! The values of variables while a block is encoded.

use rustc_hash::FxHashMap;

use super::liveness::Frame;
use crate::engine::symbolic::state::Valuation;
use crate::language::program::VarId;
use hardbop_logic::{Aig, Input, Lit};

/// Inputs that choose which parts of a program count.
#[derive(Debug)]
pub struct Switches {
    /// A variable that is read while its switch is off may have any value.
    pub variables: FxHashMap<VarId, Input>,
    /// The switch of facts: while it is off, they are ignored.
    pub facts: Input,
}

/// Maps variables to their ω; a variable that was left out may have any value.
pub struct Values<'a> {
    frame: &'a Frame,
    switches: Option<&'a Switches>,
    before: &'a [Lit],
    /// The new values, for `'x`.
    pub after: &'a [Lit],
    unknown: FxHashMap<(VarId, bool), Lit>,
    choices: &'a mut Vec<Input>,
}

impl<'a> Values<'a> {
    pub fn new(
        frame: &'a Frame,
        switches: Option<&'a Switches>,
        before: &'a [Lit],
        choices: &'a mut Vec<Input>,
    ) -> Self {
        Self { frame, switches, before, after: before, unknown: FxHashMap::default(), choices }
    }

    fn value(&mut self, aig: &mut Aig, v: VarId, next: bool) -> Lit {
        let known = self.frame.slot(v).map(|s| if next { self.after[s] } else { self.before[s] });
        let switch = self.switches.and_then(|s| s.variables.get(&v)).map(|&s| aig.input(s));
        match (known, switch) {
            (Some(known), None) => known,
            (None, _) => self.unknown(aig, v, next),
            (Some(known), Some(switch)) => {
                let unknown = self.unknown(aig, v, next);
                aig.ite(switch, known, unknown)
            }
        }
    }

    /// An arbitrary value, but the same at each occurrence in one expression.
    fn unknown(&mut self, aig: &mut Aig, v: VarId, next: bool) -> Lit {
        if let Some(&lit) = self.unknown.get(&(v, next)) {
            return lit;
        }
        let lit = self.choice(aig);
        self.unknown.insert((v, next), lit);
        lit
    }
}

impl Valuation for Values<'_> {
    fn read(&mut self, aig: &mut Aig, v: VarId) -> Lit {
        self.value(aig, v, false)
    }

    fn next(&mut self, aig: &mut Aig, v: VarId) -> Lit {
        self.value(aig, v, true)
    }

    fn choice(&mut self, aig: &mut Aig) -> Lit {
        let input = aig.new_input();
        self.choices.push(input);
        aig.input(input)
    }
}
