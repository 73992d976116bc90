//! Accounts as the Lichess API shows them.
//!
//! Clients compare names, so an account has the same spelling everywhere. An account that has chosen no name is known by its
//! id.
//!
//! Deliberately absent: what an account is (`accounts`) and how its ratings come about (`ratings`).

use serde_json::{Value, json};
use zeitnot_protocol::{AccountId, GameId, PlayerView, WireVariant};
use zeitnot_rules::game::Category;

use super::LichessApi;
use super::rejection::Rejection;
use super::words::{self, Speed};
use crate::accounts::{Kind, Person};
use crate::ratings::present;
use crate::storage::{Rating, Search, Standing, Who};
use crate::time::unix_now_ms;

/// The rating of a player who has none.
const BEGINNER: u32 = 1_500;

/// The keys of ratings that every user object has: a client takes one that is not there for 0.
const PERFS: [(&str, Option<Category>); 7] = [
    ("ultraBullet", None),
    ("bullet", Some(Category::Bullet)),
    ("blitz", Some(Category::Blitz)),
    ("rapid", Some(Category::Rapid)),
    ("classical", Some(Category::Classical)),
    ("correspondence", Some(Category::Correspondence)),
    ("chess960", Some(Category::Chess960)),
];

/// The id of a player whose name is shown so.
pub(super) fn id(account: AccountId, name: &str) -> String {
    if name.starts_with("Guest-") { account.to_string() } else { name.to_lowercase() }
}

/// The rating of a player in a game.
pub(super) fn rating(player: &PlayerView) -> u32 {
    player.rating.unwrap_or(BEGINNER)
}

fn title(is_bot: bool) -> Value {
    if is_bot { "BOT".into() } else { Value::Null }
}

/// A player of a game, as the first line of its stream shows one.
pub(super) fn of_game(player: &PlayerView) -> Value {
    json!({
        "id": id(player.account, &player.name), "name": player.name, "title": title(player.bot),
        "rating": rating(player), "provisional": player.provisional || player.rating.is_none(),
    })
}

/// An opponent, as a player's list of games shows one.
pub(super) fn opponent(player: &PlayerView) -> Value {
    json!({ "id": id(player.account, &player.name), "username": player.name, "rating": rating(player) })
}

/// A player of a challenge, as it shows one.
pub(super) fn of_challenge(player: &PlayerView, is_here: bool) -> Value {
    let mut shown = of_game(player);
    let object = shown.as_object_mut().expect("it is one");
    if is_here {
        object.insert("online".to_owned(), true.into());
    }
    if !player.bot {
        object.remove("title");
    }
    shown
}

impl LichessApi {
    /// Finds an account by its name, in any case, or by its id.
    pub(super) async fn person(&self, who: &str) -> Result<Option<Person>, Rejection> {
        let found = match who.parse::<AccountId>() {
            Ok(account) => self.sessions.accounts.person(account).await,
            Err(_) => self.sessions.accounts.by_name(who).await,
        };
        let found = found.map_err(|_| Rejection::unavailable())?;
        Ok(found.filter(|person| person.kind != Kind::Closed))
    }

    /// The same; 404 when there is none.
    pub(super) async fn known_person(&self, who: &str) -> Result<Person, Rejection> {
        self.person(who).await?.ok_or_else(|| Rejection::not_found(format!("No such user: {who}")))
    }

    async fn standings(&self, account: AccountId) -> Result<Vec<(Category, Standing)>, Rejection> {
        self.ratings.standings(account).await.map_err(|error| {
            tracing::warn!(%error, "ratings cannot be read");
            Rejection::unavailable()
        })
    }

    /// An account as a player of a game on such terms.
    pub(super) async fn player(&self, person: Person, category: Category) -> Result<PlayerView, Rejection> {
        let view = person.view();
        if !person.kind.is_registered() {
            return Ok(view);
        }
        let standings = self.standings(person.account).await?;
        let standing = standings.iter().find(|(known, _)| *known == category).map(|(_, standing)| standing);
        let shown = present(standing, unix_now_ms()).shown();
        Ok(PlayerView { rating: Some(shown.rating.into()), provisional: shown.provisional, ..view })
    }

    /// The user object of an account that is here or not, without how many games it has won.
    pub(super) async fn user(&self, person: Person, is_here: bool, site: &str) -> Result<Value, Rejection> {
        let live = self.sessions.games.live_ids(person.account).await;
        self.user_playing(person, is_here, &live, site).await
    }

