//! What the rules say of a position that moves have led to: what is legal, whether it is over, who can still checkmate.
//!
//! Invariant: the work is bounded by [`MOVES_MAX`] and [`MATE_NODES`], whatever the position.

use zeitnot_bot::Line;
use zeitnot_protocol::{ByColor, CanMate, OutcomeView, PositionAnalysis, WireProof, WireReason};
use zeitnot_rules::board::{Color, Move, Position};
use zeitnot_rules::game::{Profile, Variant};
use zeitnot_rules::notation::{fen, san, uci};
use zeitnot_rules::verdict::{
    AutomaticDraws, CLAIM_QUIET_PLIES, CLAIM_REPETITIONS, Limits, Outcome, Proof, Reason, Winnable, winnable,
};

use crate::games::{check, play_named};
use crate::openings;

/// The most moves that a request plays: nearly twice as many as any game of a tournament had (538). A longer game is sent
/// from a later position on.
pub(crate) const MOVES_MAX: usize = 1_000;

/// How many positions are searched for a checkmate by each side. It takes some milliseconds, and leaves only positions open
/// that are built to be hard.
const MATE_NODES: u32 = 5_000;

/// The longest proof that is shown, in plies. A longer one is an empty line, as in `ended`.
const LINE_PLIES_MAX: usize = 200;

/// Why moves cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotPlayable {
    /// Which of them, from 1.
    pub(crate) ply: u32,
    /// Why, for people.
    pub(crate) why: &'static str,
}

/// Plays moves in UCI or SAN.
///
/// # Errors
/// [`NotPlayable`] for the first that is no legal move.
pub(crate) fn played(start: Position, variant: Variant, moves: &[String]) -> Result<Line, NotPlayable> {
    let mut line = Line::new(start, variant);
    play_on(&mut line, moves.iter().map(String::as_str))?;
    Ok(line)
}

/// The same from the end of a line on. After an error the line has the moves before it.
pub(super) fn play_on<'a>(line: &mut Line, moves: impl Iterator<Item = &'a str>) -> Result<(), NotPlayable> {
    for (text, ply) in moves.zip(1..) {
        let mv = read(text, line.position(), line.variant()).map_err(|why| NotPlayable { ply, why })?;
        line.play(mv).map_err(|_| NotPlayable { ply, why: ILLEGAL })?;
    }
    Ok(())
}

const ILLEGAL: &str = "it is not legal in this position";

fn read(text: &str, position: &Position, variant: Variant) -> Result<Move, &'static str> {
    match uci::parse(text, position, variant) {
        Ok(mv) => return Ok(mv),
        Err(uci::UciError::Illegal) => return Err(ILLEGAL),
        Err(uci::UciError::Malformed) => {}
    }
    san::parse(text, position).map_err(|error| match error {
        san::SanError::Malformed => "it is neither UCI nor SAN",
        san::SanError::NullMove => "a null move is not a move",
        san::SanError::Illegal => ILLEGAL,
        san::SanError::Ambiguous => "more than one legal move fits",
    })
}

/// What the rules say of the position at the end of a line.
pub(crate) fn analyse(line: &Line) -> PositionAnalysis {
    let (position, variant) = (line.position(), line.variant());
    let mut before = line.start().clone();
    let moves = line.moves().iter().map(|&mv| play_named(&mut before, mv, variant)).collect();
    let legal = position.legal_moves();
    let white = can_mate(position, Color::White);
    let black = can_mate(position, Color::Black);
    let outcome = outcome(line, &white, &black);
    let claims = if outcome.is_some() { Vec::new() } else { claims(line) };
    let opening = openings::of_line(line.start(), line.moves().iter().copied());
    PositionAnalysis {
        fen: fen::write(position),
        moves,
        legal: legal.iter().map(|&mv| uci::write(mv, position, variant).into()).collect(),
        check: check(position),
        outcome: outcome.map(|outcome| OutcomeView::of(&outcome, position, variant)),
        claims,
        can_mate: ByColor { white: shown(white, position, variant), black: shown(black, position, variant) },
        opening: opening.map(|(opening, ply)| opening.shown(ply)),
    }
}

