//! Which setups are positions, and the start positions of Chess960.

use std::collections::BTreeSet;

use zeitnot_rules::board::{
    CastlingRights, CastlingSide, Color, File, Piece, Position, PositionError, Role, Setup, Square,
};

/// A setup from the board part of a FEN, White to move, no rights.
fn setup(board: &str) -> Setup {
    let mut pieces = [None; 64];
    for (row, rank) in board.split('/').zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(free) => file += free as usize,
                None => {
                    pieces[rank * 8 + file] = Piece::from_letter(letter);
                    file += 1;
                }
            }
        }
    }
    Setup {
        pieces,
        side_to_move: Color::White,
        castling: CastlingRights::NONE,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    }
}

fn square(name: &str) -> Square {
    name.parse().expect(name)
}

#[track_caller]
fn rejected(setup: &Setup, error: PositionError, message: &str) {
    assert_eq!(Position::from_setup(setup), Err(error));
    assert_eq!(error.to_string(), message);
}

#[test]
fn each_side_has_one_king() {
    let none = PositionError::Kings { color: Color::Black, count: 0 };
    rejected(&setup("8/8/8/8/8/8/8/4K3"), none, "black has 0 kings instead of one");
    let two = PositionError::Kings { color: Color::White, count: 2 };
    rejected(&setup("4k3/8/8/8/8/8/8/3KK3"), two, "white has 2 kings instead of one");
}

#[test]
fn no_pawn_stands_on_the_first_or_last_rank() {
    let error = |name| PositionError::PawnOnLastRank { square: square(name) };
    rejected(&setup("4k2p/8/8/8/8/8/8/4K3"), error("h8"), "there is a pawn on h8, on the first or last rank");
    rejected(&setup("4k3/8/8/8/8/8/8/p3K3"), error("a1"), "there is a pawn on a1, on the first or last rank");
}

#[test]
fn the_side_that_has_moved_is_not_in_check() {
    let error = PositionError::OpponentInCheck { color: Color::Black };
    rejected(&setup("4k3/8/8/8/8/8/8/K3R3"), error, "black is in check, but it is not black's turn");
    rejected(&setup("8/8/8/3kK3/8/8/8/8"), error, "black is in check, but it is not black's turn");
}

#[test]
fn a_castling_right_needs_its_king_and_its_rook() {
    let check = |board: &str, color: Color, side: CastlingSide, file: File, fits: bool| {
        let mut setup = setup(board);
        setup.castling.set(color, side, Some(file));
        let rook = Square::new(file, color.back_rank());
        let expected =
            if fits { Ok(setup.castling) } else { Err(PositionError::CastlingRight { color, rook }) };
        assert_eq!(
            Position::from_setup(&setup).map(|position| position.castling_rights()),
            expected,
            "{board}"
        );
    };
    let (king, queen) = (CastlingSide::King, CastlingSide::Queen);
    check("4k3/8/8/8/8/8/8/4K2R", Color::White, king, File::H, true);
    check("1r2k3/8/8/8/8/8/8/4K3", Color::Black, queen, File::B, true);
    // No rook there, an enemy's rook, another piece.
    check("4k3/8/8/8/8/8/8/4K2R", Color::White, king, File::G, false);
    check("4k3/8/8/8/8/8/7K/7r", Color::White, king, File::H, false);
    check("4k3/8/8/8/8/8/8/4K2Q", Color::White, king, File::H, false);
    // The king is elsewhere, or the rook is on its other side.
    check("4k3/8/8/8/8/8/4K3/7R", Color::White, king, File::H, false);
    check("4k3/8/8/8/8/8/8/R3K3", Color::White, king, File::A, false);
    check("4k3/8/8/8/8/8/8/4K2R", Color::White, queen, File::H, false);
    let error = PositionError::CastlingRight { color: Color::Black, rook: square("b8") };
    assert_eq!(error.to_string(), "black cannot have the right to castle with a rook on b8");
}

