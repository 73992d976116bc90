-- Version 21. What the page keeps for an account, as JSON. `sum` is of the other columns.
CREATE TABLE settings (
  account BLOB PRIMARY KEY,
  settings TEXT NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
