//! Single rules, message by message.

use std::time::Duration;

use zeitnot_protocol::{
    ChallengeCommand, ChatRoom, ClientMessage, CloseCode, CloseReason, Code, CommandId, CreateChallenge,
    GameCommand, Said, ServerMessage, SetName, TimeControl, WireColor,
};

use super::messages as m;
use super::model::{rejected, three_minutes};
use crate::machine::{Answer, Delivery, Effect, Ending, Input, Key, Machine, Request, Unreadable};
use crate::time::Moment;
use crate::{Error, Event, GameEvent, Identity, Options};

const SECOND: Duration = Duration::from_secs(1);

/// A machine with what it did, at a moment that the test moves on.
struct Bench {
    machine: Machine,
    now: Moment,
    done: Vec<Effect>,
    next_key: Key,
}

impl Bench {
    fn new(identity: Identity, options: Options) -> Self {
        Self { machine: Machine::new(options, identity, 1), now: SECOND, done: Vec::new(), next_key: 0 }
    }

    /// One that is connected.
    fn open() -> Self {
        let mut bench = Self::new(Identity::Token("token".to_owned()), Options::default());
        bench.ask(Request::Connect);
        bench.welcome(1, 1);
        bench.done.clear();
        bench
    }

    fn give(&mut self, input: Input) {
        self.machine.handle(input, self.now, &mut self.done);
    }

    fn receive(&mut self, message: ServerMessage) {
        self.give(Input::Received(Box::new(message)));
    }

    fn welcome(&mut self, boot: u32, epoch: u32) {
        self.give(Input::Opened);
        self.receive(m::welcome(boot, epoch));
    }

    fn ask(&mut self, request: Request) -> Key {
        self.next_key += 1;
        self.give(Input::Request(self.next_key, request));
        self.next_key
    }

    fn command(&mut self, message: ClientMessage) -> Key {
        self.ask(Request::Command(Box::new(message)))
    }

    /// Lets time pass; every deadline on the way is met. The server answers pings.
    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(at) = self.machine.wake_at().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.give(Input::Tick);
            self.give(Input::Heard);
        }
        self.now = until;
    }

    /// Loses the connection and opens another one, on a server of this start and these data.
    fn reconnect(&mut self, boot: u32, epoch: u32) {
        self.give(Input::Ended(Ending::default()));
        self.pass(2 * SECOND);
        assert!(self.take(|effect| matches!(effect, Effect::Open).then_some(())).len() == 1);
        self.welcome(boot, epoch);
    }

    /// Takes out what it did of a kind.
    fn take<T>(&mut self, which: impl Fn(&Effect) -> Option<T>) -> Vec<T> {
        let found = self.done.iter().filter_map(&which).collect();
        self.done.retain(|effect| which(effect).is_none());
        found
    }

    /// The commands that were sent.
    fn sent(&mut self) -> Vec<ClientMessage> {
        self.take(|effect| match effect {
            Effect::Send(ClientMessage::Ping(_) | ClientMessage::Hello(_)) | Effect::Answer(..) => None,
            Effect::Send(message) => Some(message.clone()),
            _ => None,
        })
    }

    fn sent_ids(&mut self) -> Vec<CommandId> {
        self.sent().iter().filter_map(ClientMessage::id).collect()
    }

    fn answer(&mut self, key: Key) -> Option<Result<Answer, Error>> {
        self.take(|effect| match effect {
            Effect::Answer(of, answer) if *of == key => Some(answer.clone()),
            _ => None,
        })
        .pop()
    }

    fn events(&mut self) -> Vec<Event> {
        self.take(|effect| match effect {
            Effect::Event(_, event) => Some(event.clone()),
            _ => None,
        })
    }

    fn game_events(&mut self) -> Vec<GameEvent> {
        self.take(|effect| match effect {
            Effect::Game(_, Delivery::Event(event)) => Some(event.clone()),
            _ => None,
        })
    }
}

fn resign() -> ClientMessage {
    ClientMessage::Resign(GameCommand { game: m::id(7), id: None })
}

fn cancel() -> ClientMessage {
    ClientMessage::CancelChallenge(ChallengeCommand { challenge: m::challenge_id(9), id: None })
}

#[test]
fn unavailable_is_tried_again_under_the_same_id_and_not_at_once() {
    let mut bench = Bench::open();
    let key = bench.command(resign());
    let [id] = bench.sent_ids()[..] else { panic!("one is sent") };
    for wait_ms in [500, 750, 1_125] {
        bench.receive(rejected(Some(id), Code::Unavailable));
        bench.pass(Duration::from_millis(wait_ms - 1));
        assert_eq!(bench.sent_ids(), []);
        bench.pass(Duration::from_millis(2));
        assert_eq!(bench.sent_ids(), [id]);
    }
    bench.receive(m::ok(Some(id), Some(m::id(7)), Some(3)));
    assert!(matches!(bench.answer(key), Some(Ok(Answer::Ok(ok))) if ok.seq == Some(3)));
}

