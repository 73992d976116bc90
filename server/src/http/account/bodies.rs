//! What `/api/account…` answers with, and the fields that it reads, as the API's document has them.
//!
//! Invariant: an answer is written from the type that describes it. The fields of a request are read one by one, from JSON
//! and from forms alike (`fields`, `acts`), so their types here only describe.

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::Ref;
use utoipa::openapi::schema::{Array, ArrayBuilder};
use zeitnot_protocol::{AccountId, GameId, Scope, WireCategory};

use crate::accounts::{
    ChallengeRules, ChallengesFrom, KeptToken, Kind, NewToken, Person, TokenDigest, TokenKind,
};
use crate::storage::{AccountFacts, Report, first_second};
use crate::time::unix_now_ms;

/// The schema of the wire's own type.
fn account_id() -> Ref {
    Ref::from_schema_name("AccountId")
}

/// An account, for its owner.
#[derive(Serialize, ToSchema)]
pub(super) struct Owner {
    #[schema(schema_with = account_id)]
    pub(super) account: AccountId,
    pub(super) name: String,
    /// `guest`, `registered`, `bot` or `closed`.
    pub(super) kind: &'static str,
}

impl Owner {
    pub(super) fn of(person: Person) -> Self {
        let kind = match person.kind {
            Kind::Guest => "guest",
            Kind::Registered => "registered",
            Kind::Bot => "bot",
            Kind::Closed => "closed",
        };
        Self { account: person.account, name: person.shown_name(), kind }
    }
}

/// A device that is signed in, or a program that holds a token.
#[derive(Serialize, ToSchema)]
pub(super) struct Session {
    pub(super) id: String,
    /// `session` for a browser, `token` for a program.
    pub(super) kind: &'static str,
    pub(super) label: String,
    /// In seconds since 1970.
    pub(super) made: u64,
    /// The day of the last use, by its first second.
    pub(super) used: u64,
    /// Whether it is the one of the request.
    pub(super) here: bool,
}

impl Session {
    pub(super) fn of(kept: &KeptToken, here: TokenDigest) -> Self {
        let token = &kept.token;
        Self {
            id: token.digest.shown_id(),
            kind: match token.kind {
                TokenKind::Session => "session",
                TokenKind::Shown | TokenKind::Api => "token",
            },
            label: token.label.clone(),
            made: token.made_unix_ms / 1_000,
            used: first_second(kept.used_day),
            here: token.digest == here,
        }
    }
}

/// An API token, without its secret.
#[derive(Serialize, ToSchema)]
pub(super) struct ApiToken {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) scopes: Vec<&'static str>,
    /// In seconds since 1970.
    pub(super) made: u64,
    /// The day of the last use, by its first second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) used: Option<u64>,
    /// In seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) expires: Option<u64>,
}

impl ApiToken {
    pub(super) fn of(token: &NewToken) -> Self {
        Self {
            id: token.digest.shown_id(),
            name: token.label.clone(),
            scopes: token.grant.scopes.iter().map(Scope::as_str).collect(),
            made: token.made_unix_ms / 1_000,
            used: None,
            expires: token.grant.until_unix_ms.map(|until| until / 1_000),
        }
    }

    pub(super) fn of_kept(kept: &KeptToken) -> Self {
        Self { used: Some(first_second(kept.used_day)), ..Self::of(&kept.token) }
    }
}

/// What is kept of an account beside its sessions, in numbers.
#[derive(Serialize, ToSchema)]
pub(super) struct OwnerFacts {
    #[serde(flatten)]
    pub(super) owner: Owner,
    /// In seconds since 1970.
    pub(super) made: u64,
    /// In seconds since 1970; null without a password.
    pub(super) password_set: Option<u64>,
    /// How many recovery codes are left.
    pub(super) recovery_codes: u32,
    /// When the second factor was confirmed, in seconds since 1970; null without one.
    pub(super) second_factor_set: Option<u64>,
    /// Whether it is an admin's.
    pub(super) admin: bool,
    /// Until when it may not post in chats, in seconds since 1970; null if it may.
    pub(super) muted_until: Option<u64>,
}

impl OwnerFacts {
    pub(super) fn of(person: Person, facts: &AccountFacts) -> Self {
        Self {
            owner: Owner::of(person),
            made: facts.made_unix_ms / 1_000,
            password_set: facts.password_set_unix_ms.map(|at| at / 1_000),
            recovery_codes: facts.recovery_codes,
            second_factor_set: facts.second_factor_set_unix_ms.map(|at| at / 1_000),
            admin: facts.is_admin,
            muted_until: facts
                .muted_until_unix_ms
                .filter(|until| *until > unix_now_ms())
                .map(|at| at / 1_000),
        }
    }
}

/// The sessions of an account.
#[derive(Serialize, ToSchema)]
pub(super) struct Sessions {
    pub(super) sessions: Vec<Session>,
}

/// The API tokens of an account.
#[derive(Serialize, ToSchema)]
pub(super) struct ApiTokens {
    pub(super) tokens: Vec<ApiToken>,
}

/// An API token that was just made.
#[derive(Serialize, ToSchema)]
pub(super) struct MadeToken {
    #[serde(flatten)]
    pub(super) kept: ApiToken,
    /// The secret.
    pub(super) token: String,
}

/// New recovery codes.
#[derive(Serialize, ToSchema)]
pub(super) struct RecoveryCodes {
    pub(super) codes: Vec<String>,
}

/// A second factor that is to be confirmed.
#[derive(Serialize, ToSchema)]
pub(super) struct BegunFactor {
    /// To be typed into an app.
    pub(super) secret: String,
    /// The same as an `otpauth:` link, for a QR code.
    pub(super) uri: String,
}

