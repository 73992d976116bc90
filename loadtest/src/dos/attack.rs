//! A attack: all attackers come within seconds, do what their kind does, and are watched until the server has cut them.
//!
//! One thread with epoll. The deaf are not read before their time is over: only then is there to see how they were cut.

use std::time::Duration;

use anyhow::{Result, ensure};
use zeitnot_protocol::{GameId, Limits};

use super::Plan;
use super::attacker::{Attacker, Cuts, How, Kind};
use crate::endpoint::Endpoint;
use crate::stopwatch::Stopwatch;
use crate::wire::{Opcode, Poll, client_frame};

/// How fast attackers come: all of a attack within two or three seconds.
const COME_PER_SECOND: f64 = 2_000.0;

/// How often each slow handshake gets another octet: often enough that no timeout between two octets would cut it.
const DRIP_EVERY: f64 = 1.0;

/// A flood that was cut comes again after this time.
const FLOOD_AGAIN: f64 = 0.25;

/// Frames that a flood sends at once.
const FLOOD_FRAMES: usize = 500;

/// How long one turn waits for something to read.
const TURN: Duration = Duration::from_millis(1);

/// How long the deaf wait beyond their deadline before they look: the server closes, and lingers for a second.
const DEAF_EXTRA: f64 = 1.5;

pub(super) struct Attack<'s> {
    endpoint: &'s Endpoint,
    plan: &'s Plan,
    limits: &'s Limits,
    games: &'s [GameId],
    attackers: Vec<Option<Attacker>>,
    /// The kinds that are still to come, last first.
    to_come: Vec<Kind>,
    flood: Option<Attacker>,
    poll: Poll,
    clock: Stopwatch,
    /// When the last one came.
    all_here: Option<f64>,
    deaf_look: bool,
    dripped: u64,
    flood_at: f64,
    frames: Vec<u8>,
    scratch: Vec<u8>,
    cuts: Cuts,
    still_there: usize,
}

impl<'s> Attack<'s> {
    pub(super) fn new(
        endpoint: &'s Endpoint,
        plan: &'s Plan,
        limits: &'s Limits,
        games: &'s [GameId],
    ) -> Result<Self> {
        ensure!(!games.is_empty(), "there is no game to watch");
        let ping = client_frame(Opcode::Text, br#"{"t":"ping","d":{"n":1}}"#);
        Ok(Self {
            endpoint,
            plan,
            limits,
            games,
            attackers: Vec::new(),
            to_come: order(plan),
            flood: None,
            poll: Poll::new()?,
            clock: Stopwatch::start(),
            all_here: None,
            deaf_look: false,
            dripped: 0,
            flood_at: 0.0,
            frames: ping.repeat(FLOOD_FRAMES),
            scratch: vec![0; 64 * 1024],
            cuts: Cuts::default(),
            still_there: 0,
        })
    }

    /// Runs until all are cut, or had to be long ago. `watch` is called every turn, and told whether the deaf look by now:
    /// then the attack itself is over.
    pub(super) fn run(mut self, mut watch: impl FnMut(bool) -> Result<()>) -> Result<Cuts> {
        while !self.is_over() {
            self.come()?;
            self.read()?;
            self.drip();
            self.flood()?;
            self.let_the_deaf_look()?;
            watch(self.deaf_look)?;
        }
        for attacker in self.attackers.iter().flatten() {
            self.cuts.count(attacker.kind, How::Never);
        }
        Ok(self.cuts)
    }

    fn seconds(ms: u32) -> f64 {
        f64::from(ms) / 1e3
    }

    /// The longest that any kind may stay after it came.
    fn patience(&self) -> f64 {
        let longest =
            self.limits.hello_timeout_ms.max(self.limits.pong_timeout_ms).max(self.plan.head_timeout_ms);
        Self::seconds(longest) + DEAF_EXTRA + self.plan.margin
    }

    fn is_over(&self) -> bool {
        let Some(since) = self.all_here else { return false };
        self.still_there == 0 || self.clock.seconds() > since + self.patience()
    }

    fn come(&mut self) -> Result<()> {
        let due = (self.clock.seconds() * COME_PER_SECOND) as usize;
        while self.attackers.len() < due {
            let Some(kind) = self.to_come.pop() else {
                self.all_here.get_or_insert(self.clock.seconds());
                return Ok(());
            };
            let index = self.attackers.len();
            let game = self.games[index % self.games.len()];
            let attacker = Attacker::open(kind, self.endpoint, index, game)?;
            if kind != Kind::Deaf {
                self.poll.add(&attacker, index)?;
            }
            self.attackers.push(Some(attacker));
            self.still_there += 1;
        }
        Ok(())
    }

    fn read(&mut self) -> Result<()> {
        for &token in self.poll.wait(TURN)? {
            let Some(attacker) = self.attackers.get_mut(token).and_then(Option::as_mut) else { continue };
            if let Some(how) = attacker.read(&mut self.scratch)? {
                self.cuts.count(attacker.kind, how);
                self.attackers[token] = None;
                self.still_there -= 1;
            }
        }
        Ok(())
    }

    /// An octet for each of those whose turn it is; they take turns over [`DRIP_EVERY`].
    fn drip(&mut self) {
        let due = (self.clock.seconds() / DRIP_EVERY * self.attackers.len() as f64) as u64;
        let behind = due.saturating_sub(self.dripped).min(self.attackers.len() as u64);
        for number in due - behind..due {
            let place = number % self.attackers.len() as u64;
            if let Some(attacker) =
                usize::try_from(place).ok().and_then(|place| self.attackers[place].as_mut())
                && attacker.kind == Kind::Slow
            {
                attacker.drip();
            }
        }
        self.dripped = due;
    }

    fn flood(&mut self) -> Result<()> {
        if let Some(flood) = &mut self.flood {
            flood.flood(&self.frames);
            if let Some(how) = flood.read(&mut self.scratch)? {
                self.cuts.count(Kind::Flood, how);
                self.flood = None;
                self.flood_at = self.clock.seconds() + FLOOD_AGAIN;
            }
        } else if self.clock.seconds() >= self.flood_at {
            // Its places are behind those of all others.
            let index = self.plan.slow + self.plan.silent + self.plan.deaf + 1;
            self.flood = Some(Attacker::open(Kind::Flood, self.endpoint, index, self.games[0])?);
        }
        Ok(())
    }

    /// Lets the deaf read when the server must have given them up.
    fn let_the_deaf_look(&mut self) -> Result<()> {
        let Some(since) = self.all_here.filter(|_| !self.deaf_look) else { return Ok(()) };
        if self.clock.seconds() < since + Self::seconds(self.limits.pong_timeout_ms) + DEAF_EXTRA {
            return Ok(());
        }
        self.deaf_look = true;
        for (token, attacker) in self.attackers.iter().enumerate() {
            if let Some(attacker) = attacker.as_ref().filter(|attacker| attacker.kind == Kind::Deaf) {
                attacker.look()?;
                self.poll.add(attacker, token)?;
            }
        }
        Ok(())
    }
}

/// All that are to come, the kinds well mixed.
fn order(plan: &Plan) -> Vec<Kind> {
    let counts = [(Kind::Slow, plan.slow), (Kind::Silent, plan.silent), (Kind::Deaf, plan.deaf)];
    let spread =
        |(kind, count): (Kind, usize)| (0..count).map(move |n| ((n as f64 + 0.5) / count as f64, kind));
    let mut all = counts.into_iter().flat_map(spread).collect::<Vec<_>>();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, kind)| kind).collect()
}
