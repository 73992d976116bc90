//! The Lichess API: a second front door to the same games, for programs that were written for lichess.org.
//!
//! Such programs play here when only their base URL is changed. What they need of that API is here, and no more of it:
//! docs/bots.md lists the calls.
//!
//! | file | what it is |
//! |---|---|
//! | `agent/` | the client of our own protocol that speaks for an account whose programs know this API only |
//! | `caller` | who makes a call, and what the token is for |
//! | `accounts`, `authorization`, `games`, `challenges`, `play` | the calls |
//! | `fields` | the parameters of a call: query, form and JSON as one |
//! | `lines` | a stream of lines |
//! | `places` | what streams take of the connections of an address |
//! | `watching/` | streams of games and television for everybody |
//! | `many_games` | answers with many games |
//! | `game_view`, `game_text`, `people` | games and accounts as this API shows them |
//! | `words`, `declines` | its words for ours |
//! | `rejection` | what a rejected call is answered |
//!
//! Deliberately absent: every decision about games, challenges and accounts: they are those of all clients. What HTTP
//! demands of a request before any call (`http::lichess`).
//!
//! Invariants: an answer is JSON, or the lines and the PGN that a call says; an endless stream ends cleanly only when all was
//! said, and is broken off otherwise.

mod accounts;
mod agent;
mod authorization;
mod caller;
mod challenges;
mod declines;
mod fields;
mod game_text;
mod game_view;
mod games;
mod lines;
mod many_games;
mod people;
mod places;
mod play;
mod rejection;
mod watching;
mod words;

use std::sync::Arc;

use axum::Json;
use axum::Router;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get, post};
use dashmap::{DashMap, Entry};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::accounts::TokenDigest;
use crate::games::History;
use crate::session::Sessions;
use crate::storage::RatingStore;
use agent::{AgentHandle, Call, Reply};
use caller::Caller;
pub(crate) use caller::Visitor;
use declines::Declines;
use places::{Places, StreamPlace};
pub(crate) use rejection::Rejection;
use watching::Watching;

/// What the calls need of the server. Clones are the same.
#[derive(Clone, Debug)]
pub(crate) struct LichessApi {
    sessions: Arc<Sessions>,
    history: History,
    ratings: Arc<dyn RatingStore>,
    agents: Arc<DashMap<TokenDigest, AgentHandle>>,
    declines: Arc<Declines>,
    watching: Arc<Watching>,
    places: Arc<Places>,
}

/// What a call is answered.
type Answer = Result<Response, Rejection>;

impl LichessApi {
    /// The API of a server with these parts.
    pub(crate) fn new(sessions: Arc<Sessions>, history: History, ratings: Arc<dyn RatingStore>) -> Self {
        Self {
            sessions,
            history,
            ratings,
            agents: Arc::default(),
            declines: Arc::default(),
            watching: Arc::default(),
            places: Arc::default(),
        }
    }

    /// The agent of a caller. One that has ended is replaced.
    fn agent(&self, caller: &Caller) -> Result<AgentHandle, Rejection> {
        self.agents.retain(|_, agent| !agent.is_over());
        match self.agents.entry(caller.known.token) {
            Entry::Occupied(known) => Ok(known.get().clone()),
            Entry::Vacant(place) => {
                let agent = AgentHandle::start(self, caller)?;
                Ok(place.insert(agent).clone())
            }
        }
    }

    /// The place of a stream that a caller is about to read.
    fn stream_place(&self, caller: &Caller) -> Result<StreamPlace, Rejection> {
        self.places.of_stream(caller, &self.sessions.accounts.addresses, self.sessions.clock.now())
    }

    /// Makes a call, and waits for the answer of its agent. When the agent ends before, the call can be made again.
    async fn ask(&self, caller: &Caller, call: impl FnOnce(Reply) -> Call) -> Result<Value, Rejection> {
        let (reply, answer) = oneshot::channel();
        self.agent(caller)?.make(call(reply))?;
        answer.await.map_err(|_| Rejection::unavailable())?
    }
}

/// 200 with `{"ok":true}`: clients parse the body.
fn ok() -> Response {
    Json(json!({ "ok": true })).into_response()
}

/// All calls. Some programs put a slash behind a path.
pub(crate) fn routes(api: LichessApi) -> Router {
    let calls: Vec<(&str, MethodRouter<LichessApi>)> = vec![
        ("/api/token/test", post(accounts::test_tokens)),
        ("/api/token", post(authorization::redeem).delete(authorization::revoke)),
        ("/api/account", get(accounts::account)),
        ("/api/bot/account/upgrade", post(accounts::upgrade)),
        ("/api/user/{who}", get(accounts::user)),
        ("/api/users", post(accounts::users)),
        ("/api/users/status", get(accounts::status)),
        ("/api/bot/online", get(accounts::bots_online)),
        ("/api/stream/event", get(challenges::events)),
        ("/api/account/playing", get(challenges::playing)),
        ("/api/challenge", get(challenges::list)),
        ("/api/challenge/{who}", post(challenges::create)),
        ("/api/challenge/{id}/accept", post(challenges::accept)),
        ("/api/challenge/{id}/decline", post(challenges::decline)),
        ("/api/challenge/{id}/cancel", post(challenges::cancel)),
        ("/api/challenge/{id}/show", get(challenges::show)),
        ("/api/challenge/{id}/start-clocks", post(challenges::not_served)),
        ("/api/bulk-pairing", post(challenges::not_served)),
        ("/api/board/seek", post(challenges::seek)),
        ("/api/round/{id}/add-time/{seconds}", post(play::add_time)),
        ("/api/games/user/{who}", get(games::of_user)),
        ("/api/games/export/_ids", post(games::export_by_id)),
        ("/api/user/{who}/current-game", get(games::current)),
        ("/api/stream/game/{id}", get(watching::stream)),
        ("/api/tv/feed", get(watching::feed)),
        ("/api/tv/channels", get(watching::current_games)),
        ("/api/tv/{channel}", get(watching::best_ongoing)),
        ("/api/tv/{channel}/feed", get(watching::channel_feed)),
        ("/game/export/{id}", get(games::export)),
        ("/game/export/{id}/{side}", get(games::export_of_side)),
        ("/__ping", get(accounts::ping)),
    ];
    let mut router = Router::new();
    for (path, call) in calls {
        router = router.route(&format!("{path}/"), call.clone()).route(path, call);
    }
    for (path, call) in play::calls() {
        for side in ["board", "bot"] {
            let path = format!("/api/{side}/game/{path}");
            router = router.route(&format!("{path}/"), call.clone()).route(&path, call.clone());
        }
    }
    router.with_state(api)
}
