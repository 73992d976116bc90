//! Accounts in memory, with their names and all that proves them.
//!
//! Invariant: no two accounts have the same name, whatever the case of its letters.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Mutex, MutexGuard};

use zeitnot_protocol::{AccountId, Needs, Scope};
use zeitnot_rules::game::PlayerName;

use crate::storage::{
    API_TOKENS_MAX, AccountFacts, BotMade, Changed, CodeDigest, Credential, Day, FactorSecret, KeptToken,
    Kind, NAME_KEPT_DAYS, NewToken, PasswordHash, Person, Proved, Registered, Registration, SESSIONS_MAX,
    SecondFactor, TokenDigest, TokenKind, TokenMade, Which, WriteError,
};
use crate::sync::unpoisoned;

/// The most accounts, about 400 bytes each. Guests are limited per address and minute; this is the
/// bound for all addresses together.
const ACCOUNTS_MAX: usize = 1_000_000;

/// All accounts.
#[derive(Debug, Default)]
pub(super) struct Accounts(Mutex<All>);

/// All of it under one lock: a change is whole.
#[derive(Debug, Default)]
pub(super) struct All {
    accounts: HashMap<AccountId, Account>,
    by_token: HashMap<TokenDigest, AccountId>,
    /// By the name in small letters.
    owners: BTreeMap<String, AccountId>,
    /// The names of closed accounts, in small letters.
    closed_names: HashSet<String>,
    /// How many changes there were.
    changes: u64,
}

#[derive(Debug)]
struct Account {
    kind: Kind,
    name: Option<PlayerName>,
    made_unix_ms: u64,
    seen_day: Day,
    tokens: Vec<KeptToken>,
    /// The password, and when it was set.
    password: Option<(PasswordHash, u64)>,
    /// Recovery codes, and when they end; 0: never.
    codes: Vec<(CodeDigest, u64)>,
    second_factor: Option<SecondFactor>,
    is_admin: bool,
    challenge_rules: Option<String>,
    settings: Option<String>,
}

fn key(name: PlayerName) -> String {
    name.as_str().to_ascii_lowercase()
}

impl Accounts {
    pub(super) fn all(&self) -> MutexGuard<'_, All> {
        unpoisoned(self.0.lock())
    }
}

impl All {
    fn insert(&mut self, account: AccountId, made_unix_ms: u64) -> Result<(), WriteError> {
        if self.accounts.len() >= ACCOUNTS_MAX {
            return Err(WriteError("it holds as many accounts as it may"));
        }
        let guest = Account {
            kind: Kind::Guest,
            name: None,
            made_unix_ms,
            seen_day: 0,
            tokens: Vec::new(),
            password: None,
            codes: Vec::new(),
            second_factor: None,
            is_admin: false,
            challenge_rules: None,
            settings: None,
        };
        self.accounts.insert(account, guest);
        Ok(())
    }

    pub(super) fn create(&mut self, account: AccountId, token: NewToken) -> Result<(), WriteError> {
        self.insert(account, token.made_unix_ms)?;
        self.keep_token(account, token);
        Ok(())
    }

    fn keep_token(&mut self, id: AccountId, token: NewToken) {
        let Some(account) = self.accounts.get_mut(&id) else { return };
        account.seen_day = account.seen_day.max(token.day());
        self.by_token.insert(token.digest, id);
        account.tokens.push(KeptToken { used_day: token.day(), token });
    }

    pub(super) fn get(&self, account: AccountId) -> Option<Person> {
        let Account { kind, name, .. } = *self.accounts.get(&account)?;
        Some(Person { account, kind, name })
    }

    pub(super) fn by_token(&self, token: TokenDigest) -> Option<Proved> {
        let account = *self.by_token.get(&token)?;
        let kept = self.accounts.get(&account)?.tokens.iter().find(|kept| kept.token.digest == token)?;
        Some(Proved { person: self.get(account)?, used_day: kept.used_day, grant: kept.token.grant })
    }

    pub(super) fn by_name(&self, name: PlayerName) -> Option<Person> {
        self.get(*self.owners.get(&key(name))?)
    }

    pub(super) fn by_prefix(&self, prefix: PlayerName, most: usize) -> Vec<Person> {
        let first = key(prefix);
        let from = self.owners.range(first.clone()..);
        let begin_so = from.take_while(|(name, _)| name.starts_with(&first));
        begin_so.filter_map(|(_, account)| self.get(*account)).take(most).collect()
    }

