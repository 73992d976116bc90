//! The beginning of a stop: the signals. And the end of one that hangs.
//!
//! A stopping server is not ready, takes no new games or upgrades, closes every socket with 1012 and waits for its
//! tasks. `server` does that; this file only knows when it begins, and by when it must have ended.

use std::time::Duration;

use rustix::process::Signal;
use tokio::signal::unix::{SignalKind, signal};

use super::end::end;

/// How long tasks may take to end after the sockets were told, before the process ends without them.
pub(crate) const STOP_WITHIN: Duration = Duration::from_secs(8);

/// How long one of several nodes may take before that, to give its games to the others.
pub(crate) const DRAIN_WITHIN: Duration = Duration::from_secs(10);

/// How long a stop may take after [`STOP_WITHIN`], to write what waits and to empty the log. On a disk that hangs it would
/// take for ever, and whoever starts servers would wait for it.
const WRITE_WITHIN: Duration = Duration::from_secs(10);

/// The exit code of a stop that hung: `EX_TEMPFAIL` of sysexits.
const HUNG_EXIT_CODE: i32 = 75;

/// Catches SIGXFSZ, so that a write beyond the limit of a file's size fails with an error, which ends the server with its
/// reason, and no signal kills it without one.
///
/// # Errors
/// When the system does not let us catch signals.
fn survive_the_file_size_limit() -> std::io::Result<()> {
    // A signal that was caught once has no other effect any more, even without a listener.
    signal(SignalKind::from_raw(Signal::XFSZ.as_raw())).map(drop)
}

/// Catches SIGTERM, ctrl-C and SIGHUP from this call on. The future ends with the first of them. SIGHUP comes when a terminal
/// is closed; nothing is read again.
///
/// # Errors
/// When the system does not let us catch signals: then only SIGKILL would stop the process.
pub fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    survive_the_file_size_limit()?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            biased;
            _ = terminate.recv() => tracing::info!("SIGTERM: stopping"),
            _ = interrupt.recv() => tracing::info!("ctrl-C: stopping"),
            _ = hangup.recv() => tracing::info!("SIGHUP: stopping"),
        }
    })
}

/// Ends the process with 75 when it has not ended by itself within the time that a stop may take, counted from this call; `drains`
/// says that it is one of several nodes. To be called when a stop begins. The thread that waits is not waited for.
pub fn end_within_the_limit(drains: bool) {
    let wait = move || {
        let drain = if drains { DRAIN_WITHIN } else { Duration::ZERO };
        std::thread::sleep(drain + STOP_WITHIN + WRITE_WITHIN);
        end(
            HUNG_EXIT_CODE,
            "the stop hangs, probably because the disk does: the server has ended without waiting for it. Everything \
             that anybody was told is durable. Look after that disk, then start again.",
        );
    };
    if let Err(error) = std::thread::Builder::new().name("stop-watchdog".to_owned()).spawn(wait) {
        tracing::warn!(%error, "nothing ends this stop if it hangs");
    }
}
