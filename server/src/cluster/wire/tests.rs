//! Every kind of payload and message is read as it was written, and nothing else is read.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zeitnot_rules::game::Command;

use super::*;

#[track_caller]
fn check_payloads<T: Serialize + DeserializeOwned + PartialEq + Debug>(values: Vec<T>) {
    for value in values {
        let written = payload(&value);
        assert_eq!(read_payload(&written), Ok(value));
        for length in 0..written.len() {
            assert_eq!(read_payload::<T>(&written[..length]), Err(Unreadable::Malformed), "{length}");
        }
        let longer = [&written[..], &[0]].concat();
        assert_eq!(read_payload::<T>(&longer), Err(Unreadable::Malformed), "something is left over");
    }
}

#[test]
fn what_is_written_is_read_the_same() {
    check_payloads(samples::envelopes());
    check_payloads(samples::announcements());
    check_payloads(samples::from_mirrors());
    check_payloads(samples::from_owners());
    check_payloads(samples::about_chats());
}

#[test]
fn every_command_of_a_player_travels() {
    for command in samples::commands() {
        let act: Act = read(&message(&Act::from(&command))).unwrap();
        assert_eq!(Command::from(act), command);
    }
}

#[test]
fn another_version_is_rejected_by_name() {
    let mut written = payload(&samples::envelopes()[0]).to_vec();
    written[0] = 9;
    assert_eq!(read_payload::<Envelope>(&written), Err(Unreadable::Version(9)));
}

#[test]
fn a_payload_that_is_too_long_is_not_looked_at() {
    let long = vec![VERSION; PAYLOAD_BYTES_MAX + 1];
    assert_eq!(read_payload::<Envelope>(&long), Err(Unreadable::TooLong));
}

#[test]
fn a_move_off_the_board_is_rejected() {
    for wrong in [(64, 0, None), (0, 64, None), (0, 1, Some(6))] {
        assert_eq!(read::<act::SentMove>(&message(&wrong)), Err(Unreadable::Malformed), "{wrong:?}");
    }
}

#[test]
fn a_frame_is_the_same_on_the_other_node() {
    let pong = zeitnot_protocol::ServerMessage::Pong(zeitnot_protocol::Pong { n: 7, at: 0, ms: 0 });
    let frame = crate::connections::Frame::new(3, &pong).with_clock();
    let sent: FrameText = read(&message(&FrameText::from(&frame))).unwrap();
    assert_eq!(crate::connections::Frame::from(sent), frame);
}

#[test]
fn what_a_message_is_about_is_seen_without_reading_it() {
    let game = LinkMessage::Game(samples::from_mirrors().remove(0));
    let lobby = LinkMessage::Lobby(LobbyMessage::ToOwner(ToLobby::Arrived));
    let chat = LinkMessage::Chat(samples::about_chats().remove(0));
    for (about, is_about_lobby) in [(game, false), (lobby, true), (chat, false)] {
        let written = message(&about);
        assert_eq!(super::is_about_lobby(&written), is_about_lobby);
        assert_eq!(read(&written), Ok(about));
    }
    assert!(!super::is_about_lobby(&[]));
}

#[test]
fn what_is_said_about_the_lobby_is_read_the_same() {
    check_payloads(samples::about_the_lobby());
}
