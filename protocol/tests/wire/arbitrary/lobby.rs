//! Random messages of the server about the lobby.

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use zeitnot_protocol::{
    Challenge, ChallengeGone, ChallengeId, LiveGame, LiveGames, Lobby, LobbyNews, Name, PoolView, Said,
    ServerMessage, Waiting,
};

use super::server::player;
use super::{
    account, by_color, color, command_id, decline_reason, game, number, options, pool, room, text,
    time_control, uci, variant,
};

fn challenge() -> impl Strategy<Value = Challenge> {
    (
        (any::<u128>(), of(command_id()), player(), of(account())),
        (
            any::<bool>(),
            of(game()),
            (any::<bool>(), of(number()), of(number())),
            (of(player()), of(0..1_u64 << 53)),
        ),
        (of(color()), variant(), of(text()), time_control(), options()),
    )
        .prop_map(
            |(
                people,
                (seek, rematch_of, rating, (accepted_by, ends_in_ms)),
                (color, variant, fen, time_control, options),
            )| {
                let (number, id, by, to) = people;
                let (rated, rating_min, rating_max) = rating;
                Challenge {
                    challenge: ChallengeId::from_random(number),
                    id,
                    by,
                    to,
                    seek,
                    rematch_of,
                    color,
                    variant,
                    fen,
                    time_control,
                    options,
                    rated,
                    rating_min,
                    rating_max,
                    accepted_by,
                    ends_in_ms,
                }
            },
        )
}

fn live() -> impl Strategy<Value = LiveGames> {
    let board = (any::<bool>(), text(), of(uci()), number(), number());
    let clocks = (of(number()), of(number()), of(color()));
    let one = (game(), by_color(player()), variant(), time_control(), board, clocks).prop_map(
        |(game, players, variant, time_control, (rated, fen, last, ply_count, watchers), clocks)| LiveGame {
            game,
            players,
            variant,
            time_control,
            rated,
            fen,
            last,
            ply_count,
            watchers,
            white_ms: clocks.0,
            black_ms: clocks.1,
            running: clocks.2,
        },
    );
    (number(), of(game()), vec(one, 0..4)).prop_map(|(total, featured, games)| LiveGames {
        total,
        featured,
        games,
    })
}

fn pools() -> impl Strategy<Value = Vec<PoolView>> {
    vec((pool(), number()).prop_map(|(pool, waiting)| PoolView { pool, waiting }), 0..4)
}

pub(crate) fn about_lobby() -> impl Strategy<Value = ServerMessage> {
    let seeks = || vec(challenge(), 0..3);
    let id = || any::<u128>().prop_map(ChallengeId::from_random);
    prop_oneof![
        challenge().prop_map(ServerMessage::Challenge),
        (id(), of(game()), of(decline_reason())).prop_map(|(challenge, game, declined)| {
            ServerMessage::ChallengeGone(ChallengeGone { challenge, game, declined })
        }),
        text().prop_map(|name| ServerMessage::Name(Name { name })),
        (of(command_id()), seeks(), pools(), number(), live()).prop_map(|(id, seeks, pools, here, live)| {
            ServerMessage::Lobby(Lobby { id, seeks, pools, here, live })
        }),
        (seeks(), vec(id(), 0..3), pools(), of(number()), of(live())).prop_map(
            |(seeks, gone, pools, here, live)| {
                ServerMessage::LobbyNews(LobbyNews { seeks, gone, pools, here, live })
            }
        ),
        (of(pool()), of(game())).prop_map(|(pool, game)| ServerMessage::Waiting(Waiting { pool, game })),
        (game(), room(), number(), player(), text(), number()).prop_map(|(game, room, n, by, text, at)| {
            ServerMessage::Said(Said { game, room, n, by, text, at })
        }),
    ]
}
