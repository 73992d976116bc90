//! One channel of television: it stays with a game until that has ended, and then shows the next one.
//!
//! Deliberately absent: which games suit a channel (`channels`), and what is seen of a game (`watcher`).
//!
//! Invariant: without a game the streams stay open: programs that are told of an end come back at once, and those that
//! are told of an error give up.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use super::watcher::OnAir;
use super::{BEAT, CALLS_MAX, Call, IDLE_BEATS, Stream, channels, forget_abandoned};
use crate::lichess_api::LichessApi;
use crate::lichess_api::lines::Kind;

/// Beats between two looks for a game.
const LOOK_BEATS: u32 = 2;

#[derive(Debug)]
struct Television {
    api: LichessApi,
    channel: &'static str,
    streams: Vec<Stream>,
    game: Option<watch::Receiver<Arc<OnAir>>>,
}

/// Starts the television of a channel.
pub(super) fn start(api: &LichessApi, channel: &'static str) -> mpsc::Sender<Stream> {
    let (sender, calls) = mpsc::channel(CALLS_MAX);
    let television = Television { api: api.clone(), channel, streams: Vec::new(), game: None };
    api.sessions.tasks.spawn(television.run(calls));
    sender
}

/// The next thing that happens in a game; `None`: nothing will.
async fn next(game: &mut Option<watch::Receiver<Arc<OnAir>>>) -> Option<Arc<OnAir>> {
    let Some(game) = game else { return std::future::pending().await };
    game.changed().await.ok()?;
    Some(Arc::clone(&game.borrow_and_update()))
}

fn line(kind: &str, what: &Value) -> Value {
    json!({ "t": kind, "d": what })
}

/// Tells a stream which game is on, and how it stands.
fn announce(stream: &Stream, on_air: &OnAir) {
    stream.lines.push(Kind::Kept, &line("featured", &on_air.featured));
    if let Some(shown) = &on_air.shown {
        stream.lines.push(Kind::State, &line("fen", shown));
    }
}

impl Television {
    async fn run(mut self, mut calls: mpsc::Receiver<Stream>) {
        let (clock, tasks) = (self.api.sessions.clock.clone(), self.api.sessions.tasks.clone());
        let (mut next_beat, mut idle_beats, mut look_in) = (clock.now() + BEAT, 0, 0);
        while idle_beats < IDLE_BEATS {
            tokio::select! {
                () = tasks.stopping().cancelled() => return,
                Some(stream) = calls.recv() => {
                    self.tune_in(stream);
                    if self.game.is_none() && look_in == 0 {
                        look_in = LOOK_BEATS;
                        self.look().await;
                    }
                }
                happened = next(&mut self.game) => self.show(happened.as_deref()),
                () = clock.sleep_until(next_beat) => {
                    next_beat = clock.now() + BEAT;
                    idle_beats = forget_abandoned(&mut self.streams, idle_beats);
                    look_in = u32::saturating_sub(look_in, 1);
                    if self.game.is_none() && look_in == 0 {
                        look_in = LOOK_BEATS;
                        self.look().await;
                    }
                }
            }
        }
    }

    /// One more stream: it is told which game is on.
    fn tune_in(&mut self, stream: Stream) {
        if let Some(game) = &self.game {
            announce(&stream, &game.borrow());
        }
        self.streams.push(stream);
    }

    /// Something has happened in the game.
    fn show(&mut self, happened: Option<&OnAir>) {
        if let Some(shown) = happened.and_then(|on_air| on_air.shown.as_ref()) {
            let line = line("fen", shown);
            self.streams.iter().for_each(|stream| stream.lines.push(Kind::State, &line));
        }
        if happened.is_none_or(|on_air| on_air.is_over) {
            self.game = None;
        }
    }

    /// Looks for a game.
    async fn look(&mut self) {
        let Some(address) = self.streams.first().map(|stream| stream.place.address()) else { return };
        let found = channels::games_of(&self.api.sessions.games, self.channel, 1);
        let Some(found) = found.first().map(|game| game.id()) else { return };
        let followed = self.api.watched(found, address, |reply| Call::Follow { reply }).await;
        let Ok(mut game) = followed else { return };
        let on_air = Arc::clone(&game.borrow_and_update());
        if on_air.is_over {
            return;
        }
        self.streams.iter().for_each(|stream| announce(stream, &on_air));
        self.game = Some(game);
    }
}
