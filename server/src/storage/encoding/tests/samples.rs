//! One row of each kind, and one record for each kind of event and each value that has a tag of its
//! own.

use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId};
use zeitnot_rules::board::{ByColor, Color, Move, Position, Role, Square};
use zeitnot_rules::game::{
    AbsenceWish, AdjustmentCause, Bonus, Charge, Event, GameInstant, GameSetup, IlcRule, Micros, Period,
    Profile, ProfileName, Seq, ShownRating, Tags, TimeControl, Variant,
};
use zeitnot_rules::notation::fen;
use zeitnot_rules::verdict::{Outcome, Proof, Reason, Score};

use crate::storage::encoding::{Row, WholeGame};
use crate::storage::{Record, RestMark, StoreInstant, TurnInstant, TurnMark};

pub(super) fn game() -> GameId {
    "4fzVq0aB9kLm".parse().unwrap()
}

fn charge(seat: Color) -> Option<Charge> {
    Some(Charge {
        seat,
        took: Micros(3_141_592),
        credit: Micros(70_000),
        remaining: ByColor { white: Micros(176_928_408), black: Micros(180_000_000) },
        bank: Micros(2_930_000),
    })
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

fn mv(text: &str) -> Move {
    Move::new(square(&text[..2]), square(&text[2..4]))
}

fn clock(periods: Vec<Period>) -> TimeControl {
    TimeControl::Clock(ByColor::both(periods))
}

fn setup(variant: Variant, start: &str, time_control: TimeControl, profile: Profile) -> GameSetup {
    let players = ByColor { white: 0x0193_5d2e_7f6b_7c3a_9a40_5b8c_6d7e_8f90, black: 7 };
    let start = fen::parse(start).unwrap();
    GameSetup { variant, start, ..GameSetup::casual(players, time_control, profile, 1_763_000_000_123) }
}

fn started() -> Vec<(&'static str, Event)> {
    let periods = vec![
        Period {
            moves: Some(40),
            base: Micros::from_secs(6_000),
            bonus: Bonus::Increment(Micros::from_secs(30)),
        },
        Period {
            moves: Some(20),
            base: Micros::from_secs(3_000),
            bonus: Bonus::Bronstein(Micros::from_secs(3)),
        },
        Period { moves: None, base: Micros::from_secs(900), bonus: Bonus::SimpleDelay(Micros::from_secs(5)) },
    ];
    let standard = fen::write(&Position::standard());
    let unequal = TimeControl::Clock(ByColor {
        white: vec![Period { moves: None, base: Micros::from_secs(300), bonus: Bonus::None }],
        black: vec![Period { moves: None, base: Micros::from_secs(180), bonus: Bonus::None }],
    });
    let board = Profile::fide_board().with_no_draw_offer_before_move(30).with_ilc(IlcRule::FideIii4);
    let chess960 = fen::write(&Position::chess960(0));
    let en_passant = "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w Kq d6 0 3";
    let days = TimeControl::DaysPerMove { days: 3 };
    let us = Profile::us_chess().with_ilc(IlcRule::Us14H);
    let games = [
        (
            "started_online",
            setup(
                Variant::Standard,
                &standard,
                TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2)),
                Profile::named(ProfileName::FideOnline),
            ),
        ),
        ("started_board", setup(Variant::Standard, en_passant, clock(periods), board)),
        ("started_us", setup(Variant::Standard, "7k/8/8/8/8/8/5P2/K7 b - - 17 60", unequal, us)),
        ("started_casual", setup(Variant::Chess960, &chess960, days, Profile::casual())),
        ("started_unlimited", setup(Variant::Standard, &standard, TimeControl::Unlimited, Profile::casual())),
    ];
    games.into_iter().map(|(name, setup)| (name, Event::Started(Box::new(setup)))).collect()
}

