//! The lobby: challenges and the games that they become, quick pairing, and what the lobby shows.
//!
//! The `machine` decides who may do what and who is told what, as a plain state machine. [`Lobby`] is
//! the shell around it: it reads the clock, draws the lots, and carries out the effects.
//!
//! - `shell`: the machine behind its lock, and what it needs of the rest of the server.
//! - `commands`: the commands, with what each looks up before the machine decides.
//! - `effects`: what the machine wants done: messages, records, games, timers; `facts`: what it may ask.
//! - `terms`: what is played; `rematch`: the challenge to play a finished game again.
//! - `ratings`: how players' ratings are shown, in the category of a game.
//! - `lobby_view`: what the lobby shows, and how two views differ; `subscribers`: who is shown it;
//!   `look`: looking at it twice a second.
//! - `nodes`, `across_nodes`: one lobby for several nodes.
//!
//! Invariants: a challenge that anybody was told of survives a restart until it is played, cancelled,
//! declined or expired, whether or not its owner is connected. The record that starts its game ends it, so none is played twice. After a
//! restart its owner counts as just gone. Effects are carried out while the machine is locked, so an
//! account is told things in the order in which they happened.

mod across_nodes;
mod commands;
mod effects;
mod facts;
mod lobby_view;
mod look;
mod machine;
mod nodes;
mod ratings;
mod rematch;
mod shell;
mod subscribers;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use commands::LobbyRequest;
pub(crate) use machine::lot_of;
pub(crate) use shell::{Lobby, LobbyParts};
pub(crate) use subscribers::Subscription;
