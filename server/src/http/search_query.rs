//! What is wanted of the archive: the query of `/api/games` and of what is below it.
//!
//! Deliberately absent: searching.
//!
//! Invariant: a parameter that is unknown there, comes twice or has a value that cannot be is an error that names it.
//! Nothing is ignored, because who misspells a filter would take all games for those that fit.

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use serde::de::DeserializeOwned;
use serde::de::value::{Error, StrDeserializer};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{Object, ObjectBuilder, Ref, RefOr, Schema, Type};
use zeitnot_protocol::{AccountId, WireColor, WireReason, WireScore};
use zeitnot_rules::board::Position;
use zeitnot_rules::game::{Category, PlayerName, Tags, Variant};
use zeitnot_rules::notation::{fen, uci};

use super::error::{ApiError, Quoted};
use crate::accounts::Accounts;
use crate::games::ExportFormat;
use crate::openings;
use crate::storage::{FacetFilter, INDEXED_PLIES, PositionKey, Search, Who};
use crate::time::unix_ms;

/// The most games of one page.
const PAGE_MAX: usize = 50;

/// The most games of one answer that has them whole.
const EXPORT_MAX: usize = 10_000;

const PGN: &str = "application/x-chess-pgn";
const NDJSON: &str = "application/x-ndjson";

/// The first format of many games that an `Accept` header names.
pub(crate) fn accepted(accept: &str) -> Option<ExportFormat> {
    accept.split(',').find_map(|range| match range.split(';').next().unwrap_or_default().trim() {
        PGN => Some(ExportFormat::Pgn),
        NDJSON => Some(ExportFormat::Ndjson),
        _ => None,
    })
}

/// The `Content-Type` of an answer with many games.
pub(crate) const fn content_type(format: ExportFormat) -> &'static str {
    match format {
        ExportFormat::Pgn => "application/x-chess-pgn; charset=utf-8",
        ExportFormat::Ndjson => NDJSON,
    }
}

fn format(name: &str) -> Option<ExportFormat> {
    match name {
        "pgn" => Some(ExportFormat::Pgn),
        "ndjson" => Some(ExportFormat::Ndjson),
        _ => None,
    }
}

/// The names and values of a query, if they are text.
pub(crate) type Pairs = Result<Query<Vec<(String, String)>>, QueryRejection>;

/// What a query asks for.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) search: Search,
    /// From where the search goes on.
    pub(crate) before: Option<u64>,
    /// The most games of the page.
    pub(crate) limit: usize,
    /// The most games of an answer that has them whole.
    pub(crate) games: usize,
    pub(crate) format: ExportFormat,
}

/// The parameters that a path knows beside those of a search.
type Known = &'static [&'static str];

/// The parameters of a search.
const OF_SEARCH: Known = &[
    "player", "opponent", "color", "result", "reason", "category", "rated", "imported", "since", "until",
    "moves", "fen", "opening",
];

/// The parameters of a position.
const OF_POSITION: Known = &["moves", "fen"];

/// The same, for the API's document.
pub(crate) struct OfPosition;

impl IntoParams for OfPosition {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let text = || Object::with_type(Type::String);
        vec![
            parameter("moves", "The position after these moves: UCI, with commas, at most 30.", text()),
            parameter("fen", "This position, or, with `moves`, the one after them.", text()),
        ]
    }
}

/// The parameters of a search, for the API's document.
pub(crate) struct OfSearch;

