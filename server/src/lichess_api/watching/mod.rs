//! Games that are watched without an account: by the stream of a game, and on television.
//!
//! All who watch a game share one watcher, which is a client of our own protocol inside the process, and all who watch a
//! channel share one television.
//!
//! | file | what it is |
//! |---|---|
//! | `watcher` | one game: a session that only watches, and the streams of those who read it |
//! | `past` | the lines of what was played before a stream was opened |
//! | `television` | one channel: which game it shows, and the streams of those who watch it |
//! | `channels` | which games a channel shows |
//! | `calls` | the calls |
//!
//! Invariants: each stream holds a place among the connections of its address; a watcher or a television that nobody
//! reads ends some seconds later.

mod calls;
mod channels;
mod past;
mod television;
#[cfg(test)]
mod tests;
mod watcher;

use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use tokio::sync::{mpsc, oneshot, watch};
use zeitnot_protocol::GameId;

use super::LichessApi;
use super::lines::Lines;
use super::rejection::Rejection;
use crate::net::{Address, Permit};
pub(super) use calls::{best_ongoing, channel_feed, current_games, feed, stream};
use past::Past;
use watcher::{OnAir, Watcher};

/// Calls that wait for a watcher or a television. One more is told to come back.
const CALLS_MAX: usize = 256;

/// How often they look at what has no message: readers that are gone, and games that have begun.
const BEAT: Duration = Duration::from_secs(1);

/// Beats without a reader after which they end.
const IDLE_BEATS: u32 = 5;

/// How long the first answer of a session is waited for.
const KNOWN_WITHIN: Duration = Duration::from_secs(5);

/// A stream that is written to, with its place among the connections of its address.
#[derive(Debug)]
struct Stream {
    lines: Lines,
    place: Arc<Permit>,
}

/// What is asked of a watcher.
#[derive(Debug)]
enum Call {
    /// A stream. The answer is what comes before its first line.
    Stream { stream: Stream, reply: oneshot::Sender<Result<Past, Rejection>> },
    /// The game as it stands, and as it goes on.
    Follow { reply: oneshot::Sender<Result<watch::Receiver<Arc<OnAir>>, Rejection>> },
}

/// All watchers and televisions of a server.
#[derive(Debug, Default)]
pub(super) struct Watching {
    games: DashMap<GameId, mpsc::Sender<Call>>,
    channels: DashMap<&'static str, mpsc::Sender<Stream>>,
}

impl LichessApi {
    /// Has the watcher of a game do something. One that is not there begins to watch, on the account of `address`.
    async fn watched<T>(
        &self,
        game: GameId,
        address: Address,
        call: impl FnOnce(oneshot::Sender<Result<T, Rejection>>) -> Call,
    ) -> Result<T, Rejection> {
        let watchers = &self.watching.games;
        watchers.retain(|_, watcher| !watcher.is_closed());
        let (reply, answer) = oneshot::channel();
        let watcher = watchers.entry(game).or_insert_with(|| Watcher::start(self, game, address)).clone();
        watcher.try_send(call(reply)).map_err(|_| Rejection::unavailable())?;
        let answer = tokio::time::timeout(KNOWN_WITHIN, answer).await;
        answer.map_err(|_| Rejection::unavailable())?.map_err(|_| Rejection::unavailable())?
    }

    /// Lets a stream tell what a channel shows.
    fn tune_in(&self, channel: &'static str, stream: Stream) -> Result<(), Rejection> {
        let channels = &self.watching.channels;
        channels.retain(|_, television| !television.is_closed());
        let television = channels.entry(channel).or_insert_with(|| television::start(self, channel)).clone();
        television.try_send(stream).map_err(|_| Rejection::unavailable())
    }
}

/// Forgets the streams that nobody reads any more. How many beats in a row there was none, the present one included.
fn forget_abandoned(streams: &mut Vec<Stream>, idle_beats: u32) -> u32 {
    streams.retain(|stream| !stream.lines.is_abandoned());
    if streams.is_empty() { idle_beats + 1 } else { 0 }
}
