//! Random messages of the server.

use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use zeitnot_protocol::{
    AbsenceClaimed, AdjustmentCause, BootId, ByEvent, Check, Clock, Code, DrawClaimed, DrawOrWin, Ended,
    EpochId, History, IlcRemedied, Limits, MoveEvent, OfferView, OkAnswer, Opening, Origin, OutcomeView,
    Phase, PlayerView, PlyView, Pong, Presence, Rated, RatingStep, Rejected, ServerMessage, Snapshot,
    Started, StateView, StoppedBy, TakebackOfferView, TakebackOffered, TakenBack, TimeAdjusted, Turn,
    Watchers, Welcome, WireProof, WireReason, WireScore, WireSquare,
};
use zeitnot_rules::board::Square;

use super::lobby::about_lobby;
use super::{
    account, bonus, by_color, color, command_id, game, maybe_number, number, options, san, text,
    time_control, uci, variant,
};

fn square() -> impl Strategy<Value = WireSquare> {
    (0..64_usize).prop_map(|index| Square::from_index(index).into())
}

fn check() -> impl Strategy<Value = Check> {
    (square(), prop::collection::vec(square(), 1..3), any::<bool>())
        .prop_map(|(king, checkers, mate)| Check { king, double: checkers.len() == 2, checkers, mate })
}

pub(super) fn player() -> impl Strategy<Value = PlayerView> + Clone {
    let shown = (of(any::<u32>()), any::<bool>(), any::<bool>());
    (any::<u128>(), "[A-Za-z\"\\\\é]{1,12}", shown).prop_map(|(number, name, (rating, provisional, bot))| {
        PlayerView { account: zeitnot_protocol::AccountId::from_u128(number), name, rating, provisional, bot }
    })
}

fn clocks() -> impl Strategy<Value = (Option<u32>, Option<u32>)> {
    (maybe_number(), maybe_number())
}

fn ply() -> impl Strategy<Value = PlyView> {
    (number(), uci(), san(), clocks(), clocks()).prop_map(
        |(ply, uci, san, (white_ms, black_ms), (took, credit))| PlyView {
            ply,
            uci,
            san,
            white_ms,
            black_ms,
            took,
            credit,
        },
    )
}

fn outcome() -> impl Strategy<Value = OutcomeView> {
    let scores = vec![
        WireScore::WhiteWins,
        WireScore::BlackWins,
        WireScore::Draw,
        WireScore::BothLose,
        WireScore::HalfToWhite,
        WireScore::HalfToBlack,
        WireScore::NoResult,
    ];
    let reasons = vec![WireReason::Checkmate, WireReason::SeventyFiveMoves, WireReason::FirstMoveLimit];
    let proof = prop_oneof![
        Just(WireProof::Material),
        number().prop_map(|positions| WireProof::Exhaustive { positions }),
        prop::collection::vec(uci(), 0..4).prop_map(WireProof::Helpmate),
    ];
    (select(scores), select(reasons), of(proof)).prop_map(|(score, reason, proof)| OutcomeView {
        score,
        reason,
        proof,
        // Only in a snapshot: `document` reads an example.
        played_out: None,
    })
}

fn state() -> impl Strategy<Value = StateView> {
    let draw = (color(), number(), any::<bool>()).prop_map(|(by, seq, ilc)| OfferView { by, seq, ilc });
    let takeback =
        (color(), number(), 1..3_u32).prop_map(|(by, seq, plies)| TakebackOfferView { by, seq, plies });
    let remedy = (bonus(), bonus()).prop_map(|(white, black)| zeitnot_protocol::ByColor { white, black });
    let phase = select(vec![Phase::Playing, Phase::Deciding, Phase::Ended]);
    let offered_at =
        (of(number()), of(number())).prop_map(|(white, black)| zeitnot_protocol::ByColor { white, black });
    (phase, of(check()), of(draw), of(offered_at), of(takeback), of(remedy), of(outcome())).prop_map(
        |(phase, check, draw_offer, draw_offered_at, takeback_offer, remedy, outcome)| StateView {
            phase,
            check,
            draw_offer,
            draw_offered_at,
            takeback_offer,
            remedy,
            outcome,
        },
    )
}

