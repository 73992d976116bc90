//! Looking for an opponent: somebody else's seek, else a seek of one's own, and the pool of that time beside it.
//!
//! Deliberately absent: who is paired with whom (`lobby`).
//!
//! Invariant: a seek lasts as long as its stream is read.

use std::time::Duration;

use zeitnot_protocol::{
    Challenge, ChallengeCommand, ChallengeGone, ChallengeId, ClientMessage, CommandId, CreateChallenge,
    GameId, JoinPool, Lobby, LobbyCommand, OkAnswer, Period, PoolId, Rejected, TimeControl, Waiting,
    WireVariant,
};

use super::{Agent, Over};
use crate::lichess_api::game_view::other;
use crate::lichess_api::lines::Lines;
use crate::lichess_api::words::Source;
use crate::time::ServiceInstant;

/// Seeks of one token at once. More are broken off.
const SEEKS_MAX: usize = 3;

/// How long after a look at the lobby the next one comes: it shows seeks half a second late.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// A command whose answer a search waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    /// What does the lobby show?
    Look(CommandId),
    /// Somebody else's seek is accepted.
    Accept(CommandId),
    /// A seek is made.
    Make(CommandId),
}

/// One search for an opponent.
#[derive(Debug)]
pub(super) struct Seeking {
    wanted: CreateChallenge,
    lines: Lines,
    step: Option<Step>,
    /// The seek of its own, once it is open.
    seek: Option<ChallengeId>,
    /// The pool in which the account waits, too.
    pool: Option<PoolId>,
    next_look: ServiceInstant,
}

impl Agent {
    pub(super) fn seek(&mut self, wanted: CreateChallenge, lines: Lines) -> Result<(), Over> {
        if self.seeking.len() >= SEEKS_MAX {
            return Ok(());
        }
        let next_look = self.now();
        self.seeking.push(Seeking { wanted, lines, step: None, seek: None, pool: None, next_look });
        self.look(self.seeking.len() - 1)
    }

    fn look(&mut self, index: usize) -> Result<(), Over> {
        let id = self.command_id();
        self.seeking[index].step = Some(Step::Look(id));
        self.command(ClientMessage::EnterLobby(LobbyCommand { id: Some(id) }))
    }

    fn at(&self, step: impl Fn(CommandId) -> Step, id: Option<CommandId>) -> Option<usize> {
        let step = step(id?);
        self.seeking.iter().position(|seeking| seeking.step == Some(step))
    }

    /// What the lobby shows: the oldest seek that fits is accepted. Of two who seek the same the later one accepts.
    pub(super) fn looked(&mut self, lobby: &Lobby) -> Result<(), Over> {
        let Some(index) = self.at(Step::Look, lobby.id) else { return Ok(()) };
        self.command(ClientMessage::LeaveLobby(LobbyCommand { id: None }))?;
        let Seeking { wanted, seek, .. } = &self.seeking[index];
        let oldest_first = lobby.seeks.iter().rev();
        let mut older = oldest_first.take_while(|other| Some(other.challenge) != *seek);
        let found = older.find(|other| other.by.account != self.account && fits(other, wanted));
        let Some(challenge) = found.map(|other| other.challenge) else { return self.nobody_fits(index) };
        let id = self.command_id();
        // The game is told of before the command is answered.
        self.note_source(GameId::from(challenge), Source::Lobby);
        self.seeking[index].step = Some(Step::Accept(id));
        self.command(ClientMessage::AcceptChallenge(ChallengeCommand { challenge, id: Some(id) }))
    }

    /// Nobody seeks the same yet: makes a seek, or looks again later.
    fn nobody_fits(&mut self, index: usize) -> Result<(), Over> {
        let now = self.now();
        let seeking = &mut self.seeking[index];
        if seeking.seek.is_none() {
            return self.make_seek(index);
        }
        (seeking.step, seeking.next_look) = (None, now + LOOK_AGAIN);
        Ok(())
    }

    /// Makes a seek, and waits in the pool where the same is played.
    fn make_seek(&mut self, index: usize) -> Result<(), Over> {
        let (id, kind) = (self.command_id(), self.kind);
        let seeking = &mut self.seeking[index];
        seeking.step = Some(Step::Make(id));
        let wanted = CreateChallenge { id: Some(id), seek: true, ..seeking.wanted.clone() };
        // A pool's game is rated between registered people, and between bots where those may wait: elsewhere a bot is
        // rejected, and only seeks.
        let is_rated_as_in_pool = wanted.rated == kind.is_registered();
        seeking.pool = pool_of(&wanted).filter(|_| is_rated_as_in_pool);
        let pool = seeking.pool;
        self.command(ClientMessage::CreateChallenge(wanted))?;
        pool.map_or(Ok(()), |pool| self.send_silently(Box::new(move |id| join(pool, id))))
    }

