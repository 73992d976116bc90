//! What admins do while a server runs: the acts, doing them, and the socket in the data folder that takes them. Over HTTP
//! they come by `http::admin`.
//!
//! | file | what it is |
//! |---|---|
//! | `act` | the acts, as they are written on the command line and on the socket |
//! | `perform` | doing them |
//! | `restricting`, `reports`, `correcting`, `programs` | mutes and cuts; what is reported; results; tokens for programs |
//! | `lasts` | how long something lasts |
//! | `socket` | the server's end of the socket: who may speak, and one act a connection |
//! | `ask` | the other end: `zeitnot admin` |
//!
//! Invariants: an act is durable in the audit log before anything of it is done; acts are done one after the other.
//!
//! Deliberately absent: what is right and wrong about accounts (`accounts`).

mod act;
mod ask;
mod correcting;
mod lasts;
mod perform;
mod programs;
mod reports;
mod restricting;
mod socket;

pub use act::AdminAct;
pub(crate) use act::SHOWN_MAX;
pub use ask::{AskError, ask};
pub(crate) use correcting::GameResult;
pub(crate) use lasts::Lasts;
pub(crate) use perform::{Admin, By, NotDone};
pub(crate) use socket::{bind, serve};
