//! What a client can ask for about its account, whichever way the request came, and the cookie of the answer.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts as _;
use axum::extract::{Extension, FromRequest, Request};
use http::{HeaderMap, HeaderValue};
use zeitnot_protocol::{Scope, Scopes, WireCategory};
use zeitnot_rules::game::Category;

use super::fields::{Fields, Written};
use super::programs::scopes_of;
use crate::accounts::{
    Accounts, ChallengeRules, ChallengesFrom, Client, Kind, Known, NewFactor, NewToken, Person, SignedIn,
    Token, WantedToken,
};
use crate::http::error::ApiError;
use crate::http::guard::Visitor;
use crate::http::identity::{Credential, clear_cookie, label, set_cookie};
use crate::http::own_pages::{Catalogue, Language};
use crate::http::state::HttpState;
use crate::lobby::Lobby;
use crate::net::Origin;
use crate::tasks::Tasks;

/// Letters of the name of an API token.
pub(super) const TOKEN_NAME_CHARS_MAX: usize = 64;

/// The longest that an API token which expires may be good for: ten years.
const TOKEN_DAYS_MAX: u64 = 3_650;

/// The scopes of these names; `None`: one of them is none.
fn scopes(names: &[&str]) -> Option<Scopes> {
    let mut scopes = Scopes::NONE;
    for name in names {
        let scope: Scope = name.parse().ok()?;
        scopes = scopes.with(scope);
    }
    Some(scopes)
}

/// The name of a token, if it can be one.
fn token_name(text: &str) -> Option<&str> {
    let name = text.trim();
    let fits = !name.is_empty() && name.chars().count() <= TOKEN_NAME_CHARS_MAX;
    (fits && !name.chars().any(char::is_control)).then_some(name)
}

/// A request about an account: who asks, and what answers it.
pub(in crate::http) struct AccountRequest {
    pub(super) accounts: Arc<Accounts>,
    pub(super) lobby: Arc<Lobby>,
    tasks: Tasks,
    pub(super) client: Client,
    site: Option<Origin>,
    language: Language,
    /// What is in the body, or what is wrong with it.
    fields: Result<Fields, ApiError>,
}

impl FromRequest<HttpState> for AccountRequest {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &HttpState) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let Extension(visitor) = Extension::<Visitor>::from_request_parts(&mut parts, state)
            .await
            .map_err(|_| ApiError::Internal)?;
        let client = client(&visitor, &parts.headers)?;
        if state.edge.tasks.is_stopping() {
            return Err(ApiError::Unavailable);
        }
        Ok(Self {
            accounts: Arc::clone(&state.sessions.accounts),
            lobby: Arc::clone(&state.sessions.lobby),
            tasks: state.edge.tasks.clone(),
            client,
            site: visitor.site,
            language: Language::of(&parts.headers),
            fields: Fields::read(body, Written::at(parts.uri.path())).await,
        })
    }
}

/// Who asks. A cookie or a token that nobody has any more is none.
fn client(visitor: &Visitor, headers: &HeaderMap) -> Result<Client, ApiError> {
    let has_cookie = matches!(Credential::read(headers, visitor.site.as_ref())?, Some(Credential::Cookie(_)));
    let known = match visitor.known {
        Some(Ok(known)) => Some(known),
        None | Some(Err(ApiError::BadToken)) => None,
        Some(Err(error)) => return Err(error),
    };
    Ok(Client { address: visitor.address, known, has_cookie, label: label(headers) })
}

impl AccountRequest {
    /// The account that asks.
    pub(super) fn known(&self) -> Result<Known, ApiError> {
        self.client.known.ok_or(ApiError::NoIdentity)
    }

