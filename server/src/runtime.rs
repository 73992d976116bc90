//! The tokio runtime that a server runs in.

use std::io;
use std::num::NonZeroUsize;

use tokio::runtime::{Builder, Runtime};

/// A runtime with this many threads, one per processor core if it is not said. One gets the scheduler that is made for one
/// thread: a move costs a tenth less in it.
///
/// # Errors
/// When a thread does not start.
pub fn runtime(workers: Option<NonZeroUsize>) -> io::Result<Runtime> {
    let mut builder = match workers.map(NonZeroUsize::get) {
        Some(1) => Builder::new_current_thread(),
        Some(workers) => {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(workers);
            builder
        }
        None => Builder::new_multi_thread(),
    };
    builder.enable_all().thread_name("zeitnot").build()
}
