//! Files that runs have left beside their results: pages, certificates, and what was learned; all
//! packed by the caller.

use rusqlite::{OptionalExtension, Row, params};

use super::{Store, StoreError};
use crate::campaign::task::Task;

/// A certificate as it was kept, packed by the caller.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    pub packed: Vec<u8>,
    /// Seconds that the proof took, where the certificate is that of another version of the
    /// program.
    pub proof_seconds: Option<f64>,
}

impl Store {
    /// Keeps the page of a task, packed by the caller.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_page(&self, task: &Task, packed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO page VALUES (?, ?)";
        self.0.prepare_cached(sql)?.execute(params![task.hash, packed])?;
        Ok(())
    }

    /// The page of a task, as it was kept.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn page(&self, hash: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let mut query = self.0.prepare_cached("SELECT page FROM page WHERE hash = ?")?;
        Ok(query.query_row([hash], |row| row.get(0)).optional()?)
    }

    /// Keeps the certificate of a task, packed by the caller, in place of that of an earlier
    /// version of the program.  Without a time of a proof it is one that was made of that, and has
    /// its time.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_certificate(
        &self,
        task: &Task,
        packed: &[u8],
        proof_seconds: Option<f64>,
    ) -> Result<(), StoreError> {
        let Task { program, property, options, asked, question, .. } = task;
        let sql = "SELECT question, seconds FROM proved WHERE program = ? AND property = ? AND options = ?";
        let key = params![program, property, options];
        let known: Option<(String, f64)> = (self.0.prepare_cached(sql)?)
            .query_row(key, |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let earlier = known.as_ref().map_or(0.0, |(_, seconds)| *seconds);
        let seconds = proof_seconds.unwrap_or(earlier);
        let sql = "INSERT OR REPLACE INTO certificate VALUES (?, ?)";
        self.0.prepare_cached(sql)?.execute(params![question, packed])?;
        let sql = "INSERT OR REPLACE INTO proved VALUES (?, ?, ?, ?, ?, ?)";
        let row = params![program, property, options, asked, question, seconds];
        self.0.prepare_cached(sql)?.execute(row)?;
        if let Some((old, _)) = known.filter(|(old, _)| old != question) {
            let sql = "DELETE FROM certificate WHERE question = ?1 \
                       AND NOT EXISTS (SELECT 1 FROM proved WHERE question = ?1)";
            self.0.prepare_cached(sql)?.execute([old])?;
        }
        Ok(())
    }

    /// The certificate of a task, as it was kept, whichever version of hardbop has made it; else
    /// that of another version of the program of which the same was asked.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn certificate(&self, task: &Task) -> Result<Option<Certificate>, StoreError> {
        let Task { program, property, options, asked, question, .. } = task;
        let sql = "SELECT certificate FROM certificate WHERE question = ?";
        let own = self.0.prepare_cached(sql)?.query_row([question], |row| row.get(0)).optional()?;
        if let Some(packed) = own {
            return Ok(Some(Certificate { packed, proof_seconds: None }));
        }
        let sql = "SELECT certificate, seconds FROM proved JOIN certificate USING (question) \
                   WHERE program = ? AND property = ? AND options = ? AND asked = ?";
        let certificate = |row: &Row<'_>| {
            Ok(Certificate { packed: row.get(0)?, proof_seconds: Some(row.get(1)?) })
        };
        let key = params![program, property, options, asked];
        Ok(self.0.prepare_cached(sql)?.query_row(key, certificate).optional()?)
    }

    /// Keeps what a task has learned, packed by the caller.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_learned(&self, task: &Task, packed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO learned VALUES (?, ?, ?, ?)";
        let Task { program, options, property, .. } = task;
        self.0.prepare_cached(sql)?.execute(params![program, options, property, packed])?;
        Ok(())
    }

    /// The predicates learned from a program of this name with these options: for this property, or
    /// else the last for another one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn learned(&self, task: &Task) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT learned FROM learned WHERE program = ? AND options = ? \
                   ORDER BY property = ? DESC, rowid DESC LIMIT 1";
        let Task { program, options, property, .. } = task;
        let mut query = self.0.prepare_cached(sql)?;
        Ok(query.query_row([program, options, property], |row| row.get(0)).optional()?)
    }
}
