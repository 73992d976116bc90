//! docs/laws.md, "Offers and claims", draw offers (9.1).

use crate::script::check;
use crate::table::{all, board, casual, online, us};

#[test]
fn an_offer_ends_when_accepted() {
    for table in all() {
        check(
            table,
            "0 play e4 e5\n1 b offer => offer b\n2 w accept => end 1/2-1/2 agreement\n2 offers => none",
        );
    }
}

#[test]
fn an_offer_ends_when_declined() {
    for table in all() {
        check(
            table,
            "0 play e4 e5
             1 b offer => offer b
             1 offers => draw b 4
             2 w decline => decline w
             2 offers => none
             3 w accept 4 => !NoOffer
             3 w decline 4 => !NoOffer",
        );
    }
}

#[test]
fn an_offer_ends_with_the_opponents_move() {
    for table in all() {
        check(
            table,
            "0 play e4 e5
             1 b offer => offer b
             2 w Nf3 => Nf3
             2 offers => none
             3 w accept 4 => !NoOffer",
        );
    }
}

#[test]
fn an_offer_ends_with_the_game() {
    check(online(), "0 play e4 e5\n1 b offer => offer b\n1 w resign => resign w\n1 offers => none");
    check(
        board(),
        "0 play f3 e5\n1 b offer => offer b\n1 w g4 => g4\n1 b offer => offer b\n1 b Qh4 => Qh4#; end 0-1 checkmate\n2 offers => none",
    );
}

#[test]
fn the_offerers_own_move_does_not_end_it() {
    for table in all() {
        check(
            table,
            "0 play e4 e5
             1 w offer => offer w
             2 w Nf3 => Nf3
             2 offers => draw w 4
             3 b accept 4 => end 1/2-1/2 agreement",
        );
    }
}

#[test]
fn an_offer_cannot_be_withdrawn() {
    for table in all() {
        check(table, "0 play e4 e5\n1 w offer => offer w\n1 w decline 4 => !NoOffer\n1 offers => draw w 4");
    }
}

#[test]
fn nobody_accepts_their_own_offer() {
    check(board(), "0 play e4 e5\n1 w offer => offer w\n1 w accept => !NoOffer");
}

#[test]
fn an_answer_names_the_offer_it_is_about() {
    check(
        board(),
        "0 play e4 e5
         1 w accept 4 => !NoOffer
         1 b offer => offer b
         1 w accept 3 => !Stale
         1 w decline 5 => !Stale
         1 w accept 4 => end 1/2-1/2 agreement",
    );
}

#[test]
fn one_per_player_until_the_opponent_has_next_moved() {
    for table in [board(), us()] {
        check(
            table,
            "0 play e4 e5
             1 w offer => offer w
             1 w offer => !AlreadyOffered
             2 w Nf3 => Nf3
             2 w offer => !AlreadyOffered
             3 b Nc6 => Nc6
             4 w offer => offer w",
        );
    }
}

#[test]
fn one_per_player_also_after_a_decline() {
    for table in [board(), us()] {
        check(
            table,
            "0 play e4 e5
             1 w offer => offer w
             2 b decline => decline b
             3 w offer => !AlreadyOffered
             4 w Nf3 => Nf3
             4 w offer => !AlreadyOffered
             5 b Nc6 => Nc6
             5 w offer => offer w",
        );
    }
}

#[test]
fn both_have_an_offer_of_their_own() {
    check(
        board(),
        "0 play e4 e5
         1 w offer => offer w
         2 b decline => decline b
         3 b offer => offer b
         4 w decline => decline w
         5 b offer => !AlreadyOffered",
    );
}

#[test]
fn offering_while_the_opponents_offer_is_open_accepts_it() {
    for table in all() {
        check(
            table.clock("3+0"),
            "0 play e4 e5\n1 w offer => offer w\n3 b offer => end 1/2-1/2 agreement [w took 3: 177 180]",
        );
    }
}

#[test]
fn fide_online_and_casual_not_again_within_20_plies_of_ones_own_last_offer() {
    for table in [online(), casual()] {
        check(
            table,
            "0 play e4 e5
             0 w offer => offer w
             0 b decline => decline b
             0 play Nf3 Nf6
             0 w offer => !OfferTooEarly
             0 b offer => offer b
             0 play Nc3 Nc6 Be2 Be7 a3 a6 b3 b6 h3 h6 g3 g6 O-O O-O Bb2 Bb7 Re1
             0 w offer => !OfferTooEarly
             0 play Re8
             0 w offer => offer w
             0 b decline => decline b
             0 b offer => !OfferTooEarly
             0 play Bf1
             0 b offer => !OfferTooEarly
             0 play Bf8
             0 b offer => offer b",
        );
    }
}

#[test]
fn the_distance_does_not_keep_one_from_accepting() {
    check(
        online(),
        "0 play e4 e5
         0 w offer => offer w
         0 play Nf3 Nf6
         0 b offer => offer b
         0 w offer => end 1/2-1/2 agreement",
    );
}

#[test]
fn option_none_before_move_n() {
    check(
        board().no_draw_offer_before_move(3),
        "0 play e4 e5 Nf3 Nc6
         0 w offer => !OfferTooEarly
         0 b offer => !OfferTooEarly
         0 play Bc4
         0 b offer => !OfferTooEarly
         0 w offer => offer w
         0 b decline => decline b
         0 play Bc5
         0 b offer => offer b",
    );
}

#[test]
fn an_offer_stops_no_clock() {
    check(
        board(),
        "0 play e4 e5
         10 b offer => offer b
         10 running => w
         20 w decline => decline w
         20 clocks => 162 182
         30 w Nf3 => Nf3 [w took 30: 154 182]",
    );
}
