//! Where a game of a file ends under `fide_online`, and how its players end it otherwise.

use crate::honest_server::script;
use zeitnot_loadtest::replay::script::Ending;
use zeitnot_protocol::{WireReason, WireScore};
use zeitnot_rules::board::Color;
use zeitnot_rules::notation::pgn::PgnResult;

#[track_caller]
fn check(text: &str, plies: usize, past_end: usize, ending: Ending) {
    let script = script(text);
    assert_eq!((script.plies.len(), script.past_end, script.ending), (plies, past_end, ending));
}

const fn automatic(reason: WireReason, score: WireScore) -> Ending {
    Ending::Automatic { reason, score }
}

#[test]
fn a_mate_ends_the_game() {
    check("1. f3 e5 2. g4 Qh4# 0-1", 4, 0, automatic(WireReason::Checkmate, WireScore::BlackWins));
}

#[test]
fn a_stalemate_ends_the_game() {
    let text = "[FEN \"k7/8/8/8/8/8/8/KQ6 w - - 0 1\"]\n\n1. Qb6 1/2-1/2";
    check(text, 1, 0, automatic(WireReason::Stalemate, WireScore::Draw));
}

#[test]
fn bare_kings_end_the_game() {
    let text = "[FEN \"8/8/4k3/8/8/3pK3/8/8 w - - 0 1\"]\n\n1. Kxd3 Kd5 2. Ke3 1/2-1/2";
    check(text, 1, 2, automatic(WireReason::DeadPosition, WireScore::Draw));
}

#[test]
fn the_third_occurrence_ends_the_game_and_the_first_position_counts() {
    let text = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 6. d4 1-0";
    check(text, 8, 3, automatic(WireReason::ThreefoldRepetition, WireScore::Draw));
}

#[test]
fn the_hundredth_quiet_ply_ends_the_game() {
    let text = "[FEN \"4k3/8/8/8/8/8/8/4K2R w - - 98 80\"]\n\n1. Rh7 Kd8 2. Rh1 1-0";
    check(text, 2, 1, automatic(WireReason::FiftyMoves, WireScore::Draw));
}

#[test]
fn the_loser_resigns() {
    let white_wins = Ending::Resignation { loser: Color::Black, score: WireScore::WhiteWins };
    check("1. e4 e5 1-0", 2, 0, white_wins);
    check("1. e4 e5 0-1", 2, 0, Ending::Resignation { loser: Color::White, score: WireScore::BlackWins });
}

#[test]
fn a_resignation_to_one_who_cannot_checkmate_is_a_draw() {
    let text = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 0-1";
    check(text, 1, 0, Ending::Resignation { loser: Color::White, score: WireScore::Draw });
}

#[test]
fn a_draw_is_agreed_when_both_have_moved() {
    check("1. e4 e5 1/2-1/2", 2, 0, Ending::Agreement);
    check("1. e4 1/2-1/2", 1, 0, Ending::Unfinished);
    check("1. e4 e5 *", 2, 0, Ending::Unfinished);
}

#[test]
fn a_file_that_scores_a_mate_otherwise_is_found_out() {
    let mated = script("1. f3 e5 2. g4 Qh4# 0-1");
    assert_eq!(mated.result_mismatch(PgnResult::BlackWins), None);
    assert_eq!(mated.result_mismatch(PgnResult::Unknown), None);
    assert!(mated.result_mismatch(PgnResult::WhiteWins).is_some());
    // The board decides nothing here, and after an automatic draw the file's result is not
    // compared.
    assert_eq!(script("1. e4 e5 1-0").result_mismatch(PgnResult::WhiteWins), None);
    let repeated = script("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1-0");
    assert_eq!(repeated.result_mismatch(PgnResult::WhiteWins), None);
}
