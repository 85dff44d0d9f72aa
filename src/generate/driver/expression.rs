//! Random conditions over the variables in scope.  Always with all parentheses, for dialects
//! disagree on precedence.

use super::body::Body;

impl Body<'_> {
    /// A condition without `*`, of at most `depth` levels of operators.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(35) {
            let Some(symbol) = self.random.pick(&self.readable) else { return "T".to_owned() };
            let name = self.name(symbol);
            return if self.random.chance(30) { format!("!{name}") } else { name };
        }
        let operator = ["&", "|", "&", "|", "^", "=", "=>"][self.random.below(7)];
        let left = self.condition(depth - 1);
        let right = self.condition(depth - 1);
        format!("({left} {operator} {right})")
    }

    /// The condition of a branch: known, or unknown to the abstraction.
    pub(super) fn guard_condition(&mut self) -> String {
        if self.random.chance(35) { "*".to_owned() } else { self.condition(2) }
    }

    /// The value of an assignment or an argument.
    pub(super) fn value(&mut self) -> String {
        match self.random.weighted(&[3, 4, 4, 1]) {
            0 => "*".to_owned(),
            1 => {
                let (positive, negative) = (self.condition(1), self.condition(1));
                format!("schoose[{positive}, (!{positive} & {negative})]")
            }
            2 => self.condition(2),
            _ => if self.random.chance(50) { "T" } else { "F" }.to_owned(),
        }
    }

    /// A value that can be F, whatever the state.
    pub(super) fn value_or_false(&mut self) -> String {
        match self.random.below(3) {
            0 => "*".to_owned(),
            1 => format!("schoose[F, {}]", self.condition(1)),
            _ => "F".to_owned(),
        }
    }

    /// At most one member of the group is true, before (or after) the assignment.
    pub(super) fn at_most_one(&self, group: usize, next: bool) -> String {
        let quote = if next { "'" } else { "" };
        let names: Vec<String> = self.model.groups[group]
            .members
            .iter()
            .map(|&v| format!("{quote}{}", self.model.names[v]))
            .collect();
        let mut conjuncts = Vec::new();
        for (i, a) in names.iter().enumerate() {
            conjuncts.extend(names[i + 1..].iter().map(|b| format!("!({a} & {b})")));
        }
        format!("({})", conjuncts.join(" & "))
    }
}
