//! Parses the lines of `strace -f -y -xx`: which call on which file begins or ends there.
//!
//! With `-xx` every string is written in hex, file names too, so commas and quotes only ever
//! separate. A call that is interrupted by another thread's call takes two lines; both carry the
//! thread's id.

use std::path::PathBuf;

use thiserror::Error;

/// A line that cannot be parsed, or reports a change of a kind that is not simulated.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the trace of the server's writes has a line that cannot be parsed: {0}")]
pub struct TraceError(pub String);

/// A call that changes files or makes them durable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Call {
    /// Opens a file.
    Open {
        /// The file.
        path: PathBuf,
        /// Whether it is created if it does not exist.
        creates: bool,
        /// Whether it is truncated.
        empties: bool,
    },
    /// Writes bytes at an offset.
    Write {
        /// The file.
        path: PathBuf,
        /// The offset.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Sets the length of a file.
    Truncate {
        /// The file.
        path: PathBuf,
        /// The new length.
        length: u64,
    },
    /// `fsync` or `fdatasync`.
    Sync {
        /// The file or folder.
        path: PathBuf,
    },
    /// Removes a name.
    Unlink {
        /// The file.
        path: PathBuf,
    },
    /// Renames a file.
    Rename {
        /// The old name.
        from: PathBuf,
        /// The new name.
        to: PathBuf,
    },
    /// Creates a folder.
    MakeFolder {
        /// The folder.
        path: PathBuf,
    },
    /// Changes a file in a way that is not simulated.
    Other {
        /// The call.
        name: String,
        /// The file.
        path: PathBuf,
    },
}

impl Call {
    fn changes(&self) -> bool {
        !matches!(self, Self::Open { creates: false, empties: false, .. })
    }
}

/// What a line reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A thread begins a call.
    Begins(u32, Call),
    /// A thread's call ends with this result; `None` when the process ended during the call.
    Ends(u32, Option<i64>),
    /// A thread's call begins and ends.
    Done(u32, Call, Option<i64>),
}

/// The calls to trace.
pub(super) const CALLS: &str = "trace=openat,open,creat,pwrite64,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,\
     fdatasync,sync_file_range,rename,renameat,renameat2,unlink,unlinkat,link,linkat,mkdir,mkdirat,copy_file_range,sendfile";

/// Follows a call that another one interrupts.
const UNFINISHED: &str = " <unfinished ...>";

/// Follows a call that the kill interrupted.
const DETACHED: &str = " <detached ...>";

/// Stands for a call that the kill prevented.
const NOT_BEGUN: &str = "???";

/// Parses a line; `None` when its call changes no file.
///
/// # Errors
/// When the line cannot be parsed.
pub fn read(line: &str) -> Result<Option<Step>, TraceError> {
    let wrong = || TraceError(line.chars().take(200).collect());
    let (thread, rest) = line.split_once(' ').ok_or_else(wrong)?;
    let thread: u32 = thread.parse().map_err(|_| wrong())?;
    let rest = rest.trim_start();
    if ["+++", "---", NOT_BEGUN].iter().any(|start| rest.starts_with(start)) {
        return Ok(None);
    }
    if rest.starts_with("<...") {
        return Ok(Some(Step::Ends(thread, result(rest))));
    }
    let (name, arguments) = rest.split_once('(').ok_or_else(wrong)?;
    if let Some(arguments) = [UNFINISHED, DETACHED].iter().find_map(|end| arguments.strip_suffix(end)) {
        let call = call(name, arguments).ok_or_else(wrong)?;
        return Ok(call.changes().then_some(Step::Begins(thread, call)));
    }
    // Short calls are padded with blanks before the result; some errors after it contain
    // parentheses.
    let end = arguments.rfind(") = ").or_else(|| arguments.rfind(")  ")).ok_or_else(wrong)?;
    // A call during which the process ended has both.
    let whole = arguments[..end].trim_end_matches(UNFINISHED);
    let call = call(name, whole).ok_or_else(wrong)?;
    Ok(call.changes().then(|| Step::Done(thread, call, result(&arguments[end..]))))
}

/// The number after ` = `.
fn result(text: &str) -> Option<i64> {
    let value = text.split_once(" = ")?.1.trim_start();
    let digits = value.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(value.len());
    value[..digits].parse().ok()
}

/// Parses a call; `None` when it cannot be parsed.
fn call(name: &str, arguments: &str) -> Option<Call> {
    let parts: Vec<&str> = arguments.split(", ").collect();
    let part = |index: usize| parts.get(index).copied();
    let call = match name {
        "openat" | "open" => {
            let first = usize::from(name == "openat");
            let flags = part(first + 1).unwrap_or_default();
            let creates = flags.contains("O_CREAT");
            let empties = flags.contains("O_TRUNC");
            Call::Open { path: quoted_path(part(first)?)?, creates, empties }
        }
        "pwrite64" => {
            let offset = part(3)?.parse().ok()?;
            Call::Write { path: path_of_fd(part(0)?)?, offset, bytes: quoted(part(1)?)? }
        }
        "ftruncate" => Call::Truncate { path: path_of_fd(part(0)?)?, length: part(1)?.parse().ok()? },
        "fsync" | "fdatasync" => Call::Sync { path: path_of_fd(part(0)?)? },
        "unlink" => Call::Unlink { path: quoted_path(part(0)?)? },
        "rename" => Call::Rename { from: quoted_path(part(0)?)?, to: quoted_path(part(1)?)? },
        "mkdir" => Call::MakeFolder { path: quoted_path(part(0)?)? },
        other => {
            // A folder and a name, or a descriptor, in some order; the last name is that of the
            // file.
            let path = parts.iter().rev().find_map(|part| quoted_path(part).or_else(|| path_of_fd(part)));
            Call::Other { name: other.to_owned(), path: path? }
        }
    };
    Some(call)
}

