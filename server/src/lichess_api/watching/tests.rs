//! Watchers and televisions in a server, in virtual time.

use std::net::IpAddr;

use super::*;
use crate::lichess_api::lines::{LinesReader, lines};
use crate::net::Admission;
use crate::server::Server;
use crate::storage::MemoryStore;

fn api() -> (Server, LichessApi) {
    let store = Arc::new(MemoryStore::default());
    let server = Server::on(Arc::clone(&store));
    let state = server.http_state();
    let api = LichessApi::new(state.sessions, state.history, store);
    (server, api)
}

fn here() -> Address {
    IpAddr::from([192, 0, 2, 1]).into()
}

fn new_stream(api: &LichessApi) -> (Stream, LinesReader) {
    let sessions = &api.sessions;
    let admitted = sessions.accounts.addresses.admit(here(), sessions.clock.now());
    let Admission::Served(permit) = admitted else { panic!("{admitted:?}") };
    let (lines, reader) = lines();
    (Stream { lines, place: Arc::new(permit) }, reader)
}

#[tokio::test(start_paused = true)]
async fn a_television_ends_when_nobody_watches_any_more() {
    let (server, api) = api();
    let (stream, reader) = new_stream(&api);
    api.tune_in(channels::BEST, stream).unwrap();
    let television = api.watching.channels.get(channels::BEST).unwrap().clone();
    let clock = &api.sessions.clock;
    clock.sleep_until(clock.now() + Duration::from_secs(600)).await;
    assert!(!television.is_closed(), "somebody waits for a game");
    drop(reader);
    clock.sleep_until(clock.now() + BEAT * (IDLE_BEATS + 2)).await;
    assert!(television.is_closed());
    let (stream, _reader) = new_stream(&api);
    api.tune_in(channels::BEST, stream).unwrap();
    assert_eq!(api.watching.channels.len(), 1, "the next one has another");
    server.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_game_that_there_is_not_has_no_watcher_for_long() {
    let (server, api) = api();
    let game = "xxxxxxxxxxxx".parse().unwrap();
    let asked = api.watched(game, here(), |reply| Call::Follow { reply }).await;
    assert_eq!(asked.map(drop), Err(Rejection::not_found("No such game")));
    let watcher = api.watching.games.get(&game).unwrap().clone();
    watcher.closed().await;
    server.stop().await;
}

#[tokio::test(start_paused = true)]
async fn more_calls_than_a_watcher_takes_are_told_to_come_back() {
    let (server, api) = api();
    let game = "xxxxxxxxxxxx".parse().unwrap();
    let watcher = Watcher::start(&api, game, here());
    api.watching.games.insert(game, watcher.clone());
    for _ in 0..CALLS_MAX {
        let (reply, _) = oneshot::channel();
        watcher.try_send(Call::Follow { reply }).unwrap();
    }
    let asked = api.watched(game, here(), |reply| Call::Follow { reply }).await;
    assert_eq!(asked.map(drop), Err(Rejection::unavailable()));
    server.stop().await;
}
