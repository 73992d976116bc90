//! Bots against the whole server, over real loopback sockets. No test sleeps: each waits for what the server
//! says, under a guard that only fires when something is broken.
#![expect(clippy::unwrap_used, reason = "all of this is test code")]

use std::future::Future;
use std::path::Path;
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use zeitnot_bot::account::{Bot, Terms, run as play};
use zeitnot_bot::search::Level;
use zeitnot_bot::uci::EngineConfig;
use zeitnot_bot::{Brain, Pool};
use zeitnot_client::protocol::{
    ChallengeGone, Code, CreateChallenge, DeclineReason, GameId, GameOptions, Period, TimeControl, WireColor,
    WireProfile, WireReason, WireScore, WireVariant,
};
use zeitnot_client::{Client, Error, Event, Game, GameEvent, Identity};
use zeitnot_server::{Config, RunError, listener, run};

/// Nothing that a test waits for takes this long, on however slow a machine.
const GUARD: Duration = Duration::from_secs(120);

async fn guarded<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(GUARD, future).await {
        Ok(value) => value,
        Err(_) => panic!("waited for {what} in vain"),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test's own tasks are not the server's")]
fn spawn<F>(task: F) -> JoinHandle<F::Output>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    tokio::spawn(task)
}

/// A server in this process. It stops when the test drops it.
struct TestServer {
    url: String,
    stop: oneshot::Sender<()>,
    running: JoinHandle<Result<(), RunError>>,
}

impl TestServer {
    fn open() -> Self {
        Self::with(Config::for_tests())
    }

