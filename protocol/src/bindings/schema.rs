//! The JSON Schema of the wire, made from the Rust types: `bindings/protocol.schema.json`.
//!
//! The test fails when the file is stale; run it with `ZEITNOT_WRITE_BINDINGS=1` to rewrite it. As clients ignore
//! fields that they do not know, no object is closed.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{
    AccountId, BestLines, BootId, ChallengeId, ClientMessage, CloseReason, CommandId, EpochId, Evaluation,
    FeaturedGame, FenReason, FoundNames, FoundOpenings, FoundPlayers, GameCounts, GameId, KnownEvaluations,
    PlayedGames, PlayedMoves, Player, PositionAnalysis, RatingHistory, San, ServerMessage, Uci, WholeGame,
    WireSquare,
};

const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bindings/protocol.schema.json");

const COMMENT: &str = "Made from the Rust types of zeitnot-protocol. Do not edit: run ZEITNOT_WRITE_BINDINGS=1 cargo \
                       test -p zeitnot-protocol bindings";

/// Types that are written as text of some form.
macro_rules! text {
    ($($name:ident, $pattern:literal, $description:literal;)+) => {
        $(impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern, "description": $description })
            }
        })+
    };
}

text! {
    GameId, "^[0-9A-Za-z]{12}$", "A game.";
    ChallengeId, "^[0-9A-Za-z]{12}$", "A challenge.";
    BootId, "^[0-9A-Za-z]{12}$", "One start of the server.";
    EpochId, "^[0-9A-Za-z]{12}$", "One history of the server's data.";
    AccountId, "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "An account.";
    CommandId, "^[ -~]{1,32}$", "A client's own name for a command.";
    Uci, "^([a-h][1-8]){2}[qrbn]?$", "A move in UCI.";
    San, "^[!-~]{2,7}$", "A move in SAN.";
    WireSquare, "^[a-h][1-8]$", "A square.";
}

fn generate() -> String {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let frames = [generator.subschema_for::<ClientMessage>(), generator.subschema_for::<ServerMessage>()];
    for schema in [
        generator.subschema_for::<CloseReason>(),
        generator.subschema_for::<Player>(),
        generator.subschema_for::<FoundPlayers>(),
        generator.subschema_for::<PlayedGames>(),
        generator.subschema_for::<RatingHistory>(),
        generator.subschema_for::<WholeGame>(),
        generator.subschema_for::<GameCounts>(),
        generator.subschema_for::<PlayedMoves>(),
        generator.subschema_for::<FoundNames>(),
        generator.subschema_for::<PositionAnalysis>(),
        generator.subschema_for::<FenReason>(),
        generator.subschema_for::<Evaluation>(),
        generator.subschema_for::<KnownEvaluations>(),
        generator.subschema_for::<BestLines>(),
        generator.subschema_for::<FeaturedGame>(),
        generator.subschema_for::<FoundOpenings>(),
    ] {
        drop(schema);
    }
    let schema = serde_json::json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": COMMENT,
        "title": "zeitnot.v1.json",
        "description": "A text frame: a message from a client or from the server.",
        "anyOf": frames,
        "$defs": generator.take_definitions(true),
    });
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text.push('\n');
    text
}

#[test]
fn schema_is_fresh() {
    super::assert_is_fresh(PATH, &generate());
}

#[test]
fn the_schema_has_every_message_and_every_reference_leads_somewhere() {
    let schema: serde_json::Value = serde_json::from_str(&generate()).unwrap();
    let text = schema.to_string();
    for reference in text.split(r##""$ref":"#"##).skip(1) {
        let path = reference.split('"').next().unwrap();
        assert!(schema.pointer(path).is_some(), "{path}");
    }
    for (message, t) in [("ClientMessage", "claim_draw"), ("ServerMessage", "snapshot")] {
        let kinds = schema["$defs"][message]["oneOf"].as_array().unwrap();
        assert!(kinds.iter().any(|kind| kind["properties"]["t"]["const"] == t), "{message} {t}");
    }
}
