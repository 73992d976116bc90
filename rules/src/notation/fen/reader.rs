//! Reads a FEN field by field. No field is trusted: digits may overflow, letters may name rooks
//! that do not exist.

use super::FenError;
use crate::board::{CastlingRights, CastlingSide, Color, File, Piece, Position, Rank, Role, Setup, Square};

type Pieces = [Option<Piece>; 64];

/// Reads a position.
///
/// # Errors
/// [`FenError`] says which field cannot be read and where, or why the position is not possible.
pub fn parse(text: &str) -> Result<Position, FenError> {
    let (fields, found) = fields(text);
    if found != 4 && found != 6 {
        return Err(FenError::FieldCount { found });
    }
    let [board, side, castling, en_passant, halfmoves, fullmoves] = fields;
    let pieces = pieces(board)?;
    let setup = Setup {
        side_to_move: match side {
            "w" => Color::White,
            "b" => Color::Black,
            _ => return Err(FenError::SideToMove),
        },
        castling: castling_rights(castling, &pieces)?,
        en_passant: match en_passant {
            "-" => None,
            square => Some(square.parse().map_err(|_| FenError::EnPassant)?),
        },
        halfmove_clock: if found == 4 { 0 } else { number(halfmoves).ok_or(FenError::HalfmoveClock)? },
        fullmove_number: if found == 4 { 1 } else { number(fullmoves).ok_or(FenError::FullmoveNumber)? },
        pieces,
    };
    Ok(Position::from_setup(&setup)?)
}

/// The first six fields, and how many there are; 7 stands for all higher numbers.
fn fields(text: &str) -> ([&str; 6], u8) {
    let mut fields = [""; 6];
    let mut found = 0;
    for field in text.split_ascii_whitespace().take(7) {
        if let Some(place) = fields.get_mut(usize::from(found)) {
            *place = field;
        }
        found += 1;
    }
    (fields, found)
}

fn pieces(board: &str) -> Result<Pieces, FenError> {
    let mut pieces = [None; 64];
    let mut ranks = Rank::ALL.into_iter().rev();
    let mut first = 1;
    for text in board.split('/') {
        let rank = ranks.next().ok_or(FenError::RankCount)?;
        read_rank(text, rank, first, &mut pieces)?;
        first += text.chars().count() + 1;
    }
    if ranks.next().is_some() { Err(FenError::RankCount) } else { Ok(pieces) }
}

/// Puts the pieces of one rank on the board; `first` is the number of its first character.
fn read_rank(text: &str, rank: Rank, first: usize, pieces: &mut Pieces) -> Result<(), FenError> {
    let mut files = 0;
    for (at, found) in (first..).zip(text.chars()) {
        if let '1'..='8' = found {
            files += found as usize - '0' as usize;
        } else {
            let piece = Piece::from_letter(found).ok_or(FenError::BoardCharacter { at, found })?;
            let file = *File::ALL.get(files).ok_or(FenError::RankLength { rank })?;
            pieces[Square::new(file, rank).index()] = Some(piece);
            files += 1;
        }
        if files > 8 {
            return Err(FenError::RankLength { rank });
        }
    }
    if files == 8 { Ok(()) } else { Err(FenError::RankLength { rank }) }
}

fn castling_rights(text: &str, pieces: &Pieces) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Ok(rights);
    }
    for (at, found) in (1..).zip(text.chars()) {
        let color = if found.is_ascii_uppercase() { Color::White } else { Color::Black };
        let (side, file) = match found.to_ascii_lowercase() {
            'k' => castle(color, pieces, |king| outermost(color, CastlingSide::King, king, pieces)),
            'q' => castle(color, pieces, |king| outermost(color, CastlingSide::Queen, king, pieces)),
            letter @ 'a'..='h' => castle(color, pieces, |_| {
                File::from_letter(letter).filter(|&file| has(pieces, color, Role::Rook, file))
            }),
            _ => return Err(FenError::CastlingCharacter { at, found }),
        }
        .ok_or(FenError::CastlingRook { at, color })?;
        if rights.rook_file(color, side).is_some() {
            return Err(FenError::CastlingTwice { at, color });
        }
        rights.set(color, side, Some(file));
    }
    Ok(rights)
}

/// The rook that `find` gives for the file of `color`'s king, and the side it is on.
fn castle(
    color: Color,
    pieces: &Pieces,
    find: impl FnOnce(File) -> Option<File>,
) -> Option<(CastlingSide, File)> {
    let king = File::ALL.into_iter().find(|&file| has(pieces, color, Role::King, file))?;
    let rook = find(king)?;
    Some((if rook > king { CastlingSide::King } else { CastlingSide::Queen }, rook))
}

/// The rook of `color` farthest from its king on one side.
fn outermost(color: Color, side: CastlingSide, king: File, pieces: &Pieces) -> Option<File> {
    let is_rook = |file: &File| has(pieces, color, Role::Rook, *file);
    match side {
        CastlingSide::King => File::ALL.into_iter().rev().take_while(|&file| file > king).find(is_rook),
        CastlingSide::Queen => File::ALL.into_iter().take_while(|&file| file < king).find(is_rook),
    }
}

/// Whether that piece stands on the back rank of its colour.
fn has(pieces: &Pieces, color: Color, role: Role, file: File) -> bool {
    pieces[Square::new(file, color.back_rank()).index()] == Some(Piece { color, role })
}

/// A number of digits only, without sign; `None` when it is no number or above 65535.
fn number(text: &str) -> Option<u16> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}
