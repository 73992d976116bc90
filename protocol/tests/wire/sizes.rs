//! No frame of the server exceeds the limits, and every useful message of a client fits in a frame.

use zeitnot_protocol::{
    AccountId, BootId, ByColor, Challenge, ChallengeId, Check, ClientMessage, CloseCode, CloseReason, Code,
    CreateChallenge, EpochId, GameId, GameOptions, History, Limits, OfferView, Opening, Origin, OutcomeView,
    Period, Phase, PlayedOut, PlayerView, PlyView, RatingStep, Rejected, ServerMessage, Snapshot, StateView,
    TakebackOfferView, TimeControl, Turn, Uci, Welcome, WireBonus, WireColor, WireIlc, WireProfile,
    WireProof, WireReason, WireScore, WireVariant,
};
use zeitnot_rules::board::Square;

const LONGEST_FEN: &str =
    "r1n1k1r1/p1p1p1p1/1p1p1p1p/q1b1n1b1/B1N1B1Q1/P1P1P1P1/1P1P1P1P/R1N1K1R1 b GAga - 65535 65535";

/// Names are at most this long in bytes, escaped: 20 characters of 4 bytes, with room to spare.
const LONGEST_NAME: usize = 128;

fn game() -> GameId {
    GameId::from_random(u128::MAX)
}

fn player() -> PlayerView {
    let unrated = PlayerView::unrated(AccountId::from_u128(u128::MAX), "x".repeat(LONGEST_NAME));
    PlayerView { rating: Some(u32::MAX), provisional: true, bot: true, ..unrated }
}

/// What a PGN says of a game that was played elsewhere is at most this long in bytes, escaped: 100 characters of ASCII, or 200 bytes.
const LONGEST_TAG: usize = 200;

fn player_elsewhere() -> PlayerView {
    PlayerView { name: "x".repeat(LONGEST_TAG), ..player() }
}

fn longest_origin() -> Origin {
    let tag = || Some("x".repeat(LONGEST_TAG));
    Origin { event: tag(), site: tag(), date: tag(), round: tag() }
}

fn longest_step() -> RatingStep {
    RatingStep { before: u32::MAX, after: u32::MAX, provisional: true }
}

fn longest_periods() -> Vec<Period> {
    let period =
        Period { moves: Some(200), base_ms: 86_400_000, bronstein_ms: Some(3_600_000), ..Period::default() };
    vec![period; 8]
}

fn longest_control() -> TimeControl {
    TimeControl::Clock { periods: longest_periods(), black_periods: Some(longest_periods()) }
}

fn longest_options() -> GameOptions {
    GameOptions {
        profile: WireProfile::FideOnline,
        ilc: WireIlc::FideIii4,
        no_draw_offer_before_move: u32::MAX,
    }
}

fn longest_ply() -> PlyView {
    let most = Some(u32::MAX);
    let uci = "e7d8q".parse().expect("the longest form");
    let san = "exd8=Q#".parse().expect("the longest form");
    PlyView { ply: u32::MAX, uci, san, white_ms: most, black_ms: most, took: most, credit: most }
}

fn longest_state() -> StateView {
    let square = Square::from_index(0).into();
    let bonus = WireBonus { bronstein_ms: Some(u32::MAX), ..WireBonus::default() };
    StateView {
        phase: Phase::Deciding,
        check: Some(Check { king: square, checkers: vec![square; 2], double: false, mate: false }),
        draw_offer: Some(OfferView { by: WireColor::White, seq: u32::MAX, ilc: true }),
        draw_offered_at: Some(ByColor { white: Some(u32::MAX), black: Some(u32::MAX) }),
        takeback_offer: Some(TakebackOfferView { by: WireColor::White, seq: u32::MAX, plies: 2 }),
        remedy: Some(ByColor { white: bonus, black: bonus }),
        outcome: Some(OutcomeView {
            score: WireScore::Draw,
            reason: WireReason::ThreefoldRepetition,
            // As many as the server keeps.
            proof: Some(WireProof::Helpmate(vec!["e7d8q".parse().expect("the longest form"); 200])),
            played_out: Some(PlayedOut {
                score: WireScore::Draw,
                reason: WireReason::ThreefoldRepetition,
                corrected: u32::MAX,
            }),
        }),
    }
}

#[track_caller]
fn fits(message: &ServerMessage) -> usize {
    let length = message.to_text().len();
    assert!(length <= Limits::STANDARD.frame_out_bytes as usize, "{length} bytes");
    length
}

#[test]
fn the_longest_snapshot_fits() {
    let snapshot = Snapshot {
        game: game(),
        seq: u32::MAX,
        on: u32::MAX,
        variant: WireVariant::Chess960,
        start_fen: LONGEST_FEN.to_owned(),
        fen: LONGEST_FEN.to_owned(),
        players: ByColor { white: player_elsewhere(), black: player_elsewhere() },
        time_control: longest_control(),
        options: longest_options(),
        ply_count: u32::MAX,
        plies: vec![longest_ply(); Limits::STANDARD.plies_per_frame as usize],
        state: longest_state(),
        white_ms: Some(u32::MAX),
        black_ms: Some(u32::MAX),
        began: u32::MAX,
        rated: true,
        imported: true,
        origin: Some(Box::new(longest_origin())),
        ratings: Some(ByColor { white: longest_step(), black: longest_step() }),
        opening: Some(Box::new(Opening { eco: "E99".to_owned(), name: "n".repeat(120), ply: u32::MAX })),
    };
    let length = fits(&ServerMessage::Snapshot(snapshot));
    // Room for what may be added to version 1.
    assert!(length < 31 * 1024, "{length} bytes");
}

