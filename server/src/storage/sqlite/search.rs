//! Searching the archive by its indexes, whatever is looked for.
//!
//! Each condition that an index knows is a [`Source`]: the rows of one player, of one position, or of one kind of game,
//! the last game first. The games that fit are those that all sources have. Each source in turn is asked for its next
//! game at or below the last one that another source named, so that the shortest of them decides what is read. Kinds of
//! games are compared in the rows of any source; only a search for few kinds reads these kinds' own rows, too.
//!
//! Deliberately absent: the rows themselves (`search_index`).
//!
//! Invariant: one search looks at no more than [`PAGE_ROWS_MAX`] rows of indexes, and a count at [`COUNT_ROWS_MAX`]. What
//! it could not finish goes on from the cursor of its page.

use std::collections::VecDeque;

use rusqlite::{CachedStatement, Connection, params};
use zeitnot_rules::board::Color;

use super::search_index;
use crate::storage::facts::{BOTH_SEATS, Facet, FacetMask, PositionKey, seat_bit};
use crate::storage::search::COUNTED_MAX;
use crate::storage::{Counts, ReadError, Search};

/// Rows of indexes that a page may take, some ten milliseconds of work.
const PAGE_ROWS_MAX: u32 = 50_000;
/// Rows of indexes that a count may take.
const COUNT_ROWS_MAX: u32 = 200_000;

/// Rows that a source reads at once, at first and at most: more while they are all wanted.
const BLOCK_MIN: usize = 16;
const BLOCK_MAX: usize = 512;

/// Kinds of games are a source of their own when at most one game in so many is of one of them.
const FEW: u64 = 8;

/// The rows of a player, of a position, of a kind: id, kind, and of a player's rows seats and opponent.
pub(super) const BY_PLAYER: &str = "SELECT id, facet, seats, opponent FROM games_by_player \
     WHERE player = ?1 AND id <= ?2 AND id > ?3 ORDER BY id DESC LIMIT ?4";
pub(super) const BY_POSITION: &str = "SELECT id, facet, 0, 0 FROM games_by_position \
     WHERE position = ?1 AND id <= ?2 AND id > ?3 ORDER BY id DESC LIMIT ?4";
pub(super) const BY_FACET: &str = "SELECT id, facet, 0, 0 FROM games_by_facet \
     WHERE facet = ?1 AND id <= ?2 AND id > ?3 ORDER BY id DESC LIMIT ?4";

/// The games that were found, by their rows in the archive.
#[derive(Debug, Default)]
pub(super) struct FoundRows {
    pub(super) ids: Vec<i64>,
    /// The search goes on below this one; `None` at the end.
    pub(super) next: Option<i64>,
    pub(super) is_indexing: bool,
}

/// A page of at most `most` games below the row `before`.
pub(super) fn page(
    connection: &Connection,
    search: &Search,
    before: Option<u64>,
    most: usize,
) -> Result<FoundRows, ReadError> {
    let before = before.and_then(|place| i64::try_from(place).ok()).unwrap_or(i64::MAX);
    let mut found = FoundRows::default();
    let mut walk = Walk::begin(connection, search, before, PAGE_ROWS_MAX)?;
    found.is_indexing = walk.is_indexing;
    loop {
        match walk.next()? {
            Next::Game(id, _) if found.ids.len() < most => found.ids.push(id),
            Next::Game(id, _) | Next::GoOnBelow(id) => {
                found.next = Some(id + 1);
                return Ok(found);
            }
            Next::End => return Ok(found),
        }
    }
}

/// How many games fit.
pub(super) fn count(connection: &Connection, search: &Search) -> Result<Counts, ReadError> {
    let mut counts = Counts::default();
    let is_of_kinds = Search { kind: search.kind, ..Search::default() } == *search;
    if is_of_kinds {
        let mask = search.kind.mask();
        for (facet, games) in facets(connection)?.into_iter().filter(|(facet, _)| mask.takes(*facet)) {
            counts.add(facet, games);
        }
        counts.are_more = counts.total() > COUNTED_MAX;
        counts.is_indexing = search_index::unindexed(connection)? > 0;
        return Ok(counts);
    }
    let mut walk = Walk::begin(connection, search, i64::MAX, COUNT_ROWS_MAX)?;
    counts.is_indexing = walk.is_indexing;
    loop {
        match walk.next()? {
            Next::Game(..) if counts.total() >= COUNTED_MAX => counts.are_more = true,
            Next::Game(_, facet) => {
                counts.add(facet, 1);
                continue;
            }
            Next::GoOnBelow(_) => counts.are_more = true,
            Next::End => {}
        }
        return Ok(counts);
    }
}

