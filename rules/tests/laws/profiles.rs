//! docs/laws.md, "Profiles": the cells that are told in one line, and the options.

use zeitnot_rules::game::{IlcRule, Profile, ProfileError, ProfileName};

use crate::script::check;
use crate::table::{Table, all, board, casual, online, us};

#[test]
fn the_rows_are_valid_as_they_are() {
    for name in [ProfileName::FideOnline, ProfileName::FideBoard, ProfileName::UsChess, ProfileName::Casual] {
        assert_eq!(Profile::named(name).name, name);
        assert_eq!(Profile::named(name).validate(), Ok(()));
    }
}

#[test]
fn a_move_for_draw_offers_goes_with_fide_board_only() {
    let with = |profile: Profile, moves| profile.with_no_draw_offer_before_move(moves).validate();
    assert_eq!(with(Profile::fide_board(), 30), Ok(()));
    assert_eq!(with(Profile::fide_board(), 200), Ok(()));
    assert_eq!(with(Profile::fide_board(), 201), Err(ProfileError::DrawOfferMove));
    for profile in [Profile::fide_online(), Profile::us_chess(), Profile::casual()] {
        assert_eq!(with(profile, 30), Err(ProfileError::DrawOfferMoveNotInProfile));
    }
}

#[test]
fn insufficient_losing_chances_go_with_their_own_profile() {
    let with = |profile: Profile, ilc| profile.with_ilc(ilc).validate();
    assert_eq!(with(Profile::fide_board(), IlcRule::FideIii4), Ok(()));
    assert_eq!(with(Profile::us_chess(), IlcRule::Us14H), Ok(()));
    let rejected = Err(ProfileError::IlcNotInProfile);
    assert_eq!(with(Profile::fide_board(), IlcRule::Us14H), rejected);
    assert_eq!(with(Profile::us_chess(), IlcRule::FideIii4), rejected);
    for ilc in [IlcRule::FideIii4, IlcRule::Us14H] {
        assert_eq!(with(Profile::fide_online(), ilc), rejected);
        assert_eq!(with(Profile::casual(), ilc), rejected);
    }
}

#[test]
fn a_changed_row_is_no_profile() {
    let changed = Profile { soft_start: true, ..Profile::fide_board() };
    assert_eq!(changed.validate(), Err(ProfileError::NotItsRow));
}

/// One cell: what the last line of a script leads to in each profile.
#[track_caller]
fn check_row(
    clock: &str,
    script: &str,
    online_says: &str,
    board_says: &str,
    us_says: &str,
    casual_says: &str,
) {
    for (table, says) in
        [(online(), online_says), (board(), board_says), (us(), us_says), (casual(), casual_says)]
    {
        check(Table::clock(table, clock), &format!("{script} => {says}"));
    }
}

#[test]
fn threefold() {
    check_row(
        "3+0",
        "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1\n0 b Ng8",
        "Ng8; end 1/2-1/2 threefold",
        "Ng8",
        "Ng8",
        "Ng8",
    );
    check_row(
        "3+0",
        "0 play Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1\n0 b claim Ng8",
        "!NotInProfile",
        "claim b Ng8 right; end 1/2-1/2 threefold",
        "claim b Ng8 right; end 1/2-1/2 threefold",
        "!NotInProfile",
    );
}

#[test]
fn wrong_claim() {
    check_row(
        "3+0",
        "0 play e4 e5\n0 w claim",
        "!NotInProfile",
        "claim w wrong; bonus-for-claim w 180 240; offer w",
        "claim w wrong; bonus-for-claim w 180 300; offer w",
        "claim w wrong; offer w",
    );
}

#[test]
fn draw_offer() {
    check_row(
        "3+0",
        "0 play e4 e5\n0 w offer => offer w\n0 b decline => decline b\n0 play Nf3 Nc6\n0 w offer",
        "!OfferTooEarly",
        "offer w",
        "offer w",
        "!OfferTooEarly",
    );
}

#[test]
fn abort() {
    check_row("3+0", "0 w abort", "end * aborted", "!NotInProfile", "!NotInProfile", "end * aborted");
}

#[test]
fn first_move_limit() {
    let limit = "end * first-move-limit";
    check_row("3+0", "30 deadline", limit, "!NothingDue", "!NothingDue", limit);
}

#[test]
fn takeback_and_give_time() {
    let no = "!NotInProfile";
    check_row("3+0", "0 play e4 e5\n0 b takeback", no, no, no, "takeback b 1");
    check_row("3+0", "0 play e4 e5\n0 b give 15", no, no, no, "gift b 195 180");
}

#[test]
fn absence() {
    let (no, yes) = ("!NotInProfile", "absence w win");
    check_row("3+0", "0 play e4 e5\n0 away b\n60 w absent win", yes, no, no, yes);
}

#[test]
fn flag() {
    // A knight against a pawn: it could mate with help, but 14E asks for a forced win.
    for (table, says) in all().into_iter().zip(["1-0 flag", "1-0 flag", "1/2-1/2 flag", "1-0 flag"]) {
        let table = table.clock("3+0").fen("k7/p7/8/8/8/8/8/K5N1 w - - 0 1");
        check(table, &format!("0 play Kb1 Kb8 Kc1\n180 deadline => flag b\n180 answer => end {says}"));
    }
}

#[test]
fn resignation() {
    let draw = "1/2-1/2 resignation by material";
    for (table, says) in all().into_iter().zip([draw, draw, "0-1 resignation", draw]) {
        let table = table.fen("k7/8/8/8/8/8/8/K5Q1 w - - 0 1");
        check(table, &format!("0 w resign => resign w\n0 answer => end {says}"));
    }
}
