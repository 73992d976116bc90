//! One connection to PostgreSQL: where to, with which settings, and what an error of it means.
//!
//! A warning counts as an error: PostgreSQL says by one that it gave up waiting for its standby, and then what it answered
//! `COMMIT` to may be lost with this server. Every connection begins with a write that is waited for, the *barrier*: after a
//! crash PostgreSQL shows rows that its standby has not got yet, and only after the barrier does reading them count.
//!
//! Of several servers that the URL names, and of those that one name leads to in turn, the one that was promoted last is written
//! to. Each promotion begins a new *timeline*, and a primary with a lower one than was seen before is an old one that came back:
//! what it would confirm is on no other machine.
//!
//! Deliberately absent: connecting again, and what is tried again (`journal`, `people`, `readers`).
//!
//! Invariants: nothing goes in plain text to another machine, unless the URL says `sslmode=disable`; nothing is read from or
//! written to a server whose timeline is lower than one that was seen.

use std::collections::HashMap;
use std::error::Error as _;
use std::future::poll_fn;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::{fmt, io};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, join_all, select_ok};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::error::{DbError, Severity, SqlState};
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Row, SimpleQueryMessage, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto};
use uuid::Uuid;

use super::fatal::Halt;
use crate::seeded_bugs::bug;
use crate::storage::ReadError;
use crate::sync::unpoisoned;

/// How long one address may take to be connected to.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// How long a server that was connected to may take to be ready: then the next one is tried.
const READY_WITHIN: Duration = Duration::from_secs(10);
/// How long what was sent may stay without an acknowledgement by the other machine's kernel.
const UNHEARD_MAX: Duration = Duration::from_secs(5);

/// `on` is what an ack needs; `remote_apply` is more. A transaction in which this process stops is given up for it.
const SETTINGS: &str = "SELECT set_config('synchronous_commit', 'on', false) \
     WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply'); \
     SET idle_in_transaction_session_timeout = '2s'; SET lock_timeout = 0; SET statement_timeout = 0; \
     SET client_min_messages = 'warning'; SET default_transaction_isolation = 'read committed'";

/// Where a database is: `postgres://user:password@host:port/database`. `Debug` and `Display` do not show the password.
#[derive(Clone, PartialEq, Eq)]
pub struct ClusterUrl(Config);

impl FromStr for ClusterUrl {
    type Err = tokio_postgres::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.parse()?))
    }
}

impl fmt::Debug for ClusterUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClusterUrl({self})")
    }
}

impl fmt::Display for ClusterUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.0.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let database = self.0.get_dbname().or(self.0.get_user()).unwrap_or_default();
        write!(f, "{database} at {}", hosts.collect::<Vec<_>>().join(", "))
    }
}

/// A database, for a process with this boot.
pub(super) struct Database {
    /// The servers that the URL names.
    hosts: Vec<Config>,
    tls: MakeRustlsConnect,
    /// The highest timeline that was seen.
    newest: watch::Sender<u32>,
    /// The timeline of an old primary that the log knows.
    noted_old: AtomicU32,
    pub(super) boot: Uuid,
    pub(super) halt: Halt,
    /// What stands in for the network.
    #[cfg(test)]
    pub(super) dial: Option<Dial>,
}

/// Reaches a server that a simulation stands in for, by its name.
#[cfg(test)]
pub(crate) type Dial =
    Arc<dyn Fn(&str) -> BoxFuture<'static, io::Result<tokio::io::DuplexStream>> + Send + Sync>;

impl Database {
    pub(super) fn new(ClusterUrl(config): &ClusterUrl, boot: Uuid, halt: Halt) -> Self {
        let mut config = config.clone();
        let is_near = config.get_hosts().iter().all(is_this_machine);
        // `prefer` would fall back to plain text.
        match config.get_ssl_mode() {
            SslMode::Prefer if is_near => config.ssl_mode(SslMode::Disable),
            SslMode::Prefer => config.ssl_mode(SslMode::Require),
            _ => &mut config,
        };
        config.application_name(application_name(boot));
        config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        let is_encrypted = config.get_ssl_mode() != SslMode::Disable;
        let (mut hosts, newest) = (each_host(&config), watch::Sender::new(0));
        for host in &mut hosts {
            host.connect_timeout(CONNECT_WITHIN).tcp_user_timeout(UNHEARD_MAX);
            host.keepalives_idle(UNHEARD_MAX)
                .keepalives_interval(Duration::from_secs(1))
                .keepalives_retries(5);
        }
        Self {
            hosts,
            tls: tls(is_encrypted),
            newest,
            noted_old: AtomicU32::new(0),
            boot,
            halt,
            #[cfg(test)]
            dial: None,
        }
    }