fn others() -> Vec<(&'static str, Event)> {
    let (white, black) = (Color::White, Color::Black);
    let remaining = ByColor { white: Micros(1), black: Micros(300_000_000) };
    let promotes = Move { promotion: Some(Role::Knight), ..mv("a7b8") };
    let bonus = ByColor::both(Bonus::SimpleDelay(Micros::from_secs(5)));
    vec![
        ("move_played", Event::MovePlayed { mv: mv("e2e4"), charge: charge(white) }),
        ("move_promotes", Event::MovePlayed { mv: promotes, charge: None }),
        ("draw_offered", Event::DrawOffered { by: white }),
        ("draw_declined", Event::DrawDeclined { by: black }),
        (
            "draw_claimed",
            Event::DrawClaimed {
                by: black,
                intended: Some(mv("g8f6")),
                found: Some(Reason::ThreefoldRepetition),
            },
        ),
        ("draw_claimed_wrongly", Event::DrawClaimed { by: white, intended: None, found: None }),
        (
            "absence_claimed",
            Event::AbsenceClaimed { by: white, wish: AbsenceWish::Win, charge: charge(black) },
        ),
        ("absence_claimed_draw", Event::AbsenceClaimed { by: white, wish: AbsenceWish::Draw, charge: None }),
        ("takeback_offered", Event::TakebackOffered { by: black, plies: 2 }),
        ("takeback_declined", Event::TakebackDeclined { by: white }),
        ("taken_back", Event::TakenBack { plies: 1, charge: charge(white) }),
        ("time_given", Event::TimeAdjusted { cause: AdjustmentCause::GiveTime { by: black }, remaining }),
        (
            "time_of_wrong_claim",
            Event::TimeAdjusted { cause: AdjustmentCause::WrongClaim { by: white }, remaining },
        ),
        ("time_by_arbiter", Event::TimeAdjusted { cause: AdjustmentCause::Arbiter, remaining }),
        ("ilc_asked", Event::IlcAsked { by: white }),
        ("ilc_remedied", Event::IlcRemedied { by: white, charge: charge(white), bonus, remaining }),
        ("flag_fell", Event::FlagFell { seat: black, charge: charge(black) }),
        ("resigned", Event::Resigned { seat: white, charge: None }),
        ("ended_mate", Event::Ended { outcome: Outcome::win(black, Reason::Checkmate), charge: None }),
        (
            "ended_no_material",
            Event::Ended {
                outcome: Outcome { proof: Some(Proof::Material), ..Outcome::draw(Reason::FlagFall) },
                charge: charge(black),
            },
        ),
        ("ended_static", drawn(Proof::Static)),
        ("ended_exhaustive", drawn(Proof::Exhaustive { positions: 1_400_000 })),
        ("ended_helpmate", won_by_line()),
    ]
}

fn drawn(proof: Proof) -> Event {
    Event::Ended {
        outcome: Outcome { proof: Some(proof), ..Outcome::draw(Reason::DeadPosition) },
        charge: None,
    }
}

/// White's flag fell, and Black could still have mated so.
fn won_by_line() -> Event {
    let square = Square::from_index;
    let line = vec![Move::new(square(13), square(21)), Move::new(square(52), square(36))];
    let won = Outcome::win(Color::Black, Reason::FlagFall);
    Event::Ended { outcome: Outcome { proof: Some(Proof::Helpmate { line }), ..won }, charge: None }
}

fn ends() -> Vec<Event> {
    let scores = [
        Score::WhiteWins,
        Score::BlackWins,
        Score::Draw,
        Score::BothLose,
        Score::HalfToWhite,
        Score::HalfToBlack,
        Score::NoResult,
    ];
    let reasons = [
        Reason::Checkmate,
        Reason::Resignation,
        Reason::Stalemate,
        Reason::DeadPosition,
        Reason::Agreement,
        Reason::FlagFall,
        Reason::ThreefoldRepetition,
        Reason::FiftyMoves,
        Reason::FivefoldRepetition,
        Reason::SeventyFiveMoves,
        Reason::Abandonment,
        Reason::Aborted,
        Reason::FirstMoveLimit,
        Reason::Arbiter,
    ];
    let pairs = reasons.into_iter().zip(scores.into_iter().cycle());
    pairs
        .map(|(reason, score)| Event::Ended { outcome: Outcome { score, reason, proof: None }, charge: None })
        .collect()
}

pub(super) fn record(first_seq: Seq, events: Vec<Event>) -> Record {
    Record {
        game: game(),
        first_seq,
        at: GameInstant(12_345_678),
        account: Some(AccountId::from_u128(7)),
        command: Some("m-17".parse().unwrap()),
        events,
    }
}

fn bare(first_seq: Seq, events: Vec<Event>) -> Record {
    Record {
        at: GameInstant(u64::from(first_seq) * 1_000),
        account: None,
        command: None,
        ..record(first_seq, events)
    }
}

