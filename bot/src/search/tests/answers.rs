//! Mates, hanging pieces, stalemates, repetitions and zugzwang: positions with one right answer.

use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, uci};

use crate::line::Line;
use crate::search::{Found, Limits, Searcher, Stop};

fn line(text: &str) -> Line {
    Line::new(fen::parse(text).expect("a position"), Variant::Standard)
}

fn search(line: &Line, limits: Limits) -> Found {
    Searcher::new(1 << 20).search(line, &limits, 0, &Stop::default()).expect("there is a legal move")
}

fn best(text: &str, depth: u8) -> String {
    let line = line(text);
    let found = search(&line, Limits::depth(depth));
    uci::write(found.mv, line.position(), Variant::Standard).as_str().to_owned()
}

/// Quiet moves to a mate are reduced, so it takes more depth than it has plies.
#[track_caller]
fn mates(text: &str, moves: i32) {
    let found = search(&line(text), Limits::depth(3 * moves as u8));
    assert_eq!(found.score.mate_in(), Some(moves), "{text}");
}

#[test]
fn mates_in_one_are_found() {
    mates("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1);
    mates("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1);
    // A smothered mate, and one that only an underpromotion gives.
    mates("6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1);
    mates("7b/5P1k/7p/8/8/8/8/6RK w - - 0 1", 1);
}

#[test]
fn mates_in_two_are_found() {
    // A rook ladder, a queen that is given for a smothered mate, a waiting move.
    mates("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1", 2);
    mates("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 2);
    mates("1k6/8/2K5/8/8/8/8/7R w - - 0 1", 2);
}

#[test]
fn mates_in_three_are_found() {
    mates("1k6/8/3K4/8/8/8/8/7R w - - 0 1", 3);
    mates("8/8/8/8/8/2k5/7r/1K6 b - - 0 1", 3);
}

#[test]
fn the_side_that_is_mated_counts_the_moves_too() {
    let found = search(&line("7k/R7/8/8/8/8/8/1R2K3 b - - 0 1"), Limits::depth(5));
    assert_eq!(found.score.mate_in(), Some(-1));
}

#[test]
fn a_hanging_piece_is_taken_and_an_attacked_one_saved() {
    assert_eq!(best("4k3/8/8/3q4/8/8/3R4/3K4 w - - 0 1", 4), "d2d5");
    let saved = best("4k3/8/8/8/1p6/2N5/8/4K3 w - - 0 1", 4);
    assert!(saved.starts_with("c3"), "{saved}");
    // The pawn protects the knight: the queen stays away from it.
    assert_ne!(best("4k3/2p5/3n4/8/8/8/3Q4/4K3 w - - 0 1", 4), "d2d6");
}

#[test]
fn stalemate_is_avoided_by_the_side_that_wins() {
    // Qb6 would be stalemate.
    let line = line("k7/8/2K5/8/8/8/1Q6/8 w - - 0 1");
    let found = search(&line, Limits::depth(5));
    assert!(found.score.mate_in().is_some_and(|moves| moves > 0), "{found:?}");
}

#[test]
fn stalemate_is_sought_by_the_side_that_loses() {
    // In the corner the pawn is safe: to take it would be stalemate.
    assert_eq!(best("8/8/8/8/8/1Q6/2p5/1k3K2 b - - 0 1", 8), "b1a1");
}

#[test]
fn a_repetition_is_sought_by_the_side_that_loses() {
    // White is a queen down and has a perpetual check.
    let found = search(&line("6k1/6p1/8/7Q/8/1r6/1q4PK/8 w - - 0 1"), Limits::depth(7));
    assert_eq!(found.score.centipawns(), 0, "{found:?}");
}

#[test]
fn a_position_of_the_game_counts_as_repeated() {
    // The rook's way back leads to a position that has stood twice: White wins by another way.
    let mut line = line("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1");
    for text in ["a1a2", "e8d8", "a2a1", "d8e8", "a1a2", "e8d8"] {
        line.play_uci(text).expect("legal");
    }
    let found = search(&line, Limits::depth(6));
    let text = uci::write(found.mv, line.position(), Variant::Standard);
    assert_ne!(text.as_str(), "a2a1");
    assert!(found.score.centipawns() > 300);
}

#[test]
fn after_99_quiet_plies_a_pawn_moves_or_a_piece_is_taken() {
    let played = best("7k/8/8/8/8/8/P7/R3K3 w - - 99 90", 4);
    assert_eq!(played.get(..2), Some("a2"), "{played}");
    // A checkmate with the last quiet ply comes before the draw.
    let mate = search(&line("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90"), Limits::depth(3));
    assert_eq!(mate.score.mate_in(), Some(1));
}

#[test]
fn zugzwang_is_seen() {
    // Whoever is to move loses the pawn, and with it the game.
    for side in ["w", "b"] {
        let text = format!("8/8/8/3pK3/2kP4/8/8/8 {side} - - 0 1");
        let found = search(&line(&text), Limits::depth(6));
        assert!(found.score.centipawns() < -80, "{side}: {found:?}");
    }
    // Only the move that leaves the opponent to move wins.
    assert_eq!(best("8/8/1k6/3pK3/3P4/8/8/8 w - - 0 1", 8), "e5d5");
}

#[test]
fn a_promotion_to_less_than_a_queen_is_found_where_it_is_the_only_one_that_wins() {
    // The end of Saavedra's study: a queen would be lost to a check that ends in stalemate.
    assert_eq!(best("8/2P5/8/8/3r4/8/2K5/k7 w - - 0 1", 8), "c7c8r");
    // The knight takes the queen by a fork.
    assert_eq!(best("8/2P1k3/1q6/8/8/4P3/4P3/4K3 w - - 0 1", 6), "c7c8n");
}

#[test]
fn a_quiet_move_that_alone_saves_or_wins_a_pawn_endgame_is_not_left_out() {
    // Only the king that stays before the pawn draws.
    assert_eq!(best("4k3/8/4P3/4K3/8/8/8/8 b - - 0 1", 16), "e8e7");
    // Two pawns are given for a third that runs through.
    assert_eq!(best("7k/ppp5/8/PPP5/8/8/8/7K w - - 0 1", 14), "b5b6");
}

#[test]
fn a_queen_is_given_for_a_mate_however_far_behind_that_leaves_the_side() {
    for text in
        ["5r1k/6pp/7N/8/8/1Q6/5PPP/6K1 w - - 0 1", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1"]
    {
        let found = search(&line(text), Limits::nodes(120_000));
        assert!(found.score.mate_in().is_some_and(|moves| moves > 0), "{text}: {found:?}");
    }
}

#[test]
fn the_lone_king_is_driven_to_mate_with_a_rook() {
    let mut game = line("8/8/8/3k4/8/8/8/R3K3 w - - 0 1");
    let mut searcher = Searcher::new(1 << 20);
    for _ in 0..80 {
        let Some(found) = searcher.search(&game, &Limits::nodes(30_000), 0, &Stop::default()) else { break };
        game.play(found.mv).expect("a legal move");
    }
    assert!(game.position().in_check() && !game.position().has_legal_move(), "{:?}", game.position());
}

fn search_several(text: &str, most: usize, limits: Limits) -> (Vec<Found>, Vec<String>) {
    let line = line(text);
    let found = Searcher::new(1 << 20).search_several(&line, most, &limits, 0, &Stop::default());
    let name = |found: &Found| uci::write(found.mv, line.position(), Variant::Standard).as_str().to_owned();
    let names = found.iter().map(name).collect();
    (found, names)
}

#[test]
fn several_best_moves_come_in_their_order() {
    // The queen can be taken by the rook, or by the knight; nothing else wins anything.
    let (found, names) = search_several("6k1/5ppp/8/3q4/8/2N5/3R4/6K1 w - - 0 1", 3, Limits::depth(4));
    assert_eq!(found.iter().map(|found| found.depth).collect::<Vec<_>>(), [4, 4, 4]);
    assert!(found.is_sorted_by(|better, worse| better.score >= worse.score), "{found:?}");
    let mut takes = names[..2].to_vec();
    takes.sort();
    assert_eq!(takes, ["c3d5", "d2d5"], "{names:?}");
    assert!(found[1].score.centipawns() - found[2].score.centipawns() > 300, "{found:?}");
}

#[test]
fn a_mate_does_not_end_the_search_for_the_moves_after_it() {
    // The fool's mate, one move before its end.
    let before = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let (found, names) = search_several(before, 3, Limits::depth(4));
    assert_eq!(names[0], "d8h4");
    assert_eq!(found.iter().map(|found| found.depth).collect::<Vec<_>>(), [4, 4, 4]);
    let (found, _) = search_several("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1, Limits::depth(4));
    assert_eq!(found[0].depth, 1, "one is enough for whoever asks for one");
}

#[test]
fn no_more_moves_are_found_than_there_are() {
    assert_eq!(search_several("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", 3, Limits::depth(4)).1, Vec::<String>::new());
    assert_eq!(search_several("7k/8/5K2/8/8/8/8/6R1 b - - 0 1", 3, Limits::depth(4)).1, ["h8h7"]);
    assert_eq!(search_several("7k/8/8/8/8/8/8/K7 w - - 0 1", 2, Limits::depth(6)).1.len(), 2);
}

#[test]
fn a_search_for_several_that_is_cut_short_keeps_what_it_had() {
    let start = fen::write(&zeitnot_rules::board::Position::standard());
    for nodes in (1..3_000).step_by(97) {
        let (found, mut names) = search_several(&start, 4, Limits::nodes(nodes));
        assert!((1..=4).contains(&found.len()), "{found:?}");
        assert!(found.iter().all(|one| one.nodes <= nodes && one.nodes == found[0].nodes), "{found:?}");
        assert!(found.iter().all(|one| one.depth == found[0].depth), "{found:?}");
        assert!(found.is_sorted_by(|better, worse| better.score >= worse.score), "{found:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), found.len(), "no move twice");
    }
}

#[test]
fn a_search_before_another_one_knows_what_that_has_found() {
    // White wins on d7, which no search of so many positions sees from the first one.
    let moves = ["e1c1", "a8d8", "d1d7", "d8d7", "h1d1", "e7e6"];
    let mut lines = vec![line("r3kb1r/p2nqppp/5n2/1B2p1B1/4P3/1Q6/PPP2PPP/R3K2R w KQkq - 1 12")];
    for mv in moves {
        let mut next = lines.last().cloned().expect("there is one");
        next.play_uci(mv).expect("it is legal");
        lines.push(next);
    }
    let limits = Limits::nodes(20_000);
    let mut searcher = Searcher::new(1 << 20);
    let mut before =
        |line: &Line| searcher.search_before(line, &limits, &Stop::default()).expect("there is a legal move");
    let knowing = lines.iter().rev().map(&mut before).last().expect("there are lines");
    let alone = search(&lines[0], limits);
    assert!(alone.score.centipawns() < 150 && knowing.score.centipawns() > 250, "{alone:?} {knowing:?}");
    searcher.forget();
    assert_eq!(searcher.search_before(&lines[0], &limits, &Stop::default()), Some(alone));
}
