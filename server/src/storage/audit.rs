//! What admins have done.

/// An act of an admin, as it is kept: noted before anything of it was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEntry {
    /// When, in milliseconds since 1970.
    pub at_unix_ms: u64,
    /// Who.
    pub by: String,
    /// What, as JSON.
    pub act: String,
}
