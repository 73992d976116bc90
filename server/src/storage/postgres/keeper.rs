//! Keeps one connection: a lost one is no failure, but the beginning of another one.
//!
//! Before anything is tried again on the other one, the lost one's backend is ended, so that what it was about to do is done
//! or never will be; then comes the barrier. What a transaction came to whose `COMMIT` was not answered says its id.
//!
//! Deliberately absent: what is done on the connection.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::connection::{Backend, Database, Failure, Link};
use crate::seeded_bugs::bug;

/// The time between two attempts.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// A connection and its successors.
pub(super) struct Keeper {
    database: Arc<Database>,
    link: Option<Arc<Link>>,
    /// A backend that may still be at work.
    lost: Option<Backend>,
    /// Whether the log says that there is no connection.
    is_away: bool,
}

/// How an attempt at a transaction went.
enum Attempt<T> {
    Done(T),
    Failed(Failure),
    /// `COMMIT` was not answered, of the transaction with this id.
    Unknown(T, Option<String>),
}

impl Keeper {
    pub(super) fn new(database: Arc<Database>, link: Option<Arc<Link>>) -> Self {
        Self { database, link, lost: None, is_away: false }
    }

    /// The connection is not used again.
    pub(super) fn lose(&mut self) {
        if let Some(link) = self.link.take() {
            self.lost = Some(link.backend.clone());
        }
    }

    /// The connection, or the next one: waits until there is one.
    ///
    /// # Errors
    /// When this process may not serve any longer.
    pub(super) async fn link(&mut self) -> Result<Arc<Link>, Failure> {
        loop {
            if let Some(link) = &self.link {
                if !link.is_closed() {
                    return Ok(Arc::clone(link));
                }
                self.lose();
            }
            match self.connect().await {
                Ok(link) => {
                    self.link = Some(Arc::new(link));
                    if std::mem::take(&mut self.is_away) {
                        tracing::info!("PostgreSQL can be reached again");
                    }
                }
                Err(Failure::Dead) => return Err(Failure::Dead),
                Err(failure) => {
                    if !std::mem::replace(&mut self.is_away, true) {
                        tracing::warn!(%failure, "what is to be written waits until PostgreSQL can be reached");
                    }
                    tokio::time::sleep(AGAIN_AFTER).await;
                }
            }
        }
    }

    async fn connect(&mut self) -> Result<Link, Failure> {
        let link = self.database.connect().await?;
        if let Some(lost) = &self.lost {
            link.end(lost).await?;
        }
        self.database.barrier(&link).await?;
        self.lost = None;
        Ok(link)
    }

    /// Waits until it is certain that this process has not been declared dead: whoever plays on the games of the dead comes
    /// after this.
    ///
    /// # Errors
    /// When this process may not serve any longer.
    pub(super) async fn barrier(&mut self) -> Result<(), Failure> {
        loop {
            let link = self.link().await?;
            match self.database.barrier(&link).await {
                Err(Failure::Lost) => self.lose(),
                Err(Failure::Again) => self.pause().await,
                done => return done,
            }
        }
    }

    /// Waits a little, for something that may be tried again.
    pub(super) async fn pause(&self) {
        tokio::time::sleep(AGAIN_AFTER).await;
    }

    /// Does something in one transaction, once, however often a connection is lost. `act` may run several times, and only
    /// what it did the last time counts.
    ///
    /// # Errors
    /// When it cannot be done. Then nothing was.
    pub(super) async fn transact<T, F, Fut>(&mut self, mut act: F) -> Result<T, Failure>
    where
        F: FnMut(Arc<Link>) -> Fut,
        Fut: Future<Output = Result<T, Failure>>,
    {
        loop {
            let link = self.link().await?;
            match attempt(&link, &mut act).await {
                Attempt::Done(done) => return Ok(done),
                Attempt::Unknown(done, id) => {
                    self.lose();
                    bug!(ServeBeforeClaim => return Ok(done));
                    if self.was_committed(id).await? {
                        return Ok(done);
                    }
                }
                Attempt::Failed(Failure::Lost) => self.lose(),
                Attempt::Failed(failure) => {
                    if link.batch_execute("ROLLBACK").await.is_err() {
                        self.lose();
                    }
                    match failure {
                        Failure::Again => self.pause().await,
                        failure => return Err(failure),
                    }
                }
            }
        }
    }

    /// Does something in one transaction that may be left for another time: `None` when it was.
    ///
    /// # Errors
    /// As [`Self::transact`].
    pub(super) async fn transact_once<T, F, Fut>(&mut self, mut act: F) -> Result<Option<T>, Failure>
    where
        F: FnMut(Arc<Link>) -> Fut,
        Fut: Future<Output = Result<T, Failure>>,
    {
        let doing = self.transact(|link| {
            let doing = act(link);
            async move {
                match doing.await {
                    Err(Failure::Again) => Err(Failure::Later),
                    done => done,
                }
            }
        });
        match doing.await {
            Ok(done) => Ok(Some(done)),
            Err(Failure::Later) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// Whether a transaction that is over was committed, by its id: one without an id changed nothing.
    async fn was_committed(&mut self, id: Option<String>) -> Result<bool, Failure> {
        let Some(id) = id else { return Ok(true) };
        loop {
            let link = self.link().await?;
            match link.row("SELECT pg_xact_status($1::text::xid8)", &[&id]).await {
                Ok(row) => {
                    let status = row.and_then(|row| row.get::<_, Option<String>>(0));
                    return Ok(status.as_deref() == Some("committed"));
                }
                Err(Failure::Lost) => self.lose(),
                Err(Failure::Again) => self.pause().await,
                Err(failure) => return Err(failure),
            }
        }
    }
}

async fn attempt<T, F, Fut>(link: &Arc<Link>, act: &mut F) -> Attempt<T>
where
    F: FnMut(Arc<Link>) -> Fut,
    Fut: Future<Output = Result<T, Failure>>,
{
    let done = async {
        link.batch_execute("BEGIN").await?;
        let done = act(Arc::clone(link)).await?;
        let row = link.row("SELECT pg_current_xact_id_if_assigned()::text", &[]).await?;
        Ok((done, row.and_then(|row| row.get(0))))
    };
    let (done, id) = match done.await {
        Ok(done) => done,
        Err(failure) => return Attempt::Failed(failure),
    };
    let heard = link.warnings();
    match link.batch_execute("COMMIT").await.map_err(Failure::from) {
        Ok(()) if link.warnings() == heard => Attempt::Done(done),
        // A warning: it is committed there, and it is unknown whether the standby has it.
        Ok(()) | Err(Failure::Lost) => Attempt::Unknown(done, id),
        Err(failure) => Attempt::Failed(failure),
    }
}