#[test]
fn the_longest_history_fits() {
    let plies = vec![longest_ply(); Limits::STANDARD.plies_per_frame as usize];
    let id = Some("\"".repeat(32).parse().unwrap());
    fits(&ServerMessage::History(History { id, game: game(), from: u32::MAX, ply_count: u32::MAX, plies }));
}

/// Piece counts are not examined, so a position may have more than the 218 moves of real chess: but
/// no piece has more than a queen's 27 squares to go to, nor a pawn more than 12 ways.
#[test]
fn the_longest_turn_fits() {
    let legal: Vec<Uci> = vec!["e7d8q".parse().unwrap(); 63 * 27];
    let fen = LONGEST_FEN.to_owned();
    fits(&ServerMessage::Turn(Turn {
        game: game(),
        on: u32::MAX,
        fen,
        legal,
        white_ms: Some(u32::MAX),
        black_ms: Some(u32::MAX),
    }));
}

#[test]
fn the_longest_answers_fit() {
    let id = Some("\"".repeat(32).parse().unwrap());
    fits(&ServerMessage::Rejected(Rejected {
        id,
        game: Some(game()),
        code: Code::NothingToTakeBack,
        message: "\u{1}".repeat(160),
    }));
    fits(&ServerMessage::Welcome(Welcome {
        account: Some(AccountId::from_u128(u128::MAX)),
        name: Some("x".repeat(20)),
        token: Some("x".repeat(64)),
        boot: BootId::from_random(0),
        epoch: EpochId::from_random(0),
        limits: Limits::STANDARD,
    }));
    fits(&ServerMessage::Challenge(Challenge {
        challenge: ChallengeId::from_random(0),
        id,
        by: player(),
        to: Some(AccountId::from_u128(u128::MAX)),
        seek: true,
        rematch_of: Some(game()),
        color: Some(WireColor::White),
        variant: WireVariant::Chess960,
        fen: Some(LONGEST_FEN.to_owned()),
        time_control: longest_control(),
        options: longest_options(),
        rated: true,
        rating_min: Some(u32::MAX),
        rating_max: Some(u32::MAX),
        accepted_by: Some(player()),
        ends_in_ms: Some(u64::MAX),
    }));
}

#[test]
fn the_longest_challenge_can_be_sent() {
    let text = ClientMessage::CreateChallenge(CreateChallenge {
        time_control: longest_control(),
        color: Some(WireColor::White),
        variant: WireVariant::Chess960,
        fen: Some(LONGEST_FEN.to_owned()),
        options: longest_options(),
        to: Some(AccountId::from_u128(u128::MAX)),
        to_name: Some("x".repeat(Limits::STANDARD.name_chars as usize)),
        seek: true,
        rated: true,
        rating_min: Some(u32::MAX),
        rating_max: Some(u32::MAX),
        id: Some("\"".repeat(32).parse().unwrap()),
    })
    .to_text();
    assert!(text.len() < Limits::STANDARD.frame_in_bytes as usize / 2, "{} bytes", text.len());
}

/// A close frame holds 125 bytes, two of them the number.
#[test]
fn close_reasons_fit_their_frame() {
    for &code in CloseCode::ALL {
        let reason = CloseReason::new(code, u32::MAX);
        assert!(reason.to_text().len() <= 123);
        assert_eq!(serde_json::from_str::<CloseReason>(&reason.to_text()).unwrap(), reason);
        assert_eq!(CloseCode::from_number(code.number()), Some(code));
        let number = code.number();
        assert_eq!(reason.retry_ms.is_some(), number == 1012 || (4000..=4499).contains(&number), "{number}");
    }
}

/// Limits that depend on each other and on the rules.
#[test]
fn limits_agree() {
    let limits = Limits::STANDARD;
    assert_eq!(limits, Limits::default());
    assert_eq!(limits.pong_timeout_ms, 2 * limits.ping_every_ms);
    assert_eq!(limits.command_id_chars as usize, zeitnot_protocol::COMMAND_ID_CHARS);
    assert!(limits.retry_ms_min < limits.retry_ms_max);
    assert!(limits.frames_per_second <= limits.frames_burst);
    assert!(limits.give_time_ms_min < limits.give_time_ms_max);
    let json = serde_json::to_value(limits).unwrap();
    let table: Vec<&str> = Limits::TABLE.iter().map(|&(name, ..)| name).collect();
    assert_eq!(json.as_object().unwrap().len(), table.len());
    for (name, value, reason) in Limits::TABLE {
        assert_eq!(json[name], *value, "{name}");
        assert!(reason.ends_with('.'), "{reason}");
    }
}

/// Codes are written once: as serde writes them, as they are shown, as they are read.
#[test]
fn codes_agree() {
    for code in Code::ALL {
        assert_eq!(serde_json::to_string(code).unwrap(), format!("\"{code}\""));
        assert_eq!(code.as_str().parse(), Ok(*code));
    }
    assert!("Stale".parse::<Code>().is_err());
}
