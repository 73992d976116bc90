//! What must happen when the server plays a game from a file: every ply, and where and how it ends.
//!
//! The automatic ends of `fide_online` are found a second time here, in the simplest way (all
//! earlier positions are compared), so that the server's counting is checked by independent code.
//! Only whether a position is dead is asked of the rules.

use zeitnot_protocol::{Check, Uci, WireReason, WireScore, WireSquare};
use zeitnot_rules::board::{Color, Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::pgn::{ImportedGame, PgnResult};
use zeitnot_rules::notation::{fen, san, uci};
use zeitnot_rules::verdict::{Dead, Guard, Limits, Winnable, dead, guard, is_dead, winnable};

/// How many nodes a position is searched: as many as in the server before it defers a search.
const NODES: u32 = 100_000;

/// A game to replay.
#[derive(Clone, Debug)]
pub struct Script {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Both names, for the report.
    pub name: String,
    /// The line of the file on which it starts.
    pub line: u32,
    /// Standard or Chess960.
    pub variant: Variant,
    /// The first position.
    pub start: Position,
    /// The plies up to its end under `fide_online`.
    pub plies: Vec<ScriptPly>,
    /// The plies of the file after that end.
    pub past_end: usize,
    /// How it ends.
    pub ending: Ending,
}

/// A half-move as the server must report it.
#[derive(Clone, Debug)]
pub struct ScriptPly {
    /// The move in UCI.
    pub uci: Uci,
    /// The SAN that the rules write.
    pub san: String,
    /// The position after it.
    pub after: Position,
    /// That position in FEN.
    pub fen: String,
    /// The check it gives.
    pub check: Option<Check>,
}

/// How a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Automatically, with the last ply.
    Automatic {
        /// The reason.
        reason: WireReason,
        /// The score under the rules.
        score: WireScore,
    },
    /// The file names a winner: the other side resigns.
    Resignation {
        /// Who resigns.
        loser: Color,
        /// The score under the rules: the file's, unless the winner cannot checkmate (5.1.2).
        score: WireScore,
    },
    /// The file says draw: the last mover offers, the other accepts.
    Agreement,
    /// The file has no result, or a draw before both have moved: it is resigned or aborted, and its
    /// result is not compared with the file's.
    Unfinished,
}

impl Script {
    /// The script of a game. `number` counts the games of the file from 1.
    #[must_use]
    pub fn new(number: usize, game: &ImportedGame) -> Self {
        let mut history = vec![game.start.clone()];
        let mut plies = Vec::with_capacity(game.moves.len());
        let mut end = None;
        for &mv in &game.moves {
            let before = history.last().expect("it starts with the first position");
            let ply = ScriptPly::new(mv, before, game.variant);
            history.push(ply.after.clone());
            plies.push(ply);
            end = automatic_end(&history);
            if end.is_some() {
                break;
            }
        }
        let last = history.last().expect("it starts with the first position");
        let ending = end.unwrap_or_else(|| chosen_end(game.result, last, plies.len()));
        let name = |tag| game.tag(tag).unwrap_or("?");
        Self {
            number,
            name: format!("{} - {}", name("White"), name("Black")),
            line: game.line,
            variant: game.variant,
            start: game.start.clone(),
            past_end: game.moves.len() - plies.len(),
            plies,
            ending,
        }
    }

    /// What is wrong with the file's own result, where the board alone decides: a mate or stalemate
    /// that it scores otherwise.
    #[must_use]
    pub fn result_mismatch(&self, file: PgnResult) -> Option<String> {
        let Ending::Automatic { reason: WireReason::Checkmate | WireReason::Stalemate, score } = self.ending
        else {
            return None;
        };
        let board = match score {
            WireScore::WhiteWins => PgnResult::WhiteWins,
            WireScore::BlackWins => PgnResult::BlackWins,
            _ => PgnResult::Draw,
        };
        (self.past_end == 0 && file != PgnResult::Unknown && file != board)
            .then(|| format!("the board says {}, the file {}", board.token(), file.token()))
    }

    /// The position after `ply` half-moves.
    #[must_use]
    pub fn position(&self, ply: usize) -> &Position {
        if ply == 0 { &self.start } else { &self.plies[ply - 1].after }
    }

    /// The side that makes half-move `ply`, counted from 1.
    #[must_use]
    pub fn mover(&self, ply: usize) -> Color {
        self.position(ply - 1).side_to_move()
    }
}

impl ScriptPly {
    fn new(mv: Move, before: &Position, variant: Variant) -> Self {
        let mut after = before.clone();
        after.play_unchecked(mv);
        let uci = uci::write(mv, before, variant).as_str().parse().expect("the rules write UCI");
        let san = san::write_after(mv, before, &after).as_str().to_owned();
        Self { uci, san, fen: fen::write(&after), check: check(&after), after }
    }
}

fn check(position: &Position) -> Option<Check> {
    if !position.in_check() {
        return None;
    }
    let checkers: Vec<WireSquare> = position.checkers().into_iter().map(WireSquare::from).collect();
    Some(Check {
        king: position.king(position.side_to_move()).into(),
        double: checkers.len() == 2,
        checkers,
        mate: !position.has_legal_move(),
    })
}

/// How the last of these positions ends the game under `fide_online`, in the order of docs/laws.md.
fn automatic_end(history: &[Position]) -> Option<Ending> {
    let (position, earlier) = history.split_last().expect("there is a position");
    let end = |reason, score| Some(Ending::Automatic { reason, score });
    if !position.has_legal_move() {
        return if position.in_check() {
            end(WireReason::Checkmate, win(position.side_to_move().opponent()))
        } else {
            end(WireReason::Stalemate, WireScore::Draw)
        };
    }
    if is_dead_exactly(position) {
        return end(WireReason::DeadPosition, WireScore::Draw);
    }
    if earlier.iter().filter(|other| position.same_position(other)).count() >= 2 {
        return end(WireReason::ThreefoldRepetition, WireScore::Draw);
    }
    if position.halfmove_clock() >= 100 {
        return end(WireReason::FiftyMoves, WireScore::Draw);
    }
    None
}

/// How the players end a game that the Laws do not end.
fn chosen_end(result: PgnResult, last: &Position, plies: usize) -> Ending {
    let resigned = |loser| Ending::Resignation { loser, score: resignation_score(last, loser) };
    match result {
        PgnResult::WhiteWins => resigned(Color::Black),
        PgnResult::BlackWins => resigned(Color::White),
        PgnResult::Draw if plies >= 2 => Ending::Agreement,
        PgnResult::Draw | PgnResult::Unknown => Ending::Unfinished,
    }
}

/// The score when `loser` resigns: a draw if the other side cannot checkmate by any series of legal
/// moves (5.1.2).
#[must_use]
pub fn resignation_score(position: &Position, loser: Color) -> WireScore {
    let winner = loser.opponent();
    match winnable(position, winner, &Limits::nodes(NODES)) {
        Winnable::CannotMate { .. } => WireScore::Draw,
        Winnable::CanMate { .. } | Winnable::Unknown { .. } => win(winner),
    }
}

/// The server searches such a position beside the game, and ends it a moment later.
fn is_dead_exactly(position: &Position) -> bool {
    is_dead(position).is_some()
        || guard(position) == Guard::Ask && matches!(dead(position, &Limits::nodes(NODES)), Dead::Yes(_))
}

const fn win(winner: Color) -> WireScore {
    match winner {
        Color::White => WireScore::WhiteWins,
        Color::Black => WireScore::BlackWins,
    }
}
