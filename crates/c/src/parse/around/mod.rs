//! What runs in front of `main` and behind it, and around calls.

mod at_exit;
mod hooked;
mod starts;
mod structors;
