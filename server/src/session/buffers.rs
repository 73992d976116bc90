//! The buffers a session reads into and writes from, one set a worker thread.
//!
//! A session borrows them for one turn (one poll of its task) and gives them back, so an idle connection owns no
//! buffer. What a turn could not write stays with the session; what it read is used up within the turn.

use std::cell::Cell;
use std::ops::Range;

use super::machine::SessionEffect;
use super::output::Output;

/// The most bytes one read takes from a socket.
pub(crate) const INPUT_BYTES: usize = 4 * 1024;

/// An output that grew over this is not kept for the next turn.
const OUTPUT_KEPT: usize = 128 * 1024;

thread_local! {
    static SPARE: Cell<Option<Box<Buffers>>> = const { Cell::new(None) };
}

/// One turn's buffers.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) input: ReadBuffer,
    pub(crate) output: Output,
    /// Effects of the session machine that are to be carried out.
    pub(crate) effects: Vec<SessionEffect>,
}

/// What was read from a socket in one go.
#[derive(Debug)]
pub(crate) struct ReadBuffer {
    bytes: [u8; INPUT_BYTES],
    unread: Range<usize>,
}

impl ReadBuffer {
    /// Room for the next read; what was read before must have been used.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        debug_assert!(self.unread.is_empty(), "everything that was read is used before the next read");
        &mut self.bytes
    }

    /// Says how much of [`ReadBuffer::room`] was filled.
    pub(crate) fn filled(&mut self, bytes: usize) {
        self.unread = 0..bytes;
    }

    /// Forgets what was read.
    pub(crate) fn forget(&mut self) {
        self.unread = 0..0;
    }

    /// Moves what is unread into `room`, as much as fits.
    pub(crate) fn read(&mut self, room: &mut [u8]) -> usize {
        let bytes = self.unread.len().min(room.len());
        let from = self.unread.start;
        room[..bytes].copy_from_slice(&self.bytes[from..from + bytes]);
        self.unread.start += bytes;
        bytes
    }
}

impl Buffers {
    fn new() -> Box<Self> {
        let input = ReadBuffer { bytes: [0; INPUT_BYTES], unread: 0..0 };
        Box::new(Self { input, output: Output::default(), effects: Vec::new() })
    }

    /// Calls `act` with the thread's buffers. A nested call on the same thread gets other buffers:
    /// correct, and slower.
    pub(crate) fn with<T>(act: impl FnOnce(&mut Self) -> T) -> T {
        let mut buffers = SPARE.take().unwrap_or_else(Self::new);
        let result = act(&mut buffers);
        buffers.input.forget();
        buffers.effects.clear();
        buffers.output.clear();
        if buffers.output.capacity() > OUTPUT_KEPT {
            buffers.output = Output::default();
        }
        SPARE.set(Some(buffers));
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_turn_gets_the_same_buffers_empty() {
        let address = Buffers::with(|buffers| {
            buffers.output.text("left over");
            buffers.input.filled(7);
            std::ptr::from_ref(buffers) as usize
        });
        Buffers::with(|buffers| {
            assert_eq!(std::ptr::from_ref(buffers) as usize, address);
            assert!(buffers.output.is_empty());
            assert_eq!(buffers.input.read(&mut [0; 9]), 0);
        });
    }

    #[test]
    fn input_is_read_once_in_pieces() {
        Buffers::with(|buffers| {
            buffers.input.room()[..5].copy_from_slice(b"hello");
            buffers.input.filled(5);
            let mut room = [0; 3];
            assert_eq!(buffers.input.read(&mut room), 3);
            assert_eq!(&room, b"hel");
            assert_eq!(buffers.input.read(&mut room), 2);
            assert_eq!(buffers.input.read(&mut room), 0);
        });
    }
}
