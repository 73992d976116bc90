//! Tests of the wire as both sides see it: text in, text out.
//!
//! One program, so that the random messages are compiled once.

mod any_text;
mod arbitrary;
mod conversion;
mod document;
mod fen_reasons;
mod messages;
mod rejections;
mod sizes;
