//! Which accounts have nothing to do with each other, and who may challenge an account.
//!
//! An account blocks another one: then neither gets challenges, pairings or lines of a chat of the other. A game that they
//! play goes on. The rules of an account say who may challenge it by name; links and pools are not concerned.
//!
//! Blocks are in memory as well, because each pairing and each line asks. Rules are read when somebody is challenged.
//!
//! Invariants: whoever is told that an account is blocked, or no more, finds it so after a restart. Nobody has blocked
//! more than [`BLOCKED_MAX`] others, and all together no more than [`BLOCKS_MAX`].
//!
//! Deliberately absent: what a block does to challenges that are open (`lobby`).

use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use serde::{Deserialize, Serialize};
use zeitnot_protocol::{AccountId, WireCategory};
use zeitnot_rules::game::Category;

use super::{AccountError, Accounts, Kind, Person};
use crate::storage::{BLOCKED_MAX, BLOCKS_MAX, Block};

/// Who has blocked whom.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    by: DashMap<AccountId, Vec<AccountId>>,
    /// How many there are, and how many more are being stored.
    count: AtomicUsize,
}

impl Blocks {
    /// Whether one of the two has blocked the other.
    pub(crate) fn are_between(&self, one: AccountId, other: AccountId) -> bool {
        self.count.load(Ordering::Relaxed) > 0 && (self.has(one, other) || self.has(other, one))
    }

    fn has(&self, by: AccountId, whom: AccountId) -> bool {
        self.by.get(&by).is_some_and(|blocked| blocked.contains(&whom))
    }

    /// Whom an account has blocked, the first one first.
    pub(crate) fn of(&self, by: AccountId) -> Vec<AccountId> {
        self.by.get(&by).map(|blocked| blocked.clone()).unwrap_or_default()
    }

    /// Takes in what is kept, at a start.
    pub(crate) fn restore(&self, blocks: &[Block]) {
        for block in blocks {
            self.count.fetch_add(1, Ordering::Relaxed);
            self.by.entry(block.by).or_default().push(block.whom);
        }
    }

    /// Takes in what a node has stored. What is known already changes nothing.
    pub(crate) fn take_in(&self, block: Block, is_blocked: bool) {
        if is_blocked {
            self.count.fetch_add(1, Ordering::Relaxed);
            self.insert(block);
        } else {
            self.remove(block);
        }
    }

    /// Makes room for one more; `false` when there is none.
    fn reserve(&self, by: AccountId) -> bool {
        let has_room = self.by.get(&by).is_none_or(|blocked| blocked.len() < BLOCKED_MAX);
        has_room && self.count.fetch_add(1, Ordering::Relaxed) < BLOCKS_MAX || {
            if has_room {
                self.count.fetch_sub(1, Ordering::Relaxed);
            }
            false
        }
    }

    /// Takes in a block that room was made for. The same one again takes no room.
    fn insert(&self, block: Block) {
        let mut blocked = self.by.entry(block.by).or_default();
        if blocked.contains(&block.whom) {
            self.count.fetch_sub(1, Ordering::Relaxed);
        } else {
            blocked.push(block.whom);
        }
    }

    fn remove(&self, block: Block) {
        let Some(mut blocked) = self.by.get_mut(&block.by) else { return };
        let before = blocked.len();
        blocked.retain(|whom| *whom != block.whom);
        self.count.fetch_sub(before - blocked.len(), Ordering::Relaxed);
        let is_empty = blocked.is_empty();
        drop(blocked);
        if is_empty {
            self.by.remove_if(&block.by, |_, blocked| blocked.is_empty());
        }
    }

    /// Forgets the blocks of an account that is closed. Those against it hurt nobody until the next start.
    pub(super) fn forget(&self, account: AccountId) {
        if let Some((_, blocked)) = self.by.remove(&account) {
            self.count.fetch_sub(blocked.len(), Ordering::Relaxed);
        }
    }
}

/// From whom an account takes challenges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChallengesFrom {
    /// From all.
    Everybody,
    /// From accounts that somebody has registered.
    Accounts,
    /// From nobody.
    Nobody,
}

/// Who may challenge an account by name, and to what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChallengeRules {
    pub(crate) from: ChallengesFrom,
    /// Whether bots may, too.
    pub(crate) bots: bool,
    /// The categories of games that are welcome.
    pub(crate) categories: Vec<WireCategory>,
}

impl Default for ChallengeRules {
    fn default() -> Self {
        let categories = Category::ALL.into_iter().map(WireCategory::from).collect();
        Self { from: ChallengesFrom::Everybody, bots: true, categories }
    }
}

impl ChallengeRules {
    /// Whether `by` may challenge to a game of this category.
    pub(crate) fn welcome(&self, by: Person, category: Category) -> bool {
        let from = match (self.from, by.kind) {
            (_, Kind::Bot) if !self.bots => false,
            (ChallengesFrom::Everybody, _) => true,
            (ChallengesFrom::Accounts, kind) => kind != Kind::Guest,
            (ChallengesFrom::Nobody, _) => false,
        };
        from && self.categories.contains(&category.into())
    }
}

