//! Which question is next: the queue of the pool as a plain state machine, without threads and clocks.
//!
//! In this order: first rounds of questions about an end, first rounds about dead positions, later
//! rounds about an end, later rounds about dead positions by their round; among equals the game for
//! which less was searched so far, then the older question. So a game that asks for much comes after
//! every other one.
//!
//! Invariants: a game has at most one question that waits and one that is searched, and the one that
//! waits is not taken meanwhile; a newer question takes the place of the one that waits; a question
//! about an end makes the search about a position useless; a game's searches about dead positions
//! never exceed its allowance by more than one round.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use zeitnot_protocol::GameId;
use zeitnot_rules::game::{Question, QuestionKind};

use super::node_limits::{ALLOWANCE_MAX, BOUNDS, REFILL, WAITING_MAX};

/// A question on its way through the rounds. `R` is whom to answer.
#[derive(Debug)]
pub(super) struct Task<R> {
    pub(super) game: GameId,
    pub(super) question: Box<Question>,
    pub(super) reply: R,
    round: usize,
    wanted: Arc<AtomicBool>,
}

/// Where a question stands in the queue: the least is next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    is_later_round: bool,
    is_about_dead: bool,
    round: usize,
    spent: u64,
    number: u64,
}

/// The searches of one game.
#[derive(Debug)]
struct GameSearches<R> {
    waiting: Option<Waiting<R>>,
    /// Whether what is searched is still wanted.
    running: Option<Arc<AtomicBool>>,
    /// Positions looked at for it.
    spent: u64,
    /// Positions that may still be looked at for dead positions.
    allowance: u64,
}

#[derive(Debug)]
struct Waiting<R> {
    /// `None` while another question of the game is searched.
    place: Option<Place>,
    task: Task<R>,
}

/// The queue.
#[derive(Debug)]
pub(super) struct Scheduler<R> {
    games: HashMap<GameId, GameSearches<R>>,
    order: BTreeMap<Place, GameId>,
    asked: u64,
    waiting_max: usize,
}

impl<R> Task<R> {
    fn new(game: GameId, question: Box<Question>, reply: R) -> Self {
        Self { game, question, reply, round: 0, wanted: Arc::new(AtomicBool::new(true)) }
    }

    /// Whether somebody still waits for the answer.
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed)
    }

    pub(super) fn is_first_round(&self) -> bool {
        self.round == 0
    }

    /// Whether the answer is as good as it will ever be, also when it is undecided.
    pub(super) fn is_last_round(&self) -> bool {
        self.round + 1 == BOUNDS.len()
    }

    /// The bound of this round, in positions for each side.
    pub(super) fn bound(&self) -> u32 {
        BOUNDS[self.round]
    }

    fn is_about_end(&self) -> bool {
        self.question.kind != QuestionKind::DeadPosition
    }
}

impl<R> Scheduler<R> {
    pub(super) fn new() -> Self {
        Self::with_room(WAITING_MAX)
    }

    /// One that lets only so many questions about dead positions wait.
    pub(super) fn with_room(waiting_max: usize) -> Self {
        Self { games: HashMap::new(), order: BTreeMap::new(), asked: 0, waiting_max }
    }

    /// How many questions wait to be searched.
    pub(super) fn waiting(&self) -> usize {
        self.order.len()
    }

    /// Takes a question, in place of the one of its game that waits. Gives back the task that has no room any more.
    pub(super) fn ask(&mut self, game: GameId, question: Box<Question>, reply: R) -> Option<Task<R>> {
        let task = Task::new(game, question, reply);
        let searches = self.games.entry(game).or_insert_with(GameSearches::new);
        if task.is_about_end() {
            searches.abandon();
        } else {
            searches.allowance = (searches.allowance + REFILL).min(ALLOWANCE_MAX);
        }
        if let Some(place) = searches.waiting.take().and_then(|waiting| waiting.place) {
            self.order.remove(&place);
        }
        self.wait(task);
        if self.order.len() > self.waiting_max { self.evict() } else { None }
    }

    /// The next question: with `only_first`, the next one if it is in its first round.
    pub(super) fn take(&mut self, only_first: bool) -> Option<Task<R>> {
        let (&place, &game) = self.order.first_key_value()?;
        if only_first && place.round > 0 {
            return None;
        }
        self.order.remove(&place);
        let searches = self.games.get_mut(&game)?;
        let task = searches.waiting.take()?.task;
        searches.running = Some(Arc::clone(&task.wanted));
        Some(task)
    }

    /// A search has ended after about so many positions. Gives the task back when its game is to be answered now.
    pub(super) fn finish(&mut self, mut task: Task<R>, looked_at: u64, is_decided: bool) -> Option<Task<R>> {
        let searches = self.games.get_mut(&task.game)?;
        // Of a game that was forgotten and has asked again since.
        searches.running.take_if(|running| Arc::ptr_eq(running, &task.wanted))?;
        searches.spent += looked_at;
        if !task.is_about_end() {
            searches.allowance = searches.allowance.saturating_sub(looked_at);
        }
        if let Some(newer) = searches.waiting.take() {
            let is_answer = is_decided && task.is_wanted();
            self.wait(newer.task);
            return is_answer.then_some(task);
        }
        if !task.is_wanted() {
            return None;
        }
        let goes_on = !is_decided && !task.is_last_round() && searches.affords(&task);
        if !goes_on {
            return Some(task);
        }
        task.round += 1;
        self.wait(task);
        None
    }

    /// Nobody waits for an answer about this game any more.
    pub(super) fn forget(&mut self, game: GameId) {
        let Some(searches) = self.games.remove(&game) else { return };
        searches.abandon();
        if let Some(place) = searches.waiting.and_then(|waiting| waiting.place) {
            self.order.remove(&place);
        }
    }

    /// Nobody waits for any answer any more.
    pub(super) fn clear(&mut self) {
        self.order.clear();
        for (_, searches) in self.games.drain() {
            searches.abandon();
        }
    }

    fn wait(&mut self, task: Task<R>) {
        let Some(searches) = self.games.get_mut(&task.game) else { return };
        self.asked += 1;
        let place = searches.running.is_none().then(|| Place {
            is_later_round: !task.is_first_round(),
            is_about_dead: !task.is_about_end(),
            round: task.round,
            spent: searches.spent,
            number: self.asked,
        });
        self.order.extend(place.map(|place| (place, task.game)));
        searches.waiting = Some(Waiting { place, task });
    }

    /// Takes the last question about a dead position out of the queue.
    fn evict(&mut self) -> Option<Task<R>> {
        let (&place, &game) = self.order.iter().rev().find(|(place, _)| place.is_about_dead)?;
        self.order.remove(&place);
        self.games.get_mut(&game)?.waiting.take().map(|waiting| waiting.task)
    }
}

impl<R> GameSearches<R> {
    fn new() -> Self {
        Self { waiting: None, running: None, spent: 0, allowance: ALLOWANCE_MAX }
    }

    /// What is searched is not wanted any more. It stays the one that is searched until it has ended.
    fn abandon(&self) {
        if let Some(running) = &self.running {
            running.store(false, Ordering::Relaxed);
        }
    }

    /// Whether the next round may be made: about an end always, since a game has one.
    fn affords(&self, task: &Task<R>) -> bool {
        task.is_about_end() || self.allowance >= u64::from(BOUNDS[task.round + 1])
    }
}
