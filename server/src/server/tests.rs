//! A server in the runtime's time and without sockets: what it does when it stops, and while it does not serve.

use std::sync::Mutex;
use std::task::{Wake, Waker};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use zeitnot_rules::board::ByColor;
use zeitnot_rules::game::Event;

use super::*;
use crate::connections::Inbox;
use crate::storage::tests::samples::{game, started};
use crate::storage::{NodeNumber, TakenLobby};

/// Notes at each wake-up of a session whether the server begins nothing any more.
struct Notes {
    tasks: Tasks,
    seen: Mutex<Vec<bool>>,
}

impl Wake for Notes {
    fn wake(self: Arc<Self>) {
        self.seen.lock().unwrap().push(self.tasks.is_stopping());
    }
}

/// The status with which a server answers somebody who wants a socket, and one who asks whether it is ready.
async fn answers(server: &Server) -> (String, String) {
    let ask = async |request: &str| {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let serving = http::serve_one(server.http_state(), theirs, std::net::Ipv4Addr::LOCALHOST.into());
        let serving = server.sessions.tasks.spawn(serving);
        let (mut reading, mut writing) = tokio::io::split(ours);
        writing.write_all(request.as_bytes()).await.unwrap();
        let mut answer = vec![0; 12];
        reading.read_exact(&mut answer).await.unwrap();
        serving.abort();
        String::from_utf8(answer).unwrap()[9..].to_owned()
    };
    let upgrade = "GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                   Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    (ask(upgrade).await, ask("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await)
}

#[tokio::test(start_paused = true)]
async fn a_node_that_is_cut_off_closes_its_sockets_and_takes_none_until_it_reaches_something() {
    let server = Server::on(Arc::new(MemoryStore::default()));
    let (tell, standing) = watch::channel(Standing::default());
    server.heed(standing);
    let connections = &server.sessions.connections;
    let connect = || {
        let inbox = Inbox::default();
        connections.open(&inbox.outbox(), std::net::IpAddr::from([192, 0, 2, 1]).into());
        inbox
    };
    let before = connect();
    assert_eq!(answers(&server).await, ("101".to_owned(), "200".to_owned()));
    tell.send(Standing { is_cut_off: true, has_given_up: false }).unwrap();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(before.signals().stop);
    assert_eq!(answers(&server).await, ("503".to_owned(), "503".to_owned()));
    tell.send(Standing::default()).unwrap();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert!(!connect().signals().stop);
    assert_eq!(answers(&server).await, ("101".to_owned(), "200".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_node_that_has_given_up_has_no_games_until_it_goes_on() {
    let server = Server::on(Arc::new(MemoryStore::default()));
    let (tell, standing) = watch::channel(Standing::default());
    server.heed(standing);
    let games = &server.sessions.games;
    let create = |number| {
        let (id, events) = (game(number), started(game(number)).events);
        let Some(Event::Started(setup)) = events.into_iter().next() else {
            panic!("it begins with its start")
        };
        games.create(id, *setup, ByColor::default())
    };
    create(1).await.unwrap();
    tell.send(Standing { is_cut_off: false, has_given_up: true }).unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(games.count(), 0);
    assert!(server.abstains.load(Ordering::SeqCst) && server.sessions.connections.turns_away());
    create(2).await.unwrap_err();
    tell.send(Standing::default()).unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(!server.abstains.load(Ordering::SeqCst) && !server.sessions.connections.turns_away());
    create(3).await.unwrap();
}

/// A bus that nothing comes over.
#[derive(Debug)]
struct Silence;

impl crate::games::Links for Silence {
    fn send(&self, _: NodeNumber, _: bytes::Bytes) {}

    fn announce(&self, _: cluster::Hint) {}
}

#[tokio::test(start_paused = true)]
async fn a_node_that_has_given_up_ends_if_it_has_the_lobby_of_all_and_leaves_its_games_to_others() {
    for has_lobby in [false, true] {
        let server = Server::on(Arc::new(MemoryStore::default()));
        let (sessions, ends) = (Arc::clone(&server.sessions), server.is_outside_with_lobby.clone());
        let (tell, standing) = watch::channel(Standing::default());
        server.heed(standing);
        sessions.lobby.connect(Arc::new(Silence));
        if has_lobby {
            sessions.lobby.take(&TakenLobby { epoch: 1, challenges: Vec::new() });
        }
        let Some(Event::Started(setup)) = started(game(1)).events.pop() else {
            panic!("it begins with its start")
        };
        sessions.games.create(game(1), *setup, ByColor::default()).await.unwrap();
        let inbox = Inbox::default();
        sessions.connections.open(&inbox.outbox(), std::net::IpAddr::from([192, 0, 2, 1]).into());
        tell.send(Standing { is_cut_off: false, has_given_up: true }).unwrap();
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!((ends.is_cancelled(), sessions.games.count()), (has_lobby, 0));
        assert!(inbox.signals().stop);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let ended =
            tokio::time::timeout(Duration::from_secs(60), server.serve(listener, std::future::pending()));
        assert_eq!(matches!(ended.await, Ok(Err(RunError::OutsideWithLobby))), has_lobby);
    }
}

#[tokio::test(start_paused = true)]
async fn commands_are_turned_away_before_sessions_are_told_of_the_stop() {
    let server = Server::on(Arc::new(MemoryStore::default()));
    let Sessions { connections, tasks, .. } = &*server.sessions;
    let (inbox, notes) = (Inbox::default(), Arc::new(Notes { tasks: tasks.clone(), seen: Mutex::default() }));
    connections.open(&inbox.outbox(), std::net::IpAddr::from([192, 0, 2, 1]).into());
    inbox.register(&Waker::from(Arc::clone(&notes)));
    server.stop().await;
    assert!(inbox.signals().stop);
    assert_eq!(*notes.seen.lock().unwrap(), [true]);
}
