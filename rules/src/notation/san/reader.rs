//! Reads a move in standard algebraic notation, tolerantly: the text is only a pattern that legal
//! moves must fit.

use super::SanError;
use crate::board::{
    Bitboard, CastlingSide, Color, File, Move, Position, Rank, Role, Square, bishop_attacks, king_attacks,
    knight_attacks, queen_attacks, rook_attacks,
};

/// Reads the one legal move of `position` that `text` names.
///
/// # Errors
/// [`SanError`] tells apart what is no move, a null move, and what fits no legal move or several.
pub fn parse(text: &str, position: &Position) -> Result<Move, SanError> {
    match Pattern::read(text)? {
        Pattern::Castling(side) => castling(side, position),
        Pattern::Pawn { from_file, from_rank, to, promotion } => {
            pawn(from_file.unwrap_or(to.file()), from_rank, to, promotion, position)
        }
        Pattern::Piece { role, from_file, from_rank, to } => piece(role, from_file, from_rank, to, position),
    }
}

/// What a text says about a move.
enum Pattern {
    Castling(CastlingSide),
    Pawn { from_file: Option<File>, from_rank: Option<Rank>, to: Square, promotion: Option<Role> },
    Piece { role: Role, from_file: Option<File>, from_rank: Option<Rank>, to: Square },
}

impl Pattern {
    fn read(text: &str) -> Result<Self, SanError> {
        let text = without_marks(text.trim_ascii());
        match text {
            "--" | "Z0" | "0000" | "@@@@" | "null" | "pass" => return Err(SanError::NullMove),
            "O-O" | "0-0" | "o-o" => return Ok(Self::Castling(CastlingSide::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Ok(Self::Castling(CastlingSide::Queen)),
            _ => {}
        }
        let (text, promotion) = split_promotion(text.as_bytes());
        // From the end: the target square, a mark, and whatever is given of the square of origin.
        let (text, to) = split_square(text).ok_or(SanError::Malformed)?;
        let text =
            text.strip_suffix(b"x").or(text.strip_suffix(b"-")).or(text.strip_suffix(b":")).unwrap_or(text);
        let (text, from_rank) = split_last(text, |letter| Rank::from_digit(letter as char));
        let (text, from_file) = split_last(text, |letter| File::from_letter(letter as char));
        match (text, promotion) {
            ([] | b"P", _) => Ok(Self::Pawn { from_file, from_rank, to, promotion }),
            ([letter @ (b'N' | b'B' | b'R' | b'Q' | b'K')], None) => {
                let role = Role::from_letter(*letter as char).ok_or(SanError::Malformed)?;
                Ok(Self::Piece { role, from_file, from_rank, to })
            }
            _ => Err(SanError::Malformed),
        }
    }
}

/// Removes what follows a move: `+`, `#`, `!`, `?`, `e.p.`, in any number and order.
fn without_marks(mut text: &str) -> &str {
    loop {
        let bare = text.trim_end_matches(['+', '#', '!', '?', ' ']);
        let bare = bare.strip_suffix("e.p.").or(bare.strip_suffix("ep")).unwrap_or(bare);
        if bare.len() == text.len() {
            return text;
        }
        text = bare;
    }
}

/// `e8=Q` or `e8Q`, in either case.
fn split_promotion(text: &[u8]) -> (&[u8], Option<Role>) {
    let (square, promotion) = split_last(text, |letter| match letter.to_ascii_lowercase() {
        b'n' | b'b' | b'r' | b'q' => Role::from_letter(letter as char),
        _ => None,
    });
    (if promotion.is_some() { square.strip_suffix(b"=").unwrap_or(square) } else { square }, promotion)
}

fn split_square(text: &[u8]) -> Option<(&[u8], Square)> {
    let (text, rank) = split_last(text, |digit| Rank::from_digit(digit as char));
    let (text, file) = split_last(text, |letter| File::from_letter(letter as char));
    Some((text, Square::new(file?, rank?)))
}

/// The last character read by `read`, and the text before it; the whole text when that character is
/// something else.
fn split_last<T>(text: &[u8], read: impl FnOnce(u8) -> Option<T>) -> (&[u8], Option<T>) {
    match text.split_last() {
        Some((&last, before)) => match read(last) {
            Some(value) => (before, Some(value)),
            None => (text, None),
        },
        None => (text, None),
    }
}

fn castling(side: CastlingSide, position: &Position) -> Result<Move, SanError> {
    let us = position.side_to_move();
    let rook = position.castling_rights().rook(us, side).ok_or(SanError::Illegal)?;
    legal(Move::new(position.king(us), rook), position)
}

/// A pawn without a file of its own is one that advances: the square it goes to allows one move at
/// most.
fn pawn(
    from_file: File,
    from_rank: Option<Rank>,
    to: Square,
    promotion: Option<Role>,
    position: &Position,
) -> Result<Move, SanError> {
    let us = position.side_to_move();
    let pawns = position.pieces(us, Role::Pawn);
    let back = if us == Color::White { -1 } else { 1 };
    let files = from_file.index() as i8 - to.file().index() as i8;
    let one = to.offset(files, back).filter(|&from| pawns.contains(from));
    let two = || to.offset(0, 2 * back).filter(|&from| files == 0 && pawns.contains(from));
    let from = one.or_else(two).ok_or(SanError::Illegal)?;
    if from_rank.is_some_and(|rank| rank != from.rank()) {
        return Err(SanError::Illegal);
    }
    legal(Move { from, to, promotion }, position)
}

fn piece(
    role: Role,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
    position: &Position,
) -> Result<Move, SanError> {
    let own = position.by_color(position.side_to_move());
    // The board represents castling as the king onto its own rook, but it is never written so.
    if own.contains(to) {
        return Err(SanError::Illegal);
    }
    let reach = match role {
        Role::Knight => knight_attacks(to),
        Role::Bishop => bishop_attacks(to, position.occupied()),
        Role::Rook => rook_attacks(to, position.occupied()),
        Role::Queen => queen_attacks(to, position.occupied()),
        Role::King => king_attacks(to),
        Role::Pawn => Bitboard::EMPTY,
    };
    let mut candidates = reach & position.pieces(position.side_to_move(), role);
    if let Some(file) = from_file {
        candidates &= Bitboard::from_file(file);
    }
    if let Some(rank) = from_rank {
        candidates &= Bitboard::from_rank(rank);
    }
    let mut fitting =
        candidates.into_iter().map(|from| Move::new(from, to)).filter(|&mv| position.is_legal(mv));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(SanError::Ambiguous),
        (None, _) => Err(SanError::Illegal),
    }
}

fn legal(mv: Move, position: &Position) -> Result<Move, SanError> {
    if position.is_legal(mv) { Ok(mv) } else { Err(SanError::Illegal) }
}
