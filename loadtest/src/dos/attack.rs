//! An attack: all connections are opened within seconds, behave as their kind does, and are watched
//! until the server has closed them.
//!
//! One thread with epoll. The spectators that never read are not read before the end of their time;
//! only then is it seen how they were closed.

use std::time::Duration;

use anyhow::{Result, ensure};
use zeitnot_protocol::{GameId, Limits};

use super::Plan;
use super::attacker::{Attacker, Cuts, How, Kind};
use super::endless::Endless;
use super::requests::{Answers, Requests};
use super::sign_ins::{SignInOutcome, SignIns};
use crate::endpoint::Endpoint;
use crate::stopwatch::Stopwatch;
use crate::wire::{Opcode, Poll, client_frame};

/// How fast connections are opened: all of them within two or three seconds.
const OPENED_PER_SECOND: f64 = 2_000.0;

/// How often a slow handshake sends another byte: often enough that a timeout between two bytes
/// would not close it.
const DRIP_EVERY: f64 = 1.0;

/// How soon a flood reconnects after it was closed.
const FLOOD_AGAIN: f64 = 0.25;

/// Frames that a flood sends at once.
const FLOOD_FRAMES: usize = 500;

/// An empty fragment of a message that began before it.
const EMPTY_FRAGMENT: [u8; 6] = [0x00, 0x80, 0, 0, 0, 0];

/// How long one turn waits for a readable socket.
const TURN: Duration = Duration::from_millis(1);

/// How long after their deadline the unread connections are read: the server closes, and lingers
/// for a second.
const UNREAD_EXTRA: f64 = 1.5;

/// One flood after the other: it connects again after it was closed.
struct Flood {
    kind: Kind,
    attacker: Option<Attacker>,
    /// When it connects again.
    at: f64,
    frames: Vec<u8>,
}

/// What came of an attack.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) cuts: Cuts,
    pub(super) answers: Answers,
    pub(super) sign_ins: SignInOutcome,
    /// Moves of the endless games.
    pub(super) endless: u64,
}

impl Outcome {
    pub(super) fn add(&mut self, other: &Self) {
        self.cuts.add(&other.cuts);
        self.answers.add(&other.answers);
        self.sign_ins.add(&other.sign_ins);
        self.endless += other.endless;
    }
}

pub(super) struct Attack<'s> {
    endpoint: &'s Endpoint,
    plan: &'s Plan,
    limits: &'s Limits,
    games: &'s [GameId],
    attackers: Vec<Option<Attacker>>,
    /// The kinds of the connections that are not open yet, last first.
    to_open: Vec<Kind>,
    floods: Vec<Flood>,
    endless: Endless<'s>,
    requests: Requests<'s>,
    sign_ins: SignIns<'s>,
    poll: Poll,
    clock: Stopwatch,
    /// When the last one was opened.
    all_open: Option<f64>,
    reads_unread: bool,
    dripped: u64,
    scratch: Vec<u8>,
    cuts: Cuts,
    still_open: usize,
}

impl<'s> Attack<'s> {
    pub(super) fn new(
        endpoint: &'s Endpoint,
        plan: &'s Plan,
        limits: &'s Limits,
        games: &'s [GameId],
        moves: &'s [String],
    ) -> Result<Self> {
        ensure!(!games.is_empty(), "there is no game to watch");
        let endless = Endless::begin(endpoint, plan.endless, moves)?;
        let asked_for = [endless.ids(), games.to_vec()].concat();
        let requests = Requests::new(endpoint, plan.http, &asked_for);
        Ok(Self {
            endpoint,
            plan,
            limits,
            games,
            attackers: Vec::new(),
            to_open: order(plan),
            floods: floods(plan.floods),
            endless,
            requests,
            sign_ins: SignIns::new(endpoint, plan.sign_ins),
            poll: Poll::new()?,
            clock: Stopwatch::start(),
            all_open: None,
            reads_unread: false,
            dripped: 0,
            scratch: vec![0; 64 * 1024],
            cuts: Cuts::default(),
            still_open: 0,
        })
    }

    /// Runs until all are closed, or should have been. `watch` is called every turn with whether
    /// the unread connections are being read, which means that the attack itself is over.
    pub(super) fn run(mut self, mut watch: impl FnMut(bool) -> Result<()>) -> Result<Outcome> {
        while !self.is_over() {
            self.open_due()?;
            self.read()?;
            self.drip();
            self.flood()?;
            self.endless.turn(&mut self.scratch)?;
            let now = self.clock.seconds();
            self.requests.turn(now, &mut self.scratch)?;
            self.sign_ins.turn(now, now > self.plan.seconds, &mut self.scratch)?;
            self.let_the_reads_unread()?;
            watch(self.reads_unread)?;
        }
        for attacker in self.attackers.iter().flatten() {
            self.cuts.count(attacker.kind, How::Never);
        }
        let (answers, endless) = (self.requests.into_answers(), self.endless.accepted);
        Ok(Outcome { cuts: self.cuts, answers, sign_ins: self.sign_ins.into_outcome(), endless })
    }

