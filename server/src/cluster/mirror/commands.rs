//! The commands of this node's players that have no answer yet, each as it was sent.

use std::collections::VecDeque;

use zeitnot_protocol::CommandId;
use zeitnot_rules::game::Command;

use crate::cluster::wire::{Act, SentCommand, TurnStart};
use crate::connections::ConnectionId;
use crate::seeded_bugs::bug;
use crate::time::ServiceInstant;

/// The most commands of a connection without an answer: nobody means more at once.
pub(super) const OPEN_MAX: usize = 16;

#[derive(Debug)]
struct OpenCommand {
    sent: SentCommand,
    /// When it was read.
    stamp: ServiceInstant,
    /// The client has not given it that id.
    id_is_ours: bool,
}

/// In the order in which they were read.
#[derive(Debug, Default)]
pub(super) struct OpenCommands(VecDeque<OpenCommand>);

impl OpenCommands {
    /// Keeps a command that was read at `stamp`, so long after that start of a turn. How it is sent at `at`; `None` if the
    /// connection has too many.
    pub(super) fn open(
        &mut self,
        connection: ConnectionId,
        (stamp, at): (ServiceInstant, ServiceInstant),
        (start, since_us): (TurnStart, u64),
        id: Option<CommandId>,
        command: &Command,
        fresh: CommandId,
    ) -> Option<SentCommand> {
        let of_connection = self.0.iter().filter(|open| open.sent.connection == connection.0);
        if of_connection.count() >= OPEN_MAX {
            return None;
        }
        let act = Act::from(command);
        let id_is_ours = id.is_none() && act.needs_id();
        bug!(CommandWithoutIdSentAgain => let id_is_ours = false);
        let id = if id_is_ours { Some(fresh) } else { id };
        let (connection, age_us) = (connection.0, age_us(stamp, at));
        let sent = SentCommand { connection, start, since_us, age_us, id, act };
        self.0.push_back(OpenCommand { sent: sent.clone(), stamp, id_is_ours });
        Some(sent)
    }

    /// The oldest command of a connection is answered: answers come in order. Whether the id in the answer
    /// is one that the client does not know.
    pub(super) fn answered(&mut self, connection: ConnectionId) -> bool {
        let oldest = self.0.iter().position(|open| open.sent.connection == connection.0);
        oldest.and_then(|index| self.0.remove(index)).is_some_and(|open| open.id_is_ours)
    }

    /// The connection is gone, and nobody waits for its answers.
    pub(super) fn forget(&mut self, connection: ConnectionId) {
        self.0.retain(|open| open.sent.connection != connection.0);
    }

    /// All, to be sent again at `at`.
    pub(super) fn all(&self, at: ServiceInstant) -> Vec<SentCommand> {
        let again = |open: &OpenCommand| SentCommand { age_us: age_us(open.stamp, at), ..open.sent.clone() };
        self.0.iter().map(again).collect()
    }
}

fn age_us(stamp: ServiceInstant, at: ServiceInstant) -> u64 {
    at.0.saturating_sub(stamp.0)
}
