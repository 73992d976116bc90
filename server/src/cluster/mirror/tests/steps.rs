//! Single steps of a mirror.

use std::collections::VecDeque;
use std::time::Duration;

use zeitnot_protocol::CommandId;
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Command, Micros};

use super::super::commands::OPEN_MAX;
use super::super::{Mirror, MirrorEffect, MirrorInput};
use super::owner::Owner;
use crate::cluster::wire::{FrameText, FromMirror, FromOwner, SentCommand, SentNotice};
use crate::connections::{ConnectionId, NoticeKind};
use crate::time::ServiceInstant;

const ONE: ConnectionId = ConnectionId(1);
const TWO: ConnectionId = ConnectionId(2);

fn at(ms: u64) -> ServiceInstant {
    ServiceInstant(ms * 1_000)
}

fn id(text: &str) -> CommandId {
    text.parse().unwrap()
}

fn handle(mirror: &mut Mirror, input: MirrorInput, ms: u64) -> Vec<MirrorEffect> {
    let mut effects = taken(mirror, input, ms);
    effects.extend(taken(mirror, MirrorInput::AllTaken, ms));
    effects
}

/// What an input leads to while more may have been sent by sessions here.
fn taken(mirror: &mut Mirror, input: MirrorInput, ms: u64) -> Vec<MirrorEffect> {
    let mut effects = VecDeque::new();
    mirror.handle(input, at(ms), &mut effects);
    effects.into()
}

/// The message that is all that was done.
fn sent(mut effects: Vec<MirrorEffect>) -> FromMirror {
    match (effects.pop(), effects.is_empty()) {
        (Some(MirrorEffect::Send(message)), true) => message,
        other => panic!("{other:?} after {effects:?}"),
    }
}

fn give_time(id: Option<CommandId>, ms: u64) -> MirrorInput {
    let command = Command::GiveTime { amount: Micros(1) };
    MirrorInput::Command { connection: ONE, stamp: at(ms), id, command, fresh: self::id("m1") }
}

/// A mirror with one seat, attached at 1 s to a game of which nothing has happened; the turn of 0 runs
/// since then.
fn attached() -> Mirror {
    let mut mirror = Mirror::new(0);
    handle(&mut mirror, MirrorInput::Join { connection: ONE, seat: Color::White, round_trip: None }, 0);
    let attach = sent(handle(&mut mirror, MirrorInput::LinkOpened, 0));
    for answer in Owner::default().handle(attach) {
        handle(&mut mirror, MirrorInput::Owner(answer), 1_000);
    }
    mirror
}

#[test]
fn a_command_travels_with_the_time_since_its_turn_began_here() {
    let mut mirror = attached();
    let FromMirror::Command(command) = sent(handle(&mut mirror, give_time(Some(id("c1")), 3_500), 3_600))
    else {
        panic!("it is sent")
    };
    assert_eq!((command.start.base, command.since_us, command.id), (0, 2_500_000, Some(id("c1"))));
    assert_eq!(command.age_us, 100_000);
}

#[test]
fn what_is_read_before_a_turn_has_begun_here_counts_from_the_attach() {
    let mut mirror = Mirror::new(0);
    handle(&mut mirror, MirrorInput::Join { connection: ONE, seat: Color::White, round_trip: None }, 0);
    let attach = sent(handle(&mut mirror, MirrorInput::LinkOpened, 0));
    let Some(FromOwner::Attached(mut attached)) = Owner::default().handle(attach).into_iter().next() else {
        panic!("it attaches")
    };
    attached.clock.turn = None;
    let said = attached.said;
    handle(&mut mirror, MirrorInput::Owner(FromOwner::Attached(attached)), 1_000);
    let FromMirror::Command(command) = sent(handle(&mut mirror, give_time(Some(id("c1")), 1_500), 1_500))
    else {
        panic!("it is sent")
    };
    assert_eq!((command.start, command.since_us), (said, 500_000));
}

