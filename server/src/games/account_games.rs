//! The live games of one account, in little room: a million accounts may have one each.

use zeitnot_protocol::GameId;

/// The games of an account, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct AccountGames(Few);

#[derive(Clone, Debug, Default)]
enum Few {
    #[default]
    None,
    One(GameId),
    More(Box<More>),
}

/// Behind one pointer, so that an account with one game costs no more than the id.
#[derive(Clone, Debug)]
struct More(Vec<GameId>);

impl AccountGames {
    pub(super) fn as_slice(&self) -> &[GameId] {
        match &self.0 {
            Few::None => &[],
            Few::One(game) => std::slice::from_ref(game),
            Few::More(more) => &more.0,
        }
    }

    /// Adds a game. Whether it was not there.
    pub(super) fn add(&mut self, game: GameId) -> bool {
        if self.as_slice().contains(&game) {
            return false;
        }
        match &mut self.0 {
            Few::None => self.0 = Few::One(game),
            Few::One(first) => self.0 = Few::More(Box::new(More(vec![*first, game]))),
            Few::More(more) => more.0.push(game),
        }
        true
    }

    /// Removes a game. Whether it was there.
    pub(super) fn remove(&mut self, game: GameId) -> bool {
        match &mut self.0 {
            Few::One(only) if *only == game => {
                self.0 = Few::None;
                true
            }
            Few::None | Few::One(_) => false,
            Few::More(more) => {
                let before = more.0.len();
                more.0.retain(|other| *other != game);
                let is_gone = more.0.len() < before;
                if let [only] = more.0[..] {
                    self.0 = Few::One(only);
                }
                is_gone
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_come_and_go_in_any_number() {
        let games = [1_u128, 2, 3].map(GameId::from_random);
        let mut of_account = AccountGames::default();
        assert!(games.iter().all(|game| of_account.add(*game)));
        assert!(!of_account.add(games[1]), "each once");
        assert!(of_account.remove(games[0]) && !of_account.remove(games[0]));
        assert_eq!(of_account.as_slice(), [games[1], games[2]]);
        assert!(of_account.remove(games[2]));
        assert_eq!(of_account.as_slice(), [games[1]]);
        assert!(!of_account.remove(games[2]) && of_account.remove(games[1]));
        assert_eq!(of_account.as_slice(), []);
    }

    #[test]
    fn one_game_takes_16_bytes() {
        assert_eq!(size_of::<AccountGames>(), 16);
    }
}
