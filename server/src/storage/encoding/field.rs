//! What rows are made of: a [`Field`] has one form, in which it is written and read. The macro
//! `layout` makes a struct or an enum a field, by one table for both directions.
//!
//! Writing appends to a buffer that the caller reuses, and never fails. Reading only goes forward,
//! and has an error for everything that was not written here, or in an unknown version of the
//! format.

use std::str::FromStr;

use thiserror::Error;
use zeitnot_protocol::{CommandId, GameId, ID_CHARS};
use zeitnot_rules::board::{ByColor, Color, File, Move, Role, Square};
use zeitnot_rules::game::{GameInstant, Micros, PlayerName};

use super::event::Forecast;
use crate::storage::{StoreInstant, TurnInstant};

/// The version that is written.
pub const FORMAT: u8 = 6;
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

pub(super) type Read<T> = Result<T, DecodeError>;

/// Where a row is appended.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    out: &'a mut Vec<u8>,
    /// What the next charge of a list is expected to be.
    pub(super) forecast: Option<Forecast>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, forecast: None }
    }

    pub(super) fn push(&mut self, byte: u8) {
        self.out.push(byte);
    }

    pub(super) fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }
}

/// The bytes that are not read yet.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    left: &'a [u8],
    /// The version that the row was written in.
    pub(super) version: u8,
    /// What the next charge of a list is expected to be.
    pub(super) forecast: Option<Forecast>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes, version: FORMAT, forecast: None }
    }

    pub(super) fn finish(self) -> Read<()> {
        if self.left.is_empty() { Ok(()) } else { Err(DecodeError::Trailing) }
    }

    pub(super) fn bytes(&mut self, count: usize) -> Read<&'a [u8]> {
        let (taken, rest) = self.left.split_at_checked(count).ok_or(DecodeError::Truncated)?;
        self.left = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let (taken, rest) = self.left.split_first_chunk().ok_or(DecodeError::Truncated)?;
        self.left = rest;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self) -> Read<u8> {
        let [byte] = self.array()?;
        Ok(byte)
    }

    /// The next byte, which stays unread.
    pub(super) fn peek(&self) -> Option<u8> {
        self.left.first().copied()
    }

    /// A count of things that take at least a byte each.
    pub(super) fn count(&mut self) -> Read<usize> {
        let count = usize::try_from(u64::get(self)?).map_err(|_| DecodeError::BadValue("count"))?;
        if count > self.left.len() { Err(DecodeError::Truncated) } else { Ok(count) }
    }

    pub(super) fn text<T: FromStr>(&mut self, length: usize, what: &'static str) -> Read<T> {
        let text = std::str::from_utf8(self.bytes(length)?).ok();
        text.and_then(|text| text.parse().ok()).ok_or(DecodeError::BadValue(what))
    }
}

/// A value that has one form in rows.
pub(super) trait Field: Sized {
    /// Whether its first byte is never 0. Then 0 is the absent value in an `Option`; else absent is
    /// 0, and a present value comes after a 1.
    const NEVER_0: bool = false;
    /// Whether a list of these may be empty.
    const MAY_BE_NONE: bool = false;