#[test]
fn an_id_of_the_mirror_is_not_in_the_answer() {
    let mut mirror = attached();
    for (of_client, travels) in [(None, "m1"), (Some(id("c2")), "c2")] {
        let FromMirror::Command(command) = sent(handle(&mut mirror, give_time(of_client, 2_000), 2_000))
        else {
            panic!("it is sent")
        };
        assert_eq!(command.id, Some(id(travels)));
        let notice = SentNotice::Done { id: command.id, seq: 1 };
        let tell = FromOwner::Tell { connection: ONE.0, after: 0, notice };
        let kind = NoticeKind::Done { id: of_client.map(Box::new), seq: 1 };
        let told = MirrorEffect::Tell { connection: ONE, after: 0, kind };
        assert_eq!(handle(&mut mirror, MirrorInput::Owner(tell), 2_001), [told]);
    }
}

#[test]
fn what_is_not_answered_is_sent_again_on_the_next_link() {
    let mut mirror = attached();
    let FromMirror::Command(first) = sent(handle(&mut mirror, give_time(None, 2_000), 2_000)) else {
        panic!("it is sent")
    };
    assert_eq!(handle(&mut mirror, MirrorInput::LinkClosed, 2_100), []);
    assert_eq!(handle(&mut mirror, give_time(Some(id("c2")), 2_200), 2_200), [], "it waits");
    let FromMirror::Attach(attach) = sent(handle(&mut mirror, MirrorInput::LinkOpened, 3_000)) else {
        panic!("it attaches first")
    };
    assert_eq!(attach.again[0], SentCommand { age_us: 1_000_000, ..first }, "it was read a second ago");
    assert_eq!((attach.again[1].id, attach.again[1].age_us), (Some(id("c2")), 800_000));
    assert_eq!(attach.seats.len(), 1);
    assert_eq!(attach.again.len(), 2);
}

#[test]
fn a_connection_with_too_many_commands_is_closed() {
    let mut mirror = attached();
    for _ in 0..OPEN_MAX {
        sent(handle(&mut mirror, give_time(Some(id("c1")), 2_000), 2_000));
    }
    let silent = MirrorEffect::Tell { connection: ONE, after: 0, kind: NoticeKind::Silent };
    assert_eq!(handle(&mut mirror, give_time(Some(id("c1")), 2_000), 2_000), [silent]);
}

fn fence(number: u32) -> MirrorInput {
    MirrorInput::Owner(FromOwner::Fence { number, base: 0, since_us: 5_000_000 })
}

/// A session is asked, by the question of this number.
fn asked(connection: ConnectionId, number: u32) -> MirrorEffect {
    MirrorEffect::Tell { connection, after: 0, kind: NoticeKind::Fence { number, due: at(6_000) } }
}

fn join(connection: ConnectionId) -> MirrorInput {
    MirrorInput::Join { connection, seat: Color::Black, round_trip: None }
}

#[test]
fn sessions_are_asked_when_the_deadline_of_a_fence_has_come_here() {
    let mut mirror = attached();
    assert_eq!(handle(&mut mirror, fence(7), 5_900), []);
    assert_eq!(mirror.wake(), Some(at(1_000) + Duration::from_secs(5)));
    handle(&mut mirror, join(TWO), 5_950);
    assert_eq!(handle(&mut mirror, MirrorInput::Tick, 6_000), [asked(ONE, 1), asked(TWO, 1)]);
    let answer = |connection, number| MirrorInput::Fenced { connection, number };
    assert_eq!(handle(&mut mirror, answer(TWO, 1), 6_001), []);
    assert_eq!(sent(handle(&mut mirror, answer(ONE, 1), 6_002)), FromMirror::Fenced(7));
    assert_eq!(mirror.wake(), None);

    assert_eq!(handle(&mut mirror, fence(8), 6_003), [asked(ONE, 2), asked(TWO, 2)], "it has come already");
    for connection in [ONE, TWO] {
        assert_eq!(handle(&mut mirror, answer(connection, 1), 6_004), [], "that was the last one");
    }
    handle(&mut mirror, MirrorInput::LinkClosed, 6_005);
    assert_eq!(mirror.wake(), None);
}

