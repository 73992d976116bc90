//! A watcher without its session.

use std::net::IpAddr;

use tokio::sync::oneshot;
use zeitnot_protocol::{
    AccountId, ByColor, GameOptions, MoveEvent, Phase, PlayerView, StateView, TimeControl, WireVariant,
};

use super::*;
use crate::lichess_api::lines::lines;
use crate::net::Admission;
use crate::server::Server;
use crate::storage::MemoryStore;

const GAME: &str = "4fzVq0aB9kLm";

fn alone() -> (Watcher, DuplexStream, LichessApi) {
    let store = Arc::new(MemoryStore::default());
    let state = Server::on(Arc::clone(&store)).http_state();
    let api = LichessApi::new(state.sessions, state.history, store);
    let (near, far) = tokio::io::duplex(64 * 1024);
    let (_, calls) = mpsc::channel(1);
    let socket = WebSocketStream::from_raw_socket(near, Role::Client, None);
    let socket = futures_util::FutureExt::now_or_never(socket).unwrap();
    let (id, waiting, streams) = (GAME.parse().unwrap(), Vec::new(), Vec::new());
    let watcher =
        Watcher { api: api.clone(), id, calls, socket, waiting, loading: None, game: None, streams };
    (watcher, far, api)
}

/// Knights go out and back.
fn ply(ply: u32) -> PlyView {
    let uci = ["g1f3", "g8f6", "f3g1", "f6g8"][(ply as usize - 1) % 4].parse().unwrap();
    let san = "Nf3".parse().unwrap();
    PlyView { ply, uci, san, white_ms: Some(ply), black_ms: None, took: None, credit: None }
}

/// A game of so many plies, of which a snapshot shows the last 200.
fn snapshot(plies: u32) -> Snapshot {
    let player = |number| PlayerView::unrated(AccountId::from_u128(number), format!("Guest-{number}"));
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    let (draw_offer, takeback_offer, remedy, outcome) = (None, None, None, None);
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
            draw_offer,
            draw_offered_at: None,
            takeback_offer,
            remedy,
            outcome,
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

fn king_pawn(ply: u32) -> ServerMessage {
    ServerMessage::Move(MoveEvent {
        game: GAME.parse().unwrap(),
        seq: ply + 1,
        ply,
        uci: "e2e4".parse().unwrap(),
        san: "e4".parse().unwrap(),
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
        check: None,
        white_ms: None,
        black_ms: None,
        took: None,
        credit: None,
    })
}

#[tokio::test(start_paused = true)]
async fn a_long_game_is_watched_whole_and_events_wait_for_its_older_plies() {
    let (mut watcher, _far, api) = alone();
    watcher.snapshot(snapshot(404)).await.unwrap();
    watcher.event(king_pawn(405)).unwrap();
    let (writing, reader) = lines();
    let (reply, answer) = oneshot::channel();
    let here = IpAddr::from([192, 0, 2, 1]).into();
    let Admission::Served(permit) = api.sessions.accounts.addresses.admit(here, watcher.now()) else {
        panic!("nobody else is here")
    };
    let stream = Stream { lines: writing, place: Arc::new(permit) };
    watcher.take(Call::Stream { stream, reply });
    let history = |from| History {
        id: None,
        game: GAME.parse().unwrap(),
        from,
        ply_count: 404,
        plies: (from..from + 200).map(ply).collect(),
    };
    watcher.history(history(1)).await.unwrap();
    watcher.history(history(201)).await.unwrap();
    let past: Vec<_> = answer.await.unwrap().unwrap().collect();
    assert_eq!(past.len(), 1 + 1 + 404, "the description, the first position, and one for each ply");
    let last: Value = serde_json::from_slice(past.last().unwrap()).unwrap();
    assert!(last["lm"] == "f6g8" && last["fen"].as_str().unwrap().starts_with("rnbqkbnr/"), "{last}");
    let live: Value = serde_json::from_slice(&reader.next().await.unwrap().unwrap()).unwrap();
    assert_eq!(live["lm"], "e2e4");
    watcher.snapshot(snapshot(0)).await.unwrap();
    watcher.snapshot(snapshot(404)).await.unwrap();
    for _ in 0..HELD_MAX {
        watcher.event(king_pawn(405)).unwrap();
    }
    assert!(watcher.event(king_pawn(405)).is_err(), "it waits for too much");
}
