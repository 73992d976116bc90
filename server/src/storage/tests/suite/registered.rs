//! Registered accounts: their passwords, sessions, recovery codes and names.

use zeitnot_protocol::{AccountId, Scope, Scopes};

use super::{ALICE, BOB, Subject, name};
use crate::storage::{
    API_TOKENS_MAX, AccountFacts, AuditEntry, BotMade, CODE_LASTS_MS, CODES_MAX, CODES_PER_ACCOUNT_MAX,
    CUTS_MAX, Changed, CodeChallenge, CodeDigest, Credential, Cut, Day, FactorSecret, Grant, Granted,
    KeptToken, Kind as AccountKind, MUTES_MAX, Mute, NewToken, PasswordHash, Person, Proved, Registered,
    Registration, SESSIONS_MAX, SecondFactor, TokenDigest, TokenKind, TokenMade, Which,
};

const DAY_MS: u64 = 86_400_000;

/// A token that a browser holds, made on this day.
fn session(number: u8, day: Day) -> NewToken {
    let made_unix_ms = u64::from(day) * DAY_MS + 5;
    let label = format!("Browser {number}");
    let (digest, kind) = (TokenDigest([number; 32]), TokenKind::Session);
    NewToken { digest, kind, made_unix_ms, label, grant: Grant::SESSION }
}

fn hash(text: &str) -> PasswordHash {
    PasswordHash(text.to_owned())
}

fn registration(account: AccountId, is_new: bool, text: &str, token: NewToken) -> Registration {
    Registration {
        account,
        is_new,
        name: name(text),
        password: hash("first"),
        token,
        replaces: None,
        ended: None,
    }
}

async fn whose(subject: &Subject, token: u8) -> Option<AccountId> {
    let found = subject.store.account_by_token(TokenDigest([token; 32])).await.unwrap();
    found.map(|proved| proved.person.account)
}

async fn a_guest_who_registers_keeps_account_and_tokens_and_only_guests_register(subject: Subject) {
    let store = &subject.store;
    store.create_account(ALICE, session(1, 100)).await.unwrap();
    store.create_account(BOB, session(2, 100)).await.unwrap();
    store.rename(BOB, name("Bishop"), 100).await.unwrap();
    let taken = store.register(registration(ALICE, false, "BISHOP", session(3, 100))).await;
    assert_eq!(taken, Ok(Registered::NameTaken));
    assert_eq!(whose(&subject, 3).await, None, "nothing was written");

    let registered = store.register(registration(ALICE, false, "Rook", session(3, 100))).await.unwrap();
    let alice = Person { account: ALICE, kind: AccountKind::Registered, name: Some(name("Rook")) };
    let Registered::As(Changed { person, .. }, ended) = registered else { panic!("{registered:?}") };
    assert_eq!((person, ended), (alice, Vec::new()));
    for token in [1, 3] {
        assert_eq!(whose(&subject, token).await, Some(ALICE));
    }
    let credential = Some(Credential { person: alice, password: Some(hash("first")) });
    assert_eq!(store.credential_by_name(name("rook")).await, Ok(credential.clone()));
    assert_eq!(store.credential(ALICE).await, Ok(credential));
    let bob = store.credential_by_name(name("Bishop")).await.unwrap().unwrap();
    assert_eq!((bob.person.account, bob.password), (BOB, None));

    let again = store.register(registration(ALICE, false, "Queen", session(4, 100))).await;
    assert_eq!(again, Ok(Registered::NotAGuest));
    let carol = AccountId::from_u128(3);
    let unknown = store.register(registration(carol, false, "Queen", session(4, 100))).await;
    assert_eq!(unknown, Ok(Registered::NotAGuest), "there is no such account");
    let ends =
        Registration { ended: Some(Which::All), ..registration(BOB, false, "Bishop", session(5, 100)) };
    let Ok(Registered::As(_, ended)) = store.register(ends).await else { panic!("not registered") };
    assert_eq!(ended, [TokenDigest([2; 32])]);
    let new = store.register(registration(carol, true, "Queen", session(4, 100))).await.unwrap();
    assert!(matches!(new, Registered::As(..)));
    assert_eq!((whose(&subject, 2).await, whose(&subject, 4).await), (None, Some(carol)));
}

