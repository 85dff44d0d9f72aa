//! Writing the body of one procedure.
//!
//! Invariant of every statement written here: from each state in which the exclusive groups are
//! exclusive, control can pass to the next statement, and the groups remain exclusive.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::hooks;
use super::model::{Global, Model};
use super::options::DriverOptions;
use super::plan::{Plan, Role};
use hardbop_base::random::Random;

/// A resource with at most one user at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Resource {
    Lock(usize),
    Request(usize),
}

/// A variable in scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    Global(Global),
    /// Index into [`Body::locals`].
    Local(usize),
}

/// The properties of a procedure that callers need to know.
#[derive(Debug, Default)]
pub(super) struct Info {
    /// Resources that it uses, directly or through its callees.
    pub uses: BTreeSet<Resource>,
    /// Globals that it writes, directly or through its callees.
    pub writes: BTreeSet<Global>,
}

/// The body under construction.
pub(super) struct Body<'a> {
    pub model: &'a Model,
    pub plans: &'a [Plan],
    pub infos: &'a [Info],
    pub plan: &'a Plan,
    pub random: &'a mut Random,
    pub info: Info,
    /// Formals, scratch locals and guards.
    pub locals: Vec<String>,
    /// Variables that conditions may read.
    pub readable: Vec<Symbol>,
    /// Variables that may be written one at a time.
    pub writable: Vec<Symbol>,
    /// Exclusive groups of this procedure.
    pub exclusive: Vec<usize>,
    /// Whether the exclusiveness of the groups is enforced here.
    pub enforced: bool,
    /// Variables on which open sections depend: not to be written.
    pub pinned: Vec<Symbol>,
    /// Resources in use, each with whether the procedure may exit meanwhile (it then cleans up).
    pub open: Vec<(Resource, bool)>,
    /// Locks that the exit releases if their shadow says that they are held.
    pub cleanup: BTreeSet<usize>,
    text: String,
    indent: usize,
    /// Statements left to write.
    pub budget: usize,
    labels: usize,
    exits: bool,
    bug: bool,
}

/// Scratch locals of a procedure.
const SCRATCH: usize = 3;
/// Deepest nesting of blocks.
pub(super) const NESTING: usize = 3;

impl<'a> Body<'a> {
    pub fn new(
        model: &'a Model,
        plans: &'a [Plan],
        infos: &'a [Info],
        index: usize,
        options: &DriverOptions,
        random: &'a mut Random,
    ) -> Self {
        let plan = &plans[index];
        let mut locals: Vec<String> = (0..plan.formals).map(|i| format!("arg{i}")).collect();
        locals.extend((0..SCRATCH).map(|i| format!("tmp{i}")));
        let mut readable: Vec<Symbol> = (0..locals.len()).map(Symbol::Local).collect();
        let mut writable = readable.clone();
        let mut exclusive = Vec::new();
        for &g in &plan.groups {
            let members = model.groups[g].members.iter().map(|&v| Symbol::Global(v));
            readable.extend(members.clone());
            if model.groups[g].exclusive {
                exclusive.push(g);
            } else {
                writable.extend(members);
            }
        }
        let enforced = index > 0 && !exclusive.is_empty() && random.chance(35);
        Self {
            model,
            plans,
            infos,
            plan,
            random,
            info: Info::default(),
            locals,
            readable,
            writable,
            exclusive,
            enforced,
            pinned: Vec::new(),
            open: Vec::new(),
            cleanup: BTreeSet::new(),
            text: String::new(),
            indent: 1,
            budget: options.statements,
            labels: 0,
            exits: false,
            bug: options.bug,
        }
    }

    /// The procedure's text, and what its callers need to know.
    pub fn write(mut self) -> (String, Info) {
        let arguments = self.locals[..self.plan.formals].join(", ");
        let main = self.plan.name == "main";
        let (before, after) = self.role_frame();
        if main {
            self.start();
        }
        self.top(before);
        self.finish(after);

        let kind = match self.plan.returns {
            0 => "void".to_owned(),
            1 => "bool".to_owned(),
            n => format!("bool<{n}>"),
        };
        let mut out = format!("{kind} {}({arguments}) begin\n", self.plan.name);
        // Writing to a String cannot fail.
        let _ = writeln!(out, "  decl {};", self.locals[self.plan.formals..].join(", "));
        if self.enforced {
            let all: Vec<String> =
                self.exclusive.iter().map(|&g| self.at_most_one(g, false)).collect();
            let _ = writeln!(out, "  enforce {};", all.join(" & "));
        }
        out.push_str(&self.text);
        out.push_str("end\n");
        (out, self.info)
    }

