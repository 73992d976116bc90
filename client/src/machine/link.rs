//! The connection: when it is opened, given up, and opened again.
//!
//! A connection on which nothing came for a while is dead, whatever the system says. After 1012 and 4000 to 4499 the
//! client comes back when the server said; after 4500 to 4999, 1007 and 1009 never; after anything else by its own
//! [`Backoff`].

use std::time::Duration;

use zeitnot_protocol::{ClientMessage, CloseCode};

use super::backoff::Backoff;
use super::{Effect, Ending, Failure, Machine, Moment};
use crate::{Error, Event, Identity, Options};

/// The connection and the attempts to open one.
#[derive(Debug)]
pub(super) struct Link {
    phase: Phase,
    backoff: Backoff,
    /// When the last frame came.
    heard: Moment,
    /// Why the last attempt failed.
    why_not: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Phase {
    /// No connection is needed.
    Idle,
    /// The next attempt begins then.
    Waits { until: Moment },
    /// An attempt has begun; `hello` is sent when the socket is open.
    Opens { since: Moment },
    /// `welcome` has come.
    Open { since: Moment },
    /// Nothing more will happen.
    Stopped(Error),
}

impl Link {
    pub(super) fn new() -> Self {
        Self {
            phase: Phase::Idle,
            backoff: Backoff::default(),
            heard: Moment::ZERO,
            why_not: "no answer came".to_owned(),
        }
    }

    pub(super) fn heard(&mut self, now: Moment) {
        self.heard = now;
    }

    pub(super) fn is_open(&self) -> bool {
        matches!(self.phase, Phase::Open { .. })
    }

    pub(super) fn has_stopped(&self) -> bool {
        matches!(self.phase, Phase::Stopped(_))
    }

    pub(super) fn welcomed(&mut self, now: Moment) {
        self.phase = Phase::Open { since: now };
    }

    pub(super) fn stop(&mut self, error: Error) {
        self.phase = Phase::Stopped(error);
    }

    /// Why it has stopped.
    pub(super) fn error(&self) -> Error {
        match &self.phase {
            Phase::Stopped(error) => error.clone(),
            _ => Error::Stopped,
        }
    }

    /// Why there is no connection.
    pub(super) fn why_not(&self) -> String {
        self.why_not.clone()
    }

    pub(super) fn wake_at(&self, options: &Options) -> Option<Moment> {
        match self.phase {
            Phase::Waits { until } => Some(until),
            Phase::Opens { since } => Some(since + options.opening_timeout),
            Phase::Open { .. } => Some(self.heard + options.silence),
            Phase::Idle | Phase::Stopped(_) => None,
        }
    }
}

impl Machine {
    /// Begins to connect, unless that was done.
    pub(super) fn need_link(&mut self, now: Moment, out: &mut Vec<Effect>) {
        if self.link.phase == Phase::Idle {
            self.open(now, out);
        }
    }

    fn open(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.link.phase = Phase::Opens { since: now };
        out.push(Effect::Open);
    }

    /// The socket is open.
    pub(super) fn opened(&mut self, now: Moment, out: &mut Vec<Effect>) {
        self.link.heard(now);
        out.push(Effect::Send(ClientMessage::Hello(self.identity.hello())));
    }

    pub(super) fn failed(&mut self, failure: Failure, now: Moment, out: &mut Vec<Effect>) {
        match failure {
            Failure::Again { why, not_before } => {
                self.link.why_not = why;
                self.come_back(None, not_before, now, out);
            }
            Failure::ForGood(error) => self.stop(error, out),
        }
    }

    /// The connection has ended.
    pub(super) fn ended(&mut self, ending: Ending, now: Moment, out: &mut Vec<Effect>) {
        let code = ending.number.and_then(CloseCode::from_number);
        let told = ending.reason.and_then(|reason| reason.retry_ms);
        match ending.number {
            Some(number @ (1007 | 1009 | 4500..=4999)) => self.stop(Error::Closed { number, code }, out),
            // Nobody wanted anything of it.
            Some(_) if code == Some(CloseCode::NoHello) && !self.wants_link() => {
                self.disconnected(now);
                self.link.phase = Phase::Idle;
            }
            number => {
                self.link.why_not = match number {
                    Some(number) => format!("the server closed the connection with {number}"),
                    None => "the connection was lost".to_owned(),
                };
                let told = told.map(|ms| Duration::from_millis(ms.into()));
                self.come_back(told, Duration::ZERO, now, out);
            }
        }
    }

    /// Gives the connection up, or the attempt, and tries again later.
    pub(super) fn come_back(
        &mut self,
        told: Option<Duration>,
        not_before: Duration,
        now: Moment,
        out: &mut Vec<Effect>,
    ) {
        self.disconnected(now);
        let wait = self.link.backoff.next(&self.options, told, not_before, &mut self.rng);
        self.link.phase = Phase::Waits { until: now + wait };
        out.push(Effect::Drop);
        out.push(Effect::Event(None, Event::Disconnected { retry_in: wait }));
    }

    fn disconnected(&mut self, now: Moment) {
        if let Phase::Open { since } = self.link.phase {
            self.link.backoff.ended(since, now);
        }
        self.round_trip.disconnected();
        self.commands.disconnected();
        self.settles_at = None;
    }

    /// Whether a connection without an account has something to do.
    fn wants_link(&mut self) -> bool {
        self.identity != Identity::Spectator || self.is_in_lobby || self.games.follows().next().is_some()
    }

    /// What is due of the connection.
    pub(super) fn tick_link(&mut self, now: Moment, out: &mut Vec<Effect>) {
        match self.link.phase {
            Phase::Waits { until } if now >= until => self.open(now, out),
            Phase::Opens { since } if now >= since + self.options.opening_timeout => {
                "no answer came in time".clone_into(&mut self.link.why_not);
                self.come_back(None, Duration::ZERO, now, out);
            }
            Phase::Open { .. } if now >= self.link.heard + self.options.silence => {
                "the connection fell silent".clone_into(&mut self.link.why_not);
                self.come_back(None, Duration::ZERO, now, out);
            }
            _ => {}
        }
    }
}
