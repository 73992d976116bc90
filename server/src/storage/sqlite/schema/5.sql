-- Version 5. Accounts have a kind: see `Kind` in storage/account.rs. All that there are are guests.

ALTER TABLE accounts ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;

-- `name_sum` is of account, name and kind. A row that is not as it was written stays so.
UPDATE accounts SET name_sum = row_sum(account, name, kind) WHERE name_sum = row_sum(account, name);
