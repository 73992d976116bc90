//! A few bots paired by the real server, and a checker that is shown pairings that must not be.

use zeitnot_loadtest::pairing::{PairingChecker, PairingOptions, Report, Seen, pair};
use zeitnot_protocol::{AccountId, ByColor, GameId, PoolId};

use crate::server::TestServer;

const BLITZ: PoolId = PoolId::ThreePlusTwo;
const BULLET: PoolId = PoolId::OneMinute;

#[test]
fn bots_are_paired_correctly() {
    let server = TestServer::start();
    let options = PairingOptions { bots: 20, seconds: 4.0, pools: 2, rated: false, seed: 7, zeitnot: None };
    let report = pair(&server.endpoint(), &options).unwrap();
    assert!(report.is_clean(), "{report} {:?}", report.named);
    assert!(report.games >= 5, "{report}");
    assert!(report.to_string().starts_with("pairing: bots 20, pools 2, games "), "{report}");
}

#[test]
fn bots_of_different_strength_are_paired_by_rating() {
    let server = TestServer::start();
    let options = PairingOptions { bots: 6, seconds: 3.0, pools: 1, rated: true, seed: 7, zeitnot: None };
    let report = pair(&server.endpoint(), &options).unwrap();
    assert!(report.is_clean(), "{report} {:?}", report.named);
    let table = report.table().to_string();
    assert!(table.contains("waited, ms") && table.contains("apart, points"), "{table}");
}

fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

fn game(number: u128) -> GameId {
    GameId::from_random(number)
}

fn seen(number: u128, white: u128, black: u128) -> Seen {
    let players = ByColor { white: account(white), black: account(black) };
    Seen { game: game(number), players, apart: None, promised: Ok(()) }
}

/// Two wait, at 1 s and 3 s.
fn two(pools: [PoolId; 2]) -> PairingChecker {
    let mut checker = PairingChecker::default();
    checker.waits(account(1), pools[0], 1_000);
    checker.waits(account(2), pools[1], 3_000);
    checker
}

/// Both get a game at 4 s.
fn both_get(checker: &mut PairingChecker, games: [Seen; 2]) {
    for (bot, seen) in [1, 2].into_iter().zip(games) {
        checker.paired(account(bot), seen.game, 4_000);
        checker.sees(account(bot), &seen);
    }
}

fn report(checker: PairingChecker) -> Report {
    checker.report(2, 1, 30_000)
}

#[track_caller]
fn found(checker: PairingChecker, what: &str) {
    let report = report(checker);
    assert!(report.named.iter().any(|wrong| wrong.contains(what)), "{:?}", report.named);
    assert!(!report.is_clean());
}

#[test]
fn a_legal_pairing_is_clean_and_waits_count_only_beside_another_bot() {
    let mut checker = two([BLITZ, BLITZ]);
    both_get(&mut checker, [seen(1, 2, 1), seen(1, 2, 1)]);
    checker.ended(account(1), game(1));
    checker.ended(account(2), game(1));
    let report = report(checker);
    assert!(report.is_clean(), "{:?}", report.named);
    assert_eq!((report.games, report.waited(50), report.waited(100)), (1, 1_000, 1_000));
}

#[test]
fn wrong_pairings_are_found() {
    let mut other_pools = two([BLITZ, BULLET]);
    both_get(&mut other_pools, [seen(1, 1, 2), seen(1, 1, 2)]);
    found(other_pools, "out of 3+2");
    let mut other_colors = two([BLITZ, BLITZ]);
    both_get(&mut other_colors, [seen(1, 1, 2), seen(1, 2, 1)]);
    found(other_colors, "see other games");
    let mut oneself = two([BLITZ, BLITZ]);
    both_get(&mut oneself, [seen(1, 1, 1), seen(2, 2, 2)]);
    found(oneself, "play");
    let mut wrong_clock = two([BLITZ, BLITZ]);
    let wrong = Seen { promised: Err("other clocks".to_owned()), ..seen(1, 1, 2) };
    both_get(&mut wrong_clock, [wrong.clone(), wrong]);
    found(wrong_clock, "other clocks");
}

#[test]
fn two_games_for_one_wait_are_found() {
    let mut checker = two([BLITZ, BLITZ]);
    both_get(&mut checker, [seen(1, 1, 2), seen(1, 1, 2)]);
    checker.paired(account(1), game(2), 5_000);
    found(checker, "while Some(Playing");
    let mut checker = two([BLITZ, BLITZ]);
    both_get(&mut checker, [seen(1, 1, 2), seen(1, 1, 2)]);
    checker.waits(account(1), BLITZ, 5_000);
    found(checker, "waits in 3+2 while Playing");
}

#[test]
fn a_game_that_was_being_started_may_reach_a_bot_that_has_just_left() {
    let mut checker = two([BLITZ, BLITZ]);
    checker.left(account(1), 3_990);
    both_get(&mut checker, [seen(1, 1, 2), seen(1, 1, 2)]);
    checker.paired(account(1), game(2), 4_100);
    let report = report(checker);
    assert_eq!(report.wrong, 1, "one of them: {:?}", report.named);
}

#[test]
fn waiting_too_long_beside_another_bot_is_found() {
    let report = report(two([BLITZ, BLITZ]));
    assert_eq!((report.wrong, report.waited(100)), (0, 27_000));
    assert!(!report.is_clean());
}
