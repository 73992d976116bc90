-- Version 1.

-- Single facts: `epoch`, and `database`, which tells a copy of this database from it.
CREATE TABLE facts (name text PRIMARY KEY, value text NOT NULL);

-- Every process that has served from this database. `beat` grows while it lives, `barrier` whenever one of its connections was
-- made. `start_us` is when it began to serve, on the axis of service time of all processes, and `idle_us` for how long before
-- it nobody was charged for a turn.
CREATE TABLE nodes (
  node int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  boot uuid NOT NULL UNIQUE,
  version text NOT NULL,
  format int NOT NULL,
  made timestamptz NOT NULL DEFAULT now(),
  start_us bigint,
  idle_us bigint,
  beat bigint NOT NULL DEFAULT 0,
  barrier bigint NOT NULL DEFAULT 0,
  dead bool NOT NULL DEFAULT false
) WITH (fillfactor = 50);

-- Heartbeats: a process was alive at this instant of the axis of service time.
CREATE TABLE beats (at_us bigint PRIMARY KEY);

-- The records of live games. A game stays in its segment; a segment that no live game names is dropped. The key is what keeps
-- two writers of one game apart.
CREATE TABLE segments (segment int PRIMARY KEY, made_us bigint NOT NULL);
CREATE TABLE journal (
  segment int NOT NULL,
  game text COLLATE "C" NOT NULL,
  n int NOT NULL,
  row bytea NOT NULL,
  PRIMARY KEY (segment, game, n)
) PARTITION BY LIST (segment);

-- Live games. `mark` says what the running turn had taken after the row `mark_n`. A game at rest has all its records in
-- `rest`, and `due_us` is when it must be woken, on the axis of turns. `aside` is why a game cannot be played on.
CREATE TABLE live (
  game text COLLATE "C" PRIMARY KEY,
  segment int,
  white uuid NOT NULL,
  black uuid NOT NULL,
  mark bytea,
  mark_n int,
  resting bool NOT NULL DEFAULT false,
  n int,
  due_us bigint,
  rest bytea,
  aside text
);
CREATE INDEX live_by_segment ON live (segment);
CREATE INDEX live_by_due ON live (due_us) WHERE resting;

-- Games that have ended, in the order of their ends.
CREATE TABLE archive (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  game text COLLATE "C" NOT NULL UNIQUE,
  ended_unix_ms bigint NOT NULL,
  white uuid NOT NULL,
  black uuid NOT NULL,
  score smallint NOT NULL,
  reason smallint NOT NULL,
  facet smallint NOT NULL,
  records bytea NOT NULL
);
CREATE INDEX archive_by_end ON archive (ended_unix_ms, id);

-- What the archive is searched by. `who` is an account or the name of somebody without one, `seats` is 1 for White, 2 for
-- Black, 3 for both, and `facet` is that of the archive.
CREATE TABLE games_by_player (
  who bytea NOT NULL,
  id bigint NOT NULL,
  seats smallint NOT NULL,
  facet smallint NOT NULL,
  opponent bytea,
  PRIMARY KEY (who, id)
);
CREATE TABLE games_by_position (
  position bigint NOT NULL,
  id bigint NOT NULL,
  facet smallint NOT NULL,
  PRIMARY KEY (position, id)
);

-- Corrections of results, the last one of a game last.
CREATE TABLE corrections (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  game text COLLATE "C" NOT NULL,
  score smallint NOT NULL,
  after bigint NOT NULL,
  at_unix_ms bigint NOT NULL
);
CREATE INDEX corrections_by_game ON corrections (game, id);

-- Rows of games that a data folder had set aside before it was moved here, as they were found.
CREATE TABLE set_aside (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  game bytea NOT NULL,
  seq bigint NOT NULL,
  record bytea NOT NULL
);