    fn put(&self, out: &mut Writer<'_>);

    fn get(reader: &mut Reader<'_>) -> Read<Self>;
}

/// Makes a type a [`Field`]: a struct by its fields in the order of the bytes, an enum by the tag of
/// each variant and the variant's fields. An enum also has a name for errors.
macro_rules! layout {
    ($type:ty { $($field:ident),+ $(,)? }) => {
        impl Field for $type {
            fn put(&self, out: &mut Writer<'_>) {
                let Self { $($field),+ } = self;
                $($field.put(out);)+
            }

            fn get(reader: &mut Reader<'_>) -> Read<Self> {
                Ok(Self { $($field: Field::get(reader)?),+ })
            }
        }
    };
    ($type:ty, $what:literal { $($tag:literal: $variant:ident $(($value:ident))? $({ $($field:ident),+ })?),+ $(,)? }) => {
        impl Field for $type {
            const NEVER_0: bool = true $(&& $tag != 0)+;

            fn put(&self, out: &mut Writer<'_>) {
                match self {
                    $(Self::$variant $(($value))? $({ $($field),+ })? => {
                        out.push($tag);
                        $($value.put(out);)?
                        $($($field.put(out);)+)?
                    })+
                }
            }

            fn get(reader: &mut Reader<'_>) -> Read<Self> {
                Ok(match reader.byte()? {
                    $($tag => {
                        $(let $value = Field::get(reader)?;)?
                        Self::$variant $(($value))? $({ $($field: Field::get(reader)?),+ })?
                    })+
                    tag => return Err(DecodeError::UnknownTag { what: $what, tag }),
                })
            }
        }
    };
}
pub(super) use layout;

/// The fields of whole numbers but bytes: LEB128 in the shortest form.
macro_rules! numbers {
    ($($type:ty),+) => {
        $(impl Field for $type {
            fn put(&self, out: &mut Writer<'_>) {
                put_number(out, u64::from(*self));
            }

            fn get(reader: &mut Reader<'_>) -> Read<Self> {
                Self::try_from(get_number(reader)?).map_err(|_| DecodeError::BadValue("number"))
            }
        })+
    };
}
numbers!(u16, u32, u64);

pub(super) fn put_number(out: &mut Writer<'_>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn get_number(reader: &mut Reader<'_>) -> Read<u64> {
    let mut value = 0;
    for place in 0..10 {
        let byte = reader.byte()?;
        let bits = u64::from(byte & 0x7f);
        // The tenth byte holds one bit; a last byte of 0 means that a shorter form exists.
        if place == 9 && bits > 1 || place > 0 && byte == 0 {
            return Err(DecodeError::BadValue("number"));
        }
        value |= bits << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(DecodeError::BadValue("number"))
}

/// Instants and spans are written as their numbers.
macro_rules! instants {
    ($($type:ty),+) => {
        $(impl Field for $type {
            fn put(&self, out: &mut Writer<'_>) {
                self.0.put(out);
            }

            fn get(reader: &mut Reader<'_>) -> Read<Self> {
                u64::get(reader).map(Self)
            }
        })+
    };
}
instants!(Micros, GameInstant, StoreInstant, TurnInstant);

/// A difference, small in either direction: zigzag.
impl Field for i64 {
    fn put(&self, out: &mut Writer<'_>) {
        put_number(out, ((self << 1) ^ (self >> 63)) as u64);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let value = get_number(reader)?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }
}

impl Field for u8 {
    fn put(&self, out: &mut Writer<'_>) {
        out.push(*self);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        reader.byte()
    }
}

impl Field for bool {
    fn put(&self, out: &mut Writer<'_>) {
        out.push((*self).into());
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        match reader.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            tag => Err(DecodeError::UnknownTag { what: "flag", tag }),
        }
    }
}

/// An account's number.
impl Field for u128 {
    fn put(&self, out: &mut Writer<'_>) {
        out.extend_from_slice(&self.to_be_bytes());
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        reader.array().map(Self::from_be_bytes)
    }
}

impl<T: Field> Field for Option<T> {
    fn put(&self, out: &mut Writer<'_>) {
        match self {
            None => out.push(0),
            Some(value) => {
                if !T::NEVER_0 {
                    out.push(1);
                }
                value.put(out);
            }
        }
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        if T::NEVER_0 && reader.peek() != Some(0) || bool::get(reader)? {
            T::get(reader).map(Some)
        } else {
            Ok(None)
        }
    }
}

impl<T: Field> Field for Box<T> {
    fn put(&self, out: &mut Writer<'_>) {
        (**self).put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        T::get(reader).map(Self::new)
    }
}

/// The count, then each.
impl<T: Field> Field for Vec<T> {
    fn put(&self, out: &mut Writer<'_>) {
        put_number(out, self.len() as u64);
        self.iter().for_each(|one| one.put(out));
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let count = reader.count()?;
        if count == 0 && !T::MAY_BE_NONE {
            return Err(DecodeError::BadValue("count"));
        }
        // Nearly every list has one or two; a lying count allocates no more than that.
        let mut list = Self::with_capacity(count.min(4));
        for _ in 0..count {
            list.push(T::get(reader)?);
        }
        Ok(list)
    }
}

impl<T: Field> Field for ByColor<T> {
    fn put(&self, out: &mut Writer<'_>) {
        self.white.put(out);
        self.black.put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        Ok(Self { white: T::get(reader)?, black: T::get(reader)? })
    }
}

layout! { Color, "color" { 0: White, 1: Black } }
layout! { File, "file" { 1: A, 2: B, 3: C, 4: D, 5: E, 6: F, 7: G, 8: H } }

/// Its number + 1.
impl Field for Square {
    const NEVER_0: bool = true;

    fn put(&self, out: &mut Writer<'_>) {
        out.push(self.index() as u8 + 1);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        match reader.byte()? {
            number @ 1..=64 => Ok(Self::from_index(usize::from(number) - 1)),
            tag => Err(DecodeError::UnknownTag { what: "square", tag }),
        }
    }
}

/// Two bytes: from in bits 0 to 5, to in bits 6 to 11, promotion in bits 12 to 14 (0 none, else the
/// role's number + 1).
impl Field for Move {
    // A line that is too long to be shown is kept as an empty one.
    const MAY_BE_NONE: bool = true;

    fn put(&self, out: &mut Writer<'_>) {
        let promotion = self.promotion.map_or(0, |role| role.index() as u16 + 1);
        let packed = self.from.index() as u16 | (self.to.index() as u16) << 6 | promotion << 12;
        out.extend_from_slice(&packed.to_le_bytes());
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let packed = u16::from_le_bytes(reader.array()?);
        let square = |bits: u16| Square::from_index(usize::from(bits & 0x3f));
        let promotion = match packed >> 12 {
            0 => None,
            number => {
                let role = Role::ALL.get(usize::from(number) - 1).copied();
                Some(role.ok_or(DecodeError::BadValue("promotion"))?)
            }
        };
        Ok(Self { from: square(packed), to: square(packed >> 6), promotion })
    }
}

impl Field for GameId {
    fn put(&self, out: &mut Writer<'_>) {
        out.extend_from_slice(self.as_bytes());
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        reader.text(ID_CHARS, "game")
    }
}

/// Short texts: the length, which is not 0, then the characters.
macro_rules! texts {
    ($($type:ty: $what:literal),+) => {
        $(impl Field for $type {
            const NEVER_0: bool = true;

            fn put(&self, out: &mut Writer<'_>) {
                out.push(self.as_str().len() as u8);
                out.extend_from_slice(self.as_str().as_bytes());
            }

            fn get(reader: &mut Reader<'_>) -> Read<Self> {
                let length = reader.byte()?;
                reader.text(length.into(), $what)
            }
        })+
    };
}
texts!(CommandId: "command id", PlayerName: "name");

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: &impl Field) -> Vec<u8> {
        let mut out = Vec::new();
        value.put(&mut Writer::new(&mut out));
        out
    }

    #[test]
    fn numbers_come_back_and_have_one_form() {
        for value in [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), 1 << 56, u64::MAX - 1, u64::MAX] {
            let out = written(&value);
            let mut reader = Reader::new(&out);
            assert_eq!(u64::get(&mut reader), Ok(value));
            assert_eq!(reader.finish(), Ok(()));
            for cut in 0..out.len() {
                assert_eq!(u64::get(&mut Reader::new(&out[..cut])), Err(DecodeError::Truncated));
            }
        }
        for bad in
            [&[0x80, 0x00][..], &[0xff; 11], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]]
        {
            assert_eq!(u64::get(&mut Reader::new(bad)), Err(DecodeError::BadValue("number")));
        }
    }

    #[test]
    fn differences_come_back() {
        for value in [0, 1, -1, 63, -64, i64::MAX, i64::MIN] {
            assert_eq!(i64::get(&mut Reader::new(&written(&value))), Ok(value));
        }
    }

    #[test]
    fn a_count_beyond_the_bytes_is_rejected_before_anything_is_allocated() {
        assert_eq!(Reader::new(&written(&(1_u64 << 40))).count(), Err(DecodeError::Truncated));
    }
}
