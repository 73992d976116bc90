//! The second factor, over HTTP and as pages: each rejection beside what is done with the right code.

use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::BASE32_NOPAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha1::Sha1;

use super::accounts::{HERE, PASSWORD, cookie, me, post, register, send};
use super::test_server::{Answer, TestServer};

const NAME: &str = "Castle";

/// What an app on a device does: the codes of a secret, each of a later step than the last one.
pub(crate) struct Device {
    secret: Vec<u8>,
    used: u64,
}

impl Device {
    pub(crate) fn new(secret: &str) -> Self {
        Self { secret: BASE32_NOPAD.decode(secret.as_bytes()).unwrap(), used: 0 }
    }

    fn code_of(&self, step: u64) -> String {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.secret).unwrap();
        mac.update(&step.to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let at = usize::from(digest[19] & 15);
        let number = u32::from_be_bytes(digest[at..at + 4].try_into().unwrap()) & 0x7fff_ffff;
        format!("{:06}", number % 1_000_000)
    }

    /// A code that was not used: three of them are good at any time, the present one and its neighbours.
    pub(crate) fn next(&mut self) -> String {
        self.used = (self.used + 1).max(now_step() - 1);
        self.code_of(self.used)
    }

    /// A code that is long over.
    fn old(&self) -> String {
        self.code_of(now_step() - 100)
    }
}

#[expect(clippy::disallowed_methods, reason = "an app on a device has a clock of its own")]
fn now_step() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() / 30
}

