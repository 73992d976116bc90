//! Scripts and checkers; whole games and invalid input through the real server and through a proxy
//! that changes its messages; and the real binary, broken on purpose.

mod bench;
mod checker;
mod cluster;
mod crash;
mod dos;
mod history_checker;
mod honest_server;
mod invalid_input;
mod overload;
mod pairing;
mod programs;
mod proxy;
mod replay;
mod report;
mod script;
mod server;
mod shadow_fs;
mod tampering_proxy;