impl IntoParams for OfSearch {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let text = || Object::with_type(Type::String);
        let yes_or_no = || Object::with_type(Type::Boolean);
        vec![
            parameter("player", "Played by this account, by id or name.", text()),
            parameter("opponent", "Played by this one against `player`.", text()),
            parameter("color", "Which side `player` had.", Ref::from_schema_name("WireColor")),
            parameter("result", "Ended so.", Ref::from_schema_name("WireScore")),
            parameter("reason", "Ended for this reason.", Ref::from_schema_name("WireReason")),
            parameter("category", "Of this category.", Ref::from_schema_name("WireCategory")),
            parameter("rated", "Whether it was rated.", yes_or_no()),
            parameter("imported", "Whether it was played elsewhere and imported.", yes_or_no()),
            parameter("since", "Ended then or later: a day of UTC or an instant of RFC 3339.", text()),
            parameter("until", "Ended before: a day of UTC or an instant of RFC 3339.", text()),
            parameter("moves", "Had the position after these moves: UCI, with commas, at most 30.", text()),
            parameter("fen", "Had this position, or, with `moves`, the one after them.", text()),
            parameter(
                "opening",
                "Had a position of the opening of this name, or of one of its variations; of all openings with these words in their names where none has this name; or of those of this code. Not with `moves` or `fen`.",
                text(),
            ),
        ]
    }
}

/// The parameters of a page, for the API's document.
pub(crate) struct OfPage;

impl IntoParams for OfPage {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        vec![cursor(), parameter("limit", "The most games of the page.", number_to(PAGE_MAX))]
    }
}

/// The parameters of an export, for the API's document.
pub(crate) struct OfExport;

impl IntoParams for OfExport {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let formats = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["pgn", "ndjson"]));
        vec![
            cursor(),
            parameter("max", "The most games of the answer.", number_to(EXPORT_MAX)),
            parameter("format", "How they are written; without it, as PGN.", formats),
        ]
    }
}

fn cursor() -> Parameter {
    let digits = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[0-9]{1,19}$"));
    parameter("before", "The `next` of the page before.", digits)
}

/// A number from 1 to `most`, which is what it is without the parameter.
fn number_to(most: usize) -> ObjectBuilder {
    let number = ObjectBuilder::new().schema_type(Type::Integer);
    number.minimum(Some(1)).maximum(Some(most)).default(Some(most.into()))
}

fn parameter(name: &str, description: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query);
    parameter.description(Some(description)).schema(Some(schema)).build()
}

impl Wanted {
    pub(crate) const OF_PAGE: Known = &["before", "limit"];
    pub(crate) const OF_COUNT: Known = &[];
    pub(crate) const OF_EXPORT: Known = &["before", "max", "format"];

    /// Reads the query of a request.
    pub(crate) async fn read(accounts: &Accounts, pairs: Pairs, known: Known) -> Result<Self, ApiError> {
        let parameters = Parameters::read(pairs, &[OF_SEARCH, known])?;
        let mut search = parameters.search()?;
        search.player = who(accounts, &parameters, "player").await?;
        search.opponent = who(accounts, &parameters, "opponent").await?;
        for needs_player in ["color", "opponent"] {
            if search.player.is_none() && parameters.get(needs_player).is_some() {
                return Err(ApiError::BadParameter(needs_player));
            }
        }
        let before = parameters.get("before").map(str::parse).transpose();
        Ok(Self {
            search,
            before: before.map_err(|_| ApiError::BadCursor)?,
            limit: parameters.number("limit", PAGE_MAX)?,
            games: parameters.number("max", EXPORT_MAX)?,
            format: parameters.value("format", format)?.unwrap_or(ExportFormat::Pgn),
        })
    }
}

/// The position that a query names; without any parameter that before the first move.
pub(crate) fn position(pairs: Pairs) -> Result<Position, ApiError> {
    Ok(Parameters::read(pairs, &[OF_POSITION])?.position()?.unwrap_or_else(Position::standard))
}

