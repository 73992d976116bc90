//! What a link says of itself where others show it: title, description and picture, in the head of the page (OpenGraph),
//! and the pictures. The words are in the language that whoever asks for the page has asked for.
//!
//! The page itself is the same for every path. Whoever shows a link reads the head and runs no script, so for a challenge,
//! a game and a player the server writes it. What is in memory, here or where the lobby is, is always told; a game of the
//! archive is read only while somebody can be read for at once, and the address can pay: otherwise the page comes without.
//!
//! Invariants: nobody waits for the page longer than [`READ_WITHIN`] for its head; what others chose, such as names, is
//! escaped.

mod catalogue;
mod head;
mod wording;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::rejection::PathRejection;
use axum::extract::{Extension, Path, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderMap, HeaderValue, header};
use zeitnot_protocol::{GameId, LiveGame};
use zeitnot_rules::board::{Color, Position, Square};
use zeitnot_rules::game::Game;
use zeitnot_rules::notation::fen;

use super::error::ApiError;
use super::guard::Visitor;
use super::own_pages::Language;
use super::state::HttpState;
use super::static_files;
use crate::archive::Payer;
use crate::games::{Aftermath, players, time_control};
use crate::pictures::Scene;
use crate::ratings::present;
use crate::recent::Recent;
use crate::time::unix_now_ms;
use wording::About;

/// How long the page waits for a game or a challenge.
const READ_WITHIN: Duration = Duration::from_millis(300);

/// What such a read costs beside the page itself: as much as for whoever asks for the game.
const READ_COST: u32 = 19;

/// What a player costs beside the page itself.
const LOOK_COST: u32 = 1;

/// Games that ended, of which a half of the cache knows what their links say.
const ENDED_HALF: usize = 512;

/// How long others may keep a picture: of a game that has ended, and of one that goes on.
const KEPT_ENDED: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const KEPT_LIVE: HeaderValue = HeaderValue::from_static("public, max-age=30");

/// What the page depends on beside its path.
const VARY: HeaderValue = HeaderValue::from_static("accept-encoding, accept-language");

/// What a link leads to.
#[derive(Clone, Debug)]
struct Subject {
    about: About,
    scene: Scene,
    /// The picture's path and query, which change with the picture.
    picture: String,
    /// Nothing of it changes any more.
    is_over: bool,
}

/// What the links of ended games say, as far as somebody has asked lately.
#[derive(Debug)]
pub(crate) struct Previews {
    ended: Recent<GameId, Arc<Subject>>,
}

impl Default for Previews {
    fn default() -> Self {
        Self { ended: Recent::new(ENDED_HALF) }
    }
}

/// The page for a path that leads to a game, a challenge or a player, with a head that says so if that is known.
pub(super) async fn page(state: &HttpState, visitor: &Visitor, path: &str, headers: &HeaderMap) -> Response {
    let (who, id) = (path.strip_prefix("/@/"), path.get(1..13).and_then(|id| id.parse().ok()));
    let subject = match (who, id) {
        (Some(who), _) => player(state, visitor, who).await,
        (None, Some(id)) => {
            let game = tokio::time::timeout(READ_WITHIN, game(state, visitor, id, path));
            game.await.unwrap_or_default()
        }
        (None, None) => None,
    };
    let filled = subject.zip(visitor.site.as_ref()).and_then(|(subject, site)| {
        let site = site.to_string();
        let wording = subject.about.told(Language::of(headers));
        head::filled(static_files::index()?, &wording, &site, path, &subject.picture)
    });
    let mut response = match filled {
        Some(page) => static_files::serve_text(page, headers),
        None => static_files::page(headers.clone()).await,
    };
    response.headers_mut().insert(header::VARY, VARY);
    response
}

/// What a link to a game or a challenge says.
async fn game(state: &HttpState, visitor: &Visitor, id: GameId, path: &str) -> Option<Arc<Subject>> {
    let seen_by = if path.ends_with("/black") { Color::Black } else { Color::White };
    if let Some(known) = outside_archive(state, id, seen_by).await {
        return Some(known);
    }
    let edge = &state.edge;
    edge.costs.spend(Payer::Address(visitor.address), READ_COST, edge.clock.now()).ok()?;
    let _place = edge.archive.enter_if_free()?;
    ended(state, id).await
}

