//! docs/laws.md, "Offers and claims", claims (9.2, 9.3) and what a wrong one costs (9.5.3).

use zeitnot_rules::board::Color;

use crate::script::check;
use crate::table::{board, casual, online, us};

/// The start position stands for the third time, White to move.
const THRICE: &str = "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
/// It has stood twice, and Ng8 would bring it back.
const ALMOST_THRICE: &str = "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
/// 100 plies have passed, White to move.
const FIFTY: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 100 80";
/// 99 plies have passed.
const ALMOST_FIFTY: &str = "4k3/8/8/8/8/8/P7/R3K3 w - - 99 80";

#[test]
fn threefold_on_the_board() {
    for table in [board(), us(), casual()] {
        check(table, &format!("{THRICE}\n5 w claim => claim w right; end 1/2-1/2 threefold"));
    }
}

#[test]
fn threefold_with_the_intended_move() {
    for table in [board(), us()] {
        check(table, &format!("{ALMOST_THRICE}\n5 b claim Ng8 => claim b Ng8 right; end 1/2-1/2 threefold"));
    }
}

#[test]
fn fifty_moves_on_the_board() {
    for table in [board(), us()] {
        check(table.fen(FIFTY), "5 w claim => claim w right; end 1/2-1/2 fifty");
    }
}

#[test]
fn fifty_moves_with_the_intended_move() {
    for table in [board(), us()] {
        check(table.fen(ALMOST_FIFTY), "5 w claim Rb1 => claim w Rb1 right; end 1/2-1/2 fifty");
    }
}

#[test]
fn casual_knows_claims_on_the_board_only() {
    check(casual(), &format!("{ALMOST_THRICE}\n5 b claim Ng8 => !NotInProfile\n5 b Ng8 => Ng8"));
}

#[test]
fn casual_claims_a_threefold_on_the_board_for_a_program_to_move() {
    // Ng8 leaves White to move.
    let ended = format!("{ALMOST_THRICE}\n5 b Ng8 => Ng8; end 1/2-1/2 threefold");
    let goes_on = format!("{ALMOST_THRICE}\n5 b Ng8 => Ng8");
    check(casual().bot(Color::White), &ended);
    check(casual().bot(Color::White).bot(Color::Black), &ended);
    check(casual().bot(Color::Black), &goes_on);
    // With Black to move, the position after Nf3 has stood as often one ply later.
    check(casual().bot(Color::Black), &format!("{THRICE}\n5 w Nf3 => Nf3; end 1/2-1/2 threefold"));
    for table in [board(), us()] {
        check(table.bot(Color::White), &goes_on);
    }
}

#[test]
fn fide_online_knows_no_claims() {
    check(
        online(),
        "0 play e4 e5\n5 w claim => !NotInProfile\n5 w claim Nf3 => !NotInProfile\n5 moves => e4 e5",
    );
}

#[test]
fn a_right_claim_costs_the_time_it_took() {
    check(
        board(),
        &format!("{THRICE}\n5 w claim => claim w right; end 1/2-1/2 threefold [w took 5: 183 188]"),
    );
}

#[test]
fn the_intended_move_of_a_right_claim_is_recorded_and_not_played() {
    let script = format!(
        "{ALMOST_THRICE}
         5 b claim Ng8 => claim b Ng8 right; end 1/2-1/2 threefold
         5 moves => Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"
    );
    check(board(), &script);
}

#[test]
fn with_the_intended_move_it_concerns_the_position_after_it() {
    // The position on the board has stood three times, the one after e4 has not.
    check(
        board(),
        &format!("{THRICE}\n0 w claim e4 => claim w e4 wrong; e4; bonus-for-claim w 190 248; offer w"),
    );
    // A pawn move starts the count again.
    check(
        board().fen("4k3/8/8/8/8/8/P7/R3K3 w - - 120 80"),
        "0 w claim a3 => claim w a3 wrong; a3; bonus-for-claim w 182 240; offer w",
    );
}

#[test]
fn a_claim_is_made_by_the_player_to_move() {
    check(board(), &format!("{THRICE}\n0 b claim => !NotYourTurn\n0 w claim on 8 => !Stale"));
}

#[test]
fn a_claim_is_made_in_a_game_in_progress() {
    check(board(), &format!("{THRICE}\n0 b resign => resign b\n0 w claim => !GameOver\n0 claimable => none"));
}

#[test]
fn one_may_claim_in_check() {
    check(
        board().fen("4k3/8/8/8/8/8/4r3/R3K3 w - - 100 80"),
        "5 w claim => claim w right; end 1/2-1/2 fifty",
    );
}

#[test]
fn once_per_move() {
    check(
        us(),
        "0 play e4 e5
         0 w claim => claim w wrong; bonus-for-claim w 182 302; offer w
         0 w claim => !AlreadyClaimed
         0 w claim Nf3 => !AlreadyClaimed
         0 play Nf3 Nc6
         0 w claim => claim w wrong; bonus-for-claim w 184 424; offer w",
    );
}

#[test]
fn an_illegal_intended_move_rejects_the_whole_command() {
    check(
        board(),
        &format!(
            "{ALMOST_THRICE}
             5 b claim g8g6 => !IllegalMove
             5 clocks => 188 181
             5 b claim Ng8 => claim b Ng8 right; end 1/2-1/2 threefold"
        ),
    );
}

