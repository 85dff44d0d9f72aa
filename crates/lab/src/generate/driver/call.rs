//! Calls of other procedures of the driver.

use super::body::{Body, Symbol};
use super::plan::Role;

impl Body<'_> {
    /// Calls a random callee, if one may be called now.
    pub(super) fn any_call(&mut self) {
        // `main` calls children from its loop; completers are called to settle requests.
        let candidates: Vec<usize> = self
            .plan
            .others
            .iter()
            .chain(&self.plan.children)
            .copied()
            .filter(|&c| !matches!(self.plans[c].role, Role::Completer { .. }))
            .filter(|&c| self.may_call(c))
            .collect();
        match self.random.pick(&candidates) {
            Some(callee) => self.call(callee),
            None => self.update(),
        }
    }

    /// Whether the callee uses nothing that is in use here.
    pub(super) fn may_call(&self, callee: usize) -> bool {
        let info = &self.infos[callee];
        self.open.iter().all(|(r, _)| !info.uses.contains(r))
            && self.pinned.iter().all(|s| match s {
                Symbol::Global(v) => !info.writes.contains(v),
                Symbol::Local(_) => true,
            })
    }

    /// Calls `callee`, which must be allowed now ([`may_call`](Self::may_call)).  Drops some
    /// values.
    pub(super) fn call(&mut self, callee: usize) {
        self.call_into(callee, None);
    }

    /// Writes a call with a given target for the first value.
    pub(super) fn call_into(&mut self, callee: usize, first: Option<Symbol>) {
        let plan = &self.plans[callee];
        let arguments: Vec<String> = (0..plan.formals).map(|_| self.value()).collect();
        let mut free: Vec<Symbol> =
            self.writable.iter().copied().filter(|s| !self.pinned.contains(s)).collect();
        self.random.shuffle(&mut free);
        let mut targets: Vec<String> = Vec::new();
        for i in 0..plan.returns {
            let target = match first {
                Some(symbol) if i == 0 => Some(symbol),
                _ if self.random.chance(20) => None,
                _ => free.pop(),
            };
            targets.push(target.map_or_else(|| "_".to_owned(), |s| self.name(s)));
            target.into_iter().for_each(|s| self.wrote(s));
        }
        let call = format!("{}({});", plan.name, arguments.join(", "));
        if targets.is_empty() {
            self.line(&call);
        } else {
            self.line(&format!("{} := {call}", targets.join(", ")));
        }
        let info = &self.infos[callee];
        self.info.uses.extend(info.uses.iter().copied());
        self.info.writes.extend(info.writes.iter().copied());
    }
}