async fn whoever_signs_in_must_have_compared_the_present_password(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    store.sign_in(ALICE, hash("first"), session(2, 101), None).await.unwrap().unwrap();
    let kept = TokenDigest([2; 32]);
    let ended = store.change_password(ALICE, hash("first"), hash("second"), 9, kept).await.unwrap();
    assert_eq!(ended, Some(vec![TokenDigest([1; 32])]), "a new password ends the other sessions");
    assert_eq!(store.sign_in(ALICE, hash("first"), session(3, 102), None).await, Ok(None));
    assert_eq!(store.change_password(ALICE, hash("first"), hash("third"), 9, kept).await, Ok(None));
    assert_eq!(whose(&subject, 3).await, None);
    let ended = store.sign_in(ALICE, hash("second"), session(4, 102), Some(kept)).await.unwrap();
    assert_eq!(ended, Some(vec![kept]), "the new token takes the place of the last one");
    let facts = store.facts(ALICE).await.unwrap().unwrap();
    let made_unix_ms = 100 * DAY_MS + 5;
    let expected = AccountFacts {
        made_unix_ms,
        seen_day: 102,
        password_set_unix_ms: Some(9),
        recovery_codes: 0,
        second_factor_set_unix_ms: None,
        is_admin: false,
        muted_until_unix_ms: None,
    };
    assert_eq!(facts, expected);
    assert_eq!(store.facts(BOB).await, Ok(None));
}

async fn the_sessions_of_an_account_are_listed_and_bounded(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    store.sign_in(ALICE, hash("first"), session(2, 101), None).await.unwrap().unwrap();
    store.note_use(ALICE, TokenDigest([1; 32]), 105).await.unwrap();
    store.note_use(ALICE, TokenDigest([1; 32]), 104).await.unwrap();
    let list = store.tokens(ALICE).await.unwrap();
    let expected = [(session(1, 100), 105), (session(2, 101), 101)];
    assert_eq!(list, expected.map(|(token, used_day)| KeptToken { token, used_day }));
    let proved = store.account_by_token(TokenDigest([1; 32])).await.unwrap().unwrap();
    assert_eq!(proved.used_day, 105);

    for number in 3..=SESSIONS_MAX as u8 {
        let ended = store.sign_in(ALICE, hash("first"), session(number, 102), None).await.unwrap();
        assert_eq!(ended, Some(Vec::new()), "{number}");
    }
    let ended = store.sign_in(ALICE, hash("first"), session(200, 103), None).await.unwrap();
    assert_eq!(ended, Some(vec![TokenDigest([2; 32])]), "the one that was used longest ago");

    let id = TokenDigest([200; 32]).shown_id();
    let others = store.revoke_tokens(BOB, Which::ShownAs(id.clone())).await;
    assert_eq!(others, Ok(Vec::new()), "another account's is not ended");
    let one = store.revoke_tokens(ALICE, Which::ShownAs(id)).await;
    assert_eq!(one, Ok(vec![TokenDigest([200; 32])]));
    let rest = store.revoke_tokens(ALICE, Which::All).await.unwrap();
    assert_eq!((rest.len(), store.tokens(ALICE).await.unwrap().len()), (SESSIONS_MAX - 1, 0));
}

/// A token for a program, made on this day.
fn api_token(number: u8, day: Day, until_unix_ms: Option<u64>) -> NewToken {
    let grant = Grant { scopes: Scopes::NONE.with(Scope::Play), until_unix_ms };
    NewToken { kind: TokenKind::Api, grant, ..session(number, day) }
}

