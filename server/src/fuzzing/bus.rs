//! Payloads of the bus between nodes: what is read is written and read the same, and is not much larger.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::cluster::wire::{Announcement, Envelope, GameMessage, payload, read_payload};

/// Reads bytes as each kind of payload.
///
/// # Panics
/// When a property does not hold.
pub fn bus(data: &[u8]) {
    check::<Envelope>(data);
    check::<Announcement>(data);
    check::<GameMessage>(data);
}

fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(data: &[u8]) {
    let Ok(value) = read_payload::<T>(data) else { return };
    let written = payload(&value);
    assert!(written.len() <= data.len(), "numbers are written in their shortest form");
    assert_eq!(read_payload::<T>(&written), Ok(value));
}
