//! How the latencies of one condition are distributed, over all rounds together.

use hdrhistogram::Histogram;

use super::run::{Curve, rounded};

/// How many points a curve has for each halving of what is above it.
const POINTS_PER_HALF: u32 = 6;

/// Quantiles are written with nine digits: more than that is never measured.
const QUANTILE_STEPS: f64 = 1e9;

/// All latencies of one curve, in microseconds.
#[derive(Debug)]
pub(super) struct Distribution {
    plot: String,
    name: String,
    times_us: Histogram<u64>,
}

impl Distribution {
    pub(super) fn new(plot: &str, name: &str, times_us: &Histogram<u64>) -> Self {
        Self { plot: plot.to_owned(), name: name.to_owned(), times_us: times_us.clone() }
    }

    /// Whether it is that of this curve.
    pub(super) fn is(&self, plot: &str, name: &str) -> bool {
        self.plot == plot && self.name == name
    }

    /// Counts more latencies. What is longer than the first histogram distinguishes counts as its
    /// longest.
    pub(super) fn add(&mut self, times_us: &Histogram<u64>) {
        for counted in times_us.iter_recorded() {
            self.times_us.saturating_record_n(counted.value_iterated_to(), counted.count_at_value());
        }
    }

    /// The curve, in milliseconds; `None` without any latency.
    pub(super) fn curve(&self) -> Option<Curve> {
        if self.times_us.is_empty() {
            return None;
        }
        let ms = |micros: u64| rounded(micros as f64 / 1e3);
        let mut points = vec![(0.0, ms(self.times_us.min()))];
        for step in self.times_us.iter_quantiles(POINTS_PER_HALF) {
            let quantile = (step.quantile_iterated_to() * QUANTILE_STEPS).round() / QUANTILE_STEPS;
            points.push((quantile, ms(step.value_iterated_to())));
        }
        points.dedup();
        let (plot, name, unit) = (self.plot.clone(), self.name.clone(), "ms".to_owned());
        Some(Curve { plot, name, unit, count: self.times_us.len(), points })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(values: impl IntoIterator<Item = u64>) -> Histogram<u64> {
        let mut times = crate::schedule::times().unwrap();
        values.into_iter().for_each(|value| times.saturating_record(value));
        times
    }

    #[test]
    fn latencies_of_several_rounds_are_counted_together() {
        let mut moves = Distribution::new("moves", "alone", &times(1..=500));
        moves.add(&times(501..=1_000));
        let Curve { count, points, .. } = moves.curve().unwrap();
        assert_eq!(count, 1_000);
        assert_eq!([points[0], *points.last().unwrap()], [(0.0, 0.001), (1.0, 1.0)]);
        assert!(points.windows(2).all(|two| two[0].0 <= two[1].0 && two[0].1 <= two[1].1), "{points:?}");
        let median = points.iter().find(|(quantile, _)| *quantile >= 0.5).unwrap().1;
        assert!((0.49..0.52).contains(&median), "{median}");
        assert!(Distribution::new("moves", "alone", &times([])).curve().is_none());
    }
}
