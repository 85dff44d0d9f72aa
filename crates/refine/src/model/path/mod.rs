//! Counterexamples of Boolean programs: as paths of the program with activations of its functions
//! ([`concrete`]), as nested sequences to interpolate ([`nested`]), and with the Boolean program's
//! view between their blocks ([`cuts`]).

pub mod concrete;
pub mod cuts;
pub mod nested;
