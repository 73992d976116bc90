-- Version 8. Accounts that last: passwords, recovery codes, and what a list of devices shows of each token.

-- The day on which an account was last seen; 0: it was never noted. `sum` is of account, made_unix_ms and seen_day. A row
-- that is not as it was written stays so.
ALTER TABLE accounts ADD COLUMN seen_day INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET sum = row_sum(account, made_unix_ms, seen_day) WHERE sum = row_sum(account, made_unix_ms);

-- What its owner is shown of a token. `about_sum` is of hash, kind, made_unix_ms, used_day and label. The tokens of earlier
-- versions were made with their accounts; all count as held by browsers.
ALTER TABLE tokens ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN made_unix_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN used_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN about_sum INTEGER NOT NULL DEFAULT 0;
UPDATE tokens SET made_unix_ms =
  coalesce((SELECT accounts.made_unix_ms FROM accounts WHERE accounts.account = tokens.account), 0);
UPDATE tokens SET about_sum = row_sum(hash, kind, made_unix_ms, used_day, label);
CREATE INDEX token_by_account ON tokens (account);

-- The passwords of registered accounts, as PHC strings.
CREATE TABLE passwords (
  account BLOB PRIMARY KEY,
  hash TEXT NOT NULL,
  set_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- The recovery codes that are left, as SHA-256.
CREATE TABLE recovery_codes (hash BLOB PRIMARY KEY, account BLOB NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID, STRICT;
CREATE INDEX recovery_code_by_account ON recovery_codes (account);

-- The names of closed accounts, as SHA-256 of the name in small letters: nobody is given them again.
CREATE TABLE closed_names (hash BLOB PRIMARY KEY, sum INTEGER NOT NULL) WITHOUT ROWID, STRICT;
