//! A second implementation of articles 3.1 to 3.9, to compare with: a board of squares, every move
//! made and the king looked at. Slow and simple; nothing of `rules::board` but its plain values is
//! used.

use std::collections::BTreeSet;

use zeitnot_rules::board::{CastlingSide, Color, File, Move, Piece, Rank, Role, Setup, Square};

const STRAIGHT: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const KNIGHT: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

type Board = [Option<Piece>; 64];

/// From, to, promotion: a move that can be sorted.
pub(crate) type Key = (Square, Square, Option<Role>);

pub(crate) fn key(mv: &Move) -> Key {
    (mv.from, mv.to, mv.promotion)
}

fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

fn back_rank(color: Color) -> Rank {
    if color == Color::White { Rank::First } else { Rank::Eighth }
}

/// The squares a piece reaches by steps in these directions, up to and with the first occupied one.
fn slide(board: &Board, from: Square, directions: &[(i8, i8)]) -> Vec<Square> {
    let mut reached = Vec::new();
    for &(files, ranks) in directions {
        let mut square = from;
        while let Some(next) = square.offset(files, ranks) {
            reached.push(next);
            if board[next.index()].is_some() {
                break;
            }
            square = next;
        }
    }
    reached
}

fn steps(from: Square, steps: &[(i8, i8)]) -> Vec<Square> {
    steps.iter().filter_map(|&(files, ranks)| from.offset(files, ranks)).collect()
}

fn attacks(board: &Board, from: Square, piece: Piece) -> Vec<Square> {
    match piece.role {
        Role::Pawn => steps(from, &[(-1, forward(piece.color)), (1, forward(piece.color))]),
        Role::Knight => steps(from, &KNIGHT),
        Role::King => steps(from, &[STRAIGHT, DIAGONAL].concat()),
        Role::Bishop => slide(board, from, &DIAGONAL),
        Role::Rook => slide(board, from, &STRAIGHT),
        Role::Queen => slide(board, from, &[STRAIGHT, DIAGONAL].concat()),
    }
}

pub(crate) fn attackers(board: &Board, target: Square, by: Color) -> BTreeSet<Square> {
    Square::all()
        .filter(|&from| {
            board[from.index()]
                .is_some_and(|piece| piece.color == by && attacks(board, from, piece).contains(&target))
        })
        .collect()
}

fn king(board: &Board, color: Color) -> Square {
    let king = Some(Piece { color, role: Role::King });
    Square::all().find(|square| board[square.index()] == king).expect("each side has a king")
}

/// The pieces whose removal would open the king to one more attacker.
pub(crate) fn pinned(setup: &Setup) -> BTreeSet<Square> {
    let us = setup.side_to_move;
    let king = king(&setup.pieces, us);
    let now = attackers(&setup.pieces, king, !us);
    let opens = |square: &Square| {
        let mut board = setup.pieces;
        let own = board[square.index()].take().is_some_and(|piece| piece.color == us);
        own && *square != king && attackers(&board, king, !us) != now
    };
    Square::all().filter(opens).collect()
}

fn in_check(board: &Board, color: Color) -> bool {
    !attackers(board, king(board, color), !color).is_empty()
}

/// The board after a move that is possible apart from the king's safety.
fn moved(setup: &Setup, mv: Move) -> Board {
    let mut board = setup.pieces;
    let us = setup.side_to_move;
    let piece = board[mv.from.index()].take().expect("the mover stands there");
    if piece.role == Role::King && board[mv.to.index()] == Some(Piece { color: us, role: Role::Rook }) {
        let (king_file, rook_file) = if mv.to > mv.from { (File::G, File::F) } else { (File::C, File::D) };
        let rook = board[mv.to.index()].take();
        board[Square::new(king_file, back_rank(us)).index()] = Some(piece);
        board[Square::new(rook_file, back_rank(us)).index()] = rook;
        return board;
    }
    if piece.role == Role::Pawn && mv.from.file() != mv.to.file() && board[mv.to.index()].is_none() {
        board[Square::new(mv.to.file(), mv.from.rank()).index()] = None;
    }
    board[mv.to.index()] = Some(Piece { color: us, role: mv.promotion.unwrap_or(piece.role) });
    board
}

fn pawn_targets(setup: &Setup, from: Square) -> Vec<Square> {
    let us = setup.side_to_move;
    let empty = |square: &Square| setup.pieces[square.index()].is_none();
    let mut targets = Vec::new();
    if let Some(once) = from.offset(0, forward(us)).filter(empty) {
        targets.push(once);
        let home = if us == Color::White { Rank::Second } else { Rank::Seventh };
        targets.extend(once.offset(0, forward(us)).filter(empty).filter(|_| from.rank() == home));
    }
    for target in steps(from, &[(-1, forward(us)), (1, forward(us))]) {
        let enemy = setup.pieces[target.index()].is_some_and(|piece| piece.color != us);
        if enemy || setup.en_passant == Some(target) {
            targets.push(target);
        }
    }
    targets
}

