//! Records to keep, and what collects the records that come back.

use std::collections::BTreeMap;
use std::sync::Arc;

use zeitnot_protocol::{AccountId, EpochId, GameId};
use zeitnot_rules::board::{ByColor, Color, Move};
use zeitnot_rules::game::{Charge, Event, GameInstant, GameSetup, Micros, Profile, Seq, TimeControl};
use zeitnot_rules::verdict::{Outcome, Reason};

use crate::storage::{Rebuild, Record, RestMark};

/// Keeps the records that it is given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Collected(pub(crate) BTreeMap<GameId, Vec<Record>>);

impl Rebuild for Collected {
    fn record(&mut self, record: &Record) -> Result<(), String> {
        self.0.entry(record.game).or_default().push(record.clone());
        Ok(())
    }

    fn all(&mut self, game: GameId, records: &[Arc<Record>]) -> Result<(), String> {
        self.0.insert(game, records.iter().map(|record| Record::clone(record)).collect());
        Ok(())
    }

    fn forget(&mut self, game: GameId) {
        self.0.remove(&game);
    }
}

/// A game that came to rest 10 minutes after its players left, with its next deadline an hour after
/// that.
pub(crate) fn rest_mark() -> RestMark {
    let left_at = GameInstant(5_000_000);
    RestMark {
        at: left_at + Micros::from_secs(600),
        took: Micros::from_secs(601),
        away_since: ByColor::both(left_at),
        due: left_at + Micros::from_secs(4_200),
    }
}

pub(crate) fn game(number: u128) -> GameId {
    GameId::from_random(number)
}

pub(crate) fn epoch(number: u128) -> EpochId {
    EpochId::from_random(number)
}

pub(crate) fn started(game: GameId) -> Record {
    let time_control = TimeControl::fischer(Micros::from_secs(180), Micros::from_secs(2));
    let players = ByColor { white: 1, black: 2 };
    let setup = GameSetup::casual(players, time_control, Profile::fide_online(), 1_763_000_000_000);
    let events = vec![Event::Started(Box::new(setup))];
    Record { game, first_seq: 1, at: GameInstant::START, account: None, command: None, events }
}

/// The start of a game that counts for ratings.
pub(crate) fn started_rated(game: GameId) -> Record {
    let mut record = started(game);
    if let Some(Event::Started(setup)) = record.events.first_mut() {
        setup.rated = true;
    }
    record
}

/// A record with a move in it. Not one that the rules would make: here only its bytes count.
pub(crate) fn moved(game: GameId, seq: Seq) -> Record {
    let mv = Move::new("e2".parse().unwrap(), "e4".parse().unwrap());
    let charge = Charge {
        seat: Color::White,
        took: Micros(u64::from(seq) * 1_234),
        credit: Micros::ZERO,
        remaining: ByColor::both(Micros::from_secs(170)),
        bank: Micros(5),
    };
    let (at, account) =
        (GameInstant(u64::from(seq) * 1_000_000), Some(AccountId::from_u128(1 + u128::from(seq % 2))));
    let events = vec![Event::MovePlayed { mv, charge: Some(charge) }];
    Record { game, first_seq: seq, at, account, command: format!("c{seq}").parse().ok(), events }
}

pub(crate) fn ended(game: GameId, seq: Seq) -> Record {
    let outcome = Outcome::win(Color::White, Reason::Arbiter);
    Record { events: vec![Event::Ended { outcome, charge: None }], ..moved(game, seq) }
}
