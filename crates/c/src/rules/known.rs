//! The rules that come with hardbop.

use hardbop_base::source::Source;

/// A rule that has a name, in place of a file.
#[derive(Debug, Clone, Copy)]
pub struct KnownRule {
    pub name: &'static str,
    /// The interface that it is about: `stdio`, `posix`, `threads`, `linux` or `windows`.
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
pub static RULES: [KnownRule; 42] = [
    rule!("stdio", "lengths"),
    rule!("stdio", "pipes"),
    rule!("stdio", "pushbacks"),
    rule!("stdio", "stream-buffers"),
    rule!("stdio", "stream-leaks"),
    rule!("stdio", "stream-modes"),
    rule!("stdio", "stream-turns"),
    rule!("stdio", "streams"),
    rule!("stdio", "temporary-files"),
    rule!("posix", "descriptor-leaks"),
    rule!("posix", "descriptors"),
    rule!("posix", "directories"),
    rule!("posix", "directory-leaks"),
    rule!("posix", "exits"),
    rule!("posix", "file-races"),
    rule!("posix", "jails"),
    rule!("posix", "libraries"),
    rule!("posix", "patterns"),
    rule!("posix", "permissions"),
    rule!("posix", "privileges"),
    rule!("posix", "sockets"),
    rule!("posix", "tokens"),
    rule!("threads", "conditions"),
    rule!("threads", "mutex-lives"),
    rule!("threads", "mutexes"),
    rule!("threads", "read-write-locks"),
    rule!("threads", "waits"),
    rule!("linux", "atomic-sleeps"),
    rule!("linux", "interrupts"),
    rule!("linux", "io-maps"),
    rule!("linux", "kernel-mutexes"),
    rule!("linux", "pci-devices"),
    rule!("linux", "rcu-readers"),
    rule!("linux", "regions"),
    rule!("linux", "rtnl-locks"),
    rule!("linux", "spin-locks"),
    rule!("windows", "cancel-locks"),
    rule!("windows", "critical-regions"),
    rule!("windows", "driver-spin-locks"),
    rule!("windows", "fast-mutexes"),
    rule!("windows", "pools"),
    rule!("windows", "requests"),
];
