//! Whatever the rules can record comes back.

use std::sync::Arc;

use proptest::prelude::*;
use zeitnot_protocol::{AccountId, CommandId, GameId};
use zeitnot_rules::board::{ByColor, Color, Move, Position, Role, Square};
use zeitnot_rules::game::{
    AbsenceWish, AdjustmentCause, Bonus, Charge, Event, GameInstant, GameSetup, Micros, Period, PlayerName,
    Profile, ProfileName, Seq, ShownRating, Tags, TimeControl, Variant,
};
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use super::samples;
use crate::storage::encoding::{FORMAT, Row, WholeGame, decode, encode};
use crate::storage::{Record, StoreInstant, TurnMark};

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

fn micros() -> impl Strategy<Value = Micros> {
    // Every length of a varint; and few values, which come again.
    (any::<u64>(), 0..96_u32).prop_map(|(bits, shift)| Micros(bits.checked_shr(shift).unwrap_or(bits % 3)))
}

fn both() -> impl Strategy<Value = ByColor<Micros>> {
    (micros(), micros()).prop_map(|(white, black)| ByColor { white, black })
}

fn square() -> impl Strategy<Value = Square> {
    (0..64_usize).prop_map(Square::from_index)
}

fn mv() -> impl Strategy<Value = Move> {
    let promotion = proptest::option::of(proptest::sample::select(Role::ALL.to_vec()));
    (square(), square(), promotion).prop_map(|(from, to, promotion)| Move { from, to, promotion })
}

fn charge() -> impl Strategy<Value = Option<Charge>> {
    let some = (color(), micros(), micros(), both(), micros())
        .prop_map(|(seat, took, credit, remaining, bank)| Charge { seat, took, credit, remaining, bank });
    proptest::option::of(some)
}

fn bonus() -> impl Strategy<Value = Bonus> {
    prop_oneof![
        Just(Bonus::None),
        micros().prop_map(Bonus::Increment),
        micros().prop_map(Bonus::SimpleDelay),
        micros().prop_map(Bonus::Bronstein),
    ]
}

fn periods() -> impl Strategy<Value = Vec<Period>> {
    let period = (proptest::option::of(any::<u16>()), micros(), bonus());
    proptest::collection::vec(period.prop_map(|(moves, base, bonus)| Period { moves, base, bonus }), 1..9)
}

fn time_control() -> impl Strategy<Value = TimeControl> {
    prop_oneof![
        Just(TimeControl::Unlimited),
        any::<u8>().prop_map(|days| TimeControl::DaysPerMove { days }),
        (periods(), periods()).prop_map(|(white, black)| TimeControl::Clock(ByColor { white, black })),
    ]
}

/// A position some random moves into a game of Chess960.
fn position() -> impl Strategy<Value = Position> {
    (0..960_u16, proptest::collection::vec(any::<u8>(), 0..60)).prop_map(|(number, choices)| {
        let mut position = Position::chess960(number);
        for choice in choices {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { break };
            position.play(*mv).unwrap();
        }
        position
    })
}

fn setup() -> impl Strategy<Value = Event> {
    use ProfileName::{Casual, FideBoard, FideOnline, UsChess};
    let profile = proptest::sample::select(vec![FideOnline, FideBoard, UsChess, Casual]);
    let variant = prop_oneof![Just(Variant::Standard), Just(Variant::Chess960)];
    let players = (any::<u128>(), any::<u128>());
    let name = || {
        proptest::option::of(
            "[A-Za-z][A-Za-z0-9_-]{1,19}".prop_map(|name| name.parse::<PlayerName>().unwrap()),
        )
    };
    let said = (name(), name(), any::<bool>(), any::<u64>());
    let shown = || {
        let shown = (any::<u16>(), any::<bool>());
        proptest::option::of(shown.prop_map(|(rating, provisional)| ShownRating { rating, provisional }))
    };
    let imported = proptest::option::of(("\\PC{0,120}", ".{0,9}"));
    let rating = (any::<bool>(), shown(), shown(), any::<bool>(), any::<bool>(), imported);
    (variant, position(), time_control(), profile, players, said, rating).prop_map(
        |(variant, start, time_control, profile, (white, black), said, rating)| {
            let (white_name, black_name, by_lot, began_unix_ms) = said;
            let (rated, white_rating, black_rating, white_bot, black_bot, imported) = rating;
            let (profile, players) = (Profile::named(profile), ByColor { white, black });
            Event::Started(Box::new(GameSetup {
                variant,
                start,
                time_control,
                profile,
                players,
                names: ByColor { white: white_name, black: black_name },
                by_lot,
                rated,
                ratings: ByColor { white: white_rating, black: black_rating },
                bots: ByColor { white: white_bot, black: black_bot },
                imported: imported.map(|(name, value)| Tags::of([("White", &*name), ("Event", &*value)])),
                began_unix_ms,
            }))
        },
    )
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let score =
        proptest::sample::select(vec![Score::WhiteWins, Score::Draw, Score::HalfToBlack, Score::NoResult]);
    let reason = proptest::sample::select(vec![Reason::Checkmate, Reason::FlagFall, Reason::Arbiter]);
    let proof = proptest::option::of(prop_oneof![
        Just(Proof::Material),
        Just(Proof::Static),
        any::<u32>().prop_map(|positions| Proof::Exhaustive { positions }),
        proptest::collection::vec(mv(), 0..40).prop_map(|line| Proof::Helpmate { line }),
    ]);
    (score, reason, proof).prop_map(|(score, reason, proof)| Outcome { score, reason, proof })
}

