//! The replay: what a script says, what the checker lets pass and finds, and whole games through a server.

mod checker;
mod liar;
mod script;
mod server;
mod teller;
