//! Rows that are not as they were written.

use super::samples;
use crate::storage::encoding::{DecodeError, FORMAT, decode, encode};

fn encoded() -> Vec<Vec<u8>> {
    let rows = [samples::rows(), samples::named_rows(), samples::resting_rows()].concat().into_iter();
    rows.map(|(_, row)| {
        let mut bytes = Vec::new();
        encode(&row, &mut bytes);
        bytes
    })
    .collect()
}

/// The row with a checksum that fits, so that the content is tested.
fn sealed(mut body: Vec<u8>) -> Vec<u8> {
    let checksum = crc32c::crc32c(&body);
    body.extend_from_slice(&checksum.to_le_bytes());
    body
}

#[test]
fn every_truncation_and_every_flipped_bit_is_found() {
    for bytes in encoded() {
        for cut in 0..bytes.len() {
            assert!(decode(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(&flipped).is_err(), "bit {bit}");
        }
        let longer = [&*bytes, &[0]].concat();
        assert_eq!(decode(&longer), Err(DecodeError::Checksum));
    }
}

#[test]
fn behind_a_good_checksum_too_nothing_panics_and_what_is_read_is_written_the_same() {
    for bytes in encoded() {
        let body = &bytes[..bytes.len() - 4];
        for cut in 2..body.len() {
            assert!(decode(&sealed(body[..cut].to_vec())).is_err(), "cut at {cut}");
        }
        assert_eq!(decode(&sealed([body, &[0]].concat())), Err(DecodeError::Trailing));
        for (place, value) in
            (0..body.len()).flat_map(|place| [0, 1, 5, 0x7f, 0x80, 0xff].map(|value| (place, value)))
        {
            let mut changed = body.to_vec();
            changed[place] = value;
            if changed[0] != FORMAT {
                // Read, and written as today.
                drop(decode(&sealed(changed)));
                continue;
            }
            let changed = sealed(changed);
            if let Ok(row) = decode(&changed) {
                let mut again = Vec::new();
                encode(&row, &mut again);
                assert_eq!(again, changed, "one value has one form");
            }
        }
    }
}

#[test]
fn a_later_version_and_unknown_tags_are_named() {
    assert_eq!(decode(&[]), Err(DecodeError::Truncated));
    let later = FORMAT + 1;
    assert_eq!(decode(&sealed(vec![later, 1])), Err(DecodeError::UnknownVersion(later)));
    assert_eq!(decode(&sealed(vec![FORMAT, 99])), Err(DecodeError::UnknownTag { what: "row", tag: 99 }));
    let (_, row) = samples::rows().into_iter().find(|(name, _)| *name == "ended_no_material").unwrap();
    let mut bytes = Vec::new();
    encode(&row, &mut bytes);
    // Behind the proof's tag: the charge, which is absent in no case here, and the checksum.
    let body = &bytes[..bytes.len() - 4];
    let unknown = (0..body.len()).filter(|&place| body[place] == 1).find_map(|place| {
        let mut changed = body.to_vec();
        changed[place] = 5;
        match decode(&sealed(changed)) {
            Err(error @ DecodeError::UnknownTag { what: "proof", .. }) => Some(error),
            _ => None,
        }
    });
    assert_eq!(unknown, Some(DecodeError::UnknownTag { what: "proof", tag: 5 }));
}