impl Accounts {
    /// Lets an account block another one. When this returns that is durable.
    pub(crate) async fn block(&self, block: Block) -> Result<(), AccountError> {
        if self.blocks.has(block.by, block.whom) {
            return Ok(());
        }
        if !self.blocks.reserve(block.by) {
            return Err(AccountError::TooManyBlocks);
        }
        let kept = self.store.block(block).await;
        if kept.is_err() {
            self.blocks.count.fetch_sub(1, Ordering::Relaxed);
            return Err(AccountError::Unavailable);
        }
        self.blocks.insert(block);
        Ok(())
    }

    /// Lets an account block another one no more.
    pub(crate) async fn unblock(&self, block: Block) -> Result<(), AccountError> {
        self.store.unblock(block).await.map_err(|_| AccountError::Unavailable)?;
        self.blocks.remove(block);
        Ok(())
    }

    /// Who may challenge an account.
    pub(crate) async fn challenge_rules(&self, account: AccountId) -> Result<ChallengeRules, AccountError> {
        let kept = self.store.challenge_rules(account).await.map_err(|_| AccountError::Unavailable)?;
        let rules = kept.map(|text| serde_json::from_str(&text).map_err(|_| AccountError::Damaged));
        rules.unwrap_or_else(|| Ok(ChallengeRules::default()))
    }

    /// Sets who may challenge an account.
    pub(crate) async fn set_challenge_rules(
        &self,
        account: AccountId,
        rules: &ChallengeRules,
    ) -> Result<(), AccountError> {
        let text = serde_json::to_string(rules).map_err(|_| AccountError::Unavailable)?;
        self.store.set_challenge_rules(account, text).await.map_err(|_| AccountError::Unavailable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(number: usize) -> AccountId {
        AccountId::from_u128(number as u128)
    }

    fn block(by: usize, whom: usize) -> Block {
        Block { by: account(by), whom: account(whom) }
    }

    #[test]
    fn a_block_holds_both_ways_until_it_is_taken_back() {
        let blocks = Blocks::default();
        assert!(blocks.reserve(account(1)));
        blocks.insert(block(1, 2));
        assert!(blocks.are_between(account(1), account(2)) && blocks.are_between(account(2), account(1)));
        assert!(!blocks.are_between(account(1), account(3)));
        assert!(blocks.reserve(account(1)));
        blocks.insert(block(1, 2));
        blocks.take_in(block(1, 2), true);
        assert_eq!((blocks.of(account(1)).len(), blocks.count.load(Ordering::Relaxed)), (1, 1));
        blocks.remove(block(1, 2));
        blocks.take_in(block(1, 2), false);
        assert!(!blocks.are_between(account(1), account(2)));
        assert_eq!((blocks.by.len(), blocks.count.load(Ordering::Relaxed)), (0, 0));
    }

    #[test]
    fn an_account_blocks_only_so_many() {
        let blocks = Blocks::default();
        blocks.restore(&(0..BLOCKED_MAX).map(|whom| block(1, 10 + whom)).collect::<Vec<_>>());
        assert!(!blocks.reserve(account(1)));
        assert!(blocks.reserve(account(2)), "others still may");
        blocks.forget(account(1));
        assert_eq!(blocks.count.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn there_are_only_so_many_blocks() {
        let blocks = Blocks::default();
        blocks.count.store(BLOCKS_MAX - 1, Ordering::Relaxed);
        assert!(blocks.reserve(account(1)));
        assert!(!blocks.reserve(account(2)));
        assert_eq!(blocks.count.load(Ordering::Relaxed), BLOCKS_MAX);
    }

    #[test]
    fn rules_say_who_may_challenge_to_what() {
        let person = |kind| Person { kind, ..Person::guest(account(1)) };
        let (guest, registered, bot) = (person(Kind::Guest), person(Kind::Registered), person(Kind::Bot));
        let everybody = ChallengeRules::default();
        let accounts = ChallengeRules { from: ChallengesFrom::Accounts, ..everybody.clone() };
        let people = ChallengeRules { bots: false, ..accounts.clone() };
        let nobody = ChallengeRules { from: ChallengesFrom::Nobody, ..everybody.clone() };
        for (rules, welcome) in [
            (&everybody, [true, true, true]),
            (&accounts, [false, true, true]),
            (&people, [false, true, false]),
            (&nobody, [false; 3]),
        ] {
            let found = [guest, registered, bot].map(|by| rules.welcome(by, Category::Blitz));
            assert_eq!(found, welcome, "{rules:?}");
        }
        let slow = ChallengeRules { categories: vec![WireCategory::Classical], ..everybody };
        assert!(slow.welcome(guest, Category::Classical) && !slow.welcome(guest, Category::Blitz));
    }
}