/// Article 3.8.2 as `docs/laws.md` words it.
fn can_castle(setup: &Setup, side: CastlingSide) -> Option<Move> {
    let (us, board) = (setup.side_to_move, &setup.pieces);
    let rook = setup.castling.rook(us, side)?;
    let king = king(board, us);
    let (king_file, rook_file) = match side {
        CastlingSide::King => (File::G, File::F),
        CastlingSide::Queen => (File::C, File::D),
    };
    let files = |from: Square, goal: File| {
        let (low, high) = (from.file().min(goal), from.file().max(goal));
        Square::all()
            .filter(move |square| square.rank() == back_rank(us) && (low..=high).contains(&square.file()))
    };
    let mut way = files(king, king_file).chain(files(rook, rook_file));
    let free = way.all(|square| square == king || square == rook || board[square.index()].is_none());
    let unattacked = files(king, king_file).all(|square| {
        // Only what the king itself hides could differ, and then the king is in check.
        attackers(board, square, !us).is_empty()
    });
    (free && unattacked).then_some(Move::new(king, rook))
}

/// Every legal move.
pub(crate) fn legal_moves(setup: &Setup) -> BTreeSet<Key> {
    let us = setup.side_to_move;
    let mut moves = Vec::new();
    for from in Square::all() {
        let Some(piece) = setup.pieces[from.index()].filter(|piece| piece.color == us) else { continue };
        let targets = match piece.role {
            Role::Pawn => pawn_targets(setup, from),
            _ => attacks(&setup.pieces, from, piece),
        };
        for to in targets {
            let last_rank = piece.role == Role::Pawn && to.rank() == back_rank(!us);
            if setup.pieces[to.index()].is_some_and(|piece| piece.color == us) {
                continue;
            }
            if last_rank {
                moves.extend(
                    Role::PROMOTIONS.map(|role| Move { promotion: Some(role), ..Move::new(from, to) }),
                );
            } else {
                moves.push(Move::new(from, to));
            }
        }
    }
    moves.extend(CastlingSide::ALL.iter().filter_map(|&side| can_castle(setup, side)));
    moves.iter().filter(|&&mv| !in_check(&moved(setup, mv), us)).map(key).collect()
}

/// The position after a legal move, as a setup: with every en passant square, also where no capture
/// is legal.
pub(crate) fn after(setup: &Setup, mv: Move) -> Setup {
    let us = setup.side_to_move;
    let piece = setup.pieces[mv.from.index()].expect("the mover stands there");
    let castles = setup.pieces[mv.to.index()].is_some_and(|piece| piece.color == us);
    let captures = setup.pieces[mv.to.index()].is_some() && !castles;
    let mut next = Setup { pieces: moved(setup, mv), side_to_move: !us, en_passant: None, ..setup.clone() };
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let Some(rook) = setup.castling.rook(color, side) else { continue };
            if color == us && piece.role == Role::King || rook == mv.from || rook == mv.to {
                next.castling.set(color, side, None);
            }
        }
    }
    next.halfmove_clock =
        if captures || piece.role == Role::Pawn { 0 } else { setup.halfmove_clock.saturating_add(1) };
    if us == Color::Black {
        next.fullmove_number = setup.fullmove_number.saturating_add(1);
    }
    if piece.role == Role::Pawn && mv.from.offset(0, 2 * forward(us)) == Some(mv.to) {
        next.en_passant = mv.from.offset(0, forward(us));
    }
    next
}

/// The acceptance list of `docs/laws.md`.
pub(crate) fn is_accepted(setup: &Setup) -> bool {
    let board = &setup.pieces;
    let count = |piece: Piece| board.iter().filter(|there| **there == Some(piece)).count();
    if Color::ALL.iter().any(|&color| count(Piece { color, role: Role::King }) != 1) {
        return false;
    }
    let pawn_at_the_end = Square::all().any(|square| {
        matches!(square.rank(), Rank::First | Rank::Eighth)
            && board[square.index()].is_some_and(|piece| piece.role == Role::Pawn)
    });
    let rights_are_possible = Color::ALL.iter().all(|&color| {
        CastlingSide::ALL.iter().all(|&side| {
            let Some(rook) = setup.castling.rook(color, side) else { return true };
            let king = king(board, color);
            let right_side = if side == CastlingSide::King { rook > king } else { rook < king };
            right_side
                && king.rank() == back_rank(color)
                && board[rook.index()] == Some(Piece { color, role: Role::Rook })
        })
    });
    let us = setup.side_to_move;
    let en_passant_is_possible = setup.en_passant.is_none_or(|target| {
        let at = |ranks: i8| target.offset(0, ranks).map(|square| board[square.index()]);
        target.rank() == if us == Color::White { Rank::Sixth } else { Rank::Third }
            && at(0) == Some(None)
            && at(forward(us)) == Some(None)
            && at(-forward(us)) == Some(Some(Piece { color: !us, role: Role::Pawn }))
    });
    !pawn_at_the_end && rights_are_possible && en_passant_is_possible && !in_check(board, !us)
}
