//! Events as a script writes them.

use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{AbsenceWish, AdjustmentCause, Bonus, Charge, Event, Game, Micros};
use zeitnot_rules::notation::san;
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

/// One event; `game` is the game before it. With `charges`, followed by what the clocks were
/// charged.
pub(crate) fn event(game: &Game, event: &Event, charges: bool) -> String {
    let text = plain_event(game, event);
    match event.charge() {
        Some(charge) if charges => format!("{text} [{}]", show_charge(charge)),
        Some(_) | None => text,
    }
}

fn plain_event(game: &Game, event: &Event) -> String {
    let san = |mv| san::write(mv, game.position()).to_string();
    match event {
        Event::Started(_) => "started".to_owned(),
        Event::MovePlayed { mv, .. } => san(*mv),
        Event::DrawOffered { by } => format!("offer {}", letter(*by)),
        Event::DrawDeclined { by } => format!("decline {}", letter(*by)),
        Event::DrawClaimed { by, intended, found } => {
            let intended = intended.map(|mv| format!(" {}", san(mv))).unwrap_or_default();
            let verdict = if found.is_some() { "right" } else { "wrong" };
            format!("claim {}{intended} {verdict}", letter(*by))
        }
        Event::AbsenceClaimed { by, wish, .. } => {
            let wish = match wish {
                AbsenceWish::Win => "win",
                AbsenceWish::Draw => "draw",
            };
            format!("absence {} {wish}", letter(*by))
        }
        Event::TakebackOffered { by, plies } => format!("takeback {} {plies}", letter(*by)),
        Event::TakebackDeclined { by } => format!("no-takeback {}", letter(*by)),
        Event::TakenBack { plies, .. } => format!("taken-back {plies}"),
        Event::TimeAdjusted { cause, remaining } => format!("{} {}", show_cause(*cause), clocks(*remaining)),
        Event::IlcAsked { by } => format!("ilc {}", letter(*by)),
        Event::IlcRemedied { by, bonus, remaining, .. } => {
            assert_eq!(bonus.white, bonus.black, "the remedy is the same for both");
            format!("remedy {} {} {}", letter(*by), show_bonus(bonus.white), clocks(*remaining))
        }
        Event::FlagFell { seat, .. } => format!("flag {}", letter(*seat)),
        Event::Resigned { seat, .. } => format!("resign {}", letter(*seat)),
        Event::Ended { outcome, .. } => format!("end {}", show_outcome(outcome)),
    }
}

fn show_charge(charge: &Charge) -> String {
    let credit = match charge.credit {
        Micros::ZERO => String::new(),
        credit => format!(" credit {}", seconds(credit)),
    };
    format!("{} took {}{credit}: {}", letter(charge.seat), seconds(charge.took), clocks(charge.remaining))
}

fn show_cause(cause: AdjustmentCause) -> String {
    match cause {
        AdjustmentCause::GiveTime { by } => format!("gift {}", letter(by)),
        AdjustmentCause::WrongClaim { by } => format!("bonus-for-claim {}", letter(by)),
        AdjustmentCause::Arbiter => "arbiter".to_owned(),
    }
}

fn show_bonus(bonus: Bonus) -> String {
    let name = match bonus {
        Bonus::None => "nothing",
        Bonus::Increment(_) => "increment",
        Bonus::SimpleDelay(_) => "delay",
        Bonus::Bronstein(_) => "bronstein",
    };
    format!("{name} {}", seconds(bonus.amount()))
}

/// Score and reason, and a proof if there is one.
pub(crate) fn show_outcome(outcome: &Outcome) -> String {
    let score = match outcome.score {
        Score::WhiteWins => "1-0",
        Score::BlackWins => "0-1",
        Score::Draw => "1/2-1/2",
        Score::BothLose => "0-0",
        Score::HalfToWhite => "1/2-0",
        Score::HalfToBlack => "0-1/2",
        Score::NoResult => "*",
    };
    let proof = match outcome.proof {
        Some(Proof::Material) => " by material",
        Some(Proof::Static) => " by static test",
        Some(Proof::Exhaustive { .. }) => " by search",
        Some(Proof::Helpmate { .. }) | None => "",
    };
    format!("{score} {}{proof}", show_reason(outcome.reason))
}

fn show_reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Checkmate => "checkmate",
        Reason::Resignation => "resignation",
        Reason::Stalemate => "stalemate",
        Reason::DeadPosition => "dead",
        Reason::Agreement => "agreement",
        Reason::FlagFall => "flag",
        Reason::ThreefoldRepetition => "threefold",
        Reason::FiftyMoves => "fifty",
        Reason::FivefoldRepetition => "fivefold",
        Reason::SeventyFiveMoves => "seventy-five",
        Reason::Abandonment => "abandonment",
        Reason::Aborted => "aborted",
        Reason::FirstMoveLimit => "first-move-limit",
        Reason::BothAway => "both-away",
        Reason::Arbiter => "arbiter",
    }
}

/// White's clock and Black's.
pub(crate) fn clocks(clocks: ByColor<Micros>) -> String {
    format!("{} {}", seconds(clocks.white), seconds(clocks.black))
}

/// In seconds.
pub(crate) fn seconds(time: Micros) -> String {
    time.to_string().trim_end_matches('s').to_owned()
}

/// `w` or `b`.
pub(crate) fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}
