//! Waits until sockets are readable: a thin layer over Linux epoll, level-triggered.
//!
//! It owns no socket and reads none. A socket is identified by the [`Token`] that it was added
//! with.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, epoll, poll};

/// Identifies a socket within its [`Poll`].
pub type Token = usize;

/// The most sockets that one wait reports.
const BATCH: usize = 1024;

/// Waits for readable sockets.
pub struct Poll {
    epoll: OwnedFd,
    events: Vec<epoll::Event>,
    ready: Vec<Token>,
}

impl fmt::Debug for Poll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Poll").field("epoll", &self.epoll).finish_non_exhaustive()
    }
}

impl AsFd for Poll {
    /// Readable while one of its sockets is.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.epoll.as_fd()
    }
}

impl Poll {
    /// Creates a poll without sockets.
    ///
    /// # Errors
    /// When the process has no file descriptor left.
    pub fn new() -> io::Result<Self> {
        Self::of(BATCH)
    }

    /// A poll of which one wait reports at most `batch` sockets.
    ///
    /// # Errors
    /// As [`Poll::new`].
    pub(crate) fn of(batch: usize) -> io::Result<Self> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        Ok(Self { epoll, events: Vec::with_capacity(batch), ready: Vec::with_capacity(batch) })
    }

    /// Reports `source` as `token` until it is closed.
    ///
    /// # Errors
    /// When the system call fails, for instance because the source was added before.
    pub fn add(&self, source: impl AsFd, token: Token) -> io::Result<()> {
        epoll::add(&self.epoll, source, epoll::EventData::new_u64(token as u64), epoll::EventFlags::IN)?;
        Ok(())
    }

    /// As [`Poll::add`], and reports it also while it can be written to: until [`Poll::only_read`].
    ///
    /// # Errors
    /// As [`Poll::add`].
    pub(crate) fn add_to_write(&self, source: impl AsFd, token: Token) -> io::Result<()> {
        let flags = epoll::EventFlags::IN | epoll::EventFlags::OUT;
        Ok(epoll::add(&self.epoll, source, epoll::EventData::new_u64(token as u64), flags)?)
    }

    /// Reports a source that was added only when it is readable.
    ///
    /// # Errors
    /// When the system call fails, for instance because the source was not added.
    pub(crate) fn only_read(&self, source: impl AsFd, token: Token) -> io::Result<()> {
        let data = epoll::EventData::new_u64(token as u64);
        Ok(epoll::modify(&self.epoll, source, data, epoll::EventFlags::IN)?)
    }

    /// Waits at most `limit` until sockets are readable or closed, and returns up to 1,024 of them.
    ///
    /// # Errors
    /// When the system call fails. An interrupting signal is no error: the list is empty then.
    pub fn wait(&mut self, limit: Duration) -> io::Result<&[Token]> {
        let is_whole = limit.subsec_nanos().is_multiple_of(1_000_000);
        let limit = Timespec::try_from(limit).map_err(io::Error::other)?;
        // epoll rounds up to milliseconds: an operation would be sent half of one late on average.
        let limit = if is_whole { limit } else { self.wait_exactly(&limit)? };
        self.events.clear();
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), Some(&limit)) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => self.events.clear(),
            Err(error) => return Err(error.into()),
        }
        self.ready.clear();
        self.ready.extend(
            self.events
                .iter()
                .map(|event| usize::try_from(event.data.u64()).expect("tokens are given as usize")),
        );
        Ok(&self.ready)
    }

    /// Waits with nanosecond precision; returns the time that is left to wait, which is zero.
    fn wait_exactly(&self, limit: &Timespec) -> io::Result<Timespec> {
        match poll(&mut [PollFd::new(&self.epoll, PollFlags::IN)], Some(limit)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(Timespec::default()),
            Err(error) => Err(error.into()),
        }
    }
}
