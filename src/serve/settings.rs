//! The settings of a server, and where its messages go.

use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

use super::protocol::Message;

/// The settings of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Settings {
    /// Requests that run at the same time.
    pub threads: NonZeroUsize,
    /// Longest line.
    pub max_request_bytes: usize,
    /// Most that a request may take.
    pub time_limit_seconds: Option<f64>,
    /// Most resident memory of the process while a request runs.
    pub memory_limit_bytes: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: NonZeroUsize::MIN,
            max_request_bytes: 64 << 20,
            time_limit_seconds: None,
            memory_limit_bytes: None,
        }
    }
}

/// The receiver of messages.
pub trait Sink: Send + Sync {
    /// Takes a message about the line of that number, from 0; called by several threads.
    fn send(&self, order: u64, message: &Message);
}
