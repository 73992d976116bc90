//! Games driven step by step, in virtual time.
//!
//! [`Table`] runs one game's machine with the journal in memory, carries out its effects, and
//! audits each of them: nothing is published that is not durable, events come without gaps, and
//! what players are told comes after its event.

mod across_nodes;
mod actor;
mod answers;
mod chat;
mod claimed;
mod event_messages;
mod faults;
mod last_words;
mod live_games;
mod lost_nodes;
mod play;
mod presence;
mod races;
mod restart;
mod resting;
mod subscribers;
mod table;
mod tails;
mod verdicts;
mod waking;

use table::Table;
