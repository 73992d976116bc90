//! Answers with many games: which games, and the answer while it is being made.
//!
//! Deliberately absent: how a game is found (`storage`) and written (`game_text`).
//!
//! Invariants: while a client reads what it was sent, no game is read for it, and it has no place at the archive; an answer
//! that cannot be made to its end is broken off.

use std::collections::VecDeque;
use std::io;

use axum::body::Body;
use axum::response::IntoResponse as _;
use bytes::Bytes;
use futures_util::stream;
use http::header;
use zeitnot_protocol::{AccountId, GameCount, GameId};
use zeitnot_rules::board::Color;
use zeitnot_rules::game::Category;

use super::caller::Visitor;
use super::fields::Fields;
use super::game_text::{Form, NDJSON, PGN, perf_key};
use super::games::of_read;
use super::rejection::Rejection;
use super::{Answer, LichessApi};
use crate::archive::Turn;
use crate::games::{ReadGame, StoredGame, StoredPage};
use crate::storage::{FacetFilter, Search, Who};
use crate::time::unix_now_ms;

/// Games that are read at once for an answer.
const GAMES_PER_CHUNK: usize = 20;

/// The most games of an answer.
const GAMES_MAX: usize = 10_000;

/// The most games that a call names one by one.
pub(super) const GAMES_BY_ID_MAX: usize = 300;

/// The most pages of an answer that begins with the oldest game.
const PAGES_MAX: usize = GAMES_MAX;

/// Finished games that are wanted.
#[derive(Debug)]
pub(super) struct Finished {
    search: Option<Search>,
    perfs: Option<Vec<&'static str>>,
    most: usize,
    oldest_first: bool,
}

impl Finished {
    /// What the parameters of a call about the games of an account say. Games count by the time at which they ended.
    pub(super) async fn read(
        api: &LichessApi,
        account: AccountId,
        fields: &Fields,
    ) -> Result<Self, Rejection> {
        let mut search = Search { player: Some(Who::Account(account)), ..Search::default() };
        search.seat = match fields.text("color") {
            None => None,
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            Some(_) => return Err(Rejection::bad_field("color", "this is neither white nor black")),
        };
        // `until` is still wanted.
        (search.since_unix_ms, search.until_unix_ms) =
            (fields.whole("since")?, fields.whole("until")?.map(|until| until + 1));
        let perfs = fields.text("perfType").map(perf_keys);
        let category = perfs.as_deref().and_then(only_category);
        search.kind = FacetFilter { rated: fields.flag("rated")?, category, ..FacetFilter::default() };
        if let Some(vs) = fields.text("vs") {
            search.opponent = Some(Who::Account(api.known_person(vs).await?.account));
        }
        let oldest_first = match fields.text("sort") {
            None | Some("dateDesc") => false,
            Some("dateAsc") => true,
            Some(_) => return Err(Rejection::bad_field("sort", "this is neither dateAsc nor dateDesc")),
        };
        // No game was analysed here.
        let is_wanted =
            fields.flag("finished")?.unwrap_or(true) && !fields.flag("analysed")?.unwrap_or(false);
        let most = fields.whole("max")?.map_or(GAMES_MAX, |most| usize::try_from(most).unwrap_or(GAMES_MAX));
        let finished =
            Self { search: is_wanted.then_some(search), perfs, most: most.min(GAMES_MAX), oldest_first };
        finished.check_order(api).await?;
        Ok(finished)
    }

    /// The archive is read from its end, so the oldest game is found behind all others: that takes a bounded number.
    async fn check_order(&self, api: &LichessApi) -> Result<(), Rejection> {
        let Some(search) = self.search.as_ref().filter(|_| self.oldest_first) else { return Ok(()) };
        let counts = api.history.count(search.clone()).await.map_err(of_read)?;
        match counts.games {
            GameCount::Exact(_) => Ok(()),
            GameCount::AtLeast { .. } => {
                Err(Rejection::bad_field("sort", "too many games fit: narrow them with since and until"))
            }
        }
    }
}

