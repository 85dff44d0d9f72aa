//! The hooks of the protocol, as procedures that SLIC specifications become; and the procedures
//! that initialise the predicates.

use std::fmt::Write as _;

use super::model::Model;

/// Names of the hooks; the number of the lock or request is appended.
pub(super) const ACQUIRE: &str = "slic_KeAcquireSpinLock";
pub(super) const RELEASE: &str = "slic_KeReleaseSpinLock";
pub(super) const TRY_ACQUIRE: &str = "slic_KeTryToAcquireSpinLock";
pub(super) const BEGIN: &str = "slic_DispatchBegin";
pub(super) const COMPLETE: &str = "slic_IoCompleteRequest";
pub(super) const PENDING: &str = "slic_IoMarkIrpPending";
pub(super) const END: &str = "slic_DispatchEnd";
pub(super) const INITIALISE: &str = "slic_initialise";
pub(super) const FINAL: &str = "slic_DriverUnload";

/// Predicates that one initialising procedure sets.
const CHUNK: usize = 20;

/// Number of initialising procedures.
pub(super) fn initialisers(model: &Model) -> usize {
    let exclusive: usize =
        model.groups.iter().filter(|g| g.exclusive).map(|g| g.members.len()).sum();
    exclusive.div_ceil(CHUNK)
}

/// A procedure that fails if `bad` is true, and then performs `effect`.
fn guarded(out: &mut String, name: &str, bad: &str, effect: &str) {
    let _ = write!(
        out,
        "
void {name}() begin
  if ({bad}) then
    goto SLIC_ABORT;
  fi;
  {effect};
  goto Exit;
  SLIC_ABORT: skip;
  SLIC_ERROR: assert(F);
  Exit: skip;
end
"
    ); // writing to a String cannot fail
}

/// Writes all these procedures.
pub(super) fn write(model: &Model, out: &mut String) {
    for (i, lock) in model.locks.iter().enumerate() {
        let held = &model.names[lock.held];
        guarded(out, &format!("{ACQUIRE}_{i}"), held, &format!("{held} := T"));
        guarded(out, &format!("{RELEASE}_{i}"), &format!("!{held}"), &format!("{held} := F"));
        let _ = write!(
            out,
            "
bool {TRY_ACQUIRE}_{i}(wait) begin
  decl acquired;
  acquired := schoose[wait, F];
  if (acquired) then
    {ACQUIRE}_{i}();
  fi;
  return acquired;
end
"
        );
    }
    for (i, request) in model.requests.iter().enumerate() {
        let (done, pending) = (&model.names[request.completed], &model.names[request.pending]);
        let once = format!("({done} | {pending})");
        let _ = write!(
            out,
            "
void {BEGIN}_{i}() begin
  {done}, {pending} := F, F;
end
"
        );
        guarded(out, &format!("{COMPLETE}_{i}"), &once, &format!("{done} := T"));
        guarded(out, &format!("{PENDING}_{i}"), &once, &format!("{pending} := T"));
        guarded(out, &format!("{END}_{i}"), &format!("!({done} ^ {pending})"), "skip");
    }
    let exclusive: Vec<&str> = model
        .groups
        .iter()
        .filter(|g| g.exclusive)
        .flat_map(|g| g.members.iter().map(|&v| model.names[v].as_str()))
        .collect();
    for (i, chunk) in exclusive.chunks(CHUNK).enumerate() {
        let _ = write!(out, "\nvoid {INITIALISE}_{i}() begin\n");
        for part in chunk.chunks(5) {
            let _ = writeln!(out, "  {} := {};", part.join(", "), vec!["F"; part.len()].join(", "));
        }
        let _ = writeln!(out, "end");
    }
    let held: Vec<&str> = model.locks.iter().map(|l| model.names[l.held].as_str()).collect();
    guarded(out, FINAL, &format!("({})", held.join(" | ")), "skip");
}
