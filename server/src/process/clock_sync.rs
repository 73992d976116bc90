//! Whether the kernel's time of day follows an NTP server.

/// Whether it does; `None` where the system does not say it.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "no safe interface to adjtimex exists")]
pub(crate) fn is_clock_synchronised() -> Option<bool> {
    // SAFETY: all fields of timex are numbers, for which zero is a value; with `modes` zero adjtimex changes nothing and
    // only writes into this value.
    let (state, timex) = unsafe {
        let mut timex: libc::timex = std::mem::zeroed();
        (libc::adjtimex(&raw mut timex), timex)
    };
    (state >= 0).then_some(state != libc::TIME_ERROR && timex.status & libc::STA_UNSYNC == 0)
}

/// Not known here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_clock_synchronised() -> Option<bool> {
    None
}
