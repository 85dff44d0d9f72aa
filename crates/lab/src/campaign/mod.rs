//! Campaigns: many programs, for many properties, with many options.
//!
//! [`spec`] is what the user wants, [`task`] what comes of it, [`store`] what is known, [`queue`]
//! what is next, and [`split`] what becomes of a task in parts, [`outcome`] what a run that has
//! ended says.  Who runs a task, and where, is not known here.

pub mod outcome;
pub mod queue;
pub mod spec;
pub mod split;
pub mod store;
pub mod task;
