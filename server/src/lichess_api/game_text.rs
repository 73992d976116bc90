//! A game as an export of the Lichess API has it: as PGN, and as an object of JSON.
//!
//! Deliberately absent: names of openings, and evaluations: there are none here.
//!
//! Invariant: a game is written the same by every call that wants it in the same form.

use http::{HeaderMap, header};
use serde_json::{Map, Value, json};
use zeitnot_protocol::{ByColor, OutcomeView, PlayerView, TimeControl, WireColor, WireVariant};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Game, Tags, Variant};
use zeitnot_rules::notation::pgn::{self, PgnGame, PgnMove, PgnResult};
use zeitnot_rules::notation::{fen, san};

use super::fields::Fields;
use super::people;
use super::rejection::Rejection;
use super::words::{self, STARTED, Speed, Status};
use crate::games::{self, ReadGame};

/// The type of games as PGN.
pub(super) const PGN: &str = "application/x-chess-pgn";

/// The type of games as lines of JSON.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// What a call wants of each game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Form {
    /// PGN, or an object of JSON.
    pub(super) as_pgn: bool,
    moves: bool,
    tags: bool,
    clocks: bool,
    /// The PGN within the object.
    pgn_in_json: bool,
    /// The last position within the object.
    last_fen: bool,
}

impl Form {
    /// What the parameters and the `Accept` header of a call say. A client that accepts anything gets PGN.
    pub(super) fn read(
        fields: &Fields,
        headers: &HeaderMap,
        clocks_unless_said: bool,
    ) -> Result<Self, Rejection> {
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let accepts_json = accept.contains("application/json") || accept.contains(NDJSON);
        Ok(Self {
            as_pgn: !accepts_json,
            moves: fields.flag("moves")?.unwrap_or(true),
            tags: fields.flag("tags")?.unwrap_or(true),
            clocks: fields.flag("clocks")?.unwrap_or(clocks_unless_said),
            pgn_in_json: fields.flag("pgnInJson")?.unwrap_or(false),
            last_fen: fields.flag("lastFen")?.unwrap_or(false),
        })
    }

    /// A game as one of many: a PGN with blank lines behind it, or a line of JSON.
    pub(super) fn write_one_of_many(self, read: &ReadGame, site: &str) -> String {
        let separator = if self.as_pgn { "\n\n" } else { "\n" };
        format!("{}{separator}", self.write(read, site))
    }

    /// A game that is found at `site`.
    pub(super) fn write(self, read: &ReadGame, site: &str) -> String {
        if self.as_pgn { self.pgn(read, site) } else { self.object(read, site).to_string() }
    }

    fn pgn(self, read: &ReadGame, site: &str) -> String {
        let game = &read.game;
        let clock = |played: &zeitnot_rules::game::PlayedMove| {
            played.time.filter(|_| self.clocks).map(|time| time.clocks[played.by])
        };
        let moves = game.moves().filter(|_| self.moves);
        let text = pgn::write(&PgnGame {
            tags: tags(read, site),
            variant: game.variant(),
            start: game.setup().start.clone(),
            moves: moves.map(|played| PgnMove { clock: clock(&played), ..PgnMove::new(played.mv) }).collect(),
            result: PgnResult::of(read.outcome()),
        });
        let Some((tags, moves)) = text.split_once("\n\n") else { return text };
        if !self.tags {
            return moves.to_owned();
        }
        // Chess960 is named by what writes PGN.
        let variant = match game.variant() {
            Variant::Chess960 => "",
            Variant::Standard if has_own_start(game) => "\n[Variant \"From Position\"]",
            Variant::Standard => "\n[Variant \"Standard\"]",
        };
        format!("{tags}{variant}\n\n{moves}")
    }

    fn object(self, read: &ReadGame, site: &str) -> Value {
        let ReadGame { id, game, moved_unix_ms, .. } = read;
        let Head { players, variant, time_control, rated } = Head::of(game);
        let (status, winner) = ending(read);
        let (perf, _) = words::perf(variant, &time_control);
        let mut object = json!({
            "id": id, "rated": rated, "variant": words::variant(variant, has_own_start(game))["key"],
            "speed": Speed::of(&time_control).key(), "perf": perf, "createdAt": game.setup().began_unix_ms,
            "lastMoveAt": moved_unix_ms, "status": status.0, "source": "friend",
            "players": { "white": player(&players.white), "black": player(&players.black) },
        });
        let fields = object.as_object_mut().expect("it is one");
        if let Some(winner) = winner {
            fields.insert("winner".to_owned(), words::color(winner).into());
        }
        self.add_moves(game, fields);
        if let Some((base, increment)) = words::clock_ms(&time_control) {
            let (initial, increment) = (base / 1_000, increment / 1_000);
            let total = initial + 40 * increment;
            let clock = json!({ "initial": initial, "increment": increment, "totalTime": total });
            fields.insert("clock".to_owned(), clock);
        }
        if let TimeControl::Days { days } = time_control {
            fields.insert("daysPerTurn".to_owned(), days.into());
        }
        if has_own_start(game) || variant == WireVariant::Chess960 {
            fields.insert("initialFen".to_owned(), fen::write(&game.setup().start).into());
        }
        if self.last_fen {
            fields.insert("lastFen".to_owned(), fen::write(game.position()).into());
        }
        if self.pgn_in_json {
            fields.insert("pgn".to_owned(), self.pgn(read, site).into());
        }
        object
    }

