//! What people say about a game, as their sessions hear it: the rooms, the game's end, coming late,
//! reading slowly.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::task::Waker;
use std::time::Duration;

use zeitnot_protocol::{AccountId, ChatRoom, Code, GameId, ServerMessage, decode_server};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Command, GameInstant, Input, Profile};

use super::table::{blitz, game_id, setup};
use crate::connections::{ConnectionId, ToSession};
use crate::games::Games;
use crate::games::inputs::Mail;
use crate::session::tests::simulated::{SimulatedSession, Up};
use crate::storage::{GameStore as _, JournalOffset, MemoryStore, Record};
use crate::tasks::Tasks;
use crate::time::ServiceClock;

/// A game between accounts 1 and 2, and who is notified of it, in the runtime's virtual time.
struct World {
    games: Games,
    journal: Arc<MemoryStore>,
    clock: ServiceClock,
}

/// One who plays or watches.
struct Person {
    session: SimulatedSession,
}

/// What of a session's messages these tests look at.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Heard {
    Said(ChatRoom, u32, String),
    Ok(Option<String>),
    Rejected(Code),
}

fn said(room: ChatRoom, n: u32, text: &str) -> Heard {
    Heard::Said(room, n, text.to_owned())
}

fn ok(id: &str) -> Heard {
    Heard::Ok(Some(id.to_owned()))
}

/// Lets all tasks that are ready run.
async fn settle() {
    tokio::time::sleep(Duration::from_millis(1)).await;
}

impl World {
    async fn new() -> Self {
        let (clock, journal) = (ServiceClock::of_runtime(), Arc::new(MemoryStore::default()));
        let games = Games::new(Arc::clone(&journal) as _, clock.clone(), Tasks::default());
        games.create(game_id(), setup(Profile::fide_online(), blitz()), ByColor::default()).await.unwrap();
        Self { games, journal, clock }
    }

    /// A session of an account that has heard what there was to hear.
    async fn person(&self, account: u128, connection: u64) -> Person {
        let mut person = self.open(account, connection);
        self.heard(&mut person).await;
        person
    }

    /// A session of an account: 1 and 2 play, others watch.
    fn open(&self, account: u128, connection: u64) -> Person {
        let (account_id, at) = (Some(AccountId::from_u128(account)), self.clock.now());
        let mut session =
            SimulatedSession::open(ConnectionId(connection), account_id, at, Waker::noop().clone());
        session.identified(&self.games, &self.clock).unwrap();
        let mut person = Person { session };
        if account > 2 {
            self.send(&mut person, "watch", "");
        }
        person
    }

    fn send(&self, person: &mut Person, t: &str, fields: &str) {
        self.send_about(game_id(), person, t, fields);
    }

