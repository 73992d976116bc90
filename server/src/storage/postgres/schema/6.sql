-- Version 6.

-- What owners have granted programs, until these show their codes, or a minute has gone.
CREATE TABLE codes (
  hash bytea PRIMARY KEY,
  account uuid NOT NULL,
  client text NOT NULL,
  redirect text NOT NULL,
  challenge bytea NOT NULL,
  scopes bigint NOT NULL,
  until_unix_ms bigint NOT NULL
);
CREATE INDEX code_by_account ON codes (account);
