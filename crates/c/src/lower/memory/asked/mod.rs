//! What `c::checks` asks of addresses, besides whether accesses are fine: into which object they lead, and what that is.

mod aligned;
mod apart;
mod constant;
