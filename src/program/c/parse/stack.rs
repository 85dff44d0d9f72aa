//! Room for recursion.

/// Stack for work on C programs: recursion follows their nesting.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread with a stack of 1 GiB (address space; memory only as far as it is used).
///
/// Panics where `work` does; errors where the thread cannot be made.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("c".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        match thread.join() {
            Ok(value) => Ok(value),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
