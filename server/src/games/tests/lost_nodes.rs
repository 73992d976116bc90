//! One game, whose player to move was on a node that is lost.

use std::time::Duration;

use zeitnot_protocol::{Code, ServerMessage};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Event, Micros, Profile};

use super::table::{Table, blitz, plain, play, setup};
use crate::connections::ConnectionId;
use crate::games::SeatCommand;
use crate::games::inputs::{GameInput, Join, StampedCommand};
use crate::storage::{Fault, NodeNumber};
use crate::time::ServiceInstant;

const NODE: NodeNumber = NodeNumber(2);

/// Black has a connection here and one on a node that will be lost, and each side has moved.
fn table_with_two_connections() -> Table {
    let mut table = Table::seated(&setup(Profile::casual(), blitz()));
    let connection = ConnectionId::elsewhere(NODE, 1);
    table.handle_input(GameInput::Join(Join { connection, seat: Color::Black, round_trip: None }));
    table.play(1, "e2e4");
    table.play(2, "e7e5");
    table
}

fn lose_node(table: &mut Table, complete: ServiceInstant) {
    table.handle_input(GameInput::NodeLost { node: NODE, complete });
    assert_eq!(table.machine.clock_reading().began, None, "it stands");
}

#[test]
fn a_turn_goes_on_from_its_beginning_when_its_player_had_acted_before_that() {
    let mut table = table_with_two_connections();
    let heard = table.now;
    table.pass(Duration::from_secs(2));
    let stamp = table.now;
    table.pass(Duration::from_secs(3));
    table.play(1, "g1f3");
    let began = table.now;
    lose_node(&mut table, heard);
    table.send_stamped(2, stamp, play(1, "a7a6"));
    table.expect_rejected(2, Code::Stale);
    assert_eq!(table.machine.clock_reading().began, Some(began));
    table.check();
}