fn snapshot() -> impl Strategy<Value = Snapshot> {
    let place = (game(), number(), number(), variant(), text(), text());
    let rules = (by_color(player()), time_control(), options());
    let opening = (text(), text(), number()).prop_map(|(eco, name, ply)| Opening { eco, name, ply });
    let known = (of(by_color(rating_step())), of(origin()), of(opening));
    let played = (number(), prop::collection::vec(ply(), 0..4), state(), clocks(), number(), flags(), known);
    (place, rules, played).prop_map(
        |(
            (game, seq, on, variant, start_fen, fen),
            (players, time_control, options),
            (
                ply_count,
                plies,
                state,
                (white_ms, black_ms),
                began,
                (rated, imported),
                (ratings, origin, opening),
            ),
        )| Snapshot {
            game,
            seq,
            on,
            variant,
            start_fen,
            fen,
            players,
            time_control,
            options,
            ply_count,
            plies,
            state,
            white_ms,
            black_ms,
            began,
            rated,
            imported,
            origin,
            ratings,
            opening: opening.map(Box::new),
        },
    )
}

fn origin() -> impl Strategy<Value = Box<Origin>> {
    (of(text()), of(text()), of(text()), of(text()))
        .prop_map(|(event, site, date, round)| Box::new(Origin { event, site, date, round }))
}

fn rating_step() -> impl Strategy<Value = RatingStep> + Clone {
    (any::<u32>(), any::<u32>(), any::<bool>()).prop_map(|(before, after, provisional)| RatingStep {
        before,
        after,
        provisional,
    })
}

fn rated() -> impl Strategy<Value = Rated> {
    (game(), rating_step(), rating_step()).prop_map(|(game, white, black)| Rated { game, white, black })
}

/// Whether a game is rated, and whether it was imported.
fn flags() -> impl Strategy<Value = (bool, bool)> {
    (any::<bool>(), any::<bool>())
}

fn started() -> impl Strategy<Value = Started> {
    let place = (game(), number(), variant(), text());
    (place, by_color(player()), time_control(), options(), clocks(), number(), flags()).prop_map(
        |(
            (game, seq, variant, fen),
            players,
            time_control,
            options,
            (white_ms, black_ms),
            began,
            (rated, imported),
        )| Started {
            game,
            seq,
            variant,
            fen,
            players,
            time_control,
            options,
            white_ms,
            black_ms,
            began,
            rated,
            imported,
        },
    )
}

fn move_event() -> impl Strategy<Value = MoveEvent> {
    (game(), number(), number(), (uci(), san()), text(), of(check()), clocks(), clocks()).prop_map(
        |(game, seq, ply, (uci, san), fen, check, (white_ms, black_ms), (took, credit))| MoveEvent {
            game,
            seq,
            ply,
            uci,
            san,
            fen,
            check,
            white_ms,
            black_ms,
            took,
            credit,
        },
    )
}

/// The messages that cost the most on the wire, most of them written by hand.
fn frequent() -> impl Strategy<Value = ServerMessage> {
    let id = || of(command_id());
    prop_oneof![
        move_event().prop_map(ServerMessage::Move),
        (game(), number(), text(), prop::collection::vec(uci(), 0..40), clocks()).prop_map(
            |(game, on, fen, legal, (white_ms, black_ms))| {
                ServerMessage::Turn(Turn { game, on, fen, legal, white_ms, black_ms })
            }
        ),
        (id(), of(game()), maybe_number()).prop_map(|(id, game, seq)| ServerMessage::Ok(OkAnswer {
            id,
            game,
            seq
        })),
        (id(), game(), number(), clocks(), of(color()), number(), maybe_number()).prop_map(
            |(id, game, seq, (white_ms, black_ms), running, stands_ms, first_move_ms)| {
                ServerMessage::Clock(Clock {
                    id,
                    game,
                    seq,
                    white_ms,
                    black_ms,
                    running,
                    stands_ms,
                    first_move_ms,
                })
            }
        ),
        (number(), number(), 0..1_000_u32).prop_map(|(n, at, ms)| ServerMessage::Pong(Pong { n, at, ms })),
        (id(), of(game()), select(Code::ALL), text()).prop_map(|(id, game, code, message)| {
            ServerMessage::Rejected(Rejected { id, game, code, message })
        }),
    ]
}

