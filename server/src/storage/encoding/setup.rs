//! What a game starts from: position, clocks, rules, players.

use zeitnot_rules::board::{ByColor, CastlingRights, CastlingSide, Color, Piece, Position, Role, Setup};
use zeitnot_rules::game::{
    Bonus, ClaimRule, CountRule, DrawOfferRule, FlagRule, GameSetup, IlcRule, Period, Profile, ProfileName,
    ResignationRule, ShownRating, Tags, TimeControl, Variant, WrongClaimRule,
};

use super::field::{DecodeError, Field, Read, Reader, Writer, layout, put_number};

/// What a game is, in one byte.
const RATED: u8 = 1;
const IMPORTED: u8 = 2;
const WHITE_BOT: u8 = 4;
const BLACK_BOT: u8 = 8;

impl Field for GameSetup {
    fn put(&self, out: &mut Writer<'_>) {
        let Self { variant, start, time_control, profile, players, names, by_lot, .. } = self;
        let Self { rated, ratings, bots, imported, began_unix_ms, .. } = self;
        variant.put(out);
        start.put(out);
        time_control.put(out);
        profile.put(out);
        players.put(out);
        began_unix_ms.put(out);
        names.put(out);
        by_lot.put(out);
        let flags = [
            (*rated, RATED),
            (imported.is_some(), IMPORTED),
            (bots.white, WHITE_BOT),
            (bots.black, BLACK_BOT),
        ];
        out.push(flags.iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, flag)| flags | flag));
        ratings.put(out);
        if let Some(tags) = imported {
            tags.put(out);
        }
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let mut setup = Self {
            variant: Field::get(reader)?,
            start: Field::get(reader)?,
            time_control: Field::get(reader)?,
            profile: Field::get(reader)?,
            players: Field::get(reader)?,
            names: ByColor::default(),
            by_lot: false,
            rated: false,
            ratings: ByColor::default(),
            bots: ByColor::default(),
            imported: None,
            began_unix_ms: Field::get(reader)?,
        };
        if reader.version > 1 {
            setup.names = Field::get(reader)?;
            setup.by_lot = Field::get(reader)?;
        }
        if reader.version > 3 {
            let flags = reader.byte()?;
            if flags & !(RATED | IMPORTED | WHITE_BOT | BLACK_BOT) != 0 {
                return Err(DecodeError::UnknownTag { what: "kind of game", tag: flags });
            }
            let is_set = |flag| flags & flag != 0;
            (setup.rated, setup.imported) = (is_set(RATED), is_set(IMPORTED).then(Tags::default));
            setup.bots = ByColor { white: is_set(WHITE_BOT), black: is_set(BLACK_BOT) };
            setup.ratings = Field::get(reader)?;
        }
        if reader.version > 4 && setup.imported.is_some() {
            setup.imported = Some(Field::get(reader)?);
        }
        Ok(setup)
    }
}

/// One number: the rating in bits 1 and above, bit 0 for a provisional one; 1 more than that, so that it is never 0.
impl Field for ShownRating {
    const NEVER_0: bool = true;

    fn put(&self, out: &mut Writer<'_>) {
        ((u32::from(self.rating) << 1 | u32::from(self.provisional)) + 1).put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let number = u32::get(reader)?.checked_sub(1);
        let rating = number.and_then(|number| u16::try_from(number >> 1).ok());
        let (number, rating) = number.zip(rating).ok_or(DecodeError::BadValue("rating"))?;
        Ok(Self { rating, provisional: number & 1 == 1 })
    }
}

/// The count, then names and values: each its length in bytes, then the bytes.
impl Field for Tags {
    fn put(&self, out: &mut Writer<'_>) {
        put_number(out, self.iter().len() as u64);
        for text in self.iter().flat_map(|(name, value)| [name, value]) {
            put_number(out, text.len() as u64);
            out.extend_from_slice(text.as_bytes());
        }
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let (count, mut texts) = (reader.count()?, Vec::new());
        for _ in 0..count.saturating_mul(2) {
            let length = reader.count()?;
            texts.push(reader.text::<String>(length, "tag")?);
        }
        let tags = Self::of(texts.chunks_exact(2).map(|tag| (&*tag[0], &*tag[1])));
        // Tags that would not be kept so were not written by this server.
        let is_kept =
            tags.iter().flat_map(|(name, value)| [name, value]).eq(texts.iter().map(|text| &**text));
        if is_kept { Ok(tags) } else { Err(DecodeError::BadValue("tag")) }
    }
}