#[test]
fn who_comes_to_a_fence_is_asked_and_who_goes_is_not_waited_for() {
    let mut mirror = attached();
    handle(&mut mirror, fence(7), 6_000);
    let effects = handle(&mut mirror, join(TWO), 6_001);
    assert!(matches!(effects[0], MirrorEffect::Send(FromMirror::Join(_))), "{effects:?}");
    assert_eq!(effects[1..], [asked(TWO, 1)]);
    handle(&mut mirror, MirrorInput::Fenced { connection: ONE, number: 1 }, 6_002);
    let gone = [FromMirror::Leave(TWO.0), FromMirror::Fenced(7)].map(MirrorEffect::Send);
    assert_eq!(handle(&mut mirror, MirrorInput::Leave { connection: TWO }, 6_003), gone);
}

#[test]
fn a_fence_is_not_answered_before_all_that_was_read_here_is_taken() {
    let mut mirror = attached();
    handle(&mut mirror, MirrorInput::Leave { connection: ONE }, 1_500);
    assert_eq!(
        taken(&mut mirror, fence(7), 6_000),
        [],
        "nobody is to be asked, but a session may only find the game now"
    );
    let effects = taken(&mut mirror, join(TWO), 6_001);
    assert_eq!(effects[1..], [asked(TWO, 1)]);
    assert_eq!(taken(&mut mirror, MirrorInput::AllTaken, 6_001), []);
    assert_eq!(taken(&mut mirror, MirrorInput::Fenced { connection: TWO, number: 1 }, 6_002), []);
    assert_eq!(sent(taken(&mut mirror, MirrorInput::AllTaken, 6_002)), FromMirror::Fenced(7));
}

#[test]
fn a_session_that_does_not_answer_a_fence_is_closed() {
    let mut mirror = attached();
    handle(&mut mirror, fence(7), 6_000);
    assert_eq!(mirror.wake(), Some(at(8_000)));
    let silent = MirrorEffect::Tell { connection: ONE, after: 0, kind: NoticeKind::Silent };
    let [left, fenced] = [FromMirror::Leave(ONE.0), FromMirror::Fenced(7)].map(MirrorEffect::Send);
    assert_eq!(handle(&mut mirror, MirrorInput::Tick, 8_000), [silent, left, fenced]);
}

#[test]
fn nothing_of_an_owner_counts_before_it_has_attached() {
    let mut mirror = Mirror::new(0);
    assert_eq!(handle(&mut mirror, MirrorInput::Owner(FromOwner::ClockStarted), 0), []);
    handle(&mut mirror, MirrorInput::LinkOpened, 0);
    assert_eq!(handle(&mut mirror, MirrorInput::Owner(FromOwner::ClockStarted), 1), []);
    let lost = [MirrorEffect::Lost { comes_back: true }];
    assert_eq!(handle(&mut mirror, MirrorInput::Owner(FromOwner::NotHere), 2), lost);
    assert_eq!(handle(&mut mirror, MirrorInput::Watchers(3), 3), [], "nobody is there to be told");
}

#[test]
fn a_snapshot_that_spectators_wait_for_is_asked_for_until_it_comes() {
    let mut mirror = Mirror::new(0);
    let attach = |mirror: &mut Mirror| {
        let attach = sent(handle(mirror, MirrorInput::LinkOpened, 1));
        let answers = Owner::default().handle(attach).into_iter();
        let effects: Vec<_> = answers.flat_map(|said| handle(mirror, MirrorInput::Owner(said), 2)).collect();
        effects.contains(&MirrorEffect::Send(FromMirror::SnapshotWanted))
    };
    assert!(!attach(&mut mirror));
    handle(&mut mirror, MirrorInput::LinkClosed, 3);
    assert_eq!(handle(&mut mirror, MirrorInput::SnapshotWanted, 4), []);
    assert!(attach(&mut mirror));
    handle(&mut mirror, MirrorInput::LinkClosed, 5);
    assert!(attach(&mut mirror), "it has not come");
    let frame = FrameText { seq: 0, clock_follows: false, text: "{}".to_owned() };
    handle(&mut mirror, MirrorInput::Owner(FromOwner::Snapshot(frame)), 6);
    handle(&mut mirror, MirrorInput::LinkClosed, 7);
    assert!(!attach(&mut mirror));
}
