//! The protocol of PostgreSQL (version 3), as far as tokio-postgres speaks it: messages of a client in, answers out.
//!
//! Deliberately absent: passwords, TLS, COPY, text parameters, portals that are kept.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio_postgres::types::{IsNull, ToSql, Type};

/// A value of a row or a parameter, encoded; `None` is NULL.
pub(super) type Cell = Option<Bytes>;

/// What a client says.
#[derive(Debug)]
pub(super) enum Said {
    Query(String),
    Parse { name: String, sql: String },
    Describe { name: String },
    Bind { statement: String, params: Vec<Cell> },
    Execute,
    CloseStatement,
    Sync,
    Terminate,
}

/// A server's end of a connection. Once it is cut nobody hears what is written.
#[derive(Debug)]
pub(super) struct Wire {
    stream: Option<DuplexStream>,
    read: BytesMut,
    written: BytesMut,
}

impl Wire {
    pub(super) fn new(stream: DuplexStream) -> Self {
        Self { stream: Some(stream), read: BytesMut::new(), written: BytesMut::new() }
    }

    /// Reads until this many bytes are there.
    async fn fill(&mut self, bytes: usize) -> Option<()> {
        while self.read.len() < bytes {
            if self.stream.as_mut()?.read_buf(&mut self.read).await.ok()? == 0 {
                return None;
            }
        }
        Some(())
    }

    /// The parameters of the first message.
    pub(super) async fn startup(&mut self) -> Option<Vec<String>> {
        self.fill(4).await?;
        let length = (&self.read[..4]).get_u32() as usize;
        self.fill(length).await?;
        let mut body = self.read.split_to(length).freeze();
        body.advance(8);
        let words = body.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        Some(words.collect())
    }

    /// The next message; `None` when the client is gone.
    pub(super) async fn next(&mut self) -> Option<Said> {
        self.fill(5).await?;
        let length = (&self.read[1..5]).get_u32() as usize;
        self.fill(length + 1).await?;
        let mut body = self.read.split_to(length + 1).freeze();
        let tag = body.get_u8();
        body.advance(4);
        Some(match tag {
            b'Q' => Said::Query(text(&mut body)),
            b'P' => Said::Parse { name: text(&mut body), sql: text(&mut body) },
            b'D' => {
                body.advance(1);
                Said::Describe { name: text(&mut body) }
            }
            b'B' => {
                text(&mut body);
                let statement = text(&mut body);
                let formats = body.get_u16();
                body.advance(2 * usize::from(formats));
                let count = body.get_u16();
                let cell = |_| {
                    let length = body.get_i32();
                    usize::try_from(length).ok().map(|length| body.split_to(length))
                };
                Said::Bind { statement, params: (0..count).map(cell).collect() }
            }
            b'E' => Said::Execute,
            b'C' => Said::CloseStatement,
            b'S' => Said::Sync,
            b'X' => Said::Terminate,
            other => panic!("no client of ours says {other}"),
        })
    }

    /// Sends what was written.
    pub(super) async fn flush(&mut self) {
        let written = self.written.split();
        let Some(stream) = &mut self.stream else { return };
        if stream.write_all(&written).await.is_err() {
            self.stream = None;
        }
    }

    fn message(&mut self, tag: u8, write: impl FnOnce(&mut BytesMut)) {
        let mut body = BytesMut::new();
        write(&mut body);
        self.written.put_u8(tag);
        self.written.put_u32(body.len() as u32 + 4);
        self.written.extend_from_slice(&body);
    }

    pub(super) fn welcome(&mut self) {
        self.message(b'R', |body| body.put_u32(0));
        self.ready();
    }

    pub(super) fn ready(&mut self) {
        self.message(b'Z', |body| body.put_u8(b'I'));
    }

    pub(super) fn plain(&mut self, tag: u8) {
        self.message(tag, |_| {});
    }

    /// What a statement takes and gives.
    pub(super) fn described(&mut self, params: &[Type], columns: &[Type]) {
        self.message(b't', |body| {
            body.put_u16(params.len() as u16);
            params.iter().for_each(|param| body.put_u32(param.oid()));
        });
        self.columns(columns, 1);
    }

    fn columns(&mut self, columns: &[Type], format: u16) {
        self.message(b'T', |body| {
            body.put_u16(columns.len() as u16);
            for column in columns {
                body.put_slice(b"c\0");
                body.put_u32(0);
                body.put_u16(0);
                body.put_u32(column.oid());
                body.put_u16(0);
                body.put_u32(0);
                body.put_u16(format);
            }
        });
    }

    pub(super) fn row(&mut self, cells: &[Cell]) {
        self.message(b'D', |body| {
            body.put_u16(cells.len() as u16);
            for cell in cells {
                match cell {
                    Some(bytes) => {
                        body.put_u32(bytes.len() as u32);
                        body.put_slice(bytes);
                    }
                    None => body.put_i32(-1),
                }
            }
        });
    }

    /// A row of texts, as simple queries are answered.
    pub(super) fn text_row(&mut self, texts: &[String]) {
        self.columns(&vec![Type::TEXT; texts.len()], 0);
        self.row(&texts.iter().map(|text| Some(Bytes::from(text.clone()))).collect::<Vec<_>>());
        self.complete(1);
    }

    pub(super) fn complete(&mut self, rows: usize) {
        let tag = format!("UPDATE {rows}\0");
        self.message(b'C', |body| body.put_slice(tag.as_bytes()));
    }

    /// A warning, or an error.
    pub(super) fn complaint(&mut self, is_error: bool, code: &str) {
        let (tag, severity) = if is_error { (b'E', "ERROR") } else { (b'N', "WARNING") };
        let text = format!("S{severity}\0V{severity}\0C{code}\0Mas it was drawn\0\0");
        self.message(tag, |body| body.put_slice(text.as_bytes()));
    }
}

fn text(body: &mut Bytes) -> String {
    let end = body.iter().position(|byte| *byte == 0).expect("texts end with 0");
    let text = String::from_utf8_lossy(&body.split_to(end)).into_owned();
    body.advance(1);
    text
}

/// A value as it travels.
pub(super) fn cell<T: ToSql>(value: &T, of: &Type) -> Cell {
    let mut bytes = BytesMut::new();
    match value.to_sql(of, &mut bytes).expect("it is a value of this type") {
        IsNull::Yes => None,
        IsNull::No => Some(bytes.freeze()),
    }
}
