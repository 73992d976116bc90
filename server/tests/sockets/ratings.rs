//! Rated games: who may play them, and what they do to ratings.

use std::path::Path;

use serde_json::{Value, json};
use zeitnot_protocol::{Code, EpochId, GameId, Rated, RatingHistory, ServerMessage, Snapshot};
use zeitnot_server::games::RecoveredGames;
use zeitnot_server::ratings::Glicko;
use zeitnot_server::storage::{
    self, BotMade, Kind, Location, NewToken, Opened, PasswordHash, Registered, Registration, TokenDigest,
};
use zeitnot_server::time::ServiceClock;
use zeitnot_server::upkeep::verify_ratings;

use super::player::{Guest, Player};
use super::table::{accept, blitz, challenge, play, snapshot, with};
use super::test_server::TestServer;

/// Makes the accounts of these guests what they are to be, while no server serves from the folder.
async fn make(folder: &Path, kinds: &[(&Guest, Kind)]) {
    let (clock, mut recovered) = (ServiceClock::start().unwrap(), RecoveredGames::default());
    let location = Location::Folder(folder);
    let Opened { store, .. } =
        storage::open(location, &Glicko, &clock, EpochId::from_random(1), &mut recovered).unwrap();
    for (number, (guest, kind)) in kinds.iter().enumerate().filter(|(_, (_, kind))| *kind != Kind::Guest) {
        let name = format!("Player_{number}").parse().unwrap();
        let (digest, password) = (TokenDigest([number as u8; 32]), PasswordHash("none".to_owned()));
        let token = NewToken::shown(digest, 5);
        let account = guest.account;
        let registration =
            Registration { account, is_new: false, name, password, token, replaces: None, ended: None };
        let registered = store.register(registration).await.unwrap();
        assert!(matches!(registered, Registered::As(..)), "{registered:?}");
        if *kind == Kind::Bot {
            assert!(matches!(store.make_bot(account).await, Ok(BotMade::As(_))));
        }
    }
    store.close();
}

/// A server, and players of these kinds on it.
async fn server_with<const N: usize>(folder: &Path, kinds: [Kind; N]) -> (TestServer, [Guest; N]) {
    let server = TestServer::process(folder);
    let mut guests = Vec::new();
    for _ in kinds {
        guests.push(Player::guest(&server).await);
    }
    server.kill();
    make(folder, &guests.iter().zip(kinds).collect::<Vec<_>>()).await;
    let server = TestServer::process(folder);
    for guest in &mut guests {
        guest.player = guest.tab(&server).await;
    }
    (server, guests.try_into().ok().unwrap())
}

fn rated() -> Value {
    with(blitz(), json!({"rated": true}))
}

/// The next `rated`.
async fn told(player: &mut Player) -> Rated {
    player
        .until(|message| match message {
            ServerMessage::Rated(rated) => Some(rated.clone()),
            ServerMessage::Rejected(rejected) => panic!("{rejected:?}"),
            _ => None,
        })
        .await
}

async fn rejected(player: &mut Player, t: &str, d: Value) -> Code {
    player.say(t, d).await;
    player.rejection().await.0
}

