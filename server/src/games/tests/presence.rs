//! Who is there: presence, absence claims, round trips, and the number of spectators.

use std::time::Duration;

use zeitnot_protocol::{Code, ServerMessage, WireColor};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{AbsenceWish, Command, Micros, Profile};

use super::Table;
use super::table::{blitz, conn, plain, setup};
use crate::connections::NoticeKind;
use crate::games::inputs::GameInput;

fn online() -> Table {
    Table::seated(&setup(Profile::fide_online(), blitz()))
}

fn presences(messages: &[ServerMessage]) -> Vec<(WireColor, bool, Option<u32>)> {
    let presence = |message: &ServerMessage| match message {
        ServerMessage::Presence(presence) => Some((presence.color, presence.here, presence.claim_in_ms)),
        _ => None,
    };
    messages.iter().filter_map(presence).collect()
}

#[test]
fn who_joins_gets_the_game_who_is_there_and_its_turn() {
    let mut table = Table::new(&setup(Profile::fide_online(), blitz()));
    table.join(1, Color::White);
    let messages = table.messages(1);
    assert!(matches!(messages[0], ServerMessage::Snapshot(_)));
    assert_eq!(
        presences(&messages),
        [(WireColor::White, true, None), (WireColor::Black, false, Some(60_000))]
    );
    assert!(matches!(messages.last(), Some(ServerMessage::Turn(_))));
    table.join(2, Color::Black);
    let messages = table.messages(2);
    assert!(matches!(messages[0], ServerMessage::Snapshot(_)));
    assert!(!matches!(messages.last(), Some(ServerMessage::Turn(_))));
    assert_eq!(presences(&table.messages(1)), [(WireColor::Black, true, None)]);
}

#[test]
fn a_player_on_the_way_is_here() {
    let mut table = Table::expecting(&setup(Profile::fide_online(), blitz()), ByColor::both(true));
    table.join(1, Color::White);
    assert_eq!(presences(&table.messages(1)), [(WireColor::Black, true, None)]);
    table.join(2, Color::Black);
    assert_eq!(presences(&table.messages(2)), [(WireColor::White, true, None)]);
    assert_eq!(presences(&table.messages(1)), [], "nothing has changed");
    table.pass(Duration::from_secs(5));
    assert_eq!(presences(&table.messages(1)), []);
    table.leave(2);
    assert_eq!(presences(&table.messages(1)), [(WireColor::Black, false, Some(60_000))]);
}

#[test]
fn a_player_who_was_on_the_way_and_does_not_come_is_away() {
    let here = ByColor { white: false, black: true };
    let mut table = Table::expecting(&setup(Profile::fide_online(), blitz()), here);
    table.join(1, Color::White);
    assert_eq!(
        presences(&table.messages(1)),
        [(WireColor::White, true, None), (WireColor::Black, true, None)]
    );
    table.pass(Duration::from_millis(4_999));
    assert_eq!(presences(&table.messages(1)), []);
    table.pass(Duration::from_millis(1));
    assert_eq!(presences(&table.messages(1)), [(WireColor::Black, false, Some(60_000))]);
    table.join(2, Color::Black);
    assert_eq!(presences(&table.messages(1)), [(WireColor::Black, true, None)]);
}

#[test]
fn presence_changes_with_the_first_and_the_last_connection() {
    let mut table = online();
    table.join(3, Color::White);
    assert_eq!(presences(&table.messages(2)), []);
    table.leave(1);
    assert_eq!(presences(&table.messages(2)), []);
    table.leave(3);
    assert_eq!(presences(&table.messages(2)), [(WireColor::White, false, Some(60_000))]);
    table.pass(Duration::from_secs(20));
    table.join(4, Color::Black);
    assert_eq!(presences(&table.messages(4)), [(WireColor::White, false, Some(40_000))]);
    table.join(5, Color::White);
    assert_eq!(presences(&table.messages(2)), [(WireColor::White, true, None)]);
}

