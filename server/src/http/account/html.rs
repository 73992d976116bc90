//! What is on the pages. Every text is escaped by the templates; nothing here runs or styles inline.

use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};
use zeitnot_protocol::{Limits, Scope};

use super::acts::TOKEN_NAME_CHARS_MAX;
use crate::accounts::{Export, KeptToken, Known, NewFactor, Person, TokenKind};
use crate::storage::first_second;

pub(super) fn document(title: &str, error: Option<&str>, content: &Markup) -> String {
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (title) " \u{b7} Zeitnot" }
                link rel="stylesheet" href="/forms.css";
            }
            body {
                main {
                    h1 { (title) }
                    @if let Some(error) = error { p.error role="alert" { (error) } }
                    (content)
                    p { a href="/" { "Play or watch chess" } }
                }
            }
        }
    };
    document.into_string()
}

fn name_field(value: &str) -> Markup {
    html! {
        label {
            "Name"
            input name="name" value=(value) required autocomplete="username" autocapitalize="none" spellcheck="false"
                maxlength=(Limits::STANDARD.name_chars);
        }
    }
}

fn password_field(label: &str, name: &str, is_new: bool) -> Markup {
    let kind = if is_new { "new-password" } else { "current-password" };
    html! {
        label {
            (label)
            @if is_new {
                input type="password" name=(name) required autocomplete=(kind)
                    minlength=(Limits::STANDARD.password_chars_min);
            } @else {
                input type="password" name=(name) required autocomplete=(kind);
            }
        }
    }
}

/// The field for the code of the second factor, which only some accounts have.
fn second_factor_field(label: &str) -> Markup {
    html! {
        label {
            (label)
            input name="second_factor" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false";
        }
    }
}

const CODE_OR_RECOVERY: &str =
    "Code of the second factor, or a recovery code (only if you have set a second factor)";

/// The page to sign in, by password or by recovery code, which may be filled in.
/// Who has signed in is led to `next`.
pub(super) fn sign_in(error: Option<&str>, name: &str, code: &str, next: &str) -> String {
    let content = html! {
        form method="post" action="/sign-in" {
            (name_field(name))
            (password_field("Password", "password", false))
            (second_factor_field(CODE_OR_RECOVERY))
            (next_field(next))
            button { "Sign in" }
        }
        p { "New here? " a href=(register_link(next)) { "Register" } }
        details open[!code.is_empty()] {
            summary { "Sign in with a recovery code" }
            form method="post" action="/sign-in" {
                (name_field(name))
                label { "Recovery code" input name="code" value=(code) required autocomplete="off" spellcheck="false"; }
                (password_field("New password", "new_password", true))
                (second_factor_field("Code of the second factor (only if you have set one)"))
                button { "Set the password and sign in" }
            }
        }
    };
    document("Sign in", error, &content)
}

fn next_field(next: &str) -> Markup {
    html! { @if !next.is_empty() { input type="hidden" name="next" value=(next); } }
}

fn register_link(next: &str) -> String {
    let query = serde_urlencoded::to_string([("next", next)]).unwrap_or_default();
    if next.is_empty() { "/register".to_owned() } else { format!("/register?{query}") }
}

/// The page to register. Who has registered is led to `next`.
pub(super) fn register(error: Option<&str>, guest: Option<Person>, name: &str, next: &str) -> String {
    let chosen = guest.and_then(|guest| guest.name).map(|name| name.to_string()).unwrap_or_default();
    let content = html! {
        @if let Some(guest) = guest {
            p { "You have played as " strong { (guest.shown_name()) } ". Your games stay yours." }
        }
        form method="post" action="/register" {
            (name_field(if name.is_empty() { &chosen } else { name }))
            (password_field("Password", "password", true))
            p.hint { "At least " (Limits::STANDARD.password_chars_min) " characters, of whatever kind." }
            @if guest.is_some() {
                label.check { input type="checkbox" name="sign_out_others"; " Sign out wherever else I am this guest" }
            }
            (next_field(next))
            button { "Register" }
        }
        p { "Registered already? " a href="/sign-in" { "Sign in" } }
    };
    document("Register", error, &content)
}

/// What was just made and is shown only now.
#[derive(Clone, Copy, Default)]
pub(super) struct Shown<'s> {
    pub(super) codes: &'s [String],
    /// The name of an API token, and the token.
    pub(super) token: Option<(&'s str, &'s str)>,
    pub(super) factor: Option<&'s NewFactor>,
}

impl Shown<'_> {
    fn section(self) -> Markup {
        html! {
            @if !self.codes.is_empty() {
                section {
                    h2 { "Your recovery codes" }
                    p { "Write them down: they are shown only now. Each signs you in once, with a new password." }
                    ul.codes { @for code in self.codes { li { code { (code) } } } }
                }
            }
            @if let Some((name, token)) = self.token {
                section {
                    h2 { "Your API token \u{201c}" (name) "\u{201d}" }
                    p { "Copy it now: it is shown only once. Whoever has it can do what its scopes allow." }
                    ul.codes { li { code { (token) } } }
                }
            }
            @if let Some(factor) = self.factor {
                section {
                    h2 { "Your second factor" }
                    p { "Type this key into an app for codes, or open the link on the device that has one. It is shown only now." }
                    ul.codes { li { code { (factor.secret) } } }
                    p { a href=(factor.uri) { "Add it to the app on this device" } }
                    p { "Then type the first code here. The second factor is not asked for before." }
                    (act("confirm-factor", "Confirm", &second_factor_field("Code")))
                }
            }
        }
    }
}