/// The kinds of games that there are, with how many of each.
fn facets(connection: &Connection) -> Result<Vec<(Facet, u64)>, ReadError> {
    let sql = "SELECT facet, games, sum = row_sum(facet, games) FROM facets";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([], |row| Ok((Facet(row.get(0)?), row.get(1)?, row.get(2)?)))?;
    rows.map(|row| match row? {
        (facet, games, true) => Ok((facet, games)),
        (facet, _, false) => Err(ReadError::Damaged(format!(
            "the count of games of the kind {} is not as it was written",
            facet.0
        ))),
    })
    .collect()
}

/// The rows of the archive that a search is about: those above the first, up to the second.
fn range(connection: &Connection, search: &Search, before: i64) -> rusqlite::Result<(i64, i64)> {
    let above = search.since_unix_ms.map(|since| last_before(connection, since)).transpose()?.unwrap_or(0);
    let until = search.until_unix_ms.map(|until| last_before(connection, until)).transpose()?;
    Ok((above, until.unwrap_or(i64::MAX).min(before.saturating_sub(1))))
}

/// The last game that ended before an instant. Rows are in the order of the ends, so this looks at as many as the
/// number of games has digits in base two.
pub(crate) fn last_before(connection: &Connection, unix_ms: u64) -> rusqlite::Result<i64> {
    let unix_ms = i64::try_from(unix_ms).unwrap_or(i64::MAX);
    let mut at_or_after = connection
        .prepare_cached("SELECT id, ended_unix_ms FROM archive WHERE id >= ?1 ORDER BY id LIMIT 1")?;
    let last: i64 = connection
        .prepare_cached("SELECT coalesce(max(id), 0) FROM archive")?
        .query_row([], |row| row.get(0))?;
    // All games up to `low` ended before; none above `high` did.
    let (mut low, mut high) = (0, last);
    while low < high {
        let middle = low + (high - low) / 2 + 1;
        let (id, ended): (i64, i64) =
            at_or_after.query_row([middle], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if ended < unix_ms { low = id } else { high = middle - 1 }
    }
    Ok(low)
}

/// What a search comes to next.
enum Next {
    /// A game that fits.
    Game(i64, Facet),
    /// It has looked at as many rows as it may, and at no game up to this one.
    GoOnBelow(i64),
    /// There are no more.
    End,
}

/// A search under way.
struct Walk<'a> {
    streams: Vec<Stream<'a>>,
    mask: FacetMask,
    /// The last row that may fit.
    at: i64,
    rows_left: u32,
    is_indexing: bool,
}

impl<'a> Walk<'a> {
    fn begin(
        connection: &'a Connection,
        search: &Search,
        before: i64,
        rows_left: u32,
    ) -> Result<Self, ReadError> {
        let (above, at) = range(connection, search, before)?;
        let unindexed = search_index::unindexed(connection)?;
        let is_indexing = unindexed > above;
        let above = above.max(unindexed);
        let mut streams = players(connection, search, above)?;
        if !search.positions.is_empty() {
            let source = |key: &PositionKey| Source::new(connection, BY_POSITION, key.0, above);
            streams.push(Stream(search.positions.iter().map(source).collect()));
        }
        let mask = search.kind.mask();
        if streams.is_empty() || !mask.takes_all() {
            let all = facets(connection)?;
            let games = |facets: &[(Facet, u64)]| facets.iter().map(|(_, games)| games).sum::<u64>();
            let wanted: Vec<_> = all.iter().copied().filter(|(facet, _)| mask.takes(*facet)).collect();
            if streams.is_empty() || games(&wanted) <= games(&all) / FEW {
                let source =
                    |(facet, _): &(Facet, _)| Source::new(connection, BY_FACET, facet.0.into(), above);
                streams.push(Stream(wanted.iter().map(source).collect()));
            }
        }
        Ok(Self { streams, mask, at, rows_left, is_indexing })
    }

    /// The next game that fits.
    fn next(&mut self) -> Result<Next, ReadError> {
        let mut agreed = 0;
        let mut facet = Facet(0);
        // Until all streams in a row have the same game.
        for index in (0..self.streams.len()).cycle() {
            match self.streams[index].at_or_below(self.at, self.mask, &mut self.rows_left)? {
                Step::End => return Ok(Next::End),
                Step::OutOfRows(below) => {
                    self.at = below;
                    return Ok(Next::GoOnBelow(below));
                }
                Step::Game(id, found) => {
                    agreed = if id == self.at { agreed + 1 } else { 1 };
                    (self.at, facet) = (id, found);
                }
            }
            if agreed == self.streams.len() {
                break;
            }
        }
        let id = self.at;
        self.at = id - 1;
        Ok(Next::Game(id, facet))
    }
}

