//! The bodies of the fuzz targets: one function for each of our decoders. It takes any bytes and panics when a property
//! does not hold.
//!
//! The package `fuzz` calls them under libFuzzer, `tests` with the corpus of that package and with changed pieces of
//! it. They stand in this package because most decoders are not public. No build of the server has them: `cargo fuzz`
//! sets `cfg(fuzzing)`.
//!
//! | target | what it reads |
//! |---|---|
//! | `frames` | what a socket receives, as frames of RFC 6455 |
//! | `messages` | the text of a frame, as a client's and as a server's message |
//! | `fen`, `san`, `uci`, `pgn` | notation |
//! | `records` | rows of the journal and of the archive |
//! | `http_requests` | requests as the server answers them. None of them has a body of use, so whole requests stand for it |
//! | `proxy_headers` | `X-Forwarded-For`, `X-Forwarded-Proto`, and the networks of trusted proxies |
//! | `bus` | payloads from other nodes |
//!
//! Deliberately absent: properties of what follows from a message. The simulation and the load test have those.

mod bus;
mod frames;
mod http_requests;
mod notation;
mod proxy_headers;
mod records;
#[cfg(test)]
mod tests;
mod wire;

pub use bus::bus;
pub use frames::frames;
pub use http_requests::http_requests;
pub use notation::{fen, pgn, san, uci};
pub use proxy_headers::proxy_headers;
pub use records::records;
pub use wire::messages;

/// A target: any bytes in; it panics when a property does not hold.
pub type Target = fn(&[u8]);

/// All of them, by name.
pub const TARGETS: [(&str, Target); 10] = [
    ("frames", frames),
    ("messages", messages),
    ("fen", fen),
    ("san", san),
    ("uci", uci),
    ("pgn", pgn),
    ("records", records),
    ("http_requests", http_requests),
    ("proxy_headers", proxy_headers),
    ("bus", bus),
];
