//! A game as PGN: which tags, the clock of each mover, and after the last move the proof of the result.
//!
//! A game whose result was corrected has the corrected one; how it was played out is in the tags `Corrected` and
//! `PlayedOut`, and the comment about that stays.
//!
//! How PGN is written is `zeitnot_rules::notation::pgn`'s.

use jiff::Timestamp;
use zeitnot_protocol::{GameId, WireProfile};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::{Game, GameSetup, Tags};
use zeitnot_rules::notation::pgn::{self, PgnGame, PgnMove, PgnResult};
use zeitnot_rules::verdict::Outcome;

use super::proof_text;
use crate::games::event_messages;
use crate::net::Origin;
use crate::openings;
use crate::storage::Correction;

/// The whole game in export format, with the last correction of its result. `site`: our origin, if it is known.
pub(crate) fn write(id: GameId, game: &Game, last: Option<Correction>, site: Option<&Origin>) -> String {
    let correction = game.outcome().and_then(|played| last?.in_force(played));
    let outcome = correction.map(|correction| correction.outcome()).or(game.outcome());
    let moves = game.moves().map(|played| PgnMove {
        clock: played.time.map(|time| time.clocks[played.by]),
        ..PgnMove::new(played.mv)
    });
    let mut moves: Vec<_> = moves.collect();
    if let Some(last) = moves.last_mut() {
        last.comment = proof_text::of(game);
    }
    pgn::write(&PgnGame {
        tags: tags(id, game, outcome, correction, site),
        variant: game.variant(),
        start: game.setup().start.clone(),
        moves,
        result: PgnResult::of(outcome),
    })
}

