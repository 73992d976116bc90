//! Random messages of a client.

use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use zeitnot_protocol::{
    AnswerOffer, ChallengeCommand, ChallengeId, ClaimAbsence, ClaimDraw, ClientMessage, CreateChallenge,
    DeclineChallenge, DrawOrWin, GameCommand, GameRef, GiveTime, Hello, HistoryRequest, JoinPool,
    LobbyCommand, Ping, PlayMove, Say, SetName, Watch,
};

use super::{
    account, color, command_id, decline_reason, game, maybe_number, number, options, pool, room, text,
    time_control, uci, variant,
};

fn hello() -> impl Strategy<Value = Hello> {
    prop_oneof![
        any::<bool>().prop_map(|guest| Hello { guest, token: None }),
        text().prop_map(|token| Hello { guest: false, token: Some(token) }),
    ]
}

fn create_challenge() -> impl Strategy<Value = CreateChallenge> {
    let board = (variant(), of(text()));
    let people = (of(color()), of(account()), of(text()), any::<bool>());
    let rules = (time_control(), options());
    let rating = (any::<bool>(), of(any::<u32>()), of(any::<u32>()));
    (board, people, rules, rating, of(command_id())).prop_map(
        |((variant, fen), (color, to, to_name, seek), (time_control, options), rating, id)| CreateChallenge {
            time_control,
            color,
            variant,
            fen,
            options,
            to,
            // One or the other.
            to_name: to_name.filter(|_| to.is_none()),
            seek,
            rated: rating.0,
            rating_min: rating.1,
            rating_max: rating.2,
            id,
        },
    )
}

fn lobby_message() -> impl Strategy<Value = ClientMessage> {
    let id = || of(command_id());
    let plain = select(vec![
        ClientMessage::EnterLobby as fn(LobbyCommand) -> ClientMessage,
        ClientMessage::LeaveLobby,
        ClientMessage::LeavePool,
    ]);
    prop_oneof![
        (plain, id()).prop_map(|(message, id)| message(LobbyCommand { id })),
        (pool(), id()).prop_map(|(pool, id)| ClientMessage::JoinPool(JoinPool { pool, id })),
        (text(), id()).prop_map(|(name, id)| ClientMessage::SetName(SetName { name, id })),
        (any::<u128>(), decline_reason(), id()).prop_map(|(number, reason, id)| {
            let challenge = ChallengeId::from_random(number);
            ClientMessage::DeclineChallenge(DeclineChallenge { challenge, reason, id })
        }),
        (game(), room(), text(), id()).prop_map(|(game, room, text, id)| ClientMessage::Say(Say {
            game,
            room,
            text,
            id
        })),
    ]
}

fn connection_message() -> impl Strategy<Value = ClientMessage> {
    let id = || of(command_id());
    prop_oneof![
        hello().prop_map(ClientMessage::Hello),
        (game(), maybe_number(), id()).prop_map(|(game, after, id)| ClientMessage::Watch(Watch {
            game,
            after,
            id
        })),
        game().prop_map(|game| ClientMessage::Unwatch(GameRef { game })),
        (game(), 1..=u32::MAX, id()).prop_map(|(game, from, id)| ClientMessage::History(HistoryRequest {
            game,
            from,
            id
        })),
        number().prop_map(|n| ClientMessage::Ping(Ping { n })),
        create_challenge().prop_map(ClientMessage::CreateChallenge),
        (any::<u128>(), id(), any::<bool>()).prop_map(|(number, id, accept)| {
            let command = ChallengeCommand { challenge: ChallengeId::from_random(number), id };
            if accept {
                ClientMessage::AcceptChallenge(command)
            } else {
                ClientMessage::CancelChallenge(command)
            }
        }),
    ]
}

fn game_message() -> impl Strategy<Value = ClientMessage> {
    let id = || of(command_id());
    let plain = select(vec![
        ClientMessage::Resign as fn(GameCommand) -> ClientMessage,
        ClientMessage::OfferDraw,
        ClientMessage::Abort,
        ClientMessage::OfferTakeback,
        ClientMessage::AskIlc,
        ClientMessage::OfferRematch,
    ]);
    let answer = select(vec![
        ClientMessage::AcceptDraw as fn(AnswerOffer) -> ClientMessage,
        ClientMessage::DeclineDraw,
        ClientMessage::AcceptTakeback,
        ClientMessage::DeclineTakeback,
    ]);
    prop_oneof![
        (game(), number(), uci(), id()).prop_map(|(game, on, uci, id)| ClientMessage::Move(PlayMove {
            game,
            on,
            uci,
            id
        })),
        (plain, game(), id()).prop_map(|(message, game, id)| message(GameCommand { game, id })),
        (answer, game(), number(), id()).prop_map(|(message, game, offer, id)| message(AnswerOffer {
            game,
            offer,
            id
        })),
        (game(), number(), of(uci()), id())
            .prop_map(|(game, on, uci, id)| ClientMessage::ClaimDraw(ClaimDraw { game, on, uci, id })),
        (game(), prop_oneof![Just(DrawOrWin::Draw), Just(DrawOrWin::Win)], id())
            .prop_map(|(game, result, id)| ClientMessage::ClaimAbsence(ClaimAbsence { game, result, id })),
        (game(), number(), id()).prop_map(|(game, ms, id)| ClientMessage::GiveTime(GiveTime {
            game,
            ms,
            id
        })),
    ]
}

pub(crate) fn client_message() -> impl Strategy<Value = ClientMessage> {
    prop_oneof![connection_message(), game_message(), lobby_message()]
}