async fn an_api_token_is_kept_with_its_scopes_and_outlives_sessions(subject: Subject) {
    let store = &subject.store;
    store.create_account(BOB, session(9, 100)).await.unwrap();
    let of_guest = store.keep_api_token(BOB, api_token(8, 100, None)).await;
    assert_eq!(of_guest, Ok(TokenMade::NotRegistered));
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    let token = api_token(2, 100, Some(100 * DAY_MS + 10));
    assert_eq!(store.keep_api_token(ALICE, token.clone()).await, Ok(TokenMade::Kept));
    let proved = store.account_by_token(token.digest).await.unwrap().unwrap();
    let person = Person { account: ALICE, kind: AccountKind::Registered, name: Some(name("Rook")) };
    assert_eq!(proved, Proved { person, used_day: 100, grant: token.grant });
    assert!(store.tokens(ALICE).await.unwrap().contains(&KeptToken { token, used_day: 100 }));
    let ended = store.change_password(ALICE, hash("first"), hash("second"), 9, TokenDigest([0; 32])).await;
    assert_eq!(ended, Ok(Some(vec![TokenDigest([1; 32])])), "a new password ends sessions");
    assert_eq!(whose(&subject, 2).await, Some(ALICE));
    let all = store.revoke_tokens(ALICE, Which::All).await;
    assert_eq!(all, Ok(vec![TokenDigest([2; 32])]));
}

async fn api_tokens_are_bounded_and_those_that_have_expired_are_forgotten(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    let until = 101 * DAY_MS;
    for number in 0..API_TOKENS_MAX as u8 {
        let until = (number < 2).then_some(until);
        let kept = store.keep_api_token(ALICE, api_token(100 + number, 100, until)).await;
        assert_eq!(kept, Ok(TokenMade::Kept), "{number}");
    }
    assert_eq!(store.keep_api_token(ALICE, api_token(90, 100, None)).await, Ok(TokenMade::TooMany));
    assert_eq!(whose(&subject, 90).await, None);
    assert_eq!(store.keep_api_token(ALICE, api_token(91, 101, None)).await, Ok(TokenMade::Kept));
    assert_eq!((whose(&subject, 100).await, whose(&subject, 101).await), (None, None));
    assert_eq!((whose(&subject, 1).await, whose(&subject, 102).await), (Some(ALICE), Some(ALICE)));
    assert_eq!(store.tokens(ALICE).await.unwrap().len(), API_TOKENS_MAX);
}

async fn only_a_registered_person_becomes_a_bot(subject: Subject) {
    let store = &subject.store;
    assert_eq!(store.make_bot(ALICE).await, Ok(BotMade::NotAPerson), "there is no such account");
    store.create_account(BOB, session(9, 100)).await.unwrap();
    assert_eq!(store.make_bot(BOB).await, Ok(BotMade::NotAPerson), "it is a guest");
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    let BotMade::As(Changed { person, .. }) = store.make_bot(ALICE).await.unwrap() else { panic!("no bot") };
    assert_eq!(person, Person { account: ALICE, kind: AccountKind::Bot, name: Some(name("Rook")) });
    assert_eq!(store.account(ALICE).await, Ok(Some(person)));
    assert_eq!(store.make_bot(ALICE).await, Ok(BotMade::NotAPerson), "it is one");
}

async fn a_reset_code_ends_and_the_next_one_takes_its_place(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    let [owned, first, second] = [1, 2, 3].map(|number| CodeDigest([number; 32]));
    store.set_recovery_codes(ALICE, vec![owned]).await.unwrap();
    store.set_reset_code(ALICE, first, 101 * DAY_MS).await.unwrap();
    store.set_reset_code(ALICE, second, 101 * DAY_MS).await.unwrap();
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().recovery_codes, 1, "those of its owner");
    let recover = async |code, token| store.recover(ALICE, code, hash("new"), token).await.unwrap();
    assert_eq!(recover(first, session(2, 100)).await, None, "another one took its place");
    assert_eq!(recover(second, session(2, 101)).await, None, "it has ended");
    assert!(recover(second, session(2, 100)).await.is_some());
    assert!(recover(owned, session(3, 200)).await.is_some(), "the owner's never end");
}

