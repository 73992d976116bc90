//! Rows of the journal: what is read is written the same, and a row with one wrong bit is rejected.

use crate::storage::encoding::{FORMAT, decode, encode};

/// Reads bytes as a row, as they are and with a checksum that fits.
///
/// # Panics
/// When a property does not hold.
pub fn records(data: &[u8]) {
    check(data);
    let mut sealed = data.to_vec();
    sealed.extend_from_slice(&crc32c::crc32c(data).to_le_bytes());
    check(&sealed);
}

fn check(bytes: &[u8]) {
    let Ok(row) = decode(bytes) else { return };
    let mut written = Vec::new();
    encode(&row, &mut written);
    assert_eq!(decode(&written).as_ref(), Ok(&row), "what is written is read the same");
    if bytes[0] == FORMAT {
        assert_eq!(written, bytes, "one value has one form");
    }
    // Every bit of a small row, some of a large one.
    let bits = 8 * bytes.len();
    for bit in (0..bits).step_by(bits.div_ceil(512)) {
        let mut damaged = bytes.to_vec();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&damaged).is_err(), "bit {bit} is wrong, and nobody notices");
    }
}
