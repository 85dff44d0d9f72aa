//! Resources that must not outlive this process, however it ends: other processes, temporary files.
//!
//! Values clean up after themselves when they are dropped.  But a process that is ended at once, by
//! a second Ctrl-C or by the guard of its limits, drops nothing.  So they are listed here, and
//! [`clear`] ends and removes what is listed.

use std::fs;
use std::io;
use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A thing that may be left behind.
#[derive(Debug)]
pub enum Thing {
    /// A process group, by the number of its leader.
    Group(u32),
    Folder(PathBuf),
    File(PathBuf),
}

/// Takes its entry from the list when it is dropped.
#[derive(Debug)]
pub struct Listed(u64);

/// The things that exist, with numbers in ascending order.
static LIST: Mutex<Vec<(u64, Thing)>> = Mutex::new(Vec::new());

fn list() -> MutexGuard<'static, Vec<(u64, Thing)>> {
    LIST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes something and lists it, in one step: [`clear`] comes before or after.
///
/// # Errors
/// An error of `make`.
pub fn listed<T>(make: impl FnOnce() -> io::Result<(T, Thing)>) -> io::Result<(T, Listed)> {
    let mut list = list();
    let (made, thing) = make()?;
    let number = list.last().map_or(0, |(n, _)| n + 1);
    list.push((number, thing));
    Ok((made, Listed(number)))
}

impl Drop for Listed {
    fn drop(&mut self) {
        list().retain(|(number, _)| *number != self.0);
    }
}

/// Ends and removes everything.  Nothing can be listed or dropped any more afterwards: the caller
/// is to end the process.
pub fn clear() {
    let list = list();
    for (_, thing) in &*list {
        // There is nobody left to be told of what fails.
        let _ = match thing {
            Thing::Group(leader) => {
                kill(*leader);
                Ok(())
            }
            Thing::Folder(path) => fs::remove_dir_all(path),
            Thing::File(path) => fs::remove_file(path),
        };
    }
    mem::forget(list);
}

/// Ends all processes of a group, if it is still there.
#[cfg(unix)]
fn kill(leader: u32) {
    if let Some(leader) = i32::try_from(leader).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill(_leader: u32) {}
