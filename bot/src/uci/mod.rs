//! Engines that speak the Universal Chess Interface, as child processes.
//!
//! [`Engine`] is one process for one game at a time. Deliberately absent: a protocol of our own for
//! engines, and any trust in one: what it writes is bounded, what it answers is checked, and what it
//! takes too long for is ended.

mod engine;
mod error;
mod lines;
mod options;
mod process;

pub use engine::{Answer, Engine, EngineConfig, MOST_FAILURES};
pub use error::EngineError;
pub use options::{UciOption, UciOptionError};
