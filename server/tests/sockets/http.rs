//! The HTTP paths beside `/ws`.

use serde_json::json;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;
use zeitnot_protocol::{ServerMessage, Snapshot};
use zeitnot_rules::notation::pgn;
use zeitnot_server::Config;

use super::player::Player;
use super::table::{Table, events_to_the_end, ok};
use super::test_server::{TestServer, guarded};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_home_and_no_metrics() {
    let server = TestServer::open().await;
    let health = server.get("/healthz").await;
    assert_eq!((health.status, health.body.as_str()), (200, "ready\n"));
    let home = server.get("/").await;
    assert_eq!(home.status, 200);
    assert!(home.body.contains("<title>Zeitnot</title>") && home.head.contains("text/html"), "{home:?}");
    assert_eq!(server.get("/metrics").await.status, 404, "they have a port of their own");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_api_describes_itself_to_whoever_asks() {
    let server = TestServer::open().await;
    let answer = server.get("/api/openapi.json").await;
    assert_eq!(answer.status, 200);
    for header in ["content-type: application/json", "access-control-allow-origin: *"] {
        assert!(answer.head.contains(header), "{header}: {}", answer.head);
    }
    let document = answer.json();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."), "{}", document["openapi"]);
    assert!(document["paths"]["/api/openapi.json"]["get"].is_object());
    assert!(document["components"]["schemas"]["Snapshot"].is_object());
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_and_its_assets() {
    let server = TestServer::open().await;
    let page = server.get("/").await;
    for header in [
        "cache-control: no-cache",
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'",
        "x-content-type-options: nosniff",
        "x-frame-options: deny",
        "referrer-policy: same-origin",
        "vary: accept-encoding",
    ] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    assert!(!page.head.contains("unsafe"), "{}", page.head);

    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = server.ask_with("GET", "/", &[("If-None-Match", tag)]).await;
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert!(again.head.contains(tag) && again.head.contains("cache-control: no-cache"), "{}", again.head);

    let script =
        page.body.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js")).unwrap();
    let script = server.ask_with("HEAD", script, &[("Accept-Encoding", "gzip, br")]).await;
    assert_eq!(script.status, 200);
    for header in ["content-encoding: br", "text/javascript", "max-age=31536000, immutable"] {
        assert!(script.head.contains(header), "{header}: {}", script.head);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_link_leads_to_the_page_and_nothing_else_does() {
    let server = TestServer::open().await;
    let page = server.get("/").await;
    let game = server.get("/4fzVq0aB9kLm").await;
    assert_eq!((game.status, &game.body), (200, &page.body), "whether there is such a game, the page asks");
    assert!(game.head.contains("content-security-policy"));
    let player = server.get("/@/Rook_And_Roll").await;
    assert_eq!((player.status, &player.body), (200, &page.body), "and whether there is such a player");
    let own = server.get("/me").await;
    assert_eq!((own.status, &own.body), (200, &page.body), "and who is signed in");
    let games = server.get("/games?player=Dekker,M").await;
    assert_eq!((games.status, &games.body), (200, &page.body), "and which games there are");
    for (method, path) in [
        ("GET", "/@/"),
        ("GET", "/@/a"),
        ("GET", "/@/Rook/Roll"),
        ("POST", "/@/Rook_And_Roll"),
        ("GET", "/me/"),
        ("POST", "/me"),
        ("GET", "/games/"),
        ("GET", "/4fzVq0aB9kL"),
        ("GET", "/4fzVq0aB9kLmn"),
        ("GET", "/4fzVq0aB9k.m"),
        ("GET", "/4fzVq0aB9kLm/"),
        ("POST", "/4fzVq0aB9kLm"),
        ("GET", "/index.html"),
        ("GET", "/assets/none.js"),
        ("GET", "/assets/..%2findex.html"),
        ("GET", "/assets/"),
    ] {
        let answer = server.ask(method, path).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"), "{method} {path}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_there_is_said_in_json() {
    let server = TestServer::open().await;
    for (method, path, status, code) in [
        ("GET", "/nothing", 404, "not_found"),
        ("GET", "/api/games/", 404, "not_found"),
        ("GET", "/api/games/000000000000", 404, "unknown_game"),
        ("GET", "/api/games/not-an-id/pgn", 404, "unknown_game"),
        ("POST", "/healthz", 405, "method_not_allowed"),
        ("DELETE", "/ws", 405, "method_not_allowed"),
        ("GET", "/ws", 400, "bad_upgrade"),
    ] {
        let answer = server.ask(method, path).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{method} {path}");
        assert!(!answer.json()["message"].as_str().unwrap().is_empty());
        assert!(answer.head.contains("application/json"), "{answer:?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_as_json_and_pgn_live_and_ended() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5"]).await;
    ok(&mut table.black.player).await;
    let path = format!("/api/games/{}", table.game);
    let live: Snapshot = serde_json::from_value(server.get(&path).await.json()).unwrap();
    let mut watcher = Player::watcher(&server).await;
    watcher.say("watch", json!({"game": table.game})).await;
    let ServerMessage::Snapshot(seen) = watcher.next().await else { panic!("no snapshot") };
    assert!(live.opening.is_some() && seen.opening.is_none(), "only over HTTP");
    assert_eq!(Snapshot { opening: None, ..live }, seen);

    let text = server.get(&format!("{path}/pgn")).await;
    assert!(text.head.contains("application/x-chess-pgn"), "{text:?}");
    assert!(text.body.contains("[Termination \"unterminated\"]"), "{text:?}");

    table.play(&["g2g4", "d8h4"]).await;
    events_to_the_end(&mut table.white.player).await;
    let ended: Snapshot = serde_json::from_value(server.get(&path).await.json()).unwrap();
    assert_eq!((ended.seq, ended.ply_count), (6, 4));
    let text = server.get(&format!("{path}/pgn")).await.body;
    let game = pgn::games(&text).next().unwrap().unwrap();
    assert_eq!(game.moves.len(), 4);
    assert_eq!(game.tag("Result"), Some("0-1"));
    assert_eq!(game.tag("Reason"), Some("checkmate"));
    assert_eq!(game.tag("TimeControl"), Some("180+2"));
    assert!(game.tag("White").unwrap().starts_with("Guest-"));
    assert!(text.contains("[%clk 0:03:0"), "{text}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_one_address_are_limited() {
    let server = TestServer::with(Config { connections_per_address: 2, ..Config::for_tests() }).await;
    let (first, _second) = (Player::watcher(&server).await, Player::watcher(&server).await);
    let answer = server.get("/").await;
    assert_eq!((answer.status, answer.code().as_str()), (429, "too_many_connections"));
    assert!(answer.head.contains("retry-after"), "{answer:?}");
    let health = server.get("/healthz").await;
    assert_eq!(
        (health.status, health.body.as_str()),
        (200, "ready\n"),
        "a check of this machine is answered"
    );
    first.leave().await;
    let served = async { while server.get("/").await.status != 200 {} };
    guarded("a free place", served).await;
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_gets_a_page_for_an_unknown_path() {
    let server = TestServer::open().await;
    let navigates = [("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")];
    for path in ["/nothing", "/4fzVq0aB9k.m", "/assets/none.js/x", "/.well-known/other"] {
        let answer = server.ask_with("GET", path, &navigates).await;
        assert_eq!(answer.status, 404, "{path}");
        for header in ["text/html", "content-security-policy", "x-content-type-options: nosniff"] {
            assert!(answer.head.contains(header), "{header}: {answer:?}");
        }
        assert!(answer.body.contains("href=\"/\"") && !answer.body.contains("style="), "{answer:?}");
    }
    let german =
        server.ask_with("GET", "/nothing", &[navigates[0], ("Accept-Language", "de-AT, en;q=0.5")]).await;
    assert!(german.body.contains("lang=\"de\"") && german.body.contains("Hier ist nichts"), "{german:?}");
    assert!(german.head.contains("vary: accept, accept-language"), "{german:?}");
    let style = server.get("/pages.css").await;
    assert!(german.body.contains("href=\"/pages.css\"") && style.head.contains("text/css"), "{style:?}");
    for accept in ["*/*", "application/json"] {
        let answer = server.ask_with("GET", "/nothing", &[("Accept", accept)]).await;
        assert_eq!((answer.status, answer.code().as_str()), (404, "not_found"), "{accept}");
    }
    let answer = server.ask_with("GET", "/api/games/000000000000", &navigates).await;
    assert_eq!(answer.code(), "unknown_game", "what programs ask for is answered to programs");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_every_site_is_asked_for() {
    let server = TestServer::open().await;
    let robots = server.get("/robots.txt").await;
    assert!(robots.status == 200 && robots.body.contains("Disallow: /api/"), "{robots:?}");
    let (head, icon) = server.bytes("/favicon.ico").await;
    assert!(head.contains("200 ok") && head.contains("image/png") && icon.starts_with(b"\x89PNG"), "{head}");
    assert_eq!(server.get("/.well-known/security.txt").await.status, 404, "nobody has said whom to tell");
    server.ended().await;

    let contact = "mailto:security@example.org".to_owned();
    let config = Config { security_contact: Some(contact), ..Config::for_tests() };
    let server = TestServer::with(config).await;
    let answer = server.get("/.well-known/security.txt").await;
    assert!(answer.head.contains("text/plain"), "{answer:?}");
    assert!(answer.body.starts_with("Contact: mailto:security@example.org\nExpires: 20"), "{answer:?}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_names_one_host() {
    let server = TestServer::open().await;
    for (version, hosts, status) in [
        ("1.1", "Host: test\r\n", 200),
        ("1.1", "Host: [::1]:8080\r\n", 200),
        ("1.0", "", 200),
        ("1.1", "", 400),
        ("1.1", "Host:\r\n", 400),
        ("1.1", "Host: two words\r\n", 400),
        ("1.1", "Host: test\r\nHost: test\r\n", 400),
        ("1.0", "Host: one\r\nHost: two\r\n", 400),
    ] {
        let answer = server.raw(&format!("GET / HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n")).await;
        assert_eq!(answer.status, status, "{version} {hosts:?}");
        assert!(status == 200 || answer.code() == "bad_host", "{answer:?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_is_guessed_at_and_what_is_public_may_be_read_by_other_sites() {
    let server = TestServer::open().await;
    for (path, status, public) in [
        ("/", 200, false),
        ("/nothing", 404, false),
        ("/healthz", 200, false),
        ("/api/me", 401, false),
        ("/ws", 400, false),
        ("/api/games/000000000000", 404, true),
        ("/api/games/000000000000/pgn", 404, true),
        ("/api/players/nobody", 404, true),
        ("/api/players/nobody/games", 404, true),
        ("/api/challenges/000000000000", 404, true),
    ] {
        let answer = server.ask_with("GET", path, &[("Origin", "https://elsewhere.example")]).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.head.contains("x-content-type-options: nosniff"), "{path}: {answer:?}");
        assert_eq!(answer.head.contains("access-control-allow-origin: *"), public, "{path}: {answer:?}");
        assert!(!answer.head.contains("allow-credentials"), "{path}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_head_that_is_too_long_is_rejected() {
    let server = TestServer::open().await;
    let long =
        server.raw(&format!("GET / HTTP/1.1\r\nHost: test\r\nX: {}\r\n\r\n", "x".repeat(20_000))).await;
    assert_eq!(long.status, 431);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_asks_nothing_does_not_hold_up_the_stop() {
    let server = TestServer::open().await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    server.get("/healthz").await;
    server.ended().await;
    assert_eq!(guarded("the end", idle.read(&mut [0; 1])).await.unwrap_or(0), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_that_ended_lately_can_be_replayed_by_whoever_comes() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let moves = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 \
                 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8";
    let moves: Vec<_> = moves.split_whitespace().collect();
    table.play(&moves).await;
    events_to_the_end(&mut table.white.player).await;
    let answer = server.get("/api/games/featured").await;
    assert!(answer.head.contains("access-control-allow-origin: *"), "{}", answer.head);
    let game = &answer.json()["game"];
    assert_eq!(game["game"], json!(table.game));
    assert_eq!(game["plies"].as_array().map(Vec::len), Some(33));
    assert_eq!(game["opening"]["name"], "Philidor Defense");
    assert_eq!(server.get("/api/games/featured").await.body, answer.body);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_archive_without_games_has_none_to_replay() {
    let server = TestServer::open().await;
    assert_eq!(server.get("/api/games/featured").await.json(), json!({"game": null}));
    server.ended().await;
}
