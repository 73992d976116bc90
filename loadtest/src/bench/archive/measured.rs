//! What was measured of an archive: printed, recorded, and judged by the targets of P15.

use std::io::Write;

use anyhow::Result;
use hdrhistogram::Histogram;

use super::searches::Found;
use crate::conditions::Conditions;
use crate::report::{Figure, Recorder, Series, Table, Target, figure};

const ALONE: Target = Target { name: "P15 search p99", must: 50.0, aim: 10.0, unit: " ms" };
const BESIDE: Target = Target { name: "P15 search p99 beside moves", must: 200.0, aim: 50.0, unit: " ms" };
const START: Target = Target { name: "P15 start", must: 0.2, aim: 0.1, unit: " s" };
const BYTES: Target = Target { name: "P15 game on disk, with its indexes", must: 3.6, aim: 2.0, unit: " KB" };

/// What was measured, in ms but for the starts, which are in seconds.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) alone: Found,
    pub(super) beside: Found,
    pub(super) starts: Series,
    pub(super) empty_starts: Series,
    pub(super) moves_alone: Series,
    pub(super) moves_beside_searches: Series,
    pub(super) moves_beside_copy: Series,
    pub(super) copy_seconds: Series,
    pub(super) conditions: Conditions,
}

impl Measured {
    /// Prints and records it; `kilobytes` are those of one game. Whether the required targets hold.
    pub(super) fn report(&self, kilobytes: f64, recorder: &Recorder, out: &mut dyn Write) -> Result<bool> {
        let mut table = Table::new(&["search", "alone: p50 ms", "p99", "beside moves: p50 ms", "p99"]);
        for ((kind, alone), (_, beside)) in self.alone.kinds().zip(self.beside.kinds()) {
            let cells = [(alone, 0.5), (alone, 0.99), (beside, 0.5), (beside, 0.99)];
            let cells = cells.map(|(times, quantile)| figure(ms(times, quantile)));
            table.row([kind.to_owned()].into_iter().chain(cells).collect());
        }
        write!(out, "{table}")?;
        let Measured { starts, empty_starts, moves_alone, moves_beside_searches, moves_beside_copy, .. } =
            self;
        writeln!(out, "start {starts} s, of an empty folder {empty_starts} s")?;
        writeln!(
            out,
            "p99 of moves: {moves_alone} ms alone, {moves_beside_searches} ms beside searches, {moves_beside_copy} ms beside \
             a copy of {} s",
            self.copy_seconds
        )?;
        self.record(kilobytes, recorder)?;
        let judged = [
            (ALONE, ms(&self.alone.all()?, 0.99)),
            (BESIDE, ms(&self.beside.all()?, 0.99)),
            (START, starts.median()),
            (BYTES, kilobytes),
        ];
        for (target, value) in &judged {
            writeln!(out, "{}", target.judge(*value))?;
        }
        self.conditions.conclude(judged.iter().all(|(target, value)| target.holds(*value)))
    }

    fn record(&self, kilobytes: f64, recorder: &Recorder) -> Result<()> {
        let searches = |found: &Found| found.all().map(|times| ms(&times, 0.99));
        for (name, target, value) in
            [("alone", ALONE, searches(&self.alone)?), ("beside moves", BESIDE, searches(&self.beside)?)]
        {
            recorder.figure(Figure::once("p99 of searches (P15)", name, "ms", value).within(&target));
        }
        recorder
            .figure(Figure::once("A game on disk (P15)", "with its indexes", "KB", kilobytes).within(&BYTES));
        let moves = |name, series| Figure::of_rounds("p99 of moves", name, "ms", series);
        recorder.figure(moves("alone", &self.moves_alone));
        recorder.figure(moves("beside searches", &self.moves_beside_searches));
        recorder.figure(moves("beside a copy", &self.moves_beside_copy));
        let starts = |name, series| Figure::of_rounds("Start of the server", name, "s", series);
        recorder.figure(starts("with all games (P15)", &self.starts).within(&START));
        recorder.figure(starts("on an empty folder", &self.empty_starts));
        recorder.figure(Figure::of_rounds("Copy of the folder", "beside moves", "s", &self.copy_seconds));
        for (name, found) in [("alone", &self.alone), ("beside moves", &self.beside)] {
            recorder.curve("Latency of searches", name, &found.all()?);
            for (kind, times) in found.kinds() {
                recorder.figure(Figure::once(
                    "p99 of searches",
                    &format!("{kind}, {name}"),
                    "ms",
                    ms(times, 0.99),
                ));
            }
        }
        Ok(())
    }

    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            alone: Found::new()?,
            beside: Found::new()?,
            starts: Series::default(),
            empty_starts: Series::default(),
            moves_alone: Series::default(),
            moves_beside_searches: Series::default(),
            moves_beside_copy: Series::default(),
            copy_seconds: Series::default(),
            conditions: Conditions::default(),
        })
    }
}

pub(super) fn ms(times: &Histogram<u64>, quantile: f64) -> f64 {
    times.value_at_quantile(quantile) as f64 / 1e3
}
