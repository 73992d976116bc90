-- Version 17. What admins put in force until an instant: accounts that are muted, and networks that are cut, as text. `sum` is
-- of the other columns.
CREATE TABLE mutes (
  account BLOB PRIMARY KEY,
  until_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE TABLE cuts (
  network TEXT PRIMARY KEY,
  until_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
