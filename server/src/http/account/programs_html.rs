//! What is on the pages about programs. Every text is escaped by the templates; nothing here runs or styles inline.

use maud::{Markup, html};
use zeitnot_protocol::Scope;

use super::acts::TOKEN_NAME_CHARS_MAX;
use super::authorization::{Wanted, target};
use super::html::{day, document};
use super::programs::SCOPES;
use crate::accounts::{KeptToken, Kind, Person};
use crate::storage::first_second;

/// What is filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewToken<'n> {
    pub(super) description: &'n str,
    pub(super) scopes: &'n [&'n str],
}

/// The form for a new token.
pub(super) fn new_token(error: Option<&str>, person: Person, filled_in: &NewToken<'_>) -> String {
    let content = html! {
        p { "A program that you give this token acts as " strong { (person.shown_name()) } "." }
        form method="post" action="/account/oauth/token/create" {
            label {
                "What is it for?"
                input name="description" value=(filled_in.description) required maxlength=(TOKEN_NAME_CHARS_MAX)
                    autocomplete="off";
            }
            @for (scope, label) in SCOPES {
                label.check {
                    input type="checkbox" name="scopes" value=(scope) checked[filled_in.scopes.contains(&scope)];
                    " " (label) " (" code { (scope) } ")"
                }
            }
            @if person.kind != Kind::Bot {
                label.check {
                    input type="checkbox" name="bot";
                    " This account is a bot, for ever"
                }
            }
            button { "Make the token" }
        }
        p { a href="/account/oauth/token" { "Your tokens" } }
    };
    document("A token for a program", error, &content)
}

/// All tokens, with the one that was just made.
pub(super) fn tokens(error: Option<&str>, kept: &[KeptToken], made: Option<(&str, &str)>) -> String {
    let content = html! {
        @if let Some((name, token)) = made {
            section {
                h2 { "Your token \u{201c}" (name) "\u{201d}" }
                p { "Copy it now: it is shown only once. Whoever has it can do what its scopes allow." }
                ul.codes { li { code { (token) } } }
            }
        }
        ul { @for one in kept { (token(one)) } }
        @if kept.is_empty() { p { "You have made none." } }
        p { a href="/account/oauth/token/create" { "Make a token" } }
    };
    document("Tokens for programs", error, &content)
}

fn token(kept: &KeptToken) -> Markup {
    let scopes: Vec<_> = kept.token.grant.scopes.iter().map(Scope::as_str).collect();
    let expires = kept.token.grant.until_unix_ms.map(|until| day(until / 1_000));
    html! {
        li {
            strong { (kept.token.label) } ": " (scopes.join(", ")) "; last used on " (day(first_second(kept.used_day)))
            @if let Some(expires) = expires { "; expires on " (expires) }
            form method="post" action="/account/oauth/token" {
                input type="hidden" name="id" value=(kept.token.digest.shown_id());
                button { "Revoke" }
            }
        }
    }
}

/// The page on which an owner lets a program in.
pub(super) fn consent(person: Person, wanted: &Wanted) -> String {
    let names = SCOPES.iter().filter(|(scope, _)| wanted.scopes.iter().any(|one| one == scope));
    let names: Vec<_> = names.map(|(_, label)| *label).collect();
    let fields = [
        ("response_type", "code"),
        ("client_id", &wanted.client),
        ("redirect_uri", &wanted.redirect),
        ("code_challenge_method", "S256"),
        ("code_challenge", &wanted.challenge),
        ("scope", &wanted.scopes.join(" ")),
        ("state", wanted.state.as_deref().unwrap_or_default()),
    ];
    let content = html! {
        p { strong { (wanted.client) } " wants to act as " strong { (person.shown_name()) } "." }
        p { "It would be allowed to:" }
        ul {
            li { "Read what you see" }
            @for name in names { li { (name) } }
        }
        p { "You are led to " strong { (target(&wanted.redirect).unwrap_or_default()) } " with your answer. Only what asked you \
             there knows who it is: we do not." }
        form method="post" action="/oauth" {
            @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
            button name="decision" value="allow" { "Allow" }
            button name="decision" value="deny" { "Do not allow" }
        }
    };
    document("Let a program in?", None, &content)
}

/// What is wrong with a program's request.
pub(super) fn bad_request(why: &str) -> String {
    let content = html! { p { "The program that led you here has made a mistake. Nothing was allowed." } };
    document("This cannot be allowed", Some(why), &content)
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::AccountId;

    use super::*;

    #[test]
    fn what_a_program_says_of_itself_is_shown_and_not_run() {
        let script = "\"><script>alert(1)</script>";
        let wanted = Wanted {
            client: script.to_owned(),
            redirect: "https://app.example/".to_owned(),
            challenge: script.to_owned(),
            scopes: vec!["board:play".to_owned()],
            state: Some(script.to_owned()),
            username: None,
        };
        let person = Person::guest(AccountId::from_u128(7));
        let form = NewToken { description: script, scopes: &["board:play", script] };
        for page in [consent(person, &wanted), new_token(Some(script), person, &form), bad_request(script)] {
            assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"), "{page}");
        }
    }
}
