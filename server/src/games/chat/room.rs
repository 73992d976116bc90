//! One room: its last lines, numbered, and the commands that posted them.
//!
//! Plain data; [`GameChat`](super::GameChat) decides who may post. Deliberately absent: its
//! readers.
//!
//! Invariants: lines are numbered 1, 2, 3 and so on without gaps, and the last [`LINES_KEPT`] are
//! kept; the last [`IDS_KEPT`] lines with an id are known by it.

use std::collections::VecDeque;

use zeitnot_protocol::{AccountId, CommandId, Limits};

use crate::connections::Frame;

/// The most lines kept.
const LINES_KEPT: usize = Limits::STANDARD.chat_lines_kept as usize;
/// The most ids kept: fewer lines are posted before a lost connection sends its command again.
const IDS_KEPT: usize = 256;

/// The lines of one room.
#[derive(Debug, Default)]
pub(super) struct Room {
    lines: VecDeque<Frame>,
    /// The number of the last line.
    last: u32,
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
    /// The number of the last line; 0 before the first.
    pub(super) fn last(&self) -> u32 {
        self.last
    }

    /// The line that this command said, if it did.
    pub(super) fn said_by(&self, by: AccountId, id: CommandId) -> Option<u32> {
        self.named.iter().rev().find(|named| named.by == by && named.id == id).map(|named| named.n)
    }

    /// Adds the next line. The bytes that were added, and those that went with the oldest line.
    pub(super) fn push(&mut self, line: Frame, by: AccountId, id: Option<CommandId>) -> (usize, usize) {
        debug_assert_eq!(line.seq(), self.last + 1, "lines are numbered without gaps");
        self.last = line.seq();
        if let Some(id) = id {
            if self.named.len() >= IDS_KEPT {
                self.named.pop_front();
            }
            self.named.push_back(Named { by, id, n: self.last });
        }
        let mut dropped = 0;
        if self.lines.len() >= LINES_KEPT {
            dropped = self.lines.pop_front().map_or(0, |oldest| oldest.framed().len());
        }
        let added = line.framed().len();
        self.lines.push_back(line);
        (added, dropped)
    }

    /// Hands the kept lines after `heard` to `each`, in order, until that returns `false`, which
    /// says that it took no more. The last one that was handed over, or `heard`.
    pub(super) fn pull(&self, heard: u32, mut each: impl FnMut(&Frame) -> bool) -> u32 {
        let first = self.last + 1 - self.lines.len() as u32;
        let skipped = (heard + 1).saturating_sub(first) as usize;
        let mut cursor = heard;
        for line in self.lines.iter().skip(skipped) {
            if !each(line) {
                break;
            }
            cursor = line.seq();
        }
        cursor
    }
}
