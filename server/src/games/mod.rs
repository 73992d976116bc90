//! Live games: one actor each, the only one that decides anything about its game.
//!
//! [`Games`] is the registry. A session reaches a game through a [`GameHandle`]: a player's as a [`Seat`], a spectator's
//! as a [`Spectator`]. Public events are frames in the game's [`Feed`], the same for all; what concerns one session comes to
//! it as a [`Notice`].
//!
//! An actor's logic (`logic`) is a plain state machine: an input and an instant in, effects out. Its task (`actor`) moves
//! inputs and effects, and decides nothing. One append is in flight per game, nobody hears of an event before it is
//! durable, and later commands wait with the stamps they have.
//!
//! Deliberately absent: sockets, JSON parsing and limits of connections (`session`), and chess (`zeitnot_rules`).

mod actor;
mod answers;
mod board_face;
mod chat;
mod clock_face;
mod feed;
mod fence;
mod frames;
mod handle;
mod live_list;
mod logic;
mod mailbox;
mod played;
mod readers;
mod rebuilt;
mod registry;
mod seat_command;
mod shell;
/// A child of this module because it drives what nobody else sees: an actor's logic, effect by effect.
#[cfg(test)]
#[path = "../simulation/mod.rs"]
mod simulation;
mod snapshot;
mod stored;
#[cfg(test)]
mod tests;

pub use chat::{Listener, ROOMS, Talk};
pub(crate) use chat::{Spoken, Words, checked};
pub use clock_face::ClockFace;
pub use feed::{ClockDue, Feed, Pull, WatcherCount};
pub(crate) use frames::{player, time_control};
pub use handle::{GameHandle, Origin, Seat, SendRefused, Spectator};
pub use rebuilt::Rebuilt;
pub use registry::{CreateError, Games};
pub use seat_command::{Act, SeatCommand};
pub use snapshot::{history, snapshot};
