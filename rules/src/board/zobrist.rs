//! The keys of the position hash.
//!
//! The hash of a position is the exclusive or of one key for each piece on its square, each
//! castling right (by its rook's square), the file of a legal en passant capture, and Black to
//! move. Counters have no key. The keys are fixed and never change: SplitMix64 from the seed below,
//! in the order of the fields of `Keys`.

use super::{Color, Role, Square};

const SEED: u64 = 0x5a65_6974_6e6f_7421;

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static KEYS: Keys = Keys::generate();

impl Keys {
    const fn generate() -> Self {
        let mut state = SEED;
        let mut keys =
            Self { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
        let mut nth = 0;
        while nth < 2 * 6 * 64 {
            keys.pieces[nth / 384][nth / 64 % 6][nth % 64] = split_mix(&mut state);
            nth += 1;
        }
        nth = 0;
        while nth < 64 {
            keys.castling[nth] = split_mix(&mut state);
            nth += 1;
        }
        nth = 0;
        while nth < 8 {
            keys.en_passant[nth] = split_mix(&mut state);
            nth += 1;
        }
        keys.black_to_move = split_mix(&mut state);
        keys
    }
}

/// The next number of SplitMix64.
const fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The key of a piece on a square.
#[inline]
pub(super) fn piece(color: Color, role: Role, square: Square) -> u64 {
    KEYS.pieces[color.index()][role.index()][square.index()]
}

/// The key of the castling right of the rook on a square.
#[inline]
pub(super) fn castling(rook: Square) -> u64 {
    KEYS.castling[rook.index()]
}

/// The key of a legal en passant capture on a square. The rank follows from the side to move.
#[inline]
pub(super) fn en_passant(target: Square) -> u64 {
    KEYS.en_passant[target.index() & 7]
}

/// The key of Black being to move.
#[inline]
pub(super) fn black_to_move() -> u64 {
    KEYS.black_to_move
}