#[test]
fn a_rejection_goes_to_its_caller_and_an_unknown_one_too() {
    let mut bench = Bench::open();
    let (first, second) = (bench.command(resign()), bench.command(resign()));
    let [of_first, of_second] = bench.sent_ids()[..] else { panic!("two are sent") };
    assert_ne!(of_first, of_second);
    bench.give(Input::Unreadable(Unreadable { id: Some(of_second), event: None }));
    assert_eq!(bench.answer(second), Some(Err(Error::Unreadable)));
    assert_eq!(bench.answer(first), None);
    bench.receive(rejected(Some(of_first), Code::GameOver));
    assert_eq!(bench.answer(first).unwrap().unwrap_err().code(), Some(Code::GameOver));
}

#[test]
fn a_command_that_is_not_answered_in_time_fails_and_is_not_sent_again() {
    let mut bench = Bench::open();
    let key = bench.command(resign());
    assert_eq!(bench.sent_ids().len(), 1);
    bench.pass(59 * SECOND);
    assert_eq!(bench.answer(key), None);
    bench.pass(SECOND);
    assert_eq!(bench.answer(key), Some(Err(Error::TimedOut { after: 60 * SECOND })));
    bench.reconnect(1, 1);
    assert_eq!(bench.sent_ids(), []);
}

#[test]
fn no_more_commands_of_a_game_wait_than_the_server_keeps_answers() {
    let mut bench = Bench::open();
    for _ in 0..16 {
        let key = bench.command(resign());
        assert_eq!(bench.answer(key), None);
    }
    let key = bench.command(resign());
    assert_eq!(bench.answer(key), Some(Err(Error::TooManyUnanswered)));
    let key = bench.command(cancel());
    assert_eq!(bench.answer(key), None, "it is not about that game");
    let long = SetName { name: "x".repeat(5_000), id: None };
    let key = bench.command(ClientMessage::SetName(long));
    assert!(matches!(bench.answer(key), Some(Err(Error::TooLong { most: 4_096, .. }))));
}

#[test]
fn a_challenge_that_was_cancelled_before_the_answer_was_lost_is_cancelled() {
    let mut bench = Bench::open();
    let first = bench.command(cancel());
    let [id] = bench.sent_ids()[..] else { panic!("one is sent") };
    bench.receive(rejected(Some(id), Code::UnknownChallenge));
    assert_eq!(bench.answer(first).unwrap().unwrap_err().code(), Some(Code::UnknownChallenge));
    let second = bench.command(cancel());
    let [id] = bench.sent_ids()[..] else { panic!("one is sent") };
    bench.reconnect(1, 1);
    assert_eq!(bench.sent_ids(), [id], "the same command");
    bench.receive(rejected(Some(id), Code::UnknownChallenge));
    assert_eq!(bench.answer(second), Some(Ok(Answer::Done)));
}

#[test]
fn restored_data_end_what_was_under_way_and_the_game_is_told_anew() {
    let mut bench = Bench::open();
    let opening = bench.ask(Request::Follow(m::id(7)));
    let [id] = bench.sent_ids()[..] else { panic!("one is sent") };
    bench.receive(m::snapshot(m::id(7), 40, 40, 38, false, three_minutes(), 0));
    bench.receive(m::clock(m::id(7), 40, Some(id)));
    assert_eq!(bench.answer(opening), Some(Ok(Answer::Done)));
    let command = bench.command(resign());
    bench.sent();
    bench.game_events();
    bench.reconnect(2, 2);
    assert_eq!(bench.answer(command), Some(Err(Error::Restored)));
    let sent = bench.sent();
    assert!(matches!(&sent[..], [ClientMessage::Watch(watch)] if watch.after.is_none()), "{sent:?}");
    bench.receive(m::snapshot(m::id(7), 12, 12, 10, false, three_minutes(), 0));
    assert!(matches!(&bench.game_events()[..], [GameEvent::Snapshot(snapshot)] if snapshot.seq == 12));
}

