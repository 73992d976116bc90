-- Version 1.

-- Single facts: `epoch`, and `copy` in a file that `zeitnot backup` made.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;

-- When each process began to serve, on the folder's own axis of service time.
CREATE TABLE starts (at INTEGER PRIMARY KEY, unix_ms INTEGER NOT NULL) STRICT;

-- The segments journal_N that exist. Row ids go on from one to the next.
CREATE TABLE segments (number INTEGER PRIMARY KEY, first_id INTEGER NOT NULL) STRICT;

-- Games that have ended.
CREATE TABLE archive (
  id INTEGER PRIMARY KEY,
  game BLOB NOT NULL UNIQUE,
  ended_unix_ms INTEGER NOT NULL,
  white BLOB NOT NULL,
  black BLOB NOT NULL,
  score INTEGER NOT NULL,
  reason INTEGER NOT NULL,
  records BLOB NOT NULL
) STRICT;

-- The rows of games that cannot be read, as they were found.
CREATE TABLE set_aside (id INTEGER PRIMARY KEY, game BLOB NOT NULL, seq INTEGER NOT NULL, record BLOB NOT NULL) STRICT;

-- Guests have no name of their own.
CREATE TABLE accounts (account BLOB PRIMARY KEY, made_unix_ms INTEGER NOT NULL, name TEXT) WITHOUT ROWID, STRICT;
CREATE TABLE tokens (hash BLOB PRIMARY KEY, account BLOB NOT NULL) WITHOUT ROWID, STRICT;

-- Open challenges: the terms are the `create_challenge` message that made them.
CREATE TABLE challenges (
  id INTEGER PRIMARY KEY,
  challenge BLOB NOT NULL UNIQUE,
  owner BLOB NOT NULL,
  terms TEXT NOT NULL
) STRICT;
