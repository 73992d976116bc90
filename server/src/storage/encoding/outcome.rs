//! Outcomes: score, reason, proof.

use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use super::reader::{DecodeError, Read, Reader};
use super::writer as write;

pub(super) fn put(out: &mut Vec<u8>, outcome: &Outcome) {
    let Outcome { score, reason, proof } = outcome;
    write::byte(out, score_tag(*score));
    write::byte(out, reason_tag(*reason));
    put_proof(out, proof.as_ref());
}

pub(super) fn get(reader: &mut Reader<'_>) -> Read<Outcome> {
    Ok(Outcome { score: score(reader.byte()?)?, reason: reason(reader.byte()?)?, proof: get_proof(reader)? })
}

/// 0 none, 1 material, 2 static, 3 exhaustive with the number of positions, 4 a line of moves to
/// mate: their count and they.
fn put_proof(out: &mut Vec<u8>, proof: Option<&Proof>) {
    match proof {
        None => write::byte(out, 0),
        Some(Proof::Material) => write::byte(out, 1),
        Some(Proof::Static) => write::byte(out, 2),
        Some(Proof::Exhaustive { positions }) => {
            write::byte(out, 3);
            write::number(out, u64::from(*positions));
        }
        Some(Proof::Helpmate { line }) => {
            write::byte(out, 4);
            write::number(out, line.len() as u64);
            line.iter().for_each(|mv| write::mv(out, *mv));
        }
    }
}

fn get_proof(reader: &mut Reader<'_>) -> Read<Option<Proof>> {
    match reader.byte()? {
        0 => Ok(None),
        1 => Ok(Some(Proof::Material)),
        2 => Ok(Some(Proof::Static)),
        3 => Ok(Some(Proof::Exhaustive { positions: reader.small("positions")? })),
        4 => {
            let count = reader.count()?;
            let line = (0..count).map(|_| reader.mv()).collect::<Read<Vec<_>>>()?;
            Ok(Some(Proof::Helpmate { line }))
        }
        tag => Err(DecodeError::UnknownTag { what: "proof", tag }),
    }
}

/// The number of a score: in records, and in the archive's column `score`.
pub(crate) const fn score_tag(score: Score) -> u8 {
    match score {
        Score::WhiteWins => 1,
        Score::BlackWins => 2,
        Score::Draw => 3,
        Score::BothLose => 4,
        Score::HalfToWhite => 5,
        Score::HalfToBlack => 6,
        Score::NoResult => 7,
    }
}

fn score(tag: u8) -> Read<Score> {
    Ok(match tag {
        1 => Score::WhiteWins,
        2 => Score::BlackWins,
        3 => Score::Draw,
        4 => Score::BothLose,
        5 => Score::HalfToWhite,
        6 => Score::HalfToBlack,
        7 => Score::NoResult,
        tag => return Err(DecodeError::UnknownTag { what: "score", tag }),
    })
}

/// The number of a reason: in records, and in the archive's column `reason`.
pub(crate) const fn reason_tag(reason: Reason) -> u8 {
    match reason {
        Reason::Checkmate => 1,
        Reason::Resignation => 2,
        Reason::Stalemate => 3,
        Reason::DeadPosition => 4,
        Reason::Agreement => 5,
        Reason::FlagFall => 6,
        Reason::ThreefoldRepetition => 7,
        Reason::FiftyMoves => 8,
        Reason::FivefoldRepetition => 9,
        Reason::SeventyFiveMoves => 10,
        Reason::Abandonment => 11,
        Reason::Aborted => 12,
        Reason::FirstMoveLimit => 13,
        Reason::Arbiter => 14,
    }
}

pub(super) fn reason(tag: u8) -> Read<Reason> {
    Ok(match tag {
        1 => Reason::Checkmate,
        2 => Reason::Resignation,
        3 => Reason::Stalemate,
        4 => Reason::DeadPosition,
        5 => Reason::Agreement,
        6 => Reason::FlagFall,
        7 => Reason::ThreefoldRepetition,
        8 => Reason::FiftyMoves,
        9 => Reason::FivefoldRepetition,
        10 => Reason::SeventyFiveMoves,
        11 => Reason::Abandonment,
        12 => Reason::Aborted,
        13 => Reason::FirstMoveLimit,
        14 => Reason::Arbiter,
        tag => return Err(DecodeError::UnknownTag { what: "reason", tag }),
    })
}
