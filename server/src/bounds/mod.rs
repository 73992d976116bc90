//! Every bound of the server in one list: what a client can make it keep, read, compute or send, and how much of that.
//!
//! An entry names the constant, the flag or the limit of the protocol, what happens when it is met, the maps, queues and
//! channels that it keeps small, and the test that shows it. `scripts/tidy` compares this list with the code, and makes
//! the table in ARCHITECTURE.md from it.
//!
//! Deliberately absent: the numbers themselves. Each stands beside its use, with its reason.

mod cluster;
mod games;
mod http;
mod lichess;
mod lichess_public;
mod lobby;
mod sessions;
mod storage;

/// For each of what a bound holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// One socket.
    Connection,
    /// One account, over all its connections.
    Account,
    /// One address, over all its connections; or the account whose token a request shows.
    Address,
    /// One game.
    Game,
    /// The whole process.
    Total,
}

/// One bound.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// What is bounded.
    pub what: &'static str,
    /// The constant in the file `at`; `--flag`; `limits.name` of the protocol; or in words what it follows from.
    pub value: &'static str,
    /// For each of what.
    pub per: Per,
    /// The file that meets it, below `server/src`.
    pub at: &'static str,
    /// What happens then.
    pub met: &'static str,
    /// The containers that it keeps small, and constants that go with it: `Struct.field`, `STATIC`, or `fn name` for a
    /// channel that is made there. One in another file has that before it.
    pub holds: &'static [&'static str],
    /// The test that shows it.
    pub test: &'static str,
}

/// All bounds.
pub const ALL: [&[Bound]; 8] = [
    sessions::SESSIONS,
    games::GAMES,
    lobby::LOBBY,
    http::HTTP,
    lichess::LICHESS,
    lichess_public::LICHESS_PUBLIC,
    storage::STORAGE,
    cluster::CLUSTER,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bound_is_listed_twice() {
        let mut names: Vec<_> = ALL.concat().iter().map(|bound| (bound.at, bound.what)).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn everybody_is_bounded() {
        let all = ALL.concat();
        for per in [Per::Connection, Per::Account, Per::Address, Per::Game, Per::Total] {
            assert!(all.iter().any(|bound| bound.per == per), "{per:?}");
        }
    }
}
