//! Tests of the wire as both sides see it: text in, text out.
//!
//! One program, so that the messages drawn by lot are built once.

mod any_text;
mod arbitrary;
mod conversion;
mod document;
mod messages;
mod refusals;
mod sizes;
