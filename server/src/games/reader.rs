//! A session that asks for something to be read: who pays, and whether it still waits.
//!
//! Deliberately absent: what it asks for (`journal_reads`).

use zeitnot_protocol::{AccountId, Code};

use crate::archive::{Archive, Place};
use crate::connections::Outbox;
use crate::net::Address;

/// A session that asks, and the address that waits its turn at the archive.
#[derive(Clone, Debug)]
pub(crate) struct Reader {
    pub(crate) outbox: Outbox,
    pub(crate) account: Option<AccountId>,
    pub(crate) address: Address,
    /// The number of the read, for its answer.
    pub(crate) read: u32,
}

impl Reader {
    /// A place among those who read the archive.
    ///
    /// # Errors
    /// [`Code::Unavailable`] when too many wait.
    pub(super) async fn place(&self, archive: &Archive) -> Result<Place, Code> {
        Ok(archive.enter(self.address).await?)
    }
}
