//! Random conditions over the variables in scope.  Always fully parenthesised, since dialects
//! disagree on precedence.

use super::body::Body;

impl Body<'_> {
    /// A condition without `*`, with at most `depth` levels of operators.  As in SLAM's output,
    /// most are literals and conjunctions of literals.
    pub(super) fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(55) {
            return self.literal();
        }
        let operator = ["&", "|", "^", "=", "=>"][self.random.weighted(&[9, 6, 1, 2, 2])];
        let left = self.condition(depth - 1);
        let right = self.condition(depth - 1);
        format!("({left} {operator} {right})")
    }

    /// A variable or its negation.
    fn literal(&mut self) -> String {
        let Some(symbol) = self.random.pick(&self.readable) else { return "T".to_owned() };
        let name = self.name(symbol);
        if self.random.chance(35) { format!("!{name}") } else { name }
    }

    /// The condition of a branch: `*` if the abstraction does not know it.
    pub(super) fn guard_condition(&mut self) -> String {
        if self.random.chance(45) { "*".to_owned() } else { self.condition(2) }
    }

    /// The value of an assignment or an argument: unknown, a constant, or a condition on other
    /// predicates, as in an abstraction of a C statement.
    pub(super) fn value(&mut self) -> String {
        match self.random.weighted(&[8, 7, 5, 3, 2]) {
            0 => "*".to_owned(),
            1 => if self.random.chance(50) { "T" } else { "F" }.to_owned(),
            2 => {
                let positive = self.literal();
                let negative = self.condition(1);
                format!("schoose[{positive}, (!{positive} & {negative})]")
            }
            3 => self.literal(),
            _ => self.condition(2),
        }
    }

    /// A value that can be F in every state.
    pub(super) fn value_or_false(&mut self) -> String {
        match self.random.below(3) {
            0 => "*".to_owned(),
            1 => format!("schoose[F, {}]", self.literal()),
            _ => "F".to_owned(),
        }
    }

    /// The condition that at most one member of the group is true, before (or, if `next`, after)
    /// the assignment.
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
