//! Challenges that are declined, sent again, or offer another game.

use serde_json::{Value, json};
use zeitnot_protocol::{Code, DeclineReason, GameId, ServerMessage, WireColor, WireVariant};

use super::player::{Guest, Player};
use super::table::{self, Table, accept, begun, blitz, challenge, gone, news, snapshot, with};
use super::test_server::TestServer;

async fn rejection(player: &mut Player, t: &str, d: Value) -> Code {
    player.say(t, with(d, json!({"id": "x"}))).await;
    let (code, id) = player.rejection().await;
    assert_eq!(id.as_deref(), Some("x"));
    code
}

/// A game that White has resigned.
async fn finished(server: &TestServer, wanted: Value) -> Table {
    let mut table = Table::of(server, wanted).await;
    table.white.player.say("resign", json!({"game": table.game})).await;
    table::events_to_the_end(&mut table.white.player).await;
    table::events_to_the_end(&mut table.black.player).await;
    table
}

async fn offer(player: &mut Player, game: GameId, id: &str) {
    player.say("offer_rematch", json!({"game": game, "id": id})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_addressee_declines_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (mut owner, mut to, mut third) =
        (Player::guest(&server).await, Player::guest(&server).await, Player::guest(&server).await);
    let mut tab = to.tab(&server).await;
    let id = challenge(&mut owner.player, with(blitz(), json!({"to": to.account}))).await;
    let open = challenge(&mut owner.player, blitz()).await;
    let one = json!({"challenge": id});
    assert_eq!(rejection(&mut owner.player, "decline_challenge", one.clone()).await, Code::NotForYou);
    assert_eq!(rejection(&mut third.player, "decline_challenge", one.clone()).await, Code::NotForYou);
    let for_anybody = json!({"challenge": open});
    assert_eq!(rejection(&mut to.player, "decline_challenge", for_anybody).await, Code::NotForYou);
    to.player.say("decline_challenge", with(one.clone(), json!({"reason": "too_fast"}))).await;
    for player in [&mut owner.player, &mut to.player, &mut tab] {
        let gone = gone(player).await;
        assert_eq!((gone.challenge.as_str(), gone.game), (&*id, None));
        assert_eq!(gone.declined, Some(DeclineReason::TooFast));
    }
    table::ok(&mut to.player).await;
    assert_eq!(rejection(&mut to.player, "decline_challenge", one.clone()).await, Code::ChallengeDeclined);
    server.kill();

    let server = TestServer::process(folder.path());
    let mut back = to.tab(&server).await;
    assert_eq!(rejection(&mut back, "accept_challenge", one).await, Code::UnknownChallenge);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_challenge_sent_again_is_the_same_one_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (mut owner, mut other) = (Player::guest(&server).await, Player::guest(&server).await);
    let wanted = with(blitz(), json!({"id": "c1"}));
    let first = challenge(&mut owner.player, wanted.clone()).await;
    assert_eq!(challenge(&mut owner.player, wanted.clone()).await, first);
    let mut tab = owner.tab(&server).await;
    // What is open comes with `welcome`, and is no answer.
    assert_eq!(news(&mut tab).await.id, None);
    tab.say("create_challenge", wanted.clone()).await;
    let again = news(&mut tab).await;
    assert_eq!((again.challenge.as_str(), again.id.unwrap().as_str()), (&*first, "c1"));
    assert_ne!(challenge(&mut other.player, wanted.clone()).await, first, "ids are an account's own");
    assert_ne!(challenge(&mut owner.player, blitz()).await, first);
    server.kill();

    let server = TestServer::process(folder.path());
    let mut owner_again = owner.tab(&server).await;
    for _ in 0..2 {
        news(&mut owner_again).await;
    }
    owner_again.say("create_challenge", wanted.clone()).await;
    assert_eq!(news(&mut owner_again).await.challenge.as_str(), first);

    // Its game has begun: that is the answer, until it is over.
    let mut other_again = other.tab(&server).await;
    let game = accept(&mut other_again, &first).await;
    owner_again.say("create_challenge", wanted.clone()).await;
    assert_eq!(begun(&mut owner_again).await, game);
    other_again.say("abort", json!({"game": game})).await;
    table::events_to_the_end(&mut owner_again).await;
    assert_ne!(challenge(&mut owner_again, wanted).await, first);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rematch_swaps_colours_and_keeps_the_rest() {
    let server = TestServer::open().await;
    let wanted = json!({
        "time_control": {"kind": "days", "days": 3}, "color": "white",
        "fen": "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 3 7",
        "options": {"profile": "casual", "ilc": "off", "no_draw_offer_before_move": 0},
    });
    let Table { game, mut white, mut black } = finished(&server, wanted).await;
    offer(&mut white.player, game, "r1").await;
    let offered = news(&mut white.player).await;
    assert_eq!(offered.id.unwrap().as_str(), "r1");
    assert_eq!((offered.rematch_of, offered.to), (Some(game), Some(black.account)));
    assert_eq!(offered.color, Some(WireColor::Black));
    assert_eq!(news(&mut black.player).await.challenge, offered.challenge);
    offer(&mut white.player, game, "r2").await;
    assert_eq!(news(&mut white.player).await.challenge, offered.challenge, "one offer a game");

    offer(&mut black.player, game, "r3").await;
    let again = begun(&mut black.player).await;
    let seen = snapshot(&mut white.player, again).await;
    assert_eq!((seen.players.white.account, seen.players.black.account), (black.account, white.account));
    assert_eq!(seen.start_fen, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 b - - 3 7");
    assert_eq!(json!(seen.time_control), json!({"kind": "days", "days": 3}));
    assert_eq!(json!(seen.options.profile), json!("casual"));
    // Either may send it again.
    for (player, id) in [(&mut white.player, "r1"), (&mut black.player, "r3")] {
        offer(player, game, id).await;
        assert_eq!(begun(player).await, again);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_drawn_by_lot_is_drawn_anew_and_what_was_given_stays() {
    let server = TestServer::open().await;
    let chess960 = with(blitz(), json!({"variant": "chess960"}));
    let Table { game, mut white, .. } = finished(&server, chess960.clone()).await;
    offer(&mut white.player, game, "r1").await;
    let offered = news(&mut white.player).await;
    assert_eq!((offered.variant, offered.fen), (WireVariant::Chess960, None));

    let given = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    let Table { game, mut black, .. } = finished(&server, with(chess960, json!({"fen": given}))).await;
    offer(&mut black.player, game, "r1").await;
    assert_eq!(news(&mut black.player).await.fen.as_deref(), Some(given));

    let Table { game, mut black, .. } = finished(&server, blitz()).await;
    offer(&mut black.player, game, "r1").await;
    let offered = news(&mut black.player).await;
    assert_eq!((offered.variant, offered.fen), (WireVariant::Standard, None));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_cannot_be_played_again() {
    let server = TestServer::open().await;
    let Table { game, mut white, .. } = Table::set(&server).await;
    let mut third = Player::guest(&server).await;
    let one = json!({"game": game});
    assert_eq!(rejection(&mut white.player, "offer_rematch", one.clone()).await, Code::NotOver);
    assert_eq!(rejection(&mut third.player, "offer_rematch", one.clone()).await, Code::NotYourGame);
    let unknown = json!({"game": "000000000000"});
    assert_eq!(rejection(&mut white.player, "offer_rematch", unknown).await, Code::UnknownGame);
    let mut watcher = Player::watcher(&server).await;
    assert_eq!(rejection(&mut watcher, "offer_rematch", one).await, Code::NoAccount);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_offer_at_once_and_one_game_begins() {
    let server = TestServer::open().await;
    for _ in 0..20 {
        let Table { game, mut white, mut black } = finished(&server, blitz()).await;
        tokio::join!(offer(&mut white.player, game, "w"), offer(&mut black.player, game, "b"));
        let seen = async |guest: &mut Guest| gone(&mut guest.player).await.game;
        let (one, two) = tokio::join!(seen(&mut white), seen(&mut black));
        assert!(one.is_some() && one == two);
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rematch_of_an_archived_game_outlives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let Table { game, white, black } = finished(&server, blitz()).await;
    server.kill();

    let server = TestServer::process(folder.path());
    let mut one = white.tab(&server).await;
    offer(&mut one, game, "r1").await;
    let offered = news(&mut one).await;
    server.kill();

    let server = TestServer::process(folder.path());
    let (mut one, mut two) = (white.tab(&server).await, black.tab(&server).await);
    let kept = news(&mut one).await;
    assert_eq!((kept.challenge, kept.rematch_of), (offered.challenge, Some(game)));
    offer(&mut one, game, "r1").await;
    assert_eq!(news(&mut one).await.challenge, offered.challenge);
    offer(&mut two, game, "r2").await;
    assert_eq!(begun(&mut two).await, GameId::from(offered.challenge));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_has_a_connection_is_here_from_the_first_word_on() {
    let server = TestServer::open().await;
    for _ in 0..20 {
        let (mut white, mut black) = (Player::guest(&server).await, Player::guest(&server).await);
        let open = challenge(&mut white.player, blitz()).await;
        accept(&mut black.player, &open).await;
        for player in [&mut white.player, &mut black.player] {
            let heard = player.pong().await;
            let away = |message: &&ServerMessage| matches!(message, ServerMessage::Presence(p) if !p.here);
            assert_eq!(heard.iter().find(away), None);
        }
    }
    server.ended().await;
}