/// A player by account or name. Somebody without an account is looked for when no account can have the name or has it, and
/// among imported games, which no account has played.
async fn who(
    accounts: &Accounts,
    parameters: &Parameters,
    name: &'static str,
) -> Result<Option<Who>, ApiError> {
    let Some(text) = parameters.get(name) else { return Ok(None) };
    if let Ok(account) = text.parse::<AccountId>() {
        return Ok(Some(Who::Account(account)));
    }
    if text.trim().is_empty() || text.chars().count() > Tags::VALUE_CHARS_MAX {
        return Err(ApiError::BadParameter(name));
    }
    let may_be_ours = text.parse::<PlayerName>().is_ok() && parameters.get("imported") != Some("true");
    if may_be_ours && let Some(person) = accounts.by_name(text).await.map_err(|_| ApiError::Unavailable)? {
        return Ok(Some(Who::Account(person.account)));
    }
    Ok(Some(Who::named(text)))
}

/// The parameters of a query, each once.
struct Parameters(Vec<(&'static str, String)>);

impl Parameters {
    fn read(pairs: Pairs, known: &[Known]) -> Result<Self, ApiError> {
        let Ok(Query(pairs)) = pairs else { return Err(ApiError::BadParameter("query")) };
        let mut found: Vec<(&'static str, String)> = Vec::new();
        for (name, value) in pairs {
            let Some(name) = known.iter().copied().flatten().copied().find(|known| *known == name) else {
                return Err(ApiError::UnknownParameter(Quoted::of(&name)));
            };
            if found.iter().any(|(before, _)| *before == name) {
                return Err(ApiError::BadParameter(name));
            }
            found.push((name, value));
        }
        Ok(Self(found))
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(found, _)| *found == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter, if it is there.
    fn value<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, ApiError> {
        self.get(name).map(|text| read(text).ok_or(ApiError::BadParameter(name))).transpose()
    }

    /// A number from 1 to `most`, which it is where it is not there.
    fn number(&self, name: &'static str, most: usize) -> Result<usize, ApiError> {
        let number =
            self.value(name, |text| text.parse().ok().filter(|number| (1..=most).contains(number)))?;
        Ok(number.unwrap_or(most))
    }

    /// What is looked for, but for the players.
    fn search(&self) -> Result<Search, ApiError> {
        Ok(Search {
            player: None,
            opponent: None,
            seat: self.value("color", wire::<WireColor>)?.map(Into::into),
            kind: FacetFilter {
                score: self.value("result", wire::<WireScore>)?.map(Into::into),
                reason: self.value("reason", wire::<WireReason>)?.map(Into::into),
                category: self.value("category", category)?,
                rated: self.value("rated", |text| text.parse().ok())?,
                imported: self.value("imported", |text| text.parse().ok())?,
            },
            positions: self.positions()?,
            since_unix_ms: self.value("since", unix_ms)?,
            until_unix_ms: self.value("until", unix_ms)?,
        })
    }

    /// The positions of which a game has to have one; none when it may have any.
    fn positions(&self) -> Result<Vec<PositionKey>, ApiError> {
        let position = self.position()?.as_ref().map(PositionKey::of);
        let Some(name) = self.get("opening") else { return Ok(position.into_iter().collect()) };
        let positions: Vec<_> = openings::positions_of(name).map(PositionKey::of).collect();
        if position.is_some() || positions.is_empty() {
            return Err(ApiError::BadParameter("opening"));
        }
        Ok(positions)
    }

    /// The position after `moves`, from that of `fen` or the usual one.
    fn position(&self) -> Result<Option<Position>, ApiError> {
        let start = self.value("fen", |text| fen::parse(text).ok())?;
        let moves = self.get("moves");
        if start.is_none() && moves.is_none() {
            return Ok(None);
        }
        let mut position = start.unwrap_or_else(Position::standard);
        for (number, text) in moves.into_iter().flat_map(|moves| moves.split(',')).enumerate() {
            let mv = uci::parse(text, &position, Variant::Standard).ok().filter(|_| number < INDEXED_PLIES);
            let played = mv.and_then(|mv| position.play(mv).ok());
            played.ok_or(ApiError::BadParameter("moves"))?;
        }
        Ok(Some(position))
    }
}

/// A value by the name that messages have for it.
fn wire<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<Error>::new(text)).ok()
}

fn category(text: &str) -> Option<Category> {
    let names = ["bullet", "blitz", "rapid", "classical", "correspondence", "chess960"];
    names.iter().zip(Category::ALL).find(|(name, _)| **name == text).map(|(_, category)| category)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Search, ApiError> {
        let uri = format!("/api/games?{query}").parse().unwrap();
        Parameters::read(Query::try_from_uri(&uri), &[OF_SEARCH, Wanted::OF_PAGE])?.search()
    }

    #[test]
    fn every_parameter_is_read_or_named() {
        let search =
            read("color=white&result=1/2-1/2&reason=agreement&category=chess960&rated=true").unwrap();
        assert_eq!(search.seat, Some(zeitnot_rules::board::Color::White));
        assert_eq!((search.kind.category, search.kind.rated), (Some(Category::Chess960), Some(true)));
        let bad = [
            "color=red",
            "result=draw",
            "reason=",
            "category=Blitz",
            "rated=1",
            "since=yesterday",
            "until=2026-02-30",
            "moves=e2e5",
            "moves=e2e4,",
            "fen=x",
            "since=1969-12-31",
            "color=white&color=white",
            "opening=xyzzy",
            "opening=",
            "opening=Sicilian%20Defense&moves=e2e4",
        ];
        for query in bad {
            let name = query.split('=').next().unwrap();
            assert!(matches!(read(query), Err(ApiError::BadParameter(found)) if found == name), "{query}");
        }
        let unknown = read("colour=white").unwrap_err();
        assert!(matches!(unknown, ApiError::UnknownParameter(_)) && unknown.to_string().contains("colour"));
    }

    #[test]
    fn a_position_is_the_same_by_its_moves_and_by_its_fen() {
        let by_moves = read("moves=d2d4,g8f6,c2c4").unwrap().positions;
        let transposed = read("moves=c2c4,g8f6,d2d4").unwrap().positions;
        let fen = "rnbqkb1r/pppppppp/5n2/8/2PP4/8/PP2PPPP/RNBQKBNR%20b%20KQkq%20-%200%202";
        assert_eq!(by_moves, read(&format!("fen={fen}")).unwrap().positions);
        assert_eq!(by_moves, transposed);
        let after = read(&format!("fen={fen}&moves=e7e6")).unwrap().positions;
        assert_eq!(after, read("moves=d2d4,g8f6,c2c4,e7e6").unwrap().positions);
        let sicilian = read("opening=sicilian+defence").unwrap().positions;
        assert_eq!(sicilian.first(), read("moves=e2e4,c7c5").unwrap().positions.first());
        let endless = ["g1f3,g8f6,f3g1,f6g8"; 8].join(",");
        assert!(read(&format!("moves={endless}")).is_err(), "later positions are not indexed");
    }

    #[test]
    fn the_document_of_a_search_has_the_parameters_that_are_read() {
        let names =
            |parameters: Vec<Parameter>| parameters.into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names(OfSearch::into_params(|| None)), OF_SEARCH);
        assert_eq!(names(OfPosition::into_params(|| None)), OF_POSITION);
        assert_eq!(names(OfPage::into_params(|| None)), Wanted::OF_PAGE);
        assert_eq!(names(OfExport::into_params(|| None)), Wanted::OF_EXPORT);
    }

    #[test]
    fn a_day_begins_at_midnight_of_utc() {
        let since = |text: &str| read(&format!("since={text}")).unwrap().since_unix_ms;
        assert_eq!(since("1970-01-02"), Some(86_400_000));
        assert_eq!(since("1970-01-02T00:00:00.001Z"), Some(86_400_001));
    }

    #[test]
    fn who_accepts_games_as_text_gets_them_so() {
        assert_eq!(accepted("application/x-chess-pgn"), Some(ExportFormat::Pgn));
        assert_eq!(accepted("text/html, application/x-ndjson;q=0.9"), Some(ExportFormat::Ndjson));
        assert_eq!(accepted("*/*"), None);
    }
}
