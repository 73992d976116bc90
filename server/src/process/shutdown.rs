//! The beginning of a stop: the signals.
//!
//! A stopping server is not ready, takes no new games or upgrades, closes every socket with 1012 and waits for its
//! tasks. `server` does that; this file only knows when it begins.

use std::time::Duration;

use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

/// How long tasks may take to end after the sockets were told, before the process ends without them.
pub(crate) const STOP_WITHIN: Duration = Duration::from_secs(8);

/// Catches SIGXFSZ, so that a write beyond the limit of a file's size fails with an error, which ends the server with its
/// reason, and no signal kills it without one.
///
/// # Errors
/// When the system does not let us catch signals.
fn survive_the_file_size_limit() -> std::io::Result<()> {
    // A signal that was caught once has no other effect any more, even without a listener.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// Catches SIGTERM and ctrl-C from this call on. The future ends with the first of them.
///
/// # Errors
/// When the system does not let us catch signals: then only SIGKILL would stop the process.
pub fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    survive_the_file_size_limit()?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            biased;
            _ = terminate.recv() => tracing::info!("SIGTERM: stopping"),
            _ = interrupt.recv() => tracing::info!("ctrl-C: stopping"),
        }
    })
}