/// What games are rated in, and the category of each.
const PERFS: [(&str, Category); 7] = [
    ("ultraBullet", Category::Bullet),
    ("bullet", Category::Bullet),
    ("blitz", Category::Blitz),
    ("rapid", Category::Rapid),
    ("classical", Category::Classical),
    ("correspondence", Category::Correspondence),
    ("chess960", Category::Chess960),
];

/// The keys in a list with commas; those of games that are not played here are left out.
fn perf_keys(list: &str) -> Vec<&'static str> {
    PERFS.iter().map(|(key, _)| *key).filter(|key| list.split(',').any(|one| one.trim() == *key)).collect()
}

/// The category of all of these keys, if they have one in common.
fn only_category(perfs: &[&str]) -> Option<Category> {
    let mut categories = PERFS.iter().filter(|(key, _)| perfs.contains(key)).map(|(_, category)| *category);
    let first = categories.next()?;
    categories.all(|other| other == first).then_some(first)
}

/// Where a page begins: after this cursor; `None`: with the newest game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Begin(Option<u64>);

impl Begin {
    fn after(page: &StoredPage) -> Option<Self> {
        page.next().map(|cursor| Self(Some(cursor)))
    }
}

/// The pages of a search, in one direction or the other.
#[derive(Debug)]
struct Pages {
    search: Search,
    /// The next page.
    next: Option<Begin>,
    /// For the oldest first: the pages that are still to come, the newest first, once they are known.
    beginnings: Option<Vec<Begin>>,
}

/// An answer while it is being made.
struct ManyGames {
    api: LichessApi,
    turn: Turn,
    form: Form,
    site: String,
    ids: VecDeque<GameId>,
    pages: Option<Pages>,
    perfs: Option<Vec<&'static str>>,
    /// How many more games are wanted.
    left: usize,
}

/// Begins an answer with these games, and then with finished ones.
pub(super) fn begin(
    api: &LichessApi,
    visitor: &Visitor,
    form: Form,
    ids: VecDeque<GameId>,
    finished: Option<Finished>,
) -> Answer {
    let turn = api.turn(visitor)?;
    let none = Finished { search: None, perfs: None, most: GAMES_MAX, oldest_first: false };
    let Finished { search, perfs, most, oldest_first } = finished.unwrap_or(none);
    let pages = search.map(|mut search| {
        // Games that end from now on would move the pages.
        let now = unix_now_ms() + 1;
        search.until_unix_ms = Some(search.until_unix_ms.map_or(now, |until| until.min(now)));
        Pages { search, next: Some(Begin(None)), beginnings: oldest_first.then(Vec::new) }
    });
    let many =
        ManyGames { api: api.clone(), turn, form, site: visitor.site.clone(), ids, pages, perfs, left: most };
    let chunks = stream::try_unfold(many, |mut many| async move {
        Ok::<_, io::Error>(many.chunk().await?.map(|chunk| (chunk, many)))
    });
    let kind = if form.as_pgn { PGN } else { NDJSON };
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(chunks)).into_response())
}

fn broken(_: impl Sized) -> io::Error {
    io::ErrorKind::ConnectionAborted.into()
}

impl ManyGames {
    /// The next games, as text; `None` at the end.
    async fn chunk(&mut self) -> io::Result<Option<Bytes>> {
        while self.left > 0 {
            self.turn.begin().await.map_err(broken)?;
            let read = if self.ids.is_empty() { self.page().await? } else { self.named().await? };
            let Some((text, count)) = read else {
                self.turn.pause();
                return Ok(None);
            };
            self.turn.pause();
            self.left -= count;
            if !text.is_empty() {
                return Ok(Some(text.into()));
            }
        }
        Ok(None)
    }

    /// The next games of those that were named.
    async fn named(&mut self) -> io::Result<Option<(String, usize)>> {
        let mut stored: Vec<StoredGame> = Vec::new();
        for _ in 0..GAMES_PER_CHUNK.min(self.left) {
            let Some(id) = self.ids.pop_front() else { break };
            // One that is damaged is left out as one that there is not.
            stored.extend(self.api.sessions.games.stored(id).await.ok());
        }
        self.make(move || stored.iter().filter_map(StoredGame::read).collect()).await.map(Some)
    }

