//! From values to places in a plot: linear, logarithmic, and the percentile axis; with the ticks.
//!
//! Invariant: a value outside of the range is placed at the nearer end.

use super::super::text::figure;

/// A scale spans at least so much more than its least value before it is logarithmic.
const LOG_FROM_RATIO: f64 = 30.0;

/// About so many ticks are wanted on a linear scale.
const TICKS: f64 = 5.0;

/// What is between the ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Linear,
    /// Whole numbers, from 1.
    Rounds,
    /// Decades.
    Log,
    /// Nines: the share above is divided by ten from tick to tick.
    Percentile,
    /// Seconds, as minutes and seconds where there are many.
    Time,
}

/// One axis of a plot.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    kind: Kind,
    from: f64,
    to: f64,
    /// The places of the ends.
    places: (f64, f64),
}

impl Scale {
    /// For values of any kind: logarithmic if they span much and are times, else linear.
    pub(super) fn of_values(
        values: impl Iterator<Item = f64> + Clone,
        unit: &str,
        starts_at_0: bool,
    ) -> Self {
        let most = values.clone().fold(0.0, f64::max);
        let least = values.clone().fold(f64::INFINITY, f64::min).min(most);
        let positive = values.filter(|value| *value > 0.0).fold(f64::INFINITY, f64::min);
        if unit == "ms" && positive.is_finite() && most > positive * LOG_FROM_RATIO {
            let (from, to) = (10_f64.powf(positive.log10().floor()), 10_f64.powf(most.log10().ceil()));
            return Self { kind: Kind::Log, from, to, places: (0.0, 1.0) };
        }
        let from = if starts_at_0 || least < most * 0.6 { 0.0 } else { least - (most - least) * 0.2 };
        // Where there is nothing but 0, the axis ends at 1.
        let most = if most > 0.0 { most } else { 1.0 };
        let step = nice_step((most - from).max(most * 0.02).max(1e-9));
        let from = (from / step).floor() * step;
        let to = ((most - from) / step - 1e-9).ceil().max(1.0).mul_add(step, from);
        Self { kind: Kind::Linear, from, to, places: (0.0, 1.0) }
    }

    /// For quantiles of so many values.
    pub(super) fn of_quantiles(count: u64) -> Self {
        let nines = (count.max(10) as f64).log10().clamp(1.0, 7.0);
        Self { kind: Kind::Percentile, from: 0.0, to: nines, places: (0.0, 1.0) }
    }

    /// For the time of a run.
    pub(super) fn of_time(seconds: f64) -> Self {
        Self { kind: Kind::Time, from: 0.0, to: seconds.max(1e-3), places: (0.0, 1.0) }
    }

    /// For rounds, which are numbered from 1.
    pub(super) fn of_rounds(count: usize) -> Self {
        Self { kind: Kind::Rounds, from: 0.5, to: count as f64 + 0.5, places: (0.0, 1.0) }
    }

    /// Between these places.
    pub(super) fn between(mut self, from: f64, to: f64) -> Self {
        self.places = (from, to);
        self
    }

    /// Where a value is.
    pub(super) fn place(&self, value: f64) -> f64 {
        let share = match self.kind {
            Kind::Linear | Kind::Rounds | Kind::Time => (value - self.from) / (self.to - self.from),
            Kind::Log => {
                (value.max(self.from).log10() - self.from.log10()) / (self.to.log10() - self.from.log10())
            }
            Kind::Percentile => -(1.0 - value).max(1e-9).log10() / self.to,
        };
        share.clamp(0.0, 1.0).mul_add(self.places.1 - self.places.0, self.places.0)
    }

