//! docs/laws.md, "Offers and claims", insufficient losing chances.

use zeitnot_rules::game::IlcRule;

use crate::script::check;
use crate::table::{Table, board, casual, online, us};

/// 10 minutes for the game, under US Chess rules with 14H.
fn us14h() -> Table {
    us().clock("10+0").ilc(IlcRule::Us14H)
}

/// 15 minutes for the game, over the board with the Guidelines III.4.
fn iii4() -> Table {
    board().clock("15+0").ilc(IlcRule::FideIii4)
}

#[test]
fn off_by_default() {
    for table in [online(), board(), us(), casual()] {
        check(table.clock("15+0"), "0 play e4 e5\n800 w ilc => !NotInProfile");
    }
}

#[test]
fn with_at_most_two_minutes() {
    check(
        us14h(),
        "0 play e4 e5
         0 w ilc => !IlcNotPossible
         479.999999 w ilc => !IlcNotPossible
         480 w ilc => ilc w",
    );
}

#[test]
fn the_player_to_move_asks() {
    check(us14h(), "0 play e4 e5\n500 b ilc => !NotYourTurn");
}

#[test]
fn only_without_increment_or_delay() {
    for clock in ["10+1", "10+1s", "10+1b", "10+0|10+1", "10+1|10+0"] {
        check(us14h().clock(clock), "0 play e4 e5\n550 w ilc => !IlcNotPossible");
    }
}

#[test]
fn only_in_the_last_period() {
    check(
        us14h().clock("2/10+0,10+0"),
        "0 play e4 e5
         550 w ilc => !IlcNotPossible
         550 play Nf3 Nc6
         1199 w ilc => ilc w",
    );
    // A period that repeats is never the last.
    check(us14h().clock("40/10+0"), "0 play e4 e5\n550 w ilc => !IlcNotPossible");
}

#[test]
fn only_with_a_real_time_clock() {
    check(us14h().clock("none"), "0 play e4 e5\n0 w ilc => !IlcNotPossible");
    check(us14h().clock("1d"), "0 play e4 e5\n86399 w ilc => !IlcNotPossible");
}

#[test]
fn it_counts_as_a_draw_offer() {
    check(
        us14h(),
        "0 play e4 e5
         500 w ilc => ilc w
         500 offers => draw w 4
         500 w offer => !AlreadyOffered
         510 b accept 4 => end 1/2-1/2 agreement [w took 510: 90 600]",
    );
    check(us14h(), "0 play e4 e5\n500 w ilc => ilc w\n510 b offer => end 1/2-1/2 agreement");
}

#[test]
fn asking_while_the_opponents_offer_is_open_accepts_it() {
    check(us14h(), "0 play e4 e5\n0 b offer => offer b\n500 w ilc => end 1/2-1/2 agreement");
}

#[test]
fn it_needs_a_draw_offer_that_is_allowed() {
    check(
        us14h(),
        "0 play e4 e5
         500 w offer => offer w
         500 w ilc => !AlreadyOffered
         500 b decline => decline b
         500 w ilc => !AlreadyOffered",
    );
}

#[test]
fn us14h_puts_a_delay_on_and_halves_the_requesters_time() {
    check(
        us14h(),
        "0 play e4 e5
         500 w ilc => ilc w
         510 b decline => decline b; remedy w delay 5 45 600 [w took 510: 90 600]
         510 clocks => 45 600
         510 due => 560
         517 w Nf3 => Nf3 [w took 7: 43 600]
         523 b Nc6 => Nc6 [b took 6: 43 599]",
    );
}

#[test]
fn fide_iii4_adds_five_seconds_a_move_for_both_and_two_minutes_to_the_opponent() {
    check(
        iii4(),
        "0 play e4 e5
         800 w ilc => ilc w
         810 b decline => decline b; remedy w increment 5 90 1020 [w took 810: 90 900]
         820 w Nf3 => Nf3 [w took 10: 85 1020]
         830 b Nc6 => Nc6 [b took 10: 85 1015]",
    );
}

#[test]
fn an_answering_move_declines_too() {
    check(
        us14h(),
        "0 play e4 e5
         500 w ilc => ilc w
         510 w Nf3 => Nf3
         510 offers => draw w 4
         520 b Nc6 => Nc6 [b took 10: 90 590]; remedy w delay 5 45 590
         527 w Bc4 => Bc4 [w took 7: 43 590]",
    );
}

#[test]
fn a_move_that_ends_the_game_leaves_no_remedy() {
    check(
        us14h(),
        "0 play f3 e5
         500 w ilc => ilc w
         510 w g4 => g4
         520 b Qh4 => Qh4#; end 0-1 checkmate",
    );
}

#[test]
fn a_wrong_claim_with_a_move_declines_too() {
    check(
        us14h(),
        "0 play e4 e5
         500 w ilc => ilc w
         510 w Nf3 => Nf3
         510 b claim Nc6 => claim b Nc6 wrong; Nc6; remedy w delay 5 45 600; bonus-for-claim b 165 600; offer b",
    );
}

#[test]
fn once() {
    // After the remedy there is a delay; nobody can ask then in any case.
    check(
        us14h(),
        "0 play e4 e5
         500 w ilc => ilc w
         500 w ilc => !IlcNotPossible
         510 b decline => decline b; remedy w delay 5 45 600
         510 w ilc => !IlcNotPossible
         515 play Nf3 Nc6
         515 w ilc => !IlcNotPossible",
    );
}

#[test]
fn half_of_one_microsecond_is_one_microsecond() {
    check(
        us14h(),
        "0 play e4 e5
         599.999999 w ilc => ilc w
         599.999999 b decline => decline b; remedy w delay 5 0.000001 600",
    );
}

#[test]
fn the_option_for_draw_offers_holds_here_too() {
    check(
        iii4().no_draw_offer_before_move(2),
        "0 play e4 e5
         800 w ilc => !OfferTooEarly
         800 play Nf3 Nc6
         801 w ilc => ilc w",
    );
}
