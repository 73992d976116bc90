//! Engines that behave well, and engines that do not: a scripted one, and Stockfish where it is
//! installed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use zeitnot_bot::Line;
use zeitnot_bot::matches::Budget;
use zeitnot_bot::search::Level;
use zeitnot_bot::uci::{Engine, EngineConfig, EngineError, MOST_FAILURES};
use zeitnot_rules::board::{ByColor, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::fen;

const STOCKFISH: &str = "/usr/games/stockfish";

/// The scripted engine, and what it is sent.
struct Fake {
    folder: TempDir,
    config: EngineConfig,
}

impl Fake {
    fn new(mode: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/fake.sh");
        let at = |name: &str| folder.path().join(name).display().to_string();
        let arguments = vec![script.display().to_string(), mode.to_owned(), at("log"), at("died")];
        let config = EngineConfig { arguments, ..EngineConfig::new("/bin/sh") };
        Self { folder, config }
    }

    /// With an engine that will not answer nobody has to wait long.
    fn impatient(mut self) -> Self {
        self.config.longest_thought = Duration::from_millis(50);
        self
    }

    async fn start(&self) -> Engine {
        let mut engine = Engine::start(self.config.clone()).await.expect("it starts");
        engine.begin(Variant::Standard).await.expect("it is ready");
        engine
    }

    fn log(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.folder.path().join("log")).expect("a log");
        text.lines().map(str::to_owned).collect()
    }

    /// Comes back when the engine has read this line.
    async fn has_read(&self, line: &str) {
        while self.count(line) == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }

    fn count(&self, line: &str) -> usize {
        self.log().iter().filter(|logged| *logged == line).count()
    }
}

fn start() -> Line {
    Line::new(Position::standard(), Variant::Standard)
}

