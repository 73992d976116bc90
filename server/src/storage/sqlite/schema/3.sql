-- Version 3. Accounts, names, tokens, challenges and the columns of the archive have checksums: see `row_sum.rs`.

-- `sum` is of account and made_unix_ms, `name_sum` of account and name.
ALTER TABLE accounts ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN name_sum INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET sum = row_sum(account, made_unix_ms), name_sum = row_sum(account, name);

ALTER TABLE tokens ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
UPDATE tokens SET sum = row_sum(hash, account);

-- Every hash once more, in pages of its own: a token is unknown only when both do not have it.
CREATE UNIQUE INDEX token_again ON tokens (hash);

ALTER TABLE challenges ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
UPDATE challenges SET sum = row_sum(challenge, owner, terms, rematch_of);

-- Of all columns but the records, which have one of their own. NULL in rows of earlier versions: to write them all anew
-- could take minutes.
ALTER TABLE archive ADD COLUMN sum INTEGER;
