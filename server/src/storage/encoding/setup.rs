//! What a game starts from: position, clocks, rules, players.

use zeitnot_rules::board::{
    ByColor, CastlingRights, CastlingSide, Color, File, Piece, Position, Role, Setup, Square,
};
use zeitnot_rules::game::{
    Bonus, ClaimRule, CountRule, DrawOfferRule, FlagRule, GameSetup, IlcRule, Period, Periods, PlayerName,
    Profile, ProfileName, ResignationRule, TimeControl, Variant, WrongClaimRule,
};

use super::reader::{DecodeError, Read, Reader};
use super::writer as write;

const fn unknown<T>(what: &'static str, tag: u8) -> Read<T> {
    Err(DecodeError::UnknownTag { what, tag })
}

pub(super) fn put(out: &mut Vec<u8>, setup: &GameSetup) {
    let GameSetup { variant, start, time_control, profile, players, names, by_lot, began_unix_ms } = setup;
    let variant = match variant {
        Variant::Standard => 0,
        Variant::Chess960 => 1,
    };
    write::byte(out, variant);
    put_position(out, &start.setup());
    put_time_control(out, time_control);
    put_profile(out, profile);
    write::account(out, players.white);
    write::account(out, players.black);
    write::number(out, *began_unix_ms);
    put_name(out, names.white);
    put_name(out, names.black);
    write::byte(out, (*by_lot).into());
}

pub(super) fn get(reader: &mut Reader<'_>) -> Read<GameSetup> {
    let variant = match reader.byte()? {
        0 => Variant::Standard,
        1 => Variant::Chess960,
        tag => return unknown("variant", tag),
    };
    let mut setup = GameSetup {
        variant,
        start: get_position(reader)?,
        time_control: get_time_control(reader)?,
        profile: get_profile(reader)?,
        players: ByColor { white: reader.account()?, black: reader.account()? },
        names: ByColor::default(),
        by_lot: false,
        began_unix_ms: reader.number()?,
    };
    if reader.version > 1 {
        setup.names = ByColor { white: get_name(reader)?, black: get_name(reader)? };
        setup.by_lot = reader.flag()?;
    }
    Ok(setup)
}

/// The length, 0 for a player without a name, then the characters.
fn put_name(out: &mut Vec<u8>, name: Option<PlayerName>) {
    let text = name.as_ref().map_or("", PlayerName::as_str);
    write::byte(out, text.len() as u8);
    write::bytes(out, text.as_bytes());
}

fn get_name(reader: &mut Reader<'_>) -> Read<Option<PlayerName>> {
    let bad = DecodeError::BadValue("name");
    match reader.byte()? {
        0 => Ok(None),
        length => {
            let text = std::str::from_utf8(reader.bytes(length.into())?).map_err(|_| bad)?;
            text.parse().map(Some).map_err(|_| bad)
        }
    }
}

/// The occupied squares as a bit set, 4 bits a piece in their order (color in bit 3, role below),
/// side to move, the four castling rooks and the en passant square (0 none, else file or square +
/// 1), both counters.
fn put_position(out: &mut Vec<u8>, setup: &Setup) {
    let occupied = setup.pieces.iter().zip(0..).filter(|(piece, _)| piece.is_some());
    let occupied = occupied.fold(0_u64, |bits, (_, square)| bits | 1 << square);
    write::bytes(out, &occupied.to_le_bytes());
    let mut nibbles =
        setup.pieces.iter().flatten().map(|piece| piece.color.index() << 3 | piece.role.index());
    while let Some(low) = nibbles.next() {
        write::byte(out, (low | nibbles.next().unwrap_or(0) << 4) as u8);
    }
    write::color(out, setup.side_to_move);
    for (color, side) in rights() {
        write::byte(out, setup.castling.rook_file(color, side).map_or(0, |file| file.index() as u8 + 1));
    }
    write::byte(out, setup.en_passant.map_or(0, |square| square.index() as u8 + 1));
    write::number(out, setup.halfmove_clock.into());
    write::number(out, setup.fullmove_number.into());
}

fn rights() -> impl Iterator<Item = (Color, CastlingSide)> {
    Color::ALL.into_iter().flat_map(|color| CastlingSide::ALL.into_iter().map(move |side| (color, side)))
}

