//! The check of games at rest.

use std::collections::HashSet;

use rusqlite::Row as SqlRow;
use zeitnot_protocol::GameId;
use zeitnot_rules::game::Event;

use super::check::Checked;
use super::games::{game_of, shown};
use super::rows::{Table, each};
use crate::storage::Rebuild;
use crate::storage::encoding::{self, Row, WholeGame};

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
        let WholeGame { game, records } = match encoding::decode(&self.record) {
            Ok(Row::Resting { whole, .. }) => whole,
            Ok(_) => return Some("is no game at rest".to_owned()),
            Err(error) => return Some(format!("cannot be decoded: {error}")),
        };
        if game.as_bytes()[..] != self.game[..] {
            return Some("has the records of another one".to_owned());
        }
        let replayed = rebuild.all(game, &records);
        rebuild.forget(game);
        if let Err(why) = replayed {
            return Some(format!("cannot be replayed: {why}"));
        }
        let first = records.first().and_then(|record| record.events.first());
        let Some(Event::Started(setup)) = first else { return Some("has no beginning".to_owned()) };
        let players = setup.players.map(u128::to_be_bytes);
        let is_same = players.white[..] == self.players[0][..] && players.black[..] == self.players[1][..];
        (!is_same).then(|| "is listed with other players".to_owned())
    }
}

/// The games at rest, damaged or not.
pub(super) fn all(at: &Checked<'_>) -> HashSet<GameId> {
    let mut games = HashSet::new();
    if at.has_rest() {
        let table = Table { name: "resting", columns: "id, game", key: "id" };
        // What cannot be read is told of by the check of these games.
        drop(each(at.source, table, &mut |row| {
            games.extend(row.get::<_, Vec<u8>>(1).ok().and_then(|game| game_of(&game)));
        }));
    }
    games
}

/// Checks all games at rest. What is in order is saved; what is not, as rows that are set aside.
pub(super) fn check(at: &mut Checked<'_>, rebuild: &mut dyn Rebuild) {
    if !at.has_rest() {
        return;
    }
    let columns = "id, game, white, black, due, record, sum, sum = row_sum(game, white, black, due)";
    let (source, mut sound) = (at.source, 0_u64);
    let error = each(source, Table { name: "resting", columns, key: "id" }, &mut |row| {
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
}