    /// The first statements of `main`: initialise the automata, then the predicates.
    fn start(&mut self) {
        let model = self.model;
        let mut names: Vec<&str> = Vec::new();
        for lock in &model.locks {
            names.push(&model.names[lock.held]);
            names.extend(lock.shadow.map(|s| model.names[s].as_str()));
        }
        for chunk in names.chunks(4) {
            self.line(&format!("{} := {};", chunk.join(", "), vec!["F"; chunk.len()].join(", ")));
        }
        for i in 0..hooks::initialisers(model) {
            self.line(&format!("{}_{i}();", hooks::INITIALISE));
        }
    }

    /// The top-level statements: calls of all children and fillers, in random order.
    fn top(&mut self, request: Option<RequestFrame>) {
        let mut items: Vec<Option<usize>> = self.plan.children.iter().copied().map(Some).collect();
        if self.plan.name == "main" {
            self.dispatch_loop(items.into_iter().flatten().collect());
            items = self.plan.children.first().copied().into_iter().map(Some).collect();
        }
        let fillers = (self.budget / 5).clamp(2, 400);
        items.extend(std::iter::repeat_n(None, fillers));
        self.random.shuffle(&mut items);
        let middle = items.len() / 2;
        for (i, item) in items.into_iter().enumerate() {
            if i == middle {
                if self.plan.spine_end {
                    self.forgetful_section(self.bug);
                }
                if let Some(frame) = request {
                    self.settle_request(frame);
                }
            }
            match item {
                Some(child) => self.call(child),
                None if self.budget > 0 => self.statement(NESTING),
                None => {}
            }
        }
    }

    /// `main` calls the dispatch routines in any order, as often as it likes.
    fn dispatch_loop(&mut self, children: Vec<usize>) {
        self.line("while (*) do");
        self.indent += 1;
        for child in children {
            self.line("if (*) then");
            self.indent += 1;
            self.call(child);
            self.indent -= 1;
            self.line("fi;");
        }
        self.indent -= 1;
        self.line("od;");
    }

    /// Writes the beginning of the procedure's role; the frames are for the middle and the end.
    fn role_frame(&mut self) -> (Option<RequestFrame>, Option<RequestFrame>) {
        let frame = match self.plan.role {
            Role::Plain => return (None, None),
            Role::Dispatch { request, completer } => {
                self.open.push((Resource::Request(request), false));
                self.info.uses.insert(Resource::Request(request));
                self.line(&format!("{}_{request}();", hooks::BEGIN));
                let done = self.guard("done");
                RequestFrame { request, callee: completer, done, dispatch: true }
            }
            Role::Completer { request, nested } => {
                let done = self.guard("done");
                RequestFrame { request, callee: nested, done, dispatch: false }
            }
        };
        let done = self.name(frame.done);
        self.line(&format!("{done} := F;"));
        self.pinned.push(frame.done);
        (Some(frame), Some(frame))
    }

    /// The end of the body: clean up, check, return.
    fn finish(&mut self, frame: Option<RequestFrame>) {
        if self.exits {
            self.line("Exit: skip;");
        }
        for i in std::mem::take(&mut self.cleanup) {
            self.release_if_shadow(i);
        }
        if let Some(frame) = frame.filter(|f| f.dispatch) {
            self.line(&format!("{}_{}();", hooks::END, frame.request));
        }
        if self.plan.name == "main" {
            self.line(&format!("{}();", hooks::FINAL));
        }
        if self.plan.returns > 0 {
            let mut values: Vec<String> = Vec::new();
            for i in 0..self.plan.returns {
                values.push(match frame {
                    Some(f) if i == 0 && !f.dispatch => self.name(f.done),
                    _ => self.condition(1),
                });
            }
            self.line(&format!("return {};", values.join(", ")));
        }
    }

    // ---- statements

