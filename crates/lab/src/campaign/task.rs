//! A task: one program, one property, one set of options, and the name that the same question
//! always has.

use sha2::{Digest, Sha256};

use hardbop_report::document::Verdict;

/// The limits of a task.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    pub seconds: f64,
    pub memory_bytes: u64,
}

/// A task.
#[derive(Debug, Clone)]
pub struct Task {
    /// The fingerprint of the question to this version of hardbop: tasks that ask the same have the
    /// same one.
    pub hash: String,
    /// The fingerprint of the question, whichever version is asked.
    pub question: String,
    /// The fingerprint of the question but for the texts of the program.
    pub asked: String,
    pub program: String,
    pub property: String,
    pub options: String,
    /// The arguments of `check`, without limits.
    pub words: Vec<String>,
    pub limits: Limits,
    /// Does it begin with what was learned from others like it, and is that kept of it?
    pub learns: bool,
    /// Can a certificate answer it, and is one kept of it?
    pub certifies: bool,
    /// The verdict from elsewhere.
    pub expected: Option<Verdict>,
    /// Why it cannot be run at all.
    pub refused: Option<String>,
}

/// Makes a fingerprint.
#[derive(Clone, Default)]
pub struct Fingerprint(Sha256);

impl Fingerprint {
    /// The fingerprint of a question to this version of hardbop: each version is asked anew.
    #[must_use]
    pub fn of_task(question: &str) -> String {
        let mut own = Self::default();
        own.add("version", hardbop_base::VERSION.as_bytes());
        own.add("question", question.as_bytes());
        own.finish()
    }

    /// A part of the question; no two sequences of parts look alike.
    pub fn add(&mut self, name: &str, part: &[u8]) {
        for bytes in [name.as_bytes(), part] {
            self.0.update((bytes.len() as u64).to_le_bytes());
            self.0.update(bytes);
        }
    }

    /// The fingerprint in hexadecimal digits.
    #[must_use]
    pub fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let of = |parts: &[&str]| {
            let mut print = Fingerprint::default();
            parts.iter().for_each(|part| print.add("word", part.as_bytes()));
            print.finish()
        };
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["ab"]), of(&["a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["b", "a"]));
    }
}
