//! Random games beside cozy-chess: after every ply both must see the same position and the same
//! legal moves.
//!
//! Standard chess, every Chess960 start position, and start positions that differ for the two
//! sides. A failure names the seed of its game and the position.

use std::collections::BTreeSet;

use cozy_chess as cozy;
use zeitnot_rules::board::{
    Bitboard, CastlingRights, CastlingSide, Color, File, Move, Piece, Position, Role, Setup, Square,
};
use zeitnot_rules::notation::fen;

use crate::playout::{self, Random};

type Text = (String, String, Option<char>);

fn our_moves(position: &Position) -> BTreeSet<Text> {
    let moves = position.legal_moves();
    let text = |mv: &Move| (mv.from.to_string(), mv.to.to_string(), mv.promotion.map(Role::letter));
    let set: BTreeSet<_> = moves.iter().map(text).collect();
    assert_eq!(set.len(), moves.len(), "no move twice in {}", fen::write(position));
    set
}

fn their_moves(board: &cozy::Board) -> BTreeSet<Text> {
    let mut set = BTreeSet::new();
    board.generate_moves(|moves| {
        for mv in moves {
            set.insert((mv.from.to_string(), mv.to.to_string(), mv.promotion.map(char::from)));
        }
        false
    });
    set
}

fn their_color(color: Color) -> cozy::Color {
    match color {
        Color::White => cozy::Color::White,
        Color::Black => cozy::Color::Black,
    }
}

/// The parts of their board as ours.
fn setup_of(board: &cozy::Board) -> Setup {
    let mut pieces = [None; 64];
    for square in Square::all() {
        let there = cozy::Square::index(square.index());
        if let (Some(color), Some(piece)) = (board.color_on(there), board.piece_on(there)) {
            let color = Color::ALL[color as usize];
            let role = Role::from_letter(char::from(piece)).expect("both know the same roles");
            pieces[square.index()] = Some(Piece { color, role });
        }
    }
    let mut castling = CastlingRights::NONE;
    for color in Color::ALL {
        let rights = board.castle_rights(their_color(color));
        let file = |file: Option<cozy::File>| file.map(|file| File::ALL[file as usize]);
        castling.set(color, CastlingSide::King, file(rights.short));
        castling.set(color, CastlingSide::Queen, file(rights.long));
    }
    Setup {
        pieces,
        side_to_move: Color::ALL[board.side_to_move() as usize],
        castling,
        en_passant: None,
        halfmove_clock: board.halfmove_clock().into(),
        fullmove_number: board.fullmove_number(),
    }
}

/// Whether they have a legal capture en passant: a pawn's diagonal move to an empty square.
fn their_en_passant(board: &cozy::Board) -> bool {
    let mut found = false;
    board.generate_moves(|moves| {
        for mv in moves {
            found |= moves.piece == cozy::Piece::Pawn
                && mv.from.file() != mv.to.file()
                && board.piece_on(mv.to).is_none();
        }
        found
    });
    found
}

/// Everything both can say about a position.
fn compare(ours: &Position, theirs: &cozy::Board, seed: u64) {
    let context = format!("seed {seed}: {}", fen::write(ours));
    let (setup, expected) = (ours.setup(), setup_of(theirs));
    assert_eq!(setup.pieces, expected.pieces, "pieces, {context}");
    assert_eq!(setup.side_to_move, expected.side_to_move, "side to move, {context}");
    assert_eq!(setup.castling, expected.castling, "castling rights, {context}");
    assert_eq!(setup.halfmove_clock.min(100), expected.halfmove_clock, "halfmove clock, {context}");
    assert_eq!(setup.fullmove_number, expected.fullmove_number, "move number, {context}");
    assert_eq!(ours.checkers(), Bitboard(theirs.checkers().0), "checkers, {context}");
    // Theirs has the enemy's pieces too that stand alone between a slider and the king.
    let pinned = Bitboard(theirs.pinned().0) & ours.by_color(ours.side_to_move());
    assert_eq!(ours.pinned(), pinned, "pinned, {context}");
    let moves = their_moves(theirs);
    assert_eq!(our_moves(ours), moves, "legal moves, {context}");
    assert_eq!(ours.has_legal_move(), !moves.is_empty(), "any legal move, {context}");
    assert_eq!(ours.en_passant().is_some(), their_en_passant(theirs), "en passant, {context}");
    if setup.halfmove_clock < 100 {
        let over = theirs.status() != cozy::GameStatus::Ongoing;
        assert_eq!(!ours.has_legal_move(), over, "checkmate or stalemate, {context}");
    }
}

/// One random game on both.
fn game(mut theirs: cozy::Board, plies: usize, seed: u64) {
    let start = Position::from_setup(&setup_of(&theirs)).expect("a start position is accepted");
    playout::playout(start, plies, &mut Random(seed), |ours, mv| {
        compare(ours, &theirs, seed);
        if let Some(mv) = mv {
            theirs.play(cozy::Move {
                from: cozy::Square::index(mv.from.index()),
                to: cozy::Square::index(mv.to.index()),
                promotion: mv.promotion.map(|role| cozy::Piece::index(role.index())),
            });
        }
    });
}

#[test]
fn standard_chess() {
    println!("seeds 0 to 99");
    for seed in 0..100 {
        game(cozy::Board::default(), 300, seed);
    }
}

#[test]
fn every_chess960_start_position() {
    println!("seeds 1000 to 1959, one for each start position");
    for number in 0..960 {
        assert_eq!(
            Position::chess960(number).setup(),
            setup_of(&cozy::Board::chess960_startpos(number.into()))
        );
        game(cozy::Board::chess960_startpos(number.into()), 40, 1000 + u64::from(number));
    }
}

#[test]
fn different_start_positions_for_the_two_sides() {
    println!("seeds 5000 to 5199");
    for seed in 5000..5200 {
        let mut random = Random(!seed);
        let board = cozy::Board::double_chess960_startpos(random.below(960) as u32, random.below(960) as u32);
        game(board, 100, seed);
    }
}
