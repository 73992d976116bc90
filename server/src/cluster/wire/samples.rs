//! One of each kind of what goes over the bus, for tests.

use bytes::Bytes;
use uuid::Uuid;
use zeitnot_protocol::{AccountId, ChallengeId, ChatRoom, Code, GameId, PoolId};
use zeitnot_rules::board::{Move, Square};
use zeitnot_rules::game::{AbsenceWish, Command, Micros};

use super::lobby::SentPerson;
use super::{
    Act, Announcement, Attach, Attached, ChatMessage, ChatNews, Clock, Envelope, FrameText, FromLobby,
    FromMirror, FromOwner, GameMessage, Hint, LobbyCommand, LobbyMessage, Playing, SentCommand,
    SentConnection, SentLine, SentNotice, SentPost, TakenSeat, ToLobby, TurnStart,
};
use crate::cluster::link::{Datagram, LinkId, Packet};
use crate::cluster::node::Node;
use crate::storage::{Kind, NodeNumber, Person};

pub(crate) fn node(number: u32) -> Node {
    Node { number: NodeNumber(number), boot: Uuid::from_u128(u128::from(number) << 64 | 7).into() }
}

fn game(number: u128) -> GameId {
    GameId::from_random(number)
}

pub(crate) fn envelopes() -> Vec<Envelope> {
    let id = LinkId { opener: 7, answerer: 300 };
    let messages = vec![Bytes::from_static(b"one"), Bytes::new()];
    let datagrams = [
        Datagram::Open { opener: 1 },
        Datagram::Opened(id),
        Datagram::Close(id),
        Datagram::Packet(Packet { id, number: u64::MAX, sent_us: 1_000_000, echo_us: 0, messages }),
    ];
    datagrams.into_iter().map(|datagram| Envelope { from: node(3), datagram }).collect()
}

pub(crate) fn announcements() -> Vec<Announcement> {
    let hints = [Hint::Claimed(vec![game(1), game(2)]), Hint::Released(Vec::new())];
    let hints = hints.into_iter().map(|hint| Announcement::Hint { from: node(1), hint });
    let dead = vec![node(8).boot, node(9).boot];
    hints.chain([Announcement::Heartbeat { from: node(2), database_ms: 12, dead }]).collect()
}

pub(crate) fn commands() -> Vec<Command> {
    let mv = Move::new(Square::from_index(12), Square::from_index(28));
    let promotion = Some(zeitnot_rules::board::Role::Queen);
    vec![
        Command::PlayMove { on: 1, mv },
        Command::PlayMove { on: 300, mv: Move { promotion, ..mv } },
        Command::Resign,
        Command::OfferDraw,
        Command::AcceptDraw { offer: 9 },
        Command::DeclineDraw { offer: 9 },
        Command::ClaimDraw { on: 5, intended: None },
        Command::ClaimDraw { on: 5, intended: Some(mv) },
        Command::ClaimAbsence { wish: AbsenceWish::Win },
        Command::ClaimAbsence { wish: AbsenceWish::Draw },
        Command::Abort,
        Command::OfferTakeback,
        Command::AcceptTakeback { offer: 4 },
        Command::DeclineTakeback { offer: 4 },
        Command::GiveTime { amount: Micros(15_000_000) },
        Command::AskIlc,
    ]
}

pub(crate) fn from_mirrors() -> Vec<GameMessage> {
    let seat = TakenSeat { connection: 1 << 40 | 5, white: true, round_trip_us: Some(30_000) };
    let sent = |(number, command): (u64, &Command)| SentCommand {
        connection: 5,
        start: TurnStart { base: 12, at_us: 700_000 },
        since_us: 1_000_000 * number,
        age_us: 2_000 * number,
        id: (number % 2 == 1).then(|| "a1".parse().expect("it is an id")),
        act: Act::from(command),
    };
    let commands: Vec<_> = (0..).zip(&commands()).map(sent).collect();
    let attach = Attach { head: 0, seats: vec![seat], watchers: 3, again: commands.clone() };
    let rest = [
        FromMirror::Attach(attach),
        FromMirror::Detach,
        FromMirror::Join(TakenSeat { white: false, round_trip_us: None, ..seat }),
        FromMirror::Leave(5),
        FromMirror::Resync(5),
        FromMirror::RoundTrip { connection: 5, us: 1 },
        FromMirror::Watchers(7),
        FromMirror::SnapshotWanted,
        FromMirror::Fenced(2),
    ];
    let all = rest.into_iter().chain(commands.into_iter().map(FromMirror::Command));
    all.map(|said| GameMessage::ToOwner(game(11), said)).collect()
}

