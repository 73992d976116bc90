//! The checker lets an honest game pass, and finds every deviation.

use crate::honest_server::{events, game, script};
use zeitnot_loadtest::replay::checker::Checker;
use zeitnot_loadtest::replay::script::Script;
use zeitnot_protocol::{Clock, MoveEvent, ServerMessage, Turn, WireColor, WireReason, WireScore};
use zeitnot_rules::notation::uci;

const RESIGNED: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";
const AGREED: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2";
const MATED: &str = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0";
const REPEATED: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 1-0";

fn check(script: &Script, messages: &[ServerMessage]) -> Result<(), String> {
    let mut checker = Checker::new(script);
    messages.iter().try_for_each(|message| checker.check(message))?;
    if checker.has_ended() { Ok(()) } else { Err("the end is missing".to_owned()) }
}

/// Changes the honest messages of a game and expects a difference whose text has `word` in it.
#[track_caller]
fn must_find(text: &str, change: impl FnOnce(&mut Vec<ServerMessage>), word: &str) {
    let script = script(text);
    let mut messages = events(&script);
    check(&script, &messages).expect("the untampered messages pass");
    change(&mut messages);
    let difference = check(&script, &messages).expect_err("the change was not found");
    assert!(difference.contains(word), "found, but as: {difference}");
}

/// The move of that event.
fn at(messages: &mut [ServerMessage], seq: usize) -> &mut MoveEvent {
    match &mut messages[seq - 1] {
        ServerMessage::Move(event) => event,
        other => panic!("event {seq} is {}", other.to_text()),
    }
}

#[test]
fn correct_games_pass() {
    for text in [RESIGNED, AGREED, MATED, REPEATED] {
        let script = script(text);
        check(&script, &events(&script)).unwrap();
    }
}

#[test]
fn a_wrong_san_is_found() {
    must_find(
        RESIGNED,
        |messages| at(messages, 4).san = "Nh3".parse().unwrap(),
        "SAN: expected \"Nf3\", got \"Nh3\"",
    );
    must_find(MATED, |messages| at(messages, 8).san = "Qxf7+".parse().unwrap(), "SAN");
}

#[test]
fn a_wrong_move_or_position_is_found() {
    must_find(RESIGNED, |messages| at(messages, 4).uci = "g1h3".parse().unwrap(), "UCI");
    must_find(RESIGNED, |messages| at(messages, 4).fen.push('0'), "position");
    must_find(RESIGNED, |messages| at(messages, 4).ply += 1, "ply");
    must_find(MATED, |messages| at(messages, 8).check = None, "check");
    must_find(MATED, |messages| at(messages, 8).check.as_mut().unwrap().mate = false, "check");
}

#[test]
fn a_gap_is_found() {
    must_find(RESIGNED, |messages| drop(messages.remove(3)), "seq: expected 4, got 5");
    must_find(RESIGNED, |messages| messages.swap(2, 3), "seq: expected 3, got 4");
    must_find(RESIGNED, |messages| messages.insert(3, messages[2].clone()), "seq: expected 4, got 3");
    must_find(RESIGNED, |messages| drop(messages.pop()), "the end is missing");
}

#[test]
fn a_wrong_clock_is_found() {
    must_find(RESIGNED, |messages| at(messages, 6).white_ms = Some(183_751), "white's clock rose");
    must_find(RESIGNED, |messages| at(messages, 6).white_ms = Some(181_000), "white's clock went");
    must_find(RESIGNED, |messages| at(messages, 6).black_ms = Some(180_000), "black's clock stands");
    must_find(RESIGNED, |messages| at(messages, 2).white_ms = Some(179_999), "white's clock stands");
    must_find(MATED, |messages| *at(messages, 8).white_ms.as_mut().unwrap() += 2_000, "white's clock rose");
    must_find(RESIGNED, |messages| at(messages, 6).white_ms = None, "missing");
}

#[test]
fn a_wrong_end_is_found() {
    fn end(messages: &mut [ServerMessage]) -> &mut zeitnot_protocol::Ended {
        match messages.last_mut() {
            Some(ServerMessage::Ended(event)) => event,
            other => panic!("the last is {other:?}"),
        }
    }
    must_find(RESIGNED, |messages| end(messages).outcome.score = WireScore::Draw, "score");
    must_find(RESIGNED, |messages| end(messages).outcome.reason = WireReason::FlagFall, "reason");
    must_find(AGREED, |messages| end(messages).outcome.score = WireScore::WhiteWins, "score");
    must_find(REPEATED, |messages| end(messages).outcome.reason = WireReason::FivefoldRepetition, "reason");
    must_find(RESIGNED, |messages| end(messages).black_ms = Some(200_000), "black's clock");
}

