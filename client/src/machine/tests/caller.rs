//! A caller of the machine: reads at its own speed, plays, and keeps account of what it was told.

use std::collections::BTreeMap;
use std::task::{Context, Poll, Waker};

use rand::Rng as _;
use rand::rngs::StdRng;
use zeitnot_protocol::{
    ClientMessage, CreateChallenge, GameCommand, JoinPool, PlayMove, PoolId, TimeControl,
};

use super::model::Model;
use crate::inbox::GameInbox;
use crate::machine::{Answer, Key};
use crate::{Error, GameEvent};

#[derive(Debug, Default)]
pub(super) struct Caller {
    pub(super) inbox: GameInbox,
    /// The last event that was read.
    pub(super) seq: Option<u32>,
    pub(super) has_ended: bool,
    /// The `on` of the turns.
    pub(super) turns: Vec<u32>,
    /// What was sent, and what it was answered.
    pub(super) asked: BTreeMap<Key, (ClientMessage, Option<Result<Answer, Error>>)>,
    pub(super) challenges: u32,
    pub(super) pools: u32,
    pub(super) offers: u32,
    wishes: Vec<ClientMessage>,
}

impl Caller {
    /// Reads what waits, at most so much.
    pub(super) fn read(&mut self, most: usize, capacity: usize) {
        for _ in 0..most {
            let Poll::Ready((event, _)) = self.inbox.poll_next(capacity, &Context::from_waker(Waker::noop()))
            else {
                return;
            };
            self.told(event.expect("nothing ends the client"));
        }
    }

    fn told(&mut self, event: GameEvent) {
        match (&event, event.seq(), self.seq) {
            (GameEvent::Snapshot(_), Some(seq), None) => self.seq = Some(seq),
            (GameEvent::Snapshot(_), ..) => panic!("nothing was restored"),
            (_, Some(seq), before) => {
                assert_eq!(Some(seq - 1), before, "{event:?}");
                self.seq = Some(seq);
            }
            _ => {}
        }
        match event {
            GameEvent::Turn(turn) => {
                assert!(self.seq >= Some(turn.on), "the turn came before its position");
                assert!(self.turns.iter().all(|told| *told < turn.on), "{turn:?} after {:?}", self.turns);
                self.turns.push(turn.on);
                let (game, uci) = (turn.game, turn.legal[0]);
                self.wishes.push(ClientMessage::Move(PlayMove { game, on: turn.on, uci, id: None }));
            }
            GameEvent::Ended(_) => self.has_ended = true,
            _ => {}
        }
    }

    /// What it wants now.
    pub(super) fn act(&mut self, rng: &mut StdRng) -> Option<ClientMessage> {
        if let Some(wish) = self.wishes.pop() {
            return Some(wish);
        }
        if rng.random_bool(0.1) && self.offers < 12 && !self.has_ended {
            self.offers += 1;
            return Some(ClientMessage::OfferDraw(GameCommand { game: Model::main(), id: None }));
        }
        if rng.random_bool(0.05) && self.challenges < 3 {
            self.challenges += 1;
            // All with the same clocks, so that nothing but their ids tells them apart.
            let control = TimeControl::Days { days: 3 };
            return Some(ClientMessage::CreateChallenge(CreateChallenge::with(control)));
        }
        if rng.random_bool(0.05) && self.pools < 1 {
            self.pools += 1;
            return Some(ClientMessage::JoinPool(JoinPool { pool: PoolId::ThreeMinutes, id: None }));
        }
        None
    }

    pub(super) fn answered(&mut self, key: Key, answer: Result<Answer, Error>) {
        let Some((message, place)) = self.asked.get_mut(&key) else { return };
        assert_eq!(*place, None, "{message:?} was answered twice");
        *place = Some(answer);
    }

    /// How far it is.
    pub(super) fn waits_for(&self) -> (Option<u32>, &[u32], Vec<&ClientMessage>) {
        let open = self.asked.values().filter(|(_, answer)| answer.is_none());
        (self.seq, &self.turns, open.map(|(message, _)| message).collect())
    }

    pub(super) fn has_all_answers(&self) -> bool {
        self.asked.values().all(|(_, answer)| answer.is_some())
    }
}
