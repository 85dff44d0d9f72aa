//! A stack for deep recursion.

/// The stack size for work on C programs, where recursion follows the nesting of the text.
const STACK: usize = 1 << 30;

/// Runs `work` on a thread with a stack of 1 GiB (of address space; memory is only used as needed).
///
/// Panics if `work` does; fails if the thread cannot be created.
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
