//! What users meet: the command line, the server, the libraries; and the order of the layers.

mod architecture;
#[cfg(all(feature = "c", unix))]
mod browser;
#[cfg(all(feature = "c", target_os = "linux"))]
mod c_api;
#[cfg(all(feature = "campaign", target_os = "linux"))]
mod campaign;
mod certify;
mod cli;
#[cfg(unix)]
mod compare;
mod limits;
mod lsp;
#[cfg(feature = "c")]
mod own_solver;
#[cfg(all(feature = "c", unix))]
mod packaging;
#[cfg(all(feature = "c", unix))]
mod pages;
// Without C the tables lack what concerns it.
#[cfg(feature = "c")]
mod reference;
#[cfg(target_os = "linux")]
mod resources;
mod schema;
#[cfg(feature = "c")]
mod serve;
#[cfg(feature = "c")]
mod walkthrough;

#[path = "../support/mod.rs"]
mod support;
