//! What came of a run, for the recorder and for the terminal.

use std::io::Write;

use anyhow::Result;
use hdrhistogram::Histogram;

use super::plan::Kind;
use super::totals::{Batch, Totals};
use crate::crash::pauses::Hit;
use crate::report::{Better, Figure, Recorder, Table, figure};

/// What the pauses are called in figures and plots.
const PAUSE: &str = "From the fault to the next accepted move";

/// The same where games stand for a moment only, somewhere in a while.
const LONGEST: &str = "The longest that a move of a game took while a node was replaced";

/// The same from when everything was there again.
const MENDED: &str = "From the end of the fault to the next accepted move";

/// What it is called that a node shows less of a game than another one has told.
const BEHIND: &str = "From when a node is read that is behind to when it has caught up";

/// The longest pause that the plot distinguishes, in µs.
const LONGEST_US: u64 = 600_000_000;

/// Records a batch; whether the latency target holds, if there is one.
pub(super) fn record(kind: Kind, batch: &Batch, totals: &Totals, recorder: &Recorder) -> bool {
    let wrong = |what: &str, of: &str, count: u64| Figure::once(what, of, "", count as f64).at_most(0.0);
    for (name, count) in [("Lost", totals.lost), ("Doubled", totals.doubled), ("Flagged", totals.flagged)] {
        recorder.figure(wrong(name, "events of games", count));
    }
    recorder.figure(wrong("Closed", "sockets on nodes that stay", totals.closed));
    recorder.figure(wrong("Declared dead", "nodes that no fault had hit", totals.dead));
    recorder.figure(wrong("Complaints", "of clients and the harness", totals.complaints));
    let mut holds = true;
    let pause = if kind == Kind::Deploy { LONGEST } else { PAUSE };
    for (hit, spread) in &totals.pauses {
        let named = |what: &str| format!("{}, {what}", hit.name());
        let p99 = Figure::once(pause, &named("p99"), "ms", spread.p99_ms);
        let target = kind.target_ms().filter(|_| *hit == Hit::Owner);
        let p99 = target.into_iter().fold(p99, Figure::at_most);
        holds &= p99.holds() != Some(false);
        recorder.figure(Figure::once(pause, &named("p50"), "ms", spread.p50_ms));
        recorder.figure(p99);
        recorder.figure(Figure::once(pause, &named("max"), "ms", spread.max_ms));
        recorder.curve(pause, hit.name(), &times(batch, *hit));
    }
    if let Some(spread) = totals.after_mended {
        recorder.figure(Figure::once(MENDED, "p50", "ms", spread.p50_ms));
        recorder.figure(Figure::once(MENDED, "p99", "ms", spread.p99_ms));
    }
    if let Some(spread) = totals.behind {
        recorder.figure(Figure::once(BEHIND, "p50", "ms", spread.p50_ms));
        recorder.figure(Figure::once(BEHIND, "max", "ms", spread.max_ms));
    }
    for (name, count) in [("acknowledged moves", totals.moves), ("faults", totals.faults)] {
        recorder.figure(Figure::once("Played", name, "", count as f64).better(Better::Neither));
    }
    let again = Figure::once("Played", "commands sent again", "", batch.sent_again as f64);
    recorder.figure(again.better(Better::Neither));
    batch.findings.iter().for_each(|finding| recorder.finding(finding.clone()));
    holds
}

fn times(batch: &Batch, hit: Hit) -> Histogram<u64> {
    let mut times = Histogram::new_with_bounds(1, LONGEST_US, 3).expect("the bounds are in order");
    let pauses = batch.faults.iter().filter_map(|fault| fault.pauses_ms.get(&hit));
    pauses.flatten().for_each(|ms| times.saturating_record((ms * 1e3) as u64));
    times
}

/// Writes how long games stood, by how they were hit.
pub(super) fn write_table(totals: &Totals, out: &mut dyn Write) -> Result<()> {
    let mut table = Table::new(&["fault to next accepted move", "games", "p50 ms", "p99 ms", "max ms"]);
    let games = totals.pauses.iter().map(|(hit, spread)| (hit.name(), spread));
    let mended = totals.after_mended.iter().map(|spread| ("from the end of the fault", spread));
    let behind = totals.behind.iter().map(|spread| ("a node still behind after that", spread));
    for (name, spread) in games.chain(mended).chain(behind) {
        let [p50, p99, max] = [spread.p50_ms, spread.p99_ms, spread.max_ms].map(figure);
        table.row(vec![name.to_owned(), spread.count.to_string(), p50, p99, max]);
    }
    write!(out, "{table}")?;
    Ok(())
}
