-- Version 19. What somebody reports about another account. `by` is NULL when the reporter's account was closed, `game` when
-- the report is about none, and `handled_unix_ms` while it waits for an admin. `sum` is of the other columns but `id`.
CREATE TABLE reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_unix_ms INTEGER NOT NULL,
  by BLOB,
  about BLOB NOT NULL,
  game BLOB,
  reason TEXT NOT NULL,
  text TEXT NOT NULL,
  lines TEXT NOT NULL,
  handled_unix_ms INTEGER,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX reports_waiting ON reports (handled_unix_ms);
CREATE INDEX reports_by ON reports (by);
