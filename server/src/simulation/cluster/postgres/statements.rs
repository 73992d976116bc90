//! What each statement of `storage/postgres` does to the tables: which one it is says its text.
//!
//! Deliberately absent: games at rest, ratings, segments, the search, people. A statement that is not known here ends the run.

use bytes::Bytes;
use serde_json::Value as Json;
use tokio_postgres::types::{FromSqlOwned, Type};
use uuid::Uuid;

use super::tables::{Key, Live, Lobby, Node, Value, View, Waits};
use super::wire::{Cell, cell};

/// What a statement is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Statement {
    pub(super) params: &'static [Type],
    pub(super) columns: &'static [Type],
    pub(super) act: Act,
}

/// What it came to.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) rows: Vec<Vec<Cell>>,
    pub(super) changed: usize,
}

type Act = fn(&mut View<'_>, &Params<'_>) -> Result<Answer, Waits>;

/// The parameters of a statement.
pub(super) struct Params<'a> {
    pub(super) types: &'a [Type],
    pub(super) cells: &'a [Cell],
}

impl Params<'_> {
    /// The parameter of this number, from 1.
    fn get<T: FromSqlOwned>(&self, number: usize) -> T {
        let cell = self.cells[number - 1].as_ref().map(Bytes::as_ref);
        T::from_sql_nullable(&self.types[number - 1], cell).expect("the client knows the type")
    }
}

const INTS: Type = Type::INT4_ARRAY;
const TEXTS: Type = Type::TEXT_ARRAY;
const BYTES: Type = Type::BYTEA_ARRAY;

macro_rules! statements {
    ($($start:literal ($($param:expr),*) ($($column:expr),*) $act:expr;)+) => {
        /// The statement with this text.
        pub(super) fn statement(sql: &str) -> Statement {
            $(if sql.starts_with($start) {
                return Statement { params: &[$($param),*], columns: &[$($column),*], act: $act };
            })+
            panic!("a statement that the simulation does not know: {sql}");
        }
    };
}

