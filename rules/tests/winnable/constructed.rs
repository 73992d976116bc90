//! Random positions from fixed seeds: walls of pawns, few pieces, castling rights of Chess960.

use zeitnot_rules::board::{
    CastlingRights, CastlingSide, Color, File, Piece, Position, Rank, Role, Setup, Square,
};

use crate::enumeration;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn color(&mut self) -> Color {
        Color::ALL[self.below(2)]
    }

    /// Puts a piece on a free square that suits it.
    fn put(&mut self, setup: &mut Setup, color: Color, role: Role) {
        loop {
            let square = Square::from_index(self.below(64));
            let on_edge = matches!(square.rank(), Rank::First | Rank::Eighth);
            if setup.pieces[square.index()].is_none() && !(role == Role::Pawn && on_edge) {
                setup.pieces[square.index()] = Some(Piece { color, role });
                return;
            }
        }
    }
}

fn empty(random: &mut Random) -> Setup {
    Setup {
        pieces: [None; 64],
        side_to_move: random.color(),
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    }
}

/// Checks `count` positions for both sides, of which `percent` percent must be decided. Positions
/// that are impossible or over are replaced.
#[track_caller]
fn check(seed: u64, count: u32, percent: u32, make: impl Fn(&mut Random, &mut Setup)) {
    let mut random = Random(seed);
    let (mut checked, mut decided) = (0, 0);
    while checked < 2 * count {
        let mut setup = empty(&mut random);
        make(&mut random, &mut setup);
        let Ok(position) = Position::from_setup(&setup) else { continue };
        for color in Color::ALL {
            checked += 1;
            decided += u32::from(enumeration::check(&position, color, 20_000));
        }
    }
    assert!(decided * 100 >= checked * percent, "{decided} of {checked} are decided");
}

/// Pawns that face each other on most files, kings, and a few bishops or knights.
fn wall(random: &mut Random, setup: &mut Setup) {
    for file in File::ALL {
        if random.below(6) == 0 {
            continue;
        }
        let rank = 2 + random.below(3);
        for (color, rank) in [(Color::White, rank), (Color::Black, rank + 1)] {
            let square = Square::new(file, Rank::ALL[rank]);
            setup.pieces[square.index()] = Some(Piece { color, role: Role::Pawn });
        }
    }
    for color in Color::ALL {
        random.put(setup, color, Role::King);
    }
    for _ in 0..random.below(3) {
        let color = random.color();
        let role = [Role::Bishop, Role::Bishop, Role::Knight][random.below(3)];
        random.put(setup, color, role);
    }
}

#[test]
fn walls_of_pawns() {
    check(1, 60, 90, wall);
}

#[test]
fn few_pieces() {
    check(2, 60, 90, |random, setup| {
        for color in Color::ALL {
            random.put(setup, color, Role::King);
        }
        for _ in 0..=random.below(2) {
            let color = random.color();
            let role = Role::ALL[random.below(5)];
            random.put(setup, color, role);
        }
    });
}

#[test]
fn kings_shut_in_by_their_own_pieces() {
    check(3, 40, 70, |random, setup| {
        for file in [File::A, File::B, File::C] {
            for rank in [Rank::First, Rank::Second, Rank::Third] {
                let role = if rank == Rank::First { Role::Bishop } else { Role::Pawn };
                let color = if random.below(4) == 0 { Color::Black } else { Color::White };
                setup.pieces[Square::new(file, rank).index()] = Some(Piece { color, role });
            }
        }
        let corner = Square::new([File::A, File::B][random.below(2)], Rank::First);
        setup.pieces[corner.index()] = Some(Piece { color: Color::White, role: Role::King });
        random.put(setup, Color::Black, Role::King);
    });
}

#[test]
fn castling_rights_of_chess960() {
    check(4, 40, 90, |random, setup| {
        let king = 1 + random.below(6);
        let rook = random.below(king);
        for (file, role) in [(king, Role::King), (rook, Role::Rook)] {
            let square = Square::new(File::ALL[file], Rank::First);
            setup.pieces[square.index()] = Some(Piece { color: Color::White, role });
        }
        setup.castling.set(Color::White, CastlingSide::Queen, Some(File::ALL[rook]));
        random.put(setup, Color::Black, Role::King);
        wall_without_kings(random, setup);
    });
}

fn wall_without_kings(random: &mut Random, setup: &mut Setup) {
    for file in File::ALL {
        let rank = 3 + random.below(2);
        for (color, rank) in [(Color::White, rank), (Color::Black, rank + 1)] {
            let square = Square::new(file, Rank::ALL[rank]);
            if setup.pieces[square.index()].is_none() {
                setup.pieces[square.index()] = Some(Piece { color, role: Role::Pawn });
            }
        }
    }
}
