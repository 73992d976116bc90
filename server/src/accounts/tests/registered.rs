//! Registered accounts: registering, signing in, limits, recovery and closing.

use std::net::IpAddr;
use std::time::Duration;

use zeitnot_protocol::{Limits, Scopes};

use super::super::*;
use super::guests::in_memory;
use crate::connections::{Inbox, ToSession};
use crate::storage::SESSIONS_MAX;

const PASSWORD: &str = "correct horse battery";

fn client(number: u8) -> Client {
    let address = Address::from(IpAddr::from([192, 0, 2, number]));
    Client { address, known: None, has_cookie: false, label: "Firefox on Linux".to_owned() }
}

/// The same client after it has signed in, with its cookie.
fn with_cookie(client: &Client, SignedIn { person, token }: &SignedIn) -> Client {
    let known = Some(Known { person: *person, token: token.digest(), scopes: Scopes::SESSION, until: None });
    Client { known, has_cookie: true, ..client.clone() }
}

async fn register(accounts: &Accounts, client: &Client, name: &str) -> Result<SignedIn, AccountError> {
    accounts.register(client, Some(name), PASSWORD, false, |_| ()).await
}

async fn is_good(accounts: &Accounts, token: &Token) -> bool {
    accounts.by_cookie(&token.reveal()).await.unwrap().is_some()
}

#[tokio::test(start_paused = true)]
async fn a_guest_who_registers_keeps_account_name_and_connections_and_gets_a_new_cookie() {
    let accounts = in_memory();
    let (account, cookie) =
        accounts.create_guest(client(1).address, TokenKind::Session, String::new()).await.unwrap();
    accounts.rename(account, "Rook".parse().unwrap()).await.unwrap();
    let guest = accounts.by_cookie(&cookie.reveal()).await.unwrap().unwrap();
    let inbox = Inbox::default();
    let connection = accounts.connections.open(&inbox.outbox(), client(1).address);
    accounts.connections.enter(account, Some(guest.token), connection, inbox.outbox()).unwrap();

    let client = Client { known: Some(guest), has_cookie: true, ..client(1) };
    let mut told = Vec::new();
    let signed_in =
        accounts.register(&client, None, PASSWORD, false, |person| told.push(person)).await.unwrap();
    let person = signed_in.person;
    assert_eq!(
        (person.account, person.kind, person.shown_name()),
        (account, Kind::Registered, "Rook".to_owned())
    );
    assert_eq!(told, [person]);
    assert!(matches!(inbox.pop(), Some(ToSession::Changed(changed)) if changed == person));
    assert!(inbox.pop().is_none(), "the connection goes on");
    assert!(!is_good(&accounts, &cookie).await && is_good(&accounts, &signed_in.token).await);
    let again = with_cookie(&client, &signed_in);
    assert_eq!(register(&accounts, &again, "Queen").await.unwrap_err(), AccountError::AlreadyRegistered);
    // Signing out ends the connection that began with the guest's cookie, too.
    accounts.sign_out(again.known.unwrap()).await.unwrap();
    assert!(matches!(inbox.pop(), Some(ToSession::Revoked)));
}

#[tokio::test(start_paused = true)]
async fn a_wrong_password_and_an_unknown_name_get_the_same_answer() {
    let accounts = in_memory();
    let castle = register(&accounts, &client(1), "Castle").await.unwrap();
    let (guest, _) = accounts.create_guest(client(1).address, TokenKind::Shown, String::new()).await.unwrap();
    accounts.rename(guest, "Bishop".parse().unwrap()).await.unwrap();
    for (name, password) in
        [("Castle", "wrong horse battery"), ("Nobody", PASSWORD), ("Bishop", PASSWORD), ("no name", PASSWORD)]
    {
        let error = accounts.sign_in(&client(2), name, password, None).await.unwrap_err();
        assert_eq!(error, AccountError::WrongPassword, "{name}");
    }
    let signed_in = accounts.sign_in(&client(2), "cASTLE", PASSWORD, None).await.unwrap();
    assert_eq!(signed_in.person, castle.person);
    assert!(is_good(&accounts, &castle.token).await && is_good(&accounts, &signed_in.token).await);
}

