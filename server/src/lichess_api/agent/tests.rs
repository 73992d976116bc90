//! An agent alone and an agent in a server, in virtual time.

use std::net::IpAddr;
use std::sync::Arc;

use futures_util::FutureExt as _;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use zeitnot_protocol::{
    ByColor, ChatRoom, Clock, GameId, GameOptions, History, MoveEvent, Phase, PlayerView, PlyView, Said,
    Snapshot, StateView, TimeControl, WireVariant,
};

use super::*;
use crate::accounts::{Known, Person, Token};
use crate::lichess_api::lines::{LinesReader, lines};
use crate::server::Server;
use crate::storage::MemoryStore;
use crate::time::unix_now_ms;

const GAME: &str = "4fzVq0aB9kLm";

fn account(number: u128) -> AccountId {
    AccountId::from_u128(number)
}

/// A server without sockets, in virtual time.
fn api() -> (Server, LichessApi) {
    let store = Arc::new(MemoryStore::default());
    let server = Server::on(Arc::clone(&store));
    let state = server.http_state();
    let api = LichessApi::new(state.sessions, state.history, store);
    (server, api)
}

async fn caller(api: &LichessApi, number: u8) -> Caller {
    let accounts = &api.sessions.accounts;
    let (account, token) = (account(number.into()), Token::from_random([number; 32]));
    accounts.create(account, &token).await.unwrap();
    let address = IpAddr::from([192, 0, 2, number]).into();
    let known = accounts.by_token(&token.reveal(), address).await.unwrap().unwrap();
    Caller::of(Known { person: Person::guest(account), ..known }, address)
}

/// An agent without a session, and what it would send.
async fn alone(api: &LichessApi) -> (Agent, mpsc::Receiver<ClientMessage>) {
    let caller = caller(api, 1).await;
    let (_, calls) = mpsc::channel(1);
    let mut agent = Agent::new(api.clone(), &caller, calls);
    let sent = agent.to_write.take().unwrap();
    (agent, sent)
}

fn ply(ply: u32) -> PlyView {
    let uci = ["g1f3", "g8f6", "f3g1", "f6g8"][(ply as usize - 1) % 4];
    let uci = uci.parse().unwrap();
    let san = "Nf3".parse().unwrap();
    PlyView { ply, uci, san, white_ms: None, black_ms: None, took: None, credit: None }
}

