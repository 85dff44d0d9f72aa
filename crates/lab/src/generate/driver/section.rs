//! Critical sections, and settling requests.
//!
//! Invariant: after a section its lock is free, as before.

use super::body::{Body, NESTING, RequestFrame, Resource, Symbol};
use super::hooks;

impl Body<'_> {
    /// A section of some lock that is not in use here.
    pub(super) fn section(&mut self, depth: usize) {
        let free: Vec<usize> = (0..self.model.locks.len())
            .filter(|&l| self.open.iter().all(|&(r, _)| r != Resource::Lock(l)))
            .collect();
        // A procedure uses few locks: those close to its number of predicates.
        let few: Vec<usize> = free
            .iter()
            .copied()
            .filter(|l| !(l + self.plan.groups.len()).is_multiple_of(3))
            .collect();
        let Some(lock) = self.random.pick(if few.is_empty() { &free } else { &few }) else {
            return self.update();
        };
        self.info.uses.insert(Resource::Lock(lock));
        if self.model.locks[lock].shadow.is_some() {
            return self.shadow_section(lock, depth);
        }
        let by_group = if self.free_group().is_some() { 4 } else { 0 };
        match self.random.weighted(&[2, 4, 3, 3, by_group]) {
            0 => self.plain_section(lock, depth),
            1 => self.guarded_section(lock, depth),
            2 => self.try_section(lock, depth),
            3 => self.retry_section(lock, depth),
            _ => self.group_section(lock, depth),
        }
    }

    fn acquire(&mut self, lock: usize) {
        self.line(&format!("{}_{lock}();", hooks::ACQUIRE));
    }

    fn release(&mut self, lock: usize) {
        self.line(&format!("{}_{lock}();", hooks::RELEASE));
    }

    /// `if (condition) then <f> fi;`
    fn only_if(&mut self, condition: &str, f: impl FnOnce(&mut Self)) {
        self.line(&format!("if ({condition}) then"));
        self.indented(f);
        self.line("fi;");
    }

    /// The inside of a section: a block with the lock in use, in which `pins` are not written.
    fn inside(&mut self, lock: usize, pins: &[Symbol], depth: usize) {
        self.within(lock, pins, false, depth);
    }

    fn within(&mut self, lock: usize, pins: &[Symbol], may_leave: bool, depth: usize) {
        let before = self.pinned.len();
        self.pinned.extend_from_slice(pins);
        self.open.push((Resource::Lock(lock), may_leave));
        self.block(depth);
        self.open.pop();
        self.pinned.truncate(before);
    }

    fn plain_section(&mut self, lock: usize, depth: usize) {
        self.acquire(lock);
        self.inside(lock, &[], depth);
        self.release(lock);
    }

    /// Acquires and releases under the same predicate.
    fn guarded_section(&mut self, lock: usize, depth: usize) {
        let free: Vec<Symbol> =
            self.readable.iter().copied().filter(|s| !self.pinned.contains(s)).collect();
        let Some(guard) = self.random.pick(&free) else {
            return self.plain_section(lock, depth);
        };
        let name = self.name(guard);
        let condition = if self.random.chance(30) { format!("!{name}") } else { name };
        self.only_if(&condition, |s| s.acquire(lock));
        self.inside(lock, &[guard], depth);
        self.only_if(&condition, |s| s.release(lock));
    }

    /// Releases if the attempt to acquire succeeded.
    fn try_section(&mut self, lock: usize, depth: usize) {
        let got = self.guard("got");
        let (name, wait) = (self.name(got), self.value());
        self.line(&format!("{name} := {}_{lock}({wait});", hooks::TRY_ACQUIRE));
        self.inside(lock, &[got], depth);
        self.only_if(&name, |s| s.release(lock));
    }

    /// The loop of SLAM's running example: repeats if the lock had to be released inside.
    fn retry_section(&mut self, lock: usize, depth: usize) {
        let guard = match self.free_writable() {
            Some(flag) if self.random.chance(50) => flag,
            _ => self.guard("same"),
        };
        let name = self.name(guard);
        self.wrote(guard);
        let label = self.label("Again");
        self.line(&format!("{label}: skip;"));
        self.acquire(lock);
        self.line(&format!("{name} := T;"));
        self.inside(lock, &[guard], depth);
        self.only_if("*", |s| {
            s.release(lock);
            s.update();
            s.line(&format!("{name} := F;"));
        });
        self.only_if(&format!("!{name}"), |s| s.line(&format!("goto {label};")));
        self.release(lock);
    }

    /// Acquires if the first of some exclusive predicates holds, releases unless another does.
    fn group_section(&mut self, lock: usize, depth: usize) {
        let Some(group) = self.free_group() else { return self.plain_section(lock, depth) };
        let members: Vec<Symbol> =
            self.model.groups[group].members.iter().map(|&v| Symbol::Global(v)).collect();
        self.choose_one(group);
        let first = self.name(members[0]);
        let others: Vec<String> = members[1..].iter().map(|&s| self.name(s)).collect();
        self.only_if(&first, |s| s.acquire(lock));
        self.inside(lock, &members, depth);
        self.only_if(&format!("!({})", others.join(" | ")), |s| s.release(lock));
    }

    /// Writes a section around a shadow: any code may consult it to see whether the lock is held,
    /// and so does the exit.
    fn shadow_section(&mut self, lock: usize, depth: usize) {
        let Some(shadow) = self.model.locks[lock].shadow else {
            return self.plain_section(lock, depth);
        };
        let name = self.name(Symbol::Global(shadow));
        self.info.writes.insert(shadow);
        let condition = self.guard_condition();
        self.only_if(&condition, |s| {
            s.acquire(lock);
            s.line(&format!("{name} := T;"));
        });
        self.cleanup.insert(lock);
        self.within(lock, &[], true, depth);
        self.release_if_shadow(lock);
    }

    /// Releases if the shadow says that the lock is held.
    pub(super) fn release_if_shadow(&mut self, lock: usize) {
        let Some(shadow) = self.model.locks[lock].shadow else { return };
        let name = self.name(Symbol::Global(shadow));
        self.only_if(&name, |s| {
            s.release(lock);
            s.line(&format!("{name} := F;"));
        });
    }

    /// The section at the end of the spine: lock 0 and two branches, both with a release or, with
    /// the bug, only one.
    pub(super) fn forgetful_section(&mut self, bug: bool) {
        self.info.uses.insert(Resource::Lock(0));
        let guard = self.guard("failed");
        let name = self.name(guard);
        self.line(&format!("{name} := *;"));
        self.acquire(0);
        self.inside(0, &[guard], NESTING - 1);
        self.line(&format!("if ({name}) then"));
        self.indented(|s| {
            s.update();
            if !bug {
                s.release(0);
            }
        });
        self.line("else");
        self.indented(|s| {
            s.update();
            s.release(0);
        });
        self.line("fi;");
    }

    /// Completes the request or marks it pending; a completer may also leave that to its caller.
    pub(super) fn settle_request(&mut self, frame: RequestFrame) {
        let RequestFrame { request, callee, done, dispatch } = frame;
        let name = self.name(done);
        if let Some(callee) = callee {
            // `done` is F here: only this code writes it.
            if dispatch || self.random.chance(50) {
                self.call_into(callee, Some(done));
            } else {
                let condition = self.condition(1);
                self.only_if(&condition, |s| s.call_into(callee, Some(done)));
            }
        }
        self.statement(1);
        if !dispatch {
            let condition = self.condition(1);
            return self.only_if(&format!("(!{name} & {condition})"), |s| {
                s.line(&format!("{}_{request}();", hooks::COMPLETE));
                s.line(&format!("{name} := T;"));
            });
        }
        self.line(&format!("if (!{name}) then"));
        self.indented(|s| match s.free_group() {
            Some(group) => {
                s.choose_one(group);
                let first = s.model.groups[group].members[0];
                let others: Vec<Symbol> =
                    s.model.groups[group].members[1..].iter().map(|&v| Symbol::Global(v)).collect();
                let first = s.name(Symbol::Global(first));
                let others: Vec<String> = others.into_iter().map(|o| s.name(o)).collect();
                s.only_if(&first, |s| s.line(&format!("{}_{request}();", hooks::PENDING)));
                s.only_if(&others.join(" | "), |s| {
                    s.line(&format!("{}_{request}();", hooks::COMPLETE));
                });
            }
            None => s.line(&format!("{}_{request}();", hooks::COMPLETE)),
        });
        self.line("fi;");
    }
}
