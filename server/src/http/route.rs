//! What the guard knows of each route before any handler runs: what it costs, what it needs of a
//! token, and who may read its answers.
//!
//! Invariant: a route that is not named here is a file or unknown, and costs what a file does.

use axum::extract::{MatchedPath, Request};
use zeitnot_protocol::{Needs, Scope};

/// What a request costs its address or its account: see `http_cost_per_minute` in the limits. Sessions are bounded by
/// connections, and a page is a dozen files.
const FILE: u32 = 1;
/// A look at what is in memory, or one read of an account.
const LOOK: u32 = 2;
/// The hash of a password: tens of milliseconds of a processor.
const PASSWORD: u32 = 10;
/// A read of the archive, and an answer that may have a megabyte.
const ARCHIVE: u32 = 20;
/// Many small reads of the archive.
const ARCHIVE_READS: u32 = 60;
/// What the rules say of a position: short searches, of milliseconds. Whoever browses variations asks once for each move.
const POSITION: u32 = 20;
/// A search by the computer: tenths of a second of a thread that all share. One a second for each address.
const EVALUATION: u32 = 100;
/// A longer one: about a second.
const LINES: u32 = 300;
/// The longest: about four.
const DEEPER_LINES: u32 = 4 * LINES;

/// The longest body that a request needs is a form. One longer than this is not even waited for.
pub(crate) const BODY_BYTES_MAX: u64 = 4 * 1024;
/// The same where the body has moves: as many as are analysed (`analysis::position`), in the longest SAN, and a FEN.
pub(crate) const MOVES_BYTES_MAX: u64 = 12 * 1024;

/// A picture, and a read of the archive for it.
const PICTURE: u32 = 20;

/// The kinds of routes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The page, its files, and every unknown path.
    File,
    /// The way to a session.
    Upgrade,
    /// Whether the server takes games.
    Health,
    /// The identity of the request, and nobody else's business.
    Identity,
    /// What takes the hash of a password.
    Password,
    /// What is public and in memory.
    Public,
    /// What is public and read from the archive.
    Archive,
    /// The same by many reads.
    ArchiveReads,
    /// What the rules say of a position.
    Position,
    /// What the computer thinks of a position, which is public; lines that leave a game are for whoever plays none.
    Evaluation,
    /// What it thinks after a longer search.
    Lines,
    /// What it thinks after the longest.
    DeeperLines,
    /// A picture, which is public.
    Picture,
}

/// A route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Route {
    /// What it is called in the router; "other" for files and unknown paths.
    pub(crate) name: &'static str,
    /// What it is for.
    pub(crate) kind: Kind,
    /// What it needs of the token that comes with the request, if one comes.
    pub(crate) needs: Needs,
}

/// What every token may do.
const READ: Needs = Needs::Scope(Scope::Read);

/// What only tokens that an admin has made for it may do: no session does.
const ADMIN: Needs = Needs::Scope(Scope::Admin);