async fn an_admin_has_the_role_until_it_is_withdrawn_with_the_tokens_that_use_it(subject: Subject) {
    let store = &subject.store;
    let admin_token = |number| {
        let scopes = Scopes::NONE.with(Scope::Play).with(Scope::Admin);
        NewToken { grant: Grant { scopes, until_unix_ms: None }, ..api_token(number, 100, None) }
    };
    store.create_account(BOB, session(9, 100)).await.unwrap();
    assert_eq!(store.grant_admin(BOB, 7).await, Ok(false), "it is a guest");
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    assert_eq!(store.keep_api_token(ALICE, admin_token(2)).await, Ok(TokenMade::NotAdmin));
    assert_eq!(store.withdraw_admin(ALICE).await, Ok(None));
    assert_eq!(store.grant_admin(ALICE, 7).await, Ok(true));
    assert_eq!(store.grant_admin(ALICE, 8).await, Ok(true), "granted again");
    assert!(store.is_admin(ALICE).await.unwrap() && store.facts(ALICE).await.unwrap().unwrap().is_admin);
    assert_eq!(store.make_bot(ALICE).await, Ok(BotMade::IsAdmin));
    assert_eq!(store.keep_api_token(ALICE, admin_token(2)).await, Ok(TokenMade::Kept));
    assert_eq!(store.keep_api_token(ALICE, api_token(3, 100, None)).await, Ok(TokenMade::Kept));
    assert_eq!(store.withdraw_admin(ALICE).await, Ok(Some(vec![TokenDigest([2; 32])])));
    assert_eq!((whose(&subject, 2).await, whose(&subject, 3).await), (None, Some(ALICE)));
    assert_eq!(store.is_admin(ALICE).await, Ok(false));
    store.grant_admin(ALICE, 9).await.unwrap();
    store.close_account(ALICE, None).await.unwrap().unwrap();
    assert_eq!(store.is_admin(ALICE).await, Ok(false), "it goes with the account");
    let carol = AccountId::from_u128(3);
    store.register(registration(carol, true, "Queen", session(4, 100))).await.unwrap();
    assert!(matches!(store.make_bot(carol).await, Ok(BotMade::As(_))));
    assert_eq!(store.grant_admin(carol, 7).await, Ok(false), "it is a bot");
}

async fn mutes_and_cuts_are_bounded_and_those_that_are_over_make_room(subject: Subject) {
    let store = &subject.store;
    let mute = |number: u128, until_unix_ms| Mute { account: AccountId::from_u128(number), until_unix_ms };
    for number in 0..MUTES_MAX as u128 {
        drop(store.mute(mute(number, 10 + u64::from(number > 0)), 5));
    }
    assert_eq!(store.mute(mute(u128::MAX, 20), 9).await, Ok(false), "as many as there may be");
    assert_eq!(store.mute(mute(0, 10), 9).await, Ok(true), "in place of its own");
    assert_eq!(store.mute(mute(u128::MAX, 20), 10).await, Ok(true), "one was over");
    let account = AccountId::from_u128(u128::MAX);
    assert_eq!((store.unmute(account).await, store.unmute(account).await), (Ok(true), Ok(false)));
    let cut = |number, until_unix_ms| Cut { network: format!("192.0.{number}/24"), until_unix_ms };
    for number in 0..CUTS_MAX {
        drop(store.cut(cut(number, 10), 5));
    }
    assert_eq!(store.cut(cut(CUTS_MAX, 20), 9).await, Ok(false));
    assert_eq!(store.cut(cut(CUTS_MAX, 20), 10).await, Ok(true), "all were over");
    let network = cut(CUTS_MAX, 20).network;
    assert_eq!((store.uncut(network.clone()).await, store.uncut(network).await), (Ok(true), Ok(false)));
}