/// All records of a short game, with every kind of sender.
pub(super) fn whole_game() -> Vec<Arc<Record>> {
    let mut starts = started();
    let other = Some(AccountId::from_u128(99));
    let ended = others().pop().unwrap().1;
    let records = [
        bare(1, vec![starts.swap_remove(0).1]),
        record(2, vec![Event::MovePlayed { mv: mv("e2e4"), charge: charge(Color::White) }]),
        Record {
            command: None,
            at: GameInstant(5),
            ..record(3, vec![Event::DrawOffered { by: Color::White }])
        },
        Record {
            account: other,
            ..record(4, vec![Event::Resigned { seat: Color::Black, charge: None }, ended])
        },
    ];
    records.into_iter().map(Arc::new).collect()
}

/// Rows that version 1 could not write: a start with names and with a position by lot.
pub(super) fn named_rows() -> Vec<(&'static str, Row)> {
    let name = |text: &str| Some(text.parse().unwrap());
    let with_names = |records: &mut [Arc<Record>], names: ByColor<_>, drawn: bool| {
        if let Event::Started(setup) = &mut Arc::make_mut(&mut records[0]).events[0] {
            (setup.names, setup.by_lot) = (names, drawn);
        }
    };
    let at = StoreInstant(1_234_567_890);
    let mut start = vec![Arc::new(bare(1, vec![started().swap_remove(3).1]))];
    with_names(&mut start, ByColor { white: None, black: name("x-") }, true);
    let mut records = whole_game();
    with_names(
        &mut records,
        ByColor { white: name("Rook_And_Roll"), black: name("abcdefghij-KLMNOP_90") },
        false,
    );
    vec![
        ("started_by_lot", Row::Record { at, previous: 0, record: start.swap_remove(0) }),
        ("archived_with_names", Row::Archived(WholeGame { game: game(), records })),
    ]
}

/// Rows that version 2 could not write, a game at rest and the end of one that both have left; and
/// one that it wrote in another way.
pub(super) fn resting_rows() -> Vec<(&'static str, Row)> {
    let mark = RestMark {
        at: GameInstant(612_345_678),
        took: Micros(600_000_001),
        away_since: ByColor { white: GameInstant(12_345_678), black: GameInstant(5) },
        due: GameInstant(2_592_012_345_678),
    };
    let mut records = whole_game();
    records.pop();
    let whole = WholeGame { game: game(), records };
    let outcome = Outcome { score: Score::NoResult, reason: Reason::BothAway, proof: None };
    let end = record(300, vec![Event::Ended { outcome, charge: None }]);
    vec![
        ("resting", Row::Resting { since: TurnInstant(9_876_543_210), mark, whole }),
        (
            "both_away",
            Row::Record { at: StoreInstant(1_234_567_890), previous: 4_711, record: Arc::new(end) },
        ),
        ("listed", Row::Archived(WholeGame { game: game(), records: listed_game() })),
    ]
}

/// Rows that version 3 could not write: starts with ratings, with programs, and of a game that was imported.
pub(super) fn rated_rows() -> Vec<(&'static str, Row)> {
    let at = StoreInstant(1_234_567_890);
    let with = |change: &dyn Fn(&mut GameSetup)| {
        let mut event = started().swap_remove(0).1;
        if let Event::Started(setup) = &mut event {
            change(setup);
        }
        Arc::new(bare(1, vec![event]))
    };
    let shown = |rating, provisional| Some(ShownRating { rating, provisional });
    let rated = with(&|setup| {
        setup.rated = true;
        setup.ratings = ByColor { white: shown(1_500, true), black: shown(2_731, false) };
        setup.bots = ByColor::both(true);
    });
    let against_a_bot = with(&|setup| {
        setup.ratings = ByColor { white: None, black: shown(100, false) };
        setup.bots = ByColor { white: false, black: true };
    });
    let imported = with(&|setup| setup.imported = Some(Tags::default()));
    let whole = WholeGame { game: game(), records: vec![Arc::clone(&rated)] };
    let single = |record| Row::Record { at, previous: 0, record };
    vec![
        ("started_rated", single(rated)),
        ("started_against_a_bot", single(against_a_bot)),
        ("started_imported", single(imported)),
        ("carried_rated", Row::Carried { at, mark: TurnMark::Since(at), whole }),
    ]
}

