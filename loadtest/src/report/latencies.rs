//! Latencies over time: percentiles of each second, and how many there were.
//!
//! A second is kept as a histogram until it is over, so a long run needs little memory. To end one takes
//! some 10 µs. The distribution of all latencies is kept too, with more digits.

use hdrhistogram::Histogram;

use super::run::{TimeSeries, rounded};
use crate::stopwatch::Stopwatch;

/// The longest latency that is distinguished, in microseconds.
const LONGEST_US: u64 = 600_000_000;

/// The digits of a second, which is drawn as one point, and of all.
const DIGITS: u8 = 2;
const DIGITS_OF_ALL: u8 = 3;

/// The percentiles of each second, with their names.
const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)];

/// A last part of a second that is shorter than this says nothing about the rate.
const PART_MIN: f64 = 0.5;

/// The latencies of one kind of operation.
#[derive(Clone, Debug)]
pub struct Latencies {
    what: String,
    clock: Stopwatch,
    /// When it began, in seconds of the clock.
    began: f64,
    /// The current second since then.
    second: u64,
    current: Histogram<u64>,
    all: Histogram<u64>,
    percentiles: [Vec<(f64, Option<f64>)>; QUANTILES.len()],
    rate: Vec<(f64, Option<f64>)>,
}

impl Latencies {
    /// Begins now, on the clock of the run. `what` are the operations, such as `moves`.
    pub(super) fn new(what: &str, clock: Stopwatch) -> Self {
        let times =
            |digits| Histogram::new_with_bounds(1, LONGEST_US, digits).expect("the bounds are in order");
        Self {
            what: what.to_owned(),
            clock,
            began: clock.seconds(),
            second: 0,
            current: times(DIGITS),
            all: times(DIGITS_OF_ALL),
            percentiles: Default::default(),
            rate: Vec::new(),
        }
    }

    /// An operation was answered just now, after so many microseconds.
    pub fn record(&mut self, micros: u64) {
        self.record_at(self.clock.seconds(), micros);
    }

    fn record_at(&mut self, at: f64, micros: u64) {
        let second = (at - self.began).max(0.0) as u64;
        while self.second < second {
            self.end_second(1.0);
        }
        self.current.saturating_record(micros);
        self.all.saturating_record(micros);
    }

    /// Ends the current second, of which this share has passed. Its points are in its middle.
    fn end_second(&mut self, share: f64) {
        let at = rounded(self.began + self.second as f64 + share / 2.0);
        for ((_, quantile), points) in QUANTILES.iter().zip(&mut self.percentiles) {
            let value = rounded(self.current.value_at_quantile(*quantile) as f64 / 1e3);
            points.push((at, (!self.current.is_empty()).then_some(value)));
        }
        if share >= PART_MIN {
            self.rate.push((at, Some(rounded(self.current.len() as f64 / share))));
        }
        self.current.reset();
        self.second += 1;
    }

    /// What its plots are called.
    pub(super) fn plot(&self) -> String {
        format!("Latency of {}", self.what)
    }

    /// All latencies, in microseconds.
    pub(super) fn all(&self) -> &Histogram<u64> {
        &self.all
    }

    /// The series, up to now.
    pub(super) fn into_series(self) -> Vec<TimeSeries> {
        let now = self.clock.seconds();
        self.end(now)
    }

    fn end(mut self, now: f64) -> Vec<TimeSeries> {
        while self.began + self.second as f64 + 1.0 <= now {
            self.end_second(1.0);
        }
        let share = now - self.began - self.second as f64;
        if share >= PART_MIN || !self.current.is_empty() {
            self.end_second(share.clamp(0.0, 1.0));
        }
        let plot = self.plot();
        let Self { what, percentiles, rate, .. } = self;
        let series = |plot: String, name: &str, unit: &str, points| {
            let (name, unit) = (name.to_owned(), unit.to_owned());
            TimeSeries { plot, name, unit, points }
        };
        let percentiles = QUANTILES.iter().zip(percentiles);
        let mut all: Vec<_> =
            percentiles.map(|((name, _), points)| series(plot.clone(), name, "ms", points)).collect();
        all.push(series(format!("Rate of {what}"), &what, "per second", rate));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_its_percentiles_and_one_without_an_answer_has_none() {
        let mut latencies = Latencies { began: 0.0, ..Latencies::new("moves", Stopwatch::start()) };
        for number in 1..=100 {
            latencies.record_at(0.5, number * 1_000);
        }
        latencies.record_at(2.1, 5_000);
        let series = latencies.end(3.2);
        let points = |name: &str| series.iter().find(|one| one.name == name).unwrap().points.clone();
        let near = |value: Option<f64>, wanted: f64| (value.unwrap() / wanted - 1.0).abs() < 0.02;
        let (p50, p99) = (points("p50"), points("p99"));
        assert!(near(p50[0].1, 50.0) && near(p99[0].1, 99.0), "{p50:?} {p99:?}");
        assert!(p50[1] == (1.5, None) && near(p50[2].1, 5.0) && p50.len() == 3, "{p50:?}");
        assert_eq!(points("moves"), [(0.5, Some(100.0)), (1.5, Some(0.0)), (2.5, Some(1.0))]);
    }

    #[test]
    fn a_part_of_a_second_counts_as_its_rate() {
        let mut latencies = Latencies { began: 0.0, ..Latencies::new("moves", Stopwatch::start()) };
        latencies.record_at(0.1, 1_000);
        let rate = latencies.end(0.5).pop().unwrap();
        assert_eq!(rate.points, [(0.25, Some(2.0))]);
    }
}