    /// The account as a change of it leaves it.
    fn changed(&mut self, account: AccountId) -> Option<Changed> {
        self.changes += 1;
        Some(Changed { person: self.get(account)?, number: self.changes })
    }

    /// Gives an account a name in place of the one it had, or none.
    fn set_name(&mut self, id: AccountId, name: Option<PlayerName>) {
        let Some(account) = self.accounts.get_mut(&id) else { return };
        if let Some(before) = std::mem::replace(&mut account.name, name) {
            self.owners.remove(&key(before));
        }
        if let Some(name) = name {
            self.owners.insert(key(name), id);
        }
    }

    /// Whether `account` cannot have this name. A guest who was not seen for long loses it here.
    fn is_taken(&mut self, name: PlayerName, account: AccountId, today: Day) -> bool {
        let Some(owner) = self.owners.get(&key(name)).copied() else {
            return self.closed_names.contains(&key(name));
        };
        let is_kept = self.accounts.get(&owner).is_some_and(|owner| {
            owner.kind != Kind::Guest || owner.seen_day.saturating_add(NAME_KEPT_DAYS) >= today
        });
        if owner != account && !is_kept {
            self.set_name(owner, None);
        }
        owner != account && is_kept
    }

    pub(super) fn rename(&mut self, account: AccountId, name: PlayerName, today: Day) -> Option<Changed> {
        if !self.accounts.contains_key(&account) || self.is_taken(name, account, today) {
            return None;
        }
        self.set_name(account, Some(name));
        self.changed(account)
    }

    /// Makes a person a bot, who has or has not played rated games.
    pub(super) fn make_bot(&mut self, id: AccountId, has_rated_games: bool) -> BotMade {
        match self.accounts.get_mut(&id) {
            _ if has_rated_games => BotMade::HasRatedGames,
            Some(account) if account.is_admin => BotMade::IsAdmin,
            Some(account) if account.kind == Kind::Registered => {
                account.kind = Kind::Bot;
                self.changed(id).map_or(BotMade::NotAPerson, BotMade::As)
            }
            Some(_) | None => BotMade::NotAPerson,
        }
    }

    pub(super) fn keep_api_token(&mut self, id: AccountId, token: NewToken) -> TokenMade {
        let kind = self.accounts.get(&id).map(|account| account.kind);
        if kind.is_none_or(|kind| !kind.is_registered()) {
            return TokenMade::NotRegistered;
        }
        if token.grant.scopes.allow(Needs::Scope(Scope::Admin)) && !self.is_admin(id) {
            return TokenMade::NotAdmin;
        }
        let mut tokens = self.tokens(id);
        tokens.retain(|kept| kept.token.kind == TokenKind::Api);
        for over in tokens.extract_if(.., |kept| kept.token.grant.is_over(token.made_unix_ms)) {
            self.revoke(id, &Which::One(over.token.digest));
        }
        if tokens.len() >= API_TOKENS_MAX {
            return TokenMade::TooMany;
        }
        self.keep_token(id, token);
        TokenMade::Kept
    }

    pub(super) fn revoke(&mut self, account: AccountId, which: &Which) -> Vec<TokenDigest> {
        let Some(account) = self.accounts.get_mut(&account) else { return Vec::new() };
        let all = account.tokens.extract_if(.., |kept| which.has(&kept.token));
        let ended: Vec<_> = all.map(|kept| kept.token.digest).collect();
        for digest in &ended {
            self.by_token.remove(digest);
        }
        ended
    }

    pub(super) fn tokens(&self, account: AccountId) -> Vec<KeptToken> {
        let mut tokens = self.accounts.get(&account).map_or_else(Vec::new, |account| account.tokens.clone());
        tokens.sort_by_key(|kept| std::cmp::Reverse((kept.used_day, kept.token.made_unix_ms)));
        tokens
    }

    pub(super) fn note_use(&mut self, account: AccountId, token: TokenDigest, today: Day) {
        let Some(account) = self.accounts.get_mut(&account) else { return };
        account.seen_day = account.seen_day.max(today);
        for kept in account.tokens.iter_mut().filter(|kept| kept.token.digest == token) {
            kept.used_day = kept.used_day.max(today);
        }
    }

