//! What is open of the account: challenges, the pool, the name, and who waits for a challenge to become a game.
//!
//! The server tells it on every connection anew. What it no longer tells a while after `welcome` is gone.

use std::collections::{BTreeMap, VecDeque};

use zeitnot_protocol::{Challenge, ChallengeGone, ChallengeId, GameId, Waiting};

use super::Key;
use super::effects::{Answer, Effect, Subscriber};
use crate::{Error, Event};

/// How many open challenges are kept, twice what the server allows: 16 of the account, 16 to it, 16 accepted. Further
/// ones are told and forgotten.
const CHALLENGES_MAX: usize = 96;

/// How many callers may wait for games at a time.
const WAITERS_MAX: usize = 256;

/// Of how many challenges that are gone it is kept what became of them.
const GONE_MAX: usize = 64;

/// What is open of the account.
#[derive(Debug, Default)]
pub(super) struct Account {
    challenges: BTreeMap<ChallengeId, Open>,
    pub(super) waiting: Option<Waiting>,
    pub(super) name: Option<String>,
    /// Who waits for a challenge to become a game.
    waiters: Vec<(Key, ChallengeId)>,
    /// What became of the last challenges that are gone, for whoever asks a moment later.
    gone: VecDeque<Gone>,
}

/// An open challenge.
#[derive(Debug)]
struct Open {
    challenge: Challenge,
    /// The connection on which it was told last.
    told_on: u32,
    /// Whether it is known where it came from: not from a command that waits for its answer.
    is_explained: bool,
}

/// What became of a challenge that is gone.
#[derive(Debug)]
struct Gone {
    challenge: ChallengeId,
    became: Result<Answer, Error>,
    was_explained: bool,
}

impl Account {
    pub(super) fn knows(&self, challenge: ChallengeId) -> bool {
        self.challenges.contains_key(&challenge)
    }

    /// Whether it is known where this challenge came from, so that its game is not the answer to another command.
    pub(super) fn explains(&self, challenge: ChallengeId) -> bool {
        let gone = self.gone.iter().any(|gone| gone.challenge == challenge && gone.was_explained);
        gone || self.challenges.get(&challenge).is_some_and(|open| open.is_explained)
    }

    /// A challenge as it stands. `is_explained`: it is known where it came from.
    pub(super) fn challenge(
        &mut self,
        mut challenge: Challenge,
        is_explained: bool,
        connection: u32,
        out: &mut Vec<Effect>,
    ) {
        challenge.id = None;
        // Only how long it is still open has changed when it is told again.
        let same =
            |known: &Challenge| Challenge { ends_in_ms: known.ends_in_ms, ..challenge.clone() } == *known;
        let known = self.challenges.get(&challenge.challenge);
        let is_known = known.is_some();
        if !known.is_some_and(|open| same(&open.challenge)) {
            out.push(Effect::Event(None, Event::Challenge(Box::new(challenge.clone()))));
        }
        let is_explained = is_explained || known.is_some_and(|open| open.is_explained);
        if is_known || self.challenges.len() < CHALLENGES_MAX {
            let id = challenge.challenge;
            self.challenges.insert(id, Open { challenge, told_on: connection, is_explained });
        }
    }

    pub(super) fn gone(&mut self, gone: &ChallengeGone, out: &mut Vec<Effect>) {
        let open = self.challenges.remove(&gone.challenge);
        if open.is_some() {
            out.push(Effect::Event(None, Event::ChallengeGone(gone.clone())));
        }
        let became = match gone.game {
            Some(game) => Ok(Answer::Game(game)),
            None => Err(Error::ChallengeGone { declined: gone.declined }),
        };
        self.resolve(gone.challenge, &became, out);
        let was_explained = open.is_some_and(|open| open.is_explained);
        self.keep_gone(Gone { challenge: gone.challenge, became, was_explained });
    }

