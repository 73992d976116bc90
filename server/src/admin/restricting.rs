//! Restrictions: muting accounts, and cutting networks off.
//!
//! Invariant: what is in force is durable before it begins, and is no more kept when it has been taken back.

use super::Lasts;
use super::perform::{Admin, NotDone};
use crate::accounts::Person;
use crate::net::{CutNetwork, Cuts};
use crate::storage::Cut;
use crate::time::{unix_now_ms, utc_text};

impl Admin {
    /// The account of a name, or of an id: guests without a chosen name are muted by that.
    pub(super) async fn found(&self, text: &str) -> Result<Person, NotDone> {
        let Ok(account) = text.parse() else { return self.named(text).await };
        let found = self.accounts.person(account).await.map_err(|_| NotDone::Unavailable)?;
        found.ok_or_else(|| NotDone::UnknownName(text.to_owned()))
    }

    pub(super) async fn mute(&self, name: &str, lasts: Lasts) -> Result<String, NotDone> {
        let person = self.found(name).await?;
        let until_unix_ms = lasts.until(unix_now_ms());
        if !self.accounts.mute(person, until_unix_ms).await.map_err(|_| NotDone::Unavailable)? {
            return Err(NotDone::TooMany("accounts are muted"));
        }
        Ok(format!("{} posts in no chat until {} UTC\n", person.shown_name(), utc_text(until_unix_ms)))
    }

    pub(super) async fn unmute(&self, name: &str) -> Result<String, NotDone> {
        let person = self.found(name).await?;
        if !self.accounts.unmute(person).await.map_err(|_| NotDone::Unavailable)? {
            return Err(NotDone::NotMuted(name.to_owned()));
        }
        Ok(format!("{} may post again\n", person.shown_name()))
    }

    /// Cuts a network off: its connections are closed, and nothing from there is answered.
    pub(super) async fn cut(&self, address: &str, lasts: Lasts) -> Result<String, NotDone> {
        let network = Cuts::read(address, &self.proxies).map_err(NotDone::NotCut)?;
        let (now_ms, until_unix_ms) = (unix_now_ms(), lasts.until(unix_now_ms()));
        let kept = self.accounts.store.cut(Cut { network: network.to_string(), until_unix_ms }, now_ms).await;
        if !kept.map_err(|_| NotDone::Unavailable)? {
            return Err(NotDone::TooMany("networks are cut"));
        }
        self.accounts.addresses.cuts.insert(CutNetwork { network, until_unix_ms });
        let closed = self.accounts.connections.cut(network);
        Ok(format!("{network} is cut until {} UTC; {closed} sessions are closed\n", utc_text(until_unix_ms)))
    }

    pub(super) async fn uncut(&self, address: &str) -> Result<String, NotDone> {
        let network = Cuts::read(address, &self.proxies).map_err(NotDone::NotCut)?;
        self.accounts.store.uncut(network.to_string()).await.map_err(|_| NotDone::Unavailable)?;
        if !self.accounts.addresses.cuts.remove(network) {
            return Err(NotDone::NoCut(network.to_string()));
        }
        Ok(format!("{network} is cut no more\n"))
    }

    pub(super) fn cuts(&self) -> String {
        let cuts = self.accounts.addresses.cuts.all();
        let line =
            |CutNetwork { network, until_unix_ms }| format!("{}  {network}\n", utc_text(until_unix_ms));
        cuts.into_iter().map(line).collect()
    }
}
