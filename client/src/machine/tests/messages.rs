//! Messages of the model, as short as they can be.

use zeitnot_protocol::{
    AccountId, ByColor, ByEvent, Challenge, ChallengeId, Clock, CommandId, Ended, GameId, GameOptions,
    Limits, MoveEvent, OkAnswer, OutcomeView, Phase, PlayerView, ServerMessage, Snapshot, StateView,
    TimeControl, Turn, Welcome, WireColor, WireReason, WireScore, WireVariant,
};

/// The account of the client.
pub(super) const ME: AccountId = AccountId::from_u128(1);

pub(super) fn id(number: u32) -> GameId {
    GameId::from_random(number.into())
}

pub(super) fn challenge_id(number: u32) -> ChallengeId {
    ChallengeId::from_random(number.into())
}

pub(super) fn player(account: AccountId) -> PlayerView {
    PlayerView::unrated(account, "Somebody".to_owned())
}

/// After an even number of plies White is to move, and White is the client.
pub(super) fn fen(plies: u32) -> String {
    format!("position-{plies} {} - - 0 1", if plies.is_multiple_of(2) { "w" } else { "b" })
}

pub(super) fn welcome(boot: u32, epoch: u32) -> ServerMessage {
    ServerMessage::Welcome(Welcome {
        account: Some(ME),
        name: Some("Me".to_owned()),
        token: None,
        boot: id(boot).as_str().parse().expect("ids look alike"),
        epoch: id(epoch).as_str().parse().expect("ids look alike"),
        limits: Limits::STANDARD,
    })
}

pub(super) fn move_event(game: GameId, seq: u32, ply: u32) -> ServerMessage {
    ServerMessage::Move(MoveEvent {
        game,
        seq,
        ply,
        uci: "e2e4".parse().expect("it is a move"),
        san: "e4".parse().expect("it is a move"),
        fen: fen(ply),
        check: None,
        white_ms: Some(180_000),
        black_ms: Some(180_000),
        took: Some(0),
        credit: Some(0),
    })
}

pub(super) fn draw_offered(game: GameId, seq: u32, by: WireColor) -> ServerMessage {
    ServerMessage::DrawOffered(ByEvent { game, seq, by })
}

pub(super) fn ended(game: GameId, seq: u32) -> ServerMessage {
    let outcome =
        OutcomeView { score: WireScore::Draw, reason: WireReason::Agreement, proof: None, played_out: None };
    ServerMessage::Ended(Ended { game, seq, outcome, white_ms: None, black_ms: None })
}

pub(super) fn turn(game: GameId, on: u32, plies: u32) -> ServerMessage {
    let legal = vec!["e2e4".parse().expect("it is a move")];
    ServerMessage::Turn(Turn { game, on, fen: fen(plies), legal, white_ms: None, black_ms: None })
}

pub(super) fn clock(game: GameId, seq: u32, id: Option<CommandId>) -> ServerMessage {
    let (white_ms, black_ms) = (Some(180_000), Some(180_000));
    ServerMessage::Clock(Clock {
        id,
        game,
        seq,
        white_ms,
        black_ms,
        running: None,
        stands_ms: 0,
        first_move_ms: None,
    })
}

pub(super) fn ok(id: Option<CommandId>, game: Option<GameId>, seq: Option<u32>) -> ServerMessage {
    ServerMessage::Ok(OkAnswer { id, game, seq })
}

pub(super) fn snapshot(
    game: GameId,
    seq: u32,
    on: u32,
    plies: u32,
    is_over: bool,
    time_control: TimeControl,
    began: u32,
) -> ServerMessage {
    let phase = if is_over { Phase::Ended } else { Phase::Playing };
    let state = StateView {
        phase,
        check: None,
        draw_offer: None,
        draw_offered_at: None,
        takeback_offer: None,
        remedy: None,
        outcome: None,
    };
    ServerMessage::Snapshot(Snapshot {
        game,
        seq,
        on,
        variant: WireVariant::Standard,
        start_fen: fen(0),
        fen: fen(plies),
        players: ByColor { white: player(ME), black: player(AccountId::from_u128(2)) },
        time_control,
        options: GameOptions::default(),
        ply_count: plies,
        plies: Vec::new(),
        state,
        white_ms: Some(180_000),
        black_ms: Some(180_000),
        began,
        rated: false,
        imported: false,
        origin: None,
        ratings: None,
        opening: None,
    })
}

pub(super) fn challenge(
    challenge: ChallengeId,
    id: Option<CommandId>,
    time_control: TimeControl,
) -> ServerMessage {
    ServerMessage::Challenge(Challenge {
        challenge,
        id,
        by: player(ME),
        to: None,
        seek: false,
        rematch_of: None,
        color: None,
        variant: WireVariant::Standard,
        fen: None,
        time_control,
        options: GameOptions::default(),
        rated: false,
        rating_min: None,
        rating_max: None,
        accepted_by: None,
        ends_in_ms: Some(86_400_000),
    })
}
