//! What a script says, what the checker lets pass and finds; whole games and abuse through the real server, and through
//! one whose words are changed on the way.

mod abuse;
mod checker;
mod liar;
mod replay;
mod script;
mod server;
mod siege;
mod teller;
