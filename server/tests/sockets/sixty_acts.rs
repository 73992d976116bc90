//! Acts that are forbidden across roles, scopes, origins and states, each beside its allowed twin: the same act by somebody
//! who may, which succeeds.
//!
//! Each list says what is asked, what it gets, and who may. [`Court`] counts them.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use zeitnot_protocol::{CommandId, GameId, ServerMessage};

use super::accounts::{HERE, PASSWORD, cookie, post, register};
use super::player::{Guest, Player};
use super::roles::admin_token;
use super::table::{Table, accept, blitz, challenge, events_to_the_end, play, snapshot, turn, with};
use super::test_server::{Answer, TestServer};

const ELSEWHERE: (&str, &str) = ("Origin", "http://evil.example");

/// A request over HTTP.
struct Ask<'a> {
    method: &'a str,
    path: String,
    body: Value,
    headers: Vec<(&'a str, String)>,
}

impl<'a> Ask<'a> {
    fn of(method: &'a str, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: Value::Null, headers: Vec::new() }
    }

    fn post(path: &str, body: Value) -> Self {
        Self { body, ..Self::of("POST", format!("/api/account/{path}")) }
    }

    /// With the cookie of a session, from a page of this site.
    fn by(self, cookie: &str) -> Self {
        self.with("Cookie", cookie).with(HERE.0, HERE.1)
    }

    fn on_this_site(self) -> Self {
        self.with(HERE.0, HERE.1)
    }

    fn token(self, token: &str) -> Self {
        self.with("Authorization", &format!("Bearer {token}"))
    }

    fn with(mut self, name: &'a str, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    async fn answer(&self, server: &TestServer) -> Answer {
        let body = if self.body.is_null() { String::new() } else { self.body.to_string() };
        let lines =
            self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
        let (method, path, length) = (self.method, &self.path, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{lines}");
        let kind = "Content-Type: application/json";
        server.raw(&format!("{head}{kind}\r\nContent-Length: {length}\r\n\r\n{body}")).await
    }
}

/// A server, and how many acts were rejected there beside a twin that succeeded.
struct Court {
    server: TestServer,
    acts: usize,
}

impl Court {
    /// One act over HTTP and its twin.
    async fn http(&mut self, forbidden: Ask<'_>, status: u16, code: &str, allowed: Ask<'_>) -> Answer {
        let what = format!("{} {} {}", forbidden.method, forbidden.path, forbidden.body);
        let answer = forbidden.answer(&self.server).await;
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{what}");
        let twin = allowed.answer(&self.server).await;
        assert!((200..300).contains(&twin.status), "the twin of {what}: {twin:?}");
        self.acts += 1;
        twin
    }

    /// One command and its twin, which another player may send, or the same one with other fields.
    async fn command(
        &mut self,
        t: &str,
        (forbidden, d): (&mut Player, Value),
        code: &str,
        (allowed, twin): (&mut Player, Value),
    ) {
        self.rejected(t, forbidden, d, code).await;
        assert_eq!(answered(allowed, t, twin).await, None, "the twin of {t}");
        self.acts += 1;
    }

    /// The same by one player.
    async fn own(&mut self, player: &mut Player, t: &str, d: Value, code: &str, twin: Value) {
        self.rejected(t, player, d, code).await;
        assert_eq!(answered(player, t, twin).await, None, "the twin of {t}");
        self.acts += 1;
    }