    /// A connection with the settings, before its barrier, to a server that takes writes and is no old primary. All are tried
    /// at once: one that is lost with its machine does not even reject a connection.
    pub(super) async fn connect(&self) -> Result<Link, Failure> {
        let attempts = self.hosts.iter().map(|host| Box::pin(self.connect_to(host)));
        let (link, _) = select_ok(attempts).await?;
        Ok(link)
    }

    /// Finds out whether one of several servers was promoted. Connections to the one before it end then.
    pub(super) async fn look_for_the_primary(&self) {
        if self.hosts.len() > 1 {
            // Whoever cannot be reached, or is a standby, is not the primary.
            join_all(self.hosts.iter().map(|host| self.connect_to(host))).await;
        }
    }

    /// Says that there is an old primary, once for each.
    fn note(&self, failure: &Failure) {
        if let Failure::Old { timeline, .. } = failure
            && self.noted_old.fetch_max(*timeline, Ordering::Relaxed) < *timeline
        {
            tracing::error!(
                "there are two primaries, and this server does not write to the old one any more: {failure}"
            );
        }
    }

    async fn connect_to(&self, host: &Config) -> Result<Link, Failure> {
        let ready = timeout(READY_WITHIN, self.become_ready(host)).await.unwrap_or(Err(Failure::Lost));
        ready.inspect_err(|failure| self.note(failure))
    }

    /// A connection, and what takes from it what it says.
    async fn reach(
        &self,
        host: &Config,
        warnings: &Arc<AtomicU64>,
    ) -> Result<(Client, BoxFuture<'static, ()>), Failure> {
        #[cfg(test)]
        if let (Some(dial), Some(Host::Tcp(name))) = (&self.dial, host.get_hosts().first()) {
            let stream = dial(name).await.map_err(|error| Failure::Unreachable(error.to_string()))?;
            let connected = host.connect_raw(stream, tokio_postgres::NoTls).await;
            let (client, connection) = connected.map_err(Failure::to_connect)?;
            return Ok((client, listen(connection, Arc::clone(warnings)).boxed()));
        }
        let (client, connection) = host.connect(self.tls.clone()).await.map_err(Failure::to_connect)?;
        Ok((client, listen(connection, Arc::clone(warnings)).boxed()))
    }

    async fn become_ready(&self, host: &Config) -> Result<Link, Failure> {
        let (warnings, timeline) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU32::new(NOT_KNOWN)));
        let (client, listening) = self.reach(host, &warnings).await?;
        let (mut newest, own) = (self.newest.subscribe(), Arc::clone(&timeline));
        #[expect(
            clippy::disallowed_methods,
            reason = "it ends with its connection, and with the store's runtime"
        )]
        tokio::spawn(async move {
            tokio::select! {
                biased;
                () = listening => {}
                // The connection ends, and with it whatever waits for it.
                Ok(_) = newest.wait_for(|newest| *newest > own.load(Ordering::Relaxed)) => {
                    tracing::warn!("another server was promoted: a connection to the one before it is given up");
                }
            }
        });
        client.batch_execute(SETTINGS).await?;
        let (backend, found) = about(&client).await?;
        timeline.store(found, Ordering::Relaxed);
        let newest = *self.newest.borrow();
        if found < newest {
            return Err(Failure::Old { timeline: found, newest });
        }
        self.newest.send_if_modified(|newest| found > std::mem::replace(newest, found.max(*newest)));
        Ok(Link { client, warnings, backend, statements: Mutex::default() })
    }

    /// Waits until a write of this connection is as durable as an ack. What was written before is, then, too.
    pub(super) async fn barrier(&self, link: &Link) -> Result<(), Failure> {
        bug!(ReadBeforeBarrier => return Ok(()));
        let sql = "UPDATE nodes SET barrier = barrier + 1 WHERE boot = $1 AND NOT dead";
        let heard = link.warnings();
        match link.run(sql, &[&self.boot]).await? {
            0 => {
                self.halt.dead();
                Err(Failure::Dead)
            }
            _ if link.warnings() != heard => Err(Failure::Lost),
            _ => Ok(()),
        }
    }

    /// A connection whose reading counts.
    pub(super) async fn connect_behind_barrier(&self) -> Result<Link, Failure> {
        let link = self.connect().await?;
        self.barrier(&link).await?;
        Ok(link)
    }
}

/// The timeline of a connection that was not asked for it: higher than all.
const NOT_KNOWN: u32 = u32::MAX;

