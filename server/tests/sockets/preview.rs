//! What links say of themselves where others show them, pictures, and games in the pages of others.

use serde_json::json;
use zeitnot_server::Config;

use super::player::Player;
use super::table::{Table, blitz, challenge, events_to_the_end, ok, send_move, turn, with};
use super::test_server::TestServer;

/// The content of a tag of OpenGraph.
fn tag(page: &str, name: &str) -> String {
    let start = format!("<meta property=\"{name}\" content=\"");
    let (_, rest) = page.split_once(&start).unwrap_or_else(|| panic!("no {name} in {page}"));
    rest.split('"').next().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_says_what_it_leads_to() {
    let server = TestServer::open().await;
    let mut owner = Player::guest(&server).await;
    owner.player.say("set_name", json!({"name": "Rook"})).await;
    ok(&mut owner.player).await;
    let id = challenge(&mut owner.player, with(blitz(), json!({"variant": "chess960"}))).await;
    let page = server.get(&format!("/{id}")).await;
    assert_eq!(tag(&page.body, "og:title"), "Play chess with Rook: 3+2");
    assert_eq!(
        tag(&page.body, "og:description"),
        "Casual Chess960, 3+2. You have Black. Open the link and accept."
    );
    assert_eq!(tag(&page.body, "og:url"), format!("http://test/{id}"));
    assert_eq!(tag(&page.body, "og:image"), format!("http://test/picture/{id}.png"));
    let german = server.ask_with("GET", &format!("/{id}"), &[("Accept-Language", "de")]).await;
    assert_eq!(tag(&german.body, "og:title"), "Spiel Schach mit Rook: 3+2");
    assert!(german.head.contains("vary: accept-encoding, accept-language"), "{}", german.head);
    let player = server.get("/@/rook").await;
    assert_eq!(tag(&player.body, "og:title"), "Rook");
    assert_eq!(tag(&player.body, "og:image"), "http://test/picture/start.png");

    for header in ["cache-control: no-cache", "frame-ancestors 'none'", "x-frame-options: deny"] {
        assert!(page.head.contains(header), "{header}: {}", page.head);
    }
    let etag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    let again = server.ask_with("GET", &format!("/{id}"), &[("If-None-Match", etag)]).await;
    assert_eq!((again.status, &*again.body), (304, ""));
    for (path, code) in [("/picture/start.svg", "not_found"), ("/picture/000000000000.png", "unknown_game")] {
        let answer = server.get(path).await;
        assert_eq!((answer.status, &*answer.code()), (404, code), "{path}");
    }
    for path in ["/4fzVq0aB9kLm", "/@/Nobody"] {
        let unknown = server.get(path).await;
        assert!(unknown.status == 200 && !unknown.body.contains("og:title"), "{path}: {unknown:?}");
        assert!(unknown.body.contains("<title>Zeitnot</title>"), "{path}: {unknown:?}");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_to_a_game_says_how_it_stands_and_how_it_ended() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let path = format!("/{}", table.game);
    table.play(&["f2f3", "e7e5", "g2g4"]).await;
    let turn = turn(&mut table.black.player, table.game).await;
    let live = server.get(&path).await.body;
    assert!(tag(&live, "og:title").starts_with("Guest-"), "{live}");
    assert!(tag(&live, "og:description").contains("In progress, move 2"), "{live}");
    assert!(tag(&live, "og:image").ends_with(".png?ply=3"), "{live}");
    let picture = format!("/picture/{}.png", table.game);
    let (head, before) = server.bytes(&picture).await;
    for header in ["image/png", "max-age=30", "access-control-allow-origin: *"] {
        assert!(head.contains(header), "{header}: {head}");
    }
    send_move(&mut table.black.player, table.game, turn.on, "d8h4").await;
    events_to_the_end(&mut table.white.player).await;
    // The picture waits for the archive as long as it takes, and the page does not; after it both know the game.
    let (head, after) = server.bytes(&picture).await;
    assert!(head.contains("max-age=86400") && after.starts_with(b"\x89PNG") && after != before, "{head}");
    let ended = server.get(&path).await.body;
    assert!(tag(&ended, "og:title").ends_with(", 0-1"), "{ended}");
    assert_eq!(tag(&ended, "og:description"), "Black won by checkmate, 2 moves. Casual chess, 3+2.");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_is_paid_for_and_the_page_comes_without_a_head_to_whoever_cannot_pay() {
    // What is missing for a second picture comes back within a minute.
    let server = TestServer::with(Config { http_cost_per_minute: 21, ..Config::for_tests() }).await;
    let mut table = Table::set(&server).await;
    table.play(&["f2f3", "e7e5", "g2g4", "d8h4"]).await;
    events_to_the_end(&mut table.white.player).await;
    let (head, _) = server.bytes("/picture/start.png").await;
    assert!(head.contains("200 ok"), "{head}");
    let limited = server.get("/picture/start.png").await;
    assert_eq!((limited.status, &*limited.code()), (429, "too_many_requests"));
    let page = server.get(&format!("/{}", table.game)).await;
    assert_eq!(page.status, 200);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_may_show_a_game_in_a_frame_and_nothing_else() {
    let server = TestServer::open().await;
    let frame = server.get("/embed/4fzVq0aB9kLm").await;
    assert!(frame.status == 200 && frame.body.contains("id=\"game\""), "{frame:?}");
    assert!(
        frame.head.contains("frame-ancestors *") && !frame.head.contains("x-frame-options"),
        "{}",
        frame.head
    );
    assert!(frame.head.contains("default-src 'none'; script-src 'self'"), "{}", frame.head);
    for path in ["/embed/x", "/embed/", "/embed/4fzVq0aB9kLm/white"] {
        assert_eq!(server.get(path).await.status, 404, "{path}");
    }
    server.ended().await;
}
