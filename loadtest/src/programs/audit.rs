//! After the run: every game as each reader shows it, compared with what its two players were told.
//!
//! The readers are the journal (`watch` from the first event), the search of the archive, its exports as NDJSON and PGN,
//! and the export of the Lichess API.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, ensure};
use hyper::Method;
use serde_json::Value;
use zeitnot_protocol::{
    ByColor, GameId, Hello, PlayedGame, PlayedGames, Uci, WholeGame, WireColor, WireReason, WireScore,
};
use zeitnot_rules::board::{Move, Position};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::pgn::{self, PgnResult};
use zeitnot_rules::notation::uci;

use super::http::Program;
use super::world::{Api, Told, World};
use crate::client::Client;
use crate::crash::audit;

/// Games that the Lichess API exports by their ids in one answer.
const AT_ONCE: usize = 300;

const NDJSON: &str = "application/x-ndjson";

/// A finished game, as far as a reader shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Record {
    names: ByColor<String>,
    score: WireScore,
    moves: Moves,
}

/// The moves of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Moves {
    All(Vec<Uci>),
    /// A list says only how many.
    Count(usize),
}

impl Record {
    fn agrees(&self, other: &Self) -> bool {
        let moves = match (&self.moves, &other.moves) {
            (Moves::All(moves), Moves::Count(count)) => moves.len() == *count,
            (one, other) => one == other,
        };
        moves && self.names == other.names && self.score == other.score
    }
}

type Records = BTreeMap<GameId, Record>;

/// How many games there were, by what their players speak.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Games {
    pub(super) http: u64,
    pub(super) mixed: u64,
    pub(super) socket: u64,
}

/// Compares all games. What differs is told to the world.
pub(super) async fn audit(world: &World<'_>) -> Result<Games> {
    let (told, games) = told(world);
    read_journal(world, told.keys().copied()).await?;
    let mut reader = Program::new(world.endpoint, None);
    let ids: Vec<GameId> = told.keys().copied().collect();
    let readers = [
        ("the search", search(&mut reader).await?),
        ("NDJSON", ndjson(&mut reader).await?),
        ("PGN", pgn_export(&mut reader).await?),
        ("the Lichess API", lichess(&mut reader, &ids).await?),
    ];
    for (name, records) in &readers {
        for game in told.keys().chain(records.keys()).collect::<BTreeSet<_>>() {
            match (told.get(game), records.get(game)) {
                (Some(told), Some(shown)) if told.agrees(shown) => {}
                (told, shown) => {
                    world.complain(format!("game {game}: players {told:?}, {name} {shown:?}"));
                }
            }
        }
    }
    Ok(games)
}

/// What the players were told. Both must have been told the same.
fn told(world: &World<'_>) -> (Records, Games) {
    let (mut records, mut games) = (Records::new(), Games::default());
    for (game, tellings) in &*world.told.borrow() {
        let of = |color| tellings.iter().find(|told| told.color == color);
        let (Some(white), Some(black), 2) = (of(WireColor::White), of(WireColor::Black), tellings.len())
        else {
            world.complain(format!("game {game} was not told to both: {tellings:?}"));
            continue;
        };
        if (&white.moves, white.score) != (&black.moves, black.score) {
            world.complain(format!("game {game}: white {white:?}, black {black:?}"));
        }
        match (white.api, black.api) {
            (Api::Lichess, Api::Lichess) => games.http += 1,
            (Api::Own, Api::Own) => games.socket += 1,
            _ => games.mixed += 1,
        }
        records.insert(*game, record(white, black));
    }
    (records, games)
}

fn record(white: &Told, black: &Told) -> Record {
    let names = ByColor { white: white.name.clone(), black: black.name.clone() };
    Record { names, score: white.score, moves: Moves::All(white.moves.clone()) }
}

/// Reads each game from its first event, as anybody may, into the checker of moves.
async fn read_journal(world: &World<'_>, games: impl Iterator<Item = GameId>) -> Result<()> {
    let mut client = Client::connect(world.endpoint, 0, Hello::default()).await.context("the audit")?;
    world.checker.borrow_mut().crashed();
    for game in games {
        let now = || (world.now(), false);
        let read = audit::whole(&world.checker, &mut client, game, now).await;
        let last = read.with_context(|| format!("the audit of game {game}"))?;
        world.checker.borrow_mut().reaches(game, last);
    }
    Ok(client.close().await?)
}

async fn search(reader: &mut Program<'_>) -> Result<Records> {
    let mut records = Records::new();
    let mut path = "/api/games".to_owned();
    loop {
        let page: PlayedGames = serde_json::from_str(&reader.get(&path, "application/json").await?)?;
        for game in page.games {
            let moves = Moves::Count(game.ply_count as usize);
            add(&mut records, game.game, of_list(&game, moves))?;
        }
        let Some(next) = page.next else { return Ok(records) };
        path = format!("/api/games?before={next}");
    }
}

fn of_list(game: &PlayedGame, moves: Moves) -> Record {
    let ByColor { white, black } = &game.players;
    let names = ByColor { white: white.name.clone(), black: black.name.clone() };
    Record { names, score: game.score, moves }
}

