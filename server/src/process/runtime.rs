//! What a server asks of the machine: the tokio runtime, and enough open files.

use std::io;
use std::num::NonZeroUsize;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::runtime::{Builder, Runtime};

/// A runtime with this many threads; `None` means one per processor core. A single thread gets tokio's current-thread
/// scheduler, in which a move costs a tenth less.
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

/// Raises the limit of open files to what the system allows, and returns how many that are (`u64::MAX`: no limit).
///
/// # Errors
/// When the system does not allow it; the limit is unchanged.
pub fn raise_file_limit() -> io::Result<u64> {
    let maximum = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum })?;
    Ok(maximum.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_hard_one_afterwards() {
        let files = raise_file_limit().unwrap();
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
        assert_eq!(files, limit.maximum.unwrap_or(u64::MAX));
    }
}
