-- Version 5.

-- What was changed about people, for the nodes that keep some of it in memory. Triggers write it: so it is in the transaction of
-- the change, whatever makes that. What a node has not read yet it finds by `xid`, the number of the transaction: an `id` may
-- become visible after a higher one. Of two changes of one thing the later one has the higher `id`.
CREATE TABLE changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
  at timestamptz NOT NULL DEFAULT now(),
  change jsonb NOT NULL
);
CREATE INDEX changes_by_xid ON changes (xid);

-- Of the transactions before this one a node has read all changes, or it has read everything else after them.
ALTER TABLE nodes ADD changes_read bigint;

-- Counts the changes of an account's name and kind.
ALTER TABLE accounts ADD version bigint NOT NULL DEFAULT 0;

CREATE FUNCTION note_change(jsonb) RETURNS void LANGUAGE sql AS $$ INSERT INTO changes (change) VALUES ($1) $$;

CREATE FUNCTION account_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  PERFORM note_change(jsonb_build_object('what', 'account', 'account', NEW.account, 'kind', NEW.kind, 'name', NEW.name,
    'version', NEW.version));
  RETURN NEW;
END $$;
CREATE TRIGGER account_changed BEFORE UPDATE OF name, kind ON accounts
  FOR EACH ROW EXECUTE FUNCTION account_changed();

CREATE FUNCTION token_revoked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_change(jsonb_build_object('what', 'revoked', 'account', OLD.account, 'token', encode(OLD.hash, 'base64')));
  RETURN NULL;
END $$;
CREATE TRIGGER token_revoked AFTER DELETE ON tokens FOR EACH ROW EXECUTE FUNCTION token_revoked();

CREATE FUNCTION mute_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(jsonb_build_object('what', 'unmuted', 'account', OLD.account));
  ELSE
    PERFORM note_change(jsonb_build_object('what', 'muted', 'account', NEW.account, 'until', NEW.until_unix_ms));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER mute_changed AFTER INSERT OR UPDATE OR DELETE ON mutes FOR EACH ROW EXECUTE FUNCTION mute_changed();

CREATE FUNCTION cut_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(jsonb_build_object('what', 'uncut', 'network', OLD.network));
  ELSE
    PERFORM note_change(jsonb_build_object('what', 'cut', 'network', NEW.network, 'until', NEW.until_unix_ms));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER cut_changed AFTER INSERT OR UPDATE OR DELETE ON cuts FOR EACH ROW EXECUTE FUNCTION cut_changed();

-- `by` is a word of PL/pgSQL, so it is in quotes.
CREATE FUNCTION block_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM note_change(jsonb_build_object('what', 'unblocked', 'by', OLD."by", 'whom', OLD.whom));
  ELSE
    PERFORM note_change(jsonb_build_object('what', 'blocked', 'by', NEW."by", 'whom', NEW.whom));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER block_changed AFTER INSERT OR DELETE ON blocks FOR EACH ROW EXECUTE FUNCTION block_changed();