/// Takes what a connection says, until it ends.
async fn listen<S, T>(mut connection: Connection<S, T>, warnings: Arc<AtomicU64>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|cx| connection.poll_message(cx)).await {
        if let AsyncMessage::Notice(notice) = message
            && notice.parsed_severity() == Some(Severity::Warning)
        {
            tracing::warn!(code = notice.code().code(), "PostgreSQL warns: {}", notice.message());
            warnings.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The settings for each server that a URL names, alone.
fn each_host(config: &Config) -> Vec<Config> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let count = hosts.len().max(addresses.len());
    let alone = |at: usize| {
        let mut one = without_hosts(config);
        match hosts.get(at) {
            Some(Host::Tcp(name)) => one.host(name),
            Some(Host::Unix(path)) => one.host_path(path),
            None => &mut one,
        };
        if let Some(address) = addresses.get(at) {
            one.hostaddr(*address);
        }
        if let Some(port) = ports.get(at).or(ports.first()) {
            one.port(*port);
        }
        one
    };
    // A URL that names none is rejected when it is connected to, as one that names them wrongly.
    if count == 0 { vec![config.clone()] } else { (0..count).map(alone).collect() }
}

/// All that a URL says but which servers.
fn without_hosts(from: &Config) -> Config {
    let mut to = Config::new();
    if let Some(user) = from.get_user() {
        to.user(user);
    }
    if let Some(password) = from.get_password() {
        to.password(password);
    }
    if let Some(database) = from.get_dbname() {
        to.dbname(database);
    }
    if let Some(options) = from.get_options() {
        to.options(options);
    }
    if let Some(name) = from.get_application_name() {
        to.application_name(name);
    }
    to.ssl_mode(from.get_ssl_mode()).ssl_negotiation(from.get_ssl_negotiation());
    to.channel_binding(from.get_channel_binding()).target_session_attrs(from.get_target_session_attrs());
    to
}

/// Which backend serves this connection now, and on which timeline its server writes: the first eight digits of a log file's
/// name. In the protocol without prepared statements, which a pooler may lose.
async fn about(client: &Client) -> Result<(Backend, u32), Failure> {
    let sql = "SELECT pid, backend_start::text, left(pg_walfile_name(pg_current_wal_lsn()), 8) \
               FROM pg_stat_activity WHERE pid = pg_backend_pid()";
    let unknown = || Failure::Damaged("PostgreSQL does not say which backend this is".to_owned());
    let said = client.simple_query(sql).await?;
    let row = said.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    let column = |at| row.and_then(|row| row.get(at)).ok_or_else(unknown);
    let pid = column(0)?.parse().map_err(|_| unknown())?;
    let timeline = u32::from_str_radix(column(2)?, 16).map_err(|_| unknown())?;
    Ok((Backend { pid, started: column(1)?.to_owned() }, timeline))
}

/// The name by which the connections of a boot are found.
pub(super) fn application_name(boot: Uuid) -> String {
    format!("zeitnot-{boot}")
}

fn is_this_machine(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
    }
}

/// Certificates are those that the machine trusts.
fn tls(is_encrypted: bool) -> MakeRustlsConnect {
    let mut roots = RootCertStore::empty();
    if is_encrypted {
        let found = rustls_native_certs::load_native_certs();
        for error in &found.errors {
            tracing::warn!(%error, "some of the machine's certificates cannot be read");
        }
        roots.add_parsable_certificates(found.certs);
    }
    let provider = Arc::new(crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider has the default versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    MakeRustlsConnect::new(config)
}

/// A process of PostgreSQL that serves one connection. Its pid alone may be another one's by now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Backend {
    pub(super) pid: i32,
    pub(super) started: String,
}

/// A connection.
pub(super) struct Link {
    client: Client,
    warnings: Arc<AtomicU64>,
    pub(super) backend: Backend,
    /// Those that were used before, by their texts, which are constants.
    statements: Mutex<HashMap<&'static str, Statement>>,
}

impl Deref for Link {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Link {
    /// The backend that serves this connection now. Behind a pooler it may be another one than before.
    pub(super) async fn backend_now(&self) -> Result<Backend, Failure> {
        Ok(about(&self.client).await?.0)
    }

    /// How many warnings there were.
    pub(super) fn warnings(&self) -> u64 {
        self.warnings.load(Ordering::Relaxed)
    }

    async fn statement(&self, sql: &'static str) -> Result<Statement, Failure> {
        let known = unpoisoned(self.statements.lock()).get(sql).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let prepared = self.client.prepare(sql).await?;
        unpoisoned(self.statements.lock()).insert(sql, prepared.clone());
        Ok(prepared)
    }

    /// All rows of a query.
    pub(super) async fn rows(&self, sql: &'static str, params: Params<'_>) -> Result<Vec<Row>, Failure> {
        Ok(self.client.query(&self.statement(sql).await?, params).await?)
    }

