//! What programs take of the connections that their address may have.
//!
//! A program has a stream of events, one of each game, and one of each seek, every one on a connection of its own. All of
//! them count as one for an account and an address: as the one WebSocket would that tells the same. What acts for a token
//! of the account has that same place.
//!
//! Deliberately absent: streams that need no token. Each of them counts.
//!
//! Invariant: while a connection is spared, another place at its address is held for its account.

use std::sync::{Arc, Weak};

use dashmap::DashMap;
use zeitnot_protocol::AccountId;

use super::caller::Caller;
use super::rejection::Rejection;
use crate::net::{Address, Addresses, Permit, Spared};
use crate::time::ServiceInstant;

/// Streams that have one place together: what one token can have open, which is 8 streams of events, 64 of games, 3 of
/// seeks and 16 of challenges, and some that are about to end. One more has the place of its connection.
const SHARED_BY_MAX: u32 = 96;

/// Whose place it is.
type Owner = (AccountId, Address);

/// A place that streams share.
#[derive(Debug, Default)]
struct Shared {
    place: Weak<Permit>,
    streams: u32,
}

/// The places of all accounts.
#[derive(Debug, Default)]
pub(super) struct Places(DashMap<Owner, Shared>);

/// A stream's part of a place.
#[derive(Debug)]
pub(super) struct StreamPlace {
    places: Arc<Places>,
    owner: Owner,
    _place: Arc<Permit>,
    _spared: Option<Spared>,
}

impl Places {
    /// The place of a caller's account at its address: the one that it has, else the one of this connection.
    pub(super) fn of(
        &self,
        caller: &Caller,
        addresses: &Arc<Addresses>,
        now: ServiceInstant,
    ) -> Result<Arc<Permit>, Rejection> {
        let mut shared = self.0.entry(caller.owner()).or_default();
        if let Some(place) = shared.place.upgrade() {
            return Ok(place);
        }
        let place = caller.permit(addresses, now)?;
        shared.place = Arc::downgrade(&place);
        Ok(place)
    }

    /// The same for a stream, whose own connection is spared if it is another one.
    pub(super) fn of_stream(
        self: &Arc<Self>,
        caller: &Caller,
        addresses: &Arc<Addresses>,
        now: ServiceInstant,
    ) -> Result<StreamPlace, Rejection> {
        self.0.retain(|_, shared| shared.streams > 0 || shared.place.strong_count() > 0);
        let owner = caller.owner();
        let place = self.of(caller, addresses, now)?;
        let is_one_more = self.0.get(&owner).is_some_and(|shared| shared.streams >= SHARED_BY_MAX);
        let (place, spared) = match caller.own_place() {
            _ if is_one_more => (caller.permit(addresses, now)?, None),
            Some(own) if !Arc::ptr_eq(own, &place) => (place, own.spare()),
            _ => (place, None),
        };
        self.0.entry(owner).or_default().streams += 1;
        Ok(StreamPlace { places: Arc::clone(self), owner, _place: place, _spared: spared })
    }
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        if let Some(mut shared) = self.places.0.get_mut(&self.owner) {
            shared.streams -= 1;
        }
    }
}
