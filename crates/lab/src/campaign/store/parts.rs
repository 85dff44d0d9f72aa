//! The parts of tasks that are split: what has ended without an answer is not run again by a
//! campaign that goes on.

use std::collections::HashMap;

use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::{RESULT, Store, StoreError, counts, finished, values};
use crate::campaign::split::Part;
use crate::campaign::task::Task;
use crate::results::Finished;

/// The name of a part in the store: what is asked, rather than what it is called.
fn key(part: &Part) -> String {
    part.options.join("\n")
}

impl Store {
    /// Keeps the result of a part.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn keep_part(&self, task: &Task, part: &Part, result: &Finished) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO part VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
        let which = [Value::from(task.hash.clone()), Value::from(key(part))];
        let all = which.into_iter().chain(values(task, result));
        self.0.prepare_cached(sql)?.execute(params_from_iter(all))?;
        Ok(())
    }

    /// The results of parts of a task that still count.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn parts(&self, task: &Task) -> Result<Parts, StoreError> {
        let sql = format!(
            "SELECT {RESULT}, r.time_limit, r.memory_limit, r.options FROM part r WHERE r.hash = ?"
        );
        let mut query = self.0.prepare_cached(&sql)?;
        let rows = query.query_map([&task.hash], |row| {
            let limits = (row.get::<_, f64>(9)?, row.get::<_, i64>(10)?);
            Ok((row.get::<_, String>(11)?, finished(row)?, limits))
        })?;
        let mut known = HashMap::new();
        for row in rows {
            let (key, result, limits) = row?;
            if let Some(result) = result.filter(|result| counts(result, limits, task.limits)) {
                known.insert(key, result);
            }
        }
        Ok(Parts(known))
    }

    /// The task has a result, or begins anew.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn forget_parts(&self, task: &Task) -> Result<(), StoreError> {
        self.0.prepare_cached("DELETE FROM part WHERE hash = ?")?.execute([&task.hash])?;
        Ok(())
    }
}

/// Results of parts.
#[derive(Debug, Default)]
pub struct Parts(HashMap<String, Finished>);

impl Parts {
    #[must_use]
    pub fn of(&self, part: &Part) -> Option<&Finished> {
        self.0.get(&key(part))
    }
}