/// The path in `13<\x2f…>`.
fn path_of_fd(part: &str) -> Option<PathBuf> {
    let (_, rest) = part.split_once('<')?;
    path(hex(rest.split_once('>')?.0)?)
}

fn quoted_path(part: &str) -> Option<PathBuf> {
    path(quoted(part)?)
}

/// The bytes in `"\x2f…"`; `None` for a string that strace has abbreviated, which is followed by
/// dots.
fn quoted(part: &str) -> Option<Vec<u8>> {
    hex(part.strip_prefix('"')?.strip_suffix('"')?)
}

fn path(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    text.as_bytes()
        .chunks(4)
        .map(|four| match four {
            [b'\\', b'x', high, low] => u8::try_from(digit(*high)? * 16 + digit(*low)?).ok(),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `<` and `>` stand around what strace writes in hex.
    fn line(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('«') {
            let (inner, after) = after.split_once('»').unwrap();
            out.push_str(before);
            out.extend(inner.bytes().map(|byte| format!("\\x{byte:02x}")));
            rest = after;
        }
        out + rest
    }

    fn read_line(text: &str) -> Option<Step> {
        read(&line(text)).unwrap()
    }

    #[test]
    fn a_write_in_one_line_and_in_two() {
        let write = Call::Write { path: "/d/zeitnot.db-wal".into(), offset: 4_152, bytes: b"abc".to_vec() };
        let whole = "8917  pwrite64(13<«/d/zeitnot.db-wal»>, \"«abc»\", 3, 4152) = 3";
        assert_eq!(read_line(whole), Some(Step::Done(8917, write.clone(), Some(3))));
        let begun = "8917  pwrite64(13<«/d/zeitnot.db-wal»>, \"«abc»\", 3, 4152 <unfinished ...>";
        assert_eq!(read_line(begun), Some(Step::Begins(8917, write.clone())));
        let detached = begun.replace("unfinished", "detached");
        assert_eq!(read_line(&detached), Some(Step::Begins(8917, write.clone())));
        let killed = format!("{begun}) = ?");
        assert_eq!(read_line(&killed), Some(Step::Done(8917, write, None)));
        assert_eq!(read_line("8917  <... pwrite64 resumed>)  = 3"), Some(Step::Ends(8917, Some(3))));
        assert_eq!(
            read_line("8917  <... pwrite64 resumed> <unfinished ...>) = ?"),
            Some(Step::Ends(8917, None))
        );
    }

    #[test]
    fn files_are_created_and_removed() {
        let opened = "1 openat(AT_FDCWD<«/x»>, \"«/d/a»\", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 13<«/d/a»>";
        let call = Call::Open { path: "/d/a".into(), creates: true, empties: false };
        assert_eq!(read_line(opened), Some(Step::Done(1, call, Some(13))));
        assert_eq!(
            read_line(
                "1 openat(AT_FDCWD<«/x»>, \"«/d/a»\", O_RDONLY) = -1 ENOENT (No such file or directory)"
            ),
            None
        );
        let synced = Call::Sync { path: "/d".into() };
        assert_eq!(read_line("1 fsync(12<«/d»>) = 0"), Some(Step::Done(1, synced, Some(0))));
        let cut = Call::Truncate { path: "/d/a".into(), length: 49_152 };
        assert_eq!(read_line("1 ftruncate(15<«/d/a»>, 49152) = 0"), Some(Step::Done(1, cut, Some(0))));
        let gone = Call::Unlink { path: "/d/a".into() };
        assert_eq!(
            read_line("1 unlink(\"«/d/a»\")  = -1 ENOENT (No such file)"),
            Some(Step::Done(1, gone, Some(-1)))
        );
        let made = Call::MakeFolder { path: "/d".into() };
        assert_eq!(read_line("1 mkdir(\"«/d»\", 0777) = 0"), Some(Step::Done(1, made, Some(0))));
    }

    #[test]
    fn an_unsupported_call_is_named_and_an_abbreviated_one_is_an_error() {
        let linked = "1 linkat(AT_FDCWD<«/»>, \"«/d/a»\", AT_FDCWD<«/»>, \"«/d/b»\", 0) = 0";
        let call = Call::Other { name: "linkat".to_owned(), path: "/d/b".into() };
        assert_eq!(read_line(linked), Some(Step::Done(1, call, Some(0))));
        assert!(read(&line("1 pwrite64(13<«/d/a»>, \"«abc»\"..., 300, 0) = 300")).is_err());
        assert!(read("nonsense").is_err());
        assert_eq!(read("1 +++ killed by SIGKILL +++"), Ok(None));
        assert_eq!(read("24543 ???( <detached ...>"), Ok(None));
    }
}