    /// Writes one line.
    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.indent); // cannot fail
        self.budget = self.budget.saturating_sub(1);
    }

    /// A random statement.
    pub fn statement(&mut self, depth: usize) {
        let n = usize::from(depth > 0);
        match self.random.weighted(&[26, 12, 16 * n, 4 * n, 5 * n, 12 * n, 8, 4, 5]) {
            0 => self.update(),
            1 => self.update_group(),
            2 => self.branch(depth - 1),
            3 => self.repeat(depth - 1),
            4 => self.jump(depth - 1),
            5 => self.section(depth - 1),
            6 => self.any_call(),
            7 => self.leave(),
            _ => self.trifle(),
        }
    }

    /// Writes one to three statements, indented.
    pub fn block(&mut self, depth: usize) {
        self.indent += 1;
        let wanted = if self.budget == 0 { 1 } else { self.random.range(1, 3) };
        for _ in 0..wanted {
            self.statement(if self.budget == 0 { 0 } else { depth });
        }
        self.indent -= 1;
    }

    fn branch(&mut self, depth: usize) {
        let condition = self.guard_condition();
        self.line(&format!("if ({condition}) then"));
        self.block(depth);
        if self.random.chance(20) {
            let condition = self.guard_condition();
            self.line(&format!("elsif ({condition}) then"));
            self.block(depth);
        }
        if self.random.chance(55) {
            self.line("else");
            self.block(depth);
        }
        self.line("fi;");
    }

    /// A shallow loop that can be left after any iteration.
    fn repeat(&mut self, depth: usize) {
        if let Some(flag) = self.free_writable().filter(|_| self.random.chance(60)) {
            let flag_name = self.name(flag);
            if self.random.chance(50) {
                self.line(&format!("{flag_name} := T;"));
                self.wrote(flag);
            }
            self.line(&format!("while ({flag_name}) do"));
            self.block(depth);
            let again = self.condition(1);
            self.indent += 1;
            self.line(&format!("{flag_name} := schoose[F, {again}];"));
            self.indent -= 1;
            self.wrote(flag);
        } else {
            self.line("while (*) do");
            self.block(depth);
        }
        self.line("od;");
    }

    /// A branch as SLAM translates C's `if`: a nondeterministic jump and assumptions.
    fn jump(&mut self, depth: usize) {
        let condition = self.condition(1);
        self.labels += 1;
        let n = self.labels;
        self.line(&format!("goto Then{n}, Else{n};"));
        self.line(&format!("Then{n}: assume({condition});"));
        self.block(depth);
        self.line(&format!("goto Join{n};"));
        self.line(&format!("Else{n}: assume(!({condition}));"));
        if self.random.chance(50) {
            self.block(depth);
        }
        self.line(&format!("Join{n}: skip;"));
    }

    /// An early exit, if the exit releases all resources in use.
    fn leave(&mut self) {
        if self.open.iter().any(|&(_, may_leave)| !may_leave) {
            return self.update();
        }
        // On the spine, it must be possible to go on from every state.
        let condition = if self.plan.spine || self.random.chance(50) {
            "*".to_owned()
        } else {
            self.condition(2)
        };
        self.line(&format!("if ({condition}) then"));
        self.line("  goto Exit;");
        self.line("fi;");
        self.exits = true;
    }

    fn trifle(&mut self) {
        match self.random.below(4) {
            0 => self.line("skip;"),
            1 => {
                let candidates: Vec<Symbol> =
                    self.writable.iter().copied().filter(|s| !self.pinned.contains(s)).collect();
                let dead = self.random.sample(&candidates, 2);
                if dead.is_empty() {
                    return self.line("skip;");
                }
                let names: Vec<String> = dead.iter().map(|&s| self.name(s)).collect();
                self.line(&format!("dead {};", names.join(", ")));
                dead.into_iter().for_each(|s| self.wrote(s));
            }
            2 => match self.random.pick(&self.exclusive) {
                Some(group) => {
                    let holds = self.at_most_one(group, false);
                    self.line(&format!("assert({holds});"));
                }
                None => self.line("skip;"),
            },
            _ => {
                let value = self.condition(1);
                self.line(&format!("print({value});"));
            }
        }
    }

    // ---- names

    /// A fresh label of this procedure.
    pub fn label(&mut self, stem: &str) -> String {
        self.labels += 1;
        format!("{stem}{}", self.labels)
    }

    /// A fresh local that only its section writes.
    pub fn guard(&mut self, stem: &str) -> Symbol {
        let symbol = Symbol::Local(self.locals.len());
        self.locals.push(format!("{stem}{}", self.locals.len()));
        self.readable.push(symbol);
        symbol
    }

    pub fn name(&self, symbol: Symbol) -> String {
        match symbol {
            Symbol::Global(v) => self.model.names[v].clone(),
            Symbol::Local(i) => self.locals[i].clone(),
        }
    }

    /// Records that a variable is written.
    pub fn wrote(&mut self, symbol: Symbol) {
        if let Symbol::Global(v) = symbol {
            self.info.writes.insert(v);
        }
    }

    /// A variable that may be written now.
    pub fn free_writable(&mut self) -> Option<Symbol> {
        let free: Vec<Symbol> =
            self.writable.iter().copied().filter(|s| !self.pinned.contains(s)).collect();
        self.random.pick(&free)
    }

    /// Runs `f` one level deeper.
    pub fn indented(&mut self, f: impl FnOnce(&mut Self)) {
        self.indent += 1;
        f(self);
        self.indent -= 1;
    }
}

/// The part that a procedure plays in the life of a request.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestFrame {
    pub request: usize,
    /// A procedure that may complete it.
    pub callee: Option<usize>,
    /// Local that is true iff this procedure or its callees have completed the request.
    pub done: Symbol,
    /// Whether the request begins and ends here.
    pub dispatch: bool,
}