/// What need not be read: a game that is played, an ended game that somebody has asked for lately, or a challenge that is
/// open, wherever the lobby is.
async fn outside_archive(state: &HttpState, id: GameId, seen_by: Color) -> Option<Arc<Subject>> {
    let live = state.sessions.games.get(id).filter(|game| !game.has_ended());
    if let Some(live) = live {
        return Subject::live(live.live_game(), live.setup().rated, seen_by).map(Arc::new);
    }
    if let Some(ended) = state.edge.previews.ended.find(&id) {
        return Some(ended);
    }
    // A challenge and its game have one id.
    let (None, Some(challenge)) = state.sessions.lobby.known(id.as_str().parse().ok()?).await else {
        return None;
    };
    let start = challenge.fen.as_deref().and_then(|text| fen::parse(text).ok());
    let scene = Scene { position: start.unwrap_or_else(Position::standard), last: None, seen_by };
    let (about, picture) = (About::Challenge(challenge), format!("/picture/{id}.png"));
    Some(Arc::new(Subject { about, scene, picture, is_over: false }))
}

/// A game of the archive, or one at rest. Whoever calls this has a place at the archive.
async fn ended(state: &HttpState, id: GameId) -> Option<Arc<Subject>> {
    let stored = state.sessions.games.stored(id).await.ok()?;
    let make = move || stored.fold().map(|game| Subject::stored(id, &game, &stored.after));
    let subject = Arc::new(state.edge.archive.make(make).await.ok()??);
    if subject.is_over {
        state.edge.previews.ended.keep(id, Arc::clone(&subject));
    }
    Some(subject)
}

async fn player(state: &HttpState, visitor: &Visitor, who: &str) -> Option<Arc<Subject>> {
    let edge = &state.edge;
    edge.costs.spend(Payer::Address(visitor.address), LOOK_COST, edge.clock.now()).ok()?;
    let accounts = &state.sessions.accounts;
    let found = match who.parse() {
        Ok(account) => accounts.person(account).await,
        Err(_) => accounts.by_name(who).await,
    };
    let person = found.ok()??;
    let standings = edge.ratings.standings(person.account).await.ok()?;
    let now = unix_now_ms();
    let ratings = standings.iter().map(|(category, standing)| {
        let present = present(Some(standing), now);
        (*category, present.whole_points(), present.is_provisional())
    });
    let about = About::Player { name: person.shown_name(), ratings: ratings.collect() };
    let picture = "/picture/start.png".to_owned();
    Some(Arc::new(Subject { about, scene: Scene::first(), picture, is_over: false }))
}

impl Subject {
    fn live(game: LiveGame, is_rated: bool, seen_by: Color) -> Option<Self> {
        let square = |text: Option<&str>| text.and_then(|text| text.parse::<Square>().ok());
        let last = game.last.as_ref().map(|uci| uci.as_str());
        let last = last.and_then(|uci| square(uci.get(..2)).zip(square(uci.get(2..4))));
        Some(Self {
            scene: Scene { position: fen::parse(&game.fen).ok()?, last, seen_by },
            picture: format!("/picture/{}.png?ply={}", game.game, game.ply_count),
            about: About::Live { game, is_rated },
            is_over: false,
        })
    }

    fn stored(id: GameId, game: &Game, after: &Aftermath) -> Self {
        let setup = game.setup();
        let correction = after.correction_of(game);
        let outcome = correction.map(|correction| correction.outcome()).or(game.outcome());
        let last = game.moves().last().map(|played| (played.mv.from, played.mv.to));
        Self {
            about: About::Stored {
                players: players(setup),
                time_control: time_control(setup),
                variant: setup.variant.into(),
                is_rated: setup.rated,
                outcome: outcome.cloned(),
                plies: game.ply_count(),
            },
            scene: Scene { position: game.position().clone(), last, seen_by: Color::White },
            picture: format!("/picture/{id}.png?ply={}", game.ply_count()),
            is_over: game.has_ended(),
        }
    }
}

/// The picture of a game, of a challenge, or of the first position: `{id}.png`, `start.png`.
pub(super) async fn picture(
    State(state): State<HttpState>,
    Extension(visitor): Extension<Visitor>,
    name: Result<Path<String>, PathRejection>,
) -> Result<Response, ApiError> {
    let Ok(Path(name)) = name else { return Err(ApiError::NotFound) };
    let name = name.strip_suffix(".png").ok_or(ApiError::NotFound)?;
    let (scene, kept) = match name {
        "start" => (Scene::first(), KEPT_ENDED),
        id => {
            let id = id.parse().map_err(|_| ApiError::UnknownGame)?;
            let known = match outside_archive(&state, id, Color::White).await {
                Some(known) => Some(known),
                None => {
                    let _place = state.edge.archive.enter(visitor.address).await?;
                    ended(&state, id).await
                }
            };
            let subject = known.ok_or(ApiError::UnknownGame)?;
            (subject.scene.clone(), if subject.is_over { KEPT_ENDED } else { KEPT_LIVE })
        }
    };
    let picture = state.edge.pictures.of(scene).await?;
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
    Ok(([kind, (header::CACHE_CONTROL, kept)], picture).into_response())
}
