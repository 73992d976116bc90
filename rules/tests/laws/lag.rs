//! docs/laws.md, "Clocks", lag compensation: allowance, credit and bank.

use crate::script::check;
use crate::table::{board, online};

#[test]
fn credit_is_what_the_turn_took_up_to_the_round_trip() {
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         5 b e5 => e5 [b took 5 credit 0.2: 182 177.2]",
    );
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         0.15 b e5 => e5 [b took 0.15 credit 0.15: 182 182]",
    );
}

#[test]
fn the_allowance_is_fixed_when_the_turn_starts() {
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         0 rtt b 0.9
         5 b e5 => e5 [b took 5 credit 0.2: 182 177.2]
         5 play Nf3
         10 b Nc6 => Nc6 [b took 5 credit 0.9: 184 175.1]",
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
         0 due => 180.2
         180.199999 b e5 => e5 [b took 180.199999 credit 0.2: 182 2.000001]",
    );
    check(
        board(),
        "0 rtt b 0.2
         0 play e4
         180.2 b e5 => !TimeIsUp
         180.199999 deadline => !NothingDue
         180.2 deadline => flag b [b took 180.2 credit 0.2: 182 0]",
    );
}

#[test]
fn the_allowance_moves_the_flag_with_a_delay_too() {
    check(board().clock("1+5s"), "0 rtt b 0.2\n0 play e4\n0 due => 65.2");
    check(board().clock("1+5b"), "0 rtt b 0.2\n0 play e4\n0 due => 60.2");
}

#[test]
fn delay_counts_from_where_the_credit_ends() {
    check(
        board().clock("1+5s"),
        "0 rtt b 0.5
         0 play e4
         0.5 clocks => 60 60
         5.5 clocks => 60 60
         7.5 b e5 => e5 [b took 7.5 credit 0.5: 60 58]",
    );
    check(
        board().clock("1+5b"),
        "0 rtt b 0.5
         0 play e4
         0.5 clocks => 60 60
         3.5 clocks => 60 57
         7.5 b e5 => e5 [b took 7.5 credit 0.5: 60 58]",
    );
}

#[test]
fn the_bank_pays_for_the_credit_and_refills_per_move() {
    // 1+0: the refill is 0.004 x 60 + 0.15 = 0.39 s, three of them are there at the start.
    check(
        board().clock("1+0"),
        "0 rtt b 1
         0 play e4
         2 b e5 => e5 [b took 2 credit 1: 60 59]
         2 bank => 0.56
         2 play Nf3
         4 b Nc6 => Nc6 [b took 2 credit 0.56: 60 57.56]
         4 bank => 0.39
         4 play Bc4
         6 b Bc5 => Bc5 [b took 2 credit 0.39: 60 55.95]
         6 bank => 0.39",
    );
}

#[test]
fn a_refill_is_never_more_than_the_measured_round_trip() {
    check(
        board().clock("1+0"),
        "0 rtt b 0.1
         0 play e4
         2 b e5 => e5 [b took 2 credit 0.1: 60 58.1]
         2 bank => 1.17
         2 rtt b 0.05
         2 play Nf3
         2 b Nc6 => Nc6 [b took 0: 60 58.1]
         2 bank => 1.22",
    );
    // Nothing measured: nothing added.
    check(board().clock("1+0"), "0 play e4 e5\n0 bank => 1.17");
}

#[test]
fn the_bank_has_a_ceiling() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8";
    check(
        board().clock("1+0"),
        &format!("0 rtt b 1\n0 rtt w 1\n0 play {moves}\n0 bank => 2.73\n0 play e4 e5\n0 bank => 2.73"),
    );
}

#[test]
fn a_refill_is_at_most_a_second() {
    check(board().clock("90+30"), "0 rtt b 2\n0 play e4 e5\n0 bank => 4");
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
        "0 rtt b 0.5
         0 play e4
         2 w resign => resign w [b took 2 credit 0.5: 60 58.5]
         2 bank => 0.67",
    );
}
