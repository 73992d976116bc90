//! A run as one HTML page, for people: it opens from the disk, needs no network and no script, is light
//! or dark as the reader's system is, and prints.
//!
//! Order: whether it passed and what was run, the limits, an older run beside this one, what happened
//! over time, the distributions, the rounds, all figures, what the command printed.
//!
//! Deliberately absent: any figure that the JSON file does not have.

mod curves;
mod figures;
mod head;
mod over_time;
mod plot;
mod rounds;
mod scale;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::before_after::BeforeAfter;
use super::run::Run;

const STYLE: &str = include_str!("style.css");

/// The page of a run, beside an older one of the same command if there is one.
#[must_use]
pub fn render(run: &Run, before: Option<&Run>) -> String {
    let over_time = over_time::figures(run);
    let curves = curves::figures(run, before);
    let rounds = rounds::figures(run);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (head::title(run)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    (head::markup(run))
                    (head::findings(run))
                    (figures::limits(run))
                    @if let Some(before) = before { (figures::before_after(before, &BeforeAfter::of(before, run))) }
                    (section("Over time", &over_time))
                    (section("Distribution of latencies", &curves))
                    (section("Rounds", &rounds))
                    (figures::all(run))
                    (head::marks(run))
                    (head::printed(run))
                }
                footer {
                    (run.programs.loadtest) ", schema version " (run.version)
                }
            }
        }
    };
    page.into_string()
}

fn section(title: &str, figures: &[plot::Figure]) -> Markup {
    html! {
        @if !figures.is_empty() {
            section {
                h2 { (title) }
                div.plots { @for figure in figures { (figure.markup()) } }
            }
        }
    }
}
