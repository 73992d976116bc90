//! docs/laws.md, "Any series of legal moves" and 14E: who can still checkmate, by the material that
//! is left.

use zeitnot_rules::board::{
    Bitboard, CastlingRights, Color, Move, Piece, Position, Role, Setup, Square, bishop_attacks,
    king_attacks, knight_attacks,
};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Proof, cannot_checkmate, draw_on_time, is_dead};

use crate::script::check;
use crate::table::{board, us};

/// Black's pieces on the fifth rank and White's on the fourth, beside the kings in their corners.
/// There a5 and b4 are dark, b5 and c4 light.
fn corners(rank5: &str, rank4: &str) -> Position {
    let text = format!("7k/8/8/{rank5}/{rank4}/8/8/K7 w - - 0 1");
    fen::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[track_caller]
fn check_material(rank4: &str, rank5: &str, white_can: bool, black_can: bool) {
    let position = corners(rank5, rank4);
    let can = |color| cannot_checkmate(&position, color).is_none();
    assert_eq!((can(Color::White), can(Color::Black)), (white_can, black_can), "{rank4} against {rank5}");
    assert_eq!(is_dead(&position), (!white_can && !black_can).then_some(Proof::Material));
}

#[test]
fn a_bare_king_checkmates_nobody() {
    check_material("8", "8", false, false);
    for black in ["1p6", "1r6", "1q6", "1nn5", "bb6", "bn6"] {
        check_material("8", black, false, true);
    }
}

#[test]
fn a_lone_knight_needs_a_piece_that_takes_a_flight_square() {
    check_material("1N6", "8", false, false);
    check_material("1N6", "1q6", false, true);
    check_material("1N6", "1qq5", false, true);
    for black in ["1p6", "1n6", "1b6", "b7", "1r6", "1qr5"] {
        check_material("1N6", black, true, true);
    }
}

#[test]
fn bishops_on_one_colour_need_a_piece_that_guards_the_other_one() {
    for white in ["1B6", "1B3B2"] {
        check_material(white, "8", false, false);
        check_material(white, "b7", false, false);
        check_material(white, "1r6", false, true);
        check_material(white, "1q6", false, true);
        check_material(white, "br6", false, true);
        for black in ["1b6", "1p6", "1n6"] {
            check_material(white, black, true, true);
        }
    }
}

#[test]
fn anything_more_can_checkmate_with_the_opponents_help() {
    for white in ["1P6", "1R6", "1Q6", "1NN5", "1BB5", "1BN5"] {
        check_material(white, "8", true, false);
        check_material(white, "1q6", true, true);
    }
}

/// Squares that hold every king's place up to turning and mirroring the board.
fn a_tenth_of_the_board() -> impl Iterator<Item = Square> {
    Square::all().filter(|square| square.file() as u8 <= 3 && square.rank() as u8 <= square.file() as u8)
}

/// Looks at every position in which `checker` gives check, wherever the other king stands and
/// whichever of the squares around the king in check are taken by `blockers` of its own.
#[track_caller]
fn check_no_mate(checker: Role, blocker: Role) {
    let mut looked_at = 0_u32;
    for king in a_tenth_of_the_board() {
        let from = match checker {
            Role::Knight => knight_attacks(king),
            _ => bishop_attacks(king, Bitboard::EMPTY),
        };
        let around: Vec<Square> = king_attacks(king).into_iter().collect();
        for (checking, other_king) in
            from.into_iter().flat_map(|from| Square::all().map(move |to| (from, to)))
        {
            for blocked in 0_u32..1 << around.len() {
                let mut pieces = [None; 64];
                for (_, square) in around.iter().enumerate().filter(|(nth, _)| blocked >> nth & 1 == 1) {
                    pieces[square.index()] = Some(Piece { color: Color::Black, role: blocker });
                }
                if pieces[checking.index()].is_some() || pieces[other_king.index()].is_some() {
                    continue;
                }
                pieces[king.index()] = Some(Piece { color: Color::Black, role: Role::King });
                pieces[other_king.index()] = Some(Piece { color: Color::White, role: Role::King });
                pieces[checking.index()] = Some(Piece { color: Color::White, role: checker });
                let setup = Setup {
                    pieces,
                    side_to_move: Color::Black,
                    castling: CastlingRights::NONE,
                    en_passant: None,
                    halfmove_clock: 0,
                    fullmove_number: 1,
                };
                let Ok(position) = Position::from_setup(&setup) else { continue };
                assert!(position.has_legal_move(), "{} is checkmate", fen::write(&position));
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 10_000, "positions were looked at: {looked_at}");
}

#[test]
fn no_lone_knight_checkmates_a_king_among_queens() {
    check_no_mate(Role::Knight, Role::Queen);
}

#[test]
fn no_lone_bishop_checkmates_a_king_among_rooks_or_queens() {
    check_no_mate(Role::Bishop, Role::Rook);
    check_no_mate(Role::Bishop, Role::Queen);
}

/// White mates with this move: so White could, and it is not said that White cannot.
#[track_caller]
fn check_mate_is_possible(text: &str, mv: &str) {
    let mut position = fen::parse(text).expect("the FEN is right");
    assert_eq!(cannot_checkmate(&position, Color::White), None);
    let (from, to) = mv.split_at(2);
    let square = |text: &str| text.parse().expect("a square");
    position.play(Move::new(square(from), square(to))).expect("the move is legal");
    assert!(position.in_check() && !position.has_legal_move(), "{} is checkmate", fen::write(&position));
}

#[test]
fn what_material_is_said_to_allow_is_possible() {
    // A knight against a pawn, a knight, a bishop, a rook.
    check_mate_is_possible("8/8/8/8/3N4/8/p1K5/k7 w - - 0 1", "d4b3");
    check_mate_is_possible("8/8/8/8/3N4/8/n1K5/k7 w - - 0 1", "d4b3");
    check_mate_is_possible("8/8/8/8/3N4/K7/8/kb6 w - - 0 1", "d4b3");
    check_mate_is_possible("8/8/8/8/3N4/K7/8/kr6 w - - 0 1", "d4c2");
    // A bishop against a pawn, a knight, a bishop on the other colour.
    check_mate_is_possible("8/8/8/8/8/4B3/p1K5/k7 w - - 0 1", "e3d4");
    check_mate_is_possible("8/8/8/8/8/1K6/8/knB5 w - - 0 1", "c1b2");
    check_mate_is_possible("8/8/8/8/8/1K6/8/kbB5 w - - 0 1", "c1b2");
    // Two knights.
    check_mate_is_possible("8/8/8/8/3N4/1K6/3N4/k7 w - - 0 1", "d4c2");
}

#[test]
fn two_bishops_on_one_colour_that_give_check_at_once_may_be_checkmate() {
    for (text, winner) in [
        ("8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1", Color::Black),
        ("5B2/7r/5K1k/7r/8/4B3/8/8 b - - 0 1", Color::White),
    ] {
        let position = fen::parse(text).expect("the FEN is right");
        assert!(position.in_check() && !position.has_legal_move(), "{text} is checkmate");
        assert_eq!(cannot_checkmate(&position, winner), None, "{text}");
    }
}

#[test]
fn us14e_a_bare_king_draws_on_time() {
    for black in ["8", "1p6", "1q6"] {
        assert!(draw_on_time(&corners(black, "8"), Color::Black), "{black}");
    }
}

#[test]
fn us14e_one_minor_piece_draws_on_time() {
    for white in ["1N6", "1B6"] {
        for black in ["8", "1p6", "1n6", "1q6"] {
            assert!(draw_on_time(&corners(black, white), Color::Black), "{white} against {black}");
        }
    }
}

#[test]
fn us14e_two_knights_draw_on_time_without_a_pawn_of_the_flagged_side() {
    assert!(draw_on_time(&corners("8", "1NN5"), Color::Black));
    assert!(draw_on_time(&corners("1q6", "1NN5"), Color::Black));
    assert!(!draw_on_time(&corners("1p6", "1NN5"), Color::Black));
}

#[test]
fn us14e_anything_more_wins_on_time() {
    for white in ["1P6", "1R6", "1Q6", "1BB5", "1BN5", "1NNN4", "1B3B2"] {
        assert!(!draw_on_time(&corners("1p6", white), Color::Black), "{white}");
    }
}

#[test]
fn a_flag_under_us_chess_is_decided_by_14e() {
    let flag = "180 deadline => flag b\n180 answer => end";
    let knight = us().fen("k7/p7/8/8/8/8/8/K5N1 w - - 0 1");
    check(knight, &format!("0 play Kb1\n{flag} 1/2-1/2 flag"));
    let king = us().fen("k7/p7/8/8/8/8/8/K7 w - - 0 1");
    check(king, &format!("0 play Kb1\n{flag} 1/2-1/2 flag by material"));
    let rook = us().fen("k7/p7/8/8/8/8/8/K5R1 w - - 0 1");
    check(rook, &format!("0 play Kb1\n{flag} 1-0 flag"));
}

#[test]
fn us14e_is_also_a_draw_when_the_opponent_cannot_mate_by_any_series() {
    let flag = "0 play Kb2\n180 deadline => flag b\n180 answer => end";
    let one_colour = us().fen("k6r/8/8/8/8/8/8/KB1B4 w - - 0 1");
    check(one_colour, &format!("{flag} 1/2-1/2 flag by material"));
    let both_colours = us().fen("k6r/8/8/8/8/8/8/KBB5 w - - 0 1");
    check(both_colours, &format!("{flag} 1-0 flag"));
}

#[test]
fn article_6_9_is_no_14e() {
    let knight = board().fen("k7/p7/8/8/8/8/8/K5N1 w - - 0 1");
    check(knight, "0 play Kb1\n180 deadline => flag b\n180 answer => end 1-0 flag");
}