fn get_position(reader: &mut Reader<'_>) -> Read<Position> {
    let occupied = u64::from_le_bytes(reader.array()?);
    let count = occupied.count_ones() as usize;
    let packed = reader.bytes(count.div_ceil(2))?;
    if count % 2 == 1 && packed.last().is_some_and(|last| last >> 4 != 0) {
        return Err(DecodeError::BadValue("position"));
    }
    let mut nibbles = packed.iter().flat_map(|byte| [byte & 0xf, byte >> 4]);
    let mut pieces = [None; 64];
    for (square, piece) in pieces.iter_mut().enumerate() {
        if occupied & 1 << square != 0 {
            let nibble = nibbles.next().ok_or(DecodeError::Truncated)?;
            *piece = Some(get_piece(nibble)?);
        }
    }
    let side_to_move = reader.color()?;
    let mut castling = CastlingRights::NONE;
    for (color, side) in rights() {
        castling.set(color, side, get_file(reader.byte()?)?);
    }
    let en_passant = match reader.byte()? {
        0 => None,
        number @ 1..=64 => Some(Square::from_index(usize::from(number) - 1)),
        tag => return unknown("square", tag),
    };
    let halfmove_clock = reader.small("half-move clock")?;
    let fullmove_number = reader.small("move number")?;
    let setup = Setup { pieces, side_to_move, castling, en_passant, halfmove_clock, fullmove_number };
    let position = Position::from_setup(&setup).map_err(|_| DecodeError::BadValue("position"))?;
    // A position that does not encode to the same bytes again was not written by this server.
    if position.setup() == setup { Ok(position) } else { Err(DecodeError::BadValue("position")) }
}

fn get_piece(nibble: u8) -> Read<Piece> {
    let color = if nibble & 8 == 0 { Color::White } else { Color::Black };
    let role = Role::ALL.get(usize::from(nibble & 7)).copied();
    Ok(Piece { color, role: role.ok_or(DecodeError::UnknownTag { what: "piece", tag: nibble })? })
}

fn get_file(number: u8) -> Read<Option<File>> {
    match usize::from(number).checked_sub(1) {
        None => Ok(None),
        Some(index) => match File::ALL.get(index) {
            Some(file) => Ok(Some(*file)),
            None => unknown("file", number),
        },
    }
}

/// 0 without clocks, 1 days per move, 2 both sides' periods.
fn put_time_control(out: &mut Vec<u8>, time_control: &TimeControl) {
    match time_control {
        TimeControl::Unlimited => write::byte(out, 0),
        TimeControl::DaysPerMove { days } => {
            write::byte(out, 1);
            write::byte(out, *days);
        }
        TimeControl::Clock(sides) => {
            write::byte(out, 2);
            for seat in Color::ALL {
                write::number(out, sides[seat].len() as u64);
                for Period { moves, base, bonus } in &sides[seat] {
                    write::option(out, *moves, |out, moves| write::number(out, moves.into()));
                    write::micros(out, *base);
                    put_bonus(out, *bonus);
                }
            }
        }
    }
}

fn get_time_control(reader: &mut Reader<'_>) -> Read<TimeControl> {
    match reader.byte()? {
        0 => Ok(TimeControl::Unlimited),
        1 => Ok(TimeControl::DaysPerMove { days: reader.byte()? }),
        2 => Ok(TimeControl::Clock(ByColor { white: get_periods(reader)?, black: get_periods(reader)? })),
        tag => unknown("time control", tag),
    }
}

fn get_periods(reader: &mut Reader<'_>) -> Read<Periods> {
    // A game asks for the first and the last period.
    let count = match reader.count()? {
        0 => return Err(DecodeError::BadValue("count")),
        count => count,
    };
    let mut periods = Periods::new();
    for _ in 0..count {
        let moves = reader.option(|reader| reader.small("number of moves"))?;
        periods.push(Period { moves, base: reader.micros()?, bonus: get_bonus(reader)? });
    }
    Ok(periods)
}

/// 0 none, 1 increment, 2 simple delay, 3 Bronstein.
pub(super) fn put_bonus(out: &mut Vec<u8>, bonus: Bonus) {
    let (tag, amount) = match bonus {
        Bonus::None => return write::byte(out, 0),
        Bonus::Increment(amount) => (1, amount),
        Bonus::SimpleDelay(amount) => (2, amount),
        Bonus::Bronstein(amount) => (3, amount),
    };
    write::byte(out, tag);
    write::micros(out, amount);
}

pub(super) fn get_bonus(reader: &mut Reader<'_>) -> Read<Bonus> {
    Ok(match reader.byte()? {
        0 => Bonus::None,
        1 => Bonus::Increment(reader.micros()?),
        2 => Bonus::SimpleDelay(reader.micros()?),
        3 => Bonus::Bronstein(reader.micros()?),
        tag => return unknown("bonus", tag),
    })
}