#[test]
fn an_end_at_the_wrong_place_is_found() {
    // Two plies early, with the numbers in order.
    let early = |messages: &mut Vec<ServerMessage>| {
        messages.drain(5..7);
        for (message, seq) in messages.iter_mut().zip(1..) {
            match message {
                ServerMessage::Resigned(event) => event.seq = seq,
                ServerMessage::Ended(event) => event.seq = seq,
                _ => {}
            }
        }
    };
    must_find(RESIGNED, early, "somebody resigned at ply 4 of 6");
    must_find(REPEATED, |messages| messages.truncate(9), "the end is missing");
}

#[test]
fn an_event_after_the_end_is_found() {
    let again = |messages: &mut Vec<ServerMessage>| {
        let mut event = at(messages, 2).clone();
        event.seq = u32::try_from(messages.len() + 1).unwrap();
        messages.push(ServerMessage::Move(event));
    };
    must_find(MATED, again, "after the end");
}

#[test]
fn the_wrong_player_is_found() {
    let other = |messages: &mut Vec<ServerMessage>| {
        let Some(ServerMessage::Resigned(event)) = messages.iter_mut().rev().nth(1) else {
            panic!("no resignation")
        };
        event.by = WireColor::White;
    };
    must_find(RESIGNED, other, "loser");
    let offer = |messages: &mut Vec<ServerMessage>| {
        let Some(ServerMessage::DrawOffered(event)) = messages.iter_mut().rev().nth(1) else {
            panic!("no offer")
        };
        event.by = WireColor::White;
    };
    must_find(AGREED, offer, "offerer");
}

#[test]
fn a_wrong_turn_is_found() {
    let honest = |script: &Script| {
        let position = script.position(2);
        let legal = position.legal_moves().into_iter().map(|mv| uci::write(mv, position, script.variant));
        Turn {
            game: game(),
            on: 3,
            fen: script.plies[1].fen.clone(),
            legal: legal.map(|text| text.as_str().parse().unwrap()).collect(),
            white_ms: Some(180_000),
            black_ms: Some(180_000),
        }
    };
    let turn = |change: fn(&mut Turn)| {
        move |messages: &mut Vec<ServerMessage>| {
            let mut turn = honest(&script(RESIGNED));
            change(&mut turn);
            messages.insert(3, ServerMessage::Turn(turn));
        }
    };
    let script = script(RESIGNED);
    let mut messages = events(&script);
    turn(|_| {})(&mut messages);
    check(&script, &messages).unwrap();
    must_find(RESIGNED, turn(|turn| turn.on = 2), "on");
    must_find(RESIGNED, turn(|turn| turn.legal.truncate(5)), "legal moves");
    must_find(RESIGNED, turn(|turn| turn.legal.push("e1e8".parse().unwrap())), "legal moves");
    must_find(RESIGNED, turn(|turn| turn.fen.push(' ')), "position");
    must_find(RESIGNED, turn(|turn| turn.white_ms = Some(180_001)), "white's clock rose");
}

#[test]
fn a_wrong_clock_message_is_found() {
    let clock = |white: u32, running: WireColor, seq: u32| {
        ServerMessage::Clock(Clock {
            id: None,
            game: game(),
            seq,
            white_ms: Some(white),
            black_ms: Some(180_000),
            running: Some(running),
            stands_ms: 0,
            first_move_ms: None,
        })
    };
    let script = script(RESIGNED);
    let mut messages = events(&script);
    messages.insert(3, clock(179_000, WireColor::White, 3));
    check(&script, &messages).unwrap();
    must_find(RESIGNED, |messages| messages.insert(3, clock(180_001, WireColor::White, 3)), "rose");
    must_find(RESIGNED, |messages| messages.insert(3, clock(180_000, WireColor::Black, 3)), "running clock");
    must_find(
        RESIGNED,
        |messages| messages.insert(3, clock(180_000, WireColor::White, 2)),
        "seq of the clock",
    );
}

#[test]
fn a_rejection_is_a_difference() {
    let rejection = r#"{"t":"rejected","d":{"id":"m3","code":"stale","message":"the command is about an earlier position"}}"#;
    let rejection = zeitnot_protocol::decode_server(rejection).unwrap();
    must_find(RESIGNED, |messages| messages.insert(3, rejection), "rejected with stale");
}
