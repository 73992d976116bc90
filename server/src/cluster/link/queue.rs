//! The messages that wait to be sent on a link, bounded in bytes, and packets made of them.

use std::collections::VecDeque;

use bytes::Bytes;

/// The most bytes that wait for one node. A node that is this far behind catches up sooner by starting
/// over: 10,000 games are less.
const QUEUE_BYTES_MAX: usize = 8 << 20;
/// A packet takes no further message beyond so many bytes: large enough that its costs do not count, small
/// enough that 1,024 of them, which a subscription may hold, fit into memory.
const PACKET_BYTES: usize = 64 * 1024;
/// The longest message. It has a packet of its own then, which must be shorter than the megabyte that a
/// NATS server takes by default.
pub(crate) const MESSAGE_BYTES_MAX: usize = 512 * 1024;
/// What a message counts for beside its bytes, so that empty ones are bounded too.
const OVERHEAD: usize = 32;

/// Why a message cannot be queued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoRoom {
    /// It is too long for a packet.
    TooLong,
    /// Too much waits.
    Full,
}

/// What waits.
#[derive(Debug, Default)]
pub(super) struct Queue {
    messages: VecDeque<Bytes>,
    bytes: usize,
}

impl Queue {
    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub(super) fn push(&mut self, message: Bytes) -> Result<(), NoRoom> {
        if message.len() > MESSAGE_BYTES_MAX {
            return Err(NoRoom::TooLong);
        }
        if self.bytes + cost(&message) > QUEUE_BYTES_MAX {
            return Err(NoRoom::Full);
        }
        self.bytes += cost(&message);
        self.messages.push_back(message);
        Ok(())
    }

    /// The messages of the next packet, oldest first: all that fit, and one at least.
    pub(super) fn take_packet(&mut self) -> Vec<Bytes> {
        let (mut messages, mut bytes) = (Vec::new(), 0);
        while let Some(message) =
            self.messages.pop_front_if(|next| bytes == 0 || bytes + cost(next) <= PACKET_BYTES)
        {
            bytes += cost(&message);
            messages.push(message);
        }
        self.bytes -= bytes;
        messages
    }
}

fn cost(message: &Bytes) -> usize {
    message.len() + OVERHEAD
}
