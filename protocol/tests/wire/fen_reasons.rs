//! Why a FEN is rejected, as JSON: a form for each error of the rules.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use zeitnot_protocol::{FenReason, SCHEMA};
use zeitnot_rules::board::{Color, PositionError, Rank, Square};
use zeitnot_rules::notation::fen::{self, FenError};

fn square(name: &str) -> Square {
    name.parse().expect(name)
}

/// Each error of the rules with its form on the wire.
fn forms() -> Vec<(FenError, Value)> {
    let (white, black) = (Color::White, Color::Black);
    let of_text = [
        (FenError::FieldCount { found: 3 }, json!({"kind": "field_count", "found": 3})),
        (
            FenError::BoardCharacter { at: 71, found: 'é' },
            json!({"kind": "board_character", "at": 71, "found": "é"}),
        ),
        (FenError::RankLength { rank: Rank::First }, json!({"kind": "rank_length", "rank": 1})),
        (FenError::RankLength { rank: Rank::Eighth }, json!({"kind": "rank_length", "rank": 8})),
        (FenError::RankCount, json!({"kind": "rank_count"})),
        (FenError::SideToMove, json!({"kind": "side_to_move"})),
        (
            FenError::CastlingCharacter { at: 2, found: '"' },
            json!({"kind": "castling_character", "at": 2, "found": "\""}),
        ),
        (
            FenError::CastlingRook { at: 1, color: white },
            json!({"kind": "castling_rook", "at": 1, "color": "white"}),
        ),
        (
            FenError::CastlingTwice { at: 4, color: black },
            json!({"kind": "castling_twice", "at": 4, "color": "black"}),
        ),
        (FenError::EnPassant, json!({"kind": "en_passant"})),
        (FenError::HalfmoveClock, json!({"kind": "halfmove_clock"})),
        (FenError::FullmoveNumber, json!({"kind": "fullmove_number"})),
    ];
    let of_position = [
        (
            PositionError::Kings { color: white, count: 0 },
            json!({"kind": "kings", "color": "white", "count": 0}),
        ),
        (
            PositionError::PawnOnLastRank { square: square("h8") },
            json!({"kind": "pawn_on_last_rank", "square": "h8"}),
        ),
        (
            PositionError::OpponentInCheck { color: black },
            json!({"kind": "opponent_in_check", "color": "black"}),
        ),
        (
            PositionError::CastlingRight { color: white, rook: square("a1") },
            json!({"kind": "castling_right", "color": "white", "rook": "a1"}),
        ),
        (
            PositionError::EnPassant { square: square("e4") },
            json!({"kind": "en_passant_square", "square": "e4"}),
        ),
    ];
    let of_position = of_position.map(|(error, form)| (FenError::Position(error), form));
    of_text.into_iter().chain(of_position).collect()
}

#[test]
fn every_error_of_the_rules_has_its_form() {
    for (error, form) in forms() {
        let reason = FenReason::from(error);
        assert_eq!(json!(reason), form, "{error}");
        assert_eq!(serde_json::from_value::<FenReason>(form).ok(), Some(reason), "{error}");
    }
}

#[test]
fn every_kind_of_the_schema_is_the_form_of_an_error() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("our own text");
    let kinds = schema["$defs"]["FenReason"]["oneOf"].as_array().expect("a list of kinds");
    let kinds: BTreeSet<_> =
        kinds.iter().map(|kind| kind["properties"]["kind"]["const"].to_string()).collect();
    let formed: BTreeSet<_> = forms().iter().map(|(_, form)| form["kind"].to_string()).collect();
    assert_eq!(formed, kinds);
}

#[test]
fn the_document_has_a_row_for_every_kind_with_its_fields() {
    let document = include_str!("../../../docs/protocol.md");
    for (error, form) in forms() {
        let fields = form.as_object().expect("an object").keys().filter(|field| *field != "kind");
        let fields: String = fields.map(|field| format!("`{field}`, ")).collect();
        let row =
            format!("\n| `{}` | {} |", form["kind"].as_str().expect("a text"), fields.trim_end_matches(", "));
        assert!(document.contains(&row.replace("|  |", "| |")), "{error}: {row}");
    }
}

#[test]
fn a_reason_says_what_a_text_is_rejected_for() {
    let reason = |text: &str| FenReason::from(fen::parse(text).expect_err(text));
    assert_eq!(reason("8/8/8/8/8/9/8/8 w - -"), FenReason::BoardCharacter { at: 11, found: '9' });
    assert_eq!(reason("8/8/8/8/8/7/8/8 w - -"), FenReason::RankLength { rank: 3 });
    assert_eq!(json!(reason("1 2 3 4 5 6 7 8")), json!({"kind": "field_count", "found": 7}));
}