    pub(super) fn register(&mut self, registration: Registration) -> Result<Registered, WriteError> {
        let Registration { account, is_new, name, password, token, ended, .. } = registration;
        if self.is_taken(name, account, token.day()) {
            return Ok(Registered::NameTaken);
        }
        if is_new {
            self.insert(account, token.made_unix_ms)?;
        }
        let Some(guest) = self.accounts.get_mut(&account).filter(|account| account.kind == Kind::Guest)
        else {
            return Ok(Registered::NotAGuest);
        };
        guest.kind = Kind::Registered;
        guest.password = Some((password, token.made_unix_ms));
        self.set_name(account, Some(name));
        let ended = ended.map_or_else(Vec::new, |which| self.revoke(account, &which));
        self.keep_token(account, token);
        Ok(self.changed(account).map_or(Registered::NotAGuest, |changed| Registered::As(changed, ended)))
    }

    pub(super) fn credential(&self, account: AccountId) -> Option<Credential> {
        let password = self.accounts.get(&account)?.password.as_ref().map(|(hash, _)| hash.clone());
        Some(Credential { person: self.get(account)?, password })
    }

    /// The account, if its password is still this one.
    fn verified(&mut self, account: AccountId, verified: &PasswordHash) -> Option<&mut Account> {
        let account = self.accounts.get_mut(&account)?;
        account.password.as_ref().is_some_and(|(hash, _)| hash == verified).then_some(account)
    }

    pub(super) fn sign_in(
        &mut self,
        account: AccountId,
        verified: &PasswordHash,
        token: NewToken,
        replaces: Option<TokenDigest>,
    ) -> Option<Vec<TokenDigest>> {
        self.verified(account, verified)?;
        let mut ended = replaces.map_or_else(Vec::new, |digest| self.revoke(account, &Which::One(digest)));
        self.keep_token(account, token);
        let mut sessions = self.tokens(account);
        sessions.retain(|kept| kept.token.kind == TokenKind::Session);
        for oldest in sessions.iter().skip(SESSIONS_MAX) {
            ended.extend(self.revoke(account, &Which::One(oldest.token.digest)));
        }
        Some(ended)
    }

    pub(super) fn change_password(
        &mut self,
        account: AccountId,
        verified: &PasswordHash,
        password: PasswordHash,
        at_unix_ms: u64,
        kept: TokenDigest,
    ) -> Option<Vec<TokenDigest>> {
        self.verified(account, verified)?.password = Some((password, at_unix_ms));
        Some(self.revoke(account, &Which::AllSessionsBut(kept)))
    }

    pub(super) fn set_recovery_codes(&mut self, account: AccountId, codes: Vec<CodeDigest>) {
        if let Some(account) = self.accounts.get_mut(&account) {
            account.codes = codes.into_iter().map(|code| (code, 0)).collect();
        }
    }

    pub(super) fn set_reset_code(&mut self, account: AccountId, code: CodeDigest, until_unix_ms: u64) {
        if let Some(account) = self.accounts.get_mut(&account) {
            account.codes.retain(|(_, until)| *until == 0);
            account.codes.push((code, until_unix_ms));
        }
    }

    pub(super) fn recover(
        &mut self,
        id: AccountId,
        code: CodeDigest,
        password: PasswordHash,
        token: NewToken,
    ) -> Option<Vec<TokenDigest>> {
        let account = self.accounts.get_mut(&id)?;
        let is_it =
            |(kept, until): &(CodeDigest, u64)| *kept == code && (*until == 0 || *until > token.made_unix_ms);
        let place = account.codes.iter().position(is_it)?;
        account.codes.remove(place);
        account.password = Some((password, token.made_unix_ms));
        let ended = self.revoke(id, &Which::All);
        self.keep_token(id, token);
        Some(ended)
    }

    pub(super) fn set_challenge_rules(&mut self, account: AccountId, rules: String) {
        if let Some(account) = self.accounts.get_mut(&account) {
            account.challenge_rules = Some(rules);
        }
    }

    pub(super) fn challenge_rules(&self, account: AccountId) -> Option<String> {
        self.accounts.get(&account)?.challenge_rules.clone()
    }

    pub(super) fn set_settings(&mut self, account: AccountId, settings: String) {
        if let Some(account) = self.accounts.get_mut(&account) {
            account.settings = Some(settings);
        }
    }

    pub(super) fn settings(&self, account: AccountId) -> Option<String> {
        self.accounts.get(&account)?.settings.clone()
    }

