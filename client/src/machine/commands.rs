//! The commands that wait for an answer.
//!
//! Each keeps its id until it is answered, over reconnects, and the server answers an id once: so none is lost and none
//! takes effect twice. There are three whose ids the server may have forgotten, and they are held back after a
//! reconnect until it is clear what became of them: `create_challenge` and `offer_rematch` after the server has started
//! again, and `join_pool`. One of these is on its way at a time.
//!
//! Invariant: at most [`UNANSWERED_MAX`] wait, and at most [`UNANSWERED_PER_GAME_MAX`] about a game, because the server
//! keeps that many answers for each player of a game.

use std::collections::BTreeMap;
use std::time::Duration;

use zeitnot_protocol::{
    BootId, ChallengeId, ClientMessage, Code, CommandId, GameId, Limits, Period, TimeControl,
};

use super::ids::{self, Ids};
use super::{Key, Moment};
use crate::{Error, Options};

/// Commands of callers that wait for an answer.
const UNANSWERED_MAX: usize = 256;

/// Those of them about one game.
const UNANSWERED_PER_GAME_MAX: usize = Limits::STANDARD.answers_kept as usize;

/// The first wait after `unavailable`; each further one is half as long again, up to the longest.
const AGAIN_AFTER: Duration = Duration::from_millis(500);
const AGAIN_LONGEST: Duration = Duration::from_secs(5);

/// Who waits for the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// A caller.
    Caller(Key),
    /// The machine: it follows this game.
    Watch(GameId),
    /// The machine: it stays in the lobby.
    Lobby,
}

/// A command that waits for an answer.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) message: ClientMessage,
    pub(super) owner: Owner,
    made: Moment,
    /// When it was sent first.
    pub(super) sent: Option<Moment>,
    /// To which start of the server it was sent last.
    boot: Option<BootId>,
    stage: Stage,
    /// How often the server had no time for it.
    unavailable: i32,
    /// Whether it was sent on an earlier connection, so that it may have taken effect.
    was_lost: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// To be sent as soon as there is a connection.
    Waits,
    /// Sent on this connection.
    Sent,
    /// To be sent again at this moment.
    Again(Moment),
    /// Held back until it is clear what became of it.
    Held,
}

impl Pending {
    /// Whether the rejection says that it had taken effect when it was sent before.
    pub(super) fn had_taken_effect(&self, code: Code) -> bool {
        let gone = match self.message {
            ClientMessage::CancelChallenge(_) => Code::ChallengeCancelled,
            ClientMessage::DeclineChallenge(_) => Code::ChallengeDeclined,
            _ => return false,
        };
        self.was_lost && (code == gone || code == Code::UnknownChallenge)
    }

    /// Whether a game may come of it by which it is known again. One such command is on its way at a time, so that a
    /// game is not taken for the answer to another one.
    fn makes_game(&self) -> bool {
        use ClientMessage::{CreateChallenge, JoinPool, OfferRematch};
        matches!(self.message, CreateChallenge(_) | OfferRematch(_) | JoinPool(_))
    }

    /// Whether an `ok` with a game says which game has come of it.
    pub(super) fn begins_game(&self) -> bool {
        use ClientMessage::{AcceptChallenge, CreateChallenge, OfferRematch};
        matches!(self.message, CreateChallenge(_) | OfferRematch(_) | AcceptChallenge(_))
    }

    /// Whether a game with these clocks may be what it led to.
    pub(super) fn leads_to(&self, time_control: &TimeControl) -> bool {
        match &self.message {
            ClientMessage::CreateChallenge(wanted) => wanted.time_control == *time_control,
            ClientMessage::JoinPool(join) => {
                let (minutes, seconds) = join.pool.clock();
                let increment = |period: &Period| period.increment_ms.unwrap_or_default();
                let fits = |period: &Period| {
                    period.base_ms == minutes * 60_000 && increment(period) == seconds * 1_000
                };
                matches!(time_control, TimeControl::Clock { periods, .. } if periods.iter().all(fits))
            }
            ClientMessage::OfferRematch(_) => true,
            _ => false,
        }
    }

    fn is_doubtful(&self, boot: BootId) -> bool {
        match self.message {
            ClientMessage::CreateChallenge(_) | ClientMessage::OfferRematch(_) => {
                self.boot.is_some_and(|sent| sent != boot)
            }
            ClientMessage::JoinPool(_) => self.sent.is_some(),
            _ => false,
        }
    }
}

/// The commands that wait.
#[derive(Debug)]
pub(super) struct Commands {
    ids: Ids,
    pending: BTreeMap<u64, Pending>,
}

impl Commands {
    pub(super) fn new(ids: Ids) -> Self {
        Self { ids, pending: BTreeMap::new() }
    }

    /// Takes a command. It is sent by [`Commands::due`].
    ///
    /// # Errors
    /// When too many wait, or the server would not read it.
    pub(super) fn put(&mut self, mut message: ClientMessage, owner: Owner, now: Moment) -> Result<(), Error> {
        if matches!(owner, Owner::Caller(_)) {
            let callers = self.pending.values().filter(|pending| matches!(pending.owner, Owner::Caller(_)));
            let game = message.game();
            let same = callers.clone().filter(|other| game.is_some() && other.message.game() == game);
            if callers.count() >= UNANSWERED_MAX || same.count() >= UNANSWERED_PER_GAME_MAX {
                return Err(Error::TooManyUnanswered);
            }
        }
        let number = self.ids.draw();
        ids::name(&mut message, self.ids.id(number));
        let (bytes, most) = (message.to_text().len(), Limits::STANDARD.frame_in_bytes as usize);
        if bytes > most {
            return Err(Error::TooLong { bytes, most });
        }
        let pending = Pending {
            message,
            owner,
            made: now,
            sent: None,
            boot: None,
            stage: Stage::Waits,
            unavailable: 0,
            was_lost: false,
        };
        self.pending.insert(number, pending);
        Ok(())
    }