#[tokio::test(start_paused = true)]
async fn whoever_signs_in_gets_a_new_token_and_the_cookie_before_is_none_any_more() {
    let accounts = in_memory();
    let first = register(&accounts, &client(1), "Castle").await.unwrap();
    let here = with_cookie(&client(1), &first);
    let second = accounts.sign_in(&here, "Castle", PASSWORD, None).await.unwrap();
    assert!(!is_good(&accounts, &first.token).await && is_good(&accounts, &second.token).await);
    // A cookie of somebody else that was put there is not taken over, nor ended for its owner.
    let other = register(&accounts, &client(2), "Bishop").await.unwrap();
    let foreign = with_cookie(&client(1), &other);
    let third = accounts.sign_in(&foreign, "Castle", PASSWORD, None).await.unwrap();
    assert_ne!(third.token, other.token);
    assert!(is_good(&accounts, &other.token).await);
}

#[tokio::test(start_paused = true)]
async fn tries_are_limited_by_address_and_name_and_a_known_device_always_gets_in() {
    let accounts = in_memory();
    let owner = register(&accounts, &client(1), "Castle").await.unwrap();
    let known = with_cookie(&client(1), &owner);
    let by_name = Limits::STANDARD.sign_ins_per_name_per_hour;
    for _ in 0..by_name {
        assert_eq!(
            accounts.sign_in(&client(1), "castle", "wrong", None).await.unwrap_err(),
            AccountError::WrongPassword
        );
    }
    let error = accounts.sign_in(&client(1), "Castle", PASSWORD, None).await.unwrap_err();
    assert_eq!(error, AccountError::TooManyAttempts(Duration::from_secs(3_600 / u64::from(by_name))));
    assert!(accounts.sign_in(&client(2), "Castle", PASSWORD, None).await.is_ok(), "others lock nobody out");
    assert!(
        accounts.sign_in(&known, "Castle", PASSWORD, None).await.is_ok(),
        "at the same address, with its cookie"
    );

    let by_address = Limits::STANDARD.sign_ins_per_address_per_minute;
    for number in 0..by_address {
        let error = accounts.sign_in(&client(3), &format!("Name{number}"), PASSWORD, None).await.unwrap_err();
        assert_eq!(error, AccountError::WrongPassword);
    }
    let error = accounts.sign_in(&client(3), "Another", PASSWORD, None).await.unwrap_err();
    assert!(matches!(error, AccountError::TooManyAttempts(_)), "{error:?}");
    tokio::time::advance(Duration::from_secs(1)).await;
    let error = accounts.sign_in(&client(3), "Another", PASSWORD, None).await.unwrap_err();
    assert_eq!(error, AccountError::WrongPassword);
}

