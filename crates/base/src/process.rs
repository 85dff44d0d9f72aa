//! External programs: their command lines, and processes that do not outlive their owner.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus};
use std::str::FromStr;
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;
use thiserror::Error;

use self::remains::{Listed, Thing, listed};

pub mod remains;

/// The name of the file among the arguments.
const FILE: &str = "{}";
/// Time between two looks at a process, at first and at most.
const FIRST_NAP: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(20);

/// Why a text is no [`CommandLine`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandLineError {
    #[error("no program is named")]
    NoProgram,
    #[error("a quote is not closed in '{0}'")]
    Quotes(String),
}

/// A command line: the program and its arguments, in which `{}` is the name of a file.  Words are
/// split as a shell does, but there is no shell.  Invariant: there is a program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CommandLine {
    text: String,
    words: Vec<String>,
}

impl CommandLine {
    /// The program's name or path.
    pub fn program(&self) -> &str {
        &self.words[0]
    }

    /// Does the file occur among the arguments?
    pub fn names_file(&self) -> bool {
        self.words[1..].iter().any(|w| w.contains(FILE))
    }

    /// The command on that file.
    pub fn on(&self, file: &Path) -> Command {
        let mut command = Command::new(self.program());
        command.args(self.words[1..].iter().map(|word| replaced(word, file.as_os_str())));
        command
    }
}

/// The word with the name of the file, which need not be UTF-8, in the places of [`FILE`].
fn replaced(word: &str, file: &OsStr) -> OsString {
    let mut out = OsString::new();
    for (i, part) in word.split(FILE).enumerate() {
        if i > 0 {
            out.push(file);
        }
        out.push(part);
    }
    out
}

impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for CommandLine {
    type Err = CommandLineError;

    fn from_str(text: &str) -> Result<Self, CommandLineError> {
        let words = shlex::split(text).ok_or_else(|| CommandLineError::Quotes(text.to_owned()))?;
        match words.first() {
            Some(program) if !program.is_empty() => Ok(Self { text: text.to_owned(), words }),
            _ => Err(CommandLineError::NoProgram),
        }
    }
}

/// A process with all that it starts: they are ended with this value.
#[derive(Debug)]
pub struct Group {
    child: Child,
    #[expect(dead_code, reason = "is there to be dropped")]
    entry: Listed,
    /// Seconds of the processor, once the process has ended.
    cpu_seconds: Option<f64>,
}

impl Group {
    /// Starts the command as a process group of its own.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        let (child, entry) = listed(|| {
            let child = command.spawn()?;
            let thing = Thing::Group(child.id());
            Ok((child, thing))
        })?;
        Ok(Self { child, entry, cpu_seconds: None })
    }

    /// The pipes to its standard input and from its standard output, where the command has asked
    /// for both.
    pub fn pipes(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>) {
        (self.child.stdin.take(), self.child.stdout.take())
    }

    /// The resident set of all processes of the group, in bytes, where the system tells (Linux).
    pub fn resident_bytes(&self) -> Option<u64> {
        let own = self.child.id().to_string();
        let mut pages = None;
        for entry in std::fs::read_dir("/proc").ok()?.flatten() {
            // Processes come and go while one looks.
            let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
            // The name, in parentheses, may contain anything; then come the state, the parent and
            // the group, and the resident set as the 22nd.
            let mut fields = stat.rsplit(')').next().unwrap_or("").split_whitespace();
            if fields.nth(2) == Some(own.as_str()) {
                let resident: u64 = fields.nth(18).and_then(|f| f.parse().ok()).unwrap_or(0);
                pages = Some(pages.unwrap_or(0) + resident);
            }
        }
        // Pages are 4 KiB on every Linux we build for.
        pages.map(|p| p * 4096)
    }

    /// How the process has ended, if it has.
    ///
    /// # Errors
    /// The system does not tell.
    pub fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        #[cfg(target_os = "linux")]
        if self.cpu_seconds.is_none() && self.is_over() {
            // What it has used is known until somebody has asked how it ended.
            self.cpu_seconds =
                cpu_seconds(&self.child.id().to_string()).map(|(own, of_others)| own + of_others);
        }
        self.child.try_wait()
    }

    /// Asks the process, and all that it has started, to end, as Ctrl-C does: they may still say what they know. Where the
    /// system has no such request, nothing happens.
    pub fn interrupt(&self) {
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::TERM,
        );
    }

    /// Seconds of the processor that the process has used, with those of its own that it has waited
    /// for; where it has ended, and the system tells (Linux).
    pub fn cpu_seconds(&self) -> Option<f64> {
        self.cpu_seconds
    }

    /// Has the process ended?  It can still be asked how.
    #[cfg(target_os = "linux")]
    fn is_over(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(Pid::from_child(&self.child)), options)
            .is_ok_and(|ended| ended.is_some())
    }
}

/// Seconds of the processor that a process has used, and those of its children that have ended,
/// where the system tells (Linux): a process's number, or `self`.
pub fn cpu_seconds(process: &str) -> Option<(f64, f64)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields = stat.rsplit(')').next()?.split_whitespace();
    // In user's and system's time, of itself and of children, in ticks of which there are 100 on
    // every Linux.
    let ticks: Vec<f64> = fields.skip(11).take(4).filter_map(|f| f.parse().ok()).collect();
    let [user, system, user_of_others, system_of_others] = ticks[..] else { return None };
    Some(((user + system) / 100.0, (user_of_others + system_of_others) / 100.0))
}

impl Drop for Group {
    fn drop(&mut self) {
        // What the program has started is in its group.  Where it has ended already, so much the
        // better.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A temporary folder for the files of an external program; it is deleted when this value is
/// dropped.
#[derive(Debug)]
pub struct Folder(TempDir, #[expect(dead_code, reason = "is there to be dropped")] Listed);

impl Folder {
    /// # Errors
    /// The system cannot make it.
    pub fn new() -> io::Result<Self> {
        let (folder, entry) = listed(|| {
            let folder = tempfile::Builder::new().prefix("hardbop-").tempdir()?;
            let thing = Thing::Folder(folder.path().to_owned());
            Ok((folder, thing))
        })?;
        Ok(Self(folder, entry))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// The time between two looks at a process: short at first, for many programs are quick.
#[derive(Debug, Clone, Copy)]
pub struct Nap(Duration);

impl Default for Nap {
    fn default() -> Self {
        Self(FIRST_NAP)
    }
}

impl Nap {
    /// Waits; the next time a bit longer.
    pub fn sleep(&mut self) {
        sleep(self.0);
        self.0 = (self.0 + self.0 / 4).min(LONGEST_NAP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_a_shell_does() {
        let command: CommandLine = "solver --name 'a b' -i={} {}".parse().expect("a command");
        assert!(command.names_file());
        let command = command.on(Path::new("x y.bp"));
        let arguments: Vec<_> = command.get_args().collect();
        assert_eq!(command.get_program(), "solver");
        assert_eq!(arguments, ["--name", "a b", "-i=x y.bp", "x y.bp"]);
        assert_eq!("".parse::<CommandLine>(), Err(CommandLineError::NoProgram));
        let open = CommandLineError::Quotes("a 'b".to_owned());
        assert_eq!("a 'b".parse::<CommandLine>(), Err(open));
    }
}