    /// A seek of the account is open.
    pub(super) fn seek_made(&mut self, challenge: &Challenge) {
        let next_look = self.now() + LOOK_AGAIN;
        if let Some(index) = self.at(Step::Make, challenge.id) {
            let seeking = &mut self.seeking[index];
            (seeking.step, seeking.seek, seeking.next_look) = (None, Some(challenge.challenge), next_look);
        }
    }

    /// Somebody else's seek was accepted, and its game has begun.
    pub(super) fn seek_accepted(&mut self, ok: &OkAnswer) -> Result<(), Over> {
        self.at(Step::Accept, ok.id).map_or(Ok(()), |index| self.found(index))
    }

    /// What was tried did not work: somebody else was faster, or the seek cannot be made.
    pub(super) fn seek_rejected(&mut self, rejected: &Rejected) -> Result<(), Over> {
        if let Some(index) = self.at(Step::Look, rejected.id).or_else(|| self.at(Step::Accept, rejected.id)) {
            return self.nobody_fits(index);
        }
        self.at(Step::Make, rejected.id).map_or(Ok(()), |index| self.found(index))
    }

    /// A challenge is gone: perhaps the seek, which has become a game.
    pub(super) fn seek_gone(&mut self, gone: &ChallengeGone) -> Result<(), Over> {
        let is_it = |seeking: &Seeking| seeking.seek == Some(gone.challenge);
        let Some(index) = self.seeking.iter().position(is_it) else { return Ok(()) };
        if let Some(game) = gone.game {
            self.note_source(game, Source::Lobby);
        }
        self.seeking[index].seek = None;
        self.found(index)
    }

    /// The account was paired in a pool, or waits there no more.
    pub(super) fn waiting(&mut self, waiting: &Waiting) -> Result<(), Over> {
        let Some(game) = waiting.game else { return Ok(()) };
        self.note_source(game, Source::Pool);
        while let Some(index) = self.seeking.iter().position(|seeking| seeking.pool.is_some()) {
            self.seeking[index].pool = None;
            self.found(index)?;
        }
        Ok(())
    }

    /// The search is over: its stream ends, and what is left of it is withdrawn.
    fn found(&mut self, index: usize) -> Result<(), Over> {
        let Seeking { seek, pool, lines, .. } = self.seeking.remove(index);
        lines.end();
        self.withdraw(seek, pool)
    }

    fn withdraw(&mut self, seek: Option<ChallengeId>, pool: Option<PoolId>) -> Result<(), Over> {
        if let Some(challenge) = seek {
            self.cancel_silently(challenge)?;
        }
        if pool.is_some() {
            self.send_silently(Box::new(|id| ClientMessage::LeavePool(LobbyCommand { id: Some(id) })))?;
        }
        Ok(())
    }

    /// Withdraws the seeks whose stream nobody reads any more, once their last command is answered, and looks at the lobby
    /// for the others.
    pub(super) fn watch_seeks(&mut self) -> Result<(), Over> {
        let is_over = |seeking: &Seeking| seeking.lines.is_abandoned() && seeking.step.is_none();
        while let Some(index) = self.seeking.iter().position(is_over) {
            let Seeking { seek, pool, .. } = self.seeking.remove(index);
            self.withdraw(seek, pool)?;
        }
        let now = self.now();
        for index in 0..self.seeking.len() {
            if self.seeking[index].step.is_none() && self.seeking[index].next_look <= now {
                self.look(index)?;
            }
        }
        Ok(())
    }
}

fn join(pool: PoolId, id: CommandId) -> ClientMessage {
    ClientMessage::JoinPool(JoinPool { pool, id: Some(id) })
}

/// Whether a seek is for a game as wanted.
fn fits(seek: &Challenge, wanted: &CreateChallenge) -> bool {
    let color_fits = match (seek.color, wanted.color) {
        (Some(theirs), Some(ours)) => theirs == other(ours),
        _ => true,
    };
    color_fits
        && seek.time_control == wanted.time_control
        && seek.variant == wanted.variant
        && seek.rated == wanted.rated
        && seek.fen.is_none()
}

/// The pool in which the same is played.
fn pool_of(wanted: &CreateChallenge) -> Option<PoolId> {
    let TimeControl::Clock { periods, black_periods: None } = &wanted.time_control else { return None };
    let [Period { moves: None, base_ms, increment_ms, delay_ms: None, bronstein_ms: None }] = periods[..]
    else {
        return None;
    };
    let is_plain = wanted.variant == WireVariant::Standard && wanted.color.is_none();
    let clock = (base_ms / 60_000, increment_ms.unwrap_or_default() / 1_000);
    let is_whole = base_ms % 60_000 == 0 && increment_ms.unwrap_or_default() % 1_000 == 0;
    PoolId::ALL.iter().copied().find(|pool| is_plain && is_whole && pool.clock() == clock)
}
