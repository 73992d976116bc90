//! Squares, files and ranks.
//!
//! A square is an index from 0 (a1) over 7 (h1) to 63 (h8). No arithmetic wraps around the board's
//! edge: what would leave the board is `None`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A file, a to h.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// All files from a to h.
    pub const ALL: [Self; 8] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];

    /// 0 (a) to 7 (h).
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The lower-case letter.
    #[must_use]
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file of a lower-case letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'a'..='h' => Some(Self::ALL[letter as usize - 'a' as usize]),
            _ => None,
        }
    }
}

/// A rank, 1 to 8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// All ranks from 1 to 8.
    pub const ALL: [Self; 8] = [
        Self::First,
        Self::Second,
        Self::Third,
        Self::Fourth,
        Self::Fifth,
        Self::Sixth,
        Self::Seventh,
        Self::Eighth,
    ];

    /// 0 (rank 1) to 7 (rank 8).
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The digit, `1` to `8`.
    #[must_use]
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank of a digit.
    #[must_use]
    pub const fn from_digit(digit: char) -> Option<Self> {
        match digit {
            '1'..='8' => Some(Self::ALL[digit as usize - '1' as usize]),
            _ => None,
        }
    }
}

/// One of the 64 squares.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square on `file` and `rank`.
    #[must_use]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(rank as u8 * 8 + file as u8)
    }

    /// The square of an index from 0 (a1) to 63 (h8).
    ///
    /// # Panics
    /// When `index` is above 63.
    #[must_use]
    pub const fn from_index(index: usize) -> Self {
        assert!(index < 64, "a square's index is 0 to 63");
        Self(index as u8)
    }

    /// 0 (a1) to 63 (h8).
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask tells the optimiser what the constructors guarantee, so table look-ups need no
        // bounds check.
        (self.0 & 63) as usize
    }

    /// The file this square is on.
    #[must_use]
    pub const fn file(self) -> File {
        File::ALL[(self.0 & 7) as usize]
    }

    /// The rank this square is on.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank::ALL[((self.0 >> 3) & 7) as usize]
    }

    /// The square `files` to the right and `ranks` up from here, if it is on the board.
    #[must_use]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Self> {
        let file = (self.0 & 7) as i8 + files;
        let rank = (self.0 >> 3) as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Self((rank * 8 + file) as u8))
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..64).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use std::fmt::Write as _;
        f.write_char(self.file().letter())?;
        f.write_char(self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a square: expected a file a to h and a rank 1 to 8, as in e4")]
pub struct ParseSquareError;

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let &[file, rank] = text.as_bytes() else { return Err(ParseSquareError) };
        match (File::from_letter(file as char), Rank::from_digit(rank as char)) {
            (Some(file), Some(rank)) => Ok(Self::new(file, rank)),
            _ => Err(ParseSquareError),
        }
    }
}
