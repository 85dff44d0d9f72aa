//! The store of known results by fingerprint, in a file of SQLite beside the description.
//!
//! A result is written once, in a transaction of its own, when its task has ended; so a campaign
//! that is killed loses only what was running.  The file may be read by others meanwhile (WAL).

mod files;
mod parts;

use std::path::Path;
use std::time::Duration;

use rusqlite::types::Value;
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row as SqlRow, params, params_from_iter,
};
use thiserror::Error;

pub use self::files::Certificate;
use super::outcome::stopped;
use super::task::{Limits, Task};
use crate::results::{Finished, Row};
use hardbop_report::document::{Reason, Verdict};

/// Increases with changes of the tables.
const VERSION: i64 = 4;

/// How long one waits for another process that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The changes to the tables since version 2.
const SINCE_2: &str = "
ALTER TABLE result ADD COLUMN part TEXT;
CREATE TABLE part (
  hash TEXT,
  options TEXT,
  verdict TEXT NOT NULL,
  reason_code TEXT,
  reason TEXT,
  seconds REAL NOT NULL,
  cpu_seconds REAL,
  memory_bytes INTEGER,
  node TEXT,
  by_certificate INTEGER NOT NULL,
  part TEXT,
  time_limit REAL NOT NULL,
  memory_limit INTEGER NOT NULL,
  PRIMARY KEY (hash, options)
) WITHOUT ROWID;
";

/// The changes to the tables since version 3.
const SINCE_3: &str = "
CREATE TABLE proved (
  program TEXT,
  property TEXT,
  options TEXT,
  asked TEXT NOT NULL,
  question TEXT NOT NULL,
  seconds REAL NOT NULL,
  PRIMARY KEY (program, property, options)
) WITHOUT ROWID;
";

const TABLES: &str = "
CREATE TABLE result (
  hash TEXT PRIMARY KEY,
  verdict TEXT NOT NULL,
  reason_code TEXT,
  reason TEXT,
  seconds REAL NOT NULL,
  cpu_seconds REAL,
  memory_bytes INTEGER,
  node TEXT,
  by_certificate INTEGER NOT NULL,
  time_limit REAL NOT NULL,
  memory_limit INTEGER NOT NULL,
  version TEXT NOT NULL,
  finished TEXT NOT NULL DEFAULT (datetime('now'))
) WITHOUT ROWID;
CREATE TABLE page (hash TEXT PRIMARY KEY, page BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE certificate (question TEXT PRIMARY KEY, certificate BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE learned (
  program TEXT,
  options TEXT,
  property TEXT,
  learned BLOB NOT NULL,
  PRIMARY KEY (program, options, property)
);
CREATE TABLE task (
  position INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  program TEXT NOT NULL,
  property TEXT NOT NULL,
  options TEXT NOT NULL,
  expected TEXT,
  refused TEXT
);
";

/// Why there is no store, or it does not take a result.
#[derive(Debug, Error)]
pub enum StoreError {
    #[error("it is no store of a campaign")]
    Foreign,
    #[error(
        "its format is {found}, and this hardbop knows {VERSION}; another file has to be its store"
    )]
    Version { found: i64 },
    #[error(
        "the disk is full; what is there stays, and the campaign goes on when it is started again"
    )]
    Full,
    #[error("{0}")]
    Sql(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Foreign,
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Sql(error),
        }
    }
}

/// The store.
pub struct Store(Connection);

