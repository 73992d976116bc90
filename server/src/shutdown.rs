//! How the server starts to stop: the signals, and the stage everybody can ask for.
//!
//! What stopping means is in `lib.rs`: not ready, no new games or upgrades, every socket closed with 1012, tasks
//! waited for.

use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

/// How long tasks may take to end after the sockets were told, before the process ends without them.
pub(crate) const STOP_WITHIN: Duration = Duration::from_secs(8);

/// How far the server is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Stage {
    /// It takes connections and games.
    Ready = 0,
    /// It ends.
    Stopping = 1,
}

/// The stage, shared.
#[derive(Debug)]
pub(crate) struct StageCell(AtomicU8);

impl Default for StageCell {
    fn default() -> Self {
        Self(AtomicU8::new(Stage::Ready as u8))
    }
}

impl StageCell {
    /// The stage now.
    pub(crate) fn get(&self) -> Stage {
        if self.0.load(Ordering::SeqCst) == Stage::Ready as u8 { Stage::Ready } else { Stage::Stopping }
    }

    /// Nothing new from now on.
    pub(crate) fn stop(&self) {
        self.0.store(Stage::Stopping as u8, Ordering::SeqCst);
    }
}

/// Lets a file that grows to the process's limit be an error of that write, which ends the server with its reason, and not
/// a signal that kills it without one.
///
/// # Errors
/// When the system does not let us hear signals.
fn survive_the_file_size_limit() -> std::io::Result<()> {
    // Once heard, a signal has no other effect any more, also when nobody listens.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// Begins to hear SIGTERM and ctrl-C, from this call on. The future ends with the first of them.
///
/// # Errors
/// When the system does not let us hear signals: then only SIGKILL would stop the process.
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