#[test]
fn an_absent_opponent_can_be_claimed_against_after_the_grace() {
    let mut table = online();
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.leave(1);
    let claim = || plain(Command::ClaimAbsence { wish: AbsenceWish::Win });
    table.pass(Duration::from_millis(59_999));
    table.send(2, claim());
    table.expect_rejected(2, Code::NotAbsent);
    table.pass(Duration::from_millis(1));
    table.send(2, claim());
    assert!(table.has_ended);
    assert!(table.frames.last().unwrap().text().contains("abandonment"));
    table.check();
}

#[test]
fn who_never_came_is_absent_from_the_start() {
    let mut table = Table::new(&setup(Profile::fide_online(), blitz()));
    table.pass(Duration::from_secs(10));
    table.join(1, Color::White);
    assert_eq!(presences(&table.messages(1))[1], (WireColor::Black, false, Some(50_000)));
}

#[test]
fn a_round_trip_is_forgiven_the_least_of_a_players_connections() {
    let mut table = Table::new(&setup(Profile::fide_board(), blitz()));
    table.join_at_distance(1, Color::White, Duration::from_millis(400));
    table.join_at_distance(2, Color::Black, Duration::from_millis(50));
    table.join_at_distance(3, Color::White, Duration::from_millis(90));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table.pass(Duration::from_millis(500));
    table.play(1, "g1f3");
    let credit = table.machine.game().moves().last().unwrap().time.unwrap().credit;
    assert_eq!(credit, Micros::from_millis(135), "half more than the least");
    table.leave(3);
    table.handle_input(GameInput::RoundTrip { connection: conn(1), smoothed: Micros::from_millis(120) });
    table.play(2, "b8c6");
    table.pass(Duration::from_millis(500));
    table.play(1, "f1c4");
    let credit = table.machine.game().moves().last().unwrap().time.unwrap().credit;
    assert_eq!(credit, Micros::from_millis(180));
    table.check();
}

#[test]
fn a_command_of_a_connection_that_never_joined_or_has_left_counts_by_when_it_came() {
    let mut table = online();
    table.send(9, plain(Command::Resign));
    assert_eq!(table.events().len(), 1, "it never joined");
    table.journal.inject([Some(crate::storage::Fault::Delayed)]);
    table.send(1, super::table::play(1, "e2e4"));
    table.send(2, plain(Command::Resign));
    table.leave(2);
    table.release();
    assert!(table.has_ended, "it was sent before the connection closed");
    table.check();
}

#[test]
fn the_number_of_spectators_is_published_at_most_once_a_second() {
    let mut table = online();
    for count in 1..=50 {
        table.handle_input(GameInput::Watchers(count));
        table.pass(Duration::from_millis(100));
    }
    table.pass(Duration::from_secs(2));
    assert_eq!(table.watchers.first(), Some(&1));
    assert_eq!(table.watchers.last(), Some(&50));
    assert!((5..=7).contains(&table.watchers.len()), "{:?}", table.watchers);
    let heard = table.heard(1);
    assert_eq!(
        heard.iter().filter(|kind| matches!(kind, NoticeKind::Watchers(_))).count(),
        table.watchers.len()
    );
    table.handle_input(GameInput::Watchers(51));
    table.handle_input(GameInput::Watchers(50));
    table.pass(Duration::from_secs(5));
    table.join(3, Color::White);
    assert!(table.heard(3).contains(&NoticeKind::Watchers(50)));
}

#[test]
fn a_resync_and_a_spectators_wish_give_the_same_snapshot() {
    let mut table = online();
    table.play(1, "e2e4");
    table.heard(1);
    table.handle_input(GameInput::Resync { connection: conn(1) });
    let heard = table.heard(1);
    table.handle_input(GameInput::SnapshotWanted);
    assert_eq!(heard, [NoticeKind::Snapshot(table.snapshots[0].clone())]);
}
