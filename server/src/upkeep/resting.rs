//! The check of games at rest.

use std::collections::HashSet;

use rusqlite::Row as SqlRow;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Event;

use super::check::Checked;
use super::games::{are_players, fault_of, shown};
use super::rows::{Table, each};
use crate::storage::Rebuild;
use crate::storage::encoding::{self, Row};
use crate::storage::sqlite::game_of;

/// A row of the table.
struct Resting {
    id: i64,
    game: Vec<u8>,
    players: [Vec<u8>; 2],
    due: i64,
    record: Vec<u8>,
    sum: i64,
    is_sound: bool,
}

impl Resting {
    fn read(row: &SqlRow<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            game: row.get(1)?,
            players: [row.get(2)?, row.get(3)?],
            due: row.get(4)?,
            record: row.get(5)?,
            sum: row.get(6)?,
            is_sound: row.get(7)?,
        })
    }

    fn fault(&self, rebuild: &mut dyn Rebuild) -> Option<String> {
        if !self.is_sound {
            return Some("is not as it was written".to_owned());
        }
        let whole = match encoding::decode(&self.record) {
            Ok(Row::Resting { whole, .. }) => whole,
            Ok(_) => return Some("is no game at rest".to_owned()),
            Err(error) => return Some(format!("cannot be decoded: {error}")),
        };
        if let Some(why) = fault_of(&whole, &self.game, rebuild) {
            return Some(why);
        }
        let first = whole.records.first().and_then(|record| record.events.first());
        let Some(Event::Started(setup)) = first else { return Some("has no beginning".to_owned()) };
        (!are_players(setup, &self.players)).then(|| "is listed with other players".to_owned())
    }
}

/// Checks all games at rest. What is in order is saved; what is not, as rows that are set aside. The answer is all of
/// them, damaged or not.
pub(super) fn check(at: &mut Checked<'_>, rebuild: &mut dyn Rebuild) -> HashSet<GameId> {
    let mut games = HashSet::new();
    if !at.has_rest() {
        return games;
    }
    let columns = "id, game, white, black, due, record, sum, sum = row_sum(game, white, black, due)";
    let (source, mut sound) = (at.source, 0_u64);
    let error = each(source, Table { name: "resting", columns, key: "id" }, &mut |row| {
        games.extend(row.get::<_, Vec<u8>>(1).ok().and_then(|game| game_of(&game)));
        let Ok(resting) = Resting::read(row) else {
            return at.report.damaged("games at rest", "a row cannot be read".to_owned());
        };
        match resting.fault(rebuild) {
            Some(why) => {
                at.report.damaged("games at rest", format!("{} {why}", shown(&resting.game)));
                let sql = "INSERT INTO set_aside (game, seq, record) VALUES (?1, 0, ?2)";
                at.save(sql, &[&resting.game, &resting.record]);
            }
            None => {
                sound += 1;
                let Resting { id, game, players, due, record, sum, .. } = &resting;
                let sql = "INSERT INTO resting VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                at.save(sql, &[id, game, &players[0], &players[1], due, record, sum]);
            }
        }
    });
    at.unreadable("the games at rest", error);
    at.report.in_order(format!("games at rest: {sound}"));
    games
}
