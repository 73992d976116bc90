//! The frame of a plot as SVG: axes, grid, titles, lines. And the `<figure>` around it, with its legend
//! and its figures as a table.
//!
//! Each plot is drawn twice, for a wide and for a narrow window, so that its text is readable in both.
//! Colours are classes; the style sheet has them for light, dark and print. No script.

use maud::{Markup, PreEscaped, html};

use super::scale::Scale;

/// The height of all plots.
const HEIGHT: f64 = 244.0;

/// Where the plot itself begins and ends: above it are marks and the unit, below it the labels of the
/// axis.
pub(super) const TOP: f64 = 34.0;
pub(super) const FLOOR: f64 = HEIGHT - 40.0;

/// The space on the right of the plot.
const RIGHT: f64 = 18.0;

/// The width of a digit, of the size that the style sheet has.
const DIGIT: f64 = 7.2;

/// Room for so many digits is kept on the left of each plot, so that most begin at the same place.
const DIGITS_MIN: usize = 4;

/// How many colours the style sheet has.
const COLOURS: usize = 7;

/// For which window a plot is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Width {
    Wide,
    /// Half of a wide one: two plots beside each other.
    Half,
    Narrow,
}

impl Width {
    fn units(self) -> f64 {
        match self {
            Self::Wide => 1_120.0,
            Self::Half => 550.0,
            Self::Narrow => 360.0,
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Wide | Self::Half => "wide",
            Self::Narrow => "narrow",
        }
    }
}

/// The frame of a plot.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) width: Width,
    pub(super) x: Scale,
    pub(super) y: Scale,
    x_title: String,
    unit: String,
    left: f64,
}

impl Frame {
    pub(super) fn new(width: Width, x: Scale, y: Scale, x_title: &str, unit: &str) -> Self {
        let longest = y.ticks(0).iter().map(|(_, label)| label.len()).max().unwrap_or(0).max(DIGITS_MIN);
        let left = (longest as f64).mul_add(DIGIT, 14.0);
        let x = x.between(left, width.units() - RIGHT);
        let y = y.between(FLOOR, TOP);
        Self { width, x, y, x_title: x_title.to_owned(), unit: unit.to_owned(), left }
    }

    pub(super) fn right(&self) -> f64 {
        self.width.units() - RIGHT
    }

    /// The plot: `behind` the grid, and `lines` before it. `summary` is what a screen reader says.
    pub(super) fn svg(&self, summary: &str, behind: &Markup, lines: &Markup) -> Markup {
        let (left, right, bottom) = (self.left, self.right(), FLOOR);
        let apart = if self.width == Width::Narrow { 62.0 } else { 84.0 };
        let ticks = self.x.ticks(((right - left) / apart) as usize);
        let view = format!("0 0 {} {HEIGHT}", self.width.units());
        html! {
            svg class=(self.width.class()) viewBox=(view) role="img" aria-label=(summary) {
                (behind)
                g.grid {
                    @for (value, label) in self.y.ticks(0) {
                        @let y = self.y.place(value);
                        path d=(format!("M{left:.1} {y:.1}H{right:.1}")) {}
                        text.y x=(number(left - 6.0)) y=(number(y + 4.0)) { (label) }
                    }
                    @for (value, label) in ticks {
                        @let x = self.x.place(value);
                        path d=(format!("M{x:.1} {bottom:.1}v5")) {}
                        text.x x=(number(x)) y=(number(bottom + 18.0)) { (label) }
                    }
                    path.axis d=(format!("M{left:.1} {bottom:.1}H{right:.1}")) {}
                    text.unit x="2" y=(number(TOP - 23.0)) { (self.unit) }
                    text.title x=(number(right)) y=(number(HEIGHT - 4.0)) { (self.x_title) }
                }
                (lines)
            }
        }
    }

    /// A line through these points; where there is no value it is broken.
    pub(super) fn line(&self, class: &str, points: impl Iterator<Item = (f64, Option<f64>)>) -> Markup {
        let (mut path, mut alone) = (String::new(), String::new());
        let places: Vec<_> = points.map(|(x, value)| Some((self.x.place(x), self.y.place(value?)))).collect();
        for part in places.split(Option::is_none) {
            for (number, (x, y)) in part.iter().flatten().enumerate() {
                match part.len() {
                    // A line of no length is drawn as a dot.
                    1 => alone += &format!("M{x:.1} {y:.1}h0"),
                    _ => path += &format!("{}{x:.1} {y:.1}", if number == 0 { 'M' } else { 'L' }),
                }
            }
        }
        html! {
            path class=(format!("line {class}")) d=(path) {}
            @if !alone.is_empty() { path class=(format!("line alone {class}")) d=(alone) {} }
        }
    }
}

/// A place, with a tenth of a unit.
pub(super) fn number(value: f64) -> String {
    format!("{value:.1}")
}

/// The class of the colour of the series with this number.
pub(super) fn colour(index: usize) -> String {
    format!("c{}", index % COLOURS)
}

/// What the lines of a plot mean.
pub(super) struct Legend {
    pub(super) class: String,
    pub(super) name: String,
}

/// A plot with its title, its legend, what is to be known of it, and its table.
pub(super) struct Figure {
    pub(super) title: String,
    pub(super) legend: Vec<Legend>,
    pub(super) drawings: Vec<Markup>,
    pub(super) caption: String,
    pub(super) table: Markup,
    /// Whether another one may stand beside it.
    pub(super) is_half: bool,
}

impl Figure {
    pub(super) fn markup(&self) -> Markup {
        html! {
            figure.half[self.is_half] {
                h3 { (self.title) }
                @if self.legend.len() > 1 {
                    ul.legend {
                        @for Legend { class, name } in &self.legend {
                            li {
                                svg viewBox="0 0 22 8" aria-hidden="true" {
                                    path class=(format!("line {class}")) d="M1 4H21" {}
                                }
                                (name)
                            }
                        }
                    }
                }
                @for drawing in &self.drawings { (drawing) }
                @if !self.caption.is_empty() { figcaption { (self.caption) } }
                details { summary { "Figures of this plot" } (self.table) }
            }
        }
    }
}

/// A table with a head; the first column has the names of the rows.
pub(super) fn table(head: &[String], rows: &[Vec<String>]) -> Markup {
    html! {
        div.scroll tabindex="0" {
            table {
                thead { tr { @for cell in head { th scope="col" { (cell) } } } }
                tbody {
                    @for row in rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                @if column == 0 { th scope="row" { (cell) } } @else { td { (cell) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Nothing.
pub(super) fn nothing() -> Markup {
    PreEscaped(String::new())
}