/// What a search for players demands: the games of one, and those of the other.
fn players<'a>(connection: &'a Connection, search: &Search, above: i64) -> rusqlite::Result<Vec<Stream<'a>>> {
    let Some(player) = &search.player else { return Ok(Vec::new()) };
    let seat = |seat: Option<Color>| seat.map_or(BOTH_SEATS, seat_bit);
    let source = |player, seats, opponent| {
        Stream(vec![Source { seats, opponent, ..Source::new(connection, BY_PLAYER, player, above) }])
    };
    let nobody = || Ok(vec![Stream(Vec::new())]);
    let Some(player) = search_index::player_number(connection, player)? else { return nobody() };
    let Some(opponent) = &search.opponent else { return Ok(vec![source(player, seat(search.seat), None)]) };
    let Some(opponent) = search_index::player_number(connection, opponent)? else { return nobody() };
    let other_seat = search.seat.map(|seat| !seat);
    Ok(vec![
        source(player, seat(search.seat), Some(opponent)),
        source(opponent, seat(other_seat), Some(player)),
    ])
}

/// What a source has at or below a row.
enum Step {
    Game(i64, Facet),
    /// No more rows may be read: nothing above this one fits.
    OutOfRows(i64),
    End,
}

/// One condition: games that any of these sources has.
struct Stream<'a>(Vec<Source<'a>>);

impl Stream<'_> {
    fn at_or_below(&mut self, at: i64, mask: FacetMask, rows_left: &mut u32) -> Result<Step, ReadError> {
        let mut highest = Step::End;
        // A source that has come to its end is not asked again.
        let mut index = 0;
        while let Some(source) = self.0.get_mut(index) {
            match source.at_or_below(at, mask, rows_left)? {
                Step::End => {
                    self.0.swap_remove(index);
                    continue;
                }
                // Another source may have a game above the row where this one stopped.
                Step::OutOfRows(below) => {
                    return Ok(Step::OutOfRows(if self.0.len() == 1 { below } else { at }));
                }
                Step::Game(id, facet) => {
                    if !matches!(highest, Step::Game(known, _) if known >= id) {
                        highest = Step::Game(id, facet);
                    }
                }
            }
            index += 1;
        }
        Ok(highest)
    }
}

/// The rows of an index with one key, the last game first.
struct Source<'a> {
    connection: &'a Connection,
    sql: &'static str,
    key: i64,
    /// Rows up to this one do not count.
    above: i64,
    /// Of a player: one of these seats.
    seats: i64,
    opponent: Option<i64>,
    /// What was read and not passed.
    rows: VecDeque<IndexRow>,
    /// The last row that was read.
    read: Option<i64>,
    block: usize,
    is_read: bool,
}

/// Id, kind, seats and opponent.
type IndexRow = (i64, Facet, i64, i64);

impl<'a> Source<'a> {
    fn new(connection: &'a Connection, sql: &'static str, key: i64, above: i64) -> Self {
        Self {
            connection,
            sql,
            key,
            above,
            seats: 0,
            opponent: None,
            rows: VecDeque::new(),
            read: None,
            block: BLOCK_MIN,
            is_read: false,
        }
    }

    fn takes(&self, (_, facet, seats, opponent): IndexRow, mask: FacetMask) -> bool {
        mask.takes(facet)
            && (self.seats == 0 || seats & self.seats != 0)
            && self.opponent.is_none_or(|wanted| wanted == opponent)
    }

    /// The highest row at `at` or below that is taken.
    fn at_or_below(&mut self, at: i64, mask: FacetMask, rows_left: &mut u32) -> Result<Step, ReadError> {
        let mut at = at;
        loop {
            while let Some(row) = self.rows.front().copied() {
                if row.0 <= at && self.takes(row, mask) {
                    return Ok(Step::Game(row.0, row.1));
                }
                at = at.min(row.0 - i64::from(row.0 <= at));
                self.rows.pop_front();
            }
            if self.is_read {
                return Ok(Step::End);
            }
            if *rows_left == 0 {
                return Ok(Step::OutOfRows(at));
            }
            self.fill(at, rows_left)?;
        }
    }

    /// Reads the next rows at `at` or below.
    fn fill(&mut self, at: i64, rows_left: &mut u32) -> Result<(), ReadError> {
        let goes_on = self.read.is_some_and(|read| read == at + 1);
        self.block = if goes_on { (self.block * 2).min(BLOCK_MAX) } else { BLOCK_MIN };
        let mut statement: CachedStatement<'_> = self.connection.prepare_cached(self.sql)?;
        let mut found = statement.query(params![self.key, at, self.above, self.block])?;
        while let Some(row) = found.next()? {
            self.rows.push_back((row.get(0)?, Facet(row.get(1)?), row.get(2)?, row.get(3)?));
        }
        self.is_read = self.rows.len() < self.block;
        self.read = self.rows.back().map(|row| row.0);
        *rows_left = rows_left.saturating_sub(self.rows.len().max(1) as u32);
        Ok(())
    }
}
