//! What a run was and what it measured, for people and for programs.
//!
//! A command fills a [`Recorder`] with figures, curves, marks and latencies; the recorder also watches
//! the processes of servers and shows how far the run is. At the end it gives a [`Run`], the only thing
//! that the files are made from: JSON for programs ([`json_file`]) and one HTML page ([`page`]), alone
//! or beside an older run. What is printed on the terminal is in [`text`].
//!
//! Commands know nothing of files and HTML. Nothing here decides whether a run passed.

pub mod before_after;
mod distribution;
pub mod json_file;
mod latencies;
mod machine;
pub mod options;
pub mod page;
mod progress;
mod recorder;
pub mod run;
mod sampler;
mod text;

pub use latencies::Latencies;
pub use progress::Progress;
pub use recorder::{OpenMark, Recorder};
pub use run::{Better, Figure, MarkKind, Outcome, Run};
pub use text::{Series, Table, Target, figure};
