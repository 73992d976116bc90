-- Version 14. A challenge may be accepted while its owner is away: `accepted_by` is the account that has accepted it. `sum`
-- is of challenge, owner, terms, rematch_of, until_unix_ms and accepted_by; a row that is not as it was written stays so.
ALTER TABLE challenges ADD COLUMN accepted_by BLOB;
UPDATE challenges SET sum = row_sum(challenge, owner, terms, rematch_of, until_unix_ms, accepted_by)
  WHERE sum = row_sum(challenge, owner, terms, rematch_of, until_unix_ms);
