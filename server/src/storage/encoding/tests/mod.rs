//! Tests of the encoding: what is written comes back, what was ever written is read for ever, and
//! nothing else is read.

mod damage;
mod golden;
mod round_trip;
mod samples;
mod usual_game;
