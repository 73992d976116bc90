//! Reading the primitives: a cursor that only goes forward, and an error for everything that was
//! not written by `writer`, or in an unknown version of the format.

use thiserror::Error;
use zeitnot_rules::board::{ByColor, Color, Move, Role, Square};
use zeitnot_rules::game::{GameInstant, Micros};

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

/// The bytes that are not read yet.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    left: &'a [u8],
    /// The version that the row was written in.
    pub(super) version: u8,
}

pub(super) type Read<T> = Result<T, DecodeError>;

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes, version: FORMAT }
    }

    /// How many bytes are left: no list is longer than that.
    pub(super) fn left(&self) -> usize {
        self.left.len()
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

    pub(super) fn number(&mut self) -> Read<u64> {
        let mut value = 0;
        for place in 0..10 {
            let byte = self.byte()?;
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

    pub(super) fn small<T: TryFrom<u64>>(&mut self, what: &'static str) -> Read<T> {
        T::try_from(self.number()?).map_err(|_| DecodeError::BadValue(what))
    }

    pub(super) fn difference(&mut self) -> Read<i64> {
        let value = self.number()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A count of things that take at least a byte each.
    pub(super) fn count(&mut self) -> Read<usize> {
        let count: usize = self.small("count")?;
        if count > self.left() { Err(DecodeError::Truncated) } else { Ok(count) }
    }

    pub(super) fn flag(&mut self) -> Read<bool> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            tag => Err(DecodeError::UnknownTag { what: "flag", tag }),
        }
    }

    pub(super) fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.flag()? { read(self).map(Some) } else { Ok(None) }
    }

    pub(super) fn account(&mut self) -> Read<u128> {
        Ok(u128::from_be_bytes(self.array()?))
    }

    pub(super) fn color(&mut self) -> Read<Color> {
        match self.byte()? {
            0 => Ok(Color::White),
            1 => Ok(Color::Black),
            tag => Err(DecodeError::UnknownTag { what: "color", tag }),
        }
    }

    pub(super) fn micros(&mut self) -> Read<Micros> {
        self.number().map(Micros)
    }

    pub(super) fn instant(&mut self) -> Read<GameInstant> {
        self.number().map(GameInstant)
    }

    pub(super) fn both(&mut self) -> Read<ByColor<Micros>> {
        Ok(ByColor { white: self.micros()?, black: self.micros()? })
    }

    pub(super) fn mv(&mut self) -> Read<Move> {
        let packed = u16::from_le_bytes(self.array()?);
        let square = |bits: u16| Square::from_index(usize::from(bits & 0x3f));
        let promotion = match packed >> 12 {
            0 => None,
            number => {
                let role = Role::ALL.get(usize::from(number) - 1).copied();
                Some(role.ok_or(DecodeError::BadValue("promotion"))?)
            }
        };
        Ok(Move { from: square(packed), to: square(packed >> 6), promotion })
    }
}

#[cfg(test)]
mod tests {
    use super::super::writer;
    use super::*;

    #[test]
    fn numbers_come_back_and_have_one_form() {
        for value in [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), 1 << 56, u64::MAX - 1, u64::MAX] {
            let mut out = Vec::new();
            writer::number(&mut out, value);
            let mut reader = Reader::new(&out);
            assert_eq!(reader.number(), Ok(value));
            assert_eq!(reader.finish(), Ok(()));
            for cut in 0..out.len() {
                assert_eq!(Reader::new(&out[..cut]).number(), Err(DecodeError::Truncated));
            }
        }
        for bad in
            [&[0x80, 0x00][..], &[0xff; 11], &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]]
        {
            assert_eq!(Reader::new(bad).number(), Err(DecodeError::BadValue("number")));
        }
    }

    #[test]
    fn differences_come_back() {
        for value in [0, 1, -1, 63, -64, i64::MAX, i64::MIN] {
            let mut out = Vec::new();
            writer::difference(&mut out, value);
            assert_eq!(Reader::new(&out).difference(), Ok(value));
        }
    }

    #[test]
    fn a_count_beyond_the_bytes_is_rejected_before_anything_is_allocated() {
        let mut out = Vec::new();
        writer::number(&mut out, 1 << 40);
        assert_eq!(Reader::new(&out).count(), Err(DecodeError::Truncated));
    }
}
