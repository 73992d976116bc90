-- Version 9. The archive is searched by tables of its own, which can be made again from it: `search_index.rs`.

-- Everybody who has finished a game, by a number that keeps the rows below small: an account's bytes, or the name of
-- somebody without an account.
CREATE TABLE players (id INTEGER PRIMARY KEY, who ANY NOT NULL UNIQUE, sum INTEGER NOT NULL) STRICT;

-- How many games of each kind there are.
CREATE TABLE facets (facet INTEGER PRIMARY KEY, games INTEGER NOT NULL, sum INTEGER NOT NULL) STRICT;

-- `id` is that of the row in the archive: the order of the ends.
CREATE TABLE games_by_facet (
  facet INTEGER NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (facet, id)
) WITHOUT ROWID, STRICT;

-- `seats` is 1 for White, 2 for Black, 3 for both, `opponent` 0 for somebody with neither account nor name.
CREATE TABLE games_by_player (
  player INTEGER NOT NULL,
  id INTEGER NOT NULL,
  seats INTEGER NOT NULL,
  facet INTEGER NOT NULL,
  opponent INTEGER NOT NULL,
  PRIMARY KEY (player, id)
) WITHOUT ROWID, STRICT;

CREATE TABLE games_by_position (
  position INTEGER NOT NULL,
  id INTEGER NOT NULL,
  facet INTEGER NOT NULL,
  PRIMARY KEY (position, id)
) WITHOUT ROWID, STRICT;

-- The games of an account are found by `games_by_player`.
DROP INDEX archive_by_white;
DROP INDEX archive_by_black;

-- Rows of the archive up to this one are not in these tables yet: they get there while the server runs.
INSERT INTO facts SELECT 'unindexed', CAST(coalesce(max(id), 0) AS TEXT) FROM archive;
