//! The server: requests in JSON, one per line, and their answers.  docs/protocol.md is for its
//! users.
//!
//! A [`Session`] takes lines and has a [`Sink`] for what it says; it reads and writes nothing
//! itself, and gets files through its [`Host`].  Requests run on worker threads, each within limits
//! of its own.  A request that panics is an error of that request alone.
//!
//! Another method is a function in `methods`, and its name in the
//! list there.

#[cfg(feature = "c")]
mod abstraction;
mod answered;
#[cfg(feature = "c")]
mod c;
#[cfg(feature = "c")]
mod given;
mod host;
mod methods;
mod options;
mod params;
pub mod protocol;
pub mod record;
mod session;
mod settings;
mod work;

pub use host::Host;
pub use session::Session;
pub use settings::{Settings, Sink};
