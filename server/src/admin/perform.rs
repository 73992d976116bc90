//! Doing what an admin wants done.

use std::fmt;
use std::sync::Arc;

use zeitnot_protocol::GameId;

use super::act::SHOWN_MAX;
use super::{AdminAct, GameResult};
use crate::accounts::{AccountError, Accounts, BadName, Person};
use crate::games::{Games, History};
use crate::lobby::Lobby;
use crate::net::{NotCut, Proxies};
use crate::storage::{AuditEntry, AuditStore};
use crate::time::{unix_now_ms, utc_text};

/// What the acts are done with.
#[derive(Debug)]
pub(crate) struct Admin {
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) lobby: Arc<Lobby>,
    pub(crate) games: Games,
    pub(crate) history: History,
    pub(crate) audit: Arc<dyn AuditStore>,
    /// Who is never cut.
    pub(crate) proxies: Proxies,
    /// Held while an act is done.
    pub(crate) acting: tokio::sync::Mutex<()>,
}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum By {
    /// Whoever runs the server, on its machine.
    Console,
    /// This admin, over HTTP.
    Admin(Person),
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Console => f.write_str("console"),
            Self::Admin(person) => write!(f, "{} ({})", person.shown_name(), person.account),
        }
    }
}

/// Why an act was not done, for the admin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum NotDone {
    #[error("no account has the name {0:?}")]
    UnknownName(String),
    #[error("the account of {0:?} is a guest's: it has no password, and is not closed but forgotten")]
    Guest(String),
    #[error("{0}")]
    BadName(BadName),
    #[error("the account of {0:?} is a bot's, and bots are no admins")]
    Bot(String),
    #[error("{0:?} is no admin")]
    NotAdmin(String),
    #[error("{0:?} is an admin: only whoever runs the server can do this to an admin")]
    IsAdmin(String),
    #[error("{0:?} is not muted")]
    NotMuted(String),
    #[error("{0}")]
    NotCut(NotCut),
    #[error("{0} is not cut")]
    NoCut(String),
    #[error("as many {0} as there may be")]
    TooMany(&'static str),
    #[error("no report {0} waits")]
    NoReport(u64),
    #[error("there is no game {0:?}")]
    UnknownGame(String),
    #[error("the game {0} has not ended")]
    NotEnded(GameId),
    #[error("the game {0} was played elsewhere and imported: its result is not this server's to correct")]
    Imported(GameId),
    #[error("the game {0} counts as {1} already")]
    SameResult(GameId, GameResult),
    #[error("the game {0} was corrected as often as a game may be")]
    TooManyCorrections(GameId),
    #[error("what is kept of the game {0}, or of the ratings of its players, is damaged: nothing is changed")]
    DamagedGame(GameId),
    #[error("only whoever runs the server can do this, with zeitnot admin")]
    ConsoleOnly,
    #[error("a guest plays under the name {0:?}")]
    GuestName(String),
    #[error("{0:?} plays, and becomes a bot only when its games have ended")]
    Plays(String),
    #[error("{0:?} has played rated games as a person, and can be no bot")]
    HasRatedGames(String),
    #[error("the account of {0:?} is an admin's, and admins are no bots")]
    IsAnAdmin(String),
    #[error("{0:?} has as many API tokens as an account may have: revoke some")]
    TooManyTokens(String),
    #[error("another account has the name {0:?}, or had it when it was closed")]
    NameTaken(String),
    #[error("the store does not answer; nothing is known to be done")]
    Unavailable,
}

impl Admin {
    /// Does what `by` wants done; the answer is what the admin is told. `site` is where browsers find this server, without
    /// a slash at the end.
    pub(crate) async fn perform(&self, act: AdminAct, by: &By, site: &str) -> Result<String, NotDone> {
        let _acting = self.acting.lock().await;
        self.check(&act, by).await?;
        if !act.only_reads() {
            let what = serde_json::to_string(&act).map_err(|_| NotDone::Unavailable)?;
            tracing::info!(%by, act = what, "an admin acts");
            let entry = AuditEntry { at_unix_ms: unix_now_ms(), by: by.to_string(), act: what };
            self.audit.note_act(entry).await.map_err(|_| NotDone::Unavailable)?;
        }
        match act {
            AdminAct::Reset { name, second_factor } => self.reset(&name, second_factor, site).await,
            AdminAct::Rename { name, new } => self.rename(&name, &new).await,
            AdminAct::Close { name } => self.close(&name).await,
            AdminAct::Grant { name } => self.grant(&name).await,
            AdminAct::Withdraw { name } => self.withdraw(&name).await,
            AdminAct::Mute { name, lasts } => self.mute(&name, lasts).await,
            AdminAct::Unmute { name } => self.unmute(&name).await,
            AdminAct::Cut { address, lasts } => self.cut(&address, lasts).await,
            AdminAct::Uncut { address } => self.uncut(&address).await,
            AdminAct::Token { name, bot } => self.token(&name, bot).await,
            AdminAct::Cuts {} => Ok(self.cuts()),
            AdminAct::Reports { most } => self.reports(most.min(SHOWN_MAX)).await,
            AdminAct::Handled { report } => self.handled(report).await,
            AdminAct::Correct { game, result, reason: _ } => self.correct(&game, result).await,
            AdminAct::Log { most } => self.log(most.min(SHOWN_MAX)).await,
        }
    }

