//! What two nodes send each other over the bus, which may lose, double and delay any of it.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

/// The name of a link from its opening to its close: a number that each of the two nodes has given it.
/// No two links of the same two nodes have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LinkId {
    /// Counts what the node that opens has tried.
    pub(crate) opener: u32,
    /// Counts what the node that answers has accepted.
    pub(crate) answerer: u32,
}

/// All that is sent on a link at once.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Packet {
    pub(crate) id: LinkId,
    /// 1, 2, 3 … in each direction of a link.
    pub(crate) number: u64,
    /// When it was sent, in microseconds of the sender's clock.
    pub(crate) sent_us: u64,
    /// The `sent_us` of a packet that the sender had taken before: this one was sent after that (RFC 7323, section 3). 0: of none.
    pub(crate) echo_us: u64,
    /// None at all when there was nothing to say for a while.
    pub(crate) messages: Vec<Bytes>,
}

/// One payload of the bus from one node to one other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Datagram {
    /// The opener wants a link of this number.
    Open {
        opener: u32,
    },
    /// The answerer agrees. The link is open for the opener now, and for the answerer with the first packet.
    Opened(LinkId),
    /// The sender has no such link, or not any more.
    Close(LinkId),
    Packet(Packet),
}