async fn ratings(server: &TestServer, who: &Guest) -> Value {
    server.get(&format!("/api/players/{}", who.account)).await.json()["ratings"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rated_game_changes_both_ratings_once_and_everybody_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (server, [mut white, mut black]) = server_with(folder.path(), [Kind::Registered; 2]).await;
    let id = challenge(&mut white.player, rated()).await;
    let game: GameId = accept(&mut black.player, &id).await;
    let begun = snapshot(&mut white.player, game).await;
    assert!(begun.rated && begun.ratings.is_none());
    assert_eq!((begun.players.white.rating, begun.players.white.provisional), (Some(1_500), true));
    let mut watcher = Player::watcher(&server).await;
    watcher.say("watch", json!({"game": game})).await;
    snapshot(&mut watcher, game).await;
    play(&mut white.player, game, "e2e4").await;
    play(&mut black.player, game, "e7e5").await;
    black.player.say("resign", json!({"game": game})).await;

    let said = told(&mut white.player).await;
    assert_eq!(said.game, game);
    assert!(said.white.after > said.white.before && said.black.after < said.black.before, "{said:?}");
    for player in [&mut black.player, &mut watcher] {
        assert_eq!(told(player).await, said);
    }
    let path = format!("/api/games/{game}");
    let shown: Snapshot = serde_json::from_value(server.get(&path).await.json()).unwrap();
    assert_eq!(shown.ratings.map(|both| (both.white, both.black)), Some((said.white, said.black)));
    assert!(server.get(&format!("{path}/pgn")).await.body.contains("[Event \"Rated game\"]"));
    let expected =
        json!([{"category": "blitz", "rating": said.white.after, "provisional": true, "games": 1}]);
    assert_eq!(ratings(&server, &white).await, expected);
    server.kill();

    let server = TestServer::process(folder.path());
    assert_eq!(ratings(&server, &white).await, expected);
    let path = format!("/api/players/{}/ratings", black.account);
    let history: RatingHistory =
        serde_json::from_value(server.get(&format!("{path}/blitz")).await.json()).unwrap();
    let [change] = history.changes[..] else { panic!("{history:?}") };
    assert_eq!((change.game, change.opponent, change.half_points), (game, white.account, Some(0)));
    assert_eq!((change.before, change.after, history.next), (said.black.before, said.black.after, None));
    assert_eq!(server.get(&format!("{path}/chess")).await.status, 404);
    assert_eq!(server.get(&format!("{path}/blitz?before=x")).await.code(), "bad_cursor");
    let mut late = Player::watcher(&server).await;
    late.say("watch", json!({"game": game})).await;
    assert!(snapshot(&mut late, game).await.ratings.is_some());
    let verified = verify_ratings(folder.path(), &Glicko).unwrap();
    assert!(verified.is_in_order(), "{verified}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_may_not_play_rated_is_told_so_and_a_game_between_others_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let kinds = [Kind::Registered, Kind::Registered, Kind::Bot, Kind::Guest];
    let (server, [mut one, mut two, mut bot, mut guest]) = server_with(folder.path(), kinds).await;
    assert_eq!(rejected(&mut guest.player, "create_challenge", rated()).await, Code::NotRated);
    for to in [bot.account, guest.account] {
        let wanted = with(rated(), json!({"to": to}));
        assert_eq!(rejected(&mut one.player, "create_challenge", wanted).await, Code::NotRated);
    }
    let open = json!({"challenge": challenge(&mut one.player, rated()).await});
    for player in [&mut bot.player, &mut guest.player] {
        assert_eq!(rejected(player, "accept_challenge", open.clone()).await, Code::NotRated);
    }
    accept(&mut two.player, open["challenge"].as_str().unwrap()).await;
    let casual = challenge(&mut bot.player, blitz()).await;
    let game = accept(&mut guest.player, &casual).await;
    let shown = snapshot(&mut bot.player, game).await;
    assert!(!shown.rated && shown.players.white.bot && !shown.players.black.bot);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_for_other_ratings_is_not_for_you() {
    let folder = tempfile::tempdir().unwrap();
    let (server, [mut one, mut two]) = server_with(folder.path(), [Kind::Registered; 2]).await;
    let mut guest = Player::guest(&server).await;
    let strong = with(blitz(), json!({"seek": true, "rating_min": 1_800}));
    let strong = json!({"challenge": challenge(&mut one.player, strong).await});
    assert_eq!(rejected(&mut two.player, "accept_challenge", strong.clone()).await, Code::OtherRating);
    assert_eq!(rejected(&mut guest.player, "accept_challenge", strong).await, Code::OtherRating);
    let wide = with(rated(), json!({"seek": true, "rating_min": 1_400, "rating_max": 1_600}));
    let wide = challenge(&mut one.player, wide).await;
    let game = accept(&mut two.player, &wide).await;
    assert!(snapshot(&mut one.player, game).await.rated);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_pool_is_rated_for_two_registered_people_and_casual_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let (server, [mut one, mut two]) = server_with(folder.path(), [Kind::Registered; 2]).await;
    for player in [&mut one.player, &mut two.player] {
        player.say("join_pool", json!({"pool": "3+2"})).await;
    }
    let paired = async |player: &mut Player| {
        player
            .until(|message| match message {
                ServerMessage::Snapshot(snapshot) => Some(snapshot.clone()),
                _ => None,
            })
            .await
    };
    let shown = paired(&mut one.player).await;
    assert!(shown.rated && shown.players.black.rating == Some(1_500));
    let (mut guest, mut three) = (Player::guest(&server).await, Player::guest(&server).await);
    for player in [&mut guest.player, &mut three.player] {
        player.say("join_pool", json!({"pool": "5+0"})).await;
    }
    let shown = paired(&mut guest.player).await;
    assert!(!shown.rated && shown.players.black.rating.is_none());
    server.ended().await;
}