async fn a_muted_account_says_so_of_itself_until_it_is_closed(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    store.mute(Mute { account: ALICE, until_unix_ms: 70 }, 5).await.unwrap();
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().muted_until_unix_ms, Some(70));
    store.close_account(ALICE, None).await.unwrap().unwrap();
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().muted_until_unix_ms, None);
}

async fn a_second_factor_counts_when_it_was_used_and_each_step_of_it_once(subject: Subject) {
    let store = &subject.store;
    let [first, second] = [1, 2].map(|number| FactorSecret([number; 20]));
    store.create_account(BOB, session(9, 100)).await.unwrap();
    assert_eq!(store.begin_second_factor(BOB, first).await, Ok(false), "it is a guest");
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    assert_eq!(store.second_factor(ALICE).await, Ok(None));
    assert_eq!(store.begin_second_factor(ALICE, first).await, Ok(true));
    assert_eq!(store.begin_second_factor(ALICE, second).await, Ok(true), "it takes the place of the other");
    let begun = SecondFactor { secret: second, set_unix_ms: None, used_step: 0 };
    assert_eq!(store.second_factor(ALICE).await, Ok(Some(begun)));
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().second_factor_set_unix_ms, None);
    assert_eq!(store.use_second_factor(ALICE, first, 7, 70).await, Ok(false), "it is another one by now");
    assert_eq!(store.use_second_factor(ALICE, second, 7, 70).await, Ok(true));
    for step in [7, 6] {
        assert_eq!(store.use_second_factor(ALICE, second, step, 71).await, Ok(false), "{step}");
    }
    assert_eq!(store.use_second_factor(ALICE, second, 8, 80).await, Ok(true));
    assert_eq!(store.begin_second_factor(ALICE, first).await, Ok(false), "the one that counts stays");
    let set = SecondFactor { secret: second, set_unix_ms: Some(70), used_step: 8 };
    assert_eq!(store.second_factor(ALICE).await, Ok(Some(set)));
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().second_factor_set_unix_ms, Some(70));
    assert_eq!(store.remove_second_factor(BOB).await, Ok(false));
    assert_eq!(store.remove_second_factor(ALICE).await, Ok(true));
    assert_eq!(store.begin_second_factor(ALICE, first).await, Ok(true));
    store.close_account(ALICE, None).await.unwrap().unwrap();
    assert_eq!(store.second_factor(ALICE).await, Ok(None), "it goes with the account");
}

async fn a_recovery_code_stands_in_for_a_second_factor_once_and_that_of_an_admin_never(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    let [owned, of_admin] = [1, 2].map(|number| CodeDigest([number; 32]));
    store.set_recovery_codes(ALICE, vec![owned]).await.unwrap();
    store.set_reset_code(ALICE, of_admin, 50).await.unwrap();
    let has = async |account, code, at| store.has_recovery_code(account, code, at).await.unwrap();
    assert!(has(ALICE, owned, 99).await && has(ALICE, of_admin, 49).await);
    assert!(!has(ALICE, of_admin, 50).await && !has(BOB, owned, 1).await);
    assert_eq!(store.use_recovery_code(ALICE, of_admin).await, Ok(false));
    assert_eq!(store.use_recovery_code(BOB, owned).await, Ok(false));
    assert_eq!(store.use_recovery_code(ALICE, owned).await, Ok(true));
    assert_eq!(store.use_recovery_code(ALICE, owned).await, Ok(false), "it is used up");
}

/// What this account has granted a program.
fn granted(account: AccountId) -> Granted {
    let (client, redirect) = ("app".to_owned(), "https://app.example/back".to_owned());
    Granted { account, client, redirect, challenge: CodeChallenge([7; 32]), scopes: Scopes::NONE }
}

fn program_code(number: usize) -> TokenDigest {
    let mut digest = [0; 32];
    digest[..8].copy_from_slice(&number.to_be_bytes());
    TokenDigest(digest)
}

