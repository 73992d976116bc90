//! Every way in which a seek ends.
//!
//! A seek is accepted (`accept`) or cancelled (`ends`) like any challenge. It also ends with its owner's
//! last connection (`mod`) and with its owner's next game (`accept`, `quick_pairing`), like the owner's
//! place in a pool. `challenges` takes it out of the list. One that is being
//! accepted stays until the outcome of its own game is known.

use zeitnot_protocol::{AccountId, ChallengeId, GameId, ServerMessage, Waiting};

use super::over::End;
use super::{LobbyMachine, Step};
use crate::seeded_bugs::bug;

impl LobbyMachine {
    /// The next game of these players has begun, but not from a pool: both give up their places, and
    /// their seeks and offers of rematches end.
    pub(super) fn next_game_began(&mut self, players: [AccountId; 2], step: &mut Step<'_>) {
        for account in players {
            self.give_up_place(account, None, step);
        }
        self.withdraw_offers(players, step);
    }

    /// The game of an accepted seek could not begin. The seek is open again, unless its owner's last
    /// connection closed meanwhile, or its owner's next game began.
    pub(super) fn end_if_withdrawn(&mut self, id: ChallengeId, step: &mut Step<'_>) {
        bug!(SeekReopenedAfterItsEnd => return);
        let over = self.challenges.remove_withdrawn(id);
        self.end_all(over.into_iter().collect(), End::Cancelled, step);
    }

    /// Ends the open seeks of an account.
    pub(super) fn withdraw_seeks(&mut self, account: AccountId, step: &mut Step<'_>) {
        let over = self.challenges.remove_open_seeks(account);
        self.end_all(over, End::Cancelled, step);
    }

    /// Gives up the place of an account in a pool, if it has one; with the game for which it waited, if that has begun.
    pub(super) fn give_up_place(&mut self, account: AccountId, game: Option<GameId>, step: &mut Step<'_>) {
        if self.pools.leave(account).is_some() {
            step.notify(account, None, ServerMessage::Waiting(Waiting { pool: None, game }));
        }
    }
}