    /// The same of an account that plays these games.
    async fn user_playing(
        &self,
        person: Person,
        is_here: bool,
        live: &[GameId],
        site: &str,
    ) -> Result<Value, Rejection> {
        let standings = self.standings(person.account).await?;
        let now = unix_now_ms();
        let perf = |category: Option<Category>| {
            let of =
                |wanted| standings.iter().find(|(known, _)| *known == wanted).map(|(_, standing)| standing);
            let standing = category.and_then(of);
            perf(present(standing, now), standing.map_or(0, |standing| standing.games))
        };
        let perfs = PERFS.iter().map(|(key, category)| ((*key).to_owned(), perf(*category)));
        let name = person.shown_name();
        let made = person.made_unix_ms().unwrap_or(now);
        let mut user = json!({
            "id": id(person.account, &name), "username": name, "perfs": Value::Object(perfs.collect()),
            "createdAt": made, "seenAt": if is_here { now } else { made }, "playTime": { "total": 0, "tv": 0 },
            "url": format!("{site}/@/{name}"),
        });
        let object = user.as_object_mut().expect("it is one");
        if person.kind == Kind::Bot {
            object.insert("title".to_owned(), "BOT".into());
        }
        // Clients take the mere presence of a flag for yes.
        if is_here {
            object.insert("online".to_owned(), true.into());
        }
        if let Some(game) = live.first() {
            object.insert("playing".to_owned(), format!("{site}/{game}").into());
        }
        Ok(user)
    }

    /// The user object of an account with how many games it has played, and what became of them.
    pub(super) async fn whole_user(&self, person: Person, site: &str) -> Result<Value, Rejection> {
        let is_here = self.sessions.lobby.who_is_here(&[person.account]).await.contains(&person.account);
        let live = self.sessions.games.live_ids(person.account).await;
        let mut user = self.user_playing(person, is_here, &live, site).await?;
        let counted = self.count(person, live.len()).await?;
        let object = user.as_object_mut().expect("it is one");
        object.insert("count".to_owned(), counted);
        for flag in ["followable", "following", "blocking"] {
            object.insert(flag.to_owned(), false.into());
        }
        Ok(user)
    }

    async fn count(&self, person: Person, playing: usize) -> Result<Value, Rejection> {
        use zeitnot_protocol::GameCount;
        use zeitnot_rules::board::Color;

        let exact = |count: GameCount| match count {
            GameCount::Exact(games) | GameCount::AtLeast { at_least: games } => games,
        };
        let (mut all, mut win, mut loss, mut draw) = (0, 0, 0, 0);
        for seat in [Color::White, Color::Black] {
            let player = Some(Who::Account(person.account));
            let search = Search { player, seat: Some(seat), ..Search::default() };
            let counts = self.history.count(search).await.map_err(|_| Rejection::unavailable())?;
            let (white, black) = (exact(counts.white_wins), exact(counts.black_wins));
            let (won, lost) = if seat == Color::White { (white, black) } else { (black, white) };
            all += exact(counts.games);
            (win, loss, draw) = (win + won, loss + lost, draw + exact(counts.draws));
        }
        let rated: u32 =
            self.standings(person.account).await?.iter().map(|(_, standing)| standing.games).sum();
        Ok(json!({
            "all": all, "rated": rated, "draw": draw, "loss": loss, "win": win, "bookmark": 0, "playing": playing,
            "import": 0, "me": 0,
        }))
    }
}

/// A rating. A bot's matchmaking never picks an opponent with 0 games.
fn perf(rating: Rating, games: u32) -> Value {
    json!({
        "games": games.max(1), "rating": rating.whole_points(), "rd": rating.deviation / 1_000, "prog": 0,
        "prov": rating.is_provisional(),
    })
}

/// The category that a game on such terms is rated in.
pub(super) fn category(variant: WireVariant, time_control: &zeitnot_protocol::TimeControl) -> Category {
    match (words::perf(variant, time_control).0, Speed::of(time_control)) {
        ("chess960", _) => Category::Chess960,
        (_, Speed::UltraBullet | Speed::Bullet) => Category::Bullet,
        (_, Speed::Blitz) => Category::Blitz,
        (_, Speed::Rapid) => Category::Rapid,
        (_, Speed::Classical) => Category::Classical,
        (_, Speed::Correspondence) => Category::Correspondence,
    }
}