statements! {
    "INSERT INTO nodes" (Type::UUID, Type::TEXT, Type::INT4, Type::BOOL) (Type::INT4) joins;
    "SELECT node, boot FROM nodes WHERE node <>" (Type::INT4, Type::BOOL) (Type::INT4, Type::UUID) nothing;
    "SELECT greatest(" () (Type::INT8) latest;
    "SELECT FROM nodes WHERE node <>" (Type::INT4) () others;
    "UPDATE nodes SET start_us" (Type::INT4, Type::INT8, Type::INT8) () serves;
    "SELECT sum(idle_us)" () (Type::INT8) idle;
    "UPDATE nodes SET barrier" (Type::UUID) () barrier;
    "UPDATE nodes SET dead = true WHERE node" (Type::INT4, Type::INT8, Type::INT4) () declares_dead;
    "UPDATE nodes SET dead = true WHERE boot" (Type::UUID) () leaves;
    "INSERT INTO journal (segment, game, n, row) SELECT" (INTS, TEXTS, INTS, BYTES) (Type::TEXT) appends;
    "WITH u AS" (INTS, TEXTS, INTS, BYTES, TEXTS, INTS, Type::UUID_ARRAY, Type::UUID_ARRAY, Type::JSONB, BYTES, Type::JSONB,
        Type::JSONB, Type::JSONB, Type::INT4, Type::INT8) (Type::TEXT) appends_whole;
    "SELECT game, row FROM journal" (INTS, TEXTS, INTS) (Type::TEXT, Type::BYTEA) there;
    "SELECT game, n, row FROM journal" (INTS, TEXTS) (Type::TEXT, Type::INT4, Type::BYTEA) rows_of;
    "SELECT game, segment, owner, mark_n, mark FROM live" (INTS, Type::TEXT, Type::INT8)
        (Type::TEXT, Type::INT4, Type::INT4, Type::INT4, Type::BYTEA) free;
    "WITH put AS (INSERT INTO journal" (INTS, TEXTS, INTS, BYTES, Type::INT4) (Type::TEXT) claims;
    "WITH RECURSIVE owners(owner) AS (SELECT min(owner) FROM live WHERE NOT resting AND aside IS NULL UNION ALL SELECT \
     (SELECT min(live.owner) FROM live WHERE live.owner > owners.owner AND NOT resting AND aside IS NULL) FROM owners WHERE \
     owners.owner IS NOT NULL) SELECT node" () (Type::INT4) dead_owners;
    "WITH RECURSIVE owners" (Type::UUID, Type::INT8, Type::BOOL, INTS, Type::INT8)
        (Type::INT4, Type::UUID, Type::INT8, Type::BOOL, Type::BOOL, Type::BOOL, INTS, Type::BOOL) polls;
    "SELECT pg_snapshot_xmin" (Type::UUID, Type::INT8, Type::INT8_ARRAY, Type::INT8_ARRAY, Type::INT8)
        (Type::INT8, Type::INT8, Type::INT8, Type::JSONB) nothing;
    "UPDATE live SET owner = NULL WHERE game = ANY" (TEXTS, Type::INT4) () releases;
    "SELECT owner, resting" (Type::TEXT) (Type::INT4, Type::BOOL, Type::BOOL) owner;
    "SELECT game FROM live WHERE (white" (Type::UUID) (Type::TEXT) live_of;
    "SELECT start_us FROM nodes" () (Type::INT8) starts;
    "SELECT node, at_us FROM beats" () (Type::INT4, Type::INT8) beats;
    "INSERT INTO beats" (Type::INT4, Type::INT8) () beat;
    "UPDATE live SET mark = u.mark" (TEXTS, BYTES, INTS, Type::INT4) () marks;
    "UPDATE live SET aside = $3" (Type::INT4, Type::TEXT, Type::TEXT) () sets_aside;
    "UPDATE leases" (Type::INT4) (Type::INT8) takes_lobby;
    "SELECT account, name, kind, challenge" () (Type::TEXT) nothing;
    "SELECT by, whom FROM blocks" () (Type::TEXT) nothing;
    "SELECT pg_current_xact_id_if_assigned" () (Type::TEXT) own_id;
    "SELECT pg_xact_status" (Type::TEXT) (Type::TEXT) status;
    "SELECT 0 AS place" (Type::TEXT) (Type::INT4, Type::INT4, Type::BYTEA) everywhere;
    "SELECT score, at_unix_ms FROM corrections" (Type::TEXT) (Type::INT2, Type::INT8) nothing;
    "SELECT n, rest FROM live" (Type::TEXT) (Type::INT4, Type::BYTEA) nothing;
    "SELECT game FROM live WHERE resting" (Type::INT8, Type::INT8) (Type::TEXT) nothing;
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity JOIN nodes" () (Type::BOOL) nothing;
    "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid" (Type::INT4, Type::TEXT) (Type::BOOL) nothing;
}

/// Whether it ends other connections, which the server does: those of dead nodes, or the one that is named.
pub(super) fn ends_connections(sql: &str) -> bool {
    sql.starts_with("SELECT pg_terminate_backend")
}

fn int(value: i32) -> Cell {
    cell(&value, &Type::INT4)
}

fn long(value: i64) -> Cell {
    cell(&value, &Type::INT8)
}

fn truth(value: bool) -> Cell {
    cell(&value, &Type::BOOL)
}

pub(super) fn words(value: &str) -> Cell {
    Some(Bytes::copy_from_slice(value.as_bytes()))
}

fn found(rows: Vec<Vec<Cell>>) -> Result<Answer, Waits> {
    Ok(Answer { changed: rows.len(), rows })
}

fn changed(changed: usize) -> Result<Answer, Waits> {
    Ok(Answer { rows: Vec::new(), changed })
}

fn nothing(_: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    found(Vec::new())
}

