//! Where the clients of a crash test connect: one server, or the nodes of a cluster.
//!
//! A client goes to the server that it wants, or to one by lot. One that it could not reach is not
//! tried again for a while if there is another, as a balancer would have it.
//!
//! Deliberately absent: how the servers run. Whoever breaks one says what clients may know of it.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tokio::sync::watch;
use zeitnot_protocol::Hello;

use super::world::ends_a_connection;
use crate::client::{Client, ClientError};
use crate::endpoint::Endpoint;
use crate::rng::Rng;
use crate::stopwatch::Stopwatch;

/// How long a server that could not be reached is not tried again.
const DOUBTED_FOR: Duration = Duration::from_secs(2);

/// With this code a server closes a connection whose client has not answered a ping for long.
const NO_PONG: &str = "no_pong";

/// How patient clients are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// How long they wait for a frame, which may be a ping, before they give a connection up.
    pub(crate) silence: Duration,
    /// How long an attempt to connect may take.
    pub(crate) connecting: Duration,
    /// How long they wait after one that failed.
    pub(crate) again_after: Duration,
}

impl Patience {
    /// With one server there is no other to go to.
    pub(crate) const ONE_SERVER: Self = Self {
        silence: Duration::from_secs(30),
        connecting: Duration::from_secs(60),
        again_after: Duration::from_millis(20),
    };
}

/// A server.
#[derive(Debug)]
struct Place {
    endpoint: Endpoint,
    /// Whether clients may connect.
    is_up: Cell<bool>,
    /// Whether a fault has hit it, so that connections may end.
    is_hit: Cell<bool>,
    /// Which process of the server it is: a connection to one that was ended is as good as closed.
    process: Cell<u64>,
    /// Since an attempt to connect has failed.
    doubted: Cell<Option<Stopwatch>>,
    connected: Cell<usize>,
}

/// All servers.
#[derive(Debug)]
pub(crate) struct Places {
    places: Vec<Place>,
    patience: Patience,
    changed: watch::Sender<()>,
    rng: RefCell<Rng>,
    /// Connections that ended at a server that no fault had hit.
    closed: RefCell<Vec<String>>,
    /// Those that are not counted among them.
    excused: Cell<u64>,
}

impl Places {
    /// These servers; none is up yet.
    pub(crate) fn new(endpoints: Vec<Endpoint>, patience: Patience, rng: Rng) -> Self {
        let place = |endpoint| Place {
            endpoint,
            is_up: Cell::new(false),
            is_hit: Cell::new(false),
            process: Cell::new(0),
            doubted: Cell::new(None),
            connected: Cell::new(0),
        };
        Self {
            places: endpoints.into_iter().map(place).collect(),
            patience,
            changed: watch::Sender::new(()),
            rng: RefCell::new(rng),
            closed: RefCell::default(),
            excused: Cell::default(),
        }
    }

    pub(crate) fn endpoint(&self, place: usize) -> &Endpoint {
        &self.places[place].endpoint
    }

    /// Allows connecting there, or forbids it because the process ends.
    pub(crate) fn set_up(&self, place: usize, is_up: bool) {
        let process = &self.places[place].process;
        process.set(process.get() + u64::from(!is_up));
        self.places[place].is_up.set(is_up);
        self.places[place].doubted.set(None);
        self.changed.send_replace(());
    }

    /// From now on a fault has hit it, or it stays and must close nothing.
    pub(crate) fn set_hit(&self, place: usize, is_hit: bool) {
        self.places[place].is_hit.set(is_hit);
    }

    /// One of those where clients may connect, by lot.
    pub(crate) fn draw(&self) -> Option<usize> {
        self.choose(None)
    }

    /// Whether clients would go there.
    pub(crate) fn is_good(&self, place: usize) -> bool {
        let place = &self.places[place];
        place.is_up.get() && place.doubted.get().is_none_or(|since| since.elapsed() > DOUBTED_FOR)
    }

    fn choose(&self, wanted: Option<usize>) -> Option<usize> {
        if wanted.is_some_and(|place| self.is_good(place)) {
            return wanted;
        }
        let all = 0..self.places.len();
        let mut among: Vec<usize> = all.clone().filter(|place| self.is_good(*place)).collect();
        if among.is_empty() {
            among = all.filter(|place| self.places[*place].is_up.get()).collect();
        }
        let lot = self.rng.borrow_mut().below(among.len() as u64);
        among.get(usize::try_from(lot).expect("a small number")).copied()
    }

