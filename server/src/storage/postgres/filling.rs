//! Fills an empty database with what a data folder has, in one transaction: all of it is there in the end, or nothing.
//!
//! A server that starts meanwhile waits for the end. It finds a database from which one process, which is dead, has served
//! until the instant at which the folder was left.
//!
//! Deliberately absent: the folder, and what of it goes into which table (`upkeep`).

use std::pin::pin;

use tokio::runtime::{Builder, Runtime};
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use uuid::Uuid;
use zeitnot_protocol::AccountId;

use super::connection::{ClusterUrl, Database, Link};
use super::fatal::Halt;
use super::open::{OpenError, checks};
use super::search::{PUT_PLAYERS, PUT_POSITIONS, player_rows, position_rows};
use super::{schema, segments};
use crate::storage::encoding::{FORMAT, WholeGame, result_tags};
use crate::storage::{Correction, EndedGame, GameFacts, StoreInstant};

/// The segment of all live games.
pub(crate) const SEGMENT: i32 = 1;

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// An account, of 16 bytes.
    Account,
    /// Whether something is so: 0 or 1.
    Bool,
    /// A number of 16 bits.
    Small,
    /// A number of 32 bits.
    Int,
    /// A number of 64 bits.
    Number,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
}

/// A value for a column.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Cell {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A value as PostgreSQL gets it.
type Value = Box<dyn ToSql + Sync + Send>;

impl Form {
    const fn column(self) -> Type {
        match self {
            Self::Account => Type::UUID,
            Self::Bool => Type::BOOL,
            Self::Small => Type::INT2,
            Self::Int => Type::INT4,
            Self::Number => Type::INT8,
            Self::Text => Type::TEXT,
            Self::Bytes => Type::BYTEA,
        }
    }

    /// `None` when a column of this form cannot hold the value.
    fn value(self, cell: Cell) -> Option<Value> {
        Some(match (self, cell) {
            // Whatever its type: nothing.
            (Self::Account, Cell::Null) => Box::new(None::<Uuid>),
            (Self::Bool, Cell::Null) => Box::new(None::<bool>),
            (Self::Small, Cell::Null) => Box::new(None::<i16>),
            (Self::Int, Cell::Null) => Box::new(None::<i32>),
            (Self::Number, Cell::Null) => Box::new(None::<i64>),
            (Self::Text, Cell::Null) => Box::new(None::<String>),
            (Self::Bytes, Cell::Null) => Box::new(None::<Vec<u8>>),
            (Self::Account, Cell::Bytes(bytes)) => Box::new(Uuid::from_slice(&bytes).ok()?),
            (Self::Bool, Cell::Number(number @ (0 | 1))) => Box::new(number == 1),
            (Self::Small, Cell::Number(number)) => Box::new(i16::try_from(number).ok()?),
            (Self::Int, Cell::Number(number)) => Box::new(i32::try_from(number).ok()?),
            (Self::Number, Cell::Number(number)) => Box::new(number),
            (Self::Text, Cell::Text(text)) => Box::new(text),
            (Self::Bytes, Cell::Bytes(bytes)) => Box::new(bytes),
            _ => return None,
        })
    }
}

/// A finished game with its row in the archive.
#[derive(Debug)]
pub(crate) struct Archived {
    /// Its place among the ends.
    pub(crate) id: i64,
    pub(crate) ended_unix_ms: i64,
    pub(crate) whole: WholeGame,
    /// The records as they are kept.
    pub(crate) encoded: Vec<u8>,
    /// The correction of its result that is in force.
    pub(crate) correction: Option<Correction>,
}

/// A database that is being filled. Without [`Filling::finish`] nothing is in it.
pub(crate) struct Filling {
    link: Link,
    runtime: Runtime,
}

