//! Positions from parts: the standard start position, those of Chess960, and any setup.
//!
//! A setup must satisfy the acceptance list of `docs/laws.md`, and nothing more: piece counts, and
//! how a check arose, are not examined.

use thiserror::Error;

use super::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Piece, Position, Rank, Role, Square, pawns,
};

/// The parts of a position, whether they fit together or not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// What stands on each square, by [`Square::index`].
    pub pieces: [Option<Piece>; 64],
    /// Whose turn it is.
    pub side_to_move: Color,
    /// Which castling rights are left.
    pub castling: CastlingRights,
    /// The square behind a pawn that has just advanced two squares, whether it can be captured or
    /// not.
    pub en_passant: Option<Square>,
    /// Plies since the last pawn move or capture.
    pub halfmove_clock: u16,
    /// The number of the move.
    pub fullmove_number: u16,
}

/// Why a setup is not accepted as a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum PositionError {
    /// A side has no king, or more than one.
    #[error("{color} has {count} kings instead of one")]
    Kings {
        /// Which side.
        color: Color,
        /// How many kings it has.
        count: u32,
    },
    /// A pawn on rank 1 or 8.
    #[error("there is a pawn on {square}, on the first or last rank")]
    PawnOnLastRank {
        /// Where.
        square: Square,
    },
    /// The side not to move is in check.
    #[error("{color} is in check, but it is not {color}'s turn")]
    OpponentInCheck {
        /// The side in check.
        color: Color,
    },
    /// A castling right without its king on the back rank, or without its rook there on the proper
    /// side of the king.
    #[error("{color} cannot have the right to castle with a rook on {rook}")]
    CastlingRight {
        /// Whose right.
        color: Color,
        /// Where the rook would have to be.
        rook: Square,
    },
    /// An en passant square that no double advance with the last move explains.
    #[error("no pawn can have passed {square} with the last move")]
    EnPassant {
        /// The square.
        square: Square,
    },
}

const STANDARD_NUMBER: u16 = 518;

impl Position {
    /// The standard start position (2.3).
    #[must_use]
    pub fn standard() -> Self {
        Self::chess960(STANDARD_NUMBER)
    }

