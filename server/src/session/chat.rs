//! Answering `say`: the text is checked and posted, and the line is written on this connection
//! before its `ok`.
//!
//! Deliberately absent: the rooms themselves (`games::chat`).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use zeitnot_protocol::{Code, Say};
use zeitnot_rules::board::Color;

use super::Sessions;
use super::output::Output;
use super::rejection::Rejection;
use super::task::Session;
use crate::connections::{ConnectionId, ToSession};
use crate::games::{ChatBegun, Post, checked};
use crate::rate::Rate;
use crate::telemetry::metrics;
use crate::time::{ServiceInstant, unix_now_ms, utc_text};

impl Session {
    /// Answers `say`, which was read at `at`.
    pub(super) fn say(&mut self, say: &Say, at: ServiceInstant, output: &mut Output) {
        if let Err((code, message)) = self.post_or_reject(say, at, output) {
            metrics().frames_rejected.count(&[("code", code.as_str())]);
            let rejection = Rejection { id: say.id, game: Some(say.game), code, message };
            output.message(&rejection.into_message());
        }
    }

    fn post_or_reject(
        &mut self,
        say: &Say,
        at: ServiceInstant,
        output: &mut Output,
    ) -> Result<(), (Code, Option<String>)> {
        let requester = self.requester().ok_or((Code::NoAccount, None))?;
        if let Some(until) = self.sessions.accounts.mutes.until(requester.person.account) {
            return Err((Code::Muted, Some(format!("you may post again at {} UTC", utc_text(until)))));
        }
        let text = checked(&say.text).map_err(|error| (Code::BadText, Some(error.to_string())))?;
        let limits = &self.sessions.settings.limits;
        let every = Duration::from_millis(u64::from(limits.chat_every_ms));
        let words = Post {
            by: &requester.person.view(),
            room: say.room,
            text,
            id: say.id,
            at,
            unix: u32::try_from(unix_now_ms() / 1_000).unwrap_or(u32::MAX),
            rate: Rate { burst: limits.chat_burst, every_us: every.as_micros() as u64 },
        };
        let (subscriptions, mut games) = self.games(output);
        let posted = subscriptions.say(&mut games, say.game, &words).map_err(|code| (code, None))?;
        if let Some(players) = posted.and_then(|posted| posted.notify) {
            tell_begun(&self.sessions, (say.game, players), Some(requester.connection));
        }
        Ok(())
    }
}

/// Tells the players of chats that have begun on other nodes, until nothing more comes.
pub(crate) async fn tell_chats_begun(sessions: Arc<Sessions>, mut begun: mpsc::Receiver<ChatBegun>) {
    let stopping = sessions.tasks.stopping().clone();
    while let Some(Some(chat)) = stopping.run_until_cancelled(begun.recv()).await {
        tell_begun(&sessions, chat, None);
    }
}

fn tell_begun(sessions: &Sessions, (game, players): ChatBegun, except: Option<ConnectionId>) {
    for seat in Color::ALL {
        sessions.connections.tell(players[seat], except, || ToSession::ChatOpened(game));
    }
}
