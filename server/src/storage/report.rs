//! What somebody reports about another account, as it is kept.
//!
//! Deliberately absent: who may report how often (`accounts`), and which lines of a chat are reported (`http`).

use zeitnot_protocol::{AccountId, GameId};

/// The most reports that are kept, each of at most some 15 KiB: while as many wait for an admin, nobody can add one.
pub const REPORTS_MAX: usize = 10_000;

/// How long a report is kept after it was handled, in milliseconds: half a year.
pub const HANDLED_KEPT_MS: u64 = 180 * 86_400_000;

/// A report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// Its number, from 1; 0 until it is kept.
    pub number: u64,
    /// When it was made, in milliseconds since 1970.
    pub at_unix_ms: u64,
    /// Who reports; `None` when that account was closed.
    pub by: Option<AccountId>,
    /// Who is reported.
    pub about: AccountId,
    /// In which game.
    pub game: Option<GameId>,
    /// Why, as one of a few words.
    pub reason: String,
    /// What the reporter says.
    pub text: String,
    /// The lines of a chat as they were said, as a JSON array.
    pub lines: String,
    /// When an admin has handled it; `None`: it waits.
    pub handled_unix_ms: Option<u64>,
}