    fn with(config: Config) -> Self {
        let listener = listener::bind(config.listen).unwrap().listen().unwrap();
        let url = format!("ws://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let running = spawn(run(config, listener, async move { drop(stopped.await) }));
        Self { url, stop, running }
    }

    /// Stops it, and waits until its data folder is free.
    async fn stop(self) {
        drop(self.stop);
        guarded("the stop", self.running).await.unwrap().unwrap();
    }

    async fn client(&self, identity: Identity) -> Client {
        guarded("welcome", Client::connect(&self.url, identity)).await.unwrap()
    }

    async fn guest(&self) -> Client {
        self.client(Identity::Guest).await
    }

    /// The end of a game, seen by a spectator.
    async fn end(&self, id: GameId) -> Game {
        let watcher = self.client(Identity::Spectator).await;
        let mut game = guarded("the game", watcher.game(id)).await.unwrap();
        while guarded("an event", game.next()).await.unwrap().is_some() {}
        game
    }
}

/// A bot that plays. It stops when the test drops it.
struct Playing {
    client: Client,
    task: JoinHandle<Result<(), Error>>,
}

impl Drop for Playing {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn playing(client: Client, bot: Bot) -> Playing {
    let player = client.clone();
    Playing { client, task: spawn(async move { play(&player, &bot).await }) }
}

fn level(number: u8) -> Bot {
    let pool = Pool::start(1, || ()).unwrap();
    let brain =
        Brain::Level { level: Level::new(number).unwrap(), pool, overhead: Duration::from_millis(50) };
    Bot { unclocked: Duration::from_millis(20), ..Bot::new(brain) }
}

fn clock(seconds: u32) -> TimeControl {
    let period = Period { base_ms: seconds * 1_000, ..Period::default() };
    TimeControl::Clock { periods: vec![period], black_periods: None }
}

fn to(bot: &Playing, time_control: TimeControl) -> CreateChallenge {
    CreateChallenge { to: bot.client.account(), ..CreateChallenge::with(time_control) }
}

/// Makes a challenge, and waits until it has become a game or is gone.
async fn challenge(client: &Client, wanted: CreateChallenge) -> ChallengeGone {
    let mut events = client.events().await.unwrap();
    let id = guarded("the challenge", client.create_challenge(wanted)).await.unwrap();
    guarded("the answer", async {
        loop {
            match events.next().await.unwrap() {
                Event::ChallengeGone(gone) if gone.challenge == id => return gone,
                _ => {}
            }
        }
    })
    .await
}

/// Why a challenge was declined.
async fn declined(client: &Client, wanted: CreateChallenge) -> Option<DeclineReason> {
    challenge(client, wanted).await.declined
}

/// The game that came of a challenge.
async fn begun(client: &Client, wanted: CreateChallenge) -> GameId {
    challenge(client, wanted).await.game.expect("it was accepted")
}

#[tokio::test]
async fn two_bots_play_a_game_to_its_end_and_nobody_loses_on_time() {
    let server = TestServer::open();
    let weak = playing(server.guest().await, level(1));
    let strong = playing(server.guest().await, level(6));
    let id = begun(&strong.client, to(&weak, clock(60))).await;
    let end = server.end(id).await;
    let reason = end.state().outcome.as_ref().unwrap().reason;
    assert_ne!(reason, WireReason::FlagFall);
    assert_ne!(reason, WireReason::Resignation);
    assert!(end.state().ply_count > 6);
}

#[tokio::test]
async fn two_bots_play_chess960_without_clocks() {
    let server = TestServer::open();
    let first = playing(server.guest().await, level(2));
    let second = playing(server.guest().await, level(5));
    let wanted = CreateChallenge { variant: WireVariant::Chess960, ..to(&first, TimeControl::Unlimited) };
    let id = begun(&second.client, wanted).await;
    let end = server.end(id).await;
    assert!(end.state().outcome.is_some() && end.state().variant == WireVariant::Chess960);
}

#[tokio::test]
async fn challenges_that_do_not_fit_are_declined_with_the_reason() {
    let server = TestServer::open();
    let terms = Terms { chess960: false, slow: false, games: 1, ..Terms::default() };
    let bot = playing(server.guest().await, Bot { terms, ..level(1) });
    let human = server.guest().await;
    let chess960 = CreateChallenge { variant: WireVariant::Chess960, ..to(&bot, clock(60)) };
    assert_eq!(declined(&human, chess960).await, Some(DeclineReason::OtherVariant));
    assert_eq!(declined(&human, to(&bot, clock(3))).await, Some(DeclineReason::TooFast));
    let unlimited = declined(&human, to(&bot, TimeControl::Unlimited)).await;
    assert_eq!(unlimited, Some(DeclineReason::OtherTimeControl));
    // One game is as many as it plays.
    let id = human.create_challenge(to(&bot, clock(600))).await.unwrap();
    guarded("the game", human.game_of(id)).await.unwrap();
    assert_eq!(declined(&human, to(&bot, clock(60))).await, Some(DeclineReason::Later));
}

#[tokio::test]
async fn a_bot_that_was_started_again_goes_on_with_its_games() {
    let server = TestServer::open();
    let bot = playing(server.guest().await, level(3));
    let token = bot.client.token().unwrap();
    let human = server.guest().await;
    let wanted = CreateChallenge { color: Some(WireColor::White), ..to(&bot, clock(600)) };
    let id = human.create_challenge(wanted).await.unwrap();
    let mut game = guarded("the game", human.game_of(id)).await.unwrap();
    answered(&mut game, "e2e4").await;
    bot.client.close().await;
    drop(bot);
    // Played while the bot is away: the one that is started next finds its turn.
    guarded("the turn", turn(&mut game)).await;
    game.play("d2d4".parse().unwrap()).await.unwrap();
    let _again = playing(server.client(Identity::Token(token)).await, level(3));
    guarded("the answer", turn(&mut game)).await;
    assert_eq!(game.state().ply_count, 4);
}

async fn turn(game: &mut Game) {
    loop {
        if let GameEvent::Turn(_) = game.next().await.unwrap().expect("the game goes on") {
            return;
        }
    }
}

/// Plays a move and waits until the bot has played one too. Then it is one's turn, which is not read yet.
async fn answered(game: &mut Game, uci: &str) {
    guarded("the turn", turn(game)).await;
    game.play(uci.parse().unwrap()).await.unwrap();
    let plies = game.state().ply_count + 2;
    while game.state().ply_count < plies {
        guarded("the answer", game.next()).await.unwrap().expect("the game goes on");
    }
}

/// A game of a guest with White against a bot, by friendly rules, perhaps from a position.
async fn against(server: &TestServer, bot: &Playing, fen: Option<&str>) -> Game {
    let human = server.guest().await;
    let options = GameOptions { profile: WireProfile::Casual, ..GameOptions::default() };
    let wanted = CreateChallenge {
        color: Some(WireColor::White),
        options,
        fen: fen.map(str::to_owned),
        ..to(bot, clock(600))
    };
    let id = human.create_challenge(wanted).await.unwrap();
    guarded("the game", human.game_of(id)).await.unwrap()
}

#[tokio::test]
async fn a_bot_that_pauses_takes_its_time() {
    let server = TestServer::open();
    let bot = Bot { pause: Duration::from_millis(300), ..level(1) };
    let bot = playing(server.guest().await, bot);
    let mut game = against(&server, &bot, None).await;
    answered(&mut game, "e2e4").await;
    answered(&mut game, "d2d4").await;
    let took = game.state().plies.last().unwrap().took.unwrap();
    assert!(took >= 290, "{took} ms");
}

#[tokio::test]
async fn a_draw_is_accepted_by_a_bot_that_is_behind() {
    let server = TestServer::open();
    let bot = playing(server.guest().await, level(5));
    let mut game = against(&server, &bot, Some("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")).await;
    answered(&mut game, "e2e4").await;
    game.offer_draw().await.unwrap();
    while guarded("the end", game.next()).await.unwrap().is_some() {}
    assert_eq!(game.state().outcome.as_ref().unwrap().reason, WireReason::Agreement);
}

#[tokio::test]
async fn a_draw_is_declined_by_a_bot_that_wins_and_a_takeback_is_accepted() {
    let server = TestServer::open();
    let bot = playing(server.guest().await, level(5));
    let mut game = against(&server, &bot, Some("rnbqkbnr/pppppppp/8/8/8/8/8/4K3 w kq - 0 1")).await;
    answered(&mut game, "e1d1").await;
    game.offer_draw().await.unwrap();
    guarded("the answer", async {
        while !matches!(game.next().await.unwrap(), Some(GameEvent::DrawDeclined(_))) {}
    })
    .await;
    game.offer_takeback().await.unwrap();
    guarded("the takeback", async {
        while !matches!(game.next().await.unwrap(), Some(GameEvent::TakenBack(_))) {}
    })
    .await;
    assert_eq!(game.state().ply_count, 0);
    answered(&mut game, "e1f1").await;
    assert_eq!(game.state().outcome, None);
}

#[tokio::test]
async fn a_lost_bot_resigns_if_it_is_told_to() {
    let server = TestServer::open();
    let bot = playing(server.guest().await, Bot { resign_below: Some(-500), ..level(5) });
    let mut game = against(&server, &bot, Some("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")).await;
    for mv in ["e2e4", "d2d4", "g1f3"] {
        answered(&mut game, mv).await;
    }
    guarded("the turn", turn(&mut game)).await;
    game.play("b1c3".parse().unwrap()).await.unwrap();
    while guarded("the end", game.next()).await.unwrap().is_some() {}
    let outcome = game.state().outcome.clone().unwrap();
    assert_eq!((outcome.score, outcome.reason), (WireScore::WhiteWins, WireReason::Resignation));
}

#[tokio::test]
async fn a_bot_whose_engine_always_dies_leaves_nobody_waiting() {
    let server = TestServer::open();
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/fake.sh");
    let log = folder.path().join("log");
    let arguments = vec![script.display().to_string(), "dies".to_owned(), log.display().to_string()];
    let config = EngineConfig { arguments, ..EngineConfig::new("/bin/sh") };
    let bot = playing(server.guest().await, Bot::new(Brain::Engine(config)));
    let mut game = against(&server, &bot, None).await;
    guarded("the turn", turn(&mut game)).await;
    game.play("e2e4".parse().unwrap()).await.unwrap();
    while guarded("the end", game.next()).await.unwrap().is_some() {}
    let reason = game.state().outcome.as_ref().unwrap().reason;
    assert!(matches!(reason, WireReason::Aborted | WireReason::Resignation), "{reason:?}");
}

/// Challenges an account by its name, as soon as there is one.
async fn by_name(human: &Client, name: &str) -> Game {
    let id = guarded(name, async {
        loop {
            let to_name = Some(name.to_owned());
            let color = Some(WireColor::White);
            let wanted = CreateChallenge { to_name, color, ..CreateChallenge::with(clock(600)) };
            match human.create_challenge(wanted).await {
                Ok(id) => return id,
                Err(error) => assert_eq!(error.code(), Some(Code::UnknownAccount), "{error}"),
            }
            // The server makes its accounts beside its start.
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    })
    .await;
    guarded("the game", human.game_of(id)).await.unwrap()
}

#[tokio::test]
async fn a_server_has_an_opponent_at_every_level_which_plays_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config { no_computer: false, data: folder.path().join("data"), ..Config::for_tests() };
    let server = TestServer::with(config.clone());
    let human = server.guest().await;
    let mut last = None;
    // The last one first: then all accounts are there, and no try is in vain.
    for level in (1..=8).rev() {
        let mut game = by_name(&human, &format!("Computer-{level}")).await;
        assert!(game.state().players.black.bot);
        answered(&mut game, "e2e4").await;
        last = Some(game);
    }
    let (id, token) = (last.as_ref().unwrap().id(), human.token().unwrap());
    drop(last);
    human.close().await;
    server.stop().await;
    let server = TestServer::with(config);
    let human = server.client(Identity::Token(token)).await;
    let mut game = guarded("the game", human.game(id)).await.unwrap();
    answered(&mut game, "d2d4").await;
    assert_eq!(game.state().ply_count, 4);
}

#[tokio::test]
async fn stockfish_plays_two_games_at_once_over_the_server() {
    let path = Path::new("/usr/games/stockfish");
    if !path.exists() {
        return;
    }
    let server = TestServer::open();
    let config = EngineConfig {
        options: vec!["Threads=1".parse().unwrap(), "Hash=4".parse().unwrap()],
        ..EngineConfig::new(path)
    };
    let bot = playing(server.guest().await, Bot::new(Brain::Engine(config)));
    let opponents = [playing(server.guest().await, level(1)), playing(server.guest().await, level(2))];
    let mut games = Vec::new();
    for opponent in &opponents {
        games.push(begun(&opponent.client, to(&bot, clock(20))).await);
    }
    for id in games {
        let end = server.end(id).await;
        let reason = end.state().outcome.as_ref().unwrap().reason;
        assert!(!matches!(reason, WireReason::FlagFall | WireReason::Resignation), "{reason:?}");
    }
}
