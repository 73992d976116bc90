//! What an operator does with a data folder beside serving from it.
//!
//! | file | what it is |
//! |---|---|
//! | `backup` | a copy of its database, also while a server runs |
//! | `check`, `accounts`, `games`, `corrections`, `search_index` | whether everything in it is as it was written |
//! | `ratings` | the same for ratings; whether they are what the games come to |
//! | `export`, `import` | the games that have ended; games that were played elsewhere |
//! | `moving/` | all of it, into a database |
//! | `rows` | reading a table of which pages may be damaged |
//! | `saving` | a new folder for what can be read |
//! | `report` | what a check says |
//! | `schedule` | backups by schedule |
//! | `doctor` | whether a machine is fit for a server |
//!
//! Deliberately absent: what is in the folder and how it is opened (`storage::sqlite`).

mod accounts;
mod backup;
mod check;
mod corrections;
mod credentials;
mod doctor;
mod export;
mod games;
mod import;
mod moving;
mod ratings;
mod report;
mod resting;
mod rows;
mod saving;
mod schedule;
mod search_index;

pub use backup::{BackupError, backup};
pub use check::{CheckError, check};
pub use doctor::{Diagnosis, diagnose};
pub use export::{ExportError, Exported, export};
#[cfg(any(test, fuzzing))]
pub(crate) use import::whole as whole_game;
pub use import::{ImportError, Imported, import};
pub use moving::{MoveError, Moved, move_in};
pub use ratings::{Verified, verify_ratings};
pub use report::Report;
pub use schedule::Schedule;
