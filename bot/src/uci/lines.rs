//! The lines that an engine writes, of bounded length.
//!
//! Invariant: `next` may be dropped at any point and called again; nothing that was read is lost.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

use super::EngineError;

/// The longest line that is read, in bytes. The variations that engines print take some kilobytes.
pub(super) const LONGEST_LINE: usize = 1 << 16;

/// Reads lines.
#[derive(Debug)]
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    /// The part of a line that has come.
    part: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: BufReader::new(reader), part: Vec::new() }
    }

    /// The next line without its end. What is not UTF-8 is replaced.
    pub(super) async fn next(&mut self) -> Result<String, EngineError> {
        loop {
            let bytes = self.reader.fill_buf().await.map_err(|_| EngineError::Died)?;
            if bytes.is_empty() {
                return Err(EngineError::Died);
            }
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let taken = end.unwrap_or(bytes.len());
            self.part.extend_from_slice(&bytes[..taken]);
            self.reader.consume(taken + usize::from(end.is_some()));
            if self.part.len() > LONGEST_LINE {
                return Err(EngineError::LongLine { limit: LONGEST_LINE });
            }
            if end.is_some() {
                let line = String::from_utf8_lossy(&self.part).trim_end().to_owned();
                self.part.clear();
                return Ok(line);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_come_whole_and_the_end_is_an_error() {
        let mut lines = Lines::new(&b"uciok\r\n\nreadyok\nhalf"[..]);
        for wanted in ["uciok", "", "readyok"] {
            assert_eq!(lines.next().await.expect("a line"), wanted);
        }
        assert!(matches!(lines.next().await, Err(EngineError::Died)));
    }

    #[tokio::test]
    async fn a_line_without_end_is_not_kept() {
        let endless = tokio::io::repeat(b'x');
        let mut lines = Lines::new(endless);
        assert!(matches!(lines.next().await, Err(EngineError::LongLine { .. })));
        assert!(lines.part.len() <= LONGEST_LINE + 8_192);
    }
}