async fn a_code_for_a_program_is_good_once_and_for_a_minute(subject: Subject) {
    let store = &subject.store;
    let scopes = Scopes::of_bits(3);
    let some = Granted { scopes, ..granted(ALICE) };
    for number in 1..=2 {
        assert_eq!(store.keep_code(program_code(number), some.clone(), 1_000).await, Ok(true));
    }
    assert_eq!(store.take_code(program_code(1), 1_000 + CODE_LASTS_MS - 1).await, Ok(Some(some)));
    assert_eq!(store.take_code(program_code(1), 1_000).await, Ok(None), "it was shown");
    assert_eq!(store.take_code(program_code(2), 1_000 + CODE_LASTS_MS).await, Ok(None), "it is over");
    assert_eq!(store.take_code(program_code(2), 1_000).await, Ok(None), "and was shown");
}

async fn an_account_has_few_codes_for_programs_and_all_together_many(subject: Subject) {
    let store = &subject.store;
    for number in 0..=CODES_PER_ACCOUNT_MAX {
        let later = u64::try_from(number).unwrap();
        assert_eq!(store.keep_code(program_code(number), granted(ALICE), later).await, Ok(true));
    }
    assert_eq!(store.take_code(program_code(0), 9).await, Ok(None), "the oldest has gone");
    assert_eq!(store.take_code(program_code(1), 9).await, Ok(Some(granted(ALICE))));
    for number in CODES_PER_ACCOUNT_MAX - 1..CODES_MAX {
        let account = AccountId::from_u128(1_000 + number as u128);
        assert_eq!(store.keep_code(program_code(100 + number), granted(account), 9).await, Ok(true));
    }
    let one_more = program_code(100_000);
    assert_eq!(store.keep_code(one_more, granted(BOB), 9).await, Ok(false));
    assert_eq!(
        store.keep_code(one_more, granted(BOB), 9 + CODE_LASTS_MS).await,
        Ok(true),
        "the others are over"
    );
}

async fn an_admin_closes_registered_accounts_whatever_their_password(subject: Subject) {
    let store = &subject.store;
    store.create_account(BOB, session(9, 100)).await.unwrap();
    assert_eq!(store.close_account(BOB, None).await, Ok(None), "it is a guest");
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    let (changed, ended) = store.close_account(ALICE, None).await.unwrap().unwrap();
    assert_eq!((changed.person.kind, changed.person.name), (AccountKind::Closed, None));
    assert_eq!(ended, [TokenDigest([1; 32])]);
    assert_eq!(store.close_account(ALICE, None).await, Ok(None), "it is closed");
}

async fn acts_of_admins_are_kept_in_their_order(subject: Subject) {
    let entry = |at_unix_ms| AuditEntry { at_unix_ms, by: "console".to_owned(), act: "{}".to_owned() };
    for at in 1..=3 {
        subject.store.note_act(entry(at)).await.unwrap();
    }
    assert_eq!(subject.store.acts(2).await, Ok(vec![entry(3), entry(2)]));
}

async fn a_recovery_code_works_once_and_ends_all_sessions(subject: Subject) {
    let store = &subject.store;
    let code = |number: u8| CodeDigest([number; 32]);
    for (account, text, token) in [(ALICE, "Rook", 1), (BOB, "Bishop", 2)] {
        store.register(registration(account, true, text, session(token, 100))).await.unwrap();
    }
    store.set_recovery_codes(ALICE, vec![code(1), code(2)]).await.unwrap();
    store.set_recovery_codes(ALICE, vec![code(3), code(4)]).await.unwrap();
    let recover = async |account, number| {
        store.recover(account, code(number), hash("new"), session(9, 101)).await.unwrap()
    };
    assert_eq!(recover(ALICE, 1).await, None, "others took its place");
    assert_eq!(recover(BOB, 3).await, None, "it is another account's");
    assert_eq!(recover(ALICE, 3).await, Some(vec![TokenDigest([1; 32])]));
    assert_eq!(recover(ALICE, 3).await, None, "it is used up");
    assert_eq!((whose(&subject, 1).await, whose(&subject, 9).await), (None, Some(ALICE)));
    assert_eq!(store.credential(ALICE).await.unwrap().unwrap().password, Some(hash("new")));
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().recovery_codes, 1);
}