#[test]
fn what_was_stamped_before_a_node_was_lost_costs_what_the_turn_had_taken_then() {
    let mut table = table_with_two_connections();
    table.play(1, "g1f3");
    table.pass(Duration::from_secs(5));
    let stamp = table.now;
    table.pass(Duration::from_secs(1));
    let heard = table.now;
    table.pass(Duration::from_secs(1));
    lose_node(&mut table, heard);
    table.send_stamped(2, stamp, play(1, "a7a6"));
    table.expect_rejected(2, Code::Stale);
    assert_eq!(table.machine.clock_reading().began, None, "it says nothing of where the player is now");
    let on = table.machine.game().position_seq();
    table.send_stamped(2, stamp, play(on, "b8c6"));
    table.expect_done(2);
    let moved = table.frames.last().unwrap().text();
    assert!(moved.contains(r#""took":5000,"#), "{moved}");
    table.check();
}

#[test]
fn a_turn_that_goes_on_costs_no_more_than_the_node_of_its_player_measured() {
    for (took, charged) in [(4, 4_000), (60, 8_000)] {
        let mut table = table_with_two_connections();
        table.play(1, "g1f3");
        table.pass(Duration::from_secs(6));
        let heard = table.now;
        lose_node(&mut table, heard);
        table.pass(Duration::from_secs(20));
        table.send(2, plain(Command::OfferDraw));
        table.expect_done(2);
        table.pass(Duration::from_secs(2));
        let (on, measured) = (table.machine.game().position_seq(), Some(Micros::from_secs(took)));
        table.send_measured(2, table.now, measured, play(on, "b8c6"));
        table.expect_done(2);
        let moved =
            table.frames.iter().rev().find(|frame| frame.text().contains(r#""t":"move""#)).unwrap().text();
        assert!(moved.contains(&format!(r#""took":{charged},"#)), "{moved}");
        table.check();
    }
}

/// Black's only connection is on the node that will be lost, and it is Black's turn after three moves.
fn table_with_a_player_elsewhere() -> Table {
    let mut table = Table::new(&setup(Profile::casual(), blitz()));
    table.join(1, Color::White);
    let connection = ConnectionId::elsewhere(NODE, 1);
    table.handle_input(GameInput::Join(Join { connection, seat: Color::Black, round_trip: None }));
    table.send(1, play(1, "e2e4"));
    send_from_elsewhere(&mut table, play(2, "e7e5"));
    table.send(1, play(3, "g1f3"));
    table
}

fn send_from_elsewhere(table: &mut Table, command: SeatCommand) {
    table.handle_input(GameInput::Command(StampedCommand {
        connection: ConnectionId::elsewhere(NODE, 1),
        seat: Color::Black,
        stamp: table.now,
        took: None,
        command,
    }));
}

#[test]
fn a_turn_stands_although_a_command_of_the_lost_connection_is_decided_after_the_loss() {
    let mut table = table_with_a_player_elsewhere();
    table.journal.inject([Some(Fault::Delayed)]);
    table.send(1, plain(Command::GiveTime { amount: Micros::from_secs(15) }));
    send_from_elsewhere(&mut table, plain(Command::GiveTime { amount: Micros::from_secs(15) }));
    let heard = table.now;
    lose_node(&mut table, heard);
    table.release();
    let given = table.events().iter().filter(|event| matches!(event, Event::TimeAdjusted { .. })).count();
    assert_eq!(given, 2, "the command has its effect");
    assert_eq!(table.machine.clock_reading().began, None, "nobody knows where the player is");
    table.check();
}

#[test]
fn a_turn_goes_on_after_its_player_came_and_went_while_an_append_was_under_way() {
    let mut table = table_with_a_player_elsewhere();
    assert_eq!(running(&table), Some(Color::Black));
    let now = table.now;
    lose_node(&mut table, now);
    assert_eq!(table.face.running, None);
    settle_node(&mut table);

    table.journal.inject([Some(Fault::Delayed)]);
    table.send(1, plain(Command::GiveTime { amount: Micros::from_secs(15) }));
    table.join(5, Color::Black);
    table.leave(5);
    table.release();
    table.pass(Duration::from_secs(3));
    assert_eq!(running(&table), Some(Color::Black));
    table.check();
}

fn settle_node(table: &mut Table) {
    table.handle_input(GameInput::NodeSettled(NODE));
}

fn running(table: &Table) -> Option<Color> {
    table.machine.clock_reading().running.map(|(seat, _)| seat)
}

#[test]
fn a_player_who_has_joined_anew_may_have_moved_over_the_lost_node_until_that_is_settled() {
    for stays in [true, false] {
        let mut table = table_with_a_player_elsewhere();
        let now = table.now;
        lose_node(&mut table, now);
        table.join(5, Color::Black);
        if !stays {
            table.leave(5);
        }
        table.pass(Duration::from_secs(3_600));
        assert_eq!(running(&table), None, "the move may come when the node is heard again");
        table.messages(1);
        settle_node(&mut table);
        table.pass(Duration::from_millis(1_900));
        assert_eq!(running(&table), None, "nodes attach one after the other");
        table.pass(Duration::from_millis(200));
        assert_eq!(running(&table), Some(Color::Black));
        let is_told =
            |message: &ServerMessage| matches!(message, ServerMessage::Presence(presence) if !presence.here);
        let is_absent = table.messages(1).iter().any(is_told);
        assert_eq!(is_absent, !stays);
        table.check();
    }
}

#[test]
fn a_player_of_two_lost_nodes_is_awaited_until_both_are_settled() {
    let mut table = table_with_a_player_elsewhere();
    let (second, now) = (NodeNumber(3), table.now);
    let connection = ConnectionId::elsewhere(second, 1);
    table.handle_input(GameInput::Join(Join { connection, seat: Color::Black, round_trip: None }));
    lose_node(&mut table, now);
    table.handle_input(GameInput::NodeLost { node: second, complete: now });
    table.handle_input(GameInput::NodeSettled(second));
    table.join(5, Color::Black);
    table.pass(Duration::from_secs(100));
    assert_eq!(running(&table), None);
    settle_node(&mut table);
    table.pass(Duration::from_secs(3));
    assert_eq!(running(&table), Some(Color::Black));
    table.check();
}

#[test]
fn a_player_who_has_left_a_node_may_have_come_back_there_when_it_is_lost() {
    let mut table = table_with_a_player_elsewhere();
    let connection = ConnectionId::elsewhere(NODE, 1);
    table.handle_input(GameInput::Leave { connection });
    assert_eq!(running(&table), Some(Color::Black));
    table.pass(Duration::from_secs(2));
    let heard = table.now;
    table.pass(Duration::from_secs(1));
    lose_node(&mut table, heard);
    table.pass(Duration::from_secs(3_600));
    assert_eq!(running(&table), None, "the move may come when the node is heard again");
    settle_node(&mut table);
    table.messages(1);
    table.pass(Duration::from_secs(31));
    assert_eq!(running(&table), Some(Color::Black));
    let is_told =
        |message: &ServerMessage| matches!(message, ServerMessage::Presence(presence) if !presence.here);
    assert!(table.messages(1).iter().any(is_told), "nobody has come");

    let mut table = table_with_a_player_elsewhere();
    table.handle_input(GameInput::Leave { connection });
    table.join(5, Color::Black);
    table.leave(5);
    table.handle_input(GameInput::NodeLost { node: NODE, complete: table.now });
    assert_eq!(running(&table), Some(Color::Black), "the last connection was here");
    table.check();
}
