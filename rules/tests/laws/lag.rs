//! docs/laws.md, "Clocks", lag compensation: allowance, credit and bank.

use crate::script::check;
use crate::table::{board, online};

#[test]
fn credit_is_what_the_turn_took_up_to_half_more_than_the_round_trip() {
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         5 b e5 => e5 [b took 5 credit 0.3: 182 177.3]",
    );
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         0.25 b e5 => e5 [b took 0.25 credit 0.25: 182 182]",
    );
}

#[test]
fn the_allowance_is_fixed_when_the_turn_starts() {
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         0 rtt b 0.6
         5 b e5 => e5 [b took 5 credit 0.3: 182 177.3]
         5 play Nf3
         10 b Nc6 => Nc6 [b took 5 credit 0.9: 184 175.2]",
    );
    // Nothing was measured when White's first turn started.
    check(board(), "0 rtt w 0.2\n5 w e4 => e4 [w took 5: 177 180]");
}

#[test]
fn the_allowance_is_at_most_a_second() {
    check(board(), "0 rtt b 4\n0 play e4\n5 b e5 => e5 [b took 5 credit 1: 182 178]");
}

#[test]
fn the_allowance_moves_the_flag() {
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         0 due => 180.3
         180.299999 b e5 => e5 [b took 180.299999 credit 0.3: 182 2.000001]",
    );
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         180.3 b e5 => !TimeIsUp
         180.299999 deadline => !NothingDue
         180.3 deadline => flag b [b took 180.3 credit 0.3: 182 0]",
    );
}

#[test]
fn the_allowance_moves_the_flag_with_a_delay_too() {
    check(board().clock("1+5s"), "0 rtt b 0.2\n0 play e4\n0 due => 65.3");
    check(board().clock("1+5b"), "0 rtt b 0.2\n0 play e4\n0 due => 60.3");
}

#[test]
fn delay_counts_from_where_the_credit_ends() {
    check(
        board().clock("1+5s"),
        "0 rtt b 0.4
         0 play e4
         0.6 clocks => 60 60
         5.6 clocks => 60 60
         7.6 b e5 => e5 [b took 7.6 credit 0.6: 60 58]",
    );
    check(
        board().clock("1+5b"),
        "0 rtt b 0.4
         0 play e4
         0.6 clocks => 60 60
         3.6 clocks => 60 57
         7.6 b e5 => e5 [b took 7.6 credit 0.6: 60 58]",
    );
}

#[test]
fn the_bank_pays_for_the_credit_and_refills_per_move() {
    // 1+0: the refill is 0.004 x 60 + 0.19 = 0.43 s; at the start there is 3 x (0.004 x 60 + 0.15).
    check(
        board().clock("1+0"),
        "0 rtt b 1
         0 play e4
         2 b e5 => e5 [b took 2 credit 1: 60 59]
         2 bank => 0.6
         2 play Nf3
         4 b Nc6 => Nc6 [b took 2 credit 0.6: 60 57.6]
         4 bank => 0.43
         4 play Bc4
         6 b Bc5 => Bc5 [b took 2 credit 0.43: 60 56.03]
         6 bank => 0.43",
    );
}

#[test]
fn a_refill_is_never_more_than_the_measured_round_trip() {
    check(
        board().clock("1+0"),
        "0 rtt b 0.1
         0 play e4
         2 b e5 => e5 [b took 2 credit 0.15: 60 58.15]
         2 bank => 1.12
         2 rtt b 0.05
         2 play Nf3
         2 b Nc6 => Nc6 [b took 0: 60 58.15]
         2 bank => 1.17",
    );
    // Nothing measured: nothing added.
    check(board().clock("1+0"), "0 play e4 e5\n0 bank => 1.17");
}

#[test]
fn the_bank_has_a_ceiling() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 e4 e5";
    check(
        board().clock("1+0"),
        &format!("0 rtt b 1\n0 rtt w 1\n0 play {moves}\n0 bank => 3.01\n0 play d4 d5\n0 bank => 3.01"),
    );
}

#[test]
fn a_refill_is_at_most_430_ms() {
    check(board().clock("2+0"), "0 rtt b 2\n0 play e4 e5\n0 bank => 2.32");
}

#[test]
fn a_first_move_that_costs_nothing_needs_no_credit() {
    check(
        online().clock("1+0"),
        "0 rtt w 0.5
         0 rtt b 0.5
         3 w e4 => e4 [w took 3: 60 60]
         3 bank => 1.17",
    );
}

#[test]
fn the_credit_is_paid_also_when_the_turn_ends_without_a_move() {
    check(
        board().clock("1+0"),
        "0 rtt b 0.4
         0 play e4
         2 w resign => resign w [b took 2 credit 0.6: 60 58.6]
         2 bank => 0.57",
    );
}