async fn a_closed_account_is_nobodys_and_its_name_is_not_given_again(subject: Subject) {
    let store = &subject.store;
    store.register(registration(ALICE, true, "Rook", session(1, 100))).await.unwrap();
    store.set_recovery_codes(ALICE, vec![CodeDigest([1; 32])]).await.unwrap();
    assert_eq!(store.close_account(ALICE, Some(hash("other"))).await, Ok(None));
    let (changed, ended) = store.close_account(ALICE, Some(hash("first"))).await.unwrap().unwrap();
    let closed = Person { account: ALICE, kind: AccountKind::Closed, name: None };
    assert_eq!((changed.person, ended), (closed, vec![TokenDigest([1; 32])]));
    assert_eq!(store.account(ALICE).await, Ok(Some(closed)));
    assert_eq!((store.account_by_name(name("Rook")).await, whose(&subject, 1).await), (Ok(None), None));
    let nothing = Credential { person: closed, password: None };
    assert_eq!(store.credential(ALICE).await, Ok(Some(nothing)));
    assert_eq!(store.facts(ALICE).await.unwrap().unwrap().recovery_codes, 0);
    store.create_account(BOB, session(2, 200)).await.unwrap();
    assert_eq!(store.rename(BOB, name("ROOK"), 900).await, Ok(None));
    let taken = store.register(registration(BOB, false, "rook", session(3, 900))).await;
    assert_eq!(taken, Ok(Registered::NameTaken));
}

async fn the_name_of_a_guest_is_free_after_30_days_and_that_of_an_account_never(subject: Subject) {
    let store = &subject.store;
    let carol = AccountId::from_u128(3);
    store.create_account(ALICE, session(1, 100)).await.unwrap();
    store.create_account(carol, session(3, 100)).await.unwrap();
    store.rename(ALICE, name("Rook"), 100).await.unwrap();
    store.register(registration(BOB, true, "Bishop", session(2, 100))).await.unwrap();
    store.note_use(ALICE, TokenDigest([1; 32]), 110).await.unwrap();
    assert_eq!(store.rename(carol, name("rook"), 140).await, Ok(None), "seen 30 days ago");
    assert!(store.rename(carol, name("rook"), 141).await.unwrap().is_some());
    assert_eq!(
        store.account(ALICE).await,
        Ok(Some(Person::guest(ALICE))),
        "the guest is left, without the name"
    );
    assert_eq!(store.rename(carol, name("Bishop"), 9_999).await, Ok(None));
}

over_every_store! {
    a_guest_who_registers_keeps_account_and_tokens_and_only_guests_register
    a_code_for_a_program_is_good_once_and_for_a_minute
    an_account_has_few_codes_for_programs_and_all_together_many
    whoever_signs_in_must_have_compared_the_present_password
    the_sessions_of_an_account_are_listed_and_bounded
    an_api_token_is_kept_with_its_scopes_and_outlives_sessions
    api_tokens_are_bounded_and_those_that_have_expired_are_forgotten
    only_a_registered_person_becomes_a_bot
    a_recovery_code_works_once_and_ends_all_sessions
    a_reset_code_ends_and_the_next_one_takes_its_place
    an_admin_has_the_role_until_it_is_withdrawn_with_the_tokens_that_use_it
    mutes_and_cuts_are_bounded_and_those_that_are_over_make_room
    a_muted_account_says_so_of_itself_until_it_is_closed
    a_second_factor_counts_when_it_was_used_and_each_step_of_it_once
    a_recovery_code_stands_in_for_a_second_factor_once_and_that_of_an_admin_never
    an_admin_closes_registered_accounts_whatever_their_password
    acts_of_admins_are_kept_in_their_order
    a_closed_account_is_nobodys_and_its_name_is_not_given_again
    the_name_of_a_guest_is_free_after_30_days_and_that_of_an_account_never
}