    /// The Chess960 start position of a Scharnagl number. 518 is the standard one.
    ///
    /// # Panics
    /// When `number` is above 959.
    #[must_use]
    pub fn chess960(number: u16) -> Self {
        let rank = back_rank_of(number);
        let mut castling = CastlingRights::NONE;
        let mut rooks = File::ALL.into_iter().filter(|file| rank[file.index()] == Role::Rook);
        for side in [CastlingSide::Queen, CastlingSide::King] {
            let rook = rooks.next();
            for color in Color::ALL {
                castling.set(color, side, rook);
            }
        }
        let mut pieces = [None; 64];
        for file in File::ALL {
            for color in Color::ALL {
                let pawns = if color == Color::White { Rank::Second } else { Rank::Seventh };
                pieces[Square::new(file, color.back_rank()).index()] =
                    Some(Piece { color, role: rank[file.index()] });
                pieces[Square::new(file, pawns).index()] = Some(Piece { color, role: Role::Pawn });
            }
        }
        let setup = Setup {
            pieces,
            side_to_move: Color::White,
            castling,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        Self::from_setup(&setup).expect("a start position meets every rule for positions")
    }

    /// The position of a setup. A possible en passant square whose capture is not legal is dropped.
    ///
    /// # Errors
    /// The first of the rules for positions that does not hold.
    pub fn from_setup(setup: &Setup) -> Result<Self, PositionError> {
        let mut position = Self {
            by_role: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            zobrist: 0,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            side_to_move: setup.side_to_move,
            en_passant: None,
        };
        for (square, piece) in Square::all().zip(setup.pieces) {
            if let Some(Piece { color, role }) = piece {
                position.by_role[role.index()] |= Bitboard::from_square(square);
                position.by_color[color.index()] |= Bitboard::from_square(square);
            }
        }
        position.check_pieces()?;
        position.castling = position.possible_castling(&setup.castling)?;
        position.find_checks();
        position.en_passant = position.possible_en_passant(setup.en_passant)?;
        position.zobrist = position.hash_from_scratch();
        Ok(position)
    }

    /// The parts of this position. Making a position of them gives an equal one.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut pieces = [None; 64];
        for square in self.occupied() {
            pieces[square.index()] = self.piece_at(square);
        }
        Setup {
            pieces,
            side_to_move: self.side_to_move,
            castling: self.castling_rights(),
            en_passant: self.en_passant,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// Kings, pawns, and that the side that has just moved left no check standing (3.9.2).
    fn check_pieces(&self) -> Result<(), PositionError> {
        for color in Color::ALL {
            let count = self.pieces(color, Role::King).count();
            if count != 1 {
                return Err(PositionError::Kings { color, count });
            }
        }
        let ends = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        if let Some(square) = (self.by_role(Role::Pawn) & ends).first() {
            return Err(PositionError::PawnOnLastRank { square });
        }
        let them = !self.side_to_move;
        if self.attackers(self.king(them), self.side_to_move).any() {
            return Err(PositionError::OpponentInCheck { color: them });
        }
        Ok(())
    }

    /// The rooks of the rights, if every right has king and rook in place.
    fn possible_castling(&self, rights: &CastlingRights) -> Result<Bitboard, PositionError> {
        let mut rooks = Bitboard::EMPTY;
        for color in Color::ALL {
            let king = self.king(color);
            for side in CastlingSide::ALL {
                let Some(rook) = rights.rook(color, side) else { continue };
                let on_its_side = match side {
                    CastlingSide::King => rook > king,
                    CastlingSide::Queen => rook < king,
                };
                let in_place =
                    king.rank() == color.back_rank() && self.pieces(color, Role::Rook).contains(rook);
                if !in_place || !on_its_side {
                    return Err(PositionError::CastlingRight { color, rook });
                }
                rooks |= Bitboard::from_square(rook);
            }
        }
        Ok(rooks)
    }

    /// The en passant square, if a double advance can have left it and a capture there is legal.
    fn possible_en_passant(&self, square: Option<Square>) -> Result<Option<Square>, PositionError> {
        let Some(target) = square else { return Ok(None) };
        let us = self.side_to_move;
        let (rank, start) = match us {
            Color::White => (Rank::Sixth, target.offset(0, 1)),
            Color::Black => (Rank::Third, target.offset(0, -1)),
        };
        let passed = target.rank() == rank
            && self.pieces(!us, Role::Pawn).contains(pawns::en_passant_pawn(us, target))
            && !self.occupied().contains(target)
            && start.is_some_and(|start| !self.occupied().contains(start));
        if !passed {
            return Err(PositionError::EnPassant { square: target });
        }
        Ok(Some(target).filter(|&target| self.en_passant_captors(target).next().is_some()))
    }
}

/// The pieces on the back rank, a to h, by Scharnagl's numbering: bishop on a light square, bishop
/// on a dark square, queen on the n-th free square, one of ten ways to place the knights, then
/// rook, king, rook.
fn back_rank_of(number: u16) -> [Role; 8] {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    assert!(number < 960, "Chess960 start positions are numbered 0 to 959");
    let number = usize::from(number);
    let mut rank = [None; 8];
    rank[2 * (number % 4) + 1] = Some(Role::Bishop);
    rank[2 * (number / 4 % 4)] = Some(Role::Bishop);
    place(&mut rank, number / 16 % 6, Role::Queen);
    let (first, second) = KNIGHTS[number / 96];
    // The later one first, so that the earlier one's count stays right.
    place(&mut rank, second, Role::Knight);
    place(&mut rank, first, Role::Knight);
    for role in [Role::Rook, Role::King, Role::Rook] {
        place(&mut rank, 0, role);
    }
    rank.map(|role| role.expect("two bishops, a queen, two knights, two rooks and a king fill the rank"))
}

/// Puts a piece on the `nth` free square of the rank, counted from 0.
fn place(rank: &mut [Option<Role>; 8], nth: usize, role: Role) {
    let free = rank.iter_mut().filter(|square| square.is_none()).nth(nth);
    *free.expect("the numbering never counts past the free squares") = Some(role);
}
