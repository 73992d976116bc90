//! The strictest client: every line and every answer is read into a type that has no optional field where a client needs
//! one, and takes no unknown type of a line.
#![expect(dead_code, reason = "the fields need only be there, and of their type")]

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::client::Program;
use super::{CASUAL, RATED};
use crate::test_server::TestServer;

#[derive(Debug, Deserialize)]
struct Variant {
    key: String,
    name: String,
    short: String,
}

#[derive(Debug, Deserialize)]
struct Status {
    id: u8,
    name: String,
}

#[derive(Debug, Deserialize)]
struct Opponent {
    id: String,
    username: String,
    rating: u16,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct GameInfo {
    full_id: String,
    game_id: String,
    id: String,
    fen: String,
    color: String,
    last_move: String,
    source: String,
    status: Status,
    variant: Variant,
    speed: String,
    perf: String,
    rated: bool,
    has_moved: bool,
    opponent: Opponent,
    is_my_turn: bool,
    seconds_left: Option<u32>,
    rating: u16,
    winner: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Player {
    id: String,
    name: String,
    title: Option<String>,
    rating: u16,
    provisional: bool,
}

#[derive(Debug, Deserialize)]
struct Challenger {
    id: String,
    name: String,
    rating: u16,
    provisional: bool,
}

#[derive(Debug, Deserialize)]
struct Clock {
    initial: u32,
    increment: u32,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum TimeControl {
    Clock {
        limit: u32,
        increment: u32,
        show: String,
    },
    Correspondence {
        #[serde(rename = "daysPerTurn")]
        days_per_turn: u32,
    },
    Unlimited,
}

#[derive(Debug, Deserialize)]
struct Perf {
    icon: String,
    name: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Challenge {
    id: String,
    url: String,
    status: String,
    challenger: Challenger,
    dest_user: Challenger,
    variant: Variant,
    rated: bool,
    speed: String,
    time_control: TimeControl,
    color: String,
    final_color: String,
    perf: Perf,
    decline_reason: Option<String>,
    decline_reason_key: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
enum Event {
    GameStart { game: GameInfo },
    GameFinish { game: GameInfo },
    Challenge { challenge: Challenge },
    ChallengeCanceled { challenge: Challenge },
    ChallengeDeclined { challenge: Challenge },
}

#[derive(Debug, Deserialize)]
struct State {
    moves: String,
    wtime: u32,
    btime: u32,
    winc: u32,
    binc: u32,
    status: String,
    winner: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
#[expect(clippy::large_enum_variant, reason = "one is read at a time")]
enum GameLine {
    #[serde(rename_all = "camelCase")]
    GameFull {
        id: String,
        variant: Variant,
        clock: Option<Clock>,
        speed: String,
        perf: Named,
        rated: bool,
        created_at: u64,
        white: Player,
        black: Player,
        initial_fen: String,
        state: State,
    },
    GameState(State),
    ChatLine {
        room: String,
        username: String,
        text: String,
    },
    #[serde(rename_all = "camelCase")]
    OpponentGone {
        gone: bool,
        claim_win_in_seconds: Option<u32>,
    },
}

#[derive(Debug, Deserialize)]
struct UserPerf {
    games: u32,
    rating: u16,
    rd: u32,
    prog: i32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Perfs {
    ultra_bullet: UserPerf,
    bullet: UserPerf,
    blitz: UserPerf,
    rapid: UserPerf,
    classical: UserPerf,
    correspondence: UserPerf,
    chess960: UserPerf,
}

#[derive(Debug, Deserialize)]
struct Count {
    all: u32,
    rated: u32,
    draw: u32,
    loss: u32,
    win: u32,
    bookmark: u32,
    playing: u32,
    import: u32,
    me: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct User {
    id: String,
    username: String,
    perfs: Perfs,
    created_at: u64,
    seen_at: u64,
    play_time: Value,
    url: String,
    count: Count,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Playing {
    now_playing: Vec<GameInfo>,
    nb_my_turn: u32,
}

/// Reads what came as a strict client does.
#[track_caller]
fn read<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{error}: {value}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_line_and_every_answer_has_what_the_strictest_client_demands() {
    let server = TestServer::open().await;
    let (one, other) = (Program::bot(&server, "ABot").await, Program::bot(&server, "ZBot").await);
    let user: User = read(&one.get(&server, "/api/account").await.json());
    assert_eq!((user.username.as_str(), user.id.as_str(), user.count.all), ("ABot", "abot", 0));
    assert_eq!((user.perfs.blitz.rating, user.perfs.ultra_bullet.games), (1_500, 1));
    let mut events = one.events(&server).await;
    let mut challenged = other.events(&server).await;
    for terms in [
        CASUAL,
        RATED,
        "days=3&rated=false",
        "rated=false",
        "variant=chess960&clock.limit=0&clock.increment=2",
    ] {
        let made = one.post(&server, "/api/challenge/zbot", terms).await.json();
        let challenge: Challenge = read(&made);
        let Event::Challenge { challenge: told } = read(&events.next().await.unwrap()) else {
            panic!("{made}")
        };
        assert_eq!(told.id, challenge.id);
        challenged.until("challenge").await;
        let listed = other.get(&server, "/api/challenge").await.json();
        let [incoming] = &listed["in"].as_array().unwrap()[..] else { panic!("{listed}") };
        read::<Challenge>(incoming);
        let shown = other.get(&server, &format!("/api/challenge/{}/show", challenge.id)).await.json();
        assert_eq!(&shown, incoming);
        other.post(&server, &format!("/api/challenge/{}/accept", challenge.id), "").await.ok();
        let Event::GameStart { game } = read(&events.next().await.unwrap()) else { panic!("{made}") };
        assert_eq!((&game.id, &game.color), (&challenge.id, &challenge.final_color));
        let playing: Playing = read(&one.get(&server, "/api/account/playing").await.json());
        assert_eq!(playing.now_playing.len(), 1);
        let mut stream = one.game(&server, &game.id).await;
        let GameLine::GameFull { variant, initial_fen, clock, .. } = read(&stream.next().await.unwrap())
        else {
            panic!("{made}")
        };
        assert_eq!(initial_fen == "startpos", variant.key == "standard");
        assert_eq!(clock.is_some(), terms.contains("limit"));
        one.post(&server, &format!("/api/bot/game/{}/chat", game.id), "room=player&text=hello").await.ok();
        assert!(matches!(read(&stream.until("chatLine").await), GameLine::ChatLine { .. }));
        let chat = one.get(&server, &format!("/api/bot/game/{}/chat", game.id)).await.json();
        assert_eq!(chat, serde_json::json!([{"user": "ABot", "text": "hello"}]));
        other.play(&server, &game.id, "abort").await.ok();
        let GameLine::GameState(last) = read(&stream.last().await.0) else { panic!("{made}") };
        assert_eq!((last.status.as_str(), last.winner), ("aborted", None));
        let Event::GameFinish { game } = read(&events.next().await.unwrap()) else { panic!("{made}") };
        assert_eq!((game.status.name.as_str(), game.status.id), ("aborted", 25));
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_opponent_who_is_gone_is_told_with_the_time_until_a_claim() {
    let server = TestServer::open().await;
    let (one, other) = (Program::bot(&server, "ABot").await, Program::board(&server, "Knight").await);
    let terms = format!("{CASUAL}&color=white");
    // A person who plays on the page, and leaves it.
    let mut page = crate::player::Player::hello(&server, serde_json::json!({"token": other.token})).await.0;
    let made = one.post(&server, "/api/challenge/knight", &terms).await.json();
    let id = made["id"].as_str().unwrap();
    crate::table::accept(&mut page, id).await;
    let mut stream = one.game(&server, id).await;
    stream.until("gameFull").await;
    drop(page);
    let GameLine::OpponentGone { gone: true, claim_win_in_seconds: Some(1..) } =
        read(&stream.until("opponentGone").await)
    else {
        panic!("not gone")
    };
    let early = one.play(&server, id, "claim-victory").await.rejected();
    assert_eq!(early.0, 400);
    // Who opens the stream now is told at once, and that the opponent is back.
    let mut newer = one.game(&server, id).await;
    newer.until("opponentGone").await;
    let _back = crate::player::Player::hello(&server, serde_json::json!({"token": other.token})).await;
    assert!(matches!(read(&newer.until("opponentGone").await), GameLine::OpponentGone { gone: false, .. }));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seek_finds_a_seek_of_the_page_and_ends_with_its_stream() {
    let server = TestServer::open().await;
    let (one, other) = (Program::board(&server, "Castle").await, Program::board(&server, "Knight").await);
    let mut events = one.events(&server).await;
    let seek = "time=7&increment=3&rated=false";
    let mut first = super::client::Lines::post(&server, "/api/board/seek", &one.token, seek).await;
    first.first_chunk().await;
    let mut second = super::client::Lines::post(&server, "/api/board/seek", &other.token, seek).await;
    let Event::GameStart { game } = read(&events.next().await.unwrap()) else { panic!("no game") };
    assert_eq!((game.source.as_str(), game.opponent.username.as_str()), ("lobby", "Knight"));
    for stream in [&mut first, &mut second] {
        assert_eq!(stream.last().await.1, super::client::Ending::Clean);
    }
    one.play(&server, &game.id, "abort").await.ok();
    // Three at once, and no more.
    let mut open = Vec::new();
    for minutes in 20..24 {
        let seek = format!("time={minutes}&increment=0");
        open.push(super::client::Lines::post(&server, "/api/board/seek", &one.token, &seek).await);
    }
    assert_eq!(open.pop().unwrap().last().await.1, super::client::Ending::BrokenOff);
    server.ended().await;
}