fn can_mate(position: &Position, color: Color) -> Winnable {
    winnable(position, color, &Limits::nodes(MATE_NODES))
}

/// The end that the Laws alone bring: their counts, which the profiles of games may lower.
fn outcome(line: &Line, white: &Winnable, black: &Winnable) -> Option<Outcome> {
    let Profile { repetition, quiet_plies, .. } = Profile::fide_board();
    let automatic = AutomaticDraws { repetitions: repetition.automatic, quiet_plies: quiet_plies.automatic };
    let ended = line.outcome(automatic);
    if line.position().has_legal_move()
        && let (Winnable::CannotMate { proof }, Winnable::CannotMate { proof: other }) = (white, black)
    {
        // The longer proof says more; a search proves what the cheaper tests could not.
        let proof = if matches!(other, Proof::Exhaustive { .. }) { other } else { proof };
        return Some(Outcome { proof: Some(proof.clone()), ..Outcome::draw(Reason::DeadPosition) });
    }
    ended
}

/// For what the player to move could claim a draw (9.2, 9.3).
fn claims(line: &Line) -> Vec<WireReason> {
    let mut claims = Vec::new();
    if line.occurrences() >= CLAIM_REPETITIONS {
        claims.push(WireReason::ThreefoldRepetition);
    }
    if line.position().halfmove_clock() >= CLAIM_QUIET_PLIES {
        claims.push(WireReason::FiftyMoves);
    }
    claims
}

