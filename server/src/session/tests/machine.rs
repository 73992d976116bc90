//! Tests of a connection's state machine: scripts of frames in virtual time.

use zeitnot_protocol::{AccountId, Limits};

use std::time::Duration;

use tokio_tungstenite::tungstenite::Utf8Bytes;
use zeitnot_protocol::{CloseCode, Code, Scope, Scopes};

use crate::accounts::{Person, Token};
use crate::session::machine::{Bounds, Claim, Identified, SessionEffect, SessionInput, SessionMachine};
use crate::session::request::{GameRequest, Request};
use crate::time::ServiceInstant;

fn bounds() -> Bounds {
    Bounds::of(&Limits::STANDARD)
}

/// A connection and its virtual time.
struct Connection {
    machine: SessionMachine,
    bounds: Bounds,
    now: ServiceInstant,
}

fn guest() -> Identified {
    Identified {
        who: Person::guest(AccountId::from_u128(7)),
        proof: None,
        scopes: Scopes::SESSION,
        until: None,
        token: Some(Token::from_random([7; 32])),
    }
}

impl Connection {
    fn silent() -> Self {
        let (bounds, now) = (bounds(), ServiceInstant(1_000_000));
        Self { machine: SessionMachine::open(now, false, &bounds), bounds, now }
    }

    fn watching() -> Self {
        let mut connection = Self::silent();
        assert!(matches!(
            connection.says("hello", "{}")[..],
            [SessionEffect::Welcome(None), SessionEffect::Ping(_)]
        ));
        connection
    }

    fn known() -> Self {
        Self::known_with(Scopes::SESSION)
    }

