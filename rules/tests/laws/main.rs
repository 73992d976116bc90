//! The Laws as a server applies them, sentence by sentence: a script goes in, events come out.
//!
//! Each test names one sentence of the Laws, or one cell of the profile table. `script` explains
//! how a script reads.

mod abort;
mod absence;
mod after_move;
mod arbiter;
mod bound;
mod claims;
mod clocks;
mod days;
mod delays;
mod endings;
mod flags;
mod give_time;
mod ilc;
mod lag;
mod late_verdicts;
mod moves;
mod offers;
mod periods;
mod profiles;
mod record;
mod script;
mod show;
mod start;
mod table;
mod takeback;
mod time_controls;
mod verdicts;
