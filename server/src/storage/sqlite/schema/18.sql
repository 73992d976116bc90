-- Version 18. Which accounts have blocked which others, and who may challenge an account, as JSON. `sum` is of the other
-- columns.
CREATE TABLE blocks (
  by BLOB NOT NULL,
  whom BLOB NOT NULL,
  sum INTEGER NOT NULL,
  PRIMARY KEY (by, whom)
) WITHOUT ROWID, STRICT;
CREATE INDEX blocks_whom ON blocks (whom);
CREATE TABLE challenge_rules (
  account BLOB PRIMARY KEY,
  rules TEXT NOT NULL,
  sum INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
