//! Corrected results: what an admin may correct, and what a game counts as since then, wherever it is shown.

use serde_json::{Value, json};
use zeitnot_protocol::{
    GameId, PlayedGame, PlayedGames, PlayedOut, RatingCause, RatingHistory, ServerMessage, Snapshot,
    WholeGame, WireReason, WireScore,
};
use zeitnot_server::ratings::Glicko;
use zeitnot_server::upkeep::verify_ratings;

use super::accounts::register;
use super::admin::{done, not_done};
use super::evening::{arrive, rated};
use super::import::{GAMES, import};
use super::player::Player;
use super::roles::{act, admin_token};
use super::second_factor::outcome;
use super::table::{accept, blitz, challenge, events_to_the_end, play, snapshot, turn, with};
use super::test_server::TestServer;

/// A rated game that White wins after two plies.
async fn won(white: &mut Player, black: &mut Player) -> GameId {
    let open = challenge(white, with(blitz(), json!({"rated": true}))).await;
    let game = accept(black, &open).await;
    play(white, game, "e2e4").await;
    play(black, game, "e7e5").await;
    turn(white, game).await;
    black.say("resign", json!({"game": game})).await;
    game
}

/// The last game of a player, as a list has it.
async fn last_listed(server: &TestServer, who: &str) -> PlayedGame {
    let page = server.get(&format!("/api/players/{who}/games")).await.json();
    serde_json::from_value::<PlayedGames>(page).unwrap().games.remove(0)
}

async fn shown(server: &TestServer, game: GameId) -> Snapshot {
    serde_json::from_value(server.get(&format!("/api/games/{game}")).await.json()).unwrap()
}

/// The first game that a search finds.
async fn listed(server: &TestServer, query: &str) -> Option<Value> {
    server.get(&format!("/api/games?{query}")).await.json()["games"].get(0).cloned()
}

async fn history(server: &TestServer, name: &str) -> RatingHistory {
    serde_json::from_value(server.get(&format!("/api/players/{name}/ratings/blitz")).await.json()).unwrap()
}

