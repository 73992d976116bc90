//! A backend: one connection of a node, from its first message to its end.
//!
//! Its client may be gone before: what it was doing is done to its end then, late, and is answered to nobody. What its client had
//! sent last is done, too, or is lost on the way.
//!
//! Invariant: a transaction in which nothing is asked for 2 s is given up, as the nodes demand of the server.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::io::DuplexStream;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::server::{Backend, Postgres};
use super::statements::{Statement, ends_connections, statement};
use super::wire::{Cell, Said, Wire};
use crate::simulation::cluster::lots::{Lot, Lots};
use crate::storage::postgres::Dial;
use crate::tasks::Tasks;

/// `idle_in_transaction_session_timeout`.
const IDLE_MAX: Duration = Duration::from_secs(2);
/// As `connect_timeout` and `tcp_user_timeout` of the nodes say.
const UNHEARD_MAX: Duration = Duration::from_secs(5);
/// What a connection holds on its way, and what is carried over it at once.
const ROOM: usize = 1 << 16;

/// The session of one client.
struct Session {
    postgres: Postgres,
    lots: Lots,
    number: u64,
    server: usize,
    boot: Uuid,
    wire: Wire,
    cut: CancellationToken,
    statements: HashMap<String, (String, Statement)>,
    bound: Option<(String, Vec<Cell>)>,
    /// Between BEGIN and its end.
    in_transaction: bool,
}

/// Why a session ends.
struct Ended;

impl Postgres {
    /// How the nodes of a boot reach the servers.
    pub(in crate::simulation::cluster) fn dial(&self, boot: Uuid, lots: &Lots, tasks: &Tasks) -> Dial {
        let (postgres, lots, tasks) = (self.clone(), lots.clone(), tasks.clone());
        Arc::new(move |name| {
            let (postgres, lots, tasks) = (postgres.clone(), lots.clone(), tasks.clone());
            let server = usize::from(name == "standby");
            async move { postgres.connect(server, boot, lots, &tasks).await }.boxed()
        })
    }

    async fn connect(
        &self,
        server: usize,
        boot: Uuid,
        lots: Lots,
        tasks: &Tasks,
    ) -> io::Result<DuplexStream> {
        lots.way(Lot::Database).await;
        if tokio::time::timeout(UNHEARD_MAX, self.until_reachable(boot)).await.is_err() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        if !self.takes(server) {
            return Err(io::ErrorKind::ConnectionRefused.into());
        }
        let (client, mut near) = tokio::io::duplex(ROOM);
        let (mut far, stream) = tokio::io::duplex(ROOM);
        let (ended, cut) = (CancellationToken::new(), CancellationToken::new());
        let number = {
            let mut state = self.state();
            state.last_backend += 1;
            let number = state.last_backend;
            let backend = Backend { server, boot, transaction: None, ended: ended.clone(), cut: cut.clone() };
            state.backends.insert(number, backend);
            number
        };
        let way_is_cut = cut.clone();
        tasks.spawn(async move {
            tokio::select! {
                biased;
                () = way_is_cut.cancelled() => {}
                _ = tokio::io::copy_bidirectional_with_sizes(&mut near, &mut far, ROOM, ROOM) => {}
            }
        });
        let mut session = Session {
            postgres: self.clone(),
            lots,
            number,
            server,
            boot,
            wire: Wire::new(stream),
            cut,
            statements: HashMap::new(),
            bound: None,
            in_transaction: false,
        };
        tasks.spawn(async move {
            tokio::select! {
                biased;
                () = ended.cancelled() => {}
                _ = session.run() => {}
            }
            session.postgres.terminate(|number, _| number == session.number);
        });
        Ok(client)
    }

    async fn until_reachable(&self, boot: Uuid) {
        loop {
            let changed = self.0.changed.notified();
            if !self.state().unreachable.contains(&boot) {
                return;
            }
            changed.await;
        }
    }
}

impl Session {
    async fn run(&mut self) -> Result<(), Ended> {
        self.wire.startup().await.ok_or(Ended)?;
        self.wire.welcome();
        self.answer().await?;
        loop {
            let patience = if self.in_transaction { IDLE_MAX } else { Duration::from_secs(1 << 30) };
            let said = tokio::time::timeout(patience, self.wire.next()).await;
            self.take_in(said.ok().flatten().ok_or(Ended)?).await?;
        }
    }

