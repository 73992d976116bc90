//! What is on the pages about programs. Every text is escaped by the templates; nothing here runs or styles inline.

use maud::html;

use super::acts::TOKEN_NAME_CHARS_MAX;
use super::authorization::{Wanted, target};
use super::html::{api_token, around_name, made_token};
use super::programs::SCOPES;
use crate::accounts::{KeptToken, Kind, Person};
use crate::http::own_pages::{Catalogue, document};

/// What is filled in.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewToken<'n> {
    pub(super) description: &'n str,
    pub(super) scopes: &'n [&'n str],
}

/// The form for a new token.
pub(super) fn new_token(
    words: &Catalogue,
    error: Option<&str>,
    person: Person,
    filled_in: &NewToken<'_>,
) -> String {
    let texts = &words.tokens;
    let content = html! {
        section {
            p { (around_name(texts.acts_as, person)) }
            form method="post" action="/account/oauth/token/create" {
                label {
                    (texts.name)
                    input name="description" value=(filled_in.description) required maxlength=(TOKEN_NAME_CHARS_MAX)
                        autocomplete="off";
                }
                @for (scope, label) in SCOPES.into_iter().zip(texts.lichess_scopes) {
                    label.check {
                        input type="checkbox" name="scopes" value=(scope) checked[filled_in.scopes.contains(&scope)];
                        span { (label) " (" code { (scope) } ")" }
                    }
                }
                @if person.kind != Kind::Bot {
                    label.check { input type="checkbox" name="bot"; " " (texts.bot_for_ever) }
                }
                button.primary { (texts.make) }
            }
            p { a href="/account/oauth/token" { (texts.all) } }
        }
    };
    document(words, texts.for_program, error, &content)
}

/// All tokens, with the one that was just made.
pub(super) fn tokens(
    words: &Catalogue,
    error: Option<&str>,
    kept: &[KeptToken],
    made: Option<(&str, &str)>,
) -> String {
    let texts = &words.tokens;
    let content = html! {
        @if let Some((name, token)) = made { (made_token(words, name, token)) }
        section {
            ul.entries { @for one in kept { (api_token(words, one, "/account/oauth/token")) } }
            @if kept.is_empty() { p { (texts.none) } }
            p { a.button href="/account/oauth/token/create" { (texts.make) } }
        }
    };
    document(words, texts.title, error, &content)
}

/// The page on which an owner lets a program in.
pub(super) fn consent(words: &Catalogue, person: Person, wanted: &Wanted) -> String {
    let texts = &words.consent;
    let names = SCOPES.into_iter().zip(words.tokens.lichess_scopes);
    let names = names.filter(|(scope, _)| wanted.scopes.iter().any(|one| one == scope));
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
        section {
            p { strong { (wanted.client) } (around_name(texts.wants, person)) }
            p { (texts.allowed_to) }
            ul {
                li { (texts.read) }
                @for (_, name) in names { li { (name) } }
            }
            p { (texts.led_to.0) strong { (target(&wanted.redirect).unwrap_or_default()) } (texts.led_to.1) }
            form.row method="post" action="/oauth" {
                @for (name, value) in fields { input type="hidden" name=(name) value=(value); }
                button.primary name="decision" value="allow" { (texts.allow) }
                button name="decision" value="deny" { (texts.deny) }
            }
        }
    };
    document(words, texts.title, None, &content)
}

/// What is wrong with a program's request.
pub(super) fn bad_request(words: &Catalogue, why: &str) -> String {
    let content = html! { p { (words.consent.mistake) } };
    document(words, words.consent.cannot, Some(why), &content)
}

#[cfg(test)]
mod tests {
    use zeitnot_protocol::AccountId;

    use super::*;
    use crate::http::own_pages::Language;

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
        for words in Language::ALL.map(Language::catalogue) {
            let form = new_token(words, Some(script), person, &form);
            for page in [consent(words, person, &wanted), form, bad_request(words, script)] {
                assert!(!page.contains("<script>") && page.contains("&lt;script&gt;"), "{page}");
            }
        }
    }
}
