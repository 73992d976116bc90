-- Version 16. The accounts that are admins; `sum` is of the other columns.
CREATE TABLE admins (
  account BLOB PRIMARY KEY,
  granted_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
