//! What an operator does with a data folder beside serving from it.
//!
//! | file | what it is |
//! |---|---|
//! | `backup` | a copy of its database, also while a server runs |
//!
//! Deliberately absent: what is in the folder and how it is opened (`storage::sqlite`).

mod backup;

pub use backup::{BackupError, backup};
