//! The lines of one stream: JSON objects for a program that reads them one by one, and a blank line when there is nothing to
//! say.
//!
//! What a reader that is slow has missed is left out where a later line says it again: of the states of a game the last one
//! counts.
//!
//! Invariants: a line is one chunk; a stream that ends without [`Lines::end`] is broken off, so that its reader knows that
//! more would have come; at most [`WAITING_MAX`] lines wait, [`CHAT_MAX`] of them of a chat.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderName, HeaderValue, header};
use serde_json::Value;
use tokio::sync::Notify;

use super::places::StreamPlace;
use crate::sync::unpoisoned;

/// A blank line comes after this time: some clients give up after 9 seconds without a byte.
const BLANK_EVERY: Duration = Duration::from_secs(5);

/// Lines that wait for a reader. One that is further behind comes back.
const WAITING_MAX: usize = 256;

/// Lines of a chat among them.
const CHAT_MAX: usize = 32;

/// What becomes of a line that waits when another one comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// It is kept.
    Kept,
    /// The next state of the game takes its place.
    State,
    /// The next word about the opponent's absence takes its place.
    Presence,
    /// The oldest of many goes.
    Chat,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<(Kind, Bytes)>,
    end: Option<End>,
    /// The reader is gone.
    is_abandoned: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    /// All was said.
    Over,
    /// It is broken off.
    Broken,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Notify,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        unpoisoned(self.queue.lock())
    }
}

/// The end of a stream that is written to. Dropping it breaks the stream off.
#[derive(Debug)]
pub(super) struct Lines(Arc<Shared>);

/// The end of a stream that is read. Dropping it tells the writer.
#[derive(Debug)]
pub(super) struct LinesReader {
    shared: Arc<Shared>,
    place: Option<StreamPlace>,
}

/// A stream.
pub(super) fn lines() -> (Lines, LinesReader) {
    let shared = Arc::<Shared>::default();
    (Lines(Arc::clone(&shared)), LinesReader { shared, place: None })
}

impl Lines {
    /// Adds a line. A reader that is too far behind is broken off.
    pub(super) fn push(&self, kind: Kind, line: &Value) {
        let mut text = line.to_string();
        text.push('\n');
        let mut queue = self.0.queue();
        if queue.end.is_some() || queue.is_abandoned {
            return;
        }
        match kind {
            Kind::Kept => {}
            Kind::State | Kind::Presence => queue.waiting.retain(|(waiting, _)| *waiting != kind),
            Kind::Chat if queue.waiting.iter().filter(|(waiting, _)| *waiting == kind).count() < CHAT_MAX => {
            }
            Kind::Chat => {
                let oldest = queue.waiting.iter().position(|(waiting, _)| *waiting == kind);
                oldest.and_then(|oldest| queue.waiting.remove(oldest));
            }
        }
        queue.waiting.push_back((kind, text.into()));
        if queue.waiting.len() > WAITING_MAX {
            queue.end = Some(End::Broken);
            queue.waiting.clear();
        }
        drop(queue);
        self.0.changed.notify_one();
    }

    /// Ends the stream: all was said.
    pub(super) fn end(self) {
        self.0.queue().end.get_or_insert(End::Over);
    }

    /// Whether nobody reads it any more.
    pub(super) fn is_abandoned(&self) -> bool {
        let queue = self.0.queue();
        queue.is_abandoned || queue.end.is_some()
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.0.queue().end.get_or_insert(End::Broken);
        self.0.changed.notify_one();
    }
}

impl Drop for LinesReader {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.is_abandoned = true;
        queue.waiting.clear();
    }
}

