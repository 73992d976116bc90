//! Reading what is reported, and saying that it was handled.

use zeitnot_protocol::AccountId;

use super::perform::{Admin, NotDone};
use crate::storage::Report;
use crate::time::{unix_now_ms, utc_text};

impl Admin {
    /// The reports that wait, as text.
    pub(super) async fn reports(&self, most: u32) -> Result<String, NotDone> {
        let waiting = self.accounts.waiting_reports(most as usize).await;
        let mut text = String::new();
        for report in waiting.map_err(|_| NotDone::Unavailable)? {
            text.push_str(&self.shown(&report).await?);
        }
        Ok(text)
    }

    /// Three lines and more: what it is about, what is said, and the lines of the chat.
    async fn shown(&self, report: &Report) -> Result<String, NotDone> {
        let Report { number, at_unix_ms, by, about, game, reason, text, lines, .. } = report;
        let by = match by {
            Some(by) => self.name_of(*by).await?,
            None => "a closed account".to_owned(),
        };
        let game = game.map_or_else(String::new, |game| format!(", in game {game}"));
        let about = self.name_of(*about).await?;
        let mut shown =
            format!("{number}  {}  {by} reports {about}: {reason}{game}\n", utc_text(*at_unix_ms));
        // The text is somebody's: as JSON it stays on its line, and without control characters.
        if !text.is_empty() {
            let text = serde_json::to_string(text).map_err(|_| NotDone::Unavailable)?;
            shown.push_str(&format!("  says {text}\n"));
        }
        let lines: Vec<serde_json::Value> = serde_json::from_str(lines).unwrap_or_default();
        for line in lines {
            shown.push_str(&format!("  line {}: {}\n", line["n"], line["text"]));
        }
        Ok(shown)
    }

    async fn name_of(&self, account: AccountId) -> Result<String, NotDone> {
        let found = self.accounts.person(account).await.map_err(|_| NotDone::Unavailable)?;
        Ok(found.map_or_else(|| account.to_string(), |person| format!("{} ({account})", person.shown_name())))
    }

    /// A report was handled.
    pub(super) async fn handled(&self, number: u64) -> Result<String, NotDone> {
        match self.accounts.handle_report(number, unix_now_ms()).await {
            Ok(true) => Ok(format!("report {number} is handled\n")),
            Ok(false) => Err(NotDone::NoReport(number)),
            Err(_) => Err(NotDone::Unavailable),
        }
    }
}
