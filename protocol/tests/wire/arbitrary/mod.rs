//! Random messages: every type, every field, extremes included.
//!
//! Values are only well-formed: no chess is played here.

mod client;
mod lobby;
mod server;

pub(crate) use client::client_message;
pub(crate) use server::server_message;

use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use zeitnot_protocol::{
    AccountId, ByColor, ChatRoom, CommandId, DeclineReason, GameId, GameOptions, Period, PoolId, San,
    TimeControl, Uci, WireBonus, WireColor, WireIlc, WireProfile, WireVariant,
};

pub(crate) fn number() -> impl Strategy<Value = u32> {
    prop_oneof![any::<u32>(), 0..300_u32, Just(u32::MAX)]
}

pub(crate) fn maybe_number() -> impl Strategy<Value = Option<u32>> {
    of(number())
}

pub(crate) fn game() -> impl Strategy<Value = GameId> {
    any::<u128>().prop_map(GameId::from_random)
}

pub(crate) fn account() -> impl Strategy<Value = AccountId> {
    any::<u128>().prop_map(AccountId::from_u128)
}

pub(crate) fn command_id() -> impl Strategy<Value = CommandId> {
    "[ -~]{1,32}".prop_map(|text| text.parse().expect("printable ASCII"))
}

pub(crate) fn pool() -> impl Strategy<Value = PoolId> {
    select(PoolId::ALL)
}

pub(crate) fn room() -> impl Strategy<Value = ChatRoom> {
    select(vec![ChatRoom::Players, ChatRoom::Spectators])
}

pub(crate) fn decline_reason() -> impl Strategy<Value = DeclineReason> {
    select(vec![
        DeclineReason::No,
        DeclineReason::Later,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::OtherTimeControl,
        DeclineReason::OtherVariant,
        DeclineReason::OtherRules,
        DeclineReason::OtherColor,
    ])
}

pub(crate) fn uci() -> impl Strategy<Value = Uci> {
    "[a-h][1-8][a-h][1-8][qrbn]?".prop_map(|text| text.parse().expect("the form of a move"))
}

pub(crate) fn san() -> impl Strategy<Value = San> {
    prop_oneof![
        Just("O-O-O#".to_owned()),
        "[NBRQK][a-h]?[1-8]?x?[a-h][1-8]".prop_map(|text| text),
        "[a-h]x[a-h]8=[QRBN][+#]?".prop_map(|text| text),
    ]
    .prop_map(|text| text.parse().expect("at most 7 characters"))
}

/// Any text: quotes, backslashes, control characters, other scripts.
pub(crate) fn text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[ -~]{0,90}", "[\"\\\\/\u{0}-\u{1f}\u{7f}]{1,10}"]
}

pub(crate) fn color() -> impl Strategy<Value = WireColor> {
    prop_oneof![Just(WireColor::White), Just(WireColor::Black)]
}

pub(crate) fn variant() -> impl Strategy<Value = WireVariant> {
    prop_oneof![Just(WireVariant::Standard), Just(WireVariant::Chess960)]
}

pub(crate) fn by_color<T: std::fmt::Debug>(
    each: impl Strategy<Value = T> + Clone,
) -> impl Strategy<Value = ByColor<T>> {
    (each.clone(), each).prop_map(|(white, black)| ByColor { white, black })
}

pub(crate) fn bonus() -> impl Strategy<Value = WireBonus> {
    (maybe_number(), maybe_number(), maybe_number())
        .prop_map(|(increment_ms, delay_ms, bronstein_ms)| WireBonus { increment_ms, delay_ms, bronstein_ms })
}

pub(crate) fn period() -> impl Strategy<Value = Period> {
    (maybe_number(), number(), bonus()).prop_map(|(moves, base_ms, bonus)| {
        let WireBonus { increment_ms, delay_ms, bronstein_ms } = bonus;
        Period { moves, base_ms, increment_ms, delay_ms, bronstein_ms }
    })
}

pub(crate) fn time_control() -> impl Strategy<Value = TimeControl> {
    let periods = || prop::collection::vec(period(), 0..5);
    prop_oneof![
        (periods(), of(periods()))
            .prop_map(|(periods, black_periods)| TimeControl::Clock { periods, black_periods }),
        number().prop_map(|days| TimeControl::Days { days }),
        Just(TimeControl::Unlimited),
    ]
}

pub(crate) fn options() -> impl Strategy<Value = GameOptions> {
    let profile = prop_oneof![
        Just(WireProfile::FideOnline),
        Just(WireProfile::FideBoard),
        Just(WireProfile::UsChess),
        Just(WireProfile::Casual),
    ];
    let ilc = prop_oneof![Just(WireIlc::Off), Just(WireIlc::FideIii4), Just(WireIlc::Us14h)];
    (profile, ilc, number()).prop_map(|(profile, ilc, no_draw_offer_before_move)| GameOptions {
        profile,
        ilc,
        no_draw_offer_before_move,
    })
}
