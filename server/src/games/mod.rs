//! Live games: one actor each, which alone decides anything about its game.
//!
//! [`Games`] is the registry. A session reaches a game through a [`GameHandle`], a player's as a
//! [`Seat`], a spectator's as a [`Spectator`]. Public events are frames in the game's [`Feed`], the
//! same for all; what concerns one session comes to it as a notice.
//!
//! The machine of a game (`machine`) is pure: an input and an instant in, effects out. Its task
//! (`actor`) moves inputs and effects and decides nothing. One append is in flight per game, nobody
//! is notified of an event before it is durable, and later commands wait with the stamps they have.
//!
//! The files, from the outside in; each uses only those below it, and ARCHITECTURE.md draws every
//! arrow:
//!
//! ```text
//! journal_reads history live_games recovery releasing
//! export                                      finished games as text
//! finding  chat_access  nodes                 what the registry offers besides live games
//! registry                                    all games: create, find, recover, stop
//! actor                                       the task of one game
//! effects                                     what becomes visible of it
//! handle   feed mailbox                       how others reach it
//! machine  fence answers inputs               what it decides
//! replay snapshot board_summary               a game from its records; a game as messages
//! event_messages clock_reading                an event as a message; both clocks
//! chat                                        two rooms a game, which outlive the actor
//! ```
//!
//! Deliberately absent: sockets, JSON parsing and limits of connections (`session`), and chess
//! (`zeitnot_rules`).

mod account_games;
pub(crate) mod across_nodes;
mod actor;
mod answers;
mod board_summary;
mod chat;
mod chat_access;
mod clock_reading;
pub(crate) mod effects;
mod event_messages;
mod export;
mod feed;
mod fence;
mod finding;
pub(crate) mod handle;
mod history;
pub(crate) mod inputs;
mod journal_reads;
mod kept_tail;
mod live_games;
pub(crate) mod machine;
mod mailbox;
mod nodes;
mod reader;
mod recovery;
mod registry;
mod releasing;
pub(crate) mod replay;
mod resting;
mod snapshot;
#[cfg(test)]
mod tests;
mod waking;

pub(crate) use across_nodes::{ChatBegun, Links, WaitingCommand};
pub(crate) use answers::seat_of;
pub use chat::{ChatSubscription, GameChat, ROOMS};
pub(crate) use chat::{Post, Posted, checked};
pub(crate) use chat_access::PostOutcome;
pub use clock_reading::ClockReading;
pub(crate) use event_messages::{check, play_named, player, players, time_control};
pub use export::ExportFormat;
pub(crate) use export::{date_and_time, pgn};
pub use feed::{ClockDue, Feed, Pull, WatcherCount};
pub use handle::{GameHandle, Origin, Seat, Spectator};
pub(crate) use history::{History, ReadGame, StoredGame, StoredPage};
pub use inputs::SeatCommand;
pub(crate) use journal_reads::{ReadTask, TailWanted};
pub(crate) use kept_tail::KeptTail;
pub(crate) use live_games::LiveBoard;
pub(crate) use reader::Reader;
pub use recovery::RecoveredGames;
pub(crate) use registry::GamesRoom;
pub use registry::{CreateError, Games};
pub(crate) use snapshot::{Aftermath, snapshot_with};
pub use snapshot::{history, snapshot};
