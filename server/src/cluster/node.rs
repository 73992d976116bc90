//! Who a node is.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::storage::NodeNumber;

/// What tells one start of a process from all others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Boot(u128);

impl From<Uuid> for Boot {
    fn from(uuid: Uuid) -> Self {
        Self(uuid.as_u128())
    }
}

/// As it stands in subjects.
impl fmt::Display for Boot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Uuid::from_u128(self.0).simple().fmt(f)
    }
}

impl fmt::Debug for Boot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Boot({self})")
    }
}

/// A node: one process from its start to its end. One that is declared dead never comes back.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) number: NodeNumber,
    pub(crate) boot: Boot,
}
