//! A game that was read from a PGN, as the archive keeps it: an id, and one record with all of its events.
//!
//! The id is a hash of who played, when, from where and which moves, so that the same game gets the same id whenever it is
//! imported. Event, site, clocks and result do not count: files spell them differently.
//!
//! Tags are kept unless the game says the same without them, so that PGN made of the game has every tag that was read.
//!
//! A clock that a comment states is what the mover had after the move. What the move took follows from the mover's clock
//! before; it is nothing where a clock has more than that. Where a file states clocks and no time control that can be
//! read, the game has one that begins with the highest clock.
//!
//! Deliberately absent: how PGN is read (`rules::notation::pgn`).

use std::iter::once;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use zeitnot_protocol::{GameId, TimeControl as WireTimeControl};
use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::{
    Bonus, Charge, Event, Game, GameInstant, GameSetup, Micros, Period, Profile, ShownRating, StartError,
    Tags, TimeControl, Variant,
};
use zeitnot_rules::notation::fen;
use zeitnot_rules::notation::pgn::{ImportedGame, PgnProblem, ending_tags, time_control_tags};
use zeitnot_rules::verdict::{Outcome, Reason, Score};

use crate::storage::Record;
use crate::storage::encoding::WholeGame;
use crate::time::unix_ms;

/// The most half-moves: more than a game can have before 75 moves without a capture or a pawn's move end it.
const PLIES_MAX: usize = 20_000;

/// Why a game is not imported.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum BadGame {
    /// It cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnProblem),
    /// It is not over, or nobody knows how it ended.
    #[error("it has no result")]
    NoResult,
    /// No game begins like this.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It has too many moves.
    #[error("it has more than {PLIES_MAX} half-moves")]
    Plies,
    /// Its text is too long.
    #[error("it is longer than {} bytes", super::texts::TEXT_BYTES_MAX)]
    Bytes,
}

/// The tags that come first, whatever their order in the file: those by which a game is known.
const FIRST: [&str; 8] = ["Event", "Site", "Date", "Round", "White", "Black", "UTCDate", "UTCTime"];

/// The tags that make the id.
const OF_ID: [&str; 6] = ["White", "Black", "Date", "Round", "UTCDate", "UTCTime"];

/// The tags of which nothing is kept: the game says the same, or they are about the server that wrote them.
const NOT_KEPT: [&str; 6] = ["Result", "Variant", "SetUp", "FEN", "GameId", "Profile"];

/// The game as the archive has it.
pub(crate) fn whole(mut read: ImportedGame) -> Result<WholeGame, BadGame> {
    if read.moves.len() > PLIES_MAX {
        return Err(BadGame::Plies);
    }
    read.tags.iter_mut().for_each(|(_, value)| *value = Tags::cleaned(value));
    read.clocks.iter_mut().for_each(|clock| *clock = clock.filter(|clock| *clock <= TimeControl::CLOCK_MAX));
    let read = &read;
    let (time_control, is_stated) = time_control(read);
    let profile = Profile::fide_board();
    let mut setup = GameSetup {
        variant: read.variant,
        start: read.start.clone(),
        ratings: ByColor { white: rating(read, "WhiteElo"), black: rating(read, "BlackElo") },
        bots: ByColor { white: is_program(read, "WhiteType"), black: is_program(read, "BlackType") },
        ..GameSetup::casual(ByColor::both(0), time_control, profile, began_unix_ms(read))
    };
    let mut events = Game::start(&setup)?;
    let mut game = Game::from_started(&events[0]);
    let mut clocks = Clocks::of(&setup.time_control);
    for (&mv, &clock) in read.moves.iter().zip(&read.clocks) {
        let charge = clocks.charge(game.turn(), clock);
        let played = Event::MovePlayed { mv, charge };
        game.evolve(&played);
        events.push(played);
    }
    let outcome = read.outcome(game.position(), game.occurrences());
    if !has_ended(read, &outcome) {
        return Err(BadGame::NoResult);
    }
    let at = clocks.at;
    let tags = tags(read, &setup, &outcome, is_stated);
    let game = id(&tags, read);
    setup.imported = Some(tags);
    events[0] = Event::Started(Box::new(setup));
    events.push(Event::Ended { outcome, charge: None });
    let record = Record { game, first_seq: 1, at, account: None, command: None, events };
    Ok(WholeGame { game, records: vec![Arc::new(record)] })
}

/// Whether the game is over. Without a result it is when the PGN gives a reason for that, as ours do.
fn has_ended(read: &ImportedGame, outcome: &Outcome) -> bool {
    let is_without = matches!(
        outcome.reason,
        Reason::Aborted | Reason::FirstMoveLimit | Reason::BothAway | Reason::Arbiter
    );
    outcome.score != Score::NoResult || is_without && read.tag("Reason").is_some()
}

/// The time control, and whether the PGN states it.
fn time_control(read: &ImportedGame) -> (TimeControl, bool) {
    let stated = read.time_control().ok().filter(|control| WireTimeControl::try_from(control).is_ok());
    let highest = read.clocks.iter().flatten().max();
    match (stated, highest) {
        (Some(TimeControl::Unlimited) | None, Some(highest)) => {
            let base = Micros::from_secs(highest.0.div_ceil(1_000_000).max(1)).min(TimeControl::BASE_MAX);
            (TimeControl::fischer(base, Micros::ZERO), false)
        }
        (Some(TimeControl::Unlimited), None) => {
            (TimeControl::Unlimited, read.tag("TimeControl").is_some_and(|text| text == "-"))
        }
        (Some(stated), _) => (stated, true),
        (None, None) => (TimeControl::Unlimited, false),
    }
}

