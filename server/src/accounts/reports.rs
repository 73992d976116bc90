//! Reports about other accounts, for the admins of the server: how often somebody may report, and what admins are shown.
//!
//! Deliberately absent: what admins do about it.
//!
//! Invariant: an account, and an address, reports only so often a day, and only so much waits.

use serde::{Deserialize, Serialize};
use zeitnot_protocol::AccountId;

use super::{AccountError, Accounts};
use crate::net::{Address, Allowances};
use crate::storage::Report;

/// Reports of one account in a day, all of them at once if need be: more than one evening needs.
const REPORTS_PER_ACCOUNT_PER_DAY: u32 = 10;

/// Those of all accounts at one address: a school has one address, and guests are made quickly.
const REPORTS_PER_ADDRESS_PER_DAY: u32 = 30;

/// Why somebody is reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReportReason {
    /// With the help of a program or of somebody else.
    Cheating,
    /// Insults and threats.
    Insults,
    /// The same again and again, and advertisements.
    Spam,
    /// Something else, which the text says.
    Other,
}

impl ReportReason {
    /// As it is written.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Cheating => "cheating",
            Self::Insults => "insults",
            Self::Spam => "spam",
            Self::Other => "other",
        }
    }
}

/// How often somebody has reported lately.
#[derive(Debug)]
pub(crate) struct Reporting {
    by_account: Allowances<AccountId>,
    by_address: Allowances<Address>,
}

impl Default for Reporting {
    fn default() -> Self {
        Self {
            by_account: Allowances::per_day(REPORTS_PER_ACCOUNT_PER_DAY),
            by_address: Allowances::per_day(REPORTS_PER_ADDRESS_PER_DAY),
        }
    }
}

impl Accounts {
    /// Keeps a report; its number.
    pub(crate) async fn report(&self, report: Report, from: Address) -> Result<u64, AccountError> {
        let now = self.clock.now();
        let spent = self.reporting.by_address.could_spend(&from, 1, now);
        let spent = spent.and_then(|()| match report.by {
            Some(by) => self.reporting.by_account.spend(by, 1, now),
            None => Ok(()),
        });
        spent.map_err(AccountError::TooManyAttempts)?;
        // This was there a line ago; of two at once one may go beyond.
        self.reporting.by_address.spend(from, 1, now).ok();
        let kept = self.store.add_report(report).await.map_err(|_| AccountError::Unavailable)?;
        kept.ok_or(AccountError::TooManyReports)
    }

    /// The reports that wait, the oldest first.
    pub(crate) async fn waiting_reports(&self, most: usize) -> Result<Vec<Report>, AccountError> {
        self.store.waiting_reports(most).await.map_err(|_| AccountError::Unavailable)
    }

    /// A report was handled; `false` when none waits with this number.
    pub(crate) async fn handle_report(&self, number: u64, at_unix_ms: u64) -> Result<bool, AccountError> {
        self.store.handle_report(number, at_unix_ms).await.map_err(|_| AccountError::Unavailable)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::super::tests::guests::in_memory;
    use super::*;
    use crate::storage::REPORTS_MAX;

    fn report(by: u128) -> Report {
        Report {
            number: 0,
            at_unix_ms: 1_000,
            by: Some(AccountId::from_u128(by)),
            about: AccountId::from_u128(999),
            game: None,
            reason: ReportReason::Spam.as_str().to_owned(),
            text: String::new(),
            lines: "[]".to_owned(),
            handled_unix_ms: None,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_account_reports_only_so_often() {
        let accounts = in_memory();
        let from = |last: u8| Address::from(IpAddr::from([192, 0, 2, last]));
        for _ in 0..REPORTS_PER_ACCOUNT_PER_DAY {
            accounts.report(report(1), from(1)).await.unwrap();
        }
        let more = accounts.report(report(1), from(2)).await;
        assert!(matches!(more, Err(AccountError::TooManyAttempts(_))), "{more:?}");
        for number in REPORTS_PER_ACCOUNT_PER_DAY..REPORTS_PER_ADDRESS_PER_DAY {
            accounts.report(report(u128::from(number) + 100), from(1)).await.unwrap();
        }
        let more = accounts.report(report(7), from(1)).await;
        assert!(matches!(more, Err(AccountError::TooManyAttempts(_))), "{more:?}");
        accounts.report(report(7), from(3)).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn there_are_only_so_many_reports() {
        let accounts = in_memory();
        for number in 1..=REPORTS_MAX as u64 {
            assert_eq!(accounts.store.add_report(report(1)).await, Ok(Some(number)));
        }
        assert_eq!(accounts.store.add_report(report(1)).await, Ok(None));
        assert_eq!(accounts.handle_report(7, 2_000).await, Ok(true));
        assert_eq!(accounts.handle_report(7, 2_000).await, Ok(false), "it waits no more");
        assert_eq!(accounts.store.add_report(report(1)).await, Ok(Some(REPORTS_MAX as u64 + 1)));
        assert_eq!(accounts.store.add_report(report(1)).await, Ok(None));
    }
}