fn add(records: &mut Records, game: GameId, record: Record) -> Result<()> {
    ensure!(records.insert(game, record).is_none(), "game {game} is listed twice");
    Ok(())
}

async fn ndjson(reader: &mut Program<'_>) -> Result<Records> {
    let text = reader.get("/api/games/export?format=ndjson&max=10000", NDJSON).await?;
    let mut records = Records::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let whole: WholeGame = serde_json::from_str(line)?;
        ensure!(
            whole.game.reason != WireReason::Abandonment,
            "a bot was taken for gone in {}",
            whole.game.game
        );
        let moves = whole.moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        add(&mut records, whole.game.game, of_list(&whole.game, Moves::All(moves)))?;
    }
    Ok(records)
}

async fn pgn_export(reader: &mut Program<'_>) -> Result<Records> {
    let text = reader.get("/api/games/export?format=pgn&max=10000", "application/x-chess-pgn").await?;
    of_pgn(&text)
}

fn of_pgn(text: &str) -> Result<Records> {
    let mut records = Records::new();
    for read in pgn::games(text) {
        let read = read.context("a PGN cannot be read")?;
        let tag =
            |name: &str| read.tag(name).map(str::to_owned).with_context(|| format!("a PGN without {name}"));
        let score = match read.result {
            PgnResult::WhiteWins => WireScore::WhiteWins,
            PgnResult::BlackWins => WireScore::BlackWins,
            PgnResult::Draw => WireScore::Draw,
            PgnResult::Unknown => WireScore::NoResult,
        };
        let names = ByColor { white: tag("White")?, black: tag("Black")? };
        let moves = Moves::All(written(&read.start, &read.moves));
        add(&mut records, tag("GameId")?.parse()?, Record { names, score, moves })?;
    }
    Ok(records)
}

fn written(start: &Position, moves: &[Move]) -> Vec<Uci> {
    let mut position = start.clone();
    let write = |mv: &Move| {
        let text = uci::write(*mv, &position, Variant::Standard);
        position.play_unchecked(*mv);
        text.as_str().parse().expect("the rules write UCI")
    };
    moves.iter().map(write).collect()
}

/// The games by their ids: as objects, each with its PGN, which must say the same.
async fn lichess(reader: &mut Program<'_>, ids: &[GameId]) -> Result<Records> {
    let mut records = Records::new();
    for ids in ids.chunks(AT_ONCE) {
        let list = ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let path = "/api/games/export/_ids?pgnInJson=true";
        let text = reader.text(Method::POST, path, NDJSON, &list).await?;
        for line in text.lines().filter(|line| !line.is_empty()) {
            let object: Value = serde_json::from_str(line)?;
            let pgn = object["pgn"].as_str().context("an object without its PGN")?;
            for (game, record) in of_pgn(pgn)? {
                ensure!(object["id"] == game.to_string().as_str(), "{object} has the PGN of {game}");
                let score = of_object(&object, record.score);
                add(&mut records, game, Record { score, ..record })?;
            }
        }
    }
    Ok(records)
}

/// The score that the object says beside its PGN.
fn of_object(object: &Value, in_pgn: WireScore) -> WireScore {
    match (object["winner"].as_str(), in_pgn) {
        (Some("white"), _) => WireScore::WhiteWins,
        (Some("black"), _) => WireScore::BlackWins,
        (_, WireScore::WhiteWins | WireScore::BlackWins) => WireScore::Draw,
        (_, without_winner) => without_winner,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PGN: &str = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[GameId \"4fzVq0aB9kLm\"]\n\n\
                       1. e4 e5 0-1\n\n";

    #[test]
    fn a_game_that_differs_in_anything_does_not_agree() {
        let (_, read) = of_pgn(PGN).unwrap().pop_first().unwrap();
        assert_eq!(read.moves, Moves::All(vec!["e2e4".parse().unwrap(), "e7e5".parse().unwrap()]));
        assert!(read.agrees(&read) && read.agrees(&Record { moves: Moves::Count(2), ..read.clone() }));
        let others = [
            Record { moves: Moves::Count(3), ..read.clone() },
            Record { moves: Moves::All(vec!["e2e4".parse().unwrap()]), ..read.clone() },
            Record { score: WireScore::Draw, ..read.clone() },
            Record { names: ByColor { white: "B".to_owned(), black: "A".to_owned() }, ..read.clone() },
        ];
        assert!(others.iter().all(|other| !read.agrees(other)));
        assert!(of_pgn(&format!("{PGN}{PGN}")).is_err(), "listed twice");
    }

    #[test]
    fn an_object_that_contradicts_its_pgn_is_seen() {
        let object = |winner: &str| serde_json::json!({ "winner": winner });
        assert_eq!(of_object(&object("white"), WireScore::BlackWins), WireScore::WhiteWins);
        assert_eq!(of_object(&serde_json::json!({}), WireScore::BlackWins), WireScore::Draw);
        assert_eq!(of_object(&serde_json::json!({}), WireScore::NoResult), WireScore::NoResult);
    }
}