impl Store {
    /// Opens it, or makes it.
    ///
    /// # Errors
    /// The file is something else, or of another version; or it cannot be made.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let own = Self(Connection::open(path)?);
        own.0.busy_timeout(PATIENCE)?;
        own.0.pragma_update(None, "journal_mode", "WAL")?;
        // A power failure may take the last results, and never the others.
        own.0.pragma_update(None, "synchronous", "NORMAL")?;
        if own.version()? == 0 && !own.has_tables()? {
            own.make(&[TABLES, SINCE_2, SINCE_3].concat())?;
        }
        own.known()
    }

    /// Opens one that is there, to read it.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let own = Self(Connection::open_with_flags(path, flags)?);
        own.0.busy_timeout(PATIENCE)?;
        own.known()
    }

    fn version(&self) -> Result<i64, StoreError> {
        Ok(self.0.pragma_query_value(None, "user_version", |row| row.get(0))?)
    }

    fn has_tables(&self) -> Result<bool, StoreError> {
        let count = "SELECT count(*) FROM sqlite_schema";
        Ok(self.0.query_row(count, [], |row| row.get::<_, i64>(0))? > 0)
    }

    /// Makes tables, and then the file is of this version.
    fn make(&self, tables: &str) -> Result<(), StoreError> {
        let all = format!("BEGIN IMMEDIATE;{tables}PRAGMA user_version = {VERSION};COMMIT;");
        Ok(self.0.execute_batch(&all)?)
    }

    /// Itself, where it is one of this version, or can be made one.
    fn known(self) -> Result<Self, StoreError> {
        match self.version()? {
            VERSION => Ok(self),
            2 => {
                self.make(&[SINCE_2, SINCE_3].concat())?;
                Ok(self)
            }
            3 => {
                self.make(SINCE_3)?;
                Ok(self)
            }
            0 => Err(StoreError::Foreign),
            found => Err(StoreError::Version { found }),
        }
    }

    /// Keeps which tasks there are, for whoever reads the store without the description.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn plan(&mut self, tasks: &[Task]) -> Result<(), StoreError> {
        let transaction = self.0.transaction()?;
        transaction.execute("DELETE FROM task", [])?;
        {
            let mut insert =
                transaction.prepare("INSERT INTO task VALUES (?, ?, ?, ?, ?, ?, ?)")?;
            for (position, t) in tasks.iter().enumerate() {
                let expected = t.expected.map(Verdict::word);
                let words = (&t.program, &t.property, &t.options, expected, &t.refused);
                let (program, property, options, expected, refused) = words;
                insert.execute(params![
                    position as i64,
                    t.hash,
                    program,
                    property,
                    options,
                    expected,
                    refused
                ])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// The result of a task, where it still counts: one that has ended at a limit does not for a
    /// higher one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn result(&self, hash: &str, limits: Limits) -> Result<Option<Finished>, StoreError> {
        let sql = format!("SELECT {RESULT}, time_limit, memory_limit FROM result r WHERE hash = ?");
        let mut query = self.0.prepare_cached(&sql)?;
        let found = query
            .query_row([hash], |row| {
                Ok((finished(row)?, row.get::<_, f64>(9)?, row.get::<_, i64>(10)?))
            })
            .optional()?;
        Ok(found.and_then(|(finished, seconds, memory)| {
            finished.filter(|finished| counts(finished, (seconds, memory), limits))
        }))
    }

    /// Keeps a result; one that does not count any more is replaced.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn record(&self, task: &Task, result: &Finished) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO result (hash, verdict, reason_code, reason, seconds, cpu_seconds, \
                   memory_bytes, node, by_certificate, part, time_limit, memory_limit, version) \
                   VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
        let ends = [Value::from(hardbop_base::VERSION.to_owned())];
        let all =
            [Value::from(task.hash.clone())].into_iter().chain(values(task, result)).chain(ends);
        self.0.prepare_cached(sql)?.execute(params_from_iter(all))?;
        Ok(())
    }

    /// All tasks of the last plan, with their results.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn rows(&self) -> Result<Vec<Row>, StoreError> {
        let sql = format!(
            "SELECT {RESULT}, t.hash, t.program, t.property, t.options, t.expected, t.refused
             FROM task t LEFT JOIN result r ON t.hash = r.hash ORDER BY t.position"
        );
        let mut query = self.0.prepare(&sql)?;
        let rows = query.query_map([], |row| {
            let refused: Option<String> = row.get(14)?;
            let refused = refused.map(|why| stopped("bad-input", &why, 0.0));
            Ok(Row {
                hash: row.get(9)?,
                program: row.get(10)?,
                property: row.get(11)?,
                options: row.get(12)?,
                expected: row.get::<_, Option<String>>(13)?.as_deref().and_then(verdict),
                result: refused.or(finished(row)?),
                has_page: false,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// The columns of [`finished`].
const RESULT: &str = "r.verdict, r.reason_code, r.reason, r.seconds, r.cpu_seconds, r.memory_bytes, r.node, \
     r.by_certificate, r.part";

/// The columns of a result in the tables of results and of parts, in their order: from its verdict
/// to the limits of its task.
fn values(task: &Task, result: &Finished) -> [Value; 11] {
    let reason = result.reason.as_ref();
    [
        result.verdict.word().to_owned().into(),
        reason.map(|r| r.code.to_string()).into(),
        reason.map(|r| r.message.clone()).into(),
        result.seconds.into(),
        result.cpu_seconds.into(),
        result.memory_bytes.map(u64::cast_signed).into(),
        result.node.clone().into(),
        result.by_certificate.into(),
        result.part.clone().into(),
        task.limits.seconds.into(),
        task.limits.memory_bytes.cast_signed().into(),
    ]
}

/// A result from the first columns of a row, where they have one.
fn finished(row: &SqlRow<'_>) -> rusqlite::Result<Option<Finished>> {
    let Some(word) = row.get::<_, Option<String>>(0)? else { return Ok(None) };
    let code: Option<String> = row.get(1)?;
    let message: Option<String> = row.get(2)?;
    let reason = code.zip(message).map(|(code, message)| Reason::stored(code, message));
    Ok(Some(Finished {
        verdict: verdict(&word).unwrap_or(Verdict::Unknown),
        reason,
        seconds: row.get(3)?,
        cpu_seconds: row.get(4)?,
        memory_bytes: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
        node: row.get(6)?,
        by_certificate: row.get(7)?,
        part: row.get(8)?,
    }))
}

/// Does a result still count that was found with these limits?  One that has ended at a limit does
/// not for a higher one.
fn counts(result: &Finished, (seconds, memory): (f64, i64), limits: Limits) -> bool {
    match result.reason.as_ref().map(|r| &*r.code) {
        Some("time") => seconds >= limits.seconds,
        Some("memory" | "bdd-table") => memory >= limits.memory_bytes.cast_signed(),
        _ => true,
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    [Verdict::Safe, Verdict::Unsafe, Verdict::Unknown].into_iter().find(|v| v.word() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(hash: &str, seconds: f64) -> Task {
        Task {
            hash: hash.to_owned(),
            question: hash.to_owned(),
            asked: "asked".to_owned(),
            learns: true,
            certifies: true,
            program: "a.c".to_owned(),
            property: "p".to_owned(),
            options: "o".to_owned(),
            words: vec![],
            limits: Limits { seconds, memory_bytes: 1 << 30 },
            expected: Some(Verdict::Safe),
            refused: None,
        }
    }

    #[test]
    fn a_limit_counts_up_to_itself() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.sqlite");
        let mut store = Store::open(&path).expect("a store");
        let asked = task("h", 2.0);
        store.plan(std::slice::from_ref(&asked)).expect("planned");
        assert!(store.rows().expect("rows")[0].result.is_none());
        store.record(&asked, &stopped("time", "time limit reached", 2.1)).expect("recorded");
        let store = Store::open(&path).expect("again");
        let known = |seconds| {
            let limits = Limits { seconds, memory_bytes: 1 << 30 };
            store.result("h", limits).expect("read").is_some()
        };
        assert_eq!((known(1.0), known(2.0), known(3.0)), (true, true, false));
        let row = &store.rows().expect("rows")[0];
        assert_eq!(row.expected, Some(Verdict::Safe));
        assert_eq!(
            row.result.as_ref().and_then(|r| r.reason.clone()).expect("a reason").code,
            "time"
        );
    }

    #[test]
    fn what_was_learned_is_for_the_program_and_rather_for_the_property() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(&folder.path().join("s.sqlite")).expect("a store");
        let of = |program: &str, property: &str| Task {
            program: program.to_owned(),
            property: property.to_owned(),
            ..task("h", 1.0)
        };
        for (property, learned) in [("p", "1"), ("q", "2"), ("r", "3"), ("q", "4"), ("r", "5")] {
            store.keep_learned(&of("a.c", property), learned.as_bytes()).expect("kept");
        }
        let known =
            |program: &str, property: &str| store.learned(&of(program, property)).expect("read");
        assert_eq!(known("a.c", "p").as_deref(), Some(&b"1"[..]));
        assert_eq!(known("a.c", "q").as_deref(), Some(&b"4"[..]));
        assert_eq!(known("a.c", "s").as_deref(), Some(&b"5"[..]));
        assert_eq!(known("b.c", "p"), None);
    }

    #[test]
    fn a_store_of_version_2_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.sqlite");
        let old = Connection::open(&path).expect("made");
        old.execute_batch(&format!("{TABLES}PRAGMA user_version = 2;")).expect("made");
        let sql = "INSERT INTO result (hash, verdict, seconds, by_certificate, time_limit, memory_limit, version) \
                   VALUES ('h', 'SAFE', 1.5, 0, 2.0, 0, '0')";
        old.execute(sql, []).expect("written");
        drop(old);
        for read in [Store::read, Store::open] {
            let store = read(&path).expect("a store");
            let limits = Limits { seconds: 9.0, memory_bytes: 1 };
            let known = store.result("h", limits).expect("read").expect("a result");
            assert_eq!((known.verdict, known.part), (Verdict::Safe, None));
            store.record(&task("i", 2.0), &stopped("time", "time", 2.1)).expect("recorded");
        }
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.sqlite");
        drop(Store::open(&path).expect("a store"));
        Connection::open(&path)
            .and_then(|c| c.pragma_update(None, "user_version", 9))
            .expect("set");
        assert!(matches!(Store::open(&path), Err(StoreError::Version { found: 9 })));
        std::fs::write(&path, "name = 'campaign', which is text and no store at all")
            .expect("written");
        assert!(matches!(Store::open(&path), Err(StoreError::Foreign)));
        let path = folder.path().join("other.sqlite");
        Connection::open(&path).and_then(|c| c.execute_batch("CREATE TABLE a (b)")).expect("made");
        assert!(matches!(Store::open(&path), Err(StoreError::Foreign)));
    }
}
