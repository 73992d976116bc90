//! Registering: a guest gets a name and a password and keeps account, games and challenges; a client without an account
//! gets a new one.
//!
//! Invariants: all of it is durable before anybody is told; other connections of the guest go on, and are told the name.

use std::net::{IpAddr, Ipv4Addr};

use zeitnot_protocol::AccountId;
use zeitnot_rules::game::PlayerName;

use super::password::Password;
use super::person::wanted_name;
use super::{AccountError, Accounts, Client, Person, SignedIn, Token, WantedToken};
use crate::net::Address;
use crate::storage::{Changed, Kind, Registered, Registration, Which};
use crate::time::unix_now_ms;

impl Accounts {
    /// Registers the account of `client`, or a new one, under this name; `None`: the name that it has chosen. With
    /// `ends_others` the guest's other tokens are forgotten. `changed` is called before connections are told.
    pub(crate) async fn register(
        &self,
        client: &Client,
        name: Option<&str>,
        password: &str,
        ends_others: bool,
        changed: impl FnOnce(Person),
    ) -> Result<SignedIn, AccountError> {
        let guest = client.known.map(|known| known.person);
        if guest.is_some_and(|guest| guest.kind != Kind::Guest) {
            return Err(AccountError::AlreadyRegistered);
        }
        let name = match name {
            Some(text) => wanted_name(text).map_err(AccountError::BadName)?,
            None => guest.and_then(|guest| guest.name).ok_or(AccountError::NameTaken)?,
        };
        let password = Password::to_set(password, name.as_str()).map_err(AccountError::BadPassword)?;
        self.count_attempt(client.address)?;
        if guest.is_none() && !self.addresses.may_make_guest(client.address, self.clock.now()) {
            return Err(AccountError::TooManyGuests);
        }
        self.check_name_is_free(name, guest.map(|guest| guest.account)).await?;
        let password = self.hashing.hash(client.address, password, self.salt()).await?;
        let (token, kept) = self.new_session(&client.label);
        let ended = match client.replaced() {
            _ if ends_others => Some(Which::All),
            replaced => replaced.map(Which::One),
        };
        let account = guest.map_or_else(|| self.entropy.account_id(unix_now_ms()), |guest| guest.account);
        let (is_new, new) = (guest.is_none(), kept.digest);
        let replaces = client.replaced();
        let registration = Registration { account, is_new, name, password, token: kept, replaces, ended };
        match self.store.register(registration).await.map_err(|_| AccountError::Unavailable)? {
            Registered::NameTaken => Err(AccountError::NameTaken),
            Registered::NotAGuest => Err(AccountError::AlreadyRegistered),
            Registered::As(change, ended) => {
                self.tokens_changed(change.person, replaces, new, &ended);
                let person = change.person;
                self.connections.changed(person, change.number, self.clock.now(), || changed(person));
                Ok(SignedIn { person, token })
            }
        }
    }

    /// Registers a new account for a program, with a password that nobody knows, for whoever runs the server. `changed` is
    /// called before connections are told.
    pub(crate) async fn register_program(
        &self,
        name: &str,
        wanted: WantedToken,
        changed: impl FnOnce(Person),
    ) -> Result<(Person, Token), AccountError> {
        let name = wanted_name(name).map_err(AccountError::BadName)?;
        self.check_name_is_free(name, None).await?;
        let secret = Token::draw(&self.entropy).reveal();
        let password = Password::to_set(&secret, name.as_str()).map_err(AccountError::BadPassword)?;
        let here = Address::from(IpAddr::from(Ipv4Addr::LOCALHOST));
        let password = self.hashing.hash(here, password, self.salt()).await?;
        let (token, kept) = self.new_api_token(wanted);
        let account = self.entropy.account_id(unix_now_ms());
        let registration =
            Registration { account, is_new: true, name, password, token: kept, replaces: None, ended: None };
        match self.store.register(registration).await.map_err(|_| AccountError::Unavailable)? {
            Registered::NameTaken | Registered::NotAGuest => Err(AccountError::NameTaken),
            Registered::As(Changed { person, number }, _) => {
                self.connections.changed(person, number, self.clock.now(), || changed(person));
                Ok((person, token))
            }
        }
    }

    /// Rejects a name that somebody has, before anything takes long. A guest who has a connection keeps a name however
    /// long ago the last one began; for the others the store decides.
    async fn check_name_is_free(
        &self,
        name: PlayerName,
        wanted_by: Option<AccountId>,
    ) -> Result<(), AccountError> {
        let owner = self.by_name(name.as_str()).await?;
        match owner.filter(|owner| Some(owner.account) != wanted_by) {
            Some(owner) if owner.kind != Kind::Guest || self.connections.is_here(owner.account) => {
                Err(AccountError::NameTaken)
            }
            Some(_) | None => Ok(()),
        }
    }
}
