//! Attacks of rooks and bishops by table look-up.
//!
//! For each square the occupied squares that can stop the piece (the mask) are multiplied by a
//! magic factor. The top bits of the product are the index of the attack set in one table, which
//! the compiler fills.
//!
//! Not done: `pext` where the processor has it. It gave a tenth in perft and nothing in whole
//! games, costs an `unsafe` block and a second path, and is slow on processors that have it in
//! microcode.
//!
//! The factors were found by search: take sparse random numbers until one gives no two different
//! attack sets the same index. The tests compare every entry with the attacks worked out from the
//! board.

/// How many attack sets all squares together have: for each square 2 to the number of squares in
/// its mask. A mask leaves out the edge at the end of a line, since there are no squares beyond it.
const ROOK_SIZE: usize = 102_400;
const BISHOP_SIZE: usize = 5_248;

static ROOK_FIELDS: [Field; 64] = fields(false);
static BISHOP_FIELDS: [Field; 64] = fields(true);
#[allow(long_running_const_eval, reason = "it takes the compiler a second or so, and start-up nothing")]
static ROOK_ATTACKS: [u64; ROOK_SIZE] = attacks(&fields(false), false);
#[allow(long_running_const_eval, reason = "as for rooks")]
static BISHOP_ATTACKS: [u64; BISHOP_SIZE] = attacks(&fields(true), true);

/// Where the attack sets of one square are in the table.
#[derive(Clone, Copy)]
struct Field {
    mask: u64,
    factor: u64,
    shift: u32,
    start: u32,
}

impl Field {
    #[inline]
    const fn place(&self, occupied: u64) -> usize {
        self.place_of(self.key(occupied & self.mask))
    }

    #[inline]
    const fn key(&self, occupied: u64) -> u64 {
        occupied.wrapping_mul(self.factor)
    }

    #[inline]
    const fn place_of(&self, key: u64) -> usize {
        self.start as usize + (key >> self.shift) as usize
    }
}

/// What a rook on the square of index `from` attacks.
#[inline]
pub(super) fn rook(from: usize, occupied: u64) -> u64 {
    ROOK_ATTACKS[ROOK_FIELDS[from].place(occupied)]
}

/// What a bishop on the square of index `from` attacks.
#[inline]
pub(super) fn bishop(from: usize, occupied: u64) -> u64 {
    BISHOP_ATTACKS[BISHOP_FIELDS[from].place(occupied)]
}

/// A rook's attacks worked out from the board, without the table.
pub(super) const fn rook_rays(from: usize, occupied: u64) -> u64 {
    along(from, occupied, file_of(from)) | along(from, occupied, rank_of(from))
}

/// A bishop's attacks worked out from the board, without the table.
pub(super) const fn bishop_rays(from: usize, occupied: u64) -> u64 {
    along(from, occupied, diagonal_of(from)) | along(from, occupied, antidiagonal_of(from))
}

/// Attacks along one line: subtracting the slider from the occupied squares flips all bits up to
/// the first blocker (o ^ (o - 2s)); the other direction is the same on the reversed board.
const fn along(from: usize, occupied: u64, line: u64) -> u64 {
    let slider = 1u64 << from;
    let blockers = occupied & line & !slider;
    let up = blockers.wrapping_sub(slider << 1) ^ blockers;
    let reversed = blockers.reverse_bits();
    let down = (reversed.wrapping_sub(slider.reverse_bits() << 1) ^ reversed).reverse_bits();
    (up | down) & line
}

/// The file of a square.
pub(super) const fn file_of(square: usize) -> u64 {
    0x0101_0101_0101_0101 << (square & 7)
}

/// The rank of a square.
pub(super) const fn rank_of(square: usize) -> u64 {
    0xff << (square & 56)
}

/// The diagonal of a square in the direction a1-h8.
pub(super) const fn diagonal_of(square: usize) -> u64 {
    let main = 0x8040_2010_0804_0201u64;
    let (file, rank) = (square & 7, square >> 3);
    if rank >= file { main << (8 * (rank - file)) } else { main >> (8 * (file - rank)) }
}