    fn send_about(&self, game: GameId, person: &mut Person, t: &str, fields: &str) {
        let text = format!(r#"{{"t":"{t}","d":{{"game":"{game}"{fields}}}}}"#);
        person.session.take(&Up::Text(text), self.clock.now(), &self.games, &self.clock).unwrap();
    }

    fn say(&self, person: &mut Person, room: &str, text: &str, id: &str) {
        self.send(person, "say", &format!(r#","room":"{room}","text":"{text}","id":"{id}""#));
    }

    /// Says these numbers to the spectators, one a second.
    async fn speak(&self, person: &mut Person, numbers: RangeInclusive<u32>) {
        for number in numbers {
            self.pass(Duration::from_secs(1)).await;
            self.say(person, "spectators", &number.to_string(), &format!("n{number}"));
        }
    }

    /// What a session has to say by now, without the game.
    async fn heard(&self, person: &mut Person) -> Vec<Heard> {
        let mut bytes = Vec::new();
        for _ in 0..3 {
            settle().await;
            person.session.handle_messages(&self.games, &self.clock).unwrap();
            bytes.extend(person.session.flush());
        }
        texts(&bytes).iter().filter_map(|text| heard(text)).collect()
    }

    /// The game ends; much later its actor does.
    async fn end(&self, person: &mut Person) {
        self.send(person, "abort", "");
        self.heard(person).await;
    }

    async fn pass(&self, span: Duration) {
        tokio::time::sleep(span).await;
    }
}

/// The payloads of unmasked frames.
fn texts(mut bytes: &[u8]) -> Vec<&str> {
    let mut texts = Vec::new();
    while let [first, length, rest @ ..] = bytes {
        let (length, rest) = match length {
            126 => (usize::from(u16::from_be_bytes([rest[0], rest[1]])), &rest[2..]),
            length => (usize::from(*length), rest),
        };
        if *first == 0x81 {
            texts.push(std::str::from_utf8(&rest[..length]).unwrap());
        }
        bytes = &rest[length..];
    }
    texts
}

fn heard(text: &str) -> Option<Heard> {
    match decode_server(text).unwrap() {
        ServerMessage::Said(line) => Some(Heard::Said(line.room, line.n, line.text)),
        ServerMessage::Ok(ok) if ok.seq.is_none() => Some(Heard::Ok(ok.id.map(|id| id.to_string()))),
        ServerMessage::Rejected(rejected) => Some(Heard::Rejected(rejected.code)),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn players_and_spectators_have_rooms_of_their_own_until_the_end() {
    let world = World::new().await;
    let (mut white, mut black) = (world.person(1, 1).await, world.person(2, 2).await);
    let (mut third, mut fourth) = (world.person(3, 3).await, world.person(4, 4).await);
    world.say(&mut third, "spectators", "hm", "a");
    assert_eq!(world.heard(&mut third).await, [said(ChatRoom::Spectators, 1, "hm"), ok("a")]);
    assert_eq!(world.heard(&mut fourth).await, [said(ChatRoom::Spectators, 1, "hm")]);
    world.say(&mut white, "players", "hi", "b");
    assert_eq!(world.heard(&mut white).await, [said(ChatRoom::Players, 1, "hi"), ok("b")]);
    // The game's feed says that there is a chat, and the player looks when it is told anything.
    black.session.tell(ToSession::ChatOpened(game_id()));
    assert_eq!(world.heard(&mut black).await, [said(ChatRoom::Players, 1, "hi")]);
    for (person, room) in [(&mut white, "spectators"), (&mut third, "players")] {
        world.say(person, room, "no", "c");
        assert_eq!(world.heard(person).await, [Heard::Rejected(Code::NotYourRoom)]);
    }
    assert_eq!(world.heard(&mut fourth).await, []);

    world.end(&mut white).await;
    assert_eq!(world.heard(&mut black).await, [said(ChatRoom::Spectators, 1, "hm")]);
    world.say(&mut black, "spectators", "hello", "d");
    assert_eq!(world.heard(&mut third).await, [said(ChatRoom::Spectators, 2, "hello")]);
    world.say(&mut third, "players", "no", "e");
    assert_eq!(world.heard(&mut third).await, [Heard::Rejected(Code::NotYourRoom)]);
}

#[tokio::test(start_paused = true)]
async fn a_command_sent_again_says_nothing_twice() {
    let world = World::new().await;
    let mut white = world.person(1, 1).await;
    for _ in 0..9 {
        world.say(&mut white, "players", "hi", "same");
    }
    let heard = world.heard(&mut white).await;
    assert_eq!(heard[0], said(ChatRoom::Players, 1, "hi"));
    assert_eq!(heard[1..], vec![ok("same"); 9], "and it costs nothing of the rate");
    let mut tab = world.person(1, 2).await;
    world.say(&mut tab, "players", "hi", "same");
    assert_eq!(world.heard(&mut tab).await, [ok("same")], "the line came when the seat was taken");
    world.say(&mut tab, "players", "hi", "other");
    assert_eq!(world.heard(&mut tab).await, [said(ChatRoom::Players, 2, "hi"), ok("other")]);
}

#[tokio::test(start_paused = true)]
async fn a_chat_goes_on_when_the_actor_has_ended_until_it_is_quiet() {
    let world = World::new().await;
    let (mut white, mut third) = (world.person(1, 1).await, world.person(3, 3).await);
    world.end(&mut white).await;
    world.pass(Duration::from_secs(14 * 60)).await;
    assert!(world.games.get(game_id()).is_none(), "the actor has ended");
    world.heard(&mut third).await;
    world.games.sweep_chats();
    world.say(&mut white, "spectators", "gg", "a");
    assert_eq!(world.heard(&mut third).await, [said(ChatRoom::Spectators, 1, "gg")], "who stayed hears");
    world.pass(Duration::from_secs(14 * 60)).await;
    world.games.sweep_chats();
    let mut late = world.person(4, 4).await;
    world.say(&mut late, "spectators", "what a game", "b");
    assert_eq!(world.heard(&mut third).await, [said(ChatRoom::Spectators, 2, "what a game")]);
    world.pass(Duration::from_secs(15 * 60)).await;
    world.games.sweep_chats();
    assert!(world.games.chat(game_id()).is_none());
    for person in [&mut white, &mut third] {
        world.heard(person).await;
        world.say(person, "spectators", "hello?", "c");
        assert_eq!(world.heard(person).await, [Heard::Rejected(Code::NotYourRoom)]);
    }
}

#[tokio::test(start_paused = true)]
async fn who_comes_later_gets_the_last_fifty_lines() {
    let world = World::new().await;
    let mut third = world.person(3, 3).await;
    world.speak(&mut third, 1..=60).await;
    let mut late = world.open(4, 4);
    let heard = world.heard(&mut late).await;
    assert_eq!(heard.len(), 50);
    assert_eq!(heard[0], said(ChatRoom::Spectators, 11, "11"));
    assert_eq!(heard[49], said(ChatRoom::Spectators, 60, "60"));
}

#[tokio::test(start_paused = true)]
async fn who_reads_slowly_misses_lines_and_nothing_waits_for_him() {
    let world = World::new().await;
    let (mut third, mut slow) = (world.person(3, 3).await, world.person(4, 4).await);
    // What has no room yet is the snapshots that were asked for.
    slow.session.window = 0;
    for _ in 0..50 {
        world.send(&mut slow, "watch", "");
        world.heard(&mut slow).await;
    }
    assert!(!slow.session.reads());
    world.say(&mut slow, "spectators", "at last", "late");
    world.speak(&mut third, 1..=60).await;
    slow.session.window = usize::MAX;
    let heard = world.heard(&mut slow).await;
    assert_eq!(heard[0], said(ChatRoom::Spectators, 12, "11"), "the first lines are gone, its own too");
    assert_eq!(heard[49], said(ChatRoom::Spectators, 61, "60"));
    assert_eq!(heard[50..], [ok("late")], "and its answer came behind");
}

#[tokio::test(start_paused = true)]
async fn who_leaves_hears_no_more_and_may_not_speak() {
    let world = World::new().await;
    let (mut third, mut fourth) = (world.person(3, 3).await, world.person(4, 4).await);
    world.say(&mut third, "spectators", "hm", "a");
    world.heard(&mut fourth).await;
    world.send(&mut fourth, "unwatch", "");
    world.say(&mut third, "spectators", "well", "b");
    assert_eq!(world.heard(&mut fourth).await, []);
    world.say(&mut fourth, "spectators", "eh", "c");
    assert_eq!(world.heard(&mut fourth).await, [Heard::Rejected(Code::NotYourRoom)]);
}

#[tokio::test(start_paused = true)]
async fn a_recovered_game_keeps_its_chat() {
    let world = World::new().await;
    let mut third = world.person(3, 3).await;
    world.say(&mut third, "spectators", "hm", "a");
    world.games.get(game_id()).unwrap().mailbox().send(Mail::Break).unwrap();
    world.pass(Duration::from_secs(1)).await;
    assert!(world.games.get(game_id()).is_some());
    let mut late = world.open(4, 4);
    assert_eq!(world.heard(&mut late).await, [said(ChatRoom::Spectators, 1, "hm")]);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_is_found_ended_in_recovery_is_over_for_its_chat() {
    let world = World::new().await;
    let mut third = world.person(3, 3).await;
    world.say(&mut third, "spectators", "hm", "a");
    // The end is durable, and the actor dies before it knows.
    let here = std::net::IpAddr::from([127, 0, 0, 1]).into();
    let game = world.games.read(game_id(), here).await.unwrap().unwrap();
    let (at, abort) = (GameInstant(1), Input::Player { seat: Color::White, command: Command::Abort });
    let events = game.decide(at, &abort).unwrap();
    let end = Record { game: game_id(), first_seq: 2, at, account: None, command: None, events };
    world.journal.append(JournalOffset(1), Arc::new(end)).await.unwrap();
    world.games.get(game_id()).unwrap().mailbox().send(Mail::Break).unwrap();
    world.pass(Duration::from_secs(1)).await;
    assert!(world.games.get(game_id()).is_none());
    assert!(world.games.chat(game_id()).unwrap().is_over());
}

#[tokio::test(start_paused = true)]
async fn a_chat_that_nobody_began_goes_with_the_last_who_waited() {
    let world = World::new().await;
    let (mut white, mut third) = (world.person(1, 1).await, world.person(3, 3).await);
    world.end(&mut white).await;
    world.games.sweep_chats();
    assert!(world.games.chat(game_id()).is_none(), "nothing was said about it");
    world.pass(Duration::from_secs(31)).await;
    world.heard(&mut third).await;
    world.games.sweep_chats();
    assert!(world.games.chat(game_id()).is_some(), "somebody stayed");
    world.send(&mut third, "unwatch", "");
    world.games.sweep_chats();
    assert!(world.games.chat(game_id()).is_none());
}

#[tokio::test(start_paused = true)]
async fn of_too_many_chats_one_that_is_over_is_left() {
    let world = World::new().await;
    let mut third = world.person(3, 3).await;
    let games: Vec<_> = (1_000..1_193).map(GameId::from_random).collect();
    for &game in &games {
        let players = ByColor::from_fn(|_| AccountId::from_u128(9));
        world.games.shared().chats.ended(game, players, world.clock.now());
        third.session.tell(ToSession::ChatOpened(game));
    }
    world.heard(&mut third).await;
    let mut answer = async |game, id: &str| {
        let fields = format!(r#","room":"spectators","text":"gg","id":"{id}""#);
        world.send_about(game, &mut third, "say", &fields);
        world.heard(&mut third).await
    };
    assert_eq!(answer(games[0], "a").await, [Heard::Rejected(Code::NotYourRoom)]);
    for game in [games[1], games[192]] {
        assert_eq!(answer(game, "b").await.last(), Some(&ok("b")));
    }
}