    /// The texts of the pages in the language of whoever asks.
    pub(super) const fn catalogue(&self) -> &'static Catalogue {
        self.language.catalogue()
    }

    /// The fields in the body.
    pub(super) fn fields(&self) -> Result<&Fields, ApiError> {
        self.fields.as_ref().map_err(|error| *error)
    }

    /// Registers; the cookie.
    pub(super) async fn register(&self) -> Result<(SignedIn, HeaderValue), ApiError> {
        let fields = self.fields()?;
        let (name, password) = (fields.text_if_any("name")?, fields.text("password")?);
        if name.is_none() && self.client.known.is_none_or(|known| known.person.name.is_none()) {
            return Err(ApiError::BadField("name"));
        }
        let ends_others = fields.flag("sign_out_others")?;
        let changed = |person| self.lobby.changed(person);
        let signed_in = self.accounts.register(&self.client, name, password, ends_others, changed).await?;
        self.with_cookie(signed_in)
    }

    /// Signs in; the cookie.
    pub(super) async fn sign_in(&self) -> Result<(SignedIn, HeaderValue), ApiError> {
        let fields = self.fields()?;
        let (name, password) = (fields.text("name")?, fields.text("password")?);
        let second_factor = fields.text_if_any("second_factor")?;
        self.with_cookie(self.accounts.sign_in(&self.client, name, password, second_factor).await?)
    }

    /// Signs in by a recovery code; the cookie.
    pub(super) async fn recover(&self) -> Result<(SignedIn, HeaderValue), ApiError> {
        let fields = self.fields()?;
        let (name, code) = (fields.text("name")?, fields.text("code")?);
        let (password, second_factor) = (fields.text("new_password")?, fields.text_if_any("second_factor")?);
        self.with_cookie(self.accounts.recover(&self.client, name, code, password, second_factor).await?)
    }

    /// Signs out; the cookie that makes the browser forget.
    pub(super) async fn sign_out(&self) -> Result<HeaderValue, ApiError> {
        self.accounts.sign_out(self.known()?).await.map_err(|_| ApiError::Unavailable)?;
        clear_cookie(self.site.as_ref())
    }

    /// Signs out on all devices; the cookie that makes the browser forget.
    pub(super) async fn sign_out_everywhere(&self) -> Result<HeaderValue, ApiError> {
        self.accounts.sign_out_everywhere(self.known()?).await?;
        clear_cookie(self.site.as_ref())
    }

    /// Ends one session.
    pub(super) async fn end_session(&self, id: &str) -> Result<(), ApiError> {
        let is_known = self.accounts.end_session(self.known()?, id).await?;
        if is_known { Ok(()) } else { Err(ApiError::UnknownSession) }
    }

    /// Makes the account a bot. It goes on to the end also when the client does not wait for it.
    pub(super) async fn become_bot(&self) -> Result<Person, ApiError> {
        let known = self.known()?;
        match known.person.kind {
            Kind::Bot => return Ok(known.person),
            Kind::Registered => {}
            Kind::Guest | Kind::Closed => return Err(ApiError::NotRegistered),
        }
        let held = self.lobby.hold(known.person.account).ok_or(ApiError::HasLiveGames)?;
        let (accounts, lobby) = (Arc::clone(&self.accounts), Arc::clone(&self.lobby));
        let done = self.tasks.spawn(async move {
            let made = accounts.become_bot(known, |person| lobby.changed(person)).await;
            drop(held);
            made
        });
        Ok(done.await.map_err(|_| ApiError::Internal)??)
    }

    /// Makes an API token.
    pub(super) async fn make_token(&self) -> Result<(Token, NewToken), ApiError> {
        self.known()?;
        let fields = self.fields()?;
        let name = token_name(fields.text("name")?).ok_or(ApiError::BadField("name"))?;
        let days = fields.number_if_any("expires_days")?;
        if days.is_some_and(|days| !(1..=TOKEN_DAYS_MAX).contains(&days)) {
            return Err(ApiError::BadField("expires_days"));
        }
        let scopes = scopes(&fields.texts("scopes")?).ok_or(ApiError::BadField("scopes"))?;
        let lasts = days.map(|days| Duration::from_secs(days * 86_400));
        let wanted = WantedToken { name: name.to_owned(), scopes, lasts };
        let second_factor = fields.text_if_any("second_factor")?;
        Ok(self.accounts.make_api_token(&self.client, wanted, second_factor).await?)
    }

    /// Makes a token with scopes by the names that Lichess has for them, and makes the account a bot if that is wanted: the
    /// name of the token, and the token.
    pub(super) async fn make_program_token(&self) -> Result<(String, String), ApiError> {
        let fields = self.fields()?;
        let name = token_name(fields.text("description")?).ok_or(ApiError::BadField("description"))?;
        let scopes = scopes_of(fields.texts("scopes")?.into_iter()).ok_or(ApiError::BadField("scopes"))?;
        if fields.flag("bot")? {
            self.become_bot().await?;
        }
        let wanted = WantedToken { name: name.to_owned(), scopes, lasts: None };
        let (token, kept) = self.accounts.make_api_token(&self.client, wanted, None).await?;
        Ok((kept.label, token.reveal()))
    }

    /// Who is to be allowed to challenge the account.
    pub(super) fn challenge_rules(&self) -> Result<ChallengeRules, ApiError> {
        let fields = self.fields()?;
        let from = match fields.text("from")? {
            "everybody" => ChallengesFrom::Everybody,
            "accounts" => ChallengesFrom::Accounts,
            "nobody" => ChallengesFrom::Nobody,
            _ => return Err(ApiError::BadField("from")),
        };
        let named =
            |text: &str| Category::ALL.into_iter().map(WireCategory::from).find(|one| one.as_str() == text);
        let categories = fields.texts("categories")?.into_iter().map(named).collect::<Option<Vec<_>>>();
        let mut categories = categories.ok_or(ApiError::BadField("categories"))?;
        categories.sort_unstable();
        categories.dedup();
        Ok(ChallengeRules { from, bots: fields.flag("bots")?, categories })
    }

    /// Revokes an API token.
    pub(super) async fn revoke_token(&self, id: &str) -> Result<(), ApiError> {
        let is_known = self.accounts.revoke_api_token(self.known()?, id).await?;
        if is_known { Ok(()) } else { Err(ApiError::UnknownToken) }
    }

    /// Sets another password.
    pub(super) async fn change_password(&self) -> Result<(), ApiError> {
        self.known()?;
        let fields = self.fields()?;
        let (present, new) = (fields.text("password")?, fields.text("new_password")?);
        Ok(self.accounts.change_password(&self.client, present, new).await?)
    }

    /// Makes recovery codes.
    pub(super) async fn recovery_codes(&self) -> Result<Vec<String>, ApiError> {
        self.known()?;
        let (password, second_factor) = self.owner_fields()?;
        Ok(self.accounts.new_recovery_codes(&self.client, password, second_factor).await?)
    }

    /// Begins to set a second factor.
    pub(super) async fn begin_second_factor(&self) -> Result<NewFactor, ApiError> {
        self.known()?;
        Ok(self.accounts.begin_second_factor(&self.client, self.fields()?.text("password")?).await?)
    }

    /// Confirms a second factor.
    pub(super) async fn confirm_second_factor(&self) -> Result<(), ApiError> {
        self.known()?;
        let code = self.fields()?.text("second_factor")?;
        Ok(self.accounts.confirm_second_factor(&self.client, code).await?)
    }

    /// Takes the second factor away.
    pub(super) async fn remove_second_factor(&self) -> Result<(), ApiError> {
        self.known()?;
        let (password, second_factor) = self.owner_fields()?;
        Ok(self.accounts.remove_second_factor(&self.client, password, second_factor).await?)
    }

    /// The fields by which an owner proves to be one.
    fn owner_fields(&self) -> Result<(&str, Option<&str>), ApiError> {
        let fields = self.fields()?;
        Ok((fields.text("password")?, fields.text_if_any("second_factor")?))
    }

    /// Closes the account; the cookie that makes the browser forget.
    pub(super) async fn close(&self) -> Result<HeaderValue, ApiError> {
        self.known()?;
        let changed = |person| self.lobby.changed(person);
        let (password, second_factor) = self.owner_fields()?;
        self.accounts.close(&self.client, password, second_factor, changed).await?;
        clear_cookie(self.site.as_ref())
    }

    fn with_cookie(&self, signed_in: SignedIn) -> Result<(SignedIn, HeaderValue), ApiError> {
        let cookie = set_cookie(self.site.as_ref(), &signed_in.token.reveal())?;
        Ok((signed_in, cookie))
    }
}