#[test]
fn a_game_is_resumed_after_what_was_told_and_unknown_events_are_passed_over() {
    let mut bench = Bench::open();
    bench.ask(Request::Follow(m::id(7)));
    let [id] = bench.sent_ids()[..] else { panic!("one is sent") };
    bench.receive(m::snapshot(m::id(7), 4, 4, 2, false, three_minutes(), 0));
    bench.receive(m::clock(m::id(7), 4, Some(id)));
    bench.receive(m::draw_offered(m::id(7), 5, WireColor::Black));
    bench.give(Input::Unreadable(Unreadable { id: None, event: Some((m::id(7), 6)) }));
    bench.receive(m::draw_offered(m::id(7), 7, WireColor::Black));
    bench.reconnect(1, 1);
    let sent = bench.sent();
    assert!(matches!(&sent[..], [ClientMessage::Watch(watch)] if watch.after == Some(7)), "{sent:?}");
    let told: Vec<_> = bench.game_events().iter().filter_map(GameEvent::seq).collect();
    assert_eq!(told, [4, 5, 7]);
}

#[test]
fn a_line_of_chat_is_told_once_and_a_restart_counts_anew() {
    let mut bench = Bench::open();
    bench.ask(Request::Follow(m::id(7)));
    bench.receive(m::snapshot(m::id(7), 4, 4, 2, false, three_minutes(), 0));
    let said = |n: u32, room: ChatRoom| {
        let (by, text) = (m::player(m::ME), format!("line {n}"));
        ServerMessage::Said(Said { game: m::id(7), room, n, by, text, at: 0 })
    };
    let told = |bench: &mut Bench, lines: &[(u32, ChatRoom)]| -> Vec<u32> {
        lines.iter().for_each(|(n, room)| bench.receive(said(*n, *room)));
        let lines = bench.game_events().into_iter().filter_map(|event| match event {
            GameEvent::Said(said) => Some(said.n),
            _ => None,
        });
        lines.collect()
    };
    let (players, others) = (ChatRoom::Players, ChatRoom::Spectators);
    assert_eq!(told(&mut bench, &[(1, players), (2, players), (1, others)]), [1, 2, 1]);
    bench.reconnect(1, 1);
    assert_eq!(told(&mut bench, &[(1, players), (2, players), (3, players), (1, others)]), [3]);
    bench.reconnect(2, 1);
    assert_eq!(told(&mut bench, &[(1, players)]), [1]);
}

#[test]
fn the_client_comes_back_when_the_server_said_and_never_after_a_close_for_good() {
    let mut bench = Bench::open();
    bench.done.clear();
    let reason = CloseReason::new(CloseCode::Restart, 1_830);
    bench.give(Input::Ended(Ending { number: Some(1012), reason: Some(reason) }));
    let retry_in = Duration::from_millis(1_830);
    assert_eq!(bench.events(), [Event::Disconnected { retry_in }]);
    bench.pass(retry_in - Duration::from_millis(1));
    let opens = |effect: &Effect| matches!(effect, Effect::Open).then_some(());
    assert!(bench.take(opens).is_empty());
    bench.pass(Duration::from_millis(1));
    assert_eq!(bench.take(opens).len(), 1);
    bench.welcome(2, 1);
    let waits = bench.command(resign());
    bench.give(Input::Ended(Ending { number: Some(4503), reason: None }));
    let error = Error::Closed { number: 4503, code: Some(CloseCode::Revoked) };
    assert_eq!(bench.answer(waits), Some(Err(error.clone())));
    let late = bench.command(resign());
    assert_eq!(bench.answer(late), Some(Err(error)), "and so is everything later");
    assert_eq!(bench.machine.wake_at(), None);
}

#[test]
fn a_spectator_without_anything_to_watch_has_no_connection() {
    let mut bench = Bench::new(Identity::Spectator, Options::default());
    let connected = bench.ask(Request::Connect);
    bench.welcome(1, 1);
    assert_eq!(bench.answer(connected), Some(Ok(Answer::Done)));
    bench.done.clear();
    let reason = CloseReason::new(CloseCode::NoHello, 700);
    bench.give(Input::Ended(Ending { number: Some(4003), reason: Some(reason) }));
    bench.pass(3_600 * SECOND);
    let opens = |effect: &Effect| matches!(effect, Effect::Open).then_some(());
    assert!(bench.take(opens).is_empty());
    bench.ask(Request::Follow(m::id(7)));
    assert_eq!(bench.take(opens).len(), 1);
    bench.welcome(1, 1);
    assert_eq!(bench.sent().len(), 1);
}

#[test]
fn a_server_that_cannot_be_reached_is_an_error_with_the_reason() {
    let mut bench = Bench::new(Identity::Guest, Options::default());
    let connected = bench.ask(Request::Connect);
    let failed = || {
        Input::Failed(crate::machine::Failure::Again {
            why: "connection rejected".to_owned(),
            not_before: Duration::ZERO,
        })
    };
    bench.give(failed());
    bench.pass(5 * SECOND);
    bench.give(failed());
    assert_eq!(bench.answer(connected), None);
    bench.pass(5 * SECOND);
    assert_eq!(bench.answer(connected), Some(Err(Error::Unreachable("connection rejected".to_owned()))));
}

