//! docs/laws.md, "Offers and claims", takeback by consent.

use crate::script::check;
use crate::table::{board, casual, online, us};

#[test]
fn only_casual_knows_takebacks() {
    for table in [online(), board(), us()] {
        check(
            table,
            "0 play e4 e5
             1 w takeback => !NotInProfile
             1 w takeback-yes 4 => !NoOffer
             1 w takeback-no 4 => !NoOffer",
        );
    }
}

#[test]
fn on_the_opponents_turn_ones_last_move_is_taken_back() {
    check(
        casual(),
        "0 play e4 e5 Nf3
         1 w takeback => takeback w 1
         1 offers => takeback w 5
         2 b takeback-yes 5 => taken-back 1
         2 moves => e4 e5
         2 offers => none
         2 w Nc3 => Nc3",
    );
}

#[test]
fn on_ones_own_turn_the_opponents_answer_goes_too() {
    check(
        casual(),
        "0 play e4 e5 Nf3 Nc6
         1 w takeback => takeback w 2
         1 b takeback-yes => taken-back 2
         1 moves => e4 e5",
    );
}

#[test]
fn there_must_be_a_move_of_ones_own() {
    check(
        casual(),
        "0 w takeback => !NothingToTakeBack
         0 play e4
         0 b takeback => !NothingToTakeBack
         0 w takeback => takeback w 1
         0 b takeback-yes => taken-back 1
         0 moves => 
         0 w takeback => !NothingToTakeBack",
    );
}

#[test]
fn a_takeback_is_by_consent() {
    check(
        casual(),
        "0 play e4 e5
         1 b takeback => takeback b 1
         1 b takeback-yes => !NoOffer
         1 w takeback-yes 3 => !Stale
         1 w takeback-no 3 => !Stale
         2 w takeback-no => no-takeback w
         2 w takeback-yes 4 => !NoOffer
         2 moves => e4 e5",
    );
}

#[test]
fn one_takeback_offer_a_position() {
    check(
        casual(),
        "0 play e4 e5
         1 b takeback => takeback b 1
         1 b takeback => !AlreadyOffered
         1 w takeback => !AlreadyOffered
         2 w takeback-no => no-takeback w
         2 b takeback => !AlreadyOffered
         2 w takeback => takeback w 2
         3 b takeback-no => no-takeback b
         3 w Nf3 => Nf3
         3 b takeback => takeback b 2",
    );
}

#[test]
fn a_takeback_offer_ends_with_the_position_it_is_about() {
    check(
        casual(),
        "0 play e4 e5
         1 b takeback => takeback b 1
         2 w Nf3 => Nf3
         2 offers => none
         2 w takeback-yes 4 => !NoOffer",
    );
}

#[test]
fn a_takeback_restores_position_and_rights() {
    check(
        casual(),
        "0 play e4 e5 Ke2
         1 w takeback => takeback w 1
         1 b takeback-yes => taken-back 1
         2 play Nf3 Nc6 Bc4 Bc5
         2 w O-O => O-O",
    );
    check(
        casual().fen("4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1"),
        "0 play e4 Kd7
         1 b takeback => takeback b 1
         1 w takeback-yes => taken-back 1
         2 b fxe3 => fxe3",
    );
}

#[test]
fn a_takeback_restores_the_counter() {
    check(
        casual().fen("4k3/8/8/8/8/8/P7/R3K3 w - - 98 80"),
        "0 play a3
         1 w takeback => takeback w 1
         1 b takeback-yes => taken-back 1
         2 play Kd2
         2 b Kd7 => Kd7; end 1/2-1/2 fifty",
    );
}

#[test]
fn a_takeback_restores_repetition() {
    // A third occurrence that is taken back does not count.
    check(
        casual(),
        "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8
         0 claimable => ThreefoldRepetition
         1 b takeback => takeback b 1
         1 w takeback-yes => taken-back 1
         1 claimable => none
         2 play Ng8
         2 claimable => ThreefoldRepetition",
    );
    // Taking back a pawn move brings back the history before it.
    check(
        casual(),
        "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4
         0 claimable => none
         1 w takeback => takeback w 1
         1 b takeback-yes => taken-back 1
         1 claimable => ThreefoldRepetition
         2 play Nf3 Nf6 Ng1
         2 claimable => ThreefoldRepetition",
    );
}