/// An account that another one has blocked.
#[derive(Serialize, ToSchema)]
pub(super) struct BlockedAccount {
    #[schema(schema_with = account_id)]
    pub(super) account: AccountId,
    pub(super) name: String,
}

/// Whom an account has blocked.
#[derive(Serialize, ToSchema)]
pub(super) struct Blocked {
    pub(super) blocked: Vec<BlockedAccount>,
}

/// Who may challenge an account by name, and to what.
#[derive(Serialize, ToSchema)]
pub(super) struct Rules {
    /// `everybody`, `accounts` (those that somebody has registered) or `nobody`.
    #[schema(pattern = "^(everybody|accounts|nobody)$")]
    from: &'static str,
    /// Whether bots may, too; in a request no without it.
    #[schema(required = false)]
    bots: bool,
    /// The categories of games that are welcome; in a request none without them.
    #[schema(schema_with = categories, required = false)]
    categories: Vec<WireCategory>,
}

fn categories() -> Array {
    ArrayBuilder::new().items(Ref::from_schema_name("WireCategory")).build()
}

impl Rules {
    pub(super) fn of(rules: &ChallengeRules) -> Self {
        let from = match rules.from {
            ChallengesFrom::Everybody => "everybody",
            ChallengesFrom::Accounts => "accounts",
            ChallengesFrom::Nobody => "nobody",
        };
        Self { from, bots: rules.bots, categories: rules.categories.clone() }
    }
}

/// What an account has reported about another one.
#[derive(Serialize, ToSchema)]
pub(super) struct OwnReport {
    pub(super) number: u64,
    /// In seconds since 1970.
    pub(super) at: u64,
    #[schema(schema_with = account_id)]
    pub(super) about: AccountId,
    #[schema(value_type = Option<String>)]
    pub(super) game: Option<GameId>,
    pub(super) reason: String,
    pub(super) text: String,
    /// Whether an admin has handled it.
    pub(super) handled: bool,
}

impl OwnReport {
    pub(super) fn of(report: Report) -> Self {
        let Report { number, at_unix_ms, about, game, reason, text, handled_unix_ms, .. } = report;
        let (at, handled) = (at_unix_ms / 1_000, handled_unix_ms.is_some());
        Self { number, at, about, game, reason, text, handled }
    }
}

/// All that is kept about an account.
#[derive(Serialize, ToSchema)]
pub(super) struct Exported {
    #[serde(flatten)]
    pub(super) account: OwnerFacts,
    /// The day of the last connection, by its first second.
    pub(super) seen: u64,
    pub(super) sessions: Vec<Session>,
    pub(super) tokens: Vec<ApiToken>,
    pub(super) blocked: Vec<BlockedAccount>,
    pub(super) challenge_rules: Rules,
    /// What the clients of the account keep for it.
    #[schema(value_type = Object)]
    pub(super) settings: Box<RawValue>,
    pub(super) reports: Vec<OwnReport>,
    /// Where the games are.
    pub(super) games: String,
}

/// The fields of a request.
macro_rules! requests {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)+ })+) => {
        $(
            $(#[$doc])*
            #[derive(ToSchema)]
            #[expect(dead_code, reason = "it describes what is read field by field")]
            pub(super) struct $name {
                $($(#[$field_doc])* $field: $type,)+
            }
        )+
    };
}

requests! {
    /// Who registers.
    Registration {
        /// The name; without it, the one that the guest has chosen.
        name: Option<String>,
        /// 10 to 128 characters of whatever kind.
        #[schema(min_length = 10, max_length = 128)]
        password: String,
        /// Whether the guest's other tokens end.
        sign_out_others: Option<bool>,
    }

    /// Who signs in.
    SignIn {
        /// The name.
        #[schema(min_length = 1)]
        name: String,
        /// The password.
        #[schema(min_length = 1)]
        password: String,
        /// A code of the second factor, or a recovery code, which is used up; only an account with a second factor needs it.
        second_factor: Option<String>,
    }

    /// Who signs in by a recovery code.
    Recovery {
        /// The name.
        #[schema(min_length = 1)]
        name: String,
        /// A recovery code, which is used up.
        #[schema(min_length = 1)]
        code: String,
        /// The password from now on.
        #[schema(min_length = 10, max_length = 128)]
        new_password: String,
        /// A code of the second factor; only an account with a second factor needs it.
        second_factor: Option<String>,
    }

    /// What shows that it is the owner who asks.
    PasswordAlone {
        /// The password.
        #[schema(min_length = 1)]
        password: String,
    }

    /// What shows that it is the owner who asks, where the account could be taken away.
    OwnerProof {
        /// The password.
        #[schema(min_length = 1)]
        password: String,
        /// A code of the second factor, or a recovery code, which is used up; only an account with a second factor needs it.
        second_factor: Option<String>,
    }

    /// A code.
    SecondFactorCode {
        /// A code of the second factor.
        #[schema(min_length = 1)]
        second_factor: String,
    }

    /// Another password.
    NewPassword {
        /// The present one.
        #[schema(min_length = 1)]
        password: String,
        /// The one from now on.
        #[schema(min_length = 10, max_length = 128)]
        new_password: String,
    }

    /// A token to be made.
    WantedToken {
        /// What it is for, in its owner's words.
        #[schema(min_length = 1, max_length = 64)]
        name: String,
        /// What it may be used for, of `read`, `play`, `challenge`, `bot` and, for admins, `admin`; every token can
        /// read.
        scopes: Option<Vec<String>>,
        /// For how many days it is good; without it, for ever.
        #[schema(minimum = 1, maximum = 3650)]
        expires_days: Option<u64>,
        /// A code of the second factor, which the scope `admin` needs.
        second_factor: Option<String>,
    }
}