    /// The messages that are to be sent now, on a connection to this start of the server.
    pub(super) fn due(&mut self, boot: BootId, now: Moment) -> Vec<ClientMessage> {
        let mut is_making =
            self.pending.values().any(|pending| pending.makes_game() && pending.stage != Stage::Waits);
        let due = self.pending.values_mut().filter(move |pending| match pending.stage {
            Stage::Waits if pending.makes_game() => !std::mem::replace(&mut is_making, true),
            Stage::Waits => true,
            Stage::Again(at) => at <= now,
            Stage::Sent | Stage::Held => false,
        });
        due.map(|pending| {
            pending.stage = Stage::Sent;
            pending.sent.get_or_insert(now);
            pending.boot = Some(boot);
            pending.message.clone()
        })
        .collect()
    }

    /// The command that an answer with this id is for. It no longer waits.
    pub(super) fn answered(&mut self, id: Option<CommandId>) -> Option<Pending> {
        self.pending.remove(&self.ids.number(id?)?)
    }

    /// The server has no time for this command: it is sent again a little later, under the same id.
    pub(super) fn again_later(&mut self, id: CommandId, now: Moment) {
        let Some(number) = self.ids.number(id) else { return };
        if let Some(pending) = self.pending.get_mut(&number) {
            let wait = AGAIN_AFTER.mul_f64(1.5_f64.powi(pending.unavailable.min(32)));
            pending.unavailable += 1;
            pending.stage = Stage::Again(now + wait.min(AGAIN_LONGEST));
        }
    }

    /// Whether a command of the machine for this purpose waits.
    pub(super) fn has(&self, owner: Owner) -> bool {
        self.pending.values().any(|pending| pending.owner == owner)
    }

    /// Whether the acceptance of this challenge waits.
    pub(super) fn accepts(&self, challenge: ChallengeId) -> bool {
        self.pending.values().any(|pending| {
            matches!(&pending.message, ClientMessage::AcceptChallenge(accept) if accept.challenge == challenge)
        })
    }

    /// Whether a command that was sent and makes a challenge waits.
    pub(super) fn creates(&self) -> bool {
        self.pending.values().any(|pending| {
            let creates =
                matches!(pending.message, ClientMessage::CreateChallenge(_) | ClientMessage::OfferRematch(_));
            creates && pending.sent.is_some()
        })
    }

    /// The machine no longer wants the answer to its own command.
    pub(super) fn forget(&mut self, owner: Owner) {
        self.pending.retain(|_, pending| pending.owner != owner);
    }

    /// The connection has ended. What callers wait for is sent again on the next one; the machine asks anew.
    pub(super) fn disconnected(&mut self) {
        self.pending.retain(|_, pending| matches!(pending.owner, Owner::Caller(_)));
        for pending in self.pending.values_mut() {
            pending.was_lost |= pending.sent.is_some();
            pending.stage = Stage::Waits;
        }
    }

    /// A connection is open. Holds back what may have taken effect without the server knowing its id; whether there
    /// is any.
    pub(super) fn hold(&mut self, boot: BootId) -> bool {
        for pending in self.pending.values_mut().filter(|pending| pending.is_doubtful(boot)) {
            pending.stage = Stage::Held;
        }
        self.pending.values().any(|pending| pending.stage == Stage::Held)
    }

    /// It is clear what became of the commands that were held back: `became` says which ones need not be sent again.
    pub(super) fn release<T>(&mut self, mut became: impl FnMut(&Pending) -> Option<T>) -> Vec<(Owner, T)> {
        let mut done = Vec::new();
        self.pending.retain(|_, pending| {
            if pending.stage != Stage::Held {
                return true;
            }
            pending.stage = Stage::Waits;
            match became(pending) {
                Some(what) => done.push((pending.owner, what)),
                None => return true,
            }
            false
        });
        done
    }

    /// Takes out what must not be sent to a server whose data were restored: what it was about may never have been.
    pub(super) fn take_restored(&mut self) -> Vec<Owner> {
        self.take(|pending| pending.sent.is_some() || pending.message.game().is_some())
    }

    /// Takes out what has waited for too long.
    pub(super) fn take_expired(&mut self, options: &Options, now: Moment) -> Vec<Owner> {
        self.take(|pending| {
            matches!(pending.owner, Owner::Caller(_)) && now >= pending.made + options.command_timeout
        })
    }

    /// Takes out everything.
    pub(super) fn take_all(&mut self) -> Vec<Owner> {
        self.take(|_| true)
    }

    fn take(&mut self, which: impl Fn(&Pending) -> bool) -> Vec<Owner> {
        let taken = self.pending.extract_if(.., |_, pending| which(pending));
        taken.map(|(_, pending)| pending.owner).collect()
    }

    /// When [`Commands::due`] or [`Commands::take_expired`] has something to do next.
    pub(super) fn wake_at(&self, options: &Options, is_open: bool) -> Option<Moment> {
        let again = self.pending.values().filter_map(|pending| match pending.stage {
            Stage::Again(at) if is_open => Some(at),
            _ => None,
        });
        let callers = self.pending.values().filter(|pending| matches!(pending.owner, Owner::Caller(_)));
        again.chain(callers.map(|pending| pending.made + options.command_timeout)).min()
    }
}
