//! What runs have left beside their results: pages, certificates, and what was learned; all packed by the caller.

use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError};
use crate::campaign::task::Task;

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

    /// Keeps the certificate of a task, packed by the caller.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_certificate(&self, task: &Task, packed: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO certificate VALUES (?, ?)";
        self.0.prepare_cached(sql)?.execute(params![task.question, packed])?;
        Ok(())
    }

    /// The certificate of a task, as it was kept, whichever version of hardbop has made it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn certificate(&self, task: &Task) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT certificate FROM certificate WHERE question = ?";
        let mut query = self.0.prepare_cached(sql)?;
        Ok(query.query_row([&task.question], |row| row.get(0)).optional()?)
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

    /// What was learned from a program of this name with these options: for this property, or else the last for another one.
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