-- Ratings: thousandths of a point, the deviation in the same, billionths of the volatility. Where each player stands, and
-- every change. `change` counts those by one game: 0 is its end.
CREATE TABLE ratings (
  account uuid NOT NULL,
  category smallint NOT NULL,
  points bigint NOT NULL,
  deviation bigint NOT NULL,
  volatility bigint NOT NULL,
  games bigint NOT NULL,
  number bigint NOT NULL,
  at_unix_ms bigint NOT NULL,
  PRIMARY KEY (account, category)
);
CREATE TABLE rating_events (
  account uuid NOT NULL,
  category smallint NOT NULL,
  number bigint NOT NULL,
  cause smallint NOT NULL,
  game text COLLATE "C" NOT NULL,
  change int NOT NULL,
  color smallint NOT NULL,
  opponent uuid NOT NULL,
  opponent_points bigint NOT NULL,
  opponent_deviation bigint NOT NULL,
  opponent_volatility bigint NOT NULL,
  score smallint NOT NULL,
  before_points bigint NOT NULL,
  before_deviation bigint NOT NULL,
  before_volatility bigint NOT NULL,
  after_points bigint NOT NULL,
  after_deviation bigint NOT NULL,
  after_volatility bigint NOT NULL,
  games bigint NOT NULL,
  at_unix_ms bigint NOT NULL,
  PRIMARY KEY (account, category, number)
);
CREATE INDEX rating_events_by_game ON rating_events (game, change, color);

-- Accounts. A name has one of them, whatever the case of its letters.
CREATE TABLE accounts (
  account uuid PRIMARY KEY,
  made_unix_ms bigint NOT NULL,
  kind smallint NOT NULL DEFAULT 0,
  name text COLLATE "C",
  seen_day bigint NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX account_by_name ON accounts (lower(name));
CREATE TABLE closed_names (hash bytea PRIMARY KEY);
CREATE TABLE tokens (
  hash bytea PRIMARY KEY,
  account uuid NOT NULL,
  kind smallint NOT NULL,
  made_unix_ms bigint NOT NULL,
  used_day bigint NOT NULL,
  label text NOT NULL,
  scopes bigint NOT NULL,
  until_unix_ms bigint
);
CREATE INDEX token_by_account ON tokens (account);
CREATE TABLE passwords (account uuid PRIMARY KEY, hash text NOT NULL, set_unix_ms bigint NOT NULL);
CREATE TABLE recovery_codes (hash bytea PRIMARY KEY, account uuid NOT NULL, until_unix_ms bigint);
CREATE INDEX recovery_code_by_account ON recovery_codes (account);
CREATE TABLE second_factors (
  account uuid PRIMARY KEY,
  secret bytea NOT NULL,
  set_unix_ms bigint,
  used_step bigint NOT NULL
);

-- Admins, what they have done, and what they put in force until an instant.
CREATE TABLE admins (account uuid PRIMARY KEY, granted_unix_ms bigint NOT NULL);
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at_unix_ms bigint NOT NULL,
  by text NOT NULL,
  act text NOT NULL
);
CREATE TABLE mutes (account uuid PRIMARY KEY, until_unix_ms bigint NOT NULL);
CREATE TABLE cuts (network text PRIMARY KEY, until_unix_ms bigint NOT NULL);

-- Who has blocked whom, who may challenge an account and what the page keeps for it, both as JSON, and reports.
CREATE TABLE blocks (by uuid NOT NULL, whom uuid NOT NULL, PRIMARY KEY (by, whom));
CREATE INDEX blocks_whom ON blocks (whom);
CREATE TABLE challenge_rules (account uuid PRIMARY KEY, rules text NOT NULL);
CREATE TABLE settings (account uuid PRIMARY KEY, settings text NOT NULL);
CREATE TABLE reports (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at_unix_ms bigint NOT NULL,
  by uuid,
  about uuid NOT NULL,
  game text COLLATE "C",
  reason text NOT NULL,
  text text NOT NULL,
  lines text NOT NULL,
  handled_unix_ms bigint
);
CREATE INDEX reports_waiting ON reports (handled_unix_ms);
CREATE INDEX reports_by ON reports (by);

-- Open challenges: the terms are the `create_challenge` message that made them.
CREATE TABLE challenges (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  challenge text COLLATE "C" NOT NULL UNIQUE,
  owner uuid NOT NULL,
  terms text NOT NULL,
  rematch_of text COLLATE "C",
  accepted_by uuid,
  until_unix_ms bigint NOT NULL
);
