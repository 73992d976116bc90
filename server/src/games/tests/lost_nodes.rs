//! One game, whose player to move was on a node that is lost.

use std::time::Duration;

use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Micros, Profile};

use super::table::{Table, blitz, plain, play, setup};
use crate::connections::ConnectionId;
use crate::games::inputs::{GameInput, Join, StampedCommand};
use crate::storage::{Fault, NodeNumber};

#[test]
fn a_turn_goes_on_after_its_player_came_and_went_while_an_append_was_under_way() {
    let node = NodeNumber(2);
    let mut table = Table::new(&setup(Profile::casual(), blitz()));
    table.join(1, Color::White);
    let connection = ConnectionId::elsewhere(node, 1);
    table.handle_input(GameInput::Join(Join { connection, seat: Color::Black, round_trip: None }));
    table.send(1, play(1, "e2e4"));
    let reply = play(2, "e7e5");
    table.handle_input(GameInput::Command(StampedCommand {
        connection,
        seat: Color::Black,
        stamp: table.now,
        command: reply,
    }));
    table.send(1, play(3, "g1f3"));
    assert_eq!(table.face.running.map(|(seat, _)| seat), Some(Color::Black));
    table.handle_input(GameInput::NodeLost { node, heard: table.now });
    assert_eq!(table.face.running, None);

    table.journal.inject([Some(Fault::Delayed)]);
    table.send(1, plain(Command::GiveTime { amount: Micros::from_secs(15) }));
    table.join(5, Color::Black);
    table.leave(5);
    table.release();
    table.pass(Duration::from_secs(3));
    assert_eq!(table.machine.clock_reading().running.map(|(seat, _)| seat), Some(Color::Black));
    table.check();
}