fn shown(found: Winnable, position: &Position, variant: Variant) -> CanMate {
    let (can, proof) = match found {
        Winnable::CanMate { line } if line.len() > LINE_PLIES_MAX => {
            (Some(true), Some(Proof::Helpmate { line: Vec::new() }))
        }
        Winnable::CanMate { line } => (Some(true), Some(Proof::Helpmate { line })),
        Winnable::CannotMate { proof } => (Some(false), Some(proof)),
        Winnable::Unknown { .. } => (None, None),
    };
    CanMate { can, proof: proof.map(|proof| WireProof::of(&proof, position, variant)) }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::{WireReason, WireScore};

    use super::*;

    fn line(start: &str, moves: &str) -> Result<Line, NotPlayable> {
        let start = if start.is_empty() { Position::standard() } else { fen::parse(start).unwrap() };
        let moves: Vec<_> = moves.split_whitespace().map(str::to_owned).collect();
        played(start, Variant::Standard, &moves)
    }

    fn analysed(start: &str, moves: &str) -> PositionAnalysis {
        analyse(&line(start, moves).unwrap())
    }

    fn can(analysis: &PositionAnalysis) -> (Option<bool>, Option<bool>) {
        (analysis.can_mate.white.can, analysis.can_mate.black.can)
    }

    #[test]
    fn moves_in_both_notations_lead_to_a_position_and_its_opening() {
        let analysis = analysed("", "e2e4 e5 Nf3 b8c6 Bc4");
        assert_eq!(analysis.fen, "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
        let texts: Vec<_> = analysis.moves.iter().map(|mv| format!("{} {}", mv.uci, mv.san)).collect();
        assert_eq!(texts, ["e2e4 e4", "e7e5 e5", "g1f3 Nf3", "b8c6 Nc6", "f1c4 Bc4"]);
        assert_eq!(analysis.legal.len(), 31);
        assert_eq!(can(&analysis), (Some(true), Some(true)));
        assert_eq!((&analysis.outcome, &analysis.check), (&None, &None));
        let opening = analysis.opening.unwrap();
        assert_eq!((&*opening.eco, &*opening.name, opening.ply), ("C50", "Italian Game", 5));
    }

    #[test]
    fn the_first_move_that_cannot_be_played_is_named() {
        let wrong = |moves| line("", moves).map(|_| ()).unwrap_err();
        assert_eq!(wrong("e4 e2e4"), NotPlayable { ply: 2, why: ILLEGAL });
        assert_eq!(wrong("e4 e5 Qxf9"), NotPlayable { ply: 3, why: "it is neither UCI nor SAN" });
        assert_eq!(wrong("0000").ply, 1);
        let ambiguous = "more than one legal move fits";
        assert_eq!(wrong("d4 d5 Nf3 c6 Nd2"), NotPlayable { ply: 5, why: ambiguous });
    }

    #[test]
    fn the_ends_of_the_laws_are_told() {
        let ended = |start, moves| {
            let outcome = analysed(start, moves).outcome.unwrap();
            (outcome.score, outcome.reason)
        };
        assert_eq!(ended("", "f3 e5 g4 Qh4"), (WireScore::BlackWins, WireReason::Checkmate));
        assert_eq!(ended("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", ""), (WireScore::Draw, WireReason::Stalemate));
        assert_eq!(ended("7k/8/8/8/8/8/8/KN6 w - - 0 1", ""), (WireScore::Draw, WireReason::DeadPosition));
        let back_and_forth = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
        assert_eq!(ended("", &back_and_forth), (WireScore::Draw, WireReason::FivefoldRepetition));
        let many = "7k/8/8/8/8/8/R7/K7 w - - 149 90";
        assert_eq!(ended(many, "Ra3"), (WireScore::Draw, WireReason::SeventyFiveMoves));
    }

    #[test]
    fn what_can_be_claimed_is_told_while_it_goes_on() {
        let twice = analysed("", &"Nf3 Nf6 Ng1 Ng8 ".repeat(2));
        assert_eq!((twice.outcome, twice.claims), (None, vec![WireReason::ThreefoldRepetition]));
        let quiet = analysed("7k/8/8/8/8/8/R7/K7 w - - 99 90", "Ra3");
        assert_eq!((quiet.outcome, quiet.claims), (None, vec![WireReason::FiftyMoves]));
    }

    #[test]
    fn who_can_still_checkmate_comes_with_its_proof() {
        let analysis = analysed("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", "");
        assert_eq!(can(&analysis), (Some(true), Some(false)));
        assert_eq!(analysis.can_mate.black.proof, Some(WireProof::Material));
        let Some(WireProof::Helpmate(moves)) = analysis.can_mate.white.proof else { panic!("a line") };
        let moves: Vec<_> = moves.iter().map(ToString::to_string).collect();
        let mate = analysed("8/8/8/4k3/8/8/8/KQ6 w - - 0 1", &moves.join(" "));
        assert_eq!(mate.outcome.unwrap().score, WireScore::WhiteWins);
        assert!(mate.legal.is_empty() && mate.check.unwrap().mate);
    }

    #[test]
    fn a_wall_of_pawns_that_nobody_can_pass_is_dead() {
        let analysis = analysed("4k3/8/1p1p1p1p/1P1P1P1P/8/8/8/4K3 w - - 0 1", "");
        assert_eq!(can(&analysis), (Some(false), Some(false)));
        assert_eq!(analysis.outcome.unwrap().reason, WireReason::DeadPosition);
    }

    #[test]
    fn a_line_that_is_too_long_is_not_shown() {
        let position = Position::standard();
        let mv = *position.legal_moves().first().unwrap();
        let found = Winnable::CanMate { line: vec![mv; LINE_PLIES_MAX + 1] };
        let told = shown(found, &position, Variant::Standard);
        assert_eq!((told.can, told.proof), (Some(true), Some(WireProof::Helpmate(Vec::new()))));
    }

    #[test]
    fn what_a_short_search_does_not_decide_is_left_open() {
        let told = shown(Winnable::Unknown { nodes: MATE_NODES }, &Position::standard(), Variant::Standard);
        assert_eq!((told.can, told.proof), (None, None));
        // Dead, and only a search of more than a second shows it.
        let hard = fen::parse("1bB5/k7/r7/8/1pBp1p1p/1PpP1PbP/K1P4b/RB6 w - - 0 1").unwrap();
        let searched = [Color::White, Color::Black].map(|color| can_mate(&hard, color));
        let nodes = searched.iter().find_map(|found| match found {
            Winnable::Unknown { nodes } => Some(*nodes),
            _ => None,
        });
        assert!(nodes.is_some_and(|nodes| nodes <= 2 * MATE_NODES), "{nodes:?}");
    }
}