    /// Values with their labels, at most about `most` of them.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        match self.kind {
            Kind::Linear => self.linear_ticks(nice_step(self.to - self.from)),
            Kind::Rounds => self.linear_ticks(nice_step(self.to - self.from).max(1.0)),
            Kind::Time => {
                let step = time_step(self.to / most.max(1) as f64);
                let values = (0..=(self.to / step) as u32).map(|number| f64::from(number) * step);
                values.map(|value| (value, time_label(value, self.to))).collect()
            }
            Kind::Log => {
                let (first, last) = (self.from.log10().round() as i32, self.to.log10().round() as i32);
                (first..=last).map(|power| 10_f64.powi(power)).map(|value| (value, label(value))).collect()
            }
            Kind::Percentile => {
                let nines = (1..=self.to.floor() as i32).map(|nines| 1.0 - 10_f64.powi(-nines));
                let quantiles = [0.0, 0.5].into_iter().chain(nines);
                quantiles.map(|quantile| (quantile, percent_label(quantile))).collect()
            }
        }
    }

    fn linear_ticks(&self, step: f64) -> Vec<(f64, String)> {
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|number| number as f64 * step).map(|value| (value, label(value))).collect()
    }
}

/// 1, 2 or 5 times a power of ten.
fn nice_step(span: f64) -> f64 {
    let rough = span / TICKS;
    let power = 10_f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

/// The least step of a time axis that is at least so long, in seconds.
fn time_step(least: f64) -> f64 {
    const STEPS: [f64; 17] = [
        0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0, 1_800.0, 3_600.0,
        7_200.0,
    ];
    STEPS.into_iter().find(|step| *step >= least).unwrap_or_else(|| (least / 3_600.0).ceil() * 3_600.0)
}

/// From when on a time axis has minutes.
const MINUTES_FROM: f64 = 180.0;

/// What the time axis is called.
pub(super) fn time_title(seconds: f64) -> &'static str {
    if seconds >= MINUTES_FROM { "time, min:s" } else { "time, s" }
}

/// A time on an axis that ends at `end`.
pub(super) fn time_label(seconds: f64, end: f64) -> String {
    if end < MINUTES_FROM {
        return label((seconds * 10.0).round() / 10.0);
    }
    let whole = seconds.round() as u64;
    format!("{}:{:02}", whole / 60, whole % 60)
}

/// A number without digits that say nothing.
pub(super) fn label(value: f64) -> String {
    let text = if value.abs() >= 1_000.0 { figure(value) } else { format!("{value:.4}") };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A quantile in percent, such as 99.9.
pub(super) fn percent_label(quantile: f64) -> String {
    let text = format!("{:.6}", quantile * 100.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: &Scale) -> Vec<String> {
        scale.ticks(6).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn a_linear_scale_ends_at_a_tick_and_starts_at_0_unless_little_would_be_seen() {
        let scale = Scale::of_values([3.0, 47.0].into_iter(), "MiB", true);
        assert_eq!(labels(&scale), ["0", "10", "20", "30", "40", "50"]);
        let scale = Scale::of_values([24.1, 25.3].into_iter(), "µs", false);
        assert!(scale.from > 20.0 && scale.from <= 24.1 && scale.to >= 25.3, "{scale:?}");
        let zero = Scale::of_values([0.0].into_iter(), "MiB", true);
        assert!(zero.place(0.0).abs() < 1e-9, "{zero:?}");
    }

    #[test]
    fn times_that_span_much_have_decades() {
        let scale = Scale::of_values([0.8, 120.0].into_iter(), "ms", true).between(100.0, 0.0);
        assert_eq!(labels(&scale), ["0.1", "1", "10", "100", "1000"]);
        assert!((scale.place(1.0) - 75.0).abs() < 1e-9 && (scale.place(0.0) - 100.0).abs() < 1e-9);
    }

    #[test]
    fn each_nine_is_as_wide_as_the_last() {
        let scale = Scale::of_quantiles(10_000).between(0.0, 400.0);
        assert_eq!(labels(&scale), ["0", "50", "90", "99", "99.9", "99.99"]);
        let places = [0.9, 0.99, 0.999, 1.0].map(|quantile| scale.place(quantile));
        assert!((places[0] - 100.0).abs() < 1e-6 && (places[2] - 300.0).abs() < 1e-6, "{places:?}");
        assert!((places[3] - 400.0).abs() < 1e-9, "the greatest value is at the end");
    }

    #[test]
    fn long_times_are_minutes() {
        assert_eq!(labels(&Scale::of_time(61.0)), ["0", "15", "30", "45", "60"]);
        assert_eq!(labels(&Scale::of_time(600.0)), ["0:00", "2:00", "4:00", "6:00", "8:00", "10:00"]);
    }
}
