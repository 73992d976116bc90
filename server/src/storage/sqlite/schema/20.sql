-- Version 20. Corrections of results: the last one of a game may be in force, and the row of the archive stays as it is.
-- `score` is as there. `after` is the last row of the archive then: ratings are folded in the order in which games ended
-- and were corrected. `sum` is of the other columns but `id`.
CREATE TABLE corrections (
  id INTEGER PRIMARY KEY,
  game BLOB NOT NULL,
  score INTEGER NOT NULL,
  after INTEGER NOT NULL,
  at_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE INDEX corrections_by_game ON corrections (game);
-- Every game once more, in other pages.
CREATE INDEX corrections_again ON corrections (game, after);