/// The diagonal of a square in the direction a8-h1.
pub(super) const fn antidiagonal_of(square: usize) -> u64 {
    let main = 0x0102_0408_1020_4080u64;
    let (file, rank) = (square & 7, square >> 3);
    if file + rank >= 7 { main << (8 * (file + rank - 7)) } else { main >> (8 * (7 - file - rank)) }
}

const fn mask(square: usize, diagonal: bool) -> u64 {
    const EDGE_RANKS: u64 = 0xff00_0000_0000_00ff;
    const EDGE_FILES: u64 = 0x8181_8181_8181_8181;
    if diagonal {
        return bishop_rays(square, 0) & !(EDGE_RANKS | EDGE_FILES);
    }
    (file_of(square) & !EDGE_RANKS | rank_of(square) & !EDGE_FILES) & !(1 << square)
}

const fn fields(diagonal: bool) -> [Field; 64] {
    let mut fields = [Field { mask: 0, factor: 0, shift: 0, start: 0 }; 64];
    let mut start = 0;
    let mut square = 0;
    while square < 64 {
        let mask = mask(square, diagonal);
        fields[square] = Field {
            mask,
            factor: if diagonal { super::magics::BISHOP[square] } else { super::magics::ROOK[square] },
            shift: 64 - mask.count_ones(),
            start,
        };
        start += 1 << mask.count_ones();
        square += 1;
    }
    fields
}

/// Every set of blockers on one line of a mask, with what the slider then attacks on that line.
struct Line {
    /// The sets as keys: the places of two lines' sets together follow from the sum of their keys.
    keys: [u64; 64],
    attacks: [u64; 64],
    count: usize,
}

impl Line {
    const fn new(square: usize, line: u64, field: &Field) -> Self {
        let mut sets = Self { keys: [0; 64], attacks: [0; 64], count: 0 };
        let blockers = line & field.mask;
        let mut occupied = 0u64;
        loop {
            sets.keys[sets.count] = field.key(occupied);
            sets.attacks[sets.count] = along(square, occupied, line);
            sets.count += 1;
            occupied = occupied.wrapping_sub(blockers) & blockers;
            if occupied == 0 {
                return sets;
            }
        }
    }
}

/// Fills the table: for every square, every set of blockers on its one line with every set on the
/// other.
const fn attacks<const SIZE: usize>(fields: &[Field; 64], diagonal: bool) -> [u64; SIZE] {
    let mut table = [0; SIZE];
    let mut square = 0;
    while square < 64 {
        let field = &fields[square];
        let lines = if diagonal {
            [diagonal_of(square), antidiagonal_of(square)]
        } else {
            [rank_of(square), file_of(square)]
        };
        let (first, second) = (Line::new(square, lines[0], field), Line::new(square, lines[1], field));
        let mut a = 0;
        while a < first.count {
            let (key, attacks) = (first.keys[a], first.attacks[a]);
            let mut b = 0;
            while b < second.count {
                table[field.place_of(key.wrapping_add(second.keys[b]))] = attacks | second.attacks[b];
                b += 1;
            }
            a += 1;
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_hold_the_attacks_of_every_set_of_blockers() {
        for square in 0..64 {
            for diagonal in [false, true] {
                let mask = mask(square, diagonal);
                let mut blockers = 0u64;
                loop {
                    // What stands outside the mask must not matter.
                    for occupied in [blockers, blockers | !mask] {
                        if diagonal {
                            assert_eq!(
                                bishop(square, occupied),
                                walk(square, occupied, &[(1, 1), (1, -1), (-1, 1), (-1, -1)])
                            );
                        } else {
                            assert_eq!(
                                rook(square, occupied),
                                walk(square, occupied, &[(1, 0), (-1, 0), (0, 1), (0, -1)])
                            );
                        }
                    }
                    blockers = blockers.wrapping_sub(mask) & mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
    }

    /// Step by step, until something is in the way.
    fn walk(from: usize, occupied: u64, steps: &[(i8, i8)]) -> u64 {
        let mut attacks = 0;
        for &(files, ranks) in steps {
            let mut square = crate::board::Square::from_index(from);
            while let Some(next) = square.offset(files, ranks) {
                attacks |= 1 << next.index();
                if occupied & 1 << next.index() != 0 {
                    break;
                }
                square = next;
            }
        }
        attacks
    }
}
