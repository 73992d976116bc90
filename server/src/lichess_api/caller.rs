//! Who makes a call: the account of its token, and what that token may be used for.
//!
//! A cookie never counts here. Deliberately absent: reading the token from a request, and what an address may ask for; both
//! are HTTP's.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use zeitnot_protocol::{AccountId, Needs, Scope};

use super::rejection::Rejection;
use crate::accounts::Known;
use crate::net::{Address, Addresses, Admission, Permit};
use crate::time::ServiceInstant;

/// What HTTP knows of the client of a call.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    /// Where it comes from.
    pub(crate) address: Address,
    /// Its place among the connections of its address; a trusted proxy's connection has none.
    pub(crate) permit: Option<Arc<Permit>>,
    /// Where it finds the server, without a slash at the end.
    pub(crate) site: String,
    /// Whose token it shows; `None`: it shows none.
    pub(crate) known: Option<Result<Known, Rejection>>,
}

/// A client that has shown a token.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) known: Known,
    pub(super) address: Address,
    permit: Option<Arc<Permit>>,
    pub(super) site: String,
}

impl Caller {
    /// A client at an address, for tests.
    #[cfg(test)]
    pub(super) fn of(known: Known, address: Address) -> Self {
        Self { known, address, permit: None, site: "http://test".to_owned() }
    }

    fn may(&self, scope: Scope) -> bool {
        self.known.scopes.allow(Needs::Scope(scope))
    }

    /// Rejects a token that may not play.
    pub(super) fn may_play(&self, is_bot_path: bool) -> Result<(), Rejection> {
        match (self.may(Scope::Play), is_bot_path) {
            (true, false) => Ok(()),
            (true, true) if self.may(Scope::Bot) => Ok(()),
            (_, false) => Err(Rejection::missing_scope("board:play")),
            (_, true) => Err(Rejection::missing_scope("bot:play")),
        }
    }

    /// Rejects a token that may not make or answer challenges. One that may play may.
    pub(super) fn may_challenge(&self) -> Result<(), Rejection> {
        if self.may(Scope::Challenge) || self.may(Scope::Play) {
            Ok(())
        } else {
            Err(Rejection::missing_scope("challenge:write"))
        }
    }

    /// Whom its streams count for.
    pub(super) fn owner(&self) -> (AccountId, Address) {
        (self.known.person.account, self.address)
    }

    /// The place of its connection; one of a trusted proxy has none.
    pub(super) fn own_place(&self) -> Option<&Arc<Permit>> {
        self.permit.as_ref()
    }

    /// A place among the connections of its address: its own, or one more behind a proxy.
    pub(super) fn permit(
        &self,
        addresses: &Arc<Addresses>,
        now: ServiceInstant,
    ) -> Result<Arc<Permit>, Rejection> {
        place(self.permit.as_ref(), self.address, addresses, now)
    }

    /// Who it is to a session. In this API a token that may play may challenge.
    pub(super) fn known_to_session(&self) -> Known {
        let scopes = self.known.scopes;
        let scopes = if self.may(Scope::Play) { scopes.with(Scope::Challenge) } else { scopes };
        Known { scopes, ..self.known }
    }
}

impl Visitor {
    /// A place among the connections of its address for a stream: its own, or one more behind a proxy.
    pub(super) fn place(
        &self,
        addresses: &Arc<Addresses>,
        now: ServiceInstant,
    ) -> Result<Arc<Permit>, Rejection> {
        place(self.permit.as_ref(), self.address, addresses, now)
    }
}

fn place(
    own: Option<&Arc<Permit>>,
    address: Address,
    addresses: &Arc<Addresses>,
    now: ServiceInstant,
) -> Result<Arc<Permit>, Rejection> {
    if let Some(own) = own {
        return Ok(Arc::clone(own));
    }
    match addresses.admit(address, now) {
        Admission::Served(permit) => Ok(Arc::new(permit)),
        Admission::Rejected(..) | Admission::Dropped => Err(Rejection::unavailable()),
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Rejection> {
        let Visitor { address, permit, site, known } = visitor(parts)?;
        let known = known.ok_or_else(Rejection::no_token)??;
        Ok(Self { known, address, permit, site })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Rejection> {
        visitor(parts)
    }
}

fn visitor(parts: &Parts) -> Result<Visitor, Rejection> {
    parts.extensions.get::<Visitor>().cloned().ok_or_else(Rejection::unavailable)
}