    /// What the client says has come. Over a way that was cut for long, or is lost, it does not: or it has come just before.
    async fn on_the_way(&mut self) -> Result<(), Ended> {
        if self.lots.strikes(self.lots.faults().database_lost) {
            self.cut.cancel();
        }
        let arriving = self.postgres.until_reachable(self.boot);
        if tokio::time::timeout(UNHEARD_MAX, arriving).await.is_err() {
            self.cut.cancel();
        }
        if self.cut.is_cancelled() && self.lots.dice().one_in(2) { Err(Ended) } else { Ok(()) }
    }

    async fn answer(&mut self) -> Result<(), Ended> {
        self.lots.way(Lot::Database).await;
        self.on_the_way().await?;
        self.wire.flush().await;
        Ok(())
    }

    async fn take_in(&mut self, said: Said) -> Result<(), Ended> {
        match said {
            Said::Query(sql) => {
                let commit_lost = self.lots.faults().commit_lost;
                if sql == "COMMIT" && commit_lost > 0 && self.lots.strikes(commit_lost) {
                    self.cut.cancel();
                }
                self.on_the_way().await?;
                self.simple(&sql).await?;
                self.wire.ready();
                self.answer().await?;
            }
            Said::Parse { name, sql } => {
                let known = statement(&sql);
                self.statements.insert(name, (sql, known));
                self.wire.plain(b'1');
            }
            Said::Describe { name } => {
                let (_, known) = &self.statements[&name];
                self.wire.described(known.params, known.columns);
            }
            Said::Bind { statement, params } => {
                self.bound = Some((statement, params));
                self.wire.plain(b'2');
            }
            Said::Execute => {
                self.on_the_way().await?;
                self.execute().await?;
            }
            Said::CloseStatement => self.wire.plain(b'3'),
            Said::Sync => {
                self.wire.ready();
                self.answer().await?;
            }
            Said::Terminate => return Err(Ended),
        }
        Ok(())
    }

    async fn simple(&mut self, sql: &str) -> Result<(), Ended> {
        match sql {
            "BEGIN" => self.in_transaction = true,
            "COMMIT" => {
                self.in_transaction = false;
                self.commit().await?;
            }
            "ROLLBACK" => {
                self.in_transaction = false;
                self.postgres.end_transaction(self.number);
            }
            about if about.starts_with("SELECT pid") => {
                let timeline = self.postgres.state().servers[self.server].timeline;
                let (pid, started) = (self.number.to_string(), format!("backend {}", self.number));
                self.wire.text_row(&[pid, started, format!("{timeline:08X}")]);
                return Ok(());
            }
            // Settings.
            _ => {}
        }
        self.wire.complete(0);
        Ok(())
    }

    async fn execute(&mut self) -> Result<(), Ended> {
        let (name, params) = self.bound.take().ok_or(Ended)?;
        let (sql, statement) = self.statements[&name].clone();
        self.lots.way(Lot::Statement).await;
        if ends_connections(&sql) {
            if statement.params.is_empty() {
                self.postgres.terminate_dead(self.server);
            } else {
                let pid = params[0]
                    .as_ref()
                    .map_or(0, |pid| u64::from(u32::from_be_bytes(pid[..].try_into().unwrap_or_default())));
                self.postgres.terminate(|number, _| number == pid);
            }
        }
        let answer = loop {
            let postgres = self.postgres.clone();
            let changed = postgres.0.changed.notified();
            if let Some(answer) = self.postgres.run(self.number, &statement, &params) {
                break answer;
            }
            changed.await;
        };
        if !self.in_transaction {
            self.commit().await?;
        }
        answer.rows.iter().for_each(|row| self.wire.row(row));
        self.wire.complete(answer.changed);
        Ok(())
    }

    /// Commits: it is answered when the standby has it, or the wait for that was cancelled.
    async fn commit(&mut self) -> Result<(), Ended> {
        self.lots.way(Lot::Disk).await;
        if let Some(place) = self.postgres.write(self.number) {
            let is_cancelled = self.lots.cancels_the_wait();
            let mut waited = 0;
            while !self.postgres.is_replicated(self.server, place) {
                let postgres = self.postgres.clone();
                let changed = postgres.0.changed.notified();
                if self.postgres.is_replicated(self.server, place) {
                    break;
                }
                if is_cancelled && waited > 0 {
                    self.wire.complaint(false, "01000");
                    break;
                }
                waited += 1;
                if is_cancelled {
                    tokio::time::timeout(Duration::from_millis(3), changed).await.ok();
                } else {
                    changed.await;
                }
            }
        }
        self.postgres.end_transaction(self.number);
        Ok(())
    }
}
