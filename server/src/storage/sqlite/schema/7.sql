-- Version 7. Ratings. A rating is three whole numbers: thousandths of a point, the deviation in the same, billionths of
-- the volatility. `sum` is of all other columns but the id.

-- Where each player stands in each category, after the last change.
CREATE TABLE ratings (
  id INTEGER PRIMARY KEY,
  account BLOB NOT NULL,
  category INTEGER NOT NULL,
  points INTEGER NOT NULL,
  deviation INTEGER NOT NULL,
  volatility INTEGER NOT NULL,
  games INTEGER NOT NULL,
  number INTEGER NOT NULL,
  at_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX rating_by_account ON ratings (account, category);

-- Every change, two for each game that counts. `number` is the place in the player's category, from 1; `cause` is 1 for
-- the end of a game. A change is never rewritten: a correction would be one more, with another cause.
CREATE TABLE rating_events (
  id INTEGER PRIMARY KEY,
  account BLOB NOT NULL,
  category INTEGER NOT NULL,
  number INTEGER NOT NULL,
  cause INTEGER NOT NULL,
  game BLOB NOT NULL,
  color INTEGER NOT NULL,
  opponent BLOB NOT NULL,
  opponent_points INTEGER NOT NULL,
  opponent_deviation INTEGER NOT NULL,
  opponent_volatility INTEGER NOT NULL,
  score INTEGER NOT NULL,
  before_points INTEGER NOT NULL,
  before_deviation INTEGER NOT NULL,
  before_volatility INTEGER NOT NULL,
  after_points INTEGER NOT NULL,
  after_deviation INTEGER NOT NULL,
  after_volatility INTEGER NOT NULL,
  games INTEGER NOT NULL,
  at_unix_ms INTEGER NOT NULL,
  sum INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX rating_events_by_account ON rating_events (account, category, number);
CREATE INDEX rating_events_by_game ON rating_events (game);