/// The page of an account, for its owner.
pub(super) fn account(error: Option<&str>, known: Known, export: &Export, shown: Shown<'_>) -> String {
    let has_factor = export.facts.second_factor_set_unix_ms.is_some();
    let content = html! {
        p { "You are " strong { (known.person.shown_name()) } ". " a href="/api/account/export" { "All that is kept about you" } }
        (shown.section())
        section {
            h2 { "Devices" }
            ul { @for kept in &export.sessions { (device(kept, known)) } }
            (act("sign-out", "Sign out here", &html! {}))
            (act("sign-out-everywhere", "Sign out everywhere", &html! {}))
        }
        (api_tokens(&export.api_tokens, export.facts.is_admin))
        section {
            h2 { "Password" }
            (act("password", "Change the password", &html! {
                (password_field("Present password", "password", false))
                (password_field("New password", "new_password", true))
            }))
        }
        section {
            h2 { "Recovery codes" }
            p { "You have " (export.facts.recovery_codes) " left. New ones take the place of all of them." }
            (act("codes", "Make ten new codes", &proof(has_factor)))
        }
        (second_factor(has_factor))
        section {
            h2 { "Close the account" }
            p { "Your games stay, with the names they began with. Nobody gets your name again, and nothing brings the account back." }
            (act("close", "Close the account for ever", &proof(has_factor)))
        }
    };
    document("Your account", error, &content)
}

/// What an owner proves to be one with, where the account could be taken away.
fn proof(has_factor: bool) -> Markup {
    html! {
        (password_field("Password", "password", false))
        @if has_factor { (second_factor_field("Code of the second factor, or a recovery code")) }
    }
}

/// The second factor: that it is set, or the form to set one.
fn second_factor(has_factor: bool) -> Markup {
    html! {
        section {
            h2 { "Second factor" }
            @if has_factor {
                p { "Whoever signs in needs a code of your device as well, or a recovery code." }
                (act("remove-factor", "Take the second factor away", &proof(true)))
            } @else {
                p { "With a second factor nobody signs in by your password alone: an app on your device shows a code that \
                     changes every 30 seconds. Make recovery codes first: they get you in without the device." }
                (act("begin-factor", "Set a second factor", &proof(false)))
            }
        }
    }
}

/// What may be chosen for an API token, and what it is for. Reading needs no choice.
const SCOPES: [(Scope, &str); 3] = [
    (Scope::Play, "Play: move, chat, wait in pools"),
    (Scope::Challenge, "Challenge: create, accept, decline and withdraw challenges"),
    (Scope::Bot, "Bot: make this account a bot"),
];

/// How long an API token may be good, in days.
const DAYS: [u32; 4] = [7, 30, 90, 365];

/// The tokens for programs, and the form for a new one.
fn api_tokens(tokens: &[KeptToken], is_admin: bool) -> Markup {
    let fields = html! {
        label { "Name" input name="name" required maxlength=(TOKEN_NAME_CHARS_MAX) autocomplete="off"; }
        @for (scope, label) in SCOPES {
            label.check { input type="checkbox" name="scopes" value=(scope); " " (label) }
        }
        @if is_admin {
            label.check { input type="checkbox" name="scopes" value=(Scope::Admin); " Admin: act as an admin" }
            (second_factor_field("Code of the second factor (only for Admin)"))
        }
        label {
            "Expires"
            select name="expires_days" {
                option value="" { "Never" }
                @for days in DAYS { option value=(days) { "In " (days) " days" } }
            }
        }
    };
    html! {
        section {
            h2 { "API tokens" }
            p { "A program that you give a token acts as you. Every token can read what you see." }
            ul { @for kept in tokens { (api_token(kept)) } }
            (act("token", "Make a token", &fields))
        }
    }
}

fn api_token(kept: &KeptToken) -> Markup {
    let scopes: Vec<_> = kept.token.grant.scopes.iter().map(Scope::as_str).collect();
    let expires = kept.token.grant.until_unix_ms.map(|until| day(until / 1_000));
    html! {
        li {
            strong { (kept.token.label) } ": " (scopes.join(", ")) "; last used on " (day(first_second(kept.used_day)))
            @if let Some(expires) = expires { "; expires on " (expires) }
            (act("revoke", "Revoke", &html! { input type="hidden" name="id" value=(kept.token.digest.shown_id()); }))
        }
    }
}

/// A form on the page of an account.
fn act(act: &str, label: &str, fields: &Markup) -> Markup {
    html! {
        form method="post" action="/account" {
            input type="hidden" name="act" value=(act);
            (fields)
            button { (label) }
        }
    }
}

fn device(kept: &KeptToken, known: Known) -> Markup {
    let id = kept.token.digest.shown_id();
    let is_here = kept.token.digest == known.token;
    let label = match (kept.token.label.as_str(), kept.token.kind) {
        ("", TokenKind::Session) => "A browser",
        ("", TokenKind::Shown | TokenKind::Api) => "A program",
        (label, _) => label,
    };
    html! {
        li {
            (label) ", last used on " (day(first_second(kept.used_day)))
            @if is_here {
                " (here)"
            } @else {
                (act("end", "End", &html! { input type="hidden" name="id" value=(id); }))
            }
        }
    }
}

pub(super) fn day(unix_s: u64) -> String {
    let at = i64::try_from(unix_s).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    at.map_or_else(String::new, |at| at.strftime("%Y-%m-%d").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_typed_is_shown_and_not_run() {
        let script = "\"><script>alert(1)</script>";
        let page = sign_in(Some("<b>wrong</b>"), script, script, script);
        assert!(!page.contains("<script>") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn a_day_is_written_as_the_world_writes_it() {
        assert_eq!(day(first_second(20_000)), "2024-10-04");
    }
}
