//! The program's end of the admin socket.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::AdminAct;
use super::socket::SOCKET;

/// Why an act was not done.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// No server takes acts there.
    #[error("no server serves from {}: start it, or name its folder with --data", .0.display())]
    NoServer(PathBuf),
    /// The socket does not work.
    #[error("the server in {folder} does not answer: {1}", folder = .0.display())]
    Socket(PathBuf, #[source] io::Error),
    /// The server says why not.
    #[error("{0}")]
    NotDone(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Done(String),
    Error(String),
}

/// Has the server that serves from `folder` do something; what it says.
///
/// # Errors
/// When it did not.
pub fn ask(folder: &Path, act: &AdminAct) -> Result<String, AskError> {
    let failed = |error| AskError::Socket(folder.to_owned(), error);
    let mut stream = UnixStream::connect(folder.join(SOCKET)).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => AskError::NoServer(folder.to_owned()),
        _ => failed(error),
    })?;
    let line = serde_json::to_string(act).map_err(|error| failed(error.into()))?;
    stream.write_all(format!("{line}\n").as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    match serde_json::from_str(&answer) {
        Ok(Answer::Done(text)) => Ok(text),
        Ok(Answer::Error(why)) => Err(AskError::NotDone(why)),
        Err(error) => Err(failed(error.into())),
    }
}
