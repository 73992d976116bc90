//! Positions and legal moves: articles 3.1 to 3.9 of the Laws, standard chess and Chess960.
//!
//! Deliberately absent: history. Repetition, draw counters as verdicts, clocks and results live in
//! [`crate::verdict`] and [`crate::game`].
//!
//! Invariant: a [`Position`] is always one that `docs/laws.md` accepts, and its en passant square
//! is present exactly when an en passant capture is legal.

mod attacks;
mod bitboard;
mod castling;
mod legality;
mod magics;
mod movegen;
mod moves;
mod packed;
mod pawns;
mod piece;
mod piece_moves;
mod play;
mod position;
mod setup;
mod sliders;
mod square;
mod zobrist;

pub use attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, queen_attacks, rook_attacks,
};
pub use bitboard::{Bitboard, Squares};
pub use castling::{CastlingRights, CastlingSide};
pub use moves::{Move, MoveList, PackedMove};
pub(crate) use packed::Packed;
pub use piece::{ByColor, Color, Piece, Role};
pub use piece_moves::{PieceMoves, PieceMovesIter};
pub use play::IllegalMove;
pub use position::Position;
pub use setup::{PositionError, Setup};
pub use square::{File, ParseSquareError, Rank, Square};
