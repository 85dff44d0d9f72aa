//! The command line of hardbop.

/// Engines make many small things, on several threads: a sixth of their time on large programs goes
/// into libc's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    #[cfg(feature = "c")]
    hardbop::carry(include!(concat!(env!("OUT_DIR"), "/carried.rs")));
    hardbop::main()
}
