//! Whether the conditions of a measurement held.
//!
//! A connection that the generator was too slow to serve, or a machine that is busy with other
//! work, says nothing about the server. Such a measurement is [`Inconclusive`]; the program says
//! why and exits with 3 instead of 1.
//!
//! Deliberately absent: a correction of the figures. Either they count or they do not.

use anyhow::Result;
use thiserror::Error;
use zeitnot_protocol::CloseCode;

use crate::process::{MachineTime, Process, machine_time};
use crate::wire::SocketError;

/// The share of all cores, in percent, that other processes may take while a time is measured.
const OTHERS_MAX: f64 = 10.0;

/// How late, in milliseconds, the generator itself may send one move in a hundred.
const LATE_MAX: f64 = 5.0;

/// Why the figures of a measurement mean nothing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("inconclusive: {0}")]
pub struct Inconclusive(pub String);

/// Whether this error says that the conditions did not hold, rather than that the server did
/// something wrong.
#[must_use]
pub fn is_inconclusive(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<Inconclusive>() || cause.downcast_ref::<SocketError>().is_some_and(is_too_slow_a_client)
    })
}

/// Whether the server closed a connection because this program did not read or answer it in time.
fn is_too_slow_a_client(error: &SocketError) -> bool {
    let SocketError::Closed { code, .. } = error else { return false };
    matches!(CloseCode::from_number(*code), Some(CloseCode::NoPong | CloseCode::SlowReader))
}

/// A span in which the machine is watched.
#[derive(Debug)]
pub(crate) struct Watch {
    machine: MachineTime,
    ours: f64,
}

impl Watch {
    /// Starts to watch what processes other than this one and the server take. `None`: it is not
    /// started yet.
    pub(crate) fn start(server: Option<Process>) -> Result<Self> {
        let server = server.map_or(Ok(0.0), Process::cpu_micros)?;
        Ok(Self { machine: machine_time()?, ours: server + Process::own().cpu_micros()? })
    }

    /// The share of all cores that other processes took since then, in percent. The server must
    /// still run.
    pub(crate) fn others_percent(&self, server: Process) -> Result<f64> {
        let ours = server.cpu_micros()? + Process::own().cpu_micros()? - self.ours;
        let now = machine_time()?;
        let total = (now.total - self.machine.total).max(1.0);
        Ok(((now.busy - self.machine.busy - ours) / total * 100.0).max(0.0))
    }
}

/// What a latency was measured under; the worst of all rounds.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Conditions {
    others_percent: f64,
    late_ms: f64,
}

impl Conditions {
    /// Adds a span: what other processes took.
    pub(crate) fn add_others(&mut self, percent: f64) {
        self.others_percent = self.others_percent.max(percent);
    }

    /// Adds a span: how late the generator sent one move in a hundred.
    pub(crate) fn add_lateness(&mut self, p99_ms: f64) {
        self.late_ms = self.late_ms.max(p99_ms);
    }

    /// Whether the targets hold. A target that is missed counts only if the conditions held; one
    /// that holds under bad conditions holds all the more under good ones.
    ///
    /// # Errors
    /// [`Inconclusive`] when a target is missed under bad conditions.
    pub(crate) fn conclude(self, holds: bool) -> Result<bool> {
        let Self { others_percent, late_ms } = self;
        let why = if others_percent > OTHERS_MAX {
            format!(
                "other processes took {others_percent:.0} % of the machine; at most {OTHERS_MAX} % may be theirs"
            )
        } else if late_ms > LATE_MAX {
            format!(
                "this program sent 1 % of its moves more than {late_ms:.1} ms late; at most {LATE_MAX} ms may be its own"
            )
        } else {
            return Ok(holds);
        };
        if holds { Ok(true) } else { Err(Inconclusive(why).into()) }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn a_missed_target_counts_only_under_good_conditions() {
        let good = Conditions { others_percent: 10.0, late_ms: 5.0 };
        assert!(good.conclude(true).unwrap() && !good.conclude(false).unwrap());
        for bad in [Conditions { others_percent: 10.1, ..good }, Conditions { late_ms: 5.1, ..good }] {
            assert!(bad.conclude(true).unwrap());
            assert!(is_inconclusive(&bad.conclude(false).unwrap_err()), "{bad:?}");
        }
    }

    #[test]
    fn the_worst_round_counts() {
        let mut conditions = Conditions::default();
        for percent in [3.0, 40.0, 2.0] {
            conditions.add_others(percent);
        }
        assert!(conditions.conclude(false).unwrap_err().to_string().contains("took 40 % of the machine"));
    }

    #[test]
    fn a_connection_lost_to_a_slow_generator_is_inconclusive_and_any_other_end_is_not() {
        let closed = |code: CloseCode| SocketError::Closed { code: code.number(), reason: String::new() };
        let inconclusive = |error: SocketError| {
            let wrapped: Result<()> = Err(error).context("round 3");
            is_inconclusive(&wrapped.unwrap_err())
        };
        assert!(inconclusive(closed(CloseCode::NoPong)) && inconclusive(closed(CloseCode::SlowReader)));
        assert!(!inconclusive(closed(CloseCode::GameReset)) && !inconclusive(SocketError::Gone));
    }

    #[test]
    fn other_processes_take_between_nothing_and_everything() {
        let watch = Watch::start(None).unwrap();
        assert!((0.0..=100.0).contains(&watch.others_percent(Process::own()).unwrap()));
    }
}
