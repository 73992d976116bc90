//! What a server of PostgreSQL keeps, as far as live games are concerned, and what its open transactions have changed.
//!
//! Deliberately absent: segments (there is one), and everything that is not of games, nodes and the lobby.
//!
//! Invariant: a transaction sees what is committed and what it has changed itself; what another one has changed or locked is
//! waited for.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

/// What a row is found by.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::simulation::cluster) enum Key {
    Node(i32),
    Lobby,
    Live(String),
    /// A row of the journal: the game, and its number.
    Row(String, i32),
    Beat(i32, i64),
    Archived(String),
    /// A transaction was committed.
    Committed(u64),
}

/// A row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::simulation::cluster) enum Value {
    Node(Node),
    Lobby(Lobby),
    Live(Live),
    Bytes(Vec<u8>),
    Nothing,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::simulation::cluster) struct Node {
    pub(super) boot: Uuid,
    pub(super) beat: i64,
    pub(super) dead: bool,
    pub(super) at_us: Option<i64>,
    pub(super) start_us: Option<i64>,
    pub(super) idle_us: i64,
    pub(super) bus: bool,
    pub(super) hears: Vec<i32>,
}

impl Node {
    /// Whether others have found it dead, or it has left.
    pub(in crate::simulation::cluster) fn is_dead(&self) -> bool {
        self.dead
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::simulation::cluster) struct Lobby {
    pub(super) owner: Option<i32>,
    pub(super) epoch: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::simulation::cluster) struct Live {
    pub(super) players: [Uuid; 2],
    pub(super) owner: Option<i32>,
    /// What is noted of the running turn, after which row.
    pub(super) mark: Option<(i32, Vec<u8>)>,
    pub(super) aside: bool,
}

/// All rows.
pub(super) type Tables = BTreeMap<Key, Value>;

/// What a transaction does to rows; `None` deletes.
pub(in crate::simulation::cluster) type Changes = BTreeMap<Key, Option<Value>>;

/// Applies what was committed.
pub(super) fn apply(tables: &mut Tables, changes: &Changes) {
    for (key, value) in changes {
        match value {
            Some(value) => tables.insert(key.clone(), value.clone()),
            None => tables.remove(key),
        };
    }
}

/// A transaction that is under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Transaction {
    pub(super) id: u64,
    pub(super) changes: Changes,
    pub(super) locks: BTreeSet<Key>,
    /// It is in the log: a crash does not undo it.
    pub(super) is_written: bool,
}

impl Transaction {
    fn has(&self, key: &Key) -> bool {
        self.changes.contains_key(key) || self.locks.contains(key)
    }
}

/// Another transaction must end first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Waits;

/// What a statement sees, and what it changes if it need not wait.
pub(super) struct View<'a> {
    pub(super) tables: &'a Tables,
    pub(super) own: &'a Transaction,
    pub(super) others: Vec<&'a Transaction>,
    pub(super) changes: Changes,
    pub(super) locks: BTreeSet<Key>,
}

impl View<'_> {
    pub(super) fn get(&self, key: &Key) -> Option<&Value> {
        match self.changes.get(key).or_else(|| self.own.changes.get(key)) {
            Some(changed) => changed.as_ref(),
            None => self.tables.get(key),
        }
    }

    pub(super) fn is_taken(&self, key: &Key) -> bool {
        self.others.iter().any(|other| other.has(key))
    }

    pub(super) fn lock(&mut self, key: &Key) -> Result<(), Waits> {
        if self.is_taken(key) {
            return Err(Waits);
        }
        self.locks.insert(key.clone());
        Ok(())
    }

    pub(super) fn put(&mut self, key: Key, value: Option<Value>) -> Result<(), Waits> {
        self.lock(&key)?;
        self.changes.insert(key, value);
        Ok(())
    }

    /// The rows between two keys, in their order.
    fn between(&self, first: &Key, last: &Key) -> Vec<(Key, Value)> {
        let mut found: Tables =
            self.tables.range(first..=last).map(|(key, value)| (key.clone(), value.clone())).collect();
        for changes in [&self.own.changes, &self.changes] {
            let changes = changes.range(first.clone()..=last.clone());
            apply(&mut found, &changes.map(|(key, value)| (key.clone(), value.clone())).collect());
        }
        found.into_iter().collect()
    }

    pub(super) fn node(&self, node: i32) -> Option<Node> {
        if let Some(Value::Node(node)) = self.get(&Key::Node(node)) { Some(node.clone()) } else { None }
    }

    pub(super) fn nodes(&self) -> Vec<(i32, Node)> {
        let found = self.between(&Key::Node(0), &Key::Node(i32::MAX)).into_iter();
        let node = |(key, value)| {
            if let (Key::Node(n), Value::Node(node)) = (key, value) { Some((n, node)) } else { None }
        };
        found.filter_map(node).collect()
    }

    pub(super) fn by_boot(&self, boot: Uuid) -> Option<(i32, Node)> {
        self.nodes().into_iter().find(|(_, node)| node.boot == boot)
    }

    pub(super) fn is_alive(&self, node: i32) -> bool {
        self.node(node).is_some_and(|node| !node.dead)
    }

    pub(super) fn lobby(&self) -> Lobby {
        if let Some(Value::Lobby(lobby)) = self.get(&Key::Lobby) { *lobby } else { Lobby::default() }
    }

    pub(super) fn live(&self, game: &str) -> Option<Live> {
        if let Some(Value::Live(live)) = self.get(&Key::Live(game.to_owned())) {
            Some(live.clone())
        } else {
            None
        }
    }

    pub(super) fn lives(&self) -> Vec<(String, Live)> {
        let found = self.between(&Key::Live(String::new()), &Key::Live("~".to_owned())).into_iter();
        let live = |(key, value)| {
            if let (Key::Live(game), Value::Live(live)) = (key, value) { Some((game, live)) } else { None }
        };
        found.filter_map(live).collect()
    }

    pub(super) fn rows(&self, game: &str) -> Vec<(i32, Vec<u8>)> {
        let key = |n| Key::Row(game.to_owned(), n);
        let found = self.between(&key(0), &key(i32::MAX)).into_iter();
        let row = |(key, value)| {
            if let (Key::Row(_, n), Value::Bytes(row)) = (key, value) { Some((n, row)) } else { None }
        };
        found.filter_map(row).collect()
    }

    pub(super) fn beats(&self) -> Vec<(i32, i64)> {
        let found = self.between(&Key::Beat(0, i64::MIN), &Key::Beat(i32::MAX, i64::MAX)).into_iter();
        found
            .filter_map(|(key, _)| if let Key::Beat(node, at) = key { Some((node, at)) } else { None })
            .collect()
    }
}