const ROUTES: &[Route] = &[
    Route { name: "/ws", kind: Kind::Upgrade, needs: READ },
    Route { name: "/healthz", kind: Kind::Health, needs: READ },
    Route { name: "/api/guest", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/me", kind: Kind::Identity, needs: READ },
    Route { name: "/api/account/profile", kind: Kind::Identity, needs: READ },
    Route { name: "/api/account/register", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/sign-in", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/sign-out", kind: Kind::Identity, needs: READ },
    Route { name: "/api/account/sign-out-everywhere", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/sessions", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/sessions/{id}", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/tokens", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/tokens/{id}", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/bot", kind: Kind::Identity, needs: Needs::Scope(Scope::Bot) },
    Route { name: "/api/account/blocks", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/blocks/{who}", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/challenge-rules", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/password", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/recovery-codes", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/second-factor", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/recover", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/close", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/api/account/export", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/account/settings", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/reports", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/admin/acts", kind: Kind::Identity, needs: ADMIN },
    Route { name: "/api/admin/log", kind: Kind::Identity, needs: ADMIN },
    Route { name: "/sign-in", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/register", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/account", kind: Kind::Password, needs: Needs::Session },
    Route { name: "/account/oauth/token", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/account/oauth/token/create", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/oauth", kind: Kind::Identity, needs: Needs::Session },
    Route { name: "/api/challenges/{id}", kind: Kind::Public, needs: READ },
    Route { name: "/api/players", kind: Kind::Public, needs: READ },
    Route { name: "/api/players/{who}", kind: Kind::Public, needs: READ },
    Route { name: "/api/players/{who}/games", kind: Kind::Archive, needs: READ },
    Route { name: "/api/players/{who}/ratings/{category}", kind: Kind::Archive, needs: READ },
    Route { name: "/picture/{file}", kind: Kind::Picture, needs: READ },
    Route { name: "/api/openings", kind: Kind::Public, needs: READ },
    Route { name: "/api/openapi.json", kind: Kind::Public, needs: READ },
    Route { name: "/api/games", kind: Kind::Archive, needs: READ },
    Route { name: "/api/games/count", kind: Kind::Archive, needs: READ },
    Route { name: "/api/games/names", kind: Kind::ArchiveReads, needs: READ },
    Route { name: "/api/games/moves", kind: Kind::ArchiveReads, needs: READ },
    Route { name: "/api/games/export", kind: Kind::Archive, needs: READ },
    Route { name: "/api/games/featured", kind: Kind::Public, needs: READ },
    Route { name: "/api/games/{id}", kind: Kind::Archive, needs: READ },
    Route { name: "/api/games/{id}/pgn", kind: Kind::Archive, needs: READ },
    Route { name: "/api/games/{id}/evaluation", kind: Kind::Evaluation, needs: READ },
    Route { name: "/api/games/{id}/evaluations", kind: Kind::Archive, needs: READ },
    Route { name: "/api/games/{id}/lines", kind: Kind::Lines, needs: READ },
    Route { name: "/api/games/{id}/lines/deeper", kind: Kind::DeeperLines, needs: READ },
    Route { name: "/api/analysis/position", kind: Kind::Position, needs: READ },
    Route { name: "/api/analysis/evaluation", kind: Kind::Evaluation, needs: READ },
    Route { name: "/api/analysis/lines", kind: Kind::Lines, needs: READ },
    Route { name: "/api/analysis/lines/deeper", kind: Kind::DeeperLines, needs: READ },
];

impl Route {
    /// All answers on the port for metrics: who reads them is no client.
    pub(crate) const METRICS: Self = Self { name: "metrics", kind: Kind::Health, needs: READ };

    /// All calls of the Lichess API.
    pub(crate) const LICHESS: Self = Self { name: "lichess", kind: Kind::Identity, needs: READ };

    /// The route that the router chose.
    pub(crate) fn of(request: &Request) -> Self {
        let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
        path.and_then(Self::named).unwrap_or(Self { name: "other", kind: Kind::File, needs: READ })
    }

    /// The paths of the API.
    #[cfg(test)]
    pub(crate) fn names_of_the_api() -> impl Iterator<Item = &'static str> {
        ROUTES.iter().map(|route| route.name).filter(|name| name.starts_with("/api/"))
    }

    /// The route that has this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        ROUTES.iter().find(|route| route.name == name).copied()
    }

    /// Whether every token may be used for it.
    pub(crate) fn needs_nothing(self) -> bool {
        self.needs == READ
    }

    /// What a request costs.
    pub(crate) const fn cost(self) -> u32 {
        match self.kind {
            Kind::Upgrade => 0,
            Kind::File | Kind::Health => FILE,
            Kind::Identity | Kind::Public => LOOK,
            Kind::Password => PASSWORD,
            Kind::Archive => ARCHIVE,
            Kind::ArchiveReads => ARCHIVE_READS,
            Kind::Position => POSITION,
            Kind::Evaluation => EVALUATION,
            Kind::Lines => LINES,
            Kind::DeeperLines => DEEPER_LINES,
            Kind::Picture => PICTURE,
        }
    }

    /// Whether pages of other sites may read the answers: they are the same for everybody.
    pub(crate) const fn is_public(self) -> bool {
        use Kind::{Archive, ArchiveReads, DeeperLines, Evaluation, Lines, Picture, Public};
        matches!(self.kind, Public | Archive | ArchiveReads | Evaluation | Lines | DeeperLines | Picture)
    }

    /// How long the body of a request may be, in bytes: as long as a form, but for the moves of a game.
    pub(crate) const fn body_bytes_max(self) -> u64 {
        match self.kind {
            Kind::Position | Kind::Evaluation | Kind::Lines | Kind::DeeperLines => MOVES_BYTES_MAX,
            _ => BODY_BYTES_MAX,
        }
    }

    /// Whether a credential decides who pays. Files do not ask for it: that would cost more than the file.
    pub(crate) const fn asks_who(self) -> bool {
        !matches!(self.kind, Kind::File | Kind::Picture | Kind::Upgrade | Kind::Health)
    }
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::Scopes;

    use super::*;

    #[test]
    fn only_a_session_reaches_what_concerns_the_account_itself() {
        let every = Scope::ALL.into_iter().fold(Scopes::NONE, Scopes::with);
        for route in ROUTES {
            let concerns_the_account = matches!(route.kind, Kind::Identity | Kind::Password);
            let is_for_tokens =
                ["/api/me", "/api/account/profile", "/api/account/sign-out", "/api/account/bot"]
                    .contains(&route.name);
            let is_for_admins = route.name.starts_with("/api/admin/");
            let expected = !concerns_the_account || is_for_tokens || is_for_admins;
            assert_eq!(every.allow(route.needs), expected, "{}", route.name);
            assert_eq!(Scopes::SESSION.allow(route.needs), !is_for_admins, "{}", route.name);
            assert_eq!(route.needs == ADMIN, is_for_admins, "{}", route.name);
        }
    }
}
