//! The task that writes what is not of games: everything that waits is one transaction.
//!
//! A job that PostgreSQL rejects fails alone: the others are written without it.
//!
//! Invariant: what was answered is durable; jobs are written in their order.

use std::sync::Arc;
use std::time::Duration;

use super::connection::{Failure, Link};
use super::keeper::Keeper;
use super::queue::Queue;
use super::requests::Job;
use crate::storage::completions::Answer;

/// Jobs in one transaction.
const BATCH_MAX: usize = 256;
/// How long the task sleeps while nothing comes.
const IDLE: Duration = Duration::from_secs(3_600);

/// Writes until the queue is closed and empty, or this process may not serve any longer.
pub(super) async fn run(mut keeper: Keeper, queue: Arc<Queue<Job>>) {
    let mut jobs = Vec::new();
    while queue.take_many(&mut jobs, BATCH_MAX, IDLE).await {
        if write(&mut keeper, std::mem::take(&mut jobs)).await.is_err() {
            // What waits is not answered, which means: unknown.
            return queue.abandon();
        }
    }
}

/// Writes these jobs, and answers those that were.
///
/// # Errors
/// When this process may not serve any longer.
pub(super) async fn write(keeper: &mut Keeper, jobs: Vec<Job>) -> Result<(), Failure> {
    if jobs.is_empty() {
        return Ok(());
    }
    let answers = match together(keeper, jobs).await? {
        Ok(answers) => answers,
        Err(jobs) => {
            for job in jobs {
                match together(keeper, vec![job]).await? {
                    Ok(answers) => answers.into_iter().for_each(|answer| answer()),
                    // Nobody is answered, which means: not written, or unknown.
                    Err(_) => tracing::error!("a write was rejected by PostgreSQL: its log says more"),
                }
            }
            return Ok(());
        }
    };
    answers.into_iter().for_each(|answer| answer());
    Ok(())
}

/// Writes jobs in one transaction; the jobs again when one of them was rejected.
async fn together(keeper: &mut Keeper, jobs: Vec<Job>) -> Result<Result<Vec<Answer>, Vec<Job>>, Failure> {
    let jobs = Arc::new(tokio::sync::Mutex::new(jobs));
    let act = |link: Arc<Link>| {
        let jobs = Arc::clone(&jobs);
        async move {
            let mut answers = Vec::new();
            for job in jobs.lock().await.iter_mut() {
                answers.push(job(Arc::clone(&link)).await?);
            }
            Ok(answers)
        }
    };
    match keeper.transact(act).await {
        Ok(answers) => Ok(Ok(answers)),
        Err(failure @ (Failure::Lost | Failure::Again | Failure::Dead)) => Err(failure),
        Err(failure) => {
            tracing::error!(%failure, "a transaction was rejected");
            Ok(Err(Arc::into_inner(jobs).map(tokio::sync::Mutex::into_inner).unwrap_or_default()))
        }
    }
}