fn put_profile(out: &mut Vec<u8>, profile: &Profile) {
    let name = match profile.name {
        ProfileName::FideOnline => 1,
        ProfileName::FideBoard => 2,
        ProfileName::UsChess => 3,
        ProfileName::Casual => 4,
    };
    write::byte(out, name);
    put_count_rule(out, profile.repetition);
    put_count_rule(out, profile.quiet_plies);
    let flag = match profile.flag {
        FlagRule::Article6_9 => 1,
        FlagRule::Us14E => 2,
    };
    write::byte(out, flag);
    let resignation = match profile.resignation {
        ResignationRule::Article5_1_2 => 1,
        ResignationRule::Loses => 2,
    };
    write::byte(out, resignation);
    match profile.wrong_claim {
        WrongClaimRule::None => write::byte(out, 0),
        WrongClaimRule::Fide => write::byte(out, 1),
        WrongClaimRule::Fixed(amount) => {
            write::byte(out, 2);
            write::micros(out, amount);
        }
    }
    let DrawOfferRule { plies_apart } = profile.draw_offer;
    write::number(out, plies_apart.into());
    write::number(out, profile.no_draw_offer_before_move.into());
    write::byte(out, profile.soft_start.into());
    write::byte(out, profile.friendly.into());
    write::byte(out, profile.absence_claim.into());
    let ilc = match profile.ilc {
        IlcRule::Off => 0,
        IlcRule::FideIii4 => 1,
        IlcRule::Us14H => 2,
    };
    write::byte(out, ilc);
}

fn get_profile(reader: &mut Reader<'_>) -> Read<Profile> {
    Ok(Profile {
        name: match reader.byte()? {
            1 => ProfileName::FideOnline,
            2 => ProfileName::FideBoard,
            3 => ProfileName::UsChess,
            4 => ProfileName::Casual,
            tag => return unknown("profile", tag),
        },
        repetition: get_count_rule(reader)?,
        quiet_plies: get_count_rule(reader)?,
        flag: match reader.byte()? {
            1 => FlagRule::Article6_9,
            2 => FlagRule::Us14E,
            tag => return unknown("flag rule", tag),
        },
        resignation: match reader.byte()? {
            1 => ResignationRule::Article5_1_2,
            2 => ResignationRule::Loses,
            tag => return unknown("resignation rule", tag),
        },
        wrong_claim: match reader.byte()? {
            0 => WrongClaimRule::None,
            1 => WrongClaimRule::Fide,
            2 => WrongClaimRule::Fixed(reader.micros()?),
            tag => return unknown("wrong-claim rule", tag),
        },
        draw_offer: DrawOfferRule { plies_apart: reader.small("number of plies")? },
        no_draw_offer_before_move: reader.small("number of moves")?,
        soft_start: reader.flag()?,
        friendly: reader.flag()?,
        absence_claim: reader.flag()?,
        ilc: match reader.byte()? {
            0 => IlcRule::Off,
            1 => IlcRule::FideIii4,
            2 => IlcRule::Us14H,
            tag => return unknown("rule for losing chances", tag),
        },
    })
}

/// The count, then 0 no claim, 1 on the board, 2 with the move too.
fn put_count_rule(out: &mut Vec<u8>, rule: CountRule) {
    write::number(out, rule.automatic.into());
    let claim = match rule.claim {
        ClaimRule::None => 0,
        ClaimRule::OnBoard => 1,
        ClaimRule::WithMove => 2,
    };
    write::byte(out, claim);
}

fn get_count_rule(reader: &mut Reader<'_>) -> Read<CountRule> {
    let automatic = reader.small("count")?;
    let claim = match reader.byte()? {
        0 => ClaimRule::None,
        1 => ClaimRule::OnBoard,
        2 => ClaimRule::WithMove,
        tag => return unknown("claim rule", tag),
    };
    Ok(CountRule { automatic, claim })
}

/// Both sides' bonuses.
pub(super) fn put_bonuses(out: &mut Vec<u8>, bonuses: ByColor<Bonus>) {
    put_bonus(out, bonuses.white);
    put_bonus(out, bonuses.black);
}

pub(super) fn get_bonuses(reader: &mut Reader<'_>) -> Read<ByColor<Bonus>> {
    Ok(ByColor { white: get_bonus(reader)?, black: get_bonus(reader)? })
}
