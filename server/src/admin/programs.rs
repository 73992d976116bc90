//! Tokens for programs: `zeitnot token`.
//!
//! Deliberately absent: what such a token may be used for (`zeitnot_protocol::Scope`).

use std::sync::Arc;

use zeitnot_protocol::{Scope, Scopes};

use super::perform::{Admin, NotDone};
use crate::accounts::{AccountError, Kind, Person, WantedToken};

/// What such a token is called in the list of its owner.
const LABEL: &str = "zeitnot token";

impl Admin {
    /// Makes a token that plays and challenges, for the account of a name. An account that there is not is registered, with
    /// a password that nobody knows. With `as_bot` the account is a bot afterwards.
    pub(super) async fn token(&self, name: &str, as_bot: bool) -> Result<String, NotDone> {
        let known = self.accounts.by_name(name).await.map_err(|_| NotDone::Unavailable)?;
        let is_new = known.is_none();
        let scopes = Scopes::NONE.with(Scope::Play).with(Scope::Challenge).with(Scope::Bot);
        let wanted = WantedToken { name: LABEL.to_owned(), scopes, lasts: None };
        let failed = |error| not_done(name, error);
        let (person, token) = match known {
            None => {
                let lobby = Arc::clone(&self.lobby);
                let registered =
                    self.accounts.register_program(name, wanted, |person| lobby.changed(person)).await;
                registered.map_err(failed)?
            }
            Some(person) if !person.kind.is_registered() => return Err(NotDone::GuestName(name.to_owned())),
            Some(person) => {
                if as_bot {
                    self.become_bot(name, person).await?;
                }
                let (token, _) =
                    self.accounts.keep_api_token(person.account, wanted).await.map_err(failed)?;
                (person, token)
            }
        };
        if as_bot && is_new {
            self.become_bot(name, person).await?;
        }
        Ok(format!("{}\n", token.reveal()))
    }

    async fn become_bot(&self, name: &str, person: Person) -> Result<(), NotDone> {
        if person.kind == Kind::Bot {
            return Ok(());
        }
        let held = self.lobby.hold(person.account).ok_or_else(|| NotDone::Plays(name.to_owned()))?;
        let lobby = Arc::clone(&self.lobby);
        let made = self.accounts.make_bot(person.account, |person| lobby.changed(person)).await;
        drop(held);
        made.map(drop).map_err(|error| not_done(name, error))
    }
}

fn not_done(name: &str, error: AccountError) -> NotDone {
    match error {
        AccountError::BadName(why) => NotDone::BadName(why),
        AccountError::NameTaken => NotDone::NameTaken(name.to_owned()),
        AccountError::TooManyTokens => NotDone::TooManyTokens(name.to_owned()),
        AccountError::HasRatedGames => NotDone::HasRatedGames(name.to_owned()),
        AccountError::IsAdmin => NotDone::IsAnAdmin(name.to_owned()),
        _ => NotDone::Unavailable,
    }
}