    /// The only row of a query, if there is one.
    pub(super) async fn row(&self, sql: &'static str, params: Params<'_>) -> Result<Option<Row>, Failure> {
        Ok(self.client.query_opt(&self.statement(sql).await?, params).await?)
    }

    /// Whether a query has a row.
    pub(super) async fn has(&self, sql: &'static str, params: Params<'_>) -> Result<bool, Failure> {
        Ok(!self.rows(sql, params).await?.is_empty())
    }

    /// Changes something; the answer is how many rows.
    pub(super) async fn run(&self, sql: &'static str, params: Params<'_>) -> Result<u64, Failure> {
        Ok(self.client.execute(&self.statement(sql).await?, params).await?)
    }

    /// Ends the backend of a connection that was lost, and waits for its end: it may still be about to commit.
    pub(super) async fn end(&self, Backend { pid, started }: &Backend) -> Result<(), Failure> {
        let sql = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity \
                   WHERE pid = $1 AND backend_start = $2::text::timestamptz";
        let ended = self.rows(sql, &[pid, started]).await?;
        if ended.iter().all(|row| row.get(0)) { Ok(()) } else { Err(Failure::Again) }
    }
}

/// Why PostgreSQL did not do something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// The connection is gone, or may not be relied on: it is unknown what was done.
    Lost,
    /// There is no connection, and why.
    Unreachable(String),
    /// Nothing was done, and it may be tried again: a deadlock, a full disk, a lock that somebody else has.
    Again,
    /// Nothing was done, and nothing has to be done now.
    Later,
    /// Nothing was done: the segment of a row is not there.
    NoSegment,
    /// What was read is not as it was written.
    Damaged(String),
    /// Nothing was done, and trying again would not help.
    Rejected(String),
    /// Another process serves from the database.
    Dead,
    /// The server was the primary before another one was promoted.
    Old {
        /// What it writes.
        timeline: u32,
        /// What the other one writes.
        newest: u32,
    },
}

impl From<tokio_postgres::Error> for Failure {
    fn from(error: tokio_postgres::Error) -> Self {
        match error.as_db_error() {
            Some(error) => Self::of_code(error),
            None if error.is_closed() => Self::Lost,
            None if error.source().is_some_and(|source| source.is::<io::Error>()) => Self::Lost,
            None => Self::Damaged(say(&error)),
        }
    }
}

impl Failure {
    /// What it means that a connection was not made.
    fn to_connect(error: tokio_postgres::Error) -> Self {
        let why = say(&error);
        match Self::from(error) {
            Self::Lost | Self::Damaged(_) => Self::Unreachable(why),
            failure => failure,
        }
    }

    fn of_code(error: &DbError) -> Self {
        let code = error.code();
        match code {
            _ if matches!(code.code().get(..2), Some("08")) => Self::Lost,
            &SqlState::ADMIN_SHUTDOWN
            | &SqlState::CRASH_SHUTDOWN
            | &SqlState::CANNOT_CONNECT_NOW
            | &SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
            | &SqlState::READ_ONLY_SQL_TRANSACTION => Self::Lost,
            &SqlState::T_R_DEADLOCK_DETECTED
            | &SqlState::T_R_SERIALIZATION_FAILURE
            | &SqlState::LOCK_NOT_AVAILABLE
            | &SqlState::QUERY_CANCELED
            | &SqlState::IO_ERROR => Self::Again,
            // No space, no memory, too many connections.
            _ if matches!(code.code().get(..2), Some("53")) => Self::Again,
            &SqlState::CHECK_VIOLATION => Self::NoSegment,
            _ => Self::Rejected(format!("{}: {}", code.code(), error.message())),
        }
    }
}

impl From<Failure> for ReadError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Damaged(what) => Self::Damaged(what),
            other => Self::Unavailable(other.to_string()),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost => f.write_str("PostgreSQL cannot be reached"),
            Self::Unreachable(why) => write!(f, "PostgreSQL cannot be reached: {why}"),
            Self::Again | Self::Later => f.write_str("PostgreSQL is busy, or its disk is full"),
            Self::NoSegment => f.write_str("a segment of the journal is not there"),
            Self::Damaged(what) | Self::Rejected(what) => f.write_str(what),
            Self::Dead => f.write_str("another zeitnot serves from the database"),
            Self::Old { timeline, newest } => write!(
                f,
                "a server of PostgreSQL takes writes on timeline {timeline}, and another one was promoted to timeline {newest}: \
                 stop the old one, or make it a standby"
            ),
        }
    }
}

/// An error with its causes.
pub(super) fn say(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
