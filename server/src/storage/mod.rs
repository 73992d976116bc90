//! What the server keeps, and how it comes back: games, accounts, names, tokens, challenges.
//!
//! A game is kept as records. A record is one accepted input: all of its events or none. Within a
//! game the records have an order, and an append names the record that it follows, so two writers
//! of one game cannot both succeed.
//!
//! | file | what it is |
//! |---|---|
//! | `store` | the trait [`Store`], the one seam to all that is kept: [`GameStore`], [`ArchiveStore`], [`AccountStore`], [`CredentialStore`], [`AdminStore`], [`RestrictionStore`], [`ContactStore`], [`ReportStore`], [`SecondFactorStore`], [`AuthorizationStore`], [`RatingStore`], [`ChallengeStore`] |
//! | `record`, `correction`, `append`, `account`, `credentials`, `second_factor`, `authorization`, `restriction`, `contact`, `report`, `audit`, `rating` | what goes through that seam |
//! | `facts`, `search` | what the archive is searched by; what is looked for, and what was found |
//! | `recovery` | what a start finds: [`Opened`], and [`Rebuild`], which makes games of records |
//! | `nodes`, `change` | who else serves from a store, and which games are whose; what they have changed about people |
//! | `instant`, `heartbeat` | the axis of service time, and what an interrupted turn is charged |
//! | `rating_tags`, `correcting` | numbers that stand for things in rows of ratings; whether a result may be corrected |
//! | `completions`, `damage_log` | the way back of the answers to writes; the log of what reads find damaged |
//! | `requests`, `writer_state` | what the one who writes for a lasting store is asked for; what the store knows of it |
//! | `encoding` | the format of rows |
//! | `sqlite` | a data folder: it lasts |
//! | `postgres` | a PostgreSQL database: it lasts, also when this machine does not |
//! | `memory` | gone with the process: for measurements, and for tests with faults to inject |
//!
//! Who imports whom:
//!
//! ```text
//! mod ─▶ sqlite, postgres, memory
//! sqlite, postgres ─▶ requests, writer_state, encoding, heartbeat, recovery, store        memory ─▶ store        store ─▶ rating ─▶ record
//! search ─▶ rating, facts ─▶ encoding ─▶ instant, record ─▶ correction        heartbeat ─▶ instant
//! requests ─▶ store, append        writer_state ─▶ completions        recovery ─▶ store, record, account
//! store ─▶ append, record, audit, credentials, second_factor, authorization, search        credentials ─▶ account        append ─▶ record
//! ```
//!
//! Deliberately absent: what a record means (`rules`), and frames, which are made from records on
//! demand.

mod account;
mod append;
mod audit;
mod authorization;
mod change;
mod completions;
mod contact;
mod correcting;
mod correction;
mod credentials;
mod damage_log;
pub mod encoding;
mod facts;
pub mod heartbeat;
mod instant;
mod memory;
mod nodes;
pub mod postgres;
pub(crate) mod rating;
pub(crate) mod rating_tags;
mod record;
mod recovery;
mod report;
mod requests;
mod restriction;
mod search;
mod second_factor;
pub mod sqlite;
mod store;
#[cfg(test)]
pub(crate) mod tests;
mod writer_state;

use std::path::Path;
use std::sync::Arc;

use uuid::Uuid;
use zeitnot_protocol::EpochId;

pub use account::{Changed, Kind, OpenChallenge, Person, TokenDigest};
pub use append::{Append, AppendAnswer, AppendError};
#[cfg(test)]
pub(crate) use append::{EffectToken, EffectWatch};
pub use audit::AuditEntry;
pub use authorization::{CODE_LASTS_MS, CODES_MAX, CODES_PER_ACCOUNT_MAX, CodeChallenge, Granted};
pub use change::Change;
pub use contact::{BLOCKED_MAX, BLOCKS_MAX, Block};
pub use correction::{CORRECTIONS_MAX, Corrected, Correction};
pub use credentials::{
    API_TOKENS_MAX, AccountFacts, BotMade, CodeDigest, Credential, Day, Grant, KeptToken, NAME_KEPT_DAYS,
    NewToken, PasswordHash, Proved, Registered, Registration, SESSIONS_MAX, TokenKind, TokenMade, Which,
    day_of, first_second,
};
pub(crate) use facts::seats_of;
pub use facts::{Facet, FacetFilter, FacetMask, GameFacts, INDEXED_PLIES, PositionKey, Who};
pub use instant::{StoreInstant, TurnInstant, TurnMark};
#[cfg(test)]
pub(crate) use memory::Fault;
pub use memory::MemoryStore;
pub use nodes::{
    ClaimedGame, Hearing, NodeAnswer, NodeBeat, NodeError, NodeNumber, NodeStore, Nodes, Owner, Polled,
    TakenLobby,
};
pub use postgres::ClusterUrl;
pub use rating::{
    CountedGame, NoRatings, Points, Rater, Rating, RatingCause, RatingChange, RatingEvent, Standing,
};
pub use record::{EndedGame, JournalOffset, Record, RestMark, Tail, TurnTime, WokenGame};
pub use recovery::{Found, FoundGame, Opened, Rebuild, RestingGame};
pub use report::{HANDLED_KEPT_MS, REPORTS_MAX, Report};
pub use restriction::{CUTS_MAX, Cut, MUTES_MAX, Mute, Restrictions};
pub use search::{COUNTED_MAX, Counts, FinishedGame, FoundPage, Search};
pub use second_factor::{FactorSecret, SecondFactor};
pub use store::{
    AccountStore, AdminStore, ArchiveStore, AuditStore, AuthorizationStore, ChallengeStore, ContactStore,
    CredentialStore, GameStore, RatingStore, ReadError, Reading, ReportStore, RestrictionStore,
    SecondFactorStore, Store, WriteError, Writing,
};

use crate::time::ServiceClock;

/// Where a server keeps what it keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location<'a> {
    /// In this data folder. [`sqlite::TEMPORARY`] is one that is removed at the end.
    Folder(&'a Path),
    /// In this database, for a process that this id tells from all others, and that serves alone or beside others.
    Database(&'a ClusterUrl, Uuid, Nodes),
    /// In memory: gone with the process.
    Memory,
}

/// Why a server cannot start from where it keeps what it keeps.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// From a data folder.
    #[error(transparent)]
    Folder(#[from] sqlite::OpenError),
    /// From a database.
    #[error(transparent)]
    Database(#[from] postgres::OpenError),
}

/// Opens a store and rebuilds the games in it. Games that end change ratings as `rater` says. A store without a history
/// of its own begins that of `new_epoch`.
///
/// # Errors
/// See [`OpenError`]: memory never fails.
pub fn open(
    location: Location<'_>,
    rater: &'static dyn Rater,
    clock: &ServiceClock,
    new_epoch: EpochId,
    rebuild: &mut dyn Rebuild,
) -> Result<Opened, OpenError> {
    match location {
        Location::Folder(path) => Ok(sqlite::open(path, rater, clock, new_epoch, rebuild)?),
        Location::Database(url, boot, nodes) => {
            Ok(postgres::open(url, boot, nodes, rater, clock, new_epoch, rebuild)?)
        }
        Location::Memory => {
            tracing::info!("games and accounts are kept in memory: they end with the process");
            Ok(Opened {
                store: Arc::new(MemoryStore::rating_with(rater)),
                nodes: None,
                epoch: new_epoch,
                found: Found::default(),
                challenges: Vec::new(),
                restrictions: Restrictions::default(),
                blocks: Vec::new(),
            })
        }
    }
}
