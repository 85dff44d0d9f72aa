//! Shared by QBF summaries and universal summaries: symbolic states, path edges and summary edges
//! (Def. 5 and 6), their reparameterisation, and the queries about them.

pub mod compact;
pub mod context;
mod cover;
pub mod decide;
pub mod edge;
mod relation;
pub mod state;
pub mod subsume;
mod table;
