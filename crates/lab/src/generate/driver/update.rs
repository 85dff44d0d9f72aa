//! Assignments: to single predicates, and to exclusive groups.

use super::body::{Body, Symbol};

impl Body<'_> {
    /// Assigns one to three variables in parallel.
    pub(super) fn update(&mut self) {
        let free: Vec<Symbol> =
            self.writable.iter().copied().filter(|s| !self.pinned.contains(s)).collect();
        let count = self.random.range(1, 3);
        let targets = self.random.sample(&free, count);
        if targets.is_empty() {
            return self.line("skip;");
        }
        let names: Vec<String> = targets.iter().map(|&s| self.name(s)).collect();
        let values: Vec<String> = targets.iter().map(|_| self.value()).collect();
        self.line(&format!("{} := {};", names.join(", "), values.join(", ")));
        targets.into_iter().for_each(|s| self.wrote(s));
    }

    /// Assigns an exclusive group, keeping it exclusive.
    pub(super) fn update_group(&mut self) {
        let Some(group) = self.free_group() else { return self.update() };
        let members = &self.model.groups[group].members;
        let names: Vec<String> = members.iter().map(|&v| self.name(Symbol::Global(v))).collect();
        for &v in members {
            self.info.writes.insert(v);
        }
        match self.random.weighted(&[5, 2, 2, if self.enforced { 6 } else { 0 }]) {
            // Only one value may be forced to T, the others can be F, so the constraint can be met.
            0 => {
                let forced = self.random.below(names.len() + 1);
                let values: Vec<String> = (0..names.len())
                    .map(|i| if i == forced { self.value() } else { self.value_or_false() })
                    .collect();
                let constraint = self.at_most_one(group, true);
                self.line(&format!(
                    "{} := {} constrain {constraint};",
                    names.join(", "),
                    values.join(", ")
                ));
            }
            1 => {
                let one = self.random.below(names.len() + 1);
                let values: Vec<&str> =
                    (0..names.len()).map(|i| if i == one { "T" } else { "F" }).collect();
                self.line(&format!("{} := {};", names.join(", "), values.join(", ")));
            }
            2 => {
                let mut values = names.clone();
                values.rotate_left(1);
                self.line(&format!("{} := {};", names.join(", "), values.join(", ")));
            }
            // The enforced condition excludes bad combinations; F is always possible.
            _ => {
                let count = self.random.range(1, names.len());
                let targets = &names[..count];
                let values: Vec<String> = (0..count).map(|_| self.value_or_false()).collect();
                self.line(&format!("{} := {};", targets.join(", "), values.join(", ")));
            }
        }
    }

    /// Makes exactly one, arbitrary member of a group true.
    pub(super) fn choose_one(&mut self, group: usize) {
        let members = &self.model.groups[group].members;
        let names: Vec<String> = members.iter().map(|&v| self.name(Symbol::Global(v))).collect();
        for &v in members {
            self.info.writes.insert(v);
        }
        let next: Vec<String> = names.iter().map(|n| format!("'{n}")).collect();
        let exclusive = self.at_most_one(group, true);
        self.line(&format!(
            "{} := {} constrain (({}) & {exclusive});",
            names.join(", "),
            vec!["*"; names.len()].join(", "),
            next.join(" | "),
        ));
    }

    /// An exclusive group that may be written now.
    pub(super) fn free_group(&mut self) -> Option<usize> {
        let free: Vec<usize> = self
            .exclusive
            .iter()
            .copied()
            .filter(|&g| {
                let members = &self.model.groups[g].members;
                members.iter().all(|&v| !self.pinned.contains(&Symbol::Global(v)))
            })
            .collect();
        self.random.pick(&free)
    }
}
