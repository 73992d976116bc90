//! What a game keeps of its past: the moves on the board with their times, both clocks after each,
//! and seqs.

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Game, PlayedMove};

use crate::script::check;
use crate::show;
use crate::table::{board, casual, online};

/// `ply seq took credit: clocks` of each move.
fn times(game: &Game, from: u32) -> Vec<String> {
    let shown = |played: PlayedMove| match played.time {
        None => format!("{} {}", played.ply, played.seq),
        Some(time) => {
            let (took, credit) = (show::seconds(time.took), show::seconds(time.credit));
            format!("{} {} {took} {credit}: {}", played.ply, played.seq, show::clocks(time.clocks))
        }
    };
    game.moves_from(from).map(shown).collect()
}

#[test]
fn each_move_keeps_its_time_and_both_clocks() {
    let game = check(
        board().clock("3+2"),
        "0 rtt b 0.25
         1.5 w e4 => e4
         2 w offer => offer w
         4 b e5 => e5
         10 w Nf3 => Nf3",
    );
    assert_eq!(
        times(&game, 1),
        ["1 2 1.5 0: 180.5 180", "2 4 2.5 0.375: 180.5 179.875", "3 5 6 0: 176.5 179.875"]
    );
    assert_eq!(times(&game, 3), ["3 5 6 0: 176.5 179.875"]);
    assert_eq!(times(&game, 4), [""; 0]);
    assert_eq!(
        game.moves().map(|played| played.by).collect::<Vec<_>>(),
        [Color::White, Color::Black, Color::White]
    );
}

#[test]
fn times_are_kept_to_the_millisecond_and_round_as_the_exact_ones_do() {
    let game = check(board().clock("3+0"), "1.5 w e4 => e4\n2.500001 b e5 => e5");
    let clocks: Vec<_> = game.moves().map(|played| played.time.unwrap().clocks).collect();
    assert_eq!((clocks[0].white.to_ms_up(), clocks[0].white.to_ms_down()), (178_500, 178_500));
    // Exactly 178.999999 s.
    assert_eq!((clocks[1].black.to_ms_up(), clocks[1].black.to_ms_down()), (179_000, 178_999));
    assert_eq!(game.moves().nth(1).unwrap().time.unwrap().took.to_ms_down(), 1_000);
}

#[test]
fn acts_between_moves_show_in_the_moves_after_them() {
    let game = check(
        casual().clock("3+0"),
        "0 play e4 e5
         10 w give 60 => gift w 180 240
         10 b give 30 => gift b 210 240
         20 w Nf3 => Nf3
         20 arbiter set 100 100 => arbiter 100 100
         30 b Nc6 => Nc6",
    );
    assert_eq!(
        times(&game, 1),
        ["1 2 0 0: 180 180", "2 3 0 0: 180 180", "3 6 20 0: 190 240", "4 8 10 0: 100 90"]
    );
}

#[test]
fn a_takeback_leaves_the_moves_before_it() {
    let game = check(
        casual().clock("3+0"),
        "0 play e4 e5
         10 w Nf3 => Nf3
         20 w takeback => takeback w 1
         20 b takeback-yes => taken-back 1
         25 w Nc3 => Nc3",
    );
    assert_eq!(times(&game, 1), ["1 2 0 0: 180 180", "2 3 0 0: 180 180", "3 7 5 0: 165 170"]);
}

#[test]
fn without_clocks_no_times_are_kept() {
    let game = check(online().clock("none"), "5 play e4 e5");
    assert_eq!(times(&game, 1), ["1 2", "2 3"]);
}

#[test]
fn promotions_and_castling_are_kept_as_they_were_played() {
    check(
        board().fen("4k3/P7/8/8/8/8/8/4K2R w K - 0 1"),
        "0 play a8=N Kd7 O-O Kc6
         0 moves => a8=N Kd7 O-O Kc6",
    );
    check(board().fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"), "0 play a8=Q Kd7\n0 moves => a8=Q+ Kd7");
}

#[test]
fn seqs_are_without_gaps() {
    let game = check(board(), "0 play e4 e5\n0 w offer => offer w\n0 b decline => decline b\n0 play Nf3");
    assert_eq!((game.seq(), game.position_seq(), game.ply_count()), (6, 6, 3));
    assert_eq!(game.moves().map(|played| played.seq).collect::<Vec<_>>(), [2, 3, 6]);
}

#[test]
fn a_live_game_of_80_plies_is_small() {
    assert!(size_of::<Game>() <= 1024, "{}", size_of::<Game>());
}
