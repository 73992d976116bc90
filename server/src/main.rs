//! The `zeitnot` binary: settings, logs, the listener, the runtime. Everything else is the library's.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser as _;
use zeitnot_server::{Config, listener, raise_file_limit, run, shutdown, telemetry};

fn main() -> ExitCode {
    match serve(&Config::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln_all(&error);
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
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    if let Some(workers) = config.workers {
        builder.worker_threads(workers.get());
    }
    let runtime = builder.enable_all().thread_name("zeitnot").build().context("the runtime does not start")?;
    runtime.block_on(async {
        let listener = listener::bind(config.listen)?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "zeitnot listening on http://{}", listener.local_addr()?)?;
        out.flush()?;
        drop(out);
        let stop = async {
            if let Err(error) = shutdown::asked_to_stop().await {
                tracing::error!(%error, "signals cannot be heard: only SIGKILL stops this process");
                std::future::pending::<()>().await;
            }
        };
        run(config.clone(), listener, stop).await.map_err(anyhow::Error::from)
    })
}

/// One line for people: what failed, why, and what to do.
#[expect(clippy::print_stderr, reason = "the last words of a program belong on stderr, logs or not")]
fn eprintln_all(error: &anyhow::Error) {
    eprintln!("zeitnot: {error:#}");
}