    /// Whether `by` may do this at all. Over HTTP nothing is done to an admin, oneself included: a token that was stolen
    /// takes no admin's account or second factor away.
    async fn check(&self, act: &AdminAct, by: &By) -> Result<(), NotDone> {
        if *by == By::Console {
            return Ok(());
        }
        if act.is_for_the_console() {
            return Err(NotDone::ConsoleOnly);
        }
        let Some(name) = act.target() else { return Ok(()) };
        match self.found(name).await {
            Ok(target) if self.is_admin(target).await? => Err(NotDone::IsAdmin(name.to_owned())),
            // What is wrong with the name is said, and logged, as at the console.
            Ok(_) | Err(NotDone::UnknownName(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn is_admin(&self, person: Person) -> Result<bool, NotDone> {
        self.accounts.is_admin(person).await.map_err(|_| NotDone::Unavailable)
    }

    pub(super) async fn named(&self, name: &str) -> Result<Person, NotDone> {
        let found = self.accounts.by_name(name).await.map_err(|_| NotDone::Unavailable)?;
        found.ok_or_else(|| NotDone::UnknownName(name.to_owned()))
    }

    async fn registered(&self, name: &str) -> Result<Person, NotDone> {
        let person = self.named(name).await?;
        if person.kind.is_registered() { Ok(person) } else { Err(NotDone::Guest(name.to_owned())) }
    }

    async fn reset(&self, name: &str, takes_second_factor: bool, site: &str) -> Result<String, NotDone> {
        let person = self.registered(name).await?;
        if takes_second_factor {
            self.accounts.forget_second_factor(person.account).await.map_err(|_| NotDone::Unavailable)?;
        }
        let code = self.accounts.make_reset_code(person).await.map_err(|_| NotDone::Unavailable)?;
        Ok(format!("{site}/sign-in?name={}&code={code}\n", person.shown_name()))
    }

    async fn rename(&self, name: &str, new: &str) -> Result<String, NotDone> {
        let person = self.named(name).await?;
        let lobby = Arc::clone(&self.lobby);
        let renamed = self.accounts.rename_by_admin(person, new, |person| lobby.changed(person)).await;
        renamed.map_err(|error| match error {
            AccountError::BadName(why) => NotDone::BadName(why),
            AccountError::NameTaken => NotDone::NameTaken(new.to_owned()),
            _ => NotDone::Unavailable,
        })?;
        Ok(format!("{} is called {new} from now on\n", person.shown_name()))
    }

    async fn close(&self, name: &str) -> Result<String, NotDone> {
        let person = self.registered(name).await?;
        let lobby = Arc::clone(&self.lobby);
        let closed = self.accounts.close_by_admin(person.account, |person| lobby.changed(person)).await;
        closed.map_err(|_| NotDone::Unavailable)?;
        Ok(format!("the account of {} is closed\n", person.shown_name()))
    }

    async fn grant(&self, name: &str) -> Result<String, NotDone> {
        let person = self.registered(name).await?;
        if !self.accounts.grant_admin(person).await.map_err(|_| NotDone::Unavailable)? {
            return Err(NotDone::Bot(name.to_owned()));
        }
        Ok(format!("{} is an admin, and can act as one with a second factor\n", person.shown_name()))
    }

    async fn withdraw(&self, name: &str) -> Result<String, NotDone> {
        let person = self.registered(name).await?;
        if !self.accounts.withdraw_admin(person).await.map_err(|_| NotDone::Unavailable)? {
            return Err(NotDone::NotAdmin(name.to_owned()));
        }
        Ok(format!("{} is no admin any more\n", person.shown_name()))
    }

    /// The last acts, the last one first, at most `most`.
    pub(crate) async fn acts(&self, most: u32) -> Result<Vec<AuditEntry>, NotDone> {
        self.audit.acts(most as usize).await.map_err(|_| NotDone::Unavailable)
    }

    async fn log(&self, most: u32) -> Result<String, NotDone> {
        let acts = self.acts(most).await?;
        let mut text = String::new();
        for AuditEntry { at_unix_ms, by, act } in acts {
            let at = utc_text(at_unix_ms);
            text.push_str(&format!("{at}  {by}  {act}\n"));
        }
        Ok(text)
    }
}
