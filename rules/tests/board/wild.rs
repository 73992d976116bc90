//! Setups of any material against the second implementation: what is accepted, what is legal, and
//! what a move leaves.

use std::collections::BTreeSet;

use zeitnot_rules::board::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Move, Piece, Position, Rank, Role, Setup, Square,
};
use zeitnot_rules::notation::fen;

use crate::playout::Random;
use crate::reference;

/// Any material anywhere, with a liking for castling rights, en passant squares and promotions.
/// Most are accepted.
fn random_setup(random: &mut Random) -> Setup {
    let mut pieces = [None; 64];
    let any_role = [Role::Pawn, Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    for _ in 0..random.below(24) {
        let square = random.below(64);
        let role = random.pick(&any_role);
        let at_the_end = !(8..56).contains(&square);
        if role != Role::Pawn || !at_the_end || random.below(200) == 0 {
            pieces[square] = Some(Piece { color: random.pick(&Color::ALL), role });
        }
    }
    let side_to_move = random.pick(&Color::ALL);
    let mut castling = CastlingRights::NONE;
    for color in Color::ALL {
        let rank = if random.below(2) == 0 { color.back_rank() } else { random.pick(&Rank::ALL) };
        let king = Square::new(random.pick(&File::ALL), rank);
        for side in CastlingSide::ALL {
            let rook = Square::new(random.pick(&File::ALL), color.back_rank());
            let proper =
                rank == color.back_rank() && (rook > king) == (side == CastlingSide::King) && rook != king;
            if proper && random.below(2) == 0 || random.below(100) == 0 {
                pieces[rook.index()] = Some(Piece { color, role: Role::Rook });
                castling.set(color, side, Some(rook.file()));
            }
        }
        pieces[king.index()] = Some(Piece { color, role: Role::King });
    }
    let mut en_passant = None;
    if random.below(3) == 0 {
        let up = if side_to_move == Color::White { 1 } else { -1 };
        let rank = if side_to_move == Color::White { Rank::Sixth } else { Rank::Third };
        let target =
            Square::new(random.pick(&File::ALL), if random.below(50) == 0 { Rank::Fourth } else { rank });
        let put = |pieces: &mut [Option<Piece>; 64], files: i8, ranks: i8, piece: Option<Piece>| {
            if let Some(square) = target.offset(files, ranks) {
                let is_king = pieces[square.index()].is_some_and(|piece| piece.role == Role::King);
                pieces[square.index()] = if is_king { pieces[square.index()] } else { piece };
            }
        };
        put(&mut pieces, 0, 0, None);
        put(&mut pieces, 0, up, None);
        put(&mut pieces, 0, -up, Some(Piece { color: !side_to_move, role: Role::Pawn }));
        put(&mut pieces, random.pick(&[-1, 1]), -up, Some(Piece { color: side_to_move, role: Role::Pawn }));
        en_passant = Some(target);
    }
    Setup {
        pieces,
        side_to_move,
        castling,
        en_passant,
        halfmove_clock: random.pick(&[0, 7, 99, 149, u16::MAX]),
        fullmove_number: random.pick(&[1, 40, u16::MAX]),
    }
}

/// All that can be said about one position, both ways.
fn compare(position: &Position, setup: &Setup, context: &str) {
    let legal = reference::legal_moves(setup);
    let moves = position.legal_moves();
    let ours: BTreeSet<_> = moves.iter().map(reference::key).collect();
    assert_eq!(ours, legal, "legal moves, {context}");
    assert_eq!(ours.len(), moves.len(), "no move twice, {context}");
    assert_eq!(position.has_legal_move(), !legal.is_empty(), "any legal move, {context}");
    let us = setup.side_to_move;
    let checkers: Bitboard =
        reference::attackers(&setup.pieces, position.king(us), !us).into_iter().collect();
    assert_eq!(position.checkers(), checkers, "checkers, {context}");
    assert_eq!(position.pinned(), reference::pinned(setup).into_iter().collect(), "pinned, {context}");
    let captures_en_passant = legal.iter().any(|&(from, to, _)| {
        Some(to) == setup.en_passant
            && setup.pieces[from.index()].is_some_and(|piece| piece.role == Role::Pawn)
    });
    assert_eq!(
        position.en_passant(),
        setup.en_passant.filter(|_| captures_en_passant),
        "en passant, {context}"
    );
    for square in Square::all() {
        assert_eq!(position.piece_at(square), setup.pieces[square.index()], "{square}, {context}");
    }
}

/// Positions of many kinds must turn up, or the test shows nothing.
#[derive(Default, Debug)]
struct Seen {
    accepted: usize,
    rejected: usize,
    castling: usize,
    en_passant: usize,
    en_passant_not_legal: usize,
    many_checkers: usize,
}

#[test]
fn setups_of_any_material() {
    println!("seeds 0 to 7999");
    let mut seen = Seen::default();
    for seed in 0..8000 {
        let mut random = Random(seed);
        let mut setup = random_setup(&mut random);
        let expected = reference::is_accepted(&setup);
        let position = Position::from_setup(&setup);
        assert_eq!(position.is_ok(), expected, "seed {seed}: {position:?} of {setup:?}");
        let Ok(mut position) = position else {
            seen.rejected += 1;
            continue;
        };
        seen.accepted += 1;
        for ply in 0..3 {
            let context = format!("seed {seed}, ply {ply}: {}", fen::write(&position));
            compare(&position, &setup, &context);
            seen.en_passant += usize::from(position.en_passant().is_some());
            seen.en_passant_not_legal +=
                usize::from(setup.en_passant.is_some() && position.en_passant().is_none());
            seen.many_checkers += usize::from(position.checkers().count() > 2);
            let moves = position.legal_moves();
            seen.castling += moves.iter().filter(|&&mv| position.castling_side(mv).is_some()).count();
            let Some(mv) = random.choose(&moves) else { break };
            let captures = position.is_capture(mv);
            let before = position.occupied().count();
            position.play(mv).expect("a generated move is legal");
            assert_eq!(position.occupied().count(), before - u32::from(captures), "{mv:?}, {context}");
            setup = reference::after(&setup, mv);
            assert_eq!(Position::from_setup(&setup).as_ref(), Ok(&position), "{mv:?}, {context}");
        }
    }
    println!("{seen:?}");
    let Seen { accepted, rejected, castling, en_passant, en_passant_not_legal, many_checkers } = seen;
    for count in [accepted / 10, rejected / 10, castling, en_passant, en_passant_not_legal, many_checkers] {
        assert!(count >= 30, "too few of a kind");
    }
}

#[test]
fn one_move_is_legal_exactly_when_it_is_among_all() {
    println!("seeds 10000 to 10299");
    let promotions: Vec<Option<Role>> = std::iter::once(None).chain(Role::ALL.map(Some)).collect();
    for seed in 10_000..10_300 {
        let setup = random_setup(&mut Random(seed));
        let Ok(position) = Position::from_setup(&setup) else { continue };
        let legal: BTreeSet<_> = position.legal_moves().iter().map(reference::key).collect();
        let mut found = 0;
        for from in Square::all() {
            for to in Square::all() {
                for &promotion in &promotions {
                    let mv = Move { from, to, promotion };
                    let expected = legal.contains(&reference::key(&mv));
                    assert_eq!(
                        position.is_legal(mv),
                        expected,
                        "seed {seed}: {mv:?} in {}",
                        fen::write(&position)
                    );
                    found += usize::from(expected);
                }
            }
        }
        assert_eq!(found, legal.len());
    }
}
