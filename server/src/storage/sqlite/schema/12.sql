-- Version 12. The audit log: what admins have done, as JSON; `sum` is of the other columns but id. And a recovery code may
-- end at an instant: 0 is never; its `sum` is of hash, account and until_unix_ms.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at_unix_ms INTEGER NOT NULL,
  by TEXT NOT NULL,
  act TEXT NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

ALTER TABLE recovery_codes ADD COLUMN until_unix_ms INTEGER NOT NULL DEFAULT 0;
UPDATE recovery_codes SET sum = row_sum(hash, account, until_unix_ms) WHERE sum = row_sum(hash, account);
