//! What a script says, what the checker lets pass and finds; whole games and abuse through the real server, and through
//! one whose words are changed on the way; and the real binary, broken on purpose.

mod abuse;
mod bench;
mod checker;
mod crash;
mod ledger;
mod liar;
mod pairing;
mod replay;
mod script;
mod server;
mod shadow;
mod siege;
mod teller;