#[test]
fn a_takeback_clears_offers() {
    check(
        casual(),
        "0 play e4 e5
         1 w offer => offer w
         1 b takeback => takeback b 1
         2 w takeback-yes => taken-back 1
         2 offers => none
         2 b accept 4 => !NoOffer",
    );
}

#[test]
fn a_draw_offer_before_a_takeback_keeps_its_distance() {
    check(
        casual(),
        "0 play e4 e5
         1 w offer => offer w
         1 b takeback => takeback b 1
         2 w takeback-yes => taken-back 1
         2 w offer => !OfferTooEarly
         2 b offer => offer b",
    );
}

#[test]
fn that_distance_is_counted_from_the_position_that_is_restored() {
    check(
        casual(),
        "0 play e4 e5 Nf3
         0 w offer => offer w
         0 w takeback => takeback w 1
         0 b takeback-yes => taken-back 1
         0 play Nf3 Nf6 Nc3 Nc6 Be2 Be7 a3 a6 b3 b6 h3 h6 g3 g6 O-O O-O Bb2 Bb7 Re1
         0 w offer => !OfferTooEarly
         0 play Re8
         0 w offer => offer w",
    );
}

#[test]
fn a_takeback_leaves_the_clocks_as_they_are_shown() {
    check(
        casual(),
        "0 play e4 e5
         10 w Nf3 => Nf3
         15 w takeback => takeback w 1
         25 clocks => 172 165
         25 b takeback-yes => taken-back 1 [b took 15: 172 165]
         25 clocks => 172 165
         25 running => w
         30 w Nc3 => Nc3 [w took 5: 169 165]",
    );
}

#[test]
fn the_delay_of_a_turn_that_is_taken_back_is_not_charged() {
    let script = |clocks| {
        format!(
            "0 play e4 e5 Nf3
             4 w takeback => takeback w 1
             4 b takeback-yes => taken-back 1 [b took 4: {clocks}]"
        )
    };
    check(casual().clock("3+5s"), &script("180 180"));
    check(casual().clock("3+5b"), &script("180 176"));
}

#[test]
fn a_periods_base_is_never_added_twice() {
    check(
        casual().clock("2/1+0,1+0"),
        "0 play e4 e5
         10 w Nf3 => Nf3 [w took 10: 110 60]
         10 w takeback => takeback w 1
         10 b takeback-yes => taken-back 1
         10 clocks => 110 60
         30 w Nf3 => Nf3 [w took 20: 90 60]
         30 b Nc6 => Nc6 [b took 0: 90 120]
         40 w Bc4 => Bc4 [w took 10: 80 120]",
    );
}

#[test]
fn a_periods_base_is_never_added_twice_however_many_moves_are_taken_back() {
    check(
        casual().clock("1/1+0"),
        "0 play e4 e5 Nf3 Nc6 Bc4
         0 clocks => 240 180
         0 w takeback => takeback w 1
         0 b takeback-yes => taken-back 1
         0 w takeback => takeback w 2
         0 b takeback-yes => taken-back 2
         0 play Nf3 Nc6 Bc4
         0 clocks => 240 180
         0 play Bc5 O-O
         0 clocks => 300 240",
    );
}

#[test]
fn a_takeback_restores_the_period_counter() {
    // The increment of the second period does not hold for a move that counts for the first again.
    check(
        casual().clock("2/1+1,1+9"),
        "0 play e4 e5
         0 w Nf3 => Nf3 [w took 0: 121 60]
         0 b Nc6 => Nc6 [b took 0: 121 121]
         0 w Bc4 => Bc4 [w took 0: 130 121]
         0 b takeback => takeback b 2
         0 w takeback-yes => taken-back 2
         0 b d6 => d6 [b took 0: 130 122]
         0 w Be2 => Be2 [w took 0: 139 122]
         0 b Be7 => Be7 [b took 0: 139 131]",
    );
}

#[test]
fn after_a_takeback_of_a_first_move_the_side_has_its_first_move_again() {
    check(
        casual(),
        "0 play e4
         5 w takeback => takeback w 1
         5 b takeback-yes => taken-back 1
         5 running => none
         5 due => 35
         9 w d4 => d4 [w took 4: 180 180]",
    );
}

#[test]
fn a_claim_counts_once_for_the_position_that_a_takeback_brings_back() {
    check(
        casual(),
        "0 play e4 e5
         0 w claim => claim w wrong; offer w
         0 w claim => !AlreadyClaimed
         0 w takeback => takeback w 2
         0 b takeback-yes => taken-back 2
         0 play e4 e5
         0 w claim => claim w wrong",
    );
}
