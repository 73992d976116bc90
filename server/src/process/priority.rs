//! Threads of low priority: what they do may take long, and holds up no move while the processor is short.

/// How much lower than others their priority is: ten steps are about a tenth of the processor while others want it, so
/// that what they do is done under load too.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Gives the calling thread a lower priority. If the system does not allow it, the thread keeps the
/// priority that it has.
pub(crate) fn lower_priority() {
    // On Linux the priority of "this process" is that of the calling thread alone.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICE) {
        let thread = std::thread::current();
        tracing::warn!(%error, thread = thread.name(), "a thread that should yield to others runs at full priority");
    }
}