    /// The moves in SAN, with blanks between, and what each left on the mover's clock, in hundredths of a second.
    fn add_moves(self, game: &Game, fields: &mut Map<String, Value>) {
        let (mut position, mut text, mut clocks) = (game.setup().start.clone(), String::new(), Vec::new());
        for played in game.moves() {
            let before = position.clone();
            position.play_unchecked(played.mv);
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(san::write_after(played.mv, &before, &position).as_str());
            clocks.extend(played.time.map(|time| time.clocks[played.by].0 / 10_000));
        }
        if self.moves {
            fields.insert("moves".to_owned(), text.into());
        }
        if self.clocks && !clocks.is_empty() {
            fields.insert("clocks".to_owned(), clocks.into());
        }
    }
}

/// The terms of a game, as words are found for them.
struct Head {
    players: ByColor<PlayerView>,
    variant: WireVariant,
    time_control: TimeControl,
    rated: bool,
}

impl Head {
    fn of(game: &Game) -> Self {
        let setup = game.setup();
        Self {
            players: games::players(setup),
            variant: setup.variant.into(),
            time_control: games::time_control(setup),
            rated: setup.rated,
        }
    }
}

/// The key of what a game is rated in.
pub(super) fn perf_key(game: &Game) -> &'static str {
    let Head { variant, time_control, .. } = Head::of(game);
    words::perf(variant, &time_control).0
}

fn has_own_start(game: &Game) -> bool {
    game.variant() == Variant::Standard && game.setup().start != Position::standard()
}

fn ending(read: &ReadGame) -> (Status, Option<WireColor>) {
    let game = &read.game;
    let outcome = read.outcome().map(|outcome| OutcomeView::of(outcome, game.position(), game.variant()));
    outcome.as_ref().map_or((STARTED, None), words::ended)
}

fn player(view: &PlayerView) -> Value {
    let mut player = json!({
        "user": { "id": people::id(view.account, &view.name), "name": view.name }, "rating": people::rating(view),
    });
    if view.bot {
        player["user"]["title"] = "BOT".into();
    }
    if view.provisional || view.rating.is_none() {
        player["provisional"] = true.into();
    }
    player
}

