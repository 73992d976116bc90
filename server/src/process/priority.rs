//! Threads of low priority: what they do may take long, and holds up no move while the processor is short.

/// How much others come before a thread, as the system counts it: a thread gets a quarter more for each step less.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nice {
    /// Somebody waits for it: about a tenth of the processor while others want all of it.
    Answers = 10,
    /// It may take minutes: about a seventieth, so that it goes on under load too.
    Searches = 19,
}

/// Gives the calling thread a lower priority. If the system does not allow it, the thread keeps the
/// priority that it has.
pub(crate) fn lower_priority(nice: Nice) {
    // On Linux the priority of "this process" is that of the calling thread alone.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, nice as i32) {
        let thread = std::thread::current();
        tracing::warn!(%error, thread = thread.name(), "a thread that should yield to others runs at full priority");
    }
}