    fn known_with(scopes: Scopes) -> Self {
        let mut connection = Self::silent();
        connection.says("hello", r#"{"guest":true}"#);
        let effects = connection.takes(SessionInput::Identified(Ok(Identified { scopes, ..guest() })));
        assert!(
            matches!(effects[..], [SessionEffect::Welcome(Some(_)), SessionEffect::Ping(_)]),
            "{effects:?}"
        );
        connection
    }

    fn takes(&mut self, input: SessionInput) -> Vec<SessionEffect> {
        let mut effects = Vec::new();
        self.machine.handle(input, self.now, &self.bounds, &mut effects);
        effects
    }

    fn gets(&mut self, text: &str) -> Vec<SessionEffect> {
        self.takes(SessionInput::Text(Utf8Bytes::from(text)))
    }

    fn says(&mut self, t: &str, d: &str) -> Vec<SessionEffect> {
        self.gets(&format!(r#"{{"t":"{t}","d":{d}}}"#))
    }

    fn waits(&mut self, ms: u64) -> Vec<SessionEffect> {
        self.now.0 += ms * 1_000;
        self.takes(SessionInput::Tick)
    }
}

#[track_caller]
fn code(effects: &[SessionEffect]) -> Code {
    match effects {
        [SessionEffect::Reject(rejection)] => rejection.code,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn closed(effects: &[SessionEffect]) -> CloseCode {
    match effects {
        [SessionEffect::Close(code)] => *code,
        other => panic!("{other:?}"),
    }
}

const GAME: &str = "0123456789Ab";

/// One frame of each type but `hello` and `ping`, and whether it only reads.
fn every_message() -> Vec<(&'static str, String, bool)> {
    let game = |rest: &str| format!(r#"{{"game":"{GAME}","id":"x"{rest}}}"#);
    vec![
        ("watch", game(""), true),
        ("unwatch", game(""), true),
        ("history", game(r#","from":1"#), true),
        ("move", game(r#","on":1,"uci":"e2e4""#), false),
        ("resign", game(""), false),
        ("offer_draw", game(""), false),
        ("accept_draw", game(r#","offer":3"#), false),
        ("decline_draw", game(r#","offer":3"#), false),
        ("claim_draw", game(r#","on":1"#), false),
        ("claim_absence", game(r#","result":"win""#), false),
        ("abort", game(""), false),
        ("offer_takeback", game(""), false),
        ("accept_takeback", game(r#","offer":3"#), false),
        ("decline_takeback", game(r#","offer":3"#), false),
        ("give_time", game(r#","ms":15000"#), false),
        ("ask_ilc", game(""), false),
        ("create_challenge", r#"{"time_control":{"kind":"unlimited"},"id":"x"}"#.to_owned(), false),
        ("accept_challenge", r#"{"challenge":"0123456789Ab","id":"x"}"#.to_owned(), false),
        ("cancel_challenge", r#"{"challenge":"0123456789Ab","id":"x"}"#.to_owned(), false),
        ("decline_challenge", r#"{"challenge":"0123456789Ab","id":"x"}"#.to_owned(), false),
        ("offer_rematch", game(""), false),
        ("set_name", r#"{"name":"Castle","id":"x"}"#.to_owned(), false),
        ("say", game(r#","room":"players","text":"hello""#), false),
        ("enter_lobby", r#"{"id":"x"}"#.to_owned(), true),
        ("leave_lobby", r#"{"id":"x"}"#.to_owned(), true),
        ("join_pool", r#"{"pool":"3+2","id":"x"}"#.to_owned(), false),
        ("leave_pool", r#"{"id":"x"}"#.to_owned(), false),
    ]
}

#[test]
fn before_hello_only_hello_and_ping_are_taken() {
    let mut connection = Connection::silent();
    for (t, d, _) in every_message() {
        let effects = connection.says(t, &d);
        assert_eq!(code(&effects), Code::HelloFirst, "{t}");
        let SessionEffect::Reject(rejection) = &effects[0] else { unreachable!() };
        assert!(t == "unwatch" || rejection.id.is_some(), "{t}: the id comes back");
    }
    assert!(matches!(connection.says("ping", r#"{"n":3}"#)[..], [SessionEffect::Pong(3)]));
}

#[test]
fn one_that_only_watches_may_read_and_nothing_else() {
    let mut connection = Connection::watching();
    for (t, d, only_reads) in every_message() {
        let effects = connection.says(t, &d);
        if only_reads {
            assert!(matches!(effects[..], [SessionEffect::Perform(_)]), "{t}: {effects:?}");
        } else {
            assert_eq!(code(&effects), Code::NoAccount, "{t}");
        }
    }
}

#[test]
fn a_token_may_do_what_its_scopes_allow_and_is_told_what_is_missing() {
    let text = |effects: &[SessionEffect]| match effects {
        [SessionEffect::Reject(rejection)] => {
            assert_eq!(rejection.code, Code::MissingScope);
            rejection.message.clone()
        }
        [SessionEffect::Perform(_)] => None,
        other => panic!("{other:?}"),
    };
    let needed = |scopes| {
        let mut connection = Connection::known_with(scopes);
        let mut needed =
            every_message().iter().filter_map(|(t, d, _)| text(&connection.says(t, d))).collect::<Vec<_>>();
        needed.sort();
        needed.dedup();
        needed
    };
    let of = |name: &str| format!("this needs a token with the scope {name}");
    let session = || "this needs a session; no scope is enough".to_owned();
    assert_eq!(needed(Scopes::NONE), [session(), of("challenge"), of("play")]);
    assert_eq!(needed(Scopes::NONE.with(Scope::Play)), [session(), of("challenge")]);
    assert_eq!(needed(Scopes::NONE.with(Scope::Challenge).with(Scope::Bot)), [session(), of("play")]);
    assert_eq!(needed(Scopes::NONE.with(Scope::Play).with(Scope::Challenge)), [session()]);
    assert_eq!(needed(Scopes::SESSION), [] as [String; 0]);
}

#[test]
fn an_account_may_do_everything() {
    let mut connection = Connection::known();
    for (t, d, _) in every_message() {
        assert!(matches!(connection.says(t, &d)[..], [SessionEffect::Perform(_)]), "{t}");
    }
}

#[test]
fn hello_comes_once() {
    for mut connection in [Connection::watching(), Connection::known()] {
        assert_eq!(code(&connection.says("hello", "{}")), Code::AlreadyIdentified);
        assert_eq!(code(&connection.says("hello", r#"{"guest":true}"#)), Code::AlreadyIdentified);
    }
}

#[test]
fn a_connection_that_came_with_an_identity_is_welcome_without_hello() {
    let (bounds, now) = (bounds(), ServiceInstant(5));
    let mut connection = Connection { machine: SessionMachine::open(now, true, &bounds), bounds, now };
    assert!(!connection.machine.reads());
    let effects = connection.takes(SessionInput::Identified(Ok(Identified {
        proof: None,
        scopes: Scopes::SESSION,
        until: None,
        who: Person::guest(AccountId::from_u128(7)),
        token: None,
    })));
    assert!(matches!(effects[..], [SessionEffect::Welcome(Some(_)), SessionEffect::Ping(_)]), "{effects:?}");
}

#[test]
fn a_token_that_nobody_has_is_rejected_and_may_be_followed_by_another() {
    let mut connection = Connection::silent();
    let claim = |effects: &[SessionEffect]| matches!(effects, [SessionEffect::Identify(Claim::Token(_))]);
    assert!(claim(&connection.says("hello", r#"{"token":"wrong"}"#)));
    assert!(!connection.machine.reads());
    assert_eq!(code(&connection.takes(SessionInput::Identified(Err(Code::BadToken)))), Code::BadToken);
    assert!(connection.machine.reads());
    assert!(claim(&connection.says("hello", r#"{"token":"right"}"#)));
}

#[test]
fn frames_behind_a_hello_wait_for_its_answer_in_order() {
    let mut connection = Connection::silent();
    connection.says("hello", r#"{"guest":true}"#);
    assert!(connection.says("ping", r#"{"n":1}"#).is_empty());
    assert!(connection.says("watch", &format!(r#"{{"game":"{GAME}"}}"#)).is_empty());
    let effects = connection.takes(SessionInput::Identified(Ok(guest())));
    let expected = [SessionEffect::Welcome(None), SessionEffect::Ping(0), SessionEffect::Pong(1)];
    assert_eq!(effects.len(), 4);
    for (effect, like) in effects.iter().zip(&expected) {
        assert_eq!(std::mem::discriminant(effect), std::mem::discriminant(like), "{effects:?}");
    }
    assert!(matches!(effects[3], SessionEffect::Perform(Request::Game(GameRequest::Watch(_)))));
}

#[test]
fn frames_behind_two_hellos_wait_for_the_second_too() {
    let mut connection = Connection::silent();
    connection.says("hello", r#"{"token":"wrong"}"#);
    assert!(connection.says("hello", r#"{"guest":true}"#).is_empty());
    assert!(connection.says("ping", r#"{"n":1}"#).is_empty());
    let effects = connection.takes(SessionInput::Identified(Err(Code::BadToken)));
    assert!(
        matches!(effects[..], [SessionEffect::Reject(_), SessionEffect::Identify(Claim::NewGuest)]),
        "{effects:?}"
    );
    let effects = connection.takes(SessionInput::Identified(Ok(guest())));
    assert!(
        matches!(effects[..], [SessionEffect::Welcome(_), SessionEffect::Ping(_), SessionEffect::Pong(1)]),
        "{effects:?}"
    );
}

#[test]
fn silence_is_closed_after_ten_seconds_however_much_nonsense_is_said() {
    let mut connection = Connection::silent();
    assert_eq!(connection.machine.deadline(&connection.bounds), Some(ServiceInstant(11_000_000)));
    for _ in 0..9 {
        assert!(connection.waits(1_000).is_empty());
        connection.says("ping", r#"{"n":1}"#);
    }
    assert_eq!(closed(&connection.waits(1_000)), CloseCode::NoHello);
    assert_eq!(connection.machine.deadline(&connection.bounds), None);
}

#[test]
fn each_unreadable_frame_gets_its_own_code() {
    for (text, expected) in [
        ("", Code::NotJson),
        ("{", Code::NotJson),
        ("[]", Code::NotAMessage),
        (r#"{"t":"fly"}"#, Code::UnknownType),
        (r#"{"t":"ping","d":{"n":-1}}"#, Code::BadField),
    ] {
        assert_eq!(code(&Connection::known().gets(text)), expected, "{text}");
    }
    assert_eq!(code(&Connection::known().takes(SessionInput::Binary)), Code::BinaryFrame);
}

#[test]
fn the_eleventh_unreadable_frame_within_ten_seconds_closes() {
    let mut connection = Connection::known();
    for n in 0..10 {
        assert_eq!(code(&connection.gets("{")), Code::NotJson, "{n}");
        connection.now.0 += 999_999;
    }
    assert_eq!(closed(&connection.takes(SessionInput::Binary)), CloseCode::BadFrames);
    assert!(connection.gets("{").is_empty(), "nothing is said after the close");
    assert!(connection.waits(60_000).is_empty());
}

#[test]
fn ten_unreadable_frames_in_any_ten_seconds_are_forgiven() {
    let mut connection = Connection::known();
    for _ in 0..40 {
        assert_eq!(code(&connection.gets("{")), Code::NotJson);
        connection.now.0 += 1_000_000;
    }
}

/// Uses up the burst; `hello` was the first frame of it.
fn at_the_rate() -> Connection {
    let mut connection = Connection::known();
    for n in 1..connection.bounds.frames.burst {
        assert!(connection.machine.reads(), "{n}");
        assert!(matches!(connection.says("ping", r#"{"n":1}"#)[..], [SessionEffect::Pong(1)]), "{n}");
    }
    connection
}

#[test]
fn a_connection_at_its_rate_is_read_later_and_nothing_is_rejected() {
    let mut connection = at_the_rate();
    for _ in 0..100 {
        assert!(!connection.machine.reads());
        let pause = connection.machine.deadline(&connection.bounds).unwrap();
        assert_eq!(pause.since(connection.now), Duration::from_millis(10));
        connection.waits(9);
        assert!(!connection.machine.reads());
        connection.waits(1);
        assert!(connection.machine.reads());
        assert!(matches!(connection.says("ping", r#"{"n":1}"#)[..], [SessionEffect::Pong(1)]));
    }
}

#[test]
fn some_frames_at_once_beyond_the_rate_are_answered_and_a_flood_is_closed() {
    let mut connection = at_the_rate();
    for n in 0..connection.bounds.frames_over {
        assert!(matches!(connection.says("ping", r#"{"n":1}"#)[..], [SessionEffect::Pong(1)]), "{n}");
    }
    assert_eq!(closed(&connection.says("ping", r#"{"n":1}"#)), CloseCode::Flood);
}

#[test]
fn control_frames_count_but_get_no_answer() {
    let mut connection = Connection::known();
    let mut effects = Vec::new();
    for _ in 0..connection.bounds.frames.burst + connection.bounds.frames_over {
        assert!(effects.is_empty());
        effects = connection.takes(SessionInput::Ping);
    }
    assert_eq!(closed(&effects), CloseCode::Flood);
}

#[test]
fn hidden_frames_count_like_any_others() {
    let mut connection = Connection::known();
    let (burst, over) = (connection.bounds.frames.burst, connection.bounds.frames_over);
    assert!(connection.takes(SessionInput::Hidden(burst - 2)).is_empty());
    assert!(connection.machine.reads());
    assert!(connection.takes(SessionInput::Hidden(1 + over)).is_empty());
    assert!(!connection.machine.reads(), "it is read later");
    assert_eq!(closed(&connection.takes(SessionInput::Hidden(1_000_000))), CloseCode::Flood);
}

#[test]
fn the_round_trip_is_measured_from_the_first_ping_on() {
    let mut connection = Connection::silent();
    let effects = connection.says("hello", "{}");
    let [SessionEffect::Welcome(None), SessionEffect::Ping(number)] = effects[..] else {
        panic!("{effects:?}")
    };
    connection.now.0 += 35_000;
    let effects = connection.takes(SessionInput::Pong { number, kernel: None });
    assert!(
        matches!(effects[..], [SessionEffect::RoundTrip(trip)] if trip == Duration::from_millis(35)),
        "{effects:?}"
    );
}

#[test]
fn a_connection_that_answers_no_ping_is_closed() {
    let mut connection = Connection::known();
    assert!(matches!(connection.waits(5_000)[..], [SessionEffect::Ping(_)]));
    assert_eq!(closed(&connection.waits(5_000)), CloseCode::NoPong);
}

#[test]
fn who_only_watches_says_what_within_ten_seconds() {
    let mut idle = Connection::watching();
    assert!(idle.machine.deadline(&idle.bounds).unwrap() <= idle.now + Duration::from_secs(10));
    idle.waits(5_000);
    let effects = idle.waits(5_000);
    assert!(matches!(effects[..], [SessionEffect::Close(CloseCode::NoHello)]), "{effects:?}");

    let mut watcher = Connection::watching();
    let effects = watcher.says("watch", r#"{"game":"000000000000"}"#);
    assert!(matches!(effects[..], [SessionEffect::Perform(_)]), "{effects:?}");
    let mut visitor = Connection::watching();
    let effects = visitor.says("enter_lobby", "{}");
    assert!(matches!(effects[..], [SessionEffect::Perform(_)]), "{effects:?}");
    let mut known = Connection::known();
    for connection in [&mut watcher, &mut visitor, &mut known] {
        for _ in 0..2 {
            let effects = connection.waits(5_000);
            let [SessionEffect::Ping(number)] = effects[..] else { panic!("{effects:?}") };
            connection.takes(SessionInput::Pong { number, kernel: None });
        }
    }
}

#[test]
fn a_connection_ends_when_its_token_expires() {
    let mut connection = Connection::silent();
    connection.says("hello", r#"{"token":"x"}"#);
    let until = Some(connection.now + Duration::from_secs(5));
    connection.takes(SessionInput::Identified(Ok(Identified { until, token: None, ..guest() })));
    connection.now = connection.now + Duration::from_millis(4_999);
    assert_eq!(connection.machine.deadline(&connection.bounds), until);
    let closed = |effects: &[SessionEffect]| matches!(effects, [SessionEffect::Close(CloseCode::Revoked)]);
    assert!(!closed(&connection.takes(SessionInput::Tick)));
    connection.now = connection.now + Duration::from_millis(1);
    let effects = connection.takes(SessionInput::Tick);
    assert!(closed(&effects), "{effects:?}");
}
