//! What admins put in force, and what is reported to them, in memory.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;
use std::sync::Mutex;

use zeitnot_protocol::AccountId;

use crate::storage::{CUTS_MAX, Cut, HANDLED_KEPT_MS, MUTES_MAX, Mute, REPORTS_MAX, Report};
use crate::sync::unpoisoned;

/// What is in force, and until when.
#[derive(Debug, Default)]
pub(super) struct InForce {
    mutes: Mutex<HashMap<AccountId, u64>>,
    cuts: Mutex<HashMap<String, u64>>,
    /// By their numbers.
    reports: Mutex<BTreeMap<u64, Report>>,
}

impl InForce {
    pub(super) fn mute(&self, Mute { account, until_unix_ms }: Mute, at_unix_ms: u64) -> bool {
        keep(&self.mutes, account, until_unix_ms, at_unix_ms, MUTES_MAX)
    }

    pub(super) fn unmute(&self, account: AccountId) -> bool {
        unpoisoned(self.mutes.lock()).remove(&account).is_some()
    }

    pub(super) fn muted_until(&self, account: AccountId) -> Option<u64> {
        unpoisoned(self.mutes.lock()).get(&account).copied()
    }

    pub(super) fn cut(&self, Cut { network, until_unix_ms }: Cut, at_unix_ms: u64) -> bool {
        keep(&self.cuts, network, until_unix_ms, at_unix_ms, CUTS_MAX)
    }

    pub(super) fn add_report(&self, report: Report) -> Option<u64> {
        let mut reports = unpoisoned(self.reports.lock());
        let at = report.at_unix_ms;
        reports.retain(|_, kept| kept.handled_unix_ms.is_none_or(|handled| handled + HANDLED_KEPT_MS > at));
        if reports.len() >= REPORTS_MAX {
            let handled = reports.iter().filter_map(|(number, kept)| Some((kept.handled_unix_ms?, *number)));
            let (_, oldest) = handled.min()?;
            reports.remove(&oldest);
        }
        let number = reports.last_key_value().map_or(1, |(last, _)| last + 1);
        reports.insert(number, Report { number, ..report });
        Some(number)
    }

    pub(super) fn reports(&self, wanted: impl Fn(&Report) -> bool) -> Vec<Report> {
        unpoisoned(self.reports.lock()).values().filter(|report| wanted(report)).cloned().collect()
    }

    pub(super) fn handle_report(&self, number: u64, at_unix_ms: u64) -> bool {
        let mut reports = unpoisoned(self.reports.lock());
        let waiting = reports.get_mut(&number).filter(|report| report.handled_unix_ms.is_none());
        waiting.is_some_and(|report| report.handled_unix_ms.replace(at_unix_ms).is_none())
    }

    pub(super) fn forget_reporter(&self, account: AccountId) {
        for report in unpoisoned(self.reports.lock()).values_mut() {
            report.by = report.by.filter(|by| *by != account);
        }
    }

    pub(super) fn uncut(&self, network: &str) -> bool {
        unpoisoned(self.cuts.lock()).remove(network).is_some()
    }
}

/// Keeps one, and forgets those that are over; `false` when there are as many as there may be.
fn keep<W: Eq + Hash>(kept: &Mutex<HashMap<W, u64>>, whom: W, until: u64, now_ms: u64, most: usize) -> bool {
    let mut all = unpoisoned(kept.lock());
    all.retain(|_, until| *until > now_ms);
    if all.len() >= most && !all.contains_key(&whom) {
        return false;
    }
    all.insert(whom, until);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_only_so_many_mutes_and_cuts() {
        let in_force = InForce::default();
        let mute = |number: usize| Mute { account: AccountId::from_u128(number as u128), until_unix_ms: 10 };
        assert!((0..MUTES_MAX).all(|number| in_force.mute(mute(number), 5)));
        assert!(!in_force.mute(mute(MUTES_MAX), 5) && in_force.mute(mute(MUTES_MAX), 10));
        let cut = |number| Cut { network: format!("192.0.2.{number}/32"), until_unix_ms: 10 };
        assert!((0..CUTS_MAX).all(|number| in_force.cut(cut(number), 5)));
        assert!(!in_force.cut(cut(CUTS_MAX), 5) && in_force.cut(cut(CUTS_MAX), 10));
    }
}