    /// Connects to the server that is wanted, or to another, as soon as it is possible. `Err` only
    /// when one rejects the client.
    pub(crate) async fn connect(
        &self,
        index: usize,
        mut wanted: impl FnMut() -> Option<usize>,
        hello: impl Fn() -> Hello,
    ) -> Result<(usize, Client), ClientError> {
        let mut changed = self.changed.subscribe();
        loop {
            let Some(place) = self.choose(wanted()) else {
                // The sender is here as long as this is.
                drop(changed.changed().await);
                continue;
            };
            let at = &self.places[place];
            let attempt = Client::connect(&at.endpoint, index, hello());
            match tokio::time::timeout(self.patience.connecting, attempt).await {
                Ok(Ok(client)) => return Ok((place, client.with_patience(self.patience.silence))),
                Ok(Err(error)) if !ends_a_connection(&error) => return Err(error),
                Ok(Err(_)) | Err(_) => at.doubted.set(Some(Stopwatch::start())),
            }
            tokio::time::sleep(self.patience.again_after).await;
        }
    }

    /// A client has connected there; to which process.
    pub(crate) fn entered(&self, place: usize) -> u64 {
        let Place { connected, process, .. } = &self.places[place];
        connected.set(connected.get() + 1);
        process.get()
    }

    /// A client is not connected there any more; `end` is why, unless it has left by itself. It may notice late that its
    /// process was ended. One that this program was too late to keep alive is excused.
    pub(crate) fn left(&self, (place, process): (usize, u64), end: Option<&ClientError>, was_late: bool) {
        let at = &self.places[place];
        at.connected.set(at.connected.get() - 1);
        if let Some(end) = end
            && !at.is_hit.get()
            && at.process.get() == process
        {
            if was_late && matches!(end, ClientError::Closed(why) if why.contains(NO_PONG)) {
                self.excused.set(self.excused.get() + 1);
                return;
            }
            self.closed.borrow_mut().push(format!("{}: {end}", at.endpoint));
        }
    }

    /// How many clients are connected.
    pub(crate) fn connected(&self) -> usize {
        self.places.iter().map(|place| place.connected.get()).sum()
    }

    /// How many connections ended because this program was late.
    pub(crate) fn excused(&self) -> u64 {
        self.excused.get()
    }

    /// Why connections ended at servers that no fault had hit.
    pub(crate) fn closed(&self) -> Vec<String> {
        self.closed.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(count: u16) -> Places {
        let endpoints = (1..=count).map(|port| Endpoint::loopback(port, "/ws")).collect();
        Places::new(endpoints, Patience::ONE_SERVER, Rng::new(7))
    }

    #[test]
    fn clients_go_where_they_want_or_by_lot_to_any_that_is_up() {
        let places = places(3);
        assert_eq!(places.choose(Some(1)), None);
        places.set_up(0, true);
        places.set_up(2, true);
        assert_eq!(places.choose(Some(2)), Some(2));
        let drawn: Vec<_> = (0..40).map(|_| places.choose(Some(1)).unwrap()).collect();
        assert!(drawn.contains(&0) && drawn.contains(&2) && !drawn.contains(&1), "{drawn:?}");
    }

    #[test]
    fn one_that_could_not_be_reached_is_not_tried_again_while_there_is_another() {
        let places = places(2);
        (0..2).for_each(|place| places.set_up(place, true));
        places.places[0].doubted.set(Some(Stopwatch::start()));
        assert!((0..40).all(|_| places.choose(Some(0)) == Some(1)));
        places.set_up(1, false);
        assert_eq!(places.choose(None), Some(0), "there is no other");
        places.set_up(0, true);
        assert!(places.is_good(0), "it was started again");
    }

    #[test]
    fn only_a_connection_that_ends_at_a_server_that_stays_counts() {
        let places = places(2);
        places.set_hit(1, true);
        for (place, end) in [(0, None), (1, Some(ClientError::Silence)), (0, Some(ClientError::Silence))] {
            let process = places.entered(place);
            places.left((place, process), end.as_ref(), false);
        }
        let closed = places.closed();
        assert!(closed.len() == 1 && closed[0].contains("127.0.0.1:1/ws"), "{closed:?}");
        assert_eq!(places.connected(), 0);
    }

    #[test]
    fn whoever_notices_late_that_a_process_was_ended_counts_as_little() {
        let places = places(1);
        places.set_up(0, true);
        let process = places.entered(0);
        places.set_up(0, false);
        places.set_up(0, true);
        places.left((0, process), Some(&ClientError::Silence), false);
        assert!(places.closed().is_empty());
    }

    #[test]
    fn a_client_that_this_program_was_too_late_to_keep_alive_is_excused() {
        let places = places(1);
        let close = |code: &str| ClientError::Closed(format!(r#"{{"code":"{code}"}} (4002)"#));
        for (code, was_late) in [("no_pong", true), ("no_pong", false), ("game_reset", true)] {
            let process = places.entered(0);
            places.left((0, process), Some(&close(code)), was_late);
        }
        assert_eq!((places.excused(), places.closed().len()), (1, 2));
    }
}
