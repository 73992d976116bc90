-- Version 15. Second factors: the secret, when it was confirmed (0: not yet, and it counts for nothing), and the time step of
-- the last code that was used. `sum` is of the other columns.
CREATE TABLE second_factors (
  account BLOB PRIMARY KEY,
  secret BLOB NOT NULL,
  set_unix_ms INTEGER NOT NULL,
  used_step INTEGER NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