fn acts() -> impl Strategy<Value = Event> {
    let cause = prop_oneof![
        color().prop_map(|by| AdjustmentCause::GiveTime { by }),
        color().prop_map(|by| AdjustmentCause::WrongClaim { by }),
        Just(AdjustmentCause::Arbiter),
    ];
    let wish = prop_oneof![Just(AbsenceWish::Win), Just(AbsenceWish::Draw)];
    let bonuses = (bonus(), bonus()).prop_map(|(white, black)| ByColor { white, black });
    prop_oneof![
        (color(), wish, charge()).prop_map(|(by, wish, charge)| Event::AbsenceClaimed { by, wish, charge }),
        (color(), any::<u8>()).prop_map(|(by, plies)| Event::TakebackOffered { by, plies }),
        (any::<u8>(), charge()).prop_map(|(plies, charge)| Event::TakenBack { plies, charge }),
        (cause, both()).prop_map(|(cause, remaining)| Event::TimeAdjusted { cause, remaining }),
        (color(), charge(), bonuses, both()).prop_map(|(by, charge, bonus, remaining)| Event::IlcRemedied {
            by,
            charge,
            bonus,
            remaining
        }),
        (color(), charge()).prop_map(|(seat, charge)| Event::FlagFell { seat, charge }),
        (color(), charge()).prop_map(|(seat, charge)| Event::Resigned { seat, charge }),
        (outcome(), charge()).prop_map(|(outcome, charge)| Event::Ended { outcome, charge }),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let found = proptest::option::of(Just(Reason::FiftyMoves));
    prop_oneof![
        1 => setup(),
        6 => (mv(), charge()).prop_map(|(mv, charge)| Event::MovePlayed { mv, charge }),
        1 => color().prop_map(|by| Event::DrawOffered { by }),
        1 => color().prop_map(|by| Event::DrawDeclined { by }),
        1 => color().prop_map(|by| Event::TakebackDeclined { by }),
        1 => color().prop_map(|by| Event::IlcAsked { by }),
        1 => (color(), proptest::option::of(mv()), found).prop_map(|(by, intended, found)| Event::DrawClaimed { by, intended, found }),
        3 => acts(),
    ]
}

type Sent = (u64, Option<AccountId>, Option<CommandId>, Vec<Event>);

fn sent() -> impl Strategy<Value = Sent> {
    let account = proptest::option::of(prop_oneof![Just(1_u128), Just(7_u128), any::<u128>()]);
    // Also some that count on.
    let command = "[ -~]{1,32}|m?[0-9]|m?0?[0-9]{18,20}|[a-z]{31}[0-9]";
    let command = proptest::option::of(command.prop_map(|text| text.parse::<CommandId>().unwrap()));
    let events = proptest::collection::vec(event(), 1..4);
    (any::<u64>(), account.prop_map(|account| account.map(AccountId::from_u128)), command, events)
}

fn record(game: GameId, first_seq: Seq, (at, account, command, events): Sent) -> Record {
    Record { game, first_seq, at: GameInstant(at), account, command, events }
}

#[track_caller]
fn check(row: &Row) {
    let mut bytes = vec![7; 3];
    encode(row, &mut bytes);
    assert_eq!(decode(&bytes[3..]).as_ref(), Ok(row), "a row is appended to what is in the buffer");
}

proptest! {
    #[test]
    fn a_record_comes_back(at: u64, previous: u64, number: u128, first_seq in 1..1_000_000_u32, sent in sent()) {
        let record = Arc::new(record(GameId::from_random(number), first_seq, sent));
        check(&Row::Record { at: StoreInstant(at), previous, record });
    }

    #[test]
    fn a_whole_game_comes_back(at: u64, spent in micros(), number: u128, sent in proptest::collection::vec(sent(), 1..12)) {
        let (game, mut records, mut seq) = (GameId::from_random(number), Vec::new(), 1);
        for sent in sent {
            let next = record(game, seq, sent);
            seq = next.last_seq() + 1;
            records.push(Arc::new(next));
        }
        let at = StoreInstant(at);
        let whole = WholeGame { game, records };
        check(&Row::Archived(whole.clone()));
        check(&Row::Carried { at, mark: TurnMark::Runs { at, spent }, whole });
    }

    #[test]
    fn no_bytes_make_it_panic(version in 1..=FORMAT, bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        drop(decode(&bytes));
        let mut sealed = [&[version, 1][..], &bytes].concat();
        let checksum = crc32c::crc32c(&sealed);
        sealed.extend_from_slice(&checksum.to_le_bytes());
        drop(decode(&sealed));
    }
}

#[test]
fn one_account_on_both_seats_comes_back() {
    let mut records = samples::whole_game();
    if let Event::Started(setup) = &mut Arc::make_mut(&mut records[0]).events[0] {
        setup.players = ByColor { white: 7, black: 7 };
    }
    check(&Row::Archived(WholeGame { game: samples::game(), records }));
}