/// A game of so many plies, of which a snapshot shows the last 200.
fn snapshot(plies: u32) -> Snapshot {
    let player = |number| PlayerView::unrated(account(number), format!("Guest-{number}"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    Snapshot {
        game: GAME.parse().unwrap(),
        seq: plies + 1,
        on: plies + 1,
        variant: WireVariant::Standard,
        start_fen: start.clone(),
        fen: start,
        players: ByColor { white: player(1), black: player(2) },
        time_control: TimeControl::Unlimited,
        options: GameOptions::default(),
        ply_count: plies,
        plies: (plies.saturating_sub(200) + 1..=plies).map(ply).collect(),
        state: StateView {
            phase: Phase::Playing,
            check: None,
            draw_offer: None,
            draw_offered_at: None,
            takeback_offer: None,
            remedy: None,
            outcome: None,
        },
        white_ms: None,
        black_ms: None,
        began: 1,
        rated: false,
        imported: false,
        origin: None,
        ratings: None,
        opening: None,
    }
}

async fn first_line(reader: &LinesReader) -> Value {
    let chunk = reader.next().await.unwrap().unwrap();
    serde_json::from_slice(&chunk).unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_agent_ends_when_nobody_calls_any_more() {
    let (server, api) = api();
    let caller = caller(&api, 1).await;
    let (writing, reader) = lines();
    api.agent(&caller).unwrap().make(Call::Events { lines: writing }).unwrap();
    let agent = api.agent(&caller).unwrap();
    let clock = &api.sessions.clock;
    clock.sleep_until(clock.now() + Duration::from_secs(600)).await;
    assert!(!agent.is_over(), "somebody reads its stream");
    let connections = &api.sessions.connections;
    assert!(connections.is_here(caller.known.person.account), "a stream is presence");
    drop(reader);
    clock.sleep_until(clock.now() + Duration::from_secs(25)).await;
    assert!(!agent.is_over());
    clock.sleep_until(clock.now() + Duration::from_secs(10)).await;
    assert!(agent.is_over());
    api.ask(&caller, |reply| Call::Playing { reply }).await.unwrap();
    assert!(!api.agent(&caller).unwrap().is_over(), "the next call has another one");
    assert_eq!(api.agents.len(), 1);
    server.stop().await;
}

#[tokio::test(start_paused = true)]
async fn more_calls_than_an_agent_takes_are_told_to_come_back() {
    let (server, api) = api();
    let caller = caller(&api, 1).await;
    let agent = api.agent(&caller).unwrap();
    let mut answers = Vec::new();
    let mut call = || {
        let (reply, answer) = oneshot::channel();
        answers.push(answer);
        agent.make(Call::Playing { reply })
    };
    for _ in 0..CALLS_MAX {
        call().unwrap();
    }
    assert_eq!(call(), Err(Rejection::unavailable()));
    answers.pop();
    for answer in answers {
        assert_eq!(answer.await.unwrap(), Ok(json!({ "nowPlaying": [], "nbMyTurn": 0 })));
    }
    server.stop().await;
}

#[tokio::test(start_paused = true)]
async fn an_agent_whose_session_takes_nothing_ends() {
    let (_server, api) = api();
    let (agent, _sent) = alone(&api).await;
    for _ in 0..COMMANDS_MAX {
        assert!(agent.command(ClientMessage::Ping(FIRST_PING)).is_ok());
    }
    assert!(agent.command(ClientMessage::Ping(FIRST_PING)).is_err());
}

#[tokio::test(start_paused = true)]
async fn a_long_game_is_told_whole_and_events_wait_for_its_older_plies() {
    let (_server, api) = api();
    let (mut agent, mut sent) = alone(&api).await;
    let game: GameId = GAME.parse().unwrap();
    agent.handle(ServerMessage::Snapshot(snapshot(450))).await.unwrap();
    let event = MoveEvent {
        game,
        seq: 452,
        ply: 451,
        uci: "e2e4".parse().unwrap(),
        san: "e4".parse().unwrap(),
        fen: "8/8/8/8/8/8/8/8 b - - 0 1".to_owned(),
        check: None,
        white_ms: None,
        black_ms: None,
        took: None,
        credit: None,
    };
    agent.handle(ServerMessage::Move(event.clone())).await.unwrap();
    for from in [1, 201] {
        let Some(ClientMessage::History(asked)) = sent.recv().await else {
            panic!("no history was asked for")
        };
        assert_eq!(asked.from, from);
        let plies = (from..from + 200).map(ply).collect();
        let history = History { id: None, game, from, ply_count: 450, plies };
        agent.handle(ServerMessage::History(history)).await.unwrap();
    }
    let (writing, reader) = lines();
    let (reply, answer) = oneshot::channel();
    agent.take(Call::Game { game, lines: writing, reply }).await.unwrap();
    answer.await.unwrap().unwrap();
    let full = first_line(&reader).await;
    let moves: Vec<_> = full["state"]["moves"].as_str().unwrap().split(' ').collect();
    assert_eq!((moves.len(), moves[0], moves[449], moves[450]), (451, "g1f3", "g8f6", "e2e4"));
    // Events of a game whose plies never come do not pile up.
    agent.handle(ServerMessage::Snapshot(snapshot(450))).await.unwrap();
    let mut ended = false;
    for _ in 0..2_000 {
        ended |= agent.handle(ServerMessage::Move(event.clone())).await.is_err();
    }
    assert!(ended);
}

#[tokio::test(start_paused = true)]
async fn the_last_lines_of_a_chat_are_kept() {
    let (_server, api) = api();
    let (mut agent, _sent) = alone(&api).await;
    let game: GameId = GAME.parse().unwrap();
    agent.handle(ServerMessage::Snapshot(snapshot(2))).await.unwrap();
    let (writing, reader) = lines();
    let (reply, _answer) = oneshot::channel();
    agent.take(Call::Game { game, lines: writing, reply }).await.unwrap();
    first_line(&reader).await;
    let at = u32::try_from(unix_now_ms() / 1_000).unwrap();
    for n in 1..=60 {
        let said = |room, text: String, at| {
            let by = PlayerView::unrated(account(2), "Rook".to_owned());
            ServerMessage::Said(Said { game, room, n, by, text, at })
        };
        agent.handle(said(ChatRoom::Players, format!("line {n}"), at - 3_600)).await.unwrap();
        agent.handle(said(ChatRoom::Spectators, format!("others {n}"), at - 3_600)).await.unwrap();
    }
    assert!(reader.next().now_or_never().is_none(), "old lines are not said again");
    let (reply, answer) = oneshot::channel();
    agent.take(Call::Chat { game, reply }).await.unwrap();
    let chat = answer.await.unwrap().unwrap();
    let lines = chat.as_array().unwrap();
    assert_eq!(
        (lines.len(), &lines[0], &lines[49]["text"]),
        (50, &json!({ "user": "Rook", "text": "line 11" }), &json!("line 60"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_program_that_lost_its_stream_is_called_back_to_a_game_with_clocks_only() {
    for (has_clock, is_called) in [(true, true), (false, false)] {
        let (_server, api) = api();
        let (mut agent, _sent) = alone(&api).await;
        let game: GameId = GAME.parse().unwrap();
        let mut snapshot = snapshot(2);
        if has_clock {
            let period = zeitnot_protocol::Period { base_ms: 60_000, ..Default::default() };
            snapshot.time_control = TimeControl::Clock { periods: vec![period], black_periods: None };
        }
        agent.handle(ServerMessage::Snapshot(snapshot)).await.unwrap();
        let (events, heard) = lines();
        agent.take(Call::Events { lines: events }).await.unwrap();
        assert_eq!(first_line(&heard).await["type"], "gameStart");
        let (writing, reader) = lines();
        let (reply, _answer) = oneshot::channel();
        agent.take(Call::Game { game, lines: writing, reply }).await.unwrap();
        let clock = api.sessions.clock.clone();
        drop(reader);
        for second in 0..4 {
            agent.beat().unwrap();
            let is_late = second >= 3;
            let told = heard.next().now_or_never();
            assert_eq!(told.is_some(), is_called && second == 2, "second {second}, late {is_late}");
            clock.sleep_until(clock.now() + BEAT).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn the_clock_of_the_side_to_move_runs_from_its_second_move_on() {
    let (_server, api) = api();
    let (mut agent, _sent) = alone(&api).await;
    let game: GameId = GAME.parse().unwrap();
    let clock = api.sessions.clock.clone();
    for (plies, runs) in [(1, false), (2, true)] {
        let mut shown = snapshot(plies);
        (shown.white_ms, shown.black_ms) = (Some(60_000), Some(50_000));
        agent.handle(ServerMessage::Snapshot(shown)).await.unwrap();
        clock.sleep_until(clock.now() + Duration::from_secs(7)).await;
        let state = agent.games[&game].view.state(clock.now());
        let expected = if runs { 53_000 } else { 60_000 };
        assert_eq!((&state["wtime"], &state["btime"]), (&json!(expected), &json!(50_000)), "{plies}");
    }
    let told = Clock {
        id: None,
        game,
        seq: 3,
        white_ms: Some(9_000),
        black_ms: Some(8_000),
        running: None,
        stands_ms: 0,
        first_move_ms: None,
    };
    agent.handle(ServerMessage::Clock(told)).await.unwrap();
    assert_eq!(agent.games[&game].view.state(clock.now())["wtime"], 9_000);
}
