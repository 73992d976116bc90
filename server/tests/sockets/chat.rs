//! What people say to each other about a game.

use serde_json::{Value, json};
use zeitnot_protocol::{ChatRoom, Code, GameId, Said, ServerMessage};

use super::player::Player;
use super::table::{Table, ok, with};
use super::test_server::TestServer;

/// Posts a line, with an id of its text.
pub(crate) async fn say(player: &mut Player, game: GameId, room: &str, text: &str) {
    player.say("say", json!({"game": game, "room": room, "text": text, "id": id_of(text)})).await;
}

/// The id under which a text is said.
fn id_of(text: &str) -> String {
    text.trim().replace(' ', "-")
}

/// The next line.
pub(crate) async fn said(player: &mut Player) -> Said {
    player
        .until(|message| match message {
            ServerMessage::Said(said) => Some(said.clone()),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

/// What a command is rejected with.
async fn rejected(player: &mut Player, game: GameId, d: Value) -> Code {
    player.say("say", with(d, json!({"game": game, "id": "x"}))).await;
    let (code, id) = player.rejection().await;
    assert_eq!(id.as_deref(), Some("x"));
    code
}

/// The lines that came by now.
async fn lines(player: &mut Player) -> Vec<(ChatRoom, u32, String)> {
    let line = |message| match message {
        ServerMessage::Said(said) => Some((said.room, said.n, said.text)),
        _ => None,
    };
    player.pong().await.into_iter().filter_map(line).collect()
}

fn line(room: ChatRoom, n: u32, text: &str) -> (ChatRoom, u32, String) {
    (room, n, text.to_owned())
}

async fn watch(player: &mut Player, game: GameId) {
    player.say("watch", json!({"game": game})).await;
    player.until(|message| matches!(message, ServerMessage::Clock(_)).then_some(())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_chat_on_all_their_connections_and_nobody_else_hears() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let game = table.game;
    let (mut tab, mut third) = (table.black.tab(&server).await, Player::guest(&server).await);
    watch(&mut third.player, game).await;
    say(&mut table.white.player, game, "players", "  Good luck! ").await;
    // The line first, then its ok.
    let mut answers = Vec::new();
    while answers.len() < 2 {
        match table.white.player.next().await {
            ServerMessage::Said(said) => answers.push(said.text),
            ServerMessage::Ok(ok) => answers.push(format!("ok {}", ok.id.unwrap())),
            _ => {}
        }
    }
    assert_eq!(answers, ["Good luck!", "ok Good-luck!"]);
    for player in [&mut table.black.player, &mut tab] {
        let said = said(player).await;
        assert_eq!(
            (said.game, said.room, said.n, said.text.as_str()),
            (game, ChatRoom::Players, 1, "Good luck!")
        );
        assert_eq!(said.by.account, table.white.account);
        assert!(said.at > 1_700_000_000);
    }
    say(&mut third.player, game, "spectators", "hm").await;
    assert_eq!(said(&mut third.player).await.text, "hm", "and nothing before that");
    let mut late = table.white.tab(&server).await;
    assert_eq!(said(&mut late).await.n, 1, "who comes later gets what was said");
    say(&mut late, game, "players", "  Good luck! ").await;
    ok(&mut late).await;
    say(&mut late, game, "players", "Your move").await;
    assert_eq!(said(&mut tab).await.n, 2, "sent again it is not said again");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spectators_chat_among_themselves_until_the_game_is_over() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let game = table.game;
    let (mut third, mut nobody) = (Player::guest(&server).await, Player::watcher(&server).await);
    watch(&mut third.player, game).await;
    watch(&mut nobody, game).await;
    say(&mut third.player, game, "spectators", "Qh5").await;
    assert_eq!(said(&mut nobody).await.text, "Qh5", "who has no account hears");
    let d = json!({"room": "spectators", "text": "a"});
    assert_eq!(rejected(&mut nobody, game, d.clone()).await, Code::NoAccount);
    assert_eq!(rejected(&mut table.white.player, game, d).await, Code::NotYourRoom);
    ok(&mut third.player).await;
    say(&mut table.white.player, game, "players", "hi").await;
    let heard = said(&mut table.white.player).await;
    assert_eq!((heard.room, heard.text.as_str()), (ChatRoom::Players, "hi"));
    assert_eq!(lines(&mut table.white.player).await, [], "what it might hear came with that");
    table.white.player.say("abort", json!({"game": game})).await;
    assert_eq!(said(&mut table.black.player).await.text, "hi");
    let heard = said(&mut table.black.player).await;
    assert_eq!((heard.room, heard.n, heard.text.as_str()), (ChatRoom::Spectators, 1, "Qh5"));
    say(&mut table.black.player, game, "spectators", "gg").await;
    assert_eq!(said(&mut nobody).await.text, "gg");
    say(&mut table.white.player, game, "players", "thanks").await;
    assert_eq!(said(&mut table.black.player).await.text, "gg");
    assert_eq!(said(&mut table.black.player).await.text, "thanks");
    let mut late = Player::watcher(&server).await;
    watch(&mut late, game).await;
    assert_eq!(
        lines(&mut late).await,
        [line(ChatRoom::Spectators, 1, "Qh5"), line(ChatRoom::Spectators, 2, "gg")]
    );
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_player_gets_the_others_lines_also_when_nobody_wrote_before_the_end() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let mut tab = table.black.tab(&server).await;
    table.white.player.say("abort", json!({"game": table.game})).await;
    tab.until(|message| matches!(message, ServerMessage::Ended(_)).then_some(())).await;
    let mut later = table.black.tab(&server).await;
    say(&mut table.white.player, table.game, "players", "sorry").await;
    for player in [&mut table.black.player, &mut tab, &mut later] {
        assert_eq!(said(player).await.text, "sorry");
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_said() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let (game, mut third) = (table.game, Player::guest(&server).await);
    let unknown = "000000000000".parse().unwrap();
    let to = |room: &str, text: &str| json!({"room": room, "text": text});
    for text in ["", "  ", "a\nb", "a\u{202e}b", "\u{200b}", &"x".repeat(201)] {
        assert_eq!(
            rejected(&mut table.white.player, game, to("players", text)).await,
            Code::BadText,
            "{text:?}"
        );
    }
    let third = &mut third.player;
    assert_eq!(rejected(third, game, to("players", "a")).await, Code::NotYourRoom);
    assert_eq!(rejected(third, game, to("spectators", "a")).await, Code::NotYourRoom, "it does not watch");
    assert_eq!(rejected(third, unknown, to("spectators", "a")).await, Code::NotYourRoom);
    assert_eq!(rejected(third, game, to("kitchen", "a")).await, Code::BadField);
    watch(third, game).await;
    say(third, game, "spectators", "here").await;
    ok(third).await;
    third.say("unwatch", json!({"game": game})).await;
    assert_eq!(rejected(third, game, to("spectators", "a")).await, Code::NotYourRoom, "it left");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_lines_at_once_and_then_no_more_than_the_rate() {
    let server = TestServer::open().await;
    let mut table = Table::set(&server).await;
    let white = &mut table.white.player;
    let text = |n: usize| format!("{n} {}", "\u{1f600}".repeat(190));
    // So many that some are too fast, however slow the machine is.
    for n in 0..40 {
        white
            .say("say", json!({"game": table.game, "room": "players", "text": text(n), "id": n.to_string()}))
            .await;
    }
    let (mut taken, mut answers) = (Vec::new(), 0);
    while answers < 40 {
        answers += 1;
        match white.until(answer_to_say).await {
            Ok(number) => taken.push(text(number)),
            Err(code) => assert_eq!(code, Code::ChatTooFast),
        }
    }
    assert_eq!(taken[..5], (0..5).map(text).collect::<Vec<_>>());
    assert!(taken.len() < 40, "{} were taken", taken.len());
    for text in taken {
        assert_eq!(said(&mut table.black.player).await.text, text);
    }
    server.ended().await;
}

/// The number of a line that was taken, or why it was not.
fn answer_to_say(message: &ServerMessage) -> Option<Result<usize, Code>> {
    match message {
        ServerMessage::Ok(ok) => Some(Ok(ok.id.unwrap().as_str().parse().unwrap())),
        ServerMessage::Rejected(rejected) => Some(Err(rejected.code)),
        _ => None,
    }
}