/// Changes a node's row, if the node is as it must be.
fn change_node(
    view: &mut View<'_>,
    node: Option<i32>,
    may: impl FnOnce(&Node) -> bool,
    change: impl FnOnce(&mut Node),
) -> Result<Answer, Waits> {
    let Some(number) = node else { return changed(0) };
    view.lock(&Key::Node(number))?;
    let Some(mut node) = view.node(number).filter(may) else { return changed(0) };
    change(&mut node);
    view.put(Key::Node(number), Some(Value::Node(node)))?;
    changed(1)
}

fn joins(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let mut number = view.nodes().last().map_or(1, |(last, _)| last + 1);
    // As a sequence gives them, also to transactions that are under way.
    while view.is_taken(&Key::Node(number)) {
        number += 1;
    }
    view.put(Key::Node(number), Some(Value::Node(Node { boot: params.get(1), ..Node::default() })))?;
    found(vec![vec![int(number)]])
}

fn latest(view: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    let of_nodes = view.nodes().into_iter().map(|(_, node)| node.start_us.max(node.at_us));
    let latest = of_nodes.chain(view.beats().into_iter().map(|(_, at)| Some(at))).max().flatten();
    found(vec![vec![latest.and_then(long)]])
}

fn others(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let own: i32 = params.get(1);
    let others = view.nodes().into_iter().filter(|(n, node)| *n != own && !node.dead && node.at_us.is_some());
    found(others.map(|_| Vec::new()).collect())
}

fn serves(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let number: i32 = params.get(1);
    let node = view.node(number).map(|_| number);
    change_node(
        view,
        node,
        |_| true,
        |node| {
            (node.start_us, node.idle_us) = (Some(params.get(2)), params.get(3));
        },
    )
}

fn idle(view: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    found(vec![vec![long(view.nodes().iter().map(|(_, node)| node.idle_us).sum())]])
}

fn barrier(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let node = view.by_boot(params.get(1)).map(|(number, _)| number);
    change_node(view, node, |node| !node.dead, |_| {})
}

fn declares_dead(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let (number, beat, own): (i32, i64, i32) = (params.get(1), params.get(2), params.get(3));
    let node = view.node(number).map(|_| number).filter(|_| view.is_alive(own));
    change_node(view, node, |node| node.beat == beat && !node.dead, |node| node.dead = true)
}

fn leaves(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let node = view.by_boot(params.get(1)).map(|(number, _)| number);
    change_node(view, node, |_| true, |node| node.dead = true)
}

/// Appends what has room, in the order of the keys; which went in.
fn put_rows(
    view: &mut View<'_>,
    games: Vec<String>,
    numbers: Vec<i32>,
    rows: Vec<Vec<u8>>,
    may: impl Fn(&str, i32) -> bool,
) -> Result<Vec<String>, Waits> {
    let mut put = Vec::new();
    for ((game, n), row) in games.into_iter().zip(numbers).zip(rows) {
        let key = Key::Row(game.clone(), n);
        if !may(&game, n) {
            continue;
        }
        view.lock(&key)?;
        if view.get(&key).is_none() {
            view.put(key, Some(Value::Bytes(row)))?;
            put.push(game);
        }
    }
    Ok(put)
}

fn named(games: &[String]) -> Result<Answer, Waits> {
    found(games.iter().map(|game| vec![words(game)]).collect())
}

fn appends(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    named(&put_rows(view, params.get(2), params.get(3), params.get(4), |_, _| true)?)
}

fn appends_whole(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let (node, epoch): (i32, Option<i64>) = (params.get(14), params.get(15));
    let (new, white, black): (Vec<String>, Vec<Uuid>, Vec<Uuid>) =
        (params.get(5), params.get(7), params.get(8));
    if !new.is_empty() && epoch.is_some() {
        view.lock(&Key::Lobby)?;
    }
    let lobby = view.lobby();
    let may = view.is_alive(node) && epoch.is_none_or(|epoch| lobby == Lobby { owner: Some(node), epoch });
    let mut made = Vec::new();
    for ((game, white), black) in new.into_iter().zip(white).zip(black) {
        let key = Key::Live(game.clone());
        view.lock(&key)?;
        if may && view.get(&key).is_none() && view.get(&Key::Archived(game.clone())).is_none() {
            let live = Live { players: [white, black], owner: Some(node), mark: None, aside: false };
            view.put(key, Some(Value::Live(live)))?;
            made.push(game);
        }
    }
    let put = put_rows(view, params.get(2), params.get(3), params.get(4), |game, n| {
        n > 1 || made.iter().any(|made| made == game)
    })?;
    let (archived, records): (Json, Vec<Vec<u8>>) = (params.get(9), params.get(10));
    for (row, records) in archived.as_array().into_iter().flatten().zip(records) {
        let game = row["game"].as_str().expect("it has a name").to_owned();
        if put.contains(&game) {
            view.put(Key::Live(game.clone()), None)?;
            view.put(Key::Archived(game), Some(Value::Bytes(records)))?;
        }
    }
    named(&put)
}

