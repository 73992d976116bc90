-- Version 4. From here on rows are written in format 3.

-- Live games at rest. `due` is when a game must be woken, on the axis of `TurnInstant`; `sum` is of all columns but the
-- records, which have one of their own.
CREATE TABLE resting (
  id INTEGER PRIMARY KEY,
  game BLOB NOT NULL,
  white BLOB NOT NULL,
  black BLOB NOT NULL,
  due INTEGER NOT NULL,
  record BLOB NOT NULL,
  sum INTEGER NOT NULL
) STRICT;

-- All that a start reads of them.
CREATE INDEX resting_by_game ON resting (game, white, black, due, sum);
CREATE INDEX resting_by_due ON resting (due);

-- How long before it nobody was charged for a turn: from the last heartbeat of the process before.
ALTER TABLE starts ADD COLUMN idle INTEGER NOT NULL DEFAULT 1000000;