layout! { Variant, "variant" { 0: Standard, 1: Chess960 } }

layout! { TimeControl, "time control" {
    0: Unlimited,
    1: DaysPerMove { days },
    2: Clock(sides),
} }

layout! { Period { moves, base, bonus } }

layout! { Bonus, "bonus" {
    0: None,
    1: Increment(amount),
    2: SimpleDelay(amount),
    3: Bronstein(amount),
} }

layout! { Profile {
    name, repetition, quiet_plies, flag, resignation, wrong_claim, draw_offer, no_draw_offer_before_move,
    soft_start, friendly, absence_claim, ilc,
} }

layout! { ProfileName, "profile" { 1: FideOnline, 2: FideBoard, 3: UsChess, 4: Casual } }

layout! { CountRule { automatic, claim } }

layout! { ClaimRule, "claim rule" { 0: None, 1: OnBoard, 2: WithMove } }

layout! { FlagRule, "flag rule" { 1: Article6_9, 2: Us14E } }

layout! { ResignationRule, "resignation rule" { 1: Article5_1_2, 2: Loses } }

layout! { WrongClaimRule, "wrong-claim rule" { 0: None, 1: Fide, 2: Fixed(amount) } }

layout! { DrawOfferRule { plies_apart } }

layout! { IlcRule, "rule for losing chances" { 0: Off, 1: FideIii4, 2: Us14H } }

/// The occupied squares as a bit set, 4 bits a piece in their order (color in bit 3, role below),
/// side to move, the four castling rooks and the en passant square, both counters.
impl Field for Position {
    fn put(&self, out: &mut Writer<'_>) {
        let Setup { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number } =
            self.setup();
        let occupied = pieces.iter().zip(0..).filter(|(piece, _)| piece.is_some());
        let occupied = occupied.fold(0_u64, |bits, (_, square)| bits | 1 << square);
        out.extend_from_slice(&occupied.to_le_bytes());
        let mut nibbles = pieces.iter().flatten().map(|piece| piece.color.index() << 3 | piece.role.index());
        while let Some(low) = nibbles.next() {
            out.push((low | nibbles.next().unwrap_or(0) << 4) as u8);
        }
        side_to_move.put(out);
        for (color, side) in rights() {
            castling.rook_file(color, side).put(out);
        }
        en_passant.put(out);
        halfmove_clock.put(out);
        fullmove_number.put(out);
    }

    fn get(reader: &mut Reader<'_>) -> Read<Self> {
        let bad = DecodeError::BadValue("position");
        let occupied = u64::from_le_bytes(reader.array()?);
        let count = occupied.count_ones() as usize;
        let packed = reader.bytes(count.div_ceil(2))?;
        if count % 2 == 1 && packed.last().is_some_and(|last| last >> 4 != 0) {
            return Err(bad);
        }
        let mut nibbles = packed.iter().flat_map(|byte| [byte & 0xf, byte >> 4]);
        let mut pieces = [None; 64];
        for (square, piece) in pieces.iter_mut().enumerate() {
            if occupied & 1 << square != 0 {
                let nibble = nibbles.next().ok_or(DecodeError::Truncated)?;
                *piece = Some(get_piece(nibble)?);
            }
        }
        let side_to_move = Field::get(reader)?;
        let mut castling = CastlingRights::NONE;
        for (color, side) in rights() {
            castling.set(color, side, Field::get(reader)?);
        }
        let (en_passant, halfmove_clock) = (Field::get(reader)?, Field::get(reader)?);
        let fullmove_number = Field::get(reader)?;
        let setup = Setup { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number };
        let position = Self::from_setup(&setup).map_err(|_| bad)?;
        // A position that does not encode to the same bytes again was not written by this server.
        if position.setup() == setup { Ok(position) } else { Err(bad) }
    }
}

fn rights() -> impl Iterator<Item = (Color, CastlingSide)> {
    Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.into_iter().map(move |side| (color, side)))
}

fn get_piece(nibble: u8) -> Read<Piece> {
    let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
    let role = Role::ALL.get(usize::from(nibble & 7)).copied();
    Ok(Piece { color, role: role.ok_or(DecodeError::UnknownTag { what: "piece", tag: nibble })? })
}
