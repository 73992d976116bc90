//! What is on the pages of accounts. Every text is escaped by the templates; nothing here runs or styles inline.
//!
//! Deliberately absent: the texts and the frame of a page (`own_pages`).

use jiff::Timestamp;
use maud::{Markup, html};
use zeitnot_protocol::{Limits, Scope};

use super::acts::TOKEN_NAME_CHARS_MAX;
use crate::accounts::{Export, KeptToken, Known, NewFactor, Person, TokenKind};
use crate::http::own_pages::{Around, Catalogue, document};
use crate::storage::first_second;

fn name_field(words: &Catalogue, value: &str) -> Markup {
    html! {
        label {
            (words.fields.name)
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

/// The page to sign in, by password or by recovery code, which may be filled in.
/// Who has signed in is led to `next`.
pub(super) fn sign_in(words: &Catalogue, error: Option<&str>, name: &str, code: &str, next: &str) -> String {
    let (fields, texts) = (&words.fields, &words.sign_in);
    let content = html! {
        section {
            form method="post" action="/sign-in" {
                (name_field(words, name))
                (password_field(fields.password, "password", false))
                (second_factor_field(fields.code_or_recovery_if_set))
                (next_field(next))
                button.primary { (texts.title) }
            }
            p { (texts.new_here) " " a href=(register_link(next)) { (words.register.title) } }
        }
        details open[!code.is_empty()] {
            summary { (texts.by_code) }
            form method="post" action="/sign-in" {
                (name_field(words, name))
                label { (fields.recovery_code) input name="code" value=(code) required autocomplete="off" spellcheck="false"; }
                (password_field(fields.new_password, "new_password", true))
                (second_factor_field(fields.code_if_set))
                button { (texts.by_code_submit) }
            }
        }
    };
    document(words, texts.title, error, &content)
}

fn next_field(next: &str) -> Markup {
    html! { @if !next.is_empty() { input type="hidden" name="next" value=(next); } }
}

fn register_link(next: &str) -> String {
    let query = serde_urlencoded::to_string([("next", next)]).unwrap_or_default();
    if next.is_empty() { "/register".to_owned() } else { format!("/register?{query}") }
}

/// The page to register. Who has registered is led to `next`.
pub(super) fn register(
    words: &Catalogue,
    error: Option<&str>,
    guest: Option<Person>,
    name: &str,
    next: &str,
) -> String {
    let (fields, texts) = (&words.fields, &words.register);
    let chosen = guest.and_then(|guest| guest.name).map(|name| name.to_string()).unwrap_or_default();
    let content = html! {
        section {
            @if let Some(guest) = guest { p { (around_name(texts.guest, guest)) } }
            form method="post" action="/register" {
                (name_field(words, if name.is_empty() { &chosen } else { name }))
                (password_field(fields.password, "password", true))
                p.quiet { (fields.password_hint.0) (Limits::STANDARD.password_chars_min) (fields.password_hint.1) }
                @if guest.is_some() {
                    label.check { input type="checkbox" name="sign_out_others"; " " (texts.sign_out_others) }
                }
                (next_field(next))
                button.primary { (texts.title) }
            }
            p { (texts.registered_already) " " a href="/sign-in" { (words.sign_in.title) } }
        }
    };
    document(words, texts.title, error, &content)
}

/// A text with the name of somebody in it.
pub(super) fn around_name(text: Around, person: Person) -> Markup {
    html! { (text.0) strong { (person.shown_name()) } (text.1) }
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
    fn section(self, words: &Catalogue) -> Markup {
        let factor_texts = &words.second_factor;
        html! {
            @if !self.codes.is_empty() {
                section.made {
                    h2 { (words.account.codes_made) }
                    p { (words.account.codes_once) }
                    ul.codes { @for code in self.codes { li { code { (code) } } } }
                }
            }
            @if let Some((name, token)) = self.token { (made_token(words, name, token)) }
            @if let Some(factor) = self.factor {
                section.made {
                    h2 { (factor_texts.made) }
                    p { (factor_texts.key) }
                    ul.codes { li { code { (factor.secret) } } }
                    p { a href=(factor.uri) { (factor_texts.open) } }
                    p { (factor_texts.first_code) }
                    (act("confirm-factor", factor_texts.confirm, &second_factor_field(words.fields.code)))
                }
            }
        }
    }
}

/// A token that was just made.
pub(super) fn made_token(words: &Catalogue, name: &str, token: &str) -> Markup {
    html! {
        section.made {
            h2 { (words.tokens.made.0) (name) (words.tokens.made.1) }
            p { (words.tokens.copy_now) }
            ul.codes { li { code { (token) } } }
        }
    }
}

/// The page of an account, for its owner.
pub(super) fn account(
    words: &Catalogue,
    error: Option<&str>,
    known: Known,
    export: &Export,
    shown: Shown<'_>,
) -> String {
    let has_factor = export.facts.second_factor_set_unix_ms.is_some();
    let (texts, fields) = (&words.account, &words.fields);
    let content = html! {
        p { (around_name(texts.you_are, known.person)) " " a href="/api/account/export" { (texts.export) } }
        (shown.section(words))
        section {
            h2 { (texts.devices) }
            ul.entries { @for kept in &export.sessions { (device(words, kept, known)) } }
            div.row {
                (act("sign-out", texts.sign_out, &html! {}))
                (act("sign-out-everywhere", texts.sign_out_everywhere, &html! {}))
            }
        }
        (api_tokens(words, &export.api_tokens, export.facts.is_admin))
        section {
            h2 { (fields.password) }
            (opened(texts.change_password, &act("password", texts.change_password, &html! {
                (password_field(fields.present_password, "password", false))
                (password_field(fields.new_password, "new_password", true))
            })))
        }
        section {
            h2 { (texts.recovery_codes) }
            p { ((texts.codes_left)(export.facts.recovery_codes)) }
            (opened(texts.make_codes, &act("codes", texts.make_codes, &proof(words, has_factor))))
        }
        (second_factor(words, has_factor))
        section {
            h2 { (texts.close_title) }
            p { (texts.close_text) }
            (opened(texts.close_title, &act("close", texts.close, &proof(words, has_factor))))
        }
    };
    document(words, texts.title, error, &content)
}

/// A form that whoever wants it opens.
fn opened(label: &str, form: &Markup) -> Markup {
    html! { details { summary { (label) } (form) } }
}

/// What an owner proves to be one with, where the account could be taken away.
fn proof(words: &Catalogue, has_factor: bool) -> Markup {
    html! {
        (password_field(words.fields.password, "password", false))
        @if has_factor { (second_factor_field(words.fields.code_or_recovery)) }
    }
}

/// The second factor: that it is set, or the form to set one.
fn second_factor(words: &Catalogue, has_factor: bool) -> Markup {
    let texts = &words.second_factor;
    html! {
        section {
            h2 { (texts.title) }
            @if has_factor {
                p { (texts.is_set) }
                (opened(texts.remove, &act("remove-factor", texts.remove, &proof(words, true))))
            } @else {
                p { (texts.is_not_set) }
                (opened(texts.set, &act("begin-factor", texts.set, &proof(words, false))))
            }
        }
    }
}

/// How long an API token may be good, in days.
const DAYS: [u32; 4] = [7, 30, 90, 365];

/// The tokens for programs, and the form for a new one. Reading needs no choice of a scope.
fn api_tokens(words: &Catalogue, tokens: &[KeptToken], is_admin: bool) -> Markup {
    let texts = &words.tokens;
    let scopes = [(Scope::Play, texts.play), (Scope::Challenge, texts.challenge), (Scope::Bot, texts.bot)];
    let fields = html! {
        label { (texts.name) input name="name" required maxlength=(TOKEN_NAME_CHARS_MAX) autocomplete="off"; }
        @for (scope, label) in scopes {
            label.check { input type="checkbox" name="scopes" value=(scope); " " (label) }
        }
        @if is_admin {
            label.check { input type="checkbox" name="scopes" value=(Scope::Admin); " " (texts.admin) }
            (second_factor_field(words.fields.code_for_admin))
        }
        label {
            (texts.expires)
            select name="expires_days" {
                option value="" { (texts.never) }
                @for days in DAYS { option value=(days) { (texts.in_days.0) (days) (texts.in_days.1) } }
            }
        }
    };
    html! {
        section {
            h2 { (texts.title) }
            p { (texts.about) }
            ul.entries { @for kept in tokens { (api_token(words, kept, "/account")) } }
            (opened(texts.make, &act("token", texts.make, &fields)))
        }
    }
}

/// A token with the button that revokes it, which is sent to the address of its page.
pub(super) fn api_token(words: &Catalogue, kept: &KeptToken, page: &str) -> Markup {
    let texts = &words.tokens;
    let scopes: Vec<_> = kept.token.grant.scopes.iter().map(Scope::as_str).collect();
    let expires = kept.token.grant.until_unix_ms.map(|until| day(until / 1_000));
    let id = kept.token.digest.shown_id();
    html! {
        li {
            span {
                strong { (kept.token.label) } ": " (scopes.join(", ")) "; " (last_used(words, kept))
                @if let Some(expires) = expires { "; " (texts.expires_on.0) time { (expires) } (texts.expires_on.1) }
            }
            (form(page, "revoke", texts.revoke, &html! { input type="hidden" name="id" value=(id); }))
        }
    }
}

fn last_used(words: &Catalogue, kept: &KeptToken) -> Markup {
    let text = words.account.last_used;
    html! { (text.0) time { (day(first_second(kept.used_day))) } (text.1) }
}

/// A form on the page of an account.
fn act(act: &str, label: &str, fields: &Markup) -> Markup {
    form("/account", act, label, fields)
}

/// A form for an act, sent to the address of its page.
fn form(page: &str, act: &str, label: &str, fields: &Markup) -> Markup {
    html! {
        form method="post" action=(page) {
            input type="hidden" name="act" value=(act);
            (fields)
            button.danger[act == "close"] { (label) }
        }
    }
}

fn device(words: &Catalogue, kept: &KeptToken, known: Known) -> Markup {
    let texts = &words.account;
    let id = kept.token.digest.shown_id();
    let is_here = kept.token.digest == known.token;
    let label = match (kept.token.label.as_str(), kept.token.kind) {
        ("", TokenKind::Session) => texts.browser,
        ("", TokenKind::Shown | TokenKind::Api) => texts.program,
        (label, _) => label,
    };
    html! {
        li {
            span { (label) ", " (last_used(words, kept)) @if is_here { " (" (texts.here) ")" } }
            @if !is_here { (act("end", texts.end, &html! { input type="hidden" name="id" value=(id); })) }
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
    use crate::http::own_pages::Language;

    #[test]
    fn what_somebody_typed_is_shown_and_not_run() {
        let script = "\"><script>alert(1)</script>";
        let words = Language::English.catalogue();
        let page = sign_in(words, Some("<b>wrong</b>"), script, script, script);
        assert!(!page.contains("<script>") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&lt;script&gt;"), "{page}");
    }

    #[test]
    fn a_day_is_written_as_the_world_writes_it() {
        assert_eq!(day(first_second(20_000)), "2024-10-04");
    }
}
