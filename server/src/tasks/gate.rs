//! What the tasks of one process stand behind, when a simulation runs several processes on one runtime: it stops them, lets
//! them go on, delays them, and ends them all at once.
//!
//! Deliberately absent: what a stop means for the clock of the process (`time`).
//!
//! Invariants: while the gate is shut no task gets a turn; of a process that has ended nothing runs any more, and nothing is
//! answered; a task that asks for turn after turn lets the time pass now and then.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::Sleep;

use crate::sync::unpoisoned;
use crate::time::{ServiceClock, ServiceInstant};

/// Turns of a task at one instant before it waits: it may wait for a task that is delayed.
const TURNS_MAX: u32 = 50;
/// For how long.
const PAUSE: Duration = Duration::from_millis(1);

/// Whether the tasks run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Open,
    Shut,
    Ended,
}

/// Says how long a task waits before its next turn, if it does.
type Lots = Box<dyn FnMut() -> Option<Duration> + Send>;

struct State {
    standing: Standing,
    /// Every task that has had a turn, or wants its first.
    wakers: BTreeMap<u64, Waker>,
    tasks: u64,
    lots: Lots,
}

/// Is told what a task panicked with.
type OnPanic = Arc<dyn Fn(String) + Send + Sync>;

struct Shared {
    state: Mutex<State>,
    clock: ServiceClock,
    on_panic: OnPanic,
}

/// The gate of one process. Clones are the same.
#[derive(Clone)]
pub(crate) struct Gate(Arc<Shared>);

impl fmt::Debug for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Gate").field(&self.state().standing).finish()
    }
}

impl Gate {
    /// An open one, with a clock that is never stopped.
    pub(crate) fn new(clock: ServiceClock, lots: Lots, on_panic: OnPanic) -> Self {
        let state = State { standing: Standing::Open, wakers: BTreeMap::new(), tasks: 0, lots };
        Self(Arc::new(Shared { state: Mutex::new(state), clock, on_panic }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.0.state.lock())
    }

    /// A task that stands behind the gate.
    pub(super) fn before<F: Future>(&self, task: F) -> Gated<F> {
        let number = {
            let mut state = self.state();
            state.tasks += 1;
            state.tasks
        };
        let (turned_at, turns) = (ServiceInstant::default(), 0);
        Gated { gate: self.clone(), number, task: Some(Box::pin(task)), waits: None, turned_at, turns }
    }

    /// Stops all tasks, or lets them go on.
    pub(crate) fn shut(&self, is_shut: bool) {
        self.set(if is_shut { Standing::Shut } else { Standing::Open });
    }

    /// Ends all tasks.
    pub(crate) fn end(&self) {
        self.set(Standing::Ended);
    }

    fn set(&self, standing: Standing) {
        let wakers: Vec<Waker> = {
            let mut state = self.state();
            if state.standing != Standing::Ended {
                state.standing = standing;
            }
            state.wakers.values().cloned().collect()
        };
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// A task behind a gate.
pub(crate) struct Gated<F> {
    gate: Gate,
    number: u64,
    /// `None` once the process has ended.
    task: Option<Pin<Box<F>>>,
    waits: Option<Pin<Box<Sleep>>>,
    /// How many turns it has had at that instant.
    turned_at: ServiceInstant,
    turns: u32,
}

impl<F: Future> Gated<F> {
    /// How long it waits before its next turn.
    fn wait(&mut self) -> Option<Duration> {
        let now = self.gate.0.clock.now();
        if now != self.turned_at {
            (self.turned_at, self.turns) = (now, 0);
        }
        self.turns += 1;
        if self.turns > TURNS_MAX { Some(PAUSE) } else { (self.gate.state().lots)() }
    }
}

impl<F: Future> Future for Gated<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        let this = self.get_mut();
        let standing = {
            let mut state = this.gate.state();
            state.wakers.insert(this.number, cx.waker().clone());
            state.standing
        };
        match standing {
            Standing::Open => {}
            Standing::Shut => return Poll::Pending,
            Standing::Ended => {
                this.task = None;
                return Poll::Pending;
            }
        }
        if this.waits.is_none()
            && let Some(wait) = this.wait()
        {
            this.waits = Some(Box::pin(tokio::time::sleep(wait)));
        }
        if let Some(waits) = &mut this.waits {
            if waits.as_mut().poll(cx).is_pending() {
                return Poll::Pending;
            }
            this.waits = None;
        }
        let Some(task) = &mut this.task else { return Poll::Pending };
        match catch_unwind(AssertUnwindSafe(|| task.as_mut().poll(cx))) {
            Ok(polled) => polled,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                (this.gate.0.on_panic)(text.unwrap_or_default());
                this.task = None;
                Poll::Pending
            }
        }
    }
}

impl<F> Drop for Gated<F> {
    fn drop(&mut self) {
        self.gate.state().wakers.remove(&self.number);
    }
}
