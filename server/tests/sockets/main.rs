//! The whole server over real loopback sockets, as a client sees it.
//!
//! One server in this process a test, on a free port. No test sleeps: each waits for messages, under a guard that only
//! fires when something is broken.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

mod accounts;
mod admin;
mod analysis;
mod away;
mod blocks;
mod browser;
mod challenges;
mod changes;
mod chat;
mod closes;
mod computer;
mod corrections;
mod damage;
mod evening;
mod forbidden;
mod frames;
mod http;
mod http_limits;
mod ids;
mod import;
mod lag;
mod lichess;
mod lobby;
mod names;
mod nodes;
mod overload;
mod play;
mod player;
mod players;
mod postgres;
mod preview;
mod programs;
mod proxied;
mod ratings;
mod rematch;
mod reports;
mod restart;
mod resting;
mod restrictions;
mod resume;
mod roles;
mod search;
mod second_factor;
mod settings;
mod sixty_acts;
mod slow;
mod starts;
mod stop;
mod table;
mod test_server;
mod token;
mod unreadable;
mod upgrade;
mod verdicts;
mod web;
