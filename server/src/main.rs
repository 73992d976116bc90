//! The `zeitnot` binary: settings, logs, the listener, the runtime. Everything else is the library's.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use tokio::runtime::{Builder, Runtime};
use zeitnot_server::{Config, listener, raise_file_limit, run, shutdown, telemetry};

fn main() -> ExitCode {
    match serve(&Config::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            say_why(&error);
            ExitCode::FAILURE
        }
    }
}

fn serve(config: &Config) -> anyhow::Result<()> {
    telemetry::log_to_stderr(&config.log).context("--log cannot be read; try --log info")?;
    match raise_file_limit() {
        Ok(files) => tracing::info!(files, "open files allowed"),
        Err(error) => tracing::warn!(%error, "the limit of open files stays as it is"),
    }
    runtime(config).context("the runtime does not start")?.block_on(async {
        let listener = listener::bind(config.listen)?;
        let address = listener.local_addr()?;
        // Before anybody is told of the address: a signal that comes early must not kill.
        let asked_to_stop = shutdown::asked_to_stop().context("signals cannot be heard")?;
        std::io::stdout().write_all(format!("zeitnot listening on http://{address}\n").as_bytes())?;
        Ok(run(config.clone(), listener, asked_to_stop).await?)
    })
}

/// One worker gets the scheduler that is made for one thread: a move costs a tenth less in it.
fn runtime(config: &Config) -> std::io::Result<Runtime> {
    let mut builder = match config.workers.map(NonZeroUsize::get) {
        Some(1) => Builder::new_current_thread(),
        Some(workers) => {
            let mut builder = Builder::new_multi_thread();
            builder.worker_threads(workers);
            builder
        }
        None => Builder::new_multi_thread(),
    };
    builder.enable_all().thread_name("zeitnot").build()
}

/// What failed, why, and what to do.
#[expect(clippy::print_stderr, reason = "the last words of a program belong on stderr, logs or not")]
fn say_why(error: &anyhow::Error) {
    eprintln!("zeitnot: {error:#}");
}