fn there(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let (games, numbers): (Vec<String>, Vec<i32>) = (params.get(2), params.get(3));
    let row = |(game, n): (String, i32)| {
        let Some(Value::Bytes(row)) = view.get(&Key::Row(game.clone(), n)) else { return None };
        Some(vec![words(&game), Some(row.clone().into())])
    };
    found(games.into_iter().zip(numbers).filter_map(row).collect())
}

fn rows_of(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let mut games: Vec<String> = params.get(2);
    games.sort_unstable();
    let rows = games.iter().flat_map(|game| view.rows(game).into_iter().map(move |(n, row)| (game, n, row)));
    found(rows.map(|(game, n, row)| vec![words(game), int(n), Some(row.into())]).collect())
}

fn free(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let (dead, after): (Vec<i32>, String) = (params.get(1), params.get(2));
    let is_free = |live: &Live| !live.aside && live.owner.is_none_or(|owner| dead.contains(&owner));
    let mut rows = Vec::new();
    for (game, live) in view.lives() {
        let key = Key::Live(game.clone());
        if game > after && is_free(&live) && !view.is_taken(&key) {
            view.lock(&key)?;
            let (mark_n, mark) = live.mark.map_or((None, None), |(n, mark)| (int(n), Some(mark.into())));
            rows.push(vec![words(&game), int(1), live.owner.and_then(int), mark_n, mark]);
        }
    }
    found(rows)
}

fn claims(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let node: i32 = params.get(5);
    let put = put_rows(view, params.get(2), params.get(3), params.get(4), |_, _| true)?;
    let mut claimed = Vec::new();
    for game in put {
        if let Some(live) = view.live(&game) {
            let live = Live { owner: Some(node), mark: None, ..live };
            view.put(Key::Live(game.clone()), Some(Value::Live(live)))?;
            claimed.push(game);
        }
    }
    named(&claimed)
}

fn dead_owners(view: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    let mut owners: Vec<i32> =
        view.lives().iter().filter_map(|(_, live)| live.owner.filter(|_| !live.aside)).collect();
    owners.sort_unstable();
    owners.dedup();
    let dead = owners.into_iter().filter(|owner| view.node(*owner).is_some_and(|node| node.dead));
    found(dead.map(|owner| vec![int(owner)]).collect())
}

fn polls(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let (boot, before) = (params.get::<Uuid>(1), view.nodes());
    let own = view.by_boot(boot).map(|(number, _)| number);
    let lives = change_node(
        view,
        own,
        |node| !node.dead,
        |node| {
            (node.beat, node.at_us) = (node.beat + 1, Some(params.get(2)));
            (node.bus, node.hears) = (params.get(3), params.get(4));
        },
    )?;
    let is_dead = |node: i32| before.iter().any(|(n, found)| *n == node && found.dead);
    let has_free_games = view.lives().iter().any(|(_, live)| !live.aside && live.owner.is_none_or(is_dead));
    let has_free_lobby = view.lobby().owner.is_none_or(|owner| !view.is_alive(owner));
    let rows = before.iter().filter(|(_, node)| !node.dead && (node.at_us.is_some() || node.boot == boot));
    let row = |(n, node): &(i32, Node)| {
        vec![
            int(*n),
            cell(&node.boot, &Type::UUID),
            long(node.beat),
            truth(lives.changed > 0),
            truth(has_free_games),
            truth(node.bus),
            cell(&node.hears, &INTS),
            truth(has_free_lobby),
        ]
    };
    found(rows.map(row).collect())
}

