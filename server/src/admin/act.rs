//! The acts, as they are written on the command line, on the socket and in the audit log.

use clap::Subcommand;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{GameResult, Lasts};

/// Acts that are shown at once at most.
pub(crate) const SHOWN_MAX: u32 = 1_000;

/// Something that an admin wants done. The names are those of accounts, in whatever case.
#[derive(Clone, PartialEq, Eq, Debug, Subcommand, Serialize, Deserialize, ToSchema)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum AdminAct {
    /// Prints a link by which the owner of an account sets a new password: once, and within a day.
    Reset {
        /// The account.
        name: String,
        /// Takes its second factor away as well, for an owner who has lost the device and the recovery codes.
        #[arg(long)]
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        second_factor: bool,
    },
    /// Gives an account another name.
    Rename {
        /// The account.
        name: String,
        /// What it is called from now on.
        new: String,
    },
    /// Closes an account for ever. Its games stay, its personal data go, and its name is not given again.
    Close {
        /// The account.
        name: String,
    },
    /// Makes the account of a person an admin, who acts over HTTP once the account has a second factor.
    Grant {
        /// The account.
        name: String,
    },
    /// Makes an account an admin no more.
    Withdraw {
        /// The account.
        name: String,
    },
    /// Keeps an account from posting in chats for a time, also when it registers or chooses another name.
    Mute {
        /// The account, by name or id.
        name: String,
        /// How long, such as 30m, 12h or 7d.
        #[arg(long = "for", value_name = "TIME")]
        #[serde(rename = "for")]
        #[schema(value_type = String)]
        lasts: Lasts,
    },
    /// Lets an account post again.
    Unmute {
        /// The account, by name or id.
        name: String,
    },
    /// Closes the connections of an address or a network, and answers nothing from there for a time.
    Cut {
        /// Such as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/48. An address of IPv6 stands for its /64.
        address: String,
        /// How long, such as 30m, 12h or 7d.
        #[arg(long = "for", value_name = "TIME")]
        #[serde(rename = "for")]
        #[schema(value_type = String)]
        lasts: Lasts,
    },
    /// Answers an address or a network again.
    Uncut {
        /// The network that was cut.
        address: String,
    },
    /// Prints the networks that are cut, and until when in UTC.
    Cuts {},
    /// Makes a token for a program, and its account if there is none: what `zeitnot token` asks for.
    #[command(skip)]
    Token {
        /// The account.
        name: String,
        /// Makes the account a bot.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        bot: bool,
    },
    /// Prints the reports that wait, the oldest first.
    Reports {
        /// How many reports.
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=i64::from(SHOWN_MAX)))]
        most: u32,
    },
    /// Says that a report was handled: it waits no more.
    Handled {
        /// The number of the report.
        report: u64,
    },
    /// Corrects the result of a finished game: what it counts as in lists, searches and ratings from now on. What was
    /// played out stays in its record.
    Correct {
        /// The id of the game.
        game: String,
        /// 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, or * for no result.
        #[schema(value_type = String)]
        result: GameResult,
        /// Why, for the log.
        #[arg(long, value_name = "TEXT")]
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Prints what admins have done, the last act first.
    Log {
        /// How many acts.
        #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=i64::from(SHOWN_MAX)))]
        most: u32,
    },
}

impl AdminAct {
    /// Whether it only looks.
    pub(crate) const fn only_reads(&self) -> bool {
        matches!(self, Self::Log { .. } | Self::Cuts {} | Self::Reports { .. })
    }

    /// Whether it can be done only on the machine of the server.
    pub(super) const fn is_for_the_console(&self) -> bool {
        matches!(self, Self::Grant { .. } | Self::Withdraw { .. } | Self::Token { .. })
    }

    /// The account that something is done to, by name.
    pub(super) fn target(&self) -> Option<&str> {
        match self {
            Self::Reset { name, .. }
            | Self::Rename { name, .. }
            | Self::Close { name }
            | Self::Grant { name }
            | Self::Token { name, .. }
            | Self::Withdraw { name }
            | Self::Mute { name, .. }
            | Self::Unmute { name } => Some(name),
            Self::Cut { .. }
            | Self::Uncut { .. }
            | Self::Cuts {}
            | Self::Reports { .. }
            | Self::Handled { .. }
            | Self::Correct { .. }
            | Self::Log { .. } => None,
        }
    }
}
