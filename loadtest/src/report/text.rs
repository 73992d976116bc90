//! How figures are printed: medians with their range, tables, and targets.
//!
//! It measures nothing and prints nothing itself: everything here implements `Display`.

use std::fmt;

/// A figure that was measured once per round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    values: Vec<f64>,
}

impl Series {
    /// Adds a round's value.
    pub fn push(&mut self, value: f64) {
        self.values.push(value);
    }

    /// Whether no round has a value yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The values, in the order of the rounds.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The middle value, or the mean of the two in the middle; NaN without any.
    #[must_use]
    pub fn median(&self) -> f64 {
        let mut sorted = self.values.clone();
        sorted.sort_by(f64::total_cmp);
        match sorted.len() {
            0 => f64::NAN,
            odd if odd % 2 == 1 => sorted[odd / 2],
            even => f64::midpoint(sorted[even / 2 - 1], sorted[even / 2]),
        }
    }

    /// This series divided by another, round by round.
    #[must_use]
    pub fn ratio_to(&self, other: &Self) -> Self {
        Self { values: self.values.iter().zip(&other.values).map(|(ours, theirs)| ours / theirs).collect() }
    }
}

impl fmt::Display for Series {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.values.is_empty() {
            return f.write_str("-");
        }
        let least = self.values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        write!(f, "{} ({}-{})", figure(self.median()), figure(least), figure(most))
    }
}

/// A number with about three significant digits.
#[must_use]
pub fn figure(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

/// A target of docs/performance.md: what a measured value must not exceed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Its number, such as `P3`.
    pub name: &'static str,
    /// The most that it may be.
    pub must: f64,
    /// The most that it should be.
    pub aim: f64,
    /// The unit; `x` for a ratio.
    pub unit: &'static str,
}

impl Target {
    /// Whether the value is within the must.
    #[must_use]
    pub fn holds(&self, value: f64) -> bool {
        value <= self.must
    }

    /// The value with what was required and what is aimed at, as one line.
    #[must_use]
    pub fn judge(&self, value: f64) -> String {
        let word = |limit: f64| {
            if value <= limit {
                "holds".to_owned()
            } else {
                format!("missed by {:.0} %", (value / limit - 1.0) * 100.0)
            }
        };
        let Self { name, must, aim, unit } = *self;
        let value_text = figure(value);
        format!("{name} {value_text}{unit}: must {must}{unit} {}, aim {aim}{unit} {}", word(must), word(aim))
    }
}

/// Rows below a header, in aligned columns.
#[derive(Clone, Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with this header.
    #[must_use]
    pub fn new(head: &[&str]) -> Self {
        Self { rows: vec![head.iter().map(|&cell| cell.to_owned()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:<width$}", width = *width))
                .collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[f64]) -> Series {
        Series { values: values.to_vec() }
    }

    #[test]
    fn the_median_is_the_middle() {
        assert!((series(&[3.0, 1.0, 2.0]).median() - 2.0).abs() < 1e-9);
        assert!((series(&[4.0, 1.0, 2.0, 3.0]).median() - 2.5).abs() < 1e-9);
        assert!(series(&[]).median().is_nan());
        assert_eq!(series(&[3.0, 1.0, 2.0]).to_string(), "2.00 (1.00-3.00)");
    }

    #[test]
    fn a_ratio_is_taken_round_by_round() {
        let ratio = series(&[10.0, 30.0, 20.0]).ratio_to(&series(&[10.0, 20.0, 20.0]));
        assert_eq!(ratio.to_string(), "1.00 (1.00-1.50)");
    }

    #[test]
    fn a_target_says_what_holds() {
        let target = Target { name: "P3", must: 1.3, aim: 1.0, unit: "x" };
        assert_eq!(target.judge(1.2), "P3 1.20x: must 1.3x holds, aim 1x missed by 20 %");
        assert!(target.holds(1.3));
        assert!(!target.holds(1.31));
        assert!(!target.holds(f64::NAN));
    }

    #[test]
    fn a_table_has_columns() {
        let mut table = Table::new(&["what", "µs"]);
        table.row(vec!["ours".to_owned(), "9.87".to_owned()]);
        table.row(vec!["chess_server".to_owned(), "10.1".to_owned()]);
        assert_eq!(table.to_string(), "what          µs\nours          9.87\nchess_server  10.1\n");
    }
}
