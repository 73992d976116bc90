//! From a message to text.
//!
//! The messages that follow every accepted move and every ping are written by hand, at half the
//! cost of the general writer, which writes all others. Both write the same bytes; a property test
//! compares them.

use serde::Serialize;

use crate::{ClientMessage, Clock, MoveEvent, OkAnswer, Pong, ServerMessage, Turn, Uci, WireColor};

impl ClientMessage {
    /// The frame's text.
    #[must_use]
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("strings as keys and no fallible writer")
    }
}

impl ServerMessage {
    /// The frame's text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut bytes = Vec::with_capacity(self.likely_length());
        self.append_to(&mut bytes);
        String::from_utf8(bytes).expect("only whole strings were written")
    }

    /// Appends the frame's text, as UTF-8, to what is there.
    pub fn append_to(&self, bytes: &mut Vec<u8>) {
        let mut out = Writer(bytes);
        match self {
            Self::Move(event) => out.move_event(event),
            Self::Turn(turn) => out.turn(turn),
            Self::Ok(answer) => out.ok(answer),
            Self::Clock(clock) => out.clock(clock),
            Self::Pong(Pong { n, at, ms }) => {
                out.raw(r#"{"t":"pong","d":{"n":"#);
                out.number(*n);
                out.raw(r#","at":"#);
                out.number(*at);
                out.raw(r#","ms":"#);
                out.number(*ms);
                out.raw("}}");
            }
            rare => out.rare(rare),
        }
    }

    /// A capacity that is rarely too small, and never much too large.
    fn likely_length(&self) -> usize {
        match self {
            Self::Move(event) => 224 + event.fen.len(),
            Self::Turn(turn) => 128 + turn.fen.len() + 8 * turn.legal.len(),
            Self::Snapshot(snapshot) => 1024 + 128 * snapshot.plies.len(),
            Self::History(history) => 128 + 128 * history.plies.len(),
            _ => 128,
        }
    }
}

/// Writes JSON without blanks, as `serde_json` does.
struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn raw(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    /// A value that has no writer of its own.
    fn rare(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut *self.0, value).expect("strings as keys, and memory to write to");
    }

    /// Text that needs no escapes, as UTF-8: ids and moves.
    fn plain(&mut self, text: &[u8]) {
        self.0.push(b'"');
        self.0.extend_from_slice(text);
        self.0.push(b'"');
    }

    fn text(&mut self, text: &str) {
        // Without a branch for each byte, because hardly any text needs an escape.
        let needs_escape = |found, byte| found | (byte < b' ') | (byte == b'"') | (byte == b'\\');
        if text.bytes().fold(false, needs_escape) {
            self.rare(&text);
        } else {
            self.plain(text.as_bytes());
        }
    }

    fn number(&mut self, number: u32) {
        self.raw(itoa::Buffer::new().format(number));
    }

    fn maybe(&mut self, number: Option<u32>) {
        match number {
            Some(number) => self.number(number),
            None => self.raw("null"),
        }
    }

    fn clocks(&mut self, white_ms: Option<u32>, black_ms: Option<u32>) {
        self.raw(r#","white_ms":"#);
        self.maybe(white_ms);
        self.raw(r#","black_ms":"#);
        self.maybe(black_ms);
    }

    fn move_event(&mut self, event: &MoveEvent) {
        let MoveEvent { game, seq, ply, uci, san, fen, check, white_ms, black_ms, took, credit } = event;
        self.raw(r#"{"t":"move","d":{"game":"#);
        self.plain(game.as_bytes());
        self.raw(r#","seq":"#);
        self.number(*seq);
        self.raw(r#","ply":"#);
        self.number(*ply);
        self.raw(r#","uci":"#);
        self.plain(uci.as_bytes());
        self.raw(r#","san":"#);
        self.text(san.as_str());
        self.raw(r#","fen":"#);
        self.text(fen);
        if let Some(check) = check {
            self.raw(r#","check":"#);
            self.rare(check);
        }
        self.clocks(*white_ms, *black_ms);
        self.raw(r#","took":"#);
        self.maybe(*took);
        self.raw(r#","credit":"#);
        self.maybe(*credit);
        self.raw("}}");
    }

    fn turn(&mut self, turn: &Turn) {
        let Turn { game, on, fen, legal, white_ms, black_ms } = turn;
        self.raw(r#"{"t":"turn","d":{"game":"#);
        self.plain(game.as_bytes());
        self.raw(r#","on":"#);
        self.number(*on);
        self.raw(r#","fen":"#);
        self.text(fen);
        self.raw(r#","legal":["#);
        self.legal(legal);
        self.0.push(b']');
        self.clocks(*white_ms, *black_ms);
        self.raw("}}");
    }

    /// The moves with their quotes and commas, a whole word at a time: a turn is mostly this.
    fn legal(&mut self, moves: &[Uci]) {
        self.0.reserve(8 * moves.len());
        for uci in moves {
            match *uci.as_bytes() {
                [a, b, c, d] => self.0.extend_from_slice(&[b'"', a, b, c, d, b'"', b',']),
                [a, b, c, d, promotion] => {
                    self.0.extend_from_slice(&[b'"', a, b, c, d, promotion, b'"', b',']);
                }
                _ => unreachable!("a move in UCI has 4 or 5 characters"),
            }
        }
        if !moves.is_empty() {
            self.0.pop();
        }
    }

    fn ok(&mut self, answer: &OkAnswer) {
        let OkAnswer { id, game, seq } = answer;
        self.raw(r#"{"t":"ok","d":{"id":"#);
        match id {
            Some(id) => self.text(id.as_str()),
            None => self.raw("null"),
        }
        if let Some(game) = game {
            self.raw(r#","game":"#);
            self.plain(game.as_bytes());
        }
        if let Some(seq) = seq {
            self.raw(r#","seq":"#);
            self.number(*seq);
        }
        self.raw("}}");
    }

    fn clock(&mut self, clock: &Clock) {
        let Clock { id, game, seq, white_ms, black_ms, running, stands_ms, first_move_ms } = clock;
        self.raw(r#"{"t":"clock","d":{"#);
        if let Some(id) = id {
            self.raw(r#""id":"#);
            self.text(id.as_str());
            self.raw(",");
        }
        self.raw(r#""game":"#);
        self.plain(game.as_bytes());
        self.raw(r#","seq":"#);
        self.number(*seq);
        self.clocks(*white_ms, *black_ms);
        self.raw(match running {
            Some(WireColor::White) => r#","running":"white""#,
            Some(WireColor::Black) => r#","running":"black""#,
            None => r#","running":null"#,
        });
        if *stands_ms != 0 {
            self.raw(r#","stands_ms":"#);
            self.number(*stands_ms);
        }
        if let Some(left) = first_move_ms {
            self.raw(r#","first_move_ms":"#);
            self.number(*left);
        }
        self.raw("}}");
    }
}
