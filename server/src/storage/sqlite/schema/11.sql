-- Version 11. A token says what it may be used for, and until when: `scopes` are the bits of a set of scopes, of which
-- 128 is a session's, and `until_unix_ms` is 0 for one that never expires. `sum` is of hash, account, scopes and
-- until_unix_ms; a row that is not as it was written stays so.
ALTER TABLE tokens ADD COLUMN scopes INTEGER NOT NULL DEFAULT 142;
ALTER TABLE tokens ADD COLUMN until_unix_ms INTEGER NOT NULL DEFAULT 0;
UPDATE tokens SET sum = row_sum(hash, account, scopes, until_unix_ms) WHERE sum = row_sum(hash, account);
