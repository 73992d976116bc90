//! What a token may be used for.
//!
//! A message of a client states its scope beside its name (`client`), a route of the HTTP API where its cost is stated. The
//! names never change their meaning.
//!
//! Deliberately absent: who is given which scope, and for how long.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One thing that a token may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Scope {
    /// To see what the account sees. Every token may do this.
    Read = 1,
    /// To play the account's games, post in their chats, and wait in pools.
    Play = 1 << 1,
    /// To create, accept, decline and withdraw challenges.
    Challenge = 1 << 2,
    /// To make the account a bot.
    Bot = 1 << 3,
    /// To administer the server, where the account may.
    Admin = 1 << 4,
}

/// The text is not a [`Scope`] of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("not a scope of this version")]
pub struct UnknownScope;

impl Scope {
    /// Every scope, in the order of the document.
    pub const ALL: [Self; 5] = [Self::Read, Self::Play, Self::Challenge, Self::Bot, Self::Admin];

    /// The scope as it is written on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Play => "play",
            Self::Challenge => "challenge",
            Self::Bot => "bot",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = UnknownScope;

    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or(UnknownScope)
    }
}

/// What a message or a route needs of the token that comes with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Needs {
    /// A token with this scope, or a session.
    Scope(Scope),
    /// A session: it concerns the account itself, so no scope is enough.
    Session,
}

/// A set of scopes: all that a token may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scopes(u8);

impl Scopes {
    /// The bit of a session, which is no scope.
    const SESSION_BIT: u8 = 1 << 7;

    /// None: such a token may only read.
    pub const NONE: Self = Self(0);

    /// A session: a browser's cookie, or the token that a guest was shown. It has every scope but `admin`, and may do what
    /// no scope is enough for.
    pub const SESSION: Self =
        Self(Self::SESSION_BIT).with(Scope::Play).with(Scope::Challenge).with(Scope::Bot);

    /// These, and one more.
    #[must_use]
    pub const fn with(self, scope: Scope) -> Self {
        Self(self.0 | scope as u8)
    }

    /// Whether what needs this may be done.
    #[must_use]
    pub const fn allow(self, needs: Needs) -> bool {
        match needs {
            Needs::Scope(Scope::Read) => true,
            Needs::Scope(scope) => self.0 & scope as u8 != 0,
            Needs::Session => self.0 & Self::SESSION_BIT != 0,
        }
    }

    /// The set as a number, for storage. The bits never change their meaning.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The set of a stored number. A session may do what sessions may at present.
    #[must_use]
    pub const fn of_bits(bits: u8) -> Self {
        if bits & Self::SESSION_BIT != 0 { Self::SESSION } else { Self(bits) }
    }

    /// The scopes in the order of the document; `read` is always one of them.
    pub fn iter(self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(move |scope| self.allow(Needs::Scope(*scope)))
    }

    /// What a scope of Lichess stands for here; `None`: there is no such scope, or nothing here that it would be for.
    #[must_use]
    pub fn of_lichess(name: &str) -> Option<Self> {
        match name {
            "board:play" => Some(Self::NONE.with(Scope::Play)),
            "bot:play" => Some(Self::NONE.with(Scope::Play).with(Scope::Bot)),
            "challenge:read" => Some(Self::NONE),
            "challenge:write" => Some(Self::NONE.with(Scope::Challenge)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_read_as_it_is_written() {
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse(), Ok(scope));
        }
        for wrong in ["", "Play", "play ", "board:play"] {
            assert_eq!(wrong.parse::<Scope>(), Err(UnknownScope), "{wrong}");
        }
    }

    #[test]
    fn a_set_allows_its_scopes_and_reading() {
        let set = Scopes::NONE.with(Scope::Challenge);
        assert!(set.iter().eq([Scope::Read, Scope::Challenge]));
        assert!(!set.allow(Needs::Scope(Scope::Play)) && !set.allow(Needs::Session));
    }

    #[test]
    fn a_session_may_do_all_but_administer() {
        let all = Scope::ALL.into_iter().filter(|scope| *scope != Scope::Admin);
        assert!(Scopes::SESSION.iter().eq(all) && Scopes::SESSION.allow(Needs::Session));
        assert!(Scopes::SESSION.with(Scope::Admin).allow(Needs::Scope(Scope::Admin)));
    }

    #[test]
    fn a_set_is_stored_as_a_number() {
        for set in [Scopes::NONE, Scopes::NONE.with(Scope::Play).with(Scope::Admin), Scopes::SESSION] {
            assert_eq!(Scopes::of_bits(set.bits()), set);
        }
        assert_eq!(Scopes::of_bits(0x80), Scopes::SESSION, "one that was stored when sessions could do less");
    }

    #[test]
    fn no_set_of_scopes_is_a_session() {
        let every = Scope::ALL.into_iter().fold(Scopes::NONE, Scopes::with);
        assert!(every.iter().eq(Scope::ALL) && !every.allow(Needs::Session));
    }

    /// The rows of the table in the document: a scope of Lichess, and ours.
    #[test]
    fn the_scopes_of_lichess_map_as_the_document_says() {
        let document = include_str!("../../docs/protocol.md");
        let rows = document.lines().skip_while(|line| !line.starts_with("| scope of Lichess |")).skip(2);
        let mut count = 0;
        for row in rows.take_while(|line| line.starts_with('|')) {
            let words = row.split('`').skip(1).step_by(2).collect::<Vec<_>>();
            let (theirs, ours) = words.split_first().unwrap();
            let ours = ours.iter().map(|name| name.parse::<Scope>().unwrap());
            let found = Scopes::of_lichess(theirs).unwrap_or_else(|| panic!("{theirs}"));
            assert!(found.iter().eq(ours), "{row}: {found:?}");
            count += 1;
        }
        assert_eq!(count, 4);
        for other in ["", "email:read", "challenge:bulk", "tournament:write", "play"] {
            assert_eq!(Scopes::of_lichess(other), None, "{other}");
        }
    }
}
