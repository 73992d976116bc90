//! The versions of the format, and why bytes are not a row.

use thiserror::Error;

/// The version that is written.
pub const FORMAT: u8 = 2;
/// The oldest version that is read.
pub(super) const FORMAT_OLDEST: u8 = 1;

/// Why bytes are not a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum DecodeError {
    /// They end too early.
    #[error("it is cut off")]
    Truncated,
    /// There is more than a row.
    #[error("something follows its end")]
    Trailing,
    /// The checksum is another: some bit is not as it was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// It was written by a later version.
    #[error("it has format version {0}, which is not known here")]
    UnknownVersion(u8),
    /// A tag that this version does not have.
    #[error("it has the unknown tag {tag} for a {what}")]
    UnknownTag {
        /// Of what.
        what: &'static str,
        /// Which.
        tag: u8,
    },
    /// A value that cannot be.
    #[error("it has a bad {0}")]
    BadValue(&'static str),
}