/// What is shown of a corrected game, by everything that shows it.
async fn is_shown_as_corrected(server: &TestServer, game: GameId, played: WireScore, score: WireScore) {
    // Frames do not name the opening.
    let snapshot_shown = Snapshot { opening: None, ..shown(server, game).await };
    let ended = snapshot_shown.state.outcome.clone().unwrap();
    assert_eq!((ended.score, ended.reason, ended.proof), (score, WireReason::Arbiter, None));
    let PlayedOut { score: before, reason, corrected } = ended.played_out.unwrap();
    assert_eq!((before, reason), (played, WireReason::Resignation));

    let mut late = Player::watcher(server).await;
    late.say("watch", json!({"game": game})).await;
    assert_eq!(snapshot(&mut late, game).await, snapshot_shown);
    // Its events are as they were, and behind them stands what it counts as.
    let mut exact = Player::watcher(server).await;
    exact.say("watch", json!({"game": game, "after": 0, "id": "all"})).await;
    let events = events_to_the_end(&mut exact).await;
    let Some(ServerMessage::Ended(last)) = events.last() else { panic!("{events:?}") };
    assert_eq!((events.len(), last.outcome.score, last.outcome.played_out), (5, played, None));
    assert_eq!(exact.next().await, ServerMessage::Snapshot(snapshot_shown));
    assert!(matches!(exact.next().await, ServerMessage::Clock(clock) if clock.id.is_some()));

    let text = |score: WireScore| serde_json::to_value(score).unwrap().as_str().unwrap().to_owned();
    let pgn = server.get(&format!("/api/games/{game}/pgn")).await.body;
    for line in [
        format!("[Result \"{}\"]", text(score)),
        "[Termination \"adjudication\"]".to_owned(),
        format!("[PlayedOut \"{}, resignation\"]", text(played)),
        "[Corrected \"".to_owned(),
    ] {
        assert!(pgn.contains(&line), "{line} is not in\n{pgn}");
    }
    let expected = json!({"score": text(played), "reason": "resignation", "corrected": corrected});
    let query = format!("result={}&reason=arbiter&player=Rook", text(score));
    for row in [
        listed(server, &query).await.unwrap(),
        server.get("/api/players/Rook/games").await.json()["games"][0].clone(),
    ] {
        assert_eq!((&row["game"], &row["score"]), (&json!(game), &json!(text(score))));
        assert_eq!((&row["reason"], &row["played_out"]), (&json!("arbiter"), &expected));
    }
    assert_eq!(listed(server, &format!("result={}", text(played))).await, None);
    assert_eq!(listed(server, "reason=resignation").await, None);
    let exported = server.get("/api/games/export?format=ndjson").await.body;
    let line = exported.lines().find(|line| line.starts_with('{')).unwrap();
    let whole: WholeGame = serde_json::from_str(line).unwrap();
    assert_eq!((whole.game.game, whole.game.score), (game, score));
    assert_eq!(whole.game.played_out.map(|played_out| played_out.score), Some(played));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_corrected_game_counts_as_that_wherever_it_is_shown_and_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let server = TestServer::process(folder.path());
    let (mut rook, mut bishop) = (arrive(&server, "Rook").await, arrive(&server, "Bishop").await);
    let game = won(&mut rook, &mut bishop).await;
    let told = rated(&mut rook).await;
    assert_eq!(rated(&mut bishop).await, told);
    let id = game.to_string();

    // While the game's actor still answers late readers.
    let said = done(folder.path(), &["correct", &id, "0-1", "--reason", "Black's device had failed"]).await;
    let expected =
        format!("the game {id} counts as 0-1 from now on, and no more as 1-0; both ratings are changed\n");
    assert_eq!(said, expected);
    is_shown_as_corrected(&server, game, WireScore::WhiteWins, WireScore::BlackWins).await;
    let ratings = shown(&server, game).await.ratings.unwrap();
    assert_eq!((ratings.white.before, ratings.black.before), (1_500, 1_500));
    let as_if = (told.black.after, told.white.after);
    assert_eq!((ratings.white.after, ratings.black.after), as_if, "both began with the same");
    let listed = last_listed(&server, "Rook").await;
    assert_eq!(listed.ratings, Some(ratings), "a list has it, too");
    let opening = listed.opening.map(|opening| (opening.eco, opening.name, opening.ply));
    assert_eq!(opening, Some(("C20".to_owned(), "King's Pawn Game".to_owned(), 2)));
    for (name, after, half_points) in [("Rook", as_if.0, 0), ("Bishop", as_if.1, 2)] {
        let rating = server.get(&format!("/api/players/{name}")).await.json()["ratings"][0].clone();
        assert_eq!((&rating["rating"], &rating["games"]), (&json!(after), &json!(1)), "{name}");
        let [corrected, ended] = history(&server, name).await.changes[..] else { panic!("two") };
        assert_eq!((corrected.cause, ended.cause), (RatingCause::Correction, RatingCause::Game));
        assert_eq!(
            (corrected.game, corrected.half_points, corrected.after),
            (game, Some(half_points), after)
        );
        assert_eq!(corrected.before, ended.after);
    }
    let counts = server.get("/api/games/count?player=Rook").await.json();
    assert_eq!((&counts["white_wins"], &counts["black_wins"]), (&json!(0), &json!(1)));
    let again = not_done(folder.path(), &["correct", &id, "0-1"]).await;
    assert!(again.contains(&format!("the game {id} counts as 0-1 already")), "{again}");
    let verified = verify_ratings(folder.path(), &Glicko).unwrap();
    assert!(verified.is_in_order() && verified.to_string().contains("changed ratings: 1."), "{verified}");
    server.kill();

    let server = TestServer::process(folder.path());
    is_shown_as_corrected(&server, game, WireScore::WhiteWins, WireScore::BlackWins).await;
    let log = done(folder.path(), &["log", "--most", "2"]).await;
    let acts: Vec<_> = log.lines().map(|line| line.split("  ").nth(2).unwrap().to_owned()).collect();
    let act = json!({"act": "correct", "game": id, "result": "0-1"});
    assert_eq!(serde_json::from_str::<Value>(&acts[0]).unwrap(), act);
    assert_eq!(
        serde_json::from_str::<Value>(&acts[1]).unwrap(),
        with(act, json!({"reason": "Black's device had failed"}))
    );

    done(folder.path(), &["correct", &id, "*"]).await;
    let ratings = shown(&server, game).await.ratings.unwrap();
    assert_eq!((ratings.white.after, ratings.black.after), (1_500, 1_500));
    let rating = server.get("/api/players/Rook").await.json()["ratings"][0].clone();
    assert_eq!((&rating["rating"], &rating["games"]), (&json!(1_500), &json!(0)));
    assert_eq!(history(&server, "Rook").await.changes[0].half_points, None);
    done(folder.path(), &["correct", &id, "1-0"]).await;
    let back = shown(&server, game).await;
    assert_eq!(back.state.outcome.unwrap().played_out, None, "as it was played out");
    assert_eq!(back.ratings.map(|both| both.white.after), Some(told.white.after));
    let pgn = server.get(&format!("/api/games/{game}/pgn")).await.body;
    assert!(pgn.contains("[Reason \"resignation\"]") && !pgn.contains("Corrected"), "{pgn}");
    assert!(verify_ratings(folder.path(), &Glicko).unwrap().is_in_order());
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_corrected_is_rejected_with_its_code_beside_what_can() {
    let folder = tempfile::tempdir().unwrap();
    assert!(import(folder.path(), GAMES).status.success());
    let server = TestServer::process(folder.path());
    let castle = register(&server, "Castle").await;
    let admin = admin_token(&server, folder.path(), "Castle", &castle).await;
    let (mut rook, mut bishop) = (arrive(&server, "Rook").await, arrive(&server, "Bishop").await);
    let imported = server.get("/api/games?limit=1").await.json()["games"][0]["game"].clone();
    let open = challenge(&mut rook, blitz()).await;
    let live: GameId = accept(&mut bishop, &open).await;
    let game = won(&mut rook, &mut bishop).await;
    rated(&mut rook).await;
    let correct = |game: &Value, result: &str| json!({"act": "correct", "game": game, "result": result});
    let (game, live) = (json!(game), json!(live));
    for (wrong, status, code) in [
        (correct(&json!("AAAAAAAAAAAA"), "1-0"), 404, "unknown_game"),
        (correct(&json!("no game"), "1-0"), 404, "unknown_game"),
        (correct(&live, "1-0"), 409, "not_ended"),
        (correct(&imported, "1/2-1/2"), 409, "imported_game"),
        (correct(&game, "1-0"), 409, "same_result"),
        (correct(&game, "2-0"), 400, "bad_act"),
        (json!({"act": "correct", "game": game}), 400, "bad_act"),
        (with(correct(&game, "0-1"), json!({"why": "x"})), 400, "bad_act"),
    ] {
        let answer = act(&server, &admin, &wrong).await;
        assert_eq!(outcome(&answer), (status, code.to_owned()), "{wrong}");
    }
    assert!(not_done(folder.path(), &["correct", "AAAAAAAAAAAA", "1-0"]).await.contains("there is no game"));
    let corrected = act(&server, &admin, &correct(&game, "0-0")).await;
    assert!(corrected.json()["done"].as_str().unwrap().contains("both ratings are changed"), "{corrected:?}");
    assert_eq!(act(&server, &admin, &correct(&game, "1/2-0")).await.status, 200);

    // A casual game, and one with too few plies, change no rating.
    rook.say("move", json!({"game": live, "on": 1, "uci": "e2e4"})).await;
    turn(&mut bishop, live.as_str().unwrap().parse().unwrap()).await;
    bishop.say("resign", json!({"game": live})).await;
    events_to_the_end(&mut rook).await;
    let corrected = act(&server, &admin, &correct(&live, "*")).await;
    assert!(corrected.json()["done"].as_str().unwrap().contains("no rating is changed"), "{corrected:?}");
    let page: PlayedGames = serde_json::from_value(server.get("/api/games?result=*").await.json()).unwrap();
    assert_eq!(page.games.iter().map(|played| json!(played.game)).collect::<Vec<_>>(), [live]);
    server.ended().await;
}