pub(crate) fn from_owners() -> Vec<GameMessage> {
    let frame = FrameText { seq: 3, clock_follows: true, text: r#"{"t":"move"}"#.to_owned() };
    let clock = Clock {
        seq: 3,
        base: 3,
        turn: Some((TurnStart { base: 3, at_us: 1_000_000 }, 9)),
        clocks_us: Some((60_000_000, 59_000_000)),
        running: Some((true, 61_000_000)),
        first_move_us: None,
        board: "8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned(),
        last_move: Some("a2a1".parse().expect("it is a move")),
        ply_count: 2,
        has_ended: false,
    };
    let id = Some("a1".parse().expect("it is an id"));
    let notices = [
        SentNotice::Events,
        SentNotice::Message(frame.clone()),
        SentNotice::Done { id, seq: 4 },
        SentNotice::Rejected { id: None, code: Code::IllegalMove },
        SentNotice::Snapshot(frame.clone()),
        SentNotice::Watchers(2),
        SentNotice::Silent,
    ];
    let tell = |notice| FromOwner::Tell { connection: 5, after: 3, notice };
    let attached = |frames| Attached {
        head: 3,
        frames,
        watchers: 3,
        clock: clock.clone(),
        said: TurnStart { base: 0, at_us: 1_000_009 },
    };
    let rest = [
        FromOwner::Attached(attached(Some(vec![frame.clone()]))),
        FromOwner::Attached(attached(None)),
        FromOwner::NotHere,
        FromOwner::Frame(frame.clone()),
        FromOwner::Clock(clock.clone()),
        FromOwner::ClockStarted,
        FromOwner::Watchers(3),
        FromOwner::Snapshot(frame.clone()),
        FromOwner::Rated(frame),
        FromOwner::Fence { number: 1, base: 3, since_us: 61_000_000 },
        FromOwner::Closed { comes_back: true },
    ];
    let all = rest.into_iter().chain(notices.map(tell));
    all.map(|said| GameMessage::ToMirror(game(12), said)).collect()
}

pub(crate) fn about_chats() -> Vec<ChatMessage> {
    let (by, room) = (AccountId::from_u128(5), ChatRoom::Spectators);
    let id = Some("a1".parse().expect("it is an id"));
    let post = SentPost {
        by: "{}".to_owned(),
        room,
        text: "good game".to_owned(),
        id,
        unix: 1_800_000_000,
        rate: (5, 2_000_000),
        is_in: true,
        is_blocked: false,
    };
    let said = FrameText { seq: 3, clock_follows: false, text: r#"{"t":"said"}"#.to_owned() };
    let news = [
        ChatNews::Follow { heads: [0, 300] },
        ChatNews::Post { number: 1 << 40, post },
        ChatNews::Posted { number: 7, answer: Ok(3) },
        ChatNews::Posted { number: 8, answer: Err(Code::ChatTooFast) },
        ChatNews::Known(SentLine { room, by, id: None, said: said.clone() }),
        ChatNews::Line(SentLine { room, by, id, said }),
    ];
    news.into_iter().map(|news| ChatMessage { game: game(13), news }).collect()
}

pub(crate) fn about_the_lobby() -> Vec<LobbyMessage> {
    let (account, address) = (AccountId::from_u128(5), std::net::IpAddr::from([192, 0, 2, 1]));
    let person = Person { account, kind: Kind::Registered, name: "Rook_And_Roll".parse().ok() };
    let (who, playing) = (SentPerson::from(person), Playing { live: 3, with_clocks: true });
    let challenge = ChallengeId::from_random(1);
    let (connection, is_bot, text) = (7, false, "{}".to_owned());
    let to_owner = [
        ToLobby::Arrive,
        ToLobby::Connected(SentConnection { account, connection, address, is_bot, playing }),
        ToLobby::Left(account),
        ToLobby::Arrived,
        ToLobby::Place { who: who.clone(), address, pool: Some(PoolId::ThreePlusTwo) },
        ToLobby::Command(LobbyCommand { connection, who: who.clone(), address, playing, text: text.clone() }),
        ToLobby::Changed(who),
        ToLobby::Blocked { by: account, whom: account, is_blocked: true },
        ToLobby::Look(text.clone()),
        ToLobby::Find { number: 1, challenge },
        ToLobby::WhoIsHere { number: 2, accounts: vec![account] },
        ToLobby::BotsHere { number: 3, most: 300 },
    ];
    let id = Some("a1".parse().expect("it is an id"));
    let from_owner = [
        FromLobby::Here { epoch: 1 },
        FromLobby::Arrived,
        FromLobby::Tell { connection, text: text.clone() },
        FromLobby::TellAll { account, except: Some(1), text: text.clone() },
        FromLobby::Seat { account, except: None, game: game(1) },
        FromLobby::SeatAndAnswer { connection, id, game: game(1) },
        FromLobby::View(text),
        FromLobby::Found { number: 1, code: None, challenge: None },
        FromLobby::AreHere { number: 2, accounts: vec![account] },
    ];
    let from_owner = from_owner.map(LobbyMessage::FromOwner);
    to_owner.map(LobbyMessage::ToOwner).into_iter().chain(from_owner).collect()
}
