//! The pages on which people make tokens, and let programs in that ask for one.

use serde_json::json;

use super::client::Program;
use crate::accounts::{HERE, PASSWORD, cookie, register, send};
use crate::test_server::{Answer, TestServer};

const FORM: &str = "application/x-www-form-urlencoded";
const CREATE: &str = "/account/oauth/token/create";
const LIST: &str = "/account/oauth/token";

/// The example of RFC 7636, appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

async fn get(server: &TestServer, path: &str, cookie: &str) -> Answer {
    server.ask_with("GET", path, &[("Cookie", cookie)]).await
}

async fn form(server: &TestServer, path: &str, cookie: &str, body: &str) -> Answer {
    send(server, path, FORM, body, &[HERE, ("Cookie", cookie)]).await
}

/// Where an answer leads.
fn location(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{answer:?}");
    answer.location.as_deref().unwrap()
}

/// What stands between two texts.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    text.split_once(before).and_then(|(_, rest)| rest.split_once(after)).unwrap_or_else(|| panic!("{text}")).0
}

async fn with_token(server: &TestServer, method: &str, path: &str, token: &str) -> Answer {
    server.ask_with(method, path, &[("Authorization", &format!("Bearer {token}"))]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_person_makes_a_token_on_the_page_that_a_program_opens() {
    let server = TestServer::open().await;
    let link = format!("{CREATE}?scopes[]=board:play&scopes[]=challenge:write&description=cli-chess+token");
    let to = server.get(&link).await;
    let sign_in = location(&to).to_owned();
    assert!(sign_in.starts_with("/sign-in?next=%2Faccount%2Foauth%2Ftoken%2Fcreate%3F"), "{sign_in}");
    let page = server.get(&sign_in).await;
    assert!(page.body.contains("name=\"next\" value=\"/account/oauth/token/create?scopes"), "{page:?}");
    let mut owner = register(&server, "Castle").await;
    let fields =
        format!("name=Castle&password={}&next={}", PASSWORD.replace(' ', "+"), "%2Faccount%2Foauth%2Ftoken");
    let signed_in = form(&server, "/sign-in", "", &fields).await;
    assert_eq!(location(&signed_in), LIST);
    owner.clone_from(&cookie(&signed_in));
    let elsewhere = fields.replace("%2Faccount%2Foauth%2Ftoken", "%2F%2Fevil.example");
    assert_eq!(location(&form(&server, "/sign-in", "", &elsewhere).await), "/account");

    let page = get(&server, &link, &owner).await;
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{page:?}");
    assert!(page.body.contains("value=\"cli-chess token\""), "{page:?}");
    let checked = page.body.matches(" checked").count();
    assert!(checked == 2 && page.body.contains("value=\"board:play\" checked"), "{page:?}");
    let wanted = "description=cli-chess+token&scopes=board:play&scopes=challenge:write";
    let foreign = [("Origin", "https://evil.example"), ("Cookie", &*owner)];
    let forged = send(&server, CREATE, FORM, wanted, &foreign).await;
    assert_eq!(forged.status, 403, "another site cannot make one");
    assert_eq!(location(&send(&server, CREATE, FORM, wanted, &[HERE]).await), "/sign-in");
    for wrong in ["description=&scopes=board:play", "description=a&scopes=play", "scopes=board:play"] {
        assert_eq!(form(&server, CREATE, &owner, wrong).await.status, 400, "{wrong}");
    }
    let made = form(&server, CREATE, &owner, wanted).await;
    let token = between(&made.body, "<code>", "</code>");
    let tested = send(&server, "/api/token/test", "text/plain", token, &[]).await.json();
    assert_eq!(tested[token]["scopes"], "board:play,challenge:read,challenge:write");
    assert_eq!(with_token(&server, "GET", "/api/account", token).await.json()["username"], "Castle");

    let list = get(&server, LIST, &owner).await;
    assert!(list.body.contains("cli-chess token") && !list.body.contains(token), "{list:?}");
    let id = between(&list.body, "name=\"id\" value=\"", "\"");
    assert_eq!(location(&form(&server, LIST, &owner, &format!("id={id}")).await), LIST);
    assert_eq!(form(&server, LIST, &owner, &format!("id={id}")).await.status, 404);
    assert_eq!(with_token(&server, "GET", "/api/account", token).await.status, 401);
    let bot = form(&server, CREATE, &owner, "description=a+bot&scopes=bot:play&bot=on").await;
    let token = between(&bot.body, "<code>", "</code>");
    assert_eq!(with_token(&server, "GET", "/api/account", token).await.json()["title"], "BOT");
    server.ended().await;
}

/// The query of a program that wants to be let in.
fn asks() -> String {
    format!(
        "response_type=code&client_id=app.example&redirect_uri=https%3A%2F%2Fapp.example%2Fback&state=s+1\
         &code_challenge_method=S256&code_challenge={CHALLENGE}&scope=board:play+email:read"
    )
}

/// The code that a person's consent leads to.
async fn consent(server: &TestServer, owner: &str) -> String {
    let allowed = form(server, "/oauth", owner, &format!("{}&decision=allow", asks())).await;
    let to = allowed.location.as_deref().unwrap_or_else(|| panic!("{allowed:?}"));
    between(to, "https://app.example/back?code=", "&state=s+1").to_owned()
}

fn redeems(code: &str) -> String {
    format!(
        "grant_type=authorization_code&code={code}&code_verifier={VERIFIER}&client_id=app.example\
         &redirect_uri=https%3A%2F%2Fapp.example%2Fback"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_is_let_in_once_for_what_it_asked() {
    let server = TestServer::open().await;
    let owner = register(&server, "Castle").await;
    let ask = format!("/oauth?{}", asks());
    assert!(location(&server.get(&ask).await).starts_with("/sign-in?next=%2Foauth%3F"));
    let page = get(&server, &ask, &owner).await;
    assert!(page.body.contains("app.example") && page.body.contains("Play games"), "{page:?}");
    assert!(page.head.contains("form-action 'self' https://app.example;"), "{page:?}");
    assert!(!page.body.contains("email"), "what is not here is not asked for: {page:?}");
    let denied = form(&server, "/oauth", &owner, &format!("{}&decision=deny", asks())).await;
    assert_eq!(location(&denied), "https://app.example/back?error=access_denied&state=s+1");
    let foreign = [("Origin", "https://app.example"), ("Cookie", &*owner)];
    let forged = send(&server, "/oauth", FORM, &format!("{}&decision=allow", asks()), &foreign).await;
    assert_eq!(forged.status, 403, "the program cannot say yes to itself");

    let code = consent(&server, &owner).await;
    let answer = send(&server, "/api/token", FORM, &redeems(&code), &[]).await;
    let body = answer.json();
    assert_eq!(
        (answer.status, &body["token_type"], &body["expires_in"]),
        (200, &json!("Bearer"), &json!(31_536_000))
    );
    assert!(answer.head.contains("cache-control: no-store"), "{answer:?}");
    let token = body["access_token"].as_str().unwrap();
    let tested = send(&server, "/api/token/test", "text/plain", token, &[]).await.json();
    assert_eq!(tested[token]["scopes"], "board:play,challenge:read,challenge:write");
    assert!(get(&server, LIST, &owner).await.body.contains("app.example"), "the owner sees it");
    let again = send(&server, "/api/token", FORM, &redeems(&code), &[]).await;
    assert_eq!((again.status, &again.json()["error"]), (400, &json!("invalid_grant")), "a code is good once");
    assert_eq!(with_token(&server, "DELETE", "/api/token", token).await.status, 204);
    assert_eq!(with_token(&server, "DELETE", "/api/token", token).await.status, 401);

    for (right, wrong) in [
        ("client_id=app.example", "client_id=other.example"),
        (VERIFIER, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXj"),
        ("%2Fback", "%2Fother"),
        ("code=", "code=x"),
    ] {
        let code = consent(&server, &owner).await;
        let shown = redeems(&code).replacen(right, wrong, 1);
        let answer = send(&server, "/api/token", FORM, &shown, &[]).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!("invalid_grant")), "{wrong}");
    }
    for (without, error) in [("grant_type", "unsupported_grant_type"), ("code_verifier", "invalid_request")] {
        let shown = redeems("x").replace(without, "x");
        let answer = send(&server, "/api/token", FORM, &shown, &[]).await;
        assert_eq!((answer.status, &answer.json()["error"]), (400, &json!(error)));
    }
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_is_wrong_leads_nowhere() {
    let server = TestServer::open().await;
    let owner = register(&server, "Castle").await;
    for (right, wrong) in [
        ("https%3A%2F%2Fapp.example%2Fback", "javascript%3Aalert(1)"),
        ("https%3A%2F%2Fapp.example%2Fback", ""),
        ("response_type=code", "response_type=token"),
        ("S256", "plain"),
        (CHALLENGE, "short"),
        ("client_id=app.example", "client_id="),
    ] {
        let query = asks().replacen(right, wrong, 1);
        for answer in [
            get(&server, &format!("/oauth?{query}"), &owner).await,
            form(&server, "/oauth", &owner, &format!("{query}&decision=allow")).await,
        ] {
            assert!(answer.status == 400 && !answer.head.contains("location:"), "{wrong}: {answer:?}");
            assert!(answer.body.contains("Nothing was allowed"), "{answer:?}");
        }
    }
    // A guest is nobody that could let somebody in.
    let guest = cookie(&server.ask_with("POST", "/api/guest", &[HERE]).await);
    let answer = form(&server, "/oauth", &guest, &format!("{}&decision=allow", asks())).await;
    assert_eq!(location(&answer), "/sign-in");
    let program = Program::board(&server, "Knight").await;
    let bearer = format!("Bearer {}", program.token);
    let headers = [HERE, ("Authorization", &*bearer)];
    let answer = send(&server, "/oauth", FORM, &format!("{}&decision=allow", asks()), &headers).await;
    assert_eq!(answer.status, 403, "a token makes no other one: {answer:?}");
    server.ended().await;
}