    /// The next page of the search.
    async fn page(&mut self) -> io::Result<Option<(String, usize)>> {
        let Some(pages) = &mut self.pages else { return Ok(None) };
        if let Some(beginnings) = &mut pages.beginnings {
            while let Some(begin) = pages.next {
                if beginnings.len() >= PAGES_MAX {
                    return Err(broken(()));
                }
                beginnings.push(begin);
                let page = self.api.history.page(pages.search.clone(), begin.0, GAMES_PER_CHUNK).await;
                pages.next = Begin::after(&page.map_err(broken)?);
                self.turn.pause();
                self.turn.begin().await.map_err(broken)?;
            }
        }
        let is_reversed = pages.beginnings.is_some();
        let begin = match &mut pages.beginnings {
            Some(beginnings) => beginnings.pop(),
            None => pages.next,
        };
        let Some(Begin(before)) = begin else { return Ok(None) };
        let page = self.api.history.page(pages.search.clone(), before, GAMES_PER_CHUNK).await;
        let page = page.map_err(broken)?;
        pages.next = Begin::after(&page).filter(|_| !is_reversed);
        let read = move || {
            let mut games: Vec<_> = page.read().collect();
            if is_reversed {
                games.reverse();
            }
            games
        };
        self.make(read).await.map(Some)
    }

    /// Writes those games of some that are wanted: the text, and how many they are.
    async fn make(
        &self,
        read: impl FnOnce() -> Vec<ReadGame> + Send + 'static,
    ) -> io::Result<(String, usize)> {
        let (form, site, perfs, left) = (self.form, self.site.clone(), self.perfs.clone(), self.left);
        let write = move || {
            let games = read();
            let is_wanted =
                |read: &&ReadGame| perfs.as_ref().is_none_or(|perfs| perfs.contains(&perf_key(&read.game)));
            let texts = games.iter().filter(is_wanted).take(left);
            let texts = texts.map(|read| form.write_one_of_many(read, &site)).collect::<Vec<_>>();
            (texts.concat(), texts.len())
        };
        self.api.sessions.games.archive().make(write).await.map_err(broken)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::archive::Payer;
    use crate::net::Address;
    use crate::server::Server;
    use crate::storage::MemoryStore;

    fn api() -> LichessApi {
        let store = Arc::new(MemoryStore::default());
        let state = Server::on(Arc::clone(&store)).http_state();
        LichessApi::new(state.sessions, state.history, store)
    }

    #[test]
    fn a_category_is_looked_for_when_all_keys_are_of_it() {
        let of = |keys: &str| only_category(&perf_keys(keys));
        assert_eq!(of("ultraBullet, bullet"), Some(Category::Bullet));
        assert_eq!(of("blitz"), Some(Category::Blitz));
        assert_eq!(of("blitz,rapid"), None);
        assert_eq!((of("crazyhouse"), perf_keys("crazyhouse")), (None, Vec::new()), "no game has that key");
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_gets_more_games_than_an_answer_may_have() {
        let api = api();
        let most = async |query| {
            Finished::read(&api, AccountId::from_u128(7), &Fields::of_query(query)).await.unwrap().most
        };
        assert_eq!(most("max=7").await, 7);
        assert_eq!((most("").await, most("max=1000000").await), (GAMES_MAX, GAMES_MAX));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_from_the_oldest_game_on_is_broken_off_when_that_is_too_far_away() {
        let api = api();
        let address: Address = std::net::IpAddr::from([192, 0, 2, 1]).into();
        let turn = api.sessions.games.archive().turn(Payer::Address(address), address).unwrap();
        let form = Form::read(&Fields::default(), &http::HeaderMap::new(), false).unwrap();
        let mut many = ManyGames {
            api,
            turn,
            form,
            site: String::new(),
            ids: VecDeque::new(),
            pages: None,
            perfs: None,
            left: 1,
        };
        let pages = |known| Pages {
            search: Search::default(),
            next: Some(Begin(None)),
            beginnings: Some(vec![Begin(Some(1)); known]),
        };
        many.pages = Some(pages(PAGES_MAX - 1));
        assert!(many.page().await.is_ok());
        many.pages = Some(pages(PAGES_MAX));
        assert!(many.page().await.is_err());
    }
}