/// Asks for something about the second factor.
pub(crate) async fn factor(server: &TestServer, method: &str, cookie: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let head = format!(
        "{method} /api/account/second-factor HTTP/1.1\r\nHost: test\r\nConnection: close\r\nOrigin: http://test\r\n\
         Cookie: {cookie}\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    server.raw(&head).await
}

/// Sets the second factor of the account of a cookie.
pub(crate) async fn enrol(server: &TestServer, cookie: &str) -> Device {
    let begun = factor(server, "POST", cookie, &json!({"password": PASSWORD})).await;
    assert_eq!(begun.status, 201, "{begun:?}");
    let mut device = Device::new(begun.json()["secret"].as_str().unwrap());
    let confirmed = factor(server, "PUT", cookie, &json!({"second_factor": device.next()})).await;
    assert_eq!(confirmed.status, 204, "{confirmed:?}");
    device
}

/// Tries to sign in.
async fn sign_in(server: &TestServer, password: &str, second_factor: Option<&str>) -> Answer {
    let body = json!({"name": NAME, "password": password, "second_factor": second_factor});
    post(server, "sign-in", body, &[HERE]).await
}

pub(crate) fn outcome(answer: &Answer) -> (u16, String) {
    (answer.status, if answer.status < 300 { String::new() } else { answer.code() })
}

pub(crate) fn rejected(code: &str) -> (u16, String) {
    (403, code.to_owned())
}

pub(crate) fn conflict(code: &str) -> (u16, String) {
    (409, code.to_owned())
}

/// Ten recovery codes.
async fn recovery_codes(server: &TestServer, cookie: &str, second_factor: Option<&str>) -> Answer {
    let body = json!({"password": PASSWORD, "second_factor": second_factor});
    post(server, "recovery-codes", body, &[HERE, ("Cookie", cookie)]).await
}

fn codes_in(answer: &Answer) -> Vec<String> {
    serde_json::from_value(answer.json()["codes"].clone()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_factor_counts_from_its_first_code_and_each_code_signs_in_once() {
    let server = TestServer::open().await;
    let owner = register(&server, NAME).await;
    let wrong = factor(&server, "POST", &owner, &json!({"password": "wrong"})).await;
    assert_eq!(outcome(&wrong), rejected("wrong_password"));
    let early = factor(&server, "PUT", &owner, &json!({"second_factor": "123456"})).await;
    assert_eq!(outcome(&early), conflict("no_second_factor"));

    let begun = factor(&server, "POST", &owner, &json!({"password": PASSWORD})).await.json();
    let secret = begun["secret"].as_str().unwrap();
    let uri = format!("otpauth://totp/Zeitnot:{NAME}?secret={secret}&issuer=Zeitnot");
    assert_eq!(begun["uri"].as_str(), Some(uri.as_str()));
    assert_eq!(sign_in(&server, PASSWORD, None).await.status, 200, "it does not count yet");
    let mut device = Device::new(secret);
    let wrong = factor(&server, "PUT", &owner, &json!({"second_factor": device.old()})).await;
    assert_eq!(outcome(&wrong), rejected("wrong_second_factor"));
    let first = device.next();
    assert_eq!(factor(&server, "PUT", &owner, &json!({"second_factor": first})).await.status, 204);
    let again = factor(&server, "POST", &owner, &json!({"password": PASSWORD})).await;
    assert_eq!(outcome(&again), conflict("has_second_factor"));
    assert!(me(&server, &owner).await.json()["second_factor_set"].is_u64());
    let export = server.ask_with("GET", "/api/account/export", &[("Cookie", &owner)]).await;
    assert!(export.json()["second_factor_set"].is_u64() && !export.body.contains(secret), "{export:?}");

    assert_eq!(outcome(&sign_in(&server, PASSWORD, None).await), rejected("second_factor_needed"));
    let replayed = sign_in(&server, PASSWORD, Some(&first)).await;
    assert_eq!(outcome(&replayed), rejected("wrong_second_factor"));
    for wrong in [device.old(), "abc".to_owned(), "7GQ2-M0XK-93TB-ZRA5".to_owned()] {
        let answer = sign_in(&server, PASSWORD, Some(&wrong)).await;
        assert_eq!(outcome(&answer), rejected("wrong_second_factor"), "{wrong}");
    }
    let code = device.next();
    assert_eq!(outcome(&sign_in(&server, "wrong", Some(&code)).await), rejected("wrong_password"));
    assert_eq!(sign_in(&server, PASSWORD, Some(&code)).await.status, 200, "a wrong password uses no code up");
    assert_eq!(outcome(&sign_in(&server, PASSWORD, Some(&code)).await), rejected("wrong_second_factor"));
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_of_password_device_and_recovery_codes_get_in_and_one_alone_never() {
    let server = TestServer::open().await;
    let owner = register(&server, NAME).await;
    let mut device = enrol(&server, &owner).await;
    let alone = recovery_codes(&server, &owner, None).await;
    assert_eq!(outcome(&alone), rejected("second_factor_needed"));
    let codes = codes_in(&recovery_codes(&server, &owner, Some(&device.next())).await);

    // Without the device.
    assert_eq!(sign_in(&server, PASSWORD, Some(&codes[0])).await.status, 200);
    assert_eq!(outcome(&sign_in(&server, PASSWORD, Some(&codes[0])).await), rejected("wrong_second_factor"));

    // Without the password.
    let recover = async |code: &str, second_factor: Option<&str>| {
        let body = json!({"name": NAME, "code": code, "new_password": "another horse", "second_factor": second_factor});
        post(&server, "recover", body, &[HERE]).await
    };
    assert_eq!(outcome(&recover(&codes[1], None).await), rejected("second_factor_needed"));
    assert_eq!(outcome(&recover(&codes[1], Some(&codes[2])).await), rejected("wrong_second_factor"));
    assert_eq!(
        outcome(&recover(&codes[0], None).await),
        rejected("wrong_code"),
        "used up: nothing more is said"
    );
    let recovered = recover(&codes[1], Some(&device.next())).await;
    assert_eq!(recovered.status, 200, "{recovered:?}");

    let owner = cookie(&recovered);
    let headers = [HERE, ("Cookie", owner.as_str())];
    let close = post(&server, "close", json!({"password": "another horse"}), &headers).await;
    assert_eq!(outcome(&close), rejected("second_factor_needed"));
    let remove = async |second_factor: Option<&str>| {
        let body = json!({"password": "another horse", "second_factor": second_factor});
        factor(&server, "DELETE", &owner, &body).await
    };
    assert_eq!(outcome(&remove(None).await), rejected("second_factor_needed"));
    assert_eq!(outcome(&remove(Some("000000000")).await), rejected("wrong_second_factor"));
    assert_eq!(remove(Some(&codes[2])).await.status, 204);
    assert_eq!(outcome(&remove(None).await), conflict("no_second_factor"));
    assert_eq!(sign_in(&server, "another horse", None).await.status, 200);
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_codes_are_counted_as_wrong_passwords_are_and_lock_nobody_else_out() {
    let server = TestServer::open().await;
    let owner = register(&server, NAME).await;
    let mut device = enrol(&server, &owner).await;
    for _ in 0..18 {
        let answer = sign_in(&server, PASSWORD, Some("000000000")).await;
        assert_eq!(outcome(&answer), rejected("wrong_second_factor"));
    }
    for _ in 0..2 {
        sign_in(&server, PASSWORD, Some("000000000")).await;
    }
    let code = device.next();
    let limited = sign_in(&server, PASSWORD, Some(&code)).await;
    assert_eq!(outcome(&limited), (429, "too_many_attempts".to_owned()));
    let body = json!({"name": NAME, "password": PASSWORD, "second_factor": code});
    let known = post(&server, "sign-in", body, &[HERE, ("Cookie", &owner)]).await;
    assert_eq!(known.status, 200, "a device that the account knows is not counted: {known:?}");
    server.ended().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_has_no_second_factor_and_a_form_sets_and_asks_for_one() {
    let server = TestServer::open().await;
    let guest = cookie(&server.ask_with("POST", "/api/guest", &[HERE]).await);
    let of_guest = factor(&server, "POST", &guest, &json!({"password": PASSWORD})).await;
    assert_eq!(outcome(&of_guest), rejected("not_registered"));
    let of_guest = factor(&server, "PUT", &guest, &json!({"second_factor": "123456"})).await;
    assert_eq!(outcome(&of_guest), rejected("not_registered"));
    let nobody = factor(&server, "POST", "", &json!({"password": PASSWORD})).await;
    assert_eq!(outcome(&nobody), (401, "no_identity".to_owned()));

    let owner = register(&server, NAME).await;
    let form = async |path: &str, body: &str, cookie: &str| {
        let kind = "application/x-www-form-urlencoded";
        send(&server, path, kind, body, &[HERE, ("Cookie", cookie)]).await
    };
    let password = PASSWORD.replace(' ', "+");
    let begun = form("/account", &format!("act=begin-factor&password={password}"), &owner).await;
    let secret = begun.body.split("<code>").nth(1).unwrap().split('<').next().unwrap();
    assert!(begun.body.contains("otpauth://totp/Zeitnot:Castle?secret="), "{}", begun.body);
    let mut device = Device::new(secret);
    let confirmed =
        form("/account", &format!("act=confirm-factor&second_factor={}", device.next()), &owner).await;
    assert_eq!(confirmed.status, 303, "{confirmed:?}");
    let page = server.ask_with("GET", "/account", &[("Cookie", &owner)]).await;
    assert!(
        page.body.contains("Take the second factor away") && !page.body.contains(secret),
        "{}",
        page.body
    );

    let without = form("/sign-in", &format!("name={NAME}&password={password}"), "").await;
    assert_eq!(without.status, 403);
    assert!(without.body.contains("has a second factor") && without.body.contains(NAME), "{without:?}");
    let with = format!("name={NAME}&password={password}&second_factor={}", device.next());
    assert_eq!(form("/sign-in", &with, "").await.status, 303);
    let codes = format!("act=codes&password={password}&second_factor={}", device.next());
    let codes = form("/account", &codes, &owner).await;
    let code = codes.body.split("<code>").nth(1).unwrap().split('<').next().unwrap();
    let remove = format!("act=remove-factor&password={password}&second_factor={code}");
    assert_eq!(form("/account", &remove, &owner).await.status, 303);
    assert_eq!(
        form("/sign-in", &format!("name={NAME}&password={password}&second_factor="), "").await.status,
        303
    );
    server.ended().await;
}