    pub(super) fn close(
        &mut self,
        id: AccountId,
        verified: Option<&PasswordHash>,
    ) -> Option<(Changed, Vec<TokenDigest>)> {
        let account = match verified {
            Some(verified) => self.verified(id, verified)?,
            None => self.accounts.get_mut(&id).filter(|account| account.kind.is_registered())?,
        };
        (account.kind, account.password) = (Kind::Closed, None);
        account.codes.clear();
        (account.second_factor, account.is_admin) = (None, false);
        (account.challenge_rules, account.settings) = (None, None);
        if let Some(name) = account.name {
            self.closed_names.insert(key(name));
        }
        self.set_name(id, None);
        let ended = self.revoke(id, &Which::All);
        Some((self.changed(id)?, ended))
    }

    pub(super) fn is_admin(&self, account: AccountId) -> bool {
        self.accounts.get(&account).is_some_and(|account| account.is_admin)
    }

    pub(super) fn grant_admin(&mut self, account: AccountId) -> bool {
        let account = self.accounts.get_mut(&account).filter(|account| account.kind == Kind::Registered);
        account.map(|account| account.is_admin = true).is_some()
    }

    pub(super) fn withdraw_admin(&mut self, id: AccountId) -> Option<Vec<TokenDigest>> {
        let account = self.accounts.get_mut(&id)?;
        let had_it = std::mem::take(&mut account.is_admin);
        let ended = self.revoke(id, &Which::Allowing(Needs::Scope(Scope::Admin)));
        (had_it || !ended.is_empty()).then_some(ended)
    }

    pub(super) fn second_factor(&self, account: AccountId) -> Option<SecondFactor> {
        self.accounts.get(&account)?.second_factor
    }

    pub(super) fn begin_second_factor(&mut self, account: AccountId, secret: FactorSecret) -> bool {
        let Some(account) = self.accounts.get_mut(&account) else { return false };
        let has_one = account.second_factor.is_some_and(|factor| factor.set_unix_ms.is_some());
        if has_one || !account.kind.is_registered() {
            return false;
        }
        account.second_factor = Some(SecondFactor { secret, set_unix_ms: None, used_step: 0 });
        true
    }

    pub(super) fn use_second_factor(
        &mut self,
        account: AccountId,
        secret: FactorSecret,
        step: u64,
        at_unix_ms: u64,
    ) -> bool {
        let factor = self.accounts.get_mut(&account).and_then(|account| account.second_factor.as_mut());
        let Some(factor) = factor.filter(|factor| factor.secret == secret && factor.used_step < step) else {
            return false;
        };
        factor.used_step = step;
        factor.set_unix_ms = factor.set_unix_ms.or(Some(at_unix_ms));
        true
    }

    pub(super) fn remove_second_factor(&mut self, account: AccountId) -> bool {
        self.accounts.get_mut(&account).is_some_and(|account| account.second_factor.take().is_some())
    }

    pub(super) fn has_recovery_code(&self, account: AccountId, code: CodeDigest, at_unix_ms: u64) -> bool {
        let is_it = |(kept, until): &(CodeDigest, u64)| *kept == code && (*until == 0 || *until > at_unix_ms);
        self.accounts.get(&account).is_some_and(|account| account.codes.iter().any(is_it))
    }

    pub(super) fn use_recovery_code(&mut self, account: AccountId, code: CodeDigest) -> bool {
        let Some(account) = self.accounts.get_mut(&account) else { return false };
        let place = account.codes.iter().position(|kept| *kept == (code, 0));
        place.map(|place| account.codes.remove(place)).is_some()
    }

    pub(super) fn facts(&self, account: AccountId) -> Option<AccountFacts> {
        let account = self.accounts.get(&account)?;
        Some(AccountFacts {
            made_unix_ms: account.made_unix_ms,
            seen_day: account.seen_day,
            password_set_unix_ms: account.password.as_ref().map(|(_, at)| *at),
            recovery_codes: u32::try_from(account.codes.iter().filter(|(_, until)| *until == 0).count())
                .unwrap_or(u32::MAX),
            second_factor_set_unix_ms: account.second_factor.and_then(|factor| factor.set_unix_ms),
            is_admin: account.is_admin,
            muted_until_unix_ms: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_only_so_many_accounts() {
        let accounts = Accounts::default();
        let mut all = accounts.all();
        for number in 0..ACCOUNTS_MAX {
            all.insert(AccountId::from_u128(number as u128), 5).unwrap();
        }
        let token = NewToken::shown(TokenDigest([1; 32]), 5);
        assert!(all.create(AccountId::from_u128(u128::MAX), token).is_err());
        assert_eq!(all.accounts.len(), ACCOUNTS_MAX);
    }
}