fn about_connection() -> impl Strategy<Value = ServerMessage> {
    prop_oneof![
        (of(account()), of(text()), of(text()), any::<u128>(), any::<u128>()).prop_map(
            |(account, name, token, boot, epoch)| {
                let (boot, epoch, limits) =
                    (BootId::from_random(boot), EpochId::from_random(epoch), Limits::STANDARD);
                ServerMessage::Welcome(Welcome { account, name, token, boot, epoch, limits })
            }
        ),
        (game(), color(), any::<bool>(), maybe_number()).prop_map(|(game, color, here, claim_in_ms)| {
            ServerMessage::Presence(Presence { game, color, here, claim_in_ms })
        }),
        (game(), number()).prop_map(|(game, count)| ServerMessage::Watchers(Watchers { game, count })),
    ]
}

fn about_game() -> impl Strategy<Value = ServerMessage> {
    let acts = vec![
        ServerMessage::DrawOffered as fn(ByEvent) -> ServerMessage,
        ServerMessage::DrawDeclined,
        ServerMessage::TakebackDeclined,
        ServerMessage::IlcAsked,
    ];
    let stops = vec![ServerMessage::FlagFell as fn(StoppedBy) -> ServerMessage, ServerMessage::Resigned];
    let cause = prop_oneof![
        color().prop_map(|by| AdjustmentCause::GiveTime { by }),
        color().prop_map(|by| AdjustmentCause::WrongClaim { by }),
        Just(AdjustmentCause::Arbiter),
    ];
    let wish = select(vec![DrawOrWin::Draw, DrawOrWin::Win]);
    let bonuses = (bonus(), bonus()).prop_map(|(white, black)| zeitnot_protocol::ByColor { white, black });
    prop_oneof![
        snapshot().prop_map(ServerMessage::Snapshot),
        started().prop_map(ServerMessage::Started),
        (of(command_id()), game(), number(), number(), prop::collection::vec(ply(), 0..4)).prop_map(
            |(id, game, from, ply_count, plies)| {
                ServerMessage::History(History { id, game, from, ply_count, plies })
            }
        ),
        (select(acts), game(), number(), color()).prop_map(|(message, game, seq, by)| message(ByEvent {
            game,
            seq,
            by
        })),
        (select(stops), game(), number(), color(), clocks()).prop_map(
            |(message, game, seq, by, (white_ms, black_ms))| {
                message(StoppedBy { game, seq, by, white_ms, black_ms })
            }
        ),
        (game(), number(), color(), of(uci()), any::<bool>()).prop_map(|(game, seq, by, uci, right)| {
            ServerMessage::DrawClaimed(DrawClaimed { game, seq, by, uci, right })
        }),
        (game(), number(), color(), wish, clocks()).prop_map(
            |(game, seq, by, result, (white_ms, black_ms))| {
                ServerMessage::AbsenceClaimed(AbsenceClaimed { game, seq, by, result, white_ms, black_ms })
            }
        ),
        (game(), number(), color(), 1..3_u32).prop_map(|(game, seq, by, plies)| {
            ServerMessage::TakebackOffered(TakebackOffered { game, seq, by, plies })
        }),
        (game(), number(), 1..3_u32, number(), text(), clocks()).prop_map(
            |(game, seq, plies, ply, fen, (white_ms, black_ms))| {
                ServerMessage::TakenBack(TakenBack { game, seq, plies, ply, fen, white_ms, black_ms })
            }
        ),
        (game(), number(), cause, clocks()).prop_map(|(game, seq, cause, (white_ms, black_ms))| {
            ServerMessage::TimeAdjusted(TimeAdjusted { game, seq, cause, white_ms, black_ms })
        }),
        (game(), number(), color(), bonuses, clocks()).prop_map(
            |(game, seq, by, bonus, (white_ms, black_ms))| {
                ServerMessage::IlcRemedied(IlcRemedied { game, seq, by, bonus, white_ms, black_ms })
            }
        ),
        (game(), number(), outcome(), clocks()).prop_map(|(game, seq, outcome, (white_ms, black_ms))| {
            ServerMessage::Ended(Ended { game, seq, outcome, white_ms, black_ms })
        }),
        rated().prop_map(ServerMessage::Rated),
    ]
}

pub(crate) fn server_message() -> impl Strategy<Value = ServerMessage> {
    prop_oneof![3 => frequent(), 1 => about_connection(), 2 => about_game(), 1 => about_lobby()]
}
