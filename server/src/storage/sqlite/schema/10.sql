-- Version 10. A challenge ends at an instant, whether or not its owner is connected. Those of earlier versions have a day
-- from this step on. `sum` is of challenge, owner, terms, rematch_of and until_unix_ms; a row that is not as it was written
-- stays so.
ALTER TABLE challenges ADD COLUMN until_unix_ms INTEGER NOT NULL DEFAULT 0;
UPDATE challenges SET until_unix_ms = (unixepoch() + 86400) * 1000;
UPDATE challenges SET sum = row_sum(challenge, owner, terms, rematch_of, until_unix_ms)
  WHERE sum = row_sum(challenge, owner, terms, rematch_of);