/// Rows that version 4 could not write: a game that was imported, with its tags.
pub(super) fn imported_rows() -> Vec<(&'static str, Row)> {
    let tags = [
        ("Event", "F/S Return Match"),
        ("Site", "Belgrade, Serbia JUG"),
        ("Date", "1992.11.04"),
        ("White", "Fischer, Robert J."),
        ("Black", "\u{421}\u{43f}\u{430}\u{441}\u{441}\u{43a}\u{438}\u{439}"),
    ];
    let mut start = started().swap_remove(0).1;
    if let Event::Started(setup) = &mut start {
        setup.players = ByColor::both(0);
        setup.imported = Some(Tags::of(tags));
    }
    let moved = Event::MovePlayed { mv: mv("e2e4"), charge: charge(Color::White) };
    let untimed = Event::MovePlayed { mv: mv("e7e5"), charge: None };
    let ended = Event::Ended { outcome: Outcome::draw(Reason::Agreement), charge: None };
    let records = vec![Arc::new(bare(1, vec![start, moved, untimed, ended]))];
    vec![("archived_imported", Row::Archived(WholeGame { game: game(), records }))]
}

/// Rows that version 5 could not write: claims of a game.
pub(super) fn claim_rows() -> Vec<(&'static str, Row)> {
    let (at, game, spent) = (StoreInstant(1_234_567_890), game(), Micros(9_000_001));
    let claim = |node, mark| Row::Claim { at, game, node, mark };
    vec![
        ("claim_stands", claim(3, TurnMark::Stands { spent })),
        ("claim_runs", claim(u32::MAX, TurnMark::Runs { at, spent })),
    ]
}

/// A game with every way to say a record in a list: ids that count on or do not, charges as expected
/// and with each surprise, one move and more.
fn listed_game() -> Vec<Arc<Record>> {
    let start = bare(1, vec![started().swap_remove(0).1]);
    let players = [0x0193_5d2e_7f6b_7c3a_9a40_5b8c_6d7e_8f90, 7].map(AccountId::from_u128);
    let mut records = vec![start];
    let ids = ["w-1", "b-09", "w-2", "b-9", "w-4", "b-8", "w-5", "b-9", "w-6", "b-10"];
    let mut clocks = ByColor::both(Micros::from_secs(180));
    let mut at = GameInstant(1_000);
    for (seq, id) in (2..).zip(ids) {
        let seat = if seq % 2 == 0 { Color::White } else { Color::Black };
        let took = Micros(1_500_000 + u64::from(seq) * 12_345);
        let credit = Micros(if seq == 7 { 80_000 } else { 60_000 });
        clocks[seat] = Micros(clocks[seat].0 + 2_000_000 + credit.0 - took.0);
        clocks.white.0 -= if seq == 9 { 1_000_000 } else { 0 };
        let bank = Micros(if seq == 8 { 2_000_000 } else { 3_000_000 - 20_000 * u64::from(seq / 2) });
        at = at + took + Micros(700);
        let charge = Some(Charge { seat, took, credit, remaining: clocks, bank });
        let moved = Event::MovePlayed { mv: mv("g1f3"), charge };
        let offered = Event::DrawOffered { by: seat };
        let events = if seq == 11 { vec![moved, offered] } else { vec![moved] };
        let account = Some(players[seat.index()]);
        records.push(Record { at, account, command: id.parse().ok(), ..record(seq, events) });
    }
    records.into_iter().map(Arc::new).collect()
}

/// Every row by its name.
pub(super) fn rows() -> Vec<(&'static str, Row)> {
    let at = StoreInstant(1_234_567_890);
    let single = |record| Row::Record { at, previous: 4_711, record: Arc::new(record) };
    let mut rows: Vec<(&'static str, Row)> = Vec::new();
    rows.extend(started().into_iter().map(|(name, event)| {
        (name, Row::Record { at, previous: 0, record: Arc::new(bare(1, vec![event])) })
    }));
    rows.extend(others().into_iter().map(|(name, event)| (name, single(record(300, vec![event])))));
    rows.push(("several_events", single(bare(2, ends()))));
    let (game, whole) = (game(), WholeGame { game: game(), records: whole_game() });
    let spent = Micros(9_000_001);
    rows.push(("carried_since", Row::Carried { at, mark: TurnMark::Since(at), whole: whole.clone() }));
    rows.push((
        "carried_runs",
        Row::Carried { at, mark: TurnMark::Runs { at, spent }, whole: whole.clone() },
    ));
    rows.push((
        "carried_stands",
        Row::Carried { at, mark: TurnMark::Stands { spent }, whole: whole.clone() },
    ));
    rows.push(("heartbeat", Row::Heartbeat(at)));
    rows.push(("turn", Row::Turn { at, game, mark: TurnMark::Runs { at, spent } }));
    rows.push(("archived", Row::Archived(whole)));
    rows
}