/// The tags of a game. One that was imported has those that were read, and of the others what follows from the moves and
/// from what was read.
fn tags(
    id: GameId,
    game: &Game,
    outcome: Option<&Outcome>,
    correction: Option<Correction>,
    site: Option<&Origin>,
) -> Vec<(String, String)> {
    let setup = game.setup();
    let mut tags = Vec::new();
    if setup.imported.is_none() {
        tags.extend(tags_of_ours(id, setup, site));
    }
    for (seat, elo, kind) in
        [(Color::White, "WhiteElo", "WhiteType"), (Color::Black, "BlackElo", "BlackType")]
    {
        // Whoever reads the tag takes it for a rating to rely on, and it has no form for another one.
        let rating = setup.ratings[seat].filter(|shown| !shown.provisional);
        tags.extend(rating.map(|shown| (elo, shown.rating.to_string())));
        tags.extend(setup.bots[seat].then(|| (kind, "program".to_owned())));
    }
    let opening = openings::of_line(&setup.start, game.moves().map(|played| played.mv));
    // An imported game keeps what its source calls the opening, if it says.
    if let Some((opening, _)) = opening.filter(|_| setup.imported.is_none()) {
        tags.extend([("ECO", opening.eco.to_owned()), ("Opening", opening.name.to_owned())]);
    }
    tags.extend(pgn::time_control_tags(&setup.time_control));
    tags.extend(pgn::ending_tags(outcome));
    if let (Some(correction), Some(played)) = (correction, game.outcome()) {
        tags.push(("Corrected", date_and_time(correction.at_unix_ms).0));
        tags.push(("PlayedOut", pgn::ending_text(played)));
    }
    if setup.imported.is_none() {
        tags.push(("Profile", profile(setup)));
    }
    tags.push(("GameId", id.to_string()));
    let read = setup.imported.iter().flat_map(Tags::iter);
    let is_read = |name| setup.imported.as_ref().is_some_and(|read| read.get(name).is_some());
    let made = tags.iter().map(|(name, value)| (*name, &**value)).filter(|(name, _)| !is_read(name));
    read.chain(made).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The tags that say who played here, and when, and at which address the game is.
fn tags_of_ours(id: GameId, setup: &GameSetup, site: Option<&Origin>) -> [(&'static str, String); 8] {
    let site = site.map_or_else(|| "zeitnot".to_owned(), Origin::to_string);
    let (date, time) = date_and_time(setup.began_unix_ms);
    let name = |seat| event_messages::player(setup, seat).name;
    [
        ("Event", if setup.rated { "Rated game" } else { "Casual game" }.to_owned()),
        ("Site", format!("{site}/{id}")),
        ("Date", date.clone()),
        ("Round", "-".to_owned()),
        ("White", name(Color::White)),
        ("Black", name(Color::Black)),
        ("UTCDate", date),
        ("UTCTime", time),
    ]
}

fn profile(setup: &GameSetup) -> String {
    let profile = serde_json::to_value(WireProfile::from(setup.profile.name));
    profile.ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

/// `2026.11.21` and `13:14:15`, in UTC.
pub(crate) fn date_and_time(unix_ms: u64) -> (String, String) {
    let unix_ms = i64::try_from(unix_ms).unwrap_or(i64::MAX);
    let began = Timestamp::from_millisecond(unix_ms).unwrap_or(Timestamp::MAX);
    (began.strftime("%Y.%m.%d").to_string(), began.strftime("%H:%M:%S").to_string())
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::{ByColor, Position};
    use zeitnot_rules::game::{
        Bonus, Charge, Event, Micros, Period, Profile, ShownRating, TimeControl, Variant,
    };
    use zeitnot_rules::notation::uci;
    use zeitnot_rules::verdict::{Reason, Score};

    use super::*;

    fn setup(variant: Variant, start: Position) -> GameSetup {
        let period = |moves, base, inc| Period {
            moves,
            base: Micros::from_secs(base),
            bonus: Bonus::Increment(Micros::from_secs(inc)),
        };
        let periods = vec![period(Some(40), 6000, 30), period(Some(20), 3000, 30), period(None, 900, 30)];
        let time_control = TimeControl::Clock(ByColor { white: periods.clone(), black: periods });
        let players = ByColor { white: 1, black: 2 };
        GameSetup {
            variant,
            start,
            ..GameSetup::casual(players, time_control, Profile::fide_board(), 1_763_000_000_123)
        }
    }

    fn charge(seat: Color, left_ms: u64) -> Charge {
        let left = Micros::from_millis(left_ms);
        Charge {
            seat,
            took: Micros(0),
            credit: Micros(0),
            remaining: ByColor { white: left, black: left },
            bank: Micros(0),
        }
    }

    /// A game after these moves, each with what is left on the mover's clock in ms.
    fn game(setup: &GameSetup, moves: &[(&str, u64)]) -> Game {
        let mut game = Game::replay(&Game::start(setup).unwrap());
        for (text, left_ms) in moves {
            let mv = uci::parse(text, game.position(), game.variant()).unwrap();
            let charge = Some(charge(game.turn(), *left_ms));
            game.evolve(&Event::MovePlayed { mv, charge });
        }
        game
    }

    #[track_caller]
    fn check(text: &str, lines: &[&str]) {
        for line in lines {
            assert!(text.lines().any(|found| found == *line), "no line {line} in\n{text}");
        }
    }

    #[test]
    fn a_running_game() {
        let setup = setup(Variant::Standard, Position::standard());
        let text = write(
            "0123456789Ab".parse().unwrap(),
            &game(
                &GameSetup { names: ByColor { white: "Rook".parse().ok(), black: None }, ..setup },
                &[("e2e4", 6_029_999), ("e7e5", 5_999_950)],
            ),
            None,
            "https://chess.example.org".parse().ok().as_ref(),
        );
        check(
            &text,
            &[
                "[Site \"https://chess.example.org/0123456789Ab\"]",
                "[White \"Rook\"]",
                "[Black \"Guest-00002\"]",
                "[Date \"2025.11.13\"]",
                "[UTCDate \"2025.11.13\"]",
                "[UTCTime \"02:13:20\"]",
                "[Result \"*\"]",
                "[TimeControl \"40/6000+30:20/3000+30:900+30\"]",
                "[Termination \"unterminated\"]",
                "[Profile \"fide_board\"]",
                "[GameId \"0123456789Ab\"]",
                "1. e4 {[%clk 1:40:29.9]} 1... e5 {[%clk 1:39:59.9]} *",
            ],
        );
        assert!(!text.contains("[Variant") && !text.contains("[FEN"), "{text}");
    }

    #[test]
    fn a_rated_game_of_a_program() {
        let shown = |rating| Some(ShownRating { rating, provisional: false });
        let setup = GameSetup {
            rated: true,
            ratings: ByColor { white: shown(1_623), black: shown(2_400) },
            bots: ByColor { white: false, black: true },
            ..setup(Variant::Standard, Position::standard())
        };
        let text = write("0123456789Ab".parse().unwrap(), &game(&setup, &[]), None, None);
        let tags = [
            "[Site \"zeitnot/0123456789Ab\"]",
            "[Event \"Rated game\"]",
            "[WhiteElo \"1623\"]",
            "[BlackElo \"2400\"]",
            "[BlackType \"program\"]",
        ];
        check(&text, &tags);
        assert!(!text.contains("WhiteType"), "{text}");
    }

    #[test]
    fn a_provisional_rating_is_no_elo() {
        let shown = |rating, provisional| Some(ShownRating { rating, provisional });
        let setup = GameSetup {
            ratings: ByColor { white: shown(1_623, false), black: shown(1_500, true) },
            ..setup(Variant::Standard, Position::standard())
        };
        let text = write(GameId::from_random(5), &game(&setup, &[]), None, None);
        check(&text, &["[WhiteElo \"1623\"]"]);
        assert!(!text.contains("BlackElo"), "{text}");
    }

    #[test]
    fn an_imported_game_has_its_own_tags() {
        let read = [
            ("Event", "World Championship"),
            ("Site", "Reykjav\u{ed}k"),
            ("Date", "1972.07.11"),
            ("White", "Spassky, Boris V"),
            ("ECO", "E56"),
            ("TimeControl", "?"),
            ("WhiteElo", "2660*"),
        ];
        let shown = Some(ShownRating { rating: 2_785, provisional: false });
        let setup = GameSetup {
            imported: Some(Tags::of(read)),
            ratings: ByColor::both(shown),
            players: ByColor::both(0),
            ..setup(Variant::Standard, Position::standard())
        };
        let mut game = game(&setup, &[("d2d4", 6_000)]);
        game.evolve(&Event::Ended { outcome: Outcome::win(Color::White, Reason::Resignation), charge: None });
        let text = write("0123456789Ab".parse().unwrap(), &game, None, None);
        let tags = text.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>();
        let expected = [
            "[Event \"World Championship\"]",
            "[Site \"Reykjav\u{ed}k\"]",
            "[Date \"1972.07.11\"]",
            "[Round \"?\"]",
            "[White \"Spassky, Boris V\"]",
            "[Black \"?\"]",
            "[Result \"1-0\"]",
            "[ECO \"E56\"]",
            "[TimeControl \"?\"]",
            "[WhiteElo \"2660*\"]",
            "[BlackElo \"2785\"]",
            "[Termination \"normal\"]",
            "[Reason \"resignation\"]",
            "[GameId \"0123456789Ab\"]",
        ];
        assert_eq!(tags, expected);
    }

    #[test]
    fn a_draw_that_was_claimed_with_a_move() {
        let moves = [("g1f3", 4_000), ("g8f6", 4_000), ("f3g1", 4_000)];
        let mut game = game(&setup(Variant::Standard, Position::standard()), &moves);
        let intended = uci::parse("f6g8", game.position(), game.variant()).ok();
        let reason = Reason::ThreefoldRepetition;
        game.evolve(&Event::DrawClaimed { by: Color::Black, intended, found: Some(reason) });
        game.evolve(&Event::Ended { outcome: Outcome::draw(reason), charge: None });
        let text = write(GameId::from_random(5), &game, None, None).replace('\n', " ");
        assert!(
            text.contains("{[%clk 0:00:04.0] The draw was claimed with 2... Ng8, which is not played}"),
            "{text}"
        );
    }

    #[test]
    fn an_ended_chess960_game() {
        let mut game = game(&setup(Variant::Chess960, Position::chess960(0)), &[("c2c4", 100)]);
        let outcome = Outcome { score: Score::WhiteWins, reason: Reason::FlagFall, proof: None };
        game.evolve(&Event::FlagFell { seat: Color::Black, charge: Some(charge(Color::Black, 0)) });
        game.evolve(&Event::Ended { outcome, charge: None });
        let text = write(GameId::from_random(5), &game, None, None);
        check(
            &text,
            &[
                "[Result \"1-0\"]",
                "[Variant \"Chess960\"]",
                "[SetUp \"1\"]",
                "[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]",
                "[Termination \"time forfeit\"]",
                "[Reason \"flag fall\"]",
                "1. c4 {[%clk 0:00:00.1]} 1-0",
            ],
        );
    }

    #[test]
    fn a_corrected_game_says_how_it_was_played_out() {
        let setup = setup(Variant::Standard, Position::standard());
        let mut game = game(&setup, &[("f2f3", 4_000), ("e7e5", 4_000)]);
        game.evolve(&Event::Ended { outcome: Outcome::win(Color::White, Reason::FlagFall), charge: None });
        let correction = |score| Some(Correction { score, at_unix_ms: 1_763_000_000_123 });
        let text = write(GameId::from_random(5), &game, correction(Score::BothLose), None);
        let lines = [
            "[Result \"*\"]",
            "[Termination \"adjudication\"]",
            "[Reason \"arbiter\"]",
            "[Score \"0-0\"]",
            "[Corrected \"2025.11.13\"]",
            "[PlayedOut \"1-0, flag fall\"]",
            "1. f3 {[%clk 0:00:04.0]} 1... e5 {[%clk 0:00:04.0]} *",
        ];
        check(&text, &lines);
        let taken_back = write(GameId::from_random(5), &game, correction(Score::WhiteWins), None);
        assert_eq!(taken_back, write(GameId::from_random(5), &game, None, None));
    }
}
