//! The text of one move, held inline: a move is written for every half-move played, and allocates
//! nothing.
//!
//! It is not a general string: it holds ASCII only, and no more than the longest move needs.

use crate::board::Square;

/// At most [`MoveText::CAPACITY`] ASCII characters; the bytes after them are 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct MoveText {
    bytes: [u8; Self::CAPACITY],
    length: u8,
}

impl MoveText {
    /// The longest move text, such as `Qa1xb2#` or `exd8=Q+`.
    pub(super) const CAPACITY: usize = 7;

    /// Two squares, at the price of no loop and no check: a turn holds dozens of moves.
    #[inline]
    pub(super) const fn of_squares(from: Square, to: Square) -> Self {
        const fn file(square: Square) -> u8 {
            b'a' + (square.index() & 7) as u8
        }
        const fn rank(square: Square) -> u8 {
            b'1' + (square.index() >> 3) as u8
        }
        Self { bytes: [file(from), rank(from), file(to), rank(to), 0, 0, 0], length: 4 }
    }

    /// Adds a character.
    ///
    /// # Panics
    /// When the text is full: no move is that long.
    #[inline]
    pub(super) const fn push(&mut self, ascii: u8) {
        debug_assert!(ascii.is_ascii());
        self.bytes[self.length as usize] = ascii;
        self.length += 1;
    }

    /// The text.
    #[inline]
    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).expect("only ASCII is pushed")
    }

    /// The same as bytes, without checking each.
    #[inline]
    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The first five bytes, with 0 after the text's end.
    #[inline]
    pub(super) const fn first_five(&self) -> [u8; 5] {
        let [a, b, c, d, e, _, _] = self.bytes;
        [a, b, c, d, e]
    }
}

/// Gives a public wrapper of [`MoveText`] its reading side.
macro_rules! move_text {
    ($name:ident) => {
        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }

            /// The same as bytes: ASCII.
            #[must_use]
            #[inline]
            pub fn as_bytes(&self) -> &[u8] {
                self.0.as_bytes()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }
    };
}

pub(super) use move_text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_the_longest_move() {
        let mut text = MoveText::default();
        "Qa1xb2#".bytes().for_each(|byte| text.push(byte));
        assert_eq!(text.as_str(), "Qa1xb2#");
        assert_eq!(MoveText::default().as_str(), "");
    }

    #[test]
    fn is_eight_bytes() {
        assert_eq!(size_of::<MoveText>(), 8);
    }
}
