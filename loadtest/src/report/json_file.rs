//! A run as a JSON file: written, and read by the version that wrote it.
//!
//! Deliberately absent: reading files of other versions. The error says which version it is.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use thiserror::Error;

use super::run::{Run, SCHEMA, VERSION};

/// Why a file is not a run that can be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unreadable {
    /// It is not JSON, or was cut off.
    #[error("it is not JSON, or is damaged: {0}")]
    Damaged(String),
    /// It is JSON of something else.
    #[error("it is no run of this program: a file of `--json` has \"schema\": \"{SCHEMA}\"")]
    Other,
    /// It is a run of another version of the schema.
    #[error(
        "it has version {0} of the schema, and this program reads version {VERSION}: run the command again"
    )]
    Version(u64),
    /// It is a run, but a field is missing or wrong.
    #[error("it is damaged: {0}")]
    Field(String),
}

/// What every version begins with.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    version: Option<u64>,
}

/// A run as JSON.
///
/// # Errors
/// Never for a run: all its keys are text.
pub fn write(run: &Run) -> Result<String> {
    let mut text = serde_json::to_string(run).context("a run as JSON")?;
    text.push('\n');
    Ok(text)
}

/// A run from JSON.
///
/// # Errors
/// When it is not a run of this version of the schema.
pub fn read(text: &str) -> Result<Run, Unreadable> {
    let head: serde_json::Value =
        serde_json::from_str(text).map_err(|error| Unreadable::Damaged(error.to_string()))?;
    let head: Head = serde_json::from_value(head).map_err(|_| Unreadable::Other)?;
    match head {
        Head { schema: Some(schema), version: Some(version) } if schema == SCHEMA => {
            if version != u64::from(VERSION) {
                return Err(Unreadable::Version(version));
            }
        }
        Head { .. } => return Err(Unreadable::Other),
    }
    serde_json::from_str(text).map_err(|error| Unreadable::Field(error.to_string()))
}

/// A run from a file.
///
/// # Errors
/// When there is no such file, or [`read`] fails.
pub fn load(path: &Path) -> Result<Run> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    read(&text).with_context(|| format!("cannot use {}", path.display()))
}
