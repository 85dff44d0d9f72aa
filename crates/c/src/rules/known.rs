//! The rules that come with hardbop.

use hardbop_base::source::Source;

/// A rule that has a name, in place of a file.
#[derive(Debug, Clone, Copy)]
pub struct KnownRule {
    pub name: &'static str,
    /// The interface that it is about: `posix`, `linux` or `windows`.
    pub interface: &'static str,
    text: &'static str,
}

impl KnownRule {
    /// The text of the rule.
    #[must_use]
    pub fn source(&self) -> Source {
        Source::new(format!("<rules>/{}.rule", self.name), self.text)
    }
}

macro_rules! rule {
    ($interface:literal, $name:literal) => {
        KnownRule {
            name: $name,
            interface: $interface,
            text: include_str!(concat!("library/", $interface, "/", $name, ".rule")),
        }
    };
}

/// All of them, by interface and name.
pub static RULES: [KnownRule; 23] = [
    rule!("posix", "descriptor-leaks"),
    rule!("posix", "descriptors"),
    rule!("posix", "directories"),
    rule!("posix", "directory-leaks"),
    rule!("posix", "jails"),
    rule!("posix", "lengths"),
    rule!("posix", "mutexes"),
    rule!("posix", "pipes"),
    rule!("posix", "privileges"),
    rule!("posix", "sockets"),
    rule!("posix", "stream-leaks"),
    rule!("posix", "stream-modes"),
    rule!("posix", "streams"),
    rule!("posix", "temporary-files"),
    rule!("posix", "tokens"),
    rule!("posix", "waits"),
    rule!("linux", "atomic-sleeps"),
    rule!("linux", "interrupts"),
    rule!("linux", "kernel-mutexes"),
    rule!("linux", "spin-locks"),
    rule!("windows", "cancel-locks"),
    rule!("windows", "driver-spin-locks"),
    rule!("windows", "requests"),
];
