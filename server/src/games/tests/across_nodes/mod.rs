//! Two nodes in virtual time, each with its registry, on one store and with a link between them.

mod chatting;
mod claiming;
mod losing;
mod pair;
mod playing;
mod releasing;
