//! Threads of low priority: what they do may take long, and holds up no move while the processor is short.
//!
//! Deliberately absent: threads of high priority, which a process may not give itself.

use std::io;

/// How much others come before a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    /// It does for many what each of them wakes it for: it takes no core from the thread that woke it, which is about to
    /// wake it for others, and is otherwise equal to all. To yield instead once it is awake gives the core to a thread that
    /// is to have only what others leave over, for some milliseconds.
    Batch,
    /// It takes little, and somebody waits for it: about a tenth of a core while others want all of it.
    Low,
    /// It takes much, or strangers ask for as much as they like: what others leave over. Whoever is to run takes the core
    /// from it at once; from a thread that is merely nice Linux takes it after some milliseconds, and a move that waits for
    /// that is late. While others want all of the core, 3 ms of each second are left.
    Spare,
}

/// Gives the calling thread a lower priority. If the system does not allow it, the thread keeps the
/// priority that it has.
pub(crate) fn lower_priority(priority: Priority) {
    let lowered = match priority {
        Priority::Low => nice(10),
        Priority::Batch => policy(Policy::Batch),
        Priority::Spare => policy(Policy::Idle),
    };
    if let Err(error) = lowered {
        let thread = std::thread::current();
        tracing::warn!(%error, thread = thread.name(), "a thread that should yield to others runs at full priority");
    }
}

/// On Linux the priority of "this process" is that of the calling thread alone.
#[cfg(target_os = "linux")]
fn nice(steps: i32) -> io::Result<()> {
    Ok(rustix::process::setpriority_process(None, steps)?)
}

/// What Linux calls a scheduling policy, in `sched(7)`.
#[derive(Clone, Copy)]
enum Policy {
    Batch,
    Idle,
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "rustix does not set scheduling policies")]
fn policy(policy: Policy) -> io::Result<()> {
    let policy = match policy {
        Policy::Batch => libc::SCHED_BATCH,
        Policy::Idle => libc::SCHED_IDLE,
    };
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the kernel reads one `sched_param`, which lives until the call returns; 0 is the calling thread.
    match unsafe { libc::sched_setscheduler(0, policy, &raw const parameters) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(target_os = "linux"))]
fn nice(_: i32) -> io::Result<()> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn policy(_: Policy) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    /// The niceness and the policy of a thread with this priority, as `proc(5)` shows them.
    fn shown(priority: Priority) -> (String, String) {
        let look = move || {
            lower_priority(priority);
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let fields: Vec<_> = stat.rsplit_once(") ").unwrap().1.split(' ').map(str::to_owned).collect();
            (fields[16].clone(), fields[38].clone())
        };
        std::thread::spawn(look).join().unwrap()
    }

    #[test]
    fn a_thread_has_the_priority_that_it_was_given() {
        let policies = [libc::SCHED_OTHER, libc::SCHED_BATCH, libc::SCHED_IDLE];
        let [normal, batch, idle] = policies.map(|policy| policy.to_string());
        assert_eq!(shown(Priority::Low), ("10".to_owned(), normal));
        assert_eq!(shown(Priority::Batch).1, batch);
        assert_eq!(shown(Priority::Spare).1, idle);
    }
}