impl LinesReader {
    /// The next chunk; `None` at the end.
    pub(super) async fn next(&self) -> Option<io::Result<Bytes>> {
        loop {
            {
                let mut queue = self.shared.queue();
                if let Some((_, line)) = queue.waiting.pop_front() {
                    return Some(Ok(line));
                }
                match queue.end {
                    Some(End::Over) => return None,
                    Some(End::Broken) => break,
                    None => {}
                }
            }
            if tokio::time::timeout(BLANK_EVERY, self.shared.changed.notified()).await.is_err() {
                return Some(Ok(Bytes::from_static(b"\n")));
            }
        }
        // An error closes the connection at once. What was said, the head of the answer at least, is sent first: it is
        // when the body has nothing to give.
        tokio::task::yield_now().await;
        Some(Err(io::ErrorKind::ConnectionAborted.into()))
    }

    /// The same in a place that it shares. Its connection closes with it: by then there may be more of them than the address
    /// may have.
    pub(super) fn at(mut self, place: StreamPlace) -> Self {
        self.place = Some(place);
        self
    }

    /// The answer with this stream. One that begins with a blank line shows at once that it is open; a game's stream does
    /// not: its clients parse the first line.
    pub(super) fn into_response(self, begins_with_blank: bool) -> Response {
        self.into_response_after(begins_with_blank.then(|| Bytes::from_static(b"\n")).into_iter())
    }

    /// The answer with these lines first: they are made when there is room for them.
    pub(super) fn into_response_after(self, first: impl Iterator<Item = Bytes> + Send + 'static) -> Response {
        let first = first.map(Ok::<_, io::Error>);
        let closes = self.place.is_some();
        let rest = stream::unfold(self, |reader| async move { Some((reader.next().await?, reader)) });
        let body = Body::from_stream(futures_util::StreamExt::chain(stream::iter(first), rest));
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson")),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            // A proxy that collects lines would have clients give up.
            (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
        ];
        let mut response = (headers, body).into_response();
        if closes {
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::FutureExt as _;
    use serde_json::json;

    use super::*;

    async fn next(reader: &LinesReader) -> Option<Result<String, io::ErrorKind>> {
        let chunk = reader.next().await?;
        Some(chunk.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).map_err(|error| error.kind()))
    }

    #[tokio::test(start_paused = true)]
    async fn a_blank_line_comes_when_there_is_nothing_to_say_and_the_end_is_clean() {
        let (lines, reader) = lines();
        assert_eq!(next(&reader).await, Some(Ok("\n".to_owned())));
        lines.push(Kind::Kept, &json!({ "a": 1 }));
        lines.end();
        assert_eq!(next(&reader).await, Some(Ok("{\"a\":1}\n".to_owned())));
        assert_eq!(next(&reader).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_nobody_ends_is_broken_off_after_what_was_said() {
        let (lines, reader) = lines();
        lines.push(Kind::Kept, &json!(1));
        drop(lines);
        assert_eq!(next(&reader).await, Some(Ok("1\n".to_owned())));
        let mut end = pin!(next(&reader));
        assert_eq!(end.as_mut().now_or_never(), None, "what was said is sent first");
        assert_eq!(end.await, Some(Err(io::ErrorKind::ConnectionAborted)));
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_reader_gets_the_last_state_and_the_last_lines_of_the_chat() {
        let (lines, reader) = lines();
        lines.push(Kind::Kept, &json!("full"));
        for n in 0..1_000 {
            lines.push(Kind::State, &json!(n));
            lines.push(Kind::Chat, &json!(format!("chat {n}")));
        }
        lines.end();
        let mut read = Vec::new();
        while let Some(line) = next(&reader).await {
            read.push(line.unwrap());
        }
        assert_eq!((read[0].as_str(), read.len()), ("\"full\"\n", 2 + CHAT_MAX));
        assert!(read.contains(&"999\n".to_owned()) && !read.contains(&"998\n".to_owned()));
        assert_eq!(read.last().unwrap(), "\"chat 999\"\n");
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_is_too_far_behind_is_broken_off() {
        let (lines, reader) = lines();
        for n in 0..=WAITING_MAX {
            lines.push(Kind::Kept, &json!(n));
        }
        assert!(lines.is_abandoned());
        assert_eq!(next(&reader).await, Some(Err(io::ErrorKind::ConnectionAborted)));
    }
}