/// The tags of a game, but for those that follow from position and result. One that was imported has those that were read.
fn tags(read: &ReadGame, site: &str) -> Vec<(String, String)> {
    let ReadGame { id, game, .. } = read;
    let setup = game.setup();
    if let Some(imported) = &setup.imported {
        return Tags::iter(imported).map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    }
    let Head { players, variant, time_control, rated } = Head::of(game);
    let (date, time) = games::date_and_time(setup.began_unix_ms);
    let (_, perf) = words::perf(variant, &time_control);
    let elo = |view: &PlayerView| view.rating.map_or_else(|| "?".to_owned(), |rating| rating.to_string());
    let mut tags = vec![
        ("Event", format!("{} {perf} game", if rated { "Rated" } else { "Casual" })),
        ("Site", format!("{site}/{id}")),
        ("Date", date.clone()),
        ("Round", "-".to_owned()),
        ("White", players.white.name.clone()),
        ("Black", players.black.name.clone()),
        ("GameId", id.to_string()),
        ("UTCDate", date),
        ("UTCTime", time),
        ("WhiteElo", elo(&players.white)),
        ("BlackElo", elo(&players.black)),
    ];
    for (name, view) in [("WhiteTitle", &players.white), ("BlackTitle", &players.black)] {
        tags.extend(view.bot.then(|| (name, "BOT".to_owned())));
    }
    let clock = words::clock_ms(&time_control);
    let clock = clock.map(|(base, increment)| format!("{}+{}", base / 1_000, increment / 1_000));
    tags.push(("TimeControl", clock.unwrap_or_else(|| "-".to_owned())));
    tags.push(("Termination", termination(ending(read).0).to_owned()));
    tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

const fn termination((_, status): Status) -> &'static str {
    match status {
        20 => "Unterminated",
        25 => "Abandoned",
        33 | 35 => "Time forfeit",
        38 => "Unknown",
        _ => "Normal",
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_rules::board::{ByColor, Color};
    use zeitnot_rules::game::{Charge, Event, GameSetup, Micros, Profile};
    use zeitnot_rules::notation::uci;
    use zeitnot_rules::verdict::{Outcome, Reason};

    use super::*;

    const SITE: &str = "http://127.0.0.1:8080";

    fn form(query: &str) -> Form {
        let uri: http::Uri = format!("/?{query}").parse().unwrap();
        let (fields, headers) = (Fields::of_query(uri.query().unwrap()), HeaderMap::new());
        Form::read(&fields, &headers, true).unwrap()
    }

    fn setup() -> GameSetup {
        let period = zeitnot_rules::game::Period {
            moves: None,
            base: Micros::from_secs(180),
            bonus: zeitnot_rules::game::Bonus::Increment(Micros::from_secs(2)),
        };
        let clock =
            zeitnot_rules::game::TimeControl::Clock(ByColor { white: vec![period], black: vec![period] });
        let players = ByColor { white: 1, black: 2 };
        let names = ByColor { white: "Rook".parse().ok(), black: "ZBot".parse().ok() };
        let bots = ByColor { white: false, black: true };
        let casual = GameSetup::casual(players, clock, Profile::fide_online(), 1_763_000_000_123);
        GameSetup { names, bots, ..casual }
    }

    /// White plays e4 in two seconds, and Black resigns.
    fn read(setup: &GameSetup) -> ReadGame {
        let mut game = Game::replay(&Game::start(setup).unwrap());
        let left = ByColor { white: Micros::from_secs(178), black: Micros::from_secs(180) };
        let (took, credit, bank) = (Micros::from_secs(2), Micros(0), Micros(0));
        let charge = Charge { seat: Color::White, took, credit, remaining: left, bank };
        let mv = uci::parse("e2e4", game.position(), game.variant()).unwrap();
        game.evolve(&Event::MovePlayed { mv, charge: Some(charge) });
        game.evolve(&Event::Ended { outcome: Outcome::win(Color::White, Reason::Resignation), charge: None });
        ReadGame::of_game("7Yh2kQ0xVb3N".parse().unwrap(), game, 1_763_000_002_123)
    }

    #[test]
    fn a_pgn_has_the_tags_that_programs_read() {
        let text = form("").write(&read(&setup()), SITE);
        let expected = [
            "[Event \"Casual Blitz game\"]",
            "[Site \"http://127.0.0.1:8080/7Yh2kQ0xVb3N\"]",
            "[Date \"2025.11.13\"]",
            "[Round \"-\"]",
            "[White \"Rook\"]",
            "[Black \"ZBot\"]",
            "[Result \"1-0\"]",
            "[GameId \"7Yh2kQ0xVb3N\"]",
            "[UTCDate \"2025.11.13\"]",
            "[UTCTime \"02:13:20\"]",
            "[WhiteElo \"?\"]",
            "[BlackElo \"?\"]",
            "[BlackTitle \"BOT\"]",
            "[TimeControl \"180+2\"]",
            "[Termination \"Normal\"]",
            "[Variant \"Standard\"]",
            "",
            "1. e4 {[%clk 0:02:58.0]} 1-0",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn tags_moves_and_clocks_are_left_out_when_they_are_not_wanted() {
        let read = read(&setup());
        assert_eq!(form("tags=false").write(&read, SITE), "1. e4 {[%clk 0:02:58.0]} 1-0\n");
        assert_eq!(form("tags=0&clocks=no").write(&read, SITE), "1. e4 1-0\n");
        assert!(form("moves=False").write(&read, SITE).ends_with("[Variant \"Standard\"]\n\n1-0\n"));
    }

    #[test]
    fn a_position_of_ones_own_has_its_variant_and_its_fen() {
        let start = fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        let text = form("").write(&read(&GameSetup { start, ..setup() }), SITE);
        for line in
            ["[SetUp \"1\"]", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]", "[Variant \"From Position\"]"]
        {
            assert!(text.lines().any(|found| found == line), "no {line} in {text}");
        }
        let (variant, start) = (Variant::Chess960, Position::chess960(518));
        let text = form("").write(&read(&GameSetup { variant, start, ..setup() }), SITE);
        assert_eq!(text.matches("[Variant").count(), 1);
        assert!(text.contains("[Variant \"Chess960\"]\n") && text.contains("[FEN"), "{text}");
    }

    #[test]
    fn an_object_says_what_the_strictest_client_demands() {
        let all = Form { as_pgn: false, ..form("pgnInJson=true&lastFen=true") };
        let mut object = all.object(&read(&setup()), SITE);
        let pgn = object["pgn"].take();
        assert!(pgn.as_str().unwrap().starts_with("[Event"), "{pgn}");
        let expected = json!({
            "id": "7Yh2kQ0xVb3N", "rated": false, "variant": "standard", "speed": "blitz", "perf": "blitz",
            "createdAt": 1_763_000_000_123_u64, "lastMoveAt": 1_763_000_002_123_u64, "status": "resign",
            "source": "friend", "winner": "white",
            "players": {
                "white": { "user": { "id": "rook", "name": "Rook" }, "rating": 1_500, "provisional": true },
                "black": {
                    "user": { "id": "zbot", "name": "ZBot", "title": "BOT" }, "rating": 1_500, "provisional": true,
                },
            },
            "moves": "e4", "clocks": [17_800], "clock": { "initial": 180, "increment": 2, "totalTime": 260 },
            "lastFen": "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "pgn": null,
        });
        assert_eq!(object, expected);
        let bare = Form { as_pgn: false, ..form("moves=false&clocks=false") }.object(&read(&setup()), SITE);
        assert!(bare.get("moves").is_none() && bare.get("clocks").is_none() && bare.get("pgn").is_none());
    }
}