#[test]
fn an_en_passant_square_needs_a_double_advance() {
    let check = |board: &str, side: Color, target: &str, expected: Option<Option<&str>>| {
        let setup = Setup { side_to_move: side, en_passant: Some(square(target)), ..setup(board) };
        let expected = match expected {
            Some(kept) => Ok(kept.map(square)),
            None => Err(PositionError::EnPassant { square: square(target) }),
        };
        assert_eq!(
            Position::from_setup(&setup).map(|position| position.en_passant()),
            expected,
            "{board} {target}"
        );
    };
    check("4k3/8/8/3pP3/8/8/8/4K3", Color::White, "d6", Some(Some("d6")));
    check("4k3/8/8/8/3pP3/8/8/4K3", Color::Black, "e3", Some(Some("e3")));
    // Nobody can capture, or the capture leaves the king to a rook: possible, and dropped.
    check("4k3/8/8/3p4/8/8/8/4K3", Color::White, "d6", Some(None));
    check("4k3/8/8/K2pP2r/8/8/8/8", Color::White, "d6", Some(None));
    // Wrong rank, the square or the one behind it occupied, no pawn in front, one's own pawn in
    // front.
    check("4k3/8/3pP3/8/8/8/8/4K3", Color::White, "d7", None);
    check("4k3/8/8/8/3pP3/8/8/4K3", Color::White, "e3", None);
    check("4k3/8/3n4/3pP3/8/8/8/4K3", Color::White, "d6", None);
    check("4k3/3n4/8/3pP3/8/8/8/4K3", Color::White, "d6", None);
    check("4k3/8/8/3nP3/8/8/8/4K3", Color::White, "d6", None);
    check("4k3/8/8/3PP3/8/8/8/4K3", Color::White, "d6", None);
    check("4k3/8/8/4P3/8/8/8/4K3", Color::White, "d6", None);
    let error = PositionError::EnPassant { square: square("d6") };
    assert_eq!(error.to_string(), "no pawn can have passed d6 with the last move");
}

#[test]
fn nothing_else_is_examined() {
    for board in [
        // Bare kings; 54 queens; nine pawns; three checkers; a check no move can have given.
        "4k3/8/8/8/8/8/8/4K3",
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ",
        "4k3/8/8/8/8/P7/PPPPPPPP/4K3",
        "4k3/8/8/8/4r3/8/3n1p2/r3K2r",
        "4k3/8/8/8/8/2n5/3p1p2/4K3",
    ] {
        assert!(Position::from_setup(&setup(board)).is_ok(), "{board}");
    }
}

#[test]
fn counters_are_kept_as_they_are() {
    let setup = Setup { halfmove_clock: 321, fullmove_number: 0, ..setup("4k3/8/8/8/8/8/8/4K3") };
    let position = Position::from_setup(&setup).expect("the pieces are in order");
    assert_eq!((position.halfmove_clock(), position.fullmove_number()), (321, 0));
    assert_eq!(position.setup(), setup);
}

fn back_rank(position: &Position) -> String {
    File::ALL
        .iter()
        .map(|&file| {
            position.piece_at(Square::new(file, Color::White.back_rank())).expect("a full rank").letter()
        })
        .collect()
}

#[test]
fn chess960_start_positions_have_their_scharnagl_numbers() {
    for (number, expected) in [
        (0, "BBQNNRKR"),
        (1, "BQNBNRKR"),
        (4, "QBBNNRKR"),
        (16, "BBNQNRKR"),
        (96, "BBQNRNKR"),
        (518, "RNBQKBNR"),
        (534, "RNBKQBNR"),
        (959, "RKRNNQBB"),
    ] {
        assert_eq!(back_rank(&Position::chess960(number)), expected, "{number}");
    }
    assert_eq!(Position::chess960(518), Position::standard());
    assert_eq!(Position::standard().castling_rights(), CastlingRights::STANDARD);
}

#[test]
fn the_960_start_positions_are_all_of_them() {
    let all: BTreeSet<String> = (0..960).map(|number| back_rank(&Position::chess960(number))).collect();
    assert_eq!(all.len(), 960);
    for rank in all {
        let squares = |letter| rank.match_indices(letter).map(|(index, _)| index).collect::<Vec<_>>();
        let (bishops, rooks, kings) = (squares('B'), squares('R'), squares('K'));
        assert_ne!(bishops[0] % 2, bishops[1] % 2, "{rank}: bishops on both colours");
        assert!(rooks[0] < kings[0] && kings[0] < rooks[1], "{rank}: the king between the rooks");
    }
}

#[test]
#[should_panic(expected = "numbered 0 to 959")]
fn there_is_no_start_position_960() {
    drop(Position::chess960(960));
}

#[test]
fn roles_are_counted_by_colour() {
    let position = Position::standard();
    assert_eq!(position.pieces(Color::Black, Role::Pawn).count(), 8);
    assert_eq!(position.by_role(Role::Rook).count(), 4);
    assert_eq!(position.king(Color::Black), square("e8"));
    assert_eq!(position.attackers(square("f3"), Color::White).count(), 3);
}
