//! The command line of hardbop.

fn main() -> std::process::ExitCode {
    #[cfg(feature = "c")]
    hardbop::carry(include!(concat!(env!("OUT_DIR"), "/carried.rs")));
    hardbop::main()
}