#[tokio::test(start_paused = true)]
async fn a_new_password_ends_the_other_sessions_and_needs_the_old_one() {
    let accounts = in_memory();
    let first = register(&accounts, &client(1), "Castle").await.unwrap();
    let second = accounts.sign_in(&client(2), "Castle", PASSWORD, None).await.unwrap();
    let here = with_cookie(&client(2), &second);
    let new = "another good password";
    let wrong = accounts.change_password(&here, "not the password", new).await;
    assert_eq!(wrong, Err(AccountError::WrongPassword));
    let bad = accounts.change_password(&here, PASSWORD, "short").await;
    assert_eq!(bad, Err(AccountError::BadPassword(BadPassword::TooShort)));
    assert!(is_good(&accounts, &first.token).await);
    accounts.change_password(&here, PASSWORD, new).await.unwrap();
    assert!(!is_good(&accounts, &first.token).await && is_good(&accounts, &second.token).await);
    assert_eq!(
        accounts.sign_in(&client(3), "Castle", PASSWORD, None).await.unwrap_err(),
        AccountError::WrongPassword
    );
    assert!(accounts.sign_in(&client(3), "Castle", new, None).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_recovery_code_sets_a_password_once() {
    let accounts = in_memory();
    let first = register(&accounts, &client(1), "Castle").await.unwrap();
    let here = with_cookie(&client(1), &first);
    accounts.new_recovery_codes(&here, PASSWORD, None).await.unwrap();
    let codes = accounts.new_recovery_codes(&here, PASSWORD, None).await.unwrap();
    let export = accounts.export(here.known.unwrap()).await.unwrap();
    assert_eq!(export.facts.recovery_codes, 10, "new ones take the place of all");
    assert_eq!(codes.iter().collect::<std::collections::HashSet<_>>().len(), 10);
    let new = "another good password";
    for (name, code) in [("Castle", "0000-0000-0000-0000"), ("Nobody", &codes[0]), ("Castle", "no code")] {
        let error = accounts.recover(&client(2), name, code, new, None).await.unwrap_err();
        assert_eq!(error, AccountError::WrongCode, "{name} {code}");
    }
    let recovered =
        accounts.recover(&client(2), "castle", &codes[0].to_lowercase(), new, None).await.unwrap();
    assert!(!is_good(&accounts, &first.token).await && is_good(&accounts, &recovered.token).await);
    let again = accounts.recover(&client(2), "Castle", &codes[0], new, None).await.unwrap_err();
    assert_eq!(again, AccountError::WrongCode);
    assert!(accounts.sign_in(&client(3), "Castle", new, None).await.is_ok());
}

#[tokio::test(start_paused = true)]
async fn a_closed_account_is_gone_and_its_name_is_not_given_again() {
    let accounts = in_memory();
    let owner = register(&accounts, &client(1), "Castle").await.unwrap();
    let here = with_cookie(&client(1), &owner);
    assert_eq!(
        accounts.close(&here, "not the password", None, |_| ()).await,
        Err(AccountError::WrongPassword)
    );
    accounts.close(&here, PASSWORD, None, |_| ()).await.unwrap();
    assert!(!is_good(&accounts, &owner.token).await);
    let left = accounts.person(owner.person.account).await.unwrap().unwrap();
    assert_eq!((left.kind, left.shown_name()), (Kind::Closed, "closed account".to_owned()));
    assert_eq!(
        accounts.sign_in(&client(1), "Castle", PASSWORD, None).await.unwrap_err(),
        AccountError::WrongPassword
    );
    assert_eq!(register(&accounts, &client(2), "cAstle").await.unwrap_err(), AccountError::NameTaken);
}

#[tokio::test(start_paused = true)]
async fn devices_are_listed_and_ended_one_by_one() {
    let accounts = in_memory();
    let first = register(&accounts, &client(1), "Castle").await.unwrap();
    let second = accounts.sign_in(&client(2), "Castle", PASSWORD, None).await.unwrap();
    let known = with_cookie(&client(2), &second).known.unwrap();
    let sessions = accounts.sessions(known).await.unwrap();
    assert_eq!(sessions.len(), 2);
    assert!(sessions.iter().all(|kept| kept.token.label == "Firefox on Linux"), "{sessions:?}");
    let id = first.token.digest().shown_id();
    assert_eq!(accounts.end_session(known, &id).await, Ok(true));
    assert_eq!(accounts.end_session(known, &id).await, Ok(false));
    assert!(!is_good(&accounts, &first.token).await && is_good(&accounts, &second.token).await);
    accounts.sign_out_everywhere(known).await.unwrap();
    assert!(!is_good(&accounts, &second.token).await);
}

#[tokio::test(start_paused = true)]
async fn an_account_has_only_so_many_sessions() {
    let accounts = in_memory();
    let first = register(&accounts, &client(1), "Castle").await.unwrap();
    for number in 2..=SESSIONS_MAX as u8 {
        accounts.sign_in(&client(number), "Castle", PASSWORD, None).await.unwrap();
    }
    assert!(is_good(&accounts, &first.token).await);
    let last = accounts.sign_in(&client(200), "Castle", PASSWORD, None).await.unwrap();
    assert!(is_good(&accounts, &last.token).await);
    let known = with_cookie(&client(200), &last).known.unwrap();
    assert_eq!(accounts.sessions(known).await.unwrap().len(), SESSIONS_MAX);
}