    async fn rejected(&mut self, t: &str, player: &mut Player, d: Value, code: &str) {
        assert_eq!(answered(player, t, d.clone()).await.as_deref(), Some(code), "{t} {d}");
    }
}

/// The code with which a command was rejected; `None`: it was carried out.
async fn answered(player: &mut Player, t: &str, d: Value) -> Option<String> {
    static SENT: AtomicU32 = AtomicU32::new(0);
    // The same id again would ask for the same once more.
    let act = format!("act{}", SENT.fetch_add(1, Ordering::Relaxed));
    player.say(t, with(d, json!({"id": act}))).await;
    let is_act = |id: &Option<CommandId>| id.is_some_and(|id| id.as_str() == act);
    let answer = player.until(|message| match message {
        ServerMessage::Rejected(rejected) => Some(Some(rejected.code.as_str().to_owned())),
        ServerMessage::Ok(ok) if is_act(&ok.id) => Some(None),
        ServerMessage::Challenge(challenge) if is_act(&challenge.id) => Some(None),
        _ => None,
    });
    answer.await
}

async fn token(server: &TestServer, cookie: &str, scopes: &[&str]) -> (String, String) {
    let wanted = json!({"name": "A board", "scopes": scopes});
    let made = post(server, "tokens", wanted, &[HERE, ("Cookie", cookie)]).await.json();
    (made["token"].as_str().unwrap().to_owned(), made["id"].as_str().unwrap().to_owned())
}

async fn join(server: &TestServer, token: &str) -> Player {
    Player::hello(server, json!({"token": token})).await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_forbidden_acts_beside_their_allowed_twins() {
    let folder = tempfile::tempdir().unwrap();
    let mut court = Court { server: TestServer::without_rates_on(folder.path()).await, acts: 0 };
    accounts(&mut court).await;
    tokens(&mut court).await;
    challenges(&mut court).await;
    games(&mut court).await;
    rated(&mut court).await;
    println!("{} forbidden acts, each beside its twin", court.acts);
    assert!(court.acts >= 60, "only {}", court.acts);
    court.server.ended().await;
}

/// Registering, signing in, sessions, passwords, codes.
async fn accounts(court: &mut Court) {
    let castle = register(&court.server, "Castle").await;
    let right = || json!({"name": "Castle", "password": PASSWORD});
    let name = |name: &str, password: &str| {
        Ask::post("register", json!({"name": name, "password": password})).on_this_site()
    };
    court.http(name("castle", PASSWORD), 409, "name_taken", name("Tower", PASSWORD)).await;
    court.http(name("admin", PASSWORD), 400, "bad_name", name("Adam", PASSWORD)).await;
    court.http(name("Minaret", "short"), 400, "bad_password", name("Minaret", PASSWORD)).await;
    let again = Ask::post("register", json!({"name": "Spire", "password": PASSWORD})).by(&castle);
    court.http(again, 409, "already_registered", name("Spire", PASSWORD)).await;

    let sign_in = |name: &str, password: &str| {
        Ask::post("sign-in", json!({"name": name, "password": password})).on_this_site()
    };
    court
        .http(sign_in("Castle", "guessed at first"), 403, "wrong_password", sign_in("Castle", PASSWORD))
        .await;
    court.http(sign_in("Nobody", PASSWORD), 403, "wrong_password", sign_in("Castle", PASSWORD)).await;
    let elsewhere = Ask::post("sign-in", right()).with(ELSEWHERE.0, ELSEWHERE.1);
    court.http(elsewhere, 403, "bad_origin", Ask::post("sign-in", right()).on_this_site()).await;

    // A cookie that was foisted on somebody is worth nothing after they have signed in with it.
    let foisted = cookie(&court.server.ask_with("POST", "/api/guest", &[HERE]).await);
    let own = Ask::post("register", json!({"name": "Victim", "password": PASSWORD})).by(&foisted);
    let own = cookie(&own.answer(&court.server).await);
    let me = |cookie: &str| Ask::of("GET", "/api/account/profile").with("Cookie", cookie);
    court.http(me(&foisted), 401, "no_identity", me(&own)).await;
    court.http(Ask::of("GET", "/api/account/profile"), 401, "no_identity", me(&castle)).await;
    court
        .http(
            Ask::of("GET", "/api/account/export"),
            401,
            "no_identity",
            Ask::of("GET", "/api/account/export").by(&castle),
        )
        .await;

    // Sessions are ended by their owner, from a page of this site.
    let listed = Ask::of("GET", "/api/account/sessions").by(&castle).answer(&court.server).await.json();
    let sessions = listed["sessions"].as_array().unwrap();
    let other = sessions.iter().find(|session| session["here"] == json!(false)).unwrap();
    let end = |cookie: &str| {
        Ask::of("DELETE", format!("/api/account/sessions/{}", other["id"].as_str().unwrap())).by(cookie)
    };
    court.http(end(&own), 404, "unknown_session", end(&castle)).await;
    let out = |origin: (&'static str, &'static str), cookie: &str| {
        Ask::post("sign-out", json!({})).with("Cookie", cookie).with(origin.0, origin.1)
    };
    let fresh = cookie(&sign_in("Castle", PASSWORD).answer(&court.server).await);
    court.http(out(ELSEWHERE, &fresh), 403, "bad_origin", out(HERE, &fresh)).await;

    // Passwords and codes.
    let change =
        |old: &str, new: &str| Ask::post("password", json!({"password": old, "new_password": new})).by(&own);
    court
        .http(
            change("guessed at first", "another good one"),
            403,
            "wrong_password",
            change(PASSWORD, PASSWORD),
        )
        .await;
    let codes = |password: &str| Ask::post("recovery-codes", json!({"password": password})).by(&castle);
    let made = court.http(codes("guessed at first"), 403, "wrong_password", codes(PASSWORD)).await.json();
    let recover = |code: &Value| {
        Ask::post("recover", json!({"name": "Castle", "code": code, "new_password": PASSWORD})).on_this_site()
    };
    court.http(recover(&json!("AAAA-AAAA-AAAA")), 403, "wrong_code", recover(&made["codes"][0])).await;
    court.http(recover(&made["codes"][0]), 403, "wrong_code", recover(&made["codes"][1])).await;
    let guest = cookie(&court.server.ask_with("POST", "/api/guest", &[HERE]).await);
    let of = |cookie: &str| Ask::post("recovery-codes", json!({"password": PASSWORD})).by(cookie);
    let tower = cookie(&sign_in("Tower", PASSWORD).answer(&court.server).await);
    court.http(of(&guest), 403, "not_registered", of(&tower)).await;
    let close = |password: &str| Ask::post("close", json!({"password": password})).by(&tower);
    court.http(close("guessed at first"), 403, "wrong_password", close(PASSWORD)).await;
    court.http(sign_in("Tower", PASSWORD), 403, "wrong_password", sign_in("Adam", PASSWORD)).await;
    court.http(name("Tower", PASSWORD), 409, "name_taken", name("Turret", PASSWORD)).await;

    // The guesses of one address at one name are counted, and another name is not concerned.
    for _ in 0..20 {
        sign_in("Turret", "guessed at first").answer(&court.server).await;
    }
    court.http(sign_in("Turret", PASSWORD), 429, "too_many_attempts", sign_in("Adam", PASSWORD)).await;
}

/// Tokens, their scopes, and bots.
async fn tokens(court: &mut Court) {
    let (owner, stranger) =
        (register(&court.server, "Bishop").await, register(&court.server, "Prelate").await);
    let guest = cookie(&court.server.ask_with("POST", "/api/guest", &[HERE]).await);
    let make = |cookie: &str, scopes: &[&str]| {
        Ask::post("tokens", json!({"name": "A board", "scopes": scopes})).by(cookie)
    };
    court.http(make(&owner, &["board:play"]), 400, "bad_field", make(&owner, &["play"])).await;
    court.http(make(&guest, &["play"]), 403, "not_registered", make(&owner, &["play"])).await;
    let by_token = token(&court.server, &owner, &["play"]).await.0;
    let with_token =
        Ask::post("tokens", json!({"name": "Another", "scopes": ["challenge"]})).token(&by_token);
    court.http(with_token, 403, "missing_scope", make(&owner, &["challenge"])).await;
    for path in ["tokens", "sessions", "export"] {
        let path = format!("/api/account/{path}");
        let forbidden = Ask::of("GET", path.clone()).token(&by_token);
        court.http(forbidden, 403, "missing_scope", Ask::of("GET", path).by(&owner)).await;
    }
    let (revoked, id) = token(&court.server, &owner, &["play"]).await;
    let revoke = |cookie: &str| Ask::of("DELETE", format!("/api/account/tokens/{id}")).by(cookie);
    court.http(revoke(&stranger), 404, "unknown_token", revoke(&owner)).await;
    let account = |token: &str| Ask::of("GET", "/api/me").token(token);
    court.http(account(&revoked), 401, "bad_token", account(&by_token)).await;
    let become_bot = |token: &str| Ask::of("POST", "/api/account/bot").token(token);
    let bot = token(&court.server, &stranger, &["bot"]).await.0;
    let reads = token(&court.server, &stranger, &[]).await.0;
    court.http(become_bot(&reads), 403, "missing_scope", become_bot(&bot)).await;

    // Over the socket a token does what its scopes allow.
    let server = &court.server;
    let (mut player, mut challenger) =
        (join(server, &by_token).await, join(server, &token(server, &owner, &["challenge"]).await.0).await);
    let mut reader = join(server, &token(server, &owner, &[]).await.0).await;
    court
        .command("create_challenge", (&mut player, blitz()), "missing_scope", (&mut challenger, blitz()))
        .await;
    let pool = json!({"pool": "1+0"});
    court.command("join_pool", (&mut reader, pool.clone()), "missing_scope", (&mut player, pool)).await;
    let open = challenge(&mut challenger, with(blitz(), json!({"color": "white"}))).await;
    let mut other = Player::guest(&court.server).await.player;
    let game: GameId = accept(&mut other, &open).await;
    snapshot(&mut player, game).await;
    let first = json!({"game": game, "on": 1, "uci": "e2e4"});
    court.command("move", (&mut challenger, first.clone()), "missing_scope", (&mut player, first)).await;
    court
        .command(
            "say",
            (&mut reader, json!({"game": game, "room": "players", "text": "Hello"})),
            "missing_scope",
            (&mut player, json!({"game": game, "room": "players", "text": "Hello"})),
        )
        .await;
}

/// Challenges of others, and what they ask for.
async fn challenges(court: &mut Court) {
    let (mut one, mut two) = (Player::guest(&court.server).await, Player::guest(&court.server).await);
    let mut three = Player::guest(&court.server).await;
    let about = |id: &str| json!({"challenge": id});
    let id = challenge(&mut one.player, blitz()).await;
    court
        .command(
            "accept_challenge",
            (&mut one.player, about(&id)),
            "own_challenge",
            (&mut two.player, about(&id)),
        )
        .await;
    let id = challenge(&mut one.player, with(blitz(), json!({"to": two.account}))).await;
    court
        .command(
            "accept_challenge",
            (&mut three.player, about(&id)),
            "not_for_you",
            (&mut two.player, about(&id)),
        )
        .await;
    court
        .command(
            "accept_challenge",
            (&mut three.player, about(&id)),
            "challenge_taken",
            (&mut two.player, about(&id)),
        )
        .await;
    let id = challenge(&mut one.player, with(blitz(), json!({"to": two.account}))).await;
    court
        .command(
            "cancel_challenge",
            (&mut three.player, about(&id)),
            "not_for_you",
            (&mut one.player, about(&id)),
        )
        .await;
    let id = challenge(&mut one.player, with(blitz(), json!({"to": two.account}))).await;
    court
        .command(
            "decline_challenge",
            (&mut one.player, about(&id)),
            "not_for_you",
            (&mut two.player, about(&id)),
        )
        .await;
    let to = |who: &Guest| with(blitz(), json!({"to": who.account}));
    let (itself, other) = (to(&three), to(&one));
    court.own(&mut three.player, "create_challenge", itself, "own_challenge", other).await;
    court.own(&mut three.player, "create_challenge", to(&one), "already_challenged", to(&two)).await;
    let nobody = with(blitz(), json!({"to_name": "NobodyAtAll"}));
    court.own(&mut three.player, "create_challenge", nobody, "unknown_account", blitz()).await;
    let seek = with(blitz(), json!({"seek": true, "to": one.account}));
    court
        .own(&mut three.player, "create_challenge", seek, "bad_options", with(blitz(), json!({"seek": true})))
        .await;
    let name = |name: &str| json!({"name": name});
    court.own(&mut three.player, "set_name", name("Castle"), "name_taken", name("Pawn_and_a_half")).await;
    court.own(&mut three.player, "set_name", name("x y"), "bad_name", name("Pawn_storm")).await;
}

/// Games of others, and what their state does not allow.
async fn games(court: &mut Court) {
    let mut table = Table::set(&court.server).await;
    let mut third = Player::guest(&court.server).await.player;
    let Table { game, white, black } = &mut table;
    let (game, white, black) = (*game, &mut white.player, &mut black.player);
    let about = |fields: Value| with(json!({"game": game}), fields);
    let e4 = || about(json!({"on": 1, "uci": "e2e4"}));
    court.command("move", (&mut third, e4()), "not_your_game", (white, e4())).await;
    turn(black, game).await;
    let (early, late) = (about(json!({"on": 2, "uci": "d2d4"})), about(json!({"on": 2, "uci": "e7e5"})));
    court.command("move", (white, early), "not_your_turn", (black, late)).await;
    turn(white, game).await;
    let (bad, good) = (about(json!({"on": 3, "uci": "e4e6"})), about(json!({"on": 3, "uci": "g1f3"})));
    court.own(white, "move", bad, "illegal_move", good).await;
    turn(black, game).await;
    let (old, new) = (about(json!({"on": 2, "uci": "b8c6"})), about(json!({"on": 4, "uci": "b8c6"})));
    court.own(black, "move", old, "stale", new).await;
    turn(white, game).await;
    let line = |room: &str| about(json!({"room": room, "text": "Good move"}));
    third.say("watch", about(json!({}))).await;
    snapshot(&mut third, game).await;
    court.command("say", (&mut third, line("players")), "not_your_room", (white, line("players"))).await;
    court.own(black, "say", line("spectators"), "not_your_room", line("players")).await;
    court
        .command("offer_draw", (&mut third, about(json!({}))), "not_your_game", (white, about(json!({}))))
        .await;
    court
        .command(
            "accept_draw",
            (white, about(json!({"offer": 6}))),
            "no_offer",
            (black, about(json!({"offer": 6}))),
        )
        .await;
    let mut next = Table::set(&court.server).await;
    let twin = json!({"game": next.game});
    court.command("resign", (white, about(json!({}))), "game_over", (&mut next.white.player, twin)).await;
    let rematch = Table::set(&court.server).await;
    let running = json!({"game": rematch.game});
    court.own(black, "offer_rematch", running, "not_your_game", about(json!({}))).await;
}

/// Who may play rated, and whom bots may play.
async fn rated(court: &mut Court) {
    let rated = || with(blitz(), json!({"rated": true, "color": "white"}));
    let cookies = [register(&court.server, "Knight").await, register(&court.server, "Rider").await];
    let bot = register(&court.server, "Automaton").await;
    let scopes = ["play", "challenge", "bot"];
    let [mut knight, mut rider] = [
        join(&court.server, &token(&court.server, &cookies[0], &scopes).await.0).await,
        join(&court.server, &token(&court.server, &cookies[1], &scopes).await.0).await,
    ];
    let robot_token = token(&court.server, &bot, &scopes).await.0;
    assert_eq!(
        Ask::of("POST", "/api/account/bot").token(&robot_token).answer(&court.server).await.status,
        200
    );
    let mut robot = join(&court.server, &robot_token).await;
    let mut guest = Player::guest(&court.server).await.player;
    court.command("create_challenge", (&mut guest, rated()), "not_rated", (&mut knight, rated())).await;
    let pool = json!({"pool": "5+0"});
    court.command("join_pool", (&mut robot, pool.clone()), "not_for_bots", (&mut guest, pool)).await;
    let about = |id: &str| json!({"challenge": id});
    let id = challenge(&mut knight, rated()).await;
    court.rejected("accept_challenge", &mut robot, about(&id), "not_rated").await;
    court.command("accept_challenge", (&mut guest, about(&id)), "not_rated", (&mut rider, about(&id))).await;
    let game: GameId = id.parse().unwrap();
    let become_bot = |token: &str| Ask::of("POST", "/api/account/bot").token(token);
    let busy = token(&court.server, &cookies[0], &scopes).await.0;
    court.http(become_bot(&busy), 409, "has_live_games", become_bot(&robot_token)).await;
    play(&mut knight, game, "e2e4").await;
    play(&mut rider, game, "e7e5").await;
    turn(&mut knight, game).await;
    rider.say("resign", json!({"game": game})).await;
    for player in [&mut knight, &mut rider] {
        player.until(|message| matches!(message, ServerMessage::Rated(_)).then_some(())).await;
    }
    court.http(become_bot(&busy), 409, "has_rated_games", become_bot(&robot_token)).await;
    let range =
        |least: u32, most: u32| with(rated(), json!({"rating_min": least, "rating_max": most, "seek": true}));
    let high = challenge(&mut knight, range(2_000, 2_400)).await;
    let own = challenge(&mut knight, range(1_000, 2_400)).await;
    court.own(&mut rider, "accept_challenge", about(&high), "other_rating", about(&own)).await;
}

/// Who may correct a result, and which. On a server of its own: an address has only so many passwords in a minute.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_are_corrected_by_admins_and_to_other_results() {
    let folder = tempfile::tempdir().unwrap();
    let mut court = Court { server: TestServer::without_rates_on(folder.path()).await, acts: 0 };
    corrections(&mut court, folder.path()).await;
    court.server.ended().await;
}

async fn corrections(court: &mut Court, folder: &Path) {
    let [referee, clerk] = [register(&court.server, "Referee").await, register(&court.server, "Clerk").await];
    let admin = admin_token(&court.server, folder, "Referee", &referee).await;
    let plays = token(&court.server, &clerk, &["play"]).await.0;
    let mut table = Table::set(&court.server).await;
    let game = table.game;
    let to = |result: &str| {
        let body = json!({"act": "correct", "game": game, "result": result});
        Ask { body, ..Ask::of("POST", "/api/admin/acts") }
    };
    // Here the act itself is early: its twin is the same one after the end.
    assert_eq!(to("0-0").token(&admin).answer(&court.server).await.code(), "not_ended");
    table.play(&["e2e4", "e7e5"]).await;
    table.black.player.say("resign", json!({"game": game})).await;
    events_to_the_end(&mut table.black.player).await;
    court.http(to("0-1"), 401, "no_identity", to("0-1").token(&admin)).await;
    court.http(to("0-0").by(&clerk), 403, "missing_scope", to("0-0").token(&admin)).await;
    court.http(to("1-0").token(&plays), 403, "missing_scope", to("1-0").token(&admin)).await;
    court.http(to("1-0").token(&admin), 409, "same_result", to("*").token(&admin)).await;
    super::admin::done(folder, &["withdraw", "Referee"]).await;
    assert_eq!(to("1-0").token(&admin).answer(&court.server).await.code(), "bad_token");
}
