//! `docs/protocol.md` and the types agree: every message has an example there that is read and
//! written, and the tables of the document are those of the code.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use zeitnot_protocol::{
    CloseCode, Code, DecodeError, Limits, SUBPROTOCOL, Uci, decode_client, decode_server,
};
use zeitnot_rules::game::Variant;
use zeitnot_rules::notation::{fen, uci};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");
const BINDINGS: &str = include_str!("../../bindings/protocol.ts");

/// The text from the line `heading` to the next heading of its level.
#[track_caller]
fn section(heading: &str) -> &'static str {
    let start = DOCUMENT.find(&format!("\n{heading}\n")).expect(heading) + 1 + heading.len();
    let level = heading.split(' ').next().expect("a heading begins with its level");
    let rest = &DOCUMENT[start..];
    rest.find(&format!("\n{level} ")).map_or(rest, |end| &rest[..end])
}

/// The examples of a section, by the message that their heading names.
fn examples(heading: &str) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut examples = BTreeMap::new();
    for part in section(heading).split("\n### `").skip(1) {
        let (name, text) = part.split_once("`\n").expect("a heading names one message");
        let blocks = text.split("```json\n").skip(1);
        let blocks = blocks.map(|block| block.split("```").next().expect("split gives something")).collect();
        let before = examples.insert(name, blocks);
        assert_eq!(before, None, "{name} stands twice under {heading}");
    }
    examples
}

/// The types of a union of messages in the TypeScript bindings.
fn types_of(union: &str) -> Vec<&'static str> {
    let declaration = format!("export type {union} = ");
    let text = BINDINGS.split(&declaration).nth(1).expect(union);
    let text = text.split("\nexport ").next().expect("split gives something");
    let mut types: Vec<_> =
        text.split("\"t\": \"").skip(1).map(|rest| rest.split('"').next().expect("a name ends")).collect();
    types.sort_unstable();
    types
}

/// Every type has an example under `heading`; each is read, and written again the same.
fn go_both_ways(union: &str, heading: &str, again: fn(&str) -> Result<String, DecodeError>) {
    let examples = examples(heading);
    assert_eq!(examples.keys().copied().collect::<Vec<_>>(), types_of(union), "{heading}");
    for (name, blocks) in examples {
        assert!(!blocks.is_empty(), "{name} has no example");
        for block in blocks {
            let read: Value = serde_json::from_str(block).expect(block);
            assert_eq!(read["t"], name, "{block}");
            let written = again(block.trim()).expect(block);
            assert_eq!(serde_json::from_str::<Value>(&written).expect("our own text"), read, "{block}");
        }
    }
}

#[test]
fn what_a_client_says() {
    go_both_ways("ClientMessage", "## What you send", |text| Ok(decode_client(text)?.to_text()));
}

#[test]
fn what_the_server_says() {
    go_both_ways("ServerMessage", "## What you get", |text| Ok(decode_server(text)?.to_text()));
}

/// The rows of a section's tables that begin with a cell in backticks, as cells without backticks.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let rows = section(heading).lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").collect::<Vec<_>>())
        .filter(|cells| !matches!(cells[0], "code" | "number" | "limit"))
        .collect()
}

#[test]
fn the_table_of_codes() {
    let expected: Vec<Vec<String>> =
        Code::ALL.iter().map(|code| vec![format!("`{code}`"), code.meaning().to_owned()]).collect();
    assert_eq!(rows("## Codes"), expected);
}

#[test]
fn the_table_of_close_codes() {
    let row = |code: &CloseCode| {
        let back = if code.come_back() { "yes" } else { "no" };
        [
            code.number().to_string(),
            format!("`{}`", code.as_str()),
            code.meaning().to_owned(),
            back.to_owned(),
        ]
    };
    assert_eq!(rows("## Close codes"), CloseCode::ALL.iter().map(row).collect::<Vec<_>>());
}

#[test]
fn the_table_of_limits() {
    let row = |&(name, value, reason): &(&str, u32, &str)| {
        [format!("`{name}`"), with_thousands(value), reason.to_owned()]
    };
    assert_eq!(rows("## Limits"), Limits::TABLE.iter().map(row).collect::<Vec<_>>());
}

fn with_thousands(number: u32) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        write!(text, "{digit}").expect("a string takes all");
    }
    text
}

#[test]
fn the_example_of_welcome_shows_the_limits_that_hold() {
    let welcome: Value =
        serde_json::from_str(examples("## What you get")["welcome"][0]).expect("checked elsewhere");
    assert_eq!(welcome["d"]["limits"], serde_json::to_value(Limits::STANDARD).expect("plain numbers"));
}

/// The numbers and names that the text mentions outside the tables.
#[test]
fn prose_keeps_up() {
    let limits = Limits::STANDARD;
    for words in [
        format!("`{SUBPROTOCOL}`"),
        format!("within {} s", limits.hello_timeout_ms / 1000),
        format!("no connection for {} s", limits.challenge_grace_ms / 1000),
        format!("last {} that took effect", limits.answers_kept),
        format!("the last {} plies", limits.plies_per_frame),
        format!("1 to {} printable ASCII", limits.command_id_chars),
    ] {
        let text = DOCUMENT.replace('\n', " ");
        assert!(text.contains(&words), "the document does not say {words:?}");
    }
}

/// Every link within the document leads somewhere.
#[test]
fn links_lead_somewhere() {
    let mut anchors: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    for heading in DOCUMENT.lines().filter(|line| line.starts_with('#')) {
        let words = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        let anchor: String =
            words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let count = anchors.entry(anchor.clone()).or_default();
        all.push(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    let links: Vec<_> = DOCUMENT.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 30);
    for link in links {
        assert!(all.iter().any(|anchor| anchor == link), "#{link} leads nowhere");
    }
}

/// The bots stay what the document promises: complete in fifty lines, in this subprotocol.
#[test]
fn bots_have_fifty_lines() {
    for bot in [include_str!("../../../docs/bots/bot.py"), include_str!("../../../docs/bots/bot.mjs")] {
        assert!(bot.lines().count() <= 50);
        assert!(bot.contains(SUBPROTOCOL));
    }
}

/// Positions in the examples are positions, written as the server writes them; a turn's moves are
/// all there are.
#[test]
fn positions_are_what_they_say() {
    let blocks = examples("## What you get").into_values().chain(examples("## What you send").into_values());
    let mut turns = 0;
    for block in blocks.flatten() {
        let message: Value = serde_json::from_str(block).expect(block);
        let fields = ["fen", "start_fen"].into_iter().filter_map(|field| message["d"][field].as_str());
        for text in fields {
            let position = fen::parse(text).expect(text);
            assert_eq!(fen::write(&position), text);
            let Some(legal) = message["d"]["legal"].as_array() else { continue };
            let uci = |mv| Uci::from(uci::write(mv, &position, Variant::Standard)).to_string();
            let moves: Vec<_> = position.legal_moves().into_iter().map(|mv| Value::from(uci(mv))).collect();
            assert_eq!(*legal, moves);
            turns += 1;
        }
    }
    assert!(turns > 0);
}