    fn seconds(ms: u32) -> f64 {
        f64::from(ms) / 1e3
    }

    /// How long any kind may stay open.
    fn patience(&self) -> f64 {
        let longest =
            self.limits.hello_timeout_ms.max(self.limits.pong_timeout_ms).max(self.plan.head_timeout_ms);
        Self::seconds(longest) + UNREAD_EXTRA + self.plan.margin
    }

    fn is_over(&self) -> bool {
        let Some(since) = self.all_open else { return false };
        let signs_in = self.plan.sign_ins > 0.0 && self.clock.seconds() < self.plan.seconds
            || self.sign_ins.waiting() > 0;
        self.still_open == 0 && !signs_in
            || self.clock.seconds() > since.max(self.plan.seconds) + self.patience()
    }

    fn open_due(&mut self) -> Result<()> {
        let due = (self.clock.seconds() * OPENED_PER_SECOND) as usize;
        while self.attackers.len() < due {
            let Some(kind) = self.to_open.pop() else {
                self.all_open.get_or_insert(self.clock.seconds());
                return Ok(());
            };
            let index = self.attackers.len();
            let game = self.games[index % self.games.len()];
            let attacker = Attacker::open(kind, self.endpoint, index, game)?;
            if kind != Kind::Unread {
                self.poll.add(&attacker, index)?;
            }
            self.attackers.push(Some(attacker));
            self.still_open += 1;
        }
        Ok(())
    }

    fn read(&mut self) -> Result<()> {
        for &token in self.poll.wait(TURN)? {
            let Some(attacker) = self.attackers.get_mut(token).and_then(Option::as_mut) else { continue };
            if let Some(how) = attacker.read(&mut self.scratch)? {
                self.cuts.count(attacker.kind, how);
                self.attackers[token] = None;
                self.still_open -= 1;
            }
        }
        Ok(())
    }

    /// Sends a byte on each slow handshake whose turn it is; all have their turn within
    /// [`DRIP_EVERY`].
    fn drip(&mut self) {
        let due = (self.clock.seconds() / DRIP_EVERY * self.attackers.len() as f64) as u64;
        let overdue = due.saturating_sub(self.dripped).min(self.attackers.len() as u64);
        for number in due - overdue..due {
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
        // Their numbers follow those of all others.
        let first = self.plan.slow + self.plan.silent + self.plan.unread + 1;
        for (flood, index) in self.floods.iter_mut().zip(first..) {
            if let Some(attacker) = &mut flood.attacker {
                attacker.flood(&flood.frames);
                if let Some(how) = attacker.read(&mut self.scratch)? {
                    self.cuts.count(flood.kind, how);
                    flood.attacker = None;
                    flood.at = self.clock.seconds() + FLOOD_AGAIN;
                }
            } else if self.clock.seconds() >= flood.at {
                flood.attacker = Some(Attacker::open(flood.kind, self.endpoint, index, self.games[0])?);
            }
        }
        Ok(())
    }

    /// Reads the unread connections when the server must have closed them.
    fn let_the_reads_unread(&mut self) -> Result<()> {
        let Some(since) = self.all_open.filter(|_| !self.reads_unread) else { return Ok(()) };
        if self.clock.seconds() < since + Self::seconds(self.limits.pong_timeout_ms) + UNREAD_EXTRA {
            return Ok(());
        }
        self.reads_unread = true;
        for (token, attacker) in self.attackers.iter().enumerate() {
            if let Some(attacker) = attacker.as_ref().filter(|attacker| attacker.kind == Kind::Unread) {
                attacker.begin_to_read()?;
                self.poll.add(attacker, token)?;
            }
        }
        Ok(())
    }
}

/// The floods that are wanted, of messages and of empty fragments.
fn floods([messages, fragments]: [bool; 2]) -> Vec<Flood> {
    let flood = |kind, frames| Flood { kind, attacker: None, at: 0.0, frames };
    let pings = client_frame(Opcode::Text, br#"{"t":"ping","d":{"n":1}}"#).repeat(FLOOD_FRAMES);
    let all =
        [(messages, Kind::Flood, pings), (fragments, Kind::Fragments, EMPTY_FRAGMENT.repeat(FLOOD_FRAMES))];
    all.into_iter().filter(|(wanted, ..)| *wanted).map(|(_, kind, frames)| flood(kind, frames)).collect()
}

/// All connections to open, the kinds evenly mixed.
fn order(plan: &Plan) -> Vec<Kind> {
    let counts = [(Kind::Slow, plan.slow), (Kind::Silent, plan.silent), (Kind::Unread, plan.unread)];
    let spread =
        |(kind, count): (Kind, usize)| (0..count).map(move |n| ((n as f64 + 0.5) / count as f64, kind));
    let mut all = counts.into_iter().flat_map(spread).collect::<Vec<_>>();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all.into_iter().map(|(_, kind)| kind).collect()
}