/// The last failure of an engine that was given up.
fn last(error: EngineError) -> EngineError {
    match error {
        EngineError::GivenUp { failures, last } => {
            assert_eq!(failures, MOST_FAILURES + 1);
            *last
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_good_engine_is_set_up_and_asked() {
    let mut fake = Fake::new("good");
    fake.config.options = vec!["skill level=3".parse().expect("an option")];
    let mut engine = fake.start().await;
    let left = ByColor { white: Duration::from_secs(60), black: Duration::from_secs(50) };
    let budget = Budget::Clocks { left, increment: Duration::from_secs(1) };
    let mv = engine.choose(&start(), budget).await.expect("a move").mv;
    assert_eq!((mv.from.to_string(), mv.to.to_string()), ("e2".to_owned(), "e4".to_owned()));
    engine.quit().await;
    let wanted = [
        "uci",
        "setoption name Ponder value false",
        "setoption name Move Overhead value 100",
        "setoption name skill level value 3",
        "isready",
        "setoption name UCI_Chess960 value false",
        "ucinewgame",
        "isready",
        "position startpos",
        "go wtime 60000 btime 50000 winc 1000 binc 1000",
        "quit",
    ];
    assert_eq!(fake.log(), wanted);
}

#[tokio::test]
async fn a_level_is_set_by_what_the_engine_offers_and_the_configuration_comes_last() {
    let mut fake = Fake::new("good");
    fake.config.level = Level::new(1).ok();
    fake.config.options = vec!["Skill Level=7".parse().expect("an option")];
    fake.start().await.quit().await;
    let set = fake.log().into_iter().filter(|line| line.contains("Skill Level")).collect::<Vec<_>>();
    assert_eq!(set, ["setoption name Skill Level value 0", "setoption name Skill Level value 7"]);
}

#[tokio::test]
async fn an_engine_that_died_is_started_again_and_plays_on() {
    let fake = Fake::new("dies-once");
    let mut engine = fake.start().await;
    let mv = engine.choose(&start(), Budget::Nodes(1)).await.expect("a move of the second process").mv;
    assert!(start().position().is_legal(mv));
    engine.quit().await;
    assert_eq!((fake.count("uci"), fake.count("ucinewgame")), (2, 2));
}

#[tokio::test]
async fn an_engine_that_always_dies_is_given_up() {
    let fake = Fake::new("dies");
    let error = fake.start().await.choose(&start(), Budget::Nodes(1)).await.expect_err("no move");
    assert!(matches!(last(error), EngineError::Died));
    assert_eq!(fake.count("uci"), MOST_FAILURES as usize + 1);
}

#[tokio::test]
async fn a_new_game_gives_an_engine_a_new_chance() {
    let fake = Fake::new("dies");
    let mut engine = fake.start().await;
    for _ in 0..2 {
        let error = engine.choose(&start(), Budget::Nodes(1)).await.expect_err("no move");
        assert!(matches!(last(error), EngineError::Died));
        engine.begin(Variant::Standard).await.expect("it is ready");
    }
}

#[tokio::test]
async fn an_engine_that_hangs_is_told_to_stop_then_killed() {
    let fake = Fake::new("hangs");
    let mut engine = fake.start().await;
    let left = ByColor::both(Duration::from_millis(100));
    let budget = Budget::Clocks { left, increment: Duration::ZERO };
    let error = engine.choose(&start(), budget).await.expect_err("no move");
    assert!(matches!(last(error), EngineError::Silent { command: "go", .. }));
    assert_eq!(fake.count("stop"), MOST_FAILURES as usize + 1);
}

#[tokio::test]
async fn an_engine_that_thinks_too_long_is_told_to_stop_and_its_move_counts() {
    let fake = Fake::new("until-stop").impatient();
    let mut engine = fake.start().await;
    let mv = engine.choose(&start(), Budget::Nodes(u64::MAX)).await.expect("a move").mv;
    assert!(start().position().is_legal(mv));
    assert_eq!((fake.count("uci"), fake.count("stop")), (1, 1));
}

#[tokio::test]
async fn a_search_that_nobody_waits_for_is_stopped_before_the_next_one() {
    let fake = Fake::new("until-stop");
    let mut engine = fake.start().await;
    let line = start();
    tokio::select! {
        _ = engine.choose(&line, Budget::Nodes(7)) => panic!("it answers only when it is told to stop"),
        () = fake.has_read("go nodes 7") => {}
    }
    engine.begin(Variant::Standard).await.expect("it is ready");
    assert_eq!((fake.count("uci"), fake.count("stop"), fake.count("ucinewgame")), (1, 1, 2));
}

#[tokio::test]
async fn illegal_moves_and_garbage_are_never_played() {
    for (mode, answer) in [("illegal", "e2e5"), ("garbage", "(none)")] {
        let error = Fake::new(mode).start().await.choose(&start(), Budget::Nodes(1)).await.expect_err("none");
        assert!(matches!(last(error), EngineError::Illegal(text) if text == answer));
    }
}

#[tokio::test]
async fn a_line_without_end_is_not_read_to_its_end() {
    let error = Fake::new("long").start().await.choose(&start(), Budget::Nodes(1)).await.expect_err("none");
    assert!(matches!(last(error), EngineError::LongLine { .. }));
}

#[tokio::test]
async fn what_cannot_work_is_said_at_the_start() {
    let missing = Engine::start(EngineConfig::new("/nowhere/engine")).await.expect_err("no program");
    assert!(matches!(missing, EngineError::Start { .. }), "{missing}");
    let mut fake = Fake::new("good");
    fake.config.options = vec!["Contempt=3".parse().expect("an option")];
    let unknown = Engine::start(fake.config.clone()).await.expect_err("no such option");
    assert!(matches!(unknown, EngineError::UnknownOption(name) if name == "Contempt"));
    let mut mute = Fake::new("mute");
    mute.config.answer_within = Duration::from_millis(50);
    let silent = Engine::start(mute.config.clone()).await.expect_err("no answer");
    assert!(matches!(silent, EngineError::Silent { command: "uci", .. }), "{silent}");
}

/// Stockfish, unless it is not installed here.
fn stockfish() -> Option<EngineConfig> {
    let path = PathBuf::from(STOCKFISH);
    path.exists().then(|| EngineConfig::new(path))
}

#[tokio::test]
async fn stockfish_mates_and_castles_in_chess960() {
    let Some(config) = stockfish() else { return };
    let mut engine = Engine::start(config).await.expect("it starts");
    engine.begin(Variant::Standard).await.expect("it is ready");
    let ladder = fen::parse("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1").expect("a position");
    let mut line = Line::new(ladder, Variant::Standard);
    for _ in 0..3 {
        let mv = engine.choose(&line, Budget::Nodes(20_000)).await.expect("a move").mv;
        line.play(mv).expect("legal");
    }
    assert!(line.position().in_check() && !line.position().has_legal_move());

    engine.begin(Variant::Chess960).await.expect("it is ready");
    let mut line = Line::new(Position::chess960(0), Variant::Chess960);
    for _ in 0..40 {
        let mv = engine.choose(&line, Budget::Nodes(500)).await.expect("a move").mv;
        line.play(mv).expect("legal");
    }
    engine.quit().await;
}
