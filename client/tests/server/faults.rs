//! What a client lives through: killed servers, a network that is cut or slow, callers that do not read, and its own
//! restart.

use std::time::Duration;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use zeitnot_client::protocol::{TimeControl, Uci, WireReason};
use zeitnot_client::{Client, Error, Event, Game, GameEvent, Identity, Options};

use super::process::ServerProcess;
use super::proxy::Proxy;
use super::server::{TestServer, guarded, spawn};
use super::table::{begin, casual, clock, play, turn};

/// A quiet game.
const MOVES: [&str; 24] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7", "f1e1", "b7b5", "a4b3",
    "d7d6", "c2c3", "e8g8", "h2h3", "c6b8", "d2d4", "b8d7", "b1d2", "c8b7", "b3c2", "f8e8",
];

/// The plies before which something happens, while the move is on its way.
const DELAYED: usize = 3;
const KILLED: usize = 6;
const QUICK: usize = 8;
const CUT: usize = 11;
const KILLED_AGAIN: usize = 17;

/// Plays one side, and gives the opponent a second before each move: a command that only its id makes safe. Says
/// before which ply it is. All events in the end.
async fn player(mut game: Game, about_to_play: mpsc::Sender<usize>) -> Result<Vec<GameEvent>, Error> {
    let mut events = Vec::new();
    while let Some(event) = game.next().await? {
        if let GameEvent::Turn(_) = &event {
            let ply = game.state().ply_count as usize;
            about_to_play.send(ply).await.expect("the test goes on");
            match MOVES.get(ply) {
                Some(uci) => {
                    game.give_time(1_000).await?;
                    game.play(uci.parse::<Uci>().expect("it is a move")).await?;
                }
                None => drop(game.resign().await?),
            }
        }
        events.push(event);
    }
    Ok(events)
}

/// Only watches.
async fn spectator(mut game: Game) -> Result<Vec<GameEvent>, Error> {
    let mut events = Vec::new();
    while let Some(event) = game.next().await? {
        events.push(event);
    }
    Ok(events)
}

/// The game's own events after the snapshot, each once and in order.
fn public(events: Vec<GameEvent>) -> Vec<GameEvent> {
    let turns: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            GameEvent::Turn(turn) => Some(turn.on),
            _ => None,
        })
        .collect();
    assert!(turns.is_sorted_by(|one, next| one < next), "{turns:?}");
    let mut own = events.into_iter().filter(|event| event.seq().is_some());
    assert!(matches!(own.next(), Some(GameEvent::Snapshot(snapshot)) if snapshot.seq == 1));
    let own: Vec<_> = own.collect();
    let seqs: Vec<_> = own.iter().filter_map(GameEvent::seq).collect();
    assert_eq!(seqs, (2..2 + own.len() as u32).collect::<Vec<_>>());
    own
}

async fn finished(what: &str, task: JoinHandle<Result<Vec<GameEvent>, Error>>) -> Vec<GameEvent> {
    public(guarded(what, task).await.unwrap().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_a_cut_network_and_a_slow_one_cost_no_event_and_no_command() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start(folder.path());
    let proxy = Proxy::open(server.address).await;
    let (a, b) = (
        Client::connect(&proxy.url(), Identity::Guest).await.unwrap(),
        Client::connect(&proxy.url(), Identity::Guest).await.unwrap(),
    );
    let (white, black) = begin(&a, &b, casual(clock(600))).await;
    let watcher = Client::connect(&proxy.url(), Identity::Spectator).await.unwrap();
    let watched = watcher.game(white.id()).await.unwrap();
    let mut losses = a.events().await.unwrap();
    let (about_to_play, mut plies) = mpsc::channel(MOVES.len());
    let watched = spawn(spectator(watched));
    let black = spawn(player(black, about_to_play.clone()));
    let white = spawn(player(white, about_to_play));
    while let Some(ply) = guarded("the next move", plies.recv()).await {
        match ply {
            DELAYED => proxy.delay(Duration::from_millis(500)),
            KILLED | KILLED_AGAIN => {
                server.kill();
                server = ServerProcess::start(folder.path());
                proxy.lead_to(server.address);
            }
            QUICK => proxy.delay(Duration::ZERO),
            CUT => proxy.cut(Duration::from_secs(10)),
            _ => {}
        }
    }
    let of_white = finished("White's end", white).await;
    assert_eq!(finished("Black's end", black).await, of_white);
    assert_eq!(finished("the end", watched).await, of_white);
    let played: Vec<_> = of_white
        .iter()
        .filter_map(|event| match event {
            GameEvent::Move(played) => Some(played.uci.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(played, MOVES, "each move once");
    let given = of_white.iter().filter(|event| matches!(event, GameEvent::TimeAdjusted(_))).count();
    assert_eq!(given, MOVES.len(), "each second was given once");
    let Some(GameEvent::Ended(ended)) = of_white.last() else { panic!("the game has ended") };
    assert_eq!(ended.outcome.reason, WireReason::Resignation);
    // The faults were there.
    a.close().await;
    let mut lost = 0;
    while let Ok(event) = losses.next().await {
        lost += u32::from(matches!(event, Event::Disconnected { .. }));
    }
    assert!(lost >= 3, "two kills and a cut: {lost}");
}

#[tokio::test]
async fn a_caller_that_does_not_read_misses_nothing() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, mut black) = begin(&a, &b, casual(TimeControl::Unlimited)).await;
    let options = Options { game_buffer: 4, ..Options::default() };
    let watcher = Client::connect_with(&server.url(), Identity::Spectator, options).await.unwrap();
    let mut watched = watcher.game(white.id()).await.unwrap();
    for (ply, uci) in MOVES.iter().enumerate() {
        play(if ply % 2 == 0 { &mut white } else { &mut black }, uci).await;
    }
    turn(&mut white).await;
    white.resign().await.unwrap();
    let events = guarded("the end", async {
        let mut events = Vec::new();
        while let Some(event) = watched.next().await.unwrap() {
            events.push(event);
        }
        events
    });
    assert_eq!(public(events.await).len(), MOVES.len() + 2);
}

#[tokio::test]
async fn a_program_that_was_started_again_finds_its_games_by_its_token() {
    let server = TestServer::open().await;
    let (a, b) = (server.guest().await, server.guest().await);
    let (mut white, mut black) = begin(&a, &b, casual(TimeControl::Unlimited)).await;
    play(&mut white, "e2e4").await;
    turn(&mut black).await;
    let (token, game) = (b.token().unwrap(), black.id());
    b.close().await;
    assert_eq!(guarded("the end", black.next()).await, Err(Error::Stopped));
    let again = Client::connect(&server.url(), Identity::Token(token)).await.unwrap();
    assert_eq!(again.account(), b.account());
    let mut events = again.events().await.unwrap();
    let found = guarded("the game", async {
        loop {
            if let Event::Game(found) = events.next().await.unwrap() {
                return found;
            }
        }
    });
    assert_eq!(found.await, game);
    let mut black = again.game(game).await.unwrap();
    play(&mut black, "e7e5").await;
    assert_eq!(turn(&mut white).await.on, white.state().on);
}
