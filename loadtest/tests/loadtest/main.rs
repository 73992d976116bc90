//! What a script says, what the checker lets pass and finds; whole games and abuse through the real server, and through
//! one whose words are changed on the way; and the real binary, broken on purpose.

mod bench;
mod checker;
mod crash;
mod dos;
mod history_checker;
mod honest_server;
mod invalid_input;
mod pairing;
mod replay;
mod script;
mod server;
mod shadow_fs;
mod tampering_proxy;