    /// It is known now where the challenge of this game came from.
    pub(super) fn explain(&mut self, game: GameId) {
        let Ok(challenge) = game.as_str().parse() else { return };
        match self.challenges.get_mut(&challenge) {
            Some(open) => open.is_explained = true,
            None => self.keep_gone(Gone { challenge, became: Ok(Answer::Game(game)), was_explained: true }),
        }
    }

    fn keep_gone(&mut self, gone: Gone) {
        if self.gone.len() == GONE_MAX {
            self.gone.pop_front();
        }
        self.gone.push_back(gone);
    }

    /// This game of the account is in progress.
    pub(super) fn began(&mut self, game: GameId, out: &mut Vec<Effect>) {
        if let Ok(challenge) = game.as_str().parse() {
            self.resolve(challenge, &Ok(Answer::Game(game)), out);
        }
    }

    /// Somebody waits for the game of this challenge.
    pub(super) fn await_game(&mut self, key: Key, challenge: ChallengeId, out: &mut Vec<Effect>) {
        if self.waiters.len() >= WAITERS_MAX {
            out.push(Effect::Answer(key, Err(Error::TooManyUnanswered)));
        } else if self.knows(challenge) {
            self.waiters.push((key, challenge));
        } else if let Some(gone) = self.gone.iter().find(|gone| gone.challenge == challenge) {
            out.push(Effect::Answer(key, gone.became.clone()));
        } else {
            // If there is such a game, it can be opened; and if not, the server says so.
            out.push(Effect::Answer(key, Ok(Answer::Game(challenge.into()))));
        }
    }

    /// This one waits no longer.
    pub(super) fn abandoned(&mut self, key: Key) {
        self.waiters.retain(|(waiter, _)| *waiter != key);
    }

    /// It is told by now what is open on this connection.
    pub(super) fn settle(&mut self, connection: u32, out: &mut Vec<Effect>) {
        let gone: Vec<_> = self.challenges.extract_if(.., |_, open| open.told_on != connection).collect();
        for (challenge, _) in gone {
            let gone = ChallengeGone { challenge, game: None, declined: None };
            out.push(Effect::Event(None, Event::ChallengeGone(gone)));
            // It may have become a game that is over by now.
            self.resolve(challenge, &Ok(Answer::Game(challenge.into())), out);
        }
    }

    /// The pool in which the account waits.
    pub(super) fn waits(&mut self, waiting: Waiting, out: &mut Vec<Effect>) {
        self.waiting = waiting.pool.is_some().then(|| waiting.clone());
        out.push(Effect::Event(None, Event::Waiting(waiting)));
    }

    pub(super) fn named(&mut self, name: String, out: &mut Vec<Effect>) {
        if self.name.as_ref() != Some(&name) {
            out.push(Effect::Event(None, Event::Name(name.clone())));
            self.name = Some(name);
        }
    }

    /// Tells a subscriber all that is open.
    pub(super) fn tell_all(&self, to: Subscriber, out: &mut Vec<Effect>) {
        let to = Some(to);
        out.extend(self.name.iter().map(|name| Effect::Event(to, Event::Name(name.clone()))));
        let challenges = self.challenges.values();
        let told = |open: &Open| Event::Challenge(Box::new(open.challenge.clone()));
        out.extend(challenges.map(|open| Effect::Event(to, told(open))));
        out.extend(self.waiting.iter().map(|waiting| Effect::Event(to, Event::Waiting(waiting.clone()))));
    }

    /// Nothing more will happen.
    pub(super) fn stopped(&mut self, error: &Error, out: &mut Vec<Effect>) {
        out.extend(self.waiters.drain(..).map(|(key, _)| Effect::Answer(key, Err(error.clone()))));
    }

    fn resolve(&mut self, challenge: ChallengeId, answer: &Result<Answer, Error>, out: &mut Vec<Effect>) {
        let done = self.waiters.extract_if(.., |(_, awaited)| *awaited == challenge);
        out.extend(done.map(|(key, _)| Effect::Answer(key, answer.clone())));
    }
}
