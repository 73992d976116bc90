//! Appends on their way: late, lost, rejected, or with an unknown outcome.

use std::sync::Arc;

use zeitnot_protocol::GameId;

use super::World;
use super::faults::Faults;
use super::world::{Flying, What};
use crate::storage::{AppendAnswer, AppendError, JournalOffset, Record};

impl World {
    /// A record is on its way to the disk: what becomes of it is drawn here.
    pub(super) fn append(&mut self, game: GameId, actor: u64, after: JournalOffset, record: Arc<Record>) {
        self.appends += 1;
        let (number, boot) = (self.appends, self.boots);
        let faults = if self.is_healing { Faults::none() } else { self.faults.clone() };
        let written = self.dice.span(faults.disk) + 1;
        let answered = written + self.dice.span(faults.disk / 2) + 1;
        let (mut writes, mut answer): (Option<u64>, Option<AppendAnswer>) = (Some(written), None);
        if self.dice.permille(faults.append_failed) {
            self.checker.coverage.hit("append: failed");
            (writes, answer) = (None, Some(Err(AppendError::Failed("a fault was drawn".to_owned()))));
        } else if self.dice.permille(faults.append_conflict) {
            self.checker.coverage.hit("append: conflict");
            (writes, answer) = (None, Some(Err(AppendError::Conflict)));
        } else if self.dice.permille(faults.append_unknown) {
            answer = Some(Err(AppendError::Unknown));
            writes = match self.dice.below(3) {
                0 => Some(written),
                1 => None,
                _ => Some(answered + self.dice.span(1_500_000)),
            };
            self.checker.coverage.hit(match writes {
                None => "append: unknown, lost",
                Some(at) if at > answered => "append: unknown, late",
                Some(_) => "append: unknown, kept",
            });
        } else {
            self.checker.coverage.hit("append: kept");
        }
        self.flying.insert(
            number,
            Flying { game, actor, after, record, answer, writes: writes.is_some(), is_answered: false },
        );
        if let Some(wait) = writes {
            self.after(wait, What::Written { boot, number });
        }
        self.after(answered, What::Answered { boot, number });
    }

    /// A record reaches the disk.
    pub(super) fn written(&mut self, number: u64) {
        let Some(flying) = self.flying.get_mut(&number) else { return };
        flying.writes = false;
        let is_certain = flying.answer.is_none();
        let written = self.disk.write(flying.after, &flying.record, is_certain);
        let (record, is_durable) = (Arc::clone(&flying.record), written.is_ok());
        flying.answer.get_or_insert(written);
        if flying.is_answered {
            self.flying.remove(&number);
        }
        if is_durable {
            self.trace(&format!("{} durable {record:?}", self.now));
            self.checker.durable(&record);
        }
    }

    /// An append is answered.
    pub(super) fn append_answered(&mut self, number: u64) {
        let Some(flying) = self.flying.get_mut(&number) else { return };
        let (game, actor) = (flying.game, flying.actor);
        let Some(answer) = flying.answer.clone() else {
            // A stop of the process delayed both, and the disk comes first.
            let boot = self.boots;
            return self.after(1, What::Answered { boot, number });
        };
        flying.is_answered = true;
        if !flying.writes {
            self.flying.remove(&number);
        }
        if let Some(actor) = self.actor_of(game, actor) {
            actor.appended(answer);
            self.schedule_actor(game, 0);
        }
    }
}
