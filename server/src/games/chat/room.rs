//! One room: its last lines, numbered, and the commands that posted them.
//!
//! Plain data; [`GameChat`](super::GameChat) decides who may post. Deliberately absent: its
//! readers.
//!
//! Invariants: lines are numbered 1, 2, 3 and so on, without gaps but for lines that were lost with
//! another node, and the last [`LINES_KEPT`] since such a gap are kept; the last [`IDS_KEPT`] lines with an id are known by it.

use std::collections::VecDeque;

use zeitnot_protocol::{AccountId, CommandId, Limits};

use crate::connections::{Frame, FrameRing};

/// The most lines kept.
const LINES_KEPT: usize = Limits::STANDARD.chat_lines_kept as usize;
/// The most ids kept: fewer lines are posted before a lost connection sends its command again.
const IDS_KEPT: usize = 256;

/// The lines of one room.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub(super) lines: FrameRing,
    /// Who said each of the kept lines.
    authors: VecDeque<AccountId>,
    named: VecDeque<Named>,
}

/// A line that was said by a command with an id.
#[derive(Debug)]
struct Named {
    by: AccountId,
    id: CommandId,
    n: u32,
}

impl Room {
    /// The line that this command said, if it did.
    pub(super) fn said_by(&self, by: AccountId, id: CommandId) -> Option<u32> {
        self.named.iter().rev().find(|named| named.by == by && named.id == id).map(|named| named.n)
    }

    /// The command that said a line, if it had an id and is known.
    pub(super) fn id_of(&self, n: u32) -> Option<CommandId> {
        self.named.iter().rev().find(|named| named.n == n).map(|named| named.id)
    }

    /// Lines up to this one are elsewhere: goes on after it, without those before.
    pub(super) fn go_on_after(&mut self, n: u32) {
        if n > self.lines.head() {
            self.lines = FrameRing::after_head(n);
            self.authors.clear();
        }
    }

    /// Adds the next line.
    pub(super) fn push(&mut self, line: Frame, by: AccountId, id: Option<CommandId>) {
        if let Some(id) = id {
            if self.named.len() >= IDS_KEPT {
                self.named.pop_front();
            }
            self.named.push_back(Named { by, id, n: line.seq() });
        }
        self.lines.push(line, LINES_KEPT, usize::MAX);
        if self.authors.len() >= LINES_KEPT {
            self.authors.pop_front();
        }
        self.authors.push_back(by);
    }

    /// Hands the kept lines after `heard` to `each`, in order, with who said them, until that returns `false`, which
    /// says that it took no more. The last one that was handed over, or `heard`.
    pub(super) fn pull(&self, heard: u32, mut each: impl FnMut(&Frame, AccountId) -> bool) -> u32 {
        let skipped = (heard + 1).saturating_sub(self.lines.first()) as usize;
        let lines = self.lines.after(heard).zip(self.authors.iter().skip(skipped));
        lines.take_while(|(line, by)| each(line, **by)).last().map_or(heard, |(line, _)| line.seq())
    }
}