fn rating(read: &ImportedGame, name: &str) -> Option<ShownRating> {
    let rating = read.tag(name)?.parse().ok().filter(|rating| *rating > 0)?;
    Some(ShownRating { rating, provisional: false })
}

fn is_program(read: &ImportedGame, name: &str) -> bool {
    read.tag(name) == Some("program")
}

/// When the game began, as far as the PGN says it; else 0.
fn began_unix_ms(read: &ImportedGame) -> u64 {
    let day = |name| read.tag(name).map(|date| date.replace('.', "-"));
    let instant = || unix_ms(&format!("{}T{}Z", day("UTCDate")?, read.tag("UTCTime")?));
    let midnight = |name| unix_ms(&day(name)?);
    instant().or_else(|| midnight("UTCDate")).or_else(|| midnight("Date")).unwrap_or_default()
}

/// The tags that the game does not say without them.
fn tags(read: &ImportedGame, setup: &GameSetup, outcome: &Outcome, is_control_stated: bool) -> Tags {
    let mut made = time_control_tags(&setup.time_control);
    made.extend(ending_tags(Some(outcome)));
    for (seat, elo, kind) in
        [(Color::White, "WhiteElo", "WhiteType"), (Color::Black, "BlackElo", "BlackType")]
    {
        made.extend(setup.ratings[seat].map(|shown| (elo, shown.rating.to_string())));
        made.extend(setup.bots[seat].then(|| (kind, "program".to_owned())));
    }
    let is_wanted = |(name, value): &(&str, &str)| {
        let is_unknown = value.chars().all(|letter| matches!(letter, '?' | '.' | ' '));
        let is_made = made.iter().any(|(known, made)| known == name && made == value);
        !is_unknown && !is_made && !NOT_KEPT.contains(name)
    };
    let first = FIRST.iter().filter_map(|name| Some((*name, read.tag(name)?)));
    let all = first.chain(read.tags.iter().map(|(name, value)| (&**name, &**value))).filter(is_wanted);
    // What is not stated is not known: without this the game would state it.
    let control = once(("TimeControl", "?")).filter(|_| !is_control_stated);
    let stated = all.clone().filter(|(name, _)| *name == "TimeControl");
    Tags::of(stated.chain(control).chain(all))
}

fn id(tags: &Tags, read: &ImportedGame) -> GameId {
    let mut hash = Sha256::new();
    let mut add = |text: &[u8]| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(b"zeitnot import 1");
    OF_ID.iter().for_each(|name| add(tags.get(name).unwrap_or_default().as_bytes()));
    add(&[u8::from(read.variant == Variant::Chess960)]);
    add(fen::write(&read.start).as_bytes());
    let packed = |mv: &Move| {
        let promotion = mv.promotion.map_or(0, |role| role.index() as u8 + 1);
        [mv.from.index() as u8, mv.to.index() as u8, promotion]
    };
    add(&read.moves.iter().flat_map(packed).collect::<Vec<_>>());
    let digest: [u8; 32] = hash.finalize().into();
    let (number, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    GameId::from_random(u128::from_be_bytes(*number))
}

/// Both clocks as the comments state them.
struct Clocks<'a> {
    control: &'a TimeControl,
    remaining: ByColor<Micros>,
    moves: ByColor<u32>,
    /// When the last move was made, as far as is known.
    at: GameInstant,
}

impl<'a> Clocks<'a> {
    fn of(control: &'a TimeControl) -> Self {
        let remaining = match control {
            TimeControl::Unlimited => ByColor::default(),
            TimeControl::DaysPerMove { days } => {
                ByColor::both(Micros::from_secs(u64::from(*days) * 24 * 3600))
            }
            TimeControl::Clock(sides) => ByColor::from_fn(|seat| sides[seat][0].base),
        };
        Self { control, remaining, moves: ByColor::default(), at: GameInstant::START }
    }

    /// What the next move of this side cost; `None` where its clock is not known.
    fn charge(&mut self, seat: Color, clock: Option<Micros>) -> Option<Charge> {
        self.moves[seat] += 1;
        let clock = clock?;
        let before = match self.control {
            TimeControl::Unlimited => return None,
            TimeControl::DaysPerMove { days } => Micros::from_secs(u64::from(*days) * 24 * 3600),
            TimeControl::Clock(sides) => self.remaining[seat] + increment(&sides[seat], self.moves[seat]),
        };
        self.remaining[seat] = clock;
        let took = before.saturating_sub(clock);
        self.at = self.at + took;
        Some(Charge { seat, took, credit: Micros::ZERO, remaining: self.remaining, bank: Micros::ZERO })
    }
}

/// What the `number`-th move of a side gives.
fn increment(periods: &[Period], number: u32) -> Micros {
    let mut last = 0;
    let is_in = |period: &&Period| {
        last += period.moves.map_or(u32::MAX / 16, u32::from);
        number <= last
    };
    match periods.iter().find(is_in).or(periods.last()).map(|period| period.bonus) {
        Some(Bonus::Increment(amount)) => amount,
        _ => Micros::ZERO,
    }
}
