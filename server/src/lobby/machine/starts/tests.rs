//! Tests of the limits on games that begin.

use std::net::IpAddr;

use super::*;

const LIMITS: Limits =
    Limits { games_per_account_per_minute: 2, games_per_address_per_minute: 3, ..Limits::STANDARD };

fn address(number: u8) -> Address {
    IpAddr::from([192, 0, 2, number]).into()
}

fn begin(starts: &Starts, players: [u128; 2], from: [u8; 2], at_ms: u64) -> Result<(), Code> {
    let wanted = Wanted { players: players.map(AccountId::from_u128), from: from.map(address) };
    let at = ServiceInstant(at_ms * 1_000);
    starts.may_begin(wanted, 0, at).map(|()| starts.count(wanted, at))
}

#[test]
fn both_players_have_so_many_a_minute() {
    let starts = Starts::new(&LIMITS, 9);
    assert_eq!(begin(&starts, [1, 2], [1, 2], 0), Ok(()));
    assert_eq!(begin(&starts, [3, 1], [3, 4], 0), Ok(()));
    assert_eq!(begin(&starts, [1, 4], [5, 6], 29_999), Err(Code::TooManyNewGames));
    assert_eq!(begin(&starts, [4, 1], [5, 6], 29_999), Err(Code::TooManyNewGames));
    assert_eq!(begin(&starts, [4, 5], [5, 6], 29_999), Ok(()), "the rejections cost nothing");
    assert_eq!(begin(&starts, [4, 1], [5, 6], 30_000), Ok(()));
}

#[test]
fn an_address_has_so_many_a_minute_and_a_game_counts_once_for_it() {
    let starts = Starts::new(&LIMITS, 9);
    for player in [1, 3, 5] {
        assert_eq!(begin(&starts, [player, player + 1], [7, 7], 0), Ok(()));
    }
    assert_eq!(begin(&starts, [7, 8], [7, 7], 19_999), Err(Code::TooManyNewGames));
    assert_eq!(begin(&starts, [7, 8], [8, 7], 19_999), Err(Code::TooManyNewGames));
    assert_eq!(begin(&starts, [7, 8], [8, 9], 19_999), Ok(()));
    assert_eq!(begin(&starts, [7, 8], [7, 7], 20_000), Ok(()));
}

#[test]
fn an_address_has_so_many_a_day() {
    let starts = Starts::new(&Limits { games_per_address_per_day: 4, ..LIMITS }, 9);
    let mut players = (1..).map(|player| [2 * player, 2 * player + 1]);
    for at_ms in [0, 0, 0, 60_000] {
        assert_eq!(begin(&starts, players.next().unwrap(), [7, 7], at_ms), Ok(()));
    }
    let six_hours_ms = 6 * 60 * 60 * 1_000;
    assert_eq!(begin(&starts, [1, 2], [7, 7], 120_000), Err(Code::TooManyNewGames));
    assert_eq!(begin(&starts, [1, 2], [7, 7], six_hours_ms - 1), Err(Code::TooManyNewGames));
    assert_eq!(begin(&starts, [1, 2], [8, 8], six_hours_ms - 1), Ok(()));
    assert_eq!(begin(&starts, [1, 2], [7, 7], six_hours_ms), Ok(()));
}

#[test]
fn a_full_server_begins_nothing() {
    let starts = Starts::new(&LIMITS, 9);
    let wanted = Wanted { players: [1, 2].map(AccountId::from_u128), from: [1, 2].map(address) };
    assert_eq!(starts.may_begin(wanted, 8, ServiceInstant(0)), Ok(()));
    assert_eq!(starts.may_begin(wanted, 9, ServiceInstant(0)), Err(Code::ServerFull));
}
