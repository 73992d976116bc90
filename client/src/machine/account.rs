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
    /// By their ids, with the connection on which each was told last.
    challenges: BTreeMap<ChallengeId, (Challenge, u32)>,
    pub(super) waiting: Option<Waiting>,
    pub(super) name: Option<String>,
    /// Who waits for a challenge to become a game.
    waiters: Vec<(Key, ChallengeId)>,
    /// What became of the last challenges that are gone, for whoever asks a moment later.
    gone: VecDeque<(ChallengeId, Result<Answer, Error>)>,
}

impl Account {
    pub(super) fn knows(&self, challenge: ChallengeId) -> bool {
        self.challenges.contains_key(&challenge)
    }

    /// A challenge as it stands.
    pub(super) fn challenge(&mut self, mut challenge: Challenge, connection: u32, out: &mut Vec<Effect>) {
        challenge.id = None;
        // Only how long it is still open has changed when it is told again.
        let same =
            |known: &Challenge| Challenge { ends_in_ms: known.ends_in_ms, ..challenge.clone() } == *known;
        let known = self.challenges.get(&challenge.challenge);
        let (is_known, is_told) = (known.is_some(), known.is_some_and(|(known, _)| same(known)));
        if !is_told {
            out.push(Effect::Event(None, Event::Challenge(Box::new(challenge.clone()))));
        }
        if is_known || self.challenges.len() < CHALLENGES_MAX {
            self.challenges.insert(challenge.challenge, (challenge, connection));
        }
    }

    pub(super) fn gone(&mut self, gone: &ChallengeGone, out: &mut Vec<Effect>) {
        if self.challenges.remove(&gone.challenge).is_some() {
            out.push(Effect::Event(None, Event::ChallengeGone(gone.clone())));
        }
        let answer = match gone.game {
            Some(game) => Ok(Answer::Game(game)),
            None => Err(Error::ChallengeGone { declined: gone.declined }),
        };
        self.resolve(gone.challenge, &answer, out);
        if self.gone.len() == GONE_MAX {
            self.gone.pop_front();
        }
        self.gone.push_back((gone.challenge, answer));
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
        } else if let Some((_, became)) = self.gone.iter().find(|(gone, _)| *gone == challenge) {
            out.push(Effect::Answer(key, became.clone()));
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
        let gone: Vec<_> = self.challenges.extract_if(.., |_, (_, told_on)| *told_on != connection).collect();
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
        out.extend(challenges.map(|(open, _)| Effect::Event(to, Event::Challenge(Box::new(open.clone())))));
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