/// Changes the rows of these live games, if they are this node's.
fn change_lives(
    view: &mut View<'_>,
    games: Vec<String>,
    node: i32,
    mut change: impl FnMut(usize, &mut Live),
) -> Result<Answer, Waits> {
    let mut count = 0;
    for (at, game) in games.into_iter().enumerate() {
        let key = Key::Live(game.clone());
        view.lock(&key)?;
        if let Some(mut live) = view.live(&game).filter(|live| live.owner == Some(node) && !live.aside) {
            change(at, &mut live);
            view.put(key, Some(Value::Live(live)))?;
            count += 1;
        }
    }
    changed(count)
}

fn releases(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    change_lives(view, params.get(1), params.get(2), |_, live| live.owner = None)
}

fn marks(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let (marks, after): (Vec<Vec<u8>>, Vec<i32>) = (params.get(2), params.get(3));
    change_lives(view, params.get(1), params.get(4), |at, live| {
        live.mark = Some((after[at], marks[at].clone()));
    })
}

fn sets_aside(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    change_lives(view, vec![params.get(2)], params.get(1), |_, live| (live.aside, live.owner) = (true, None))
}

fn owner(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let live = view.live(&params.get::<String>(1)).filter(|live| !live.aside);
    let row = |live: Live| {
        let lives = live.owner.is_some_and(|owner| view.is_alive(owner));
        vec![live.owner.and_then(int), truth(false), truth(lives)]
    };
    found(live.map(row).into_iter().collect())
}

fn live_of(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let account: Uuid = params.get(1);
    let live = view.lives().into_iter().filter(|(_, live)| live.players.contains(&account) && !live.aside);
    named(&live.map(|(game, _)| game).collect::<Vec<_>>())
}

fn starts(view: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    found(view.nodes().iter().filter_map(|(_, node)| node.start_us).map(|at| vec![long(at)]).collect())
}

fn beats(view: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    found(view.beats().into_iter().map(|(node, at)| vec![int(node), long(at)]).collect())
}

fn beat(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    view.put(Key::Beat(params.get(1), params.get(2)), Some(Value::Nothing))?;
    changed(1)
}

fn takes_lobby(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let node: i32 = params.get(1);
    view.lock(&Key::Lobby)?;
    let Lobby { owner, epoch } = view.lobby();
    if owner.is_some_and(|owner| view.is_alive(owner)) || !view.is_alive(node) {
        return found(Vec::new());
    }
    let lobby = Lobby { owner: Some(node), epoch: epoch + 1 };
    view.put(Key::Lobby, Some(Value::Lobby(lobby)))?;
    found(vec![vec![long(lobby.epoch)]])
}

fn own_id(view: &mut View<'_>, _: &Params<'_>) -> Result<Answer, Waits> {
    let id = Some(view.own.id.to_string()).filter(|_| !view.own.changes.is_empty());
    found(vec![vec![id.and_then(|id| words(&id))]])
}

fn status(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let id: String = params.get(1);
    let is_committed = view.get(&Key::Committed(id.parse().expect("it is a number"))).is_some();
    found(vec![vec![words(if is_committed { "committed" } else { "aborted" })]])
}

fn everywhere(view: &mut View<'_>, params: &Params<'_>) -> Result<Answer, Waits> {
    let game: String = params.get(1);
    if let Some(Value::Bytes(records)) = view.get(&Key::Archived(game.clone())) {
        return found(vec![vec![int(2), int(1), Some(records.clone().into())]]);
    }
    match view.live(&game) {
        Some(Live { aside: true, .. }) => found(vec![vec![int(3), int(0), None]]),
        Some(_) => found(
            view.rows(&game).into_iter().map(|(n, row)| vec![int(0), int(n), Some(row.into())]).collect(),
        ),
        None => found(Vec::new()),
    }
}
