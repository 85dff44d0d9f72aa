//! The globals of a driver: automata of the protocol, and predicates in groups.

use std::fmt::Write as _;

use super::options::DriverOptions;
use hardbop_base::random::Random;

/// A global variable: index into [`Model::names`].
pub(super) type Global = usize;

/// A lock's automaton.
pub(super) struct Lock {
    /// Whether it is held; only the hooks change it.
    pub held: Global,
    /// A predicate of the driver that equals `held` except inside the pairs that change both.
    pub shadow: Option<Global>,
}

/// The automaton of a request, which must be completed or marked pending exactly once.
pub(super) struct Request {
    pub completed: Global,
    pub pending: Global,
}

/// Predicates over the same memory.
pub(super) struct Group {
    pub members: Vec<Global>,
    /// Whether at most one of them is true in every reachable state after the initialisation.
    pub exclusive: bool,
}

/// The globals of a driver.
pub(super) struct Model {
    pub names: Vec<String>,
    /// Lock 0 has no shadow: it is the one not released in unsafe programs.
    pub locks: Vec<Lock>,
    pub requests: Vec<Request>,
    pub groups: Vec<Group>,
}

/// Memory described by an exclusive group; `#` stands for the group's number.
const MEMORY: [&str; 10] = [
    "Irp_#->IoStatus.Status",
    "DevExt_#->PnpState",
    "DevExt_#->PowerState",
    "irpSp_#->MinorFunction",
    "irpSp_#->MajorFunction",
    "status_#",
    "ntStatus_#",
    "Queue_#->State",
    "fdx_#->Mode",
    "Request_#->Kind",
];
const VALUES: [&str; 5] = ["0", "259", "-1073741823", "7", "275"];
/// Predicates that do not exclude each other.
const FLAGS: [&str; 10] = [
    "DevExt_#->OpenCount>0",
    "Irp_#->PendingReturned!=0",
    "Irp_#->Cancel==1",
    "DevExt_#->Flags&4",
    "status_#>=0",
    "irpSp_#->Control&1",
    "DevExt_#->Removed==0",
    "Irp_#->CancelRoutine==0",
    "i_#<NumberOfEntries",
    "Queue_#->Head==Queue_#->Tail",
];
const PLAIN: [&str; 6] = ["started", "busy", "new_eq_old", "idle", "wait_wake", "b"];

impl Model {
    pub fn new(options: &DriverOptions, random: &mut Random) -> Self {
        let mut names = Vec::with_capacity(options.vars);
        let mut add = |name: String| {
            names.push(name);
            names.len() - 1
        };
        let mut left = options.vars - 1;
        let mut locks = vec![Lock { held: add("{slic_lock_0==held}".to_owned()), shadow: None }];
        for i in 1..(options.vars / 60).clamp(1, 12) {
            let held = add(format!("{{slic_lock_{i}==held}}"));
            let shadow = (i % 2 == 1).then(|| add(format!("{{DevExt->Lock_{i}.Owner!=0}}")));
            left -= 1 + usize::from(shadow.is_some());
            locks.push(Lock { held, shadow });
        }
        let wanted = if options.vars < 20 { 0 } else { 1 + options.vars / 200 };
        let mut requests = Vec::new();
        for i in 0..wanted.min(6).min((options.procs - 1) / 3) {
            left -= 2;
            requests.push(Request {
                completed: add(format!("{{slic_irp_{i}==completed}}")),
                pending: add(format!("{{slic_irp_{i}==pending}}")),
            });
        }
        let mut groups = Vec::new();
        while left > 0 {
            let number = groups.len();
            let exclusive = left >= 2 && random.chance(45);
            let size = random.range(if exclusive { 2 } else { 1 }, 5).min(left);
            left -= size;
            let memory = random.pick(&MEMORY).unwrap_or("status_#");
            let members = (0..size)
                .map(|i| {
                    let name = match (exclusive, random.chance(25)) {
                        (true, _) => format!("{{{memory}=={}}}", VALUES[i]),
                        (false, true) => {
                            let name = random.pick(&PLAIN).unwrap_or("b");
                            format!("{name}_{number}_{i}")
                        }
                        (false, false) => {
                            format!("{{{}}}", FLAGS[(number + i) % FLAGS.len()])
                        }
                    };
                    add(name.replace('#', &number.to_string()))
                })
                .collect();
            groups.push(Group { members, exclusive });
        }
        Self { names, locks, requests, groups }
    }

    /// Writes the declarations.
    pub fn declare(&self, out: &mut String) {
        for chunk in self.names.chunks(4) {
            let _ = writeln!(out, "decl {};", chunk.join(", ")); // cannot fail
        }
    }
}
