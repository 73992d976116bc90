//! docs/laws.md, "Moves": what a game may start from.

use zeitnot_rules::game::{
    Event, Game, IlcRule, Profile, ProfileError, StartError, TimeControlError, Variant,
};
use zeitnot_rules::verdict::Reason;

use crate::script::check;
use crate::table::{Table, board, casual, online, us};

#[track_caller]
fn check_start(table: Table, expected: Result<(), StartError>) {
    assert_eq!(table.setup.validate(), expected);
    let started = Game::start(&table.setup);
    assert_eq!(started.clone().map(|_| ()), expected);
    if let Ok(events) = started {
        assert_eq!(events, [Event::Started(Box::new(table.setup))]);
    }
}

#[test]
fn a_game_may_start_from_any_position_that_is_not_over() {
    check_start(online(), Ok(()));
    check_start(online().chess960(0), Ok(()));
    check_start(online().fen("4k3/8/8/8/8/8/P7/4K3 w - - 0 1"), Ok(()));
}

#[test]
fn a_game_may_not_start_from_a_position_that_is_over() {
    let over = |reason| Err(StartError::AlreadyOver(reason));
    check_start(online().fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), over(Reason::Checkmate));
    check_start(online().fen("7k/8/5KQ1/8/8/8/8/8 b - - 0 1"), over(Reason::Stalemate));
    check_start(online().fen("7k/8/5K2/8/6N1/8/8/8 w - - 0 1"), over(Reason::DeadPosition));
}

#[test]
fn a_move_count_that_draws_by_itself_is_over_too() {
    let count = |table: Table, plies: u16| table.fen(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {plies} 90"));
    check_start(count(online(), 99), Ok(()));
    check_start(count(online(), 100), Err(StartError::AlreadyOver(Reason::FiftyMoves)));
    check_start(count(casual(), 100), Err(StartError::AlreadyOver(Reason::FiftyMoves)));
    check_start(count(board(), 149), Ok(()));
    check_start(count(board(), 150), Err(StartError::AlreadyOver(Reason::SeventyFiveMoves)));
    check_start(count(us(), 150), Err(StartError::AlreadyOver(Reason::SeventyFiveMoves)));
}

#[test]
fn the_counters_of_the_first_position_are_kept() {
    let game = check(
        board().fen("4k3/8/8/8/8/8/8/R3K3 w - - 98 90"),
        "0 claimable => none\n0 play Ra2 Kd7\n0 claimable => FiftyMoves",
    );
    assert_eq!(game.position().halfmove_clock(), 100);
    assert_eq!(game.position().fullmove_number(), 91);
}

#[test]
fn a_game_may_not_start_with_a_time_control_that_cannot_be_played() {
    check_start(online().clock("0d"), Err(StartError::TimeControl(TimeControlError::Days)));
    check_start(online().clock("0+5"), Err(StartError::TimeControl(TimeControlError::Base)));
}

#[test]
fn a_game_may_not_start_with_rules_of_nobodys() {
    let mut table = online();
    table.setup.profile = Profile { friendly: true, ..Profile::fide_online() };
    check_start(table, Err(StartError::Profile(ProfileError::NotItsRow)));
}

#[test]
fn fide_iii4_is_not_for_blitz() {
    let with = |clock| board().ilc(IlcRule::FideIii4).clock(clock);
    check_start(with("7+0"), Err(StartError::IlcInBlitz));
    check_start(with("1+0"), Err(StartError::IlcInBlitz));
    check_start(with("8+0"), Ok(()));
    check_start(us().ilc(IlcRule::Us14H).clock("1+0"), Ok(()));
}

#[test]
fn castling_from_other_squares_needs_chess960() {
    let check_rights = |fen: &str, standard: Result<(), StartError>| {
        let mut table = online().fen(fen);
        check_start(table.clone(), standard);
        table.setup.variant = Variant::Chess960;
        check_start(table, Ok(()));
    };
    let rejected = Err(StartError::CastlingNeedsChess960);
    check_rights("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Ok(()));
    check_rights("4k3/8/8/8/8/8/8/1R2K2R w KB - 0 1", rejected);
    check_rights("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", rejected);
    check_rights("4k3/8/8/8/8/8/8/1R1K2R1 w - - 0 1", Ok(()));
}

#[test]
#[should_panic(expected = "a game's first event is `Started`")]
fn a_game_without_a_start_is_a_bug() {
    let events = [Event::DrawDeclined { by: zeitnot_rules::board::Color::White }];
    drop(Game::replay(&events));
}

#[test]
#[should_panic(expected = "nothing comes after the end")]
fn an_event_after_the_end_is_a_bug() {
    let mut game = check(online(), "0 w abort => end * aborted");
    game.evolve(&Event::DrawOffered { by: zeitnot_rules::board::Color::White });
}
