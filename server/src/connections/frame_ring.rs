//! The last frames of something that is published: a game's events, a room's lines, the lobby's
//! updates. A reader holds a cursor, the number of the last frame that it has, and pulls what came
//! after it.
//!
//! Deliberately absent: locks, and waking the readers.
//!
//! Invariant: the frames are numbered without gaps up to the head.

use std::collections::VecDeque;

use super::Frame;

/// Consecutive frames, bounded in count and in bytes.
#[derive(Debug, Default)]
pub(crate) struct FrameRing {
    frames: VecDeque<Frame>,
    head: u32,
    bytes: usize,
}

impl FrameRing {
    /// An empty ring that goes on after the frame `head`.
    pub(crate) fn after_head(head: u32) -> Self {
        Self { head, ..Self::default() }
    }

    /// The number of the last frame that was pushed.
    pub(crate) fn head(&self) -> u32 {
        self.head
    }

    /// The number of the first frame that is kept; one after the head when none is.
    pub(crate) fn first(&self) -> u32 {
        self.head + 1 - self.frames.len() as u32
    }

    /// The bytes of the frames that are kept.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Adds the next frame. The oldest go until there are at most `frames_max` of them with
    /// `bytes_max` bytes. The new one always stays.
    pub(crate) fn push(&mut self, frame: Frame, frames_max: usize, bytes_max: usize) {
        debug_assert_eq!(frame.seq(), self.head + 1, "frames are pushed in order and without gaps");
        self.head = frame.seq();
        self.bytes += frame.framed().len();
        self.frames.push_back(frame);
        while self.frames.len() > frames_max || self.bytes > bytes_max && self.frames.len() > 1 {
            let oldest = self.frames.pop_front().expect("the ring is not empty: it is too long");
            self.bytes -= oldest.framed().len();
        }
    }

    /// The frames after `cursor`, which is not over the head, as far as they are kept.
    pub(crate) fn after(&self, cursor: u32) -> impl Iterator<Item = &Frame> {
        self.frames.range((cursor + 1).saturating_sub(self.first()) as usize..)
    }

    /// Gives back the memory of all frames.
    pub(crate) fn clear(&mut self) {
        *self = Self::after_head(self.head);
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::{Pong, ServerMessage};

    use super::*;

    fn frame(number: u32) -> Frame {
        Frame::new(number, &ServerMessage::Pong(Pong { n: 7, at: 0, ms: 0 }))
    }

    fn ring(frames_max: usize, bytes_max: usize) -> FrameRing {
        let mut ring = FrameRing::after_head(10);
        (11..=20).for_each(|number| ring.push(frame(number), frames_max, bytes_max));
        ring
    }

    fn after(ring: &FrameRing, cursor: u32) -> Vec<u32> {
        ring.after(cursor).map(Frame::seq).collect()
    }

    #[test]
    fn a_cursor_gets_what_came_after_it_as_far_as_it_is_kept() {
        let ring = ring(3, usize::MAX);
        assert_eq!((ring.first(), ring.head()), (18, 20));
        assert_eq!(after(&ring, 18), [19, 20]);
        assert!(after(&ring, 20).is_empty());
        assert_eq!(after(&ring, 10), [18, 19, 20]);
    }

    #[test]
    fn bytes_are_bounded_but_for_one_frame() {
        let length = frame(1).framed().len();
        assert_eq!(after(&ring(100, 2 * length), 0), [19, 20]);
        assert_eq!(ring(100, 2 * length).bytes(), 2 * length);
        assert_eq!(after(&ring(100, 0), 0), [20]);
    }

    #[test]
    fn a_ring_goes_on_after_its_frames_were_given_back() {
        let mut ring = ring(3, usize::MAX);
        ring.clear();
        assert_eq!((ring.first(), ring.head(), ring.bytes()), (21, 20, 0));
        ring.push(frame(21), 3, usize::MAX);
        assert_eq!(after(&ring, 20), [21]);
    }
}
