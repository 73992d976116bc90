//! Who is in the world of a seed: games, their players, spectators, and what will go wrong when.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use zeitnot_protocol::{AccountId, GameId, WireColor};
use zeitnot_rules::board::{ByColor, Color};
use zeitnot_rules::game::{Game, GameInstant};

use super::World;
use super::checker::TabId;
use super::person::{Person, Tab};
use super::setup;
use super::world::What;
use crate::games::machine::GameMachine;
use crate::games::replay::ReplayedGame;
use crate::storage::{JournalOffset, Record};

impl World {
    pub(super) fn populate(&mut self, has_quitter: bool) {
        self.boot();
        let count = self.dice.within(1, 4).min(self.dice.within(1, 4));
        for number in 0..count {
            self.begin_game(number);
        }
        for spectator in 0..self.dice.below(4) {
            let watches = vec![*self.dice.pick(&self.games)];
            self.add_person(None, watches, 1 + spectator % 2);
        }
        if has_quitter {
            let quitter = self.dice.below(self.people.len() as u64) as usize;
            let latest = *self.dice.pick(&[400_000, 12_000_000]);
            self.people[quitter].quits_at = self.dice.below(latest);
        }
        for person in 0..self.people.len() {
            let wait = self.dice.span(800_000);
            self.after(wait, What::LookAround { person });
        }
    }

    /// Two people and a game between them.
    fn begin_game(&mut self, number: u64) {
        let game = GameId::from_random(1_000 + u128::from(number));
        let account = |number: u64, seat: u128| AccountId::from_u128(100 + 2 * u128::from(number) + seat);
        // Some play two games at once.
        let plays_two = number > 0 && self.dice.one_in(3);
        let white = account(if plays_two { 0 } else { number }, 0);
        let setup = setup::draw(&mut self.dice, ByColor { white, black: account(number, 1) });
        let events = Game::start(&setup).expect("the setup was validated");
        let at = GameInstant::START;
        let record = Arc::new(Record { game, first_seq: 1, at, account: None, command: None, events });
        let offset = self.disk.write(JournalOffset::NONE, &record, true).expect("it is the first one");
        let now = self.process.as_ref().expect("the server runs").service();
        self.games.push(game);
        self.checker.begins(&setup, &record, now);
        self.runs(GameMachine::created(ReplayedGame::begun(&record, offset), now, ByColor::default()));
        for seat in Color::ALL {
            let tabs = self.dice.within(1, 3).min(self.dice.within(1, 3));
            let account = Some(AccountId::from_u128(setup.players[seat]));
            let known = self.people.iter().position(|person| person.account == account);
            let person = known.unwrap_or_else(|| self.add_person(account, Vec::new(), tabs));
            self.people[person].seats.insert(game, WireColor::from(seat));
        }
    }

    fn add_person(&mut self, account: Option<AccountId>, watches: Vec<GameId>, tabs: u64) -> usize {
        let person = self.people.len();
        let first = self.tabs.len() as TabId;
        for _ in 0..tabs {
            self.tabs.push(Tab {
                person,
                connection: None,
                bytes: Vec::new(),
                unwatched: BTreeSet::new(),
                is_connecting: false,
            });
        }
        self.people.push(Person {
            account,
            seats: BTreeMap::new(),
            watches,
            tabs: (first..first + tabs as TabId).collect(),
            boards: BTreeMap::new(),
            unanswered: Vec::new(),
            commands: 0,
            shuffles: self.dice.one_in(4),
            races: self.dice.one_in(3),
            quits_at: u64::MAX,
        });
        person
    }

    pub(super) fn expect_faults(&mut self, length: u64) {
        for at in self.faults.crashes_at.clone() {
            self.at(at, What::Crash);
        }
        for (at, us) in self.faults.pauses.clone() {
            self.at(at, What::Stop { us });
        }
        self.at(length, What::Heal);
    }
}