#[test]
fn a_silent_connection_is_given_up_and_pings_keep_coming() {
    let mut bench = Bench::open();
    bench.done.clear();
    let pings = |effect: &Effect| matches!(effect, Effect::Send(ClientMessage::Ping(_))).then_some(());
    bench.now += Duration::from_millis(7_499);
    bench.give(Input::Tick);
    assert!(bench.take(|effect| matches!(effect, Effect::Drop).then_some(())).is_empty());
    bench.now += Duration::from_millis(1);
    bench.give(Input::Tick);
    assert_eq!(bench.take(|effect| matches!(effect, Effect::Drop).then_some(())).len(), 1);
    assert!(bench.take(pings).is_empty(), "the first one was not answered");
}

#[test]
fn challenges_that_are_no_longer_told_are_gone_and_a_late_reader_is_told_the_others() {
    let mut bench = Bench::open();
    let clocks = || TimeControl::Unlimited;
    bench.receive(m::challenge(m::challenge_id(1), None, clocks()));
    bench.receive(m::challenge(m::challenge_id(2), None, clocks()));
    let awaited = bench.ask(Request::GameOf(m::challenge_id(2)));
    bench.reconnect(1, 1);
    bench.receive(m::challenge(m::challenge_id(1), None, clocks()));
    bench.events();
    let number = bench.take(|effect| match effect {
        Effect::Send(ClientMessage::Ping(ping)) => Some(ping.n),
        _ => None,
    });
    let pong = zeitnot_protocol::Pong { n: *number.last().unwrap(), at: 1, ms: 0 };
    bench.receive(ServerMessage::Pong(pong));
    bench.pass(2 * SECOND);
    let gone = bench.events();
    assert!(
        matches!(&gone[..], [Event::ChallengeGone(gone)] if gone.challenge == m::challenge_id(2)),
        "{gone:?}"
    );
    assert_eq!(
        bench.answer(awaited),
        Some(Ok(Answer::Game(m::challenge_id(2).into()))),
        "it may be over by now"
    );
    bench.ask(Request::Subscribe(5));
    let told = bench.events();
    assert!(
        told.iter()
            .any(|event| matches!(event, Event::Challenge(open) if open.challenge == m::challenge_id(1)))
    );
    assert!(
        !told
            .iter()
            .any(|event| matches!(event, Event::Challenge(open) if open.challenge == m::challenge_id(2)))
    );
}

#[test]
fn a_challenge_that_became_a_game_before_a_restart_is_not_made_again() {
    for began in [true, false] {
        let mut bench = Bench::open();
        let wanted = CreateChallenge::with(TimeControl::Days { days: 3 });
        let key = bench.command(ClientMessage::CreateChallenge(wanted));
        let [id] = bench.sent_ids()[..] else { panic!("one is sent") };
        bench.reconnect(2, 1);
        assert_eq!(bench.sent(), [], "it is held back");
        if began {
            let days = TimeControl::Days { days: 3 };
            bench.receive(m::snapshot(m::id(31), 1, 1, 0, false, days, 2_000));
        }
        let number = bench.take(|effect| match effect {
            Effect::Send(ClientMessage::Ping(ping)) => Some(ping.n),
            _ => None,
        });
        let pong = zeitnot_protocol::Pong { n: *number.last().unwrap(), at: 1_000, ms: 0 };
        bench.receive(ServerMessage::Pong(pong));
        bench.pass(2 * SECOND);
        if began {
            assert_eq!(bench.answer(key), Some(Ok(Answer::Game(m::id(31)))));
            assert_eq!(bench.sent(), []);
        } else {
            assert_eq!(bench.answer(key), None);
            assert_eq!(bench.sent_ids(), [id]);
        }
    }
}

#[test]
fn a_server_that_tells_too_much_fills_no_memory() {
    let mut bench = Bench::open();
    for number in 0..1_000 {
        bench.receive(m::challenge(m::challenge_id(number), None, TimeControl::Unlimited));
        bench.receive(m::snapshot(m::id(10_000 + number), 1, 1, 0, false, three_minutes(), 0));
    }
    bench.events();
    bench.ask(Request::Subscribe(5));
    let told = bench.events();
    let challenges = told.iter().filter(|event| matches!(event, Event::Challenge(_))).count();
    let games = told.iter().filter(|event| matches!(event, Event::Game(_))).count();
    assert_eq!((challenges, games), (96, 128));
    assert!(told.len() < Options::EVENT_BUFFER);
}
