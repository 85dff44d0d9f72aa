//! What runs in front of `main` and behind it.

mod at_exit;
mod starts;
mod structors;
