//! The command line of hardbop.

fn main() -> std::process::ExitCode {
    hardbop::main()
}