#[test]
fn a_wrong_intended_move_is_played_at_the_claims_stamp_with_its_increment() {
    check(
        board(),
        "0 play e4 e5
         10 w claim Nf3 => claim w Nf3 wrong; Nf3 [w took 10: 174 182]; bonus-for-claim w 174 242; offer w
         10 running => b
         13 b Nc6 => Nc6 [b took 3: 174 241]",
    );
}

#[test]
fn after_a_wrong_intended_move_the_checks_run_and_a_mate_wins() {
    check(board(), "0 play f3 e5 g4\n3 b claim Qh4 => claim b Qh4# wrong; Qh4#; end 0-1 checkmate");
    check(
        board().fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1"),
        "3 w claim Qg6 => claim w Qg6 wrong; Qg6; end 1/2-1/2 stalemate",
    );
}

#[test]
fn a_right_claim_with_a_mating_move_is_still_a_claim() {
    check(
        board().fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 80"),
        "3 w claim Ra8 => claim w Ra8# right; end 1/2-1/2 fifty",
    );
}

#[test]
fn the_claim_stands_as_a_draw_offer() {
    check(
        board(),
        "0 play e4 e5
         1 w claim => claim w wrong; bonus-for-claim w 182 242; offer w
         1 offers => draw w 6
         2 b accept 6 => end 1/2-1/2 agreement",
    );
    check(
        board(),
        "0 play e4 e5
         0 w claim Nf3 => claim w Nf3 wrong; Nf3; bonus-for-claim w 184 242; offer w
         0 offers => draw w 7
         0 b offer => end 1/2-1/2 agreement",
    );
}

#[test]
fn the_claim_stands_as_an_offer_only_where_one_is_allowed() {
    // Offered already this turn.
    check(
        board(),
        "0 play e4 e5
         0 w offer => offer w
         0 b decline => decline b
         0 w claim => claim w wrong; bonus-for-claim w 182 242
         0 offers => none",
    );
    // Before the move at which offers begin.
    check(
        board().no_draw_offer_before_move(3),
        "0 play e4 e5
         0 w claim Nf3 => claim w Nf3 wrong; Nf3; bonus-for-claim w 184 242
         0 play Nc6
         0 w claim Bc4 => claim w Bc4 wrong; Bc4; bonus-for-claim w 186 304; offer w",
    );
    // Not 20 plies apart.
    check(
        casual(),
        "0 play e4 e5
         0 w offer => offer w
         0 b decline => decline b
         0 w claim => claim w wrong",
    );
}

#[test]
fn a_wrong_claim_accepts_the_opponents_open_offer() {
    check(
        board(),
        "0 play e4 e5
         0 b offer => offer b
         4 w claim => claim w wrong; end 1/2-1/2 agreement",
    );
    // With the intended move the offer is answered by the move.
    check(
        board(),
        "0 play e4 e5
         0 b offer => offer b
         0 w claim Nf3 => claim w Nf3 wrong; Nf3; bonus-for-claim w 184 242; offer w
         0 offers => draw w 8",
    );
}

#[test]
fn a_wrong_claim_gives_the_opponent_two_minutes_in_standard_chess() {
    let script =
        |white, black| format!("0 w claim => claim w wrong; bonus-for-claim w {white} {black}; offer w");
    check(board().clock("90+30"), &script("5400", "5520"));
    // Base + 60 x increment is exactly 60 minutes.
    check(board().clock("30+30"), &script("1800", "1920"));
    check(board().clock("30+30s"), &script("1800", "1920"));
    check(board().clock("40/40+0,20+0"), &script("2400", "2520"));
}

#[test]
fn a_wrong_claim_gives_the_opponent_one_minute_in_rapid_and_blitz() {
    let script =
        |white, black| format!("0 w claim => claim w wrong; bonus-for-claim w {white} {black}; offer w");
    check(board().clock("30+29"), &script("1800", "1860"));
    check(board().clock("5+3s"), &script("300", "360"));
    check(board().clock("59+0"), &script("3540", "3600"));
}

#[test]
fn a_wrong_claim_gives_two_minutes_under_us_chess_whatever_the_speed() {
    check(us().clock("5+0"), "0 w claim => claim w wrong; bonus-for-claim w 300 420; offer w");
    check(us().clock("90+30"), "0 w claim => claim w wrong; bonus-for-claim w 5400 5520; offer w");
}

#[test]
fn a_wrong_claim_gives_nothing_under_casual() {
    check(casual(), "0 w claim => claim w wrong; offer w");
}

#[test]
fn a_wrong_claim_gives_nothing_without_clocks() {
    for clock in ["none", "3d"] {
        for table in [board(), us()] {
            check(table.clone().clock(clock), "0 w claim => claim w wrong; offer w");
            check(table.clock(clock), "0 w claim e4 => claim w e4 wrong; e4; offer w");
        }
    }
}

#[test]
fn the_running_clock_goes_on_after_a_wrong_claim_without_a_move() {
    check(
        board(),
        "0 play e4 e5
         10 w claim => claim w wrong; bonus-for-claim w 182 242; offer w
         10 clocks => 172 242
         10 due => 182
         15 w Nf3 => Nf3 [w took 15: 169 242]",
    );
}

#[test]
fn what_can_be_claimed_can_be_asked() {
    check(board(), &format!("{THRICE}\n0 claimable => ThreefoldRepetition"));
    check(board().fen(FIFTY), "0 claimable => FiftyMoves");
    check(casual(), &format!("{THRICE}\n0 claimable => ThreefoldRepetition"));
    check(board(), &format!("{ALMOST_THRICE}\n0 claimable => none"));
}