impl Filling {
    /// Begins with an empty database, for a folder that was left at `left`, with so much time before it for which nobody was
    /// charged. `boot` is that of the process that stands for those that served from the folder.
    ///
    /// # Errors
    /// See [`OpenError`]; also when a server has served from the database before, or it was filled.
    pub(crate) fn begin(
        url: &ClusterUrl,
        boot: Uuid,
        left: StoreInstant,
        idle_us: u64,
    ) -> Result<Self, OpenError> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(OpenError::Thread)?;
        // What this process says goes to whoever has started it.
        let database = Database::new(url, boot, Halt::with(|_| {}));
        let link = runtime.block_on(async {
            database.look_for_the_primary().await;
            let link = database.connect().await?;
            checks::no_pooler(&database, &link).await?;
            checks::settings(&link).await?;
            schema::migrate(&link).await?;
            // To read and encode what comes next may take longer than a transaction of a server may be idle.
            link.batch_execute("SET idle_in_transaction_session_timeout = 0; BEGIN").await?;
            schema::lock(&link).await?;
            if link.has("SELECT 1 FROM nodes", &[]).await? {
                return Err(OpenError::NotEmpty);
            }
            let [left_us, idle_us] = [left.0, idle_us].map(|us| i64::try_from(us).unwrap_or(i64::MAX));
            let sql = "INSERT INTO nodes (boot, version, format, start_us, idle_us, dead) \
                       VALUES ($1, $2, $3, $4, $5, true)";
            let version = env!("CARGO_PKG_VERSION");
            link.run(sql, &[&boot, &version, &i32::from(FORMAT), &left_us, &idle_us]).await?;
            segments::create(&link, SEGMENT, left).await?;
            Ok(link)
        })?;
        Ok(Self { link, runtime })
    }

    /// Copies rows into these columns of a table; how many.
    ///
    /// # Errors
    /// When a row cannot be read, does not fit, or PostgreSQL rejects it.
    pub(crate) fn copy<E>(
        &mut self,
        table: &str,
        columns: &[(&str, Form)],
        rows: impl Iterator<Item = Result<Vec<Cell>, E>>,
    ) -> Result<u64, E>
    where
        E: From<OpenError>,
    {
        let failed = |error: tokio_postgres::Error| E::from(error.into());
        let names = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        let types: Vec<Type> = columns.iter().map(|(_, form)| form.column()).collect();
        let sql = format!("COPY {table} ({names}) FROM STDIN BINARY");
        self.runtime.block_on(async {
            let sink = self.link.copy_in(&sql).await.map_err(failed)?;
            let mut writer = pin!(BinaryCopyInWriter::new(sink, &types));
            for row in rows {
                let row = row?;
                let values = columns.iter().zip(row).map(|((_, form), cell)| form.value(cell));
                let values: Option<Vec<Value>> = values.collect();
                let misfit = || OpenError::Failed(format!("a row of {table} has values that it cannot have"));
                let values = values.filter(|values| values.len() == columns.len()).ok_or_else(misfit)?;
                let values: Vec<&(dyn ToSql + Sync)> =
                    values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
                writer.as_mut().write(&values).await.map_err(failed)?;
            }
            writer.finish().await.map_err(failed)
        })
    }

    /// Writes finished games, with all that they are found by.
    ///
    /// # Errors
    /// When one has no beginning or no end, or PostgreSQL rejects one.
    pub(crate) fn archive(&mut self, games: Vec<Archived>) -> Result<(), OpenError> {
        let mut rows = Rows::default();
        for game in games {
            rows.add(game)?;
        }
        self.runtime.block_on(rows.put(&self.link))
    }

    /// Makes all of it durable.
    ///
    /// # Errors
    /// When PostgreSQL does not confirm it. Then it is unknown whether anything is there.
    pub(crate) fn finish(self) -> Result<(), OpenError> {
        let Self { link, runtime } = self;
        runtime.block_on(async {
            for table in ["archive", "corrections", "audit", "reports", "challenges", "set_aside"] {
                let sql = format!(
                    "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table} HAVING max(id) > 0"
                );
                link.batch_execute(&sql).await?;
            }
            // Whoever starts reads all that is there.
            link.batch_execute("TRUNCATE changes").await?;
            let heard = link.warnings();
            link.batch_execute("COMMIT").await?;
            if link.warnings() == heard {
                Ok(())
            } else {
                Err(OpenError::Failed("it is unknown whether a standby has what was written".to_owned()))
            }
        })
    }
}

/// Finished games, column by column.
#[derive(Default)]
struct Rows {
    ids: Vec<i64>,
    games: Vec<String>,
    ended: Vec<i64>,
    white: Vec<Uuid>,
    black: Vec<Uuid>,
    scores: Vec<i16>,
    reasons: Vec<i16>,
    facets: Vec<i16>,
    records: Vec<Vec<u8>>,
    players: Vec<super::search::PlayerRow>,
    positions: Vec<super::search::PositionRow>,
}

impl Rows {
    fn add(&mut self, archived: Archived) -> Result<(), OpenError> {
        let Archived { id, ended_unix_ms, whole: WholeGame { game, records }, encoded, correction } =
            archived;
        let bad = || OpenError::Failed(format!("the game {game} has no beginning or no end"));
        let ended = EndedGame::of(&records, correction).ok_or_else(bad)?;
        let facts = GameFacts::of_ended(&ended);
        let (score, reason) = result_tags(ended.played);
        let players = ended.setup.players.map(AccountId::from_u128).map(super::accounts::key);
        self.ids.push(id);
        self.games.push(game.to_string());
        self.ended.push(ended_unix_ms);
        self.white.push(players.white);
        self.black.push(players.black);
        self.scores.push(score.into());
        self.reasons.push(reason.into());
        self.facets.push(i16::try_from(facts.facet.0).map_err(|_| bad())?);
        self.players.extend(player_rows(game, &facts));
        self.positions.extend(position_rows(game, &facts));
        self.records.push(encoded);
        Ok(())
    }

    async fn put(&self, link: &Link) -> Result<(), OpenError> {
        let sql = format!(
            "WITH done AS (INSERT INTO archive (id, game, ended_unix_ms, white, black, score, reason, facet, records) \
              OVERRIDING SYSTEM VALUE SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], \
               $5::uuid[], $6::smallint[], $7::smallint[], $8::smallint[], $9::bytea[]) RETURNING id, game), \
             by_player AS ({}), by_position AS ({}) SELECT",
            PUT_PLAYERS.replace("$ROWS", "$10"),
            PUT_POSITIONS.replace("$ROWS", "$11")
        );
        let failed = |error: serde_json::Error| OpenError::Failed(error.to_string());
        let players = serde_json::to_value(&self.players).map_err(failed)?;
        let positions = serde_json::to_value(&self.positions).map_err(failed)?;
        let Self { ids, games, ended, white, black, scores, reasons, facets, records, .. } = self;
        link.execute(
            &sql,
            &[ids, games, ended, white, black, scores, reasons, facets, records, &players, &positions],
        )
        .await?;
        Ok(())
    }
}
