//! Writing the primitives. Appends to a buffer that the caller reuses; never fails.

use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::Micros;

pub(super) fn byte(out: &mut Vec<u8>, value: u8) {
    out.push(value);
}

/// LEB128, shortest form.
pub(super) fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// A difference, small in either direction: zigzag.
pub(super) fn difference(out: &mut Vec<u8>, value: i64) {
    number(out, ((value << 1) ^ (value >> 63)) as u64);
}

pub(super) fn bytes(out: &mut Vec<u8>, value: &[u8]) {
    out.extend_from_slice(value);
}

pub(super) fn account(out: &mut Vec<u8>, value: u128) {
    bytes(out, &value.to_be_bytes());
}

/// 0 for White, 1 for Black.
pub(super) fn color(out: &mut Vec<u8>, value: Color) {
    byte(out, value.index() as u8);
}

pub(super) fn micros(out: &mut Vec<u8>, value: Micros) {
    number(out, value.0);
}

pub(super) fn both(out: &mut Vec<u8>, value: ByColor<Micros>) {
    micros(out, value.white);
    micros(out, value.black);
}

/// Two bytes: from in bits 0 to 5, to in bits 6 to 11, promotion in bits 12 to 14 (0 none, else the
/// role's number + 1).
pub(super) fn mv(out: &mut Vec<u8>, value: Move) {
    let promotion = value.promotion.map_or(0, |role| role.index() as u16 + 1);
    let packed = value.from.index() as u16 | (value.to.index() as u16) << 6 | promotion << 12;
    bytes(out, &packed.to_le_bytes());
}

/// 0 for none, 1 and then the value.
pub(super) fn option<T>(out: &mut Vec<u8>, value: Option<T>, write: impl FnOnce(&mut Vec<u8>, T)) {
    match value {
        None => byte(out, 0),
        Some(value) => {
            byte(out, 1);
            write(out, value);
        }
    }
}
