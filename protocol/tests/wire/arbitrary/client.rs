//! What a client may say, drawn by lot.

use proptest::option::of;
use proptest::prelude::*;
use zeitnot_protocol::{
    AnswerOffer, ChallengeCommand, ChallengeId, ClaimAbsence, ClaimDraw, ClientMessage, CreateChallenge,
    DrawOrWin, GameCommand, GameRef, GiveTime, Hello, HistoryRequest, Ping, PlayMove, Watch,
};

use super::{
    account, color, command_id, game, maybe_number, number, options, text, time_control, uci, variant,
};

fn hello() -> impl Strategy<Value = Hello> {
    prop_oneof![
        any::<bool>().prop_map(|guest| Hello { guest, token: None }),
        text().prop_map(|token| Hello { guest: false, token: Some(token) }),
    ]
}

fn create_challenge() -> impl Strategy<Value = CreateChallenge> {
    let board = (variant(), of(text()));
    let people = (of(color()), of(account()));
    let rules = (time_control(), options());
    (board, people, rules, of(command_id())).prop_map(
        |((variant, fen), (color, to), (time_control, options), id)| CreateChallenge {
            time_control,
            color,
            variant,
            fen,
            options,
            to,
            id,
        },
    )
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
    let plain = prop::sample::select(vec![
        ClientMessage::Resign as fn(GameCommand) -> ClientMessage,
        ClientMessage::OfferDraw,
        ClientMessage::Abort,
        ClientMessage::OfferTakeback,
        ClientMessage::AskIlc,
    ]);
    let answer = prop::sample::select(vec![
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
    prop_oneof![connection_message(), game_message()]
}
