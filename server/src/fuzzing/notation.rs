//! FEN, SAN, UCI and PGN: what is read is legal, and is written so that the same is read again.

use std::collections::HashSet;

use zeitnot_protocol::{San, Uci};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Micros, Variant};
use zeitnot_rules::notation::pgn::{ImportedGame, PgnGame, PgnMove};
use zeitnot_rules::notation::{fen as fen_text, pgn as pgn_text, san as san_text, uci as uci_text};

use crate::games::ExportFormat;
use crate::storage::FinishedGame;
use crate::storage::encoding::{Row, WholeGame, decode, encode};
use crate::upkeep::whole_game;

/// The longest FEN that is written: 64 pieces and 7 slashes, the side, four castling letters, a square, two numbers of
/// five digits, five spaces.
const FEN_BYTES_MAX: usize = 64 + 7 + 1 + 4 + 2 + 10 + 5;

/// Reads a FEN. The position is written and read the same, and so is each position that a legal move leads to.
///
/// # Panics
/// When a property does not hold.
pub fn fen(data: &[u8]) {
    let Some(position) = text_of(data).and_then(|text| fen_text::parse(text).ok()) else { return };
    check_fen(&position);
    assert_eq!(Position::from_setup(&position.setup()).as_ref(), Ok(&position));
    for mv in position.legal_moves() {
        let mut after = position.clone();
        after.play(mv).expect("a legal move can be played");
        check_fen(&after);
    }
}

fn check_fen(position: &Position) {
    let text = fen_text::write(position);
    assert!(text.len() <= FEN_BYTES_MAX, "{text}");
    assert_eq!(fen_text::parse(&text).as_ref(), Ok(position), "{text}");
}

/// Reads a FEN on the first line and a move in SAN on the second. The move is legal, and written it is read again. So
/// is every legal move of the position, and no two are written alike.
///
/// # Panics
/// When a property does not hold.
pub fn san(data: &[u8]) {
    let Some((position, text)) = position_and_rest(data) else { return };
    if let Ok(mv) = san_text::parse(text, &position) {
        assert!(position.is_legal(mv), "{text:?} is {mv:?}");
    }
    let mut seen = HashSet::new();
    for mv in position.legal_moves() {
        let written = san_text::write(mv, &position);
        assert_eq!(san_text::parse(written.as_str(), &position), Ok(mv), "{written}");
        assert!(seen.insert(written), "{written} stands for two moves");
        assert!(written.as_str().parse::<San>().is_ok(), "{written} goes over the wire");
    }
}

/// Reads a FEN on the first line and a move in UCI on the second, as standard chess and as Chess960. The move is legal,
/// and written it is read again. So is every legal move of the position, and no two are written alike.
///
/// # Panics
/// When a property does not hold.
pub fn uci(data: &[u8]) {
    let Some((position, text)) = position_and_rest(data) else { return };
    for variant in [Variant::Standard, Variant::Chess960] {
        if let Ok(mv) = uci_text::parse(text, &position, variant) {
            assert!(position.is_legal(mv), "{text:?} is {mv:?}");
            assert!(text.parse::<Uci>().is_ok(), "{text:?} came over the wire");
        }
        let mut seen = HashSet::new();
        for mv in position.legal_moves() {
            let written = uci_text::write(mv, &position, variant);
            assert_eq!(uci_text::parse(written.as_str(), &position, variant), Ok(mv), "{written}");
            assert!(seen.insert(written), "{written} stands for two moves");
            let wire = written.as_str().parse::<Uci>().expect("it goes over the wire");
            assert_eq!(wire.as_str(), written.as_str());
        }
    }
}

/// Reads the games of a PGN. Each is written and read the same, also with a comment that tries to end early. One that can be
/// imported comes out of the archive as the same game.
///
/// # Panics
/// When a property does not hold.
pub fn pgn(data: &[u8]) {
    let Some(text) = text_of(data) else { return };
    let mut count = 0;
    for game in pgn_text::games(text) {
        count += 1;
        match game {
            Ok(game) => {
                check_pgn(&game, text);
                check_import(game);
            }
            Err(error) => assert!(error.to_string().len() < 512, "an error quotes little: {error}"),
        }
    }
    assert!(count <= text.len(), "every game has some text");
}

fn check_pgn(game: &ImportedGame, comment: &str) {
    // The whole text as a comment of the first move: nothing in it may become a move or a tag.
    let comment = |nth| (nth == 0).then(|| comment.chars().take(400).collect());
    let moves = game.moves.iter().zip(&game.clocks).enumerate();
    let moves = moves.map(|(nth, (&mv, &clock))| PgnMove { mv, clock, comment: comment(nth) }).collect();
    let ImportedGame { tags, variant, start, result, .. } = game.clone();
    let written = pgn_text::write(&PgnGame { tags, variant, start, moves, result });

    let mut read = pgn_text::games(&written);
    let again = read.next().expect("a game was written").expect("what is written can be read");
    assert_eq!(read.next(), None, "one game was written: {written}");
    assert_eq!((again.variant, again.result), (game.variant, game.result), "{written}");
    let in_tenths = |clock: &Option<Micros>| clock.map(|clock| clock.0 / 100_000);
    assert!(again.clocks.iter().map(in_tenths).eq(game.clocks.iter().map(in_tenths)), "{written}");
    assert_eq!((&again.start, &again.moves), (&game.start, &game.moves), "{written}");
    for (name, _) in &game.tags {
        assert!(again.tag(name).is_some() || ["SetUp", "FEN", "Variant"].contains(&name.as_str()), "{name}");
    }
}

fn check_import(game: ImportedGame) {
    let Ok(whole) = whole_game(game) else { return };
    let (row, mut bytes) = (Row::Archived(whole.clone()), Vec::new());
    encode(&row, &mut bytes);
    assert_eq!(decode(&bytes), Ok(row));
    let WholeGame { game, records } = whole;
    let finished =
        FinishedGame { place: 1, game, ended_unix_ms: 0, records, correction: None, ratings: None };
    let mut written = String::new();
    ExportFormat::Ndjson.write(&finished, None, &mut written);
    assert!(!written.trim().is_empty(), "it can be listed");
    written.clear();
    ExportFormat::Pgn.write(&finished, None, &mut written);
    let again =
        pgn_text::games(&written).next().expect("a game was written").expect("what is written can be read");
    assert_eq!(whole_game(again).map(|again| again.game).as_ref(), Ok(&game), "{written}");
}

fn text_of(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// The position of the first line, and what follows that line.
fn position_and_rest(data: &[u8]) -> Option<(Position, &str)> {
    let (position, rest) = text_of(data)?.split_once('\n')?;
    Some((fen_text::parse(position).ok()?, rest))
}
